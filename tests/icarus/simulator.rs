//! Icarus Verilog: whether it is here, a compiled testbench, and what a run of it says.

use crate::folder::{self, Folder};
use crate::planted::Bug;
use crate::testbench;
use congruent_ports::{Block, Layout};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// Whether Icarus Verilog is on PATH. Says so where it is not.
pub fn is_here() -> bool {
    let here = Command::new("iverilog").arg("-V").output().is_ok();
    if !here {
        println!("skipped: iverilog is not installed (apt-get install iverilog)");
    }
    here
}

/// A block and its testbench, compiled; the folders that it can play.
pub struct Simulator {
    /// Name of the block.
    pub block: &'static str,
    place: TempDir,
    /// Committed folders of the build.
    pub folders: Vec<Folder>,
}

impl Simulator {
    /// Compiles a block's RTL with assertions, for the folders of a built-in parameter set.
    pub fn new(block: &'static Block, build: &str, bug: Option<&Bug>) -> Self {
        let place = tempfile::tempdir().expect("a folder");
        let folders = folder::of_build(block, build);
        let layout = Layout::new(block, &folders[0].params);
        let bench = place.path().join("testbench.sv");
        std::fs::write(&bench, testbench::write(&layout, &folders)).expect("writes");
        let sources = block.rtl.iter().map(|file| source(place.path(), file, bug));
        let mut command = Command::new("iverilog");
        command.args(["-g2012", "-DCONGRUENT_ASSERT"]);
        command.args(["-s", "testbench", "-o"]).arg(program(place.path()));
        command.args(sources.collect::<Vec<_>>()).arg(&bench);
        let (ok, text) = run(&mut command);
        assert!(ok, "{command:?}:\n{text}");
        Self { block: block.name, place, folders }
    }

    /// Plays a folder.
    pub fn play(&self, folder: &Folder) -> Verdict {
        let mut command = Command::new("vvp");
        // -N: a mistake in the testbench ends the run instead of asking at the terminal.
        command.arg("-N").arg(program(self.place.path()));
        for (name, words) in [("stimulus", &folder.stimulus), ("expected", &folder.expected)] {
            command.arg(format!("+{name}={}", words.path.display()));
            command.arg(format!("+{name}_words={}", words.words));
        }
        command.arg(format!("+cycles={}", folder.cycles));
        command.args(folder.cfg.iter().map(|(name, value)| format!("+{name}={value:x}")));
        Verdict { text: run(&mut command).1 }
    }

    /// Plays the folder of a scenario.
    pub fn play_named(&self, scenario: &str) -> Verdict {
        let folder = self.folders.iter().find(|folder| folder.name == scenario);
        self.play(folder.unwrap_or_else(|| panic!("no scenario {scenario}")))
    }
}

/// The RTL file to compile: the project's own, or a changed copy.
fn source(place: &Path, file: &str, bug: Option<&Bug>) -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("rtl").join(file);
    let Some(Bug { find, replace, .. }) = bug.filter(|bug| bug.file == file) else {
        return own;
    };
    let text = std::fs::read_to_string(&own).expect("an RTL file");
    assert_eq!(text.matches(find).count(), 1, "{file} must hold `{find}` once");
    let copy = place.join(own.file_name().expect("a name"));
    std::fs::write(&copy, text.replace(find, replace)).expect("writes");
    copy
}

fn program(place: &Path) -> PathBuf {
    place.join("testbench.vvp")
}

/// Whether a program ended well, and all that it printed.
fn run(command: &mut Command) -> (bool, String) {
    let Output { status, stdout, stderr } =
        command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let text = [stdout, stderr].concat();
    (status.success(), String::from_utf8_lossy(&text).into_owned())
}

/// What a run printed.
pub struct Verdict {
    /// All of it.
    pub text: String,
}

impl Verdict {
    /// PASS, and nothing else: no mismatch, no assertion, no warning.
    pub fn passed(&self) -> bool {
        self.text.trim() == "PASS"
    }

    /// Port of the mismatch that ended the run, and what the port showed, in hex.
    pub fn mismatch(&self) -> Option<(&str, &str)> {
        self.text.lines().find(|line| *line == "FAIL")?;
        let line = self.text.lines().find(|line| line.starts_with("mismatch: "))?;
        let words: Vec<_> = line.split(' ').collect();
        match words[..] {
            ["mismatch:", "cycle", _, "port", port, "expected", _, "got", got] => Some((port, got)),
            _ => None,
        }
    }
}
