//! Bad input: every case ends with status 2 and a text that names what is wrong, its value, what is
//! accepted and what to do; and nothing half-written stays behind.

use assert_cmd::Command;
use congruent::vectors;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};
use tempfile::TempDir;

const STIMULUS: &str = "cycle,cnp_qp,req_qp,req_bytes\n10,3,,\n40,,3,4154\n";

/// A folder to run the command in: paths in its texts are short and always the same.
struct Room(TempDir);

impl Room {
    fn new() -> Self {
        let folder = TempDir::new().expect("a folder");
        fs::write(folder.path().join("in.csv"), STIMULUS).expect("writes");
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.path(name), text).expect("writes");
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).expect("a folder");
        let mut names: Vec<_> = entries
            .map(|e| e.expect("an entry").file_name().into_string().expect("a name"))
            .collect();
        names.sort();
        names
    }

    fn congruent(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_congruent"));
        command.current_dir(self.0.path()).args(arguments);
        command
    }

    /// What the command says as it refuses with status 2.
    fn refused(&self, arguments: &[&str]) -> String {
        let output = self.congruent(arguments).assert().code(2).get_output().clone();
        let text = String::from_utf8(output.stderr).expect("text");
        assert!(!text.contains("panicked"), "{text}");
        text
    }

    fn run(&self, options: &[&str]) -> String {
        let run = ["run", "rate_limiter", "--stimulus", "in.csv", "--out", "out.csv"];
        let text = self.refused(&[&run[..], &["--engine", "model"], options].concat());
        assert!(!self.path("out.csv").exists(), "nothing is written");
        text
    }

    /// `congruent run` on a stimulus with one piece of text replaced.
    fn table(&self, what: &str, by: &str) -> String {
        assert!(STIMULUS.contains(what));
        self.write("in.csv", STIMULUS.replacen(what, by, 1));
        self.run(&[])
    }

    /// `congruent vectors verify` on a copy of a committed folder that `edit` has been at.
    fn vectors(&self, edit: impl FnOnce(&Path)) -> String {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/rate_limiter/ecn_off");
        let to = self.path("ecn_off");
        fs::create_dir(&to).expect("a folder");
        for entry in fs::read_dir(from).expect("a folder") {
            let file = entry.expect("an entry");
            fs::copy(file.path(), to.join(file.file_name())).expect("copies");
        }
        edit(&to);
        self.refused(&["vectors", "verify", "ecn_off"])
    }

    /// The same, one piece of text in one file replaced.
    fn edited(&self, file: &str, what: &str, by: &str) -> String {
        self.vectors(|folder| replace(&folder.join(file), what, by))
    }
}

fn replace(path: &Path, what: &str, by: &str) {
    let text = fs::read_to_string(path).expect("reads");
    assert!(text.contains(what), "{} holds no `{what}`", path.display());
    fs::write(path, text.replacen(what, by, 1)).expect("writes");
}

/// Changes a hex file and makes the manifest's hash that of the new one, so that only the change
/// itself is there to be found.
fn forge(folder: &Path, file: &str, change: impl FnOnce(String) -> String) {
    let path = folder.join(file);
    let old = fs::read_to_string(&path).expect("reads");
    let hash = |text: &str| -> String {
        Sha256::digest(text.as_bytes()).iter().map(|b| format!("{b:02x}")).collect()
    };
    let new = change(old.clone());
    replace(&folder.join(vectors::MANIFEST), &hash(&old), &hash(&new));
    fs::write(&path, new).expect("writes");
}

// Names and values on the command line.

#[test]
fn unknown_block() {
    let room = Room::new();
    let text = room.refused(&[
        "run",
        "rate_limter",
        "--stimulus",
        "in.csv",
        "--out",
        "out.csv",
        "--engine",
        "model",
    ]);
    insta::assert_snapshot!(text, @"
    error: there is no block `rate_limter`
      help: blocks are: rate_limiter, notification_point, pacing_table, ecn_marker, nscc_window, hpcc_window, pfc_threshold (see `congruent list`)
    ");
    insta::assert_snapshot!(room.refused(&["vectors", "generate", "rate_limter"]), @"
    error: there is no block `rate_limter`
      help: blocks are: rate_limiter, notification_point, pacing_table, ecn_marker, nscc_window, hpcc_window, pfc_threshold (see `congruent list`)
    ");
}

#[test]
fn unknown_attribute() {
    insta::assert_snapshot!(Room::new().run(&["--set", "date_rate=100"]), @"error: block rate_limiter has no attribute `date_rate`; it has clock_mhz, enable_ecn, data_rate, control_interval_duration_ns, congestion_probability_weight, fast_recovery_attempt, initial_target_rate_percentage, number_active_increase_steps, num_of_control_loops_per_increase, minimum_rate_percentage, estimate_init, pacing_slack, rpg_time_reset, rpg_byte_reset, rpg_threshold, rpg_ai_rate, rpg_hai_rate, rpg_gd, rpg_min_dec_fac, rpg_min_rate, dce_tcp_g, dce_tcp_rtt, initial_alpha_value, rate_reduce_monitor_period, rate_to_set_on_first_cnp, clamp_tgt_rate");
}

#[test]
fn unknown_parameter() {
    insta::assert_snapshot!(Room::new().run(&["--param", "QP=100"]), @"error: block rate_limiter has no parameter `QP`; it has QPS, QP_W, TIME_W, TIME_INIT, RATE_FRAC, EST_FRAC, DCQCN, BYTE_W");
}

#[test]
fn attribute_out_of_range() {
    insta::assert_snapshot!(Room::new().run(&["--set", "data_rate=2000"]), @"error: attribute data_rate = 2000: accepted is 1 to 1600 Gbps");
}

#[test]
fn attribute_of_another_kind() {
    insta::assert_snapshot!(Room::new().run(&["--set", "enable_ecn=yes"]), @"error: attribute enable_ecn = yes: accepted is true or false");
}

#[test]
fn parameter_out_of_range() {
    insta::assert_snapshot!(Room::new().run(&["--param", "QPS=100"]), @"error: parameter QPS = 100 is out of range: accepted is a power of two from 2 to 4096");
}

#[test]
fn parameter_that_is_no_number() {
    insta::assert_snapshot!(Room::new().run(&["--param", "QPS=many"]), @"error: parameter QPS = many: accepted is a whole number from 2 to 4096");
}

#[test]
fn assignment_without_a_value() {
    insta::assert_snapshot!(Room::new().run(&["--set", "data_rate"]), @"
    error: --set data_rate: there is no `=` in it
      help: accepted is a name and a value, as --set data_rate=100
    ");
}

#[test]
fn values_that_do_not_fit_together() {
    let text = Room::new().run(&["--set", "control_interval_duration_ns=100"]);
    assert!(text.contains("control_interval_duration_ns = 100"), "{text}");
    assert!(text.contains("accepted is") && text.contains("ns or more"), "{text}");
}

// The file of --config.

#[test]
fn config_that_is_missing() {
    insta::assert_snapshot!(Room::new().run(&["--config", "none.toml"]), @"
    error: cannot read none.toml: No such file or directory (os error 2)
      help: name a file that exists and that you may read
    ");
}

#[test]
fn config_that_is_no_toml() {
    let room = Room::new();
    room.write("c.toml", "[params]\nQPS 64\n");
    insta::assert_snapshot!(room.run(&["--config", "c.toml"]), @"
    error: c.toml, line 2: key with no value, expected `=`
      help: accepted is TOML, as in `QPS = 64`
    ");
}

#[test]
fn config_with_another_table() {
    let room = Room::new();
    room.write("c.toml", "[parameters]\nQPS = 64\n");
    insta::assert_snapshot!(room.run(&["--config", "c.toml"]), @"
    error: c.toml: [parameters] has no place here
      help: accepted are the tables [params] and [attributes], and names in them
    ");
}

#[test]
fn config_with_a_value_out_of_range() {
    let room = Room::new();
    room.write("c.toml", "[attributes]\npacing_slack = 64\n");
    insta::assert_snapshot!(room.run(&["--config", "c.toml"]), @"error: c.toml: attribute pacing_slack = 64: accepted is a whole number from 0 to 63 cycles");
}

// The stimulus as a table.

#[test]
fn csv_that_is_missing() {
    let room = Room::new();
    fs::remove_file(room.path("in.csv")).expect("is there");
    insta::assert_snapshot!(room.run(&[]), @"
    error: cannot read in.csv: No such file or directory (os error 2)
      help: name a file that exists and that you may read
    ");
}

#[test]
fn csv_that_is_empty() {
    let room = Room::new();
    room.write("in.csv", "");
    insta::assert_snapshot!(room.run(&[]), @"
    error: in.csv, line 1: column `cycle` is missing
      help: columns are: cycle, cnp_qp, req_qp, req_bytes, peek_qp
    ");
}

#[test]
fn csv_that_is_no_text() {
    let room = Room::new();
    room.write("in.csv", b"cycle,cnp_qp\n10,\xff\xfe\n");
    insta::assert_snapshot!(room.run(&[]), @"
    error: in.csv, line 2: not a text
      help: accepted is UTF-8
    ");
}

#[test]
fn csv_with_an_unknown_column() {
    insta::assert_snapshot!(Room::new().table("cnp_qp", "cnp_queue"), @"
    error: in.csv, line 1, column 2: there is no input `cnp_queue`
      help: known columns are: cycle, cnp_qp, req_qp, req_bytes, peek_qp
    ");
}

#[test]
fn csv_with_an_output_as_a_column() {
    insta::assert_snapshot!(Room::new().table("cnp_qp", "rsp_qp"), @"
    error: in.csv, line 1, column 2: there is no input `rsp_qp`
      help: known columns are: cycle, cnp_qp, req_qp, req_bytes, peek_qp
    ");
}

#[test]
fn csv_with_a_column_twice() {
    insta::assert_snapshot!(Room::new().table("req_qp", "cnp_qp"), @"
    error: in.csv, line 1, column 3: `cnp_qp` comes twice
      help: name each column once
    ");
}

#[test]
fn csv_without_a_column_of_a_channel() {
    let room = Room::new();
    room.write("in.csv", "cycle,req_qp\n1,1\n");
    insta::assert_snapshot!(room.run(&[]), @"
    error: in.csv, line 1: column `req_bytes` is missing
      help: channel req needs req_qp, req_bytes
    ");
}

#[test]
fn csv_without_cycles() {
    let room = Room::new();
    room.write("in.csv", "cnp_qp\n1\n");
    insta::assert_snapshot!(room.run(&[]), @"
    error: in.csv, line 1: column `cycle` is missing
      help: columns are: cycle, cnp_qp, req_qp, req_bytes, peek_qp
    ");
}

#[test]
fn csv_with_a_line_too_short() {
    insta::assert_snapshot!(Room::new().table("10,3,,", "10,3"), @"
    error: in.csv, line 2: the line has 2 values
      help: accepted is 4, as many as the header has columns
    ");
}

#[test]
fn csv_with_what_is_no_number() {
    insta::assert_snapshot!(Room::new().table("4154", "4154B"), @"
    error: in.csv, line 3, column req_bytes: `4154B` is not a number
      help: accepted is 0 to 16383 bytes (14 bits)
    ");
}

#[test]
fn csv_with_a_part_of_a_number() {
    insta::assert_snapshot!(Room::new().table("4154", "4154.5"), @"
    error: in.csv, line 3, column req_bytes: `4154.5` is not a whole number
      help: accepted is 0 to 16383 bytes (14 bits)
    ");
}

#[test]
fn csv_with_a_value_too_wide() {
    insta::assert_snapshot!(Room::new().table("4154", "16384"), @"
    error: in.csv, line 3, column req_bytes: `16384` does not fit the field
      help: accepted is 0 to 16383 bytes (14 bits)
    ");
}

#[test]
fn csv_with_a_channel_filled_in_in_part() {
    insta::assert_snapshot!(Room::new().table("3,4154", "3,"), @"
    error: in.csv, line 3, column req_bytes: it is empty, and other fields of channel req are not
      help: fill in all of req_qp, req_bytes, or none
    ");
}

#[test]
fn csv_with_cycles_out_of_order() {
    insta::assert_snapshot!(Room::new().table("40,", "9,"), @"
    error: in.csv, line 3, column cycle: cycle 9 is out of order, the line before has 10
      help: one line a cycle, in rising order
    ");
}

#[test]
fn csv_with_a_cycle_twice() {
    insta::assert_snapshot!(Room::new().table("40,", "10,"), @"
    error: in.csv, line 3, column cycle: cycle 10 comes twice, the line before has 10
      help: one line a cycle, in rising order
    ");
}

#[test]
fn csv_with_a_cycle_that_is_no_number() {
    insta::assert_snapshot!(Room::new().table("40,", "-1,"), @"
    error: in.csv, line 3, column cycle: `-1` is not a whole number
      help: accepted is 0 to 1000000000000
    ");
}

#[test]
fn csv_with_a_cycle_beyond_all_runs() {
    insta::assert_snapshot!(Room::new().table("40,", "1000000000001,"), @"
    error: in.csv, line 3, column cycle: 1000000000001 is too far away
      help: accepted is 0 to 1000000000000
    ");
}

// Where results go.

#[test]
fn results_into_a_folder_that_is_not_there() {
    let run = ["run", "rate_limiter", "--stimulus", "in.csv", "--out", "none/out.csv"];
    let text = Room::new().refused(&[&run[..], &["--engine", "model"]].concat());
    insta::assert_snapshot!(text, @"
    error: cannot write none/out.csv: No such file or directory (os error 2)
      help: name a file in a folder that exists and that you may write to
    ");
}

#[test]
fn results_into_a_place_that_is_a_folder() {
    let room = Room::new();
    fs::create_dir(room.path("taken")).expect("a folder");
    let run = ["run", "rate_limiter", "--stimulus", "in.csv", "--out", "taken"];
    insta::assert_snapshot!(room.refused(&[&run[..], &["--engine", "model"]].concat()), @"
    error: cannot write taken: it is a folder
      help: name a file in a folder that exists and that you may write to
    ");
}

/// A file where a folder should be cannot be written into, whoever runs the test.
#[test]
fn vectors_into_a_folder_that_cannot_be_made() {
    let room = Room::new();
    let text = room.refused(&["vectors", "generate", "--out", "in.csv"]);
    insta::assert_snapshot!(text, @"
    error: cannot write in.csv/rate_limiter/single_cnp_recovers: Not a directory (os error 20)
      help: name a file in a folder that exists and that you may write to
    ");
    assert_eq!(room.names(), ["in.csv"]);
}

// Vector folders.

#[test]
fn vectors_that_are_missing() {
    insta::assert_snapshot!(Room::new().refused(&["vectors", "verify", "none"]), @"
    error: cannot read none: No such file or directory (os error 2)
      help: make the folder with `congruent vectors generate --out DIR`
    ");
}

#[test]
fn vectors_without_a_manifest() {
    let room = Room::new();
    let text = room.vectors(|folder| {
        fs::remove_file(folder.join(vectors::MANIFEST)).expect("is there");
    });
    insta::assert_snapshot!(text, @"
    error: cannot read ecn_off/manifest.toml: No such file or directory (os error 2)
      help: restore the folder, or make it anew with `congruent vectors generate`
    ");
}

#[test]
fn vectors_with_a_missing_file() {
    let text = Room::new()
        .vectors(|folder| fs::remove_file(folder.join(vectors::EXPECTED)).expect("is there"));
    insta::assert_snapshot!(text, @"
    error: cannot read ecn_off/expected.hex: No such file or directory (os error 2)
      help: restore the folder, or make it anew with `congruent vectors generate`
    ");
}

#[test]
fn vectors_with_a_file_cut_in_a_line() {
    let room = Room::new();
    let text = room.vectors(|folder| {
        let path = folder.join(vectors::STIMULUS);
        let text = fs::read_to_string(&path).expect("reads");
        fs::write(&path, &text[..100]).expect("writes");
    });
    insta::assert_snapshot!(text, @"
    error: ecn_off/stimulus.hex, line 8: the line has no end, so the file is truncated
      help: restore the folder, or make it anew with `congruent vectors generate`
    ");
}

#[test]
fn vectors_with_a_file_cut_between_lines() {
    let room = Room::new();
    let text = room.vectors(|folder| {
        let path = folder.join(vectors::STIMULUS);
        let text = fs::read_to_string(&path).expect("reads");
        let lines: Vec<_> = text.lines().take(7).collect();
        fs::write(&path, lines.join("\n") + "\n").expect("writes");
    });
    insta::assert_snapshot!(text, @"
    error: ecn_off/stimulus.hex: it holds 7 words, and the manifest says 306
      help: restore the folder, or make it anew with `congruent vectors generate`
    ");
}

#[test]
fn vectors_with_a_wrong_hash() {
    let text = Room::new().vectors(|folder| {
        let path = folder.join(vectors::STIMULUS);
        let mut text = fs::read(&path).expect("reads");
        text[5] = if text[5] == b'0' { b'1' } else { b'0' };
        fs::write(&path, text).expect("writes");
    });
    assert!(text.contains("stimulus.hex: its SHA-256 is "), "{text}");
    assert!(text.contains("and the manifest says "), "{text}");
    assert!(text.contains("congruent vectors generate"), "{text}");
}

#[test]
fn vectors_with_a_wrong_port_table() {
    let text =
        Room::new().edited(vectors::MANIFEST, "req_bytes = [10, 14]", "req_bytes = [10, 13]");
    insta::assert_snapshot!(text, @"
    error: ecn_off/manifest.toml: stimulus.fields: req_bytes = [10, 13]: the block's table gives [10, 14]
      help: restore the folder, or make it anew with `congruent vectors generate`
    ");
}

#[test]
fn vectors_with_another_run_file() {
    let text = Room::new().edited(vectors::RUN, "0000000000000008\n", "0000000000000010\n");
    insta::assert_snapshot!(text, @"
    error: ecn_off/run.hex, line 11: `0000000000000010`, and the manifest gives `0000000000000008`
      help: restore the folder, or make it anew with `congruent vectors generate`
    ");
}

#[test]
fn vectors_with_other_macros_than_parameters() {
    let text = Room::new().edited(vectors::PARAMS, "QPS=8", "QPS=16");
    insta::assert_snapshot!(text, @"
    error: ecn_off/params.f, line 2: `+define+CONGRUENT_QPS=16`, and the manifest gives `+define+CONGRUENT_QPS=8`
      help: restore the folder, or make it anew with `congruent vectors generate`
    ");
}

#[test]
fn vectors_without_the_files_for_simulators() {
    let text = Room::new()
        .vectors(|folder| fs::remove_file(folder.join(vectors::PARAMS)).expect("is there"));
    insta::assert_snapshot!(text, @"
    error: cannot read ecn_off/params.f: No such file or directory (os error 2)
      help: restore the folder, or make it anew with `congruent vectors generate`
    ");
}

#[test]
fn vectors_with_a_port_that_the_block_has_not() {
    let text = Room::new().edited(vectors::MANIFEST, "req_bytes = ", "req_size = ");
    insta::assert_snapshot!(text, @"
    error: ecn_off/manifest.toml: stimulus.fields: req_bytes is missing
      help: restore the folder, or make it anew with `congruent vectors generate`
    ");
}

#[test]
fn vectors_with_another_channel() {
    let text = Room::new().edited(vectors::MANIFEST, "ready = \"peek_ready\"\n", "");
    insta::assert_snapshot!(text, @"
    error: ecn_off/manifest.toml: channels: number 2 is not peek as in the block's table
      help: restore the folder, or make it anew with `congruent vectors generate`
    ");
}

#[test]
fn vectors_of_a_newer_format() {
    let text = Room::new().edited(vectors::MANIFEST, "format_version = 2", "format_version = 3");
    insta::assert_snapshot!(text, @"
    error: ecn_off/manifest.toml: format_version = 3 is not known here
      help: accepted is 1 to 2; a newer congruent reads it, or make the folder anew with `congruent vectors generate`
    ");
}

#[test]
fn vectors_of_an_unknown_block() {
    let text = Room::new().edited(vectors::MANIFEST, "\"rate_limiter\"", "\"rate_limter\"");
    insta::assert_snapshot!(text, @"
    error: ecn_off/manifest.toml: there is no block `rate_limter`
      help: blocks are: rate_limiter, notification_point, pacing_table, ecn_marker, nscc_window, hpcc_window, pfc_threshold (see `congruent list`)
    ");
}

#[test]
fn vectors_with_a_parameter_out_of_range() {
    insta::assert_snapshot!(Room::new().edited(vectors::MANIFEST, "QPS = 8", "QPS = 9"), @"
    error: ecn_off/manifest.toml: parameter QPS = 9 is out of range: accepted is a power of two from 2 to 4096
      help: restore the folder, or make it anew with `congruent vectors generate`
    ");
}

#[test]
fn vectors_with_pins_that_the_attributes_do_not_give() {
    let text = Room::new().edited(vectors::MANIFEST, "cfg_half = 100", "cfg_half = 101");
    insta::assert_snapshot!(text, @"
    error: ecn_off/manifest.toml: cfg: cfg_half = 101, but the attributes give 100
      help: restore the folder, or make it anew with `congruent vectors generate`
    ");
}

#[test]
fn vectors_with_a_manifest_that_is_no_toml() {
    let text = Room::new().edited(vectors::MANIFEST, "build = \"short\"", "build = \"short");
    insta::assert_snapshot!(text, @r#"
    error: ecn_off/manifest.toml, line 11: invalid basic string, expected `"`
      help: accepted is a manifest of format 2; restore the folder, or make it anew with `congruent vectors generate`
    "#);
}

#[test]
fn vectors_with_a_name_too_many() {
    let text = Room::new().edited(vectors::MANIFEST, "build = ", "built = ");
    insta::assert_snapshot!(text, @"
    error: ecn_off/manifest.toml, line 11: unknown field `built`, expected one of `format_version`, `tool_version`, `block`, `scenario`, `doc`, `covers`, `build`, `seed`, `generator`, `cycles`, `gap_bits`, `controls`, `levels`, `params`, `attributes`, `cfg`, `stimulus`, `expected`, `channels`
      help: accepted is a manifest of format 2; restore the folder, or make it anew with `congruent vectors generate`
    ");
}

#[test]
fn vectors_with_more_cycles_than_memory() {
    let text = Room::new().vectors(|folder| {
        let path = folder.join(vectors::MANIFEST);
        let text = fs::read_to_string(&path).expect("reads");
        let line = text.lines().find(|l| l.starts_with("cycles = ")).expect("a line");
        replace(&path, line, "cycles = 4000000000000000000");
    });
    insta::assert_snapshot!(text, @"
    error: ecn_off/manifest.toml: cycles = 4000000000000000000: accepted is 1 to 1000000
      help: restore the folder, or make it anew with `congruent vectors generate`
    ");
}

#[test]
fn vectors_with_crlf() {
    let room = Room::new();
    let text = room.vectors(|folder| {
        forge(folder, vectors::EXPECTED, |text| text.replace('\n', "\r\n"));
    });
    insta::assert_snapshot!(text, @"
    error: ecn_off/expected.hex, line 1: it ends in CR LF: accepted is LF alone (has a tool or git changed it?)
      help: restore the folder, or make it anew with `congruent vectors generate`
    ");
}

#[test]
fn vectors_with_x_digits() {
    let room = Room::new();
    let text = room.vectors(|folder| {
        forge(folder, vectors::STIMULUS, |text| {
            let lines: Vec<_> = text.lines().collect();
            let third = lines[2].replacen(&lines[2][3..4], "x", 1);
            [&lines[..2], &[&third], &lines[3..]].concat().join("\n") + "\n"
        });
    });
    assert!(text.contains("stimulus.hex, line 3, column "), "{text}");
    assert!(text.contains("`x` is no hex digit: accepted is 0 to 9 and a to f"), "{text}");
}

#[test]
fn vectors_with_an_underscore() {
    let room = Room::new();
    let text = room.vectors(|folder| {
        forge(folder, vectors::STIMULUS, |text| {
            let (first, rest) = text.split_at(4);
            format!("{first}_{}", &rest[1..])
        });
    });
    insta::assert_snapshot!(text, @"
    error: ecn_off/stimulus.hex, line 1, column 5: `_` is no hex digit: accepted is 0 to 9 and a to f
      help: restore the folder, or make it anew with `congruent vectors generate`
    ");
}

#[test]
fn vectors_with_a_word_of_another_width() {
    let room = Room::new();
    let text = room.vectors(|folder| {
        forge(folder, vectors::STIMULUS, |text| format!("0{text}"));
    });
    insta::assert_snapshot!(text, @"
    error: ecn_off/stimulus.hex, line 1: the word has 13 digits: accepted is 12
      help: restore the folder, or make it anew with `congruent vectors generate`
    ");
}

#[test]
fn vectors_with_bits_above_the_word() {
    let room = Room::new();
    let text = room.vectors(|folder| {
        forge(folder, vectors::STIMULUS, |text| format!("f{}", &text[1..]));
    });
    insta::assert_snapshot!(text, @"
    error: ecn_off/stimulus.hex, line 1: the word does not fit 45 bits
      help: restore the folder, or make it anew with `congruent vectors generate`
    ");
}

#[test]
fn vectors_with_a_word_beyond_the_run() {
    let room = Room::new();
    let text = room.vectors(|folder| {
        forge(folder, vectors::STIMULUS, |text| format!("1{}", &text[1..]));
    });
    assert!(text.contains("stimulus.hex, line 1: the word is for cycle "), "{text}");
    assert!(text.contains("and the manifest says 1204 cycles"), "{text}");
}

/// What reads well and is not what generator and model produce is no bad input: status 1.
#[test]
fn vectors_that_are_not_current() {
    let room = Room::new();
    room.congruent(&["vectors", "generate", "--out", "v"]).assert().success();
    let block = room.path("v/rate_limiter");
    fs::rename(block.join("storm"), block.join("strom")).expect("renames");
    forge(&block.join("ecn_off"), vectors::STIMULUS, |text| {
        // The packet size of the second word, one higher: 0x103a to 0x103b.
        let lines: Vec<_> = text.lines().map(str::to_string).collect();
        let size = 4154u64 << 10;
        let word = u64::from_str_radix(&lines[1], 16).expect("hex");
        assert_eq!(word & (0x3fff << 10), size);
        let digits = lines[1].len();
        text.replacen(&lines[1], &format!("{:0digits$x}", word + (1 << 10)), 1)
    });
    let output = room.congruent(&["vectors", "verify", "v"]).assert().code(1).get_output().clone();
    let text = String::from_utf8(output.stdout).expect("text");
    // One is missing and one is stale; how many there are is not what this is about.
    let current = congruent_hw::unit::UNITS.iter().map(|u| u.scenarios().len()).sum::<usize>() - 2;
    let text = text.replacen(&format!("{current} folders"), "ALL BUT TWO folders", 1);
    insta::assert_snapshot!(text, @"
    v/rate_limiter/storm: it is missing
    v/rate_limiter/ecn_off: stimulus.hex: cycle 12, req_bytes is 0x103b, now 0x103a
    v/rate_limiter/strom: there is no scenario of this name
    ALL BUT TWO folders current, 2 stale, 1 missing, 0 unreadable
    to make them anew: congruent vectors generate
    ");
}

// Interrupts.

fn interrupt(process: u32) {
    let signal = format!("kill -INT {process}");
    let status = std::process::Command::new("sh").args(["-c", &signal]).status();
    assert!(status.expect("a shell").success());
}

/// A run of a million million cycles is stopped by Ctrl-C: it says so and leaves nothing behind.
#[test]
fn interrupted_run() {
    let room = Room::new();
    room.write("in.csv", "cycle,cnp_qp\n1,1\n1000000000000,\n");
    room.write("out.csv", "old");
    let child = std::process::Command::new(env!("CARGO_BIN_EXE_congruent"))
        .current_dir(room.0.path())
        .args(["run", "rate_limiter", "--stimulus", "in.csv", "--out", "out.csv"])
        .args(["--engine", "model"])
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    let start = Instant::now();
    while room.names().len() < 3 {
        assert!(start.elapsed() < Duration::from_secs(60), "it never began to write");
        std::thread::sleep(Duration::from_millis(5));
    }
    interrupt(child.id());
    let output = child.wait_with_output().expect("ends");
    assert_eq!(output.status.code(), Some(2));
    insta::assert_snapshot!(String::from_utf8(output.stderr).expect("text"), @"error: interrupted: nothing was written");
    assert_eq!(room.names(), ["in.csv", "out.csv"]);
    assert_eq!(fs::read_to_string(room.path("out.csv")).expect("reads"), "old");
}

/// Whenever it comes, each folder of vectors is there as a whole or not at all.
#[test]
fn interrupted_generate() {
    for milliseconds in [20, 60, 150, 300, 500] {
        let room = Room::new();
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_congruent"))
            .current_dir(room.0.path())
            .args(["vectors", "generate", "--out", "v"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("starts");
        std::thread::sleep(Duration::from_millis(milliseconds));
        interrupt(child.id());
        child.wait().expect("ends");
        let block = room.path("v/rate_limiter");
        for entry in fs::read_dir(&block).into_iter().flatten() {
            let folder = entry.expect("an entry").path();
            vectors::load(&folder).unwrap_or_else(|e| panic!("{e}"));
        }
    }
}
