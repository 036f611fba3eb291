//! Drivers: offer each beat of a stream from its cycle on, until it is taken.

use congruent_hw::stimulus::Stimulus;
use congruent_ports::{ChannelLayout, Layout};

/// Offers a stimulus to the input channels of a block, cycle by cycle.
#[derive(Debug)]
pub struct Driver<'a> {
    stimulus: &'a Stimulus,
    /// The input channels.
    channels: Vec<ChannelLayout>,
    /// Value of each control while it is idle, from this word of the inputs on.
    idle: Vec<u64>,
    controls: usize,
    /// For each channel: the next beat to be taken.
    next: Vec<usize>,
    cycle: u64,
    /// Cycle in which a beat was last taken.
    last: u64,
}

impl<'a> Driver<'a> {
    /// Starts in cycle 0.
    pub fn new(stimulus: &'a Stimulus, layout: &Layout) -> Self {
        Self {
            stimulus,
            channels: layout.channels_in.clone(),
            idle: layout.block.controls.iter().map(|c| c.idle).collect(),
            controls: layout.controls,
            next: vec![0; layout.channels_in.len()],
            cycle: 0,
            last: 0,
        }
    }

    /// Fills the inputs of this cycle's row; payload of a channel without a beat stays as it was.
    #[inline]
    pub fn offer(&self, inputs: &mut [u64]) {
        for ((stream, next), channel) in
            self.stimulus.streams.iter().zip(&self.next).zip(&self.channels)
        {
            let offered = stream.not_before(*next).is_some_and(|from| from <= self.cycle);
            inputs[channel.valid] = u64::from(offered);
            if offered {
                let payload = stream.payload(*next);
                inputs[channel.fields..channel.fields + payload.len()].copy_from_slice(payload);
            }
        }
        let controls = inputs[self.controls..].iter_mut().zip(&self.idle);
        for ((word, idle), changes) in controls.zip(&self.stimulus.controls) {
            // Past its length a stimulus holds no control any more: a beat that one of them keeps
            // from being taken would never be.
            let over = self.cycle >= self.stimulus.cycles;
            let set = changes.partition_point(|(cycle, _)| *cycle <= self.cycle);
            *word = if over || set == 0 { *idle } else { changes[set - 1].1 };
        }
    }

    /// Fills the inputs of a row without beats, the controls idle.
    #[inline]
    pub fn silence(&self, inputs: &mut [u64]) {
        for channel in &self.channels {
            inputs[channel.valid] = 0;
        }
        inputs[self.controls..].copy_from_slice(&self.idle);
    }

    /// Cycles from this one on in which nothing is offered and no control changes, as far as the
    /// stimulus' own length goes.
    pub fn quiet(&self) -> u64 {
        let streams = self.stimulus.streams.iter().zip(&self.next);
        let beats = streams.filter_map(|(stream, next)| stream.not_before(*next));
        let changes = self.stimulus.controls.iter().filter_map(|changes| {
            let done = changes.partition_point(|(cycle, _)| *cycle < self.cycle);
            changes.get(done).map(|(cycle, _)| *cycle)
        });
        let next = beats.chain(changes).min();
        next.unwrap_or(self.stimulus.cycles).saturating_sub(self.cycle)
    }

    /// The outputs that the block showed in this cycle: beats with valid and ready are taken.
    #[inline]
    pub fn taken(&mut self, inputs: &[u64], outputs: &[u64]) {
        for (channel, next) in self.channels.iter().zip(&mut self.next) {
            if channel.is_taken(inputs, outputs) {
                *next += 1;
                self.last = self.cycle;
            }
        }
        self.cycle += 1;
    }

    /// This cycle's row is taken for granted: every beat that was offered is taken.
    #[inline]
    pub fn assume_taken(&mut self, inputs: &[u64]) {
        for (channel, next) in self.channels.iter().zip(&mut self.next) {
            if inputs[channel.valid] != 0 {
                *next += 1;
                self.last = self.cycle;
            }
        }
        self.cycle += 1;
    }

    /// Whether a row offers a beat on a channel that may refuse it.
    pub fn may_be_refused(&self, inputs: &[u64]) -> bool {
        self.channels.iter().any(|c| c.ready.is_some() && inputs[c.valid] != 0)
    }

    /// Whether a row's outputs refuse one of its beats.
    pub fn refused(&self, inputs: &[u64], outputs: &[u64]) -> bool {
        self.channels.iter().any(|c| inputs[c.valid] != 0 && !c.is_ready(inputs, outputs))
    }

    /// How far it has come.
    pub fn position(&self) -> Position {
        Position { next: self.next.clone(), cycle: self.cycle, last: self.last }
    }

    /// Goes back to an earlier position: the rows from there on were not run.
    pub fn rewind(&mut self, position: &Position) {
        self.next.clone_from(&position.next);
        self.cycle = position.cycle;
        self.last = position.last;
    }

    /// Whether every beat was taken and the stimulus' own length is over.
    pub fn done(&self) -> bool {
        self.cycle >= self.stimulus.cycles
            && self.stimulus.streams.iter().zip(&self.next).all(|(s, next)| *next == s.len())
    }

    /// Whether beats are left and none was taken for this long, past the stimulus' own length.
    pub fn is_stuck(&self, patience: u64) -> bool {
        self.cycle > self.stimulus.cycles.max(self.last) + patience && !self.done()
    }

    /// Cycles driven so far.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }
}

/// How far a driver has come.
#[derive(Debug, Clone)]
pub struct Position {
    next: Vec<usize>,
    cycle: u64,
    last: u64,
}
