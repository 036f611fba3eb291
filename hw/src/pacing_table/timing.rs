//! The documented cycle counts of `pacing_table`: those above 64 entries have names of their own.

use congruent_ports::ParamSet;
use congruent_ports::pacing_table::{BLOCK, SMALL_ENTRIES};

/// Cycle counts for a size of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Figures {
    /// Initiation interval of becn.
    pub becn_interval: u64,
    /// Least cycles from a grant to the next.
    pub grant_interval: u64,
    /// Least cycles from a grant to an entry to the next one to it.
    pub grant_hold: u64,
    /// Cycles a visit of the sweep.
    pub sweep_interval: u64,
    /// From becn to upd, evict and log.
    pub upd_latency: u64,
    /// From the sweep's visit to decay and release.
    pub decay_latency: u64,
    /// From a grant's decision to its beat.
    pub grant_latency: u64,
    /// From a cycle to its `stalled`.
    pub stalled_latency: u64,
    /// From head to err.
    pub err_latency: u64,
    /// From peek to peeked.
    pub peek_latency: u64,
    /// Initiation interval of peek.
    pub peek_interval: u64,
    /// From a head taken to the first cycle in which it may be granted.
    pub head_delay: u64,
    /// From a grant to the first cycle in which its place is free.
    pub head_release: u64,
    /// From a write of the CCT to the first grant that it delays.
    pub cct_delay: u64,
    /// Added to a round of the sweep.
    pub pipeline: u64,
    /// Cycles of a round of the sweep.
    pub round: u64,
}

impl Figures {
    /// As the table documents them.
    pub fn of(params: &ParamSet) -> Self {
        Self::new(params, |name| BLOCK.cycles(name))
    }

    /// From a look-up by name; `name_large` is asked for above 64 entries where the table has it.
    pub fn new(params: &ParamSet, cycles: impl Fn(&str) -> u64) -> Self {
        let entries = params.get("ENTRIES");
        let figure = |name: &str| {
            let large = format!("{name}_large");
            let has_large = BLOCK.timing.iter().any(|t| t.name == large);
            cycles(if entries > SMALL_ENTRIES && has_large { &large } else { name })
        };
        let sweep_interval = figure("sweep_interval");
        Self {
            becn_interval: figure("becn_interval"),
            grant_interval: figure("grant_interval"),
            grant_hold: figure("grant_hold"),
            sweep_interval,
            upd_latency: figure("upd_latency"),
            decay_latency: figure("decay_latency"),
            grant_latency: figure("grant_latency"),
            stalled_latency: figure("stalled_latency"),
            err_latency: figure("err_latency"),
            peek_latency: figure("peek_latency"),
            peek_interval: figure("peek_interval"),
            head_delay: figure("head_delay"),
            head_release: figure("head_release"),
            cct_delay: figure("cct_delay"),
            pipeline: figure("pipeline"),
            round: entries as u64 * sweep_interval,
        }
    }

    /// The most that a due decay is served late, and the shortest legal period, cycles.
    pub fn lateness(&self) -> u64 {
        self.round + self.pipeline
    }

    /// The longest delay from an event to a beat or an effect, cycles.
    pub fn longest(&self) -> u64 {
        [
            self.upd_latency,
            self.decay_latency,
            self.grant_latency,
            self.stalled_latency,
            self.err_latency,
            self.peek_latency,
            self.head_release,
            self.cct_delay,
        ]
        .into_iter()
        .fold(0, u64::max)
    }
}
