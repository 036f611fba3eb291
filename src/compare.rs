//! Which outputs count in a cycle, and where two rows of outputs first differ.
//!
//! `valid` masks its payload, and an error masks all but the context and key that it echoes. Rules of a
//! user's design (words that are not compared, tolerances, relations between formats) come on top:
//! [`Rules`]. Without any, rows are compared a slice at a time.
//!
//! A channel whose `valid` is not compared still has its payload compared, in the cycles in which the
//! golden model shows a beat.

pub use congruent_hw::rules::{Format, Relation, Rounding, Rule, Rules, Tolerance};

use congruent_ports::{ChannelLayout, Layout};
use std::ops::{ControlFlow, Range};

/// A port whose value is not what the golden model says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mismatch {
    /// Word of the port among the outputs.
    pub port: usize,
    /// What the golden model shows.
    pub expected: u64,
    /// What the DUT shows, in its own format.
    pub got: u64,
}

#[derive(Debug)]
struct ChannelRule {
    valid: usize,
    fields: Range<usize>,
    error: Option<usize>,
    /// Fields that count although there is an error.
    echoed: Vec<usize>,
    /// No rule is about it.
    plain: bool,
}

/// Compares rows of outputs.
#[derive(Debug)]
pub struct Comparer {
    channels: Vec<ChannelRule>,
    /// Ready bits and levels.
    always: Range<usize>,
    /// No rule is about those.
    plain: bool,
    rules: Rules,
    width: usize,
}

impl Comparer {
    /// For a layout, under the rules of the DUT.
    pub fn new(layout: &Layout, rules: &Rules) -> Self {
        let plain = |words: Range<usize>| words.clone().all(|word| rules.get(word).is_none());
        let channels: Vec<_> = layout
            .channels_out
            .iter()
            .map(|c| ChannelRule {
                valid: c.valid,
                fields: c.fields..c.fields + c.channel.fields.len(),
                error: c.channel.error().map(|e| c.fields + e),
                echoed: (c.channel.fields.iter().enumerate())
                    .filter(|(_, f)| f.role.outlives_error())
                    .map(|(n, _)| c.fields + n)
                    .collect(),
                plain: plain(c.valid..c.fields + c.channel.fields.len()),
            })
            .collect();
        let payload = channels.iter().map(|c| c.fields.end).max().unwrap_or(0);
        let always = payload..layout.outputs.len();
        Self {
            channels,
            plain: plain(always.clone()),
            always,
            rules: rules.clone(),
            width: layout.outputs.len(),
        }
    }

    /// The ready bits and levels: outputs that are compared in every cycle.
    pub fn always(&self) -> Range<usize> {
        self.always.clone()
    }

    /// Whether the DUT's word of a port is what ours asks for.
    #[inline]
    pub fn holds(&self, port: usize, ours: u64, theirs: u64) -> bool {
        self.rules.holds(port, ours, theirs)
    }

    /// Whether a port is compared.
    pub fn compares(&self, port: usize) -> bool {
        !self.rules.ignores(port)
    }

    /// Our value of a port in the DUT's format.
    pub fn theirs(&self, port: usize, ours: u64) -> u64 {
        self.rules.get(port).map_or(ours, |rule| rule.theirs(ours))
    }

    /// Where two rows first differ: an earlier port in table order comes first.
    #[inline]
    pub fn row(&self, expected: &[u64], got: &[u64]) -> Option<Mismatch> {
        let mut first = None;
        let _ = self.walk(expected, got, &mut |mismatch| {
            first = Some(mismatch);
            ControlFlow::Break(())
        });
        first
    }

    /// Whether what one output channel shows agrees.
    pub fn channel_agrees(&self, at: &ChannelLayout, expected: &[u64], got: &[u64]) -> bool {
        let Some(rule) = self.channels.iter().find(|rule| rule.valid == at.valid) else {
            return true;
        };
        self.channel(rule, expected, got, &mut |_| ControlFlow::Break(())).is_continue()
    }

    /// Every port in which two rows differ, in table order.
    pub fn each(&self, expected: &[u64], got: &[u64], found: &mut dyn FnMut(Mismatch)) {
        let _ = self.walk(expected, got, &mut |mismatch| {
            found(mismatch);
            ControlFlow::Continue(())
        });
    }

    #[inline]
    fn walk(
        &self,
        expected: &[u64],
        got: &[u64],
        found: &mut impl FnMut(Mismatch) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for channel in &self.channels {
            self.channel(channel, expected, got, found)?;
        }
        let always = self.always.clone();
        if self.plain && expected[always.clone()] == got[always.clone()] {
            return ControlFlow::Continue(());
        }
        self.words(always, expected, got, found)
    }

    #[inline]
    fn channel(
        &self,
        rule: &ChannelRule,
        expected: &[u64],
        got: &[u64],
        found: &mut impl FnMut(Mismatch) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let compared = rule.plain || self.compares(rule.valid);
        if compared && expected[rule.valid] != got[rule.valid] {
            // The payload of one side alone has nothing to be compared with.
            return found(at(rule.valid, expected, got));
        }
        if expected[rule.valid] == 0
            || rule.plain && expected[rule.fields.clone()] == got[rule.fields.clone()]
        {
            return ControlFlow::Continue(());
        }
        let refused = rule.error.is_some_and(|e| expected[e] != 0);
        if refused {
            self.words(rule.echoed.iter().copied(), expected, got, found)
        } else {
            self.words(rule.fields.clone(), expected, got, found)
        }
    }

    #[inline]
    fn words(
        &self,
        words: impl IntoIterator<Item = usize>,
        expected: &[u64],
        got: &[u64],
        found: &mut impl FnMut(Mismatch) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for port in words {
            if !self.holds(port, expected[port], got[port]) {
                found(at(port, expected, got))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Where two batches of rows first differ: row and port.
    pub fn batch(&self, expected: &[u64], got: &[u64]) -> Option<(usize, Mismatch)> {
        let rows = expected.chunks_exact(self.width).zip(got.chunks_exact(self.width));
        rows.enumerate().find_map(|(n, (expected, got))| Some((n, self.row(expected, got)?)))
    }

    /// Whether every output channel is silent in a row.
    pub fn silent(&self, row: &[u64]) -> Option<Mismatch> {
        let speaks = |rule: &&ChannelRule| row[rule.valid] != 0 && self.compares(rule.valid);
        let port = self.channels.iter().find(speaks)?.valid;
        Some(Mismatch { port, expected: 0, got: row[port] })
    }
}

fn at(port: usize, expected: &[u64], got: &[u64]) -> Mismatch {
    Mismatch { port, expected: expected[port], got: got[port] }
}
#[cfg(test)]
mod tests {
    use super::*;
    use congruent_ports::{BLOCKS, ParamSet};

    #[test]
    fn valid_masks_payload_and_an_error_all_but_the_echo() {
        let block = BLOCKS[0];
        let layout = Layout::new(block, &ParamSet::defaults(block));
        let comparer = Comparer::new(&layout, &Rules::none());
        let rsp = layout.output("rsp");
        let (qp, grant, error) = (rsp.fields, rsp.fields + 1, rsp.fields + 3);
        let mut expected = vec![0; layout.outputs.len()];
        let mut got = expected.clone();
        got[grant] = 1;
        assert_eq!(comparer.row(&expected, &got), None, "not valid");
        (expected[rsp.valid], got[rsp.valid]) = (1, 1);
        let found = comparer.row(&expected, &got);
        assert_eq!(found, Some(Mismatch { port: grant, expected: 0, got: 1 }));
        (expected[error], got[error]) = (1, 1);
        assert_eq!(comparer.row(&expected, &got), None, "masked by the error");
        got[qp] = 3;
        assert_eq!(comparer.row(&expected, &got).map(|m| m.port), Some(qp));
        got[qp] = 0;
        *got.last_mut().expect("levels") = 9;
        assert_eq!(comparer.row(&expected, &got).map(|m| m.port), Some(got.len() - 1));
    }
}
