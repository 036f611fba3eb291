//! The f64 reference of `notification_point`: the published algorithm, event by event, in
//! microseconds.
//!
//! Independent of the core: real time that never wraps, no sweep, a gap that is not rounded to
//! cycles. Source: Zhu et al. 2015, the NP algorithm; `docs/notification_point.md`.

use crate::attributes::AttributeSet;

/// Microseconds that f64 cannot tell from nothing over a run.
const NOTHING: f64 = 1e-9;

/// The notification point of a NIC.
#[derive(Debug, Clone)]
pub struct Reference {
    /// min_time_between_cnps, microseconds.
    gap: f64,
    /// When the last CNP of each queue pair went out, microseconds.
    last: Vec<Option<f64>>,
}

impl Reference {
    /// No CNP sent yet.
    pub fn new(attributes: &AttributeSet, qps: usize) -> Self {
        Self { gap: attributes.real("min_time_between_cnps"), last: vec![None; qps] }
    }

    /// Microseconds until the gap after the last CNP is over: 0 or less, it is; `None`, there was
    /// none.
    pub fn left(&self, qp: usize, now: f64) -> Option<f64> {
        self.last[qp].map(|last| last + self.gap - now)
    }

    /// A CE packet at `now`, microseconds. True: its CNP goes out. `follow` is the core's branch,
    /// for a packet so close to the end of the gap that rounding decides.
    pub fn arrive(&mut self, qp: usize, now: f64, follow: Option<bool>) -> bool {
        let over = self.left(qp, now).is_none_or(|left| left <= NOTHING);
        let answered = follow.unwrap_or(over);
        if answered {
            self.last[qp] = Some(now);
        }
        answered
    }

    /// When the last CNP went out, while its gap lasts.
    pub fn recent(&self, qp: usize, now: f64) -> Option<f64> {
        let last = self.last[qp]?;
        (now - last < self.gap - NOTHING).then_some(last)
    }
}
