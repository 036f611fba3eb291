//! What of a design cannot be taken: every case is refused with file and line, and with what to do.
//! The texts are snapshots; those that are Verilator's own are held on the version that is pinned.

mod older;

use congruent_verilate::{Relative, Search, Sources, Verilator, elaborate, top};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// Files of a design in a folder of their own.
struct Design {
    folder: TempDir,
    sources: Sources,
}

impl Design {
    fn new(top: &str, files: &[(&str, &str)]) -> Self {
        let folder = TempDir::new().expect("a folder");
        let mut sources = Sources { top: top.into(), ..Sources::default() };
        for (name, text) in files {
            fs::write(folder.path().join(name), text).expect("writes");
            sources.files.push(folder.path().join(name));
        }
        Self { folder, sources }
    }

    /// A list beside the files, and what reading it says.
    fn list(text: &str) -> String {
        let design = Self::new("", &[("here.sv", "module here; endmodule\n"), ("list.f", text)]);
        let list = design.folder.path().join("list.f");
        let mut sources = Sources::default();
        let error = sources.read_list(&list, Relative::List).expect_err("is refused");
        design.neutral(&error.to_string())
    }

    /// Without the folder, which is another one each time.
    fn neutral(&self, text: &str) -> String {
        let folder = self.folder.path();
        let real = folder.canonicalize().expect("a path");
        let text = text.replace(&format!("{}/", folder.display()), "");
        text.replace(&format!("{}/", real.display()), "")
    }

    fn said_by(&self, verilator: &Verilator) -> String {
        let result = match self.sources.top.as_str() {
            "" => top(verilator, &self.sources).map(|name| format!("top {name}")),
            _ => elaborate(verilator, &self.sources).and_then(|module| {
                let clock = module.ports.first().map_or("", |p| p.name.as_str());
                module.check_clocks(clock, &["tied"]).map(|()| "accepted".to_string())
            }),
        };
        self.neutral(&result.unwrap_or_else(|error| error.to_string()))
    }

    /// What the pinned version is told.
    fn said(&self) -> String {
        self.said_by(&verilator())
    }

    /// What every version is told.
    fn said_by_all(&self) -> String {
        let said = self.said();
        match older::verilator() {
            Some(old) => assert_eq!(self.said_by(&old), said),
            None => println!("{}", older::SKIPPED),
        }
        said
    }
}

fn verilator() -> Verilator {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    Verilator::find(&Search::new(&project)).unwrap_or_else(|e| panic!("{e}"))
}

fn said(top: &str, files: &[(&str, &str)]) -> String {
    Design::new(top, files).said_by_all()
}

// Ports.

const PADS: &str = "module pads (\n  input logic clk,\n  inout wire [3:0] pad,\n  output logic [1:0] q [2]\n);\nendmodule\n";

const CHIP: &str = "interface bus_if #(parameter W = 4) (input logic clk);\n  logic [W-1:0] d;\n  logic v;\n  modport slave(input d, output v);\nendinterface\nmodule chip (\n  input logic clk,\n  bus_if.slave s,\n  input logic [1:0] x\n);\n  assign s.v = ^s.d & x[0];\nendmodule\n";

const TWO: &str = "module two (\n  input logic clk_a,\n  input logic clk_b,\n  input logic gate,\n  input logic d,\n  output logic q,\n  output logic r\n);\n  always_ff @(posedge clk_a) q <= d;\n  two_leaf leaf (.ck(clk_b & gate), .d(d), .q(r));\nendmodule\nmodule two_leaf (input logic ck, input logic d, output logic q);\n  always_ff @(negedge ck) q <= d;\nendmodule\n";

#[test]
fn an_inout() {
    insta::assert_snapshot!(said("pads", &[("pads.sv", PADS)]), @"
    module `pads` has ports that cannot be driven or compared:
      pads.sv:3: inout `pad`
      accepted are inputs and outputs: give --top pads_wrapper with a file that splits the inout in two, and tie its `_drive` in the map ([constants]):
    module pads_wrapper (
      input logic clk,
      output logic [1:0] q [0:1],
      input logic [3:0] pad_in,
      input logic pad_drive,
      output logic [3:0] pad_out
    );
      wire [3:0] pad;
      assign pad = pad_drive ? pad_in : 'z;
      assign pad_out = pad;
      pads dut (
        .clk(clk),
        .q(q),
        .pad(pad)
      );
    endmodule
    ");
}

#[test]
fn interfaces_on_top() {
    insta::assert_snapshot!(said("chip", &[("chip.sv", CHIP)]), @"
    module `chip` has interface ports, which no driver reaches:
      chip.sv:8: `s` of interface bus_if.slave
      give --top chip_wrapper with a file that has the signals of the interface as ports of its own:
    module chip_wrapper (
      input logic clk,
      input logic [3:0] s_d,
      output logic s_v,
      input logic [1:0] x
    );
      bus_if s (.clk(clk));
      assign s.d = s_d;
      assign s_v = s.v;
      chip dut (
        .clk(clk),
        .s(s.slave),
        .x(x)
      );
    endmodule
    ");
}

#[test]
fn ports_that_are_no_bits() {
    let text = "typedef struct {\n  logic a;\n  int   b;\n} loose_t;\nmodule odd (\n  input real r,\n  input chandle c,\n  input event e,\n  input loose_t u,\n  output string s,\n  input logic ok\n);\nendmodule\n";
    insta::assert_snapshot!(said("odd", &[("odd.sv", text)]), @"
    module `odd` has ports that cannot be driven or compared:
      odd.sv:6: input `r` is of type real
      odd.sv:7: input `c` is of type chandle
      odd.sv:8: input `e` is of type event
      odd.sv:9: input `u` is an unpacked struct
      odd.sv:10: output `s` is of type string
      accepted are ports of bits: logic, bit, enum, packed struct, packed union, arrays of such; write a module around it that has only these, and name it with --top
    ");
}

#[test]
fn two_clocks() {
    insta::assert_snapshot!(said("two", &[("two.sv", TWO)]), @"
    module `two` has more than one clock:
      two.sv:9: the rising edge of `clk_a`
      two.sv:13: the falling edge of a signal made of `clk_b`, `gate`
      the harness drives one: tie the other to a constant in the map ([constants]), or give --top two_one_clock with a file that clocks both parts at once:
    module two_one_clock (
      input logic clk_a,
      input logic gate,
      input logic d,
      output logic q,
      output logic r
    );
      two dut (
        .clk_a(clk_a),
        .clk_b(clk_a),
        .gate(gate),
        .d(d),
        .q(q),
        .r(r)
      );
    endmodule
    ");
}

#[test]
fn the_wrappers_are_taken() {
    for (top, text) in [("pads", PADS), ("chip", CHIP), ("two", TWO)] {
        let said = said(top, &[("design.sv", text)]);
        let (_, wrapper) = said.split_once(":\nmodule ").expect("a wrapper");
        let (name, _) = wrapper.split_once(' ').expect("its name");
        let wrapper = format!("module {wrapper}\n");
        let wrapped = Design::new(name, &[("design.sv", text), ("wrapper.sv", &wrapper)]);
        assert_eq!(wrapped.said_by_all(), "accepted", "{wrapper}");
    }
}

#[test]
fn a_clock_that_is_tied_is_none() {
    let text = "module two (\n  input logic clk,\n  input logic tied,\n  input logic d,\n  output logic q,\n  output logic r\n);\n  always_ff @(posedge clk) q <= d;\n  always_ff @(posedge tied) r <= d;\nendmodule\n";
    assert_eq!(said("two", &[("two.sv", text)]), "accepted");
}

#[test]
fn another_clock_than_the_one_that_is_named() {
    let text = "module one (\n  input logic d,\n  input logic tick,\n  output logic q\n);\n  always_ff @(posedge tick) q <= d;\nendmodule\n";
    insta::assert_snapshot!(said("one", &[("one.sv", text)]), @r#"
    nothing in module `one` waits for an edge of its clock `d`; it waits for
      one.sv:6: the rising edge of `tick`
      name the clock of the module in the map: [clock] port = "…"
    "#);
}

// Modules.

const PAIR: (&str, &str) = (
    "pair.sv",
    "module leaf (input logic a);\nendmodule\nmodule pair (input logic a);\n  leaf l (.a(a));\nendmodule\n",
);
const LONE: (&str, &str) = ("lone.sv", "\nmodule lone (input logic a);\nendmodule\n");

#[test]
fn a_module_that_is_not_there() {
    insta::assert_snapshot!(said("peir", &[PAIR, LONE]), @"
    there is no module `peir` in the sources
      lone.sv:2: module lone
      pair.sv:1: module leaf
      pair.sv:3: module pair
      did you mean --top pair?
    ");
    insta::assert_snapshot!(said("queue_manager", &[PAIR, LONE]), @"
    there is no module `queue_manager` in the sources
      lone.sv:2: module lone
      pair.sv:1: module leaf
      pair.sv:3: module pair
      name one of these with --top, or add the file that defines it to --rtl
    ");
}

#[test]
fn several_tops() {
    insta::assert_snapshot!(said("", &[PAIR, LONE]), @"
    several modules could be the top:
      lone.sv:2: module lone
      pair.sv:3: module pair
      name one of them, as --top lone
    ");
    assert_eq!(said("", &[PAIR]), "top pair");
}

#[test]
fn two_modules_of_one_name() {
    let again =
        ("again.sv", "// Another one.\nmodule leaf (input logic a, input logic b);\nendmodule\n");
    insta::assert_snapshot!(said("pair", &[PAIR, again]), @"
    two modules are called `leaf`:
      pair.sv:1: module leaf
      again.sv:2: module leaf
      leave one of the files out, or rename one of the modules
    ");
}

#[test]
fn a_submodule_that_is_not_there() {
    let text = "module whole (input logic a);\n  part p (.a(a));\nendmodule\n";
    insta::assert_snapshot!(Design::new("whole", &[("whole.sv", text)]).said(), @"
    Verilator refuses `whole`:
    %Error-MODMISSING: whole.sv:2:3: Cannot find file containing module: 'part'
        2 |   part p (.a(a));
          |   ^~~~
      add the file that defines it to --rtl, or give a folder to look in as --library DIR
    ");
}

#[test]
fn a_parameter_that_is_not_there() {
    let text = "module wide #(\n  parameter int WIDTH = 4,\n  parameter int DEPTH = 2\n) (input logic [WIDTH-1:0] a);\nendmodule\n";
    let mut design = Design::new("wide", &[("wide.sv", text)]);
    design.sources.params.push(("WITDH".into(), "8".into()));
    insta::assert_snapshot!(design.said_by_all(), @"
    module `wide` has no parameter `WITDH`
      did you mean WIDTH?
    ");
    design.sources.params[0].0 = "COLOUR".into();
    insta::assert_snapshot!(design.said_by_all(), @"
    module `wide` has no parameter `COLOUR`
      its parameters are WIDTH = 4, DEPTH = 2
    ");
}

// Files.

#[test]
fn a_file_that_is_only_a_comment() {
    let text = "// Copyright.\n/* And\n   a note. */\n";
    insta::assert_snapshot!(said("block", &[("note.sv", text)]), @"
    there is no module `block` in the sources
      note.sv:1: the file holds nothing but comments
      name the files that define it after --rtl
    ");
    insta::assert_snapshot!(said("", &[("empty.sv", "")]), @"
    the sources hold no module
      empty.sv:1: the file holds nothing but comments
      name the files that define it after --rtl
    ");
    // Beside others it does no harm.
    assert_eq!(said("lone", &[("note.sv", text), LONE]), "accepted");
}

#[test]
fn a_file_without_a_module() {
    insta::assert_snapshot!(said("", &[("pkg.sv", "package p;\nendpackage\n")]), @"
    the sources hold no module: no module at all in pkg.sv
      name the files that define it after --rtl
    ");
}

#[test]
fn files_that_are_not_there_or_no_files() {
    let mut design = Design::new("lone", &[LONE]);
    let folder = design.folder.path().to_path_buf();
    design.sources.files[0] = folder.join("lne.sv");
    insta::assert_snapshot!(design.said_by_all(), @"
    lne.sv: there is no such file
      did you mean lone.sv?
    ");
    design.sources.files[0] = folder.join("elsewhere/lone.sv");
    insta::assert_snapshot!(design.said_by_all(), @"
    elsewhere/lone.sv: there is no such file
      correct the path; it is relative to the working folder
    ");
    fs::create_dir(folder.join("rtl")).expect("a folder");
    design.sources.files[0] = folder.join("rtl");
    insta::assert_snapshot!(design.said_by_all(), @"
    rtl: this is a folder, not a file
      name the files in it; a folder to look for modules in is given as --library, one to look for included files in as --include
    ");
    design.sources.files[0] = folder.join("lone.sv");
    design.sources.include_dirs.push(folder.join("inc"));
    insta::assert_snapshot!(design.said_by_all(), @"
    --include inc: there is no such folder
      correct the path; it is relative to the working folder
    ");
    design.sources.include_dirs.clear();
    design.sources.library_dirs.push(folder.join("lone.sv"));
    insta::assert_snapshot!(design.said_by_all(), @"
    --library lone.sv: this is a file, not a folder
      correct the path; it is relative to the working folder
    ");
    design.sources.files.clear();
    insta::assert_snapshot!(design.said_by_all(), @"
    no source is named
      name SystemVerilog files after --rtl
    ");
}

#[test]
fn vhdl() {
    let text = "entity limiter is\nend entity;\n";
    insta::assert_snapshot!(said("limiter", &[("limiter.VHD", text)]), @"
    limiter.VHD:1: this is VHDL, which Verilator does not read
      name SystemVerilog or Verilog files; a converter (GHDL's `--synth --out=verilog`) makes Verilog of VHDL
    ");
}

#[test]
fn binary_files() {
    insta::assert_snapshot!(said("x", &[("netlist.sv", "module x;\n\0\u{1}")]), @"
    netlist.sv:2: this is a binary file: it holds a byte 0
      name text files; UTF-16 must be saved as UTF-8
    ");
}

#[test]
fn marks_and_line_ends_of_other_systems_do_no_harm() {
    let text = "\u{feff}module windows (\r\n  input logic clk,\r\n  output logic q\r\n);\r\n  // Comment\r\n  always_ff @(posedge clk) q <= 1'b1;\r\nendmodule\r\n";
    assert_eq!(said("windows", &[("windows.sv", text)]), "accepted");
}

#[test]
fn syntax_errors_are_told_once() {
    let text =
        "module broken (input logic a);\n  assign b = ;\n  foo bar baz;\n  x y z;\nendmodule\n";
    insta::assert_snapshot!(Design::new("broken", &[("broken.sv", text)]).said(), @"
    Verilator refuses `broken`:
    %Error: broken.sv:2:14: syntax error, unexpected ';', expecting IDENTIFIER-for-type
        2 |   assign b = ;
          |              ^
    ");
    let undefined =
        "module broken (input logic a, output logic b);\n  assign b = a & c & d & e;\nendmodule\n";
    insta::assert_snapshot!(Design::new("broken", &[("broken.sv", undefined)]).said(), @"
    Verilator refuses `broken`:
    %Error: broken.sv:2:18: Can't find definition of variable: 'c'
        2 |   assign b = a & c & d & e;
          |                  ^
      (2 more errors)
    ");
}

#[test]
fn included_files_that_are_not_there() {
    let text = "module whole (input logic a);\n`include \"types/bus.svh\"\nendmodule\n";
    insta::assert_snapshot!(Design::new("whole", &[("whole.sv", text)]).said(), @r#"
    Verilator refuses `whole`:
    %Error: whole.sv:2:10: Cannot find include file: 'types/bus.svh'
        2 | `include "types/bus.svh"
          |          ^~~~~~~~~~~~~~~
      a folder to look for included files in is given as --include DIR
    "#);
}

#[test]
fn packages_in_the_wrong_order() {
    let user = "module user import types_pkg::*; (input word_t a);\nendmodule\n";
    let package = "package types_pkg;\n  typedef logic [3:0] word_t;\nendpackage\n";
    let design = Design::new("user", &[("user.sv", user), ("types_pkg.sv", package)]);
    insta::assert_snapshot!(design.said(), @"
    Verilator refuses `user`:
    %Error: user.sv:1:41: Reference to 'word_t' before declaration (IEEE 1800-2023 6.18)
                                        : ... Suggest move the declaration before the reference, or use a forward typedef
        1 | module user import types_pkg::*; (input word_t a);
          |                                         ^~~~~~
            types_pkg.sv:2:23: ... Location of original declaration
      files are read in the order in which they are named: packages first
    ");
}

#[test]
fn what_belongs_to_a_testbench() {
    let text = "module bench (input logic clk, output logic q);\n  task automatic tick;\n    @(posedge clk);\n  endtask\n  initial begin\n    tick();\n    q = 1'b1;\n  end\nendmodule\n";
    insta::assert_snapshot!(Design::new("bench", &[("bench.sv", text)]).said(), @"
    Verilator refuses `bench`:
    %Error-NOTIMING: bench.sv:3:5: Event control statement in this location requires --timing
                                                 : ... note: In instance 'bench'
                                                 : ... With --no-timing, suggest have one event control statement per procedure, at the top of the procedure
        3 |     @(posedge clk);
          |     ^
      delays and event controls within a procedure belong to a testbench: leave them out of what is named
    ");
}

#[test]
fn a_long_chain_is_no_obstacle() {
    // Both trees nest as deep as the chain is long.
    let arms: String = (0..400)
        .map(|n| format!("if (a == 16'd{n}) q = 16'd{};\n    else ", n * 7 % 4096))
        .collect();
    let text = format!(
        "module chain (input logic [15:0] a, output logic [15:0] q);\n  always_comb\n    {arms}q = a;\nendmodule\n"
    );
    assert_eq!(said("chain", &[("chain.sv", &text)]), "accepted");
}

// Lists.

#[test]
fn lists() {
    insta::assert_snapshot!(Design::list("here.sv\n\nmissing.sv // and more\n"), @"
    list.f:3: there is no file `missing.sv`
      correct the path; with -f it is relative to the working folder, with -F to the list's
    ");
    insta::assert_snapshot!(Design::list("+incdir+inc\n"), @"
    list.f:1: there is no folder `inc`
      correct the path; with -f it is relative to the working folder, with -F to the list's
    ");
    insta::assert_snapshot!(Design::list("here.sv -y\n"), @"
    list.f:1: nothing follows `-y`
      write its value after it
    ");
    insta::assert_snapshot!(Design::list("/* note */ -GDEPTH\n"), @"
    list.f:1: the parameter `DEPTH` has no value
      write it as -GNAME=VALUE
    ");
    insta::assert_snapshot!(Design::list("here.sv\n+notimingcheck\n"), @"
    list.f:2: the option `+notimingcheck` means nothing here
      accepted are files, -f, -F, -y, -v, -I, -D, -G, +incdir+, +define+, +libext+ and Verilator's -W…; take it out, or give it as --verilator-flag if it is one
    ");
    insta::assert_snapshot!(Design::list("$CONGRUENT_NO_SUCH_VARIABLE/here.sv\n"), @"
    list.f:1: the variable CONGRUENT_NO_SUCH_VARIABLE is not set in the environment
      set it (`export CONGRUENT_NO_SUCH_VARIABLE=…`), or write the path out
    ");
    insta::assert_snapshot!(Design::list("here.sv\n-F list.f\n"), @"
    the file list `list.f` includes itself
      take the -f or -F that leads back to it out
    ");
}

#[test]
fn a_list_that_is_not_there() {
    let mut sources = Sources::default();
    let error = sources.read_list(Path::new("no/such.f"), Relative::Working).expect_err("refused");
    insta::assert_snapshot!(error, @"
    the file list `no/such.f` cannot be read: No such file or directory (os error 2)
      a list holds a path or an option a line
    ");
}
