//! The golden model of `rate_limiter`: in which cycle and order events reach the core.
//!
//! A timing shell only. All arithmetic is the core's; every state is written at once, in the cycle
//! of its event; answers leave through fixed delays. There is no forwarding and no pipeline
//! register of state here: the RTL must forward, the model must not.

use super::core::{self, Cause, Cfg, Loop, Pace, Rsp};
use super::coverage::{Coverage, Visit};
use super::shell::{Answer, CnpNote, Run, Stats, emit_upd, put};
use crate::Golden;
use crate::attributes::{AttributeError, AttributeSet};
use crate::cover::Cover;
use crate::delay::Agenda;
use crate::prim::Sweep;
use congruent_ports::rate_limiter::BLOCK;
use congruent_ports::{ParamSet, error};

pub use super::shell::{PEEKED_FIELDS, input, output};

#[derive(Debug, Clone, Copy)]
struct Peeked {
    qp: u64,
    state: Option<(Loop, Pace)>,
}

/// What is due in one cycle.
#[derive(Debug, Clone, Copy, Default)]
struct Due {
    rsp: Option<Answer>,
    cnp: Option<CnpNote>,
    upd: Option<Run>,
    peeked: Option<Peeked>,
    /// A queue pair and the byte time that paces it from this cycle on.
    byte_time: Option<(usize, u64)>,
}

/// A queue pair.
#[derive(Debug, Clone, Copy)]
struct Context {
    state: Loop,
    pace: Pace,
    /// The byte time in effect.
    byte_time: u64,
}

impl Context {
    fn idle(cfg: &Cfg) -> Self {
        Self { state: Loop::idle(cfg), pace: Pace::default(), byte_time: cfg.line_byte_time }
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
    /// An episode start whose slot is the next cycle's.
    waiting_start: Option<Run>,
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
        let qps = params.get("QPS") as u64;
        let latencies = Latencies {
            rsp: BLOCK.cycles("rsp_latency"),
            err: BLOCK.cycles("err_latency"),
            upd: BLOCK.cycles("upd_latency"),
            peek: BLOCK.cycles("peek_latency"),
            rate: BLOCK.cycles("rate_delay"),
            peek_interval: BLOCK.cycles("peek_interval"),
        };
        let Latencies { rsp, err, upd, peek, rate, .. } = latencies;
        let longest = rsp.max(err).max(upd).max(peek).max(rate);
        let mut model = Self {
            qps,
            time_init: params.get("TIME_INIT") as u64 & cfg.time.mask(),
            latencies,
            contexts: vec![Context::idle(&cfg); qps as usize],
            cycle: 0,
            now: 0,
            sweep: Sweep::new(qps as usize),
            waiting_start: None,
            peek_ready_from: 0,
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

    fn visit(&mut self) -> Option<Visit> {
        let at = self.sweep.visit();
        let qp = at as u64;
        let Context { state, pace, .. } = &mut self.contexts[at];
        if pace.held {
            core::expire(&self.cfg, pace, self.now);
        }
        if !core::due(&self.cfg, state, self.now) {
            self.coverage.idle_visit();
            return None;
        }
        let before = *state;
        let upd = core::run_half(&self.cfg, state);
        self.coverage.half(&self.cfg, qp, &before, &upd);
        self.take_slot(Run { qp, upd });
        Some(Visit { qp, end: upd.cause == Cause::End })
    }

    /// A run of the loop takes this cycle's slot: its `upd` and its byte time leave from here.
    #[inline]
    fn take_slot(&mut self, run: Run) {
        let byte_time = core::byte_time(&self.cfg, run.upd.rate);
        put(&mut self.agenda.at(self.cycle + self.latencies.upd).upd, run);
        let slot = self.agenda.at(self.cycle + self.latencies.rate);
        put(&mut slot.byte_time, (run.qp as usize, byte_time));
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
            let Context { state, pace, byte_time } = &mut self.contexts[qp as usize];
            let before = *pace;
            let rsp = core::request(&self.cfg, pace, state, self.now, bytes, *byte_time);
            let at = qp as usize;
            self.coverage.common().request(
                &self.cfg,
                self.cycle,
                self.now,
                at,
                bytes,
                &before,
                state.congested,
                rsp,
            );
            (rsp, error::NONE)
        };
        put(&mut self.agenda.at(self.cycle + self.latencies.rsp).rsp, Answer { qp, rsp, error });
    }

    /// The cycle's CNP, after the slot. Returns the start of an episode, if it makes one.
    #[inline]
    fn count_cnp(&mut self, qp: u64, visit: Option<Visit>) -> Option<Run> {
        let note = &mut self.agenda.at(self.cycle + self.latencies.err).cnp;
        if qp >= self.qps {
            put(note, CnpNote::OutOfRange(qp));
            self.coverage.common().out_of_range();
            return None;
        }
        put(note, CnpNote::Counted);
        self.coverage.cnp(qp, visit);
        if !self.cfg.enable_ecn {
            self.coverage.common().ignored();
            return None;
        }
        let state = &mut self.contexts[qp as usize].state;
        if state.congested {
            core::count_cnp(&self.cfg, state);
            return None;
        }
        let upd = core::start_episode(&self.cfg, state, self.now);
        self.coverage.start(qp);
        Some(Run { qp, upd })
    }

    /// What is due in this cycle shows, or takes effect.
    #[inline]
    fn emit(&mut self, out: &mut [u64]) {
        let due = self.agenda.at(self.cycle);
        self.stats.emit_rsp(&mut due.rsp, out);
        emit_upd(&mut due.upd, out);
        out[output::PEEKED] = u64::from(due.peeked.is_some());
        if let Some(peeked) = &due.peeked {
            let error =
                emit_peeked(peeked, &mut out[output::PEEKED + 1..=output::PEEKED + PEEKED_FIELDS]);
            self.stats.error(error);
            due.peeked = None;
        }
        self.stats.emit_err(&mut due.cnp, out);
        if let Some((qp, byte_time)) = due.byte_time {
            self.contexts[qp].byte_time = byte_time;
            due.byte_time = None;
        }
        out[output::PEEK_READY] = u64::from(self.cycle >= self.peek_ready_from);
        self.stats.emit_levels(out);
    }
}

/// Fills the fields of `peeked`; returns its error.
fn emit_peeked(peeked: &Peeked, fields: &mut [u64]) -> u64 {
    fields[0] = peeked.qp;
    match peeked.state {
        Some((state, pace)) => {
            fields[1..].copy_from_slice(&peeked_fields(&state, &pace));
            error::NONE
        }
        None => {
            fields[PEEKED_FIELDS - 1] = error::RANGE;
            error::RANGE
        }
    }
}

/// The fields of a `peeked` beat after `qp`, in table order; those of the reaction point are 0.
pub fn peeked_fields(state: &Loop, pace: &Pace) -> [u64; PEEKED_FIELDS - 1] {
    [
        u64::from(state.congested),
        state.rate,
        state.target,
        state.estimate,
        state.recovery,
        state.phase as u64,
        state.skipped,
        state.deadline,
        state.cnps,
        state.packets,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
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
        self.waiting_start = None;
        self.peek_ready_from = 0;
        self.agenda.clear();
        self.stats = Stats::default();
        self.coverage.reset();
    }

    fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) {
        // Checks both lengths once, not at every word.
        let (inputs, outputs) = (&inputs[..input::WORDS], &mut outputs[..output::WORDS]);
        self.emit(outputs);
        let req = (inputs[input::REQ_VALID] != 0).then_some(inputs[input::REQ_QP]);
        if let Some(qp) = req {
            self.request(qp, inputs[input::REQ_BYTES]);
        }
        let cnp = (inputs[input::CNP_VALID] != 0).then_some(inputs[input::CNP_QP]);
        let peek = (inputs[input::PEEK_VALID] != 0 && self.cycle >= self.peek_ready_from)
            .then_some(inputs[input::PEEK_QP]);
        let starts = cnp.is_some_and(|qp| {
            qp < self.qps && self.cfg.enable_ecn && !self.contexts[qp as usize].state.congested
        });
        let mut slot_free = true;
        let mut visit = None;
        if let Some(run) = self.waiting_start.take() {
            self.take_slot(run);
            slot_free = false;
        } else if !starts && peek.is_none() {
            visit = self.visit();
            slot_free = false;
        }
        if let Some(visit) = visit {
            self.coverage.half_meets_req(visit, req);
        }
        if let Some(qp) = cnp
            && let Some(start) = self.count_cnp(qp, visit)
        {
            if slot_free {
                self.take_slot(start);
            } else {
                self.waiting_start = Some(start);
            }
        }
        if let Some(qp) = peek {
            let state = (qp < self.qps).then(|| {
                let context = &self.contexts[qp as usize];
                (context.state, context.pace)
            });
            if state.is_none() {
                self.coverage.common().out_of_range();
            }
            let slot = self.agenda.at(self.cycle + self.latencies.peek);
            put(&mut slot.peeked, Peeked { qp, state });
            self.peek_ready_from = self.cycle + self.latencies.peek_interval;
        }
        let (loops, paces) =
            (self.contexts.iter().map(|c| &c.state), self.contexts.iter().map(|c| &c.pace));
        self.coverage.end_of_cycle(&self.cfg, self.now, loops, paces);
        self.cycle += 1;
        self.now = self.cfg.time.add(self.now, 1);
    }

    fn drained(&self) -> bool {
        let answer = |due: &Due| due.rsp.is_some() || due.cnp.is_some() || due.peeked.is_some();
        !self.agenda.slots().iter().any(answer)
    }

    fn cover(&self) -> &Cover {
        self.coverage.counts()
    }
}
