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
        edges_of_the_gap(),
        every_qp(),
        no_gap(),
        clear_cycle(),
        shortest_gap(),
        idle_half_a_wrap(),
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
    for n in 0..200 {
        script.ce(2 + 131 * n, 7);
    }
    script.peek(20_000, 7);
    scenario(
        "one_in_a_gap",
        "default",
        "a stream of CE packets of one queue pair at the default gap of 50 us: a CNP in 25 000 cycles; time wraps in the first gap",
        50.0,
        &script,
        &["first_ce", "swallowed", "wrap_while_recent"],
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
        &["ce_in_clear_cycle", "gap_exactly"],
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
    script.ce(10, 2).ce(10 + 2_100, 2).ce(2_400, 2).peek(2_300, 2).ce(8_300, 2).ce(8_310, 2);
    scenario(
        "idle_half_a_wrap",
        "short",
        "idle for more than half a wrap of time: the last CNP is forgotten in time",
        2.0,
        &script,
        &["wrap_while_idle"],
    )
}

fn out_of_range() -> Scenario {
    let mut script = Script::default();
    script.ce(2, 5).ce(3, 5 + 256).ce(4, 4_095).ce(5, 256).peek(6, 5 + 256).peek(20, 5);
    for n in 0..16 {
        script.ce(40 + n, 255 + n % 2).peek(40 + 10 * n, 300 + n);
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
