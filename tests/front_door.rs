//! The front door: what `make`, `congruent doctor` and `congruent list` say on a machine that lacks
//! something, and that the tables and texts agree with what is installed.

use congruent_ports::{BLOCKS, Layout, ParamSet};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn congruent(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_congruent"));
    command.args(arguments);
    command
}

fn run(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"))
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("JSON on stdout")
}

fn on_path(program: &str) -> PathBuf {
    let path = std::env::var_os("PATH").expect("PATH");
    let mut places = std::env::split_paths(&path).map(|folder| folder.join(program));
    places.find(|p| p.is_file()).unwrap_or_else(|| panic!("no {program} on PATH"))
}

/// A folder with these programs of this machine and no others, to stand for PATH.
fn path_with(programs: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for program in programs {
        // A script instead of a link: some programs look at the name of what they are run by.
        let text = format!("#!/bin/sh\nexec '{}' \"$@\"\n", on_path(program).display());
        write_program(&folder.path().join(program), &text);
    }
    folder
}

fn write_program(path: &Path, text: &str) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::write(path, text).expect("a script");
    std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).expect("its mode");
}

/// `make setup` in a copy of the front door, with nothing but these programs on PATH.
fn set_up(path: &Path) -> Output {
    let folder = tempfile::Builder::new().prefix("with space ").tempdir().expect("a folder");
    for file in ["Makefile", "requirements.txt"] {
        std::fs::copy(project().join(file), folder.path().join(file)).expect("a copy");
    }
    let mut command = Command::new(on_path("make"));
    command.arg("setup").current_dir(folder.path()).env("PATH", path);
    // What a make around this test was told is not for this one.
    for variable in ["MAKEFLAGS", "MFLAGS", "MAKELEVEL", "VERILATOR", "CXX"] {
        command.env_remove(variable);
    }
    run(&mut command)
}

fn assert_names(output: &Output, what: &str, remedy: &str) {
    let said = stderr(output);
    assert!(!output.status.success(), "make setup succeeds: {said}");
    assert!(said.contains(what), "`{what}` is not in: {said}");
    assert!(said.contains(remedy), "`{remedy}` is not in: {said}");
}

const CARGO: &str = "#!/bin/sh\necho 'cargo 1.95.0 (0123456 2026-01-01)'\n";

#[test]
fn set_up_names_a_missing_cargo() {
    let path = path_with(&["awk"]);
    assert_names(&set_up(path.path()), "cargo is missing", "https://rustup.rs");
}

#[test]
fn set_up_names_an_old_cargo() {
    let path = path_with(&[]);
    write_program(&path.path().join("cargo"), "#!/bin/sh\necho 'cargo 1.63.0'\n");
    assert_names(&set_up(path.path()), "cargo 1.63.0 is too old: 1.89", "rustup update");
}

#[test]
fn set_up_names_a_missing_compiler() {
    let path = path_with(&[]);
    write_program(&path.path().join("cargo"), CARGO);
    assert_names(&set_up(path.path()), "C++17 compiler is missing", "apt-get install g++");
}

#[test]
fn set_up_names_a_missing_python() {
    let path = path_with(&["c++"]);
    write_program(&path.path().join("cargo"), CARGO);
    assert_names(&set_up(path.path()), "python3 is missing", "apt-get install python3");
}

#[test]
fn set_up_names_a_missing_venv_module() {
    let path = path_with(&["c++"]);
    write_program(&path.path().join("cargo"), CARGO);
    // Knows its version, and no module.
    let python = "#!/bin/sh\ncase \"$2\" in *version_info*) exit 0;; *) exit 1;; esac\n";
    write_program(&path.path().join("python3"), python);
    assert_names(&set_up(path.path()), "no venv module", "apt-get install python3-venv");
}

#[test]
fn the_error_of_a_missing_verilator_names_the_pinned_version() {
    let text = std::fs::read_to_string(project().join("requirements.txt")).expect("the pin");
    let pin = text.lines().find(|l| l.starts_with("verilator")).expect("a line for verilator");
    let missing = congruent_verilate::FindError::NoVerilator { venv: "v".into() };
    assert!(missing.to_string().contains(pin), "{missing} does not name {pin}");
}

#[test]
fn a_dependency_without_a_reason_is_found() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let manifest = folder.path().join("Cargo.toml");
    let text = "[dependencies]\na = \"1\" # why\nb = \"1\"\n[features]\nc = []\n";
    std::fs::write(&manifest, text).expect("a manifest");
    let script = project().join(".ci/reasons.awk");
    let output = run(Command::new("awk").arg("-f").arg(script).arg(&manifest));
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("Cargo.toml:3: no reason for `b`"), "{}", stdout(&output));
    assert_eq!(stdout(&output).lines().count(), 1, "{}", stdout(&output));
}

#[test]
fn doctor_finds_what_this_build_was_made_with() {
    let output = run(&mut congruent(&["doctor", "--json"]));
    let report = json(&output);
    assert_eq!(report["format_version"], 1);
    let tools = report["tools"].as_array().expect("tools");
    assert!(tools.iter().any(|t| t["name"] == "Verilator"));
    // A build without RTL may have been made on a machine that has neither tool.
    if cfg!(feature = "rtl") {
        assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
        assert_eq!(report["complete"], true);
    }
}

#[test]
fn doctor_names_what_is_missing_and_ends_with_3() {
    let nowhere = "/nowhere/to be found";
    let mut command = congruent(&["doctor"]);
    let output = run(command.env("VERILATOR", nowhere).env("CXX", nowhere));
    assert_eq!(output.status.code(), Some(3));
    let said = stdout(&output);
    for part in ["MISSING  Verilator", nowhere, "MISSING  C++17 compiler", "apt-get install g++"] {
        assert!(said.contains(part), "`{part}` is not in: {said}");
    }
}

#[test]
fn list_shows_every_block_and_refuses_others() {
    let output = run(&mut congruent(&["list"]));
    assert_eq!(output.status.code(), Some(0));
    for block in BLOCKS {
        assert!(stdout(&output).contains(block.name));
        let page = run(&mut congruent(&["list", block.name]));
        assert_eq!(page.status.code(), Some(0));
        for attribute in block.attributes {
            assert!(stdout(&page).contains(attribute.name), "{}", attribute.name);
        }
    }
    let output = run(&mut congruent(&["list", "rate_limitter"]));
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    assert!(said.contains("`rate_limitter`"), "{said}");
    assert!(BLOCKS.iter().all(|block| said.contains(block.name)), "{said}");
}

#[test]
fn list_in_json_names_the_ports_of_the_layout() {
    for block in BLOCKS {
        let report = json(&run(&mut congruent(&["list", block.name, "--json"])));
        assert_eq!(report["format_version"], 1);
        let mut listed = BTreeSet::new();
        let mut add = |name: String, bits: u64| assert!(listed.insert((name, bits)));
        for channel in report["channels"].as_array().expect("channels") {
            let name = channel["name"].as_str().expect("a name");
            add(format!("{name}_valid"), 1);
            if channel["ready"] == true {
                let each = channel["ready_each"].as_str();
                let bits = each.map_or(1, |param| ParamSet::defaults(block).get(param) as u64);
                add(format!("{name}_ready"), bits);
            }
        }
        let channels = report["channels"].as_array().expect("channels");
        let payload = channels.iter().map(|c| &c["fields"]);
        for field in payload.chain([&report["levels"], &report["cfg"], &report["controls"]]) {
            for field in field.as_array().expect("fields") {
                let port = field["port"].as_str().expect("a port").to_string();
                add(port, field["bits"].as_u64().expect("bits"));
            }
        }
        let layout = Layout::new(block, &ParamSet::defaults(block));
        let ports = layout.ports().map(|p| (p.name.clone(), u64::from(p.width))).collect();
        assert_eq!(listed, ports);
    }
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    use std::process::Stdio;
    let mut child = congruent(&["list", "rate_limiter"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("congruent");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("its end");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}
