//! The steered comparison of `pfc_threshold`: the golden model with other latencies passes, a sweep
//! in another order passes, and each way of being wrong is found and named.

mod pins;

use congruent_hw::Golden;
use congruent_hw::pfc_threshold::model::{Model, output};
use congruent_hw::pfc_threshold::{PfcThreshold, random};
use congruent_hw::scenario::Leg;
use congruent_hw::steered::{Due, Fault};
use congruent_hw::stimulus::Stimulus;
use congruent_hw::unit::{DutTiming, Unit};
use congruent_ports::ParamSet;
use congruent_ports::pfc_threshold::BLOCK;
use pins::Row;

/// Position of the channel in the table.
const PEEK: usize = 2;

const LATENCIES: [&str; 4] = ["admit_latency", "gone_latency", "pause_latency", "peek_latency"];

fn params() -> ParamSet {
    BLOCK.build("short").expect("built in").params(&BLOCK)
}

/// The golden model's rows of a leg, each output channel later by so many cycles.
fn rows(leg: &Leg, later: [usize; 4]) -> Vec<Row> {
    let rows = pins::rows(&PfcThreshold, leg, &params(), 60);
    pins::later(&PfcThreshold, &params(), &rows, &later)
}

fn play(leg: &Leg, rows: &[Row], later: [usize; 4]) -> Result<Vec<u64>, Box<Fault>> {
    let mut timing = DutTiming::of(&BLOCK);
    for (name, later) in LATENCIES.into_iter().zip(later) {
        assert!(timing.set(name, Due::After(BLOCK.cycles(name) + later as u64)));
    }
    let mut steered = PfcThreshold.steered(&leg.attributes, &params(), &timing).expect("legal");
    for (inputs, outputs) in rows {
        steered.step(inputs, outputs)?;
    }
    steered.finish()?;
    Ok(steered.cover().counts().to_vec())
}

/// One leg of each kind.
fn legs() -> Vec<Leg> {
    (0..8).map(|n| random::leg(4, n, 3_000, &params())).collect()
}

/// Steered by the model's own rows, the core counts the same rows of coverage as the model.
#[test]
fn the_model_is_congruent_with_itself_at_any_latency() {
    for leg in legs() {
        for later in [[0, 0, 0, 0], [3, 0, 2, 9], [1, 7, 5, 5]] {
            let rows = rows(&leg, later);
            let counts = play(&leg, &rows, later).unwrap_or_else(|fault| panic!("{fault:?}"));
            let mut model = Model::new(&leg.attributes, &params()).expect("legal");
            for (inputs, _) in &rows {
                model.step(inputs, &mut [0; output::WORDS]);
            }
            for ((row, steered), own) in
                BLOCK.coverage.iter().zip(counts).zip(model.cover().counts())
            {
                // A visit that makes nothing does not show, nor does a beat that is still on its way;
                // and a deq that resumes may be taken for a visit just before it.
                let unseen = [
                    "below_resume_offset",
                    "threshold_zero",
                    "xon_one_over",
                    "static_xon_one_over",
                    "deq_resume_in_refresh_cycle",
                    "resume_by_deq",
                    "resume_by_sweep",
                    "resume_in_refresh_cycle",
                    "xoff_in_resume_cycle",
                    "resume_and_xoff_same_cycle",
                ];
                let on_its_way = 6 * u64::from(row.name == "refresh");
                assert!(
                    own.abs_diff(steered) <= on_its_way || unseen.contains(&row.name),
                    "{}: {steered}, {own}",
                    row.name
                );
            }
        }
    }
}

/// Plants something into the rows of the legs from cycle 300 on, the first time that it can be; the
/// faults that are found.
fn plant(change: impl Fn(&mut Row) -> bool) -> Vec<Fault> {
    let mut faults = vec![];
    for leg in legs() {
        let mut rows = rows(&leg, [0; 4]);
        if rows.iter_mut().skip(300).any(&change) {
            faults.push(*play(&leg, &rows, [0; 4]).expect_err("not found"));
        }
    }
    assert!(!faults.is_empty(), "nothing to plant it into");
    faults
}

fn pause(outputs: &[u64], xoff: u64, refresh: u64) -> bool {
    outputs[output::PAUSE..output::PAUSE + 4] == [1, outputs[output::PAUSE + 1], xoff, refresh]
}

#[test]
fn a_wrong_verdict_is_found() {
    for fault in plant(|(_, outputs)| {
        let answers = outputs[output::ADMIT] != 0 && outputs[output::ADMIT + 3] == 0;
        outputs[output::ADMIT + 2] ^= u64::from(answers);
        answers
    }) {
        assert_eq!((fault.channel, fault.field), (0, Some(1)), "{fault:?}");
    }
}

#[test]
fn a_pause_that_is_missing_or_made_up_is_found() {
    for (xoff, refresh) in [(1, 0), (0, 0)] {
        for fault in plant(|(_, outputs)| {
            let found = pause(outputs, xoff, refresh);
            outputs[output::PAUSE] &= u64::from(!found);
            found
        }) {
            // Without its resume a queue seems paused: the next answer may show it first.
            assert!(fault.channel == 2 || xoff == 0, "{fault:?}");
        }
    }
    for fault in plant(|(_, outputs)| {
        let free = outputs[output::PAUSE] == 0;
        if free {
            outputs[output::PAUSE..output::PAUSE + 4].copy_from_slice(&[1, 3, 1, 0]);
        }
        free
    }) {
        assert_eq!(fault.channel, 2, "{fault:?}");
    }
}

#[test]
fn a_refresh_that_never_comes_is_found() {
    // Without peeks, which would show the deadline first.
    let mut leg = random::leg(4, 1, 3_000, &params());
    leg.stimulus.streams[PEEK] = Stimulus::new(&BLOCK).streams[PEEK].clone();
    let mut rows = rows(&leg, [0; 4]);
    let mut taken = 0;
    for (_, outputs) in &mut rows {
        if pause(outputs, 1, 1) {
            outputs[output::PAUSE] = 0;
            taken += 1;
        }
    }
    assert!(taken > 10);
    let fault = play(&leg, &rows, [0; 4]).expect_err("not found");
    assert!(fault.message.contains("Refresh has been due for"), "{fault:?}");
}

#[test]
fn a_refresh_that_comes_early_is_found() {
    let mut found = 0;
    for leg in legs() {
        let mut rows = rows(&leg, [0; 4]);
        // An idle stretch in front of a refresh: a few cycles early nothing is in the way.
        let quiet = |n: usize, rows: &[Row]| {
            pause(&rows[n].1, 1, 1)
                && rows[n - 12..n].iter().all(|(inputs, outputs)| {
                    outputs[output::PAUSE] == 0 && inputs.iter().all(|word| *word == 0)
                })
        };
        let Some(at) = (20..rows.len()).find(|n| quiet(*n, &rows)) else { continue };
        let beat = rows[at].1[output::PAUSE..output::PAUSE + 4].to_vec();
        rows[at].1[output::PAUSE] = 0;
        rows[at - 11].1[output::PAUSE..output::PAUSE + 4].copy_from_slice(&beat);
        // Served late by less than that, it is early now.
        match play(&leg, &rows, [0; 4]) {
            Err(fault) if fault.message.contains("cycles early") => found += 1,
            other => assert!(other.is_ok(), "{other:?}"),
        }
    }
    assert!(found > 0);
}

#[test]
fn a_resume_by_the_sweep_that_is_not_allowed_is_found() {
    for fault in plant(|(inputs, outputs)| {
        // A refresh is the sweep's, and its queue is above the threshold.
        let found = pause(outputs, 1, 1) && inputs.iter().all(|word| *word == 0);
        if found {
            outputs[output::PAUSE + 2] = 0;
            outputs[output::PAUSE + 3] = 0;
        }
        found
    }) {
        assert_eq!(fault.channel, 2, "{fault:?}");
    }
}

#[test]
fn a_wrong_level_at_the_end_is_found() {
    for (word, name) in [
        (output::POOL, "pool"),
        (output::STAT_OWED, "stat_owed"),
        (output::STAT_DROPS, "stat_drops"),
    ] {
        let leg = &legs()[0];
        let mut rows = rows(leg, [0; 4]);
        rows.last_mut().expect("rows").1[word] += 1;
        let fault = play(leg, &rows, [0; 4]).expect_err("not found");
        assert!(fault.message.contains(name), "{fault:?}");
    }
}

#[test]
fn the_state_after_a_run_is_what_peeks_show() {
    let leg = &legs()[0];
    let steered =
        PfcThreshold.steered(&leg.attributes, &params(), &DutTiming::of(&BLOCK)).expect("legal");
    assert_eq!(steered.state(7), Some(vec![7, 0, 0, 0, 0, 0, 0, 0, 0]));
    assert_eq!(steered.state(8), None);
}
