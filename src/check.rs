//! `check`: jobs of block × what is played × seed, spread over the cores, each a lock-step.

use crate::compare::Rules;
use crate::divergence::Scene;
use crate::dut::{Dut, Start};
use crate::error::{Error, Result};
use crate::finding::{self, Finding, Origin, Seen, Signature};
use crate::foreign::Foreign;
use crate::interrupt;
use crate::lockstep::{Lockstep, Outcome, Played};
use crate::mid_reset::MidResets;
use crate::probe::{self, Latency};
use crate::shrink::Stage;
use crate::spread::cores;
use crate::steer::{SteeredOutcome, SteeredRun};
use crate::tally::Tally;
use crate::vectors::Case;
use congruent_hw::attributes::AttributeSet;
use congruent_hw::scenario::Leg;
use congruent_hw::stimulus::Stimulus;
use congruent_hw::unit::{DutTiming, Unit};
use congruent_ports::{Block, Layout, ParamSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How two sides are compared.
#[derive(Debug, Clone, PartialEq)]
pub enum Compare {
    /// Every output of every cycle.
    Exact,
    /// The same, so many cycles late.
    Latency(Latency),
    /// The DUT's own events say when, the core says what.
    Steered(DutTiming),
}

impl Compare {
    /// As an option of the command, with a blank before it; nothing for the default.
    pub fn flag(&self) -> String {
        match self {
            Self::Exact => String::new(),
            Self::Latency(latency) => format!(" --compare latency={}", latency.cycles),
            Self::Steered(_) => " --compare steered".to_string(),
        }
    }
}

impl fmt::Display for Compare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact => f.write_str("exact"),
            Self::Latency(latency) => latency.fmt(f),
            Self::Steered(_) => f.write_str("steered"),
        }
    }
}

/// What a job plays.
#[derive(Debug, Clone)]
pub enum Source {
    /// Recorded cases, one after the other on one DUT.
    Cases(Vec<Arc<Case>>),
    /// Random legs until the budget is used up; of several seeds in turns, at least one of each.
    Random {
        /// The first seed.
        seed: u64,
        /// How many seeds.
        seeds: u64,
        /// How much is played.
        budget: Budget,
        /// Place of the first leg among those of all seeds.
        first: u64,
        /// From the place of a leg to that of the next.
        step: u64,
    },
}

/// How much a random run plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Budget {
    /// Cycles at the least. Which legs are played does not depend on the machine.
    Cycles(u64),
    /// As much as there is time for.
    Time(Duration),
}

impl Source {
    /// Every random leg of a seed, in order.
    pub fn random(seed: u64, cycles: u64) -> Self {
        Self::Random { seed, seeds: 1, budget: Budget::Cycles(cycles), first: 0, step: 1 }
    }

    /// What is played as number `n`.
    pub fn origin(&self, n: u64) -> Option<Origin> {
        match self {
            Self::Cases(cases) => cases.get(n as usize).map(|case| Origin::Case(Arc::clone(case))),
            Self::Random { seed, seeds, first, step, .. } => {
                let at = first + n * step;
                Some(Origin::Leg { seed: seed.wrapping_add(at % seeds), number: at / seeds })
            }
        }
    }

    /// Whether number `n` is still to be played after so many cycles, `clock` having run since the
    /// first one.
    fn is_due(&self, n: u64, played: u64, clock: &Instant) -> bool {
        match self {
            Self::Cases(_) => true,
            Self::Random { seeds, budget, first, step, .. } => match budget {
                Budget::Cycles(cycles) => played < *cycles || first + n * step < *seeds,
                Budget::Time(time) => clock.elapsed() < *time,
            },
        }
    }
}

/// What a job is told while it runs.
pub struct Watch<'a> {
    /// Goes on after a difference and collects all that are different.
    pub keep_going: bool,
    /// Set, random legs end before the next one begins. A job that finds something sets it, unless
    /// all are to go on.
    pub stop: &'a AtomicBool,
    /// Told of every batch: rows compared.
    pub progress: &'a (dyn Fn(u64) + Sync),
}

/// Where the DUT comes from.
#[derive(Debug, Clone)]
pub enum DutSource {
    /// The project's own RTL with a built-in parameter set, linked in.
    Linked(&'static str),
    /// RTL in a process of its own.
    Foreign(Arc<Foreign>),
}

impl DutSource {
    /// Where the ports of the DUT live in a row: the table's layout, and what a map adds to it.
    pub fn layout(&self, block: &'static Block, params: &ParamSet) -> Layout {
        match self {
            Self::Linked(_) => Layout::new(block, params),
            Self::Foreign(foreign) => foreign.layout.clone(),
        }
    }

    /// Its documented cycle counts.
    pub fn timing(&self, block: &'static Block) -> DutTiming {
        match self {
            Self::Linked(_) => DutTiming::of(block),
            Self::Foreign(foreign) => foreign.timing.clone(),
        }
    }

    /// What may differ between its words and ours.
    pub fn rules(&self) -> Rules {
        match self {
            Self::Linked(_) => Rules::none(),
            Self::Foreign(foreign) => foreign.timing.rules().clone(),
        }
    }

    /// The same RTL in a process of its own, built with tracing.
    ///
    /// # Errors
    /// A tool that is missing.
    pub fn traced(&self, unit: &dyn Unit, params: &ParamSet) -> Result<Self> {
        let traced = match self {
            Self::Linked(_) => Foreign::own_traced(unit, params)?,
            Self::Foreign(foreign) => foreign.traced()?,
        };
        Ok(Self::Foreign(Arc::new(traced)))
    }

    /// What takes part in a run of it: this program, and the tools that made the RTL.
    pub fn versions(&self) -> Vec<String> {
        match self {
            Self::Linked(_) => versions(),
            Self::Foreign(foreign) => vec![program_version(), foreign.tools.clone()],
        }
    }

    /// Options of the command that name it, each with a blank before it.
    pub fn flags(&self) -> &str {
        match self {
            Self::Linked(_) => "",
            Self::Foreign(foreign) => &foreign.flags,
        }
    }
}

/// One lock-step to run.
#[derive(Clone)]
pub struct Job {
    /// The block.
    pub unit: &'static dyn Unit,
    /// For people: `vectors short`, `random default`.
    pub name: String,
    /// Parameters.
    pub params: ParamSet,
    /// The DUT.
    pub dut: DutSource,
    /// What is played.
    pub source: Source,
    /// Values that the user fixed: applied to every random leg.
    pub fixed: Vec<(String, String)>,
    /// What every random leg begins with.
    pub load: Stimulus,
    /// How sides are compared.
    pub compare: Compare,
    /// What may differ between the DUT's words and ours.
    pub rules: Rules,
    /// Further options of the comparison, each with a blank before it.
    pub options: String,
    /// Resets in mid-run: every leg is begun, cut off by one, and then played in full.
    pub mid_reset: Option<MidResets>,
    /// Start values of registers and memories.
    pub start: Start,
    /// How long it took to build the DUT, beyond what was linked in.
    pub built: Duration,
    /// Command that runs this again.
    pub command: String,
    /// Folder that the cases were loaded from, each by its scenario's name.
    pub cases: Option<PathBuf>,
}

/// A job that was run.
#[derive(Debug)]
pub struct Done {
    /// Counts and times.
    pub tally: Tally,
    /// What was found, each fault once; nothing where model and DUT are congruent.
    pub findings: Vec<Finding>,
    /// Whether it was stopped before its budget was used up.
    pub stopped: bool,
}

impl Done {
    /// Of the pieces of one job: all their counts and findings.
    pub fn merged(pieces: Vec<Self>, block: &Block) -> Self {
        let mut all = Self { tally: Tally::new(block), findings: vec![], stopped: false };
        for piece in pieces {
            all.tally.merge(&piece.tally);
            piece.findings.into_iter().for_each(|new| finding::add(&mut all.findings, new));
            all.stopped |= piece.stopped;
        }
        all
    }
}

/// Cycles of a piece of a job: long enough that its start does not count, short enough to keep all
/// cores busy to the end.
const PIECE: u64 = 125_000;

/// Pieces of a job at the most. Not the number of cores: what is played is the same everywhere.
const MOST_PIECES: u64 = 8;

/// Cycles that the peek of a context takes at the end of a case, about.
const CYCLES_A_PEEK: u64 = 24;

/// Legs that are tried until one fits the values that the user fixed.
const TRIES: u64 = 300;

/// From a leg that does not fit to the one that is tried in its place: further than any run goes.
const OTHERWISE: u64 = 1 << 32;

impl Job {
    /// Cycles that it is expected to play.
    pub fn cycles(&self) -> u64 {
        match &self.source {
            Source::Cases(cases) => cases.iter().map(|case| self.cycles_of(case)).sum(),
            Source::Random { budget: Budget::Cycles(cycles), .. } => *cycles,
            Source::Random { budget: Budget::Time(_), .. } => 0,
        }
    }

    fn cycles_of(&self, case: &Case) -> u64 {
        case.rows.len() as u64 + CYCLES_A_PEEK * self.unit.contexts(&self.params)
    }

    /// The same in pieces that may run side by side; [`Done::merged`] puts together what they find.
    pub fn pieces(&self) -> Vec<Self> {
        let mut sources = vec![];
        match &self.source {
            Source::Cases(cases) => {
                let (mut piece, mut cycles) = (vec![], 0);
                for case in cases {
                    piece.push(Arc::clone(case));
                    cycles += self.cycles_of(case);
                    if cycles >= PIECE {
                        sources.push(Source::Cases(std::mem::take(&mut piece)));
                        cycles = 0;
                    }
                }
                if !piece.is_empty() {
                    sources.push(Source::Cases(piece));
                }
            }
            Source::Random { seed, seeds, budget, first, step } => {
                let count = match budget {
                    Budget::Cycles(cycles) => (cycles / PIECE).clamp(1, MOST_PIECES),
                    Budget::Time(_) => cores() as u64,
                };
                sources.extend((0..count).map(|n| Source::Random {
                    seed: *seed,
                    seeds: *seeds,
                    budget: match budget {
                        Budget::Cycles(cycles) => Budget::Cycles(cycles.div_ceil(count)),
                        Budget::Time(time) => Budget::Time(*time),
                    },
                    first: first + n * step,
                    step: count * step,
                }));
            }
        }
        let mut built = self.built;
        let piece = |source| Self { source, built: std::mem::take(&mut built), ..self.clone() };
        sources.into_iter().map(piece).collect()
    }

    /// Runs it until its first difference.
    ///
    /// # Errors
    /// Attributes that never fit, a DUT that cannot be made.
    pub fn run(&self, progress: &(dyn Fn(u64) + Sync)) -> Result<Done> {
        let stop = AtomicBool::new(false);
        self.run_under(&Watch { keep_going: false, stop: &stop, progress })
    }

    /// Runs it.
    ///
    /// # Errors
    /// Attributes that never fit, a DUT that cannot be made.
    pub fn run_under(&self, watch: &Watch<'_>) -> Result<Done> {
        let layout = self.layout();
        let mut all = Done { tally: Tally::new(layout.block), findings: vec![], stopped: false };
        let clock = Instant::now();
        // Legs and cycles that are played and judged.
        let (mut number, mut cycles) = (0, 0);
        loop {
            let mut turn = Turn { number, cycles, clock, watch, error: None, stopped: false };
            let (tally, found) = match &self.compare {
                Compare::Exact => self.lockstep(&layout, 0, &mut turn),
                Compare::Latency(latency) => self.lockstep(&layout, latency.cycles, &mut turn),
                Compare::Steered(timing) => self.steered(&layout, timing, &mut turn),
            }?;
            all.stopped |= turn.stopped;
            // A leg that another one's difference was found before is played again.
            number += tally.legs;
            cycles += tally.cycles;
            all.tally.merge(&tally);
            let Some(found) = found else { break };
            finding::add(&mut all.findings, found);
            if !watch.keep_going {
                watch.stop.store(true, Ordering::Relaxed);
                break;
            }
        }
        all.tally.time.build += self.built;
        all.tally.time.wall += self.built;
        Ok(all)
    }

    fn make(&self, layout: &Layout) -> Result<Box<dyn Dut>> {
        match &self.dut {
            DutSource::Linked(build) => linked(layout, build, self.start),
            DutSource::Foreign(foreign) => foreign.start(self.start),
        }
    }

    /// Random leg number `n`, or the first after it that the fixed values allow.
    fn leg(&self, seed: u64, n: u64) -> Result<Leg> {
        let cycles = self.unit.leg_cycles(&self.params);
        let mut refusal = None;
        for attempt in 0..TRIES {
            let n = n + attempt * OTHERWISE;
            let mut leg = self.unit.leg(seed, n, cycles, &self.params);
            for (name, value) in &self.fixed {
                leg.attributes.set_text(name, value)?;
            }
            match self.unit.pins(&leg.attributes, &self.params) {
                Ok(_) => {
                    leg.stimulus = self.load.clone().then(&leg.stimulus);
                    return Ok(leg);
                }
                Err(error) => refusal = Some(error),
            }
        }
        // What the defaults say of the fixed values is easier to understand than what a draw does.
        let mut attributes = AttributeSet::defaults_under(self.unit.block(), &self.params);
        for (name, value) in &self.fixed {
            attributes.set_text(name, value)?;
        }
        self.unit.pins(&attributes, &self.params)?;
        Err(refusal.map_or(Error::plain("no random leg fits"), Error::from))
    }

    fn lockstep(
        &self,
        layout: &Layout,
        latency: usize,
        turn: &mut Turn<'_>,
    ) -> Result<(Tally, Option<Finding>)> {
        let (unit, rules) = (self.unit, &self.rules);
        let (progress, from) = (turn.watch.progress, turn.number);
        let make = || self.make(layout);
        let lockstep = Lockstep { unit, layout, make: &make, latency, rules, progress };
        let ran = lockstep.run(&mut |played| {
            let origin = turn.next(self, played)?;
            if let (Origin::Case(case), None) = (&origin, self.mid_reset) {
                return Some(Played::Case(Arc::clone(case)));
            }
            // Without resets in mid-run some legs are left off at their end, for the same reason.
            let cut = matches!(&origin, Origin::Leg { number, .. } if number % 4 == 3);
            let leg = turn.noted(self.leg_of(&origin))?;
            Some(Played::Leg { leg, cut: cut && self.mid_reset.is_none() })
        });
        let (tally, outcome) = turn.checked(ran)?;
        let found = match outcome {
            Outcome::Congruent => None,
            Outcome::Ended { leg, cycle, end } => Some(self.found(
                from + leg,
                cycle,
                Signature::of_end(&end),
                Seen::End(end),
                None,
            )?),
            Outcome::Diverged(found) => {
                let signature = Signature::of_difference(layout, &found);
                let seen = Seen::Difference(found);
                Some(self.found(from + found.leg, found.cycle, signature, seen, found.rule)?)
            }
        };
        Ok((tally, found))
    }

    fn steered(
        &self,
        layout: &Layout,
        timing: &DutTiming,
        turn: &mut Turn<'_>,
    ) -> Result<(Tally, Option<Finding>)> {
        let (unit, progress, from) = (self.unit, turn.watch.progress, turn.number);
        let make = || self.make(layout);
        let timing = &timing.with_rules(self.rules.clone());
        let run = SteeredRun { unit, layout, timing, make: &make, progress };
        let ran = run.run(&mut |played| {
            let origin = turn.next(self, played)?;
            turn.noted(self.leg_of(&origin))
        });
        let (tally, outcome) = turn.checked(ran)?;
        let found = match outcome {
            SteeredOutcome::Congruent => None,
            SteeredOutcome::Ended { leg, cycle, end } => Some(self.found(
                from + leg,
                cycle,
                Signature::of_end(&end),
                Seen::End(end),
                None,
            )?),
            SteeredOutcome::Faulted { leg, fault, state, rule } => {
                let (cycle, signature) = (fault.cycle, Signature::of_fault(layout, &fault));
                Some(self.found(from + leg, cycle, signature, Seen::Fault(fault, state), rule)?)
            }
        };
        Ok((tally, found))
    }

    fn found(
        &self,
        number: u64,
        cycle: u64,
        signature: Signature,
        seen: Seen,
        rule: Option<&'static str>,
    ) -> Result<Finding> {
        let origin = self.source.origin(number);
        let origin = origin.ok_or_else(|| Error::plain(format!("there is no leg {number}")))?;
        Ok(Finding { origin, signature, rule, cycle, seen, times: 1 })
    }

    /// Where its ports live in a row.
    pub fn layout(&self) -> Layout {
        self.dut.layout(self.unit.block(), &self.params)
    }

    /// Sets the scene for a leg of this job that is to be run again, and lets `tell` run it.
    ///
    /// # Errors
    /// Those of `tell`.
    pub fn again<R>(
        &self,
        leg: &Leg,
        run: &str,
        command: &str,
        tell: impl FnOnce(&Scene<'_>) -> Result<R>,
    ) -> Result<R> {
        let layout = self.layout();
        let make = || self.make(&layout);
        let latency = match &self.compare {
            Compare::Latency(latency) => latency.cycles as u64,
            Compare::Exact | Compare::Steered(_) => 0,
        };
        tell(&Scene {
            unit: self.unit,
            layout: &layout,
            make: &make,
            latency,
            rules: &self.rules,
            remark: self.remark(),
            leg,
            run: run.to_string(),
            command: command.to_string(),
            versions: self.dut.versions(),
        })
    }

    /// Sets the stage for tries on this job's DUT.
    pub fn on_stage<R>(&self, with: impl FnOnce(&Stage<'_>) -> R) -> R {
        let layout = self.layout();
        let make = || self.make(&layout);
        let (unit, compare, rules) = (self.unit, &self.compare, &self.rules);
        with(&Stage { unit, layout: &layout, make: &make, compare, rules })
    }

    /// The shortest command that runs into the same thing.
    pub fn command_of(&self, origin: &Origin) -> String {
        match (origin, &self.cases) {
            (Origin::Case(case), Some(folder)) => {
                self.replay(&folder.join(&case.about.scenario), origin)
            }
            _ => self.command.clone(),
        }
    }

    /// What cannot happen in this job, and why: rows of "Must be covered", and channels that a map
    /// ignores.
    pub fn not_applicable(&self) -> Vec<(&'static str, &'static str)> {
        let mut all = self.unit.not_applicable(&self.params);
        if let DutSource::Foreign(foreign) = &self.dut {
            let ignored = foreign.ignored().into_iter();
            all.extend(ignored.map(|channel| (channel, "the map ignores it")));
        }
        all
    }

    /// The command that plays a leg, kept as a case, into the same DUT.
    pub fn replay(&self, case: &Path, origin: &Origin) -> String {
        let (compare, start) = (self.compare.flag() + &self.options, self.start_flag());
        let reset = self.mid_reset.and_then(|_| self.leg_of(origin).ok()?.stimulus.reset);
        let reset = reset.map_or(String::new(), |reset| MidResets::At(reset).flag());
        format!("congruent replay {}{}{start}{compare}{reset}", quoted(case), self.dut.flags())
    }

    /// The comparison as options of the command, each with a blank before it.
    pub fn compare_flags(&self) -> String {
        let resets = self.mid_reset.map_or(String::new(), MidResets::flag);
        self.compare.flag() + &self.options + &resets
    }

    /// The start values as an option of the command, with a blank before it; none for the project's
    /// own RTL, which has no such option.
    pub fn start_flag(&self) -> String {
        match (self.dut.flags(), self.start) {
            ("", _) => String::new(),
            (_, Start::Zeros) => " --start zeros".to_string(),
            (_, Start::Ones) => " --start ones".to_string(),
            (_, Start::Random(seed)) => format!(" --start random={seed}"),
        }
    }

    /// By how many cycles its DUT is late, found by trying on its first legs.
    ///
    /// # Errors
    /// Attributes that never fit, a DUT that cannot be made.
    pub fn find_latency(&self) -> Result<Latency> {
        let layout = self.layout();
        let make = || self.make(&layout);
        let mut leg = |n: usize| {
            let origin = self.source.origin(n as u64);
            origin.map(|origin| self.leg_of(&origin)).transpose()
        };
        probe::latency(self.unit, &layout, &make, &self.rules, &mut leg)
    }

    /// How it compares, for people; none where everything is compared in every cycle.
    pub fn compared(&self) -> Option<String> {
        let resets = self.mid_reset.map_or(String::new(), MidResets::flag);
        let options = format!("{}{resets}", self.options).replace(" --", ", ");
        (self.compare != Compare::Exact || !options.is_empty())
            .then(|| format!("{}{options}", self.compare))
    }

    /// What the report of a difference says of how the sides were compared.
    pub fn remark(&self) -> Option<String> {
        match &self.compare {
            Compare::Latency(latency) => latency.told(),
            Compare::Exact | Compare::Steered(_) => None,
        }
    }

    /// The first leg that it plays.
    ///
    /// # Errors
    /// Attributes that never fit, a source that is empty.
    pub fn first_leg(&self) -> Result<Leg> {
        let origin = self.source.origin(0).ok_or_else(|| Error::plain("no case to play"))?;
        self.leg_of(&origin)
    }

    /// What was running: scenario, or seed and leg.
    pub fn place(&self, origin: &Origin) -> String {
        match origin {
            Origin::Case(case) => format!("vectors {}", case.about.scenario),
            Origin::Leg { seed, number } => format!("{}, seed {seed}, leg {number}", self.name),
        }
    }

    /// What was played, as a leg.
    ///
    /// # Errors
    /// Attributes that do not fit.
    pub fn leg_of(&self, origin: &Origin) -> Result<Leg> {
        let (mut leg, place) = match origin {
            Origin::Case(case) => (leg_of(case), case.about.scenario.clone()),
            Origin::Leg { seed, number } => {
                (self.leg(*seed, *number)?, format!("seed {seed}, leg {number}"))
            }
        };
        leg.stimulus.reset =
            self.mid_reset.map(|resets| resets.of(&leg.stimulus, self.unit.block(), &place));
        Ok(leg)
    }
}

/// One go over the legs of a job, from one on until something is found.
struct Turn<'a> {
    /// The next leg.
    number: u64,
    /// Cycles that were played before.
    cycles: u64,
    /// When the job began.
    clock: Instant,
    watch: &'a Watch<'a>,
    /// Why a leg could not be made.
    error: Option<Error>,
    /// Whether legs were left out because something else was found, or by Ctrl-C.
    stopped: bool,
}

impl Turn<'_> {
    fn next(&mut self, job: &Job, played: u64) -> Option<Origin> {
        let origin = job.source.origin(self.number)?;
        if !job.source.is_due(self.number, self.cycles + played, &self.clock) {
            return None;
        }
        let stop = self.watch.stop.load(Ordering::Relaxed) || interrupt::noted();
        if stop && matches!(origin, Origin::Leg { .. }) {
            self.stopped = true;
            return None;
        }
        self.number += 1;
        Some(origin)
    }

    /// The leg, or none and a note why.
    fn noted(&mut self, leg: Result<Leg>) -> Option<Leg> {
        leg.map_err(|error| self.error = Some(error)).ok()
    }

    /// What ran, or why a leg could not be made.
    fn checked<T>(&mut self, ran: Result<T>) -> Result<T> {
        match self.error.take() {
            Some(error) => Err(error),
            None => ran,
        }
    }
}

/// A recorded case as a leg that plays the same rows: each beat from the cycle on in which it was
/// first offered.
pub fn leg_of(case: &Case) -> Leg {
    let layout = case.layout();
    let mut stimulus = Stimulus::new(layout.block);
    for (number, channel) in layout.channels_in.iter().enumerate() {
        let fields = channel.fields..channel.fields + channel.channel.fields.len();
        let mut offered = None;
        for n in 0..case.rows.len() {
            let (inputs, outputs) = (case.rows.input(n), case.rows.output(n));
            if inputs[channel.valid] == 0 {
                offered = None;
                continue;
            }
            let since = *offered.get_or_insert(n);
            if channel.is_ready(inputs, outputs) || n + 1 == case.rows.len() {
                stimulus.push(number, since as u64, &inputs[fields.clone()]);
                offered = None;
            }
        }
    }
    for n in 0..layout.block.controls.len() {
        let mut last = layout.block.controls[n].idle;
        for cycle in 0..case.rows.len() {
            let value = case.rows.input(cycle)[layout.controls + n];
            if value != last {
                stimulus.control(n, cycle as u64, value);
                last = value;
            }
        }
    }
    stimulus.cycles = case.rows.len() as u64;
    Leg { attributes: case.attributes.clone(), stimulus }
}

#[cfg(feature = "rtl")]
fn linked(layout: &Layout, build: &str, start: Start) -> Result<Box<dyn Dut>> {
    let block = layout.block;
    let set = block.build(build).ok_or_else(|| Error::plain(format!("no build {build}")))?;
    Ok(Box::new(crate::dut::InTree::new(block, set, start)?))
}

#[cfg(not(feature = "rtl"))]
fn linked(_: &Layout, _: &str, _: Start) -> Result<Box<dyn Dut>> {
    Err(Error::Dut {
        message: "no RTL is built into this program".to_string(),
        help: Some("build it with the feature `rtl`: cargo build --release".to_string()),
    })
}

/// The built-in parameter set that equals `params`, if there is one.
pub fn built_in(unit: &dyn Unit, params: &ParamSet) -> Option<&'static str> {
    let block = unit.block();
    let equal = |set: &congruent_ports::BuildSet| set.params(block) == *params;
    block.builds.iter().find(|set| equal(set)).map(|set| set.name)
}

/// The project's own RTL under these parameters: linked in, or built as a program (or taken from
/// the cache); and how long that took.
///
/// # Errors
/// Parameters that do not fit together, a tool that is missing, RTL that does not elaborate.
pub fn own_rtl(unit: &dyn Unit, params: &ParamSet) -> Result<(DutSource, Duration)> {
    if let Some(set) = built_in(unit, params) {
        return Ok((DutSource::Linked(set), Duration::ZERO));
    }
    unit.check_params(params)?;
    let (foreign, took) = Foreign::own(unit, params)?;
    Ok((DutSource::Foreign(Arc::new(foreign)), took))
}

/// Parameters by name: a built-in set's, or those that differ from their defaults.
pub fn name_of(unit: &dyn Unit, params: &ParamSet) -> String {
    if let Some(set) = built_in(unit, params) {
        return set.to_string();
    }
    let defaults = ParamSet::defaults(unit.block());
    let other: Vec<_> = params
        .iter()
        .zip(defaults.iter())
        .filter(|(own, default)| own != default)
        .map(|((name, value), _)| format!("{name}={value}"))
        .collect();
    other.join(" ")
}

fn program_version() -> String {
    format!("congruent {}", env!("CARGO_PKG_VERSION"))
}

/// Versions of this program and of what made the RTL that is linked in.
pub fn versions() -> Vec<String> {
    let mut versions = vec![program_version()];
    versions.extend(option_env!("CONGRUENT_TOOLS").map(str::to_string));
    versions
}

/// A path as a shell takes it in one piece.
pub fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy();
    // Only a zero byte cannot be quoted, and no path has one.
    shlex::try_quote(&text).map_or(text.to_string(), |quoted| quoted.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vectors::About;
    use congruent_hw::unit::UNITS;

    fn job(source: Source) -> Job {
        let unit = UNITS[0];
        Job {
            unit,
            name: String::new(),
            params: ParamSet::defaults(unit.block()),
            dut: DutSource::Linked("default"),
            source,
            fixed: vec![],
            load: Stimulus::new(unit.block()),
            compare: Compare::Exact,
            rules: Rules::none(),
            options: String::new(),
            mid_reset: None,
            start: Start::Zeros,
            built: Duration::from_secs(3),
            command: String::new(),
            cases: None,
        }
    }

    /// Every leg is in one piece, whatever the number of cores; short runs stay whole.
    #[test]
    fn pieces_of_a_random_run_share_its_legs() {
        let legs = |cycles| -> Vec<(u64, u64, u64)> {
            let random = |piece: &Job| match piece.source {
                Source::Random { budget: Budget::Cycles(cycles), first, step, .. } => {
                    (cycles, first, step)
                }
                _ => panic!("a random run"),
            };
            job(Source::random(1, cycles)).pieces().iter().map(random).collect()
        };
        assert_eq!(legs(1), [(1, 0, 1)]);
        assert_eq!(legs(249_999), [(249_999, 0, 1)]);
        assert_eq!(legs(500_000), [0, 1, 2, 3].map(|first| (125_000, first, 4)));
        assert_eq!(legs(80_000_000), [0, 1, 2, 3, 4, 5, 6, 7].map(|n| (10_000_000, n, 8)));
    }

    #[test]
    fn pieces_of_recorded_cases_keep_their_order_and_the_building_is_counted_once() {
        let unit = UNITS[0];
        let params = ParamSet::defaults(unit.block());
        let case = |n: usize| {
            let about = About::new(format!("case {n}"), "");
            let attributes = AttributeSet::defaults(unit.block());
            let mut case = Case::new(unit, about, attributes, params.clone()).expect("legal");
            case.rows.inputs = vec![0; case.rows.width_in * 50_000];
            Arc::new(case)
        };
        let pieces = job(Source::Cases((0..7).map(case).collect())).pieces();
        assert_eq!(pieces.len(), 3);
        let names = |piece: &Job| match &piece.source {
            Source::Cases(cases) => cases.iter().map(|c| c.about.scenario.clone()).collect(),
            Source::Random { .. } => vec![],
        };
        let all: Vec<String> = pieces.iter().flat_map(names).collect();
        assert_eq!(all, (0..7).map(|n| format!("case {n}")).collect::<Vec<_>>());
        let built: Vec<_> = pieces.iter().map(|piece| piece.built.as_secs()).collect();
        assert_eq!(built, [3, 0, 0]);
    }
}
