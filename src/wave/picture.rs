//! Which signals a picture shows, and in which words: the clock, what was offered to the block, and
//! the diverging channel of model and RTL below each other.

use super::fst::quantity_of;
use super::record::{Recording, Row};
use crate::units::Units;
use congruent_ports::{ChannelLayout, Port, PortRole, Quantity};

/// Letters of a number that has room in a column. Where one value of a signal in the window is longer,
/// all of them are shown in hexadecimal.
const SHORT: usize = 7;

/// A picture, before it is drawn.
pub(super) struct Picture {
    pub(super) title: String,
    pub(super) lines: Vec<String>,
    /// Cycle of the first column.
    pub(super) from: u64,
    pub(super) columns: usize,
    /// The column of the divergence.
    pub(super) marked: Option<usize>,
    pub(super) lanes: Vec<Lane>,
    /// What was expected and what came instead.
    pub(super) captions: Vec<String>,
}

/// A signal, or a heading above some.
pub(super) struct Lane {
    pub(super) name: String,
    pub(super) shape: Shape,
}

/// How a signal is drawn.
pub(super) enum Shape {
    Heading,
    Clock,
    /// A level a column; none is unknown.
    Bit(Vec<Cell>),
    /// Values; none where there is nothing to read.
    Bus(Vec<Cell>),
}

/// A column of a signal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) value: Value,
    /// It is not what it should be.
    pub(super) wrong: bool,
}

/// What stands in a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    Low,
    High,
    Text(String),
    /// Nothing valid.
    Idle,
    /// Not known: the DUT has ended, or nothing is due yet.
    Unknown,
}

/// A side of the comparison.
#[derive(Clone, Copy)]
enum Side {
    Model,
    Rtl,
}

impl Side {
    fn value(self, row: &Row, word: usize) -> Option<u64> {
        match self {
            Self::Model => row.model.get(word).copied().flatten(),
            Self::Rtl => row.dut.as_ref().and_then(|dut| dut.get(word)).copied(),
        }
    }
}

impl Picture {
    pub(super) fn of(recording: &Recording) -> Self {
        let [run, _] = &recording.about;
        let mut picture = Self {
            title: format!("{}: {run}", recording.layout.block.name),
            lines: vec![],
            from: recording.from,
            columns: recording.rows.len(),
            marked: recording.marked(),
            lanes: vec![Lane { name: "clk".to_string(), shape: Shape::Clock }],
            captions: recording.captions.clone(),
        };
        if recording.latency > 0 {
            picture.lines.push(format!(
                "the RTL is {} cycles late: the model is shown so much later, beside what it is compared with",
                recording.latency
            ));
        }
        picture.stimulus(recording);
        picture.outputs(recording);
        picture
    }

    fn heading(&mut self, name: &str) {
        self.lanes.push(Lane { name: name.to_string(), shape: Shape::Heading });
    }

    /// Channels that something was offered on, and controls that changed.
    fn stimulus(&mut self, recording: &Recording) {
        let layout = &recording.layout;
        self.heading("stimulus");
        let inputs = |row: &Row, word: usize| row.inputs.get(word).copied();
        for channel in &layout.channels_in {
            if recording.rows.iter().all(|row| row.inputs[channel.valid] == 0) {
                continue;
            }
            let words = channel.fields..channel.fields + channel.channel.fields.len();
            for word in std::iter::once(channel.valid).chain(words) {
                let gate = (word != channel.valid).then_some(channel.valid);
                let port = &layout.inputs[word];
                let values = recording.rows.iter().filter_map(|row| inputs(row, word));
                let format = Format::of(recording, port, values);
                let cells = recording.rows.iter().map(|row| Cell {
                    value: format.cell(inputs(row, word), gate.map(|g| inputs(row, g))),
                    wrong: false,
                });
                self.lane(port.name.clone(), &format, cells.collect());
            }
        }
        for word in layout.controls..layout.inputs.len() {
            let mut values = recording.rows.iter().map(|row| row.inputs[word]);
            let first = values.next();
            if values.any(|value| Some(value) != first) {
                let port = &layout.inputs[word];
                let values = recording.rows.iter().filter_map(|row| inputs(row, word));
                let format = Format::of(recording, port, values);
                let cells = recording
                    .rows
                    .iter()
                    .map(|row| Cell { value: format.cell(inputs(row, word), None), wrong: false });
                self.lane(port.name.clone(), &format, cells.collect());
            }
        }
        if matches!(self.lanes.last(), Some(Lane { shape: Shape::Heading, .. })) {
            self.lanes.pop();
        }
    }

    /// The diverging channel, or the port that is no part of one; without a divergence every channel
    /// that showed something.
    fn outputs(&mut self, recording: &Recording) {
        let layout = &recording.layout;
        let words = |channel: &ChannelLayout| {
            let fields = channel.fields..channel.fields + channel.channel.fields.len();
            std::iter::once(channel.valid).chain(fields).collect::<Vec<_>>()
        };
        let shown: Vec<(usize, Option<usize>)> = match recording.spot.map(|spot| spot.word) {
            Some(word) => {
                let channel = layout.channels_out.iter().find(|c| words(c).contains(&word));
                match channel {
                    Some(channel) => gated(channel, &words(channel)),
                    None => vec![(word, None)],
                }
            }
            None => layout
                .channels_out
                .iter()
                .filter(|channel| {
                    let speaks = |row: &[u64]| row[channel.valid] != 0;
                    recording.rows.iter().any(|row| row.dut.as_deref().is_some_and(speaks))
                })
                .flat_map(|channel| gated(channel, &words(channel)))
                .collect(),
        };
        if shown.is_empty() {
            return;
        }
        let of_core = recording.rows.iter().any(|row| row.model.iter().any(Option::is_some));
        self.heading(match of_core {
            true => "model, and RTL below it",
            false => "RTL",
        });
        for (word, gate) in shown {
            // Both sides in one way, so that they can be compared by eye.
            let port = &layout.outputs[word];
            let values = recording.rows.iter().flat_map(|row| {
                let open = |side: &Side| gate.is_none_or(|gate| side.value(row, gate) != Some(0));
                let sides = [Side::Model, Side::Rtl].into_iter().filter(open);
                sides.filter_map(|side| side.value(row, word)).collect::<Vec<_>>()
            });
            let format = Format::of(recording, port, values);
            for side in [Side::Model, Side::Rtl] {
                self.output(recording, &format, word, gate, side);
            }
        }
    }

    fn output(
        &mut self,
        recording: &Recording,
        format: &Format<'_>,
        word: usize,
        gate: Option<usize>,
        side: Side,
    ) {
        let port = &recording.layout.outputs[word];
        let value = |row: &Row, word: usize| side.value(row, word);
        // What the core says is known where it differs, and nowhere else.
        let of_core = matches!(side, Side::Model) && recording.steered;
        if of_core && recording.rows.iter().all(|row| value(row, word).is_none()) {
            return;
        }
        let masked = |row: &Row| {
            error_over(recording, word)
                .is_some_and(|error| value(row, error).is_some_and(|code| code != 0))
        };
        let cells = recording.rows.iter().map(|row| Cell {
            value: match value(row, word) {
                None if of_core => Value::Idle,
                _ if masked(row) => Value::Idle,
                raw if of_core => format.cell(raw, None),
                raw => format.cell(raw, gate.map(|g| value(row, g))),
            },
            wrong: row.wrong.contains(&word),
        });
        let cells = cells.collect();
        let name = match side {
            Side::Model => format!("model.{}", port.name),
            Side::Rtl => format!("rtl.{}", recording.names[word]),
        };
        self.lane(name, format, cells);
    }

    fn lane(&mut self, name: String, format: &Format<'_>, cells: Vec<Cell>) {
        let shape = if format.port.width == 1 { Shape::Bit(cells) } else { Shape::Bus(cells) };
        let name = match format.unit() {
            "" => name,
            unit => format!("{name} ({unit})"),
        };
        self.lanes.push(Lane { name, shape });
    }
}

/// The error code under which a word says nothing, if there is one.
fn error_over(recording: &Recording, word: usize) -> Option<usize> {
    let PortRole::Payload(_, field) = recording.layout.outputs[word].role else { return None };
    let of = |c: &&ChannelLayout| (c.fields..c.fields + c.channel.fields.len()).contains(&word);
    let channel = recording.layout.channels_out.iter().find(of)?;
    let error = channel.fields + channel.channel.error()?;
    (!field.role.outlives_error()).then_some(error)
}

/// The words of a channel; all but its valid are read only where that is high.
fn gated(channel: &ChannelLayout, words: &[usize]) -> Vec<(usize, Option<usize>)> {
    let gate = |word: usize| (word != channel.valid).then_some(channel.valid);
    words.iter().map(|word| (*word, gate(*word))).collect()
}

/// How the values of a port are written.
struct Format<'a> {
    port: &'a Port,
    units: Units<'a>,
    hex: bool,
}

impl<'a> Format<'a> {
    /// For these values.
    fn of(recording: &'a Recording, port: &'a Port, mut values: impl Iterator<Item = u64>) -> Self {
        let units = Units::new(&recording.layout.params, recording.line_rate_gbps);
        let quantity = quantity_of(port);
        let long = |raw: u64| units.text(quantity, raw).len() > SHORT;
        let named = matches!(quantity, Quantity::Enum(_));
        let bits = matches!(port.role, PortRole::Ready(_));
        let hex = bits || !named && values.any(long);
        Self { port, units, hex }
    }

    /// The unit of what is written, where the bits are no plain number.
    fn unit(&self) -> &'static str {
        let quantity = quantity_of(self.port);
        if self.hex || self.units.lsb(quantity) == 1.0 { "" } else { self.units.unit(quantity) }
    }

    /// A raw word. `gate`: the valid bit that it belongs to, if it has one.
    fn cell(&self, raw: Option<u64>, gate: Option<Option<u64>>) -> Value {
        let Some(raw) = raw else { return Value::Unknown };
        if gate == Some(Some(0)) {
            return Value::Idle;
        }
        if self.port.width == 1 {
            return if raw & 1 == 1 { Value::High } else { Value::Low };
        }
        Value::Text(match self.hex {
            true => format!("0x{raw:x}"),
            false => self.units.text(quantity_of(self.port), raw),
        })
    }
}
