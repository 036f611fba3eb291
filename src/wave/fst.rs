//! A recording as an FST file.
//!
//! A cycle is 10 ns: cycle *t* of the leg stands from 10*t* ns on, so a time is told from a cycle and
//! back without a table. Its values are driven and settle while the clock is low; the rising edge in
//! its middle is the one that samples them.

use super::hierarchy::{Hierarchy, refused};
use super::internals::Declared;
use super::record::{Recording, Row};
use crate::error::Result;
use congruent_ports::{ChannelLayout, Port, PortRole, Quantity};
use fst_writer::{FstBodyWriter, FstFileType, FstInfo, FstSignalId};
use std::io::Cursor;

/// Length of a cycle in the file's unit.
pub(super) const CYCLE: u64 = 10;

/// Bytes of changes that are kept in memory before they are packed.
const CHUNK: usize = 1 << 24;

/// What a signal shows.
#[derive(Debug, Clone, Copy)]
enum Source {
    Clock,
    Reset,
    /// High in cycle 0 of the leg.
    Begin,
    Cycle,
    /// The cycle that the model's row is of.
    ModelCycle,
    Cfg(usize),
    Input(usize),
    Model(usize),
    /// What the model shows, in the format of the DUT.
    Theirs(usize),
    Dut(usize),
    /// The DUT has ended.
    Ended,
    Wrong(usize),
    AnyWrong,
}

struct Signal {
    id: FstSignalId,
    width: u32,
    source: Source,
}

impl Recording {
    /// The bytes of an FST file.
    ///
    /// # Errors
    /// Nothing that a user could put right.
    pub fn fst(&self) -> Result<Vec<u8>> {
        write(self)
    }
}

fn write(recording: &Recording) -> Result<Vec<u8>> {
    let mut tree = Tree { names: Hierarchy::new(&info())?, signals: vec![], inside: None };
    tree.declare(recording)?;
    let Tree { names, signals, mut inside } = tree;
    let (mut body, names) = names.finish()?;
    for (n, row) in recording.rows.iter().enumerate() {
        let cycle = recording.from + n as u64;
        if body.size() > CHUNK {
            body.flush().map_err(refused)?;
        }
        // The first values are those that the file begins with, whenever that is.
        if n > 0 {
            body.time_change(cycle * CYCLE).map_err(refused)?;
        }
        for signal in &signals {
            let value = value(recording, cycle, row, signal.source);
            change(&mut body, signal, value)?;
        }
        // A trace has the same times, counted from its own first row.
        let mut trace = |time: u64, body: &mut _| match (&recording.internals, &mut inside) {
            (Some(internals), Some(declared)) => internals.write(declared, time, body),
            _ => Ok(()),
        };
        trace(n as u64 * CYCLE, &mut body)?;
        body.time_change(cycle * CYCLE + CYCLE / 2).map_err(refused)?;
        trace(n as u64 * CYCLE + CYCLE / 2, &mut body)?;
        for signal in signals.iter().filter(|s| matches!(s.source, Source::Clock)) {
            change(&mut body, signal, Some(1))?;
        }
    }
    let end = recording.from + recording.rows.len() as u64;
    body.time_change(end * CYCLE).map_err(refused)?;
    let file = body.finish().map_err(refused)?.into_inner();
    names.into_file(&file, recording.from * CYCLE)
}

fn info() -> FstInfo {
    FstInfo {
        // Added to every time by readers: ours are what they are.
        start_time: 0,
        timescale_exponent: -9,
        version: format!("congruent {}", env!("CARGO_PKG_VERSION")),
        // The same run gives the same file.
        date: String::new(),
        file_type: FstFileType::Verilog,
    }
}

fn change(
    body: &mut FstBodyWriter<Cursor<Vec<u8>>>,
    signal: &Signal,
    value: Option<u64>,
) -> Result<()> {
    let bits: Vec<u8> = match value {
        None => vec![b'x'; signal.width as usize],
        Some(value) => (0..signal.width).rev().map(|bit| b'0' + (value >> bit & 1) as u8).collect(),
    };
    body.signal_change(signal.id, &bits).map_err(refused)
}

/// A word of this cycle; none is unknown.
fn value(recording: &Recording, cycle: u64, row: &Row, source: Source) -> Option<u64> {
    match source {
        Source::Clock => Some(0),
        Source::Reset => Some(1),
        Source::Begin => Some((cycle == 0).into()),
        Source::Cycle => Some(cycle),
        Source::ModelCycle => cycle.checked_sub(recording.latency),
        Source::Cfg(word) => recording.pins.get(word).copied(),
        Source::Input(word) => row.inputs.get(word).copied(),
        Source::Model(word) => row.model.get(word).copied().flatten(),
        Source::Theirs(word) => recording.theirs(row, word),
        Source::Dut(word) => row.dut.as_ref().and_then(|dut| dut.get(word)).copied(),
        Source::Ended => Some(row.dut.is_none().into()),
        Source::Wrong(word) => Some(row.wrong.contains(&word).into()),
        Source::AnyWrong => Some((!row.wrong.is_empty()).into()),
    }
}

/// The signals, as they are declared.
struct Tree {
    names: Hierarchy,
    signals: Vec<Signal>,
    inside: Option<Declared>,
}

impl Tree {
    fn declare(&mut self, recording: &Recording) -> Result<()> {
        let [run, command] = &recording.about;
        self.names.comment(&format!("{}: {run}; again: {command}", recording.layout.block.name));
        if recording.latency > 0 {
            let text = format!(
                "model is shown {} cycles late, beside what it is compared with",
                recording.latency
            );
            self.names.comment(&text);
        }
        self.scope("stimulus", |tree| tree.stimulus(recording))?;
        if !recording.steered || recording.spot.is_some() {
            self.scope("model", |tree| tree.model(recording))?;
        }
        if (0..recording.layout.outputs.len()).any(|word| recording.relates(word)) {
            self.scope("model_in_rtl_format", |tree| tree.formats(recording))?;
        }
        self.scope("rtl", |tree| tree.rtl(recording))?;
        self.scope("mismatch", |tree| tree.mismatch(recording))
    }

    fn stimulus(&mut self, recording: &Recording) -> Result<()> {
        let layout = &recording.layout;
        self.signal("clk", 1, None, Source::Clock)?;
        self.signal("rst_n", 1, None, Source::Reset)?;
        self.signal("begin", 1, None, Source::Begin)?;
        self.signal("cycle", 32, None, Source::Cycle)?;
        for channel in &layout.channels_in {
            self.channel(channel, &layout.inputs, Source::Input)?;
        }
        for channel in layout.channels_out.iter().filter(|c| c.ready.is_some()) {
            self.ready(channel, &layout.inputs, Source::Input)?;
        }
        for (n, port) in layout.inputs.iter().enumerate().skip(layout.controls) {
            self.port(&port.name, port, Source::Input(n))?;
        }
        if layout.cfg.is_empty() {
            return Ok(());
        }
        self.scope("cfg", |tree| {
            for (n, port) in layout.cfg.iter().enumerate() {
                tree.port(&port.name, port, Source::Cfg(n))?;
            }
            Ok(())
        })
    }

    fn model(&mut self, recording: &Recording) -> Result<()> {
        let layout = &recording.layout;
        let known = |channel: &ChannelLayout| {
            let words = channel.valid..channel.fields + channel.channel.fields.len();
            !recording.steered || recording.spot.is_some_and(|spot| words.contains(&spot.word))
        };
        if recording.latency > 0 {
            self.signal("cycle", 32, None, Source::ModelCycle)?;
        }
        for channel in layout.channels_out.iter().filter(|c| known(c)) {
            self.channel(channel, &layout.outputs, Source::Model)?;
        }
        if recording.steered {
            return Ok(());
        }
        for channel in layout.channels_in.iter().filter(|c| c.ready.is_some()) {
            self.ready(channel, &layout.outputs, Source::Model)?;
        }
        // What a map adds stands behind the levels.
        let level = |port: &Port| matches!(port.role, PortRole::Level(_));
        for (n, port) in layout.outputs.iter().enumerate().filter(|(_, port)| level(port)) {
            self.port(&port.name, port, Source::Model(n))?;
        }
        Ok(())
    }

    /// What the model shows, once more in the formats of the DUT.
    fn formats(&mut self, recording: &Recording) -> Result<()> {
        let ports = recording.layout.outputs.iter().enumerate();
        for (n, port) in ports.filter(|(n, _)| recording.relates(*n)) {
            let width = recording.widest(1, |row| recording.theirs(row, n));
            self.signal(&port.name, width, None, Source::Theirs(n))?;
        }
        Ok(())
    }

    fn rtl(&mut self, recording: &Recording) -> Result<()> {
        for (n, port) in recording.layout.outputs.iter().enumerate() {
            // What stands in another format may be wider than the table says.
            let width = recording.widest(port.width, |row| row.dut.as_ref().map(|dut| dut[n]));
            let (name, index) = in_hierarchy(&recording.names[n], &port.name, width);
            if let Some(names) = names_of(port) {
                self.names.names(names, width);
            }
            let id = self.names.bits(name, &index, width)?;
            self.signals.push(Signal { id, width, source: Source::Dut(n) });
        }
        if recording.ended.is_some() {
            self.signal("ended", 1, None, Source::Ended)?;
        }
        match &recording.internals {
            Some(internals) => self.scope("internals", |tree| {
                tree.inside = Some(internals.declare(&mut tree.names)?);
                Ok(())
            }),
            None => Ok(()),
        }
    }

    fn mismatch(&mut self, recording: &Recording) -> Result<()> {
        self.signal("any", 1, None, Source::AnyWrong)?;
        let ports = recording.layout.outputs.iter().enumerate();
        for (n, port) in ports.filter(|(n, _)| !recording.rules.ignores(*n)) {
            self.signal(&port.name, 1, None, Source::Wrong(n))?;
        }
        Ok(())
    }

    fn scope(&mut self, name: &str, inside: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        self.names.open(name)?;
        inside(self)?;
        self.names.close()
    }

    /// Valid and payload of a channel, and the ready that stands beside them, in a scope.
    fn channel(
        &mut self,
        channel: &ChannelLayout,
        ports: &[Port],
        source: fn(usize) -> Source,
    ) -> Result<()> {
        self.scope(channel.channel.name, |tree| {
            tree.port("valid", &ports[channel.valid], source(channel.valid))?;
            for (n, field) in channel.channel.fields.iter().enumerate() {
                let word = channel.fields + n;
                tree.port(field.name, &ports[word], source(word))?;
            }
            Ok(())
        })
    }

    /// The ready of a channel, which goes the other way.
    fn ready(
        &mut self,
        channel: &ChannelLayout,
        ports: &[Port],
        source: fn(usize) -> Source,
    ) -> Result<()> {
        let Some(word) = channel.ready else { return Ok(()) };
        self.scope(channel.channel.name, |tree| tree.port("ready", &ports[word], source(word)))
    }

    fn port(&mut self, name: &str, port: &Port, source: Source) -> Result<()> {
        self.signal(name, port.width, names_of(port), source)
    }

    fn signal(
        &mut self,
        name: &str,
        width: u32,
        names: Option<&'static [&'static str]>,
        source: Source,
    ) -> Result<()> {
        let id = self.names.signal(name, width, names)?;
        self.signals.push(Signal { id, width, source });
        Ok(())
    }
}

/// How a signal that a map names is called in the file, and its index: `rate`, ` [7:0]`. What is no
/// plain name, slice or element (an inversion, a concatenation) has its name from the table.
fn in_hierarchy<'n>(theirs: &'n str, ours: &'n str, width: u32) -> (&'n str, String) {
    let whole = if width == 1 { String::new() } else { format!(" [{}:0]", width - 1) };
    let plain = |name: &str| {
        let letter = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.' | '[' | ']');
        name.starts_with(|c: char| c.is_alphabetic() || c == '_') && name.chars().all(letter)
    };
    match theirs.rsplit_once('[') {
        Some((name, range)) if range.contains(':') && plain(name) => (name, format!(" [{range}")),
        _ if plain(theirs) => (theirs, whole),
        _ => (ours, whole),
    }
}

/// Names of the values of a port.
fn names_of(port: &Port) -> Option<&'static [&'static str]> {
    match quantity_of(port) {
        Quantity::Enum(names) => Some(names),
        _ => None,
    }
}

/// What the bits of a port mean.
pub(super) fn quantity_of(port: &Port) -> Quantity {
    match port.role {
        PortRole::Payload(_, field) | PortRole::Level(field) | PortRole::Cfg(field) => {
            field.quantity
        }
        PortRole::Control(control) => control.field.quantity,
        PortRole::Valid(_) | PortRole::Ready(_) => Quantity::Flag,
    }
}

#[cfg(test)]
mod tests {
    use super::in_hierarchy;

    #[test]
    fn signals_have_their_own_names_where_those_are_names() {
        let named = |theirs, width| in_hierarchy(theirs, "sent_bytes", width);
        assert_eq!(named("bytes_o", 8), ("bytes_o", " [7:0]".to_string()));
        assert_eq!(named("busy_o", 1), ("busy_o", String::new()));
        assert_eq!(named("out.bytes[11:4]", 8), ("out.bytes", " [11:4]".to_string()));
        assert_eq!(named("lanes[3]", 8), ("lanes[3]", " [7:0]".to_string()));
        assert_eq!(named("!busy_o", 1), ("sent_bytes", String::new()));
        assert_eq!(named("{high, low[3:0]}", 8), ("sent_bytes", " [7:0]".to_string()));
    }
}
