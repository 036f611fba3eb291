//! What `congruent perf` plays and measures of `ecn_marker`.

use super::model::{input, output};
use crate::attributes::AttributeSet;
use crate::perf::{Builder, Interval, Occupancy, Path, Plan, Probe, TableUse, Traffic};
use crate::scenario::Leg;
use crate::stimulus::Stimulus;
use congruent_ports::ParamSet;
use congruent_ports::ecn_marker::BLOCK;

/// A packet of the largest Ethernet payload most NICs use, with headers, bytes.
const PACKET: u64 = 4154;

/// ECT(0), from a port with credits.
const ECT0: [u64; 2] = [2, 1];

const ANSWERED: &[&str] = &["enq_to_avg", "deq_to_mark", "peek_to_peeked"];
const PEEKED: &[&str] = &["peek_to_peeked"];

/// The plan, for legs of about so many cycles.
pub fn plan(attributes: &AttributeSet, params: &ParamSet, cycles: u64) -> Plan {
    let queues = params.get("QUEUES") as u64;
    let leg = |stimulus: Stimulus| Leg { attributes: attributes.clone(), stimulus };
    let new = || Builder::new(&BLOCK);
    let arrives = |queue: u64| Some(vec![queue, PACKET]);
    let leaves = |queue: u64| Some(vec![queue, PACKET, ECT0[0], ECT0[1]]);
    let interval = BLOCK.cycles("peek_interval");
    let traffic = vec![
        Traffic {
            name: "back_to_back",
            doc: "a packet in and a packet out in every cycle, queues in turn; a peek whenever one is taken",
            leg: leg(new()
                .each("enq", 0..cycles, |n| arrives(n % queues))
                .each("deq", 1..cycles, |n| leaves((n - 1) % queues))
                .each("peek", 0..cycles, |n| n.is_multiple_of(interval).then(|| vec![n % queues]))
                .done()),
            paths: ANSWERED,
            saturated: &["enq", "deq"],
        },
        Traffic {
            name: "peek_saturated",
            doc: "a peek offered in every cycle",
            leg: leg(new().each("peek", 0..cycles / 8, |n| Some(vec![n % queues])).done()),
            paths: PEEKED,
            saturated: &["peek"],
        },
        Traffic {
            name: "one_context",
            doc: "hazard: a packet in and a packet out of queue 0 in every cycle",
            leg: leg(new()
                .each("enq", 0..cycles, |_| arrives(0))
                .each("deq", 0..cycles, |n| (n > 0).then(|| leaves(0)).flatten())
                .each("peek", 0..1, |_| Some(vec![0]))
                .done()),
            paths: ANSWERED,
            saturated: &["enq", "deq"],
        },
        Traffic {
            name: "incast",
            doc: "for 128 cycles a packet comes for one queue in every cycle and leaves in every second; then it drains, and the next one is filled",
            leg: leg(new()
                .each("enq", 0..cycles, |n| (n % 256 < 128).then(|| vec![n / 256 % queues, PACKET]))
                .each("deq", 0..cycles, |n| {
                    (n % 2 == 1).then(|| leaves(n / 256 % queues)).flatten()
                })
                .each("peek", 0..cycles, |n| (n % 256 == 255).then(|| vec![n / 256 % queues]))
                .done()),
            paths: ANSWERED,
            saturated: &[],
        },
        Traffic {
            name: "spread",
            doc: "packets in and out over all queues, in another order in than out",
            leg: leg(new()
                .each("enq", 0..cycles, |n| arrives(n * 7 % queues))
                .each("deq", 0..cycles, |n| {
                    (n >= queues).then(|| leaves((n - queues) * 7 % queues)).flatten()
                })
                .each("peek", 0..1, |_| Some(vec![0]))
                .done()),
            paths: ANSWERED,
            saturated: &["enq", "deq"],
        },
    ];
    let answered = |name, from, to, latency| {
        let cycles = BLOCK.cycles(latency);
        Path { name, from, to, only: None, by: None, documented: (cycles, cycles) }
    };
    Plan {
        traffic,
        paths: vec![
            answered("enq_to_avg", "enq", "avg", "avg_latency"),
            answered("deq_to_mark", "deq", "mark", "mark_latency"),
            answered("peek_to_peeked", "peek", "peeked", "peek_latency"),
        ],
        intervals: vec![
            Interval { channel: "enq", cycles: 1 },
            Interval { channel: "deq", cycles: 1 },
            Interval { channel: "peek", cycles: interval },
        ],
        packets: "deq",
    }
}

/// Only peeks ever wait; queues with packets are the table's use.
pub struct Pins {
    peek_waits: u64,
    bytes: Vec<u64>,
    active: Occupancy,
}

impl Pins {
    /// Nothing seen yet.
    pub fn new(params: &ParamSet) -> Self {
        let queues = params.get("QUEUES") as u64;
        Self { peek_waits: 0, bytes: vec![0; queues as usize], active: Occupancy::new(queues) }
    }

    fn change(&mut self, queue: u64, change: impl Fn(u64) -> u64) {
        if let Some(bytes) = self.bytes.get_mut(queue as usize) {
            *bytes = change(*bytes);
            self.active.set(queue, *bytes > 0);
        }
    }
}

impl Probe for Pins {
    fn row(&mut self, inputs: &[u64], outputs: &[u64]) {
        if inputs[input::DEQ_VALID] != 0 {
            let bytes = inputs[input::DEQ_BYTES];
            self.change(inputs[input::DEQ_QUEUE], |held| held.saturating_sub(bytes));
        }
        if inputs[input::ENQ_VALID] != 0 {
            let bytes = inputs[input::ENQ_BYTES];
            self.change(inputs[input::ENQ_QUEUE], |held| held + bytes);
        }
        let waits = inputs[input::PEEK_VALID] != 0 && outputs[output::PEEK_READY] == 0;
        self.peek_waits += u64::from(waits);
        self.active.tick();
    }

    fn stalls(&self) -> Vec<(&'static str, u64)> {
        vec![("peek waits for its initiation interval", self.peek_waits)]
    }

    fn tables(&self) -> Vec<TableUse> {
        vec![self.active.table("queues with packets", None)]
    }
}
