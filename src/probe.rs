//! `--compare latency=auto`: by how many cycles a DUT is late, found by trying.
//!
//! A few short legs are played into a golden model and the DUT once, the rows of both are kept, and
//! every latency up to [`MOST`] is tried on them by the same comparison that the run then makes. A
//! latency at which no beat was compared fits nothing.

use crate::compare::{Comparer, Rules};
use crate::error::{Error, Result};
use crate::late::Late;
use crate::lockstep::MakeDut;
use crate::play::{Player, peeks_of};
use crate::row::{Rows, blank_outputs, idle_inputs};
use crate::tolerance;
use congruent_hw::scenario::Leg;
use congruent_hw::unit::Unit;
use congruent_ports::{ChannelLayout, Layout};
use std::fmt;

/// The largest latency that is tried.
pub const MOST: usize = 64;

/// Cycles of a leg that are played, what is left in the pipes and the peeks not counted.
const LEG: u64 = 4_000;

/// Legs that are played at the most; no more than it takes to see a beat of each output channel.
const LEGS: usize = 8;

/// By how many cycles a DUT is late.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Latency {
    /// Cycles.
    pub cycles: usize,
    /// How it was found, if it was not given.
    pub found: Option<Found>,
}

/// How a latency was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// It is the only one, or the smallest, at which everything agrees.
    Fits,
    /// None does; at this one most beats agree before the first difference.
    Best {
        /// So many.
        beats: u64,
        /// For each output channel by name: the latencies at which it agrees by itself.
        channels: Vec<(&'static str, Vec<usize>)>,
    },
}

impl Latency {
    /// A latency that was given.
    pub fn given(cycles: usize) -> Self {
        Self { cycles, found: None }
    }

    /// Where no latency fits: what was tried, for the report of the difference.
    pub fn told(&self) -> Option<String> {
        let Some(Found::Best { beats, channels }) = &self.found else { return None };
        let mut told = format!(
            "no latency from 0 to {MOST} fits; at {}, the best one, {beats} beats agree before this",
            self.cycles
        );
        let own: Vec<_> = (channels.iter())
            .filter_map(|(name, fits)| Some(format!("{name} {}", fits.first()?)))
            .collect();
        let least = |fits: &Vec<usize>| fits.first().copied();
        let differ = channels.iter().filter_map(|(_, fits)| least(fits)).collect::<Vec<_>>();
        if differ.windows(2).any(|pair| pair[0] != pair[1]) {
            told += &format!(
                "; by themselves fit {}: channels that are not late alike are for --compare steered",
                own.join(", ")
            );
        }
        Some(told)
    }
}

impl fmt::Display for Latency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "latency={}", self.cycles)?;
        match self.found {
            None => Ok(()),
            Some(Found::Fits) => write!(f, " (found)"),
            Some(Found::Best { .. }) => write!(f, " (none fits)"),
        }
    }
}

/// A leg that was played into both sides.
struct Played {
    rows: Rows,
    got: Vec<u64>,
    rules: Rules,
}

/// Finds it.
///
/// # Errors
/// Attributes that do not fit, a golden model that does not drain, a DUT that cannot be made.
pub fn latency(
    unit: &'static dyn Unit,
    layout: &Layout,
    make: &MakeDut<'_>,
    rules: &Rules,
    legs: &mut (dyn FnMut(usize) -> Result<Option<Leg>> + Send),
) -> Result<Latency> {
    // A fresh thread: Verilator keeps its random state per thread.
    let played = std::thread::scope(|scope| {
        let played = scope.spawn(|| play(unit, layout, make, rules, legs));
        played
            .join()
            .unwrap_or_else(|_| Err(Error::plain("the thread of the probe ended by a fault")))
    })?;
    let agreed: Vec<_> = (0..=MOST).map(|cycles| agree(layout, cycles, &played)).collect();
    if let Some(cycles) = agreed.iter().position(|(beats, all)| *all && *beats > 0) {
        return Ok(Latency { cycles, found: Some(Found::Fits) });
    }
    let most = agreed.iter().map(|(beats, _)| *beats).max().unwrap_or(0);
    let cycles = agreed.iter().position(|(beats, _)| *beats == most).unwrap_or(0);
    let channels = (layout.channels_out.iter())
        .map(|channel| {
            let fits = |cycles: &usize| alone(channel, layout, *cycles, &played);
            (channel.channel.name, (0..=MOST).filter(fits).collect())
        })
        .collect();
    Ok(Latency { cycles, found: Some(Found::Best { beats: most, channels }) })
}

/// How many beats agree at a latency before the first difference, and whether there is none.
fn agree(layout: &Layout, cycles: usize, played: &[Played]) -> (u64, bool) {
    let mut late = Late::new(layout, &Rules::none(), cycles);
    let mut beats = 0;
    for Played { rows, got, rules } in played {
        late.start(layout, Some(rules));
        let comparer = Comparer::new(layout, rules);
        for (n, got) in got.chunks_exact(rows.width_out).enumerate() {
            let Some(expected) = late.expect(rows.output(n), Some(got)) else {
                if comparer.silent(got).is_some() {
                    return (beats, false);
                }
                continue;
            };
            if comparer.row(expected, got).is_some() {
                return (beats, false);
            }
            let shown = |channel: &&ChannelLayout| expected[channel.valid] != 0;
            let compared = |channel: &&ChannelLayout| {
                let mut words = channel.valid..channel.fields + channel.channel.fields.len();
                words.any(|word| comparer.compares(word))
            };
            beats += layout.channels_out.iter().filter(shown).filter(compared).count() as u64;
        }
    }
    (beats, true)
}

/// Whether an output channel agrees by itself at a latency, at least one beat of it compared.
fn alone(channel: &ChannelLayout, layout: &Layout, cycles: usize, played: &[Played]) -> bool {
    let mut beats = 0;
    for Played { rows, got, rules } in played {
        let comparer = Comparer::new(layout, rules);
        for (n, got) in got.chunks_exact(rows.width_out).enumerate() {
            let due = n.checked_sub(cycles).map(|n| rows.output(n));
            let shown = due.is_some_and(|row| row[channel.valid] != 0);
            let agrees = match due.filter(|_| shown) {
                Some(expected) => comparer.channel_agrees(channel, expected, got),
                None => got[channel.valid] == 0 || !comparer.compares(channel.valid),
            };
            if !agrees {
                return false;
            }
            beats += u64::from(shown);
        }
    }
    beats > 0
}

fn play(
    unit: &'static dyn Unit,
    layout: &Layout,
    make: &MakeDut<'_>,
    rules: &Rules,
    legs: &mut dyn FnMut(usize) -> Result<Option<Leg>>,
) -> Result<Vec<Played>> {
    let mut dut = make()?;
    let mut played: Vec<Played> = vec![];
    let mut silent: Vec<usize> = layout.channels_out.iter().map(|c| c.valid).collect();
    for n in 0..LEGS {
        let Some(mut leg) = legs(n)? else { break };
        leg.stimulus.truncate(LEG);
        let mut golden = unit.golden(&leg.attributes, &layout.params)?;
        let pins = unit.pins(&leg.attributes, &layout.params)?;
        let peeks = peeks_of(layout, 0..unit.contexts(&layout.params));
        let mut player = Player::new(&leg.stimulus, &peeks, layout);
        let mut rows = Rows::new(layout.inputs.len(), layout.outputs.len(), LEG as usize);
        let mut inputs = idle_inputs(layout);
        let mut outputs = blank_outputs(layout);
        while player.step(golden.as_mut(), &mut inputs, &mut outputs)? {
            rows.inputs.extend_from_slice(&inputs);
            rows.outputs.extend_from_slice(&outputs);
        }
        let idle = idle_inputs(layout);
        for _ in 0..MOST {
            golden.step(&idle, &mut outputs);
            rows.inputs.extend_from_slice(&idle);
            rows.outputs.extend_from_slice(&outputs);
        }
        let mut got = vec![0; rows.outputs.len()];
        let reset = dut.configure(&pins).and_then(|()| dut.reset());
        let stepped = reset.and_then(|()| dut.steps(&rows.inputs, &mut got, false));
        // How a DUT ends is for the run itself to tell.
        let ended = stepped.as_ref().err().map(|end| end.rows);
        got.truncate(ended.unwrap_or(rows.len()) * rows.width_out);
        let shows = |valid: usize| (0..rows.len()).any(|n| rows.output(n)[valid] != 0);
        silent.retain(|valid| !shows(*valid));
        let rules = tolerance::in_lsb(rules, layout, unit, &leg.attributes);
        played.push(Played { rows, got, rules });
        if ended.is_some() || silent.is_empty() {
            break;
        }
    }
    Ok(played)
}
