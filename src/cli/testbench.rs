//! `congruent testbench`: the replay testbenches in `testbenches/sv/`, from the port tables.

use super::generated::{self, Findings};
use super::print;
use crate::error::{Error, Exit, Result};
use crate::files::{self, Draft};
use crate::testbench;
use congruent_ports::{BLOCKS, Block};
use std::fs;
use std::path::{Path, PathBuf};

/// Replay testbenches in SystemVerilog, for simulators without this command.
///
/// Each plays a folder of vector files into the block and compares every output of every cycle.
#[derive(Debug, clap::Args)]
#[command(
    arg_required_else_help = true,
    after_help = "Example:\n  congruent testbench generate && congruent testbench verify"
)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    Generate(Generate),
    Verify(Verify),
}

/// Writes the testbenches from the port tables.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  congruent testbench generate rate_limiter")]
struct Generate {
    /// Folder that gets <BLOCK>_tb.sv
    #[arg(long, value_name = "DIR", default_value = "testbenches/sv")]
    out: PathBuf,
    /// Blocks; all of them without it
    #[arg(value_name = "BLOCK")]
    blocks: Vec<String>,
}

/// Checks that the testbenches are what the port tables give.
///
/// Exit status 1 names each that differs, with the first line.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  congruent testbench verify")]
struct Verify {
    /// Folder with <BLOCK>_tb.sv
    #[arg(value_name = "DIR", default_value = "testbenches/sv")]
    dir: PathBuf,
    /// For machines: JSON with a format_version
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand.
///
/// # Errors
/// A block that does not exist, a file that cannot be read or written.
pub fn run(args: &Args) -> Result<Exit> {
    match &args.action {
        Action::Generate(args) => generate(args),
        Action::Verify(args) => verify(args),
    }
}

fn generate(args: &Generate) -> Result<Exit> {
    let blocks = generated::blocks(&args.blocks)?;
    fs::create_dir_all(&args.out).map_err(|e| Error::file("make", &args.out, e))?;
    for block in blocks {
        let (place, text) = (place(&args.out, block), testbench::write(block));
        let current = place.is_file() && files::read(&place)? == text;
        if !current {
            Draft::new(&place)?.finish_with(text.as_bytes())?;
        }
        let state = if current { "current" } else { "written" };
        print(&format!("{}: {state}", place.display()));
    }
    Ok(Exit::Ok)
}

fn verify(args: &Verify) -> Result<Exit> {
    let remedy = "to write them anew: congruent testbench generate";
    let mut findings = Findings::new("testbench", "testbenches", remedy);
    for block in BLOCKS {
        let place = place(&args.dir, block);
        let differs = match place.exists() {
            true => difference(&files::read(&place)?, &testbench::write(block)),
            false => Some("it is missing".to_string()),
        };
        findings.add(&place, differs);
    }
    Ok(findings.report(args.json))
}

fn difference(found: &str, fresh: &str) -> Option<String> {
    if found == fresh {
        return None;
    }
    let same = found.lines().zip(fresh.lines()).take_while(|(a, b)| a == b).count();
    let line = |text: &str| text.lines().nth(same).unwrap_or("nothing").trim().to_string();
    Some(format!("line {} is `{}`, now `{}`", same + 1, line(found), line(fresh)))
}

fn place(dir: &Path, block: &Block) -> PathBuf {
    dir.join(format!("{}_tb.sv", block.name))
}
