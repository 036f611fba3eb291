//! What `congruent perf` plays and measures of `rate_limiter`.

use super::cfg::shortest_half;
use super::dcqcn::cfg::{longest_round, shortest_alpha_period};
use super::is_dcqcn;
use super::model::{input, output};
use crate::attributes::{AttributeSet, Value};
use crate::perf::{Builder, Interval, Occupancy, Path, Plan, Probe, TableUse, Traffic};
use crate::scenario::Leg;
use crate::stimulus::Stimulus;
use congruent_ports::ParamSet;
use congruent_ports::rate_limiter::BLOCK;

/// A packet of the largest Ethernet payload most NICs use, with headers, bytes.
const PACKET: u64 = 4154;

/// The shortest interval that the attribute accepts.
const SHORTEST_INTERVAL_NS: f64 = 100.0;

/// Paths whose every event is answered, whatever the traffic.
const ANSWERED: &[&str] = &["req_to_rsp", "peek_to_peeked"];
const ALSO_STARTS: &[&str] = &["req_to_rsp", "peek_to_peeked", "cnp_to_episode"];

/// The plan, for legs of about so many cycles.
pub fn plan(attributes: &AttributeSet, params: &ParamSet, cycles: u64) -> Plan {
    let (qps, dcqcn) = (params.get("QPS") as u64, is_dcqcn(params));
    let leg = |stimulus: Stimulus| Leg { attributes: attributes.clone(), stimulus };
    let new = || Builder::new(&BLOCK);
    let storm = |builder: Builder| builder.each("cnp", 0..qps, |n| Some(vec![n]));
    let traffic = vec![
        Traffic {
            name: "back_to_back",
            doc: "a request in every cycle, queue pairs in turn; a peek whenever one is taken",
            leg: leg(new()
                .each("req", 0..cycles, |n| Some(vec![n % qps, PACKET]))
                .each("peek", 0..cycles, |n| (n % 32 == 0).then(|| vec![n % qps]))
                .done()),
            paths: ANSWERED,
            saturated: &["req"],
        },
        Traffic {
            name: "peek_saturated",
            doc: "a peek offered in every cycle",
            leg: leg(new().each("peek", 0..cycles / 8, |n| Some(vec![n % qps])).done()),
            paths: ANSWERED,
            saturated: &["peek"],
        },
        Traffic {
            name: "one_context",
            doc: "a request of queue pair 0 in every cycle, a CNP for it in the first",
            leg: leg(storm_of_one(new()).each("req", 0..cycles, |_| Some(vec![0, PACKET])).done()),
            paths: ALSO_STARTS,
            saturated: &["req"],
        },
        Traffic {
            name: "spread",
            doc: "a CNP for every queue pair in turn, then requests over all of them",
            leg: leg(storm(new())
                .each("req", 0..cycles, |n| Some(vec![n * 7 % qps, PACKET]))
                .done()),
            paths: ALSO_STARTS,
            saturated: &["req"],
        },
        Traffic {
            name: "bursts",
            doc: "16 requests of one queue pair back to back, then 48 quiet cycles, the next one's",
            leg: leg(new()
                .each("req", 0..cycles, |n| (n % 64 < 16).then(|| vec![n / 64 % qps, PACKET]))
                .done()),
            paths: ANSWERED,
            saturated: &[],
        },
        Traffic {
            name: "cnp_and_req_collide",
            doc: "hazard: CNP and request of one queue pair in one cycle, every cycle",
            leg: leg(new()
                .each("cnp", 0..cycles, |n| Some(vec![n / 2 % qps]))
                .each("req", 0..cycles, |n| Some(vec![n / 2 % qps, PACKET]))
                .done()),
            paths: ANSWERED,
            saturated: &["cnp", "req"],
        },
        if dcqcn {
            every_visit_runs(attributes, params, cycles)
        } else {
            every_half_due(attributes, params, cycles)
        },
    ];
    let cycles = |name| BLOCK.cycles(name);
    let rsp = cycles("rsp_latency");
    let (upd, peek, waits) = if dcqcn {
        // Behind the beats of a visit that made three.
        (cycles("upd_latency_dcqcn"), cycles("peek_latency_dcqcn"), 2)
    } else {
        // A start that waits has its slot one cycle later.
        (cycles("upd_latency"), cycles("peek_latency"), 1)
    };
    let answered = |name, from, to, latency| Path {
        name,
        from,
        to,
        only: None,
        by: None,
        documented: (latency, latency),
    };
    Plan {
        traffic,
        paths: vec![
            answered("req_to_rsp", "req", "rsp", rsp),
            answered("peek_to_peeked", "peek", "peeked", peek),
            Path {
                name: "cnp_to_episode",
                from: "cnp",
                to: "upd",
                only: Some(("cause", super::core::Cause::Episode as u64)),
                by: Some(("qp", "qp")),
                documented: (upd, upd + waits),
            },
        ],
        intervals: vec![
            Interval { channel: "req", cycles: 1 },
            Interval { channel: "cnp", cycles: 1 },
            Interval { channel: "peek", cycles: cycles("peek_interval") },
        ],
        packets: "req",
    }
}

fn every_half_due(attributes: &AttributeSet, params: &ParamSet, cycles: u64) -> Traffic {
    let qps = params.get("QPS") as u64;
    Traffic {
        name: "every_half_due",
        doc: "hazard: CNPs and requests in every cycle at the shortest interval, so that each visit of the sweep runs a half",
        leg: Leg {
            attributes: shortest_interval(attributes, params),
            stimulus: Builder::new(&BLOCK)
                .each("cnp", 0..cycles, |n| Some(vec![n % qps]))
                .each("req", 0..cycles, |n| Some(vec![n * 7 % qps, PACKET]))
                .each("peek", 0..cycles, |n| (n % 32 == 0).then(|| vec![n % qps]))
                .done(),
        },
        paths: ANSWERED,
        saturated: &["cnp", "req"],
    }
}

/// The reaction point: a CNP takes the sweep's slot, so there are none once all episodes have begun.
fn every_visit_runs(attributes: &AttributeSet, params: &ParamSet, cycles: u64) -> Traffic {
    let qps = params.get("QPS") as u64;
    Traffic {
        name: "every_visit_runs",
        doc: "hazard: every queue pair in an episode that does not end, alpha and timer at the shortest periods, requests in every cycle",
        leg: Leg {
            attributes: shortest_periods(attributes, params),
            stimulus: Builder::new(&BLOCK)
                .each("cnp", 0..2 * qps, |n| Some(vec![n % qps]))
                .each("req", 0..cycles, |n| Some(vec![n * 7 % qps, PACKET]))
                .each("peek", 0..cycles, |n| (n % 32 == 0).then(|| vec![n % qps]))
                .done(),
        },
        paths: ANSWERED,
        saturated: &["req"],
    }
}

/// The attributes with the shortest legal control interval.
fn shortest_interval(attributes: &AttributeSet, params: &ParamSet) -> AttributeSet {
    let ns = 2000.0 * shortest_half(params) as f64 / attributes.real("clock_mhz");
    let interval = Value::Real(ns.max(SHORTEST_INTERVAL_NS));
    attributes.clone().with(&[("control_interval_duration_ns", interval)])
}

/// The attributes with the reaction point's shortest legal periods, and fast recovery for ever.
fn shortest_periods(attributes: &AttributeSet, params: &ParamSet) -> AttributeSet {
    let timer = longest_round(params);
    let us = |cycles: u64| Value::Real(cycles as f64 / attributes.real("clock_mhz"));
    attributes.clone().with(&[
        ("rpg_time_reset", us(timer)),
        ("dce_tcp_rtt", us(shortest_alpha_period(timer, params))),
        ("rate_reduce_monitor_period", Value::Real(0.0)),
        ("clamp_tgt_rate", Value::Bool(true)),
        ("rpg_threshold", Value::Integer(31)),
    ])
}

fn storm_of_one(mut builder: Builder) -> Builder {
    builder.beat("cnp", 0, &[0]);
    builder
}

/// Refused requests are stalls; episodes are the table's use.
pub struct Pins {
    paced: u64,
    peek_waits: u64,
    episodes: Occupancy,
}

impl Pins {
    /// Nothing seen yet.
    pub fn new(params: &ParamSet) -> Self {
        let episodes = Occupancy::new(params.get("QPS") as u64);
        Self { paced: 0, peek_waits: 0, episodes }
    }
}

impl Probe for Pins {
    fn row(&mut self, inputs: &[u64], outputs: &[u64]) {
        // Fields of rsp: valid, qp, grant, wait, error.
        let rsp = &outputs[output::RSP..output::RSP + 5];
        self.paced += u64::from(rsp[0] != 0 && rsp[4] == 0 && rsp[2] == 0);
        let peek = inputs[input::PEEK_VALID] != 0 && outputs[output::PEEK_READY] == 0;
        self.peek_waits += u64::from(peek);
        // Fields of upd: valid, qp, cause, rate, target, estimate, recovery, congested.
        let upd = &outputs[output::UPD..output::UPD + 8];
        if upd[0] != 0 {
            self.episodes.set(upd[1], upd[7] != 0);
        }
        self.episodes.tick();
    }

    fn stalls(&self) -> Vec<(&'static str, u64)> {
        vec![
            ("request refused: paced, next_send not reached", self.paced),
            ("peek waits for its initiation interval", self.peek_waits),
        ]
    }

    fn tables(&self) -> Vec<TableUse> {
        vec![self.episodes.table("queue pairs in an episode", None)]
    }
}
