//! `steered` comparison of `notification_point`: the DUT says when a peek is taken, the core the rest.
//!
//! The sweep changes nothing that a CE packet sees, so none is needed here; what it clears is marked
//! as sweep-timed in the table and not compared.

use super::core::{self, Cfg, Point};
use super::coverage::Coverage;
use super::model::{input, peeked_fields};
use crate::Cover;
use crate::attributes::{AttributeError, AttributeSet};
use crate::in_order::{Answers, InOrder};
use crate::stats::STAT_MOST;
use crate::steered::Due;
use crate::unit::DutTiming;
use congruent_ports::{ParamSet, error};

/// Output channels by position in the table's outputs.
const CNP: usize = 0;
const PEEKED: usize = 1;
const ERR: usize = 2;

/// The core, and when the DUT says that it answers.
#[derive(Debug)]
pub struct SteeredCore {
    cfg: Cfg,
    cnp: Due,
    err: Due,
    peek: Due,
    points: Vec<Point>,
    cycle: u64,
    now: u64,
    cnps: u64,
    swallowed: u64,
    range: u64,
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
        let qps = params.get("QPS") as usize;
        Ok(Self {
            cnp: due("cnp_latency"),
            err: due("err_latency"),
            peek: due("peek_latency"),
            points: vec![Point::default(); qps],
            cycle: 0,
            now: params.get("TIME_INIT") as u64 & cfg.time.mask(),
            cnps: 0,
            swallowed: 0,
            range: 0,
            coverage: Coverage::new(qps),
            cfg,
        })
    }

    /// Forgets the CNPs whose gap is over, before half a wrap has passed: what the DUT's sweep does
    /// at times of its own.
    fn forget(&mut self) {
        let at = (self.cycle % self.points.len() as u64) as usize;
        let before = self.points[at];
        core::expire(&self.cfg, &mut self.points[at], self.now);
        self.coverage.visit(before.recent && !self.points[at].recent, false);
    }
}

impl InOrder for SteeredCore {
    fn apply(&mut self, inputs: &[u64], answers: &mut Answers) {
        if inputs[input::CE_VALID] != 0 {
            let qp = inputs[input::CE_QP];
            match self.points.get_mut(qp as usize) {
                None => {
                    self.range += 1;
                    self.coverage.out_of_range();
                    answers.push(ERR, self.err, vec![0, error::RANGE, qp]);
                }
                Some(point) => {
                    let before = *point;
                    let answered = core::arrive(&self.cfg, point, self.now);
                    let (cycle, now) = (self.cycle, self.now);
                    self.coverage.ce(&self.cfg, qp as usize, cycle, now, &before, answered);
                    self.cnps += u64::from(answered);
                    self.swallowed += u64::from(!answered);
                    if answered {
                        answers.push(CNP, self.cnp, vec![qp]);
                    }
                }
            }
        }
        if inputs[input::PEEK_VALID] != 0 {
            let qp = inputs[input::PEEK_QP];
            let state = self.points.get(qp as usize).copied();
            if state.is_none() {
                self.range += 1;
                self.coverage.out_of_range();
            }
            answers.push(PEEKED, self.peek, peeked_fields(qp, state).to_vec());
        }
        self.forget();
        self.cycle += 1;
        self.now = self.cfg.time.add(self.now, 1);
    }

    fn levels(&self) -> Vec<(&'static str, u64)> {
        vec![
            ("stat_cnps", self.cnps.min(STAT_MOST)),
            ("stat_swallowed", self.swallowed.min(STAT_MOST)),
            ("stat_range", self.range.min(STAT_MOST)),
        ]
    }

    fn cover(&self) -> &Cover {
        self.coverage.counts()
    }

    fn state(&self, context: u64) -> Option<Vec<u64>> {
        let point = self.points.get(usize::try_from(context).ok()?)?;
        Some(peeked_fields(context, Some(*point)).to_vec())
    }
}
