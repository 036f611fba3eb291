//! Attributes of the reaction point to `cfg_*` pins, and what its sweep cannot serve.

use super::core::ReactionCfg;
use crate::attributes::{AttributeError, AttributeSet, refused};
use crate::fixed::{Wrap, from_real};
use crate::rate_limiter::cfg::{check_reach, longest_hold, of_both_loops};
use crate::rate_limiter::core::{Cfg, byte_time};
use congruent_ports::ParamSet;
use congruent_ports::rate_limiter::{BLOCK, BYTE_TIME_FRAC, BYTES_W, DEC_FRAC};

/// The shortest byte counter: a packet, of at most 16 383 B, never crosses it twice.
pub const SHORTEST_BYTE_RESET: u64 = 1 << BYTES_W;

/// Of 8 cycles the runs of the loop that have a time may take so many at the most: the rest is for
/// bytes, CNPs and peeks.
const SHARE_OF_8: u64 = 7;

/// Bits of a byte time, UQ15.28.
const BYTE_TIME_W: u32 = 15 + BYTE_TIME_FRAC;

/// Converts attributes. Every value is rounded half up.
///
/// # Errors
/// Each names the attribute, its value and what is accepted: a rate above DataRate, or one below one
/// LSB; rpg_byte_reset or rpg_gd with a value that has no meaning; periods that the sweep cannot
/// serve; a stored time that could be half a wrap away from the cycle counter, or a count of bytes
/// half of 2^BYTE_W.
pub fn configure(attributes: &AttributeSet, params: &ParamSet) -> Result<Cfg, AttributeError> {
    let mut cfg = of_both_loops(attributes, params);
    cfg.reaction = ReactionCfg {
        bytes: Wrap::new(params.get("BYTE_W") as u32),
        initial_alpha: from_real(
            attributes.integer("initial_alpha_value") as f64 / 1023.0,
            cfg.est_frac,
        ),
        first_cnp_rate: first_cnp_rate(attributes, &cfg)?,
        alpha_gain: attributes.integer("dce_tcp_g"),
        alpha_period: period(attributes, "dce_tcp_rtt").max(1),
        increase_period: period(attributes, "rpg_time_reset").max(1),
        byte_reset: attributes.integer("rpg_byte_reset"),
        threshold: attributes.integer("rpg_threshold"),
        ai_rate: rate(attributes, &cfg, "rpg_ai_rate").min(cfg.line()),
        hai_rate: rate(attributes, &cfg, "rpg_hai_rate").min(cfg.line()),
        cut_by_alpha: cut_by_alpha(attributes)?,
        min_dec_fac: from_real(attributes.integer("rpg_min_dec_fac") as f64 / 100.0, DEC_FRAC),
        min_rate: min_rate(attributes, &cfg)?,
        monitor_period: monitor_period(attributes),
        clamp_target: attributes.integer("clamp_tgt_rate") != 0,
    };
    check_bytes(&cfg, params)?;
    check_periods(&cfg, attributes, params)?;
    check_times(&cfg, params)?;
    Ok(cfg)
}

/// The longest that a due run of the loop waits for its visit where neither CNP nor peek takes the
/// sweep's slot, cycles: each visit of a round may make three `upd` beats.
pub fn longest_round(params: &ParamSet) -> u64 {
    3 * params.get("QPS") as u64 + BLOCK.cycles("pipeline")
}

/// The shortest legal period of alpha where the timer's is `increase_period` (at least
/// [`longest_round`]), cycles: a round of visits without other runs, and room for the timer's.
pub fn shortest_alpha_period(increase_period: u64, params: &ParamSet) -> u64 {
    let qps = params.get("QPS") as u64;
    // QPS / alpha_period + QPS / increase_period <= 7 / 8.
    let left = SHARE_OF_8 * increase_period - 8 * qps;
    (qps + BLOCK.cycles("pipeline")).max((8 * qps * increase_period).div_ceil(left))
}

/// CNPs in a row that leave every stored time of these attributes within half a wrap.
pub fn most_cnps_in_a_round(cfg: &Cfg, params: &ParamSet) -> u64 {
    let longest = times(cfg).iter().map(|(_, longest)| *longest).max().unwrap_or(0);
    (1u64 << (params.get("TIME_W") - 1)) - longest - longest_round(params) - cfg.pacing_slack
}

fn mbps_of_line(attributes: &AttributeSet) -> f64 {
    1000.0 * attributes.real("data_rate")
}

/// A rate in Mbps, UQ1.RATE_FRAC of line rate.
fn rate(attributes: &AttributeSet, cfg: &Cfg, name: &str) -> u64 {
    from_real(attributes.real(name) / mbps_of_line(attributes), cfg.rate_frac)
}

/// A time in microseconds, cycles.
fn period(attributes: &AttributeSet, name: &str) -> u64 {
    from_real(attributes.real(name) * attributes.real("clock_mhz"), 0)
}

fn monitor_period(attributes: &AttributeSet) -> u64 {
    let off = attributes.real("rate_reduce_monitor_period") == 0.0;
    period(attributes, "rate_reduce_monitor_period").max(u64::from(!off))
}

fn cut_by_alpha(attributes: &AttributeSet) -> Result<bool, AttributeError> {
    match attributes.integer("rpg_gd") {
        11 => Ok(false),
        10 => Ok(true),
        other => Err(refused(format!(
            "rpg_gd = {other}: accepted is 11 (a cut by alpha / 2) or 10 (a cut by alpha)"
        ))),
    }
}

fn min_rate(attributes: &AttributeSet, cfg: &Cfg) -> Result<u64, AttributeError> {
    let asked = attributes.real("rpg_min_rate");
    let line = mbps_of_line(attributes);
    if asked > line {
        return Err(refused(format!(
            "rpg_min_rate = {asked} Mbps is above data_rate: accepted is 1 to {line} Mbps"
        )));
    }
    let raw = rate(attributes, cfg, "rpg_min_rate");
    if raw == 0 || byte_time(cfg, raw) >> BYTE_TIME_W != 0 {
        return Err(refused(format!(
            "rpg_min_rate = {asked} Mbps is too small a part of data_rate for RATE_FRAC = {}: accepted is more, or a wider RATE_FRAC (a byte may take at most 32768 cycles, and a rate of 0 never sends again)",
            cfg.rate_frac
        )));
    }
    Ok(raw)
}

fn first_cnp_rate(attributes: &AttributeSet, cfg: &Cfg) -> Result<u64, AttributeError> {
    let asked = attributes.real("rate_to_set_on_first_cnp");
    if asked == 0.0 {
        return Ok(cfg.line());
    }
    let (least, line) = (attributes.real("rpg_min_rate"), mbps_of_line(attributes));
    if asked < least || asked > line {
        return Err(refused(format!(
            "rate_to_set_on_first_cnp = {asked} Mbps: accepted is 0 (line rate) or from rpg_min_rate to data_rate, {least} to {line} Mbps"
        )));
    }
    Ok(rate(attributes, cfg, "rate_to_set_on_first_cnp"))
}

fn check_bytes(cfg: &Cfg, params: &ParamSet) -> Result<(), AttributeError> {
    let reset = cfg.reaction.byte_reset;
    if (1..SHORTEST_BYTE_RESET).contains(&reset) {
        return Err(refused(format!(
            "rpg_byte_reset = {reset}: accepted is 0 (off) or {SHORTEST_BYTE_RESET} B or more, so that no packet crosses it twice"
        )));
    }
    // What a queue pair can be granted between two visits, at line rate.
    let cycles = longest_round(params) + cfg.pacing_slack;
    let granted = (cycles << BYTE_TIME_FRAC) / cfg.line_byte_time + SHORTEST_BYTE_RESET;
    let half = cfg.reaction.bytes.mask() / 2;
    if reset != 0 && reset + granted > half {
        let most = if granted + SHORTEST_BYTE_RESET > half {
            "0".to_string()
        } else {
            format!("up to {}", half - granted)
        };
        return Err(refused(format!(
            "rpg_byte_reset = {reset}: with the {granted} B that a queue pair can be granted between two visits BYTE_W = {} counts only to {half}: accepted is {most}, or a wider BYTE_W",
            params.get("BYTE_W")
        )));
    }
    Ok(())
}

fn check_periods(
    cfg: &Cfg,
    attributes: &AttributeSet,
    params: &ParamSet,
) -> Result<(), AttributeError> {
    let us = |cycles: u64| cycles as f64 / attributes.real("clock_mhz");
    let qps = params.get("QPS");
    let (alpha, timer) = (cfg.reaction.alpha_period, cfg.reaction.increase_period);
    let round = longest_round(params);
    if timer < round {
        return Err(refused(format!(
            "rpg_time_reset = {} us is {timer} cycles, and the sweep over QPS = {qps} needs at least {round}: accepted is {} us or more",
            attributes.real("rpg_time_reset"),
            us(round)
        )));
    }
    let shortest = shortest_alpha_period(timer, params);
    if alpha < shortest {
        return Err(refused(format!(
            "dce_tcp_rtt = {} us is {alpha} cycles, and the sweep over QPS = {qps} with rpg_time_reset = {} us needs at least {shortest}: accepted is {} us or more",
            attributes.real("dce_tcp_rtt"),
            attributes.real("rpg_time_reset"),
            us(shortest)
        )));
    }
    Ok(())
}

/// Times that are stored, and how many cycles ahead (the last cut: behind) they can be.
fn times(cfg: &Cfg) -> [(&'static str, u64); 4] {
    [
        ("dce_tcp_rtt", cfg.reaction.alpha_period),
        ("rpg_time_reset", cfg.reaction.increase_period),
        ("rate_reduce_monitor_period", cfg.reaction.monitor_period),
        (
            "rpg_min_rate and data_rate (a packet of 16383 B at the lowest rate)",
            longest_hold(cfg, cfg.reaction.min_rate),
        ),
    ]
}

fn check_times(cfg: &Cfg, params: &ParamSet) -> Result<(), AttributeError> {
    let sweep = longest_round(params) + cfg.pacing_slack;
    times(cfg).iter().try_for_each(|(what, longest)| check_reach(what, *longest, sweep, params))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attributes::Value;
    use crate::rate_limiter::cfg::configure;

    const ALPHA_24: (&str, i64) = ("EST_FRAC", 24);

    fn cfg(changes: &[(&str, Value)], params: &[(&str, i64)]) -> Result<Cfg, AttributeError> {
        let params = [("DCQCN", 1), ALPHA_24].iter().chain(params).copied();
        let params = ParamSet::with(&BLOCK, params).expect("legal");
        configure(&AttributeSet::defaults(&BLOCK).with(changes), &params)
    }

    fn refusal(changes: &[(&str, Value)], params: &[(&str, i64)]) -> String {
        cfg(changes, params).expect_err("refused").to_string()
    }

    /// The page's `paper` column at 40 Gbps and 500 MHz: 55 us = 27 500 cycles, 40 Mbps = 1/1000.
    #[test]
    fn the_papers_column() {
        let cfg = cfg(&[("data_rate", Value::Real(40.0))], &[]).expect("legal");
        let pins = &cfg.reaction;
        assert_eq!((pins.alpha_period, pins.increase_period), (27_500, 27_500));
        assert_eq!((pins.ai_rate, pins.hai_rate), (16_777, 167_772));
        assert_eq!((pins.initial_alpha, pins.alpha_gain), (1 << 24, 1020));
        assert_eq!((pins.first_cnp_rate, pins.min_rate), (1 << 24, 4_194));
        assert_eq!((pins.min_dec_fac, pins.monitor_period), (1 << 15, 0));
        assert!(pins.clamp_target && !pins.cut_by_alpha);
        assert_eq!((cfg.half, cfg.floor, cfg.first_rate), (0, 0, 0));
    }

    /// The `connectx` column with the shipped 256 queue pairs: dce_tcp_rtt is 500 cycles.
    #[test]
    fn the_network_cards_column_is_accepted() {
        let cfg = cfg(
            &[
                ("rpg_time_reset", Value::Real(300.0)),
                ("rpg_byte_reset", Value::Integer(32_767)),
                ("rpg_min_rate", Value::Real(1.0)),
                ("dce_tcp_rtt", Value::Real(1.0)),
                ("rate_reduce_monitor_period", Value::Real(4.0)),
            ],
            &[],
        );
        let cfg = cfg.expect("legal");
        assert_eq!((cfg.reaction.alpha_period, cfg.reaction.monitor_period), (500, 2_000));
        let params = ParamSet::with(&BLOCK, [("DCQCN", 1)]).expect("legal");
        // 256 / 320 + 256 / 150 000 is below 7 / 8; with a timer of 832 cycles alpha needs
        // 256 / (7 / 8 - 256 / 832) = 451.25.
        assert_eq!(shortest_alpha_period(150_000, &params), 320);
        assert_eq!(shortest_alpha_period(832, &params), 452);
    }

    #[test]
    fn refusals_name_value_and_range() {
        let cases: [(&str, Value, &str); 9] = [
            ("rpg_gd", Value::Integer(12), "rpg_gd = 12: accepted is 11"),
            ("rpg_byte_reset", Value::Integer(16_383), "16383: accepted is 0 (off) or 16384"),
            ("rpg_min_rate", Value::Real(400_001.0), "1 to 400000 Mbps"),
            ("rate_to_set_on_first_cnp", Value::Real(9.0), "10 to 400000 Mbps"),
            ("rate_to_set_on_first_cnp", Value::Real(500_000.0), "10 to 400000 Mbps"),
            (
                "rpg_time_reset",
                Value::Real(1.0),
                "500 cycles, and the sweep over QPS = 256 needs at least 832: accepted is 1.664 us",
            ),
            (
                "dce_tcp_rtt",
                Value::Real(0.5),
                "250 cycles, and the sweep over QPS = 256 with rpg_time_reset = 55 us needs at least 320: accepted is 0.64 us",
            ),
            ("rpg_time_reset", Value::Real(1e6), ""),
            ("rate_reduce_monitor_period", Value::Real(1e6), ""),
        ];
        for (name, value, expected) in cases {
            if expected.is_empty() {
                let text = refusal(&[(name, value)], &[("TIME_W", 28)]);
                assert!(text.contains(name) && text.contains("TIME_W = 28"), "{text}");
                continue;
            }
            let text = refusal(&[(name, value)], &[]);
            assert!(text.contains(name) && text.contains(expected), "{text}");
        }
        let text = refusal(&[("data_rate", Value::Real(1600.0))], &[("RATE_FRAC", 16)]);
        assert!(
            text.contains("rpg_min_rate = 10 Mbps") && text.contains("RATE_FRAC = 16"),
            "{text}"
        );
        let text = refusal(&[], &[("BYTE_W", 20)]);
        assert!(
            text.contains("rpg_byte_reset = 10000000") && text.contains("BYTE_W = 20"),
            "{text}"
        );
    }

    #[test]
    fn fraction_bits_of_alpha_are_those_of_its_loop() {
        assert!(refusal(&[], &[("EST_FRAC", 9)]).contains("10 or more"));
        let scala = ParamSet::with(&BLOCK, [ALPHA_24]).expect("legal");
        let text = configure(&AttributeSet::defaults(&BLOCK), &scala).expect_err("too wide");
        assert!(text.to_string().contains("8 to 16"), "{text}");
    }

    #[test]
    fn pins_fit_their_ports() {
        let params = ParamSet::with(&BLOCK, [("DCQCN", 1), ALPHA_24]).expect("legal");
        let layout = congruent_ports::Layout::new(&BLOCK, &params);
        for rate in [1.0, 1600.0] {
            let changes = [
                ("data_rate", Value::Real(rate)),
                ("rpg_hai_rate", Value::Real(1.6e6)),
                ("rpg_min_dec_fac", Value::Integer(100)),
                ("rpg_time_reset", Value::Real(1e6)),
            ];
            let pins = cfg(&changes, &[]).expect("legal").pins();
            assert_eq!(pins.len(), layout.cfg.len());
            for (pin, port) in pins.iter().zip(&layout.cfg) {
                assert!(pin >> port.width == 0, "{} = {pin:#x}", port.name);
            }
        }
    }
}
