//! The scenarios of `nscc_window`, and its random legs on every build set, reach every row of "Must
//! be covered".

mod cover;

use congruent_hw::nscc_window::NsccWindow;
use congruent_hw::scenario::Leg;
use congruent_hw::unit::Unit;
use congruent_ports::ParamSet;
use congruent_ports::nscc_window::BLOCK;

/// Plays a leg into the golden model; adds its hits.
fn play(leg: &Leg, params: &ParamSet, hits: &mut [u64]) {
    cover::play(&NsccWindow, leg, params, hits, |_, _, _| ());
}

#[test]
fn fifteen_legs_hit_every_row() {
    for set in BLOCK.builds {
        let params = set.params(&BLOCK);
        let mut hits = vec![0; BLOCK.coverage.len()];
        for n in 0..15 {
            play(
                &NsccWindow.leg(1, n, NsccWindow.leg_cycles(&params), &params),
                &params,
                &mut hits,
            );
        }
        let excused = NsccWindow.not_applicable(&params);
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
    cover::each_scenario_hits_its_rows(&NsccWindow, play);
}

/// Whatever parameters are accepted, there are legs for them.
#[test]
fn every_accepted_parameter_set_has_legs() {
    for time_w in 8..=14 {
        for (dests, rtt_w, uet) in [(2, 12, 0), (2, 24, 1), (64, 12, 1), (256, 20, 0)] {
            let changes = [
                ("TIME_W", time_w),
                ("DESTS", dests),
                ("RTT_W", rtt_w),
                ("UET", uet),
                ("CWND_FRAC", 4 + time_w % 5),
            ];
            let params = ParamSet::with(&BLOCK, changes).expect("in range");
            if NsccWindow.check_params(&params).is_err() {
                continue;
            }
            let mut hits = vec![0; BLOCK.coverage.len()];
            for leg in 0..14 {
                play(&NsccWindow.leg(5, leg, 1_000, &params), &params, &mut hits);
            }
        }
    }
}
