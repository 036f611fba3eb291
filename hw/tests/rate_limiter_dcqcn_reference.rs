//! The error bound of the reaction point's core against the f64 reference over a million random
//! events, measured and printed; and planted faults of the core that the bound must catch.
//!
//! Both get the CNPs and requests of one leg, and run what is due at its due time. Where an end falls
//! between the two (closer than the bound) the reference follows the core, and that is counted. The
//! pacer is the same as with the other loop, whose test holds it to its own bound.

use congruent_hw::fixed::to_real;
use congruent_hw::rate_limiter::cfg::configure;
use congruent_hw::rate_limiter::core::{Cause, Cfg, Pace, Upd, byte_time, expire};
use congruent_hw::rate_limiter::dcqcn::core::{self, Reaction};
use congruent_hw::rate_limiter::dcqcn::reference::{Constants, QueuePair};
use congruent_hw::rate_limiter::random;
use congruent_hw::rate_limiter::reference::{Follow, RunReport};
use congruent_hw::scenario::Leg;
use congruent_ports::ParamSet;
use congruent_ports::rate_limiter::BLOCK;

/// The functions of the core that are held against the reference; tests plant faults here.
#[derive(Clone, Copy)]
struct Core {
    cnp: fn(&Cfg, &mut Reaction, u64, u64) -> Option<Upd>,
    decay: fn(&Cfg, &mut Reaction) -> Upd,
    timer_increase: fn(&Cfg, &mut Reaction) -> Upd,
    byte_increase: fn(&Cfg, &mut Reaction, u64) -> Upd,
}

const CORE: Core = Core {
    cnp: core::cnp,
    decay: core::decay,
    timer_increase: core::timer_increase,
    byte_increase: core::byte_increase,
};

/// Largest errors that were seen.
#[derive(Debug, Default)]
struct Errors {
    /// CNPs, decays, increases, requests.
    events: u64,
    /// Rate and target, share of line rate.
    rate: f64,
    alpha: f64,
    /// Ends at which the reference followed the core.
    steered: u64,
}

struct Pair {
    state: Reaction,
    pace: Pace,
    total: u64,
    exact: QueuePair,
}

struct Player<'a> {
    core: Core,
    cfg: &'a Cfg,
    constants: &'a Constants,
    errors: &'a mut Errors,
}

impl Player<'_> {
    fn see(&mut self, upd: &Upd, exact: &RunReport) -> Result<(), String> {
        let Errors { events, rate, alpha, .. } = self.errors;
        *events += 1;
        let line = self.constants.line();
        let error = |raw: u64, gbps: f64| (to_real(raw, self.cfg.rate_frac) - gbps / line).abs();
        *rate = rate.max(error(upd.rate, exact.rate)).max(error(upd.target, exact.target));
        *alpha = alpha.max((to_real(upd.estimate, self.cfg.est_frac) - exact.estimate).abs());
        let same = upd.cause == exact.cause
            && upd.recovery == exact.recovery
            && upd.congested == exact.congested;
        if !same || *rate > BLOCK.bound("rate") || *alpha > BLOCK.bound("alpha") {
            return Err(format!("core {upd:?}, reference {exact:?}, line {line}"));
        }
        Ok(())
    }

    fn cnp(&mut self, pair: &mut Pair, cycle: u64) -> Result<(), String> {
        if !self.cfg.enable_ecn {
            return Ok(());
        }
        let now = cycle & self.cfg.time.mask();
        let upd = (self.core.cnp)(self.cfg, &mut pair.state, now, pair.total);
        match (upd, pair.exact.cnp(self.constants, cycle as f64)) {
            (Some(upd), Some(exact)) => self.see(&upd, &exact),
            (None, None) => {
                self.errors.events += 1;
                Ok(())
            }
            other => Err(format!("{other:?} in cycle {cycle}")),
        }
    }

    /// Whether the reference must follow the core's end: where it is too close to tell.
    fn follow(&mut self, pair: &Pair, upd: &Upd, by_bytes: bool) -> Follow {
        let (target, rate) = pair.exact.short_of_end(self.constants, by_bytes);
        let near = BLOCK.bound("rate") * self.constants.line();
        let ends = upd.cause == Cause::End;
        let close = target <= near && rate <= near && (target > -near || rate > -near);
        self.errors.steered += u64::from(close && ends != (target <= 0.0 && rate <= 0.0));
        Follow { end: close.then_some(ends), ..Follow::default() }
    }

    fn due(&mut self, pair: &mut Pair, cycle: u64) -> Result<(), String> {
        let now = cycle & self.cfg.time.mask();
        if cycle as f64 >= pair.exact.alpha_deadline || core::decay_due(self.cfg, &pair.state, now)
        {
            let upd = (self.core.decay)(self.cfg, &mut pair.state);
            self.see(&upd, &pair.exact.decay(self.constants))?;
        }
        let timer = core::timer_due(self.cfg, &pair.state, now);
        if both(cycle as f64 >= pair.exact.deadline, timer)? {
            let upd = (self.core.timer_increase)(self.cfg, &mut pair.state);
            let follow = self.follow(pair, &upd, false);
            let exact = pair.exact.timer_increase(self.constants, follow);
            self.see(&upd, &exact)?;
        }
        while both(
            pair.exact.bytes_due(self.constants),
            core::bytes_due(self.cfg, &pair.state, pair.total),
        )? {
            let upd = (self.core.byte_increase)(self.cfg, &mut pair.state, pair.total);
            let follow = self.follow(pair, &upd, true);
            let exact = pair.exact.byte_increase(self.constants, follow);
            self.see(&upd, &exact)?;
        }
        Ok(())
    }

    /// The core decides when a packet goes; the reference counts its bytes.
    fn request(&mut self, pair: &mut Pair, cycle: u64, bytes: u64) {
        self.errors.events += 1;
        let now = cycle & self.cfg.time.mask();
        let time = byte_time(self.cfg, pair.state.rate);
        let rsp = core::request(self.cfg, &mut pair.pace, &mut pair.total, now, bytes, time);
        if rsp.grant && pair.exact.congested {
            pair.exact.waiting_bytes += bytes;
        }
    }
}

/// What is due with one must be due with the other.
fn both(exact: bool, core: bool) -> Result<bool, String> {
    match (exact, core) {
        (true, true) => Ok(true),
        (false, false) => Ok(false),
        _ => Err(format!("due: core {core}, reference {exact}")),
    }
}

/// Plays a leg's CNPs and requests into both.
fn hold(core: Core, leg: &Leg, params: &ParamSet, errors: &mut Errors) -> Result<(), String> {
    let cfg = configure(&leg.attributes, params).map_err(|e| e.to_string())?;
    let constants = Constants::new(&leg.attributes);
    let qps = params.get("QPS") as usize;
    let mut pairs: Vec<_> = (0..qps)
        .map(|_| Pair {
            state: Reaction::idle(&cfg),
            pace: Pace::default(),
            total: 0,
            exact: QueuePair::new(&constants),
        })
        .collect();
    let mut player = Player { core, cfg: &cfg, constants: &constants, errors };
    let streams = &leg.stimulus.streams;
    let mut at = [0, 0];
    for cycle in 0..leg.stimulus.cycles {
        if streams[1].not_before(at[1]) == Some(cycle) {
            let (qp, bytes) = (streams[1].payload(at[1])[0] as usize, streams[1].payload(at[1])[1]);
            at[1] += 1;
            if qp < qps && bytes > 0 {
                player.request(&mut pairs[qp], cycle, bytes);
            }
        }
        for pair in pairs.iter_mut().filter(|pair| pair.exact.congested) {
            player.due(pair, cycle)?;
        }
        if streams[0].not_before(at[0]) == Some(cycle) {
            let qp = streams[0].payload(at[0])[0] as usize;
            at[0] += 1;
            if qp < qps {
                player.cnp(&mut pairs[qp], cycle)?;
            }
        }
        let visited = &mut pairs[cycle as usize % qps];
        let now = cycle & cfg.time.mask();
        expire(&cfg, &mut visited.pace, now);
        core::forget_cut(&cfg, &mut visited.state, now);
    }
    Ok(())
}

const SHORT: [(&str, i64); 6] =
    [("DCQCN", 1), ("EST_FRAC", 24), ("QPS", 8), ("QP_W", 4), ("TIME_W", 12), ("BYTE_W", 20)];

/// Holds a core against the reference over random legs until `events` were compared.
fn run(core: Core, events: u64) -> Result<Errors, String> {
    let mut errors = Errors::default();
    for n in 0.. {
        for changes in [&SHORT[..], &SHORT[..3]] {
            let params = ParamSet::with(&BLOCK, changes.iter().copied()).expect("legal");
            let leg = random::leg(3, n, 20_000, &params);
            hold(core, &leg, &params, &mut errors).map_err(|e| format!("leg {n}: {e}"))?;
        }
        if errors.events >= events {
            break;
        }
    }
    Ok(errors)
}

#[test]
fn the_core_stays_within_the_bound_over_a_million_events() {
    let errors = run(CORE, 1_000_000).unwrap_or_else(|e| panic!("{e}"));
    println!(
        "{} events: rate error {:.3e} of line rate (bound {:e}), alpha error {:.3e} (bound {:e}), {} ends steered",
        errors.events,
        errors.rate,
        BLOCK.bound("rate"),
        errors.alpha,
        BLOCK.bound("alpha"),
        errors.steered
    );
    // A bound that is never approached says nothing about the comparison.
    assert!(errors.rate > 1e-7 && errors.alpha > 1e-7);
}

/// Raises alpha before the cut, as some implementations do.
fn alpha_first(cfg: &Cfg, state: &mut Reaction, now: u64, total: u64) -> Option<Upd> {
    let mut before = *state;
    if before.congested {
        before.alpha = core::alpha_up(cfg, before.alpha);
    }
    let upd = core::cnp(cfg, &mut before, now, total)?;
    let alpha = core::alpha_up(cfg, state.alpha);
    *state = before;
    if upd.cause == Cause::Cut {
        state.alpha = alpha;
        return Some(Upd { estimate: alpha, ..upd });
    }
    Some(upd)
}

/// Moves the target at every cut, whatever clamp_tgt_rate says.
fn always_clamped(cfg: &Cfg, state: &mut Reaction, now: u64, total: u64) -> Option<Upd> {
    let mut cfg = cfg.clone();
    cfg.reaction.clamp_target = true;
    core::cnp(&cfg, state, now, total)
}

/// Ignores a CNP exactly at the monitor period too.
fn period_too_long(cfg: &Cfg, state: &mut Reaction, now: u64, total: u64) -> Option<Upd> {
    let mut longer = cfg.clone();
    longer.reaction.monitor_period += u64::from(cfg.reaction.monitor_period != 0);
    core::cnp(&longer, state, now, total)
}

/// A decay with G a 1024th higher.
fn slow_decay(cfg: &Cfg, state: &mut Reaction) -> Upd {
    let mut cfg = cfg.clone();
    cfg.reaction.alpha_gain = (cfg.reaction.alpha_gain + 1).min(1023);
    core::decay(&cfg, state)
}

/// Leaves fast recovery one stage early.
fn one_stage_early(cfg: &Cfg, state: &mut Reaction) -> Upd {
    let mut cfg = cfg.clone();
    cfg.reaction.threshold = cfg.reaction.threshold.saturating_sub(1);
    core::timer_increase(&cfg, state)
}

/// Drops the bytes beyond the counter.
fn no_remainder(cfg: &Cfg, state: &mut Reaction, total: u64) -> Upd {
    let upd = core::byte_increase(cfg, state, total);
    if state.congested {
        state.byte_base = total;
    }
    upd
}

#[test]
fn planted_faults_of_the_core_are_beyond_the_bound() {
    let faults = [
        ("alpha raised before the cut", Core { cnp: alpha_first, ..CORE }),
        ("the target always clamped", Core { cnp: always_clamped, ..CORE }),
        ("the monitor period a cycle too long", Core { cnp: period_too_long, ..CORE }),
        ("alpha decays too slowly", Core { decay: slow_decay, ..CORE }),
        ("fast recovery a stage too short", Core { timer_increase: one_stage_early, ..CORE }),
        ("bytes are not carried over", Core { byte_increase: no_remainder, ..CORE }),
    ];
    for (name, core) in faults {
        match run(core, 1_000_000) {
            Err(why) => println!("{name}: {why}"),
            Ok(errors) => panic!("{name}: not noticed, {errors:?}"),
        }
    }
}
