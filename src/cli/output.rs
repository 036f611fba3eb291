//! Where reports for machines go.

use crate::error::Result;
use crate::report::Places;
use std::path::PathBuf;

/// The options of a subcommand that reports.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct OutputArgs {
    /// Write the report for machines to this file, `-` for standard output
    #[arg(long, value_name = "OUT")]
    json: Option<PathBuf>,
    /// Write a report for CI servers to this file, as JUnit XML
    #[arg(long, value_name = "OUT.xml")]
    junit: Option<PathBuf>,
}

impl OutputArgs {
    /// The places; refused before anything runs where one cannot be written.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn places(&self) -> Result<Places> {
        Places::new(self.json.as_deref(), self.junit.as_deref())
    }
}
