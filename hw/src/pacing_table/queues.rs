//! The heads of the transmit queues: two places a queue, who is eligible, who waits for how long.

use super::core;
use super::table::{Handle, Table};

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
    /// Cycles so far in which it was the head and not eligible.
    pub wait: u64,
    /// The entry that tracks its destination, as of `version` of the table.
    pub entry: Option<Handle>,
    version: Option<u64>,
}

impl Head {
    fn new(packet: &Packet, from: u64) -> Self {
        let Packet { dlid, bytes, .. } = *packet;
        Self { dlid, bytes, from, wait: 0, entry: None, version: None }
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
    /// Bit q: queue q has a free place.
    ready: u64,
    /// Queue at which the next round-robin search begins.
    first: u32,
    stalled: u64,
}

impl Queues {
    /// `queues` empty ones.
    pub fn new(queues: usize) -> Self {
        let mut all = Self {
            queues: vec![Queue::default(); queues],
            heads: 0,
            ready: 0,
            first: 0,
            stalled: 0,
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
        self.stalled = 0;
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

    /// Sorts the heads of `cycle` into eligible and stalled ones, a bit a queue. `may_go` is asked
    /// of the entries that track their destinations.
    #[inline]
    pub fn sort(
        &mut self,
        cycle: u64,
        table: &Table,
        may_go: impl Fn(Handle) -> bool,
    ) -> (u64, u64) {
        let (mut eligible, mut stalled, mut left) = (0, 0, self.heads);
        while left != 0 {
            let queue = left.trailing_zeros();
            left &= left - 1;
            let Some(head) = &mut self.queues[queue as usize].head else { continue };
            if cycle < head.from {
                continue;
            }
            // The look-up is asked again only when its answer may be another.
            if head.version != Some(table.version()) {
                head.entry = table.lookup(head.dlid);
                head.version = Some(table.version());
            }
            if head.entry.is_none_or(&may_go) {
                eligible |= 1 << queue;
            } else {
                stalled |= 1 << queue;
                head.wait = core::wait_longer(head.wait);
            }
        }
        self.stalled = stalled;
        (eligible, stalled)
    }

    /// The head of a queue is granted in `cycle`: the one behind becomes the head.
    pub fn grant(&mut self, queue: u32, cycle: u64) -> Head {
        let place = &mut self.queues[queue as usize];
        let next = place.behind.take().map(|packet| Head::new(&packet, packet.from.max(cycle + 1)));
        if next.is_none() {
            self.heads &= !(1 << queue);
        }
        self.first = queue + 1;
        let granted = std::mem::replace(&mut place.head, next);
        granted.unwrap_or(Head::new(&Packet { dlid: 0, bytes: 0, from: 0 }, 0))
    }
}
