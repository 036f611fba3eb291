//! The seam of `steered` comparison: the DUT's own events say when, the core says what. And what
//! every block's comparison needs: beats, faults, and the comparison of a beat field by field.

use crate::Cover;
use crate::rules::{Rule, Rules};
use congruent_ports::{Block, Channel, Dir, FieldRole, error};

/// When something is due, counted from the cycle of its event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Due {
    /// Exactly so many cycles later.
    After(u64),
    /// At most so many cycles later.
    Within(u64),
}

impl Due {
    /// So many cycles later at the latest.
    pub fn latest(self) -> u64 {
        match self {
            Self::After(cycles) | Self::Within(cycles) => cycles,
        }
    }

    /// The same, `more` cycles later.
    #[must_use]
    pub fn later(self, more: u64) -> Self {
        match self {
            Self::After(cycles) => Self::After(cycles + more),
            Self::Within(cycles) => Self::Within(cycles + more),
        }
    }
}

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

/// Holds the beats of one output channel of a DUT against what the core says.
#[derive(Debug, Clone)]
pub struct Judge {
    channel: usize,
    table: &'static Channel,
    /// Whether the DUT shows the channel at all.
    shown: bool,
    /// One a field.
    fields: Vec<Rule>,
}

impl Judge {
    /// Of output channel number `channel` of a block.
    ///
    /// # Panics
    /// If the block has no such output: a mistake in the code, not in a user's input.
    pub fn new(block: &'static Block, channel: usize, rules: &Rules) -> Self {
        let mut outputs = block.channels.iter().filter(|c| c.dir == Dir::Out);
        let valid: usize = outputs.clone().take(channel).map(|c| 1 + c.fields.len()).sum();
        let table = outputs.nth(channel);
        let table = table.unwrap_or_else(|| panic!("block {} has no output {channel}", block.name));
        let rule = |field| rules.get(valid + 1 + field).cloned().unwrap_or_default();
        let fields = (0..table.fields.len()).map(rule).collect();
        Self { channel, table, shown: !rules.ignores(valid), fields }
    }

    /// The channel.
    pub fn table(&self) -> &'static Channel {
        self.table
    }

    /// Whether the DUT shows the channel: its valid is compared.
    pub fn is_shown(&self) -> bool {
        self.shown
    }

    /// Whether no rule is about its fields: a beat of the DUT holds our numbers.
    pub fn is_plain(&self) -> bool {
        self.fields.iter().all(|rule| *rule == Rule::default())
    }

    /// Whether a field of the DUT's beat is what the core's asks for.
    pub fn holds(&self, field: usize, expected: u64, got: u64) -> bool {
        self.fields[field].holds(expected, got)
    }

    /// Whether all fields are.
    pub fn all_hold(&self, expected: &[u64], got: &[u64]) -> bool {
        self.first_wrong(expected, got).is_none()
    }

    fn first_wrong(&self, expected: &[u64], got: &[u64]) -> Option<usize> {
        let refused = self.table.error().is_some_and(|e| expected[e] != error::NONE);
        let masked = |role: FieldRole| refused && !role.outlives_error();
        (self.table.fields.iter().enumerate())
            .filter(|(_, field)| !masked(field.role))
            .map(|(n, _)| n)
            .find(|n| !self.holds(*n, expected[*n], got[*n]))
    }

    /// Compares a beat with what the core says. Under an error code the payload is masked.
    ///
    /// # Errors
    /// The first field that differs.
    pub fn compare(&self, expected: &[u64], got: &Beat) -> Result<(), Box<Fault>> {
        let Some(wrong) = self.first_wrong(expected, &got.fields) else { return Ok(()) };
        let context = self.table.context().map(|c| expected[c]);
        let name = self.table.fields[wrong].name;
        let message = format!("{}_{name} is not what the core says", self.table.name);
        let mut fault = Fault::of(self.channel, got, Some(wrong), context, message);
        fault.expected = Some(expected[wrong]);
        Err(fault)
    }
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
