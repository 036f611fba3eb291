//! `congruent vectors`: vector files of the scenarios, for other tools and for `check`.

use super::print;
use crate::config::find_unit;
use crate::error::{Error, Exit, Result};
use crate::interrupt;
use crate::vectors::{self, About, Case};
use congruent_hw::scenario::Scenario;
use congruent_hw::unit::{UNITS, Unit};
use congruent_ports::ParamSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Vector files: a folder a scenario, with stimulus, expected outputs and a manifest.
#[derive(Debug, clap::Args)]
#[command(arg_required_else_help = true)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    Generate(Generate),
    Verify(Verify),
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

/// Checks that vector files are what generator and golden model produce.
///
/// Exit status 1 names each folder that differs, with the first row and field, and each that is
/// missing or has no scenario; 2 means a folder that cannot be read as it stands.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  congruent vectors verify\n  congruent vectors verify vectors/rate_limiter/storm"
)]
struct Verify {
    /// Folder with <BLOCK>/<SCENARIO>/, or one scenario's
    #[arg(value_name = "DIR", default_value = "vectors")]
    dir: PathBuf,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<Exit> {
    match &args.action {
        Action::Generate(args) => generate(args),
        Action::Verify(args) => verify(args),
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
        let texts = vectors::encode(case)?;
        let size = texts.manifest.len() + texts.stimulus.len() + texts.expected.len();
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

/// What verify found, folder by folder.
#[derive(Default)]
struct Findings {
    good: usize,
    bad: usize,
    unreadable: usize,
}

impl Findings {
    fn differs(&mut self, folder: &Path, what: &str) {
        self.bad += 1;
        print(&format!("{}: {what}", folder.display()));
    }

    /// Holds a folder against the scenario of its name.
    fn compare(
        &mut self,
        folder: &Path,
        unit: &'static dyn Unit,
        scenario: &Scenario,
    ) -> Result<()> {
        let loaded = match vectors::load(folder) {
            Ok(loaded) => loaded,
            Err(error) => {
                self.unreadable += 1;
                super::report(&error);
                return Ok(());
            }
        };
        let mut fresh = record(unit, scenario)?;
        if let Some(what) = vectors::difference(&loaded, &fresh) {
            self.differs(folder, &what);
            return Ok(());
        }
        // The same content; the files may still be written in another way.
        fresh.about.tool_version = loaded.about.tool_version;
        let texts = vectors::encode(&fresh)?;
        let files = [
            (vectors::MANIFEST, texts.manifest),
            (vectors::STIMULUS, texts.stimulus),
            (vectors::EXPECTED, texts.expected),
        ];
        for (name, text) in files {
            let path = folder.join(name);
            let found = fs::read(&path).map_err(|e| Error::file("read", &path, e))?;
            if found != text.as_bytes() {
                let found = String::from_utf8_lossy(&found);
                let same = found.lines().zip(text.lines()).take_while(|(a, b)| a == b).count();
                let what = format!("{name}: written in another way from line {} on", same + 1);
                self.differs(folder, &what);
                return Ok(());
            }
        }
        self.good += 1;
        Ok(())
    }

    fn conclude(&self) -> Exit {
        let Self { good, bad, unreadable } = self;
        print(&format!("{good} scenarios current, {bad} not, {unreadable} unreadable"));
        if self.bad + self.unreadable > 0 {
            print("to make them anew: congruent vectors generate");
        }
        match (bad, unreadable) {
            (0, 0) => Exit::Ok,
            (_, 0) => Exit::Diverged,
            _ => Exit::Usage,
        }
    }
}

fn verify(args: &Verify) -> Result<Exit> {
    let mut findings = Findings::default();
    let files = [vectors::MANIFEST, vectors::STIMULUS, vectors::EXPECTED];
    if files.iter().any(|name| args.dir.join(name).is_file()) {
        verify_one(&args.dir, &mut findings)?;
        return Ok(findings.conclude());
    }
    let blocks = folders(&args.dir)?;
    for (folder, name) in &blocks {
        if UNITS.iter().all(|u| u.block().name != name) {
            findings.differs(folder, "there is no block of this name");
        }
    }
    for unit in UNITS {
        let scenarios = unit.scenarios();
        let above = args.dir.join(unit.block().name);
        for scenario in &scenarios {
            let folder = folder_of(&args.dir, *unit, &scenario.name);
            match folder.is_dir() {
                true => findings.compare(&folder, *unit, scenario)?,
                false => findings.differs(&folder, "it is missing"),
            }
        }
        if above.is_dir() {
            for (folder, name) in folders(&above)? {
                if scenarios.iter().all(|s| s.name != name) {
                    findings.differs(&folder, "there is no scenario of this name");
                }
            }
        }
    }
    Ok(findings.conclude())
}

fn verify_one(folder: &Path, findings: &mut Findings) -> Result<()> {
    let loaded = vectors::load(folder)?;
    let scenarios = loaded.unit.scenarios();
    match scenarios.iter().find(|s| s.name == loaded.about.scenario) {
        Some(scenario) => findings.compare(folder, loaded.unit, scenario)?,
        None => findings.differs(folder, "there is no scenario of this name"),
    }
    Ok(())
}

/// Paths and names of what is in a folder, sorted; files that begin with a dot are none of ours.
fn folders(dir: &Path) -> Result<Vec<(PathBuf, String)>> {
    let failed = |e: std::io::Error| Error::File {
        action: "read",
        path: dir.to_path_buf(),
        reason: e.to_string(),
        help: Some("make the folder with `congruent vectors generate --out DIR`".into()),
    };
    let mut found = vec![];
    for entry in fs::read_dir(dir).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_dir() && !name.starts_with('.') {
            found.push((entry.path(), name));
        }
    }
    found.sort();
    Ok(found)
}
