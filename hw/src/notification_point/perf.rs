//! What `congruent perf` plays and measures of `notification_point`.

use super::model::{input, output};
use crate::attributes::AttributeSet;
use crate::perf::{Builder, Interval, Occupancy, Path, Plan, Probe, TableUse, Traffic};
use crate::scenario::Leg;
use crate::stimulus::Stimulus;
use congruent_ports::ParamSet;
use congruent_ports::notification_point::BLOCK;

const BOTH: &[&str] = &["ce_to_cnp", "peek_to_peeked"];
const PEEKED: &[&str] = &["peek_to_peeked"];

/// The plan, for legs of about so many cycles.
pub fn plan(attributes: &AttributeSet, params: &ParamSet, cycles: u64) -> Plan {
    let qps = params.get("QPS") as u64;
    let leg = |stimulus: Stimulus| Leg { attributes: attributes.clone(), stimulus };
    let new = || Builder::new(&BLOCK);
    let interval = BLOCK.cycles("peek_interval");
    let traffic = vec![
        Traffic {
            name: "spread",
            doc: "a CE packet in every cycle, each queue pair once; a peek whenever one is taken",
            leg: leg(new()
                .each("ce", 0..qps, |n| Some(vec![n]))
                .each("peek", 0..qps.max(8 * interval), |n| {
                    n.is_multiple_of(interval).then(|| vec![n % qps])
                })
                .done()),
            paths: BOTH,
            saturated: &["ce"],
        },
        Traffic {
            name: "one_context",
            doc: "hazard: a CE packet of queue pair 0 in every cycle, all but one in a gap swallowed",
            leg: leg(new().each("ce", 0..cycles, |_| Some(vec![0])).done()),
            paths: &[],
            saturated: &["ce"],
        },
        Traffic {
            name: "peek_saturated",
            doc: "a peek offered in every cycle",
            leg: leg(new().each("peek", 0..cycles / 8, |n| Some(vec![n % qps])).done()),
            paths: PEEKED,
            saturated: &["peek"],
        },
        Traffic {
            name: "bursts",
            doc: "eight CE packets of a queue pair back to back, then eight of the next",
            leg: leg(new().each("ce", 0..cycles, |n| Some(vec![n / 8 % qps])).done()),
            paths: &[],
            saturated: &["ce"],
        },
        Traffic {
            name: "back_to_back",
            doc: "a CE packet in every cycle, queue pairs in turn",
            leg: leg(new().each("ce", 0..cycles, |n| Some(vec![n % qps])).done()),
            paths: &[],
            saturated: &["ce"],
        },
    ];
    let path = |name, from, to, by, latency| {
        let cycles = BLOCK.cycles(latency);
        Path { name, from, to, only: None, by, documented: (cycles, cycles) }
    };
    Plan {
        traffic,
        paths: vec![
            path("ce_to_cnp", "ce", "cnp", Some(("qp", "qp")), "cnp_latency"),
            path("peek_to_peeked", "peek", "peeked", None, "peek_latency"),
        ],
        intervals: vec![
            Interval { channel: "ce", cycles: 1 },
            Interval { channel: "peek", cycles: interval },
        ],
        packets: "ce",
    }
}

/// Only peeks ever wait; queue pairs that a CNP went out for are the table's use.
pub struct Pins {
    peek_waits: u64,
    answered: Occupancy,
    ces: u64,
    cnps: u64,
}

impl Pins {
    /// Nothing seen yet.
    pub fn new(params: &ParamSet) -> Self {
        let answered = Occupancy::new(params.get("QPS") as u64);
        Self { peek_waits: 0, answered, ces: 0, cnps: 0 }
    }
}

impl Probe for Pins {
    fn row(&mut self, inputs: &[u64], outputs: &[u64]) {
        let waits = inputs[input::PEEK_VALID] != 0 && outputs[output::PEEK_READY] == 0;
        self.peek_waits += u64::from(waits);
        self.ces += u64::from(inputs[input::CE_VALID] != 0);
        if outputs[output::CNP] != 0 {
            self.cnps += 1;
            self.answered.set(outputs[output::CNP + 1], true);
        }
        self.answered.tick();
    }

    fn stalls(&self) -> Vec<(&'static str, u64)> {
        vec![("peek waits for its initiation interval", self.peek_waits)]
    }

    fn tables(&self) -> Vec<TableUse> {
        // A CE packet that is answered finds no CNP of its gap; one that is swallowed does.
        let found = self.ces.saturating_sub(self.cnps);
        vec![self.answered.table("queue pairs that a CNP went out for", Some((found, self.cnps)))]
    }
}
