//! The reference as an engine: plays a stimulus event by event, in the page's order within a cycle.

use super::random::{CE, PEEK};
use super::reference::Reference;
use crate::attributes::AttributeSet;
use crate::stimulus::Stimulus;
use crate::unit::RealBeat;
use congruent_ports::{ParamSet, error};

/// Output channels by position in the table's outputs.
const CNP: usize = 0;
const PEEKED: usize = 1;
const ERR: usize = 2;

/// Plays `stimulus`: in a cycle ce, then peek. `last` is in cycles since cycle 0.
pub fn replay(attributes: &AttributeSet, params: &ParamSet, stimulus: &Stimulus) -> Vec<RealBeat> {
    let qps = params.get("QPS") as u64;
    let mut reference = Reference::new(attributes, qps as usize);
    let us = |cycle: u64| cycle as f64 / attributes.real("clock_mhz");
    let mut at = [0usize; 2];
    let mut beats = vec![];
    loop {
        let next = [CE, PEEK]
            .into_iter()
            .filter_map(|c| stimulus.streams[c].not_before(at[c]).map(|cycle| (cycle, c)))
            .min();
        let Some((cycle, channel)) = next else { return beats };
        let qp = stimulus.streams[channel].payload(at[channel])[0];
        at[channel] += 1;
        let (index, number) = (qp as usize, qp as f64);
        let beat = match channel {
            CE if qp >= qps => {
                Some((ERR, vec![Some(0.0), Some(error::RANGE as f64), Some(number)]))
            }
            CE => reference.arrive(index, us(cycle), None).then(|| (CNP, vec![Some(number)])),
            _ if qp >= qps => {
                Some((PEEKED, vec![Some(number), None, None, Some(error::RANGE as f64)]))
            }
            _ => {
                let last = reference.recent(index, us(cycle));
                let recent = f64::from(u8::from(last.is_some()));
                let last = last.map_or(0.0, |us| us * attributes.real("clock_mhz"));
                Some((PEEKED, vec![Some(number), Some(recent), Some(last), Some(0.0)]))
            }
        };
        if let Some((channel, fields)) = beat {
            beats.push(RealBeat { cycle, channel, fields });
        }
    }
}
