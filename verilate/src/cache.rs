//! Where builds are kept: one folder each, named by what it holds and the hash of all it was made
//! of. A folder appears whole or not at all, however many processes build at once.

use crate::error::Error;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// A folder of finished builds.
#[derive(Debug, Clone)]
pub struct Cache {
    root: PathBuf,
    /// Whether everything is made anew, whatever is there.
    anew: bool,
}

/// A program that was not used for so long is removed when another one is built. Libraries stay:
/// cargo links them without asking for them again.
const KEPT: Duration = Duration::from_secs(30 * 24 * 3600);

/// A use is noted at most so often.
const NOTED: Duration = Duration::from_secs(24 * 3600);

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
        let root = std::path::absolute(root).unwrap_or_else(|_| root.to_path_buf());
        Self { root, anew: false }
    }

    /// The same, in which everything that is asked for is made anew, whatever is there.
    pub fn anew(self) -> Self {
        Self { anew: true, ..self }
    }

    /// The same, in which what is there serves.
    pub(crate) fn as_it_is(&self) -> Self {
        Self { anew: false, ..self.clone() }
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
        let serves = || !self.anew && folder.is_dir() && valid(&folder);
        if serves() {
            note_use(&folder);
            return Ok(Entry { folder, hit: true });
        }
        // The system drops the lock when its holder ends, however that happens.
        let _lock = self.lock(&id)?;
        if serves() {
            return Ok(Entry { folder, hit: true });
        }
        let unfinished = format!(".new-{id}-");
        self.sweep(&unfinished);
        let fresh = tempfile::Builder::new()
            .prefix(&unfinished)
            .tempdir_in(&self.root)
            .map_err(Error::io("make a folder in", &self.root))?;
        make(fresh.path())?;
        // Aside first, so that its place is empty for as short as can be.
        let old = self.root.join(format!("{unfinished}old"));
        if folder.is_dir() {
            fs::rename(&folder, &old).map_err(Error::io("replace", &folder))?;
        }
        fs::rename(fresh.path(), &folder).map_err(Error::io("write", &folder))?;
        self.sweep(&unfinished);
        self.retire();
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

    /// Removes programs that nobody has used for long, and what builds left that were interrupted.
    fn retire(&self) {
        for entry in self.root.read_dir().into_iter().flatten().flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let Some(name) = name.to_str() else { continue };
            if !is_old(&path, KEPT) || !path.is_dir() || name == "locks" || name == "logs" {
                continue;
            }
            let files = path.read_dir().into_iter().flatten().flatten();
            let mut names = files.filter_map(|file| file.file_name().into_string().ok());
            if names.any(|file| file.ends_with(".a")) {
                continue;
            }
            // Whoever makes it anew holds its lock.
            let Ok(lock) = File::create(self.root.join("locks").join(name)) else { continue };
            if lock.try_lock().is_ok() {
                let _ = fs::remove_dir_all(&path);
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

/// The time of an entry is that of its last use.
fn note_use(folder: &Path) {
    if is_old(folder, NOTED) {
        // Where it cannot be noted the entry is built anew some day.
        let _ = File::open(folder).and_then(|file| file.set_modified(SystemTime::now()));
    }
}

fn is_old(path: &Path, age: Duration) -> bool {
    let modified = path.metadata().and_then(|m| m.modified());
    modified.is_ok_and(|time| time.elapsed().is_ok_and(|since| since > age))
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
        // Asked for, it is made again although it would serve.
        let anew = cache.clone().anew().entry("x", "k", |_| true, put("anew")).expect("an entry");
        assert!(!anew.hit);
        assert_eq!(fs::read_to_string(again.folder.join("f")).expect("its file"), "anew");
        let left = cache.root().read_dir().expect("a folder").flatten();
        assert!(left.map(|e| e.file_name()).all(|n| !n.to_string_lossy().starts_with(".new")));
    }

    #[test]
    fn what_nobody_uses_goes_and_a_use_is_noted() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let cache = Cache::at(folder.path());
        let put = |file: &'static str| {
            move |dir: &Path| fs::write(dir.join(file), "").map_err(Error::io("write", dir))
        };
        let age = |name: &str, days: u64| {
            let then = SystemTime::now() - Duration::from_secs(days * 24 * 3600);
            let entry = File::open(folder.path().join(name)).expect("an entry");
            entry.set_modified(then).expect("an age");
        };
        for (name, file) in [("old", "dut"), ("used", "dut"), ("young", "dut"), ("lib", "libx.a")] {
            cache.entry(name, "k", |_| true, put(file)).expect("an entry");
        }
        for (name, days) in [("old-k", 31), ("used-k", 31), ("young-k", 29), ("lib-k", 400)] {
            age(name, days);
        }
        assert!(cache.entry("used", "k", |_| true, put("dut")).expect("an entry").hit);
        cache.entry("new", "k", |_| true, put("dut")).expect("an entry");
        let there = |name: &str| folder.path().join(name).is_dir();
        assert!(!there("old-k"));
        for name in ["used-k", "young-k", "lib-k", "new-k", "locks"] {
            assert!(there(name), "{name}");
        }
    }
}
