//! `steered` comparison of `rate_limiter`: the DUT's `upd` beats say when its sweep served a half,
//! the core says what the half did.
//!
//! The DUT declares its own latencies and rate_delay, by their names in the table; its sweep order
//! is its own. A cycle is judged once the `upd` of its slot can have come out.

use super::core::{self, Cause, Cfg, Loop, Pace, Upd};
use super::coverage::{Coverage, Visit};
use super::model::{PEEKED_FIELDS, input, output, peeked_fields};
use crate::Cover;
use crate::attributes::{AttributeError, AttributeSet};
use crate::in_order::AnswerQueue;
use crate::rules::Rules;
use crate::stats::STAT_MOST;
use crate::steered::{Beat, Due, Fault, Judge, Steered};
use crate::unit::DutTiming;
use congruent_ports::rate_limiter::BLOCK;
use congruent_ports::{ParamSet, error};
use std::collections::VecDeque;

/// Output channels by position in the table's outputs.
pub(super) const RSP: usize = 0;
pub(super) const UPD: usize = 1;
pub(super) const PEEKED: usize = 2;
pub(super) const ERR: usize = 3;

/// Where an output channel's words begin, and how many fields it has.
pub(super) const CHANNELS: [(usize, usize); 4] =
    [(output::RSP, 4), (output::UPD, 7), (output::PEEKED, PEEKED_FIELDS), (output::ERR, 3)];

/// A start whose `upd` the DUT has not shown yet.
#[derive(Debug, Clone, Copy)]
struct Start {
    cycle: u64,
    upd: Upd,
}

/// The core under a DUT's own timing.
#[derive(Debug)]
pub struct SteeredModel {
    cfg: Cfg,
    qps: u64,
    /// A half may be served so late, cycles, peeks taken meanwhile not counted.
    lateness: u64,
    upd_latency: u64,
    rate_delay: u64,
    /// From event to answer, by output channel.
    latencies: [Due; 4],
    loops: Vec<Loop>,
    paces: Vec<Pace>,
    /// The last `next_send` of each queue pair, expired or not.
    last_next_send: Vec<u64>,
    byte_times: Vec<u64>,
    new_byte_times: VecDeque<(u64, usize, u64)>,
    starts: Vec<Option<Start>>,
    /// Cycles of the peeks that may still delay a half.
    peeks: VecDeque<u64>,
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
        let cfg = super::cfg::configure(attributes, params)?;
        let qps = params.get("QPS") as u64;
        let n = qps as usize;
        Ok(Self {
            qps,
            lateness: 2 * qps + timing.cycles("pipeline"),
            upd_latency: timing.cycles("upd_latency"),
            rate_delay: timing.cycles("rate_delay"),
            latencies: ["rsp_latency", "upd_latency", "peek_latency", "err_latency"]
                .map(|name| timing.due(name)),
            loops: vec![Loop::idle(&cfg); n],
            paces: vec![Pace::default(); n],
            last_next_send: vec![0; n],
            byte_times: vec![cfg.line_byte_time; n],
            new_byte_times: VecDeque::new(),
            starts: vec![None; n],
            peeks: VecDeque::new(),
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
        while let Some((_, qp, byte_time)) =
            self.new_byte_times.pop_front_if(|(from, _, _)| *from <= cycle)
        {
            self.byte_times[qp] = byte_time;
        }
        let req = (row[input::REQ_VALID] != 0).then_some(row[input::REQ_QP]);
        if let Some(qp) = req {
            self.request(cycle, now, qp, row[input::REQ_BYTES]);
        }
        let shown = cycle + self.upd_latency;
        let update = self.updates.pop_front_if(|beat| beat.cycle == shown);
        let starts = |beat: &&Beat| beat.fields[1] == Cause::Episode as u64;
        // A half runs before the cycle's CNP is counted; a start is that CNP's, or an earlier one's.
        let mut visit = None;
        match update.as_ref().filter(|beat| !starts(beat)) {
            Some(half) => visit = self.update(cycle, now, half)?,
            None => self.coverage.idle_visit(),
        }
        if let Some(visit) = visit {
            self.coverage.half_meets_req(visit, req);
        }
        if row[input::CNP_VALID] != 0 {
            self.cnp(cycle, now, row[input::CNP_QP], visit);
        }
        if let Some(start) = update.as_ref().filter(starts) {
            self.update(cycle, now, start)?;
        }
        if row[input::PEEK_VALID] != 0 {
            self.peek(cycle, row[input::PEEK_QP]);
        }
        self.coverage.end_of_cycle(&self.cfg, now, self.loops.iter(), self.paces.iter());
        self.overdue(cycle, now)?;
        self.match_answers()
    }

    fn request(&mut self, cycle: u64, now: u64, qp: u64, bytes: u64) {
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
            let (pace, state) = (&mut self.paces[at], &mut self.loops[at]);
            let before = *pace;
            let rsp = core::request(&self.cfg, pace, state, now, bytes, self.byte_times[at]);
            self.last_next_send[at] = pace.next_send;
            self.coverage.common().request(
                &self.cfg,
                cycle,
                now,
                at,
                bytes,
                &before,
                state.congested,
                rsp,
            );
            vec![qp, u64::from(rsp.grant), rsp.wait, error::NONE]
        };
        self.expect(RSP, cycle, fields);
    }

    /// The DUT's slot of `cycle`: a start's or a half's.
    fn update(&mut self, cycle: u64, now: u64, beat: &Beat) -> Result<Option<Visit>, Box<Fault>> {
        let qp = beat.fields[0];
        let fault = |field, message: String| Fault::of(UPD, beat, field, Some(qp), message);
        if qp >= self.qps {
            return Err(fault(Some(0), format!("upd of queue pair {qp}, outside the table")));
        }
        let at = qp as usize;
        let before = self.loops[at];
        let mut half = None;
        let upd = if beat.fields[1] == Cause::Episode as u64 {
            let Some(start) = self.starts[at].take() else {
                return Err(fault(
                    Some(1),
                    format!(
                        "an episode of queue pair {qp} starts without a CNP outside an episode"
                    ),
                ));
            };
            if cycle > start.cycle + 1 {
                let message = format!(
                    "the episode that starts in cycle {} has its slot {} cycles later, at most 1 is allowed",
                    start.cycle,
                    cycle - start.cycle
                );
                return Err(fault(None, message));
            }
            start.upd
        } else {
            if let Some(start) = self.starts[at] {
                let message = format!(
                    "a half of queue pair {qp} runs before the upd of its start in cycle {}",
                    start.cycle
                );
                return Err(fault(Some(1), message));
            }
            let state = &mut self.loops[at];
            if !state.congested {
                let message = format!("a half of queue pair {qp} runs outside an episode");
                return Err(fault(Some(1), message));
            }
            if !core::due(&self.cfg, state, now) {
                let early = self.cfg.time.sub(state.deadline, now);
                let message = format!("a half of queue pair {qp} is served {early} cycles early");
                return Err(fault(None, message));
            }
            let late = self.cfg.time.sub(now, state.deadline);
            let most = self.most_late(cycle, late);
            if late > most {
                let message = format!(
                    "a half of queue pair {qp} is served {late} cycles late, at most {most} are allowed"
                );
                return Err(fault(None, message));
            }
            let upd = core::run_half(&self.cfg, &mut self.loops[at]);
            half = Some((before, upd));
            upd
        };
        let byte_time = core::byte_time(&self.cfg, upd.rate);
        self.new_byte_times.push_back((cycle + self.rate_delay, at, byte_time));
        let expected = upd.fields(qp);
        self.answers[UPD].compare(&expected, beat)?;
        Ok(half.map(|(before, upd)| {
            self.coverage.half(&self.cfg, qp, &before, &upd);
            Visit { qp, end: upd.cause == Cause::End }
        }))
    }

    fn cnp(&mut self, cycle: u64, now: u64, qp: u64, visit: Option<Visit>) {
        if qp >= self.qps {
            self.coverage.common().out_of_range();
            self.stats[1] += 1;
            let fields = vec![0, error::RANGE, qp];
            self.expect(ERR, cycle, fields);
            return;
        }
        self.stats[0] += 1;
        self.coverage.cnp(qp, visit);
        if !self.cfg.enable_ecn {
            self.coverage.common().ignored();
            return;
        }
        let at = qp as usize;
        if self.loops[at].congested {
            core::count_cnp(&self.cfg, &mut self.loops[at]);
        } else {
            let upd = core::start_episode(&self.cfg, &mut self.loops[at], now);
            self.coverage.start(qp);
            self.starts[at] = Some(Start { cycle, upd });
        }
    }

    fn peek(&mut self, cycle: u64, qp: u64) {
        self.peeks.push_back(cycle);
        let mut fields = vec![qp];
        if qp < self.qps {
            let at = qp as usize;
            let mut pace = self.paces[at];
            core::expire(&self.cfg, &mut pace, self.now(cycle));
            fields.extend(peeked_fields(&self.loops[at], &pace));
            fields.push(self.last_next_send[at]);
        } else {
            self.stats[1] += 1;
            fields.extend([0; PEEKED_FIELDS - 2]);
            fields.push(error::RANGE);
            fields.push(0);
        }
        self.expect(PEEKED, cycle, fields);
    }

    /// How late a half that is `late` cycles overdue in `cycle` may be: each peek taken since its
    /// deadline stood in the sweep's way once.
    fn most_late(&self, cycle: u64, late: u64) -> u64 {
        let since = cycle.saturating_sub(late);
        self.lateness + self.peeks.iter().rev().take_while(|peek| **peek >= since).count() as u64
    }

    /// Looks at one context a cycle: a half that is not served in time, a start without its `upd`,
    /// a `next_send` that would be half a wrap old.
    fn overdue(&mut self, cycle: u64, now: u64) -> Result<(), Box<Fault>> {
        let at = (cycle & (self.qps - 1)) as usize;
        core::expire(&self.cfg, &mut self.paces[at], now);
        let oldest = cycle.saturating_sub(4 * self.lateness);
        while self.peeks.pop_front_if(|peek| *peek < oldest).is_some() {}
        let state = &self.loops[at];
        let late = self.cfg.time.sub(now, state.deadline);
        let most = self.most_late(cycle, late);
        let message = if let Some(start) = self.starts[at]
            && cycle > start.cycle + 1
        {
            format!("queue pair {at}: no upd for the episode that starts in cycle {}", start.cycle)
        } else if core::due(&self.cfg, state, now) && late > most {
            format!(
                "queue pair {at}: a half has been due for {late} cycles, at most {most} are allowed"
            )
        } else {
            return Ok(());
        };
        let shown = Beat { cycle, fields: vec![] };
        Err(Fault::of(UPD, &shown, None, Some(at as u64), message))
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

/// What a `peeked` beat must hold. The expectation carries the last next_send of its cycle behind the
/// fields: whether an expired one is still there depends on when the sweep passed.
pub(super) fn whether_expired(judge: &Judge, mut fields: Vec<u64>, got: &Beat) -> Vec<u64> {
    let Some(next_send_then) = fields.pop() else { return fields };
    let last = fields.len() - 1;
    let (held, next_send) = (last - 2, last - 1);
    let shows = |field, value| judge.holds(field, value, got.fields[field]);
    let still_there = shows(held, 1) && shows(next_send, next_send_then);
    if fields[last] == error::NONE && fields[held] == 0 && still_there {
        fields[held] = 1;
        fields[next_send] = next_send_then;
    }
    fields
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
        if cycle < self.upd_latency {
            // Nothing can have come out of a slot yet.
            return match self.updates.front() {
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
        for at in 0..self.qps {
            if let Some(start) = self.starts[at as usize] {
                let beat = Beat { cycle: start.cycle, fields: vec![] };
                let message = "no upd for the episode that starts here".to_string();
                return Err(Fault::of(UPD, &beat, None, Some(at), message));
            }
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
        let at = usize::try_from(context).ok().filter(|at| *at < self.loops.len())?;
        let mut fields = vec![context];
        fields.extend(peeked_fields(&self.loops[at], &self.paces[at]));
        Some(fields)
    }
}
