//! A hex file back into rows, every character of it checked.

use super::manifest::{AGAIN, Promise, hash};
use super::packing::Packing;
use crate::error::{Error, Result};
use std::fs;
use std::path::Path;

/// Reads a hex file into one row a cycle.
///
/// # Errors
/// It is missing or truncated, holds something that is no hex digit, a line of another width, a
/// word too wide or beyond the run, or has another hash than the manifest says.
pub(super) fn read(
    path: &Path,
    packing: &Packing,
    promise: &Promise,
    cycles: u64,
) -> Result<Vec<u64>> {
    let bytes = fs::read(path).map_err(|e| missing(path, &e))?;
    let refuse = |what: String| Error::input(format!("{}{what}", path.display()), AGAIN);
    let text = check_characters(&bytes, packing.digits()).map_err(refuse)?;
    let lines = text.lines().count() as u64;
    if lines != promise.words {
        let words = promise.words;
        return Err(refuse(format!(": it holds {lines} words, and the manifest says {words}")));
    }
    let found = hash(&bytes);
    if found != promise.sha256 {
        let sha256 = &promise.sha256;
        return Err(refuse(format!(": its SHA-256 is {found}, and the manifest says {sha256}")));
    }
    rows(text, packing, cycles).map_err(refuse)
}

fn missing(path: &Path, error: &std::io::Error) -> Error {
    Error::File {
        action: "read",
        path: path.to_path_buf(),
        reason: error.to_string(),
        help: Some(AGAIN.into()),
    }
}

/// Hex digits and line ends, so many digits a line, a line end at the end.
fn check_characters(bytes: &[u8], digits: usize) -> Result<&str, String> {
    let ends = bytes.iter().filter(|b| **b == b'\n').count();
    for (n, line) in bytes.split(|b| *b == b'\n').enumerate() {
        let place = || format!(", line {}", n + 1);
        if line.last() == Some(&b'\r') {
            return Err(format!(
                "{}: it ends in CR LF: accepted is LF alone (has a tool or git changed it?)",
                place()
            ));
        }
        if let Some(at) = line.iter().position(|b| !b.is_ascii_hexdigit()) {
            return Err(format!(
                "{}, column {}: `{}` is no hex digit: accepted is 0 to 9 and a to f",
                place(),
                at + 1,
                String::from_utf8_lossy(&line[at..]).chars().next().unwrap_or_default()
            ));
        }
        let last = n == ends;
        if last && !line.is_empty() {
            return Err(format!("{}: the line has no end, so the file is truncated", place()));
        }
        if !last && line.len() != digits {
            return Err(format!(
                "{}: the word has {} digits: accepted is {digits}",
                place(),
                line.len()
            ));
        }
    }
    std::str::from_utf8(bytes).map_err(|e| format!(": {e}"))
}

fn rows(text: &str, packing: &Packing, cycles: u64) -> Result<Vec<u64>, String> {
    let mut rows = Vec::with_capacity(cycles as usize * packing.ports());
    let mut row = vec![0; packing.ports()];
    let mut cycle = 0;
    for (n, line) in text.lines().enumerate() {
        let place = || format!(", line {}", n + 1);
        let (word, gap) = packing
            .unpack(line)
            .ok_or_else(|| format!("{}: the word does not fit {} bits", place(), packing.width))?;
        if cycle + gap >= cycles {
            return Err(format!(
                "{}: the word is for cycle {}, and the manifest says {cycles} cycles",
                place(),
                cycle + gap
            ));
        }
        extend(&mut rows, packing, &mut row, gap);
        row.copy_from_slice(&word);
        packing.mask(&mut row);
        rows.extend_from_slice(&row);
        cycle += gap + 1;
    }
    extend(&mut rows, packing, &mut row, cycles - cycle);
    Ok(rows)
}

fn extend(rows: &mut Vec<u64>, packing: &Packing, row: &mut [u64], cycles: u64) {
    if cycles > 0 {
        packing.quiet(row);
    }
    for _ in 0..cycles {
        rows.extend_from_slice(row);
    }
}
