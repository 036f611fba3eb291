//! The command line: one file a subcommand.

mod buffers;
mod check;
mod compare;
mod docs;
mod doctor;
mod generated;
mod list;
mod output;
mod perf;
mod ports;
mod progress;
mod random;
mod replay;
pub mod rtl;
mod run;
mod shrink;
mod testbench;
mod vectors;
mod wave;

use crate::error::{Error, Exit, Result};
use crate::report::Report;
use clap::{Parser, Subcommand};
use comfy_table::{ColumnConstraint, ContentArrangement, LineStyle, Table, presets};
use std::io::Write as _;
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
    Doctor(doctor::Args),
    List(list::Args),
    Check(check::Args),
    Replay(replay::Args),
    Shrink(shrink::Args),
    Run(run::Args),
    Ports(ports::Args),
    Perf(perf::Args),
    Vectors(vectors::Args),
    Docs(docs::Args),
    Buffers(buffers::Args),
    Testbench(testbench::Args),
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
    match dispatch(cli.command) {
        Ok(exit) => ExitCode::from(exit as u8),
        Err(error) => {
            let exit = error.exit();
            report(&error);
            ExitCode::from(exit as u8)
        }
    }
}

fn dispatch(command: Command) -> Result<Exit> {
    match command {
        Command::Doctor(args) => doctor::run(&args),
        Command::List(args) => list::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Shrink(args) => shrink::run(&args),
        Command::Run(args) => run::run(&args),
        Command::Ports(args) => ports::run(&args),
        Command::Perf(args) => perf::run(&args),
        Command::Vectors(args) => vectors::run(&args),
        Command::Docs(args) => docs::run(&args),
        Command::Buffers(args) => buffers::run(&args),
        Command::Testbench(args) => testbench::run(&args),
    }
}

/// What a command of `check` or `replay` reports, given as words.
fn reported(words: &[String]) -> Result<Report> {
    let refuse = |why: &str| {
        Error::input(
            format!("`{}` cannot be run again: {why}", words.join(" ")),
            "accepted is a command of `congruent check` or `congruent replay`",
        )
    };
    let cli = Cli::try_parse_from(words).map_err(|error| {
        let text = error.to_string();
        refuse(text.lines().next().unwrap_or_default())
    })?;
    match cli.command {
        Command::Check(args) => check::report(&args),
        Command::Replay(args) => replay::report(&args),
        _ => Err(refuse("it has no report")),
    }
}

/// The command as it was typed, as a shell takes it.
pub(crate) fn typed() -> String {
    let mut words: Vec<String> =
        std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    if let Some(program) = words.first_mut() {
        *program = "congruent".to_string();
    }
    // Only a zero byte cannot be quoted, and no argument has one.
    shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "))
}

fn report(error: &Error) {
    eprintln!("error: {error}");
    if let Some(help) = error.help() {
        eprintln!("  help: {help}");
    }
}

/// Prints what was asked for, without the blanks that fill a table's lines. A reader that has gone
/// away (`congruent list | head`) is no failure.
pub(crate) fn print(text: &str) {
    let lines: String = text.lines().map(|line| format!("{}\n", line.trim_end())).collect();
    let mut out = std::io::stdout();
    match out.write_all(lines.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            eprintln!("error: cannot write standard output: {error}");
            std::process::exit(Exit::Usage as i32);
        }
        _ => {}
    }
}

/// A report for machines, with a final newline.
pub(crate) fn json(report: &impl serde::Serialize) -> String {
    // Only a map with keys that are no strings can fail, and reports have none.
    let mut text = serde_json::to_string_pretty(report).unwrap_or_default();
    text.push('\n');
    text
}

// Wide enough for the longest name beside its meaning, narrow enough for a page.
const TABLE_WIDTH: u16 = 110;

/// A table for people: names in its first column, a line under its header, no other lines.
pub(crate) fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    let line = LineStyle::none().fill('-').junction('-');
    table
        .load_style(presets::NOTHING.header_separator(line))
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(TABLE_WIDTH)
        .set_header(header);
    // A name stays in one piece, so that it can be searched for and copied.
    if let Some(names) = table.column_mut(0) {
        names.set_constraint(ColumnConstraint::ContentWidth);
    }
    table
}
