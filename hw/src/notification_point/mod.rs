//! `notification_point`: the DCQCN notification point of a RoCE NIC (Zhu et al. 2015).

pub mod cfg;
pub mod core;
mod coverage;
pub mod model;
pub mod perf;
pub mod random;
pub mod reference;
pub mod replay;
pub mod scenarios;
pub mod steer;

use crate::Golden;
use crate::attributes::{AttributeError, AttributeSet};
use crate::in_order::InOrderModel;
use crate::perf::{Plan, Probe};
use crate::scenario::{Leg, Scenario};
use crate::steered::Steered;
use crate::stimulus::Stimulus;
use crate::unit::{DutTiming, RealBeat, Unit};
use congruent_ports::notification_point::BLOCK;
use congruent_ports::{Block, ParamSet};

/// Bits of a time of which half a wrap passes within a leg.
const SHORT_TIME_W: i64 = 13;

/// The block as the harness sees it.
#[derive(Debug, Clone, Copy)]
pub struct NotificationPoint;

impl Unit for NotificationPoint {
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
        let core = steer::SteeredCore::new(attributes, params, timing)?;
        Ok(Box::new(InOrderModel::new(&BLOCK, params, timing, core)))
    }

    fn reference(
        &self,
        attributes: &AttributeSet,
        params: &ParamSet,
        stimulus: &Stimulus,
    ) -> Result<Vec<RealBeat>, AttributeError> {
        cfg::configure(attributes, params)?;
        Ok(replay::replay(attributes, params, stimulus))
    }

    fn scenarios(&self) -> Vec<Scenario> {
        scenarios::all()
    }

    fn leg(&self, seed: u64, leg: u64, cycles: u64, params: &ParamSet) -> Leg {
        random::leg(seed, leg, cycles, params)
    }

    /// Short ones: gaps take turns by leg.
    fn leg_cycles(&self, params: &ParamSet) -> u64 {
        5_000 + 16 * self.contexts(params)
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
        if params.get("TIME_W") > SHORT_TIME_W {
            rows.push(("wrap_while_idle", "half a wrap is longer than a leg"));
        }
        rows
    }

    fn rule(&self, channel: &str, _fields: &[u64]) -> Option<&'static str> {
        (channel == "cnp").then_some(
            "a CE packet is answered if no CNP went out for its queue pair for min_time_between_cnps, else swallowed",
        )
    }

    /// The block has no line rate.
    fn line_rate_gbps(&self, _attributes: &AttributeSet) -> f64 {
        1.0
    }
}
