//! A map against a module and a table: either everything fits, or all that does not is said.

use super::expression::{self, Chunk, Chunks, Expression, ones};
use super::faults::Faults;
use super::parse::{At, Format, MapFile, PortEntry, Related, ResetEntry, parse};
use super::perhaps;
use super::pins::{MOST_ELEMENTS, Pins, element_of};
use crate::dut::RESET_CYCLES;
use crate::error::{Error, Result};
use crate::files;
use crate::tolerance;
use congruent_hw::rules::{self, Relation, Rules};
use congruent_hw::unit::DutTiming;
use congruent_ports::{Dir, Layout, Port, PortDir, PortRole, Quantity, Ready};
use congruent_verilate::{
    Clock, Edge, End, Module, Piece, Pin, PortDecl, PortMap, Reset, Tie, Wire,
};
use num_bigint::BigUint;
use std::collections::BTreeMap;
use std::path::Path;

/// A module that fits a table.
#[derive(Debug, Clone)]
pub struct Fit {
    /// What the driver is written from.
    pub wires: PortMap,
    /// The table's layout, and a ready for each channel that the map gives one.
    pub layout: Layout,
    /// Words that are changed before they are driven.
    pub drives: Vec<Drive>,
    /// What may differ between words of ours and theirs, and cycle counts that the map gives.
    pub timing: DutTiming,
    /// Cycles for which reset is asserted.
    pub reset_cycles: u32,
    /// Idle cycles between reset and the first event.
    pub settle: u64,
    /// What each port of the table is called in the module, where that is another name.
    pub names: BTreeMap<String, String>,
}

/// Which words of a row are driven.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slice {
    /// The pins `cfg_*`.
    Cfg,
    /// The inputs.
    Inputs,
}

/// A word that is changed before it is driven, or must not be just any.
#[derive(Debug, Clone)]
pub struct Drive {
    /// The slice.
    pub slice: Slice,
    /// The word.
    pub word: usize,
    /// The port of the table.
    pub port: String,
    /// Bits that the module has for it.
    pub width: u32,
    /// How the module's number is made of ours.
    pub relation: Option<Relation>,
    /// Whether a number that does not fit is driven as the nearest one that does.
    pub saturate: bool,
    /// Bits that the module does not have: which, and what they must be.
    pub fixed: (u64, u64),
}

/// Holds a map against a module and a table. Without a map every port is called as in the table.
///
/// # Errors
/// A map that cannot be read; everything in it that does not fit.
pub fn fit(map: Option<&Path>, module: &Module, layout: &Layout) -> Result<Fit> {
    let text = map.map(files::read).transpose()?.unwrap_or_default();
    let mut faults = Faults::default();
    let file = parse(&text, &mut faults);
    if !faults.is_empty() && file.ports.is_empty() && file.clock.is_none() {
        return Err(faults.error(map, "this is no map"));
    }
    let clock = clock(&file, module, &mut faults);
    let mut fitting = Fitting {
        module,
        layout: layout.clone(),
        faults,
        pins: Pins::default(),
        wires: BTreeMap::new(),
        ties: vec![],
        drives: vec![],
        missing: vec![],
        timing: DutTiming::of(layout.block),
        rules: Rules::none(),
        names: BTreeMap::new(),
    };
    let fitted = fitting.all(&file, clock);
    let Fitting { mut faults, pins, wires, ties, layout, drives, timing, rules, names, .. } =
        fitting;
    pins.check(module, &mut faults);
    if !faults.is_empty() {
        let block = layout.block.name;
        let what = format!("module `{}` does not fit the table of {block}:", module.name);
        return Err(faults.error(map, &what));
    }
    let Some((clock, reset)) = fitted else {
        return Err(Error::plain("a map without a clock was taken for a sound one"));
    };
    let tied: Vec<&str> = ties.iter().map(|tie| tie.pin.port.as_str()).collect();
    module.check_clocks(&clock.port, &tied)?;
    let (reset_cycles, settle) = match &file.reset {
        ResetEntry::Unsaid => (RESET_CYCLES, 0),
        // Without a reset nothing is waited for but what the map says.
        ResetEntry::None { settle, .. } => (0, *settle),
        ResetEntry::Port { cycles, settle, .. } => (cycles.unwrap_or(RESET_CYCLES), *settle),
    };
    Ok(Fit {
        wires: PortMap { clock, reset, wires, ties },
        layout,
        drives,
        timing: timing.with_rules(rules),
        reset_cycles,
        settle,
        names,
    })
}

/// The clock, if there is one.
fn clock(file: &MapFile, module: &Module, faults: &mut Faults) -> Option<(Option<usize>, Clock)> {
    let (line, port, falling) = match &file.clock {
        Some(At { line, value }) => (Some(*line), value.port.clone(), value.falling),
        None => (None, "clk".to_string(), None),
    };
    if line.is_none() && module.port(&port).is_none() {
        let clocks = module.edges.iter().filter(|edge| !edge.reset && edge.direct);
        let mut clocks = clocks.flat_map(|edge| &edge.ports);
        faults.add(None, match clocks.next() {
            Some(name) => format!(
                "the clock is not named; `{name}` may be it: accepted is [clock] with port = \"{name}\""
            ),
            None => format!(
                "module `{}` waits for no edge of an input: a module without a clock cannot be \
                 stepped",
                module.name
            ),
        });
        return None;
    }
    one_bit_input(&port, "the clock", line, module, faults)?;
    let waits = |rising: bool| edges_of(module, &port).any(|e| !e.reset && e.rising == rising);
    let only_falling = waits(false) && !waits(true);
    let only_rising = waits(true) && !waits(false);
    match falling {
        Some(true) if only_rising => faults.add(
            line,
            format!("edge = \"falling\", and the module waits for the rising edge of `{port}`"),
        ),
        Some(false) if only_falling => faults.add(
            line,
            format!("edge = \"rising\", and the module waits for the falling edge of `{port}`"),
        ),
        _ => {}
    }
    Some((line, Clock { port, falling: falling.unwrap_or(only_falling) }))
}

/// Edges of a port itself that the module waits for.
fn edges_of<'a>(module: &'a Module, port: &str) -> impl Iterator<Item = &'a Edge> {
    let port = port.to_string();
    module.edges.iter().filter(move |edge| edge.direct && edge.ports == [port.as_str()])
}

/// Checks that a port is an input of one bit.
fn one_bit_input(
    port: &str,
    what: &str,
    line: Option<usize>,
    module: &Module,
    faults: &mut Faults,
) -> Option<()> {
    let Some(found) = module.port(port) else {
        let names = module.ports.iter().map(|p| p.name.as_str());
        let near = perhaps(port, names);
        faults.add(line, format!("{what}: module `{}` has no port `{port}`{near}", module.name));
        return None;
    };
    if found.dir != PortDir::In || found.ty.width != 1 || !found.ty.unpacked.is_empty() {
        faults.add(
            line,
            format!(
                "{what}: `{port}` is an {} of {} bits; accepted is an input of one bit",
                name_of(found.dir),
                found.ty.total()
            ),
        );
        return None;
    }
    Some(())
}

fn bits(count: impl Into<u64>) -> String {
    match count.into() {
        1 => "1 bit".to_string(),
        count => format!("{count} bits"),
    }
}

fn name_of(dir: PortDir) -> &'static str {
    match dir {
        PortDir::In => "input",
        PortDir::Out => "output",
    }
}

/// Work on one map.
struct Fitting<'a> {
    module: &'a Module,
    layout: Layout,
    faults: Faults,
    pins: Pins,
    wires: BTreeMap<String, Wire>,
    ties: Vec<Tie>,
    drives: Vec<Drive>,
    /// Ports of the table that are neither in the map nor in the module.
    missing: Vec<Port>,
    timing: DutTiming,
    rules: Rules,
    names: BTreeMap<String, String>,
}

/// What a port of the table is in the module, and the line that says so.
struct Entry {
    line: Option<usize>,
    entry: PortEntry,
}

impl Fitting<'_> {
    fn all(
        &mut self,
        file: &MapFile,
        clock: Option<(Option<usize>, Clock)>,
    ) -> Option<(Clock, Option<Reset>)> {
        let block = self.layout.block;
        if let Some(At { line, value }) = &file.block
            && value != block.name
        {
            self.faults
                .at(*line, format!("the map is for `{value}`, and `{}` is checked", block.name));
        }
        if let Some((line, clock)) = &clock {
            self.drive_port(&clock.port, *line, "the clock");
        }
        let reset = self.reset(&file.reset);
        self.unknown(file);
        for slice in [Slice::Cfg, Slice::Inputs] {
            let ports = match slice {
                Slice::Cfg => self.layout.cfg.clone(),
                Slice::Inputs => self.layout.inputs.clone(),
            };
            for (word, port) in ports.iter().enumerate() {
                let entry = entry_of(file, port);
                self.input(slice, word, port, &entry);
            }
        }
        for (word, port) in self.layout.outputs.clone().iter().enumerate() {
            let entry = entry_of(file, port);
            self.output(word, port, &entry);
        }
        for At { line, value: (channel, signal) } in &file.handshake {
            self.handshake(*line, channel, signal);
        }
        self.say_missing();
        // A whole port last: it takes what is left.
        let whole = |signal: &str| self.module.port(signal).is_some();
        let (rest, parts): (Vec<_>, Vec<_>) =
            file.constants.iter().partition(|entry| whole(&entry.value.0));
        for At { line, value: (signal, value) } in parts.into_iter().chain(rest) {
            self.constant(*line, signal, value);
        }
        for At { line, value: (name, due) } in &file.timing {
            if !self.timing.set(name, *due) {
                let near = perhaps(name, block.timing.iter().map(|t| t.name));
                let text = format!("{} has no cycle count `{name}`{near}", block.name);
                self.faults.at(*line, text);
            }
        }
        Some((clock?.1, reset))
    }

    /// Entries of `[ports]` for what the table does not have.
    fn unknown(&mut self, file: &MapFile) {
        let block = self.layout.block;
        let channels = || block.channels.iter().map(|c| c.name);
        for At { line, value: (name, entry) } in &file.ports {
            let is_port = self.layout.ports().any(|port| port.name == *name);
            let ignored = matches!(entry, PortEntry::Ignore);
            if is_port || ignored && channels().any(|c| c == name) {
                continue;
            }
            let names: Vec<String> = self.layout.ports().map(|p| p.name.clone()).collect();
            let why = if channels().any(|c| c == name) {
                format!(
                    "`{name}` is a channel of {}: accepted for all of it is \"ignore\"",
                    block.name
                )
            } else if self.module.port(name).is_some() {
                format!(
                    "`{name}` is a port of the module, not of {}: the table's port stands on the left",
                    block.name
                )
            } else {
                let near = perhaps(name, names.iter().map(String::as_str));
                format!("{} has no port `{name}`{near}", block.name)
            };
            self.faults.at(*line, why);
        }
    }

    fn drive_port(&mut self, port: &str, line: Option<usize>, by: &str) {
        if let Some(found) = self.module.port(port) {
            let pin = Pin { port: port.into(), element: vec![], width: found.ty.width, lsb: 0 };
            self.pins.drive(&pin, found.ty.width, line, by);
        }
    }

    fn reset(&mut self, entry: &ResetEntry) -> Option<Reset> {
        let (line, port, active_low, synchronous, cycles) = match entry {
            ResetEntry::None { .. } => return None,
            ResetEntry::Unsaid => (None, "rst_n".to_string(), Some(true), None, None),
            ResetEntry::Port { line, port, active_low, synchronous, cycles, .. } => {
                (Some(*line), port.clone(), *active_low, *synchronous, *cycles)
            }
        };
        if line.is_none() && self.module.port(&port).is_none() {
            let resets = self.module.edges.iter().filter(|edge| edge.reset);
            let perhaps: String =
                resets.map(|edge| format!("; `{}` may be it", edge.ports.join("` or `"))).collect();
            self.faults.add(
                None,
                format!(
                    "the reset is not named{perhaps}: accepted is [reset] with port and active, or \
                     reset = \"none\" where the module has none"
                ),
            );
            return None;
        }
        one_bit_input(&port, "the reset", line, self.module, &mut self.faults)?;
        self.drive_port(&port, line, "the reset");
        let waited = edges_of(self.module, &port).find(|edge| edge.reset);
        let by_edge = waited.map(|edge| !edge.rising);
        if let (Some(said), Some(found)) = (active_low, by_edge)
            && said != found
        {
            let (said, found) = if said { ("low", "rising") } else { ("high", "falling") };
            self.faults.add(
                line,
                format!(
                    "active = \"{said}\", and the module waits for the {found} edge of `{port}`"
                ),
            );
        }
        match (synchronous, waited) {
            (Some(true), Some(edge)) => {
                let text = format!(
                    "synchronous = true, and the module waits for an edge of `{port}` ({})",
                    edge.place
                );
                self.faults.add(line, text);
            }
            (Some(false), None) => self.faults.add(
                line,
                format!("synchronous = false, and the module waits for no edge of `{port}`"),
            ),
            _ => {}
        }
        let asynchronous = synchronous.map_or(waited.is_some() && line.is_some(), |s| !s);
        if cycles == Some(0) && !asynchronous {
            self.faults
                .add(line, "cycles = 0: a synchronous reset needs a clock; accepted is 1 or more");
        }
        let Some(active_low) = active_low.or(by_edge) else {
            self.faults
                .add(line, format!("reset `{port}`: accepted is active = \"high\" or \"low\""));
            return None;
        };
        Some(Reset { port, active_low, asynchronous })
    }

    /// The bits of an expression, which must be ports of this direction.
    fn bits(
        &mut self,
        table: &str,
        text: &str,
        line: Option<usize>,
        dir: PortDir,
        unsized_width: Option<u32>,
    ) -> Option<Chunks> {
        let found = parse_and_resolve(text, self.module, unsized_width);
        let chunks = match found {
            Ok(chunks) => chunks,
            Err(why) => {
                self.faults.add(line, format!("{table} = \"{text}\": {why}"));
                return None;
            }
        };
        for chunk in &chunks {
            let End::Pin { pin, .. } = &chunk.end else { continue };
            let port = self.module.port(&pin.port);
            if let Some(port) = port.filter(|port| port.dir != dir) {
                self.faults.add(
                    line,
                    format!(
                        "{table} is an {} of the table, and `{}` is an {} of the module ({})",
                        name_of(dir),
                        port.name,
                        name_of(port.dir),
                        port.place
                    ),
                );
                return None;
            }
        }
        Some(chunks)
    }

    /// Whether a port of the table is neither in the map nor in the module.
    fn is_missing(&mut self, port: &Port, entry: &Entry) -> bool {
        let missing = entry.line.is_none() && self.module.port(&port.name).is_none();
        if missing {
            self.missing.push(port.clone());
        }
        missing
    }

    /// Says what is missing: a line a port, and one for a channel of which nothing is there.
    fn say_missing(&mut self) {
        let missing = std::mem::take(&mut self.missing);
        let channel = |port: &Port| match port.role {
            PortRole::Valid(c) | PortRole::Ready(c) | PortRole::Payload(c, _) => Some(c.name),
            _ => None,
        };
        let mut told = vec![];
        for port in &missing {
            let of = |ports: &mut dyn Iterator<Item = &Port>| {
                ports.filter(|p| channel(p) == channel(port)).count()
            };
            let whole = of(&mut missing.iter()) == of(&mut self.layout.ports());
            let text = match channel(port) {
                Some(name) if told.contains(&name) => continue,
                Some(name) if whole => {
                    told.push(name);
                    let own = missing.iter().filter(|p| channel(p) == Some(name));
                    let own: Vec<_> = own.map(|p| format!("{} [{}]", p.name, p.width)).collect();
                    format!(
                        "channel `{name}` of the table is not in the map, and the module has no ports \
                         of these names: map {}, or say {name} = \"ignore\"",
                        own.join(", ")
                    )
                }
                _ => {
                    let names = self.module.ports.iter().map(|p| p.name.as_str());
                    let near = perhaps(&port.name, names);
                    format!(
                        "{} `{}` of the table, {}, is not in the map, and the module has no port \
                         of that name{near}: map it, or say {} = \"ignore\"",
                        name_of(port.dir),
                        port.name,
                        bits(port.width),
                        port.name
                    )
                }
            };
            self.faults.add(None, text);
        }
    }

    fn input(&mut self, slice: Slice, word: usize, port: &Port, entry: &Entry) {
        if self.is_missing(port, entry) {
            return;
        }
        let line = entry.line;
        let (signals, related) = match &entry.entry {
            PortEntry::Ignore => {
                self.wires.insert(port.name.clone(), Wire::Pieces(vec![]));
                return;
            }
            PortEntry::Signals(signals) => (signals.clone(), None),
            PortEntry::Related(related) => (vec![related.signal.clone()], Some(related)),
        };
        self.refuse_relation(port, related, line);
        if related.is_some_and(|r| r.tolerance.is_some()) {
            self.faults.add(
                line,
                format!("{}: a tolerance is for outputs, and this is an input", port.name),
            );
        }
        let format = related.and_then(|r| r.format.clone());
        let mut pieces = vec![];
        let mut drive = Drive {
            slice,
            word,
            port: port.name.clone(),
            width: port.width,
            relation: None,
            saturate: format.as_ref().is_some_and(|f| f.saturate == Some(true)),
            fixed: (0, 0),
        };
        for text in &signals {
            let Some(chunks) = self.bits(&port.name, text, line, PortDir::In, Some(port.width))
            else {
                continue;
            };
            let width = expression::width(&chunks);
            if !self.input_fits(port, text, line, width, format.is_some()) {
                continue;
            }
            if let Some(format) = &format {
                drive.width = width as u32;
                drive.relation = self.relation(port, format, &chunks, line);
            }
            let mut at = 0;
            for chunk in chunks {
                match &chunk.end {
                    End::Constant(value) => {
                        let (mask, must) = &mut drive.fixed;
                        *mask |= ones(chunk.count) << at;
                        *must |= value << at;
                    }
                    End::Pin { pin, .. } => {
                        self.pins.drive(pin, chunk.count, line, port.name.clone());
                    }
                }
                // Above our own bits a wider port of theirs is driven with zeros.
                let own = drive.width.saturating_sub(at).min(chunk.count);
                if let (1.., End::Pin { .. }) = (own, &chunk.end) {
                    let end = chunk.end.clone();
                    pieces.push(Piece { at, count: own, end });
                }
                if let End::Pin { pin, inverted: true } = &chunk.end
                    && own < chunk.count
                {
                    let pin = Pin { lsb: pin.lsb + own, ..pin.clone() };
                    self.hold(&pin, chunk.count - own, |_| true);
                }
                at += chunk.count;
            }
        }
        if drive.relation.is_some() || drive.fixed.0 != 0 {
            self.drives.push(drive);
        }
        self.named(port, &signals);
        self.wires.insert(port.name.clone(), Wire::Pieces(pieces));
        self.simplify(port);
    }

    /// Whether what an input is driven into is wide enough.
    fn input_fits(
        &mut self,
        port: &Port,
        text: &str,
        line: Option<usize>,
        width: u64,
        has_format: bool,
    ) -> bool {
        let one = is_flag(port);
        let why = if one && width != 1 {
            "accepted is one bit".to_string()
        } else if has_format && width > 64 {
            "a number of more than 64 bits cannot be made of ours; name a part of it".to_string()
        } else if !has_format && width < u64::from(port.width) {
            format!(
                "our upper bits have no place there; build both with other parameters (--param), say \
                 that they are 0 as {{{}'d0, {text}}}, or name the format with `scale`",
                u64::from(port.width) - width
            )
        } else {
            return true;
        };
        self.faults.add(
            line,
            format!("{}, {}, = \"{text}\", {}: {why}", port.name, bits(port.width), bits(width)),
        );
        false
    }

    fn output(&mut self, word: usize, port: &Port, entry: &Entry) {
        if self.is_missing(port, entry) {
            return;
        }
        let line = entry.line;
        let (text, related) = match &entry.entry {
            PortEntry::Ignore => {
                self.ignore_output(port);
                self.rules.at(word).ignored = true;
                return;
            }
            PortEntry::Signals(signals) => {
                if signals.len() > 1 {
                    let text =
                        format!("{}: an output is one signal, not {}", port.name, signals.len());
                    self.faults.add(line, text);
                }
                (signals.first().cloned().unwrap_or_default(), None)
            }
            PortEntry::Related(related) => (related.signal.clone(), Some(related)),
        };
        self.refuse_relation(port, related, line);
        let Some(chunks) = self.bits(&port.name, &text, line, PortDir::Out, Some(port.width))
        else {
            return;
        };
        let width = expression::width(&chunks);
        let has_format = related.is_some_and(|r| r.format.is_some());
        let why = if is_flag(port) && width != 1 {
            Some("accepted is one bit".to_string())
        } else if width > 64 {
            Some("more than 64 bits cannot be compared with it; name a part of it".to_string())
        } else if !has_format && width < u64::from(port.width) {
            Some(format!(
                "it is too narrow; build both with other parameters (--param), say that the others are \
                 0 as {{{}'d0, {text}}}, or name the format with `scale`",
                u64::from(port.width) - width
            ))
        } else {
            None
        };
        if let Some(why) = why {
            let text = format!(
                "{}, {}, = \"{text}\", {}: {why}",
                port.name,
                bits(port.width),
                bits(width)
            );
            self.faults.add(line, text);
            return;
        }
        if let Some(related) = related {
            if let Some(format) = &related.format {
                self.rules.at(word).relation = self.relation(port, format, &chunks, line);
            }
            if let Some(text) = &related.tolerance {
                match tolerance::parse(port, &self.layout.params, text) {
                    Ok(tolerance) => self.rules.at(word).tolerance = Some(tolerance),
                    Err(refusal) => self.faults.add(
                        line,
                        format!(
                            "{}: the tolerance `{text}`: {}; accepted is {}",
                            port.name, refusal.why, refusal.accepted
                        ),
                    ),
                }
            }
        }
        let mut at = 0;
        let pieces = chunks.into_iter().map(|chunk| {
            let piece = Piece { at, count: chunk.count, end: chunk.end };
            at += chunk.count;
            piece
        });
        let wire = Wire::Pieces(pieces.collect());
        self.wires.insert(port.name.clone(), wire);
        self.named(port, &[text]);
        self.simplify(port);
    }

    /// An output that is not compared. A ready says that beats are taken, `init_done` that the
    /// module is ready: nobody can wait for them.
    fn ignore_output(&mut self, port: &Port) {
        let always = match port.role {
            PortRole::Ready(_) => true,
            PortRole::Level(_) => port.name == "init_done",
            _ => false,
        };
        let value = if always { ones(port.width) } else { 0 };
        let piece = Piece { at: 0, count: port.width, end: End::Constant(value) };
        self.wires.insert(port.name.clone(), Wire::Pieces(vec![piece]));
    }

    /// A wire that is nothing but a whole port of the table's width is said to be one.
    fn simplify(&mut self, port: &Port) {
        let Some(Wire::Pieces(pieces)) = self.wires.get(&port.name) else { return };
        let [Piece { at: 0, count, end: End::Pin { pin, inverted: false } }] = pieces.as_slice()
        else {
            return;
        };
        let whole = pin.lsb == 0 && pin.element.is_empty() && pin.width == port.width;
        if whole && *count == port.width {
            let wire = Wire::Port(pin.port.clone());
            self.wires.insert(port.name.clone(), wire);
        }
    }

    fn named(&mut self, port: &Port, signals: &[String]) {
        if signals != [port.name.as_str()] {
            self.names.insert(port.name.clone(), signals.join(", "));
        }
    }

    /// How their number is made of ours.
    fn relation(
        &mut self,
        port: &Port,
        format: &Format,
        chunks: &Chunks,
        line: Option<usize>,
    ) -> Option<Relation> {
        let signed = matches!(chunks.as_slice(), [Chunk { signed: true, .. }]);
        let theirs = rules::Format { width: expression::width(chunks) as u32, signed };
        match Relation::new(format.scale, format.offset, format.round, theirs) {
            Ok(relation) => Some(relation),
            Err(why) => {
                self.faults.add(line, format!("{}: {why}", port.name));
                None
            }
        }
    }

    /// Only numbers have another format.
    fn refuse_relation(&mut self, port: &Port, related: Option<&Related>, line: Option<usize>) {
        let Some(format) = related.and_then(|related| related.format.as_ref()) else { return };
        let field = match port.role {
            PortRole::Payload(_, field) | PortRole::Level(field) | PortRole::Cfg(field) => {
                Some(field)
            }
            PortRole::Control(control) => Some(&control.field),
            PortRole::Valid(_) | PortRole::Ready(_) => None,
        };
        let is_number = field.is_some_and(|field| {
            !matches!(field.quantity, Quantity::Flag | Quantity::Enum(_))
                && !field.role.outlives_error()
        });
        if !is_number {
            self.faults.add(
                line,
                format!("{}: only a number has another format, by scale and offset", port.name),
            );
        }
        if format.saturate.is_some() && port.dir == PortDir::Out {
            self.faults.add(
                line,
                format!(
                    "{}: `saturate` is for inputs; ours in the format of an output is always kept \
                     within it",
                    port.name
                ),
            );
        }
    }

    /// Holds bits at values, 64 at a time.
    fn hold(&mut self, pin: &Pin, count: u32, bit: impl Fn(u32) -> bool) {
        let mut done = 0;
        while done < count {
            let here = (count - done).min(64);
            let value = (0..here).fold(0, |all, n| all | u64::from(bit(done + n)) << n);
            if value != 0 || done == 0 {
                let pin = Pin { lsb: pin.lsb + done, ..pin.clone() };
                self.ties.push(Tie { pin, value });
            }
            done += here;
        }
    }

    fn constant(&mut self, line: usize, signal: &str, value: &str) {
        let whole = self.module.port(signal).filter(|port| port.dir == PortDir::In);
        let chunks = match whole {
            Some(_) => vec![],
            None => match self.bits(signal, signal, Some(line), PortDir::In, None) {
                Some(chunks) => chunks,
                None => return,
            },
        };
        let width =
            whole.map_or_else(|| expression::width(&chunks), |port| u64::from(port.ty.width));
        let value = match Constant::read(value, width) {
            Ok(value) => value,
            Err(why) => {
                self.faults.at(line, format!("{signal} = \"{value}\": {why}"));
                return;
            }
        };
        if let Some(port) = whole {
            self.rest(port, line, &value);
            return;
        }
        let mut at = 0;
        for chunk in &chunks {
            let End::Pin { pin, inverted } = &chunk.end else {
                self.faults.at(line, format!("{signal}: a constant cannot be held at a value"));
                return;
            };
            self.pins.drive(pin, chunk.count, Some(line), "[constants]");
            self.hold(pin, chunk.count, |n| value.bit(at + u64::from(n)) ^ inverted);
            at += u64::from(chunk.count);
        }
    }

    /// A whole port is held at a value, in each of its elements, where nothing else drives it.
    fn rest(&mut self, port: &PortDecl, line: usize, value: &Constant) {
        let width = port.ty.width;
        let elements = port.ty.total() / u64::from(width.max(1));
        if elements > MOST_ELEMENTS {
            let text = format!("{}: {elements} elements are more than can be held", port.name);
            return self.faults.at(line, text);
        }
        let mut free = 0;
        for n in 0..elements {
            let element = element_of(&port.ty, n);
            for (lsb, count) in self.pins.free(&port.name, &element, width) {
                let pin = Pin { port: port.name.clone(), element: element.clone(), width, lsb };
                self.pins.drive(&pin, count, Some(line), "[constants]");
                self.hold(&pin, count, |n| value.bit(u64::from(lsb + n)));
                free += 1;
            }
        }
        if free == 0 {
            let text =
                format!("{}: all of it is driven already; nothing is left to hold", port.name);
            self.faults.at(line, text);
        }
    }

    fn handshake(&mut self, line: usize, channel: &str, signal: &str) {
        let block = self.layout.block;
        let Some(found) = block.channel(channel) else {
            let near = perhaps(channel, block.channels.iter().map(|c| c.name));
            self.faults.at(line, format!("{} has no channel `{channel}`{near}", block.name));
            return;
        };
        if found.ready != Ready::Never {
            self.faults.at(
                line,
                format!("{channel} has a ready of its own: map {channel}_ready in [ports]"),
            );
            return;
        }
        let dir = match found.dir {
            Dir::In => PortDir::Out,
            Dir::Out => PortDir::In,
        };
        let name = format!("the ready of {channel}");
        let Some(chunks) = self.bits(&name, signal, Some(line), dir, Some(1)) else { return };
        let width = expression::width(&chunks);
        if width != 1 {
            self.faults
                .at(line, format!("{name} = \"{signal}\", {}: accepted is one bit", bits(width)));
            return;
        }
        match (found.dir, &chunks[0].end) {
            (Dir::In, end) => {
                let piece = Piece { at: 0, count: 1, end: end.clone() };
                self.layout.add_ready(channel);
                let port = format!("{channel}_ready");
                self.names.insert(port.clone(), signal.to_string());
                self.wires.insert(port, Wire::Pieces(vec![piece]));
            }
            (Dir::Out, End::Pin { pin, inverted }) => {
                // Everything that the module shows is taken.
                let (pin, inverted) = (pin.clone(), *inverted);
                self.pins.drive(&pin, 1, Some(line), "[handshake]");
                self.hold(&pin, 1, |_| !inverted);
            }
            (Dir::Out, End::Constant(_)) => {}
        }
    }
}

/// A number of any width that inputs are held at.
struct Constant {
    number: BigUint,
    negative: bool,
    ones: bool,
}

impl Constant {
    /// Reads one that fits in so many bits.
    fn read(text: &str, width: u64) -> std::result::Result<Self, String> {
        let minus = text.trim().strip_prefix('-');
        let literal = expression::literal(minus.unwrap_or(text))?;
        let zero = literal.value.bits() == 0;
        let negative = minus.is_some() && !zero;
        // -n has the opposite bits of n - 1.
        let number = if negative { literal.value - 1_u32 } else { literal.value };
        let bits = number.bits() + u64::from(negative);
        if !literal.ones && bits > width || literal.width.is_some_and(|w| u64::from(w) > width) {
            return Err(format!("the value does not fit in its {width} bits"));
        }
        Ok(Self { number, negative, ones: literal.ones })
    }

    fn bit(&self, n: u64) -> bool {
        (self.ones || self.number.bit(n)) ^ self.negative
    }
}

fn parse_and_resolve(
    text: &str,
    module: &Module,
    unsized_width: Option<u32>,
) -> Result<Chunks, String> {
    let expression = match module.port(text) {
        // A name that would have to be escaped in an expression needs not where it stands alone.
        Some(_) => Expression::Signal { port: text.to_string(), picks: vec![] },
        None => expression::parse(text)?,
    };
    expression::resolve(&expression, module, unsized_width)
}

/// A valid or a ready of one bit: each value of it means something.
fn is_flag(port: &Port) -> bool {
    match port.role {
        PortRole::Valid(_) => true,
        PortRole::Ready(_) => port.width == 1,
        _ => port.name == "init_done",
    }
}

/// What the map says of a port of the table: by its name, by its channel, or nothing.
fn entry_of(file: &MapFile, port: &Port) -> Entry {
    let named = |name: &str| file.ports.iter().find(|entry| entry.value.0 == name);
    let channel = match port.role {
        PortRole::Valid(c) | PortRole::Ready(c) | PortRole::Payload(c, _) => Some(c.name),
        _ => None,
    };
    let of_channel = || channel.and_then(named).filter(|e| matches!(e.value.1, PortEntry::Ignore));
    match named(&port.name).or_else(of_channel) {
        Some(At { line, value: (_, entry) }) => Entry { line: Some(*line), entry: entry.clone() },
        None => Entry { line: None, entry: PortEntry::Signals(vec![port.name.clone()]) },
    }
}
