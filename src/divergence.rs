//! What a divergence tells: found again in a deterministic re-run, stopped there and explained.
//!
//! The live run knows only leg, cycle and port. The re-run plays the same leg into a fresh golden
//! model and a fresh DUT up to that cycle, keeps the transactions of the context in question, and
//! then, with nothing else going on, asks both sides for that context by `peek`.

use crate::compare::{Comparer, Mismatch, Rules};
use crate::error::{Error, Result};
use crate::finding::{Signature, rule_of_fault};
use crate::lockstep::{Difference, MakeDut};
use crate::rerun::{Lead, Rerun};
use crate::sides::Sides;
use crate::tolerance;
use crate::units::{Units, grouped};
use congruent_hw::scenario::Leg;
use congruent_hw::steered::Fault;
use congruent_hw::unit::Unit;
use congruent_ports::{Channel, ChannelLayout, Dir, FieldRole, Layout, PortRole, Quantity, Ready};
use serde::Serialize;
use std::collections::VecDeque;
use std::fmt;

/// Transactions that are shown.
const LAST: usize = 12;

/// Contexts that are asked for a key, at the most.
const MOST_CONTEXTS: u64 = 4096;

/// What stands for the value of a side that does not answer a peek.
const NO_ANSWER: &str = "no answer";

/// The report of one divergence.
#[derive(Debug, Clone, Serialize)]
pub struct Divergence {
    /// Block.
    pub block: String,
    /// What was running: `random short, seed 1, leg 3`, or a scenario.
    pub run: String,
    /// Cycle of the leg, from 0.
    pub cycle: u64,
    /// The port of the RTL.
    pub port: String,
    /// Where it shows and as what.
    #[serde(flatten)]
    pub signature: Signature,
    /// How often it came.
    pub times: u64,
    /// Context that it is about, if one is known.
    pub context: Option<u64>,
    /// Key of the context that it is about, of a block whose contexts are known by their content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<u64>,
    /// What the golden model shows.
    pub expected: Side,
    /// The same in the DUT's format, where that is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theirs: Option<Side>,
    /// What the DUT shows.
    pub got: Side,
    /// How far off the DUT may be, and is, where a tolerance applies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<String>,
    /// Bits that differ, lowest first.
    pub bits: Vec<u32>,
    /// What is wrong, where it is more than a value.
    pub message: Option<String>,
    /// The sentence of the block's page that the core applied.
    pub rule: Option<String>,
    /// The last transactions of that context, oldest first.
    pub transactions: Vec<String>,
    /// The state of that context on both sides, field by field.
    pub state: Vec<StateLine>,
    /// Command that runs this again.
    pub command: String,
    /// Versions that took part.
    pub versions: Vec<String>,
    /// From what it was shrunk, and to what.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shrunk: Option<String>,
    /// Files that were written.
    pub files: Vec<String>,
    /// Where it is, for those who look at it again.
    #[serde(skip)]
    pub spot: Spot,
}

/// Where a divergence is, in raw words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spot {
    /// Cycle of the leg; with a late DUT that of the DUT's row.
    pub cycle: u64,
    /// Word among the outputs.
    pub word: usize,
    /// What the golden model, or the core, says; none where it is no value.
    pub expected: Option<u64>,
    /// What the DUT shows; none where it is no value.
    pub got: Option<u64>,
}

/// A value of one side.
#[derive(Debug, Clone, Serialize)]
pub struct Side {
    /// Bits in hexadecimal.
    pub hex: String,
    /// In engineering units or by name.
    pub value: String,
}

/// A field of a context on both sides.
#[derive(Debug, Clone, Serialize)]
pub struct StateLine {
    /// Field of `peeked`.
    pub field: String,
    /// The golden model's.
    pub model: String,
    /// The DUT's.
    pub dut: String,
}

/// What the report needs to know of the run.
pub struct Scene<'a> {
    /// The block.
    pub unit: &'static dyn Unit,
    /// Its ports.
    pub layout: &'a Layout,
    /// Makes the DUT again.
    pub make: &'a MakeDut<'a>,
    /// Cycles by which the DUT is late.
    pub latency: u64,
    /// What may differ between the DUT's words and ours.
    pub rules: &'a Rules,
    /// What there is to say of how the sides were compared.
    pub remark: Option<String>,
    /// The leg.
    pub leg: &'a Leg,
    /// What was running.
    pub run: String,
    /// Command that runs it again.
    pub command: String,
    /// Versions that took part.
    pub versions: Vec<String>,
}

impl Scene<'_> {
    /// The rules with tolerances as the leg's attributes have them.
    pub fn rules_of_leg(&self) -> Rules {
        tolerance::in_lsb(self.rules, self.layout, self.unit, &self.leg.attributes)
    }

    /// Runs the leg again up to the difference, on a fresh thread, and explains it.
    ///
    /// # Errors
    /// A DUT that cannot be made again, or that behaves differently the second time.
    pub fn explain(&self, difference: Difference) -> Result<Divergence> {
        std::thread::scope(|scope| {
            let again = scope.spawn(|| self.again(difference));
            again.join().unwrap_or_else(|_| Err(Error::plain("the re-run ended by a fault")))
        })
    }

    /// Runs the leg again up to a fault of a steered run, and explains it. `state` is the core's, as
    /// the fields of `peeked`.
    ///
    /// # Errors
    /// As for [`Scene::explain`].
    pub fn explain_fault(&self, fault: &Fault, state: Option<Vec<u64>>) -> Result<Divergence> {
        std::thread::scope(|scope| {
            let again = scope.spawn(|| self.fault_again(fault, state));
            again.join().unwrap_or_else(|_| Err(Error::plain("the re-run ended by a fault")))
        })
    }

    fn fault_again(&self, fault: &Fault, state: Option<Vec<u64>>) -> Result<Divergence> {
        let layout = self.layout;
        let at = &layout.channels_out[fault.channel];
        let mut rerun = Retold::new(self)?;
        rerun.play(Lead::Dut, fault.cycle)?;
        let units = Units::new(&layout.params, self.unit.line_rate_gbps(&self.leg.attributes));
        let field = fault.field.map(|f| &at.channel.fields[f]);
        let quantity = field.map_or(Quantity::Flag, |f| f.quantity);
        let word = fault.field.map_or(at.valid, |field| at.fields + field);
        let sides = self.sides(word, quantity, &units, fault.expected, fault.got);
        let (_, shown) = rerun.shown();
        let rule = rule_of_fault(self.unit, layout, fault, shown);
        let key = match shown.is_empty() {
            true => None,
            false => subject_of(at, shown, shown).key,
        };
        let mut subject = Subject { context: fault.context, key };
        let transactions = rerun.transactions_of(subject, &units);
        let held = self.find(&mut subject, Lead::Dut, fault.cycle)?;
        let mut lines = subject.context.map_or(Ok(vec![]), |c| rerun.peek(c, &units))?;
        for (n, line) in lines.iter_mut().enumerate() {
            let quantity = |n: usize| {
                let answer = layout.channels_out.iter().find(|c| c.channel.name == "peeked");
                answer.map_or(Quantity::Count, |c| c.channel.fields[n].quantity)
            };
            line.model = match state.as_ref().and_then(|fields| fields.get(n)) {
                Some(raw) => units.describe(quantity(n), *raw),
                None => "unknown".to_string(),
            };
        }
        let signature = Signature::of_fault(layout, fault);
        Ok(Divergence {
            block: layout.block.name.to_string(),
            run: self.run.clone(),
            cycle: fault.cycle,
            port: match fault.field {
                Some(_) => format!("{}_{}", at.channel.name, signature.field),
                None => at.channel.name.to_string(),
            },
            signature,
            times: 1,
            context: subject.context,
            key: subject.key,
            expected: sides.expected,
            theirs: sides.theirs,
            got: sides.got,
            tolerance: sides.tolerance,
            bits: sides.bits,
            message: joined([
                Some(fault.message.clone()),
                rerun.rerun.ended.take(),
                held,
                None,
                None,
            ]),
            rule: rule.map(str::to_string),
            transactions,
            state: lines,
            command: self.command.clone(),
            versions: self.versions.clone(),
            shrunk: None,
            files: vec![],
            spot: Spot {
                cycle: fault.cycle,
                word,
                // Of a beat as a whole they are none of its words.
                expected: fault.expected.filter(|_| fault.field.is_some()),
                got: fault.got.filter(|_| fault.field.is_some()),
            },
        })
    }

    fn again(&self, difference: Difference) -> Result<Divergence> {
        let signature = Signature::of_difference(self.layout, &difference);
        let Mismatch { port, expected, got } = difference.mismatch;
        let layout = self.layout;
        let mut rerun = Retold::new(self)?;
        rerun.play(Lead::Model, difference.cycle)?;
        let line = self.unit.line_rate_gbps(&self.leg.attributes);
        let units = Units::new(&layout.params, line);
        let (channel, quantity) = name_port(layout, port);
        let at = layout.channels_out.iter().find(|c| Some(c.channel.name) == channel);
        let (model_row, dut_row) = rerun.shown();
        let at = at.filter(|_| !model_row.is_empty());
        let mut subject = at.map_or(Subject::default(), |at| subject_of(at, model_row, dut_row));
        let rule = at
            .filter(|at| model_row[at.valid] != 0)
            .and_then(|at| self.unit.rule(at.channel.name, fields_of(at, model_row)));
        let sides = self.sides(port, quantity, &units, Some(expected), Some(got));
        let transactions = rerun.transactions_of(subject, &units);
        let gone = rerun.rerun.ended.is_none() && !rerun.shows(port);
        let gone = gone.then(|| LEFT_BEHIND.to_string());
        let held = self.find(&mut subject, Lead::Model, difference.cycle)?;
        let state = subject.context.map_or(Ok(vec![]), |c| rerun.peek(c, &units))?;
        Ok(Divergence {
            block: layout.block.name.to_string(),
            run: self.run.clone(),
            cycle: difference.cycle,
            port: layout.outputs[port].name.clone(),
            signature,
            times: 1,
            context: subject.context,
            key: subject.key,
            expected: sides.expected,
            theirs: sides.theirs,
            got: sides.got,
            tolerance: sides.tolerance,
            bits: sides.bits,
            message: joined([
                refused(layout, port),
                rerun.rerun.ended.take(),
                gone,
                held,
                self.remark.clone(),
            ]),
            rule: rule.map(str::to_string),
            transactions,
            state,
            command: self.command.clone(),
            versions: self.versions.clone(),
            shrunk: None,
            files: vec![],
            spot: Spot {
                cycle: difference.cycle,
                word: port,
                expected: Some(expected),
                got: Some(got),
            },
        })
    }
}

impl Scene<'_> {
    fn sides(
        &self,
        word: usize,
        quantity: Quantity,
        units: &Units<'_>,
        expected: Option<u64>,
        got: Option<u64>,
    ) -> Sides {
        let asked = self.rules.get(word).and_then(|rule| rule.tolerance);
        let rule = self.rules_of_leg().get(word).cloned().unwrap_or_default();
        Sides::new(&rule, asked, (quantity, units, &self.layout.params), expected, got)
    }

    /// Where a subject is known by its key only: asks every context of both sides which of them holds
    /// it, in a run of its own, since asking takes time. Says so where the sides do not agree.
    fn find(&self, subject: &mut Subject, lead: Lead, cycle: u64) -> Result<Option<String>> {
        let (None, Some(key)) = (subject.context, subject.key) else { return Ok(None) };
        let Some(answer) = self.layout.channels_out.iter().find(|c| c.channel.name == "peeked")
        else {
            return Ok(None);
        };
        let Some(field) = answer.channel.key() else { return Ok(None) };
        // The first flag of the state says whether the context is in use.
        let in_use = |f: &congruent_ports::Field| matches!(f.quantity, Quantity::Flag);
        let in_use = answer.channel.fields.iter().position(in_use);
        let mut rerun = Rerun::new(self)?;
        rerun.play(lead, cycle, &mut |_| Ok(()))?;
        let mut holders = [None, None];
        for context in 0..rerun.contexts.min(MOST_CONTEXTS) {
            for (holder, fields) in holders.iter_mut().zip(rerun.ask(context)) {
                let holds = fields.is_some_and(|fields| {
                    fields[field] == key && in_use.is_none_or(|at| fields[at] != 0)
                });
                if holds && holder.is_none() {
                    *holder = Some(context);
                }
            }
        }
        subject.context = holders[0].or(holders[1]);
        if holders[0] == holders[1] {
            return Ok(None);
        }
        let name = answer.channel.fields[field].name;
        let place = |holder: Option<u64>| match holder {
            Some(context) => format!("in context {context}"),
            None => "in no context".to_string(),
        };
        let [model, dut] = holders.map(place);
        Ok(Some(format!("{name} {key} is {model} of the model and {dut} of the DUT")))
    }
}

/// What a ready that is not the table's means: it differs only where it refuses a beat.
fn refused(layout: &Layout, port: usize) -> Option<String> {
    match layout.outputs[port].role {
        PortRole::Ready(channel) if channel.ready == Ready::Never => Some(format!(
            "the DUT refused a beat of {}, which the block always takes; with --compare steered a \
             refused beat is offered again",
            channel.name
        )),
        _ => None,
    }
}

fn joined(parts: [Option<String>; 5]) -> Option<String> {
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// What a divergence is about: a context by its number, by its key, or both.
#[derive(Debug, Clone, Copy, Default)]
struct Subject {
    context: Option<u64>,
    key: Option<u64>,
}

impl Subject {
    /// Whether a beat that is on a channel is about it.
    fn is_of(self, at: &ChannelLayout, row: &[u64]) -> bool {
        let is = |field: Option<usize>, wanted: Option<u64>| {
            field.is_some_and(|field| Some(row[at.fields + field]) == wanted)
        };
        is(at.channel.context(), self.context) || is(at.channel.key(), self.key)
    }
}

/// Channel and meaning of an output port.
fn name_port(layout: &Layout, port: usize) -> (Option<&'static str>, Quantity) {
    match layout.outputs[port].role {
        PortRole::Valid(c) | PortRole::Ready(c) => (Some(c.name), Quantity::Flag),
        PortRole::Payload(c, f) => (Some(c.name), f.quantity),
        PortRole::Level(f) | PortRole::Cfg(f) => (None, f.quantity),
        PortRole::Control(c) => (None, c.field.quantity),
    }
}

/// What a beat is about, from the side that shows one.
fn subject_of(at: &ChannelLayout, model: &[u64], dut: &[u64]) -> Subject {
    let row = if model[at.valid] != 0 { model } else { dut };
    if row[at.valid] == 0 {
        return Subject::default();
    }
    let value = |field: Option<usize>| field.map(|field| row[at.fields + field]);
    Subject { context: value(at.channel.context()), key: value(at.channel.key()) }
}

fn fields_of<'r>(at: &ChannelLayout, row: &'r [u64]) -> &'r [u64] {
    &row[at.fields..at.fields + at.channel.fields.len()]
}

/// A row of both sides that is kept for the report.
struct Kept {
    cycle: u64,
    inputs: Vec<u64>,
    model: Vec<u64>,
    dut: Vec<u64>,
    /// Ports that differ.
    wrong: Vec<usize>,
}

/// A leg played again, with what its report needs of the way there.
struct Retold<'a> {
    layout: &'a Layout,
    rerun: Rerun<'a>,
    rules: Rules,
    comparer: Comparer,
    kept: VecDeque<Kept>,
}

/// What is said of a difference that a fresh DUT does not show.
const LEFT_BEHIND: &str = "a fresh DUT does not show it: something is left of an earlier leg, as of a \
                           register that reset leaves out";

/// Rows in which something happened that are kept: enough for the last transactions of a context.
const KEPT: usize = 20_000;

impl<'a> Retold<'a> {
    fn new(scene: &'a Scene<'a>) -> Result<Self> {
        let rerun = Rerun::new(scene)?;
        let rules = scene.rules.clone();
        let comparer = Comparer::new(scene.layout, &scene.rules_of_leg());
        Ok(Self { layout: scene.layout, rerun, rules, comparer, kept: VecDeque::new() })
    }

    /// Plays the leg up to and with a cycle.
    fn play(&mut self, lead: Lead, cycle: u64) -> Result<()> {
        let Self { layout, rerun, rules, comparer, kept } = self;
        rerun.play(lead, cycle, &mut |seen| {
            let Some(dut) = seen.dut else { return Ok(()) };
            let silent = vec![0; dut.len()];
            let model = seen.model.unwrap_or(&silent);
            let mut wrong = vec![];
            comparer.each(model, dut, &mut |found| wrong.push(found.port));
            let mut dut = dut.to_vec();
            rules.as_ours(model, &mut dut);
            // Where the DUT leads there is one side only.
            let model = if lead == Lead::Dut { dut.clone() } else { model.to_vec() };
            let quiet = !busy(layout, seen.inputs, &model) && !busy(layout, &[], &dut);
            if quiet && seen.cycle != cycle {
                return Ok(());
            }
            if kept.len() == KEPT {
                kept.pop_front();
            }
            kept.push_back(Kept {
                cycle: seen.cycle,
                inputs: seen.inputs.to_vec(),
                model,
                dut,
                wrong,
            });
            Ok(())
        })
    }

    /// Whether the last row shows a difference at a port.
    fn shows(&self, port: usize) -> bool {
        self.kept.back().is_some_and(|kept| kept.wrong.contains(&port))
    }

    /// The last row of both sides.
    fn shown(&self) -> (&[u64], &[u64]) {
        self.kept.back().map_or((&[], &[]), |kept| (&kept.model, &kept.dut))
    }

    fn transactions_of(&self, subject: Subject, units: &Units<'_>) -> Vec<String> {
        let mut lines = vec![];
        for kept in self.kept.iter().rev() {
            let mut of_row = vec![];
            for at in &self.layout.channels_in {
                of_row.extend(self.beat(kept.cycle, at, &kept.inputs, subject, "", units));
            }
            for at in &self.layout.channels_out {
                let model = self.beat(kept.cycle, at, &kept.model, subject, "", units);
                let dut = self.beat(kept.cycle, at, &kept.dut, subject, "", units);
                if model == dut {
                    of_row.extend(model);
                } else {
                    of_row.extend(self.beat(
                        kept.cycle,
                        at,
                        &kept.model,
                        subject,
                        " (model)",
                        units,
                    ));
                    of_row.extend(self.beat(kept.cycle, at, &kept.dut, subject, " (DUT)", units));
                }
            }
            lines.extend(of_row.into_iter().rev());
            if lines.len() >= LAST {
                break;
            }
        }
        lines.truncate(LAST);
        lines.reverse();
        lines
    }

    fn beat(
        &self,
        cycle: u64,
        at: &ChannelLayout,
        row: &[u64],
        subject: Subject,
        side: &str,
        units: &Units<'_>,
    ) -> Option<String> {
        let shown = row[at.valid] != 0 && subject.is_of(at, row);
        let fields = shown.then(|| decode(at.channel, fields_of(at, row), units))?;
        let arrow = if at.channel.dir == Dir::In { ">" } else { "<" };
        Some(format!("{cycle:>8} {arrow} {}{side} {fields}", at.channel.name))
    }

    /// A context as both sides hold it, asked for by `peek`.
    fn peek(&mut self, context: u64, units: &Units<'_>) -> Result<Vec<StateLine>> {
        let layout = self.layout;
        let Some(answer) = layout.channels_out.iter().find(|c| c.channel.name == "peeked") else {
            return Ok(vec![]);
        };
        let mut answers = self.rerun.ask(context);
        if let [ours, Some(theirs)] = &mut answers {
            let mut rows = [vec![0; layout.outputs.len()], vec![0; layout.outputs.len()]];
            let fields = answer.fields..answer.fields + theirs.len();
            rows[0][fields.clone()].copy_from_slice(ours.as_deref().unwrap_or(theirs));
            rows[1][fields.clone()].copy_from_slice(theirs);
            let [ours, mut row] = rows;
            self.rules.as_ours(&ours, &mut row);
            theirs.copy_from_slice(&row[fields]);
        }
        let show = |side: usize, n: usize, quantity| {
            let raw = answers[side].as_ref().map(|fields: &Vec<u64>| fields[n]);
            raw.map_or(NO_ANSWER.to_string(), |raw| units.describe(quantity, raw))
        };
        let fields = answer.channel.fields.iter().enumerate();
        Ok(fields
            .map(|(n, f)| StateLine {
                field: f.name.to_string(),
                model: show(0, n, f.quantity),
                dut: show(1, n, f.quantity),
            })
            .collect())
    }
}

fn busy(layout: &Layout, inputs: &[u64], outputs: &[u64]) -> bool {
    let input = |c: &ChannelLayout| inputs.get(c.valid).is_some_and(|v| *v != 0);
    layout.channels_in.iter().any(input)
        || layout.channels_out.iter().any(|c| outputs[c.valid] != 0)
}

/// A beat's fields as text: `qp=3 cause=reduction rate=300 Gbps`.
pub fn decode(channel: &Channel, fields: &[u64], units: &Units<'_>) -> String {
    // An error masks all but what it echoes: no value of a masked field is news.
    let refused = channel.error().is_some_and(|error| fields[error] != 0);
    let means = |role: FieldRole| !refused || role.outlives_error();
    let shown: Vec<_> = channel
        .fields
        .iter()
        .zip(fields)
        .filter(|(field, _)| means(field.role))
        .map(|(field, raw)| format!("{}={}", field.name, units.describe(field.quantity, *raw)))
        .collect();
    shown.join(" ")
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "DIVERGED  {}: {}, cycle {}", self.block, self.run, self.cycle)?;
        write!(f, "  port      {}", self.port)?;
        match (self.context, self.key) {
            (Some(context), Some(key)) => writeln!(f, "  (context {context}, key {key})")?,
            (Some(context), None) => writeln!(f, "  (context {context})")?,
            (None, Some(key)) => writeln!(f, "  (key {key})")?,
            (None, None) => writeln!(f)?,
        }
        if let Some(message) = &self.message {
            writeln!(f, "  what      {message}")?;
        }
        writeln!(f, "  expected  {:<12} {}", self.expected.hex, self.expected.value)?;
        if let Some(theirs) = &self.theirs {
            writeln!(f, "  in theirs {:<12} {}", theirs.hex, theirs.value)?;
        }
        writeln!(f, "  got       {:<12} {}", self.got.hex, self.got.value)?;
        if let Some(tolerance) = &self.tolerance {
            writeln!(f, "  tolerance {tolerance}")?;
        }
        if !self.bits.is_empty() {
            let bits: Vec<_> = self.bits.iter().map(u32::to_string).collect();
            writeln!(f, "  bits      {}", bits.join(", "))?;
        }
        if let Some(rule) = &self.rule {
            writeln!(f, "  rule      {rule}")?;
        }
        if !self.transactions.is_empty() {
            writeln!(f, "  last transactions of the context (> in, < out)")?;
            for line in &self.transactions {
                writeln!(f, "  {line}")?;
            }
        }
        if !self.state.is_empty() {
            let silent = StateTable(&self.state).is_silent();
            let sides = if silent { "model; the DUT answers no peek" } else { "model, DUT" };
            writeln!(f, "  state after that cycle, by peek  ({sides})")?;
            write!(f, "{}", StateTable(&self.state))?;
        }
        if self.times > 1 {
            writeln!(f, "  times     {}, of which this one is the shortest", grouped(self.times))?;
        }
        if let Some(shrunk) = &self.shrunk {
            writeln!(f, "  shrunk    {shrunk}")?;
        }
        writeln!(f, "  versions  {}", self.versions.join(", "))?;
        for file in &self.files {
            writeln!(f, "  wrote     {file}")?;
        }
        write!(f, "  again     {}", self.command)
    }
}

/// The state of a context, a line a field; a star marks what differs.
struct StateTable<'a>(&'a [StateLine]);

impl fmt::Display for StateTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widest = |of: fn(&StateLine) -> &String, least: usize| {
            self.0.iter().map(|line| of(line).chars().count()).fold(least, usize::max)
        };
        // Tables with short names look alike; a long one widens its column.
        let (field, model) = (widest(|line| &line.field, 10), widest(|line| &line.model, 28));
        for StateLine { field: name, model: ours, dut } in self.0 {
            if self.is_silent() {
                writeln!(f, "    {name:<field$} {ours}")?;
                continue;
            }
            let mark = if ours == dut { ' ' } else { '*' };
            writeln!(f, "  {mark} {name:<field$} {ours:<model$} {dut}")?;
        }
        Ok(())
    }
}

impl StateTable<'_> {
    /// Whether the DUT answers no peek: then there is nothing to compare.
    fn is_silent(&self) -> bool {
        self.0.iter().all(|line| line.dut == NO_ANSWER)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_a_state_are_as_wide_as_their_longest_entry() {
        let line = |field: &str, model: &str, dut: &str| StateLine {
            field: field.to_string(),
            model: model.to_string(),
            dut: dut.to_string(),
        };
        let short = [line("queue", "52", "52"), line("average", "0 bytes", "9216 bytes")];
        let expected = [
            "    queue      52                           52",
            "  * average    0 bytes                      9216 bytes",
        ];
        assert_eq!(StateTable(&short).to_string().lines().collect::<Vec<_>>(), expected);
        let long = [
            line("cnp_interval_left", "1", "1"),
            line("rate", "299.99999999999994 Gbps of 400", "300 Gbps"),
        ];
        let expected = [
            "    cnp_interval_left 1                              1",
            "  * rate              299.99999999999994 Gbps of 400 300 Gbps",
        ];
        assert_eq!(StateTable(&long).to_string().lines().collect::<Vec<_>>(), expected);
        let silent = [line("queue", "52", NO_ANSWER)];
        assert_eq!(StateTable(&silent).to_string(), "    queue      52\n");
    }
}
