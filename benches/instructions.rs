//! Instructions per simulated cycle, counted by valgrind as the difference of two run lengths, so
//! that what happens once does not count. Wall time does not resolve 10 % on a shared machine;
//! these figures repeat.
//!
//!     cargo bench --bench instructions                        every block, every row
//!     cargo bench --bench instructions -- pacing_table model  that block, the rows of that name
//!
//! Exit status: 0, 1 where a figure is above its limit, 2 usage or a failed run, 3 no valgrind.

mod work;

use congruent::{Error, Result};
use std::process::{Command, ExitCode};
use work::{Peer, SLICES, Subject, Traffic, Work, machine};

/// Limits of a block with one of its parameter sets, instructions a cycle: what the project promises.
struct Limits {
    subject: &'static str,
    rtl: f64,
    model_idle: f64,
    model_load: f64,
    model_full: f64,
}

const LIMITS: &[Limits] = &[
    limits("rate_limiter/default", 2500.0, 400.0),
    // Full is an eviction, a head and a grant in every cycle: several events in one.
    Limits { model_full: 1000.0, ..limits("pacing_table/default", 4000.0, 500.0) },
    Limits { model_full: 1000.0, ..limits("pacing_table/large", 10_000.0, 500.0) },
    limits("nscc_window/default", 4000.0, 500.0),
    limits("hpcc_window/default", 4000.0, 500.0),
    limits("ecn_marker/default", 4000.0, 500.0),
    limits("ecn_marker/large", 10_000.0, 500.0),
    limits("notification_point/default", 4000.0, 500.0),
    limits("pfc_threshold/default", 4000.0, 500.0),
];

const fn limits(subject: &'static str, rtl: f64, model_events: f64) -> Limits {
    Limits { subject, rtl, model_idle: 250.0, model_load: model_events, model_full: model_events }
}

impl Limits {
    fn of(subject: Subject) -> Result<&'static Self> {
        let name = subject.name();
        LIMITS.iter().find(|l| l.subject == name).ok_or_else(|| {
            Error::plain(format!("{name} has no limits: add its line to benches/instructions.rs"))
        })
    }
}

/// The bridge may add so many a call to the bare loop, and so many a field.
const FFI_CALL: usize = 20;
const FFI_FIELD: usize = 4;

fn main() -> ExitCode {
    // Cargo says `--bench`.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let done = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["pass", subject, peer, traffic, passes] => {
            pass(subject, peer, traffic, passes).map(|()| true)
        }
        ref names => tables(names),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error}");
            if let Some(help) = error.help() {
                eprintln!("  {help}");
            }
            ExitCode::from(error.exit() as u8)
        }
    }
}

/// What runs under valgrind: so many passes over the traffic. Prints the cycles.
fn pass(subject: &str, peer: &str, traffic: &str, passes: &str) -> Result<()> {
    let subject = Subject::all().into_iter().find(|s| s.name() == subject);
    let peer = Peer::ALL.into_iter().find(|p| p.name() == peer);
    let traffic = Traffic::ALL.into_iter().find(|t| t.name() == traffic);
    let (Some(subject), Some(peer), Some(traffic), Ok(passes)) =
        (subject, peer, traffic, passes.parse::<u64>())
    else {
        return Err(Error::plain("pass takes a subject, a peer, a traffic and a number of passes"));
    };
    let work = Work::new(subject, traffic)?;
    println!("{}", peer.ready(&work)?(passes * SLICES)?);
    Ok(())
}

/// Measures and prints a table for each subject; whether every figure is within its limit. Names
/// select subjects (`rate_limiter`, `pacing_table/large`) and peers (`model`).
fn tables(names: &[&str]) -> Result<bool> {
    let is_of =
        |subject: Subject, name: &str| name == subject.name() || name == subject.unit.block().name;
    let mut subjects = Subject::all();
    let known: Vec<_> = subjects.iter().map(|s| s.name()).collect();
    let (blocks, peers): (Vec<&str>, Vec<&str>) =
        names.iter().partition(|name| subjects.iter().any(|s| is_of(*s, name)));
    if let Some(name) = peers.iter().find(|name| Peer::ALL.iter().all(|p| p.name() != **name)) {
        return Err(Error::input(
            format!("nothing that is measured is called {name:?}"),
            format!("accepted: {}, bare, steps, step, model, lockstep", known.join(", ")),
        ));
    }
    subjects.retain(|s| blocks.is_empty() || blocks.iter().any(|name| is_of(*s, name)));
    // The limits of the bridge are told from the bare loop's figures.
    let wanted = |peer: Peer| {
        let bare_too = peer == Peer::Bare && peers.iter().any(|n| ["step", "steps"].contains(n));
        peers.is_empty() || peers.contains(&peer.name()) || bare_too
    };
    let peers: Vec<_> = Peer::ALL.into_iter().filter(|p| wanted(*p)).collect();
    valgrind_is_there()?;
    println!("instructions a simulated cycle");
    for line in machine() {
        println!("{line}");
    }
    let mut held = true;
    for subject in subjects {
        held &= table(subject, &peers)?;
    }
    Ok(held)
}

/// Measures and prints one subject's table; whether every figure is within its limit.
fn table(subject: Subject, peers: &[Peer]) -> Result<bool> {
    let limits = Limits::of(subject)?;
    let work = Work::new(subject, Traffic::Idle)?;
    let fields = work.layout.inputs.len() + work.layout.outputs.len();
    let ffi = (FFI_CALL + FFI_FIELD * fields) as f64;
    println!();
    println!("{:<36} {:>8} {:>8} {:>8}  at most", subject.name(), "idle", "load", "full");
    let mut held = true;
    let mut bare = [None; 3];
    for &peer in peers {
        let mut figures = [0.0; 3];
        for (figure, traffic) in figures.iter_mut().zip(Traffic::ALL) {
            *figure = per_cycle(subject, peer, traffic)?;
        }
        let (most, said) = match peer {
            Peer::Bare => {
                bare = figures.map(Some);
                ([Some(limits.rtl); 3], limits.rtl.to_string())
            }
            Peer::Step | Peer::Steps => (bare.map(|b| Some(b? + ffi)), format!("bare + {ffi}")),
            Peer::Model => (
                [limits.model_idle, limits.model_load, limits.model_full].map(Some),
                format!(
                    "{} idle, {} load, {} full",
                    limits.model_idle, limits.model_load, limits.model_full
                ),
            ),
            Peer::Lockstep => ([None; 3], "-".to_string()),
        };
        let [idle, load, full] = figures;
        let within =
            figures.iter().zip(most).all(|(figure, most)| most.is_none_or(|m| *figure <= m));
        held &= within;
        let missed = if within { "" } else { "  MISSED" };
        println!("{:<36} {idle:>8.0} {load:>8.0} {full:>8.0}  {said}{missed}", peer.doc());
    }
    Ok(held)
}

fn per_cycle(subject: Subject, peer: Peer, traffic: Traffic) -> Result<f64> {
    let (short_count, short) = count(subject, peer, traffic, 1)?;
    let (long_count, long) = count(subject, peer, traffic, 3)?;
    Ok((long_count as f64 - short_count as f64) / (long - short) as f64)
}

/// Instructions and cycles of a run of this program under callgrind.
fn count(subject: Subject, peer: Peer, traffic: Traffic, passes: u64) -> Result<(u64, u64)> {
    let own = std::env::current_exe().map_err(|e| Error::file("find", "this program", e))?;
    let out = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(own)
        .args(["pass", &subject.name(), peer.name(), traffic.name(), &passes.to_string()])
        .output()
        .map_err(|e| Error::plain(format!("cannot run valgrind: {e}")))?;
    let report = String::from_utf8_lossy(&out.stderr);
    // ==12345== Collected : 67890
    let counted =
        report.lines().find_map(|line| line.split_once("Collected :")?.1.trim().parse().ok());
    let cycles = String::from_utf8_lossy(&out.stdout).trim().parse().ok();
    match (counted, cycles) {
        (Some(counted), Some(cycles)) if out.status.success() => Ok((counted, cycles)),
        _ => Err(Error::plain(format!(
            "{}, {} with {} traffic under valgrind ended with {}:\n{report}",
            subject.name(),
            peer.name(),
            traffic.name(),
            out.status
        ))),
    }
}

fn valgrind_is_there() -> Result<()> {
    match Command::new("valgrind").arg("--version").output() {
        Ok(out) if out.status.success() => Ok(()),
        _ => Err(Error::MissingTool {
            message: "valgrind is missing: it counts the instructions of a simulated cycle".into(),
            help: Some(
                "install it: apt-get install valgrind (Debian, Ubuntu), dnf install valgrind (Fedora)"
                    .into(),
            ),
        }),
    }
}
