//! The atomic fixed-point core of `rate_limiter`: one event applied to one queue pair.
//!
//! No clock, no pipeline, no forwarding: every function takes a queue pair's whole state and
//! leaves it whole. `rtl/rate_limiter.sv` computes the same steps under the same names.
//!
//! Formats: rates UQ1.RATE_FRAC of line rate; estimate, weight and probability UQ1.EST_FRAC; byte
//! times UQ15.28 cycles a byte; times UQ TIME_W.16 cycles for pacing and TIME_W cycles for
//! deadlines, modulo 2^TIME_W. Source: seed 000, "The rate control loop".

use super::dcqcn::core::ReactionCfg;
use crate::fixed::{Wrap, div_floor, halfway, round_half_up, sub_floor_zero};
use congruent_ports::rate_limiter::{BYTE_TIME_FRAC, PACE_FRAC, WAIT_W};

/// What the `cfg_*` pins carry, and the widths that the arithmetic needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cfg {
    /// Fraction bits of rate and target.
    pub rate_frac: u32,
    /// Fraction bits of estimate, weight and probability.
    pub est_frac: u32,
    /// The cycle counter.
    pub time: Wrap,
    /// The cycle counter with its pacing fraction, UQ TIME_W.16.
    pub pace_time: Wrap,
    /// `cfg_enable_ecn`.
    pub enable_ecn: bool,
    /// `cfg_half`, cycles.
    pub half: u64,
    /// `cfg_weight`, UQ1.EST_FRAC.
    pub weight: u64,
    /// `cfg_first_estimate`, UQ1.EST_FRAC.
    pub first_estimate: u64,
    /// `cfg_first_rate`, UQ1.RATE_FRAC.
    pub first_rate: u64,
    /// `cfg_additive_step`, UQ1.RATE_FRAC.
    pub additive_step: u64,
    /// `cfg_floor`, UQ1.RATE_FRAC, not 0.
    pub floor: u64,
    /// `cfg_end_rate`, UQ1.RATE_FRAC.
    pub end_rate: u64,
    /// `cfg_fast_recovery_attempt`, 0 to 15.
    pub fast_recovery_attempt: u64,
    /// `cfg_loops_per_increase`, 0 to 255.
    pub loops_per_increase: u64,
    /// `cfg_line_byte_time`, UQ5.28 cycles a byte.
    pub line_byte_time: u64,
    /// `cfg_pacing_slack`, cycles, 0 to 63.
    pub pacing_slack: u64,
    /// The pins of the reaction point, all 0 where another loop runs. Where it runs itself, the
    /// pins above are 0 but enable_ecn, end_rate and the pacer's.
    pub reaction: ReactionCfg,
}

impl Cfg {
    /// Line rate: 1.0 in UQ1.RATE_FRAC.
    #[inline]
    pub const fn line(&self) -> u64 {
        1 << self.rate_frac
    }

    /// 1.0 in UQ1.EST_FRAC.
    #[inline]
    pub const fn one(&self) -> u64 {
        1 << self.est_frac
    }
}

/// Which half the loop runs next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u8)]
pub enum Phase {
    /// A reduction half.
    #[default]
    Reduction = 0,
    /// An increase half.
    Increase = 1,
}

/// What a run of the loop did: `upd_cause`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Cause {
    /// An episode began, its first reduction included.
    Episode = 0,
    /// A reduction.
    Reduction = 1,
    /// A reduction half without CNPs: the rate stayed.
    ReductionHeld = 2,
    /// An increase.
    Increase = 3,
    /// An increase half that CNPs held back.
    IncreaseHeld = 4,
    /// An increase that ended the episode.
    End = 5,
    /// The reaction point: a cut.
    Cut = 6,
    /// The reaction point: alpha decayed.
    Alpha = 7,
    /// The reaction point: an increase in fast recovery.
    Fast = 8,
    /// The reaction point: an additive increase.
    Additive = 9,
    /// The reaction point: a hyper increase.
    Hyper = 10,
}

/// The loop's state of a queue pair. Outside an episode it is [`Loop::idle`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Loop {
    /// An episode is running.
    pub congested: bool,
    /// Current rate, UQ1.RATE_FRAC of line rate.
    pub rate: u64,
    /// Target rate, UQ1.RATE_FRAC of line rate.
    pub target: u64,
    /// Congestion estimate, UQ1.EST_FRAC.
    pub estimate: u64,
    /// Recovery count, saturating at 15.
    pub recovery: u64,
    /// The next half.
    pub phase: Phase,
    /// Increase halves with CNPs since the last increase among them, 0 to K.
    pub skipped: u64,
    /// Time at which the next half is due, cycles modulo 2^TIME_W.
    pub deadline: u64,
    /// CNPs since the last reduction half, modulo 2^TIME_W (never wraps: at most one a cycle).
    pub cnps: u64,
    /// Packets granted since the last reduction half, modulo 2^TIME_W (never wraps either).
    pub packets: u64,
}

impl Loop {
    /// The state outside an episode: line rate, everything else 0.
    pub const fn idle(cfg: &Cfg) -> Self {
        Self {
            congested: false,
            rate: cfg.line(),
            target: cfg.line(),
            estimate: 0,
            recovery: 0,
            phase: Phase::Reduction,
            skipped: 0,
            deadline: 0,
            cnps: 0,
            packets: 0,
        }
    }
}

/// The pacer's state of a queue pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pace {
    /// `next_send` means something.
    pub held: bool,
    /// Time from which the next packet may go, UQ TIME_W.16.
    pub next_send: u64,
}

/// The payload of an `upd` beat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Upd {
    /// What the run did.
    pub cause: Cause,
    /// Rate after it, UQ1.RATE_FRAC.
    pub rate: u64,
    /// Target after it, UQ1.RATE_FRAC.
    pub target: u64,
    /// Estimate after it, UQ1.EST_FRAC.
    pub estimate: u64,
    /// Recovery count after it.
    pub recovery: u64,
    /// Whether the episode goes on.
    pub congested: bool,
}

impl Upd {
    /// The fields of the beat of queue pair `qp`, in table order.
    #[inline]
    pub const fn fields(&self, qp: u64) -> [u64; 7] {
        let (cause, congested) = (self.cause as u64, self.congested as u64);
        [qp, cause, self.rate, self.target, self.estimate, self.recovery, congested]
    }
}

/// The answer to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rsp {
    /// The packet goes.
    pub grant: bool,
    /// 0 with a grant; else cycles until it may go, rounded up, saturating at 24 bits.
    pub wait: u64,
}

/// p = min(1, cnps ÷ packets), UQ1.EST_FRAC, rounded down; 1 where packets = 0 and cnps > 0; 0
/// where cnps = 0.
#[inline]
pub const fn probability(cfg: &Cfg, cnps: u64, packets: u64) -> u64 {
    if cnps == 0 {
        0
    } else if cnps >= packets {
        cfg.one()
    } else {
        div_floor(cnps, cfg.est_frac, packets)
    }
}

/// w × p + (1 − w) × estimate, rounded half up.
#[inline]
pub const fn estimate_next(cfg: &Cfg, estimate: u64, p: u64) -> u64 {
    round_half_up(cfg.weight * p + (cfg.one() - cfg.weight) * estimate, cfg.est_frac)
}

/// rate × (1 − estimate ÷ 2); the cut is rounded half up. Not yet held at the floor.
#[inline]
pub const fn cut(cfg: &Cfg, rate: u64, estimate: u64) -> u64 {
    rate - round_half_up(rate * estimate, cfg.est_frac + 1)
}

/// Holds a rate or a target at the floor.
#[inline]
pub const fn hold_at_floor(cfg: &Cfg, rate: u64) -> u64 {
    if rate < cfg.floor { cfg.floor } else { rate }
}

/// The target one additive step lower, held at the floor.
#[inline]
pub const fn target_down(cfg: &Cfg, target: u64) -> u64 {
    hold_at_floor(cfg, sub_floor_zero(target, cfg.additive_step))
}

/// The target one additive step higher, held at line rate.
#[inline]
pub const fn target_up(cfg: &Cfg, target: u64) -> u64 {
    let up = target + cfg.additive_step;
    if up > cfg.line() { cfg.line() } else { up }
}

/// Cycles a byte at `rate` (not 0), UQ15.28, rounded down: line_byte_time ÷ rate. The largest is
/// exactly 2^14: 16.0 at line rate over a rate of 1/1024.
#[inline]
pub const fn byte_time(cfg: &Cfg, rate: u64) -> u64 {
    div_floor(cfg.line_byte_time, cfg.rate_frac, rate)
}

/// Cycles that `bytes` take, with 16 fraction bits, rounded half up.
#[inline]
pub const fn duration(bytes: u64, byte_time: u64) -> u64 {
    round_half_up(bytes * byte_time, BYTE_TIME_FRAC - PACE_FRAC)
}

/// A CNP for a queue pair outside an episode, in cycle `now`: the episode starts and makes its
/// first reduction, which is the same for all. The next half, an increase, is due half an interval
/// later.
#[inline]
pub const fn start_episode(cfg: &Cfg, state: &mut Loop, now: u64) -> Upd {
    *state = Loop {
        congested: true,
        rate: cfg.first_rate,
        target: cfg.line(),
        estimate: cfg.first_estimate,
        recovery: 0,
        phase: Phase::Increase,
        skipped: 0,
        deadline: cfg.time.add(now, cfg.half),
        cnps: 0,
        packets: 0,
    };
    report(state, Cause::Episode)
}

/// A CNP for a queue pair in an episode.
#[inline]
pub const fn count_cnp(cfg: &Cfg, state: &mut Loop) {
    state.cnps = cfg.time.add(state.cnps, 1);
}

/// Whether the next half is due in cycle `now`.
#[inline]
pub const fn due(cfg: &Cfg, state: &Loop, now: u64) -> bool {
    state.congested && cfg.time.reached(now, state.deadline)
}

/// Runs the half that is due: the estimate first, then the reduction or increase.
#[inline]
pub const fn run_half(cfg: &Cfg, state: &mut Loop) -> Upd {
    let p = probability(cfg, state.cnps, state.packets);
    state.estimate = estimate_next(cfg, state.estimate, p);
    state.deadline = cfg.time.add(state.deadline, cfg.half);
    match state.phase {
        Phase::Reduction => reduction_half(cfg, state),
        Phase::Increase => increase_half(cfg, state),
    }
}

const fn reduction_half(cfg: &Cfg, state: &mut Loop) -> Upd {
    let cause = if state.cnps == 0 {
        Cause::ReductionHeld
    } else {
        if state.recovery < cfg.fast_recovery_attempt {
            state.rate = hold_at_floor(cfg, cut(cfg, state.rate, state.estimate));
            state.recovery = 0;
        } else {
            state.target = target_down(cfg, state.target);
            state.rate = hold_at_floor(cfg, halfway(state.rate, state.target));
            state.recovery = sub_floor_zero(state.recovery, 1);
        }
        Cause::Reduction
    };
    state.cnps = 0;
    state.packets = 0;
    state.phase = Phase::Increase;
    report(state, cause)
}

const fn increase_half(cfg: &Cfg, state: &mut Loop) -> Upd {
    state.phase = Phase::Reduction;
    if state.cnps != 0 {
        if state.skipped != cfg.loops_per_increase {
            state.skipped += 1;
            return report(state, Cause::IncreaseHeld);
        }
        state.skipped = 0;
    }
    if state.recovery >= cfg.fast_recovery_attempt {
        state.target = target_up(cfg, state.target);
    }
    state.rate = hold_at_floor(cfg, halfway(state.rate, state.target));
    if state.recovery < 15 {
        state.recovery += 1;
    }
    if state.rate < cfg.end_rate {
        return report(state, Cause::Increase);
    }
    let (estimate, recovery) = (state.estimate, state.recovery);
    *state = Loop::idle(cfg);
    Upd { estimate, recovery, ..report(state, Cause::End) }
}

const fn report(state: &Loop, cause: Cause) -> Upd {
    Upd {
        cause,
        rate: state.rate,
        target: state.target,
        estimate: state.estimate,
        recovery: state.recovery,
        congested: state.congested,
    }
}

/// A packet of `bytes` (not 0) asks to be sent in cycle `now`, paced at `byte_time`, the byte time
/// in effect. A grant moves `next_send` and counts into the packets of an episode.
#[inline]
pub const fn request(
    cfg: &Cfg,
    pace: &mut Pace,
    state: &mut Loop,
    now: u64,
    bytes: u64,
    byte_time: u64,
) -> Rsp {
    let rsp = self::pace(cfg, pace, now, duration(bytes, byte_time));
    if rsp.grant && state.congested {
        state.packets = cfg.time.add(state.packets, 1);
    }
    rsp
}

/// A packet that lasts `duration` (UQ TIME_W.16 cycles) asks to be sent in cycle `now`. A grant
/// moves `next_send`.
#[inline]
pub const fn pace(cfg: &Cfg, pace: &mut Pace, now: u64, duration: u64) -> Rsp {
    let now = now << PACE_FRAC;
    if pace.held && !cfg.pace_time.reached(now, pace.next_send) {
        let left = cfg.pace_time.sub(pace.next_send, now);
        let wait = (left + ((1 << PACE_FRAC) - 1)) >> PACE_FRAC;
        let most = (1 << WAIT_W) - 1;
        return Rsp { grant: false, wait: if wait > most { most } else { wait } };
    }
    let base = if pace.held && !slack_over(cfg, pace, now) { pace.next_send } else { now };
    pace.next_send = cfg.pace_time.add(base, duration);
    pace.held = true;
    Rsp { grant: true, wait: 0 }
}

/// The sweep's look at the pacer in cycle `now`: forgets a `next_send` that can no longer be the
/// base of the next one.
#[inline]
pub const fn expire(cfg: &Cfg, pace: &mut Pace, now: u64) {
    let now = now << PACE_FRAC;
    if pace.held && cfg.pace_time.reached(now, pace.next_send) && slack_over(cfg, pace, now) {
        *pace = Pace { held: false, next_send: 0 };
    }
}

/// now − next_send ≥ PacingSlack, for a `now` (UQ TIME_W.16) that has reached next_send.
const fn slack_over(cfg: &Cfg, pace: &Pace, now: u64) -> bool {
    cfg.pace_time.sub(now, pace.next_send) >= cfg.pacing_slack << PACE_FRAC
}
