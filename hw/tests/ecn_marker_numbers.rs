//! The page's "Numbers to reproduce" for `ecn_marker`, through core and model. The thresholds of the
//! three static limits and of Threshold 8 are with the conversion of attributes.

use Value::{Integer, Name, Real};
use congruent_hw::Golden;
use congruent_hw::attributes::{AttributeSet, Value};
use congruent_hw::ecn_marker::cfg::configure;
use congruent_hw::ecn_marker::core::{self, Cfg, Packet, Queue};
use congruent_hw::ecn_marker::model::{Model, input, output};
use congruent_hw::fixed::to_real;
use congruent_hw::prim::lfsr;
use congruent_ports::ecn_marker::BLOCK;
use congruent_ports::{Layout, ParamSet};

const ECT0: u64 = 2;

fn cfg(changes: &[(&str, Value)]) -> Cfg {
    let attributes = AttributeSet::defaults(&BLOCK).with(changes);
    configure(&attributes, &ParamSet::defaults(&BLOCK)).expect("legal")
}

fn packet(bytes: u64, ecn: u64) -> Packet {
    Packet { bytes, ecn, has_credits: true }
}

/// A queue whose average is midway between the default thresholds: 750 000 B.
fn midway(cfg: &Cfg) -> Queue {
    Queue { occupancy: 750_000, average: cfg.to_average(750_000), ..Queue::default() }
}

#[test]
fn the_average_rises_as_the_page_says() {
    let cfg = cfg(&[]);
    let mut queue = Queue::default();
    core::enqueue(&cfg, &mut queue, 100_000);
    for expected in [10_000.0, 19_000.0, 27_100.0, 34_390.0] {
        let average = to_real(queue.average, cfg.avg_frac);
        // The weight is 0.1 within 2^-18 of itself: 0.04 B in 10 000.
        assert!((average - expected).abs() < 0.05 * expected / 10_000.0, "{average}, {expected}");
        core::enqueue(&cfg, &mut queue, 0);
    }
    assert_eq!(queue.occupancy, 100_000);
}

/// 10^6 decisions midway with MaxMarkProbability 0.5: how many marks, and how a decision correlates
/// with the one before.
fn marks(cfg: &Cfg, mut decide: impl FnMut(&mut Queue, &mut u32) -> bool) -> (u64, f64) {
    let (mut queue, mut lfsr) = (midway(cfg), cfg.lfsr_seed);
    let marks: Vec<_> = (0..1_000_000).map(|_| decide(&mut queue, &mut lfsr)).collect();
    let number = marks.iter().filter(|m| **m).count() as u64;
    let share = number as f64 / marks.len() as f64;
    let centred = |m: bool| f64::from(u8::from(m)) - share;
    let product: f64 = marks.windows(2).map(|w| centred(w[0]) * centred(w[1])).sum();
    (number, product / (marks.len() as f64 * share * (1.0 - share)))
}

#[test]
fn midway_a_quarter_is_marked_and_neighbours_do_not_correlate() {
    let cfg = cfg(&[("max_mark_probability", Real(0.5))]);
    let p = to_real(core::mark_probability(&cfg, midway(&cfg).average), 24);
    assert!((p - 0.25).abs() <= BLOCK.bound("probability"), "{p}");
    let (number, correlation) =
        marks(&cfg, |queue, lfsr| core::dequeue(&cfg, queue, lfsr, &packet(0, ECT0)).marked);
    println!("{number} marks of 1 000 000, serial correlation {correlation:.5}");
    assert!((248_000..=252_000).contains(&number), "{number}");
    assert!(correlation.abs() <= 0.005, "{correlation}");
    // A generator that takes one step a decision is what the bounds are there to find.
    let p = core::mark_probability(&cfg, midway(&cfg).average);
    let (_, correlation) = marks(&cfg, |_, word| {
        *word = lfsr::step(*word);
        u64::from(*word & 0xff_ffff) < p
    });
    assert!(correlation.abs() > 0.005, "one step a decision: {correlation}");
}

#[test]
fn diffusion_marks_to_the_packet() {
    let cfg = cfg(&[("max_mark_probability", Real(0.5)), ("random_mode", Name("diffusion"))]);
    let (mut queue, mut lfsr) = (midway(&cfg), 1);
    for _ in 0..1_000_000 {
        core::dequeue(&cfg, &mut queue, &mut lfsr, &packet(0, ECT0));
    }
    assert!((249_999..=250_001).contains(&queue.marked), "{}", queue.marked);
    assert_eq!((queue.eligible, lfsr), (1_000_000, 1), "the LFSR stands");
}

/// Page: one step a decision and p = 1 %: a mark follows a mark one time in four. 32 steps: one
/// time in a hundred.
#[test]
fn a_mark_says_nothing_about_the_next() {
    let after_a_mark = |advance: fn(u32) -> u32| {
        let (mut word, mut last) = (1, false);
        let (mut first, mut both) = (0u32, 0u32);
        for _ in 0..4_000_000 {
            word = advance(word);
            let mark = u64::from(word & 0xff_ffff) * 100 < 1 << 24;
            first += u32::from(last);
            both += u32::from(last && mark);
            last = mark;
        }
        f64::from(both) / f64::from(first)
    };
    assert!((after_a_mark(lfsr::step) - 0.25).abs() < 0.02, "{}", after_a_mark(lfsr::step));
    let independent = after_a_mark(lfsr::advance32);
    assert!((independent - 0.01).abs() < 0.002, "{independent}");
}

#[test]
fn the_probability_never_exceeds_its_maximum() {
    for max in [1.0, 0.5, 0.2, 0.01, 1e-6] {
        for (kmin, kmax) in [(5_000, 200_000), (0, 1 << 28), (9, 10), (7, 1 << 20)] {
            let cfg = cfg(&[
                ("kmin", Integer(kmin)),
                ("kmax", Integer(kmax)),
                ("max_mark_probability", Real(max)),
            ]);
            let p = core::mark_probability(&cfg, cfg.to_average(kmax) - 1);
            let exact = max * 2f64.powi(24);
            assert!(p as f64 <= exact && p < 1 << 24, "{p} of {exact}, {kmin} to {kmax}");
            assert!(exact - p as f64 <= BLOCK.bound("probability") * 2f64.powi(24) + 1.0, "{p}");
            assert_eq!(core::mark_probability(&cfg, cfg.to_average(kmin)), 0);
        }
    }
}

/// MarkingRate 3 over 1 000 eligible packets of a congested VL: 250 marks, the first among them.
#[test]
fn every_fourth_is_marked() {
    let cfg = cfg(&[("policy", Name("fecn")), ("marking_rate", Integer(3))]);
    let mut queue = Queue { occupancy: 524_288, ..Queue::default() };
    let mut lfsr = 1;
    let marks: Vec<_> = (0..1_000)
        .map(|_| core::dequeue(&cfg, &mut queue, &mut lfsr, &packet(0, 0)).marked)
        .collect();
    assert_eq!(marks.iter().filter(|m| **m).count(), 250);
    assert_eq!(marks[..8], [true, false, false, false, true, false, false, false]);
    assert_eq!((queue.marked, queue.eligible), (250, 1_000));
    // A byte less in the queue, and it is not congested.
    let mut queue = Queue { occupancy: 524_287, ..Queue::default() };
    assert!(!core::dequeue(&cfg, &mut queue, &mut lfsr, &packet(0, 0)).marked);
}

/// CE from the upper threshold on, nothing below the lower one, Not-ECT and CE never.
#[test]
fn the_thresholds_decide_to_the_lsb() {
    let cfg = cfg(&[]);
    let judge = |average: u64, ecn: u64| {
        let mut queue = Queue { occupancy: 1, average, ..Queue::default() };
        let mark = core::dequeue(&cfg, &mut queue, &mut 1, &packet(0, ecn));
        (mark.ecn, mark.marked, queue.eligible)
    };
    let upper = cfg.to_average(1_200_000);
    for ecn in [1, 2] {
        assert_eq!(judge(upper, ecn), (3, true, 1));
        assert_eq!(judge(cfg.to_average(300_000) - 1, ecn), (ecn, false, 1));
    }
    assert_eq!(judge(upper, 0), (0, false, 0));
    assert_eq!(judge(upper, 3), (3, false, 0));
}

/// A packet in and a packet out of one queue in one cycle, and again in the next: each deq is judged
/// on the state before its cycle, each answer comes after the table's latency.
#[test]
fn the_model_answers_in_the_pages_order() {
    let attributes = AttributeSet::defaults(&BLOCK).with(&[
        ("ewma_weight", Real(1.0)),
        ("kmin", Integer(100)),
        ("kmax", Integer(100)),
    ]);
    let params = ParamSet::defaults(&BLOCK);
    let layout = Layout::new(&BLOCK, &params);
    assert_eq!(layout.inputs.len(), input::WORDS);
    assert_eq!(layout.outputs.len(), output::WORDS);
    assert_eq!(layout.output("mark").valid, output::MARK);
    assert_eq!(layout.output("avg").valid, output::AVG);
    assert_eq!(layout.output("peeked").valid, output::PEEKED);
    let mut model = Model::new(&attributes, &params).expect("legal");
    let (mut marks, mut averages) = (vec![], vec![]);
    let mut out = vec![0; output::WORDS];
    for cycle in 0..40u64 {
        let mut row = [0; input::WORDS];
        // Bytes in by cycle, and out from cycle 1 on.
        let bytes_in = [60, 60, 0, 60].get(cycle as usize);
        let bytes_out = [None, Some(10), Some(20), Some(80), Some(31)].get(cycle as usize);
        if let Some(bytes) = bytes_in {
            row[..3].copy_from_slice(&[1, 7, *bytes]);
        }
        if let Some(Some(bytes)) = bytes_out {
            row[3..8].copy_from_slice(&[1, 7, *bytes, ECT0, 1]);
        }
        model.step(&row, &mut out);
        if out[output::MARK] == 1 {
            let fields = &out[output::MARK + 1..output::MARK + 5];
            marks.push((cycle - BLOCK.cycles("mark_latency"), fields[2], fields[3]));
        }
        if out[output::AVG] == 1 {
            let fields = &out[output::AVG + 1..output::AVG + 5];
            assert_eq!(fields[2], fields[1] << 24, "w = 1: the average is the occupancy");
            averages.push((cycle - BLOCK.cycles("avg_latency"), fields[1]));
        }
    }
    // By hand: 60 | -10 +60 = 110 | -20 +0 = 90 | -80 +60 = 70 | -31 = 39.
    assert_eq!(averages, [(0, 60), (1, 110), (2, 90), (3, 70)]);
    // Judged on 60, 110, 90 and 70 against a step at 100.
    assert_eq!(marks, [(1, 0, 0), (2, 1, 0), (3, 0, 0), (4, 0, 0)]);
    assert!(model.drained());
}

/// Underflow: saturates at 0, is not marked, moves no counter and no random state.
#[test]
fn an_underflow_empties_the_queue_and_nothing_else() {
    for policy in ["red", "fecn"] {
        let cfg = cfg(&[("policy", Name(policy)), ("threshold", Integer(15))]);
        let before =
            Queue { congested: true, skip: 2, acc: 5, marked: 3, eligible: 4, ..midway(&cfg) };
        let (mut queue, mut lfsr) = (before, 77);
        let mark = core::dequeue(&cfg, &mut queue, &mut lfsr, &packet(750_001, ECT0));
        assert_eq!((mark.marked, mark.error), (false, congruent_ports::error::UNDERFLOW));
        assert_eq!((queue, lfsr), (Queue { occupancy: 0, ..before }, 77));
    }
}
