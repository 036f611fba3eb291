//! `steered` comparison of `ecn_marker`: the DUT takes beats when it likes, the core says the rest.

use super::core::{self, Cfg, Packet, Queue};
use super::coverage::Coverage;
use super::model::{average_port, input, peeked_fields};
use crate::Cover;
use crate::attributes::{AttributeError, AttributeSet};
use crate::in_order::{Answers, InOrder};
use crate::stats::STAT_MOST;
use crate::steered::Due;
use crate::unit::DutTiming;
use congruent_ports::{ParamSet, error};

/// Output channels by position in the table's outputs.
const MARK: usize = 0;
const AVG: usize = 1;
const PEEKED: usize = 2;

/// The core, and when the DUT says that it answers.
#[derive(Debug)]
pub struct SteeredCore {
    cfg: Cfg,
    mark: Due,
    avg: Due,
    peek: Due,
    queues: Vec<Queue>,
    lfsr: u32,
    cycle: u64,
    range: u64,
    underflow: u64,
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
        let due = |name| timing.due(name);
        Ok(Self {
            mark: due("mark_latency"),
            avg: due("avg_latency"),
            peek: due("peek_latency"),
            queues: vec![Queue::default(); params.get("QUEUES") as usize],
            lfsr: cfg.lfsr_seed,
            cycle: 0,
            range: 0,
            underflow: 0,
            coverage: Coverage::new(&cfg, attributes, params),
            cfg,
        })
    }

    fn out_of_range(&mut self) -> u64 {
        self.range += 1;
        self.coverage.out_of_range();
        error::RANGE
    }

    fn deq(&mut self, queue: u64, packet: &Packet) -> Vec<u64> {
        let Some(state) = self.queues.get_mut(queue as usize) else {
            return vec![queue, 0, 0, self.out_of_range()];
        };
        let before = *state;
        let mark = core::dequeue(&self.cfg, state, &mut self.lfsr, packet);
        let at = queue as usize;
        self.coverage.deq(&self.cfg, self.cycle, at, packet, &before, state, mark);
        self.underflow += u64::from(mark.error == error::UNDERFLOW);
        vec![queue, mark.ecn, u64::from(mark.marked), mark.error]
    }

    fn enq(&mut self, queue: u64, bytes: u64) -> Vec<u64> {
        let Some(state) = self.queues.get_mut(queue as usize) else {
            return vec![queue, 0, 0, self.out_of_range()];
        };
        let before = *state;
        core::enqueue(&self.cfg, state, bytes);
        self.coverage.enq(&self.cfg, self.cycle, queue as usize, bytes, &before, state);
        vec![queue, state.occupancy, average_port(&self.cfg, state.average), error::NONE]
    }
}

impl InOrder for SteeredCore {
    fn apply(&mut self, inputs: &[u64], answers: &mut Answers) {
        if inputs[input::DEQ_VALID] != 0 {
            let packet = Packet {
                bytes: inputs[input::DEQ_BYTES],
                ecn: inputs[input::DEQ_ECN],
                has_credits: inputs[input::DEQ_HAS_CREDITS] != 0,
            };
            answers.push(MARK, self.mark, self.deq(inputs[input::DEQ_QUEUE], &packet));
        }
        if inputs[input::ENQ_VALID] != 0 {
            let fields = self.enq(inputs[input::ENQ_QUEUE], inputs[input::ENQ_BYTES]);
            answers.push(AVG, self.avg, fields);
        }
        if inputs[input::PEEK_VALID] != 0 {
            let queue = inputs[input::PEEK_QUEUE];
            let fields = self.state(queue).unwrap_or_else(|| {
                let mut fields = vec![0; 10];
                (fields[0], fields[9]) = (queue, self.out_of_range());
                fields
            });
            answers.push(PEEKED, self.peek, fields);
        }
        self.cycle += 1;
    }

    fn levels(&self) -> Vec<(&'static str, u64)> {
        vec![
            ("stat_range", self.range.min(STAT_MOST)),
            ("stat_underflow", self.underflow.min(STAT_MOST)),
        ]
    }

    fn cover(&self) -> &Cover {
        self.coverage.counts()
    }

    fn state(&self, context: u64) -> Option<Vec<u64>> {
        let state = self.queues.get(usize::try_from(context).ok()?)?;
        let mut fields = vec![context];
        fields.extend(peeked_fields(&self.cfg, state, self.lfsr));
        Some(fields)
    }
}
