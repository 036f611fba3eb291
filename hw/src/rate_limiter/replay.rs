//! The reference as an engine: plays a stimulus event by event, each half at its due time.

use super::core::Cause;
use super::model::PEEKED_FIELDS;
use super::random::{CNP, PEEK, REQ};
use super::reference::{Answer, Constants, Follow, QueuePair, RunReport};
use crate::attributes::AttributeSet;
use crate::stimulus::Stimulus;
use crate::unit::RealBeat;
use congruent_ports::{ParamSet, error};

/// Output channels by position in the table's outputs.
pub(super) const RSP: usize = 0;
const UPD: usize = 1;
pub(super) const PEEKED: usize = 2;
const ERR: usize = 3;

/// Plays `stimulus`. Within a cycle: request, then the half due, then CNP, then peek, as the page
/// orders them; a new rate paces at once.
pub fn replay(attributes: &AttributeSet, params: &ParamSet, stimulus: &Stimulus) -> Vec<RealBeat> {
    let constants = Constants::new(attributes);
    let qps = params.get("QPS") as usize;
    let mut qps: Vec<_> = (0..qps).map(|_| QueuePair::new(&constants)).collect();
    let mut at = [0usize; 3];
    let mut beats = vec![];
    loop {
        let due = qps
            .iter()
            .enumerate()
            .map(|(n, q)| (q.deadline, n))
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .filter(|(deadline, _)| deadline.is_finite() && *deadline < stimulus.cycles as f64);
        let next = [REQ, CNP, PEEK]
            .into_iter()
            .filter_map(|c| stimulus.streams[c].not_before(at[c]).map(|cycle| (cycle, c)))
            .min_by_key(|(cycle, c)| (*cycle, [1, 0, 2][*c]));
        match (due, next) {
            (None, None) => return beats,
            (Some((deadline, n)), next) if half_comes_first(deadline, next) => {
                let report = qps[n].half(&constants, Follow::default());
                beats.push(update(deadline.ceil() as u64, n as u64, &report));
            }
            (_, Some((cycle, channel))) => {
                let payload = stimulus.streams[channel].payload(at[channel]);
                at[channel] += 1;
                event(&constants, &mut qps, cycle, channel, payload, &mut beats);
            }
            (Some(_), None) => {}
        }
    }
}

/// A half due in a cycle runs after that cycle's request and before its CNP and peek.
fn half_comes_first(deadline: f64, next: Option<(u64, usize)>) -> bool {
    next.is_none_or(|(cycle, channel)| {
        deadline < cycle as f64 || (deadline == cycle as f64 && channel != REQ)
    })
}

fn event(
    constants: &Constants,
    qps: &mut [QueuePair],
    cycle: u64,
    channel: usize,
    payload: &[u64],
    beats: &mut Vec<RealBeat>,
) {
    let qp = payload[0];
    let Some(state) = qps.get_mut(qp as usize) else {
        beats.push(refusal(cycle, channel, qp, error::RANGE));
        return;
    };
    match channel {
        REQ if payload[1] == 0 => beats.push(refusal(cycle, REQ, qp, error::ZERO_LENGTH)),
        REQ => {
            let rate = state.rate;
            let answer =
                state.request(constants, cycle as f64, payload[1], rate, Follow::default());
            let (grant, wait) = match answer {
                Answer::Grant => (1.0, 0.0),
                Answer::Wait(cycles) => (0.0, cycles.ceil()),
            };
            let fields = [qp as f64, grant, wait, 0.0].map(Some).to_vec();
            beats.push(RealBeat { cycle, channel: RSP, fields });
        }
        CNP => {
            if let Some(report) = state.cnp(constants, cycle as f64) {
                beats.push(update(cycle, qp, &report));
            }
        }
        _ => beats.push(peeked(cycle, qp, state, constants)),
    }
}

/// The answer to an event that is refused.
pub(super) fn refusal(cycle: u64, channel: usize, qp: u64, code: u64) -> RealBeat {
    let (qp, code) = (Some(qp as f64), Some(code as f64));
    let (channel, fields) = match channel {
        REQ => (RSP, vec![qp, None, None, code]),
        CNP => (ERR, vec![Some(0.0), code, qp]),
        _ => {
            let mut fields = vec![None; PEEKED_FIELDS];
            (fields[0], fields[PEEKED_FIELDS - 1]) = (qp, code);
            (PEEKED, fields)
        }
    };
    RealBeat { cycle, channel, fields }
}

/// A run of the loop.
pub(super) fn update(cycle: u64, qp: u64, report: &RunReport) -> RealBeat {
    let fields = [
        qp as f64,
        f64::from(report.cause as u8),
        report.rate,
        report.target,
        report.estimate,
        report.recovery as f64,
        f64::from(u8::from(report.congested)),
    ];
    debug_assert!(report.congested || report.cause == Cause::End);
    RealBeat { cycle, channel: UPD, fields: fields.map(Some).to_vec() }
}

fn peeked(cycle: u64, qp: u64, state: &QueuePair, constants: &Constants) -> RealBeat {
    let held = cycle as f64 - state.next_send < constants.slack().max(f64::MIN_POSITIVE);
    let in_episode = |value: f64| if state.congested { value } else { 0.0 };
    let fields = [
        qp as f64,
        f64::from(u8::from(state.congested)),
        state.rate,
        state.target,
        in_episode(state.estimate),
        in_episode(state.recovery as f64),
        in_episode(f64::from(state.phase as u8)),
        in_episode(state.skipped as f64),
        in_episode(if state.congested { state.deadline } else { 0.0 }),
        in_episode(state.cnps as f64),
        in_episode(state.packets as f64),
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
        f64::from(u8::from(held)),
        if held { state.next_send } else { 0.0 },
        0.0,
    ];
    RealBeat { cycle, channel: PEEKED, fields: fields.map(Some).to_vec() }
}
