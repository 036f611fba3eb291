//! What `congruent perf` plays and measures of a block: named traffic, paths from event to effect,
//! documented rates, causes of stalls, use of tables. Everything is seen on the pins, so that the
//! golden model and any RTL are measured alike.

use crate::scenario::Leg;
use crate::stimulus::Stimulus;
use congruent_ports::Block;

/// What is played and measured.
pub struct Plan {
    /// Named traffic.
    pub traffic: Vec<Traffic>,
    /// Paths from an event to its effect.
    pub paths: Vec<Path>,
    /// Documented initiation intervals.
    pub intervals: Vec<Interval>,
    /// The input channel of which a packet takes one beat.
    pub packets: &'static str,
}

/// Traffic with a name.
pub struct Traffic {
    /// Name, lower_snake_case.
    pub name: &'static str,
    /// What it offers.
    pub doc: &'static str,
    /// The leg; its last answers are waited for.
    pub leg: Leg,
    /// Paths that are measured in it: those whose every first event has its effect there.
    pub paths: &'static [&'static str],
    /// Channels that are offered a beat in every cycle: their interval is measured here.
    pub saturated: &'static [&'static str],
}

/// From an accepted beat of one channel to a beat of another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path {
    /// Name, lower_snake_case.
    pub name: &'static str,
    /// Channel of the event.
    pub from: &'static str,
    /// Channel of the effect.
    pub to: &'static str,
    /// Field of the effect and the value that makes it one; any beat without.
    pub only: Option<(&'static str, u64)>,
    /// Fields of event and effect that must be equal; without, they pair in order.
    pub by: Option<(&'static str, &'static str)>,
    /// Documented cycles, least and most.
    pub documented: (u64, u64),
}

/// A documented initiation interval of an input channel.
#[derive(Debug, Clone, Copy)]
pub struct Interval {
    /// The channel.
    pub channel: &'static str,
    /// Cycles from an accepted beat to the next one that can be.
    pub cycles: u64,
}

/// Looks at every row for what only the block can tell: why something stood, how full a table is.
pub trait Probe {
    /// A row: what the pins carried in a cycle.
    fn row(&mut self, inputs: &[u64], outputs: &[u64]);

    /// Cause, and cycles (of one context each) that it cost.
    fn stalls(&self) -> Vec<(&'static str, u64)>;

    /// Use of tables.
    fn tables(&self) -> Vec<TableUse>;
}

/// How a table was used.
#[derive(Debug, Clone, PartialEq)]
pub struct TableUse {
    /// What it holds.
    pub name: &'static str,
    /// Its size.
    pub entries: u64,
    /// Mean of the entries in use.
    pub mean: f64,
    /// Most entries in use.
    pub most: u64,
    /// Look-ups that found an entry, and those that did not; none where nothing is looked up.
    pub lookups: Option<(u64, u64)>,
}

/// Counts how many of a table's entries are in use, cycle by cycle.
#[derive(Debug)]
pub struct Occupancy {
    used: Vec<bool>,
    now: u64,
    most: u64,
    sum: u64,
    cycles: u64,
}

impl Occupancy {
    /// Nothing in use.
    pub fn new(entries: u64) -> Self {
        Self { used: vec![false; entries as usize], now: 0, most: 0, sum: 0, cycles: 0 }
    }

    /// An entry is in use from now on, or is not; one outside the table is ignored.
    pub fn set(&mut self, entry: u64, used: bool) {
        let Some(slot) = self.used.get_mut(entry as usize) else { return };
        match (*slot, used) {
            (false, true) => self.now += 1,
            (true, false) => self.now -= 1,
            _ => (),
        }
        *slot = used;
    }

    /// Whether an entry is in use.
    pub fn is_used(&self, entry: u64) -> bool {
        self.used.get(entry as usize).copied().unwrap_or(false)
    }

    /// A cycle is over.
    pub fn tick(&mut self) {
        self.sum += self.now;
        self.most = self.most.max(self.now);
        self.cycles += 1;
    }

    /// As a table's use.
    pub fn table(&self, name: &'static str, lookups: Option<(u64, u64)>) -> TableUse {
        let mean = self.sum as f64 / self.cycles.max(1) as f64;
        TableUse { name, entries: self.used.len() as u64, mean, most: self.most, lookups }
    }
}

/// A stimulus made of beats that a rule places.
#[derive(Debug)]
pub struct Builder {
    block: &'static Block,
    stimulus: Stimulus,
}

impl Builder {
    /// Nothing yet.
    pub fn new(block: &'static Block) -> Self {
        Self { block, stimulus: Stimulus::new(block) }
    }

    /// A beat on an input channel, in ascending order of cycles a channel.
    ///
    /// # Panics
    /// If there is no such channel: a mistake in the code, not in a user's input.
    pub fn beat(&mut self, channel: &str, cycle: u64, payload: &[u64]) {
        let mut inputs = self.block.channels.iter().filter(|c| c.dir == congruent_ports::Dir::In);
        match inputs.position(|c| c.name == channel) {
            Some(number) => self.stimulus.push(number, cycle, payload),
            None => panic!("block {} has no input channel `{channel}`", self.block.name),
        }
    }

    /// The beats that a rule gives for each cycle.
    #[must_use]
    pub fn each(
        mut self,
        channel: &str,
        cycles: std::ops::Range<u64>,
        mut payload: impl FnMut(u64) -> Option<Vec<u64>>,
    ) -> Self {
        for cycle in cycles {
            if let Some(words) = payload(cycle) {
                self.beat(channel, cycle, &words);
            }
        }
        self
    }

    /// The stimulus.
    pub fn done(self) -> Stimulus {
        self.stimulus
    }
}
