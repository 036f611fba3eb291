//! The numbers that the page of `rate_limiter` must reproduce, on the core, the reference and the
//! golden model.

use congruent_hw::Golden;
use congruent_hw::attributes::{AttributeSet, Value};
use congruent_hw::rate_limiter::core::{self, Cause, Cfg, Loop, Pace};
use congruent_hw::rate_limiter::model::{Model, input, output};
use congruent_hw::rate_limiter::reference::{Constants, Follow, QueuePair};
use congruent_hw::rate_limiter::{cfg::configure, core::Phase};
use congruent_ports::rate_limiter::BLOCK;
use congruent_ports::{Layout, ParamSet};

const LINE: f64 = 400.0;

fn defaults() -> (AttributeSet, ParamSet, Cfg) {
    let (attributes, params) = (AttributeSet::defaults(&BLOCK), ParamSet::defaults(&BLOCK));
    let cfg = configure(&attributes, &params).expect("defaults are legal");
    (attributes, params, cfg)
}

fn gbps(raw: u64) -> f64 {
    raw as f64 / (1u64 << 24) as f64 * LINE
}

/// Rates after each run of the loop of one queue pair: core and reference, which must agree to
/// 0.01 % of line rate. `cnps_in_half` CNPs come in before each half, `first` starts the episode.
fn rates(halves: usize, cnps_in_half: u64) -> Vec<(f64, Cause)> {
    let (attributes, _, cfg) = defaults();
    let constants = Constants::new(&attributes);
    let mut state = Loop::idle(&cfg);
    let mut reference = QueuePair::new(&constants);
    let mut seen = vec![];
    let start = core::start_episode(&cfg, &mut state, 0);
    let exact = reference.cnp(&constants, 0.0).expect("starts");
    seen.push((gbps(start.rate), exact.rate, start.cause, exact.cause));
    for _ in 0..halves {
        for _ in 0..cnps_in_half {
            core::count_cnp(&cfg, &mut state);
            assert!(reference.cnp(&constants, 0.0).is_none());
        }
        let upd = core::run_half(&cfg, &mut state);
        let exact = reference.half(&constants, Follow::default());
        seen.push((gbps(upd.rate), exact.rate, upd.cause, exact.cause));
        if upd.cause == Cause::End {
            break;
        }
    }
    for (core, exact, core_cause, exact_cause) in &seen {
        assert_eq!(core_cause, exact_cause);
        assert!((core - exact).abs() <= 1e-4 * LINE, "core {core}, reference {exact}");
    }
    seen.iter().map(|(rate, _, cause, _)| (*rate, *cause)).collect()
}

fn close(got: f64, expected: f64) {
    assert!((got - expected).abs() <= 1e-4 * LINE, "{got} instead of {expected}");
}

#[test]
fn a_single_cnp_recovers_in_ten_increases() {
    let seen = rates(40, 0);
    let expected =
        [350.0, 375.0, 387.5, 393.75, 396.875, 398.4375, 399.21875, 399.609375, 399.8046875];
    close(seen[0].0, 300.0);
    let increases: Vec<_> =
        seen.iter().filter(|(_, c)| matches!(c, Cause::Increase | Cause::End)).collect();
    assert_eq!(increases.len(), 10);
    for (got, expected) in increases.iter().zip(expected) {
        close(got.0, expected);
    }
    assert_eq!(increases[9].1, Cause::End);
    // The tenth increase is the 19th half after the start: 22.5 + 9 x 45 = 427.5 us.
    assert_eq!(seen.len() - 1, 19);
    assert_eq!(19 * 22_500, 427_500);
}

#[test]
fn permanent_cnps_saw_at_the_floor() {
    let seen = rates(11, 1);
    let at = |us: f64| seen[(us / 22.5) as usize];
    for (us, rate) in [(0.0, 300.0), (45.0, 168.75), (90.0, 87.0), (135.0, 43.8), (180.0, 40.0)] {
        assert!((at(us).0 - rate).abs() < 0.05, "{rate} at {us} us: {}", at(us).0);
    }
    assert_eq!(at(225.0).1, Cause::Reduction);
    close(at(225.0).0, 40.0);
    assert_eq!(at(247.5).1, Cause::Increase);
    close(at(247.5).0, 220.0);
    let held = seen.iter().filter(|(_, c)| *c == Cause::IncreaseHeld).count();
    assert_eq!(held, 5);
}

#[test]
fn in_the_additive_phase_a_cnp_can_raise_the_rate() {
    let (_, _, cfg) = defaults();
    let raw = |gbps: f64| (gbps / LINE * (1u64 << 24) as f64).round() as u64;
    let mut state = Loop {
        congested: true,
        rate: raw(387.5),
        recovery: 3,
        phase: Phase::Reduction,
        cnps: 1,
        ..Loop::idle(&cfg)
    };
    let upd = core::run_half(&cfg, &mut state);
    close(gbps(upd.target), 396.0);
    close(gbps(upd.rate), 391.75);
    assert_eq!(upd.recovery, 2);
}

/// 10 000 packets of one queue pair, each asked for as soon as it is allowed, at several rates:
/// the achieved rate is within 0.01 % of the rate (page, behaviour 8).
#[test]
fn a_sender_that_asks_in_time_loses_no_fraction() {
    for (data_rate, clock, bytes) in
        [(400.0, 500.0, 4154), (100.0, 500.0, 1082), (1600.0, 500.0, 4154), (25.0, 2000.0, 64)]
    {
        let (attributes, params, _) = defaults();
        let attributes = attributes
            .with(&[("data_rate", Value::Real(data_rate)), ("clock_mhz", Value::Real(clock))]);
        let cfg = configure(&attributes, &params).expect("legal");
        for share in [1.0, 0.75, 0.4221, 0.1] {
            let rate = (share * (1u64 << 24) as f64) as u64;
            let byte_time = core::byte_time(&cfg, rate);
            let (mut pace, mut state, mut cycle) = (Pace::default(), Loop::idle(&cfg), 1_000u64);
            let mut first = None;
            let mut last = 0.0;
            for _ in 0..10_000 {
                loop {
                    let now = cycle & cfg.time.mask();
                    let rsp = core::request(&cfg, &mut pace, &mut state, now, bytes, byte_time);
                    if rsp.grant {
                        break;
                    }
                    cycle += rsp.wait;
                }
                first.get_or_insert(cycle);
                last = cycle as f64;
            }
            let ns = (last - first.expect("granted") as f64) * 1000.0 / clock;
            let achieved = 9_999.0 * bytes as f64 * 8.0 / ns;
            let asked = rate as f64 / (1u64 << 24) as f64 * data_rate;
            // The last grant is late by less than a cycle in all, whatever the rounding.
            let slack = 1.0 / (last - first.unwrap_or(0) as f64);
            assert!(
                (achieved / asked - 1.0).abs() <= 1e-4 + slack,
                "{data_rate} Gbps x {share}: {achieved} instead of {asked}"
            );
        }
    }
}

/// A CNP in cycle 0 of a whole model: its first increase is due half an interval later, and the
/// episode ends 427.5 us after it, each late by the sweep at the most.
#[test]
fn the_model_keeps_the_pages_times() {
    let (attributes, params, _) = defaults();
    let layout = Layout::new(&BLOCK, &params);
    let mut model = Model::new(&attributes, &params).expect("legal");
    let mut row = vec![0; layout.inputs.len()];
    let mut out = vec![0; layout.outputs.len()];
    let mut seen = vec![];
    for cycle in 0..230_000u64 {
        row.fill(0);
        if cycle == 0 {
            row[input::CNP_VALID] = 1;
            row[input::CNP_QP] = 77;
        }
        model.step(&row, &mut out);
        if out[output::UPD] == 1 {
            seen.push((cycle - BLOCK.cycles("upd_latency"), out[output::UPD + 2]));
        }
    }
    assert_eq!(seen.len(), 20);
    assert_eq!(seen[0], (0, Cause::Episode as u64));
    assert_eq!(seen[19].1, Cause::End as u64);
    for (n, (cycle, _)) in seen.iter().enumerate().skip(1) {
        let late = cycle - n as u64 * 11_250;
        assert!(late <= 2 * 256 + BLOCK.cycles("pipeline"), "half {n} served {late} cycles late");
    }
    assert!(model.drained());
}
