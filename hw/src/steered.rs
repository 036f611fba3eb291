//! The seam of `steered` comparison: the DUT's own events say when, the core says what.

use crate::Cover;

/// A field of an output beat that is not what the core says, or an event that was not allowed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Cycle of the DUT's beat, or the cycle in which the fault showed.
    pub cycle: u64,
    /// Output channel, by position in the table's outputs.
    pub channel: usize,
    /// Field, by position; `None` for the beat as a whole.
    pub field: Option<usize>,
    /// Context that it is about.
    pub context: Option<u64>,
    /// What the core says, if it is a value.
    pub expected: Option<u64>,
    /// What the DUT showed, if it is a value.
    pub got: Option<u64>,
    /// What is wrong, in a sentence.
    pub message: String,
}

/// The core under a DUT's own timing.
pub trait Steered: Send {
    /// One cycle of the DUT's pins: the inputs it took (valid masked by ready) and its outputs.
    ///
    /// # Errors
    /// The first fault that shows in this cycle.
    fn step(&mut self, inputs: &[u64], outputs: &[u64]) -> Result<(), Box<Fault>>;

    /// The end of a run: nothing may be left over.
    ///
    /// # Errors
    /// What was left over.
    fn finish(&mut self) -> Result<(), Box<Fault>>;

    /// How often each row of "Must be covered" happened, the DUT's own sweep taken for ours.
    fn cover(&self) -> &Cover;

    /// The core's state of a context: the fields of `peeked` in table order, if the block has them.
    fn state(&self, context: u64) -> Option<Vec<u64>>;
}
