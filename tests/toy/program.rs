//! The RTL of the toy block as a program.

use super::layout;
use congruent_verilate::{Build, Cache, Kind, Profile, Tools};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Built once for all tests; none, and a word about it, where there is no Verilator.
#[allow(dead_code, reason = "not every test that shares the toy block plays its RTL as it is")]
pub fn program() -> Option<&'static Path> {
    static BUILT: OnceLock<Option<PathBuf>> = OnceLock::new();
    BUILT.get_or_init(|| built(|_| ())).as_deref()
}

/// The same with something changed.
pub fn built(change: impl FnOnce(&mut Build<'_>)) -> Option<PathBuf> {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tools = Tools::find(project).map_err(|why| println!("skipped: {why}")).ok()?;
    let layout = layout();
    let mut build = Build::of_block(&layout, &project.join("tests/toy"), Kind::Executable);
    build.profile = Profile::Quick;
    change(&mut build);
    let built = build.run(&tools, &Cache::of(project)).unwrap_or_else(|e| panic!("{e}"));
    Some(built.artefact)
}
