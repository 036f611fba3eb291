//! The atomic fixed-point core of `pacing_table`: one event applied to one entry.
//!
//! No clock, no pipeline, no forwarding: every function takes an entry's whole state and leaves it
//! whole. `rtl/pacing_table.sv` computes the same steps under the same names. Which entry an event
//! goes to is [`super::table`]'s.
//!
//! Formats: byte time UQ5.28 cycles a byte; packet and base times UQ19.TIME_FRAC cycles; delays
//! UQ33.(TIME_FRAC+3) cycles, exact; next_send UQ TIME_W.TIME_FRAC cycles and deadlines TIME_W
//! cycles, modulo 2^TIME_W. Source: seed 002, "Injection Rate Control", and the page.

use crate::fixed::{Wrap, round_half_up, sub_floor_zero};
use congruent_ports::pacing_table::{BYTE_TIME_FRAC, SHIFT_FRAC, WAIT_W};

/// What the `cfg_*` pins carry, and the widths that the arithmetic needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cfg {
    /// Fraction bits of a cycle.
    pub time_frac: u32,
    /// The cycle counter.
    pub time: Wrap,
    /// The cycle counter with its fraction, UQ TIME_W.TIME_FRAC.
    pub pace_time: Wrap,
    /// Most that a grant reaches ahead: 2^(TIME_W − 2) cycles, UQ TIME_W.TIME_FRAC.
    pub gap_most: u64,
    /// `cfg_first_ccti`: ccti of a new entry; 0: a BECN that misses makes none.
    pub first_ccti: u64,
    /// `cfg_increase`, 0 to 255.
    pub increase: u64,
    /// `cfg_limit`, at least 1.
    pub limit: u64,
    /// `cfg_min`, at most the limit.
    pub min: u64,
    /// `cfg_trigger_threshold`; 0: off.
    pub trigger_threshold: u64,
    /// `cfg_skip`.
    pub skip: bool,
    /// `cfg_period`, cycles; 0: no decay.
    pub period: u64,
    /// `cfg_rearm`.
    pub rearm: bool,
    /// `cfg_line_byte_time`, UQ5.28 cycles a byte.
    pub line_byte_time: u64,
    /// `cfg_delay_base_mtu`.
    pub delay_base_mtu: bool,
    /// `cfg_mtu_time`, UQ19.TIME_FRAC cycles.
    pub mtu_time: u64,
    /// `cfg_pacing_slack`, cycles, 0 to 63.
    pub pacing_slack: u64,
}

/// An entry. One that tracks no destination is [`Entry::default`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Entry {
    /// It tracks a destination.
    pub valid: bool,
    /// The destination.
    pub dlid: u64,
    /// Index into the CCT, at least 1 while valid.
    pub ccti: u64,
    /// Time at which the period ends, cycles modulo 2^TIME_W; 0 where there is no decay.
    pub deadline: u64,
    /// `next_send` means something.
    pub held: bool,
    /// Time from which the next packet may go, UQ TIME_W.TIME_FRAC; 0 unless held.
    pub next_send: u64,
}

/// A row of the congestion control table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Row {
    /// The base time is shifted right by it, 0 to 3.
    pub shift: u32,
    /// The shifted base time is multiplied by it, 0 to 16383.
    pub multiplier: u64,
}

impl Row {
    /// Row `index` after init: the linear table.
    pub const fn linear(index: u64) -> Self {
        Self { shift: 0, multiplier: index }
    }
}

/// The end of a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decay {
    /// ccti after it.
    pub ccti: u64,
    /// Whether ccti changed; not at `cfg_min`.
    pub changed: bool,
    /// Whether the entry is released: ccti has reached 0.
    pub released: bool,
}

/// ccti after a BECN that hits: `cfg_increase` higher; held at `cfg_limit`, or with `skip` left as
/// it is where it would pass it.
#[inline]
pub const fn increased(cfg: &Cfg, ccti: u64) -> u64 {
    let up = ccti + cfg.increase;
    if up <= cfg.limit {
        up
    } else if cfg.skip {
        ccti
    } else {
        cfg.limit
    }
}

/// ccti of a new entry, 0 where none is made: `cfg_min` increased. What `cfg_first_ccti` carries.
pub const fn first_ccti(cfg: &Cfg) -> u64 {
    if cfg.skip && cfg.min + cfg.increase > cfg.limit { 0 } else { increased(cfg, cfg.min) }
}

/// Whether a BECN that leaves `ccti` raises `log`.
#[inline]
pub const fn logs(cfg: &Cfg, ccti: u64) -> bool {
    cfg.trigger_threshold != 0 && ccti >= cfg.trigger_threshold
}

/// A BECN for the entry's destination in cycle `now`. With `rearm` a change restarts a period that
/// is still running; one that is over waits for its decay, which is not lost.
#[inline]
pub const fn becn_hit(cfg: &Cfg, entry: &mut Entry, now: u64) {
    let ccti = increased(cfg, entry.ccti);
    if cfg.rearm && ccti != entry.ccti && cfg.period != 0 && !due(cfg, entry, now) {
        entry.deadline = cfg.time.add(now, cfg.period);
    }
    entry.ccti = ccti;
}

/// A BECN for a destination that no entry tracks, in cycle `now`; `cfg_first_ccti` is not 0.
#[inline]
pub const fn allocate(cfg: &Cfg, dlid: u64, now: u64) -> Entry {
    Entry {
        valid: true,
        dlid,
        ccti: cfg.first_ccti,
        deadline: if cfg.period == 0 { 0 } else { cfg.time.add(now, cfg.period) },
        held: false,
        next_send: 0,
    }
}

/// Whether the entry's period is over in cycle `now`.
#[inline]
pub const fn due(cfg: &Cfg, entry: &Entry, now: u64) -> bool {
    entry.valid && cfg.period != 0 && cfg.time.reached(now, entry.deadline)
}

/// Ends a period that is over: ccti falls by 1, not below `cfg_min`; at 0 the entry is released.
/// The next period runs from this one's end, not from the visit.
#[inline]
pub const fn decay(cfg: &Cfg, entry: &mut Entry) -> Decay {
    let before = entry.ccti;
    if before > cfg.min {
        entry.ccti = sub_floor_zero(before, 1);
    }
    let ccti = entry.ccti;
    if ccti == 0 {
        *entry = Entry { valid: false, dlid: 0, ccti: 0, deadline: 0, held: false, next_send: 0 };
    } else {
        entry.deadline = cfg.time.add(entry.deadline, cfg.period);
    }
    Decay { ccti, changed: ccti != before, released: ccti == 0 }
}

/// Whether the entry's pacing lets a packet go in cycle `now`.
#[inline]
pub const fn send_time(cfg: &Cfg, entry: &Entry, now: u64) -> bool {
    !entry.held || cfg.pace_time.reached(now << cfg.time_frac, entry.next_send)
}

/// Cycles from `now` until [`send_time`] holds, if nothing else happens to the entry; 0: it does now.
#[inline]
pub const fn cycles_to_send_time(cfg: &Cfg, entry: &Entry, now: u64) -> u64 {
    if send_time(cfg, entry, now) {
        return 0;
    }
    let left = cfg.pace_time.sub(entry.next_send, now << cfg.time_frac);
    (left + ((1 << cfg.time_frac) - 1)) >> cfg.time_frac
}

/// Wire time of a packet of `bytes`, UQ19.TIME_FRAC cycles, rounded half up.
#[inline]
pub const fn packet_time(cfg: &Cfg, bytes: u64) -> u64 {
    round_half_up(bytes * cfg.line_byte_time, BYTE_TIME_FRAC - cfg.time_frac)
}

/// (base time >> shift) × multiplier, UQ33.(TIME_FRAC+3) cycles: the three more fraction bits take
/// what is shifted out, so it is exact.
#[inline]
pub const fn delay(base_time: u64, row: Row) -> u64 {
    ((base_time << SHIFT_FRAC) >> row.shift) * row.multiplier
}

/// From the base of a grant to next_send, UQ TIME_W.TIME_FRAC cycles: packet time and delay, the
/// delay rounded half up; held at `gap_most`.
#[inline]
pub const fn gap(cfg: &Cfg, bytes: u64, row: Row) -> u64 {
    let packet_time = packet_time(cfg, bytes);
    let base_time = if cfg.delay_base_mtu { cfg.mtu_time } else { packet_time };
    let gap = packet_time + round_half_up(delay(base_time, row), SHIFT_FRAC);
    if gap > cfg.gap_most { cfg.gap_most } else { gap }
}

/// A grant in cycle `now`: next_send moves by `gap`, from the last one where that is less than
/// PacingSlack ago, else from now.
#[inline]
pub const fn grant(cfg: &Cfg, entry: &mut Entry, now: u64, gap: u64) {
    let now = now << cfg.time_frac;
    let base = if entry.held && !slack_over(cfg, entry, now) { entry.next_send } else { now };
    entry.next_send = cfg.pace_time.add(base, gap);
    entry.held = true;
}

/// The sweep's look at the pacing in cycle `now`: forgets a `next_send` that can no longer be the
/// base of the next one.
#[inline]
pub const fn expire(cfg: &Cfg, entry: &mut Entry, now: u64) {
    let now = now << cfg.time_frac;
    if entry.held && cfg.pace_time.reached(now, entry.next_send) && slack_over(cfg, entry, now) {
        entry.held = false;
        entry.next_send = 0;
    }
}

/// now − next_send ≥ PacingSlack, for a `now` (UQ TIME_W.TIME_FRAC) that has reached next_send.
const fn slack_over(cfg: &Cfg, entry: &Entry, now: u64) -> bool {
    cfg.pace_time.sub(now, entry.next_send) >= cfg.pacing_slack << cfg.time_frac
}

/// The round-robin choice among `eligible` queues (bit q is queue q, not 0): the first from queue
/// `from` on, then from queue 0.
#[inline]
pub const fn arbitrate(eligible: u64, from: u32) -> u32 {
    let above = (eligible >> from) << from;
    if above != 0 { above.trailing_zeros() } else { eligible.trailing_zeros() }
}

/// A packet's `wait` after `cycles` more; saturates at 24 bits.
#[inline]
pub const fn wait_longer(wait: u64, cycles: u64) -> u64 {
    let most = (1 << WAIT_W) - 1;
    if cycles > most - wait { most } else { wait + cycles }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_robin_begins_behind_the_last_and_goes_round() {
        assert_eq!(arbitrate(0b1010_0010, 0), 1);
        assert_eq!(arbitrate(0b1010_0010, 2), 5);
        assert_eq!(arbitrate(0b1010_0010, 7), 7);
        assert_eq!(arbitrate(0b0010_0010, 7), 1);
        assert_eq!(arbitrate(0b0000_0001, 16), 0);
    }

    /// The largest base time and multiplier: UQ33.19 at TIME_FRAC 16, nothing lost.
    #[test]
    fn the_largest_delay_does_not_overflow() {
        let base = (16_384 * 16) << 16;
        assert_eq!(delay(base, Row { shift: 0, multiplier: 16_383 }), (262_144 * 16_383) << 19);
        assert_eq!(delay(1, Row { shift: 3, multiplier: 1 }), 1);
    }
}
