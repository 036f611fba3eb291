//! `congruent replay`: a recorded case, again.

use super::check::{case_jobs, run_all};
use super::compare::CompareArgs;
use super::rtl::RtlArgs;
use super::wave::WaveArgs;
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
    case: PathBuf,
    #[command(flatten)]
    compare: CompareArgs,
    /// Write the report for machines to this file, `-` for standard output
    #[arg(long, value_name = "OUT")]
    json: Option<PathBuf>,
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
    let place = report::Place::new(args.json.as_deref())?;
    let wave = args.wave.wish()?;
    let case = vectors::load(&args.case)?;
    let unit = case.unit;
    let mut jobs = case_jobs(unit, vec![case], &args.compare, &args.rtl)?;
    for job in &mut jobs {
        let origin = job.source.origin(0).ok_or_else(|| Error::plain("no case to play"))?;
        job.command = job.replay(&args.case, &origin);
    }
    let clock = Instant::now();
    let done = run_all(&jobs, false)?;
    let elapsed = clock.elapsed();
    let kept = args.case.parent().unwrap_or(&args.case);
    let mut failures = failure::of(&jobs, &done, kept)?;
    wave.write(&jobs, &mut failures)?;
    let block = BlockReport::new(unit, jobs.iter().zip(&done), failures.iter(), false);
    let report = Report::new(vec![block], elapsed);
    report::show(&report, place)?;
    Ok(if report.is_congruent() { Exit::Ok } else { Exit::Diverged })
}
