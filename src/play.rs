//! Plays a leg into a golden model: its stimulus, idle cycles until all effects have landed and
//! everything is answered, then a peek of every context that is asked for.

use crate::drive::Driver;
use crate::error::{Error, Result};
use congruent_hw::Golden;
use congruent_hw::stimulus::Stimulus;
use congruent_ports::{Block, Dir, Layout};

/// Cycles that a golden model may take to drain before that is taken for a fault.
const DRAIN_LIMIT: u64 = 100_000;

/// A leg as it is played, a row at a time.
#[derive(Debug)]
pub struct Player<'a> {
    main: Driver<'a>,
    peeks: Driver<'a>,
    idle: u64,
    settle: u64,
    phase: Phase,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Main,
    Drain,
    Peeks,
    DrainPeeks,
    Over,
}

impl<'a> Player<'a> {
    /// `peeks` from [`peeks_of`], or an empty stimulus for none.
    pub fn new(stimulus: &'a Stimulus, peeks: &'a Stimulus, layout: &Layout) -> Self {
        Self {
            main: Driver::new(stimulus, layout),
            peeks: Driver::new(peeks, layout),
            idle: 0,
            settle: settle_cycles(layout.block),
            phase: Phase::Main,
        }
    }

    /// Plays one cycle into the golden model: fills both sides of the row. False, and no row, once
    /// everything was played and answered.
    ///
    /// # Errors
    /// A golden model that never drains.
    pub fn step(
        &mut self,
        golden: &mut dyn Golden,
        inputs: &mut [u64],
        outputs: &mut [u64],
    ) -> Result<bool> {
        self.advance(golden)?;
        match self.phase {
            Phase::Over => return Ok(false),
            Phase::Main => self.main.offer(inputs),
            Phase::Peeks => self.peeks.offer(inputs),
            Phase::Drain | Phase::DrainPeeks => self.main.silence(inputs),
        }
        golden.step(inputs, outputs);
        match self.phase {
            Phase::Main => self.main.taken(inputs, outputs),
            Phase::Peeks => self.peeks.taken(inputs, outputs),
            _ => self.idle += 1,
        }
        Ok(true)
    }

    /// Whether the stimulus has been played; what follows is settling and peeks.
    pub fn main_is_over(&self) -> bool {
        self.phase != Phase::Main || self.main.done()
    }

    fn advance(&mut self, golden: &dyn Golden) -> Result<()> {
        if self.phase == Phase::Main && self.main.done() {
            self.phase = Phase::Drain;
        }
        if self.phase == Phase::Drain && self.idle >= self.settle && golden.drained() {
            self.phase = Phase::Peeks;
        }
        if self.phase == Phase::Peeks && self.peeks.done() {
            self.phase = Phase::DrainPeeks;
        }
        if self.phase == Phase::DrainPeeks && golden.drained() {
            self.phase = Phase::Over;
        }
        if self.main.is_stuck(DRAIN_LIMIT) {
            return Err(Error::plain(format!(
                "the golden model left a beat of a channel with ready for {DRAIN_LIMIT} cycles"
            )));
        }
        if self.idle > DRAIN_LIMIT {
            return Err(Error::plain(format!(
                "the golden model did not drain within {DRAIN_LIMIT} idle cycles"
            )));
        }
        Ok(())
    }
}

/// Idle cycles after which the effects of every event have landed: the longest documented way through
/// the block.
pub fn settle_cycles(block: &Block) -> u64 {
    block.timing.iter().map(|t| t.cycles).max().unwrap_or(0)
}

/// Peeks of `contexts`, as a stimulus; empty where the block has no channel `peek`.
pub fn peeks_of(layout: &Layout, contexts: impl IntoIterator<Item = u64>) -> Stimulus {
    let mut peeks = Stimulus::new(layout.block);
    let mut inputs = layout.block.channels.iter().filter(|c| c.dir == Dir::In);
    if let Some(channel) = inputs.position(|c| c.name == "peek") {
        for context in contexts {
            peeks.push(channel, 0, &[context]);
        }
    }
    peeks
}

/// The contexts whose state a stimulus may have changed, sorted, each once: those that it names, those
/// outside the table left out; all of them where its events name none by number.
pub fn contexts_of(stimulus: &Stimulus, layout: &Layout, contexts: u64) -> Vec<u64> {
    let events = || layout.channels_in.iter().filter(|c| c.channel.name != "peek");
    if events().all(|c| c.channel.context().is_none()) {
        return (0..contexts).collect();
    }
    let mut named: Vec<u64> = layout
        .channels_in
        .iter()
        .zip(&stimulus.streams)
        .filter_map(|(c, stream)| c.channel.context().map(|field| (field, stream)))
        .flat_map(|(field, stream)| (0..stream.len()).map(move |n| stream.payload(n)[field]))
        .filter(|context| *context < contexts)
        .collect();
    named.sort_unstable();
    named.dedup();
    named
}
