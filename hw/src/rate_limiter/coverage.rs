//! Which rows of the page's "Must be covered" happen, seen from the golden model.

use super::cfg::{configure, shortest_half};
use super::core::{Cause, Cfg, Loop, Pace, Phase, Rsp, Upd};
use super::dcqcn::cfg::longest_round;
use crate::attributes::{AttributeSet, Value};
use crate::cover::{Cover, row};
use congruent_ports::ParamSet;
use congruent_ports::rate_limiter::{BLOCK, PACE_FRAC};

macro_rules! rows {
    ($($name:ident = $row:literal;)*) => { $(const $name: usize = row(&BLOCK, $row);)* };
}

rows! {
    EVERY_QP_CONGESTED = "every_qp_congested";
    ALL_HALVES_DUE_TOGETHER = "all_halves_due_together";
    CNP_IN_END_CYCLE = "cnp_in_end_cycle";
    CNP_IN_HALF_CYCLE = "cnp_in_half_cycle";
    REQ_IN_HALF_CYCLE = "req_in_half_cycle";
    PACKETS_ZERO_WITH_CNPS = "packets_zero_with_cnps";
    CNPS_ABOVE_PACKETS = "cnps_above_packets";
    K_ZERO = "k_zero";
    K_REACHED = "k_reached";
    F_ZERO = "f_zero";
    F_FIFTEEN = "f_fifteen";
    RECOVERY_BELOW_F_AND_BACK = "recovery_below_f_and_back";
    REDUCTION_RAISES_RATE = "reduction_raises_rate";
    W_ZERO = "w_zero";
    W_ONE = "w_one";
    FLOOR_REACHED = "floor_reached";
    FLOOR_ONE = "floor_one";
    HALF_ODD = "half_odd";
    HALF_SHORTEST = "half_shortest";
    WRAP_WHILE_HELD = "wrap_while_held";
    WRAP_WHILE_DUE = "wrap_while_due";
    WRAP_WHILE_IDLE = "wrap_while_idle";
    BACK_TO_BACK_GRANTED = "back_to_back_granted";
    BACK_TO_BACK_REFUSED = "back_to_back_refused";
    WITHIN_SLACK = "within_slack";
    BEYOND_SLACK = "beyond_slack";
    PACKET_64 = "packet_64";
    PACKET_9216 = "packet_9216";
    ZERO_LENGTH = "zero_length";
    QP_OUT_OF_RANGE = "qp_out_of_range";
    ENABLE_ECN_FALSE = "enable_ecn_false";
}

/// Rows that only a loop of halves has.
pub const HALF_ROWS: &[usize] = &[
    ALL_HALVES_DUE_TOGETHER,
    CNP_IN_END_CYCLE,
    CNP_IN_HALF_CYCLE,
    REQ_IN_HALF_CYCLE,
    PACKETS_ZERO_WITH_CNPS,
    CNPS_ABOVE_PACKETS,
    K_ZERO,
    K_REACHED,
    F_ZERO,
    F_FIFTEEN,
    RECOVERY_BELOW_F_AND_BACK,
    REDUCTION_RAISES_RATE,
    W_ZERO,
    W_ONE,
    FLOOR_REACHED,
    FLOOR_ONE,
    HALF_ODD,
    HALF_SHORTEST,
];

const DATA_RATES: [(f64, usize); 6] = [
    (1.0, row(&BLOCK, "data_rate_1")),
    (25.0, row(&BLOCK, "data_rate_25")),
    (100.0, row(&BLOCK, "data_rate_100")),
    (200.0, row(&BLOCK, "data_rate_200")),
    (800.0, row(&BLOCK, "data_rate_800")),
    (1600.0, row(&BLOCK, "data_rate_1600")),
];

/// Rows of line rates that no legal attributes reach under these parameters: a slow line holds a
/// packet for longer than TIME_W tells times apart.
pub fn data_rates_out_of_reach(params: &ParamSet) -> Vec<(&'static str, &'static str)> {
    let reachable = |rate: f64| {
        let round_us = longest_round(params) as f64 / 100.0;
        // Each loop ignores the attributes of the other.
        let fastest = [
            ("clock_mhz", Value::Real(100.0)),
            ("data_rate", Value::Real(rate)),
            ("minimum_rate_percentage", Value::Real(1.0)),
            ("control_interval_duration_ns", Value::Real(20.0 * shortest_half(params) as f64)),
            ("rpg_min_rate", Value::Real(1000.0 * rate)),
            ("rpg_time_reset", Value::Real(round_us)),
            ("dce_tcp_rtt", Value::Real(round_us)),
            ("rpg_byte_reset", Value::Integer(0)),
        ];
        configure(&AttributeSet::defaults(&BLOCK).with(&fastest), params).is_ok()
    };
    let far = DATA_RATES.iter().filter(|(rate, _)| !reachable(*rate));
    far.map(|(_, row)| {
        (BLOCK.coverage[*row].name, "a packet would be held past half a wrap of TIME_W")
    })
    .collect()
}

/// A half that the sweep ran.
#[derive(Debug, Clone, Copy)]
pub struct Visit {
    /// The queue pair.
    pub qp: u64,
    /// Whether it ended the episode.
    pub end: bool,
}

const NO_REQUEST: (u64, usize) = (u64::MAX, 0);

/// What both loops count: the rows of the pacer, of errors, of the line rate.
#[derive(Debug)]
pub struct Common {
    pub(super) counts: Cover,
    pub(super) qps: u64,
    /// Queue pairs in an episode.
    pub(super) congested: u64,
    data_rate_row: Option<usize>,
    /// Cycle of each queue pair's last grant.
    last_grant: Vec<Option<u64>>,
    /// The cycle after the last request, and its queue pair.
    after_request: (u64, usize),
}

/// Counts rows as the model runs.
#[derive(Debug)]
pub struct Coverage {
    common: Common,
    floor_one: bool,
    half_odd: bool,
    half_shortest: bool,
    halves_in_a_row: u64,
    fell_below_f: Vec<bool>,
}

impl Coverage {
    /// Nothing counted yet.
    pub fn new(cfg: &Cfg, attributes: &AttributeSet, params: &ParamSet) -> Self {
        let interval = attributes.real("control_interval_duration_ns");
        let cycles = (interval * attributes.real("clock_mhz") / 1000.0).round() as u64;
        let common = Common::new(attributes, params);
        Self {
            floor_one: cfg.floor == cfg.line(),
            half_odd: cycles % 2 == 1,
            half_shortest: cfg.half == shortest_half(params),
            halves_in_a_row: 0,
            fell_below_f: vec![false; common.qps as usize],
            common,
        }
    }

    /// What both loops count.
    #[inline]
    pub fn common(&mut self) -> &mut Common {
        &mut self.common
    }

    /// The counts so far.
    pub fn counts(&self) -> &Cover {
        &self.common.counts
    }

    /// Forgets what it knows of the contexts, not what it counted.
    pub fn reset(&mut self) {
        self.common.reset();
        self.halves_in_a_row = 0;
        self.fell_below_f.fill(false);
    }

    /// The sweep found nothing due.
    #[inline]
    pub fn idle_visit(&mut self) {
        self.halves_in_a_row = 0;
    }

    /// The sweep ran a half. `before` is the loop before it.
    pub fn half(&mut self, cfg: &Cfg, qp: u64, before: &Loop, upd: &Upd) {
        let counts = &mut self.common.counts;
        self.halves_in_a_row += 1;
        counts.hit_if(ALL_HALVES_DUE_TOGETHER, self.halves_in_a_row == self.common.qps);
        counts.hit_if(PACKETS_ZERO_WITH_CNPS, before.cnps > 0 && before.packets == 0);
        counts.hit_if(CNPS_ABOVE_PACKETS, before.cnps > before.packets && before.packets > 0);
        counts.hit_if(HALF_ODD, self.half_odd);
        counts.hit_if(HALF_SHORTEST, self.half_shortest);
        counts.hit_if(F_ZERO, cfg.fast_recovery_attempt == 0);
        let increased = matches!(upd.cause, Cause::Increase | Cause::End);
        if increased && before.cnps > 0 {
            counts.hit_if(K_ZERO, cfg.loops_per_increase == 0);
            counts.hit_if(K_REACHED, cfg.loops_per_increase > 0);
        }
        let f = cfg.fast_recovery_attempt;
        let fell = &mut self.fell_below_f[qp as usize];
        if upd.cause == Cause::Reduction {
            counts.hit_if(W_ZERO, cfg.weight == 0);
            counts.hit_if(W_ONE, cfg.weight == cfg.one());
            counts.hit_if(REDUCTION_RAISES_RATE, upd.rate > before.rate);
            counts.hit_if(FLOOR_REACHED, upd.rate == cfg.floor);
            if before.recovery >= f && upd.recovery < f {
                *fell = true;
            }
        }
        if increased && *fell && upd.recovery >= f {
            counts.hit_if(RECOVERY_BELOW_F_AND_BACK, true);
            *fell = false;
        }
        if upd.cause == Cause::End {
            counts.hit_if(F_FIFTEEN, f == 15);
            self.common.congested -= 1;
            *fell = false;
        }
        debug_assert!(before.phase == Phase::Increase || !increased);
    }

    /// A half and this cycle's request.
    #[inline]
    pub fn half_meets_req(&mut self, visit: Visit, req: Option<u64>) {
        self.common.counts.hit_if(REQ_IN_HALF_CYCLE, req == Some(visit.qp));
    }

    /// A CNP of a queue pair in the table, after the cycle's visit.
    #[inline]
    pub fn cnp(&mut self, qp: u64, visit: Option<Visit>) {
        if let Some(visit) = visit.filter(|v| v.qp == qp) {
            self.common.counts.hit_if(CNP_IN_END_CYCLE, visit.end);
            self.common.counts.hit_if(CNP_IN_HALF_CYCLE, !visit.end);
        }
    }

    /// An episode began.
    pub fn start(&mut self, qp: u64) {
        self.fell_below_f[qp as usize] = false;
        self.common.start();
        self.common.counts.hit_if(FLOOR_ONE, self.floor_one);
    }

    /// Looks at every context in the cycle in which the counter is about to wrap.
    #[inline]
    pub fn end_of_cycle<'a>(
        &mut self,
        cfg: &Cfg,
        now: u64,
        mut loops: impl Iterator<Item = &'a Loop>,
        paces: impl Iterator<Item = &'a Pace>,
    ) {
        if now == cfg.time.mask() {
            self.common.wrap(cfg, now, loops.any(|l| l.congested), paces);
        }
    }
}

impl Common {
    /// Nothing counted yet.
    pub fn new(attributes: &AttributeSet, params: &ParamSet) -> Self {
        let qps = params.get("QPS") as u64;
        let data_rate = attributes.real("data_rate");
        Self {
            counts: Cover::new(&BLOCK),
            qps,
            congested: 0,
            data_rate_row: DATA_RATES.iter().find(|(r, _)| *r == data_rate).map(|(_, row)| *row),
            last_grant: vec![None; qps as usize],
            after_request: NO_REQUEST,
        }
    }

    /// Forgets what it knows of the contexts, not what it counted.
    pub fn reset(&mut self) {
        self.congested = 0;
        self.last_grant.fill(None);
        self.after_request = NO_REQUEST;
    }

    /// An episode began.
    pub fn start(&mut self) {
        self.congested += 1;
        self.counts.hit_if(EVERY_QP_CONGESTED, self.congested == self.qps);
    }

    /// A CNP that `enable_ecn` = false keeps from the loop.
    #[inline]
    pub fn ignored(&mut self) {
        self.counts.hit_if(ENABLE_ECN_FALSE, true);
    }

    /// A context outside the table.
    pub fn out_of_range(&mut self) {
        self.counts.hit_if(QP_OUT_OF_RANGE, true);
    }

    /// A request of 0 bytes.
    pub fn zero_length(&mut self) {
        self.counts.hit_if(ZERO_LENGTH, true);
    }

    /// A request that was granted or refused. `before` is the pacer before it.
    #[allow(clippy::too_many_arguments)] // everything that a request touches, and nothing else
    #[inline]
    pub fn request(
        &mut self,
        cfg: &Cfg,
        cycle: u64,
        now: u64,
        qp: usize,
        bytes: u64,
        before: &Pace,
        congested: bool,
        rsp: Rsp,
    ) {
        let counts = &mut self.counts;
        let back_to_back = self.after_request == (cycle, qp);
        self.after_request = (cycle + 1, qp);
        if !rsp.grant {
            counts.hit_if(BACK_TO_BACK_REFUSED, back_to_back);
            return;
        }
        counts.hit_if(BACK_TO_BACK_GRANTED, back_to_back);
        if before.held {
            let since = cfg.pace_time.sub(now << PACE_FRAC, before.next_send);
            let within = since < cfg.pacing_slack << PACE_FRAC;
            counts.hit_if(WITHIN_SLACK, within);
            counts.hit_if(BEYOND_SLACK, !within);
        }
        counts.hit_if(PACKET_64, bytes == 64);
        counts.hit_if(PACKET_9216, bytes == 9216);
        if let Some(row) = self.data_rate_row {
            counts.hit_if(row, congested);
        }
        let half_wrap = 1 + cfg.time.mask() / 2;
        let last = self.last_grant[qp].replace(cycle);
        counts.hit_if(WRAP_WHILE_IDLE, last.is_some_and(|last| cycle - last > half_wrap));
    }

    /// The counter is about to wrap.
    #[cold]
    pub fn wrap<'a>(
        &mut self,
        cfg: &Cfg,
        now: u64,
        due: bool,
        mut paces: impl Iterator<Item = &'a Pace>,
    ) {
        let next = (now + 1) << PACE_FRAC & cfg.pace_time.mask();
        let held = paces.any(|p| p.held && !cfg.pace_time.reached(next, p.next_send));
        self.counts.hit_if(WRAP_WHILE_HELD, held);
        self.counts.hit_if(WRAP_WHILE_DUE, due);
    }
}
