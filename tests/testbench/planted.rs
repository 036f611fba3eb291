//! Bugs that are planted in copies of a block's RTL, and where each must show: `<block>.toml`.

use serde::Deserialize;
use std::path::Path;

/// A planted bug.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bug {
    /// What is wrong.
    pub what: String,
    /// File below `rtl/` in whose copy it is.
    pub file: String,
    /// Text that occurs once in the file.
    pub find: String,
    /// What takes its place.
    pub replace: String,
    /// Scenario that is played.
    pub scenario: String,
    /// Port of the first mismatch.
    pub port: String,
    /// How it shows.
    pub shows: Shows,
    /// What an assertion says.
    #[serde(default)]
    pub says: String,
}

/// How a bug shows.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shows {
    /// The port is X, in part or whole.
    X,
    /// The port has another value, of 0 and 1 only.
    Wrong,
    /// An assertion says so before the port is wrong.
    Assertion,
}

#[derive(Deserialize)]
struct List {
    bug: Vec<Bug>,
}

/// The bugs of a block.
pub fn list(block: &str) -> Vec<Bug> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/icarus/{block}.toml"));
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|e| panic!("{}: {e}: a block needs a list of bugs", path.display()));
    let list: List = toml::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    list.bug
}
