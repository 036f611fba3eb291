//! Progress on a terminal; nothing in a pipe.

use crate::check::{Budget, Job, Source};
use crate::shrink::Size;
use crate::units::grouped;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How far the jobs of a run have come: in cycles, or in time where that is what there is.
pub struct Progress {
    bar: ProgressBar,
    /// Where the run ends by the clock.
    time: Option<Duration>,
    clock: Instant,
    cycles: AtomicU64,
}

impl Progress {
    /// Of jobs that are to be run.
    pub fn of(jobs: &[Job]) -> Self {
        let time = |job: &Job| match job.source {
            Source::Random { budget: Budget::Time(time), .. } => Some(time),
            _ => None,
        };
        let time: Duration = jobs.iter().filter_map(time).sum();
        let time = Some(time).filter(|time| !time.is_zero());
        let length = match time {
            Some(time) => time.as_millis() as u64,
            None => jobs.iter().map(Job::cycles).sum(),
        };
        let style = match time {
            Some(_) => "{bar:40} {msg}",
            None => "{bar:40} {human_pos} of {human_len} cycles, {eta} left",
        };
        Self { bar: bar(Some(length), style), time, clock: Instant::now(), cycles: 0.into() }
    }

    /// So many more cycles are played.
    pub fn add(&self, cycles: u64) {
        let Some(time) = self.time else { return self.bar.inc(cycles) };
        let all = self.cycles.fetch_add(cycles, Ordering::Relaxed) + cycles;
        if self.bar.is_hidden() {
            return;
        }
        let gone = self.clock.elapsed().min(time);
        let left = Duration::from_secs((time - gone).as_secs());
        self.bar.set_position(gone.as_millis() as u64);
        let left = humantime::format_duration(left);
        self.bar.set_message(format!("{} cycles, {left} left", grouped(all)));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// How far shrinking has come.
pub struct Shrinking {
    bar: ProgressBar,
}

impl Shrinking {
    /// Nothing was tried yet.
    pub fn begin() -> Self {
        Self { bar: bar(None, "{spinner} {msg}") }
    }

    /// After so many tries the smallest is of this size.
    pub fn show(&self, size: Size, tries: u64) {
        if !self.bar.is_hidden() {
            self.bar.set_message(format!("shrinking: {size} left, {} tries", grouped(tries)));
            self.bar.tick();
        }
    }
}

impl Drop for Shrinking {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

fn bar(length: Option<u64>, style: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr_with_hz(5));
    if let Ok(style) = ProgressStyle::with_template(style) {
        bar.set_style(style);
    }
    bar
}
