//! Attributes in natural units to `cfg_*` pins: the only place where units are converted.

use super::core::{Cfg, MOST_BYTES, max_window, observation};
use crate::attributes::{AttributeError, AttributeSet, check_numbered, refused};
use crate::fixed::{Wrap, from_real};
use congruent_ports::ParamSet;
use congruent_ports::nscc_window::{
    ALPHA_FRAC, ALPHA_W, BLOCK, BYTES_W, FAST_FRAC, FAST_W, GAIN_FRAC, GAIN_W, RTT_FRAC,
    SHARE_FRAC, WINDOW_RATE_FRAC,
};

/// Rate of the reference link (seed 004), Gbps.
pub const REFERENCE_GBPS: f64 = 400.0;

/// Max window in BDP (seed 004).
pub const WINDOW_BDPS: f64 = 1.5;

/// Target in ConfigBaseRTT with TrimmingEnabled (seed 004).
pub const TRIMMING_TARGET: f64 = 0.75;

/// The least that is left of half a wrap for an observation window, cycles.
const SHORTEST_REACH: u64 = 16;

/// Checks parameters against each other.
///
/// # Errors
/// `DST_W` too narrow for `DESTS`, or `TIME_W` too narrow for a sweep over them.
pub fn check_params(params: &ParamSet) -> Result<(), AttributeError> {
    check_numbered(params, "DESTS", "DST_W", "destinations")?;
    let dests = params.get("DESTS");
    let (time_w, need) = (params.get("TIME_W"), sweep_bound(params) + SHORTEST_REACH);
    if need >= 1 << (time_w - 1) {
        return Err(refused(format!(
            "parameter TIME_W = {time_w} tells times apart only below {} cycles, and the sweep over DESTS = {dests} needs {need}: accepted is {} or more",
            1u64 << (time_w - 1),
            need.ilog2() + 2
        )));
    }
    Ok(())
}

/// Converts attributes. Every value is rounded half up.
///
/// # Errors
/// A value that its pin does not hold, or a stored time that could be half a wrap away from the
/// cycle counter.
pub fn configure(attributes: &AttributeSet, params: &ParamSet) -> Result<Cfg, AttributeError> {
    check_params(params)?;
    let cwnd_frac = params.get("CWND_FRAC") as u32;
    let rtt_w = params.get("RTT_W") as u32;
    let flag = |name| attributes.integer(name) != 0;
    let clock = attributes.real("clock_mhz") / 1000.0;
    let data_rate = attributes.real("data_rate");
    let mss = attributes.real("mss");
    let base_ns = attributes.real("config_base_rtt");
    let reference_ns = attributes.real("reference_network_rtt");
    let a = data_rate * base_ns / (REFERENCE_GBPS * reference_ns);
    let cycles = |name, ns: f64| {
        let least = if ns > 0.0 { 1 } else { 0 };
        Ok(fit(name, "RTT_W", ns * clock, RTT_FRAC, rtt_w + RTT_FRAC, "cycles")?.max(least))
    };
    let trimming = flag("trimming_enabled");
    let (target_name, target_ns) = if flag("override_spec_target_queue_delay") {
        ("target_queue_delay", attributes.real("target_queue_delay"))
    } else {
        ("config_base_rtt", if trimming { TRIMMING_TARGET * base_ns } else { base_ns })
    };
    let share = |name| from_real(attributes.real(name), SHARE_FRAC);
    let gain = |name| attributes.real(name) * mss * a;
    let mut cfg = Cfg {
        uet: params.get("UET") == 1,
        cwnd_frac,
        time: Wrap::new(params.get("TIME_W") as u32),
        pass_through: flag("pass_through"),
        disable_quick_adapt: flag("disable_quick_adapt"),
        delay_trigger: !trimming,
        window_fixed: flag("override_spec_max_congestion_window"),
        quick_adapt_gate: attributes.integer("quick_adapt_gate") as u32,
        quick_adapt_threshold: cycles(
            "quick_adapt_threshold",
            attributes.real("quick_adapt_threshold"),
        )?,
        packet: attributes.integer("mss") + attributes.integer("header_bytes"),
        base_rtt: cycles("config_base_rtt", base_ns)?,
        target: cycles(target_name, target_ns)?,
        margin: cycles("target_queue_delay_margin", attributes.real("target_queue_delay_margin"))?,
        first_window: 0,
        window_rate: from_real(WINDOW_BDPS * data_rate / 8.0 / clock, WINDOW_RATE_FRAC),
        alpha: fit(
            "alpha_multiplier x mss x a / reference_network_rtt",
            "cfg_alpha",
            gain("alpha_multiplier") / reference_ns / clock,
            ALPHA_FRAC,
            ALPHA_W,
            "bytes/cycle",
        )?,
        fair: fit(
            "fair_increase_multiplier x mss x a",
            "cfg_fair",
            gain("fair_increase_multiplier"),
            GAIN_FRAC,
            GAIN_W,
            "bytes",
        )?,
        eta: fit(
            "eta_multiplier x mss x a",
            "cfg_eta",
            gain("eta_multiplier"),
            cwnd_frac,
            BYTES_W + cwnd_frac,
            "bytes",
        )?,
        fast: fit(
            "fast_increase_multiplier x fast_increase_base x a",
            "cfg_fast",
            attributes.real("fast_increase_multiplier") * attributes.real("fast_increase_base") * a,
            FAST_FRAC,
            FAST_W,
            "",
        )?,
        delay_alpha: share("delay_alpha"),
        gamma: share("gamma"),
        smallest_keep: share("max_multiplicative_decrease_jump"),
    };
    cfg.first_window = first_window(&cfg, attributes)?;
    check_times(&cfg, attributes, params)?;
    Ok(cfg)
}

/// A value as raw bits, rounded half up, if `width` bits hold it.
fn fit(
    name: &str,
    holder: &str,
    value: f64,
    frac: u32,
    width: u32,
    unit: &str,
) -> Result<u64, AttributeError> {
    let raw = (value * (1u64 << frac) as f64 + 0.5).floor();
    if raw < (1u64 << width) as f64 {
        return Ok(raw as u64);
    }
    Err(refused(format!(
        "{name} comes to {value} {unit}, more than {holder} holds: accepted is less than {} {unit}",
        1u64 << (width - frac)
    )))
}

/// Max window of a fresh destination.
fn first_window(cfg: &Cfg, attributes: &AttributeSet) -> Result<u64, AttributeError> {
    let (what, bytes) = if cfg.window_fixed {
        let packets = attributes.integer("max_congestion_window");
        ("max_congestion_window x (mss + header_bytes)", (packets * cfg.packet) as f64)
    } else {
        let rtt = cfg.base_rtt as f64 / f64::from(1 << RTT_FRAC);
        let rate = cfg.window_rate as f64 / f64::from(1 << WINDOW_RATE_FRAC);
        ("1.5 x data_rate x config_base_rtt / 8", rate * rtt)
    };
    // Half a byte below the end: rounding stays within it.
    if bytes > MOST_BYTES as f64 {
        return Err(refused(format!(
            "the max window, {what}, comes to {bytes} bytes: accepted is {MOST_BYTES} or less"
        )));
    }
    Ok(if cfg.window_fixed {
        (bytes as u64) << cfg.cwnd_frac
    } else {
        max_window(cfg, cfg.base_rtt)
    })
}

/// The longest that a stored time matters, cycles: an observation window is longer than a period.
pub fn longest_time(cfg: &Cfg) -> u64 {
    observation(cfg, cfg.base_rtt)
}

/// Cycles within which the sweep comes to every destination.
pub fn sweep_bound(params: &ParamSet) -> u64 {
    BLOCK.cycles("evt_interval") * params.get("DESTS") as u64 + BLOCK.cycles("pipeline")
}

fn check_times(
    cfg: &Cfg,
    attributes: &AttributeSet,
    params: &ParamSet,
) -> Result<(), AttributeError> {
    let reach = 1u64 << (params.get("TIME_W") - 1);
    let (longest, sweep) = (longest_time(cfg), sweep_bound(params));
    if longest + sweep >= reach {
        return Err(refused(format!(
            "config_base_rtt = {} ns and the target make an observation window of {longest} cycles; with the sweep that is {}, and TIME_W = {} tells times apart only below {reach}: accepted is less, or a wider TIME_W",
            attributes.real("config_base_rtt"),
            longest + sweep,
            params.get("TIME_W")
        )));
    }
    Ok(())
}

impl Cfg {
    /// Raw values of the `cfg_*` pins, in table order.
    pub fn pins(&self) -> Vec<u64> {
        vec![
            u64::from(self.pass_through),
            u64::from(self.disable_quick_adapt),
            u64::from(self.delay_trigger),
            u64::from(self.window_fixed),
            u64::from(self.quick_adapt_gate),
            self.quick_adapt_threshold,
            self.packet,
            self.base_rtt,
            self.target,
            self.margin,
            self.first_window,
            self.window_rate,
            self.alpha,
            self.fair,
            self.eta,
            self.fast,
            self.delay_alpha,
            self.gamma,
            self.smallest_keep,
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attributes::Value;
    use congruent_ports::Layout;

    fn cfg(changes: &[(&str, Value)], params: &[(&str, i64)]) -> Result<Cfg, AttributeError> {
        let params = ParamSet::with(&BLOCK, params.iter().copied()).expect("legal");
        let attributes = AttributeSet::defaults_under(&BLOCK, &params).with(changes);
        configure(&attributes, &params)
    }

    fn refusal(changes: &[(&str, Value)], params: &[(&str, i64)]) -> String {
        cfg(changes, params).expect_err("refused").to_string()
    }

    #[test]
    fn pins_fit_their_ports() {
        let params = ParamSet::defaults(&BLOCK);
        let layout = Layout::new(&BLOCK, &params);
        for rate in [1.0, 400.0, 1600.0] {
            for clock in [100.0, 500.0, 2000.0] {
                let changes = [
                    ("data_rate", Value::Real(rate)),
                    ("clock_mhz", Value::Real(clock)),
                    ("delay_alpha", Value::Real(1.0)),
                    ("header_bytes", Value::Integer(255)),
                    ("mss", Value::Integer(16384)),
                ];
                let pins = cfg(&changes, &[]).expect("legal").pins();
                assert_eq!(pins.len(), layout.cfg.len());
                for (pin, port) in pins.iter().zip(&layout.cfg) {
                    assert!(pin >> port.width == 0, "{} = {pin:#x}", port.name);
                }
            }
        }
    }

    #[test]
    fn refusals_name_value_and_range() {
        let real = Value::Real;
        let narrow = refusal(&[], &[("DST_W", 7)]);
        assert!(narrow.contains("DST_W = 7") && narrow.contains("8 or more"), "{narrow}");
        let sweep = refusal(&[], &[("TIME_W", 11)]);
        assert!(sweep.contains("needs 1104") && sweep.contains("12 or more"), "{sweep}");
        let long = refusal(&[], &[("TIME_W", 12)]);
        assert!(long.contains("5250 cycles") && long.contains("TIME_W = 12"), "{long}");
        let wide = refusal(&[("config_base_rtt", real(1e9))], &[]);
        assert!(wide.contains("config_base_rtt") && wide.contains("1048576 cycles"), "{wide}");
        let gain = refusal(&[("reference_network_rtt", real(1.0))], &[]);
        assert!(gain.contains("alpha_multiplier") && gain.contains("65536"), "{gain}");
        let window =
            refusal(&[("config_base_rtt", real(4e5)), ("alpha_multiplier", real(0.0))], &[]);
        assert!(window.contains("30000000 bytes") && window.contains("16777215"), "{window}");
    }

    /// 1.0 GHz: 0.03 ns is below half of 1/16 cycle, yet a threshold that is not 0 stays one.
    #[test]
    fn a_time_is_zero_only_where_it_is_asked_for() {
        let threshold = |ns| {
            let changes =
                [("clock_mhz", Value::Real(1000.0)), ("quick_adapt_threshold", Value::Real(ns))];
            cfg(&changes, &[]).expect("legal").quick_adapt_threshold
        };
        assert_eq!([threshold(0.0), threshold(0.03), threshold(0.1)], [0, 1, 2]);
    }
}
