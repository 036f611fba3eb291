//! The atomic fixed-point core of `pfc_threshold`: one event applied to one queue and the pool.
//!
//! No clock, no pipeline, no forwarding: every function takes a queue's whole state and the bytes
//! in the pool, and leaves them whole. `rtl/pfc_threshold.sv` computes the same steps under the
//! same names.
//!
//! Formats: bytes are whole; q, s and the pool's size UQ31.0 (up to 2^30, that included), h UQ28.0
//! (up to 2^27); Beta UQ8.7; t_PFC UQ35.10. Nothing is rounded: t_PFC keeps every bit of the product
//! of Beta and the free bytes, and a byte count is compared with it 10 bits further left. Nothing
//! overflows: q is at most s, s at most the pool, h at most t_flight. Source: seed 003,
//! `docs/pfc_threshold.md`.

use crate::fixed::{Wrap, sub_floor_zero};
use congruent_ports::error;
use congruent_ports::pfc_threshold::THRESHOLD_FRAC;

/// Where the thresholds come from: `cfg_mode`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Mode {
    /// From the free bytes of the pool.
    Dynamic = 0,
    /// Two constants.
    Static = 1,
}

/// What the `cfg_*` pins carry, and the widths that the arithmetic needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cfg {
    /// The cycle counter, TIME_W bits.
    pub time: Wrap,
    /// Bits of the counters of drops and pauses.
    pub count_w: u32,
    /// `cfg_mode`.
    pub mode: Mode,
    /// `cfg_pool_bytes`: B - 8 x n x t_flight.
    pub pool_bytes: u64,
    /// `cfg_headroom_bytes`: t_flight.
    pub headroom_bytes: u64,
    /// `cfg_beta`, UQ8.7.
    pub beta: u64,
    /// `cfg_resume_offset`, bytes.
    pub resume_offset: u64,
    /// `cfg_xoff`, bytes.
    pub xoff: u64,
    /// `cfg_xon`, bytes, below `xoff`.
    pub xon: u64,
    /// `cfg_half`, cycles.
    pub half: u64,
}

/// State of one queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Queue {
    /// Bytes in the pool.
    pub q: u64,
    /// Bytes in the headroom.
    pub h: u64,
    /// The sender has been told to pause, or is about to be.
    pub paused: bool,
    /// The beat of its XOFF found no place; only while paused.
    pub owed: bool,
    /// Time of the next refresh; means something only while paused.
    pub deadline: u64,
    /// Packets dropped; saturating.
    pub drops: u64,
    /// Times paused; saturating.
    pub pauses: u64,
}

/// Where a packet was charged: `admit_verdict`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Verdict {
    /// To the pool.
    Pool = 0,
    /// To the queue's headroom.
    Headroom = 1,
    /// Nowhere.
    Dropped = 2,
}

/// What an enq does beside its charge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Admit {
    /// Where the packet was charged.
    pub verdict: Verdict,
    /// The queue is paused by it: a beat with xoff = 1 is to enter the queue of pauses.
    pub xoff: bool,
}

/// What a deq does beside its discharge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gone {
    /// The queue resumes: a beat with xoff = 0 is to enter the queue of pauses.
    pub resume: bool,
    /// `none` or `underflow`.
    pub error: u64,
}

/// What a visit of the sweep makes; each is a beat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visit {
    /// The queue resumes: xoff = 0.
    Resume,
    /// The XOFF that found no place: xoff = 1.
    Owed,
    /// The pause again: xoff = 1, refresh = 1.
    Refresh,
}

/// Free bytes of the pool: B - 8 x n x t_flight - s, never below 0 because s is never above it.
#[inline]
pub const fn free(cfg: &Cfg, s: u64) -> u64 {
    cfg.pool_bytes - s
}

/// t_PFC(s) = Beta x free / 8 in bytes, UQ35.10, exact: the product of UQ8.7 and UQ31.0 with its
/// point three bits further left.
#[inline]
pub const fn threshold(cfg: &Cfg, s: u64) -> u64 {
    cfg.beta * free(cfg, s)
}

/// Whether a queue that is not paused is to be: above t_PFC, or StaticXoff; at it, it is not.
#[inline]
pub const fn above_xoff(cfg: &Cfg, q: u64, s: u64) -> bool {
    match cfg.mode {
        Mode::Dynamic => q << THRESHOLD_FRAC > threshold(cfg, s),
        Mode::Static => q > cfg.xoff,
    }
}

/// Whether the pool's part allows a paused queue to resume: q at max(0, t_PFC - ResumeOffset) or
/// below, or StaticXon. The offset is added to q, so that nothing has to be held at 0.
#[inline]
pub const fn below_xon(cfg: &Cfg, q: u64, s: u64) -> bool {
    match cfg.mode {
        Mode::Dynamic => q == 0 || (q + cfg.resume_offset) << THRESHOLD_FRAC <= threshold(cfg, s),
        Mode::Static => q <= cfg.xon,
    }
}

/// Whether a queue is to resume.
#[inline]
pub const fn may_resume(cfg: &Cfg, queue: &Queue, s: u64) -> bool {
    queue.paused && queue.h == 0 && below_xon(cfg, queue.q, s)
}

/// A counter one up; saturates at COUNT_W bits.
#[inline]
pub const fn count(cfg: &Cfg, counter: u64) -> u64 {
    let most = (1 << cfg.count_w) - 1;
    if counter == most { most } else { counter + 1 }
}

/// A packet leaves: its bytes come from the headroom first, then from the pool, and s falls by what
/// the pool lost. More bytes than both hold are an underflow: both are 0 then. The queue may resume.
#[inline]
pub const fn dequeue(cfg: &Cfg, queue: &mut Queue, s: &mut u64, bytes: u64) -> Gone {
    let beyond_h = sub_floor_zero(bytes, queue.h);
    let from_pool = if beyond_h < queue.q { beyond_h } else { queue.q };
    let error = if beyond_h > queue.q { error::UNDERFLOW } else { error::NONE };
    queue.h = sub_floor_zero(queue.h, bytes);
    queue.q -= from_pool;
    *s -= from_pool;
    let resume = may_resume(cfg, queue, *s);
    if resume {
        queue.paused = false;
        queue.owed = false;
    }
    Gone { resume, error }
}

/// A packet arrives. Not paused: dropped where the pool has no room for all of it, else charged, and
/// the queue is paused if it is above its threshold then. Paused: charged to the headroom, or
/// dropped where that has no room.
#[inline]
pub const fn enqueue(cfg: &Cfg, queue: &mut Queue, s: &mut u64, now: u64, bytes: u64) -> Admit {
    if queue.paused {
        let h = queue.h + bytes;
        if h > cfg.headroom_bytes {
            queue.drops = count(cfg, queue.drops);
            return Admit { verdict: Verdict::Dropped, xoff: false };
        }
        queue.h = h;
        return Admit { verdict: Verdict::Headroom, xoff: false };
    }
    if *s + bytes > cfg.pool_bytes {
        queue.drops = count(cfg, queue.drops);
        return Admit { verdict: Verdict::Dropped, xoff: false };
    }
    queue.q += bytes;
    *s += bytes;
    let xoff = above_xoff(cfg, queue.q, *s);
    if xoff {
        queue.paused = true;
        queue.deadline = cfg.time.add(now, cfg.half);
        queue.pauses = count(cfg, queue.pauses);
    }
    Admit { verdict: Verdict::Pool, xoff }
}

/// The beat of a queue's XOFF found no place in the queue of pauses.
#[inline]
pub const fn owe(queue: &mut Queue) {
    queue.owed = true;
}

/// The sweep looks at a queue: it resumes, else its owed XOFF is sent, else its pause again if that
/// is due. The next refresh counts from the deadline of this one, not from when it was served.
#[inline]
pub const fn visit(cfg: &Cfg, queue: &mut Queue, s: u64, now: u64) -> Option<Visit> {
    if !queue.paused {
        return None;
    }
    if may_resume(cfg, queue, s) {
        queue.paused = false;
        queue.owed = false;
        return Some(Visit::Resume);
    }
    if queue.owed {
        queue.owed = false;
        return Some(Visit::Owed);
    }
    if cfg.time.reached(now, queue.deadline) {
        queue.deadline = cfg.time.add(queue.deadline, cfg.half);
        return Some(Visit::Refresh);
    }
    None
}
