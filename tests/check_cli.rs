//! `congruent check` and `replay` as a user calls them: exit status and text.
#![cfg(feature = "rtl")]

use assert_cmd::Command;

fn congruent(args: &[&str]) -> (i32, String, String) {
    let out = Command::cargo_bin("congruent").expect("built").args(args).output().expect("runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (out.status.code().expect("exits"), text(out.stdout), text(out.stderr))
}

fn vectors(scenario: &str) -> String {
    format!("{}/vectors/rate_limiter/{scenario}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn what_never_happens_fails_a_random_run() {
    let (status, out, _) = congruent(&["check", "rate_limiter", "--random", "1000"]);
    assert_eq!(status, 1, "{out}");
    assert!(out.contains("rows without a hit: ") && out.contains("rate_limiter: vacuous"), "{out}");
    let (status, out, _) = congruent(&["check", "rate_limiter", "--random", "1000", "--partial"]);
    assert_eq!(status, 0, "{out}");
}

#[test]
fn the_report_for_machines_holds_what_the_table_shows() {
    let args = ["check", "--all", "--vectors", "vectors", "--random", "400000", "--json", "-"];
    let (status, out, err) = congruent(&args);
    assert_eq!(status, 0, "{out}{err}");
    let report: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(report["format_version"], 2);
    assert_eq!(report["congruent"], true);
    let blocks = report["blocks"].as_array().expect("blocks");
    assert_eq!(blocks.len(), congruent_ports::BLOCKS.len());
    for block in blocks {
        assert_eq!(block["verdict"], "congruent");
        let rows = block["coverage"].as_array().expect("rows");
        assert!(rows.iter().all(|row| row["count"].as_u64() > Some(0)), "{rows:?}");
        assert_eq!(block["covered"], block["rows"]);
        let runs = block["runs"].as_array().expect("runs");
        let cycles: u64 = runs.iter().filter_map(|r| r["cycles"].as_u64()).sum();
        assert!(cycles >= 400_000, "{cycles}");
    }
    assert!(err.is_empty(), "a progress bar in a pipe: {err}");
}

/// One table at the end: a line a run and one for all of them, then what the time was spent on.
#[test]
fn the_report_ends_with_one_table() {
    let args = ["check", "rate_limiter", "--vectors", "vectors", "--random", "300000", "--partial"];
    let (status, out, err) = congruent(&args);
    assert_eq!(status, 0, "{out}{err}");
    let (_, table) = out.split_once("\n block ").expect("a table");
    let lines: Vec<_> = table.lines().collect();
    let of_block = lines.iter().filter(|line| line.starts_with(" rate_limiter "));
    let words: Vec<Vec<_>> = of_block.map(|line| line.split_whitespace().collect()).collect();
    // Vectors and random legs of each built-in parameter set, then all of it.
    let sets = congruent_ports::rate_limiter::BLOCK.builds.len();
    assert_eq!(words.len(), 2 * sets + 1, "{table}");
    assert!(words.iter().all(|line| line.contains(&"congruent")), "{table}");
    assert_eq!(words[0][1..4], ["vectors", "short", "26"]);
    let rows = congruent_ports::rate_limiter::BLOCK.coverage.len();
    let all = &words[2 * sets];
    assert_eq!(all[1..4], ["all", "of", "it"]);
    assert!(all.contains(&format!("{rows}/{rows}").as_str()), "{table}");
    let parts = ["model", "RTL", "comparing", "building", "waiting"];
    let spent = lines.iter().find(|line| line.contains("spent on: ")).expect("a line");
    assert!(parts.iter().all(|part| spent.contains(&format!("{part} "))), "{spent}");
    assert_eq!(lines.last(), Some(&"rate_limiter: congruent"));
}

#[test]
fn a_recorded_case_replays_and_diverges_where_the_dut_is_said_to_be_late() {
    let case = vectors("pacing");
    let (status, out, _) = congruent(&["replay", &case]);
    assert_eq!(status, 0, "{out}");
    let (status, out, _) = congruent(&["replay", &case, "--compare", "latency=1"]);
    assert_eq!(status, 1, "{out}");
    assert!(out.contains("DIVERGED  rate_limiter: vectors pacing"), "{out}");
    assert!(out.contains("again     congruent replay"), "{out}");
}

#[test]
fn a_fixed_attribute_is_in_every_leg() {
    let args = ["check", "rate_limiter", "--random", "60000", "--partial", "--json", "-"];
    let off = [&args[..], &["--set", "enable_ecn=false"]].concat();
    let (status, out, _) = congruent(&off);
    assert_eq!(status, 0, "{out}");
    let report: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let beats = report["blocks"][0]["beats"].as_array().expect("beats");
    let of = |name: &str| {
        let found = beats.iter().find(|b| b["name"] == name).expect("a channel");
        found["count"].as_u64().expect("a number")
    };
    assert!(of("cnp") > 0);
    assert_eq!(of("upd"), 0);
}
