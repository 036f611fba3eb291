//! What every primitive's test is made of: a table of pins, a twin, a stimulus, the lock-step.

use congruent::dut::{Child, ChildOptions, Dut, Start};
use congruent_hw::random::Draw;
use congruent_ports::{Block, Control, Field, FieldRole, Layout, Param, ParamSet, Quantity, Width};
use congruent_verilate::{Build, Cache, Kind, PortMap, Profile, Sources, Tools};
use std::path::{Path, PathBuf};

/// Cycles of one run: a batch goes to the DUT at once.
const CYCLES: usize = 20_000;

/// A primitive as it is tested.
pub struct Prim {
    /// Its pins: inputs as controls, outputs as levels.
    pub block: &'static Block,
    /// Files in the order of compilation, from the project's folder.
    pub sources: &'static [&'static str],
    /// Parameter sets. Bugs are planted under the last.
    pub sets: &'static [&'static [(&'static str, i64)]],
    /// Faults that must be seen, planted one at a time.
    pub bugs: &'static [Bug],
}

/// A fault to be planted.
pub struct Bug {
    /// What is wrong.
    pub what: &'static str,
    /// The file, as among the sources.
    pub file: &'static str,
    /// A text that occurs once, and in it, between « and », the expression that is replaced.
    pub find: &'static str,
    /// What takes its place.
    pub replace: &'static str,
}

/// What a primitive does, as its model says, and what to do with it next.
pub trait Twin {
    /// Draws a cycle's inputs, in the order of the controls. It may look at the state.
    fn inputs(&mut self, draw: &mut Draw, inputs: &mut [u64]);

    /// The outputs in the cycle that has these inputs, and its effects. An output that is `None`
    /// is not compared.
    fn step(&mut self, inputs: &[u64], outputs: &mut [Option<u64>]);
}

/// An input pin.
pub const fn pin(name: &'static str, width: Width) -> Control {
    Control { field: level(name, width), idle: 0 }
}

/// An output pin.
pub const fn level(name: &'static str, width: Width) -> Field {
    Field { name, width, quantity: Quantity::Count, role: FieldRole::Payload, doc: "" }
}

/// A parameter of which everything is legal that the test uses.
pub const fn param(name: &'static str, default: i64) -> Param {
    Param { name, default, min: 0, max: 1 << 20, power_of_two: false, doc: "" }
}

/// A module with these pins.
pub const fn module(
    name: &'static str,
    params: &'static [Param],
    controls: &'static [Control],
    levels: &'static [Field],
) -> Block {
    Block {
        name,
        title: "",
        rtl: &[],
        params,
        attributes: &[],
        variants: &[],
        cfg: &[],
        channels: &[],
        controls,
        levels,
        timing: &[],
        order: &[],
        bounds: &[],
        coverage: &[],
        builds: &[],
    }
}

/// Holds the primitive against its twin under every parameter set, then plants its bugs.
pub fn check<T: Twin>(prim: &Prim, twin: impl Fn(&ParamSet) -> T) {
    let Some(tools) = tools() else { return };
    let name = prim.block.name;
    for set in prim.sets {
        let layout = layout(prim, set);
        let program = build(prim, &tools, &layout, false);
        for seed in 1..=3 {
            let run = lockstep(&program, &layout, &mut twin(&layout.params), seed, 0);
            run.unwrap_or_else(|difference| panic!("{name} {set:?}, seed {seed}: {difference}"));
        }
    }
    let layout = layout(prim, prim.sets.last().expect("a set"));
    let program = build(prim, &tools, &layout, true);
    for (number, bug) in prim.bugs.iter().enumerate() {
        match lockstep(&program, &layout, &mut twin(&layout.params), 1, number + 1) {
            Ok(()) => panic!("{name}: not seen: {}", bug.what),
            Err(difference) => println!("{name}: {}: {difference}", bug.what),
        }
    }
}

fn layout(prim: &Prim, set: &[(&'static str, i64)]) -> Layout {
    let params = ParamSet::with(prim.block, set.iter().copied()).expect("legal parameters");
    Layout::new(prim.block, &params)
}

/// The first difference of a run; `bug` counts from 1, 0 is none.
fn lockstep(
    program: &Path,
    layout: &Layout,
    twin: &mut impl Twin,
    seed: u64,
    bug: usize,
) -> Result<(), String> {
    let options = ChildOptions { plusargs: vec![format!("+bug={bug}")], ..ChildOptions::default() };
    let start = Start::Random(seed);
    let mut dut = Child::start(program, layout.clone(), start, &options).expect("it starts");
    dut.configure(&[]).and_then(|()| dut.reset()).expect("it comes out of reset");
    let mut draw = Draw::new(seed, layout.block.name);
    let (width_in, width_out) = (layout.inputs.len(), layout.outputs.len());
    let mut inputs = vec![0; CYCLES * width_in];
    let mut expected = vec![None; CYCLES * width_out];
    for cycle in 0..CYCLES {
        let row = &mut inputs[cycle * width_in..][..width_in];
        twin.inputs(&mut draw, row);
        twin.step(row, &mut expected[cycle * width_out..][..width_out]);
    }
    let mut got = vec![0; CYCLES * width_out];
    let end = dut.steps(&inputs, &mut got, false);
    let rows = match &end {
        Ok(rows) => *rows,
        Err(end) => end.rows,
    };
    for (at, (expected, got)) in expected.iter().zip(&got).take(rows * width_out).enumerate() {
        if expected.is_some_and(|expected| expected != *got) {
            let port = &layout.outputs[at % width_out].name;
            return Err(format!("cycle {}, {port}: {expected:x?}, got {got:x}", at / width_out));
        }
    }
    end.map(|_| ()).map_err(|end| end.to_string())
}

/// Builds it with assertions; or with all bugs planted, each behind its number, and without
/// assertions, which would end a bug before it shows.
fn build(prim: &Prim, tools: &Tools, layout: &Layout, planted: bool) -> PathBuf {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let place = tempfile::tempdir().expect("a folder");
    let mut sources: Vec<PathBuf> = prim.sources.iter().map(|file| project.join(file)).collect();
    if planted {
        let all = prim.sources.iter().zip(&sources).map(|(name, path)| {
            let text = std::fs::read_to_string(path).expect("it reads");
            let here = prim.bugs.iter().enumerate().filter(|(_, bug)| bug.file == *name);
            here.fold(text, |text, (number, bug)| plant(&text, number + 1, bug))
        });
        let path = place.path().join("planted.sv");
        let text = [SELECTOR.into()].into_iter().chain(all).collect::<Vec<String>>().join("\n");
        std::fs::write(&path, text).expect("it is written");
        sources = vec![path];
    }
    let build = Build {
        layout,
        sources: Sources {
            top: layout.block.name.into(),
            files: sources,
            defines: if planted { vec![] } else { vec![("CONGRUENT_ASSERT".into(), None)] },
            params: layout.params.iter().map(|(n, v)| (n.into(), v.to_string())).collect(),
            ..Sources::default()
        },
        map: PortMap::default(),
        profile: Profile::Quick,
        kind: Kind::Executable,
        trace: false,
    };
    build.run(tools, &Cache::of(project)).unwrap_or_else(|e| panic!("{e}")).artefact
}

/// Holds the number of the bug that is on.
const SELECTOR: &str = "\
package congruent_bug;
  function automatic int chosen();
    int number;
    if (!$value$plusargs(\"bug=%d\", number)) number = 0;
    return number;
  endfunction

  int selected = chosen();
endpackage
";

/// A text with a bug in it that is on while its number is selected.
fn plant(text: &str, number: usize, bug: &Bug) -> String {
    let (before, rest) = bug.find.split_once('«').expect("« in the text");
    let (marked, after) = rest.split_once('»').expect("» in the text");
    let find = [before, marked, after].concat();
    assert_eq!(text.matches(&find).count(), 1, "{}: `{find}` must occur once", bug.what);
    let replace = bug.replace;
    let choice = format!("((congruent_bug::selected == {number}) ? ({replace}) : ({marked}))");
    text.replace(&find, &[before, &choice, after].concat())
}

/// The tools, or none and a line that says so.
fn tools() -> Option<Tools> {
    match Tools::find(Path::new(env!("CARGO_MANIFEST_DIR"))) {
        Ok(tools) => Some(tools),
        Err(error) => {
            println!("skipped: {error}");
            None
        }
    }
}
