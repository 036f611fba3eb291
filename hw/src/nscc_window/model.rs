//! The golden model of `nscc_window`: in which cycle and order events reach the core.
//!
//! A timing shell only. All arithmetic is the core's; every state is written at once, in the cycle
//! of its event; answers leave through fixed delays. There is no forwarding and no pipeline
//! register of state here: the RTL must forward, the model must not.

use super::core::{self, Cfg, Context, Event, Kind, Outcome};
use super::coverage::Coverage;
use crate::Golden;
use crate::attributes::{AttributeError, AttributeSet};
use crate::cover::Cover;
use crate::delay::Agenda;
use crate::prim::Sweep;
use crate::stats::count;
use congruent_ports::nscc_window::BLOCK;
use congruent_ports::{ParamSet, error};

/// Words of the inputs slice, as `congruent_ports::Layout` orders them.
pub mod input {
    #![allow(missing_docs)] // the names are the ports'
    pub const EVT_VALID: usize = 0;
    pub const EVT: usize = 1;
    pub const PEEK_VALID: usize = 11;
    pub const PEEK_DST: usize = 12;
    pub const WORDS: usize = 13;
}

/// First words of the outputs slice, as `congruent_ports::Layout` orders them.
pub mod output {
    #![allow(missing_docs)] // the names are the ports'
    pub const WIN: usize = 0;
    pub const PEEKED: usize = 12;
    pub const EVT_READY: usize = 36;
    pub const PEEK_READY: usize = 37;
    pub const INIT_DONE: usize = 38;
    pub const STATS: usize = 39;
    pub const WORDS: usize = 45;
}

/// Fields of `peeked` between `dst` and `error`.
const STATE_FIELDS: usize = 21;

/// The payload of an `evt` beat.
pub fn event_of(fields: &[u64]) -> Event {
    Event {
        kind: Kind::new(fields[0]),
        bytes: fields[2],
        flight: fields[3],
        rtt_valid: fields[4] != 0,
        rtt: fields[5],
        trimmed: fields[6] != 0,
        ecn: fields[7] != 0,
        penalty: fields[8],
        restore: fields[9] != 0,
    }
}

/// An answer on its way: the fields of `win`.
#[derive(Debug, Clone, Copy)]
struct Win {
    fields: [u64; 11],
    outcome: Outcome,
}

/// A peek on its way.
#[derive(Debug, Clone, Copy)]
struct Peeked {
    /// Cycle of its answer.
    due: u64,
    dst: u64,
    /// `None`: outside the table.
    state: Option<Context>,
}

/// Documented cycle counts.
#[derive(Debug)]
struct Latencies {
    evt_interval: u64,
    apply_interval: u64,
    win: u64,
    apply: u64,
    peek: u64,
    peek_apply: u64,
}

/// Saturating counters, as the `stat_*` outputs show them.
#[derive(Debug, Default)]
struct Stats {
    events: u64,
    range: u64,
    closed: u64,
    underflow: u64,
    quick_adapts: u64,
    fast_increases: u64,
}

impl Stats {
    #[inline]
    fn win(&mut self, outcome: &Outcome) {
        raise(&mut self.events, true);
        raise(&mut self.range, outcome.error == error::RANGE);
        raise(&mut self.closed, outcome.error == error::CLOSED);
        raise(&mut self.underflow, outcome.error == error::UNDERFLOW);
        raise(&mut self.quick_adapts, outcome.qa_fired);
        raise(&mut self.fast_increases, outcome.routine == core::Routine::Fast);
    }

    #[inline]
    fn show(&self, out: &mut [u64]) {
        out[output::STATS..output::WORDS].copy_from_slice(&[
            self.events,
            self.range,
            self.closed,
            self.underflow,
            self.quick_adapts,
            self.fast_increases,
        ]);
    }
}

#[inline]
fn raise(counter: &mut u64, by_one: bool) {
    if by_one {
        count(counter);
    }
}

/// The golden model.
#[derive(Debug)]
pub struct Model {
    cfg: Cfg,
    dests: u64,
    time_init: u64,
    latencies: Latencies,
    contexts: Vec<Context>,
    cycle: u64,
    now: u64,
    sweep: Sweep,
    evt_ready_from: u64,
    /// The last event that divides: the cycle from which it no longer delays peeks, and the first
    /// in which a peek behind it may be answered.
    divided: (u64, u64),
    wins: Agenda<Option<Win>>,
    peeked: Option<Peeked>,
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
        let dests = params.get("DESTS") as u64;
        let latencies = Latencies {
            evt_interval: BLOCK.cycles("evt_interval"),
            apply_interval: BLOCK.cycles("apply_interval"),
            win: BLOCK.cycles("win_latency"),
            apply: BLOCK.cycles("apply_latency"),
            peek: BLOCK.cycles("peek_latency"),
            peek_apply: BLOCK.cycles("peek_apply_latency"),
        };
        let mut model = Self {
            dests,
            time_init: params.get("TIME_INIT") as u64 & cfg.time.mask(),
            contexts: vec![core::CLOSED; dests as usize],
            cycle: 0,
            now: 0,
            sweep: Sweep::new(dests as usize),
            evt_ready_from: 0,
            divided: (0, 0),
            wins: Agenda::new(latencies.win.max(latencies.apply)),
            peeked: None,
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

    /// An event is taken.
    fn event(&mut self, fields: &[u64]) {
        let (kind, dst) = (fields[0], fields[1]);
        let (outcome, state) = if dst < self.dests {
            let ctx = &mut self.contexts[dst as usize];
            let before = *ctx;
            let evt = event_of(fields);
            let outcome = core::event(&self.cfg, ctx, self.now, &evt);
            let at = dst as usize;
            self.coverage.event(&self.cfg, self.cycle, self.now, at, &evt, &before, ctx, &outcome);
            (outcome, *ctx)
        } else {
            self.coverage.out_of_range();
            (core::refused(error::RANGE), core::CLOSED)
        };
        let (interval, latency) = if outcome.divides() {
            let until = self.cycle + self.latencies.apply_interval;
            self.divided = (until, self.cycle + self.latencies.peek_apply);
            (self.latencies.apply_interval, self.latencies.apply)
        } else {
            (self.latencies.evt_interval, self.latencies.win)
        };
        self.evt_ready_from = self.cycle + interval;
        let fields = win_fields(kind, dst, &state, &outcome);
        let slot = self.wins.at(self.cycle + latency);
        debug_assert!(slot.is_none(), "two answers due in one cycle");
        *slot = Some(Win { fields, outcome });
    }

    /// A peek is taken, after this cycle's event.
    fn peek(&mut self, dst: u64) {
        let state = self.contexts.get(dst as usize).map(|ctx| {
            let mut seen = *ctx;
            core::settle(&self.cfg, &mut seen, self.now);
            seen
        });
        if state.is_none() {
            self.coverage.out_of_range();
        }
        let (delays_until, answers_from) = self.divided;
        let soonest = self.cycle + self.latencies.peek;
        let due = if self.cycle < delays_until { soonest.max(answers_from) } else { soonest };
        self.peeked = Some(Peeked { due, dst, state });
    }

    /// What is due in this cycle shows.
    #[inline]
    fn emit(&mut self, out: &mut [u64]) {
        let win = self.wins.at(self.cycle);
        out[output::WIN] = u64::from(win.is_some());
        if let Some(Win { fields, outcome }) = win {
            out[output::WIN + 1..output::PEEKED].copy_from_slice(fields);
            self.stats.win(outcome);
            *win = None;
        }
        out[output::PEEKED] = 0;
        if let Some(peeked) = self.peeked.take_if(|p| p.due == self.cycle) {
            out[output::PEEKED] = 1;
            let fields = &mut out[output::PEEKED + 1..output::EVT_READY];
            fields[0] = peeked.dst;
            match peeked.state {
                Some(state) => {
                    fields[1..=STATE_FIELDS].copy_from_slice(&state_fields(&state));
                    fields[STATE_FIELDS + 1] = error::NONE;
                }
                None => {
                    fields[STATE_FIELDS + 1] = error::RANGE;
                    raise(&mut self.stats.range, true);
                }
            }
        }
        out[output::EVT_READY] = u64::from(self.cycle >= self.evt_ready_from);
        out[output::PEEK_READY] = u64::from(self.peeked.is_none());
        out[output::INIT_DONE] = 1;
        self.stats.show(out);
    }
}

/// The fields of a `win` beat, in table order.
pub fn win_fields(kind: u64, dst: u64, state: &Context, outcome: &Outcome) -> [u64; 11] {
    [
        kind,
        dst,
        state.cwnd,
        state.in_flight,
        state.base_rtt,
        state.avg_delay,
        outcome.routine as u64,
        u64::from(outcome.granted),
        u64::from(outcome.wants_cack),
        u64::from(outcome.qa_fired),
        outcome.error,
    ]
}

/// The fields of a `peeked` beat between `dst` and `error`, in table order.
pub fn state_fields(state: &Context) -> [u64; STATE_FIELDS] {
    [
        u64::from(state.open),
        state.cwnd,
        state.in_flight,
        state.base_rtt,
        state.avg_delay,
        state.max_window,
        state.pending,
        state.received,
        u64::from(state.eta_due),
        state.last_eta,
        state.fast_count,
        u64::from(state.fast_on),
        u64::from(state.qa_open),
        u64::from(state.qa_over),
        state.qa_end,
        state.qa_bytes,
        u64::from(state.qa_trigger),
        state.ignore_left,
        u64::from(state.cut_held),
        state.last_cut,
        state.saved_cwnd,
    ]
}

impl Golden for Model {
    fn reset(&mut self) {
        self.contexts.fill(core::CLOSED);
        self.cycle = 0;
        self.now = self.time_init;
        self.sweep.reset();
        self.evt_ready_from = 0;
        self.divided = (0, 0);
        self.wins.clear();
        self.peeked = None;
        self.stats = Stats::default();
        self.coverage.reset();
    }

    fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) {
        // Checks both lengths once, not at every word.
        let (inputs, outputs) = (&inputs[..input::WORDS], &mut outputs[..output::WORDS]);
        self.emit(outputs);
        if inputs[input::EVT_VALID] != 0 && outputs[output::EVT_READY] != 0 {
            self.event(&inputs[input::EVT..input::PEEK_VALID]);
        }
        if inputs[input::PEEK_VALID] != 0 && outputs[output::PEEK_READY] != 0 {
            self.peek(inputs[input::PEEK_DST]);
        }
        let visited = &mut self.contexts[self.sweep.visit()];
        if core::unsettled(visited) {
            core::settle(&self.cfg, visited, self.now);
        }
        self.coverage.end_of_cycle(&self.cfg, self.now, &self.contexts);
        self.cycle += 1;
        self.now = self.cfg.time.add(self.now, 1);
    }

    fn drained(&self) -> bool {
        self.peeked.is_none() && self.wins.slots().iter().all(Option::is_none)
    }

    fn cover(&self) -> &Cover {
        self.coverage.counts()
    }
}

/// The sentence of the page that the core applied in a `win` beat.
pub fn rule(routine: u64) -> &'static str {
    const RULES: [&str; 11] = [
        "no routine: a send while in_flight < cwnd, a sack without a sample, a NACK that was not trimmed, cack, probe, open, close",
        "sack 4. below target and margin, more than a window counted: cwnd += fast x bytes",
        "sack 4. below target: pending += alpha x bytes x (target - sample)",
        "sack 4. at or above target: pending += fi x bytes",
        "sack 4. ecn, at or above target, average above it: cwnd x max(1 - Gamma x (average - target) / average, MaxMultiplicativeDecreaseJump)",
        "sack 4. ecn without a cut: below target, average not above it, or a cut less than a base RTT ago",
        "penalty > 0: cwnd = max(min(cwnd, in_flight) - bytes x penalty / 128, P), no increase",
        "Quick Adapt: window over, a trigger, qa_bytes x 2^gate < max window: cwnd = max(qa_bytes, P)",
        "nack, trimmed: Quick Adapt did not fire, cwnd = max(cwnd - flight, P)",
        "nack, trimmed, while bytes are to be ignored: cwnd and pending stay",
        "loss: cwnd = max(cwnd - flight, P)",
    ];
    RULES.get(routine as usize).copied().unwrap_or("no such routine")
}
