//! Attributes in natural units to `cfg_*` pins: the only place where units are converted.

use super::core::{Cfg, Format, most_window, ts_bits};
use crate::attributes::{AttributeError, AttributeSet, check_numbered, refused};
use crate::fixed::{Wrap, from_real};
use congruent_ports::ParamSet;
use congruent_ports::hpcc_window::{BLOCK, BYTES_W, ETA_FRAC, INVERSE_FRAC};

/// The least that is left of half a wrap for the age of telemetry, cycles.
const SHORTEST_AGE: u64 = 16;

/// Checks parameters against each other.
///
/// # Errors
/// `FLOW_W` too narrow for `FLOWS`, or `TIME_W` too narrow for a sweep over them.
pub fn check_params(params: &ParamSet) -> Result<(), AttributeError> {
    check_numbered(params, "FLOWS", "FLOW_W", "flows")?;
    let flows = params.get("FLOWS");
    let (time_w, need) = (params.get("TIME_W"), sweep_bound(params) + SHORTEST_AGE);
    if need >= 1 << (time_w - 1) {
        return Err(refused(format!(
            "parameter TIME_W = {time_w} tells times apart only below {} cycles, and the sweep over FLOWS = {flows} needs {need}: accepted is {} or more",
            1u64 << (time_w - 1),
            need.ilog2() + 2
        )));
    }
    Ok(())
}

/// Cycles within which the sweep comes to every flow.
pub fn sweep_bound(params: &ParamSet) -> u64 {
    BLOCK.cycles("sweep_interval") * params.get("FLOWS") as u64 + BLOCK.cycles("pipeline")
}

/// How telemetry is packed.
pub fn format(attributes: &AttributeSet) -> Format {
    match attributes.name("int_format") {
        "wide" => Format::Wide,
        _ => Format::Paper,
    }
}

/// W_init, bytes.
pub fn first_window_bytes(attributes: &AttributeSet) -> f64 {
    attributes.real("data_rate") * attributes.real("base_rtt") / 8.0
}

/// The additive step, bytes: WAI, or what ExpectedFlows makes of W_init.
pub fn additive_bytes(attributes: &AttributeSet) -> f64 {
    match attributes.integer("expected_flows") {
        0 => attributes.real("wai"),
        flows => first_window_bytes(attributes) * (1.0 - attributes.real("eta")) / flows as f64,
    }
}

/// 1 / T as mantissa x 2^-(24 + shift) a ns, rounded half up: the mantissa is UQ1.24, from 1.0 to
/// below 2.0. T is not 0.
pub fn inverse(base_rtt: u64) -> (u64, u32) {
    let shift = u64::BITS - (base_rtt - 1).leading_zeros();
    let mantissa = ((1 << (INVERSE_FRAC + 1 + shift)) / base_rtt + 1) >> 1;
    // Rounded up to 2.0.
    if mantissa >> (INVERSE_FRAC + 1) != 0 { (mantissa >> 1, shift - 1) } else { (mantissa, shift) }
}

/// How old telemetry may be, cycles, rounded half up.
///
/// # Errors
/// More than a quarter of TS's period.
fn age(attributes: &AttributeSet) -> Result<u64, AttributeError> {
    let quarter = 2f64.powi(ts_bits(format(attributes)) as i32 - 2);
    let asked = attributes.real("stored_max_age");
    if asked > quarter {
        return Err(refused(format!(
            "stored_max_age = {asked} ns is more than a quarter of TS's period, {quarter} ns with int_format = {}, beyond which a wrap could go unseen: accepted is {quarter} ns or less, 0 for just that",
            attributes.name("int_format")
        )));
    }
    let ns = if asked > 0.0 { asked } else { quarter };
    Ok(from_real(ns * attributes.real("clock_mhz") / 1000.0, 0).max(1))
}

/// Converts attributes. Every value is rounded half up.
///
/// # Errors
/// A value that its pin does not hold, telemetry that may be older than a quarter of its period, or
/// than the cycle counter can tell.
pub fn configure(attributes: &AttributeSet, params: &ParamSet) -> Result<Cfg, AttributeError> {
    check_params(params)?;
    let w_frac = params.get("W_FRAC") as u32;
    let (data_rate, base_rtt) = (attributes.real("data_rate"), attributes.integer("base_rtt"));
    let first_window = window(
        &format!("data_rate = {data_rate} Gbps x base_rtt = {base_rtt} ns / 8"),
        first_window_bytes(attributes),
        w_frac,
    )?;
    let wai = match attributes.integer("expected_flows") {
        0 => format!("wai = {}", attributes.real("wai")),
        flows => format!("W_init x (1 - eta) / expected_flows = {flows}"),
    };
    let wai = window(&wai, additive_bytes(attributes), w_frac)?;
    let (inverse_rtt, inverse_rtt_shift) = inverse(base_rtt);
    let cfg = Cfg {
        most_hops: params.get("HOPS") as u64,
        u_frac: params.get("U_FRAC") as u32,
        w_frac,
        time: Wrap::new(params.get("TIME_W") as u32),
        format: format(attributes),
        base_rtt,
        inverse_rtt,
        inverse_rtt_shift,
        eta: from_real(attributes.real("eta"), ETA_FRAC),
        max_stage: attributes.integer("max_stage"),
        wai,
        first_window,
        packet: attributes.integer("packet_bytes"),
        age: age(attributes)?,
    };
    check_age(&cfg, params)?;
    Ok(cfg)
}

/// Bytes in a window's format, if it holds them.
fn window(what: &str, bytes: f64, w_frac: u32) -> Result<u64, AttributeError> {
    let raw = (bytes * f64::from(1 << w_frac) + 0.5).floor();
    if raw <= most_window(w_frac) as f64 {
        return Ok(raw as u64);
    }
    Err(refused(format!(
        "{what} comes to {bytes} bytes, more than a window holds: accepted is less than {} bytes",
        1u64 << BYTES_W
    )))
}

fn check_age(cfg: &Cfg, params: &ParamSet) -> Result<(), AttributeError> {
    let (time_w, sweep) = (params.get("TIME_W"), sweep_bound(params));
    let reach = 1u64 << (time_w - 1);
    if cfg.age + sweep >= reach {
        return Err(refused(format!(
            "telemetry may be {} cycles old (stored_max_age, or a quarter of TS's period); with the sweep that is {}, and TIME_W = {time_w} tells times apart only below {reach}: accepted is a stored_max_age of less than {} cycles, or a TIME_W of {} or more",
            cfg.age,
            cfg.age + sweep,
            reach - sweep,
            (cfg.age + sweep).ilog2() + 2
        )));
    }
    Ok(())
}

impl Cfg {
    /// Raw values of the `cfg_*` pins, in table order.
    pub fn pins(&self) -> Vec<u64> {
        vec![
            self.format as u64,
            self.base_rtt,
            self.inverse_rtt,
            u64::from(self.inverse_rtt_shift),
            self.eta,
            self.max_stage,
            self.wai,
            self.first_window,
            self.packet,
            self.age,
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attributes::Value::{self, Integer, Name, Real};
    use congruent_ports::Layout;

    fn cfg(changes: &[(&str, Value)], params: &[(&str, i64)]) -> Result<Cfg, AttributeError> {
        let params = ParamSet::with(&BLOCK, params.iter().copied()).expect("legal");
        configure(&AttributeSet::defaults(&BLOCK).with(changes), &params)
    }

    fn refusal(changes: &[(&str, Value)], params: &[(&str, i64)]) -> String {
        cfg(changes, params).expect_err("refused").to_string()
    }

    /// Page: 100 Gbps x 13 000 ns / 8 = 162 500 B; a quarter of 2^24 ns is 2 097 152 cycles of 2 ns.
    /// By hand: 2^14 / 13 000 = 1.2603076923, x 2^24 = 21 144 454.4.
    #[test]
    fn defaults_of_the_page() {
        let cfg = cfg(&[], &[]).expect("legal");
        assert_eq!(cfg.first_window, 162_500 << 8);
        assert_eq!(cfg.wai, 80 << 8);
        assert_eq!(cfg.age, 2_097_152);
        assert_eq!((cfg.inverse_rtt, cfg.inverse_rtt_shift), (21_144_454, 14));
        assert_eq!(cfg.eta, 15_938_355, "0.95 x 2^24 = 15 938 355.2");
    }

    /// Facts: 162 500 x 0.05 / 100 = 81.25 B.
    #[test]
    fn expected_flows_of_the_page() {
        let cfg = cfg(&[("expected_flows", Integer(100))], &[]).expect("legal");
        assert_eq!(cfg.wai, 20_800, "81.25 x 256");
    }

    #[test]
    fn an_inverse_is_normalised() {
        assert_eq!(inverse(1), (1 << 24, 0));
        assert_eq!(inverse(1 << 13), (1 << 24, 13));
        assert_eq!(inverse(3), (22_369_621, 2), "4/3 x 2^24 = 22 369 621.3");
        assert_eq!(inverse((1 << 29) + 1), (1 << 24, 29), "rounded up to 2.0");
    }

    #[test]
    fn the_age_follows_format_clock_and_attribute() {
        let age = |changes: &[(&str, Value)]| cfg(changes, &[]).expect("legal").age;
        assert_eq!(age(&[("int_format", Name("wide"))]), 1 << 45, "a quarter of 2^48 ns at 2 ns");
        assert_eq!(age(&[("clock_mhz", Real(1000.0))]), 1 << 22);
        assert_eq!(age(&[("stored_max_age", Real(1000.0))]), 500);
    }

    #[test]
    fn pins_fit_their_ports() {
        for build in BLOCK.builds {
            let params = build.params(&BLOCK);
            let layout = Layout::new(&BLOCK, &params);
            for changes in [
                &[][..],
                &[("base_rtt", Integer(1)), ("eta", Real(1.0)), ("max_stage", Integer(255))],
                &[("base_rtt", Integer(1_000_000_000)), ("data_rate", Real(2.0))],
                &[("data_rate", Real(1600.0)), ("packet_bytes", Integer(16_384))],
            ] {
                let attributes = AttributeSet::defaults(&BLOCK)
                    .with(&[("stored_max_age", Real(600.0))])
                    .with(changes);
                let pins = configure(&attributes, &params).expect("legal").pins();
                assert_eq!(pins.len(), layout.cfg.len());
                for (pin, port) in pins.iter().zip(&layout.cfg) {
                    assert!(pin >> port.width == 0, "{} = {pin:#x}", port.name);
                }
            }
        }
    }

    #[test]
    fn refusals_name_value_and_range() {
        let narrow = refusal(&[], &[("FLOW_W", 7)]);
        assert!(narrow.contains("FLOW_W = 7") && narrow.contains("8 or more"), "{narrow}");
        let sweep = refusal(&[], &[("TIME_W", 8)]);
        assert!(sweep.contains("TIME_W = 8") && sweep.contains("or more"), "{sweep}");
        let window = refusal(&[("base_rtt", Integer(1_000_000_000))], &[]);
        assert!(window.contains("base_rtt = 1000000000 ns"), "{window}");
        assert!(window.contains("12500000000 bytes") && window.contains("268435456"), "{window}");
        let old = refusal(&[("stored_max_age", Real(5e6))], &[]);
        assert!(old.contains("stored_max_age = 5000000") && old.contains("4194304"), "{old}");
        let time = refusal(&[], &[("TIME_W", 20)]);
        assert!(time.contains("2097152 cycles") && time.contains("TIME_W of 23 or more"), "{time}");
        let wide = refusal(&[("int_format", Name("wide")), ("clock_mhz", Real(2000.0))], &[]);
        assert!(wide.contains("TIME_W of 49 or more"), "{wide}");
    }
}
