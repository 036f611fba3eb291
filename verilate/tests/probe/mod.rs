// The table of `rtl/probe.sv`: a small block that ends in every way that RTL can. Shared by the
// tests of congruent-verilate and of the harness.

use congruent_ports::{
    Block, Channel, Dir, Field, FieldRole, Layout, Param, ParamSet, Quantity, Ready, Width,
};
use std::path::PathBuf;

const fn field(name: &'static str, width: Width) -> Field {
    Field { name, width, quantity: Quantity::Count, role: FieldRole::Payload, doc: "" }
}

pub const PROBE: Block = Block {
    name: "probe",
    title: "adds values",
    rtl: &["probe.sv"],
    params: &[
        Param { name: "W", default: 40, min: 8, max: 64, power_of_two: false, doc: "bits" },
        Param { name: "INIT", default: -3, min: -9, max: 9, power_of_two: false, doc: "first sum" },
    ],
    variants: &[],
    attributes: &[],
    cfg: &[field("cfg_bias", Width::Bits(8))],
    channels: &[
        Channel {
            name: "op",
            dir: Dir::In,
            ready: Ready::Whole,
            fields: &[field("kind", Width::Bits(4)), field("value", Width::Bits(9))],
            answers: None,
            doc: "",
        },
        Channel {
            name: "sum",
            dir: Dir::Out,
            ready: Ready::Never,
            fields: &[field("total", Width::Param("W")), field("_odd", Width::Bits(1))],
            answers: Some("op"),
            doc: "",
        },
    ],
    controls: &[],
    levels: &[field("init_done", Width::Bits(1)), field("start", Width::Bits(8))],
    timing: &[],
    order: &[],
    bounds: &[],
    coverage: &[],
    builds: &[],
};

/// Kinds of `op`, as `probe.sv` numbers them.
#[allow(dead_code)]
pub mod kind {
    pub const ADD: u64 = 0;
    pub const FINISH: u64 = 1;
    pub const STOP: u64 = 2;
    pub const FATAL: u64 = 3;
    pub const ASSERT: u64 = 4;
    pub const DISPLAY: u64 = 5;
    pub const LOOP: u64 = 6;
    pub const UNSETTLED: u64 = 7;
    pub const SIGNAL: u64 = 8;
}

/// Folder of `probe.sv`.
pub fn rtl() -> PathBuf {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    // From the root package or from congruent-verilate.
    [here.join("verilate/tests/rtl"), here.join("tests/rtl")]
        .into_iter()
        .find(|p| p.join("probe.sv").is_file())
        .expect("the folder of probe.sv")
}

pub fn layout() -> Layout {
    Layout::new(&PROBE, &ParamSet::defaults(&PROBE))
}
