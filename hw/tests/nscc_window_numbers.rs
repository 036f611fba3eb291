//! "Numbers to reproduce" of the page, each against the value that the page gives.

use congruent_hw::attributes::{AttributeSet, Value};
use congruent_hw::fixed::to_real;
use congruent_hw::nscc_window::cfg::configure;
use congruent_hw::nscc_window::core::{
    self, Cfg, Context, Event, Kind, Outcome, Routine, observation, whole_cycles,
};
use congruent_ports::nscc_window::{AVERAGE_FRAC, BLOCK, RTT_FRAC};
use congruent_ports::{ParamSet, error};

/// Nanoseconds a cycle at the default clock.
const NS: u64 = 2;

/// A nominal packet, its payload.
const P: u64 = 4156;
const MSS: u64 = 4096;

fn cfg_of(changes: &[(&str, Value)], params: &[(&str, i64)]) -> Cfg {
    let params = ParamSet::with(&BLOCK, params.iter().copied()).expect("legal");
    let attributes = AttributeSet::defaults_under(&BLOCK, &params).with(changes);
    configure(&attributes, &params).expect("legal")
}

fn defaults() -> Cfg {
    cfg_of(&[], &[])
}

/// Nanoseconds as UQ RTT_W.4 cycles.
fn rtt(ns: u64) -> u64 {
    (ns << RTT_FRAC) / NS
}

fn event(kind: Kind) -> Event {
    Event {
        kind,
        bytes: 0,
        flight: 0,
        rtt_valid: false,
        rtt: 0,
        trimmed: false,
        ecn: false,
        penalty: 0,
        restore: false,
    }
}

/// One destination and the cycle in which its next event comes.
struct Bench {
    cfg: Cfg,
    ctx: Context,
    now: u64,
}

impl Bench {
    fn new(cfg: Cfg) -> Self {
        let mut bench = Self { cfg, ctx: core::CLOSED, now: 0 };
        bench.play(event(Kind::Open));
        bench
    }

    fn with_window(cfg: Cfg, bytes: u64) -> Self {
        let mut bench = Self::new(cfg);
        bench.ctx.cwnd = bytes << bench.cfg.cwnd_frac;
        bench
    }

    fn play(&mut self, evt: Event) -> Outcome {
        core::event(&self.cfg, &mut self.ctx, self.now, &evt)
    }

    /// A sack of `bytes` with a delay sample of so many ns.
    fn sack(&mut self, bytes: u64, sample_ns: u64) -> Outcome {
        let rtt = self.ctx.base_rtt + rtt(sample_ns);
        self.play(Event { bytes, rtt_valid: true, rtt, ..event(Kind::Sack) })
    }

    fn trim(&mut self) -> Outcome {
        self.play(Event { flight: P, trimmed: true, ..event(Kind::Nack) })
    }

    fn cwnd(&self) -> f64 {
        to_real(self.ctx.cwnd, self.cfg.cwnd_frac)
    }
}

/// The window's own steps, bytes: what a value of the page may differ by where it is no whole
/// number of them, beside the page's own rounding to two or three decimals.
const LSB: f64 = 1.0 / 256.0;

#[test]
fn derived_values() {
    let cfg = defaults();
    let bytes = |raw: u64| to_real(raw, cfg.cwnd_frac);
    assert_eq!(cfg.packet, 4156);
    // BDP 300 000 B; 450 000 B = 108.28 P.
    assert_eq!(bytes(cfg.first_window) / 1.5, 300_000.0);
    assert_eq!(bytes(cfg.first_window), 450_000.0);
    assert_eq!((bytes(cfg.first_window) / 4156.0 * 100.0).round(), 10_828.0);
    // alpha 2.7307 B/ns, fi 20 480 B, eta 614.4 B, fast 1.0.
    assert!((to_real(cfg.alpha, 24) / NS as f64 - 2.7307).abs() < 5e-5);
    assert_eq!(to_real(cfg.fair, 8), 20_480.0);
    assert!((bytes(cfg.eta) - 614.4).abs() < LSB);
    assert_eq!(to_real(cfg.fast, 20), 1.0);
    assert_eq!(cfg.target, rtt(4500));
    assert_eq!(observation(&cfg, cfg.base_rtt) * NS, 10_500);
    assert_eq!(8 * cfg.packet, 33_248);
}

/// Fires below so many bytes, and not with them.
fn assert_gate(cfg: &Cfg, max_window: u64, gate: u64) {
    assert!(core::below_gate(cfg, gate - 1, max_window), "{} bytes", gate - 1);
    assert!(!core::below_gate(cfg, gate, max_window), "{gate} bytes");
}

#[test]
fn the_gate_and_what_follows_the_base_rtt() {
    let cfg = defaults();
    assert_gate(&cfg, cfg.first_window, 56_250);
    let mut bench = Bench::new(defaults());
    bench.play(Event { rtt_valid: true, rtt: rtt(1000), ..event(Kind::Sack) });
    assert_eq!(bench.cwnd(), 75_000.0);
    assert_eq!(to_real(bench.ctx.max_window, bench.cfg.cwnd_frac), 75_000.0);
    assert_eq!(observation(&bench.cfg, bench.ctx.base_rtt) * NS, 5500);
    assert_gate(&bench.cfg, bench.ctx.max_window, 9375);
    assert_eq!(bench.cfg.target, rtt(4500));
}

#[test]
fn the_override_is_for_life() {
    let mut bench =
        Bench::new(cfg_of(&[("override_spec_max_congestion_window", Value::Bool(true))], &[]));
    assert_eq!(bench.cwnd(), 444_692.0);
    bench.play(Event { rtt_valid: true, rtt: rtt(1000), ..event(Kind::Sack) });
    assert_eq!(bench.ctx.base_rtt, rtt(1000));
    assert_eq!(bench.cwnd(), 444_692.0);
}

#[test]
fn without_trimming() {
    let cfg = cfg_of(&[("trimming_enabled", Value::Bool(false))], &[]);
    assert_eq!(cfg.target, rtt(6000));
    assert_eq!(observation(&cfg, cfg.base_rtt) * NS, 12_000);
    // The trigger: above 24 000 ns, not at it.
    for (sample_ns, fires) in [(24_000, false), (24_001, true)] {
        let mut bench = Bench::new(cfg.clone());
        bench.sack(MSS, 0);
        bench.now += 12_000 / NS;
        assert_eq!(bench.sack(MSS, sample_ns).qa_fired, fires, "{sample_ns} ns");
    }
    // With trimming a delay is no trigger.
    let mut bench = Bench::new(defaults());
    bench.sack(MSS, 0);
    bench.now += 12_000 / NS;
    assert!(!bench.sack(MSS, 100_000).qa_fired);
}

/// One SACK of 4096 B: pending, and what it comes to applied alone to 225 000.
#[test]
fn one_sack_pends() {
    for (sample_ns, pending, applied) in [(0, 50_331_648, 223.696), (4500, 83_886_080, 372.827)] {
        let mut bench = Bench::with_window(defaults(), 225_000);
        let outcome = bench.sack(MSS, sample_ns);
        assert!(!outcome.divides());
        assert_eq!(bench.ctx.pending, pending);
        assert_eq!(bench.cwnd(), 225_000.0);
        let step =
            to_real(core::quotient(&bench.cfg, pending, bench.ctx.cwnd), bench.cfg.cwnd_frac);
        assert!((step - applied).abs() < LSB + 0.0005, "{step}");
    }
}

#[test]
fn the_additive_term_comes_with_the_apply() {
    let mut bench = Bench::with_window(defaults(), 200_000);
    bench.now = 6000 / NS - 1;
    assert!(!bench.sack(0, 0).divides());
    bench.now += 1;
    let outcome = bench.sack(MSS, 0);
    assert!(outcome.by_time && !outcome.by_bytes);
    assert!((bench.cwnd() - 200_866.06).abs() < 2.0 * LSB + 0.005, "{}", bench.cwnd());
    assert_eq!((bench.ctx.pending, bench.ctx.received), (0, 0));
    // Not again before another ConfigBaseRTT.
    bench.now += 6000 / NS - 1;
    assert!(!bench.sack(MSS, 0).divides());
}

#[test]
fn the_ninth_full_sack_applies_by_bytes() {
    for (sample_ns, pending, applied) in [(0, 452_984_832, 2264.92), (4500, 754_974_720, 3774.87)] {
        let mut bench = Bench::with_window(defaults(), 200_000);
        for _ in 0..8 {
            assert!(!bench.sack(MSS, sample_ns).divides());
        }
        assert_eq!(bench.ctx.pending, pending / 9 * 8);
        let outcome = bench.sack(MSS, sample_ns);
        assert!(outcome.by_bytes && !outcome.by_time);
        assert!((bench.cwnd() - 200_000.0 - applied).abs() < LSB + 0.005, "{}", bench.cwnd());
    }
}

#[test]
fn trims_take_a_packet_each() {
    let mut bench = Bench::new(defaults());
    bench.ctx.in_flight = 450_000;
    assert_eq!(bench.trim().routine, Routine::Trim);
    assert_eq!(bench.cwnd(), 445_844.0);
    assert_eq!(to_real(bench.ctx.avg_delay, AVERAGE_FRAC) * NS as f64, 1500.0);
    for _ in 1..8 {
        bench.trim();
    }
    assert_eq!(bench.cwnd(), 416_752.0);
    let mut small = Bench::with_window(defaults(), 5000);
    small.ctx.in_flight = 450_000;
    small.trim();
    assert_eq!(small.cwnd(), 4156.0);
}

/// An observation window that is over, so many bytes received in it.
fn observed(qa_bytes: u64) -> Bench {
    let mut bench = Bench::new(defaults());
    bench.sack(0, 0);
    bench.ctx.in_flight = 430_000 + P;
    bench.ctx.qa_bytes = qa_bytes;
    bench.now += 10_500 / NS;
    bench
}

#[test]
fn quick_adapt_fires_on_a_trim() {
    let mut bench = observed(40_960);
    let outcome = bench.trim();
    assert!(outcome.qa_fired && outcome.routine == Routine::QuickAdapt);
    assert_eq!((bench.cwnd(), bench.ctx.ignore_left), (40_960.0, 430_000));
    // Trims of packets sent before the cut do not cut again.
    assert_eq!(bench.trim().routine, Routine::Ignored);
    assert_eq!(bench.cwnd(), 40_960.0);
}

#[test]
fn quick_adapt_fires_below_the_gate_only() {
    for (qa_bytes, fires) in [(56_250, false), (56_249, true)] {
        let mut bench = observed(qa_bytes);
        assert_eq!(bench.trim().qa_fired, fires, "{qa_bytes} bytes");
        // Fired or not, a new window opens.
        assert_eq!(bench.ctx.qa_end, bench.now + 10_500 / NS);
        if !fires {
            assert_eq!(bench.cwnd(), 445_844.0);
        }
    }
}

/// Observation ends inclusively.
#[test]
fn quick_adapt_waits_for_the_end_of_the_window() {
    for (early, fires) in [(1, false), (0, true)] {
        let mut bench = observed(0);
        bench.now -= early;
        assert_eq!(bench.trim().qa_fired, fires, "{early} cycles early");
    }
}

/// From 200 000 with samples of 500 ns, a SACK of 4096 B every 83.48 ns.
#[test]
fn fast_increase_engages_after_a_window_of_bytes() {
    let mut bench = Bench::with_window(defaults(), 200_000);
    bench.sack(0, 0);
    bench.ctx.avg_delay = 0;
    let mut counted = 0;
    let mut engaged_at = None;
    for n in 1..=120u64 {
        bench.now = (n as f64 * 83.48 / NS as f64) as u64;
        let before = bench.cwnd();
        let outcome = bench.sack(MSS, 500);
        counted += MSS;
        if engaged_at.is_none() && counted as f64 > before {
            engaged_at = Some(n);
        }
        let fast = engaged_at.is_some();
        assert_eq!(outcome.routine == Routine::Fast, fast, "sack {n}");
        if fast {
            // The pending increase of before is applied beside it at most once.
            let grown = bench.cwnd() - before;
            let exact = grown == 4096.0 || outcome.divides() || bench.cwnd() == 450_000.0;
            assert!(exact, "sack {n} grows by {grown}");
        }
    }
    // More than cwnd bytes: 200 000 ÷ 4096 is 48.8, and the window grew on the way.
    assert!((49..=56).contains(&engaged_at.expect("engages")), "{engaged_at:?}");
    assert_eq!(bench.cwnd(), 450_000.0);
}

#[test]
fn half_the_link_has_half_the_gains() {
    let (full, half) = (defaults(), cfg_of(&[("data_rate", Value::Real(200.0))], &[]));
    assert_eq!(half.fair, full.fair / 2);
    assert_eq!(half.fast, full.fast / 2);
    assert!(half.alpha.abs_diff(full.alpha / 2) <= 1);
    assert!(half.eta.abs_diff(full.eta / 2) <= 1);
}

/// Growth jumps from 0 to 5 × MSS a window as the sample crosses the target.
#[test]
fn growth_jumps_at_the_target() {
    let growth = |sample: u64| {
        let mut bench = Bench::with_window(defaults(), 200_000);
        let rtt = bench.ctx.base_rtt + sample;
        let evt = Event { bytes: 32_768, rtt_valid: true, rtt, ..event(Kind::Sack) };
        bench.play(evt);
        bench.ctx.pending as f64 / 32_768.0
    };
    let target = defaults().target;
    assert!(growth(target - 1) < 1.0);
    assert_eq!(growth(target), 5.0 * 4096.0);
}

#[test]
fn uet_differs_in_header_and_trimming() {
    let cfg = cfg_of(&[], &[("UET", 1)]);
    assert_eq!(cfg.packet, 4096 + 88);
    assert!(cfg.delay_trigger);
    assert_eq!(cfg.target, rtt(6000));
    assert_eq!(to_real(cfg.gamma, 24), (0.8f64 * 16_777_216.0).round() / 16_777_216.0);
    assert_eq!(to_real(cfg.smallest_keep, 24), 0.5);
}

/// The page's formula by hand: an average of 12 000 ns over a target of 6000 ns keeps
/// 1 − 0.8 × 0.5 = 0.6; of 60 000 ns it would keep 0.28, and the limit keeps a half.
#[test]
fn a_cut_keeps_what_the_formula_says() {
    for (average_ns, kept) in [(12_000, 0.6), (60_000, 0.5)] {
        let mut bench = Bench::with_window(cfg_of(&[], &[("UET", 1)]), 400_000);
        // A sample like the average leaves it where it is.
        bench.ctx.avg_delay = rtt(average_ns) << (AVERAGE_FRAC - RTT_FRAC);
        let rtt = bench.ctx.base_rtt + rtt(average_ns);
        let evt = Event { bytes: MSS, rtt_valid: true, rtt, ecn: true, ..event(Kind::Sack) };
        let outcome = bench.play(evt);
        assert_eq!(outcome.routine, Routine::Decrease);
        assert!((bench.cwnd() - 400_000.0 * kept).abs() < 0.2, "{}", bench.cwnd());
        // Within a base RTT there is no second cut; a base RTT later there is.
        bench.now += whole_cycles(bench.cfg.base_rtt) - 1;
        assert_eq!(bench.play(evt).routine, Routine::MarkedHold);
        bench.now += 1;
        assert_eq!(bench.play(evt).routine, Routine::Decrease);
    }
}

/// 128 parts of the bytes are all of them: 40 960 × 64 ÷ 128 = 20 480 off the bytes in flight.
#[test]
fn a_penalty_is_taken_off_what_flies() {
    let mut bench = Bench::with_window(cfg_of(&[], &[("UET", 1)]), 400_000);
    bench.ctx.in_flight = 300_000 + 40_960;
    let sack = Event { bytes: 40_960, flight: 40_960, ..event(Kind::Sack) };
    let outcome = bench.play(Event { penalty: 64, ..sack });
    assert_eq!(outcome.routine, Routine::Penalty);
    assert_eq!(bench.cwnd(), 279_520.0);
    // The first penalty's window is the one that comes back.
    bench.play(Event { penalty: 127, ..sack });
    bench.play(Event { restore: true, ..sack });
    assert_eq!(bench.cwnd(), 400_000.0);
    assert_eq!(bench.ctx.saved_cwnd, 0);
}

#[test]
fn a_send_is_granted_by_the_window_alone() {
    let mut bench = Bench::with_window(defaults(), 10_000);
    let send = Event { flight: P, ..event(Kind::Send) };
    // Strictly below, and the packet's own size is not in the test.
    bench.ctx.in_flight = 9_999;
    assert!(bench.play(send).granted);
    assert_eq!(bench.ctx.in_flight, 9_999 + P);
    bench.ctx.in_flight = 10_000;
    let refused = bench.play(send);
    assert!(!refused.granted && refused.wants_cack);
    assert_eq!(bench.ctx.in_flight, 10_000);
    let mut passing =
        Bench::with_window(cfg_of(&[("pass_through", Value::Bool(true))], &[]), 10_000);
    passing.ctx.in_flight = 10_000;
    assert!(passing.play(send).granted);
    // Room of a packet or more asks for nothing; a byte less does; so does a window below 4095 B.
    for (cwnd, wants) in [(2 * P, false), (2 * P - 1, true)] {
        let mut bench = Bench::with_window(defaults(), cwnd);
        assert_eq!(bench.play(send).wants_cack, wants, "{cwnd}");
    }
    let small = cfg_of(&[("mss", Value::Integer(1024))], &[]);
    for (cwnd, wants) in [(4095, false), (4094, true)] {
        let mut bench = Bench::with_window(small.clone(), cwnd);
        let send = Event { flight: 0, ..event(Kind::Send) };
        assert_eq!(bench.play(send).wants_cack, wants, "{cwnd}");
    }
}

#[test]
fn errors_of_the_page() {
    let mut bench = Bench::new(defaults());
    assert_eq!(bench.play(event(Kind::Open)).error, error::CLOSED);
    bench.ctx.in_flight = 100;
    let outcome = bench.play(Event { flight: 101, ..event(Kind::Cack) });
    assert_eq!((outcome.error, bench.ctx.in_flight), (error::UNDERFLOW, 0));
    bench.play(event(Kind::Close));
    assert_eq!(bench.ctx, core::CLOSED);
    assert_eq!(bench.play(event(Kind::Probe)).error, error::CLOSED);
    assert_eq!(bench.ctx, core::CLOSED);
}
