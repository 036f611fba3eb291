//! The directed and random scenarios of `pacing_table` that vectors are committed for.
//!
//! Most run on the build `four` (4 entries, 8 queues, a 12-bit time), where hazards, evictions and
//! wraps come within a few hundred cycles. Each names the rows of "Must be covered" that it is for.

use super::script::{Script, params};
use super::timing::Figures;
use super::{cct, random};
use crate::attributes::{AttributeSet, Value};
use crate::scenario::{Leg, Scenario};
use Value::{Integer, Name, Real};
use congruent_ports::pacing_table::BLOCK;

type Change = (&'static str, Value);

const INCREASE: &str = "ccti_increase";
const LIMIT: &str = "ccti_limit";
const MIN: &str = "ccti_min";
const TIMER: &str = "ccti_timer";
const SLACK: &str = "pacing_slack";
const RATE: &str = "data_rate";
const SKIP: Change = ("increase_mode", Name("skip"));
const REARM: Change = ("timer_mode", Name("rearm"));
const MTU: Change = ("delay_base", Name("mtu"));
const NO_DECAY: Change = (TIMER, Integer(0));

/// Destinations.
const A: u64 = 0x0a_0001;
const B: u64 = 0x0b_0002;
const C: u64 = 0x0c_0003;
const D: u64 = 0x0d_0004;
const E: u64 = 0x0e_0005;
const F: u64 = 0x0f_0006;

/// All of them, in the order in which they are listed.
pub fn all() -> Vec<Scenario> {
    vec![
        ten_becns_and_silence(),
        least_recently_used(),
        becn_meets_release(),
        grant_meets_eviction(),
        heads_of_evicted(),
        one_destination_for_all_queues(),
        round_robin(),
        not_ready(),
        heads_wait_in_line(),
        increase_saturates(),
        increase_skips(),
        increase_above_limit("increase_above_limit", "saturate", &["increase_above_limit"]),
        increase_above_limit("no_entry_made", "skip", &["no_entry_made"]),
        rearm(),
        minimum_above_zero(),
        no_decay(),
        trigger_threshold(),
        delay_of_the_packet(),
        delay_of_the_mtu(),
        largest_delay(),
        gap_saturates(),
        fabric_manager(),
        rows_written_between_grants(),
        slack("slack_0", 0, &["beyond_slack"]),
        slack("slack_2", 2, &["within_slack", "beyond_slack"]),
        slack("slack_63", 63, &["within_slack"]),
        idle_past_half_a_wrap(),
        ends_of_the_dlid(),
        refused_events(),
        evictions("entries_1", "one", 1, &["entries_1", "hit_beside_eviction"]),
        evictions("entries_64", "default", 64, &["entries_64", "back_to_back_misses"]),
        evictions("entries_1024", "large", 1024, &["entries_1024", "back_to_back_misses"]),
        random("random_one", "one", 7, 2_000),
        random("random_four", "four", 7, 2_000),
        random("random_default", "default", 7, 1_500),
        random("random_large", "large", 7, 1_500),
    ]
}

/// At 100 MHz a period is 102 cycles and a packet of 4154 B lasts 33.2, of 1082 B 8.7, of 64 B 0.5.
fn attributes(changes: &[Change]) -> AttributeSet {
    AttributeSet::defaults(&BLOCK)
        .with(&[("clock_mhz", Real(100.0)), (RATE, Real(100.0)), (TIMER, Integer(1))])
        .with(changes)
}

fn four(
    name: &str,
    doc: &'static str,
    attributes: AttributeSet,
    script: &Script,
    covers: &'static [&'static str],
) -> Scenario {
    on("four", name, doc, attributes, script, covers)
}

fn on(
    build: &'static str,
    name: &str,
    doc: &'static str,
    attributes: AttributeSet,
    script: &Script,
    covers: &'static [&'static str],
) -> Scenario {
    let leg = Leg { attributes, stimulus: script.stimulus() };
    Scenario { name: name.to_string(), doc, build, covers, seed: None, leg }
}

fn ten_becns_and_silence() -> Scenario {
    let mut script = Script::default();
    for n in 0..10 {
        script.becn(3 + n, A);
    }
    for n in 0..11 {
        script.peek(40 + 102 * n, 0);
    }
    for n in 0..8 {
        script.head(20 + 150 * n, n % 8, A, 1082);
    }
    four(
        "ten_becns_and_silence",
        "ten BECNs at once, then silence: ccti 10, one less each period, released; packets all along",
        attributes(&[]),
        script.until(1_300),
        &["timer_running", "timer_one", "back_to_back_one_dlid", "wrap_while_due"],
    )
}

/// The page's example, and what a hit does to the order.
fn least_recently_used() -> Scenario {
    let mut script = Script::default();
    for (n, dlid) in [A, B, C, D].into_iter().enumerate() {
        script.becn(4 + n as u64, dlid);
    }
    script.head(20, 1, A, 64);
    // B, then C; a hit saves D, so the next is A. F, the newest, is hit right behind its own making.
    script.becn(40, E).becn(50, F).becn(51, F).becn(60, D).becn(70, B);
    // A packet for a destination that has no entry any more is no use of one.
    script.head(80, 2, C, 64).becn(90, C);
    // Misses one after the other: each victim is the one that the miss before left.
    for n in 0..9 {
        script.becn(100 + n, 0x30_0000 + n);
    }
    // Used in the cycle before, and in the very cycle in which the victim is chosen.
    let figures = Figures::of(&params("four"));
    for early in 0..4 {
        let at = 200 + 40 * early;
        script.becn(at, A).becn(at + 1, B).becn(at + 2, C).becn(at + 3, D);
        script.head(at + 20 + early - figures.head_delay, 3, A, 64).becn(at + 22, E);
    }
    four(
        "least_recently_used",
        "evictions in the order of use: by BECN, by packet, by packet in the cycle of the eviction",
        attributes(&[NO_DECAY]),
        script.until(500),
        &[
            "entries_4",
            "victim_by_packet",
            "back_to_back_misses",
            "back_to_back_one_dlid",
            "grant_lands_on_evicted",
        ],
    )
}

/// The cycles of the releases are found by running the golden model on the script so far.
fn becn_meets_release() -> Scenario {
    let attributes = attributes(&[]);
    let mut script = Script::default();
    script.becn(10, A).head(30, 2, A, 4154).head(40, 2, A, 4154).head(50, 2, A, 4154).until(1_500);
    let release = |script: &Script, n: usize| script.releases("four", &attributes)[n];
    // Made anew in the cycle of its release, by its own BECN.
    let (first, _) = release(&script, 0);
    script.becn(first, A);
    // A head of it in that cycle: it goes unpaced, and does not hold the entry made anew.
    let (second, _) = release(&script, 1);
    let figures = Figures::of(&params("four"));
    script.becn(second, A).head(second - figures.head_delay, 4, A, 4154);
    // All valid, one released: the miss takes its place, and nothing is evicted.
    script.becn(second + 20, B).becn(second + 21, C).becn(second + 22, D);
    let (third, _) = release(&script, 2);
    script.becn(third, E).becn(third + 1, F);
    // One that was released a cycle earlier, or is a cycle later.
    let (fourth, dlid) = release(&script, 3);
    script.becn(fourth + 1, dlid).becn(fourth - 1, 0x77);
    four(
        "becn_meets_release",
        "BECN for an entry released in the same cycle; a miss with all valid and one released",
        attributes.clone(),
        &script,
        &["becn_in_release_cycle", "miss_in_release_cycle", "release_at_head"],
    )
}

/// Grants that are decided in the cycle in which their entry goes: their effects land nowhere.
fn grant_meets_eviction() -> Scenario {
    let attributes = attributes(&[(INCREASE, Integer(3))]);
    let delay = Figures::of(&params("four")).head_delay;
    let mut script = Script::default();
    for (n, dlid) in [A, B, C, D].into_iter().enumerate() {
        script.becn(4 + n as u64, dlid);
    }
    // In the cycle of the eviction, and a cycle before it and after it.
    for (n, dlid) in [A, B, C].into_iter().enumerate() {
        let at = 30 + 20 * n as u64;
        script.head(at + n as u64 - delay, n as u64, dlid, 4154).becn(at + 1, 0x40_0000 + n as u64);
        script.head(at + 6, n as u64, dlid, 64).peek(at + 12 + n as u64, 0);
    }
    script.until(1_600);
    for n in 0..3 {
        let (released, dlid) = script.releases("four", &attributes)[n];
        script.head(released - delay, 5 + n as u64 % 3, dlid, 1082);
        if n > 0 {
            script.becn(released, dlid);
        }
    }
    four(
        "grant_meets_eviction",
        "grants in the cycle in which their entry is evicted, released, released and made anew",
        attributes.clone(),
        &script,
        &["grant_lands_on_evicted", "becn_in_release_cycle"],
    )
}

fn heads_of_evicted() -> Scenario {
    let mut script = Script::default();
    for n in 0..6 {
        script.becn(4 + n, A);
    }
    script.becn(10, B).becn(11, C).becn(12, D);
    // The second packet of A is paced for 6 x 33 cycles; its destination is evicted meanwhile.
    script.head(20, 0, A, 4154).head(21, 0, A, 4154).head(22, 1, A, 64).head(23, 2, B, 64);
    // Others use their entries, so A's is the oldest after B's packet.
    for (n, dlid) in [B, C, D].into_iter().enumerate() {
        script.head(40 + 3 * n as u64, 3 + n as u64, dlid, 64);
    }
    script
        .becn(70, E)
        .becn(71, A)
        .becn(72, A)
        .becn(80, F)
        .becn(81, 0x51)
        .becn(82, 0x52)
        .becn(83, A);
    for n in 0..8 {
        script.head(90 + n, n, A, 1082).peek(100 + 40 * n, n % 4);
    }
    four(
        "heads_of_evicted",
        "eviction of a destination at the head of queues: they go from the next cycle on",
        attributes(&[NO_DECAY]),
        script.until(420),
        &["evict_at_head", "hit_beside_eviction", "delay_packet"],
    )
}

fn one_destination_for_all_queues() -> Scenario {
    let mut script = Script::default();
    script.becn(3, A).becn(4, A);
    for n in 0..40 {
        script.head(10 + n, n % 8, A, 64 + 40 * n);
    }
    for n in 0..12 {
        script.head(60 + n, n % 8, if n % 3 == 0 { B } else { A }, 1082);
    }
    four(
        "one_destination_for_all_queues",
        "every queue has a head for one paced destination: one grant holds all",
        attributes(&[NO_DECAY]),
        script.until(1_200),
        &["two_heads_one_dlid", "all_heads_equal", "wrap_while_held"],
    )
}

fn round_robin() -> Scenario {
    let mut script = Script::default();
    script.becn(2, A);
    // All queues full, some of them paced now and then.
    for n in 0..64 {
        let dlid = if n % 5 == 4 { A } else { 0x100 + n };
        script.head(5 + n, (n * 3) % 8, dlid, 64);
    }
    for n in 0..40 {
        script.ready(20 + 2 * n, n % 3 != 1);
    }
    // One queue alone, then its neighbours before and behind.
    for n in 0..10 {
        script.head(200 + n, 6, 0x200, 64);
    }
    script.head(230, 5, 1, 64).head(231, 7, 2, 64).head(232, 6, 3, 64).head(233, 0, 4, 64);
    four(
        "round_robin",
        "the queues in turn, paced ones left out, grant_ready coming and going",
        attributes(&[]),
        script.until(300),
        &["timer_one"],
    )
}

fn not_ready() -> Scenario {
    let mut script = Script::default();
    script.ready(0, false).becn(2, A);
    for n in 0..16 {
        script.head(4 + n, n % 8, 0x300 + n, 64);
    }
    script.ready(40, true).ready(41, false).ready(50, true);
    for n in 0..12 {
        script.head(60 + n, n % 4, A, 64);
    }
    script.ready(70, false).ready(110, true);
    four(
        "not_ready",
        "all heads eligible, grant_ready held low: nothing goes, and nobody waits in the count",
        attributes(&[]),
        script.until(250),
        &["all_eligible_not_ready"],
    )
}

/// Two places a queue: who is behind becomes the head in the cycle after the grant before it.
fn heads_wait_in_line() -> Scenario {
    let mut script = Script::default();
    for n in 0..4 {
        script.becn(2 + n, B);
    }
    // Back to back into one queue; a paced one in front of one that is not.
    for n in 0..12 {
        script.head(10 + n, 1, 0x10 + n, 64);
    }
    script.head(30, 2, B, 64).head(31, 2, B, 1082).head(32, 2, C, 64).head(33, 3, C, 64);
    for n in 0..20 {
        script.head(60 + 2 * n, 4 + n % 2, if n % 4 == 0 { B } else { C }, 64);
    }
    four(
        "heads_wait_in_line",
        "heads back to back into one queue, and behind a paced one",
        attributes(&[NO_DECAY]),
        script.until(300),
        &["delay_packet"],
    )
}

fn increase_saturates() -> Scenario {
    let mut script = Script::default();
    for n in 0..27 {
        script.becn(3 + 2 * n, A);
    }
    script.becn(4, B).becn(6, B);
    script.head(70, 0, A, 64).head(75, 0, A, 64).peek(80, 0);
    four(
        "increase_saturates",
        "26 BECNs of 5 from zero: 125, then the limit of 127",
        attributes(&[(INCREASE, Integer(5)), ("trigger_threshold", Integer(125))]),
        script.until(600),
        &["increase_saturate", "trigger_reached"],
    )
}

fn increase_skips() -> Scenario {
    let mut script = Script::default();
    for n in 0..27 {
        script.becn(3 + 2 * n, A);
    }
    // Dropped, and still a use: B is the victim, not A.
    script.becn(4, B).becn(6, C).becn(8, D).becn(80, A).becn(90, E).becn(100, F);
    four(
        "increase_skips",
        "skip: the 26th BECN of 5 would pass the limit and is dropped; it counts as use",
        attributes(&[SKIP, (INCREASE, Integer(5)), NO_DECAY]),
        script.until(200),
        &["increase_skip", "timer_zero"],
    )
}

fn increase_above_limit(
    name: &'static str,
    mode: &'static str,
    covers: &'static [&'static str],
) -> Scenario {
    let mut script = Script::default();
    for n in 0..12 {
        script.becn(3 + 30 * n, [A, B, A, C][n as usize % 4]);
        script.head(10 + 30 * n, n % 8, A, 64);
    }
    four(
        name,
        "CCTI_Increase above CCTI_Limit: saturate starts at the limit, skip makes no entry",
        attributes(&[(INCREASE, Integer(255)), (LIMIT, Integer(4)), ("increase_mode", Name(mode))]),
        script.until(500),
        covers,
    )
}

/// BECNs that restart a period, in the cycle of a decay, a cycle beside it, and between the end of a
/// period and its decay; the decays are found by running the golden model.
fn rearm() -> Scenario {
    let attributes = attributes(&[REARM]);
    let mut script = Script::default();
    // Entry 0 is visited in cycles 4 n: a period from cycle 5 on ends in 107, its decay is in 108.
    script.becn(5, A).becn(6, B).becn(7, A).becn(50, B).until(1_600);
    let decay = |script: &Script, n: usize| script.decays("four", &attributes)[n];
    for n in 0..8 {
        let (cycle, dlid) = decay(&script, n);
        match n % 4 {
            0 => script.becn(cycle, dlid),
            1 => script.becn(cycle - 1, dlid),
            2 => script.becn(cycle - 2, dlid).becn(cycle, dlid),
            _ => script.becn(cycle + 1, dlid).becn(cycle - 3, dlid),
        };
        script.peek(cycle + 2, n as u64 % 2);
    }
    // At the limit nothing changes, so nothing restarts.
    for n in 0..5 {
        script.becn(900 + 7 * n, C);
    }
    four(
        "rearm",
        "TimerMode rearm: BECNs that restart a period, around its end and its decay",
        attributes.clone(),
        &script,
        &["timer_rearm", "rearm_with_decay", "rearm_after_period"],
    )
}

fn minimum_above_zero() -> Scenario {
    let mut script = Script::default();
    for (n, dlid) in [A, A, B, A, C].into_iter().enumerate() {
        script.becn(3 + n as u64, dlid);
    }
    // Back at the minimum for many periods, then up again: the chain has not lost a cycle.
    script.becn(777, A).becn(800, B);
    for n in 0..12 {
        script.peek(60 + 102 * n, n % 4).head(70 + 102 * n, n % 8, [A, B, D][n as usize % 3], 1082);
    }
    script.becn(1_250, D).becn(1_251, E).becn(1_252, F);
    four(
        "minimum_above_zero",
        "CCTI_Min 2: entries decay to it and stay until they are evicted",
        attributes(&[(MIN, Integer(2))]),
        script.until(1_400),
        &["min_above_zero", "entries_4", "timer_running"],
    )
}

fn no_decay() -> Scenario {
    let mut script = Script::default();
    for n in 0..6 {
        script.becn(3 + 100 * n, [A, B, A][n as usize % 3]);
        script.head(30 + 100 * n, n % 8, A, 4154).peek(60 + 100 * n, n % 4);
    }
    four(
        "no_decay",
        "CCTI_Timer 0: nothing decays",
        attributes(&[NO_DECAY]),
        script.until(900),
        &["timer_zero"],
    )
}

fn trigger_threshold() -> Scenario {
    let mut script = Script::default();
    for n in 0..7 {
        script.becn(3 + 5 * n, A).becn(4 + 5 * n, B);
    }
    for n in 0..6 {
        script.becn(500 + 60 * n, A);
    }
    four(
        "trigger_threshold",
        "BECNs below the threshold, at it, above it and at the limit",
        attributes(&[("trigger_threshold", Integer(3)), (LIMIT, Integer(5))]),
        script.until(900),
        &["trigger_reached", "increase_saturate"],
    )
}

/// Rows of every shift, for the destinations A to D at ccti 1 to 4.
fn rows_of_every_shift(script: &mut Script) {
    for (row, (shift, multiplier)) in [(3, 5), (2, 5), (1, 7), (0, 2)].into_iter().enumerate() {
        script.cct(row as u64, row as u64 + 1, shift, multiplier);
    }
    for (n, dlid) in [A, B, C, D].into_iter().enumerate() {
        for _ in 0..=n {
            script.becn(5 + script.beats(), dlid);
        }
    }
}

fn sizes(script: &mut Script) {
    for n in 0..32u64 {
        let dlid = [A, B, C, D][n as usize % 4];
        let bytes = [64, 1082, 4154, 65, 127, 9216, 1, 4153][n as usize / 4];
        script.head(40 + 4 * n, n % 8, dlid, bytes).peek(60 + 34 * n, n % 4);
    }
}

fn delay_of_the_packet() -> Scenario {
    let mut script = Script::default();
    rows_of_every_shift(&mut script);
    sizes(&mut script);
    four(
        "delay_of_the_packet",
        "DelayBase packet: every shift, packets of several sizes, next_send peeked",
        attributes(&[NO_DECAY]),
        script.until(1_200),
        &["delay_packet"],
    )
}

fn delay_of_the_mtu() -> Scenario {
    let mut script = Script::default();
    rows_of_every_shift(&mut script);
    sizes(&mut script);
    four(
        "delay_of_the_mtu",
        "DelayBase mtu: the delay of every packet is that of the largest",
        attributes(&[NO_DECAY, MTU, ("max_packet_bytes", Integer(1_082)), (RATE, Real(133.0))]),
        script.until(1_200),
        &["delay_mtu"],
    )
}

/// On the shipped TIME_W, where nothing saturates at this rate.
fn largest_delay() -> Scenario {
    let mut script = Script::default();
    script.cct(0, 1, 0, 16_383).cct(1, 2, 3, 16_383).becn(4, A).becn(5, B).becn(6, B);
    script.head(20, 0, A, 16_384).head(21, 1, B, 16_384).head(24, 2, A, 64).head(25, 2, A, 64);
    script.head(26, 3, B, 32_767).peek(60, 0).peek(90, 1);
    on(
        "default",
        "largest_delay",
        "the largest packet at the largest multiplier, shift 0 and shift 3",
        AttributeSet::defaults(&BLOCK).with(&[("clock_mhz", Real(2_000.0))]),
        script.until(400),
        &["largest_delay"],
    )
}

/// A hold of 2^(TIME_W - 2) cycles, looked at across the wrap; decay ends one, eviction the other.
fn gap_saturates() -> Scenario {
    let mut script = Script::default();
    script.cct(0, 1, 0, 16_383).cct(1, 2, 0, 16_383).becn(4, A).becn(5, B).becn(6, B);
    script.head(20, 0, A, 16_384).head(21, 1, B, 4154).head(24, 2, A, 64).head(25, 3, B, 64);
    script.head(26, 2, A, 64).head(27, 3, B, 64);
    for n in 0..14 {
        script.peek(60 + 90 * n, n % 2);
    }
    script.becn(1_200, C).becn(1_201, D).becn(1_202, E).becn(1_203, F);
    four(
        "gap_saturates",
        "delays beyond 2^(TIME_W - 2) cycles are held there",
        attributes(&[(MIN, Integer(1))]),
        script.until(1_500),
        &["gap_saturates", "largest_delay", "wrap_while_held", "evict_at_head"],
    )
}

fn fabric_manager() -> Scenario {
    let rows = cct::fabric_manager(4096, 100.0, 8300.0, 127);
    let mut script = Script::default();
    for n in 0..26 {
        script.becn(2 + n, A);
    }
    script.becn(30, B).becn(31, C).becn(32, C);
    for n in 0..9 {
        script.head(40 + 3 * n, n % 8, [A, B, C][n as usize % 3], 4136).peek(80 + 60 * n, n % 4);
    }
    let changes = [(RATE, Real(100.0)), (INCREASE, Integer(5)), (TIMER, Integer(10))];
    let leg = Leg {
        attributes: AttributeSet::defaults(&BLOCK).with(&changes),
        stimulus: cct::prepend(&rows, &script.until(800).stimulus()),
    };
    Scenario {
        name: "fabric_manager".to_string(),
        doc: "the fabric manager's linear table, loaded: ccti 127, 5 and 10 at 100 Gbps",
        build: "default",
        covers: &["delay_packet"],
        seed: None,
        leg,
    }
}

/// A row that changes around a grant: the last grant at the old row, the first at the new one.
fn rows_written_between_grants() -> Scenario {
    let delay = Figures::of(&params("four")).cct_delay;
    let mut script = Script::default();
    script.becn(2, A).becn(3, B);
    for n in 0..12 {
        let at = 20 + 60 * n;
        script.head(at, n % 8, A, 1082).peek(at + 20, 0);
        // Heads are granted in the cycle head_delay after they come.
        let granted = at + Figures::of(&params("four")).head_delay;
        script.cct(granted + n % 4 - delay - 1, 1, n % 4, 3 + n);
    }
    four(
        "rows_written_between_grants",
        "a row of the CCT written just before and just behind the grant that reads it",
        attributes(&[NO_DECAY]),
        script.until(800),
        &["delay_packet"],
    )
}

fn slack(name: &'static str, slack: u64, covers: &'static [&'static str]) -> Scenario {
    let mut script = Script::default();
    script.becn(2, A);
    // Packets that come in time, up to 3 cycles late, and much later.
    let mut at = 10;
    for n in 0..26 {
        script.head(at, n % 8, A, 1082).peek(at + 19, 0);
        at += [17, 18, 19, 20, 21, 60, 80, 90, 17][n as usize % 9];
    }
    // As soon as they are allowed, so that fractions add up.
    for n in 0..20 {
        script.head(at + n, n % 2, A, 64);
    }
    four(
        name,
        "PacingSlack: packets in time, a little late, and late",
        attributes(&[NO_DECAY, (SLACK, Integer(slack))]),
        script.until(1_400),
        covers,
    )
}

fn idle_past_half_a_wrap() -> Scenario {
    let mut script = Script::default();
    script.becn(2, A).becn(3, B).head(10, 0, A, 1082).head(11, 1, B, 64);
    // With a stale next_send or deadline these would be early, or the entries overdue.
    script.peek(2_300, 0).head(2_400, 0, A, 64).head(2_401, 1, B, 64).head(2_402, 1, B, 64);
    script.becn(2_420, A).peek(2_450, 1);
    four(
        "idle_past_half_a_wrap",
        "entries idle for more than half a wrap: their next packets go at once",
        attributes(&[(MIN, Integer(1))]),
        script.until(2_600),
        &["wrap_while_idle", "wrap_while_due"],
    )
}

fn ends_of_the_dlid() -> Scenario {
    let most = (1 << params("four").get("DLID_W")) - 1;
    let mut script = Script::default();
    // Untracked first: an empty entry must not be taken for DLID 0.
    script.head(2, 0, 0, 4154).head(3, 1, most, 4154).head(4, 0, 0, 4154);
    script.becn(20, 0).becn(21, most).becn(22, 1).becn(23, most ^ 0x80_0000);
    for n in 0..12 {
        let dlid = [0, most, 1, most - 1, most ^ 0x80_0000, 0x80_0000][n as usize % 6];
        script.head(30 + n, n % 8, dlid, 1082);
    }
    script.becn(80, most - 1).becn(90, 0);
    four(
        "ends_of_the_dlid",
        "DLID 0, all ones, and their neighbours",
        attributes(&[]),
        script.until(400),
        &["dlid_all_ones", "dlid_zero", "entries_4"],
    )
}

fn refused_events() -> Scenario {
    let mut script = Script::default();
    script.becn(2, A);
    for n in 0..8 {
        // The refused one must not take the place of the queue with the same low bits.
        script.head(10 + 6 * n, 8 + n, A, 64).head(11 + 6 * n, n, A, 0).head(12 + 6 * n, n, B, 64);
        script.head(13 + 6 * n, 8 + n, C, 0).peek(20 + 20 * n, 4 + n % 4);
    }
    // Two refusals that are answered, and counted, in one cycle.
    let figures = Figures::of(&params("four"));
    script.peek(300, 5).head(300 + figures.peek_latency - figures.err_latency, 9, D, 64);
    // A full queue does not keep a beat for a queue that there is not.
    script.ready(330, false).head(340, 1, B, 64).head(341, 1, B, 64).head(342, 15, B, 64);
    script.head(343, 1, B, 0).ready(350, true);
    four(
        "refused_events",
        "queues and entries that there are not, packets of 0 B: answered with an error, nothing else",
        attributes(&[]),
        script.until(450),
        &["queue_out_of_range", "index_out_of_range", "zero_length"],
    )
}

/// A table filled and overfilled, with packets for some of its destinations.
fn evictions(
    name: &str,
    build: &'static str,
    entries: u64,
    covers: &'static [&'static str],
) -> Scenario {
    let params = params(build);
    let interval = Figures::of(&params).becn_interval;
    let (mask, queues) = ((1 << params.get("DLID_W")) - 1, params.get("QUEUES") as u64);
    let dlid = |n: u64| (n * 0x1b) & mask;
    let mut script = Script::default();
    for n in 0..entries {
        script.becn(3 + interval * n, dlid(n));
    }
    let full = 3 + interval * entries;
    // Every fourth of the oldest is used by a packet, and stays.
    for n in 0..24.min(entries) {
        script.head(full + 2 * n, n % queues, dlid(4 * n), 64);
    }
    for n in 0..40 {
        script.becn(full + 60 + interval * n, dlid(entries + n / 2 * 2));
    }
    for n in 0..12 {
        script.becn(full + 60 + interval * (40 + n), dlid(entries + 100 + n));
    }
    for n in 0..6 {
        script.peek(full + 40 * n, (n * 13) % entries);
    }
    on(
        build,
        name,
        "a table filled and overfilled; packets keep some of its entries",
        attributes(&[NO_DECAY]),
        &script,
        covers,
    )
}

/// At most `cycles` long: the answers fill the files.
fn random(name: &str, build: &'static str, seed: u64, cycles: u64) -> Scenario {
    let mut leg = random::leg(seed, 0, cycles, &params(build));
    leg.stimulus.truncate(cycles);
    let doc = "leg 0 of a random run";
    Scenario { name: name.to_string(), doc, build, covers: &[], seed: Some(seed), leg }
}
