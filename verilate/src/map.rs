//! How the ports of a foreign module are called, where they are not called as in the table.

use std::collections::BTreeMap;

/// Names and polarities of a module's ports. The default is this project's own convention.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortMap {
    /// The clock.
    pub clock: String,
    /// The reset.
    pub reset: String,
    /// Whether reset is asserted when it is 0.
    pub reset_active_low: bool,
    /// Names that differ: the table's to the module's.
    pub names: BTreeMap<String, String>,
    /// Inputs that the table does not know, and the constants that they are held at.
    pub ties: BTreeMap<String, u64>,
}

impl Default for PortMap {
    fn default() -> Self {
        Self {
            clock: "clk".into(),
            reset: "rst_n".into(),
            reset_active_low: true,
            names: BTreeMap::new(),
            ties: BTreeMap::new(),
        }
    }
}

impl PortMap {
    /// The module's name of a port of the table.
    pub fn name<'a>(&'a self, table: &'a str) -> &'a str {
        self.names.get(table).map_or(table, String::as_str)
    }
}
