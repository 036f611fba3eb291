//! Which rows of the page's "Must be covered" happen, seen from the golden model.

use super::core::{self, Cfg, Mark, Packet, Policy, Queue, RandomMode, Region};
use crate::attributes::AttributeSet;
use crate::cover::{Cover, row};
use congruent_ports::ParamSet;
use congruent_ports::ecn_marker::BLOCK;
use congruent_ports::error;

macro_rules! rows {
    ($($name:ident = $row:literal;)*) => { $(const $name: usize = row(&BLOCK, $row);)* };
}

rows! {
    LOWER_MINUS_LSB = "average_lower_minus_lsb";
    LOWER_EXACTLY = "average_lower_exactly";
    LOWER_PLUS_LSB = "average_lower_plus_lsb";
    UPPER_MINUS_LSB = "average_upper_minus_lsb";
    UPPER_EXACTLY = "average_upper_exactly";
    UPPER_PLUS_LSB = "average_upper_plus_lsb";
    W_ZERO = "w_zero";
    W_ONE = "w_one";
    P_ZERO = "p_zero";
    P_ONE = "p_one";
    THRESHOLDS_EQUAL = "thresholds_equal";
    DRAINED_AND_REFILLED = "drained_and_refilled";
    ENQ_DEQ_SAME_CYCLE = "enq_deq_same_cycle";
    DEQ_AFTER_ENQ = "deq_after_enq";
    ENQ_AFTER_DEQ = "enq_after_deq";
    ENQ_BACK_TO_BACK = "enq_back_to_back";
    DEQ_BACK_TO_BACK = "deq_back_to_back";
    ALL_QUEUES_ACTIVE = "all_queues_active";
    OCCUPANCY_LARGEST = "occupancy_largest";
    PACKET_9216 = "packet_9216";
    UNDERFLOW = "underflow";
    ENABLE_ECN_FALSE = "enable_ecn_false";
    HYSTERESIS_UP = "hysteresis_up";
    HYSTERESIS_HELD = "hysteresis_held";
    HYSTERESIS_DOWN = "hysteresis_down";
    PACKET_SIZE_EXACTLY = "packet_size_exactly";
    PACKET_SIZE_BELOW = "packet_size_below";
    VICTIM_MARKED = "victim_marked";
    VICTIM_PASSED = "victim_passed";
    MARKING_RATE_ACROSS_END = "marking_rate_across_end";
    ALREADY_MARKED = "already_marked";
    LFSR_SEED_OTHER = "lfsr_seed_other";
    DIFFUSION = "diffusion";
    COUNTER_SATURATED = "counter_saturated";
    QUEUE_OUT_OF_RANGE = "queue_out_of_range";
    THRESHOLD_0 = "threshold_0";
    THRESHOLD_15 = "threshold_15";
}

/// Rows of an ECN code in and out of the band, by code.
const CODES: [[usize; 2]; 4] = [
    [row(&BLOCK, "not_ect_out_of_band"), row(&BLOCK, "not_ect_in_band")],
    [row(&BLOCK, "ect1_out_of_band"), row(&BLOCK, "ect1_in_band")],
    [row(&BLOCK, "ect0_out_of_band"), row(&BLOCK, "ect0_in_band")],
    [row(&BLOCK, "ce_out_of_band"), row(&BLOCK, "ce_in_band")],
];

// The rows of Threshold 0 to 15 follow one another.
const _: () = assert!(THRESHOLD_15 == THRESHOLD_0 + 15);

/// No event yet: the cycle after the last one, and its queue.
const NEVER: (u64, usize) = (u64::MAX, 0);

/// Counts rows as the model runs.
#[derive(Debug)]
pub struct Coverage {
    counts: Cover,
    p_one: bool,
    vl_buffer_bytes: u64,
    threshold: usize,
    /// The thresholds of the average in its format; `None` where out of reach.
    lower: Option<u64>,
    upper: Option<u64>,
    count_most: u64,
    /// Queues with packets, and how many there are.
    active: usize,
    queues: usize,
    /// Queues that were drained and not refilled since.
    drained: Vec<bool>,
    /// Queues whose congestion ended while packets still had to pass unmarked.
    cut_short: Vec<bool>,
    /// The cycle after the last event, and its queue.
    after_enq: (u64, usize),
    after_deq: (u64, usize),
}

impl Coverage {
    /// Nothing counted yet.
    pub fn new(cfg: &Cfg, attributes: &AttributeSet, params: &ParamSet) -> Self {
        let queues = params.get("QUEUES") as usize;
        let reach = |bytes: u64| (bytes <= cfg.occupancy_most()).then(|| cfg.to_average(bytes));
        Self {
            counts: Cover::new(&BLOCK),
            p_one: attributes.real("max_mark_probability") == 1.0,
            vl_buffer_bytes: attributes.integer("vl_buffer_bytes"),
            threshold: attributes.integer("threshold") as usize,
            lower: reach(cfg.lower),
            upper: reach(cfg.upper),
            count_most: (1 << cfg.count_w) - 1,
            active: 0,
            queues,
            drained: vec![false; queues],
            cut_short: vec![false; queues],
            after_enq: NEVER,
            after_deq: NEVER,
        }
    }

    /// The counts so far.
    pub fn counts(&self) -> &Cover {
        &self.counts
    }

    /// Forgets what it knows of the queues, not what it counted.
    pub fn reset(&mut self) {
        self.active = 0;
        self.drained.fill(false);
        self.cut_short.fill(false);
        self.after_enq = NEVER;
        self.after_deq = NEVER;
    }

    /// A queue outside the table.
    pub fn out_of_range(&mut self) {
        self.counts.hit_if(QUEUE_OUT_OF_RANGE, true);
    }

    /// A packet was admitted. `before` and `after` are its queue.
    #[inline]
    pub fn enq(
        &mut self,
        cfg: &Cfg,
        cycle: u64,
        at: usize,
        bytes: u64,
        before: &Queue,
        after: &Queue,
    ) {
        let counts = &mut self.counts;
        counts.hit_if(ENQ_DEQ_SAME_CYCLE, self.after_deq == (cycle + 1, at));
        counts.hit_if(ENQ_AFTER_DEQ, self.after_deq == (cycle, at));
        counts.hit_if(ENQ_BACK_TO_BACK, self.after_enq == (cycle, at));
        self.after_enq = (cycle + 1, at);
        counts.hit_if(PACKET_9216, bytes == 9216);
        counts.hit_if(OCCUPANCY_LARGEST, before.occupancy + bytes > cfg.occupancy_most());
        counts.hit_if(W_ZERO, cfg.weight == 0 && after.occupancy > 0);
        let one = cfg.weight_shift == 0 && cfg.weight != 0;
        counts.hit_if(W_ONE, one && after.average != before.average);
        if before.occupancy == 0 && after.occupancy > 0 {
            self.active += 1;
            counts.hit_if(ALL_QUEUES_ACTIVE, self.active == self.queues);
            counts.hit_if(DRAINED_AND_REFILLED, self.drained[at]);
            self.drained[at] = false;
        }
    }

    /// A packet started transmitting. `before` and `after` are its queue.
    #[allow(clippy::too_many_arguments)] // everything that a deq touches, and nothing else
    #[inline]
    pub fn deq(
        &mut self,
        cfg: &Cfg,
        cycle: u64,
        at: usize,
        packet: &Packet,
        before: &Queue,
        after: &Queue,
        mark: Mark,
    ) {
        let counts = &mut self.counts;
        counts.hit_if(DEQ_AFTER_ENQ, self.after_enq == (cycle, at));
        counts.hit_if(DEQ_BACK_TO_BACK, self.after_deq == (cycle, at));
        self.after_deq = (cycle + 1, at);
        if before.occupancy > 0 && after.occupancy == 0 {
            self.active -= 1;
            self.drained[at] = true;
        }
        if mark.error != error::NONE {
            counts.hit_if(UNDERFLOW, true);
            return;
        }
        if !cfg.enable_ecn {
            let missed = match cfg.policy {
                Policy::Red => {
                    core::is_ect(packet.ecn) && core::region(cfg, before.average) == Region::Above
                }
                Policy::Fecn => {
                    core::fecn_eligible(cfg, packet) && before.occupancy >= cfg.congested_from
                }
            };
            counts.hit_if(ENABLE_ECN_FALSE, missed);
            return;
        }
        let eligible = match cfg.policy {
            Policy::Red => core::is_ect(packet.ecn),
            Policy::Fecn => core::fecn_eligible(cfg, packet),
        };
        let saturated = before.eligible == self.count_most && eligible
            || before.marked == self.count_most && mark.marked;
        counts.hit_if(COUNTER_SATURATED, saturated);
        match cfg.policy {
            Policy::Red => self.red(cfg, packet, before, mark),
            Policy::Fecn => self.fecn(cfg, at, packet, before, after, mark),
        }
    }

    #[inline]
    fn red(&mut self, cfg: &Cfg, packet: &Packet, before: &Queue, mark: Mark) {
        let counts = &mut self.counts;
        let band = core::region(cfg, before.average) == Region::Band;
        counts.hit_if(CODES[(packet.ecn & 3) as usize][usize::from(band)], true);
        if !core::is_ect(packet.ecn) {
            return;
        }
        counts.hit_if(THRESHOLDS_EQUAL, cfg.band_shift == 0);
        if let Some(lower) = self.lower {
            counts.hit_if(LOWER_MINUS_LSB, before.average + 1 == lower);
            counts.hit_if(LOWER_EXACTLY, before.average == lower);
            counts.hit_if(LOWER_PLUS_LSB, before.average == lower + 1);
        }
        if let Some(upper) = self.upper {
            counts.hit_if(UPPER_MINUS_LSB, before.average + 1 == upper);
            counts.hit_if(UPPER_EXACTLY, before.average == upper);
            counts.hit_if(UPPER_PLUS_LSB, before.average == upper + 1);
        }
        if band {
            counts.hit_if(P_ZERO, cfg.slope == 0);
            counts.hit_if(P_ONE, self.p_one);
            let lfsr = cfg.random_mode == RandomMode::Lfsr;
            counts.hit_if(LFSR_SEED_OTHER, lfsr && cfg.lfsr_seed != 1);
            counts.hit_if(DIFFUSION, !lfsr && mark.marked);
        }
    }

    #[inline]
    fn fecn(
        &mut self,
        cfg: &Cfg,
        at: usize,
        packet: &Packet,
        before: &Queue,
        after: &Queue,
        mark: Mark,
    ) {
        let counts = &mut self.counts;
        let eligible = core::fecn_eligible(cfg, packet);
        if self.threshold == 0 {
            let full = before.occupancy >= self.vl_buffer_bytes;
            counts.hit_if(THRESHOLD_0, full && eligible);
        }
        let hysteresis = cfg.congested_below != cfg.congested_from;
        if after.congested && !before.congested {
            counts.hit_if(THRESHOLD_0 + self.threshold, true);
            counts.hit_if(HYSTERESIS_UP, hysteresis);
        }
        if before.congested && !after.congested {
            counts.hit_if(HYSTERESIS_DOWN, hysteresis);
            self.cut_short[at] = before.skip > 0;
        }
        if !after.congested {
            return;
        }
        counts.hit_if(HYSTERESIS_HELD, before.occupancy < cfg.congested_from);
        counts.hit_if(ALREADY_MARKED, packet.ecn & 1 == 1);
        let unmarked = packet.ecn & 1 == 0;
        if cfg.packet_size > 0 && unmarked {
            counts.hit_if(PACKET_SIZE_EXACTLY, packet.bytes == cfg.packet_size);
            counts.hit_if(PACKET_SIZE_BELOW, packet.bytes + 1 == cfg.packet_size);
        }
        let victim = !packet.has_credits;
        counts.hit_if(VICTIM_MARKED, victim && mark.marked);
        counts.hit_if(
            VICTIM_PASSED,
            victim && unmarked && !cfg.victim_marking && packet.bytes >= cfg.packet_size,
        );
        if mark.marked {
            counts.hit_if(MARKING_RATE_ACROSS_END, self.cut_short[at]);
            self.cut_short[at] = false;
        }
    }
}
