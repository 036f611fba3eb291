//! What may differ between an output of ours and one of another design: words that are not compared,
//! tolerances, and relations between number formats.
//!
//! A rule belongs to an output word of the layout. Where there is none, words must be equal bit by
//! bit. The same rules serve every kind of comparison.

use num_rational::Ratio;
use std::fmt;
use std::str::FromStr;

/// How a number between two words of a format becomes one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rounding {
    /// To the nearest; half way, away from 0.
    #[default]
    Nearest,
    /// Down.
    Floor,
    /// Up.
    Ceil,
    /// Towards 0.
    Truncate,
}

impl Rounding {
    /// Every one with its name.
    pub const NAMES: [(&'static str, Self); 4] = [
        ("nearest", Self::Nearest),
        ("floor", Self::Floor),
        ("ceil", Self::Ceil),
        ("truncate", Self::Truncate),
    ];
}

impl FromStr for Rounding {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::NAMES.iter().find(|(name, _)| *name == text);
        let accepted = || Self::NAMES.map(|(name, _)| name).join(", ");
        found.map(|(_, rounding)| *rounding).ok_or_else(|| format!("accepted is {}", accepted()))
    }
}

impl fmt::Display for Rounding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::NAMES.iter().find(|(_, rounding)| rounding == self);
        f.write_str(name.map_or("", |(name, _)| name))
    }
}

/// How a number is laid out in a word of another design.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Format {
    /// Bits, 1 to 64.
    pub width: u32,
    /// Two's complement.
    pub signed: bool,
}

impl Format {
    /// Smallest and largest number.
    fn range(self) -> (i128, i128) {
        let width = self.width.clamp(1, 64);
        match self.signed {
            true => (-(1 << (width - 1)), (1 << (width - 1)) - 1),
            false => (0, (1 << width) - 1),
        }
    }

    /// The number that a word holds.
    fn number(self, word: u64) -> i128 {
        let (_, most) = self.range();
        let number = i128::from(word);
        // A word that is wider than it should be stays out of range, so that it is seen.
        let negative = self.signed && number > most && number < 1 << self.width.clamp(1, 64);
        if negative { number - (1 << self.width.clamp(1, 64)) } else { number }
    }

    fn word(self, number: i128) -> u64 {
        let all = u64::MAX >> (64 - self.width.clamp(1, 64));
        number as u64 & all
    }
}

/// Their word = round(our word × scale + offset), exactly, kept within their format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relation {
    scale: Ratio<i128>,
    offset: Ratio<i128>,
    rounding: Rounding,
    format: Format,
    /// (ours × factor + term) / divisor is the number before rounding.
    factor: i128,
    term: i128,
    divisor: i128,
}

impl Relation {
    /// A relation; refused where a word of 64 bits would leave exact arithmetic.
    ///
    /// # Errors
    /// A scale of 0, or fractions that are too fine.
    pub fn new(
        scale: Ratio<i128>,
        offset: Ratio<i128>,
        rounding: Rounding,
        format: Format,
    ) -> Result<Self, String> {
        if *scale.numer() == 0 {
            return Err("a scale of 0 compares nothing".to_string());
        }
        let exact = || {
            let common = common_multiple(*scale.denom(), *offset.denom())?;
            let factor = scale.numer().checked_mul(common / scale.denom())?;
            let term = offset.numer().checked_mul(common / offset.denom())?;
            let most = factor.abs().checked_mul(1 << 64)?.checked_add(term.abs())?;
            most.checked_mul(4)?;
            Some((factor, term, common))
        };
        let too_fine = || "scale and offset have too many digits for exact arithmetic".to_string();
        let (factor, term, divisor) = exact().ok_or_else(too_fine)?;
        Ok(Self { scale, offset, rounding, format, factor, term, divisor })
    }

    fn rounded(&self, ours: u64) -> i128 {
        let exact = Ratio::new_raw(i128::from(ours) * self.factor + self.term, self.divisor);
        let rounded = match self.rounding {
            Rounding::Nearest => exact.round(),
            Rounding::Floor => exact.floor(),
            Rounding::Ceil => exact.ceil(),
            Rounding::Truncate => exact.trunc(),
        };
        *rounded.numer()
    }

    /// Our word in their format; the nearest end of it where it does not fit.
    pub fn theirs(&self, ours: u64) -> u64 {
        let (least, most) = self.format.range();
        self.format.word(self.rounded(ours).clamp(least, most))
    }

    /// Our word in their format, if it fits.
    pub fn fitting(&self, ours: u64) -> Option<u64> {
        let (least, most) = self.format.range();
        let number = self.rounded(ours);
        (least..=most).contains(&number).then(|| self.format.word(number))
    }

    /// Their word as a number in our LSB, for people.
    pub fn ours(&self, theirs: u64) -> f64 {
        let number = self.format.number(theirs) as f64;
        (number * self.divisor as f64 - self.term as f64) / self.factor as f64
    }

    /// Their LSB that one of ours is.
    pub fn per_lsb(&self) -> f64 {
        (self.factor as f64 / self.divisor as f64).abs()
    }

    fn distance(&self, one: u64, other: u64) -> u128 {
        self.format.number(one).abs_diff(self.format.number(other))
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ours x {}", self.scale)?;
        if *self.offset.numer() != 0 {
            write!(f, " + {}", self.offset)?;
        }
        write!(f, ", {}", self.rounding)
    }
}

fn common_multiple(one: i128, other: i128) -> Option<i128> {
    let (mut a, mut b) = (one, other);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    (one / a).checked_mul(other)
}

/// Reads an exact number: `3`, `-3`, `0.0078125`, `1/256`, `65536/400`.
///
/// # Errors
/// What is accepted.
pub fn exact(text: &str) -> Result<Ratio<i128>, String> {
    let accepted = || "accepted is a number such as 3, -0.5 or 1/256".to_string();
    let decimal = |text: &str| -> Option<Ratio<i128>> {
        let text = text.trim();
        let (negative, digits) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let digits = format!("{whole}{fraction}");
        let plain = !digits.is_empty() && digits.bytes().all(|c| c.is_ascii_digit());
        let number: i128 = if plain && digits.len() <= 24 { digits.parse().ok()? } else { None? };
        let number = Ratio::new(number, 10i128.pow(fraction.len() as u32));
        Some(if negative { -number } else { number })
    };
    let number = match text.split_once('/') {
        None => decimal(text),
        Some((over, under)) => decimal(over).zip(decimal(under)).and_then(|(over, under)| {
            let zero = *under.numer() == 0;
            let numer = over.numer().checked_mul(*under.denom())?;
            let denom = over.denom().checked_mul(*under.numer())?;
            (!zero).then(|| Ratio::new(numer, denom))
        }),
    };
    number.ok_or_else(accepted)
}

/// How far a word may be off.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Tolerance {
    /// So many of their lowest bit.
    Lsb(u64),
    /// So much in the unit that people read the field in. What that is in bits depends on attributes:
    /// [`Rules::in_lsb`].
    Natural(f64),
}

/// What holds between a word of ours and one of theirs.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Rule {
    /// The word is not compared.
    pub ignored: bool,
    /// How far theirs may be off.
    pub tolerance: Option<Tolerance>,
    /// What ours is in their format.
    pub relation: Option<Relation>,
}

impl Rule {
    /// A word that is not compared.
    pub fn ignore() -> Self {
        Self { ignored: true, ..Self::default() }
    }

    /// Our word in their format.
    pub fn theirs(&self, ours: u64) -> u64 {
        self.relation.as_ref().map_or(ours, |relation| relation.theirs(ours))
    }

    /// How far two of their words are apart, LSB.
    pub fn distance(&self, one: u64, other: u64) -> u128 {
        match &self.relation {
            Some(relation) => relation.distance(one, other),
            None => u128::from(one.abs_diff(other)),
        }
    }

    /// Whether their word is what ours asks for.
    pub fn holds(&self, ours: u64, theirs: u64) -> bool {
        if self.ignored {
            return true;
        }
        let expected = self.theirs(ours);
        let most = match self.tolerance {
            Some(Tolerance::Lsb(most)) => u128::from(most),
            // Not resolved: nothing is let through unseen.
            Some(Tolerance::Natural(_)) | None => 0,
        };
        expected == theirs || most > 0 && self.distance(expected, theirs) <= most
    }
}

/// The rules of a design, by output word of the layout. None at all is the usual case.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Rules {
    words: Vec<Rule>,
}

/// What holds where nothing is said.
const EQUAL: Rule = Rule { ignored: false, tolerance: None, relation: None };

impl Rules {
    /// Every word must be equal.
    pub fn none() -> Self {
        Self::default()
    }

    /// Whether there is no rule.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|rule| *rule == EQUAL)
    }

    /// The rule of a word, to be changed.
    pub fn at(&mut self, word: usize) -> &mut Rule {
        if self.words.len() <= word {
            self.words.resize(word + 1, EQUAL);
        }
        &mut self.words[word]
    }

    /// The rule of a word, if it has one.
    pub fn get(&self, word: usize) -> Option<&Rule> {
        self.words.get(word).filter(|rule| **rule != EQUAL)
    }

    /// Whether their word is what ours asks for.
    pub fn holds(&self, word: usize, ours: u64, theirs: u64) -> bool {
        self.get(word).map_or(ours == theirs, |rule| rule.holds(ours, theirs))
    }

    /// Whether a word is not compared.
    pub fn ignores(&self, word: usize) -> bool {
        self.get(word).is_some_and(|rule| rule.ignored)
    }

    /// A row of theirs as a row of ours, for people: words of another format as the nearest of ours,
    /// words that are not compared as `ours` has them.
    pub fn as_ours(&self, ours: &[u64], theirs: &mut [u64]) {
        for (word, rule) in self.words.iter().enumerate().take(theirs.len()) {
            if rule.ignored {
                theirs[word] = ours[word];
            } else if let Some(relation) = &rule.relation {
                theirs[word] = relation.ours(theirs[word]).round() as u64;
            }
        }
    }

    /// Whether a tolerance depends on attributes.
    pub fn depend_on_units(&self) -> bool {
        self.words.iter().any(|rule| matches!(rule.tolerance, Some(Tolerance::Natural(_))))
    }

    /// The same with every tolerance in LSB of their words. `lsb` says what the lowest bit of our word
    /// is worth in the unit that people read. Rounded down: what is let through is never more than
    /// was asked for.
    #[must_use]
    pub fn in_lsb(&self, lsb: impl Fn(usize) -> f64) -> Self {
        let mut rules = self.clone();
        for (word, rule) in rules.words.iter_mut().enumerate() {
            if let Some(Tolerance::Natural(most)) = rule.tolerance {
                let per_lsb = rule.relation.as_ref().map_or(1.0, Relation::per_lsb);
                // 2.0 of a unit that is 0.1 wide is 20 of them, not 19.
                let lsbs = (most / lsb(word) * per_lsb * (1.0 + 1e-12)).floor();
                rule.tolerance = Some(Tolerance::Lsb(lsbs as u64));
            }
        }
        rules
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relation(scale: &str, offset: &str, rounding: &str, width: u32, signed: bool) -> Relation {
        let (scale, offset) = (exact(scale).expect("exact"), exact(offset).expect("exact"));
        let rounding = rounding.parse().expect("a rounding");
        Relation::new(scale, offset, rounding, Format { width, signed }).expect("a relation")
    }

    #[test]
    fn numbers_are_read_exactly() {
        let is = |text: &str, over, under| assert_eq!(exact(text), Ok(Ratio::new(over, under)));
        is("3", 3, 1);
        is("-0.5", -1, 2);
        is("1/256", 1, 256);
        is("0.0078125", 1, 128);
        is("65536/0.4", 163_840, 1);
        for text in ["", ".", "-", "1e3", "0x10", "1/0", "1/", "1/2/3", "+1", "1 000"] {
            assert!(exact(text).is_err(), "{text}");
        }
    }

    /// 3/2 is half way, 5/4 below it, 7/4 above it; -3/2 the same below 0.
    #[test]
    fn each_rounding_goes_its_way() {
        for (rounding, quarters, negative) in [
            ("nearest", [1, 2, 2], 0xFE),
            ("floor", [1, 1, 1], 0xFE),
            ("ceil", [2, 2, 2], 0xFF),
            ("truncate", [1, 1, 1], 0xFF),
        ] {
            let quarter = relation("1/4", "0", rounding, 8, true);
            assert_eq!([5, 6, 7].map(|ours| quarter.theirs(ours)), quarters, "{rounding}");
            assert_eq!(relation("-1/2", "0", rounding, 8, true).theirs(3), negative, "{rounding}");
            assert_eq!(relation("1/2", "-3", rounding, 8, true).theirs(3), negative, "{rounding}");
        }
    }

    #[test]
    fn what_does_not_fit_stays_at_the_end_of_the_format() {
        let eight = relation("1/256", "0", "nearest", 8, false);
        assert_eq!((eight.theirs(65_280), eight.fitting(65_280)), (255, Some(255)));
        assert_eq!((eight.theirs(70_000), eight.fitting(70_000)), (255, None));
        let below = relation("1", "-10", "nearest", 8, false);
        assert_eq!((below.theirs(3), below.fitting(3)), (0, None));
        let signed = relation("1", "-200", "nearest", 8, true);
        assert_eq!((signed.theirs(0), signed.fitting(0)), (0x80, None));
        let whole = relation("1", "0", "nearest", 64, false);
        assert_eq!(whole.theirs(u64::MAX), u64::MAX);
    }

    #[test]
    fn what_cannot_be_exact_is_refused() {
        let of = |scale: i128, under: i128| {
            let format = Format { width: 64, signed: false };
            let zero = Ratio::new(0, 1);
            Relation::new(Ratio::new(scale, under), zero, Rounding::Nearest, format)
        };
        assert!(of(0, 1).is_err());
        assert!(of(1 << 62, 3).is_err());
        // 2^64 - 1 thirds: 6148914691236517205.
        assert_eq!(of(1, 3).map(|r| r.theirs(u64::MAX)), Ok(6_148_914_691_236_517_205));
    }

    #[test]
    fn a_tolerance_counts_their_lowest_bits() {
        let two = two_lsb();
        assert_eq!([8, 10, 12, 13].map(|got| two.holds(10, got)), [true, true, true, false]);
        assert_eq!([0, 1, 7].map(|got| two.holds(0, got)), [true, true, false]);
        // 1000 in steps of 256 is 3.9, so 4.
        let steps = relation("1/256", "0", "nearest", 8, false);
        let steps = Rule { relation: Some(steps), ..two_lsb() };
        assert_eq!(
            [1, 2, 4, 6, 7].map(|got| steps.holds(1000, got)),
            [false, true, true, true, false]
        );
        // -1 and 1 are two apart, 0xFF and 1 of an unsigned word are not.
        let signed = relation("1", "-4", "nearest", 8, true);
        let signed = Rule { relation: Some(signed), ..two_lsb() };
        assert!(signed.holds(3, 1) && !signed.holds(3, 2) && !two_lsb().holds(0xFF, 1));
        assert!(Rule::ignore().holds(0, 99));
        let unresolved = Rule { tolerance: Some(Tolerance::Natural(9.0)), ..Rule::default() };
        assert!(unresolved.holds(5, 5) && !unresolved.holds(5, 6));
    }

    fn two_lsb() -> Rule {
        Rule { tolerance: Some(Tolerance::Lsb(2)), ..Rule::default() }
    }

    /// 0.5 of a unit of which our lowest bit is 1/100: 50 of ours, 12 of theirs at a scale of 1/4.
    #[test]
    fn amounts_become_lsb_of_their_word() {
        let mut rules = Rules::none();
        rules.at(1).tolerance = Some(Tolerance::Natural(0.5));
        rules.at(2).tolerance = Some(Tolerance::Natural(0.5));
        rules.at(2).relation = Some(relation("1/4", "0", "nearest", 8, false));
        assert!(rules.depend_on_units());
        let resolved = rules.in_lsb(|_| 0.01);
        let lsb = |word| resolved.get(word).and_then(|rule| rule.tolerance);
        assert_eq!(
            [lsb(0), lsb(1), lsb(2)],
            [None, Some(Tolerance::Lsb(50)), Some(Tolerance::Lsb(12))]
        );
        assert!(!resolved.depend_on_units());
    }

    #[test]
    fn rows_of_theirs_are_read_as_ours() {
        let mut rules = Rules::none();
        *rules.at(0) = Rule::ignore();
        rules.at(2).relation = Some(relation("1/256", "1", "nearest", 8, false));
        let mut theirs = [9, 9, 9];
        rules.as_ours(&[5, 6, 7], &mut theirs);
        assert_eq!(theirs, [5, 9, 2048]);
        assert!(rules.ignores(0) && !rules.ignores(1) && rules.get(1).is_none());
    }
}
