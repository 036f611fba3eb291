//! Plants all bugs in a copy of the RTL, each behind a run-time selector: one model for all.

use super::Bug;
use super::selector::SELECTOR;
use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Writes the files of `names` from `rtl` into `folder` with the bugs planted. Returns them in
/// order, the selector before them.
pub fn rewrite(rtl: &Path, names: &[&str], bugs: &[Bug], folder: &Path) -> Vec<PathBuf> {
    let selector = folder.join("congruent_bug.sv");
    write(&selector, SELECTOR);
    let mut files = vec![selector];
    for bug in bugs {
        assert!(names.contains(&bug.file.as_str()), "{}: no file {}", bug.name, bug.file);
    }
    for name in names {
        let text = fs::read_to_string(rtl.join(name)).expect("the RTL reads");
        let here: Vec<_> = bugs.iter().filter(|bug| bug.file == *name).collect();
        let path = folder.join(name);
        write(&path, &plant(&text, &here));
        files.push(path);
    }
    files
}

/// A text with the bugs planted. Bugs at one place become a chain of choices.
pub fn plant(text: &str, bugs: &[&Bug]) -> String {
    let mut places: BTreeMap<usize, (Range<usize>, String)> = BTreeMap::new();
    for bug in bugs {
        let range = place(text, bug);
        let place = places
            .entry(range.start)
            .or_insert_with(|| (range.clone(), text[range.clone()].to_string()));
        assert_eq!(place.0, range, "{}: overlaps another bug", bug.name);
        let (number, replace, rest) = (bug.number, bug.replace.trim(), &place.1);
        place.1 = if bug.statement {
            format!(
                "if (congruent_bug::selected == {number}) begin {replace} end else begin {rest} end"
            )
        } else {
            format!("((congruent_bug::selected == {number}) ? ({replace}) : ({rest}))")
        };
    }
    let mut planted = String::new();
    let mut at = 0;
    for (range, choice) in places.values() {
        assert!(range.start >= at, "bugs overlap at `{}`", &text[range.clone()]);
        planted += &text[at..range.start];
        planted += choice;
        at = range.end;
    }
    planted + &text[at..]
}

/// What a bug replaces.
fn place(text: &str, bug: &Bug) -> Range<usize> {
    let (before, marked) = bug.find.split_once('«').unwrap_or(("", &bug.find));
    let (marked, after) = marked.split_once('»').unwrap_or((marked, ""));
    let find = [before, marked, after].concat();
    let found: Vec<_> = text.match_indices(&find).map(|(at, _)| at).collect();
    assert_eq!(found.len(), 1, "{}: `{find}` must occur once in {}", bug.name, bug.file);
    let start = found[0] + before.len();
    start..start + marked.len()
}

fn write(path: &Path, text: &str) {
    let folder = path.parent().expect("a file in a folder");
    fs::create_dir_all(folder).expect("a folder for the planted RTL");
    fs::write(path, text).expect("the planted RTL is written");
}
