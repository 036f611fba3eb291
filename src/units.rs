//! Raw words as people read them, and back: one place for both directions.
//!
//! | quantity | people read | raw |
//! | --- | --- | --- |
//! | flag, count, bytes, whole cycles | the number | the number |
//! | cycles with fraction bits, fixed point | a decimal number | × 2^fraction bits |
//! | fraction of line rate | Gbps | ÷ line rate, × 2^fraction bits |
//! | fraction of one | 0 to 1 | × 2^fraction bits |
//! | enumeration | the name | its number |
//!
//! To raw, numbers are rounded half up; from raw, every bit is kept: a word of up to 53 bits comes
//! back as it was.

use congruent_ports::{ParamSet, Quantity};
use std::fmt;

/// The digits of a whole number in thin groups: `1 000 000`, `-1 000`.
pub fn grouped(number: impl fmt::Display) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (n, digit) in digits.chars().enumerate() {
        let after = (digits.len() - n).is_multiple_of(3);
        if after && out.ends_with(|c: char| c.is_ascii_digit()) {
            out.push(' ');
        }
        out.push(digit);
    }
    out
}

/// What the conversion depends on besides the table.
#[derive(Debug, Clone, Copy)]
pub struct Units<'a> {
    params: &'a ParamSet,
    line_rate_gbps: f64,
    raw: bool,
}

impl<'a> Units<'a> {
    /// Engineering units, for a line rate in Gbps.
    pub fn new(params: &'a ParamSet, line_rate_gbps: f64) -> Self {
        Self { params, line_rate_gbps, raw: false }
    }

    /// The bits themselves as whole numbers.
    pub fn raw(params: &'a ParamSet) -> Self {
        Self { params, line_rate_gbps: 1.0, raw: true }
    }

    /// Value of the lowest bit in the unit that people read.
    pub fn lsb(&self, quantity: Quantity) -> f64 {
        let fraction = |bits: u32| 0.5f64.powi(bits as i32);
        let of = |name: &str| fraction(self.params.get(name) as u32);
        match quantity {
            _ if self.raw => 1.0,
            Quantity::Flag | Quantity::Count | Quantity::Bytes | Quantity::Enum(_) => 1.0,
            Quantity::Cycles(bits) | Quantity::Fixed(bits, _) => fraction(bits),
            Quantity::LineRate(name) => of(name) * self.line_rate_gbps,
            Quantity::CyclesParam(name)
            | Quantity::Fraction(name)
            | Quantity::FixedParam(name, _) => of(name),
        }
    }

    /// The unit, empty where there is none.
    pub fn unit(&self, quantity: Quantity) -> &'static str {
        match quantity {
            _ if self.raw => "",
            Quantity::Bytes => "bytes",
            Quantity::Cycles(_) | Quantity::CyclesParam(_) => "cycles",
            Quantity::LineRate(_) => "Gbps",
            Quantity::Fixed(_, unit) | Quantity::FixedParam(_, unit) => unit,
            Quantity::Flag | Quantity::Count | Quantity::Enum(_) | Quantity::Fraction(_) => "",
        }
    }

    /// A raw word as a number in the unit that people read.
    pub fn number(&self, quantity: Quantity, raw: u64) -> f64 {
        raw as f64 * self.lsb(quantity)
    }

    /// A raw word as text without its unit.
    pub fn text(&self, quantity: Quantity, raw: u64) -> String {
        match name_of(quantity, raw) {
            Some(name) if !self.raw => name.to_string(),
            _ if self.lsb(quantity) == 1.0 => raw.to_string(),
            _ => self.number(quantity, raw).to_string(),
        }
    }

    /// A raw word as text with its unit: `300 Gbps`.
    pub fn describe(&self, quantity: Quantity, raw: u64) -> String {
        let (text, unit) = (self.text(quantity, raw), self.unit(quantity));
        if unit.is_empty() { text } else { format!("{text} {unit}") }
    }

    /// A number of lowest bits, which need not be whole, as text with its unit.
    pub fn describe_number(&self, quantity: Quantity, lsbs: f64) -> String {
        let (number, unit) = (lsbs * self.lsb(quantity), self.unit(quantity));
        if unit.is_empty() { number.to_string() } else { format!("{number} {unit}") }
    }

    /// A number in the unit that people read, as the reference gives it, as text without its unit.
    pub fn text_of_number(&self, quantity: Quantity, number: f64) -> String {
        if self.raw {
            return self.nearest(quantity, number).to_string();
        }
        match quantity {
            Quantity::Enum(_) => self.text(quantity, number.max(0.0) as u64),
            _ => number.to_string(),
        }
    }

    /// The raw word nearest to a number in natural units; for a raw view of a real number.
    fn nearest(&self, quantity: Quantity, number: f64) -> u64 {
        let natural = Self { raw: false, ..*self };
        congruent_hw::fixed::from_real((number / natural.lsb(quantity)).max(0.0), 0)
    }

    /// A text as the raw word of a field of `width` bits.
    ///
    /// # Errors
    /// Text that is no such value, or one that does not fit.
    pub fn parse(&self, quantity: Quantity, width: u32, text: &str) -> Result<u64, Refusal> {
        let accepted = || self.accepted(quantity, width);
        if let (Quantity::Enum(names), false) = (quantity, self.raw) {
            let found = names.iter().position(|name| *name == text);
            let no_name = || Refusal { why: "is no value of this field", accepted: accepted() };
            return found.map(|at| at as u64).ok_or_else(no_name);
        }
        let whole = || Refusal { why: "is not a whole number", accepted: accepted() };
        let wide = || Refusal { why: "does not fit the field", accepted: accepted() };
        let no_number = || Refusal { why: "is not a number", accepted: accepted() };
        let lsb = self.lsb(quantity);
        let raw = if let Some(digits) = text.strip_prefix("0x").filter(|_| self.raw) {
            u64::from_str_radix(digits, 16).map_err(|_| no_number())?
        } else if let Ok(number) = text.parse::<u64>()
            && lsb == 1.0
        {
            number
        } else {
            let number: f64 = text.parse().map_err(|_| no_number())?;
            match number {
                n if !n.is_finite() => return Err(no_number()),
                n if n < 0.0 => return Err(wide()),
                n if lsb == 1.0 && n.fract() != 0.0 => return Err(whole()),
                n if n / lsb >= 2f64.powi(64) => return Err(wide()),
                n => congruent_hw::fixed::from_real(n / lsb, 0),
            }
        };
        if raw > largest(width) { Err(wide()) } else { Ok(raw) }
    }

    /// What a field of `width` bits accepts, for people.
    pub fn accepted(&self, quantity: Quantity, width: u32) -> String {
        match quantity {
            Quantity::Enum(names) if !self.raw => names.join(", "),
            _ => format!("0 to {}", self.describe(quantity, largest(width))),
        }
    }
}

/// Why a text was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// What is wrong with it.
    pub why: &'static str,
    /// What is accepted.
    pub accepted: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: accepted is {}", self.why, self.accepted)
    }
}

/// The name of an enumeration's value.
pub fn name_of(quantity: Quantity, raw: u64) -> Option<&'static str> {
    match quantity {
        Quantity::Enum(names) => names.get(usize::try_from(raw).ok()?).copied(),
        _ => None,
    }
}

/// The largest word of `width` bits.
pub fn largest(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use congruent_ports::rate_limiter::{BLOCK, CAUSES};

    const RATE: Quantity = Quantity::LineRate("RATE_FRAC");

    #[test]
    fn a_rate_is_gbps_and_comes_back() {
        let params = ParamSet::defaults(&BLOCK);
        let units = Units::new(&params, 400.0);
        assert_eq!(units.describe(RATE, 3 << 22), "300 Gbps");
        assert_eq!(units.parse(RATE, 25, "300"), Ok(3 << 22));
        for raw in [0, 1, 2, 12_345_677, 1 << 24, (1 << 25) - 1] {
            assert_eq!(units.parse(RATE, 25, &units.text(RATE, raw)), Ok(raw));
        }
        assert_eq!(Units::raw(&params).text(RATE, 3 << 22), "12582912");
    }

    #[test]
    fn names_stand_for_values_of_an_enumeration() {
        let params = ParamSet::defaults(&BLOCK);
        let units = Units::new(&params, 400.0);
        let cause = Quantity::Enum(CAUSES);
        assert_eq!(units.text(cause, 5), "end");
        assert_eq!(units.text(cause, 15), "15");
        assert_eq!(units.parse(cause, 4, "increase"), Ok(3));
        let refused = units.parse(cause, 4, "up").expect_err("no such cause");
        assert!(refused.accepted.contains("increase_held"), "{refused}");
    }

    #[test]
    fn refusals_say_why_and_what_is_accepted() {
        let params = ParamSet::defaults(&BLOCK);
        let units = Units::new(&params, 400.0);
        let refuse =
            |text| units.parse(Quantity::Bytes, 14, text).expect_err("refused").to_string();
        assert_eq!(refuse("16384"), "does not fit the field: accepted is 0 to 16383 bytes");
        assert_eq!(refuse("-1"), "does not fit the field: accepted is 0 to 16383 bytes");
        assert_eq!(refuse("1.5"), "is not a whole number: accepted is 0 to 16383 bytes");
        assert_eq!(refuse("many"), "is not a number: accepted is 0 to 16383 bytes");
        assert_eq!(refuse("nan"), "is not a number: accepted is 0 to 16383 bytes");
        assert_eq!(refuse("1e300"), "does not fit the field: accepted is 0 to 16383 bytes");
    }
}
