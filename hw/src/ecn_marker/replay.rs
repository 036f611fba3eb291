//! The reference as an engine: plays a stimulus event by event, in the page's order within a cycle.

use super::core::{Mark, Packet};
use super::random::{DEQ, ENQ, PEEK};
use super::reference::{Follow, Reference};
use crate::attributes::{AttributeError, AttributeSet};
use crate::stimulus::Stimulus;
use crate::unit::RealBeat;
use congruent_ports::{ParamSet, error};

/// Output channels by position in the table's outputs.
const MARK: usize = 0;
const AVG: usize = 1;
const PEEKED: usize = 2;

/// Plays `stimulus`: in a cycle deq, then enq, then peek.
///
/// # Errors
/// Thresholds that do not fit together.
pub fn replay(
    attributes: &AttributeSet,
    params: &ParamSet,
    stimulus: &Stimulus,
) -> Result<Vec<RealBeat>, AttributeError> {
    let mut reference = Reference::new(attributes, params)?;
    let mut at = [0usize; 3];
    let mut beats = vec![];
    loop {
        let next = [DEQ, ENQ, PEEK]
            .into_iter()
            .filter_map(|c| stimulus.streams[c].not_before(at[c]).map(|cycle| (cycle, c)))
            .min_by_key(|(cycle, c)| (*cycle, [1, 0, 2][*c]));
        let Some((cycle, channel)) = next else { return Ok(beats) };
        let payload = stimulus.streams[channel].payload(at[channel]);
        at[channel] += 1;
        beats.push(event(&mut reference, cycle, channel, payload));
    }
}

fn event(reference: &mut Reference, cycle: u64, channel: usize, payload: &[u64]) -> RealBeat {
    let out = [AVG, MARK, PEEKED][channel];
    let queue = payload[0];
    if queue >= reference.queues.len() as u64 {
        return refusal(cycle, out, queue, error::RANGE);
    }
    let at = queue as usize;
    let fields = match channel {
        DEQ => {
            let (bytes, ecn, has_credits) = (payload[1], payload[2], payload[3] != 0);
            let packet = Packet { bytes, ecn, has_credits };
            let Mark { ecn, marked, error } = reference.dequeue(at, &packet, Follow::default());
            if error != error::NONE {
                return refusal(cycle, out, queue, error);
            }
            vec![queue as f64, ecn as f64, f64::from(u8::from(marked)), 0.0]
        }
        ENQ => {
            reference.enqueue(at, payload[1]);
            let state = &reference.queues[at];
            vec![queue as f64, state.occupancy as f64, state.average, 0.0]
        }
        _ => {
            let state = &reference.queues[at];
            vec![
                queue as f64,
                state.occupancy as f64,
                state.average,
                f64::from(u8::from(state.congested)),
                if state.congested { state.skip as f64 } else { 0.0 },
                state.acc,
                state.marked as f64,
                state.eligible as f64,
                f64::from(reference.lfsr),
                0.0,
            ]
        }
    };
    RealBeat { cycle, channel: out, fields: fields.into_iter().map(Some).collect() }
}

fn refusal(cycle: u64, channel: usize, queue: u64, code: u64) -> RealBeat {
    let mut fields = vec![None; [4, 4, 10][channel]];
    let last = fields.len() - 1;
    fields[0] = Some(queue as f64);
    fields[last] = Some(code as f64);
    RealBeat { cycle, channel, fields }
}
