//! Interface ports on top: no driver reaches them, but a module around the top can.

use super::clocks::is_clock_name;
use super::run::{self, Ran};
use super::tree::{Dir, Tree, Unit};
use super::types::{Place, PortDecl};
use super::wrapper::{self, Pin};
use crate::error::Error;
use crate::find::Verilator;
use crate::sources::Sources;
use congruent_ports::PortDir;
use std::path::PathBuf;

/// An interface port of the top.
struct InterfacePort {
    place: Place,
    name: String,
    /// Interface, and modport if one is named.
    of: (String, Option<String>),
}

/// Says which ports they are, and writes the module around them.
pub(super) fn on_top(verilator: &Verilator, sources: &Sources, said: &str) -> Error {
    let found: Vec<InterfacePort> = said.lines().filter_map(port).collect();
    let mut lines: Vec<String> = found
        .iter()
        .map(|port| {
            let (interface, modport) = &port.of;
            let dot = modport.as_ref().map_or(String::new(), |m| format!(".{m}"));
            format!("{}: `{}` of interface {interface}{dot}", port.place, port.name)
        })
        .collect();
    if lines.is_empty() {
        // A port that could not be read: Verilator's own words are better than none.
        let first = said.lines().find(|l| l.contains("Interfaced port on top level module"));
        lines.extend(first.map(str::to_string));
    }
    let top = match sources.top.as_str() {
        "" => "the top module".to_string(),
        name => format!("module `{name}`"),
    };
    let message =
        format!("{top} has interface ports, which no driver reaches:\n  {}", lines.join("\n  "));
    let help = match written(verilator, sources, &found) {
        Some((name, text)) => format!(
            "give --top {name} with a file that has the signals of the interface as ports of its \
             own:\n{text}"
        ),
        None => {
            "write a module around it that makes the interfaces and has their signals as ports of \
                 its own, and name it with --top"
                .into()
        }
    };
    Error::Refused { message, help }
}

/// Reads `%Error-UNSUPPORTED: a.sv:2:42: Unsupported: Interfaced port on top level module`: the
/// column is that of the port's name, and its type stands before it.
fn port(line: &str) -> Option<InterfacePort> {
    let (head, _) = line.split_once(": Unsupported: Interfaced port on top level module")?;
    let (_, place) = head.split_once(": ")?;
    let mut parts = place.rsplitn(3, ':');
    let column: usize = parts.next()?.parse().ok()?;
    let number: u32 = parts.next()?.parse().ok()?;
    let file = PathBuf::from(parts.next()?);
    let bytes = std::fs::read(&file).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let source = text.lines().nth(number.checked_sub(1)? as usize)?;
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let before: String = source.chars().take(column - 1).collect();
    let after: String = source.chars().skip(column - 1).collect();
    let name = after.split(|c| !is_word(c)).next()?.to_string();
    let ty = before.trim_end().rsplit(|c| !is_word(c) && c != '.').next()?;
    let (interface, modport) = match ty.split_once('.') {
        Some((interface, modport)) => (interface.to_string(), Some(modport.to_string())),
        None => (ty.to_string(), None),
    };
    if name.is_empty() || interface.is_empty() {
        return None;
    }
    Some(InterfacePort { place: Place { file, line: number }, name, of: (interface, modport) })
}

/// The name and text of a module around the top, from a tree in which another one instantiates it.
fn written(
    verilator: &Verilator,
    sources: &Sources,
    ports: &[InterfacePort],
) -> Option<(String, String)> {
    const PROBE: &str = "congruent_probe";
    if sources.top.is_empty() || ports.is_empty() {
        return None;
    }
    let folder = tempfile::tempdir().ok()?;
    let path = folder.path().join("probe.sv");
    let cells: String = ports
        .iter()
        .map(|p| format!("  {} {} ();\n", p.of.0, wrapper::identifier(&p.name)))
        .collect();
    let pins: Vec<_> =
        ports.iter().map(|p| format!(".{0}({0})", wrapper::identifier(&p.name))).collect();
    let inside = wrapper::identifier(&sources.top);
    let text =
        format!("module {PROBE};\n{cells}  {inside} dut ({});\nendmodule\n", pins.join(", "));
    std::fs::write(&path, text).ok()?;
    let mut probe = Sources { top: PROBE.into(), params: Vec::new(), ..sources.clone() };
    probe.files.push(path);
    let Ran::Tree(tree, _) = run::run(verilator, &probe).ok()? else { return None };
    let top = tree.units.iter().find(|u| u.name == sources.top)?;
    let inputs = top.vars.iter().filter(|v| v.dir == Some(Dir::In) && is_clock_name(&v.name));
    let clocks: Vec<&str> = inputs.map(|v| v.name.as_str()).collect();
    let clock = if let [one] = clocks[..] { Some(one) } else { None };
    // One of the trees has interfaces behind all other ports.
    let mut vars: Vec<_> = top.vars.iter().collect();
    vars.sort_by_key(|var| &var.place);
    let mut pins = Vec::new();
    for var in vars {
        match (var.dir, ports.iter().find(|p| p.name == var.name)) {
            (None, Some(port)) => pins.push(pin(&tree, port, clock)?),
            (Some(Dir::Inout), _) => return None,
            (Some(dir), _) => pins.push(Pin::through(&declaration(&tree, var, dir)?)),
            (None, None) => {}
        }
    }
    let name = format!("{}_wrapper", sources.top);
    let text = wrapper::text(&sources.top, &name, &pins);
    Some((name, text))
}

fn declaration(tree: &Tree, var: &super::tree::Var, dir: Dir) -> Option<PortDecl> {
    Some(PortDecl {
        name: var.name.clone(),
        dir: if dir == Dir::Out { PortDir::Out } else { PortDir::In },
        ty: tree.resolve(&var.ty).ok()?,
        place: var.place.clone(),
    })
}

/// The signals of an interface as ports. What the interface itself has as inputs goes in; of the
/// rest, the modport says which way each goes from the module. A clock of the interface is that of
/// the module, where it has one.
fn pin(tree: &Tree, port: &InterfacePort, clock: Option<&str>) -> Option<Pin> {
    let (interface, modport) = &port.of;
    let unit: &Unit = tree.units.iter().find(|u| u.interface && u.name == *interface)?;
    let cell = wrapper::identifier(&port.name);
    let mut pin = Pin {
        outer: Vec::new(),
        inner: Vec::new(),
        connection: match modport {
            Some(modport) => format!("{cell}.{modport}"),
            None => cell.clone(),
        },
        name: cell.clone(),
    };
    let modport = modport.as_ref().and_then(|m| unit.modports.iter().find(|(name, _)| name == m));
    let mut made = Vec::new();
    let mut assigns = Vec::new();
    for var in unit.vars.iter().filter(|v| v.param.is_none()) {
        let outer = wrapper::identifier(&format!("{}_{}", port.name, var.name));
        let inner = wrapper::identifier(&var.name);
        let ty = wrapper::declared(&tree.resolve(&var.ty).ok()?, &outer);
        let shown = modport.and_then(|(_, vars)| vars.iter().find(|(name, _)| *name == var.name));
        match (var.dir, shown.map(|(_, dir)| *dir)) {
            (Some(Dir::In), _) if is_clock_name(&var.name) && clock.is_some() => {
                let clock = wrapper::identifier(clock.unwrap_or_default());
                made.push(format!(".{inner}({clock})"));
            }
            (Some(_), _) => {
                pin.outer.push(format!("input {ty}"));
                made.push(format!(".{inner}({outer})"));
            }
            (None, Some(Dir::Out)) => {
                pin.outer.push(format!("output {ty}"));
                assigns.push(format!("assign {outer} = {cell}.{inner};"));
            }
            (None, Some(Dir::In)) => {
                pin.outer.push(format!("input {ty}"));
                assigns.push(format!("assign {cell}.{inner} = {outer};"));
            }
            // Without a modport nothing says which way it goes.
            (None, None) if modport.is_none() => {
                pin.outer
                    .push(format!("output {ty} /* or an input: then turn its assign round */"));
                assigns.push(format!("assign {outer} = {cell}.{inner};"));
            }
            (None, _) => {}
        }
    }
    pin.inner.push(format!("{interface} {cell} ({});", made.join(", ")));
    pin.inner.extend(assigns);
    Some(pin)
}
