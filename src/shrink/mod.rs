//! Shrinking: the smallest stimulus that still diverges in the same way.
//!
//! A stimulus is cut again and again, and a cut stays where the DUT then still shows the same
//! [`Signature`]. First whole stretches go, then events by halves and one by one, then cycles between
//! them, then the bits of their fields, then attributes go to their defaults; and all of it again, until
//! nothing helps. No stimulus is tried twice, and the same one comes out each time.

mod keep;
mod shape;
mod trial;

pub use keep::keep;
pub use shape::{Event, Input, Shape, Size};
pub use trial::{Stage, Trial};

use crate::check::Compare;
use crate::error::{Error, Result};
use crate::finding::Signature;
use congruent_hw::attributes::AttributeSet;
use congruent_hw::scenario::Leg;
use congruent_ports::FieldRole;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::thread;
use std::time::{Duration, Instant};

/// How long shrinking may go on. Whatever ends it, the smallest stimulus so far is kept.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// Tries.
    pub tries: u64,
    /// Time.
    pub time: Option<Duration>,
    /// Whether it was asked to end, by Ctrl-C.
    pub interrupted: &'a (dyn Fn() -> bool + Sync),
    /// Told after every try: the size of the smallest so far, and the tries.
    pub progress: &'a (dyn Fn(Size, u64) + Sync),
}

/// Why shrinking ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// Nothing smaller of the kinds that are tried shows the same.
    Smallest,
    /// All tries were used.
    Tries,
    /// The time was over.
    Time,
    /// Ctrl-C.
    Interrupted,
}

/// What shrinking came to.
#[derive(Debug)]
pub struct Shrunk {
    /// The smallest stimulus.
    pub leg: Leg,
    /// Size of what it came from.
    pub before: Size,
    /// Its size.
    pub after: Size,
    /// Tries.
    pub tries: u64,
    /// Why it ended.
    pub stop: Stop,
}

impl Shrunk {
    /// From what to what, in a sentence.
    pub fn sentence(&self) -> String {
        let Self { before, after, tries, .. } = self;
        let more = match self.stop {
            Stop::Smallest => "",
            Stop::Tries => "; all tries were used, there may be a smaller one",
            Stop::Time => "; the time was over, there may be a smaller one",
            Stop::Interrupted => "; interrupted, there may be a smaller one",
        };
        format!("{before} to {after}, in {tries} tries{more}")
    }
}

/// Shrinks a leg to the smallest that shows the signature. None where the leg itself does not show it,
/// played for as many cycles as it says on a fresh DUT.
///
/// # Errors
/// A DUT that cannot be made.
pub fn shrink(
    stage: &Stage<'_>,
    leg: &Leg,
    signature: &Signature,
    limits: Limits<'_>,
) -> Result<Option<Shrunk>> {
    // A fresh thread: Verilator keeps its random state per thread.
    thread::scope(|scope| {
        let search = scope.spawn(|| {
            let first = Search::new(stage, leg, signature, limits, false).run()?;
            let Some(first) = first else { return Ok(None) };
            if Trial::new(stage, true).run(&first.leg)?.is_some_and(|(s, _)| s == *signature) {
                return Ok(Some(first));
            }
            // What earlier tries left in the DUT took part. A fresh one each time costs more.
            Search::new(stage, leg, signature, limits, true).run()
        });
        search.join().unwrap_or_else(|_| Err(Error::plain("shrinking ended by a fault")))
    })
}

struct Search<'a> {
    stage: &'a Stage<'a>,
    trial: Trial<'a>,
    signature: &'a Signature,
    limits: Limits<'a>,
    clock: Instant,
    best: Shape,
    before: Size,
    seen: HashSet<[u8; 32]>,
    tries: u64,
    stop: Option<Stop>,
}

impl<'a> Search<'a> {
    fn new(
        stage: &'a Stage<'a>,
        leg: &Leg,
        signature: &'a Signature,
        limits: Limits<'a>,
        fresh: bool,
    ) -> Self {
        let best = Shape::of(leg);
        let before = best.size();
        let (trial, clock) = (Trial::new(stage, fresh), Instant::now());
        let seen = HashSet::new();
        Self { stage, trial, signature, limits, clock, best, before, seen, tries: 0, stop: None }
    }

    fn run(mut self) -> Result<Option<Shrunk>> {
        // The leg itself, whatever the limits: there is something to keep.
        let whole = self.best.clone();
        self.seen.insert(whole.key());
        if !self.shows(whole)? {
            return Ok(None);
        }
        loop {
            let before = self.best.key();
            self.ends()?;
            self.idle()?;
            self.events()?;
            self.gaps()?;
            self.names()?;
            self.fields()?;
            self.attributes()?;
            if self.stop.is_some() || self.best.key() == before {
                break;
            }
        }
        let Self { best, before, tries, stop, .. } = self;
        let (leg, after) = (best.leg(), best.size());
        Ok(Some(Shrunk { leg, before, after, tries, stop: stop.unwrap_or(Stop::Smallest) }))
    }

    /// Tries a stimulus, and keeps it if it shows the same.
    fn attempt(&mut self, shape: Shape) -> Result<bool> {
        if self.stop.is_none() {
            self.stop = self.limit();
        }
        if self.stop.is_some() || !self.seen.insert(shape.key()) {
            return Ok(false);
        }
        self.tries += 1;
        self.shows(shape)
    }

    /// Whether a stimulus shows the same; then it is the best.
    fn shows(&mut self, mut shape: Shape) -> Result<bool> {
        let shown = self.trial.run(&shape.leg())?;
        let cycle = shown.and_then(|(shown, cycle)| (shown == *self.signature).then_some(cycle));
        if let Some(cycle) = cycle {
            // What comes after a difference takes no part in it. (Of a steered run it may: there the
            // answer to what has come last may be due yet.)
            if !self.is_steered() {
                shape.cut((cycle + 1).min(shape.cycles));
                self.seen.insert(shape.key());
            }
            self.best = shape;
        }
        (self.limits.progress)(self.best.size(), self.tries);
        Ok(cycle.is_some())
    }

    fn is_steered(&self) -> bool {
        matches!(self.stage.compare, Compare::Steered(_))
    }

    fn limit(&self) -> Option<Stop> {
        let Limits { tries, time, interrupted, .. } = self.limits;
        match () {
            () if interrupted() => Some(Stop::Interrupted),
            () if self.tries >= tries => Some(Stop::Tries),
            () if time.is_some_and(|time| self.clock.elapsed() >= time) => Some(Stop::Time),
            () => None,
        }
    }

    /// Ends earlier, then begins later: by halves of what is left.
    fn ends(&mut self) -> Result<()> {
        // A run that is compared cycle by cycle ends with its difference already.
        let (mut fails, mut shows) = (0, self.best.cycles);
        while self.is_steered() && fails + 1 < shows && self.stop.is_none() {
            let middle = fails + (shows - fails) / 2;
            let mut shape = self.best.clone();
            shape.cut(middle);
            match self.attempt(shape)? {
                true => shows = middle.min(self.best.cycles),
                false => fails = middle,
            }
        }
        let mut part = self.best.events.len() / 2;
        while part > 0 {
            let without = self.best.without(0..part);
            let first = without.events.first().map_or(0, |event| event.at);
            let mut gaps = without.gaps();
            gaps[0] -= first.min(gaps[0]);
            let shifted = without.with_gaps(&gaps);
            let shown = match shifted {
                Some(shape) => self.attempt(shape)?,
                None => false,
            };
            let shown = shown || self.attempt(without)?;
            part = if shown { self.best.events.len() / 2 } else { part / 2 };
        }
        Ok(())
    }

    /// No stretch without an event longer than so many cycles, as few as possible.
    fn idle(&mut self) -> Result<()> {
        let mut most = 1;
        while self.stop.is_none() && self.best.gaps().iter().any(|gap| *gap > most) {
            let gaps: Vec<_> = self.best.gaps().iter().map(|gap| *gap.min(&most)).collect();
            if let Some(shape) = self.best.with_gaps(&gaps)
                && self.attempt(shape)?
            {
                break;
            }
            most *= 2;
        }
        Ok(())
    }

    /// Without events: halves of them, quarters, down to each by itself.
    fn events(&mut self) -> Result<()> {
        let mut part = self.best.events.len().div_ceil(2);
        while part > 0 && self.stop.is_none() {
            let mut at = 0;
            while at < self.best.events.len() {
                let to = (at + part).min(self.best.events.len());
                if !self.attempt(self.best.without(at..to))? {
                    at = to;
                }
            }
            part /= 2;
        }
        Ok(())
    }

    /// Each stretch without an event as short as possible.
    fn gaps(&mut self) -> Result<()> {
        for n in 0..=self.best.events.len() {
            // An earlier end may have taken the last ones away.
            let Some(mut shows) = self.best.gaps().get(n).copied() else { break };
            let mut fails = None;
            while fails.map_or(0, |gap| gap + 1) < shows && self.stop.is_none() {
                let gap = match fails {
                    None => 0,
                    Some(0) => 1,
                    Some(fails) => fails + (shows - fails) / 2,
                };
                let mut gaps = self.best.gaps();
                if n >= gaps.len() {
                    break;
                }
                gaps[n] = gap;
                let shown = match self.best.with_gaps(&gaps) {
                    Some(shape) => self.attempt(shape)?,
                    None => false,
                };
                match shown {
                    true => shows = gap,
                    false => fails = Some(gap),
                }
            }
        }
        Ok(())
    }

    /// Contexts and keys get the smallest numbers, each the same one wherever it is named.
    fn names(&mut self) -> Result<()> {
        let mut places: BTreeMap<&str, Vec<(usize, usize)>> = BTreeMap::new();
        for (n, c) in self.stage.layout.channels_in.iter().enumerate() {
            for (field, table) in c.channel.fields.iter().enumerate() {
                if matches!(table.role, FieldRole::Context | FieldRole::Key) {
                    places.entry(table.name).or_default().push((n, field));
                }
            }
        }
        for places in places.values() {
            for old in self.named(places) {
                let used = self.named(places);
                // 0 may mean something of its own: the next one is tried as well.
                for new in (0..old).filter(|new| !used.contains(new)).take(2) {
                    let mut shape = self.best.clone();
                    let words = words(&mut shape, places).into_iter();
                    words.filter(|word| **word == old).for_each(|word| *word = new);
                    if self.attempt(shape)? {
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    fn named(&self, places: &[(usize, usize)]) -> BTreeSet<u64> {
        words(&mut self.best.clone(), places).into_iter().map(|word| *word).collect()
    }

    /// Fields towards 0 and controls towards idle: a field of all beats, then of each, then bit by bit.
    fn fields(&mut self) -> Result<()> {
        for (n, c) in self.stage.layout.channels_in.iter().enumerate() {
            for field in 0..c.channel.fields.len() {
                let mut shape = self.best.clone();
                words(&mut shape, &[(n, field)]).into_iter().for_each(|word| *word = 0);
                self.attempt(shape)?;
            }
        }
        let controls = self.stage.layout.block.controls;
        let mut event = 0;
        while event < self.best.events.len() && self.stop.is_none() {
            let goal = match self.best.events[event].input {
                Input::Channel(_) => 0,
                Input::Control(n) => controls[n].idle,
            };
            for word in 0..self.best.events[event].words.len() {
                self.towards(event, word, goal)?;
                if event >= self.best.events.len() {
                    break;
                }
            }
            event += 1;
        }
        Ok(())
    }

    /// One word towards its goal: all of it, or the number beside it, or else each of its bits, the
    /// highest first.
    fn towards(&mut self, event: usize, word: usize, goal: u64) -> Result<()> {
        let bits = (0..64).rev().map(|bit| (1 << bit, goal));
        for (mask, to) in [(u64::MAX, goal), (u64::MAX, goal ^ 1)].into_iter().chain(bits) {
            let Some(now) = self.best.events.get(event).map(|event| event.words[word]) else {
                break;
            };
            let next = now & !mask | to & mask;
            // A step leads nearer to the goal.
            if next ^ goal >= now ^ goal {
                continue;
            }
            let mut shape = self.best.clone();
            shape.events[event].words[word] = next;
            self.attempt(shape)?;
        }
        Ok(())
    }

    /// Attributes to their defaults: all of them, or else each by itself.
    fn attributes(&mut self) -> Result<()> {
        let layout = self.stage.layout;
        let defaults = AttributeSet::defaults_under(layout.block, &layout.params);
        self.attempt(Shape { attributes: defaults.clone(), ..self.best.clone() })?;
        for (attribute, value) in defaults.iter() {
            let mut shape = self.best.clone();
            if shape.attributes.get(attribute.name) != value
                && shape.attributes.set(attribute.name, value).is_ok()
            {
                self.attempt(shape)?;
            }
        }
        Ok(())
    }
}

/// The words of some fields in all events.
fn words<'s>(shape: &'s mut Shape, places: &[(usize, usize)]) -> Vec<&'s mut u64> {
    let of = |event: &'s mut Event| {
        let field = places.iter().find(|(n, _)| event.input == Input::Channel(*n))?.1;
        event.words.get_mut(field)
    };
    shape.events.iter_mut().filter_map(of).collect()
}
