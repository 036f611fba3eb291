//! The atomic core of `notification_point`: one event applied to one queue pair.
//!
//! No clock, no pipeline, no forwarding. `rtl/notification_point.sv` computes the same steps under
//! the same names. Times are cycles modulo 2^TIME_W. Source: Zhu et al. 2015, the NP algorithm;
//! `docs/notification_point.md`.

use crate::fixed::Wrap;

/// What the `cfg_*` pins carry, and the width of time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cfg {
    /// The cycle counter.
    pub time: Wrap,
    /// `cfg_gap`, cycles; 0: every CE packet is answered.
    pub gap: u64,
}

/// A queue pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Point {
    /// `last` means something.
    pub recent: bool,
    /// Time of the CE that the last CNP answered, cycles modulo 2^TIME_W; 0 unless recent.
    pub last: u64,
}

/// Whether the gap after the last CNP is over in cycle `now`: now − last ≥ gap, modulo.
#[inline]
pub const fn gap_over(cfg: &Cfg, point: &Point, now: u64) -> bool {
    cfg.time.sub(now, point.last) >= cfg.gap
}

/// A CE packet in cycle `now`. True: its CNP goes out; false: it is swallowed.
#[inline]
pub const fn arrive(cfg: &Cfg, point: &mut Point, now: u64) -> bool {
    if point.recent && !gap_over(cfg, point, now) {
        return false;
    }
    if cfg.gap > 0 {
        *point = Point { recent: true, last: now };
    }
    true
}

/// The sweep's look in cycle `now`: forgets a CNP whose gap is over.
#[inline]
pub const fn expire(cfg: &Cfg, point: &mut Point, now: u64) {
    if point.recent && gap_over(cfg, point, now) {
        *point = Point { recent: false, last: 0 };
    }
}
