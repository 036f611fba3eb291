//! `congruent testbench`: the replay testbenches in `testbenches/sv/`, from the port tables.

use super::{json, print};
use crate::config::find_unit;
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
    let blocks: Vec<&'static Block> = match args.blocks.is_empty() {
        true => BLOCKS.to_vec(),
        false => {
            args.blocks.iter().map(|name| Ok(find_unit(name)?.block())).collect::<Result<_>>()?
        }
    };
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

/// A testbench, and where it first differs.
#[derive(Debug, serde::Serialize)]
struct Finding {
    testbench: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    differs: Option<String>,
}

/// The report of verify.
#[derive(Debug, serde::Serialize)]
struct Findings {
    format_version: u32,
    testbenches: Vec<Finding>,
}

fn verify(args: &Verify) -> Result<Exit> {
    let mut findings = Findings { format_version: 1, testbenches: vec![] };
    for block in BLOCKS {
        let place = place(&args.dir, block);
        let differs = match place.exists() {
            true => difference(&files::read(&place)?, &testbench::write(block)),
            false => Some("it is missing".to_string()),
        };
        findings.testbenches.push(Finding { testbench: place.display().to_string(), differs });
    }
    let stale: Vec<_> = findings.testbenches.iter().filter(|f| f.differs.is_some()).collect();
    let exit = if stale.is_empty() { Exit::Ok } else { Exit::Diverged };
    if args.json {
        print(&json(&findings));
        return Ok(exit);
    }
    let mut text = String::new();
    for Finding { testbench, differs } in &stale {
        text += &format!("{testbench}: {}\n", differs.as_deref().unwrap_or_default());
    }
    let current = findings.testbenches.len() - stale.len();
    text += &format!("{current} testbenches current, {} stale\n", stale.len());
    if !stale.is_empty() {
        text += "to write them anew: congruent testbench generate\n";
    }
    print(&text);
    Ok(exit)
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
