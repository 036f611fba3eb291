//! The steered comparison of a DUT that shows no `upd`, and of one of which only bounds are known: the
//! golden model passes, and what no course of its sweep explains is found.

mod pins;

use congruent_hw::rate_limiter::RateLimiter;
use congruent_hw::rate_limiter::model::output;
use congruent_hw::rules::{Rule, Rules};
use congruent_hw::scenario::Leg;
use congruent_hw::steered::{Due, Fault};
use congruent_hw::unit::{DutTiming, Unit};
use congruent_ports::ParamSet;
use congruent_ports::rate_limiter::BLOCK;
use pins::Row;

fn params() -> ParamSet {
    BLOCK.build("short").expect("built in").params(&BLOCK)
}

fn legs() -> Vec<Leg> {
    (0..6).map(|n| RateLimiter.leg(5, n, 6_000, &params())).collect()
}

fn rows(leg: &Leg) -> Vec<Row> {
    pins::rows(&RateLimiter, leg, &params(), 60)
}

/// A DUT whose upd is not there.
fn unseen() -> DutTiming {
    let mut rules = Rules::none();
    for word in output::UPD..output::PEEKED {
        *rules.at(word) = Rule::ignore();
    }
    DutTiming::of(&BLOCK).with_rules(rules)
}

fn blind(mut rows: Vec<Row>) -> Vec<Row> {
    rows.iter_mut().for_each(|(_, out)| out[output::UPD..output::PEEKED].fill(0));
    rows
}

fn play(leg: &Leg, rows: &[Row], timing: &DutTiming) -> Result<(), Box<Fault>> {
    RateLimiter.steerable(&params(), timing).expect("can be followed");
    let mut steered = RateLimiter.steered(&leg.attributes, &params(), timing).expect("legal");
    rows.iter().try_for_each(|(inputs, outputs)| steered.step(inputs, outputs))?;
    steered.finish()
}

#[test]
fn the_golden_model_is_explained_without_its_upd() {
    for leg in legs() {
        play(&leg, &blind(rows(&leg)), &unseen()).unwrap_or_else(|f| panic!("{f:?}"));
    }
}

/// Answers that come within a bound, each channel at another pace.
#[test]
fn bounds_let_answers_come_earlier() {
    let mut timing = unseen();
    for (name, cycles) in [("rsp_latency", 20), ("peek_latency", 20), ("err_latency", 9)] {
        assert!(timing.set(name, Due::Within(cycles)));
    }
    for leg in &legs()[..4] {
        let late = pins::later(&RateLimiter, &params(), &blind(rows(leg)), &[9, 0, 4, 2]);
        play(leg, &late, &timing).unwrap_or_else(|f| panic!("{f:?}"));
        // With upd to be seen as well.
        let mut seen = timing.with_rules(Rules::none());
        assert!(seen.set("rsp_latency", Due::Within(20)));
        let late = pins::later(&RateLimiter, &params(), &rows(leg), &[9, 0, 4, 2]);
        play(leg, &late, &seen).unwrap_or_else(|f| panic!("{f:?}"));
        let late = pins::later(&RateLimiter, &params(), &blind(rows(leg)), &[15, 0, 4, 2]);
        let fault = play(leg, &late, &timing).expect_err("21 cycles are too many");
        assert!(
            fault.message.contains("at most 20") || fault.message.contains("no answer"),
            "{fault:?}"
        );
    }
}

/// Each is found although nobody sees the loop. A plant says whether the leg has a place for it.
#[test]
fn what_no_course_explains_is_found() {
    type Plant = fn(&mut [Row]) -> Option<()>;
    fn beats(rows: &mut [Row], valid: usize) -> impl Iterator<Item = &mut Vec<u64>> {
        rows.iter_mut().map(|(_, out)| out).filter(move |out| out[valid] == 1)
    }
    let plants: [(&str, Plant); 6] = [
        ("a wait that is one too long", |rows| {
            let refused = |out: &&mut Vec<u64>| out[output::RSP + 2..output::RSP + 5] != [1, 0, 0];
            let rsp = beats(rows, output::RSP).filter(refused).nth(30)?;
            (rsp[output::RSP + 4] == 0).then(|| rsp[output::RSP + 3] += 1)
        }),
        ("a grant in place of a wait", |rows| {
            let refused =
                |out: &&mut Vec<u64>| out[output::RSP + 3] > 100 && out[output::RSP + 4] == 0;
            let rsp = beats(rows, output::RSP).filter(refused).nth(3)?;
            (rsp[output::RSP + 2], rsp[output::RSP + 3]) = (1, 0);
            Some(())
        }),
        ("a rate that no half makes", |rows| {
            let in_episode = |out: &&mut Vec<u64>| out[output::PEEKED + 2] == 1;
            beats(rows, output::PEEKED).filter(in_episode).nth(5)?[output::PEEKED + 3] ^= 8;
            Some(())
        }),
        ("a CNP that is not counted", |rows| {
            let counted = |out: &&mut Vec<u64>| out[output::PEEKED + 10] > 1;
            beats(rows, output::PEEKED).filter(counted).nth(2)?[output::PEEKED + 10] -= 1;
            Some(())
        }),
        ("an answer that does not come", |rows| {
            beats(rows, output::RSP).nth(50)?[output::RSP] = 0;
            Some(())
        }),
        ("a counter", |rows| {
            rows.last_mut()?.1[output::STAT_CNPS] += 1;
            Some(())
        }),
    ];
    for (name, plant) in plants {
        let found = legs().iter().find_map(|leg| {
            let mut rows = blind(rows(leg));
            plant(&mut rows)?;
            play(leg, &rows, &unseen()).err()
        });
        let fault = found.unwrap_or_else(|| panic!("{name}: not found"));
        println!("{name}: cycle {}: {}", fault.cycle, fault.message);
    }
}

#[test]
fn what_cannot_be_followed_is_said() {
    let mut timing = DutTiming::of(&BLOCK);
    assert!(timing.set("upd_latency", Due::Within(20)));
    let why = RateLimiter.steerable(&params(), &timing).expect_err("a bound");
    assert!(why.starts_with("upd_latency says in which cycle"), "{why}");
    let dcqcn = BLOCK.build("dcqcn_short").expect("built in").params(&BLOCK);
    let why = RateLimiter.steerable(&dcqcn, &unseen()).expect_err("no upd");
    assert!(why.contains("DCQCN = 1"), "{why}");
}
