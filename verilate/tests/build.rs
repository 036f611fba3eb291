//! Builds of a small block: what changes the key, what a failure says, how a model is driven.

use congruent_ports::{Layout, ParamSet};
use congruent_verilate::{
    Build, Built, Cache, Clock, Error, Kind, Pin, PortMap, Profile, Reset, Tie, Tools,
};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

mod older;
mod probe;

fn tools() -> Tools {
    Tools::find(project()).unwrap_or_else(|e| panic!("{e}"))
}

fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the project")
}

/// The cache that all tests share; a second run of the tests compiles nothing.
fn shared() -> Cache {
    Cache::of(project())
}

/// A cache of one's own, with the compiled runtime of the shared one: that is the slow part.
fn own_cache(folder: &Path, tools: &Tools) -> Cache {
    let layout = probe::layout();
    let kind = Kind::Library { class: "probe_shared".into() };
    let built = run(&quick(&layout, &probe::rtl(), kind), tools, &shared());
    let cache = Cache::at(&folder.join("the cache"));
    let name = built.include.file_name().expect("a name");
    let target = cache.root().join(name);
    fs::create_dir_all(&target).expect("a folder");
    for file in built.include.read_dir().expect("a folder").flatten() {
        fs::copy(file.path(), target.join(file.file_name())).expect("a copy");
    }
    cache
}

/// The sources in a folder of their own, whose name has a space.
fn copied() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::Builder::new().prefix("a copy ").tempdir().expect("a folder");
    let rtl = folder.path().join("the rtl");
    fs::create_dir(&rtl).expect("a folder");
    for file in ["probe.sv", "probe.svh"] {
        fs::copy(probe::rtl().join(file), rtl.join(file)).expect("a copy");
    }
    (folder, rtl)
}

fn quick<'a>(layout: &'a Layout, rtl: &Path, kind: Kind) -> Build<'a> {
    let mut build = Build::of_block(layout, rtl, kind);
    build.profile = Profile::Quick;
    build
}

fn run(build: &Build<'_>, tools: &Tools, cache: &Cache) -> Built {
    build.run(tools, cache).unwrap_or_else(|e| panic!("{e}"))
}

/// Links a library with a main function that resets the block, sends 4 and asks for a print.
fn drive(built: &Built, tools: &Tools, class: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let main = folder.path().join("main.cpp");
    let text = include_str!("drive.cpp").replace("CLASS", class);
    fs::write(&main, text).expect("a file");
    let program = folder.path().join("drive");
    let output = tools
        .compiler
        .command()
        .args(["-std=gnu++17", "-Wall", "-Wextra", "-Werror", "-I"])
        .arg(&built.include)
        .arg(&main)
        .args([&built.artefact, &built.runtime])
        .args(["-pthread", "-o"])
        .arg(&program)
        .output()
        .expect("a compiler");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let output = Command::new(&program).output().expect("a program");
    assert!(output.status.success());
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_library_in_a_path_with_spaces_is_driven() {
    let tools = tools();
    let (folder, rtl) = copied();
    let layout = probe::layout();
    let kind = Kind::Library { class: "probe_small".into() };
    let cache = own_cache(folder.path(), &tools);
    let build = quick(&layout, &rtl, kind);
    let first = run(&build, &tools, &cache);
    assert!(!first.hit);
    assert_eq!(
        drive(&first, &tools, "probe_small"),
        "ready after 9, sum 2, odd 1, prints: total was 2\n"
    );
    let second = run(&build, &tools, &cache);
    assert!(second.hit);
    assert_eq!(second.artefact, first.artefact);
    // Nothing is left of the work but the finished builds.
    let names: Vec<_> =
        cache.root().read_dir().expect("a folder").flatten().map(|e| e.file_name()).collect();
    assert!(names.iter().all(|n| !n.to_string_lossy().starts_with(".new")), "{names:?}");
}

#[test]
fn another_verilator_makes_the_same() {
    let Some(old) = older::verilator() else {
        println!("{}", older::SKIPPED);
        return;
    };
    let tools = Tools { verilator: old, ..tools() };
    let layout = probe::layout();
    let kind = Kind::Library { class: "probe_old".into() };
    let built = run(&quick(&layout, &probe::rtl(), kind), &tools, &shared());
    assert_eq!(
        drive(&built, &tools, "probe_old"),
        "ready after 9, sum 2, odd 1, prints: total was 2\n"
    );
}

#[test]
fn everything_that_matters_is_in_the_key() {
    let tools = tools();
    let (folder, rtl) = copied();
    let layout = probe::layout();
    let build = quick(&layout, &rtl, Kind::Executable);
    let key = |build: &Build<'_>| build.key(&tools).unwrap_or_else(|e| panic!("{e}"));
    let first = key(&build);
    assert_eq!(first, key(&build));

    let mut keys = vec![first.clone()];
    let mut other = |name: &str, change: &dyn Fn(&mut Build<'_>)| {
        let mut changed = build.clone();
        change(&mut changed);
        let key = key(&changed);
        assert!(!keys.contains(&key), "{name} is not in the key");
        keys.push(key);
    };
    other("a define", &|b| b.sources.defines.push(("X".into(), None)));
    other("a define's value", &|b| b.sources.defines.push(("X".into(), Some("1".into()))));
    other("a parameter", &|b| b.sources.params[0].1 = "41".into());
    other("a flag", &|b| b.sources.flags.push("--public-flat-rw".into()));
    other("the profile", &|b| b.profile = Profile::Fast);
    other("the kind", &|b| b.kind = Kind::Library { class: "x".into() });
    other("the top", &|b| b.sources.top = "other".into());
    other("the reset", &|b| b.map.reset = None);
    other("a port's name", &|b| b.map.rename("op_valid", "i_vld"));

    let wide = ParamSet::with(&probe::PROBE, [("W", 41)]).expect("in range");
    let wide = Layout::new(&probe::PROBE, &wide);
    assert_ne!(key(&quick(&wide, &rtl, Kind::Executable)), first, "the table");

    let include = rtl.join("probe.svh");
    fs::write(&include, "`define PROBE_OFFSET 2\n").expect("a file");
    assert_ne!(key(&build), first, "an included file");
    fs::copy(probe::rtl().join("probe.svh"), &include).expect("a copy");
    assert_eq!(key(&build), first, "the same content again");
    let source = rtl.join("probe.sv");
    let text = fs::read_to_string(&source).expect("a file");
    fs::write(&source, text + "\n").expect("a file");
    assert_ne!(key(&build), first, "a source");

    let mut newer = tools.clone();
    newer.verilator.identity += "x";
    assert_ne!(build.key(&newer).expect("a key"), key(&build), "Verilator's version");
    let mut newer = tools.clone();
    newer.compiler.version += "x";
    assert_ne!(build.key(&newer).expect("a key"), key(&build), "the compiler's version");
    drop(folder);
}

#[test]
fn a_file_from_a_library_folder_is_followed_too() {
    let tools = tools();
    let (folder, rtl) = copied();
    let library = folder.path().join("lib");
    fs::create_dir(&library).expect("a folder");
    let leaf = library.join("leaf.sv");
    fs::write(&leaf, "module leaf (output logic [7:0] o);\n  assign o = 8'd1;\nendmodule\n")
        .expect("a file");
    let source = rtl.join("probe.sv");
    let text = fs::read_to_string(&source).expect("a file");
    let text = text.replace("assign start = never_reset;", "leaf leaf (.o(start));");
    fs::write(&source, text).expect("a file");
    let layout = probe::layout();
    let mut build = quick(&layout, &rtl, Kind::Library { class: "probe_leaf".into() });
    let first = folder.path().join("first");
    fs::create_dir(&first).expect("a folder");
    for folder in [&first, &library] {
        build.sources.flags.extend(["-y".into(), folder.display().to_string()]);
    }
    let cache = own_cache(folder.path(), &tools);
    assert!(!run(&build, &tools, &cache).hit);
    assert!(run(&build, &tools, &cache).hit);
    // What Verilator refuses was not taken from the cache, and is soon refused.
    let refused = |why: &str| {
        let error = build.run(&tools, &cache).map(|built| built.hit).expect_err(why);
        assert!(error.to_string().contains("syntax error"), "{why}: {error}");
    };
    for name in ["leaf.sv", "leaf.v"] {
        let shadow = first.join(name);
        fs::write(&shadow, "this is no module\n").expect("a file");
        refused("a file that is found earlier");
        fs::remove_file(&shadow).expect("a file");
    }
    assert!(run(&build, &tools, &cache).hit, "all is as it was");
    fs::write(&leaf, "this is no module\n").expect("a file");
    refused("the leaf has changed");
}

/// The error of a build whose probe.sv is changed.
fn refused(change: impl Fn(String) -> String) -> Error {
    let (folder, rtl) = copied();
    let source = rtl.join("probe.sv");
    let text = fs::read_to_string(&source).expect("a file");
    fs::write(&source, change(text)).expect("a file");
    let layout = probe::layout();
    let build = quick(&layout, &rtl, Kind::Executable);
    let cache = Cache::at(&folder.path().join("cache"));
    build.run(&tools(), &cache).map(|_| ()).expect_err("an error")
}

#[test]
fn verilators_first_message_is_shown() {
    let error = refused(|text| text.replace("logic       beat;", "logic beat"));
    let Error::Verilator { first, log, .. } = &error else { panic!("{error}") };
    assert!(first.contains("probe.sv:") && first.contains("syntax error"), "{first}");
    assert!(first.lines().count() < 6, "{first}");
    assert!(log.is_some());
    let text = error.to_string();
    assert_eq!(text.matches("%Error").count(), 1, "{text}");
}

#[test]
fn a_foreign_module_is_driven_through_a_map() {
    let tools = tools();
    let (folder, rtl) = copied();
    let source = rtl.join("probe.sv");
    let text = fs::read_to_string(&source).expect("a file");
    let text = text
        .replace("rst_n", "reset")
        .replace("!reset", "reset")
        .replace("clk", "clock")
        .replace("op_valid", "i_vld")
        .replace("output logic         sum_valid", "input logic [3:0] scan, output logic sum_valid")
        .replace("sum_valid <= beat", "sum_valid <= beat && scan == 4'd5");
    fs::write(&source, text).expect("a file");
    let layout = probe::layout();
    let mut build = quick(&layout, &rtl, Kind::Library { class: "probe_foreign".into() });
    build.map = PortMap {
        clock: Clock { port: "clock".into(), falling: false },
        reset: Some(Reset { port: "reset".into(), active_low: false, asynchronous: false }),
        wires: BTreeMap::new(),
        ties: vec![Tie {
            pin: Pin { port: "scan".into(), element: vec![], width: 4, lsb: 0 },
            value: 5,
        }],
    };
    build.map.rename("op_valid", "i_vld");
    let built = run(&build, &tools, &own_cache(folder.path(), &tools));
    let says = drive(&built, &tools, "probe_foreign");
    assert_eq!(says, "ready after 9, sum 2, odd 1, prints: total was 2\n");
}

#[test]
fn missing_sources_and_odd_names_are_refused() {
    let tools = tools();
    let layout = probe::layout();
    let cache = shared();
    let error = quick(&layout, Path::new("/no/rtl"), Kind::Executable).run(&tools, &cache);
    let text = error.map(|_| ()).expect_err("no sources").to_string();
    assert!(text.contains("cannot read `/no/rtl/probe.sv`"), "{text}");
    let kind = Kind::Library { class: "a-b".into() };
    let error = quick(&layout, &probe::rtl(), kind).run(&tools, &cache);
    let text = error.map(|_| ()).expect_err("a bad name").to_string();
    assert!(text.contains("`a-b`"), "{text}");
    // A cache that cannot be written.
    let cache = Cache::at(Path::new("/proc/none"));
    let error = quick(&layout, &probe::rtl(), Kind::Executable).run(&tools, &cache);
    let text = error.map(|_| ()).expect_err("no cache").to_string();
    assert!(text.contains("/proc/none"), "{text}");
}
