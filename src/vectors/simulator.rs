//! The two files for simulators that read no TOML: `run.hex` and `params.f`. Both only repeat what
//! the manifest says.

use super::manifest::{AGAIN, FORMAT_VERSION};
use super::packing::Packing;
use super::{Case, PARAMS, RUN};
use crate::error::{Error, Result};
use congruent_ports::{Layout, ParamSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Words of `run.hex` that hold the block's name.
const NAME_WORDS: usize = 4;

/// Bytes of a name in a word.
const NAME_BYTES: usize = 8;

/// Words of the two hex files, and cycles of the run.
pub(super) struct Sizes {
    /// Lines of `stimulus.hex`.
    pub stimulus: u64,
    /// Lines of `expected.hex`.
    pub expected: u64,
    /// Cycles of the run.
    pub cycles: u64,
}

/// The text of `run.hex`: 64-bit words, in the order that `docs/vectors.md` gives.
pub(super) fn run(case: &Case, layout: &Layout, sizes: &Sizes) -> String {
    let mut words = vec![FORMAT_VERSION as u64];
    words.extend(name(layout.block.name));
    words.push(sizes.cycles);
    words.extend([sizes.stimulus, u64::from(Packing::inputs(layout).width)]);
    words.extend([sizes.expected, u64::from(Packing::outputs(layout).width)]);
    words.extend(case.params.iter().map(|(_, value)| value as u64));
    words.extend(&case.pins);
    let mut text = String::new();
    for word in words {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{word:016x}");
    }
    text
}

/// A name as SystemVerilog packs a string: the last character lowest, zeros above the first.
fn name(name: &str) -> [u64; NAME_WORDS] {
    let mut words = [0; NAME_WORDS];
    for (n, byte) in name.bytes().rev().enumerate().take(NAME_WORDS * NAME_BYTES) {
        words[NAME_WORDS - 1 - n / NAME_BYTES] |= u64::from(byte) << (8 * (n % NAME_BYTES));
    }
    words
}

/// The text of `params.f`: one macro a parameter, in the form that simulators share.
pub(super) fn params(params: &ParamSet) -> String {
    let mut text = "// Elaboration parameters of this run, for a simulator's -f.\n".to_string();
    for (name, value) in params.iter() {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "+define+CONGRUENT_{name}={value}");
    }
    text
}

/// Whether the two files of a folder are those of its manifest.
///
/// # Errors
/// One is missing or says something else.
pub(super) fn check(folder: &Path, case: &Case, layout: &Layout, sizes: &Sizes) -> Result<()> {
    for (name, text) in [(RUN, run(case, layout, sizes)), (PARAMS, params(&case.params))] {
        let path = folder.join(name);
        let found = fs::read(&path).map_err(|e| Error::File {
            action: "read",
            path: path.clone(),
            reason: e.to_string(),
            help: Some(AGAIN.into()),
        })?;
        if found != text.as_bytes() {
            let found = String::from_utf8_lossy(&found);
            let same = found.lines().zip(text.lines()).take_while(|(a, b)| a == b).count();
            let line = |text: &str| text.lines().nth(same).unwrap_or("nothing").to_string();
            return Err(Error::input(
                format!(
                    "{}, line {}: `{}`, and the manifest gives `{}`",
                    path.display(),
                    same + 1,
                    line(&found),
                    line(&text)
                ),
                AGAIN,
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn a_name_is_packed_as_systemverilog_packs_a_string() {
        assert_eq!(name("ab"), [0, 0, 0, 0x6162]);
        assert_eq!(name("rate_limiter"), [0, 0, 0x7261_7465, 0x5f6c_696d_6974_6572]);
    }
}
