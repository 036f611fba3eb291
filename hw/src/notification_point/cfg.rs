//! Attributes in natural units to `cfg_*` pins: the only place where units are converted.

use super::core::Cfg;
use crate::attributes::{AttributeError, AttributeSet, check_numbered, refused};
use crate::fixed::{Wrap, from_real};
use congruent_ports::ParamSet;
use congruent_ports::notification_point::BLOCK;

/// Checks parameters against each other.
///
/// # Errors
/// `QP_W` too narrow for `QPS`; a time that wraps before the sweep is round.
pub fn check_params(params: &ParamSet) -> Result<(), AttributeError> {
    check_numbered(params, "QPS", "QP_W", "queue pairs")?;
    let qps = params.get("QPS");
    if longest_gap(params).is_none() {
        return Err(refused(format!(
            "parameter TIME_W = {} wraps before the sweep is round QPS = {qps} queue pairs: accepted is {} or more",
            params.get("TIME_W"),
            // Half a wrap has to be above it.
            (sweep_bound(params) + 1).ilog2() + 2
        )));
    }
    Ok(())
}

/// Cycles by which the sweep is late at the most.
fn sweep_bound(params: &ParamSet) -> u64 {
    2 * params.get("QPS") as u64 + BLOCK.cycles("pipeline")
}

/// The longest gap, cycles: recent is cleared before half a wrap has passed.
fn longest_gap(params: &ParamSet) -> Option<u64> {
    let half = 1u64 << (params.get("TIME_W") - 1);
    half.checked_sub(sweep_bound(params) + 1).filter(|gap| *gap > 0)
}

/// Attributes to pins.
///
/// # Errors
/// A gap that time cannot hold.
pub fn configure(attributes: &AttributeSet, params: &ParamSet) -> Result<Cfg, AttributeError> {
    check_params(params)?;
    let gap_us = attributes.real("min_time_between_cnps");
    let clock = attributes.real("clock_mhz");
    let gap = if gap_us > 0.0 { from_real(gap_us * clock, 0).max(1) } else { 0 };
    let time_w = params.get("TIME_W");
    match longest_gap(params) {
        Some(most) if gap <= most => Ok(Cfg { time: Wrap::new(time_w as u32), gap }),
        most => Err(refused(format!(
            "min_time_between_cnps = {gap_us} us is {gap} cycles at {clock} MHz, and time of TIME_W = {time_w} bits wraps too soon for it: accepted is {} us or less",
            most.unwrap_or(0) as f64 / clock
        ))),
    }
}

impl Cfg {
    /// Raw values of the `cfg_*` pins, in table order.
    pub fn pins(&self) -> Vec<u64> {
        vec![self.gap]
    }
}
