//! `congruent vectors`: vector files of the scenarios, for other tools and for `check`.

mod verify;

use super::print;
use crate::config::find_unit;
use crate::error::{Exit, Result};
use crate::interrupt;
use crate::vectors::{self, About, Case};
use congruent_hw::scenario::Scenario;
use congruent_hw::unit::{UNITS, Unit};
use congruent_ports::ParamSet;
use std::path::{Path, PathBuf};

/// Vector files: a folder a scenario, with stimulus, expected outputs, a manifest, and what a
/// simulator needs of it.
#[derive(Debug, clap::Args)]
#[command(
    arg_required_else_help = true,
    after_help = "Example:\n  congruent vectors generate && congruent vectors verify"
)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    Generate(Generate),
    Verify(verify::Args),
}

/// Records every scenario of the blocks from the golden model.
///
/// Each folder appears whole or not at all; one that is there is replaced.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  congruent vectors generate --out vectors rate_limiter")]
struct Generate {
    /// Folder that gets <BLOCK>/<SCENARIO>/
    #[arg(long, value_name = "DIR", default_value = "vectors")]
    out: PathBuf,
    /// Blocks; all of them without it
    #[arg(value_name = "BLOCK")]
    blocks: Vec<String>,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<Exit> {
    match &args.action {
        Action::Generate(args) => generate(args),
        Action::Verify(args) => verify::run(args),
    }
}

fn generate(args: &Generate) -> Result<Exit> {
    let units = match args.blocks.is_empty() {
        true => UNITS.to_vec(),
        false => args.blocks.iter().map(|name| find_unit(name)).collect::<Result<_>>()?,
    };
    interrupt::listen();
    let mut cases = vec![];
    for unit in units {
        for scenario in unit.scenarios() {
            interrupt::check()?;
            cases.push(record(unit, &scenario)?);
        }
    }
    let mut bytes = 0;
    for case in &cases {
        let folder = folder_of(&args.out, case.unit, &case.about.scenario);
        vectors::write(&folder, case)?;
        let size = vectors::encode(case)?.size();
        bytes += size;
        print(&format!(
            "{}: {} cycles, {} kB",
            folder.display(),
            case.rows.len(),
            size.div_ceil(1000)
        ));
    }
    print(&format!("{} scenarios, {} kB", cases.len(), bytes.div_ceil(1000)));
    Ok(Exit::Ok)
}

fn record(unit: &'static dyn Unit, scenario: &Scenario) -> Result<Case> {
    let build = unit.block().build(scenario.build);
    let changes = build.map_or(&[][..], |b| b.params);
    let params = ParamSet::with(unit.block(), changes.iter().copied())?;
    vectors::record(unit, About::of(scenario), &scenario.leg, &params)
}

fn folder_of(dir: &Path, unit: &dyn Unit, scenario: &str) -> PathBuf {
    dir.join(unit.block().name).join(scenario)
}
