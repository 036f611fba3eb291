//! The reference as an engine answers scenarios as the golden model does, cycle by cycle where the
//! page leaves no room: BECNs at their cycle, decays late by the sweep at the most, grants as many.

mod player;

use congruent_hw::pacing_table::PacingTable;
use congruent_hw::unit::Unit;
use congruent_ports::Layout;
use congruent_ports::pacing_table::BLOCK;

type Beat = (u64, Vec<u64>);

/// Beats of an output channel: the model's, their latency taken off, and the reference's.
fn beats(name: &str, channel: &str, latency: &str) -> (Vec<Beat>, Vec<Beat>) {
    let scenarios = PacingTable.scenarios();
    let scenario = scenarios.iter().find(|s| s.name == name).expect("a scenario");
    let params = BLOCK.build(scenario.build).expect("built in").params(&BLOCK);
    let layout = Layout::new(&BLOCK, &params);
    let leg = &scenario.leg;
    let at = layout.channels_out.iter().position(|c| c.channel.name == channel).expect("output");
    let words = &layout.channels_out[at];
    let fields = words.fields..words.fields + words.channel.fields.len();
    let mut model = PacingTable.golden(&leg.attributes, &params).expect("legal");
    let mut got = vec![];
    player::play(model.as_mut(), &leg.stimulus, &layout, 0, |cycle, _, out| {
        if out[words.valid] == 1 {
            got.push((cycle - BLOCK.cycles(latency), out[fields.clone()].to_vec()));
        }
    });
    let reference = PacingTable.reference(&leg.attributes, &params, &leg.stimulus).expect("legal");
    let exact = reference.iter().filter(|beat| beat.channel == at);
    let whole = |field: &Option<f64>| field.expect("no error") as u64;
    let exact = exact.map(|beat| (beat.cycle, beat.fields.iter().map(whole).collect())).collect();
    (got, exact)
}

#[test]
fn becns_are_answered_alike() {
    for name in ["increase_saturates", "increase_skips", "trigger_threshold", "entries_64"] {
        for channel in ["upd", "evict", "log"] {
            let (got, exact) = beats(name, channel, "upd_latency");
            assert_eq!(got, exact, "{name}, {channel}");
            let none = channel == "evict" && !name.starts_with("en") && name != "increase_skips"
                || channel == "log" && !["increase_saturates", "trigger_threshold"].contains(&name);
            assert_eq!(got.is_empty(), none, "{name}, {channel}");
        }
    }
}

#[test]
fn decays_are_late_by_the_sweep_at_the_most() {
    for (name, decays) in [("ten_becns_and_silence", 10), ("trigger_threshold", 5)] {
        let (got, exact) = beats(name, "decay", "decay_latency");
        assert!(got.len() >= decays, "{name}: {}", got.len());
        for ((late, got), (due, exact)) in got.iter().zip(&exact) {
            assert_eq!(got, exact, "{name}");
            assert!((*due..*due + 4).contains(late), "{name}: due {due}, served {late}");
        }
    }
}

#[test]
fn packets_go_in_the_same_order() {
    for name in ["round_robin", "heads_wait_in_line", "ends_of_the_dlid"] {
        let order = |beats: &[Beat]| -> Vec<(u64, u64)> {
            beats.iter().map(|(_, fields)| (fields[0], fields[1])).collect()
        };
        let (got, exact) = beats(name, "grant", "grant_latency");
        assert!(got.len() > 10, "{name}");
        let (mut got, mut exact) = (order(&got), order(&exact));
        // Arbitration depends on when a place is free again: each queue's own order does not.
        got.sort_by_key(|(queue, _)| *queue);
        exact.sort_by_key(|(queue, _)| *queue);
        assert_eq!(got, exact, "{name}");
    }
}
