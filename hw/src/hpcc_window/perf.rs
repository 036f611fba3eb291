//! What `congruent perf` plays and measures of `hpcc_window`.

use super::cfg::format;
use super::core::Format;
use super::model::{input, output};
use crate::attributes::AttributeSet;
use crate::perf::{Builder, Interval, Occupancy, Path, Plan, Probe, TableUse, Traffic};
use crate::scenario::Leg;
use crate::stimulus::Stimulus;
use congruent_ports::ParamSet;
use congruent_ports::hpcc_window::BLOCK;

/// Paths whose every event is answered, whatever the traffic.
const ANSWERED: &[&str] = &["ack_to_win", "peek_to_peeked"];

/// Cycles between full-size ACKs at 400 Gbps and 500 MHz: 4096 x 8 / 400 / 2, rounded up.
const LINE_RATE: u64 = 41;

/// What ACKs are made of.
#[derive(Debug, Clone, Copy)]
struct Acks {
    flows: u64,
    format: Format,
}

impl Acks {
    /// Opens the flows, then gives `acks` ACKs, number n of them from cycle `when(n)` on, of flow
    /// `whose(n)`: each hop has moved by 328 ns and 4 KiB since the flow's last.
    fn acks(
        self,
        acks: u64,
        hops: u64,
        when: impl Fn(u64) -> u64,
        whose: impl Fn(u64) -> u64,
    ) -> Builder {
        let mut builder = Builder::new(&BLOCK).each("open", 0..self.flows, |flow| Some(vec![flow]));
        let mut seen = vec![0u64; self.flows as usize];
        for n in 0..acks {
            let (flow, cycle) = (whose(n) % self.flows, when(n));
            let count = &mut seen[flow as usize];
            *count += 1;
            let (seq, ts) = ((*count * 4096) & 0xffff_ffff, *count * 328);
            builder.beat("ack", cycle, &[flow, seq, (seq + 65_536) & 0xffff_ffff, 5, hops]);
            for hop in 0..hops {
                let (rate, tx) = match self.format {
                    Format::Paper => (3, (*count * 32) & 0xf_ffff),
                    Format::Wide => (100, *count * 4096),
                };
                builder.beat("hop", cycle, &[rate, ts & 0xff_ffff, tx, 40 * hop]);
            }
        }
        builder
    }
}

/// The plan, for legs of about so many cycles.
pub fn plan(attributes: &AttributeSet, params: &ParamSet, cycles: u64) -> Plan {
    let (hops, flows) = (params.get("HOPS") as u64, params.get("FLOWS") as u64);
    let path = Acks { flows, format: format(attributes) };
    let figure = |name| BLOCK.cycles(name);
    let leg = |stimulus: Stimulus| Leg { attributes: attributes.clone(), stimulus };
    let interval = hops + 1;
    // Every flow is open when the first ACK takes effect that is of it.
    let begin = flows;
    let full = (cycles / interval).max(16);
    let traffic = vec![
        Traffic {
            name: "one_flow",
            doc: "ACKs of all hops of one flow, each offered at once: the initiation interval",
            leg: leg(path.acks(full, hops, |_| begin, |_| 0).done()),
            paths: ANSWERED,
            saturated: &["ack"],
        },
        Traffic {
            name: "spread",
            doc: "the same over all flows in turn",
            leg: leg(path.acks(full, hops, |_| begin, |n| n).done()),
            paths: ANSWERED,
            saturated: &["ack"],
        },
        Traffic {
            name: "line_rate",
            doc: "an ACK of all hops every 41 cycles, flows in turn: a 4 KiB packet's at 400 Gbps and 500 MHz",
            leg: leg(path
                .acks((cycles / LINE_RATE).max(16), hops, |n| begin + n * LINE_RATE, |n| n)
                .done()),
            paths: ANSWERED,
            saturated: &[],
        },
        Traffic {
            name: "one_hop",
            doc: "ACKs of one hop, two flows in turn, each offered at once: the shortest interval",
            leg: leg(path.acks((cycles / 2).max(16), 1, |_| begin, |n| n % 2).done()),
            paths: ANSWERED,
            saturated: &[],
        },
        Traffic {
            name: "bursts",
            doc: "16 ACKs of one flow back to back, then a quiet time, the next flow's",
            leg: leg(path
                .acks(full / 2, hops, |n| begin + n / 16 * 32 * interval, |n| n / 16)
                .done()),
            paths: ANSWERED,
            saturated: &[],
        },
        Traffic {
            name: "peek_saturated",
            doc: "a peek offered in every cycle, no ACKs",
            leg: leg(Builder::new(&BLOCK)
                .each("peek", 0..(cycles / figure("peek_interval")).max(16), |n| {
                    Some(vec![n % flows])
                })
                .done()),
            paths: ANSWERED,
            saturated: &["peek"],
        },
        Traffic {
            name: "peeks_behind_acks",
            doc: "hazard: peeks of the very flow whose ACKs come back to back",
            leg: leg(path
                .acks(full, hops, |_| begin, |n| n / 8)
                .each("peek", 0..full / 8, |n| Some(vec![n % flows]))
                .done()),
            paths: ANSWERED,
            saturated: &[],
        },
    ];
    let (win, peek) = (figure("win_latency"), figure("peek_latency"));
    let answered =
        |name, from, to, documented| Path { name, from, to, only: None, by: None, documented };
    Plan {
        traffic,
        paths: vec![
            // From the header: a cycle a record on top.
            answered("ack_to_win", "ack", "win", (win + 1, win + hops)),
            answered("peek_to_peeked", "peek", "peeked", (peek, peek)),
        ],
        intervals: vec![
            Interval { channel: "ack", cycles: interval },
            Interval { channel: "peek", cycles: figure("peek_interval") },
        ],
        packets: "ack",
    }
}

/// Waits are stalls; open flows are the table's use.
pub struct Pins {
    collecting: u64,
    records: u64,
    peek_waits: u64,
    open: Occupancy,
}

impl Pins {
    /// Nothing seen yet.
    pub fn new(params: &ParamSet) -> Self {
        Self {
            collecting: 0,
            records: 0,
            peek_waits: 0,
            open: Occupancy::new(params.get("FLOWS") as u64),
        }
    }
}

impl Probe for Pins {
    fn row(&mut self, inputs: &[u64], outputs: &[u64]) {
        let waits =
            |valid: usize, ready: usize| u64::from(inputs[valid] != 0 && outputs[ready] == 0);
        self.collecting += waits(input::ACK_VALID, output::ACK_READY);
        self.peek_waits += waits(input::PEEK_VALID, output::PEEK_READY);
        self.records += u64::from(outputs[output::HOP_READY] != 0 && inputs[input::HOP_VALID] == 0);
        if inputs[input::OPEN_VALID] != 0 {
            self.open.set(inputs[input::OPEN_FLOW], true);
        }
        if inputs[input::CLOSE_VALID] != 0 {
            self.open.set(inputs[input::CLOSE_FLOW], false);
        }
        self.open.tick();
    }

    fn stalls(&self) -> Vec<(&'static str, u64)> {
        vec![
            ("header waits while an ACK is collected", self.collecting),
            ("an ACK waits for its next record", self.records),
            ("peek waits for the one before", self.peek_waits),
        ]
    }

    fn tables(&self) -> Vec<TableUse> {
        vec![self.open.table("flows open", None)]
    }
}
