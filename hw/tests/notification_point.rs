//! The page's numbers of `notification_point`, its core against the f64 reference over a million
//! events with planted faults, every row of coverage, and refusals.

mod cover;

use congruent_hw::attributes::{AttributeSet, Value::Real};
use congruent_hw::notification_point::core::{self, Cfg, Point};
use congruent_hw::notification_point::reference::Reference;
use congruent_hw::notification_point::{NotificationPoint, cfg, random};
use congruent_hw::scenario::Leg;
use congruent_hw::stimulus::Stimulus;
use congruent_hw::unit::Unit;
use congruent_ports::notification_point::BLOCK;
use congruent_ports::{Layout, ParamSet};
use cover::player;

/// Input channel of CE packets, and the output words of `cnp`.
const CE: usize = 0;

fn params(build: &str) -> ParamSet {
    BLOCK.build(build).expect("built in").params(&BLOCK)
}

fn gap(us: f64) -> AttributeSet {
    AttributeSet::defaults(&BLOCK).with(&[("min_time_between_cnps", Real(us))])
}

/// Cycles of the events whose CNP the model sends, for CE packets of queue pair 9.
fn answered(attributes: &AttributeSet, cycles: &[u64]) -> Vec<u64> {
    let params = params("default");
    let layout = Layout::new(&BLOCK, &params);
    let mut golden = NotificationPoint.golden(attributes, &params).expect("legal");
    let mut stimulus = Stimulus::new(&BLOCK);
    for cycle in cycles {
        stimulus.push(CE, *cycle, &[9]);
    }
    let mut seen = vec![];
    player::play(&mut *golden, &stimulus, &layout, 100, |cycle, _, outputs| {
        if outputs[layout.channels_out[0].valid] != 0 {
            seen.push(cycle - BLOCK.cycles("cnp_latency"));
        }
    });
    seen
}

/// The default is the paper's 50 us: 25 000 cycles at 500 MHz. connectx's 4 us are 2 000.
#[test]
fn a_cnp_for_a_gap() {
    let stream: Vec<_> = (0..60_000).step_by(1_000).collect();
    assert_eq!(answered(&AttributeSet::defaults(&BLOCK), &stream), [0, 25_000, 50_000]);
    let stream: Vec<_> = (0..8_000).step_by(100).collect();
    assert_eq!(answered(&gap(4.0), &stream), [0, 2_000, 4_000, 6_000]);
}

/// At once if none went out for at least the gap: exactly the gap is enough.
#[test]
fn exactly_the_gap_is_enough() {
    assert_eq!(answered(&gap(4.0), &[5, 2_004, 2_005]), [5, 2_005]);
    assert_eq!(answered(&gap(4.0), &[5, 2_004, 2_006]), [5, 2_006]);
    // A swallowed packet does not begin a gap of its own.
    assert_eq!(answered(&gap(4.0), &[5, 2_004, 4_003]), [5, 4_003]);
}

#[test]
fn no_gap_swallows_nothing() {
    assert_eq!(answered(&gap(0.0), &[3, 4, 5]), [3, 4, 5]);
}

/// What f64 cannot tell from nothing, cycles.
const EXACT: f64 = 1e-6;

/// One arrival of a CE packet.
type Arrive = fn(&Cfg, &mut Point, u64) -> bool;

/// Holds a core against the reference over a leg; events, steered ones among them, and the largest
/// distance from the end of the gap at which the two disagreed, in cycles.
fn hold(arrive: Arrive, seed: u64, leg: u64, params: &ParamSet) -> Result<(u64, u64, f64), String> {
    let played = random::leg(seed, leg, 20_000, params);
    let cfg = cfg::configure(&played.attributes, params).expect("legal");
    let clock = played.attributes.real("clock_mhz");
    let gap = played.attributes.real("min_time_between_cnps") * clock;
    let rounding = (cfg.gap as f64 - gap).abs();
    assert!(rounding <= BLOCK.bound("gap") || gap < 1.0, "leg {leg}: gap {gap} became {}", cfg.gap);
    let qps = params.get("QPS") as usize;
    let mut points = vec![Point::default(); qps];
    let mut reference = Reference::new(&played.attributes, qps);
    let (mut events, mut steered, mut error) = (0, 0, 0f64);
    let stream = &played.stimulus.streams[CE];
    let mut cycle = 0;
    for n in 0..stream.len() {
        let at = stream.not_before(n).expect("a beat");
        // The sweep, a queue pair a cycle.
        while cycle < at {
            let now = (params.get("TIME_INIT") as u64).wrapping_add(cycle) & cfg.time.mask();
            core::expire(&cfg, &mut points[cycle as usize % qps], now);
            cycle += 1;
        }
        let qp = stream.payload(n)[0] as usize;
        if qp >= qps {
            continue;
        }
        let now = (params.get("TIME_INIT") as u64).wrapping_add(at) & cfg.time.mask();
        let got = arrive(&cfg, &mut points[qp], now);
        let us = at as f64 / clock;
        let left = reference.left(qp, us).map_or(f64::INFINITY, |left| (left * clock).abs());
        let alone = reference.clone().arrive(qp, us, None);
        events += 1;
        if alone != got {
            // Only what rounding to whole cycles explains.
            if rounding < EXACT || left > rounding + EXACT {
                return Err(format!(
                    "leg {leg}, cycle {at}, queue pair {qp}: core {got}, reference {alone}, {left} cycles from the end of the gap"
                ));
            }
            steered += 1;
            error = error.max(left);
        }
        reference.arrive(qp, us, Some(got));
    }
    Ok((events, steered, error))
}

fn million(arrive: Arrive) -> Result<(u64, u64, f64), String> {
    let mut all = (0, 0, 0f64);
    for n in 0.. {
        for build in ["short", "default"] {
            let (events, steered, error) = hold(arrive, 3, n, &params(build))?;
            all = (all.0 + events, all.1 + steered, all.2.max(error));
        }
        if all.0 >= 1_000_000 {
            break;
        }
    }
    Ok(all)
}

#[test]
fn the_core_keeps_the_gap_over_a_million_events() {
    let (events, steered, error) = million(core::arrive).unwrap_or_else(|e| panic!("{e}"));
    assert!(steered > 0, "no gap was rounded");
    println!("{events} events, {steered} steered, at most {error:.3} cycles from the gap's end");
}

#[test]
fn planted_faults_are_caught() {
    let faults: [(&str, Arrive); 4] = [
        ("the gap one cycle too long", |cfg, point, now| {
            let late = point.recent && cfg.time.sub(now, point.last) <= cfg.gap;
            !late && core::arrive(cfg, point, now)
        }),
        ("a swallowed packet begins a gap", |cfg, point, now| {
            let answered = core::arrive(cfg, point, now);
            point.last = if point.recent { now } else { 0 };
            answered
        }),
        ("time compared without its wrap", |cfg, point, now| {
            let swallowed = point.recent && now < point.last + cfg.gap;
            if !swallowed && cfg.gap > 0 {
                *point = Point { recent: true, last: now };
            }
            !swallowed
        }),
        ("recent not set", |cfg, point, now| {
            let answered = core::arrive(cfg, point, now);
            point.recent = false;
            answered
        }),
    ];
    for (what, fault) in faults {
        assert!(million(fault).is_err(), "{what}: not caught");
    }
}

#[test]
fn random_legs_hit_every_row() {
    let unit = NotificationPoint;
    for build in BLOCK.builds {
        let params = build.params(&BLOCK);
        let mut hits = vec![0; BLOCK.coverage.len()];
        let (mut cycles, mut leg) = (0, 0);
        while cycles < 100_000 {
            let played = unit.leg(1, leg, unit.leg_cycles(&params), &params);
            cycles += cover::play(&unit, &played, &params, &mut hits, |_, _, _| ());
            leg += 1;
        }
        let not = unit.not_applicable(&params);
        for (row, count) in BLOCK.coverage.iter().zip(&hits) {
            let applies = !not.iter().any(|(name, _)| *name == row.name);
            assert!(*count > 0 || !applies, "{}: {} never hit", build.name, row.name);
        }
    }
}

#[test]
fn each_scenario_hits_the_rows_it_is_for() {
    let play = |leg: &Leg, params: &ParamSet, hits: &mut [u64]| {
        cover::play(&NotificationPoint, leg, params, hits, |_, _, _| ());
    };
    cover::each_scenario_hits_its_rows(&NotificationPoint, play);
}

#[test]
fn what_time_cannot_hold_is_refused() {
    let short = params("short");
    // Half a wrap is 2 048 cycles, the sweep late by up to 32.
    assert!(cfg::configure(&gap(2015.0 / 500.0), &short).is_ok());
    let error = cfg::configure(&gap(2016.0 / 500.0), &short).expect_err("too long").to_string();
    assert!(
        error.contains("min_time_between_cnps = 4.032") && error.contains("4.03 us"),
        "{error}"
    );
    let wide = ParamSet::with(&BLOCK, [("QPS", 4096), ("TIME_W", 9)]).expect("legal alone");
    let error = cfg::check_params(&wide).expect_err("no sweep in time").to_string();
    assert!(error.contains("accepted is 15 or more"), "{error}");
    let wide = ParamSet::with(&BLOCK, [("QPS", 4096), ("TIME_W", 15)]).expect("legal alone");
    assert!(cfg::check_params(&wide).is_ok());
}
