//! `hpcc_window`: HPCC's window of a NIC, a flow each, fed by in-band telemetry (seed 003).

pub mod cfg;
pub mod collect;
pub mod core;
mod coverage;
pub mod model;
pub mod perf;
pub mod random;
pub mod reference;
pub mod replay;
pub mod scenarios;
pub mod script;
pub mod steer;

use crate::Golden;
use crate::attributes::{AttributeError, AttributeSet};
use crate::in_order::InOrderModel;
use crate::perf::{Plan, Probe};
use crate::scenario::{Leg, Scenario};
use crate::steered::Steered;
use crate::stimulus::Stimulus;
use crate::unit::{DutTiming, RealBeat, Unit};
use congruent_ports::hpcc_window::{BLOCK, MOST_HOPS};
use congruent_ports::{Block, ParamSet};

/// The block as the harness sees it.
#[derive(Debug, Clone, Copy)]
pub struct HpccWindow;

impl Unit for HpccWindow {
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

    /// Shorter than other blocks', so that every turn of the attributes comes early in a run.
    fn leg_cycles(&self, params: &ParamSet) -> u64 {
        8_000 + 16 * self.contexts(params)
    }

    fn perf(&self, attributes: &AttributeSet, params: &ParamSet, cycles: u64) -> Plan {
        perf::plan(attributes, params, cycles)
    }

    fn probe(&self, params: &ParamSet) -> Box<dyn Probe> {
        Box::new(perf::Pins::new(params))
    }

    fn contexts(&self, params: &ParamSet) -> u64 {
        params.get("FLOWS") as u64
    }

    fn not_applicable(&self, params: &ParamSet) -> Vec<(&'static str, &'static str)> {
        let mut rows = vec![];
        if 1 << params.get("FLOW_W") == params.get("FLOWS") {
            rows.push(("flow_out_of_range", "flow holds no number outside the table"));
        }
        if (params.get("HOPS") as usize) < MOST_HOPS {
            rows.push(("hops_5", "five hops are more than HOPS"));
        }
        if params.get("HOPS") == 1 {
            let several = ["dt_zero_one", "equal_u", "later_hop_wins", "stale_last_hop"];
            rows.extend(several.map(|row| (row, "HOPS = 1 knows no second hop")));
        }
        rows
    }

    fn rule(&self, channel: &str, fields: &[u64]) -> Option<&'static str> {
        match channel {
            "win" => fields.get(5).map(|branch| model::rule(*branch)),
            _ => None,
        }
    }
}
