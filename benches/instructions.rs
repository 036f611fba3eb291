//! Instructions per simulated cycle, counted by valgrind as the difference of two run lengths, so
//! that what happens once does not count. Wall time does not resolve 10 % on a shared machine;
//! these figures repeat.
//!
//!     cargo bench --bench instructions            every row of the table
//!     cargo bench --bench instructions -- model   the rows with that name
//!
//! Exit status: 0, 1 where a figure is above its limit, 2 usage or a failed run, 3 no valgrind.

mod work;

use congruent::{Error, Result};
use std::process::{Command, ExitCode};
use work::{Peer, SLICES, Traffic, Work, machine};

/// Limits, instructions a cycle: what the project promises.
const MODEL_IDLE: f64 = 250.0;
const MODEL_EVENTS: f64 = 400.0;
const RTL: f64 = 2500.0;
/// The bridge may add so many a call to the bare loop, and so many a field.
const FFI_CALL: usize = 20;
const FFI_FIELD: usize = 4;

fn main() -> ExitCode {
    // Cargo says `--bench`.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let done = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["pass", peer, traffic, passes] => pass(peer, traffic, passes).map(|()| true),
        [] => table(None),
        [name] => table(Some(name)),
        _ => Err(Error::input(
            "too many arguments",
            "none, or the name of a peer: bare, steps, step, model or lockstep",
        )),
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
fn pass(peer: &str, traffic: &str, passes: &str) -> Result<()> {
    let peer = Peer::ALL.into_iter().find(|p| p.name() == peer);
    let traffic = Traffic::ALL.into_iter().find(|t| t.name() == traffic);
    let (Some(peer), Some(traffic), Ok(passes)) = (peer, traffic, passes.parse::<u64>()) else {
        return Err(Error::plain("pass takes a peer, a traffic and a number of passes"));
    };
    let work = Work::new(traffic)?;
    println!("{}", peer.ready(&work)?(passes * SLICES)?);
    Ok(())
}

/// Measures and prints the table; whether every figure is within its limit.
fn table(only: Option<&str>) -> Result<bool> {
    // The limits of the bridge are told from the bare loop's figures.
    let wanted = |peer: Peer, name: &str| {
        name == peer.name() || (peer == Peer::Bare && ["step", "steps"].contains(&name))
    };
    let peers: Vec<_> =
        Peer::ALL.into_iter().filter(|p| only.is_none_or(|name| wanted(*p, name))).collect();
    if peers.is_empty() {
        let named = only.unwrap_or_default();
        return Err(Error::input(
            format!("no peer is called {named:?}"),
            "accepted: bare, steps, step, model, lockstep",
        ));
    }
    valgrind_is_there()?;
    let work = Work::new(Traffic::Idle)?;
    let fields = work.layout.inputs.len() + work.layout.outputs.len();
    let ffi = (FFI_CALL + FFI_FIELD * fields) as f64;
    println!("instructions a simulated cycle of {}, default parameters", work.layout.block.name);
    for line in machine() {
        println!("{line}");
    }
    println!();
    println!("{:<36} {:>8} {:>8} {:>8}  at most", "", "idle", "load", "full");
    let mut held = true;
    let mut bare = [None; 3];
    for peer in peers {
        let mut figures = [0.0; 3];
        for (figure, traffic) in figures.iter_mut().zip(Traffic::ALL) {
            *figure = per_cycle(peer, traffic)?;
        }
        let (limits, said) = match peer {
            Peer::Bare => {
                bare = figures.map(Some);
                ([Some(RTL); 3], format!("{RTL}"))
            }
            Peer::Step | Peer::Steps => (bare.map(|b| Some(b? + ffi)), format!("bare + {ffi}")),
            Peer::Model => (
                [MODEL_IDLE, MODEL_EVENTS, MODEL_EVENTS].map(Some),
                format!("{MODEL_IDLE} idle, {MODEL_EVENTS} with events"),
            ),
            Peer::Lockstep => ([None; 3], "-".to_string()),
        };
        let [idle, load, full] = figures;
        let within =
            figures.iter().zip(limits).all(|(figure, most)| most.is_none_or(|m| *figure <= m));
        held &= within;
        let missed = if within { "" } else { "  MISSED" };
        println!("{:<36} {idle:>8.0} {load:>8.0} {full:>8.0}  {said}{missed}", peer.doc());
    }
    Ok(held)
}

fn per_cycle(peer: Peer, traffic: Traffic) -> Result<f64> {
    let (short_count, short) = count(peer, traffic, 1)?;
    let (long_count, long) = count(peer, traffic, 3)?;
    Ok((long_count as f64 - short_count as f64) / (long - short) as f64)
}

/// Instructions and cycles of a run of this program under callgrind.
fn count(peer: Peer, traffic: Traffic, passes: u64) -> Result<(u64, u64)> {
    let own = std::env::current_exe().map_err(|e| Error::file("find", "this program", e))?;
    let out = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(own)
        .args(["pass", peer.name(), traffic.name(), &passes.to_string()])
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
            "{} with {} traffic under valgrind ended with {}:\n{report}",
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
