//! Flags of a random run: how much, from which seeds, and whether it goes on after a difference.

use crate::check::{Budget, Source};
use crate::error::{Error, Result};
use std::time::Duration;

/// Random cycles of a run that names neither vectors nor a number.
const CYCLES: u64 = 1_000_000;

/// The options of a random run.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Random stimulus")]
pub struct RandomArgs {
    /// Play random stimulus for so many cycles, spread over the built-in parameter sets
    #[arg(long, value_name = "CYCLES")]
    random: Option<u64>,
    /// Play random stimulus for so long, as `10m` or `90s`, after everything is built
    #[arg(
        long = "for",
        value_name = "TIME",
        conflicts_with = "random",
        value_parser = humantime::parse_duration
    )]
    time: Option<Duration>,
    /// Seed of the random stimulus
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// So many seeds from --seed on, in turns; at least one leg of each
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// Go on after a difference, and report all that differ in port, kind or rule, the shortest of
    /// each
    #[arg(long)]
    pub keep_going: bool,
}

impl RandomArgs {
    /// Whether a random run is asked for.
    pub fn is_given(&self) -> bool {
        self.random.is_some() || self.time.is_some()
    }

    /// Whether time is what ends it.
    pub fn is_timed(&self) -> bool {
        self.time.is_some()
    }

    /// The first seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// What one of so many jobs plays.
    ///
    /// # Errors
    /// Seeds that go beyond the largest number.
    pub fn source(&self, jobs: u64) -> Result<Source> {
        if self.seed.checked_add(self.seeds - 1).is_none() {
            return Err(Error::input(
                format!(
                    "--seed {} --seeds {}: there are no seeds beyond 2^64 - 1",
                    self.seed, self.seeds
                ),
                "begin with a smaller seed",
            ));
        }
        let budget = match self.time {
            Some(time) => Budget::Time(time / jobs.clamp(1, u32::MAX.into()) as u32),
            None => Budget::Cycles(self.random.unwrap_or(CYCLES).div_ceil(jobs.max(1))),
        };
        Ok(Source::Random { seed: self.seed, seeds: self.seeds, budget, first: 0, step: 1 })
    }

    /// The options as they were written, each with a blank before it.
    pub fn flags(&self) -> String {
        let mut flags = match self.time {
            Some(time) => {
                let time = humantime::format_duration(time).to_string();
                format!(" --for {}", time.replace(' ', ""))
            }
            None => format!(" --random {}", self.random.unwrap_or(CYCLES)),
        };
        flags += &format!(" --seed {}", self.seed);
        if self.seeds > 1 {
            flags += &format!(" --seeds {}", self.seeds);
        }
        if self.keep_going {
            flags += " --keep-going";
        }
        flags
    }
}
