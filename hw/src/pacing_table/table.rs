//! Which entry an event of `pacing_table` goes to: look-up by destination, free entries, LRU order.
//!
//! No arithmetic and no time: entries are changed by [`super::core`], in the cycle that the caller
//! says. An entry's `allocation` tells it from later ones in the same place.

use super::core::{self, Cfg, Decay, Entry};
use crate::prim::lru::Lru;

/// The entries, found by destination, with their order of use.
#[derive(Debug)]
pub struct Table {
    entries: Vec<Entry>,
    /// Counts up with each entry made in a place.
    allocations: Vec<u64>,
    by_dlid: Directory,
    /// Valid entries.
    valid: usize,
    /// Bit i of word w: entry 64 w + i is free.
    free: Vec<u64>,
    lru: Lru,
    changes: Changes,
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
    /// ccti before a hit; 0 where an entry was made.
    pub before: u64,
    /// Whether the hit entry's period was over, its decay still to come.
    pub over: bool,
    /// The entry that gave way.
    pub evicted: Option<Evicted>,
}

/// An entry that gave way to a new one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Evicted {
    /// Its destination.
    pub dlid: u64,
    /// Its ccti.
    pub ccti: u64,
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
            by_dlid: Directory::new(entries),
            valid: 0,
            free: vec![0; entries.div_ceil(64)],
            lru: Lru::new(entries),
            changes: Changes::default(),
        };
        table.reset();
        table
    }

    /// Back to no entries.
    pub fn reset(&mut self) {
        self.entries.fill(Entry::default());
        self.by_dlid.clear();
        self.valid = 0;
        for (word, bits) in self.free.iter_mut().enumerate() {
            let left = self.entries.len() - 64 * word;
            *bits = if left >= 64 { u64::MAX } else { (1 << left) - 1 };
        }
        self.lru.reset();
        self.changes.all = true;
    }

    /// Number of entries, valid or not.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether no entry is valid.
    pub fn is_empty(&self) -> bool {
        self.valid == 0
    }

    /// Whether every entry is valid.
    pub fn is_full(&self) -> bool {
        self.valid == self.entries.len()
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

    /// The destinations that were made, lost or granted since this was last asked.
    #[inline]
    pub fn take_changes(&mut self) -> Changes {
        std::mem::take(&mut self.changes)
    }

    /// The entry that tracks a destination.
    #[inline]
    pub fn lookup(&self, dlid: u64) -> Option<Handle> {
        let index = self.by_dlid.find(&self.entries, dlid)?;
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
            self.by_dlid.remove(index, before.dlid);
            self.valid -= 1;
            self.free[index / 64] |= 1 << (index % 64);
            self.changes.push(before.dlid);
        }
        (before, decay)
    }

    /// Moves a deadline: `steered` comparison follows a sweep that it cannot see.
    pub fn set_deadline(&mut self, index: usize, deadline: u64) {
        self.entries[index].deadline = deadline;
    }

    /// A BECN in cycle `now`: hit, free entry, or victim; none where it makes no entry.
    pub fn becn(&mut self, cfg: &Cfg, dlid: u64, now: u64) -> Option<Becn> {
        if let Some(index) = self.by_dlid.find(&self.entries, dlid) {
            let entry = &mut self.entries[index];
            let (before, over) = (entry.ccti, core::due(cfg, entry, now));
            core::becn_hit(cfg, entry, now);
            self.lru.touch(index);
            return Some(Becn { index, hit: true, ccti: entry.ccti, before, over, evicted: None });
        }
        if cfg.first_ccti == 0 {
            return None;
        }
        let free = self.lowest_free();
        let index = free.unwrap_or_else(|| self.lru.victim());
        let entry = &self.entries[index];
        let evicted = entry.valid.then_some(Evicted { dlid: entry.dlid, ccti: entry.ccti });
        match &evicted {
            Some(evicted) => {
                self.by_dlid.remove(index, evicted.dlid);
                self.changes.push(evicted.dlid);
            }
            None => self.valid += 1,
        }
        self.free[index / 64] &= !(1 << (index % 64));
        self.entries[index] = core::allocate(cfg, dlid, now);
        self.allocations[index] += 1;
        self.by_dlid.insert(index, dlid);
        self.lru.touch(index);
        self.changes.push(dlid);
        let ccti = cfg.first_ccti;
        Some(Becn { index, hit: false, ccti, before: 0, over: false, evicted })
    }

    /// The effects of a grant that was decided on `handle` in cycle `now`: none if it is gone.
    pub fn grant(&mut self, cfg: &Cfg, handle: Handle, now: u64, gap: u64) {
        if self.lives(handle) {
            core::grant(cfg, &mut self.entries[handle.index], now, gap);
            self.lru.touch(handle.index);
            self.changes.push(self.entries[handle.index].dlid);
        }
    }

    /// The entry that a miss would evict now, if every entry is valid.
    #[inline]
    pub fn next_victim(&self) -> usize {
        self.lru.victim()
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

/// Destinations whose answer by [`Table::lookup`], or whose pacing, may be another than before.
#[derive(Debug, Clone, Copy, Default)]
pub struct Changes {
    dlids: [u64; 4],
    len: usize,
    /// More than the list holds.
    all: bool,
}

impl Changes {
    #[inline]
    fn push(&mut self, dlid: u64) {
        match self.dlids.get_mut(self.len) {
            Some(slot) => {
                *slot = dlid;
                self.len += 1;
            }
            None => self.all = true,
        }
    }

    /// The destinations; none: any may have changed.
    #[inline]
    pub fn dlids(&self) -> Option<&[u64]> {
        (!self.all).then_some(&self.dlids[..self.len])
    }
}

/// Entries by destination: chains of a hash, linked through the entries' places.
#[derive(Debug)]
struct Directory {
    /// By hash: the first entry of the chain.
    first: Vec<u16>,
    /// By entry: the next one of its chain.
    next: Vec<u16>,
    shift: u32,
}

/// End of a chain.
const NONE: u16 = u16::MAX;

impl Directory {
    fn new(entries: usize) -> Self {
        let buckets = (2 * entries).next_power_of_two();
        Self { first: vec![NONE; buckets], next: vec![NONE; entries], shift: 64 - buckets.ilog2() }
    }

    fn clear(&mut self) {
        self.first.fill(NONE);
    }

    /// Spreads destinations by one multiplication: look-ups come every cycle, and nobody attacks.
    #[inline]
    fn bucket(&self, dlid: u64) -> usize {
        (dlid.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize
    }

    #[inline]
    fn find(&self, entries: &[Entry], dlid: u64) -> Option<usize> {
        let mut at = self.first[self.bucket(dlid)];
        while at != NONE {
            if entries[usize::from(at)].dlid == dlid {
                return Some(usize::from(at));
            }
            at = self.next[usize::from(at)];
        }
        None
    }

    fn insert(&mut self, index: usize, dlid: u64) {
        let bucket = self.bucket(dlid);
        self.next[index] = self.first[bucket];
        self.first[bucket] = index as u16;
    }

    fn remove(&mut self, index: usize, dlid: u64) {
        let bucket = self.bucket(dlid);
        let after = self.next[index];
        if usize::from(self.first[bucket]) == index {
            self.first[bucket] = after;
            return;
        }
        let mut at = self.first[bucket];
        while at != NONE {
            let next = self.next[usize::from(at)];
            if usize::from(next) == index {
                self.next[usize::from(at)] = after;
            }
            at = next;
        }
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
