//! Which rows of "Must be covered" legs and scenarios reach in the golden model.

#[path = "../player/mod.rs"]
pub mod player;

use congruent_hw::scenario::Leg;
use congruent_hw::unit::Unit;
use congruent_ports::{Layout, ParamSet};

/// Plays a leg into the golden model until nothing is on its way; each row of pins goes to `see`:
/// cycle, inputs, outputs. Adds what was hit; returns the cycles played.
///
/// # Panics
/// Where an answer is still on its way 200 cycles after the leg.
pub fn play(
    unit: &dyn Unit,
    leg: &Leg,
    params: &ParamSet,
    hits: &mut [u64],
    see: impl FnMut(u64, &[u64], &[u64]),
) -> u64 {
    let layout = Layout::new(unit.block(), params);
    let mut golden = unit.golden(&leg.attributes, params).expect("legal");
    let cycles = player::play(golden.as_mut(), &leg.stimulus, &layout, 200, see);
    assert!(golden.drained());
    for (sum, count) in hits.iter_mut().zip(golden.cover().counts()) {
        *sum += count;
    }
    cycles
}

/// Plays every scenario of a block by `play`.
///
/// # Panics
/// Where one misses a row that it is for, or a row is hit by none.
pub fn each_scenario_hits_its_rows(unit: &dyn Unit, play: impl Fn(&Leg, &ParamSet, &mut [u64])) {
    let block = unit.block();
    let position = |name: &str| block.coverage.iter().position(|row| row.name == name);
    let mut all = vec![0; block.coverage.len()];
    let mut failed = vec![];
    for scenario in unit.scenarios() {
        let params = block.build(scenario.build).expect("built in").params(block);
        let mut hits = vec![0; block.coverage.len()];
        play(&scenario.leg, &params, &mut hits);
        let missed =
            scenario.covers.iter().filter(|name| hits[position(name).expect("a row")] == 0);
        failed.extend(missed.map(|name| format!("{} misses {name}", scenario.name)));
        for (sum, count) in all.iter_mut().zip(&hits) {
            *sum += count;
        }
        println!("{}: {} cycles", scenario.name, scenario.leg.stimulus.cycles);
    }
    let never = block.coverage.iter().zip(&all).filter(|(_, count)| **count == 0);
    failed.extend(never.map(|(row, _)| format!("nothing hits {}", row.name)));
    assert!(failed.is_empty(), "{failed:#?}");
}
