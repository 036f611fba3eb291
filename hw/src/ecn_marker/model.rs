//! The golden model of `ecn_marker`: in which cycle and order events reach the core.
//!
//! A timing shell only. All arithmetic is the core's; every state is written at once, in the cycle
//! of its event; answers leave through fixed delays. There is no forwarding and no pipeline
//! register of state here: the RTL must forward, the model must not.

use super::core::{self, Cfg, Mark, Packet, Queue};
use super::coverage::Coverage;
use crate::Golden;
use crate::attributes::{AttributeError, AttributeSet};
use crate::cover::Cover;
use crate::delay::Agenda;
use crate::stats::count;
use congruent_ports::ecn_marker::{AVERAGE_PORT_FRAC, BLOCK};
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
    pub const DEQ_ECN: usize = 6;
    pub const DEQ_HAS_CREDITS: usize = 7;
    pub const PEEK_VALID: usize = 8;
    pub const PEEK_QUEUE: usize = 9;
    pub const WORDS: usize = 10;
}

/// First words of the outputs slice, as `congruent_ports::Layout` orders them.
pub mod output {
    #![allow(missing_docs)] // the names are the ports'
    pub const MARK: usize = 0;
    pub const AVG: usize = 5;
    pub const PEEKED: usize = 10;
    pub const PEEK_READY: usize = 21;
    pub const INIT_DONE: usize = 22;
    pub const STAT_RANGE: usize = 23;
    pub const STAT_UNDERFLOW: usize = 24;
    pub const WORDS: usize = 25;
}

/// What a `deq` leaves on its way to `mark`.
#[derive(Debug, Clone, Copy)]
struct Marked {
    queue: u64,
    mark: Mark,
}

/// What an `enq` leaves on its way to `avg`; no state where the queue is outside the table.
#[derive(Debug, Clone, Copy)]
struct Averaged {
    queue: u64,
    state: Option<(u64, u64)>,
}

/// What a `peek` leaves on its way to `peeked`.
#[derive(Debug, Clone, Copy)]
struct Peeked {
    queue: u64,
    state: Option<(Queue, u32)>,
}

/// What is due in one cycle.
#[derive(Debug, Clone, Copy, Default)]
struct Due {
    mark: Option<Marked>,
    avg: Option<Averaged>,
    peeked: Option<Peeked>,
}

/// Documented cycle counts.
#[derive(Debug)]
struct Latencies {
    mark: u64,
    avg: u64,
    peek: u64,
    peek_interval: u64,
}

/// Saturating counters, as the `stat_*` outputs show them.
#[derive(Debug, Default)]
struct Stats {
    range: u64,
    underflow: u64,
}

impl Stats {
    #[inline]
    fn error(&mut self, code: u64) {
        let counter = match code {
            error::RANGE => &mut self.range,
            error::UNDERFLOW => &mut self.underflow,
            _ => return,
        };
        count(counter);
    }
}

/// The golden model.
#[derive(Debug)]
pub struct Model {
    cfg: Cfg,
    latencies: Latencies,
    queues: Vec<Queue>,
    /// State of the block's LFSR.
    lfsr: u32,
    cycle: u64,
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
        let latencies = Latencies {
            mark: BLOCK.cycles("mark_latency"),
            avg: BLOCK.cycles("avg_latency"),
            peek: BLOCK.cycles("peek_latency"),
            peek_interval: BLOCK.cycles("peek_interval"),
        };
        Ok(Self {
            queues: vec![Queue::default(); params.get("QUEUES") as usize],
            lfsr: cfg.lfsr_seed,
            cycle: 0,
            peek_ready_from: 0,
            agenda: Agenda::new(latencies.mark.max(latencies.avg).max(latencies.peek)),
            latencies,
            stats: Stats::default(),
            coverage: Coverage::new(&cfg, attributes, params),
            cfg,
        })
    }

    /// The values of the `cfg_*` pins that it runs with.
    pub fn pins(&self) -> Vec<u64> {
        self.cfg.pins()
    }

    #[inline]
    fn deq(&mut self, queue: u64, packet: &Packet) {
        let mark = match self.queues.get_mut(queue as usize) {
            None => {
                self.coverage.out_of_range();
                Mark { ecn: packet.ecn, marked: false, error: error::RANGE }
            }
            Some(state) => {
                let before = *state;
                let mark = core::dequeue(&self.cfg, state, &mut self.lfsr, packet);
                let at = queue as usize;
                self.coverage.deq(&self.cfg, self.cycle, at, packet, &before, state, mark);
                mark
            }
        };
        self.agenda.at(self.cycle + self.latencies.mark).mark = Some(Marked { queue, mark });
    }

    #[inline]
    fn enq(&mut self, queue: u64, bytes: u64) {
        let state = match self.queues.get_mut(queue as usize) {
            None => {
                self.coverage.out_of_range();
                None
            }
            Some(state) => {
                let before = *state;
                core::enqueue(&self.cfg, state, bytes);
                let at = queue as usize;
                self.coverage.enq(&self.cfg, self.cycle, at, bytes, &before, state);
                Some((state.occupancy, average_port(&self.cfg, state.average)))
            }
        };
        self.agenda.at(self.cycle + self.latencies.avg).avg = Some(Averaged { queue, state });
    }

    #[inline]
    fn peek(&mut self, queue: u64) {
        let state = self.queues.get(queue as usize).map(|state| (*state, self.lfsr));
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
        out[output::MARK] = u64::from(due.mark.is_some());
        if let Some(Marked { queue, mark }) = &due.mark {
            out[output::MARK + 1] = *queue;
            out[output::MARK + 2] = mark.ecn;
            out[output::MARK + 3] = u64::from(mark.marked);
            out[output::MARK + 4] = mark.error;
            self.stats.error(mark.error);
            due.mark = None;
        }
        out[output::AVG] = u64::from(due.avg.is_some());
        if let Some(Averaged { queue, state }) = &due.avg {
            let (occupancy, average) = state.unwrap_or_default();
            let code = if state.is_some() { error::NONE } else { error::RANGE };
            out[output::AVG + 1] = *queue;
            out[output::AVG + 2] = occupancy;
            out[output::AVG + 3] = average;
            out[output::AVG + 4] = code;
            self.stats.error(code);
            due.avg = None;
        }
        out[output::PEEKED] = u64::from(due.peeked.is_some());
        if let Some(Peeked { queue, state }) = &due.peeked {
            let fields = &mut out[output::PEEKED + 1..output::PEEKED + 11];
            fields[0] = *queue;
            match state {
                Some((state, lfsr)) => {
                    fields[1..].copy_from_slice(&peeked_fields(&self.cfg, state, *lfsr));
                }
                None => {
                    fields[9] = error::RANGE;
                    self.stats.error(error::RANGE);
                }
            }
            due.peeked = None;
        }
        out[output::PEEK_READY] = u64::from(self.cycle >= self.peek_ready_from);
        out[output::INIT_DONE] = 1;
        out[output::STAT_RANGE] = self.stats.range;
        out[output::STAT_UNDERFLOW] = self.stats.underflow;
    }
}

/// An average as the ports carry it: UQ OCC_W.24.
#[inline]
pub fn average_port(cfg: &Cfg, average: u64) -> u64 {
    average << (AVERAGE_PORT_FRAC - cfg.avg_frac)
}

/// The fields of a `peeked` beat after `queue`, in table order.
pub fn peeked_fields(cfg: &Cfg, state: &Queue, lfsr: u32) -> [u64; 9] {
    [
        state.occupancy,
        average_port(cfg, state.average),
        u64::from(state.congested),
        state.skip,
        state.acc,
        state.marked,
        state.eligible,
        u64::from(lfsr),
        error::NONE,
    ]
}

impl Golden for Model {
    fn reset(&mut self) {
        self.queues.fill(Queue::default());
        self.lfsr = self.cfg.lfsr_seed;
        self.cycle = 0;
        self.peek_ready_from = 0;
        self.agenda.clear();
        self.stats = Stats::default();
        self.coverage.reset();
    }

    fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) {
        // Checks both lengths once, not at every word.
        let (inputs, outputs) = (&inputs[..input::WORDS], &mut outputs[..output::WORDS]);
        self.emit(outputs);
        if inputs[input::DEQ_VALID] != 0 {
            let packet = Packet {
                bytes: inputs[input::DEQ_BYTES],
                ecn: inputs[input::DEQ_ECN],
                has_credits: inputs[input::DEQ_HAS_CREDITS] != 0,
            };
            self.deq(inputs[input::DEQ_QUEUE], &packet);
        }
        if inputs[input::ENQ_VALID] != 0 {
            self.enq(inputs[input::ENQ_QUEUE], inputs[input::ENQ_BYTES]);
        }
        if inputs[input::PEEK_VALID] != 0 && self.cycle >= self.peek_ready_from {
            self.peek(inputs[input::PEEK_QUEUE]);
        }
        self.cycle += 1;
    }

    fn drained(&self) -> bool {
        let answer = |due: &Due| due.mark.is_some() || due.avg.is_some() || due.peeked.is_some();
        !self.agenda.slots().iter().any(answer)
    }

    fn cover(&self) -> &Cover {
        self.coverage.counts()
    }
}

/// The sentence of the page that the core applied in a `mark` beat.
pub fn rule(marked: bool) -> &'static str {
    if marked {
        "marked: red, average at the upper threshold or above, or in the band and drawn; fecn, the first eligible packet of a congestion, then every (MarkingRate + 1)-th"
    } else {
        "not marked: red, average below the lower threshold, or in the band and not drawn, or not ECT; fecn, not congested, not eligible, or within MarkingRate of a marked one"
    }
}
