//! Events one after another, as the unit takes them: for generators and tests that must know in
//! which cycle an offered event is taken and what state it meets.

use super::core::{self, Cfg, Context, Event, Outcome};
use congruent_ports::ParamSet;
use congruent_ports::nscc_window::BLOCK;

/// The function that applies an event: the core's, or one with a planted fault.
pub type Apply = fn(&Cfg, &mut Context, u64, &Event) -> Outcome;

/// All destinations, and when the next event can be taken.
#[derive(Debug)]
pub struct Serial {
    cfg: Cfg,
    time_init: u64,
    contexts: Vec<Context>,
    /// First cycle in which an event is taken.
    ready_from: u64,
    /// First cycle whose visit of the sweep was not made.
    swept_to: u64,
    evt_interval: u64,
    apply_interval: u64,
}

impl Serial {
    /// Cycle 0, every destination closed.
    pub fn new(cfg: &Cfg, params: &ParamSet) -> Self {
        Self {
            cfg: cfg.clone(),
            time_init: params.get("TIME_INIT") as u64,
            contexts: vec![core::CLOSED; params.get("DESTS") as usize],
            ready_from: 0,
            swept_to: 0,
            evt_interval: BLOCK.cycles("evt_interval"),
            apply_interval: BLOCK.cycles("apply_interval"),
        }
    }

    /// The cycle in which an event that is offered from `not_before` on is taken. The state is that
    /// which it meets.
    pub fn take(&mut self, not_before: u64) -> u64 {
        let cycle = not_before.max(self.ready_from);
        let contexts = self.contexts.len() as u64;
        for at in self.swept_to..cycle {
            let now = self.now(at);
            core::settle(&self.cfg, &mut self.contexts[(at % contexts) as usize], now);
        }
        self.swept_to = cycle;
        cycle
    }

    /// The cycle counter.
    fn now(&self, cycle: u64) -> u64 {
        self.time_init.wrapping_add(cycle) & self.cfg.time.mask()
    }

    /// Number of destinations.
    pub fn dests(&self) -> u64 {
        self.contexts.len() as u64
    }

    /// State of a destination inside the table.
    pub fn context(&self, dst: u64) -> &Context {
        &self.contexts[dst as usize]
    }

    /// Applies an event in the cycle that `take` returned; `None`: it is outside the table.
    pub fn apply(&mut self, cycle: u64, dst: u64, evt: &Event, apply: Apply) -> Option<Outcome> {
        let now = self.now(cycle);
        let context = self.contexts.get_mut(dst as usize);
        let outcome = context.map(|ctx| apply(&self.cfg, ctx, now, evt));
        let divides = outcome.is_some_and(|o| o.divides());
        self.ready_from = cycle + if divides { self.apply_interval } else { self.evt_interval };
        outcome
    }
}
