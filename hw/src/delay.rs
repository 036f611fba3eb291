//! What a timing shell owes: a slot for each of the next cycles, filled when an event happens and
//! emptied when its cycle has come.

/// Cycles ahead that have a slot, this one included; a power of two.
const DEPTH: u64 = 128;

/// Slots by cycle. `T` says what can be due in one cycle.
#[derive(Debug, Clone)]
pub struct Agenda<T> {
    slots: Box<[T; DEPTH as usize]>,
}

impl<T: Copy + Default> Agenda<T> {
    /// Nothing due; for delays up to `longest` cycles.
    ///
    /// # Panics
    /// Where that is more than 127: a mistake in a table, not in a user's input.
    pub fn new(longest: u64) -> Self {
        assert!(longest < DEPTH, "a delay of {longest} cycles");
        Self { slots: Box::new([T::default(); DEPTH as usize]) }
    }

    /// The slot of a cycle: the present one, or a later one within the longest delay.
    #[inline]
    pub fn at(&mut self, cycle: u64) -> &mut T {
        &mut self.slots[(cycle % DEPTH) as usize]
    }

    /// Every slot, in no order.
    pub fn slots(&self) -> &[T] {
        self.slots.as_slice()
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.slots.fill(T::default());
    }
}
