//! What `congruent perf` prints for people.

use super::report::{Latency, Report, TrafficFigures};
use crate::cli::table;
use std::fmt::Write as _;

/// Longest bar of a histogram, characters.
const BAR: u64 = 40;

/// Lines of a histogram at the most; beyond, neighbouring values share a line.
const LINES: u64 = 16;

/// All tables.
pub fn pages(report: &Report) -> String {
    let mut text = format!(
        "{} ({}) at {} MHz, measured on the pins\n",
        report.block, report.parameters, report.clock_mhz
    );
    let mut section = |title: &str, body: String| {
        if !body.is_empty() {
            // Writing to a String cannot fail.
            let _ = write!(text, "\n{title}\n{body}\n");
        }
    };
    section("Traffic", traffic(report));
    section("Latency from event to effect, cycles", latencies(report));
    section("How latencies are spread, where they are not constant", histograms(report));
    section("Beats taken", channels(report));
    section("Stalls", stalls(report));
    section("Tables", tables(report));
    section("Packets, one beat each", packets(report));
    let said = if report.holds {
        "every figure is as documented"
    } else {
        "NOT as documented, or the two sides differ: see MISSED above, and lines of one side only"
    };
    let _ = write!(text, "\n{}: {said}\n", report.block);
    text
}

fn traffic(report: &Report) -> String {
    let mut lines = table(&["traffic", "side", "cycles", "what it offers"]);
    for t in &report.traffic {
        lines.add_row([t.name, t.side, &t.cycles.to_string(), t.doc]);
    }
    lines.to_string()
}

/// Rows of every traffic, or nothing where there are none.
fn rows<const N: usize>(
    report: &Report,
    header: [&str; N],
    of: impl Fn(&TrafficFigures) -> Vec<[String; N]>,
) -> String {
    let mut lines = table(&header);
    let all: Vec<_> = report.traffic.iter().flat_map(of).collect();
    if all.is_empty() {
        return String::new();
    }
    lines.add_rows(all);
    lines.to_string()
}

fn latencies(report: &Report) -> String {
    let header = [
        "traffic",
        "side",
        "path",
        "events",
        "min",
        "median",
        "p99",
        "max",
        "max, ns",
        "documented",
    ];
    rows(report, header, |t| {
        let row = |l: &Latency| {
            [
                t.name.to_string(),
                t.side.to_string(),
                l.path.to_string(),
                l.events.to_string(),
                l.least.to_string(),
                l.median.to_string(),
                l.p99.to_string(),
                l.most.to_string(),
                format!("{:.1}", l.most_ns),
                format!("{}{}", range(l.documented), missed(l.holds)),
            ]
        };
        t.latencies.iter().map(row).collect()
    })
}

fn missed(holds: bool) -> &'static str {
    if holds { "" } else { " MISSED" }
}

fn range((least, most): (u64, u64)) -> String {
    match (least, most) {
        _ if least == most => least.to_string(),
        (_, u64::MAX) => format!("{least} or more"),
        _ => format!("{least} to {most}"),
    }
}

fn histograms(report: &Report) -> String {
    let mut text = String::new();
    for t in &report.traffic {
        for l in t.latencies.iter().filter(|l| l.least != l.most) {
            let _ = writeln!(text, "{}, {} ({})", t.name, l.path, t.side);
            let width = (l.most - l.least + 1).div_ceil(LINES);
            let lines = (l.most - l.least) / width + 1;
            let bins: Vec<u64> = (0..lines)
                .map(|n| {
                    let from = l.least + n * width;
                    let within = |(cycles, _): &&(u64, u64)| (from..from + width).contains(cycles);
                    l.histogram.iter().filter(within).map(|(_, count)| count).sum()
                })
                .collect();
            let largest = bins.iter().copied().max().unwrap_or(1);
            for (n, count) in (0..).zip(&bins) {
                let from = l.least + n * width;
                let to = (from + width - 1).min(l.most);
                let bar = "#".repeat((count * BAR).div_ceil(largest) as usize);
                let _ = writeln!(text, "  {:>15} {count:>8} {bar}", range((from, to)));
            }
        }
    }
    text.trim_end().to_string()
}

fn channels(report: &Report) -> String {
    let header =
        ["traffic", "side", "channel", "taken", "a cycle", "refused", "interval", "documented"];
    rows(report, header, |t| {
        t.channels
            .iter()
            .map(|c| {
                [
                    t.name.to_string(),
                    t.side.to_string(),
                    c.channel.to_string(),
                    c.beats.to_string(),
                    format!("{:.4}", c.per_cycle),
                    c.refused.to_string(),
                    c.interval.map_or("-".to_string(), range),
                    match c.documented {
                        Some(cycles) => format!("{cycles}{}", missed(c.holds)),
                        None => "-".to_string(),
                    },
                ]
            })
            .collect()
    })
}

fn stalls(report: &Report) -> String {
    rows(report, ["traffic", "side", "cause", "cycles"], |t| {
        let row = |s: &super::report::Stall| {
            [t.name.to_string(), t.side.to_string(), s.cause.to_string(), s.cycles.to_string()]
        };
        t.stalls.iter().filter(|s| s.cycles > 0).map(row).collect()
    })
}

fn tables(report: &Report) -> String {
    rows(report, ["traffic", "side", "table", "entries", "mean", "most", "hits"], |t| {
        t.tables
            .iter()
            .map(|u| {
                [
                    t.name.to_string(),
                    t.side.to_string(),
                    u.table.to_string(),
                    u.entries.to_string(),
                    format!("{:.1}", u.mean),
                    u.most.to_string(),
                    u.hit_rate.map_or("-".to_string(), |rate| format!("{:.1} %", 100.0 * rate)),
                ]
            })
            .collect()
    })
}

fn packets(report: &Report) -> String {
    let header = ["traffic", "side", "channel", "million a second", "fills a link with packets of"];
    rows(report, header, |t| {
        t.packets
            .iter()
            .map(|p| {
                let links = p.smallest.iter();
                let links: Vec<_> =
                    links.map(|(gbps, bytes)| format!("{gbps} Gbps: {bytes:.0} B")).collect();
                [
                    t.name.to_string(),
                    t.side.to_string(),
                    p.channel.to_string(),
                    format!("{:.2}", p.mpps),
                    links.join(", "),
                ]
            })
            .collect()
    })
}
