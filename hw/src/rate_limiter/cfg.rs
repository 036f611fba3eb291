//! Attributes in natural units to `cfg_*` pins: the only place where units are converted.

use super::core::{Cfg, cut, estimate_next, hold_at_floor};
use super::dcqcn;
use super::dcqcn::core::ReactionCfg;
use crate::attributes::{AttributeError, AttributeSet, check_numbered, refused};
use crate::fixed::{Wrap, from_real};
use congruent_ports::ParamSet;
use congruent_ports::rate_limiter::{BLOCK, BYTE_TIME_FRAC, BYTES_W, PACE_FRAC};

/// An increase that comes so close to line rate ends the episode (seed 000), Gbps.
pub const END_GAP_GBPS: f64 = 0.1;

/// Fraction bits of the estimate that the loop of seed 000 is made for, and of alpha.
const EST_FRAC_MOST: i64 = 16;
const ALPHA_FRAC_LEAST: i64 = 10;

/// Checks parameters against each other.
///
/// # Errors
/// `QP_W` too narrow for `QPS`; an `EST_FRAC` that the loop is not made for.
pub fn check_params(params: &ParamSet) -> Result<(), AttributeError> {
    check_numbered(params, "QPS", "QP_W", "queue pairs")?;
    let est_frac = params.get("EST_FRAC");
    let dcqcn = params.get("DCQCN") == 1;
    if !dcqcn && est_frac > EST_FRAC_MOST {
        return Err(refused(format!(
            "parameter EST_FRAC = {est_frac} is for DCQCN = 1: accepted with DCQCN = 0 is 8 to {EST_FRAC_MOST}"
        )));
    }
    if dcqcn && est_frac < ALPHA_FRAC_LEAST {
        return Err(refused(format!(
            "parameter EST_FRAC = {est_frac} cannot hold 1 / 1024, the unit of dce_tcp_g: accepted with DCQCN = 1 is {ALPHA_FRAC_LEAST} or more"
        )));
    }
    Ok(())
}

/// Converts attributes. Every value is rounded half up.
///
/// # Errors
/// A half interval shorter than 2 × QPS + pipeline, a floor below one LSB of the rate, or a stored
/// time that could be half a wrap away from the cycle counter; for the reaction point what
/// [`dcqcn::cfg::configure`] says.
pub fn configure(attributes: &AttributeSet, params: &ParamSet) -> Result<Cfg, AttributeError> {
    check_params(params)?;
    if params.get("DCQCN") == 1 {
        return dcqcn::cfg::configure(attributes, params);
    }
    let est_frac = params.get("EST_FRAC") as u32;
    let rate_frac = params.get("RATE_FRAC") as u32;
    let interval_ns = attributes.real("control_interval_duration_ns");
    let step = (1.0 - attributes.real("initial_target_rate_percentage"))
        / attributes.real("number_active_increase_steps");
    let mut cfg = Cfg {
        half: from_real(interval_ns * attributes.real("clock_mhz") / 2000.0, 0),
        weight: from_real(attributes.real("congestion_probability_weight"), est_frac),
        additive_step: from_real(step, rate_frac),
        floor: from_real(attributes.real("minimum_rate_percentage"), rate_frac),
        fast_recovery_attempt: attributes.integer("fast_recovery_attempt"),
        loops_per_increase: attributes.integer("num_of_control_loops_per_increase"),
        ..of_both_loops(attributes, params)
    };
    if cfg.floor == 0 {
        return Err(refused(format!(
            "minimum_rate_percentage = {} is below one LSB of the rate at RATE_FRAC = {rate_frac}: accepted is {} or more (a rate of 0 never sends again)",
            attributes.real("minimum_rate_percentage"),
            0.5f64.powi(rate_frac as i32 + 1)
        )));
    }
    check_times(&cfg, attributes, params)?;
    // The first run of an episode has p = 1 by definition, so it is the same for all.
    let init = from_real(attributes.real("estimate_init"), est_frac);
    cfg.first_estimate = estimate_next(&cfg, init, cfg.one());
    cfg.first_rate = hold_at_floor(&cfg, cut(&cfg, cfg.line(), cfg.first_estimate));
    Ok(cfg)
}

/// What both loops have: formats, EnableECN, the end of an episode, the pacer. The rest is 0.
pub fn of_both_loops(attributes: &AttributeSet, params: &ParamSet) -> Cfg {
    let rate_frac = params.get("RATE_FRAC") as u32;
    let time_w = params.get("TIME_W") as u32;
    let clock_mhz = attributes.real("clock_mhz");
    let data_rate = attributes.real("data_rate");
    Cfg {
        rate_frac,
        est_frac: params.get("EST_FRAC") as u32,
        time: Wrap::new(time_w),
        pace_time: Wrap::new(time_w + PACE_FRAC),
        enable_ecn: attributes.integer("enable_ecn") != 0,
        half: 0,
        weight: 0,
        first_estimate: 0,
        first_rate: 0,
        additive_step: 0,
        floor: 0,
        end_rate: from_real((1.0 - END_GAP_GBPS / data_rate).max(0.0), rate_frac),
        fast_recovery_attempt: 0,
        loops_per_increase: 0,
        line_byte_time: from_real(8.0 * clock_mhz / (1000.0 * data_rate), BYTE_TIME_FRAC),
        pacing_slack: attributes.integer("pacing_slack"),
        reaction: ReactionCfg::none(params.get("BYTE_W") as u32),
    }
}

/// The shortest half interval that the sweep can serve, cycles.
pub fn shortest_half(params: &ParamSet) -> u64 {
    2 * params.get("QPS") as u64 + BLOCK.cycles("pipeline")
}

/// The longest time that a packet of the largest size can hold its queue pair at the lowest rate
/// (not 0), cycles rounded up.
pub fn longest_hold(cfg: &Cfg, lowest_rate: u64) -> u64 {
    let byte_time = super::core::byte_time(cfg, lowest_rate);
    (super::core::duration((1 << BYTES_W) - 1, byte_time) >> PACE_FRAC) + 1
}

fn check_times(
    cfg: &Cfg,
    attributes: &AttributeSet,
    params: &ParamSet,
) -> Result<(), AttributeError> {
    let shortest = shortest_half(params);
    let ns_a_cycle = 1000.0 / attributes.real("clock_mhz");
    let interval = attributes.real("control_interval_duration_ns");
    if cfg.half < shortest {
        return Err(refused(format!(
            "control_interval_duration_ns = {interval}: its half is {} cycles, and the sweep over QPS = {} needs at least {shortest}: accepted is {} ns or more",
            cfg.half,
            params.get("QPS"),
            2.0 * shortest as f64 * ns_a_cycle
        )));
    }
    let sweep = shortest + cfg.pacing_slack;
    for (what, longest) in [
        ("control_interval_duration_ns (half of it)", cfg.half),
        (
            "minimum_rate_percentage and data_rate (a packet of 16383 B at the floor)",
            longest_hold(cfg, cfg.floor),
        ),
    ] {
        check_reach(what, longest, sweep, params)?;
    }
    Ok(())
}

/// Whether a stored time that is `longest` cycles ahead when it is stored, and looked at `sweep`
/// cycles after it has come at the latest, can be told from one half a wrap away.
pub fn check_reach(
    what: &str,
    longest: u64,
    sweep: u64,
    params: &ParamSet,
) -> Result<(), AttributeError> {
    let reach = 1u64 << (params.get("TIME_W") - 1);
    let need = longest + sweep;
    if need >= reach {
        return Err(refused(format!(
            "{what} reach {longest} cycles ahead; with the sweep that is {need}, and TIME_W = {} tells times apart only below {reach}: accepted is less, or a wider TIME_W",
            params.get("TIME_W")
        )));
    }
    Ok(())
}

impl Cfg {
    /// Raw values of the `cfg_*` pins, in table order.
    pub fn pins(&self) -> Vec<u64> {
        vec![
            u64::from(self.enable_ecn),
            self.half,
            self.weight,
            self.first_estimate,
            self.first_rate,
            self.additive_step,
            self.floor,
            self.end_rate,
            self.fast_recovery_attempt,
            self.loops_per_increase,
            self.line_byte_time,
            self.pacing_slack,
            self.reaction.initial_alpha,
            self.reaction.first_cnp_rate,
            self.reaction.alpha_gain,
            self.reaction.alpha_period,
            self.reaction.increase_period,
            self.reaction.byte_reset,
            self.reaction.threshold,
            self.reaction.ai_rate,
            self.reaction.hai_rate,
            u64::from(self.reaction.cut_by_alpha),
            self.reaction.min_dec_fac,
            self.reaction.min_rate,
            self.reaction.monitor_period,
            u64::from(self.reaction.clamp_target),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attributes::Value;

    fn cfg(changes: &[(&str, Value)], params: &[(&str, i64)]) -> Result<Cfg, AttributeError> {
        let params = ParamSet::with(&BLOCK, params.iter().copied()).expect("legal");
        configure(&AttributeSet::defaults(&BLOCK).with(changes), &params)
    }

    /// Page, "Numbers to reproduce": half 22.5 µs = 11 250 cycles, step 4 Gbps, floor 40 Gbps.
    #[test]
    fn defaults_of_the_page() {
        let cfg = cfg(&[], &[]).expect("defaults are legal");
        let gbps = |raw: u64| crate::fixed::to_real(raw, 24) * 400.0;
        assert_eq!(cfg.half, 11_250);
        assert!((gbps(cfg.additive_step) - 4.0).abs() < 400.0 / (1 << 24) as f64);
        assert!((gbps(cfg.floor) - 40.0).abs() < 400.0 / (1 << 24) as f64);
        assert_eq!(gbps(cfg.first_rate), 300.0);
        assert_eq!(cfg.first_estimate, 1 << 15);
        let packet = super::super::core::duration(4154, cfg.line_byte_time);
        assert!((packet as f64 / 65536.0 - 41.54).abs() < 1e-4);
    }

    #[test]
    fn odd_half_is_rounded_half_up() {
        let interval =
            |ns| cfg(&[("control_interval_duration_ns", Value::Real(ns))], &[("QPS", 2)]);
        assert_eq!(interval(1002.0).expect("legal").half, 251); // 250.5
        assert_eq!(interval(1001.0).expect("legal").half, 250); // 250.25
    }

    #[test]
    fn refusals_name_value_and_range() {
        let short = cfg(&[("control_interval_duration_ns", Value::Real(100.0))], &[]);
        let text = short.expect_err("too short").to_string();
        assert!(text.contains("25 cycles") && text.contains("576"), "{text}");
        let hold = cfg(&[("data_rate", Value::Real(1.0))], &[("TIME_W", 16)]);
        let text = hold.expect_err("too long a hold").to_string();
        assert!(text.contains("TIME_W = 16") && text.contains("32768"), "{text}");
        let narrow = cfg(&[], &[("QP_W", 7)]).expect_err("too narrow").to_string();
        assert!(narrow.contains("QP_W = 7") && narrow.contains("8 or more"), "{narrow}");
    }

    #[test]
    fn pins_fit_their_ports() {
        let params = ParamSet::defaults(&BLOCK);
        let layout = congruent_ports::Layout::new(&BLOCK, &params);
        for rate in [1.0, 1600.0] {
            for clock in [100.0, 2000.0] {
                let changes = [("data_rate", Value::Real(rate)), ("clock_mhz", Value::Real(clock))];
                let pins = cfg(&changes, &[]).expect("legal").pins();
                assert_eq!(pins.len(), layout.cfg.len());
                for (pin, port) in pins.iter().zip(&layout.cfg) {
                    assert!(pin >> port.width == 0, "{} = {pin:#x}", port.name);
                }
            }
        }
    }
}
