//! The one table: what every hardware block shows to the outside, as data.
//!
//! A block declares its channels, `cfg_*` pins, levels, parameters, attributes, timing and
//! coverage rows once, here. Packing, the C++ driver, vector manifests, CSV columns and
//! documentation are derived from it, and a test holds it against the ports that Verilator
//! reports of the RTL.
//!
//! This crate holds no behaviour and depends on nothing, so that editing a golden model never
//! re-verilates RTL.

pub mod ecn_marker;
pub mod hpcc_window;
pub mod layout;
mod make;
pub mod notification_point;
pub mod nscc_window;
pub mod pacing_table;
pub mod params;
pub mod pfc_threshold;
pub mod rate_limiter;

pub use layout::{ChannelLayout, Layout, Port, PortDir, PortRole};
pub use make::STAT_W;
pub use params::{ParamError, ParamSet};

/// Every block, in the order in which `congruent list` shows them.
pub const BLOCKS: &[&Block] = &[
    &rate_limiter::BLOCK,
    &notification_point::BLOCK,
    &pacing_table::BLOCK,
    &ecn_marker::BLOCK,
    &nscc_window::BLOCK,
    &hpcc_window::BLOCK,
    &pfc_threshold::BLOCK,
];

/// Finds a block by name.
pub fn block(name: &str) -> Option<&'static Block> {
    BLOCKS.iter().copied().find(|b| b.name == name)
}

/// Everything that a block declares about itself.
#[derive(Debug)]
pub struct Block {
    /// Name of the block, of its RTL module and of its folder: lower_snake_case.
    pub name: &'static str,
    /// One line: what it is.
    pub title: &'static str,
    /// SystemVerilog files it needs, in compilation order, below `rtl/`.
    pub rtl: &'static [&'static str],
    /// Elaboration parameters.
    pub params: &'static [Param],
    /// Variants of the algorithm; none where there is one only.
    pub variants: &'static [Variant],
    /// Attributes in the sources' names and natural units; converted to `cfg` pins in Rust only.
    pub attributes: &'static [Attribute],
    /// `cfg_*` input pins: stable from before reset is released to the end of a run.
    pub cfg: &'static [Field],
    /// Channels, inputs and outputs.
    pub channels: &'static [Channel],
    /// Inputs without a valid bit that may change in any cycle.
    pub controls: &'static [Control],
    /// Outputs without a valid bit: compared in every cycle.
    pub levels: &'static [Field],
    /// Latencies, initiation intervals and other documented cycle counts.
    pub timing: &'static [Timing],
    /// The order of effects within one cycle, one step an entry.
    pub order: &'static [&'static str],
    /// How far the fixed-point core may be from the f64 reference.
    pub bounds: &'static [Bound],
    /// Rows of the page's "Must be covered".
    pub coverage: &'static [CoverRow],
    /// Parameter sets that are built into the `congruent` command.
    pub builds: &'static [BuildSet],
}

impl Block {
    /// Looks up a documented cycle count.
    ///
    /// # Panics
    /// If the block documents no such figure: a mistake in the code, not in a user's input.
    pub fn cycles(&self, name: &str) -> u64 {
        match self.timing.iter().find(|t| t.name == name) {
            Some(t) => t.cycles,
            None => panic!("block {} documents no timing `{name}`", self.name),
        }
    }

    /// Looks up an error bound.
    ///
    /// # Panics
    /// If the block states no such bound: a mistake in the code, not in a user's input.
    pub fn bound(&self, name: &str) -> f64 {
        match self.bounds.iter().find(|b| b.name == name) {
            Some(b) => b.limit,
            None => panic!("block {} states no bound `{name}`", self.name),
        }
    }

    /// Finds a channel by name.
    pub fn channel(&self, name: &str) -> Option<&'static Channel> {
        self.channels.iter().find(|c| c.name == name)
    }

    /// Finds a built-in parameter set by name.
    pub fn build(&self, name: &str) -> Option<&'static BuildSet> {
        self.builds.iter().find(|b| b.name == name)
    }
}

/// An elaboration parameter: what hardware fixes before it is built.
#[derive(Debug)]
pub struct Param {
    /// Name in the RTL, UPPER_SNAKE_CASE.
    pub name: &'static str,
    /// Value when nothing is said.
    pub default: i64,
    /// Smallest accepted value.
    pub min: i64,
    /// Largest accepted value.
    pub max: i64,
    /// Whether only powers of two are accepted.
    pub power_of_two: bool,
    /// What it is, with its unit.
    pub doc: &'static str,
}

/// A set of parameters that `build.rs` verilates.
#[derive(Debug)]
pub struct BuildSet {
    /// Name of the set, lower_snake_case.
    pub name: &'static str,
    /// Parameters that differ from their default.
    pub params: &'static [(&'static str, i64)],
    /// Why it exists.
    pub doc: &'static str,
}

impl BuildSet {
    /// The full set of parameters.
    ///
    /// # Panics
    /// If the table's own values are refused: a mistake in the table, not in a user's input.
    pub fn params(&self, block: &'static Block) -> ParamSet {
        match ParamSet::with(block, self.params.iter().copied()) {
            Ok(params) => params,
            Err(error) => panic!("build set {}: {error}", self.name),
        }
    }
}

/// A variant of the algorithm: parameters that choose it, and attribute defaults that are others
/// in it.
#[derive(Debug)]
pub struct Variant {
    /// Name of the variant, as its source calls it; `--set variant=NAME` chooses it.
    pub name: &'static str,
    /// The parameter and its value that choose it; then other parameters that it wants another
    /// default of.
    pub params: &'static [(&'static str, i64)],
    /// Attribute and its default there. The kind is the attribute's own, its range stays.
    pub defaults: &'static [(&'static str, AttributeKind)],
}

impl Variant {
    /// The parameter that chooses it, and its value that does.
    ///
    /// # Panics
    /// If there is none: a mistake in the table, not in a user's input.
    pub fn chooser(&self) -> (&'static str, i64) {
        match self.params {
            [chooser, ..] => *chooser,
            [] => panic!("variant {} is chosen by no parameter", self.name),
        }
    }
}

/// An attribute as the sources name it, in natural units.
#[derive(Debug)]
pub struct Attribute {
    /// Name in snake_case, as in TOML and `--set`.
    pub name: &'static str,
    /// Name in the source document.
    pub source_name: &'static str,
    /// Unit of the value, empty for a plain number.
    pub unit: &'static str,
    /// Kind, default and accepted range.
    pub kind: AttributeKind,
    /// What it does and where it comes from.
    pub doc: &'static str,
}

/// Kind of an attribute, with its default and accepted range (inclusive).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AttributeKind {
    /// `true` or `false`.
    Bool {
        /// Value when nothing is said.
        default: bool,
    },
    /// A whole number.
    Integer {
        /// Value when nothing is said.
        default: u64,
        /// Smallest accepted value.
        min: u64,
        /// Largest accepted value.
        max: u64,
    },
    /// A real number.
    Real {
        /// Value when nothing is said.
        default: f64,
        /// Smallest accepted value.
        min: f64,
        /// Largest accepted value.
        max: f64,
    },
    /// One of several names; on a `cfg` pin the position of the name.
    Enum {
        /// Name when nothing is said.
        default: &'static str,
        /// Accepted names, in the order of their values 0, 1, 2, …
        names: &'static [&'static str],
    },
}

/// Width of a field in bits, possibly a function of the parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    /// So many bits.
    Bits(u32),
    /// The value of a parameter.
    Param(&'static str),
    /// The value of a parameter plus a constant.
    ParamPlus(&'static str, u32),
    /// The values of two parameters together.
    ParamSum(&'static str, &'static str),
}

/// What the bits of a field mean to people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// A flag: `0` or `1`.
    Flag,
    /// A plain unsigned number: an index or a count.
    Count,
    /// Bytes on the wire.
    Bytes,
    /// Clock cycles with so many fraction bits.
    Cycles(u32),
    /// Clock cycles with as many fraction bits as the named parameter says.
    CyclesParam(&'static str),
    /// A fraction of line rate, UQ1.n with n from the named parameter; Gbps for people.
    LineRate(&'static str),
    /// A fraction of one, UQ1.n with n from the named parameter.
    Fraction(&'static str),
    /// An enumeration: the names of values 0, 1, 2, …
    Enum(&'static [&'static str]),
    /// Fixed point with so many fraction bits, unit named.
    Fixed(u32, &'static str),
    /// Fixed point with as many fraction bits as the named parameter says, unit named.
    FixedParam(&'static str, &'static str),
}

/// A field of a channel, a level or a `cfg_*` pin.
#[derive(Debug)]
pub struct Field {
    /// Name; the port is `<channel>_<name>`, or the name itself for levels and `cfg_*` pins.
    pub name: &'static str,
    /// Width in bits.
    pub width: Width,
    /// What the bits mean.
    pub quantity: Quantity,
    /// What the field has to do with the beat it is on.
    pub role: FieldRole,
    /// Meaning, rounding, range.
    pub doc: &'static str,
}

/// What a field has to do with the beat it is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldRole {
    /// The context (queue pair, entry, flow) that the beat is about: echoed, compared always.
    Context,
    /// Names a context by its content, not its index (a DLID): echoed and compared like one.
    Key,
    /// Error code of an answer: 0 is none. When it is not 0 only context and key are compared with it.
    Error,
    /// Payload.
    Payload,
    /// Payload whose value depends on when a sweep passed; not compared when the DUT's own
    /// sweep is another one (`steered`).
    SweepTimed,
}

impl FieldRole {
    /// Whether a field of this role means something beside an error code: the code itself, and what
    /// of the question is echoed.
    pub fn outlives_error(self) -> bool {
        matches!(self, Self::Context | Self::Key | Self::Error)
    }
}

/// Direction of a channel as the hardware sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dir {
    /// Into the block.
    In,
    /// Out of the block.
    Out,
}

/// The `ready` of a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ready {
    /// There is none: a beat is taken in the cycle in which it is offered.
    Never,
    /// One bit for the channel.
    Whole,
    /// One bit for each value of the channel's first field, as many as this parameter says. A
    /// value beyond them is always taken.
    Each(&'static str),
}

/// An input without a valid bit that may change in any cycle.
#[derive(Debug)]
pub struct Control {
    /// The pin.
    pub field: Field,
    /// Its value while the stimulus says nothing, and after its end.
    pub idle: u64,
}

/// An error bound of the fixed-point core against the f64 reference.
#[derive(Debug)]
pub struct Bound {
    /// Name of what is bounded, lower_snake_case.
    pub name: &'static str,
    /// Largest accepted absolute error.
    pub limit: f64,
    /// Unit of the limit.
    pub unit: &'static str,
    /// Over which events it is tested, and where the error comes from.
    pub doc: &'static str,
}

/// A valid bit with payload fields, at most one beat a cycle.
#[derive(Debug)]
pub struct Channel {
    /// Name, lower_snake_case; prefix of its ports.
    pub name: &'static str,
    /// Direction of `valid` and payload.
    pub dir: Dir,
    /// Whether there is a `<name>_ready` against it. A beat is taken in a cycle with both.
    pub ready: Ready,
    /// Payload, in port order.
    pub fields: &'static [Field],
    /// For an output: the input channel that each beat answers in order, if any.
    pub answers: Option<&'static str>,
    /// What a beat means.
    pub doc: &'static str,
}

impl Channel {
    /// Position of a field by name.
    pub fn field(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|f| f.name == name)
    }

    /// Position of the field that names the context, if the channel has one.
    pub fn context(&self) -> Option<usize> {
        self.fields.iter().position(|f| f.role == FieldRole::Context)
    }

    /// Position of the field that names a context by its content, if the channel has one.
    pub fn key(&self) -> Option<usize> {
        self.fields.iter().position(|f| f.role == FieldRole::Key)
    }

    /// Position of the error code, if the channel has one.
    pub fn error(&self) -> Option<usize> {
        self.fields.iter().position(|f| f.role == FieldRole::Error)
    }
}

/// A documented cycle count.
#[derive(Debug)]
pub struct Timing {
    /// Name, lower_snake_case.
    pub name: &'static str,
    /// Cycles at the clock of the block.
    pub cycles: u64,
    /// From what to what.
    pub doc: &'static str,
}

/// A row of "Must be covered".
#[derive(Debug)]
pub struct CoverRow {
    /// Name, lower_snake_case.
    pub name: &'static str,
    /// The row in the page's words.
    pub doc: &'static str,
}

/// Error codes of an `error` field, shared by all blocks. Value 0 is no error.
pub const ERRORS: &[&str] = &["none", "range", "closed", "zero_length", "underflow", "hops"];

/// Values of an `error` field.
pub mod error {
    /// No error.
    pub const NONE: u64 = 0;
    /// The context is outside the table.
    pub const RANGE: u64 = 1;
    /// The context is closed.
    pub const CLOSED: u64 = 2;
    /// A length of 0 bytes.
    pub const ZERO_LENGTH: u64 = 3;
    /// A count fell below 0; it saturates there and the event takes effect.
    pub const UNDERFLOW: u64 = 4;
    /// More telemetry hops than the unit holds.
    pub const HOPS: u64 = 5;
}
