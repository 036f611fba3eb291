//! `steered` comparison: the DUT runs by its own timing, the core follows its events.
//!
//! Here the DUT comes first: a driver offers beats and waits for the DUT's own ready. Rows go to it
//! in batches that stop at a refused beat, so that a child process is not asked once a cycle.

use crate::drive::Driver;
use crate::dut::{Dut, DutEnd};
use crate::error::{Error, Result};
use crate::finding::rule_of_fault;
use crate::lockstep::MakeDut;
use crate::play::{peeks_of, settle_cycles};
use crate::row::idle_inputs;
use crate::tally::{Counter, Tally};
use crate::tolerance;
use congruent_hw::scenario::Leg;
use congruent_hw::steered::{Fault, Steered};
use congruent_hw::stimulus::Stimulus;
use congruent_hw::unit::{DutTiming, Unit};
use congruent_ports::Layout;
use std::time::Instant;

/// Rows that are handed over at once.
const BATCH: usize = 512;

/// Cycles in which a refused beat must be taken.
const PATIENCE: u64 = 100_000;

/// One steered run.
pub struct SteeredRun<'a> {
    /// The block.
    pub unit: &'static dyn Unit,
    /// Its ports under the parameters of the run.
    pub layout: &'a Layout,
    /// The DUT's documented cycle counts, and what may differ between its words and ours.
    pub timing: &'a DutTiming,
    /// Makes the DUT.
    pub make: &'a MakeDut<'a>,
    /// Told of every batch: rows judged.
    pub progress: &'a (dyn Fn(u64) + Sync),
}

/// How a steered run ended.
#[derive(Debug)]
pub enum SteeredOutcome {
    /// All that the DUT showed was allowed and right, and nothing was left over.
    Congruent,
    /// The first fault.
    Faulted {
        /// The leg, by number.
        leg: u64,
        /// What it is.
        fault: Box<Fault>,
        /// The core's state of the context, as the fields of `peeked`.
        state: Option<Vec<u64>>,
        /// The sentence of the page that the core applied, if the fault is in a beat.
        rule: Option<&'static str>,
    },
    /// The DUT ended before it was asked to.
    Ended {
        /// The leg, by number.
        leg: u64,
        /// Cycle of the leg.
        cycle: u64,
        /// How.
        end: DutEnd,
    },
}

enum Stop {
    Fault(Box<Fault>, Option<Vec<u64>>, Option<&'static str>),
    End(DutEnd),
    Error(Error),
}

impl From<DutEnd> for Stop {
    fn from(end: DutEnd) -> Self {
        Self::End(end)
    }
}

impl SteeredRun<'_> {
    /// Runs legs until `next`, told the cycles so far, has no more, or the first fault.
    ///
    /// # Errors
    /// Attributes that do not fit, a DUT that cannot be made or takes no beat any more.
    pub fn run(
        &self,
        next: &mut (dyn FnMut(u64) -> Option<Leg> + Send),
    ) -> Result<(Tally, SteeredOutcome)> {
        std::thread::scope(|scope| {
            let run = scope.spawn(|| self.legs(next));
            run.join()
                .unwrap_or_else(|_| Err(Error::plain("the comparing thread ended by a fault")))
        })
    }

    fn legs(&self, next: &mut dyn FnMut(u64) -> Option<Leg>) -> Result<(Tally, SteeredOutcome)> {
        let start = Instant::now();
        let mut tally = Tally::new(self.layout.block);
        let mut dut = (self.make)()?;
        tally.time.build = start.elapsed();
        let mut number = 0;
        let mut outcome = SteeredOutcome::Congruent;
        while let Some(leg) = next(tally.cycles) {
            tally.legs += 1;
            outcome = self.leg_number(number, dut.as_mut(), &leg, &mut tally)?;
            if !matches!(outcome, SteeredOutcome::Congruent) {
                break;
            }
            number += 1;
        }
        tally.time.end(start.elapsed(), 1);
        Ok((tally, outcome))
    }

    /// Plays a leg on a DUT that is there already: one of many tries.
    ///
    /// # Errors
    /// Attributes that do not fit, a DUT that takes no beat any more.
    pub fn once(&self, dut: &mut dyn Dut, leg: &Leg) -> Result<SteeredOutcome> {
        self.leg_number(0, dut, leg, &mut Tally::new(self.layout.block))
    }

    fn leg_number(
        &self,
        number: u64,
        dut: &mut dyn Dut,
        leg: &Leg,
        tally: &mut Tally,
    ) -> Result<SteeredOutcome> {
        let mut cycle = 0;
        match self.leg(dut, leg, tally, &mut cycle) {
            Ok(()) => Ok(SteeredOutcome::Congruent),
            Err(Stop::Fault(fault, state, rule)) => {
                Ok(SteeredOutcome::Faulted { leg: number, fault, state, rule })
            }
            Err(Stop::End(end)) => Ok(SteeredOutcome::Ended { leg: number, cycle, end }),
            Err(Stop::Error(error)) => Err(error),
        }
    }

    fn leg(
        &self,
        dut: &mut dyn Dut,
        leg: &Leg,
        tally: &mut Tally,
        cycle: &mut u64,
    ) -> Result<(), Stop> {
        let layout = self.layout;
        let to_stop = |e: Error| Stop::Error(e);
        let pins = self.unit.pins(&leg.attributes, &layout.params).map_err(Error::from);
        let rules = self.timing.rules();
        let rules = tolerance::in_lsb(rules, layout, self.unit, &leg.attributes);
        let timing = self.timing.with_rules(rules);
        let core = || {
            let core = self.unit.steered(&leg.attributes, &layout.params, &timing);
            core.map_err(Error::from).map_err(to_stop)
        };
        dut.configure(&pins.map_err(to_stop)?)?;
        dut.reset()?;
        if let Some((attempt, reset)) = leg.stimulus.attempt() {
            self.part(dut, &attempt, core()?.as_mut(), tally, cycle)?;
            *cycle = 0;
            dut.reset_longer(reset.longer)?;
        }
        let mut steered = core()?;
        let contexts = self.unit.contexts(&layout.params);
        for part in parts(&leg.stimulus, layout, contexts) {
            self.part(dut, &part, steered.as_mut(), tally, cycle)?;
        }
        let ended = steered.finish();
        tally.cover.merge(steered.cover());
        ended.map_err(|fault| blame(fault, steered.as_ref(), None))
    }

    fn part(
        &self,
        dut: &mut dyn Dut,
        stimulus: &Stimulus,
        steered: &mut dyn Steered,
        tally: &mut Tally,
        cycle: &mut u64,
    ) -> Result<(), Stop> {
        let layout = self.layout;
        let (width_in, width_out) = (layout.inputs.len(), layout.outputs.len());
        let counter = Counter::new(layout);
        let mut driver = Driver::new(stimulus, layout);
        let mut row = idle_inputs(layout);
        let (mut inputs, mut outputs) = (vec![], vec![0; BATCH * width_out]);
        let mut positions = vec![];
        while !driver.done() {
            if driver.is_stuck(PATIENCE) {
                return Err(Stop::Error(Error::plain(format!(
                    "cycle {cycle}: the DUT has taken no beat of a channel with ready for {PATIENCE} cycles"
                ))));
            }
            inputs.clear();
            positions.clear();
            while inputs.len() < BATCH * width_in && !driver.done() {
                driver.offer(&mut row);
                if driver.may_be_refused(&row) {
                    positions.push((inputs.len() / width_in, driver.position()));
                }
                inputs.extend_from_slice(&row);
                driver.assume_taken(&row);
            }
            let rows = inputs.len() / width_in;
            let clock = Instant::now();
            let stepped = dut.steps(&inputs, &mut outputs[..rows * width_out], true);
            tally.time.rtl += clock.elapsed();
            let good = match &stepped {
                Ok(rows) => *rows,
                Err(end) => end.rows,
            };
            let last = good.saturating_sub(1);
            let (last_in, last_out) =
                (&inputs[last * width_in..][..width_in], &outputs[last * width_out..][..width_out]);
            if good > 0 && driver.refused(last_in, last_out) {
                let before = positions.iter().rev().find(|(at, _)| *at == last);
                if let Some((_, position)) = before {
                    driver.rewind(position);
                    driver.taken(last_in, last_out);
                }
            }
            let clock = Instant::now();
            counter.count(tally, &inputs[..good * width_in], &outputs[..good * width_out]);
            for n in 0..good {
                let outputs = &outputs[n * width_out..(n + 1) * width_out];
                row.copy_from_slice(&inputs[n * width_in..(n + 1) * width_in]);
                for channel in &layout.channels_in {
                    if !channel.is_ready(&row, outputs) {
                        row[channel.valid] = 0;
                    }
                }
                if let Err(fault) = steered.step(&row, outputs) {
                    tally.cover.merge(steered.cover());
                    let rule = rule_of_fault(self.unit, layout, &fault, outputs);
                    return Err(blame(fault, steered, rule));
                }
                *cycle += 1;
            }
            tally.time.compare += clock.elapsed();
            if let Err(end) = stepped {
                *cycle -= (end.rows - end.row) as u64;
                return Err(end.into());
            }
            (self.progress)(good as u64);
        }
        Ok(())
    }
}

/// What a leg is played as: its stimulus, cycles in which all effects land, a peek of every context,
/// and cycles in which the last answers come.
pub fn parts(stimulus: &Stimulus, layout: &Layout, contexts: u64) -> [Stimulus; 4] {
    let mut settle = Stimulus::new(layout.block);
    settle.cycles = 2 * settle_cycles(layout.block);
    [stimulus.clone(), settle.clone(), peeks_of(layout, 0..contexts), settle]
}

fn blame(fault: Box<Fault>, steered: &dyn Steered, rule: Option<&'static str>) -> Stop {
    let state = fault.context.and_then(|context| steered.state(context));
    Stop::Fault(fault, state, rule)
}
