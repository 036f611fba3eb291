//! The atomic fixed-point core of the reaction point: one event applied to one queue pair.
//!
//! As in `rate_limiter::core`, no clock and no pipeline. Formats: rates UQ1.RATE_FRAC of line rate;
//! alpha UQ1.EST_FRAC; times in cycles modulo 2^TIME_W; bytes modulo 2^BYTE_W. In an episode
//! cfg_min_rate <= rate <= target <= line rate. Source: the last section of the page (Zhu et al.
//! 2015, with the parameter names of its ecosystem).

use crate::fixed::{Wrap, halfway, round_half_up};
use crate::rate_limiter::core::{Cause, Cfg, Pace, Rsp, Upd, cut, duration, pace};
use congruent_ports::rate_limiter::{DEC_FRAC, GAIN_FRAC, STAGE_W};

/// The most that a stage counts to.
pub const STAGE_MOST: u64 = (1 << STAGE_W) - 1;

/// What the reaction point's `cfg_*` pins carry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReactionCfg {
    /// The total of granted bytes.
    pub bytes: Wrap,
    /// `cfg_initial_alpha`, UQ1.EST_FRAC.
    pub initial_alpha: u64,
    /// `cfg_first_cnp_rate`, UQ1.RATE_FRAC.
    pub first_cnp_rate: u64,
    /// `cfg_alpha_gain`, G in 1024ths.
    pub alpha_gain: u64,
    /// `cfg_alpha_period`, cycles.
    pub alpha_period: u64,
    /// `cfg_increase_period`, cycles.
    pub increase_period: u64,
    /// `cfg_byte_reset`, bytes; 0: off.
    pub byte_reset: u64,
    /// `cfg_threshold`, F, 0 to 31.
    pub threshold: u64,
    /// `cfg_ai_rate`, UQ1.RATE_FRAC.
    pub ai_rate: u64,
    /// `cfg_hai_rate`, UQ1.RATE_FRAC.
    pub hai_rate: u64,
    /// `cfg_cut_by_alpha`.
    pub cut_by_alpha: bool,
    /// `cfg_min_dec_fac`, UQ1.16, 0 to 1.0.
    pub min_dec_fac: u64,
    /// `cfg_min_rate`, UQ1.RATE_FRAC, not 0.
    pub min_rate: u64,
    /// `cfg_monitor_period`, cycles; 0: no CNP is ignored.
    pub monitor_period: u64,
    /// `cfg_clamp_target`.
    pub clamp_target: bool,
}

impl ReactionCfg {
    /// All pins 0: another loop runs.
    pub const fn none(byte_w: u32) -> Self {
        Self {
            bytes: Wrap::new(byte_w),
            initial_alpha: 0,
            first_cnp_rate: 0,
            alpha_gain: 0,
            alpha_period: 0,
            increase_period: 0,
            byte_reset: 0,
            threshold: 0,
            ai_rate: 0,
            hai_rate: 0,
            cut_by_alpha: false,
            min_dec_fac: 0,
            min_rate: 0,
            monitor_period: 0,
            clamp_target: false,
        }
    }
}

/// The loop's state of a queue pair. Outside an episode it is [`Reaction::idle`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reaction {
    /// An episode is running.
    pub congested: bool,
    /// Current rate, UQ1.RATE_FRAC of line rate.
    pub rate: u64,
    /// Target rate, UQ1.RATE_FRAC of line rate.
    pub target: u64,
    /// Alpha, UQ1.EST_FRAC.
    pub alpha: u64,
    /// Increases of the timer since the last cut, saturating at 31.
    pub timer_stage: u64,
    /// Increases of the byte counter since the last cut, saturating at 31.
    pub byte_stage: u64,
    /// Time at which alpha next decays, cycles modulo 2^TIME_W.
    pub alpha_deadline: u64,
    /// Time at which the timer next increases, cycles modulo 2^TIME_W.
    pub deadline: u64,
    /// The total of granted bytes up to which increases have counted, modulo 2^BYTE_W.
    pub byte_base: u64,
    /// Time of the last cut, cycles modulo 2^TIME_W; 0 unless `recent_cut`.
    pub last_cut: u64,
    /// `last_cut` means something. Set by a cut where there is a monitor period, cleared by a visit
    /// that finds it over.
    pub recent_cut: bool,
    /// An increase has happened since the last cut.
    pub increased: bool,
}

impl Reaction {
    /// The state outside an episode: line rate, everything else 0.
    pub const fn idle(cfg: &Cfg) -> Self {
        Self {
            congested: false,
            rate: cfg.line(),
            target: cfg.line(),
            alpha: 0,
            timer_stage: 0,
            byte_stage: 0,
            alpha_deadline: 0,
            deadline: 0,
            byte_base: 0,
            last_cut: 0,
            recent_cut: false,
            increased: false,
        }
    }

    /// The smaller of the two stages.
    #[inline]
    pub const fn recovery(&self) -> u64 {
        if self.timer_stage < self.byte_stage { self.timer_stage } else { self.byte_stage }
    }
}

/// alpha × G ÷ 1024, rounded down, so that it reaches 0.
#[inline]
pub const fn alpha_down(cfg: &Cfg, alpha: u64) -> u64 {
    (alpha * cfg.reaction.alpha_gain) >> GAIN_FRAC
}

/// alpha × G ÷ 1024, rounded down, + (1024 − G) ÷ 1024, which is exact: at most 1.0.
#[inline]
pub const fn alpha_up(cfg: &Cfg, alpha: u64) -> u64 {
    let share = (1 << GAIN_FRAC) - cfg.reaction.alpha_gain;
    alpha_down(cfg, alpha) + (share << (cfg.est_frac - GAIN_FRAC))
}

/// rate × (1 − alpha ÷ 2), or with cfg_cut_by_alpha rate × (1 − alpha); the cut is rounded half up.
#[inline]
pub const fn rate_by_alpha(cfg: &Cfg, rate: u64, alpha: u64) -> u64 {
    if cfg.reaction.cut_by_alpha {
        rate - round_half_up(rate * alpha, cfg.est_frac)
    } else {
        cut(cfg, rate, alpha)
    }
}

/// What a cut leaves at least of a rate: rate × rpg_min_dec_fac ÷ 100, rounded half up.
#[inline]
pub const fn least_rate(cfg: &Cfg, rate: u64) -> u64 {
    round_half_up(rate * cfg.reaction.min_dec_fac, DEC_FRAC)
}

/// The rate after a cut: max(rate × (1 − alpha ÷ 2), rate × rpg_min_dec_fac ÷ 100, rpg_min_rate).
#[inline]
pub const fn rate_after_cut(cfg: &Cfg, rate: u64, alpha: u64) -> u64 {
    let by_alpha = rate_by_alpha(cfg, rate, alpha);
    max(max(by_alpha, least_rate(cfg, rate)), cfg.reaction.min_rate)
}

/// What an increase adds to the target: nothing in fast recovery (both stages at most F); i ×
/// cfg_hai_rate with i = the smaller stage − F where both are above F; else cfg_ai_rate. Exact.
#[inline]
pub const fn target_step(cfg: &Cfg, cause: Cause, recovery: u64) -> u64 {
    match cause {
        Cause::Hyper => (recovery - cfg.reaction.threshold) * cfg.reaction.hai_rate,
        Cause::Additive => cfg.reaction.ai_rate,
        _ => 0,
    }
}

/// Which increase the stages call for.
#[inline]
pub const fn increase_cause(cfg: &Cfg, timer_stage: u64, byte_stage: u64) -> Cause {
    let threshold = cfg.reaction.threshold;
    match (timer_stage > threshold, byte_stage > threshold) {
        (false, false) => Cause::Fast,
        (true, true) => Cause::Hyper,
        _ => Cause::Additive,
    }
}

/// One more, saturating at 31.
#[inline]
pub const fn stage_up(stage: u64) -> u64 {
    if stage == STAGE_MOST { stage } else { stage + 1 }
}

/// Whether a CNP in cycle `now` comes less than the monitor period after the last cut.
#[inline]
pub const fn within_monitor_period(cfg: &Cfg, state: &Reaction, now: u64) -> bool {
    state.recent_cut && cfg.time.sub(now, state.last_cut) < cfg.reaction.monitor_period
}

/// A CNP in cycle `now`, `total` bytes granted so far (those of this cycle included). Nothing where
/// it is ignored. Outside an episode it starts one, whose first cut acts on cfg_first_cnp_rate.
#[inline]
pub const fn cnp(cfg: &Cfg, state: &mut Reaction, now: u64, total: u64) -> Option<Upd> {
    let cause = if !state.congested {
        state.congested = true;
        state.alpha = cfg.reaction.initial_alpha;
        state.rate = cfg.reaction.first_cnp_rate;
        state.target = cfg.reaction.first_cnp_rate;
        Cause::Episode
    } else if within_monitor_period(cfg, state, now) {
        return None;
    } else {
        Cause::Cut
    };
    if cfg.reaction.clamp_target || state.increased {
        state.target = state.rate;
    }
    state.rate = rate_after_cut(cfg, state.rate, state.alpha);
    state.alpha = alpha_up(cfg, state.alpha);
    state.timer_stage = 0;
    state.byte_stage = 0;
    state.alpha_deadline = cfg.time.add(now, cfg.reaction.alpha_period);
    state.deadline = cfg.time.add(now, cfg.reaction.increase_period);
    state.byte_base = total;
    state.recent_cut = cfg.reaction.monitor_period != 0;
    state.last_cut = if state.recent_cut { now } else { 0 };
    state.increased = false;
    Some(report(state, cause))
}

/// The sweep's look at the last cut in cycle `now`: forgets it once the monitor period is over.
#[inline]
pub const fn forget_cut(cfg: &Cfg, state: &mut Reaction, now: u64) {
    if state.recent_cut && !within_monitor_period(cfg, state, now) {
        state.recent_cut = false;
        state.last_cut = 0;
    }
}

/// Whether alpha's decay is due in cycle `now`.
#[inline]
pub const fn decay_due(cfg: &Cfg, state: &Reaction, now: u64) -> bool {
    state.congested && cfg.time.reached(now, state.alpha_deadline)
}

/// Alpha decays; the next decay counts from this one's deadline.
#[inline]
pub const fn decay(cfg: &Cfg, state: &mut Reaction) -> Upd {
    state.alpha = alpha_down(cfg, state.alpha);
    state.alpha_deadline = cfg.time.add(state.alpha_deadline, cfg.reaction.alpha_period);
    report(state, Cause::Alpha)
}

/// Whether an increase of the timer is due in cycle `now`.
#[inline]
pub const fn timer_due(cfg: &Cfg, state: &Reaction, now: u64) -> bool {
    state.congested && cfg.time.reached(now, state.deadline)
}

/// The timer increases; the next time counts from this one's deadline.
#[inline]
pub const fn timer_increase(cfg: &Cfg, state: &mut Reaction) -> Upd {
    state.timer_stage = stage_up(state.timer_stage);
    state.deadline = cfg.time.add(state.deadline, cfg.reaction.increase_period);
    increase(cfg, state)
}

/// Bytes granted that no increase has counted, of a queue pair in an episode.
#[inline]
pub const fn waiting_bytes(cfg: &Cfg, state: &Reaction, total: u64) -> u64 {
    cfg.reaction.bytes.sub(total, state.byte_base)
}

/// Whether an increase of the byte counter is due, `total` bytes granted so far.
#[inline]
pub const fn bytes_due(cfg: &Cfg, state: &Reaction, total: u64) -> bool {
    state.congested
        && cfg.reaction.byte_reset != 0
        && waiting_bytes(cfg, state, total) >= cfg.reaction.byte_reset
}

/// The byte counter increases. What is granted beyond cfg_byte_reset is carried over; where half of
/// 2^BYTE_W or more was waiting all of it is forgotten, so that the count cannot wrap unseen.
#[inline]
pub const fn byte_increase(cfg: &Cfg, state: &mut Reaction, total: u64) -> Upd {
    let reaction = &cfg.reaction;
    state.byte_stage = stage_up(state.byte_stage);
    state.byte_base = if waiting_bytes(cfg, state, total) > reaction.bytes.mask() / 2 {
        total
    } else {
        reaction.bytes.add(state.byte_base, reaction.byte_reset)
    };
    increase(cfg, state)
}

/// An increase, after its stage has gone up: the target first, held at line rate, then the rate
/// halfway to it, rounded half up. Ends the episode where the target is at line rate and the rate
/// within 0.1 Gbps of it.
const fn increase(cfg: &Cfg, state: &mut Reaction) -> Upd {
    let cause = increase_cause(cfg, state.timer_stage, state.byte_stage);
    let up = state.target + target_step(cfg, cause, state.recovery());
    state.target = if up > cfg.line() { cfg.line() } else { up };
    state.rate = halfway(state.rate, state.target);
    state.increased = true;
    if state.target != cfg.line() || state.rate < cfg.end_rate {
        return report(state, cause);
    }
    let (estimate, recovery) = (state.alpha, state.recovery());
    *state = Reaction::idle(cfg);
    Upd { estimate, recovery, ..report(state, Cause::End) }
}

const fn report(state: &Reaction, cause: Cause) -> Upd {
    Upd {
        cause,
        rate: state.rate,
        target: state.target,
        estimate: state.alpha,
        recovery: state.recovery(),
        congested: state.congested,
    }
}

/// A packet of `bytes` (not 0) asks to be sent in cycle `now`, paced at `byte_time`. A grant moves
/// `next_send` and counts into the total of bytes, in an episode or not.
#[inline]
pub const fn request(
    cfg: &Cfg,
    pace_state: &mut Pace,
    total: &mut u64,
    now: u64,
    bytes: u64,
    byte_time: u64,
) -> Rsp {
    let rsp = pace(cfg, pace_state, now, duration(bytes, byte_time));
    if rsp.grant {
        *total = cfg.reaction.bytes.add(*total, bytes);
    }
    rsp
}

const fn max(a: u64, b: u64) -> u64 {
    if a < b { b } else { a }
}
