//! A device under test: a Verilated block that is stepped a cycle, or a batch of cycles, at a time.
//!
//! Two implementations: [`InTree`], the project's own RTL, linked in (feature `rtl`); and
//! [`Child`], any RTL in a process of its own, which no way of dying or looping of the RTL can
//! leave.
//!
//! Row *t* holds what the pins carry in cycle *t*. [`Dut::step`] drives the inputs of row *t*, lets
//! them settle, copies the outputs as they stand before the rising edge that ends the cycle, and
//! then makes the edge. Words are laid out as [`Layout`] says; bits above a port's width are left
//! out of what is driven and are 0 in what is read.

mod child;
mod end;
#[cfg(feature = "rtl")]
mod in_tree;
mod ledger;
mod mapped;

#[cfg(feature = "rtl")]
#[expect(unsafe_code, reason = "cxx writes the foreign functions of a bridge as unsafe code")]
mod bridge;

pub use child::{Batch, Child, ChildOptions, IN_FLIGHT};
pub use end::{During, DutEnd, End};
#[cfg(feature = "rtl")]
pub use in_tree::InTree;
pub use mapped::{Anew, Mapped};

use congruent_ports::Layout;
use std::path::Path;

/// Cycles for which reset is asserted where nobody says how many.
pub const RESET_CYCLES: u32 = 4;

/// Values of registers and memories before reset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Start {
    /// All bits 0.
    #[default]
    Zeros,
    /// All bits 1.
    Ones,
    /// Random bits from a seed.
    Random(u64),
}

impl Start {
    /// As the C++ side numbers them: fill and seed.
    fn code(self) -> (u8, u64) {
        match self {
            Self::Zeros => (0, 1),
            Self::Ones => (1, 1),
            Self::Random(seed) => (2, seed),
        }
    }
}

/// A device under test.
pub trait Dut {
    /// Where each port lives in a row.
    fn layout(&self) -> &Layout;

    /// Drives the `cfg_*` pins, one word each in table order. To be called before `reset`.
    ///
    /// # Errors
    /// A wrong number of words, or the model has ended.
    fn configure(&mut self, cfg: &[u64]) -> Result<(), DutEnd>;

    /// Asserts reset for [`RESET_CYCLES`], releases it and steps idle until `init_done` is seen;
    /// the next step is cycle 0. It may be called again in the middle of a run.
    ///
    /// # Errors
    /// `init_done` does not rise within [`init_limit`] cycles, or the model ends.
    fn reset(&mut self) -> Result<(), DutEnd> {
        self.reset_longer(0)
    }

    /// The same with a reset that is so many cycles longer.
    ///
    /// # Errors
    /// As for `reset`.
    fn reset_longer(&mut self, more: u32) -> Result<(), DutEnd>;

    /// One cycle.
    ///
    /// # Errors
    /// The model ended in this cycle or before; [`DutEnd::rows`] says whether `outputs` holds the
    /// cycle's outputs (1) or not (0).
    fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<(), DutEnd>;

    /// Many cycles: rows of inputs and outputs laid end to end. With `until_refusal` it stops after
    /// a row in which an input channel with ready had valid and no ready (that row included).
    /// Returns how many rows were stepped.
    ///
    /// # Errors
    /// The model ended; [`DutEnd::rows`] says how many rows of `outputs` are good.
    fn steps(
        &mut self,
        inputs: &[u64],
        outputs: &mut [u64],
        until_refusal: bool,
    ) -> Result<usize, DutEnd>;

    /// From the next row on a VCD of the RTL's inside is written to this file, until the next call;
    /// `None` ends it. The n-th row from there is at 10n ns (settled, before the edge) and
    /// 10n + 5 ns (after it), and is in the file once it is done, whatever becomes of the next one.
    ///
    /// # Errors
    /// The DUT was built without tracing, the file cannot be written, the model has ended.
    fn trace(&mut self, file: Option<&Path>) -> Result<(), DutEnd> {
        match file {
            None => Ok(()),
            Some(file) => Err(DutEnd::no_trace(file)),
        }
    }

    /// What the model printed since the last call.
    fn take_text(&mut self) -> String;

    /// Runs the model's final blocks. Nothing may be stepped after it.
    ///
    /// # Errors
    /// The model ended in a final block.
    fn finish(&mut self) -> Result<(), DutEnd>;
}

/// Idle cycles after reset within which `init_done` must rise: the init sweep writes one context a
/// cycle, and no block has more than 2^16 of them.
pub fn init_limit() -> u64 {
    (1 << 16) + 1024
}

/// Checks the lengths of both slices of a call and returns the number of rows.
fn rows(layout: &Layout, inputs: &[u64], outputs: &[u64]) -> Result<usize, DutEnd> {
    let (width_in, width_out) = (layout.inputs.len(), layout.outputs.len());
    // Every block has outputs; an input-less one would be stepped by the room for its outputs.
    let rows = outputs.len() / width_out.max(1);
    if inputs.len() != rows * width_in {
        return Err(DutEnd::shape("input words", inputs.len(), rows * width_in));
    }
    if outputs.len() != rows * width_out {
        return Err(DutEnd::shape("output words", outputs.len(), rows * width_out));
    }
    Ok(rows)
}

fn check_cfg(layout: &Layout, cfg: &[u64]) -> Result<(), DutEnd> {
    match cfg.len() == layout.cfg.len() {
        true => Ok(()),
        false => Err(DutEnd::shape("cfg words", cfg.len(), layout.cfg.len())),
    }
}

#[cfg(test)]
mod tests;
