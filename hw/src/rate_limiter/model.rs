//! The golden model of `rate_limiter`: in which cycle and order events reach the core.
//!
//! A timing shell only. All arithmetic is the core's; every state is written at once, in the cycle
//! of its event; answers leave through fixed delays. There is no forwarding and no pipeline
//! register of state here: the RTL must forward, the model must not.

use super::core::{self, Cfg, Loop, Pace, Rsp, Upd};
use super::coverage::{Coverage, Visit};
use crate::Golden;
use crate::attributes::{AttributeError, AttributeSet};
use crate::cover::Cover;
use crate::delay::Delay;
use congruent_ports::rate_limiter::BLOCK;
use congruent_ports::{ParamSet, error};

/// Words of the inputs slice, as `congruent_ports::Layout` orders them.
pub mod input {
    #![allow(missing_docs)] // the names are the ports'
    pub const CNP_VALID: usize = 0;
    pub const CNP_QP: usize = 1;
    pub const REQ_VALID: usize = 2;
    pub const REQ_QP: usize = 3;
    pub const REQ_BYTES: usize = 4;
    pub const PEEK_VALID: usize = 5;
    pub const PEEK_QP: usize = 6;
}

/// First words of the outputs slice, as `congruent_ports::Layout` orders them.
pub mod output {
    #![allow(missing_docs)] // the names are the ports'
    pub const RSP: usize = 0;
    pub const UPD: usize = 5;
    pub const PEEKED: usize = 13;
    pub const ERR: usize = 28;
    pub const PEEK_READY: usize = 32;
    pub const INIT_DONE: usize = 33;
    pub const STAT_CNPS: usize = 34;
    pub const STAT_RANGE: usize = 35;
    pub const STAT_ZERO_LENGTH: usize = 36;
}

const STAT_MOST: u64 = 0xffff;

/// What a CNP leaves on its way to `err` and `stat_cnps`.
#[derive(Debug, Clone, Copy)]
enum CnpNote {
    Counted,
    OutOfRange(u64),
}

#[derive(Debug, Clone, Copy)]
struct Answer {
    qp: u64,
    rsp: Rsp,
    error: u64,
}

#[derive(Debug, Clone, Copy)]
struct Peeked {
    qp: u64,
    state: Option<(Loop, Pace)>,
}

#[derive(Debug, Clone, Copy)]
struct Run {
    qp: u64,
    upd: Upd,
}

/// The golden model.
#[derive(Debug)]
pub struct Model {
    cfg: Cfg,
    qps: u64,
    time_init: u64,
    peek_interval: u64,
    loops: Vec<Loop>,
    paces: Vec<Pace>,
    /// The byte time in effect for each queue pair.
    byte_times: Vec<u64>,
    cycle: u64,
    now: u64,
    /// The queue pair that the sweep visits next.
    sweep: u64,
    /// An episode start whose slot is the next cycle's.
    waiting_start: Option<Run>,
    peek_ready_from: u64,
    rsp: Delay<Answer>,
    cnp: Delay<CnpNote>,
    upd: Delay<Run>,
    peeked: Delay<Peeked>,
    new_byte_time: Delay<(usize, u64)>,
    stat_cnps: u64,
    stat_range: u64,
    stat_zero_length: u64,
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
        let mut model = Self {
            qps,
            time_init: params.get("TIME_INIT") as u64 & cfg.time.mask(),
            peek_interval: BLOCK.cycles("peek_interval"),
            loops: vec![Loop::idle(&cfg); qps as usize],
            paces: vec![Pace::default(); qps as usize],
            byte_times: vec![cfg.line_byte_time; qps as usize],
            cycle: 0,
            now: 0,
            sweep: 0,
            waiting_start: None,
            peek_ready_from: 0,
            rsp: Delay::new(BLOCK.cycles("rsp_latency")),
            cnp: Delay::new(BLOCK.cycles("err_latency")),
            upd: Delay::new(BLOCK.cycles("upd_latency")),
            peeked: Delay::new(BLOCK.cycles("peek_latency")),
            new_byte_time: Delay::new(BLOCK.cycles("rate_delay")),
            stat_cnps: 0,
            stat_range: 0,
            stat_zero_length: 0,
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
        let qp = self.sweep as usize;
        self.sweep = (self.sweep + 1) & (self.qps - 1);
        let pace = &mut self.paces[qp];
        if pace.held {
            core::expire(&self.cfg, pace, self.now);
        }
        let state = &mut self.loops[qp];
        if !core::due(&self.cfg, state, self.now) {
            self.coverage.idle_visit();
            return None;
        }
        let before = *state;
        let upd = core::run_half(&self.cfg, state);
        self.take_slot(Run { qp: qp as u64, upd });
        let visit = Visit { qp: qp as u64, before, upd };
        self.coverage.half(&self.cfg, &visit);
        Some(visit)
    }

    /// A run of the loop takes this cycle's slot: its `upd` and its byte time leave from here.
    fn take_slot(&mut self, run: Run) {
        self.upd.put(self.cycle, run);
        let byte_time = core::byte_time(&self.cfg, run.upd.rate);
        self.new_byte_time.put(self.cycle, (run.qp as usize, byte_time));
    }

    fn request(&mut self, qp: u64, bytes: u64) {
        let none = Rsp { grant: false, wait: 0 };
        let (rsp, error) = if qp >= self.qps {
            self.coverage.out_of_range();
            (none, error::RANGE)
        } else if bytes == 0 {
            self.coverage.zero_length();
            (none, error::ZERO_LENGTH)
        } else {
            let at = qp as usize;
            let (pace, state) = (&mut self.paces[at], &mut self.loops[at]);
            let before = *pace;
            let rsp = core::request(&self.cfg, pace, state, self.now, bytes, self.byte_times[at]);
            self.coverage.request(&self.cfg, self.cycle, self.now, at, bytes, &before, state, rsp);
            (rsp, error::NONE)
        };
        self.rsp.put(self.cycle, Answer { qp, rsp, error });
    }

    /// The cycle's CNP, after the slot. Returns the start of an episode, if it makes one.
    fn count_cnp(&mut self, qp: u64, visit: Option<&Visit>) -> Option<Run> {
        if qp >= self.qps {
            self.coverage.out_of_range();
            self.cnp.put(self.cycle, CnpNote::OutOfRange(qp));
            return None;
        }
        self.cnp.put(self.cycle, CnpNote::Counted);
        self.coverage.cnp(qp, visit);
        if !self.cfg.enable_ecn {
            self.coverage.ignored();
            return None;
        }
        let state = &mut self.loops[qp as usize];
        if state.congested {
            core::count_cnp(&self.cfg, state);
            return None;
        }
        let upd = core::start_episode(&self.cfg, state, self.now);
        self.coverage.start(qp);
        Some(Run { qp, upd })
    }

    fn emit(&mut self, out: &mut [u64]) {
        out[output::RSP] = match self.rsp.take(self.cycle) {
            None => 0,
            Some(Answer { qp, rsp, error }) => {
                self.count_error(error);
                out[output::RSP + 1..output::RSP + 5].copy_from_slice(&[
                    qp,
                    u64::from(rsp.grant),
                    rsp.wait,
                    error,
                ]);
                1
            }
        };
        out[output::UPD] = match self.upd.take(self.cycle) {
            None => 0,
            Some(Run { qp, upd }) => {
                out[output::UPD + 1..output::UPD + 8].copy_from_slice(&[
                    qp,
                    upd.cause as u64,
                    upd.rate,
                    upd.target,
                    upd.estimate,
                    upd.recovery,
                    u64::from(upd.congested),
                ]);
                1
            }
        };
        out[output::PEEKED] = match self.peeked.take(self.cycle) {
            None => 0,
            Some(peeked) => {
                self.emit_peeked(peeked, out);
                1
            }
        };
        out[output::ERR] = match self.cnp.take(self.cycle) {
            None => 0,
            Some(CnpNote::Counted) => {
                self.stat_cnps += u64::from(self.stat_cnps < STAT_MOST);
                0
            }
            Some(CnpNote::OutOfRange(qp)) => {
                self.count_error(error::RANGE);
                out[output::ERR + 1..output::ERR + 4].copy_from_slice(&[0, error::RANGE, qp]);
                1
            }
        };
        out[output::PEEK_READY] = u64::from(self.cycle >= self.peek_ready_from);
        out[output::INIT_DONE] = 1;
        out[output::STAT_CNPS] = self.stat_cnps;
        out[output::STAT_RANGE] = self.stat_range;
        out[output::STAT_ZERO_LENGTH] = self.stat_zero_length;
    }

    fn emit_peeked(&mut self, peeked: Peeked, out: &mut [u64]) {
        let fields = &mut out[output::PEEKED + 1..output::PEEKED + 15];
        fields[0] = peeked.qp;
        match peeked.state {
            Some((state, pace)) => {
                fields[1..].copy_from_slice(&peeked_fields(&state, &pace));
            }
            None => {
                fields[13] = error::RANGE;
                self.count_error(error::RANGE);
            }
        }
    }

    fn count_error(&mut self, code: u64) {
        let counter = match code {
            error::RANGE => &mut self.stat_range,
            error::ZERO_LENGTH => &mut self.stat_zero_length,
            _ => return,
        };
        *counter += u64::from(*counter < STAT_MOST);
    }
}

/// The fields of a `peeked` beat after `qp`, in table order.
pub fn peeked_fields(state: &Loop, pace: &Pace) -> [u64; 13] {
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
        u64::from(pace.held),
        pace.next_send,
        error::NONE,
    ]
}

impl Golden for Model {
    fn reset(&mut self) {
        self.loops.fill(Loop::idle(&self.cfg));
        self.paces.fill(Pace::default());
        self.byte_times.fill(self.cfg.line_byte_time);
        self.cycle = 0;
        self.now = self.time_init;
        self.sweep = 0;
        self.waiting_start = None;
        self.peek_ready_from = 0;
        self.rsp.clear();
        self.cnp.clear();
        self.upd.clear();
        self.peeked.clear();
        self.new_byte_time.clear();
        self.stat_cnps = 0;
        self.stat_range = 0;
        self.stat_zero_length = 0;
        self.coverage.reset();
    }

    fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) {
        self.emit(outputs);
        if let Some((qp, byte_time)) = self.new_byte_time.take(self.cycle) {
            self.byte_times[qp] = byte_time;
        }
        let req = (inputs[input::REQ_VALID] != 0).then_some(inputs[input::REQ_QP]);
        if let Some(qp) = req {
            self.request(qp, inputs[input::REQ_BYTES]);
        }
        let cnp = (inputs[input::CNP_VALID] != 0).then_some(inputs[input::CNP_QP]);
        let peek = (inputs[input::PEEK_VALID] != 0 && self.cycle >= self.peek_ready_from)
            .then_some(inputs[input::PEEK_QP]);
        let starts = cnp.is_some_and(|qp| {
            qp < self.qps && self.cfg.enable_ecn && !self.loops[qp as usize].congested
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
        if let Some(visit) = &visit {
            self.coverage.half_meets_req(visit, req);
        }
        match cnp.and_then(|qp| self.count_cnp(qp, visit.as_ref())) {
            Some(run) if slot_free => self.take_slot(run),
            start => self.waiting_start = start,
        }
        if let Some(qp) = peek {
            let state = (qp < self.qps).then(|| (self.loops[qp as usize], self.paces[qp as usize]));
            if state.is_none() {
                self.coverage.out_of_range();
            }
            self.peeked.put(self.cycle, Peeked { qp, state });
            self.peek_ready_from = self.cycle + self.peek_interval;
        }
        self.coverage.end_of_cycle(&self.cfg, self.now, &self.loops, &self.paces);
        self.cycle += 1;
        self.now = self.cfg.time.add(self.now, 1);
    }

    fn drained(&self) -> bool {
        self.rsp.is_empty() && self.cnp.is_empty() && self.peeked.is_empty()
    }

    fn cover(&self) -> &Cover {
        self.coverage.counts()
    }
}

/// The sentence of the page that the core applied in an `upd` beat.
pub fn rule(upd_cause: u64) -> &'static str {
    const RULES: [&str; 6] = [
        "1. Not congested: a CNP starts an episode; its first reduction has p = 1",
        "3. Reduction half with CNPs: cut by estimate / 2 below FastRecoveryAttempt, else a step down and halfway",
        "3. Reduction half without CNPs: the rate stays, counts are cleared",
        "5. An increase: a step up from FastRecoveryAttempt on, then halfway to the target",
        "4. Increase half that saw CNPs: held until skipped reaches K + 1",
        "7. End: an increase within 0.1 Gbps of line rate",
    ];
    RULES.get(upd_cause as usize).copied().unwrap_or("no such cause")
}
