//! What `congruent perf` plays and measures of `nscc_window`.

use super::core::{Kind, whole_cycles};
use super::model::{input, output};
use crate::attributes::AttributeSet;
use crate::fixed::from_real;
use crate::perf::{Builder, Interval, Occupancy, Path, Plan, Probe, TableUse, Traffic};
use crate::scenario::Leg;
use crate::stimulus::Stimulus;
use congruent_ports::nscc_window::{BLOCK, RTT_FRAC};
use congruent_ports::{ParamSet, error};

/// Paths whose every event is answered, whatever the traffic.
const ANSWERED: &[&str] = &["evt_to_win", "peek_to_peeked"];

/// What attributes come to, as far as traffic needs it.
struct Sizes {
    /// A nominal packet, bytes.
    packet: u64,
    /// ConfigBaseRTT, UQ RTT_W.4 cycles.
    base_rtt: u64,
}

impl Sizes {
    fn new(attributes: &AttributeSet) -> Self {
        let cycles = attributes.real("config_base_rtt") * attributes.real("clock_mhz") / 1000.0;
        Self {
            packet: attributes.integer("mss") + attributes.integer("header_bytes"),
            base_rtt: from_real(cycles, RTT_FRAC),
        }
    }
}

/// An event's payload.
fn evt(kind: Kind, dst: u64, bytes: u64, flight: u64, rtt: u64, trimmed: bool) -> Vec<u64> {
    let (rtt_valid, trimmed) = (u64::from(rtt != 0), u64::from(trimmed));
    vec![kind as u64, dst, bytes, flight, rtt_valid, rtt, trimmed, 0, 0, 0]
}

/// The plan, for legs of about so many cycles.
pub fn plan(attributes: &AttributeSet, params: &ParamSet, cycles: u64) -> Plan {
    let sizes = Sizes::new(attributes);
    let dests = params.get("DESTS") as u64;
    let figure = |name| BLOCK.cycles(name);
    let (interval, apply) = (figure("evt_interval"), figure("apply_interval"));
    let leg = |stimulus: Stimulus| Leg { attributes: attributes.clone(), stimulus };
    let open = |n: u64| {
        Builder::new(&BLOCK)
            .each("evt", 0..n.min(dests), |dst| Some(evt(Kind::Open, dst, 0, 0, 0, false)))
    };
    // Opening takes the unit so long; every event behind it is offered at once.
    let (first, events) = (dests, cycles / interval);
    let packet = sizes.packet;
    // Half way to the least target.
    let crossing = sizes.base_rtt + sizes.base_rtt / 4;
    let send = |dst| Some(evt(Kind::Send, dst, 0, packet, 0, false));
    let sack =
        |dst, packets: u64| Some(evt(Kind::Sack, dst, packets * packet, packet, crossing, false));
    let traffic = vec![
        Traffic {
            name: "back_to_back",
            doc: "an event offered in every cycle, sends and cumulative ACKs over all destinations: nothing divides",
            leg: leg(open(dests)
                .each("evt", first..first + events, |n| match n % 2 {
                    0 => send(n / 2 % dests),
                    _ => Some(evt(Kind::Cack, n / 2 % dests, 0, packet, 0, false)),
                })
                .done()),
            paths: ANSWERED,
            saturated: &["evt"],
        },
        Traffic {
            name: "one_context",
            doc: "the same on one destination",
            leg: leg(open(1)
                .each("evt", 1..events, |n| match n % 2 {
                    0 => send(0),
                    _ => Some(evt(Kind::Cack, 0, 0, packet, 0, false)),
                })
                .done()),
            paths: ANSWERED,
            saturated: &["evt"],
        },
        Traffic {
            name: "spread",
            doc: "sends and SACKs with a sample over all destinations, as fast as they are taken: a destination applies now and then",
            leg: leg(open(dests)
                .each("evt", first..first + events, |n| match n % 2 {
                    0 => send(n * 7 % dests),
                    _ => sack(n * 7 % dests, 1),
                })
                .done()),
            paths: ANSWERED,
            saturated: &[],
        },
        Traffic {
            name: "every_sack_applies",
            doc: "worst case: SACKs of nine packets as fast as they are taken, each of which divides",
            leg: leg(open(dests)
                .each("evt", first..first + cycles / apply, |n| sack(n % dests, 9))
                .done()),
            paths: ANSWERED,
            saturated: &[],
        },
        Traffic {
            name: "line_rate",
            doc: "a SACK of nine packets every 41 cycles, destinations in turn, each of which divides: a full-size SACK at 400 Gbps and 500 MHz",
            leg: leg(open(dests)
                .each("evt", interval * dests..cycles.max(interval * dests + 1_000), |n| {
                    (n % 41 == 0).then(|| sack(n / 41 % dests, 9)).flatten()
                })
                .done()),
            paths: ANSWERED,
            saturated: &[],
        },
        Traffic {
            name: "bursts",
            doc: "16 trim NACKs of one destination back to back, then a quiet base RTT, the next one's",
            leg: leg(bursts(open(dests), &sizes, dests, cycles)),
            paths: ANSWERED,
            saturated: &[],
        },
        Traffic {
            name: "peek_saturated",
            doc: "a peek offered in every cycle, no events",
            leg: leg(Builder::new(&BLOCK)
                .each("peek", 0..cycles / figure("peek_latency"), |n| Some(vec![n % dests]))
                .done()),
            paths: ANSWERED,
            saturated: &["peek"],
        },
        Traffic {
            name: "peeks_behind_divisions",
            doc: "hazard: peeks of the very destination whose SACK divides, both as fast as they are taken",
            leg: leg(open(dests)
                .each("evt", first..first + cycles / apply, |n| sack(n % dests, 9))
                .each("peek", 0..cycles, |n| (n % apply == 0).then(|| vec![n / apply % dests]))
                .done()),
            paths: ANSWERED,
            saturated: &[],
        },
    ];
    let (win, applied) = (figure("win_latency"), figure("apply_latency"));
    let (peek, behind) = (figure("peek_latency"), figure("peek_apply_latency"));
    let answered =
        |name, from, to, documented| Path { name, from, to, only: None, by: None, documented };
    Plan {
        traffic,
        paths: vec![
            answered("evt_to_win", "evt", "win", (win, win.max(applied))),
            answered("peek_to_peeked", "peek", "peeked", (peek, peek.max(behind))),
        ],
        intervals: vec![
            Interval { channel: "evt", cycles: interval },
            Interval { channel: "peek", cycles: peek },
        ],
        packets: "evt",
    }
}

/// Bursts of trims of one destination after the other.
fn bursts(builder: Builder, sizes: &Sizes, dests: u64, cycles: u64) -> Stimulus {
    let round = 64 + whole_cycles(sizes.base_rtt);
    let from = BLOCK.cycles("evt_interval") * dests;
    builder
        .each("evt", from..cycles.max(from + 64), |n| {
            let dst = (n - from) / round % dests;
            ((n - from) % round < 16).then(|| evt(Kind::Nack, dst, 0, 0, sizes.base_rtt, true))
        })
        .done()
}

/// Waits for the unit are stalls; open destinations are the table's use.
pub struct Pins {
    busy: u64,
    dividing: u64,
    refused: u64,
    peek_waits: u64,
    /// Cycle of the last event that was taken.
    taken: u64,
    cycle: u64,
    open: Occupancy,
}

impl Pins {
    /// Nothing seen yet.
    pub fn new(params: &ParamSet) -> Self {
        Self {
            busy: 0,
            dividing: 0,
            refused: 0,
            peek_waits: 0,
            taken: 0,
            cycle: 0,
            open: Occupancy::new(params.get("DESTS") as u64),
        }
    }
}

impl Probe for Pins {
    fn row(&mut self, inputs: &[u64], outputs: &[u64]) {
        if inputs[input::EVT_VALID] != 0 {
            if outputs[output::EVT_READY] != 0 {
                self.taken = self.cycle;
            } else if self.cycle - self.taken < BLOCK.cycles("evt_interval") {
                self.busy += 1;
            } else {
                self.dividing += 1;
            }
        }
        let peek = inputs[input::PEEK_VALID] != 0 && outputs[output::PEEK_READY] == 0;
        self.peek_waits += u64::from(peek);
        // Fields of win: valid, kind, dst, cwnd, in_flight, base_rtt, avg_delay, routine, granted,
        // wants_cack, qa_fired, error.
        let win = &outputs[output::WIN..output::PEEKED];
        if win[0] != 0 && win[11] == error::NONE {
            let (kind, dst) = (Kind::new(win[1]), win[2]);
            self.refused += u64::from(kind == Kind::Send && win[8] == 0);
            if matches!(kind, Kind::Open | Kind::Close) {
                self.open.set(dst, kind == Kind::Open);
            }
        }
        self.open.tick();
        self.cycle += 1;
    }

    fn stalls(&self) -> Vec<(&'static str, u64)> {
        vec![
            ("event waits for its initiation interval", self.busy),
            ("event waits for a division", self.dividing),
            ("send refused: the window is full", self.refused),
            ("peek waits for the one before", self.peek_waits),
        ]
    }

    fn tables(&self) -> Vec<TableUse> {
        vec![self.open.table("destinations open", None)]
    }
}
