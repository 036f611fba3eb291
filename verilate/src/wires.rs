//! The lines of a driver that move bits between the words of a row and the pins of a module.
//!
//! Verilator keeps a port of up to 64 bits in one number, a wider one in words of 32 bits, and an
//! unpacked array as an array of such. A port that is wired whole is one assignment; of one that is
//! wired in pieces, each number or word is put together from all that is wired to it.

use crate::map::{End, Pin, PortMap, Wire};
use crate::names::cpp_name;
use congruent_ports::{Layout, Port, Ready};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A slice of a row that is driven, as the driver calls it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slice {
    Cfg,
    Inputs,
}

impl Slice {
    fn name(self) -> &'static str {
        match self {
            Self::Cfg => "cfg",
            Self::Inputs => "inputs",
        }
    }
}

/// Bits of a word of a row that go to a number of the model.
#[derive(Debug)]
struct Part {
    slice: Slice,
    word: usize,
    /// Lowest bit in the word.
    from: u32,
    count: u32,
    /// Lowest bit in the number.
    to: u32,
    inverted: bool,
}

impl Part {
    fn text(&self) -> String {
        let not = if self.inverted { "~" } else { "" };
        let word = format!("{not}{}[{}]", self.slice.name(), self.word);
        let down = if self.from > 0 { format!("({word} >> {})", self.from) } else { word };
        let bits = format!("({down} & {:#x}ULL)", ones(self.count));
        if self.to > 0 { format!("({bits} << {})", self.to) } else { bits }
    }

    fn mask(&self) -> u64 {
        ones(self.count) << self.to
    }
}

/// Everything that the numbers of a model are put together from, by their names.
#[derive(Debug, Default)]
pub(crate) struct Wires {
    whole_cfg: String,
    whole_inputs: String,
    whole_bare: String,
    numbers: BTreeMap<String, Vec<Part>>,
    constants: BTreeMap<String, u64>,
    cleared: Vec<String>,
    outputs: String,
}

impl Wires {
    /// The wires of a layout. `step` indents what is written into a step.
    pub(crate) fn new(layout: &Layout, map: &PortMap) -> Self {
        let mut all = Self::default();
        all.drive(Slice::Cfg, &layout.cfg, map);
        all.drive(Slice::Inputs, &layout.inputs, map);
        for tie in &map.ties {
            // In words of 32 bits a value may lie in up to three of them.
            let value = tie.value;
            all.clear(&tie.pin.port);
            for (number, to, from, count) in numbers(&tie.pin, 64.min(tie.pin.width - tie.pin.lsb))
            {
                *all.constants.entry(number).or_default() |= (value >> from & ones(count)) << to;
            }
        }
        all.read(layout, map);
        all
    }

    /// The port's bits are 0 but where something else is said.
    fn clear(&mut self, port: &str) {
        let name = cpp_name(port);
        if !self.cleared.contains(&name) {
            self.cleared.push(name);
        }
    }

    fn drive(&mut self, slice: Slice, ports: &[Port], map: &PortMap) {
        for (word, port) in ports.iter().enumerate() {
            let pieces = match map.wire(&port.name) {
                Wire::Port(name) => {
                    let pin = cpp_name(&name);
                    // Upper bits of a narrow pin are not masked by Verilator.
                    let mask = match port.width {
                        64.. => String::new(),
                        width => format!(" & 0x{:x}ULL", ones(width)),
                    };
                    if slice == Slice::Cfg {
                        let line = format!("    top_->{pin} = cfg[{word}]{mask};\n");
                        self.whole_cfg += &line;
                    } else {
                        let _ =
                            writeln!(self.whole_inputs, "      top.{pin} = inputs[{word}]{mask};");
                        let _ = writeln!(self.whole_bare, "        top.{pin} = inputs[{word}];");
                    }
                    continue;
                }
                Wire::Pieces(pieces) => pieces,
            };
            for piece in pieces {
                let End::Pin { pin, inverted } = piece.end else { continue };
                self.clear(&pin.port);
                for (number, to, from, count) in numbers(&pin, piece.count) {
                    let from = piece.at + from;
                    let part = Part { slice, word, from, count, to, inverted };
                    self.numbers.entry(number).or_default().push(part);
                }
            }
        }
    }

    /// One line a number that `slice` has a part in; the rest of it stays as it is.
    fn pieces(&self, slice: Slice, top: &str, indent: &str) -> String {
        let mut text = String::new();
        for (number, parts) in &self.numbers {
            let (own, others): (Vec<_>, Vec<_>) = parts.iter().partition(|p| p.slice == slice);
            if own.is_empty() {
                continue;
            }
            let mut terms: Vec<String> = own.iter().map(|part| part.text()).collect();
            if !others.is_empty() {
                let mask = own.iter().fold(0, |mask, part| mask | part.mask());
                terms.insert(0, format!("({top}{number} & ~{mask:#x}ULL)"));
            } else if let Some(value) = self.constants.get(number).filter(|value| **value != 0) {
                terms.insert(0, format!("{value:#x}ULL"));
            }
            let _ = writeln!(text, "{indent}{top}{number} = {};", terms.join(" | "));
        }
        text
    }

    /// What is written once: ports that are driven in pieces or held.
    pub(crate) fn once(&self) -> String {
        let mut text = String::new();
        for port in &self.cleared {
            let _ = writeln!(
                text,
                "    std::memset(&top_->rootp->{port}, 0, sizeof top_->rootp->{port});"
            );
        }
        for (number, value) in &self.constants {
            let _ = writeln!(text, "    top_->rootp->{number} = {value:#x}ULL;");
        }
        text
    }

    /// What is written when the pins `cfg_*` are.
    pub(crate) fn configure(&self) -> String {
        self.whole_cfg.clone() + &self.pieces(Slice::Cfg, "top_->rootp->", "    ")
    }

    /// What is written in a step.
    pub(crate) fn inputs(&self) -> String {
        self.whole_inputs.clone() + &self.pieces(Slice::Inputs, "top.", "      ")
    }

    /// What the plain loop writes.
    pub(crate) fn bare(&self) -> String {
        self.whole_bare.clone() + &self.pieces(Slice::Inputs, "top.", "        ")
    }

    /// What is read in a step.
    pub(crate) fn outputs(&self) -> &str {
        &self.outputs
    }

    fn read(&mut self, layout: &Layout, map: &PortMap) {
        for (word, port) in layout.outputs.iter().enumerate() {
            let mut value = match map.wire(&port.name) {
                Wire::Port(name) => format!("top.{}", cpp_name(&name)),
                Wire::Pieces(pieces) => {
                    let mut terms = vec![];
                    for piece in &pieces {
                        match &piece.end {
                            End::Constant(value) => {
                                terms.push(format!("{:#x}ULL", value << piece.at));
                            }
                            End::Pin { pin, inverted } => {
                                terms.extend(read(pin, piece.count, piece.at, *inverted));
                            }
                        }
                    }
                    if terms.is_empty() { "0".to_string() } else { terms.join(" | ") }
                }
            };
            // A ready that the table does not know is a question of beats only: 1 but where one is
            // offered and refused.
            let added = layout.channels_in.iter().find(|c| c.ready == Some(word));
            if let Some(c) = added.filter(|c| c.channel.ready == Ready::Never) {
                value = format!("({value}) | (~inputs[{}] & 1)", c.valid);
            }
            let _ = writeln!(self.outputs, "      outputs[{word}] = {value};");
        }
    }
}

/// The terms that `count` bits from `pin` on are in a word, from its bit `at` on.
fn read(pin: &Pin, count: u32, at: u32, inverted: bool) -> Vec<String> {
    let term = |(number, lsb, from, count): (String, u32, u32, u32)| {
        let not = if inverted { "~" } else { "" };
        let wide = format!("{not}static_cast<uint64_t>(top.{number})");
        let bits = format!("(({wide} >> {lsb}) & {:#x}ULL)", ones(count));
        format!("({bits} << {})", at + from)
    };
    numbers(pin, count).into_iter().map(term).collect()
}

/// The numbers that hold `count` bits from `pin` on: name, lowest bit there, lowest bit of the
/// `count`, bits.
fn numbers(pin: &Pin, count: u32) -> Vec<(String, u32, u32, u32)> {
    const WORD: u32 = 32;
    let mut name = cpp_name(&pin.port);
    for element in &pin.element {
        let _ = write!(name, "[{element}]");
    }
    if pin.width <= 64 {
        return vec![(name, pin.lsb, 0, count)];
    }
    let (mut all, mut done) = (vec![], 0);
    while done < count {
        let bit = pin.lsb + done;
        let here = (WORD - bit % WORD).min(count - done);
        all.push((format!("{name}[{}]", bit / WORD), bit % WORD, done, here));
        done += here;
    }
    all
}

/// So many ones.
fn ones(count: u32) -> u64 {
    match count {
        64.. => u64::MAX,
        count => (1 << count) - 1,
    }
}
