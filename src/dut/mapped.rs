//! A DUT whose module has other number formats than ours, or wants some idle cycles after reset: our
//! words are made into its own before they are driven.

use super::end::During;
use super::{Dut, DutEnd, End};
use crate::map::{Drive, Slice};
use crate::row::idle_inputs;
use congruent_ports::Layout;
use std::path::Path;

/// A DUT behind a map.
pub struct Mapped<D> {
    inner: D,
    drives: Vec<Drive>,
    /// Idle cycles between reset and the first event.
    settle: u64,
    /// Rows as the module gets them.
    driven: Vec<u64>,
    /// When another one is made in its place, and how.
    again: Option<(Anew, Box<Again<D>>)>,
    /// Whether it is as it was made.
    fresh: bool,
    /// How often it was configured: once a run.
    runs: u64,
    /// What its `cfg_*` pins were set to.
    cfg: Vec<u64>,
}

/// When a DUT is made anew, with its start values in all registers and memories.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anew {
    /// In place of each reset: the module has none.
    EachReset,
    /// For every other run. In between a reset must do away with what the run before it left.
    EveryOtherRun,
}

/// Makes a DUT as it was made before.
type Again<D> = dyn Fn() -> Result<D, DutEnd> + Send;

impl<D: Dut> Mapped<D> {
    /// Puts a map before a DUT.
    pub fn new(inner: D, drives: Vec<Drive>, settle: u64) -> Self {
        let (driven, cfg) = (vec![], vec![]);
        Self { inner, drives, settle, driven, again: None, fresh: true, runs: 0, cfg }
    }

    /// The same, made anew at times.
    #[must_use]
    pub fn anew(self, when: Anew, again: impl Fn() -> Result<D, DutEnd> + Send + 'static) -> Self {
        Self { again: Some((when, Box::new(again))), ..self }
    }

    fn make_anew(&mut self) -> Result<(), DutEnd> {
        if let Some((_, again)) = &self.again {
            self.inner = again()?;
        }
        Ok(())
    }

    /// Changes the words of rows of a slice. Where one cannot be driven: how many rows before it can,
    /// and why.
    fn convert(&self, slice: Slice, width: usize, rows: &mut [u64]) -> Result<(), (usize, End)> {
        let mut first = None;
        for drive in self.drives.iter().filter(|drive| drive.slice == slice) {
            let good = first.as_ref().map_or(usize::MAX, |(n, _)| *n);
            for (n, row) in rows.chunks_exact_mut(width).enumerate().take(good) {
                match driven(drive, row[drive.word]) {
                    Ok(word) => row[drive.word] = word,
                    Err(end) => {
                        first = Some((n, end));
                        break;
                    }
                }
            }
        }
        first.map_or(Ok(()), Err)
    }
}

/// What the module gets for a word of ours.
fn driven(drive: &Drive, ours: u64) -> Result<u64, End> {
    let refuse = |why: String| End::NoRoom { port: drive.port.clone(), value: ours, why };
    let theirs = match &drive.relation {
        None => ours,
        Some(relation) if drive.saturate => relation.theirs(ours),
        Some(relation) => relation.fitting(ours).ok_or_else(|| {
            let width = drive.width;
            refuse(format!(
                "{relation}, does not fit in the {width} bits that it has in the module"
            ))
        })?,
    };
    let (mask, must) = drive.fixed;
    match theirs & mask == must {
        true => Ok(theirs),
        false => Err(refuse(format!("the map says that its bits {mask:#x} are always {must:#x}"))),
    }
}

impl<D: Dut> Dut for Mapped<D> {
    fn layout(&self) -> &Layout {
        self.inner.layout()
    }

    fn configure(&mut self, cfg: &[u64]) -> Result<(), DutEnd> {
        let mut cfg = cfg.to_vec();
        let width = cfg.len().max(1);
        self.convert(Slice::Cfg, width, &mut cfg).map_err(|(_, end)| DutEnd::new(end))?;
        self.cfg.clone_from(&cfg);
        self.runs += 1;
        let begins = |(when, _): &(Anew, _)| *when == Anew::EveryOtherRun;
        if self.runs.is_multiple_of(2) && self.again.as_ref().is_some_and(begins) {
            self.make_anew()?;
        }
        self.inner.configure(&cfg)
    }

    fn reset_longer(&mut self, more: u32) -> Result<(), DutEnd> {
        let each = |(when, _): &(Anew, _)| *when == Anew::EachReset;
        if !self.fresh && self.again.as_ref().is_some_and(each) {
            self.make_anew()?;
            self.inner.configure(&self.cfg)?;
        }
        self.fresh = false;
        self.inner.reset_longer(more)?;
        let mut idle = idle_inputs(self.layout());
        let width = idle.len().max(1);
        self.convert(Slice::Inputs, width, &mut idle).map_err(|(_, end)| DutEnd::new(end))?;
        let mut outputs = vec![0; self.layout().outputs.len()];
        for _ in 0..self.settle {
            self.inner.step(&idle, &mut outputs)?;
        }
        Ok(())
    }

    fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<(), DutEnd> {
        self.steps(inputs, outputs, false).map(|_| ())
    }

    fn steps(
        &mut self,
        inputs: &[u64],
        outputs: &mut [u64],
        until_refusal: bool,
    ) -> Result<usize, DutEnd> {
        let width = self.layout().inputs.len().max(1);
        let mut rows = std::mem::take(&mut self.driven);
        rows.clear();
        rows.extend_from_slice(inputs);
        let stepped = match self.convert(Slice::Inputs, width, &mut rows) {
            Ok(()) => self.inner.steps(&rows, outputs, until_refusal),
            Err((good, end)) => {
                // What was before it is played, and may end in a way of its own.
                let outputs = &mut outputs[..good * self.layout().outputs.len()];
                let played = self.inner.steps(&rows[..good * width], outputs, until_refusal);
                played.and_then(|rows| match rows == good {
                    true => Err(DutEnd { during: During::Run, ..DutEnd::new(end) }.after(good)),
                    false => Ok(rows),
                })
            }
        };
        self.driven = rows;
        stepped
    }

    fn trace(&mut self, place: Option<&Path>) -> Result<(), DutEnd> {
        self.inner.trace(place)
    }

    fn take_text(&mut self) -> String {
        self.inner.take_text()
    }

    fn finish(&mut self) -> Result<(), DutEnd> {
        self.inner.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use congruent_hw::rules::{Format, Relation, Rounding, exact};

    fn drive(scale: &str, saturate: bool) -> Drive {
        let format = Format { width: 8, signed: false };
        let exact = |text| exact(text).expect("a number");
        let relation = Relation::new(exact(scale), exact("1"), Rounding::Floor, format);
        Drive {
            slice: Slice::Inputs,
            word: 0,
            port: "req_bytes".into(),
            width: 8,
            relation: Some(relation.expect("a relation")),
            saturate,
            fixed: (0, 0),
        }
    }

    /// Shows how many rows it has stepped, in the first word of its outputs.
    struct Counting {
        layout: Layout,
        rows: u64,
        bias: u64,
    }

    impl Counting {
        fn new() -> Self {
            let block = congruent_ports::BLOCKS[0];
            let layout = Layout::new(block, &congruent_ports::ParamSet::defaults(block));
            Self { layout, rows: 0, bias: 0 }
        }
    }

    impl Dut for Counting {
        fn layout(&self) -> &Layout {
            &self.layout
        }

        fn configure(&mut self, cfg: &[u64]) -> Result<(), DutEnd> {
            self.bias = cfg[0];
            Ok(())
        }

        fn reset_longer(&mut self, _: u32) -> Result<(), DutEnd> {
            Ok(())
        }

        fn step(&mut self, _: &[u64], outputs: &mut [u64]) -> Result<(), DutEnd> {
            self.rows += 1;
            outputs[0] = self.rows + self.bias;
            Ok(())
        }

        fn steps(&mut self, rows: &[u64], shown: &mut [u64], _: bool) -> Result<usize, DutEnd> {
            let (width_in, width_out) = (self.layout.inputs.len(), self.layout.outputs.len());
            let rows = rows.len() / width_in;
            for row in shown.chunks_exact_mut(width_out).take(rows) {
                self.step(&[], row)?;
            }
            Ok(rows)
        }

        fn take_text(&mut self) -> String {
            String::new()
        }

        fn finish(&mut self) -> Result<(), DutEnd> {
            Ok(())
        }
    }

    #[test]
    fn a_module_without_reset_is_made_anew() {
        let mut dut =
            Mapped::new(Counting::new(), vec![], 3).anew(Anew::EachReset, || Ok(Counting::new()));
        let inputs = idle_inputs(dut.layout());
        let mut outputs = vec![0; dut.layout().outputs.len()];
        let cfg = vec![100; dut.layout().cfg.len()];
        dut.configure(&cfg).expect("runs");
        for _ in 0..2 {
            dut.reset().expect("runs");
            dut.step(&inputs, &mut outputs).expect("runs");
            // Three cycles pass before the first event.
            assert_eq!(outputs[0], 104);
            dut.step(&inputs, &mut outputs).expect("runs");
            assert_eq!(outputs[0], 105);
        }
    }

    /// A reset in the middle of a run keeps what is there.
    #[test]
    fn every_other_run_begins_with_start_values() {
        let mut dut = Mapped::new(Counting::new(), vec![], 0)
            .anew(Anew::EveryOtherRun, || Ok(Counting::new()));
        let inputs = idle_inputs(dut.layout());
        let mut outputs = vec![0; dut.layout().outputs.len()];
        let cfg = vec![0; dut.layout().cfg.len()];
        let mut shown = vec![];
        for _ in 0..4 {
            dut.configure(&cfg).expect("runs");
            for _ in 0..2 {
                dut.reset().expect("runs");
                dut.step(&inputs, &mut outputs).expect("runs");
                shown.push(outputs[0]);
            }
        }
        assert_eq!(shown, [1, 2, 1, 2, 3, 4, 1, 2]);
    }

    /// The rows before the one that cannot be driven are played and shown.
    #[test]
    fn a_value_without_room_ends_a_run_in_its_row() {
        let mut dut = Mapped::new(Counting::new(), vec![drive("1", false)], 0);
        let (width_in, width_out) = (dut.layout().inputs.len(), dut.layout().outputs.len());
        let mut inputs = vec![0; width_in * 5];
        inputs[width_in * 3] = 256;
        let mut outputs = vec![0; width_out * 5];
        let end = dut.steps(&inputs, &mut outputs, false).expect_err("256 + 1 in 8 bits");
        assert_eq!((end.rows, end.row), (3, 3));
        let shown: Vec<_> = outputs.chunks_exact(width_out).map(|row| row[0]).collect();
        assert_eq!(shown, [1, 2, 3, 0, 0]);
        assert!(matches!(end.end, End::NoRoom { value: 256, .. }), "{end}");
    }

    #[test]
    fn a_word_is_made_into_theirs() {
        assert_eq!(driven(&drive("1/4", false), 1019), Ok(255));
        assert_eq!(driven(&drive("1/4", true), 1020), Ok(255));
        let refused = driven(&drive("1/4", false), 1020).expect_err("256 in 8 bits");
        let text = refused.to_string();
        assert!(text.contains("req_bytes = 0x3fc") && text.contains("8 bits"), "{text}");
        let fixed = Drive { relation: None, fixed: (0xf0, 0x30), ..drive("1", false) };
        assert_eq!(driven(&fixed, 0x3a), Ok(0x3a));
        let text = driven(&fixed, 0x4a).expect_err("other bits").to_string();
        assert!(text.contains("0x4a") && text.contains("bits 0xf0 are always 0x30"), "{text}");
    }
}
