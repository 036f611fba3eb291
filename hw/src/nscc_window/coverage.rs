//! Which rows of the page's "Must be covered" happen, seen from the golden model.

use super::core::{self, Cfg, Context, Event, Kind, Outcome, Routine};
use crate::attributes::AttributeSet;
use crate::cover::{Cover, row};
use crate::fixed::sub_floor_zero;
use congruent_ports::nscc_window::{AVERAGE_FRAC, BLOCK, PENDING_W, RTT_FRAC};
use congruent_ports::{ParamSet, error};

macro_rules! rows {
    ($($name:ident = $row:literal;)*) => { $(const $name: usize = row(&BLOCK, $row);)* };
}

rows! {
    CWND_AT_FLOOR = "cwnd_at_floor";
    CWND_AT_CEILING = "cwnd_at_ceiling";
    BASE_RTT_BELOW_CWND = "base_rtt_below_cwnd";
    RTT_ZERO = "rtt_zero";
    MAX_WINDOW_BELOW_PACKET = "max_window_below_packet";
    IN_FLIGHT_UNDERFLOW = "in_flight_underflow";
    PENDING_SATURATED = "pending_saturated";
    FAST_ENGAGED = "fast_engaged";
    FAST_ENDED_BY_MARGIN = "fast_ended_by_margin";
    FAST_SURVIVES_FAIR = "fast_survives_fair";
    APPLY_BY_TIME = "apply_by_time";
    APPLY_BY_BYTES = "apply_by_bytes";
    APPLY_BY_BOTH = "apply_by_both";
    QUICK_ADAPT_BY_SACK = "quick_adapt_by_sack";
    QUICK_ADAPT_BY_NACK = "quick_adapt_by_nack";
    QUICK_ADAPT_BY_DELAY = "quick_adapt_by_delay";
    QUICK_ADAPT_NO_TRIGGER = "quick_adapt_no_trigger";
    QUICK_ADAPT_ENOUGH_BYTES = "quick_adapt_enough_bytes";
    QUICK_ADAPT_EQUALITY = "quick_adapt_equality";
    QUICK_ADAPT_RAISES = "quick_adapt_raises";
    TRIM_IGNORED = "trim_ignored";
    TRIM_IGNORED_LAST = "trim_ignored_last";
    THRESHOLD_ZERO = "threshold_zero";
    GATE_ZERO = "gate_zero";
    GATE_THIRTY_ONE = "gate_thirty_one";
    MARGIN_ABOVE_TARGET = "margin_above_target";
    ETA_ZERO = "eta_zero";
    PASS_THROUGH = "pass_through";
    MAX_WINDOW_OVERRIDE = "max_window_override";
    TARGET_OVERRIDE = "target_override";
    QUICK_ADAPT_DISABLED = "quick_adapt_disabled";
    PROBE_THEN_SAMPLE = "probe_then_sample";
    NACK_NOT_TRIMMED = "nack_not_trimmed";
    LOSS_WHILE_IGNORING = "loss_while_ignoring";
    BACK_TO_BACK_SAME = "back_to_back_same";
    BACK_TO_BACK_ALTERNATING = "back_to_back_alternating";
    EVERY_DESTINATION_OPEN = "every_destination_open";
    CLOSED_CONTEXT = "closed_context";
    OPENED_TWICE = "opened_twice";
    DST_OUT_OF_RANGE = "dst_out_of_range";
    WRAP_WITH_QA_END = "wrap_with_qa_end";
    WRAP_WITH_LAST_ETA = "wrap_with_last_eta";
    WRAP_WITH_LAST_CUT = "wrap_with_last_cut";
    ECN_BELOW_TARGET = "ecn_below_target";
    ECN_AT_TARGET = "ecn_at_target";
    ECN_AVERAGE_LOW = "ecn_average_low";
    NO_ECN_BELOW_TARGET = "no_ecn_below_target";
    NO_ECN_AT_TARGET = "no_ecn_at_target";
    DECREASE_AT_LIMIT = "decrease_at_limit";
    SECOND_CUT_HELD = "second_cut_held";
    SECOND_CUT_MADE = "second_cut_made";
    CUT_AND_APPLY = "cut_and_apply";
    PENALTY_ONE = "penalty_one";
    PENALTY_127 = "penalty_127";
    RESTORED = "restored";
    SAVED_DROPPED = "saved_dropped";
}

/// Rows that need the uet variant.
pub const UET_ROWS: &[usize] = &[
    WRAP_WITH_LAST_CUT,
    ECN_BELOW_TARGET,
    ECN_AT_TARGET,
    ECN_AVERAGE_LOW,
    NO_ECN_BELOW_TARGET,
    NO_ECN_AT_TARGET,
    DECREASE_AT_LIMIT,
    SECOND_CUT_HELD,
    SECOND_CUT_MADE,
    CUT_AND_APPLY,
    PENALTY_ONE,
    PENALTY_127,
    RESTORED,
    SAVED_DROPPED,
];

/// An event that was taken: its cycle and destination.
type Taken = (u64, usize);

const NEVER: Taken = (u64::MAX / 2, usize::MAX);

/// Counts rows as the model runs.
#[derive(Debug)]
pub struct Coverage {
    counts: Cover,
    dests: u64,
    interval: u64,
    target_override: bool,
    open: u64,
    /// Whether a destination was cut since it was opened.
    was_cut: Vec<bool>,
    /// The last two events.
    last: [Taken; 2],
}

impl Coverage {
    /// Nothing counted yet.
    pub fn new(_: &Cfg, attributes: &AttributeSet, params: &ParamSet) -> Self {
        let dests = params.get("DESTS") as u64;
        Self {
            counts: Cover::new(&BLOCK),
            dests,
            interval: BLOCK.cycles("evt_interval"),
            target_override: attributes.integer("override_spec_target_queue_delay") != 0,
            open: 0,
            was_cut: vec![false; dests as usize],
            last: [NEVER; 2],
        }
    }

    /// The counts so far.
    pub fn counts(&self) -> &Cover {
        &self.counts
    }

    /// Forgets what it knows of the contexts, not what it counted.
    pub fn reset(&mut self) {
        self.open = 0;
        self.was_cut.fill(false);
        self.last = [NEVER; 2];
    }

    /// A context outside the table.
    pub fn out_of_range(&mut self) {
        self.counts.hit_if(DST_OUT_OF_RANGE, true);
    }

    /// An event inside the table, with the destination before and after it.
    #[allow(clippy::too_many_arguments)] // everything that an event touches, and nothing else
    pub fn event(
        &mut self,
        cfg: &Cfg,
        cycle: u64,
        now: u64,
        dst: usize,
        evt: &Event,
        before: &Context,
        after: &Context,
        outcome: &Outcome,
    ) {
        let counts = &mut self.counts;
        let [last, last_but_one] = self.last;
        let near = last.0 + self.interval == cycle;
        counts.hit_if(BACK_TO_BACK_SAME, near && last.1 == dst);
        let alternates = last_but_one == (cycle.wrapping_sub(2 * self.interval), dst);
        counts.hit_if(BACK_TO_BACK_ALTERNATING, near && alternates && last.1 != dst);
        self.last = [(cycle, dst), last];
        if outcome.error == error::CLOSED {
            counts.hit_if(CLOSED_CONTEXT, evt.kind != Kind::Open);
            counts.hit_if(OPENED_TWICE, evt.kind == Kind::Open);
            return;
        }
        counts.hit_if(IN_FLIGHT_UNDERFLOW, outcome.error == error::UNDERFLOW);
        let floor = cfg.floor();
        match evt.kind {
            Kind::Send => {
                let refused = before.in_flight << cfg.cwnd_frac >= before.cwnd;
                counts.hit_if(PASS_THROUGH, outcome.granted && refused);
                return;
            }
            Kind::Open => {
                self.open += 1;
                self.was_cut[dst] = false;
                counts.hit_if(EVERY_DESTINATION_OPEN, self.open == self.dests);
                return;
            }
            Kind::Close => {
                self.open -= 1;
                return;
            }
            Kind::Probe | Kind::Cack => return,
            Kind::Loss => counts.hit_if(LOSS_WHILE_IGNORING, before.ignore_left > 0),
            Kind::Sack | Kind::Nack => {
                let mut settled = *before;
                core::settle(cfg, &mut settled, now);
                self.report(cfg, evt, &settled, after, outcome);
                if outcome.routine == Routine::Decrease {
                    self.counts.hit_if(SECOND_CUT_MADE, self.was_cut[dst]);
                    self.was_cut[dst] = true;
                }
            }
        }
        self.counts.hit_if(CWND_AT_FLOOR, before.cwnd > floor && after.cwnd == floor);
    }

    /// A sack or nack of an open destination.
    fn report(
        &mut self,
        cfg: &Cfg,
        evt: &Event,
        before: &Context,
        after: &Context,
        outcome: &Outcome,
    ) {
        let counts = &mut self.counts;
        if evt.rtt_valid {
            counts.hit_if(RTT_ZERO, evt.rtt == 0);
            let fell = after.base_rtt < before.base_rtt;
            counts.hit_if(MAX_WINDOW_OVERRIDE, cfg.window_fixed && fell);
            let probed = before.max_window > core::max_window(cfg, before.base_rtt);
            counts.hit_if(PROBE_THEN_SAMPLE, !cfg.window_fixed && probed);
        }
        match evt.kind {
            Kind::Sack => self.sack(cfg, evt, before, after, outcome),
            _ => {
                counts.hit_if(NACK_NOT_TRIMMED, !evt.trimmed);
                let ignored = outcome.routine == Routine::Ignored;
                counts.hit_if(TRIM_IGNORED, ignored && after.ignore_left > 0);
                counts.hit_if(TRIM_IGNORED_LAST, ignored && after.ignore_left == 0);
                if evt.trimmed && !ignored {
                    self.quick_adapt(cfg, before, after, before.qa_bytes, true, outcome);
                    self.counts.hit_if(QUICK_ADAPT_BY_NACK, outcome.qa_fired);
                }
            }
        }
    }

    fn sack(
        &mut self,
        cfg: &Cfg,
        evt: &Event,
        before: &Context,
        after: &Context,
        outcome: &Outcome,
    ) {
        if cfg.uet {
            self.penalty(evt, before);
        }
        if !evt.rtt_valid {
            return;
        }
        let sample = sub_floor_zero(evt.rtt, after.base_rtt);
        let delay_trigger = core::delay_triggers(cfg, after, sample);
        let qa_bytes = core::add_bytes(before.qa_bytes, evt.bytes);
        let trigger = before.qa_trigger || delay_trigger;
        self.quick_adapt(cfg, before, after, qa_bytes, trigger, outcome);
        let counts = &mut self.counts;
        counts.hit_if(QUICK_ADAPT_BY_SACK, outcome.qa_fired && before.qa_trigger);
        let by_delay = outcome.qa_fired && !before.qa_trigger;
        counts.hit_if(QUICK_ADAPT_BY_DELAY, by_delay);
        counts.hit_if(THRESHOLD_ZERO, by_delay && cfg.quick_adapt_threshold == 0);
        counts.hit_if(QUICK_ADAPT_DISABLED, cfg.disable_quick_adapt && before.qa_trigger);
        let lowered = after.base_rtt < before.base_rtt && before.cwnd > after.max_window;
        counts.hit_if(BASE_RTT_BELOW_CWND, lowered && !cfg.window_fixed);
        if outcome.qa_fired {
            return;
        }
        counts.hit_if(MAX_WINDOW_BELOW_PACKET, after.max_window < cfg.floor());
        counts.hit_if(CWND_AT_CEILING, after.cwnd == after.max_window);
        let between = sample >= cfg.target && sample < cfg.margin;
        counts.hit_if(MARGIN_ABOVE_TARGET, between);
        counts.hit_if(TARGET_OVERRIDE, self.target_override);
        counts.hit_if(APPLY_BY_TIME, outcome.by_time && !outcome.by_bytes);
        counts.hit_if(APPLY_BY_BYTES, !outcome.by_time && outcome.by_bytes);
        counts.hit_if(APPLY_BY_BOTH, outcome.by_time && outcome.by_bytes);
        counts.hit_if(ETA_ZERO, outcome.by_time && cfg.eta == 0);
        counts.hit_if(FAST_ENGAGED, !before.fast_on && after.fast_on);
        let gain = match outcome.routine {
            Routine::Proportional => {
                counts.hit_if(FAST_ENDED_BY_MARGIN, before.fast_on);
                core::proportional_gain(cfg, sample)
            }
            Routine::Fair => {
                counts.hit_if(FAST_SURVIVES_FAIR, before.fast_on);
                cfg.fair
            }
            _ => 0,
        };
        let saturated = core::pend(before.pending, gain, evt.bytes) == (1 << PENDING_W) - 1;
        counts.hit_if(PENDING_SATURATED, saturated);
        if cfg.uet {
            self.quadrant(cfg, evt, sample, before, after, outcome);
        }
    }

    /// Quick Adapt was asked; `trigger`: one was there.
    fn quick_adapt(
        &mut self,
        cfg: &Cfg,
        before: &Context,
        after: &Context,
        qa_bytes: u64,
        trigger: bool,
        outcome: &Outcome,
    ) {
        if cfg.disable_quick_adapt || !before.qa_open || !before.qa_over {
            return;
        }
        let counts = &mut self.counts;
        counts.hit_if(GATE_THIRTY_ONE, trigger && cfg.quick_adapt_gate == 31);
        if outcome.qa_fired {
            counts.hit_if(GATE_ZERO, cfg.quick_adapt_gate == 0);
            counts.hit_if(QUICK_ADAPT_RAISES, after.cwnd > before.cwnd);
            return;
        }
        let gate = u128::from(qa_bytes) << (cfg.quick_adapt_gate + cfg.cwnd_frac);
        let most = u128::from(after.max_window);
        counts.hit_if(QUICK_ADAPT_NO_TRIGGER, !trigger && gate < most);
        counts.hit_if(QUICK_ADAPT_ENOUGH_BYTES, trigger && gate > most);
        counts.hit_if(QUICK_ADAPT_EQUALITY, trigger && gate == most);
    }

    fn penalty(&mut self, evt: &Event, before: &Context) {
        let counts = &mut self.counts;
        counts.hit_if(PENALTY_ONE, evt.penalty == 1);
        counts.hit_if(PENALTY_127, evt.penalty == 127);
        let saved = evt.penalty == 0 && before.saved_cwnd != 0;
        counts.hit_if(RESTORED, saved && evt.restore);
        counts.hit_if(SAVED_DROPPED, saved && !evt.restore);
    }

    fn quadrant(
        &mut self,
        cfg: &Cfg,
        evt: &Event,
        sample: u64,
        before: &Context,
        after: &Context,
        outcome: &Outcome,
    ) {
        let counts = &mut self.counts;
        let low = after.avg_delay <= cfg.target << (AVERAGE_FRAC - RTT_FRAC);
        let at = sample >= cfg.target;
        counts.hit_if(ECN_BELOW_TARGET, evt.ecn && !at);
        counts.hit_if(ECN_AVERAGE_LOW, evt.ecn && at && low);
        let unmarked = |routines: &[Routine]| !evt.ecn && routines.contains(&outcome.routine);
        counts.hit_if(NO_ECN_BELOW_TARGET, unmarked(&[Routine::Proportional, Routine::Fast]));
        counts.hit_if(NO_ECN_AT_TARGET, unmarked(&[Routine::Fair]));
        let held = outcome.routine == Routine::MarkedHold && at && !low && before.cut_held;
        counts.hit_if(SECOND_CUT_HELD, held);
        if outcome.routine == Routine::Decrease {
            counts.hit_if(ECN_AT_TARGET, true);
            counts.hit_if(CUT_AND_APPLY, outcome.by_time || outcome.by_bytes);
            let limit = core::keep(cfg, after.avg_delay) == cfg.smallest_keep;
            counts.hit_if(DECREASE_AT_LIMIT, limit);
        }
    }

    /// Looks at every context in the cycle in which the counter is about to wrap.
    #[inline]
    pub fn end_of_cycle(&mut self, cfg: &Cfg, now: u64, contexts: &[Context]) {
        if now == cfg.time.mask() {
            self.wrap(cfg, contexts);
        }
    }

    #[cold]
    fn wrap(&mut self, cfg: &Cfg, contexts: &[Context]) {
        for context in contexts.iter().filter(|c| core::unsettled(c)) {
            let mut settled = *context;
            core::settle(cfg, &mut settled, 0);
            self.counts.hit_if(WRAP_WITH_QA_END, settled.qa_open && !settled.qa_over);
            self.counts.hit_if(WRAP_WITH_LAST_ETA, !settled.eta_due);
            self.counts.hit_if(WRAP_WITH_LAST_CUT, settled.cut_held);
        }
    }
}
