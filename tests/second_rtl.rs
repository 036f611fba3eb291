//! A second, independent RTL of the rate limiter, as another team would bring it: other port names,
//! active-high reset, another sweep order, a deeper pipeline. It runs in a process of its own and is
//! compared by its own events; bugs planted in it are caught where its list says.

use congruent::dut::{Child, ChildOptions, Dut, Start};
use congruent::steer::{SteeredOutcome, SteeredRun};
use congruent::tally::Tally;
use congruent_hw::scenario::Leg;
use congruent_hw::unit::{DutTiming, Unit, unit};
use congruent_ports::{Layout, ParamSet};
use congruent_verilate::{Build, Cache, Kind, PortMap, Profile, Tools};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Bugs that are built: each costs a compilation, so they are the ones that differ most in kind.
const BUILT: [i64; 8] = [1, 2, 6, 7, 9, 10, 14, 26];

#[derive(Deserialize)]
struct Ports {
    top: String,
    sources: Vec<String>,
    clock: String,
    reset: String,
    reset_active_low: bool,
    timing: BTreeMap<String, u64>,
    names: BTreeMap<String, String>,
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

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rtl/rate_limiter_alt")
}

fn read<T: for<'a> Deserialize<'a>>(name: &str) -> T {
    let text = std::fs::read_to_string(folder().join(name)).expect("the file is committed");
    toml::from_str(&text).expect("sound TOML")
}

fn rate_limiter() -> &'static dyn Unit {
    unit("rate_limiter").expect("registered")
}

fn params() -> ParamSet {
    let block = rate_limiter().block();
    let set = block.build("short").expect("built in");
    set.params(block)
}

/// Builds it with a planted bug, 0 for none.
fn build(tools: &Tools, layout: &Layout, bug: i64) -> PathBuf {
    let ports: Ports = read("ports.toml");
    let names = ["QPS", "QP_W", "TIME_W", "TIME_INIT"];
    let mut params: Vec<_> = names.map(|name| (name.to_string(), layout.params.get(name))).to_vec();
    params.push(("BUG".to_string(), bug));
    let build = Build {
        layout,
        top: ports.top,
        sources: ports.sources.iter().map(|source| folder().join(source)).collect(),
        include_dirs: vec![],
        defines: vec![],
        params,
        flags: vec![],
        map: PortMap {
            clock: ports.clock,
            reset: ports.reset,
            reset_active_low: ports.reset_active_low,
            names: ports.names,
            ..PortMap::default()
        },
        profile: Profile::Quick,
        kind: Kind::Executable,
    };
    let cache = Cache::of(Path::new(env!("CARGO_MANIFEST_DIR")));
    build.run(tools, &cache).unwrap_or_else(|e| panic!("bug {bug}: {e}")).artefact
}

/// The scenarios of the build `short`, then random legs: no scenario knows this RTL's sweep.
fn legs(random: u64) -> Vec<Leg> {
    let scenarios = rate_limiter().scenarios().into_iter().filter(|s| s.build == "short");
    let drawn = (0..random).map(|n| rate_limiter().leg(2, n, 16_000, &params()));
    scenarios.map(|s| s.leg).chain(drawn).collect()
}

fn compare(program: &Path, layout: &Layout, legs: Vec<Leg>) -> (Tally, SteeredOutcome) {
    let ports: Ports = read("ports.toml");
    let mut timing = DutTiming::of(layout.block);
    for (name, cycles) in &ports.timing {
        assert!(timing.set(name, *cycles), "the table has no timing {name}");
    }
    let make = || -> congruent::Result<Box<dyn Dut>> {
        let options = ChildOptions::default();
        Ok(Box::new(Child::start(program, layout.clone(), Start::Random(4), &options)?))
    };
    let run = SteeredRun {
        unit: rate_limiter(),
        layout,
        timing: &timing,
        make: &make,
        progress: &|_| (),
    };
    let mut legs = legs.into_iter();
    run.run(&mut |_| legs.next()).unwrap_or_else(|e| panic!("{e}"))
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

#[test]
fn it_is_congruent_by_its_own_events() {
    let Some(tools) = tools() else { return };
    let layout = Layout::new(rate_limiter().block(), &params());
    let program = build(&tools, &layout, 0);
    let (tally, outcome) = compare(&program, &layout, legs(40));
    assert!(matches!(outcome, SteeredOutcome::Congruent), "{outcome:?}");
    assert!(tally.cycles > 500_000, "{} cycles", tally.cycles);
    let silent: Vec<_> = (layout.block.channels.iter().zip(&tally.beats))
        .filter(|(_, beats)| **beats == 0)
        .map(|(channel, _)| channel.name)
        .collect();
    assert!(silent.is_empty(), "never valid: {silent:?}");
    let missing: Vec<_> = (layout.block.coverage.iter().zip(tally.cover.counts()))
        .filter(|(_, hits)| **hits == 0)
        .map(|(row, _)| row.name)
        .collect();
    // A line of 1 Gbps holds a packet past half a wrap of the 12-bit time.
    assert_eq!(missing, ["data_rate_1"]);
}

#[test]
fn its_planted_bugs_are_caught_where_its_list_says() {
    let Some(tools) = tools() else { return };
    let layout = Layout::new(rate_limiter().block(), &params());
    let bugs: Bugs = read("bugs.toml");
    for bug in bugs.bug.iter().filter(|bug| BUILT.contains(&bug.number)) {
        let program = build(&tools, &layout, bug.number);
        let (_, outcome) = compare(&program, &layout, legs(12));
        let SteeredOutcome::Faulted { leg, fault, .. } = outcome else {
            panic!("bug {} ({}) was not caught: {outcome:?}", bug.number, bug.name);
        };
        let channel = layout.channels_out[fault.channel].channel;
        let place = match fault.field {
            Some(field) => format!("{}.{}", channel.name, channel.fields[field].name),
            None => channel.name.to_string(),
        };
        println!("{:>2} {:24} leg {leg}, cycle {:>5}: {place}", bug.number, bug.name, fault.cycle);
        assert!(
            bug.shows.contains(&place),
            "bug {} ({}) shows at {place}, expected is {:?}: {}",
            bug.number,
            bug.name,
            bug.shows,
            fault.message
        );
    }
}
