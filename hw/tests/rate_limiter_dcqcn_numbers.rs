//! The numbers that the page of `rate_limiter` gives of the published reaction point, by hand, on
//! the core, the reference and the golden model.

use Value::{Bool, Integer, Real};
use congruent_hw::Golden;
use congruent_hw::attributes::{AttributeSet, Value};
use congruent_hw::rate_limiter::cfg::configure;
use congruent_hw::rate_limiter::core::{Cause, Cfg, Upd};
use congruent_hw::rate_limiter::dcqcn::core::{self, Reaction};
use congruent_hw::rate_limiter::dcqcn::model::Model;
use congruent_hw::rate_limiter::dcqcn::reference::{Constants, QueuePair};
use congruent_hw::rate_limiter::model::{input, output};
use congruent_hw::rate_limiter::reference::{Follow, RunReport};
use congruent_ports::rate_limiter::BLOCK;
use congruent_ports::{Layout, ParamSet};

const LINE: f64 = 40.0;

fn params(changes: &[(&'static str, i64)]) -> ParamSet {
    let dcqcn = [("DCQCN", 1), ("EST_FRAC", 24)];
    ParamSet::with(&BLOCK, dcqcn.iter().chain(changes).copied()).expect("legal")
}

/// The page's `paper` column at 40 Gbps without byte counter, and changes.
fn paper(changes: &[(&str, Value)]) -> AttributeSet {
    let numbers = [("data_rate", Real(LINE)), ("rpg_byte_reset", Integer(0))];
    AttributeSet::defaults(&BLOCK).with(&numbers).with(changes)
}

/// The page's `connectx` column at 40 Gbps, and changes.
fn connectx(changes: &[(&str, Value)]) -> AttributeSet {
    let column = [
        ("data_rate", Real(LINE)),
        ("rpg_time_reset", Real(300.0)),
        ("rpg_byte_reset", Integer(32_767)),
        ("rpg_threshold", Integer(1)),
        ("rpg_ai_rate", Real(5.0)),
        ("rpg_hai_rate", Real(50.0)),
        ("rpg_min_rate", Real(1.0)),
        ("dce_tcp_g", Integer(1019)),
        ("dce_tcp_rtt", Real(1.0)),
        ("rate_reduce_monitor_period", Real(4.0)),
        ("clamp_tgt_rate", Bool(false)),
    ];
    AttributeSet::defaults(&BLOCK).with(&column).with(changes)
}

/// Core and reference side by side; each step is held to 0.01 % of line rate and alpha to 1e-5.
struct Pair {
    cfg: Cfg,
    constants: Constants,
    state: Reaction,
    exact: QueuePair,
}

impl Pair {
    fn new(attributes: &AttributeSet) -> Self {
        let cfg = configure(attributes, &params(&[])).expect("legal");
        let constants = Constants::new(attributes);
        let (state, exact) = (Reaction::idle(&cfg), QueuePair::new(&constants));
        Self { cfg, constants, state, exact }
    }

    fn gbps(&self, raw: u64) -> f64 {
        raw as f64 / (1u64 << 24) as f64 * self.constants.line()
    }

    fn same(&self, upd: Upd, exact: RunReport) -> Upd {
        let alpha = upd.estimate as f64 / (1u64 << 24) as f64;
        assert_eq!((upd.cause, upd.recovery), (exact.cause, exact.recovery));
        assert!((self.gbps(upd.rate) - exact.rate).abs() <= 1e-4 * self.constants.line());
        assert!((self.gbps(upd.target) - exact.target).abs() <= 1e-4 * self.constants.line());
        assert!((alpha - exact.estimate).abs() <= 1e-5, "{alpha}, {}", exact.estimate);
        upd
    }

    fn cnp(&mut self, now: u64, total: u64) -> Option<Upd> {
        let upd = core::cnp(&self.cfg, &mut self.state, now, total);
        let exact = self.exact.cnp(&self.constants, now as f64);
        match (upd, exact) {
            (Some(upd), Some(exact)) => Some(self.same(upd, exact)),
            (None, None) => None,
            other => panic!("{other:?}"),
        }
    }

    fn decay(&mut self) -> Upd {
        let upd = core::decay(&self.cfg, &mut self.state);
        let exact = self.exact.decay(&self.constants);
        self.same(upd, exact)
    }

    fn timer(&mut self) -> Upd {
        let upd = core::timer_increase(&self.cfg, &mut self.state);
        let exact = self.exact.timer_increase(&self.constants, Follow::default());
        self.same(upd, exact)
    }

    fn bytes(&mut self, total: u64) -> Upd {
        self.exact.waiting_bytes = core::waiting_bytes(&self.cfg, &self.state, total);
        let upd = core::byte_increase(&self.cfg, &mut self.state, total);
        let exact = self.exact.byte_increase(&self.constants, Follow::default());
        self.same(upd, exact)
    }

    fn alpha(&self) -> f64 {
        self.state.alpha as f64 / (1u64 << 24) as f64
    }

    fn rate(&self) -> f64 {
        self.gbps(self.state.rate)
    }
}

fn close(got: f64, expected: f64) {
    assert!((got - expected).abs() <= 1e-4 * LINE, "{got} instead of {expected}");
}

/// To six digits after the point, as the page prints them.
fn six_digits(got: f64, expected: &str) {
    assert_eq!(format!("{got:.6}"), expected);
}

/// 30, 35, 37.5, 38.75, 39.375 in fast recovery while alpha falls; 39.6875, 39.84375 with the target
/// capped at 40; then the end.
#[test]
fn a_single_cnp_recovers_as_the_page_says() {
    let mut pair = Pair::new(&paper(&[]));
    let first = pair.cnp(0, 0).expect("starts");
    assert_eq!((first.cause, pair.alpha()), (Cause::Episode, 1.0));
    close(pair.gbps(first.rate), 20.0);
    close(pair.gbps(first.target), 40.0);
    let fast = [
        (30.0, "0.996094"),
        (35.0, "0.992203"),
        (37.5, "0.988327"),
        (38.75, "0.984466"),
        (39.375, "0.980621"),
    ];
    for (rate, alpha) in fast {
        pair.decay();
        assert_eq!(pair.timer().cause, Cause::Fast);
        close(pair.rate(), rate);
        six_digits(pair.alpha(), alpha);
    }
    for rate in [39.6875, 39.84375] {
        pair.decay();
        let upd = pair.timer();
        assert_eq!((upd.cause, pair.gbps(upd.target)), (Cause::Additive, 40.0));
        close(pair.rate(), rate);
    }
    // The eighth increase would make 39.921875, 0.078 Gbps below line rate.
    pair.decay();
    let end = pair.timer();
    assert_eq!((end.cause, end.congested, pair.gbps(end.rate)), (Cause::End, false, 40.0));
    assert_eq!(pair.state, Reaction::idle(&pair.cfg));
}

/// A CNP in place of the last increase: alpha 0.972975, from 39.84375 to 20.4603.
#[test]
fn a_cnp_in_place_of_the_last_increase() {
    let mut pair = Pair::new(&paper(&[]));
    pair.cnp(0, 0);
    for _ in 0..7 {
        pair.decay();
        pair.timer();
    }
    six_digits(pair.alpha(), "0.972975");
    close(pair.rate(), 39.84375);
    let upd = pair.cnp(0, 0).expect("cuts");
    assert_eq!(upd.cause, Cause::Cut);
    assert!((pair.rate() - 20.4603).abs() < 5e-5, "{}", pair.rate());
    close(pair.gbps(upd.target), 39.84375);
    assert_eq!((upd.recovery, pair.state.timer_stage), (0, 0));
}

/// Both columns: alpha, multiplied and rounded down, reaches 0 and stays there.
#[test]
fn alpha_reaches_zero() {
    for (attributes, most) in [(paper(&[]), 5_500), (connectx(&[]), 4_500)] {
        let mut pair = Pair::new(&attributes);
        pair.cnp(0, 0);
        let mut decays = 0;
        while pair.state.alpha > 0 {
            let before = pair.state.alpha;
            pair.decay();
            assert!(pair.state.alpha < before, "sticks at {before}");
            decays += 1;
        }
        // ln 2^24 / (1024 - G) x 1024 updates and some.
        assert!(decays < most, "{decays}");
        // A cut without alpha: the rate stays, and alpha starts again from (1024 - G) / 1024.
        let before = pair.state.rate;
        pair.cnp(1 << 20, 0);
        assert_eq!(pair.state.rate, before);
        let g = attributes.integer("dce_tcp_g");
        assert_eq!(pair.state.alpha, (1024 - g) << 14);
    }
}

/// Ten fraction bits and G = 1019, as the network card keeps alpha: 0 after 466 updates of 1023.
#[test]
fn ten_bits_of_alpha_as_the_network_card_has_them() {
    let params = params(&[("EST_FRAC", 10)]);
    let cfg = configure(&connectx(&[]), &params).expect("legal");
    let mut alpha = 1023;
    for update in 1..=466 {
        assert!(alpha > 0, "0 after {update}");
        alpha = core::alpha_down(&cfg, alpha);
    }
    assert_eq!(alpha, 0);
}

/// Half of alpha is left after 177 updates of the paper's, 9.74 ms.
#[test]
fn half_life_of_alpha() {
    let mut pair = Pair::new(&paper(&[]));
    pair.cnp(0, 0);
    for _ in 0..177 {
        pair.decay();
    }
    assert!((pair.alpha() - 0.5).abs() < 1e-3, "{}", pair.alpha());
}

/// `connectx`: 4 us are 2000 cycles. A CNP 1999 cycles after the cut is ignored altogether, one after
/// 2000 cuts; the target of the first cut stays where no increase has happened.
#[test]
fn the_monitor_period_of_the_network_card() {
    let mut pair = Pair::new(&connectx(&[]));
    pair.cnp(100, 0);
    close(pair.rate(), 20.0);
    let before = pair.state;
    assert_eq!(pair.cnp(2_099, 0), None);
    assert_eq!(pair.state, before);
    let upd = pair.cnp(2_100, 0).expect("cuts");
    // 20 x (1 - 1 / 2), target 40 kept: clamp_tgt_rate is 0 and nothing has increased.
    close(pair.gbps(upd.rate), 10.0);
    close(pair.gbps(upd.target), 40.0);
    // One increase: 25. Then a cut moves the target there.
    pair.timer();
    close(pair.rate(), 25.0);
    let upd = pair.cnp(9_000, 0).expect("cuts");
    close(pair.gbps(upd.target), 25.0);
    close(pair.gbps(upd.rate), 12.5);
}

/// F = 1: timer, then bytes, both at stage 1: fast; stage 2 of one: additive by 5 Mbps; of both: hyper
/// with i = 1, then i = 2.
#[test]
fn stages_of_the_network_card() {
    let mut pair = Pair::new(&connectx(&[("clamp_tgt_rate", Bool(true))]));
    pair.cnp(0, 0);
    pair.cnp(4_000, 0);
    // Target 20, rate 10.
    assert_eq!(pair.timer().cause, Cause::Fast);
    close(pair.rate(), 15.0);
    assert_eq!(pair.bytes(32_767).cause, Cause::Fast);
    close(pair.rate(), 17.5);
    let upd = pair.timer();
    assert_eq!(upd.cause, Cause::Additive);
    assert!((pair.gbps(upd.target) - 20.005).abs() < 1e-5);
    let upd = pair.bytes(2 * 32_767);
    assert_eq!((upd.cause, upd.recovery), (Cause::Hyper, 2));
    assert!((pair.gbps(upd.target) - 20.055).abs() < 1e-5);
    assert_eq!(pair.timer().recovery, 2);
    let upd = pair.bytes(3 * 32_767);
    // 20.055 + 0.05 + 2 x 0.05.
    assert_eq!((upd.cause, upd.recovery), (Cause::Hyper, 3));
    assert!((pair.gbps(upd.target) - 20.205).abs() < 1e-5);
}

/// 100 bytes beyond the byte counter are carried over; half of 2^BYTE_W are not.
#[test]
fn bytes_are_carried_over() {
    let mut pair = Pair::new(&connectx(&[("clamp_tgt_rate", Bool(true))]));
    pair.cnp(0, 5_000);
    pair.cnp(4_000, 5_000);
    assert!(!core::bytes_due(&pair.cfg, &pair.state, 37_766));
    assert!(core::bytes_due(&pair.cfg, &pair.state, 37_767));
    pair.bytes(37_867);
    assert_eq!(core::waiting_bytes(&pair.cfg, &pair.state, 37_867), 100);
    // Across the end of the total.
    let total = pair.state.byte_base.wrapping_sub(1) & 0xffff_ffff;
    assert!(core::waiting_bytes(&pair.cfg, &pair.state, total) > 1 << 31);
    core::byte_increase(&pair.cfg, &mut pair.state, total);
    assert_eq!(core::waiting_bytes(&pair.cfg, &pair.state, total), 0);
}

/// Cuts by alpha and by half of it, held by rpg_min_dec_fac and by rpg_min_rate.
#[test]
fn what_a_cut_leaves() {
    let cut = |changes: &[(&str, Value)]| {
        let mut pair = Pair::new(&paper(changes));
        pair.cnp(0, 0);
        pair.rate()
    };
    close(cut(&[]), 20.0);
    close(cut(&[("rpg_min_dec_fac", Integer(75))]), 30.0);
    close(cut(&[("rpg_min_dec_fac", Integer(0)), ("rpg_gd", Integer(10))]), 0.01);
    close(cut(&[("rpg_gd", Integer(10)), ("initial_alpha_value", Integer(341))]), 26.666_667);
    close(cut(&[("initial_alpha_value", Integer(0))]), 40.0);
    close(cut(&[("rpg_min_rate", Real(25_000.0))]), 25.0);
    close(cut(&[("rate_to_set_on_first_cnp", Real(8_000.0))]), 4.0);
}

/// The golden model: a CNP in cycle 0, a decay and an increase each 55 us = 27 500 cycles, each late by
/// a round of the sweep at the most; the eighth increase is the end.
#[test]
fn the_model_keeps_the_pages_times() {
    let (attributes, params) = (paper(&[]), params(&[]));
    let layout = Layout::new(&BLOCK, &params);
    let mut model = Model::new(&attributes, &params).expect("legal");
    let mut row = vec![0; layout.inputs.len()];
    let mut out = vec![0; layout.outputs.len()];
    let mut seen = vec![];
    for cycle in 0..250_000u64 {
        row.fill(0);
        if cycle == 0 {
            row[input::CNP_VALID] = 1;
            row[input::CNP_QP] = 77;
        }
        model.step(&row, &mut out);
        if out[output::UPD] == 1 {
            let slot = cycle - BLOCK.cycles("upd_latency_dcqcn");
            seen.push((slot, out[output::UPD + 2], out[output::UPD + 3]));
        }
    }
    assert_eq!(seen.len(), 17);
    assert_eq!((seen[0].0, seen[0].1), (0, Cause::Episode as u64));
    for (n, pair) in seen[1..].chunks(2).enumerate() {
        let due = 27_500 * (n as u64 + 1);
        assert!((due..due + 256).contains(&pair[0].0), "decay {n} in {}", pair[0].0);
        // Alpha first, the increase in the slot behind it.
        assert_eq!((pair[0].1, pair[1].0), (Cause::Alpha as u64, pair[0].0 + 1));
    }
    let last = seen[16];
    assert_eq!((last.1, last.2), (Cause::End as u64, 1 << 24));
    assert!(model.drained());
}
