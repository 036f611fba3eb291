//! `congruent replay`: a recorded case, again.

use super::check::{case_jobs, run_all};
use super::compare::CompareArgs;
use super::output::OutputArgs;
use super::rtl::RtlArgs;
use super::wave::WaveArgs;
use crate::again;
use crate::error::{Error, Exit, Result};
use crate::failure;
use crate::report::{self, BlockReport, Report};
use crate::vectors;
use std::path::PathBuf;
use std::time::Instant;

/// Plays one recorded case into the RTL: a folder of committed vectors, or one that `check` kept.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  congruent replay .congruent/cases/rate_limiter-random_short_seed_1_leg_3"
)]
pub struct Args {
    /// Folder with manifest.toml, stimulus.hex and expected.hex
    #[arg(required_unless_present = "failed")]
    case: Option<PathBuf>,
    /// Repeat what failed in this report, each by its own command: kept cases, and the runs of blocks
    /// that were vacuous or stopped [default: the last report]
    #[arg(
        long,
        value_name = "REPORT.json",
        num_args = 0..=1,
        default_missing_value = again::LAST,
        conflicts_with_all = ["case", "rtl", "files", "compare", "tolerance", "wave"]
    )]
    failed: Option<PathBuf>,
    #[command(flatten)]
    compare: CompareArgs,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    rtl: RtlArgs,
    #[command(flatten)]
    wave: WaveArgs,
}

/// Runs the subcommand.
///
/// # Errors
/// A folder that holds no sound case; RTL that cannot be built or run.
pub fn run(args: &Args) -> Result<Exit> {
    let places = args.output.places()?;
    let report = match &args.failed {
        Some(last) => {
            let commands = again::of(last)?;
            if commands.is_empty() {
                super::print(&format!("nothing failed in {}", last.display()));
                return Ok(Exit::Ok);
            }
            let reports = commands.iter().map(|words| super::reported(words));
            Report::joined(reports.collect::<Result<_>>()?)
        }
        None => report(args)?,
    };
    report::show(&report, places)?;
    Ok(if report.is_congruent() { Exit::Ok } else { Exit::Diverged })
}

/// Plays the case and reports of it.
///
/// # Errors
/// A folder that holds no sound case; RTL that cannot be built or run.
pub fn report(args: &Args) -> Result<Report> {
    let clock = Instant::now();
    let Some(folder) = &args.case else { return Err(Error::plain("no case is named")) };
    let wave = args.wave.wish()?;
    let case = vectors::load(folder)?;
    let unit = case.unit;
    let mut jobs = case_jobs(unit, vec![case], &args.compare, &args.rtl)?;
    for job in &mut jobs {
        let origin = job.source.origin(0).ok_or_else(|| Error::plain("no case to play"))?;
        job.command = job.replay(folder, &origin);
    }
    let done = run_all(&jobs, false)?;
    let mut failures = failure::of(&jobs, &done, folder.parent().unwrap_or(folder))?;
    wave.write(&jobs, &mut failures)?;
    let block = BlockReport::new(unit, jobs.iter().zip(&done), failures.iter(), false);
    Ok(Report::new(vec![block], clock.elapsed()))
}
