//! Directed stimulus cycle by cycle, against a golden model that tells where the sweep is.

use super::core;
use super::model::{Model, input, output};
use super::random::{DEQ, ENQ, PEEK};
use crate::Golden;
use crate::attributes::{AttributeSet, Value};
use crate::scenario::{Leg, Scenario};
use crate::stimulus::Stimulus;
use congruent_ports::ParamSet;
use congruent_ports::pfc_threshold::BLOCK;

/// Most cycles that a script waits for something; a sweep's round and a pause time are shorter.
const PATIENCE: u64 = 4_000;

/// Beats in the order of their cycles.
pub struct Script {
    build: &'static str,
    attributes: AttributeSet,
    model: Model,
    cycle: u64,
    out: Stimulus,
}

impl Script {
    /// Nothing yet, in cycle 0 of a built-in parameter set.
    ///
    /// # Panics
    /// If the attributes are refused there: a mistake in a scenario.
    pub fn new(build: &'static str, changes: &[(&str, Value)]) -> Self {
        let attributes = AttributeSet::defaults(&BLOCK).with(changes);
        let model = Model::new(&attributes, &params(build));
        let model = model.unwrap_or_else(|e| panic!("a scenario on {build} is refused: {e}"));
        Self { build, attributes, model, cycle: 0, out: Stimulus::new(&BLOCK) }
    }

    /// As a scenario.
    pub fn scenario(
        self,
        name: &str,
        doc: &'static str,
        covers: &'static [&'static str],
    ) -> Scenario {
        let mut stimulus = self.out;
        stimulus.cycles = stimulus.cycles.max(self.cycle);
        let leg = Leg { attributes: self.attributes, stimulus };
        Scenario { name: name.to_string(), doc, build: self.build, covers, seed: None, leg }
    }

    /// Bytes that a queue holds in the pool.
    pub fn q(&self, queue: u64) -> u64 {
        self.model.queue(queue as usize).q
    }

    /// One cycle with any of the three events: queue and bytes of a deq and of an enq, queue of a peek.
    pub fn cycle(
        &mut self,
        deq: Option<(u64, u64)>,
        enq: Option<(u64, u64)>,
        peek: Option<u64>,
    ) -> &mut Self {
        let mut row = [0; input::WORDS];
        if let Some((queue, bytes)) = deq {
            self.out.push(DEQ, self.cycle, &[queue, bytes]);
            row[input::DEQ_VALID..=input::DEQ_BYTES].copy_from_slice(&[1, queue, bytes]);
        }
        if let Some((queue, bytes)) = enq {
            self.out.push(ENQ, self.cycle, &[queue, bytes]);
            row[input::ENQ_VALID..=input::ENQ_BYTES].copy_from_slice(&[1, queue, bytes]);
        }
        if let Some(queue) = peek {
            self.out.push(PEEK, self.cycle, &[queue]);
            row[input::PEEK_VALID..=input::PEEK_QUEUE].copy_from_slice(&[1, queue]);
        }
        self.model.step(&row, &mut [0; output::WORDS]);
        self.cycle += 1;
        self
    }

    /// A packet arrives.
    pub fn enq(&mut self, queue: u64, bytes: u64) -> &mut Self {
        self.cycle(None, Some((queue, bytes)), None)
    }

    /// A packet leaves.
    pub fn deq(&mut self, queue: u64, bytes: u64) -> &mut Self {
        self.cycle(Some((queue, bytes)), None, None)
    }

    /// A packet leaves one queue and one arrives for another, or the same.
    pub fn both(&mut self, deq: (u64, u64), enq: (u64, u64)) -> &mut Self {
        self.cycle(Some(deq), Some(enq), None)
    }

    /// A peek, as soon as one is taken.
    pub fn peek(&mut self, queue: u64) -> &mut Self {
        while !self.model.takes_peek() {
            self.idle(1);
        }
        self.cycle(None, None, Some(queue))
    }

    /// Nothing, for so many cycles.
    pub fn idle(&mut self, cycles: u64) -> &mut Self {
        for _ in 0..cycles {
            self.cycle(None, None, None);
        }
        self
    }

    /// Packets back to back until so many bytes have arrived.
    pub fn fill(&mut self, queue: u64, mut bytes: u64) -> &mut Self {
        while bytes > 0 {
            let packet = bytes.min(self.most());
            self.enq(queue, packet);
            bytes -= packet;
        }
        self
    }

    /// Packets back to back until so many bytes have left.
    pub fn drain(&mut self, queue: u64, mut bytes: u64) -> &mut Self {
        while bytes > 0 {
            let packet = bytes.min(self.most());
            self.deq(queue, packet);
            bytes -= packet;
        }
        self
    }

    /// Idle until the sweep visits a queue in the next cycle.
    pub fn until_visit(&mut self, queue: u64) -> &mut Self {
        self.until(|model| model.next_visit() == Some(queue as usize))
    }

    /// Idle until the sweep visits a queue in the next cycle whose refresh is due then.
    pub fn until_refresh(&mut self, queue: u64) -> &mut Self {
        let at = queue as usize;
        self.until(|model| {
            let state = model.queue(at);
            let due = model.cfg().time.reached(model.now(), state.deadline);
            due && state.paused && model.next_visit() == Some(at)
        })
    }

    /// Idle until the next cycle's visit resumes a queue.
    pub fn until_resume(&mut self, queue: u64) -> &mut Self {
        let at = queue as usize;
        self.until(|model| {
            let resumes = core::may_resume(model.cfg(), model.queue(at), model.s());
            resumes && model.next_visit() == Some(at)
        })
    }

    fn until(&mut self, comes: impl Fn(&Model) -> bool) -> &mut Self {
        for _ in 0..PATIENCE {
            if comes(&self.model) {
                return self;
            }
            self.idle(1);
        }
        panic!("a scenario waits for what never comes");
    }

    /// Largest packet, bytes.
    fn most(&self) -> u64 {
        (1 << params(self.build).get("BYTES_W")) - 1
    }
}

/// A built-in parameter set.
///
/// # Panics
/// If there is none of that name: a mistake in a scenario.
pub fn params(build: &str) -> ParamSet {
    match BLOCK.build(build) {
        Some(set) => set.params(&BLOCK),
        None => panic!("no build set {build}"),
    }
}
