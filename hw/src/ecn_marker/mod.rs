//! `ecn_marker`: a switch's ECN (CE) and FECN marker (seeds 000 and 002).

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
use congruent_ports::ecn_marker::{BLOCK, BYTES_W};
use congruent_ports::{Block, ParamSet};

/// Packets of the largest size that random traffic fills a queue to the brim with, at the most.
const BRIM_PACKETS: u64 = 200;

/// Bits of a counter that as many packets saturate as a run has.
const COUNTED_OUT_W: i64 = 12;

/// The block as the harness sees it.
#[derive(Debug, Clone, Copy)]
pub struct EcnMarker;

impl Unit for EcnMarker {
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
        replay::replay(attributes, params, stimulus)
    }

    fn scenarios(&self) -> Vec<Scenario> {
        scenarios::all()
    }

    fn leg(&self, seed: u64, leg: u64, cycles: u64, params: &ParamSet) -> Leg {
        random::leg(seed, leg, cycles, params)
    }

    /// Short ones: every Threshold is a leg of its own, and a queue crosses it within a few packets.
    fn leg_cycles(&self, params: &ParamSet) -> u64 {
        2_000 + 32 * self.contexts(params)
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
        if (1u64 << params.get("OCC_W")) >> BYTES_W >= BRIM_PACKETS {
            rows.push(("occupancy_largest", "2^OCC_W bytes are more packets than a leg admits"));
        }
        if params.get("COUNT_W") > COUNTED_OUT_W {
            rows.push(("counter_saturated", "2^COUNT_W packets are more than a leg has"));
        }
        rows
    }

    fn rule(&self, channel: &str, fields: &[u64]) -> Option<&'static str> {
        match channel {
            "mark" => fields.get(2).map(|marked| model::rule(*marked != 0)),
            "avg" => Some(
                "red: average := (1 - w) x average + w x occupancy, when a packet is admitted, with that packet counted",
            ),
            _ => None,
        }
    }

    /// The block has no line rate.
    fn line_rate_gbps(&self, _attributes: &AttributeSet) -> f64 {
        1.0
    }
}
