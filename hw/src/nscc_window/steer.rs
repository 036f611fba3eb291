//! `steered` comparison of `nscc_window`: the DUT takes events when it likes, the core says the rest.

use super::core::{self, Cfg, Context, Outcome};
use super::coverage::Coverage;
use super::model::{event_of, input, state_fields, win_fields};
use crate::Cover;
use crate::attributes::{AttributeError, AttributeSet};
use crate::in_order::{Answers, InOrder};
use crate::stats::STAT_MOST;
use crate::steered::Due;
use crate::unit::DutTiming;
use congruent_ports::{ParamSet, error};

/// Output channels by position in the table's outputs.
const WIN: usize = 0;
const PEEKED: usize = 1;

/// Fields of `peeked`.
const PEEKED_FIELDS: usize = 23;

/// The core, and when the DUT says that it answers.
#[derive(Debug)]
pub struct SteeredCore {
    cfg: Cfg,
    win: Due,
    apply: Due,
    apply_interval: u64,
    peek: Due,
    peek_apply: Due,
    contexts: Vec<Context>,
    cycle: u64,
    now: u64,
    /// Cycle of the last event that divides.
    divided: Option<u64>,
    events: u64,
    range: u64,
    closed: u64,
    underflow: u64,
    quick_adapts: u64,
    fast_increases: u64,
    coverage: Coverage,
}

impl SteeredCore {
    /// In cycle 0.
    ///
    /// # Errors
    /// Attributes and parameters that do not fit together.
    pub fn new(
        attributes: &AttributeSet,
        params: &ParamSet,
        timing: &DutTiming,
    ) -> Result<Self, AttributeError> {
        let cfg = super::cfg::configure(attributes, params)?;
        Ok(Self {
            win: timing.due("win_latency"),
            apply: timing.due("apply_latency"),
            apply_interval: timing.cycles("apply_interval"),
            peek: timing.due("peek_latency"),
            peek_apply: timing.due("peek_apply_latency"),
            contexts: vec![core::CLOSED; params.get("DESTS") as usize],
            cycle: 0,
            now: params.get("TIME_INIT") as u64 & cfg.time.mask(),
            divided: None,
            events: 0,
            range: 0,
            closed: 0,
            underflow: 0,
            quick_adapts: 0,
            fast_increases: 0,
            coverage: Coverage::new(&cfg, attributes, params),
            cfg,
        })
    }

    /// An event was taken.
    fn evt(&mut self, fields: &[u64], answers: &mut Answers) {
        let (kind, dst) = (fields[0], fields[1]);
        let (outcome, state) = match self.contexts.get_mut(dst as usize) {
            None => {
                self.coverage.out_of_range();
                (core::refused(error::RANGE), core::CLOSED)
            }
            Some(ctx) => {
                let (at, before, evt) = (dst as usize, *ctx, event_of(fields));
                let outcome = core::event(&self.cfg, ctx, self.now, &evt);
                let (cycle, now) = (self.cycle, self.now);
                self.coverage.event(&self.cfg, cycle, now, at, &evt, &before, ctx, &outcome);
                (outcome, *ctx)
            }
        };
        self.count(&outcome);
        let latency = if outcome.divides() { self.apply } else { self.win };
        if outcome.divides() {
            self.divided = Some(self.cycle);
        }
        let fields = win_fields(kind, dst, &state, &outcome).to_vec();
        answers.push(WIN, latency, fields);
    }

    fn count(&mut self, outcome: &Outcome) {
        self.events += 1;
        self.range += u64::from(outcome.error == error::RANGE);
        self.closed += u64::from(outcome.error == error::CLOSED);
        self.underflow += u64::from(outcome.error == error::UNDERFLOW);
        self.quick_adapts += u64::from(outcome.qa_fired);
        self.fast_increases += u64::from(outcome.routine == core::Routine::Fast);
    }

    /// A peek was taken, after this cycle's event.
    fn peeked(&mut self, dst: u64, answers: &mut Answers) {
        let fields = self.state(dst).unwrap_or_else(|| {
            self.range += 1;
            self.coverage.out_of_range();
            let mut fields = vec![0; PEEKED_FIELDS];
            (fields[0], fields[PEEKED_FIELDS - 1]) = (dst, error::RANGE);
            fields
        });
        let since = self.divided.map(|cycle| self.cycle - cycle);
        let behind = since
            .filter(|since| *since < self.apply_interval)
            .map_or(0, |since| self.peek_apply.latest().saturating_sub(since));
        let cycles = self.peek.latest().max(behind);
        let due = match (self.peek, self.peek_apply) {
            (Due::After(_), Due::After(_)) => Due::After(cycles),
            _ => Due::Within(cycles),
        };
        answers.push(PEEKED, due, fields);
    }
}

impl InOrder for SteeredCore {
    fn apply(&mut self, inputs: &[u64], answers: &mut Answers) {
        if inputs[input::EVT_VALID] != 0 {
            self.evt(&inputs[input::EVT..input::PEEK_VALID], answers);
        }
        if inputs[input::PEEK_VALID] != 0 {
            self.peeked(inputs[input::PEEK_DST], answers);
        }
        // A round of a sweep: nothing shows when it passes.
        let at = (self.cycle % self.contexts.len() as u64) as usize;
        core::settle(&self.cfg, &mut self.contexts[at], self.now);
        self.coverage.end_of_cycle(&self.cfg, self.now, &self.contexts);
        self.cycle += 1;
        self.now = self.cfg.time.add(self.now, 1);
    }

    fn levels(&self) -> Vec<(&'static str, u64)> {
        [
            ("stat_events", self.events),
            ("stat_range", self.range),
            ("stat_closed", self.closed),
            ("stat_underflow", self.underflow),
            ("stat_quick_adapts", self.quick_adapts),
            ("stat_fast_increases", self.fast_increases),
        ]
        .map(|(name, count)| (name, count.min(STAT_MOST)))
        .to_vec()
    }

    fn cover(&self) -> &Cover {
        self.coverage.counts()
    }

    fn state(&self, context: u64) -> Option<Vec<u64>> {
        let mut seen = *self.contexts.get(usize::try_from(context).ok()?)?;
        core::settle(&self.cfg, &mut seen, self.now);
        let mut fields = vec![context];
        fields.extend(state_fields(&seen));
        fields.push(error::NONE);
        Some(fields)
    }
}
