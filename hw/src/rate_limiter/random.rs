//! Random legs of `rate_limiter`, in compressed time: intervals near their legal minimum, few hot
//! queue pairs, storms, bursts and same-cycle collisions, attributes drawn at their ends.

use super::cfg::{configure, shortest_half};
use super::dcqcn;
use crate::attributes::{AttributeSet, Value};
use crate::random::Draw;
use crate::scenario::Leg;
use crate::stimulus::Stimulus;
use congruent_ports::ParamSet;
use congruent_ports::rate_limiter::{BLOCK, BYTES_W};

/// Input channels by position in the table.
pub(super) const CNP: usize = 0;
pub(super) const REQ: usize = 1;
pub(super) const PEEK: usize = 2;

pub(super) type Change = (&'static str, Value);

/// Attributes that take turns, so that no row of coverage is left to chance.
const TURNS: &[&[Change]] = &[
    &[],
    &[("minimum_rate_percentage", Value::Real(1.0)), K0],
    &[("fast_recovery_attempt", Value::Integer(0))],
    &[
        ("fast_recovery_attempt", Value::Integer(15)),
        K0,
        ("congestion_probability_weight", Value::Real(0.25)),
    ],
    &[("congestion_probability_weight", Value::Real(0.0)), ("estimate_init", Value::Real(0.3)), K1],
    &[("congestion_probability_weight", Value::Real(1.0))],
    &[("enable_ecn", Value::Bool(false))],
    &[
        ("data_rate", Value::Real(1.0)),
        ("clock_mhz", Value::Real(100.0)),
        ("minimum_rate_percentage", Value::Real(0.5)),
    ],
    &[("data_rate", Value::Real(25.0))],
    &[("data_rate", Value::Real(100.0))],
    &[("data_rate", Value::Real(200.0))],
    &[("data_rate", Value::Real(800.0))],
    &[("data_rate", Value::Real(1600.0))],
    &[("fast_recovery_attempt", Value::Integer(1)), K1],
    &[("minimum_rate_percentage", Value::Real(0.9)), K0],
];
const K0: Change = ("num_of_control_loops_per_increase", Value::Integer(0));
const K1: Change = ("num_of_control_loops_per_increase", Value::Integer(1));

/// Leg number `leg` of the random run of `seed`, about `cycles` long.
pub fn leg(seed: u64, leg: u64, cycles: u64, params: &ParamSet) -> Leg {
    let name = |field: &str| format!("rate_limiter/{leg}/{field}");
    let mut draw = Draw::new(seed, &name("attributes"));
    let (attributes, tempo) = if params.get("DCQCN") == 1 {
        let fits = |set: &AttributeSet| dcqcn::random::has_room(set, params);
        let turns = dcqcn::random::TURNS;
        let set = attributes(&mut draw, leg, turns, fits, |draw, turn| {
            dcqcn::random::draw_attributes(draw, turn, params)
        });
        let tempo = dcqcn::random::tempo(&set, params);
        (set, tempo)
    } else {
        let fits = |set: &AttributeSet| configure(set, params).is_ok();
        let set = attributes(&mut draw, leg, TURNS, fits, |draw, turn| {
            draw_attributes(draw, turn, params)
        });
        let interval = set.real("control_interval_duration_ns");
        let half = (interval * set.real("clock_mhz") / 2000.0) as u64;
        (set, Tempo { half, cnps_in_a_row: u64::MAX })
    };
    let stimulus = Traffic::new(seed, &name, tempo, params).play(cycles);
    Leg { attributes, stimulus }
}

/// How fast things happen under a leg's attributes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tempo {
    /// Half a control interval, or what the reaction point has in its place, cycles.
    pub half: u64,
    /// The longest stretch with a CNP in every cycle.
    pub cnps_in_a_row: u64,
}

/// Draws until the attributes fit the parameters, each leg its turn.
fn attributes(
    draw: &mut Draw,
    leg: u64,
    turns: &[&[Change]],
    fits: impl Fn(&AttributeSet) -> bool,
    draw_attributes: impl Fn(&mut Draw, &[Change]) -> AttributeSet,
) -> AttributeSet {
    let mut turn = leg as usize;
    // Not every turn is legal with every TIME_W: a slow line holds packets for long.
    for attempt in 0.. {
        let set = draw_attributes(draw, turns[turn % turns.len()]);
        if fits(&set) {
            return set;
        }
        turn += usize::from(attempt % 32 == 31);
        if attempt > 32 * turns.len() {
            break;
        }
    }
    AttributeSet::defaults(&BLOCK)
}

fn draw_attributes(draw: &mut Draw, turn: &[Change], params: &ParamSet) -> AttributeSet {
    let clock = draw.pick(&[100.0, 250.0, 500.0, 1000.0, 2000.0]);
    let shortest = shortest_half(params);
    let half = shortest + draw.pick(&[0, 0, 1, 7, 64, shortest, 3 * shortest]);
    let odd = u64::from(draw.chance(1, 2));
    let interval = ((2 * half - odd) as f64 * 1000.0 / clock).max(100.0);
    let (real, small, any) = (draw.real(), draw.below(16), draw.below(256));
    let changes = [
        ("clock_mhz", Value::Real(clock)),
        ("control_interval_duration_ns", Value::Real(interval)),
        ("data_rate", Value::Real(draw.pick(&[25.0, 100.0, 200.0, 400.0, 400.0, 800.0]))),
        ("congestion_probability_weight", Value::Real(draw.pick(&[0.5, 0.5, 0.1, 0.9, real]))),
        ("fast_recovery_attempt", Value::Integer(draw.pick(&[1, 2, 3, 3, small]))),
        ("initial_target_rate_percentage", Value::Real(draw.pick(&[0.9, 0.5, 0.0, 1.0]))),
        ("number_active_increase_steps", Value::Integer(draw.pick(&[10, 1, 3, 255]))),
        ("num_of_control_loops_per_increase", Value::Integer(draw.pick(&[0, 1, 2, 5, 20, any]))),
        ("minimum_rate_percentage", Value::Real(draw.pick(&[0.1, 0.1, 0.02, 0.5, 0.9]))),
        ("estimate_init", Value::Real(draw.pick(&[0.0, 0.0, 1.0, 0.3]))),
        ("pacing_slack", Value::Integer(draw.pick(&[1, 1, 0, 2, 63, small]))),
    ];
    AttributeSet::defaults(&BLOCK).with(&changes).with(turn)
}

/// What the traffic of a stretch is like: chances of a beat in a cycle, in 1024ths.
#[derive(Debug, Clone, Copy)]
struct Mood {
    cnp: u64,
    req: u64,
    /// Chance that a queue pair is one of the hot ones.
    hot: u64,
    /// Whether the stretch begins with a CNP for every queue pair in turn.
    storm: bool,
}

struct Traffic {
    plan: Draw,
    cnp_when: Draw,
    cnp_qp: Draw,
    req_when: Draw,
    req_qp: Draw,
    req_bytes: Draw,
    peek_when: Draw,
    peek_qp: Draw,
    qps: u64,
    beyond: u64,
    tempo: Tempo,
    half_wrap: u64,
    hot: Vec<u64>,
    out: Stimulus,
}

impl Traffic {
    fn new(seed: u64, name: &dyn Fn(&str) -> String, tempo: Tempo, params: &ParamSet) -> Self {
        let draw = |field: &str| Draw::new(seed, &name(field));
        let qps = params.get("QPS") as u64;
        Self {
            plan: draw("plan"),
            cnp_when: draw("cnp.when"),
            cnp_qp: draw("cnp.qp"),
            req_when: draw("req.when"),
            req_qp: draw("req.qp"),
            req_bytes: draw("req.bytes"),
            peek_when: draw("peek.when"),
            peek_qp: draw("peek.qp"),
            qps,
            beyond: (1 << params.get("QP_W")) - qps,
            tempo,
            half_wrap: 1 << (params.get("TIME_W") - 1),
            hot: vec![0],
            out: Stimulus::new(&BLOCK),
        }
    }

    fn play(mut self, cycles: u64) -> Stimulus {
        let mut cycle = self.plan.below(8);
        let mut first = true;
        while cycle < cycles {
            let hot = self.plan.between(1, 3);
            self.hot = (0..hot).map(|_| self.plan.below(self.qps)).collect();
            let (mood, length) = self.mood(cycles - cycle, first);
            first = false;
            cycle = self.stretch(cycle, length, mood);
        }
        self.out.cycles = self.out.cycles.max(cycle);
        self.out
    }

    /// The first stretch of a leg is never a quiet one: some of those outlast a whole leg, and
    /// then nothing would happen under its attributes.
    fn mood(&mut self, left: u64, first: bool) -> (Mood, u64) {
        let Tempo { half, cnps_in_a_row } = self.tempo;
        let busy = Mood { cnp: 512, req: 896, hot: 900, storm: false };
        let quiet = Mood { cnp: 0, req: 256, hot: 512, storm: false };
        match self.plan.below(if first { 7 } else { 10 }) {
            0 | 1 => (busy, self.plan.between(1, 3 * half)),
            2 => {
                let length = self.plan.between(1, half.min(cnps_in_a_row));
                (Mood { cnp: 1024, req: 1024, hot: 1024, ..busy }, length)
            }
            3 | 4 => (Mood { cnp: 24, req: 300, ..busy }, self.plan.between(half, 8 * half)),
            5 => (Mood { storm: true, ..quiet }, self.plan.between(half, 4 * half)),
            6 => {
                (Mood { storm: true, cnp: 200, hot: 0, ..busy }, self.plan.between(half, 4 * half))
            }
            7 => (quiet, self.plan.between(half, 24 * half)),
            8 => (Mood { cnp: 64, hot: 1000, ..quiet }, self.plan.between(1, 4 * half)),
            _ if 2 * self.half_wrap < left => {
                (Mood { cnp: 0, req: 0, ..quiet }, self.half_wrap + self.plan.below(self.half_wrap))
            }
            _ => (busy, self.plan.between(1, half)),
        }
    }

    fn stretch(&mut self, from: u64, length: u64, mood: Mood) -> u64 {
        let storm = if mood.storm { self.qps } else { 0 };
        for qp in 0..storm {
            self.out.push(CNP, from + qp, &[qp]);
        }
        for cycle in from..from + storm + length {
            if cycle >= from + storm && self.cnp_when.chance(mood.cnp, 1024) {
                let qp = queue_pair(&mut self.cnp_qp, &self.hot, self.qps, self.beyond, mood.hot);
                self.out.push(CNP, cycle, &[qp]);
            }
            if self.req_when.chance(mood.req, 1024) {
                let qp = queue_pair(&mut self.req_qp, &self.hot, self.qps, self.beyond, mood.hot);
                let bytes = bytes(&mut self.req_bytes);
                self.out.push(REQ, cycle, &[qp, bytes]);
            }
            if self.peek_when.chance(4, 1024) {
                let qp = queue_pair(&mut self.peek_qp, &self.hot, self.qps, self.beyond, 512);
                self.out.push(PEEK, cycle, &[qp]);
            }
        }
        from + storm + length
    }
}

fn queue_pair(draw: &mut Draw, hot: &[u64], qps: u64, beyond: u64, hot_share: u64) -> u64 {
    if beyond > 0 && draw.chance(1, 256) {
        qps + draw.below(beyond)
    } else if draw.chance(hot_share, 1024) {
        draw.pick(hot)
    } else {
        draw.below(qps)
    }
}

fn bytes(draw: &mut Draw) -> u64 {
    let any = draw.between(1, (1 << BYTES_W) - 1);
    if draw.chance(1, 128) { 0 } else { draw.pick(&[64, 64, 64, 1082, 4154, 4154, 9216, any]) }
}
