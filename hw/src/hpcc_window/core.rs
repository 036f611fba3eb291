//! The atomic fixed-point core of `hpcc_window`: one event applied to one flow.
//!
//! No clock, no pipeline, no forwarding: every function takes a flow's whole state and leaves it
//! whole. `rtl/hpcc_window.sv` computes the same steps under the same names.
//!
//! Formats: windows and WAI UQ28.W_FRAC bytes; U UQ12.U_FRAC, one hop's UQ12.24; rates of bytes
//! UQ12.20 bytes a ns; tau / T UQ1.27; Eta UQ1.24; 1 / T a mantissa UQ1.24 and a shift; telemetry
//! whole units of its format, modulo; times TIME_W cycles, modulo. Source: seed 003 (HPCC's
//! Algorithm 1) and the page's "ack".
//!
//! Division is by two quotients a hop and one an ACK, each rounded down. Bytes by time: both are
//! shifted right alike until the time has 24 bits, so the quotient is off by less than 2^-20 +
//! (1 + r) x 2^-23 bytes a ns. By the link's rate: exact to one LSB of 2^-24. Eta by U: U is cut to 24 bits
//! from its leading one, so that the quotient is off by less than 2^-23 of itself.

use crate::fixed::{Wrap, round_half_up};
use congruent_ports::error;
use congruent_ports::hpcc_window::{
    BYTES_W, DIVISOR_W, ETA_FRAC, GBPS_W, HOP_U_FRAC, INVERSE_FRAC, MANTISSA_W, MOST_HOPS,
    PACE_FRAC, PAPER_GBPS, PAPER_QLEN_UNIT, PAPER_QLEN_W, PAPER_RATE_W, PAPER_TS_W, PAPER_TX_SHIFT,
    PAPER_TX_W, QUEUE_W, RATE_FRAC, RATE_INT, RATIO_FRAC, SEQ_W, TELEMETRY_W, U_FLOOR_SHIFT, U_INT,
    WEIGHT_FRAC,
};

/// 1.0 in UQ1.27.
pub const ONE: u64 = 1 << WEIGHT_FRAC;

/// The largest rate of bytes, UQ12.20.
pub const MOST_RATE: u64 = (1 << (RATE_INT + RATE_FRAC)) - 1;

/// The largest utilisation of a hop, UQ12.24.
pub const MOST_HOP_U: u64 = (1 << (U_INT + HOP_U_FRAC)) - 1;

/// The longest queue, bytes.
pub const MOST_QUEUE: u64 = (1 << QUEUE_W) - 1;

/// How telemetry is packed: `cfg_int_format`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Format {
    /// The paper's 64 bits a hop.
    Paper = 0,
    /// 48-bit ns and bytes, Gbps.
    Wide = 1,
}

/// What the `cfg_*` pins carry, and the parameters that the arithmetic needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cfg {
    /// Hops whose telemetry is stored.
    pub most_hops: u64,
    /// Fraction bits of U, 16 to 24.
    pub u_frac: u32,
    /// Fraction bits of a window, 0 to 8.
    pub w_frac: u32,
    /// The cycle counter.
    pub time: Wrap,
    /// `cfg_int_format`.
    pub format: Format,
    /// `cfg_base_rtt`, T, ns, not 0.
    pub base_rtt: u64,
    /// `cfg_inverse_rtt`, UQ1.24, 1.0 to below 2.0.
    pub inverse_rtt: u64,
    /// `cfg_inverse_rtt_shift`, 0 to 30.
    pub inverse_rtt_shift: u32,
    /// `cfg_eta`, UQ1.24, not 0, at most 1.0.
    pub eta: u64,
    /// `cfg_max_stage`.
    pub max_stage: u64,
    /// `cfg_wai`, UQ28.W_FRAC.
    pub wai: u64,
    /// `cfg_first_window`, W_init, UQ28.W_FRAC.
    pub first_window: u64,
    /// `cfg_packet`, bytes, not 0.
    pub packet: u64,
    /// `cfg_age`, cycles, less than half a wrap.
    pub age: u64,
}

impl Cfg {
    /// 1.0 in U's format.
    #[inline]
    pub const fn one_u(&self) -> u64 {
        1 << self.u_frac
    }

    /// The smallest U that divides, 2^-16.
    #[inline]
    pub const fn smallest_u(&self) -> u64 {
        1 << (self.u_frac - U_FLOOR_SHIFT)
    }

    /// PacketBytes in a window's format.
    #[inline]
    pub const fn floor(&self) -> u64 {
        self.packet << self.w_frac
    }
}

/// What an ACK did: `win_branch`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u8)]
pub enum Branch {
    /// Its telemetry was stored, nothing else.
    #[default]
    Stored = 0,
    /// It was reordered: nothing changed.
    Stale = 1,
    /// W := Wc / (U / Eta) + WAI.
    Multiplicative = 2,
    /// W := Wc + WAI.
    Additive = 3,
}

/// A beat of `hop`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Record {
    /// Rate of the link: code or Gbps.
    pub rate: u64,
    /// Time stamp.
    pub ts: u64,
    /// Bytes transmitted.
    pub tx_bytes: u64,
    /// Queue length.
    pub qlen: u64,
}

/// An ACK with its records; those from `hops` on do not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ack {
    /// What it acknowledges.
    pub seq: u64,
    /// What the sender sends next.
    pub snd_nxt: u64,
    /// Path id.
    pub path: u64,
    /// Records that the header counts, 0 to 15.
    pub hops: u64,
    /// The first records of them.
    pub records: [Record; MOST_HOPS],
}

/// Stored telemetry of a hop, in the format's bits and units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Telemetry {
    /// Time stamp.
    pub ts: u64,
    /// Bytes transmitted.
    pub tx: u64,
    /// Queue length.
    pub qlen: u64,
}

/// The state of a flow. Of a closed one everything is 0; so is everything from `stored_at` on
/// where nothing is stored, and the telemetry of hops from `hops` on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Context {
    /// It is open.
    pub open: bool,
    /// W, UQ28.W_FRAC.
    pub window: u64,
    /// Wc, UQ28.W_FRAC.
    pub reference: u64,
    /// U, UQ12.U_FRAC.
    pub u: u64,
    /// inc_stage.
    pub stage: u64,
    /// last_update_seq.
    pub last_update_seq: u64,
    /// Telemetry is stored.
    pub stored: bool,
    /// When it was.
    pub stored_at: u64,
    /// Its path id.
    pub path: u64,
    /// Its hops.
    pub hops: u64,
    /// L.
    pub telemetry: [Telemetry; MOST_HOPS],
}

/// The hop that won: the largest u, the first of equals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Winner {
    /// Which hop.
    pub hop: usize,
    /// Its u, UQ12.24.
    pub u: u64,
    /// Its dt, ns.
    pub dt: u64,
    /// Another hop had the same u.
    pub tied: bool,
}

/// What an ACK came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Outcome {
    /// What it did.
    pub branch: Branch,
    /// `error` code.
    pub error: u64,
    /// seq was above last_update_seq, in a measured ACK.
    pub full: bool,
    /// The hop that won, in a measured ACK; `None`: all hops were skipped.
    pub winner: Option<Winner>,
    /// A hop was skipped for its rate, in a measured ACK.
    pub bad_rate: bool,
}

/// Bits that a value takes; 0 takes none.
#[inline]
pub const fn bit_length(value: u64) -> u32 {
    u64::BITS - value.leading_zeros()
}

const fn low(value: u64, bits: u32) -> u64 {
    value & ((1 << bits) - 1)
}

/// Bits of TS in a format.
#[inline]
pub const fn ts_bits(format: Format) -> u32 {
    match format {
        Format::Paper => PAPER_TS_W,
        Format::Wide => TELEMETRY_W,
    }
}

/// Bits of txBytes in a format.
#[inline]
pub const fn tx_bits(format: Format) -> u32 {
    match format {
        Format::Paper => PAPER_TX_W,
        Format::Wide => TELEMETRY_W,
    }
}

/// What of a record is stored: the format's bits.
#[inline]
pub const fn telemetry(format: Format, record: &Record) -> Telemetry {
    let qlen_bits = match format {
        Format::Paper => PAPER_QLEN_W,
        Format::Wide => TELEMETRY_W,
    };
    Telemetry {
        ts: low(record.ts, ts_bits(format)),
        tx: low(record.tx_bytes, tx_bits(format)),
        qlen: low(record.qlen, qlen_bits),
    }
}

/// Rate of a hop's link, Gbps; 0: none, the hop is skipped.
#[inline]
pub const fn gbps(format: Format, rate: u64) -> u64 {
    match format {
        Format::Paper => {
            let code = low(rate, PAPER_RATE_W) as usize;
            if code < PAPER_GBPS.len() { PAPER_GBPS[code] } else { 0 }
        }
        Format::Wide => low(rate, GBPS_W),
    }
}

/// TS' - TS, modulo the format's width, ns.
#[inline]
pub const fn elapsed(format: Format, new: u64, old: u64) -> u64 {
    low(new.wrapping_sub(old), ts_bits(format))
}

/// Whether a difference of stamps reads as older: half the range or more.
#[inline]
pub const fn older(format: Format, dt: u64) -> bool {
    dt >> (ts_bits(format) - 1) != 0
}

/// txBytes' - txBytes, modulo the format's width, in bytes.
#[inline]
pub const fn sent(format: Format, new: u64, old: u64) -> u64 {
    let units = low(new.wrapping_sub(old), tx_bits(format));
    match format {
        Format::Paper => units << PAPER_TX_SHIFT,
        Format::Wide => units,
    }
}

/// The smaller of two queue readings, bytes, saturating at 2^32 - 1.
#[inline]
pub const fn queue(format: Format, new: u64, old: u64) -> u64 {
    let units = if new < old { new } else { old };
    match format {
        Format::Paper => units * PAPER_QLEN_UNIT,
        Format::Wide => {
            if units > MOST_QUEUE {
                MOST_QUEUE
            } else {
                units
            }
        }
    }
}

/// tx / dt, UQ12.20 bytes a ns, rounded down, saturating. Both are shifted right alike until dt has
/// 24 bits; dt is not 0. Where it does not saturate the quotient fits 32 bits.
#[inline]
pub const fn byte_rate(tx: u64, dt: u64) -> u64 {
    let length = bit_length(dt);
    let shift = length.saturating_sub(DIVISOR_W);
    let (bytes, time) = (tx >> shift, dt >> shift);
    if bytes >> RATE_INT >= time { MOST_RATE } else { (bytes << RATE_FRAC) / time }
}

/// queue / T, UQ12.20 bytes a ns, rounded half up, saturating.
#[inline]
pub const fn queue_rate(cfg: &Cfg, queue: u64) -> u64 {
    let shift = INVERSE_FRAC + cfg.inverse_rtt_shift - RATE_FRAC;
    let rate = round_half_up(queue * cfg.inverse_rtt, shift);
    if rate > MOST_RATE { MOST_RATE } else { rate }
}

/// (queue / T + tx / dt) / B, UQ12.24, rounded down, saturating. B is in Gbps, an eighth of a byte a
/// ns each, and not 0.
#[inline]
pub const fn hop_u(queue_rate: u64, byte_rate: u64, gbps: u64) -> u64 {
    let eighths = (queue_rate + byte_rate) << (3 + HOP_U_FRAC - RATE_FRAC);
    if eighths >> (U_INT + HOP_U_FRAC) >= gbps { MOST_HOP_U } else { eighths / gbps }
}

/// tau / T, UQ1.27, rounded half up; 1.0 for every tau of T or more.
#[inline]
pub const fn weight(cfg: &Cfg, dt: u64) -> u64 {
    if dt >= cfg.base_rtt {
        return ONE;
    }
    let product = (dt * cfg.inverse_rtt) << (WEIGHT_FRAC - INVERSE_FRAC);
    let weight = round_half_up(product, cfg.inverse_rtt_shift);
    if weight > ONE { ONE } else { weight }
}

/// U x (1 - tau / T) + u x tau / T, UQ12.U_FRAC: u is cut to U_FRAC bits, the sum of both products
/// rounded half up once.
#[inline]
pub const fn average(cfg: &Cfg, u: u64, hop_u: u64, weight: u64) -> u64 {
    let newest = hop_u >> (HOP_U_FRAC - cfg.u_frac);
    round_half_up((ONE - weight) * u + weight * newest, WEIGHT_FRAC)
}

/// Whether U >= Eta.
#[inline]
pub const fn busy(cfg: &Cfg, u: u64) -> bool {
    u << (ETA_FRAC - cfg.u_frac) >= cfg.eta
}

/// Eta / max(U, 2^-16) as a quotient and a shift: the value is quotient x 2^-shift. The divisor is U
/// cut to 24 bits from its leading one; the quotient is rounded down and fits 28 bits. The shift is
/// 11 to 38.
#[inline]
pub const fn ratio(cfg: &Cfg, u: u64) -> (u64, u32) {
    let u = if u < cfg.smallest_u() { cfg.smallest_u() } else { u };
    let length = bit_length(u);
    let mantissa =
        if length > MANTISSA_W { u >> (length - MANTISSA_W) } else { u << (MANTISSA_W - length) };
    ((cfg.eta << RATIO_FRAC) / mantissa, RATIO_FRAC + length - cfg.u_frac)
}

/// Wc x Eta / U, rounded half up to a window's LSB. It may be larger than a window; the bounds come
/// after. Wc is at most 2^36 - 1 and a quotient at most 2^27, so the product fits 63 bits.
#[inline]
pub const fn scale(reference: u64, (quotient, shift): (u64, u32)) -> u64 {
    round_half_up(reference * quotient, shift)
}

/// max(min(W, W_init), PacketBytes).
#[inline]
pub const fn bound(cfg: &Cfg, window: u64) -> u64 {
    let capped = if window > cfg.first_window { cfg.first_window } else { window };
    if capped < cfg.floor() { cfg.floor() } else { capped }
}

/// R = W x 8 / T, UQ11.16 Gbps, rounded half up, saturating.
#[inline]
pub const fn pace(cfg: &Cfg, window: u64) -> u64 {
    const MOST: u64 = (1 << (GBPS_W + PACE_FRAC)) - 1;
    let shift = INVERSE_FRAC + cfg.inverse_rtt_shift + cfg.w_frac - 3 - PACE_FRAC;
    let rate = round_half_up(window * cfg.inverse_rtt, shift);
    if rate > MOST { MOST } else { rate }
}

/// seq > last_update_seq, modulo 2^32: ahead by less than half the range. Exactly half is not.
#[inline]
pub const fn is_full(seq: u64, last_update_seq: u64) -> bool {
    let ahead = low(seq.wrapping_sub(last_update_seq), SEQ_W);
    ahead != 0 && ahead >> (SEQ_W - 1) == 0
}

/// A closed flow.
pub const CLOSED: Context = Context {
    open: false,
    window: 0,
    reference: 0,
    u: 0,
    stage: 0,
    last_update_seq: 0,
    stored: false,
    stored_at: 0,
    path: 0,
    hops: 0,
    telemetry: [Telemetry { ts: 0, tx: 0, qlen: 0 }; MOST_HOPS],
};

/// A fresh flow.
pub const fn opened(cfg: &Cfg) -> Context {
    let window = bound(cfg, cfg.first_window);
    Context { open: true, window, reference: window, u: cfg.one_u(), ..CLOSED }
}

/// A flow inside the table is opened; returns the error code.
#[inline]
pub const fn open(cfg: &Cfg, ctx: &mut Context) -> u64 {
    if ctx.open {
        return error::CLOSED;
    }
    *ctx = opened(cfg);
    error::NONE
}

/// A flow inside the table is closed; returns the error code.
#[inline]
pub const fn close(ctx: &mut Context) -> u64 {
    if !ctx.open {
        return error::CLOSED;
    }
    *ctx = CLOSED;
    error::NONE
}

/// Whether stored telemetry is too old: stored more than `age` cycles ago.
#[inline]
pub const fn too_old(cfg: &Cfg, ctx: &Context, now: u64) -> bool {
    ctx.stored && cfg.time.sub(now, ctx.stored_at) > cfg.age
}

/// What telemetry that is too old comes to: it is dropped. Every ACK does this to its flow first,
/// every peek to what it shows, and a sweep to every flow before half a wrap has passed, so that
/// nothing shows when the sweep was there.
#[inline]
pub const fn settle(cfg: &Cfg, ctx: &mut Context, now: u64) {
    if too_old(cfg, ctx, now) {
        ctx.stored = false;
        ctx.stored_at = 0;
        ctx.path = 0;
        ctx.hops = 0;
        ctx.telemetry = CLOSED.telemetry;
    }
}

/// An ACK that was refused: nothing changes.
pub const fn refused(error: u64) -> Outcome {
    Outcome { branch: Branch::Stored, error, full: false, winner: None, bad_rate: false }
}

/// Applies an ACK of a flow inside the table, in cycle `now`.
#[inline]
pub const fn ack(cfg: &Cfg, ctx: &mut Context, now: u64, ack: &Ack) -> Outcome {
    if !ctx.open {
        return refused(error::CLOSED);
    }
    if ack.hops > cfg.most_hops {
        return refused(error::HOPS);
    }
    settle(cfg, ctx, now);
    // 1. Nothing to compare with.
    if !ctx.stored || ack.path != ctx.path || ack.hops != ctx.hops {
        ctx.last_update_seq = ack.snd_nxt;
        store(cfg, ctx, now, ack);
        return Outcome { branch: Branch::Stored, ..refused(error::NONE) };
    }
    // 2. Reordered.
    if is_stale(cfg, ctx, ack) {
        return Outcome { branch: Branch::Stale, ..refused(error::NONE) };
    }
    // 3.
    let full = is_full(ack.seq, ctx.last_update_seq);
    // 4. Measure.
    let (winner, bad_rate) = measure(cfg, ctx, ack);
    if let Some(winner) = winner {
        ctx.u = average(cfg, ctx.u, winner.u, weight(cfg, winner.dt));
    }
    // 5. Window.
    let branch = if busy(cfg, ctx.u) || ctx.stage >= cfg.max_stage {
        Branch::Multiplicative
    } else {
        Branch::Additive
    };
    let base = match branch {
        Branch::Multiplicative => scale(ctx.reference, ratio(cfg, ctx.u)),
        _ => ctx.reference,
    };
    ctx.window = bound(cfg, base + cfg.wai);
    if full {
        ctx.stage = match branch {
            Branch::Multiplicative => 0,
            _ => ctx.stage + 1,
        };
        ctx.reference = ctx.window;
        ctx.last_update_seq = ack.snd_nxt;
    }
    // 6.
    store(cfg, ctx, now, ack);
    Outcome { branch, error: error::NONE, full, winner, bad_rate }
}

/// The telemetry of an ACK replaces what is stored.
const fn store(cfg: &Cfg, ctx: &mut Context, now: u64, ack: &Ack) {
    ctx.stored = true;
    ctx.stored_at = now;
    ctx.path = ack.path;
    ctx.hops = ack.hops;
    ctx.telemetry = CLOSED.telemetry;
    let mut hop = 0;
    while hop < ack.hops as usize {
        ctx.telemetry[hop] = telemetry(cfg.format, &ack.records[hop]);
        hop += 1;
    }
}

/// Whether the stamp of any hop is older than the stored one.
const fn is_stale(cfg: &Cfg, ctx: &Context, ack: &Ack) -> bool {
    let mut hop = 0;
    while hop < ack.hops as usize {
        let new = telemetry(cfg.format, &ack.records[hop]);
        if older(cfg.format, elapsed(cfg.format, new.ts, ctx.telemetry[hop].ts)) {
            return true;
        }
        hop += 1;
    }
    false
}

/// The hop with the largest u, and whether one was skipped for its rate.
const fn measure(cfg: &Cfg, ctx: &Context, ack: &Ack) -> (Option<Winner>, bool) {
    let mut best: Option<Winner> = None;
    let mut bad_rate = false;
    let mut hop = 0;
    while hop < ack.hops as usize {
        let gbps = gbps(cfg.format, ack.records[hop].rate);
        let (new, old) = (telemetry(cfg.format, &ack.records[hop]), ctx.telemetry[hop]);
        let dt = elapsed(cfg.format, new.ts, old.ts);
        if gbps == 0 {
            bad_rate = true;
        } else if dt != 0 {
            let queued = queue_rate(cfg, queue(cfg.format, new.qlen, old.qlen));
            let u = hop_u(queued, byte_rate(sent(cfg.format, new.tx, old.tx), dt), gbps);
            match &mut best {
                Some(best) if u == best.u => best.tied = true,
                Some(best) if u < best.u => {}
                _ => best = Some(Winner { hop, u, dt, tied: false }),
            }
        }
        hop += 1;
    }
    (best, bad_rate)
}

/// The largest window that the format holds.
#[inline]
pub const fn most_window(w_frac: u32) -> u64 {
    (1 << (BYTES_W + w_frac)) - 1
}
