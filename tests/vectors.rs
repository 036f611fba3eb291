//! Vector files: what is committed is current, small and readable by others; what is written comes
//! back; whatever is done to a file, loading it ends in an error that says so.

use congruent::vectors::{self, About, Case};
use congruent_hw::random::Draw;
use congruent_hw::scenario::Scenario;
use congruent_hw::unit::{UNITS, Unit, unit};
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

fn committed() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors")
}

fn named(unit: &'static dyn Unit, name: &str) -> Case {
    let scenarios = unit.scenarios();
    record(unit, scenarios.iter().find(|s| s.name == name).expect("a scenario"))
}

fn record(unit: &'static dyn Unit, scenario: &Scenario) -> Case {
    let build = unit.block().build(scenario.build).expect("a build");
    let params = build.params(unit.block());
    vectors::record(unit, About::of(scenario), &scenario.leg, &params).expect("records")
}

#[test]
fn committed_vectors_are_current_and_small() {
    for unit in UNITS {
        let mut random = 0;
        let scenarios = unit.scenarios();
        for scenario in &scenarios {
            let folder = committed().join(unit.block().name).join(&scenario.name);
            let loaded = vectors::load(&folder)
                .unwrap_or_else(|e| panic!("{e} (`congruent vectors generate` makes it)"));
            let fresh = record(*unit, scenario);
            assert_eq!(vectors::difference(&loaded, &fresh), None, "{}", folder.display());
            assert!(loaded.rows.len() <= 5_000, "{}: {}", scenario.name, loaded.rows.len());
            let size = vectors::encode(&loaded).expect("encodes").size();
            // A row of nscc_window is 70 bytes; a table of 1024 entries is filled and read back, an
            // entry a row.
            let most = if scenario.build == "large" { 500_000 } else { 250_000 };
            assert!(size <= most, "{}: {size} bytes", scenario.name);
            random += usize::from(scenario.seed.is_some());
        }
        assert!(scenarios.len() >= 14 && random >= 2, "twelve directed, two random");
    }
}

/// $readmemh drops a last line without an end, cuts what is too wide, and takes other characters
/// for errors or addresses.
#[test]
fn hex_files_are_clean_for_readmemh() {
    for unit in UNITS {
        for scenario in unit.scenarios() {
            let texts = vectors::encode(&record(*unit, &scenario)).expect("encodes");
            for text in [texts.stimulus, texts.expected, texts.run] {
                assert!(text.ends_with('\n'));
                let widths: HashSet<_> = text.lines().map(str::len).collect();
                assert_eq!(widths.len(), 1, "one width");
                let hex = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
                assert!(text.lines().all(|line| line.bytes().all(hex)));
            }
        }
    }
}

#[test]
fn a_case_comes_back_as_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    for unit in UNITS {
        for scenario in unit.scenarios() {
            let case = record(*unit, &scenario);
            let place = folder.path().join(unit.block().name).join(&scenario.name);
            vectors::write(&place, &case).expect("writes");
            // Over the one that is there, too.
            vectors::write(&place, &case).expect("writes again");
            let loaded = vectors::load(&place).expect("loads");
            assert_eq!(vectors::difference(&loaded, &case), None);
            assert_eq!(loaded.rows.len(), case.rows.len());
            assert_eq!(loaded.pins, case.pins);
            assert_eq!(loaded.about, case.about);
            let again = vectors::encode(&loaded).expect("encodes");
            assert_eq!(again, vectors::encode(&case).expect("encodes"));
        }
        let left: Vec<_> =
            fs::read_dir(folder.path().join(unit.block().name)).expect("is there").collect();
        assert_eq!(left.len(), unit.scenarios().len(), "nothing else is left behind");
    }
}

/// Rows that are replayed show what was recorded: the stimulus is exact to the cycle.
#[test]
fn a_loaded_stimulus_replays_to_the_expected_outputs() {
    for unit in UNITS {
        for scenario in unit.scenarios() {
            let texts = vectors::encode(&record(*unit, &scenario)).expect("encodes");
            let folder = tempfile::tempdir().expect("a folder");
            for (name, text) in texts.files() {
                fs::write(folder.path().join(name), text).expect("writes");
            }
            let mut case = vectors::load(folder.path()).expect("loads");
            let mut golden = unit.golden(&case.attributes, &case.params).expect("legal");
            let mut outputs = vec![0; case.rows.width_out];
            let mut shown = vec![];
            for n in 0..case.rows.len() {
                golden.step(case.rows.input(n), &mut outputs);
                shown.extend_from_slice(&outputs);
            }
            case.rows.outputs = shown;
            assert_eq!(vectors::encode(&case).expect("encodes"), texts, "{}", scenario.name);
        }
    }
}

#[test]
fn a_difference_names_file_row_and_field() {
    let unit = unit("rate_limiter").expect("registered");
    let loaded = named(unit, "pacing");
    let fresh = loaded.clone();
    let change = |edit: &dyn Fn(&mut Case)| {
        let mut loaded = loaded.clone();
        edit(&mut loaded);
        vectors::difference(&loaded, &fresh).expect("they differ")
    };
    let layout = loaded.layout();
    let bytes = layout.input("req").fields + 1;
    let what = change(&|case| case.rows.inputs[4 * layout.inputs.len() + bytes] += 1);
    insta::assert_snapshot!(what, @"stimulus.hex: cycle 4, req_bytes is 0x41, now 0x40");
    let grant = layout.output("rsp").fields + 1;
    let answered = 4 + unit.block().cycles("rsp_latency") as usize;
    let what = change(&|case| case.rows.outputs[answered * layout.outputs.len() + grant] ^= 1);
    assert_eq!(what, format!("expected.hex: cycle {answered}, rsp_grant is 0x0, now 0x1"));
    let what = change(&|case| case.about.seed = Some(1));
    insta::assert_snapshot!(what, @"manifest.toml: seed is Some(1), now None");
}

/// What a masked field holds makes no difference.
#[test]
fn masked_fields_are_written_as_zero() {
    for unit in UNITS {
        let mut refused = 0;
        for scenario in unit.scenarios() {
            let case = record(*unit, &scenario);
            let layout = case.layout();
            let mut noisy = case.clone();
            for row in noisy.rows.outputs.chunks_exact_mut(layout.outputs.len()) {
                for entry in &layout.channels_out {
                    let fields = entry.fields..entry.fields + entry.channel.fields.len();
                    let error = entry.channel.error().map(|at| entry.fields + at);
                    if row[entry.valid] == 0 {
                        row[fields].fill(1);
                    } else if error.is_some_and(|at| row[at] != 0) {
                        let roles = entry.channel.fields.iter().zip(fields);
                        let masked = roles.filter(|(field, _)| !field.role.outlives_error());
                        masked.for_each(|(_, at)| row[at] = 1);
                        refused += 1;
                    }
                }
            }
            let same = vectors::encode(&noisy).expect("encodes");
            assert_eq!(same, vectors::encode(&case).expect("encodes"), "{}", scenario.name);
        }
        assert!(refused > 0, "{}: no scenario has an error", unit.block().name);
    }
}

/// Files with a few bytes changed, dropped or doubled: an error or the same case, never a panic.
#[test]
fn damaged_files_never_panic() {
    for unit in UNITS {
        damage(&record(*unit, &unit.scenarios()[0]));
    }
}

fn damage(case: &Case) {
    let texts = vectors::encode(case).expect("encodes");
    let files = texts.files();
    let mut draw = Draw::new(1, "damage");
    let mut refused = 0;
    for round in 0..150 {
        let folder = tempfile::tempdir().expect("a folder");
        for (n, (name, text)) in files.iter().enumerate() {
            let mut bytes = text.as_bytes().to_vec();
            if n == round % files.len() {
                let at = draw.below(bytes.len() as u64) as usize;
                match draw.below(4) {
                    0 => bytes[at] = draw.below(256) as u8,
                    1 => bytes[at] = draw.pick(b"0123456789abcxX_-.\"[]=\r\n "),
                    2 => drop(bytes.remove(at)),
                    _ => bytes.truncate(at),
                }
            }
            fs::write(folder.path().join(name), bytes).expect("writes");
        }
        match vectors::load(folder.path()) {
            Ok(loaded) => assert_eq!(loaded.pins, case.pins),
            Err(error) => {
                refused += 1;
                assert!(error.help().is_some_and(|help| !help.is_empty()), "{error}");
            }
        }
    }
    assert!(refused > 100, "{refused} of 150");
}
