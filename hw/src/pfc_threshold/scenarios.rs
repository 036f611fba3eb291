//! The directed and random scenarios of `pfc_threshold` that vectors are committed for.
//!
//! Each names the rows of "Must be covered" that it is for. Most have a pool of 64 000 B and a
//! headroom of 4 000 B, so that a queue crosses its thresholds within a few packets, and a pause time
//! of twice the shortest legal half.

use super::cfg::shortest_half;
use super::random;
use super::script::{Script, params};
use crate::attributes::Value;
use crate::scenario::{Leg, Scenario};
use Value::{Integer, Name, Real};

type Change = (&'static str, Value);

const BETA: &str = "beta";
const OFFSET: &str = "resume_offset";

/// Bytes of the pool.
const POOL: u64 = 64_000;

/// Bytes of a headroom.
const HEADROOM: u64 = 4_000;

/// All of them, in the order in which they are listed.
pub fn all() -> Vec<Scenario> {
    vec![
        paper_switch(),
        thresholds(),
        beta("beta_least", 1.0 / 128.0, 62, &["beta_least"]),
        beta("beta_1", 1.0, 7_111, &["beta_1"]),
        beta("beta_128", 128.0, 60_235, &["beta_128"]),
        brim(),
        headroom(),
        large_offset(),
        static_thresholds(),
        static_pool(),
        static_one_byte(),
        relief(),
        refresh(),
        all_refreshed("all_refreshed", "default", 256),
        all_refreshed("all_refreshed_short", "short", 8),
        owed("owed", "short"),
        owed("owed_default", "default"),
        back_and_forth_one(),
        side_by_side("side_by_side", "default", [33, 34]),
        side_by_side("side_by_side_short", "short", [2, 3]),
        side_by_side("side_by_side_one", "one", [0, 0]),
        underflow(),
        counters(),
        every_queue(),
        peeks(),
        out_of_range(),
        random("random_dynamic", "default", 0, 1_000),
        random("random_short_0", "short", 0, 900),
        random("random_short_1", "short", 1, 900),
        random("random_short_2", "short", 2, 900),
        random("random_short_3", "short", 3, 900),
        random("random_one_0", "one", 0, 900),
        random("random_one_1", "one", 3, 900),
    ]
}

/// The small switch, with changes.
fn small(build: &'static str, changes: &[Change]) -> Script {
    // At 128 Gbps and 500 MHz half a quantum is one cycle.
    let mut all = vec![
        ("buffer_bytes", Integer(POOL + 8 * HEADROOM)),
        ("ports", Integer(1)),
        ("headroom_bytes", Integer(HEADROOM)),
        ("data_rate", Real(128.0)),
        ("pause_quanta", Integer(shortest_half(&params(build)))),
    ];
    all.extend_from_slice(changes);
    Script::new(build, &all)
}

/// At default attributes 6 265 600 B are free and t_PFC is what is left of them: a queue alone is
/// paused above half, 3 132 800 B.
fn paper_switch() -> Scenario {
    let mut script = Script::new("default", &[]);
    script.idle(3).fill(17, 3_132_800).peek(17);
    // The last packet on top pauses it; one more fits the headroom, the next one does not.
    script.enq(17, 1).enq(17, 16_383).enq(17, 6_017).enq(17, 1_500).peek(17);
    script.drain(17, 22_400);
    // q = 3 132 801 again; with 3 000 B of hysteresis it resumes at 3 131 300.
    script.drain(17, 1_500).peek(17).deq(17, 1).idle(5).drain(17, 3_131_300).peek(17);
    script.scenario(
        "paper_switch",
        "the switch of the paper: one queue fills half of the pool to the byte, is paused, fills its headroom, is dropped from, drains and resumes",
        &["xoff_exactly", "headroom_exactly", "headroom_overfilled", "resume_by_deq", "beta_8"],
    )
}

/// Beta 8: t_PFC = 64 000 - s. By hand: a queue alone is at it with 32 000 B, and with a byte in
/// another queue one over it; it resumes where 2 q + 3 000 = 64 000, at 30 500 B.
fn thresholds() -> Scenario {
    let mut script = small("default", &[]);
    script.idle(2).fill(3, 32_000).deq(3, 16_000).enq(9, 1).enq(3, 16_000).peek(3);
    // One byte over, and exactly once the other queue is empty: then the sweep resumes it.
    script.deq(3, 1_500).idle(260).peek(3);
    script.until_visit(4).deq(9, 1).until_resume(3).idle(3).peek(3);
    // The same by its own departure.
    script.enq(3, 1_500).enq(3, 2).deq(3, 1_501).deq(3, 1).peek(3);
    script.scenario(
        "thresholds",
        "a queue at both thresholds exactly and one byte over; resumed by the sweep and by its own departure",
        &[
            "xoff_exactly",
            "xoff_one_over",
            "xon_exactly",
            "xon_one_over",
            "resume_by_deq",
            "resume_by_sweep",
            "beta_8",
        ],
    )
}

/// `last` is the most that a queue alone holds without being paused: 8 q <= Beta x (64 000 - q).
fn beta(name: &str, beta: f64, last: u64, covers: &'static [&'static str]) -> Scenario {
    let mut script = small("short", &[(BETA, Real(beta)), (OFFSET, Integer(last / 2))]);
    script.idle(1).fill(5, last - 1).enq(5, 1).peek(5).enq(5, 1).peek(5);
    script.enq(5, 1_000).enq(6, 40).enq(2, 70);
    for _ in 0..12 {
        let held = script.q(5);
        script.deq(5, held / 4 + 100).idle(3);
    }
    script.peek(5).idle(20).peek(6);
    script.scenario(
        name,
        "a queue fills to the last byte that does not pause it, and one more; others are paused below; it drains",
        covers,
    )
}

/// Beta 128: t_PFC is 16 times what is free, so that queues fill the pool without being paused.
fn brim() -> Scenario {
    let mut script = small("default", &[(BETA, Real(128.0))]);
    script.idle(4).fill(1, 59_000).enq(2, 4_000).peek(2);
    // One byte too many for the pool, and then exactly what fits: t_PFC is 0 there.
    script.enq(3, 1_001).enq(3, 1_000).enq(4, 1).enq(1, 1).peek(1);
    // A packet of 0 bytes fits, and its queue is above t_PFC; an empty queue is not.
    script.enq(4, 0).enq(1, 0).peek(1).peek(4);
    script.deq(1, 16_000).deq(2, 4_000).deq(3, 1_000).idle(300).peek(1);
    script.scenario(
        "brim",
        "the pool filled to its last byte: packets of queues that are not paused are dropped, t_PFC is 0 and a packet of 0 bytes pauses",
        &["threshold_negative", "threshold_zero", "pool_exactly", "pool_full"],
    )
}

fn headroom() -> Scenario {
    let mut script = small("default", &[]);
    script
        .idle(1)
        .fill(255, 32_000)
        .enq(255, 1_000)
        .enq(255, 2_500)
        .enq(255, 1_501)
        .enq(255, 1_500)
        .peek(255);
    script.enq(255, 1).enq(255, 0).deq(255, 100).enq(255, 101).enq(255, 100).peek(255);
    // Through the headroom into the pool in one packet, and both in one cycle.
    script.both((255, 4_000), (255, 4_000)).deq(255, 3_000).deq(255, 1_001).peek(255);
    script.deq(255, 2_498).deq(255, 1).peek(255).idle(4).enq(255, 10);
    script.scenario(
        "headroom",
        "a paused queue's headroom filled exactly, overfilled, emptied before the pool",
        &["headroom_exactly", "headroom_overfilled", "resume_by_deq"],
    )
}

fn large_offset() -> Scenario {
    let mut script = small("short", &[(OFFSET, Integer(POOL + 1))]);
    script.idle(2).fill(6, 32_001).enq(6, 700);
    script.deq(6, 700).drain(6, 32_000).idle(20).peek(6).deq(6, 1).peek(6);
    // With bytes in the headroom, too.
    script.fill(1, 33_000).enq(1, 3_000).drain(1, 33_000).deq(1, 3_000).peek(1);
    script.scenario(
        "large_offset",
        "a ResumeOffset that t_PFC never reaches: a paused queue resumes with its last byte",
        &["below_resume_offset", "below_resume_offset_empty"],
    )
}

fn static_thresholds() -> Scenario {
    let changes =
        [("mode", Name("static")), ("static_xoff", Integer(5_000)), ("static_xon", Integer(2_000))];
    let mut script = small("default", &changes);
    script.enq(7, 4_000).enq(7, 1_000).peek(7).enq(7, 1).peek(7).enq(7, 900);
    script.deq(7, 900).deq(7, 3_000).idle(260).deq(7, 1).peek(7);
    // Another queue, with the pool almost full: thresholds stay where they are.
    for queue in 20..30 {
        script.enq(queue, 5_000);
    }
    script.enq(30, 5_000).enq(30, 6_000).enq(30, 1_500).deq(30, 9_000).deq(30, 2_000).peek(30);
    script.scenario(
        "static_thresholds",
        "static mode: a queue at StaticXoff and at StaticXon exactly, and one byte over each",
        &[
            "static_xoff_exactly",
            "static_xoff_one_over",
            "static_xon_exactly",
            "static_xon_one_over",
        ],
    )
}

fn static_pool() -> Scenario {
    let changes = [
        ("mode", Name("static")),
        ("static_xoff", Integer(1 << 30)),
        ("static_xon", Integer((1 << 30) - 1)),
    ];
    let mut script = small("one", &changes);
    script.fill(0, 63_000).enq(0, 1_001).enq(0, 1_000).enq(0, 1).peek(0);
    script.both((0, 1), (0, 2)).both((0, 2), (0, 2)).deq(0, 500).enq(0, 501).enq(0, 500).peek(0);
    script.scenario(
        "static_pool",
        "static thresholds out of reach: nothing is paused, and the pool's limit holds all the same",
        &["static_pool_full", "pool_full", "pool_exactly"],
    )
}

/// The lowest static thresholds that are legal.
fn static_one_byte() -> Scenario {
    let changes =
        [("mode", Name("static")), ("static_xoff", Integer(1)), ("static_xon", Integer(0))];
    let mut script = small("short", &changes);
    for queue in 0..8 {
        script.enq(queue, 1).enq(queue, 1).both((queue, 1), (queue, 1));
    }
    for queue in 0..8 {
        script.deq(7 - queue, 1).deq(7 - queue, 1).peek(queue);
    }
    script.scenario(
        "static_one_byte",
        "StaticXoff 1 and StaticXon 0: every second byte pauses, an empty queue resumes",
        &["all_paused", "static_xon_exactly", "static_xoff_one_over"],
    )
}

/// Beta 8. By hand: with 4 000 B in queue 4, 40 000, 16 000 and 3 500 B are each above what is left
/// of 64 000. With 8 000 B of the first gone t_PFC is 8 500, which lets only the third resume; 2 251 B
/// more in queue 4 are 6 251 of 6 249 then.
fn relief() -> Scenario {
    let mut script = small("short", &[(OFFSET, Integer(100))]);
    script.enq(4, 4_000).fill(0, 29_000).enq(0, 11_000).enq(1, 16_000).enq(2, 3_500).enq(2, 500);
    script.peek(2).deq(2, 500).until_visit(3).deq(0, 8_000).until_resume(2).enq(4, 2_251);
    script.idle(12).peek(2).peek(4);
    // Down to nothing: every queue resumes, whoever drains.
    script.drain(0, 32_000).idle(10).drain(4, 6_251).idle(20).peek(1);
    script.scenario(
        "relief",
        "a queue that drains lets the sweep resume another, in the cycle in which a third is paused",
        &["xoff_in_resume_cycle", "resume_by_sweep"],
    )
}

/// Half a pause is 48 cycles. By hand: 40 000 B are above t_PFC = 24 000, 16 000 B then above
/// 8 000; with 16 000 B of the first gone it is 24 000 again, and 16 000 + 3 000 are below.
fn refresh() -> Scenario {
    let mut script = small("short", &[]);
    script.fill(2, 31_000).enq(2, 9_000).enq(1, 16_000).idle(260).peek(1);
    script.until_refresh(1).deq(2, 16_000).idle(12).peek(1);
    // Paused anew, it resumes by itself just then.
    script.enq(1, 16_000).idle(60).until_refresh(1).deq(1, 16_000).idle(4).peek(1);
    script.idle(1_000).peek(2);
    script.scenario(
        "refresh",
        "a paused queue is refreshed every 48 cycles and over two wraps of the time; it resumes in the cycle in which a refresh is due, by the sweep and by its own departure",
        &[
            "refresh",
            "wrap_while_paused",
            "resume_in_refresh_cycle",
            "deq_resume_in_refresh_cycle",
        ],
    )
}

fn all_refreshed(name: &str, build: &'static str, queues: u64) -> Scenario {
    let changes =
        [("mode", Name("static")), ("static_xoff", Integer(1)), ("static_xon", Integer(0))];
    let mut script = small(build, &changes);
    for queue in 0..queues {
        script.enq(queue, 2);
    }
    script.idle(3 * shortest_half(&params(build))).peek(0).peek(queues - 1);
    for queue in 0..queues {
        script.deq(queue, 2);
    }
    script.scenario(
        name,
        "all queues paused one after the other and refreshed together, half of the pause time the shortest that is legal",
        &["all_paused", "refresh", "wrap_while_paused"],
    )
}

/// Thresholds a byte apart. By hand: a departure and an arrival of 2 B resume a queue and pause it
/// again, two beats a cycle: after three cycles the queue of pauses is full, and the XOFFs of the
/// next ones find no place.
fn owed(name: &str, build: &'static str) -> Scenario {
    let changes =
        [("mode", Name("static")), ("static_xoff", Integer(1_000)), ("static_xon", Integer(999))];
    let mut script = small(build, &changes);
    for queue in 0..7 {
        script.enq(queue, 1_001);
    }
    script.idle(20);
    for n in 0..14 {
        script.both((n % 7, 2), (n % 7, 2));
    }
    // Queue 6 is the last one to owe: it resumes before the sweep comes by.
    script.cycle(Some((6, 2)), None, Some(5)).idle(3).peek(6);
    script.idle(400).peek(5);
    // While the queue of pauses runs empty again another one finds a place.
    for n in 0..4 {
        script.both((n, 2), (n, 2));
    }
    script.enq(6, 2).idle(1).both((3, 2), (3, 2)).idle(30).peek(3);
    script.scenario(
        name,
        "queues that resume and are paused again in one cycle, cycle after cycle: XOFFs find no place, the sweep sends them, or their queue resumes before",
        &[
            "owed",
            "owed_sent",
            "owed_resumed",
            "resume_and_xoff_same_cycle",
            "enq_deq_same_cycle",
        ],
    )
}

fn back_and_forth_one() -> Scenario {
    let mut script = small("one", &[(OFFSET, Integer(0))]);
    script.fill(0, 32_001);
    for n in 0..40 {
        script.both((0, 1 + n % 3), (0, 1 + n % 3));
    }
    script.idle(40).peek(0);
    for _ in 0..6 {
        script.deq(0, 1).enq(0, 1);
    }
    script.idle(30).peek(0);
    script.scenario(
        "back_and_forth_one",
        "one queue, resumed and paused in every cycle, without hysteresis",
        &["owed", "owed_sent", "resume_and_xoff_same_cycle"],
    )
}

/// Events of one queue in one cycle and in the next, in every combination: each sees what the ones
/// before have done, and nothing else. Without hysteresis the thresholds are crossed all the time.
fn side_by_side(name: &str, build: &'static str, queues: [u64; 2]) -> Scenario {
    let mut script = small(build, &[(OFFSET, Integer(0))]);
    // Shared by two, the threshold is at 21 333 B each; one alone has 32 000.
    if queues[1] == queues[0] {
        script.fill(queues[0], 30_000);
    } else {
        script.fill(queues[0], 21_000).fill(queues[1], 21_000);
    }
    // For three cycles in a row: which of enq and deq, and of which of two queues.
    for pattern in 0..512u64 {
        for n in 0..3 {
            let bits = pattern >> (3 * n);
            let queue = queues[(bits >> 2 & 1) as usize];
            let enq = (bits & 1 == 1).then_some((queue, 300 + pattern % 7));
            let deq = (bits & 2 == 2).then_some((queue, 290 + pattern % 11));
            script.cycle(deq, enq, None);
        }
        script.idle(pattern % 2);
        if pattern % 16 == 5 {
            script.peek(queues[(pattern / 16 % 2) as usize]);
        }
    }
    script.scenario(
        name,
        "arrivals and departures of the same and of another queue in three cycles in a row, in every combination, around the threshold",
        &[
            "enq_deq_same_cycle",
            "deq_after_enq",
            "enq_after_deq",
            "enq_back_to_back",
            "deq_back_to_back",
            "resume_by_deq",
        ],
    )
}

fn underflow() -> Scenario {
    let mut script = small("default", &[]);
    script.idle(2).deq(8, 1).enq(8, 100).deq(8, 101).peek(8).deq(8, 0);
    // Paused, with bytes in the headroom: both are gone, and the queue resumes.
    script.fill(9, 31_000).fill(10, 25_000).enq(8, 5_000).enq(8, 1_000).peek(8);
    script.deq(8, 6_001).idle(2).peek(8).enq(8, 5_000).enq(8, 1_000).deq(8, 6_000).peek(8);
    script.both((8, 7), (8, 9)).both((8, 10), (8, 3)).peek(8).peek(9);
    script.scenario(
        "underflow",
        "packets larger than what their queue holds: empty, not paused, paused with headroom, exactly and one byte more",
        &["underflow", "resume_by_deq"],
    )
}

/// COUNT_W is 6 in the short build: 63.
fn counters() -> Scenario {
    let changes =
        [("mode", Name("static")), ("static_xoff", Integer(1_000)), ("static_xon", Integer(999))];
    let mut script = small("short", &changes);
    script.enq(4, 999);
    for n in 0..66 {
        script.enq(4, 2).deq(4, 2);
        if n > 60 {
            script.peek(4);
        }
    }
    script.enq(4, 2).enq(4, HEADROOM);
    for n in 0..66 {
        script.enq(4, 1 + n);
        if n > 60 {
            script.peek(4);
        }
    }
    script.scenario(
        "counters",
        "a queue paused and dropped from more often than its counters hold",
        &["counter_saturated", "headroom_overfilled"],
    )
}

fn every_queue() -> Scenario {
    let mut script = small("default", &[(BETA, Real(1.0))]);
    for n in 0..256u64 {
        script.enq(n * 77 % 256, 60 + n % 50);
    }
    for n in 0..256u64 {
        let queue = n * 31 % 256;
        script.both((queue, 40), (255 - queue, 70 + n % 9));
    }
    for queue in [0, 1, 2, 127, 128, 129, 254, 255] {
        script.enq(queue, 3_000).enq(queue, 3_000).enq(queue, 2_000).peek(queue);
    }
    script.idle(300);
    for queue in [255, 254, 129, 128, 127, 2, 1, 0] {
        script.deq(queue, 6_000).deq(queue, 2_000).peek(queue);
    }
    script.scenario(
        "every_queue",
        "packets in and out of all queues; those at the ends and in the middle of the table are paused and do not touch one another",
        &["beta_1"],
    )
}

/// Peeks take the sweep's slot: they meet events and pauses of their queue in every distance.
fn peeks() -> Scenario {
    let mut script = small("short", &[(OFFSET, Integer(100))]);
    script.fill(3, 32_000);
    for n in 0..24 {
        script.enq(3, 2).idle(n % 5).peek(3).deq(3, 60).idle(n / 5).peek(3);
        script.enq(3, 50 + n).peek(3).deq(3, 8).peek(2);
    }
    // The sweep stands in every cycle that takes a peek.
    script.enq(3, 2_000);
    for _ in 0..60 {
        script.peek(3);
    }
    script.scenario(
        "peeks",
        "peeks before, in and after the cycles in which their queue changes, and as many as are taken while refreshes are due",
        &["refresh"],
    )
}

fn out_of_range() -> Scenario {
    let mut script = small("default", &[]);
    for queue in [256, 257, 511, 512, 2_048, 4_095] {
        script.enq(queue, 1_500).deq(queue, 1_500).both((queue, 100), (queue, 100)).peek(queue);
        script.enq(queue % 256, 64).peek(queue % 256);
    }
    script.scenario(
        "out_of_range",
        "queues outside the table: answered with range, nothing changes",
        &["queue_out_of_range"],
    )
}

fn random(name: &str, build: &'static str, number: u64, cycles: u64) -> Scenario {
    const SEED: u64 = 2;
    let Leg { attributes, mut stimulus } = random::leg(SEED, number, cycles, &params(build));
    stimulus.truncate(cycles);
    Scenario {
        name: name.to_string(),
        doc: "a random leg",
        build,
        covers: &[],
        seed: Some(SEED),
        leg: Leg { attributes, stimulus },
    }
}
