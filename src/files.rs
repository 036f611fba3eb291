//! Files and folders that appear whole or not at all.

use crate::error::{Error, Result};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use tempfile::{NamedTempFile, TempDir};

/// Reads a text file.
///
/// # Errors
/// It cannot be read, or is not UTF-8.
pub fn read(path: &Path) -> Result<String> {
    let bytes = fs::read(path).map_err(|e| cannot_read(path, e))?;
    String::from_utf8(bytes).map_err(|e| {
        let line = 1 + e.as_bytes()[..e.utf8_error().valid_up_to()]
            .iter()
            .filter(|b| **b == b'\n')
            .count();
        Error::input(
            format!("{}, line {line}: not a text file", path.display()),
            "accepted is UTF-8 text",
        )
    })
}

/// A file in the making: beside its place, under a name of its own. It takes its place in
/// [`Draft::finish`]; dropped before that, it is gone. A link is followed to its file. What is no
/// file (a terminal, a pipe, `/dev/null`) cannot be replaced and is written straight through.
#[derive(Debug)]
pub struct Draft {
    file: Target,
    place: PathBuf,
}

#[derive(Debug)]
enum Target {
    Draft(NamedTempFile),
    Through(fs::File),
}

impl Draft {
    /// Starts a file.
    ///
    /// # Errors
    /// Its folder does not exist or cannot be written, or its place is taken by a folder.
    pub fn new(place: &Path) -> Result<Self> {
        let there = fs::metadata(place).ok();
        if place.is_dir() {
            return Err(cannot_write(place, "it is a folder"));
        }
        if there.as_ref().is_some_and(|m| !m.is_file()) {
            let file = fs::File::options().write(true).open(place);
            let file = Target::Through(file.map_err(|e| cannot_write(place, reason(&e)))?);
            return Ok(Self { file, place: place.to_path_buf() });
        }
        let place = match there {
            Some(_) => fs::canonicalize(place).map_err(|e| cannot_write(place, reason(&e)))?,
            None => place.to_path_buf(),
        };
        let file = tempfile::Builder::new()
            .prefix(".congruent-")
            .permissions(new_file_permissions())
            .tempfile_in(folder_of(&place))
            .map_err(|e| cannot_write(&place, reason(&e)))?;
        Ok(Self { file: Target::Draft(file), place })
    }

    /// Writes all of it and lets it take its place.
    ///
    /// # Errors
    /// It cannot be written or moved.
    pub fn finish_with(mut self, bytes: &[u8]) -> Result<()> {
        self.write_all(bytes).map_err(|e| cannot_write(&self.place, reason(&e)))?;
        self.finish()
    }

    /// The file takes its place; what was there before is replaced.
    ///
    /// # Errors
    /// It cannot be moved.
    pub fn finish(self) -> Result<()> {
        let Self { file, place } = self;
        match file {
            Target::Draft(file) => {
                file.persist(&place).map(drop).map_err(|e| cannot_write(&place, reason(&e.error)))
            }
            Target::Through(_) => Ok(()),
        }
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match &mut self.file {
            Target::Draft(file) => file.write(bytes),
            Target::Through(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        match &mut self.file {
            Target::Draft(file) => file.flush(),
            Target::Through(file) => file.flush(),
        }
    }
}

/// Writes a folder of files: made beside its place and then renamed into it; a folder that was
/// there before is replaced as a whole.
///
/// # Errors
/// The folder above cannot be made or written.
pub fn write_folder(place: &Path, files: &[(&str, &str)]) -> Result<()> {
    let above = folder_of(place);
    fs::create_dir_all(&above).map_err(|e| cannot_write(place, reason(&e)))?;
    let draft = TempDir::with_prefix_in(".congruent-", &above)
        .map_err(|e| cannot_write(place, reason(&e)))?;
    let new = draft.path().join("new");
    let failed = |e: std::io::Error| cannot_write(place, reason(&e));
    fs::create_dir(&new).map_err(failed)?;
    for (name, text) in files {
        fs::write(new.join(name), text).map_err(failed)?;
    }
    if place.exists() {
        fs::rename(place, draft.path().join("old")).map_err(failed)?;
    }
    fs::rename(&new, place).map_err(failed)
}

fn folder_of(place: &Path) -> PathBuf {
    match place.parent() {
        Some(above) if !above.as_os_str().is_empty() => above.to_path_buf(),
        _ => PathBuf::from("."),
    }
}

/// As a file that is made in the ordinary way: the user's own mask takes away from it.
fn new_file_permissions() -> fs::Permissions {
    use std::os::unix::fs::PermissionsExt;
    fs::Permissions::from_mode(0o666)
}

/// The reason without the path of the draft, which is none of the user's names.
fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.split(" at path ").next().unwrap_or_default().to_string()
}

/// A file that cannot be read, with what to do.
pub fn cannot_read(path: &Path, reason: impl ToString) -> Error {
    Error::File {
        action: "read",
        path: path.to_path_buf(),
        reason: reason.to_string(),
        help: Some("name a file that exists and that you may read".into()),
    }
}

fn cannot_write(path: &Path, reason: impl ToString) -> Error {
    Error::File {
        action: "write",
        path: path.to_path_buf(),
        reason: reason.to_string(),
        help: Some("name a file in a folder that exists and that you may write to".into()),
    }
}
