//! The reference as an engine: plays a stimulus event by event, in the page's order within a cycle.
//! Headers and records come at the unit's own pace, so that an ACK has the cycle that it has there.

use super::collect::{Complete, arrivals};
use super::model::STATE_FIELDS;
use super::reference::{self, Constants, Flow, Follow};
use super::script::{ACK, CLOSE, HOP, OPEN, PEEK};
use crate::attributes::AttributeSet;
use crate::stimulus::Stimulus;
use crate::unit::RealBeat;
use congruent_ports::{ParamSet, error};

/// Output channels by position in the table's outputs.
const WIN: usize = 0;
const ERR_OPEN: usize = 1;
const ERR_CLOSE: usize = 2;
const PEEKED: usize = 3;

/// Plays `stimulus`: in a cycle open, close, ack, then peek. Beats come in the order of their events.
pub fn replay(attributes: &AttributeSet, params: &ParamSet, stimulus: &Stimulus) -> Vec<RealBeat> {
    let constants = Constants::new(attributes, params);
    let mut flows: Vec<Option<Flow>> = vec![None; params.get("FLOWS") as usize];
    let streams = &stimulus.streams;
    let acks = arrivals(&streams[ACK], &streams[HOP]);
    let mut events: Vec<(u64, usize, usize)> =
        acks.iter().enumerate().map(|(n, (cycle, _))| (*cycle, ACK, n)).collect();
    for channel in [OPEN, CLOSE, PEEK] {
        let beats = (0..streams[channel].len()).filter_map(|n| streams[channel].not_before(n));
        events.extend(beats.enumerate().map(|(n, cycle)| (cycle, channel, n)));
    }
    let rank = |channel| [OPEN, CLOSE, ACK, PEEK].iter().position(|c| *c == channel);
    events.sort_by_key(|(cycle, channel, n)| (*cycle, rank(*channel), *n));
    events
        .into_iter()
        .filter_map(|(cycle, channel, n)| match channel {
            ACK => Some(ack(&constants, &mut flows, cycle, &acks[n].1)),
            PEEK => Some(peek(&constants, &flows, cycle, streams[PEEK].payload(n)[0])),
            _ => change(&constants, &mut flows, cycle, channel, streams[channel].payload(n)[0]),
        })
        .collect()
}

fn ack(
    constants: &Constants,
    flows: &mut [Option<Flow>],
    cycle: u64,
    Complete { flow, ack }: &Complete,
) -> RealBeat {
    let refuse = |code: u64| {
        let mut fields = vec![None; 7];
        (fields[0], fields[6]) = (Some(*flow as f64), Some(code as f64));
        RealBeat { cycle, channel: WIN, fields }
    };
    let Some(slot) = flows.get_mut(*flow as usize) else { return refuse(error::RANGE) };
    let report = reference::ack(constants, slot, cycle, ack, &mut Follow::default());
    let Some(state) = slot.as_ref().filter(|_| report.error == error::NONE) else {
        return refuse(report.error);
    };
    let fields = [
        *flow as f64,
        state.window,
        constants.pace(state.window),
        state.u,
        state.stage as f64,
        f64::from(report.branch as u8),
        0.0,
    ];
    RealBeat { cycle, channel: WIN, fields: fields.map(Some).to_vec() }
}

/// An open or close; a beat where it is refused.
fn change(
    constants: &Constants,
    flows: &mut [Option<Flow>],
    cycle: u64,
    channel: usize,
    flow: u64,
) -> Option<RealBeat> {
    let code = match (flows.get_mut(flow as usize), channel) {
        (None, _) => error::RANGE,
        (Some(slot), OPEN) => reference::open(constants, slot),
        (Some(slot), _) => reference::close(slot),
    };
    let channel = if channel == OPEN { ERR_OPEN } else { ERR_CLOSE };
    let fields = vec![Some(flow as f64), Some(code as f64)];
    (code != error::NONE).then_some(RealBeat { cycle, channel, fields })
}

fn peek(constants: &Constants, flows: &[Option<Flow>], cycle: u64, flow: u64) -> RealBeat {
    let mut fields = vec![None; STATE_FIELDS + 2];
    fields[0] = Some(flow as f64);
    match flows.get(flow as usize) {
        None => fields[STATE_FIELDS + 1] = Some(error::RANGE as f64),
        Some(slot) => {
            let state = slot.as_ref().map_or([0.0; STATE_FIELDS], |f| shown(constants, f, cycle));
            fields[1..=STATE_FIELDS].copy_from_slice(&state.map(Some));
            fields[STATE_FIELDS + 1] = Some(0.0);
        }
    }
    RealBeat { cycle, channel: PEEKED, fields }
}

/// The fields of `peeked` between `flow` and `error`, in table order. Telemetry is in its own units.
fn shown(constants: &Constants, flow: &Flow, cycle: u64) -> [f64; STATE_FIELDS] {
    let mut fields = [0.0; STATE_FIELDS];
    fields[..6].copy_from_slice(&[
        1.0,
        flow.window,
        flow.reference,
        flow.u,
        flow.stage as f64,
        flow.last_update_seq as f64,
    ]);
    if let Some(stored) = flow.useful(constants, cycle) {
        let hops = stored.telemetry.len() as f64;
        fields[6..10].copy_from_slice(&[1.0, stored.at as f64, stored.path as f64, hops]);
        for (words, hop) in fields[10..].chunks_exact_mut(3).zip(&stored.telemetry) {
            words.copy_from_slice(&hop.map(|word| word as f64));
        }
    }
    fields
}
