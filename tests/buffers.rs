//! `congruent buffers` as a user calls it: the paper's switch, a link, refusals, JSON.

use assert_cmd::Command;

fn buffers(arguments: &str) -> (i32, String, String) {
    let mut command = Command::cargo_bin("congruent").expect("the command");
    let output = command.arg("buffers").args(arguments.split_whitespace()).output().expect("runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (output.status.code().expect("a status"), text(output.stdout), text(output.stderr))
}

/// What is printed on the line that begins with `name`, n-th of its kind.
fn line<'a>(text: &'a str, name: &str, n: usize) -> &'a str {
    let line = text.lines().filter(|line| line.trim_start().starts_with(name)).nth(n);
    line.unwrap_or_else(|| panic!("no line {name} ({n}):\n{text}"))
}

/// The page's numbers.
#[test]
fn the_papers_switch_is_the_default() {
    let (status, text, _) = buffers("");
    assert_eq!(status, 0);
    assert!(line(&text, "free", 0).ends_with("= 6 265 600 B"));
    assert!(line(&text, "t_PFC ", 0).ends_with("= 24 475 B"));
    assert!(line(&text, "t_ECN", 0).contains("~ 764.8 B"));
    assert!(text.contains("not above one packet of 1500 B"));
    assert!(line(&text, "7.", 0).ends_with("/ (32 x (8 + 1 x 8)) = 97 900 B"));
    assert!(line(&text, "at it", 0).contains("s = 3 132 800 B, t_PFC(s) = 3 132 800 B"));
    assert!(line(&text, "7.", 1).ends_with("/ (32 x (8 + 8 x 8)) ~ 21 755.6 B"));
    assert!(line(&text, "at it", 1).contains("s ~ 5 569 422.2 B, t_PFC(s) ~ 696 177.8 B"));
    assert!(text.contains("= 4.5."));
}

#[test]
fn one_number_of_priorities() {
    let (status, text, _) = buffers("--occupied 8");
    assert_eq!(status, 0);
    assert_eq!(text.matches("ECN before PFC").count(), 1);
    assert!(text.contains("k = 8"));
}

#[test]
fn headroom_is_reckoned_from_the_link() {
    let (status, text, _) = buffers("--link-rate 40 --cable 100");
    assert_eq!(status, 0);
    assert!(line(&text, "cable", 0).ends_with("= 2 x 100 m x 5 ns/m x 40 Gbps / 8 = 5 000 B"));
    assert!(line(&text, "response", 0).contains("118 quanta x 64 B = 7 552 B"));
    assert!(line(&text, "t_flight", 0).contains("= 15 712 B"));
}

#[test]
fn json_carries_exact_numbers() {
    let (status, text, _) = buffers("--pool 7MB --json");
    assert_eq!(status, 0);
    let report: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(report["format_version"], 1);
    assert_eq!(report["free"]["exact"], "6265600");
    assert_eq!(report["static"]["t_ecn_below"]["exact"], "24475/32");
    assert_eq!(report["static"]["feasible"], false);
    // 8 x 6 265 600 / (32 x 72), in lowest terms.
    assert_eq!(report["dynamic"][1]["t_ecn_below"]["exact"], "195800/9");
    assert_eq!(report["dynamic"][0]["t_ecn_below"]["value"], 97_900.0);
    assert_eq!(report["pool"]["t_pfc"]["exact"], "0");
}

#[test]
fn what_cannot_be_is_refused() {
    let refused = |arguments: &str, what: &[&str]| {
        let (status, text, error) = buffers(arguments);
        assert_eq!((status, text.as_str()), (2, ""), "{arguments}: {error}");
        for words in what {
            assert!(error.contains(words), "{arguments}: {error}");
        }
    };
    refused("--headroom 46875", &["= 12 000 000 B", "headroom makes it so", "at most 46 874 B"]);
    refused("--buffer 1KB", &["buffer makes it so", "at least 5 734 401 B"]);
    refused("--link-rate 400 --cable 10000", &["a cable of 10 000 m at 400 Gbps"]);
    refused("--link-rate 41 --cable 3", &["41 Gbps", "--response", "10, 25, 40"]);
    refused("--link-rate 40", &["--cable"]);
    refused("--beta 0", &["--beta 0", "1/128 to 128"]);
    refused("--beta 1e3", &["1e3", "1/128"]);
    refused("--occupied 9", &["8 priorities", "1 to 8"]);
    refused("--ports 0", &["0", "1..=512"]);
    refused("--headroom 22KBit", &["22KBit", "KiB"]);
    refused("--headroom 1 --link-rate 40 --cable 1", &["cannot be used with"]);
}
