//! `steered` comparison of `pfc_threshold`: the DUT's own `pause` beats say when its sweep resumed a
//! queue, sent what was owed or refreshed a pause; the core says the rest.
//!
//! What events make is known from the core, beat by beat and in order. A beat that stands where none
//! of theirs can, the queue of pauses empty, is the sweep's. A cycle is judged once the sweep's beat
//! of it can have come out: two of its events' may be ahead. Where the sweep may have resumed a queue
//! that a deq of the next cycle would have resumed, both leave the same state and the same beat.

use super::core::{self, Admit, Cfg, Queue, Verdict, Visit};
use super::coverage::{Change, Coverage};
use super::model::{input, output, peeked_fields};
use super::pauses::{Pause, Pauses};
use crate::Cover;
use crate::attributes::{AttributeError, AttributeSet};
use crate::in_order::AnswerQueue;
use crate::rules::Rules;
use crate::stats::STAT_MOST;
use crate::steered::{Beat, Due, Fault, Steered};
use crate::unit::DutTiming;
use congruent_ports::pfc_threshold::BLOCK;
use congruent_ports::{ParamSet, error};
use std::collections::VecDeque;

/// Output channels by position in the table's outputs.
const ADMIT: usize = 0;
const GONE: usize = 1;
const PAUSE: usize = 2;
const PEEKED: usize = 3;

/// Where an output channel's words begin, and how many fields it has.
const CHANNELS: [(usize, usize); 4] =
    [(output::ADMIT, 3), (output::GONE, 2), (output::PAUSE, 3), (output::PEEKED, 9)];

/// Beats of a cycle's events that may be ahead of the sweep's.
const AHEAD: u64 = 2;

/// The core under a DUT's own timing.
#[derive(Debug)]
pub struct SteeredModel {
    cfg: Cfg,
    time_init: u64,
    pause_latency: u64,
    /// From event to answer, by output channel.
    latencies: [Due; 4],
    /// Cycles in which the sweep does not stand, within which it has come by everywhere.
    round: u64,
    queues: Vec<Queue>,
    s: u64,
    pauses: Pauses,
    /// Cycles so far in which the sweep did not stand.
    visits: u64,
    /// `visits` when a queue began to have something for the sweep to do.
    since: Vec<Option<u64>>,
    /// Cycle of the next row to come, and of the next row to judge.
    next_row: u64,
    next_judged: u64,
    inputs: VecDeque<[u64; input::WORDS]>,
    shown: VecDeque<Beat>,
    answers: [AnswerQueue; 4],
    rules: Rules,
    /// `pool` and the counters: as the core has them, and as last seen.
    stats: [u64; 4],
    levels: [u64; 5],
    coverage: Coverage,
}

impl SteeredModel {
    /// In cycle 0.
    ///
    /// # Errors
    /// Attributes and parameters that do not fit together.
    pub fn new(
        attributes: &AttributeSet,
        params: &ParamSet,
        timing: &DutTiming,
    ) -> Result<Self, AttributeError> {
        let cfg = super::cfg::configure(attributes, params)?;
        let queues = params.get("QUEUES") as usize;
        Ok(Self {
            time_init: params.get("TIME_INIT") as u64 & cfg.time.mask(),
            pause_latency: timing.cycles("pause_latency"),
            latencies: ["admit_latency", "gone_latency", "pause_latency", "peek_latency"]
                .map(|name| timing.due(name)),
            round: queues as u64 + timing.cycles("pipeline"),
            queues: vec![Queue::default(); queues],
            s: 0,
            pauses: Pauses::default(),
            visits: 0,
            since: vec![None; queues],
            next_row: 0,
            next_judged: 0,
            inputs: VecDeque::new(),
            shown: VecDeque::new(),
            answers: std::array::from_fn(|channel| {
                AnswerQueue::new(&BLOCK, channel, timing.rules())
            }),
            rules: timing.rules().clone(),
            stats: [0; 4],
            levels: [0; 5],
            coverage: Coverage::new(&cfg, params),
            cfg,
        })
    }

    fn now(&self, cycle: u64) -> u64 {
        (self.time_init + cycle) & self.cfg.time.mask()
    }

    fn judge(&mut self, cycle: u64) -> Result<(), Box<Fault>> {
        let Some(row) = self.inputs.pop_front() else { return Ok(()) };
        let now = self.now(cycle);
        let stands = !self.pauses.is_empty() || row[input::PEEK_VALID] != 0;
        self.leaves(cycle)?;
        let mut ahead = 0;
        if row[input::DEQ_VALID] != 0 {
            ahead += self.deq(cycle, row[input::DEQ_QUEUE], row[input::DEQ_BYTES]);
        }
        if row[input::ENQ_VALID] != 0 {
            ahead += self.enq(cycle, now, row[input::ENQ_QUEUE], row[input::ENQ_BYTES]);
        }
        if !stands {
            self.visits += 1;
            self.sweep(cycle, now, ahead)?;
        }
        if row[input::PEEK_VALID] != 0 {
            self.peek(cycle, row[input::PEEK_QUEUE]);
        }
        self.coverage.end_of_cycle(&self.cfg, now);
        self.overdue(cycle, now)?;
        self.match_answers()
    }

    /// The beat that leaves in this cycle, or that none does, is what the DUT shows when it is due.
    fn leaves(&mut self, cycle: u64) -> Result<(), Box<Fault>> {
        let due = cycle + self.pause_latency - 1;
        let expected = self.pauses.leave();
        if due >= self.next_row {
            // Not out yet at the end of a run.
            return Ok(());
        }
        let got = self.shown.pop_front_if(|beat| beat.cycle <= due);
        match (expected, got) {
            (None, None) => Ok(()),
            (Some(Pause { queue, xoff, refresh }), Some(got)) if got.cycle == due => {
                let expected = [queue, u64::from(xoff), u64::from(refresh)];
                self.answers[PAUSE].compare(&expected, &got)
            }
            (Some(Pause { queue, xoff, .. }), None) => {
                let kind = if xoff { "XOFF" } else { "resume" };
                let message =
                    format!("no pause for the {kind} of queue {queue}, due in this cycle");
                let nothing = Beat { cycle: due, fields: vec![] };
                Err(Fault::of(PAUSE, &nothing, None, Some(queue), message))
            }
            (_, Some(got)) => {
                let message =
                    "a pause that neither an event nor the sweep can have made".to_string();
                Err(Fault::of(PAUSE, &got, None, got.fields.first().copied(), message))
            }
        }
    }

    /// Returns the beats that it makes.
    fn deq(&mut self, cycle: u64, queue: u64, bytes: u64) -> u64 {
        let Some(state) = self.queues.get_mut(queue as usize) else {
            self.coverage.out_of_range();
            self.stats[0] += 1;
            self.expect(GONE, cycle, vec![queue, error::RANGE]);
            return 0;
        };
        let before = *state;
        let gone = core::dequeue(&self.cfg, state, &mut self.s, bytes);
        let change = Change { cycle, at: queue as usize, before, after: *state, s: self.s };
        self.coverage.deq(&self.cfg, &change, gone);
        self.stats[1] += u64::from(gone.error == error::UNDERFLOW);
        self.expect(GONE, cycle, vec![queue, gone.error]);
        let beat = Pause { queue, xoff: false, refresh: false };
        u64::from(gone.resume && self.pauses.enter(beat))
    }

    /// Returns the beats that it makes.
    fn enq(&mut self, cycle: u64, now: u64, queue: u64, bytes: u64) -> u64 {
        let Some(state) = self.queues.get_mut(queue as usize) else {
            self.coverage.out_of_range();
            self.stats[0] += 1;
            self.expect(ADMIT, cycle, vec![queue, Verdict::Dropped as u64, error::RANGE]);
            return 0;
        };
        let before = *state;
        let admit = core::enqueue(&self.cfg, state, &mut self.s, now, bytes);
        let Admit { verdict, xoff } = admit;
        let change = Change { cycle, at: queue as usize, before, after: *state, s: self.s };
        self.coverage.enq(&self.cfg, &change, bytes, admit);
        let placed = xoff && self.pauses.enter(Pause { queue, xoff: true, refresh: false });
        if xoff && !placed {
            core::owe(state);
            self.coverage.owed();
            self.stats[3] += 1;
        }
        self.stats[2] += u64::from(verdict == Verdict::Dropped);
        self.expect(ADMIT, cycle, vec![queue, verdict as u64, error::NONE]);
        u64::from(placed)
    }

    /// A beat that stands where the sweep's of this cycle would is the sweep's, if the core makes it.
    fn sweep(&mut self, cycle: u64, now: u64, ahead: u64) -> Result<(), Box<Fault>> {
        let due = cycle + self.pause_latency + ahead;
        let Some(beat) = self.shown.iter().find(|beat| beat.cycle == due) else { return Ok(()) };
        let at = beat.fields[0] as usize;
        let mut after = self.queues.get(at).copied().unwrap_or_default();
        let before = after;
        let made = core::visit(&self.cfg, &mut after, self.s, now);
        let pause = made.map(|made| Pause {
            queue: at as u64,
            xoff: made != Visit::Resume,
            refresh: made == Visit::Refresh,
        });
        let says = pause.map(|p| [p.queue, u64::from(p.xoff), u64::from(p.refresh)]);
        let judge = self.answers[PAUSE].judge();
        if says.is_none_or(|says| !judge.all_hold(&says, &beat.fields)) {
            // With nothing ahead, no event of a later cycle can have made it either.
            return if ahead > 0 { Ok(()) } else { Err(self.not_the_sweeps(beat, now)) };
        }
        self.queues[at] = after;
        // What is due already again is due from now on.
        self.since[at] = None;
        let change = Change { cycle, at, before, after, s: self.s };
        self.coverage.visit(&self.cfg, &change, now, made);
        if let Some(pause) = pause {
            let placed = self.pauses.enter(pause);
            debug_assert!(placed, "the queue was empty and two at most are ahead");
        }
        Ok(())
    }

    fn not_the_sweeps(&self, beat: &Beat, now: u64) -> Box<Fault> {
        let queue = beat.fields[0];
        let (xoff, refresh) = (beat.fields[1] != 0, beat.fields[2] != 0);
        let message = match self.queues.get(queue as usize) {
            None => format!("a pause of queue {queue}, outside the table"),
            Some(state) if !state.paused => {
                format!("a pause of queue {queue}, which is not paused, and no event made it")
            }
            Some(_) if !xoff => {
                format!("queue {queue} resumes although it is above the threshold to do so")
            }
            Some(state) if refresh && !self.cfg.time.reached(now, state.deadline) => {
                let early = self.cfg.time.sub(state.deadline, now);
                format!("the pause of queue {queue} is refreshed {early} cycles early")
            }
            Some(_) if refresh => {
                format!(
                    "the pause of queue {queue} is refreshed where it has to resume, or its XOFF is owed"
                )
            }
            Some(_) => format!("an XOFF of queue {queue}, which owes none, and no event made it"),
        };
        Fault::of(PAUSE, beat, None, Some(queue), message)
    }

    fn peek(&mut self, cycle: u64, queue: u64) {
        let fields = self.state(queue).unwrap_or_else(|| {
            self.coverage.out_of_range();
            self.stats[0] += 1;
            vec![queue, 0, 0, 0, 0, 0, 0, 0, error::RANGE]
        });
        self.expect(PEEKED, cycle, fields);
    }

    /// Looks for a queue that the sweep should have served by now.
    fn overdue(&mut self, cycle: u64, now: u64) -> Result<(), Box<Fault>> {
        for (at, (state, since)) in self.queues.iter().zip(&mut self.since).enumerate() {
            let mut seen = *state;
            match core::visit(&self.cfg, &mut seen, self.s, now) {
                None => *since = None,
                Some(made) => {
                    let waited = self.visits - *since.get_or_insert(self.visits);
                    if waited > self.round {
                        let message = format!(
                            "queue {at}: {made:?} has been due for {waited} cycles in which the sweep does not stand, at most {} are allowed",
                            self.round
                        );
                        let nothing = Beat { cycle, fields: vec![] };
                        return Err(Fault::of(PAUSE, &nothing, None, Some(at as u64), message));
                    }
                }
            }
        }
        Ok(())
    }

    fn expect(&mut self, channel: usize, cycle: u64, fields: Vec<u64>) {
        self.answers[channel].expect(cycle, self.latencies[channel], fields);
    }

    fn match_answers(&mut self) -> Result<(), Box<Fault>> {
        for channel in [ADMIT, GONE, PEEKED] {
            while let Some((expected, got)) = self.answers[channel].pair()? {
                self.answers[channel].compare(&expected.fields, &got)?;
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
            if channel == PAUSE {
                self.shown.push_back(Beat { cycle, fields: fields.to_vec() });
            } else {
                self.answers[channel].show(cycle, fields);
            }
        }
        self.levels.copy_from_slice(&outputs[output::POOL..output::POOL + 5]);
        if cycle < self.pause_latency + AHEAD {
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
        for channel in [ADMIT, GONE, PEEKED] {
            self.answers[channel].left_over()?;
        }
        let names = ["pool", "stat_range", "stat_underflow", "stat_drops", "stat_owed"];
        let counts = self.stats.map(|count| count.min(STAT_MOST));
        let expected = std::iter::once(self.s).chain(counts);
        for (n, (name, expected)) in names.into_iter().zip(expected).enumerate() {
            let got = self.levels[n];
            if !self.rules.holds(output::POOL + n, expected, got) {
                return Err(Fault::of_level(PAUSE, self.next_row, name, expected, got));
            }
        }
        Ok(())
    }

    fn cover(&self) -> &Cover {
        self.coverage.counts()
    }

    fn state(&self, context: u64) -> Option<Vec<u64>> {
        let state = self.queues.get(usize::try_from(context).ok()?)?;
        let mut fields = vec![context];
        fields.extend(peeked_fields(state));
        Some(fields)
    }
}
