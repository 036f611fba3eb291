//! `congruent vectors verify`: are vector files what generator and golden model produce?

use super::{folder_of, record};
use crate::cli::{json, print};
use crate::error::{Error, Exit, Result};
use crate::vectors::{self, Case};
use congruent_hw::scenario::Scenario;
use congruent_hw::unit::{UNITS, Unit};
use std::fs;
use std::path::{Path, PathBuf};

/// Checks that vector files are what generator and golden model produce.
///
/// A folder that is named by itself and is no scenario's, as a kept or a shrunk case, is held against
/// what the golden model says to its stimulus. Exit status 1 names each folder that differs, with the first row and field, and each that is
/// missing or has no scenario; 2 means a folder that cannot be read as it stands.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  congruent vectors verify\n  congruent vectors verify vectors/rate_limiter/storm"
)]
pub struct Args {
    /// Folder with <BLOCK>/<SCENARIO>/, or one scenario's
    #[arg(value_name = "DIR", default_value = "vectors")]
    dir: PathBuf,
    /// For machines: JSON with a format_version
    #[arg(long)]
    json: bool,
}

/// What was found of one folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
enum State {
    /// What generator and golden model produce.
    Current,
    /// Something else, or one folder too many.
    Stale,
    /// A scenario without a folder.
    Missing,
    /// It cannot be read as it stands.
    Unreadable,
}

/// A folder, what was found of it, and where it first differs.
#[derive(Debug, serde::Serialize)]
struct Finding {
    folder: String,
    state: State,
    #[serde(skip_serializing_if = "Option::is_none")]
    what: Option<String>,
}

/// The report of verify.
#[derive(Debug, serde::Serialize)]
struct Findings {
    format_version: u32,
    folders: Vec<Finding>,
}

impl Findings {
    fn add(&mut self, folder: &Path, state: State, what: Option<String>) {
        self.folders.push(Finding { folder: folder.display().to_string(), state, what });
    }

    fn stale(&mut self, folder: &Path, what: impl Into<String>) {
        self.add(folder, State::Stale, Some(what.into()));
    }

    fn count(&self, state: State) -> usize {
        self.folders.iter().filter(|f| f.state == state).count()
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
                let help = error.help().map_or(String::new(), |help| format!("\n  help: {help}"));
                self.add(folder, State::Unreadable, Some(format!("{error}{help}")));
                return Ok(());
            }
        };
        let mut fresh = record(unit, scenario)?;
        if let Some(what) = vectors::difference(&loaded, &fresh) {
            self.stale(folder, what);
            return Ok(());
        }
        // The same content; the files may still be written in another way.
        fresh.about.tool_version = loaded.about.tool_version;
        let texts = vectors::encode(&fresh)?;
        for (name, text) in texts.files() {
            let path = folder.join(name);
            if !path.exists() {
                self.stale(folder, format!("{name} is missing"));
                return Ok(());
            }
            let found = fs::read(&path).map_err(|e| Error::file("read", &path, e))?;
            if found != text.as_bytes() {
                let found = String::from_utf8_lossy(&found);
                let same = found.lines().zip(text.lines()).take_while(|(a, b)| a == b).count();
                let what = format!("{name}: written in another way from line {} on", same + 1);
                self.stale(folder, what);
                return Ok(());
            }
        }
        self.add(folder, State::Current, None);
        Ok(())
    }

    /// Holds a folder that is no scenario's against what the golden model says to its stimulus.
    fn play(&mut self, folder: &Path, loaded: &Case) -> Result<()> {
        match vectors::difference(loaded, &vectors::played(loaded)?) {
            Some(what) => self.stale(folder, what),
            None => self.add(folder, State::Current, None),
        }
        Ok(())
    }

    /// For people: the folders that are not current, and how many there are of each kind.
    fn text(&self) -> String {
        let mut text = String::new();
        for finding in &self.folders {
            match (&finding.what, finding.state) {
                (Some(what), State::Unreadable) => text += &format!("{what}\n"),
                (Some(what), _) => text += &format!("{}: {what}\n", finding.folder),
                (None, _) => {}
            }
        }
        let [current, stale, missing, unreadable] =
            [State::Current, State::Stale, State::Missing, State::Unreadable]
                .map(|state| self.count(state));
        text += &format!(
            "{current} folders current, {stale} stale, {missing} missing, {unreadable} unreadable\n"
        );
        if stale + missing + unreadable > 0 {
            text += "to make them anew: congruent vectors generate\n";
        }
        text
    }

    fn exit(&self) -> Exit {
        let current = self.count(State::Current);
        match self.count(State::Unreadable) {
            0 if current == self.folders.len() => Exit::Ok,
            0 => Exit::Diverged,
            _ => Exit::Usage,
        }
    }
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<Exit> {
    let mut findings = Findings { format_version: 1, folders: vec![] };
    let files = [vectors::MANIFEST, vectors::STIMULUS, vectors::EXPECTED, vectors::RUN];
    if files.iter().any(|name| args.dir.join(name).is_file()) {
        verify_one(&args.dir, &mut findings)?;
    } else {
        verify_all(&args.dir, &mut findings)?;
    }
    match args.json {
        true => print(&json(&findings)),
        false => print(&findings.text()),
    }
    Ok(findings.exit())
}

fn verify_all(dir: &Path, findings: &mut Findings) -> Result<()> {
    let blocks = folders(dir)?;
    for (folder, name) in &blocks {
        if UNITS.iter().all(|u| u.block().name != name) {
            findings.stale(folder, "there is no block of this name");
        }
    }
    for unit in UNITS {
        let scenarios = unit.scenarios();
        let above = dir.join(unit.block().name);
        for scenario in &scenarios {
            let folder = folder_of(dir, *unit, &scenario.name);
            match folder.is_dir() {
                true => findings.compare(&folder, *unit, scenario)?,
                false => findings.add(&folder, State::Missing, Some("it is missing".into())),
            }
        }
        if above.is_dir() {
            for (folder, name) in folders(&above)? {
                if scenarios.iter().all(|s| s.name != name) {
                    findings.stale(&folder, "there is no scenario of this name");
                }
            }
        }
    }
    Ok(())
}

fn verify_one(folder: &Path, findings: &mut Findings) -> Result<()> {
    let loaded = vectors::load(folder)?;
    let scenarios = loaded.unit.scenarios();
    match scenarios.iter().find(|s| s.name == loaded.about.scenario) {
        Some(scenario) => findings.compare(folder, loaded.unit, scenario)?,
        None => findings.play(folder, &loaded)?,
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
