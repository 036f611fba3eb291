//! Text of a module around a module: what is suggested where a port of it cannot be driven.

use super::types::{PortDecl, Type};
use congruent_ports::PortDir;

/// How one port of the inner module is met.
pub(super) struct Pin {
    /// Ports of the wrapper.
    pub(super) outer: Vec<String>,
    /// Lines within it.
    pub(super) inner: Vec<String>,
    /// What the port is connected to.
    pub(super) connection: String,
    /// The port.
    pub(super) name: String,
}

impl Pin {
    /// A port that is handed through.
    pub(super) fn through(port: &PortDecl) -> Self {
        let dir = if port.dir == PortDir::In { "input" } else { "output" };
        let name = identifier(&port.name);
        Self {
            outer: vec![format!("{dir} {}", declared(&port.ty, &name))],
            inner: Vec::new(),
            connection: name.clone(),
            name,
        }
    }
}

/// The text of the wrapper.
pub(super) fn text(module: &str, name: &str, pins: &[Pin]) -> String {
    let outer: Vec<_> = pins.iter().flat_map(|p| &p.outer).map(|p| format!("  {p}")).collect();
    let inner: String = pins.iter().flat_map(|p| &p.inner).map(|l| format!("  {l}\n")).collect();
    let pins: Vec<_> = pins.iter().map(|p| format!("    .{}({})", p.name, p.connection)).collect();
    format!(
        "module {name} (\n{}\n);\n{inner}  {} dut (\n{}\n  );\nendmodule",
        outer.join(",\n"),
        identifier(module),
        pins.join(",\n"),
    )
}

/// A name as SystemVerilog takes it: escaped where it must be.
pub(super) fn identifier(name: &str) -> String {
    let plain = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$');
    if plain { name.to_string() } else { format!("\\{name} ") }
}

/// A declaration without its direction.
pub(super) fn declared(ty: &Type, name: &str) -> String {
    let unpacked: String = ty.unpacked.iter().map(|r| r.to_string()).collect();
    let blank = if unpacked.is_empty() { "" } else { " " };
    format!("{ty} {name}{blank}{unpacked}")
}
