//! The steered comparison of the reaction point: the golden model passes, with other latencies too,
//! and each way of being wrong is found.

mod pins;

use congruent_hw::rate_limiter::RateLimiter;
use congruent_hw::rate_limiter::model::output;
use congruent_hw::scenario::Leg;
use congruent_hw::steered::{Due, Fault};
use congruent_hw::unit::{DutTiming, Unit};
use congruent_ports::ParamSet;
use congruent_ports::rate_limiter::BLOCK;
use pins::Row;

fn params() -> ParamSet {
    BLOCK.build("dcqcn_short").expect("built in").params(&BLOCK)
}

fn legs() -> Vec<Leg> {
    (0..14).map(|n| RateLimiter.leg(9, n, 6_000, &params())).collect()
}

/// The golden model's rows of a leg.
fn rows(leg: &Leg) -> Vec<Row> {
    pins::rows(&RateLimiter, leg, &params(), 60)
}

/// Each output channel later by so many cycles.
fn later(rows: &[Row], by: [usize; 4]) -> Vec<Row> {
    pins::later(&RateLimiter, &params(), rows, &by)
}

fn play(leg: &Leg, rows: &[Row], by: [usize; 4]) -> Result<u64, Box<Fault>> {
    let mut timing = DutTiming::of(&BLOCK);
    let names = ["rsp_latency", "upd_latency_dcqcn", "peek_latency_dcqcn"];
    for (name, by) in names.into_iter().zip(by) {
        assert!(timing.set(name, Due::After(BLOCK.cycles(name) + by as u64)));
    }
    let mut steered = RateLimiter.steered(&leg.attributes, &params(), &timing).expect("legal");
    let mut updates = 0;
    for (inputs, outputs) in rows {
        steered.step(inputs, outputs)?;
        updates += outputs[output::UPD];
    }
    Ok(updates)
}

#[test]
fn other_latencies_are_congruent() {
    let mut updates = 0;
    for leg in legs() {
        let rows = rows(&leg);
        for by in [[0; 4], [2, 7, 3, 0]] {
            updates += play(&leg, &later(&rows, by), by).unwrap_or_else(|f| panic!("{f:?}"));
        }
    }
    assert!(updates > 5_000, "{updates} updates");
}

/// Faults of the DUT's beats: each must be found in some leg.
#[test]
fn planted_faults_are_found() {
    type Plant = fn(&mut [Row]);
    let plants: [(&str, Plant); 6] = [
        ("a wrong rate", |rows| {
            let upd = rows.iter_mut().filter(|(_, out)| out[output::UPD] == 1).nth(40);
            upd.expect("forty").1[output::UPD + 3] ^= 4;
        }),
        ("a wrong cause", |rows| {
            let upd = rows.iter_mut().filter(|(_, out)| out[output::UPD] == 1).nth(30);
            upd.expect("thirty").1[output::UPD + 2] ^= 1;
        }),
        ("an upd that does not come", |rows| {
            let upd = rows.iter_mut().filter(|(_, out)| out[output::UPD] == 1).nth(20);
            upd.expect("twenty").1[output::UPD] = 0;
        }),
        ("an upd that nothing makes", |rows| {
            let shown = rows.iter().find(|(_, out)| out[output::UPD] == 1);
            let copy = shown.expect("one").1.clone();
            let idle = rows.iter_mut().rev().find(|(_, out)| out[output::UPD] == 0).expect("one");
            let words = output::UPD..output::UPD + 8;
            idle.1[words.clone()].copy_from_slice(&copy[words]);
            // Judged before the rows end.
            let last = rows.len() - 30;
            rows[last].1[output::UPD..output::UPD + 8]
                .copy_from_slice(&copy[output::UPD..output::UPD + 8]);
        }),
        ("a sweep that stops", |rows| {
            let half = rows.len() / 2;
            let (episode, cut) = (0, 6);
            for (_, out) in &mut rows[half..] {
                if out[output::UPD + 2] != episode && out[output::UPD + 2] != cut {
                    out[output::UPD] = 0;
                }
            }
        }),
        ("peeked waiting bytes", |rows| {
            let peeked = rows
                .iter_mut()
                .filter(|(_, out)| out[output::PEEKED] == 1 && out[output::PEEKED + 21] == 0);
            peeked.take(9).for_each(|(_, out)| out[output::PEEKED + 15] ^= 1);
        }),
    ];
    let leg = &legs()[0];
    let sound = rows(leg);
    for (name, plant) in plants {
        let mut rows = sound.clone();
        plant(&mut rows);
        match play(leg, &rows, [0; 4]) {
            Err(fault) => println!("{name}: cycle {}: {}", fault.cycle, fault.message),
            Ok(_) => panic!("{name}: not found"),
        }
    }
}
