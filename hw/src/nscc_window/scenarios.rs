//! The directed and random scenarios of `nscc_window` that vectors are committed for.
//!
//! Most run on `short` and `short_uet` (two destinations, a time that wraps every 1024 cycles) with
//! a base RTT of 128 cycles, where windows of observation, periods and wraps come within a few
//! hundred cycles. Each names the rows of "Must be covered" that it is for.

use super::core::{Event, Kind, MOST_BYTES};
use super::random;
use super::script::{Script, cycles, event, params};
use crate::attributes::Value;
use crate::scenario::Scenario;
use Value::{Bool, Integer, Real};
use congruent_ports::nscc_window::BLOCK;

type Change = (&'static str, Value);

/// A base RTT of 128 cycles, 400 Gbps: a max window of 19 200 B, almost 18 packets of 1084 B. The
/// target is 96 cycles, the observation window 224, the gate 2400 B, the margin 20 cycles.
const SMALL: &[Change] = &[
    ("config_base_rtt", Real(256.0)),
    ("reference_network_rtt", Real(256.0)),
    ("mss", Integer(1024)),
    ("header_bytes", Integer(60)),
    ("trimming_enabled", Bool(true)),
    ("target_queue_delay_margin", Real(40.0)),
    ("quick_adapt_threshold", Real(400.0)),
];

/// A nominal packet of [`SMALL`], and what it carries.
const P: u64 = 1084;
const MSS: u64 = 1024;

/// The base RTT of [`SMALL`], its target, its observation window, its margin, cycles.
const BASE: u64 = 128;
const TARGET: u64 = 96;
const OBSERVATION: u64 = BASE + TARGET;
const MARGIN: u64 = 20;

fn small(build: &'static str, changes: &[Change]) -> Script {
    Script::new(build, &[SMALL, changes].concat())
}

/// All of them, in the order in which they are listed.
pub fn all() -> Vec<Scenario> {
    let mut all = vec![
        page_series(),
        fast_increase(),
        fast_at_equality(),
        growth_jumps_at_the_target(),
        applies(),
        quick_adapt(),
        quick_adapt_refused(),
        quick_adapt_by_delay(),
        gates(),
        gate_thirty_one(),
        quick_adapt_disabled(),
        target_override(),
        eta_zero(),
        pass_through(),
        max_window_override(),
        pending_saturated(),
        base_rtt_falls(),
        refused_events(),
        counts_saturate(),
        back_to_back(),
        peeks_everywhere(),
        times_pass(),
        wraps(),
        uet_series(),
        uet_quadrants(),
        uet_average_at_target(),
        uet_cuts(),
        uet_penalties(),
        uet_quick_adapt(),
    ];
    all.extend(BLOCK.builds.iter().map(|set| random(set.name)));
    all
}

/// The page's numbers, on its own sizes.
fn page_series() -> Scenario {
    const P: u64 = 4156;
    let mut s = Script::new("default", &[]);
    s.open(9).open(200);
    // 450 000 - 250 000, then nine full SACKs of an empty queue and nine at the target.
    s.fill(9, 440_000, 11 * P).loss(9, 250_000);
    for sample in [0, cycles(2250)] {
        for _ in 0..9 {
            s.wait(42).sack(9, 4096, sample);
        }
        s.peek(9, 2);
    }
    // Eight trims in a row: 416 752; then one that leaves the floor.
    s.fill(200, 440_000, 11 * P);
    for _ in 0..8 {
        s.trim(200, P);
    }
    s.peek(200, 0).loss(200, 412_000).trim(200, P);
    // The additive term, on the first SACK a ConfigBaseRTT after the window was created.
    s.at(2_990).sack(9, 4096, 0);
    s.at(3_020).sack(9, 4096, 0).peek(9, 0);
    // A base RTT of 1000 ns: 75 000 B.
    s.wait(42).sack_rtt(9, 4096, cycles(500)).peek(9, 3).linger(60);
    s.scenario(
        "page_series",
        "the page's numbers at its own sizes: applies by bytes and by time, trims, a base RTT of 1000 ns",
        &["apply_by_bytes", "apply_by_time", "base_rtt_below_cwnd", "cwnd_at_floor"],
    )
}

/// From 200 000 with samples of 500 ns and a SACK every 83.48 ns.
fn fast_increase() -> Scenario {
    let mut s = Script::new("default", &[]);
    s.open(17).fill(17, 440_000, 40_000).loss(17, 250_000);
    for _ in 0..54 {
        s.wait(42).sack(17, 4096, cycles(250));
    }
    // It goes on through a fair increase and a loss, and ends at the margin.
    s.wait(42).sack(17, 4096, cycles(2250));
    s.loss(17, 4156).wait(42).sack(17, 4096, cycles(499)).peek(17, 1);
    s.wait(42).sack(17, 4096, cycles(500)).peek(17, 1);
    s.wait(42).sack(17, 4096, cycles(499)).linger(40);
    s.scenario(
        "fast_increase",
        "more than a window of bytes below the margin: fast increase engages, survives a fair one, ends at the margin",
        &["fast_engaged", "fast_survives_fair", "fast_ended_by_margin"],
    )
}

/// One byte decides: a count equal to the window does not engage fast increase.
fn fast_at_equality() -> Scenario {
    let mut s = small("short", &[]);
    s.open(0).sack(0, 19_200, 0).peek(0, 0).sack(0, 1, 0).peek(0, 0).linger(60);
    s.scenario(
        "fast_at_equality",
        "a window of bytes below the margin, then one byte more: fast increase engages with it",
        &["fast_engaged"],
    )
}

fn growth_jumps_at_the_target() -> Scenario {
    let mut s = small("short", &[]);
    s.open(0).open(1).fill(0, 18_000, 2 * P).loss(0, 9_000);
    for sample in [TARGET - 1, TARGET, TARGET + 1, TARGET - 1] {
        for _ in 0..8 {
            s.wait(12).sack(0, MSS, cycles(sample));
        }
        s.peek(0, 4).wait(20);
    }
    // The last LSB below the target still counts as below.
    s.sack(0, MSS, cycles(TARGET) - 1).sack(1, MSS, cycles(TARGET)).peek(0, 2).linger(60);
    s.scenario(
        "growth_jumps_at_the_target",
        "samples a cycle below and at the target: growth jumps from almost nothing to 5 x MSS a window",
        &["every_destination_open"],
    )
}

/// By time, by bytes, by both, and one short of each.
fn applies() -> Scenario {
    let mut s = small("short", &[]);
    s.open(1).fill(1, 15_000, 2 * P).loss(1, 12_000);
    // The period starts with the open: a cycle before it is over, and then later.
    let opened = 4;
    s.at(opened + BASE - 6).sack(1, MSS, cycles(50));
    s.at(opened + BASE - 1).sack(1, MSS, cycles(50));
    s.at(opened + BASE + 30).sack(1, MSS, cycles(50)).peek(1, 2);
    // Eight packets and no byte more, then one more.
    s.wait(30).sack(1, 8 * P, cycles(60)).sack(1, 1, cycles(60)).peek(1, 0);
    s.wait(2 * BASE).sack(1, 9 * P, cycles(60)).peek(1, 0);
    // Nothing pending: it divides all the same.
    s.wait(BASE).sack(1, 0, cycles(TARGET));
    s.wait(BASE + 1).sack(1, 0, cycles(2)).linger(60);
    s.scenario(
        "applies",
        "the pending increase applied by time, by bytes, by both; eight packets are not enough, a byte more is",
        &["apply_by_time", "apply_by_bytes", "apply_by_both"],
    )
}

fn quick_adapt() -> Scenario {
    let mut s = small("short", &[]);
    // The first trim opens the window of observation; the next ones wait for its end.
    s.open(0).fill(0, 18_000, P).trim(0, P).trim(0, P).peek(0, 0);
    s.wait(OBSERVATION - 20).blind_sack(0, MSS);
    s.wait(40).sack(0, MSS, cycles(70)).peek(0, 0);
    // Fired on a sack: trims are ignored until what was in flight has left.
    s.trim(0, P).loss(0, 3 * P).peek(0, 3);
    // Also when the next window of observation is over: Quick Adapt does not look at them.
    s.wait(OBSERVATION + 10).trim(0, P).peek(0, 0);
    s.evt(0, Event { flight: 2 * P, ..event(Kind::Cack) });
    let left = s.meets(0).ignore_left;
    s.trim(0, left - 1).trim(0, 1).peek(0, 1);
    s.fill(0, 3 * P, P);
    // Ignored trims are triggers, too: the next sack after the window fires again.
    s.wait(OBSERVATION).sack(0, 0, cycles(10)).peek(0, 0);
    // Fired by a NACK.
    s.open(1).fill(1, 19_000, P).sack(1, MSS, cycles(80)).wait(OBSERVATION);
    s.trim(1, P).peek(1, 0).trim(1, P);
    s.linger(60);
    s.scenario(
        "quick_adapt",
        "Quick Adapt fired by a sack on a trim's trigger and by a trim NACK; trims ignored to the last byte, a loss among them",
        &[
            "quick_adapt_by_sack",
            "quick_adapt_by_nack",
            "trim_ignored",
            "trim_ignored_last",
            "loss_while_ignoring",
        ],
    )
}

/// The gate is 2400 B.
fn quick_adapt_refused() -> Scenario {
    let mut s = small("short", &[]);
    s.open(0).open(1).fill(0, 18_000, P);
    // No trigger.
    s.sack(0, MSS, cycles(50)).wait(OBSERVATION + 1).sack(0, MSS, cycles(50));
    let mut opened = s.taken();
    // More than enough bytes, exactly enough, one byte less: a cycle too early, then in time.
    for (bytes, early) in [(3_000, 0), (2_400, 0), (2_399, 1), (0, 0)] {
        let end = opened + OBSERVATION;
        s.trim(0, 100).blind_sack(0, bytes).at(end - early).trim(0, P).peek(0, 0);
        opened = if early == 0 { s.taken() } else { opened };
    }
    // The end is inclusive: a cycle before it a trim is only a trim.
    s.sack(1, 0, cycles(50));
    let opened = s.taken();
    s.at(opened + OBSERVATION - 1).trim(1, P);
    s.close(1).open(1).sack(1, 0, cycles(50));
    let opened = s.taken();
    s.at(opened + OBSERVATION).trim(1, P).peek(1, 0).linger(60);
    s.scenario(
        "quick_adapt_refused",
        "Quick Adapt not fired for want of a trigger, for enough bytes, at equality, before the end; fired a byte below and at the end",
        &["quick_adapt_no_trigger", "quick_adapt_enough_bytes", "quick_adapt_equality"],
    )
}

fn quick_adapt_by_delay() -> Scenario {
    let mut s =
        small("short", &[("trimming_enabled", Bool(false)), ("quick_adapt_threshold", Real(0.0))]);
    // Without trimming the target is 128 cycles, and any delay is a trigger.
    s.open(0).fill(0, 18_000, 2 * P).sack(0, MSS, cycles(10));
    s.wait(2 * BASE).sack(0, MSS, 0).peek(0, 0);
    s.wait(2 * BASE).sack(0, MSS, 1).peek(0, 0);
    s.wait(2 * BASE - 1).sack(0, MSS, cycles(200));
    s.wait(2).sack(0, MSS, cycles(200)).linger(60);
    s.scenario(
        "quick_adapt_by_delay",
        "no trimming, threshold 0: a sample above 0 triggers Quick Adapt, one of 0 does not",
        &["quick_adapt_by_delay", "threshold_zero"],
    )
}

fn gates() -> Scenario {
    let mut s = small("short", &[("quick_adapt_gate", Integer(0))]);
    // A small window, many bytes delivered: Quick Adapt raises it.
    s.open(1).fill(1, 15_000, P).loss(1, 14_000).sack(1, 0, cycles(50));
    s.wait(20).blind_sack(1, 9_000).wait(OBSERVATION).trim(1, P).peek(1, 0);
    // All but one byte of the max window still fire; the max window does not.
    for bytes in [19_199, 19_200] {
        s.blind_sack(1, bytes).wait(OBSERVATION + 4).sack(1, 0, cycles(50)).peek(1, 0);
        s.trim(1, 0);
    }
    s.linger(60);
    s.scenario(
        "gates",
        "gate 0: Quick Adapt fires below a max window of bytes, and raises a small window",
        &["gate_zero", "quick_adapt_raises"],
    )
}

fn gate_thirty_one() -> Scenario {
    let mut s = small("short", &[("quick_adapt_gate", Integer(31))]);
    s.open(0).fill(0, 15_000, P).trim(0, P).wait(OBSERVATION).sack(0, 1, cycles(50)).peek(0, 0);
    // Without a byte it fires.
    s.wait(OBSERVATION).sack(0, 0, cycles(50)).peek(0, 0).linger(60);
    s.scenario(
        "gate_thirty_one",
        "gate 31: a single byte keeps Quick Adapt from firing",
        &["gate_thirty_one"],
    )
}

fn quick_adapt_disabled() -> Scenario {
    let mut s = small("short", &[("disable_quick_adapt", Bool(true))]);
    s.open(0).fill(0, 15_000, P).trim(0, P).wait(OBSERVATION).sack(0, 0, cycles(50));
    s.wait(OBSERVATION).trim(0, P).peek(0, 0).linger(60);
    s.scenario(
        "quick_adapt_disabled",
        "DisableQuickAdapt: trims and sacks open no window of observation and fire nothing",
        &["quick_adapt_disabled"],
    )
}

fn target_override() -> Scenario {
    let mut s = small(
        "short",
        &[
            ("override_spec_target_queue_delay", Bool(true)),
            ("target_queue_delay", Real(60.0)),
            ("target_queue_delay_margin", Real(160.0)),
        ],
    );
    // Target 30 cycles, margin 80: between them a sample is at the target, not below the margin.
    s.open(0).fill(0, 15_000, P).loss(0, 12_000);
    for sample in [0, 29, 30, 50, 79, 80, 29, 29] {
        s.wait(15).sack(0, MSS, cycles(sample));
    }
    s.peek(0, 1).linger(60);
    s.scenario(
        "target_override",
        "a target of 30 cycles below a margin of 80: samples between them take the fair increase",
        &["target_override", "margin_above_target"],
    )
}

fn eta_zero() -> Scenario {
    let mut s = small("short", &[("eta_multiplier", Real(0.0))]);
    s.open(0).fill(0, 15_000, P).loss(0, 10_000).sack(0, MSS, cycles(40));
    s.wait(BASE).sack(0, MSS, cycles(40)).wait(BASE).sack(0, 0, cycles(TARGET)).linger(60);
    s.scenario(
        "eta_zero",
        "EtaMultiplier 0: an apply by time adds what is pending and nothing else",
        &["eta_zero"],
    )
}

fn pass_through() -> Scenario {
    let mut s = small("short", &[("pass_through", Bool(true))]);
    s.open(0);
    for _ in 0..24 {
        s.send(0, P);
    }
    s.loss(0, P).sack(0, MSS, cycles(50)).trim(0, P).send(0, P).peek(0, 0).linger(60);
    s.scenario(
        "pass_through",
        "PassThrough: sends are granted past the window, which moves all the same",
        &["pass_through"],
    )
}

fn max_window_override() -> Scenario {
    let mut s = small(
        "short",
        &[
            ("override_spec_max_congestion_window", Bool(true)),
            ("max_congestion_window", Integer(10)),
        ],
    );
    s.open(0).fill(0, 10_000, P).sack_rtt(0, MSS, cycles(30)).peek(0, 0);
    s.probe(0, cycles(20)).sack(0, MSS, cycles(5)).sack(0, 9 * P, 0).peek(0, 0).linger(60);
    s.scenario(
        "max_window_override",
        "MaxCongestionWindow packets for life, whatever the base RTT does",
        &["max_window_override", "cwnd_at_ceiling"],
    )
}

/// A gain of 2^31 bytes: 1024 x 16384 x 128.
fn pending_saturated() -> Scenario {
    let mut s = Script::new(
        "short",
        &[
            ("config_base_rtt", Real(256.0)),
            ("reference_network_rtt", Real(2.0)),
            ("mss", Integer(16_384)),
            ("fair_increase_multiplier", Real(1024.0)),
            ("alpha_multiplier", Real(0.0)),
            ("eta_multiplier", Real(0.0)),
            ("target_queue_delay_margin", Real(0.0)),
        ],
    );
    s.open(0).sack(0, 131_552, cycles(TARGET)).peek(0, 0);
    s.sack(0, MOST_BYTES, cycles(TARGET)).peek(0, 0);
    // 2^52 bytes² exactly, one more than fits, on a window below its ceiling.
    s.loss(0, 19_200).sack(0, 1 << 21, cycles(TARGET)).peek(0, 0);
    s.sack(0, 100_000, cycles(TARGET)).peek(0, 0).linger(60);
    s.scenario(
        "pending_saturated",
        "a gain of 2^31 bytes: the pending increase saturates, also where it is one too many, and so does its quotient",
        &["pending_saturated"],
    )
}

fn base_rtt_falls() -> Scenario {
    let mut s = small("short", &[]);
    s.open(0).open(1).fill(0, 18_000, P);
    // A probe lowers the base RTT; ceiling and window follow at the next sample.
    s.probe(0, cycles(64)).peek(0, 0).blind_sack(0, MSS).sack(0, MSS, cycles(3)).peek(0, 0);
    // A NACK lowers the ceiling, not the window.
    s.evt(0, Event { flight: P, rtt_valid: true, rtt: cycles(32), ..event(Kind::Nack) });
    s.peek(0, 0).send(0, P).sack(0, MSS, 0).peek(0, 0);
    // Below a packet's worth, at 0, and back up: the base RTT never rises.
    s.sack_rtt(0, MSS, cycles(2)).sack_rtt(0, MSS, 0).peek(0, 0);
    s.sack_rtt(0, 9 * P, cycles(128)).send(0, P);
    s.trim(0, P).wait(BASE).sack(0, 0, 0).peek(0, 0);
    // A fresh destination begins anew; another one saw nothing of it.
    s.close(0).open(0).sack(0, MSS, cycles(10)).sack(1, MSS, cycles(10)).linger(60);
    s.scenario(
        "base_rtt_falls",
        "the base RTT falls by probe, NACK and sack, to less than a packet's worth and to 0",
        &["probe_then_sample", "base_rtt_below_cwnd", "max_window_below_packet", "rtt_zero"],
    )
}

fn refused_events() -> Scenario {
    let mut s = small("short", &[]);
    const KINDS: [Kind; 7] =
        [Kind::Send, Kind::Sack, Kind::Nack, Kind::Loss, Kind::Cack, Kind::Probe, Kind::Close];
    for kind in KINDS {
        s.evt(1, Event { bytes: 9 * P, flight: P, rtt_valid: true, rtt: 5, ..event(kind) });
        s.evt(2, Event { flight: P, ..event(kind) });
    }
    s.peek(1, 0).evt(3, event(Kind::Open)).open(1).peek(3, 2).send(1, P).send(1, P);
    // Open again: nothing changes. Then more leaves than is in flight, by each kind that may.
    s.open(1).peek(1, 0);
    for kind in [Kind::Cack, Kind::Loss, Kind::Sack, Kind::Nack] {
        s.evt(1, Event { bytes: MSS, flight: 3 * P, ..event(kind) }).peek(1, 0).send(1, P);
    }
    s.evt(1, Event { flight: 4 * P, trimmed: true, ..event(Kind::Nack) });
    s.evt(1, Event { flight: P, rtt_valid: true, rtt: cycles(90), ..event(Kind::Nack) });
    s.close(1).close(1).peek(1, 0).linger(60);
    s.scenario(
        "refused_events",
        "events on closed destinations and outside the table, open on an open one, underflows",
        &[
            "closed_context",
            "opened_twice",
            "dst_out_of_range",
            "in_flight_underflow",
            "nack_not_trimmed",
        ],
    )
}

fn counts_saturate() -> Scenario {
    let mut s = small("short", &[("pass_through", Bool(true)), ("fast_increase_base", Real(16.0))]);
    s.open(0);
    for _ in 0..3 {
        s.send(0, 0x70_0000).blind_sack(0, 0).peek(0, 0);
    }
    for _ in 0..3 {
        s.evt(0, Event { bytes: 0x70_0000, ..event(Kind::Sack) }).peek(0, 0);
    }
    // Fast increase counts to its end, too, and the window stays within its format.
    for _ in 0..3 {
        let rtt = cycles(BASE);
        s.evt(0, Event { bytes: MOST_BYTES, rtt_valid: true, rtt, ..event(Kind::Sack) });
        s.peek(0, 0);
    }
    s.loss(0, MOST_BYTES).trim(0, MOST_BYTES).linger(60);
    s.scenario(
        "counts_saturate",
        "bytes in flight, received, observed and counted towards fast increase stop at their end",
        &["fast_engaged", "cwnd_at_ceiling", "cwnd_at_floor"],
    )
}

/// Every kind behind every other, on one destination and on two in turn.
fn back_to_back() -> Scenario {
    let mut s = small("short", &[]);
    s.open(0).open(1).fill(0, 12_000, 2 * P).fill(1, 12_000, 2 * P);
    let sack = |bytes, sample| Event {
        bytes,
        flight: bytes,
        rtt_valid: true,
        rtt: cycles(BASE + sample),
        ..event(Kind::Sack)
    };
    let kinds = [
        Event { flight: P, ..event(Kind::Send) },
        sack(MSS, 50),
        sack(MSS, 5),
        sack(9 * P, TARGET),
        Event { flight: P, trimmed: true, ..event(Kind::Nack) },
        Event { flight: P, ..event(Kind::Loss) },
        Event { flight: P, ..event(Kind::Cack) },
        Event { rtt: cycles(BASE) - 1, ..event(Kind::Probe) },
    ];
    for alternating in [false, true] {
        for first in kinds {
            for second in kinds {
                s.send(0, P).evt(0, first);
                s.evt(u64::from(alternating), second);
            }
        }
    }
    s.linger(60);
    s.scenario(
        "back_to_back",
        "every kind of event right behind every other, on one destination and on alternating ones",
        &["back_to_back_same", "back_to_back_alternating"],
    )
}

/// A peek in every cycle of the way of an event that divides and of one that does not.
fn peeks_everywhere() -> Scenario {
    let mut s = small("short", &[]);
    s.open(0).open(1).fill(0, 15_000, P).fill(1, 15_000, P).loss(0, 9_000);
    let longest = BLOCK.cycles("apply_interval") + 4;
    for after in 0..longest {
        s.wait(2 * longest).sack(0, 9 * P, cycles(60)).peek(0, after);
        // What comes behind it must not show.
        s.sack(0, MSS, cycles(60));
    }
    for after in 0..6 {
        s.wait(longest).trim(1, 100).peek(1, after).loss(1, 50).peek(1, after + 20);
    }
    s.wait(longest).sack(1, 9 * P, cycles(60)).peek(0, 0).peek(2, 1).linger(100);
    s.scenario(
        "peeks_everywhere",
        "peeks in every cycle of the way of an event that divides, and of one that does not",
        &["apply_by_bytes"],
    )
}

/// Times that have passed stay passed, however often the counter wraps.
fn times_pass() -> Scenario {
    let mut s = small("short", &[]);
    // last_eta: a wrap and a bit later the period is over.
    s.open(0).open(1).fill(0, 15_000, P).loss(0, 10_000);
    s.wait(1_040).sack(0, MSS, cycles(50)).peek(0, 0);
    // qa_end: half a wrap and more after its end it is over, and Quick Adapt fires.
    s.fill(1, 10_000, P).trim(1, P).wait(OBSERVATION + 600).trim(1, P).peek(1, 0);
    // Peeks before and after: the bits are as of the peek.
    s.sack(1, 0, cycles(50)).peek(1, BASE - 2).peek(1, BASE + 20);
    s.peek(1, OBSERVATION - 1).peek(1, OBSERVATION + 20).peek(1, 700).linger(1_400);
    s.scenario(
        "times_pass",
        "destinations left alone for longer than half a wrap: what was over stays over",
        &["quick_adapt_by_nack", "apply_by_time"],
    )
}

/// The counter wraps in cycle 96 and every 1024 cycles from there.
fn wraps() -> Scenario {
    let mut s = small("short", &[]);
    s.at(90).open(0).sack(0, MSS, cycles(50)).fill(0, 5_000, P);
    s.at(96 + BASE - 8).sack(0, MSS, cycles(50)).sack(0, MSS, cycles(50));
    s.wait(OBSERVATION).trim(0, P);
    s.at(1_110).close(0).open(0).trim(0, 0).peek(0, 30);
    s.at(1_110 + OBSERVATION).sack(0, MSS, cycles(50)).linger(60);
    s.scenario(
        "wraps",
        "the cycle counter wraps with a period and an observation window running",
        &["wrap_with_qa_end", "wrap_with_last_eta"],
    )
}

/// UET at its own sizes: an average of 12 000 ns over a target of 6000 ns keeps 0.6.
fn uet_series() -> Scenario {
    let mut s = Script::new("uet", &[]);
    s.open(3).open(255).fill(3, 440_000, 44_000);
    for _ in 0..6 {
        s.wait(42).sack(3, 4096, cycles(6000));
    }
    s.marked(3, 4096, cycles(6000)).peek(3, 0);
    s.wait(42).marked(3, 4096, cycles(6000));
    s.at(3_500).marked(3, 4096, cycles(6000)).peek(3, 0);
    s.wait(42).marked(3, 4096, cycles(2000)).wait(42).sack(255, 4096, cycles(100)).linger(60);
    s.scenario(
        "uet_series",
        "UET at its own sizes: a standing queue marked, a cut, none within a base RTT, another one after it",
        &["ecn_at_target", "second_cut_held", "second_cut_made"],
    )
}

fn uet_quadrants() -> Scenario {
    let mut s = small("short_uet", &[("delay_alpha", Real(0.25))]);
    s.open(0).fill(0, 18_000, P).loss(0, 8_000);
    for (sample, marked) in [
        (0, false),
        (50, true),
        (50, false),
        // At the target while the average is still below it.
        (TARGET, true),
        (TARGET, false),
        (4 * TARGET, false),
        (4 * TARGET, true),
        (MARGIN - 1, false),
        (MARGIN, true),
        (4 * TARGET, true),
    ] {
        match marked {
            true => s.wait(14).marked(0, MSS, cycles(sample)),
            false => s.wait(14).sack(0, MSS, cycles(sample)),
        };
        s.peek(0, 0);
    }
    // Fast increase engaged, and a mark above the target that ends it without a cut.
    s.open(1);
    for _ in 0..20 {
        s.sack(1, MSS, 0);
    }
    s.marked(1, MSS, cycles(50)).marked(1, MSS, cycles(TARGET)).sack(1, MSS, 0).linger(60);
    s.scenario(
        "uet_quadrants",
        "marked and unmarked sacks below, at and above the target",
        &[
            "ecn_below_target",
            "ecn_at_target",
            "ecn_average_low",
            "no_ecn_below_target",
            "no_ecn_at_target",
            "fast_engaged",
        ],
    )
}

/// DelayAlpha 1: the average is the last sample.
fn uet_average_at_target() -> Scenario {
    let mut s = small("short_uet", &[("delay_alpha", Real(1.0))]);
    s.open(0).fill(0, 18_000, P).marked(0, MSS, cycles(TARGET)).peek(0, 0);
    s.marked(0, MSS, cycles(TARGET) + 1).peek(0, 0).linger(60);
    s.scenario(
        "uet_average_at_target",
        "a marked sack with the average at the target makes no cut, one LSB above it does",
        &["ecn_average_low", "ecn_at_target"],
    )
}

fn uet_cuts() -> Scenario {
    let mut s = small("short_uet", &[]);
    s.at(40).open(0).fill(0, 10_000, 4 * P);
    // The counter wraps with a cut half a base RTT old.
    s.sack(0, MSS, cycles(6 * TARGET)).marked(0, MSS, cycles(6 * TARGET)).peek(0, 0);
    let first = s.taken();
    s.marked(0, MSS, cycles(6 * TARGET));
    s.at(first + BASE - 1).marked(0, MSS, cycles(2 * TARGET)).peek(0, 0);
    // A cut that applies, too; one that would go below a packet.
    s.at(first + BASE + 40).marked(0, 9 * P, cycles(6 * TARGET)).peek(0, 0);
    for _ in 0..5 {
        s.wait(BASE).marked(0, MSS, cycles(8 * TARGET));
    }
    // A base RTT that falls makes the last cut old.
    s.wait(20).sack_rtt(0, MSS, cycles(16)).marked(0, MSS, cycles(6 * TARGET)).peek(0, 0);
    s.open(1).fill(1, 15_000, 4 * P).sack(1, 0, cycles(8 * TARGET));
    // Left alone for longer than half a wrap: the last cut stays old.
    s.marked(1, 0, cycles(8 * TARGET)).wait(1_060).marked(1, 0, cycles(8 * TARGET)).peek(1, 0);
    s.peek(1, BASE).peek(1, BASE + 620).linger(BASE + 700);
    s.scenario(
        "uet_cuts",
        "cuts at their limit, within and beyond a base RTT, with an apply, down to the floor, across a wrap",
        &[
            "decrease_at_limit",
            "second_cut_held",
            "second_cut_made",
            "cut_and_apply",
            "wrap_with_last_cut",
            "cwnd_at_floor",
        ],
    )
}

fn uet_penalties() -> Scenario {
    let mut s = small("short_uet", &[]);
    s.open(0).fill(0, 15_000, P);
    let sack = Event {
        bytes: MSS,
        flight: P,
        rtt_valid: true,
        rtt: cycles(BASE + 30),
        ..event(Kind::Sack)
    };
    // The window falls to what flies, less a part of the bytes; the first one is saved.
    s.evt(0, Event { penalty: 1, ..sack }).peek(0, 0);
    s.evt(0, Event { penalty: 127, ..sack }).peek(0, 0);
    s.evt(0, Event { penalty: 127, bytes: 9 * P, ..sack }).peek(0, 0);
    s.evt(0, Event { penalty: 3, rtt_valid: false, ..sack });
    s.evt(0, Event { restore: true, ..sack }).peek(0, 0);
    // Saved again, and dropped; then restored without a sample.
    s.evt(0, Event { penalty: 127, bytes: 9 * P, ..sack }).evt(0, sack).peek(0, 0);
    s.evt(0, Event { penalty: 64, ..sack });
    s.evt(0, Event { restore: true, rtt_valid: false, ..sack }).peek(0, 0);
    s.evt(0, Event { restore: true, ..sack });
    // A penalty keeps no mark from cutting, and no apply from running.
    for _ in 0..4 {
        s.sack(0, 0, cycles(8 * TARGET));
    }
    let far = Event { rtt: cycles(BASE + 8 * TARGET), ..sack };
    s.evt(0, Event { penalty: 20, ecn: true, ..far }).peek(0, 0);
    s.evt(0, Event { penalty: 20, restore: true, bytes: 9 * P, ..far }).peek(0, 0).linger(60);
    s.scenario(
        "uet_penalties",
        "receiver penalties of 1, 127 and between; the saved window restored and dropped, with and without a sample",
        &["penalty_one", "penalty_127", "restored", "saved_dropped"],
    )
}

/// The average triggers, not the sample: 400 ns are 200 cycles.
fn uet_quick_adapt() -> Scenario {
    let mut s = small("short_uet", &[("trimming_enabled", Bool(false))]);
    s.open(0).fill(0, 18_000, P).sack(0, MSS, cycles(10));
    // A sample above the threshold, the average not yet.
    s.wait(2 * BASE).sack(0, MSS, cycles(300)).peek(0, 0);
    for _ in 0..4 {
        s.sack(0, 10, cycles(400));
    }
    // A sample below it, the average above.
    s.wait(2 * BASE).sack(0, 10, cycles(150)).peek(0, 0).linger(60);
    s.scenario(
        "uet_quick_adapt",
        "UET without trimming: the average delay triggers Quick Adapt, not the sample",
        &["quick_adapt_by_delay"],
    )
}

/// A short random leg, in compressed time.
fn random(build: &'static str) -> Scenario {
    const SEED: u64 = 7;
    const CYCLES: u64 = 2_600;
    let mut leg = random::leg(SEED, 0, CYCLES, &params(build));
    leg.stimulus.truncate(CYCLES);
    Scenario {
        name: format!("random_{build}"),
        doc: "a random leg in compressed time",
        build,
        covers: &[],
        seed: Some(SEED),
        leg,
    }
}
