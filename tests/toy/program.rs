//! The RTL of the toy block as a program.

use super::layout;
use congruent_verilate::{Build, Cache, Kind, Profile, Tools};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Built once for all tests; none, and a word about it, where there is no Verilator.
pub fn program() -> Option<&'static Path> {
    static BUILT: OnceLock<Option<PathBuf>> = OnceLock::new();
    let built = BUILT.get_or_init(|| {
        let project = Path::new(env!("CARGO_MANIFEST_DIR"));
        let tools = Tools::find(project).map_err(|why| println!("skipped: {why}")).ok()?;
        let layout = layout();
        let mut build = Build::of_block(&layout, &project.join("tests/toy"), Kind::Executable);
        build.profile = Profile::Quick;
        let built = build.run(&tools, &Cache::of(project)).unwrap_or_else(|e| panic!("{e}"));
        Some(built.artefact)
    });
    built.as_deref()
}
