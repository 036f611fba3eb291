//! Where each field of a row lies in a word of a hex file.

use bitvec::prelude::*;
use congruent_ports::{ChannelLayout, Layout, Port, PortRole};
use std::fmt::Write;

/// Bits of the gap count. Constant, so that one testbench reads every folder of a build.
pub const GAP_BITS: u32 = 16;

/// Name of the gap count among the fields.
pub const GAP: &str = "gap";

/// Hex digits of a machine word.
const DIGITS: usize = 16;

/// The longest gap of one word.
const LONGEST_GAP: u64 = (1 << GAP_BITS) - 1;

/// A port in a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packed {
    /// Name of the port, or [`GAP`].
    pub name: String,
    /// Bits.
    pub width: u32,
    /// Position of its lowest bit; 0 is the lowest of the word.
    pub offset: u32,
}

/// What is known of a channel in its slice.
#[derive(Debug, Clone)]
struct Beat {
    valid: usize,
    fields: std::ops::Range<usize>,
    error: Option<usize>,
    /// Words of the fields that mean nothing when the word of the error code is not 0.
    masked: Vec<usize>,
}

/// The words of one hex file: ports in table order from bit 0 on, the gap above them.
#[derive(Debug, Clone)]
pub struct Packing {
    /// Ports of the slice, then the gap.
    pub fields: Vec<Packed>,
    /// Bits of a word.
    pub width: u32,
    beats: Vec<Beat>,
    /// Ports that are no part of a beat: readies, controls and levels.
    steady: Vec<usize>,
}

impl Packing {
    /// Of `stimulus.hex`.
    pub fn inputs(layout: &Layout) -> Self {
        Self::new(&layout.inputs, &layout.channels_in)
    }

    /// Of `expected.hex`.
    pub fn outputs(layout: &Layout) -> Self {
        Self::new(&layout.outputs, &layout.channels_out)
    }

    fn new(ports: &[Port], channels: &[ChannelLayout]) -> Self {
        let mut fields = vec![];
        let mut offset = 0;
        let names = ports.iter().map(|p| (p.name.clone(), p.width));
        for (name, width) in names.chain([(GAP.to_string(), GAP_BITS)]) {
            fields.push(Packed { name, width, offset });
            offset += width;
        }
        let steady = |p: &Port| {
            matches!(p.role, PortRole::Ready(_) | PortRole::Level(_) | PortRole::Control(_))
        };
        let beat = |c: &ChannelLayout| Beat {
            valid: c.valid,
            fields: c.fields..c.fields + c.channel.fields.len(),
            error: c.channel.error().map(|at| c.fields + at),
            masked: (c.channel.fields.iter().zip(c.fields..))
                .filter(|(field, _)| !field.role.outlives_error())
                .map(|(_, at)| at)
                .collect(),
        };
        Self {
            fields,
            width: offset,
            beats: channels.iter().map(beat).collect(),
            steady: (0..ports.len()).filter(|at| steady(&ports[*at])).collect(),
        }
    }

    /// Words of a row in the slice.
    pub fn ports(&self) -> usize {
        self.fields.len() - 1
    }

    /// Hex digits of a word.
    pub fn digits(&self) -> usize {
        self.width.div_ceil(4) as usize
    }

    /// Rows as the text of a hex file.
    pub fn encode(&self, rows: &[u64]) -> String {
        let mut text = String::new();
        let mut before = vec![0; self.ports()];
        let mut gap = 0;
        for row in rows.chunks_exact(self.ports()) {
            let mut row = row.to_vec();
            self.mask(&mut row);
            if gap < LONGEST_GAP && !self.has_news(&row, &before) {
                gap += 1;
                continue;
            }
            self.push(&row, gap, &mut text);
            before = row;
            gap = 0;
        }
        text
    }

    /// Sets to 0 what means nothing.
    pub fn mask(&self, row: &mut [u64]) {
        for beat in &self.beats {
            if row[beat.valid] == 0 {
                row[beat.fields.clone()].fill(0);
            } else if beat.error.is_some_and(|at| row[at] != 0) {
                beat.masked.iter().for_each(|at| row[*at] = 0);
            }
        }
    }

    fn has_news(&self, row: &[u64], before: &[u64]) -> bool {
        self.beats.iter().any(|b| row[b.valid] != 0)
            || self.steady.iter().any(|at| row[*at] != before[*at])
    }

    fn push(&self, row: &[u64], gap: u64, text: &mut String) {
        let mut words = vec![0u64; self.digits().div_ceil(DIGITS)];
        let bits = words.view_bits_mut::<Lsb0>();
        for (field, value) in self.fields.iter().zip(row.iter().chain([&gap])) {
            let from = field.offset as usize;
            bits[from..from + field.width as usize].store_le(*value);
        }
        let top = self.digits() - (words.len() - 1) * DIGITS;
        for (n, word) in words.iter().enumerate().rev() {
            let digits = if n == words.len() - 1 { top } else { DIGITS };
            // Writing to a String cannot fail.
            let _ = write!(text, "{word:0digits$x}");
        }
        text.push('\n');
    }

    /// A line of a hex file as its ports and its gap; `None` where the digits hold more than the
    /// word's bits. The line holds [`Packing::digits`] hex digits.
    pub fn unpack(&self, line: &str) -> Option<(Vec<u64>, u64)> {
        let digits = line.as_bytes().rchunks(DIGITS);
        let word = |chunk| u64::from_str_radix(std::str::from_utf8(chunk).ok()?, 16).ok();
        let words: Vec<u64> = digits.map(word).collect::<Option<_>>()?;
        let bits = words.view_bits::<Lsb0>();
        if bits[self.width as usize..].any() {
            return None;
        }
        let value = |field: &Packed| {
            let from = field.offset as usize;
            bits[from..from + field.width as usize].load_le::<u64>()
        };
        let mut row: Vec<u64> = self.fields.iter().map(value).collect();
        let gap = row.pop()?;
        Some((row, gap))
    }

    /// The row after `row` in which nothing new happens.
    pub fn quiet(&self, row: &mut [u64]) {
        for beat in &self.beats {
            row[beat.valid] = 0;
            row[beat.fields.clone()].fill(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use congruent_ports::ParamSet;
    use congruent_ports::rate_limiter::BLOCK;

    #[test]
    fn a_word_comes_back_as_it_was() {
        let layout = Layout::new(&BLOCK, &ParamSet::defaults(&BLOCK));
        let packing = Packing::outputs(&layout);
        let row: Vec<u64> = layout.outputs.iter().map(|p| crate::units::largest(p.width)).collect();
        let mut text = String::new();
        packing.push(&row, 7, &mut text);
        assert_eq!(packing.unpack(text.trim_end()), Some((row, 7)));
        assert_eq!(text.len(), packing.digits() + 1);
    }

    #[test]
    fn a_gap_that_is_too_long_holds_a_word_without_news() {
        let layout = Layout::new(&BLOCK, &ParamSet::defaults(&BLOCK));
        let packing = Packing::inputs(&layout);
        let mut rows = vec![0; 70_000 * packing.ports()];
        let last = rows.len() - packing.ports();
        rows[last] = 1;
        let text = packing.encode(&rows);
        let gaps: Vec<_> = text.lines().map(|l| packing.unpack(l).expect("a word").1).collect();
        assert_eq!(gaps, [65_535, 70_000 - 65_536 - 1]);
    }
}
