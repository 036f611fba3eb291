//! What of a report is to be run again: the commands of all that failed in it.

use crate::error::{Error, Result};
use crate::files;
use serde::Deserialize;
use std::path::Path;

/// Where the last report is kept.
pub const LAST: &str = ".congruent/last.json";

/// As much of a report as it takes. What else it holds is left alone.
#[derive(Deserialize)]
struct Report {
    format_version: u32,
    blocks: Vec<Block>,
}

#[derive(Deserialize)]
struct Block {
    verdict: String,
    runs: Vec<Again>,
    divergences: Vec<Again>,
    ended: Vec<Again>,
}

#[derive(Deserialize)]
struct Again {
    command: String,
}

/// The commands of what failed, each once, as lists of words: those that play a kept case, where there
/// is one; for a block that was vacuous or stopped, those of its runs.
///
/// # Errors
/// No report in that place, or one of another format.
pub fn of(path: &Path) -> Result<Vec<Vec<String>>> {
    let refuse = |what: String| {
        Error::input(
            format!("{}: {what}", path.display()),
            format!(
                "accepted is a report that `check` or `replay` of this version wrote, by --json or as {LAST}"
            ),
        )
    };
    if !path.exists() {
        return Err(refuse("there is no report yet: run `check` first".to_string()));
    }
    let text = files::read(path)?;
    let report: Report = serde_json::from_str(&text)
        .map_err(|e| refuse(format!("line {}: it is no report of this tool", e.line())))?;
    if report.format_version != crate::report::FORMAT_VERSION {
        return Err(refuse(format!("format_version = {}", report.format_version)));
    }
    let mut commands: Vec<Vec<String>> = vec![];
    for block in report.blocks {
        let failed = match block.verdict.as_str() {
            "congruent" => vec![],
            "diverged" | "ended" => block.divergences.into_iter().chain(block.ended).collect(),
            _ => block.runs,
        };
        for Again { command } in failed {
            let Some(words) = shlex::split(&command).filter(|words| words.len() > 1) else {
                return Err(refuse(format!("`{command}` is no command")));
            };
            if !commands.contains(&words) {
                commands.push(words);
            }
        }
    }
    Ok(commands)
}
