//! Verilator's headers in compiled form. Reading them is most of the time that a small model takes
//! to compile, so a quick build has it behind it.

use crate::cache::Cache;
use crate::compile::{self, Job};
use crate::error::Error;
use crate::find::Tools;
use crate::key::Key;
use crate::runtime;
use std::path::{Path, PathBuf};

const HEADER: &str = "all.h";

/// The header to be read in front of units that are compiled at this level; none where the compiler
/// makes no such thing, which only costs time.
pub(crate) fn build(
    tools: &Tools,
    cache: &Cache,
    trace: bool,
    optimise: &str,
) -> Result<Option<PathBuf>, Error> {
    let mut key = Key::new("headers");
    runtime::add_tools(&mut key, tools);
    for flag in compile::trace_flags(trace) {
        key.add("flag", flag);
    }
    key.add("optimise", optimise);
    let entry = cache.entry(
        "headers",
        &key.finish(),
        |_| true,
        |folder| make(tools, cache, trace, optimise, folder),
    )?;
    let header = entry.folder.join(HEADER);
    Ok(header.is_file().then_some(header))
}

fn make(
    tools: &Tools,
    cache: &Cache,
    trace: bool,
    optimise: &str,
    folder: &Path,
) -> Result<(), Error> {
    let header = folder.join(HEADER);
    let vcd = if trace { "#include \"verilated_vcd_c.h\"\n" } else { "" };
    // Not dut.h: a build reads it from another folder, where `#pragma once` does not know it again.
    let text = format!("#include <atomic>\n#include <memory>\n#include \"verilated.h\"\n{vcd}");
    std::fs::write(&header, text).map_err(Error::io("write", &header))?;
    let job = Job { tools, folder, include_dirs: &[], trace, log: (cache, "headers") };
    let mut command = job.command();
    command.arg(optimise).args(["-x", "c++-header", HEADER, "-o", "all.h.gch"]);
    let made = command.output().is_ok_and(|output| output.status.success());
    if !made {
        std::fs::remove_file(&header).map_err(Error::io("remove", &header))?;
    }
    Ok(())
}
