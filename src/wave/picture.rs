//! Which signals a picture shows, and in which words: the clock, what was offered to the block, and
//! the diverging channel of model and RTL below each other.

use super::fst::quantity_of;
use super::record::{Recording, Row};
use crate::units::{Units, name_of};
use congruent_ports::{ChannelLayout, Port, PortRole};

/// From this many bits on a plain number is shown in hexadecimal.
const WIDE: u32 = 17;

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
                let cells = recording.rows.iter().map(|row| Cell {
                    value: cell_of(
                        recording,
                        port,
                        inputs(row, word),
                        gate.map(|g| inputs(row, g)),
                    ),
                    wrong: false,
                });
                self.lane(port.name.clone(), port, cells.collect());
            }
        }
        for word in layout.controls..layout.inputs.len() {
            let mut values = recording.rows.iter().map(|row| row.inputs[word]);
            let first = values.next();
            if values.any(|value| Some(value) != first) {
                let port = &layout.inputs[word];
                let cells = recording.rows.iter().map(|row| Cell {
                    value: cell_of(recording, port, inputs(row, word), None),
                    wrong: false,
                });
                self.lane(port.name.clone(), port, cells.collect());
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
        self.heading("model, and RTL below it");
        for (word, gate) in shown {
            for side in [Side::Model, Side::Rtl] {
                self.output(recording, word, gate, side);
            }
        }
    }

    fn output(&mut self, recording: &Recording, word: usize, gate: Option<usize>, side: Side) {
        let port = &recording.layout.outputs[word];
        let value = |row: &Row, word: usize| match side {
            Side::Model => row.model.get(word).copied().flatten(),
            Side::Rtl => row.dut.as_ref().and_then(|dut| dut.get(word)).copied(),
        };
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
                raw if of_core => cell_of(recording, port, raw, None),
                raw => cell_of(recording, port, raw, gate.map(|g| value(row, g))),
            },
            wrong: row.wrong.contains(&word),
        });
        let cells = cells.collect();
        let name = match side {
            Side::Model => format!("model.{}", port.name),
            Side::Rtl => format!("rtl.{}", recording.names[word]),
        };
        self.lane(name, port, cells);
    }

    fn lane(&mut self, name: String, port: &Port, cells: Vec<Cell>) {
        let shape = if port.width == 1 { Shape::Bit(cells) } else { Shape::Bus(cells) };
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

/// A raw word as a picture shows it. `gate`: the valid bit that it belongs to, if it has one.
fn cell_of(
    recording: &Recording,
    port: &Port,
    raw: Option<u64>,
    gate: Option<Option<u64>>,
) -> Value {
    let Some(raw) = raw else { return Value::Unknown };
    if gate == Some(Some(0)) {
        return Value::Idle;
    }
    if port.width == 1 {
        return if raw & 1 == 1 { Value::High } else { Value::Low };
    }
    let quantity = quantity_of(port);
    let units = Units::new(&recording.layout.params, recording.line_rate_gbps);
    let plain = units.lsb(quantity) == 1.0 && port.width < WIDE;
    Value::Text(match name_of(quantity, raw) {
        Some(name) => name.to_string(),
        None if plain && !matches!(port.role, PortRole::Ready(_)) => raw.to_string(),
        None => format!("0x{raw:x}"),
    })
}
