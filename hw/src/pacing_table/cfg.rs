//! Attributes in natural units to `cfg_*` pins: the only place where units are converted.

use super::core::{Cfg, first_ccti};
use super::timing::Figures;
use crate::attributes::{AttributeError, AttributeSet, check_numbered, refused};
use crate::fixed::{Wrap, from_real};
use congruent_ports::ParamSet;
use congruent_ports::pacing_table::BYTE_TIME_FRAC;

/// The unit of CCTI_Timer, microseconds.
pub const TIMER_UNIT_US: f64 = 1.024;

/// Largest PacingSlack, cycles.
const SLACK_MOST: u64 = 63;

/// Checks parameters against each other.
///
/// # Errors
/// `INDEX_W` too narrow for `ENTRIES`, `QUEUE_W` for `QUEUES`, or `TIME_W` for a round of the sweep.
pub fn check_params(params: &ParamSet) -> Result<(), AttributeError> {
    check_numbered(params, "ENTRIES", "INDEX_W", "entries")?;
    check_numbered(params, "QUEUES", "QUEUE_W", "queues")?;
    let time_w = params.get("TIME_W");
    let need = Figures::of(params).lateness() + SLACK_MOST;
    let reach = 1u64 << (time_w - 2);
    if need >= reach {
        return Err(refused(format!(
            "parameter TIME_W = {time_w}: a next_send is forgotten up to {need} cycles after it has passed (a round of the sweep over ENTRIES = {}, pipeline and the largest PacingSlack), and only less than {reach} can be told from the future: accepted is {} or more",
            params.get("ENTRIES"),
            need.ilog2() + 3
        )));
    }
    Ok(())
}

/// Converts attributes. Every value is rounded half up.
///
/// # Errors
/// A minimum or threshold above the limit, a limit that ccti cannot hold, a period that the sweep
/// cannot serve or that reaches too far ahead for TIME_W.
pub fn configure(attributes: &AttributeSet, params: &ParamSet) -> Result<Cfg, AttributeError> {
    check_params(params)?;
    let time_w = params.get("TIME_W") as u32;
    let time_frac = params.get("TIME_FRAC") as u32;
    let clock_mhz = attributes.real("clock_mhz");
    let byte_cycles = 8.0 * clock_mhz / (1000.0 * attributes.real("data_rate"));
    let timer = attributes.real("ccti_timer");
    let mut cfg = Cfg {
        time_frac,
        time: Wrap::new(time_w),
        pace_time: Wrap::new(time_w + time_frac),
        gap_most: 1 << (time_w - 2 + time_frac),
        first_ccti: 0,
        increase: attributes.integer("ccti_increase"),
        limit: attributes.integer("ccti_limit"),
        min: attributes.integer("ccti_min"),
        trigger_threshold: attributes.integer("trigger_threshold"),
        skip: attributes.name("increase_mode") == "skip",
        period: from_real(timer * TIMER_UNIT_US * clock_mhz, 0),
        rearm: attributes.name("timer_mode") == "rearm",
        line_byte_time: from_real(byte_cycles, BYTE_TIME_FRAC),
        delay_base_mtu: attributes.name("delay_base") == "mtu",
        mtu_time: from_real(attributes.real("max_packet_bytes") * byte_cycles, time_frac),
        pacing_slack: attributes.integer("pacing_slack"),
    };
    let ccti_w = params.get("CCTI_W");
    let most = (1 << ccti_w) - 1;
    if cfg.limit > most {
        return Err(refused(format!(
            "ccti_limit = {}: CCTI_W = {ccti_w} holds only {most}: accepted is 1 to {most}, or a wider CCTI_W",
            cfg.limit
        )));
    }
    for (name, value) in [("ccti_min", cfg.min), ("trigger_threshold", cfg.trigger_threshold)] {
        if value > cfg.limit {
            return Err(refused(format!(
                "{name} = {value} is above ccti_limit: accepted is 0 to {}",
                cfg.limit
            )));
        }
    }
    if cfg.period != 0 {
        check_period(&cfg, clock_mhz, attributes, params)?;
    }
    cfg.first_ccti = first_ccti(&cfg);
    Ok(cfg)
}

fn check_period(
    cfg: &Cfg,
    clock_mhz: f64,
    attributes: &AttributeSet,
    params: &ParamSet,
) -> Result<(), AttributeError> {
    let shortest = Figures::of(params).lateness();
    let timer = attributes.integer("ccti_timer");
    let counts = |cycles: u64| cycles as f64 / (TIMER_UNIT_US * clock_mhz);
    if cfg.period < shortest {
        return Err(refused(format!(
            "ccti_timer = {timer} is {} cycles at {clock_mhz} MHz, and the sweep over ENTRIES = {} needs at least {shortest}: accepted is 0 (no decay) or {} or more",
            cfg.period,
            params.get("ENTRIES"),
            counts(shortest).ceil()
        )));
    }
    let reach = 1u64 << (params.get("TIME_W") - 1);
    if cfg.period + shortest >= reach {
        return Err(refused(format!(
            "ccti_timer = {timer} is {} cycles at {clock_mhz} MHz; with the sweep that is {}, and TIME_W = {} tells times apart only below {reach}: accepted is {} or less, or a wider TIME_W",
            cfg.period,
            cfg.period + shortest,
            params.get("TIME_W"),
            counts(reach.saturating_sub(shortest + 1)).floor()
        )));
    }
    Ok(())
}

impl Cfg {
    /// Raw values of the `cfg_*` pins, in table order.
    pub fn pins(&self) -> Vec<u64> {
        vec![
            self.first_ccti,
            self.increase,
            self.limit,
            self.min,
            self.trigger_threshold,
            u64::from(self.skip),
            self.period,
            u64::from(self.rearm),
            self.line_byte_time,
            u64::from(self.delay_base_mtu),
            self.mtu_time,
            self.pacing_slack,
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attributes::Value;
    use crate::attributes::Value::{Integer, Name, Real};
    use congruent_ports::Layout;
    use congruent_ports::pacing_table::BLOCK;

    fn cfg(changes: &[(&str, Value)], params: &[(&str, i64)]) -> Result<Cfg, AttributeError> {
        let params = ParamSet::with(&BLOCK, params.iter().copied()).expect("legal");
        configure(&AttributeSet::defaults(&BLOCK).with(changes), &params)
    }

    fn refusal(changes: &[(&str, Value)], params: &[(&str, i64)]) -> String {
        cfg(changes, params).expect_err("refused").to_string()
    }

    /// Page, attributes: 150 x 1.024 us = 153.6 us, 76 800 cycles at 500 MHz; 4154 B take 41.54.
    #[test]
    fn defaults_of_the_page() {
        let cfg = cfg(&[], &[]).expect("defaults are legal");
        assert_eq!(cfg.period, 76_800);
        assert_eq!(cfg.first_ccti, 1);
        assert!((cfg.mtu_time as f64 / 65_536.0 - 41.54).abs() < 1e-4);
    }

    /// 1.024 us at 333.5 MHz are 341.504 cycles, at 333.4 MHz 341.4016.
    #[test]
    fn a_period_is_rounded_half_up() {
        let period = |mhz| {
            let changes = [("clock_mhz", Real(mhz)), ("ccti_timer", Integer(1))];
            cfg(&changes, &[]).expect("legal").period
        };
        assert_eq!(period(333.5), 342);
        assert_eq!(period(333.4), 341);
    }

    #[test]
    fn a_new_entry_begins_at_the_increased_minimum() {
        let first = |increase, min, mode| {
            let changes = [
                ("ccti_limit", Integer(9)),
                ("ccti_increase", Integer(increase)),
                ("ccti_min", Integer(min)),
                ("increase_mode", Name(mode)),
            ];
            cfg(&changes, &[]).expect("legal").first_ccti
        };
        assert_eq!(first(4, 2, "saturate"), 6);
        assert_eq!(first(8, 2, "saturate"), 9);
        assert_eq!(first(8, 2, "skip"), 0);
        assert_eq!(first(7, 2, "skip"), 9);
        assert_eq!(first(0, 0, "saturate"), 0);
        assert_eq!(first(0, 9, "skip"), 9);
    }

    #[test]
    fn refusals_name_value_and_range() {
        let text = refusal(&[("ccti_timer", Integer(1)), ("clock_mhz", Real(100.0))], &[]);
        assert!(text.contains("102 cycles") && text.contains("at least 128"), "{text}");
        assert!(text.contains("2 or more"), "{text}");
        let text = refusal(&[], &[("TIME_W", 16)]);
        assert!(text.contains("76800 cycles") && text.contains("below 32768"), "{text}");
        let text = refusal(&[], &[("ENTRIES", 1024), ("TIME_W", 12)]);
        assert!(text.contains("TIME_W = 12") && text.contains("less than 1024"), "{text}");
        let text = refusal(&[], &[("ENTRIES", 1024), ("INDEX_W", 9)]);
        assert!(text.contains("INDEX_W = 9") && text.contains("10 or more"), "{text}");
        let text = refusal(&[], &[("QUEUES", 9), ("QUEUE_W", 3)]);
        assert!(text.contains("QUEUE_W = 3") && text.contains("4 or more"), "{text}");
        let text = refusal(&[("ccti_min", Integer(128))], &[]);
        assert!(text.contains("ccti_min = 128") && text.contains("0 to 127"), "{text}");
        let text = refusal(&[], &[("CCTI_W", 6)]);
        assert!(text.contains("ccti_limit = 127") && text.contains("1 to 63"), "{text}");
    }

    #[test]
    fn pins_fit_their_ports() {
        let layout = Layout::new(&BLOCK, &ParamSet::defaults(&BLOCK));
        for rate in [1.0, 1600.0] {
            for clock in [100.0, 2000.0] {
                let changes = [
                    ("data_rate", Real(rate)),
                    ("clock_mhz", Real(clock)),
                    ("ccti_timer", Integer(65_535)),
                    ("ccti_limit", Integer(1023)),
                    ("ccti_increase", Integer(255)),
                    ("max_packet_bytes", Integer(16_384)),
                ];
                let pins = cfg(&changes, &[]).expect("legal").pins();
                assert_eq!(pins.len(), layout.cfg.len());
                for (pin, port) in pins.iter().zip(&layout.cfg) {
                    assert!(pin >> port.width == 0, "{} = {pin:#x}", port.name);
                }
            }
        }
    }
}
