//! Lock-step of the project's own RTL, and what the harness says of a DUT that is wrong, late or
//! gone.
#![cfg(feature = "rtl")]

use congruent::check::{self, Compare, Done, DutSource, Job, Source};
use congruent::compare::{Mismatch, Rules};
use congruent::divergence::Scene;
use congruent::dut::{Dut, DutEnd, Start};
use congruent::lockstep::{Lockstep, Outcome, Played};
use congruent::spread::spread;
use congruent_hw::scenario::Leg;
use congruent_hw::stimulus::Stimulus;
use congruent_hw::unit::{DutTiming, UNITS, Unit, unit};
use congruent_ports::{Layout, ParamSet};
use std::time::Duration;

fn rate_limiter() -> &'static dyn Unit {
    unit("rate_limiter").expect("the block is registered")
}

fn params(changes: &[(&str, i64)]) -> ParamSet {
    ParamSet::with(rate_limiter().block(), changes.iter().copied()).expect("legal")
}

fn short() -> ParamSet {
    let set = rate_limiter().block().build("short").expect("built in");
    params(set.params)
}

/// A random run of a block's own RTL.
fn random(
    unit: &'static dyn Unit,
    params: &ParamSet,
    cycles: u64,
    start: Start,
    compare: Compare,
) -> Done {
    let (dut, built) = check::own_rtl(unit, params).unwrap_or_else(|e| panic!("{e}"));
    let job = Job {
        unit,
        name: "random".to_string(),
        params: params.clone(),
        dut,
        source: Source::random(3, cycles),
        fixed: vec![],
        load: Stimulus::new(unit.block()),
        compare,
        rules: Rules::none(),
        options: String::new(),
        mid_reset: None,
        start,
        built,
        cases: None,
        command: String::new(),
    };
    job.run(&|_| ()).unwrap_or_else(|e| panic!("{e}"))
}

/// Every block with every parameter set that is built in.
fn built_in() -> Vec<(&'static dyn Unit, ParamSet)> {
    let sets = |unit: &&'static dyn Unit| {
        let (unit, block) = (*unit, unit.block());
        block.builds.iter().map(move |set| (unit, set.params(block)))
    };
    UNITS.iter().flat_map(sets).collect()
}

fn assert_congruent(done: &Done, cycles: u64) {
    assert!(done.findings.is_empty(), "{:?}", done.findings);
    assert!(done.tally.cycles >= cycles, "{} cycles", done.tally.cycles);
}

#[test]
fn built_in_sets_from_any_start_values() {
    let sets = built_in();
    let starts = [Start::Zeros, Start::Ones, Start::Random(5)];
    spread(sets.len() * starts.len(), |n| {
        let (unit, params) = &sets[n / starts.len()];
        let start = starts[n % starts.len()];
        assert_congruent(&random(*unit, params, 60_000, start, Compare::Exact), 60_000);
    });
}

#[test]
fn two_queue_pairs_and_a_time_that_wraps_every_2048_cycles() {
    let params = params(&[("QPS", 2), ("QP_W", 2), ("TIME_W", 11)]);
    assert_congruent(
        &random(rate_limiter(), &params, 200_000, Start::Random(1), Compare::Exact),
        200_000,
    );
}

#[test]
fn four_thousand_queue_pairs() {
    let params = params(&[("QPS", 4096)]);
    assert_congruent(
        &random(rate_limiter(), &params, 300_000, Start::Random(1), Compare::Exact),
        300_000,
    );
}

#[test]
fn narrow_rates_and_estimates() {
    let params = params(&[("QPS", 16), ("RATE_FRAC", 14), ("EST_FRAC", 9), ("TIME_W", 14)]);
    assert_congruent(
        &random(rate_limiter(), &params, 200_000, Start::Random(1), Compare::Exact),
        200_000,
    );
}

/// What no run of a few thousand cycles reaches: the counters' and the wait's largest values. One
/// queue pair is cut from 1 Gbps to a thousandth of it, and its next packet waits for longer than
/// 24 bits of cycles can say; meanwhile every counter gets more than 16 bits of events.
#[test]
fn counters_and_waits_saturate() {
    use congruent_hw::attributes::{AttributeSet, Value};
    const EVENTS: u64 = 66_000;
    let unit = rate_limiter();
    let block = unit.block();
    let params = ParamSet::defaults(block);
    let attributes = AttributeSet::defaults(block).with(&[
        ("data_rate", Value::Real(1.0)),
        ("clock_mhz", Value::Real(2000.0)),
        ("control_interval_duration_ns", Value::Real(576.0)),
        ("congestion_probability_weight", Value::Real(1.0)),
        ("estimate_init", Value::Real(1.0)),
        ("minimum_rate_percentage", Value::Real(0.001)),
        ("num_of_control_loops_per_increase", Value::Integer(255)),
    ]);
    let mut stimulus = Stimulus::new(block);
    for cycle in 0..EVENTS {
        stimulus.push(0, cycle, &[0]);
        stimulus.push(1, cycle, &[256 + cycle % 3_000, 64]);
    }
    for cycle in EVENTS..2 * EVENTS {
        stimulus.push(0, cycle, &[0]);
        stimulus.push(1, cycle, &[1, 0]);
    }
    for cycle in 2 * EVENTS..2 * EVENTS + 3 {
        stimulus.push(1, cycle, &[0, 16_383]);
    }
    let leg = Leg { attributes, stimulus };
    // The golden model says what is reached; the lock-step says that the RTL agrees.
    let layout = Layout::new(block, &params);
    let mut golden = unit.golden(&leg.attributes, &params).expect("legal");
    let nothing = Stimulus::new(block);
    let mut player = congruent::play::Player::new(&leg.stimulus, &nothing, &layout);
    let (mut inputs, mut outputs) = (vec![0; layout.inputs.len()], vec![0; layout.outputs.len()]);
    let rsp = layout.output("rsp");
    let mut longest = 0;
    while player.step(golden.as_mut(), &mut inputs, &mut outputs).expect("drains") {
        if outputs[rsp.valid] == 1 && outputs[rsp.fields + 3] == 0 {
            longest = longest.max(outputs[rsp.fields + 2]);
        }
    }
    assert_eq!(longest, (1 << 24) - 1);
    // init_done, then stat_cnps, stat_range, stat_zero_length.
    assert_eq!(outputs[layout.levels..], [1, 0xffff, 0xffff, 0xffff]);
    let make = || -> congruent::Result<Box<dyn Dut>> {
        let set = block.build("default").expect("built in");
        Ok(Box::new(congruent::dut::InTree::new(block, set, Start::Random(2))?))
    };
    let lockstep = Lockstep {
        unit,
        layout: &layout,
        make: &make,
        latency: 0,
        rules: &Rules::none(),
        progress: &|_| (),
    };
    let mut legs = vec![Played::Leg { leg, cut: false }];
    let (_, outcome) = lockstep.run(&mut |_| legs.pop()).unwrap_or_else(|e| panic!("{e}"));
    assert!(matches!(outcome, Outcome::Congruent), "{outcome:?}");
}

/// An interval of the shipped length with an event in every cycle: counts past what a compressed
/// interval reaches; and K = 255, held to its end.
#[test]
fn long_intervals_and_the_largest_k() {
    use congruent_hw::attributes::{AttributeSet, Value};
    let unit = rate_limiter();
    let block = unit.block();
    let mut long = Stimulus::new(block);
    for cycle in 0..70_000 {
        long.push(1, cycle, &[9, 64]);
        if cycle % 3 == 0 {
            long.push(0, cycle, &[9]);
        }
    }
    let mut held = Stimulus::new(block);
    for n in 0..540 {
        held.push(0, 3 + 90 * n, &[2]);
    }
    let k = [
        ("num_of_control_loops_per_increase", Value::Integer(255)),
        ("control_interval_duration_ns", Value::Real(360.0)),
    ];
    let defaults = AttributeSet::defaults(block);
    let legs = [("default", defaults.clone(), long), ("short", defaults.with(&k), held)];
    for (name, attributes, stimulus) in legs {
        let set = block.build(name).expect("built in");
        let layout = Layout::new(block, &params(set.params));
        let make = || -> congruent::Result<Box<dyn Dut>> {
            Ok(Box::new(congruent::dut::InTree::new(block, set, Start::Random(2))?))
        };
        let lockstep = Lockstep {
            unit,
            layout: &layout,
            make: &make,
            latency: 0,
            rules: &Rules::none(),
            progress: &|_| (),
        };
        let mut legs = vec![Played::Leg { leg: Leg { attributes, stimulus }, cut: false }];
        let (tally, outcome) = lockstep.run(&mut |_| legs.pop()).unwrap_or_else(|e| panic!("{e}"));
        assert!(matches!(outcome, Outcome::Congruent), "{name}: {outcome:?}");
        if name == "short" {
            let row = block.coverage.iter().position(|r| r.name == "k_reached").expect("a row");
            assert!(tally.cover.counts()[row] > 0);
        }
    }
}

#[test]
fn own_rtl_by_its_own_events() {
    let sets = built_in();
    spread(sets.len(), |n| {
        let (unit, params) = &sets[n];
        let steered = Compare::Steered(DutTiming::of(unit.block()));
        assert_congruent(&random(*unit, params, 80_000, Start::Random(1), steered), 80_000);
    });
}

/// The own RTL behind a fault of its pins.
struct Faulty {
    inner: Box<dyn Dut>,
    /// Cycles by which the outputs are late, and the rows on their way.
    late: usize,
    waiting: std::collections::VecDeque<Vec<u64>>,
    /// Bits that are turned over in a word, from its n-th non-zero showing on.
    flip: Option<(usize, u64, u64)>,
    /// Cycles after which it ends.
    ends_after: Option<u64>,
}

impl Faulty {
    fn new(set: &'static str, params: &ParamSet) -> Self {
        let block = rate_limiter().block();
        let set = block.build(set).expect("built in");
        assert_eq!(*params, self::params(set.params));
        let inner = congruent::dut::InTree::new(block, set, Start::Zeros);
        let inner = Box::new(inner.unwrap_or_else(|e| panic!("{e}")));
        let waiting = Default::default();
        Self { inner, late: 0, waiting, flip: None, ends_after: None }
    }
}

impl Dut for Faulty {
    fn layout(&self) -> &Layout {
        self.inner.layout()
    }

    fn configure(&mut self, cfg: &[u64]) -> Result<(), DutEnd> {
        self.inner.configure(cfg)
    }

    fn reset_longer(&mut self, more: u32) -> Result<(), DutEnd> {
        self.waiting.clear();
        self.inner.reset_longer(more)
    }

    fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<(), DutEnd> {
        if let Some(left) = &mut self.ends_after {
            if *left == 0 {
                return Err(DutEnd {
                    end: congruent::dut::End::Finish,
                    during: congruent::dut::During::Run,
                    text: String::new(),
                    rows: 0,
                    row: 0,
                });
            }
            *left -= 1;
        }
        self.inner.step(inputs, outputs)?;
        if let Some((word, bits, after)) = &mut self.flip
            && outputs[*word] != 0
        {
            if *after == 0 {
                outputs[*word] ^= *bits;
            }
            *after = after.saturating_sub(1);
        }
        self.waiting.push_back(outputs.to_vec());
        if self.waiting.len() > self.late {
            outputs.copy_from_slice(&self.waiting.pop_front().expect("just pushed"));
        } else {
            outputs.fill(0);
        }
        Ok(())
    }

    fn steps(
        &mut self,
        inputs: &[u64],
        outputs: &mut [u64],
        until_refusal: bool,
    ) -> Result<usize, DutEnd> {
        assert!(!until_refusal);
        let (width_in, width_out) = (self.layout().inputs.len(), self.layout().outputs.len());
        let rows = inputs.chunks(width_in).zip(outputs.chunks_mut(width_out));
        let mut done = 0;
        for (inputs, outputs) in rows {
            self.step(inputs, outputs).map_err(|end| end.after(done))?;
            done += 1;
        }
        Ok(done)
    }

    fn take_text(&mut self) -> String {
        self.inner.take_text()
    }

    fn finish(&mut self) -> Result<(), DutEnd> {
        self.inner.finish()
    }
}

type Make<'a> = &'a (dyn Fn() -> congruent::Result<Box<dyn Dut>> + Sync);

/// A scenario, so that a report of it stays what it is when random legs change.
fn leg() -> Leg {
    let scenarios = rate_limiter().scenarios();
    scenarios.into_iter().find(|s| s.name == "permanent_cnps").expect("a scenario").leg
}

fn run(params: &ParamSet, latency: usize, make: Make<'_>) -> Outcome {
    let layout = Layout::new(rate_limiter().block(), params);
    let lockstep = Lockstep {
        unit: rate_limiter(),
        layout: &layout,
        make,
        latency,
        rules: &Rules::none(),
        progress: &|_| (),
    };
    let mut legs = vec![Played::Leg { leg: leg(), cut: false }];
    let (_, outcome) = lockstep.run(&mut |_| legs.pop()).unwrap_or_else(|e| panic!("{e}"));
    outcome
}

#[test]
fn a_late_dut_is_congruent_only_at_its_latency() {
    let params = short();
    let make = || -> congruent::Result<Box<dyn Dut>> {
        Ok(Box::new(Faulty { late: 3, ..Faulty::new("short", &params) }))
    };
    assert!(matches!(run(&params, 3, &make), Outcome::Congruent));
    for latency in [0, 2, 4] {
        assert!(matches!(run(&params, latency, &make), Outcome::Diverged(_)), "{latency}");
    }
}

/// One bit of `upd_rate`, once: port, cycle, values, bits, context, state and transactions are
/// told, the same each time.
#[test]
fn a_single_wrong_bit_is_found_and_explained() {
    let params = short();
    let layout = Layout::new(rate_limiter().block(), &params);
    let word = layout.output("upd").fields + 2;
    let make = || -> congruent::Result<Box<dyn Dut>> {
        Ok(Box::new(Faulty { flip: Some((word, 1 << 20, 6)), ..Faulty::new("short", &params) }))
    };
    let Outcome::Diverged(found) = run(&params, 0, &make) else { panic!("not found") };
    let Mismatch { port, expected, got } = found.mismatch;
    assert_eq!((port, expected ^ got), (word, 1 << 20));
    let leg = leg();
    let scene = Scene {
        unit: rate_limiter(),
        layout: &layout,
        make: &make,
        latency: 0,
        rules: &Rules::none(),
        remark: None,
        leg: &leg,
        run: "vectors permanent_cnps".to_string(),
        command: "congruent replay vectors/rate_limiter/permanent_cnps".to_string(),
        versions: vec!["congruent (this version)".to_string()],
    };
    let told = scene.explain(found).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((told.signature.channel.as_str(), told.signature.field.as_str()), ("upd", "rate"));
    assert_eq!(told.bits, [20]);
    assert!(told.context.is_some() && told.rule.is_some());
    assert!(!told.transactions.is_empty() && told.state.len() == 21);
    // The fault is in the pins only: both sides hold the same state.
    assert!(told.state.iter().all(|line| line.model == line.dut));
    insta::assert_snapshot!(told.to_string());
}

#[test]
fn a_dut_that_ends_is_a_verdict_with_its_cycle() {
    let params = short();
    let make = || -> congruent::Result<Box<dyn Dut>> {
        Ok(Box::new(Faulty { ends_after: Some(1_234), ..Faulty::new("short", &params) }))
    };
    match run(&params, 0, &make) {
        Outcome::Ended { leg: 0, cycle: 1_234, .. } => {}
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_run_that_covers_nothing_names_what_is_missing() {
    let done = random(rate_limiter(), &short(), 1, Start::Zeros, Compare::Exact);
    assert!(done.tally.cover.counts().contains(&0));
    assert!(done.tally.time.build >= Duration::ZERO);
    assert!(matches!(
        check::own_rtl(rate_limiter(), &short()),
        Ok((DutSource::Linked("short"), _))
    ));
}
