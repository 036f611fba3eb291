//! Lock-step: a golden model and a DUT over the same rows, every output of every cycle compared.
//!
//! The golden model runs first and records rows; batches of them go over a bounded channel to the
//! thread that owns the DUT, which steps and compares. A difference stops both.

use crate::compare::{Comparer, Mismatch, Rules};
use crate::drive::Driver;
use crate::dut::{Dut, DutEnd};
use crate::error::{Error, Result};
use crate::finding::rule_at;
use crate::late::Late;
use crate::play::{Player, peeks_of};
use crate::row::{Rows, blank_outputs, idle_inputs};
use crate::tally::{Counter, Tally};
use crate::tolerance;
use crate::vectors::Case;
use congruent_hw::attributes::AttributeSet;
use congruent_hw::scenario::Leg;
use congruent_hw::stimulus::Stimulus;
use congruent_hw::unit::Unit;
use congruent_hw::{Cover, Golden};
use congruent_ports::Layout;
use crossbeam_channel::{Receiver, Sender, bounded};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// Rows of a batch: large enough that a hand-over costs little, small enough for a second-level
/// cache.
const BATCH: usize = 1024;

/// Batches on their way.
const IN_FLIGHT: usize = 4;

/// Makes the DUT, on the thread that will own it.
pub type MakeDut<'a> = dyn Fn() -> Result<Box<dyn Dut>> + Sync + 'a;

/// What is played next; each starts with a reset.
#[derive(Debug, Clone)]
pub enum Played {
    /// A leg, played into the golden model.
    Leg {
        /// What is played.
        leg: Leg,
        /// Stops in the middle of things, so that the next reset comes in mid-run.
        cut: bool,
    },
    /// A recorded case. The golden model runs along and must still say what was recorded.
    Case(Arc<Case>),
}

/// One lock-step.
pub struct Lockstep<'a> {
    /// The block.
    pub unit: &'static dyn Unit,
    /// Its ports under the parameters of the run.
    pub layout: &'a Layout,
    /// Makes the DUT.
    pub make: &'a MakeDut<'a>,
    /// Cycles by which the DUT's outputs come later than the golden model's: 0 is `exact`.
    pub latency: usize,
    /// What may differ between the DUT's words and ours.
    pub rules: &'a Rules,
    /// Told of every batch: rows compared.
    pub progress: &'a (dyn Fn(u64) + Sync),
}

/// How a lock-step ended.
#[derive(Debug)]
pub enum Outcome {
    /// Every output of every cycle was equal.
    Congruent,
    /// The first difference.
    Diverged(Difference),
    /// The DUT ended before it was asked to.
    Ended {
        /// The leg.
        leg: u64,
        /// Cycle of the leg in which it ended; what was comparable until then was equal.
        cycle: u64,
        /// How.
        end: DutEnd,
    },
}

/// Where and what the first difference is.
#[derive(Debug, Clone, Copy)]
pub struct Difference {
    /// The leg, by number.
    pub leg: u64,
    /// Cycle of the leg, of the golden model's row.
    pub cycle: u64,
    /// Port and values.
    pub mismatch: Mismatch,
    /// The sentence of the page that the core applied, if the model shows a beat there.
    pub rule: Option<&'static str>,
}

enum Message {
    /// A leg begins, with these pins; with rules where they depend on its attributes.
    Leg {
        number: u64,
        pins: Vec<u64>,
        rules: Option<Rules>,
        /// Cycles by which the reset is longer than usual.
        longer: u32,
    },
    Rows(Rows),
}

impl Lockstep<'_> {
    /// Runs what `next` gives, which is told the cycles played so far, until it has no more or the
    /// first difference shows.
    ///
    /// # Errors
    /// Attributes that do not fit, a golden model that does not drain, a DUT that cannot be made.
    pub fn run(&self, next: &mut dyn FnMut(u64) -> Option<Played>) -> Result<(Tally, Outcome)> {
        let start = Instant::now();
        let (to_dut, from_model) = bounded::<Message>(IN_FLIGHT);
        let (give_back, spare) = bounded::<Rows>(IN_FLIGHT + 2);
        thread::scope(|scope| {
            // A fresh thread: Verilator keeps its random state per thread.
            let dut = scope.spawn(move || self.follow(&from_model, &give_back));
            let led = self.lead(next, &to_dut, &spare);
            drop(to_dut);
            let (mut tally, outcome) = match dut.join() {
                Ok(followed) => followed?,
                Err(_) => return Err(Error::plain("the comparing thread ended by a fault")),
            };
            let (cover, model) = led?;
            tally.cover = cover;
            tally.time.model = model;
            tally.time.end(start.elapsed(), 2);
            Ok((tally, outcome))
        })
    }

    /// Plays into the golden model and sends rows. Ends early where nobody listens any more.
    fn lead(
        &self,
        next: &mut dyn FnMut(u64) -> Option<Played>,
        to_dut: &Sender<Message>,
        spare: &Receiver<Rows>,
    ) -> Result<(Cover, Duration)> {
        let layout = self.layout;
        let mut cover = Cover::new(layout.block);
        let mut outlet = Outlet::new(layout, to_dut, spare);
        while let Some(played) = next(outlet.cycles) {
            let golden = match played {
                Played::Leg { leg, cut } => self.lead_leg(&leg, cut, &mut outlet)?,
                Played::Case(case) => self.lead_case(&case, &mut outlet)?,
            };
            outlet.flush();
            cover.merge(golden.cover());
            if outlet.closed {
                break;
            }
        }
        Ok((cover, outlet.busy + outlet.clock.elapsed()))
    }

    fn lead_leg(&self, leg: &Leg, cut: bool, outlet: &mut Outlet<'_>) -> Result<Box<dyn Golden>> {
        let layout = self.layout;
        let mut golden = self.unit.golden(&leg.attributes, &layout.params)?;
        let pins = self.unit.pins(&leg.attributes, &layout.params)?;
        outlet.number(pins, self.rules_of(&leg.attributes));
        let mut longer = 0;
        if let Some((attempt, reset)) = leg.stimulus.attempt() {
            let leg = Leg { attributes: leg.attributes.clone(), stimulus: attempt };
            outlet.start(0);
            self.attempt(&leg, reset.after, outlet)?;
            longer = reset.longer;
        }
        outlet.start(longer);
        let peeks = peeks_of(layout, 0..self.unit.contexts(&layout.params));
        let mut player = Player::new(&leg.stimulus, &peeks, layout);
        let mut inputs = idle_inputs(layout);
        let mut outputs = blank_outputs(layout);
        while !(outlet.closed || cut && player.main_is_over())
            && player.step(golden.as_mut(), &mut inputs, &mut outputs)?
        {
            outlet.row(&inputs, &outputs);
        }
        if !cut {
            self.trail(golden.as_mut(), outlet);
        }
        Ok(golden)
    }

    /// Plays the beginning of a leg that is not played to its end.
    fn attempt(&self, leg: &Leg, cycles: u64, outlet: &mut Outlet<'_>) -> Result<()> {
        let layout = self.layout;
        let mut golden = self.unit.golden(&leg.attributes, &layout.params)?;
        let nothing = Stimulus::new(layout.block);
        let mut player = Player::new(&leg.stimulus, &nothing, layout);
        let mut inputs = idle_inputs(layout);
        let mut outputs = blank_outputs(layout);
        for _ in 0..cycles {
            if outlet.closed || !player.step(golden.as_mut(), &mut inputs, &mut outputs)? {
                break;
            }
            outlet.row(&inputs, &outputs);
        }
        outlet.flush();
        Ok(())
    }

    /// The rules of a leg, where they depend on its attributes.
    fn rules_of(&self, attributes: &AttributeSet) -> Option<Rules> {
        let depend = self.rules.depend_on_units();
        depend.then(|| tolerance::in_lsb(self.rules, self.layout, self.unit, attributes))
    }

    /// Idle rows at the end, in which a late DUT shows what the golden model showed last.
    fn trail(&self, golden: &mut dyn Golden, outlet: &mut Outlet<'_>) {
        let inputs = idle_inputs(self.layout);
        let mut outputs = blank_outputs(self.layout);
        for _ in 0..self.latency {
            golden.step(&inputs, &mut outputs);
            outlet.row(&inputs, &outputs);
        }
    }

    fn lead_case(&self, case: &Case, outlet: &mut Outlet<'_>) -> Result<Box<dyn Golden>> {
        let layout = self.layout;
        let mut golden = self.unit.golden(&case.attributes, &layout.params)?;
        outlet.number(case.pins.clone(), self.rules_of(&case.attributes));
        outlet.start(0);
        // A recording has the outputs of the table only.
        let table = Layout::new(layout.block, &layout.params);
        let comparer = Comparer::new(&table, &Rules::none());
        let mut recorded = blank_outputs(layout);
        let mut outputs = blank_outputs(layout);
        for n in 0..case.rows.len() {
            golden.step(case.rows.input(n), &mut outputs);
            if let Some(stale) = comparer.row(case.rows.output(n), &outputs) {
                return Err(Error::input(
                    format!(
                        "vectors {}/{}: cycle {n}: {} is {:#x} in expected.hex, the golden model now says {:#x}",
                        layout.block.name,
                        case.about.scenario,
                        layout.outputs[stale.port].name,
                        stale.expected,
                        stale.got
                    ),
                    "see what changed with `congruent vectors verify`; write them anew with `make vectors`",
                ));
            }
            recorded[..table.outputs.len()].copy_from_slice(case.rows.output(n));
            outlet.row(case.rows.input(n), &recorded);
            if outlet.closed {
                return Ok(golden);
            }
        }
        // A recording peeks a few contexts only, to stay small; here all of them are compared.
        let nothing = Stimulus::new(layout.block);
        let peeks = peeks_of(layout, 0..self.unit.contexts(&layout.params));
        let mut player = Player::new(&nothing, &peeks, layout);
        let mut inputs = idle_inputs(layout);
        while !outlet.closed && player.step(golden.as_mut(), &mut inputs, &mut outputs)? {
            outlet.row(&inputs, &outputs);
        }
        self.trail(golden.as_mut(), outlet);
        Ok(golden)
    }

    /// Plays a leg on a DUT that is there already, as long as its stimulus says and no further, in
    /// this thread: one of many tries.
    ///
    /// # Errors
    /// Attributes that do not fit.
    pub fn once(&self, dut: &mut dyn Dut, leg: &Leg) -> Result<Outcome> {
        let layout = self.layout;
        let mut golden = self.unit.golden(&leg.attributes, &layout.params)?;
        let pins = self.unit.pins(&leg.attributes, &layout.params)?;
        let mut compare = Late::new(layout, self.rules, self.latency);
        compare.start(layout, self.rules_of(&leg.attributes).as_ref());
        if let Err(end) = dut.configure(&pins).and_then(|()| dut.reset()) {
            return Ok(Outcome::Ended { leg: 0, cycle: 0, end });
        }
        let mut driver = Driver::new(&leg.stimulus, layout);
        let mut inputs = idle_inputs(layout);
        let mut outputs = blank_outputs(layout);
        let mut rows = Rows::new(inputs.len(), outputs.len(), BATCH);
        let mut got = vec![];
        while driver.cycle() < leg.stimulus.cycles {
            let cycle = driver.cycle();
            rows.clear();
            while rows.len() < BATCH && driver.cycle() < leg.stimulus.cycles {
                driver.offer(&mut inputs);
                golden.step(&inputs, &mut outputs);
                driver.taken(&inputs, &outputs);
                rows.inputs.extend_from_slice(&inputs);
                rows.outputs.extend_from_slice(&outputs);
            }
            got.resize(rows.outputs.len(), 0);
            let stepped = dut.steps(&rows.inputs, &mut got, false);
            if let Some(outcome) = self.judged(&mut compare, (0, cycle), &rows, &got, stepped) {
                return Ok(outcome);
            }
        }
        Ok(Outcome::Congruent)
    }

    /// What is wrong with rows that the DUT stepped, the first of them in this leg and cycle.
    fn judged(
        &self,
        compare: &mut Late,
        (leg, cycle): (u64, u64),
        rows: &Rows,
        got: &[u64],
        stepped: Result<usize, DutEnd>,
    ) -> Option<Outcome> {
        let good = rows.width_out * good_rows(&stepped);
        if let Some((at, mismatch)) = compare.batch(&rows.outputs[..good], &got[..good]) {
            let rule = rule_at(self.unit, self.layout, mismatch.port, compare.expected());
            let cycle = cycle + at as u64;
            return Some(Outcome::Diverged(Difference { leg, cycle, mismatch, rule }));
        }
        let end = stepped.err()?;
        Some(Outcome::Ended { leg, cycle: cycle + end.row as u64, end })
    }

    /// Steps the DUT over the rows that come and compares.
    fn follow(
        &self,
        from_model: &Receiver<Message>,
        give_back: &Sender<Rows>,
    ) -> Result<(Tally, Outcome)> {
        let layout = self.layout;
        let mut tally = Tally::new(layout.block);
        let counter = Counter::new(layout);
        let mut compare = Late::new(layout, self.rules, self.latency);
        let clock = Instant::now();
        let mut dut = (self.make)()?;
        tally.time.build = clock.elapsed();
        let mut got = vec![];
        let (mut leg, mut cycle) = (0, 0);
        for message in from_model {
            let rows = match message {
                Message::Leg { number, pins, rules, longer } => {
                    (leg, cycle) = (number, 0);
                    tally.legs = number + 1;
                    compare.start(layout, rules.as_ref());
                    if let Err(end) = dut.configure(&pins).and_then(|()| dut.reset_longer(longer)) {
                        return Ok((tally, Outcome::Ended { leg, cycle, end }));
                    }
                    continue;
                }
                Message::Rows(rows) => rows,
            };
            let clock = Instant::now();
            got.resize(rows.outputs.len(), 0);
            let stepped = dut.steps(&rows.inputs, &mut got, false);
            tally.time.rtl += clock.elapsed();
            let clock = Instant::now();
            let good = good_rows(&stepped);
            let (good_in, good_out) = (good * rows.width_in, good * rows.width_out);
            counter.count(&mut tally, &rows.inputs[..good_in], &rows.outputs[..good_out]);
            let wrong = self.judged(&mut compare, (leg, cycle), &rows, &got, stepped);
            tally.time.compare += clock.elapsed();
            if let Some(outcome) = wrong {
                return Ok((tally, outcome));
            }
            cycle += good as u64;
            (self.progress)(good as u64);
            // The model's thread may be gone already; then nobody needs the room.
            let _ = give_back.try_send(rows);
        }
        match dut.finish() {
            Ok(()) => Ok((tally, Outcome::Congruent)),
            Err(end) => Ok((tally, Outcome::Ended { leg, cycle, end })),
        }
    }
}

/// Rows of a call whose outputs are good.
fn good_rows(stepped: &Result<usize, DutEnd>) -> usize {
    match stepped {
        Ok(rows) => *rows,
        Err(end) => end.rows,
    }
}

/// Where the golden model's rows leave in batches.
struct Outlet<'a> {
    to_dut: &'a Sender<Message>,
    spare: &'a Receiver<Rows>,
    rows: Rows,
    /// Legs that were begun; pins and rules of the last one.
    leg: u64,
    pins: Vec<u64>,
    rules: Option<Rules>,
    cycles: u64,
    /// Nobody listens any more.
    closed: bool,
    clock: Instant,
    busy: Duration,
}

impl<'a> Outlet<'a> {
    fn new(layout: &Layout, to_dut: &'a Sender<Message>, spare: &'a Receiver<Rows>) -> Self {
        let rows = Rows::new(layout.inputs.len(), layout.outputs.len(), BATCH);
        Self {
            to_dut,
            spare,
            rows,
            leg: 0,
            pins: vec![],
            rules: None,
            cycles: 0,
            closed: false,
            clock: Instant::now(),
            busy: Duration::ZERO,
        }
    }

    /// The next leg, with these pins.
    fn number(&mut self, pins: Vec<u64>, rules: Option<Rules>) {
        self.leg += 1;
        (self.pins, self.rules) = (pins, rules);
    }

    /// It begins with a reset.
    fn start(&mut self, longer: u32) {
        let (number, pins, rules) = (self.leg - 1, self.pins.clone(), self.rules.clone());
        self.send(Message::Leg { number, pins, rules, longer });
    }

    #[inline]
    fn row(&mut self, inputs: &[u64], outputs: &[u64]) {
        self.rows.inputs.extend_from_slice(inputs);
        self.rows.outputs.extend_from_slice(outputs);
        if self.rows.len() == BATCH {
            self.flush();
        }
    }

    fn flush(&mut self) {
        if self.rows.is_empty() {
            return;
        }
        self.cycles += self.rows.len() as u64;
        let (width_in, width_out) = (self.rows.width_in, self.rows.width_out);
        let fresh = || Rows::new(width_in, width_out, BATCH);
        let mut next = self.spare.try_recv().unwrap_or_else(|_| fresh());
        next.clear();
        let full = std::mem::replace(&mut self.rows, next);
        self.send(Message::Rows(full));
    }

    /// Sends; waiting for room is not the golden model's time.
    fn send(&mut self, message: Message) {
        self.busy += self.clock.elapsed();
        self.closed |= self.to_dut.send(message).is_err();
        self.clock = Instant::now();
    }
}
