//! `hpcc_window` against its own core under another timing, and against its f64 reference as an
//! engine: the golden model's rows pass, a planted fault does not.

mod pins;

use congruent_hw::hpcc_window::model::{STATE_FIELDS, output};
use congruent_hw::hpcc_window::{HpccWindow, random};
use congruent_hw::scenario::Leg;
use congruent_hw::steered::Fault;
use congruent_hw::unit::{DutTiming, Unit};
use congruent_ports::hpcc_window::{BLOCK, PACE_FRAC};
use congruent_ports::{ParamSet, error};
use pins::Row;

fn params() -> ParamSet {
    BLOCK.build("short").expect("built in").params(&BLOCK)
}

/// The golden model's rows of a leg.
fn rows(leg: &Leg) -> Vec<Row> {
    pins::rows(&HpccWindow, leg, &params(), 200)
}

fn play(leg: &Leg, rows: &[Row]) -> Result<(), Box<Fault>> {
    let timing = DutTiming::of(&BLOCK);
    let mut steered = HpccWindow.steered(&leg.attributes, &params(), &timing).expect("legal");
    for (inputs, outputs) in rows {
        steered.step(inputs, outputs)?;
    }
    steered.finish()
}

/// A leg of each turn of the attributes, and of each format.
fn legs() -> [Leg; 8] {
    std::array::from_fn(|n| random::leg(4, n as u64, 3_000, &params()))
}

#[test]
fn the_golden_model_is_congruent_with_the_steered_core() {
    for leg in legs() {
        play(&leg, &rows(&leg)).unwrap_or_else(|fault| panic!("{fault:?}"));
    }
}

/// A bit of a field flipped in one beat without error is found, in every field of every output.
#[test]
fn every_field_is_compared() {
    let channels =
        [(output::WIN, 8), (output::ERR_OPEN, 3), (output::ERR_CLOSE, 3), (output::PEEKED, 28)];
    let [leg, ..] = legs();
    let clean = rows(&leg);
    for (number, (valid, words)) in channels.into_iter().enumerate() {
        let beat = clean.iter().position(|(_, outputs)| {
            let last = outputs[valid + words - 1];
            outputs[valid] != 0 && (last == error::NONE || words == 3)
        });
        let beat = beat.expect("a beat of every output");
        for word in 1..words {
            let mut planted = clean.clone();
            planted[beat].1[valid + word] ^= 1;
            let fault = play(&leg, &planted).expect_err("not found");
            assert_eq!((fault.channel, fault.field), (number, Some(word - 1)), "{fault:?}");
        }
        let mut planted = clean.clone();
        planted[beat].1[valid] = 0;
        assert_eq!(play(&leg, &planted).expect_err("not found").channel, number);
    }
}

/// The engine's beats are the model's, in natural units and in the order of their events.
#[test]
fn the_reference_engine_answers_what_the_model_does() {
    for leg in legs() {
        let beats = HpccWindow.reference(&leg.attributes, &params(), &leg.stimulus).expect("legal");
        let channel = |n: usize| beats.iter().filter(move |beat| beat.channel == n);
        let shown = |valid: usize, words: usize| {
            let rows = rows(&leg).into_iter().map(|(_, outputs)| outputs);
            let beats = rows.filter(move |outputs| outputs[valid] != 0);
            beats.map(move |outputs| outputs[valid + 1..valid + words].to_vec()).collect::<Vec<_>>()
        };
        for (n, valid) in [(1, output::ERR_OPEN), (2, output::ERR_CLOSE)] {
            let ours: Vec<Vec<u64>> = shown(valid, 3);
            let theirs: Vec<Vec<u64>> = channel(n)
                .map(|beat| beat.fields.iter().map(|f| f.expect("a value") as u64).collect())
                .collect();
            assert_eq!(ours, theirs);
        }
        let wins = shown(output::WIN, 8);
        assert_eq!(wins.len(), channel(0).count());
        let mut compared = 0;
        for (own, beat) in wins.iter().zip(channel(0)) {
            let fields = &beat.fields;
            assert_eq!((Some(own[0] as f64), Some(own[6] as f64)), (fields[0], fields[6]));
            assert_eq!(fields[1].is_none(), own[6] != error::NONE, "masked under an error");
            let Some(rate) = fields[2].filter(|rate| *rate < 2000.0) else { continue };
            // R follows W; where Eta lies between both values of U the branches differ for a while.
            let ours = own[2] as f64 / f64::from(1 << PACE_FRAC);
            compared += u64::from((ours - rate).abs() <= 0.002 * rate + 0.001);
        }
        assert!(compared * 10 > wins.len() as u64 * 8, "{compared} of {}", wins.len());
        let peeks = shown(output::PEEKED, STATE_FIELDS + 3);
        assert_eq!(peeks.len(), channel(3).count());
    }
}
