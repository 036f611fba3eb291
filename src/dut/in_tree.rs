//! The project's own RTL, linked into this program.

use super::bridge::ffi;
use super::{During, Dut, DutEnd, End, RESET_CYCLES, Start, check_cfg, init_limit, rows};
use congruent_ports::{Block, BuildSet, Layout};
use cxx::UniquePtr;
use std::pin::Pin;

/// A linked model. Verilator keeps its random state per thread: for start values that depend on
/// nothing but the seed, make and step each one on a fresh thread. The type cannot be sent to
/// another thread.
pub struct InTree {
    layout: Layout,
    model: UniquePtr<ffi::Dut>,
}

impl InTree {
    /// Makes the model of a block with one of the parameter sets that are built in.
    ///
    /// # Errors
    /// It is not linked in.
    pub fn new(block: &'static Block, set: &BuildSet, start: Start) -> Result<Self, DutEnd> {
        let name = congruent_verilate::name_of(block, set);
        let (fill, seed) = start.code();
        let model = ffi::make(&name, fill, seed);
        if model.is_null() {
            let linked = Self::linked().collect::<Vec<_>>().join(", ");
            return Err(DutEnd::new(End::NotLinked { name, linked }));
        }
        Ok(Self { layout: Layout::new(block, &set.params(block)), model })
    }

    /// Names of the models that are linked in: `block/set`.
    pub fn linked() -> impl Iterator<Item = &'static str> {
        env!("CONGRUENT_LINKED").split(',').filter(|name| !name.is_empty())
    }

    /// The plain C++ loop that benchmarks compare with: drives rows of inputs, each value within its
    /// port's width, and reads no output.
    ///
    /// # Errors
    /// A wrong number of words, or the model ended.
    pub fn bare(&mut self, inputs: &[u64]) -> Result<(), DutEnd> {
        let width = self.layout.inputs.len();
        let rows = inputs.len() / width.max(1);
        if inputs.len() != rows * width {
            return Err(DutEnd::shape("input words", inputs.len(), rows * width));
        }
        match ffi::bare(self.pin(), inputs, rows) {
            0 => Ok(()),
            status => Err(self.ended(status, During::Run)),
        }
    }

    fn pin(&mut self) -> Pin<&mut ffi::Dut> {
        self.model.pin_mut()
    }

    // Out of line: the way of a step that goes well stays short.
    #[cold]
    #[inline(never)]
    fn misfit(&self, inputs: usize, outputs: usize) -> DutEnd {
        let (width_in, width_out) = (self.layout.inputs.len(), self.layout.outputs.len());
        if inputs != width_in {
            return DutEnd::shape("input words", inputs, width_in);
        }
        DutEnd::shape("output words", outputs, width_out)
    }

    #[cold]
    #[inline(never)]
    fn ended_in_step(&mut self, status: u8) -> DutEnd {
        let rows = usize::from(ffi::row_complete(&self.model));
        DutEnd { rows, ..self.ended(status, During::Run) }
    }

    #[cold]
    fn ended(&mut self, status: u8, during: During) -> DutEnd {
        let end = DutEnd::from_status(status.into(), init_limit()).unwrap_or(End::Finish);
        DutEnd { during, text: self.take_text(), ..DutEnd::new(end) }
    }
}

impl Dut for InTree {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn configure(&mut self, cfg: &[u64]) -> Result<(), DutEnd> {
        check_cfg(&self.layout, cfg)?;
        ffi::configure(self.pin(), cfg);
        match ffi::status(&self.model) {
            0 => Ok(()),
            status => Err(self.ended(status, During::Start)),
        }
    }

    fn reset_longer(&mut self, more: u32) -> Result<(), DutEnd> {
        match ffi::reset(self.pin(), RESET_CYCLES + more, init_limit()) {
            0 => Ok(()),
            status => Err(self.ended(status, During::Reset(None))),
        }
    }

    #[inline]
    fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<(), DutEnd> {
        if inputs.len() != self.layout.inputs.len() || outputs.len() != self.layout.outputs.len() {
            return Err(self.misfit(inputs.len(), outputs.len()));
        }
        match ffi::step(self.pin(), inputs, outputs) {
            0 => Ok(()),
            status => Err(self.ended_in_step(status)),
        }
    }

    fn steps(
        &mut self,
        inputs: &[u64],
        outputs: &mut [u64],
        until_refusal: bool,
    ) -> Result<usize, DutEnd> {
        let rows = rows(&self.layout, inputs, outputs)?;
        let done = ffi::steps(self.pin(), inputs, outputs, rows, until_refusal);
        match ffi::status(&self.model) {
            0 => Ok(done),
            status => {
                let row = done - usize::from(done > 0 && ffi::row_complete(&self.model));
                Err(DutEnd { rows: done, row, ..self.ended(status, During::Run) })
            }
        }
    }

    fn take_text(&mut self) -> String {
        ffi::take_text(self.pin())
    }

    fn finish(&mut self) -> Result<(), DutEnd> {
        ffi::finish(self.pin());
        match ffi::status(&self.model) {
            0 => Ok(()),
            status => Err(self.ended(status, During::Final)),
        }
    }
}
