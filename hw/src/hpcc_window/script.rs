//! Stimulus that knows its cycles: ACKs one after another as the unit takes them, with what they
//! come to, so that a generator can aim at a state or a cycle.

use super::core::{self, Ack, Cfg, Context, Outcome};
use crate::attributes::AttributeSet;
use crate::scenario::Leg;
use crate::stimulus::Stimulus;
use congruent_ports::ParamSet;
use congruent_ports::hpcc_window::{BLOCK, MOST_HOPS};

/// Input channels by position in the table.
pub const ACK: usize = 0;
/// Records.
pub const HOP: usize = 1;
/// Flows begin.
pub const OPEN: usize = 2;
/// Flows end.
pub const CLOSE: usize = 3;
/// Peeks.
pub const PEEK: usize = 4;

/// A stimulus as it grows, and the state that it leads to.
#[derive(Debug)]
pub struct Script {
    attributes: AttributeSet,
    cfg: Cfg,
    time_init: u64,
    contexts: Vec<Context>,
    stimulus: Stimulus,
    /// First cycle in which a header is taken.
    free: u64,
    /// Whether headers and records are offered as soon as they can wait, not just when they are due.
    eager: bool,
}

impl Script {
    /// Cycle 0, every flow closed.
    ///
    /// # Panics
    /// Where the attributes are refused: a mistake in the code, not in a user's input.
    pub fn new(attributes: AttributeSet, params: &ParamSet) -> Self {
        let cfg = match super::cfg::configure(&attributes, params) {
            Ok(cfg) => cfg,
            Err(error) => panic!("{error}"),
        };
        Self {
            time_init: params.get("TIME_INIT") as u64,
            contexts: vec![core::CLOSED; params.get("FLOWS") as usize],
            stimulus: Stimulus::new(&BLOCK),
            free: 0,
            eager: false,
            attributes,
            cfg,
        }
    }

    /// What the pins carry.
    pub fn cfg(&self) -> &Cfg {
        &self.cfg
    }

    /// First cycle in which a header is taken.
    pub fn free(&self) -> u64 {
        self.free
    }

    /// State of a flow inside the table, as of its last event.
    pub fn context(&self, flow: u64) -> &Context {
        &self.contexts[flow as usize]
    }

    /// From now on headers and records are offered early, so that they wait for ready; or not.
    pub fn eager(&mut self, eager: bool) {
        self.eager = eager;
    }

    /// No header for so many cycles.
    pub fn idle(&mut self, cycles: u64) {
        self.free += cycles;
        self.stimulus.cycles = self.stimulus.cycles.max(self.free);
    }

    /// No header before `cycle`.
    pub fn idle_until(&mut self, cycle: u64) {
        self.idle(cycle.saturating_sub(self.free));
    }

    /// A flow is opened in `cycle`, which no ACK given before takes effect in or after, and no close.
    pub fn open_at(&mut self, cycle: u64, flow: u64) {
        self.stimulus.push(OPEN, cycle, &[flow]);
        if let Some(ctx) = self.contexts.get_mut(flow as usize) {
            core::open(&self.cfg, ctx);
        }
    }

    /// A flow is closed in `cycle`, which no ACK given before takes effect in or after.
    pub fn close_at(&mut self, cycle: u64, flow: u64) {
        self.stimulus.push(CLOSE, cycle, &[flow]);
        if let Some(ctx) = self.contexts.get_mut(flow as usize) {
            core::close(ctx);
        }
    }

    /// A flow is opened in the next free cycle, and the cycle passes.
    pub fn open(&mut self, flow: u64) {
        self.open_at(self.free, flow);
        self.idle(1);
    }

    /// A flow is closed in the next free cycle, and the cycle passes.
    pub fn close(&mut self, flow: u64) {
        self.close_at(self.free, flow);
        self.idle(1);
    }

    /// A peek is offered from `cycle` on.
    pub fn peek_at(&mut self, cycle: u64, flow: u64) {
        self.stimulus.push(PEEK, cycle, &[flow]);
    }

    /// The cycle in which an ACK of so many hops takes effect if it is given next, without gaps.
    pub fn effect(&self, hops: u64) -> u64 {
        self.free + hops
    }

    /// An ACK: header in the next free cycle, record after record, each `gap` cycles later than it
    /// could come. Returns what it comes to; `None`: the flow is outside the table.
    pub fn ack_with_gap(&mut self, flow: u64, ack: &Ack, gap: u64) -> Option<Outcome> {
        let header = [flow, ack.seq, ack.snd_nxt, ack.path, ack.hops];
        let offered = self.stimulus.streams[ACK].len();
        let before = offered.checked_sub(1).and_then(|n| self.stimulus.streams[ACK].not_before(n));
        let earliest = before.map_or(0, |cycle| cycle + 1);
        let early = if self.eager { self.free.saturating_sub(3).max(earliest) } else { self.free };
        self.stimulus.push(ACK, early, &header);
        let mut cycle = self.free;
        for n in 0..ack.hops {
            cycle += 1 + gap;
            let record = &ack.records[n as usize % MOST_HOPS];
            let offered = if self.eager && gap == 0 { self.free } else { cycle };
            let fields = [record.rate, record.ts, record.tx_bytes, record.qlen];
            self.stimulus.push(HOP, offered, &fields);
        }
        self.free = cycle + if ack.hops == 0 { 2 } else { 1 };
        self.stimulus.cycles = self.stimulus.cycles.max(self.free);
        let now = self.time_init.wrapping_add(cycle) & self.cfg.time.mask();
        let ctx = self.contexts.get_mut(flow as usize)?;
        Some(core::ack(&self.cfg, ctx, now, ack))
    }

    /// An ACK without gaps.
    pub fn ack(&mut self, flow: u64, ack: &Ack) -> Option<Outcome> {
        self.ack_with_gap(flow, ack, 0)
    }

    /// The stimulus, with the attributes that it is for.
    pub fn leg(self) -> Leg {
        Leg { attributes: self.attributes, stimulus: self.stimulus }
    }
}
