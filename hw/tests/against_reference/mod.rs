//! The core of `rate_limiter` held against the f64 reference, event by event.
//!
//! Both get the same events of one leg, each half at its due time. Where a threshold falls between
//! the two (closer than the bound) the reference follows the core's branch, and that is counted; a
//! branch that differs by more than the bound is a failure.

use congruent_hw::attributes::AttributeSet;
use congruent_hw::fixed::to_real;
use congruent_hw::rate_limiter::cfg::{END_GAP_GBPS, configure};
use congruent_hw::rate_limiter::core::{self, Cause, Cfg, Loop, Pace, Upd};
use congruent_hw::rate_limiter::reference::{Answer, Constants, Follow, QueuePair};
use congruent_hw::scenario::Leg;
use congruent_ports::ParamSet;
use congruent_ports::rate_limiter::{BLOCK, PACE_FRAC, WAIT_W};

/// The functions of the core that are held against the reference; tests plant faults here.
#[derive(Clone, Copy)]
pub struct Core {
    /// An episode's start.
    pub start_episode: fn(&Cfg, &mut Loop, u64) -> Upd,
    /// A half.
    pub run_half: fn(&Cfg, &mut Loop) -> Upd,
    /// Cycles a byte at a rate.
    pub byte_time: fn(&Cfg, u64) -> u64,
}

/// The core as it is.
pub const CORE: Core = Core {
    start_episode: core::start_episode,
    run_half: core::run_half,
    byte_time: core::byte_time,
};

/// Largest errors that were seen.
#[derive(Debug, Default, Clone, Copy)]
pub struct Errors {
    /// Events compared: CNPs, requests, halves.
    pub events: u64,
    /// Rate and target, share of line rate.
    pub rate: f64,
    /// Estimate.
    pub estimate: f64,
    /// `next_send`, cycles.
    pub pace: f64,
    /// Thresholds at which the reference followed the core.
    pub steered: u64,
}

impl Errors {
    fn see(
        &mut self,
        upd: &Upd,
        exact: &congruent_hw::rate_limiter::reference::RunReport,
        c: &Constants,
        cfg: &Cfg,
    ) -> Result<(), String> {
        let rate = |raw: u64, gbps: f64| (to_real(raw, cfg.rate_frac) - gbps / c.line()).abs();
        self.rate = self.rate.max(rate(upd.rate, exact.rate)).max(rate(upd.target, exact.target));
        let estimate = (to_real(upd.estimate, cfg.est_frac) - exact.estimate).abs();
        self.estimate = self.estimate.max(estimate);
        let same = upd.cause == exact.cause
            && upd.recovery == exact.recovery
            && upd.congested == exact.congested;
        if !same || self.rate > BLOCK.bound("rate") {
            return Err(format!("core {upd:?}, reference {exact:?}, line {}", c.line()));
        }
        Ok(())
    }
}

struct Pair {
    state: Loop,
    pace: Pace,
    byte_time: u64,
    exact: QueuePair,
    /// Cycle of the core's next half, not modulo.
    due: Option<u64>,
}

/// Plays a leg's CNPs and requests into both. Returns the errors, or what is beyond the bound.
pub fn hold(core_fns: Core, leg: &Leg, params: &ParamSet) -> Result<Errors, String> {
    let cfg = configure(&leg.attributes, params).map_err(|e| e.to_string())?;
    let constants = Constants::new(&leg.attributes);
    let qps = params.get("QPS") as usize;
    let mut pairs: Vec<_> = (0..qps).map(|_| Pair::new(&cfg, &constants)).collect();
    let mut errors = Errors::default();
    let streams = &leg.stimulus.streams;
    let mut at = [0, 0];
    for cycle in 0..leg.stimulus.cycles {
        // Order within a cycle: request, half, CNP.
        if streams[1].not_before(at[1]) == Some(cycle) {
            let (qp, bytes) = (streams[1].payload(at[1])[0] as usize, streams[1].payload(at[1])[1]);
            at[1] += 1;
            if qp < qps && bytes > 0 {
                pairs[qp].request(&cfg, &constants, &leg.attributes, cycle, bytes, &mut errors)?;
            }
        }
        for pair in pairs.iter_mut().filter(|p| p.due == Some(cycle)) {
            pair.half(core_fns, &cfg, &constants, &mut errors)?;
        }
        if streams[0].not_before(at[0]) == Some(cycle) {
            let qp = streams[0].payload(at[0])[0] as usize;
            at[0] += 1;
            if qp < qps {
                pairs[qp].cnp(core_fns, &cfg, &constants, cycle, &mut errors)?;
            }
        }
        let visited = &mut pairs[cycle as usize % qps];
        core::expire(&cfg, &mut visited.pace, cycle & cfg.time.mask());
    }
    Ok(errors)
}

impl Pair {
    fn new(cfg: &Cfg, constants: &Constants) -> Self {
        Self {
            state: Loop::idle(cfg),
            pace: Pace::default(),
            byte_time: cfg.line_byte_time,
            exact: QueuePair::new(constants),
            due: None,
        }
    }

    fn cnp(
        &mut self,
        core_fns: Core,
        cfg: &Cfg,
        c: &Constants,
        cycle: u64,
        errors: &mut Errors,
    ) -> Result<(), String> {
        errors.events += 1;
        let exact = self.exact.cnp(c, cycle as f64);
        if !cfg.enable_ecn {
            return match exact {
                None => Ok(()),
                Some(_) => Err("the reference starts an episode without ECN".to_string()),
            };
        }
        if self.state.congested {
            core::count_cnp(cfg, &mut self.state);
            return match exact {
                None => Ok(()),
                Some(_) => Err("the reference starts an episode within one".to_string()),
            };
        }
        let exact = exact.ok_or("the reference starts no episode")?;
        let upd = (core_fns.start_episode)(cfg, &mut self.state, cycle & cfg.time.mask());
        self.due = Some(cycle + cfg.half);
        self.byte_time = (core_fns.byte_time)(cfg, upd.rate);
        errors.see(&upd, &exact, c, cfg)
    }

    fn half(
        &mut self,
        core_fns: Core,
        cfg: &Cfg,
        c: &Constants,
        errors: &mut Errors,
    ) -> Result<(), String> {
        errors.events += 1;
        let gap = self.exact.gap_after_increase(c);
        let upd = (core_fns.run_half)(cfg, &mut self.state);
        let ends = upd.cause == Cause::End;
        let close = ((gap - END_GAP_GBPS) / c.line()).abs() <= BLOCK.bound("rate");
        errors.steered += u64::from(close && ends != (gap <= END_GAP_GBPS));
        let follow = Follow { end: close.then_some(ends), ..Follow::default() };
        let exact = self.exact.half(c, follow);
        self.due = if upd.congested { self.due.map(|due| due + cfg.half) } else { None };
        self.byte_time = (core_fns.byte_time)(cfg, upd.rate);
        if upd.congested && self.exact.deadline != self.due.map_or(f64::INFINITY, |d| d as f64) {
            return Err("the deadlines part".to_string());
        }
        errors.see(&upd, &exact, c, cfg)
    }

    /// The reference paces at the core's rate: this is about the pacer's arithmetic alone.
    fn request(
        &mut self,
        cfg: &Cfg,
        c: &Constants,
        attributes: &AttributeSet,
        cycle: u64,
        bytes: u64,
        errors: &mut Errors,
    ) -> Result<(), String> {
        errors.events += 1;
        let now = cycle & cfg.time.mask();
        let before = self.pace;
        let rsp = core::request(cfg, &mut self.pace, &mut self.state, now, bytes, self.byte_time);
        let late = cycle as f64 - self.exact.next_send;
        let near = |threshold: f64| (late - threshold).abs() <= BLOCK.bound("next_send");
        let slack = attributes.real("pacing_slack");
        let within = before.held
            && cfg.pace_time.sub(now << PACE_FRAC, before.next_send)
                < cfg.pacing_slack << PACE_FRAC;
        let differs = near(0.0) && rsp.grant != (late >= 0.0)
            || rsp.grant && near(slack) && within != (late < slack);
        errors.steered += u64::from(differs);
        let follow = Follow {
            grant: near(0.0).then_some(rsp.grant),
            within_slack: near(slack).then_some(within),
            end: None,
        };
        let rate = to_real(self.state.rate, cfg.rate_frac) * c.line();
        let exact = self.exact.request(c, cycle as f64, bytes, rate, follow);
        match exact {
            Answer::Grant if rsp.grant => {
                let ahead = cfg.pace_time.sub(self.pace.next_send, now << PACE_FRAC);
                // A next_send in the past shows as a difference of almost a whole wrap.
                let whole = 2f64.powi(cfg.pace_time.mask().count_ones() as i32);
                let mut ahead = ahead as f64;
                if ahead > whole / 2.0 {
                    ahead -= whole;
                }
                let error = ahead / 65_536.0 - (self.exact.next_send - cycle as f64);
                errors.pace = errors.pace.max(error.abs());
            }
            Answer::Wait(cycles) if !rsp.grant => {
                let exact = cycles.min(((1u64 << WAIT_W) - 1) as f64);
                if (rsp.wait as f64 - exact.ceil()).abs() > 1.0 {
                    return Err(format!("the core waits {}, the reference {exact}", rsp.wait));
                }
            }
            _ => return Err(format!("core {rsp:?}, reference {exact:?}, cycle {cycle}")),
        }
        if errors.pace > BLOCK.bound("next_send") {
            return Err(format!("next_send is off by {} cycles", errors.pace));
        }
        Ok(())
    }
}
