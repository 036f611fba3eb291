//! Second, independent RTL of a block, as another team would bring it: other port names, reset,
//! sweep order, pipeline. Each lives in a folder below `tests/rtl`. It runs in a process of its own
//! and is compared by its own events; bugs planted in it are caught where its list says.
//!
//! A module chooses its bug by a parameter. Here copies are built in which most of these choices are
//! made at run time, so that one program serves for all bugs.

#[path = "planted/selector.rs"]
mod selector;

use congruent::cli::rtl::{DesignArgs, RtlArgs};
use congruent::dut::Start;
use congruent::foreign::Foreign;
use congruent::spread::spread;
use congruent::steer::{SteeredOutcome, SteeredRun};
use congruent::tally::Tally;
use congruent_hw::scenario::Leg;
use congruent_hw::unit::{Unit, unit};
use congruent_ports::Layout;
use congruent_verilate::Tools;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Cycles of a random leg, about.
const LEG: u64 = 16_000;

/// How long an answer may take: tests share their machine.
const PATIENCE: Duration = Duration::from_secs(300);

/// Random legs that a planted bug has to show in, after the scenarios.
const LEGS_OF_A_BUG: u64 = 12;

/// `test.toml`: what the module is built from, and how it is tested. Its ports and cycle counts are in
/// `map.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Design {
    block: String,
    top: String,
    sources: Vec<String>,
    test: Vec<Test>,
}

/// How it is tested on one built-in parameter set.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Test {
    build: String,
    random_legs: u64,
    bugs: Vec<i64>,
    not_hit: Vec<String>,
}

#[derive(Deserialize)]
struct Bugs {
    bug: Vec<Bug>,
}

#[derive(Deserialize)]
struct Bug {
    number: i64,
    name: String,
    shows: Vec<String>,
}

/// A module below `tests/rtl` on a parameter set, and the block that it is an RTL of.
struct Module {
    folder: PathBuf,
    design: Arc<Design>,
    bugs: Arc<Vec<Bug>>,
    test: Test,
    unit: &'static dyn Unit,
    layout: Layout,
}

fn read<T: for<'a> Deserialize<'a>>(path: &Path) -> T {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    toml::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn modules() -> Vec<Module> {
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rtl");
    let entries = std::fs::read_dir(above).expect("a folder");
    let mut folders: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    folders.sort();
    assert!(!folders.is_empty());
    folders.iter().flat_map(|folder| Module::all(folder)).collect()
}

impl Module {
    /// The module of a folder, once for each parameter set that it is tested on.
    fn all(folder: &Path) -> Vec<Self> {
        let design: Arc<Design> = Arc::new(read(&folder.join("test.toml")));
        let Bugs { bug: bugs } = read(&folder.join("bugs.toml"));
        let bugs = Arc::new(bugs);
        let unit = unit(&design.block).unwrap_or_else(|| panic!("no block {}", design.block));
        let played = design.test.iter().map(|test| test.bugs.len()).sum::<usize>();
        assert!(played >= 8, "{}: {played} bugs are too few", design.top);
        let on = |test: &Test| {
            let set = unit.block().build(&test.build).expect("a built-in parameter set");
            let layout = Layout::new(unit.block(), &set.params(unit.block()));
            let (folder, design, bugs) = (folder.to_path_buf(), design.clone(), bugs.clone());
            Self { folder, design, bugs, test: test.clone(), unit, layout }
        };
        design.test.iter().map(on).collect()
    }

    /// What messages call it.
    fn name(&self) -> String {
        format!("{} ({})", self.design.top, self.test.build)
    }

    /// Builds it through its map, all bugs in it that can be chosen at run time.
    fn build(&self) -> Foreign {
        let args = RtlArgs {
            design: DesignArgs {
                rtl: self.sources(),
                top: Some(self.design.top.clone()),
                rtl_param: vec!["BUG=0".to_string()],
                ..DesignArgs::default()
            },
            map: Some(self.folder.join("map.toml")),
            timeout: Some(PATIENCE),
            ..RtlArgs::default()
        };
        let built = Foreign::of_user(self.unit, &self.layout.params, &args);
        let (foreign, _) = built.unwrap_or_else(|e| panic!("{}: {e}", self.name()));
        foreign
    }

    /// Copies of the sources, the selector before them.
    fn sources(&self) -> Vec<PathBuf> {
        let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("second_rtl");
        let place = place.join(&self.design.top).join(&self.test.build);
        std::fs::create_dir_all(&place).expect("a folder");
        let mut all = String::new();
        let mut copies = vec![];
        let mut copy = |name: &str, text: &str| {
            copies.push(place.join(name));
            std::fs::write(place.join(name), text).expect("writes");
        };
        copy("congruent_bug.sv", selector::SELECTOR);
        for name in &self.design.sources {
            let path = self.folder.join(name);
            let text = std::fs::read_to_string(&path);
            let text = text.unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            let chosen: String = text.lines().map(choose_at_run_time).collect();
            copy(name, &chosen);
            all += &chosen;
        }
        for bug in &self.test.bugs {
            let choice = |sign: &str| format!("congruent_bug::selected {sign} {bug}");
            let selects = |text: &str| {
                let after = |at: usize| all[at + text.len()..].chars().next();
                all.match_indices(text)
                    .any(|(at, _)| !after(at).is_some_and(|c| c.is_ascii_digit()))
            };
            let there = selects(&choice("==")) || selects(&choice("!="));
            assert!(there, "{}: bug {bug} is chosen at elaboration only", self.name());
        }
        copies
    }

    /// The scenarios of the parameter set, then random legs: no scenario knows this RTL's sweep.
    fn legs(&self, random: u64) -> Vec<Leg> {
        let here = self.unit.scenarios().into_iter().filter(|s| s.build == self.test.build);
        let drawn = (0..random).map(|n| self.unit.leg(2, n, LEG, &self.layout.params));
        here.map(|s| s.leg).chain(drawn).collect()
    }

    /// Compares it with a bug on, 0 for none.
    fn compare(&self, program: &Foreign, bug: i64, legs: Vec<Leg>) -> (Tally, SteeredOutcome) {
        let mut foreign = program.clone();
        foreign.options.plusargs = vec![format!("+bug={bug}")];
        let make = || foreign.start(Start::Random(4));
        let run = SteeredRun {
            unit: self.unit,
            layout: &foreign.layout,
            timing: &foreign.timing,
            make: &make,
            progress: &|_| (),
        };
        let mut legs = legs.into_iter();
        run.run(&mut |_| legs.next()).unwrap_or_else(|e| panic!("{e}"))
    }

    fn is_congruent(&self, program: &Foreign) {
        let name = self.name();
        let random = self.test.random_legs;
        let legs = self.legs(random);
        let asked: u64 = legs.iter().map(|leg| leg.stimulus.cycles).sum();
        let (tally, outcome) = self.compare(program, 0, legs);
        assert!(matches!(outcome, SteeredOutcome::Congruent), "{name}: {outcome:?}");
        assert!(tally.cycles >= asked, "{name}: {} cycles of {asked}", tally.cycles);
        let block = self.unit.block();
        let silent: Vec<_> = (block.channels.iter().zip(&tally.beats))
            .filter(|(_, beats)| **beats == 0)
            .map(|(channel, _)| channel.name)
            .collect();
        assert!(silent.is_empty(), "{name}: never valid: {silent:?}");
        let excused = self.unit.not_applicable(&self.layout.params);
        let missing: Vec<_> = (block.coverage.iter().zip(tally.cover.counts()))
            .filter(|(row, hits)| **hits == 0 && excused.iter().all(|(name, _)| *name != row.name))
            .map(|(row, _)| row.name)
            .collect();
        assert_eq!(missing, self.test.not_hit, "{name}");
    }

    fn catches(&self, program: &Foreign, number: i64) {
        let bug = self.bugs.iter().find(|bug| bug.number == number).expect("a bug of the list");
        let what = format!("{} bug {number} ({})", self.name(), bug.name);
        let (_, outcome) = self.compare(program, number, self.legs(LEGS_OF_A_BUG));
        let SteeredOutcome::Faulted { leg, fault, .. } = outcome else {
            panic!("{what} was not caught: {outcome:?}");
        };
        let channel = self.layout.channels_out[fault.channel].channel;
        let place = match fault.field {
            Some(field) => format!("{}.{}", channel.name, channel.fields[field].name),
            None => channel.name.to_string(),
        };
        println!("{what}: leg {leg}, cycle {}: {place}", fault.cycle);
        let expected = &bug.shows;
        assert!(
            expected.contains(&place),
            "{what} shows at {place}, expected is {expected:?}: {}",
            fault.message
        );
    }
}

/// A line of a module with its choice of a bug made at run time, where hardware does not depend on it.
fn choose_at_run_time(line: &str) -> String {
    let code = line.split("//").next().unwrap_or_default();
    if code.contains("localparam") || code.trim_start().starts_with('.') {
        return format!("{line}\n");
    }
    let chosen = line.replace("BUG ==", "congruent_bug::selected ==");
    format!("{}\n", chosen.replace("BUG !=", "congruent_bug::selected !="))
}

/// Each is congruent without a bug, and with each of its list it is not, where the list says.
#[test]
#[ignore = "takes two minutes; make test-long runs it"]
fn each_is_congruent_by_its_own_events_and_its_bugs_are_caught() {
    if let Err(error) = Tools::find(Path::new(env!("CARGO_MANIFEST_DIR"))) {
        return println!("skipped: {error}");
    }
    let modules = modules();
    let programs = spread(modules.len(), |n| modules[n].build());
    // The long runs first.
    let mut jobs: Vec<_> = (0..modules.len()).map(|n| (n, 0)).collect();
    for (n, module) in modules.iter().enumerate() {
        jobs.extend(module.test.bugs.iter().map(|bug| (n, *bug)));
    }
    spread(jobs.len(), |n| match jobs[n] {
        (module, 0) => modules[module].is_congruent(&programs[module]),
        (module, bug) => modules[module].catches(&programs[module], bug),
    });
}
