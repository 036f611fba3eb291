//! Recording: the golden model plays a leg, and what its pins carry is kept.

use super::{About, Case};
use crate::error::Result;
use crate::play::{Player, contexts_of, peeks_of};
use crate::row::idle_inputs;
use congruent_hw::scenario::Leg;
use congruent_hw::stimulus::Stimulus;
use congruent_hw::unit::Unit;
use congruent_ports::{Layout, ParamSet};

/// Contexts that are peeked at the end of a recorded run, at most: a peek takes tens of cycles, and
/// files are to stay small. (A lock-step run peeks them all.)
pub const MOST_PEEKS: usize = 16;

/// The peeks at the end of a recorded run: the first of the contexts that the stimulus may have
/// changed.
pub fn final_peeks(
    unit: &dyn Unit,
    stimulus: &Stimulus,
    layout: &Layout,
    params: &ParamSet,
) -> Stimulus {
    let named = contexts_of(stimulus, layout, unit.contexts(params));
    peeks_of(layout, named.into_iter().take(MOST_PEEKS))
}

/// Records a leg from cycle 0 until it is played, has settled and is peeked.
///
/// # Errors
/// Attributes and parameters that do not fit together; a golden model that never drains.
pub fn record(unit: &'static dyn Unit, about: About, leg: &Leg, params: &ParamSet) -> Result<Case> {
    let layout = Layout::new(unit.block(), params);
    let peeks = final_peeks(unit, &leg.stimulus, &layout, params);
    record_with(unit, about, leg, params, &peeks, usize::MAX)
}

/// Records a leg and then `peeks`, at most `most` cycles of both.
///
/// # Errors
/// As for [`record`].
pub fn record_with(
    unit: &'static dyn Unit,
    about: About,
    leg: &Leg,
    params: &ParamSet,
    peeks: &Stimulus,
    most: usize,
) -> Result<Case> {
    let mut case = Case::new(unit, about, leg.attributes.clone(), params.clone())?;
    let layout = case.layout();
    let mut golden = unit.golden(&leg.attributes, params)?;
    let mut player = Player::new(&leg.stimulus, peeks, &layout);
    let mut inputs = idle_inputs(&layout);
    let mut outputs = vec![0; layout.outputs.len()];
    while case.rows.len() < most && player.step(golden.as_mut(), &mut inputs, &mut outputs)? {
        case.rows.inputs.extend_from_slice(&inputs);
        case.rows.outputs.extend_from_slice(&outputs);
    }
    Ok(case)
}

/// A case as the golden model plays its rows now.
///
/// # Errors
/// Attributes and parameters that do not fit together.
pub fn played(case: &Case) -> Result<Case> {
    let mut golden = case.unit.golden(&case.attributes, &case.params)?;
    let mut fresh = case.clone();
    fresh.rows.outputs.clear();
    let mut outputs = vec![0; case.rows.width_out];
    for n in 0..case.rows.len() {
        golden.step(case.rows.input(n), &mut outputs);
        fresh.rows.outputs.extend_from_slice(&outputs);
    }
    Ok(fresh)
}
