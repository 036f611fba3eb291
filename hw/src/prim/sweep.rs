//! The endless round over n contexts: the model of `rtl/prim/sweep.sv` from the effect stage of
//! cycle 0 on. The init sweep before it leaves nothing that a model could see.

/// Who is visited next: 0 first, then 1, and after n − 1 again 0.
#[derive(Debug, Clone)]
pub struct Sweep {
    count: usize,
    next: usize,
}

impl Sweep {
    /// A round over `count` contexts.
    ///
    /// # Panics
    /// Where there are none: a mistake in a table, not in a user's input.
    pub fn new(count: usize) -> Self {
        assert!(count > 0, "a sweep over no contexts");
        Self { count, next: 0 }
    }

    /// Back to context 0.
    pub fn reset(&mut self) {
        self.next = 0;
    }

    /// The context that the next visit goes to.
    #[inline]
    pub fn next(&self) -> usize {
        self.next
    }

    /// This cycle's visit: returns whom it goes to. Not called in a cycle in which the sweep stands.
    #[inline]
    pub fn visit(&mut self) -> usize {
        let index = self.next;
        self.next = if index + 1 == self.count { 0 } else { index + 1 };
        index
    }
}

#[cfg(test)]
mod tests {
    use super::Sweep;

    #[test]
    fn it_goes_round_from_0() {
        let mut sweep = Sweep::new(3);
        assert_eq!([0; 7].map(|_| sweep.visit()), [0, 1, 2, 0, 1, 2, 0]);
        assert_eq!(sweep.next(), 1);
        sweep.reset();
        assert_eq!(sweep.visit(), 0);
        let mut one = Sweep::new(1);
        assert_eq!([0; 3].map(|_| one.visit()), [0, 0, 0]);
    }
}
