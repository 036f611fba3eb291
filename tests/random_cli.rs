//! Random runs with a budget, reports, shrinking and `replay --failed`, as a user calls them: on a copy
//! of a block's RTL in which a file says which faults are on, so that it can be repaired between two
//! commands without being built again.

use assert_cmd::Command;
use congruent_ports::ecn_marker;
use congruent_verilate::Tools;
use quick_junit::{Report, TestCaseStatus};
use serde_json::Value;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Each bit of the number in the file turns on one fault.
const SELECTOR: &str = "\
package congruent_bug;
  function automatic int chosen();
    int file, number;
    file = $fopen(\"bugs.txt\", \"r\");
    if (file == 0) return 0;
    if ($fscanf(file, \"%d\", number) != 1) number = 0;
    $fclose(file);
    return number;
  endfunction

  int selected = chosen();
endpackage
";

/// File, what is sound there, and the fault in its place. Under RED an average at the threshold is not
/// marked any more; under FECN a packet that is marked already counts as one that gets a mark.
const FAULTS: [(&str, &str, &str); 2] = [
    ("em_red.sv", "average_bytes >= cfg_upper", "average_bytes > cfg_upper"),
    ("ecn_marker.sv", "!deq_ecn_2_q[0]", "1'b1"),
];

/// A place of its own with the RTL in it; the files of one test run do not meet those of another.
struct Place(TempDir);

impl Place {
    /// None, and a word about it, where there is no Verilator.
    fn new() -> Option<Self> {
        let project = Path::new(env!("CARGO_MANIFEST_DIR"));
        Tools::find(project).map_err(|why| println!("skipped: {why}")).ok()?;
        let place = Self(tempfile::tempdir().expect("a folder"));
        std::fs::create_dir_all(place.path("rtl/prim")).expect("a folder");
        std::fs::write(place.path("rtl/bugs.sv"), SELECTOR).expect("writes");
        for name in ecn_marker::BLOCK.rtl {
            let mut text = std::fs::read_to_string(project.join("rtl").join(name)).expect("reads");
            for (n, (_, sound, fault)) in
                FAULTS.iter().enumerate().filter(|(_, (file, ..))| file == name)
            {
                assert_eq!(text.matches(sound).count(), 1, "{name}: `{sound}`");
                let choice = format!("(congruent_bug::selected[{n}] ? ({fault}) : ({sound}))");
                text = text.replace(sound, &choice);
            }
            std::fs::write(place.path("rtl").join(name), text).expect("writes");
        }
        Some(place)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn bugs(&self, number: u32) {
        std::fs::write(self.path("bugs.txt"), format!("{number}\n")).expect("writes");
    }

    /// Runs the command there: exit status, and both outputs.
    fn congruent(&self, args: &[&str]) -> (i32, String) {
        let mut command = Command::cargo_bin("congruent").expect("built");
        let out = command.current_dir(self.0.path()).args(args).output().expect("runs");
        let text = [out.stdout, out.stderr].map(|bytes| String::from_utf8(bytes).expect("UTF-8"));
        (out.status.code().expect("exits"), text.concat())
    }

    /// `check` with the RTL and these options.
    fn check(&self, options: &[&str]) -> (i32, String) {
        let files = ecn_marker::BLOCK.rtl.iter().map(|name| format!("rtl/{name}"));
        let files: Vec<_> = ["rtl/bugs.sv".to_string()].into_iter().chain(files).collect();
        let mut args =
            vec!["check", "ecn_marker", "--top", "ecn_marker", "--start", "zeros", "--rtl"];
        args.extend(files.iter().map(String::as_str));
        args.push("--partial");
        self.congruent(&[&args[..], options].concat())
    }

    fn last(&self) -> Value {
        let text = std::fs::read_to_string(self.path(".congruent/last.json")).expect("is kept");
        serde_json::from_str(&text).expect("JSON")
    }
}

fn list<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    value["blocks"][0][name].as_array().expect("a list")
}

#[test]
fn what_a_random_run_finds_is_collected_shrunk_reported_and_repeated() {
    let Some(place) = Place::new() else { return };
    // Sound: nothing to repeat.
    place.bugs(0);
    let (status, out) = place.check(&["--for", "1s", "--seeds", "3"]);
    assert_eq!(status, 0, "{out}");
    let report = place.last();
    let runs = list(&report, "runs");
    assert_eq!((&runs[0]["seed"], &runs[0]["seeds"]), (&1.into(), &3.into()));
    assert!(
        runs[0]["what"].as_str().is_some_and(|what| what.ends_with("seeds 1 to 3")),
        "{runs:?}"
    );
    let command = runs[0]["command"].as_str().expect("a command");
    assert!(
        command.starts_with("congruent check ecn_marker --for 1s --seed 1 --seeds 3"),
        "{command}"
    );
    let wall = report["elapsed_s"].as_f64().expect("a time");
    assert!((1.0..60.0).contains(&wall) && runs[0]["legs"].as_u64() > Some(0), "{wall}: {runs:?}");
    let (status, out) = place.congruent(&["replay", "--failed"]);
    assert_eq!((status, out.as_str()), (0, "nothing failed in .congruent/last.json\n"));

    // Two faults: the first difference ends the run.
    place.bugs(3);
    let (status, out) = place.check(&["--random", "10000000000"]);
    assert_eq!(status, 1, "{out}");
    let report = place.last();
    let found = list(&report, "divergences").len();
    assert!((1..=2).contains(&found), "one for each of two cores at the most: {out}");

    // All of them are collected, the same ones each time, each shrunk.
    let collect = ["--random", "200000", "--keep-going", "--seeds", "5"];
    let shrink = ["--shrink", "--shrink-tries", "100", "--junit", "report.xml"];
    let (status, out) = place.check(&[&collect[..], &shrink].concat());
    assert_eq!(status, 1, "{out}");
    let report = place.last();
    assert_eq!(report["format_version"], 2);
    let command = report["command"].as_str().expect("a command");
    assert!(command.starts_with("congruent check ecn_marker --top ecn_marker"), "{command}");
    assert!(
        report["versions"][1].as_str().is_some_and(|v| v.starts_with("Verilator ")),
        "{report}"
    );
    assert!(list(&report, "runs")[0]["legs"].as_u64() >= Some(5), "one of each seed");
    let divergences = list(&report, "divergences");
    let ports: Vec<_> = divergences.iter().filter_map(|d| d["port"].as_str()).collect();
    assert!(ports.contains(&"mark_ecn") && ports.contains(&"mark_marked"), "{ports:?}");
    let times: u64 = divergences.iter().filter_map(|d| d["times"].as_u64()).sum();
    assert!(times > divergences.len() as u64, "{times}");
    for divergence in divergences {
        let shrunk = divergence["shrunk"].as_str().expect("a sentence");
        println!("{}: {shrunk}", divergence["port"]);
        let files = divergence["files"].as_array().expect("a list");
        let small = files.last().and_then(Value::as_str).expect("a folder");
        assert!(small.ends_with("-small"), "{files:?}");
        assert_eq!(divergence["kind"], "value");
        let (status, out) = place.congruent(&["vectors", "verify", small]);
        assert!(status == 0 && out.contains("1 folders current"), "{out}");
    }

    // JUnit says the same.
    let text = std::fs::read_to_string(place.path("report.xml")).expect("is written");
    let junit = Report::deserialize_from_str(&text).expect("JUnit");
    let suite = &junit.test_suites[0];
    assert_eq!((suite.name.as_str(), suite.failures), ("ecn_marker", 1 + divergences.len()));
    let property = |name: &str| {
        let found = suite.test_cases[0].properties.iter().find(|p| p.name.as_str() == name);
        found.map(|p| p.value.as_str())
    };
    assert_eq!((property("seed"), property("seeds")), (Some("1"), Some("5")));
    assert!(
        property("command")
            .is_some_and(|c| c.contains("--random 200000 --seed 1 --seeds 5 --keep-going"))
    );
    for (case, divergence) in suite.test_cases[1..].iter().zip(divergences) {
        let TestCaseStatus::NonSuccess { description, .. } = &case.status else {
            panic!("{case:?}")
        };
        let told = description.as_ref().expect("what is told").as_str();
        assert!(told.contains("DIVERGED  ecn_marker"), "{told}");
        assert!(told.contains(divergence["command"].as_str().expect("a command")), "{told}");
    }

    // One fault is repaired, then the other one: only what failed is played again. (Of all that was
    // found one of each fault, to save time.)
    let mut picked = report.clone();
    let of = |port: &str| divergences.iter().find(|d| d["port"] == port).cloned();
    let both: Vec<_> = ["peeked_lfsr", "mark_marked"].into_iter().filter_map(of).collect();
    assert_eq!(both.len(), 2, "{ports:?}");
    picked["blocks"][0]["divergences"] = both.into();
    std::fs::write(place.path("picked.json"), picked.to_string()).expect("writes");
    place.bugs(2);
    let (status, out) = place.congruent(&["replay", "--failed", "picked.json"]);
    assert_eq!(status, 1, "{out}");
    let verdicts = |report: &Value| -> Vec<_> {
        let blocks = report["blocks"].as_array().expect("blocks").iter();
        blocks.map(|block| block["verdict"].as_str().expect("a verdict").to_string()).collect()
    };
    assert_eq!(verdicts(&place.last()), ["congruent", "diverged"], "{out}");
    place.bugs(0);
    let (status, out) = place.congruent(&["replay", "--failed"]);
    assert_eq!(status, 0, "{out}");
    assert_eq!(verdicts(&place.last()), ["congruent"], "{out}");

    // A case that no longer diverges cannot be shrunk; neither is there a report of nothing.
    let divergence = &divergences[0];
    let words = divergence["command"].as_str().expect("a command").replace("replay", "shrink");
    let words: Vec<_> = words.split(' ').skip(1).collect();
    let (status, out) = place.congruent(&words);
    assert_eq!(status, 2, "{out}");
    assert!(out.contains("does not diverge: there is nothing to shrink"), "{out}");
    let (status, out) = place.congruent(&["replay", "--failed", "none.json"]);
    assert_eq!(status, 2, "{out}");
    std::fs::write(place.path("other.json"), "{\"format_version\": 1}").expect("writes");
    let (status, out) = place.congruent(&["replay", "--failed", "other.json"]);
    assert_eq!(status, 2, "{out}");
    assert!(out.contains("accepted is a report that `check` or `replay`"), "{out}");

    // Shrunk by itself, with a budget.
    place.bugs(3);
    let case = divergences[0]["files"][0].as_str().expect("a folder");
    let mut words: Vec<_> = words;
    words[1] = case;
    words.extend(["--tries", "4", "--out", "few"]);
    let (status, out) = place.congruent(&words);
    assert_eq!(status, 0, "{out}");
    assert!(out.contains("in 4 tries; all tries were used, there may be a smaller one"), "{out}");
    assert!(place.path("few/manifest.toml").is_file());
}
