//! RTL as other teams bring it, through maps: our own blocks renamed, re-polarised, deepened, split into
//! structs, with widened words, and all of it at once. Each is congruent through its map, and bugs that
//! are planted in it (`+bug=n`) are not.

use assert_cmd::Command;
use congruent::spread::spread;
use congruent_ports::{Block, block};
use std::path::Path;

/// A module below `tests/foreign`, and how it is checked.
struct Module {
    name: &'static str,
    block: &'static str,
    /// Files that it needs besides its own.
    types: &'static [&'static str],
    params: &'static [&'static str],
    compare: &'static str,
    /// Bugs: number, the port that each must show at (none where any will do), and the bits before
    /// reset that it needs.
    bugs: &'static [(u32, &'static str, &'static str)],
    /// A bug that is none where the module's own events say when.
    none_when_steered: Option<u32>,
}

const SHORT: &[&str] = &["QPS=8", "QP_W=4", "TIME_W=12"];
const QUEUES: &[&str] = &["QUEUES=8", "QUEUE_W=4"];

const MODULES: &[Module] = &[
    Module {
        name: "np_renamed",
        block: "notification_point",
        types: &[],
        params: SHORT,
        compare: "exact",
        bugs: &[(1, "cnp_qp", "zeros")],
        none_when_steered: None,
    },
    Module {
        name: "np_structs",
        block: "notification_point",
        types: &["np_types.sv"],
        params: SHORT,
        compare: "exact",
        bugs: &[
            (1, "peeked_last", "zeros"),
            (2, "err_qp", "zeros"),
            (3, "stat_swallowed", "zeros"),
        ],
        none_when_steered: None,
    },
    Module {
        name: "np_deep",
        block: "notification_point",
        types: &[],
        params: SHORT,
        compare: "latency=2",
        bugs: &[(1, "cnp_qp", "zeros")],
        none_when_steered: None,
    },
    Module {
        name: "em_polar",
        block: "ecn_marker",
        types: &[],
        params: QUEUES,
        compare: "exact",
        bugs: &[(1, "mark_valid", "zeros"), (2, "", "ones")],
        none_when_steered: None,
    },
    Module {
        name: "em_wide",
        block: "ecn_marker",
        types: &[],
        params: QUEUES,
        compare: "exact",
        bugs: &[(1, "mark_queue", "zeros"), (2, "avg_occupancy", "zeros")],
        none_when_steered: None,
    },
    Module {
        name: "rl_disguised",
        block: "rate_limiter",
        types: &["rl_types.sv"],
        params: SHORT,
        compare: "latency=2",
        bugs: &[(1, "cnp_ready", "zeros"), (2, "rsp_wait", "zeros"), (3, "upd_rate", "zeros")],
        // A refused beat is offered again.
        none_when_steered: Some(1),
    },
];

const PROJECT: &str = env!("CARGO_MANIFEST_DIR");

impl Module {
    fn block(&self) -> &'static Block {
        block(self.block).expect("a block")
    }

    fn check(&self, bug: u32, compare: &str, start: &str, cases: &Path) -> (i32, String) {
        let mut command = Command::cargo_bin("congruent").expect("built");
        command.current_dir(PROJECT).args(["check", self.block, "--partial"]);
        command.args(["--random", "6000", "--include", "rtl", "--top", self.name, "--rtl"]);
        command.args(self.block().rtl.iter().map(|file| format!("rtl/{file}")));
        command.args(self.types.iter().map(|file| format!("tests/foreign/{file}")));
        command.arg(format!("tests/foreign/{}.sv", self.name));
        let map = format!("tests/foreign/{}.toml", self.name);
        if Path::new(PROJECT).join(&map).is_file() {
            command.args(["--map", &map]);
        }
        command.args(self.params.iter().flat_map(|param| ["--param", param]));
        command.args(["--compare", compare, "--plusarg", &format!("bug={bug}")]);
        command.args(["--start", start]).arg("--cases").arg(cases);
        let out = command.output().expect("runs");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        (out.status.code().expect("exits"), text(out.stdout) + &text(out.stderr))
    }
}

/// Each is congruent, and each planted bug shows where it must.
#[test]
fn each_passes_through_its_map_and_its_bugs_do_not() {
    let cases = tempfile::tempdir().expect("a folder");
    spread(MODULES.len(), |n| {
        let module = &MODULES[n];
        let (status, text) = module.check(0, module.compare, "all", cases.path());
        assert_eq!(status, 0, "{}: {text}", module.name);
        assert!(text.contains(&format!("{}: congruent", module.block)), "{text}");
        for (bug, place, start) in module.bugs {
            let (status, text) = module.check(*bug, module.compare, start, cases.path());
            assert_eq!(status, 1, "{} bug {bug}: {text}", module.name);
            let ports = text.lines().filter_map(|line| line.trim().strip_prefix("port "));
            let shown: Vec<_> = ports.filter_map(|port| port.split_whitespace().next()).collect();
            assert!(
                place.is_empty() || shown.contains(place),
                "{} bug {bug} at {place}: {text}",
                module.name
            );
        }
        if let Some(bug) = module.none_when_steered {
            let (status, text) = module.check(bug, "steered", "zeros", cases.path());
            assert_eq!(status, 0, "{} bug {bug}, steered: {text}", module.name);
        }
    });
}
