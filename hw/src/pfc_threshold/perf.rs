//! What `congruent perf` plays and measures of `pfc_threshold`.

use super::model::{input, output};
use crate::attributes::{AttributeSet, Value};
use crate::perf::{Builder, Interval, Occupancy, Path, Plan, Probe, TableUse, Traffic};
use crate::scenario::Leg;
use crate::stimulus::Stimulus;
use congruent_ports::ParamSet;
use congruent_ports::pfc_threshold::BLOCK;

/// A packet of the largest Ethernet payload most NICs use, with headers, bytes; or the largest that
/// fits the port.
const PACKET: u64 = 4154;

const ANSWERED: &[&str] = &["enq_to_admit", "deq_to_gone", "peek_to_peeked"];

/// The plan, for legs of about so many cycles.
pub fn plan(attributes: &AttributeSet, params: &ParamSet, cycles: u64) -> Plan {
    let queues = params.get("QUEUES") as u64;
    let packet = PACKET.min((1 << params.get("BYTES_W")) - 1);
    let leg = |stimulus: Stimulus| Leg { attributes: attributes.clone(), stimulus };
    let new = || Builder::new(&BLOCK);
    let of = |queue: u64| Some(vec![queue, packet]);
    let interval = BLOCK.cycles("peek_interval");
    let traffic = vec![
        Traffic {
            name: "back_to_back",
            doc: "a packet in and a packet out in every cycle, queues in turn; a peek whenever one is taken",
            leg: leg(new()
                .each("enq", 0..cycles, |n| of(n % queues))
                .each("deq", 1..cycles, |n| of((n - 1) % queues))
                .each("peek", 0..cycles, |n| n.is_multiple_of(interval).then(|| vec![n % queues]))
                .done()),
            paths: ANSWERED,
            saturated: &["enq", "deq"],
        },
        Traffic {
            name: "peek_saturated",
            doc: "a peek offered in every cycle",
            leg: leg(new().each("peek", 0..cycles / 8, |n| Some(vec![n % queues])).done()),
            paths: &["peek_to_peeked"],
            saturated: &["peek"],
        },
        Traffic {
            name: "one_context",
            doc: "hazard: a packet in and a packet out of queue 0 in every cycle",
            leg: leg(new()
                .each("enq", 0..cycles, |_| of(0))
                .each("deq", 1..cycles, |_| of(0))
                .each("peek", 0..1, |_| Some(vec![0]))
                .done()),
            paths: ANSWERED,
            saturated: &["enq", "deq"],
        },
        Traffic {
            name: "incast",
            doc: "for 1024 cycles a packet comes for one queue in every cycle and none leaves: it is paused, its headroom fills, packets are dropped; then it drains and resumes",
            leg: leg(new()
                .each("enq", 0..cycles, |n| (n % 2048 < 1024).then(|| vec![0, packet]))
                .each("deq", 0..cycles, |n| (n % 2048 >= 1024).then(|| vec![0, packet]))
                .each("peek", 0..cycles, |n| (n % 512 == 511).then(|| vec![0]))
                .done()),
            paths: ANSWERED,
            saturated: &[],
        },
        Traffic {
            name: "pauses",
            doc: "every packet in pauses its queue, and the next one out of it lets it resume, one a cycle (static thresholds below a packet)",
            leg: Leg {
                attributes: attributes.clone().with(&[
                    ("mode", Value::Name("static")),
                    ("static_xoff", Value::Integer(1)),
                    ("static_xon", Value::Integer(0)),
                ]),
                stimulus: new()
                    .each("enq", 0..rounds(cycles, queues), |n| {
                        (n / queues).is_multiple_of(2).then(|| vec![n % queues, 64])
                    })
                    .each("deq", 0..rounds(cycles, queues), |n| {
                        (n / queues % 2 == 1).then(|| vec![n % queues, 64])
                    })
                    .each("peek", 0..1, |_| Some(vec![0]))
                    .done(),
            },
            paths: &["enq_to_admit", "deq_to_gone", "enq_to_xoff", "deq_to_resume"],
            saturated: &[],
        },
        Traffic {
            name: "back_and_forth",
            doc: "one queue is paused and another resumes in every cycle: the queue of pauses is full, every XOFF from the fourth on is owed until its queue resumes (static thresholds below a packet)",
            leg: Leg {
                attributes: attributes.clone().with(&[
                    ("mode", Value::Name("static")),
                    ("static_xoff", Value::Integer(1)),
                    ("static_xon", Value::Integer(0)),
                ]),
                stimulus: new()
                    .each("enq", 0..cycles, |n| Some(vec![n % queues, 64]))
                    .each("deq", 1..cycles, |n| Some(vec![(n - 1) % queues, 64]))
                    .each("peek", 0..1, |_| Some(vec![0]))
                    .done(),
            },
            paths: ANSWERED,
            saturated: &["enq", "deq"],
        },
    ];
    let path = |name, from, to, latency| {
        let cycles = BLOCK.cycles(latency);
        Path { name, from, to, only: None, by: None, documented: (cycles, cycles) }
    };
    let pause = |name, from, xoff| Path {
        only: Some(("xoff", xoff)),
        by: Some(("queue", "queue")),
        ..path(name, from, "pause", "pause_latency")
    };
    Plan {
        traffic,
        paths: vec![
            path("enq_to_admit", "enq", "admit", "admit_latency"),
            path("deq_to_gone", "deq", "gone", "gone_latency"),
            pause("enq_to_xoff", "enq", 1),
            pause("deq_to_resume", "deq", 0),
            path("peek_to_peeked", "peek", "peeked", "peek_latency"),
        ],
        intervals: vec![
            Interval { channel: "enq", cycles: 1 },
            Interval { channel: "deq", cycles: 1 },
            Interval { channel: "peek", cycles: interval },
        ],
        packets: "deq",
    }
}

/// Cycles in whole rounds of packets in and packets out, one at the least.
fn rounds(cycles: u64, queues: u64) -> u64 {
    (cycles / (2 * queues)).max(1) * 2 * queues
}

/// Only peeks ever wait; queues that are paused are the table's use.
pub struct Pins {
    peek_waits: u64,
    paused: Occupancy,
}

impl Pins {
    /// Nothing seen yet.
    pub fn new(params: &ParamSet) -> Self {
        Self { peek_waits: 0, paused: Occupancy::new(params.get("QUEUES") as u64) }
    }
}

impl Probe for Pins {
    fn row(&mut self, inputs: &[u64], outputs: &[u64]) {
        if outputs[output::PAUSE] != 0 {
            self.paused.set(outputs[output::PAUSE + 1], outputs[output::PAUSE + 2] != 0);
        }
        let waits = inputs[input::PEEK_VALID] != 0 && outputs[output::PEEK_READY] == 0;
        self.peek_waits += u64::from(waits);
        self.paused.tick();
    }

    fn stalls(&self) -> Vec<(&'static str, u64)> {
        vec![("peek waits for its initiation interval", self.peek_waits)]
    }

    fn tables(&self) -> Vec<TableUse> {
        vec![self.paused.table("queues told to pause", None)]
    }
}
