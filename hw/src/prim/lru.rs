//! Least recently used order of n entries: the model of `rtl/prim/lru_matrix.sv` and
//! `rtl/prim/lru_list.sv`, which keep the same order in an age matrix and in a linked list.
//!
//! A doubly linked list in two arrays with a sentinel: every call is a few moves, whatever n is.

/// The order of use of n entries. After reset entry 0 is the least recently used, n − 1 the most.
#[derive(Debug, Clone)]
pub struct Lru {
    /// By entry: the one used before it, and the one used after it. Entry n is the sentinel: after
    /// it comes the least recently used, before it the most.
    before: Vec<u32>,
    after: Vec<u32>,
    sentinel: usize,
}

impl Lru {
    /// n entries in the reset order.
    ///
    /// # Panics
    /// Where n is 0 or above 2^31: a mistake in a table, not in a user's input.
    pub fn new(n: usize) -> Self {
        assert!((1..=1 << 31).contains(&n), "an LRU order of {n} entries");
        let mut lru = Self { before: vec![0; n + 1], after: vec![0; n + 1], sentinel: n };
        lru.reset();
        lru
    }

    /// Back to the reset order: entry 0 least recently used, then 1, 2, …
    pub fn reset(&mut self) {
        let n = self.sentinel;
        for i in 0..=n {
            self.after[i] = if i == n { 0 } else { i as u32 + 1 };
            self.before[i] = if i == 0 { n as u32 } else { i as u32 - 1 };
        }
    }

    /// Entry `i` becomes the most recently used. `i` is below n.
    #[inline]
    pub fn touch(&mut self, i: usize) {
        debug_assert!(i < self.sentinel, "entry {i} of {}", self.sentinel);
        let newest = self.before[self.sentinel];
        if newest as usize == i {
            return;
        }
        // Taken out of its place, then linked in between the newest and the sentinel.
        let (before, after) = (self.before[i], self.after[i]);
        self.after[before as usize] = after;
        self.before[after as usize] = before;
        self.after[newest as usize] = i as u32;
        self.before[i] = newest;
        self.after[i] = self.sentinel as u32;
        self.before[self.sentinel] = i as u32;
    }

    /// The least recently used entry.
    #[inline]
    pub fn victim(&self) -> usize {
        self.after[self.sentinel] as usize
    }

    /// The entries from the least to the most recently used.
    pub fn order(&self) -> impl Iterator<Item = usize> + '_ {
        let next = |&i: &usize| Some(self.after[i] as usize).filter(|&i| i != self.sentinel);
        std::iter::successors(Some(self.victim()), next)
    }
}

#[cfg(test)]
mod tests {
    use super::Lru;
    use crate::random::Draw;

    #[test]
    fn the_reset_order_is_the_order_of_the_indices() {
        for n in [1, 2, 7, 64, 1024] {
            assert!(Lru::new(n).order().eq(0..n), "n = {n}");
        }
    }

    /// The page's example: A B C D made, A used again, then B and C are the victims.
    #[test]
    fn use_decides_the_victim() {
        let mut lru = Lru::new(4);
        for entry in [0, 1, 2, 3, 0] {
            lru.touch(entry);
        }
        assert_eq!(lru.victim(), 1);
        lru.touch(1);
        assert_eq!(lru.victim(), 2);
    }

    /// Against a plain ordered list, 10^6 operations in all: every victim, and now and then the
    /// whole order.
    #[test]
    fn a_plain_ordered_list_says_the_same() {
        const OPERATIONS: usize = 250_000;
        let mut draw = Draw::new(2, "lru");
        for n in [1usize, 4, 64, 1024] {
            let mut lru = Lru::new(n);
            let mut list: Vec<usize> = (0..n).collect();
            for operation in 0..OPERATIONS {
                // Half of the touches go to the victim or a few hot entries, so that both ends of
                // the list are busy.
                let i = match draw.below(4) {
                    0 => lru.victim(),
                    1 => draw.below(n.min(3) as u64) as usize,
                    _ => draw.below(n as u64) as usize,
                };
                lru.touch(i);
                let place = list.iter().position(|&e| e == i).expect("every entry is in the list");
                list.remove(place);
                list.push(i);
                assert_eq!(lru.victim(), list[0], "n = {n}, operation {operation}");
                if operation % 997 == 0 {
                    assert!(lru.order().eq(list.iter().copied()), "n = {n}, {operation}");
                }
            }
            lru.reset();
            assert!(lru.order().eq(0..n), "n = {n}");
        }
    }
}
