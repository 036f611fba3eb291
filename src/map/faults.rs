//! What is wrong with a map, all of it.

use crate::error::Error;
use std::path::Path;

/// Faults with the lines that they are in.
#[derive(Debug, Default)]
pub struct Faults {
    list: Vec<(Option<usize>, String)>,
}

impl Faults {
    /// A fault in a line.
    pub fn at(&mut self, line: usize, what: impl Into<String>) {
        self.add(Some(line), what);
    }

    /// A fault in a line, or in none: of something that the map does not say.
    pub fn add(&mut self, line: Option<usize>, what: impl Into<String>) {
        let fault = (line, what.into());
        if !self.list.contains(&fault) {
            self.list.push(fault);
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// All of them as one error: in the order of the file, what is missing at the end.
    pub fn error(mut self, map: Option<&Path>, what: &str) -> Error {
        self.list.sort_by_key(|(line, _)| line.unwrap_or(usize::MAX));
        let mut message = match map {
            Some(path) => format!("{}: {what}", path.display()),
            None => what.to_string(),
        };
        for (line, fault) in &self.list {
            message += &match line {
                Some(line) => format!("\n  line {line}: {fault}"),
                None => format!("\n  {fault}"),
            };
        }
        let help = match map {
            Some(_) => "docs/map.md says what a map may hold",
            None => {
                "say with --map MAP.toml which port is which; `congruent ports --map MAP.toml` \
                 writes one to fill in"
            }
        };
        Error::input(message, help)
    }
}
