//! `pfc_threshold`: a switch's shared buffer with dynamic PFC thresholds (seed 003).

pub mod cfg;
pub mod core;
mod coverage;
pub mod model;
pub mod pauses;
pub mod perf;
pub mod random;
pub mod reference;
pub mod replay;
pub mod scenarios;
mod script;
pub mod steer;

use crate::Golden;
use crate::attributes::{AttributeError, AttributeSet};
use crate::perf::{Plan, Probe};
use crate::scenario::{Leg, Scenario};
use crate::steered::Steered;
use crate::stimulus::Stimulus;
use crate::unit::{DutTiming, RealBeat, Unit};
use congruent_ports::pfc_threshold::BLOCK;
use congruent_ports::{Block, ParamSet};

/// Cycles within which the time wraps in every leg, or in none that counts.
const WRAPS_WITHIN: u64 = 2_000;

/// Bits of a counter that as many packets saturate as a run has.
const COUNTED_OUT_W: i64 = 8;

/// The block as the harness sees it.
#[derive(Debug, Clone, Copy)]
pub struct PfcThreshold;

impl Unit for PfcThreshold {
    fn block(&self) -> &'static Block {
        &BLOCK
    }

    fn check_params(&self, params: &ParamSet) -> Result<(), AttributeError> {
        cfg::check_params(params)
    }

    fn pins(
        &self,
        attributes: &AttributeSet,
        params: &ParamSet,
    ) -> Result<Vec<u64>, AttributeError> {
        Ok(cfg::configure(attributes, params)?.pins())
    }

    fn golden(
        &self,
        attributes: &AttributeSet,
        params: &ParamSet,
    ) -> Result<Box<dyn Golden>, AttributeError> {
        Ok(Box::new(model::Model::new(attributes, params)?))
    }

    fn steered(
        &self,
        attributes: &AttributeSet,
        params: &ParamSet,
        timing: &DutTiming,
    ) -> Result<Box<dyn Steered>, AttributeError> {
        Ok(Box::new(steer::SteeredModel::new(attributes, params, timing)?))
    }

    fn steerable(&self, _: &ParamSet, timing: &DutTiming) -> Result<(), String> {
        if !timing.shows(&BLOCK, "pause") {
            return Err(
                "its pause beats say when the sweep resumed a queue, on which depends what is \
                        admitted, and nothing else shows it"
                    .to_string(),
            );
        }
        timing.exact(&["pause_latency"])
    }

    fn reference(
        &self,
        attributes: &AttributeSet,
        params: &ParamSet,
        stimulus: &Stimulus,
    ) -> Result<Vec<RealBeat>, AttributeError> {
        cfg::configure(attributes, params)?;
        replay::replay(attributes, params, stimulus)
    }

    fn scenarios(&self) -> Vec<Scenario> {
        scenarios::all()
    }

    fn leg(&self, seed: u64, leg: u64, cycles: u64, params: &ParamSet) -> Leg {
        random::leg(seed, leg, cycles, params)
    }

    /// Short ones: a run goes several times through the attributes that legs take turns in.
    fn leg_cycles(&self, params: &ParamSet) -> u64 {
        2_000 + 10 * self.contexts(params)
    }

    fn perf(&self, attributes: &AttributeSet, params: &ParamSet, cycles: u64) -> Plan {
        perf::plan(attributes, params, cycles)
    }

    fn probe(&self, params: &ParamSet) -> Box<dyn Probe> {
        Box::new(perf::Pins::new(params))
    }

    fn contexts(&self, params: &ParamSet) -> u64 {
        params.get("QUEUES") as u64
    }

    fn not_applicable(&self, params: &ParamSet) -> Vec<(&'static str, &'static str)> {
        let mut rows = vec![];
        if 1 << params.get("QUEUE_W") == params.get("QUEUES") {
            rows.push(("queue_out_of_range", "queue holds no number outside the table"));
        }
        if params.get("QUEUES") == 1 {
            let alone = "no other queue's departure raises the threshold of one alone, and its own resumes it at once";
            rows.push(("resume_by_sweep", alone));
            rows.push(("resume_in_refresh_cycle", alone));
            rows.push(("xoff_in_resume_cycle", alone));
        }
        let whole = 1i64 << params.get("TIME_W");
        let to_wrap = whole - params.get("TIME_INIT").rem_euclid(whole);
        if to_wrap as u64 > WRAPS_WITHIN {
            rows.push((
                "wrap_while_paused",
                "the first wrap of the time is later than a leg is long",
            ));
        }
        if params.get("COUNT_W") > COUNTED_OUT_W {
            rows.push(("counter_saturated", "2^COUNT_W packets are more than a leg has"));
        }
        rows
    }

    fn rule(&self, channel: &str, fields: &[u64]) -> Option<&'static str> {
        match channel {
            "admit" => fields.get(1).map(|verdict| model::admit_rule(*verdict)),
            "pause" => match fields {
                [_, xoff, refresh] => Some(model::pause_rule(*xoff != 0, *refresh != 0)),
                _ => None,
            },
            _ => None,
        }
    }
}
