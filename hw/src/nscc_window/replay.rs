//! The reference as an engine: plays a stimulus event by event, in the page's order within a cycle.
//! An event counts in the cycle from which it is offered: the reference has no unit that is busy.

use super::model::event_of;
use super::random::{EVT, PEEK};
use super::reference::{self, Constants, Destination, Follow, Report};
use crate::attributes::AttributeSet;
use crate::stimulus::Stimulus;
use crate::unit::RealBeat;
use congruent_ports::{ParamSet, error};

/// Output channels by position in the table's outputs.
const WIN: usize = 0;
const PEEKED: usize = 1;

/// Fields of `peeked`.
const PEEKED_FIELDS: usize = 23;

/// Plays `stimulus`: in a cycle evt, then peek.
pub fn replay(attributes: &AttributeSet, params: &ParamSet, stimulus: &Stimulus) -> Vec<RealBeat> {
    let constants = Constants::new(attributes, params);
    let mut dests: Vec<Option<Destination>> = vec![None; params.get("DESTS") as usize];
    let mut at = [0usize; 2];
    let mut beats = vec![];
    loop {
        let next = [EVT, PEEK]
            .into_iter()
            .filter_map(|c| stimulus.streams[c].not_before(at[c]).map(|cycle| (cycle, c)))
            .min();
        let Some((cycle, channel)) = next else { return beats };
        let payload = stimulus.streams[channel].payload(at[channel]);
        at[channel] += 1;
        beats.push(match channel {
            EVT => event(&constants, &mut dests, cycle, payload),
            _ => peek(&constants, &dests, cycle, payload[0]),
        });
    }
}

fn event(
    constants: &Constants,
    dests: &mut [Option<Destination>],
    cycle: u64,
    payload: &[u64],
) -> RealBeat {
    let (kind, dst) = (payload[0] as f64, payload[1]);
    let now = cycle as f64;
    let mut fields = vec![None; 11];
    (fields[0], fields[1]) = (Some(kind), Some(dst as f64));
    let mut refuse = |code: u64| {
        fields[10] = Some(code as f64);
        RealBeat { cycle, channel: WIN, fields: fields.clone() }
    };
    let Some(slot) = dests.get_mut(dst as usize) else { return refuse(error::RANGE) };
    let mut follow = Follow::default();
    let report = reference::event(constants, slot, now, &event_of(payload), &mut follow);
    let Report { routine, granted, wants_cack, error: code } = report;
    if code == error::CLOSED {
        return refuse(code);
    }
    let state = |value: fn(&Destination) -> f64| slot.as_ref().map_or(0.0, value);
    let flag = |value: bool| f64::from(u8::from(value));
    let fields = [
        kind,
        dst as f64,
        state(|d| d.cwnd),
        state(|d| d.in_flight),
        state(|d| d.base_rtt),
        state(|d| d.avg_delay),
        f64::from(routine as u8),
        flag(granted),
        flag(wants_cack),
        flag(routine == super::core::Routine::QuickAdapt),
        code as f64,
    ];
    RealBeat { cycle, channel: WIN, fields: fields.map(Some).to_vec() }
}

fn peek(constants: &Constants, dests: &[Option<Destination>], cycle: u64, dst: u64) -> RealBeat {
    let mut fields = vec![None; PEEKED_FIELDS];
    fields[0] = Some(dst as f64);
    match dests.get(dst as usize) {
        None => fields[PEEKED_FIELDS - 1] = Some(error::RANGE as f64),
        Some(slot) => {
            let state = slot
                .as_ref()
                .map_or([0.0; PEEKED_FIELDS - 2], |d| shown(constants, d, cycle as f64));
            fields[1..PEEKED_FIELDS - 1].copy_from_slice(&state.map(Some));
            fields[PEEKED_FIELDS - 1] = Some(0.0);
        }
    }
    RealBeat { cycle, channel: PEEKED, fields }
}

/// The fields of `peeked` between `dst` and `error`, in table order.
fn shown(constants: &Constants, d: &Destination, now: f64) -> [f64; PEEKED_FIELDS - 2] {
    let flag = |value: bool| f64::from(u8::from(value));
    let eta_due = constants.eta_due(now, d);
    let qa_over = d.qa_end.is_some_and(|end| now >= end);
    let cut_held = d.last_cut.is_some_and(|cut| now - cut < d.base_rtt);
    [
        1.0,
        d.cwnd,
        d.in_flight,
        d.base_rtt,
        d.avg_delay,
        d.max_window,
        d.pending,
        d.received,
        flag(eta_due),
        if eta_due { 0.0 } else { d.last_eta },
        d.fast_count,
        flag(d.fast_on),
        flag(d.qa_end.is_some()),
        flag(qa_over),
        if qa_over { 0.0 } else { d.qa_end.unwrap_or(0.0) },
        d.qa_bytes,
        flag(d.qa_trigger),
        d.ignore_left,
        flag(cut_held),
        if cut_held { d.last_cut.unwrap_or(0.0) } else { 0.0 },
        d.saved_cwnd.unwrap_or(0.0),
    ]
}
