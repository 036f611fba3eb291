//! The lists of bugs to be planted in the RTL: one file a block, `<block>.toml`.

pub mod play;
pub mod rewrite;
pub mod selector;

use serde::Deserialize;
use std::collections::HashSet;
use std::path::Path;

/// One bug, and where it must show. The fields are explained in `README.md`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bug {
    pub number: u32,
    pub name: String,
    pub what: String,
    pub file: String,
    #[serde(default)]
    pub statement: bool,
    pub find: String,
    pub replace: String,
    pub scenario: String,
    pub cycles: [u64; 2],
    #[serde(default)]
    pub shows: Vec<String>,
    pub ends: Option<Ends>,
}

/// What stops a bug before an output differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ends {
    /// An assertion of the RTL.
    Assertion,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    bug: Vec<Bug>,
}

/// The bugs of a block, each with a number and a name of its own; 0 is the number of none.
pub fn list(block: &str) -> Vec<Bug> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/planted/{block}.toml"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| {
        panic!("{}: {e}: a block needs a list of planted bugs", path.display())
    });
    let list: List = toml::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut numbers = HashSet::from([0]);
    let mut names = HashSet::new();
    for bug in &list.bug {
        assert!(numbers.insert(bug.number), "{block}: number {} is taken", bug.number);
        assert!(names.insert(&bug.name), "{block}: name {} is taken", bug.name);
        assert!(!bug.what.is_empty() && bug.cycles[0] <= bug.cycles[1], "{block}: {}", bug.name);
        let expected = !bug.shows.is_empty() || bug.ends.is_some();
        assert!(expected, "{block}: {}: nothing expected", bug.name);
    }
    list.bug
}
