//! A map as it is written: TOML with the line of every entry. What its names mean is not known here.

use super::faults::Faults;
use congruent_hw::rules::{Rounding, exact};
use congruent_hw::steered::Due;
use num_rational::Ratio;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Something with its line.
#[derive(Debug, Clone)]
pub struct At<T> {
    /// The line, from 1 on.
    pub line: usize,
    /// What stands there.
    pub value: T,
}

/// What a map says.
#[derive(Debug, Default)]
pub struct MapFile {
    /// The block that it is for.
    pub block: Option<At<String>>,
    /// The clock.
    pub clock: Option<At<ClockEntry>>,
    /// The reset.
    pub reset: ResetEntry,
    /// Ports of the table, or whole channels, and what they are in the module.
    pub ports: Vec<At<(String, PortEntry)>>,
    /// Signals of the module and what they are held at.
    pub constants: Vec<At<(String, String)>>,
    /// Channels of the table without a ready, and the module's.
    pub handshake: Vec<At<(String, String)>>,
    /// Cycle counts, by the table's names.
    pub timing: Vec<At<(String, Due)>>,
}

/// `[clock]`.
#[derive(Debug)]
pub struct ClockEntry {
    /// The port.
    pub port: String,
    /// Whether it is the falling edge that counts, if that is said.
    pub falling: Option<bool>,
}

/// `[reset]`, or `reset = "none"`.
#[derive(Debug, Default)]
pub enum ResetEntry {
    /// Nothing is said.
    #[default]
    Unsaid,
    /// The module has none.
    None {
        /// The line.
        line: usize,
        /// Cycles that pass before the first event.
        settle: u64,
    },
    /// A port.
    Port {
        /// The line.
        line: usize,
        /// The port.
        port: String,
        /// Whether it is asserted when it is 0, if that is said.
        active_low: Option<bool>,
        /// Whether it waits for the clock, if that is said.
        synchronous: Option<bool>,
        /// Cycles for which it is asserted.
        cycles: Option<u32>,
        /// Cycles that pass between reset and the first event.
        settle: u64,
    },
}

/// What a port of the table is in the module.
#[derive(Debug, Clone)]
pub enum PortEntry {
    /// Nothing: it is not driven, or not compared.
    Ignore,
    /// An expression; of an input, there may be several.
    Signals(Vec<String>),
    /// An expression, and how its value is compared or made.
    Related(Related),
}

/// An entry of `[ports]` that is a table.
#[derive(Debug, Clone)]
pub struct Related {
    /// The expression.
    pub signal: String,
    /// The number that is theirs, made of ours; none where it is the same.
    pub format: Option<Format>,
    /// How far an output may be away, as text.
    pub tolerance: Option<String>,
}

/// Their number = round(ours x scale + offset).
#[derive(Debug, Clone)]
pub struct Format {
    /// Factor.
    pub scale: Ratio<i128>,
    /// Added after it.
    pub offset: Ratio<i128>,
    /// How it is rounded to a whole number.
    pub round: Rounding,
    /// Whether a value that does not fit is driven as the nearest one that does.
    pub saturate: Option<bool>,
}

const KEYS: &[&str] = &["block", "clock", "reset", "ports", "constants", "handshake", "timing"];

/// Cycles of reset at the most.
const MOST_CYCLES: i64 = 1_000_000;

/// Reads a map. What is wrong is added to the faults; the rest is there.
pub fn parse(text: &str, faults: &mut Faults) -> MapFile {
    let mut map = MapFile::default();
    let (root, errors) = DeTable::parse_recoverable(text);
    for error in &errors {
        let line = error.span().map_or(1, |span| line_of(text, span.start));
        faults.at(line, error.message().to_string());
    }
    if !errors.is_empty() {
        return map;
    }
    let mut reader = Reader { text, faults };
    reader.keys(root.get_ref(), "a map", KEYS);
    for (key, value) in root.get_ref() {
        let line = reader.line(key.span().start);
        match key.get_ref().as_ref() {
            "block" => {
                map.block = reader.text_of("block", value).map(|value| At { line, value });
            }
            "clock" => map.clock = reader.clock(value, line),
            "reset" => map.reset = reader.reset(value, line),
            "ports" => {
                map.ports = reader.entries("ports", value, Reader::port);
            }
            "constants" => {
                map.constants = reader.entries("constants", value, Reader::constant);
            }
            "handshake" => {
                map.handshake = reader.entries("handshake", value, |r, name, v| r.text_of(name, v));
            }
            "timing" => map.timing = reader.entries("timing", value, Reader::figure),
            _ => {}
        }
    }
    // In the order of the file, which a table does not keep.
    map.ports.sort_by_key(|entry| entry.line);
    map.constants.sort_by_key(|entry| entry.line);
    map.handshake.sort_by_key(|entry| entry.line);
    map.timing.sort_by_key(|entry| entry.line);
    map
}

fn line_of(text: &str, at: usize) -> usize {
    1 + text.as_bytes()[..at.min(text.len())].iter().filter(|c| **c == b'\n').count()
}

struct Reader<'a> {
    text: &'a str,
    faults: &'a mut Faults,
}

type Value<'a> = Spanned<DeValue<'a>>;

impl Reader<'_> {
    fn line(&self, at: usize) -> usize {
        line_of(self.text, at)
    }

    fn fault(&mut self, value: &Value<'_>, what: impl Into<String>) {
        let line = self.line(value.span().start);
        self.faults.at(line, what);
    }

    /// The value as it is written.
    fn written(&self, value: &Value<'_>) -> String {
        self.text.get(value.span()).unwrap_or_default().to_string()
    }

    /// Keys that have no place in a table.
    fn keys(&mut self, table: &DeTable<'_>, place: &str, accepted: &[&str]) {
        for key in table.keys() {
            let name: &str = key.get_ref();
            if !accepted.contains(&name) {
                let line = self.line(key.span().start);
                let near = super::perhaps(name, accepted.iter().copied());
                self.faults.at(
                    line,
                    format!(
                        "{place} has no key `{name}`{near}; accepted is {}",
                        accepted.join(", ")
                    ),
                );
            }
        }
    }

    fn text_of(&mut self, name: &str, value: &Value<'_>) -> Option<String> {
        let found = value.get_ref().as_str().map(str::to_string);
        if found.is_none() {
            let written = self.written(value);
            self.fault(value, format!("{name} = {written}: accepted is a text in quotes"));
        }
        found
    }

    /// One of two words.
    fn either(&mut self, name: &str, value: &Value<'_>, no: &str, yes: &str) -> Option<bool> {
        match value.get_ref().as_str() {
            Some(word) if word == no => Some(false),
            Some(word) if word == yes => Some(true),
            _ => {
                let written = self.written(value);
                self.fault(value, format!("{name} = {written}: accepted is \"{no}\" or \"{yes}\""));
                None
            }
        }
    }

    fn truth(&mut self, name: &str, value: &Value<'_>) -> Option<bool> {
        let found = value.get_ref().as_bool();
        if found.is_none() {
            let written = self.written(value);
            self.fault(value, format!("{name} = {written}: accepted is true or false"));
        }
        found
    }

    fn integer(value: &Value<'_>) -> Option<i64> {
        let number = value.get_ref().as_integer()?;
        i64::from_str_radix(&number.as_str().replace('_', ""), number.radix()).ok()
    }

    fn count(&mut self, name: &str, value: &Value<'_>, most: i64) -> Option<u64> {
        match Self::integer(value) {
            Some(number) if (0..=most).contains(&number) => Some(number.unsigned_abs()),
            _ => {
                let written = self.written(value);
                let text =
                    format!("{name} = {written}: accepted is a whole number from 0 to {most}");
                self.fault(value, text);
                None
            }
        }
    }

    /// Entries of a table that names are looked up in later.
    fn entries<T>(
        &mut self,
        place: &str,
        value: &Value<'_>,
        read: impl Fn(&mut Self, &str, &Value<'_>) -> Option<T>,
    ) -> Vec<At<(String, T)>> {
        let Some(table) = value.get_ref().as_table() else {
            let written = self.written(value);
            self.fault(value, format!("{place} = {written}: accepted is a table [{place}]"));
            return vec![];
        };
        let mut all = vec![];
        for (key, value) in table {
            let line = self.line(key.span().start);
            if let Some(entry) = read(self, key.get_ref(), value) {
                all.push(At { line, value: (key.get_ref().to_string(), entry) });
            }
        }
        all
    }

    fn clock(&mut self, value: &Value<'_>, line: usize) -> Option<At<ClockEntry>> {
        if let Some(port) = value.get_ref().as_str() {
            return Some(At { line, value: ClockEntry { port: port.to_string(), falling: None } });
        }
        let Some(table) = value.get_ref().as_table() else {
            let written = self.written(value);
            self.fault(value, format!("clock = {written}: accepted is [clock] with a port"));
            return None;
        };
        self.keys(table, "[clock]", &["port", "edge"]);
        let port = table.get("port").and_then(|v| self.text_of("port", v));
        let falling = table.get("edge").and_then(|v| self.either("edge", v, "rising", "falling"));
        if table.get("port").is_none() {
            self.faults.at(line, "[clock] names no port; accepted is port = \"clk\"");
        }
        Some(At { line, value: ClockEntry { port: port?, falling } })
    }

    fn reset(&mut self, value: &Value<'_>, line: usize) -> ResetEntry {
        if let Some(word) = value.get_ref().as_str() {
            if word == "none" {
                return ResetEntry::None { line, settle: 0 };
            }
            let port = word.to_string();
            return ResetEntry::Port {
                line,
                port,
                active_low: None,
                synchronous: None,
                cycles: None,
                settle: 0,
            };
        }
        let Some(table) = value.get_ref().as_table() else {
            let written = self.written(value);
            let text =
                format!("reset = {written}: accepted is [reset] with a port, or reset = \"none\"");
            self.fault(value, text);
            return ResetEntry::Unsaid;
        };
        self.keys(table, "[reset]", &["port", "active", "synchronous", "cycles", "settle"]);
        let port = table.get("port").and_then(|v| self.text_of("port", v));
        let active_low = table.get("active").and_then(|v| self.either("active", v, "high", "low"));
        let synchronous = table.get("synchronous").and_then(|v| self.truth("synchronous", v));
        let cycles = table.get("cycles").and_then(|v| self.count("cycles", v, MOST_CYCLES));
        let settle = table.get("settle").and_then(|v| self.count("settle", v, MOST_CYCLES));
        let settle = settle.unwrap_or(0);
        match port {
            Some(port) if port == "none" => ResetEntry::None { line, settle },
            Some(port) => ResetEntry::Port {
                line,
                port,
                active_low,
                synchronous,
                cycles: cycles.and_then(|n| u32::try_from(n).ok()),
                settle,
            },
            None => {
                if table.get("port").is_none() {
                    let text = "[reset] names no port; accepted is port = \"rst_n\", or \"none\"";
                    self.faults.at(line, text);
                }
                ResetEntry::Unsaid
            }
        }
    }

    fn port(&mut self, name: &str, value: &Value<'_>) -> Option<PortEntry> {
        if let Some(text) = value.get_ref().as_str() {
            return Some(match text {
                "ignore" => PortEntry::Ignore,
                text => PortEntry::Signals(vec![text.to_string()]),
            });
        }
        if let Some(list) = value.get_ref().as_array() {
            let texts: Vec<_> = list.iter().filter_map(|v| self.text_of(name, v)).collect();
            if texts.is_empty() {
                self.fault(
                    value,
                    format!("{name}: an empty list; accepted is \"ignore\" or signals"),
                );
            }
            return Some(PortEntry::Signals(texts));
        }
        let Some(table) = value.get_ref().as_table() else {
            let written = self.written(value);
            let text = format!(
                "{name} = {written}: accepted is a signal in quotes, \"ignore\", or {{ signal = \
                 \"..\", scale = \"1/256\" }}"
            );
            self.fault(value, text);
            return None;
        };
        let place = format!("the entry of {name}");
        let keys = ["signal", "scale", "offset", "round", "saturate", "tolerance"];
        self.keys(table, &place, &keys);
        let scale = table.get("scale").and_then(|v| self.exact("scale", v));
        let offset = table.get("offset").and_then(|v| self.exact("offset", v));
        let round = table.get("round").and_then(|v| self.round(v));
        let saturate = table.get("saturate").and_then(|v| self.truth("saturate", v));
        let tolerance = table.get("tolerance").and_then(|v| self.text_of("tolerance", v));
        let signal = match table.get("signal") {
            Some(value) => self.text_of("signal", value)?,
            None => name.to_string(),
        };
        let related = ["scale", "offset", "round", "saturate"];
        let format = related.iter().any(|key| table.get(*key).is_some()).then(|| Format {
            scale: scale.unwrap_or_else(|| Ratio::from_integer(1)),
            offset: offset.unwrap_or_else(|| Ratio::from_integer(0)),
            round: round.unwrap_or_default(),
            saturate,
        });
        Some(PortEntry::Related(Related { signal, format, tolerance }))
    }

    /// A number without rounding, in quotes or not.
    fn exact(&mut self, name: &str, value: &Value<'_>) -> Option<Ratio<i128>> {
        let text = match value.get_ref() {
            DeValue::String(text) => text.to_string(),
            DeValue::Integer(number) => number.to_string(),
            DeValue::Float(number) => number.as_str().to_string(),
            _ => String::new(),
        };
        match exact(text.trim()) {
            Ok(number) => Some(number),
            Err(accepted) => {
                let written = self.written(value);
                self.fault(value, format!("{name} = {written}: {accepted}"));
                None
            }
        }
    }

    fn round(&mut self, value: &Value<'_>) -> Option<Rounding> {
        match value.get_ref().as_str().unwrap_or_default().parse() {
            Ok(rounding) => Some(rounding),
            Err(accepted) => {
                let written = self.written(value);
                self.fault(value, format!("round = {written}: {accepted}"));
                None
            }
        }
    }

    fn constant(&mut self, name: &str, value: &Value<'_>) -> Option<String> {
        match value.get_ref() {
            DeValue::String(text) => Some(text.to_string()),
            DeValue::Integer(_) if Self::integer(value).is_some() => {
                Self::integer(value).map(|n| n.to_string())
            }
            DeValue::Boolean(bit) => Some(u8::from(*bit).to_string()),
            _ => {
                let written = self.written(value);
                let text = format!(
                    "{name} = {written}: accepted is a whole number, or one in quotes as \"8'hff\""
                );
                self.fault(value, text);
                None
            }
        }
    }

    fn figure(&mut self, name: &str, value: &Value<'_>) -> Option<Due> {
        if let Some(number) = Self::integer(value).and_then(|n| u64::try_from(n).ok()) {
            return Some(Due::After(number));
        }
        let text = value.get_ref().as_str().unwrap_or_default();
        let bound = text.trim().strip_prefix("<=").map(|number| number.trim().parse());
        if let Some(Ok(number)) = bound {
            return Some(Due::Within(number));
        }
        let written = self.written(value);
        self.fault(
            value,
            format!(
                "{name} = {written}: accepted is a count of cycles, as 9, or a bound, as \"<= 20\""
            ),
        );
        None
    }
}
