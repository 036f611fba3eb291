//! Fixed-point arithmetic under the names that `rtl/congruent_pkg.sv` and the RTL use.
//!
//! `UQm.n` is unsigned with m integer and n fraction bits. Every function states its rounding and
//! what it does at the ends of its range; none overflows silently.

/// Drops `frac` bits with rounding half up: floor(value / 2^frac + 1/2). `frac` 0 to 63; the value
/// leaves room for the added half (value < 2^64 - 2^(frac-1)).
#[inline]
pub const fn round_half_up(value: u64, frac: u32) -> u64 {
    if frac == 0 { value } else { (value + (1 << (frac - 1))) >> frac }
}

/// The middle of two values of one format, rounded half up.
#[inline]
pub const fn halfway(a: u64, b: u64) -> u64 {
    (a + b + 1) >> 1
}

/// Difference that stops at 0.
#[inline]
pub const fn sub_floor_zero(a: u64, b: u64) -> u64 {
    a.saturating_sub(b)
}

/// floor(numerator × 2^frac ÷ denominator); the denominator is not 0 and the shifted numerator
/// fits 64 bits.
#[inline]
pub const fn div_floor(numerator: u64, frac: u32, denominator: u64) -> u64 {
    (numerator << frac) / denominator
}

/// A natural-unit value as raw bits with `frac` fraction bits, rounded half up. Conversion of
/// configuration only: hardware never sees an `f64`.
pub fn from_real(value: f64, frac: u32) -> u64 {
    (value * (1u64 << frac) as f64 + 0.5).floor() as u64
}

/// Raw bits with `frac` fraction bits as a real number.
pub fn to_real(raw: u64, frac: u32) -> f64 {
    raw as f64 / (1u64 << frac) as f64
}

/// Times on a counter of `bits` bits that wraps.
///
/// Two times are compared by their difference: exact as long as they are less than half a wrap
/// apart, which the parameter check guarantees for every stored time whose `held` or deadline bit
/// is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wrap {
    mask: u64,
    /// Half a wrap.
    half: u64,
}

impl Wrap {
    /// A counter of `bits` bits, 1 to 63.
    pub const fn new(bits: u32) -> Self {
        Self { mask: (1 << bits) - 1, half: 1 << (bits - 1) }
    }

    /// All ones.
    #[inline]
    pub const fn mask(self) -> u64 {
        self.mask
    }

    /// a + b, modulo.
    #[inline]
    pub const fn add(self, a: u64, b: u64) -> u64 {
        (a + b) & self.mask
    }

    /// a - b, modulo.
    #[inline]
    pub const fn sub(self, a: u64, b: u64) -> u64 {
        a.wrapping_sub(b) & self.mask
    }

    /// Whether `now` has reached `time`: now - time, read as signed, is not negative.
    #[inline]
    pub const fn reached(self, now: u64, time: u64) -> bool {
        self.sub(now, time) < self.half
    }
}
