//! What `congruent perf` says, as plain structs: the JSON form, and what the tables are made from.

use super::Figures;
use crate::check::name_of;
use crate::perf::{Histogram, percentile};
use congruent_hw::perf::{Plan, TableUse};
use congruent_hw::unit::Unit;
use congruent_ports::ParamSet;
use serde::Serialize;

/// Version of the JSON form. It goes up when a member changes its meaning or goes away.
const FORMAT_VERSION: u32 = 1;

/// Link rates that packet rates are told for, Gbps.
const LINKS: [f64; 2] = [400.0, 800.0];

/// All figures of a run.
#[derive(Debug, Serialize)]
pub struct Report {
    format_version: u32,
    /// The block.
    pub block: &'static str,
    /// Parameters by name: a built-in set's, or those that differ from their defaults.
    pub parameters: String,
    /// Clock, MHz.
    pub clock_mhz: f64,
    /// Whether every figure is as documented and both sides agree.
    pub holds: bool,
    /// One entry a traffic and side.
    pub traffic: Vec<TrafficFigures>,
}

/// What was measured of one traffic on one side.
#[derive(Debug, Serialize)]
pub struct TrafficFigures {
    /// Name.
    pub name: &'static str,
    /// What it offers.
    pub doc: &'static str,
    /// `model`, `rtl`, or `both` where they agree.
    pub side: &'static str,
    /// Cycles played.
    pub cycles: u64,
    /// Latencies.
    pub latencies: Vec<Latency>,
    /// Beats taken.
    pub channels: Vec<Channel>,
    /// Causes of stalls.
    pub stalls: Vec<Stall>,
    /// Use of tables.
    pub tables: Vec<Table>,
    /// Packets.
    pub packets: Option<Packets>,
}

/// Cycles from an event to its effect.
#[derive(Debug, Serialize)]
pub struct Latency {
    /// Name of the path.
    pub path: &'static str,
    /// Events measured.
    pub events: u64,
    /// Cycles.
    pub least: u64,
    /// Cycles.
    pub median: u64,
    /// Cycles.
    pub p99: u64,
    /// Cycles.
    pub most: u64,
    /// The median in ns.
    pub median_ns: f64,
    /// The largest in ns.
    pub most_ns: f64,
    /// Documented cycles, least and most.
    pub documented: (u64, u64),
    /// Whether all lie within.
    pub holds: bool,
    /// Cycles and how often.
    pub histogram: Vec<(u64, u64)>,
}

/// Beats of an input channel.
#[derive(Debug, Serialize)]
pub struct Channel {
    /// Name.
    pub channel: &'static str,
    /// Beats taken.
    pub beats: u64,
    /// Beats taken a cycle, from the first to the last.
    pub per_cycle: f64,
    /// Cycles in which a beat was refused.
    pub refused: u64,
    /// Cycles from beat to beat while one was always offered, least and most.
    pub interval: Option<(u64, u64)>,
    /// Documented initiation interval, where the traffic saturates the channel.
    pub documented: Option<u64>,
    /// Whether the least interval is the documented one.
    pub holds: bool,
}

/// A cause of stalls.
#[derive(Debug, Serialize)]
pub struct Stall {
    /// Cause.
    pub cause: &'static str,
    /// Cycles that it cost, of one context each.
    pub cycles: u64,
}

/// Use of a table.
#[derive(Debug, Serialize)]
pub struct Table {
    /// What it holds.
    pub table: &'static str,
    /// Its size.
    pub entries: u64,
    /// Mean of the entries in use.
    pub mean: f64,
    /// Most entries in use.
    pub most: u64,
    /// Share of look-ups that found an entry.
    pub hit_rate: Option<f64>,
}

/// The packet rate that was reached.
#[derive(Debug, Serialize)]
pub struct Packets {
    /// Channel that a packet takes one beat of.
    pub channel: &'static str,
    /// Million packets a second at the clock.
    pub mpps: f64,
    /// Link rate in Gbps and the smallest packets, bytes on the wire, that the rate fills it with.
    pub smallest: Vec<(f64, f64)>,
}

impl Report {
    /// From what was measured.
    pub(super) fn new(
        unit: &dyn Unit,
        plan: &Plan,
        figures: &[Figures],
        clock_mhz: f64,
        params: &ParamSet,
    ) -> Self {
        let mut traffic = vec![];
        let mut holds = true;
        for one in figures {
            holds &= one.sides.len() == 1;
            for (side, measured) in &one.sides {
                let figures = TrafficFigures {
                    name: one.traffic.name,
                    doc: one.traffic.doc,
                    side,
                    cycles: measured.cycles,
                    latencies: measured
                        .paths
                        .iter()
                        .filter(|(_, seen)| !seen.is_empty())
                        .map(|(path, seen)| {
                            latency(path.name, path.documented, seen, 1000.0 / clock_mhz)
                        })
                        .collect(),
                    channels: measured
                        .channels
                        .iter()
                        .map(|c| channel(c, plan, one.traffic.saturated))
                        .collect(),
                    stalls: (measured.stalls.iter())
                        .map(|(cause, cycles)| Stall { cause, cycles: *cycles })
                        .collect(),
                    tables: measured.tables.iter().map(table).collect(),
                    packets: (measured.channels.iter())
                        .find(|c| c.channel == plan.packets)
                        .map(|c| packets(c.channel, c.beats as f64 / c.span as f64 * clock_mhz)),
                };
                holds &= figures.latencies.iter().all(|l| l.holds);
                holds &= figures.channels.iter().all(|c| c.holds);
                traffic.push(figures);
            }
        }
        Self {
            format_version: FORMAT_VERSION,
            block: unit.block().name,
            parameters: name_of(unit, params),
            clock_mhz,
            holds,
            traffic,
        }
    }
}

fn latency(
    path: &'static str,
    documented: (u64, u64),
    seen: &Histogram,
    ns_a_cycle: f64,
) -> Latency {
    let least = percentile(seen, 0);
    let median = percentile(seen, 50);
    let most = percentile(seen, 100);
    Latency {
        path,
        events: seen.values().sum(),
        least,
        median,
        p99: percentile(seen, 99),
        most,
        median_ns: median as f64 * ns_a_cycle,
        most_ns: most as f64 * ns_a_cycle,
        documented,
        holds: documented.0 <= least && most <= documented.1,
        histogram: seen.iter().map(|(cycles, count)| (*cycles, *count)).collect(),
    }
}

fn channel(counted: &crate::perf::Accepted, plan: &Plan, saturated: &[&str]) -> Channel {
    let documented = plan
        .intervals
        .iter()
        .find(|i| i.channel == counted.channel && saturated.contains(&i.channel))
        .map(|i| i.cycles);
    // An interval that is documented and never seen does not hold either.
    let holds =
        documented.is_none_or(|cycles| counted.interval.is_some_and(|(least, _)| least == cycles));
    Channel {
        channel: counted.channel,
        beats: counted.beats,
        per_cycle: counted.beats as f64 / counted.span as f64,
        refused: counted.refused,
        interval: counted.interval,
        documented,
        holds,
    }
}

fn table(used: &TableUse) -> Table {
    Table {
        table: used.name,
        entries: used.entries,
        mean: used.mean,
        most: used.most,
        hit_rate: used
            .lookups
            .filter(|(hits, misses)| hits + misses > 0)
            .map(|(hits, misses)| hits as f64 / (hits + misses) as f64),
    }
}

fn packets(channel: &'static str, mpps: f64) -> Packets {
    let smallest = LINKS.map(|gbps| (gbps, gbps * 1000.0 / 8.0 / mpps));
    Packets { channel, mpps, smallest: smallest.to_vec() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Model;
    use crate::perf::measure;
    use congruent_hw::attributes::AttributeSet;
    use congruent_hw::unit::UNITS;
    use congruent_ports::Layout;

    /// A report on the model's pins, its plan changed after the traffic was drawn.
    fn report(unit: &dyn Unit, change: impl Fn(&mut Plan)) -> Report {
        let params = ParamSet::defaults(unit.block());
        let attributes = AttributeSet::defaults_under(unit.block(), &params);
        let layout = Layout::new(unit.block(), &params);
        let mut plan = unit.perf(&attributes, &params, 4000);
        change(&mut plan);
        let traffic = std::mem::take(&mut plan.traffic);
        let figures: Vec<_> = traffic
            .into_iter()
            .map(|traffic| {
                let golden = unit.golden(&traffic.leg.attributes, &params).expect("legal");
                let mut model = Model::new(golden, &layout);
                let measured = measure(unit, &plan, &traffic, &layout, &mut model).expect("plays");
                Figures { traffic, sides: vec![("model", measured)] }
            })
            .collect();
        Report::new(unit, &plan, &figures, 500.0, &params)
    }

    #[test]
    fn what_the_tables_document_is_what_the_models_do() {
        for unit in UNITS {
            let report = report(*unit, |_| ());
            assert!(report.holds, "{}", super::super::text::pages(&report));
            for interval in unit
                .perf(
                    &AttributeSet::defaults(unit.block()),
                    &ParamSet::defaults(unit.block()),
                    4000,
                )
                .intervals
            {
                let mut channels = report.traffic.iter().flat_map(|t| &t.channels);
                assert!(
                    channels.any(|c| c.channel == interval.channel && c.documented.is_some()),
                    "{}: no traffic saturates {}",
                    unit.block().name,
                    interval.channel
                );
            }
        }
    }

    #[test]
    fn a_figure_that_is_documented_wrongly_does_not_hold() {
        for unit in UNITS {
            let sooner = report(*unit, |plan| plan.paths[0].documented.1 -= 1);
            assert!(!sooner.holds, "{}: a latency", unit.block().name);
            let seldom = report(*unit, |plan| plan.intervals[0].cycles += 1);
            assert!(!seldom.holds, "{}: an interval", unit.block().name);
        }
    }
}
