//! Random legs of `pfc_threshold`, in compressed time: a pool of a few packets, pause times near the
//! shortest legal one, few hot queues that hover around their thresholds to the byte, and cycles in
//! which several causes meet.
//!
//! The generator plays what it makes into a golden model of its own, so that it knows how far a
//! queue is from its threshold and whom the sweep visits next.

use super::cfg::{configure, shortest_half};
use super::core;
use super::model::{Model, input, output};
use crate::Golden;
use crate::attributes::{AttributeSet, Value};
use crate::random::Draw;
use crate::scenario::Leg;
use crate::stimulus::Stimulus;
use Value::{Integer, Name, Real};
use congruent_ports::ParamSet;
use congruent_ports::pfc_threshold::{BLOCK, LARGEST_BYTES, PRIORITIES};

/// Input channels by position in the table.
pub(super) const ENQ: usize = 0;
pub(super) const DEQ: usize = 1;
pub(super) const PEEK: usize = 2;

/// Queues below which a round of the sweep is much shorter than any pause.
const SHORT_ROUND: u64 = 8;

/// Attributes that legs take turns in, so that no row of coverage is left to chance.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Turn {
    /// Dynamic with this Beta.
    Beta(f64),
    /// Dynamic with any Beta and no hysteresis.
    NoOffset,
    /// Dynamic with a ResumeOffset that t_PFC never reaches.
    LargeOffset,
    /// Static, thresholds near the pool's end.
    StaticHigh,
    /// Static, thresholds of a packet or less, one byte apart.
    StaticLow,
}

const TURNS: [Turn; 8] = [
    Turn::Beta(8.0),
    Turn::StaticLow,
    Turn::Beta(1.0 / 128.0),
    Turn::NoOffset,
    Turn::Beta(128.0),
    Turn::StaticHigh,
    Turn::Beta(1.0),
    Turn::LargeOffset,
];

/// Leg number `leg` of the random run of `seed`, about `cycles` long.
pub fn leg(seed: u64, leg: u64, cycles: u64, params: &ParamSet) -> Leg {
    let name = |field: &str| format!("pfc_threshold/{leg}/{field}");
    let attributes = attributes(&mut Draw::new(seed, &name("attributes")), leg, params);
    let model = Model::new(&attributes, params)
        .unwrap_or_else(|e| panic!("a drawn combination is refused: {e}"));
    let stimulus = Traffic::new(seed, &name, model, params).play(cycles);
    Leg { attributes, stimulus }
}

fn attributes(draw: &mut Draw, leg: u64, params: &ParamSet) -> AttributeSet {
    // Table sizes begin at other turns, so that a few legs of each go through all of them.
    let shift = 3 * u64::from((params.get("QUEUES") as u64).ilog2());
    let turn = TURNS[((leg + shift) % TURNS.len() as u64) as usize];
    let most = bytes_most(params);
    let queues = params.get("QUEUES") as u64;
    let packets = draw.pick(&[3, 8, 20, 40]);
    let pool = (packets * most).max(2 * queues) + draw.below(1000);
    let headroom = draw.pick(&[2 * most, 2 * most, most, most / 2, 100, 0]);
    let (any_beta, any_offset) = (draw.real() * 16.0, draw.below(most));
    let any_xoff = draw.between(1, most);
    let beta = match turn {
        Turn::Beta(beta) => beta,
        Turn::NoOffset => draw.pick(&[8.0, 4.0, 2.5, any_beta.max(1.0 / 128.0)]),
        _ => 8.0,
    };
    let offset = match turn {
        Turn::NoOffset => 0,
        Turn::LargeOffset => pool + 1,
        _ => draw.pick(&[0, most / 8, most / 2, 1, any_offset]),
    };
    let xoff = match turn {
        Turn::StaticHigh => pool - most / 2,
        _ => draw.pick(&[1, 100, most / 4, most, any_xoff]),
    };
    let xon = match turn {
        Turn::StaticHigh => draw.pick(&[xoff - 1, xoff / 2, 0]),
        _ => xoff - 1,
    };
    let mode = match turn {
        Turn::StaticHigh | Turn::StaticLow => "static",
        _ => "dynamic",
    };
    let changes = [
        ("buffer_bytes", Integer((pool + PRIORITIES * headroom).min(LARGEST_BYTES))),
        ("ports", Integer(1)),
        ("headroom_bytes", Integer(headroom)),
        ("mode", Name(mode)),
        ("beta", Real(beta)),
        ("resume_offset", Integer(offset)),
        ("static_xoff", Integer(xoff)),
        ("static_xon", Integer(xon)),
    ];
    let set = AttributeSet::defaults(&BLOCK).with(&changes);
    // At 128 Gbps and 500 MHz half a quantum is one cycle.
    let shortest = shortest_half(params);
    let target = draw.pick(&[shortest, shortest, shortest + 1, shortest + 20, 2 * shortest]);
    let rate = draw.pick(&[128.0, 128.0, 100.0, 40.0, 400.0]);
    let quanta = (target as f64 * rate / 128.0).ceil().min(65_535.0) as u64;
    let drawn = set.clone().with(&pause_time(rate, quanta));
    if configure(&drawn, params).is_ok() { drawn } else { set.with(&pause_time(128.0, shortest)) }
}

fn pause_time(rate: f64, quanta: u64) -> [(&'static str, Value); 2] {
    [("data_rate", Real(rate)), ("pause_quanta", Integer(quanta))]
}

/// Largest size of a packet, bytes.
fn bytes_most(params: &ParamSet) -> u64 {
    (1 << params.get("BYTES_W")) - 1
}

/// What the traffic of a stretch is like: chances in 1024ths.
#[derive(Debug, Clone, Copy)]
struct Mood {
    enq: u64,
    deq: u64,
    /// Chance that a queue is one of the hot ones.
    hot: u64,
    /// Chance that a packet larger than its queue leaves.
    underflow: u64,
}

/// A queue and a packet's bytes.
type Packet = Option<(u64, u64)>;

struct Traffic {
    plan: Draw,
    enq_when: Draw,
    enq_queue: Draw,
    enq_bytes: Draw,
    deq_when: Draw,
    deq_queue: Draw,
    deq_bytes: Draw,
    peek_when: Draw,
    peek_queue: Draw,
    queues: u64,
    beyond: u64,
    most: u64,
    model: Model,
    inputs: [u64; input::WORDS],
    outputs: [u64; output::WORDS],
    cycle: u64,
    hot: Vec<u64>,
    out: Stimulus,
}

impl Traffic {
    fn new(seed: u64, name: &dyn Fn(&str) -> String, model: Model, params: &ParamSet) -> Self {
        let draw = |field: &str| Draw::new(seed, &name(field));
        let queues = params.get("QUEUES") as u64;
        Self {
            plan: draw("plan"),
            enq_when: draw("enq.when"),
            enq_queue: draw("enq.queue"),
            enq_bytes: draw("enq.bytes"),
            deq_when: draw("deq.when"),
            deq_queue: draw("deq.queue"),
            deq_bytes: draw("deq.bytes"),
            peek_when: draw("peek.when"),
            peek_queue: draw("peek.queue"),
            queues,
            beyond: (1 << params.get("QUEUE_W")) - queues,
            most: bytes_most(params),
            model,
            inputs: [0; input::WORDS],
            outputs: [0; output::WORDS],
            cycle: 0,
            hot: vec![0],
            out: Stimulus::new(&BLOCK),
        }
    }

    fn play(mut self, cycles: u64) -> Stimulus {
        // A queue is paused before the first wrap of the time, all of them where thresholds are low.
        self.approach(0);
        self.everywhere();
        while self.cycle < cycles {
            let hot = self.plan.between(1, 3);
            self.hot = (0..hot).map(|_| self.plan.below(self.queues)).collect();
            let length = self.plan.between(10, 120);
            let busy = Mood { enq: 900, deq: 900, hot: 960, underflow: 8 };
            match self.plan.below(18) {
                0..3 => self.stretch(length, busy),
                3 => self.stretch(length, Mood { enq: 1024, deq: 1024, hot: 1024, ..busy }),
                4 => self.stretch(length, Mood { hot: 0, ..busy }),
                5 => self.stretch(length / 4, Mood { underflow: 300, ..busy }),
                6 | 7 => self.back_and_forth(length / 2),
                8 | 9 | 15 | 16 => self.hit_thresholds(),
                10 => self.brim(),
                11 => self.fill_headroom(),
                12 => self.relief(),
                13 => self.ambush(),
                14 => self.empty(),
                _ => self.rest(),
            }
        }
        self.out.cycles = self.out.cycles.max(self.cycle);
        self.out
    }

    /// One cycle, into the stimulus and into the model; now and then with a peek.
    fn tick(&mut self, deq: Packet, enq: Packet) {
        self.inputs = [0; input::WORDS];
        if let Some((queue, bytes)) = deq {
            self.out.push(DEQ, self.cycle, &[queue, bytes]);
            self.inputs[input::DEQ_VALID..=input::DEQ_BYTES].copy_from_slice(&[1, queue, bytes]);
        }
        if let Some((queue, bytes)) = enq {
            self.out.push(ENQ, self.cycle, &[queue, bytes]);
            self.inputs[input::ENQ_VALID..=input::ENQ_BYTES].copy_from_slice(&[1, queue, bytes]);
        }
        if self.peek_when.chance(12, 1024) && self.model.takes_peek() {
            let queue = pick(&mut self.peek_queue, &self.hot, self.queues, self.beyond, 512);
            self.out.push(PEEK, self.cycle, &[queue]);
            self.inputs[input::PEEK_VALID..=input::PEEK_QUEUE].copy_from_slice(&[1, queue]);
        }
        self.model.step(&self.inputs, &mut self.outputs);
        self.cycle += 1;
    }

    fn paused(&self, queue: u64) -> bool {
        self.model.queue(queue as usize).paused
    }

    fn room(&self) -> u64 {
        core::free(self.model.cfg(), self.model.s())
    }

    /// The fewest bytes that pause a queue that is not, behind a deq in the same cycle.
    fn bytes_to_xoff(&self, queue: u64, deq: Packet) -> Option<u64> {
        let cfg = self.model.cfg();
        let mut s = self.model.s();
        let mut state = *self.model.queue(queue as usize);
        if let Some((at, bytes)) = deq {
            let mut other = *self.model.queue(at as usize);
            let left = if at == queue { &mut state } else { &mut other };
            core::dequeue(cfg, left, &mut s, bytes);
        }
        let most = self.most.min(core::free(cfg, s));
        let pauses = |bytes| core::above_xoff(cfg, state.q + bytes, s + bytes);
        (!state.paused).then(|| least(most, pauses)).flatten()
    }

    /// The fewest bytes whose departure resumes a paused queue.
    fn bytes_to_resume(&self, queue: u64) -> Option<u64> {
        let cfg = self.model.cfg();
        let state = *self.model.queue(queue as usize);
        let resumes = |bytes| {
            let (mut state, mut s) = (state, self.model.s());
            core::dequeue(cfg, &mut state, &mut s, bytes).resume
        };
        let most = self.most.min(state.h + state.q);
        state.paused.then(|| least(most, resumes)).flatten()
    }

    /// Fills a queue until it is paused, as far as the pool goes, by as little as it takes at the end.
    fn approach(&mut self, queue: u64) {
        for _ in 0..64 {
            if self.paused(queue) {
                return;
            }
            let bytes = self.bytes_to_xoff(queue, None).unwrap_or(self.most.min(self.room()));
            if bytes == 0 && !core::above_xoff(self.model.cfg(), 0, self.model.s()) {
                return;
            }
            self.tick(None, Some((queue, bytes)));
        }
    }

    /// Every queue in turn, paused where one packet does it.
    fn everywhere(&mut self) {
        for queue in 0..self.queues {
            if let Some(bytes) = self.bytes_to_xoff(queue, None) {
                self.tick(None, Some((queue, bytes)));
            }
        }
    }

    fn stretch(&mut self, length: u64, mood: Mood) {
        // Filling, or draining.
        let fills = self.plan.chance(1, 2);
        for _ in 0..length {
            let deq = self.deq_when.chance(if fills { mood.deq / 2 } else { mood.deq }, 1024);
            let deq = deq.then(|| {
                let queue =
                    pick(&mut self.deq_queue, &self.hot, self.queues, self.beyond, mood.hot);
                (queue, self.bytes_out(queue, mood.underflow))
            });
            let enq = self.enq_when.chance(if fills { mood.enq } else { mood.enq / 2 }, 1024);
            let enq = enq.then(|| {
                let queue =
                    pick(&mut self.enq_queue, &self.hot, self.queues, self.beyond, mood.hot);
                (queue, self.bytes_in(queue))
            });
            self.tick(deq, enq);
        }
    }

    /// A queue resumes and another one, or the same, is paused in every cycle: the queue of pauses
    /// runs full.
    fn back_and_forth(&mut self, length: u64) {
        let from = self.hot[0];
        let to = self.hot[self.hot.len() - 1];
        self.approach(from);
        for n in 0..length {
            let (out, back) = if n % 2 == 0 { (from, to) } else { (to, from) };
            let deq = self.bytes_to_resume(out).unwrap_or(self.most.min(self.held(out)));
            let deq = Some((out, deq));
            let enq = self.bytes_to_xoff(back, deq).map(|bytes| (back, bytes));
            self.tick(deq, enq);
        }
    }

    /// A queue at its thresholds to the byte, and one byte on either side.
    fn hit_thresholds(&mut self) {
        let queue = self.hot[0];
        for _ in 0..4 {
            for _ in 0..8 {
                let Some(bytes) = self.bytes_to_xoff(queue, None) else { break };
                // One byte short, and then that byte.
                let short = self.enq_bytes.below(3).min(bytes);
                self.tick(None, Some((queue, bytes - short)));
            }
            self.approach(queue);
            for _ in 0..8 {
                if !self.paused(queue) {
                    break;
                }
                let bytes = match self.bytes_to_resume(queue) {
                    Some(bytes) => bytes - self.deq_bytes.below(3).min(bytes),
                    None => self.most.min(self.held(queue)),
                };
                self.tick(Some((queue, bytes)), None);
            }
            // The parity of q against s changes.
            self.tick(None, Some((self.hot[self.hot.len() - 1], 1)));
        }
    }

    /// The pool filled to its last byte by queues that are not paused, and a packet on top.
    fn brim(&mut self) {
        for _ in 0..80 {
            let queue = self.enq_queue.below(self.queues);
            if self.paused(queue) {
                // Makes room for another attempt where all are paused.
                let bytes = self.bytes_to_resume(queue).unwrap_or(0);
                self.tick(Some((queue, bytes)), None);
                continue;
            }
            let room = self.room();
            let xoff = self.bytes_to_xoff(queue, None);
            let beyond = room + 1 + self.enq_bytes.below(64);
            let bytes = if beyond <= self.most && self.enq_bytes.chance(1, 2) {
                beyond
            } else if room <= self.most && self.enq_bytes.chance(3, 4) {
                room
            } else {
                xoff.map_or(self.most, |bytes| bytes.saturating_sub(1))
            };
            self.tick(None, Some((queue, bytes)));
        }
    }

    /// A paused queue's headroom filled to the last byte, and a packet on top.
    fn fill_headroom(&mut self) {
        let queue = self.hot[0];
        self.approach(queue);
        for _ in 0..8 {
            let state = self.model.queue(queue as usize);
            if !state.paused {
                return;
            }
            let left = self.model.cfg().headroom_bytes - state.h;
            let bytes = if left == 0 { 1 + self.enq_bytes.below(99) } else { left.min(self.most) };
            let bytes = if self.enq_bytes.chance(1, 8) { self.most } else { bytes };
            self.tick(None, Some((queue, bytes)));
        }
    }

    /// Some queues are paused, then the first one drains: the sweep resumes the others, while yet
    /// another one is paused in the same cycle.
    fn relief(&mut self) {
        let first = self.plan.below(self.queues);
        self.approach(first);
        for _ in 0..3 {
            let queue = self.plan.below(self.queues);
            self.approach(queue);
        }
        for _ in 0..24 + self.queues.min(256) {
            let visited = self.model.next_visit().filter(|at| {
                core::may_resume(self.model.cfg(), self.model.queue(*at), self.model.s())
            });
            let enq = visited.and_then(|visited| {
                let others = [(); 4].map(|()| self.enq_queue.below(self.queues));
                let other = others.into_iter().find(|queue| *queue != visited as u64)?;
                self.bytes_to_xoff(other, None).map(|bytes| (other, bytes))
            });
            let held = self.held(first);
            let deq = (held > 0 && enq.is_none() && self.deq_when.chance(1, 2))
                .then(|| (first, self.most.min(held)));
            self.tick(deq, enq);
        }
    }

    /// A paused queue resumes just when the sweep comes by with a refresh due: by its own departure,
    /// or, where a round is so short that the sweep would hardly ever do both, by another's.
    fn ambush(&mut self) {
        let queue = self.hot[0];
        let other = (2..SHORT_ROUND).contains(&self.queues).then(|| (queue + 1) % self.queues);
        let other = other.filter(|_| self.plan.chance(1, 2));
        if let Some(other) = other {
            self.approach(other);
        }
        self.approach(queue);
        for _ in 0..2 * (self.model.cfg().half + self.queues) {
            let state = self.model.queue(queue as usize);
            if !state.paused {
                return;
            }
            let due = self.model.cfg().time.reached(self.model.now(), state.deadline);
            if due && self.model.next_visit() == Some(queue as usize) {
                let deq = match other {
                    Some(other) => Some((other, self.most.min(self.held(other)))),
                    None => self.bytes_to_resume(queue).map(|bytes| (queue, bytes)),
                };
                self.tick(deq, None);
                return;
            }
            self.tick(None, None);
        }
    }

    /// Hot queues, and some others, drained to nothing.
    fn empty(&mut self) {
        let others = (0..8).map(|_| self.deq_queue.below(self.queues)).collect::<Vec<_>>();
        for queue in self.hot.clone().into_iter().chain(others) {
            for _ in 0..50 {
                let held = self.held(queue);
                if held == 0 {
                    break;
                }
                self.tick(Some((queue, self.most.min(held))), None);
            }
        }
    }

    /// Nothing but the sweep and its refreshes.
    fn rest(&mut self) {
        for _ in 0..self.plan.below(2 * self.model.cfg().half.min(400)) {
            self.tick(None, None);
        }
    }

    fn held(&self, queue: u64) -> u64 {
        let state = self.model.queue(queue as usize);
        state.q + state.h
    }

    fn bytes_in(&mut self, queue: u64) -> u64 {
        let any = self.enq_bytes.below(self.most + 1);
        let size = self.enq_bytes.pick(&[64, 64, 1082, 4154, 9216, 9216, 0, any]);
        if queue < self.queues && self.enq_bytes.chance(1, 4) {
            return self.bytes_to_xoff(queue, None).unwrap_or(size).min(self.most);
        }
        size.min(self.most)
    }

    fn bytes_out(&mut self, queue: u64, underflow: u64) -> u64 {
        let any = self.deq_bytes.below(self.most + 1);
        let size = self.deq_bytes.pick(&[64, 64, 1082, 4154, 9216, 9216, any]).min(self.most);
        if queue >= self.queues {
            return size;
        }
        let held = self.held(queue);
        if self.deq_bytes.chance(underflow, 1024) {
            return (held + 1 + self.deq_bytes.below(64)).min(self.most);
        }
        if self.deq_bytes.chance(1, 4) {
            return self.bytes_to_resume(queue).unwrap_or(size.min(held));
        }
        size.min(held)
    }
}

/// The least number up to `most` that a condition holds for, which holds for every larger one too.
fn least(most: u64, holds: impl Fn(u64) -> bool) -> Option<u64> {
    if !holds(most) {
        return None;
    }
    let (mut low, mut high) = (0, most);
    while low < high {
        let middle = (low + high) / 2;
        if holds(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Some(low)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_is_found() {
        for most in 0..20 {
            for from in 0..25 {
                let expected = (from <= most).then_some(from);
                assert_eq!(least(most, |n| n >= from), expected, "{from} of {most}");
            }
        }
    }

    #[test]
    fn every_leg_is_legal_and_its_packets_fit() {
        for set in BLOCK.builds {
            let params = set.params(&BLOCK);
            for n in 0..2 * TURNS.len() as u64 {
                let leg = leg(3, n, 300, &params);
                configure(&leg.attributes, &params).expect("legal");
                for channel in [ENQ, DEQ] {
                    let stream = &leg.stimulus.streams[channel];
                    for beat in 0..stream.len() {
                        assert!(stream.payload(beat)[1] <= bytes_most(&params));
                    }
                }
            }
        }
    }
}
