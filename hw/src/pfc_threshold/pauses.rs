//! The queue of four that `pause` beats leave through, one a cycle.
//!
//! In a cycle first the oldest beat leaves, if there is one, then the cycle's beats enter: so a place
//! is free in every cycle, and the first beat of a cycle always finds one.

use congruent_ports::pfc_threshold::PAUSE_PLACES;

/// A PFC frame to send.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pause {
    /// The queue that it is about.
    pub queue: u64,
    /// To pause, or to resume.
    pub xoff: bool,
    /// The pause again.
    pub refresh: bool,
}

/// Beats that wait, oldest first.
#[derive(Debug, Clone, Default)]
pub struct Pauses {
    places: [Pause; PAUSE_PLACES],
    first: usize,
    count: usize,
}

impl Pauses {
    /// Whether none waits.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The oldest beat leaves.
    #[inline]
    pub fn leave(&mut self) -> Option<Pause> {
        if self.count == 0 {
            return None;
        }
        let pause = self.places[self.first];
        self.first = (self.first + 1) % PAUSE_PLACES;
        self.count -= 1;
        Some(pause)
    }

    /// A beat enters; false where there is no place for it.
    #[inline]
    #[must_use]
    pub fn enter(&mut self, pause: Pause) -> bool {
        if self.count == PAUSE_PLACES {
            return false;
        }
        self.places[(self.first + self.count) % PAUSE_PLACES] = pause;
        self.count += 1;
        true
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn beat(queue: u64) -> Pause {
        Pause { queue, xoff: true, refresh: false }
    }

    /// By hand: two enter in each cycle, and from the second on one leaves. After the third cycle
    /// four wait, and from then on the second beat of a cycle finds no place.
    #[test]
    fn two_a_cycle_fill_it_in_three_cycles() {
        let mut pauses = Pauses::default();
        let mut lost = vec![];
        let mut left = vec![];
        for cycle in 0..6 {
            left.extend(pauses.leave().map(|pause| pause.queue));
            assert!(pauses.enter(beat(2 * cycle)), "the first beat of cycle {cycle}");
            if !pauses.enter(beat(2 * cycle + 1)) {
                lost.push(2 * cycle + 1);
            }
        }
        // Waiting after cycles 0 to 5: 2, 3, 4, 4, 4, 4.
        assert_eq!(lost, [7, 9, 11]);
        left.extend(std::iter::from_fn(|| pauses.leave()).map(|pause| pause.queue));
        assert_eq!(left, [0, 1, 2, 3, 4, 5, 6, 8, 10]);
        assert!(pauses.is_empty());
    }
}
