//! The directed and random scenarios of the reaction point that vectors are committed for.
//!
//! All but one run on `dcqcn_short` (8 queue pairs, a 12-bit time, 20 bits of bytes), at 400 Gbps and
//! 500 MHz where nothing else is said: a byte then takes 0.01 cycles at line rate.

use crate::attributes::{AttributeSet, Value};
use crate::cover::row;
use crate::rate_limiter::core::Cause;
use crate::rate_limiter::scenarios::{Change, Script, random};
use crate::scenario::{Leg, Scenario};
use Value::{Bool, Integer, Real};
use congruent_ports::rate_limiter::BLOCK;

const BUILD: &str = "dcqcn_short";

const TIMER: &str = "rpg_time_reset";
const ALPHA: &str = "dce_tcp_rtt";
const MONITOR: &str = "rate_reduce_monitor_period";
const BYTES: &str = "rpg_byte_reset";
const F: &str = "rpg_threshold";
const AI: &str = "rpg_ai_rate";
const HAI: &str = "rpg_hai_rate";
const MIN: &str = "rpg_min_rate";
const CLAMP: &str = "clamp_tgt_rate";
const DEC: &str = "rpg_min_dec_fac";
const GD: &str = "rpg_gd";
const G: &str = "dce_tcp_g";
const FIRST: &str = "rate_to_set_on_first_cnp";
const ALPHA_0: &str = "initial_alpha_value";

/// All of them, in the order in which they are listed.
pub fn all() -> Vec<Scenario> {
    vec![
        single_cnp(),
        monitor_period(),
        cuts_back_to_back(),
        cut_by_alpha(),
        first_rate(),
        alpha_to_zero(),
        stages(),
        long_episode(),
        threshold_zero(),
        bytes_wait(),
        runs_meet(),
        bytes_of_the_cycle(),
        end_stops_visit(),
        target_holds_end(),
        storm(),
        refused(),
        random("dcqcn_random_short", BUILD, 7, 1_800),
        random("dcqcn_random_default", "dcqcn", 7, 1_200),
    ]
}

/// Microseconds of so many cycles at 500 MHz.
fn us(cycles: u64) -> Value {
    Real(cycles as f64 / 500.0)
}

/// Timer and alpha with these periods in cycles, rates that fit the 12-bit time, and changes.
fn attributes(timer: u64, alpha: u64, changes: &[Change]) -> AttributeSet {
    let base = [
        (TIMER, us(timer)),
        (ALPHA, us(alpha)),
        (BYTES, Integer(0)),
        (MIN, Real(40_000.0)),
        (AI, Real(400.0)),
        (HAI, Real(4_000.0)),
    ];
    AttributeSet::defaults(&BLOCK).with(&base).with(changes)
}

fn short(
    name: &str,
    doc: &'static str,
    attributes: AttributeSet,
    script: &Script,
    covers: &'static [&'static str],
) -> Scenario {
    let leg = Leg { attributes, stimulus: script.stimulus() };
    Scenario { name: format!("dcqcn_{name}"), doc, build: BUILD, covers, seed: None, leg }
}

/// Runs of the loop that the golden model makes of a script, and its coverage.
fn run(script: &Script, attributes: &AttributeSet) -> (Vec<(u64, u64, u64)>, Vec<u64>) {
    script.run_on(BUILD, "upd_latency_dcqcn", attributes)
}

/// The first of some scripts that hits all these rows; the last where none does, which a test tells.
fn first_hit(
    scripts: impl Iterator<Item = Script>,
    attributes: &AttributeSet,
    rows: &[usize],
) -> Script {
    let mut last = Script::default();
    for script in scripts {
        let hits = run(&script, attributes).1;
        if rows.iter().all(|row| hits[*row] > 0) {
            return script;
        }
        last = script;
    }
    last
}

/// The page's series in compressed time: fast recovery, then additive with the target at line rate.
fn single_cnp() -> Scenario {
    let mut script = Script::default();
    script.cnp(10, 3);
    for n in 0..45 {
        script.req(12 + 60 * n, 3, 4154);
    }
    for n in 0..8 {
        script.peek(100 + 330 * n, 3);
    }
    short(
        "single_cnp",
        "one CNP, then silence: half the rate, fast recovery, additive increases at line rate, the end",
        attributes(200, 200, &[]),
        script.until(2_800),
        &[
            "rp_fast",
            "rp_additive_by_timer",
            "rp_target_at_line",
            "rp_byte_off",
            "rp_end_additive",
            "rp_alpha_and_timer",
            "rp_alpha_repeated",
            "wrap_while_due",
        ],
    )
}

fn monitor_period() -> Scenario {
    let mut script = Script::default();
    // Ignored one cycle after the cut and 99 after it; 100 after it they cut.
    script.cnp(10, 2).cnp(11, 2).cnp(109, 2).peek(60, 2).peek(109, 2).cnp(110, 2);
    script.cnp(209, 2).cnp(209 + 400, 2).cnp(209 + 450, 2);
    for n in 0..20 {
        script.req(150 + 35 * n, 2, 1082).peek(240 + 60 * n, 2);
    }
    // Another queue pair, whose CNPs all come one cycle too early or in time.
    for n in 0..8 {
        script.cnp(700 + 99 * n, 5).peek(701 + 99 * n, 5);
    }
    short(
        "monitor_period",
        "CNPs within rate_reduce_monitor_period of a cut, exactly at its end and beyond; clamp_tgt_rate off",
        attributes(300, 170, &[(MONITOR, us(100)), (CLAMP, Bool(false))]),
        script.until(1_900),
        &[
            "rp_cnp_ignored",
            "rp_cnps_back_to_back_ignored",
            "rp_cnp_at_period",
            "rp_target_kept",
            "rp_target_after_increase",
            "rp_wrap_while_recent",
        ],
    )
}

fn cuts_back_to_back() -> Scenario {
    let mut script = Script::default();
    for n in 0..6 {
        script.cnp(20 + n, 1);
    }
    for n in 0..24 {
        script.cnp(100 + n, n % 3).req(100 + n, n % 3, 64).req(130 + 40 * n, n % 3, 9216);
    }
    script.peek(26, 1).peek(124, 1).cnp(600, 1).cnp(601, 2).cnp(602, 1);
    short(
        "cuts_back_to_back",
        "no monitor period: a cut in every cycle, down to rpg_min_rate",
        attributes(250, 90, &[]),
        script.until(1_300),
        &["rp_cut_without_period", "rp_clamped", "rp_min_rate_wins"],
    )
}

fn cut_by_alpha() -> Scenario {
    let mut script = Script::default();
    for n in 0..10 {
        script.cnp(5 + 90 * n, 6).cnp(9 + 110 * n, 0).peek(50 + 100 * n, 6);
        script.req(40 + 100 * n, 6, 4154);
    }
    short(
        "cut_by_alpha",
        "rpg_gd 10 and rpg_min_dec_fac 75: alpha alone would take more than a quarter, until it has decayed",
        attributes(200, 73, &[(GD, Integer(10)), (DEC, Integer(75)), (G, Integer(700))]),
        script.until(1_300),
        &["rp_gd_10", "rp_min_dec_fac_wins"],
    )
}

fn first_rate() -> Scenario {
    let mut script = Script::default();
    script.cnp(10, 4).cnp(300, 4).cnp(12, 7);
    for n in 0..30 {
        script.req(8 + 60 * n, 4, 4154);
    }
    script.peek(13, 4).peek(800, 7);
    short(
        "first_rate",
        "rate_to_set_on_first_cnp 100 Gbps and half of alpha: 75 Gbps after the first CNP, the target 100",
        attributes(150, 100, &[(FIRST, Real(100_000.0)), (ALPHA_0, Integer(512))]),
        script.until(1_900),
        &["rp_first_rate_set", "rp_first_alpha_below_one"],
    )
}

fn alpha_to_zero() -> Scenario {
    let mut script = Script::default();
    script.cnp(10, 3).cnp(11, 5);
    for n in 0..18 {
        script.peek(90 + 120 * n, 3);
    }
    // More than half a wrap of the time after the cut: it must not be taken for a recent one.
    script.cnp(2_120, 3).cnp(2_160, 3).cnp(2_180, 5).peek(2_181, 3);
    short(
        "alpha_to_zero",
        "G = 512: alpha is 0 after 24 decays and stays there; a cut without it leaves the rate",
        attributes(1_900, 80, &[(G, Integer(512)), (MONITOR, us(50))]),
        script.until(2_300),
        &["rp_alpha_zero", "rp_cut_at_alpha_zero", "rp_long_after_cut", "rp_alpha_repeated"],
    )
}

/// 1600 Gbps: 400 bytes a cycle at line rate, so that the byte counter goes round as often as the timer.
const FASTEST: [Change; 2] = [("data_rate", Real(1600.0)), (MIN, Real(160_000.0))];

fn stages() -> Scenario {
    let changes = [
        (BYTES, Integer(16_384)),
        (F, Integer(1)),
        (AI, Real(2_000.0)),
        (HAI, Real(16_000.0)),
        (DEC, Integer(50)),
    ];
    let attributes = attributes(130, 137, &FASTEST).with(&changes);
    let script = || {
        let mut script = Script::default();
        script.cnp(10, 3).cnp(12, 3).cnp(14, 6).cnp(20, 6);
        for n in 0..150 {
            script.req(15 + 11 * n, 3, 4154).req(18 + 90 * (n % 20), 6, 9216);
        }
        for n in 0..10 {
            script.peek(100 + 190 * n, 3);
        }
        script.until(2_900);
        script
    };
    short(
        "stages",
        "F = 1: fast recovery, additive, hyper with i = 1, 2 and more, by timer and bytes, up to the end",
        attributes,
        &script(),
        &[
            "rp_fast",
            "rp_additive_by_timer",
            "rp_hyper",
            "rp_hyper_further",
            "rp_byte_remainder",
            "rp_end_hyper",
        ],
    )
}

fn long_episode() -> Scenario {
    let mut script = Script::default();
    script.cnp(10, 1).cnp(11, 1).cnp(12, 4).cnp(13, 4);
    for n in 0..420 {
        script.req(20 + 8 * n, 1 + 3 * (n % 2), 4154);
    }
    for n in 0..6 {
        script.peek(500 + 500 * n, 1 + 3 * (n % 2));
    }
    let changes = [(BYTES, Integer(16_384)), (F, Integer(31)), (G, Integer(1023))];
    short(
        "long_episode",
        "F = 31, the shortest periods: fast recovery for ever, both stages up to 31, where they stay",
        attributes(88, 72, &FASTEST).with(&changes),
        script.until(3_500),
        &["rp_stage_saturates", "rp_shortest_periods", "rp_fast"],
    )
}

fn threshold_zero() -> Scenario {
    let mut script = Script::default();
    script.cnp(10, 2).cnp(30, 2).cnp(31, 7);
    for n in 0..160 {
        script.req(12 + 9 * n, 2 + 5 * (n % 2), 4154);
    }
    let changes = [(BYTES, Integer(20_000)), (F, Integer(0)), (AI, Real(3_000.0))];
    short(
        "threshold_zero",
        "F = 0: the first increase is additive already, by bytes where they come first, then hyper",
        attributes(400, 140, &FASTEST).with(&changes),
        script.until(1_900),
        &["rp_threshold_zero", "rp_additive_by_bytes", "rp_hyper"],
    )
}

/// 1600 Gbps at 100 MHz: 2000 bytes a cycle, and CNPs of another queue pair in the sweep's way.
fn bytes_wait() -> Scenario {
    let changes = [
        ("data_rate", Real(1600.0)),
        ("clock_mhz", Real(100.0)),
        (MIN, Real(800_000.0)),
        (TIMER, Real(7.0)),
        (ALPHA, Real(3.0)),
        (MONITOR, Real(9.0)),
        (BYTES, Integer(16_384)),
        (F, Integer(31)),
        (G, Integer(1023)),
    ];
    let mut script = Script::default();
    script.cnp(10, 0).cnp(11, 1).cnp(920, 0);
    for n in 0..120 {
        script.cnp(1_000 + n, 1);
    }
    // 1750 bytes a cycle: past half of 2^20, short of all of it.
    for n in 0..450 {
        script.cnp(1_300 + n, 1);
    }
    for n in 0..240 {
        script.req(900 + 4 * n, 0, 9216).req(902 + 4 * n, 0, 9216);
    }
    script.peek(1_125, 0).peek(1_748, 0).peek(1_790, 0).peek(2_000, 0);
    short(
        "bytes_wait",
        "CNPs keep the sweep away: several byte counts wait, then so many bytes that they are forgotten",
        AttributeSet::defaults(&BLOCK).with(&changes),
        script.until(2_100),
        &["rp_bytes_wait", "rp_bytes_forgotten", "rp_byte_total_wraps", "rp_byte_remainder"],
    )
}

/// Alpha and timer at the same time, bytes when they will; CNPs and peeks in the cycles of the visits
/// that run them. The cycles are found by running the golden model on the script so far.
fn runs_meet() -> Scenario {
    let changes = [(BYTES, Integer(16_384)), (F, Integer(2)), (AI, Real(1_000.0))];
    let attributes = attributes(128, 128, &FASTEST).with(&changes);
    let mut script = Script::default();
    script.cnp(10, 3).cnp(11, 3).cnp(13, 6).cnp(14, 6).until(2_600);
    for n in 0..240 {
        script.req(20 + 10 * n, 3 + 3 * (n % 2), 4154);
    }
    let later = |script: &Script, from: u64, cause: Cause| {
        let (slots, _) = run(script, &attributes);
        slots.into_iter().find(|(slot, _, of)| *slot >= from && *of == cause as u64)
    };
    // In the cycle of a visit, a CNP of its own queue pair has the slot in its stead.
    if let Some((slot, qp, _)) = later(&script, 300, Cause::Alpha) {
        script.cnp(slot, qp).peek(slot, qp);
    }
    // Behind a visit that makes several beats, CNPs and a peek while they are queued.
    for (from, of_other) in [(700, 0), (1_100, 4), (1_500, 5)] {
        if let Some((slot, qp, _)) = later(&script, from, Cause::Alpha) {
            script.cnp(slot + 1, (qp + of_other) % 8).cnp(slot + 2, (qp + 1) % 8);
            script.cnp(slot + 3, (qp + 2) % 8);
        }
    }
    for from in [600, 900, 1_300, 1_900, 2_100, 2_300] {
        if let Some((slot, qp, _)) = later(&script, from, Cause::Alpha) {
            script.peek(slot + 1, qp);
        }
    }
    short(
        "runs_meet",
        "alpha, timer and bytes in one visit; CNPs and peeks in its cycle and while its beats are queued",
        attributes,
        &script,
        &[
            "rp_cnp_before_due_visit",
            "rp_cnp_queues",
            "rp_peek_with_cnp",
            "rp_peek_while_queued",
            "rp_alpha_and_timer",
            "rp_all_three",
        ],
    )
}

/// A packet in the very cycle of a visit, which its bytes make run; and all the pairs of runs.
fn bytes_of_the_cycle() -> Scenario {
    let changes = [(BYTES, Integer(16_384)), (F, Integer(5))];
    let attributes = attributes(120, 100, &FASTEST).with(&changes);
    let wanted = [
        row(&BLOCK, "rp_bytes_of_the_cycle"),
        row(&BLOCK, "rp_timer_and_bytes"),
        row(&BLOCK, "rp_alpha_and_bytes"),
    ];
    let scripts = (0..64).map(|phase| {
        let mut script = Script::default();
        script.cnp(10, 2).cnp(11, 2);
        for n in 0..80 {
            script.req(20 + phase + 16 * n, 2, 2048);
        }
        script.until(1_500);
        script
    });
    let script = first_hit(scripts, &attributes, &wanted);
    short(
        "bytes_of_the_cycle",
        "a packet granted in the cycle of a visit makes the byte counter's increase due in it",
        attributes,
        &script,
        &["rp_bytes_of_the_cycle", "rp_timer_and_bytes", "rp_alpha_and_bytes"],
    )
}

/// An end by the timer in a visit that finds bytes due behind it. A small first cut, so that it is the
/// first increase that ends the episode.
fn end_stops_visit() -> Scenario {
    let changes = [
        (BYTES, Integer(16_384)),
        (F, Integer(5)),
        (ALPHA_0, Integer(0)),
        (G, Integer(1020)),
        (CLAMP, Bool(false)),
    ];
    let attributes = attributes(120, 100, &FASTEST).with(&changes);
    let wanted = [row(&BLOCK, "rp_end_stops_visit"), row(&BLOCK, "rp_end_fast")];
    let scripts = (0..200).map(|phase| {
        let mut script = Script::default();
        for again in 0..4 {
            let from = 10 + 300 * again;
            script.cnp(from, 5);
            for n in 0..10 {
                script.req(from + 60 + phase % 20 + 6 * n, 5, 1640 + phase / 20);
            }
            script.peek(from + 40, 5).peek(from + 200, 5);
        }
        script.until(1_400);
        script
    });
    let script = first_hit(scripts, &attributes, &wanted);
    short(
        "end_stops_visit",
        "an increase of the timer ends the episode; the bytes that were due in the same visit are gone",
        attributes,
        &script,
        &["rp_end_stops_visit", "rp_end_fast"],
    )
}

fn target_holds_end() -> Scenario {
    let changes = [
        ("data_rate", Real(25.0)),
        ("clock_mhz", Real(100.0)),
        (TIMER, Real(1.5)),
        (ALPHA, Real(1.2)),
        (MIN, Real(12_500.0)),
        (BYTES, Integer(0)),
        (ALPHA_0, Integer(1)),
        (F, Integer(3)),
        (AI, Real(10.0)),
    ];
    let mut script = Script::default();
    script.cnp(10, 0).cnp(60, 0).cnp(100, 0).cnp(20, 7).cnp(22, 7);
    for n in 0..12 {
        script.req(30 + 90 * n, 0, 1082).peek(70 + 150 * n, 7);
    }
    short(
        "target_holds_end",
        "the rate within 0.1 Gbps of line rate and the target below it: no end until additive increases lift it",
        AttributeSet::defaults(&BLOCK).with(&changes),
        script.until(2_200),
        &["rp_target_holds_end", "data_rate_25"],
    )
}

fn storm() -> Scenario {
    let mut script = Script::default();
    for again in [0, 700] {
        for qp in 0..8 {
            script.cnp(20 + again + qp, qp);
        }
    }
    for n in 0..220 {
        script.req(30 + 7 * n, n % 8, 1082);
    }
    for n in 0..30 {
        script.req(300 + n, 6, 64).peek(60 + 50 * n, n % 8);
    }
    short(
        "storm",
        "every queue pair in an episode, alpha and timer of all of them due in one round of the sweep",
        attributes(160, 160, &[(BYTES, Integer(16_384))]),
        script.until(1_700),
        &["every_qp_congested", "rp_alpha_and_timer", "back_to_back_refused"],
    )
}

fn refused() -> Scenario {
    let mut script = Script::default();
    script.req(2, 12, 9216).req(4, 4, 64);
    for n in 0..8 {
        script.cnp(10 + 9 * n, 8 + n).req(11 + 9 * n, 8 + n, 64).peek(12 + 50 * n, 8 + n);
        script.req(300 + 2 * n, n, 0).req(301 + 2 * n, n, 64).req(400 + n, 8 + n, 0);
    }
    script.cnp(600, 1).cnp(601, 9).peek(601, 1).cnp(602, 1);
    // Three refusals that are answered, and counted, in one cycle.
    script.peek(700, 9).req(700, 10, 64).cnp(701, 11);
    short(
        "refused",
        "queue pairs outside the table and packets of 0 B: answered with an error, nothing else",
        attributes(200, 200, &[]),
        script.until(900),
        &["qp_out_of_range", "zero_length"],
    )
}
