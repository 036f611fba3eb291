//! A leg again: into a fresh golden model and a fresh DUT, the same cycle by cycle each time.
//!
//! The live run keeps no history. What a divergence tells and what a waveform shows comes from here.

use crate::divergence::Scene;
use crate::drive::Driver;
use crate::dut::Dut;
use crate::error::{Error, Result};
use crate::late::Late;
use crate::play::{Player, peeks_of};
use crate::row::{blank_outputs, idle_inputs};
use crate::steer::parts;
use congruent_hw::Golden;
use congruent_hw::scenario::Leg;
use congruent_ports::Layout;
use std::path::PathBuf;

/// Rows that are stepped at once where the golden model leads: a DUT in a process of its own answers
/// a batch as fast as a row.
const BATCH: u64 = 512;

/// Cycles that a DUT may take to answer a peek.
const PEEK_LIMIT: usize = 2_000;

/// Who says when a beat is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lead {
    /// The golden model: `exact` and `latency=n`.
    Model,
    /// The DUT itself: `steered`. The golden model is not run.
    Dut,
}

/// A cycle as it was seen.
#[derive(Debug, Clone, Copy)]
pub struct Seen<'r> {
    /// Cycle of the leg.
    pub cycle: u64,
    /// What was driven.
    pub inputs: &'r [u64],
    /// What the golden model shows, that of an earlier cycle where the DUT is late: what the DUT is
    /// compared with. None before that, and where the DUT leads.
    pub model: Option<&'r [u64]>,
    /// What the DUT shows; none in the cycle in which it ended, unless it ended after showing it.
    pub dut: Option<&'r [u64]>,
}

/// A leg that is played again.
pub struct Rerun<'a> {
    scene: &'a Scene<'a>,
    layout: &'a Layout,
    golden: Box<dyn Golden>,
    dut: Box<dyn Dut>,
    leg: &'a Leg,
    /// Contexts of the block.
    pub contexts: u64,
    latency: usize,
    late: Late,
    /// The controls of the last cycle: they stay while contexts are asked for, so that nothing moves.
    controls: Vec<u64>,
    /// From which cycle on the DUT traces its internals, and where to.
    trace: Option<(u64, PathBuf)>,
    /// How the DUT ended, if it did so on the way.
    pub ended: Option<String>,
}

impl<'a> Rerun<'a> {
    /// Makes both sides and resets them.
    ///
    /// # Errors
    /// A DUT that cannot be made, or that ends in reset.
    pub fn new(scene: &'a Scene<'a>) -> Result<Self> {
        let layout = scene.layout;
        let attributes = &scene.leg.attributes;
        let golden = scene.unit.golden(attributes, &layout.params)?;
        let pins = scene.unit.pins(attributes, &layout.params)?;
        let mut dut = (scene.make)()?;
        dut.configure(&pins).and_then(|()| dut.reset()).map_err(Error::from)?;
        Ok(Self {
            scene,
            layout,
            golden,
            dut,
            leg: scene.leg,
            contexts: scene.unit.contexts(&layout.params),
            latency: scene.latency as usize,
            late: Late::new(layout, &scene.rules_of_leg(), scene.latency as usize),
            controls: layout.block.controls.iter().map(|c| c.idle).collect(),
            trace: None,
            ended: None,
        })
    }

    /// Has the DUT trace its internals into this file from that cycle on.
    pub fn trace_from(&mut self, cycle: u64, place: PathBuf) {
        self.trace = Some((cycle, place));
    }

    /// Plays the leg up to and with this cycle, or to its end, or to that of the DUT, and shows each
    /// cycle. To be called once.
    ///
    /// # Errors
    /// A golden model that does not drain, a DUT that cannot trace.
    pub fn play(
        &mut self,
        lead: Lead,
        until: u64,
        see: &mut dyn FnMut(Seen<'_>) -> Result<()>,
    ) -> Result<()> {
        self.attempt(lead)?;
        match lead {
            Lead::Model => self.play_model(until, see),
            Lead::Dut => self.play_dut(until, see),
        }
    }

    /// Plays what comes before a reset in mid-run, and resets.
    fn attempt(&mut self, lead: Lead) -> Result<()> {
        let Some((attempt, reset)) = self.leg.stimulus.attempt() else { return Ok(()) };
        let layout = self.layout;
        let mut golden = (self.scene.unit).golden(&self.leg.attributes, &layout.params)?;
        let mut driver = Driver::new(&attempt, layout);
        let mut inputs = idle_inputs(layout);
        let (mut model, mut dut) = (blank_outputs(layout), blank_outputs(layout));
        while self.ended.is_none()
            && match lead {
                Lead::Model => driver.cycle() < reset.after,
                Lead::Dut => !driver.done(),
            }
        {
            driver.offer(&mut inputs);
            golden.step(&inputs, &mut model);
            self.step_dut(&inputs, &mut dut);
            driver.taken(&inputs, if lead == Lead::Model { &model } else { &dut });
        }
        if self.ended.is_none() {
            self.dut.reset_longer(reset.longer).map_err(Error::from)?;
        }
        Ok(())
    }

    fn play_model(
        &mut self,
        until: u64,
        see: &mut dyn FnMut(Seen<'_>) -> Result<()>,
    ) -> Result<()> {
        let (layout, leg) = (self.layout, self.leg);
        let (width_in, width_out) = (layout.inputs.len(), layout.outputs.len());
        // The live run's peeks come after the stimulus; they are part of what led here.
        let peeks = peeks_of(layout, 0..self.contexts);
        let mut player = Player::new(&leg.stimulus, &peeks, layout);
        // In the live run a late DUT has as many idle rows at the end.
        let mut trail = self.latency;
        let mut row = idle_inputs(layout);
        let mut model = blank_outputs(layout);
        let (mut inputs, mut models, mut got) = (vec![], vec![], vec![]);
        let mut at = 0;
        let mut over = false;
        while at <= until && !over && self.ended.is_none() {
            self.trace_at(at)?;
            let last = self.trace.as_ref().map_or(until, |(from, _)| until.min(*from - 1));
            let most = ((last - at).min(BATCH - 1) + 1) as usize;
            inputs.clear();
            models.clear();
            while inputs.len() < most * width_in {
                if !player.step(self.golden.as_mut(), &mut row, &mut model)? {
                    over = trail == 0;
                    if over {
                        break;
                    }
                    trail -= 1;
                    row = idle_inputs(layout);
                    self.golden.step(&row, &mut model);
                }
                inputs.extend_from_slice(&row);
                models.extend_from_slice(&model);
            }
            let rows = inputs.len() / width_in;
            got.resize(rows * width_out, 0);
            let good = self.step_dut(&inputs, &mut got[..rows * width_out]);
            for n in 0..rows.min(good + 1) {
                let dut = (n < good).then(|| &got[n * width_out..(n + 1) * width_out]);
                let seen = Seen {
                    cycle: at,
                    inputs: &inputs[n * width_in..(n + 1) * width_in],
                    model: self.late.expect(&models[n * width_out..(n + 1) * width_out], dut),
                    dut,
                };
                see(seen)?;
                at += 1;
            }
        }
        Ok(())
    }

    fn play_dut(&mut self, until: u64, see: &mut dyn FnMut(Seen<'_>) -> Result<()>) -> Result<()> {
        let (layout, leg) = (self.layout, self.leg);
        let mut inputs = idle_inputs(layout);
        let mut dut = vec![0; layout.outputs.len()];
        let mut at = 0;
        for part in parts(&leg.stimulus, layout, self.contexts) {
            let mut driver = Driver::new(&part, layout);
            while at <= until && !driver.done() && self.ended.is_none() {
                self.trace_at(at)?;
                driver.offer(&mut inputs);
                let shown = self.step_dut(&inputs, &mut dut) == 1;
                let dut = shown.then_some(&dut[..]);
                see(Seen { cycle: at, inputs: &inputs, model: None, dut })?;
                if let Some(dut) = dut {
                    driver.taken(&inputs, dut);
                }
                at += 1;
            }
        }
        Ok(())
    }

    fn trace_at(&mut self, cycle: u64) -> Result<()> {
        if let Some((_, place)) = self.trace.take_if(|(from, _)| *from <= cycle) {
            self.dut.trace(Some(&place)).map_err(Error::from)?;
        }
        Ok(())
    }

    /// Steps the DUT over rows that are laid end to end; how many of them it showed. A DUT that ends
    /// is noted and no error: what it showed before is the report.
    fn step_dut(&mut self, inputs: &[u64], outputs: &mut [u64]) -> usize {
        if self.ended.is_some() {
            return 0;
        }
        match self.dut.steps(inputs, outputs, false) {
            Ok(rows) => {
                if let Some(last) = inputs.chunks_exact(self.layout.inputs.len()).last() {
                    self.controls.copy_from_slice(&last[self.layout.controls..]);
                }
                rows
            }
            Err(end) => {
                self.ended = Some(end.to_string());
                end.rows
            }
        }
    }

    /// Asks both sides for a context, with no other event: the fields of each answer.
    pub fn ask(&mut self, context: u64) -> [Option<Vec<u64>>; 2] {
        let layout = self.layout;
        let mut answers = [None, None];
        let asked = layout.channels_in.iter().find(|c| c.channel.name == "peek");
        let answer = layout.channels_out.iter().find(|c| c.channel.name == "peeked");
        let (Some(asked), Some(answer)) = (asked, answer) else { return answers };
        let mut inputs = idle_inputs(layout);
        inputs[layout.controls..].copy_from_slice(&self.controls);
        let idle = inputs.clone();
        let mut rows = [blank_outputs(layout), vec![0; layout.outputs.len()]];
        let mut offered = [true, true];
        for _ in 0..PEEK_LIMIT {
            for (side, row) in rows.iter_mut().enumerate() {
                inputs.copy_from_slice(&idle);
                inputs[asked.valid] = u64::from(offered[side]);
                inputs[asked.fields] = context;
                if side == 0 {
                    self.golden.step(&inputs, row);
                } else if self.step_dut(&inputs, row) == 0 {
                    row.fill(0);
                }
                offered[side] &= !asked.is_ready(&inputs, row);
                let its_own = row[answer.valid] != 0 && row[answer.fields] == context;
                if its_own && !offered[side] && answers[side].is_none() {
                    let fields = answer.fields..answer.fields + answer.channel.fields.len();
                    answers[side] = Some(row[fields].to_vec());
                }
            }
            let silent = self.ended.is_some();
            if answers[0].is_some() && (answers[1].is_some() || silent) {
                break;
            }
        }
        answers
    }
}
