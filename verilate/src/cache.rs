//! Where builds are kept: one folder each, named by what it holds and the hash of all it was made
//! of. A folder appears whole or not at all, however many processes build at once.

use crate::error::Error;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// A folder of finished builds.
#[derive(Debug, Clone)]
pub struct Cache {
    root: PathBuf,
}

/// A finished build in the cache.
pub(crate) struct Entry {
    pub(crate) folder: PathBuf,
    /// Whether it was there already.
    pub(crate) hit: bool,
}

impl Cache {
    /// `$CONGRUENT_CACHE`, or `.congruent/cache` in the project.
    pub fn of(project: &Path) -> Self {
        match std::env::var_os("CONGRUENT_CACHE").filter(|v| !v.is_empty()) {
            Some(root) => Self::at(Path::new(&root)),
            None => Self::at(&project.join(".congruent").join("cache")),
        }
    }

    /// A folder of one's own; made when something is first put in it.
    pub fn at(root: &Path) -> Self {
        Self { root: std::path::absolute(root).unwrap_or_else(|_| root.to_path_buf()) }
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The entry of this key: the one that is there if it is `valid`, else what `make` puts into
    /// an empty folder. If `make` fails nothing stays behind.
    pub(crate) fn entry(
        &self,
        name: &str,
        key: &str,
        valid: impl Fn(&Path) -> bool,
        make: impl FnOnce(&Path) -> Result<(), Error>,
    ) -> Result<Entry, Error> {
        let id = format!("{name}-{}", &key[..key.len().min(20)]);
        let folder = self.root.join(&id);
        if folder.is_dir() && valid(&folder) {
            return Ok(Entry { folder, hit: true });
        }
        // The system drops the lock when its holder ends, however that happens.
        let _lock = self.lock(&id)?;
        if folder.is_dir() && valid(&folder) {
            return Ok(Entry { folder, hit: true });
        }
        let unfinished = format!(".new-{id}-");
        self.sweep(&unfinished);
        let fresh = tempfile::Builder::new()
            .prefix(&unfinished)
            .tempdir_in(&self.root)
            .map_err(Error::io("make a folder in", &self.root))?;
        make(fresh.path())?;
        if folder.is_dir() {
            fs::remove_dir_all(&folder).map_err(Error::io("replace", &folder))?;
        }
        fs::rename(fresh.path(), &folder).map_err(Error::io("write", &folder))?;
        Ok(Entry { folder, hit: false })
    }

    /// Keeps the whole output of a tool that failed; where that fails too, none is kept.
    pub(crate) fn keep_log(&self, name: &str, text: &str) -> Option<PathBuf> {
        let path = self.root.join("logs").join(format!("{name}.log"));
        fs::create_dir_all(path.parent()?).ok()?;
        fs::write(&path, text).ok()?;
        Some(path)
    }

    /// Removes what builds of this entry left that were interrupted; the caller holds its lock.
    fn sweep(&self, prefix: &str) {
        for entry in self.root.read_dir().into_iter().flatten().flatten() {
            if entry.file_name().to_string_lossy().starts_with(prefix) {
                // What cannot be removed is in nobody's way.
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }

    fn lock(&self, id: &str) -> Result<File, Error> {
        let folder = self.root.join("locks");
        fs::create_dir_all(&folder).map_err(Error::io("make the folder", &folder))?;
        let path = folder.join(id);
        let file = File::create(&path).map_err(Error::io("write", &path))?;
        file.lock().map_err(Error::io("lock", &path))?;
        Ok(file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn made_once_by_many() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let cache = Cache::at(&folder.path().join("with space"));
        let made = AtomicU32::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let entry = cache.entry(
                        "x",
                        "0123",
                        |_| true,
                        |dir| {
                            made.fetch_add(1, Ordering::Relaxed);
                            fs::write(dir.join("f"), "whole").map_err(Error::io("write", dir))
                        },
                    );
                    let entry = entry.expect("an entry");
                    let text = fs::read_to_string(entry.folder.join("f")).expect("its file");
                    assert_eq!(text, "whole");
                });
            }
        });
        assert_eq!(made.into_inner(), 1);
    }

    #[test]
    fn a_failure_leaves_nothing_and_an_invalid_entry_is_made_again() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let cache = Cache::at(folder.path());
        let stale = folder.path().join(".new-x-k-interrupted");
        fs::create_dir(&stale).expect("a folder");
        let failed = cache.entry(
            "x",
            "k",
            |_| true,
            |dir| Err(Error::Class { name: dir.display().to_string() }),
        );
        assert!(failed.is_err());
        assert!(!folder.path().join("x-k").exists() && !stale.exists());
        let put = |text: &'static str| {
            move |dir: &Path| fs::write(dir.join("f"), text).map_err(Error::io("write", dir))
        };
        let first = cache.entry("x", "k", |_| true, put("old")).expect("an entry");
        assert!(!first.hit);
        assert!(cache.entry("x", "k", |_| true, put("new")).expect("an entry").hit);
        let again = cache.entry("x", "k", |_| false, put("new")).expect("an entry");
        assert!(!again.hit);
        assert_eq!(fs::read_to_string(again.folder.join("f")).expect("its file"), "new");
    }
}
