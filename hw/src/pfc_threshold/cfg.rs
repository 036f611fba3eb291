//! Attributes in natural units to `cfg_*` pins: the only place where units are converted.

use super::core::{Cfg, Mode};
use crate::attributes::{AttributeError, AttributeSet, check_numbered, refused};
use crate::fixed::{Wrap, from_real};
use congruent_ports::ParamSet;
use congruent_ports::pfc_threshold::{BETA_FRAC, BLOCK, PRIORITIES, QUANTUM_BITS};

/// Most quanta that a PFC frame can carry.
const QUANTA_MOST: u64 = 65_535;

/// Checks parameters against each other.
///
/// # Errors
/// `QUEUE_W` too narrow for `QUEUES`; `TIME_W` too narrow for the sweep over them.
pub fn check_params(params: &ParamSet) -> Result<(), AttributeError> {
    check_numbered(params, "QUEUES", "QUEUE_W", "queues")?;
    let queues = params.get("QUEUES");
    // Even the shortest pause has to be told by a deadline.
    let (shortest, time_w) = (shortest_half(params), params.get("TIME_W"));
    if 2 * shortest >= 1 << (time_w - 1) {
        return Err(refused(format!(
            "parameter TIME_W = {time_w} cannot tell when QUEUES = {queues} queues are due: half of the shortest pause is {shortest} cycles, and as many the sweep may be late: accepted is {} or more",
            (2 * shortest).ilog2() + 2
        )));
    }
    Ok(())
}

/// Most bytes in the pool: B - 8 x n x t_flight.
///
/// # Errors
/// More headroom than buffer.
pub fn pool_bytes(attributes: &AttributeSet) -> Result<u64, AttributeError> {
    let buffer = attributes.integer("buffer_bytes");
    let ports = attributes.integer("ports");
    let headroom = attributes.integer("headroom_bytes");
    let aside = PRIORITIES * ports * headroom;
    if aside > buffer {
        return Err(refused(format!(
            "headroom_bytes = {headroom} for {PRIORITIES} priorities of ports = {ports} sets {aside} B aside, more than buffer_bytes = {buffer}: accepted is headroom_bytes up to {}, or a larger buffer",
            buffer / (PRIORITIES * ports)
        )));
    }
    Ok(buffer - aside)
}

/// The static thresholds, bytes: xoff, xon.
///
/// # Errors
/// No room between them.
pub fn static_thresholds(attributes: &AttributeSet) -> Result<(u64, u64), AttributeError> {
    let (xoff, xon) = (attributes.integer("static_xoff"), attributes.integer("static_xon"));
    if xon >= xoff {
        return Err(refused(format!(
            "static_xon = {xon} is not below static_xoff = {xoff}: accepted is {} or less",
            xoff - 1
        )));
    }
    Ok((xoff, xon))
}

/// The mode.
pub fn mode(attributes: &AttributeSet) -> Mode {
    match attributes.name("mode") {
        "static" => Mode::Static,
        _ => Mode::Dynamic,
    }
}

/// Half of the pause time in cycles, before it is rounded.
pub fn half_cycles(attributes: &AttributeSet) -> f64 {
    let bits = attributes.real("pause_quanta") * QUANTUM_BITS as f64;
    bits * attributes.real("clock_mhz") / (2000.0 * attributes.real("data_rate"))
}

/// The shortest half pause time that the sweep can serve, cycles: each visit of a round makes a
/// beat, and the sweep stands while the beat waits.
pub fn shortest_half(params: &ParamSet) -> u64 {
    2 * params.get("QUEUES") as u64 + BLOCK.cycles("pipeline")
}

/// Converts attributes. Every value is rounded half up.
///
/// # Errors
/// As for [`check_params`], [`pool_bytes`] and [`static_thresholds`]; a half pause time shorter than
/// 2 x QUEUES + pipeline, or one that a deadline of `TIME_W` bits cannot be told by.
pub fn configure(attributes: &AttributeSet, params: &ParamSet) -> Result<Cfg, AttributeError> {
    check_params(params)?;
    let pool_bytes = pool_bytes(attributes)?;
    let (xoff, xon) = static_thresholds(attributes)?;
    let half = from_real(half_cycles(attributes), 0);
    check_half(half, attributes, params)?;
    Ok(Cfg {
        time: Wrap::new(params.get("TIME_W") as u32),
        count_w: params.get("COUNT_W") as u32,
        mode: mode(attributes),
        pool_bytes,
        headroom_bytes: attributes.integer("headroom_bytes"),
        beta: from_real(attributes.real("beta"), BETA_FRAC),
        resume_offset: attributes.integer("resume_offset"),
        xoff,
        xon,
        half,
    })
}

fn check_half(
    half: u64,
    attributes: &AttributeSet,
    params: &ParamSet,
) -> Result<(), AttributeError> {
    let (quanta, rate) = (attributes.integer("pause_quanta"), attributes.real("data_rate"));
    let clock = attributes.real("clock_mhz");
    let shortest = shortest_half(params);
    // Half of a quantum, in cycles.
    let each = half_cycles(attributes) / quanta as f64;
    if half < shortest {
        let least = ((shortest as f64 - 0.5) / each).ceil();
        let accepted = match least as u64 {
            0..=QUANTA_MOST => format!("{least} quanta or more"),
            _ => "a lower data_rate, or fewer queues".to_string(),
        };
        return Err(refused(format!(
            "pause_quanta = {quanta} at data_rate = {rate}: half of the pause time is {half} cycles of clock_mhz = {clock}, and the sweep over QUEUES = {} needs at least {shortest}: accepted is {accepted}",
            params.get("QUEUES"),
        )));
    }
    let reach = 1u64 << (params.get("TIME_W") - 1);
    let need = half + shortest;
    if need >= reach {
        // The longest half is told apart by one cycle; it was rounded half up.
        let most = (((reach - shortest) as f64 - 0.5) / each).ceil() - 1.0;
        let accepted = if most < 1.0 {
            "a higher data_rate, or a wider TIME_W".to_string()
        } else {
            format!("{most} quanta or less, or a wider TIME_W")
        };
        return Err(refused(format!(
            "pause_quanta = {quanta} at data_rate = {rate}: half of the pause time is {half} cycles of clock_mhz = {clock}; with the sweep that is {need}, and TIME_W = {} tells times apart only below {reach}: accepted is {accepted}",
            params.get("TIME_W")
        )));
    }
    Ok(())
}

impl Cfg {
    /// Raw values of the `cfg_*` pins, in table order.
    pub fn pins(&self) -> Vec<u64> {
        vec![
            self.mode as u64,
            self.pool_bytes,
            self.headroom_bytes,
            self.beta,
            self.resume_offset,
            self.xoff,
            self.xon,
            self.half,
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attributes::Value::{self, Integer, Real};

    fn cfg(changes: &[(&str, Value)], params: &[(&str, i64)]) -> Result<Cfg, AttributeError> {
        let params = ParamSet::with(&BLOCK, params.iter().copied()).expect("legal");
        configure(&AttributeSet::defaults(&BLOCK).with(changes), &params)
    }

    fn message(changes: &[(&str, Value)], params: &[(&str, i64)]) -> String {
        cfg(changes, params).expect_err("refused").to_string()
    }

    /// Page: 12 000 000 - 8 x 32 x 22 400 = 6 265 600 B are free; Beta 8 is 8 x 128.
    #[test]
    fn defaults_of_the_page() {
        let cfg = cfg(&[], &[]).expect("defaults are legal");
        assert_eq!((cfg.pool_bytes, cfg.headroom_bytes), (6_265_600, 22_400));
        assert_eq!((cfg.mode, cfg.beta, cfg.resume_offset), (Mode::Dynamic, 1024, 3000));
        assert_eq!((cfg.xoff, cfg.xon), (700_000, 300_000));
    }

    /// Page: 65 535 quanta are 83.8848 µs at 400 Gbps and ten times that at 40; half of it at
    /// 500 MHz is 20 971.2 and 209 712 cycles.
    #[test]
    fn pause_times_of_the_page() {
        let half = |rate| cfg(&[("data_rate", Real(rate))], &[]).expect("legal").half;
        assert_eq!((half(400.0), half(40.0)), (20_971, 209_712));
    }

    /// By hand: 1000 quanta at 1 Gbps and 101 MHz: 512 000 ns / 2 x 0.101 = 25 856; at 100.999 MHz
    /// 25 855.744, at 100.998 25 855.488.
    #[test]
    fn the_half_is_rounded_half_up() {
        let half = |mhz| {
            let changes = [
                ("pause_quanta", Integer(1000)),
                ("data_rate", Real(1.0)),
                ("clock_mhz", Real(mhz)),
            ];
            cfg(&changes, &[]).expect("legal").half
        };
        assert_eq!((half(101.0), half(100.999), half(100.998)), (25_856, 25_856, 25_855));
    }

    /// By hand: 0.3 x 128 = 38.4; 1.5 / 128 lies halfway and goes up.
    #[test]
    fn beta_is_rounded_half_up() {
        let beta = |beta| cfg(&[("beta", Real(beta))], &[]).expect("legal").beta;
        assert_eq!((beta(0.3), beta(1.5 / 128.0)), (38, 2));
        assert_eq!((beta(1.0 / 128.0), beta(1.0), beta(128.0)), (1, 128, 16_384));
    }

    #[test]
    fn headroom_may_take_the_whole_buffer_and_not_a_byte_more() {
        let changes = |buffer| [("buffer_bytes", Integer(buffer))];
        assert_eq!(cfg(&changes(5_734_400), &[]).expect("legal").pool_bytes, 0);
        let text = message(&changes(5_734_399), &[]);
        for part in ["headroom_bytes = 22400", "ports = 32", "5734400", "5734399", "up to 22399"] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }

    #[test]
    fn static_thresholds_need_room_between_them() {
        let text = message(&[("static_xon", Integer(700_000))], &[]);
        assert!(text.contains("static_xon = 700000") && text.contains("699999"), "{text}");
        cfg(&[("static_xon", Integer(699_999))], &[]).expect("legal");
    }

    /// By hand: a quantum at 1600 Gbps is 0.32 ns, half of it 0.08 cycles of 500 MHz; 256 queues
    /// need 544 cycles, and 543.5 / 0.08 = 6793.75.
    #[test]
    fn a_pause_too_short_for_the_sweep_is_refused() {
        let changes = |quanta| [("data_rate", Real(1600.0)), ("pause_quanta", Integer(quanta))];
        let text = message(&changes(6793), &[]);
        for part in ["pause_quanta = 6793", "data_rate = 1600", "543 cycles", "544", "6794 quanta"]
        {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert_eq!(cfg(&changes(6794), &[]).expect("legal").half, 544);
        // 8224 cycles for 4096 queues are 514 000 quanta at 100 MHz, more than a frame can carry.
        let slow = [("data_rate", Real(1600.0)), ("clock_mhz", Real(100.0))];
        let text = message(&slow, &[("QUEUES", 4096)]);
        assert!(text.contains("accepted is a lower data_rate, or fewer queues"), "{text}");
    }

    /// By hand: with 8 queues 48 cycles of the sweep come on top, and 10 bits tell 511 apart.
    #[test]
    fn a_pause_too_long_for_the_counter_is_refused() {
        let params = [("QUEUES", 8), ("TIME_W", 10)];
        let changes = |quanta| [("data_rate", Real(256.0)), ("pause_quanta", Integer(quanta))];
        assert_eq!(cfg(&changes(926), &params).expect("legal").half, 463);
        let text = message(&changes(928), &params);
        for part in ["464 cycles", "512", "TIME_W = 10", "926 quanta or less"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        // Half a quantum at 1 Gbps is 128 cycles; no quantum is short enough at 2 GHz.
        let slow = [("data_rate", Real(1.0)), ("clock_mhz", Real(2000.0))];
        let text = message(&slow, &params);
        assert!(text.contains("accepted is a higher data_rate, or a wider TIME_W"), "{text}");
    }

    #[test]
    fn a_queue_needs_its_bits() {
        let text = message(&[], &[("QUEUES", 256), ("QUEUE_W", 7)]);
        assert!(text.contains("QUEUE_W = 7") && text.contains("8 or more"), "{text}");
    }

    /// By hand: 256 queues need 544 cycles, twice that is 1088, which 11 bits reach and 12 tell.
    #[test]
    fn a_sweep_needs_its_time() {
        let text = message(&[], &[("TIME_W", 11)]);
        assert!(text.contains("TIME_W = 11") && text.contains("12 or more"), "{text}");
        let params = ParamSet::with(&BLOCK, [("TIME_W", 12)]).expect("in range");
        check_params(&params).expect("legal");
    }

    #[test]
    fn pins_fit_their_ports() {
        let largest = [
            ("buffer_bytes", Integer(1 << 30)),
            ("headroom_bytes", Integer(0)),
            ("beta", Real(128.0)),
            ("resume_offset", Integer(1 << 30)),
            ("static_xoff", Integer(1 << 30)),
            ("static_xon", Integer((1 << 30) - 1)),
            ("data_rate", Real(1.0)),
            ("clock_mhz", Real(2000.0)),
        ];
        let headroom = [
            ("buffer_bytes", Integer(1 << 30)),
            ("ports", Integer(1)),
            ("headroom_bytes", Integer(1 << 27)),
        ];
        let params = ParamSet::defaults(&BLOCK);
        let layout = congruent_ports::Layout::new(&BLOCK, &params);
        for changes in [&[][..], &largest, &headroom] {
            let pins = cfg(changes, &[]).expect("legal").pins();
            assert_eq!(pins.len(), layout.cfg.len());
            for (pin, port) in pins.iter().zip(&layout.cfg) {
                assert!(pin >> port.width == 0, "{} = {pin:#x}", port.name);
            }
        }
    }
}
