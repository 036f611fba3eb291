//! A DUT that is a constant number of cycles late, as one with more pipeline registers is.
//!
//! Every output channel is late by the same number. A ready bit, or a level, of such a DUT is either
//! late as well (registers behind everything) or not at all (registers behind the channels: a late
//! ready would refuse beats that nobody offers any more). Each of them is held against both until one
//! is out, and stays with the other from then on.

use crate::compare::{Comparer, Mismatch, Rules};
use congruent_ports::Layout;
use std::collections::VecDeque;

/// The golden model's rows on their way to a late DUT.
#[derive(Debug)]
pub struct Late {
    comparer: Comparer,
    latency: usize,
    width: usize,
    /// Rows of the golden model that the DUT has not answered yet.
    waiting: VecDeque<u64>,
    /// For each ready bit and level: whether it may be on time, and whether it may be late.
    timely: Vec<Timely>,
    /// What the DUT's row is held against.
    row: Vec<u64>,
}

#[derive(Debug, Clone, Copy)]
struct Timely {
    on_time: bool,
    late: bool,
}

impl Late {
    /// A DUT that is so many cycles late, under its rules.
    pub fn new(layout: &Layout, rules: &Rules, latency: usize) -> Self {
        let comparer = Comparer::new(layout, rules);
        Self {
            latency,
            width: layout.outputs.len(),
            waiting: VecDeque::new(),
            timely: vec![Timely { on_time: true, late: true }; comparer.always().len()],
            comparer,
            row: vec![0; layout.outputs.len()],
        }
    }

    /// A leg begins, with rules of its own or those of the leg before.
    pub fn start(&mut self, layout: &Layout, rules: Option<&Rules>) {
        self.waiting.clear();
        if let Some(rules) = rules {
            self.comparer = Comparer::new(layout, rules);
        }
    }

    /// The golden model's row of the first difference, as the DUT's was held against it.
    pub fn expected(&self) -> &[u64] {
        &self.row
    }

    /// The row that the DUT's row of this cycle is held against; none while nothing is due yet. `ours`
    /// is the golden model's row of this cycle.
    pub fn expect(&mut self, ours: &[u64], got: Option<&[u64]>) -> Option<&[u64]> {
        self.waiting.extend(ours);
        if self.waiting.len() <= self.latency * self.width {
            return None;
        }
        self.row.iter_mut().for_each(|word| *word = self.waiting.pop_front().unwrap_or(0));
        if self.latency > 0 {
            for (word, timely) in self.comparer.always().zip(&mut self.timely) {
                let Some(got) = got else { continue };
                let on_time = self.comparer.holds(word, ours[word], got[word]);
                let late = self.comparer.holds(word, self.row[word], got[word]);
                match (timely.on_time && on_time, timely.late && late) {
                    (false, false) => {}
                    (on_time, late) => *timely = Timely { on_time, late },
                }
                if !timely.late {
                    self.row[word] = ours[word];
                }
            }
        }
        Some(&self.row)
    }

    /// The first difference; its row counts from the first of `expected`, and is the DUT's.
    pub fn batch(&mut self, expected: &[u64], got: &[u64]) -> Option<(usize, Mismatch)> {
        if self.latency == 0 {
            let found = self.comparer.batch(expected, got);
            if let Some((at, _)) = found {
                self.row.copy_from_slice(&expected[at * self.width..][..self.width]);
            }
            return found;
        }
        let rows = expected.chunks_exact(self.width).zip(got.chunks_exact(self.width));
        for (n, (ours, got)) in rows.enumerate() {
            let found = match self.expect(ours, Some(got)).is_some() {
                true => self.comparer.row(&self.row, got),
                false => {
                    self.row.fill(0);
                    self.comparer.silent(got)
                }
            };
            if let Some(mismatch) = found {
                return Some((n, mismatch));
            }
        }
        None
    }
}
