//! The command line: one file a subcommand.

mod list;

use crate::error::{Error, Exit, Result};
use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Golden models of congestion-control hardware in lock-step with SystemVerilog.
#[derive(Debug, Parser)]
#[command(name = "congruent", version, arg_required_else_help = true, after_help = EXITS)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXITS: &str = "\
Exit status: 0 congruent, 1 diverged or vacuous, 2 bad input or usage, 3 a tool is missing.

Example:
  congruent check rate_limiter --random 1000000 --seed 1";

#[derive(Debug, Subcommand)]
enum Command {
    List(list::Args),
}

/// Parses the command line, runs the subcommand, prints its error if it has one.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let status = if error.use_stderr() { Exit::Usage } else { Exit::Ok };
            // A closed pipe is no reason to fail a help text.
            let _ = error.print();
            return ExitCode::from(status as u8);
        }
    };
    match run(cli.command) {
        Ok(exit) => ExitCode::from(exit as u8),
        Err(error) => {
            let exit = error.exit();
            report(&error);
            ExitCode::from(exit as u8)
        }
    }
}

fn run(command: Command) -> Result<Exit> {
    match command {
        Command::List(args) => list::run(&args),
    }
}

fn report(error: &Error) {
    eprintln!("error: {error}");
    if let Some(help) = error.help() {
        eprintln!("  help: {help}");
    }
}
