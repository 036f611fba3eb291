//! `congruent perf`: cycle counts of a block under named traffic, held against what it documents.

mod report;
mod text;

use super::{json, print};
use crate::check;
use crate::config::{Config, find_unit};
use crate::engine::{self, Model};
use crate::error::{Error, Exit, Result};
use crate::interrupt;
use crate::perf::{Measured, measure};
use congruent_hw::perf::{Plan, Traffic};
use congruent_hw::unit::Unit;
use congruent_ports::{Layout, ParamSet};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use report::Report;

/// Measures latency, throughput, stalls and use of tables under named traffic.
///
/// The golden model and the RTL play the same traffic and are measured on their pins. What is
/// measured is held against the cycle counts that `congruent list` documents: exit status 1 says
/// that a figure does not hold, or that the two sides differ.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  congruent perf rate_limiter
  congruent perf rate_limiter --traffic bursts --param QPS=1024 --engine model
  congruent perf rate_limiter --json > perf.json")]
pub struct Args {
    /// Block to measure
    block: String,
    /// Only this traffic; may be given more than once
    #[arg(long, value_name = "NAME")]
    traffic: Vec<String>,
    /// Length of each traffic, in cycles
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1_000..=10_000_000))]
    cycles: u64,
    /// What is measured
    #[arg(long, value_enum, default_value_t = Side::Both)]
    engine: Side,
    /// For machines: JSON with a format_version
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    config: Config,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Side {
    /// Golden model and RTL, which must agree
    Both,
    /// The golden model
    Model,
    /// The SystemVerilog
    Rtl,
}

/// What was measured of one traffic.
struct Figures {
    traffic: Traffic,
    /// By the golden model's pins, the RTL's, or both.
    sides: Vec<(&'static str, Measured)>,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<Exit> {
    let unit = find_unit(&args.block)?;
    let (attributes, params) = args.config.resolve(unit.block())?;
    let mut plan = unit.perf(&attributes, &params, args.cycles);
    let traffic = chosen(unit, &mut plan, &args.traffic)?;
    interrupt::listen();
    let bar = progress_bar(traffic.len() as u64);
    let mut figures = vec![];
    for traffic in traffic {
        bar.set_message(traffic.name);
        let sides = sides(unit, &plan, &traffic, &params, args.engine)?;
        figures.push(Figures { traffic, sides });
        bar.inc(1);
    }
    bar.finish_and_clear();
    let report = Report::new(unit, &plan, &figures, attributes.real("clock_mhz"), &params);
    print(&if args.json { json(&report) } else { text::pages(&report) });
    Ok(if report.holds { Exit::Ok } else { Exit::Diverged })
}

/// The traffic that is asked for, taken out of the plan.
fn chosen(unit: &dyn Unit, plan: &mut Plan, names: &[String]) -> Result<Vec<Traffic>> {
    let all = std::mem::take(&mut plan.traffic);
    let known: Vec<_> = all.iter().map(|t| t.name).collect();
    if let Some(name) = names.iter().find(|name| !known.contains(&name.as_str())) {
        return Err(Error::input(
            format!("{} has no traffic `{name}`", unit.block().name),
            format!("accepted: {}", known.join(", ")),
        ));
    }
    let wanted = |t: &Traffic| names.is_empty() || names.iter().any(|name| name == t.name);
    Ok(all.into_iter().filter(wanted).collect())
}

fn sides(
    unit: &dyn Unit,
    plan: &Plan,
    traffic: &Traffic,
    params: &ParamSet,
    side: Side,
) -> Result<Vec<(&'static str, Measured)>> {
    let layout = Layout::new(unit.block(), params);
    let mut sides = vec![];
    if side != Side::Rtl {
        let golden = unit.golden(&traffic.leg.attributes, params)?;
        let mut model = Model::new(golden, &layout);
        sides.push(("model", measure(unit, plan, traffic, &layout, &mut model)?));
    }
    if side != Side::Model {
        let pins = unit.pins(&traffic.leg.attributes, params)?;
        let on_rtl = |rtl: &mut dyn engine::Engine| measure(unit, plan, traffic, &layout, rtl);
        let (dut, _) = check::own_rtl(unit, params)?;
        sides.push(("rtl", engine::with_rtl(&dut, &layout, &pins, on_rtl)?));
    }
    if let [model, rtl] = &sides[..]
        && model.1 == rtl.1
    {
        sides.truncate(1);
        sides[0].0 = "both";
    }
    Ok(sides)
}

fn progress_bar(traffic: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(traffic), ProgressDrawTarget::stderr_with_hz(5));
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} traffic: {msg}") {
        bar.set_style(style);
    }
    bar
}
