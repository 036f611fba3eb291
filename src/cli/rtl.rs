//! `--rtl` and what belongs to it: the options that name a design of one's own.

use crate::check::quoted;
use crate::dut::{ChildOptions, Start};
use crate::error::{Error, Result};
use clap::{ArgGroup, ValueEnum};
use congruent_verilate::{Profile, Relative, Sources, Verilator};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A design in place of the project's own RTL, to be flattened into the options of a subcommand.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "RTL of your own")]
pub struct RtlArgs {
    /// What names it.
    #[command(flatten)]
    pub design: DesignArgs,
    /// TOML file that says which port is which (docs/map.md); not needed where names are the table's
    #[arg(long, value_name = "MAP.toml", requires = "design")]
    pub map: Option<PathBuf>,
    /// How the C++ of the RTL is compiled: soon built, or fast to run
    #[arg(long, value_enum, value_name = "HOW", default_value_t, requires = "design")]
    pub profile: ProfileArg,
    /// How long the RTL may take for one cycle before it is stopped, as `500ms` or `2m` [default: 30s]
    #[arg(long, value_name = "TIME", value_parser = patience, requires = "design")]
    pub timeout: Option<Duration>,
    /// Values of registers and memories before reset, at the start and again for every other leg or
    /// case; `all` plays with each of them
    #[arg(
        long,
        value_name = "zeros|ones|random[=SEED]|all",
        value_parser = StartArg::parse,
        default_value = "all",
        requires = "design"
    )]
    pub start: StartArg,
    /// Plusarg for the RTL, as `bug=7` for `$value$plusargs("bug=%d", n)`; may be repeated
    #[arg(long, value_name = "NAME[=VALUE]", requires = "design")]
    pub plusarg: Vec<String>,
    /// Build anew, whatever the cache holds; what it holds for 30 days unused goes by itself
    #[arg(long, requires = "design")]
    pub clean: bool,
}

/// What names a design and is given to Verilator.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(group = ArgGroup::new("design").multiple(true).args(["rtl", "files", "relative_files"]))]
pub struct DesignArgs {
    /// SystemVerilog files, in compilation order
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub rtl: Vec<PathBuf>,
    /// Top module; may be left out where only one is instantiated by no other
    #[arg(long, value_name = "NAME", requires = "design")]
    pub top: Option<String>,
    /// List of files and options, paths relative to the working folder; may be repeated
    #[arg(short = 'f', long, value_name = "LIST")]
    pub files: Vec<PathBuf>,
    /// The same, paths relative to the folder of the list
    #[arg(short = 'F', long, value_name = "LIST")]
    pub relative_files: Vec<PathBuf>,
    /// Folder in which included files are looked for; may be repeated
    #[arg(long, value_name = "DIR", requires = "design")]
    pub include: Vec<PathBuf>,
    /// Folder in which modules are looked for that no file defines; may be repeated
    #[arg(long, value_name = "DIR", requires = "design")]
    pub library: Vec<PathBuf>,
    /// Macro, as `WIDTH=8`; may be repeated
    #[arg(long, value_name = "NAME[=VALUE]", requires = "design")]
    pub define: Vec<String>,
    /// Parameter of the top module, as `DEPTH=16`; may be repeated
    #[arg(long, value_name = "NAME=VALUE", requires = "design")]
    pub rtl_param: Vec<String>,
    /// Further flag for Verilator, as `-Wno-WIDTH`; may be repeated
    #[arg(long, value_name = "FLAG", allow_hyphen_values = true, requires = "design")]
    pub verilator_flag: Vec<String>,
}

/// How the C++ is compiled.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum ProfileArg {
    /// The build is over soon: edit and check.
    #[default]
    Quick,
    /// The RTL runs fast: long runs.
    Fast,
}

/// Start values.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum StartArg {
    /// All bits 0.
    Zeros,
    /// All bits 1.
    Ones,
    /// Random bits, from the seed of the run or one of their own.
    Random(Option<u64>),
    /// A run with each.
    #[default]
    All,
}

/// A time that something can be waited for.
fn patience(text: &str) -> Result<Duration, String> {
    match humantime::parse_duration(text) {
        Ok(time) if time >= Duration::from_millis(1) => Ok(time),
        Ok(_) => Err("accepted is a time above 0, as 500ms, 30s or 2m".to_string()),
        Err(why) => Err(format!("{why}; accepted is a time, as 500ms, 30s or 2m")),
    }
}

impl StartArg {
    fn parse(text: &str) -> Result<Self, String> {
        match (text, text.strip_prefix("random=").map(str::parse)) {
            ("zeros", _) => Ok(Self::Zeros),
            ("ones", _) => Ok(Self::Ones),
            ("random", _) => Ok(Self::Random(None)),
            ("all", _) => Ok(Self::All),
            (_, Some(Ok(seed))) => Ok(Self::Random(Some(seed))),
            _ => Err("accepted is zeros, ones, random, random=SEED or all".to_string()),
        }
    }
}

impl DesignArgs {
    /// Whether a design is named.
    pub fn is_given(&self) -> bool {
        !self.rtl.is_empty() || !self.files.is_empty() || !self.relative_files.is_empty()
    }

    /// What Verilator is given: what the lists name, then what the command line does. The top is
    /// looked for where none is named.
    ///
    /// # Errors
    /// A list that cannot be read, a parameter without a value; sources that are not there, or more
    /// than one module that could be the top.
    pub fn sources(&self, verilator: &Verilator) -> Result<Sources> {
        let mut sources = Sources::default();
        for (lists, relative) in
            [(&self.files, Relative::Working), (&self.relative_files, Relative::List)]
        {
            for list in lists {
                sources.read_list(list, relative)?;
            }
        }
        for text in &self.rtl_param {
            let pair = text.split_once('=').ok_or_else(|| {
                Error::input(
                    format!("--rtl-param {text}: there is no `=` in it"),
                    "accepted is a name and a value, as --rtl-param DEPTH=16",
                )
            })?;
            sources.params.push((pair.0.trim().to_string(), pair.1.trim().to_string()));
        }
        let define = |text: &String| match text.split_once('=') {
            Some((name, value)) => (name.to_string(), Some(value.to_string())),
            None => (text.clone(), None),
        };
        sources.files.extend(self.rtl.iter().cloned());
        sources.include_dirs.extend(self.include.iter().cloned());
        sources.library_dirs.extend(self.library.iter().cloned());
        sources.defines.extend(self.define.iter().map(define));
        sources.flags.extend(self.verilator_flag.iter().cloned());
        if let Some(top) = &self.top {
            sources.top.clone_from(top);
        }
        if sources.top.is_empty() {
            sources.top = congruent_verilate::top(verilator, &sources)?;
        }
        Ok(sources)
    }

    /// The options as they were written, each with a blank before it.
    pub fn flags(&self) -> String {
        let mut flags = String::new();
        if !self.rtl.is_empty() {
            flags += " --rtl";
            flags.extend(self.rtl.iter().map(|file| format!(" {}", quoted(file))));
        }
        if let Some(top) = &self.top {
            flags += &flag("--top", top);
        }
        for (name, paths) in [
            ("-f", &self.files),
            ("-F", &self.relative_files),
            ("--include", &self.include),
            ("--library", &self.library),
        ] {
            flags.extend(paths.iter().map(|path| format!(" {name} {}", quoted(path))));
        }
        for (name, values) in [("--define", &self.define), ("--rtl-param", &self.rtl_param)] {
            flags.extend(values.iter().map(|value| flag(name, value)));
        }
        // A flag of Verilator begins with a hyphen itself.
        flags.extend(self.verilator_flag.iter().map(|f| format!(" --verilator-flag={}", word(f))));
        flags
    }
}

impl RtlArgs {
    /// Whether a design is named.
    pub fn is_given(&self) -> bool {
        self.design.is_given()
    }

    /// How the C++ is compiled.
    pub fn profile(&self) -> Profile {
        match self.profile {
            ProfileArg::Quick => Profile::Quick,
            ProfileArg::Fast => Profile::Fast,
        }
    }

    /// How the program of the RTL is run.
    pub fn options(&self) -> ChildOptions {
        let mut options = ChildOptions::default();
        if let Some(timeout) = self.timeout {
            options.timeout = timeout;
        }
        let plus = |text: &String| format!("+{}", text.trim_start_matches('+'));
        options.plusargs = self.plusarg.iter().map(plus).collect();
        options
    }

    /// The start values that are asked for; random ones from a seed.
    pub fn starts(&self, seed: u64) -> Vec<Start> {
        match self.start {
            StartArg::Zeros => vec![Start::Zeros],
            StartArg::Ones => vec![Start::Ones],
            StartArg::Random(own) => vec![Start::Random(own.unwrap_or(seed))],
            StartArg::All => vec![Start::Zeros, Start::Ones, Start::Random(seed)],
        }
    }

    /// The options as they were written, each with a blank before it: what a command needs to run
    /// the same RTL again. Start values are for whoever makes several runs of them to add.
    pub fn flags(&self) -> String {
        let mut flags = self.design.flags();
        if let Some(map) = &self.map {
            flags += &format!(" --map {}", quoted(map));
        }
        if self.profile == ProfileArg::Fast {
            flags += " --profile fast";
        }
        if let Some(timeout) = self.timeout {
            flags += &flag("--timeout", &humantime::format_duration(timeout).to_string());
        }
        flags.extend(self.plusarg.iter().map(|value| flag("--plusarg", value)));
        flags
    }
}

fn flag(name: &str, value: &str) -> String {
    format!(" {name} {}", word(value))
}

/// A word as a shell takes it in one piece.
fn word(text: &str) -> String {
    quoted(Path::new(text))
}
