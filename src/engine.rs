//! Engines of `congruent run`: a stimulus is offered, answers are waited for, outputs are shown.

use crate::check::DutSource;
use crate::drive::Driver;
use crate::dut::{Dut, DutEnd, Start};
use crate::error::{Error, Result};
use crate::interrupt;
use crate::play::settle_cycles;
use crate::row::idle_inputs;
use congruent_hw::Golden;
use congruent_hw::stimulus::Stimulus;
use congruent_ports::{ChannelLayout, Layout};

/// Idle cycles after the last beat within which every question must be answered.
const DRAIN_LIMIT: u64 = 100_000;

/// Rows that are stepped in one go while nothing is offered: one message to another process.
const BATCH: u64 = 1024;

/// Something that shows its outputs cycle by cycle.
pub trait Engine {
    /// Some cycles: rows of inputs and outputs laid end to end.
    ///
    /// # Errors
    /// The DUT ended; it says how many rows of `outputs` are good.
    fn steps(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<(), DutEnd>;
}

/// The golden model of a block.
pub struct Model<'a> {
    golden: Box<dyn Golden>,
    layout: &'a Layout,
}

impl<'a> Model<'a> {
    /// A golden model in cycle 0.
    pub fn new(golden: Box<dyn Golden>, layout: &'a Layout) -> Self {
        Self { golden, layout }
    }
}

impl Engine for Model<'_> {
    fn steps(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<(), DutEnd> {
        let (width_in, width_out) = (self.layout.inputs.len(), self.layout.outputs.len());
        let rows = inputs.chunks_exact(width_in).zip(outputs.chunks_exact_mut(width_out));
        rows.for_each(|(inputs, outputs)| self.golden.step(inputs, outputs));
        Ok(())
    }
}

/// RTL, configured and reset.
struct Rtl(Box<dyn Dut>);

impl Engine for Rtl {
    fn steps(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<(), DutEnd> {
        self.0.steps(inputs, outputs, false).map(drop)
    }
}

/// Runs `job` on RTL, configured and reset.
///
/// # Errors
/// RTL that cannot be started or that ends; an error of `job`.
pub fn with_rtl<T: Send>(
    source: &DutSource,
    layout: &Layout,
    pins: &[u64],
    job: impl FnOnce(&mut dyn Engine) -> Result<T> + Send,
) -> Result<T> {
    interrupt::check()?;
    match source {
        DutSource::Linked(set) => linked(layout, set, pins, job),
        DutSource::Foreign(foreign) => on(foreign.start(Start::Zeros)?, pins, job),
    }
}

#[cfg(feature = "rtl")]
fn linked<T: Send>(
    layout: &Layout,
    set: &str,
    pins: &[u64],
    job: impl FnOnce(&mut dyn Engine) -> Result<T> + Send,
) -> Result<T> {
    let block = layout.block;
    let set = block.build(set).ok_or_else(|| Error::plain(format!("no build {set}")))?;
    // Verilator keeps its random state per thread: made and stepped on one fresh thread.
    let run = || on(Box::new(crate::dut::InTree::new(block, set, Start::Zeros)?), pins, job);
    std::thread::scope(|scope| scope.spawn(run).join())
        .unwrap_or_else(|_| Err(Error::plain("the thread of the RTL ended early")))
}

#[cfg(not(feature = "rtl"))]
fn linked<T>(
    _: &Layout,
    _: &str,
    _: &[u64],
    _: impl FnOnce(&mut dyn Engine) -> Result<T>,
) -> Result<T> {
    Err(Error::input(
        "no RTL is built into this program",
        "build it with the feature `rtl` (cargo build --release), or use --engine model",
    ))
}

fn on<T>(
    mut dut: Box<dyn Dut>,
    pins: &[u64],
    job: impl FnOnce(&mut dyn Engine) -> Result<T>,
) -> Result<T> {
    dut.configure(pins)?;
    dut.reset()?;
    let mut engine = Rtl(dut);
    let done = job(&mut engine)?;
    engine.0.finish()?;
    Ok(done)
}

/// Plays a stimulus: offers each beat until it is taken, then idles until every question is
/// answered and the longest documented way through the block is over. `show` gets each cycle's
/// number, inputs and outputs. Returns the cycles played.
///
/// # Errors
/// The DUT ended or leaves a question without an answer; Ctrl-C; an error of `show`.
pub fn play(
    engine: &mut dyn Engine,
    stimulus: &Stimulus,
    layout: &Layout,
    mut show: impl FnMut(u64, &[u64], &[u64]) -> Result<()>,
) -> Result<u64> {
    let mut driver = Driver::new(stimulus, layout);
    let mut row = idle_inputs(layout);
    let mut open = Questions::new(layout);
    let settle = settle_cycles(layout.block);
    let width = layout.outputs.len();
    let (mut inputs, mut outputs) = (vec![], vec![]);
    let mut idle = 0;
    while !driver.done() || idle < settle || open.any() {
        let rows = match driver.done() {
            true => settle.saturating_sub(idle).max(1),
            false => driver.quiet().clamp(1, BATCH),
        };
        idle += if driver.done() { rows } else { 0 };
        if idle > DRAIN_LIMIT {
            return Err(open.unanswered());
        }
        if driver.is_stuck(DRAIN_LIMIT) {
            return Err(Error::plain(format!(
                "a beat of a channel with ready was not taken within {DRAIN_LIMIT} cycles"
            )));
        }
        // With more rows than one nothing is offered in them, and the controls stay as they are.
        driver.offer(&mut row);
        inputs.clear();
        inputs.extend(std::iter::repeat_n(&row, rows as usize).flatten());
        outputs.resize(width * rows as usize, 0);
        let first = driver.cycle();
        let stepped = engine.steps(&inputs, &mut outputs);
        let good = stepped.as_ref().map_or_else(|end| end.rows, |()| rows as usize);
        let shown = inputs.chunks_exact(row.len()).zip(outputs.chunks_exact(width)).take(good);
        for (inputs, outputs) in shown {
            let cycle = driver.cycle();
            driver.taken(inputs, outputs);
            open.count(inputs, outputs);
            show(cycle, inputs, outputs)?;
        }
        stepped.map_err(|end| Error::ended(first + end.row as u64, &end))?;
        interrupt::check()?;
    }
    Ok(driver.cycle())
}

/// Questions that were taken and not yet answered, for each output channel that answers one.
struct Questions {
    channels: Vec<Question>,
}

struct Question {
    answer: &'static str,
    asked: ChannelLayout,
    answered_valid: usize,
    open: i64,
}

impl Questions {
    fn new(layout: &Layout) -> Self {
        let channels = layout.channels_out.iter().filter_map(|out| {
            let asked = layout.input(out.channel.answers?);
            Some(Question {
                answer: out.channel.name,
                asked: asked.clone(),
                answered_valid: out.valid,
                open: 0,
            })
        });
        Self { channels: channels.collect() }
    }

    #[inline]
    fn count(&mut self, inputs: &[u64], outputs: &[u64]) {
        for q in &mut self.channels {
            let taken = q.asked.is_taken(inputs, outputs);
            q.open += i64::from(taken) - i64::from(outputs[q.answered_valid] != 0);
        }
    }

    fn any(&self) -> bool {
        self.channels.iter().any(|q| q.open > 0)
    }

    fn unanswered(&self) -> Error {
        let open: Vec<_> = self
            .channels
            .iter()
            .filter(|q| q.open > 0)
            .map(|q| format!("{} beats of {}", q.open, q.answer))
            .collect();
        Error::plain(format!("{} did not come within {DRAIN_LIMIT} idle cycles", open.join(", ")))
    }
}
