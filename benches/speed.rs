//! Wall time, as ratios to the bare loop: every run of a peer has one of the bare loop over the
//! same rows beside it, now before and now after it, so that both see the same state of the machine
//! and of its caches. The median of the ratios is quoted; `bare` against itself shows what the
//! machine resolves. Criterion shows the distribution of each peer's own times.
//!
//!     cargo bench --bench speed                  everything, a minute or two a block
//!     cargo bench --bench speed -- rate_limiter  what criterion's filter selects

mod work;

use congruent::Result;
use criterion::{Criterion, SamplingMode, Throughput};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use work::{CYCLES, Pass, Peer, SLICE, Subject, Traffic, Work, machine};

/// What was seen of one peer.
struct Seen {
    subject: Subject,
    peer: Peer,
    traffic: Traffic,
    /// Nanoseconds a cycle.
    own: Vec<f64>,
    /// To the bare loop's run beside it.
    ratios: Vec<f64>,
}

fn main() -> ExitCode {
    let mut criterion = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(3))
        .configure_from_args();
    let mut seen = vec![];
    for subject in Subject::all() {
        for traffic in Traffic::ALL {
            if let Err(error) = compare(&mut criterion, subject, traffic, &mut seen) {
                eprintln!("error: {error}");
                return ExitCode::from(error.exit() as u8);
            }
        }
    }
    criterion.final_summary();
    table(&mut seen);
    ExitCode::SUCCESS
}

fn compare(
    criterion: &mut Criterion,
    subject: Subject,
    traffic: Traffic,
    seen: &mut Vec<Seen>,
) -> Result<()> {
    let work = Work::new(subject, traffic)?;
    let mut group = criterion.benchmark_group(format!("{}/{}", subject.name(), traffic.name()));
    group.sampling_mode(SamplingMode::Flat);
    for peer in Peer::ALL {
        group.throughput(Throughput::Elements(peer.least() * SLICE));
        let mut bare = Peer::Bare.ready(&work)?;
        let mut own = peer.ready(&work)?;
        let mut found = Seen { subject, peer, traffic, own: vec![], ratios: vec![] };
        let (mut failed, mut bare_first) = (None, false);
        group.bench_function(peer.name(), |bench| {
            bench.iter_custom(|runs| {
                let mut total = Duration::ZERO;
                for _ in 0..runs {
                    bare_first = !bare_first;
                    match pair(&mut bare, &mut own, bare_first, peer) {
                        Ok((bare, own)) => {
                            found.own.push(own.per_cycle());
                            found.ratios.push(own.per_cycle() / bare.per_cycle());
                            total += own.time;
                        }
                        Err(error) => {
                            failed.get_or_insert(error);
                            // Criterion divides by it.
                            total += Duration::from_nanos(1);
                        }
                    }
                }
                total
            });
        });
        if let Some(error) = failed {
            return Err(error);
        }
        seen.push(found);
    }
    group.finish();
    Ok(())
}

/// One run.
struct Timed {
    time: Duration,
    cycles: u64,
}

impl Timed {
    /// Nanoseconds a cycle.
    fn per_cycle(&self) -> f64 {
        self.time.as_nanos() as f64 / self.cycles as f64
    }
}

/// A run of the bare loop and one of a peer, in this order or the other.
fn pair(
    bare: &mut Pass<'_>,
    own: &mut Pass<'_>,
    bare_first: bool,
    peer: Peer,
) -> Result<(Timed, Timed)> {
    if bare_first {
        Ok((timed(bare, peer)?, timed(own, peer)?))
    } else {
        let own = timed(own, peer)?;
        Ok((timed(bare, peer)?, own))
    }
}

fn timed(pass: &mut Pass<'_>, peer: Peer) -> Result<Timed> {
    let start = Instant::now();
    let cycles = pass(peer.least())?;
    Ok(Timed { time: start.elapsed(), cycles })
}

fn table(seen: &mut Vec<Seen>) {
    seen.retain(|s| !s.ratios.is_empty());
    for line in machine() {
        println!("{line}");
    }
    println!();
    println!(
        "medians of runs of {SLICE} cycles (lock-step: {CYCLES}); ratio of wall times to the bare"
    );
    println!(
        "loop's run beside it, with quartiles: against itself it shows what the machine resolves"
    );
    println!(
        "{:<36} {:<7} {:>9} {:>11}  {:<22} {:>5}",
        "", "traffic", "ns/cycle", "Mcycles/s", "ratio to bare", "runs"
    );
    let mut last = String::new();
    for Seen { subject, peer, traffic, own, ratios } in seen {
        let name = subject.name();
        if name != last {
            println!("{name}");
            last = name;
        }
        let (low, ratio, high) = (part(ratios, 1), part(ratios, 2), part(ratios, 3));
        let time = part(own, 2);
        println!(
            "{:<36} {:<7} {time:>9.1} {:>11.2}  {ratio:<6.3} ({low:.3} to {high:.3}) {:>5}",
            peer.doc(),
            traffic.name(),
            1e3 / time,
            ratios.len()
        );
    }
}

/// A quartile: 1, 2 (the median) or 3.
fn part(values: &mut [f64], quarter: usize) -> f64 {
    values.sort_by(f64::total_cmp);
    values[(values.len() - 1) * quarter / 4]
}
