//! `make lint` for SystemVerilog: `verilator --lint-only -Wall` on every block of the table, under
//! every parameter set that is built in.
//!
//!     cargo run -p congruent-verilate --example lint

use congruent_ports::{BLOCKS, Layout};
use congruent_verilate::{Build, Error, Kind, Search, Verilator, lint, name_of};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            // As in the `congruent` command: 3 is a tool that is missing.
            ExitCode::from(if matches!(error, Error::Find(_)) { 3 } else { 1 })
        }
    }
}

fn run() -> Result<(), Error> {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let verilator = Verilator::find(&Search::new(&project))?;
    let rtl = project.join("rtl");
    for block in BLOCKS {
        for set in block.builds {
            let params = set.params(block);
            let layout = Layout::new(block, &params);
            let mut build = Build::of_block(&layout, &rtl, Kind::Executable);
            // Each waiver there has its reason beside it.
            build.sources.files.extend(Some(rtl.join("waivers.vlt")).filter(|w| w.is_file()));
            lint(&verilator, &build)?;
            println!("{}: no lint (Verilator {})", name_of(block, set), verilator.version);
        }
    }
    Ok(())
}
