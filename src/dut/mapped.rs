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
}

impl<D: Dut> Mapped<D> {
    /// Puts a map before a DUT.
    pub fn new(inner: D, drives: Vec<Drive>, settle: u64) -> Self {
        Self { inner, drives, settle, driven: vec![] }
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
        self.inner.configure(&cfg)
    }

    fn reset_longer(&mut self, more: u32) -> Result<(), DutEnd> {
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
