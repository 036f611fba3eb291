//! The errors that reach a user, and the exit status of each kind.

use crate::dut::DutEnd;
use std::path::PathBuf;
use thiserror::Error as ThisError;

/// A result of the harness.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Exit status of the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Congruent, or done.
    Ok = 0,
    /// Model and DUT diverged, or a run was vacuous.
    Diverged = 1,
    /// Bad input or usage.
    Usage = 2,
    /// A tool is missing.
    MissingTool = 3,
}

/// What went wrong, for people: what, the value, what is accepted, what to do.
#[derive(Debug, ThisError)]
pub enum Error {
    /// Something the user gave is not right.
    #[error("{message}")]
    Input {
        /// What is wrong: file, line or field, and the value.
        message: String,
        /// What is accepted, or what to do.
        help: Option<String>,
    },
    /// A file or folder could not be read or written.
    #[error("cannot {action} {}: {reason}", path.display())]
    File {
        /// `read`, `write`, `create` …
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Why.
        reason: String,
        /// What to do.
        help: Option<String>,
    },
    /// A tool that is needed is not there.
    #[error("{message}")]
    MissingTool {
        /// Which, and what was found instead.
        message: String,
        /// The command that installs it.
        help: Option<String>,
    },
    /// The DUT could not be built or run.
    #[error("{message}")]
    Dut {
        /// What happened.
        message: String,
        /// What to do.
        help: Option<String>,
    },
    /// The RTL ended before it was asked to.
    #[error("{message}")]
    Ended {
        /// Where, how, and what it printed.
        message: String,
    },
    /// The run was stopped from outside.
    #[error("interrupted: nothing was written")]
    Interrupted,
}

impl Error {
    /// Bad input, with what is accepted.
    pub fn input(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Input { message: message.into(), help: Some(help.into()) }
    }

    /// Bad input that says all by itself.
    pub fn plain(message: impl Into<String>) -> Self {
        Self::Input { message: message.into(), help: None }
    }

    /// A file that could not be read, written, created …
    pub fn file(action: &'static str, path: impl Into<PathBuf>, reason: impl ToString) -> Self {
        Self::File { action, path: path.into(), reason: reason.to_string(), help: None }
    }

    /// RTL that ended in this cycle of a run.
    pub fn ended(cycle: u64, end: &DutEnd) -> Self {
        Self::Ended { message: format!("cycle {cycle}: {end}") }
    }

    /// What is accepted, or what to do.
    pub fn help(&self) -> Option<&str> {
        match self {
            Self::Input { help, .. }
            | Self::File { help, .. }
            | Self::MissingTool { help, .. }
            | Self::Dut { help, .. } => help.as_deref(),
            Self::Ended { .. } | Self::Interrupted => None,
        }
    }

    /// Exit status for this error.
    pub fn exit(&self) -> Exit {
        match self {
            Self::MissingTool { .. } => Exit::MissingTool,
            Self::Ended { .. } => Exit::Diverged,
            _ => Exit::Usage,
        }
    }
}

impl From<congruent_hw::attributes::AttributeError> for Error {
    fn from(error: congruent_hw::attributes::AttributeError) -> Self {
        Self::plain(error.to_string())
    }
}

impl From<congruent_ports::ParamError> for Error {
    fn from(error: congruent_ports::ParamError) -> Self {
        Self::plain(error.to_string())
    }
}

impl From<congruent_verilate::FindError> for Error {
    fn from(error: congruent_verilate::FindError) -> Self {
        // Its first line says what is missing, the others what to do.
        let text = error.to_string();
        match text.split_once('\n') {
            Some((what, help)) => Self::MissingTool {
                message: what.to_string(),
                help: Some(help.trim_start().to_string()),
            },
            None => Self::MissingTool { message: text, help: None },
        }
    }
}

impl From<congruent_verilate::Error> for Error {
    fn from(error: congruent_verilate::Error) -> Self {
        match error {
            congruent_verilate::Error::Find(error) => error.into(),
            congruent_verilate::Error::Refused { message, help } => Self::input(message, help),
            error => Self::Dut { message: error.to_string(), help: None },
        }
    }
}

impl From<DutEnd> for Error {
    fn from(end: DutEnd) -> Self {
        if !end.end.is_of_the_rtl() {
            return Self::Dut { message: end.to_string(), help: None };
        }
        match end.during.text() {
            Some(place) => Self::Ended { message: format!("{place}: {end}") },
            None => Self::Ended { message: end.to_string() },
        }
    }
}
