//! The numbers that the page of `pacing_table` must reproduce, on the core, the reference and the
//! golden model.

mod player;

use congruent_hw::attributes::{AttributeSet, Value};
use congruent_hw::pacing_table::cct;
use congruent_hw::pacing_table::cfg::configure;
use congruent_hw::pacing_table::core::{self, Cfg, Entry, Row};
use congruent_hw::pacing_table::model::{Model, input, output};
use congruent_hw::pacing_table::reference::{Constants, Reference};
use congruent_hw::pacing_table::timing::Figures;
use congruent_hw::pacing_table::{BECN, CCT, HEAD};
use congruent_hw::stimulus::Stimulus;
use congruent_ports::pacing_table::BLOCK;
use congruent_ports::{Layout, ParamSet};

type Change = (&'static str, Value);

/// The page's numbers are at 500 MHz: a cycle is 2 ns.
const NS: f64 = 2.0;

fn set(changes: &[Change]) -> (AttributeSet, ParamSet, Cfg) {
    let (attributes, params) =
        (AttributeSet::defaults(&BLOCK).with(changes), ParamSet::defaults(&BLOCK));
    let cfg = configure(&attributes, &params).expect("legal");
    (attributes, params, cfg)
}

fn ns(cfg: &Cfg, cycles: u64) -> f64 {
    cycles as f64 / f64::from(1u32 << cfg.time_frac) * NS
}

/// 4154 B at 400 Gbps: 83.08 ns; at ccti 3 with the linear table a packet every 332.32 ns.
#[test]
fn packet_time_and_gap_of_the_linear_table() {
    let (attributes, params, cfg) = set(&[]);
    assert!((ns(&cfg, core::packet_time(&cfg, 4154)) - 83.08).abs() < 1e-4);
    assert!((ns(&cfg, core::gap(&cfg, 4154, Row::linear(3))) - 332.32).abs() < 1e-3);
    let exact = Constants::new(&attributes, &params);
    assert!((exact.packet_time(4154) * NS - 83.08).abs() < 1e-9);
    assert!((exact.gap(4154, (0, 3)) * NS - 332.32).abs() < 1e-9);
}

/// Three BECNs, then a queue that always has a packet of 4154 B: 100 Gbps on average.
#[test]
fn a_quarter_of_the_line_at_ccti_three() {
    let (attributes, params, _) = set(&[("ccti_timer", Value::Integer(0))]);
    let mut stimulus = Stimulus::new(&BLOCK);
    for n in 0..3 {
        stimulus.push(BECN, n, &[0x1234]);
    }
    for _ in 0..402 {
        stimulus.push(HEAD, 20, &[5, 0x1234, 4154]);
    }
    let layout = Layout::new(&BLOCK, &params);
    let mut model = Model::new(&attributes, &params).expect("legal");
    let mut grants = vec![];
    player::play(&mut model, &stimulus, &layout, 1_000, |cycle, _, out| {
        if out[output::GRANT] == 1 {
            grants.push(cycle);
        }
    });
    assert_eq!(grants.len(), 402);
    let between = (grants[401] - grants[1]) as f64 * NS / 400.0;
    assert!((between - 332.32).abs() < NS / 400.0, "{between} ns");
    let gbps = 4154.0 * 8.0 / between;
    assert!((gbps - 100.0).abs() < 0.01, "{gbps} Gbps");
}

/// Shift 2, multiplier 5: the delay is 1.25 T.
#[test]
fn shift_and_multiplier() {
    let (attributes, params, cfg) = set(&[]);
    let row = Row { shift: 2, multiplier: 5 };
    let packet_time = core::packet_time(&cfg, 4154);
    // UQ.19 against UQ.16: eight times as many.
    assert_eq!(core::delay(packet_time, row), 10 * packet_time);
    let exact = Constants::new(&attributes, &params);
    let delay = exact.gap(4154, (2, 5)) - exact.packet_time(4154);
    assert!((delay - 1.25 * 41.54).abs() < 1e-9);
}

/// With DelayBase mtu the delay of a small packet is that of MaxPacketBytes.
#[test]
fn delay_in_the_time_of_the_largest_packet() {
    let mtu = [("delay_base", Value::Name("mtu"))];
    let (attributes, params, cfg) = set(&mtu);
    // 64 B: 1.28 ns; 4154 B: 83.08 ns.
    let expected = 1.28 + 3.0 * 83.08;
    assert!((ns(&cfg, core::gap(&cfg, 64, Row::linear(3))) - expected).abs() < 1e-3);
    let exact = Constants::new(&attributes, &params);
    assert!((exact.gap(64, (0, 3)) * NS - expected).abs() < 1e-9);
}

/// Beats of `decay` and `release` of one run, as (cycle of the visit, ccti), and the release's.
fn decays(
    attributes: &AttributeSet,
    becns: u64,
    until: u64,
) -> (Vec<(u64, u64)>, Option<u64>, u64) {
    let params = ParamSet::defaults(&BLOCK);
    let mut stimulus = Stimulus::new(&BLOCK);
    for n in 0..becns {
        stimulus.push(BECN, n, &[77]);
    }
    stimulus.cycles = until;
    let layout = Layout::new(&BLOCK, &params);
    let mut model = Model::new(attributes, &params).expect("legal");
    let (mut decays, mut release, mut highest) = (vec![], None, 0);
    let latency = BLOCK.cycles("decay_latency");
    player::play(&mut model, &stimulus, &layout, 0, |cycle, _, out| {
        if out[output::UPD] == 1 {
            highest = out[output::UPD + 3];
        }
        if out[output::DECAY] == 1 {
            decays.push((cycle - latency, out[output::DECAY + 3]));
        }
        if out[output::RELEASE] == 1 {
            assert_eq!(out[output::RELEASE + 1], 77);
            release = Some(cycle - latency);
        }
    });
    (decays, release, highest)
}

/// 10 BECNs at once, then silence: ccti 10, released after 10 x 153.6 us = 1.536 ms, and each decay
/// late by the sweep at the most.
#[test]
fn ten_becns_and_silence() {
    let (attributes, _, _) = set(&[]);
    let (decays, release, highest) = decays(&attributes, 10, 780_000);
    assert_eq!(highest, 10);
    assert_eq!(decays.len(), 10);
    let most = 64 + BLOCK.cycles("pipeline");
    for (n, (cycle, ccti)) in decays.iter().enumerate() {
        // 153.6 us are 76 800 cycles, from the first BECN's cycle 0.
        let due = 76_800 * (n as u64 + 1);
        assert!((due..=due + most).contains(cycle), "decay {n} in cycle {cycle}");
        assert_eq!(*ccti, 9 - n as u64);
    }
    let release = release.expect("released");
    assert_eq!(release, decays[9].0);
    // 1.536 ms
    assert!((768_000..=768_000 + most).contains(&release));
}

/// ENTRIES 4, BECNs for A B C D, a packet granted to A, BECN for E: B is evicted. BECN for F: C.
#[test]
fn a_packet_decides_the_victim() {
    let params = ParamSet::with(&BLOCK, [("ENTRIES", 4)]).expect("legal");
    let attributes = AttributeSet::defaults(&BLOCK);
    let mut stimulus = Stimulus::new(&BLOCK);
    for (n, dlid) in [0xa, 0xb, 0xc, 0xd].into_iter().enumerate() {
        stimulus.push(BECN, n as u64, &[dlid]);
    }
    stimulus.push(HEAD, 10, &[0, 0xa, 4154]);
    stimulus.push(BECN, 60, &[0xe]);
    stimulus.push(BECN, 70, &[0xf]);
    let mut model = Model::new(&attributes, &params).expect("legal");
    let mut evicted = vec![];
    player::play(&mut model, &stimulus, &Layout::new(&BLOCK, &params), 50, |_, _, out| {
        if out[output::EVICT] == 1 {
            evicted.push(out[output::EVICT + 1]);
        }
    });
    assert_eq!(evicted, [0xb, 0xc]);
    let mut exact = Reference::new(&attributes, &params);
    for dlid in [0xa, 0xb, 0xc, 0xd] {
        exact.becn(0.0, dlid);
    }
    exact.grant(10.0, 0xa, 41.54, None);
    let mut evicts = |dlid| exact.becn(60.0, dlid)?.evicted.map(|entry| entry.dlid);
    assert_eq!((evicts(0xe), evicts(0xf)), (Some(0xb), Some(0xc)));
}

/// The fabric manager's configuration: MTU 4096 at 100 Gbps, largest delay 8300 ns, limit 127,
/// increase 5, timer 10.
fn fabric_manager() -> (Vec<Row>, Vec<Change>) {
    let rows = cct::fabric_manager(4096, 100.0, 8300.0, 127);
    let changes = vec![
        ("data_rate", Value::Real(100.0)),
        ("ccti_increase", Value::Integer(5)),
        ("ccti_timer", Value::Integer(10)),
    ];
    (rows, changes)
}

/// T = 330.88 ns for 4136 B; shift 3, last multiplier 200; entries 1, 2, 64, 127: 1, 3, 100, 200;
/// at ccti 127 the rate is 8 / 208 = 3.85 %.
#[test]
fn the_fabric_managers_linear_table() {
    let (rows, changes) = fabric_manager();
    assert_eq!(rows.len(), 128);
    assert!(rows.iter().all(|row| row.shift == 3));
    assert_eq!([0, 1, 2, 64, 127].map(|n| rows[n].multiplier), [0, 1, 3, 100, 200]);
    let (_, _, cfg) = set(&changes);
    assert!((ns(&cfg, core::packet_time(&cfg, 4136)) - 330.88).abs() < 1e-3);
    assert_eq!(cfg.period, 5_120); // 10.24 us
    let share = core::packet_time(&cfg, 4136) as f64 / core::gap(&cfg, 4136, rows[127]) as f64;
    assert!((share - 8.0 / 208.0).abs() < 1e-6 && (share - 0.0385).abs() < 5e-5, "{share}");
}

/// A shift that is too large for the last multiplier gives way: 16383 is the most.
#[test]
fn the_fabric_managers_table_fits_its_row() {
    // 64 B + 40 B at 400 Gbps take 2.08 ns; 8300 ns at shift 3 would need 31 923.
    let rows = cct::fabric_manager(64, 400.0, 8300.0, 127);
    assert_eq!((rows[127].shift, rows[127].multiplier), (2, 15_961));
    let rows = cct::fabric_manager(64, 400.0, 8_300_000.0, 127);
    assert_eq!((rows[127].shift, rows[127].multiplier), (0, 16_383));
}

/// One BECN every 51.2 us holds ccti: five decays undo its five steps.
#[test]
fn a_becn_every_five_periods_holds_ccti() {
    let (_, changes) = fabric_manager();
    let (_, _, cfg) = set(&changes);
    let mut entry = core::allocate(&cfg, 1, 0);
    for _ in 0..9 {
        core::becn_hit(&cfg, &mut entry, 0);
    }
    assert_eq!(entry.ccti, 50);
    for round in 1..=20 {
        // 51.2 us are 25 600 cycles, five periods.
        for n in 1..=5 {
            let now = 25_600 * (round - 1) + 5_120 * n;
            assert!(core::due(&cfg, &entry, now) && !core::due(&cfg, &entry, now - 1));
            core::decay(&cfg, &mut entry);
        }
        assert_eq!(entry.ccti, 45);
        core::becn_hit(&cfg, &mut entry, 25_600 * round);
        assert_eq!(entry.ccti, 50);
    }
}

/// Full decay from 127: 1300 us (127 periods of 10.24 us).
#[test]
fn full_decay_of_the_fabric_managers_setting() {
    let (_, changes) = fabric_manager();
    let (attributes, _, _) = set(&changes);
    let (decays, release, highest) = decays(&attributes, 26, 652_000);
    assert_eq!(highest, 127);
    assert_eq!(decays.len(), 127);
    let us = release.expect("released") as f64 * NS / 1000.0;
    assert!((us - 1300.0).abs() < 1.0, "{us} us");
}

/// 26 BECNs from zero reach the limit; `skip` stops at 125.
#[test]
fn becns_from_zero_to_the_limit() {
    for (mode, last) in [("saturate", 127), ("skip", 125)] {
        let (_, mut changes) = fabric_manager();
        changes.push(("increase_mode", Value::Name(mode)));
        let (attributes, params, cfg) = set(&changes);
        let mut exact = Reference::new(&attributes, &params);
        let mut entry = Entry::default();
        for n in 1..=40 {
            if n == 1 {
                entry = core::allocate(&cfg, 9, 0);
            } else {
                core::becn_hit(&cfg, &mut entry, 0);
            }
            let report = exact.becn(0.0, 9).expect("an entry");
            let expected = if n <= 25 { 5 * n } else { last };
            assert_eq!((entry.ccti, report.ccti), (expected, expected), "BECN {n}, {mode}");
        }
    }
}

/// N equal senders into one link need multiplier 8 x (N - 1) at shift 3: 26 at the most.
#[test]
fn the_fabric_managers_table_serves_26_senders() {
    let (rows, changes) = fabric_manager();
    let (_, _, cfg) = set(&changes);
    let share = |multiplier| {
        let row = Row { shift: 3, multiplier };
        core::packet_time(&cfg, 4136) as f64 / core::gap(&cfg, 4136, row) as f64
    };
    for senders in [2u64, 11, 26] {
        let sum = senders as f64 * share(8 * (senders - 1));
        assert!((sum - 1.0).abs() < 1e-5, "{senders} senders take {sum} of the link");
    }
    let most = rows[127].multiplier;
    assert!((8 * (26 - 1)..8 * (27 - 1)).contains(&most));
}

/// The loaded table is the one that paces: at ccti 127 a packet of 4136 B every 26 x 330.88 ns.
#[test]
fn a_loaded_table_paces() {
    let (rows, mut changes) = fabric_manager();
    changes.push(("ccti_timer", Value::Integer(0)));
    let (attributes, params, _) = set(&changes);
    let mut stimulus = Stimulus::new(&BLOCK);
    for n in 0..26 {
        stimulus.push(BECN, n, &[3]);
    }
    for _ in 0..12 {
        stimulus.push(HEAD, 60, &[0, 3, 4136]);
    }
    let stimulus = cct::prepend(&rows, &stimulus);
    assert_eq!(stimulus.streams[CCT].len(), 128);
    let mut model = Model::new(&attributes, &params).expect("legal");
    let mut grants = vec![];
    player::play(&mut model, &stimulus, &Layout::new(&BLOCK, &params), 20_000, |cycle, _, out| {
        if out[output::GRANT] == 1 {
            grants.push(cycle);
        }
    });
    assert_eq!(grants.len(), 12);
    let between = (grants[11] - grants[1]) as f64 * NS / 10.0;
    assert!((between - 26.0 * 330.88).abs() < 0.3, "{between} ns");
}

/// Page, channels: BECNs and grants over different destinations in every cycle up to 64 entries, every
/// fourth and every second cycle above; a tracked destination again after grant_hold.
#[test]
fn events_are_taken_at_the_documented_rates() {
    for (build, becns_every, grants_every) in [("default", 1, 1), ("large", 4, 2)] {
        let params = BLOCK.build(build).expect("built in").params(&BLOCK);
        // Small packets on a fast line: a gap of 0.32 cycles at ccti 1.
        let changes = [("data_rate", Value::Real(1600.0)), ("ccti_timer", Value::Integer(0))];
        let attributes = AttributeSet::defaults(&BLOCK).with(&changes);
        let layout = Layout::new(&BLOCK, &params);
        let mut stimulus = Stimulus::new(&BLOCK);
        for n in 0..64 {
            stimulus.push(BECN, 0, &[n]);
        }
        // Tracked destinations, each again after eight grants; then one of them from every queue.
        for n in 0..64 {
            stimulus.push(HEAD, 400 + n * grants_every, &[n % 8, n % 16, 64]);
        }
        for n in 0..40 {
            stimulus.push(HEAD, 800, &[n % 8, 3, 64]);
        }
        let mut model = Model::new(&attributes, &params).expect("legal");
        let (mut becns, mut grants) = (vec![], vec![]);
        player::play(&mut model, &stimulus, &layout, 400, |cycle, inputs, out| {
            if inputs[input::BECN_VALID] == 1 && out[output::BECN_READY] == 1 {
                becns.push(cycle);
            }
            if out[output::GRANT] == 1 {
                grants.push((cycle, out[output::GRANT + 2]));
            }
        });
        let apart =
            |cycles: &[u64]| -> Vec<u64> { cycles.windows(2).map(|w| w[1] - w[0]).collect() };
        assert!(apart(&becns).iter().all(|gap| *gap == becns_every), "{build}: {becns:?}");
        assert_eq!(becns.len(), 64);
        let (over_all, of_one) = grants.split_at(64);
        let cycles: Vec<u64> = over_all.iter().map(|(cycle, _)| *cycle).collect();
        assert!(apart(&cycles).iter().all(|gap| *gap == grants_every), "{build}: {cycles:?}");
        let cycles: Vec<u64> = of_one.iter().map(|(cycle, _)| *cycle).collect();
        assert_eq!(cycles.len(), 40);
        let hold = Figures::of(&params).grant_hold;
        assert!(apart(&cycles).iter().all(|gap| *gap == hold), "{build}: {cycles:?}");
    }
}
