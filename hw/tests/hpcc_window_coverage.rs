//! The scenarios of `hpcc_window`, and its random legs on every build set, reach every row of "Must
//! be covered".

mod cover;

use congruent_hw::hpcc_window::HpccWindow;
use congruent_hw::scenario::Leg;
use congruent_hw::unit::Unit;
use congruent_ports::ParamSet;
use congruent_ports::hpcc_window::BLOCK;

/// Plays a leg into the golden model; adds its hits.
fn play(leg: &Leg, params: &ParamSet, hits: &mut [u64]) {
    cover::play(&HpccWindow, leg, params, hits, |_, _, _| ());
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
    cover::each_scenario_hits_its_rows(&HpccWindow, play);
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
