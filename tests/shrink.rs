//! Shrinking, on the toy block: for each fault that is planted in its RTL the smallest stimulus is
//! known by hand.

#[path = "toy/mod.rs"]
mod block;

use block::program::program;
use block::{HEAD, TOY, Toy, layout};
use congruent::check::Compare;
use congruent::compare::Rules;
use congruent::dut::{Child, ChildOptions, Dut, Start};
use congruent::finding::Signature;
use congruent::shrink::{self, Event, Input, Limits, Shape, Shrunk, Stage, Stop, Trial};
use congruent::vectors::{self, About};
use congruent_hw::attributes::AttributeSet;
use congruent_hw::scenario::Leg;
use congruent_hw::stimulus::Stimulus;
use congruent_hw::unit::{DutTiming, Unit};
use congruent_ports::ParamSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Cycles of the legs that are shrunk.
const LEG: u64 = 2_000;

const HEADS: Input = Input::Channel(HEAD);
const GO: Input = Input::Control(0);

fn dut(bug: u32) -> congruent::Result<Box<dyn Dut>> {
    let program = program().expect("only asked for where there is one");
    let options = ChildOptions { plusargs: vec![format!("+bug={bug}")], ..Default::default() };
    Ok(Box::new(Child::start(program, layout(), Start::Random(1), &options)?))
}

/// Runs `with` on a stage whose DUT has a bug.
fn on<R>(bug: u32, compare: Compare, with: impl FnOnce(&Stage<'_>) -> R) -> R {
    let (layout, make, rules) = (layout(), || dut(bug), Rules::none());
    with(&Stage { unit: &Toy, layout: &layout, make: &make, compare: &compare, rules: &rules })
}

const NO_LIMITS: Limits<'static> =
    Limits { tries: 100_000, time: None, interrupted: &|| false, progress: &|_, _| () };

/// What a leg shows first.
fn shown(stage: &Stage<'_>, leg: &Leg) -> Signature {
    let shown = Trial::new(stage, true).run(leg).unwrap_or_else(|e| panic!("{e}"));
    shown.expect("the bug shows").0
}

fn shrunk(stage: &Stage<'_>, leg: &Leg, signature: &Signature, limits: Limits<'_>) -> Shrunk {
    let shrunk = shrink::shrink(stage, leg, signature, limits).unwrap_or_else(|e| panic!("{e}"));
    shrunk.expect("the leg shows it")
}

fn random(n: u64) -> Leg {
    Toy.leg(1, n, LEG, &ParamSet::defaults(&TOY))
}

fn events(leg: &Leg) -> Vec<(u64, Input, Vec<u64>)> {
    let event = |Event { at, input, words }| (at, input, words);
    Shape::of(leg).events.into_iter().map(event).collect()
}

fn defaults(leg: &Leg) -> bool {
    leg.attributes.iter().zip(AttributeSet::defaults(&TOY).iter()).all(|(own, is)| own.1 == is.1)
}

/// The smallest stimulus that each fault takes, as it follows from `toy.sv`: a packet shows at `sent` two
/// cycles after its head, if nothing keeps it.
#[test]
fn each_fault_comes_down_to_what_it_takes() {
    if program().is_none() {
        return;
    }
    type Events = &'static [(u64, Input, &'static [u64])];
    let expected: &[(u32, &str, u64, Events)] = &[
        // The control says stop, and a packet goes.
        (2, "sent_valid: extra", 3, &[(0, HEADS, &[0, 0, 0]), (0, GO, &[0])]),
        // A packet without length, and a key to lose.
        (4, "sent_key: value", 3, &[(0, HEADS, &[0, 1, 0])]),
        // Two packets in cycles that follow each other; the second one must have a length to be
        // compared, and the first one's queue is not free yet.
        (6, "sent_bytes: value", 4, &[(0, HEADS, &[0, 0, 0]), (1, HEADS, &[1, 0, 1])]),
    ];
    for (bug, signature, cycles, smallest) in expected {
        on(*bug, Compare::Exact, |stage| {
            for n in 0..2 {
                let leg = random(n);
                let first = shown(stage, &leg);
                assert_eq!(first.to_string(), *signature, "bug {bug}, leg {n}");
                let small = shrunk(stage, &leg, &first, NO_LIMITS);
                println!("bug {bug}, leg {n}: {}", small.sentence());
                let found = events(&small.leg);
                let found: Vec<_> = found.iter().map(|(at, i, w)| (*at, *i, &w[..])).collect();
                assert_eq!(found, *smallest, "bug {bug}, leg {n}");
                assert_eq!((small.after.cycles, small.stop), (*cycles, Stop::Smallest));
                assert!(defaults(&small.leg));
                assert_eq!(shown(stage, &small.leg), first);
            }
        });
    }
}

/// Of two faults in one stimulus the one that is asked for stays, though the other one is smaller or
/// would show first.
#[test]
fn the_fault_that_is_asked_for_stays() {
    if program().is_none() {
        return;
    }
    // Bug 7 is 2 and 4: in cycle 2 a key is lost, in cycle 12 a packet goes that should not.
    let mut stimulus = Stimulus::new(&TOY);
    for (cycle, head) in [(0, [2, 33, 0]), (10, [1, 4, 2])] {
        stimulus.push(HEAD, cycle, &head);
    }
    stimulus.control(0, 5, 0);
    stimulus.cycles = 40;
    let whole = Leg { attributes: AttributeSet::defaults(&TOY), stimulus };
    let mut late = Shape::of(&whole);
    late.events.remove(0);
    on(7, Compare::Exact, |stage| {
        let (first, second) = (shown(stage, &whole), shown(stage, &late.leg()));
        assert_eq!(first.to_string(), "sent_key: value");
        assert_eq!(second.to_string(), "sent_valid: extra");
        let key = shrunk(stage, &whole, &first, NO_LIMITS);
        assert_eq!(events(&key.leg), [(0, HEADS, vec![0, 1, 0])]);
        // Shrinking does not slip into the other one: where that shows first, it is not the same.
        assert!(shrink::shrink(stage, &whole, &second, NO_LIMITS).expect("runs").is_none());
        let valid = shrunk(stage, &late.leg(), &second, NO_LIMITS);
        assert_eq!(events(&valid.leg), [(0, HEADS, vec![0, 0, 0]), (0, GO, vec![0])]);
    });
}

/// The end of a DUT is shrunk like a difference; a fresh DUT is made after each.
#[test]
fn an_end_is_shrunk_too() {
    if program().is_none() {
        return;
    }
    // Bug 8: $fatal where a packet of 3 bytes is sent while another one waits.
    on(8, Compare::Exact, |stage| {
        let (leg, end) = (0..8)
            .find_map(|n| {
                let leg = random(n);
                let shown = Trial::new(stage, true).run(&leg).unwrap_or_else(|e| panic!("{e}"));
                Some((leg, shown?.0))
            })
            .expect("one of them ends");
        assert!(end.to_string().starts_with("ended: fatal, toy.sv:"), "{end}");
        let small = shrunk(stage, &leg, &end, NO_LIMITS);
        println!("{}", small.sentence());
        // Both must wait in one cycle, with the control low before it; the one of 3 bytes goes.
        assert_eq!((small.after.beats, small.after.changes), (2, 2), "{:?}", events(&small.leg));
        let bytes: Vec<_> =
            events(&small.leg).iter().filter(|e| e.1 == HEADS).map(|e| e.2[2]).collect();
        assert!(bytes.contains(&3) && bytes.contains(&0), "{bytes:?}");
    });
}

/// A steered run is shrunk as it is played again: recorded, then offered to the DUT.
#[test]
fn a_steered_run_is_shrunk_too() {
    if program().is_none() {
        return;
    }
    on(4, Compare::Steered(DutTiming::of(&TOY)), |stage| {
        let leg = random(0);
        let first = shown(stage, &leg);
        let small = shrunk(stage, &leg, &first, NO_LIMITS);
        println!("{}", small.sentence());
        assert_eq!(events(&small.leg), [(0, HEADS, vec![0, 1, 0])]);
        assert_eq!(small.after.cycles, 1);
    });
}

/// Twice the same bytes, no stimulus tried twice, and a budget that is kept to.
#[test]
fn it_is_deterministic_and_keeps_to_its_limits() {
    if program().is_none() {
        return;
    }
    on(6, Compare::Exact, |stage| {
        let leg = random(1);
        let first = shown(stage, &leg);
        let texts = || {
            let small = shrunk(stage, &leg, &first, NO_LIMITS);
            let case = stage.case(About::new("small", small.sentence()), &small.leg);
            let texts = case.and_then(|case| vectors::encode(&case));
            (small.tries, texts.unwrap_or_else(|e| panic!("{e}")))
        };
        let (tries, once) = texts();
        assert_eq!((tries, once), texts());
        let whole = Shape::of(&leg).size();
        let of = |limits| shrunk(stage, &leg, &first, limits);
        let few = of(Limits { tries: 5, ..NO_LIMITS });
        assert_eq!((few.tries, few.stop), (5, Stop::Tries));
        assert!(few.after.cycles <= whole.cycles && few.before == whole);
        assert_eq!(shown(stage, &few.leg), first, "the best so far still shows it");
        let none = of(Limits { time: Some(Duration::ZERO), ..NO_LIMITS });
        assert_eq!(none.stop, Stop::Time);
        // Ctrl-C after a while.
        let asked = AtomicU64::new(0);
        let interrupted = || asked.fetch_add(1, Ordering::Relaxed) > 8;
        let some = of(Limits { interrupted: &interrupted, ..NO_LIMITS });
        assert_eq!(some.stop, Stop::Interrupted);
        assert!(some.tries < tries);
        assert_eq!(shown(stage, &some.leg), first);
    });
}
