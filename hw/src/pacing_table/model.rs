//! The golden model of `pacing_table`: in which cycle and order events reach table and core.
//!
//! A timing shell only. All arithmetic is the core's; every state is written at once, in the cycle
//! of its event; answers leave through fixed delays. There is no forwarding and no pipeline
//! register of state here: the RTL must forward, the model must not.

use super::core::{self, Cfg, Entry, Row};
use super::coverage::{Coverage, Served};
use super::queues::Queues;
use super::table::{Becn, Evicted, Handle, Table};
use super::timing::Figures;
use crate::Golden;
use crate::attributes::{AttributeError, AttributeSet};
use crate::cover::Cover;
use crate::delay::Agenda;
use crate::stats::count;
use congruent_ports::{ParamSet, error};

/// Words of the inputs slice, as `congruent_ports::Layout` orders them.
pub mod input {
    #![allow(missing_docs)] // the names are the ports'
    pub const BECN_VALID: usize = 0;
    pub const BECN_DLID: usize = 1;
    pub const HEAD_VALID: usize = 2;
    pub const HEAD_QUEUE: usize = 3;
    pub const HEAD_DLID: usize = 4;
    pub const HEAD_BYTES: usize = 5;
    pub const CCT_VALID: usize = 6;
    pub const CCT_INDEX: usize = 7;
    pub const CCT_SHIFT: usize = 8;
    pub const CCT_MULTIPLIER: usize = 9;
    pub const PEEK_VALID: usize = 10;
    pub const PEEK_INDEX: usize = 11;
    pub const GRANT_READY: usize = 12;
    pub const WORDS: usize = 13;
}

/// First words of the outputs slice, as `congruent_ports::Layout` orders them.
pub mod output {
    #![allow(missing_docs)] // the names are the ports'
    pub const GRANT: usize = 0;
    pub const UPD: usize = 4;
    pub const EVICT: usize = 8;
    pub const LOG: usize = 11;
    pub const DECAY: usize = 14;
    pub const RELEASE: usize = 18;
    pub const PEEKED: usize = 20;
    pub const ERR: usize = 29;
    pub const BECN_READY: usize = 33;
    pub const HEAD_READY: usize = 34;
    pub const PEEK_READY: usize = 35;
    pub const INIT_DONE: usize = 36;
    pub const STALLED: usize = 37;
    pub const STAT_BECNS: usize = 38;
    pub const STAT_EVICTIONS: usize = 39;
    pub const STAT_RANGE: usize = 40;
    pub const STAT_ZERO_LENGTH: usize = 41;
    pub const WORDS: usize = 42;
}

/// A grant on its way to its beat.
#[derive(Debug, Clone, Copy)]
struct Grant {
    queue: u64,
    dlid: u64,
    wait: u64,
}

/// What a BECN leaves on its way to `upd`, `evict`, `log` and `stat_becns`.
#[derive(Debug, Clone, Copy)]
enum BecnNote {
    NoEntry,
    Entry { index: u64, dlid: u64, ccti: u64, logs: bool, evicted: Option<Evicted> },
}

#[derive(Debug, Clone, Copy)]
struct DecayNote {
    index: u64,
    dlid: u64,
    ccti: u64,
}

#[derive(Debug, Clone, Copy)]
struct Peeked {
    index: u64,
    entry: Option<Entry>,
}

#[derive(Debug, Clone, Copy)]
struct Refusal {
    code: u64,
    dlid: u64,
}

/// What is due in one cycle.
#[derive(Debug, Clone, Copy, Default)]
struct Due {
    grant: Option<Grant>,
    becn: Option<BecnNote>,
    decay: Option<DecayNote>,
    peeked: Option<Peeked>,
    err: Option<Refusal>,
    /// A queue that gets a place back in this cycle.
    place: Option<u32>,
    /// A row of the CCT that counts from this cycle on.
    row: Option<(usize, Row)>,
    stalled: u64,
}

/// Saturating counters, as the `stat_*` outputs show them.
#[derive(Debug, Default)]
struct Stats {
    becns: u64,
    evictions: u64,
    range: u64,
    zero_length: u64,
}

impl Stats {
    fn error(&mut self, code: u64) {
        match code {
            error::RANGE => count(&mut self.range),
            error::ZERO_LENGTH => count(&mut self.zero_length),
            _ => {}
        }
    }
}

/// A grant that was decided in this cycle and whose effects come last in it.
#[derive(Debug, Clone, Copy)]
struct Landing {
    entry: Handle,
    gap: u64,
}

/// The golden model.
#[derive(Debug)]
pub struct Model {
    cfg: Cfg,
    figures: Figures,
    time_init: u64,
    table: Table,
    /// By entry: the cycle from which the last grant to it no longer holds it.
    hold_over: Vec<u64>,
    rows: Vec<Row>,
    queues: Queues,
    cycle: u64,
    now: u64,
    /// The entry that the sweep visits next, and in how many cycles.
    sweep: usize,
    visit_in: u64,
    becn_ready_from: u64,
    peek_ready_from: u64,
    grant_from: u64,
    agenda: Agenda<Due>,
    stats: Stats,
    coverage: Coverage,
}

impl Model {
    /// A model in cycle 0.
    ///
    /// # Errors
    /// Attributes and parameters that do not fit together.
    pub fn new(attributes: &AttributeSet, params: &ParamSet) -> Result<Self, AttributeError> {
        let cfg = super::cfg::configure(attributes, params)?;
        let figures = Figures::of(params);
        let entries = params.get("ENTRIES") as usize;
        let mut model = Self {
            figures,
            time_init: params.get("TIME_INIT") as u64 & cfg.time.mask(),
            table: Table::new(entries),
            hold_over: vec![0; entries],
            rows: vec![Row::default(); 1 << params.get("CCTI_W")],
            queues: Queues::new(params.get("QUEUES") as usize),
            cycle: 0,
            now: 0,
            sweep: 0,
            visit_in: 0,
            becn_ready_from: 0,
            peek_ready_from: 0,
            grant_from: 0,
            agenda: Agenda::new(figures.longest()),
            stats: Stats::default(),
            coverage: Coverage::new(&cfg, attributes, params),
            cfg,
        };
        model.reset();
        Ok(model)
    }

    /// The table, as of the start of this cycle: random legs aim at it.
    pub(super) fn table(&self) -> &Table {
        &self.table
    }

    /// Whether a BECN is taken in this cycle.
    pub(super) fn takes_becn(&self) -> bool {
        self.cycle >= self.becn_ready_from
    }

    /// The entry whose period the sweep ends in this cycle.
    pub(super) fn about_to_serve(&self) -> Option<&Entry> {
        let entry = self.table.entry(self.sweep);
        (self.visit_in == 0 && core::due(&self.cfg, entry, self.now)).then_some(entry)
    }

    /// Whether an entry's period is over, its decay still to come.
    pub(super) fn overdue(&self, index: usize) -> bool {
        core::due(&self.cfg, self.table.entry(index), self.now)
    }

    /// Decides this cycle's grant on the state at its start; also says which heads are stalled.
    #[inline]
    fn decide(&mut self, grant_ready: bool) -> Option<Landing> {
        let Self { cfg, table, queues, hold_over, cycle, now, .. } = self;
        if queues.heads() == 0 {
            self.agenda.at(*cycle + self.figures.stalled_latency).stalled = 0;
            return None;
        }
        let (eligible, stalled) = queues.sort(*cycle, table, |table, entry| {
            let paced = core::cycles_to_send_time(cfg, table.entry(entry.index), *now);
            paced.max(hold_over[entry.index].saturating_sub(*cycle))
        });
        self.agenda.at(self.cycle + self.figures.stalled_latency).stalled = stalled;
        self.coverage.eligible(eligible, grant_ready);
        if eligible == 0 || !grant_ready || self.cycle < self.grant_from {
            return None;
        }
        let queue = core::arbitrate(eligible, self.queues.first());
        let head = self.queues.grant(queue, self.cycle);
        self.grant_from = self.cycle + self.figures.grant_interval;
        let beat = Grant { queue: u64::from(queue), dlid: head.dlid, wait: head.wait };
        put(&mut self.agenda.at(self.cycle + self.figures.grant_latency).grant, beat);
        put(&mut self.agenda.at(self.cycle + self.figures.head_release).place, queue);
        let entry = head.entry?;
        let before = self.table.entry(entry.index);
        let row = self.rows[before.ccti as usize];
        let gap = core::gap(&self.cfg, head.bytes, row);
        self.coverage.grant(&self.cfg, self.cycle, self.now, &head, before, row, gap, &self.queues);
        Some(Landing { entry, gap })
    }

    /// The sweep's visit, if one falls into this cycle.
    #[inline]
    fn visit(&mut self) -> Option<Served> {
        if self.visit_in > 0 {
            self.visit_in -= 1;
            return None;
        }
        self.visit_in = self.figures.sweep_interval - 1;
        let index = self.sweep;
        self.sweep = if index + 1 == self.table.len() { 0 } else { index + 1 };
        if !self.table.entry(index).valid {
            return None;
        }
        if self.cycle >= self.hold_over[index] {
            self.table.expire(&self.cfg, index, self.now);
        }
        if !core::due(&self.cfg, self.table.entry(index), self.now) {
            return None;
        }
        let (before, decay) = self.table.decay(&self.cfg, index);
        let served = Served { index, dlid: before.dlid, decay };
        self.coverage.served(&self.cfg, &served, &self.queues);
        if decay.changed {
            let note = DecayNote { index: index as u64, dlid: before.dlid, ccti: decay.ccti };
            put(&mut self.agenda.at(self.cycle + self.figures.decay_latency).decay, note);
        }
        Some(served)
    }

    fn becn(&mut self, dlid: u64, served: Option<Served>) {
        self.becn_ready_from = self.cycle + self.figures.becn_interval;
        let becn = self.table.becn(&self.cfg, dlid, self.now);
        let (cfg, full) = (&self.cfg, self.table.is_full());
        self.coverage.becn(cfg, self.cycle, dlid, becn.as_ref(), served, full);
        let note = match becn {
            None => BecnNote::NoEntry,
            Some(Becn { index, hit, ccti, evicted, .. }) => {
                if !hit {
                    self.hold_over[index] = 0;
                }
                if let Some(evicted) = &evicted {
                    self.coverage.evicted(evicted, &self.queues);
                }
                BecnNote::Entry {
                    index: index as u64,
                    dlid,
                    ccti,
                    logs: core::logs(&self.cfg, ccti),
                    evicted,
                }
            }
        };
        put(&mut self.agenda.at(self.cycle + self.figures.upd_latency).becn, note);
    }

    /// The effects of this cycle's grant.
    fn land(&mut self, Landing { entry, gap }: Landing) {
        let lives = self.table.lives(entry);
        self.coverage.landing(entry, lives, &self.table);
        if lives {
            self.table.grant(&self.cfg, entry, self.now, gap);
            self.hold_over[entry.index] = self.cycle + self.figures.grant_hold;
        }
    }

    #[inline]
    fn head(&mut self, queue: u64, dlid: u64, bytes: u64) {
        let code = if queue >= self.queues.len() as u64 {
            error::RANGE
        } else if !self.queues.ready(queue as u32) {
            return;
        } else if bytes == 0 {
            error::ZERO_LENGTH
        } else {
            self.queues.push(queue as u32, dlid, bytes, self.cycle + self.figures.head_delay);
            return;
        };
        self.coverage.refused(code);
        put(&mut self.agenda.at(self.cycle + self.figures.err_latency).err, Refusal { code, dlid });
    }

    fn peek(&mut self, index: u64) {
        let entry = self.table.entries().get(index as usize).copied();
        if entry.is_none() {
            self.coverage.index_out_of_range();
        }
        let slot = self.agenda.at(self.cycle + self.figures.peek_latency);
        put(&mut slot.peeked, Peeked { index, entry });
        self.peek_ready_from = self.cycle + self.figures.peek_interval;
    }

    /// What is due in this cycle shows, or takes effect.
    #[inline]
    fn emit(&mut self, out: &mut [u64]) {
        let due = self.agenda.at(self.cycle);
        out[output::GRANT] = u64::from(due.grant.is_some());
        if let Some(Grant { queue, dlid, wait }) = &due.grant {
            out[output::GRANT + 1..output::GRANT + 4].copy_from_slice(&[*queue, *dlid, *wait]);
            due.grant = None;
        }
        for channel in [output::UPD, output::EVICT, output::LOG] {
            out[channel] = 0;
        }
        if let Some(note) = &due.becn {
            count(&mut self.stats.becns);
            if let BecnNote::Entry { index, dlid, ccti, logs, evicted } = note {
                out[output::UPD..output::UPD + 4].copy_from_slice(&[1, *index, *dlid, *ccti]);
                if let Some(Evicted { dlid, ccti }) = evicted {
                    out[output::EVICT..output::EVICT + 3].copy_from_slice(&[1, *dlid, *ccti]);
                    count(&mut self.stats.evictions);
                }
                if *logs {
                    out[output::LOG..output::LOG + 3].copy_from_slice(&[1, *dlid, *ccti]);
                }
            }
            due.becn = None;
        }
        out[output::DECAY] = 0;
        out[output::RELEASE] = 0;
        if let Some(DecayNote { index, dlid, ccti }) = &due.decay {
            out[output::DECAY..output::DECAY + 4].copy_from_slice(&[1, *index, *dlid, *ccti]);
            if *ccti == 0 {
                out[output::RELEASE..output::RELEASE + 2].copy_from_slice(&[1, *dlid]);
            }
            due.decay = None;
        }
        out[output::PEEKED] = u64::from(due.peeked.is_some());
        if let Some(Peeked { index, entry }) = &due.peeked {
            let fields = peeked_fields(*index, entry.as_ref());
            self.stats.error(fields[7]);
            out[output::PEEKED + 1..output::PEEKED + 9].copy_from_slice(&fields);
            due.peeked = None;
        }
        out[output::ERR] = 0;
        if let Some(Refusal { code, dlid }) = due.err {
            out[output::ERR..output::ERR + 4].copy_from_slice(&[1, 0, code, dlid]);
            self.stats.error(code);
            due.err = None;
        }
        if let Some(queue) = due.place {
            self.queues.release_place(queue);
            due.place = None;
        }
        if let Some((index, row)) = due.row {
            self.rows[index] = row;
            due.row = None;
        }
        out[output::STALLED] = due.stalled;
        out[output::BECN_READY] = u64::from(self.cycle >= self.becn_ready_from);
        out[output::HEAD_READY] = self.queues.ready_bits();
        out[output::PEEK_READY] = u64::from(self.cycle >= self.peek_ready_from);
        out[output::INIT_DONE] = 1;
        out[output::STAT_BECNS] = self.stats.becns;
        out[output::STAT_EVICTIONS] = self.stats.evictions;
        out[output::STAT_RANGE] = self.stats.range;
        out[output::STAT_ZERO_LENGTH] = self.stats.zero_length;
    }
}

/// Something comes to be due; there is at most one of its kind in a cycle.
#[inline]
fn put<T>(slot: &mut Option<T>, item: T) {
    debug_assert!(slot.is_none(), "two of a kind due in one cycle");
    *slot = Some(item);
}

/// The fields of a `peeked` beat, in table order; no entry: the index is outside the table.
pub fn peeked_fields(index: u64, entry: Option<&Entry>) -> [u64; 8] {
    let Some(entry) = entry else { return [index, 0, 0, 0, 0, 0, 0, error::RANGE] };
    [
        index,
        u64::from(entry.valid),
        entry.dlid,
        entry.ccti,
        entry.deadline,
        u64::from(entry.held),
        entry.next_send,
        error::NONE,
    ]
}

impl Golden for Model {
    fn reset(&mut self) {
        self.table.reset();
        self.hold_over.fill(0);
        for (index, row) in self.rows.iter_mut().enumerate() {
            *row = Row::linear(index as u64);
        }
        self.queues.reset();
        self.cycle = 0;
        self.now = self.time_init;
        self.sweep = 0;
        self.visit_in = 0;
        self.becn_ready_from = 0;
        self.peek_ready_from = 0;
        self.grant_from = 0;
        self.agenda.clear();
        self.stats = Stats::default();
        self.coverage.reset();
    }

    fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) {
        // Checks both lengths once, not at every word.
        let (inputs, outputs) = (&inputs[..input::WORDS], &mut outputs[..output::WORDS]);
        self.emit(outputs);
        let landing = self.decide(inputs[input::GRANT_READY] != 0);
        let served = self.visit();
        if inputs[input::BECN_VALID] != 0 && self.cycle >= self.becn_ready_from {
            self.becn(inputs[input::BECN_DLID], served);
        }
        if let Some(landing) = landing {
            self.land(landing);
        }
        if inputs[input::HEAD_VALID] != 0 {
            let [queue, dlid, bytes] =
                [input::HEAD_QUEUE, input::HEAD_DLID, input::HEAD_BYTES].map(|word| inputs[word]);
            self.head(queue, dlid, bytes);
        }
        if inputs[input::CCT_VALID] != 0 {
            let row = Row {
                shift: inputs[input::CCT_SHIFT] as u32,
                multiplier: inputs[input::CCT_MULTIPLIER],
            };
            let slot = self.agenda.at(self.cycle + self.figures.cct_delay);
            put(&mut slot.row, (inputs[input::CCT_INDEX] as usize, row));
        }
        if inputs[input::PEEK_VALID] != 0 && self.cycle >= self.peek_ready_from {
            self.peek(inputs[input::PEEK_INDEX]);
        }
        self.coverage.end_of_cycle(&self.cfg, self.now, &self.table);
        self.cycle += 1;
        self.now = self.cfg.time.add(self.now, 1);
    }

    fn drained(&self) -> bool {
        let answer = |due: &Due| {
            due.grant.is_some() || due.becn.is_some() || due.peeked.is_some() || due.err.is_some()
        };
        // A head that is paced may wait for very long: it is no answer on its way.
        self.queues.all_stalled() && !self.agenda.slots().iter().any(answer)
    }

    fn cover(&self) -> &Cover {
        self.coverage.counts()
    }
}

#[cfg(test)]
mod tests {
    use super::{input, output};
    use congruent_ports::pacing_table::BLOCK;
    use congruent_ports::{Layout, ParamSet};

    #[test]
    fn words_are_where_the_layout_has_them() {
        let layout = Layout::new(&BLOCK, &ParamSet::defaults(&BLOCK));
        let name = |word: usize| layout.inputs[word].name.as_str();
        assert_eq!(name(input::BECN_DLID), "becn_dlid");
        assert_eq!(name(input::HEAD_BYTES), "head_bytes");
        assert_eq!(name(input::CCT_MULTIPLIER), "cct_multiplier");
        assert_eq!(name(input::PEEK_INDEX), "peek_index");
        assert_eq!(name(input::GRANT_READY), "grant_ready");
        assert_eq!(layout.inputs.len(), input::WORDS);
        let name = |word: usize| layout.outputs[word].name.as_str();
        for (word, port) in [
            (output::GRANT, "grant_valid"),
            (output::UPD, "upd_valid"),
            (output::EVICT, "evict_valid"),
            (output::LOG, "log_valid"),
            (output::DECAY, "decay_valid"),
            (output::RELEASE, "release_valid"),
            (output::PEEKED, "peeked_valid"),
            (output::PEEKED + 8, "peeked_error"),
            (output::ERR, "err_valid"),
            (output::BECN_READY, "becn_ready"),
            (output::HEAD_READY, "head_ready"),
            (output::PEEK_READY, "peek_ready"),
            (output::STALLED, "stalled"),
            (output::STAT_ZERO_LENGTH, "stat_zero_length"),
        ] {
            assert_eq!(name(word), port);
        }
        assert_eq!(layout.outputs.len(), output::WORDS);
    }
}
