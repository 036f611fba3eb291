//! `steered` comparison of blocks whose events take effect when they are taken and whose output
//! channels answer in order.
//!
//! Which cycle an event is taken in is the DUT's own choice (its ready); from there on the block's
//! core says what each answer holds, and its table's order what the events of one cycle do to one
//! another. When an answer comes is either a documented latency or, where a DUT names none, bounded.

use crate::Cover;
use crate::rules::Rules;
use crate::steered::{Beat, Due, Fault, Judge, Steered};
use crate::unit::DutTiming;
use congruent_ports::{Block, Channel, FieldRole, Layout, ParamSet};
use std::collections::VecDeque;

/// One output channel that answers in order: what the core expects, and what the DUT showed.
#[derive(Debug)]
pub struct AnswerQueue {
    channel: usize,
    judge: Judge,
    expected: VecDeque<(Beat, Due)>,
    got: VecDeque<Beat>,
}

impl AnswerQueue {
    /// Nothing expected of output channel number `channel` of a block.
    ///
    /// # Panics
    /// If the block has no such output: a mistake in the code, not in a user's input.
    pub fn new(block: &'static Block, channel: usize, rules: &Rules) -> Self {
        let judge = Judge::new(block, channel, rules);
        Self { channel, judge, expected: VecDeque::new(), got: VecDeque::new() }
    }

    /// The channel.
    pub fn table(&self) -> &'static Channel {
        self.judge.table()
    }

    /// What its beats are held against.
    pub fn judge(&self) -> &Judge {
        &self.judge
    }

    /// An event of `cycle` will be answered by these fields.
    pub fn expect(&mut self, cycle: u64, due: Due, fields: Vec<u64>) {
        if self.judge.is_shown() {
            self.expected.push_back((Beat { cycle, fields }, due));
        }
    }

    /// The DUT shows a beat in `cycle`.
    pub fn show(&mut self, cycle: u64, fields: &[u64]) {
        if self.judge.is_shown() {
            self.got.push_back(Beat { cycle, fields: fields.to_vec() });
        }
    }

    /// The oldest event and the DUT's answer, once there are both.
    ///
    /// # Errors
    /// The answer does not come when it is due.
    pub fn pair(&mut self) -> Result<Option<(Beat, Beat)>, Box<Fault>> {
        if self.expected.is_empty() {
            return Ok(None);
        }
        let Some(got) = self.got.pop_front() else { return Ok(None) };
        let Some((expected, due)) = self.expected.pop_front() else { return Ok(None) };
        let earliest = match due {
            Due::After(latency) => expected.cycle + latency,
            Due::Within(_) => expected.cycle,
        };
        if got.cycle < earliest && got.context(self.table()) != expected.context(self.table()) {
            return Err(self.to_no_event(&got));
        }
        let rule = match due {
            Due::After(latency) if got.cycle == expected.cycle + latency => None,
            Due::After(latency) => Some(format!("its latency is {latency}")),
            // A beat from before its event answers nothing.
            Due::Within(most) if (expected.cycle..=expected.cycle + most).contains(&got.cycle) => {
                None
            }
            Due::Within(most) => Some(format!("at most {most} cycles are allowed")),
        };
        match rule {
            None => Ok(Some((expected, got))),
            Some(rule) => {
                let message = format!(
                    "the answer to the event of cycle {} comes in cycle {}, {rule}",
                    expected.cycle, got.cycle
                );
                let context = expected.context(self.table());
                Err(Fault::of(self.channel, &got, None, context, message))
            }
        }
    }

    /// Compares an answer with what the core says.
    ///
    /// # Errors
    /// The first field that differs.
    pub fn compare(&self, expected: &[u64], got: &Beat) -> Result<(), Box<Fault>> {
        self.judge.compare(expected, got)
    }

    /// Looks for an answer that should have come by the end of `cycle`.
    ///
    /// # Errors
    /// There is one, or a beat that answers nothing.
    pub fn overdue(&self, cycle: u64) -> Result<(), Box<Fault>> {
        if let (None, Some(got)) = (self.expected.front(), self.got.front()) {
            return Err(self.to_no_event(got));
        }
        match self.expected.front() {
            Some((beat, Due::After(cycles) | Due::Within(cycles)))
                if beat.cycle + cycles <= cycle =>
            {
                let message = format!(
                    "no answer to the event of cycle {}, due {cycles} cycles later",
                    beat.cycle
                );
                let shown = Beat { cycle, fields: beat.fields.clone() };
                Err(Fault::of(self.channel, &shown, None, beat.context(self.table()), message))
            }
            _ => Ok(()),
        }
    }

    /// Looks for a beat of up to `cycle` that answers nothing, where events are told later than beats.
    ///
    /// # Errors
    /// There is one.
    pub fn unasked(&self, cycle: u64) -> Result<(), Box<Fault>> {
        match (self.expected.front(), self.got.front()) {
            (None, Some(got)) if got.cycle <= cycle => Err(self.to_no_event(got)),
            _ => Ok(()),
        }
    }

    /// The end of a run.
    ///
    /// # Errors
    /// An event without an answer, or an answer without an event.
    pub fn left_over(&self) -> Result<(), Box<Fault>> {
        if let Some((beat, _)) = self.expected.front() {
            let message = format!("no answer to the event of cycle {}", beat.cycle);
            return Err(Fault::of(self.channel, beat, None, beat.context(self.table()), message));
        }
        match self.got.front() {
            Some(beat) => Err(self.to_no_event(beat)),
            None => Ok(()),
        }
    }

    fn to_no_event(&self, beat: &Beat) -> Box<Fault> {
        let context = beat.context(self.table());
        Fault::of(self.channel, beat, None, context, "an answer to no event".to_string())
    }
}

/// What the events of one cycle are answered by.
#[derive(Debug, Default)]
pub struct Answers {
    beats: Vec<(usize, Due, Vec<u64>)>,
}

impl Answers {
    /// Output channel number `channel` will answer with these fields; masked ones may be anything.
    pub fn push(&mut self, channel: usize, due: Due, fields: Vec<u64>) {
        self.beats.push((channel, due, fields));
    }
}

/// What a block gives: its core, told which beats the DUT took in each cycle.
pub trait InOrder: Send {
    /// One cycle: applies the beats that were taken (a row of inputs with valid masked by ready), in
    /// the page's order, at the block's own `now`, and says how each will be answered.
    fn apply(&mut self, inputs: &[u64], answers: &mut Answers);

    /// What the levels that only count show once everything is answered, by name.
    fn levels(&self) -> Vec<(&'static str, u64)>;

    /// How often each row of "Must be covered" happened.
    fn cover(&self) -> &Cover;

    /// The core's state of a context: the fields of `peeked` in table order.
    fn state(&self, context: u64) -> Option<Vec<u64>>;
}

/// A block's core under a DUT's own timing.
#[derive(Debug)]
pub struct InOrderModel<B> {
    core: B,
    layout: Layout,
    rules: Rules,
    queues: Vec<AnswerQueue>,
    answers: Answers,
    cycle: u64,
    /// The levels as last seen.
    levels: Vec<u64>,
}

impl<B: InOrder> InOrderModel<B> {
    /// In cycle 0.
    pub fn new(block: &'static Block, params: &ParamSet, timing: &DutTiming, core: B) -> Self {
        let layout = Layout::new(block, params);
        let mut rules = timing.rules().clone();
        for words in &layout.channels_out {
            for (position, field) in words.channel.fields.iter().enumerate() {
                // The DUT's sweep may be another one than the core's.
                rules.at(words.fields + position).ignored |= field.role == FieldRole::SweepTimed;
            }
        }
        let queue = |n| AnswerQueue::new(block, n, &rules);
        Self {
            core,
            queues: (0..layout.channels_out.len()).map(queue).collect(),
            answers: Answers::default(),
            cycle: 0,
            levels: vec![0; layout.outputs.len() - layout.levels],
            layout,
            rules,
        }
    }
}

impl<B: InOrder> Steered for InOrderModel<B> {
    fn step(&mut self, inputs: &[u64], outputs: &[u64]) -> Result<(), Box<Fault>> {
        let cycle = self.cycle;
        self.cycle += 1;
        self.core.apply(inputs, &mut self.answers);
        for (channel, due, fields) in self.answers.beats.drain(..) {
            self.queues[channel].expect(cycle, due, fields);
        }
        for (queue, words) in self.queues.iter_mut().zip(&self.layout.channels_out) {
            if outputs[words.valid] != 0 {
                let fields = words.channel.fields.len();
                queue.show(cycle, &outputs[words.fields..words.fields + fields]);
            }
            if let Some((expected, got)) = queue.pair()? {
                queue.compare(&expected.fields, &got)?;
            }
            queue.overdue(cycle)?;
        }
        // A user's design may have more outputs, behind ours.
        self.levels.copy_from_slice(&outputs[self.layout.levels..self.layout.outputs.len()]);
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Box<Fault>> {
        for queue in &self.queues {
            queue.left_over()?;
        }
        let ports = &self.layout.outputs[self.layout.levels..];
        for (name, expected) in self.core.levels() {
            let Some(at) = ports.iter().position(|port| port.name == name) else { continue };
            if !self.rules.holds(self.layout.levels + at, expected, self.levels[at]) {
                return Err(Fault::of_level(0, self.cycle, name, expected, self.levels[at]));
            }
        }
        Ok(())
    }

    fn cover(&self) -> &Cover {
        self.core.cover()
    }

    fn state(&self, context: u64) -> Option<Vec<u64>> {
        self.core.state(context)
    }
}
