//! Verilator as a linter.

use crate::build::Build;
use crate::error::Error;
use crate::find::Verilator;

/// Runs `verilator --lint-only -Wall` on the sources of a build; a waiver file may be among them.
///
/// # Errors
/// Any warning or error, the first of them in full.
pub fn lint(verilator: &Verilator, build: &Build<'_>) -> Result<(), Error> {
    let mut command = verilator.command();
    command
        .args(["--lint-only", "-Wall", "--no-timing", "--assert"])
        .args(build.sources.arguments());
    // Lint writes nothing, but must not read what lies about where the user is.
    let folder = tempfile::tempdir()
        .map_err(Error::io("make a temporary folder in", &std::env::temp_dir()))?;
    build.run_verilator(command, verilator, folder.path(), None)
}
