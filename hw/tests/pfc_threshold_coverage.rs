//! The scenarios of `pfc_threshold`, and its random legs on every build set, reach every row of "Must
//! be covered".

mod cover;

use congruent_hw::pfc_threshold::PfcThreshold;
use congruent_hw::scenario::Leg;
use congruent_hw::unit::Unit;
use congruent_ports::ParamSet;
use congruent_ports::pfc_threshold::BLOCK;

/// Plays a leg into the golden model; adds its hits.
fn play(leg: &Leg, params: &ParamSet, hits: &mut [u64]) {
    cover::play(&PfcThreshold, leg, params, hits, |_, _, _| ());
}

/// A random run of 100 000 cycles is so many legs.
#[test]
fn a_random_run_hits_every_row() {
    for set in BLOCK.builds {
        let params = set.params(&BLOCK);
        let cycles = PfcThreshold.leg_cycles(&params);
        let excused = PfcThreshold.not_applicable(&params);
        for seed in 1..=4 {
            let mut hits = vec![0; BLOCK.coverage.len()];
            for n in 0..100_000 / (cycles + 8 * params.get("QUEUES") as u64) {
                play(&PfcThreshold.leg(seed, n, cycles, &params), &params, &mut hits);
            }
            let rows = || BLOCK.coverage.iter().zip(&hits);
            let few = rows().filter(|(_, hits)| **hits < 20);
            println!("{}: {:?}", set.name, few.map(|(r, h)| (r.name, *h)).collect::<Vec<_>>());
            for (row, hits) in rows() {
                let excuse = excused.iter().any(|(name, _)| *name == row.name);
                assert!(
                    *hits > 0 || excuse,
                    "{}, seed {seed}: {} is never hit",
                    set.name,
                    row.name
                );
                assert!(*hits == 0 || !excuse, "{}: {} is hit after all", set.name, row.name);
            }
        }
    }
}

#[test]
fn each_scenario_hits_the_rows_it_is_for() {
    cover::each_scenario_hits_its_rows(&PfcThreshold, play);
}

/// Whatever parameters are accepted, there are legs for them.
#[test]
fn every_accepted_parameter_set_has_legs() {
    for time_w in [8, 9, 10, 14] {
        for (queues, bytes_w) in [(1, 8), (2, 16), (16, 11), (64, 14), (4096, 8)] {
            let changes =
                [("TIME_W", time_w), ("QUEUES", queues), ("BYTES_W", bytes_w), ("COUNT_W", 4)];
            let params = ParamSet::with(&BLOCK, changes).expect("in range");
            if PfcThreshold.check_params(&params).is_err() {
                continue;
            }
            let mut hits = vec![0; BLOCK.coverage.len()];
            for leg in 0..8 {
                play(&PfcThreshold.leg(5, leg, 1_000, &params), &params, &mut hits);
            }
        }
    }
}
