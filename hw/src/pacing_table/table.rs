//! Which entry an event of `pacing_table` goes to: look-up by destination, free entries, LRU order.
//!
//! No arithmetic and no time: entries are changed by [`super::core`], in the cycle that the caller
//! says. An entry's `allocation` tells it from later ones in the same place.

use super::core::{self, Cfg, Decay, Entry};
use crate::prim::lru::Lru;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// The entries, found by destination, with their order of use.
#[derive(Debug)]
pub struct Table {
    entries: Vec<Entry>,
    /// Counts up with each entry made in a place.
    allocations: Vec<u64>,
    by_dlid: HashMap<u64, usize, BuildHasherDefault<DlidHasher>>,
    /// Bit i of word w: entry 64 w + i is free.
    free: Vec<u64>,
    lru: Lru,
    /// Counts up with each change of who is tracked.
    version: u64,
}

/// What a BECN did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Becn {
    /// The entry that it hit or made.
    pub index: usize,
    /// Whether it hit.
    pub hit: bool,
    /// ccti after it.
    pub ccti: u64,
    /// The entry as it was before a hit; default where one was made.
    pub before: Entry,
    /// The entry that gave way.
    pub evicted: Option<Entry>,
}

/// An entry in a certain cycle: gone once the entry is released or evicted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Handle {
    /// Place of the entry.
    pub index: usize,
    allocation: u64,
}

impl Table {
    /// `entries` free ones.
    pub fn new(entries: usize) -> Self {
        let mut table = Self {
            entries: vec![Entry::default(); entries],
            allocations: vec![0; entries],
            by_dlid: HashMap::with_capacity_and_hasher(2 * entries, BuildHasherDefault::default()),
            free: vec![0; entries.div_ceil(64)],
            lru: Lru::new(entries),
            version: 0,
        };
        table.reset();
        table
    }

    /// Back to no entries.
    pub fn reset(&mut self) {
        self.entries.fill(Entry::default());
        self.by_dlid.clear();
        for (word, bits) in self.free.iter_mut().enumerate() {
            let left = self.entries.len() - 64 * word;
            *bits = if left >= 64 { u64::MAX } else { (1 << left) - 1 };
        }
        self.lru.reset();
        self.version += 1;
    }

    /// Number of entries, valid or not.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether no entry is valid.
    pub fn is_empty(&self) -> bool {
        self.by_dlid.is_empty()
    }

    /// Whether every entry is valid.
    pub fn is_full(&self) -> bool {
        self.by_dlid.len() == self.entries.len()
    }

    /// Entries, in order of their index.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// An entry.
    #[inline]
    pub fn entry(&self, index: usize) -> &Entry {
        &self.entries[index]
    }

    /// Changes whenever the answer of [`Table::lookup`] may.
    #[inline]
    pub fn version(&self) -> u64 {
        self.version
    }

    /// The entry that tracks a destination.
    #[inline]
    pub fn lookup(&self, dlid: u64) -> Option<Handle> {
        let index = *self.by_dlid.get(&dlid)?;
        Some(Handle { index, allocation: self.allocations[index] })
    }

    /// Whether the entry still lives: neither evicted nor released, nor made anew.
    #[inline]
    pub fn lives(&self, handle: Handle) -> bool {
        self.entries[handle.index].valid && self.allocations[handle.index] == handle.allocation
    }

    /// The sweep's look at the pacing of an entry.
    #[inline]
    pub fn expire(&mut self, cfg: &Cfg, index: usize, now: u64) {
        core::expire(cfg, &mut self.entries[index], now);
    }

    /// The sweep serves an entry whose period is over. The entry as it was, and what happened.
    pub fn decay(&mut self, cfg: &Cfg, index: usize) -> (Entry, Decay) {
        let before = self.entries[index];
        let decay = core::decay(cfg, &mut self.entries[index]);
        if decay.released {
            self.by_dlid.remove(&before.dlid);
            self.free[index / 64] |= 1 << (index % 64);
            self.version += 1;
        }
        (before, decay)
    }

    /// Moves a deadline: `steered` comparison follows a sweep that it cannot see.
    pub fn set_deadline(&mut self, index: usize, deadline: u64) {
        self.entries[index].deadline = deadline;
    }

    /// A BECN in cycle `now`: hit, free entry, or victim; none where it makes no entry.
    pub fn becn(&mut self, cfg: &Cfg, dlid: u64, now: u64) -> Option<Becn> {
        if let Some(index) = self.by_dlid.get(&dlid).copied() {
            let before = self.entries[index];
            core::becn_hit(cfg, &mut self.entries[index], now);
            self.lru.touch(index);
            let ccti = self.entries[index].ccti;
            return Some(Becn { index, hit: true, ccti, before, evicted: None });
        }
        if cfg.first_ccti == 0 {
            return None;
        }
        let free = self.lowest_free();
        let index = free.unwrap_or_else(|| self.lru.victim());
        let evicted = if free.is_none() { Some(self.entries[index]) } else { None };
        if let Some(evicted) = &evicted {
            self.by_dlid.remove(&evicted.dlid);
        }
        self.free[index / 64] &= !(1 << (index % 64));
        self.entries[index] = core::allocate(cfg, dlid, now);
        self.allocations[index] += 1;
        self.by_dlid.insert(dlid, index);
        self.lru.touch(index);
        self.version += 1;
        let ccti = cfg.first_ccti;
        Some(Becn { index, hit: false, ccti, before: Entry::default(), evicted })
    }

    /// The effects of a grant that was decided on `handle` in cycle `now`: none if it is gone.
    pub fn grant(&mut self, cfg: &Cfg, handle: Handle, now: u64, gap: u64) {
        if self.lives(handle) {
            core::grant(cfg, &mut self.entries[handle.index], now, gap);
            self.lru.touch(handle.index);
        }
    }

    /// The valid entries in the order in which misses would evict them.
    pub fn victims(&self) -> impl Iterator<Item = &Entry> {
        self.lru.order().map(|index| &self.entries[index]).filter(|entry| entry.valid)
    }

    fn lowest_free(&self) -> Option<usize> {
        if self.is_full() {
            return None;
        }
        let word = self.free.iter().position(|bits| *bits != 0)?;
        Some(64 * word + self.free[word].trailing_zeros() as usize)
    }
}

/// Spreads destinations by one multiplication: look-ups come every cycle, and nobody attacks.
#[derive(Debug, Default)]
struct DlidHasher(u64);

impl Hasher for DlidHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    #[inline]
    fn write_u64(&mut self, n: u64) {
        let spread = (self.0 ^ n).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = spread ^ (spread >> 32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attributes::AttributeSet;
    use congruent_ports::ParamSet;
    use congruent_ports::pacing_table::BLOCK;

    fn cfg() -> Cfg {
        let params = ParamSet::defaults(&BLOCK);
        super::super::cfg::configure(&AttributeSet::defaults(&BLOCK), &params).expect("legal")
    }

    /// Page, "Numbers to reproduce": ENTRIES 4, BECNs for A B C D, a packet granted to A, BECN for
    /// E: B is evicted. BECN for F: C.
    #[test]
    fn a_packet_saves_its_entry() {
        let (cfg, mut table) = (cfg(), Table::new(4));
        for dlid in 0xa..=0xd {
            let made = table.becn(&cfg, dlid, 0).expect("made");
            assert_eq!((made.hit, made.ccti, made.evicted), (false, 1, None));
        }
        assert!(table.is_full());
        let a = table.lookup(0xa).expect("tracked");
        table.grant(&cfg, a, 5, 1 << 16);
        let evicted = |table: &mut Table, dlid| {
            table.becn(&cfg, dlid, 9).expect("made").evicted.map(|entry| entry.dlid)
        };
        assert_eq!(evicted(&mut table, 0xe), Some(0xb));
        assert_eq!(evicted(&mut table, 0xf), Some(0xc));
        assert!(table.lookup(0xb).is_none() && table.lookup(0xc).is_none());
    }

    #[test]
    fn a_grant_decided_on_an_entry_that_is_gone_leaves_its_successor_alone() {
        let (cfg, mut table) = (cfg(), Table::new(1));
        table.becn(&cfg, 7, 0);
        let old = table.lookup(7).expect("tracked");
        table.becn(&cfg, 8, 1);
        table.becn(&cfg, 7, 2);
        assert_eq!(table.lookup(7).map(|h| h.index), Some(0));
        assert!(!table.lives(old));
        table.grant(&cfg, old, 3, 1 << 16);
        assert!(!table.entry(0).held);
    }

    #[test]
    fn the_free_entry_of_the_lowest_index_is_taken() {
        let (cfg, mut table) = (cfg(), Table::new(128));
        for dlid in 0..128 {
            assert_eq!(table.becn(&cfg, dlid, 0).expect("made").index, dlid as usize);
        }
        for index in [70, 3, 99] {
            assert!(table.decay(&cfg, index).1.released);
        }
        let mut next = |dlid| table.becn(&cfg, dlid, 0).expect("made").index;
        assert_eq!([next(200), next(201), next(202), next(203)], [3, 70, 99, 0]);
    }
}
