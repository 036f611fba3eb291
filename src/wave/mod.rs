//! Waveforms of what went wrong. The live run traces nothing: the leg is run again, the window around
//! the divergence is recorded, and written as FST for a viewer or as a picture.

mod fst;
mod hierarchy;
mod internals;
mod picture;
mod record;
mod svg;

pub use record::{Recording, Row};

use crate::check::{Compare, DutSource, Job, quoted};
use crate::divergence::{Divergence, Side, Spot};
use crate::error::{Error, Result};
use crate::failure::{Failure, Told};
use crate::files::Draft;
use crate::finding::Seen;
use congruent_hw::scenario::Leg;
use std::path::{Path, PathBuf};

/// Cycles that are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Span {
    /// What suits the kind of file.
    Usual,
    /// So many before and after the cycle of the divergence.
    Around {
        /// Before it.
        before: u64,
        /// After it.
        after: u64,
    },
    /// The whole leg.
    All,
}

/// Cycles that a picture has room for.
const MOST_OF_A_PICTURE: u64 = 80;

impl Span {
    /// How many cycles are asked for; none is all of them.
    fn cycles(self) -> Option<u64> {
        match self {
            Self::Usual => Some(0),
            Self::Around { before, after } => Some(before.saturating_add(after).saturating_add(1)),
            Self::All => None,
        }
    }

    /// First and last cycle, for a divergence in this cycle; none where there is nothing to show.
    fn around(self, kind: Kind, cycle: Option<u64>) -> Option<(u64, u64)> {
        let (before, after) = match (self, kind) {
            (Self::All, _) => return Some((0, u64::MAX)),
            (Self::Around { before, after }, _) => (before, after),
            (Self::Usual, Kind::Fst) => (200, 50),
            (Self::Usual, Kind::Svg) => (14, 5),
        };
        let cycle = cycle?;
        Some((cycle.saturating_sub(before), cycle.saturating_add(after)))
    }
}

/// Kind of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Fst,
    Svg,
}

impl Kind {
    fn of(place: &Path) -> Result<Self> {
        match place.extension().and_then(|e| e.to_str()) {
            Some("fst") => Ok(Self::Fst),
            Some("svg") => Ok(Self::Svg),
            _ => Err(Error::input(
                format!("--wave {}: the kind of file is told from its name", place.display()),
                "accepted is a name that ends in .fst (for GTKWave and Surfer) or .svg (a picture)",
            )),
        }
    }
}

/// The waveforms that are wished for.
#[derive(Debug, Clone)]
pub struct Wish {
    places: Vec<(PathBuf, Kind)>,
    span: Span,
    internals: bool,
}

/// What there is to show of a job.
struct Subject {
    leg: Leg,
    /// What was running, for people, and the command that runs it again.
    run: String,
    command: String,
    /// Cycle of the divergence, or of the end.
    cycle: Option<u64>,
    spot: Option<Spot>,
    /// What is told of it, for a picture.
    captions: Vec<String>,
}

impl Wish {
    /// Waveforms in these places; none is no wish.
    ///
    /// # Errors
    /// A name that does not tell the kind of file, a place that cannot be written.
    pub fn new(places: &[PathBuf], span: Span, internals: bool) -> Result<Self> {
        let mut known = vec![];
        for place in places {
            let kind = Kind::of(place)?;
            if kind == Kind::Svg && span.cycles().is_none_or(|cycles| cycles > MOST_OF_A_PICTURE) {
                return Err(Error::input(
                    format!("--wave {}: a picture has no room for so many cycles", place.display()),
                    format!(
                        "accepted is a window of at most {MOST_OF_A_PICTURE} cycles; a file that ends in .fst takes any"
                    ),
                ));
            }
            known.push((place.clone(), kind));
            // Dropped: what is there stays until there is something to put in its place.
            Draft::new(place)?;
        }
        Ok(Self { places: known, span, internals })
    }

    /// Writes the waveforms of what went wrong in jobs, of each job the first, and notes the files
    /// there. Where there is nothing to show, it says so.
    ///
    /// # Errors
    /// A DUT that cannot be made again, a file that cannot be written.
    pub fn write(&self, jobs: &[Job], failures: &mut [Failure]) -> Result<()> {
        let mut shown = 0;
        for (n, job) in jobs.iter().enumerate() {
            if self.places.is_empty() {
                break;
            }
            let mut failure = failures.iter_mut().find(|failure| failure.job == n);
            let Some(subject) = self.subject(job, failure.as_deref())? else { continue };
            shown += 1;
            for (place, kind) in &self.places {
                let place = numbered(place, shown);
                let recording = self.record(job, &subject, *kind)?;
                if subject.spot.is_some() && !recording.shows_mismatch() {
                    eprintln!(
                        "note: {}: the re-run on a fresh DUT shows no mismatch: what the DUT was left in by earlier legs takes part in it",
                        place.display()
                    );
                }
                let bytes = match kind {
                    Kind::Fst => recording.fst()?,
                    Kind::Svg => recording.svg().into_bytes(),
                };
                Draft::new(&place)?.finish_with(&bytes)?;
                let name = place.display().to_string();
                match failure.as_mut().map(|failure| &mut failure.told) {
                    Some(Told::Diverged(divergence)) => divergence.files.push(name),
                    Some(Told::Ended(ended)) => ended.files.push(name),
                    None => eprintln!("wrote {}", quoted(&place)),
                }
            }
        }
        if shown == 0 && !self.places.is_empty() {
            eprintln!(
                "no waveform was written: nothing diverged (--wave-all shows a leg all the same)"
            );
        }
        Ok(())
    }

    fn subject(&self, job: &Job, failure: Option<&Failure>) -> Result<Option<Subject>> {
        let Some(Failure { finding, told, .. }) = failure else {
            let all = (self.span == Span::All).then(|| {
                let (run, command) = (job.name.clone(), job.command.clone());
                Ok(Subject {
                    leg: job.first_leg()?,
                    run,
                    command,
                    cycle: None,
                    spot: None,
                    captions: vec![],
                })
            });
            return all.transpose();
        };
        if let Seen::End(end) = &finding.seen
            && end.during.is_before_the_run()
        {
            eprintln!("note: {}: no waveform, there is no cycle to show", job.name);
            return Ok(None);
        }
        let (run, command, spot, captions) = match told {
            Told::Diverged(d) => (&d.run, &d.command, Some(d.spot), told_of(d)),
            Told::Ended(e) => {
                let how = e.how.lines().map(|line| line.trim().to_string());
                (&e.place, &e.command, None, how.take(3).collect())
            }
        };
        let (run, command) = (run.clone(), command.clone());
        let leg = job.leg_of(&finding.origin)?;
        Ok(Some(Subject { leg, run, command, cycle: Some(finding.cycle), spot, captions }))
    }

    fn record(&self, job: &Job, subject: &Subject, kind: Kind) -> Result<Recording> {
        let window = self.span.around(kind, subject.cycle);
        let window = window.ok_or(Error::plain("a waveform without a cycle"))?;
        let steered = matches!(job.compare, Compare::Steered(_));
        let Subject { leg, run, command, spot, .. } = subject;
        let mut recording =
            job.again(leg, run, command, |scene| Recording::new(scene, steered, window, *spot))?;
        if let DutSource::Foreign(foreign) = &job.dut {
            recording.names = foreign.output_names();
        }
        recording.mark = subject.cycle;
        recording.captions.clone_from(&subject.captions);
        if self.internals && kind == Kind::Fst {
            let traced = Job { dut: job.dut.traced(job.unit, &job.params)?, ..job.clone() };
            let top = match &traced.dut {
                DutSource::Foreign(foreign) => foreign.sources.top.as_str(),
                DutSource::Linked(_) => job.unit.block().name,
            };
            traced.again(leg, run, command, |scene| recording.trace(scene, top))?;
            if recording.internals.as_ref().is_some_and(|internals| !internals.same) {
                eprintln!(
                    "note: the RTL that was built with tracing behaves otherwise than the RTL under test: its internals do not belong to the pins beside them"
                );
            }
        }
        Ok(recording)
    }
}

/// What a picture says below: what was expected, and what came instead.
fn told_of(divergence: &Divergence) -> Vec<String> {
    let side = |side: &Side| match side.value.is_empty() {
        true => side.hex.clone(),
        false => format!("{} ({})", side.value, side.hex),
    };
    let Divergence { cycle, port, signature, expected, theirs, got, message, .. } = divergence;
    let message = message.iter().flat_map(|message| message.lines());
    // A fault of a beat as a whole has no values: its message says it all.
    if signature.field == "-" {
        let channel = &signature.channel;
        return message.map(|message| format!("cycle {cycle}, {channel}: {message}")).collect();
    }
    let theirs = theirs.as_ref().map(|theirs| format!(", in the RTL's format {}", side(theirs)));
    let values = format!(
        "cycle {cycle}, {port}: expected {}{}, got {}",
        side(expected),
        theirs.unwrap_or_default(),
        side(got)
    );
    std::iter::once(values).chain(message.map(str::to_string)).collect()
}

/// The place of the n-th waveform: `out.fst`, `out-2.fst`, ..
fn numbered(place: &Path, n: usize) -> PathBuf {
    if n < 2 {
        return place.to_path_buf();
    }
    let text =
        |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().to_string();
    place.with_file_name(format!("{}-{n}.{}", text(place.file_stem()), text(place.extension())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_waveforms_have_numbers() {
        assert_eq!(numbered(Path::new("a/b.fst"), 1), Path::new("a/b.fst"));
        assert_eq!(numbered(Path::new("a/b.fst"), 2), Path::new("a/b-2.fst"));
        assert_eq!(numbered(Path::new("b.c.svg"), 3), Path::new("b.c-3.svg"));
    }

    #[test]
    fn a_window_ends_where_the_leg_begins() {
        let around = Span::Around { before: 5, after: 2 };
        assert_eq!(around.around(Kind::Fst, Some(9)), Some((4, 11)));
        assert_eq!(around.around(Kind::Fst, Some(3)), Some((0, 5)));
        assert_eq!(Span::Usual.around(Kind::Svg, Some(1_000)), Some((986, 1_005)));
        assert_eq!(Span::Usual.around(Kind::Fst, Some(1_000)), Some((800, 1_050)));
        assert_eq!(Span::All.around(Kind::Fst, None), Some((0, u64::MAX)));
        assert_eq!(around.around(Kind::Fst, None), None);
    }
}
