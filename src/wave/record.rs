//! What a waveform shows: the rows of a window, from a re-run of the leg, and where they differ.

use super::internals::Internals;
use crate::compare::{Comparer, Rules};
use crate::divergence::{Scene, Spot};
use crate::error::{Error, Result};
use crate::rerun::{Lead, Rerun, Seen};
use congruent_ports::Layout;

/// The rows of a window.
pub struct Recording {
    /// Ports, and where they are in a row.
    pub layout: Layout,
    /// The `cfg_*` pins.
    pub pins: Vec<u64>,
    /// Cycle of the first row.
    pub from: u64,
    /// The rows, one a cycle.
    pub rows: Vec<Row>,
    /// Cycles by which the DUT is late: so much earlier is the model's row than the DUT's beside it.
    pub latency: u64,
    /// The DUT says when; of the model only the expected value of the divergence is known.
    pub steered: bool,
    /// The divergence.
    pub spot: Option<Spot>,
    /// The cycle of what went wrong.
    pub mark: Option<u64>,
    /// How the DUT ended, if it did.
    pub ended: Option<String>,
    /// What is told of it, for a picture.
    pub captions: Vec<String>,
    /// How the DUT calls its outputs, word by word.
    pub names: Vec<String>,
    /// What was running, and the command that runs it again.
    pub about: [String; 2],
    /// What may differ between the DUT's words and ours.
    pub rules: Rules,
    /// What was traced inside the RTL, if that was asked for.
    pub internals: Option<Internals>,
    /// Line rate, for values that are shown in its unit.
    pub line_rate_gbps: f64,
}

/// A cycle.
#[derive(Debug, Clone)]
pub struct Row {
    /// What was driven.
    pub inputs: Vec<u64>,
    /// What the model shows, word by word; none where it is not known.
    pub model: Vec<Option<u64>>,
    /// What the DUT shows; none once it has ended.
    pub dut: Option<Vec<u64>>,
    /// Words that are not what they should be.
    pub wrong: Vec<usize>,
}

impl Recording {
    /// Runs a leg again, on a fresh thread, and keeps the rows from the first to the last cycle of the
    /// window.
    ///
    /// # Errors
    /// A DUT that cannot be made again.
    pub fn new(
        scene: &Scene<'_>,
        steered: bool,
        window: (u64, u64),
        spot: Option<Spot>,
    ) -> Result<Self> {
        std::thread::scope(|scope| {
            let again = scope.spawn(|| Self::again(scene, steered, window, spot));
            again.join().unwrap_or_else(|_| Err(Error::plain("the re-run ended by a fault")))
        })
    }

    fn again(
        scene: &Scene<'_>,
        steered: bool,
        (from, to): (u64, u64),
        spot: Option<Spot>,
    ) -> Result<Self> {
        let layout = scene.layout;
        let attributes = &scene.leg.attributes;
        let rules = scene.rules_of_leg();
        let comparer = Comparer::new(layout, &rules);
        let mut rows = vec![];
        let mut rerun = Rerun::new(scene)?;
        let lead = if steered { Lead::Dut } else { Lead::Model };
        rerun.play(lead, to, &mut |seen| {
            if seen.cycle >= from {
                rows.push(Row::of(&seen, &comparer, steered, spot));
            }
            Ok(())
        })?;
        Ok(Self {
            layout: layout.clone(),
            pins: scene.unit.pins(attributes, &layout.params)?,
            from,
            rows,
            latency: scene.latency,
            steered,
            spot,
            mark: spot.map(|spot| spot.cycle),
            ended: rerun.ended.take(),
            captions: vec![],
            names: layout.outputs.iter().map(|port| port.name.clone()).collect(),
            about: [scene.run.clone(), scene.command.clone()],
            rules,
            internals: None,
            line_rate_gbps: scene.unit.line_rate_gbps(attributes),
        })
    }

    /// Adds what goes on inside the RTL: `scene` makes the same DUT, built with tracing; `top` is the
    /// name of its module.
    ///
    /// # Errors
    /// A program without tracing, a trace that cannot be read.
    pub fn trace(&mut self, scene: &Scene<'_>, top: &str) -> Result<()> {
        let to = self.from + (self.rows.len() as u64).max(1) - 1;
        let window = (self.from, to);
        self.internals = Some(Internals::record(scene, self.steered, window, &self.rows, top)?);
        Ok(())
    }

    /// The row of what went wrong.
    pub(super) fn marked(&self) -> Option<usize> {
        let row = self.mark?.checked_sub(self.from)? as usize;
        (row < self.rows.len()).then_some(row)
    }

    /// Whether a word of the DUT is in another format than ours.
    pub fn relates(&self, word: usize) -> bool {
        self.rules.get(word).is_some_and(|rule| rule.relation.is_some() && !rule.ignored)
    }

    /// What the model shows in a row, in the format of the DUT.
    pub fn theirs(&self, row: &Row, word: usize) -> Option<u64> {
        let ours = row.model.get(word).copied().flatten()?;
        Some(self.rules.get(word).map_or(ours, |rule| rule.theirs(ours)))
    }

    /// Bits of the widest value of all rows, or so many.
    pub(super) fn widest(&self, least: u32, value: impl Fn(&Row) -> Option<u64>) -> u32 {
        let bits = |value: u64| u64::BITS - value.leading_zeros();
        self.rows.iter().filter_map(value).map(bits).fold(least, u32::max)
    }

    /// Whether a row is not what it should be.
    pub fn shows_mismatch(&self) -> bool {
        self.rows.iter().any(|row| !row.wrong.is_empty())
    }
}

impl Row {
    fn of(seen: &Seen<'_>, comparer: &Comparer, steered: bool, spot: Option<Spot>) -> Self {
        let outputs = seen.dut.or(seen.model).map_or(0, <[u64]>::len);
        let mut row = Self {
            inputs: seen.inputs.to_vec(),
            model: match seen.model {
                Some(model) => model.iter().copied().map(Some).collect(),
                None => vec![None; outputs],
            },
            dut: seen.dut.map(<[u64]>::to_vec),
            wrong: vec![],
        };
        match (seen.model, seen.dut) {
            (Some(model), Some(dut)) => {
                comparer.each(model, dut, &mut |found| row.wrong.push(found.port));
            }
            // Nothing is due yet from a DUT that is late.
            (None, Some(dut)) if !steered => {
                row.wrong.extend(comparer.silent(dut).map(|found| found.port));
            }
            _ => {}
        }
        if let Some(spot) = spot.filter(|spot| steered && spot.cycle == seen.cycle) {
            row.wrong.push(spot.word);
            if let Some(word) = row.model.get_mut(spot.word) {
                *word = spot.expected;
            }
        }
        row
    }
}
