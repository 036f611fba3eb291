//! Verilator's runtime with our hooks, and the main function of a child process: compiled once for
//! all blocks, since it takes longer than most of them.

use crate::cache::Cache;
use crate::compile::{self, Job, Unit};
use crate::error::Error;
use crate::find::Tools;
use crate::key::Key;
use std::path::{Path, PathBuf};

/// Name of the static library, as the linker calls it.
pub(crate) const LIBRARY: &str = "congruent_runtime";

const CHILD: &str = "child.o";

/// The C++ that goes with every driver.
pub(crate) const TEMPLATES: &[(&str, &str)] = &[
    ("dut.h", include_str!("../cpp/dut.h")),
    ("runtime.h", include_str!("../cpp/runtime.h")),
    ("runtime.cpp", include_str!("../cpp/runtime.cpp")),
    ("child.cpp", include_str!("../cpp/child.cpp")),
];

/// A compiled runtime.
#[derive(Debug, Clone)]
pub(crate) struct Runtime {
    pub(crate) folder: PathBuf,
}

impl Runtime {
    pub(crate) fn library(&self) -> PathBuf {
        self.folder.join(format!("lib{LIBRARY}.a"))
    }

    pub(crate) fn child(&self) -> PathBuf {
        self.folder.join(CHILD)
    }
}

/// The runtime with these of Verilator's own files (`verilated`, `verilated_threads`, …).
pub(crate) fn build(tools: &Tools, cache: &Cache, globals: &[String]) -> Result<Runtime, Error> {
    let mut key = Key::new("runtime");
    // Whether it traces follows from its files.
    add_all(&mut key, tools);
    for global in globals {
        key.add("global", global);
    }
    let entry = cache.entry(
        "runtime",
        &key.finish(),
        |_| true,
        |folder| make(tools, cache, globals, folder),
    )?;
    Ok(Runtime { folder: entry.folder })
}

/// What every object of a model depends on besides its own source.
pub(crate) fn add_all(key: &mut Key, tools: &Tools) {
    for (name, text) in TEMPLATES {
        key.add(name, text);
    }
    add_tools(key, tools);
}

/// What the tools make of a source depends on them and their flags.
pub(crate) fn add_tools(key: &mut Key, tools: &Tools) {
    key.add("verilator", &tools.verilator.identity);
    key.add("verilator root", tools.verilator.root.as_os_str().as_encoded_bytes());
    key.add("compiler", &tools.compiler.version);
    key.add("compiler path", tools.compiler.path.as_os_str().as_encoded_bytes());
    for argument in &tools.compiler.arguments {
        key.add("compiler argument", argument);
    }
    for flag in compile::FLAGS {
        key.add("flag", flag);
    }
    // Compilers look where these say. CXXFLAGS and their like are for make, and are not used here.
    for name in ["CPATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH"] {
        if let Some(value) = std::env::var_os(name) {
            key.add(name, value.as_encoded_bytes());
        }
    }
}

fn make(tools: &Tools, cache: &Cache, globals: &[String], folder: &Path) -> Result<(), Error> {
    for (name, text) in TEMPLATES {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(Error::io("write", &path))?;
    }
    let unit = |source: PathBuf, object: String, extra: &[&str]| Unit {
        source,
        object,
        optimise: "-O2",
        extra: extra.iter().map(Into::into).collect(),
    };
    let include = tools.verilator.root.join("include");
    let mut units: Vec<Unit> = globals
        .iter()
        .map(|g| {
            let source = include.join(format!("{g}.cpp"));
            unit(source, format!("{g}.o"), &["-include", "runtime.h"])
        })
        .collect();
    units.push(unit("runtime.cpp".into(), "runtime.o".into(), &[]));
    units.push(unit("child.cpp".into(), CHILD.into(), &[]));
    let log = (cache, "runtime");
    let trace = globals.iter().any(|name| name == "verilated_vcd_c");
    let job = Job { tools, folder, include_dirs: &[folder], trace, log };
    let objects = compile::objects(&job, &units)?;
    let (child, objects): (Vec<_>, Vec<_>) =
        objects.into_iter().partition(|o| o.file_name().is_some_and(|n| n == CHILD));
    compile::archive(&tools.compiler, folder, &format!("lib{LIBRARY}.a"), &objects, log)?;
    for object in objects {
        std::fs::remove_file(&object).map_err(Error::io("remove", &object))?;
    }
    debug_assert_eq!(child.len(), 1);
    Ok(())
}
