//! The list of bugs to be planted in the RTL: `bugs.toml`.

pub mod play;
pub mod rewrite;

use serde::Deserialize;
use std::collections::HashSet;

/// One bug, and where it must show. The fields are explained on top of `bugs.toml`.
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
struct List {
    bug: Vec<Bug>,
}

/// The bugs, each with a number and a name of its own; 0 is the number of none.
pub fn list() -> Vec<Bug> {
    let list: List =
        toml::from_str(include_str!("bugs.toml")).unwrap_or_else(|e| panic!("bugs.toml: {e}"));
    let mut numbers = HashSet::from([0]);
    let mut names = HashSet::new();
    for bug in &list.bug {
        assert!(numbers.insert(bug.number), "number {} is taken", bug.number);
        assert!(names.insert(&bug.name), "name {} is taken", bug.name);
        assert!(!bug.what.is_empty() && bug.cycles[0] <= bug.cycles[1], "{}", bug.name);
        assert!(!bug.shows.is_empty() || bug.ends.is_some(), "{}: nothing expected", bug.name);
    }
    list.bug
}
