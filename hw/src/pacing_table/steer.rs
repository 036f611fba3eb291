//! `steered` comparison of `pacing_table`: the DUT's own beats say when its sweep ended a period and
//! when it granted a packet, the core says whether that was allowed then and what it did.
//!
//! The DUT declares its own figures by their names in the table; its sweep, its way of keeping the
//! order of use and its arbiter are its own. A cycle is judged once every beat that it causes can
//! have come out. What is not compared: which of several eligible heads goes first (no head may
//! starve), and where `next_send` and deadline stand once they are over.

use super::core::{self, Cfg, Row};
use super::coverage::{Coverage, Served};
use super::model::{input, output, peeked_fields};
use super::queues::Queues;
use super::table::{Becn, Handle, Table};
use super::timing::Figures;
use crate::Cover;
use crate::attributes::{AttributeError, AttributeSet};
use crate::rules::Rules;
use crate::stats::STAT_MOST;
use crate::steered::{Beat, Fault, Judge, Steered};
use crate::unit::DutTiming;
use congruent_ports::pacing_table::BLOCK;
use congruent_ports::{ParamSet, error};
use std::collections::VecDeque;

/// Output channels by position in the table's outputs.
const GRANT: usize = 0;
const UPD: usize = 1;
const EVICT: usize = 2;
const LOG: usize = 3;
const DECAY: usize = 4;
const RELEASE: usize = 5;
const PEEKED: usize = 6;
const ERR: usize = 7;

/// Where an output channel's words begin.
const FIRST: [usize; 8] = [
    output::GRANT,
    output::UPD,
    output::EVICT,
    output::LOG,
    output::DECAY,
    output::RELEASE,
    output::PEEKED,
    output::ERR,
];

/// Fields of `peeked`.
const DEADLINE: usize = 4;
const HELD: usize = 5;
const NEXT_SEND: usize = 6;

/// A period that is over without effect, for ccti is at its minimum: nobody sees when the sweep
/// serves it. Once a BECN raises ccti it matters: served before, the next period runs; not yet, a
/// decay is still to come.
#[derive(Debug, Clone, Copy)]
struct Unseen {
    /// The deadline if it was served before.
    served: u64,
}

/// The core under a DUT's own timing.
#[derive(Debug)]
pub struct SteeredModel {
    cfg: Cfg,
    /// One an output channel.
    judges: [Judge; 8],
    rules: Rules,
    figures: Figures,
    /// A head may be eligible for so many cycles with grant_ready before it goes.
    patience: u64,
    table: Table,
    hold_over: Vec<u64>,
    /// The last `next_send` of each entry, forgotten or not.
    last_next_send: Vec<u64>,
    unseen: Vec<Option<Unseen>>,
    rows: Vec<Row>,
    new_rows: VecDeque<(u64, usize, Row)>,
    queues: Queues,
    /// By queue: cycles in which its head could have gone.
    passed_over: Vec<u64>,
    grant_from: u64,
    /// Rows that are not judged yet, the oldest first.
    inputs: VecDeque<[u64; input::WORDS]>,
    outputs: VecDeque<[u64; output::WORDS]>,
    /// Rows seen, and the cycle that is judged next.
    seen: u64,
    judged: u64,
    time_init: u64,
    /// stat_becns, stat_evictions, stat_range, stat_zero_length.
    stats: [u64; 4],
    coverage: Coverage,
}

impl SteeredModel {
    /// A model in cycle 0.
    ///
    /// # Errors
    /// Attributes and parameters that do not fit together.
    pub fn new(
        attributes: &AttributeSet,
        params: &ParamSet,
        timing: &DutTiming,
    ) -> Result<Self, AttributeError> {
        let cfg = super::cfg::configure(attributes, params)?;
        let figures = Figures::new(params, |name| timing.cycles(name));
        let entries = params.get("ENTRIES") as usize;
        let queues = params.get("QUEUES") as usize;
        Ok(Self {
            judges: std::array::from_fn(|channel| Judge::new(&BLOCK, channel, timing.rules())),
            rules: timing.rules().clone(),
            patience: queues as u64 * figures.grant_interval + figures.pipeline,
            figures,
            table: Table::new(entries),
            hold_over: vec![0; entries],
            last_next_send: vec![0; entries],
            unseen: vec![None; entries],
            rows: (0..1 << params.get("CCTI_W")).map(Row::linear).collect(),
            new_rows: VecDeque::new(),
            queues: Queues::new(queues),
            passed_over: vec![0; queues],
            grant_from: 0,
            inputs: VecDeque::new(),
            outputs: VecDeque::new(),
            seen: 0,
            judged: 0,
            time_init: params.get("TIME_INIT") as u64 & cfg.time.mask(),
            stats: [0; 4],
            coverage: Coverage::new(&cfg, attributes, params),
            cfg,
        })
    }

    fn now(&self, cycle: u64) -> u64 {
        (self.time_init + cycle) & self.cfg.time.mask()
    }

    /// What the DUT showed on a channel `latency` cycles after the cycle that is judged.
    fn shown(&self, channel: usize, latency: u64) -> Option<Beat> {
        let row = self.outputs.get(latency as usize)?;
        let first = FIRST[channel];
        let fields = self.judges[channel].table().fields.len();
        (row[first] != 0).then(|| Beat {
            cycle: self.judged + latency,
            fields: row[first + 1..first + 1 + fields].to_vec(),
        })
    }

    /// Compares what the DUT showed with what the core expects; `event` names what caused it.
    fn expect(
        &self,
        channel: usize,
        latency: u64,
        expected: Option<&[u64]>,
        event: &str,
    ) -> Result<(), Box<Fault>> {
        let judge = &self.judges[channel];
        let table = judge.table();
        if !judge.is_shown() {
            return Ok(());
        }
        match (expected, self.shown(channel, latency)) {
            (None, None) => Ok(()),
            (Some(fields), Some(got)) => judge.compare(fields, &got),
            (None, Some(got)) => {
                let message = format!(
                    "a beat of {} for {event} of cycle {}, which gives none",
                    table.name, self.judged
                );
                Err(Fault::of(channel, &got, None, got.context(table), message))
            }
            (Some(fields), None) => {
                let beat = Beat { cycle: self.judged + latency, fields: fields.to_vec() };
                let message =
                    format!("no beat of {} for {event} of cycle {}", table.name, self.judged);
                Err(Fault::of(channel, &beat, None, beat.context(table), message))
            }
        }
    }

    fn judge(&mut self) -> Result<(), Box<Fault>> {
        let Some(row) = self.inputs.pop_front() else { return Ok(()) };
        let cycle = self.judged;
        let now = self.now(cycle);
        while let Some((_, index, row)) = self.new_rows.pop_front_if(|new| new.0 <= cycle) {
            self.rows[index] = row;
        }
        let landing = self.granted(cycle, now, row[input::GRANT_READY] != 0)?;
        let served = self.served(now)?;
        self.becn(
            cycle,
            now,
            (row[input::BECN_VALID] != 0).then_some(row[input::BECN_DLID]),
            served,
        )?;
        if let Some((entry, gap)) = landing {
            let lives = self.table.lives(entry);
            self.coverage.landing(entry, lives, &self.table);
            if lives {
                self.table.grant(&self.cfg, entry, now, gap);
                self.hold_over[entry.index] = cycle + self.figures.grant_hold;
                self.last_next_send[entry.index] = self.table.entry(entry.index).next_send;
            }
        }
        self.head(cycle, &row)?;
        if row[input::CCT_VALID] != 0 {
            let new =
                Row { shift: row[input::CCT_SHIFT] as u32, multiplier: row[input::CCT_MULTIPLIER] };
            let index = row[input::CCT_INDEX] as usize;
            self.new_rows.push_back((cycle + self.figures.cct_delay, index, new));
        }
        self.peeked(now, (row[input::PEEK_VALID] != 0).then_some(row[input::PEEK_INDEX]))?;
        self.coverage.end_of_cycle(&self.cfg, now, &self.table);
        self.scan(cycle, now)?;
        self.outputs.pop_front();
        self.judged += 1;
        Ok(())
    }

    /// The grant that was decided in this cycle, if any: its head must have been eligible.
    fn granted(
        &mut self,
        cycle: u64,
        now: u64,
        grant_ready: bool,
    ) -> Result<Option<(Handle, u64)>, Box<Fault>> {
        let Self { cfg, table, queues, hold_over, .. } = self;
        let (eligible, stalled) = queues.sort(cycle, table, |table, entry| {
            let paced = core::cycles_to_send_time(cfg, table.entry(entry.index), now);
            paced.max(hold_over[entry.index].saturating_sub(cycle))
        });
        self.coverage.eligible(eligible, grant_ready);
        let shown = self.outputs.get(self.figures.stalled_latency as usize);
        let got = shown.map_or(stalled, |row| row[output::STALLED]);
        if !self.rules.holds(output::STALLED, stalled, got) {
            let message =
                format!("stalled shows {got:#b} for cycle {cycle}, the core says {stalled:#b}");
            let beat = Beat { cycle: cycle + self.figures.stalled_latency, fields: vec![] };
            let mut fault = Fault::of(GRANT, &beat, None, None, message);
            (fault.expected, fault.got) = (Some(stalled), Some(got));
            return Err(fault);
        }
        let Some(beat) = self.shown(GRANT, self.figures.grant_latency) else {
            return self.pass_over(cycle, if grant_ready { eligible } else { 0 }).map(|()| None);
        };
        let refuse = |field, message| Err(Fault::of(GRANT, &beat, field, None, message));
        let queue = beat.fields[0];
        if queue >= self.queues.len() as u64 {
            return refuse(Some(0), format!("a grant to queue {queue}: there is none"));
        }
        if !grant_ready {
            return refuse(None, format!("a grant in cycle {cycle}, in which grant_ready is low"));
        }
        if cycle < self.grant_from {
            let interval = self.figures.grant_interval;
            return refuse(None, format!("a grant less than {interval} cycles after the last one"));
        }
        if (eligible >> queue) & 1 == 0 {
            let what = if (stalled >> queue) & 1 != 0 { "is paced" } else { "has no packet" };
            return refuse(
                Some(0),
                format!("a grant to queue {queue}, whose head {what} in cycle {cycle}"),
            );
        }
        let _ = self.pass_over(cycle, eligible & !(1 << queue));
        let head = self.queues.grant(queue as u32, cycle);
        self.passed_over[queue as usize] = 0;
        self.grant_from = cycle + self.figures.grant_interval;
        self.judges[GRANT].compare(&[queue, head.dlid, head.wait], &beat)?;
        let Some(entry) = head.entry else { return Ok(None) };
        let before = self.table.entry(entry.index);
        let row = self.rows[before.ccti as usize];
        let gap = core::gap(&self.cfg, head.bytes, row);
        self.coverage.grant(&self.cfg, cycle, now, &head, before, row, gap, &self.queues);
        Ok(Some((entry, gap)))
    }

    /// Heads that could have gone in this cycle and did not.
    fn pass_over(&mut self, cycle: u64, eligible: u64) -> Result<(), Box<Fault>> {
        let mut left = eligible;
        while left != 0 {
            let queue = left.trailing_zeros() as usize;
            left &= left - 1;
            self.passed_over[queue] += 1;
            if self.passed_over[queue] > self.patience {
                let message = format!(
                    "the head of queue {queue} could have gone in {} cycles up to {cycle} and did not",
                    self.passed_over[queue]
                );
                let beat = Beat { cycle, fields: vec![] };
                return Err(Fault::of(GRANT, &beat, None, None, message));
            }
        }
        Ok(())
    }

    /// The DUT's sweep ended a period in this cycle, if it shows a decay.
    fn served(&mut self, now: u64) -> Result<Option<Served>, Box<Fault>> {
        let latency = self.figures.decay_latency;
        let Some(beat) = self.shown(DECAY, latency) else {
            self.expect(RELEASE, latency, None, "the sweep")?;
            return Ok(None);
        };
        let index = beat.fields[0];
        let refuse = |message| Err(Fault::of(DECAY, &beat, None, Some(index), message));
        if index >= self.table.len() as u64 {
            return refuse(format!("a decay of entry {index}, outside the table"));
        }
        let at = index as usize;
        self.settle(at, now);
        let entry = *self.table.entry(at);
        if !entry.valid {
            return refuse(format!("a decay of entry {index}, which tracks nothing"));
        }
        if !core::due(&self.cfg, &entry, now) {
            let early = self.cfg.time.sub(entry.deadline, now);
            return refuse(format!("a decay of entry {index}, {early} cycles early"));
        }
        let (late, most) = (self.cfg.time.sub(now, entry.deadline), self.figures.lateness());
        if late > most {
            return refuse(format!(
                "a decay of entry {index}, {late} cycles late, at most {most} are allowed"
            ));
        }
        if entry.ccti == self.cfg.min {
            return refuse(format!("a decay of entry {index}, whose ccti is CCTI_Min"));
        }
        self.unseen[at] = None;
        let (before, decay) = self.table.decay(&self.cfg, at);
        self.judges[DECAY].compare(&[index, before.dlid, decay.ccti], &beat)?;
        let released = decay.released.then_some([before.dlid]);
        self.expect(RELEASE, latency, released.as_ref().map(|r| &r[..]), "the decay")?;
        let served = Served { index: at, dlid: before.dlid, decay };
        self.coverage.served(&self.cfg, &served, &self.queues);
        Ok(Some(served))
    }

    /// A period of an entry that is over by more than the sweep may be late, and had no effect to be
    /// seen, was served.
    fn settle(&mut self, index: usize, now: u64) {
        let entry = *self.table.entry(index);
        if !core::due(&self.cfg, &entry, now)
            || self.cfg.time.sub(now, entry.deadline) <= self.figures.lateness()
        {
            return;
        }
        if let Some(Unseen { served }) = self.unseen[index].take() {
            self.table.set_deadline(index, served);
        } else if entry.ccti == self.cfg.min {
            self.table.decay(&self.cfg, index);
        }
    }

    fn becn(
        &mut self,
        cycle: u64,
        now: u64,
        dlid: Option<u64>,
        served: Option<Served>,
    ) -> Result<(), Box<Fault>> {
        let latency = self.figures.upd_latency;
        let Some(dlid) = dlid else {
            for channel in [UPD, EVICT, LOG] {
                self.expect(channel, latency, None, "no BECN")?;
            }
            return Ok(());
        };
        self.stats[0] += 1;
        let deadline = self.table.lookup(dlid).map_or(0, |handle| {
            self.settle(handle.index, now);
            self.table.entry(handle.index).deadline
        });
        let becn = self.table.becn(&self.cfg, dlid, now);
        let full = self.table.is_full();
        self.coverage.becn(&self.cfg, cycle, dlid, becn.as_ref(), served, full);
        let Some(Becn { index, hit, ccti, before, over, evicted }) = becn else {
            for channel in [UPD, EVICT, LOG] {
                self.expect(channel, latency, None, "a BECN")?;
            }
            return Ok(());
        };
        if hit && over && ccti != before {
            self.unseen_period(index, now, deadline, before);
        } else if !hit {
            self.hold_over[index] = 0;
            self.unseen[index] = None;
        }
        let gone = evicted.as_ref().map(|entry| [entry.dlid, entry.ccti]);
        self.expect(EVICT, latency, gone.as_ref().map(|g| &g[..]), "the BECN")?;
        if let Some(evicted) = &evicted {
            self.stats[1] += 1;
            self.coverage.evicted(evicted, &self.queues);
        }
        self.expect(UPD, latency, Some(&[index as u64, dlid, ccti]), "the BECN")?;
        let log = core::logs(&self.cfg, ccti).then_some([dlid, ccti]);
        self.expect(LOG, latency, log.as_ref().map(|l| &l[..]), "the BECN")
    }

    /// A BECN raised ccti (`before`) after the end of a period that may or may not have been served.
    fn unseen_period(&mut self, index: usize, now: u64, deadline: u64, before: u64) {
        let restarted = self.cfg.time.add(now, self.cfg.period);
        if let Some(unseen) = &mut self.unseen[index] {
            if self.cfg.rearm {
                unseen.served = restarted;
            }
        } else if before == self.cfg.min {
            let next = self.cfg.time.add(deadline, self.cfg.period);
            let served = if self.cfg.rearm { restarted } else { next };
            self.unseen[index] = Some(Unseen { served });
        }
    }

    fn head(&mut self, cycle: u64, row: &[u64; input::WORDS]) -> Result<(), Box<Fault>> {
        let [valid, queue, dlid, bytes] =
            [input::HEAD_VALID, input::HEAD_QUEUE, input::HEAD_DLID, input::HEAD_BYTES]
                .map(|word| row[word]);
        let mut code = error::NONE;
        if valid != 0 && queue >= self.queues.len() as u64 {
            code = error::RANGE;
            self.stats[2] += 1;
        } else if valid != 0 && bytes == 0 {
            code = error::ZERO_LENGTH;
            self.stats[3] += 1;
        } else if valid != 0 {
            if self.queues.is_full(queue as u32) {
                let message =
                    format!("head_ready is high for queue {queue}, in which two packets wait");
                let beat = Beat { cycle, fields: vec![] };
                return Err(Fault::of(GRANT, &beat, None, None, message));
            }
            self.queues.push(queue as u32, dlid, bytes, cycle + self.figures.head_delay);
        }
        let refused = code != error::NONE;
        if refused {
            self.coverage.refused(code);
        }
        let fields = [0, code, dlid];
        self.expect(ERR, self.figures.err_latency, refused.then_some(&fields[..]), "the head")
    }

    fn peeked(&mut self, now: u64, index: Option<u64>) -> Result<(), Box<Fault>> {
        let latency = self.figures.peek_latency;
        let Some(index) = index else {
            return self.expect(PEEKED, latency, None, "no peek");
        };
        let at = index as usize;
        let Some(entry) = self.table.entries().get(at).copied() else {
            self.stats[2] += 1;
            self.coverage.index_out_of_range();
            return self.expect(PEEKED, latency, Some(&peeked_fields(index, None)), "the peek");
        };
        let mut forgotten = entry;
        core::expire(&self.cfg, &mut forgotten, now);
        let mut fields = peeked_fields(index, Some(&forgotten));
        if let Some(got) = self.shown(PEEKED, latency) {
            // Whether what is over is still there depends on when the sweep passed.
            let last = self.last_next_send[at];
            let judge = &self.judges[PEEKED];
            let shows = |field, value| judge.holds(field, value, got.fields[field]);
            if entry.valid && !forgotten.held && shows(HELD, 1) && shows(NEXT_SEND, last) {
                (fields[HELD], fields[NEXT_SEND]) = (1, last);
            }
            let other = match self.unseen[at] {
                Some(unseen) => Some(unseen.served),
                None => Some(self.cfg.time.add(entry.deadline, self.cfg.period)),
            };
            let over = core::due(&self.cfg, &entry, now);
            let open = over && (self.unseen[at].is_some() || entry.ccti == self.cfg.min);
            if let Some(other) = other.filter(|other| open && shows(DEADLINE, *other)) {
                fields[DEADLINE] = other;
            }
        }
        self.expect(PEEKED, latency, Some(&fields), "the peek")
    }

    /// Looks at one entry a cycle: a decay that does not come, a `next_send` that would be half a
    /// wrap old.
    fn scan(&mut self, cycle: u64, now: u64) -> Result<(), Box<Fault>> {
        let at = (cycle % self.table.len() as u64) as usize;
        self.table.expire(&self.cfg, at, now);
        self.settle(at, now);
        let entry = self.table.entry(at);
        let (late, most) = (self.cfg.time.sub(now, entry.deadline), self.figures.lateness());
        if core::due(&self.cfg, entry, now) && late > most {
            let message = format!(
                "entry {at}: a decay has been due for {late} cycles, at most {most} are allowed"
            );
            let beat = Beat { cycle, fields: vec![] };
            return Err(Fault::of(DECAY, &beat, None, Some(at as u64), message));
        }
        Ok(())
    }
}

impl Steered for SteeredModel {
    fn step(&mut self, inputs: &[u64], outputs: &[u64]) -> Result<(), Box<Fault>> {
        let (mut input, mut output) = ([0; input::WORDS], [0; output::WORDS]);
        input.copy_from_slice(&inputs[..input::WORDS]);
        output.copy_from_slice(&outputs[..output::WORDS]);
        if self.seen < self.figures.longest() {
            self.too_early(&output)?;
        }
        self.inputs.push_back(input);
        self.outputs.push_back(output);
        self.seen += 1;
        if self.seen > self.figures.longest() { self.judge() } else { Ok(()) }
    }

    fn finish(&mut self) -> Result<(), Box<Fault>> {
        let names = [
            ("stat_becns", output::STAT_BECNS),
            ("stat_evictions", output::STAT_EVICTIONS),
            ("stat_range", output::STAT_RANGE),
            ("stat_zero_length", output::STAT_ZERO_LENGTH),
        ];
        let Some(last) = self.outputs.back() else { return Ok(()) };
        for ((name, word), count) in names.into_iter().zip(self.stats) {
            let expected = count.min(STAT_MOST);
            if !self.rules.holds(word, expected, last[word]) {
                return Err(Fault::of_level(ERR, self.seen, name, expected, last[word]));
            }
        }
        Ok(())
    }

    fn cover(&self) -> &Cover {
        self.coverage.counts()
    }

    fn state(&self, context: u64) -> Option<Vec<u64>> {
        let entry = self.table.entries().get(usize::try_from(context).ok()?)?;
        Some(peeked_fields(context, Some(entry)).to_vec())
    }
}

impl SteeredModel {
    /// A beat in the first cycles, before any event can have caused it.
    fn too_early(&self, row: &[u64; output::WORDS]) -> Result<(), Box<Fault>> {
        let figures = &self.figures;
        let latencies = [
            figures.grant_latency,
            figures.upd_latency,
            figures.upd_latency,
            figures.upd_latency,
            figures.decay_latency,
            figures.decay_latency,
            figures.peek_latency,
            figures.err_latency,
        ];
        for (channel, latency) in latencies.into_iter().enumerate() {
            if self.seen < latency && row[FIRST[channel]] != 0 {
                let table = self.judges[channel].table();
                let fields = row[FIRST[channel] + 1..][..table.fields.len()].to_vec();
                let beat = Beat { cycle: self.seen, fields };
                let message = format!("a beat of {} before any event", table.name);
                return Err(Fault::of(channel, &beat, None, None, message));
            }
        }
        Ok(())
    }
}
