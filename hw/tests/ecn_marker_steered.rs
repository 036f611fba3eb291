//! The steered comparison of `ecn_marker`, and with it that of every block that answers in order:
//! the golden model with other latencies passes, and each way of being wrong is found and named.

mod pins;

use congruent_hw::attributes::AttributeSet;
use congruent_hw::ecn_marker::model::output;
use congruent_hw::ecn_marker::{EcnMarker, random};
use congruent_hw::rules::{Format, Relation, Rounding, Rule, Rules, Tolerance};
use congruent_hw::scenario::Leg;
use congruent_hw::steered::{Due, Fault, Steered};
use congruent_hw::unit::{DutTiming, Unit};
use congruent_ports::ParamSet;
use congruent_ports::ecn_marker::BLOCK;
use num_rational::Ratio;
use pins::Row;

const CHANNELS: [(usize, usize); 3] = [(output::MARK, 5), (output::AVG, 5), (output::PEEKED, 11)];

fn params() -> ParamSet {
    BLOCK.build("default").expect("built in").params(&BLOCK)
}

/// The golden model's rows of a leg, each output channel later by so many cycles.
fn rows(leg: &Leg, later: [usize; 3]) -> Vec<Row> {
    let rows = pins::rows(&EcnMarker, leg, &params(), 40);
    pins::later(&EcnMarker, &params(), &rows, &later)
}

fn play(leg: &Leg, rows: &[Row], later: [usize; 3]) -> Result<u64, Box<Fault>> {
    let mut timing = DutTiming::of(&BLOCK);
    for (name, later) in ["mark_latency", "avg_latency", "peek_latency"].into_iter().zip(later) {
        assert!(timing.set(name, Due::After(BLOCK.cycles(name) + later as u64)));
    }
    let mut steered: Box<dyn Steered> =
        EcnMarker.steered(&leg.attributes, &params(), &timing).expect("legal");
    let mut answers = 0;
    for (inputs, outputs) in rows {
        steered.step(inputs, outputs)?;
        answers += CHANNELS.iter().filter(|(first, _)| outputs[*first] != 0).count() as u64;
    }
    steered.finish()?;
    Ok(answers)
}

/// A red leg and a fecn leg.
fn legs() -> [Leg; 2] {
    [0, 1].map(|n| random::leg(4, n, 3_000, &params()))
}

#[test]
fn other_latencies_are_congruent() {
    for leg in legs() {
        for later in [[0, 0, 0], [3, 0, 9], [1, 7, 2]] {
            let answers = play(&leg, &rows(&leg, later), later).unwrap_or_else(|f| panic!("{f:?}"));
            assert!(answers > 2_000, "{answers} answers");
        }
    }
}

/// Plants something into the rows of a leg from cycle 500 on; the fault that is found.
fn plant(change: impl Fn(&mut Row) -> bool) -> Box<Fault> {
    let [leg, _] = legs();
    let mut rows = rows(&leg, [0; 3]);
    let planted = rows.iter_mut().skip(500).any(change);
    assert!(planted, "nothing to plant it into");
    play(&leg, &rows, [0; 3]).expect_err("not found")
}

#[test]
fn a_wrong_value_is_found_with_its_field() {
    let fault = plant(|(_, outputs)| {
        outputs[output::AVG + 3] ^= 1;
        outputs[output::AVG] != 0 && outputs[output::AVG + 4] == 0
    });
    let (expected, got) = (fault.expected.expect("a value"), fault.got.expect("a value"));
    assert_eq!((fault.channel, fault.field, expected ^ got), (1, Some(2), 1), "{fault:?}");
    assert!(fault.context.is_some());
}

#[test]
fn a_missing_answer_is_found_when_it_is_due() {
    let fault = plant(|(_, outputs)| std::mem::take(&mut outputs[output::MARK]) != 0);
    assert_eq!(fault.channel, 0);
    assert!(fault.message.contains("no answer to the event of cycle"), "{fault:?}");
    assert!(fault.cycle < 510, "{fault:?}");
}

#[test]
fn an_answer_to_no_event_is_found() {
    let fault = plant(|(_, outputs)| std::mem::replace(&mut outputs[output::PEEKED], 1) == 0);
    assert_eq!(fault.channel, 2);
    assert!(fault.message.contains("no event") || fault.message.contains("latency"), "{fault:?}");
}

#[test]
fn a_latency_that_is_not_the_documented_one_is_found() {
    let [leg, _] = legs();
    let fault = play(&leg, &rows(&leg, [0, 1, 0]), [0; 3]).expect_err("late");
    assert_eq!(fault.channel, 1);
    let fault = play(&leg, &rows(&leg, [0; 3]), [0, 1, 0]).expect_err("early");
    assert!(fault.message.contains("its latency is"), "{fault:?}");
}

#[test]
fn a_counter_that_is_wrong_at_the_end_is_found() {
    let [leg, _] = legs();
    let mut rows = rows(&leg, [0; 3]);
    let last = rows.last_mut().expect("rows");
    last.1[output::STAT_RANGE] += 1;
    let fault = play(&leg, &rows, [0; 3]).expect_err("not found");
    assert!(fault.message.contains("stat_range"), "{fault:?}");
}

/// The payload of a refused event is masked; its queue and its error are not.
#[test]
fn masks_of_refused_events() {
    let beat = |outputs: &[u64]| outputs[output::AVG] != 0 && outputs[output::AVG + 4] != 0;
    let masked = |word: usize| {
        let [leg, _] = legs();
        let mut rows = rows(&leg, [0; 3]);
        let row = rows.iter_mut().find(|(_, outputs)| beat(outputs)).expect("a refused event");
        row.1[output::AVG + word] ^= 1;
        play(&leg, &rows, [0; 3]).is_ok()
    };
    assert_eq!([1, 2, 3, 4].map(masked), [false, true, true, false]);
}

#[test]
fn the_state_after_a_run_is_what_peeks_show() {
    let params = params();
    let attributes = AttributeSet::defaults(&BLOCK);
    let steered = EcnMarker.steered(&attributes, &params, &DutTiming::of(&BLOCK)).expect("legal");
    let state = steered.state(63).expect("in the table");
    // Fields of peeked: the queue, then everything 0, the LFSR at its seed of 1, no error.
    assert_eq!(state, [63, 0, 0, 0, 0, 0, 0, 0, 1, 0]);
    assert_eq!(steered.state(64), None);
}

/// A tolerance lets a field be off, and no further; a relation asks for their word in place of ours;
/// what is ignored may be anything. A level too.
#[test]
fn rules_say_what_may_differ() {
    let [leg, _] = legs();
    let sound = rows(&leg, [0; 3]);
    let average = output::AVG + 3;
    let play = |rules: &Rules, change: &dyn Fn(&mut Vec<u64>)| {
        let mut rows = sound.clone();
        rows.iter_mut().for_each(|(_, outputs)| change(outputs));
        let timing = DutTiming::of(&BLOCK).with_rules(rules.clone());
        let mut steered = EcnMarker.steered(&leg.attributes, &params(), &timing).expect("legal");
        rows.iter().try_for_each(|(inputs, outputs)| steered.step(inputs, outputs))?;
        steered.finish()
    };
    let off_by = |lsb: u64| move |outputs: &mut Vec<u64>| outputs[average] += lsb;
    let mut two = Rules::none();
    two.at(average).tolerance = Some(Tolerance::Lsb(2));
    assert!(play(&Rules::none(), &off_by(1)).is_err());
    assert!(play(&two, &off_by(2)).is_ok());
    let fault = play(&two, &off_by(3)).expect_err("three are too many");
    assert_eq!((fault.channel, fault.field), (1, Some(2)), "{fault:?}");
    let (one, over) = (Ratio::new(1, 1), Ratio::new(1, 16));
    let relation = |scale| {
        let format = Format { width: 64, signed: false };
        Relation::new(scale, Ratio::new(5, 1), Rounding::Floor, format).expect("a relation")
    };
    let sixteenths = |outputs: &mut Vec<u64>| outputs[average] = outputs[average] / 16 + 5;
    let mut theirs = Rules::none();
    theirs.at(average).relation = Some(relation(over));
    assert!(play(&theirs, &sixteenths).is_ok());
    theirs.at(average).relation = Some(relation(one));
    assert!(play(&theirs, &sixteenths).is_err());
    let mut ignored = Rules::none();
    *ignored.at(average) = Rule::ignore();
    assert!(play(&ignored, &off_by(99)).is_ok());
    let counter = |outputs: &mut Vec<u64>| outputs[output::STAT_RANGE] += 7;
    assert!(play(&ignored, &counter).is_err());
    *ignored.at(output::STAT_RANGE) = Rule::ignore();
    assert!(play(&ignored, &counter).is_ok());
}
