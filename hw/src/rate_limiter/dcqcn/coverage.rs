//! Which rows of "Must be covered" happen in the reaction point, seen from the golden model.

use super::cfg::{longest_round, shortest_alpha_period};
use super::core::{Reaction, STAGE_MOST, bytes_due, least_rate, rate_by_alpha, waiting_bytes};
use crate::attributes::AttributeSet;
use crate::cover::{Cover, row};
use crate::rate_limiter::core::{Cause, Cfg, Pace, Upd};
use crate::rate_limiter::coverage::Common;
use congruent_ports::ParamSet;
use congruent_ports::rate_limiter::BLOCK;

macro_rules! rows {
    ($($name:ident = $row:literal;)*) => {
        $(const $name: usize = row(&BLOCK, $row);)*
        /// Rows that only the reaction point has.
        pub const ROWS: &[usize] = &[$($name),*];
    };
}

rows! {
    CNP_IGNORED = "rp_cnp_ignored";
    CNP_AT_PERIOD = "rp_cnp_at_period";
    CUT_WITHOUT_PERIOD = "rp_cut_without_period";
    CNPS_BACK_TO_BACK_IGNORED = "rp_cnps_back_to_back_ignored";
    LONG_AFTER_CUT = "rp_long_after_cut";
    CLAMPED = "rp_clamped";
    TARGET_KEPT = "rp_target_kept";
    TARGET_AFTER_INCREASE = "rp_target_after_increase";
    FIRST_RATE_SET = "rp_first_rate_set";
    FIRST_ALPHA_BELOW_ONE = "rp_first_alpha_below_one";
    MIN_DEC_FAC_WINS = "rp_min_dec_fac_wins";
    MIN_RATE_WINS = "rp_min_rate_wins";
    GD_10 = "rp_gd_10";
    ALPHA_REPEATED = "rp_alpha_repeated";
    ALPHA_ZERO = "rp_alpha_zero";
    CUT_AT_ALPHA_ZERO = "rp_cut_at_alpha_zero";
    FAST = "rp_fast";
    ADDITIVE_BY_TIMER = "rp_additive_by_timer";
    ADDITIVE_BY_BYTES = "rp_additive_by_bytes";
    HYPER = "rp_hyper";
    HYPER_FURTHER = "rp_hyper_further";
    THRESHOLD_ZERO = "rp_threshold_zero";
    TARGET_AT_LINE = "rp_target_at_line";
    STAGE_SATURATES = "rp_stage_saturates";
    BYTE_REMAINDER = "rp_byte_remainder";
    BYTES_WAIT = "rp_bytes_wait";
    BYTES_FORGOTTEN = "rp_bytes_forgotten";
    BYTES_OF_THE_CYCLE = "rp_bytes_of_the_cycle";
    BYTE_OFF = "rp_byte_off";
    BYTE_TOTAL_WRAPS = "rp_byte_total_wraps";
    TIMER_AND_BYTES = "rp_timer_and_bytes";
    ALPHA_AND_TIMER = "rp_alpha_and_timer";
    ALPHA_AND_BYTES = "rp_alpha_and_bytes";
    ALL_THREE = "rp_all_three";
    END_FAST = "rp_end_fast";
    END_ADDITIVE = "rp_end_additive";
    END_HYPER = "rp_end_hyper";
    END_STOPS_VISIT = "rp_end_stops_visit";
    TARGET_HOLDS_END = "rp_target_holds_end";
    CNP_BEFORE_DUE_VISIT = "rp_cnp_before_due_visit";
    CNP_QUEUES = "rp_cnp_queues";
    PEEK_WITH_CNP = "rp_peek_with_cnp";
    PEEK_WHILE_QUEUED = "rp_peek_while_queued";
    SHORTEST_PERIODS = "rp_shortest_periods";
    WRAP_WHILE_RECENT = "rp_wrap_while_recent";
}

/// Widest time of which half a wrap passes between two cuts in a run, bits.
const LONGEST_TIME_W: i64 = 16;

/// Widest total of bytes that wraps in a run, bits.
const LONGEST_BYTE_W: i64 = 22;

/// Rows that do not happen in a run under these parameters, with the reason.
pub fn out_of_reach(params: &ParamSet) -> Vec<(&'static str, &'static str)> {
    let mut rows = vec![(
        "rp_bytes_forgotten",
        "takes a CNP in every cycle for longer than random legs have them: a scenario does it",
    )];
    if params.get("TIME_W") > LONGEST_TIME_W {
        rows.push(("rp_long_after_cut", "half a wrap of TIME_W is longer than a run"));
    }
    if params.get("BYTE_W") > LONGEST_BYTE_W {
        rows.push(("rp_byte_total_wraps", "more bytes than a run grants"));
    }
    rows
}

/// A queue pair's past, as far as rows ask for it.
#[derive(Debug, Clone, Copy, Default)]
struct Past {
    /// Cycle of its last CNP in the table.
    cnp: Option<u64>,
    /// Cycle of its last cut in this episode.
    cut: u64,
    /// Decays of alpha since.
    decays: u64,
}

/// What a visit found due, and the state before each run.
#[derive(Debug, Clone, Copy, Default)]
pub struct Runs {
    /// Alpha decayed.
    pub alpha: bool,
    /// The timer increased.
    pub timer: bool,
    /// The byte counter increased.
    pub bytes: bool,
}

/// Counts rows as the model runs.
#[derive(Debug)]
pub struct Coverage {
    common: Common,
    half_wrap: u64,
    first_rate_set: bool,
    first_alpha_below_one: bool,
    shortest_periods: bool,
    pasts: Vec<Past>,
}

impl Coverage {
    /// Nothing counted yet.
    pub fn new(cfg: &Cfg, attributes: &AttributeSet, params: &ParamSet) -> Self {
        let pins = &cfg.reaction;
        let shortest = pins.increase_period == longest_round(params)
            && pins.alpha_period == shortest_alpha_period(pins.increase_period, params);
        Self {
            common: Common::new(attributes, params),
            half_wrap: cfg.time.mask() / 2,
            first_rate_set: attributes.real("rate_to_set_on_first_cnp") != 0.0,
            first_alpha_below_one: pins.initial_alpha < cfg.one(),
            shortest_periods: shortest,
            pasts: vec![Past::default(); params.get("QPS") as usize],
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
        self.pasts.fill(Past::default());
    }

    /// A CNP of a queue pair in the table, with EnableECN. `before` is the loop before it, `upd` what it
    /// made; `visit` whether the sweep would have run something of this queue pair in its stead.
    pub fn cnp(
        &mut self,
        cfg: &Cfg,
        cycle: u64,
        at: usize,
        before: &Reaction,
        upd: Option<&Upd>,
        visit: bool,
    ) {
        let counts = &mut self.common.counts;
        let past = &mut self.pasts[at];
        let back_to_back = past.cnp.is_some_and(|last| last + 1 == cycle);
        past.cnp = Some(cycle);
        counts.hit_if(CNP_BEFORE_DUE_VISIT, visit);
        let Some(upd) = upd else {
            counts.hit_if(CNP_IGNORED, true);
            counts.hit_if(CNPS_BACK_TO_BACK_IGNORED, back_to_back);
            return;
        };
        if upd.cause == Cause::Episode {
            counts.hit_if(FIRST_RATE_SET, self.first_rate_set);
            counts.hit_if(FIRST_ALPHA_BELOW_ONE, self.first_alpha_below_one);
            self.common.start();
        } else {
            let pins = &cfg.reaction;
            let since = cycle - past.cut;
            counts.hit_if(CNP_AT_PERIOD, since == pins.monitor_period);
            counts.hit_if(CUT_WITHOUT_PERIOD, pins.monitor_period == 0 && since == 1);
            counts.hit_if(LONG_AFTER_CUT, pins.monitor_period != 0 && since > self.half_wrap);
            let moved = before.target != upd.target;
            counts.hit_if(CLAMPED, pins.clamp_target && !before.increased && moved);
            counts.hit_if(TARGET_KEPT, !pins.clamp_target && !before.increased);
            counts.hit_if(TARGET_AFTER_INCREASE, !pins.clamp_target && before.increased && moved);
            let least = least_rate(cfg, before.rate);
            let free = rate_by_alpha(cfg, before.rate, before.alpha);
            counts.hit_if(MIN_DEC_FAC_WINS, free < least && least > pins.min_rate);
            counts.hit_if(MIN_RATE_WINS, free.max(least) < pins.min_rate);
            counts.hit_if(GD_10, pins.cut_by_alpha && before.alpha != 0);
            counts.hit_if(CUT_AT_ALPHA_ZERO, before.alpha == 0 && upd.rate == before.rate);
        }
        *past = Past { cut: cycle, decays: 0, ..*past };
    }

    /// The slot of a beat that a CNP or a visit has made in `cycle`.
    #[inline]
    pub fn slot(&mut self, cycle: u64, slot: u64, of_cnp: bool) {
        self.common.counts.hit_if(CNP_QUEUES, of_cnp && slot > cycle);
    }

    /// A visit's decay of alpha.
    pub fn decay(&mut self, at: usize, before: &Reaction, after: &Reaction) {
        let past = &mut self.pasts[at];
        past.decays += 1;
        self.common.counts.hit_if(ALPHA_REPEATED, past.decays == 2);
        self.common.counts.hit_if(ALPHA_ZERO, before.alpha != 0 && after.alpha == 0);
    }

    /// A visit's increase by the timer, or (with the total of bytes) by the byte counter; `granted`
    /// bytes were granted to the queue pair in this cycle.
    pub fn increase(
        &mut self,
        cfg: &Cfg,
        before: &Reaction,
        after: &Reaction,
        upd: &Upd,
        bytes: Option<(u64, u64)>,
    ) {
        let counts = &mut self.common.counts;
        let pins = &cfg.reaction;
        let f = pins.threshold;
        let stage = if bytes.is_some() { before.byte_stage } else { before.timer_stage };
        counts.hit_if(STAGE_SATURATES, stage == STAGE_MOST);
        counts.hit_if(THRESHOLD_ZERO, f == 0);
        counts.hit_if(SHORTEST_PERIODS, self.shortest_periods);
        counts.hit_if(BYTE_OFF, pins.byte_reset == 0);
        if let Some((total, granted)) = bytes {
            let waiting = waiting_bytes(cfg, before, total);
            let forgotten = waiting > pins.bytes.mask() / 2;
            counts.hit_if(BYTE_REMAINDER, waiting != pins.byte_reset && !forgotten);
            counts.hit_if(BYTES_WAIT, waiting >= 2 * pins.byte_reset);
            counts.hit_if(BYTES_FORGOTTEN, forgotten);
            let less = pins.bytes.sub(total, granted);
            counts.hit_if(BYTES_OF_THE_CYCLE, granted != 0 && !bytes_due(cfg, before, less));
        }
        let (timer, byte) = match bytes {
            None => (super::core::stage_up(before.timer_stage), before.byte_stage),
            Some(_) => (before.timer_stage, super::core::stage_up(before.byte_stage)),
        };
        let kind = super::core::increase_cause(cfg, timer, byte);
        let i = timer.min(byte).saturating_sub(f);
        counts.hit_if(FAST, kind == Cause::Fast);
        counts.hit_if(ADDITIVE_BY_TIMER, kind == Cause::Additive && timer > f);
        counts.hit_if(ADDITIVE_BY_BYTES, kind == Cause::Additive && byte > f);
        counts.hit_if(HYPER, kind == Cause::Hyper && i == 1);
        counts.hit_if(HYPER_FURTHER, kind == Cause::Hyper && i > 1);
        let step = super::core::target_step(cfg, kind, timer.min(byte));
        counts.hit_if(TARGET_AT_LINE, before.target + step > cfg.line());
        if upd.cause == Cause::End {
            counts.hit_if(END_FAST, kind == Cause::Fast);
            counts.hit_if(END_ADDITIVE, kind == Cause::Additive);
            counts.hit_if(END_HYPER, kind == Cause::Hyper);
            self.common.congested -= 1;
        } else {
            counts.hit_if(TARGET_HOLDS_END, after.rate >= cfg.end_rate);
        }
    }

    /// What a visit ran, and whether the byte counter was due behind an end by the timer.
    #[inline]
    pub fn visit(&mut self, runs: Runs, bytes_behind_end: bool) {
        let counts = &mut self.common.counts;
        counts.hit_if(END_STOPS_VISIT, bytes_behind_end);
        match (runs.alpha, runs.timer, runs.bytes) {
            (false, true, true) => counts.hit_if(TIMER_AND_BYTES, true),
            (true, true, false) => counts.hit_if(ALPHA_AND_TIMER, true),
            (true, false, true) => counts.hit_if(ALPHA_AND_BYTES, true),
            (true, true, true) => counts.hit_if(ALL_THREE, true),
            _ => {}
        }
    }

    /// The total of granted bytes went from one value to the next, of a queue pair in an episode or not.
    #[inline]
    pub fn granted(&mut self, congested: bool, before: u64, after: u64) {
        self.common.counts.hit_if(BYTE_TOTAL_WRAPS, congested && after < before);
    }

    /// A peek of a queue pair in the table: with a CNP of it in its cycle, with beats that wait.
    #[inline]
    pub fn peek(&mut self, cnp: bool, queued: bool) {
        self.common.counts.hit_if(PEEK_WITH_CNP, cnp);
        self.common.counts.hit_if(PEEK_WHILE_QUEUED, queued);
    }

    /// Looks at every context in the cycle in which the counter is about to wrap.
    #[inline]
    pub fn end_of_cycle<'a>(
        &mut self,
        cfg: &Cfg,
        now: u64,
        loops: impl Iterator<Item = &'a Reaction> + Clone,
        paces: impl Iterator<Item = &'a Pace>,
    ) {
        if now == cfg.time.mask() {
            let recent = loops.clone().any(|l| l.recent_cut && l.last_cut != 0);
            self.common.counts.hit_if(WRAP_WHILE_RECENT, recent);
            self.common.wrap(cfg, now, loops.clone().any(|l| l.congested), paces);
        }
    }
}
