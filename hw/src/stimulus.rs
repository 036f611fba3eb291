//! Streams of beats: what generators, CSV files and shrinking work on.

use congruent_ports::{Block, Channel, Dir};

/// Beats of one input channel. Each is offered from its cycle on until it is taken, in order.
#[derive(Debug, Clone, PartialEq)]
pub struct Stream {
    fields: usize,
    not_before: Vec<u64>,
    words: Vec<u64>,
}

impl Stream {
    /// No beats, for a channel.
    pub fn new(channel: &Channel) -> Self {
        Self { fields: channel.fields.len(), not_before: vec![], words: vec![] }
    }

    /// Appends a beat: the cycle from which it is offered, and its payload in field order.
    ///
    /// # Panics
    /// If the payload has not one word a field: a mistake in the code, not in a user's input.
    pub fn push(&mut self, not_before: u64, payload: &[u64]) {
        assert_eq!(payload.len(), self.fields, "one word a field");
        self.not_before.push(not_before);
        self.words.extend_from_slice(payload);
    }

    /// Number of beats.
    pub fn len(&self) -> usize {
        self.not_before.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.not_before.is_empty()
    }

    /// Cycle from which beat `n` is offered.
    #[inline]
    pub fn not_before(&self, n: usize) -> Option<u64> {
        self.not_before.get(n).copied()
    }

    /// Payload of beat `n`, in field order.
    #[inline]
    pub fn payload(&self, n: usize) -> &[u64] {
        &self.words[n * self.fields..(n + 1) * self.fields]
    }
}

/// A reset in mid-run: what is played is begun, a reset comes in the middle of things, and then all of
/// it is played on the same hardware, which must show nothing of the attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MidReset {
    /// Cycles of the attempt.
    pub after: u64,
    /// Cycles by which the reset is longer than usual.
    pub longer: u32,
}

/// A stream for each input channel, and how long to run at the least.
#[derive(Debug, Clone, PartialEq)]
pub struct Stimulus {
    /// One stream for each input channel, in table order.
    pub streams: Vec<Stream>,
    /// Changes of each control, in table order: the cycle from which it has the value, ascending.
    /// Before the first change and from cycle `cycles` on it is idle.
    pub controls: Vec<Vec<(u64, u64)>>,
    /// Cycles to run at the least, the last beat's included.
    pub cycles: u64,
    /// A first attempt that a reset cuts off.
    pub reset: Option<MidReset>,
}

impl Stimulus {
    /// No beats.
    pub fn new(block: &Block) -> Self {
        let streams = block.channels.iter().filter(|c| c.dir == Dir::In).map(Stream::new).collect();
        Self { streams, controls: vec![vec![]; block.controls.len()], cycles: 0, reset: None }
    }

    /// Appends a beat to input channel number `channel` and extends the run to it.
    pub fn push(&mut self, channel: usize, not_before: u64, payload: &[u64]) {
        self.streams[channel].push(not_before, payload);
        self.cycles = self.cycles.max(not_before + 1);
    }

    /// Control number `control` has this value from `cycle` on; extends the run to it.
    pub fn control(&mut self, control: usize, cycle: u64, value: u64) {
        self.controls[control].push((cycle, value));
        self.cycles = self.cycles.max(cycle + 1);
    }

    /// Leaves out the beats and changes from cycle `cycles` on.
    pub fn truncate(&mut self, cycles: u64) {
        for stream in &mut self.streams {
            let keep = stream.not_before.partition_point(|cycle| *cycle < cycles);
            stream.not_before.truncate(keep);
            stream.words.truncate(keep * stream.fields);
        }
        for changes in &mut self.controls {
            changes.retain(|(cycle, _)| *cycle < cycles);
        }
        self.cycles = self.cycles.min(cycles);
    }

    /// This one and then `next`, which begins when this one's length is over.
    #[must_use]
    pub fn then(mut self, next: &Self) -> Self {
        let after = self.cycles;
        for (stream, more) in self.streams.iter_mut().zip(&next.streams) {
            stream.not_before.extend(more.not_before.iter().map(|cycle| cycle + after));
            stream.words.extend_from_slice(&more.words);
        }
        for (changes, more) in self.controls.iter_mut().zip(&next.controls) {
            changes.extend(more.iter().map(|(cycle, value)| (cycle + after, *value)));
        }
        self.cycles += next.cycles;
        self
    }

    /// What is played before the reset in mid-run, if there is one.
    pub fn attempt(&self) -> Option<(Self, MidReset)> {
        let reset = self.reset?;
        let mut attempt = Self { reset: None, ..self.clone() };
        attempt.truncate(reset.after);
        Some((attempt, reset))
    }

    /// Number of beats in all.
    pub fn beats(&self) -> usize {
        self.streams.iter().map(Stream::len).sum()
    }
}
