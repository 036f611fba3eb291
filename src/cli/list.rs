//! `congruent list`: blocks, channels, parameters, attributes, latency.

use crate::error::{Exit, Result};

/// Lists blocks, or everything about one of them.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  congruent list rate_limiter")]
pub struct Args {
    /// Block to describe; all blocks, a line each, without it
    block: Option<String>,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<Exit> {
    let _ = args;
    Ok(Exit::Ok)
}
