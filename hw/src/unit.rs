//! The register of blocks: what the harness asks of each of them.

use crate::Golden;
use crate::attributes::{AttributeError, AttributeSet};
use crate::perf::{Plan, Probe};
use crate::rules::Rules;
use crate::scenario::{Leg, Scenario};
use crate::steered::{Due, Judge, Steered};
use crate::stimulus::Stimulus;
use crate::{
    ecn_marker, hpcc_window, notification_point, nscc_window, pacing_table, pfc_threshold,
    rate_limiter,
};
use congruent_ports::{Block, Dir, ParamSet};

/// A block with behaviour: its table, golden model, reference, scenarios.
pub trait Unit: Sync {
    /// The table.
    fn block(&self) -> &'static Block;

    /// Checks parameters against each other.
    ///
    /// # Errors
    /// Parameters that do not fit together.
    fn check_params(&self, params: &ParamSet) -> Result<(), AttributeError>;

    /// Raw values of the `cfg_*` pins, in table order.
    ///
    /// # Errors
    /// Attributes and parameters that do not fit together.
    fn pins(
        &self,
        attributes: &AttributeSet,
        params: &ParamSet,
    ) -> Result<Vec<u64>, AttributeError>;

    /// The golden model, in cycle 0.
    ///
    /// # Errors
    /// As for `pins`.
    fn golden(
        &self,
        attributes: &AttributeSet,
        params: &ParamSet,
    ) -> Result<Box<dyn Golden>, AttributeError>;

    /// The core under a DUT's own timing, for `steered` comparison.
    ///
    /// # Errors
    /// As for `pins`.
    fn steered(
        &self,
        attributes: &AttributeSet,
        params: &ParamSet,
        timing: &DutTiming,
    ) -> Result<Box<dyn Steered>, AttributeError>;

    /// Whether `steered` comparison can follow a DUT of which this is known. Where its beats of a
    /// channel say when something happened, it has to show them, at an exact figure.
    ///
    /// # Errors
    /// Why it cannot, in a sentence.
    fn steerable(&self, _params: &ParamSet, _timing: &DutTiming) -> Result<(), String> {
        Ok(())
    }

    /// What the f64 reference answers to a stimulus: beats of the output channels with the cycle
    /// of their event (or their due time, rounded up), in natural units.
    ///
    /// # Errors
    /// As for `pins`.
    fn reference(
        &self,
        attributes: &AttributeSet,
        params: &ParamSet,
        stimulus: &Stimulus,
    ) -> Result<Vec<RealBeat>, AttributeError>;

    /// The scenarios that vectors are committed for.
    fn scenarios(&self) -> Vec<Scenario>;

    /// Leg number `leg` of the random run of `seed`, about `cycles` long.
    fn leg(&self, seed: u64, leg: u64, cycles: u64, params: &ParamSet) -> Leg;

    /// Length of a leg of a random run, cycles: long enough that its peeks at the end do not outweigh
    /// it, short enough that a run goes through the attributes that legs take turns in.
    fn leg_cycles(&self, params: &ParamSet) -> u64 {
        12_000 + 32 * self.contexts(params)
    }

    /// What `congruent perf` plays and measures, legs of about so many cycles.
    fn perf(&self, attributes: &AttributeSet, params: &ParamSet, cycles: u64) -> Plan;

    /// Looks at rows for stalls and the use of tables.
    fn probe(&self, params: &ParamSet) -> Box<dyn Probe>;

    /// Contexts of the block under these parameters.
    fn contexts(&self, params: &ParamSet) -> u64;

    /// Rows of "Must be covered" that cannot happen under these parameters, with the reason.
    fn not_applicable(&self, params: &ParamSet) -> Vec<(&'static str, &'static str)>;

    /// The sentence of the page that the core applied in this beat of this output channel.
    fn rule(&self, channel: &str, fields: &[u64]) -> Option<&'static str>;

    /// A raw word as people read it, where it depends on attributes: Gbps of a line rate.
    fn line_rate_gbps(&self, attributes: &AttributeSet) -> f64 {
        attributes.real("data_rate")
    }
}

/// A beat of an output channel in natural units: Gbps, fractions, cycles, bytes, counts.
#[derive(Debug, Clone, PartialEq)]
pub struct RealBeat {
    /// Cycle of the event, or the due time rounded up.
    pub cycle: u64,
    /// Position of the channel among the output channels.
    pub channel: usize,
    /// One value a field, in table order; enumerations as their number. `None`: masked.
    pub fields: Vec<Option<f64>>,
}

/// What is known of a DUT of another microarchitecture: its documented cycle counts, by their names in
/// the table, and what may differ between its words and ours.
#[derive(Debug, Clone, PartialEq)]
pub struct DutTiming {
    values: Vec<(&'static str, Due)>,
    rules: Rules,
}

impl DutTiming {
    /// The figures of the table, all words equal: our own RTL.
    pub fn of(block: &'static Block) -> Self {
        let values = block.timing.iter().map(|t| (t.name, Due::After(t.cycles))).collect();
        Self { values, rules: Rules::none() }
    }

    /// Sets a figure; false where the table has none of that name.
    pub fn set(&mut self, name: &str, due: Due) -> bool {
        let found = self.values.iter_mut().find(|(n, _)| *n == name);
        found.map(|slot| slot.1 = due).is_some()
    }

    /// What may differ between its words and ours.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The same DUT under other rules.
    #[must_use]
    pub fn with_rules(&self, rules: Rules) -> Self {
        Self { values: self.values.clone(), rules }
    }

    /// Whether the DUT shows an output channel: its valid is compared.
    ///
    /// # Panics
    /// If the block has no such output: a mistake in the code, not in a user's input.
    pub fn shows(&self, block: &'static Block, channel: &str) -> bool {
        let mut outputs = block.channels.iter().filter(|c| c.dir == Dir::Out);
        match outputs.position(|c| c.name == channel) {
            Some(number) => Judge::new(block, number, &self.rules).is_shown(),
            None => panic!("block {} has no output {channel}", block.name),
        }
    }

    /// Whether these figures are known exactly.
    ///
    /// # Errors
    /// A sentence about the first of which there is a bound only.
    pub fn exact(&self, names: &[&str]) -> Result<(), String> {
        match names.iter().find(|name| matches!(self.due(name), Due::Within(_))) {
            None => Ok(()),
            Some(name) => Err(format!(
                "{name} says in which cycle something happened: an exact figure is needed, not a bound"
            )),
        }
    }

    /// A figure as a number of cycles; where only a bound is known, the bound.
    ///
    /// # Panics
    /// If the table has none of that name: a mistake in the code, not in a user's input.
    pub fn cycles(&self, name: &str) -> u64 {
        self.due(name).latest()
    }

    /// A figure, exact or a bound.
    ///
    /// # Panics
    /// If the table has none of that name: a mistake in the code, not in a user's input.
    pub fn due(&self, name: &str) -> Due {
        match self.values.iter().find(|(n, _)| *n == name) {
            Some((_, due)) => *due,
            None => panic!("no timing `{name}`"),
        }
    }
}

/// Every block, in the order of the tables.
pub const UNITS: &[&dyn Unit] = &[
    &rate_limiter::RateLimiter,
    &notification_point::NotificationPoint,
    &pacing_table::PacingTable,
    &ecn_marker::EcnMarker,
    &nscc_window::NsccWindow,
    &hpcc_window::HpccWindow,
    &pfc_threshold::PfcThreshold,
];

/// Finds a block by name.
pub fn unit(name: &str) -> Option<&'static dyn Unit> {
    UNITS.iter().copied().find(|u| u.block().name == name)
}
