//! The reference as an engine: plays a stimulus event by event, in the page's order within a cycle.
//!
//! It has no sweep and no queue of pauses: a queue resumes in the cycle in which it may, a pause is
//! sent again in the cycle in which it is due.

use super::core::{Admit, Gone, Visit};
use super::random::{DEQ, ENQ, PEEK};
use super::reference::Reference;
use crate::attributes::{AttributeError, AttributeSet};
use crate::stimulus::Stimulus;
use crate::unit::RealBeat;
use congruent_ports::{ParamSet, error};

/// Output channels by position in the table's outputs.
const ADMIT: usize = 0;
const GONE: usize = 1;
const PAUSE: usize = 2;
const PEEKED: usize = 3;

/// Plays `stimulus`: in a cycle deq, then enq, then what the other queues do, then peek.
///
/// # Errors
/// Thresholds that do not fit together.
pub fn replay(
    attributes: &AttributeSet,
    params: &ParamSet,
    stimulus: &Stimulus,
) -> Result<Vec<RealBeat>, AttributeError> {
    let mut engine = Engine { reference: Reference::new(attributes, params)?, beats: vec![] };
    let mut at = [0usize; 3];
    loop {
        let head =
            |channel: usize, at: &[usize; 3]| stimulus.streams[channel].not_before(at[channel]);
        let next = [DEQ, ENQ, PEEK].into_iter().filter_map(|channel| head(channel, &at)).min();
        let due = engine.first_due().filter(|cycle| *cycle < stimulus.cycles);
        let Some(cycle) = next.into_iter().chain(due).min() else { return Ok(engine.beats) };
        for channel in [DEQ, ENQ, PEEK] {
            if channel == PEEK {
                engine.others(cycle);
            }
            if head(channel, &at) == Some(cycle) {
                let payload = stimulus.streams[channel].payload(at[channel]);
                at[channel] += 1;
                engine.event(cycle, channel, payload);
            }
        }
    }
}

struct Engine {
    reference: Reference,
    beats: Vec<RealBeat>,
}

impl Engine {
    /// Cycle of the first refresh that comes if nothing else does.
    fn first_due(&self) -> Option<u64> {
        let paused = self.reference.queues.iter().filter(|queue| queue.paused);
        paused.map(|queue| queue.deadline.ceil() as u64).min()
    }

    fn event(&mut self, cycle: u64, channel: usize, payload: &[u64]) {
        let queue = payload[0];
        if queue >= self.reference.queues.len() as u64 {
            let (out, fields) = [(ADMIT, 3), (GONE, 2), (PEEKED, 9)][channel];
            let mut fields = vec![None; fields];
            let last = fields.len() - 1;
            fields[0] = Some(queue as f64);
            fields[last] = Some(error::RANGE as f64);
            self.beats.push(RealBeat { cycle, channel: out, fields });
            return;
        }
        let at = queue as usize;
        match channel {
            ENQ => {
                let Admit { verdict, xoff } =
                    self.reference.enqueue(at, cycle as f64, payload[1] as f64);
                self.push(cycle, ADMIT, &[queue as f64, f64::from(verdict as u8), 0.0]);
                if xoff {
                    self.pause(cycle, at, true, false);
                }
            }
            DEQ => {
                let Gone { resume, error } = self.reference.dequeue(at, payload[1] as f64);
                self.push(cycle, GONE, &[queue as f64, error as f64]);
                if resume {
                    self.pause(cycle, at, false, false);
                }
            }
            _ => {
                let state = &self.reference.queues[at];
                let fields = [
                    queue as f64,
                    state.q,
                    state.h,
                    f64::from(u8::from(state.paused)),
                    0.0,
                    state.deadline,
                    state.drops as f64,
                    state.pauses as f64,
                    0.0,
                ];
                self.push(cycle, PEEKED, &fields);
            }
        }
    }

    /// Queues that may resume because others drained, and pauses that are to be sent again.
    fn others(&mut self, cycle: u64) {
        for at in 0..self.reference.queues.len() {
            if let Some(made) = self.reference.visit(at, cycle as f64) {
                self.pause(cycle, at, made != Visit::Resume, made == Visit::Refresh);
            }
        }
    }

    fn pause(&mut self, cycle: u64, at: usize, xoff: bool, refresh: bool) {
        let flag = |set| f64::from(u8::from(set));
        self.push(cycle, PAUSE, &[at as f64, flag(xoff), flag(refresh)]);
    }

    fn push(&mut self, cycle: u64, channel: usize, fields: &[f64]) {
        let fields = fields.iter().copied().map(Some).collect();
        self.beats.push(RealBeat { cycle, channel, fields });
    }
}
