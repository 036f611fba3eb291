//! How a device under test ends before it was asked to.

use std::fmt;

/// What ended it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum End {
    /// `$finish`.
    #[error("the RTL called $finish")]
    Finish,
    /// `$stop`, `$error` or a failed assertion.
    #[error("the RTL stopped: a failed assertion, $error or $stop")]
    Stop,
    /// `$fatal`, or the simulation cannot go on (a loop that does not settle).
    #[error("the RTL stopped for good: $fatal, or logic that does not settle")]
    Fatal,
    /// Reset is over and the block is not ready.
    #[error("init_done did not rise within {cycles} cycles after reset")]
    NotReady {
        /// Idle cycles waited.
        cycles: u64,
    },
    /// No such model is linked in.
    #[error(
        "no RTL named `{name}` is built into this program; it has: {}",
        if .linked.is_empty() { "none" } else { .linked.as_str() }
    )]
    NotLinked {
        /// The name asked for.
        name: String,
        /// The names that there are.
        linked: String,
    },
    /// The process of the model ended.
    #[error("the simulation process {how}")]
    Died {
        /// Its status or signal.
        how: String,
    },
    /// The process of the model does not answer.
    #[error("the simulation process gave no answer within {seconds} s and was stopped")]
    Hung {
        /// How long it was waited for.
        seconds: u64,
    },
    /// The process says something that it should not.
    #[error("the simulation process does not fit this program: {what}")]
    Protocol {
        /// What was read.
        what: String,
    },
    /// The process cannot be started.
    #[error("the simulation program `{path}` cannot be started: {why}")]
    Start {
        /// The program.
        path: String,
        /// Why not.
        why: String,
    },
    /// Its internals are asked for, and it was built without them.
    #[error("the RTL was built without a trace of its internals")]
    NoTrace,
    /// A call with slices of a wrong length: a mistake of the caller.
    #[error("{what}: {got} given, {expected} expected")]
    Shape {
        /// Of what.
        what: &'static str,
        /// How many there were.
        got: usize,
        /// How many there must be.
        expected: usize,
    },
}

impl End {
    /// A word for tables and machines.
    pub fn verdict(&self) -> &'static str {
        match self {
            Self::Finish => "finished",
            Self::Stop => "stopped",
            Self::Fatal => "fatal",
            Self::NotReady { .. } => "not_ready",
            Self::NotLinked { .. } => "not_linked",
            Self::Died { .. } => "died",
            Self::Hung { .. } => "hung",
            Self::Protocol { .. } => "protocol",
            Self::Start { .. } => "not_started",
            Self::NoTrace => "no_trace",
            Self::Shape { .. } => "shape",
        }
    }
}

/// The end of a device under test: why, what it had printed, and how far the call had come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DutEnd {
    /// What ended it.
    pub end: End,
    /// What it printed last: the message of the failed assertion, with file and line.
    pub text: String,
    /// Rows of the call whose outputs are good, the one in which it ended included if so.
    pub rows: usize,
}

impl DutEnd {
    pub(super) fn new(end: End) -> Self {
        Self { end, text: String::new(), rows: 0 }
    }

    pub(super) fn shape(what: &'static str, got: usize, expected: usize) -> Self {
        Self::new(End::Shape { what, got, expected })
    }

    /// From the status that the C++ side reports; `None` while the model runs.
    pub(super) fn from_status(status: u32, limit: u64) -> Option<End> {
        match status {
            0 => None,
            1 => Some(End::Finish),
            2 => Some(End::Stop),
            3 => Some(End::Fatal),
            4 => Some(End::NotReady { cycles: limit }),
            other => Some(End::Protocol { what: format!("status {other} is unknown") }),
        }
    }
}

impl fmt::Display for DutEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.end)?;
        for line in self.text.lines().filter(|l| !l.trim().is_empty()) {
            write!(f, "\n  {line}")?;
        }
        Ok(())
    }
}

impl std::error::Error for DutEnd {}
