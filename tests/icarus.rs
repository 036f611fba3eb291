//! The RTL with X: committed vectors in Icarus Verilog, whose registers and memories start
//! unknown. Verilator knows only 0 and 1; here an X on any output that counts is a mismatch.

#[path = "icarus/folder.rs"]
mod folder;
#[path = "icarus/planted.rs"]
mod planted;
#[path = "icarus/simulator.rs"]
mod simulator;
#[path = "icarus/testbench.rs"]
mod testbench;

use congruent::spread::spread;
use congruent_ports::{BLOCKS, Block};
use planted::{Bug, Shows, list};
use simulator::{Simulator, is_here};

#[test]
fn no_x_and_no_mismatch_on_the_committed_vectors() {
    if !is_here() {
        return;
    }
    let builds: Vec<_> = BLOCKS
        .iter()
        .flat_map(|block| folder::builds_of(block).into_iter().map(move |build| (*block, build)))
        .collect();
    let simulators = spread(builds.len(), |n| Simulator::new(builds[n].0, &builds[n].1, None));
    let runs: Vec<_> =
        simulators.iter().flat_map(|s| s.folders.iter().map(move |folder| (s, folder))).collect();
    spread(runs.len(), |n| {
        let (simulator, folder) = runs[n];
        let verdict = simulator.play(folder);
        assert!(verdict.passed(), "{}/{}:\n{}", simulator.block, folder.name, verdict.text);
    });
}

#[test]
fn planted_bugs_are_found_at_their_port() {
    if !is_here() {
        return;
    }
    let bugs: Vec<_> =
        BLOCKS.iter().flat_map(|b| list(b.name).into_iter().map(|bug| (*b, bug))).collect();
    for line in spread(bugs.len(), |n| found(bugs[n].0, &bugs[n].1)) {
        println!("{line}");
    }
}

/// Plays a bug; a line about how it shows.
fn found(block: &'static Block, bug: &Bug) -> String {
    let Bug { what, scenario, port, shows, says, .. } = bug;
    let simulator = Simulator::new(block, &folder::build_of(block, scenario), Some(bug));
    let verdict = simulator.play_named(scenario);
    let text = &verdict.text;
    assert!(!verdict.passed(), "{}: {what}: not found", block.name);
    let Some((first, got)) = verdict.mismatch() else { panic!("{}: {what}:\n{text}", block.name) };
    assert_eq!(first, port, "{}: {what}:\n{text}", block.name);
    let unknown = got.contains(['x', 'X']);
    let as_said = match shows {
        Shows::X => unknown,
        Shows::Wrong => !unknown,
        Shows::Assertion => !says.is_empty() && text.contains(says),
    };
    assert!(as_said, "{}: {what}:\n{text}", block.name);
    format!("{}: {what}: {}", block.name, text.trim().replace('\n', " | "))
}
