//! What a build is made of, as one hash: a build is reused only where nothing of it has changed.

use crate::sources::absolute;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Collects named pieces; their lengths go in too, so that no two lists look alike.
pub(crate) struct Key(Sha256);

impl Key {
    pub(crate) fn new(what: &str) -> Self {
        // To be raised when this crate changes what it makes of the same pieces.
        let mut key = Self(Sha256::new());
        key.add("format", "1");
        key.add("what", what);
        key
    }

    pub(crate) fn add(&mut self, name: &str, bytes: impl AsRef<[u8]>) {
        let bytes = bytes.as_ref();
        for part in [name.as_bytes(), bytes] {
            self.0.update((part.len() as u64).to_le_bytes());
            self.0.update(part);
        }
    }

    /// A file, by path (messages of the model name it) and content.
    pub(crate) fn add_file(&mut self, path: &Path) -> std::io::Result<()> {
        let content = std::fs::read(path)?;
        self.add("path", path.as_os_str().as_encoded_bytes());
        self.add("content", content);
        Ok(())
    }

    pub(crate) fn finish(self) -> String {
        hex(&self.0.finalize())
    }
}

/// Hash of one file's content.
pub(crate) fn hash_file(path: &Path) -> std::io::Result<String> {
    Ok(hex(&Sha256::digest(std::fs::read(path)?)))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// Files that the sources include, directly or through each other. Where the name of an included
/// file is itself a macro, every file of the folders in question counts.
pub(crate) fn includes(sources: &[PathBuf], include_dirs: &[PathBuf]) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    let mut waiting = sources.to_vec();
    while let Some(file) = waiting.pop() {
        // A file that is not there or not text is Verilator's to complain about.
        let Ok(text) = std::fs::read(&file) else { continue };
        let own = file.parent().map(Path::to_path_buf);
        let folders = || include_dirs.iter().chain(&own);
        let mut next = Vec::new();
        for name in include_names(&String::from_utf8_lossy(&text)) {
            match name {
                Some(name) => next.extend(folders().map(|d| d.join(&name))),
                None => next.extend(
                    folders()
                        .filter_map(|d| d.read_dir().ok())
                        .flat_map(|entries| entries.flatten().map(|e| e.path())),
                ),
            }
        }
        for path in next.into_iter().filter(|p| p.is_file()) {
            if found.insert(path.clone()) {
                waiting.push(path);
            }
        }
    }
    found
}

/// Where Verilator would look for `file` and for what it includes, and finds nothing: a file that
/// appears there would be read in its place.
pub(crate) fn missing(file: &Path, search_path: &[PathBuf]) -> BTreeSet<PathBuf> {
    const LIBRARY: &[&str] = &["v", "sv"];
    let mut names: Vec<PathBuf> = LIBRARY
        .iter()
        .flat_map(|extension| file.file_name().map(|n| Path::new(n).with_extension(extension)))
        .chain(file.file_name().map(PathBuf::from))
        .collect();
    let text = std::fs::read(file).unwrap_or_default();
    let included = include_names(&String::from_utf8_lossy(&text)).into_iter().flatten();
    names.extend(included.map(PathBuf::from));
    let own = file.parent().map(Path::to_path_buf);
    let places = search_path.iter().chain(&own).flat_map(|d| names.iter().map(|n| d.join(n)));
    places.map(|place| absolute(&place)).filter(|place| !place.exists()).collect()
}

/// Names after each `` `include ``; `None` for one that is not a plain string.
fn include_names(text: &str) -> Vec<Option<String>> {
    text.split("`include")
        .skip(1)
        .map(|rest| {
            let rest = rest.trim_start();
            let close = match rest.chars().next()? {
                '"' => '"',
                '<' => '>',
                _ => return None,
            };
            rest[1..].split_once(close).map(|(name, _)| name.to_string())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_do_not_run_together() {
        let hash = |pieces: &[(&str, &str)]| {
            let mut key = Key::new("t");
            for (name, bytes) in pieces {
                key.add(name, bytes);
            }
            key.finish()
        };
        assert_ne!(hash(&[("a", "bc")]), hash(&[("ab", "c")]));
        assert_ne!(hash(&[("a", "b"), ("c", "d")]), hash(&[("a", "bcd")]));
        assert_eq!(hash(&[("a", "b")]), hash(&[("a", "b")]));
    }

    #[test]
    fn follows_includes_and_macros() -> std::io::Result<()> {
        let folder = tempfile::tempdir()?;
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("inc"))?;
        std::fs::write(at("top.sv"), "`include \"a.svh\"\n`include `WHICH\n")?;
        std::fs::write(at("inc/a.svh"), "`include <b.svh>\n")?;
        std::fs::write(at("inc/b.svh"), "")?;
        std::fs::write(at("inc/c.svh"), "")?;
        let plain = includes(&[at("inc/a.svh")], &[at("inc")]);
        assert_eq!(plain.into_iter().collect::<Vec<_>>(), [at("inc/b.svh")]);
        let all = includes(&[at("top.sv")], &[at("inc")]);
        for name in ["inc/a.svh", "inc/b.svh", "inc/c.svh"] {
            assert!(all.contains(&at(name)), "{name}");
        }
        Ok(())
    }
}
