//! Which rows of the page's "Must be covered" happen, seen from the golden model.

use super::core::{self, Admit, Cfg, Gone, Mode, Queue, Verdict, Visit};
use crate::cover::{Cover, row};
use congruent_ports::ParamSet;
use congruent_ports::error;
use congruent_ports::pfc_threshold::{BETA_FRAC, BLOCK, THRESHOLD_FRAC};

macro_rules! rows {
    ($($name:ident = $row:literal;)*) => { $(const $name: usize = row(&BLOCK, $row);)* };
}

rows! {
    THRESHOLD_NEGATIVE = "threshold_negative";
    THRESHOLD_ZERO = "threshold_zero";
    BELOW_RESUME_OFFSET = "below_resume_offset";
    BELOW_RESUME_OFFSET_EMPTY = "below_resume_offset_empty";
    RESUME_BY_DEQ = "resume_by_deq";
    RESUME_BY_SWEEP = "resume_by_sweep";
    XOFF_EXACTLY = "xoff_exactly";
    XOFF_ONE_OVER = "xoff_one_over";
    XON_EXACTLY = "xon_exactly";
    XON_ONE_OVER = "xon_one_over";
    HEADROOM_EXACTLY = "headroom_exactly";
    HEADROOM_OVERFILLED = "headroom_overfilled";
    POOL_EXACTLY = "pool_exactly";
    POOL_FULL = "pool_full";
    BETA_LEAST = "beta_least";
    BETA_1 = "beta_1";
    BETA_8 = "beta_8";
    BETA_128 = "beta_128";
    STATIC_XOFF_EXACTLY = "static_xoff_exactly";
    STATIC_XOFF_ONE_OVER = "static_xoff_one_over";
    STATIC_XON_EXACTLY = "static_xon_exactly";
    STATIC_XON_ONE_OVER = "static_xon_one_over";
    STATIC_POOL_FULL = "static_pool_full";
    XOFF_IN_RESUME_CYCLE = "xoff_in_resume_cycle";
    ENQ_DEQ_SAME_CYCLE = "enq_deq_same_cycle";
    RESUME_AND_XOFF_SAME_CYCLE = "resume_and_xoff_same_cycle";
    DEQ_AFTER_ENQ = "deq_after_enq";
    ENQ_AFTER_DEQ = "enq_after_deq";
    ENQ_BACK_TO_BACK = "enq_back_to_back";
    DEQ_BACK_TO_BACK = "deq_back_to_back";
    ALL_PAUSED = "all_paused";
    REFRESH = "refresh";
    RESUME_IN_REFRESH_CYCLE = "resume_in_refresh_cycle";
    DEQ_RESUME_IN_REFRESH_CYCLE = "deq_resume_in_refresh_cycle";
    UNDERFLOW = "underflow";
    WRAP_WHILE_PAUSED = "wrap_while_paused";
    OWED = "owed";
    OWED_SENT = "owed_sent";
    OWED_RESUMED = "owed_resumed";
    COUNTER_SATURATED = "counter_saturated";
    QUEUE_OUT_OF_RANGE = "queue_out_of_range";
}

/// No event yet: the cycle after the last one, and its queue.
const NEVER: (u64, usize) = (u64::MAX, 0);

/// An event or a visit: the queue before and after it.
#[derive(Debug, Clone, Copy)]
pub struct Change {
    /// Cycle of it.
    pub cycle: u64,
    /// The queue.
    pub at: usize,
    /// The queue before it.
    pub before: Queue,
    /// The queue after it.
    pub after: Queue,
    /// Bytes in the pool after it.
    pub s: u64,
}

/// Counts rows as the model runs.
#[derive(Debug)]
pub struct Coverage {
    counts: Cover,
    count_most: u64,
    queues: usize,
    /// Queues that are paused.
    paused: usize,
    /// The cycle after the last event of its kind, and its queue.
    after_enq: (u64, usize),
    after_deq: (u64, usize),
    /// The same of the last resume by a deq, and of the last XOFF.
    after_resume: (u64, usize),
    after_xoff: (u64, usize),
}

impl Coverage {
    /// Nothing counted yet.
    pub fn new(cfg: &Cfg, params: &ParamSet) -> Self {
        Self {
            counts: Cover::new(&BLOCK),
            count_most: (1 << cfg.count_w) - 1,
            queues: params.get("QUEUES") as usize,
            paused: 0,
            after_enq: NEVER,
            after_deq: NEVER,
            after_resume: NEVER,
            after_xoff: NEVER,
        }
    }

    /// The counts so far.
    pub fn counts(&self) -> &Cover {
        &self.counts
    }

    /// Forgets what it knows of the queues, not what it counted.
    pub fn reset(&mut self) {
        self.paused = 0;
        self.after_enq = NEVER;
        self.after_deq = NEVER;
        self.after_resume = NEVER;
        self.after_xoff = NEVER;
    }

    /// A queue outside the table.
    pub fn out_of_range(&mut self) {
        self.counts.hit_if(QUEUE_OUT_OF_RANGE, true);
    }

    /// A packet left.
    #[inline]
    pub fn deq(&mut self, cfg: &Cfg, change: &Change, gone: Gone) {
        let Change { cycle, at, before, after, s } = *change;
        let counts = &mut self.counts;
        counts.hit_if(DEQ_AFTER_ENQ, self.after_enq == (cycle, at));
        counts.hit_if(DEQ_BACK_TO_BACK, self.after_deq == (cycle, at));
        self.after_deq = (cycle + 1, at);
        counts.hit_if(UNDERFLOW, gone.error != error::NONE);
        counts.hit_if(RESUME_BY_DEQ, gone.resume);
        if before.paused {
            self.judged_xon(cfg, &before, &after, s);
        }
        if gone.resume {
            self.after_resume = (cycle + 1, at);
        }
    }

    /// A packet arrived.
    #[inline]
    pub fn enq(&mut self, cfg: &Cfg, change: &Change, bytes: u64, admit: Admit) {
        let Change { cycle, at, before, after, s } = *change;
        let counts = &mut self.counts;
        counts.hit_if(ENQ_DEQ_SAME_CYCLE, self.after_deq == (cycle + 1, at));
        counts.hit_if(ENQ_AFTER_DEQ, self.after_deq == (cycle, at));
        counts.hit_if(ENQ_BACK_TO_BACK, self.after_enq == (cycle, at));
        self.after_enq = (cycle + 1, at);
        let dropped = admit.verdict == Verdict::Dropped;
        counts.hit_if(COUNTER_SATURATED, dropped && before.drops == self.count_most);
        if before.paused {
            let full = bytes > 0 && after.h == cfg.headroom_bytes;
            counts.hit_if(HEADROOM_EXACTLY, full && !dropped);
            counts.hit_if(HEADROOM_OVERFILLED, dropped);
        } else if dropped {
            counts.hit_if(POOL_FULL, true);
            counts.hit_if(THRESHOLD_NEGATIVE, cfg.mode == Mode::Dynamic);
            counts.hit_if(STATIC_POOL_FULL, cfg.mode == Mode::Static);
        } else {
            counts.hit_if(POOL_EXACTLY, bytes > 0 && s == cfg.pool_bytes);
            self.judged_xoff(cfg, after.q, s);
        }
        if admit.xoff {
            self.xoff(cfg, change);
        }
    }

    /// A queue was held against the threshold above which it is paused.
    fn judged_xoff(&mut self, cfg: &Cfg, q: u64, s: u64) {
        let counts = &mut self.counts;
        match cfg.mode {
            Mode::Dynamic => {
                let threshold = core::threshold(cfg, s);
                counts.hit_if(THRESHOLD_ZERO, s == cfg.pool_bytes);
                counts.hit_if(XOFF_EXACTLY, q > 0 && q << THRESHOLD_FRAC == threshold);
                counts.hit_if(XOFF_ONE_OVER, q > 1 && (q - 1) << THRESHOLD_FRAC == threshold);
            }
            Mode::Static => {
                counts.hit_if(STATIC_XOFF_EXACTLY, q == cfg.xoff);
                counts.hit_if(STATIC_XOFF_ONE_OVER, q == cfg.xoff + 1);
            }
        }
    }

    fn xoff(&mut self, cfg: &Cfg, change: &Change) {
        let Change { cycle, at, before, .. } = *change;
        let counts = &mut self.counts;
        counts.hit_if(RESUME_AND_XOFF_SAME_CYCLE, self.after_resume == (cycle + 1, at));
        counts.hit_if(COUNTER_SATURATED, before.pauses == self.count_most);
        if cfg.mode == Mode::Dynamic {
            counts.hit_if(BETA_LEAST, cfg.beta == 1);
            counts.hit_if(BETA_1, cfg.beta == 1 << BETA_FRAC);
            counts.hit_if(BETA_8, cfg.beta == 8 << BETA_FRAC);
            counts.hit_if(BETA_128, cfg.beta == 128 << BETA_FRAC);
        }
        self.after_xoff = (cycle + 1, at);
        self.paused += 1;
        counts.hit_if(ALL_PAUSED, self.paused == self.queues);
    }

    /// A paused queue was held against the threshold at which it resumes.
    fn judged_xon(&mut self, cfg: &Cfg, before: &Queue, after: &Queue, s: u64) {
        let counts = &mut self.counts;
        let resumed = !after.paused;
        self.paused -= usize::from(resumed);
        counts.hit_if(OWED_RESUMED, before.owed && resumed);
        if after.h > 0 {
            return;
        }
        match cfg.mode {
            Mode::Dynamic => {
                let threshold = core::threshold(cfg, s);
                let with_offset = (after.q + cfg.resume_offset) << THRESHOLD_FRAC;
                let below = threshold < cfg.resume_offset << THRESHOLD_FRAC;
                counts.hit_if(THRESHOLD_ZERO, s == cfg.pool_bytes);
                counts.hit_if(BELOW_RESUME_OFFSET, below && after.q > 0);
                counts.hit_if(BELOW_RESUME_OFFSET_EMPTY, below && after.q == 0);
                counts.hit_if(XON_EXACTLY, after.q > 0 && with_offset == threshold);
                let one_over = with_offset == threshold + (1 << THRESHOLD_FRAC);
                counts.hit_if(XON_ONE_OVER, after.q > 1 && one_over);
            }
            Mode::Static => {
                counts.hit_if(STATIC_XON_EXACTLY, after.q == cfg.xon);
                counts.hit_if(STATIC_XON_ONE_OVER, after.q == cfg.xon + 1);
            }
        }
    }

    /// An XOFF found no place in the queue of pauses.
    pub fn owed(&mut self) {
        self.counts.hit_if(OWED, true);
    }

    /// The sweep looked at a queue.
    #[inline]
    pub fn visit(&mut self, cfg: &Cfg, change: &Change, now: u64, made: Option<Visit>) {
        let Change { cycle, at, before, after, s } = *change;
        if !before.paused {
            let resumed = self.after_resume == (cycle + 1, at);
            let due = resumed && cfg.time.reached(now, before.deadline);
            self.counts.hit_if(DEQ_RESUME_IN_REFRESH_CYCLE, due);
            return;
        }
        self.judged_xon(cfg, &before, &after, s);
        let counts = &mut self.counts;
        match made {
            None => (),
            Some(Visit::Resume) => {
                counts.hit_if(RESUME_BY_SWEEP, true);
                counts.hit_if(XOFF_IN_RESUME_CYCLE, self.after_xoff.0 == cycle + 1);
                counts.hit_if(RESUME_IN_REFRESH_CYCLE, cfg.time.reached(now, before.deadline));
            }
            Some(Visit::Owed) => counts.hit_if(OWED_SENT, true),
            Some(Visit::Refresh) => counts.hit_if(REFRESH, true),
        }
    }

    /// A cycle is over.
    #[inline]
    pub fn end_of_cycle(&mut self, cfg: &Cfg, now: u64) {
        self.counts.hit_if(WRAP_WHILE_PAUSED, now == cfg.time.mask() && self.paused > 0);
    }
}
