//! The atomic fixed-point core of `nscc_window`: one event applied to one destination.
//!
//! No clock, no pipeline, no forwarding: every function takes a destination's whole state and
//! leaves it whole. `rtl/nscc_window.sv` computes the same steps under the same names.
//!
//! Formats: cwnd, max window, saved window, eta and quotients UQ24.CWND_FRAC bytes; other byte
//! counts UQ24.0, saturating; round-trip times, samples, target UQ RTT_W.4 cycles; the average
//! UQ RTT_W.12 cycles; gains UQ32.8 bytes, saturating; pending UQ52.0 bytes², saturating; weights
//! and shares UQ1.24; times TIME_W cycles, modulo 2^TIME_W. Source: seed 004 and the page's
//! "Events".

use crate::fixed::{Wrap, div_floor, round_half_up, sub_floor_zero};
use congruent_ports::error;
use congruent_ports::nscc_window::{
    ALPHA_FRAC, AVERAGE_FRAC, BYTES_W, FAST_FRAC, GAIN_FRAC, GAIN_W, PENDING_W, RTT_FRAC,
    SHARE_FRAC, SMALL_WINDOW, WINDOW_RATE_FRAC,
};

/// 1.0 in UQ1.24.
pub const ONE: u64 = 1 << SHARE_FRAC;

/// The largest number of bytes.
pub const MOST_BYTES: u64 = (1 << BYTES_W) - 1;

/// What the `cfg_*` pins carry, and the parameters that the arithmetic needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cfg {
    /// The parameter UET: with UET 1.0's ECN echo and receiver penalty.
    pub uet: bool,
    /// Fraction bits of a window, 4 to 8.
    pub cwnd_frac: u32,
    /// The cycle counter.
    pub time: Wrap,
    /// `cfg_pass_through`.
    pub pass_through: bool,
    /// `cfg_disable_quick_adapt`.
    pub disable_quick_adapt: bool,
    /// `cfg_delay_trigger`.
    pub delay_trigger: bool,
    /// `cfg_window_fixed`.
    pub window_fixed: bool,
    /// `cfg_quick_adapt_gate`, 0 to 31.
    pub quick_adapt_gate: u32,
    /// `cfg_quick_adapt_threshold`, UQ RTT_W.4.
    pub quick_adapt_threshold: u64,
    /// `cfg_packet`, P, bytes, not 0.
    pub packet: u64,
    /// `cfg_base_rtt`, UQ RTT_W.4.
    pub base_rtt: u64,
    /// `cfg_target`, UQ RTT_W.4, not 0.
    pub target: u64,
    /// `cfg_margin`, UQ RTT_W.4.
    pub margin: u64,
    /// `cfg_first_window`, UQ24.CWND_FRAC.
    pub first_window: u64,
    /// `cfg_window_rate`, UQ12.24 bytes a cycle.
    pub window_rate: u64,
    /// `cfg_alpha`, UQ16.24 bytes a cycle.
    pub alpha: u64,
    /// `cfg_fair`, UQ32.8 bytes.
    pub fair: u64,
    /// `cfg_eta`, UQ24.CWND_FRAC.
    pub eta: u64,
    /// `cfg_fast`, UQ12.20.
    pub fast: u64,
    /// `cfg_delay_alpha`, UQ1.24.
    pub delay_alpha: u64,
    /// `cfg_gamma`, UQ1.24.
    pub gamma: u64,
    /// `cfg_smallest_keep`, UQ1.24.
    pub smallest_keep: u64,
}

impl Cfg {
    /// P in a window's format.
    #[inline]
    pub const fn floor(&self) -> u64 {
        self.packet << self.cwnd_frac
    }

    /// The largest window that the format holds.
    #[inline]
    pub const fn most_window(&self) -> u64 {
        (1 << (BYTES_W + self.cwnd_frac)) - 1
    }
}

/// What an event is: `evt_kind`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// A packet asks to be sent.
    Send = 0,
    /// A selective acknowledgement came.
    Sack = 1,
    /// A negative acknowledgement came.
    Nack = 2,
    /// A packet is presumed lost.
    Loss = 3,
    /// A cumulative acknowledgement came.
    Cack = 4,
    /// A probe was answered.
    Probe = 5,
    /// A destination's first queue pair opens.
    Open = 6,
    /// A destination's last queue pair closes.
    Close = 7,
}

impl Kind {
    /// By its number, of which three bits count.
    #[inline]
    pub const fn new(raw: u64) -> Self {
        match raw & 7 {
            0 => Self::Send,
            1 => Self::Sack,
            2 => Self::Nack,
            3 => Self::Loss,
            4 => Self::Cack,
            5 => Self::Probe,
            6 => Self::Open,
            _ => Self::Close,
        }
    }
}

/// What an event did to the window: `win_routine`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u8)]
pub enum Routine {
    /// Nothing.
    #[default]
    None = 0,
    /// Fast increase.
    Fast = 1,
    /// Proportional increase.
    Proportional = 2,
    /// Fair increase.
    Fair = 3,
    /// A multiplicative decrease was made.
    Decrease = 4,
    /// A marked SACK, without a cut.
    MarkedHold = 5,
    /// The receiver's penalty, instead of an increase.
    Penalty = 6,
    /// Quick Adapt fired.
    QuickAdapt = 7,
    /// A trim took a packet off the window.
    Trim = 8,
    /// A trim was ignored.
    Ignored = 9,
    /// A presumed loss took a packet off the window.
    Loss = 10,
}

/// An event: the payload of `evt` without its destination.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event {
    /// What it is.
    pub kind: Kind,
    /// Bytes newly received.
    pub bytes: u64,
    /// Bytes that enter or leave flight.
    pub flight: u64,
    /// Whether `rtt` means something in a sack or nack.
    pub rtt_valid: bool,
    /// A round-trip time, UQ RTT_W.4.
    pub rtt: u64,
    /// A switch trimmed the packet.
    pub trimmed: bool,
    /// The ECN echo.
    pub ecn: bool,
    /// The receiver's penalty in 1/128, 0 to 127.
    pub penalty: u64,
    /// A saved window comes back.
    pub restore: bool,
}

/// The state of a destination. Of a closed one everything is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Context {
    /// It is open.
    pub open: bool,
    /// The window, UQ24.CWND_FRAC.
    pub cwnd: u64,
    /// Bytes in flight, saturating.
    pub in_flight: u64,
    /// Base RTT, UQ RTT_W.4.
    pub base_rtt: u64,
    /// Average queueing delay, UQ RTT_W.12.
    pub avg_delay: u64,
    /// Ceiling of the window, UQ24.CWND_FRAC.
    pub max_window: u64,
    /// Increase not yet applied, bytes², saturating.
    pub pending: u64,
    /// Bytes received since the last apply, saturating.
    pub received: u64,
    /// ConfigBaseRTT has passed since last_eta.
    pub eta_due: bool,
    /// When the additive term was last added; 0 once eta_due.
    pub last_eta: u64,
    /// Bytes that count towards fast increase, saturating.
    pub fast_count: u64,
    /// Fast increase is engaged.
    pub fast_on: bool,
    /// An observation window was opened.
    pub qa_open: bool,
    /// The observation window is over.
    pub qa_over: bool,
    /// End of the observation window; 0 unless it is open and not over.
    pub qa_end: u64,
    /// Bytes received in the observation window, saturating.
    pub qa_bytes: u64,
    /// A trim NACK came since Quick Adapt last fired.
    pub qa_trigger: bool,
    /// Bytes until trim NACKs count again.
    pub ignore_left: u64,
    /// The last cut is less than a base RTT ago.
    pub cut_held: bool,
    /// When the last cut was made; 0 unless cut_held.
    pub last_cut: u64,
    /// Window from before a penalty; 0 is none (a window is never 0).
    pub saved_cwnd: u64,
}

/// What an event came to: `win` without the state, and what the timing depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Outcome {
    /// What it did.
    pub routine: Routine,
    /// A send was granted.
    pub granted: bool,
    /// A send asks for a cumulative ACK.
    pub wants_cack: bool,
    /// Quick Adapt fired.
    pub qa_fired: bool,
    /// `error` code.
    pub error: u64,
    /// Step 5 was due by time.
    pub by_time: bool,
    /// Step 5 was due by bytes.
    pub by_bytes: bool,
}

impl Outcome {
    /// Whether the event divides: step 5 was due, or a cut was made.
    #[inline]
    pub const fn divides(&self) -> bool {
        self.by_time || self.by_bytes || matches!(self.routine, Routine::Decrease)
    }
}

// Steps, in the order in which an event meets them.

/// Sum of two numbers of bytes, saturating.
#[inline]
pub const fn add_bytes(count: u64, bytes: u64) -> u64 {
    let sum = count + bytes;
    if sum > MOST_BYTES { MOST_BYTES } else { sum }
}

/// Sum of two windows, saturating.
#[inline]
pub const fn add_window(cfg: &Cfg, cwnd: u64, more: u64) -> u64 {
    let sum = cwnd + more;
    if sum > cfg.most_window() { cfg.most_window() } else { sum }
}

/// A time or delay (UQ RTT_W.4) in whole cycles, rounded up.
#[inline]
pub const fn whole_cycles(rtt: u64) -> u64 {
    (rtt + ((1 << RTT_FRAC) - 1)) >> RTT_FRAC
}

/// Length of an observation window in whole cycles, rounded up: base RTT + target.
#[inline]
pub const fn observation(cfg: &Cfg, base_rtt: u64) -> u64 {
    whole_cycles(base_rtt + cfg.target)
}

/// Ceiling of the window at a base RTT, UQ24.CWND_FRAC, rounded half up. Configuration keeps
/// cfg_window_rate × cfg_base_rtt within 24 bits of bytes, and a base RTT only falls.
#[inline]
pub const fn max_window(cfg: &Cfg, base_rtt: u64) -> u64 {
    round_half_up(cfg.window_rate * base_rtt, WINDOW_RATE_FRAC + RTT_FRAC - cfg.cwnd_frac)
}

/// The window held between P and the ceiling; the floor wins.
#[inline]
pub const fn bound(cfg: &Cfg, cwnd: u64, max_window: u64) -> u64 {
    let capped = if cwnd > max_window { max_window } else { cwnd };
    if capped < cfg.floor() { cfg.floor() } else { capped }
}

/// The window less so many bytes (whole), held at P.
#[inline]
pub const fn less(cfg: &Cfg, cwnd: u64, bytes: u64) -> u64 {
    let left = sub_floor_zero(cwnd, bytes << cfg.cwnd_frac);
    if left < cfg.floor() { cfg.floor() } else { left }
}

/// DelayAlpha × sample + (1 − DelayAlpha) × average, UQ RTT_W.12, rounded half up once.
#[inline]
pub const fn average(cfg: &Cfg, avg_delay: u64, sample: u64) -> u64 {
    let sample = sample << (AVERAGE_FRAC - RTT_FRAC);
    round_half_up(cfg.delay_alpha * sample + (ONE - cfg.delay_alpha) * avg_delay, SHARE_FRAC)
}

/// Gain of proportional increase, alpha × (target − sample), UQ32.8 bytes, rounded half up, then
/// saturating. The sample is below the target.
#[inline]
pub const fn proportional_gain(cfg: &Cfg, sample: u64) -> u64 {
    const DROP: u32 = ALPHA_FRAC + RTT_FRAC - GAIN_FRAC;
    const MOST: u128 = (1 << GAIN_W) - 1;
    let product = cfg.alpha as u128 * (cfg.target - sample) as u128;
    let gain = (product + (1 << (DROP - 1))) >> DROP;
    (if gain > MOST { MOST } else { gain }) as u64
}

/// pending + gain × bytes, bytes²: the product is rounded half up, the sum saturates.
#[inline]
pub const fn pend(pending: u64, gain: u64, bytes: u64) -> u64 {
    const MOST: u64 = (1 << PENDING_W) - 1;
    let sum = pending + round_half_up(gain * bytes, GAIN_FRAC);
    if sum > MOST { MOST } else { sum }
}

/// fast × bytes, UQ24.CWND_FRAC, rounded half up, then saturating.
#[inline]
pub const fn fast_step(cfg: &Cfg, bytes: u64) -> u64 {
    let step = round_half_up(cfg.fast * bytes, FAST_FRAC - cfg.cwnd_frac);
    if step > cfg.most_window() { cfg.most_window() } else { step }
}

/// pending ÷ cwnd, UQ24.CWND_FRAC, rounded down; all ones where it does not fit, that is where
/// pending ≥ cwnd × 2^24. So 24 + CWND_FRAC quotient bits are enough, and cwnd is never 0.
#[inline]
pub const fn quotient(cfg: &Cfg, pending: u64, cwnd: u64) -> u64 {
    if pending << cfg.cwnd_frac >= cwnd << BYTES_W {
        return cfg.most_window();
    }
    div_floor(pending, 2 * cfg.cwnd_frac, cwnd)
}

/// The share of the window that a cut keeps, UQ1.24: 1 − Gamma × (average − target) ÷ average, at
/// least MaxMultiplicativeDecreaseJump. The ratio, UQ0.24, is rounded down, its product with Gamma
/// half up. The average (UQ RTT_W.12) is above the target.
#[inline]
pub const fn keep(cfg: &Cfg, avg_delay: u64) -> u64 {
    let excess = avg_delay - (cfg.target << (AVERAGE_FRAC - RTT_FRAC));
    let ratio = div_floor(excess, SHARE_FRAC, avg_delay);
    let keep = ONE - round_half_up(cfg.gamma * ratio, SHARE_FRAC);
    if keep < cfg.smallest_keep { cfg.smallest_keep } else { keep }
}

/// cwnd × keep, UQ24.CWND_FRAC, rounded half up. Not held at P: step 6 does that, and a share of
/// at least 0.02 leaves no window at 0.
#[inline]
pub const fn cut(cwnd: u64, keep: u64) -> u64 {
    round_half_up(cwnd * keep, SHARE_FRAC)
}

/// Whether fewer bytes were received than the gate asks for: qa_bytes × 2^gate < max_window.
#[inline]
pub const fn below_gate(cfg: &Cfg, qa_bytes: u64, max_window: u64) -> bool {
    max_window != 0 && qa_bytes <= (max_window - 1) >> (cfg.quick_adapt_gate + cfg.cwnd_frac)
}

/// What a time that has passed comes to: it turns into a bit, and reads 0. Every event does this
/// to its destination first, every peek to what it shows, and a sweep to every destination before
/// half a wrap has passed, so that nothing shows when the sweep was there.
#[inline]
pub const fn settle(cfg: &Cfg, ctx: &mut Context, now: u64) {
    if !ctx.open {
        return;
    }
    if !ctx.eta_due && cfg.time.sub(now, ctx.last_eta) >= whole_cycles(cfg.base_rtt) {
        ctx.eta_due = true;
        ctx.last_eta = 0;
    }
    if ctx.qa_open && !ctx.qa_over && cfg.time.reached(now, ctx.qa_end) {
        ctx.qa_over = true;
        ctx.qa_end = 0;
    }
    settle_cut(cfg, ctx, now);
}

const fn settle_cut(cfg: &Cfg, ctx: &mut Context, now: u64) {
    if ctx.cut_held && cfg.time.sub(now, ctx.last_cut) >= whole_cycles(ctx.base_rtt) {
        ctx.cut_held = false;
        ctx.last_cut = 0;
    }
}

/// Whether any time of a destination still matters: what the sweep looks for.
#[inline]
pub const fn unsettled(ctx: &Context) -> bool {
    ctx.open && (!ctx.eta_due || (ctx.qa_open && !ctx.qa_over) || ctx.cut_held)
}

/// Applies an event of a destination inside the table, in cycle `now`.
#[inline]
pub const fn event(cfg: &Cfg, ctx: &mut Context, now: u64, evt: &Event) -> Outcome {
    if ctx.open == matches!(evt.kind, Kind::Open) {
        return refused(error::CLOSED);
    }
    settle(cfg, ctx, now);
    match evt.kind {
        Kind::Send => send(cfg, ctx, evt.flight),
        Kind::Sack => sack(cfg, ctx, now, evt),
        Kind::Nack => nack(cfg, ctx, now, evt),
        Kind::Loss => {
            let error = leave_flight(ctx, evt.flight);
            ctx.ignore_left = sub_floor_zero(ctx.ignore_left, evt.flight);
            ctx.cwnd = less(cfg, ctx.cwnd, evt.flight);
            Outcome { error, ..did(Routine::Loss) }
        }
        Kind::Cack => {
            let error = leave_flight(ctx, evt.flight);
            ctx.ignore_left = sub_floor_zero(ctx.ignore_left, evt.flight);
            Outcome { error, ..did(Routine::None) }
        }
        Kind::Probe => {
            lower_base_rtt(ctx, evt.rtt);
            did(Routine::None)
        }
        Kind::Open => {
            *ctx = opened(cfg, now);
            did(Routine::None)
        }
        Kind::Close => {
            *ctx = CLOSED;
            did(Routine::None)
        }
    }
}

/// A refusal: nothing changes.
pub const fn refused(error: u64) -> Outcome {
    Outcome { error, ..did(Routine::None) }
}

const fn did(routine: Routine) -> Outcome {
    Outcome {
        routine,
        granted: false,
        wants_cack: false,
        qa_fired: false,
        error: error::NONE,
        by_time: false,
        by_bytes: false,
    }
}

/// A closed destination.
pub const CLOSED: Context = Context {
    open: false,
    cwnd: 0,
    in_flight: 0,
    base_rtt: 0,
    avg_delay: 0,
    max_window: 0,
    pending: 0,
    received: 0,
    eta_due: false,
    last_eta: 0,
    fast_count: 0,
    fast_on: false,
    qa_open: false,
    qa_over: false,
    qa_end: 0,
    qa_bytes: 0,
    qa_trigger: false,
    ignore_left: 0,
    cut_held: false,
    last_cut: 0,
    saved_cwnd: 0,
};

/// A fresh destination, created in cycle `now`.
pub const fn opened(cfg: &Cfg, now: u64) -> Context {
    Context {
        open: true,
        cwnd: bound(cfg, cfg.first_window, cfg.first_window),
        base_rtt: cfg.base_rtt,
        max_window: cfg.first_window,
        last_eta: now,
        ..CLOSED
    }
}

/// A packet asks to be sent: the window's own test does not count the packet's size.
const fn send(cfg: &Cfg, ctx: &mut Context, flight: u64) -> Outcome {
    let granted = cfg.pass_through || ctx.in_flight << cfg.cwnd_frac < ctx.cwnd;
    if granted {
        ctx.in_flight = add_bytes(ctx.in_flight, flight);
    }
    let near_full = ctx.cwnd < (ctx.in_flight << cfg.cwnd_frac) + cfg.floor();
    let wants_cack = near_full || ctx.cwnd < SMALL_WINDOW << cfg.cwnd_frac;
    Outcome { granted, wants_cack, ..did(Routine::None) }
}

/// Bytes leave flight; returns the error code of an underflow.
const fn leave_flight(ctx: &mut Context, flight: u64) -> u64 {
    let underflow = flight > ctx.in_flight;
    ctx.in_flight = sub_floor_zero(ctx.in_flight, flight);
    if underflow { error::UNDERFLOW } else { error::NONE }
}

const fn lower_base_rtt(ctx: &mut Context, rtt: u64) {
    if rtt < ctx.base_rtt {
        ctx.base_rtt = rtt;
    }
}

/// A sample of a sack or nack: base RTT, and the ceiling derived from it.
const fn see_rtt(cfg: &Cfg, ctx: &mut Context, rtt: u64) {
    lower_base_rtt(ctx, rtt);
    if !cfg.window_fixed {
        ctx.max_window = max_window(cfg, ctx.base_rtt);
    }
}

const fn sack(cfg: &Cfg, ctx: &mut Context, now: u64, evt: &Event) -> Outcome {
    // 1. Bytes.
    let error = leave_flight(ctx, evt.flight);
    ctx.ignore_left = sub_floor_zero(ctx.ignore_left, evt.flight);
    ctx.qa_bytes = add_bytes(ctx.qa_bytes, evt.bytes);
    ctx.received = add_bytes(ctx.received, evt.bytes);
    let penalised = cfg.uet && evt.penalty != 0;
    if cfg.uet {
        penalty(cfg, ctx, evt);
    }
    if !evt.rtt_valid {
        return Outcome { error, ..did(if penalised { Routine::Penalty } else { Routine::None }) };
    }
    // 2. Base RTT, ceiling, average.
    see_rtt(cfg, ctx, evt.rtt);
    ctx.cwnd = bound(cfg, ctx.cwnd, ctx.max_window);
    let sample = sub_floor_zero(evt.rtt, ctx.base_rtt);
    ctx.avg_delay = average(cfg, ctx.avg_delay, sample);
    // 3. Quick Adapt.
    if quick_adapt(cfg, ctx, now, delay_triggers(cfg, ctx, sample)) {
        return Outcome { error, qa_fired: true, ..did(Routine::QuickAdapt) };
    }
    // 4. One routine.
    let routine = if cfg.uet && evt.ecn {
        marked(cfg, ctx, now, sample)
    } else if penalised {
        Routine::Penalty
    } else {
        increase(cfg, ctx, sample, evt.bytes)
    };
    // 5. Apply.
    let by_time = ctx.eta_due;
    let by_bytes = ctx.received > cfg.packet << 3;
    if by_time || by_bytes {
        let step = quotient(cfg, ctx.pending, ctx.cwnd);
        ctx.cwnd = add_window(cfg, ctx.cwnd, step);
        ctx.pending = 0;
        ctx.received = 0;
    }
    if by_time {
        ctx.cwnd = add_window(cfg, ctx.cwnd, cfg.eta);
        ctx.eta_due = false;
        ctx.last_eta = now;
    }
    // 6. Bounds.
    ctx.cwnd = bound(cfg, ctx.cwnd, ctx.max_window);
    Outcome { error, by_time, by_bytes, ..did(routine) }
}

/// The receiver's penalty, for every sack (UET = 1).
const fn penalty(cfg: &Cfg, ctx: &mut Context, evt: &Event) {
    if evt.penalty == 0 {
        if evt.restore && ctx.saved_cwnd != 0 {
            ctx.cwnd = ctx.saved_cwnd;
        }
        ctx.saved_cwnd = 0;
        return;
    }
    if ctx.saved_cwnd == 0 {
        ctx.saved_cwnd = ctx.cwnd;
    }
    let flying = ctx.in_flight << cfg.cwnd_frac;
    let used = if flying < ctx.cwnd { flying } else { ctx.cwnd };
    // bytes × penalty ÷ 128, rounded half up to a window's LSB.
    let fine = round_half_up((evt.bytes * evt.penalty) << cfg.cwnd_frac, 7);
    let left = sub_floor_zero(used, fine);
    ctx.cwnd = if left < cfg.floor() { cfg.floor() } else { left };
}

/// Whether the delay of this sack triggers Quick Adapt: MRC looks at the sample, UET at the average.
pub const fn delay_triggers(cfg: &Cfg, ctx: &Context, sample: u64) -> bool {
    let delay = if cfg.uet { ctx.avg_delay } else { sample << (AVERAGE_FRAC - RTT_FRAC) };
    cfg.delay_trigger && delay > cfg.quick_adapt_threshold << (AVERAGE_FRAC - RTT_FRAC)
}

/// Quick Adapt, on a sample-bearing sack or a trim that counts. `trigger_now`: this event is a
/// trigger itself. Returns whether it fired.
const fn quick_adapt(cfg: &Cfg, ctx: &mut Context, now: u64, trigger_now: bool) -> bool {
    if cfg.disable_quick_adapt || (ctx.qa_open && !ctx.qa_over) {
        return false;
    }
    let fires = ctx.qa_open
        && (ctx.qa_trigger || trigger_now)
        && below_gate(cfg, ctx.qa_bytes, ctx.max_window);
    if fires {
        let window = ctx.qa_bytes << cfg.cwnd_frac;
        ctx.cwnd = if window < cfg.floor() { cfg.floor() } else { window };
        ctx.ignore_left = ctx.in_flight;
        ctx.qa_trigger = false;
        ctx.pending = 0;
        ctx.received = 0;
    }
    ctx.qa_open = true;
    ctx.qa_over = false;
    ctx.qa_end = cfg.time.add(now, observation(cfg, ctx.base_rtt));
    ctx.qa_bytes = 0;
    fires
}

/// The three increases.
const fn increase(cfg: &Cfg, ctx: &mut Context, sample: u64, bytes: u64) -> Routine {
    if sample >= cfg.target {
        ctx.pending = pend(ctx.pending, cfg.fair, bytes);
        return Routine::Fair;
    }
    if sample < cfg.margin {
        ctx.fast_count = add_bytes(ctx.fast_count, bytes);
        if ctx.fast_on || ctx.fast_count << cfg.cwnd_frac > ctx.cwnd {
            ctx.fast_on = true;
            ctx.cwnd = add_window(cfg, ctx.cwnd, fast_step(cfg, bytes));
            return Routine::Fast;
        }
    } else {
        end_fast(ctx);
    }
    ctx.pending = pend(ctx.pending, proportional_gain(cfg, sample), bytes);
    Routine::Proportional
}

const fn end_fast(ctx: &mut Context) {
    ctx.fast_on = false;
    ctx.fast_count = 0;
}

/// The two quadrants of a marked sack (UET = 1).
const fn marked(cfg: &Cfg, ctx: &mut Context, now: u64, sample: u64) -> Routine {
    if sample < cfg.target {
        return Routine::MarkedHold;
    }
    end_fast(ctx);
    // The base RTT may have fallen in this very event.
    settle_cut(cfg, ctx, now);
    if ctx.cut_held || ctx.avg_delay <= cfg.target << (AVERAGE_FRAC - RTT_FRAC) {
        return Routine::MarkedHold;
    }
    ctx.cwnd = cut(ctx.cwnd, keep(cfg, ctx.avg_delay));
    ctx.cut_held = true;
    ctx.last_cut = now;
    Routine::Decrease
}

const fn nack(cfg: &Cfg, ctx: &mut Context, now: u64, evt: &Event) -> Outcome {
    let error = leave_flight(ctx, evt.flight);
    let ignoring = ctx.ignore_left > 0;
    if evt.rtt_valid {
        see_rtt(cfg, ctx, evt.rtt);
    }
    if !evt.trimmed {
        return Outcome { error, ..did(Routine::None) };
    }
    ctx.ignore_left = sub_floor_zero(ctx.ignore_left, evt.flight);
    ctx.avg_delay = average(cfg, ctx.avg_delay, cfg.base_rtt);
    ctx.qa_trigger = true;
    if ignoring {
        return Outcome { error, ..did(Routine::Ignored) };
    }
    if quick_adapt(cfg, ctx, now, true) {
        return Outcome { error, qa_fired: true, ..did(Routine::QuickAdapt) };
    }
    ctx.cwnd = less(cfg, ctx.cwnd, evt.flight);
    Outcome { error, ..did(Routine::Trim) }
}
