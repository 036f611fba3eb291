//! Counts of a block's "Must be covered" rows.

use congruent_ports::Block;

/// How often each row happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cover {
    counts: Vec<u64>,
}

impl Cover {
    /// No hits yet.
    pub fn new(block: &Block) -> Self {
        Self { counts: vec![0; block.coverage.len()] }
    }

    /// Counts a hit of row number `row` if `happened`.
    #[inline]
    pub fn hit_if(&mut self, row: usize, happened: bool) {
        // A branch, not a sum: most rows do not happen, and then their count is not touched.
        if happened {
            self.counts[row] += 1;
        }
    }

    /// Hits by row, in table order.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Adds another run's hits of the same block.
    pub fn merge(&mut self, other: &Self) {
        for (sum, count) in self.counts.iter_mut().zip(&other.counts) {
            *sum += count;
        }
    }
}

/// Position of a row by name, at compile time, so that a misspelt row does not compile.
pub const fn row(block: &Block, name: &str) -> usize {
    let mut position = 0;
    while position < block.coverage.len() {
        if same(block.coverage[position].name.as_bytes(), name.as_bytes()) {
            return position;
        }
        position += 1;
    }
    panic!("no such coverage row")
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    let mut at = 0;
    if a.len() != b.len() {
        return false;
    }
    while at < a.len() {
        if a[at] != b[at] {
            return false;
        }
        at += 1;
    }
    true
}
