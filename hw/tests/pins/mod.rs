//! What the pins of a golden model carry, in the place of a DUT that `steered` comparison judges.

#[path = "../player/mod.rs"]
mod player;

use congruent_hw::scenario::Leg;
use congruent_hw::unit::Unit;
use congruent_ports::{Layout, ParamSet};

/// A row of pins: inputs, of which only what is taken is not 0, and outputs.
pub type Row = (Vec<u64>, Vec<u64>);

/// The golden model's rows of a leg, and `after` more.
pub fn rows(unit: &dyn Unit, leg: &Leg, params: &ParamSet, after: u64) -> Vec<Row> {
    let layout = Layout::new(unit.block(), params);
    let mut golden = unit.golden(&leg.attributes, params).expect("legal");
    let mut rows = vec![];
    player::play(golden.as_mut(), &leg.stimulus, &layout, after, |_, inputs, outputs| {
        let mut taken = inputs.to_vec();
        for channel in layout.channels_in.iter().filter(|c| !c.is_taken(inputs, outputs)) {
            taken[channel.valid..channel.fields + channel.channel.fields.len()].fill(0);
        }
        rows.push((taken, outputs.to_vec()));
    });
    rows
}

/// The same rows, each output channel so many cycles later; channels without a number stay.
#[allow(dead_code)] // not every test has its DUT answer late
pub fn later(unit: &dyn Unit, params: &ParamSet, rows: &[Row], by: &[usize]) -> Vec<Row> {
    let layout = Layout::new(unit.block(), params);
    let mut late = rows.to_vec();
    for (cycle, (_, outputs)) in late.iter_mut().enumerate() {
        for (channel, by) in layout.channels_out.iter().zip(by) {
            let words = channel.valid..channel.fields + channel.channel.fields.len();
            outputs[words.clone()].fill(0);
            if let Some((_, before)) = cycle.checked_sub(*by).map(|n| &rows[n]) {
                outputs[words.clone()].copy_from_slice(&before[words]);
            }
        }
    }
    late
}
