//! The golden model of `hpcc_window`: in which cycle and order events reach the core.
//!
//! A timing shell only. All arithmetic is the core's; every state is written at once, in the cycle
//! of its event; answers leave through fixed delays. There is no forwarding and no pipeline
//! register of state here: the RTL must forward, the model must not.

use super::collect::{Collector, Complete};
use super::core::{self, Branch, Cfg, Context, Outcome};
use super::coverage::Coverage;
use crate::Golden;
use crate::attributes::{AttributeError, AttributeSet};
use crate::cover::Cover;
use crate::delay::Agenda;
use crate::prim::Sweep;
use crate::stats::count;
use congruent_ports::hpcc_window::{BLOCK, MOST_HOPS};
use congruent_ports::{ParamSet, error};
use std::collections::VecDeque;

/// Words of the inputs slice, as `congruent_ports::Layout` orders them.
pub mod input {
    #![allow(missing_docs)] // the names are the ports'
    pub const ACK_VALID: usize = 0;
    pub const ACK: usize = 1;
    pub const HOP_VALID: usize = 6;
    pub const HOP: usize = 7;
    pub const OPEN_VALID: usize = 11;
    pub const OPEN_FLOW: usize = 12;
    pub const CLOSE_VALID: usize = 13;
    pub const CLOSE_FLOW: usize = 14;
    pub const PEEK_VALID: usize = 15;
    pub const PEEK_FLOW: usize = 16;
    pub const WORDS: usize = 17;
}

/// First words of the outputs slice, as `congruent_ports::Layout` orders them.
pub mod output {
    #![allow(missing_docs)] // the names are the ports'
    pub const WIN: usize = 0;
    pub const ERR_OPEN: usize = 8;
    pub const ERR_CLOSE: usize = 11;
    pub const PEEKED: usize = 14;
    pub const ACK_READY: usize = 42;
    pub const HOP_READY: usize = 43;
    pub const PEEK_READY: usize = 44;
    pub const INIT_DONE: usize = 45;
    pub const STATS: usize = 46;
    pub const WORDS: usize = 53;
}

/// Fields of `peeked` between `flow` and `error`.
pub const STATE_FIELDS: usize = 10 + 3 * MOST_HOPS;

/// An answer on its way: the fields of `win`.
#[derive(Debug, Clone, Copy)]
struct Win {
    fields: [u64; 7],
    outcome: Outcome,
}

/// An `open` or `close` that was refused, on its way to its `err_*`.
#[derive(Debug, Clone, Copy)]
struct Refusal {
    flow: u64,
    code: u64,
}

/// What is due in one cycle, peeks aside.
#[derive(Debug, Clone, Copy, Default)]
struct Due {
    win: Option<Win>,
    open: Option<Refusal>,
    close: Option<Refusal>,
}

/// A peek on its way.
#[derive(Debug, Clone, Copy)]
struct Peeked {
    /// Cycle of its answer.
    due: u64,
    flow: u64,
    /// `None`: outside the table.
    state: Option<Context>,
}

/// Documented cycle counts.
#[derive(Debug)]
struct Latencies {
    win: u64,
    err: u64,
    peek: u64,
    peek_interval: u64,
}

/// Saturating counters, as the `stat_*` outputs show them.
#[derive(Debug, Default)]
struct Stats {
    acks: u64,
    range: u64,
    closed: u64,
    hops: u64,
    stored: u64,
    stale: u64,
    bad_rate: u64,
}

impl Stats {
    #[inline]
    fn error(&mut self, code: u64) {
        match code {
            error::RANGE => count(&mut self.range),
            error::CLOSED => count(&mut self.closed),
            error::HOPS => count(&mut self.hops),
            _ => {}
        }
    }

    #[inline]
    fn win(&mut self, outcome: &Outcome) {
        count(&mut self.acks);
        if outcome.error != error::NONE {
            self.error(outcome.error);
            return;
        }
        match outcome.branch {
            Branch::Stored => count(&mut self.stored),
            Branch::Stale => count(&mut self.stale),
            _ if outcome.bad_rate => count(&mut self.bad_rate),
            _ => {}
        }
    }

    #[inline]
    fn show(&self, out: &mut [u64]) {
        out[output::STATS..output::WORDS].copy_from_slice(&[
            self.acks,
            self.range,
            self.closed,
            self.hops,
            self.stored,
            self.stale,
            self.bad_rate,
        ]);
    }
}

/// The golden model.
#[derive(Debug)]
pub struct Model {
    cfg: Cfg,
    time_init: u64,
    latencies: Latencies,
    contexts: Vec<Context>,
    cycle: u64,
    now: u64,
    sweep: Sweep,
    collector: Collector,
    ack_ready_from: u64,
    peek_ready_from: u64,
    agenda: Agenda<Due>,
    peeks: VecDeque<Peeked>,
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
        let flows = params.get("FLOWS") as usize;
        let latencies = Latencies {
            win: BLOCK.cycles("win_latency"),
            err: BLOCK.cycles("err_latency"),
            peek: BLOCK.cycles("peek_latency"),
            peek_interval: BLOCK.cycles("peek_interval"),
        };
        let mut model = Self {
            time_init: params.get("TIME_INIT") as u64 & cfg.time.mask(),
            contexts: vec![core::CLOSED; flows],
            cycle: 0,
            now: 0,
            sweep: Sweep::new(flows),
            collector: Collector::new(),
            ack_ready_from: 0,
            peek_ready_from: 0,
            agenda: Agenda::new(latencies.win.max(latencies.err)),
            peeks: VecDeque::new(),
            stats: Stats::default(),
            coverage: Coverage::new(&cfg, attributes, params),
            latencies,
            cfg,
        };
        model.reset();
        Ok(model)
    }

    /// The values of the `cfg_*` pins that it runs with.
    pub fn pins(&self) -> Vec<u64> {
        self.cfg.pins()
    }

    fn open(&mut self, flow: u64) {
        let code = match self.contexts.get_mut(flow as usize) {
            Some(ctx) => core::open(&self.cfg, ctx),
            None => error::RANGE,
        };
        self.coverage.open(self.cycle, flow, code);
        if code != error::NONE {
            let due = self.agenda.at(self.cycle + self.latencies.err);
            due.open = Some(Refusal { flow, code });
        }
    }

    fn close(&mut self, flow: u64) {
        let code = match self.contexts.get_mut(flow as usize) {
            Some(ctx) => core::close(ctx),
            None => error::RANGE,
        };
        self.coverage.close(self.cycle, flow, code);
        if code != error::NONE {
            let due = self.agenda.at(self.cycle + self.latencies.err);
            due.close = Some(Refusal { flow, code });
        }
    }

    /// An ACK takes effect.
    fn ack(&mut self, Complete { flow, ack }: Complete) {
        let (outcome, fields) = match self.contexts.get_mut(flow as usize) {
            Some(ctx) => {
                let before = *ctx;
                let outcome = core::ack(&self.cfg, ctx, self.now, &ack);
                self.coverage
                    .ack(&self.cfg, self.cycle, self.now, flow, &ack, &before, ctx, &outcome);
                (outcome, win_fields(&self.cfg, flow, ctx, &outcome))
            }
            None => {
                self.coverage.out_of_range();
                let outcome = core::refused(error::RANGE);
                (outcome, win_fields(&self.cfg, flow, &core::CLOSED, &outcome))
            }
        };
        self.agenda.at(self.cycle + self.latencies.win).win = Some(Win { fields, outcome });
    }

    /// A peek is taken, after this cycle's other events.
    fn peek(&mut self, flow: u64) {
        let state = self.contexts.get(flow as usize).map(|ctx| {
            let mut seen = *ctx;
            core::settle(&self.cfg, &mut seen, self.now);
            seen
        });
        if state.is_none() {
            self.coverage.out_of_range();
        }
        self.peeks.push_back(Peeked { due: self.cycle + self.latencies.peek, flow, state });
        self.peek_ready_from = self.cycle + self.latencies.peek_interval;
    }

    /// What is due in this cycle shows.
    #[inline]
    fn emit(&mut self, out: &mut [u64]) {
        let due = self.agenda.at(self.cycle);
        out[output::WIN] = u64::from(due.win.is_some());
        if let Some(Win { fields, outcome }) = &due.win {
            out[output::WIN + 1..output::ERR_OPEN].copy_from_slice(fields);
            self.stats.win(outcome);
            due.win = None;
        }
        for (refusal, at) in
            [(&mut due.open, output::ERR_OPEN), (&mut due.close, output::ERR_CLOSE)]
        {
            out[at] = u64::from(refusal.is_some());
            if let Some(Refusal { flow, code }) = *refusal {
                out[at + 1] = flow;
                out[at + 2] = code;
                self.stats.error(code);
                *refusal = None;
            }
        }
        out[output::PEEKED] = 0;
        if let Some(peeked) = self.peeks.front()
            && peeked.due == self.cycle
        {
            out[output::PEEKED] = 1;
            let fields = &mut out[output::PEEKED + 1..output::ACK_READY];
            fields[0] = peeked.flow;
            match &peeked.state {
                Some(state) => {
                    fields[1..=STATE_FIELDS].copy_from_slice(&state_fields(state));
                    fields[STATE_FIELDS + 1] = error::NONE;
                }
                None => {
                    fields[STATE_FIELDS + 1] = error::RANGE;
                    self.stats.error(error::RANGE);
                }
            }
            self.peeks.pop_front();
        }
        out[output::ACK_READY] = u64::from(self.takes_header());
        out[output::HOP_READY] = u64::from(self.collector.missing() > 0);
        out[output::PEEK_READY] = u64::from(self.cycle >= self.peek_ready_from);
        out[output::INIT_DONE] = 1;
        self.stats.show(out);
    }

    #[inline]
    fn takes_header(&self) -> bool {
        self.collector.missing() == 0 && self.cycle >= self.ack_ready_from
    }
}

/// The fields of a `win` beat, in table order.
#[inline]
pub fn win_fields(cfg: &Cfg, flow: u64, state: &Context, outcome: &Outcome) -> [u64; 7] {
    [
        flow,
        state.window,
        core::pace(cfg, state.window),
        state.u,
        state.stage,
        outcome.branch as u64,
        outcome.error,
    ]
}

/// The fields of a `peeked` beat between `flow` and `error`, in table order.
pub fn state_fields(state: &Context) -> [u64; STATE_FIELDS] {
    let mut fields = [0; STATE_FIELDS];
    fields[..10].copy_from_slice(&[
        u64::from(state.open),
        state.window,
        state.reference,
        state.u,
        state.stage,
        state.last_update_seq,
        u64::from(state.stored),
        state.stored_at,
        state.path,
        state.hops,
    ]);
    for (words, hop) in fields[10..].chunks_exact_mut(3).zip(&state.telemetry) {
        words.copy_from_slice(&[hop.ts, hop.tx, hop.qlen]);
    }
    fields
}

impl Golden for Model {
    fn reset(&mut self) {
        self.contexts.fill(core::CLOSED);
        self.cycle = 0;
        self.now = self.time_init;
        self.sweep.reset();
        self.collector = Collector::new();
        self.ack_ready_from = 0;
        self.peek_ready_from = 0;
        self.agenda.clear();
        self.peeks.clear();
        self.stats = Stats::default();
        self.coverage.reset();
    }

    fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) {
        // Checks both lengths once, not at every word.
        let (inputs, outputs) = (&inputs[..input::WORDS], &mut outputs[..output::WORDS]);
        self.emit(outputs);
        if inputs[input::OPEN_VALID] != 0 {
            self.open(inputs[input::OPEN_FLOW]);
        }
        if inputs[input::CLOSE_VALID] != 0 {
            self.close(inputs[input::CLOSE_FLOW]);
        }
        let (takes_header, takes_record) = (self.takes_header(), self.collector.missing() > 0);
        let complete = if takes_header && inputs[input::ACK_VALID] != 0 {
            let complete = self.collector.header(&inputs[input::ACK..input::HOP_VALID]).copied();
            if complete.is_some() {
                // One cycle of rest: two ACKs that take effect in their header's cycle are two apart.
                self.ack_ready_from = self.cycle + 2;
            }
            complete
        } else if takes_record && inputs[input::HOP_VALID] != 0 {
            self.collector.record(&inputs[input::HOP..input::OPEN_VALID]).copied()
        } else {
            None
        };
        if let Some(complete) = complete {
            self.ack(complete);
        }
        if inputs[input::PEEK_VALID] != 0 && self.cycle >= self.peek_ready_from {
            self.peek(inputs[input::PEEK_FLOW]);
        }
        let swept = self.sweep.visit();
        core::settle(&self.cfg, &mut self.contexts[swept], self.now);
        self.cycle += 1;
        self.now = self.cfg.time.add(self.now, 1);
    }

    fn drained(&self) -> bool {
        let answer = |due: &Due| due.win.is_some() || due.open.is_some() || due.close.is_some();
        self.peeks.is_empty() && !self.agenda.slots().iter().any(answer)
    }

    fn cover(&self) -> &Cover {
        self.coverage.counts()
    }
}

/// The sentence of the page that the core applied in a `win` beat.
pub fn rule(branch: u64) -> &'static str {
    match branch {
        0 => {
            "stored: nothing stored, path or hop count changed, or the stored telemetry too old: L := L', last_update_seq := snd_nxt, nothing else"
        }
        1 => "stale: the TS of a hop is older than the stored one: nothing changes",
        2 => {
            "multiplicative: U >= Eta or inc_stage >= MaxStage: W := Wc / (max(U, 2^-16) / Eta) + WAI, held between PacketBytes and W_init; full: inc_stage := 0, Wc := W"
        }
        _ => {
            "additive: W := Wc + WAI, held between PacketBytes and W_init; full: inc_stage := inc_stage + 1, Wc := W"
        }
    }
}
