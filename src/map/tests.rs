//! Maps that do not fit, each fault with its line; and what a map that fits comes to.

use super::fit::{Fit, fit};
use super::parse::parse;
use super::{Faults, Slice};
use congruent_hw::steered::Due;
use congruent_ports::{Layout, ParamSet, PortDir, notification_point::BLOCK};
use congruent_verilate::{
    Edge, End, Member, Module, Piece, Pin, Place, PortDecl, Range, Shape, Tie, Type, Wire,
};
use std::io::Write as _;

fn ty(width: u32) -> Type {
    let range = Range { left: i64::from(width) - 1, right: 0 };
    let shape = Shape::Bits((width > 1).then_some(range));
    Type { unpacked: vec![], width, signed: false, shape }
}

fn place(line: u32) -> Place {
    Place { file: "np.sv".into(), line }
}

fn layout() -> Layout {
    let params = ParamSet::with(&BLOCK, [("QPS", 8), ("QP_W", 4), ("TIME_W", 12)]);
    Layout::new(&BLOCK, &params.expect("in range"))
}

/// A module with the table's ports, another clock and reset, the marks in a struct, the counters in an
/// array, a wide input, and one port less: `err_code`.
fn module() -> Module {
    let mut ports = vec![];
    let mut port = |name: &str, dir, ty| {
        let line = ports.len() as u32 + 1;
        ports.push(PortDecl { name: name.into(), dir, ty, place: place(line) });
    };
    port("clk_i", PortDir::In, ty(1));
    port("rst_i", PortDir::In, ty(1));
    let member = |name: &str, lsb, width| Member { name: name.into(), lsb, ty: ty(width) };
    let members = vec![member("valid", 12, 1), member("spare", 6, 6), member("who", 0, 6)];
    let mark = Shape::Struct { name: "mark_t".into(), members };
    let shape = Type { unpacked: vec![], width: 13, signed: false, shape: mark };
    port("mark_i", PortDir::In, shape);
    let range = Range { left: 1, right: 3 };
    port("count_o", PortDir::Out, Type { unpacked: vec![range], ..ty(16) });
    port("wide_i", PortDir::In, ty(100));
    port("taken_o", PortDir::Out, ty(1));
    port("gap_i", PortDir::In, Type { signed: true, ..ty(8) });
    for own in layout().ports() {
        let theirs = ["ce_valid", "ce_qp", "cfg_gap", "err_code"];
        if !theirs.contains(&own.name.as_str()) && !own.name.starts_with("stat_") {
            port(&own.name, own.dir, ty(own.width));
        }
    }
    let edge = |name: &str, rising, reset| Edge {
        ports: vec![name.into()],
        rising,
        direct: true,
        reset,
        place: place(40),
    };
    Module {
        name: "np".into(),
        place: place(1),
        ports,
        params: vec![],
        edges: vec![edge("clk_i", false, false), edge("rst_i", true, true)],
    }
}

fn fitted(text: &str) -> Result<Fit, String> {
    let mut file = tempfile::NamedTempFile::new().expect("a file");
    file.write_all(text.as_bytes()).expect("writes");
    fit(Some(file.path()), &module(), &layout()).map_err(|e| {
        let name = file.path().display().to_string();
        format!("{e}\n{}", e.help().unwrap_or_default()).replace(&name, "np.toml")
    })
}

const GOOD: &str = r#"
block = "notification_point"
[clock]
port = "clk_i"
[reset]
port = "rst_i"
cycles = 9
[ports]
ce_valid = "mark_i.valid"
ce_qp = "mark_i.who"
cfg_gap = { signal = "gap_i", scale = "1/4", offset = -1, round = "ceil" }
err_code = "{2'b00, !taken_o}"
stat_cnps = "count_o[1]"
stat_swallowed = "ignore"
stat_range = { signal = "count_o[3]", tolerance = "2 lsb" }
[constants]
"mark_i.spare" = -2
wide_i = "100'h8_0000_0000_0000_0001"
[handshake]
ce = "!taken_o"
[timing]
cnp_latency = 5
peek_latency = "<= 12"
"#;

#[test]
fn a_map_comes_to_wires_rules_and_figures() {
    let fit = fitted(GOOD).unwrap_or_else(|e| panic!("{e}"));
    let pin = |port: &str, width, lsb| Pin { port: port.into(), element: vec![], width, lsb };
    let clock = (&fit.wires.clock.port[..], fit.wires.clock.falling);
    assert_eq!(clock, ("clk_i", true), "it waits for the falling edge");
    let reset = fit.wires.reset.as_ref().expect("a reset");
    assert_eq!((&reset.port[..], reset.active_low, reset.asynchronous), ("rst_i", false, true));
    assert_eq!(fit.reset_cycles, 9);
    // A wider port of theirs is driven with zeros above our bits.
    let piece = |at, count, pin, inverted| Piece { at, count, end: End::Pin { pin, inverted } };
    let qp = Wire::Pieces(vec![piece(0, 4, pin("mark_i", 13, 0), false)]);
    assert_eq!(fit.wires.wire("ce_qp"), qp);
    assert_eq!(fit.wires.wire("peek_qp"), Wire::Port("peek_qp".into()));
    let code = vec![
        piece(0, 1, pin("taken_o", 1, 0), true),
        Piece { at: 1, count: 2, end: End::Constant(0) },
    ];
    assert_eq!(fit.wires.wire("err_code"), Wire::Pieces(code));
    let element = Pin { element: vec![2], ..pin("count_o", 16, 0) };
    assert_eq!(fit.wires.wire("stat_range"), Wire::Pieces(vec![piece(0, 16, element, false)]));
    // -2 in six bits; bits 0 and 67 of the wide one.
    let tie = |port: &str, width, lsb, value| Tie { pin: pin(port, width, lsb), value };
    let ties =
        [tie("mark_i", 13, 6, 0b11_1110), tie("wide_i", 100, 0, 1), tie("wide_i", 100, 64, 8)];
    assert_eq!(fit.wires.ties, ties);
    // (ours / 4 - 1), rounded up: 22 / 4 - 1 = 4.5.
    let [drive] = fit.drives.as_slice() else { panic!("{:?}", fit.drives) };
    assert_eq!((drive.slice, &drive.port[..], drive.width), (Slice::Cfg, "cfg_gap", 8));
    assert_eq!(drive.relation.as_ref().and_then(|r| r.fitting(22)), Some(5));
    assert_eq!(drive.relation.as_ref().and_then(|r| r.fitting(0)), Some(0xff), "signed: -1");
    let word = |name: &str| {
        let found = fit.layout.outputs.iter().position(|port| port.name == name);
        found.unwrap_or_else(|| panic!("{name}"))
    };
    let rules = fit.timing.rules();
    assert!(rules.ignores(word("stat_swallowed")) && !rules.ignores(word("stat_cnps")));
    assert!(rules.holds(word("stat_range"), 5, 7) && !rules.holds(word("stat_range"), 5, 8));
    assert_eq!(fit.timing.due("cnp_latency"), Due::After(5));
    assert_eq!(fit.timing.due("peek_latency"), Due::Within(12));
    // The ready that ours does not have stands behind everything.
    assert_eq!(word("ce_ready"), layout().outputs.len());
    assert_eq!(fit.layout.input("ce").ready, Some(word("ce_ready")));
    assert_eq!(fit.names["ce_valid"], "mark_i.valid");
}

/// Every fault of a map is told at once, in the order of its lines, what it does not say at the end.
#[test]
fn every_fault_is_told_at_once() {
    let text = r#"block = "rate_limiter"
clok = "clk_i"
[clock]
port = "clk_i"
edge = "rising"
[reset]
port = "rst_i"
active = "low"
synchronous = true
[ports]
ce_valid = "mark_i.vald"
ce_qp = "mark_i[5:3]"
cfg_gap = { signal = "gap_i", scale = "a lot" }
cnp_quality = "taken_o"
peek = "taken_o"
gap_i = "cfg_gap"
peek_qp = "peek_valid"
cnp_valid = "peek_valid"
err_channel = { signal = "err_channel", tolerance = "1 lsb" }
err_qp = { signal = "err_qp", scale = 2 }
peeked_last = { signal = "peeked_last", tolerance = "2 Gbps" }
stat_cnps = "count_o[4]"
stat_range = "count_o"
[constants]
"mark_i.spare" = 64
wide_i = "101'h0"
mark_who = 0
[handshake]
peek = "taken_o"
marks = "taken_o"
[timing]
cnp_latancy = 3
err_latency = "fast"
"#;
    insta::assert_snapshot!(fitted(text).expect_err("faults"), @r#"
    np.toml: module `np` does not fit the table of notification_point:
      line 1: the map is for `rate_limiter`, and `notification_point` is checked
      line 2: a map has no key `clok`; perhaps `clock`; accepted is block, clock, reset, ports, constants, handshake, timing
      line 3: edge = "rising", and the module waits for the falling edge of `clk_i`
      line 6: active = "low", and the module waits for the rising edge of `rst_i`
      line 6: synchronous = true, and the module waits for an edge of `rst_i` (np.sv:40)
      line 11: ce_valid = "mark_i.vald": `mark_i` has no member `vald`; it has valid, spare, who
      line 12: ce_qp, 4 bits, = "mark_i[5:3]", 3 bits: our upper bits have no place there; build both with other parameters (--param), say that they are 0 as {1'd0, mark_i[5:3]}, or name the format with `scale`
      line 13: scale = "a lot": accepted is a number such as 3, -0.5 or 1/256
      line 14: notification_point has no port `cnp_quality`
      line 15: `peek` is a channel of notification_point: accepted for all of it is "ignore"
      line 16: `gap_i` is a port of the module, not of notification_point: the table's port stands on the left
      line 17: peek_qp, 4 bits, = "peek_valid", 1 bit: our upper bits have no place there; build both with other parameters (--param), say that they are 0 as {3'd0, peek_valid}, or name the format with `scale`
      line 18: cnp_valid is an output of the table, and `peek_valid` is an input of the module (np.sv:8)
      line 19: err_channel: the tolerance `1 lsb`: a name has no distance; accepted is no tolerance here
      line 20: err_qp: only a number has another format, by scale and offset
      line 21: peeked_last: the tolerance `2 Gbps`: is in another unit than the field; accepted is an amount such as 2lsb or 0.5cycles
      line 22: stat_cnps = "count_o[4]": `count_o[4]` is outside of [1:3], the range of `count_o`
      line 23: stat_range = "count_o": `count_o` is an unpacked array [1:3]; accepted is one of its elements, as count_o[3]
      line 25: mark_i.spare = "64": the value does not fit in its 6 bits
      line 26: wide_i = "101'h0": the value does not fit in its 100 bits
      line 27: mark_who = "mark_who": module `np` has no port `mark_who`
      line 29: peek has a ready of its own: map peek_ready in [ports]
      line 30: notification_point has no channel `marks`
      line 32: notification_point has no cycle count `cnp_latancy`; perhaps `cnp_latency`
      line 33: err_latency = "fast": accepted is a count of cycles, as 9, or a bound, as "<= 20"
      output `err_code` of the table, 3 bits, is not in the map, and the module has no port of that name: map it, or say err_code = "ignore"
      output `stat_swallowed` of the table, 16 bits, is not in the map, and the module has no port of that name: map it, or say stat_swallowed = "ignore"
      nothing drives the input `mark_i` of module `np` (np.sv:3): name it in [ports], or hold it at a value in [constants]
      nothing drives the input `wide_i` of module `np` (np.sv:5): name it in [ports], or hold it at a value in [constants]
      nothing drives the input `peek_qp` of module `np` (np.sv:9): name it in [ports], or hold it at a value in [constants]
    docs/map.md says what a map may hold
    "#);
}

#[test]
fn without_a_map_every_port_is_called_as_in_the_table() {
    let error = fit(None, &module(), &layout()).expect_err("faults");
    insta::assert_snapshot!(format!("{error}\n{}", error.help().unwrap_or_default()), @r#"
    module `np` does not fit the table of notification_point:
      the clock is not named; `clk_i` may be it: accepted is [clock] with port = "clk_i"
      the reset is not named; `rst_i` may be it: accepted is [reset] with port and active, or reset = "none" where the module has none
      input `cfg_gap` of the table, 12 bits, is not in the map, and the module has no port of that name: map it, or say cfg_gap = "ignore"
      channel `ce` of the table is not in the map, and the module has no ports of these names: map ce_valid [1], ce_qp [4], or say ce = "ignore"
      output `err_code` of the table, 3 bits, is not in the map, and the module has no port of that name: map it, or say err_code = "ignore"
      output `stat_cnps` of the table, 16 bits, is not in the map, and the module has no port of that name: map it, or say stat_cnps = "ignore"
      output `stat_swallowed` of the table, 16 bits, is not in the map, and the module has no port of that name: map it, or say stat_swallowed = "ignore"
      output `stat_range` of the table, 16 bits, is not in the map, and the module has no port of that name: map it, or say stat_range = "ignore"
      nothing drives the input `clk_i` of module `np` (np.sv:1): name it in [ports], or hold it at a value in [constants]
      nothing drives the input `rst_i` of module `np` (np.sv:2): name it in [ports], or hold it at a value in [constants]
      nothing drives the input `mark_i` of module `np` (np.sv:3): name it in [ports], or hold it at a value in [constants]
      nothing drives the input `wide_i` of module `np` (np.sv:5): name it in [ports], or hold it at a value in [constants]
      nothing drives the input `gap_i` of module `np` (np.sv:7): name it in [ports], or hold it at a value in [constants]
    say with --map MAP.toml which port is which; `congruent ports --map MAP.toml` writes one to fill in
    "#);
}

#[test]
fn a_map_that_is_no_toml_is_told_with_its_line() {
    insta::assert_snapshot!(fitted("[ports]\nce_valid = mark_i.valid\n").expect_err("no TOML"), @r#"
    np.toml: this is no map
      line 2: string values must be quoted, expected literal string
    docs/map.md says what a map may hold
    "#);
}

/// What is driven twice, and what drives nothing, by its declared indices.
#[test]
fn bits_are_driven_once() {
    let twice = GOOD.replace("mark_i.who", "mark_i[6:0]").replace(
        "wide_i = \"100'h8_0000_0000_0000_0001\"",
        "\"wide_i[95:4]\" = 0\n\"wide_i[5:5]\" = 1",
    );
    insta::assert_snapshot!(fitted(&twice).expect_err("faults"), @r#"
    np.toml: module `np` does not fit the table of notification_point:
      line 17: `mark_i.spare[0]` is driven by ce_qp and by [constants]
      line 19: `wide_i[5]` is driven by [constants] and by [constants]
      nothing drives the input `wide_i[3:0]`, `wide_i[99:96]` of module `np` (np.sv:5): name it in [ports], or hold it at a value in [constants]
    docs/map.md says what a map may hold
    "#);
}

#[test]
fn a_map_may_be_read_without_a_module() {
    let mut faults = Faults::default();
    let map = parse(GOOD, &mut faults);
    assert!(faults.is_empty());
    assert_eq!((map.ports.len(), map.constants.len(), map.timing.len()), (7, 2, 2));
    assert_eq!(map.ports[1].line, 10);
}
