//! How the ports of the table are wired to those of a module: what a driver is written from.

use std::collections::BTreeMap;

/// Clock, reset, and a wire for each port of the table. The default is this project's own
/// convention: every port is called as in the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortMap {
    /// The clock.
    pub clock: Clock,
    /// The reset; a module may have none.
    pub reset: Option<Reset>,
    /// Ports of the table that are not simply a port of the same name.
    pub wires: BTreeMap<String, Wire>,
    /// Bits of inputs that the table does not know, and what they are held at. The other bits of a
    /// port that is driven in pieces are 0.
    pub ties: Vec<Tie>,
}

/// The clock of a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clock {
    /// The port.
    pub port: String,
    /// Whether the module clocks on its falling edge.
    pub falling: bool,
}

/// The reset of a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reset {
    /// The port.
    pub port: String,
    /// Whether it is asserted when it is 0.
    pub active_low: bool,
    /// Whether it takes effect without a clock: then it changes while the clock stands still.
    pub asynchronous: bool,
}

/// What a port of the table is in the module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wire {
    /// A whole port, as wide as the table says.
    Port(String),
    /// Pieces. Of an input, each is driven, and nothing is where there are none; of an output, the
    /// word is put together from them, 0 where there are none.
    Pieces(Vec<Piece>),
}

/// Some bits of the word of a port of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// The lowest of them.
    pub at: u32,
    /// How many.
    pub count: u32,
    /// What they are in the module.
    pub end: End,
}

/// The other end of a piece of a wire.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// Bits of a port.
    Pin {
        /// The lowest of them.
        pin: Pin,
        /// Whether they are the opposite of the table's.
        inverted: bool,
    },
    /// A constant, of outputs only.
    Constant(u64),
}

/// A bit of a port of the module.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pin {
    /// The port.
    pub port: String,
    /// Where it is an unpacked array: the element, counted from the lowest index, in each dimension.
    pub element: Vec<u32>,
    /// Bits of the port, or of one element.
    pub width: u32,
    /// The bit.
    pub lsb: u32,
}

/// Up to 64 bits of an input that are held at a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tie {
    /// The lowest bit.
    pub pin: Pin,
    /// The value.
    pub value: u64,
}

impl Default for PortMap {
    fn default() -> Self {
        Self {
            clock: Clock { port: "clk".into(), falling: false },
            reset: Some(Reset { port: "rst_n".into(), active_low: true, asynchronous: false }),
            wires: BTreeMap::new(),
            ties: Vec::new(),
        }
    }
}

impl PortMap {
    /// What a port of the table is wired to.
    pub fn wire(&self, table: &str) -> Wire {
        self.wires.get(table).cloned().unwrap_or_else(|| Wire::Port(table.to_string()))
    }

    /// Says what a port of the table is called in the module.
    pub fn rename(&mut self, table: impl Into<String>, port: impl Into<String>) {
        self.wires.insert(table.into(), Wire::Port(port.into()));
    }
}

impl Wire {
    /// Bits of the port of the table that are wired, counted from its lowest.
    pub fn width(&self, table: u32) -> u32 {
        match self {
            Self::Port(_) => table,
            Self::Pieces(pieces) => pieces.iter().map(|p| p.at + p.count).max().unwrap_or(0),
        }
    }

    /// The ports of the module that it is wired to.
    pub fn ports(&self) -> impl Iterator<Item = &str> {
        let (whole, pieces) = match self {
            Self::Port(name) => (Some(name.as_str()), &[][..]),
            Self::Pieces(pieces) => (None, pieces.as_slice()),
        };
        whole.into_iter().chain(pieces.iter().filter_map(|piece| match &piece.end {
            End::Pin { pin, .. } => Some(pin.port.as_str()),
            End::Constant(_) => None,
        }))
    }
}
