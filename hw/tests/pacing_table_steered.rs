//! `steered` comparison of `pacing_table`, the golden model in the DUT's place: it passes as it is,
//! and no beat of it can be bent, dropped, moved or made up.

mod player;

use congruent_hw::pacing_table::PacingTable;
use congruent_hw::pacing_table::model::{input, output};
use congruent_hw::random::Draw;
use congruent_hw::unit::{DutTiming, Unit};
use congruent_ports::pacing_table::BLOCK;
use congruent_ports::{Dir, Layout, ParamSet};

type Row = (Vec<u64>, Vec<u64>);

/// Rows of a random leg and its drain, and what is said of them.
struct Run {
    params: ParamSet,
    leg: congruent_hw::scenario::Leg,
    rows: Vec<Row>,
}

impl Run {
    fn new(build: &str, n: u64) -> Self {
        let params = BLOCK.build(build).expect("built in").params(&BLOCK);
        let layout = Layout::new(&BLOCK, &params);
        let leg = PacingTable.leg(5, n, 4_000, &params);
        let mut model = PacingTable.golden(&leg.attributes, &params).expect("legal");
        let mut rows: Vec<Row> = vec![];
        player::play(model.as_mut(), &leg.stimulus, &layout, 200, |_, inputs, outputs| {
            let mut inputs = inputs.to_vec();
            for channel in &layout.channels_in {
                if !channel.is_ready(&inputs, outputs) {
                    inputs[channel.valid] = 0;
                }
            }
            rows.push((inputs, outputs.to_vec()));
        });
        Self { params, leg, rows }
    }

    fn judge(&self, rows: &[Row]) -> Result<(), String> {
        let timing = DutTiming::of(&BLOCK);
        let mut steered =
            PacingTable.steered(&self.leg.attributes, &self.params, &timing).expect("legal");
        for (inputs, outputs) in rows {
            steered.step(inputs, outputs).map_err(|fault| fault.message)?;
        }
        steered.finish().map_err(|fault| fault.message)
    }
}

#[test]
fn the_golden_model_passes() {
    for build in ["default", "one", "four", "large"] {
        for n in 0..28 {
            let run = Run::new(build, n);
            run.judge(&run.rows).unwrap_or_else(|why| panic!("{build}, leg {n}: {why}"));
        }
    }
}

/// Every output field and valid bit, flipped once where it counts; beats moved by a cycle.
#[test]
fn nothing_can_be_bent() {
    let mut draw = Draw::new(1, "steered");
    for build in ["default", "one", "four"] {
        let layout = Layout::new(&BLOCK, &BLOCK.build(build).expect("built in").params(&BLOCK));
        let mut caught = vec![0; layout.outputs.len()];
        for n in 0..14 {
            let run = Run::new(build, n);
            // Late rows are not judged: what they cause has not all come out.
            let judged = run.rows.len() - 100;
            for channel in layout.channels_out.iter() {
                let shown: Vec<usize> =
                    (0..judged).filter(|at| run.rows[*at].1[channel.valid] == 1).collect();
                if shown.is_empty() {
                    continue;
                }
                for field in 0..channel.channel.fields.len() {
                    let port = channel.fields + field;
                    let role = channel.channel.fields[field].role;
                    let at = draw.pick(&shown);
                    // What depends on the sweep is compared only where it still counts; payload
                    // under an error code is not.
                    let error = channel.channel.error();
                    let refused = error.is_some_and(|e| run.rows[at].1[channel.fields + e] != 0);
                    if role == congruent_ports::FieldRole::SweepTimed
                        || refused && role == congruent_ports::FieldRole::Payload
                    {
                        continue;
                    }
                    let mut rows = run.rows.clone();
                    rows[at].1[port] ^= 1;
                    let name = &layout.outputs[port].name;
                    assert!(run.judge(&rows).is_err(), "{build}, leg {n}: {name} in cycle {at}");
                    caught[port] += 1;
                }
                let at = draw.pick(&shown);
                let mut rows = run.rows.clone();
                rows[at].1[channel.valid] = 0;
                let name = channel.channel.name;
                assert!(run.judge(&rows).is_err(), "{build}, leg {n}: {name} dropped in {at}");
                let mut rows = run.rows.clone();
                let first = channel.valid;
                let last = first + channel.channel.fields.len();
                if rows[at + 1].1[first] == 0 {
                    let beat = rows[at].1[first..=last].to_vec();
                    rows[at].1[first] = 0;
                    rows[at + 1].1[first..=last].copy_from_slice(&beat);
                    // A decay a cycle later is another legal sweep, where nothing else met it.
                    let may = name == "decay" || name == "release" || name == "grant";
                    assert!(may || run.judge(&rows).is_err(), "{build}, leg {n}: {name} late {at}");
                }
                caught[channel.valid] += 1;
            }
            let at = draw.below(judged as u64) as usize;
            let mut rows = run.rows.clone();
            rows[at + 1].1[output::STALLED] ^= 1;
            assert!(run.judge(&rows).is_err(), "{build}, leg {n}: stalled in {at}");
        }
        let outputs = BLOCK.channels.iter().filter(|c| c.dir == Dir::Out).count();
        assert_eq!(layout.channels_out.len(), outputs);
        for channel in &layout.channels_out {
            assert!(caught[channel.valid] > 0, "{build}: no beat of {}", channel.channel.name);
        }
    }
}

/// A grant in a cycle without grant_ready, and a head that never goes.
#[test]
fn grants_are_held_to_the_page() {
    let run = Run::new("four", 0);
    let latency = BLOCK.cycles("grant_latency") as usize;
    let granted = (latency..run.rows.len() - 100).find(|at| run.rows[*at].1[output::GRANT] == 1);
    let mut rows = run.rows.clone();
    rows[granted.expect("a grant") - latency].0[input::GRANT_READY] = 0;
    assert!(run.judge(&rows).is_err());
    let mut rows = run.rows.clone();
    for (_, outputs) in &mut rows {
        if outputs[output::GRANT + 1] == 3 {
            outputs[output::GRANT] = 0;
        }
    }
    assert!(run.judge(&rows).is_err());
}
