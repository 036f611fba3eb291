//! Random legs of `ecn_marker`, in compressed time: few hot queues that hover around the thresholds,
//! bursts and same-cycle collisions, averages that close in on a threshold bit by bit, attributes
//! drawn at their ends.

use super::cfg::configure;
use super::core::{Cfg, Policy};
use crate::attributes::{AttributeSet, Value};
use crate::random::Draw;
use crate::scenario::Leg;
use crate::stimulus::Stimulus;
use Value::{Bool, Integer, Name, Real};
use congruent_ports::ParamSet;
use congruent_ports::ecn_marker::{BLOCK, BYTES_W};

/// Input channels by position in the table.
pub(super) const ENQ: usize = 0;
pub(super) const DEQ: usize = 1;
pub(super) const PEEK: usize = 2;

/// Largest size of a packet, bytes.
const BYTES_MOST: u64 = (1 << BYTES_W) - 1;

/// Packets of 0 bytes after which a gap between average and occupancy is halved to nothing.
const CLOSE_IN: u64 = 60;

type Change = (&'static str, Value);

/// Attributes of the red legs that take turns, so that no row of coverage is left to chance. The
/// fecn legs take turns in Threshold.
const RED_TURNS: [&[Change]; 16] = [
    &[W_HALF],
    &[("ewma_weight", Real(1.0))],
    &[("random_mode", Name("diffusion"))],
    &[W_HALF, ("min_threshold", Real(0.5)), ("max_threshold", Real(0.5))],
    &[("lfsr_seed", Integer(0xdead_beef))],
    &[("ewma_weight", Real(0.0)), ("min_threshold", Real(0.0))],
    &[W_HALF, ("max_mark_probability", Real(0.0))],
    &[("enable_ecn", Bool(false)), ("ewma_weight", Real(0.7))],
    &[W_HALF, ("random_mode", Name("diffusion"))],
    &[("kmin", Integer(5_000)), ("kmax", Integer(40_000)), ("ewma_weight", Real(1.0))],
    &[W_HALF, ("max_mark_probability", Real(1.0))],
    &[("kmin", Integer(30_000)), ("kmax", Integer(30_001)), ("ewma_weight", Real(0.01))],
    &[],
    &[W_HALF, ("lfsr_seed", Integer(2))],
    &[("ewma_weight", Real(0.001)), ("min_threshold", Real(0.0))],
    &[("min_threshold", Real(1.0)), ("max_threshold", Real(1.0))],
];
const W_HALF: Change = ("ewma_weight", Real(0.5));

/// Turns in all: red and fecn by turns.
const TURNS: u64 = 2 * RED_TURNS.len() as u64;

/// Leg number `leg` of the random run of `seed`, about `cycles` long.
pub fn leg(seed: u64, leg: u64, cycles: u64, params: &ParamSet) -> Leg {
    let name = |field: &str| format!("ecn_marker/{leg}/{field}");
    let attributes = attributes(&mut Draw::new(seed, &name("attributes")), leg, params);
    let cfg = configure(&attributes, params)
        .unwrap_or_else(|e| panic!("a drawn combination is refused: {e}"));
    let stimulus = Traffic::new(seed, &name, cfg, &attributes, params).play(cycles);
    Leg { attributes, stimulus }
}

fn attributes(draw: &mut Draw, leg: u64, params: &ParamSet) -> AttributeSet {
    // Table sizes begin at other turns, so that a few legs of each go through all of them.
    let turn = (leg + 11 * u64::from((params.get("QUEUES") as u64).ilog2())) % TURNS;
    if turn.is_multiple_of(2) {
        red(draw, RED_TURNS[(turn / 2) as usize], params)
    } else {
        fecn(draw, turn / 2, params)
    }
}

/// The largest buffer that traffic can fill within a leg and within an occupancy.
fn buffers(params: &ParamSet) -> [u64; 5] {
    let most = 1 << params.get("OCC_W");
    [9_216, 20_000, 65_536, 150_000, 400_000].map(|bytes: u64| bytes.min(most))
}

fn red(draw: &mut Draw, turn: &[Change], params: &ParamSet) -> AttributeSet {
    let (any_weight, any_share) = (draw.real(), draw.real());
    let low = draw.pick(&[0.2, 0.2, 0.0, 0.5, any_share]);
    let high = low + (1.0 - low) * draw.pick(&[0.75, 0.75, 1.0, 0.01, 0.0]);
    let changes = [
        ("policy", Name("red")),
        ("ewma_weight", Real(draw.pick(&[0.1, 0.1, 0.5, 1.0, 0.002, any_weight]))),
        ("static_limit", Integer(draw.pick(&buffers(params)))),
        ("min_threshold", Real(low)),
        ("max_threshold", Real(high)),
        ("max_mark_probability", Real(draw.pick(&[1.0, 0.5, 0.2, 0.01]))),
        ("random_mode", Name(draw.pick(&["lfsr", "lfsr", "lfsr", "diffusion"]))),
        ("lfsr_seed", Integer(draw.pick(&[1, 1, 0xffff_ffff, 0x1234_5678]))),
    ];
    let drawn = AttributeSet::defaults(&BLOCK).with(&changes);
    let both = drawn.clone().with(turn);
    // A turn with one threshold of its own may not fit the other one.
    if configure(&both, params).is_ok() {
        both
    } else {
        drawn.with(&[("min_threshold", Real(0.0)), ("max_threshold", Real(1.0))]).with(turn)
    }
}

fn fecn(draw: &mut Draw, threshold: u64, params: &ParamSet) -> AttributeSet {
    let buffer = draw.pick(&buffers(params));
    let from = (buffer * (16 - threshold) + 8) / 16;
    let (any_rate, any_hysteresis) = (draw.below(64), draw.below(from));
    let hysteresis = draw.pick(&[0, 0, 1, from / 2, from / 4, from - 1, any_hysteresis]);
    let changes = [
        ("policy", Name("fecn")),
        ("enable_ecn", Bool(!draw.chance(1, 16))),
        ("vl_buffer_bytes", Integer(buffer)),
        ("threshold", Integer(threshold)),
        ("hysteresis", Integer(hysteresis)),
        ("packet_size", Integer(draw.pick(&[0, 0, 1, 2, 24, 144, 162]))),
        ("marking_rate", Integer(draw.pick(&[0, 1, 3, 3, 7, 65_535, any_rate]))),
        ("victim_marking", Bool(draw.chance(1, 2))),
    ];
    AttributeSet::defaults(&BLOCK).with(&changes)
}

/// What the traffic of a stretch is like: chances in 1024ths.
#[derive(Debug, Clone, Copy)]
struct Mood {
    enq: u64,
    deq: u64,
    /// Chance that a queue is one of the hot ones.
    hot: u64,
    /// Chance that a packet larger than its queue starts transmitting.
    underflow: u64,
}

struct Traffic {
    plan: Draw,
    enq_when: Draw,
    enq_queue: Draw,
    enq_bytes: Draw,
    deq_when: Draw,
    deq_queue: Draw,
    deq_bytes: Draw,
    deq_ecn: Draw,
    deq_credits: Draw,
    peek_when: Draw,
    peek_queue: Draw,
    queues: u64,
    beyond: u64,
    policy: Policy,
    packet_size: u64,
    occupancy_most: u64,
    /// Occupancies that something happens at.
    levels: Vec<u64>,
    /// Thresholds of the average within reach.
    thresholds: Vec<u64>,
    /// Bytes in each queue as the stimulus makes them.
    occupancies: Vec<u64>,
    hot: Vec<u64>,
    /// Where the hot queues are led to.
    target: u64,
    out: Stimulus,
}

impl Traffic {
    fn new(
        seed: u64,
        name: &dyn Fn(&str) -> String,
        cfg: Cfg,
        attributes: &AttributeSet,
        params: &ParamSet,
    ) -> Self {
        let draw = |field: &str| Draw::new(seed, &name(field));
        let queues = params.get("QUEUES") as u64;
        let most = cfg.occupancy_most();
        let buffer = attributes.integer("vl_buffer_bytes");
        let levels = match cfg.policy {
            Policy::Red => vec![0, cfg.lower, cfg.upper, cfg.upper + 16_384],
            Policy::Fecn => vec![0, cfg.congested_from, cfg.congested_below, buffer],
        };
        let thresholds = [cfg.lower, cfg.upper].into_iter().filter(|t| *t > 0 && *t <= most);
        Self {
            plan: draw("plan"),
            enq_when: draw("enq.when"),
            enq_queue: draw("enq.queue"),
            enq_bytes: draw("enq.bytes"),
            deq_when: draw("deq.when"),
            deq_queue: draw("deq.queue"),
            deq_bytes: draw("deq.bytes"),
            deq_ecn: draw("deq.ecn"),
            deq_credits: draw("deq.has_credits"),
            peek_when: draw("peek.when"),
            peek_queue: draw("peek.queue"),
            queues,
            beyond: (1 << params.get("QUEUE_W")) - queues,
            policy: cfg.policy,
            packet_size: cfg.packet_size,
            occupancy_most: most,
            levels: levels.into_iter().map(|level| level.min(most)).collect(),
            thresholds: thresholds.collect(),
            occupancies: vec![0; queues as usize],
            hot: vec![0],
            target: 0,
            out: Stimulus::new(&BLOCK),
        }
    }

    fn play(mut self, cycles: u64) -> Stimulus {
        let mut cycle = self.plan.below(8);
        while cycle < cycles {
            let hot = self.plan.between(1, 3);
            self.hot = (0..hot).map(|_| self.plan.below(self.queues)).collect();
            self.target = self.plan.pick(&self.levels);
            let busy = Mood { enq: 900, deq: 900, hot: 960, underflow: 8 };
            let length = self.plan.between(20, 400);
            cycle = match self.plan.below(12) {
                0..4 => self.stretch(cycle, length, busy),
                4 => self.stretch(cycle, length, Mood { enq: 1024, deq: 1024, hot: 1024, ..busy }),
                5 => self.stretch(cycle, length, Mood { enq: 300, deq: 300, ..busy }),
                6 => self.stretch(cycle, length, Mood { hot: 0, ..busy }),
                7 => self.stretch(cycle, length / 4, Mood { underflow: 400, ..busy }),
                8 => self.everywhere(cycle),
                9 => self.brim(cycle),
                _ => self.close_in(cycle),
            };
        }
        self.out.cycles = self.out.cycles.max(cycle);
        self.out
    }

    fn stretch(&mut self, from: u64, length: u64, mood: Mood) -> u64 {
        for cycle in from..from + length {
            if self.deq_when.chance(mood.deq, 1024) {
                let queue =
                    pick(&mut self.deq_queue, &self.hot, self.queues, self.beyond, mood.hot);
                let held = self.occupancies.get(queue as usize).copied().unwrap_or(0);
                // Below the target few packets leave, above it few come.
                let leaves = held > self.target || self.deq_when.chance(1, 2);
                if leaves {
                    let bytes = if self.deq_bytes.chance(mood.underflow, 1024) {
                        (held + 1 + self.deq_bytes.below(64)).min(BYTES_MOST)
                    } else {
                        self.bytes_out(held)
                    };
                    self.deq(cycle, queue, bytes);
                }
            }
            if self.enq_when.chance(mood.enq, 1024) {
                let queue =
                    pick(&mut self.enq_queue, &self.hot, self.queues, self.beyond, mood.hot);
                let held = self.occupancies.get(queue as usize).copied().unwrap_or(0);
                if held <= self.target || self.enq_when.chance(1, 2) {
                    let bytes = self.bytes_in();
                    self.enq(cycle, queue, bytes);
                }
            }
            if self.peek_when.chance(12, 1024) {
                let queue = pick(&mut self.peek_queue, &self.hot, self.queues, self.beyond, 512);
                self.out.push(PEEK, cycle, &[queue]);
            }
        }
        from + length
    }

    /// A packet for every queue in turn, some of which leave again later.
    fn everywhere(&mut self, from: u64) -> u64 {
        for queue in 0..self.queues {
            let bytes = self.bytes_in().max(1);
            self.enq(from + queue, queue, bytes);
        }
        from + self.queues
    }

    /// A hot queue filled beyond the largest occupancy, where that is not too far.
    fn brim(&mut self, from: u64) -> u64 {
        let queue = self.hot[0];
        let packets = (self.occupancy_most - self.occupancies[queue as usize]) / BYTES_MOST + 2;
        if packets > 200 {
            return from;
        }
        for cycle in from..from + packets {
            self.enq(cycle, queue, BYTES_MOST);
        }
        // A saturated queue drains fast enough not to stay up there for the rest of a leg.
        for cycle in from + packets..from + 2 * packets {
            let bytes = BYTES_MOST.min(self.occupancies[queue as usize]);
            self.deq(cycle, queue, bytes);
        }
        from + 2 * packets
    }

    /// A hot queue is led to a threshold to the byte, from below or from above, and then packets of
    /// 0 bytes halve (w = 1/2) what is left between average and threshold.
    fn close_in(&mut self, from: u64) -> u64 {
        let queue = self.hot[0];
        let mut cycle = from;
        if self.thresholds.is_empty() {
            return from;
        }
        let threshold = self.plan.pick(&self.thresholds);
        if self.plan.chance(1, 2) {
            let above = (threshold + 2 * BYTES_MOST).min(self.occupancy_most);
            cycle = self.lead(cycle, queue, above);
            for _ in 0..4 {
                self.enq(cycle, queue, 0);
                cycle += 1;
            }
        }
        cycle = self.lead(cycle, queue, threshold);
        for _ in 0..CLOSE_IN {
            self.enq(cycle, queue, 0);
            self.deq(cycle, queue, 0);
            cycle += 1;
        }
        cycle
    }

    /// Leads a queue's occupancy to `level` to the byte.
    fn lead(&mut self, from: u64, queue: u64, level: u64) -> u64 {
        let mut cycle = from;
        while self.occupancies[queue as usize] != level {
            let held = self.occupancies[queue as usize];
            if held < level {
                self.enq(cycle, queue, (level - held).min(BYTES_MOST));
            } else {
                self.deq(cycle, queue, (held - level).min(BYTES_MOST));
            }
            cycle += 1;
        }
        cycle
    }

    fn enq(&mut self, cycle: u64, queue: u64, bytes: u64) {
        if let Some(held) = self.occupancies.get_mut(queue as usize) {
            *held = (*held + bytes).min(self.occupancy_most);
        }
        self.out.push(ENQ, cycle, &[queue, bytes]);
    }

    fn deq(&mut self, cycle: u64, queue: u64, bytes: u64) {
        if let Some(held) = self.occupancies.get_mut(queue as usize) {
            *held = held.saturating_sub(bytes);
        }
        let ecn = match self.policy {
            Policy::Red => self.deq_ecn.pick(&[0, 1, 1, 2, 2, 2, 3]),
            Policy::Fecn => self.deq_ecn.pick(&[0, 0, 0, 2, 2, 1, 3]),
        };
        let credits = u64::from(self.deq_credits.chance(3, 4));
        self.out.push(DEQ, cycle, &[queue, bytes, ecn, credits]);
    }

    fn bytes_in(&mut self) -> u64 {
        let any = self.enq_bytes.below(BYTES_MOST + 1);
        self.enq_bytes.pick(&[64, 64, 1082, 4154, 4154, 9216, 9216, 0, any])
    }

    /// A size that leaves without an underflow from a queue that holds so much.
    fn bytes_out(&mut self, held: u64) -> u64 {
        let any = self.deq_bytes.below(BYTES_MOST + 1);
        let size = self.packet_size;
        let sizes = [64, 64, 1082, 4154, 9216, 9216, size, size.saturating_sub(1), held, any];
        self.deq_bytes.pick(&sizes).min(held).min(BYTES_MOST)
    }
}

fn pick(draw: &mut Draw, hot: &[u64], queues: u64, beyond: u64, hot_share: u64) -> u64 {
    if beyond > 0 && draw.chance(1, 256) {
        queues + draw.below(beyond)
    } else if draw.chance(hot_share, 1024) {
        draw.pick(hot)
    } else {
        draw.below(queues)
    }
}
