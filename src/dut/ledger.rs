//! What a child process keeps in a file while it works, so that it outlives every way of dying:
//! how far it is, the outputs of the rows that are done, what the RTL printed.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use tempfile::{NamedTempFile, TempPath};

// As in child.cpp.
const TEXT_AT: u64 = 64;
const OUTPUTS_AT: u64 = 128 * 1024;

/// The file, from the parent's side.
#[derive(Debug)]
pub(super) struct Ledger {
    file: File,
    /// Its name, until the child has it open.
    path: Option<TempPath>,
}

/// How far the child is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Progress {
    /// The request that it works on, from 1.
    pub(super) frame: u64,
    /// What it does, as dut.h numbers it.
    pub(super) phase: u64,
    /// Rows of that which are done.
    pub(super) rows: u64,
}

impl Ledger {
    /// An empty one. In memory where the system has a place for that: rows go through it.
    pub(super) fn new() -> io::Result<Self> {
        let shared = Path::new("/dev/shm");
        let in_memory =
            shared.is_dir().then(|| NamedTempFile::with_prefix_in(".congruent-", shared));
        let made = match in_memory {
            Some(Ok(file)) => file,
            _ => NamedTempFile::with_prefix(".congruent-")?,
        };
        let (file, path) = made.into_parts();
        file.set_len(OUTPUTS_AT)?;
        Ok(Self { file, path: Some(path) })
    }

    /// Where the child finds it.
    pub(super) fn path(&self) -> PathBuf {
        self.path.as_ref().map_or(PathBuf::new(), |path| path.to_path_buf())
    }

    /// The child has it open: it needs no name any more.
    pub(super) fn opened(&mut self) {
        self.path = None;
    }

    /// How far the child is, or was.
    pub(super) fn progress(&self) -> Progress {
        let [frame, phase, rows, _] = self.head();
        Progress { frame, phase, rows }
    }

    /// What was printed since the last reply.
    pub(super) fn text(&self) -> String {
        let [.., size] = self.head();
        let mut bytes = vec![0; size.min(OUTPUTS_AT - TEXT_AT) as usize];
        match self.file.read_exact_at(&mut bytes, TEXT_AT) {
            Ok(()) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(_) => String::new(),
        }
    }

    /// The first so many words of the outputs of the batch; none if they are not all there.
    pub(super) fn outputs(&self, words: usize) -> Vec<u64> {
        let mut bytes = vec![0; words * 8];
        match self.file.read_exact_at(&mut bytes, OUTPUTS_AT) {
            Ok(()) => bytes.chunks_exact(8).map(super::child::word).collect(),
            Err(_) => vec![],
        }
    }

    fn head(&self) -> [u64; 4] {
        let mut bytes = [0; 32];
        let mut words = [0; 4];
        if self.file.read_exact_at(&mut bytes, 0).is_ok() {
            for (word, bytes) in words.iter_mut().zip(bytes.chunks_exact(8)) {
                *word = super::child::word(bytes);
            }
        }
        words
    }
}
