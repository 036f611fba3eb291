//! How a device under test ends before it was asked to.

use std::fmt;
use std::path::Path;
use std::time::Duration;

/// What ended it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum End {
    /// `$finish`.
    #[error("the RTL called $finish")]
    Finish,
    /// `$stop`, `$error` or a failed assertion.
    #[error("the RTL stopped: a failed assertion, $error or $stop")]
    Stop,
    /// `$fatal`, or the simulator cannot go on.
    #[error("the RTL stopped for good: $fatal, or an error of the simulator")]
    Fatal,
    /// Logic that does not settle.
    #[error("the RTL does not settle: a loop of combinational logic did not converge")]
    Unsettled,
    /// A C++ exception that nobody caught.
    #[error("code of the RTL threw a C++ exception")]
    Exception,
    /// More memory than the process may have.
    #[error("the RTL took more memory than it may have")]
    Memory,
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
    /// The process of the model crashed.
    #[error("the RTL crashed: signal {signal}{}", meaning(*.signal))]
    Crashed {
        /// The signal that ended it.
        signal: i32,
    },
    /// The process of the model ended itself.
    #[error(
        "the simulation process ended itself with status {status}: code of the RTL called exit()"
    )]
    Exited {
        /// Its status.
        status: i32,
    },
    /// The process of the model is gone, and nobody knows how.
    #[error("the simulation process {how}")]
    Died {
        /// What is known.
        how: String,
    },
    /// The process of the model makes no progress.
    #[error("the RTL made no progress within {} s and was stopped: a loop that never ends?", .limit.as_secs_f64())]
    Hung {
        /// How long it was waited for.
        limit: Duration,
    },
    /// No trace of its inside can be written.
    #[error(
        "no trace of the inside of the RTL can be written to `{path}`: it was built without tracing, or the file cannot be made"
    )]
    Trace {
        /// The file.
        path: String,
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
    /// A value that the module has no room for.
    #[error("{port} = {value:#x} cannot be driven: {why}")]
    NoRoom {
        /// The port of the table.
        port: String,
        /// The value.
        value: u64,
        /// Why not.
        why: String,
    },
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
    /// Whether it is the RTL that did it: not a call that does not fit, nor a program that cannot be
    /// started.
    pub fn is_of_the_rtl(&self) -> bool {
        match self {
            Self::Finish
            | Self::Stop
            | Self::Fatal
            | Self::Unsettled
            | Self::Exception
            | Self::Memory
            | Self::NotReady { .. }
            | Self::Crashed { .. }
            | Self::Exited { .. }
            | Self::Died { .. }
            | Self::Hung { .. } => true,
            Self::NotLinked { .. }
            | Self::Trace { .. }
            | Self::Protocol { .. }
            | Self::Start { .. }
            | Self::NoRoom { .. }
            | Self::Shape { .. } => false,
        }
    }

    /// A word for tables and machines.
    pub fn verdict(&self) -> &'static str {
        match self {
            Self::Finish => "finished",
            Self::Stop => "stopped",
            Self::Fatal => "fatal",
            Self::Unsettled => "unsettled",
            Self::Exception => "exception",
            Self::Memory => "memory",
            Self::NotReady { .. } => "not_ready",
            Self::NotLinked { .. } => "not_linked",
            Self::Crashed { .. } => "crashed",
            Self::Exited { .. } => "exited",
            Self::Died { .. } => "died",
            Self::Hung { .. } => "hung",
            Self::Trace { .. } => "no_trace",
            Self::Protocol { .. } => "protocol",
            Self::Start { .. } => "not_started",
            Self::NoRoom { .. } => "no_room",
            Self::Shape { .. } => "shape",
        }
    }
}

fn meaning(signal: i32) -> &'static str {
    match signal {
        4 => " (illegal instruction)",
        6 => " (abort)",
        7 => " (bus error)",
        8 => " (arithmetic error: a division by zero?)",
        9 => " (killed from outside: is the machine out of memory?)",
        11 => " (segmentation fault: a bad pointer, or calls nested too deeply)",
        15 => " (terminated from outside)",
        _ => "",
    }
}

/// What a model was doing when it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum During {
    /// A row of the run.
    #[default]
    Run,
    /// It was being made, or its `cfg_*` pins were being set.
    Start,
    /// A cycle of the reset, from 0 where it is known. Initial blocks run in the first one.
    Reset(Option<u64>),
    /// An idle cycle after reset, from 0: `init_done` was waited for.
    Init(u64),
    /// Final blocks.
    Final,
}

impl During {
    /// Whether it is before cycle 0.
    pub fn is_before_the_run(self) -> bool {
        matches!(self, Self::Start | Self::Reset(_) | Self::Init(_))
    }

    /// For people, where it is not a row of the run.
    pub fn text(self) -> Option<String> {
        match self {
            Self::Run => None,
            Self::Start => Some("before the reset".into()),
            Self::Reset(None) => Some("in the reset".into()),
            Self::Reset(Some(0)) => Some("in initial blocks or cycle 0 of the reset".into()),
            Self::Reset(Some(cycle)) => Some(format!("in cycle {cycle} of the reset")),
            Self::Init(cycle) => {
                Some(format!("after the reset, {cycle} cycles of waiting for init_done in"))
            }
            Self::Final => Some("in final blocks, after the last cycle".into()),
        }
    }
}

/// The end of a device under test: why, what it had printed, and how far the call had come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DutEnd {
    /// What ended it.
    pub end: End,
    /// What it was doing.
    pub during: During,
    /// What it printed last: the message of the failed assertion, with file and line.
    pub text: String,
    /// Rows of the call whose outputs are good, the one in which it ended included if so.
    pub rows: usize,
    /// The row of the call in which it ended, from 0.
    pub row: usize,
}

impl DutEnd {
    pub(super) fn new(end: End) -> Self {
        Self { end, during: During::Start, text: String::new(), rows: 0, row: 0 }
    }

    pub(super) fn no_trace(file: &Path) -> Self {
        Self::new(End::Trace { path: file.display().to_string() })
    }

    pub(super) fn shape(what: &'static str, got: usize, expected: usize) -> Self {
        Self::new(End::Shape { what, got, expected })
    }

    /// The same, of a call that had done so many rows before the part that ended.
    #[must_use]
    pub fn after(mut self, rows: usize) -> Self {
        self.rows += rows;
        self.row += rows;
        self
    }

    /// From the status that the C++ side reports; `None` while the model runs.
    pub(super) fn from_status(status: u32, limit: u64) -> Option<End> {
        match status {
            0 => None,
            1 => Some(End::Finish),
            2 => Some(End::Stop),
            3 => Some(End::Fatal),
            4 => Some(End::NotReady { cycles: limit }),
            5 => Some(End::Unsettled),
            6 => Some(End::Exception),
            7 => Some(End::Memory),
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
