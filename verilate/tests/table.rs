//! The table against the RTL: the ports that Verilator reports are those that the table derives,
//! for every parameter set that is built and for the ends of the parameters' ranges; and the RTL
//! is free of lint.

use congruent_ports::{BLOCKS, Block, Layout, ParamSet, PortDir};
use congruent_verilate::{Build, Kind, Search, Shape, Type, Verilator, elaborate, lint};
use std::path::{Path, PathBuf};

fn rtl() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../rtl")
}

fn verilator() -> Verilator {
    Verilator::find(&Search::new(&rtl().join(".."))).unwrap_or_else(|e| panic!("{e}"))
}

fn sets(block: &'static Block) -> Vec<ParamSet> {
    let with = |changes: &[(&'static str, i64)]| {
        ParamSet::with(block, changes.iter().copied()).unwrap_or_else(|e| panic!("{e}"))
    };
    let mut sets: Vec<_> = block.builds.iter().map(|b| with(b.params)).collect();
    if block.name == "rate_limiter" {
        sets.push(with(&[
            ("QPS", 2),
            ("QP_W", 1),
            ("TIME_W", 10),
            ("RATE_FRAC", 12),
            ("EST_FRAC", 8),
        ]));
        sets.push(with(&[("QPS", 4096), ("QP_W", 16)]));
    }
    sets
}

#[test]
fn the_ports_are_those_of_the_table() {
    let verilator = verilator();
    for block in BLOCKS {
        for params in sets(block) {
            let layout = Layout::new(block, &params);
            let build = Build::of_block(&layout, &rtl(), Kind::Executable);
            let module = elaborate(&verilator, &build.sources).unwrap_or_else(|e| panic!("{e}"));
            // Words of the harness are unsigned numbers of plain bits.
            let plain = |ty: &Type| {
                !ty.signed && ty.unpacked.is_empty() && matches!(ty.shape, Shape::Bits(_))
            };
            let mut found: Vec<_> = module
                .ports
                .iter()
                .map(|p| (p.name.clone(), p.dir, p.ty.width, plain(&p.ty)))
                .collect();
            let port = |name: &str, dir, width| (name.to_string(), dir, width, true);
            let mut wanted = vec![port("clk", PortDir::In, 1), port("rst_n", PortDir::In, 1)];
            wanted.extend(layout.ports().map(|p| port(&p.name, p.dir, p.width)));
            found.sort_by(|a, b| a.0.cmp(&b.0));
            wanted.sort_by(|a, b| a.0.cmp(&b.0));
            assert_eq!(found, wanted, "{} {params:?}", block.name);
            module.check_clocks("clk", &[]).unwrap_or_else(|e| panic!("{}: {e}", block.name));
        }
    }
}

#[test]
fn the_rtl_is_free_of_lint() {
    let verilator = verilator();
    for block in BLOCKS {
        for params in sets(block) {
            let layout = Layout::new(block, &params);
            let mut build = Build::of_block(&layout, &rtl(), Kind::Executable);
            let waivers = rtl().join("waivers.vlt");
            if waivers.is_file() {
                build.sources.files.insert(0, waivers);
            }
            lint(&verilator, &build).unwrap_or_else(|e| panic!("{params:?}: {e}"));
            // What synthesis reads has no assertions.
            build.sources.defines.clear();
            lint(&verilator, &build).unwrap_or_else(|e| panic!("{params:?}, no assertions: {e}"));
        }
    }
}
