//! All the RTL of this project as libraries to be linked in: what `build.rs` asks for.

use crate::build::{Build, Kind};
use crate::cache::Cache;
use crate::error::Error;
use crate::find::Tools;
use crate::runtime;
use congruent_ports::{BLOCKS, Block, BuildSet, Layout};
use std::fmt::Write as _;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// The libraries and the C++ that finds a model in them by name.
#[derive(Debug)]
pub struct InTree {
    /// Folder and name of each static library, in the order in which the linker needs them.
    pub libraries: Vec<(PathBuf, String)>,
    /// Folder of `dut.h`.
    pub include: PathBuf,
    /// C++ of `congruent::make_in_tree`.
    pub registry: String,
    /// Names that `make_in_tree` knows: `rate_limiter/default`.
    pub names: Vec<String>,
}

/// The name of a block with one of its parameter sets, as the registry knows it.
pub fn name_of(block: &Block, set: &BuildSet) -> String {
    format!("{}/{}", block.name, set.name)
}

/// Builds every parameter set of every block whose RTL is there.
///
/// # Errors
/// As [`Build::run`]; and a parameter set of the table that the table itself refuses.
pub fn in_tree(project: &Path, tools: &Tools) -> Result<InTree, Error> {
    let rtl = project.join("rtl");
    let cache = Cache::of(project);
    let mut all = InTree {
        libraries: Vec::new(),
        include: PathBuf::new(),
        registry: String::new(),
        names: Vec::new(),
    };
    let mut declarations = String::new();
    let mut cases = String::new();
    let mut runtimes = Vec::new();
    let there = BLOCKS.iter().filter(|b| b.rtl.iter().all(|f| rtl.join(f).is_file()));
    let sets: Vec<_> = there.flat_map(|b| b.builds.iter().map(move |set| (*b, set))).collect();
    let built = side_by_side(&sets, |(block, set)| {
        let layout = Layout::new(block, &set.params(block));
        let kind = Kind::Library { class: class_of(block, set) };
        Build::of_block(&layout, &rtl, kind).run(tools, &cache)
    });
    for ((block, set), built) in sets.iter().zip(built) {
        let built = built?;
        let (name, class) = (name_of(block, set), class_of(block, set));
        let _ = writeln!(declarations, "std::unique_ptr<Dut> make_{class}(const Start& start);");
        let _ = writeln!(cases, "  if (name == \"{name}\") return make_{class}(start);");
        all.libraries.push((built.folder, class));
        all.names.push(name);
        if !runtimes.contains(&built.include) {
            runtimes.push(built.include);
        }
    }
    // One for all, unless a block needs more of Verilator's runtime than another (DPI). Without any
    // RTL the registry still needs its header.
    if runtimes.is_empty() {
        runtimes.push(runtime::build(tools, &cache, &["verilated".into()])?.folder);
    }
    all.include.clone_from(&runtimes[0]);
    all.libraries.extend(runtimes.into_iter().map(|folder| (folder, runtime::LIBRARY.into())));
    all.registry = format!(
        "// Finds a linked model by name: written by build.rs, not to be edited.\n\
         #include \"dut.h\"\n\n\
         #include <string_view>\n\n\
         namespace congruent {{\n\n\
         {declarations}\n\
         std::unique_ptr<Dut> make_in_tree(std::string_view name, const Start& start) {{\n\
         {cases}  return nullptr;\n\
         }}\n\n\
         }}  // namespace congruent\n"
    );
    Ok(all)
}

fn class_of(block: &Block, set: &BuildSet) -> String {
    format!("{}_{}", block.name, set.name)
}

/// Calls `work` for each item, as many at a time as there are cores; results in order. A model is
/// mostly one unit of C++, so a build by itself keeps one core busy.
fn side_by_side<I: Sync, T: Send>(items: &[I], work: impl Fn(&I) -> T + Sync) -> Vec<T> {
    let cores = thread::available_parallelism().map_or(1, usize::from).min(items.len());
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut done = Vec::new();
        loop {
            let n = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(n) else { return done };
            done.push((n, work(item)));
        }
    };
    let mut all: Vec<(usize, T)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(worker)).collect();
        let joined = workers.into_iter().map(|worker| worker.join());
        joined.flat_map(|done| done.unwrap_or_else(|fault| resume_unwind(fault))).collect()
    });
    all.sort_by_key(|(n, _)| *n);
    all.into_iter().map(|(_, result)| result).collect()
}
