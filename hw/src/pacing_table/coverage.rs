//! Which rows of the page's "Must be covered" happen, seen from the golden model.

use super::cfg::configure;
use super::core::{self, Cfg, Decay, Entry, Row};
use super::queues::{Head, Queues};
use super::table::{Becn, Evicted, Handle, Table};
use super::timing::Figures;
use crate::attributes::{AttributeSet, Value};
use crate::cover::{Cover, row};
use congruent_ports::pacing_table::{BLOCK, MULTIPLIER_W};
use congruent_ports::{ParamSet, error};

macro_rules! rows {
    ($($name:ident = $row:literal;)*) => { $(const $name: usize = row(&BLOCK, $row);)* };
}

rows! {
    BECN_IN_RELEASE_CYCLE = "becn_in_release_cycle";
    MISS_IN_RELEASE_CYCLE = "miss_in_release_cycle";
    HIT_BESIDE_EVICTION = "hit_beside_eviction";
    EVICT_AT_HEAD = "evict_at_head";
    RELEASE_AT_HEAD = "release_at_head";
    TWO_HEADS_ONE_DLID = "two_heads_one_dlid";
    ALL_HEADS_EQUAL = "all_heads_equal";
    ALL_ELIGIBLE_NOT_READY = "all_eligible_not_ready";
    INCREASE_ABOVE_LIMIT = "increase_above_limit";
    TIMER_RUNNING = "timer_running";
    TIMER_REARM = "timer_rearm";
    REARM_WITH_DECAY = "rearm_with_decay";
    REARM_AFTER_PERIOD = "rearm_after_period";
    INCREASE_SATURATE = "increase_saturate";
    INCREASE_SKIP = "increase_skip";
    NO_ENTRY_MADE = "no_entry_made";
    DELAY_PACKET = "delay_packet";
    DELAY_MTU = "delay_mtu";
    MIN_ABOVE_ZERO = "min_above_zero";
    TIMER_ZERO = "timer_zero";
    TIMER_ONE = "timer_one";
    TRIGGER_REACHED = "trigger_reached";
    DLID_ZERO = "dlid_zero";
    DLID_ALL_ONES = "dlid_all_ones";
    LARGEST_DELAY = "largest_delay";
    GAP_SATURATES = "gap_saturates";
    WRAP_WHILE_HELD = "wrap_while_held";
    WRAP_WHILE_DUE = "wrap_while_due";
    WRAP_WHILE_IDLE = "wrap_while_idle";
    WITHIN_SLACK = "within_slack";
    BEYOND_SLACK = "beyond_slack";
    VICTIM_BY_PACKET = "victim_by_packet";
    BACK_TO_BACK_ONE_DLID = "back_to_back_one_dlid";
    BACK_TO_BACK_MISSES = "back_to_back_misses";
    GRANT_LANDS_ON_EVICTED = "grant_lands_on_evicted";
    ZERO_LENGTH = "zero_length";
    QUEUE_OUT_OF_RANGE = "queue_out_of_range";
    INDEX_OUT_OF_RANGE = "index_out_of_range";
}

/// Rows of an eviction under a size of the table.
const SIZES: [(i64, usize); 4] = [
    (1, row(&BLOCK, "entries_1")),
    (4, row(&BLOCK, "entries_4")),
    (64, row(&BLOCK, "entries_64")),
    (1024, row(&BLOCK, "entries_1024")),
];

/// Widest time of which half a wrap is idled through in a run, bits.
const LONGEST_IDLE_W: i64 = 16;

/// Largest packet that the page asks for, bytes.
const LARGEST_PACKET: u64 = 16_384;

const LARGEST_MULTIPLIER: u64 = (1 << MULTIPLIER_W) - 1;

/// Rows that cannot happen under these parameters, with the reason.
pub fn not_applicable(params: &ParamSet) -> Vec<(&'static str, &'static str)> {
    let mut rows = vec![];
    let mut without = |row: usize, why| rows.push((BLOCK.coverage[row].name, why));
    for (entries, row) in SIZES {
        if params.get("ENTRIES") != entries {
            without(row, "ENTRIES is another");
        }
    }
    if params.get("ENTRIES") == 1 {
        without(VICTIM_BY_PACKET, "of one entry only one can be the victim");
    }
    if params.get("QUEUES") == 1 {
        without(TWO_HEADS_ONE_DLID, "one queue has one head");
        without(ALL_HEADS_EQUAL, "one queue has one head");
    }
    if Figures::of(params).round == 1 {
        without(REARM_AFTER_PERIOD, "the sweep visits the one entry in every cycle");
    }
    if 1 << params.get("QUEUE_W") == params.get("QUEUES") {
        without(QUEUE_OUT_OF_RANGE, "queue holds no number outside the table");
    }
    if 1 << params.get("INDEX_W") == params.get("ENTRIES") {
        without(INDEX_OUT_OF_RANGE, "index holds no number outside the table");
    }
    if params.get("TIME_W") > LONGEST_IDLE_W {
        without(WRAP_WHILE_IDLE, "half a wrap of TIME_W is longer than a run");
    }
    let legal = |changes: &[(&str, Value)]| {
        configure(&AttributeSet::defaults(&BLOCK).with(changes), params)
    };
    let limit = ("ccti_limit", Value::Integer(1));
    let off = ("ccti_timer", Value::Integer(0));
    let slowest = [limit, off, ("clock_mhz", Value::Real(2000.0)), ("data_rate", Value::Real(1.0))];
    let row_most = Row { shift: 0, multiplier: LARGEST_MULTIPLIER };
    if legal(&slowest).is_ok_and(|cfg| core::gap(&cfg, LARGEST_PACKET, row_most) < cfg.gap_most) {
        without(GAP_SATURATES, "no delay reaches 2^(TIME_W - 2) cycles");
    }
    let one = |mhz: u32| {
        let clock = ("clock_mhz", Value::Real(f64::from(mhz)));
        legal(&[limit, clock, ("ccti_timer", Value::Integer(1))]).is_ok()
    };
    if !(100..=2000).step_by(10).any(one) {
        without(
            TIMER_ONE,
            "the sweep cannot serve a period of 1.024 us at any clock, or TIME_W cannot hold it",
        );
    }
    rows
}

/// A period that the sweep ended.
#[derive(Debug, Clone, Copy)]
pub struct Served {
    /// The entry.
    pub index: usize,
    /// Its destination.
    pub dlid: u64,
    /// What happened.
    pub decay: Decay,
}

/// What the last BECN did, for the next one to compare with.
#[derive(Debug, Clone, Copy)]
struct LastBecn {
    cycle: u64,
    dlid: u64,
    index: usize,
    hit: bool,
    evicted: bool,
}

/// Counts rows as the model runs.
#[derive(Debug)]
pub struct Coverage {
    counts: Cover,
    figures: Figures,
    size_row: Option<usize>,
    timer_one: bool,
    mtu_bytes: u64,
    all_ones: u64,
    /// Bits of all queues.
    all_queues: u64,
    not_ready_for: u64,
    last_becn: Option<LastBecn>,
    /// The entry that a packet's use kept from being the next victim.
    saved: Option<usize>,
    /// By entry: cycle of the last grant to it since it was made.
    last_grant: Vec<Option<u64>>,
}

impl Coverage {
    /// Nothing counted yet.
    pub fn new(cfg: &Cfg, attributes: &AttributeSet, params: &ParamSet) -> Self {
        let entries = params.get("ENTRIES");
        Self {
            counts: Cover::new(&BLOCK),
            figures: Figures::of(params),
            size_row: SIZES.iter().find(|(n, _)| *n == entries).map(|(_, row)| *row),
            timer_one: attributes.integer("ccti_timer") == 1 && cfg.period != 0,
            mtu_bytes: attributes.integer("max_packet_bytes"),
            all_ones: (1 << params.get("DLID_W")) - 1,
            all_queues: (1 << params.get("QUEUES")) - 1,
            not_ready_for: 0,
            last_becn: None,
            saved: None,
            last_grant: vec![None; entries as usize],
        }
    }

    /// The counts so far.
    pub fn counts(&self) -> &Cover {
        &self.counts
    }

    /// Forgets what it knows of the entries, not what it counted.
    pub fn reset(&mut self) {
        self.not_ready_for = 0;
        self.last_becn = None;
        self.saved = None;
        self.last_grant.fill(None);
    }

    /// The heads that were eligible in a cycle.
    #[inline]
    pub fn eligible(&mut self, eligible: u64, grant_ready: bool) {
        if eligible == self.all_queues && !grant_ready {
            self.not_ready_for += 1;
            self.counts.hit_if(ALL_ELIGIBLE_NOT_READY, self.not_ready_for == 2);
        } else {
            self.not_ready_for = 0;
        }
    }

    /// A grant to a tracked destination. `before` is the entry before it.
    #[allow(clippy::too_many_arguments)] // everything that a grant is decided on, and nothing else
    pub fn grant(
        &mut self,
        cfg: &Cfg,
        cycle: u64,
        now: u64,
        head: &Head,
        before: &Entry,
        row: Row,
        gap: u64,
        queues: &Queues,
    ) {
        let counts = &mut self.counts;
        // Those of them that are heads already; the granted one's queue has its next one later.
        let others = match queues.heads_for(head.dlid) {
            0 => 0,
            others => (others & queues.present(cycle)).count_ones(),
        };
        counts.hit_if(TWO_HEADS_ONE_DLID, others > 0);
        let queues = self.all_queues.count_ones();
        counts.hit_if(ALL_HEADS_EQUAL, queues > 1 && others == queues - 1);
        counts.hit_if(DLID_ZERO, head.dlid == 0);
        counts.hit_if(DLID_ALL_ONES, head.dlid == self.all_ones);
        let base_bytes = if cfg.delay_base_mtu { self.mtu_bytes } else { head.bytes };
        if row.multiplier > 0 {
            counts.hit_if(DELAY_PACKET, !cfg.delay_base_mtu);
            counts.hit_if(DELAY_MTU, cfg.delay_base_mtu && head.bytes != self.mtu_bytes);
            let largest = row.shift == 0 && row.multiplier == LARGEST_MULTIPLIER;
            counts.hit_if(LARGEST_DELAY, largest && base_bytes == LARGEST_PACKET);
        }
        counts.hit_if(GAP_SATURATES, gap == cfg.gap_most);
        if before.held {
            let since = cfg.pace_time.sub(now << cfg.time_frac, before.next_send);
            let within = since < cfg.pacing_slack << cfg.time_frac;
            counts.hit_if(WITHIN_SLACK, within);
            counts.hit_if(BEYOND_SLACK, !within);
        }
        let Some(entry) = head.entry else { return };
        let half_wrap = 1 + cfg.time.mask() / 2;
        let last = self.last_grant[entry.index].replace(cycle);
        counts.hit_if(WRAP_WHILE_IDLE, last.is_some_and(|last| cycle - last > half_wrap));
    }

    /// The end of a grant's cycle: whether its entry still lives. `table` is as before its effects.
    #[inline]
    pub fn landing(&mut self, entry: Handle, lives: bool, table: &Table) {
        self.counts.hit_if(GRANT_LANDS_ON_EVICTED, !lives);
        let others = table.len() > 1;
        if lives && others && table.is_full() && table.next_victim() == entry.index {
            self.saved = Some(entry.index);
        }
    }

    /// The sweep ended a period.
    pub fn served(&mut self, cfg: &Cfg, served: &Served, queues: &Queues) {
        let counts = &mut self.counts;
        let Decay { ccti, changed, released } = served.decay;
        counts.hit_if(MIN_ABOVE_ZERO, cfg.min > 0 && ccti == cfg.min);
        counts.hit_if(TIMER_ONE, self.timer_one && changed);
        if released {
            counts.hit_if(RELEASE_AT_HEAD, queues.heads_for(served.dlid) != 0);
        }
    }

    /// A BECN, after the cycle's visit. `full`: every entry is valid after it.
    #[allow(clippy::too_many_arguments)] // everything that meets in a BECN's cycle
    pub fn becn(
        &mut self,
        cfg: &Cfg,
        cycle: u64,
        dlid: u64,
        becn: Option<&Becn>,
        served: Option<Served>,
        full: bool,
    ) {
        let counts = &mut self.counts;
        let released = served.filter(|served| served.decay.released);
        counts.hit_if(BECN_IN_RELEASE_CYCLE, released.is_some_and(|r| r.dlid == dlid));
        let Some(becn) = becn else {
            counts.hit_if(NO_ENTRY_MADE, true);
            return;
        };
        let Becn { index, hit, ccti, before, over, evicted } = becn;
        let evicted = evicted.is_some();
        let instead = released.is_some_and(|r| r.dlid != dlid);
        counts.hit_if(MISS_IN_RELEASE_CYCLE, !hit && !evicted && full && instead);
        counts.hit_if(INCREASE_ABOVE_LIMIT, cfg.increase > cfg.limit);
        counts.hit_if(TIMER_ZERO, cfg.period == 0);
        counts.hit_if(TRIGGER_REACHED, core::logs(cfg, *ccti));
        if *hit {
            let above = before + cfg.increase > cfg.limit;
            counts.hit_if(INCREASE_SATURATE, above && !cfg.skip);
            counts.hit_if(INCREASE_SKIP, above && cfg.skip);
            if ccti != before && cfg.period != 0 {
                let decayed = served.is_some_and(|s| s.index == *index && s.decay.changed);
                counts.hit_if(TIMER_RUNNING, !cfg.rearm);
                counts.hit_if(TIMER_REARM, cfg.rearm && !*over);
                counts.hit_if(REARM_WITH_DECAY, cfg.rearm && decayed);
                counts.hit_if(REARM_AFTER_PERIOD, cfg.rearm && *over);
            }
        } else {
            self.last_grant[*index] = None;
        }
        let last = LastBecn { cycle, dlid, index: *index, hit: *hit, evicted };
        let before = self.last_becn.replace(last);
        if let Some(before) = before.filter(|b| cycle - b.cycle == self.figures.becn_interval) {
            counts.hit_if(BACK_TO_BACK_ONE_DLID, before.dlid == dlid);
            counts.hit_if(BACK_TO_BACK_MISSES, before.evicted && evicted);
            let both = before.hit && evicted || before.evicted && *hit;
            counts.hit_if(HIT_BESIDE_EVICTION, both && before.index == *index);
        }
        // A BECN would have kept the saved one just as well.
        counts.hit_if(VICTIM_BY_PACKET, evicted && self.saved.is_some());
        if evicted || self.saved == Some(*index) {
            self.saved = None;
        }
    }

    /// An entry gave way.
    pub fn evicted(&mut self, evicted: &Evicted, queues: &Queues) {
        if let Some(row) = self.size_row {
            self.counts.hit_if(row, true);
        }
        self.counts.hit_if(EVICT_AT_HEAD, queues.heads_for(evicted.dlid) != 0);
    }

    /// A head that was refused.
    pub fn refused(&mut self, code: u64) {
        self.counts.hit_if(QUEUE_OUT_OF_RANGE, code == error::RANGE);
        self.counts.hit_if(ZERO_LENGTH, code == error::ZERO_LENGTH);
    }

    /// A peek outside the table.
    pub fn index_out_of_range(&mut self) {
        self.counts.hit_if(INDEX_OUT_OF_RANGE, true);
    }

    /// Looks at every entry in the cycle in which the counter is about to wrap.
    #[inline]
    pub fn end_of_cycle(&mut self, cfg: &Cfg, now: u64, table: &Table) {
        if now == cfg.time.mask() {
            self.wrap(cfg, table);
        }
    }

    #[cold]
    fn wrap(&mut self, cfg: &Cfg, table: &Table) {
        let entries = table.entries();
        let held = entries.iter().any(|entry| entry.held && !core::send_time(cfg, entry, 0));
        self.counts.hit_if(WRAP_WHILE_HELD, held);
        let due = cfg.period != 0 && entries.iter().any(|entry| entry.valid);
        self.counts.hit_if(WRAP_WHILE_DUE, due);
    }
}
