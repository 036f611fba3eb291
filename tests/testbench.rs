//! The replay testbenches of `testbenches/sv`: all committed vectors on the RTL in Icarus Verilog,
//! whose registers and memories start unknown, and some in Verilator's --binary; bugs that each must
//! find; folders that it must refuse; and the netlists.

#[path = "testbench/folders.rs"]
mod folders;
#[path = "testbench/netlists.rs"]
mod netlists;
#[path = "testbench/planted.rs"]
mod planted;
#[path = "testbench/refused.rs"]
mod refused;
#[path = "testbench/simulator.rs"]
mod simulator;

use congruent::spread::spread;
use congruent_ports::{BLOCKS, Block};
use folders::{by_params, folder};
use planted::{Bug, Shows, list};
use simulator::{Simulator, project, rtl};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// The command with these arguments: exit status and what it prints.
fn congruent(args: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_congruent")).args(args).output().expect("runs");
    let text = [output.stdout, output.stderr].concat();
    (output.status.code().expect("a status"), String::from_utf8_lossy(&text).into_owned())
}

#[test]
fn committed_testbenches_are_current() {
    let place = project("testbenches/sv");
    let (status, text) = congruent(&["testbench", "verify", place.to_str().expect("UTF-8")]);
    assert_eq!(status, 0, "{text}");
}

#[test]
fn a_testbench_that_drifted_is_named_and_made_anew() {
    let place = tempfile::tempdir().expect("a folder");
    let dir = place.path().join("new").to_str().expect("UTF-8").to_string();
    let (status, text) = congruent(&["testbench", "generate", "--out", &dir]);
    assert_eq!(status, 0, "{text}");
    let file = place.path().join("new/rate_limiter_tb.sv");
    let sound = fs::read_to_string(&file).expect("reads");
    let width = "localparam int W_REQ_QP = QP_W;";
    assert!(sound.contains(width));
    fs::write(&file, sound.replace(width, "localparam int W_REQ_QP = 12;")).expect("writes");
    let (status, text) = congruent(&["testbench", "verify", &dir]);
    assert_eq!(status, 1, "{text}");
    for part in ["rate_limiter_tb.sv: line ", "W_REQ_QP = 12", width, "1 stale"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let (status, text) = congruent(&["testbench", "generate", "--out", &dir, "rate_limiter"]);
    assert_eq!(status, 0, "{text}");
    assert_eq!(fs::read_to_string(&file).expect("reads"), sound);
}

/// Folders that one call of the simulator plays: it compiles for each call.
const FOLDERS: usize = 8;

#[test]
fn no_x_and_no_mismatch_on_the_committed_vectors_in_icarus() {
    let Some(icarus) = Simulator::icarus() else { return };
    let mut runs: Vec<(&Block, Vec<PathBuf>)> = vec![];
    for block in BLOCKS {
        for group in by_params(block) {
            runs.extend(group.chunks(FOLDERS).map(|some| (*block, some.to_vec())));
        }
    }
    spread(runs.len(), |n| passes(&icarus, runs[n].0, &runs[n].1));
}

/// The parameters that most folders are for: small tables, where collisions and wraps come soon.
#[test]
fn no_mismatch_in_verilator() {
    let Some(verilator) = Simulator::verilator() else { return };
    spread(BLOCKS.len(), |n| {
        let groups = by_params(BLOCKS[n]);
        let most = groups.iter().max_by_key(|group| group.len()).expect("a group");
        passes(&verilator, BLOCKS[n], most);
    });
}

#[test]
#[ignore = "takes a minute; make test-long runs it"]
fn no_mismatch_in_the_oldest_verilator() {
    let Some(verilator) = Simulator::old_verilator() else { return };
    spread(BLOCKS.len(), |n| passes(&verilator, BLOCKS[n], &by_params(BLOCKS[n])[0]));
}

fn passes(simulator: &Simulator, block: &Block, folders: &[PathBuf]) {
    let place = tempfile::tempdir().expect("a folder");
    let verdict = simulator.play(block.name, folders, &rtl(block, None, &place));
    assert!(verdict.passed(), "{}, status {:?}:\n{}", block.name, verdict.status, verdict.text);
}

#[test]
fn planted_bugs_are_found_at_their_port_in_icarus() {
    let Some(icarus) = Simulator::icarus() else { return };
    let bugs: Vec<_> =
        BLOCKS.iter().flat_map(|b| list(b.name).into_iter().map(|bug| (*b, bug))).collect();
    for line in spread(bugs.len(), |n| found(&icarus, bugs[n].0, &bugs[n].1)) {
        println!("{line}");
    }
}

/// One that needs neither X nor an assertion.
#[test]
fn a_planted_bug_of_each_block_is_found_in_verilator() {
    let Some(verilator) = Simulator::verilator() else { return };
    for line in spread(BLOCKS.len(), |n| {
        let bugs = list(BLOCKS[n].name);
        let wrong = bugs.iter().find(|bug| matches!(bug.shows, Shows::Wrong));
        let bug = wrong.unwrap_or_else(|| panic!("{}: no bug shows \"wrong\"", BLOCKS[n].name));
        found(&verilator, BLOCKS[n], bug)
    }) {
        println!("{line}");
    }
}

/// Plays a bug; a line about how it shows.
fn found(simulator: &Simulator, block: &'static Block, bug: &Bug) -> String {
    let Bug { what, scenario, port, shows, says, .. } = bug;
    let place = tempfile::tempdir().expect("a folder");
    let rtl = rtl(block, Some(bug), &place);
    let verdict = simulator.play(block.name, &[folder(block, scenario)], &rtl);
    let text = &verdict.text;
    assert_eq!(verdict.status, Some(1), "{}: {what}: not found:\n{text}", block.name);
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
