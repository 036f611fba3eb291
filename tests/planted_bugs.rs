//! A check that can fail: bugs planted in `rtl/` one at a time, each caught by the committed vectors
//! where `tests/planted/<block>.toml` says.

mod planted;

use congruent::spread::spread;
use congruent::vectors::{self, Case};
use congruent_ports::{BLOCKS, Block, BuildSet, Layout};
use congruent_verilate::{Build, Cache, Kind, Profile, Tools};
use planted::play::{Seen, play};
use planted::rewrite::{plant, rewrite};
use planted::{Bug, Ends, list};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Bugs that a block's list holds at the least.
const FEWEST: usize = 12;

fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A block under one of its built-in parameter sets, and the bugs whose scenario runs on it.
struct Rig {
    block: &'static Block,
    build: &'static BuildSet,
    /// Every committed case of the parameter set, in order of their names.
    cases: Vec<Case>,
    bugs: Vec<Bug>,
}

/// A rig for each parameter set that a bug of the block is played on.
fn rigs(block: &'static Block) -> Vec<Rig> {
    let folder = project().join("vectors").join(block.name);
    let mut cases = vectors::load_all(&folder).unwrap_or_else(|e| panic!("{e}"));
    let mut bugs = list(block.name);
    let mut rigs = vec![];
    for build in block.builds {
        let here = |case: &mut Case| case.about.build.as_deref() == Some(build.name);
        let cases: Vec<_> = cases.extract_if(.., here).collect();
        let bugs: Vec<_> = bugs
            .extract_if(.., |bug| cases.iter().any(|case| case.about.scenario == bug.scenario))
            .collect();
        if !bugs.is_empty() {
            rigs.push(Rig { block, build, cases, bugs });
        }
    }
    let homeless: Vec<_> = bugs.iter().map(|b| format!("{} ({})", b.scenario, b.name)).collect();
    assert!(homeless.is_empty(), "{}: no such scenario: {}", block.name, homeless.join(", "));
    rigs
}

impl Rig {
    /// Builds the RTL with all bugs of the block in it.
    fn build(&self, tools: &Tools) -> PathBuf {
        let params = self.build.params(self.block);
        let layout = Layout::new(self.block, &params);
        // One place for all runs: the cache knows sources by path and content.
        let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("planted");
        let folder = place.join(self.block.name).join(self.build.name);
        let mut build = Build::of_block(&layout, &folder, Kind::Executable);
        let bugs = list(self.block.name);
        build.sources.files = rewrite(&project().join("rtl"), self.block.rtl, &bugs, &folder);
        build.profile = Profile::Quick;
        let built = build.run(tools, &Cache::of(project())).unwrap_or_else(|e| panic!("{e}"));
        let (block, set, count) = (self.block.name, self.build.name, bugs.len());
        println!("{block}/{set}: {count} bugs in one model, built in {:.1?}", built.took);
        built.artefact
    }

    /// A line about a bug, and what is wrong with it if it is not as its list says.
    fn judge(&self, bug: &Bug, seen: &[Seen]) -> (String, Option<String>) {
        let cases = &self.cases;
        let at = cases.iter().position(|case| case.about.scenario == bug.scenario);
        let at = at.unwrap_or_else(|| panic!("{}: no scenario {}", bug.name, bug.scenario));
        let (cycle, port) = match &seen[at] {
            Seen::Congruent => ("-".to_string(), "not caught".to_string()),
            Seen::Differs(cycle, port) => (cycle.to_string(), port.clone()),
            Seen::Assertion(cycle) => (cycle.to_string(), "(assertion)".to_string()),
        };
        let caught: Vec<_> = (0..cases.len()).filter(|n| seen[*n] != Seen::Congruent).collect();
        let first = caught.first().map_or("none", |n| &cases[*n].about.scenario);
        let line = format!(
            "{:>3} {:33} {:24} {cycle:>5}  {port:18} {:>2}/{}  {first}",
            bug.number,
            bug.name,
            bug.scenario,
            caught.len(),
            cases.len()
        );
        if as_expected(bug, &seen[at]) {
            return (line, None);
        }
        let mut wrong = format!(
            "{} {} {}: expected on {:?} or {:?} in cycles {:?} of {}; seen {:?}\n",
            self.block.name,
            bug.number,
            bug.name,
            bug.shows,
            bug.ends,
            bug.cycles,
            bug.scenario,
            seen[at]
        );
        for n in caught {
            let _ = writeln!(wrong, "    {}: {:?}", cases[n].about.scenario, seen[n]);
        }
        (line, Some(wrong))
    }
}

#[test]
fn every_planted_bug_is_caught_where_expected() {
    let tools = match Tools::find(project()) {
        Ok(tools) => tools,
        Err(why) => return println!("skipped: {why}"),
    };
    let rigs: Vec<_> = BLOCKS.iter().flat_map(|block| rigs(block)).collect();
    let programs = spread(rigs.len(), |n| rigs[n].build(&tools));

    // Bug 0 is none: the rewriting alone changes nothing.
    let jobs: Vec<(usize, u32)> = (0..rigs.len())
        .flat_map(|n| {
            std::iter::once((n, 0)).chain(rigs[n].bugs.iter().map(move |b| (n, b.number)))
        })
        .collect();
    let seen = spread(jobs.len(), |n| -> Vec<Seen> {
        let (rig, bug) = jobs[n];
        rigs[rig].cases.iter().map(|case| play(&programs[rig], bug, case)).collect()
    });

    let mut wrong = String::new();
    for ((n, number), seen) in jobs.iter().zip(&seen) {
        let rig = &rigs[*n];
        let Some(bug) = rig.bugs.iter().find(|bug| bug.number == *number) else {
            println!(
                "\n{}/{}\n{:>3} {:33} {:24} {:>5}  {:18} {:>5}  first, in order of names",
                rig.block.name, rig.build.name, "", "bug", "scenario", "cycle", "port", "cases"
            );
            for (case, seen) in rig.cases.iter().zip(seen) {
                assert_eq!(*seen, Seen::Congruent, "{case:?}");
            }
            continue;
        };
        let (line, fault) = rig.judge(bug, seen);
        println!("{line}");
        wrong.extend(fault);
    }
    assert!(wrong.is_empty(), "not as tests/planted says:\n{wrong}");
}

fn as_expected(bug: &Bug, seen: &Seen) -> bool {
    let in_time = |cycle: &u64| (bug.cycles[0]..=bug.cycles[1]).contains(cycle);
    match seen {
        Seen::Congruent => false,
        Seen::Differs(cycle, port) => bug.shows.contains(port) && in_time(cycle),
        Seen::Assertion(cycle) => bug.ends == Some(Ends::Assertion) && in_time(cycle),
    }
}

/// Each `find` has its place, and those at one place become a chain: also without Verilator.
#[test]
fn every_bug_has_its_place() {
    for block in BLOCKS {
        let bugs = list(block.name);
        assert!(bugs.len() >= FEWEST, "{}: {} bugs", block.name, bugs.len());
        for file in block.rtl {
            let text = std::fs::read_to_string(project().join("rtl").join(file)).expect("reads");
            let here: Vec<_> = bugs.iter().filter(|bug| bug.file == *file).collect();
            let planted = plant(&text, &here);
            assert_eq!(planted.matches("congruent_bug::selected").count(), here.len(), "{file}");
        }
    }
}
