//! A toy block for the tests of the harness: its golden model, written from the same few lines as
//! `toy.sv`, and traffic for it.

pub mod program;
mod table;

pub use table::{TOY, layout};

use congruent::compare::{Comparer, Rules};
use congruent_hw::attributes::{AttributeError, AttributeSet};
use congruent_hw::perf::{Plan, Probe, TableUse};
use congruent_hw::random::Draw;
use congruent_hw::scenario::{Leg, Scenario};
use congruent_hw::steered::{Fault, Steered};
use congruent_hw::stimulus::Stimulus;
use congruent_hw::unit::{DutTiming, RealBeat, Unit};
use congruent_hw::{Cover, Golden};
use congruent_ports::{Block, Layout, ParamSet, error};

/// Input channels by position.
pub const HEAD: usize = 0;
pub const PEEK: usize = 1;

/// The block as the harness sees it.
pub struct Toy;

/// One packet a queue; what is sent or peeked shows in the next cycle.
struct Model {
    layout: Layout,
    highest: bool,
    waiting: Vec<Option<[u64; 2]>>,
    sent: Option<[u64; 4]>,
    peeked: Option<[u64; 4]>,
    cover: Cover,
}

impl Golden for Model {
    fn reset(&mut self) {
        self.waiting.fill(None);
        (self.sent, self.peeked) = (None, None);
    }

    fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) {
        let show = |outputs: &mut [u64], name, beat: Option<[u64; 4]>| {
            let at = self.layout.output(name);
            outputs[at.valid] = u64::from(beat.is_some());
            outputs[at.fields..at.fields + 4].copy_from_slice(&beat.unwrap_or_default());
        };
        show(outputs, "sent", self.sent.take());
        show(outputs, "peeked", self.peeked.take());
        let head = self.layout.input("head");
        let free = self.waiting.iter().enumerate().filter(|(_, packet)| packet.is_none());
        outputs[head.ready.expect("has ready")] = free.map(|(queue, _)| 1 << queue).sum();
        outputs[self.layout.levels] = 1;

        let peek = self.layout.input("peek");
        if inputs[peek.valid] != 0 {
            let queue = inputs[peek.fields];
            let packet = self.waiting.get(queue as usize).copied().flatten();
            let [key, bytes] = packet.unwrap_or_default();
            self.peeked = Some([queue, u64::from(packet.is_some()), key, bytes]);
        }
        let mut queues: Vec<_> = (0..self.waiting.len()).collect();
        if self.highest {
            queues.reverse();
        }
        let first = queues.into_iter().find(|queue| self.waiting[*queue].is_some());
        let accepted = head.is_taken(inputs, outputs);
        if inputs[self.layout.controls] != 0
            && let Some(queue) = first
            && let Some([key, bytes]) = self.waiting[queue].take()
        {
            let code = if bytes == 0 { error::ZERO_LENGTH } else { error::NONE };
            self.sent = Some([queue as u64, key, bytes, code]);
        }
        let fields = &inputs[head.fields..head.fields + 3];
        if accepted && let Some(place) = self.waiting.get_mut(fields[0] as usize) {
            *place = Some([fields[1], fields[2]]);
        }
    }

    fn drained(&self) -> bool {
        self.sent.is_none() && self.peeked.is_none() && self.waiting.iter().all(Option::is_none)
    }

    fn cover(&self) -> &Cover {
        &self.cover
    }
}

/// The model has the timing of the RTL: following its events is being equal to it.
struct Follow(Model, Vec<u64>, u64);

impl Steered for Follow {
    fn step(&mut self, inputs: &[u64], outputs: &[u64]) -> Result<(), Box<Fault>> {
        self.0.step(inputs, &mut self.1);
        let comparer = Comparer::new(&self.0.layout, &Rules::none());
        self.2 += 1;
        let Some(found) = comparer.row(&self.1, outputs) else { return Ok(()) };
        let channels = self.0.layout.channels_out.iter();
        let channel = channels.take_while(|c| c.valid <= found.port).count().max(1) - 1;
        Err(Box::new(Fault {
            cycle: self.2 - 1,
            channel,
            field: None,
            context: None,
            expected: Some(found.expected),
            got: Some(found.got),
            message: self.0.layout.outputs[found.port].name.clone(),
        }))
    }

    fn finish(&mut self) -> Result<(), Box<Fault>> {
        Ok(())
    }

    fn cover(&self) -> &Cover {
        &self.0.cover
    }

    fn state(&self, _: u64) -> Option<Vec<u64>> {
        None
    }
}

struct NoProbe;

impl Probe for NoProbe {
    fn row(&mut self, _: &[u64], _: &[u64]) {}

    fn stalls(&self) -> Vec<(&'static str, u64)> {
        vec![]
    }

    fn tables(&self) -> Vec<TableUse> {
        vec![]
    }
}

impl Toy {
    fn model(&self, attributes: &AttributeSet, params: &ParamSet) -> Model {
        Model {
            layout: Layout::new(&TOY, params),
            highest: attributes.name("order") == "highest",
            waiting: vec![None; params.get("QUEUES") as usize],
            sent: None,
            peeked: None,
            cover: Cover::new(&TOY),
        }
    }
}

impl Unit for Toy {
    fn block(&self) -> &'static Block {
        &TOY
    }

    fn check_params(&self, _: &ParamSet) -> Result<(), AttributeError> {
        Ok(())
    }

    fn pins(&self, attributes: &AttributeSet, _: &ParamSet) -> Result<Vec<u64>, AttributeError> {
        Ok(vec![attributes.integer("order")])
    }

    fn golden(
        &self,
        attributes: &AttributeSet,
        params: &ParamSet,
    ) -> Result<Box<dyn Golden>, AttributeError> {
        Ok(Box::new(self.model(attributes, params)))
    }

    fn steered(
        &self,
        attributes: &AttributeSet,
        params: &ParamSet,
        _: &DutTiming,
    ) -> Result<Box<dyn Steered>, AttributeError> {
        let model = self.model(attributes, params);
        let outputs = vec![0; model.layout.outputs.len()];
        Ok(Box::new(Follow(model, outputs, 0)))
    }

    fn reference(
        &self,
        _: &AttributeSet,
        _: &ParamSet,
        _: &Stimulus,
    ) -> Result<Vec<RealBeat>, AttributeError> {
        Ok(vec![])
    }

    fn scenarios(&self) -> Vec<Scenario> {
        vec![]
    }

    /// Heads for every queue and for some that there are not, most of them of any length; `go` comes
    /// and goes.
    fn leg(&self, seed: u64, leg: u64, cycles: u64, params: &ParamSet) -> Leg {
        let mut draw = Draw::new(seed, &format!("toy/{leg}"));
        let order = draw.pick(&["lowest", "highest"]);
        let mut attributes = AttributeSet::defaults_under(&TOY, params);
        attributes.set_text("order", order).expect("a name");
        let mut stimulus = Stimulus::new(&TOY);
        let queues = params.get("QUEUES") as u64;
        let mut cycle = 0;
        while cycle < cycles {
            let queue = draw.below((queues + 1).min(8));
            let key = draw.below(1 << params.get("KEY_W"));
            stimulus.push(HEAD, cycle, &[queue, key, draw.below(4)]);
            if draw.chance(1, 4) {
                stimulus.push(PEEK, cycle, &[draw.below(queues)]);
            }
            if draw.chance(1, 3) {
                stimulus.control(0, cycle, draw.below(2));
            }
            cycle += draw.pick(&[1, 1, 1, 2, 9, 300]);
        }
        Leg { attributes, stimulus }
    }

    fn perf(&self, _: &AttributeSet, _: &ParamSet, _: u64) -> Plan {
        Plan { traffic: vec![], paths: vec![], intervals: vec![], packets: "head" }
    }

    fn probe(&self, _: &ParamSet) -> Box<dyn Probe> {
        Box::new(NoProbe)
    }

    fn contexts(&self, params: &ParamSet) -> u64 {
        params.get("QUEUES") as u64
    }

    fn not_applicable(&self, _: &ParamSet) -> Vec<(&'static str, &'static str)> {
        vec![]
    }

    fn rule(&self, _: &str, _: &[u64]) -> Option<&'static str> {
        None
    }

    fn line_rate_gbps(&self, _: &AttributeSet) -> f64 {
        1.0
    }
}
