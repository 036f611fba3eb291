//! Random legs: attributes in turns, compressed ages, telemetry that goes on where the flow's last
//! left off, and everything that a network can do to it.

use super::core::{Ack, Format, Record, Telemetry, ts_bits, tx_bits};
use super::script::Script;
use crate::attributes::{AttributeSet, Value};
use crate::random::Draw;
use crate::scenario::Leg;
use congruent_ports::ParamSet;
use congruent_ports::hpcc_window::{BLOCK, MOST_HOPS, PAPER_GBPS, PAPER_QLEN_UNIT, PAPER_TX_SHIFT};

/// Shortest and longest age of telemetry, cycles: short runs see telemetry grow too old.
const AGES: (u64, u64) = (120, 600);

/// Cycles that an ACK with its gaps takes at the most, and a little.
const LONGEST_ACK: u64 = 40;

/// What a hop's telemetry does between two ACKs, for all hops of an ACK.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Traffic {
    /// Load as the flow's path has it.
    Usual,
    /// Nothing sent, nothing queued, for T or longer.
    Idle,
    /// A long queue for T or longer.
    Surge,
    /// All hops alike.
    Alike,
    /// Any bits.
    Wild,
    /// No stamp moves.
    Still,
}

/// A flow as its packets and switches see it.
#[derive(Debug, Clone)]
struct Traveller {
    hops: u64,
    path: u64,
    seq: u64,
    rates: [u64; MOST_HOPS],
    /// Load of its links in percent.
    load: u64,
}

struct Draws {
    what: Draw,
    flow: Draw,
    sequence: Draw,
    record: Draw,
    timing: Draw,
}

/// Leg number `leg` of the random run of `seed`, about `cycles` long.
pub fn leg(seed: u64, leg: u64, cycles: u64, params: &ParamSet) -> Leg {
    let stream = |name: &str| Draw::new(seed, &format!("hpcc_window/{leg}/{name}"));
    let attributes = attributes(&mut stream("attributes"), leg, params);
    let mut script = Script::new(attributes, params);
    let mut draws = Draws {
        what: stream("what"),
        flow: stream("flow"),
        sequence: stream("sequence"),
        record: stream("record"),
        timing: stream("timing"),
    };
    let mut traffic = Generator::new(&mut draws, &script, params);
    while script.free() < cycles {
        traffic.step(&mut draws, &mut script);
    }
    script.leg()
}

/// Attributes take turns by the leg's number, so that a run of a few legs has them all.
fn attributes(draw: &mut Draw, leg: u64, params: &ParamSet) -> AttributeSet {
    let clock = draw.pick(&[100.0, 500.0, 1000.0]);
    let reach = 1u64 << (params.get("TIME_W") - 1);
    let oldest = AGES.1.min(reach - super::cfg::sweep_bound(params) - 1);
    let age = draw.between(AGES.0.min(oldest), oldest);
    let wide = (leg + leg / 4) % 2 == 1;
    let rtt = draw.pick(&[13_000, 9_000, 4_096, draw_rtt(leg)]);
    let mut set = AttributeSet::defaults_under(&BLOCK, params).with(&[
        ("clock_mhz", Value::Real(clock)),
        ("stored_max_age", Value::Real(age as f64 * 1000.0 / clock)),
        ("int_format", Value::Name(if wide { "wide" } else { "paper" })),
        ("base_rtt", Value::Integer(rtt)),
        ("data_rate", Value::Real(draw.pick(&[100.0, 25.0, 400.0, 12.5]))),
        ("eta", Value::Real(draw.pick(&[0.95, 0.99, 0.5, 1.0]))),
        ("packet_bytes", Value::Integer(draw.pick(&[4096, 1024, 64]))),
        ("wai", Value::Real(draw.pick(&[80.0, 0.0, 12.7, 2000.0]))),
    ]);
    match leg % 4 {
        0 => {}
        1 => set = set.with(&[("max_stage", Value::Integer(0))]),
        2 => {
            let flows = draw.between(1, 200);
            let stages = draw.between(1, 3);
            set = set.with(&[
                ("expected_flows", Value::Integer(flows)),
                ("eta", Value::Real(0.9)),
                ("max_stage", Value::Integer(stages)),
            ]);
        }
        _ => {
            set = set.with(&[
                ("base_rtt", Value::Integer(draw.between(10, 300))),
                ("data_rate", Value::Real(25.0)),
                ("packet_bytes", Value::Integer(4096)),
            ]);
        }
    }
    set
}

/// A base RTT that is no round number.
fn draw_rtt(leg: u64) -> u64 {
    997 + 7_919 * (leg % 5)
}

struct Generator {
    flows: u64,
    /// Numbers that the flow field holds.
    numbers: u64,
    most_hops: u64,
    hot: Vec<u64>,
    travellers: Vec<Traveller>,
    last: u64,
    /// An ACK of this flow is to take effect in this cycle.
    appointment: Option<(u64, u64)>,
    /// First cycle in which a peek is taken.
    peek_from: u64,
}

impl Generator {
    fn new(draws: &mut Draws, script: &Script, params: &ParamSet) -> Self {
        let flows = params.get("FLOWS") as u64;
        let most_hops = params.get("HOPS") as u64;
        let count = draws.flow.between(2, 5).min(flows);
        let hot: Vec<u64> = (0..count).map(|_| draws.flow.below(flows)).collect();
        let format = script.cfg().format;
        let travellers =
            (0..flows).map(|_| traveller(&mut draws.flow, format, most_hops)).collect();
        Self {
            flows,
            numbers: 1 << params.get("FLOW_W"),
            most_hops,
            last: hot[0],
            hot,
            travellers,
            appointment: None,
            peek_from: 0,
        }
    }

    /// One ACK, with what happens beside it.
    fn step(&mut self, draws: &mut Draws, script: &mut Script) {
        if draws.timing.chance(1, 12) {
            script.idle(draws.timing.between(1, 25));
        }
        let flow = match self.appointment {
            Some((flow, cycle)) if script.free() + LONGEST_ACK >= cycle => {
                let hops = self.travellers[flow as usize].hops;
                script.idle_until(cycle.saturating_sub(hops));
                flow
            }
            _ => self.pick(draws),
        };
        if flow >= self.flows {
            let ack = Ack { hops: draws.what.below(3), ..Ack::default() };
            script.ack(flow, &ack);
            return;
        }
        let punctual = self.appointment.is_some_and(|(whose, _)| whose == flow);
        let ack = self.ack(draws, script, flow, punctual);
        let gap = if !punctual && draws.timing.chance(1, 10) { draws.timing.below(3) } else { 0 };
        script.eager(draws.timing.chance(1, 3));
        self.beside(draws, script, flow, script.effect(ack.hops * (1 + gap)));
        script.ack_with_gap(flow, &ack, gap);
        self.last = flow;
        if punctual {
            self.appointment = None;
        } else if self.appointment.is_none() && draws.timing.chance(1, 20) {
            let age = script.cfg().age;
            let effect = script.free() - 1 - u64::from(ack.hops == 0);
            if age > 2 * LONGEST_ACK && script.context(flow).stored {
                self.appointment = Some((flow, effect + age + draws.timing.below(2)));
            }
        }
    }

    fn pick(&self, draws: &mut Draws) -> u64 {
        let flow = match draws.flow.below(100) {
            0..30 => self.last,
            30..92 => draws.flow.pick(&self.hot),
            92..99 => draws.flow.below(self.flows),
            _ => draws.flow.below(self.numbers),
        };
        match self.appointment {
            Some((whose, _)) if whose == flow => (flow + 1) % self.flows,
            _ => flow,
        }
    }

    /// Flows that begin and end, and peeks, from now to the cycle in which an ACK takes effect.
    fn beside(&mut self, draws: &mut Draws, script: &mut Script, flow: u64, effect: u64) {
        let draw = &mut draws.what;
        let somebody = |draw: &mut Draw, other: u64, hot: &[u64], numbers: u64| match draw.below(8)
        {
            0..3 => other,
            3..7 => draw.pick(hot),
            _ => draw.below(numbers),
        };
        let begins = !script.context(flow).open && draw.chance(2, 3);
        if begins || draw.chance(1, 40) {
            let who = if begins { flow } else { somebody(draw, flow, &self.hot, self.numbers) };
            let cycle =
                if draw.chance(1, 2) { effect } else { draw.between(script.free(), effect) };
            script.open_at(cycle, who);
            self.restart(draws, script, who);
            // Both in one cycle.
            if draws.what.chance(1, 10) {
                script.close_at(cycle, who);
            }
        } else if draw.chance(1, 40) {
            let who = somebody(draw, flow, &self.hot, self.numbers);
            let cycle =
                if draw.chance(1, 2) { effect } else { draw.between(script.free(), effect) };
            script.close_at(cycle, who);
        }
        // Some wait for the one before, but they do not pile up.
        if self.peek_from < effect + 20 && draws.what.chance(1, 15) {
            let who = somebody(&mut draws.what, flow, &self.hot, self.numbers);
            let cycle = draws.what.between(script.free(), effect);
            script.peek_at(cycle, who);
            self.peek_from = cycle.max(self.peek_from) + BLOCK.cycles("peek_interval");
        }
    }

    fn restart(&mut self, draws: &mut Draws, script: &Script, flow: u64) {
        if let Some(slot) = self.travellers.get_mut(flow as usize) {
            *slot = traveller(&mut draws.flow, script.cfg().format, self.most_hops);
        }
    }

    fn ack(&mut self, draws: &mut Draws, script: &Script, flow: u64, punctual: bool) -> Ack {
        let who = &mut self.travellers[flow as usize];
        let format = script.cfg().format;
        if draws.what.chance(1, 15) {
            who.load = draws.what.pick(&[0, 20, 60, 90, 95, 100, 130, 400]);
        }
        if !punctual {
            match draws.what.below(80) {
                0..2 => who.path ^= 1 << draws.what.below(12),
                2..4 => who.hops = draws.what.between(1, self.most_hops),
                4 => who.hops = 0,
                5 => who.hops = self.most_hops,
                _ => {}
            }
        }
        let sequence = &mut draws.sequence;
        who.seq = (who.seq + 1000 * sequence.below(4)) & 0xffff_ffff;
        let snd_nxt = (who.seq + 1000 * sequence.between(1, 7)) & 0xffff_ffff;
        let mut ack = Ack {
            seq: if sequence.chance(1, 60) { sequence.bits() & 0xffff_ffff } else { who.seq },
            snd_nxt,
            path: who.path,
            hops: who.hops,
            records: [Record::default(); MOST_HOPS],
        };
        let traffic = match draws.what.below(60) {
            0..6 => Traffic::Idle,
            6..9 => Traffic::Surge,
            9..14 => Traffic::Alike,
            14..16 => Traffic::Wild,
            16..18 => Traffic::Still,
            _ => Traffic::Usual,
        };
        let ctx = script.context(flow);
        let goes_on = ctx.stored && draws.what.chance(29, 30);
        for hop in 0..MOST_HOPS {
            let old = if goes_on && (hop as u64) < ctx.hops {
                ctx.telemetry[hop]
            } else {
                beginning(&mut draws.record, format)
            };
            let first = (hop > 0).then_some((ack.records[0], ctx.telemetry[0]));
            let alike = first.filter(|_| traffic == Traffic::Alike);
            ack.records[hop] = record(&mut draws.record, script, who, hop, &old, alike, traffic);
        }
        self.disturb(draws, script, &mut ack);
        ack
    }

    /// What happens to one record of an ACK, or to its header.
    fn disturb(&self, draws: &mut Draws, script: &Script, ack: &mut Ack) {
        if ack.hops == 0 {
            return;
        }
        let format = script.cfg().format;
        let hop = draws.what.below(ack.hops) as usize;
        let last = ack.hops as usize - 1;
        let back = |ts: u64, by: u64| ts.wrapping_sub(by) & ((1 << ts_bits(format)) - 1);
        match draws.what.below(150) {
            0..3 => ack.records[last].ts = back(ack.records[last].ts, 1 << 20),
            3..5 => ack.records[hop].ts = back(ack.records[hop].ts, draws.what.between(1, 5000)),
            5..7 => ack.records[hop].rate = if format == Format::Wide { 0 } else { 0x7ff },
            7..9 => ack.hops = draws.what.between(self.most_hops + 1, 15),
            _ => {}
        }
    }
}

fn traveller(draw: &mut Draw, format: Format, most_hops: u64) -> Traveller {
    let mut rates = [0; MOST_HOPS];
    for rate in &mut rates {
        *rate = match format {
            Format::Paper => draw.below(PAPER_GBPS.len() as u64),
            Format::Wide => draw.pick(&[25, 100, 400, 1600, 40, 10]),
        };
    }
    let seq = if draw.chance(1, 2) { 0xffff_ffff - draw.below(20_000) } else { draw.bits() };
    Traveller {
        hops: draw.between(1, most_hops),
        path: draw.bits() & 0xfff,
        seq: seq & 0xffff_ffff,
        rates,
        load: draw.pick(&[20, 60, 95, 100, 130]),
    }
}

/// Telemetry of a hop that a flow meets for the first time: counters often near their wrap.
fn beginning(draw: &mut Draw, format: Format) -> Telemetry {
    let near = |draw: &mut Draw, bits: u32, by: u64| {
        let value = if draw.chance(1, 2) { (1 << bits) - 1 - draw.below(by) } else { draw.bits() };
        value & ((1 << bits) - 1)
    };
    Telemetry {
        ts: near(draw, ts_bits(format), 40_000),
        tx: near(draw, tx_bits(format), 4_000),
        qlen: draw.below(1000),
    }
}

/// A hop's next record. `alike`: the first hop's record and stored telemetry, to move as it moved.
fn record(
    draw: &mut Draw,
    script: &Script,
    who: &Traveller,
    hop: usize,
    old: &Telemetry,
    alike: Option<(Record, Telemetry)>,
    traffic: Traffic,
) -> Record {
    let cfg = script.cfg();
    let (format, rtt) = (cfg.format, cfg.base_rtt);
    let ts_mask = (1 << ts_bits(format)) - 1;
    let tx_mask = (1 << tx_bits(format)) - 1;
    let moved = |dt: u64, tx: u64, qlen: u64, rate: u64| Record {
        rate,
        ts: old.ts.wrapping_add(dt) & ts_mask,
        tx_bytes: old.tx.wrapping_add(tx) & tx_mask,
        qlen,
    };
    if let Some((first, stored)) = alike {
        let (dt, tx) = (first.ts.wrapping_sub(stored.ts), first.tx_bytes.wrapping_sub(stored.tx));
        return moved(dt, tx, 0, first.rate);
    }
    if traffic == Traffic::Wild {
        let mut bits = |most: u64| draw.bits() >> draw.below(64) & ((1 << most) - 1);
        return Record { rate: bits(11), ts: bits(48), tx_bytes: bits(48), qlen: bits(48) };
    }
    let mut dt = match draw.below(7) {
        0 => draw.between(1, rtt / 8 + 1),
        1 | 2 => draw.between(rtt / 8 + 1, rtt + 1),
        3 => rtt,
        4 => draw.between(rtt, 3 * rtt),
        5 => draw.between(1, 100),
        _ => rtt / 4 + 1,
    };
    match traffic {
        Traffic::Idle | Traffic::Surge => dt = draw.between(rtt, 2 * rtt + 1),
        Traffic::Still => dt = 0,
        _ if draw.chance(1, 25) => dt = 0,
        // Exactly half the range: counts as older.
        _ if draw.chance(1, 400) => dt = 1 << (ts_bits(format) - 1),
        _ => {}
    }
    let (gbps, unit_shift, unit) = match format {
        Format::Paper => (PAPER_GBPS[who.rates[hop] as usize % 7], PAPER_TX_SHIFT, PAPER_QLEN_UNIT),
        Format::Wide => (who.rates[hop], 0, 1),
    };
    // Half the range of the wide format is a long time.
    let carried = |percent: u64| (u128::from(gbps * percent) * u128::from(dt) / 800) as u64;
    let bytes = carried(who.load);
    // Bytes in flight of the link over T.
    let flight = gbps * rtt / 8;
    let (tx, queue) = match traffic {
        Traffic::Idle | Traffic::Alike => (0, 0),
        Traffic::Surge => (bytes, flight * draw.between(4, 12)),
        _ if who.load < 100 => (bytes, draw.below(3) * 700),
        _ => (bytes, draw.below(flight / 2 + 1)),
    };
    let tx = if traffic == Traffic::Alike { carried(50) } else { tx };
    moved(dt, tx >> unit_shift, (queue / unit).min(0xffff_ffff_ffff), who.rates[hop])
}
