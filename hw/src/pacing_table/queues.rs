//! The heads of the transmit queues: two places a queue, who is eligible, who waits for how long.

use super::core;
use super::table::{Handle, Table};

/// Most queues that a block has.
const QUEUES_MOST: usize = 16;

/// A packet that is taken and not granted.
#[derive(Debug, Clone, Copy)]
struct Packet {
    dlid: u64,
    bytes: u64,
    /// First cycle in which it may be its queue's head.
    from: u64,
}

/// The packet at the head of a queue.
#[derive(Debug, Clone, Copy)]
pub struct Head {
    /// Its destination.
    pub dlid: u64,
    /// Its size.
    pub bytes: u64,
    /// First cycle in which it is the head.
    pub from: u64,
    /// Cycles in which it was the head and not eligible, up to `stalled_since`.
    pub wait: u64,
    /// While it is stalled: the cycle in which that began.
    stalled_since: u64,
    /// The entry that tracks its destination.
    pub entry: Option<Handle>,
}

impl Head {
    fn new(packet: &Packet, from: u64) -> Self {
        let Packet { dlid, bytes, .. } = *packet;
        Self { dlid, bytes, from, wait: 0, stalled_since: 0, entry: None }
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Queue {
    head: Option<Head>,
    behind: Option<Packet>,
    /// Places taken, that of a granted packet included until it is released.
    taken: u32,
}

/// All queues.
#[derive(Debug)]
pub struct Queues {
    queues: Vec<Queue>,
    /// Bit q: queue q has a packet that is or will be its head.
    heads: u64,
    /// Destinations of the heads, by queue.
    dlids: [u32; QUEUES_MOST],
    /// First cycle in which each stalled head is eligible, if nothing happens before.
    eligible_from: [u64; QUEUES_MOST],
    /// Bit q: nobody has looked yet whether the head of queue q is tracked and paced.
    unknown: u64,
    /// Bit q: queue q has a free place.
    ready: u64,
    /// Queue at which the next round-robin search begins.
    first: u32,
    /// Bit q: the head of queue q was eligible, or stalled, in the last cycle.
    eligible: u64,
    stalled: u64,
    /// No stalled head is eligible before this cycle, if nothing happens.
    next_eligible: u64,
}

impl Queues {
    /// `queues` empty ones.
    pub fn new(queues: usize) -> Self {
        let mut all = Self {
            queues: vec![Queue::default(); queues],
            heads: 0,
            dlids: [0; QUEUES_MOST],
            eligible_from: [0; QUEUES_MOST],
            unknown: 0,
            ready: 0,
            first: 0,
            eligible: 0,
            stalled: 0,
            next_eligible: 0,
        };
        all.reset();
        all
    }

    /// Back to empty ones.
    pub fn reset(&mut self) {
        self.queues.fill(Queue::default());
        self.heads = 0;
        self.ready = (1 << self.queues.len()) - 1;
        self.first = 0;
        self.unknown = 0;
        self.eligible = 0;
        self.stalled = 0;
        self.next_eligible = u64::MAX;
    }

    /// Number of queues.
    pub fn len(&self) -> usize {
        self.queues.len()
    }

    /// Whether no packet waits.
    pub fn is_empty(&self) -> bool {
        self.heads == 0
    }

    /// Bit q: queue q has a packet that is or will be its head.
    #[inline]
    pub fn heads(&self) -> u64 {
        self.heads
    }

    /// The head of a queue, or what will be.
    pub fn head(&self, queue: u32) -> Option<&Head> {
        self.queues[queue as usize].head.as_ref()
    }

    /// The packets for a destination that are or will be heads, a bit a queue.
    #[inline]
    pub fn heads_for(&self, dlid: u64) -> u64 {
        let (mut bits, mut left) = (0, self.heads);
        while left != 0 {
            let queue = left.trailing_zeros();
            bits |= u64::from(self.dlids[queue as usize % QUEUES_MOST] == dlid as u32) << queue;
            left &= left - 1;
        }
        bits
    }

    /// The queues whose head is one in `cycle`, a bit a queue.
    pub fn present(&self, cycle: u64) -> u64 {
        let is_head = |queue: &Queue| queue.head.is_some_and(|head| head.from <= cycle);
        let bits = self.queues.iter().enumerate().map(|(n, queue)| u64::from(is_head(queue)) << n);
        bits.fold(0, |all, bit| all | bit)
    }

    /// Queue at which the round-robin search begins.
    #[inline]
    pub fn first(&self) -> u32 {
        self.first
    }

    /// `head_ready`.
    #[inline]
    pub fn ready_bits(&self) -> u64 {
        self.ready
    }

    /// Whether a queue has a free place.
    #[inline]
    pub fn ready(&self, queue: u32) -> bool {
        (self.ready >> queue) & 1 != 0
    }

    /// Whether two packets wait in a queue, those granted left out.
    pub fn is_full(&self, queue: u32) -> bool {
        self.queues[queue as usize].behind.is_some()
    }

    /// Whether every packet that is or will be a head was not eligible in the last cycle.
    pub fn all_stalled(&self) -> bool {
        self.heads == self.stalled
    }

    /// A packet takes a place; it may be its queue's head from cycle `from` on.
    pub fn push(&mut self, queue: u32, dlid: u64, bytes: u64, from: u64) {
        let packet = Packet { dlid, bytes, from };
        let place = &mut self.queues[queue as usize];
        if place.head.is_none() {
            place.head = Some(Head::new(&packet, from));
            self.heads |= 1 << queue;
            self.dlids[queue as usize] = dlid as u32;
            self.unknown |= 1 << queue;
        } else {
            place.behind = Some(packet);
        }
        place.taken += 1;
        if place.taken == 2 {
            self.ready &= !(1 << queue);
        }
    }

    /// A place is free again.
    pub fn release_place(&mut self, queue: u32) {
        self.queues[queue as usize].taken -= 1;
        self.ready |= 1 << queue;
    }

    /// Sorts the heads of `cycle` into eligible and stalled ones, a bit a queue. `stalls_for` says
    /// for how many cycles an entry that tracks a head's destination stalls it.
    ///
    /// A head is looked at again only when something happened to its destination, or its time has
    /// come: the answer cannot be another before.
    #[inline]
    pub fn sort(
        &mut self,
        cycle: u64,
        table: &mut Table,
        stalls_for: impl Fn(&Table, Handle) -> u64,
    ) -> (u64, u64) {
        match table.take_changes().dlids() {
            None => self.unknown = self.heads,
            Some(changed) => {
                for dlid in changed {
                    self.unknown |= self.heads_for(*dlid);
                }
            }
        }
        if cycle >= self.next_eligible {
            self.wake(cycle);
        }
        if self.unknown != 0 {
            self.look(cycle, table, &stalls_for);
        }
        debug_assert!(self.is_sorted(cycle, table, &stalls_for), "cycle {cycle}: {self:?}");
        (self.eligible, self.stalled)
    }

    /// Stalled heads whose time has come are eligible.
    fn wake(&mut self, cycle: u64) {
        self.next_eligible = u64::MAX;
        let mut left = self.stalled;
        while left != 0 {
            let queue = left.trailing_zeros();
            left &= left - 1;
            let from = self.eligible_from[queue as usize];
            if from <= cycle {
                self.set(queue, cycle, false);
            } else {
                self.next_eligible = self.next_eligible.min(from);
            }
        }
    }

    /// Looks up the heads of which nobody knows whether they are tracked and paced.
    fn look(&mut self, cycle: u64, table: &Table, stalls_for: &impl Fn(&Table, Handle) -> u64) {
        let mut left = self.unknown & self.heads;
        while left != 0 {
            let queue = left.trailing_zeros();
            left &= left - 1;
            let Some(head) = &mut self.queues[queue as usize].head else { continue };
            if cycle < head.from {
                continue;
            }
            head.entry = table.lookup(head.dlid);
            let stalls = head.entry.map_or(0, |entry| stalls_for(table, entry));
            self.unknown &= !(1 << queue);
            self.eligible_from[queue as usize] = cycle + stalls;
            if stalls > 0 {
                self.next_eligible = self.next_eligible.min(cycle + stalls);
            }
            self.set(queue, cycle, stalls > 0);
        }
    }

    /// The head of a queue is stalled from this cycle on, or eligible.
    fn set(&mut self, queue: u32, cycle: u64, stalled: bool) {
        let bit = 1 << queue;
        let was_stalled = self.stalled & bit != 0;
        if stalled == was_stalled && (stalled || self.eligible & bit != 0) {
            return;
        }
        let Some(head) = &mut self.queues[queue as usize].head else { return };
        if stalled {
            head.stalled_since = cycle;
            self.stalled |= bit;
            self.eligible &= !bit;
        } else {
            if was_stalled {
                head.wait = core::wait_longer(head.wait, cycle - head.stalled_since);
            }
            self.stalled &= !bit;
            self.eligible |= bit;
        }
    }

    /// Whether every head is sorted as it would be if all were looked at.
    fn is_sorted(
        &self,
        cycle: u64,
        table: &Table,
        stalls_for: &impl Fn(&Table, Handle) -> u64,
    ) -> bool {
        self.queues.iter().enumerate().all(|(n, queue)| {
            let got = ((self.eligible >> n) & 1 != 0, (self.stalled >> n) & 1 != 0);
            let Some(head) = queue.head.filter(|head| cycle >= head.from) else {
                return got == (false, false);
            };
            let entry = table.lookup(head.dlid);
            let stalled = entry.is_some_and(|entry| stalls_for(table, entry) > 0);
            head.entry == entry && got == (!stalled, stalled)
        })
    }

    /// The head of a queue is granted in `cycle`: the one behind becomes the head.
    pub fn grant(&mut self, queue: u32, cycle: u64) -> Head {
        let place = &mut self.queues[queue as usize];
        let next = place.behind.take().map(|packet| Head::new(&packet, packet.from.max(cycle + 1)));
        match &next {
            Some(head) => {
                self.dlids[queue as usize] = head.dlid as u32;
                self.unknown |= 1 << queue;
            }
            None => self.heads &= !(1 << queue),
        }
        self.eligible &= !(1 << queue);
        self.first = queue + 1;
        let granted = std::mem::replace(&mut place.head, next);
        granted.unwrap_or(Head::new(&Packet { dlid: 0, bytes: 0, from: 0 }, 0))
    }
}
