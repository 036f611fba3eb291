//! The golden model of `pfc_threshold`: in which cycle and order events reach the core.
//!
//! A timing shell only. All arithmetic is the core's; every state is written at once, in the cycle
//! of its event; answers leave through fixed delays, pauses through their queue of four. There is no
//! forwarding and no pipeline register of state here: the RTL must forward, the model must not.

use super::core::{self, Admit, Cfg, Queue, Verdict, Visit};
use super::coverage::{Change, Coverage};
use super::pauses::{Pause, Pauses};
use crate::Golden;
use crate::attributes::{AttributeError, AttributeSet};
use crate::cover::Cover;
use crate::delay::Agenda;
use crate::prim::Sweep;
use crate::stats::count;
use congruent_ports::pfc_threshold::BLOCK;
use congruent_ports::{ParamSet, error};

/// Words of the inputs slice, as `congruent_ports::Layout` orders them.
pub mod input {
    #![allow(missing_docs)] // the names are the ports'
    pub const ENQ_VALID: usize = 0;
    pub const ENQ_QUEUE: usize = 1;
    pub const ENQ_BYTES: usize = 2;
    pub const DEQ_VALID: usize = 3;
    pub const DEQ_QUEUE: usize = 4;
    pub const DEQ_BYTES: usize = 5;
    pub const PEEK_VALID: usize = 6;
    pub const PEEK_QUEUE: usize = 7;
    pub const WORDS: usize = 8;
}

/// First words of the outputs slice, as `congruent_ports::Layout` orders them.
pub mod output {
    #![allow(missing_docs)] // the names are the ports'
    pub const ADMIT: usize = 0;
    pub const GONE: usize = 4;
    pub const PAUSE: usize = 7;
    pub const PEEKED: usize = 11;
    pub const PEEK_READY: usize = 21;
    pub const INIT_DONE: usize = 22;
    pub const POOL: usize = 23;
    pub const STAT_RANGE: usize = 24;
    pub const STAT_UNDERFLOW: usize = 25;
    pub const STAT_DROPS: usize = 26;
    pub const STAT_OWED: usize = 27;
    pub const WORDS: usize = 28;
}

/// What an `enq` leaves on its way to `admit`.
#[derive(Debug, Clone, Copy)]
struct Admitted {
    queue: u64,
    /// Nothing where the queue is outside the table.
    verdict: Option<Verdict>,
    /// The beat of its XOFF found no place.
    owed: bool,
}

/// What a `deq` leaves on its way to `gone`.
#[derive(Debug, Clone, Copy)]
struct Departed {
    queue: u64,
    error: u64,
}

/// What a `peek` leaves on its way to `peeked`.
#[derive(Debug, Clone, Copy)]
struct Peeked {
    queue: u64,
    state: Option<Queue>,
}

/// What is due in one cycle.
#[derive(Debug, Clone, Copy, Default)]
struct Due {
    admit: Option<Admitted>,
    gone: Option<Departed>,
    pause: Option<Pause>,
    peeked: Option<Peeked>,
    pool: u64,
}

/// Documented cycle counts.
#[derive(Debug)]
struct Latencies {
    admit: u64,
    gone: u64,
    pause: u64,
    peek: u64,
    peek_interval: u64,
    pool: u64,
}

/// Saturating counters, as the `stat_*` outputs show them.
#[derive(Debug, Default)]
struct Stats {
    range: u64,
    underflow: u64,
    drops: u64,
    owed: u64,
}

impl Stats {
    #[inline]
    fn error(&mut self, code: u64) {
        match code {
            error::RANGE => count(&mut self.range),
            error::UNDERFLOW => count(&mut self.underflow),
            _ => (),
        }
    }
}

/// The golden model.
#[derive(Debug)]
pub struct Model {
    cfg: Cfg,
    time_init: u64,
    latencies: Latencies,
    queues: Vec<Queue>,
    /// Bytes in the pool.
    s: u64,
    cycle: u64,
    now: u64,
    sweep: Sweep,
    pauses: Pauses,
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
        let queues = params.get("QUEUES") as usize;
        let latencies = Latencies {
            admit: BLOCK.cycles("admit_latency"),
            gone: BLOCK.cycles("gone_latency"),
            pause: BLOCK.cycles("pause_latency"),
            peek: BLOCK.cycles("peek_latency"),
            peek_interval: BLOCK.cycles("peek_interval"),
            pool: BLOCK.cycles("pool_latency"),
        };
        let Latencies { admit, gone, pause, peek, pool, .. } = latencies;
        let mut model = Self {
            time_init: params.get("TIME_INIT") as u64 & cfg.time.mask(),
            queues: vec![Queue::default(); queues],
            s: 0,
            cycle: 0,
            now: 0,
            sweep: Sweep::new(queues),
            pauses: Pauses::default(),
            peek_ready_from: 0,
            agenda: Agenda::new(admit.max(gone).max(pause).max(peek).max(pool)),
            latencies,
            stats: Stats::default(),
            coverage: Coverage::new(&cfg, params),
            cfg,
        };
        model.reset();
        Ok(model)
    }

    /// The values of the `cfg_*` pins that it runs with.
    pub fn pins(&self) -> Vec<u64> {
        self.cfg.pins()
    }

    /// What they say.
    pub fn cfg(&self) -> &Cfg {
        &self.cfg
    }

    /// A queue as the last cycle left it.
    pub fn queue(&self, at: usize) -> &Queue {
        &self.queues[at]
    }

    /// Bytes in the pool as the last cycle left them.
    pub fn s(&self) -> u64 {
        self.s
    }

    /// Time of the next cycle.
    pub fn now(&self) -> u64 {
        self.now
    }

    /// The queue that the sweep visits in the next cycle, if it does not stand.
    pub fn next_visit(&self) -> Option<usize> {
        self.pauses.is_empty().then(|| self.sweep.next())
    }

    /// Whether a peek would be taken in the next cycle.
    pub fn takes_peek(&self) -> bool {
        self.cycle >= self.peek_ready_from
    }

    #[inline]
    fn deq(&mut self, queue: u64, bytes: u64) {
        let error = match self.queues.get_mut(queue as usize) {
            None => {
                self.coverage.out_of_range();
                error::RANGE
            }
            Some(state) => {
                let before = *state;
                let gone = core::dequeue(&self.cfg, state, &mut self.s, bytes);
                let change = Change {
                    cycle: self.cycle,
                    at: queue as usize,
                    before,
                    after: *state,
                    s: self.s,
                };
                self.coverage.deq(&self.cfg, &change, gone);
                if gone.resume {
                    let placed = self.pauses.enter(Pause { queue, xoff: false, refresh: false });
                    debug_assert!(placed, "a place is free in every cycle");
                }
                gone.error
            }
        };
        self.agenda.at(self.cycle + self.latencies.gone).gone = Some(Departed { queue, error });
    }

    #[inline]
    fn enq(&mut self, queue: u64, bytes: u64) {
        let mut admitted = Admitted { queue, verdict: None, owed: false };
        match self.queues.get_mut(queue as usize) {
            None => self.coverage.out_of_range(),
            Some(state) => {
                let before = *state;
                let admit = core::enqueue(&self.cfg, state, &mut self.s, self.now, bytes);
                let Admit { verdict, xoff } = admit;
                let change = Change {
                    cycle: self.cycle,
                    at: queue as usize,
                    before,
                    after: *state,
                    s: self.s,
                };
                self.coverage.enq(&self.cfg, &change, bytes, admit);
                admitted.verdict = Some(verdict);
                if xoff && !self.pauses.enter(Pause { queue, xoff: true, refresh: false }) {
                    core::owe(state);
                    self.coverage.owed();
                    admitted.owed = true;
                }
            }
        }
        self.agenda.at(self.cycle + self.latencies.admit).admit = Some(admitted);
    }

    #[inline]
    fn visit(&mut self) {
        let at = self.sweep.visit();
        let state = &mut self.queues[at];
        let before = *state;
        let made = core::visit(&self.cfg, state, self.s, self.now);
        let change = Change { cycle: self.cycle, at, before, after: *state, s: self.s };
        self.coverage.visit(&self.cfg, &change, self.now, made);
        let Some(made) = made else { return };
        let pause = Pause {
            queue: at as u64,
            xoff: made != Visit::Resume,
            refresh: made == Visit::Refresh,
        };
        let placed = self.pauses.enter(pause);
        debug_assert!(placed, "the sweep visits where no beat waits, and two come before its own");
    }

    #[inline]
    fn peek(&mut self, queue: u64) {
        let state = self.queues.get(queue as usize).copied();
        if state.is_none() {
            self.coverage.out_of_range();
        }
        self.agenda.at(self.cycle + self.latencies.peek).peeked = Some(Peeked { queue, state });
        self.peek_ready_from = self.cycle + self.latencies.peek_interval;
    }

    /// What is due in this cycle shows.
    #[inline]
    fn emit(&mut self, out: &mut [u64]) {
        let due = self.agenda.at(self.cycle);
        out[output::ADMIT] = u64::from(due.admit.is_some());
        if let Some(Admitted { queue, verdict, owed }) = due.admit {
            let code = if verdict.is_some() { error::NONE } else { error::RANGE };
            out[output::ADMIT + 1] = queue;
            out[output::ADMIT + 2] = verdict.unwrap_or(Verdict::Dropped) as u64;
            out[output::ADMIT + 3] = code;
            self.stats.error(code);
            if verdict == Some(Verdict::Dropped) {
                count(&mut self.stats.drops);
            }
            if owed {
                count(&mut self.stats.owed);
            }
            due.admit = None;
        }
        out[output::GONE] = u64::from(due.gone.is_some());
        if let Some(Departed { queue, error }) = due.gone {
            out[output::GONE + 1] = queue;
            out[output::GONE + 2] = error;
            self.stats.error(error);
            due.gone = None;
        }
        out[output::PAUSE] = u64::from(due.pause.is_some());
        if let Some(Pause { queue, xoff, refresh }) = due.pause {
            out[output::PAUSE + 1] = queue;
            out[output::PAUSE + 2] = u64::from(xoff);
            out[output::PAUSE + 3] = u64::from(refresh);
            due.pause = None;
        }
        out[output::PEEKED] = u64::from(due.peeked.is_some());
        if let Some(Peeked { queue, state }) = &due.peeked {
            let fields = &mut out[output::PEEKED + 1..output::PEEK_READY];
            fields[0] = *queue;
            match state {
                Some(state) => fields[1..].copy_from_slice(&peeked_fields(state)),
                None => {
                    fields[8] = error::RANGE;
                    self.stats.error(error::RANGE);
                }
            }
            due.peeked = None;
        }
        out[output::PEEK_READY] = u64::from(self.cycle >= self.peek_ready_from);
        out[output::INIT_DONE] = 1;
        out[output::POOL] = due.pool;
        out[output::STAT_RANGE] = self.stats.range;
        out[output::STAT_UNDERFLOW] = self.stats.underflow;
        out[output::STAT_DROPS] = self.stats.drops;
        out[output::STAT_OWED] = self.stats.owed;
    }
}

/// The fields of a `peeked` beat after `queue`, in table order.
pub fn peeked_fields(state: &Queue) -> [u64; 8] {
    [
        state.q,
        state.h,
        u64::from(state.paused),
        u64::from(state.owed),
        state.deadline,
        state.drops,
        state.pauses,
        error::NONE,
    ]
}

impl Golden for Model {
    fn reset(&mut self) {
        self.queues.fill(Queue::default());
        self.s = 0;
        self.cycle = 0;
        self.now = self.time_init;
        self.sweep.reset();
        self.pauses.clear();
        self.peek_ready_from = 0;
        self.agenda.clear();
        self.stats = Stats::default();
        self.coverage.reset();
    }

    fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) {
        // Checks both lengths once, not at every word.
        let (inputs, outputs) = (&inputs[..input::WORDS], &mut outputs[..output::WORDS]);
        self.emit(outputs);
        let takes_peek = inputs[input::PEEK_VALID] != 0 && self.takes_peek();
        let visits = self.pauses.is_empty() && !takes_peek;
        if let Some(pause) = self.pauses.leave() {
            self.agenda.at(self.cycle + self.latencies.pause - 1).pause = Some(pause);
        }
        if inputs[input::DEQ_VALID] != 0 {
            self.deq(inputs[input::DEQ_QUEUE], inputs[input::DEQ_BYTES]);
        }
        if inputs[input::ENQ_VALID] != 0 {
            self.enq(inputs[input::ENQ_QUEUE], inputs[input::ENQ_BYTES]);
        }
        if visits {
            self.visit();
        }
        if takes_peek {
            self.peek(inputs[input::PEEK_QUEUE]);
        }
        self.agenda.at(self.cycle + self.latencies.pool).pool = self.s;
        self.coverage.end_of_cycle(&self.cfg, self.now);
        self.cycle += 1;
        self.now = self.cfg.time.add(self.now, 1);
    }

    fn drained(&self) -> bool {
        let answer = |due: &Due| due.admit.is_some() || due.gone.is_some() || due.peeked.is_some();
        !self.agenda.slots().iter().any(answer)
    }

    fn cover(&self) -> &Cover {
        self.coverage.counts()
    }
}

/// The sentence of the page that the core applied in an `admit` beat.
pub fn admit_rule(verdict: u64) -> &'static str {
    const RULES: [&str; 3] = [
        "enq, not paused: s + bytes fits B - 8 x n x t_flight, charged to the pool; then paused if q > t_PFC(s), or StaticXoff",
        "enq, paused: h + bytes fits t_flight, charged to the headroom",
        "enq dropped: not paused and s + bytes > B - 8 x n x t_flight, or paused and h + bytes > t_flight",
    ];
    RULES.get(verdict as usize).copied().unwrap_or("no such verdict")
}

/// The sentence of the page that the core applied in a `pause` beat.
pub fn pause_rule(xoff: bool, refresh: bool) -> &'static str {
    match (xoff, refresh) {
        (true, false) => "xoff: after an enq q > t_PFC(s), or StaticXoff; or that beat, sent late",
        (true, true) => "refresh: half of the pause time after the last deadline, still paused",
        (false, _) => {
            "resume: h = 0 and q <= max(0, t_PFC - ResumeOffset), or StaticXon, after a deq or at a visit of the sweep"
        }
    }
}
