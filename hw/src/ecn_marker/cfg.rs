//! Attributes in natural units to `cfg_*` pins: the only place where units are converted.

use super::core::{Cfg, Policy, RandomMode};
use crate::attributes::{AttributeError, AttributeSet, check_numbered, refused};
use crate::fixed::from_real;
use congruent_ports::ParamSet;
use congruent_ports::ecn_marker::{PACKET_SIZE_UNIT, SLOPE_FRAC};

/// Largest `cfg_weight_shift`.
pub const WEIGHT_SHIFT_MOST: u32 = 31;

/// Checks parameters against each other.
///
/// # Errors
/// `QUEUE_W` too narrow for `QUEUES`.
pub fn check_params(params: &ParamSet) -> Result<(), AttributeError> {
    check_numbered(params, "QUEUES", "QUEUE_W", "queues")
}

/// The RED thresholds in whole bytes, as attributes say them: lower, upper.
///
/// # Errors
/// A lower threshold above the upper one, `kmin` without `kmax`.
pub fn red_thresholds(attributes: &AttributeSet) -> Result<(u64, u64), AttributeError> {
    let (kmin, kmax) = (attributes.integer("kmin"), attributes.integer("kmax"));
    if kmax > 0 {
        if kmin > kmax {
            return Err(refused(format!(
                "kmin = {kmin} is above kmax = {kmax}: accepted is kmax or less"
            )));
        }
        return Ok((kmin, kmax));
    }
    if kmin > 0 {
        return Err(refused(format!(
            "kmin = {kmin} without kmax: set kmax to {kmin} or more, or kmin to 0 for the fractions of static_limit"
        )));
    }
    let (low, high) = (attributes.real("min_threshold"), attributes.real("max_threshold"));
    if low > high {
        return Err(refused(format!(
            "min_threshold = {low} is above max_threshold = {high}: accepted is max_threshold or less"
        )));
    }
    let limit = attributes.real("static_limit");
    Ok((from_real(limit * low, 0), from_real(limit * high, 0)))
}

/// The FECN thresholds in whole bytes: congestion begins at the first and ends below the second.
/// `None` where Threshold is 0: never.
///
/// # Errors
/// With FECN, a hysteresis that congestion would never end under.
pub fn fecn_thresholds(attributes: &AttributeSet) -> Result<Option<(u64, u64)>, AttributeError> {
    let threshold = attributes.integer("threshold");
    if threshold == 0 {
        return Ok(None);
    }
    let buffer = attributes.real("vl_buffer_bytes");
    let from = from_real(buffer * (16 - threshold) as f64 / 16.0, 0);
    let hysteresis = attributes.integer("hysteresis");
    if policy(attributes) == Policy::Fecn && hysteresis >= from {
        return Err(refused(format!(
            "hysteresis = {hysteresis} reaches the threshold of {from} B (vl_buffer_bytes = {buffer}, threshold = {threshold}), so that congestion would never end: accepted is less than {from}"
        )));
    }
    Ok(Some((from, from.saturating_sub(hysteresis))))
}

/// The policy.
pub fn policy(attributes: &AttributeSet) -> Policy {
    match attributes.name("policy") {
        "fecn" => Policy::Fecn,
        _ => Policy::Red,
    }
}

/// What decides in the band.
pub fn random_mode(attributes: &AttributeSet) -> RandomMode {
    match attributes.name("random_mode") {
        "diffusion" => RandomMode::Diffusion,
        _ => RandomMode::Lfsr,
    }
}

/// A weight from 0 to 1 as `weight` x 2^-(frac + shift), rounded half up: from 1.0 to below 2.0
/// before the shift, so that small weights keep their precision; below that where the shift is at
/// its end.
pub fn weight(w: f64, frac: u32) -> (u64, u32) {
    let mut shift = 0;
    while shift < WEIGHT_SHIFT_MOST && w * 2f64.powi(shift as i32) < 1.0 {
        shift += 1;
    }
    let scaled = from_real(w * 2f64.powi(shift as i32), frac);
    match scaled {
        0 => (0, 0),
        // Rounded up to 2.0.
        _ if scaled >> frac == 2 => (scaled >> 1, shift - 1),
        _ => (scaled, shift),
    }
}

/// Converts attributes. Every value is rounded half up but the slope, which is rounded down.
///
/// # Errors
/// As for [`check_params`], [`red_thresholds`] and [`fecn_thresholds`].
pub fn configure(attributes: &AttributeSet, params: &ParamSet) -> Result<Cfg, AttributeError> {
    check_params(params)?;
    let occ_w = params.get("OCC_W") as u32;
    let weight_frac = params.get("WEIGHT_FRAC") as u32;
    let (lower, upper) = red_thresholds(attributes)?;
    let band = upper - lower;
    let band_shift = u64::BITS - band.leading_zeros();
    let slope = match band {
        0 => 0,
        _ => slope(attributes.real("max_mark_probability"), band, band_shift),
    };
    let (weight, weight_shift) = weight(attributes.real("ewma_weight"), weight_frac);
    // An occupancy never gets there: it saturates one byte below.
    let out_of_reach = 1 << occ_w;
    let (from, below) = fecn_thresholds(attributes)?.unwrap_or((out_of_reach, out_of_reach));
    Ok(Cfg {
        occ_w,
        avg_frac: params.get("AVG_FRAC") as u32,
        weight_frac,
        count_w: params.get("COUNT_W") as u32,
        enable_ecn: attributes.integer("enable_ecn") != 0,
        policy: policy(attributes),
        weight,
        weight_shift,
        lower: lower.min(out_of_reach),
        upper: upper.min(out_of_reach),
        band_shift,
        slope,
        random_mode: random_mode(attributes),
        lfsr_seed: attributes.integer("lfsr_seed") as u32,
        congested_from: from.min(out_of_reach),
        congested_below: below.min(out_of_reach),
        packet_size: attributes.integer("packet_size") * PACKET_SIZE_UNIT,
        marking_rate: attributes.integer("marking_rate"),
        victim_marking: attributes.integer("victim_marking") != 0,
    })
}

/// MaxMarkProbability x 2^shift / band, UQ2.22, rounded down. `band` is not 0 and has `shift` bits.
fn slope(max_mark_probability: f64, band: u64, shift: u32) -> u64 {
    let exact = max_mark_probability * 2f64.powi((shift + SLOPE_FRAC) as i32) / band as f64;
    exact.floor() as u64
}

impl Cfg {
    /// Raw values of the `cfg_*` pins, in table order.
    pub fn pins(&self) -> Vec<u64> {
        vec![
            u64::from(self.enable_ecn),
            self.policy as u64,
            self.weight,
            u64::from(self.weight_shift),
            self.lower,
            self.upper,
            u64::from(self.band_shift),
            self.slope,
            self.random_mode as u64,
            u64::from(self.lfsr_seed),
            self.congested_from,
            self.congested_below,
            self.packet_size,
            self.marking_rate,
            u64::from(self.victim_marking),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attributes::Value::{self, Integer, Name, Real};
    use congruent_ports::ecn_marker::BLOCK;

    fn cfg(changes: &[(&str, Value)], params: &[(&str, i64)]) -> Result<Cfg, AttributeError> {
        let params = ParamSet::with(&BLOCK, params.iter().copied()).expect("legal");
        configure(&AttributeSet::defaults(&BLOCK).with(changes), &params)
    }

    fn message(changes: &[(&str, Value)], params: &[(&str, i64)]) -> String {
        cfg(changes, params).expect_err("refused").to_string()
    }

    /// Page, "Numbers to reproduce": thresholds of three static limits.
    #[test]
    fn thresholds_of_the_page() {
        for (limit, lower, upper) in [
            (1_500_000, 300_000, 1_200_000),
            (200_908_800, 40_181_760, 160_727_040),
            (22_323_200, 4_464_640, 17_858_560),
        ] {
            let cfg = cfg(&[("static_limit", Integer(limit))], &[]).expect("legal");
            assert_eq!((cfg.lower, cfg.upper), (lower, upper), "of {limit}");
        }
    }

    /// Page: Threshold 8 of 1 048 576 B is 524 288 B; 15 is the most sensitive, 0 is off.
    #[test]
    fn fecn_thresholds_of_the_page() {
        let from = |threshold| {
            let changes = [("policy", Name("fecn")), ("threshold", Integer(threshold))];
            cfg(&changes, &[]).expect("legal").congested_from
        };
        assert_eq!((from(8), from(15), from(1)), (524_288, 65_536, 983_040));
        assert_eq!(from(0), 1 << 28, "what no occupancy reaches");
    }

    /// By hand: 0.1 = 1.6 / 2^4 and 1.6 x 2^17 = 209 715.2; 2^-40 x 2^31 x 2^17 = 256.
    #[test]
    fn weights_keep_their_precision() {
        assert_eq!(weight(0.1, 17), (209_715, 4));
        assert_eq!(weight(1.0, 17), (1 << 17, 0));
        assert_eq!(weight(0.5, 17), (1 << 17, 1));
        assert_eq!(weight(0.0, 17), (0, 0));
        assert_eq!(weight(2f64.powi(-40), 17), (256, 31));
        assert_eq!(weight(1.0 - 2f64.powi(-30), 17), (1 << 17, 0), "rounded up to 1.0");
        let (raw, shift) = weight(0.25 - 2f64.powi(-30), 17);
        assert_eq!((raw, shift), (1 << 17, 2), "rounded up to the next power of two");
    }

    /// By hand: a band of 900 000 B has 20 bits; 0.5 x 2^42 / 900 000 = 2 443 359.17...
    #[test]
    fn slope_and_shift_of_a_band() {
        let cfg = cfg(&[("max_mark_probability", Real(0.5))], &[]).expect("legal");
        assert_eq!((cfg.band_shift, cfg.slope), (20, 2_443_359));
    }

    #[test]
    fn bytes_win_over_fractions() {
        let cfg = cfg(&[("kmin", Integer(5_000)), ("kmax", Integer(200_000))], &[]);
        let cfg = cfg.expect("legal");
        assert_eq!((cfg.lower, cfg.upper), (5_000, 200_000));
    }

    #[test]
    fn what_does_not_fit_together_is_refused_with_names_and_values() {
        let text = message(&[("kmin", Integer(10)), ("kmax", Integer(9))], &[]);
        assert!(text.contains("kmin = 10") && text.contains("kmax = 9"), "{text}");
        let text = message(&[("kmin", Integer(10))], &[]);
        assert!(text.contains("kmin = 10 without kmax"), "{text}");
        let text = message(&[("min_threshold", Real(0.9))], &[]);
        assert!(text.contains("min_threshold = 0.9") && text.contains("0.8"), "{text}");
        let changes = [("policy", Name("fecn")), ("hysteresis", Integer(524_288))];
        let text = message(&changes, &[]);
        assert!(text.contains("less than 524288"), "{text}");
        let text = message(&[], &[("QUEUES", 256), ("QUEUE_W", 7)]);
        assert!(text.contains("8 or more"), "{text}");
    }

    #[test]
    fn a_threshold_beyond_the_largest_occupancy_is_out_of_reach() {
        let cfg = cfg(&[], &[("OCC_W", 18)]).expect("legal");
        assert_eq!((cfg.lower, cfg.upper), (1 << 18, 1 << 18));
        assert_eq!((cfg.congested_from, cfg.congested_below), (1 << 18, 1 << 18));
    }

    #[test]
    fn pins_fit_their_widths() {
        for build in BLOCK.builds {
            let params = build.params(&BLOCK);
            for changes in [
                &[][..],
                &[("kmax", Integer(1 << 28)), ("ewma_weight", Real(1.0))],
                &[("kmin", Integer(1)), ("kmax", Integer(2)), ("ewma_weight", Real(1e-12))],
                &[("packet_size", Integer(162)), ("lfsr_seed", Integer(0xffff_ffff))],
            ] {
                let attributes = AttributeSet::defaults(&BLOCK).with(changes);
                let pins = configure(&attributes, &params).expect("legal").pins();
                assert_eq!(pins.len(), BLOCK.cfg.len());
                for (field, pin) in BLOCK.cfg.iter().zip(pins) {
                    let bits = field.width.bits(&params);
                    assert!(pin >> bits == 0, "{} = {pin} in {bits} bits", field.name);
                }
            }
        }
    }
}
