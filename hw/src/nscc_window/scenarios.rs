//! The directed and random scenarios of `nscc_window` that vectors are committed for.

use super::random;
use crate::scenario::Scenario;
use congruent_ports::nscc_window::BLOCK;

/// All of them, in the order in which they are listed.
pub fn all() -> Vec<Scenario> {
    BLOCK.builds.iter().map(|set| random(set.name, 7, 3_000)).collect()
}

fn random(build: &'static str, seed: u64, cycles: u64) -> Scenario {
    let set = BLOCK.builds.iter().find(|set| set.name == build);
    let params =
        set.map_or_else(|| unreachable!("{build} is no build set"), |set| set.params(&BLOCK));
    let mut leg = random::leg(seed, 0, cycles, &params);
    leg.stimulus.truncate(cycles);
    Scenario {
        name: format!("random_{build}"),
        doc: "a short random leg, in compressed time",
        build,
        covers: &[],
        seed: Some(seed),
        leg,
    }
}
