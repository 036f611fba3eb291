//! The core of `ecn_marker` held against the f64 reference over a million random events, event by
//! event, errors measured and printed; and planted faults of the core that the bounds must catch.
//!
//! Where a threshold falls between the two (closer than the bound) the reference follows the core's
//! branch, and that is counted; a branch that differs by more than the bound is a failure.

use congruent_hw::attributes::{AttributeSet, Value};
use congruent_hw::ecn_marker::cfg::configure;
use congruent_hw::ecn_marker::core::{self, Cfg, Mark, Packet, Policy, Queue, RandomMode, Region};
use congruent_hw::ecn_marker::random;
use congruent_hw::ecn_marker::reference::{Follow, Reference};
use congruent_hw::fixed::to_real;
use congruent_hw::random::Draw;
use congruent_hw::scenario::Leg;
use congruent_ports::ParamSet;
use congruent_ports::ecn_marker::{BLOCK, PROBABILITY_FRAC};
use congruent_ports::error;

/// The bound is stated for occupancies below so many times StaticLimit.
const OCCUPANCY_TIMES: f64 = 8.0;

/// The functions of the core that are held against the reference; tests plant faults here.
#[derive(Clone, Copy)]
struct Core {
    enqueue: fn(&Cfg, &mut Queue, u64),
    dequeue: fn(&Cfg, &mut Queue, &mut u32, &Packet) -> Mark,
    mark_probability: fn(&Cfg, u64) -> u64,
}

const CORE: Core = Core {
    enqueue: core::enqueue,
    dequeue: core::dequeue,
    mark_probability: core::mark_probability,
};

/// Largest errors that were seen.
#[derive(Debug, Default, Clone, Copy)]
struct Errors {
    events: u64,
    /// Average, as a share of what it is bounded by.
    average: f64,
    /// Probability: the exact one less the core's.
    probability: f64,
    marks: u64,
    steered: u64,
}

struct Pair<'a> {
    core: Core,
    cfg: Cfg,
    queues: Vec<Queue>,
    lfsr: u32,
    exact: Reference,
    /// StaticLimit, or an eighth of the largest occupancy where that is more.
    scale: f64,
    errors: &'a mut Errors,
    /// Decisions by diffusion so far, each of which may be off by the probability's bound.
    diffused: f64,
}

fn hold(core: Core, leg: &Leg, params: &ParamSet, errors: &mut Errors) -> Result<(), String> {
    let mut pair = Pair::new(core, &leg.attributes, params, errors);
    let streams = &leg.stimulus.streams;
    let mut at = [0, 0];
    for cycle in 0..leg.stimulus.cycles {
        // Order within a cycle: deq, then enq.
        if streams[1].not_before(at[1]) == Some(cycle) {
            let payload = streams[1].payload(at[1]);
            let (bytes, ecn, has_credits) = (payload[1], payload[2], payload[3] == 1);
            at[1] += 1;
            pair.deq(payload[0] as usize, &Packet { bytes, ecn, has_credits })?;
        }
        if streams[0].not_before(at[0]) == Some(cycle) {
            let payload = streams[0].payload(at[0]);
            at[0] += 1;
            pair.enq(payload[0] as usize, payload[1])?;
        }
    }
    Ok(())
}

impl<'a> Pair<'a> {
    fn new(
        core: Core,
        attributes: &AttributeSet,
        params: &ParamSet,
        errors: &'a mut Errors,
    ) -> Self {
        let cfg = configure(attributes, params).expect("legal");
        Self {
            core,
            queues: vec![Queue::default(); params.get("QUEUES") as usize],
            lfsr: cfg.lfsr_seed,
            exact: Reference::new(attributes, params).expect("legal"),
            scale: attributes.real("static_limit"),
            cfg,
            errors,
            diffused: 0.0,
        }
    }

    fn enq(&mut self, at: usize, bytes: u64) -> Result<(), String> {
        let Some(queue) = self.queues.get_mut(at) else { return Ok(()) };
        self.errors.events += 1;
        (self.core.enqueue)(&self.cfg, queue, bytes);
        self.exact.enqueue(at, bytes);
        let exact = &self.exact.queues[at];
        if queue.occupancy != exact.occupancy {
            return Err(format!("occupancy {} and {}", queue.occupancy, exact.occupancy));
        }
        self.scale = self.scale.max(queue.occupancy as f64 / OCCUPANCY_TIMES);
        let error = (to_real(queue.average, self.cfg.avg_frac) - exact.average).abs() / self.scale;
        self.errors.average = self.errors.average.max(error);
        if error > BLOCK.bound("average") {
            return Err(format!("the average of queue {at} is off by {error:.3e} of StaticLimit"));
        }
        Ok(())
    }

    /// What the core does with a packet in the band is compared with the exact probability at the
    /// core's own average: this is about the arithmetic of the probability alone.
    fn deq(&mut self, at: usize, packet: &Packet) -> Result<(), String> {
        let Some(queue) = self.queues.get_mut(at) else { return Ok(()) };
        self.errors.events += 1;
        let (cfg, before, word) = (&self.cfg, *queue, self.lfsr);
        let mark = (self.core.dequeue)(cfg, queue, &mut self.lfsr, packet);
        let constants = &self.exact.constants;
        let exact = &self.exact.queues[at];
        let mut follow = Follow::default();
        let red = constants.policy() == Policy::Red && core::is_ect(packet.ecn) && cfg.enable_ecn;
        if red && mark.error == error::NONE {
            let region = core::region(cfg, before.average);
            let near = constants.to_threshold(exact.average) <= BLOCK.bound("average") * self.scale;
            if near {
                self.errors.steered += u64::from(region != constants.region(exact.average));
                follow.region = Some(region);
            }
            if region == Region::Band {
                let p = (self.core.mark_probability)(cfg, before.average);
                let at_core = to_real(before.average, cfg.avg_frac);
                let error = constants.mark_probability(at_core) - to_real(p, PROBABILITY_FRAC);
                self.errors.probability = self.errors.probability.max(error);
                if !(0.0..=BLOCK.bound("probability")).contains(&error) {
                    return Err(format!("p = {p} is off by {error:.3e}"));
                }
                // From the average's error: how far the exact probability may be from the core's.
                let p_exact = constants.mark_probability(exact.average);
                let reach = (p_exact - to_real(p, PROBABILITY_FRAC)).abs();
                let whole = f64::from(1u32 << PROBABILITY_FRAC);
                let threshold = match cfg.random_mode {
                    RandomMode::Lfsr => {
                        let drawn = congruent_hw::prim::lfsr::advance32(word) & 0xff_ffff;
                        (f64::from(drawn) / whole - p_exact).abs() <= reach
                    }
                    RandomMode::Diffusion => {
                        self.diffused += reach.max(1.0 / whole);
                        (exact.acc + p_exact - 1.0).abs() <= self.diffused
                    }
                };
                if threshold {
                    follow.decision = Some(mark.marked);
                }
            }
        }
        let expected = self.exact.dequeue(at, packet, follow);
        self.errors.marks += u64::from(mark.marked);
        let exact = &self.exact.queues[at];
        let same = mark == expected
            && queue.occupancy == exact.occupancy
            && queue.congested == exact.congested
            && (!queue.congested || queue.skip == exact.skip)
            && (queue.marked, queue.eligible) == (exact.marked, exact.eligible)
            && self.lfsr == self.exact.lfsr;
        if !same {
            return Err(format!(
                "{packet:?} of {before:?}: core {mark:?}, {queue:?}, reference {expected:?}, {exact:?}"
            ));
        }
        Ok(())
    }
}

/// Holds a core against the reference over random legs until `events` were compared. The bound is
/// for the default formats; `large` has them too.
fn run(core: Core, events: u64) -> Result<Errors, String> {
    let mut errors = Errors::default();
    let mut n = 0;
    while errors.events < events {
        for build in ["default", "large"] {
            let params = BLOCK.build(build).expect("built in").params(&BLOCK);
            let leg = random::leg(3, n, 20_000, &params);
            hold(core, &leg, &params, &mut errors).map_err(|e| format!("{build}, leg {n}: {e}"))?;
        }
        n += 1;
    }
    Ok(errors)
}

#[test]
fn the_core_stays_within_the_bounds_over_a_million_events() {
    let errors = run(CORE, 1_000_000).unwrap_or_else(|e| panic!("{e}"));
    println!(
        "{} events, {} marks: average error {:.3e} of StaticLimit (bound {:.3e}), probability error {:.3e} (bound {:.3e}), {} thresholds steered",
        errors.events,
        errors.marks,
        errors.average,
        BLOCK.bound("average"),
        errors.probability,
        BLOCK.bound("probability"),
        errors.steered
    );
    // A bound that is never approached says nothing about the comparison.
    assert!(errors.average > 0.0 && errors.probability > 0.0 && errors.marks > 0);
}

/// One queue whose average is never forgotten, a million times: weights from 1 to one in 2^20 at the
/// smallest and the largest StaticLimit, occupancies up to eight times of it.
#[test]
fn the_average_keeps_its_bound_at_every_weight_and_limit() {
    let params = ParamSet::defaults(&BLOCK);
    for limit in [9_216u64, 1_500_000, 1 << 28] {
        let most = (8 * limit).min((1 << 28) - 1);
        let mut worst = (0.0, 0.0);
        for weight in [1.0, 0.9, 0.1, 0.002, 1e-4, 3e-6, 1e-6, 1e-9, 0.0] {
            let attributes = AttributeSet::defaults(&BLOCK).with(&[
                ("static_limit", Value::Integer(limit)),
                ("ewma_weight", Value::Real(weight)),
            ]);
            let cfg = configure(&attributes, &params).expect("legal");
            let mut draw = Draw::new(5, "weights");
            let (mut queue, mut exact) = (Queue::default(), 0.0);
            for n in 0..1_000_000u64 {
                // Half of the runs stay at an end for long, which is where a weight's error shows.
                let occupancy = match n / 100_000 % 3 {
                    0 => most,
                    1 => 0,
                    _ => draw.below(most + 1),
                };
                queue.average = core::average_next(&cfg, queue.average, occupancy);
                exact += weight * (occupancy as f64 - exact);
                let error = (to_real(queue.average, cfg.avg_frac) - exact).abs() / limit as f64;
                if error > worst.0 {
                    worst = (error, weight);
                }
            }
        }
        println!("StaticLimit {limit}: {:.3e} of it, at w = {}", worst.0, worst.1);
        assert!(worst.0 <= BLOCK.bound("average"), "{limit}: {worst:?}");
        assert!(worst.0 > 0.0);
    }
}

/// A packet that does not count into its own average.
fn before_its_packet(cfg: &Cfg, queue: &mut Queue, bytes: u64) {
    queue.average = core::average_next(cfg, queue.average, queue.occupancy);
    queue.occupancy = core::occupancy_up(cfg, queue.occupancy, bytes);
}

/// A weight that keeps six bits only.
fn coarse_weight(cfg: &Cfg, queue: &mut Queue, bytes: u64) {
    let cfg = Cfg { weight: cfg.weight >> 12 << 12, ..cfg.clone() };
    core::enqueue(&cfg, queue, bytes);
}

/// An average that whole bytes are cut from.
fn whole_bytes(cfg: &Cfg, queue: &mut Queue, bytes: u64) {
    core::enqueue(cfg, queue, bytes);
    queue.average = queue.average >> cfg.avg_frac << cfg.avg_frac;
}

/// The average moves when a packet leaves, too.
fn average_at_deq(cfg: &Cfg, queue: &mut Queue, lfsr: &mut u32, packet: &Packet) -> Mark {
    let mark = core::dequeue(cfg, queue, lfsr, packet);
    queue.average = core::average_next(cfg, queue.average, queue.occupancy);
    mark
}

/// Judged after the packet has left.
fn judged_late(cfg: &Cfg, queue: &mut Queue, lfsr: &mut u32, packet: &Packet) -> Mark {
    if packet.bytes > queue.occupancy {
        return core::dequeue(cfg, queue, lfsr, packet);
    }
    queue.occupancy -= packet.bytes;
    let large = Cfg { packet_size: cfg.packet_size.saturating_sub(packet.bytes), ..cfg.clone() };
    core::dequeue(&large, queue, lfsr, &Packet { bytes: 0, ..*packet })
}

/// A packet more than MarkingRate passes.
fn one_more_passes(cfg: &Cfg, queue: &mut Queue, lfsr: &mut u32, packet: &Packet) -> Mark {
    let cfg = Cfg { marking_rate: cfg.marking_rate + 1, ..cfg.clone() };
    core::dequeue(&cfg, queue, lfsr, packet)
}

/// The LFSR moves although nothing is decided in the band.
fn restless(cfg: &Cfg, queue: &mut Queue, lfsr: &mut u32, packet: &Packet) -> Mark {
    if core::region(cfg, queue.average) == Region::Above {
        *lfsr = congruent_hw::prim::lfsr::advance32(*lfsr);
    }
    core::dequeue(cfg, queue, lfsr, packet)
}

/// A slope that is a 256th too steep.
fn steep(cfg: &Cfg, average: u64) -> u64 {
    let p = core::mark_probability(cfg, average);
    p + p / 256
}

#[test]
fn planted_faults_of_the_core_are_beyond_the_bounds() {
    let faults = [
        ("a packet not in its own average", Core { enqueue: before_its_packet, ..CORE }),
        ("a coarse weight", Core { enqueue: coarse_weight, ..CORE }),
        ("an average in whole bytes", Core { enqueue: whole_bytes, ..CORE }),
        ("an average that moves at deq", Core { dequeue: average_at_deq, ..CORE }),
        ("judged after the packet left", Core { dequeue: judged_late, ..CORE }),
        ("MarkingRate off by one", Core { dequeue: one_more_passes, ..CORE }),
        ("an LFSR that does not stand", Core { dequeue: restless, ..CORE }),
        ("a slope a 256th too steep", Core { mark_probability: steep, ..CORE }),
    ];
    for (name, core) in faults {
        match run(core, 1_000_000) {
            Err(why) => println!("{name}: {why}"),
            Ok(errors) => panic!("{name}: not noticed, {errors:?}"),
        }
    }
}
