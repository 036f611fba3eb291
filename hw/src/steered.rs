//! The seam of `steered` comparison: the DUT's own events say when, the core says what. And what
//! every block's comparison needs: beats, faults, and the comparison of a beat field by field.

use crate::Cover;
use congruent_ports::{Channel, error};

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

impl Fault {
    /// A fault of a beat, as a whole or of a field, whose value in the beat is what was got.
    pub fn of(
        channel: usize,
        beat: &Beat,
        field: Option<usize>,
        context: Option<u64>,
        message: String,
    ) -> Box<Self> {
        let got = field.and_then(|f| beat.fields.get(f).copied());
        Box::new(Self { cycle: beat.cycle, channel, field, context, expected: None, got, message })
    }

    /// A level that shows something else at the end of a run than the core counts.
    pub fn of_level(channel: usize, cycle: u64, name: &str, expected: u64, got: u64) -> Box<Self> {
        let beat = Beat { cycle, fields: vec![] };
        let message = format!("{name} is {got} at the end, the core counts {expected}");
        let mut fault = Self::of(channel, &beat, None, None, message);
        (fault.expected, fault.got) = (Some(expected), Some(got));
        fault
    }
}

/// A beat that the core expects, or that the DUT showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Beat {
    /// Cycle of the event, or of the DUT's beat.
    pub cycle: u64,
    /// Payload in table order.
    pub fields: Vec<u64>,
}

impl Beat {
    /// The context that the beat is about.
    pub fn context(&self, table: &Channel) -> Option<u64> {
        table.context().and_then(|at| self.fields.get(at).copied())
    }
}

/// Compares a beat of output channel number `channel` with what the core says. Under an error code
/// the payload is masked.
///
/// # Errors
/// The first field that differs.
pub fn compare(
    channel: usize,
    table: &Channel,
    expected: &[u64],
    got: &Beat,
) -> Result<(), Box<Fault>> {
    let refused = table.error().is_some_and(|e| expected[e] != error::NONE);
    let context = table.context().map(|c| expected[c]);
    for (position, field) in table.fields.iter().enumerate() {
        let masked = refused && !field.role.outlives_error();
        if !masked && expected[position] != got.fields[position] {
            let message = format!("{}_{} is not what the core says", table.name, field.name);
            let mut fault = Fault::of(channel, got, Some(position), context, message);
            fault.expected = Some(expected[position]);
            return Err(fault);
        }
    }
    Ok(())
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
