//! Random legs and scenarios of `rate_limiter` reach every row of "Must be covered" of the reaction
//! point; the states that they reach keep its invariants.

mod cover;

use congruent_hw::rate_limiter::RateLimiter;
use congruent_hw::rate_limiter::model::output;
use congruent_hw::scenario::Leg;
use congruent_hw::unit::Unit;
use congruent_ports::ParamSet;
use congruent_ports::rate_limiter::BLOCK;

/// Plays a leg into the golden model, whose states keep their invariants; adds its hits.
fn play(leg: &Leg, params: &ParamSet, hits: &mut [u64]) {
    let (upd, dcqcn) = (output::UPD, params.get("DCQCN") == 1);
    let see = |cycle: u64, _: &[u64], out: &[u64]| {
        if dcqcn && out[upd] == 1 {
            assert!(out[upd + 3] <= out[upd + 4], "rate above target in {cycle}");
            assert!(out[upd + 4] <= 1 << 24, "target above line rate in {cycle}");
        }
    };
    cover::play(&RateLimiter, leg, params, hits, see);
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
    cover::each_scenario_hits_its_rows(&RateLimiter, play);
}
