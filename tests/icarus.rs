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

use congruent_ports::rate_limiter::BLOCK;
use planted::{PLANTED, Shows};
use simulator::{Simulator, is_here};

#[test]
fn no_x_and_no_mismatch_on_the_committed_vectors() {
    if !is_here() {
        return;
    }
    for build in BLOCK.builds {
        let simulator = Simulator::new(&BLOCK, build.name, &[]);
        for folder in &simulator.folders {
            let verdict = simulator.play(folder);
            assert!(verdict.passed(), "{}:\n{}", folder.name, verdict.text);
        }
    }
}

#[test]
fn planted_bugs_are_found_at_their_port() {
    if !is_here() {
        return;
    }
    for bug in PLANTED {
        let simulator = Simulator::new(&BLOCK, "short", &[bug.edit]);
        let verdict = simulator.play_named(bug.scenario);
        let text = &verdict.text;
        assert!(!verdict.passed(), "{}: not found", bug.what);
        let Some((port, got)) = verdict.mismatch() else { panic!("{}:\n{text}", bug.what) };
        assert_eq!(port, bug.port, "{}:\n{text}", bug.what);
        match bug.shows {
            Shows::X => assert!(got.contains(['x', 'X']), "{}:\n{text}", bug.what),
            Shows::Wrong => assert!(!got.contains(['x', 'X']), "{}:\n{text}", bug.what),
            Shows::Assertion(says) => assert!(text.contains(says), "{}:\n{text}", bug.what),
        }
        println!("{}: {}", bug.what, text.trim().replace('\n', " | "));
    }
}
