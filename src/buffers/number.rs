//! Exact numbers: read from text, and rounded only here, when they are printed.

use crate::units::grouped;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive};

/// A number without rounding.
pub type Exact = BigRational;

/// Units of bytes, the longest first.
const UNITS: &[(&str, u64)] = &[
    ("GiB", 1 << 30),
    ("MiB", 1 << 20),
    ("KiB", 1 << 10),
    ("GB", 1_000_000_000),
    ("MB", 1_000_000),
    ("KB", 1_000),
    ("kB", 1_000),
    ("B", 1),
];

/// Digits that a number may have: far beyond any buffer, and soon printed.
const MOST_DIGITS: usize = 30;

/// A whole number.
pub fn whole(number: u64) -> Exact {
    Exact::from_integer(number.into())
}

/// Reads `12000000`, `0.0078125` or `1/128`: not negative, no exponent.
///
/// # Errors
/// What is accepted.
pub fn parse(text: &str) -> Result<Exact, String> {
    match text.split_once('/') {
        None => decimal(text),
        Some((over, under)) => {
            let (over, under) = (decimal(over)?, decimal(under)?);
            if under == whole(0) { Err(accepted()) } else { Ok(over / under) }
        }
    }
}

/// Reads bytes: a number, and B, KB, MB, GB (powers of 1000) or KiB, MiB, GiB (powers of 1024).
///
/// # Errors
/// What is accepted.
pub fn parse_bytes(text: &str) -> Result<Exact, String> {
    let (number, unit) = UNITS
        .iter()
        .find_map(|(name, bytes)| Some((text.strip_suffix(name)?.trim_end(), *bytes)))
        .unwrap_or((text, 1));
    let bytes = parse(number).map_err(|why| {
        format!(
            "{why}; then B, KB, MB, GB (powers of 1000), KiB, MiB, GiB (powers of 1024) or nothing"
        )
    })?;
    Ok(bytes * whole(unit))
}

fn accepted() -> String {
    format!("a number such as 22400, 22.4 or 1/128, of at most {MOST_DIGITS} digits")
}

fn decimal(text: &str) -> Result<Exact, String> {
    let (int, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = format!("{int}{fraction}");
    let fits = (1..=MOST_DIGITS).contains(&digits.len());
    let number = digits.bytes().all(|c| c.is_ascii_digit()).then(|| digits.parse::<BigInt>());
    match number {
        Some(Ok(number)) if fits => Ok(Exact::new(number, ten_to(fraction.len()))),
        _ => Err(accepted()),
    }
}

fn ten_to(places: usize) -> BigInt {
    (0..places).fold(BigInt::one(), |power, _| power * 10u32)
}

/// A number with at most so many places, rounded half away from 0, digits in groups of three.
pub fn show(number: &Exact, places: usize) -> String {
    let scale = ten_to(places);
    let scaled = (number * Exact::from_integer(scale.clone())).round().to_integer();
    let sign = if scaled.is_negative() { "-" } else { "" };
    let scaled = scaled.abs();
    let (int, rest) = (&scaled / &scale, &scaled % &scale);
    let rest = format!("{rest:0>places$}");
    let rest = if places == 0 { "" } else { rest.trim_end_matches('0') };
    let point = if rest.is_empty() { "" } else { "." };
    format!("{sign}{}{point}{rest}", grouped(&int))
}

/// Whether a number is printed exactly with so many places.
pub fn is_exact(number: &Exact, places: usize) -> bool {
    (number * Exact::from_integer(ten_to(places))).is_integer()
}

/// The nearest f64: for reports that are plotted.
pub fn to_f64(number: &Exact) -> f64 {
    number.to_f64().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::{parse, parse_bytes, show, whole};

    #[test]
    fn numbers_are_read_exactly() {
        assert_eq!(parse("0.0078125"), parse("1/128"));
        assert_eq!(parse_bytes("22.4KB").unwrap(), whole(22_400));
        assert_eq!(parse_bytes("12 MiB").unwrap(), whole(12 << 20));
        assert_eq!(parse_bytes("12MB").unwrap(), whole(12_000_000));
        assert_eq!(parse_bytes("1500B").unwrap(), whole(1500));
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in ["", ".", "-1", "1e6", "1/0", "1/", "12 KBit", "0x10", "1_000", "١", "1/2/3"] {
            assert!(parse_bytes(text).is_err(), "{text}");
        }
        assert!(parse(&"9".repeat(31)).is_err());
    }

    #[test]
    fn rounded_when_printed_only() {
        let third = parse("1/3").unwrap();
        assert_eq!(show(&third, 2), "0.33");
        assert_eq!(show(&(third * whole(2)), 0), "1");
        assert_eq!(show(&whole(6_265_600), 1), "6 265 600");
        assert_eq!(show(&parse("999.95").unwrap(), 1), "1 000");
        assert_eq!(show(&(whole(1) - parse("1234.5").unwrap()), 1), "-1 233.5");
    }
}
