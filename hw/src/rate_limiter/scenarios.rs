//! The directed and random scenarios of `rate_limiter` that vectors are committed for.
//!
//! Most run on the build `short` (8 queue pairs, a 12-bit time), where hazards and wraps come
//! within a few hundred cycles. Each names the rows of "Must be covered" that it is for.

use super::RateLimiter;
use super::core::Cause;
use super::dcqcn;
use super::model::{input, output};
use super::random::{self, CNP, PEEK, REQ};
use crate::attributes::{AttributeSet, Value};
use crate::cover::row;
use crate::scenario::{Leg, Scenario};
use crate::stimulus::Stimulus;
use crate::unit::Unit;
use Value::{Bool, Integer, Real};
use congruent_ports::ParamSet;
use congruent_ports::rate_limiter::BLOCK;

pub(super) type Change = (&'static str, Value);

const K: &str = "num_of_control_loops_per_increase";
const F: &str = "fast_recovery_attempt";
const W: &str = "congestion_probability_weight";
const FLOOR: &str = "minimum_rate_percentage";
const INTERVAL: &str = "control_interval_duration_ns";
const SLACK: &str = "pacing_slack";

/// All of them, in the order in which they are listed.
pub fn all() -> Vec<Scenario> {
    let mut all = vec![
        single_cnp_recovers(),
        permanent_cnps(),
        held_twenty_times(),
        additive_phase_raises(),
        events_meet_halves(),
        events_side_by_side(),
        target_falls_and_returns(),
        storm(),
        f_zero_k_zero(),
        f_fifteen(),
        weight("w_zero", 0.0, &["w_zero"]),
        weight("w_one", 1.0, &["w_one"]),
        floor_one(),
        shortest_odd_half(),
        pacing(),
        slack("slack_0", 0, &["beyond_slack"]),
        slack("slack_63", 63, &["within_slack"]),
        idle_past_half_a_wrap(),
        refused_events(),
        ecn_off(),
    ];
    all.extend(DATA_RATES.iter().map(data_rate));
    all.extend([
        random("random_short", "short", 7, 4_000),
        random("random_default", "default", 7, 2_500),
    ]);
    all.extend(dcqcn::scenarios::all());
    all
}

/// Attributes with a half of `half` cycles at the default 500 MHz.
fn attributes(half: u64, changes: &[Change]) -> AttributeSet {
    AttributeSet::defaults(&BLOCK).with(&[(INTERVAL, Real(half as f64 * 4.0))]).with(changes)
}

fn params(build: &str) -> ParamSet {
    let changes = BLOCK.build(build).map_or(&[][..], |b| b.params);
    ParamSet::with(&BLOCK, changes.iter().copied()).unwrap_or_else(|e| panic!("{build}: {e}"))
}

fn short(
    name: &str,
    doc: &'static str,
    attributes: AttributeSet,
    stimulus: Stimulus,
    covers: &'static [&'static str],
) -> Scenario {
    let leg = Leg { attributes, stimulus };
    Scenario { name: name.to_string(), doc, build: "short", covers, seed: None, leg }
}

/// Beats in any order of their channels and cycles; sorted into streams at the end.
#[derive(Clone, Default)]
pub(super) struct Script {
    beats: Vec<(usize, u64, Vec<u64>)>,
    cycles: u64,
}

impl Script {
    pub fn cnp(&mut self, cycle: u64, qp: u64) -> &mut Self {
        self.beats.push((CNP, cycle, vec![qp]));
        self
    }

    pub fn req(&mut self, cycle: u64, qp: u64, bytes: u64) -> &mut Self {
        self.beats.push((REQ, cycle, vec![qp, bytes]));
        self
    }

    pub fn peek(&mut self, cycle: u64, qp: u64) -> &mut Self {
        self.beats.push((PEEK, cycle, vec![qp]));
        self
    }

    pub fn until(&mut self, cycles: u64) -> &mut Self {
        self.cycles = cycles;
        self
    }

    pub fn stimulus(&self) -> Stimulus {
        let mut sorted = self.beats.clone();
        sorted.sort_by_key(|(channel, cycle, _)| (*channel, *cycle));
        let mut stimulus = Stimulus::new(&BLOCK);
        for (channel, cycle, payload) in sorted {
            stimulus.push(channel, cycle, &payload);
        }
        stimulus.cycles = stimulus.cycles.max(self.cycles);
        stimulus
    }

    /// Runs of the loop that the golden model makes of this script: cycle of the slot, queue pair,
    /// cause; and its coverage. Peeks are left out.
    fn run(&self, attributes: &AttributeSet) -> (Vec<(u64, u64, u64)>, Vec<u64>) {
        let mut script = self.clone();
        script.beats.retain(|beat| beat.0 != PEEK);
        script.run_on("short", "upd_latency", attributes)
    }

    /// The same, peeks included, on a build set whose `upd` has this latency.
    pub fn run_on(
        &self,
        build: &str,
        latency: &str,
        attributes: &AttributeSet,
    ) -> (Vec<(u64, u64, u64)>, Vec<u64>) {
        let params = params(build);
        let golden = RateLimiter.golden(attributes, &params);
        let mut model = golden.unwrap_or_else(|e| panic!("{e}"));
        let layout = congruent_ports::Layout::new(&BLOCK, &params);
        let mut outputs = vec![0; layout.outputs.len()];
        let mut slots = vec![];
        let latency = BLOCK.cycles(latency);
        let last = self.beats.iter().map(|b| b.1 + 1).max().unwrap_or(0).max(self.cycles);
        let mut peeks: Vec<_> = self.beats.iter().filter(|b| b.0 == PEEK).collect();
        peeks.sort_by_key(|(_, cycle, _)| std::cmp::Reverse(*cycle));
        for cycle in 0..last + latency {
            let mut row = [0; 7];
            for (channel, _, payload) in self.beats.iter().filter(|b| b.1 == cycle) {
                let at = [input::CNP_VALID, input::REQ_VALID, input::PEEK_VALID][*channel];
                if *channel != PEEK {
                    row[at] = 1;
                    row[at + 1..at + 1 + payload.len()].copy_from_slice(payload);
                }
            }
            // A peek is offered until it is taken.
            if let Some((_, _, payload)) = peeks.last().filter(|(_, from, _)| *from <= cycle) {
                row[input::PEEK_VALID] = 1;
                row[input::PEEK_QP] = payload[0];
            }
            model.step(&row, &mut outputs);
            if row[input::PEEK_VALID] == 1 && outputs[output::PEEK_READY] == 1 {
                peeks.pop();
            }
            if outputs[output::UPD] == 1 {
                let (qp, cause) = (outputs[output::UPD + 1], outputs[output::UPD + 2]);
                slots.push((cycle - latency, qp, cause));
            }
        }
        (slots, model.cover().counts().to_vec())
    }
}

fn single_cnp_recovers() -> Scenario {
    let mut script = Script::default();
    script.cnp(10, 3);
    for n in 0..70 {
        script.req(12 + 60 * n, 3, 4154);
    }
    for n in 0..10 {
        script.peek(100 + 400 * n, 3);
    }
    // At line rate again: behind the packet asked for in cycle 4 092.
    script.peek(4_100, 3);
    short(
        "single_cnp_recovers",
        "one CNP, then silence: 300 Gbps, ten increases, the end; packets asked for all along",
        attributes(200, &[]),
        script.until(4_300).stimulus(),
        &["wrap_while_due"],
    )
}

fn permanent_cnps() -> Scenario {
    let mut script = Script::default();
    for n in 0..110 {
        script.cnp(5 + 41 * n, 2);
    }
    for n in 0..60 {
        script.req(2_400 + 33 * n, 2, 9216);
    }
    short(
        "permanent_cnps",
        "CNPs in every half: down to the floor, and an increase only every sixth increase half",
        attributes(150, &[]),
        script.until(4_700).stimulus(),
        &["floor_reached", "k_reached", "packets_zero_with_cnps", "cnps_above_packets"],
    )
}

/// CNPs in every half, K = 20: the count goes past what four bits hold.
fn held_twenty_times() -> Scenario {
    let mut script = Script::default();
    for n in 0..66 {
        script.cnp(4 + 67 * n, 1);
    }
    for n in 0..9 {
        script.peek(400 + 450 * n, 1);
    }
    short(
        "held_twenty_times",
        "K = 20 with CNPs in every half: twenty increase halves are held, the next one increases",
        attributes(90, &[(K, Integer(20))]),
        script.until(4_450).stimulus(),
        &["k_reached"],
    )
}

fn additive_phase_raises() -> Scenario {
    let mut script = Script::default();
    for qp in [1, 6] {
        script.cnp(10 + qp, qp);
        for n in 0..6 {
            script.cnp(300 + 400 * n + qp, qp);
        }
        script.peek(1_000 + qp, qp);
    }
    short(
        "additive_phase_raises",
        "F = 1: a reduction in the additive phase raises the rate and falls back to fast recovery",
        attributes(200, &[(F, Integer(1))]),
        script.until(3_600).stimulus(),
        &["reduction_raises_rate", "recovery_below_f_and_back"],
    )
}

/// CNPs and requests in the very cycles in which the sweep runs a half of their queue pair. The
/// cycles are found by running the golden model on the script so far.
fn events_meet_halves() -> Scenario {
    let attributes = attributes(150, &[(FLOOR, Real(0.99)), (K, Integer(0))]);
    let mut script = Script::default();
    script.cnp(10, 5).until(4_400);
    let half = |script: &Script, n: usize| script.run(&attributes).0[n].0;
    let first = half(&script, 1);
    script.cnp(first, 5);
    let second = half(&script, 2);
    script.req(second, 5, 1082);
    let third = half(&script, 3);
    script.req(third, 5, 64).cnp(third, 5);
    for _ in 0..2 {
        let (slots, _) = script.run(&attributes);
        let end = slots.iter().rev().find(|(_, _, cause)| *cause == Cause::End as u64);
        if let Some((cycle, qp, _)) = end {
            // The new start waits for the next cycle's slot, and the neighbour's for the one after.
            script.cnp(*cycle, *qp).cnp(cycle + 1, 4).cnp(cycle + 2, 3);
            script.peek(*cycle, *qp);
        }
    }
    short(
        "events_meet_halves",
        "CNP and request in the cycle of their own half; a CNP in the cycle its episode ends",
        attributes,
        script.stimulus(),
        &["cnp_in_end_cycle", "cnp_in_half_cycle", "req_in_half_cycle"],
    )
}

/// Events of one queue pair in one cycle and in the next: each sees what the one before has done.
fn events_side_by_side() -> Scenario {
    let attributes = attributes(150, &[(SLACK, Integer(2))]);
    let mut script = Script::default();
    // The packet in the cycle of the start goes before it and does not count; the CNPs right behind
    // it do, and so do the packets: p = 2 / 8 in the first half.
    script.cnp(10, 3).req(10, 3, 64).cnp(11, 3).cnp(12, 3);
    for n in 11..19 {
        script.req(n, 3, 64);
    }
    script.cnp(200, 3).cnp(201, 3).cnp(202, 3);
    for n in 201..206 {
        script.req(n, 3, 64);
    }
    // Of one reduction the last packet at the old rate, of another the first at the new one; the wait
    // of the request behind it says which it was.
    script.cnp(50, 2).cnp(260, 2).until(1_500);
    let (slots, _) = script.run(&attributes);
    let reductions = slots.iter().filter(|(.., cause)| *cause == Cause::Reduction as u64);
    for (n, (cycle, qp, _)) in reductions.enumerate() {
        let asks = cycle + BLOCK.cycles("rate_delay") - 1 + n as u64 % 2;
        script.req(asks, *qp, 4154).req(asks + 1, *qp, 64);
    }
    // Peeks in the cycle of a start and of a CNP that counts, and behind a run of the loop that has
    // its slot and is not written yet.
    script.cnp(420, 6).peek(420, 6).cnp(460, 6).peek(460, 6);
    let (slots, _) = script.run(&attributes);
    for (cycle, qp, _) in slots.iter().filter(|(cycle, ..)| *cycle > 500) {
        script.peek(cycle + 3, *qp);
    }
    short(
        "events_side_by_side",
        "CNPs, requests and peeks of one queue pair in one cycle and in the next",
        attributes,
        script.stimulus(),
        &["back_to_back_granted", "within_slack"],
    )
}

/// Both ends of target and recovery count: with F = 0 seven reductions take the target to the floor,
/// and it takes more than fifteen increases to come back.
fn target_falls_and_returns() -> Scenario {
    let attributes = attributes(
        80,
        &[
            (F, Integer(0)),
            (K, Integer(255)),
            ("initial_target_rate_percentage", Real(0.25)),
            ("number_active_increase_steps", Integer(5)),
            ("data_rate", Real(1600.0)),
        ],
    );
    let mut script = Script::default();
    for n in 0..21 {
        script.cnp(10 + 53 * n, 4);
    }
    for n in 0..90 {
        script.req(15 + 47 * n, 4, 9216);
    }
    short(
        "target_falls_and_returns",
        "F = 0: the target falls to the floor, and the recovery count saturates on the way back",
        attributes,
        script.until(4_300).stimulus(),
        &["f_zero", "reduction_raises_rate"],
    )
}

/// Every queue pair congested, and a phase of the storm at which a whole round of the sweep runs
/// one half after the other; found by running the golden model.
fn storm() -> Scenario {
    let attributes = attributes(101, &[(K, Integer(1))]);
    let together = row(&BLOCK, "all_halves_due_together");
    let script = |phase: u64| {
        let mut script = Script::default();
        for again in [0, 2_000] {
            for qp in 0..8 {
                script.cnp(phase + again + qp, qp);
            }
        }
        for n in 0..400 {
            script.req(20 + 7 * n, n % 8, 1082);
        }
        script.until(4_000);
        script
    };
    let found = (0..64).map(script).find(|script| script.run(&attributes).1[together] > 0);
    short(
        "storm",
        "every queue pair congested at once, their halves due in one round of the sweep",
        attributes,
        found.unwrap_or_default().stimulus(),
        &["every_qp_congested", "all_halves_due_together"],
    )
}

fn f_zero_k_zero() -> Scenario {
    let mut script = Script::default();
    for n in 0..120 {
        script.cnp(3 + 31 * n, n % 3);
        script.req(4 + 29 * n, n % 3, 64);
    }
    short(
        "f_zero_k_zero",
        "F = 0 and K = 0: additive from the start, an increase in every increase half",
        attributes(120, &[(F, Integer(0)), (K, Integer(0))]),
        script.until(4_000).stimulus(),
        &["f_zero", "k_zero"],
    )
}

fn f_fifteen() -> Scenario {
    let mut script = Script::default();
    script.cnp(10, 7).cnp(40, 0);
    short(
        "f_fifteen",
        "F = 15: the episode ends in fast recovery",
        attributes(120, &[(F, Integer(15))]),
        script.until(2_800).stimulus(),
        &["f_fifteen"],
    )
}

fn weight(name: &'static str, weight: f64, covers: &'static [&'static str]) -> Scenario {
    let mut script = Script::default();
    for n in 0..60 {
        script.cnp(3 + 53 * n, n % 2);
        script.req(5 + 47 * n, n % 2, 4154);
        script.req(6 + 47 * n, n % 2, 64);
    }
    short(
        name,
        "an estimate that never learns (w = 0), or forgets all but the newest value (w = 1)",
        attributes(110, &[(W, Real(weight)), ("estimate_init", Real(0.25))]),
        script.until(3_600).stimulus(),
        covers,
    )
}

fn floor_one() -> Scenario {
    let mut script = Script::default();
    for n in 0..20 {
        script.cnp(3 + 170 * n, n % 5);
        script.req(40 + 170 * n, n % 5, 9216);
    }
    short(
        "floor_one",
        "floor 1.0: no reduction bites, the first increase ends the episode",
        attributes(90, &[(FLOOR, Real(1.0))]),
        script.until(3_700).stimulus(),
        &["floor_one"],
    )
}

fn shortest_odd_half() -> Scenario {
    let mut script = Script::default();
    for n in 0..50 {
        script.cnp(2 + 61 * n, n % 8);
        script.peek(9 + 61 * n, n % 8);
    }
    short(
        "shortest_odd_half",
        "an interval of 159 cycles: half of it, rounded half up, is the shortest legal half",
        AttributeSet::defaults(&BLOCK).with(&[(INTERVAL, Real(318.0))]),
        script.until(3_500).stimulus(),
        &["half_odd", "half_shortest"],
    )
}

fn pacing() -> Scenario {
    let mut script = Script::default();
    // 64 B last 0.64 cycles: two in a row go, and the third still draws on the slack.
    for n in 0..8 {
        script.req(4 + n, 0, 64);
    }
    // 9216 B last 92.16 cycles, across the wrap of the time in cycle 96; asked for in every cycle.
    for n in 0..110 {
        script.req(60 + n, 1, 9216);
    }
    // In time, within the slack of 2, and long after it.
    for (n, late) in [0, 1, 2, 3, 10, 40].into_iter().enumerate() {
        let from = 400 + 200 * n as u64;
        script.req(from, 4, 4154).req(from + 42 + late, 4, 4154).peek(from + 44, 4);
    }
    // A request in the cycle in which the sweep would forget the last next_send: the sweep passes once
    // in eight cycles, so one of these eight meets it. Its own next_send must not be forgotten.
    for n in 0..8 {
        let from = 1_460 + 25 * n;
        script.req(from, 2, 64).req(from + 3, 2, 1082).req(from + 5, 2, 64);
    }
    script.cnp(1_700, 1);
    for n in 0..40 {
        script.req(1_690 + 3 * n, 1, 1082);
    }
    short(
        "pacing",
        "back-to-back requests granted and refused, in time, within the slack and beyond it",
        attributes(200, &[(SLACK, Integer(2))]),
        script.until(2_000).stimulus(),
        &[
            "back_to_back_granted",
            "back_to_back_refused",
            "within_slack",
            "beyond_slack",
            "packet_64",
            "packet_9216",
            "wrap_while_held",
        ],
    )
}

fn slack(name: &'static str, slack: u64, covers: &'static [&'static str]) -> Scenario {
    let mut script = Script::default();
    for n in 0..30u64 {
        let gap = [42, 43, 60, 90, 104, 105, 106][n as usize % 7];
        script.req(100 * n + 5, 2, 4154).req(100 * n + 5 + gap % 95, 2, 1082);
        script.peek(100 * n + 50, 2);
    }
    short(
        name,
        "PacingSlack at an end of its range",
        attributes(200, &[(SLACK, Integer(slack))]),
        script.until(3_200).stimulus(),
        covers,
    )
}

fn idle_past_half_a_wrap() -> Scenario {
    let mut script = Script::default();
    script.req(5, 6, 4154).req(6, 5, 4154);
    // With a stale next_send these would be taken for requests before it.
    script.req(2_400, 6, 4154).req(2_405, 5, 64).req(2_406, 5, 64);
    script.peek(2_300, 6).peek(2_450, 6);
    short(
        "idle_past_half_a_wrap",
        "queue pairs idle for more than half a wrap send at once",
        attributes(200, &[]),
        script.until(2_600).stimulus(),
        &["wrap_while_idle"],
    )
}

fn refused_events() -> Scenario {
    let mut script = Script::default();
    // The refused packet must not delay the one of the queue pair with the same low bits.
    script.req(2, 12, 9216).req(4, 4, 64);
    for n in 0..8 {
        script.cnp(10 + 9 * n, 8 + n).req(11 + 9 * n, 8 + n, 64).peek(12 + 50 * n, 8 + n);
        script.req(300 + 2 * n, n, 0).req(301 + 2 * n, n, 64).req(400 + n, 8 + n, 0);
    }
    script.cnp(600, 1).peek(640, 1);
    // Three refusals that are answered, and counted, in one cycle.
    script.peek(700, 9).req(709, 10, 64).cnp(710, 11);
    short(
        "refused_events",
        "queue pairs outside the table and packets of 0 B: answered with an error, nothing else",
        attributes(200, &[]),
        script.until(900).stimulus(),
        &["qp_out_of_range", "zero_length"],
    )
}

fn ecn_off() -> Scenario {
    let mut script = Script::default();
    for n in 0..40 {
        script.cnp(10 + 17 * n, n % 8).req(12 + 17 * n, n % 8, 4154);
    }
    script.peek(800, 3);
    short(
        "ecn_off",
        "EnableECN false: CNPs are counted and ignored, packets go at line rate",
        attributes(100, &[("enable_ecn", Bool(false))]),
        script.until(900).stimulus(),
        &["enable_ecn_false"],
    )
}

/// Name, Gbps, ClockMHz, floor, build: together legal with the build's TIME_W.
type DataRate = (&'static str, f64, f64, f64, &'static str, &'static [&'static str]);

const DATA_RATES: [DataRate; 6] = [
    ("data_rate_1", 1.0, 500.0, 0.5, "default", &["data_rate_1"]),
    ("data_rate_25", 25.0, 100.0, 0.5, "short", &["data_rate_25"]),
    ("data_rate_100", 100.0, 500.0, 0.5, "short", &["data_rate_100"]),
    ("data_rate_200", 200.0, 500.0, 0.25, "short", &["data_rate_200"]),
    ("data_rate_800", 800.0, 500.0, 0.1, "short", &["data_rate_800"]),
    ("data_rate_1600", 1600.0, 500.0, 0.1, "short", &["data_rate_1600"]),
];

fn data_rate((name, gbps, clock, floor, build, covers): &DataRate) -> Scenario {
    let half = if *build == "short" { 100 } else { 600 };
    let mut script = Script::default();
    for n in 0..90 {
        if n % 30 == 0 {
            script.cnp(10 + 40 * n, 1).cnp(11 + 40 * n, 6);
        }
        script.req(14 + 40 * n, 1, 64).req(30 + 40 * n, 6, 100 + 7 * n);
    }
    let attributes = AttributeSet::defaults(&BLOCK).with(&[
        ("data_rate", Real(*gbps)),
        ("clock_mhz", Real(*clock)),
        (FLOOR, Real(*floor)),
        (INTERVAL, Real(2_000.0 * half as f64 / clock)),
    ]);
    let leg = Leg { attributes, stimulus: script.until(4_000).stimulus() };
    let doc = "two queue pairs in an episode at this line rate, packets of several sizes";
    Scenario { name: name.to_string(), doc, build, covers, seed: None, leg }
}

/// At most `cycles` long: the answers fill the files, 200 KB at the most.
pub(super) fn random(name: &str, build: &'static str, seed: u64, cycles: u64) -> Scenario {
    let mut leg = random::leg(seed, 0, 3_000, &params(build));
    leg.stimulus.truncate(cycles);
    let doc = "leg 0 of a random run";
    Scenario { name: name.to_string(), doc, build, covers: &[], seed: Some(seed), leg }
}
