//! Which rows of "Must be covered" happen, seen from the golden model.

use super::core::{Cfg, Point};
use crate::cover::{Cover, row};
use congruent_ports::notification_point::BLOCK;

macro_rules! rows {
    ($($name:ident = $row:literal;)*) => { $(const $name: usize = row(&BLOCK, $row);)* };
}

rows! {
    FIRST_CE = "first_ce";
    SWALLOWED = "swallowed";
    GAP_EXACTLY = "gap_exactly";
    GAP_MINUS_ONE = "gap_minus_one";
    DUE_NOT_SWEPT = "due_not_swept";
    BACK_TO_BACK_SWALLOWED = "back_to_back_swallowed";
    BACK_TO_BACK_OTHERS = "back_to_back_others";
    GAP_ZERO = "gap_zero";
    CE_IN_CLEAR_CYCLE = "ce_in_clear_cycle";
    WRAP_WHILE_RECENT = "wrap_while_recent";
    WRAP_WHILE_IDLE = "wrap_while_idle";
    EVERY_QP_RECENT = "every_qp_recent";
    QP_OUT_OF_RANGE = "qp_out_of_range";
}

/// The last CE packet: the cycle after it, its queue pair, whether it was answered.
type Last = (u64, usize, bool);

/// No CE packet yet.
const NEVER: Last = (u64::MAX, 0, false);

/// Counts rows as the model runs.
#[derive(Debug)]
pub struct Coverage {
    counts: Cover,
    last: Last,
    /// Cycle of the last CNP by queue pair.
    sent: Vec<Option<u64>>,
    /// Queue pairs that are recent.
    recent: usize,
    /// This cycle's CE packet found its queue pair due to be cleared.
    found_due: bool,
}

impl Coverage {
    /// Nothing counted yet.
    pub fn new(qps: usize) -> Self {
        Self {
            counts: Cover::new(&BLOCK),
            last: NEVER,
            sent: vec![None; qps],
            recent: 0,
            found_due: false,
        }
    }

    /// Hits so far.
    pub fn counts(&self) -> &Cover {
        &self.counts
    }

    /// A run starts from reset: what was counted stays.
    pub fn reset(&mut self) {
        self.last = NEVER;
        self.sent.fill(None);
        self.recent = 0;
        self.found_due = false;
    }

    /// An event for a queue pair outside the table.
    pub fn out_of_range(&mut self) {
        self.counts.hit_if(QP_OUT_OF_RANGE, true);
    }

    /// A CE packet; `before` is its queue pair.
    #[inline]
    pub fn ce(
        &mut self,
        cfg: &Cfg,
        at: usize,
        cycle: u64,
        now: u64,
        before: &Point,
        answered: bool,
    ) {
        let counts = &mut self.counts;
        let since = cfg.time.sub(now, before.last);
        self.found_due = before.recent && answered;
        counts.hit_if(FIRST_CE, !before.recent && cfg.gap > 0);
        counts.hit_if(SWALLOWED, !answered);
        counts.hit_if(GAP_EXACTLY, before.recent && since == cfg.gap);
        counts.hit_if(GAP_MINUS_ONE, before.recent && since + 1 == cfg.gap);
        counts.hit_if(DUE_NOT_SWEPT, before.recent && since > cfg.gap);
        counts.hit_if(WRAP_WHILE_RECENT, before.recent && now < before.last);
        let (next, qp, was_answered) = self.last;
        let back_to_back = next == cycle && was_answered;
        counts.hit_if(BACK_TO_BACK_SWALLOWED, back_to_back && qp == at && !answered);
        counts.hit_if(BACK_TO_BACK_OTHERS, back_to_back && qp != at && answered);
        counts.hit_if(GAP_ZERO, back_to_back && qp == at && answered && cfg.gap == 0);
        self.last = (cycle + 1, at, answered);
        if answered {
            let half = (cfg.time.mask() >> 1) + 1;
            let idle = self.sent[at].is_some_and(|sent| cycle - sent > half);
            counts.hit_if(WRAP_WHILE_IDLE, idle && cfg.gap > 0);
            self.sent[at] = Some(cycle);
            if !before.recent && cfg.gap > 0 {
                self.recent += 1;
                counts.hit_if(EVERY_QP_RECENT, self.recent == self.sent.len());
            }
        }
    }

    /// The sweep's visit after the cycle's CE packet: whether it cleared, and whether the packet was
    /// of the same queue pair.
    #[inline]
    pub fn visit(&mut self, cleared: bool, met_ce: bool) {
        self.recent -= usize::from(cleared);
        self.counts.hit_if(CE_IN_CLEAR_CYCLE, met_ce && self.found_due);
        self.found_due = false;
    }
}
