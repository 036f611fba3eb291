//! Random legs and scenarios of `rate_limiter` reach every row of "Must be covered" of the reaction
//! point; the states that they reach keep its invariants.

mod player;

use congruent_hw::rate_limiter::RateLimiter;
use congruent_hw::rate_limiter::model::output;
use congruent_hw::scenario::Leg;
use congruent_hw::unit::Unit;
use congruent_ports::rate_limiter::BLOCK;
use congruent_ports::{Layout, ParamSet};

/// Plays a leg into the golden model; adds its hits.
fn play(leg: &Leg, params: &ParamSet, hits: &mut [u64]) {
    let layout = Layout::new(&BLOCK, params);
    let mut golden = RateLimiter.golden(&leg.attributes, params).expect("legal");
    let (upd, dcqcn) = (output::UPD, params.get("DCQCN") == 1);
    let see = |cycle: u64, _: &[u64], out: &[u64]| {
        if dcqcn && out[upd] == 1 {
            assert!(out[upd + 3] <= out[upd + 4], "rate above target in {cycle}");
            assert!(out[upd + 4] <= 1 << 24, "target above line rate in {cycle}");
        }
    };
    player::play(&mut *golden, &leg.stimulus, &layout, 200, see);
    assert!(golden.drained());
    for (sum, count) in hits.iter_mut().zip(golden.cover().counts()) {
        *sum += count;
    }
}

/// As much as `check --random 100000` plays.
#[test]
fn a_hundred_thousand_cycles_hit_every_row() {
    for seed in 1..=3 {
        let mut missed: Vec<_> = BLOCK.coverage.iter().map(|row| row.name).collect();
        for build in ["dcqcn_short", "dcqcn"] {
            let params = BLOCK.build(build).expect("built in").params(&BLOCK);
            let mut hits = vec![0; BLOCK.coverage.len()];
            let length = RateLimiter.leg_cycles(&params);
            for n in 0..(100_000 / length).max(14) {
                play(&RateLimiter.leg(seed, n, length, &params), &params, &mut hits);
            }
            let excused = RateLimiter.not_applicable(&params);
            let hit = |name: &str| {
                let at = BLOCK.coverage.iter().position(|row| row.name == name);
                hits[at.expect("a row")] > 0 || excused.iter().any(|(row, _)| *row == name)
            };
            let here: Vec<_> =
                BLOCK.coverage.iter().map(|row| row.name).filter(|row| !hit(row)).collect();
            println!("seed {seed}, {build}: not hit {here:?}");
            missed.retain(|name| here.contains(name));
        }
        assert!(missed.is_empty(), "seed {seed}: never hit: {missed:?}");
    }
}

#[test]
fn each_scenario_hits_the_rows_it_is_for() {
    let position = |name: &str| BLOCK.coverage.iter().position(|row| row.name == name);
    let mut all = vec![0; BLOCK.coverage.len()];
    let mut failed = vec![];
    for scenario in RateLimiter.scenarios() {
        let params = BLOCK.build(scenario.build).expect("built in").params(&BLOCK);
        let mut hits = vec![0; BLOCK.coverage.len()];
        play(&scenario.leg, &params, &mut hits);
        let missed =
            scenario.covers.iter().filter(|name| hits[position(name).expect("a row")] == 0);
        failed.extend(missed.map(|name| format!("{} misses {name}", scenario.name)));
        for (sum, count) in all.iter_mut().zip(&hits) {
            *sum += count;
        }
    }
    let never = BLOCK.coverage.iter().zip(&all).filter(|(_, count)| **count == 0);
    failed.extend(never.map(|(row, _)| format!("nothing hits {}", row.name)));
    assert!(failed.is_empty(), "{failed:#?}");
}
