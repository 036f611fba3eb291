//! A failure is shrunk, written as a folder of vectors, and told once more by a run from the files.

use super::{Limits, Stage, shrink};
use crate::check::{Compare, Job, Source, leg_of};
use crate::error::{Error, Result};
use crate::failure::{Failure, Told};
use crate::finding::{Finding, Origin};
use crate::play::peeks_of;
use crate::vectors::{self, About};
use congruent_hw::scenario::Leg;
use congruent_hw::stimulus::Stimulus;
use std::path::Path;
use std::sync::Arc;

/// Shrinks a failure of a job into a folder; the failure then tells of what is in it. False, and
/// nothing is changed, where its stimulus does not show the same on a fresh DUT.
///
/// # Errors
/// A DUT that cannot be made; a folder that cannot be written; a result that does not show the same
/// when it is played from its files, which would be a fault of this program.
pub fn keep(job: &Job, failure: &mut Failure, folder: &Path, limits: Limits<'_>) -> Result<bool> {
    let Finding { signature, origin, .. } = &failure.finding;
    let whole = until(job, &failure.finding)?;
    let Some(small) = job.on_stage(|stage| shrink(stage, &whole, signature, limits))? else {
        return Ok(false);
    };
    let mut about = About::new(format!("{}, small", name(job, origin)), small.sentence());
    about.doc = format!("{signature}: {}", small.sentence());
    if let Origin::Leg { seed, .. } = origin {
        about.seed = Some(*seed);
    }
    let case = job.on_stage(|stage: &Stage<'_>| stage.case(about, &small.leg))?;
    vectors::write(folder, &case)?;
    let again = replayed(job, folder)?;
    let found = again.run(&|_| ())?.findings.into_iter().next();
    let Some(found) = found.filter(|found| found.signature == *signature) else {
        return Err(Error::plain(format!(
            "{}: what was shrunk shows {signature}, and its files do not",
            folder.display()
        )));
    };
    let files = std::mem::take(failure.told.files());
    let times = failure.finding.times;
    *failure = Failure::new(&again, failure.job, Finding { times, ..found })?;
    *failure.told.files() = files;
    failure.told.files().push(folder.display().to_string());
    match &mut failure.told {
        Told::Diverged(divergence) => divergence.shrunk = Some(small.sentence()),
        Told::Ended(ended) => ended.shrunk = Some(small.sentence()),
    }
    Ok(true)
}

/// What was played until something was found, as it can be cut: every beat from the cycle on in which
/// it was offered.
fn until(job: &Job, finding: &Finding) -> Result<Leg> {
    let leg = job.leg_of(&finding.origin)?;
    let (unit, params) = (job.unit, &job.params);
    let record = |peeks: &Stimulus, most| {
        let case = vectors::record_with(unit, About::new("whole", ""), &leg, params, peeks, most)?;
        Ok::<_, Error>(leg_of(&case))
    };
    match job.compare {
        // Peeks of every context come after what is recorded, in each try.
        Compare::Steered(_) => record(&Stimulus::new(unit.block()), usize::MAX),
        Compare::Exact | Compare::Latency(_) => {
            let peeks = peeks_of(&job.layout(), 0..unit.contexts(params));
            let cycles = finding.cycle + 1;
            let mut whole = record(&peeks, cycles as usize)?;
            // A late DUT may show it when the golden model has nothing more to say.
            whole.stimulus.cycles = cycles;
            Ok(whole)
        }
    }
}

/// A job that plays a folder into the same DUT.
fn replayed(job: &Job, folder: &Path) -> Result<Job> {
    let case = Arc::new(vectors::load(folder)?);
    let source = Source::Cases(vec![Arc::clone(&case)]);
    let again = Job { source, mid_reset: None, cases: None, ..job.clone() };
    let command = again.replay(folder, &Origin::Case(case));
    Ok(Job { command, ..again })
}

fn name(job: &Job, origin: &Origin) -> String {
    match origin {
        Origin::Case(case) => case.about.scenario.clone(),
        Origin::Leg { .. } => job.place(origin),
    }
}
