//! Random legs of `pacing_table` reach every row of "Must be covered" under every built-in set.

mod player;

use congruent_hw::Golden;
use congruent_hw::pacing_table::PacingTable;
use congruent_hw::pacing_table::{model::Model, random};
use congruent_hw::unit::Unit;
use congruent_ports::Layout;
use congruent_ports::pacing_table::BLOCK;

#[test]
fn random_legs_hit_every_row() {
    for build in BLOCK.builds {
        let params = build.params(&BLOCK);
        let layout = Layout::new(&BLOCK, &params);
        let mut all = congruent_hw::Cover::new(&BLOCK);
        let mut cycles = 0;
        for n in 0.. {
            let leg = random::leg(1, n, 12_000, &params);
            let mut model = Model::new(&leg.attributes, &params).expect("legal");
            cycles += player::play(&mut model, &leg.stimulus, &layout, 50, |_, _, _| {});
            all.merge(model.cover());
            if cycles > 300_000 {
                println!("{}: {n} legs, {cycles} cycles", build.name);
                break;
            }
        }
        let reasons = PacingTable.not_applicable(&params);
        for (row, count) in BLOCK.coverage.iter().zip(all.counts()) {
            println!("{:10} {:28} {count}", build.name, row.name);
            let cannot = reasons.iter().any(|(name, _)| *name == row.name);
            assert_ne!(cannot, *count > 0, "{} under {}: {count} hits", row.name, build.name);
        }
    }
}

#[test]
fn scenarios_hit_the_rows_they_are_for() {
    let mut all = congruent_hw::Cover::new(&BLOCK);
    let mut missed = vec![];
    for scenario in PacingTable.scenarios() {
        let params = BLOCK.build(scenario.build).expect("built in").params(&BLOCK);
        let layout = Layout::new(&BLOCK, &params);
        let mut model = Model::new(&scenario.leg.attributes, &params)
            .unwrap_or_else(|e| panic!("{}: {e}", scenario.name));
        let stimulus = &scenario.leg.stimulus;
        let cycles = player::play(&mut model, stimulus, &layout, 200, |_, _, _| {});
        let counts = model.cover().counts();
        for (row, count) in BLOCK.coverage.iter().zip(counts) {
            if scenario.covers.contains(&row.name) && *count == 0 {
                missed.push(format!("{} misses {}", scenario.name, row.name));
            }
        }
        println!("{:32} {cycles} cycles, {} beats", scenario.name, stimulus.beats());
        all.merge(model.cover());
    }
    for (row, count) in BLOCK.coverage.iter().zip(all.counts()) {
        if *count == 0 {
            missed.push(format!("no scenario hits {}", row.name));
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}
