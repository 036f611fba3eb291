//! The map between the table of a block and a module that somebody else wrote: which port is which,
//! clock and reset, constants, handshakes, formats, cycle counts (docs/map.md).
//!
//! [`fit`] reads a map, holds it against the module as Verilator elaborates it and against the table,
//! and says every fault in one go. Without a map every port must be called as in the table.

mod clock;
pub mod expression;
mod faults;
mod fit;
mod held;
mod parse;
mod pins;
#[cfg(test)]
mod tests;
mod words;

pub use faults::Faults;
pub use fit::{Drive, Fit, Slice, fit};
pub use parse::{MapFile, parse};

use congruent_verilate::nearest;

/// ``; perhaps `name` `` where one of the names is near.
pub(crate) fn perhaps<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> String {
    nearest(name, names).map_or(String::new(), |near| format!("; perhaps `{near}`"))
}
