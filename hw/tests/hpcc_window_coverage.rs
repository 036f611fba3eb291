//! The scenarios of `hpcc_window`, and its random legs on every build set, reach every row of "Must
//! be covered".

use congruent_hw::hpcc_window::HpccWindow;
use congruent_hw::scenario::Leg;
use congruent_hw::unit::Unit;
use congruent_ports::hpcc_window::BLOCK;
use congruent_ports::{Layout, ParamSet};

/// Plays a leg into the golden model; adds its hits.
fn play(leg: &Leg, params: &ParamSet, hits: &mut [u64]) {
    let layout = Layout::new(&BLOCK, params);
    let mut golden = HpccWindow.golden(&leg.attributes, params).expect("legal");
    let mut row = vec![0; layout.inputs.len()];
    let mut out = vec![0; layout.outputs.len()];
    let mut next = vec![0; layout.channels_in.len()];
    for cycle in 0..leg.stimulus.cycles + 200 {
        for ((stream, next), channel) in
            leg.stimulus.streams.iter().zip(&next).zip(&layout.channels_in)
        {
            let offered = stream.not_before(*next).is_some_and(|from| from <= cycle);
            row[channel.valid] = u64::from(offered);
            if offered {
                let payload = stream.payload(*next);
                row[channel.fields..channel.fields + payload.len()].copy_from_slice(payload);
            }
        }
        golden.step(&row, &mut out);
        for (next, channel) in next.iter_mut().zip(&layout.channels_in) {
            *next += usize::from(channel.is_taken(&row, &out));
        }
    }
    assert!(golden.drained());
    for (sum, count) in hits.iter_mut().zip(golden.cover().counts()) {
        *sum += count;
    }
}

/// Legs of a run of 100 000 cycles.
fn legs(params: &ParamSet) -> u64 {
    100_000 / HpccWindow.leg_cycles(params)
}

#[test]
fn a_run_s_legs_hit_every_row() {
    for set in BLOCK.builds {
        let params = set.params(&BLOCK);
        let mut hits = vec![0; BLOCK.coverage.len()];
        for n in 0..legs(&params) {
            play(
                &HpccWindow.leg(1, n, HpccWindow.leg_cycles(&params), &params),
                &params,
                &mut hits,
            );
        }
        let excused = HpccWindow.not_applicable(&params);
        let missed: Vec<_> = BLOCK
            .coverage
            .iter()
            .zip(&hits)
            .filter(|(row, hits)| **hits == 0 && !excused.iter().any(|(name, _)| *name == row.name))
            .map(|(row, _)| row.name)
            .collect();
        let least = BLOCK.coverage.iter().zip(&hits).filter(|(_, h)| **h < 20);
        println!("{}: {:?}", set.name, least.map(|(r, h)| (r.name, *h)).collect::<Vec<_>>());
        assert!(missed.is_empty(), "{}: never hit: {missed:?}", set.name);
    }
}

#[test]
fn each_scenario_hits_the_rows_it_is_for() {
    let position = |name: &str| BLOCK.coverage.iter().position(|row| row.name == name);
    let mut all = vec![0; BLOCK.coverage.len()];
    let mut failed = vec![];
    for scenario in HpccWindow.scenarios() {
        let params = BLOCK.build(scenario.build).expect("built in").params(&BLOCK);
        let mut hits = vec![0; BLOCK.coverage.len()];
        play(&scenario.leg, &params, &mut hits);
        let missed =
            scenario.covers.iter().filter(|name| hits[position(name).expect("a row")] == 0);
        failed.extend(missed.map(|name| format!("{} misses {name}", scenario.name)));
        for (sum, count) in all.iter_mut().zip(&hits) {
            *sum += count;
        }
        println!("{}: {} cycles", scenario.name, scenario.leg.stimulus.cycles);
    }
    let never = BLOCK.coverage.iter().zip(&all).filter(|(_, count)| **count == 0);
    failed.extend(never.map(|(row, _)| format!("nothing hits {}", row.name)));
    assert!(failed.is_empty(), "{failed:#?}");
}

/// Whatever parameters are accepted, there are legs for them.
#[test]
fn every_accepted_parameter_set_has_legs() {
    for time_w in 8..=14 {
        for (flows, hops) in [(2, 1), (2, 5), (64, 3), (256, 2)] {
            let changes = [
                ("TIME_W", time_w),
                ("FLOWS", flows),
                ("HOPS", hops),
                ("U_FRAC", 16 + time_w % 9),
                ("W_FRAC", time_w % 9),
            ];
            let params = ParamSet::with(&BLOCK, changes).expect("in range");
            if HpccWindow.check_params(&params).is_err() {
                continue;
            }
            let mut hits = vec![0; BLOCK.coverage.len()];
            for leg in 0..14 {
                play(&HpccWindow.leg(5, leg, 1_000, &params), &params, &mut hits);
            }
        }
    }
}
