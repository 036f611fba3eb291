//! `congruent docs`: the generated tables of the pages in `docs/`, from the port tables.

mod page;
mod tables;

use super::generated::{self, Findings};
use super::print;
use crate::error::{Exit, Result};
use crate::files::{self, Draft};
use congruent_ports::{BLOCKS, Block};
use std::path::{Path, PathBuf};

/// Pages of the blocks: prose by hand, tables from the port table.
///
/// A table stands between the lines `<!-- table: NAME -->` and `<!-- end -->`; what is between them
/// belongs to the command, all else to you.
#[derive(Debug, clap::Args)]
#[command(
    arg_required_else_help = true,
    after_help = "Example:\n  congruent docs generate && congruent docs verify"
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

/// Writes the tables of the pages anew; a page without a table gets it at its end.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  congruent docs generate rate_limiter")]
struct Generate {
    /// Folder with <BLOCK>.md
    #[arg(long, value_name = "DIR", default_value = "docs")]
    out: PathBuf,
    /// Blocks; all of them without it
    #[arg(value_name = "BLOCK")]
    blocks: Vec<String>,
}

/// Checks that the tables of the pages are what the port tables say.
///
/// Exit status 1 names each page that differs, with the first table and line; 2 means a page whose
/// marks cannot be read.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  congruent docs verify")]
struct Verify {
    /// Folder with <BLOCK>.md
    #[arg(value_name = "DIR", default_value = "docs")]
    dir: PathBuf,
    /// For machines: JSON with a format_version
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand.
///
/// # Errors
/// A block that does not exist, a page that cannot be read or written, marks that do not fit.
pub fn run(args: &Args) -> Result<Exit> {
    match &args.action {
        Action::Generate(args) => generate(args),
        Action::Verify(args) => verify(args),
    }
}

fn generate(args: &Generate) -> Result<Exit> {
    // All are made before the first is written.
    let mut pages = vec![];
    for block in generated::blocks(&args.blocks)? {
        let place = place(&args.out, block);
        let old = if place.exists() { files::read(&place)? } else { page::empty(block) };
        let new = page::fill(&old, &tables::of(block), &place)?;
        pages.push((place, old, new));
    }
    for (place, old, new) in pages {
        let state = if place.exists() && old == new { "current" } else { "written" };
        if state == "written" {
            Draft::new(&place)?.finish_with(new.as_bytes())?;
        }
        print(&format!("{}: {state}", place.display()));
    }
    Ok(Exit::Ok)
}

fn verify(args: &Verify) -> Result<Exit> {
    let remedy = "to write their tables anew: congruent docs generate";
    let mut findings = Findings::new("page", "pages", remedy);
    for block in BLOCKS {
        let place = place(&args.dir, block);
        let differs = match place.exists() {
            true => page::difference(&files::read(&place)?, &tables::of(block), &place)?,
            false => Some("it is missing".to_string()),
        };
        findings.add(&place, differs);
    }
    Ok(findings.report(args.json))
}

fn place(dir: &Path, block: &Block) -> PathBuf {
    dir.join(block.name).with_extension("md")
}
