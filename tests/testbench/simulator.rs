//! The simulators that the tests play in, each through `testbenches/sv/run.sh`.

use crate::planted::Bug;
use congruent_ports::Block;
use congruent_verilate::{Compiler, Search, Verilator};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// A file or folder of the project.
pub fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// A simulator that is installed.
pub struct Simulator {
    name: &'static str,
    environment: Vec<(&'static str, OsString)>,
}

impl Simulator {
    /// Icarus Verilog, from PATH. Says so where it is not there.
    pub fn icarus() -> Option<Self> {
        if Command::new("iverilog").arg("-V").output().is_err() {
            println!("skipped: iverilog is not installed (apt-get install iverilog)");
            return None;
        }
        Some(Self { name: "icarus", environment: vec![] })
    }

    /// The Verilator that the project is built with.
    pub fn verilator() -> Option<Self> {
        let search = Search::new(&project(""));
        match Verilator::find(&search) {
            Ok(verilator) => Self::binary(&verilator, &search),
            Err(error) => {
                println!("skipped: {error}");
                None
            }
        }
    }

    /// The oldest Verilator that serves, where a system has one.
    pub fn old_verilator() -> Option<Self> {
        let named = std::env::var_os("CONGRUENT_OLD_VERILATOR");
        let path = named.unwrap_or_else(|| "/usr/bin/verilator_bin".into());
        if !Path::new(&path).is_file() {
            println!(
                "skipped: no Verilator at /usr/bin/verilator_bin or in CONGRUENT_OLD_VERILATOR"
            );
            return None;
        }
        let search = Search { verilator: Some(path), ..Search::new(&project("")) };
        let verilator = Verilator::find(&search).unwrap_or_else(|e| panic!("{e}"));
        Self::binary(&verilator, &search)
    }

    fn binary(verilator: &Verilator, search: &Search) -> Option<Self> {
        if Command::new("make").arg("--version").output().is_err() {
            println!("skipped: make is not installed, and Verilator's --binary needs it");
            return None;
        }
        let compiler = Compiler::find(search).unwrap_or_else(|e| panic!("{e}"));
        let tools = format!("{} {}", verilator.identity, compiler.version);
        let name: String =
            tools.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let objects = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("objects_{name}"));
        fs::create_dir_all(&objects).expect("a folder");
        // A package for Python knows nothing of the compiler's coroutines.
        let clang = compiler.version.contains("clang");
        let coroutines = if clang { "" } else { " -CFLAGS -fcoroutines" };
        let environment = vec![
            ("VERILATOR", verilator.bin.clone().into()),
            ("VERILATOR_ROOT", verilator.root.clone().into()),
            ("VERILATOR_FLAGS", format!("-CFLAGS -std=c++20{coroutines}").into()),
            ("OBJCACHE", project("tests/testbench/objcache.sh").into()),
            ("CONGRUENT_OBJECTS", objects.into()),
        ];
        Some(Self { name: "verilator", environment })
    }

    /// Plays folders into RTL.
    pub fn play(&self, block: &str, folders: &[PathBuf], rtl: &[OsString]) -> Verdict {
        let mut command = Command::new(project("testbenches/sv/run.sh"));
        command.args([self.name, block]).args(folders).args(rtl);
        command.envs(self.environment.iter().cloned());
        let Output { status, stdout, stderr } =
            command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
        let text = String::from_utf8_lossy(&[stdout, stderr].concat()).into_owned();
        Verdict { status: status.code(), text, folders: folders.len() }
    }
}

/// What `run.sh` said.
pub struct Verdict {
    /// Its exit status.
    pub status: Option<i32>,
    /// All that it printed.
    pub text: String,
    folders: usize,
}

impl Verdict {
    /// PASS for each folder, and nothing else: no mismatch, no assertion, no warning.
    pub fn passed(&self) -> bool {
        let all = self.text.lines().count() == self.folders;
        self.status == Some(0) && all && self.text.lines().all(|line| line.starts_with("PASS "))
    }

    /// Port of the first mismatch, and what the port showed, in hex.
    pub fn mismatch(&self) -> Option<(&str, &str)> {
        let failed = self.text.lines().any(|line| line.starts_with("FAIL "));
        if self.status != Some(1) || !failed {
            return None;
        }
        let line = self.text.lines().find(|line| line.starts_with("mismatch: "))?;
        let words: Vec<_> = line.split(' ').collect();
        match words[..] {
            ["mismatch:", "cycle", _, "port", port, "expected", _, "got", got] => Some((port, got)),
            _ => None,
        }
    }
}

/// A block's RTL with its assertions, as arguments of a compiler.
pub fn rtl(block: &Block, bug: Option<&Bug>, place: &TempDir) -> Vec<OsString> {
    let files = sources(block, bug, place).into_iter().map(OsString::from);
    [OsString::from("-DCONGRUENT_ASSERT")].into_iter().chain(files).collect()
}

/// A block's RTL. A file with a bug is a copy in `place`.
pub fn sources(block: &Block, bug: Option<&Bug>, place: &TempDir) -> Vec<PathBuf> {
    let file = |file: &&str| {
        let own = project("rtl").join(file);
        let Some(Bug { find, replace, .. }) = bug.filter(|bug| bug.file == **file) else {
            return own;
        };
        let text = fs::read_to_string(&own).expect("an RTL file");
        assert_eq!(text.matches(find).count(), 1, "{file} must hold `{find}` once");
        let copy = place.path().join(own.file_name().expect("a name"));
        fs::write(&copy, text.replace(find, replace)).expect("writes");
        copy
    };
    block.rtl.iter().map(file).collect()
}
