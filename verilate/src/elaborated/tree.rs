//! What both forms of Verilator's tree have in common: modules, their variables, a table of types,
//! and what the edges that something waits for hang on.

use super::types::{Edge, Member, Place, Range, Shape, Type};
use std::collections::{BTreeSet, HashMap, HashSet};

/// A design as read from a tree. Keys are names or addresses, whatever the tree refers by.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) units: Vec<Unit>,
    pub(super) types: HashMap<String, Raw>,
}

/// A module or an interface.
#[derive(Debug)]
pub(super) struct Unit {
    pub(super) key: String,
    pub(super) name: String,
    pub(super) place: Place,
    pub(super) top: bool,
    /// Whether it is an interface.
    pub(super) interface: bool,
    pub(super) vars: Vec<Var>,
    pub(super) cells: Vec<Cell>,
    /// What drives a variable without a register between.
    pub(super) drives: HashMap<String, Vec<Source>>,
    pub(super) waits: Vec<Wait>,
    /// Modports of an interface: name, and names of the variables with their directions.
    pub(super) modports: Vec<(String, Vec<(String, Dir)>)>,
}

/// Direction of a variable that is a port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dir {
    In,
    Out,
    Inout,
}

impl std::fmt::Display for Dir {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::In => "input",
            Self::Out => "output",
            Self::Inout => "inout",
        })
    }
}

/// A variable, port or parameter.
#[derive(Debug)]
pub(super) struct Var {
    pub(super) key: String,
    pub(super) name: String,
    pub(super) place: Place,
    pub(super) dir: Option<Dir>,
    /// Key of its type.
    pub(super) ty: String,
    /// Whether it can be set from outside, and its value.
    pub(super) param: Option<String>,
}

/// An instance.
#[derive(Debug)]
pub(super) struct Cell {
    pub(super) name: String,
    /// Key of what it is an instance of.
    pub(super) unit: String,
    /// Key of the variable inside, and what it is connected to.
    pub(super) pins: Vec<(String, Source)>,
}

/// A variable as something refers to it.
#[derive(Debug, Clone)]
pub(super) struct Signal {
    pub(super) key: String,
    pub(super) name: String,
    /// Name of the interface that it lies in; empty for one of the module itself.
    pub(super) dotted: String,
}

/// What an expression reads.
#[derive(Debug, Clone)]
pub(super) struct Source {
    pub(super) signals: Vec<Signal>,
    /// Whether it is a variable (`false`) or the opposite of one (`true`); none for more.
    pub(super) inverted: Option<bool>,
}

/// An edge that something waits for.
#[derive(Debug)]
pub(super) struct Wait {
    pub(super) source: Source,
    pub(super) rising: bool,
    /// Whether it is one of several, and its value is asked for in what it starts.
    pub(super) reset: bool,
    pub(super) place: Place,
}

/// An entry of the table of types.
#[derive(Debug)]
pub(super) enum Raw {
    /// A built-in type of bits.
    Bits { range: Option<Range>, signed: bool },
    /// Another name of a type.
    Same(String),
    /// A packed array.
    Packed(Range, String),
    /// An unpacked array.
    Unpacked(Range, String),
    /// A struct (`union`: a union) with its members.
    Struct { name: String, signed: bool, union: bool, members: Vec<(String, String)> },
    /// An enumeration.
    Enum { name: String, base: String, names: Vec<(String, String)> },
    /// Anything that is not made of bits, in words.
    Other(String),
}

impl Tree {
    /// The type with this key.
    ///
    /// # Errors
    /// In words, what it is instead of bits.
    pub(super) fn resolve(&self, key: &str) -> Result<Type, String> {
        let raw = self.types.get(key).ok_or_else(|| "of an unknown type".to_string())?;
        let whole = |width, signed, shape| Type { unpacked: Vec::new(), width, signed, shape };
        Ok(match raw {
            Raw::Bits { range, signed } => {
                whole(range.map_or(1, Range::len), *signed, Shape::Bits(*range))
            }
            Raw::Same(other) => self.resolve(other)?,
            Raw::Packed(range, element) => {
                let element = Box::new(self.resolve(element)?);
                let width = element.width.saturating_mul(range.len());
                whole(width, element.signed, Shape::Packed { range: *range, element })
            }
            Raw::Unpacked(range, element) => {
                let mut ty = self.resolve(element)?;
                ty.unpacked.insert(0, *range);
                ty
            }
            Raw::Struct { name, signed, union, members } => {
                let mut fields = Vec::new();
                for (name, ty) in members {
                    let ty = self.resolve(ty)?;
                    if !ty.unpacked.is_empty() {
                        return Err(format!("a struct with an unpacked array inside (`{name}`)"));
                    }
                    fields.push(Member { name: name.clone(), lsb: 0, ty });
                }
                let mut width: u32 = 0;
                if *union {
                    width = fields.iter().map(|m| m.ty.width).max().unwrap_or(0);
                } else {
                    for member in fields.iter_mut().rev() {
                        member.lsb = width;
                        width = width.saturating_add(member.ty.width);
                    }
                }
                let (name, members) = (type_name(name), fields);
                let shape = match union {
                    true => Shape::Union { name, members },
                    false => Shape::Struct { name, members },
                };
                whole(width, *signed, shape)
            }
            Raw::Enum { name, base, names } => {
                let base = Box::new(self.resolve(base)?);
                let (name, names) = (type_name(name), names.clone());
                whole(base.width, base.signed, Shape::Enum { name, base, names })
            }
            Raw::Other(what) => return Err(what.clone()),
        })
    }

    /// The edges that the design waits for and that input ports of its top reach.
    pub(super) fn edges(&self, top: usize) -> Vec<Edge> {
        let instances = Instances::below(self, top);
        let mut edges: Vec<Edge> = Vec::new();
        for at in 0..instances.all.len() {
            for wait in &instances.unit(at).waits {
                let (ports, inverted) = instances.inputs_behind(at, &wait.source);
                if ports.is_empty() {
                    continue;
                }
                let edge = Edge {
                    ports: ports.into_iter().collect(),
                    rising: wait.rising != inverted.unwrap_or(false),
                    direct: inverted.is_some(),
                    reset: wait.reset,
                    place: wait.place.clone(),
                };
                let same = |e: &Edge| {
                    (&e.ports, e.rising, e.reset) == (&edge.ports, edge.rising, edge.reset)
                };
                if !edges.iter().any(same) {
                    edges.push(edge);
                }
            }
        }
        edges
    }
}

/// Verilator makes up names for types that have none.
fn type_name(name: &str) -> String {
    if name.contains("__typeimp") { String::new() } else { name.to_string() }
}

/// Every instance of a design.
struct Instances<'a> {
    tree: &'a Tree,
    /// Unit, and parent with the cell there.
    all: Vec<(usize, Option<(usize, usize)>)>,
    /// Instances by parent and cell.
    children: HashMap<(usize, usize), usize>,
}

// A set of ports, and whether a single one comes through as it is or inverted.
type Inputs = (BTreeSet<String>, Option<bool>);

impl<'a> Instances<'a> {
    fn below(tree: &'a Tree, top: usize) -> Self {
        // Enough for any block; a design that recurses must end somewhere.
        const MOST: usize = 1 << 20;
        let units: HashMap<&str, usize> =
            tree.units.iter().enumerate().map(|(i, u)| (u.key.as_str(), i)).collect();
        let mut all: Vec<(usize, Option<(usize, usize)>)> = vec![(top, None)];
        let mut children = HashMap::new();
        let mut at = 0;
        while at < all.len() && all.len() < MOST {
            for (cell, inside) in tree.units[all[at].0].cells.iter().enumerate() {
                if let Some(unit) = units.get(inside.unit.as_str()) {
                    children.insert((at, cell), all.len());
                    all.push((*unit, Some((at, cell))));
                }
            }
            at += 1;
        }
        Self { tree, all, children }
    }

    fn unit(&self, at: usize) -> &'a Unit {
        &self.tree.units[self.all[at].0]
    }

    fn inputs_behind(&self, at: usize, source: &Source) -> Inputs {
        self.follow(at, source, &mut HashSet::new())
    }

    fn follow(&self, at: usize, source: &Source, seen: &mut HashSet<(usize, String)>) -> Inputs {
        let mut ports = BTreeSet::new();
        let mut inverted = source.inverted;
        for signal in &source.signals {
            let (more, inner) = self.behind(at, signal, seen);
            ports.extend(more);
            inverted = match (inverted, inner) {
                (Some(a), Some(b)) => Some(a != b),
                _ => None,
            };
        }
        (ports, inverted)
    }

    /// Input ports of the top that a signal follows without a register between.
    fn behind(&self, at: usize, signal: &Signal, seen: &mut HashSet<(usize, String)>) -> Inputs {
        let none = (BTreeSet::new(), None);
        let at =
            if signal.dotted.is_empty() { Some(at) } else { self.interface(at, &signal.dotted) };
        let Some(at) = at else { return none };
        if !seen.insert((at, signal.key.clone())) {
            return none;
        }
        let unit = self.unit(at);
        let parent = self.all[at].1;
        if let Some(var) = unit.vars.iter().find(|v| v.key == signal.key)
            && var.dir == Some(Dir::In)
            && parent.is_none()
        {
            return (BTreeSet::from([var.name.clone()]), Some(false));
        }
        // What drives it: an assignment here, the pin that it is outside, an output pin inside.
        let mut all: Vec<Inputs> = Vec::new();
        if let Some((parent, cell)) = parent {
            let pins = &self.unit(parent).cells[cell].pins;
            if let Some((_, outside)) = pins.iter().find(|(var, _)| *var == signal.key) {
                all.push(self.follow(parent, outside, seen));
            }
        }
        for source in unit.drives.get(&signal.key).into_iter().flatten() {
            all.push(self.follow(at, source, seen));
        }
        for (n, cell) in unit.cells.iter().enumerate() {
            let Some(child) = self.children.get(&(at, n)) else { continue };
            for (var, outside) in &cell.pins {
                let is_output = || {
                    let vars = &self.unit(*child).vars;
                    vars.iter().any(|v| v.key == *var && v.dir == Some(Dir::Out))
                };
                if outside.signals.iter().any(|s| s.key == signal.key) && is_output() {
                    let inside =
                        Signal { key: var.clone(), name: String::new(), dotted: String::new() };
                    let (ports, inverted) = self.behind(*child, &inside, seen);
                    let whole = inverted.filter(|_| outside.inverted == Some(false));
                    all.push((ports, whole));
                }
            }
        }
        match all.len() {
            0 => none,
            1 => all.remove(0),
            _ => (all.into_iter().flat_map(|(ports, _)| ports).collect(), None),
        }
    }

    /// The instance of an interface that a module knows under a name.
    fn interface(&self, at: usize, name: &str) -> Option<usize> {
        let name = name.split('.').next()?;
        let unit = self.unit(at);
        let cell = unit.cells.iter().position(|cell| cell.name == name);
        if let Some(found) = cell.and_then(|cell| self.children.get(&(at, cell))) {
            return Some(*found);
        }
        let (parent, cell) = self.all[at].1?;
        let var = unit.vars.iter().find(|v| v.name == name)?;
        let pins = &self.unit(parent).cells[cell].pins;
        let (_, outside) = pins.iter().find(|(inside, _)| *inside == var.key)?;
        let outer = outside.signals.first()?;
        self.interface(parent, outer.name.trim_end_matches("__Viftop"))
    }
}

/// A whole number as Verilator writes constants (`32'sh3`), where it is one of at most 64 bits.
pub(super) fn constant(text: &str) -> Option<i128> {
    let signed = text.contains("'s");
    number(text, signed)
}

fn number(text: &str, signed: bool) -> Option<i128> {
    let (width, digits) = text.split_once('\'')?;
    let digits = digits.trim_start_matches('s').strip_prefix('h')?;
    let width: u32 = width.parse().ok().filter(|w| (1..=64).contains(w))?;
    let value = i128::from_str_radix(digits, 16).ok()?;
    let negative = signed && value >> (width - 1) & 1 != 0;
    Some(if negative { value - (1_i128 << width) } else { value })
}

/// The value of a parameter for people; one that is signed may be below 0.
pub(super) fn value(text: &str, signed: bool) -> String {
    number(text, signed).map_or_else(|| text.to_string(), |v| v.to_string())
}

/// A range as `7:0` or `[7:0]`.
pub(super) fn range(text: &str) -> Option<Range> {
    let (left, right) = text.trim_matches(['[', ']']).split_once(':')?;
    Some(Range { left: left.parse().ok()?, right: right.parse().ok()? })
}
