//! A full set of attributes of one block: the sources' names, natural units, checked ranges.

use congruent_ports::{Attribute, AttributeKind, Block, ParamSet, Variant};
use std::fmt;

/// Value of one attribute.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    /// A switch.
    Bool(bool),
    /// A whole number.
    Integer(u64),
    /// A real number.
    Real(f64),
    /// One of an attribute's names.
    Name(&'static str),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(v) => write!(f, "{v}"),
            Self::Integer(v) => write!(f, "{v}"),
            Self::Real(v) => write!(f, "{v}"),
            Self::Name(v) => f.write_str(v),
        }
    }
}

/// Values for every attribute of a block.
#[derive(Debug, Clone)]
pub struct AttributeSet {
    block: &'static Block,
    values: Vec<Value>,
}

impl AttributeSet {
    /// All defaults.
    pub fn defaults(block: &'static Block) -> Self {
        let values = block.attributes.iter().map(|a| default_of(a.kind)).collect();
        Self { block, values }
    }

    /// All defaults under these parameters: a variant of the block may have others.
    pub fn defaults_under(block: &'static Block, params: &ParamSet) -> Self {
        let mut set = Self::defaults(block);
        let chosen = |variant: &&Variant| {
            let (name, value) = variant.chooser();
            params.get(name) == value
        };
        for variant in block.variants.iter().filter(chosen) {
            for (name, kind) in variant.defaults {
                set = set.with(&[(name, default_of(*kind))]);
            }
        }
        set
    }

    /// The block that these belong to.
    pub fn block(&self) -> &'static Block {
        self.block
    }

    /// Sets one attribute. A whole number is accepted where a real one is asked for.
    ///
    /// # Errors
    /// An unknown name, another kind of value, or one out of range.
    pub fn set(&mut self, name: &str, value: Value) -> Result<(), AttributeError> {
        let Some(position) = self.block.attributes.iter().position(|a| a.name == name) else {
            return Err(AttributeError::Unknown { block: self.block, name: name.to_string() });
        };
        let attribute = &self.block.attributes[position];
        let refuse = || AttributeError::Refused { attribute, value: value.to_string() };
        self.values[position] = match (attribute.kind, value) {
            (AttributeKind::Bool { .. }, Value::Bool(_)) => value,
            (AttributeKind::Integer { min, max, .. }, Value::Integer(v))
                if (min..=max).contains(&v) =>
            {
                value
            }
            (AttributeKind::Real { min, max, .. }, Value::Real(v)) if (min..=max).contains(&v) => {
                value
            }
            (AttributeKind::Real { min, max, .. }, Value::Integer(v))
                if (min..=max).contains(&(v as f64)) =>
            {
                Value::Real(v as f64)
            }
            (AttributeKind::Enum { names, .. }, Value::Name(v)) if names.contains(&v) => value,
            _ => return Err(refuse()),
        };
        Ok(())
    }

    /// Sets one attribute from text, as after `--set name=`.
    ///
    /// # Errors
    /// As [`AttributeSet::set`], and text that is no value of the attribute's kind.
    pub fn set_text(&mut self, name: &str, text: &str) -> Result<(), AttributeError> {
        let Some(attribute) = self.block.attributes.iter().find(|a| a.name == name) else {
            return Err(AttributeError::Unknown { block: self.block, name: name.to_string() });
        };
        let value = match attribute.kind {
            AttributeKind::Bool { .. } => text.parse().map(Value::Bool).ok(),
            AttributeKind::Integer { .. } => text.parse().map(Value::Integer).ok(),
            AttributeKind::Real { .. } => text.parse().map(Value::Real).ok(),
            AttributeKind::Enum { names, .. } => {
                names.iter().find(|name| **name == text).map(|name| Value::Name(name))
            }
        };
        match value {
            Some(value) => self.set(name, value),
            None => Err(AttributeError::Refused { attribute, value: text.to_string() }),
        }
    }

    /// Sets attributes that are known to be legal: defaults of scenarios and tests.
    ///
    /// # Panics
    /// If one is refused: a mistake in the code, not in a user's input.
    #[must_use]
    pub fn with(mut self, changes: &[(&str, Value)]) -> Self {
        for (name, value) in changes {
            if let Err(e) = self.set(name, *value) {
                panic!("{e}");
            }
        }
        self
    }

    /// Value of an attribute.
    ///
    /// # Panics
    /// If the block has no such attribute: a mistake in the code, not in a user's input.
    pub fn get(&self, name: &str) -> Value {
        match self.block.attributes.iter().position(|a| a.name == name) {
            Some(position) => self.values[position],
            None => panic!("block {} has no attribute `{name}`", self.block.name),
        }
    }

    /// Name of an attribute that is one of several.
    ///
    /// # Panics
    /// If it is of another kind: a mistake in the code, not in a user's input.
    pub fn name(&self, name: &str) -> &'static str {
        match self.get(name) {
            Value::Name(v) => v,
            other => panic!("attribute {name} = {other} is no name"),
        }
    }

    /// Whether there is such an attribute and it is one of several names.
    pub fn is_name(&self, name: &str) -> bool {
        let named = |a: &Attribute| a.name == name && matches!(a.kind, AttributeKind::Enum { .. });
        self.block.attributes.iter().any(named)
    }

    /// A real or whole attribute as a real number (a switch as 0 or 1).
    pub fn real(&self, name: &str) -> f64 {
        match self.get(name) {
            Value::Real(v) => v,
            Value::Integer(v) => v as f64,
            Value::Bool(v) => f64::from(u8::from(v)),
            Value::Name(_) => self.integer(name) as f64,
        }
    }

    /// A whole attribute (a switch as 0 or 1, a real one rounded down, a name as its position).
    pub fn integer(&self, name: &str) -> u64 {
        match self.get(name) {
            Value::Integer(v) => v,
            Value::Bool(v) => u64::from(v),
            Value::Real(v) => v as u64,
            Value::Name(v) => self.position(name, v),
        }
    }

    /// Position of `value` among the names of an attribute.
    fn position(&self, name: &str, value: &str) -> u64 {
        let attribute = self.block.attributes.iter().find(|a| a.name == name);
        match attribute.map(|a| a.kind) {
            Some(AttributeKind::Enum { names, .. }) => {
                names.iter().take_while(|n| **n != value).count() as u64
            }
            _ => 0,
        }
    }

    /// Attribute and value, in table order.
    pub fn iter(&self) -> impl Iterator<Item = (&'static Attribute, Value)> + '_ {
        self.block.attributes.iter().zip(self.values.iter().copied())
    }
}

fn default_of(kind: AttributeKind) -> Value {
    match kind {
        AttributeKind::Bool { default } => Value::Bool(default),
        AttributeKind::Integer { default, .. } => Value::Integer(default),
        AttributeKind::Real { default, .. } => Value::Real(default),
        AttributeKind::Enum { default, .. } => Value::Name(default),
    }
}

/// The refusal of values that are legal by themselves but not together with others: what does not
/// fit, with its value, what is accepted, and what to do.
pub fn refused(message: String) -> AttributeError {
    AttributeError::Combination { message }
}

/// Checks that the bits of a parameter can number as many contexts as another one says, `what` they
/// are called.
///
/// # Errors
/// Too few bits.
pub fn check_numbered(
    params: &ParamSet,
    count: &str,
    width: &str,
    what: &str,
) -> Result<(), AttributeError> {
    let (n, bits) = (params.get(count), params.get(width));
    if n <= 1 << bits {
        return Ok(());
    }
    Err(refused(format!(
        "parameter {width} = {bits} cannot number {count} = {n} {what}: accepted is {} or more",
        (n - 1).ilog2() + 1
    )))
}

/// Why an attribute, or a combination of attributes and parameters, was refused.
#[derive(Debug, Clone)]
pub enum AttributeError {
    /// The block has no attribute of that name.
    Unknown {
        /// The block.
        block: &'static Block,
        /// The name asked for.
        name: String,
    },
    /// The value is of another kind or out of range.
    Refused {
        /// The attribute.
        attribute: &'static Attribute,
        /// The value asked for.
        value: String,
    },
    /// The value is legal by itself but not together with others.
    Combination {
        /// What does not fit, with its value, what is accepted, and what to do.
        message: String,
    },
}

impl fmt::Display for AttributeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { block, name } => {
                let known: Vec<_> = block.attributes.iter().map(|a| a.name).collect();
                write!(
                    f,
                    "block {} has no attribute `{name}`; it has {}",
                    block.name,
                    known.join(", ")
                )
            }
            Self::Refused { attribute, value } => {
                write!(
                    f,
                    "attribute {} = {value}: accepted is {}",
                    attribute.name,
                    accepted(attribute)
                )
            }
            Self::Combination { message } => f.write_str(message),
        }
    }
}

impl std::error::Error for AttributeError {}

/// The accepted values of an attribute, for people: `1 to 1600 Gbps`.
pub fn accepted(attribute: &Attribute) -> String {
    let range = match attribute.kind {
        AttributeKind::Bool { .. } => return "true or false".to_string(),
        AttributeKind::Enum { names, .. } => return names.join(" or "),
        AttributeKind::Integer { min, max, .. } => format!("a whole number from {min} to {max}"),
        AttributeKind::Real { min, max, .. } => format!("{min} to {max}"),
    };
    if attribute.unit.is_empty() { range } else { format!("{range} {}", attribute.unit) }
}
