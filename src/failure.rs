//! What went wrong in a run as it is reported: each finding explained, and kept as a case.

use crate::check::{Done, Job};
use crate::divergence::{Divergence, Scene};
use crate::dut::During;
use crate::error::Result;
use crate::finding::{Finding, Origin, Seen, Signature};
use crate::play::peeks_of;
use crate::spread::spread;
use crate::units::grouped;
use crate::vectors::{self, About, Case};
use serde::Serialize;
use std::fmt;
use std::path::Path;

/// Cycles after a difference that a kept case still shows.
const AFTERMATH: u64 = 64;

/// A fault of a DUT, and the job that found it.
#[derive(Debug)]
pub struct Failure {
    /// Which of the jobs.
    pub job: usize,
    /// What was found.
    pub finding: Finding,
    /// What is told of it.
    pub told: Told,
}

impl Failure {
    /// What a job found, explained.
    ///
    /// # Errors
    /// A DUT that cannot be made again.
    pub fn new(job: &Job, number: usize, finding: Finding) -> Result<Self> {
        let told = explained(job, &finding)?;
        Ok(Self { job: number, finding, told })
    }

    /// What a folder of it is called.
    pub fn name(&self, jobs: &[Job]) -> String {
        name_of(&jobs[self.job], &self.finding.origin)
    }
}

impl Told {
    /// The files that were written.
    pub fn files(&mut self) -> &mut Vec<String> {
        match self {
            Self::Diverged(divergence) => &mut divergence.files,
            Self::Ended(ended) => &mut ended.files,
        }
    }
}

/// A finding as it is told.
#[derive(Debug)]
pub enum Told {
    /// Model and DUT diverged: explained.
    Diverged(Box<Divergence>),
    /// The DUT ended.
    Ended(Box<Ended>),
}

/// A DUT that ended before it was asked to. What was comparable until then was equal.
#[derive(Debug, Clone, Serialize)]
pub struct Ended {
    /// Block.
    pub block: String,
    /// Where, for people: what was running, and the cycle.
    pub place: String,
    /// Cycle of the leg; `null` where it ended before cycle 0 or after the last one.
    pub cycle: Option<u64>,
    /// How, in a word.
    pub kind: &'static str,
    /// How it looks.
    pub signature: Signature,
    /// How often it came.
    pub times: u64,
    /// How it ended, and what it printed.
    pub how: String,
    /// Command that runs this again.
    pub command: String,
    /// Versions that took part.
    pub versions: Vec<String>,
    /// From what it was shrunk, and to what.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shrunk: Option<String>,
    /// Files that were written.
    pub files: Vec<String>,
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "ENDED  {}: {}: {}", self.block, self.place, self.how)?;
        if self.times > 1 {
            writeln!(f, "  times     {}, of which this one is the shortest", grouped(self.times))?;
        }
        if let Some(shrunk) = &self.shrunk {
            writeln!(f, "  shrunk    {shrunk}")?;
        }
        writeln!(f, "  versions  {}", self.versions.join(", "))?;
        for file in &self.files {
            writeln!(f, "  wrote     {file}")?;
        }
        write!(f, "  again     {}", self.command)
    }
}

/// Puts together what jobs of a block found in common, plays each of it again and explains it. Of
/// random legs, what led to it is kept as a case below `cases`; where that fails it is said.
///
/// # Errors
/// A DUT that cannot be made again.
pub fn of(jobs: &[Job], done: &[Done], cases: &Path) -> Result<Vec<Failure>> {
    let mut found: Vec<(usize, Finding)> = vec![];
    for (n, finding) in
        done.iter().enumerate().flat_map(|(n, d)| d.findings.iter().map(move |f| (n, f)))
    {
        let block = |n: usize| jobs[n].unit.block().name;
        let known =
            found.iter_mut().find(|(m, known)| block(*m) == block(n) && known.is_like(finding));
        let Some(known) = known else {
            found.push((n, finding.clone()));
            continue;
        };
        let times = known.1.times + finding.times;
        if finding.cycle < known.1.cycle {
            *known = (n, finding.clone());
        }
        known.1.times = times;
    }
    let told = spread(found.len(), |n| tell(&jobs[found[n].0], &found[n].1, cases));
    let failures = found.into_iter().zip(told);
    failures.map(|((job, finding), told)| Ok(Failure { job, finding, told: told? })).collect()
}

/// Explains a finding, and keeps what led to it.
fn tell(job: &Job, finding: &Finding, cases: &Path) -> Result<Told> {
    let mut told = explained(job, finding)?;
    if matches!(finding.origin, Origin::Case(_)) {
        return Ok(told);
    }
    let run = job.place(&finding.origin);
    let folder = cases.join(name_of(job, &finding.origin));
    let kept = case_until(job, finding, &run).and_then(|case| vectors::write(&folder, &case));
    if let Err(error) = kept {
        // What was found is told all the same; the command of the run finds it again.
        eprintln!("note: {run}: the case is not kept: {error}");
        return Ok(told);
    }
    let command = job.replay(&folder, &finding.origin);
    match &mut told {
        Told::Diverged(divergence) => divergence.command = command,
        Told::Ended(ended) => ended.command = command,
    }
    told.files().push(folder.display().to_string());
    Ok(told)
}

/// What a folder for something that a job played is called.
fn name_of(job: &Job, origin: &Origin) -> String {
    let run = job.place(origin);
    let slug: String =
        run.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    format!("{}-{slug}", job.unit.block().name).replace("__", "_")
}

fn explained(job: &Job, finding: &Finding) -> Result<Told> {
    let (run, command) = (job.place(&finding.origin), job.command_of(&finding.origin));
    let explain = |tell: &dyn Fn(&Scene<'_>) -> Result<Divergence>| {
        let leg = job.leg_of(&finding.origin)?;
        let divergence = job.again(&leg, &run, &command, tell)?;
        Ok(Told::Diverged(Box::new(Divergence { times: finding.times, ..divergence })))
    };
    match &finding.seen {
        Seen::Difference(difference) => explain(&|scene| scene.explain(*difference)),
        Seen::Fault(fault, state) => explain(&|scene| scene.explain_fault(fault, state.clone())),
        Seen::End(end) => Ok(Told::Ended(Box::new(Ended {
            block: job.unit.block().name.to_string(),
            place: match end.during.text() {
                Some(text) => format!("{run}, {text}"),
                None => format!("{run}, cycle {}", finding.cycle),
            },
            cycle: (end.during == During::Run).then_some(finding.cycle),
            kind: end.end.verdict(),
            signature: finding.signature.clone(),
            times: finding.times,
            how: end.to_string(),
            command,
            versions: job.dut.versions(),
            shrunk: None,
            files: vec![],
        }))),
    }
}

/// A finding's leg as it was played, until a little after what was found.
fn case_until(job: &Job, finding: &Finding, run: &str) -> Result<Case> {
    let Finding { cycle, signature, .. } = finding;
    let mut about = About::new(run, format!("{signature}, cycle {cycle}"));
    if let Origin::Leg { seed, .. } = finding.origin {
        about.seed = Some(seed);
    }
    let leg = job.leg_of(&finding.origin)?;
    // The live run's peeks: those of every context.
    let peeks = peeks_of(&job.layout(), 0..job.unit.contexts(&job.params));
    let most = (cycle + AFTERMATH) as usize;
    vectors::record_with(job.unit, about, &leg, &job.params, &peeks, most)
}
