//! Runs Verilator for its tree, in whichever form it writes one.

use super::tree::Tree;
use super::{json, xml};
use crate::build::first_message;
use crate::error::Error;
use crate::find::Verilator;
use crate::sources::Sources;
use crate::version::Version;
use std::path::{Path, PathBuf};
use std::process::Output;

/// From here on the tree is read as JSON.
const JSON_FROM: Version = Version { major: 5, minor: 40 };

/// What Verilator said and wrote.
pub(super) enum Ran {
    /// A tree, and its warnings.
    Tree(Tree, String),
    /// Its errors: all that it printed.
    Refused(String),
}

/// Elaborates the sources; an empty top means every module that none instantiates.
///
/// # Errors
/// Verilator cannot be run, or its tree is not of a form that is known.
pub(super) fn run(verilator: &Verilator, sources: &Sources) -> Result<Ran, Error> {
    let folder = tempfile::tempdir()
        .map_err(Error::io("make a temporary folder in", &std::env::temp_dir()))?;
    let call = |form: &[&str]| -> Result<(Output, String), Error> {
        let mut command = verilator.command();
        // What is elaborated is what is built later: the same flags, and the same folder to be in.
        command.args(["--no-timing", "--assert", "-Wno-fatal"]).args(form);
        command.args(sources.arguments()).current_dir(folder.path());
        let output = command.output().map_err(Error::io("run", &verilator.bin))?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        Ok((output, said))
    };
    const JSON: &[&str] = &[
        "--json-only",
        "--json-only-output",
        "tree.json",
        "--json-only-meta-output",
        "files.json",
        "--no-json-edit-nums",
    ];
    const XML: &[&str] = &["--xml-only", "--xml-output", "tree.xml"];
    // Versions that write both say less in their JSON than in their XML.
    let mut old = verilator.version < JSON_FROM;
    let (mut output, mut said) = call(if old { XML } else { JSON })?;
    if !output.status.success() && said.contains("Invalid option: --") {
        let (other, other_said) = call(if old { JSON } else { XML })?;
        if !other_said.contains("Invalid option: --") {
            (output, said, old) = (other, other_said, !old);
        }
    }
    if !output.status.success() {
        return Ok(Ran::Refused(said));
    }
    let read = |name: &str| {
        let path = folder.path().join(name);
        std::fs::read(&path).map_err(Error::io("read", &path))
    };
    // Sources may hold bytes of any encoding in their strings.
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let (tree, meta) = match old {
        true => (text(read("tree.xml")?), String::new()),
        false => (text(read("tree.json")?), text(read("files.json")?)),
    };
    match parsed(&tree, (!old).then_some(meta.as_str())) {
        Ok(tree) => Ok(Ran::Tree(tree, said)),
        Err(why) => Err(Error::Refused {
            message: format!(
                "the tree that Verilator {} writes of `{}` cannot be read: {why}",
                verilator.version, sources.top
            ),
            help: "run `make setup` for the version that this project is tested with".into(),
        }),
    }
}

/// Trees nest as deep as the longest expression or chain of `else if`: they are read on a thread
/// with room for that.
fn parsed(tree: &str, meta: Option<&str>) -> Result<Tree, String> {
    const STACK: usize = 256 << 20;
    std::thread::scope(|scope| {
        let reader =
            std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || match meta {
                Some(meta) => json::read(tree, meta, &shown),
                None => xml::read(tree, &shown),
            });
        match reader.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(read)) => read,
            Ok(Err(_)) => Err("it is of an unknown form".into()),
            Err(error) => Err(format!("no thread can be started ({error})")),
        }
    })
}

/// A path as it is shown: relative to the working folder where it lies below it.
pub(super) fn shown(path: &str) -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    let path = Path::new(path);
    path.strip_prefix(&here).unwrap_or(path).to_path_buf()
}

/// Verilator's first error.
pub(super) fn refusal(sources: &Sources, said: &str) -> Error {
    let (first, more) = first_message(&relative(said));
    Error::Verilator { top: sources.top.clone(), first, more, log: None }
}

/// What Verilator said, with paths as they are shown.
pub(super) fn relative(said: &str) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    match here.parent() {
        Some(_) => said.replace(&format!("{}/", here.display()), ""),
        None => said.to_string(),
    }
}
