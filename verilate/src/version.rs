//! Verilator's version numbers, which come as `5.006` from the program and `5.48.0` from packages.

use std::fmt;

/// A version of Verilator. `5.006` and `5.6.0` are the same one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// 5 in 5.006.
    pub major: u32,
    /// 6 in 5.006.
    pub minor: u32,
}

/// The oldest Verilator that is accepted: Debian 12's.
pub const MINIMUM: Version = Version { major: 5, minor: 6 };

impl Version {
    /// Reads a number such as `5.006`, `5.48.0` or `5.049-devel`; anything after the second number
    /// is left out.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('.');
        let major = parts.next()?.parse().ok()?;
        let minor = parts.next()?;
        let digits = minor.find(|c: char| !c.is_ascii_digit()).unwrap_or(minor.len());
        Some(Self { major, minor: minor[..digits].parse().ok()? })
    }

    /// Finds the number in what `verilator --version` prints:
    /// `Verilator 5.006 2023-01-22 rev (Debian 5.006-3)`.
    pub fn from_output(text: &str) -> Option<Self> {
        let mut words = text.split_whitespace();
        words.find(|w| *w == "Verilator")?;
        Self::parse(words.next()?)
    }

    /// Finds the number in a Python package's METADATA: `Version: 5.48.0`.
    pub fn from_metadata(text: &str) -> Option<Self> {
        // The header ends at the first empty line; the description may say anything.
        let header = text.lines().take_while(|line| !line.is_empty());
        header.filter_map(|line| line.strip_prefix("Version:")).find_map(|v| Self::parse(v.trim()))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:03}", self.major, self.minor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn v(major: u32, minor: u32) -> Option<Version> {
        Some(Version { major, minor })
    }

    #[test]
    fn reads_both_ways_of_writing() {
        assert_eq!(Version::parse("5.006"), v(5, 6));
        assert_eq!(Version::parse("5.48.0"), v(5, 48));
        assert_eq!(Version::parse("5.049-devel"), v(5, 49));
        assert_eq!(Version::parse("5"), None);
        assert_eq!(Version::parse("5.x"), None);
        assert_eq!(v(5, 48).map(|v| v.to_string()).as_deref(), Some("5.048"));
    }

    #[test]
    fn reads_what_programs_and_packages_print() {
        let debian = "Verilator 5.006 2023-01-22 rev (Debian 5.006-3)\n";
        assert_eq!(Version::from_output(debian), v(5, 6));
        assert_eq!(Version::from_output("Verilator 4.228 2022-10-01 rev v4.228"), v(4, 228));
        assert_eq!(Version::from_output(" rev vUNKNOWN-built20260516-4e853d8"), None);
        let metadata = "Metadata-Version: 2.4\nName: verilator\nVersion: 5.48.0\n\nVersion: 1.0\n";
        assert_eq!(Version::from_metadata(metadata), v(5, 48));
        assert_eq!(Version::from_metadata("Name: verilator\n\nVersion: 1.0\n"), None);
    }

    #[test]
    fn old_ones_are_older() {
        assert!(Version { major: 5, minor: 5 } < MINIMUM);
        assert!(Version { major: 4, minor: 228 } < MINIMUM);
        assert!(Version { major: 5, minor: 48 } > MINIMUM);
    }
}
