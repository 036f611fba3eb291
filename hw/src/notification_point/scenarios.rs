//! The directed and random scenarios of `notification_point` that vectors are committed for.

use super::random::{self, CE, PEEK};
use crate::attributes::{AttributeSet, Value::Real};
use crate::scenario::{Leg, Scenario};
use crate::stimulus::Stimulus;
use congruent_ports::notification_point::BLOCK;

/// All of them, in the order in which they are listed.
pub fn all() -> Vec<Scenario> {
    vec![
        one_in_a_gap(),
        no_gap_of_its_own(),
        edges_of_the_gap(),
        every_qp(),
        no_gap(),
        clear_cycle(),
        shortest_gap(),
        idle_half_a_wrap(),
        wrap_in_a_gap(),
        longest_gap(),
        peek_takes_the_slot(),
        out_of_range(),
        random("random_short", "short", 0, 1_500),
        random("random_round", "short", 1, 1_500),
        random("random_default", "default", 3, 3_000),
    ]
}

/// CE packets and peeks in any order, sorted into streams at the end.
#[derive(Default)]
struct Script {
    beats: Vec<(usize, u64, u64)>,
}

impl Script {
    fn ce(&mut self, cycle: u64, qp: u64) -> &mut Self {
        self.beats.push((CE, cycle, qp));
        self
    }

    fn peek(&mut self, cycle: u64, qp: u64) -> &mut Self {
        self.beats.push((PEEK, cycle, qp));
        self
    }

    fn stimulus(&self) -> Stimulus {
        let mut beats = self.beats.clone();
        beats.sort_by_key(|(channel, cycle, _)| (*channel, *cycle));
        let mut stimulus = Stimulus::new(&BLOCK);
        for (channel, cycle, qp) in beats {
            stimulus.push(channel, cycle, &[qp]);
        }
        stimulus
    }
}

fn scenario(
    name: &str,
    build: &'static str,
    doc: &'static str,
    gap_us: f64,
    script: &Script,
    covers: &'static [&'static str],
) -> Scenario {
    let attributes =
        AttributeSet::defaults(&BLOCK).with(&[("min_time_between_cnps", Real(gap_us))]);
    let leg = Leg { attributes, stimulus: script.stimulus() };
    Scenario { name: name.to_string(), doc, build, covers, seed: None, leg }
}

fn one_in_a_gap() -> Scenario {
    let mut script = Script::default();
    for n in 0..48 {
        script.ce(2 + 97 * n, 7);
    }
    script.peek(4_700, 7);
    scenario(
        "one_in_a_gap",
        "default",
        "a stream of CE packets of one queue pair at a gap of 4 us: a CNP in 2000 cycles; time wraps in the first gap",
        4.0,
        &script,
        &["first_ce", "swallowed", "wrap_while_recent"],
    )
}

fn no_gap_of_its_own() -> Scenario {
    let mut script = Script::default();
    // A gap of 100 cycles from each CNP: at 10, 110 and 210, whatever comes between.
    for n in 0..41 {
        script.ce(10 + 5 * n, 9);
    }
    // The last of those that are swallowed does not put the next one off.
    script.ce(400, 10).ce(499, 10).ce(500, 10).ce(599, 10).ce(600, 10).peek(620, 10);
    scenario(
        "no_gap_of_its_own",
        "default",
        "a CE packet that is swallowed begins no gap: CNPs keep their distance from CNP to CNP",
        0.2,
        &script,
        &["swallowed", "gap_exactly", "gap_minus_one"],
    )
}

fn edges_of_the_gap() -> Scenario {
    let mut script = Script::default();
    // A gap of 100 cycles: one cycle early, exactly, one late before the sweep could come by.
    script.ce(10, 3).ce(109, 3).ce(110, 3);
    script.ce(300, 4).ce(400, 4);
    script.ce(500, 5).ce(601, 5);
    for n in 0..120 {
        script.ce(800 + n, 6);
    }
    script.peek(850, 6).peek(905, 6).peek(1_200, 6);
    scenario(
        "edges_of_the_gap",
        "default",
        "CE packets one cycle before the gap is over, exactly then, and after it before the sweep has come by",
        0.2,
        &script,
        &["gap_exactly", "gap_minus_one", "due_not_swept", "back_to_back_swallowed"],
    )
}

fn every_qp() -> Scenario {
    let mut script = Script::default();
    for round in 0..3 {
        for qp in 0..256 {
            script.ce(5 + 300 * round + qp, qp);
        }
    }
    for n in 0..8 {
        script.peek(1_000 + 10 * n, 37 * n);
    }
    scenario(
        "every_qp",
        "default",
        "every queue pair in turn, three times: the first round is answered, the second swallowed, the third answered",
        1.0,
        &script,
        &["every_qp_recent", "back_to_back_others", "swallowed"],
    )
}

fn no_gap() -> Scenario {
    let mut script = Script::default();
    for n in 0..40 {
        script.ce(3 + n, n / 20);
    }
    script.peek(20, 0).peek(60, 1);
    scenario(
        "no_gap",
        "short",
        "min_time_between_cnps 0: every CE packet is answered",
        0.0,
        &script,
        &["gap_zero"],
    )
}

/// Eight queue pairs are visited every eight cycles; CE packets every cycle and of all queue pairs
/// meet each visit in time.
fn clear_cycle() -> Scenario {
    let mut script = Script::default();
    for n in 0..400 {
        script.ce(2 + n, (n * 3) % 8);
    }
    for n in 0..200 {
        script.ce(500 + n, n % 8);
        if n % 23 == 0 {
            script.peek(500 + n, n % 8);
        }
    }
    scenario(
        "clear_cycle",
        "short",
        "CE packets in the cycle in which the sweep would clear their queue pair",
        0.03,
        &script,
        &["ce_in_clear_cycle"],
    )
}

fn shortest_gap() -> Scenario {
    let mut script = Script::default();
    for n in 0..60 {
        script.ce(2 + n, 1 + n / 30);
    }
    script.peek(33, 1).peek(64, 2);
    scenario(
        "shortest_gap",
        "short",
        "a gap of one cycle: back to back every packet is answered at the gap exactly",
        0.002,
        &script,
        &["gap_exactly"],
    )
}

fn idle_half_a_wrap() -> Scenario {
    let mut script = Script::default();
    script.ce(10, 2).ce(10 + 2_100, 2).peek(2_300, 2).ce(2_400, 2);
    script.ce(4_700, 2).ce(4_710, 2).peek(4_720, 2);
    scenario(
        "idle_half_a_wrap",
        "short",
        "idle for more than half a wrap of time: the last CNP is forgotten in time",
        2.0,
        &script,
        &["wrap_while_idle"],
    )
}

/// Time begins 96 cycles before its wrap.
fn wrap_in_a_gap() -> Scenario {
    let mut script = Script::default();
    // A gap of 150 cycles over the wrap, and one that begins in the first cycle after it.
    script.ce(50, 1).ce(95, 1).ce(96, 1).ce(199, 1).ce(200, 1);
    script.ce(96 + 8, 3).ce(96 + 157, 3).ce(96 + 158, 3).peek(90, 1).peek(100, 1).peek(250, 3);
    scenario(
        "wrap_in_a_gap",
        "short",
        "time wraps within a gap: packets before and after the wrap are swallowed, the one at its end answered",
        0.3,
        &script,
        &["wrap_while_recent", "gap_exactly", "gap_minus_one"],
    )
}

fn longest_gap() -> Scenario {
    let mut script = Script::default();
    // 2015 cycles: with 2 x QPS + pipeline one less than half a wrap.
    script.ce(10, 3).ce(2_024, 3).ce(2_025, 3).ce(4_039, 3).ce(4_040, 3).peek(4_060, 3);
    scenario(
        "longest_gap",
        "short",
        "the longest gap that TIME_W holds",
        4.03,
        &script,
        &["gap_exactly", "gap_minus_one"],
    )
}

fn peek_takes_the_slot() -> Scenario {
    let mut script = Script::default();
    // Eight queue pairs whose gap of 12 cycles ends while peeks take a slot in four.
    for n in 0..8 {
        script.ce(2 + n, n).ce(90 + n, n);
    }
    for n in 0..40 {
        script.peek(2 + 4 * n, n % 8);
    }
    scenario(
        "peek_takes_the_slot",
        "short",
        "peeks as often as they are taken: the sweep stands in their slots and clears later, with no effect on CE packets",
        0.024,
        &script,
        &["first_ce"],
    )
}

fn out_of_range() -> Scenario {
    let mut script = Script::default();
    script.ce(2, 5).ce(3, 5 + 256).ce(4, 4_095).ce(5, 256).peek(6, 5 + 256).peek(20, 5);
    for n in 0..16 {
        script.ce(40 + n, 255 + n % 2).peek(41 + 10 * n, 300 + n);
    }
    scenario(
        "out_of_range",
        "default",
        "queue pairs outside the table: an error each, nothing else",
        1.0,
        &script,
        &["qp_out_of_range"],
    )
}

fn random(name: &str, build: &'static str, leg: u64, cycles: u64) -> Scenario {
    const SEED: u64 = 11;
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
