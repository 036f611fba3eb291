//! `pacing_table`: an Omni-Path NIC's per-destination pacing table with LRU (seed 002).

pub mod cct;
pub mod cfg;
pub mod core;
mod coverage;
pub mod model;
pub mod perf;
pub mod queues;
pub mod random;
pub mod reference;
pub mod replay;
pub mod scenarios;
mod script;
pub mod steer;
pub mod table;
pub mod timing;

use crate::Golden;
use crate::attributes::{AttributeError, AttributeSet};
use crate::perf::{Plan, Probe};
use crate::scenario::{Leg, Scenario};
use crate::steered::Steered;
use crate::stimulus::Stimulus;
use crate::unit::{DutTiming, RealBeat, Unit};
use congruent_ports::pacing_table::BLOCK;
use congruent_ports::{Block, ParamSet};

/// Input channel `becn`, by position in the table.
pub const BECN: usize = 0;
/// Input channel `head`.
pub const HEAD: usize = 1;
/// Input channel `cct`.
pub const CCT: usize = 2;
/// Input channel `peek`.
pub const PEEK: usize = 3;

/// The block as the harness sees it.
#[derive(Debug, Clone, Copy)]
pub struct PacingTable;

impl Unit for PacingTable {
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
        for (channel, what) in [
            ("grant", "which head went when"),
            ("decay", "when the sweep ended a period, on which depends which entry is free"),
        ] {
            if !timing.shows(&BLOCK, channel) {
                return Err(format!("its {channel} beats say {what}, and nothing else shows it"));
            }
        }
        // What is added to the sweep's round is a bound by nature.
        let figures = BLOCK.timing.iter().map(|figure| figure.name);
        timing.exact(&figures.filter(|name| *name != "pipeline").collect::<Vec<_>>())
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

    fn perf(&self, attributes: &AttributeSet, params: &ParamSet, cycles: u64) -> Plan {
        perf::plan(attributes, params, cycles)
    }

    fn probe(&self, params: &ParamSet) -> Box<dyn Probe> {
        Box::new(perf::Pins::new(params))
    }

    fn contexts(&self, params: &ParamSet) -> u64 {
        params.get("ENTRIES") as u64
    }

    fn not_applicable(&self, params: &ParamSet) -> Vec<(&'static str, &'static str)> {
        coverage::not_applicable(params)
    }

    fn rule(&self, channel: &str, _fields: &[u64]) -> Option<&'static str> {
        match channel {
            "upd" => Some(
                "1. BECN: a hit raises ccti by CCTI_Increase up to CCTI_Limit; a miss takes the free entry of the lowest index, else the least recently used",
            ),
            "evict" => Some(
                "1. BECN miss with no free entry: the least recently used entry gives way; a BECN's hit and a grant are uses",
            ),
            "log" => Some("1. A BECN that leaves ccti at TriggerThreshold or above is logged"),
            "decay" | "release" => Some(
                "2. Decay: at each period ccti falls by 1, not below CCTI_Min; at 0 the entry is released",
            ),
            "grant" => Some(
                "3. Transmit: round robin among the heads whose destination is not tracked or whose next_send is reached; next_send = base + T + (T >> shift) x multiplier",
            ),
            _ => None,
        }
    }
}
