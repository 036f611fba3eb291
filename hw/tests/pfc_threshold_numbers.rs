//! The page's "Numbers to reproduce" for `pfc_threshold` that are the block's own, through core and
//! model; what its page works out by hand about the queue of pauses and the order within a cycle.
//! The bounds on t_ECN are the calculator's.

mod player;

use Value::{Integer, Name, Real};
use congruent_hw::Golden;
use congruent_hw::attributes::{AttributeSet, Value};
use congruent_hw::pfc_threshold::cfg::configure;
use congruent_hw::pfc_threshold::core::{self, Cfg, Queue, Verdict};
use congruent_hw::pfc_threshold::model::{Model, input, output};
use congruent_hw::stimulus::Stimulus;
use congruent_ports::pfc_threshold::{BLOCK, THRESHOLD_FRAC};
use congruent_ports::{Layout, ParamSet, error};

const ENQ: usize = 0;
const DEQ: usize = 1;
const PEEK: usize = 2;

fn params(build: &str) -> ParamSet {
    BLOCK.build(build).expect("built in").params(&BLOCK)
}

fn cfg(changes: &[(&str, Value)]) -> Cfg {
    let attributes = AttributeSet::defaults(&BLOCK).with(changes);
    configure(&attributes, &params("default")).expect("legal")
}

/// t_PFC in bytes, fraction cut off, and its fraction in 1024ths.
fn t_pfc(cfg: &Cfg, s: u64) -> (u64, u64) {
    let threshold = core::threshold(cfg, s);
    (threshold >> THRESHOLD_FRAC, threshold % (1 << THRESHOLD_FRAC))
}

/// Page: 6 265 600 B are free; at the bound of t_ECN for k = 1 (97 900 B) s and t_PFC are both
/// 3 132 800, and at that for k = 8 (21 755.6 B) s is 5 569 422.2 and t_PFC 696 177.8.
#[test]
fn thresholds_of_the_papers_switch() {
    let cfg = cfg(&[]);
    assert_eq!(t_pfc(&cfg, 0), (6_265_600, 0));
    assert_eq!(t_pfc(&cfg, 3_132_800), (3_132_800, 0));
    assert_eq!(32 * 97_900, 3_132_800);
    assert_eq!(t_pfc(&cfg, 5_569_422), (696_178, 0));
    assert_eq!(t_pfc(&cfg, 5_569_423), (696_177, 0));
    assert_eq!(t_pfc(&cfg, 6_265_600), (0, 0));
}

/// By hand, of 6 265 600 free bytes: an eighth of a 128th is 6118 and 768 / 1024; an eighth is
/// 783 200; sixteen times it 100 249 600. One byte less: 1, 128 and 16 384 1024ths less.
#[test]
fn the_fraction_is_kept() {
    for (beta, at_0, at_1) in [
        (1.0 / 128.0, (6_118, 768), (6_118, 767)),
        (1.0, (783_200, 0), (783_199, 896)),
        (128.0, (100_249_600, 0), (100_249_584, 0)),
    ] {
        let cfg = cfg(&[("beta", Real(beta))]);
        assert_eq!((t_pfc(&cfg, 0), t_pfc(&cfg, 1)), (at_0, at_1), "Beta {beta}");
    }
    // A queue alone: 6112 B of (6 265 600 - 6112) / 1024, and one byte more.
    let cfg = cfg(&[("beta", Real(1.0 / 128.0))]);
    assert_eq!(t_pfc(&cfg, 6_112), (6_112, 800), "6 259 488 / 1024");
    assert!(!core::above_xoff(&cfg, 6_112, 6_112) && core::above_xoff(&cfg, 6_113, 6_113));
}

/// The largest numbers that there are: 128 x 2^30 / 8 = 2^34 B, and 2^30 B of a queue with 2^30 B of
/// ResumeOffset on top.
#[test]
fn nothing_overflows() {
    let cfg = cfg(&[
        ("buffer_bytes", Integer(1 << 30)),
        ("headroom_bytes", Integer(0)),
        ("beta", Real(128.0)),
        ("resume_offset", Integer(1 << 30)),
    ]);
    assert_eq!(t_pfc(&cfg, 0), (1 << 34, 0));
    assert_eq!(t_pfc(&cfg, 1 << 30), (0, 0));
    assert!(core::above_xoff(&cfg, 1 << 30, 1 << 30) && !core::below_xon(&cfg, 1 << 30, 1 << 30));
    assert!(core::below_xon(&cfg, 0, 1 << 30), "an empty queue resumes");
}

/// Page, headroom: emptied first; h + bytes <= t_flight is admitted.
#[test]
fn the_headroom_is_filled_to_the_byte_and_emptied_first() {
    let cfg = cfg(&[]);
    let (mut queue, mut s) = (Queue { q: 3_132_801, paused: true, ..Queue::default() }, 3_132_801);
    for (bytes, verdict, h) in [
        (16_000, Verdict::Headroom, 16_000),
        (6_401, Verdict::Dropped, 16_000),
        (6_400, Verdict::Headroom, 22_400),
        (1, Verdict::Dropped, 22_400),
    ] {
        let admit = core::enqueue(&cfg, &mut queue, &mut s, 0, bytes);
        assert_eq!((admit.verdict, admit.xoff, queue.h), (verdict, false, h));
    }
    assert_eq!((queue.drops, s), (2, 3_132_801), "the headroom is no part of the pool");
    let gone = core::dequeue(&cfg, &mut queue, &mut s, 22_500);
    assert_eq!((queue.h, queue.q, s, gone.resume), (0, 3_132_701, 3_132_701, false));
    // 2 q + 3 000 <= 6 265 600: 3 131 300 B.
    assert!(!core::dequeue(&cfg, &mut queue, &mut s, 1_400).resume);
    assert!(core::dequeue(&cfg, &mut queue, &mut s, 1).resume);
    assert_eq!((queue.q, queue.paused), (3_131_300, false));
}

/// An underflow takes from s what was there, no more.
#[test]
fn an_underflow_leaves_the_others_bytes_alone() {
    let cfg = cfg(&[]);
    let (mut queue, mut s) = (Queue { q: 100, h: 50, paused: true, ..Queue::default() }, 1_000);
    let gone = core::dequeue(&cfg, &mut queue, &mut s, 151);
    assert_eq!((gone.error, gone.resume), (error::UNDERFLOW, true));
    assert_eq!((queue.q, queue.h, s), (0, 0, 900));
    let gone = core::dequeue(&cfg, &mut queue, &mut s, 0);
    assert_eq!((gone.error, gone.resume, s), (error::NONE, false, 900));
}

/// A pause beat: cycle, queue, xoff, refresh.
type Pause = (u64, u64, bool, bool);

/// Plays beats of (channel, cycle, payload) and returns the pauses, each in the cycle in which it
/// left for its pin with nothing ahead of it.
fn pauses(
    build: &str,
    changes: &[(&str, Value)],
    beats: &[(usize, u64, &[u64])],
    cycles: u64,
) -> Vec<Pause> {
    let attributes = AttributeSet::defaults(&BLOCK).with(changes);
    let params = params(build);
    let layout = Layout::new(&BLOCK, &params);
    let mut model = Model::new(&attributes, &params).expect("legal");
    let mut stimulus = Stimulus::new(&BLOCK);
    for (channel, cycle, payload) in beats {
        stimulus.push(*channel, *cycle, payload);
    }
    stimulus.cycles = cycles;
    let mut seen = vec![];
    player::play(&mut model, &stimulus, &layout, 20, |cycle, _, outputs| {
        if outputs[output::PAUSE] != 0 {
            let [queue, xoff, refresh] = [1, 2, 3].map(|word| outputs[output::PAUSE + word]);
            let made = cycle - BLOCK.cycles("pause_latency");
            seen.push((made, queue, xoff != 0, refresh != 0));
        }
    });
    seen
}

/// Page: at 400 Gbps and 500 MHz a pause of 65 535 quanta is sent again every 20 971 cycles: the
/// deadlines are so far apart to the cycle, and each is served within a round of the sweep.
#[test]
fn refreshes_come_every_20_971_cycles() {
    let changes = [
        ("data_rate", Real(400.0)),
        ("mode", Name("static")),
        ("static_xoff", Integer(1)),
        ("static_xon", Integer(0)),
    ];
    let from = 10;
    let seen = pauses("default", &changes, &[(ENQ, from, &[77, 2])], 4 * 20_971 + 300);
    assert_eq!(seen[0], (from, 77, true, false));
    assert_eq!(seen.len(), 5, "{seen:?}");
    for (n, pause) in seen.iter().enumerate().skip(1) {
        let due = from + n as u64 * 20_971;
        assert!((due..due + 256).contains(&pause.0) && pause.3, "{pause:?}, due in {due}");
    }
}

/// Page, "Sweep and time": with the shortest legal pause and all queues paused, each refresh is served
/// at most 2 x QUEUES + pipeline late, and the next one counts from when it was due.
#[test]
fn refreshes_of_all_queues_are_late_by_two_rounds_at_most() {
    let most = 2 * 256 + BLOCK.cycles("pipeline");
    // At 128 Gbps and 500 MHz half a quantum is one cycle.
    let changes = [
        ("mode", Name("static")),
        ("static_xoff", Integer(1)),
        ("static_xon", Integer(0)),
        ("data_rate", Real(128.0)),
        ("pause_quanta", Integer(most)),
    ];
    let payloads: Vec<_> = (0..256).map(|queue| [queue, 2]).collect();
    let beats: Vec<(usize, u64, &[u64])> =
        payloads.iter().map(|payload| (ENQ, payload[0], &payload[..])).collect();
    let seen = pauses("default", &changes, &beats, 20 * most);
    let mut times = [0; 256];
    let mut latest = 0;
    for (cycle, queue, xoff, refresh) in seen {
        let due = queue + times[queue as usize] * most;
        assert!(xoff && refresh == (times[queue as usize] > 0));
        assert!((due..=due + most).contains(&cycle), "queue {queue}: in {cycle}, due in {due}");
        latest = latest.max(cycle - due);
        times[queue as usize] += 1;
    }
    println!("at most {latest} cycles late, {most} allowed");
    assert!(times.iter().all(|n| *n >= 18), "{times:?}");
}

/// By hand, with thresholds a byte apart: queue 0 resumes and queue 1 is paused in cycle 20, and so
/// on: two beats a cycle. The queue of four holds 2, 3, 4, 4, ... after cycles 20, 21, 22, 23; from
/// cycle 23 on the XOFF finds no place, and the resume always does.
#[test]
fn the_fourth_xoff_in_a_row_is_owed() {
    let static_1000 = [
        ("mode", Name("static")),
        ("static_xoff", Integer(1_000)),
        ("static_xon", Integer(999)),
        ("data_rate", Real(128.0)),
        ("pause_quanta", Integer(400)),
    ];
    let mut beats: Vec<(usize, u64, &[u64])> = vec![];
    const PAUSED: [[u64; 2]; 5] = [[0, 1_001], [1, 1_001], [2, 1_001], [3, 1_001], [4, 1_001]];
    const AGAIN: [[u64; 2]; 5] = [[0, 2], [1, 2], [2, 2], [3, 2], [4, 2]];
    for (n, payload) in PAUSED.iter().enumerate() {
        beats.push((ENQ, n as u64, payload));
    }
    for (n, payload) in AGAIN.iter().enumerate() {
        beats.push((DEQ, 20 + n as u64, payload));
        beats.push((ENQ, 20 + n as u64, payload));
    }
    let seen = pauses("short", &static_1000, &beats, 60);
    assert_eq!(
        seen[..5].iter().map(|p| (p.0, p.1)).collect::<Vec<_>>(),
        [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4)]
    );
    // Nothing but these is made within the first 400 cycles of a pause.
    let kinds: Vec<_> = seen[5..].iter().map(|p| (p.1, p.2)).collect();
    let queued = [
        (0, false),
        (0, true),
        (1, false),
        (1, true),
        (2, false),
        (2, true),
        (3, false),
        (4, false),
    ];
    assert_eq!(kinds[..8], queued, "XOFF of 3 and of 4 is missing");
    for (n, pause) in seen[5..13].iter().enumerate() {
        assert_eq!(pause.0, 20 + n as u64, "one a cycle");
    }
    // The sweep sends them, within a round of eight and the cycle that a beat takes.
    let mut late: Vec<_> = seen[13..].iter().map(|p| (p.1, p.2, p.3)).collect();
    late.sort_unstable();
    assert_eq!(late, [(3, true, false), (4, true, false)]);
    assert!(seen[13..].iter().all(|p| (28..40).contains(&p.0)), "{seen:?}");
}

/// Page, order within a cycle: deq, enq, sweep, peek. The deq's resume comes before the enq's XOFF of
/// the same queue, and a peek of that cycle sees both.
#[test]
fn the_order_within_a_cycle() {
    let changes =
        [("mode", Name("static")), ("static_xoff", Integer(1_000)), ("static_xon", Integer(999))];
    let attributes = AttributeSet::defaults(&BLOCK).with(&changes);
    let mut model = Model::new(&attributes, &params("default")).expect("legal");
    let (mut row, mut out) = ([0; input::WORDS], [0; output::WORDS]);
    let mut peeked = None;
    let mut kinds = vec![];
    for cycle in 0..40 {
        row.fill(0);
        if cycle == 3 || cycle == 9 {
            row[input::ENQ_VALID..=input::ENQ_BYTES].copy_from_slice(&[1, 5, 1_001]);
        }
        if cycle == 9 {
            row[input::DEQ_VALID..=input::DEQ_BYTES].copy_from_slice(&[1, 5, 900]);
            row[input::PEEK_VALID..=input::PEEK_QUEUE].copy_from_slice(&[1, 5]);
        }
        model.step(&row, &mut out);
        if out[output::PAUSE] != 0 {
            kinds.push(out[output::PAUSE + 2]);
        }
        if out[output::PEEKED] != 0 {
            assert_eq!(cycle, 9 + BLOCK.cycles("peek_latency"));
            peeked = Some(out[output::PEEKED + 1..output::PEEK_READY].to_vec());
        }
    }
    assert_eq!(kinds, [1, 0, 1]);
    // TIME_INIT is -96: cycle 9 is time -87, and half a pause at 40 Gbps 209 712 cycles.
    let deadline = 209_712 - 87;
    let expected = [5, 1_001 - 900 + 1_001, 0, 1, 0, deadline, 0, 2, 0];
    assert_eq!(peeked.expect("answered"), expected);
}

/// The pool's level, and a peek that no sweep shares its cycle with.
#[test]
fn the_pool_follows_its_events() {
    let attributes = AttributeSet::defaults(&BLOCK);
    let params = params("default");
    let layout = Layout::new(&BLOCK, &params);
    let mut model = Model::new(&attributes, &params).expect("legal");
    let mut stimulus = Stimulus::new(&BLOCK);
    stimulus.push(ENQ, 2, &[0, 1_500]);
    stimulus.push(ENQ, 3, &[255, 700]);
    stimulus.push(DEQ, 3, &[0, 400]);
    stimulus.push(DEQ, 9, &[255, 9_000]);
    stimulus.push(PEEK, 4, &[0]);
    let mut levels = vec![];
    player::play(&mut model, &stimulus, &layout, 20, |cycle, _, outputs| {
        let pool = outputs[output::POOL];
        if levels.last().is_none_or(|(_, last)| *last != pool) {
            levels.push((cycle, pool));
        }
    });
    let after = BLOCK.cycles("pool_latency");
    assert_eq!(levels, [(0, 0), (2 + after, 1_500), (3 + after, 1_800), (9 + after, 1_100)]);
}
