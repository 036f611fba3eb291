//! The project's folder at run time: where `.congruent`, `rtl/` and `vectors/` are.

use std::path::PathBuf;

/// The folder that the command was built in, while it is there; else the current one.
pub fn folder() -> PathBuf {
    let built_in = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    if built_in.is_dir() { built_in } else { PathBuf::from(".") }
}
