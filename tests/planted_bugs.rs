//! A check that can fail: bugs planted in `rtl/` one at a time, each caught by the committed vectors
//! where `tests/planted/bugs.toml` says.

mod planted;

use congruent::vectors::{self, Case};
use congruent_hw::unit::unit;
use congruent_ports::Layout;
use congruent_verilate::{Build, Cache, Kind, Profile, Tools};
use planted::play::{Seen, play};
use planted::rewrite::{plant, rewrite};
use planted::{Bug, Ends, list};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The committed cases of the build `short`, in order of their names.
fn cases() -> Vec<Case> {
    let cases = vectors::load_all(&project().join("vectors").join("rate_limiter"))
        .unwrap_or_else(|e| panic!("{e}"));
    cases.into_iter().filter(|case| case.about.build.as_deref() == Some("short")).collect()
}

/// Builds the RTL with all bugs in it. `None`, with a word about it, where there is no Verilator.
fn build(bugs: &[Bug]) -> Option<PathBuf> {
    let tools = match Tools::find(project()) {
        Ok(tools) => tools,
        Err(why) => {
            println!("skipped: {why}");
            return None;
        }
    };
    let block = unit("rate_limiter").expect("a block").block();
    let short = block.build("short").expect("a build");
    let params = short.params(block);
    let layout = Layout::new(block, &params);
    // One place for all runs: the cache knows sources by path and content.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("planted");
    let mut build = Build::of_block(&layout, &folder, Kind::Executable);
    build.sources = rewrite(&project().join("rtl"), block.rtl, bugs, &folder);
    build.profile = Profile::Quick;
    let built = build.run(&tools, &Cache::of(project())).unwrap_or_else(|e| panic!("{e}"));
    println!("planted: {} bugs in one model, built in {:.1?}", bugs.len(), built.took);
    Some(built.artefact)
}

/// How each bug does on each case: one row a bug.
fn play_all(program: &Path, bugs: &[u32], cases: &[Case]) -> Vec<Vec<Seen>> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = vec![];
        loop {
            let n = next.fetch_add(1, Ordering::Relaxed);
            let Some(bug) = bugs.get(n) else { return done };
            let seen: Vec<_> = cases.iter().map(|case| play(program, *bug, case)).collect();
            done.push((n, seen));
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let mut all: Vec<_> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|w| w.join().expect("a worker ends well")).collect()
    });
    all.sort_by_key(|(n, _)| *n);
    all.into_iter().map(|(_, seen)| seen).collect()
}

#[test]
fn every_planted_bug_is_caught_where_expected() {
    let bugs = list();
    let Some(program) = build(&bugs) else { return };
    let cases = cases();

    // The rewriting alone changes nothing.
    for (case, seen) in cases.iter().zip(&play_all(&program, &[0], &cases)[0]) {
        assert_eq!(*seen, Seen::Congruent, "{case:?}");
    }

    let numbers: Vec<_> = bugs.iter().map(|bug| bug.number).collect();
    let all = play_all(&program, &numbers, &cases);
    let mut wrong = String::new();
    println!(
        "{:>3} {:33} {:24} {:>5}  {:18} {:>5}  first, in order of names",
        "", "bug", "scenario", "cycle", "port", "cases"
    );
    for (bug, seen) in bugs.iter().zip(&all) {
        let at = cases.iter().position(|case| case.about.scenario == bug.scenario);
        let at = at.unwrap_or_else(|| panic!("{}: no scenario {}", bug.name, bug.scenario));
        let (cycle, port) = match &seen[at] {
            Seen::Congruent => ("-".to_string(), "not caught".to_string()),
            Seen::Differs(cycle, port) => (cycle.to_string(), port.clone()),
            Seen::Assertion(cycle) => (cycle.to_string(), "(assertion)".to_string()),
        };
        let caught: Vec<_> = (0..cases.len()).filter(|n| seen[*n] != Seen::Congruent).collect();
        let first = caught.first().map_or("none", |n| &cases[*n].about.scenario);
        println!(
            "{:>3} {:33} {:24} {cycle:>5}  {port:18} {:>2}/{}  {first}",
            bug.number,
            bug.name,
            bug.scenario,
            caught.len(),
            cases.len()
        );
        if !as_expected(bug, &seen[at]) {
            let _ = writeln!(
                wrong,
                "{} {}: expected on {:?} or {:?} in cycles {:?} of {}; seen {:?}",
                bug.number, bug.name, bug.shows, bug.ends, bug.cycles, bug.scenario, seen[at]
            );
            for n in caught {
                let _ = writeln!(wrong, "    {}: {:?}", cases[n].about.scenario, seen[n]);
            }
        }
    }
    assert!(wrong.is_empty(), "not as tests/planted/bugs.toml says:\n{wrong}");
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
    let bugs = list();
    assert!(bugs.len() >= 16, "{} bugs", bugs.len());
    let block = unit("rate_limiter").expect("a block").block();
    for file in block.rtl {
        let text = std::fs::read_to_string(project().join("rtl").join(file)).expect("reads");
        let here: Vec<_> = bugs.iter().filter(|bug| bug.file == *file).collect();
        let planted = plant(&text, &here);
        assert_eq!(planted.matches("congruent_bug::selected").count(), here.len(), "{file}");
    }
}
