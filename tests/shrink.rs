//! Shrinking, on the toy block: for each fault that is planted in its RTL the smallest stimulus is
//! known by hand.

#[path = "toy/mod.rs"]
mod block;

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
use congruent_verilate::{Build, Cache, Kind, Profile, Tools};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Cycles of the legs that are shrunk.
const LEG: u64 = 2_000;

const HEADS: Input = Input::Channel(HEAD);
const GO: Input = Input::Control(0);

/// The RTL as a program, once for all tests; none, and a word about it, where there is no Verilator.
fn program() -> Option<&'static Path> {
    static BUILT: std::sync::OnceLock<Option<PathBuf>> = std::sync::OnceLock::new();
    let built = BUILT.get_or_init(|| {
        let project = Path::new(env!("CARGO_MANIFEST_DIR"));
        let tools = Tools::find(project).map_err(|why| println!("skipped: {why}")).ok()?;
        let layout = layout();
        let mut build = Build::of_block(&layout, &project.join("tests/toy"), Kind::Executable);
        build.profile = Profile::Quick;
        let built = build.run(&tools, &Cache::of(project)).unwrap_or_else(|e| panic!("{e}"));
        Some(built.artefact)
    });
    built.as_deref()
}

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

/// Without an answer to it nothing shows: the last cycle is that of the difference, and the others are
/// those that a packet takes from head to sent.
#[test]
fn each_fault_comes_down_to_what_it_takes() {
    if program().is_none() {
        return;
    }
    // 2: go low, and a packet.
    let (_, go) = (HEADS, GO);
    let expected: &[(u32, &str, u64, &[(u64, Input, &[u64])])] = &[
        (2, "sent_valid: extra", 3, &[(0, HEADS, &[0, 0, 0]), (1, go, &[0])]),
        // 4: a packet without length, and a key to lose.
        (4, "sent_key: value", 3, &[(0, HEADS, &[0, 1, 0])]),
        // 8: two packets wait when one of 3 bytes is sent.
        (8, "ended: fatal", 3, &[]),
    ];
    for (bug, signature, cycles, smallest) in expected {
        on(*bug, Compare::Exact, |stage| {
            for n in 0..2 {
                let leg = random(n);
                let first = shown(stage, &leg);
                assert!(first.to_string().starts_with(signature), "bug {bug}: {first}");
                let small = shrunk(stage, &leg, &first, NO_LIMITS);
                println!("bug {bug}, leg {n}: {}", small.sentence());
                println!("{:?}", events(&small.leg));
                assert!(*bug == 8 || small.after.cycles == *cycles, "{:?}", small.after);
                assert!(defaults(&small.leg));
                let found = events(&small.leg);
                let found: Vec<_> = found.iter().map(|(at, i, w)| (*at, *i, &w[..])).collect();
                assert!(smallest.is_empty() || found == *smallest, "bug {bug}: {found:?}");
            }
        });
    }
}
