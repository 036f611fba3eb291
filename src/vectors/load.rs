//! A folder of vector files back into a case.

use super::packing::Packing;
use super::simulator::{self, Sizes};
use super::{Case, EXPECTED, MANIFEST, STIMULUS, hex, manifest};
use crate::error::{Error, Result};
use std::fs;
use std::path::Path;

/// Loads a folder. Rows come back one a cycle. Format 1 had no files for simulators: none are looked
/// for in such a folder.
///
/// # Errors
/// Anything in it that is not as it was written: the text says which file and line or field, the
/// value, what is accepted and what to do.
pub fn load(folder: &Path) -> Result<Case> {
    let path = folder.join(MANIFEST);
    let text = fs::read(&path).map_err(|e| missing(&path, &e.to_string())).and_then(|bytes| {
        String::from_utf8(bytes).map_err(|_| missing(&path, "not a text file"))
    })?;
    let checked = manifest::decode(&path, &text)?;
    let mut case = checked.case;
    let layout = case.layout();
    let inputs = Packing::inputs(&layout);
    let outputs = Packing::outputs(&layout);
    let cycles = checked.cycles;
    case.rows.inputs = hex::read(&folder.join(STIMULUS), &inputs, &checked.stimulus, cycles)?;
    case.rows.outputs = hex::read(&folder.join(EXPECTED), &outputs, &checked.expected, cycles)?;
    if checked.format_version >= manifest::WITH_SIMULATOR_FILES {
        let (stimulus, expected) = (checked.stimulus.words, checked.expected.words);
        simulator::check(folder, &case, &layout, &Sizes { stimulus, expected, cycles })?;
    }
    Ok(case)
}

fn missing(path: &Path, reason: &str) -> Error {
    Error::File {
        action: "read",
        path: path.to_path_buf(),
        reason: reason.to_string(),
        help: Some(manifest::AGAIN.into()),
    }
}

/// Loads every case in a block's folder, in order of their names.
///
/// # Errors
/// No such folder, no case in it, or one that cannot be loaded.
pub fn load_all(folder: &Path) -> Result<Vec<Case>> {
    let entries = std::fs::read_dir(folder).map_err(|e| {
        Error::input(
            format!("no vectors in {}: {e}", folder.display()),
            "accepted is a folder that holds BLOCK/SCENARIO/; `congruent vectors generate` writes one",
        )
    })?;
    // A name that begins with a dot is a folder in the making.
    let whole = |entry: &std::fs::DirEntry| !entry.file_name().as_encoded_bytes().starts_with(b".");
    let paths = entries.flatten().filter(whole).map(|entry| entry.path());
    let mut folders: Vec<_> = paths.filter(|path| path.is_dir()).collect();
    folders.sort();
    if folders.is_empty() {
        return Err(Error::plain(format!("{} holds no case", folder.display())));
    }
    folders.iter().map(|folder| load(folder)).collect()
}
