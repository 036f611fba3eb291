//! Engines of `congruent run`: a stimulus is offered, answers are waited for, outputs are shown.

use crate::drive::Driver;
use crate::dut::Dut;
use crate::error::{Error, Result};
use crate::interrupt;
use crate::vectors::idle_inputs;
use congruent_hw::Golden;
use congruent_hw::stimulus::Stimulus;
use congruent_ports::Layout;

/// Idle cycles after the last beat within which every question must be answered.
const DRAIN_LIMIT: u64 = 100_000;

/// Something that shows its outputs cycle by cycle.
pub trait Engine {
    /// One cycle.
    ///
    /// # Errors
    /// The DUT ended.
    fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<()>;
}

/// The golden model.
pub struct Model(pub Box<dyn Golden>);

impl Engine for Model {
    #[inline]
    fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<()> {
        self.0.step(inputs, outputs);
        Ok(())
    }
}

/// RTL, configured and reset.
pub struct Rtl<D>(pub D);

impl<D: Dut> Engine for Rtl<D> {
    #[inline]
    fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<()> {
        self.0.step(inputs, outputs).map_err(dut_error)
    }
}

/// The end of a DUT as an error of the command.
pub fn dut_error(end: crate::dut::DutEnd) -> Error {
    Error::Dut { message: end.to_string(), help: None }
}

/// Plays a stimulus: offers each beat until it is taken, then idles until every question is
/// answered and the longest documented way through the block is over. `show` gets each cycle's
/// outputs. Returns the cycles played.
///
/// # Errors
/// The DUT ended or leaves a question without an answer; Ctrl-C; an error of `show`.
pub fn play(
    engine: &mut dyn Engine,
    stimulus: &Stimulus,
    layout: &Layout,
    mut show: impl FnMut(u64, &[u64]) -> Result<()>,
) -> Result<u64> {
    let mut driver = Driver::new(stimulus, layout);
    let mut inputs = idle_inputs(layout);
    let mut outputs = vec![0; layout.outputs.len()];
    let mut open = Questions::new(layout);
    let settle = layout.block.timing.iter().map(|t| t.cycles).max().unwrap_or(0);
    let mut idle = 0;
    while !driver.done() || idle < settle || open.any() {
        if driver.done() {
            driver.silence(&mut inputs);
            idle += 1;
        } else {
            driver.offer(&mut inputs);
        }
        if idle > DRAIN_LIMIT {
            return Err(open.unanswered());
        }
        let cycle = driver.cycle();
        engine.step(&inputs, &mut outputs)?;
        driver.taken(&inputs, &outputs);
        open.count(&inputs, &outputs);
        show(cycle, &outputs)?;
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
    asked_valid: usize,
    asked_ready: Option<usize>,
    answered_valid: usize,
    open: i64,
}

impl Questions {
    fn new(layout: &Layout) -> Self {
        let channels = layout.channels_out.iter().filter_map(|out| {
            let asked = layout.input(out.channel.answers?);
            Some(Question {
                answer: out.channel.name,
                asked_valid: asked.valid,
                asked_ready: asked.ready,
                answered_valid: out.valid,
                open: 0,
            })
        });
        Self { channels: channels.collect() }
    }

    #[inline]
    fn count(&mut self, inputs: &[u64], outputs: &[u64]) {
        for q in &mut self.channels {
            let taken = inputs[q.asked_valid] != 0 && q.asked_ready.is_none_or(|r| outputs[r] != 0);
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
