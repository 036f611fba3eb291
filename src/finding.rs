//! What a run found: what to play to see it again, how it looks, and how often it came.
//!
//! Two findings that look the same (one [`Signature`]) and in which the core applied the same sentence
//! of the page are taken for one fault of the DUT.

use crate::dut::DutEnd;
use crate::lockstep::Difference;
use crate::vectors::Case;
use congruent_hw::steered::Fault;
use congruent_hw::unit::Unit;
use congruent_ports::{ChannelLayout, Layout, PortRole};
use serde::{Serialize, Serializer};
use std::fmt;
use std::sync::Arc;

/// How a fault of a DUT looks: where it shows, and as what. Not when, and not with which values.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Signature {
    /// Channel, or `-` for a level and for the end of a DUT.
    pub channel: String,
    /// Field, `valid`, `ready`, a level, or `-` for a beat as a whole.
    pub field: String,
    /// As what it shows.
    pub kind: Kind,
}

/// As what a fault shows.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A wrong value.
    Value,
    /// The DUT shows nothing where the model shows a beat: it is missing, or late.
    Missing,
    /// The DUT shows a beat where the model shows none: one too many, or early.
    Extra,
    /// What a steered comparison says of a beat, its numbers left out.
    Said(String),
    /// The DUT ended: how, and the place in its sources that it names.
    Ended(String),
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value => f.write_str("value"),
            Self::Missing => f.write_str("missing"),
            Self::Extra => f.write_str("extra"),
            Self::Said(text) => f.write_str(text),
            Self::Ended(how) => write!(f, "ended: {how}"),
        }
    }
}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.channel.as_str(), self.field.as_str()) {
            ("-", "-") => {}
            ("-", field) => write!(f, "{field}: ")?,
            (channel, "-") => write!(f, "{channel}: ")?,
            (channel, field) => write!(f, "{channel}_{field}: ")?,
        }
        write!(f, "{}", self.kind)
    }
}

impl Signature {
    /// Of a difference between two rows.
    pub fn of_difference(layout: &Layout, found: &Difference) -> Self {
        let mismatch = &found.mismatch;
        let named = |channel: &str, field: &str, kind| Self {
            channel: channel.to_string(),
            field: field.to_string(),
            kind,
        };
        match layout.outputs[mismatch.port].role {
            PortRole::Valid(c) => {
                let kind = if mismatch.expected != 0 { Kind::Missing } else { Kind::Extra };
                named(c.name, "valid", kind)
            }
            PortRole::Ready(c) => named(c.name, "ready", Kind::Value),
            PortRole::Payload(c, f) => named(c.name, f.name, Kind::Value),
            PortRole::Level(f) | PortRole::Cfg(f) => named("-", f.name, Kind::Value),
            PortRole::Control(c) => named("-", c.field.name, Kind::Value),
        }
    }

    /// Of a fault of a steered run.
    pub fn of_fault(layout: &Layout, fault: &Fault) -> Self {
        let channel = layout.channels_out[fault.channel].channel;
        let field = fault.field.map(|field| channel.fields[field].name);
        let value = field.is_some() && fault.expected.is_some() && fault.got.is_some();
        Self {
            channel: channel.name.to_string(),
            field: field.unwrap_or("-").to_string(),
            kind: if value { Kind::Value } else { Kind::Said(without_numbers(&fault.message)) },
        }
    }

    /// Whether it is the end of a DUT.
    pub fn is_end(&self) -> bool {
        matches!(self.kind, Kind::Ended(_))
    }

    /// Of the end of a DUT.
    pub fn of_end(end: &DutEnd) -> Self {
        let verdict = end.end.verdict();
        let how = match place_in_sources(&end.text) {
            Some(place) => format!("{verdict}, {place}"),
            None => verdict.to_string(),
        };
        Self { channel: "-".to_string(), field: "-".to_string(), kind: Kind::Ended(how) }
    }
}

/// A sentence with `#` for each number: cycles and contexts are those of one occasion.
fn without_numbers(text: &str) -> String {
    let mut left = String::with_capacity(text.len());
    let mut word = false;
    for c in text.chars() {
        // A digit within a name stays: it is part of the name.
        match (c.is_ascii_digit(), word) {
            (true, false) if left.ends_with('#') => {}
            (true, false) => left.push('#'),
            _ => left.push(c),
        }
        word = c.is_alphabetic() || c == '_' || word && c.is_ascii_digit();
    }
    left
}

/// The first `file:line` in what a DUT printed, the file without its folders.
fn place_in_sources(text: &str) -> Option<String> {
    text.split_whitespace().find_map(|word| {
        let (file, rest) = word.split_once(':')?;
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        let name = file.rsplit('/').next().unwrap_or(file);
        (name.contains('.') && !digits.is_empty()).then(|| format!("{name}:{digits}"))
    })
}

/// What was played when it was found.
#[derive(Debug, Clone)]
pub enum Origin {
    /// A recorded case.
    Case(Arc<Case>),
    /// A random leg.
    Leg {
        /// Seed.
        seed: u64,
        /// Number of the leg.
        number: u64,
    },
}

/// What was seen.
#[derive(Debug, Clone)]
pub enum Seen {
    /// A difference between model and DUT.
    Difference(Difference),
    /// A fault by the DUT's own events, and the core's state of the context, as the fields of
    /// `peeked`.
    Fault(Box<Fault>, Option<Vec<u64>>),
    /// The DUT ended before it was asked to.
    End(DutEnd),
}

/// One fault of a DUT, by the shortest run that showed it.
#[derive(Debug, Clone)]
pub struct Finding {
    /// What was played.
    pub origin: Origin,
    /// How it looks.
    pub signature: Signature,
    /// The sentence of the page that the core applied, if it was a beat of the core's.
    pub rule: Option<&'static str>,
    /// Cycle of the leg.
    pub cycle: u64,
    /// What was seen.
    pub seen: Seen,
    /// How often it came.
    pub times: u64,
}

impl Finding {
    /// Whether both are taken for one fault.
    pub fn is_like(&self, other: &Self) -> bool {
        self.signature == other.signature && self.rule == other.rule
    }
}

/// Adds a finding: one that looks the same is counted with it, and the shorter of the two is kept,
/// the earlier one where they are equally short.
pub fn add(findings: &mut Vec<Finding>, mut new: Finding) {
    let Some(known) = findings.iter_mut().find(|known| known.is_like(&new)) else {
        findings.push(new);
        return;
    };
    let times = known.times + new.times;
    if new.cycle < known.cycle {
        std::mem::swap(known, &mut new);
    }
    known.times = times;
}

/// The sentence of the page that belongs to a beat that the model shows on the channel of an output
/// word, if it shows one.
pub fn rule_at(unit: &dyn Unit, layout: &Layout, port: usize, row: &[u64]) -> Option<&'static str> {
    let of = |c: &&ChannelLayout| c.valid == port || fields(c).contains(&port);
    let at = layout.channels_out.iter().find(of)?;
    let beat = row.get(fields(at)).filter(|_| row[at.valid] != 0)?;
    unit.rule(at.channel.name, beat)
}

/// The same of a fault in a DUT's row. Where the DUT shows another value than the core, the core's
/// counts.
pub fn rule_of_fault(
    unit: &dyn Unit,
    layout: &Layout,
    fault: &Fault,
    row: &[u64],
) -> Option<&'static str> {
    let at = &layout.channels_out[fault.channel];
    let mut beat = row.get(fields(at)).filter(|_| row[at.valid] != 0)?.to_vec();
    if let (Some(field), Some(expected)) = (fault.field, fault.expected) {
        beat[field] = expected;
    }
    unit.rule(at.channel.name, &beat)
}

fn fields(at: &ChannelLayout) -> std::ops::Range<usize> {
    at.fields..at.fields + at.channel.fields.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::Mismatch;
    use crate::dut::{During, End};
    use congruent_ports::{BLOCKS, ParamSet};

    fn difference(port: usize, expected: u64, got: u64) -> Difference {
        Difference { leg: 0, cycle: 0, mismatch: Mismatch { port, expected, got }, rule: None }
    }

    #[test]
    fn a_signature_tells_a_missing_beat_from_one_too_many_and_from_a_value() {
        let block = BLOCKS[0];
        let layout = Layout::new(block, &ParamSet::defaults(block));
        let upd = layout.output("upd");
        let of = |port, expected, got| {
            Signature::of_difference(&layout, &difference(port, expected, got)).to_string()
        };
        assert_eq!(of(upd.valid, 1, 0), "upd_valid: missing");
        assert_eq!(of(upd.valid, 0, 1), "upd_valid: extra");
        assert_eq!(of(upd.fields, 3, 2), "upd_qp: value");
        assert_eq!(of(layout.levels, 3, 2).split(": ").nth(1), Some("value"));
    }

    #[test]
    fn numbers_of_an_occasion_are_left_out_of_a_sentence_and_names_stay() {
        assert_eq!(
            without_numbers("answer t0_x of cycle 12 came 3 early (30x)"),
            "answer t0_x of cycle # came # early (#x)"
        );
    }

    #[test]
    fn an_end_is_known_by_its_kind_and_its_place_in_the_sources() {
        let text = "[1204] %Error: /home/a b/rtl/fifo.sv:57: Assertion failed in TOP.fifo";
        let end =
            DutEnd { end: End::Stop, text: text.to_string(), during: During::Run, rows: 0, row: 0 };
        assert_eq!(Signature::of_end(&end).to_string(), "ended: stopped, fifo.sv:57");
        let end =
            DutEnd { end: End::Finish, text: String::new(), during: During::Run, rows: 0, row: 0 };
        assert_eq!(Signature::of_end(&end).to_string(), "ended: finished");
    }

    #[test]
    fn what_looks_the_same_is_counted_and_the_shortest_is_kept() {
        let block = BLOCKS[0];
        let layout = Layout::new(block, &ParamSet::defaults(block));
        let finding = |port, number, cycle, rule| {
            let seen = difference(port, 1, 2);
            Finding {
                origin: Origin::Leg { seed: 1, number },
                signature: Signature::of_difference(&layout, &seen),
                rule,
                cycle,
                seen: Seen::Difference(seen),
                times: 1,
            }
        };
        let mut all = vec![];
        for (port, number, cycle, rule) in
            [(3, 0, 70, None), (3, 1, 90, None), (4, 2, 5, None), (3, 3, 50, None)]
        {
            add(&mut all, finding(port, number, cycle, rule));
        }
        add(&mut all, finding(3, 4, 10, Some("another sentence")));
        let found: Vec<_> = all.iter().map(|f| (f.cycle, f.times)).collect();
        assert_eq!(found, [(50, 3), (5, 1), (10, 1)]);
        assert!(matches!(all[0].origin, Origin::Leg { number: 3, .. }));
    }
}
