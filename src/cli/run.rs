//! `congruent run`: a stimulus from a table through one engine, its outputs into a table.

use super::check::dut_of;
use super::rtl::RtlArgs;
use crate::config::{Config, find_unit};
use crate::csv;
use crate::engine::{self, Model};
use crate::error::{Error, Exit, Result};
use crate::interrupt;
use crate::load::Load;
use crate::units::Units;
use congruent_hw::attributes::AttributeSet;
use congruent_hw::stimulus::Stimulus;
use congruent_ports::Layout;
use std::path::PathBuf;

/// Runs a stimulus from a CSV file through one engine and writes its outputs as CSV.
///
/// A column `cycle` and one for each field of each input channel; a channel is valid in a line
/// where its fields are filled in. A control, if the block has one, has a column of its own name,
/// which may stay empty: the last value holds. A line with only `cycle` extends the run. It ends when
/// the last line is served and everything is answered. With --load the lines begin after what is
/// loaded, and the cycles of the results count from before it.
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
    load: Load,
    #[command(flatten)]
    config: Config,
    #[command(flatten)]
    rtl: RtlArgs,
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
    if args.rtl.is_given() && !matches!(args.engine, Engine::Rtl) {
        return Err(Error::input(
            "--rtl names RTL, and --engine names another engine",
            "say --engine rtl, or leave --rtl out",
        ));
    }
    let layout = Layout::new(unit.block(), &params);
    let units = match args.raw {
        true => Units::raw(&params),
        false => Units::new(&params, unit.line_rate_gbps(&attributes)),
    };
    let stimulus = csv::read(&args.stimulus, &layout, &units)?;
    let stimulus = args.load.resolve(&layout, &units)?.then(&stimulus);
    let job = Job { attributes, pins, layout, stimulus };
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
        Engine::Rtl => {
            let (dut, _) = dut_of(unit, &params, &args.rtl)?;
            let layout = dut.layout(unit.block(), &params);
            let job = Job { layout, ..job };
            engine::with_rtl(&dut, &job.layout, &job.pins, |rtl| play(&job, rtl, &mut writer))?;
        }
    }
    writer.finish()?;
    Ok(Exit::Ok)
}

fn play(job: &Job, engine: &mut dyn engine::Engine, writer: &mut csv::Writer) -> Result<()> {
    let Job { stimulus, layout, .. } = job;
    engine::play(engine, stimulus, layout, |cycle, _, outputs| writer.outputs(cycle, outputs))?;
    Ok(())
}
