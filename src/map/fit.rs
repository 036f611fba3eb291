//! A map against a module and a table: either everything fits, or all that does not is said.

use super::clock::clock;
use super::faults::Faults;
use super::parse::{At, MapFile, PortEntry, ResetEntry, parse};
use super::perhaps;
use super::pins::Pins;
use crate::dut::RESET_CYCLES;
use crate::error::{Error, Result};
use crate::files;
use congruent_hw::rules::{Relation, Rules};
use congruent_hw::unit::DutTiming;
use congruent_ports::{Layout, Port, PortRole};
use congruent_verilate::{Clock, Module, Pin, PortMap, Reset, Tie, Wire};
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

/// Work on one map.
pub(super) struct Fitting<'a> {
    pub(super) module: &'a Module,
    pub(super) layout: Layout,
    pub(super) faults: Faults,
    pub(super) pins: Pins,
    pub(super) wires: BTreeMap<String, Wire>,
    pub(super) ties: Vec<Tie>,
    pub(super) drives: Vec<Drive>,
    /// Ports of the table that are neither in the map nor in the module.
    pub(super) missing: Vec<Port>,
    pub(super) timing: DutTiming,
    pub(super) rules: Rules,
    pub(super) names: BTreeMap<String, String>,
}

/// What a port of the table is in the module, and the line that says so.
pub(super) struct Entry {
    pub(super) line: Option<usize>,
    pub(super) entry: PortEntry,
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

    pub(super) fn drive_port(&mut self, port: &str, line: Option<usize>, by: &str) {
        if let Some(found) = self.module.port(port) {
            let pin = Pin { port: port.into(), element: vec![], width: found.ty.width, lsb: 0 };
            self.pins.drive(&pin, found.ty.width, line, by);
        }
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
