//! What happened in a run: cycles, beats, causes, covered rows, and where the time went.

use congruent_hw::Cover;
use congruent_ports::{Block, Dir, Layout, Quantity};
use std::time::Duration;

/// Counts of one run.
#[derive(Debug, Clone)]
pub struct Tally {
    /// Cycles compared.
    pub cycles: u64,
    /// Beats taken by channel, in table order.
    pub beats: Vec<u64>,
    /// Beats by value of the field `cause`, if the block has one.
    pub causes: Vec<u64>,
    /// Rows of "Must be covered".
    pub cover: Cover,
    /// Time spent.
    pub time: Times,
}

/// Where the wall time of a run went. Model and RTL run at the same time on two threads, so the
/// parts add up to more than the whole.
#[derive(Debug, Clone, Copy, Default)]
pub struct Times {
    /// Building and loading the DUT.
    pub build: Duration,
    /// Generating stimulus and stepping the golden model.
    pub model: Duration,
    /// Stepping the DUT.
    pub rtl: Duration,
    /// Comparing and counting.
    pub compare: Duration,
    /// From start to end.
    pub wall: Duration,
}

impl Tally {
    /// Nothing happened yet.
    pub fn new(block: &Block) -> Self {
        Self {
            cycles: 0,
            beats: vec![0; block.channels.len()],
            causes: vec![0; causes(block).map_or(0, <[_]>::len)],
            cover: Cover::new(block),
            time: Times::default(),
        }
    }

    /// Adds another run of the same block.
    pub fn merge(&mut self, other: &Self) {
        self.cycles += other.cycles;
        add(&mut self.beats, &other.beats);
        add(&mut self.causes, &other.causes);
        self.cover.merge(&other.cover);
        self.time.build += other.time.build;
        self.time.model += other.time.model;
        self.time.rtl += other.time.rtl;
        self.time.compare += other.time.compare;
        self.time.wall += other.time.wall;
    }
}

fn add(sum: &mut [u64], more: &[u64]) {
    for (sum, more) in sum.iter_mut().zip(more) {
        *sum += more;
    }
}

/// Names of the values of a block's output field `cause`.
pub fn causes(block: &Block) -> Option<&'static [&'static str]> {
    let mut fields = block.channels.iter().filter(|c| c.dir == Dir::Out).flat_map(|c| c.fields);
    fields.find(|f| f.name == "cause").and_then(|f| match f.quantity {
        Quantity::Enum(names) => Some(names),
        _ => None,
    })
}

/// Counts the beats of rows.
#[derive(Debug)]
pub struct Counter {
    /// For each channel in table order.
    channels: Vec<Pins>,
    /// Words of valid and cause.
    cause: Option<(usize, usize)>,
    width_in: usize,
    width_out: usize,
}

#[derive(Debug)]
struct Pins {
    input: bool,
    valid: usize,
    ready: Option<usize>,
}

impl Counter {
    /// For a layout.
    pub fn new(layout: &Layout) -> Self {
        let channels = layout
            .block
            .channels
            .iter()
            .map(|channel| {
                let input = channel.dir == Dir::In;
                let at =
                    if input { layout.input(channel.name) } else { layout.output(channel.name) };
                Pins { input, valid: at.valid, ready: at.ready }
            })
            .collect();
        let cause = layout
            .channels_out
            .iter()
            .find_map(|c| Some((c.valid, c.fields + c.channel.field("cause")?)));
        Self { channels, cause, width_in: layout.inputs.len(), width_out: layout.outputs.len() }
    }

    /// Counts a batch of rows.
    pub fn count(&self, tally: &mut Tally, inputs: &[u64], outputs: &[u64]) {
        let rows = inputs.chunks_exact(self.width_in).zip(outputs.chunks_exact(self.width_out));
        tally.cycles += rows.len() as u64;
        for (input, output) in rows {
            for (pins, count) in self.channels.iter().zip(&mut tally.beats) {
                let (own, other) = if pins.input { (input, output) } else { (output, input) };
                let ready = pins.ready.is_none_or(|r| other[r] != 0);
                *count += u64::from(own[pins.valid] != 0 && ready);
            }
            if let Some((valid, cause)) = self.cause
                && output[valid] != 0
                && let Some(count) = tally.causes.get_mut(output[cause] as usize)
            {
                *count += 1;
            }
        }
    }
}
