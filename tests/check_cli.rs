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
    assert_eq!(report["format_version"], 1);
    assert_eq!(report["congruent"], true);
    let block = &report["blocks"][0];
    assert_eq!(block["verdict"], "congruent");
    let rows = block["coverage"].as_array().expect("rows");
    assert!(rows.iter().all(|row| row["count"].as_u64() > Some(0)), "{rows:?}");
    let cycles: u64 =
        block["runs"].as_array().expect("runs").iter().filter_map(|r| r["cycles"].as_u64()).sum();
    assert!(cycles >= 400_000, "{cycles}");
    assert!(err.is_empty(), "a progress bar in a pipe: {err}");
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
