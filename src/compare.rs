//! Which outputs count in a cycle, and where two rows of outputs first differ.
//!
//! `valid` masks its payload, and an error masks all but the context and key that it echoes.

use congruent_ports::Layout;
use std::ops::Range;

/// A port whose value is not what the golden model says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mismatch {
    /// Word of the port among the outputs.
    pub port: usize,
    /// What the golden model shows.
    pub expected: u64,
    /// What the DUT shows.
    pub got: u64,
}

#[derive(Debug)]
struct ChannelRule {
    valid: usize,
    fields: Range<usize>,
    error: Option<usize>,
    /// Fields that count although there is an error.
    echoed: Vec<usize>,
}

/// Compares rows of outputs.
#[derive(Debug)]
pub struct Comparer {
    channels: Vec<ChannelRule>,
    always: Range<usize>,
    width: usize,
}

impl Comparer {
    /// The rules of a layout.
    pub fn new(layout: &Layout) -> Self {
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
            })
            .collect();
        let payload = channels.iter().map(|c| c.fields.end).max().unwrap_or(0);
        Self { channels, always: payload..layout.outputs.len(), width: layout.outputs.len() }
    }

    /// Where two rows first differ: an earlier port in table order comes first.
    #[inline]
    pub fn row(&self, expected: &[u64], got: &[u64]) -> Option<Mismatch> {
        let differs = |port: usize| expected[port] != got[port];
        let at = |port| Mismatch { port, expected: expected[port], got: got[port] };
        for rule in &self.channels {
            if differs(rule.valid) {
                return Some(at(rule.valid));
            }
            if expected[rule.valid] == 0
                || expected[rule.fields.clone()] == got[rule.fields.clone()]
            {
                continue;
            }
            let refused = rule.error.is_some_and(|e| expected[e] != 0);
            let first = if refused {
                rule.echoed.iter().copied().find(|port| differs(*port))
            } else {
                rule.fields.clone().find(|port| differs(*port))
            };
            if let Some(port) = first {
                return Some(at(port));
            }
        }
        self.always.clone().find(|port| differs(*port)).map(at)
    }

    /// Every port at which two rows differ, under the same masks.
    pub fn each(&self, expected: &[u64], got: &[u64], found: &mut dyn FnMut(Mismatch)) {
        let mut at = |port: usize| {
            if expected[port] != got[port] {
                found(Mismatch { port, expected: expected[port], got: got[port] });
            }
        };
        for rule in &self.channels {
            at(rule.valid);
            if expected[rule.valid] == 0 || got[rule.valid] == 0 {
                continue;
            }
            if rule.error.is_some_and(|e| expected[e] != 0) {
                rule.echoed.iter().copied().for_each(&mut at);
            } else {
                rule.fields.clone().for_each(&mut at);
            }
        }
        self.always.clone().for_each(at);
    }

    /// Where two batches of rows first differ: row and port.
    pub fn batch(&self, expected: &[u64], got: &[u64]) -> Option<(usize, Mismatch)> {
        let rows = expected.chunks_exact(self.width).zip(got.chunks_exact(self.width));
        rows.enumerate().find_map(|(n, (expected, got))| Some((n, self.row(expected, got)?)))
    }

    /// Whether every output channel is silent in a row.
    pub fn silent(&self, row: &[u64]) -> Option<Mismatch> {
        self.channels.iter().find(|rule| row[rule.valid] != 0).map(|rule| Mismatch {
            port: rule.valid,
            expected: 0,
            got: row[rule.valid],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use congruent_ports::{BLOCKS, ParamSet};

    #[test]
    fn valid_masks_payload_and_an_error_all_but_the_echo() {
        let block = BLOCKS[0];
        let layout = Layout::new(block, &ParamSet::defaults(block));
        let comparer = Comparer::new(&layout);
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
