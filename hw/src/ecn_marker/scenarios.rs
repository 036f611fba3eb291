//! The directed and random scenarios of `ecn_marker` that vectors are committed for.
//!
//! Each names the rows of "Must be covered" that it is for. Buffers are small, so that a queue
//! crosses its thresholds within a few packets.

use super::random::{self, DEQ, ENQ, PEEK};
use crate::attributes::{AttributeSet, Value};
use crate::scenario::{Leg, Scenario};
use crate::stimulus::Stimulus;
use Value::{Bool, Integer, Name, Real};
use congruent_ports::ecn_marker::{BLOCK, BYTES_W};

type Change = (&'static str, Value);

const BYTES_MOST: u64 = (1 << BYTES_W) - 1;

/// ECN codes of RED.
const NOT_ECT: u64 = 0;
const ECT1: u64 = 1;
const ECT0: u64 = 2;
const CE: u64 = 3;

const W: &str = "ewma_weight";
const LIMIT: &str = "static_limit";
const KMIN: &str = "kmin";
const KMAX: &str = "kmax";
const P: &str = "max_mark_probability";
const FECN: Change = ("policy", Name("fecn"));
const BUFFER: &str = "vl_buffer_bytes";
const THRESHOLD: &str = "threshold";
const RATE: &str = "marking_rate";

/// All of them, in the order in which they are listed.
pub fn all() -> Vec<Scenario> {
    let mut all = vec![
        average_rises(),
        every_code(),
        to_the_lsb("to_the_lsb", "default"),
        to_the_lsb("to_the_lsb_narrow", "one"),
        weight("w_zero", 0.0, &["w_zero"]),
        weight("w_one", 1.0, &["w_one"]),
        weight("w_small", 1e-6, &[]),
        p_zero(),
        step(),
        narrow_band(),
        side_by_side("side_by_side", "default"),
        side_by_side("side_by_side_one", "one"),
        every_queue(),
        ends_of_the_table(),
        brim(),
        underflow(),
        ecn_off_red(),
        ecn_off_fecn(),
        hysteresis(),
        packet_size(),
        victims("victims_marked", true, &["victim_marked"]),
        victims("victims_passed", false, &["victim_passed"]),
        every_fourth(),
        largest_marking_rate(),
        lfsr_seed(),
        diffusion(),
        out_of_range(),
    ];
    all.extend((0..16).map(threshold));
    all.extend([
        random("random_red", "default", 0, 1_200),
        random("random_fecn", "default", 1, 1_200),
        random("random_one_red", "one", 2, 1_200),
        random("random_one_fecn", "one", 3, 1_200),
    ]);
    all
}

fn scenario(
    name: &str,
    build: &'static str,
    doc: &'static str,
    changes: &[Change],
    script: &Script,
    covers: &'static [&'static str],
) -> Scenario {
    let attributes = AttributeSet::defaults(&BLOCK).with(changes);
    let leg = Leg { attributes, stimulus: script.stimulus() };
    Scenario { name: name.to_string(), doc, build, covers, seed: None, leg }
}

/// Beats in any order of their channels and cycles; sorted into streams at the end.
#[derive(Clone, Default)]
struct Script {
    beats: Vec<(usize, u64, Vec<u64>)>,
}

impl Script {
    fn enq(&mut self, cycle: u64, queue: u64, bytes: u64) -> &mut Self {
        self.beats.push((ENQ, cycle, vec![queue, bytes]));
        self
    }

    /// A packet that leaves a port with credits.
    fn deq(&mut self, cycle: u64, queue: u64, bytes: u64, ecn: u64) -> &mut Self {
        self.beats.push((DEQ, cycle, vec![queue, bytes, ecn, 1]));
        self
    }

    /// A packet that leaves a port without credits.
    fn victim(&mut self, cycle: u64, queue: u64, bytes: u64, ecn: u64) -> &mut Self {
        self.beats.push((DEQ, cycle, vec![queue, bytes, ecn, 0]));
        self
    }

    fn peek(&mut self, cycle: u64, queue: u64) -> &mut Self {
        self.beats.push((PEEK, cycle, vec![queue]));
        self
    }

    /// Packets back to back until `bytes` were admitted; the cycle after the last.
    fn fill(&mut self, mut cycle: u64, queue: u64, mut bytes: u64) -> u64 {
        while bytes > 0 {
            let packet = bytes.min(BYTES_MOST);
            self.enq(cycle, queue, packet);
            bytes -= packet;
            cycle += 1;
        }
        cycle
    }

    /// ECT(0) packets back to back until `bytes` have left; the cycle after the last.
    fn drain(&mut self, mut cycle: u64, queue: u64, mut bytes: u64) -> u64 {
        while bytes > 0 {
            let packet = bytes.min(BYTES_MOST);
            self.deq(cycle, queue, packet, ECT0);
            bytes -= packet;
            cycle += 1;
        }
        cycle
    }

    fn stimulus(&self) -> Stimulus {
        let mut sorted = self.beats.clone();
        sorted.sort_by_key(|(channel, cycle, _)| (*channel, *cycle));
        let mut stimulus = Stimulus::new(&BLOCK);
        for (channel, cycle, payload) in sorted {
            stimulus.push(channel, cycle, &payload);
        }
        stimulus
    }
}

/// The page's average: occupancy held at 100 000 B from the first packet on, as near as packets of
/// 16 383 B come to it.
fn average_rises() -> Scenario {
    let mut script = Script::default();
    let mut cycle = script.fill(5, 9, 100_000);
    for n in 0..60 {
        script.enq(cycle, 9, 0).deq(cycle + 1, 9, 0, [ECT0, ECT1][n % 2]);
        cycle += 3;
    }
    // A draining queue keeps its last average.
    cycle = script.drain(cycle, 9, 100_000);
    script.peek(cycle, 9).deq(cycle, 9, 0, ECT0).peek(cycle + 20, 9);
    scenario(
        "average_rises",
        "default",
        "default attributes: the average climbs towards an occupancy that is held, and stays while the queue drains",
        &[],
        &script,
        &["ect0_out_of_band", "ect1_out_of_band"],
    )
}

fn every_code() -> Scenario {
    let mut script = Script::default();
    let mut cycle = 4;
    for n in 0..120u64 {
        // Up through the band, and on beyond it: 20 packets of 9216 B, and 40 more.
        script.enq(cycle, 3, 9216);
        if n > 8 {
            script.deq(cycle + 1, 3, 64, n % 4).deq(cycle + 2, 3, 4154, (n + 1) % 4);
        }
        script.peek(cycle + 2, 3);
        cycle += 4 + n % 3;
    }
    scenario(
        "every_code",
        "default",
        "ECT(0), ECT(1), CE and Not-ECT below the band, in it and above it; packets of 9216 B",
        &[(LIMIT, Integer(400_000)), (W, Real(0.2))],
        &script,
        &[
            "ect0_in_band",
            "ect0_out_of_band",
            "ect1_in_band",
            "ect1_out_of_band",
            "ce_in_band",
            "ce_out_of_band",
            "not_ect_in_band",
            "not_ect_out_of_band",
            "p_one",
            "packet_9216",
        ],
    )
}

/// w = 1/2 and packets of 0 bytes: what is left between average and threshold is halved until one
/// LSB is left. From below a half is rounded up and the average arrives; from above it is rounded
/// up too, to nothing, and the average stays one LSB above.
fn to_the_lsb(name: &str, build: &'static str) -> Scenario {
    let mut script = Script::default();
    let mut cycle = 3;
    let queues: [u64; 2] = if build == "one" { [0, 0] } else { [17, 18] };
    for (queue, threshold, back) in [(queues[0], 20_000, true), (queues[1], 50_000, false)] {
        cycle = script.fill(cycle, queue, threshold);
        cycle = close_in(&mut script, cycle, queue);
        cycle = script.fill(cycle, queue, 40_000);
        for _ in 0..5 {
            script.enq(cycle, queue, 0);
            cycle += 1;
        }
        cycle = script.drain(cycle, queue, 40_000);
        cycle = close_in(&mut script, cycle, queue);
        script.peek(cycle, queue);
        if back {
            cycle = script.drain(cycle, queue, threshold);
        }
    }
    scenario(
        name,
        build,
        "the average closes in on each threshold bit by bit, from below and from above",
        &[(KMIN, Integer(20_000)), (KMAX, Integer(50_000)), (W, Real(0.5))],
        &script,
        &[
            "average_lower_minus_lsb",
            "average_lower_exactly",
            "average_lower_plus_lsb",
            "average_upper_minus_lsb",
            "average_upper_exactly",
            "average_upper_plus_lsb",
        ],
    )
}

fn close_in(script: &mut Script, from: u64, queue: u64) -> u64 {
    for cycle in from..from + 50 {
        script.enq(cycle, queue, 0).deq(cycle, queue, 0, ECT0);
    }
    from + 50
}

fn weight(name: &'static str, weight: f64, covers: &'static [&'static str]) -> Scenario {
    let mut script = Script::default();
    for n in 0..60u64 {
        let queue = [5, 6][n as usize % 2];
        script.enq(4 + n, queue, [4154, 9216, 64][n as usize % 3]);
        script.deq(6 + n, queue, [64, 64, 4154][n as usize % 3], [ECT0, ECT1][n as usize % 2]);
        if n % 20 == 0 {
            script.peek(8 + n, queue);
        }
    }
    script.peek(80, 5);
    scenario(
        name,
        "default",
        "an average that never moves (w = 0), that is the occupancy (w = 1), or that hardly moves",
        &[(KMIN, Integer(0)), (KMAX, Integer(60_000)), (W, Real(weight))],
        &script,
        covers,
    )
}

fn p_zero() -> Scenario {
    let mut script = Script::default();
    let mut cycle = script.fill(2, 1, 40_000);
    for _ in 0..40 {
        script.deq(cycle, 1, 100, ECT0);
        cycle += 1;
    }
    // Above the band every packet is marked all the same.
    cycle = script.fill(cycle, 1, 30_000);
    script.deq(cycle, 1, 100, ECT0).peek(cycle + 1, 1);
    scenario(
        "p_zero",
        "default",
        "MaxMarkProbability 0: no mark in the band, though the LFSR advances; marks above it",
        &[(KMIN, Integer(10_000)), (KMAX, Integer(60_000)), (P, Real(0.0)), (W, Real(1.0))],
        &script,
        &["p_zero"],
    )
}

fn step() -> Scenario {
    let mut script = Script::default();
    for n in 0..40u64 {
        script.enq(2 + 3 * n, 2, 4154).deq(3 + 3 * n, 2, [64, 8000][(n / 10) as usize % 2], ECT1);
    }
    scenario(
        "step",
        "default",
        "lower = upper: below it nothing is marked, from it on everything (DCTCP)",
        &[(KMIN, Integer(20_000)), (KMAX, Integer(20_000)), (W, Real(1.0))],
        &script,
        &["thresholds_equal"],
    )
}

/// A band of one byte: the position takes its bits from the fraction of the average.
fn narrow_band() -> Scenario {
    let mut script = Script::default();
    let mut cycle = script.fill(2, 0, 20_001);
    for n in 0..120u64 {
        script.enq(cycle, 0, 0).deq(cycle, 0, 0, [ECT0, ECT1][n as usize % 2]);
        cycle += 1;
    }
    script.peek(cycle, 0);
    scenario(
        "narrow_band",
        "default",
        "a band of one byte that the average crosses slowly",
        &[(KMIN, Integer(20_000)), (KMAX, Integer(20_001)), (W, Real(0.1)), (P, Real(0.9))],
        &script,
        &[],
    )
}

/// Events of one queue in one cycle and in the next, in every combination: each sees what the ones
/// before have done, and nothing else.
fn side_by_side(name: &str, build: &'static str) -> Scenario {
    let mut script = Script::default();
    let queues: [u64; 2] = if build == "one" { [0, 0] } else { [33, 34] };
    let mut cycle = script.fill(2, queues[0], 40_000);
    if queues[1] != queues[0] {
        cycle = script.fill(cycle, queues[1], 40_000);
    }
    // For three cycles in a row: which of enq and deq, and of which of two queues.
    for pattern in 0..512u64 {
        for n in 0..3 {
            let bits = pattern >> (3 * n);
            let queue = queues[(bits >> 2 & 1) as usize];
            if bits & 1 == 1 {
                script.enq(cycle, queue, 100 + pattern % 7);
            }
            if bits & 2 == 2 {
                script.deq(cycle, queue, 90 + pattern % 11, [ECT0, ECT1][(pattern % 2) as usize]);
            }
            if pattern % 16 == 5 && n == pattern / 16 % 3 {
                script.peek(cycle, queue);
            }
            cycle += 1;
        }
        cycle += pattern % 2;
    }
    scenario(
        name,
        build,
        "admissions and departures of the same and of another queue in three cycles in a row, in every combination",
        &[(KMIN, Integer(30_000)), (KMAX, Integer(60_000)), (W, Real(0.3))],
        &script,
        &[
            "enq_deq_same_cycle",
            "deq_after_enq",
            "enq_after_deq",
            "enq_back_to_back",
            "deq_back_to_back",
        ],
    )
}

fn every_queue() -> Scenario {
    let mut script = Script::default();
    for queue in 0..64u64 {
        script.enq(3 + queue, queue, 64 + queue);
        script.deq(100 + queue, 63 - queue, 64, ECT0);
        script.enq(102 + queue, 63 - queue, 1082);
    }
    for queue in 0..64u64 {
        let held = queue + 1082;
        script.deq(200 + queue, queue, held, ECT1).enq(300 + queue, queue, 200 + queue);
    }
    scenario(
        "every_queue",
        "default",
        "packets in all queues at once; each is drained to 0 and refilled",
        &[(KMIN, Integer(50)), (KMAX, Integer(400)), (W, Real(0.5))],
        &script,
        &["all_queues_active", "drained_and_refilled"],
    )
}

fn ends_of_the_table() -> Scenario {
    let mut script = Script::default();
    let queues = [0, 1, 2, 511, 512, 513, 1022, 1023];
    for n in 0..160u64 {
        let (queue, other) = (queues[n as usize % 8], queues[(n * 5 + 3) as usize % 8]);
        script.enq(2 + n, queue, 1000 + n).deq(
            20 + n,
            other,
            500 + n,
            [ECT0, ECT1][n as usize % 2],
        );
        if n % 16 == 7 {
            script.peek(20 + n, other);
        }
    }
    scenario(
        "ends_of_the_table",
        "large",
        "queues at the ends and in the middle of the largest table do not touch one another",
        &[(KMIN, Integer(1_000)), (KMAX, Integer(9_000)), (W, Real(0.5))],
        &script,
        &[],
    )
}

/// On the narrow build 17 packets of the largest size fill the largest occupancy.
fn brim() -> Scenario {
    let mut script = Script::default();
    let mut cycle = script.fill(2, 0, 17 * BYTES_MOST);
    // To the last byte and beyond, with a departure in the same cycle and without.
    script.enq(cycle, 0, 1).enq(cycle + 1, 0, 1).deq(cycle + 1, 0, 1, ECT0);
    script.enq(cycle + 2, 0, BYTES_MOST).peek(cycle + 2, 0);
    cycle += 3;
    for n in 0..80 {
        script.deq(cycle, 0, 100, [ECT0, ECT1][n % 2]);
        script.enq(cycle, 0, 200);
        cycle += 1;
    }
    script.peek(cycle, 0);
    scenario(
        "brim",
        "one",
        "occupancy at its largest, and more comes; the counters of packets saturate",
        &[(KMIN, Integer(1_000)), (KMAX, Integer(200_000)), (W, Real(1.0))],
        &script,
        &["occupancy_largest", "counter_saturated"],
    )
}

fn underflow() -> Scenario {
    let mut script = Script::default();
    // More than the queue holds; from an empty queue; in the cycle of an admission, which it does not
    // see; in adjacent cycles; 0 bytes from an empty queue are none.
    script.enq(2, 4, 100).deq(10, 4, 101, ECT0).peek(10, 4).deq(11, 4, 1, ECT0);
    script.enq(20, 4, 500).deq(20, 4, 400, ECT0).deq(21, 4, 500, ECT0);
    script.enq(30, 4, 100).deq(31, 4, 200, ECT1).enq(31, 4, 50).deq(32, 4, 50, ECT1);
    script.deq(33, 4, 0, ECT0).peek(40, 4);
    // In the band: the LFSR stands, so the decision behind is the same as without.
    script.enq(50, 7, 9_000).deq(52, 7, 10, ECT0).deq(53, 7, 9_216, ECT0).enq(54, 7, 8_000);
    script.deq(55, 7, 10, ECT0).peek(60, 7).deq(61, 4, 0, ECT0);
    scenario(
        "underflow",
        "default",
        "packets larger than what their queue holds: the queue is empty, nothing else moves",
        &[(KMIN, Integer(1_000)), (KMAX, Integer(20_000)), (W, Real(0.9))],
        &script,
        &["underflow"],
    )
}

fn ecn_off_red() -> Scenario {
    let mut script = Script::default();
    let mut cycle = script.fill(2, 6, 60_000);
    for n in 0..12 {
        script.deq(cycle, 6, 100, n % 4).peek(cycle, 6);
        cycle += 17;
    }
    scenario(
        "ecn_off_red",
        "default",
        "EnableEcn false: nothing is marked, occupancy and average go on",
        &[("enable_ecn", Bool(false)), (KMIN, Integer(1)), (KMAX, Integer(30_000)), (W, Real(1.0))],
        &script,
        &["enable_ecn_false"],
    )
}

fn ecn_off_fecn() -> Scenario {
    let mut script = Script::default();
    let mut cycle = script.fill(2, 6, 60_000);
    for n in 0..12 {
        script.deq(cycle, 6, 100, n % 4).peek(cycle, 6);
        cycle += 17;
    }
    scenario(
        "ecn_off_fecn",
        "default",
        "EnableEcn false with FECN: nothing is marked, and congestion is not judged",
        &[("enable_ecn", Bool(false)), FECN, (BUFFER, Integer(65_536))],
        &script,
        &["enable_ecn_false"],
    )
}

/// A buffer of 65 536 B is filled in steps across the threshold and drained again.
fn threshold(threshold: u64) -> Scenario {
    const COVERS: [&[&str]; 16] = [
        &["threshold_0"],
        &["threshold_1"],
        &["threshold_2"],
        &["threshold_3"],
        &["threshold_4"],
        &["threshold_5"],
        &["threshold_6"],
        &["threshold_7"],
        &["threshold_8"],
        &["threshold_9"],
        &["threshold_10"],
        &["threshold_11"],
        &["threshold_12"],
        &["threshold_13"],
        &["threshold_14"],
        &["threshold_15"],
    ];
    let mut script = Script::default();
    let from = 65_536 * (16 - threshold) / 16;
    // A byte below, exactly there, and a byte below again; then full, for Threshold 0.
    let mut cycle = script.fill(2, 12, from - 1);
    script.deq(cycle, 12, 0, 0).enq(cycle, 12, 1).deq(cycle + 1, 12, 1, 0);
    script.deq(cycle + 2, 12, 0, 0).deq(cycle + 3, 12, 0, 2);
    cycle = script.fill(cycle + 4, 12, 65_536 - from + 1);
    script.deq(cycle, 12, 64, 0).deq(cycle + 1, 12, 64, 2).peek(cycle + 1, 12);
    scenario(
        &format!("threshold_{threshold}"),
        "default",
        "a queue one byte below the threshold, at it, and full",
        &[FECN, (BUFFER, Integer(65_536)), (THRESHOLD, Integer(threshold))],
        &script,
        COVERS[threshold as usize],
    )
}

fn hysteresis() -> Scenario {
    let mut script = Script::default();
    // Threshold 32 768 B, end below 24 576 B.
    let mut cycle = script.fill(2, 8, 32_768);
    for round in 0..3u64 {
        script.deq(cycle, 8, 8_191, 0);
        script.deq(cycle + 1, 8, 1, 0).deq(cycle + 2, 8, 0, 0).deq(cycle + 3, 8, 1, 0);
        // One byte below the end: no longer congested, though packets still had to pass. The second
        // round looks at it while it still is.
        script.deq(cycle + 4, 8, 0, 0).enq(cycle + 5, 8, 8_000);
        script.peek(cycle + [4, 2, 4][round as usize], 8);
        script.deq(cycle + 6, 8, 0, 0).enq(cycle + 7, 8, 193).deq(cycle + 8, 8, 0, 0);
        cycle += 12 + 5 * round;
    }
    scenario(
        "hysteresis",
        "default",
        "congestion begins at the threshold, goes on below it and ends below threshold - hysteresis; MarkingRate begins anew",
        &[FECN, (BUFFER, Integer(65_536)), ("hysteresis", Integer(8_192)), (RATE, Integer(6))],
        &script,
        &["hysteresis_up", "hysteresis_held", "hysteresis_down", "marking_rate_across_end"],
    )
}

fn packet_size() -> Scenario {
    let mut script = Script::default();
    let mut cycle = script.fill(2, 20, 60_000);
    for n in 0..10u64 {
        // 2 x 64 B: 128 are eligible, 127 are not.
        script.deq(cycle, 20, [128, 127, 64, 129][n as usize % 4], 0);
        cycle += 1 + n % 2;
    }
    script.peek(cycle, 20);
    scenario(
        "packet_size",
        "default",
        "packets of exactly PacketSize and one byte below it",
        &[FECN, (BUFFER, Integer(65_536)), ("packet_size", Integer(2)), (RATE, Integer(1))],
        &script,
        &["packet_size_exactly", "packet_size_below"],
    )
}

fn victims(name: &'static str, marking: bool, covers: &'static [&'static str]) -> Scenario {
    let mut script = Script::default();
    let mut cycle = script.fill(2, 21, 60_000);
    for n in 0..16u64 {
        if n % 3 == 0 {
            script.deq(cycle, 21, 64, n % 4);
        } else {
            script.victim(cycle, 21, 64, n % 4);
        }
        cycle += 1;
    }
    script.peek(cycle, 21);
    scenario(
        name,
        "default",
        "packets of a port without credits, with VictimMarking or without",
        &[FECN, (BUFFER, Integer(65_536)), ("victim_marking", Bool(marking)), (RATE, Integer(1))],
        &script,
        covers,
    )
}

/// The page's MarkingRate 3: every fourth of 1 000 eligible packets.
fn every_fourth() -> Scenario {
    let mut script = Script::default();
    let mut cycle = script.fill(2, 30, 66_000);
    for n in 0..1_000u64 {
        // Packets that already carry FECN in between do not count.
        script.deq(cycle, 30, 1, [0, 2][n as usize % 2]);
        if n % 10 == 3 {
            cycle += 1;
            script.deq(cycle, 30, 1, [1, 3][(n / 10) as usize % 2]);
        }
        cycle += 1;
    }
    script.peek(cycle, 30);
    scenario(
        "every_fourth",
        "default",
        "MarkingRate 3 over 1 000 eligible packets of a congested VL: 250 marks",
        &[FECN, (BUFFER, Integer(65_536)), (RATE, Integer(3))],
        &script,
        &["already_marked"],
    )
}

/// Two queues count for themselves, and all sixteen bits of the count are used.
fn largest_marking_rate() -> Scenario {
    let mut script = Script::default();
    let cycle = script.fill(2, 30, 40_000);
    let cycle = script.fill(cycle, 31, 40_000);
    for n in 0..20u64 {
        script.deq(cycle + n, 30 + n % 2, 1, 0);
    }
    script.peek(cycle + 20, 30);
    scenario(
        "largest_marking_rate",
        "default",
        "MarkingRate 65 535: one mark, and the rest passes",
        &[FECN, (BUFFER, Integer(65_536)), (RATE, Integer(65_535))],
        &script,
        &[],
    )
}

/// Many decisions in the band of two queues in turn: one generator for both.
fn decisions(
    name: &str,
    doc: &'static str,
    changes: &[Change],
    covers: &'static [&'static str],
) -> Scenario {
    let mut script = Script::default();
    let cycle = script.fill(2, 40, 40_000);
    let cycle = script.fill(cycle, 41, 30_000);
    for n in 0..300u64 {
        script.deq(
            cycle + n,
            40 + (n / 3) % 2,
            60,
            [ECT0, ECT1, ECT0, CE, NOT_ECT][n as usize % 5],
        );
        if n % 50 == 20 {
            script.peek(cycle + n, 40);
        }
    }
    let all =
        [&[(KMIN, Integer(10_000)), (KMAX, Integer(60_000)), (W, Real(0.6))], changes].concat();
    scenario(name, "default", doc, &all, &script, covers)
}

fn lfsr_seed() -> Scenario {
    decisions(
        "lfsr_seed",
        "LfsrSeed other than 1: two queues draw from one generator in the order of their packets",
        &[("lfsr_seed", Integer(0x8000_0001)), (P, Real(0.7))],
        &["lfsr_seed_other"],
    )
}

fn diffusion() -> Scenario {
    decisions(
        "diffusion",
        "marks by diffusion: each queue accumulates its own probability, the LFSR stands",
        &[("random_mode", Name("diffusion")), (P, Real(0.7))],
        &["diffusion"],
    )
}

fn out_of_range() -> Scenario {
    let mut script = Script::default();
    // Queues with the low bits of queues of the table must not touch them.
    script.enq(2, 5, 3_000).enq(4, 5 + 64, 9_216).deq(6, 5 + 64, 64, ECT0).peek(6, 5);
    script.deq(8, 5 + 512, 9_216, ECT0).enq(8, 5 + 128, 1).deq(9, 5, 64, ECT0);
    for n in 0..8u64 {
        script.enq(30 + n, 64 << (n % 4), 100).deq(30 + n, 1023 - n, 100, ECT1);
    }
    // Refusals of three channels that are answered, and counted, in one cycle.
    for n in 0..12u64 {
        script.peek(60 + 20 * n, 64 + n);
        script.deq(60 + 20 * n + n % 6, 100, 5, CE).enq(60 + 20 * n + n % 6, 200, 5);
        script.deq(61 + 20 * n + n % 6, 5, 10_000, ECT0);
    }
    scenario(
        "out_of_range",
        "default",
        "queues outside the table: answered with an error, nothing else",
        &[(KMIN, Integer(1_000)), (KMAX, Integer(2_000)), (W, Real(1.0))],
        &script,
        &["queue_out_of_range"],
    )
}

fn random(name: &str, build: &'static str, leg: u64, cycles: u64) -> Scenario {
    const SEED: u64 = 7;
    let params = BLOCK.builds.iter().find(|b| b.name == build).map(|b| b.params(&BLOCK));
    let params = params.unwrap_or_else(|| panic!("no build {build}"));
    let mut played = random::leg(SEED, leg, cycles, &params);
    played.stimulus.truncate(cycles);
    Scenario {
        name: name.to_string(),
        doc: "a leg of a random run",
        build,
        covers: &[],
        seed: Some(SEED),
        leg: played,
    }
}
