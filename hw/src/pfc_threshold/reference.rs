//! The f64 reference of `pfc_threshold`: the page's algorithm, event by event, in natural units.
//!
//! Independent of the core: bytes and thresholds as real numbers, time as cycles that never wrap. It
//! knows no queue of pauses: a beat is sent when it is made. Rounded are only Beta, which is a
//! multiple of 1/128 by definition, and the half pause time, which is whole cycles by definition. So
//! every number in it is exact in f64, and the core has to decide as it does. Source: seed 003,
//! `docs/pfc_threshold.md`.

use super::cfg::{half_cycles, mode, pool_bytes, static_thresholds};
use super::core::{Admit, Gone, Mode, Verdict, Visit};
use crate::attributes::{AttributeError, AttributeSet};
use congruent_ports::{ParamSet, error};

/// Attributes as the page's formulas use them.
#[derive(Debug, Clone)]
pub struct Constants {
    mode: Mode,
    /// B - 8 x n x t_flight, bytes.
    pool: f64,
    /// t_flight, bytes.
    headroom: f64,
    beta: f64,
    /// ResumeOffset, bytes.
    resume_offset: f64,
    /// StaticXoff and StaticXon, bytes.
    xoff: f64,
    xon: f64,
    /// Half of the pause time, cycles.
    half: f64,
}

impl Constants {
    /// From attributes.
    ///
    /// # Errors
    /// More headroom than buffer, static thresholds without room between them.
    pub fn new(attributes: &AttributeSet) -> Result<Self, AttributeError> {
        let (xoff, xon) = static_thresholds(attributes)?;
        Ok(Self {
            mode: mode(attributes),
            pool: pool_bytes(attributes)? as f64,
            headroom: attributes.real("headroom_bytes"),
            beta: (attributes.real("beta") * 128.0 + 0.5).floor() / 128.0,
            resume_offset: attributes.real("resume_offset"),
            xoff: xoff as f64,
            xon: xon as f64,
            half: (half_cycles(attributes) + 0.5).floor(),
        })
    }

    /// t_PFC(s), bytes.
    pub fn t_pfc(&self, s: f64) -> f64 {
        (self.beta * (self.pool - s) / 8.0).max(0.0)
    }

    /// The bytes above which a queue is paused, when the pool holds s.
    pub fn pause_above(&self, s: f64) -> f64 {
        match self.mode {
            Mode::Dynamic => self.t_pfc(s),
            Mode::Static => self.xoff,
        }
    }

    /// The bytes at which or below a paused queue resumes, when the pool holds s.
    pub fn resume_at(&self, s: f64) -> f64 {
        match self.mode {
            Mode::Dynamic => (self.t_pfc(s) - self.resume_offset).max(0.0),
            Mode::Static => self.xon,
        }
    }
}

/// One queue.
#[derive(Debug, Clone, Default)]
pub struct Queue {
    /// Bytes in the pool.
    pub q: f64,
    /// Bytes in the headroom.
    pub h: f64,
    /// Paused.
    pub paused: bool,
    /// Time of the next refresh, cycles, while paused.
    pub deadline: f64,
    /// Packets dropped.
    pub drops: u64,
    /// Times paused.
    pub pauses: u64,
}

/// The switch: its queues and the pool.
#[derive(Debug, Clone)]
pub struct Reference {
    /// Attributes.
    pub constants: Constants,
    /// The queues.
    pub queues: Vec<Queue>,
    /// Bytes in the pool.
    pub s: f64,
}

impl Reference {
    /// Empty queues.
    ///
    /// # Errors
    /// As for [`Constants::new`].
    pub fn new(attributes: &AttributeSet, params: &ParamSet) -> Result<Self, AttributeError> {
        Ok(Self {
            constants: Constants::new(attributes)?,
            queues: vec![Queue::default(); params.get("QUEUES") as usize],
            s: 0.0,
        })
    }

    /// A packet arrives for queue `at` in cycle `now`.
    pub fn enqueue(&mut self, at: usize, now: f64, bytes: f64) -> Admit {
        let c = &self.constants;
        let queue = &mut self.queues[at];
        let room = if queue.paused { c.headroom - queue.h } else { c.pool - self.s };
        if bytes > room {
            queue.drops += 1;
            return Admit { verdict: Verdict::Dropped, xoff: false };
        }
        if queue.paused {
            queue.h += bytes;
            return Admit { verdict: Verdict::Headroom, xoff: false };
        }
        queue.q += bytes;
        self.s += bytes;
        queue.paused = queue.q > c.pause_above(self.s);
        if queue.paused {
            queue.deadline = now + c.half;
            queue.pauses += 1;
        }
        Admit { verdict: Verdict::Pool, xoff: queue.paused }
    }

    /// A packet of queue `at` leaves.
    pub fn dequeue(&mut self, at: usize, bytes: f64) -> Gone {
        let queue = &mut self.queues[at];
        let error = if bytes > queue.h + queue.q { error::UNDERFLOW } else { error::NONE };
        let from_headroom = bytes.min(queue.h);
        let from_pool = (bytes - from_headroom).min(queue.q);
        queue.h -= from_headroom;
        queue.q -= from_pool;
        self.s -= from_pool;
        let resume = self.may_resume(at);
        self.queues[at].paused &= !resume;
        Gone { resume, error }
    }

    /// Whether queue `at` is paused and need not be any longer.
    pub fn may_resume(&self, at: usize) -> bool {
        let queue = &self.queues[at];
        queue.paused && queue.h == 0.0 && queue.q <= self.constants.resume_at(self.s)
    }

    /// Looks at queue `at` in cycle `now`: it resumes, or its pause is sent again.
    pub fn visit(&mut self, at: usize, now: f64) -> Option<Visit> {
        let resume = self.may_resume(at);
        let queue = &mut self.queues[at];
        if resume {
            queue.paused = false;
            return Some(Visit::Resume);
        }
        if queue.paused && now >= queue.deadline {
            queue.deadline += self.constants.half;
            return Some(Visit::Refresh);
        }
        None
    }
}
