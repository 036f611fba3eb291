//! A full set of elaboration parameters of one block, checked against its table.

use crate::{Block, Param};
use std::fmt;

/// Values for every parameter of a block.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ParamSet {
    values: Vec<(&'static str, i64)>,
}

impl ParamSet {
    /// All defaults.
    pub fn defaults(block: &'static Block) -> Self {
        Self { values: block.params.iter().map(|p| (p.name, p.default)).collect() }
    }

    /// Defaults, overridden by `changes` in order.
    ///
    /// # Errors
    /// An unknown name or a value out of range.
    pub fn with<'a>(
        block: &'static Block,
        changes: impl IntoIterator<Item = (&'a str, i64)>,
    ) -> Result<Self, ParamError> {
        let mut set = Self::defaults(block);
        for (name, value) in changes {
            let Some(param) = block.params.iter().find(|p| p.name == name) else {
                return Err(ParamError::Unknown { block, name: name.to_string() });
            };
            let accepted = (param.min..=param.max).contains(&value)
                && (!param.power_of_two || value.count_ones() == 1);
            if !accepted {
                return Err(ParamError::Range { param, value });
            }
            if let Some(slot) = set.values.iter_mut().find(|(n, _)| *n == param.name) {
                slot.1 = value;
            }
        }
        Ok(set)
    }

    /// Value of a parameter.
    ///
    /// # Panics
    /// If the block has no such parameter: a mistake in the code, not in a user's input.
    pub fn get(&self, name: &str) -> i64 {
        match self.values.iter().find(|(n, _)| *n == name) {
            Some((_, value)) => *value,
            None => panic!("no parameter `{name}` in {:?}", self.values),
        }
    }

    /// Name and value of each parameter, in table order.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, i64)> + '_ {
        self.values.iter().copied()
    }
}

/// Why a parameter was refused.
#[derive(Debug, Clone)]
pub enum ParamError {
    /// The block has no parameter of that name.
    Unknown {
        /// The block.
        block: &'static Block,
        /// The name asked for.
        name: String,
    },
    /// The value is not accepted.
    Range {
        /// The parameter.
        param: &'static Param,
        /// The value asked for.
        value: i64,
    },
}

impl fmt::Display for ParamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { block, name } => {
                let known: Vec<_> = block.params.iter().map(|p| p.name).collect();
                write!(
                    f,
                    "block {} has no parameter `{name}`; it has {}",
                    block.name,
                    known.join(", ")
                )
            }
            Self::Range { param, value } => {
                let two = if param.power_of_two { "a power of two from " } else { "" };
                write!(
                    f,
                    "parameter {} = {value} is out of range: accepted is {two}{} to {}",
                    param.name, param.min, param.max
                )
            }
        }
    }
}

impl std::error::Error for ParamError {}
