//! The page's "Numbers to reproduce", its open points and the ends of its formats, by hand: through
//! the core and the f64 reference alike, in steps of one flow, and the golden model's intervals.

use congruent_hw::Golden;
use congruent_hw::attributes::{AttributeSet, Value};
use congruent_hw::fixed::to_real;
use congruent_hw::hpcc_window::cfg::configure;
use congruent_hw::hpcc_window::core::{
    self, Ack, Branch, Cfg, Context, Format, MOST_HOP_U, MOST_RATE, Outcome, Record,
};
use congruent_hw::hpcc_window::model::{Model, input, output};
use congruent_hw::hpcc_window::reference::{self, Constants, Flow, Follow};
use congruent_hw::random::Draw;
use congruent_ports::hpcc_window::{BLOCK, HOP_U_FRAC, MOST_HOPS, PACE_FRAC, RATE_FRAC};
use congruent_ports::{ParamSet, error};

/// One open flow in core and reference, a cycle counter and the first records of its path.
struct Bench {
    cfg: Cfg,
    constants: Constants,
    core: Context,
    exact: Option<Flow>,
    cycle: u64,
}

/// One hop's record of 100 Gbps in the wide format.
fn wide(ts: u64, tx_bytes: u64, qlen: u64) -> Record {
    Record { rate: 100, ts, tx_bytes, qlen }
}

fn ack(seq: u64, snd_nxt: u64, records: &[Record]) -> Ack {
    let mut all = [Record::default(); MOST_HOPS];
    all[..records.len()].copy_from_slice(records);
    Ack { seq, snd_nxt, path: 7, hops: records.len() as u64, records: all }
}

impl Bench {
    fn new(changes: &[(&str, Value)]) -> Self {
        let params = ParamSet::defaults(&BLOCK);
        let attributes = AttributeSet::defaults(&BLOCK).with(changes);
        let cfg = configure(&attributes, &params).expect("legal");
        let constants = Constants::new(&attributes, &params);
        let (core, mut exact) = (core::opened(&cfg), None);
        assert_eq!(reference::open(&constants, &mut exact), error::NONE);
        Self { cfg, constants, core, exact, cycle: 0 }
    }

    /// An ACK of the wide format, 100 cycles after the last one; core and reference agree on what
    /// it does.
    fn ack(&mut self, ack: &Ack) -> Outcome {
        self.cycle += 100;
        let outcome = core::ack(&self.cfg, &mut self.core, self.cycle, ack);
        let follow = &mut Follow::default();
        let report = reference::ack(&self.constants, &mut self.exact, self.cycle, ack, follow);
        assert_eq!(
            (outcome.branch, outcome.full, outcome.error),
            (report.branch, report.full, report.error),
            "core and reference"
        );
        outcome
    }

    fn exact(&self) -> &Flow {
        self.exact.as_ref().expect("open")
    }

    /// W and U of both sides.
    fn near(&self, window: f64, u: f64) {
        let got = to_real(self.core.window, self.cfg.w_frac);
        assert!((got - window).abs() < 0.1, "W = {got}, expected {window}");
        assert!(
            (self.exact().window - window).abs() < 0.1,
            "reference W = {}",
            self.exact().window
        );
        let got = to_real(self.core.u, self.cfg.u_frac);
        assert!((got - u).abs() < 1e-6 * u.max(1.0), "U = {got}, expected {u}");
        assert!((self.exact().u - u).abs() < 1e-7, "reference U = {}", self.exact().u);
    }
}

const WIDE: (&str, Value) = ("int_format", Value::Name("wide"));

/// A flow with telemetry of one hop stored: `qlen` bytes queued.
fn begun(changes: &[(&str, Value)], qlen: u64) -> Bench {
    let mut all = vec![WIDE];
    all.extend_from_slice(changes);
    let mut bench = Bench::new(&all);
    let outcome = bench.ack(&ack(1000, 5000, &[wide(1_000_000, 50_000_000, qlen)]));
    assert_eq!(outcome.branch, Branch::Stored);
    bench.near(162_500.0, 1.0);
    bench
}

/// The page's table, rows 1 to 3, each from the same start: dt, tx, qLen old and new, u, U, W.
#[test]
fn rows_of_the_table() {
    for (dt, tx, (old, new), u, average, window) in [
        (1000, 12_500, (81_250, 81_250), 1.5, 1.038_461_5, 148_737.4),
        (13_000, 162_500, (0, 162_500), 1.0, 1.0, 154_455.0),
        (13_000, 162_500, (162_500, 162_500), 2.0, 2.0, 77_267.5),
    ] {
        let mut bench = begun(&[], old);
        let outcome = bench.ack(&ack(6000, 9000, &[wide(1_000_000 + dt, 50_000_000 + tx, new)]));
        assert_eq!((outcome.branch, outcome.full), (Branch::Multiplicative, true));
        let winner = outcome.winner.expect("one hop");
        assert!((to_real(winner.u, HOP_U_FRAC) - u).abs() < 1e-6, "u = {}", winner.u);
        bench.near(window, average);
        assert_eq!(bench.core.reference, bench.core.window, "full: Wc := W");
        assert_eq!(bench.core.last_update_seq, 9000);
    }
}

/// The page's table, row 4: both branches are held at W_init; unheld they are 308 830 and 162 580.
#[test]
fn an_idle_link() {
    let idle = ack(6000, 9000, &[wide(1_013_000, 50_081_250, 0)]);
    let mut additive = begun(&[], 0);
    assert_eq!(additive.ack(&idle).branch, Branch::Additive);
    additive.near(162_500.0, 0.5);
    assert_eq!(additive.core.stage, 1);
    let mut multiplicative = begun(&[("max_stage", Value::Integer(0))], 0);
    assert_eq!(multiplicative.ack(&idle).branch, Branch::Multiplicative);
    multiplicative.near(162_500.0, 0.5);
    let cfg = &multiplicative.cfg;
    let unheld = core::scale(162_500 << 8, core::ratio(cfg, cfg.one_u() / 2)) + cfg.wai;
    assert!((to_real(unheld, 8) - 308_830.0).abs() < 0.1, "{unheld}");
    assert_eq!((162_500 << 8) + additive.cfg.wai, 162_580 << 8);
}

/// Steps by hand from W_init = 162 500: U = 2 on a full ACK halves Wc to 77 267.5; then U = 0.5 adds
/// 80 on each full ACK, five times; the sixth is multiplicative: 77 667.5 x 1.9 + 80 = 147 648.25.
#[test]
fn five_additive_steps_and_a_multiplicative_one() {
    let mut bench = begun(&[], 162_500);
    let (mut ts, mut tx, mut seq) = (1_000_000, 50_000_000, 6000);
    let mut next = |bench: &mut Bench, bytes: u64, qlen: u64, full: bool| {
        (ts, tx) = (ts + 13_000, tx + bytes);
        seq += if full { 4000 } else { 0 };
        bench.ack(&ack(seq, seq + 3000, &[wide(ts, tx, qlen)]))
    };
    next(&mut bench, 162_500, 162_500, true);
    bench.near(77_267.5, 2.0);
    // Not full: W moves, Wc and inc_stage do not.
    let outcome = next(&mut bench, 81_250, 0, false);
    assert_eq!((outcome.branch, outcome.full), (Branch::Additive, false));
    bench.near(77_347.5, 0.5);
    assert_eq!(bench.core.stage, 0);
    for step in 1..=5u32 {
        let outcome = next(&mut bench, 81_250, 0, true);
        assert_eq!((outcome.branch, outcome.full), (Branch::Additive, true));
        bench.near(77_267.5 + 80.0 * f64::from(step), 0.5);
        assert_eq!(bench.core.stage, u64::from(step));
    }
    let outcome = next(&mut bench, 81_250, 0, false);
    assert_eq!((outcome.branch, outcome.full), (Branch::Multiplicative, false));
    bench.near(147_648.25, 0.5);
    assert_eq!(bench.core.stage, 5, "not full: inc_stage stays");
    next(&mut bench, 81_250, 0, true);
    bench.near(147_648.25, 0.5);
    assert_eq!(bench.core.stage, 0);
}

/// By hand: a queue of 100 BDP, u = 100 + 1: W = 162 500 x 0.95 / 101 + 80 = 1608.5 is held at
/// PacketBytes, 4096. R = 4096 x 8 / 13 000 = 2.5206 Gbps.
#[test]
fn the_smallest_window() {
    let mut bench = begun(&[], 16_250_000);
    bench.ack(&ack(6000, 9000, &[wide(1_013_000, 50_162_500, 16_250_000)]));
    bench.near(4096.0, 101.0);
    let rate = to_real(core::pace(&bench.cfg, bench.core.window), PACE_FRAC);
    assert!((rate - 2.520_615).abs() < 2e-5, "{rate}");
}

/// R = W x 8 / T: 162 500 B in 13 000 ns are 100 Gbps.
#[test]
fn a_window_and_its_rate() {
    let bench = Bench::new(&[]);
    assert_eq!(core::pace(&bench.cfg, 162_500 << 8), 100 << PACE_FRAC);
    assert_eq!(bench.constants.pace(162_500.0), 100.0);
    // One ns of RTT: 16 384 B in it are 131 072 Gbps, more than the port holds.
    let fast =
        Bench::new(&[("base_rtt", Value::Integer(1)), ("packet_bytes", Value::Integer(16_384))]);
    assert_eq!(fast.core.window, 16_384 << 8, "PacketBytes wins over W_init = 12.5 B");
    assert_eq!(core::pace(&fast.cfg, fast.core.window), (1 << (11 + PACE_FRAC)) - 1);
}

/// Paper format: TS wraps after 16.78 ms, txBytes after 134 217 728 B.
#[test]
fn both_wraps_of_the_paper_format() {
    assert_eq!(core::elapsed(Format::Paper, 5, (1 << 24) - 7), 12);
    assert_eq!(core::sent(Format::Paper, 2, (1 << 20) - 1), 3 * 128);
    assert_eq!(core::sent(Format::Paper, 0, 1), 134_217_728 - 128);
    assert_eq!(core::elapsed(Format::Wide, 5, (1 << 48) - 7), 12);
    assert_eq!(core::sent(Format::Wide, 2, (1 << 48) - 1), 3);
    // Row 2 of the table in the paper's units, over both wraps: 13 000 ns, 1270 x 128 = 162 560 B.
    let mut bench = Bench::new(&[]);
    let record = |ts, tx_bytes| Record { rate: 3, ts, tx_bytes, qlen: 0 };
    bench.ack(&ack(0, 5000, &[record((1 << 24) - 6_000, (1 << 20) - 1000)]));
    bench.ack(&ack(6000, 9000, &[record(7_000, 270)]));
    // 12.504615... / 12.5 = 1.000369; 154 375 / 1.000369 + 80 = 154 398.0.
    bench.near(154_398.0, 1.000_369_23);
}

/// Page: codes 0 to 6 are 25 to 800 Gbps; what has no rate is skipped.
#[test]
fn rates_of_hops() {
    let gbps = |code| core::gbps(Format::Paper, code);
    assert_eq!([0, 1, 2, 3, 4, 5, 6].map(gbps), [25, 40, 50, 100, 200, 400, 800]);
    assert_eq!([7, 15].map(gbps), [0, 0]);
    assert_eq!(gbps(16 + 3), 100, "four bits count");
    assert_eq!([0, 1, 1600].map(|g| core::gbps(Format::Wide, g)), [0, 1, 1600]);
    // The hop without a rate would have won; the other one does.
    let mut bench = Bench::new(&[WIDE]);
    let busy = |rate, ts, tx_bytes| Record { rate, ts, tx_bytes, qlen: 0 };
    bench.ack(&ack(0, 5000, &[busy(0, 0, 0), busy(100, 0, 0)]));
    let outcome =
        bench.ack(&ack(6000, 9000, &[busy(0, 13_000, 9_000_000), busy(100, 13_000, 162_500)]));
    assert!(outcome.bad_rate);
    assert_eq!(outcome.winner.map(|winner| winner.hop), Some(1));
    bench.near(154_455.0, 1.0);
}

/// The first of equals wins, and tau is its own: u = 1 on both, dt 1300 and 13 000, from U = 2.
#[test]
fn tau_belongs_to_the_first_of_equals() {
    for (first, u) in [(1_300u64, 1.9), (13_000, 1.0)] {
        let second = 14_300 - first;
        let mut bench = begun(&[], 162_500);
        bench.ack(&ack(6000, 9000, &[wide(1_013_000, 50_162_500, 162_500)]));
        let at = |ts, tx_bytes| wide(ts, tx_bytes, 0);
        bench.ack(&ack(9500, 9600, &[at(0, 0), at(0, 0)]));
        let full = |dt| at(dt, dt * 25 / 2);
        let outcome = bench.ack(&ack(9601, 9700, &[full(first), full(second)]));
        let winner = outcome.winner.expect("two hops");
        assert_eq!((winner.hop, winner.dt, winner.tied), (0, first, true));
        assert!((to_real(bench.core.u, 24) - u).abs() < 1e-6, "{}", bench.core.u);
        assert!((bench.exact().u - u).abs() < 1e-9, "{}", bench.exact().u);
    }
}

/// dt above T counts as T; dt = 0 skips the hop, on all of them U stays.
#[test]
fn the_ends_of_dt() {
    let mut bench = begun(&[], 0);
    bench.ack(&ack(6000, 9000, &[wide(1_026_000, 50_650_000, 0)]));
    // 650 000 B in 26 000 ns are 25 B a ns, u = 2, and tau / T = 1.
    bench.near(77_267.5, 2.0);
    let outcome = bench.ack(&ack(6000, 9000, &[wide(1_026_000, 51_000_000, 0)]));
    assert_eq!((outcome.branch, outcome.winner), (Branch::Multiplicative, None));
    assert!((to_real(bench.core.u, 24) - 2.0).abs() < 1e-6);
    // Not full: Wc is 77 267.5, and W = 77 267.5 x 0.95 / 2 + 80.
    bench.near(36_782.06, 2.0);
}

/// Exactly half of TS's range ahead counts as older; one less does not.
#[test]
fn stale_by_half_the_range() {
    for (format, half) in [("paper", 1u64 << 23), ("wide", 1 << 47)] {
        for (ahead, branch) in
            [(half, Branch::Stale), (half - 1, Branch::Additive), (2 * half - 1, Branch::Stale)]
        {
            let mut bench = Bench::new(&[("int_format", Value::Name(format))]);
            bench.ack(&ack(0, 5000, &[Record { rate: 3, ts: 0, tx_bytes: 0, qlen: 0 }]));
            let before = bench.core;
            let late = Record { rate: 3, ts: ahead, tx_bytes: 1, qlen: 0 };
            assert_eq!(bench.ack(&ack(6000, 9000, &[late])).branch, branch, "{format} {ahead}");
            assert_eq!(bench.core == before, branch == Branch::Stale);
        }
    }
}

/// 4.19 ms in paper: 2 097 152 cycles of 2 ns are in time, one more is not.
#[test]
fn telemetry_grows_too_old() {
    for (cycles, branch) in [(2_097_152, Branch::Additive), (2_097_153, Branch::Stored)] {
        let mut bench = Bench::new(&[]);
        bench.ack(&ack(0, 5000, &[Record { rate: 3, ts: 0, tx_bytes: 0, qlen: 0 }]));
        bench.cycle += cycles - 100;
        let next = Record { rate: 3, ts: 4_194_304, tx_bytes: 1, qlen: 0 };
        assert_eq!(bench.ack(&ack(6000, 9000, &[next])).branch, branch, "{cycles}");
    }
}

/// seq is compared modulo 2^32; exactly half the range ahead is not above.
#[test]
fn full_over_the_wrap_of_seq() {
    assert!(core::is_full(3, 0xffff_fff0));
    assert!(!core::is_full(0xffff_fff0, 3));
    assert!(!core::is_full(5, 5));
    assert!(core::is_full(0x7fff_ffff, 0));
    assert!(!core::is_full(0x8000_0000, 0));
}

/// The first ACK, another path, another hop count: telemetry stored, last_update_seq moved, nothing
/// else; six hops are refused and leave everything.
#[test]
fn what_is_only_stored() {
    let mut bench = begun(&[], 162_500);
    bench.ack(&ack(6000, 9000, &[wide(1_013_000, 50_162_500, 162_500)]));
    let window = bench.core.window;
    let one = ack(9500, 12_000, &[wide(1_014_000, 50_162_500, 0)]);
    let other_path = Ack { path: 8, ..one };
    assert_eq!(bench.ack(&other_path).branch, Branch::Stored);
    let two = Ack { path: 8, ..ack(9500, 13_000, &[wide(0, 0, 0), wide(0, 0, 0)]) };
    assert_eq!(bench.ack(&two).branch, Branch::Stored);
    assert_eq!((bench.core.window, bench.core.last_update_seq), (window, 13_000));
    assert_eq!(bench.core.hops, 2);
    let before = bench.core;
    let six = Ack { hops: 6, ..two };
    assert_eq!(bench.ack(&six).error, error::HOPS);
    assert_eq!(bench.core, before);
    // The header's `hops` of 6 is looked at after `closed`.
    core::close(&mut bench.core);
    reference::close(&mut bench.exact);
    assert_eq!(bench.ack(&six).error, error::CLOSED);
}

/// Quotients at the ends of their ranges, by hand.
#[test]
fn ends_of_the_quotients() {
    // 1 B in 1 ns; 4095 B in 1 ns; 4096 saturate. 2 B in 3 ns are 699 050.67 x 2^-20.
    assert_eq!(core::byte_rate(1, 1), 1 << RATE_FRAC);
    assert_eq!(core::byte_rate(4095, 1), 4095 << RATE_FRAC);
    assert_eq!(core::byte_rate(4096, 1), MOST_RATE);
    assert_eq!(core::byte_rate(2, 3), 699_050);
    assert_eq!(core::byte_rate((1 << 48) - 1, 1), MOST_RATE);
    // Both shifted alike: 2^47 B in 2^46 ns.
    assert_eq!(core::byte_rate(1 << 47, 1 << 46), 2 << RATE_FRAC);
    // 12.5 B a ns are 100 Gbps.
    let twelve = 25 << (RATE_FRAC - 1);
    assert_eq!(core::hop_u(0, twelve, 100), 1 << HOP_U_FRAC);
    assert_eq!(core::hop_u(twelve, twelve, 100), 2 << HOP_U_FRAC);
    assert_eq!(core::hop_u(MOST_RATE, MOST_RATE, 1), MOST_HOP_U);
    assert_eq!(core::hop_u(0, 512 << RATE_FRAC, 1), MOST_HOP_U, "4096.0 saturates");
    // Queues: 80 B a unit, and 2^32 - 1 B at the most.
    assert_eq!(core::queue(Format::Paper, 65_535, 70_000), 5_242_800);
    assert_eq!(core::queue(Format::Wide, 1 << 40, 1 << 33), (1 << 32) - 1);
    assert_eq!(core::queue(Format::Wide, 9, 4), 4);
}

/// U below 2^-16 divides as 2^-16: Eta / U = 62 259.2.
#[test]
fn a_tiny_u() {
    let cfg = Bench::new(&[]).cfg;
    let value = |u| {
        let (quotient, shift) = core::ratio(&cfg, u);
        quotient as f64 / 2f64.powi(shift as i32)
    };
    for u in [0, 1, 255, 256] {
        assert!((value(u) - 62_259.2).abs() < 0.01, "{}", value(u));
    }
    assert!(value(257) < 62_259.0);
    // 4096 less an LSB: 0.95 / 4096 to a part in 2^22.
    let end = value((1 << 36) - 1);
    assert!((end * 4096.0 / 0.95 - 1.0).abs() < 2.5e-7, "{end}");
}

/// By hand: N = 100 flows make an additive step of 162 500 x 0.05 / 100 = 81.25 B.
#[test]
fn expected_flows() {
    let mut bench = begun(&[("expected_flows", Value::Integer(100))], 162_500);
    bench.ack(&ack(6000, 9000, &[wide(1_013_000, 50_162_500, 162_500)]));
    bench.near(77_187.5 + 81.25, 2.0);
    bench.ack(&ack(9500, 12_000, &[wide(1_026_000, 50_162_500, 0)]));
    bench.near(77_187.5 + 2.0 * 81.25, 0.0);
}

/// Whatever attributes and parameters are accepted, and whatever records say: nothing overflows, and
/// every window lies between its bounds.
#[test]
fn the_ends_of_attributes_and_records() {
    let mut draw = Draw::new(5, "hpcc_window/ends");
    for n in 0..600u64 {
        let params = ParamSet::with(
            &BLOCK,
            [
                ("U_FRAC", 16 + n as i64 % 9),
                ("W_FRAC", n as i64 / 9 % 9),
                ("HOPS", 1 + n as i64 % 5),
                ("TIME_W", 52),
            ],
        )
        .expect("in range");
        let rtt = draw.pick(&[1, 2, 3, 997, 1 << 20, (1 << 29) + 1, 1_000_000_000]);
        let most_rate = (2_147_483_640.0 / rtt as f64).clamp(1.0, 1600.0);
        let attributes = AttributeSet::defaults(&BLOCK).with(&[
            ("base_rtt", Value::Integer(rtt)),
            ("data_rate", Value::Real(draw.pick(&[1.0, most_rate]))),
            ("eta", Value::Real(draw.pick(&[0.01, 0.95, 1.0]))),
            ("max_stage", Value::Integer(draw.pick(&[0, 1, 255]))),
            ("wai", Value::Real(draw.pick(&[0.0, 16_777_216.0]))),
            ("packet_bytes", Value::Integer(draw.pick(&[64, 16_384]))),
            ("int_format", Value::Name(draw.pick(&["paper", "wide"]))),
            ("clock_mhz", Value::Real(draw.pick(&[100.0, 2000.0]))),
        ]);
        let cfg = configure(&attributes, &params).expect("legal");
        let most = cfg.first_window.max(cfg.floor());
        let mut ctx = core::opened(&cfg);
        for cycle in 0..300 {
            let mut ack = Ack { hops: draw.below(7), path: draw.below(20) / 19, ..Ack::default() };
            (ack.seq, ack.snd_nxt) = (draw.bits() >> 32, draw.bits() >> 32);
            for record in &mut ack.records {
                let mut bits = |width: u32| {
                    let edge = draw.pick(&[0, 1, (1 << width) - 1, 1 << (width - 1)]);
                    if draw.chance(1, 3) {
                        edge
                    } else {
                        draw.bits() >> draw.between(64 - u64::from(width), 63)
                    }
                };
                (record.rate, record.ts) = (bits(11), bits(48));
                (record.tx_bytes, record.qlen) = (bits(48), bits(48));
            }
            core::ack(&cfg, &mut ctx, cycle, &ack);
            assert!((cfg.floor()..=most).contains(&ctx.window), "{ctx:?}");
            assert!((cfg.floor()..=most).contains(&ctx.reference), "{ctx:?}");
            assert!(ctx.u >> (12 + cfg.u_frac) == 0 && ctx.stage <= cfg.max_stage, "{ctx:?}");
            assert!(core::pace(&cfg, ctx.window) >> 27 == 0);
        }
    }
}

/// Cycles between the effects of five-hop ACKs, as the model's pins show them: of one flow, and of a
/// flow each. At 400 Gbps a 4 KiB packet's ACK comes every 41 cycles of 2 ns.
#[test]
fn acks_of_five_hops_keep_up_with_400_gbps() {
    let needed = (4096.0 * 8.0 / 400.0 / 2.0_f64).ceil() as u64;
    assert_eq!(needed, 41);
    for flows in [1, 8] {
        let params = ParamSet::defaults(&BLOCK);
        let mut model = Model::new(&AttributeSet::defaults(&BLOCK), &params).expect("legal");
        let mut inputs = [0; input::WORDS];
        let mut outputs = [0; output::WORDS];
        let mut wins = vec![];
        let mut taken = 0;
        for cycle in 0..400 {
            inputs[input::OPEN_VALID] = u64::from(cycle < flows);
            inputs[input::OPEN_FLOW] = cycle % 8;
            inputs[input::ACK_VALID] = u64::from(cycle >= 8);
            inputs[input::ACK] = taken % flows;
            inputs[input::ACK + 4] = 5;
            inputs[input::HOP_VALID] = 1;
            model.step(&inputs, &mut outputs);
            taken += inputs[input::ACK_VALID] & outputs[output::ACK_READY];
            if outputs[output::WIN] != 0 {
                assert_eq!(outputs[output::WIN + 7], error::NONE);
                wins.push(cycle);
            }
        }
        assert!(wins.len() > 40);
        for pair in wins.windows(2) {
            assert_eq!(pair[1] - pair[0], BLOCK.cycles("ack_interval"), "{flows} flows");
            assert!(pair[1] - pair[0] <= needed);
        }
    }
}
