//! The error bound of the core over a million random events, measured and printed; and planted
//! faults of the core that the bound must catch.

use congruent_hw::fixed::to_real;
use congruent_hw::nscc_window::cfg::configure;
use congruent_hw::nscc_window::core::{self, Cfg, Context, Event, Kind, Outcome, Routine};
use congruent_hw::nscc_window::model::event_of;
use congruent_hw::nscc_window::random;
use congruent_hw::nscc_window::reference::{self, Constants, Destination, Follow, Report};
use congruent_hw::nscc_window::serial::{Apply, Serial};
use congruent_hw::scenario::Leg;
use congruent_ports::nscc_window::{AVERAGE_FRAC, BLOCK, RTT_FRAC};
use congruent_ports::{ParamSet, error};

/// |average error|, cycles.
const AVERAGE_BOUND: f64 = 0.1;

/// |max window error|, bytes.
const MAX_WINDOW_BOUND: f64 = 0.1;

/// Largest errors that were seen.
#[derive(Debug, Default, Clone, Copy)]
struct Errors {
    events: u64,
    /// Bytes.
    cwnd: f64,
    /// Cycles.
    average: f64,
    /// Bytes.
    max_window: f64,
    /// Thresholds at which the reference followed the core.
    steered: u64,
}

impl Errors {
    fn merge(&mut self, other: &Self) {
        self.events += other.events;
        self.steered += other.steered;
        self.cwnd = self.cwnd.max(other.cwnd);
        self.average = self.average.max(other.average);
        self.max_window = self.max_window.max(other.max_window);
    }

    fn see(&mut self, cfg: &Cfg, core: &Context, exact: &Destination) -> Result<(), String> {
        let window = |raw: u64| to_real(raw, cfg.cwnd_frac);
        self.cwnd = self.cwnd.max((window(core.cwnd) - exact.cwnd).abs());
        let saved = window(core.saved_cwnd) - exact.saved_cwnd.unwrap_or(0.0);
        self.cwnd = self.cwnd.max(saved.abs());
        self.max_window = self.max_window.max((window(core.max_window) - exact.max_window).abs());
        let average = to_real(core.avg_delay, AVERAGE_FRAC);
        self.average = self.average.max((average - exact.avg_delay).abs());
        let same = core.in_flight as f64 == exact.in_flight
            && to_real(core.base_rtt, RTT_FRAC) == exact.base_rtt
            && core.received as f64 == exact.received
            && core.fast_count as f64 == exact.fast_count
            && core.fast_on == exact.fast_on
            && core.qa_open == exact.qa_end.is_some()
            && core.qa_bytes as f64 == exact.qa_bytes
            && core.qa_trigger == exact.qa_trigger
            && core.ignore_left as f64 == exact.ignore_left
            && (core.saved_cwnd != 0) == exact.saved_cwnd.is_some();
        let within = self.cwnd <= BLOCK.bound("cwnd")
            && self.average <= AVERAGE_BOUND
            && self.max_window <= MAX_WINDOW_BOUND;
        if same && within { Ok(()) } else { Err(format!("{self:?}\n{core:?}\n{exact:?}")) }
    }
}

/// Plays a leg's events into a core and the reference. Returns the errors, or what is beyond them.
fn hold(apply: Apply, leg: &Leg, params: &ParamSet) -> Result<Errors, String> {
    let cfg = configure(&leg.attributes, params).map_err(|e| e.to_string())?;
    let constants = Constants::new(&leg.attributes, params);
    let mut serial = Serial::new(&cfg, params);
    let mut exact: Vec<Option<Destination>> = vec![None; serial.dests() as usize];
    let mut errors = Errors::default();
    let events = &leg.stimulus.streams[0];
    for n in 0..events.len() {
        let payload = events.payload(n);
        let (dst, mut evt) = (payload[1], event_of(payload));
        // No receiver reports more at once than a window holds. Beyond that a byte's fraction of
        // the gain, times bytes ÷ cwnd, is no fraction of a byte any more.
        evt.bytes = evt.bytes.min(cfg.first_window >> cfg.cwnd_frac);
        let cycle = serial.take(events.not_before(n).expect("a beat"));
        let Some(outcome) = serial.apply(cycle, dst, &evt, apply) else { continue };
        errors.events += 1;
        let slot = &mut exact[dst as usize];
        let mut follow = Follow { outcome: Some(&outcome), steered: 0 };
        let report = reference::event(&constants, slot, cycle as f64, &evt, &mut follow);
        errors.steered += follow.steered;
        let core_report = Report {
            routine: outcome.routine,
            granted: outcome.granted,
            wants_cack: outcome.wants_cack,
            error: outcome.error,
        };
        let context = serial.context(dst);
        let place = || format!("beat {n}, cycle {cycle}, {dst}: {evt:?}\n{outcome:?} {report:?}");
        if core_report != report || context.open != slot.is_some() {
            return Err(format!("{}\n{context:?}\n{slot:?}", place()));
        }
        if let Some(exact) = slot {
            errors.see(&cfg, context, exact).map_err(|e| format!("{}\n{e}", place()))?;
        }
    }
    Ok(errors)
}

/// Holds a core against the reference over random legs until `events` were compared.
fn run(apply: Apply, events: u64) -> Result<Errors, String> {
    let mut all = Errors::default();
    for n in 0.. {
        for set in BLOCK.builds {
            let params = set.params(&BLOCK);
            let leg = random::leg(3, n, 40_000, &params);
            let errors =
                hold(apply, &leg, &params).map_err(|e| format!("{}, leg {n}: {e}", set.name))?;
            all.merge(&errors);
        }
        if all.events >= events {
            break;
        }
    }
    Ok(all)
}

#[test]
fn the_core_stays_within_the_bound_over_a_million_events() {
    let errors = run(core::event, 1_000_000).unwrap_or_else(|e| panic!("{e}"));
    println!(
        "{} events: cwnd error {:.3} bytes (bound {}), average error {:.2e} cycles, max window error {:.3} bytes, {} thresholds steered",
        errors.events,
        errors.cwnd,
        BLOCK.bound("cwnd"),
        errors.average,
        errors.max_window,
        errors.steered
    );
    // A bound that is never approached says nothing about the comparison.
    assert!(errors.cwnd > 0.0 && errors.average > 0.0);
}

/// Counts flight where bytes belong, and the other way round.
fn flight_for_bytes(cfg: &Cfg, ctx: &mut Context, now: u64, evt: &Event) -> Outcome {
    let (bytes, flight) = (evt.flight, evt.bytes);
    core::event(cfg, ctx, now, &Event { bytes, flight, ..*evt })
}

/// The margin one LSB too high: a sample at the margin counts towards fast increase.
fn margin_included(cfg: &Cfg, ctx: &mut Context, now: u64, evt: &Event) -> Outcome {
    core::event(&Cfg { margin: cfg.margin + 1, ..cfg.clone() }, ctx, now, evt)
}

/// A cut that is not held at the smallest window.
fn cut_below_floor(cfg: &Cfg, ctx: &mut Context, now: u64, evt: &Event) -> Outcome {
    let outcome = core::event(cfg, ctx, now, evt);
    if outcome.routine == Routine::Decrease && ctx.cwnd == cfg.floor() {
        ctx.cwnd -= cfg.floor() / 2;
    }
    outcome
}

/// The period of the additive term starts a little before the event that adds it.
fn eta_restarts_early(cfg: &Cfg, ctx: &mut Context, now: u64, evt: &Event) -> Outcome {
    let outcome = core::event(cfg, ctx, now, evt);
    if outcome.by_time {
        ctx.last_eta = cfg.time.sub(now, 8);
    }
    outcome
}

/// A gain of proportional increase that is two per cent too large.
fn alpha_too_large(cfg: &Cfg, ctx: &mut Context, now: u64, evt: &Event) -> Outcome {
    core::event(&Cfg { alpha: cfg.alpha + cfg.alpha / 50, ..cfg.clone() }, ctx, now, evt)
}

/// The pending increase outlives a Quick Adapt.
fn pending_survives(cfg: &Cfg, ctx: &mut Context, now: u64, evt: &Event) -> Outcome {
    let pending = ctx.pending;
    let outcome = core::event(cfg, ctx, now, evt);
    if outcome.qa_fired {
        ctx.pending = pending;
    }
    outcome
}

/// A trim takes its packet off the window while trims are ignored.
fn ignored_trims_cut(cfg: &Cfg, ctx: &mut Context, now: u64, evt: &Event) -> Outcome {
    let outcome = core::event(cfg, ctx, now, evt);
    if outcome.routine == Routine::Ignored {
        ctx.cwnd = core::less(cfg, ctx.cwnd, evt.flight);
    }
    outcome
}

/// The ceiling holds from the next sack on only.
fn bounds_too_late(cfg: &Cfg, ctx: &mut Context, now: u64, evt: &Event) -> Outcome {
    let ceiling = ctx.max_window;
    let outcome = core::event(cfg, ctx, now, evt);
    if evt.kind == Kind::Sack && outcome.error == error::NONE && ctx.max_window < ceiling {
        ctx.cwnd = ctx.cwnd.max(ceiling);
    }
    outcome
}

#[test]
fn planted_faults_of_the_core_are_beyond_the_bound() {
    let faults: [(&str, Apply); 8] = [
        ("flight counted for bytes", flight_for_bytes),
        ("a sample at the margin counts", margin_included),
        ("a cut below the floor", cut_below_floor),
        ("eta's period starts early", eta_restarts_early),
        ("alpha two per cent too large", alpha_too_large),
        ("pending survives Quick Adapt", pending_survives),
        ("ignored trims cut", ignored_trims_cut),
        ("bounds too late", bounds_too_late),
    ];
    for (name, apply) in faults {
        match run(apply, 1_000_000) {
            Err(why) => println!("{name}: {}", why.lines().next().unwrap_or_default()),
            Ok(errors) => panic!("{name}: not noticed, {errors:?}"),
        }
    }
}
