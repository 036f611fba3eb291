//! `steered` comparison of the reaction point: the DUT's `upd` beats say when its sweep ran something
//! of a queue pair, the core says what that was.
//!
//! The DUT declares its own latencies and rate_delay, by their names in the table; its sweep order is
//! its own. A CNP's `upd` has the slot of its cycle or the first after the beats before it; a visit's
//! first `upd` has the slot of the visit, so its other beats follow it. A cycle is judged once all
//! that can come of it has come out.

use super::core::{self, Reaction};
use super::coverage::Coverage;
use super::model::peeked_fields;
use super::visit;
use crate::Cover;
use crate::attributes::{AttributeError, AttributeSet};
use crate::in_order::AnswerQueue;
use crate::rate_limiter::core::{Cfg, Pace, Upd, byte_time, expire};
use crate::rate_limiter::model::{PEEKED_FIELDS, input, output};
use crate::rate_limiter::steer::{CHANNELS, ERR, PEEKED, RSP, UPD, whether_expired};
use crate::rules::Rules;
use crate::stats::STAT_MOST;
use crate::steered::{Beat, Due, Fault, Steered};
use crate::unit::DutTiming;
use congruent_ports::rate_limiter::BLOCK;
use congruent_ports::{ParamSet, error};
use std::collections::VecDeque;

/// A beat waits for at most so many before it.
const MOST_QUEUED: u64 = 2;

/// A queue pair.
#[derive(Debug, Clone)]
struct Context {
    state: Reaction,
    pace: Pace,
    /// Bytes granted, modulo 2^BYTE_W.
    total: u64,
    /// The last `next_send`, expired or not.
    last_next_send: u64,
    byte_time: u64,
    /// Since when its byte counter is due, and when the DUT last visited it.
    bytes_due_since: Option<u64>,
    last_visit: u64,
}

/// The core under a DUT's own timing.
#[derive(Debug)]
pub struct SteeredModel {
    cfg: Cfg,
    qps: u64,
    /// What is due waits so long for its visit, cycles, CNPs and peeks taken meanwhile not counted.
    lateness: u64,
    upd_latency: u64,
    rate_delay: u64,
    /// From event to answer, by output channel.
    latencies: [Due; 4],
    contexts: Vec<Context>,
    new_byte_times: VecDeque<(u64, usize, u64)>,
    /// The first slot that no `upd` beat has.
    free_slot: u64,
    /// Cycles of the CNPs and peeks that may still delay a visit.
    in_the_way: VecDeque<u64>,
    /// Cycle of the next row to come, and of the next row to judge.
    next_row: u64,
    next_judged: u64,
    inputs: VecDeque<[u64; input::WORDS]>,
    updates: VecDeque<Beat>,
    answers: [AnswerQueue; 4],
    rules: Rules,
    time_init: u64,
    stats: [u64; 3],
    last_stats: [u64; 3],
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
        let cfg = crate::rate_limiter::cfg::configure(attributes, params)?;
        let qps = params.get("QPS") as u64;
        let context = Context {
            state: Reaction::idle(&cfg),
            pace: Pace::default(),
            total: 0,
            last_next_send: 0,
            byte_time: cfg.line_byte_time,
            bytes_due_since: None,
            last_visit: 0,
        };
        let names = ["rsp_latency", "upd_latency_dcqcn", "peek_latency_dcqcn", "err_latency"];
        Ok(Self {
            qps,
            lateness: 3 * qps + timing.cycles("pipeline"),
            upd_latency: timing.cycles("upd_latency_dcqcn"),
            rate_delay: timing.cycles("rate_delay_dcqcn"),
            latencies: names.map(|name| timing.due(name)),
            contexts: vec![context; qps as usize],
            new_byte_times: VecDeque::new(),
            free_slot: 0,
            in_the_way: VecDeque::new(),
            next_row: 0,
            next_judged: 0,
            inputs: VecDeque::new(),
            updates: VecDeque::new(),
            answers: std::array::from_fn(|channel| {
                AnswerQueue::new(&BLOCK, channel, timing.rules())
            }),
            rules: timing.rules().clone(),
            time_init: params.get("TIME_INIT") as u64 & cfg.time.mask(),
            stats: [0; 3],
            last_stats: [0; 3],
            coverage: Coverage::new(&cfg, attributes, params),
            cfg,
        })
    }

    fn now(&self, cycle: u64) -> u64 {
        (self.time_init + cycle) & self.cfg.time.mask()
    }

    fn judge(&mut self, cycle: u64) -> Result<(), Box<Fault>> {
        let Some(row) = self.inputs.pop_front() else { return Ok(()) };
        let now = self.now(cycle);
        while let Some((_, at, byte_time)) =
            self.new_byte_times.pop_front_if(|(from, _, _)| *from <= cycle)
        {
            self.contexts[at].byte_time = byte_time;
        }
        let queued = self.free_slot > cycle;
        let mut granted = None;
        if row[input::REQ_VALID] != 0 {
            granted = self.request(cycle, now, row[input::REQ_QP], row[input::REQ_BYTES]);
        }
        let mut taken = None;
        if row[input::CNP_VALID] != 0 && self.cnp(cycle, now, row[input::CNP_QP])? {
            taken = Some(row[input::CNP_QP]);
        }
        if taken.is_none() {
            self.visit(cycle, now, granted)?;
        }
        if row[input::PEEK_VALID] != 0 {
            self.peek(cycle, row[input::PEEK_QP], taken, queued);
        }
        let states = self.contexts.iter().map(|c| &c.state);
        let paces = self.contexts.iter().map(|c| &c.pace);
        self.coverage.end_of_cycle(&self.cfg, now, states, paces);
        self.overdue(cycle, now)?;
        self.match_answers()
    }

    /// Returns the queue pair and bytes of a grant.
    fn request(&mut self, cycle: u64, now: u64, qp: u64, bytes: u64) -> Option<(usize, u64)> {
        let mut granted = None;
        let fields = if qp >= self.qps {
            self.coverage.common().out_of_range();
            self.stats[1] += 1;
            vec![qp, 0, 0, error::RANGE]
        } else if bytes == 0 {
            self.stats[2] += 1;
            self.coverage.common().zero_length();
            vec![qp, 0, 0, error::ZERO_LENGTH]
        } else {
            let at = qp as usize;
            let context = &mut self.contexts[at];
            let (before, total) = (context.pace, context.total);
            let Context { pace, total: new_total, byte_time, .. } = context;
            let rsp = core::request(&self.cfg, pace, new_total, now, bytes, *byte_time);
            context.last_next_send = context.pace.next_send;
            let congested = context.state.congested;
            if rsp.grant {
                granted = Some((at, bytes));
                self.coverage.granted(congested, total, context.total);
                if core::bytes_due(&self.cfg, &context.state, context.total) {
                    context.bytes_due_since.get_or_insert(cycle);
                }
            }
            let common = self.coverage.common();
            common.request(&self.cfg, cycle, now, at, bytes, &before, congested, rsp);
            vec![qp, u64::from(rsp.grant), rsp.wait, error::NONE]
        };
        self.expect(RSP, cycle, fields);
        granted
    }

    /// Whether the CNP has the slot.
    fn cnp(&mut self, cycle: u64, now: u64, qp: u64) -> Result<bool, Box<Fault>> {
        if qp >= self.qps {
            self.coverage.common().out_of_range();
            self.stats[1] += 1;
            self.expect(ERR, cycle, vec![0, error::RANGE, qp]);
            return Ok(false);
        }
        self.stats[0] += 1;
        if !self.cfg.enable_ecn {
            self.coverage.common().ignored();
            return Ok(false);
        }
        self.in_the_way.push_back(cycle);
        let at = qp as usize;
        let context = &mut self.contexts[at];
        let before = context.state;
        let due = visit::due(&self.cfg, &before, now, context.total);
        let upd = core::cnp(&self.cfg, &mut context.state, now, context.total);
        self.coverage.cnp(&self.cfg, cycle, at, &before, upd.as_ref(), due);
        if let Some(upd) = upd {
            context.bytes_due_since = None;
            self.beat(cycle, qp, &upd, true)?;
        }
        Ok(true)
    }

    /// The DUT's visit in this cycle, if its `upd` shows one.
    fn visit(
        &mut self,
        cycle: u64,
        now: u64,
        granted: Option<(usize, u64)>,
    ) -> Result<(), Box<Fault>> {
        let slot = cycle + self.upd_latency;
        if self.free_slot > cycle {
            return Ok(());
        }
        let Some(first) = self.updates.front().filter(|beat| beat.cycle <= slot).cloned() else {
            return Ok(());
        };
        let qp = first.fields[0];
        let fault = |field, message| Err(Fault::of(UPD, &first, field, Some(qp), message));
        if qp >= self.qps {
            return fault(Some(0), format!("upd of queue pair {qp}, outside the table"));
        }
        let at = qp as usize;
        let context = &self.contexts[at];
        if !visit::due(&self.cfg, &context.state, now, context.total) {
            let why = if context.state.congested {
                let left = |deadline| self.cfg.time.sub(deadline, now);
                format!(
                    "alpha is due in {} cycles, the timer in {}, and {} bytes wait",
                    left(context.state.alpha_deadline),
                    left(context.state.deadline),
                    core::waiting_bytes(&self.cfg, &context.state, context.total)
                )
            } else {
                "it is not in an episode".to_string()
            };
            return fault(
                Some(1),
                format!("a run of queue pair {qp} in cycle {cycle} that nothing calls for: {why}"),
            );
        }
        self.in_time(cycle, now, at)?;
        let bytes = granted.filter(|(of, _)| *of == at).map_or(0, |(_, bytes)| bytes);
        let context = &mut self.contexts[at];
        core::forget_cut(&self.cfg, &mut context.state, now);
        let (state, total) = (&mut context.state, context.total);
        let beats = visit::run(&self.cfg, &mut self.coverage, at, state, now, total, bytes);
        context.last_visit = cycle;
        let still_due = core::bytes_due(&self.cfg, &context.state, total);
        context.bytes_due_since = still_due.then_some(cycle);
        beats.iter().flatten().try_for_each(|upd| self.beat(cycle, qp, upd, false))
    }

    /// A beat that an event of `cycle` makes: the DUT's next one, in its slot.
    fn beat(&mut self, cycle: u64, qp: u64, upd: &Upd, of_cnp: bool) -> Result<(), Box<Fault>> {
        let slot = self.free_slot.max(cycle);
        self.free_slot = slot + 1;
        self.coverage.slot(cycle, slot, of_cnp);
        let paces = (slot + self.rate_delay, qp as usize, byte_time(&self.cfg, upd.rate));
        self.new_byte_times.push_back(paces);
        let due = slot + self.upd_latency;
        let Some(got) = self.updates.pop_front_if(|beat| beat.cycle <= due) else {
            let what = if of_cnp { "the CNP" } else { "the visit" };
            let shown = Beat { cycle: due, fields: vec![] };
            let message = format!(
                "queue pair {qp}: no upd in cycle {due} for {what} of cycle {cycle} ({:?})",
                upd.cause
            );
            return Err(Fault::of(UPD, &shown, None, Some(qp), message));
        };
        let expected = upd.fields(qp);
        if got.cycle != due {
            let message = format!(
                "an upd in cycle {}, where the next one is that of queue pair {qp} in cycle {due}",
                got.cycle
            );
            return Err(Fault::of(UPD, &got, None, Some(qp), message));
        }
        self.answers[UPD].compare(&expected, &got)
    }

    fn peek(&mut self, cycle: u64, qp: u64, cnp: Option<u64>, queued: bool) {
        self.in_the_way.push_back(cycle);
        let now = self.now(cycle);
        let mut fields = vec![qp];
        if let Some(context) = self.contexts.get(qp as usize) {
            self.coverage.peek(cnp == Some(qp), queued);
            let mut pace = context.pace;
            expire(&self.cfg, &mut pace, now);
            fields.extend(peeked_fields(&self.cfg, &context.state, &pace, now, context.total));
            fields.push(context.last_next_send);
        } else {
            self.coverage.common().out_of_range();
            self.stats[1] += 1;
            fields.extend([0; PEEKED_FIELDS - 2]);
            fields.extend([error::RANGE, 0]);
        }
        self.expect(PEEKED, cycle, fields);
    }

    /// Whether what is due of a queue pair has not waited too long: a visit comes within a round, and
    /// each CNP and peek taken meanwhile stood in its way once.
    fn in_time(&self, cycle: u64, now: u64, at: usize) -> Result<(), Box<Fault>> {
        let Context { state, bytes_due_since, last_visit, .. } = &self.contexts[at];
        let mut oldest = bytes_due_since.map_or(0, |since| cycle - since);
        if core::decay_due(&self.cfg, state, now) {
            oldest = oldest.max(self.cfg.time.sub(now, state.alpha_deadline));
        }
        if core::timer_due(&self.cfg, state, now) {
            oldest = oldest.max(self.cfg.time.sub(now, state.deadline));
        }
        // What was not run in the last visit was not due then, or one of its kind was before it.
        let late = oldest.min(cycle - last_visit);
        let since = cycle - late;
        let delays = self.in_the_way.iter().rev().take_while(|delay| **delay >= since).count();
        let most = self.lateness + delays as u64;
        if late <= most {
            return Ok(());
        }
        let message = format!(
            "queue pair {at}: a run of the loop has been due for {late} cycles, at most {most} are allowed"
        );
        let shown = Beat { cycle, fields: vec![] };
        Err(Fault::of(UPD, &shown, None, Some(at as u64), message))
    }

    /// Looks at one context a cycle: what is due and not run in time, a time that would be half a wrap
    /// old, a beat that nothing made.
    fn overdue(&mut self, cycle: u64, now: u64) -> Result<(), Box<Fault>> {
        let at = (cycle & (self.qps - 1)) as usize;
        let context = &mut self.contexts[at];
        expire(&self.cfg, &mut context.pace, now);
        core::forget_cut(&self.cfg, &mut context.state, now);
        while self.in_the_way.len() > 1 << 16 {
            self.in_the_way.pop_front();
        }
        self.in_time(cycle, now, at)?;
        match self.updates.front() {
            Some(beat) if beat.cycle <= cycle + self.upd_latency => {
                let message = "an upd that no CNP and no visit makes".to_string();
                Err(Fault::of(UPD, beat, None, beat.fields.first().copied(), message))
            }
            _ => Ok(()),
        }
    }

    fn expect(&mut self, channel: usize, cycle: u64, fields: Vec<u64>) {
        self.answers[channel].expect(cycle, self.latencies[channel], fields);
    }

    fn match_answers(&mut self) -> Result<(), Box<Fault>> {
        for channel in [RSP, PEEKED, ERR] {
            while let Some((expected, got)) = self.answers[channel].pair()? {
                let fields = match channel {
                    PEEKED => whether_expired(self.answers[PEEKED].judge(), expected.fields, &got),
                    _ => expected.fields,
                };
                self.answers[channel].compare(&fields, &got)?;
            }
        }
        Ok(())
    }
}

impl Steered for SteeredModel {
    fn step(&mut self, inputs: &[u64], outputs: &[u64]) -> Result<(), Box<Fault>> {
        let cycle = self.next_row;
        self.next_row += 1;
        let mut row = [0; input::WORDS];
        row.copy_from_slice(&inputs[..input::WORDS]);
        self.inputs.push_back(row);
        for (channel, (first, fields)) in CHANNELS.into_iter().enumerate() {
            if outputs[first] == 0 {
                continue;
            }
            let fields = &outputs[first + 1..first + 1 + fields];
            if channel == UPD {
                self.updates.push_back(Beat { cycle, fields: fields.to_vec() });
            } else {
                self.answers[channel].show(cycle, fields);
            }
        }
        self.last_stats.copy_from_slice(&outputs[output::STAT_CNPS..output::STAT_CNPS + 3]);
        if cycle < self.upd_latency + MOST_QUEUED {
            // Not all that can come of cycle 0 has come out.
            return match self.updates.front().filter(|beat| beat.cycle < self.upd_latency) {
                Some(beat) => {
                    Err(Fault::of(UPD, beat, None, None, "an upd before any slot".to_string()))
                }
                None => Ok(()),
            };
        }
        let judged = self.next_judged;
        self.next_judged += 1;
        self.judge(judged)
    }

    fn finish(&mut self) -> Result<(), Box<Fault>> {
        self.match_answers()?;
        for channel in [RSP, PEEKED, ERR] {
            self.answers[channel].left_over()?;
        }
        let names = ["stat_cnps", "stat_range", "stat_zero_length"];
        for (n, name) in names.into_iter().enumerate() {
            let (expected, got) = (self.stats[n].min(STAT_MOST), self.last_stats[n]);
            if !self.rules.holds(output::STAT_CNPS + n, expected, got) {
                return Err(Fault::of_level(ERR, self.next_row, name, expected, got));
            }
        }
        Ok(())
    }

    fn cover(&self) -> &Cover {
        self.coverage.counts()
    }

    fn state(&self, context: u64) -> Option<Vec<u64>> {
        let at = usize::try_from(context).ok()?;
        let Context { state, pace, total, .. } = self.contexts.get(at)?;
        let now = self.now(self.next_judged);
        let mut fields = vec![context];
        fields.extend(peeked_fields(&self.cfg, state, pace, now, *total));
        Some(fields)
    }
}
