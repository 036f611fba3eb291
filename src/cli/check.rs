//! `congruent check`: a block's RTL against its golden model.

use super::compare::CompareArgs;
use super::output::OutputArgs;
use super::progress::Progress;
use super::random::RandomArgs;
use super::rtl::RtlArgs;
use super::shrink::ShrinkArgs;
use super::wave::WaveArgs;
use crate::check::{self, Compare, Done, DutSource, Job, Source, Watch};
use crate::compare::Rules;
use crate::config::{Config, find_unit};
use crate::dut::Start;
use crate::error::{Error, Exit, Result};
use crate::failure;
use crate::foreign::Foreign;
use crate::interrupt;
use crate::load::Load;
use crate::project;
use crate::report::{self, BlockReport, Report};
use crate::spread::spread;
use crate::units::Units;
use crate::vectors;
use congruent_hw::stimulus::Stimulus;
use congruent_hw::unit::{UNITS, Unit};
use congruent_ports::{Layout, ParamSet};
use std::cmp::Reverse;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Runs the golden model and the RTL in lock-step and compares every output of every cycle.
///
/// Without --vectors, --random and --for, both: the committed vectors and a million random cycles. A
/// random run, or one of --all, in which a row of "Must be covered" never happened, or a channel
/// was never valid, is vacuous and fails. All random runs end soon after the first difference of any,
/// unless they --keep-going. What fails can be repeated with `congruent replay --failed`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  congruent check --all
  congruent check rate_limiter --random 1000000 --seed 1
  congruent check rate_limiter --for 10m --seeds 100 --keep-going --shrink --junit report.xml
  congruent check rate_limiter --vectors vectors
  congruent check rate_limiter --random 200000 --param QPS=16 --set pacing_slack=0 --partial
  congruent check rate_limiter --rtl limiter.sv --top limiter --map limiter.toml --random 100000")]
pub struct Args {
    /// Blocks to check
    blocks: Vec<String>,
    /// All blocks
    #[arg(long, conflicts_with = "blocks")]
    all: bool,
    /// Play the recorded cases below this folder
    #[arg(long, value_name = "DIR")]
    vectors: Option<PathBuf>,
    /// Report rows and channels without a hit, do not fail for them
    #[arg(long)]
    partial: bool,
    /// Folder that a failing case is kept in
    #[arg(long, value_name = "DIR", default_value = ".congruent/cases")]
    cases: PathBuf,
    #[command(flatten)]
    load: Load,
    #[command(flatten)]
    config: Config,
    #[command(flatten)]
    compare: CompareArgs,
    #[command(flatten)]
    output: OutputArgs,
    // Those with a heading come last: in the help it stands above all that follows.
    #[command(flatten)]
    random: RandomArgs,
    #[command(flatten)]
    rtl: RtlArgs,
    #[command(flatten)]
    shrink: ShrinkArgs,
    #[command(flatten)]
    wave: WaveArgs,
}

/// Runs the subcommand.
///
/// # Errors
/// Bad input, or a DUT that cannot be built or run.
pub fn run(args: &Args) -> Result<Exit> {
    let places = args.output.places()?;
    let report = report(args)?;
    report::show(&report, places)?;
    Ok(if report.is_congruent() { Exit::Ok } else { Exit::Diverged })
}

/// Runs what is asked for and reports of it.
///
/// # Errors
/// Bad input, or a DUT that cannot be built or run.
pub fn report(args: &Args) -> Result<Report> {
    let clock = Instant::now();
    let units = units(args)?;
    let wave = args.wave.wish()?;
    if args.random.is_given() {
        // What was found until then is reported.
        interrupt::listen();
    }
    let mut jobs = vec![];
    for unit in &units {
        let built = jobs_of(*unit, args);
        // Ctrl-C ends a compiler too; that it failed is not the news then.
        interrupt::check()?;
        jobs.extend(built?);
    }
    share(&mut jobs, args)?;
    let done = run_all(&jobs, args.random.keep_going)?;
    let mut failures = failure::of(&jobs, &done, &args.cases)?;
    if let Err(error) = args.shrink.apply(&jobs, &mut failures, &args.cases) {
        // What was found is told all the same.
        eprintln!("note: not all is shrunk: {error}");
    }
    wave.write(&jobs, &mut failures)?;
    let mut blocks = vec![];
    for unit in units {
        let is_of = |job: &Job| job.unit.block().name == unit.block().name;
        let of_block = jobs.iter().zip(&done).filter(|(job, _)| is_of(job));
        let failures = failures.iter().filter(|failure| is_of(&jobs[failure.job]));
        let demands_all = !args.partial && (args.all || is_random(args));
        blocks.push(BlockReport::new(unit, of_block, failures, demands_all));
    }
    Ok(Report::new(blocks, clock.elapsed()))
}

/// Whether random stimulus is played, alone or beside recorded cases.
fn is_random(args: &Args) -> bool {
    args.random.is_given() || both(args)
}

fn both(args: &Args) -> bool {
    args.vectors.is_none() && !args.random.is_given()
}

fn units(args: &Args) -> Result<Vec<&'static dyn Unit>> {
    if args.all {
        return Ok(UNITS.to_vec());
    }
    if args.blocks.is_empty() {
        return Err(Error::input(
            "no block to check",
            "name one (`congruent list` shows them), or say --all",
        ));
    }
    let mut units: Vec<&'static dyn Unit> = vec![];
    for name in &args.blocks {
        let unit = find_unit(name)?;
        if units.iter().all(|known| known.block().name != unit.block().name) {
            units.push(unit);
        }
    }
    if args.rtl.is_given() && units.len() > 1 {
        return Err(Error::input(
            format!("--rtl names the RTL of one block, and {} are to be checked", units.len()),
            "name one block, or leave --rtl out",
        ));
    }
    Ok(units)
}

fn jobs_of(unit: &'static dyn Unit, args: &Args) -> Result<Vec<Job>> {
    let block = unit.block();
    let fixed = args.config.fixed(block)?;
    // A design of one's own has its parameters from here.
    let said = match args.rtl.is_given() {
        true => !args.config.set.is_empty() || !args.load.is_empty(),
        false => !args.config.is_empty() || !args.load.is_empty(),
    };
    if !is_random(args) && said {
        return Err(Error::input(
            "--set, --param, --config and --load say nothing to recorded cases: each carries its own",
            "leave them out, or add --random CYCLES",
        ));
    }
    let mut jobs = vec![];
    if args.vectors.is_some() || both(args) {
        let folder = args.vectors.clone().unwrap_or_else(|| project::folder().join("vectors"));
        let cases = cases_of(unit, &folder, args)?;
        let mut of_cases = case_jobs(unit, cases, &args.compare, &args.rtl)?;
        for job in &mut of_cases {
            job.cases = Some(folder.join(block.name));
            job.command = format!(
                "congruent check {} --vectors {}{}{}{}{}",
                block.name,
                check::quoted(&folder),
                job.dut.flags(),
                job.start_flag(),
                if args.rtl.is_given() { args.config.flags() } else { String::new() },
                job.compare_flags()
            );
        }
        jobs.extend(of_cases);
    }
    if is_random(args) {
        let seed = args.random.seed();
        for params in random_params(unit, args)? {
            let (dut, built) = dut_of(unit, &params, &args.rtl)?;
            let flags = format!("{}{}", args.config.flags(), args.load.flags());
            let (attributes, _) = args.config.resolve(block)?;
            let layout = Layout::new(block, &params);
            let units = Units::new(&params, unit.line_rate_gbps(&attributes));
            let load = args.load.resolve(&layout, &units)?;
            let mut job = Job {
                unit,
                name: format!("random {}", name_of(unit, &params, &dut)),
                params,
                dut,
                source: args.random.source(1)?,
                fixed: fixed.clone(),
                load,
                compare: Compare::Exact,
                rules: Rules::none(),
                options: String::new(),
                mid_reset: None,
                start: Start::Random(seed),
                built,
                cases: None,
                command: String::new(),
            };
            args.compare.apply(&mut job)?;
            job.command = format!(
                "congruent check {}{}{flags}{}{}{}",
                block.name,
                args.random.flags(),
                job.dut.flags(),
                job.compare_flags(),
                if args.partial { " --partial" } else { "" }
            );
            jobs.extend(with_starts(job, &args.rtl, seed));
        }
    }
    Ok(jobs)
}

/// Shares what is to be played at random among the random jobs: cycles those of a block, time those of
/// all.
fn share(jobs: &mut [Job], args: &Args) -> Result<()> {
    let random = |job: &Job| matches!(job.source, Source::Random { .. });
    let count = |jobs: &[Job], block: Option<&str>| {
        let of = |job: &&Job| random(job) && block.is_none_or(|b| b == job.unit.block().name);
        jobs.iter().filter(of).count() as u64
    };
    for n in 0..jobs.len() {
        if random(&jobs[n]) {
            let block = jobs[n].unit.block().name;
            let parts = count(jobs, Some(block).filter(|_| !args.random.is_timed()));
            jobs[n].source = args.random.source(parts)?;
        }
    }
    Ok(())
}

/// The parameters that a random run is spread over: the built-in sets, those of them that are of
/// the variant asked for, or the parameters asked for.
fn random_params(unit: &dyn Unit, args: &Args) -> Result<Vec<ParamSet>> {
    let block = unit.block();
    let (_, asked) = args.config.resolve(block)?;
    if args.config.names_params()? || args.rtl.is_given() {
        return Ok(vec![asked]);
    }
    let sets = block.builds.iter().map(|set| set.params(block));
    if !args.config.names_variant(block)? {
        return Ok(sets.collect());
    }
    let same = |set: &ParamSet| {
        block.variants.iter().all(|variant| {
            let (name, _) = variant.chooser();
            set.get(name) == asked.get(name)
        })
    };
    let of_variant: Vec<_> = sets.filter(same).collect();
    Ok(if of_variant.is_empty() { vec![asked] } else { of_variant })
}

/// The recorded cases of a block. With a design of one's own: those of its parameters; how many
/// others there are is said.
fn cases_of(unit: &dyn Unit, folder: &Path, args: &Args) -> Result<Vec<vectors::Case>> {
    let mut cases = vectors::load_all(&folder.join(unit.block().name))?;
    if !args.rtl.is_given() {
        return Ok(cases);
    }
    let all = cases.len();
    let (_, asked) = args.config.resolve(unit.block())?;
    cases.retain(|case| case.params == asked);
    let others = format!(
        "{} of {all} recorded cases in {} have other parameters",
        all - cases.len(),
        folder.display()
    );
    if cases.is_empty() && !is_random(args) {
        return Err(Error::input(
            format!("{others} than this RTL: none can be played"),
            "name the parameters of the cases with --param (their manifest.toml has them), or play --random CYCLES",
        ));
    }
    if cases.len() < all {
        eprintln!("note: {others} and are not played");
    }
    Ok(cases)
}

/// A job for each parameter set that the cases have, and for each start value of a user's RTL.
///
/// # Errors
/// RTL for their parameters cannot be built.
pub fn case_jobs(
    unit: &'static dyn Unit,
    cases: Vec<vectors::Case>,
    compare: &CompareArgs,
    rtl: &RtlArgs,
) -> Result<Vec<Job>> {
    let mut sets: Vec<(ParamSet, Vec<Arc<vectors::Case>>)> = vec![];
    for case in cases {
        match sets.iter_mut().find(|(params, _)| *params == case.params) {
            Some((_, same)) => same.push(Arc::new(case)),
            None => sets.push((case.params.clone(), vec![Arc::new(case)])),
        }
    }
    let mut jobs = vec![];
    for (params, cases) in sets {
        let (dut, built) = dut_of(unit, &params, rtl)?;
        let mut job = Job {
            unit,
            name: format!("vectors {}", name_of(unit, &params, &dut)),
            params,
            dut,
            source: Source::Cases(cases),
            fixed: vec![],
            load: Stimulus::new(unit.block()),
            compare: Compare::Exact,
            rules: Rules::none(),
            options: String::new(),
            mid_reset: None,
            start: Start::Random(1),
            built,
            cases: None,
            command: String::new(),
        };
        compare.apply(&mut job)?;
        jobs.extend(with_starts(job, rtl, 1));
    }
    Ok(jobs)
}

/// The RTL under test: the design that is named, or the project's own; and how long it took to build.
///
/// # Errors
/// It cannot be built.
pub fn dut_of(unit: &dyn Unit, params: &ParamSet, rtl: &RtlArgs) -> Result<(DutSource, Duration)> {
    if !rtl.is_given() {
        return check::own_rtl(unit, params);
    }
    let (foreign, took) = Foreign::of_user(unit, params, rtl)?;
    Ok((DutSource::Foreign(Arc::new(foreign)), took))
}

/// A job once for each start value that is asked for; the project's own RTL has its one.
fn with_starts(mut job: Job, rtl: &RtlArgs, seed: u64) -> Vec<Job> {
    if !rtl.is_given() {
        return vec![job];
    }
    let mut built = std::mem::take(&mut job.built);
    let starts = rtl.starts(seed).into_iter();
    starts
        .map(|start| {
            let mut job = Job { start, built: std::mem::take(&mut built), ..job.clone() };
            job.name = format!("{}{}", job.name, job.start_flag().replace(" --start", ", start"));
            job.command += &job.start_flag();
            job
        })
        .collect()
}

/// Parameters of a run by name, after the name of a user's RTL.
fn name_of(unit: &dyn Unit, params: &ParamSet, dut: &DutSource) -> String {
    let name = check::name_of(unit, params);
    match dut {
        DutSource::Foreign(foreign) if foreign.is_users() => {
            format!("{} {name}", foreign.sources.top).trim_end().to_string()
        }
        _ => name,
    }
}

/// Runs jobs in pieces, as many at a time as there are cores. Random ones end soon after the first
/// finding of any, unless they are to keep going.
///
/// # Errors
/// The first error of any of them.
pub fn run_all(jobs: &[Job], keep_going: bool) -> Result<Vec<Done>> {
    let progress = Progress::of(jobs);
    let stop = AtomicBool::new(false);
    let watch = Watch { keep_going, stop: &stop, progress: &|cycles| progress.add(cycles) };
    let mut pieces: Vec<(usize, Job)> = vec![];
    for (n, job) in jobs.iter().enumerate() {
        pieces.extend(job.pieces().into_iter().map(|piece| (n, piece)));
    }
    // Long ones first, so that none of them is left alone at the end.
    let mut order: Vec<usize> = (0..pieces.len()).collect();
    order.sort_by_key(|n| Reverse(pieces[*n].1.cycles()));
    let ran = spread(order.len(), |n| pieces[order[n]].1.run_under(&watch));
    drop(progress);
    let mut ran: Vec<_> = order.into_iter().zip(ran).collect();
    ran.sort_by_key(|(n, _)| *n);
    let mut done: Vec<Vec<Done>> = jobs.iter().map(|_| vec![]).collect();
    for (n, result) in ran {
        done[pieces[n].0].push(result?);
    }
    let merged = jobs.iter().zip(done).map(|(job, done)| Done::merged(done, job.unit.block()));
    Ok(merged.collect())
}
