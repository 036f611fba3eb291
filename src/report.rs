//! The report of `check`: a table for people, JSON for machines.

use crate::again;
use crate::check::{Done, DutSource, Job, Source};
use crate::cli;
use crate::divergence::Divergence;
use crate::error::{Error, Result};
use crate::failure::{Ended, Failure, Told};
use crate::files::Draft;
use crate::finding::Seen;
use crate::junit;
use crate::tally::{Tally, causes};
use crate::units::grouped;
use comfy_table::CellAlignment;
use congruent_hw::unit::Unit;
use congruent_verilate::Steps;
use serde::Serialize;
use std::fmt;
use std::path::Path;
use std::time::Duration;

/// Version of the JSON report.
pub const FORMAT_VERSION: u32 = 2;

/// Eight columns, each of its cells in one line.
const TABLE_WIDTH: u16 = 126;

/// What `check` found.
#[derive(Debug, Serialize)]
pub struct Report {
    format_version: u32,
    /// The command as it was typed.
    pub(crate) command: String,
    pub(crate) versions: Vec<String>,
    congruent: bool,
    pub(crate) elapsed_s: f64,
    cores: usize,
    pub(crate) blocks: Vec<BlockReport>,
}

/// What was found of one block.
#[derive(Debug, Serialize)]
pub struct BlockReport {
    pub(crate) block: &'static str,
    #[serde(skip)]
    pub(crate) versions: Vec<String>,
    pub(crate) verdict: &'static str,
    pub(crate) runs: Vec<Run>,
    covered: usize,
    rows: usize,
    beats: Vec<Count>,
    causes: Vec<Count>,
    coverage: Vec<Count>,
    not_applicable: Vec<NotApplicable>,
    pub(crate) never_valid: Vec<&'static str>,
    pub(crate) uncovered: Vec<&'static str>,
    pub(crate) divergences: Vec<Divergence>,
    pub(crate) ended: Vec<Ended>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Run {
    pub(crate) what: String,
    pub(crate) compare: String,
    /// For people; none where everything is compared in every cycle.
    #[serde(skip)]
    compared: Option<String>,
    cases: Option<u64>,
    legs: Option<u64>,
    pub(crate) cycles: u64,
    covered: usize,
    rows: usize,
    cycles_per_second: f64,
    build_s: f64,
    /// Where the time of the build went; `null` where there was none.
    build: Option<Build>,
    model_s: f64,
    rtl_s: f64,
    compare_s: f64,
    waiting_s: f64,
    pub(crate) wall_s: f64,
    pub(crate) seed: Option<u64>,
    pub(crate) seeds: Option<u64>,
    pub(crate) verdict: &'static str,
    pub(crate) command: String,
}

/// A program that was built, not taken from the cache.
#[derive(Debug, Serialize)]
struct Build {
    top: String,
    ports_s: f64,
    runtime_s: f64,
    verilator_s: f64,
    compiler_s: f64,
    linker_s: f64,
    #[serde(skip)]
    text: String,
}

#[derive(Debug, Serialize)]
struct Count {
    name: &'static str,
    count: u64,
}

#[derive(Debug, Serialize)]
struct NotApplicable {
    row: &'static str,
    reason: &'static str,
}

impl Report {
    /// All blocks together, and how long they took.
    pub fn new(blocks: Vec<BlockReport>, elapsed: Duration) -> Self {
        let congruent = blocks.iter().all(|b| b.verdict == "congruent");
        let mut versions: Vec<String> = vec![];
        for version in blocks.iter().flat_map(|block| &block.versions) {
            if !versions.contains(version) {
                versions.push(version.clone());
            }
        }
        Self {
            format_version: FORMAT_VERSION,
            command: cli::typed(),
            versions,
            congruent,
            elapsed_s: elapsed.as_secs_f64(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            blocks,
        }
    }

    /// Several reports as one.
    pub fn joined(reports: Vec<Self>) -> Self {
        let elapsed = reports.iter().map(|report| report.elapsed_s).sum();
        let blocks = reports.into_iter().flat_map(|report| report.blocks).collect();
        Self::new(blocks, Duration::from_secs_f64(elapsed))
    }

    /// Whether every block is congruent.
    pub fn is_congruent(&self) -> bool {
        self.congruent
    }
}

impl BlockReport {
    /// Of the jobs of one block and what went wrong in them. `demands_all`: every row and channel must
    /// have a hit.
    pub fn new<'a>(
        unit: &'static dyn Unit,
        jobs: impl Iterator<Item = (&'a Job, &'a Done)>,
        failures: impl Iterator<Item = &'a Failure>,
        demands_all: bool,
    ) -> Self {
        let block = unit.block();
        let mut all = Tally::new(block);
        let (mut runs, mut divergences, mut ended) = (vec![], vec![], vec![]);
        let mut stopped = false;
        let mut not_applicable: Option<Vec<_>> = None;
        let mut versions: Vec<String> = vec![];
        for (job, done) in jobs {
            let new = job.dut.versions().into_iter().filter(|v| !versions.contains(v));
            versions.extend(new.collect::<Vec<_>>());
            all.merge(&done.tally);
            runs.push(Run::new(job, done));
            // A row is not applicable only where no job's parameters allow it.
            let of_job = job.not_applicable();
            not_applicable = Some(match not_applicable {
                None => of_job,
                Some(rows) => rows.into_iter().filter(|row| of_job.contains(row)).collect(),
            });
            stopped |= done.stopped;
        }
        for failure in failures {
            match &failure.told {
                Told::Diverged(divergence) => divergences.push(divergence.as_ref().clone()),
                Told::Ended(end) => ended.push(end.as_ref().clone()),
            }
        }
        let not_applicable = not_applicable.unwrap_or_default();
        let excused = |name: &str| not_applicable.iter().any(|(row, _)| *row == name);
        let rows = block.coverage.iter().zip(all.cover.counts());
        let coverage: Vec<_> =
            rows.map(|(row, count)| Count { name: row.name, count: *count }).collect();
        let channels = block.channels.iter().zip(&all.beats);
        let beats: Vec<_> =
            channels.map(|(c, count)| Count { name: c.name, count: *count }).collect();
        let names = causes(block).unwrap_or(&[]);
        let causes = names.iter().zip(&all.causes);
        let missing = |counts: &[Count]| -> Vec<&'static str> {
            let none = counts.iter().filter(|c| c.count == 0 && !excused(c.name));
            none.map(|c| c.name).collect()
        };
        let (uncovered, never_valid) = (missing(&coverage), missing(&beats));
        let vacuous = runs.is_empty()
            || all.cycles == 0
            || demands_all && !(uncovered.is_empty() && never_valid.is_empty());
        let verdict = match () {
            () if !divergences.is_empty() => "diverged",
            () if !ended.is_empty() => "ended",
            () if stopped => "stopped",
            () if vacuous => "vacuous",
            () => "congruent",
        };
        let rows = coverage.iter().filter(|row| !excused(row.name));
        let (rows, covered) = (rows.clone().count(), rows.filter(|row| row.count > 0).count());
        Self {
            block: block.name,
            versions,
            verdict,
            runs,
            covered,
            rows,
            beats,
            causes: causes.map(|(name, count)| Count { name, count: *count }).collect(),
            coverage,
            not_applicable: not_applicable
                .into_iter()
                .map(|(row, reason)| NotApplicable { row, reason })
                .collect(),
            never_valid,
            uncovered,
            divergences,
            ended,
        }
    }
}

impl Build {
    /// Told once: of jobs that share a program, by the one that the building is counted to.
    fn of(job: &Job) -> Option<Self> {
        let DutSource::Foreign(foreign) = &job.dut else { return None };
        let (steps, took) = (&foreign.steps, job.built.as_secs_f64());
        (!job.built.is_zero() && *steps != Steps::default()).then(|| Self {
            top: foreign.sources.top.clone(),
            ports_s: steps.elaboration.as_secs_f64(),
            runtime_s: steps.runtime.as_secs_f64(),
            verilator_s: steps.verilator.as_secs_f64(),
            compiler_s: steps.compiler.as_secs_f64(),
            linker_s: steps.linker.as_secs_f64(),
            text: format!("built {} in {}: {steps}", foreign.sources.top, seconds(took)),
        })
    }
}

impl Run {
    fn new(job: &Job, done: &Done) -> Self {
        let Tally { legs, cycles, time, .. } = &done.tally;
        let running = (time.wall - time.build.min(time.wall)).as_secs_f64();
        let (what, recorded) = match &job.source {
            Source::Cases(_) => (job.name.clone(), true),
            Source::Random { seed, seeds: 1, .. } => (format!("{}, seed {seed}", job.name), false),
            Source::Random { seed, seeds, .. } => {
                let last = seed.wrapping_add(seeds - 1);
                (format!("{}, seeds {seed} to {last}", job.name), false)
            }
        };
        let (seed, seeds) = match &job.source {
            Source::Cases(_) => (None, None),
            Source::Random { seed, seeds, .. } => (Some(*seed), Some(*seeds)),
        };
        let excused = job.not_applicable();
        let block = job.unit.block();
        let rows = (block.coverage.iter().zip(done.tally.cover.counts()))
            .filter(|(row, _)| excused.iter().all(|(name, _)| *name != row.name));
        Self {
            what,
            compare: job.compare.to_string(),
            compared: job.compared(),
            cases: recorded.then_some(*legs),
            legs: (!recorded).then_some(*legs),
            cycles: *cycles,
            covered: rows.clone().filter(|(_, count)| **count > 0).count(),
            rows: rows.count(),
            cycles_per_second: *cycles as f64 / running.max(1e-9),
            build_s: time.build.as_secs_f64(),
            build: Build::of(job),
            model_s: time.model.as_secs_f64(),
            rtl_s: time.rtl.as_secs_f64(),
            compare_s: time.compare.as_secs_f64(),
            waiting_s: time.waiting.as_secs_f64(),
            wall_s: time.wall.as_secs_f64(),
            seed,
            seeds,
            verdict: match done.findings.as_slice() {
                [] if done.stopped => "stopped",
                [] => "congruent",
                found if found.iter().all(|f| matches!(f.seen, Seen::End(_))) => "ENDED",
                _ => "DIVERGED",
            },
            command: job.command.clone(),
        }
    }

    /// How much was played, for people.
    fn played(&self) -> String {
        match (self.cases, self.legs) {
            (Some(cases), _) => format!("{cases} cases"),
            (_, legs) => format!("{} legs", legs.unwrap_or(0)),
        }
    }
}

/// Where reports for machines go; made before a run, so that a place that cannot be written is refused
/// before it.
pub struct Places {
    json: Json,
    junit: Option<Draft>,
}

enum Json {
    Nowhere,
    /// Standard output, in place of the report for people.
    StandardOutput,
    File(Draft),
}

impl Places {
    /// From the options: for JSON none, `-` for standard output, or a file; for JUnit none or a file.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn new(json: Option<&Path>, junit: Option<&Path>) -> Result<Self> {
        let json = match json {
            None => Json::Nowhere,
            Some(path) if path == Path::new("-") => Json::StandardOutput,
            Some(path) => Json::File(Draft::new(path)?),
        };
        Ok(Self { json, junit: junit.map(Draft::new).transpose()? })
    }
}

/// Shows the report, and keeps it as the last one.
///
/// # Errors
/// A file cannot be written.
pub fn show(report: &Report, places: Places) -> Result<()> {
    let json = cli::json(report);
    match places.json {
        Json::Nowhere => cli::print(&report.to_string()),
        Json::StandardOutput => cli::print(&json),
        Json::File(draft) => {
            cli::print(&report.to_string());
            draft.finish_with(json.as_bytes())?;
        }
    }
    if let Some(draft) = places.junit {
        draft.finish_with(junit::text(report)?.as_bytes())?;
    }
    // A folder that cannot be written is no reason to fail a run.
    if let Err(error) = keep(Path::new(again::LAST), &json) {
        eprintln!("note: the report is not kept for `congruent replay --failed`: {error}");
    }
    Ok(())
}

fn keep(place: &Path, json: &str) -> Result<()> {
    if let Some(above) = place.parent() {
        std::fs::create_dir_all(above).map_err(|e| Error::file("create", above, e))?;
    }
    Draft::new(place)?.finish_with(json.as_bytes())
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for block in &self.blocks {
            block.details(f)?;
        }
        writeln!(f, "{}\n", self.table())?;
        self.times(f)?;
        for block in &self.blocks {
            block.conclusion(f)?;
        }
        Ok(())
    }
}

impl Report {
    fn table(&self) -> comfy_table::Table {
        let mut table = cli::table(&[
            "block", "what", "played", "cycles", "verdict", "covered", "cycles/s", "time",
        ]);
        table.set_width(TABLE_WIDTH);
        for block in &self.blocks {
            let ratio = |covered: usize, rows: usize| format!("{covered}/{rows}");
            for run in &block.runs {
                table.add_row([
                    block.block.to_string(),
                    run.what.clone(),
                    run.played(),
                    grouped(run.cycles),
                    run.verdict.to_string(),
                    ratio(run.covered, run.rows),
                    grouped(run.cycles_per_second as u64),
                    seconds(run.wall_s),
                ]);
            }
            if block.runs.len() > 1 {
                table.add_row([
                    block.block.to_string(),
                    "all of it".to_string(),
                    String::new(),
                    grouped(block.runs.iter().map(|run| run.cycles).sum::<u64>()),
                    block.verdict.to_string(),
                    ratio(block.covered, block.rows),
                    String::new(),
                    seconds(block.wall()),
                ]);
            }
        }
        for column in [2, 3, 5, 6, 7] {
            if let Some(column) = table.column_mut(column) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        table
    }

    /// Where the time went: of the threads' time, and of the blocks'.
    fn times(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let runs = || self.blocks.iter().flat_map(|block| &block.runs);
        let parts: [(&str, f64); 5] = [
            ("model", runs().map(|run| run.model_s).sum()),
            ("RTL", runs().map(|run| run.rtl_s).sum()),
            ("comparing", runs().map(|run| run.compare_s).sum()),
            ("building", runs().map(|run| run.build_s).sum()),
            ("waiting", runs().map(|run| run.waiting_s).sum()),
        ];
        let cores = match self.cores {
            1 => "1 core".to_string(),
            cores => format!("{cores} cores"),
        };
        writeln!(f, "{} on {cores}, spent on: {}", seconds(self.elapsed_s), shares(&parts))?;
        for build in runs().filter_map(|run| run.build.as_ref()) {
            writeln!(f, "{}", build.text)?;
        }
        if self.blocks.len() > 1 {
            let blocks: Vec<_> = self.blocks.iter().map(|b| (b.block, b.wall())).collect();
            writeln!(f, "of which: {}", shares(&blocks))?;
        }
        Ok(())
    }
}

/// Parts as shares of their sum: `model 22 %, RTL 78 %`.
fn shares(parts: &[(&str, f64)]) -> String {
    let sum: f64 = parts.iter().map(|(_, seconds)| seconds).sum();
    let share = |seconds: f64| 100.0 * seconds / sum.max(1e-9);
    let shown: Vec<_> =
        parts.iter().map(|(name, seconds)| format!("{name} {:.0} %", share(*seconds))).collect();
    shown.join(", ")
}

impl BlockReport {
    fn details(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |counts: &[Count]| {
            let shown: Vec<_> =
                counts.iter().map(|c| format!("{} {}", c.name, grouped(c.count))).collect();
            shown.join("   ")
        };
        let mut compared: Vec<_> = self.runs.iter().filter_map(|r| r.compared.as_ref()).collect();
        compared.dedup();
        for compared in compared {
            writeln!(f, "{}: compared  {compared}", self.block)?;
        }
        writeln!(f, "{}: beats     {}", self.block, line(&self.beats))?;
        if !self.causes.is_empty() {
            writeln!(f, "{}: causes    {}", self.block, line(&self.causes))?;
        }
        writeln!(f, "{}: covered", self.block)?;
        for rows in self.coverage.chunks(3) {
            write!(f, " ")?;
            for row in rows {
                write!(f, " {:<26}{:>10} ", row.name, grouped(row.count))?;
            }
            writeln!(f)?;
        }
        for row in &self.not_applicable {
            writeln!(f, "  not applicable: {} ({})", row.row, row.reason)?;
        }
        for divergence in &self.divergences {
            writeln!(f, "\n{divergence}")?;
        }
        for ended in &self.ended {
            writeln!(f, "\n{ended}")?;
        }
        if !self.uncovered.is_empty() {
            writeln!(f, "\n{}: rows without a hit: {}", self.block, self.uncovered.join(", "))?;
        }
        if !self.never_valid.is_empty() {
            writeln!(f, "{}: channels never valid: {}", self.block, self.never_valid.join(", "))?;
        }
        writeln!(f)
    }

    fn conclusion(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = match self.verdict {
            "vacuous" => {
                " (what never happens is not checked: more --random cycles, or --partial to accept it)"
            }
            "stopped" => " (its random run was not played to its end)",
            _ => "",
        };
        writeln!(f, "{}: {}{why}", self.block, self.verdict)
    }

    /// The time of its runs, whether or not they ran side by side.
    fn wall(&self) -> f64 {
        self.runs.iter().map(|run| run.wall_s).sum()
    }
}

fn seconds(seconds: f64) -> String {
    let duration = Duration::from_secs_f64(seconds.max(0.0));
    if duration.as_millis() < 1000 {
        format!("{} ms", duration.as_millis())
    } else {
        format!("{:.1} s", seconds)
    }
}
