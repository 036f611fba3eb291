//! Random legs of `nscc_window`, in compressed time: a base RTT of some dozens of cycles, few hot
//! destinations, events as fast as they are taken, attributes drawn at their ends.
//!
//! The generator runs the core beside it, so that it knows what state an event will meet: then it
//! can aim at thresholds that chance would hardly meet.

use super::cfg::{configure, sweep_bound};
use super::core::{self, Cfg, Context, Event, Kind, MOST_BYTES};
use super::serial::Serial;
use crate::attributes::{AttributeSet, Value};
use crate::random::Draw;
use crate::scenario::Leg;
use crate::stimulus::Stimulus;
use Value::{Bool, Integer, Real};
use congruent_ports::ParamSet;
use congruent_ports::nscc_window::{BLOCK, BYTES_W, GAIN_W, RTT_FRAC};

/// Input channels by position in the table.
pub(super) const EVT: usize = 0;
pub(super) const PEEK: usize = 1;

type Change = (&'static str, Value);

/// Attributes that take turns, so that no row of coverage is left to chance.
const TURNS: &[&[Change]] = &[
    &[],
    &[
        ("quick_adapt_gate", Integer(0)),
        ("trimming_enabled", Bool(false)),
        ("quick_adapt_threshold", Real(0.0)),
        TRIMS,
    ],
    &[("quick_adapt_gate", Integer(31)), TRIMS],
    &[("eta_multiplier", Real(0.0)), ("fast_increase_base", Real(0.25))],
    &[("pass_through", Bool(true))],
    &[("override_spec_max_congestion_window", Bool(true))],
    &[("override_spec_target_queue_delay", Bool(true))],
    &[("disable_quick_adapt", Bool(true)), TRIMS],
    // A gain that fills the pending increase at once.
    &[
        ("mss", Integer(16_384)),
        FULL_PENDING,
        ("alpha_multiplier", Real(0.0)),
        ("eta_multiplier", Real(0.01)),
        ("data_rate", Real(1600.0)),
        TRIMS,
    ],
    &[("trimming_enabled", Bool(false)), ("quick_adapt_gate", Integer(1)), TRIMS],
    // A max window below a packet.
    &[("mss", Integer(16_384)), ("data_rate", Real(25.0))],
    &[("quick_adapt_gate", Integer(0)), ("mss", Integer(64))],
    &[
        ("alpha_multiplier", Real(0.25)),
        ("fair_increase_multiplier", Real(0.5)),
        ("eta_multiplier", Real(0.05)),
        TRIMS,
    ],
];
const FULL_PENDING: Change = ("fair_increase_multiplier", Real(1024.0));
const TRIMS: Change = ("override_spec_max_congestion_window", Bool(false));

/// Leg number `leg` of the random run of `seed`, about `cycles` long.
pub fn leg(seed: u64, leg: u64, cycles: u64, params: &ParamSet) -> Leg {
    let name = |field: &str| format!("nscc_window/{leg}/{field}");
    let (attributes, cfg) = attributes(&mut Draw::new(seed, &name("attributes")), leg, params);
    let stimulus = Traffic::new(seed, &name, &cfg, params).play(cycles, leg);
    Leg { attributes, stimulus }
}

fn attributes(draw: &mut Draw, leg: u64, params: &ParamSet) -> (AttributeSet, Cfg) {
    let mut turn = leg as usize;
    // Not every turn is legal with every TIME_W and RTT_W.
    for attempt in 1..=64 * TURNS.len() {
        let set = draw_attributes(draw, TURNS[turn % TURNS.len()], params);
        if let Ok(cfg) = configure(&set, params) {
            return (set, cfg);
        }
        turn += usize::from(attempt % 64 == 0);
    }
    let set = AttributeSet::defaults_under(&BLOCK, params).with(SHORTEST);
    match configure(&set, params) {
        Ok(cfg) => (set, cfg),
        Err(e) => unreachable!("every parameter set that is accepted takes these: {e}"),
    }
}

/// A base RTT of two cycles: legal under every accepted parameter set.
const SHORTEST: &[Change] = &[
    ("clock_mhz", Real(100.0)),
    ("config_base_rtt", Real(20.0)),
    ("reference_network_rtt", Real(20.0)),
    ("target_queue_delay_margin", Real(0.0)),
    ("quick_adapt_threshold", Real(100.0)),
];

/// The longest base RTT whose observation window TIME_W and RTT_W allow, cycles; at most 400.
fn longest_base_rtt(params: &ParamSet) -> u64 {
    let reach = 1u64 << (params.get("TIME_W") - 1);
    reach.saturating_sub(sweep_bound(params) + 8).div_ceil(2).clamp(4, 400)
}

fn draw_attributes(draw: &mut Draw, turn: &[Change], params: &ParamSet) -> AttributeSet {
    let clock = draw.pick(&[500.0, 500.0, 500.0, 100.0, 250.0, 1000.0, 2000.0]);
    let ns = |cycles: f64| cycles * 1000.0 / clock;
    let longest = longest_base_rtt(params);
    let any = draw.between(longest.min(16), longest) as f64 + draw.real();
    let round = draw.pick(&[16, 32, 48, 64, 96, 128]).min(longest) as f64;
    let base = draw.pick(&[round, round, any]);
    let delay = |draw: &mut Draw, share: f64| (ns(base) * share * (0.5 + draw.real())).max(1.0);
    let margin = delay(draw, 0.3);
    let margin = draw.pick(&[margin, margin, 0.0, ns(3.0 * base)]);
    let threshold = delay(draw, 1.5);
    let target = delay(draw, 0.7);
    let a = draw.pick(&[1.0, 1.0, 1.0, 0.5, 3.0, 40.0]);
    let rate = draw.pick(&[400.0, 400.0, 800.0, 1600.0, 200.0]);
    let gate = draw.pick(&[3, 3, 1, 2, 5]);
    let share = draw.real();
    let changes = [
        ("clock_mhz", Real(clock)),
        ("config_base_rtt", Real(ns(base).max(10.0))),
        ("data_rate", Real(rate)),
        ("mss", Integer(draw.pick(&[4096, 1024, 512, 256, 256, 64]))),
        ("header_bytes", Integer(draw.pick(&[60, 60, 88, 0, 255]))),
        ("reference_network_rtt", Real((ns(base) * rate / 400.0 / a).max(1.0))),
        ("alpha_multiplier", Real(draw.pick(&[4.0, 4.0, 1.0, 0.1, 0.0]))),
        ("fair_increase_multiplier", Real(draw.pick(&[5.0, 5.0, 1.0, 0.1, 0.0]))),
        ("fast_increase_multiplier", Real(draw.pick(&[1.0, 1.0, 0.25, 0.03]))),
        ("eta_multiplier", Real(draw.pick(&[0.15, 0.15, 0.01, 1.0]))),
        ("delay_alpha", Real(draw.pick(&[0.25, 0.25, 0.0125, 0.9, 1.0, 0.0, share]))),
        ("quick_adapt_gate", Integer(gate)),
        ("quick_adapt_threshold", Real(threshold)),
        ("max_congestion_window", Integer(draw.pick(&[107, 64, 8, 1]))),
        ("target_queue_delay", Real(target)),
        ("target_queue_delay_margin", Real(margin)),
        ("trimming_enabled", Bool(draw.chance(1, 2))),
        ("override_spec_max_congestion_window", Bool(draw.chance(1, 6))),
        ("gamma", Real(draw.pick(&[0.8, 0.8, 0.3, 1.0, 0.0]))),
        ("max_multiplicative_decrease_jump", Real(draw.pick(&[0.5, 0.5, 0.9, 0.02, 1.0]))),
    ];
    let mut set = AttributeSet::defaults_under(&BLOCK, params).with(&changes).with(turn);
    if turn.contains(&("override_spec_target_queue_delay", Bool(true))) {
        // Samples between the target and the margin above it.
        set = set.with(&[("target_queue_delay_margin", Real(2.0 * target))]);
    }
    if turn.contains(&FULL_PENDING) {
        let reference = (ns(base) * 1600.0 / 400.0 / 200.0).max(1.0);
        set = set.with(&[("reference_network_rtt", Real(reference))]);
    }
    set
}

/// What the traffic of a stretch is like.
#[derive(Debug, Clone, Copy)]
struct Mood {
    /// Cycles between events; 0 is as fast as they are taken.
    gap: u64,
    /// Shares of send, sack, nack, loss, cack, probe, close.
    kinds: [u64; 7],
    /// Shares of a delay sample of 0, below the margin, up to the target, up to twice it, any, and
    /// of an RTT below the base RTT.
    delays: [u64; 6],
    /// Of 16 NACKs, how many were trimmed.
    trimmed: u64,
    /// Of 16 sacks, how many are marked.
    marked: u64,
    /// Whether the hot destinations take turns instead of being drawn.
    alternating: bool,
}

const BUSY: Mood = Mood {
    gap: 0,
    kinds: [200, 480, 40, 20, 30, 10, 4],
    delays: [60, 300, 300, 280, 50, 2],
    trimmed: 12,
    marked: 5,
    alternating: false,
};

struct Traffic {
    plan: Draw,
    evt_when: Draw,
    evt_dst: Draw,
    evt_kind: Draw,
    evt_bytes: Draw,
    evt_flight: Draw,
    evt_rtt: Draw,
    evt_flags: Draw,
    peek_when: Draw,
    peek_dst: Draw,
    cfg: Cfg,
    most_rtt: u64,
    beyond: u64,
    hot: Vec<u64>,
    serial: Serial,
    out: Stimulus,
}

impl Traffic {
    fn new(seed: u64, name: &impl Fn(&str) -> String, cfg: &Cfg, params: &ParamSet) -> Self {
        let draw = |field: &str| Draw::new(seed, &name(field));
        Self {
            plan: draw("plan"),
            evt_when: draw("evt.when"),
            evt_dst: draw("evt.dst"),
            evt_kind: draw("evt.kind"),
            evt_bytes: draw("evt.bytes"),
            evt_flight: draw("evt.flight"),
            evt_rtt: draw("evt.rtt"),
            evt_flags: draw("evt.flags"),
            peek_when: draw("peek.when"),
            peek_dst: draw("peek.dst"),
            cfg: cfg.clone(),
            most_rtt: (1 << (params.get("RTT_W") as u32 + RTT_FRAC)) - 1,
            beyond: (1 << params.get("DST_W")) - params.get("DESTS") as u64,
            hot: vec![0],
            serial: Serial::new(cfg, params),
            out: Stimulus::new(&BLOCK),
        }
    }

    fn play(mut self, cycles: u64, leg: u64) -> Stimulus {
        let mut cycle = self.plan.below(8);
        // A sample and, in the other variant, a cut before the counter wraps for the first time.
        let standing = Mood { delays: [0, 0, 0, 0, 1, 0], marked: 16, ..BUSY };
        for (kind, mood) in [(Kind::Open, BUSY), (Kind::Sack, BUSY), (Kind::Sack, standing)] {
            cycle = self.push(cycle, 0, kind, mood) + 1;
        }
        // Now and then every destination is open.
        let all = if leg % 4 == 1 { self.serial.dests() } else { 0 };
        for dst in 0..all {
            if !self.serial.context(dst).open {
                cycle = self.push(cycle, dst, Kind::Open, BUSY) + 1;
            }
        }
        while cycle < cycles {
            let hot = self.plan.between(1, 3);
            self.hot = (0..hot).map(|_| self.plan.below(self.serial.dests())).collect();
            let mood = self.mood();
            let until = (cycle + self.plan.between(200, 2_000)).min(cycles);
            while cycle < until {
                cycle = self.step(cycle, mood);
            }
        }
        self.out.cycles = self.out.cycles.max(cycle);
        self.out
    }

    fn mood(&mut self) -> Mood {
        let base = core::whole_cycles(self.cfg.base_rtt);
        match self.plan.below(10) {
            0 | 1 => BUSY,
            2 => Mood { alternating: true, ..BUSY },
            // An empty queue: fast increase.
            3 => {
                Mood { kinds: [100, 700, 4, 2, 10, 2, 1], delays: [300, 600, 40, 40, 1, 0], ..BUSY }
            }
            // A standing queue.
            4 => Mood { delays: [5, 20, 100, 600, 200, 1], marked: 10, ..BUSY },
            // Trims, few bytes delivered.
            5 | 6 => Mood {
                gap: self.plan.pick(&[0, base / 4, base]),
                kinds: [300, 200, 300, 40, 10, 2, 2],
                trimmed: 15,
                ..BUSY
            },
            // A quiet path: times pass between events.
            7 => Mood { gap: self.plan.pick(&[base / 2, base, 3 * base]), ..BUSY },
            // Paths that get shorter.
            8 => Mood {
                delays: [50, 100, 100, 100, 50, 60],
                kinds: [200, 300, 60, 10, 10, 80, 8],
                ..BUSY
            },
            // Destinations come and go.
            _ => Mood { kinds: [100, 300, 60, 20, 20, 20, 100], ..BUSY },
        }
    }

    /// One event, offered from `cycle` on. Returns the cycle from which the next one is.
    fn step(&mut self, cycle: u64, mood: Mood) -> u64 {
        let dst = self.destination(mood);
        let open = dst < self.serial.dests() && self.serial.context(dst).open;
        let kind = if !open && self.evt_kind.chance(7, 8) || self.evt_kind.chance(1, 256) {
            Kind::Open
        } else {
            const KINDS: [Kind; 7] = [
                Kind::Send,
                Kind::Sack,
                Kind::Nack,
                Kind::Loss,
                Kind::Cack,
                Kind::Probe,
                Kind::Close,
            ];
            KINDS[weighted(&mut self.evt_kind, &mood.kinds)]
        };
        let taken = self.push(cycle, dst, kind, mood);
        if self.peek_when.chance(1, 32) {
            let dst = if self.peek_dst.chance(3, 4) { dst } else { self.destination(mood) };
            self.out.push(PEEK, taken + self.peek_when.below(3), &[dst]);
        }
        if mood.gap == 0 && self.evt_when.chance(15, 16) {
            taken + 1
        } else {
            taken + 1 + self.evt_when.below(2 * mood.gap.max(20))
        }
    }

    fn destination(&mut self, mood: Mood) -> u64 {
        if self.beyond > 0 && self.evt_dst.chance(1, 256) {
            self.serial.dests() + self.evt_dst.below(self.beyond)
        } else if mood.alternating {
            self.hot.rotate_left(1);
            self.hot[0]
        } else if self.evt_dst.chance(15, 16) {
            self.evt_dst.pick(&self.hot)
        } else {
            self.evt_dst.below(self.serial.dests())
        }
    }

    /// Makes an event of this kind, as fits the state that it will meet. Returns the cycle in which
    /// it is taken.
    fn push(&mut self, cycle: u64, dst: u64, kind: Kind, mood: Mood) -> u64 {
        let taken = self.serial.take(cycle);
        let meets = match dst < self.serial.dests() {
            true => *self.serial.context(dst),
            false => core::CLOSED,
        };
        let flight = self.flight(kind, &meets);
        let mut evt = Event {
            kind,
            bytes: self.bytes(),
            flight,
            rtt_valid: self.evt_flags.chance(7, 8),
            rtt: self.rtt(kind, &meets, mood),
            trimmed: self.evt_flags.chance(mood.trimmed, 16),
            ecn: self.evt_flags.chance(mood.marked, 16),
            penalty: 0,
            restore: self.evt_flags.chance(1, 4),
        };
        if self.evt_flags.chance(1, 10) {
            evt.penalty = self.evt_flags.pick(&[1, 127, 127, 64, 100]);
        }
        if kind == Kind::Sack && evt.rtt_valid && self.evt_bytes.chance(1, 4) {
            self.aim_at_gate(&meets, &mut evt);
        }
        self.out.push(
            EVT,
            cycle,
            &[
                evt.kind as u64,
                dst,
                evt.bytes,
                evt.flight,
                u64::from(evt.rtt_valid),
                evt.rtt,
                u64::from(evt.trimmed),
                u64::from(evt.ecn),
                evt.penalty,
                u64::from(evt.restore),
            ],
        );
        self.serial.apply(taken, dst, &evt, core::event);
        taken
    }

    /// Bytes with which Quick Adapt meets its gate exactly, or one byte below.
    fn aim_at_gate(&mut self, meets: &Context, evt: &mut Event) {
        let base_rtt = meets.base_rtt.min(evt.rtt);
        let ceiling = match self.cfg.window_fixed {
            true => self.cfg.first_window,
            false => core::max_window(&self.cfg, base_rtt),
        };
        let gate = self.cfg.quick_adapt_gate + self.cfg.cwnd_frac;
        let bytes = ceiling >> gate;
        let exact = bytes << gate == ceiling;
        if meets.qa_trigger && exact && bytes > meets.qa_bytes {
            evt.bytes = bytes - meets.qa_bytes - self.evt_bytes.below(2);
        }
    }

    fn bytes(&mut self) -> u64 {
        let mss = self.cfg.packet.min(16_384);
        let any = self.evt_bytes.bits() & MOST_BYTES;
        let some = self.evt_bytes.below(mss + 1);
        let often = self.cfg.fair >> (GAIN_W - 4) != 0;
        if self.evt_bytes.chance(if often { 20 } else { 1 }, 200) {
            return any;
        }
        self.evt_bytes.pick(&[mss, mss, mss, mss, some, 2 * mss, 9 * mss, 0])
    }

    /// Sends of a packet; what leaves is mostly in flight.
    fn flight(&mut self, kind: Kind, meets: &Context) -> u64 {
        let packet = self.cfg.packet;
        let some = self.evt_flight.below(2 * packet);
        let any = self.evt_flight.bits() & ((1 << BYTES_W) - 1);
        if self.evt_flight.chance(1, 300) {
            return any;
        }
        let pick = self.evt_flight.pick(&[packet, packet, packet, packet, packet, some, 0]);
        match kind {
            Kind::Send => self.evt_flight.pick(&[pick, pick, 4 * pick]),
            // The last bytes to ignore leave.
            Kind::Nack if meets.ignore_left > 0 && self.evt_flight.chance(1, 3) => {
                meets.ignore_left.min(meets.in_flight)
            }
            _ if self.evt_flight.chance(1, 24) => pick,
            _ => pick.min(meets.in_flight),
        }
    }

    /// A round-trip time, UQ RTT_W.4: base RTT and a delay as the mood has it.
    fn rtt(&mut self, kind: Kind, meets: &Context, mood: Mood) -> u64 {
        let base = if meets.open { meets.base_rtt } else { self.cfg.base_rtt };
        let (target, margin) = (self.cfg.target, self.cfg.margin);
        let near = |draw: &mut Draw, low: u64, high: u64| {
            if high <= low {
                return low;
            }
            let any = draw.between(low, high - 1);
            draw.pick(&[any, any, low, high - 1])
        };
        let choice = match kind {
            Kind::Probe => 5 * usize::from(self.evt_rtt.chance(1, 2)),
            _ => weighted(&mut self.evt_rtt, &mood.delays),
        };
        let sample = match choice {
            0 => 0,
            1 => near(&mut self.evt_rtt, 0, margin.min(target)),
            2 => near(&mut self.evt_rtt, margin.min(target), target),
            3 => near(&mut self.evt_rtt, target, 2 * target),
            4 => self.evt_rtt.below(16 * target),
            _ => {
                let any = self.evt_rtt.below(base + 1);
                let step = base - base / 8;
                return self.evt_rtt.pick(&[any, step, step, step, 0]);
            }
        };
        (base + sample).min(self.most_rtt)
    }
}

/// Position of one of `shares`, drawn in proportion to them.
fn weighted(draw: &mut Draw, shares: &[u64]) -> usize {
    let mut left = draw.below(shares.iter().sum());
    for (position, share) in shares.iter().enumerate() {
        if left < *share {
            return position;
        }
        left -= share;
    }
    0
}
