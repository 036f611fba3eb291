//! The directed and random scenarios of `hpcc_window` that vectors are committed for.
//!
//! Each names the rows of "Must be covered" that it is for. Most run at the page's sizes: 100 Gbps, T
//! 13 000 ns, W_init 162 500 B, so that 162 500 B sent in T are u = 1, and as many queued are 1 more.

use super::core::{Ack, Record};
use super::random;
use super::script::Script;
use crate::attributes::{AttributeSet, Value};
use crate::scenario::Scenario;
use Value::{Integer, Name, Real};
use congruent_ports::ParamSet;
use congruent_ports::hpcc_window::{BLOCK, MOST_HOPS};

type Change = (&'static str, Value);

const WIDE: Change = ("int_format", Name("wide"));
/// An age that every build's cycle counter can tell: 300 cycles.
const YOUNG: Change = ("stored_max_age", Real(600.0));
const AGE: u64 = 300;

/// T, and what a link of 100 Gbps carries in it.
const T: u64 = 13_000;
const BDP: u64 = 162_500;
/// The same in the paper's units of 128 B, a little less.
const BDP_UNITS: u64 = 1269;

/// Rate of 100 Gbps in each format.
const CODE_100: u64 = 3;
const GBPS_100: u64 = 100;

const MASK: u64 = (1 << 48) - 1;

/// All of them, in the order in which they are listed.
pub fn all() -> Vec<Scenario> {
    let mut all = vec![
        page_table(),
        page_table_multiplicative(),
        five_steps(),
        paper_wraps(),
        wide_wraps(),
        ends_of_dt(),
        equal_hops(),
        paths_change(),
        reordered("reordered_paper", &[], 24, CODE_100),
        reordered("reordered_wide", &[WIDE], 48, GBPS_100),
        ages(),
        seq_wraps(),
        ends_of_u(),
        saturations(),
        packet_above_first(),
        expected_flows(),
        bad_rates("bad_rates_paper", &[], CODE_100, &[7, 15, 0x7f8]),
        bad_rates("bad_rates_wide", &[WIDE], GBPS_100, &[0]),
        every_rate(),
        back_to_back(),
        right_behind(),
        slow_records(),
        refused(),
        by_the_way(),
        every_flow(),
        peeks_everywhere(),
    ];
    all.extend([
        random("random_paper", "default", 0, 800),
        random("random_wide", "default", 1, 800),
        random("random_short_paper", "short", 2, 1_000),
        random("random_short_wide", "short", 3, 1_000),
    ]);
    all
}

fn params(build: &str) -> ParamSet {
    let set = BLOCK.build(build).unwrap_or_else(|| panic!("no build {build}"));
    set.params(&BLOCK)
}

/// How a hop has moved since the last ACK: ns, units sent, and its queue now.
type Move = (u64, u64, u64);

/// Flows with telemetry that goes on.
struct Scene {
    build: &'static str,
    script: Script,
    rate: u64,
    flows: Vec<Ack>,
}

impl Scene {
    fn new(build: &'static str, changes: &[Change], rate: u64) -> Self {
        let params = params(build);
        let attributes = AttributeSet::defaults_under(&BLOCK, &params).with(changes);
        let flows = vec![Ack::default(); params.get("FLOWS") as usize];
        Self { build, script: Script::new(attributes, &params), rate, flows }
    }

    /// The page's sizes, in the wide format.
    fn wide(changes: &[Change]) -> Self {
        Self::new("default", &[&[WIDE], changes].concat(), GBPS_100)
    }

    /// A flow is opened and its first ACK stored: every hop at these counters, with this queue.
    fn begin(&mut self, flow: u64, hops: u64, ts: u64, tx_bytes: u64, qlen: u64) -> &mut Self {
        self.script.open(flow);
        let record = Record { rate: self.rate, ts, tx_bytes, qlen };
        let records = [record; MOST_HOPS];
        self.flows[flow as usize] = Ack { seq: 1000, snd_nxt: 5000, path: 0x5a5, hops, records };
        self.again(flow)
    }

    /// The flow's last ACK comes again.
    fn again(&mut self, flow: u64) -> &mut Self {
        self.script.ack(flow, &self.flows[flow as usize]);
        self
    }

    /// An ACK of data that was sent with the newest Wc, or not; hops that are not named stand still.
    fn next(&mut self, flow: u64, full: bool, moves: &[Move]) -> &mut Self {
        self.prepare(flow, full, moves);
        self.again(flow)
    }

    fn prepare(&mut self, flow: u64, full: bool, moves: &[Move]) {
        let last = self.script.context(flow).last_update_seq;
        let ack = &mut self.flows[flow as usize];
        ack.seq = last.wrapping_add(u64::from(full)) & 0xffff_ffff;
        ack.snd_nxt = ack.seq.wrapping_add(4000) & 0xffff_ffff;
        for (record, (dt, tx, qlen)) in ack.records.iter_mut().zip(moves) {
            record.ts = record.ts.wrapping_add(*dt) & MASK;
            record.tx_bytes = record.tx_bytes.wrapping_add(*tx) & MASK;
            record.qlen = *qlen;
        }
    }

    /// A full ACK of no hops; the flow's path has none from now on.
    fn nothing(&mut self, flow: u64) -> &mut Self {
        self.flows[flow as usize].hops = 0;
        self.next(flow, true, &[])
    }

    /// A peek of a flow as soon as nothing of it is under way.
    fn peek(&mut self, flow: u64) -> &mut Self {
        let cycle = self.script.free();
        self.script.peek_at(cycle, flow);
        self.script.idle(BLOCK.cycles("peek_interval"));
        self
    }

    fn idle(&mut self, cycles: u64) -> &mut Self {
        self.script.idle(cycles);
        self
    }

    fn done(self, name: &str, doc: &'static str, covers: &'static [&'static str]) -> Scenario {
        let (build, leg) = (self.build, self.script.leg());
        Scenario { name: name.to_string(), doc, build, covers, seed: None, leg }
    }
}

/// The page's table, a flow a row.
fn page_table() -> Scenario {
    let mut s = Scene::wide(&[]);
    let rows: [(u64, Move); 4] = [
        (81_250, (1000, 12_500, 81_250)),
        (0, (T, BDP, BDP)),
        (BDP, (T, BDP, BDP)),
        (0, (T, BDP / 2, 0)),
    ];
    for (flow, (qlen, moves)) in (0..).zip(rows) {
        s.begin(flow, 1, 1_000_000, 50_000_000, qlen).next(flow, true, &[moves]).peek(flow);
    }
    s.done(
        "page_table",
        "the page's table, each row from W_init on a flow of its own",
        &["full_multiplicative", "full_additive", "wide_format", "hops_1", "window_at_first"],
    )
}

/// The table's last row with MaxStage 0.
fn page_table_multiplicative() -> Scenario {
    let mut s = Scene::wide(&[("max_stage", Integer(0))]);
    s.begin(3, 1, 0, 0, BDP).next(3, true, &[(T, BDP, BDP)]);
    s.next(3, true, &[(T, BDP / 2, 0)]).peek(3);
    s.next(3, false, &[(T, BDP / 4, 0)]).peek(3);
    s.done(
        "page_table_multiplicative",
        "half a link's load under MaxStage 0: the window doubles at once, up to W_init",
        &["max_stage_zero", "full_multiplicative", "not_full_multiplicative", "window_at_first"],
    )
}

/// Five gentle steps, then a multiplicative one; then congestion ends the next five early.
fn five_steps() -> Scenario {
    let mut s = Scene::wide(&[]);
    let half = [(T, BDP / 2, 0)];
    s.begin(0, 1, 77, 99, BDP).next(0, true, &[(T, BDP, BDP)]).next(0, false, &half);
    for _ in 0..5 {
        s.next(0, true, &half).next(0, false, &half);
    }
    s.peek(0).next(0, false, &half).next(0, true, &half).peek(0);
    s.next(0, true, &half).next(0, true, &half).next(0, false, &[(T, 2 * BDP, 0)]).peek(0);
    s.next(0, true, &[(T, BDP, 0)]).peek(0);
    s.done(
        "five_steps",
        "additive steps up to MaxStage, a multiplicative one, and steps that congestion ends",
        &[
            "stage_reaches_max",
            "stage_spent",
            "stage_falls",
            "not_full_additive",
            "not_full_multiplicative",
        ],
    )
}

/// Counters of the packed format run over their ends.
fn paper_wraps() -> Scenario {
    let mut s = Scene::new("default", &[], CODE_100);
    s.begin(0, 2, (1 << 24) - 20_000, (1 << 20) - 2000, 0);
    for queue in [0, 500, 65_535, 200] {
        s.next(0, true, &[(T, BDP_UNITS, queue), (T, BDP_UNITS, queue / 2)]);
    }
    s.peek(0);
    // Bits above the format's do not count.
    s.begin(1, 1, 0x1234_5600_0000 + (1 << 24) - 1, 0xffff_fff0_0000 + (1 << 20) - 1, 0x1_0000);
    s.next(1, true, &[(1, 1, 0xabcd_0000_0007)]).peek(1);
    // The longest step of each counter that does not read as one back.
    s.begin(2, 1, 5, 7, 3).next(2, true, &[((1 << 23) - 1, (1 << 20) - 1, 3)]).peek(2);
    s.done(
        "paper_wraps",
        "TS after 16.78 ms and txBytes after 134 217 728 B, and bits that are not the format's",
        &["ts_wrap", "tx_wrap", "paper_format"],
    )
}

/// Counters of the wide format run over their ends.
fn wide_wraps() -> Scenario {
    let mut s = Scene::wide(&[]);
    s.begin(0, 2, MASK - 20_000, MASK - 200_000, 0);
    for queue in [0, 50_000, 1 << 33, 20] {
        s.next(0, true, &[(T, BDP, queue), (T, BDP / 3, queue / 2)]);
    }
    s.peek(0);
    // A step of half a period less one: both counters are shifted to 24 bits.
    s.begin(1, 1, 0, 0, 0).next(1, true, &[((1 << 47) - 1, MASK, 0)]).peek(1);
    // 30-bit steps: 12.5 B a ns.
    s.next(1, true, &[(1 << 30, 25 << 29, 0)]).peek(1);
    s.done(
        "wide_wraps",
        "48-bit counters over their ends, and steps longer than 24 bits",
        &["ts_wrap", "tx_wrap", "wide_format"],
    )
}

fn ends_of_dt() -> Scenario {
    let mut s = Scene::wide(&[]);
    s.begin(0, 3, 1000, 1000, 0).next(0, true, &[(T, BDP, 0), (0, BDP, 0), (T / 2, BDP / 4, 0)]);
    s.next(0, true, &[(0, 1000, 0), (0, 0, 0), (0, 5, 0)]).peek(0);
    // The winner's dt is above T; a loser's is not.
    s.next(0, true, &[(2 * T, 4 * BDP, 0), (100, 1250, 0), (T, BDP, 0)]).peek(0);
    // One ns below T, T, one above, and one ns alone.
    for dt in [T - 1, T, T + 1, 1] {
        s.next(0, false, &[(dt, dt * 25, 0), (dt, 0, 0), (dt, 0, 0)]);
    }
    s.peek(0);
    s.done(
        "ends_of_dt",
        "dt = 0 on one hop and on all, around T, and 1 ns",
        &["dt_zero_one", "dt_zero_all", "dt_above_rtt"],
    )
}

fn equal_hops() -> Scenario {
    let mut s = Scene::wide(&[]);
    s.begin(0, 5, 0, 0, 0).next(0, true, &[(T, 2 * BDP, 0); 5]);
    // u = 1 on every hop, dt is the first one's.
    let full = |dt: u64| (dt, dt * 25 / 2, 0);
    s.next(0, false, &[full(1300), full(T), full(130), full(26), full(2 * T)]).peek(0);
    s.next(0, false, &[full(T), full(1300), full(2), full(26), full(2 * T)]).peek(0);
    // The largest u wanders over the hops.
    for hop in 0..5 {
        let mut moves = [(T / 2, BDP / 4, 0); 5];
        moves[hop] = (T / 4, BDP / 2, 0);
        s.next(0, true, &moves);
    }
    s.peek(0);
    // Nothing sent anywhere: the first hop wins with u = 0.
    s.next(0, false, &[(50, 0, 0), (T, 0, 0), (T, 0, 0), (T, 0, 0), (T, 0, 0)]).peek(0);
    s.done(
        "equal_hops",
        "five hops of equal u and other dt, and a largest u that wanders",
        &["equal_u", "later_hop_wins", "hops_5"],
    )
}

fn paths_change() -> Scenario {
    let mut s = Scene::wide(&[]);
    let moves = [(T, BDP, 1000); 5];
    s.begin(0, 3, 0, 0, 0).next(0, true, &moves);
    for (path, hops) in [(0x5a4, 3), (0x5a4, 2), (0x5a4, 5), (0xfff, 5), (0xfff, 0), (0, 1)] {
        let ack = &mut s.flows[0];
        (ack.path, ack.hops) = (path, hops);
        s.next(0, true, &moves).peek(0).next(0, true, &moves);
    }
    s.peek(0);
    s.done(
        "paths_change",
        "another path, other hop counts, an ACK of no hops: stored, and measured from the next on",
        &["path_change", "hop_count_change", "hops_0"],
    )
}

fn reordered(name: &str, changes: &[Change], bits: u32, rate: u64) -> Scenario {
    let mut s = Scene::new("default", changes, rate);
    let (half, period) = (1u64 << (bits - 1), 1u64 << bits);
    s.begin(0, 3, 100, 100, 9).next(0, true, &[(T, 1269, 5); 3]);
    // An old ACK comes late: nothing changes, not even for a hop that looks newer.
    for (flow, moves) in [
        (0, [(period - 1, 7, 3), (1, 1, 1), (1, 1, 1)]),
        (0, [(1, 7, 3), (1, 1, 1), (period - T, 1, 1)]),
        (0, [(half, 7, 3), (T, 1, 1), (T, 1, 1)]),
        (0, [(half + 1, 7, 3), (0, 1, 1), (0, 1, 1)]),
    ] {
        let kept = s.flows[flow as usize];
        s.next(flow, true, &moves);
        s.flows[flow as usize] = kept;
    }
    s.peek(0).next(0, true, &[(T, 1269, 5); 3]).peek(0);
    s.next(0, true, &[(half - 1, 1269, 5); 3]).peek(0);
    // Another path is stored whatever its stamps say.
    s.flows[0].path = 1;
    s.next(0, true, &[(half, 0, 0); 3]).peek(0);
    s.done(
        name,
        "stamps that are older on the first hop, on the last, by exactly half the range",
        &["stale", "stale_last_hop", "half_range"],
    )
}

/// Telemetry that is exactly as old as it may be, a cycle older, and much older; over wraps of the
/// counter, with the sweep in between.
fn ages() -> Scenario {
    let mut s = Scene::new("short", &[WIDE, YOUNG], GBPS_100);
    let moves = [(T, BDP / 2, 0)];
    s.begin(0, 1, 0, 0, 0).begin(1, 1, 0, 0, 0);
    for flow in [0, 1, 0] {
        for late in [0, 1] {
            s.next(flow, true, &moves);
            // The ACK took effect in the cycle before the next free one; its record comes a cycle
            // after its header.
            s.idle(AGE + late - 2);
        }
        s.next(flow, true, &moves).peek(flow);
    }
    // Peeks before and after: what is too old reads 0.
    s.next(1, true, &moves);
    let stored = s.script.free() - 1;
    for cycle in [stored + AGE, stored + AGE + 40] {
        s.script.idle_until(cycle);
        s.peek(1);
    }
    // Longer than half a wrap, and than a whole one.
    for cycles in [600, 1024 - 45] {
        s.next(1, true, &moves).next(1, true, &moves).idle(cycles);
        s.next(1, true, &moves).peek(1);
    }
    s.done(
        "ages",
        "stored telemetry at its largest age, beyond it, and half and whole wraps of the counter later",
        &["age_limit", "too_old", "time_wrap"],
    )
}

fn seq_wraps() -> Scenario {
    let mut s = Scene::wide(&[]);
    let moves = [(T, BDP, 30_000)];
    s.begin(0, 1, 0, 0, 0);
    // seq, snd_nxt: last_update_seq is the snd_nxt of the last full ACK.
    for (seq, snd_nxt) in [
        (0x5000u64, 0xffff_f000u64),
        (0xffff_f000, 3),
        (0xffff_f001, 0xffff_fff0),
        (0xffff_fff0, 3),
        (2, 0x100),
        (0x100, 0x7fff_ffff),
        (0x8000_0000, 0x8000_0001),
        (0x0000_0001, 5),
        (0x0000_0000, 0x1_0000),
        (0x8001_0000, 9),
        (0x8000_ffff, 9),
        (0xffff_ffff, 0xffff_ffff),
        (0, 1),
    ] {
        s.prepare(0, true, &moves);
        (s.flows[0].seq, s.flows[0].snd_nxt) = (seq, snd_nxt);
        s.again(0);
    }
    s.peek(0);
    s.done(
        "seq_wraps",
        "seq at and around last_update_seq, over the wrap, and half the range away",
        &["seq_wrap", "not_full_multiplicative"],
    )
}

fn ends_of_u() -> Scenario {
    let mut s = Scene::wide(&[("max_stage", Integer(1))]);
    // A queue of 100 BDP: U = 101, W at PacketBytes.
    s.begin(0, 1, 0, 0, 100 * BDP).next(0, true, &[(T, BDP, 100 * BDP)]).peek(0);
    s.next(0, true, &[(T, BDP, 4 * BDP)]);
    // Nothing for T: U = 0. One additive step, then multiplicative with U below 2^-16.
    s.next(0, true, &[(T, 0, 0)]).next(0, false, &[(T, 0, 0)]).peek(0);
    // 2, 3, 4 B in T: u around 2^-16 = 2.5 B in T.
    for bytes in [2, 3, 4] {
        s.next(0, false, &[(T, bytes, 0)]);
    }
    s.peek(0).next(0, true, &[(T, 0, 0)]).peek(0);
    // Eta itself: 0.95 x 162 500 B in T are 154 375 B, then a byte less and one more.
    for bytes in [154_375, 154_374, 154_376] {
        s.next(0, true, &[(T, bytes, 0)]);
    }
    s.peek(0);
    s.done(
        "ends_of_u",
        "U above 100, at 0, around 2^-16 and around Eta",
        &["u_tiny", "u_above_4", "window_at_packet", "window_at_first"],
    )
}

fn saturations() -> Scenario {
    let mut s = Scene::wide(&[("base_rtt", Integer(1_000)), ("packet_bytes", Integer(64))]);
    s.rate = 1;
    s.begin(0, 1, 0, 0, MASK);
    for moves in [
        // 4096 B a ns and a queue of more than 4 GiB on a link of 1 Gbps.
        (1, 4096, MASK),
        (1, 4095, 0),
        (1_000, 0, 1 << 32),
        (1_000, 0, (1 << 32) - 1),
        (2_000, 0, MASK),
        (3, 4095 * 3 + 2, 1),
        (1 << 40, MASK - 1, 0),
        // 511.99 and 512 B a ns over an eighth of a byte a ns: u just below 4096, and at its end.
        (100, 51_199, 0),
        (100, 51_200, 0),
        (1_000, 512_000, 0),
    ] {
        s.next(0, true, &[moves]);
    }
    s.peek(0);
    s.done(
        "saturations",
        "rates, queues and utilisations at the ends of their formats",
        &["u_above_4", "wide_format"],
    )
}

fn packet_above_first() -> Scenario {
    // W_init = 100 Gbps x 200 ns / 8 = 2500 B.
    let mut s = Scene::wide(&[("base_rtt", Integer(200))]);
    s.begin(0, 1, 0, 0, 0).peek(0);
    s.next(0, true, &[(200, 5000, 0)]).next(0, true, &[(200, 100, 0)]).peek(0);
    s.done(
        "packet_above_first",
        "W_init of 2500 B below PacketBytes of 4096: the window stays at PacketBytes",
        &["packet_above_first"],
    )
}

fn expected_flows() -> Scenario {
    let mut s = Scene::wide(&[("expected_flows", Integer(100))]);
    s.begin(0, 1, 0, 0, BDP).next(0, true, &[(T, BDP, BDP)]);
    s.next(0, true, &[(T, 0, 0)]).next(0, true, &[(T, 0, 0)]).peek(0);
    s.done(
        "expected_flows",
        "100 expected flows: the additive step is 162 500 x 0.05 / 100 = 81.25 B",
        &["expected_flows"],
    )
}

fn bad_rates(name: &str, changes: &[Change], rate: u64, bad: &[u64]) -> Scenario {
    let mut s = Scene::new("default", changes, rate);
    let moves = [(T, 2000, 0), (T / 2, 1000, 4), (T, 600, 100)];
    s.begin(0, 3, 0, 0, 0).next(0, true, &moves);
    for bad in bad {
        for hop in 0..3 {
            s.flows[0].records[hop].rate = *bad;
            s.next(0, true, &moves);
            s.flows[0].records[hop].rate = rate;
        }
    }
    // None of them has a rate: U stays.
    for hop in 0..3 {
        s.flows[0].records[hop].rate = bad[0];
    }
    s.next(0, true, &moves).peek(0);
    // Its stamps count all the same.
    s.next(0, true, &[(T, 1, 1), ((1 << 48) - 5, 1, 1), (1, 1, 1)]).peek(0);
    s.done(
        name,
        "hops whose link has no rate are skipped, each in turn and all at once",
        &["bad_rate", "stale"],
    )
}

fn every_rate() -> Scenario {
    let mut s = Scene::new("default", &[], 0);
    for code in 0..7 {
        s.rate = code;
        s.begin(code, 1, 0, 0, 0).next(code, true, &[(T, 1000, 300)]);
        s.next(code, true, &[(T / 3, 100, 200)]);
    }
    for code in 0..7 {
        s.peek(code);
    }
    s.done(
        "every_rate",
        "the paper's seven rate codes, the same traffic on a link of each",
        &["paper_format"],
    )
}

fn back_to_back() -> Scenario {
    let mut s = Scene::new("short", &[WIDE, YOUNG], GBPS_100);
    for (flow, hops) in [(0, 1), (1, 5), (2, 2), (3, 0)] {
        s.begin(flow, hops, 0, 0, 0);
    }
    // Of one flow, of two in turn, of three, with one hop, with five, with none.
    let order = [0, 0, 0, 0, 1, 1, 1, 0, 1, 0, 1, 2, 2, 3, 3, 3, 0, 3, 0, 3, 2, 0, 1, 2, 0, 0];
    for (n, flow) in (0u64..).zip(order) {
        let sent = [300 + 40 * n, 5000, 100_000, 160_000][n as usize % 4];
        s.next(flow, n % 3 != 1, &[(T / 4 + n, sent, n * 1000); 5]);
    }
    for flow in 0..4 {
        s.peek(flow);
    }
    s.script.eager(true);
    for (n, flow) in (0u64..).zip(order) {
        s.next(flow, n % 2 == 0, &[(T / 2 + n, 81_000 + n * 500, n * 200); 5]);
    }
    for flow in 0..4 {
        s.peek(flow);
    }
    s.done(
        "back_to_back",
        "ACKs of one to three flows as fast as they are taken, each on what the last one left",
        &["back_to_back", "hops_0", "hops_1", "hops_5"],
    )
}

/// An ACK of no hops takes effect in the cycle after another's last record: no ACKs are closer.
fn right_behind() -> Scenario {
    let mut s = Scene::new("short", &[WIDE, YOUNG], GBPS_100);
    // Behind an additive full ACK, then behind a multiplicative one: stored, with the W, U and
    // inc_stage that the one before left.
    for (flow, load) in [(5, (T, BDP / 2, 0)), (6, (T, BDP, BDP))] {
        s.begin(flow, 1, 0, 0, BDP).next(flow, true, &[(T, BDP, BDP)]);
        s.next(flow, true, &[(T, BDP / 2, 0)]).next(flow, true, &[load]);
        s.nothing(flow).peek(flow);
    }
    // Behind the first ACK of a flow.
    s.begin(1, 1, 0, 0, 0).nothing(1).peek(1);
    // Behind one that is refused: measured, and once more.
    s.prepare(1, true, &[]);
    s.script.ack(1, &Ack { hops: 6, ..s.flows[1] });
    s.nothing(1).nothing(1).peek(1);
    // Behind a stale one, and behind one of another flow.
    s.flows[6].hops = 1;
    s.next(6, true, &[(T, BDP, 0)]).next(6, true, &[(T, BDP, 0)]);
    s.next(6, true, &[(1 << 47, 1, 1)]).nothing(6).peek(6);
    s.flows[5].hops = 1;
    s.next(5, true, &[(T, BDP, 0)]).nothing(1).peek(1).peek(5);
    s.done(
        "right_behind",
        "ACKs of no hops a cycle behind another of their flow: an additive one, a multiplicative one, a stored, a stale, a refused one",
        &["right_behind", "hops_0", "stale", "hops_6"],
    )
}

fn slow_records() -> Scenario {
    let mut s = Scene::wide(&[]);
    s.begin(0, 5, 0, 0, 0).begin(1, 5, 0, 0, 0);
    for gap in [0, 1, 2, 7, 30] {
        for flow in [0, 1, 1] {
            s.prepare(flow, true, &[(T / 2, 40_000 * gap, 2000 * gap); 5]);
            let ack = s.flows[flow as usize];
            s.script.ack_with_gap(flow, &ack, gap);
        }
        s.idle(gap);
    }
    s.peek(0).peek(1);
    s.done(
        "slow_records",
        "records that come with gaps, and headers that wait for them",
        &["hops_5", "full_multiplicative"],
    )
}

fn refused() -> Scenario {
    let mut s = Scene::new("short", &[WIDE, YOUNG], GBPS_100);
    let moves = [(T, BDP, 2000); 5];
    s.begin(7, 2, 0, 0, 0).next(7, true, &moves).peek(7);
    // More hops than five, of an open flow, of a closed one, of none; and closed, and outside.
    for (flow, hops) in [(7, 6), (7, 15), (6, 6), (8, 6), (6, 5), (15, 2), (8, 0), (6, 0), (7, 2)] {
        s.prepare(7, true, &moves);
        let ack = Ack { hops, ..s.flows[7] };
        s.script.ack(flow, &ack);
    }
    s.peek(7).peek(6).peek(8).peek(15);
    for flow in [7, 8, 15] {
        s.script.open(flow);
    }
    for flow in [6, 8, 15] {
        s.script.close(flow);
    }
    // Both refused in one cycle, of one flow and of two.
    for (open, close) in [(7, 6), (8, 8), (7, 9), (12, 0)] {
        let cycle = s.script.free();
        s.script.open_at(cycle, open);
        s.script.close_at(cycle, close);
        s.script.idle(1);
    }
    s.next(7, true, &moves).peek(7);
    s.done(
        "refused",
        "more hops than HOPS, closed flows, flows outside the table, opened and closed twice",
        &["hops_6", "closed_flow", "opened_twice", "closed_twice", "flow_out_of_range"],
    )
}

/// Flows that begin and end around an ACK's last record.
fn by_the_way() -> Scenario {
    let mut s = Scene::new("short", &[WIDE, YOUNG], GBPS_100);
    let moves = [(T, BDP, 2000); 3];
    s.begin(0, 3, 0, 0, 0).next(0, true, &moves);
    // Closed in the cycle of the header, of a record, of the last one, of the next header.
    for after in [0, 2, 3, 4] {
        let cycle = s.script.free() + after;
        if after == 4 {
            s.next(0, true, &moves);
            s.script.close_at(cycle, 0);
        } else {
            s.script.close_at(cycle, 0);
            s.prepare(0, true, &moves);
            s.again(0);
        }
        s.idle(5);
        s.script.open(0);
        s.again(0).next(0, true, &moves);
    }
    s.script.close(0);
    // Opened in the same cycles.
    for after in [0, 2, 3, 4] {
        let cycle = s.script.free() + after;
        if after == 4 {
            s.again(0);
            s.script.open_at(cycle, 0);
        } else {
            s.script.open_at(cycle, 0);
            s.again(0);
        }
        s.idle(5);
        s.next(0, true, &moves).peek(0);
        s.script.close(0);
    }
    // Open and close in the last record's cycle: the flow is closed after it, whatever it was.
    for open in [false, true] {
        if open {
            s.script.open(0);
            s.again(0).next(0, true, &moves);
        }
        let cycle = s.script.free() + 3;
        s.script.open_at(cycle, 0);
        s.script.close_at(cycle, 0);
        s.again(0).peek(0);
    }
    // Closed and opened again while ACKs are on their way: the new one starts from W_init.
    s.begin(1, 1, 0, 0, BDP).next(1, true, &[(T, BDP, BDP)]);
    s.script.close(1);
    s.script.open(1);
    s.again(1).next(1, true, &[(T, BDP / 2, 0)]).peek(1);
    s.done(
        "by_the_way",
        "a flow closed, opened, or both in the cycles of an ACK's header and records",
        &["closed_by_the_way", "opened_by_the_way", "open_and_close"],
    )
}

/// Every flow open, and ACKs of ninety of them: the first, the last, and every address bit.
fn every_flow() -> Scenario {
    let mut s = Scene::new("default", &[], CODE_100);
    let some: Vec<u64> = (0..90).map(|n| (n * 171 + 84 * (n % 3)) % 256).collect();
    for flow in (0..256).filter(|flow| !some.contains(flow)) {
        s.script.open(flow);
    }
    let mut begun = vec![];
    for flow in some {
        if !begun.contains(&flow) {
            s.begin(flow, 1, flow * 65_521, flow * 4093, flow * 7);
            begun.push(flow);
        }
    }
    for flow in begun.iter().rev() {
        s.next(*flow, true, &[(100 + 50 * flow, 10 + 5 * flow, 6 * flow)]);
    }
    for flow in [begun[0], begun[1], 255, 0] {
        s.peek(flow);
    }
    s.done(
        "every_flow",
        "every flow of the table open, ACKs of many, each on its own state",
        &["hops_1"],
    )
}

/// Peeks of a flow in each cycle around its ACKs' effects.
fn peeks_everywhere() -> Scenario {
    let mut s = Scene::new("short", &[WIDE, YOUNG], GBPS_100);
    s.begin(2, 2, 0, 0, 0).begin(3, 1, 0, 0, 0);
    for offset in 0..12 {
        let cycle = s.script.free() + offset;
        s.script.peek_at(cycle, 2);
        for n in 0..6 {
            s.next(2, n % 2 == 0, &[(T / 2, 60_000 + 9000 * n, 5000 * n); 2]);
        }
        s.script.peek_at(s.script.free() + 25, 3);
        s.next(3, true, &[(T, BDP / 2, 0)]);
        s.script.idle_until(cycle + 2 * BLOCK.cycles("peek_interval") + 30);
    }
    s.done(
        "peeks_everywhere",
        "peeks in every cycle around the effects of ACKs that come back to back",
        &["back_to_back"],
    )
}

fn random(name: &str, build: &'static str, leg: u64, cycles: u64) -> Scenario {
    const SEED: u64 = 7;
    let mut played = random::leg(SEED, leg, cycles, &params(build));
    played.stimulus.truncate(cycles);
    Scenario {
        name: name.to_string(),
        doc: "a leg of a random run",
        build,
        covers: &[],
        seed: Some(SEED),
        leg: played,
    }
}
