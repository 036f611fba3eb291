//! The scenarios hit the rows that they are for, and together every row; so does a random run.

use congruent::play::{Player, contexts_of, peeks_of};
use congruent::row::idle_inputs;
use congruent::spread::spread;
use congruent::vectors::final_peeks;
use congruent_hw::Cover;
use congruent_hw::scenario::Leg;
use congruent_hw::stimulus::Stimulus;
use congruent_hw::unit::{UNITS, Unit};
use congruent_ports::{Layout, ParamSet};

/// Plays a leg and then `peeks` into the golden model alone; its coverage, and the cycles it took.
fn play(unit: &dyn Unit, leg: &Leg, peeks: &Stimulus, params: &ParamSet) -> (Cover, u64) {
    let layout = Layout::new(unit.block(), params);
    let mut golden = unit.golden(&leg.attributes, params).expect("legal");
    let mut player = Player::new(&leg.stimulus, peeks, &layout);
    let mut inputs = idle_inputs(&layout);
    let mut outputs = vec![0; layout.outputs.len()];
    let mut cycles = 0;
    while player.step(golden.as_mut(), &mut inputs, &mut outputs).expect("drains") {
        cycles += 1;
    }
    (golden.cover().clone(), cycles)
}

fn params_of(unit: &dyn Unit, build: &str) -> ParamSet {
    let build = unit.block().build(build).expect("a built-in parameter set");
    build.params(unit.block())
}

#[test]
fn each_scenario_hits_the_rows_it_is_for() {
    for unit in UNITS {
        let block = unit.block();
        let mut all = Cover::new(block);
        for scenario in unit.scenarios() {
            let params = params_of(*unit, scenario.build);
            let layout = Layout::new(block, &params);
            let peeks = final_peeks(*unit, &scenario.leg.stimulus, &layout, &params);
            let (cover, cycles) = play(*unit, &scenario.leg, &peeks, &params);
            assert!(cycles <= 5_000, "{} takes {cycles} cycles", scenario.name);
            for name in scenario.covers {
                let at = block.coverage.iter().position(|r| r.name == *name);
                let at = at.unwrap_or_else(|| panic!("no row {name}"));
                assert!(cover.counts()[at] > 0, "{} misses {name}", scenario.name);
            }
            all.merge(&cover);
        }
        for (row, count) in block.coverage.iter().zip(all.counts()) {
            assert!(*count > 0, "no scenario hits {}", row.name);
        }
    }
}

#[test]
fn random_legs_hit_every_row() {
    let sets: Vec<(&dyn Unit, ParamSet)> = UNITS
        .iter()
        .flat_map(|unit| unit.block().builds.iter().map(|set| (*unit, set.params(unit.block()))))
        .collect();
    let covers = spread(sets.len(), |n| random_cover(sets[n].0, &sets[n].1));
    for unit in UNITS {
        let block = unit.block();
        let mut all = Cover::new(block);
        let here = sets.iter().zip(&covers).filter(|((u, _), _)| u.block().name == block.name);
        here.for_each(|(_, cover)| all.merge(cover));
        for (row, count) in block.coverage.iter().zip(all.counts()) {
            println!("{}: {:28} {count}", block.name, row.name);
        }
        // A row that cannot happen under any of the sets is for a scenario to hit.
        let out_of_reach = |name: &str| {
            let mut here = sets.iter().filter(|(u, _)| u.block().name == block.name);
            here.all(|(u, params)| u.not_applicable(params).iter().any(|(row, _)| *row == name))
        };
        for (row, count) in block.coverage.iter().zip(all.counts()) {
            let named = format!("{}: no random leg hits {}", block.name, row.name);
            assert!(*count > 0 || out_of_reach(row.name), "{named}");
        }
    }
}

/// What a quarter of a million random cycles cover under these parameters.
fn random_cover(unit: &dyn Unit, params: &ParamSet) -> Cover {
    let layout = Layout::new(unit.block(), params);
    let mut all = Cover::new(unit.block());
    let mut left: i64 = 250_000;
    for n in 0.. {
        let leg = unit.leg(1, n, unit.leg_cycles(params), params);
        let named = contexts_of(&leg.stimulus, &layout, unit.contexts(params));
        let (cover, cycles) = play(unit, &leg, &peeks_of(&layout, named), params);
        all.merge(&cover);
        left -= cycles as i64;
        if left < 0 {
            break;
        }
    }
    all
}
