//! `congruent run`: a stimulus from a table through one engine, its outputs into a table.

use crate::check::{self, DutSource};
use crate::config::{Config, find_unit};
use crate::csv;
use crate::dut::{Child, ChildOptions, Dut, Start};
use crate::engine::{self, Model, Rtl};
use crate::error::{Error, Exit, Result};
use crate::interrupt;
use crate::units::Units;
use congruent_hw::attributes::AttributeSet;
use congruent_hw::stimulus::Stimulus;
use congruent_hw::unit::Unit;
use congruent_ports::Layout;
use std::path::PathBuf;

/// Runs a stimulus from a CSV file through one engine and writes its outputs as CSV.
///
/// A column `cycle` and one for each field of each input channel; a channel is valid in a line
/// where its fields are filled in. A line with only `cycle` extends the run. It ends when the last
/// line is served and everything is answered.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Args {
    /// Block to run
    block: String,
    /// CSV file to read
    #[arg(long, value_name = "IN.csv")]
    stimulus: PathBuf,
    /// CSV file to write: cycles in which an output is valid
    #[arg(long, value_name = "OUT.csv")]
    out: PathBuf,
    /// What runs it
    #[arg(long, value_enum)]
    engine: Engine,
    /// Read and write the bits of each field as whole numbers, not engineering units
    #[arg(long)]
    raw: bool,
    #[command(flatten)]
    config: Config,
}

const EXAMPLE: &str = "\
Example: a CNP for queue pair 3 in cycle 10, packets of it in cycles 40 and 41, 1000 cycles in all
  cat > in.csv <<END
  cycle,cnp_qp,req_qp,req_bytes
  10,3,,
  40,,3,4154
  41,,3,4154
  1000,,,
  END
  congruent run rate_limiter --stimulus in.csv --out out.csv --engine model --set data_rate=100";

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Engine {
    /// The algorithm in f64, event by event
    Reference,
    /// The golden model, cycle by cycle
    Model,
    /// The SystemVerilog, cycle by cycle
    Rtl,
}

/// Everything that the options resolve into.
struct Job {
    unit: &'static dyn Unit,
    attributes: AttributeSet,
    pins: Vec<u64>,
    layout: Layout,
    stimulus: Stimulus,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<Exit> {
    let unit = find_unit(&args.block)?;
    let (attributes, params) = args.config.resolve(unit.block())?;
    let pins = unit.pins(&attributes, &params)?;
    let layout = Layout::new(unit.block(), &params);
    let units = match args.raw {
        true => Units::raw(&params),
        false => Units::new(&params, unit.line_rate_gbps(&attributes)),
    };
    let stimulus = csv::read(&args.stimulus, &layout, &units)?;
    let job = Job { unit, attributes, pins, layout, stimulus };
    interrupt::listen();
    let mut writer = csv::Writer::new(&args.out, &job.layout, units)?;
    match args.engine {
        Engine::Reference => {
            let mut beats = unit.reference(&job.attributes, &params, &job.stimulus)?;
            beats.sort_by_key(|beat| beat.cycle);
            interrupt::check()?;
            writer.beats(&beats)?;
        }
        Engine::Model => {
            let golden = unit.golden(&job.attributes, &params)?;
            play(&job, &mut Model::new(golden, &job.layout), &mut writer)?;
        }
        Engine::Rtl => rtl(&job, &mut writer)?,
    }
    writer.finish()?;
    Ok(Exit::Ok)
}

fn play(job: &Job, engine: &mut dyn engine::Engine, writer: &mut csv::Writer) -> Result<()> {
    let Job { stimulus, layout, .. } = job;
    engine::play(engine, stimulus, layout, |cycle, outputs| writer.outputs(cycle, outputs))?;
    Ok(())
}

/// The linked model where the parameters are those of a built-in set; else one is built and runs in
/// a process of its own.
fn rtl(job: &Job, writer: &mut csv::Writer) -> Result<()> {
    let (source, _) = check::own_rtl(job.unit, &job.layout.params)?;
    interrupt::check()?;
    match source {
        DutSource::Linked(set) => linked(job, set, writer),
        DutSource::Program(path) => {
            let (layout, options) = (job.layout.clone(), ChildOptions::default());
            on(job, Child::start(&path, layout, Start::Zeros, &options)?, writer)
        }
    }
}

#[cfg(feature = "rtl")]
fn linked(job: &Job, set: &str, writer: &mut csv::Writer) -> Result<()> {
    let block = job.unit.block();
    let set = block.build(set).ok_or_else(|| Error::plain(format!("no build {set}")))?;
    // Verilator keeps its random state per thread: made and stepped on one fresh thread.
    let run = || on(job, crate::dut::InTree::new(block, set, Start::Zeros)?, writer);
    std::thread::scope(|scope| scope.spawn(run).join())
        .unwrap_or_else(|_| Err(Error::plain("the thread of the RTL ended early")))
}

#[cfg(not(feature = "rtl"))]
fn linked(_: &Job, _: &str, _: &mut csv::Writer) -> Result<()> {
    Err(Error::input(
        "no RTL is built into this program",
        "build it with the feature `rtl` (cargo build --release), or use --engine model",
    ))
}

fn on(job: &Job, mut dut: impl Dut, writer: &mut csv::Writer) -> Result<()> {
    dut.configure(&job.pins)?;
    dut.reset()?;
    let mut engine = Rtl(dut);
    play(job, &mut engine, writer)?;
    Ok(engine.0.finish()?)
}
