//! One try: a leg on a DUT that is kept running and reset between tries.

use crate::check::{Compare, leg_of};
use crate::compare::Rules;
use crate::dut::Dut;
use crate::error::Result;
use crate::finding::Signature;
use crate::lockstep::{Lockstep, MakeDut, Outcome};
use crate::steer::{SteeredOutcome, SteeredRun};
use crate::vectors::{self, About, Case};
use congruent_hw::scenario::Leg;
use congruent_hw::stimulus::Stimulus;
use congruent_hw::unit::Unit;
use congruent_ports::Layout;

/// What a try is played on, and how it is judged.
pub struct Stage<'a> {
    /// The block.
    pub unit: &'static dyn Unit,
    /// Its ports.
    pub layout: &'a Layout,
    /// Makes a DUT.
    pub make: &'a MakeDut<'a>,
    /// How sides are compared.
    pub compare: &'a Compare,
    /// What may differ between the DUT's words and ours.
    pub rules: &'a Rules,
}

/// What a try showed: how it looks, and in which cycle.
pub type Shown = Option<(Signature, u64)>;

impl Stage<'_> {
    /// A leg as rows, for as many cycles as it says: what is written, and played again by `replay`.
    ///
    /// # Errors
    /// Attributes that do not fit.
    pub fn case(&self, about: About, leg: &Leg) -> Result<Case> {
        let nothing = Stimulus::new(self.layout.block);
        let most = leg.stimulus.cycles as usize;
        vectors::record_with(self.unit, about, leg, &self.layout.params, &nothing, most)
    }

    /// Plays a leg as a recorded case is played.
    fn play(&self, dut: &mut dyn Dut, leg: &Leg) -> Result<Shown> {
        let (unit, layout, make) = (self.unit, self.layout, self.make);
        let (latency, timing) = match self.compare {
            Compare::Exact => (0, None),
            Compare::Latency(latency) => (latency.cycles, None),
            Compare::Steered(timing) => (0, Some(timing)),
        };
        let Some(timing) = timing else {
            let rules = self.rules;
            let run = Lockstep { unit, layout, make, latency, rules, progress: &|_| () };
            return Ok(match run.once(dut, leg)? {
                Outcome::Congruent => None,
                Outcome::Diverged(found) => {
                    Some((Signature::of_difference(layout, &found), found.cycle))
                }
                Outcome::Ended { cycle, end, .. } => Some((Signature::of_end(&end), cycle)),
            });
        };
        let timing = &timing.with_rules(self.rules.clone());
        let leg = leg_of(&self.case(About::new("try", ""), leg)?);
        let run = SteeredRun { unit, layout, timing, make, progress: &|_| () };
        Ok(match run.once(dut, &leg)? {
            SteeredOutcome::Congruent => None,
            SteeredOutcome::Faulted { fault, .. } => {
                Some((Signature::of_fault(layout, &fault), fault.cycle))
            }
            SteeredOutcome::Ended { cycle, end, .. } => Some((Signature::of_end(&end), cycle)),
        })
    }
}

/// Tries, one after the other.
pub struct Trial<'a> {
    stage: &'a Stage<'a>,
    /// Makes a DUT for each try: what an earlier one left in it takes no part.
    fresh: bool,
    dut: Option<Box<dyn Dut>>,
}

impl<'a> Trial<'a> {
    /// None so far.
    pub fn new(stage: &'a Stage<'a>, fresh: bool) -> Self {
        Self { stage, fresh, dut: None }
    }

    /// Plays a leg. Nothing is shown where the golden model cannot play it.
    ///
    /// # Errors
    /// A DUT that cannot be made.
    pub fn run(&mut self, leg: &Leg) -> Result<Shown> {
        let mut dut = match self.dut.take().filter(|_| !self.fresh) {
            Some(dut) => dut,
            None => (self.stage.make)()?,
        };
        let shown = self.stage.play(dut.as_mut(), leg);
        // After an end a DUT is not touched again; after a refusal nobody knows where it stands.
        let over = match &shown {
            Ok(Some((signature, _))) => signature.is_end(),
            Ok(None) => false,
            Err(_) => true,
        };
        self.dut = (!over).then_some(dut);
        Ok(shown.unwrap_or(None))
    }
}
