//! What a visit of the sweep runs, in which order: alpha, then the timer, then bytes, each at most
//! once. The golden model and the steered comparison share it.

use super::core::{self, Reaction};
use super::coverage::{Coverage, Runs};
use crate::rate_limiter::core::{Cfg, Upd};

/// Whether a visit in cycle `now` would run anything.
#[inline]
pub fn due(cfg: &Cfg, state: &Reaction, now: u64, total: u64) -> bool {
    core::decay_due(cfg, state, now)
        || core::timer_due(cfg, state, now)
        || core::bytes_due(cfg, state, total)
}

/// Runs what is due of queue pair `at` in cycle `now`, `total` bytes granted so far, `granted` of them
/// in this cycle. The beats that it makes, in their order.
pub fn run(
    cfg: &Cfg,
    coverage: &mut Coverage,
    at: usize,
    state: &mut Reaction,
    now: u64,
    total: u64,
    granted: u64,
) -> [Option<Upd>; 3] {
    let mut beats = [None; 3];
    let mut runs = Runs::default();
    let mut bytes_behind_end = false;
    if core::decay_due(cfg, state, now) {
        runs.alpha = true;
        let before = *state;
        beats[0] = Some(core::decay(cfg, state));
        coverage.decay(at, &before, state);
    }
    if core::timer_due(cfg, state, now) {
        runs.timer = true;
        let before = *state;
        let upd = core::timer_increase(cfg, state);
        coverage.increase(cfg, &before, state, &upd, None);
        bytes_behind_end = !upd.congested && core::bytes_due(cfg, &before, total);
        beats[1] = Some(upd);
    }
    if core::bytes_due(cfg, state, total) {
        runs.bytes = true;
        let before = *state;
        let upd = core::byte_increase(cfg, state, total);
        coverage.increase(cfg, &before, state, &upd, Some((total, granted)));
        beats[2] = Some(upd);
    }
    coverage.visit(runs, bytes_behind_end);
    beats
}
