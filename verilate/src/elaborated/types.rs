//! What a module shows to the outside: ports, their types down to the last member, parameters,
//! clocks.

use congruent_ports::PortDir;
use std::path::PathBuf;

/// Where something is declared.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The file, as it was named to Verilator where it was.
    pub file: PathBuf,
    /// The line, from 1 on.
    pub line: u32,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file.display(), self.line)
    }
}

/// A module as Verilator elaborates it, with the values of its parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Module {
    /// Its name in the source.
    pub name: String,
    /// Where it is declared.
    pub place: Place,
    /// Its ports in the order of its port list. All of them can be driven or read: `elaborate`
    /// refuses a module with any other.
    pub ports: Vec<PortDecl>,
    /// Its parameters in the order of their declaration.
    pub params: Vec<ParamDecl>,
    /// What the design waits for: edges of clocks, of asynchronous resets.
    pub edges: Vec<Edge>,
}

/// A port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortDecl {
    /// Its name in the source; of an escaped one, what is between the backslash and the blank.
    pub name: String,
    /// Its direction; a module with inouts is refused.
    pub dir: PortDir,
    /// Its type.
    pub ty: Type,
    /// Where it is declared.
    pub place: Place,
}

/// A parameter that can be set from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParamDecl {
    /// Its name.
    pub name: String,
    /// Its value under the parameters that were given, as SystemVerilog writes it.
    pub value: String,
    /// Where it is declared.
    pub place: Place,
}

/// An edge that something in the design waits for and that follows input ports without a register
/// between: of a clock, of an asynchronous reset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    /// The ports: one, or several where it is the edge of what logic makes of them (a gated clock).
    pub ports: Vec<String>,
    /// Whether it is the rising edge: of the port where it is `direct`, else of what is made of them.
    pub rising: bool,
    /// Whether it is an edge of the port itself, perhaps through inverters (which `rising` has in).
    pub direct: bool,
    /// Whether it is an asynchronous reset: one of several edges that an `always` waits for, whose
    /// value is asked for there.
    pub reset: bool,
    /// The first place that waits for it.
    pub place: Place,
}

/// A range as declared: `[7:0]`, `[0:3]`, `[31:8]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    /// The index on the left: of the most significant bit or element.
    pub left: i64,
    /// The index on the right: of the least significant bit or element.
    pub right: i64,
}

impl Range {
    /// How many bits or elements there are.
    pub fn len(self) -> u32 {
        u32::try_from(self.left.abs_diff(self.right)).map_or(u32::MAX, |n| n.saturating_add(1))
    }

    /// Never: a range has at least one element.
    pub fn is_empty(self) -> bool {
        false
    }

    /// How many elements lie to the right of the one with this index; none if there is no such one.
    pub fn position(self, index: i64) -> Option<u32> {
        let (low, high) = (self.left.min(self.right), self.left.max(self.right));
        if !(low..=high).contains(&index) {
            return None;
        }
        u32::try_from(index.abs_diff(self.right)).ok()
    }
}

impl std::fmt::Display for Range {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "[{}:{}]", self.left, self.right)
    }
}

/// Type of a port, of an element or of a member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Type {
    /// Unpacked dimensions, outermost first; only a port has any.
    pub unpacked: Vec<Range>,
    /// Bits of one element: of the packed part.
    pub width: u32,
    /// Whether the packed part as a whole is a signed number.
    pub signed: bool,
    /// What the packed part is made of.
    pub shape: Shape,
}

/// What a packed type is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shape {
    /// Bits: one of them without a range, or those of a range.
    Bits(Option<Range>),
    /// A packed array of something that is more than a bit.
    Packed {
        /// Its range.
        range: Range,
        /// Each of its elements.
        element: Box<Type>,
    },
    /// A packed struct.
    Struct {
        /// Name of the type, with its package, or empty.
        name: String,
        /// Its members, the most significant first.
        members: Vec<Member>,
    },
    /// A packed union: every member at bit 0.
    Union {
        /// Name of the type, with its package, or empty.
        name: String,
        /// Its members.
        members: Vec<Member>,
    },
    /// An enumeration.
    Enum {
        /// Name of the type, with its package, or empty.
        name: String,
        /// What its values are stored in.
        base: Box<Type>,
        /// Names and values (digits of SystemVerilog: `2'h3`) in the order of declaration.
        names: Vec<(String, String)>,
    },
}

/// A member of a packed struct or union.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// Its lowest bit within the struct that it is a direct member of.
    pub lsb: u32,
    /// Its type.
    pub ty: Type,
}

/// The packed part as SystemVerilog writes it: by the name of the type where that is known outside
/// of the module, else as bits.
impl std::fmt::Display for Type {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.shape {
            Shape::Struct { name, .. } | Shape::Union { name, .. } | Shape::Enum { name, .. }
                if name.contains("::") =>
            {
                f.write_str(name.trim_start_matches("$unit::"))
            }
            Shape::Packed { range, element } => {
                let inner = element.to_string();
                match inner.split_once(" [") {
                    Some((name, rest)) => write!(f, "{name} {range}[{rest}"),
                    None => write!(f, "{inner} {range}"),
                }
            }
            Shape::Bits(range) => {
                let signed = if self.signed { " signed" } else { "" };
                let range = range.map_or(String::new(), |r| format!(" {r}"));
                write!(f, "logic{signed}{range}")
            }
            _ => write!(f, "logic [{}:0]", self.width.saturating_sub(1)),
        }
    }
}

impl Type {
    /// Bits of the whole: of all elements of an unpacked array together.
    pub fn total(&self) -> u64 {
        self.unpacked.iter().fold(u64::from(self.width), |n, range| n * u64::from(range.len()))
    }

    /// The member of a struct or union with this name.
    pub fn member(&self, name: &str) -> Option<&Member> {
        match &self.shape {
            Shape::Struct { members, .. } | Shape::Union { members, .. } => {
                members.iter().find(|m| m.name == name)
            }
            _ => None,
        }
    }

    /// Range of the bits or elements that an index after the unpacked ones picks from.
    pub fn range(&self) -> Option<Range> {
        match &self.shape {
            Shape::Bits(range) => *range,
            Shape::Packed { range, .. } => Some(*range),
            Shape::Enum { base, .. } => base.range(),
            // SystemVerilog numbers the bits of a packed struct from 0.
            Shape::Struct { .. } | Shape::Union { .. } => {
                Some(Range { left: i64::from(self.width) - 1, right: 0 })
            }
        }
    }

    /// Width of what one such index picks.
    pub fn step(&self) -> u32 {
        match &self.shape {
            Shape::Packed { element, .. } => element.width,
            _ => 1,
        }
    }
}

impl Module {
    /// A port by name.
    pub fn port(&self, name: &str) -> Option<&PortDecl> {
        self.ports.iter().find(|p| p.name == name)
    }
}
