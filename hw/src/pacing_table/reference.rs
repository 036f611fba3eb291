//! The f64 reference of `pacing_table`: the page's algorithm, event by event, in natural units.
//!
//! Independent of the core: times in cycles as real numbers, nothing rounded, the order of use as a
//! plain list. It says what the hardware approximates; the core is held against it by error bound.
//! Source: seed 002 and the page's numbered behaviour.

use super::cfg::TIMER_UNIT_US;
use crate::attributes::AttributeSet;
use congruent_ports::ParamSet;

/// Attributes as the page's formulas use them.
#[derive(Debug, Clone)]
pub struct Constants {
    increase: u64,
    limit: u64,
    min: u64,
    trigger_threshold: u64,
    skip: bool,
    rearm: bool,
    /// Cycles; none: no decay.
    period: Option<f64>,
    cycles_a_byte: f64,
    /// With DelayBase mtu.
    mtu_time: Option<f64>,
    slack: f64,
    /// Most that a grant reaches ahead, cycles.
    gap_most: f64,
}

impl Constants {
    /// From attributes. The period is the whole number of cycles that the page asks for.
    pub fn new(attributes: &AttributeSet, params: &ParamSet) -> Self {
        let clock = attributes.real("clock_mhz");
        let cycles_a_byte = 8.0 * clock / (1000.0 * attributes.real("data_rate"));
        let timer = attributes.real("ccti_timer");
        let mtu = attributes.name("delay_base") == "mtu";
        Self {
            increase: attributes.integer("ccti_increase"),
            limit: attributes.integer("ccti_limit"),
            min: attributes.integer("ccti_min"),
            trigger_threshold: attributes.integer("trigger_threshold"),
            skip: attributes.name("increase_mode") == "skip",
            rearm: attributes.name("timer_mode") == "rearm",
            period: (timer > 0.0).then(|| (timer * TIMER_UNIT_US * clock + 0.5).floor()),
            cycles_a_byte,
            mtu_time: mtu.then(|| attributes.real("max_packet_bytes") * cycles_a_byte),
            slack: attributes.real("pacing_slack"),
            gap_most: 2f64.powi(params.get("TIME_W") as i32 - 2),
        }
    }

    /// PacingSlack, cycles.
    pub fn slack(&self) -> f64 {
        self.slack
    }

    /// Wire time of a packet, cycles.
    pub fn packet_time(&self, bytes: u64) -> f64 {
        bytes as f64 * self.cycles_a_byte
    }

    /// The time that the CCT multiplies, cycles: the packet's own, or with DelayBase mtu that of
    /// MaxPacketBytes.
    pub fn base_time(&self, bytes: u64) -> f64 {
        self.mtu_time.unwrap_or_else(|| self.packet_time(bytes))
    }

    /// From the base of a grant to next_send, cycles: T + (T or mtu time >> shift) × multiplier.
    pub fn gap(&self, bytes: u64, (shift, multiplier): (u32, u64)) -> f64 {
        let delay = self.base_time(bytes) / f64::from(1u32 << shift) * multiplier as f64;
        (self.packet_time(bytes) + delay).min(self.gap_most)
    }

    fn increased(&self, ccti: u64) -> u64 {
        match ccti + self.increase {
            up if up <= self.limit => up,
            _ if self.skip => ccti,
            _ => self.limit,
        }
    }

    /// ccti of a new entry; none where none is made.
    fn first(&self) -> Option<u64> {
        let dropped = self.skip && self.min + self.increase > self.limit;
        Some(self.increased(self.min)).filter(|ccti| *ccti > 0 && !dropped)
    }
}

/// A tracked destination.
#[derive(Debug, Clone, PartialEq)]
pub struct Tracked {
    /// The destination.
    pub dlid: u64,
    /// Index into the CCT.
    pub ccti: u64,
    /// Cycle in which the period ends; without a timer: never.
    pub deadline: f64,
    /// Cycle from which the next packet may go; before any packet: long ago.
    pub next_send: f64,
}

/// What a BECN did.
#[derive(Debug, Clone, PartialEq)]
pub struct BecnReport {
    /// Place of the entry.
    pub index: usize,
    /// Whether it hit.
    pub hit: bool,
    /// ccti after it.
    pub ccti: u64,
    /// Whether it raises `log`.
    pub logs: bool,
    /// The entry that gave way.
    pub evicted: Option<Tracked>,
}

/// The end of a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DecayReport {
    /// The destination.
    pub dlid: u64,
    /// ccti after it; 0: released.
    pub ccti: u64,
    /// Whether ccti changed.
    pub changed: bool,
}

/// The table.
#[derive(Debug, Clone)]
pub struct Reference {
    constants: Constants,
    entries: Vec<Option<Tracked>>,
    /// Places by their use, the least recent first.
    order: Vec<usize>,
    /// Shift and multiplier of each row.
    rows: Vec<(u32, u64)>,
}

impl Reference {
    /// No destination tracked, the linear CCT.
    pub fn new(attributes: &AttributeSet, params: &ParamSet) -> Self {
        let entries = params.get("ENTRIES") as usize;
        Self {
            constants: Constants::new(attributes, params),
            entries: vec![None; entries],
            order: (0..entries).collect(),
            rows: (0..1 << params.get("CCTI_W")).map(|index| (0, index)).collect(),
        }
    }

    /// The formulas' constants.
    pub fn constants(&self) -> &Constants {
        &self.constants
    }

    /// Writes a row of the CCT.
    pub fn write_row(&mut self, index: usize, shift: u32, multiplier: u64) {
        if let Some(row) = self.rows.get_mut(index) {
            *row = (shift, multiplier);
        }
    }

    /// Number of places.
    pub fn places(&self) -> usize {
        self.entries.len()
    }

    /// What is tracked in a place.
    pub fn entry(&self, index: usize) -> Option<&Tracked> {
        self.entries.get(index)?.as_ref()
    }

    /// The place that tracks a destination.
    pub fn lookup(&self, dlid: u64) -> Option<usize> {
        self.entries.iter().position(|e| e.as_ref().is_some_and(|e| e.dlid == dlid))
    }

    fn touch(&mut self, index: usize) {
        self.order.retain(|place| *place != index);
        self.order.push(index);
    }

    /// A BECN in cycle `cycle`; none where it makes no entry.
    pub fn becn(&mut self, cycle: f64, dlid: u64) -> Option<BecnReport> {
        let c = &self.constants;
        let (index, hit, ccti, evicted);
        if let Some(place) = self.lookup(dlid) {
            let Some(entry) = &mut self.entries[place] else { return None };
            let up = c.increased(entry.ccti);
            if let (true, Some(period), true) = (up != entry.ccti, c.period, c.rearm) {
                entry.deadline = cycle + period;
            }
            entry.ccti = up;
            (index, hit, ccti, evicted) = (place, true, up, None);
        } else {
            let first = c.first()?;
            let free = self.entries.iter().position(Option::is_none);
            let place = free.unwrap_or(self.order[0]);
            let entry = Tracked {
                dlid,
                ccti: first,
                deadline: c.period.map_or(f64::INFINITY, |period| cycle + period),
                next_send: f64::NEG_INFINITY,
            };
            let gone = self.entries[place].replace(entry);
            (index, hit, ccti, evicted) = (place, false, first, gone);
        }
        let logs = c.trigger_threshold != 0 && ccti >= c.trigger_threshold;
        self.touch(index);
        Some(BecnReport { index, hit, ccti, logs, evicted })
    }

    /// The next end of a period: its cycle and place.
    pub fn next_decay(&self) -> Option<(f64, usize)> {
        let deadlines = self.entries.iter().enumerate();
        deadlines
            .filter_map(|(place, entry)| Some((entry.as_ref()?.deadline, place)))
            .filter(|(deadline, _)| deadline.is_finite())
            .min_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// Ends a period, whenever it is served: deadlines count from deadlines. None where nothing is
    /// tracked in that place.
    pub fn decay(&mut self, index: usize) -> Option<DecayReport> {
        let entry = self.entries.get_mut(index)?.as_mut()?;
        let down = entry.ccti.saturating_sub(1).max(self.constants.min);
        let report = DecayReport { dlid: entry.dlid, ccti: down, changed: down != entry.ccti };
        entry.ccti = down;
        entry.deadline += self.constants.period.unwrap_or(f64::INFINITY);
        if down == 0 {
            self.entries[index] = None;
        }
        Some(report)
    }

    /// Whether a packet to a destination may go in cycle `cycle`.
    pub fn may_send(&self, cycle: f64, dlid: u64) -> bool {
        self.lookup(dlid)
            .and_then(|index| self.entry(index))
            .is_none_or(|entry| cycle >= entry.next_send)
    }

    /// From base to next_send of a packet that is decided on now, cycles; none for a destination
    /// that is not tracked.
    pub fn gap(&self, dlid: u64, bytes: u64) -> Option<f64> {
        let entry = self.entry(self.lookup(dlid)?)?;
        Some(self.constants.gap(bytes, self.rows[entry.ccti as usize]))
    }

    /// The effects of a grant in cycle `cycle`, `gap` as it was decided. `within_slack`: the branch
    /// to follow where the threshold falls between core and reference.
    pub fn grant(&mut self, cycle: f64, dlid: u64, gap: f64, within_slack: Option<bool>) {
        let Some(index) = self.lookup(dlid) else { return };
        let Some(entry) = &mut self.entries[index] else { return };
        let within = within_slack.unwrap_or(cycle - entry.next_send < self.constants.slack);
        entry.next_send = if within { entry.next_send } else { cycle } + gap;
        self.touch(index);
    }
}
