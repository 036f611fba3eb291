//! `perf`: plays named traffic and measures on the pins what it takes: latencies, accepted beats,
//! stalls, use of tables. The golden model and the RTL are measured by the same meter.

use crate::engine::{self, Engine};
use crate::error::{Error, Result};
use congruent_hw::perf::{Path, Plan, Probe, TableUse, Traffic};
use congruent_hw::unit::Unit;
use congruent_ports::{ChannelLayout, Dir, Layout};
use std::collections::{BTreeMap, HashMap, VecDeque};

/// Cycles, and how often.
pub type Histogram = BTreeMap<u64, u64>;

/// What was measured of one traffic on one side.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// Cycles played, the last answers' included.
    pub cycles: u64,
    /// For each path of the traffic: its latencies.
    pub paths: Vec<(Path, Histogram)>,
    /// For each input channel: how it was taken.
    pub channels: Vec<Accepted>,
    /// Cause and cycles.
    pub stalls: Vec<(&'static str, u64)>,
    /// Use of tables.
    pub tables: Vec<TableUse>,
}

/// How the beats of an input channel were taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accepted {
    /// The channel.
    pub channel: &'static str,
    /// Beats taken.
    pub beats: u64,
    /// Cycles in which a beat was offered and refused.
    pub refused: u64,
    /// Least and most cycles from a beat taken to the next while one was offered all the time.
    pub interval: Option<(u64, u64)>,
    /// Cycles from the first to the last beat taken, both included.
    pub span: u64,
}

/// Plays one traffic through an engine and measures.
///
/// # Errors
/// As [`engine::play`]; an event of a measured path that has no effect.
pub fn measure(
    unit: &dyn Unit,
    plan: &Plan,
    traffic: &Traffic,
    layout: &Layout,
    engine: &mut dyn Engine,
) -> Result<Measured> {
    let mut meters: Vec<_> = plan
        .paths
        .iter()
        .filter(|path| traffic.paths.contains(&path.name))
        .map(|path| Meter::new(path, layout))
        .collect();
    let mut channels: Vec<_> = layout.channels_in.iter().map(Count::new).collect();
    let mut probe: Box<dyn Probe> = unit.probe(&layout.params);
    let cycles = engine::play(engine, &traffic.leg.stimulus, layout, |cycle, inputs, outputs| {
        meters.iter_mut().for_each(|meter| meter.row(cycle, inputs, outputs));
        channels.iter_mut().for_each(|count| count.row(cycle, inputs, outputs));
        probe.row(inputs, outputs);
        Ok(())
    })?;
    let paths = meters.into_iter().map(|meter| meter.done(traffic.name)).collect::<Result<_>>()?;
    let channels = channels.iter().filter(|count| count.beats > 0).map(Count::done).collect();
    Ok(Measured { cycles, paths, channels, stalls: probe.stalls(), tables: probe.tables() })
}

/// Measures a path.
struct Meter<'a> {
    path: &'a Path,
    from: &'a ChannelLayout,
    from_in: bool,
    to: &'a ChannelLayout,
    to_in: bool,
    /// Words of the fields that event and effect share.
    by: Option<(usize, usize)>,
    only: Option<(usize, u64)>,
    /// Cycles of events without their effect yet, by the value of that field.
    open: HashMap<u64, VecDeque<u64>>,
    seen: Histogram,
    strays: u64,
}

impl<'a> Meter<'a> {
    fn new(path: &'a Path, layout: &'a Layout) -> Self {
        let channel = |name: &str| {
            let input = layout.block.channel(name).is_some_and(|c| c.dir == Dir::In);
            (if input { layout.input(name) } else { layout.output(name) }, input)
        };
        let ((from, from_in), (to, to_in)) = (channel(path.from), channel(path.to));
        // A name that is not there is a mistake in a plan; a test plays every plan.
        let word = |at: &ChannelLayout, name: &str| match at.channel.field(name) {
            Some(field) => at.fields + field,
            None => panic!("channel {} has no field `{name}`", at.channel.name),
        };
        let by = path.by.map(|(event, effect)| (word(from, event), word(to, effect)));
        let only = path.only.map(|(name, value)| (word(to, name), value));
        let (open, seen) = (HashMap::new(), Histogram::new());
        Self { path, from, from_in, to, to_in, by, only, open, seen, strays: 0 }
    }

    fn row(&mut self, cycle: u64, inputs: &[u64], outputs: &[u64]) {
        let sides = |input| if input { (inputs, outputs) } else { (outputs, inputs) };
        let (own, opposite) = sides(self.from_in);
        if self.from.is_taken(own, opposite) {
            let key = self.by.map_or(0, |(event, _)| own[event]);
            self.open.entry(key).or_default().push_back(cycle);
        }
        let (own, opposite) = sides(self.to_in);
        let is_effect = self.only.is_none_or(|(word, value)| own[word] == value);
        if self.to.is_taken(own, opposite) && is_effect {
            let key = self.by.map_or(0, |(_, effect)| own[effect]);
            match self.open.get_mut(&key).and_then(VecDeque::pop_front) {
                Some(event) => *self.seen.entry(cycle - event).or_default() += 1,
                None => self.strays += 1,
            }
        }
    }

    fn done(self, traffic: &str) -> Result<(Path, Histogram)> {
        let open: usize = self.open.values().map(VecDeque::len).sum();
        if open > 0 || self.strays > 0 {
            return Err(Error::plain(format!(
                "{}, traffic {traffic}: {open} beats of {} have no beat of {}, {} the other way round",
                self.path.name, self.path.from, self.path.to, self.strays
            )));
        }
        Ok((self.path.clone(), self.seen))
    }
}

/// Counts beats of an input channel.
struct Count<'a> {
    at: &'a ChannelLayout,
    beats: u64,
    refused: u64,
    interval: Option<(u64, u64)>,
    first: u64,
    last: Option<u64>,
    /// Whether a beat was offered in every cycle since the last one taken.
    pressed: bool,
}

impl<'a> Count<'a> {
    fn new(at: &'a ChannelLayout) -> Self {
        Self { at, beats: 0, refused: 0, interval: None, first: 0, last: None, pressed: false }
    }

    fn row(&mut self, cycle: u64, inputs: &[u64], outputs: &[u64]) {
        let offered = inputs[self.at.valid] != 0;
        if !self.at.is_taken(inputs, outputs) {
            self.refused += u64::from(offered);
            self.pressed &= offered;
            return;
        }
        match self.last {
            None => self.first = cycle,
            Some(last) if self.pressed => {
                let (least, most) = self.interval.unwrap_or((u64::MAX, 0));
                self.interval = Some((least.min(cycle - last), most.max(cycle - last)));
            }
            Some(_) => {}
        }
        self.beats += 1;
        (self.last, self.pressed) = (Some(cycle), true);
    }

    fn done(&self) -> Accepted {
        Accepted {
            channel: self.at.channel.name,
            beats: self.beats,
            refused: self.refused,
            interval: self.interval,
            span: self.last.map_or(0, |last| last + 1 - self.first),
        }
    }
}

/// The value below or at which a share of all lies, in a histogram that is not empty.
pub fn percentile(histogram: &Histogram, percent: u64) -> u64 {
    let all: u64 = histogram.values().sum();
    let rank = (all * percent).div_ceil(100).max(1);
    let mut seen = 0;
    for (cycles, count) in histogram {
        seen += count;
        if seen >= rank {
            return *cycles;
        }
    }
    histogram.last_key_value().map_or(0, |(cycles, _)| *cycles)
}
