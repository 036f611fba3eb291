//! A fixed delay of a timing shell: what is put in comes out a stated number of cycles later.

/// Longest delay, cycles.
const DEPTH: usize = 128;

/// A delay line that takes at most one item a cycle.
#[derive(Debug, Clone)]
pub struct Delay<T> {
    latency: u64,
    slots: Box<[Option<T>; DEPTH]>,
    held: usize,
}

impl<T: Copy> Delay<T> {
    /// A line of `latency` cycles, 1 to 127.
    ///
    /// # Panics
    /// Outside that range: a mistake in a table, not in a user's input.
    pub fn new(latency: u64) -> Self {
        assert!((1..DEPTH as u64).contains(&latency), "latency {latency}");
        Self { latency, slots: Box::new([None; DEPTH]), held: 0 }
    }

    /// Puts an item in, in cycle `cycle`.
    #[inline]
    pub fn put(&mut self, cycle: u64, item: T) {
        let slot = &mut self.slots[(cycle + self.latency) as usize % DEPTH];
        debug_assert!(slot.is_none(), "two items for one cycle");
        *slot = Some(item);
        self.held += 1;
    }

    /// Takes out what is due in cycle `cycle`. To be called once a cycle, before `put`.
    #[inline]
    pub fn take(&mut self, cycle: u64) -> Option<T> {
        if self.held == 0 {
            return None;
        }
        let item = self.slots[cycle as usize % DEPTH].take();
        self.held -= usize::from(item.is_some());
        item
    }

    /// Whether nothing is on its way.
    pub fn is_empty(&self) -> bool {
        self.held == 0
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.slots.fill(None);
        self.held = 0;
    }
}
