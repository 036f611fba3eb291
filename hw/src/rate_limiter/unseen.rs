//! `steered` comparison of `rate_limiter` where the DUT shows no `upd`: nobody sees when its sweep
//! serves a half.
//!
//! What the DUT answers is bounded instead. A due half is served between its deadline and the latest
//! cycle that is allowed, and its rate paces requests `rate_delay` later. Of each queue pair every course
//! of events is kept that explains the answers so far, a [`Course`]; courses part only where an event
//! comes in between, and most of them end with the next answer. A DUT that no course explains is wrong.
//!
//! Where CNPs come all the time and nothing is asked, courses part faster than they end. A queue pair
//! of which more than [`MOST`] are left is not judged until a peek shows its state.

use super::core::{self, Cfg, Loop, Pace, Phase};
use super::coverage::Coverage;
use super::model::{PEEKED_FIELDS, input, output, peeked_fields};
use super::steer::{CHANNELS, ERR, PEEKED, RSP, UPD, whether_expired};
use crate::Cover;
use crate::attributes::{AttributeError, AttributeSet};
use crate::in_order::AnswerQueue;
use crate::rules::Rules;
use crate::stats::STAT_MOST;
use crate::steered::{Beat, Due, Fault, Steered};
use crate::unit::DutTiming;
use congruent_ports::rate_limiter::BLOCK;
use congruent_ports::{ParamSet, error};
use std::collections::VecDeque;

/// Courses of a queue pair that are followed at the most.
const MOST: usize = 256;

/// A rate that paces requests from a cycle of `earliest..=latest` on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Coming {
    earliest: u64,
    latest: u64,
    byte_time: u64,
}

/// One course of events of a queue pair that explains what the DUT answered.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Course {
    state: Loop,
    /// The half that is due has not run before this cycle.
    from: u64,
    byte_time: u64,
    coming: VecDeque<Coming>,
    pace: Pace,
    /// The last `next_send`, expired or not.
    last_next_send: u64,
}

impl Course {
    fn is_like(&self, other: &Self) -> bool {
        let rates = |course: &Self| course.coming.iter().map(|c| c.byte_time).collect::<Vec<_>>();
        let all =
            |course: &Self| (course.state, course.byte_time, course.pace, course.last_next_send);
        all(self) == all(other) && rates(self) == rates(other)
    }
}

/// The core under a DUT that shows no `upd`.
#[derive(Debug)]
pub struct SteeredModel {
    cfg: Cfg,
    qps: u64,
    /// A half may be served so late, cycles, peeks taken meanwhile not counted.
    lateness: u64,
    rate_delay: u64,
    /// From event to answer, by output channel.
    latencies: [Due; 4],
    /// A cycle is judged so many cycles later: all that answers it has come out.
    horizon: u64,
    /// By queue pair; none of one that is not judged.
    courses: Vec<Vec<Course>>,
    /// By queue pair: the first cycle in which the rate that a peek showed paces it.
    shown_from: Vec<u64>,
    /// Cycles of the peeks that may still delay a half.
    peeks: VecDeque<u64>,
    /// Cycle of the next row to come, and of the next row to judge.
    next_row: u64,
    next_judged: u64,
    inputs: VecDeque<[u64; input::WORDS]>,
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
        let course = Course {
            state: Loop::idle(&cfg),
            from: 0,
            byte_time: cfg.line_byte_time,
            coming: VecDeque::new(),
            pace: Pace::default(),
            last_next_send: 0,
        };
        let latencies = ["rsp_latency", "upd_latency", "peek_latency", "err_latency"]
            .map(|name| timing.due(name));
        let answering = [RSP, PEEKED, ERR].map(|channel| latencies[channel].latest());
        Ok(Self {
            qps,
            lateness: 2 * qps + timing.cycles("pipeline"),
            rate_delay: timing.cycles("rate_delay"),
            latencies,
            horizon: answering.into_iter().fold(0, u64::max),
            courses: vec![vec![course]; qps as usize],
            shown_from: vec![0; qps as usize],
            peeks: VecDeque::new(),
            next_row: 0,
            next_judged: 0,
            inputs: VecDeque::new(),
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
        if row[input::REQ_VALID] != 0 {
            self.request(cycle, now, row[input::REQ_QP], row[input::REQ_BYTES])?;
        }
        if row[input::CNP_VALID] != 0 {
            self.cnp(cycle, now, row[input::CNP_QP])?;
        }
        if row[input::PEEK_VALID] != 0 {
            self.peek(cycle, now, row[input::PEEK_QP])?;
        }
        let first = |courses: &Vec<Course>| courses.first().cloned();
        if now == self.cfg.time.mask() {
            let shown: Vec<_> = self.courses.iter().filter_map(first).collect();
            let (states, paces) = (shown.iter().map(|c| &c.state), shown.iter().map(|c| &c.pace));
            self.coverage.end_of_cycle(&self.cfg, now, states, paces);
        }
        // One queue pair a cycle: no time of it may be half a wrap old.
        let at = (cycle & (self.qps - 1)) as usize;
        self.halves(at, cycle);
        let oldest = cycle.saturating_sub(4 * self.lateness);
        while self.peeks.pop_front_if(|peek| *peek < oldest).is_some() {}
        for course in &mut self.courses[at] {
            core::expire(&self.cfg, &mut course.pace, now);
        }
        for channel in [RSP, PEEKED, ERR] {
            self.answers[channel].unasked(cycle)?;
        }
        Ok(())
    }

    /// Every course of a queue pair, up to and with the halves of cycle `upto`.
    fn halves(&mut self, at: usize, upto: u64) {
        let now = self.now(upto);
        let mut open = std::mem::take(&mut self.courses[at]);
        let mut all: Vec<Course> = vec![];
        while let Some(mut course) = open.pop() {
            if !core::due(&self.cfg, &course.state, now) {
                add(&mut all, course);
                continue;
            }
            let since = upto.saturating_sub(self.cfg.time.sub(now, course.state.deadline));
            let delays = self.peeks.iter().rev().take_while(|peek| **peek >= since).count();
            let latest = since + self.lateness + delays as u64;
            let earliest = since.max(course.from);
            if earliest > upto {
                add(&mut all, course);
                continue;
            }
            if upto < latest {
                add(&mut all, Course { from: upto + 1, ..course.clone() });
            }
            let upd = core::run_half(&self.cfg, &mut course.state);
            course.coming.push_back(Coming {
                earliest: earliest + self.rate_delay,
                latest: upto.min(latest).max(earliest) + self.rate_delay,
                byte_time: core::byte_time(&self.cfg, upd.rate),
            });
            course.from = earliest + 1;
            open.push(course);
        }
        if all.len() > MOST {
            all.clear();
        }
        self.courses[at] = all;
    }

    /// Every course of a queue pair, the byte time that paces its requests in `cycle` settled.
    fn paced(&mut self, at: usize, cycle: u64) {
        let mut open = std::mem::take(&mut self.courses[at]);
        let mut all: Vec<Course> = vec![];
        while let Some(mut course) = open.pop() {
            let Some(coming) = course.coming.front().copied().filter(|c| c.earliest <= cycle)
            else {
                add(&mut all, course);
                continue;
            };
            if coming.latest > cycle {
                let mut later = course.clone();
                later.coming[0].earliest = cycle + 1;
                add(&mut all, later);
            }
            course.coming.pop_front();
            course.byte_time = coming.byte_time;
            open.push(course);
        }
        self.courses[at] = all;
    }

    fn request(&mut self, cycle: u64, now: u64, qp: u64, bytes: u64) -> Result<(), Box<Fault>> {
        let refused = if qp >= self.qps {
            self.coverage.common().out_of_range();
            self.stats[1] += 1;
            Some(error::RANGE)
        } else if bytes == 0 {
            self.stats[2] += 1;
            self.coverage.common().zero_length();
            Some(error::ZERO_LENGTH)
        } else {
            None
        };
        if let Some(code) = refused {
            let fields = vec![qp, 0, 0, code];
            let got = self.answer(RSP, cycle, fields.clone())?;
            return got.map_or(Ok(()), |got| self.answers[RSP].compare(&fields, &got));
        }
        let at = qp as usize;
        if let Some(before) = cycle.checked_sub(1) {
            self.halves(at, before);
        }
        self.paced(at, cycle);
        let got = self.answer(RSP, cycle, vec![qp, 0, 0, error::NONE])?;
        if cycle < self.shown_from[at] && got.as_ref().is_none_or(|got| got.fields[1] != 0) {
            // Nobody knows which rate paced it.
            self.courses[at].clear();
        }
        if self.courses[at].is_empty() {
            return Ok(());
        }
        let cfg = &self.cfg;
        let answers = self.courses[at].iter_mut().map(|course| {
            let before = course.pace;
            let Course { pace, state, byte_time, .. } = course;
            let rsp = core::request(cfg, pace, state, now, bytes, *byte_time);
            course.last_next_send = course.pace.next_send;
            (before, rsp, vec![qp, u64::from(rsp.grant), rsp.wait, error::NONE])
        });
        let answers: Vec<_> = answers.collect();
        let fields: Vec<_> = answers.iter().map(|(.., fields)| fields.clone()).collect();
        let kept = self.explain(RSP, at, fields, got.as_ref())?;
        let (before, rsp, _) = &answers[kept];
        let congested = self.courses[at].first().is_some_and(|course| course.state.congested);
        let common = self.coverage.common();
        common.request(&self.cfg, cycle, now, at, bytes, before, congested, *rsp);
        Ok(())
    }

    fn cnp(&mut self, cycle: u64, now: u64, qp: u64) -> Result<(), Box<Fault>> {
        if qp >= self.qps {
            self.coverage.common().out_of_range();
            self.stats[1] += 1;
            let fields = vec![0, error::RANGE, qp];
            let got = self.answer(ERR, cycle, fields.clone())?;
            return got.map_or(Ok(()), |got| self.answers[ERR].compare(&fields, &got));
        }
        self.stats[0] += 1;
        if !self.cfg.enable_ecn {
            self.coverage.common().ignored();
            return Ok(());
        }
        let at = qp as usize;
        self.halves(at, cycle);
        let (cfg, rate_delay) = (&self.cfg, self.rate_delay);
        for course in &mut self.courses[at] {
            if course.state.congested {
                core::count_cnp(cfg, &mut course.state);
                continue;
            }
            let upd = core::start_episode(cfg, &mut course.state, now);
            // Its slot is that of this cycle or of the next one.
            course.coming.push_back(Coming {
                earliest: cycle + rate_delay,
                latest: cycle + 1 + rate_delay,
                byte_time: core::byte_time(cfg, upd.rate),
            });
            course.from = cycle + 1;
        }
        Ok(())
    }

    fn peek(&mut self, cycle: u64, now: u64, qp: u64) -> Result<(), Box<Fault>> {
        self.peeks.push_back(cycle);
        if qp >= self.qps {
            self.stats[1] += 1;
            let mut fields = vec![0; PEEKED_FIELDS];
            (fields[0], fields[PEEKED_FIELDS - 1]) = (qp, error::RANGE);
            let got = self.answer(PEEKED, cycle, fields.clone())?;
            return got.map_or(Ok(()), |got| self.answers[PEEKED].compare(&fields, &got));
        }
        let at = qp as usize;
        self.halves(at, cycle);
        let mut fields = vec![0; PEEKED_FIELDS];
        fields[0] = qp;
        let got = self.answer(PEEKED, cycle, fields)?;
        if self.courses[at].is_empty() {
            if let Some(got) = got.filter(|_| self.answers[PEEKED].judge().is_plain()) {
                self.courses[at] = vec![self.course_of(cycle, &got.fields)];
                self.shown_from[at] = cycle + 1 + self.rate_delay;
            }
            return Ok(());
        }
        let judge = self.answers[PEEKED].judge();
        let fields = self.courses[at].iter().map(|course| {
            let mut pace = course.pace;
            core::expire(&self.cfg, &mut pace, now);
            let mut fields = vec![qp];
            fields.extend(peeked_fields(&course.state, &pace));
            fields.push(course.last_next_send);
            match &got {
                Some(got) => whether_expired(judge, fields, got),
                None => fields,
            }
        });
        let fields = fields.collect();
        self.explain(PEEKED, at, fields, got.as_ref()).map(|_| ())
    }

    /// The course that a peek of `cycle` shows.
    fn course_of(&self, cycle: u64, fields: &[u64]) -> Course {
        let state = Loop {
            congested: fields[1] != 0,
            rate: fields[2],
            target: fields[3],
            estimate: fields[4],
            recovery: fields[5],
            phase: if fields[6] == Phase::Increase as u64 {
                Phase::Increase
            } else {
                Phase::Reduction
            },
            skipped: fields[7],
            deadline: fields[8],
            cnps: fields[9],
            packets: fields[10],
        };
        let pace = Pace { held: fields[18] != 0, next_send: fields[19] };
        Course {
            byte_time: core::byte_time(&self.cfg, state.rate.max(1)),
            state,
            from: cycle + 1,
            coming: VecDeque::new(),
            last_next_send: pace.next_send,
            pace,
        }
    }

    /// The DUT's answer to an event of `cycle`; none where the DUT does not show the channel.
    fn answer(
        &mut self,
        channel: usize,
        cycle: u64,
        fields: Vec<u64>,
    ) -> Result<Option<Beat>, Box<Fault>> {
        let due = self.latencies[channel];
        let answers = &mut self.answers[channel];
        answers.expect(cycle, due, fields);
        let got = answers.pair()?.map(|(_, got)| got);
        if got.is_none() && answers.judge().is_shown() {
            answers.overdue(cycle + due.latest())?;
        }
        Ok(got)
    }

    /// Keeps the courses of a queue pair that explain what the DUT answered, each of which says
    /// something; the first of them.
    fn explain(
        &mut self,
        channel: usize,
        at: usize,
        says: Vec<Vec<u64>>,
        got: Option<&Beat>,
    ) -> Result<usize, Box<Fault>> {
        let Some(got) = got else { return Ok(0) };
        let judge = self.answers[channel].judge();
        let explains: Vec<_> =
            says.iter().map(|fields| judge.all_hold(fields, &got.fields)).collect();
        if let Some(first) = explains.iter().position(|explains| *explains) {
            let mut explains = explains.into_iter();
            self.courses[at].retain(|_| explains.next().unwrap_or(false));
            let mut kept: Vec<Course> = vec![];
            for course in self.courses[at].drain(..) {
                add(&mut kept, course);
            }
            self.courses[at] = kept;
            return Ok(first);
        }
        let table = judge.table();
        let none_holds = |field: &usize| {
            !says.iter().any(|fields| judge.holds(*field, fields[*field], got.fields[*field]))
        };
        let field = (0..table.fields.len()).find(none_holds);
        let message = match field {
            Some(field) => {
                let values = says.iter().map(|fields| fields[field]);
                let (least, most) = (values.clone().min().unwrap_or(0), values.max().unwrap_or(0));
                let between = match least == most {
                    true => format!("{least:#x}"),
                    false => format!("{least:#x} to {most:#x}"),
                };
                format!(
                    "{}_{} is not what the core says: {between}, whenever the sweep served what was due",
                    table.name, table.fields[field].name
                )
            }
            None => format!(
                "no time at which the sweep may have served what was due explains this beat of {}",
                table.name
            ),
        };
        let mut fault = Fault::of(channel, got, field, Some(at as u64), message);
        fault.expected = field.and_then(|field| says.first().map(|fields| fields[field]));
        Err(fault)
    }
}

/// Adds a course. One that differs from another in nothing but when something ran becomes one with it.
fn add(courses: &mut Vec<Course>, course: Course) {
    let Some(known) = courses.iter_mut().find(|known| known.is_like(&course)) else {
        courses.push(course);
        return;
    };
    known.from = known.from.min(course.from);
    for (known, coming) in known.coming.iter_mut().zip(&course.coming) {
        known.earliest = known.earliest.min(coming.earliest);
        known.latest = known.latest.max(coming.latest);
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
            if channel != UPD && outputs[first] != 0 {
                self.answers[channel].show(cycle, &outputs[first + 1..first + 1 + fields]);
            }
        }
        self.last_stats.copy_from_slice(&outputs[output::STAT_CNPS..output::STAT_CNPS + 3]);
        if cycle < self.horizon {
            return Ok(());
        }
        let judged = self.next_judged;
        self.next_judged += 1;
        self.judge(judged)
    }

    fn finish(&mut self) -> Result<(), Box<Fault>> {
        while self.next_judged < self.next_row {
            let judged = self.next_judged;
            self.next_judged += 1;
            self.judge(judged)?;
        }
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
        let course = self.courses.get(usize::try_from(context).ok()?)?.first()?;
        let mut fields = vec![context];
        fields.extend(peeked_fields(&course.state, &course.pace));
        Some(fields)
    }
}
