//! The reference as an engine: plays a stimulus, each period ended at its due time, heads granted as
//! soon as the page allows, without the delays of a pipeline.

use super::reference::{BecnReport, Reference};
use super::{BECN, CCT, HEAD, PEEK};
use crate::attributes::AttributeSet;
use crate::stimulus::Stimulus;
use crate::unit::RealBeat;
use congruent_ports::{ParamSet, error};
use std::collections::VecDeque;

/// Output channels by position in the table's outputs.
const GRANT: usize = 0;
const UPD: usize = 1;
const EVICT: usize = 2;
const LOG: usize = 3;
const DECAY: usize = 4;
const RELEASE: usize = 5;
const PEEKED: usize = 6;
const ERR: usize = 7;

/// Packets that may wait in a queue.
const PLACES: usize = 2;

struct Packet {
    dlid: u64,
    bytes: u64,
    wait: u64,
}

/// A grant whose effects come last in its cycle.
struct Landing {
    dlid: u64,
    index: usize,
    gap: f64,
}

struct Replay<'a> {
    stimulus: &'a Stimulus,
    reference: Reference,
    queues: Vec<VecDeque<Packet>>,
    first: usize,
    /// The next beat of each input channel, the next change of grant_ready, and its value.
    at: [usize; 4],
    control_at: usize,
    grant_ready: bool,
    beats: Vec<RealBeat>,
}

/// Plays `stimulus`. Within a cycle: grant decided, periods ended, BECN, effects of the grant, head,
/// peek, as the page orders them. A head is eligible from the cycle after it was taken on.
pub fn replay(attributes: &AttributeSet, params: &ParamSet, stimulus: &Stimulus) -> Vec<RealBeat> {
    let mut replay = Replay {
        stimulus,
        reference: Reference::new(attributes, params),
        queues: (0..params.get("QUEUES")).map(|_| VecDeque::new()).collect(),
        first: 0,
        at: [0; 4],
        control_at: 0,
        grant_ready: true,
        beats: vec![],
    };
    let mut cycle = 0;
    while cycle < stimulus.cycles {
        replay.cycle(cycle);
        cycle = replay.next_cycle(cycle);
    }
    replay.beats
}

impl Replay<'_> {
    /// The next cycle in which something can happen.
    fn next_cycle(&self, cycle: u64) -> u64 {
        if self.queues.iter().any(|queue| !queue.is_empty()) {
            return cycle + 1;
        }
        let streams = &self.stimulus.streams;
        let beats = (0..4).filter_map(|channel| streams[channel].not_before(self.at[channel]));
        let due = self.reference.next_decay().map(|(deadline, _)| deadline.ceil() as u64);
        let control = self.stimulus.controls[0].get(self.control_at).map(|change| change.0);
        beats.chain(due).chain(control).min().unwrap_or(u64::MAX).max(cycle + 1)
    }

    fn cycle(&mut self, cycle: u64) {
        while let Some((from, value)) = self.stimulus.controls[0].get(self.control_at)
            && *from <= cycle
        {
            self.grant_ready = *value != 0;
            self.control_at += 1;
        }
        let landing = self.decide(cycle);
        while let Some((deadline, index)) = self.reference.next_decay()
            && deadline <= cycle as f64
        {
            self.decay(deadline.ceil() as u64, index);
        }
        let mut remade = false;
        if let Some([dlid]) = self.take(BECN, cycle) {
            remade = self.becn(cycle, dlid);
        }
        if let Some(Landing { dlid, index, gap }) = landing {
            let lives = self.reference.lookup(dlid) == Some(index) && !remade;
            if lives {
                self.reference.grant(cycle as f64, dlid, gap, None);
            }
        }
        self.head(cycle);
        if let Some([index, shift, multiplier]) = self.take(CCT, cycle) {
            self.reference.write_row(index as usize, shift as u32, multiplier);
        }
        if let Some([index]) = self.take(PEEK, cycle) {
            self.peek(cycle, index);
        }
    }

    /// The payload of a channel's beat, if one is offered in this cycle.
    fn take<const N: usize>(&mut self, channel: usize, cycle: u64) -> Option<[u64; N]> {
        let stream = &self.stimulus.streams[channel];
        stream.not_before(self.at[channel]).filter(|from| *from <= cycle)?;
        let payload = stream.payload(self.at[channel]).try_into().ok()?;
        self.at[channel] += 1;
        Some(payload)
    }

    fn decide(&mut self, cycle: u64) -> Option<Landing> {
        let queues = self.queues.len();
        let mut granted = None;
        for n in 0..queues {
            let queue = (self.first + n) % queues;
            let Some(head) = self.queues[queue].front_mut() else { continue };
            if !self.reference.may_send(cycle as f64, head.dlid) {
                head.wait += 1;
            } else if self.grant_ready && granted.is_none() {
                granted = Some(queue);
            }
        }
        let queue = granted?;
        self.first = queue + 1;
        let Packet { dlid, bytes, wait } = self.queues[queue].pop_front()?;
        self.beat(cycle, GRANT, &[queue as f64, dlid as f64, wait as f64]);
        let index = self.reference.lookup(dlid)?;
        Some(Landing { dlid, index, gap: self.reference.gap(dlid, bytes)? })
    }

    fn decay(&mut self, cycle: u64, index: usize) {
        let Some(report) = self.reference.decay(index) else { return };
        let dlid = report.dlid as f64;
        if report.changed {
            self.beat(cycle, DECAY, &[index as f64, dlid, report.ccti as f64]);
        }
        if report.ccti == 0 {
            self.beat(cycle, RELEASE, &[dlid]);
        }
    }

    /// Whether it made an entry.
    fn becn(&mut self, cycle: u64, dlid: u64) -> bool {
        let Some(report) = self.reference.becn(cycle as f64, dlid) else { return false };
        let BecnReport { index, hit, ccti, logs, evicted } = report;
        let (dlid, ccti) = (dlid as f64, ccti as f64);
        self.beat(cycle, UPD, &[index as f64, dlid, ccti]);
        if let Some(evicted) = evicted {
            self.beat(cycle, EVICT, &[evicted.dlid as f64, evicted.ccti as f64]);
        }
        if logs {
            self.beat(cycle, LOG, &[dlid, ccti]);
        }
        !hit
    }

    /// The beat of `head` waits until its queue has a place.
    fn head(&mut self, cycle: u64) {
        let stream = &self.stimulus.streams[HEAD];
        if stream.not_before(self.at[HEAD]).is_none_or(|from| from > cycle) {
            return;
        }
        let queue = stream.payload(self.at[HEAD])[0] as usize;
        if self.queues.get(queue).is_some_and(|queue| queue.len() >= PLACES) {
            return;
        }
        let Some([_, dlid, bytes]) = self.take(HEAD, cycle) else { return };
        match self.queues.get_mut(queue) {
            None => self.beat(cycle, ERR, &[0.0, error::RANGE as f64, dlid as f64]),
            Some(_) if bytes == 0 => {
                self.beat(cycle, ERR, &[0.0, error::ZERO_LENGTH as f64, dlid as f64]);
            }
            Some(queue) => queue.push_back(Packet { dlid, bytes, wait: 0 }),
        }
    }

    fn peek(&mut self, cycle: u64, index: u64) {
        let mut fields = vec![Some(index as f64)];
        if index as usize >= self.reference.places() {
            fields.extend([None; 6]);
            fields.push(Some(error::RANGE as f64));
            self.beats.push(RealBeat { cycle, channel: PEEKED, fields });
            return;
        }
        let values = match self.reference.entry(index as usize) {
            None => [0.0; 7],
            Some(entry) => {
                let slack = self.reference.constants().slack().max(f64::MIN_POSITIVE);
                let held = cycle as f64 - entry.next_send < slack;
                let deadline = if entry.deadline.is_finite() { entry.deadline } else { 0.0 };
                let next_send = if held { entry.next_send } else { 0.0 };
                let (dlid, ccti) = (entry.dlid as f64, entry.ccti as f64);
                [1.0, dlid, ccti, deadline, f64::from(u8::from(held)), next_send, 0.0]
            }
        };
        fields.extend(values.map(Some));
        self.beats.push(RealBeat { cycle, channel: PEEKED, fields });
    }

    fn beat(&mut self, cycle: u64, channel: usize, fields: &[f64]) {
        let fields = fields.iter().map(|field| Some(*field)).collect();
        self.beats.push(RealBeat { cycle, channel, fields });
    }
}
