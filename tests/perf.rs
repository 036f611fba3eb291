//! `congruent perf`: golden model and RTL are measured alike, and as documented.

#[cfg(feature = "rtl")]
use congruent_ports::BLOCKS;
use std::process::{Command, Output};

fn perf(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_congruent"));
    command.arg("perf").args(arguments).output().expect("runs")
}

fn json(out: &Output) -> serde_json::Value {
    serde_json::from_slice(&out.stdout).expect("JSON")
}

#[test]
#[cfg(feature = "rtl")]
fn every_block_is_as_documented_on_both_sides() {
    for block in BLOCKS {
        let out = perf(&[block.name, "--cycles", "4000", "--json"]);
        assert!(out.status.success(), "{}: {}", block.name, String::from_utf8_lossy(&out.stderr));
        let report = json(&out);
        let traffic = report["traffic"].as_array().expect("a list");
        assert!(traffic.len() >= 5, "{}: {} kinds of traffic", block.name, traffic.len());
        for one in traffic {
            assert_eq!(one["side"], "both", "{}: {}", block.name, one["name"]);
        }
    }
}

#[test]
fn a_request_takes_the_six_cycles_that_the_table_says() {
    let out = perf(&["rate_limiter", "--engine", "model", "--traffic", "one_context", "--json"]);
    let report = json(&out);
    let latency = &report["traffic"][0]["latencies"][0];
    assert_eq!(
        (&latency["path"], &latency["histogram"]),
        (&"req_to_rsp".into(), &serde_json::json!([[6, 20_000]]))
    );
    // 6 cycles of 2 ns; one request a cycle at 500 MHz fills 400 Gbps with packets of 100 B.
    assert_eq!(latency["most_ns"], 12.0);
    let smallest = &report["traffic"][0]["packets"]["smallest"];
    assert_eq!(*smallest, serde_json::json!([[400.0, 100.0], [800.0, 200.0]]));
}

#[test]
fn traffic_that_does_not_exist_is_told_with_what_does() {
    let out = perf(&["rate_limiter", "--traffic", "rush_hour"]);
    assert_eq!(out.status.code(), Some(2));
    let said = String::from_utf8_lossy(&out.stderr);
    assert!(said.contains("`rush_hour`") && said.contains("back_to_back, "), "{said}");
}
