//! The options that say how two sides are compared.

use crate::check::{Compare, Job};
use crate::error::{Error, Result};
use crate::mid_reset::MidResets;
use crate::probe::Latency;
use crate::tolerance;
use congruent_hw::unit::DutTiming;

/// The options, to be flattened into those of a subcommand.
#[derive(Debug, Clone, clap::Args)]
pub struct CompareArgs {
    /// How sides are compared: exact, latency=N, latency=auto or steered
    #[arg(long, value_name = "HOW", default_value = "exact")]
    compare: String,
    /// How far an output field may be off: 2lsb, or an amount in its unit (upd_rate=0.5Gbps); may be
    /// repeated
    #[arg(long, value_name = "FIELD=AMOUNT")]
    tolerance: Vec<String>,
    /// Begin every leg, reset in the middle of things, then play it in full; without a place: drawn for
    /// each leg
    #[arg(
        long,
        value_name = "CYCLE[,LONGER]",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        value_parser = MidResets::parse
    )]
    reset_mid_run: Option<MidResets>,
}

impl CompareArgs {
    /// Sets how a job compares: the comparison that is asked for, and what may differ between the
    /// DUT's words and ours, the tolerances on top of what is known of the DUT.
    ///
    /// # Errors
    /// A comparison that there is not, or that cannot be made with this DUT; a field that there is not
    /// or that takes no tolerance.
    pub fn apply(&self, job: &mut Job) -> Result<()> {
        let block = job.unit.block();
        job.compare = self.compare(&job.dut.timing(block))?;
        job.rules = job.dut.rules();
        tolerance::add(&mut job.rules, &job.dut.layout(block, &job.params), &self.tolerance)?;
        let tolerances = self.tolerance.iter().map(|option| match option.contains(' ') {
            true => format!(" --tolerance '{option}'"),
            false => format!(" --tolerance {option}"),
        });
        job.options = tolerances.collect();
        job.mid_reset = self.reset_mid_run;
        if let Compare::Steered(timing) = &job.compare {
            let timing = timing.with_rules(job.rules.clone());
            job.unit.steerable(&job.params, &timing).map_err(|why| {
                Error::input(
                    format!("--compare steered cannot follow this {}: {why}", block.name),
                    "name the signal that shows it in the map, or compare exact or latency=N",
                )
            })?;
        }
        if self.compare == "latency=auto" {
            job.compare = Compare::Latency(job.find_latency()?);
        }
        Ok(())
    }

    fn compare(&self, timing: &DutTiming) -> Result<Compare> {
        let text = self.compare.as_str();
        let latency = text.strip_prefix("latency=").map(str::parse);
        match (text, latency) {
            ("exact", _) => Ok(Compare::Exact),
            ("steered", _) => Ok(Compare::Steered(timing.clone())),
            // Which it is takes a job to find out.
            ("latency=auto", _) => Ok(Compare::Exact),
            (_, Some(Ok(cycles @ 0..=10_000))) => Ok(Compare::Latency(Latency::given(cycles))),
            _ => Err(Error::input(
                format!("--compare {text}: there is no such comparison"),
                "accepted is exact, latency=N with N from 0 to 10000, latency=auto, or steered",
            )),
        }
    }
}
