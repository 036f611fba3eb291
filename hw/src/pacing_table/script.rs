//! Scripts of directed scenarios: beats and changes in any order, and what the golden model makes of
//! them, so that a scenario can aim at the cycle of a decay or a release.

use super::model::{Model, input, output};
use super::timing::Figures;
use super::{BECN, CCT, HEAD, PEEK};
use crate::Golden;
use crate::attributes::AttributeSet;
use crate::stimulus::Stimulus;
use congruent_ports::ParamSet;
use congruent_ports::pacing_table::BLOCK;

/// The parameters of a built-in set.
///
/// # Panics
/// If there is none of that name: a mistake in a scenario.
pub fn params(build: &str) -> ParamSet {
    match BLOCK.build(build) {
        Some(set) => set.params(&BLOCK),
        None => panic!("no parameter set {build}"),
    }
}

/// Beats in any order of their channels and cycles; sorted into streams at the end.
#[derive(Debug, Clone, Default)]
pub struct Script {
    beats: Vec<(usize, u64, Vec<u64>)>,
    ready: Vec<(u64, u64)>,
    cycles: u64,
}

impl Script {
    /// A BECN.
    pub fn becn(&mut self, cycle: u64, dlid: u64) -> &mut Self {
        self.beats.push((BECN, cycle, vec![dlid]));
        self
    }

    /// A packet for a queue.
    pub fn head(&mut self, cycle: u64, queue: u64, dlid: u64, bytes: u64) -> &mut Self {
        self.beats.push((HEAD, cycle, vec![queue, dlid, bytes]));
        self
    }

    /// A write of the CCT.
    pub fn cct(&mut self, cycle: u64, index: u64, shift: u64, multiplier: u64) -> &mut Self {
        self.beats.push((CCT, cycle, vec![index, shift, multiplier]));
        self
    }

    /// A peek.
    pub fn peek(&mut self, cycle: u64, index: u64) -> &mut Self {
        self.beats.push((PEEK, cycle, vec![index]));
        self
    }

    /// grant_ready from a cycle on.
    pub fn ready(&mut self, cycle: u64, ready: bool) -> &mut Self {
        self.ready.push((cycle, u64::from(ready)));
        self
    }

    /// Runs at least so long.
    pub fn until(&mut self, cycles: u64) -> &mut Self {
        self.cycles = cycles;
        self
    }

    /// Beats so far.
    pub fn beats(&self) -> u64 {
        self.beats.len() as u64
    }

    /// As streams.
    pub fn stimulus(&self) -> Stimulus {
        let mut sorted = self.beats.clone();
        sorted.sort_by_key(|(channel, cycle, _)| (*channel, *cycle));
        let mut stimulus = Stimulus::new(&BLOCK);
        for (channel, cycle, payload) in sorted {
            stimulus.push(channel, cycle, &payload);
        }
        for (cycle, value) in &self.ready {
            stimulus.control(0, *cycle, *value);
        }
        stimulus.cycles = stimulus.cycles.max(self.cycles);
        stimulus
    }

    /// Decays of the script so far: cycle of the visit and destination, in order.
    pub fn decays(&self, build: &str, attributes: &AttributeSet) -> Vec<(u64, u64)> {
        self.beats_of(build, attributes, output::DECAY, 2)
    }

    /// Releases of the script so far: cycle of the visit and destination, in order.
    pub fn releases(&self, build: &str, attributes: &AttributeSet) -> Vec<(u64, u64)> {
        self.beats_of(build, attributes, output::RELEASE, 1)
    }

    fn beats_of(
        &self,
        build: &str,
        attributes: &AttributeSet,
        channel: usize,
        dlid: usize,
    ) -> Vec<(u64, u64)> {
        let params = params(build);
        let latency = Figures::of(&params).decay_latency;
        let mut model = Model::new(attributes, &params).unwrap_or_else(|e| panic!("{e}"));
        let stimulus = self.stimulus();
        let mut next = [0; 4];
        let (mut row, mut out) = ([0; input::WORDS], [0; output::WORDS]);
        let mut seen = vec![];
        let valid = [input::BECN_VALID, input::HEAD_VALID, input::CCT_VALID, input::PEEK_VALID];
        for cycle in 0..stimulus.cycles + 1_000 {
            for (channel, stream) in stimulus.streams.iter().enumerate() {
                let offered = stream.not_before(next[channel]).is_some_and(|from| from <= cycle);
                row[valid[channel]] = u64::from(offered);
                if offered {
                    let payload = stream.payload(next[channel]);
                    row[valid[channel] + 1..][..payload.len()].copy_from_slice(payload);
                }
            }
            let last = stimulus.controls[0].iter().take_while(|(from, _)| *from <= cycle).last();
            row[input::GRANT_READY] = last.map_or(1, |(_, value)| *value);
            model.step(&row, &mut out);
            let queue = row[input::HEAD_QUEUE];
            let places = out[output::HEAD_READY];
            let taken = [
                out[output::BECN_READY] != 0,
                queue >= params.get("QUEUES") as u64 || (places >> queue) & 1 != 0,
                true,
                out[output::PEEK_READY] != 0,
            ];
            for channel in 0..4 {
                next[channel] += usize::from(row[valid[channel]] != 0 && taken[channel]);
            }
            if out[channel] == 1 {
                seen.push((cycle - latency, out[channel + dlid]));
            }
        }
        seen
    }
}
