//! The golden model of the reaction point: in which cycle and order events reach the core.
//!
//! A timing shell only, as `rate_limiter::model` is for the loop of seed 000. A cycle has one slot:
//! a CNP's, else a peek's, else the sweep's. A visit may make three `upd` beats and they leave one a
//! cycle, so the sweep waits until those of earlier cycles have left.

use super::core::{self, Reaction};
use super::coverage::Coverage;
use super::visit;
use crate::Golden;
use crate::attributes::{AttributeError, AttributeSet};
use crate::cover::Cover;
use crate::delay::Agenda;
use crate::prim::Sweep;
use crate::rate_limiter::cfg::configure;
use crate::rate_limiter::core::{Cfg, Pace, Rsp, Upd, byte_time, expire};
use crate::rate_limiter::shell::{
    Answer, CnpNote, PEEKED_FIELDS, Run, Stats, emit_upd, input, output, put,
};
use congruent_ports::rate_limiter::BLOCK;
use congruent_ports::{ParamSet, error};

#[derive(Debug, Clone, Copy)]
struct Peeked {
    qp: u64,
    /// The fields after `qp`; none for a queue pair outside the table.
    fields: Option<[u64; PEEKED_FIELDS - 1]>,
}

/// What is due in one cycle.
#[derive(Debug, Clone, Copy, Default)]
struct Due {
    rsp: Option<Answer>,
    cnp: Option<CnpNote>,
    upd: Option<Run>,
    /// A queue pair and the byte time that paces it from this cycle on.
    byte_time: Option<(usize, u64)>,
}

/// A queue pair.
#[derive(Debug, Clone, Copy)]
struct Context {
    state: Reaction,
    pace: Pace,
    /// Bytes granted, modulo 2^BYTE_W.
    total: u64,
    /// The byte time in effect.
    byte_time: u64,
}

impl Context {
    fn idle(cfg: &Cfg) -> Self {
        Self {
            state: Reaction::idle(cfg),
            pace: Pace::default(),
            total: 0,
            byte_time: cfg.line_byte_time,
        }
    }
}

/// Documented cycle counts.
#[derive(Debug)]
struct Latencies {
    rsp: u64,
    err: u64,
    upd: u64,
    peek: u64,
    rate: u64,
    peek_interval: u64,
}

/// The golden model.
#[derive(Debug)]
pub struct Model {
    cfg: Cfg,
    qps: u64,
    time_init: u64,
    latencies: Latencies,
    contexts: Vec<Context>,
    cycle: u64,
    now: u64,
    sweep: Sweep,
    /// The first slot that no `upd` beat has.
    free_slot: u64,
    /// This cycle's grant: queue pair and bytes.
    granted: Option<(u64, u64)>,
    peek_ready_from: u64,
    /// The peek under way, and the cycle in which it is answered: one at a time.
    peeked: Option<(u64, Peeked)>,
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
        let cfg = configure(attributes, params)?;
        let qps = params.get("QPS") as u64;
        let latencies = Latencies {
            rsp: BLOCK.cycles("rsp_latency"),
            err: BLOCK.cycles("err_latency"),
            upd: BLOCK.cycles("upd_latency_dcqcn"),
            peek: BLOCK.cycles("peek_latency_dcqcn"),
            rate: BLOCK.cycles("rate_delay_dcqcn"),
            peek_interval: BLOCK.cycles("peek_interval"),
        };
        let Latencies { rsp, err, upd, rate, .. } = latencies;
        // A beat waits for at most two before it.
        let longest = rsp.max(err).max(upd + 2).max(rate + 2);
        let mut model = Self {
            qps,
            time_init: params.get("TIME_INIT") as u64 & cfg.time.mask(),
            latencies,
            contexts: vec![Context::idle(&cfg); qps as usize],
            cycle: 0,
            now: 0,
            sweep: Sweep::new(qps as usize),
            free_slot: 0,
            granted: None,
            peek_ready_from: 0,
            peeked: None,
            agenda: Agenda::new(longest),
            stats: Stats::default(),
            coverage: Coverage::new(&cfg, attributes, params),
            cfg,
        };
        model.reset();
        Ok(model)
    }

    /// The values of the `cfg_*` pins that it runs with.
    pub fn pins(&self) -> Vec<u64> {
        self.cfg.pins()
    }

    #[inline]
    fn request(&mut self, qp: u64, bytes: u64) {
        let none = Rsp { grant: false, wait: 0 };
        let (rsp, error) = if qp >= self.qps {
            self.coverage.common().out_of_range();
            (none, error::RANGE)
        } else if bytes == 0 {
            self.coverage.common().zero_length();
            (none, error::ZERO_LENGTH)
        } else {
            let at = qp as usize;
            let Context { state, pace, total, byte_time } = &mut self.contexts[at];
            let (before, total_before) = (*pace, *total);
            let rsp = core::request(&self.cfg, pace, total, self.now, bytes, *byte_time);
            if rsp.grant {
                self.granted = Some((qp, bytes));
                self.coverage.granted(state.congested, total_before, *total);
            }
            let congested = state.congested;
            let common = self.coverage.common();
            common.request(&self.cfg, self.cycle, self.now, at, bytes, &before, congested, rsp);
            (rsp, error::NONE)
        };
        put(&mut self.agenda.at(self.cycle + self.latencies.rsp).rsp, Answer { qp, rsp, error });
    }

    /// The cycle's CNP. Returns whether it has the slot.
    #[inline]
    fn cnp(&mut self, qp: u64) -> bool {
        let note = &mut self.agenda.at(self.cycle + self.latencies.err).cnp;
        if qp >= self.qps {
            put(note, CnpNote::OutOfRange(qp));
            self.coverage.common().out_of_range();
            return false;
        }
        put(note, CnpNote::Counted);
        if !self.cfg.enable_ecn {
            self.coverage.common().ignored();
            return false;
        }
        let at = qp as usize;
        let would_visit = self.free_slot <= self.cycle && self.sweep.next() == at;
        let Context { state, total, .. } = &mut self.contexts[at];
        let before = *state;
        let upd = core::cnp(&self.cfg, state, self.now, *total);
        let visit = would_visit && visit::due(&self.cfg, &before, self.now, *total);
        self.coverage.cnp(&self.cfg, self.cycle, at, &before, upd.as_ref(), visit);
        if let Some(upd) = upd {
            self.queue(qp, upd, true);
        }
        true
    }

    /// The sweep's visit of the next queue pair.
    #[inline]
    fn visit(&mut self) {
        let at = self.sweep.visit();
        let Context { state, pace, total, .. } = &mut self.contexts[at];
        if pace.held {
            expire(&self.cfg, pace, self.now);
        }
        if state.congested {
            core::forget_cut(&self.cfg, state, self.now);
            if visit::due(&self.cfg, state, self.now, *total) {
                let qp = at as u64;
                let granted =
                    self.granted.filter(|(of, _)| *of == qp).map_or(0, |(_, bytes)| bytes);
                let beats =
                    visit::run(&self.cfg, &mut self.coverage, at, state, self.now, *total, granted);
                for upd in beats.into_iter().flatten() {
                    self.queue(qp, upd, false);
                }
            }
        }
    }

    /// A run of the loop queues for its slot: its `upd` and its byte time leave from there.
    #[inline]
    fn queue(&mut self, qp: u64, upd: Upd, of_cnp: bool) {
        let slot = self.free_slot.max(self.cycle);
        self.free_slot = slot + 1;
        self.coverage.slot(self.cycle, slot, of_cnp);
        put(&mut self.agenda.at(slot + self.latencies.upd).upd, Run { qp, upd });
        let paces = (qp as usize, byte_time(&self.cfg, upd.rate));
        put(&mut self.agenda.at(slot + self.latencies.rate).byte_time, paces);
    }

    /// The cycle's peek, last in its order; `cnp` is the queue pair of a CNP that had the slot, `queued`
    /// whether `upd` beats of earlier cycles are still there.
    fn peek(&mut self, qp: u64, cnp: Option<u64>, queued: bool) {
        self.peek_ready_from = self.cycle + self.latencies.peek_interval;
        let fields = if qp < self.qps {
            let at = qp as usize;
            self.coverage.peek(cnp == Some(qp), queued);
            let Context { state, pace, total, .. } = &self.contexts[at];
            Some(peeked_fields(&self.cfg, state, pace, self.now, *total))
        } else {
            self.coverage.common().out_of_range();
            None
        };
        self.peeked = Some((self.cycle + self.latencies.peek, Peeked { qp, fields }));
    }

    /// What is due in this cycle shows, or takes effect.
    #[inline]
    fn emit(&mut self, out: &mut [u64]) {
        let due = self.agenda.at(self.cycle);
        self.stats.emit_rsp(&mut due.rsp, out);
        emit_upd(&mut due.upd, out);
        self.stats.emit_err(&mut due.cnp, out);
        if let Some((qp, byte_time)) = due.byte_time.take() {
            self.contexts[qp].byte_time = byte_time;
        }
        let peeked = self.peeked.take_if(|(cycle, _)| *cycle == self.cycle);
        out[output::PEEKED] = u64::from(peeked.is_some());
        if let Some((_, peeked)) = peeked {
            let error =
                emit_peeked(&peeked, &mut out[output::PEEKED + 1..=output::PEEKED + PEEKED_FIELDS]);
            self.stats.error(error);
        }
        out[output::PEEK_READY] = u64::from(self.cycle >= self.peek_ready_from);
        self.stats.emit_levels(out);
    }
}

/// Fills the fields of `peeked`; returns its error.
fn emit_peeked(peeked: &Peeked, fields: &mut [u64]) -> u64 {
    fields[0] = peeked.qp;
    match peeked.fields {
        Some(all) => {
            fields[1..].copy_from_slice(&all);
            error::NONE
        }
        None => {
            fields[PEEKED_FIELDS - 1] = error::RANGE;
            error::RANGE
        }
    }
}

/// The fields of a `peeked` beat of cycle `now` after `qp`, in table order; those of the loop of seed
/// 000 are 0.
pub fn peeked_fields(
    cfg: &Cfg,
    state: &Reaction,
    pace: &Pace,
    now: u64,
    total: u64,
) -> [u64; PEEKED_FIELDS - 1] {
    let recent_cut = core::within_monitor_period(cfg, state, now);
    let waiting = if state.congested { core::waiting_bytes(cfg, state, total) } else { 0 };
    [
        u64::from(state.congested),
        state.rate,
        state.target,
        state.alpha,
        state.recovery(),
        0,
        0,
        state.deadline,
        0,
        0,
        state.timer_stage,
        state.byte_stage,
        state.alpha_deadline,
        waiting,
        if recent_cut { state.last_cut } else { 0 },
        u64::from(recent_cut),
        u64::from(state.increased),
        u64::from(pace.held),
        pace.next_send,
        error::NONE,
    ]
}

impl Golden for Model {
    fn reset(&mut self) {
        self.contexts.fill(Context::idle(&self.cfg));
        self.cycle = 0;
        self.now = self.time_init;
        self.sweep.reset();
        self.free_slot = 0;
        self.granted = None;
        self.peek_ready_from = 0;
        self.peeked = None;
        self.agenda.clear();
        self.stats = Stats::default();
        self.coverage.reset();
    }

    fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) {
        // Checks both lengths once, not at every word.
        let (inputs, outputs) = (&inputs[..input::WORDS], &mut outputs[..output::WORDS]);
        self.emit(outputs);
        self.granted = None;
        let queued = self.free_slot > self.cycle;
        if inputs[input::REQ_VALID] != 0 {
            self.request(inputs[input::REQ_QP], inputs[input::REQ_BYTES]);
        }
        let cnp = (inputs[input::CNP_VALID] != 0).then_some(inputs[input::CNP_QP]);
        let taken = cnp.is_some_and(|qp| self.cnp(qp));
        if inputs[input::PEEK_VALID] != 0 && self.cycle >= self.peek_ready_from {
            self.peek(inputs[input::PEEK_QP], cnp.filter(|_| taken), queued);
        } else if !taken && !queued {
            self.visit();
        }
        let (loops, paces) =
            (self.contexts.iter().map(|c| &c.state), self.contexts.iter().map(|c| &c.pace));
        self.coverage.end_of_cycle(&self.cfg, self.now, loops, paces);
        self.cycle += 1;
        self.now = self.cfg.time.add(self.now, 1);
    }

    fn drained(&self) -> bool {
        let answer = |due: &Due| due.rsp.is_some() || due.cnp.is_some();
        self.peeked.is_none() && !self.agenda.slots().iter().any(answer)
    }

    fn cover(&self) -> &Cover {
        self.coverage.counts()
    }
}
