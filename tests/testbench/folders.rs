//! The committed folders of vector files.

use crate::simulator::project;
use congruent_ports::Block;
use std::fs;
use std::path::PathBuf;

/// The folder of a scenario.
pub fn folder(block: &Block, scenario: &str) -> PathBuf {
    project("vectors").join(block.name).join(scenario)
}

/// Every committed folder of a block, those of the same parameters together, by name.
pub fn by_params(block: &Block) -> Vec<Vec<PathBuf>> {
    let root = project("vectors").join(block.name);
    let entries = fs::read_dir(&root).unwrap_or_else(|e| panic!("{}: {e}", root.display()));
    let mut all: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    all.sort();
    let mut groups: Vec<(String, Vec<PathBuf>)> = vec![];
    for path in all {
        let file = path.join("params.f");
        let params =
            fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        match groups.iter_mut().find(|(known, _)| *known == params) {
            Some((_, group)) => group.push(path),
            None => groups.push((params, vec![path])),
        }
    }
    assert!(!groups.is_empty(), "{} holds no folder", root.display());
    groups.into_iter().map(|(_, group)| group).collect()
}
