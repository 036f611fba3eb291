//! The reference of the reaction point as an engine: plays a stimulus event by event, each decay and
//! each increase at its due time.

use super::reference::{Constants, QueuePair};
use crate::attributes::AttributeSet;
use crate::rate_limiter::model::PEEKED_FIELDS;
use crate::rate_limiter::random::{CNP, PEEK, REQ};
use crate::rate_limiter::reference::{Answer, Follow};
use crate::rate_limiter::replay::{PEEKED, RSP, refusal, update};
use crate::stimulus::Stimulus;
use crate::unit::RealBeat;
use congruent_ports::{ParamSet, error};

/// Plays `stimulus`. Within a cycle: request, then what is due of alpha, timer and bytes (in this
/// order, of all queue pairs), then CNP, then peek; a new rate paces at once.
pub fn replay(attributes: &AttributeSet, params: &ParamSet, stimulus: &Stimulus) -> Vec<RealBeat> {
    let constants = Constants::new(attributes);
    let count = params.get("QPS") as usize;
    let mut player = Player {
        qps: (0..count).map(|_| QueuePair::new(&constants)).collect(),
        constants,
        beats: vec![],
    };
    let mut at = [0usize; 3];
    let next = |at: &[usize; 3], channel: usize| stimulus.streams[channel].not_before(at[channel]);
    loop {
        let event = [REQ, CNP, PEEK].iter().filter_map(|channel| next(&at, *channel)).min();
        let due = player.next_due().filter(|due| *due < stimulus.cycles);
        let Some(cycle) = event.into_iter().chain(due).min() else { return player.beats };
        for channel in [REQ, CNP, PEEK] {
            if channel == CNP {
                player.run_due(cycle);
            }
            if next(&at, channel) == Some(cycle) {
                player.event(cycle, channel, stimulus.streams[channel].payload(at[channel]));
                at[channel] += 1;
            }
        }
    }
}

struct Player {
    constants: Constants,
    qps: Vec<QueuePair>,
    beats: Vec<RealBeat>,
}

impl Player {
    /// The cycle of the next deadline.
    fn next_due(&self) -> Option<u64> {
        let deadlines = self.qps.iter().map(|q| q.alpha_deadline.min(q.deadline));
        let least = deadlines.min_by(f64::total_cmp)?;
        least.is_finite().then_some(least as u64)
    }

    /// Runs what is due in this cycle.
    fn run_due(&mut self, cycle: u64) {
        let (c, now) = (&self.constants, cycle as f64);
        for (n, q) in self.qps.iter_mut().enumerate() {
            let mut show = |report| self.beats.push(update(cycle, n as u64, &report));
            if q.alpha_deadline <= now {
                show(q.decay(c));
            }
            if q.deadline <= now {
                show(q.timer_increase(c, Follow::default()));
            }
            if q.bytes_due(c) {
                show(q.byte_increase(c, Follow::default()));
            }
        }
    }

    fn event(&mut self, cycle: u64, channel: usize, payload: &[u64]) {
        let (c, qp) = (&self.constants, payload[0]);
        let Some(q) = self.qps.get_mut(qp as usize) else {
            self.beats.push(refusal(cycle, channel, qp, error::RANGE));
            return;
        };
        match channel {
            REQ if payload[1] == 0 => {
                self.beats.push(refusal(cycle, REQ, qp, error::ZERO_LENGTH));
            }
            REQ => {
                let rate = q.rate;
                let answer = q.request(c, cycle as f64, payload[1], rate, Follow::default());
                let (grant, wait) = match answer {
                    Answer::Grant => (1.0, 0.0),
                    Answer::Wait(cycles) => (0.0, cycles.ceil()),
                };
                let fields = [qp as f64, grant, wait, 0.0].map(Some).to_vec();
                self.beats.push(RealBeat { cycle, channel: RSP, fields });
            }
            CNP => {
                if let Some(report) = q.cnp(c, cycle as f64) {
                    self.beats.push(update(cycle, qp, &report));
                }
            }
            _ => self.beats.push(peeked(cycle, qp, q, c)),
        }
    }
}

fn peeked(cycle: u64, qp: u64, q: &QueuePair, c: &Constants) -> RealBeat {
    let held = cycle as f64 - q.next_send < c.slack().max(f64::MIN_POSITIVE);
    let flag = |value: bool| f64::from(u8::from(value));
    let time = |value: f64| if q.congested { value } else { 0.0 };
    let recent = q.recent_cut(c, cycle as f64);
    let fields: [f64; PEEKED_FIELDS] = [
        qp as f64,
        flag(q.congested),
        q.rate,
        q.target,
        q.alpha,
        q.recovery() as f64,
        0.0,
        0.0,
        time(q.deadline),
        0.0,
        0.0,
        q.timer_stage as f64,
        q.byte_stage as f64,
        time(q.alpha_deadline),
        q.waiting_bytes as f64,
        if recent { q.last_cut } else { 0.0 },
        flag(recent),
        flag(q.increased),
        flag(held),
        if held { q.next_send } else { 0.0 },
        0.0,
    ];
    RealBeat { cycle, channel: PEEKED, fields: fields.map(Some).to_vec() }
}
