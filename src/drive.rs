//! Drivers: offer each beat of a stream from its cycle on, until it is taken.

use congruent_hw::stimulus::Stimulus;
use congruent_ports::Layout;

/// Offers a stimulus to the input channels of a block, cycle by cycle.
#[derive(Debug)]
pub struct Driver<'a> {
    stimulus: &'a Stimulus,
    /// For each channel: words of valid, of the first field, and of ready among the outputs.
    channels: Vec<(usize, usize, Option<usize>)>,
    /// For each channel: the next beat to be taken.
    next: Vec<usize>,
    cycle: u64,
}

impl<'a> Driver<'a> {
    /// Starts in cycle 0.
    pub fn new(stimulus: &'a Stimulus, layout: &Layout) -> Self {
        let channels: Vec<_> =
            layout.channels_in.iter().map(|c| (c.valid, c.fields, c.ready)).collect();
        let next = vec![0; channels.len()];
        Self { stimulus, channels, next, cycle: 0 }
    }

    /// Fills the inputs of this cycle's row; payload of a channel without a beat stays as it was.
    #[inline]
    pub fn offer(&self, inputs: &mut [u64]) {
        for ((stream, next), (valid, fields, _)) in
            self.stimulus.streams.iter().zip(&self.next).zip(&self.channels)
        {
            let offered = stream.not_before(*next).is_some_and(|from| from <= self.cycle);
            inputs[*valid] = u64::from(offered);
            if offered {
                let payload = stream.payload(*next);
                inputs[*fields..*fields + payload.len()].copy_from_slice(payload);
            }
        }
    }

    /// Fills the inputs of a row without beats.
    #[inline]
    pub fn silence(&self, inputs: &mut [u64]) {
        for (valid, _, _) in &self.channels {
            inputs[*valid] = 0;
        }
    }

    /// Cycles from this one on in which nothing is offered, as far as the stimulus' own length goes.
    pub fn quiet(&self) -> u64 {
        let streams = self.stimulus.streams.iter().zip(&self.next);
        let next = streams.filter_map(|(stream, next)| stream.not_before(*next)).min();
        next.unwrap_or(self.stimulus.cycles).saturating_sub(self.cycle)
    }

    /// The outputs that the block showed in this cycle: beats with valid and ready are taken.
    #[inline]
    pub fn taken(&mut self, inputs: &[u64], outputs: &[u64]) {
        for ((valid, _, ready), next) in self.channels.iter().zip(&mut self.next) {
            let taken = inputs[*valid] != 0 && ready.is_none_or(|r| outputs[r] != 0);
            *next += usize::from(taken);
        }
        self.cycle += 1;
    }

    /// This cycle's row is taken for granted: every beat that was offered is taken.
    #[inline]
    pub fn assume_taken(&mut self, inputs: &[u64]) {
        for ((valid, _, _), next) in self.channels.iter().zip(&mut self.next) {
            *next += usize::from(inputs[*valid] != 0);
        }
        self.cycle += 1;
    }

    /// Whether a row offers a beat on a channel that may refuse it.
    pub fn may_be_refused(&self, inputs: &[u64]) -> bool {
        self.channels.iter().any(|(valid, _, ready)| ready.is_some() && inputs[*valid] != 0)
    }

    /// Whether a row's outputs refuse one of its beats.
    pub fn refused(&self, inputs: &[u64], outputs: &[u64]) -> bool {
        let refuses = |ready: &Option<usize>| ready.is_some_and(|r| outputs[r] == 0);
        self.channels.iter().any(|(valid, _, ready)| inputs[*valid] != 0 && refuses(ready))
    }

    /// How far it has come.
    pub fn position(&self) -> Position {
        Position { next: self.next.clone(), cycle: self.cycle }
    }

    /// Goes back to an earlier position: the rows from there on were not run.
    pub fn rewind(&mut self, position: &Position) {
        self.next.clone_from(&position.next);
        self.cycle = position.cycle;
    }

    /// Whether every beat was taken and the stimulus' own length is over.
    pub fn done(&self) -> bool {
        self.cycle >= self.stimulus.cycles
            && self.stimulus.streams.iter().zip(&self.next).all(|(s, next)| *next == s.len())
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
}
