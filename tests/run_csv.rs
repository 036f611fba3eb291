//! `congruent run`: a table in, a table out, the same from every engine as far as each can.

use assert_cmd::Command;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A CNP, packets back to back, an event that is refused, a peek in each of three cycles, an end.
const STIMULUS: &str = "\
cycle,cnp_qp,req_qp,req_bytes,peek_qp
10,3,,,
40,,3,4154,
41,,3,4154,3
42,,,,3
43,,,,3
60,9,,,
61,,3,0,
1000,,,,
";

/// Queue pairs enough that queue pair 9 exists, or is outside the table.
const SHORT: [&str; 6] = ["--param", "QPS=8", "--param", "QP_W=4", "--param", "TIME_W=12"];
const INTERVAL: [&str; 2] = ["--set", "control_interval_duration_ns=1000"];

struct Table(TempDir);

impl Table {
    fn new(stimulus: &str) -> Self {
        let folder = TempDir::new().expect("a folder");
        fs::write(folder.path().join("in.csv"), stimulus).expect("writes");
        Self(folder)
    }

    fn folder(&self) -> &Path {
        self.0.path()
    }

    /// Runs an engine and returns the table that it writes.
    fn run(&self, engine: &str, options: &[&str]) -> String {
        self.command(engine, options).assert().success();
        fs::read_to_string(self.folder().join("out.csv")).expect("a table")
    }

    fn command(&self, engine: &str, options: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_congruent"));
        command.current_dir(self.folder());
        command.args(["run", "rate_limiter", "--stimulus", "in.csv", "--out", "out.csv"]);
        command.args(["--engine", engine]).args(options);
        command
    }
}

/// Some columns of a table, lines in which all of them are empty left out.
fn columns(table: &str, names: &[&str]) -> String {
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let header = reader.headers().expect("a header").clone();
    let at: Vec<_> = names
        .iter()
        .map(|n| header.iter().position(|h| h == *n).unwrap_or_else(|| panic!("column {n}")))
        .collect();
    let mut text = names.join(",") + "\n";
    for record in reader.records() {
        let record = record.expect("a line");
        let values: Vec<_> = at.iter().map(|n| &record[*n]).collect();
        if values.iter().skip(1).any(|v| !v.is_empty()) {
            text += &(values.join(",") + "\n");
        }
    }
    text
}

fn short() -> Vec<&'static str> {
    [&SHORT[..], &INTERVAL].concat()
}

#[test]
fn the_model_answers_in_engineering_units() {
    let table = Table::new(STIMULUS).run("model", &short());
    let rsp = columns(&table, &["cycle", "rsp_qp", "rsp_grant", "rsp_wait", "rsp_error"]);
    insta::assert_snapshot!(rsp, @"
    cycle,rsp_qp,rsp_grant,rsp_wait,rsp_error
    46,3,1,0,none
    47,3,0,55,none
    67,3,,,zero_length
    ");
    let upd = columns(
        &table,
        &["cycle", "upd_qp", "upd_cause", "upd_rate", "upd_target", "upd_estimate"],
    );
    insta::assert_snapshot!(upd, @"
    cycle,upd_qp,upd_cause,upd_rate,upd_target,upd_estimate
    24,3,episode,300,400,0.5
    277,3,increase,350,400,0.25
    525,3,reduction_held,350,400,0.125
    781,3,increase,375,400,0.0625
    1029,3,reduction_held,375,400,0.03125
    ");
    let err = columns(&table, &["cycle", "err_channel", "err_code", "err_qp"]);
    insta::assert_snapshot!(err, @"
    cycle,err_channel,err_code,err_qp
    65,cnp,range,9
    ");
}

/// Peeks of three successive cycles are each offered until `peek_ready` takes them.
#[test]
fn peeks_wait_until_they_are_taken() {
    let table = Table::new(STIMULUS).run("model", &short());
    let peeked = columns(&table, &["cycle", "peeked_qp", "peeked_rate", "peeked_next_send"]);
    insta::assert_snapshot!(peeked, @"
    cycle,peeked_qp,peeked_rate,peeked_next_send
    56,3,300,4095.386672973633
    88,3,300,4095.386672973633
    120,3,300,0
    ");
}

/// The page's walk after a single CNP, from the algorithm itself: rates in Gbps at the due times.
#[test]
fn the_reference_answers_at_the_time_of_the_event() {
    let table = Table::new("cycle,cnp_qp\n100,7\n").run("reference", &[]);
    let upd = columns(&table, &["cycle", "upd_qp", "upd_cause", "upd_rate"]);
    insta::assert_snapshot!(upd, @"
    cycle,upd_qp,upd_cause,upd_rate
    100,7,episode,300
    ");
    let long = Table::new("cycle,cnp_qp\n100,7\n240000,\n").run("reference", &[]);
    let upd = columns(&long, &["cycle", "upd_cause", "upd_rate"]);
    let last = upd.lines().last().expect("a line");
    assert_eq!(last, format!("{},end,400", 100 + 19 * 11_250), "427.5 µs after the CNP");
    let rates: Vec<_> = upd.lines().filter(|l| l.contains(",increase,")).collect();
    assert_eq!(rates.len(), 9);
    assert!(rates[8].ends_with(",399.8046875"), "{}", rates[8]);
}

/// Two halves that are due in one cycle take a line each.
#[test]
fn beats_of_the_reference_in_one_cycle_take_a_line_each() {
    let table = Table::new("cycle,cnp_qp\n100,1\n11350,2\n22600,\n");
    let upd = columns(&table.run("reference", &[]), &["cycle", "upd_qp", "upd_cause"]);
    insta::assert_snapshot!(upd, @"
    cycle,upd_qp,upd_cause
    100,1,episode
    11350,1,increase
    11350,2,episode
    22600,1,reduction_held
    22600,2,increase
    ");
}

#[test]
fn raw_reads_and_writes_the_bits() {
    let table = Table::new(&STIMULUS.replace("4154", "0x103a"));
    let raw = table.run("model", &[&short()[..], &["--raw"]].concat());
    let upd = columns(&raw, &["cycle", "upd_cause", "upd_rate", "upd_target", "upd_estimate"]);
    insta::assert_snapshot!(upd, @"
    cycle,upd_cause,upd_rate,upd_target,upd_estimate
    24,0,12582912,16777216,32768
    277,3,14680064,16777216,16384
    525,2,14680064,16777216,8192
    781,3,15728640,16777216,4096
    1029,2,15728640,16777216,2048
    ");
    let whole = Table::new(STIMULUS).run("model", &[&short()[..], &["--raw"]].concat());
    assert_eq!(raw, whole, "hexadecimal and decimal are the same");
}

#[test]
fn a_file_says_what_options_say_and_options_win() {
    let table = Table::new(STIMULUS);
    let options = ["--param", "QPS=8", "--param", "QP_W=4", "--set", "data_rate=100"];
    let by_options = table.run("model", &[&options[..], &INTERVAL].concat());
    let config = "\
[params]
QPS = 8
QP_W = 4

[attributes]
control_interval_duration_ns = 1000
data_rate = 25.0
";
    fs::write(table.folder().join("small.toml"), config).expect("writes");
    let by_file = ["--config", "small.toml", "--set", "data_rate=100"];
    assert_eq!(table.run("model", &by_file), by_options);
}

/// A block runs from cycle 0 on without any event, and nothing comes out.
#[test]
fn a_table_without_lines_gives_a_table_without_lines() {
    for engine in ["model", "reference"] {
        let table = Table::new("cycle,cnp_qp\n").run(engine, &[]);
        assert_eq!(table.lines().count(), 1, "the header alone");
    }
}

#[test]
fn a_table_that_was_there_is_replaced() {
    let table = Table::new(STIMULUS);
    fs::write(table.folder().join("out.csv"), "old").expect("writes");
    assert!(table.run("model", &short()).starts_with("cycle,"));
    let mut left: Vec<_> = fs::read_dir(table.folder())
        .expect("a folder")
        .map(|e| e.expect("an entry").file_name().into_string().expect("a name"))
        .collect();
    left.sort();
    assert_eq!(left, ["in.csv", "out.csv"]);
}

#[cfg(feature = "rtl")]
#[test]
fn rtl_and_model_write_the_same_table() {
    let table = Table::new(STIMULUS);
    assert_eq!(table.run("rtl", &short()), table.run("model", &short()));
    // The shipped size, also built in.
    assert_eq!(table.run("rtl", &[]), table.run("model", &[]));
}

/// Parameters that no built-in set has: built at run time, run in a process of its own.
#[cfg(feature = "rtl")]
#[test]
fn rtl_of_other_parameters_is_built_when_it_is_asked_for() {
    let table = Table::new(STIMULUS);
    let other = ["--param", "QPS=4", "--param", "TIME_W=16", "--param", "RATE_FRAC=16"];
    let other = [&other[..], &INTERVAL].concat();
    assert_eq!(table.run("rtl", &other), table.run("model", &other));
}
