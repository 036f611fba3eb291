//! `rate_limiter`: a RoCE NIC's per-queue-pair rate loop and pacer (seed 000).

pub mod cfg;
pub mod core;
mod coverage;
pub mod dcqcn;
pub mod model;
pub mod perf;
pub mod random;
pub mod reference;
pub mod replay;
pub mod scenarios;
mod shell;
pub mod steer;
mod unseen;

use crate::Golden;
use crate::attributes::{AttributeError, AttributeSet};
use crate::perf::{Plan, Probe};
use crate::scenario::{Leg, Scenario};
use crate::steered::Steered;
use crate::stimulus::Stimulus;
use crate::unit::{DutTiming, RealBeat, Unit};
use congruent_ports::rate_limiter::BLOCK;
use congruent_ports::{Block, ParamSet};

/// Widest time of which half a wrap is idled through in a run, bits.
const LONGEST_IDLE_W: i64 = 16;

/// Whether the loop is the published reaction point.
fn is_dcqcn(params: &ParamSet) -> bool {
    params.get("DCQCN") == 1
}

/// The block as the harness sees it.
#[derive(Debug, Clone, Copy)]
pub struct RateLimiter;

impl Unit for RateLimiter {
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
        if is_dcqcn(params) {
            return Ok(Box::new(dcqcn::model::Model::new(attributes, params)?));
        }
        Ok(Box::new(model::Model::new(attributes, params)?))
    }

    fn steered(
        &self,
        attributes: &AttributeSet,
        params: &ParamSet,
        timing: &DutTiming,
    ) -> Result<Box<dyn Steered>, AttributeError> {
        if is_dcqcn(params) {
            return Ok(Box::new(dcqcn::steer::SteeredModel::new(attributes, params, timing)?));
        }
        if !timing.shows(&BLOCK, "upd") {
            return Ok(Box::new(unseen::SteeredModel::new(attributes, params, timing)?));
        }
        Ok(Box::new(steer::SteeredModel::new(attributes, params, timing)?))
    }

    fn steerable(&self, params: &ParamSet, timing: &DutTiming) -> Result<(), String> {
        match (is_dcqcn(params), timing.shows(&BLOCK, "upd")) {
            (true, true) => timing.exact(&["upd_latency_dcqcn", "rate_delay_dcqcn"]),
            (true, false) => {
                Err("with DCQCN = 1 the upd beats say in which order the loop's timers \
                                  and its byte counter ran, which nothing else shows"
                    .to_string())
            }
            (false, true) => timing.exact(&["upd_latency", "rate_delay"]),
            (false, false) => timing.exact(&["rate_delay"]),
        }
    }

    fn reference(
        &self,
        attributes: &AttributeSet,
        params: &ParamSet,
        stimulus: &Stimulus,
    ) -> Result<Vec<RealBeat>, AttributeError> {
        cfg::configure(attributes, params)?;
        if is_dcqcn(params) {
            return Ok(dcqcn::replay::replay(attributes, params, stimulus));
        }
        Ok(replay::replay(attributes, params, stimulus))
    }

    fn scenarios(&self) -> Vec<Scenario> {
        scenarios::all()
    }

    fn leg(&self, seed: u64, leg: u64, cycles: u64, params: &ParamSet) -> Leg {
        random::leg(seed, leg, cycles, params)
    }

    fn perf(&self, attributes: &AttributeSet, params: &ParamSet, cycles: u64) -> Plan {
        perf::plan(attributes, params, cycles)
    }

    fn probe(&self, params: &ParamSet) -> Box<dyn Probe> {
        Box::new(perf::Pins::new(params))
    }

    fn contexts(&self, params: &ParamSet) -> u64 {
        params.get("QPS") as u64
    }

    fn not_applicable(&self, params: &ParamSet) -> Vec<(&'static str, &'static str)> {
        let mut rows = vec![];
        if 1 << params.get("QP_W") == params.get("QPS") {
            rows.push(("qp_out_of_range", "qp holds no number outside the table"));
        }
        if params.get("TIME_W") > LONGEST_IDLE_W {
            rows.push(("wrap_while_idle", "half a wrap of TIME_W is longer than a run"));
        }
        rows.extend(coverage::data_rates_out_of_reach(params));
        let (absent, why) = if is_dcqcn(params) {
            (coverage::HALF_ROWS, "DCQCN = 1 has no halves")
        } else {
            (dcqcn::coverage::ROWS, "DCQCN = 0 is not the reaction point")
        };
        rows.extend(absent.iter().map(|row| (BLOCK.coverage[*row].name, why)));
        if is_dcqcn(params) {
            rows.extend(dcqcn::coverage::out_of_reach(params));
        }
        rows
    }

    fn rule(&self, channel: &str, fields: &[u64]) -> Option<&'static str> {
        match channel {
            "upd" => fields.get(1).map(|cause| shell::rule(*cause)),
            "rsp" => {
                Some("8. Pacing: granted from next_send on; next_send continues within PacingSlack")
            }
            _ => None,
        }
    }
}
