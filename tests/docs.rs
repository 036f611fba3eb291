//! The tables of the pages in `docs/` are what the port tables say.

use assert_cmd::Command;
use std::fs;
use std::path::{Path, PathBuf};

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs")
}

/// The command with these arguments: exit status and what it prints.
fn congruent(args: &[&str]) -> (i32, String) {
    let output = Command::cargo_bin("congruent").expect("built").args(args).output().expect("runs");
    let text = [output.stdout, output.stderr].concat();
    (output.status.code().expect("a status"), String::from_utf8_lossy(&text).into_owned())
}

#[test]
fn committed_pages_are_current() {
    let (status, text) = congruent(&["docs", "verify", docs().to_str().expect("UTF-8")]);
    assert_eq!(status, 0, "{text}");
}

#[test]
fn a_page_that_drifted_is_named_and_made_anew() {
    let place = tempfile::tempdir().expect("a folder");
    let dir = place.path().to_str().expect("UTF-8");
    for entry in fs::read_dir(docs()).expect("reads") {
        let path = entry.expect("reads").path();
        fs::copy(&path, place.path().join(path.file_name().expect("a file"))).expect("copies");
    }
    let page = place.path().join("rate_limiter.md");
    let sound = fs::read_to_string(&page).expect("reads");
    fs::write(&page, sound.replace("| 14 |", "| 15 |")).expect("writes");
    let (status, text) = congruent(&["docs", "verify", dir]);
    assert_eq!(status, 1, "{text}");
    for part in ["rate_limiter.md: table `", "| 15 |", "| 14 |", "congruent docs generate"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let (status, text) = congruent(&["docs", "generate", "--out", dir, "rate_limiter"]);
    assert_eq!(status, 0, "{text}");
    assert_eq!(fs::read_to_string(&page).expect("reads"), sound);

    // Marks that do not fit are bad input: nothing is written.
    let broken = sound.replacen("<!-- end -->\n", "", 1);
    fs::write(&page, &broken).expect("writes");
    for args in [&["docs", "verify", dir][..], &["docs", "generate", "--out", dir]] {
        let (status, text) = congruent(args);
        assert_eq!(status, 2, "{text}");
        assert!(text.contains("begins inside another") && text.contains("help:"), "{text}");
    }
    assert_eq!(fs::read_to_string(&page).expect("reads"), broken);
}
