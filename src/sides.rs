//! A port on both sides of a divergence, in words: what ours says, what that is in the DUT's own
//! format, what the DUT shows.

use crate::compare::{Rule, Tolerance};
use crate::divergence::Side;
use crate::tolerance;
use crate::units::Units;
use congruent_ports::{ParamSet, Quantity};

/// Both sides of a port.
#[derive(Debug)]
pub struct Sides {
    /// What the golden model, or the core, says.
    pub expected: Side,
    /// The same in the DUT's format, where that is another one.
    pub theirs: Option<Side>,
    /// What the DUT shows.
    pub got: Side,
    /// How far off the DUT may be, and is.
    pub tolerance: Option<String>,
    /// Bits of the DUT's word that differ, lowest first.
    pub bits: Vec<u32>,
}

impl Sides {
    /// Of a port under its rule, tolerances in LSB; `asked` is the tolerance as it was asked for.
    pub fn new(
        rule: &Rule,
        asked: Option<Tolerance>,
        (quantity, units, params): (Quantity, &Units<'_>, &ParamSet),
        expected: Option<u64>,
        got: Option<u64>,
    ) -> Self {
        let none = || Side { hex: "-".to_string(), value: String::new() };
        let side =
            |raw: u64| Side { hex: format!("{raw:#x}"), value: units.describe(quantity, raw) };
        let theirs = rule.relation.as_ref().zip(expected).map(|(relation, ours)| Side {
            hex: format!("{:#x}", relation.theirs(ours)),
            value: relation.to_string(),
        });
        let shown = |raw: u64| match &rule.relation {
            None => side(raw),
            Some(relation) => Side {
                hex: format!("{raw:#x}"),
                value: units.describe_number(quantity, relation.ours(raw)),
            },
        };
        let both = expected.map(|ours| rule.theirs(ours)).zip(got);
        let tolerance = asked.map(|asked| {
            let most = tolerance::describe(asked, quantity, params);
            let lsb = match (asked, rule.tolerance) {
                (Tolerance::Natural(_), Some(Tolerance::Lsb(lsb))) => format!(" ({lsb} lsb)"),
                _ => String::new(),
            };
            match both {
                Some((theirs, got)) => {
                    format!("{most}{lsb}, it is off by {} lsb", rule.distance(theirs, got))
                }
                None => format!("{most}{lsb}"),
            }
        });
        let differing = both.map_or(0, |(theirs, got)| theirs ^ got);
        Self {
            expected: expected.map_or_else(none, side),
            theirs,
            got: got.map_or_else(none, shown),
            tolerance,
            bits: (0..64).filter(|bit| differing >> bit & 1 == 1).collect(),
        }
    }
}
