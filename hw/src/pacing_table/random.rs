//! Random legs of `pacing_table`, in compressed time: periods near their legal minimum, few hot
//! destinations, storms of new ones, bursts and same-cycle collisions, attributes at their ends.
//!
//! A leg is drawn beside a running golden model, as a driver would play it: a head is offered only
//! where its queue can take it soon, and events are aimed at what the model is about to do (an entry
//! that the sweep is about to serve, the next victim). So a table of 1024 meets the same hazards as
//! one of 4.

use super::cfg::{TIMER_UNIT_US, configure};
use super::core::{Cfg, Row};
use super::model::{Model, input, output};
use super::timing::Figures;
use super::{BECN, CCT, HEAD, PEEK};
use crate::Golden;
use crate::attributes::{AttributeSet, Value};
use crate::random::Draw;
use crate::scenario::Leg;
use crate::stimulus::Stimulus;
use congruent_ports::ParamSet;
use congruent_ports::pacing_table::{BLOCK, BYTES_W, MULTIPLIER_W, SMALL_ENTRIES};

type Change = (&'static str, Value);

/// What the CCT is loaded with at the start of a leg.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Load {
    /// The linear table of init stays.
    Nothing,
    /// Shifts and small multipliers as they come.
    Mixed,
    /// Shift 0 and the largest multiplier in every row.
    Largest,
}

/// A leg's attributes that are not left to chance, and its CCT.
type Turn = (&'static [Change], Load);

/// Turns that legs take, so that no row of coverage is left to chance.
const TURNS: &[Turn] = &[
    (&[], Load::Nothing),
    (&[REARM, INCREASE_1], Load::Mixed),
    (&[SKIP, ("ccti_increase", Value::Integer(2)), ("ccti_limit", Value::Integer(3))], Load::Mixed),
    (&[MTU, ("trigger_threshold", Value::Integer(1))], Load::Mixed),
    (
        &[("ccti_min", Value::Integer(1)), ("ccti_limit", Value::Integer(4)), INCREASE_1],
        Load::Mixed,
    ),
    (&[TIMER_0, ("pacing_slack", Value::Integer(0))], Load::Mixed),
    (&[TIMER_1, LIMIT_1, INCREASE_1], Load::Mixed),
    (
        &[SATURATE, ("ccti_increase", Value::Integer(255)), ("ccti_limit", Value::Integer(2))],
        Load::Nothing,
    ),
    (
        &[SKIP, ("ccti_increase", Value::Integer(5)), ("ccti_limit", Value::Integer(4))],
        Load::Nothing,
    ),
    (&[LIMIT_1, INCREASE_1, FAST_LINE], Load::Largest),
    (&[LIMIT_1, INCREASE_1, FAST_LINE, MTU, LARGE_MTU], Load::Largest),
    (&[LIMIT_1, INCREASE_1, ("data_rate", Value::Real(1.0)), CLOCK_2000, PACKET], Load::Largest),
    (
        &[REARM, ("pacing_slack", Value::Integer(63)), ("ccti_limit", Value::Integer(7))],
        Load::Mixed,
    ),
    (&[("ccti_increase", Value::Integer(0)), ("ccti_min", Value::Integer(1))], Load::Nothing),
];
const REARM: Change = ("timer_mode", Value::Name("rearm"));
const SATURATE: Change = ("increase_mode", Value::Name("saturate"));
const SKIP: Change = ("increase_mode", Value::Name("skip"));
const MTU: Change = ("delay_base", Value::Name("mtu"));
const PACKET: Change = ("delay_base", Value::Name("packet"));
const LARGE_MTU: Change = ("max_packet_bytes", Value::Integer(16_384));
const INCREASE_1: Change = ("ccti_increase", Value::Integer(1));
const LIMIT_1: Change = ("ccti_limit", Value::Integer(1));
const TIMER_0: Change = ("ccti_timer", Value::Integer(0));
const TIMER_1: Change = ("ccti_timer", Value::Integer(1));
const FAST_LINE: Change = ("data_rate", Value::Real(1600.0));
const CLOCK_2000: Change = ("clock_mhz", Value::Real(2000.0));

/// Longest leg, cycles, up to 64 entries and above: short enough that a run has a leg of every turn,
/// long enough that half a wrap passes, or that a large table fills and overflows.
const LONGEST: [u64; 2] = [6_000, 16_000];

/// Leg number `leg` of the random run of `seed`, at most `cycles` long.
pub fn leg(seed: u64, leg: u64, cycles: u64, params: &ParamSet) -> Leg {
    let cycles = cycles.min(LONGEST[usize::from(params.get("ENTRIES") > SMALL_ENTRIES)]);
    let name = |field: &str| format!("pacing_table/{leg}/{field}");
    let mut draw = Draw::new(seed, &name("attributes"));
    let (attributes, load) = attributes(&mut draw, leg, params);
    let stimulus = Traffic::new(seed, &name, &attributes, params)
        .map_or_else(|| Stimulus::new(&BLOCK), |traffic| traffic.play(cycles, load));
    Leg { attributes, stimulus }
}

fn attributes(draw: &mut Draw, leg: u64, params: &ParamSet) -> (AttributeSet, Load) {
    let mut turn = leg as usize;
    // Not every turn is legal with every size and TIME_W.
    for attempt in 0..64 * TURNS.len() {
        let (changes, load) = TURNS[turn % TURNS.len()];
        let set = draw_attributes(draw, changes, params);
        if configure(&set, params).is_ok() {
            return (set, load);
        }
        turn += usize::from(attempt % 64 == 63);
    }
    (AttributeSet::defaults(&BLOCK).with(&[TIMER_0, LIMIT_1]), Load::Nothing)
}

fn draw_attributes(draw: &mut Draw, turn: &[Change], params: &ParamSet) -> AttributeSet {
    let clock = draw.pick(&[100.0, 100.0, 250.0, 500.0, 2000.0]);
    let figures = Figures::of(params);
    let counts = |cycles: u64| (cycles as f64 / (TIMER_UNIT_US * clock)).ceil() as u64;
    let shortest = counts(figures.lateness());
    let (real, any) = (draw.real(), draw.below(64));
    // Long enough that a storm fills the table before the first entry decays.
    let fills = counts(figures.lateness() + params.get("ENTRIES") as u64 * figures.becn_interval);
    let short = [shortest, shortest, shortest + 1, 2 * shortest];
    let long = [fills, fills, fills + 1, 2 * fills];
    let share = if params.get("ENTRIES") > 64 { 3 } else { 2 };
    let timer = if draw.chance(share, 4) { draw.pick(&long) } else { draw.pick(&short) };
    let limit = draw.pick(&[1, 2, 3, 3, 5, 8, 1 + any]).min((1 << params.get("CCTI_W")) - 1);
    let increase = draw.pick(&[1, 1, 1, 2, 3, any]);
    let min = draw.pick(&[0, 0, 0, 0, 1, limit]);
    let threshold = draw.pick(&[0, 1, limit, limit.div_ceil(2)]);
    let rate = draw.pick(&[1600.0, 1600.0, 800.0, 400.0, 100.0 + 1500.0 * real]);
    let changes = [
        ("clock_mhz", Value::Real(clock)),
        ("ccti_increase", Value::Integer(increase)),
        ("ccti_limit", Value::Integer(limit)),
        ("ccti_min", Value::Integer(min)),
        ("ccti_timer", Value::Integer(timer.min(65_535))),
        ("timer_mode", Value::Name(draw.pick(&["running", "rearm"]))),
        ("increase_mode", Value::Name(draw.pick(&["saturate", "saturate", "skip"]))),
        ("trigger_threshold", Value::Integer(threshold)),
        ("data_rate", Value::Real(rate)),
        ("delay_base", Value::Name(draw.pick(&["packet", "packet", "mtu"]))),
        ("max_packet_bytes", Value::Integer(draw.pick(&[64, 1082, 4154, 4154, 10_280]))),
        ("pacing_slack", Value::Integer(draw.pick(&[1, 1, 0, 2, 63, any]))),
    ];
    AttributeSet::defaults(&BLOCK).with(&changes).with(turn)
}

/// What the traffic of a stretch is like: chances in 1024ths.
#[derive(Debug, Clone, Copy)]
struct Mood {
    /// A BECN in a cycle that can take one.
    becn: u64,
    /// Of the BECNs: for a hot destination, for a new one, for the last one again.
    becn_hot: u64,
    becn_new: u64,
    becn_again: u64,
    /// A BECN as soon as the sweep serves an entry, for that one or another.
    aimed: u64,
    /// A head in a cycle.
    head: u64,
    /// Of the heads: for a hot destination, for one that is about to be the victim.
    head_hot: u64,
    head_victim: u64,
    /// grant_ready high in a cycle; 1024: always.
    ready: u64,
}

/// What a stretch is to the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stretch {
    /// There was none.
    First,
    /// Nothing in particular.
    Any,
    /// Nothing happens for more than half a wrap.
    Idle,
    /// The destinations of before are used again.
    Back,
}

const BUSY: Mood = Mood {
    becn: 300,
    becn_hot: 500,
    becn_new: 128,
    becn_again: 96,
    aimed: 200,
    head: 700,
    head_hot: 600,
    head_victim: 200,
    ready: 1024,
};

struct Traffic {
    model: Model,
    cfg: Cfg,
    plan: Draw,
    becn: Draw,
    head: Draw,
    bytes: Draw,
    cct: Draw,
    peek: Draw,
    ready: Draw,
    params: ParamSet,
    entries: u64,
    queues: u64,
    dlid_mask: u64,
    half_wrap: u64,
    hot: Vec<u64>,
    next_new: u64,
    last_becn: u64,
    cycle: u64,
    /// What each channel offers: first cycle of the offer, and the payload.
    offered: [Option<(u64, Vec<u64>)>; 4],
    grant_ready: u64,
    inputs: Vec<u64>,
    outputs: Vec<u64>,
    out: Stimulus,
}

/// Word of the valid bit of each input channel.
const VALID: [usize; 4] =
    [input::BECN_VALID, input::HEAD_VALID, input::CCT_VALID, input::PEEK_VALID];

impl Traffic {
    fn new(
        seed: u64,
        name: &dyn Fn(&str) -> String,
        attributes: &AttributeSet,
        params: &ParamSet,
    ) -> Option<Self> {
        let draw = |field: &str| Draw::new(seed, &name(field));
        Some(Self {
            model: Model::new(attributes, params).ok()?,
            cfg: configure(attributes, params).ok()?,
            plan: draw("plan"),
            becn: draw("becn"),
            head: draw("head"),
            bytes: draw("head.bytes"),
            cct: draw("cct"),
            peek: draw("peek"),
            ready: draw("grant_ready"),
            params: params.clone(),
            entries: params.get("ENTRIES") as u64,
            queues: params.get("QUEUES") as u64,
            dlid_mask: (1 << params.get("DLID_W")) - 1,
            half_wrap: 1 << (params.get("TIME_W") - 1),
            hot: vec![0],
            next_new: 0,
            last_becn: 0,
            cycle: 0,
            offered: Default::default(),
            grant_ready: 1,
            inputs: vec![0; input::WORDS],
            outputs: vec![0; output::WORDS],
            out: Stimulus::new(&BLOCK),
        })
    }

    fn play(mut self, cycles: u64, load: Load) -> Stimulus {
        self.next_new = self.plan.below(1 << 20);
        let mut row = 0;
        let mut stretch = Stretch::First;
        while self.cycle < cycles {
            let (mood, length);
            (stretch, mood, length) = self.mood(cycles - self.cycle, stretch);
            // Destinations that were idle for long must come back: they stay the hot ones.
            if stretch == Stretch::Any {
                let hot = self.plan.between(1, 3);
                self.hot = (0..hot).map(|_| self.any_of_pool()).collect();
            }
            for _ in 0..length {
                self.offer(mood, load);
                if load != Load::Nothing && row <= self.cfg.limit {
                    self.load_row(row, load);
                    row += 1;
                }
                self.step();
                if self.cycle >= cycles {
                    break;
                }
            }
        }
        self.out.cycles = self.out.cycles.max(self.cycle);
        self.out
    }

    /// The first stretch of a leg is a busy one or a storm that fills the table.
    fn mood(&mut self, left: u64, last: Stretch) -> (Stretch, Mood, u64) {
        let quiet = Mood { becn: 8, aimed: 0, head: 200, ..BUSY };
        let fill = self.entries * Figures::of(&self.params).becn_interval;
        let fill = fill + self.plan.below(64) + fill / 8;
        let storm = Mood { becn: 1024, becn_hot: 0, becn_new: 1000, aimed: 0, ..BUSY };
        // A full table whose entries decay while new ones come.
        let pressure = Mood { becn: 200, becn_hot: 50, becn_new: 700, aimed: 900, ..BUSY };
        let victims = Mood { becn: 600, becn_new: 900, head_victim: 900, head_hot: 100, ..BUSY };
        let stays = self.cfg.period == 0 || self.cfg.min > 0;
        if last == Stretch::Idle {
            let back = Mood { becn: 0, aimed: 0, head: 1024, head_hot: 1024, ..BUSY };
            return (Stretch::Back, back, 48);
        }
        // Half a wrap and up to half as much again, and then a packet.
        let room = self.half_wrap + self.half_wrap / 2 + 48;
        if last != Stretch::First && stays && room < left && self.plan.chance(1, 4) {
            let idle = Mood { becn: 0, aimed: 0, head: 0, ..BUSY };
            return (Stretch::Idle, idle, self.half_wrap + self.plan.below(self.half_wrap / 2));
        }
        // The larger the table, the rarer it is full by chance.
        let large = self.entries > SMALL_ENTRIES as u64;
        if last == Stretch::First && large && self.plan.chance(3, 4) {
            return (Stretch::Any, storm, fill);
        }
        if large && self.model.table().is_full() && self.plan.chance(3, 4) {
            let mood = self.plan.pick(&[pressure, victims]);
            return (Stretch::Any, mood, self.plan.between(400, 2_000));
        }
        let choices = if last == Stretch::First { 6 } else { 11 };
        let (mood, length) = match self.plan.below(choices) {
            0 | 1 => (storm, fill),
            2 => (BUSY, self.plan.between(16, 600)),
            3 => (Mood { becn: 900, becn_hot: 900, ..BUSY }, self.plan.between(16, 400)),
            // One destination for all queues.
            4 => (Mood { head: 1024, head_hot: 1024, ..BUSY }, self.plan.between(64, 400)),
            5 => (pressure, self.plan.between(64, 1_200)),
            6 => (Mood { aimed: 800, becn: 2, ..BUSY }, self.plan.between(64, 1_500)),
            7 => (quiet, self.plan.between(64, 1_500)),
            8 => (Mood { ready: 400, head: 1024, ..BUSY }, self.plan.between(16, 300)),
            9 => (
                Mood { ready: 0, becn: 16, head: 1024, head_hot: 0, ..BUSY },
                self.plan.between(16, 60),
            ),
            _ => (victims, self.plan.between(64, 600)),
        };
        (Stretch::Any, mood, length)
    }

    /// A destination by its number; 0 and all ones are among the first.
    fn dlid(&self, number: u64) -> u64 {
        if number == 1 { self.dlid_mask } else { number.wrapping_mul(0x9e37_79b1) & self.dlid_mask }
    }

    /// One of a few more destinations than there are entries, the first of them more often.
    fn any_of_pool(&mut self) -> u64 {
        let few = self.plan.pick(&[2, 8, self.entries + 2]);
        let number = self.plan.below(few);
        self.dlid(number)
    }

    fn new_dlid(&mut self) -> u64 {
        self.next_new += 1;
        self.dlid(self.next_new)
    }

    fn offer(&mut self, mood: Mood, load: Load) {
        if self.offered[BECN].is_none() {
            let dlid = self.becn_dlid(mood);
            self.offered[BECN] = dlid.map(|dlid| (self.cycle, vec![dlid]));
        }
        if self.offered[HEAD].is_none() && self.head.chance(mood.head, 1024) {
            let payload = self.head_payload(mood);
            self.offered[HEAD] = payload.map(|payload| (self.cycle, payload));
        }
        if self.offered[PEEK].is_none() && self.peek.chance(6, 1024) {
            let beyond = (1 << self.params.get("INDEX_W")) - self.entries;
            let index = if beyond > 0 && self.peek.chance(1, 8) {
                self.entries + self.peek.below(beyond)
            } else {
                self.peek.below(self.entries)
            };
            self.offered[PEEK] = Some((self.cycle, vec![index]));
        }
        if self.cct.chance(2, 1024) {
            let row = self.cct.below(self.cfg.limit + 1);
            self.load_row(row, load);
        }
        let ready = match mood.ready {
            1024 => 1,
            part => u64::from(self.ready.chance(part, 1024)),
        };
        if ready != self.grant_ready {
            self.out.control(0, self.cycle, ready);
            self.grant_ready = ready;
        }
    }

    fn becn_dlid(&mut self, mood: Mood) -> Option<u64> {
        let takes = self.model.takes_becn();
        // Now and then one waits for becn_ready.
        if !takes && !self.becn.chance(1, 8) {
            return None;
        }
        let aims = takes && self.becn.chance(mood.aimed, 1024);
        let dlid = if let Some(dlid) = aims.then(|| self.aimed_at()).flatten() {
            dlid
        } else if !self.becn.chance(mood.becn, 1024) {
            return None;
        } else if self.becn.chance(mood.becn_again, 1024) {
            self.last_becn
        } else if self.becn.chance(mood.becn_new, 1024) {
            self.new_dlid()
        } else if self.becn.chance(mood.becn_hot, 1024) {
            self.becn.pick(&self.hot)
        } else {
            let number = self.becn.below(self.entries + 2);
            self.dlid(number)
        };
        self.last_becn = dlid;
        Some(dlid)
    }

    /// A BECN for an entry that the sweep serves in this cycle, or a miss beside it; or one for an
    /// entry whose period is over while the sweep has not come to it.
    fn aimed_at(&mut self) -> Option<u64> {
        let now = self.model.about_to_serve().copied();
        if let Some(served) = now {
            let miss = self.model.table().is_full() || self.becn.chance(1, 3);
            return Some(if miss && self.becn.chance(2, 3) {
                self.new_dlid()
            } else {
                served.dlid
            });
        }
        let any = self.becn.below(self.entries) as usize;
        let overdue = self.becn.chance(1, 2) && self.model.overdue(any);
        overdue.then(|| self.model.table().entry(any).dlid)
    }

    fn head_payload(&mut self, mood: Mood) -> Option<Vec<u64>> {
        let beyond = (1 << self.params.get("QUEUE_W")) - self.queues;
        let queue = if beyond > 0 && self.head.chance(1, 200) {
            self.queues + self.head.below(beyond)
        } else {
            self.head.below(self.queues)
        };
        let full = queue < self.queues && (self.outputs[output::HEAD_READY] >> queue) & 1 == 0;
        // Few wait for a place: the channel would stand still behind them.
        if full && self.cycle > 0 && !self.head.chance(1, 32) {
            return None;
        }
        let dlid = if self.head.chance(mood.head_hot, 1024) {
            self.head.pick(&self.hot)
        } else if self.head.chance(mood.head_victim, 1024) {
            let soon = self.head.below(4) as usize;
            self.model.table().victims().nth(soon).map_or(0, |entry| entry.dlid)
        } else {
            let number = self.head.below(self.entries + 2);
            self.dlid(number)
        };
        let any = self.bytes.between(1, (1 << BYTES_W) - 1);
        let bytes = self.bytes.pick(&[64, 64, 64, 64, 1082, 4154, 16_384, any]);
        let bytes = if self.bytes.chance(1, 128) { 0 } else { bytes };
        Some(vec![queue, dlid, bytes])
    }

    fn load_row(&mut self, index: u64, load: Load) {
        let most = (1 << MULTIPLIER_W) - 1;
        let row = match load {
            Load::Largest => Row { shift: 0, multiplier: most },
            _ => Row {
                shift: self.cct.below(4) as u32,
                multiplier: self.cct.pick(&[index, index, 0, 1, 5, 8, 40]),
            },
        };
        self.offered[CCT] = Some((self.cycle, vec![index, u64::from(row.shift), row.multiplier]));
    }

    /// Plays the cycle; what was taken goes into the stimulus, from the cycle in which it was first
    /// offered.
    fn step(&mut self) {
        for (offered, valid) in self.offered.iter().zip(VALID) {
            self.inputs[valid] = u64::from(offered.is_some());
            if let Some((_, payload)) = offered {
                self.inputs[valid + 1..valid + 1 + payload.len()].copy_from_slice(payload);
            }
        }
        self.inputs[input::GRANT_READY] = self.grant_ready;
        self.model.step(&self.inputs, &mut self.outputs);
        let queue = self.inputs[input::HEAD_QUEUE];
        let taken = [
            self.outputs[output::BECN_READY] != 0,
            queue >= self.queues || (self.outputs[output::HEAD_READY] >> queue) & 1 != 0,
            true,
            self.outputs[output::PEEK_READY] != 0,
        ];
        for (channel, taken) in taken.into_iter().enumerate() {
            if let Some((from, payload)) = self.offered[channel].take_if(|_| taken) {
                self.out.push(channel, from, &payload);
            }
        }
        self.cycle += 1;
    }
}
