//! The error bound of the core over a million random events, measured and printed; and three
//! planted faults of the core that the bound must catch.

mod against_reference;

use against_reference::{CORE, Core, Errors, hold};
use congruent_hw::rate_limiter::core::{self, Cfg, Loop, Upd};
use congruent_hw::rate_limiter::random;
use congruent_ports::ParamSet;
use congruent_ports::rate_limiter::BLOCK;

fn params(build: &str) -> ParamSet {
    let set = BLOCK.build(build).expect("built in");
    set.params(&BLOCK)
}

/// Holds a core against the reference over random legs until `events` were compared.
fn run(core: Core, events: u64) -> Result<Errors, String> {
    let mut all = Errors::default();
    for n in 0.. {
        for build in ["short", "default"] {
            let params = params(build);
            let leg = random::leg(2, n, 20_000, &params);
            let errors = hold(core, &leg, &params).map_err(|e| format!("{build}, leg {n}: {e}"))?;
            all.events += errors.events;
            all.steered += errors.steered;
            all.rate = all.rate.max(errors.rate);
            all.estimate = all.estimate.max(errors.estimate);
            all.pace = all.pace.max(errors.pace);
        }
        if all.events >= events {
            break;
        }
    }
    Ok(all)
}

#[test]
fn the_core_stays_within_the_bound_over_a_million_events() {
    let errors = run(CORE, 1_000_000).unwrap_or_else(|e| panic!("{e}"));
    let (rate_bound, pace_bound) = (BLOCK.bound("rate"), BLOCK.bound("next_send"));
    println!(
        "{} events: rate error {:.3e} of line rate (bound {rate_bound:e}), estimate error {:.3e}, next_send error {:.3e} cycles (bound {pace_bound}), {} thresholds steered",
        errors.events, errors.rate, errors.estimate, errors.pace, errors.steered
    );
    assert!(errors.rate <= rate_bound && errors.pace <= pace_bound);
    // A bound that is never approached says nothing about the comparison.
    assert!(errors.rate > 0.0 && errors.estimate > 0.0 && errors.pace > 0.0);
}

/// Cuts by the whole estimate instead of half of it.
fn cut_whole(cfg: &Cfg, state: &mut Loop) -> Upd {
    let before = *state;
    let mut upd = core::run_half(cfg, state);
    if upd.rate < before.rate && state.rate > cfg.floor {
        state.rate = core::hold_at_floor(cfg, upd.rate - (before.rate - upd.rate));
        upd.rate = state.rate;
    }
    upd
}

/// An increase half later than K says.
fn one_more_held(cfg: &Cfg, state: &mut Loop) -> Upd {
    let cfg = Cfg { loops_per_increase: cfg.loops_per_increase + 1, ..cfg.clone() };
    core::run_half(&cfg, state)
}

/// The newest value alone.
fn no_memory(cfg: &Cfg, state: &mut Loop) -> Upd {
    state.estimate = 0;
    core::run_half(cfg, state)
}

/// A byte time that is an eighth too long.
fn slow_bytes(cfg: &Cfg, rate: u64) -> u64 {
    let exact = core::byte_time(cfg, rate);
    exact + exact / 8
}

#[test]
fn planted_faults_of_the_core_are_beyond_the_bound() {
    let faults = [
        ("cuts by the whole estimate", Core { run_half: cut_whole, ..CORE }),
        ("K off by one", Core { run_half: one_more_held, ..CORE }),
        ("an estimate without memory", Core { run_half: no_memory, ..CORE }),
        ("a byte time an eighth too long", Core { byte_time: slow_bytes, ..CORE }),
    ];
    for (name, core) in faults {
        match run(core, 1_000_000) {
            Err(why) => println!("{name}: {why}"),
            Ok(errors) => panic!("{name}: not noticed, {errors:?}"),
        }
    }
}
