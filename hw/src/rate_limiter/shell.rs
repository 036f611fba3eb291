//! What the timing shells of both loops share: the words of a row, answers to requests and CNPs on
//! their way out, the counters.

use super::core::{Rsp, Upd};
use crate::stats::count;
use congruent_ports::error;

/// Words of the inputs slice, as `congruent_ports::Layout` orders them.
pub mod input {
    #![allow(missing_docs)] // the names are the ports'
    pub const CNP_VALID: usize = 0;
    pub const CNP_QP: usize = 1;
    pub const REQ_VALID: usize = 2;
    pub const REQ_QP: usize = 3;
    pub const REQ_BYTES: usize = 4;
    pub const PEEK_VALID: usize = 5;
    pub const PEEK_QP: usize = 6;
    pub const WORDS: usize = 7;
}

/// First words of the outputs slice, as `congruent_ports::Layout` orders them.
pub mod output {
    #![allow(missing_docs)] // the names are the ports'
    pub const RSP: usize = 0;
    pub const UPD: usize = 5;
    pub const PEEKED: usize = 13;
    pub const ERR: usize = 35;
    pub const PEEK_READY: usize = 39;
    pub const INIT_DONE: usize = 40;
    pub const STAT_CNPS: usize = 41;
    pub const STAT_RANGE: usize = 42;
    pub const STAT_ZERO_LENGTH: usize = 43;
    pub const WORDS: usize = 44;
}

/// Fields of a `peeked` beat.
pub const PEEKED_FIELDS: usize = 21;

/// What a CNP leaves on its way to `err` and `stat_cnps`.
#[derive(Debug, Clone, Copy)]
pub(super) enum CnpNote {
    Counted,
    OutOfRange(u64),
}

/// The answer to a request.
#[derive(Debug, Clone, Copy)]
pub(super) struct Answer {
    pub qp: u64,
    pub rsp: Rsp,
    pub error: u64,
}

/// A run of the loop that has its slot.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run {
    pub qp: u64,
    pub upd: Upd,
}

/// Saturating counters, as the `stat_*` outputs show them.
#[derive(Debug, Default)]
pub(super) struct Stats {
    cnps: u64,
    range: u64,
    zero_length: u64,
}

impl Stats {
    /// An answer with this code, or none, has come out.
    #[inline]
    pub fn error(&mut self, code: u64) {
        let counter = match code {
            error::NONE => return,
            error::RANGE => &mut self.range,
            error::ZERO_LENGTH => &mut self.zero_length,
            _ => return,
        };
        count(counter);
    }

    /// Shows the answer to a request, if one is due.
    #[inline]
    pub fn emit_rsp(&mut self, due: &mut Option<Answer>, out: &mut [u64]) {
        out[output::RSP] = u64::from(due.is_some());
        if let Some(Answer { qp, rsp, error }) = due {
            out[output::RSP + 1] = *qp;
            out[output::RSP + 2] = u64::from(rsp.grant);
            out[output::RSP + 3] = rsp.wait;
            out[output::RSP + 4] = *error;
            self.error(*error);
            *due = None;
        }
    }

    /// Counts a CNP, or shows that it was refused, if one is due.
    #[inline]
    pub fn emit_err(&mut self, due: &mut Option<CnpNote>, out: &mut [u64]) {
        out[output::ERR] = 0;
        if let Some(note) = due {
            match note {
                CnpNote::Counted => count(&mut self.cnps),
                CnpNote::OutOfRange(qp) => {
                    out[output::ERR..output::ERR + 4].copy_from_slice(&[1, 0, error::RANGE, *qp]);
                    self.error(error::RANGE);
                }
            }
            *due = None;
        }
    }

    /// The levels, after everything that this cycle shows.
    #[inline]
    pub fn emit_levels(&self, out: &mut [u64]) {
        out[output::INIT_DONE] = 1;
        out[output::STAT_CNPS] = self.cnps;
        out[output::STAT_RANGE] = self.range;
        out[output::STAT_ZERO_LENGTH] = self.zero_length;
    }
}

/// Shows a run of the loop, if one is due.
#[inline]
pub(super) fn emit_upd(due: &mut Option<Run>, out: &mut [u64]) {
    out[output::UPD] = u64::from(due.is_some());
    if let Some(Run { qp, upd }) = due {
        out[output::UPD + 1..output::UPD + 8].copy_from_slice(&upd.fields(*qp));
        *due = None;
    }
}

/// Something comes to be due; there is at most one of its kind in a cycle.
#[inline]
pub(super) fn put<T>(slot: &mut Option<T>, item: T) {
    debug_assert!(slot.is_none(), "two of a kind due in one cycle");
    *slot = Some(item);
}

/// The sentence of the page that the core applied in an `upd` beat.
pub fn rule(upd_cause: u64) -> &'static str {
    const RULES: [&str; 11] = [
        "1. Not congested: a CNP starts an episode; its first reduction has p = 1 (dcqcn: alpha starts at initial_alpha_value, the rate at rate_to_set_on_first_cnp or line rate, and the CNP cuts)",
        "3. Reduction half with CNPs: cut by estimate / 2 below FastRecoveryAttempt, else a step down and halfway",
        "3. Reduction half without CNPs: the rate stays, counts are cleared",
        "5. An increase: a step up from FastRecoveryAttempt on, then halfway to the target",
        "4. Increase half that saw CNPs: held until skipped reaches K + 1",
        "7. End: an increase within 0.1 Gbps of line rate (dcqcn: with the target at line rate)",
        "dcqcn: a CNP cuts the rate, then raises alpha; timers, byte counter and stages restart",
        "dcqcn: no cut for dce_tcp_rtt: alpha keeps G / 1024 of itself",
        "dcqcn: both stages at most F: fast recovery, halfway to the target",
        "dcqcn: a stage above F: the target rises by rpg_ai_rate, then halfway to it",
        "dcqcn: both stages above F: the target rises by i x rpg_hai_rate, then halfway to it",
    ];
    RULES.get(upd_cause as usize).copied().unwrap_or("no such cause")
}
