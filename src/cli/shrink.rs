//! `congruent shrink`: the smallest form of a failing case; and the flags by which `check` does it.

use super::check::{case_jobs, run_all};
use super::compare::CompareArgs;
use super::output::OutputArgs;
use super::progress::Shrinking;
use super::rtl::RtlArgs;
use super::wave::WaveArgs;
use crate::check::{Job, quoted};
use crate::error::{Error, Exit, Result};
use crate::failure::Failure;
use crate::interrupt;
use crate::report::{self, BlockReport, Report};
use crate::shrink::{self, Limits};
use crate::vectors;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Cuts the stimulus of a failing case to the smallest that still diverges in the same way.
///
/// The same way is: the same channel, field and kind of difference, or the same kind of end. Cycles go
/// first, then beats and changes of controls, then the bits of fields towards 0 and attributes to their
/// defaults, until nothing helps. Ctrl-C, and the end of a budget, keep the smallest so far. What is
/// left is written as a folder of vectors, which `replay` runs and testbenches run.
///
/// Exit status 0: it was shrunk; 2: the case does not diverge, or cannot be shrunk.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  congruent shrink .congruent/cases/rate_limiter-random_short_seed_1_leg_3"
)]
pub struct Args {
    /// Folder with manifest.toml, stimulus.hex and expected.hex
    case: PathBuf,
    /// Folder that gets the result [default: the case's, with -small behind its name]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// So many tries at the most
    #[arg(long, value_name = "N", default_value_t = TRIES)]
    tries: u64,
    /// So long at the most, as `60s`
    #[arg(long = "for", value_name = "TIME", value_parser = humantime::parse_duration)]
    time: Option<Duration>,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    compare: CompareArgs,
    #[command(flatten)]
    rtl: RtlArgs,
    #[command(flatten)]
    wave: WaveArgs,
}

/// Tries at the most, unless others are asked for.
const TRIES: u64 = 10_000;

/// Whether `check` shrinks what it finds, and how long.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Shrinking")]
pub struct ShrinkArgs {
    /// Shrink what is found to the smallest stimulus that diverges in the same way, as
    /// `congruent shrink` does
    #[arg(long)]
    shrink: bool,
    /// So many tries for each at the most
    #[arg(long, value_name = "N", default_value_t = TRIES, requires = "shrink")]
    shrink_tries: u64,
    /// So long for each at the most, as `60s`
    #[arg(
        long,
        value_name = "TIME",
        requires = "shrink",
        value_parser = humantime::parse_duration
    )]
    shrink_for: Option<Duration>,
}

impl ShrinkArgs {
    /// Shrinks failures, if that is asked for: each then tells of the smallest case, which is kept
    /// below `cases`. One that does not show the same by itself stays as it is, and that is said.
    ///
    /// # Errors
    /// A DUT that cannot be made, a folder that cannot be written.
    pub fn apply(&self, jobs: &[Job], failures: &mut [Failure], cases: &Path) -> Result<()> {
        if !self.shrink {
            return Ok(());
        }
        interrupt::listen();
        for failure in failures {
            let folder = cases.join(format!("{}-small", failure.name(jobs)));
            if !small(&jobs[failure.job], failure, &folder, self.shrink_tries, self.shrink_for)? {
                eprintln!(
                    "note: {}, {} cannot be shrunk: {NOT_ALONE}",
                    jobs[failure.job].unit.block().name,
                    failure.finding.signature
                );
            }
        }
        Ok(())
    }
}

/// Why what was found may not be found again.
const NOT_ALONE: &str = "its stimulus alone, on a fresh DUT, does not diverge in this way; what the DUT \
                         was left in by what came before takes part in it";

/// Shrinks a failure into a folder, if its stimulus shows it by itself.
fn small(
    job: &Job,
    failure: &mut Failure,
    folder: &Path,
    tries: u64,
    time: Option<Duration>,
) -> Result<bool> {
    let shown = Shrinking::begin();
    let progress = |size, tries| shown.show(size, tries);
    let limits = Limits { tries, time, interrupted: &interrupt::noted, progress: &progress };
    shrink::keep(job, failure, folder, limits)
}

/// Runs the subcommand.
///
/// # Errors
/// A folder that holds no sound case; a case that does not diverge; RTL that cannot be built or run.
pub fn run(args: &Args) -> Result<Exit> {
    let places = args.output.places()?;
    let wave = args.wave.wish()?;
    let case = vectors::load(&args.case)?;
    let unit = case.unit;
    let out = match &args.out {
        Some(out) => out.clone(),
        None => beside(&args.case)?,
    };
    let jobs = case_jobs(unit, vec![case], &args.compare, &args.rtl)?;
    interrupt::listen();
    let clock = Instant::now();
    let done = run_all(&jobs, false)?;
    let first = done.iter().enumerate().find_map(|(n, done)| Some((n, done.findings.first()?)));
    let Some((n, finding)) = first else {
        return Err(Error::input(
            format!("{} does not diverge: there is nothing to shrink", args.case.display()),
            "name a case that fails with this RTL and this --compare; `congruent replay` says whether it does",
        ));
    };
    let mut failures = [Failure::new(&jobs[n], n, finding.clone())?];
    if !small(&jobs[n], &mut failures[0], &out, args.tries, args.time)? {
        return Err(Error::input(
            format!(
                "{} diverges ({}), and cannot be shrunk",
                args.case.display(),
                finding.signature
            ),
            NOT_ALONE,
        ));
    }
    wave.write(&jobs, &mut failures)?;
    let shown = jobs.iter().zip(&done).skip(n).take(1);
    let block = BlockReport::new(unit, shown, failures.iter(), false);
    report::show(&Report::new(vec![block], clock.elapsed()), places)?;
    Ok(Exit::Ok)
}

/// A folder beside a case's, with `-small` behind its name.
fn beside(case: &Path) -> Result<PathBuf> {
    let whole = std::fs::canonicalize(case).map_err(|e| Error::file("read", case, e))?;
    let name = whole.file_name().unwrap_or_default().to_string_lossy();
    match case.parent() {
        Some(above) if case.file_name().is_some() => Ok(above.join(format!("{name}-small"))),
        _ => Err(Error::input(
            format!("{}: a folder beside it has no name", case.display()),
            format!("say where the result goes: --out {}-small", quoted(Path::new(&*name))),
        )),
    }
}
