//! What `congruent perf` plays and measures of `pacing_table`.

use super::cfg::configure;
use super::core::{self, Row};
use super::model::{input, output};
use super::timing::Figures;
use crate::attributes::AttributeSet;
use crate::perf::{Builder, Interval, Occupancy, Path, Plan, Probe, TableUse, Traffic};
use crate::scenario::Leg;
use crate::stimulus::Stimulus;
use congruent_ports::ParamSet;
use congruent_ports::pacing_table::BLOCK;

/// A packet of the largest Ethernet payload most NICs use, with headers, bytes.
const PACKET: u64 = 4154;

/// The smallest packet, bytes.
const SMALL: u64 = 64;

/// Paths whose every event is answered, whatever the traffic.
const ANSWERED: &[&str] = &["becn_to_upd", "peek_to_peeked"];
const UNPACED: &[&str] = &["becn_to_upd", "peek_to_peeked", "head_to_grant"];

/// The plan, for legs of about so many cycles.
pub fn plan(attributes: &AttributeSet, params: &ParamSet, cycles: u64) -> Plan {
    let figures = Figures::of(params);
    let (entries, queues) = (params.get("ENTRIES") as u64, params.get("QUEUES") as u64);
    let dlids = 1u64 << params.get("DLID_W");
    let leg = |stimulus: Stimulus| Leg { attributes: attributes.clone(), stimulus };
    let new = || Builder::new(&BLOCK);
    let fill = |builder: Builder| builder.each("becn", 0..entries, |n| Some(vec![n % dlids]));
    // A head of each queue in turn, one in `step` cycles.
    let heads = |builder: Builder, step: u64, dlid: &dyn Fn(u64) -> u64, bytes| {
        builder.each("head", 0..cycles, |n| {
            (n % step == 0).then(|| vec![n / step % queues, dlid(n / step) % dlids, bytes])
        })
    };
    // As often as grants may come, or as `dlids` paced destinations at this ccti let packets go.
    let often = figures.grant_interval;
    let paced = |bytes, ccti, dlids: u64| {
        let gap = configure(attributes, params)
            .map_or(cycles, |cfg| core::gap(&cfg, bytes, Row::linear(ccti)) >> cfg.time_frac);
        (gap.max(figures.grant_hold) / dlids + 1).max(often)
    };
    let limit = attributes.integer("ccti_limit");
    let traffic = vec![
        Traffic {
            name: "unpaced",
            doc: "no destination tracked: a head for every queue in turn, as often as grants may come",
            leg: leg(heads(new(), often, &|n| n, SMALL).done()),
            paths: &["head_to_grant"],
            saturated: &[],
        },
        Traffic {
            name: "becns_back_to_back",
            doc: "a BECN offered in every cycle, for as many destinations as there are entries in turn",
            leg: leg(new().each("becn", 0..cycles, |n| Some(vec![n % entries % dlids])).done()),
            paths: ANSWERED,
            saturated: &["becn"],
        },
        Traffic {
            name: "one_destination",
            doc: "a BECN offered in every cycle and heads of every queue, all for one destination, as often as it lets them go",
            leg: leg(heads(
                new().each("becn", 0..cycles, |_| Some(vec![5])),
                paced(SMALL, limit, 1),
                &|_| 5,
                SMALL,
            )
            .done()),
            paths: ANSWERED,
            saturated: &["becn"],
        },
        Traffic {
            name: "spread",
            doc: "the table filled; heads over all of its destinations, as often as they let them go",
            leg: leg(
                heads(fill(new()), paced(PACKET, 1, entries), &|n| n * 7 % entries, PACKET).done()
            ),
            paths: ANSWERED,
            saturated: &[],
        },
        Traffic {
            name: "bursts",
            doc: "16 BECNs back to back for one destination, then 48 quiet cycles, the next one's; heads over all",
            leg: leg(heads(
                new().each("becn", 0..cycles, |n| (n % 64 < 16).then(|| vec![n / 64 % dlids])),
                64,
                &|n| n,
                SMALL,
            )
            .done()),
            paths: ANSWERED,
            saturated: &[],
        },
        Traffic {
            name: "misses_on_a_full_table",
            doc: "hazard: a BECN for a new destination offered in every cycle, heads for those about to be evicted",
            leg: leg(heads(
                new().each("becn", 0..cycles, |n| Some(vec![n % dlids])),
                often,
                &|n| (n * often / figures.becn_interval).saturating_sub(entries) + 2,
                SMALL,
            )
            .done()),
            paths: ANSWERED,
            saturated: &["becn"],
        },
        Traffic {
            name: "peek_saturated",
            doc: "a peek offered in every cycle",
            leg: leg(new().each("peek", 0..cycles / 8, |n| Some(vec![n % entries])).done()),
            paths: UNPACED,
            saturated: &["peek"],
        },
    ];
    let (upd, peek) = (figures.upd_latency, figures.peek_latency);
    let least = figures.head_delay + figures.grant_latency;
    Plan {
        traffic,
        paths: vec![
            Path {
                name: "head_to_grant",
                from: "head",
                to: "grant",
                only: None,
                by: Some(("queue", "queue")),
                // The queue whose turn it is waits for no other.
                documented: (least, least + figures.grant_interval - 1),
            },
            Path {
                name: "becn_to_upd",
                from: "becn",
                to: "upd",
                only: None,
                by: None,
                documented: (upd, upd),
            },
            Path {
                name: "peek_to_peeked",
                from: "peek",
                to: "peeked",
                only: None,
                by: None,
                documented: (peek, peek),
            },
        ],
        intervals: vec![
            Interval { channel: "becn", cycles: figures.becn_interval },
            Interval { channel: "peek", cycles: figures.peek_interval },
        ],
        packets: "head",
    }
}

/// Heads that are paced and heads that find no place are stalls; entries are the table's use.
pub struct Pins {
    queues: u64,
    paced: u64,
    no_place: u64,
    becn_waits: u64,
    peek_waits: u64,
    becns: u64,
    made: u64,
    tracked: Occupancy,
}

impl Pins {
    /// Nothing seen yet.
    pub fn new(params: &ParamSet) -> Self {
        Self {
            queues: params.get("QUEUES") as u64,
            paced: 0,
            no_place: 0,
            becn_waits: 0,
            peek_waits: 0,
            becns: 0,
            made: 0,
            tracked: Occupancy::new(params.get("ENTRIES") as u64),
        }
    }
}

impl Probe for Pins {
    fn row(&mut self, inputs: &[u64], outputs: &[u64]) {
        self.paced += u64::from(outputs[output::STALLED].count_ones());
        let queue = inputs[input::HEAD_QUEUE];
        let place = queue >= self.queues || (outputs[output::HEAD_READY] >> queue) & 1 != 0;
        self.no_place += u64::from(inputs[input::HEAD_VALID] != 0 && !place);
        let becn = inputs[input::BECN_VALID] != 0;
        self.becn_waits += u64::from(becn && outputs[output::BECN_READY] == 0);
        let peek = inputs[input::PEEK_VALID] != 0 && outputs[output::PEEK_READY] == 0;
        self.peek_waits += u64::from(peek);
        // Before the upd of this cycle: an entry that was not in use is made by it.
        if outputs[output::UPD] != 0 {
            let index = outputs[output::UPD + 1];
            self.becns += 1;
            let made = outputs[output::EVICT] != 0 || !self.tracked.is_used(index);
            self.made += u64::from(made);
            self.tracked.set(index, true);
        }
        if outputs[output::RELEASE] != 0 {
            self.tracked.set(outputs[output::DECAY + 1], false);
        }
        self.tracked.tick();
    }

    fn stalls(&self) -> Vec<(&'static str, u64)> {
        vec![
            ("head paced: next_send not reached, or grant_hold", self.paced),
            ("head waits for a place in its queue", self.no_place),
            ("BECN waits for its initiation interval", self.becn_waits),
            ("peek waits for its initiation interval", self.peek_waits),
        ]
    }

    fn tables(&self) -> Vec<TableUse> {
        let hits = self.becns - self.made;
        vec![self.tracked.table("destinations tracked, look-ups by BECN", Some((hits, self.made)))]
    }
}
