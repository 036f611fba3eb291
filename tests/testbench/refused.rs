//! What must end in FAIL although the RTL is good: folders that are not as they were written, or
//! not for this testbench; and RTL whose init_done never comes.

use crate::folders::folder;
use crate::planted::{Bug, Shows};
use crate::simulator::{Simulator, rtl};
use congruent_ports::rate_limiter::BLOCK;
use std::fs;
use std::path::{Path, PathBuf};

const SCENARIO: &str = "ecn_off";

/// Word of run.hex that holds the first parameter, QPS.
const FIRST_PARAM: usize = 10;

/// A change of a folder, and what the testbench must say of it.
struct Damage {
    name: &'static str,
    says: &'static str,
    change: fn(&Path),
}

const DAMAGES: &[Damage] = &[
    Damage {
        name: "cut_between_lines",
        says: "stimulus.hex holds 7 words: accepted is ",
        change: |folder| edit(folder, "stimulus.hex", |text| lines(text, 7)),
    },
    Damage {
        name: "cut_in_a_line",
        says: "hex digits and LF",
        change: |folder| edit(folder, "expected.hex", |text| text[..text.len() - 1].to_string()),
    },
    Damage {
        name: "one_word_more",
        says: "words: accepted is ",
        change: |folder| edit(folder, "expected.hex", |text| lines(text, 1) + text),
    },
    Damage {
        name: "line_ends",
        says: "stimulus.hex, line 1: accepted is ",
        change: |folder| edit(folder, "stimulus.hex", |text| text.replace('\n', "\r\n")),
    },
    Damage {
        name: "no_stimulus",
        says: "stimulus.hex cannot be opened",
        change: |folder| fs::remove_file(folder.join("stimulus.hex")).expect("is there"),
    },
    Damage {
        name: "no_run",
        says: "run.hex cannot be opened",
        change: |folder| fs::remove_file(folder.join("run.hex")).expect("is there"),
    },
    Damage {
        name: "newer_format",
        says: "run.hex: format_version is 3, and the testbench has 2",
        change: |folder| word(folder, 0, 3),
    },
    Damage {
        name: "another_block",
        says: "is of another block than rate_limiter",
        change: |folder| word(folder, 4, 0),
    },
    Damage {
        name: "other_parameters",
        says: "run.hex: QPS is 16, and the testbench has 8",
        change: |folder| word(folder, FIRST_PARAM, 16),
    },
    Damage {
        name: "another_table",
        says: "run.hex: bits of a word of stimulus.hex is 1, and the testbench has ",
        change: |folder| word(folder, 7, 1),
    },
    Damage {
        name: "pins_missing",
        says: " words: accepted is ",
        change: |folder| {
            edit(folder, "run.hex", |text| lines(text, FIRST_PARAM + BLOCK.params.len() + 1));
        },
    },
    Damage {
        name: "cut_short",
        says: "words are left after cycle 100",
        change: |folder| word(folder, 5, 100),
    },
    Damage {
        // EnableECN, which this scenario is without: the first CNP now starts an episode.
        name: "another_pin",
        says: "port upd_valid expected 0 got 1",
        change: |folder| {
            let pin = BLOCK.cfg.iter().position(|f| f.name == "cfg_enable_ecn").expect("a pin");
            word(folder, FIRST_PARAM + BLOCK.params.len() + pin, 1);
        },
    },
];

/// Changes a file of a folder.
fn edit(folder: &Path, file: &str, change: impl FnOnce(&str) -> String) {
    let path = folder.join(file);
    let text = fs::read_to_string(&path).expect("reads");
    fs::write(&path, change(&text)).expect("writes");
}

fn lines(text: &str, count: usize) -> String {
    text.lines().take(count).map(|line| format!("{line}\n")).collect()
}

/// Sets a word of run.hex.
fn word(folder: &Path, at: usize, value: u64) {
    edit(folder, "run.hex", |text| {
        let with = |(n, line): (usize, &str)| match n == at {
            true => format!("{value:016x}\n"),
            false => format!("{line}\n"),
        };
        text.lines().enumerate().map(with).collect()
    });
}

fn refuses(simulator: &Simulator) {
    let place = tempfile::tempdir().expect("a folder");
    let copy = |damage: &Damage| -> PathBuf {
        let to = place.path().join(damage.name);
        fs::create_dir(&to).expect("a folder");
        for entry in fs::read_dir(folder(&BLOCK, SCENARIO)).expect("a folder") {
            let file = entry.expect("an entry");
            fs::copy(file.path(), to.join(file.file_name())).expect("copies");
        }
        (damage.change)(&to);
        to
    };
    let folders: Vec<_> = DAMAGES.iter().map(copy).collect();
    let verdict = simulator.play(BLOCK.name, &folders, &rtl(&BLOCK, None, &place));
    let text = &verdict.text;
    assert_eq!(verdict.status, Some(1), "{text}");
    let mut said = text.as_str();
    for Damage { name, says, .. } in DAMAGES {
        let end = format!("{name}\n");
        let (before, after) = said.split_once(&end).unwrap_or_else(|| panic!("{name}:\n{text}"));
        assert!(before.contains(says), "{name}: `{says}` is not in:\n{before}");
        let last = before.lines().last().unwrap_or_default();
        assert!(last.starts_with("FAIL rate_limiter "), "{name}: {last}");
        said = after;
    }
}

#[test]
fn damaged_folders_fail_in_icarus() {
    if let Some(icarus) = Simulator::icarus() {
        refuses(&icarus);
    }
}

#[test]
fn damaged_folders_fail_in_verilator() {
    if let Some(verilator) = Simulator::verilator() {
        refuses(&verilator);
    }
}

#[test]
fn digits_that_are_none_fail() {
    let Some(icarus) = Simulator::icarus() else { return };
    let place = tempfile::tempdir().expect("a folder");
    for file in ["params.f", "run.hex", "expected.hex", "stimulus.hex"] {
        fs::copy(folder(&BLOCK, SCENARIO).join(file), place.path().join(file)).expect("copies");
    }
    edit(place.path(), "expected.hex", |text| text.replacen('0', "x", 1));
    let folders = [place.path().to_path_buf()];
    let verdict = icarus.play(BLOCK.name, &folders, &rtl(&BLOCK, None, &place));
    let text = &verdict.text;
    assert_eq!(verdict.status, Some(1), "{text}");
    assert!(text.contains("expected.hex, line 1: no number"), "{text}");
}

#[test]
fn an_init_done_that_never_comes_fails() {
    let Some(icarus) = Simulator::icarus() else { return };
    let never = Bug {
        what: "init_done never comes".into(),
        file: "prim/sweep.sv".into(),
        find: "init_done   <= 1'b1;".into(),
        replace: "init_done   <= 1'b0;".into(),
        scenario: SCENARIO.into(),
        port: "init_done".into(),
        shows: Shows::Wrong,
        says: String::new(),
    };
    println!("{}", crate::found(&icarus, &BLOCK, &never));
}
