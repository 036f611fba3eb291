//! The golden model of `notification_point`: in which cycle and order events reach the core.
//!
//! A timing shell only: every state is written at once, in the cycle of its event; answers leave
//! through fixed delays. There is no forwarding here: the RTL must forward, the model must not.

use super::core::{self, Cfg, Point};
use super::coverage::Coverage;
use crate::Golden;
use crate::attributes::{AttributeError, AttributeSet};
use crate::cover::Cover;
use crate::delay::Agenda;
use crate::prim::Sweep;
use crate::stats::count;
use congruent_ports::notification_point::BLOCK;
use congruent_ports::{ParamSet, error};

/// Words of the inputs slice, as `congruent_ports::Layout` orders them.
pub mod input {
    #![allow(missing_docs)] // the names are the ports'
    pub const CE_VALID: usize = 0;
    pub const CE_QP: usize = 1;
    pub const PEEK_VALID: usize = 2;
    pub const PEEK_QP: usize = 3;
    pub const WORDS: usize = 4;
}

/// First words of the outputs slice, as `congruent_ports::Layout` orders them.
pub mod output {
    #![allow(missing_docs)] // the names are the ports'
    pub const CNP: usize = 0;
    pub const PEEKED: usize = 2;
    pub const ERR: usize = 7;
    pub const PEEK_READY: usize = 11;
    pub const INIT_DONE: usize = 12;
    pub const STAT_CNPS: usize = 13;
    pub const STAT_SWALLOWED: usize = 14;
    pub const STAT_RANGE: usize = 15;
    pub const WORDS: usize = 16;
}

/// What a CE packet comes to.
#[derive(Debug, Clone, Copy)]
enum Fate {
    Answered(u64),
    Swallowed,
}

/// What a `peek` leaves on its way to `peeked`; no state where the queue pair is outside the table.
#[derive(Debug, Clone, Copy)]
struct Peeked {
    qp: u64,
    state: Option<Point>,
}

/// What is due in one cycle.
#[derive(Debug, Clone, Copy, Default)]
struct Due {
    fate: Option<Fate>,
    err: Option<u64>,
    peeked: Option<Peeked>,
}

/// Documented cycle counts.
#[derive(Debug)]
struct Latencies {
    cnp: u64,
    err: u64,
    peek: u64,
    peek_interval: u64,
}

/// Saturating counters, as the `stat_*` outputs show them.
#[derive(Debug, Default)]
struct Stats {
    cnps: u64,
    swallowed: u64,
    range: u64,
}

/// The golden model.
#[derive(Debug)]
pub struct Model {
    cfg: Cfg,
    time_init: u64,
    latencies: Latencies,
    points: Vec<Point>,
    cycle: u64,
    now: u64,
    sweep: Sweep,
    peek_ready_from: u64,
    agenda: Agenda<Due>,
    stats: Stats,
    coverage: Coverage,
}

impl Model {
    /// A model in cycle 0.
    ///
    /// # Errors
    /// Attributes and parameters that do not fit together.
    pub fn new(attributes: &AttributeSet, params: &ParamSet) -> Result<Self, AttributeError> {
        let cfg = super::cfg::configure(attributes, params)?;
        let qps = params.get("QPS") as usize;
        let latencies = Latencies {
            cnp: BLOCK.cycles("cnp_latency"),
            err: BLOCK.cycles("err_latency"),
            peek: BLOCK.cycles("peek_latency"),
            peek_interval: BLOCK.cycles("peek_interval"),
        };
        let time_init = params.get("TIME_INIT") as u64 & cfg.time.mask();
        Ok(Self {
            time_init,
            points: vec![Point::default(); qps],
            cycle: 0,
            now: time_init,
            sweep: Sweep::new(qps),
            peek_ready_from: 0,
            agenda: Agenda::new(latencies.cnp.max(latencies.err).max(latencies.peek)),
            latencies,
            stats: Stats::default(),
            coverage: Coverage::new(qps),
            cfg,
        })
    }

    /// The values of the `cfg_*` pins that it runs with.
    pub fn pins(&self) -> Vec<u64> {
        self.cfg.pins()
    }

    #[inline]
    fn ce(&mut self, qp: u64) {
        let Some(point) = self.points.get_mut(qp as usize) else {
            self.coverage.out_of_range();
            self.agenda.at(self.cycle + self.latencies.err).err = Some(qp);
            return;
        };
        let before = *point;
        let answered = core::arrive(&self.cfg, point, self.now);
        self.coverage.ce(&self.cfg, qp as usize, self.cycle, self.now, &before, answered);
        let fate = if answered { Fate::Answered(qp) } else { Fate::Swallowed };
        self.agenda.at(self.cycle + self.latencies.cnp).fate = Some(fate);
    }

    #[inline]
    fn visit(&mut self, ce: Option<u64>) {
        let at = self.sweep.visit();
        let point = &mut self.points[at];
        let before = *point;
        core::expire(&self.cfg, point, self.now);
        self.coverage.visit(before.recent && !point.recent, ce == Some(at as u64));
    }

    #[inline]
    fn peek(&mut self, qp: u64) {
        let state = self.points.get(qp as usize).copied();
        if state.is_none() {
            self.coverage.out_of_range();
        }
        self.agenda.at(self.cycle + self.latencies.peek).peeked = Some(Peeked { qp, state });
        self.peek_ready_from = self.cycle + self.latencies.peek_interval;
    }

    /// What is due in this cycle shows.
    #[inline]
    fn emit(&mut self, out: &mut [u64]) {
        let due = std::mem::take(self.agenda.at(self.cycle));
        out[output::CNP] = 0;
        match due.fate {
            Some(Fate::Answered(qp)) => {
                out[output::CNP..output::CNP + 2].copy_from_slice(&[1, qp]);
                count(&mut self.stats.cnps);
            }
            Some(Fate::Swallowed) => count(&mut self.stats.swallowed),
            None => (),
        }
        out[output::PEEKED] = u64::from(due.peeked.is_some());
        if let Some(Peeked { qp, state }) = due.peeked {
            let fields = &mut out[output::PEEKED + 1..output::PEEKED + 5];
            fields.copy_from_slice(&peeked_fields(qp, state));
            if state.is_none() {
                count(&mut self.stats.range);
            }
        }
        out[output::ERR] = u64::from(due.err.is_some());
        if let Some(qp) = due.err {
            out[output::ERR + 1..output::ERR + 4].copy_from_slice(&[0, error::RANGE, qp]);
            count(&mut self.stats.range);
        }
        out[output::PEEK_READY] = u64::from(self.cycle >= self.peek_ready_from);
        out[output::INIT_DONE] = 1;
        out[output::STAT_CNPS] = self.stats.cnps;
        out[output::STAT_SWALLOWED] = self.stats.swallowed;
        out[output::STAT_RANGE] = self.stats.range;
    }
}

/// The fields of a `peeked` beat, in table order; no state: the queue pair is outside the table.
pub fn peeked_fields(qp: u64, state: Option<Point>) -> [u64; 4] {
    match state {
        Some(point) => [qp, u64::from(point.recent), point.last, error::NONE],
        None => [qp, 0, 0, error::RANGE],
    }
}

impl Golden for Model {
    fn reset(&mut self) {
        self.points.fill(Point::default());
        self.cycle = 0;
        self.now = self.time_init;
        self.sweep.reset();
        self.peek_ready_from = 0;
        self.agenda.clear();
        self.stats = Stats::default();
        self.coverage.reset();
    }

    fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) {
        // Checks both lengths once, not at every word.
        let (inputs, outputs) = (&inputs[..input::WORDS], &mut outputs[..output::WORDS]);
        self.emit(outputs);
        let ce = (inputs[input::CE_VALID] != 0).then_some(inputs[input::CE_QP]);
        if let Some(qp) = ce {
            self.ce(qp);
        }
        if inputs[input::PEEK_VALID] != 0 && self.cycle >= self.peek_ready_from {
            self.peek(inputs[input::PEEK_QP]);
        } else {
            self.visit(ce);
        }
        self.cycle += 1;
        self.now = self.cfg.time.add(self.now, 1);
    }

    fn drained(&self) -> bool {
        let answer = |due: &Due| due.fate.is_some() || due.err.is_some() || due.peeked.is_some();
        !self.agenda.slots().iter().any(answer)
    }

    fn cover(&self) -> &Cover {
        self.coverage.counts()
    }
}
