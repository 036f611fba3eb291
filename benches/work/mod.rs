//! What the benchmarks run: traffic recorded as rows, and everything that steps through them.

use congruent::Result;
use congruent::compare::Rules;
use congruent::drive::Driver;
use congruent::dut::{Dut, InTree, Start};
use congruent::lockstep::{Lockstep, Outcome, Played};
use congruent_hw::attributes::AttributeSet;
use congruent_hw::perf::Plan;
use congruent_hw::scenario::Leg;
use congruent_hw::stimulus::Stimulus;
use congruent_hw::unit::{UNITS, Unit};
use congruent_ports::{BuildSet, Layout, ParamSet};
use congruent_verilate::Tools;
use std::hint::black_box;
use std::path::Path;

/// Cycles of the traffic, which is played over and over.
pub const CYCLES: u64 = 32_768;

/// Cycles of a slice: short enough that most slices run through without another program in between.
pub const SLICE: u64 = 1024;

/// Slices of the traffic.
pub const SLICES: u64 = CYCLES / SLICE;

const SEED: u64 = 1;

/// What is measured: a block with one of its built-in parameter sets.
#[derive(Clone, Copy)]
pub struct Subject {
    /// The block.
    pub unit: &'static dyn Unit,
    /// The parameter set.
    pub build: &'static BuildSet,
}

impl Subject {
    /// Every block at the sizes that are measured: as shipped, and large where that is built in.
    pub fn all() -> Vec<Self> {
        let sizes = |unit: &&'static dyn Unit| {
            let unit = *unit;
            let block = unit.block();
            let builds = ["default", "large"].iter().filter_map(|name| block.build(name));
            builds.map(move |build| Self { unit, build }).collect::<Vec<_>>()
        };
        UNITS.iter().flat_map(sizes).collect()
    }

    /// As tables and arguments name it: `block/set`.
    pub fn name(self) -> String {
        format!("{}/{}", self.unit.block().name, self.build.name)
    }
}

/// What reaches the input channels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Traffic {
    /// Nothing at all, at the default attributes.
    Idle,
    /// A random leg as `congruent check --random` plays them: storms, bursts, quiet stretches.
    Load,
    /// The fullest traffic of `congruent perf`: a beat offered in every cycle.
    Full,
}

impl Traffic {
    /// Every traffic, quietest first.
    pub const ALL: [Self; 3] = [Self::Idle, Self::Load, Self::Full];

    /// As tables and arguments name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Load => "load",
            Self::Full => "full",
        }
    }

    fn leg(self, unit: &dyn Unit, params: &ParamSet) -> Leg {
        let attributes = AttributeSet::defaults_under(unit.block(), params);
        let mut leg = match self {
            Self::Idle => Leg { attributes, stimulus: Stimulus::new(unit.block()) },
            Self::Load => repeated(unit.leg(SEED, 0, CYCLES, params)),
            Self::Full => fullest(unit.perf(&attributes, params, CYCLES)),
        };
        leg.stimulus.truncate(CYCLES);
        leg.stimulus.cycles = CYCLES;
        leg
    }
}

/// A leg that is shorter than the traffic, over and over: no idle rest is counted as load.
fn repeated(leg: Leg) -> Leg {
    let once = leg.stimulus;
    let mut stimulus = once.clone();
    while stimulus.cycles < CYCLES && once.cycles > 0 {
        let from = stimulus.cycles;
        for (channel, stream) in once.streams.iter().enumerate() {
            for n in 0..stream.len() {
                let cycle = stream.not_before(n).unwrap_or(0);
                stimulus.push(channel, from + cycle, stream.payload(n));
            }
        }
        for (control, changes) in once.controls.iter().enumerate() {
            for (cycle, value) in changes {
                stimulus.control(control, from + cycle, *value);
            }
        }
        stimulus.cycles = from + once.cycles;
    }
    Leg { stimulus, ..leg }
}

/// Of the traffic that `congruent perf` plays, the one with the most beats (the last of several).
fn fullest(plan: Plan) -> Leg {
    let most = plan.traffic.into_iter().max_by_key(|traffic| traffic.leg.stimulus.beats());
    most.expect("a block has traffic").leg
}

/// Traffic for a block with one of its built-in parameter sets, as a leg and as recorded rows.
pub struct Work {
    subject: Subject,
    /// Where each port lives in a row.
    pub layout: Layout,
    leg: Leg,
    pins: Vec<u64>,
    inputs: Vec<u64>,
}

impl Work {
    /// Draws the traffic and records its rows against the golden model.
    pub fn new(subject: Subject, traffic: Traffic) -> Result<Self> {
        let Subject { unit, build } = subject;
        let params = build.params(unit.block());
        let layout = Layout::new(unit.block(), &params);
        let leg = traffic.leg(unit, &params);
        let mut golden = unit.golden(&leg.attributes, &params)?;
        let mut driver = Driver::new(&leg.stimulus, &layout);
        let mut row = vec![0; layout.inputs.len()];
        let mut outputs = vec![0; layout.outputs.len()];
        let mut inputs = vec![];
        for _ in 0..CYCLES {
            driver.offer(&mut row);
            golden.step(&row, &mut outputs);
            driver.taken(&row, &outputs);
            inputs.extend_from_slice(&row);
        }
        let pins = unit.pins(&leg.attributes, &params)?;
        Ok(Self { subject, layout, leg, pins, inputs })
    }

    /// The rows in slices, over and over.
    fn slices(&self) -> impl Iterator<Item = &[u64]> {
        self.inputs.chunks(SLICE as usize * self.layout.inputs.len()).cycle()
    }

    fn dut(&self) -> Result<InTree> {
        let Subject { unit, build } = self.subject;
        let mut dut = InTree::new(unit.block(), build, Start::Zeros)?;
        dut.configure(&self.pins)?;
        dut.reset()?;
        Ok(dut)
    }
}

/// What steps through the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Peer {
    /// The Verilated RTL in a plain C++ loop that sets the inputs and reads nothing.
    Bare,
    /// The RTL through the bridge, a call for many cycles, every output copied.
    Steps,
    /// The RTL through the bridge, a call a cycle, every output copied.
    Step,
    /// The golden model, coverage counted.
    Model,
    /// Driver, golden model, RTL, comparison and counts, as `congruent check` runs them.
    Lockstep,
}

/// Runs the next so many slices; returns the cycles.
pub type Pass<'a> = Box<dyn FnMut(u64) -> Result<u64> + 'a>;

impl Peer {
    /// Every peer, the one that others are compared with first.
    pub const ALL: [Self; 5] = [Self::Bare, Self::Steps, Self::Step, Self::Model, Self::Lockstep];

    /// As tables and arguments name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bare => "bare",
            Self::Steps => "steps",
            Self::Step => "step",
            Self::Model => "model",
            Self::Lockstep => "lockstep",
        }
    }

    /// For people.
    pub fn doc(self) -> &'static str {
        match self {
            Self::Bare => "RTL, plain C++ loop",
            Self::Steps => "RTL through the FFI, a call a batch",
            Self::Step => "RTL through the FFI, a call a cycle",
            Self::Model => "golden model",
            Self::Lockstep => "lock-step, compared",
        }
    }

    /// The slices that it runs at least.
    #[allow(dead_code)] // each of the benchmarks uses a part of this file
    pub fn least(self) -> u64 {
        match self {
            // Whole legs: threads and the DUT are made anew for each.
            Self::Lockstep => SLICES,
            _ => 1,
        }
    }

    /// Makes it ready to run, past reset.
    pub fn ready(self, work: &Work) -> Result<Pass<'_>> {
        let (width_in, width_out) = (work.layout.inputs.len(), work.layout.outputs.len());
        let mut slices = work.slices();
        let mut outputs = vec![0; width_out];
        Ok(match self {
            Self::Bare => {
                let mut dut = work.dut()?;
                Box::new(move |count| {
                    for slice in slices.by_ref().take(count as usize) {
                        dut.bare(slice)?;
                    }
                    Ok(count * SLICE)
                })
            }
            Self::Steps => {
                let mut dut = work.dut()?;
                outputs = vec![0; SLICE as usize * width_out];
                Box::new(move |count| {
                    for slice in slices.by_ref().take(count as usize) {
                        dut.steps(slice, &mut outputs, false)?;
                        black_box(&outputs);
                    }
                    Ok(count * SLICE)
                })
            }
            Self::Step => {
                let mut dut = work.dut()?;
                Box::new(move |count| {
                    for slice in slices.by_ref().take(count as usize) {
                        for row in slice.chunks_exact(width_in) {
                            dut.step(row, &mut outputs)?;
                            black_box(&outputs);
                        }
                    }
                    Ok(count * SLICE)
                })
            }
            Self::Model => {
                let mut golden =
                    work.subject.unit.golden(&work.leg.attributes, &work.layout.params)?;
                Box::new(move |count| {
                    for slice in slices.by_ref().take(count as usize) {
                        for row in slice.chunks_exact(width_in) {
                            golden.step(row, &mut outputs);
                            black_box(&outputs);
                        }
                    }
                    Ok(count * SLICE)
                })
            }
            Self::Lockstep => Box::new(move |count| lockstep(work, count / SLICES)),
        })
    }
}

/// Plays the leg so many times, each from reset; threads and the DUT are made anew.
fn lockstep(work: &Work, passes: u64) -> Result<u64> {
    let make = || -> Result<Box<dyn Dut>> {
        let Subject { unit, build } = work.subject;
        Ok(Box::new(InTree::new(unit.block(), build, Start::Zeros)?))
    };
    let lockstep = Lockstep {
        unit: work.subject.unit,
        layout: &work.layout,
        make: &make,
        rules: &Rules::none(),
        latency: 0,
        progress: &|_| (),
    };
    let mut legs = (0..passes).map(|_| Played::Leg { leg: work.leg.clone(), cut: true });
    match lockstep.run(&mut |_| legs.next())? {
        (tally, Outcome::Congruent) => Ok(tally.cycles),
        (_, outcome) => Err(congruent::Error::plain(format!("model and RTL differ: {outcome:?}"))),
    }
}

/// Processor, Verilator and compilers, one a line.
pub fn machine() -> Vec<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut lines =
        vec![format!("processor: {}, {cores} cores", model.map_or("not known", |m| m.1))];
    if let Ok(tools) = Tools::find(Path::new(env!("CARGO_MANIFEST_DIR"))) {
        lines.push(format!("Verilator: {}", tools.verilator.version));
        lines.push(format!("C++:       {}", tools.compiler.version));
    }
    if let Ok(out) = std::process::Command::new("rustc").arg("--version").output() {
        lines.push(format!("Rust:      {}", String::from_utf8_lossy(&out.stdout).trim()));
    }
    lines
}
