//! `steered` comparison of `hpcc_window`: the DUT takes beats when it likes, the core says the rest.

use super::collect::{Collector, Complete};
use super::core::{self, Branch, Cfg, Context, Outcome};
use super::coverage::Coverage;
use super::model::{STATE_FIELDS, input, state_fields, win_fields};
use crate::Cover;
use crate::attributes::{AttributeError, AttributeSet};
use crate::in_order::{Answers, InOrder};
use crate::stats::STAT_MOST;
use crate::steered::Due;
use crate::unit::DutTiming;
use congruent_ports::{ParamSet, error};

/// Output channels by position in the table's outputs.
const WIN: usize = 0;
const ERR_OPEN: usize = 1;
const ERR_CLOSE: usize = 2;
const PEEKED: usize = 3;

/// The core, and when the DUT says that it answers.
#[derive(Debug)]
pub struct SteeredCore {
    cfg: Cfg,
    win: Due,
    err: Due,
    peek: Due,
    collector: Collector,
    contexts: Vec<Context>,
    cycle: u64,
    now: u64,
    acks: u64,
    range: u64,
    closed: u64,
    hops: u64,
    stored: u64,
    stale: u64,
    bad_rate: u64,
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
            err: timing.due("err_latency"),
            peek: timing.due("peek_latency"),
            collector: Collector::new(),
            contexts: vec![core::CLOSED; params.get("FLOWS") as usize],
            cycle: 0,
            now: params.get("TIME_INIT") as u64 & cfg.time.mask(),
            acks: 0,
            range: 0,
            closed: 0,
            hops: 0,
            stored: 0,
            stale: 0,
            bad_rate: 0,
            coverage: Coverage::new(&cfg, attributes, params),
            cfg,
        })
    }

    fn open(&mut self, flow: u64) -> u64 {
        let code = match self.contexts.get_mut(flow as usize) {
            Some(ctx) => core::open(&self.cfg, ctx),
            None => error::RANGE,
        };
        self.coverage.open(self.cycle, flow, code);
        code
    }

    fn close(&mut self, flow: u64) -> u64 {
        let code = match self.contexts.get_mut(flow as usize) {
            Some(ctx) => core::close(ctx),
            None => error::RANGE,
        };
        self.coverage.close(self.cycle, flow, code);
        code
    }

    /// An open or close that was refused.
    fn refuse(&mut self, channel: usize, flow: u64, code: u64, answers: &mut Answers) {
        if code != error::NONE {
            self.count_error(code);
            answers.push(channel, self.err, vec![flow, code]);
        }
    }

    /// An ACK takes effect.
    fn ack(&mut self, Complete { flow, ack }: Complete, answers: &mut Answers) {
        let (cycle, now) = (self.cycle, self.now);
        let (outcome, state) = match self.contexts.get_mut(flow as usize) {
            None => {
                self.coverage.out_of_range();
                (core::refused(error::RANGE), core::CLOSED)
            }
            Some(ctx) => {
                let before = *ctx;
                let outcome = core::ack(&self.cfg, ctx, now, &ack);
                self.coverage.ack(&self.cfg, cycle, now, flow, &ack, &before, ctx, &outcome);
                (outcome, *ctx)
            }
        };
        self.count(&outcome);
        let fields = win_fields(&self.cfg, flow, &state, &outcome).to_vec();
        answers.push(WIN, self.win, fields);
    }

    fn count(&mut self, outcome: &Outcome) {
        self.acks += 1;
        self.count_error(outcome.error);
        if outcome.error == error::NONE {
            self.stored += u64::from(outcome.branch == Branch::Stored);
            self.stale += u64::from(outcome.branch == Branch::Stale);
            self.bad_rate += u64::from(outcome.bad_rate);
        }
    }

    fn count_error(&mut self, code: u64) {
        self.range += u64::from(code == error::RANGE);
        self.closed += u64::from(code == error::CLOSED);
        self.hops += u64::from(code == error::HOPS);
    }

    /// A peek was taken, after this cycle's other events.
    fn peeked(&mut self, flow: u64, answers: &mut Answers) {
        let fields = self.state(flow).unwrap_or_else(|| {
            self.count_error(error::RANGE);
            self.coverage.out_of_range();
            let mut fields = vec![0; STATE_FIELDS + 2];
            (fields[0], fields[STATE_FIELDS + 1]) = (flow, error::RANGE);
            fields
        });
        answers.push(PEEKED, self.peek, fields);
    }
}

impl InOrder for SteeredCore {
    fn apply(&mut self, inputs: &[u64], answers: &mut Answers) {
        if inputs[input::OPEN_VALID] != 0 {
            let flow = inputs[input::OPEN_FLOW];
            let code = self.open(flow);
            self.refuse(ERR_OPEN, flow, code, answers);
        }
        if inputs[input::CLOSE_VALID] != 0 {
            let flow = inputs[input::CLOSE_FLOW];
            let code = self.close(flow);
            self.refuse(ERR_CLOSE, flow, code, answers);
        }
        // A DUT may take a header and its first record together.
        if inputs[input::ACK_VALID] != 0
            && let Some(complete) =
                self.collector.header(&inputs[input::ACK..input::HOP_VALID]).copied()
        {
            self.ack(complete, answers);
        }
        if inputs[input::HOP_VALID] != 0
            && let Some(complete) =
                self.collector.record(&inputs[input::HOP..input::OPEN_VALID]).copied()
        {
            self.ack(complete, answers);
        }
        if inputs[input::PEEK_VALID] != 0 {
            self.peeked(inputs[input::PEEK_FLOW], answers);
        }
        // A round of a sweep: nothing shows when it passes.
        let at = (self.cycle % self.contexts.len() as u64) as usize;
        core::settle(&self.cfg, &mut self.contexts[at], self.now);
        self.cycle += 1;
        self.now = self.cfg.time.add(self.now, 1);
    }

    fn levels(&self) -> Vec<(&'static str, u64)> {
        [
            ("stat_acks", self.acks),
            ("stat_range", self.range),
            ("stat_closed", self.closed),
            ("stat_hops", self.hops),
            ("stat_stored", self.stored),
            ("stat_stale", self.stale),
            ("stat_bad_rate", self.bad_rate),
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
