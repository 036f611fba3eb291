//! How two sides are compared: rules, latencies that are found, resets in mid-run. The DUT is the toy
//! block's golden model with something changed, so nothing is built.

#[allow(dead_code)] // the toy block serves several tests
#[path = "toy/mod.rs"]
mod block;

use block::{TOY, Toy, layout};
use congruent::compare::{Format, Relation, Rounding, Rules, Tolerance};
use congruent::divergence::{Divergence, Scene};
use congruent::dut::{Dut, DutEnd};
use congruent::lockstep::{Difference, Lockstep, Outcome, Played};
use congruent::mid_reset::MidResets;
use congruent::probe::{self, Found, Latency};
use congruent::steer::{SteeredOutcome, SteeredRun};
use congruent::tolerance;
use congruent_hw::Golden;
use congruent_hw::attributes::AttributeSet;
use congruent_hw::scenario::Leg;
use congruent_hw::unit::{DutTiming, Unit};
use congruent_ports::{Layout, ParamSet};
use num_rational::Ratio;
use std::collections::VecDeque;

/// What is done to a row of outputs.
type Change = fn(&Layout, &mut [u64]);

/// How the DUT is another one than the golden model.
#[derive(Clone, Copy)]
struct Other {
    /// Cycles by which `sent`, `peeked`, ready bits and levels are late.
    late: [usize; 4],
    /// Changes a row of outputs.
    change: Change,
    /// A reset with a packet inside shows a beat of it later.
    forgets: bool,
}

const SAME: Other = Other { late: [0; 4], change: |_, _| (), forgets: false };

/// The golden model in the place of a DUT.
struct Fake {
    layout: Layout,
    golden: Box<dyn Golden>,
    other: Other,
    /// Rows of the golden model, the last one first.
    rows: VecDeque<Vec<u64>>,
    /// Cycles until a beat comes that reset should have taken away.
    left: Option<u32>,
}

impl Fake {
    fn new(other: Other) -> Self {
        let (layout, attributes) = (layout(), AttributeSet::defaults(&TOY));
        let golden = Toy.golden(&attributes, &layout.params).expect("legal");
        Self { layout, golden, other, rows: VecDeque::new(), left: None }
    }
}

impl Dut for Fake {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn configure(&mut self, cfg: &[u64]) -> Result<(), DutEnd> {
        let drained = self.golden.drained();
        let mut attributes = AttributeSet::defaults(&TOY);
        let order = ["lowest", "highest"][cfg[0] as usize];
        attributes.set_text("order", order).expect("a name");
        self.golden = Toy.golden(&attributes, &self.layout.params).expect("legal");
        if self.other.forgets && !drained {
            self.left = Some(5);
        }
        Ok(())
    }

    fn reset_longer(&mut self, _: u32) -> Result<(), DutEnd> {
        if self.other.forgets && !self.golden.drained() {
            self.left = Some(5);
        }
        self.golden.reset();
        self.rows.clear();
        Ok(())
    }

    fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<(), DutEnd> {
        let mut now = vec![0; outputs.len()];
        self.golden.step(inputs, &mut now);
        self.rows.push_front(now);
        let [sent, peeked] = ["sent", "peeked"].map(|name| self.layout.output(name));
        let level = self.layout.levels;
        let parts = [
            (sent.valid..sent.fields + 4, 0),
            (peeked.valid..peeked.fields + 4, 1),
            (peeked.fields + 4..level, 2),
            (level..outputs.len(), 3),
        ];
        for (words, part) in parts {
            match self.rows.get(self.other.late[part]) {
                Some(row) => outputs[words.clone()].copy_from_slice(&row[words]),
                None => outputs[words].fill(0),
            }
        }
        (self.other.change)(&self.layout, outputs);
        self.left = self.left.and_then(|left| left.checked_sub(1));
        if self.left == Some(0) {
            outputs[sent.valid] ^= 1;
        }
        Ok(())
    }

    fn steps(&mut self, inputs: &[u64], outputs: &mut [u64], until: bool) -> Result<usize, DutEnd> {
        let layout = self.layout.clone();
        let (width_in, width_out) = (layout.inputs.len(), layout.outputs.len());
        let rows = inputs.chunks(width_in).zip(outputs.chunks_mut(width_out));
        let mut count = 0;
        for (inputs, outputs) in rows {
            self.step(inputs, outputs)?;
            count += 1;
            let refused = |c: &congruent_ports::ChannelLayout| {
                inputs[c.valid] != 0 && !c.is_ready(inputs, outputs)
            };
            if until && layout.channels_in.iter().any(refused) {
                break;
            }
        }
        Ok(count)
    }

    fn take_text(&mut self) -> String {
        String::new()
    }

    fn finish(&mut self) -> Result<(), DutEnd> {
        Ok(())
    }
}

fn params() -> ParamSet {
    ParamSet::defaults(&TOY)
}

fn leg(n: u64) -> Leg {
    Toy.leg(1, n, 1_500, &params())
}

fn lockstep(other: Other, latency: usize, rules: &Rules, legs: Vec<Leg>) -> Outcome {
    let layout = layout();
    let make = || -> congruent::Result<Box<dyn Dut>> { Ok(Box::new(Fake::new(other))) };
    let (layout, make) = (&layout, &make);
    let lockstep = Lockstep { unit: &Toy, layout, make, latency, rules, progress: &|_| () };
    let mut legs = legs.into_iter();
    let mut next = |_| legs.next().map(|leg| Played::Leg { leg, cut: false });
    lockstep.run(&mut next).unwrap_or_else(|e| panic!("{e}")).1
}

fn is_congruent(other: Other, latency: usize, rules: &Rules) -> bool {
    match lockstep(other, latency, rules, vec![leg(0), leg(1)]) {
        Outcome::Congruent => true,
        Outcome::Diverged(_) => false,
        Outcome::Ended { end, .. } => panic!("{end}"),
    }
}

fn explain(other: Other, rules: &Rules, leg: &Leg, found: Difference) -> Divergence {
    let layout = layout();
    let make = || -> congruent::Result<Box<dyn Dut>> { Ok(Box::new(Fake::new(other))) };
    let scene = Scene {
        unit: &Toy,
        layout: &layout,
        make: &make,
        latency: 0,
        rules,
        remark: None,
        leg,
        run: "a leg".to_string(),
        command: "congruent".to_string(),
        versions: vec![],
    };
    scene.explain(found).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn a_tolerance_lets_two_through_and_not_three() {
    let rules = |options: &[&str]| {
        let mut rules = Rules::none();
        let options: Vec<_> = options.iter().map(ToString::to_string).collect();
        tolerance::add(&mut rules, &layout(), &options).unwrap_or_else(|e| panic!("{e}"));
        rules
    };
    let two = Other { change: |at, out| out[at.output("sent").fields + 2] += 2, ..SAME };
    let three = Other { change: |at, out| out[at.output("sent").fields + 2] += 3, ..SAME };
    assert!(is_congruent(SAME, 0, &Rules::none()));
    assert!(!is_congruent(two, 0, &Rules::none()));
    for name in ["sent_bytes=2lsb", "sent.bytes=2 lsb", "sent_bytes=2"] {
        assert!(is_congruent(two, 0, &rules(&[name])), "{name}");
        assert!(!is_congruent(three, 0, &rules(&[name])), "{name}");
    }
    assert!(!is_congruent(two, 0, &rules(&["peeked_bytes=2lsb"])));
    let rules = rules(&["sent_bytes=2lsb"]);
    let Outcome::Diverged(found) = lockstep(three, 0, &rules, vec![leg(0)]) else {
        panic!("not found")
    };
    let told = explain(three, &rules, &leg(0), found);
    assert_eq!(told.tolerance.as_deref(), Some("2 lsb, it is off by 3 lsb"));
    assert!(told.to_string().contains("  tolerance 2 lsb, it is off by 3 lsb"), "{told}");
}

/// Packets of 1, 2 and 3 bytes as their quarters, in both directions: the values are worked out by hand.
#[test]
fn a_relation_is_held_with_each_rounding() {
    fn shown(rounding: Rounding, negative: bool) -> [u64; 3] {
        // -1 of an 8-bit word is 255.
        match (rounding, negative) {
            (Rounding::Nearest, false) => [0, 1, 1],
            (Rounding::Ceil, false) => [1, 1, 1],
            (Rounding::Floor | Rounding::Truncate, false) => [0, 0, 0],
            (Rounding::Nearest, true) => [0, 255, 255],
            (Rounding::Floor, true) => [255, 255, 255],
            (Rounding::Ceil | Rounding::Truncate, true) => [0, 0, 0],
        }
    }
    fn change<const ROUNDING: usize, const NEGATIVE: bool>(at: &Layout, out: &mut [u64]) {
        let bytes = &mut out[at.output("sent").fields + 2];
        if let Some(ours) = bytes.checked_sub(1).filter(|ours| *ours < 3) {
            *bytes = shown(Rounding::NAMES[ROUNDING].1, NEGATIVE)[ours as usize];
        }
    }
    let changes: [[Change; 4]; 2] = [
        [change::<0, false>, change::<1, false>, change::<2, false>, change::<3, false>],
        [change::<0, true>, change::<1, true>, change::<2, true>, change::<3, true>],
    ];
    for (negative, changes) in [false, true].into_iter().zip(changes) {
        let scale = Ratio::new(if negative { -1 } else { 1 }, 4);
        for (made, change) in changes.into_iter().enumerate() {
            for (name, rounding) in Rounding::NAMES {
                let format = Format { width: 8, signed: negative };
                let relation = Relation::new(scale, Ratio::new(0, 1), rounding, format);
                let mut rules = Rules::none();
                rules.at(layout().output("sent").fields + 2).relation = relation.ok();
                let alike = shown(rounding, negative) == shown(Rounding::NAMES[made].1, negative);
                let found = is_congruent(Other { change, ..SAME }, 0, &rules);
                assert_eq!(found, alike, "{} shown, {name} asked for", Rounding::NAMES[made].0);
            }
        }
    }
}

/// The report shows ours, what that is in the DUT's format, and what the DUT shows.
#[test]
fn a_relation_is_shown_in_the_report() {
    let other = Other { change: |at, out| out[at.output("sent").fields + 2] <<= 4, ..SAME };
    let wrong = Other {
        change: |at, out| {
            let bytes = &mut out[at.output("sent").fields + 2];
            *bytes = if *bytes == 3 { 56 } else { *bytes << 4 };
        },
        ..SAME
    };
    let mut rules = Rules::none();
    let format = Format { width: 8, signed: false };
    let relation = Relation::new(Ratio::new(16, 1), Ratio::new(0, 1), Rounding::Nearest, format);
    let rule = rules.at(layout().output("sent").fields + 2);
    (rule.relation, rule.tolerance) = (relation.ok(), Some(Tolerance::Lsb(7)));
    assert!(is_congruent(other, 0, &rules));
    let Outcome::Diverged(found) = lockstep(wrong, 0, &rules, vec![leg(0)]) else {
        panic!("not found")
    };
    let told = explain(wrong, &rules, &leg(0), found);
    let theirs = told.theirs.as_ref().map(|side| (side.hex.as_str(), side.value.as_str()));
    assert_eq!((told.expected.hex.as_str(), told.expected.value.as_str()), ("0x3", "3"));
    assert_eq!(theirs, Some(("0x30", "ours x 16, nearest")));
    assert_eq!((told.got.hex.as_str(), told.got.value.as_str()), ("0x38", "3.5"));
    assert_eq!(told.tolerance.as_deref(), Some("7 lsb, it is off by 8 lsb"));
    assert_eq!(told.bits, [3]);
}

fn find(other: Other) -> Latency {
    let layout = layout();
    let make = || -> congruent::Result<Box<dyn Dut>> { Ok(Box::new(Fake::new(other))) };
    let mut legs = |n: usize| Ok(Some(leg(n as u64)));
    probe::latency(&Toy, &layout, &make, &Rules::none(), &mut legs)
        .unwrap_or_else(|e| panic!("{e}"))
}

/// Ready bits and levels may be late with the rest, or not at all.
#[test]
fn a_latency_is_found() {
    for cycles in [0, 2, 7] {
        for late in [[cycles; 4], [cycles, cycles, 0, 0], [cycles, cycles, 0, cycles]] {
            let other = Other { late, ..SAME };
            let found = Latency { cycles, found: Some(Found::Fits) };
            assert_eq!(find(other), found, "{late:?}");
            assert!(is_congruent(other, cycles, &Rules::none()), "{late:?}");
            assert!(!is_congruent(other, cycles + 1, &Rules::none()), "{late:?}");
        }
    }
    assert_eq!(find(SAME).to_string(), "latency=0 (found)");
}

#[test]
fn where_no_latency_fits_the_best_one_is_told() {
    let wrong = Other {
        late: [3; 4],
        change: |at, out| {
            out[at.output("sent").fields + 2] ^=
                u64::from(out[at.output("sent").fields + 1] & 7 == 1)
        },
        ..SAME
    };
    let found = find(wrong);
    let told = found.told().expect("none fits");
    assert_eq!((found.cycles, found.to_string().as_str()), (3, "latency=3 (none fits)"));
    assert!(told.starts_with("no latency from 0 to 64 fits; at 3, the best one, "), "{told}");
    let apart = find(Other { late: [2, 5, 0, 0], ..SAME }).told().expect("none fits");
    assert!(apart.contains("by themselves fit sent 2, peeked 5"), "{apart}");
    // A DUT that is dead, or shows a ready at random, fits nothing.
    let dead = Other { change: |_, out| out.fill(0), ..SAME };
    assert!(find(dead).told().is_some());
    let unready = Other { late: [2, 2, 1, 0], ..SAME };
    assert!(find(unready).told().is_some());
    assert!(!is_congruent(unready, 2, &Rules::none()));
}

fn steered(other: Other, legs: Vec<Leg>) -> SteeredOutcome {
    let (layout, timing) = (layout(), DutTiming::of(&TOY));
    let make = || -> congruent::Result<Box<dyn Dut>> { Ok(Box::new(Fake::new(other))) };
    let (layout, timing, make) = (&layout, &timing, &make);
    let run = SteeredRun { unit: &Toy, layout, timing, make, progress: &|_| () };
    let mut legs = legs.into_iter();
    run.run(&mut |_| legs.next()).unwrap_or_else(|e| panic!("{e}")).1
}

/// Something that reset leaves out shows after a reset with a packet inside, and only then.
#[test]
fn a_reset_in_mid_run_shows_what_reset_leaves_out() {
    let forgets = Other { forgets: true, ..SAME };
    let legs = || vec![leg(0), leg(1), leg(2)];
    let cut = || {
        let mut legs = legs();
        for (n, leg) in legs.iter_mut().enumerate() {
            let reset = MidResets::Drawn.of(&leg.stimulus, &TOY, &format!("leg {n}"));
            leg.stimulus.reset = Some(reset);
        }
        legs
    };
    let rules = Rules::none();
    assert!(matches!(lockstep(SAME, 0, &rules, cut()), Outcome::Congruent));
    assert!(matches!(lockstep(forgets, 0, &rules, legs()), Outcome::Congruent));
    let Outcome::Diverged(found) = lockstep(forgets, 0, &rules, cut()) else { panic!("not found") };
    // The re-run makes the same attempt, on a fresh DUT.
    let told = explain(forgets, &rules, &cut()[found.leg as usize], found);
    assert_eq!((told.port.as_str(), told.message), ("sent_valid", None));
    let told = explain(forgets, &rules, &legs()[found.leg as usize], found);
    let message = told.message.expect("the fresh DUT was not reset in mid-run");
    assert!(message.starts_with("a fresh DUT does not show it"), "{message}");
    assert!(matches!(steered(SAME, cut()), SteeredOutcome::Congruent));
    assert!(matches!(steered(forgets, legs()), SteeredOutcome::Congruent));
    assert!(matches!(steered(forgets, cut()), SteeredOutcome::Faulted { .. }));
}
