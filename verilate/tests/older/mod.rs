// The oldest Verilator that is supported, where one is installed. Shared by tests.

use congruent_verilate::{Search, Verilator};
use std::path::Path;

/// What a test says that has none.
pub const SKIPPED: &str =
    "skipped: no Verilator 5.006 at /usr/bin/verilator_bin or in CONGRUENT_OLD_VERILATOR";

/// That Verilator.
pub fn verilator() -> Option<Verilator> {
    let named = std::env::var_os("CONGRUENT_OLD_VERILATOR");
    let path = named.unwrap_or_else(|| "/usr/bin/verilator_bin".into());
    if !Path::new(&path).is_file() {
        return None;
    }
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let search = Search { verilator: Some(path), ..Search::new(&project) };
    Some(Verilator::find(&search).unwrap_or_else(|e| panic!("{e}")))
}
