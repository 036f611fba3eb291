//! What happened in a run: cycles, beats, causes, covered rows, and where the time went.

use congruent_hw::Cover;
use congruent_ports::{Block, ChannelLayout, Dir, Layout, Quantity};
use std::time::Duration;

/// Counts of one run.
#[derive(Debug, Clone)]
pub struct Tally {
    /// Legs or cases that were begun.
    pub legs: u64,
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
    /// Waiting of one thread for another, and for a core.
    pub waiting: Duration,
    /// From start to end. Of runs that were merged: their sum, whether or not they ran side by side.
    pub wall: Duration,
}

impl Times {
    /// The run is over: `threads` of it were there all the time, and what they did not do is waiting.
    pub fn end(&mut self, wall: Duration, threads: u32) {
        self.wall = wall;
        self.waiting = (wall * threads).saturating_sub(self.busy());
    }

    /// All but the waiting.
    pub fn busy(&self) -> Duration {
        self.build + self.model + self.rtl + self.compare
    }
}

impl Tally {
    /// Nothing happened yet.
    pub fn new(block: &Block) -> Self {
        Self {
            legs: 0,
            cycles: 0,
            beats: vec![0; block.channels.len()],
            causes: vec![0; causes(block).map_or(0, <[_]>::len)],
            cover: Cover::new(block),
            time: Times::default(),
        }
    }

    /// Adds another run of the same block.
    pub fn merge(&mut self, other: &Self) {
        self.legs += other.legs;
        self.cycles += other.cycles;
        add(&mut self.beats, &other.beats);
        add(&mut self.causes, &other.causes);
        self.cover.merge(&other.cover);
        self.time.build += other.time.build;
        self.time.model += other.time.model;
        self.time.rtl += other.time.rtl;
        self.time.compare += other.time.compare;
        self.time.waiting += other.time.waiting;
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
    at: ChannelLayout,
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
                Pins { input, at: at.clone() }
            })
            .collect();
        let cause = layout
            .channels_out
            .iter()
            .find_map(|c| Some((c.valid, c.fields + c.channel.field("cause")?)));
        Self { channels, cause, width_in: layout.inputs.len(), width_out: layout.outputs.len() }
    }

    /// Counts a batch of rows, one channel after the other: its words are few, the rows many.
    pub fn count(&self, tally: &mut Tally, inputs: &[u64], outputs: &[u64]) {
        tally.cycles += (outputs.len() / self.width_out) as u64;
        for (pins, count) in self.channels.iter().zip(&mut tally.beats) {
            let (own, width, opposite, other) = if pins.input {
                (inputs, self.width_in, outputs, self.width_out)
            } else {
                (outputs, self.width_out, inputs, self.width_in)
            };
            let own = own.chunks_exact(width);
            let beats = match pins.at.ready {
                None => own.filter(|row| row[pins.at.valid] != 0).count(),
                Some(_) => (own.zip(opposite.chunks_exact(other)))
                    .filter(|(row, opposite)| pins.at.is_taken(row, opposite))
                    .count(),
            };
            *count += beats as u64;
        }
        if let Some((valid, cause)) = self.cause {
            for row in outputs.chunks_exact(self.width_out).filter(|row| row[valid] != 0) {
                if let Some(count) = tally.causes.get_mut(row[cause] as usize) {
                    *count += 1;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use congruent_ports::{BLOCKS, ParamSet};

    #[test]
    fn beats_are_counted_when_taken_and_causes_when_valid() {
        let block = BLOCKS[0];
        let layout = Layout::new(block, &ParamSet::defaults(block));
        let (peek, upd) = (layout.input("peek"), layout.output("upd"));
        let (width_in, width_out) = (layout.inputs.len(), layout.outputs.len());
        // A peek refused, one taken; a cause without its valid, then with it.
        let (mut inputs, mut outputs) = (vec![0; 2 * width_in], vec![0; 2 * width_out]);
        (inputs[peek.valid], inputs[width_in + peek.valid]) = (1, 1);
        outputs[width_out + peek.ready.expect("peek has ready")] = 1;
        (outputs[upd.fields + 1], outputs[width_out + upd.fields + 1]) = (2, 3);
        outputs[width_out + upd.valid] = 1;
        let mut tally = Tally::new(block);
        Counter::new(&layout).count(&mut tally, &inputs, &outputs);
        let beats = |name| {
            let at = block.channels.iter().position(|c| c.name == name);
            at.map_or(0, |at| tally.beats[at])
        };
        assert_eq!(tally.cycles, 2);
        assert_eq!(["cnp", "peek", "rsp", "upd"].map(beats), [0, 1, 0, 1]);
        // Cause 3 once, of all that there are.
        assert_eq!((tally.causes[3], tally.causes.iter().sum::<u64>()), (1, 1));
    }
}
