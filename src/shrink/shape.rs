//! A stimulus as shrinking cuts it: a list of events, which go and come one by one.

use congruent_hw::attributes::AttributeSet;
use congruent_hw::scenario::Leg;
use congruent_hw::stimulus::Stimulus;
use sha2::{Digest, Sha256};
use std::fmt;

/// A beat, or a change of a control.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// The cycle from which a beat is offered, or from which the control has its value.
    pub at: u64,
    /// Which input.
    pub input: Input,
    /// Payload in field order, or the control's value.
    pub words: Vec<u64>,
}

/// Where an event goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Input {
    /// Input channel, by number.
    Channel(usize),
    /// Control, by number.
    Control(usize),
}

/// How large a stimulus is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Beats.
    pub beats: usize,
    /// Changes of controls.
    pub changes: usize,
    /// Cycles.
    pub cycles: u64,
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |n: usize, one: &str| format!("{n} {one}{}", if n == 1 { "" } else { "s" });
        write!(f, "{}", plural(self.beats, "beat"))?;
        if self.changes > 0 {
            write!(f, " and {}", plural(self.changes, "control change"))?;
        }
        write!(f, " in {}", plural(self.cycles as usize, "cycle"))
    }
}

/// A leg as a list of events in the order of their cycles; those of one input keep their order.
#[derive(Debug, Clone)]
pub struct Shape {
    /// Attributes.
    pub attributes: AttributeSet,
    /// The events.
    pub events: Vec<Event>,
    /// Cycles to run.
    pub cycles: u64,
}

impl Shape {
    /// Of a leg.
    pub fn of(leg: &Leg) -> Self {
        let Leg { attributes, stimulus } = leg;
        let mut events = vec![];
        for (n, stream) in stimulus.streams.iter().enumerate() {
            events.extend((0..stream.len()).filter_map(|beat| {
                let (at, words) = (stream.not_before(beat)?, stream.payload(beat).to_vec());
                Some(Event { at, input: Input::Channel(n), words })
            }));
        }
        for (n, changes) in stimulus.controls.iter().enumerate() {
            let event = |&(at, value)| Event { at, input: Input::Control(n), words: vec![value] };
            events.extend(changes.iter().map(event));
        }
        events.sort_by_key(|event| (event.at, event.input));
        Self { attributes: attributes.clone(), events, cycles: stimulus.cycles }
    }

    /// As a leg.
    pub fn leg(&self) -> Leg {
        let mut stimulus = Stimulus::new(self.attributes.block());
        for event in &self.events {
            match event.input {
                Input::Channel(n) => stimulus.push(n, event.at, &event.words),
                Input::Control(n) => stimulus.control(n, event.at, event.words[0]),
            }
        }
        stimulus.cycles = self.cycles;
        Leg { attributes: self.attributes.clone(), stimulus }
    }

    /// How large it is.
    pub fn size(&self) -> Size {
        let beat = |event: &&Event| matches!(event.input, Input::Channel(_));
        let beats = self.events.iter().filter(beat).count();
        Size { beats, changes: self.events.len() - beats, cycles: self.cycles }
    }

    /// What tells it from any other.
    pub fn key(&self) -> [u8; 32] {
        let mut hash = Sha256::new();
        let mut word = |word: u64| hash.update(word.to_le_bytes());
        word(self.cycles);
        for event in &self.events {
            let (kind, n) = match event.input {
                Input::Channel(n) => (0, n),
                Input::Control(n) => (1, n),
            };
            [event.at, kind, n as u64].into_iter().for_each(&mut word);
            event.words.iter().copied().for_each(&mut word);
        }
        for (_, value) in self.attributes.iter() {
            hash.update(value.to_string());
            hash.update([0]);
        }
        hash.finalize().into()
    }

    /// Ends it after so many cycles.
    pub fn cut(&mut self, cycles: u64) {
        self.events.retain(|event| event.at < cycles);
        self.cycles = cycles;
    }

    /// Cycles before each event in which nothing begins, and those after the last one.
    pub fn gaps(&self) -> Vec<u64> {
        let mut last = 0;
        let mut gaps: Vec<u64> = vec![];
        for event in &self.events {
            gaps.push(event.at - last);
            last = event.at;
        }
        gaps.push(self.cycles - last);
        gaps
    }

    /// The same events with other gaps. None where two events of one input would meet in a cycle, or
    /// nothing would be played.
    pub fn with_gaps(&self, gaps: &[u64]) -> Option<Self> {
        let mut shape = self.clone();
        let mut at = 0;
        for (event, gap) in shape.events.iter_mut().zip(gaps) {
            at += gap;
            event.at = at;
        }
        shape.cycles = at + gaps.last()?;
        let last = shape.events.last().map_or(0, |event| event.at + 1);
        let meet = |(n, event): (usize, &Event)| {
            let same_cycle = shape.events[..n].iter().rev().take_while(|e| e.at == event.at);
            same_cycle.into_iter().any(|e| e.input == event.input)
        };
        let clash = shape.events.iter().enumerate().any(meet);
        (!clash && shape.cycles >= last.max(1)).then_some(shape)
    }

    /// Without some of its events.
    pub fn without(&self, events: std::ops::Range<usize>) -> Self {
        let mut shape = self.clone();
        shape.events.drain(events);
        shape
    }
}
