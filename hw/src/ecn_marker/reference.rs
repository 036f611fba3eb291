//! The f64 reference of `ecn_marker`: the page's algorithm, event by event, in natural units.
//!
//! Independent of the core: averages in bytes and probabilities as real numbers, nothing rounded
//! but the thresholds, which are whole bytes by definition; the LFSR in single steps. It says what
//! the hardware approximates; the core is held against it by error bound. Source: seeds 000 and
//! 002, `docs/ecn_marker.md`.

use super::cfg::{fecn_thresholds, policy, random_mode, red_thresholds};
use super::core::{Mark, Packet, Policy, RandomMode, Region};
use crate::attributes::{AttributeError, AttributeSet};
use crate::prim::lfsr;
use congruent_ports::ecn_marker::{PACKET_SIZE_UNIT, PROBABILITY_FRAC};
use congruent_ports::{ParamSet, error};

/// Attributes as the page's formulas use them.
#[derive(Debug, Clone)]
pub struct Constants {
    enable_ecn: bool,
    policy: Policy,
    weight: f64,
    /// Thresholds of the average, bytes.
    lower: f64,
    upper: f64,
    max_mark_probability: f64,
    random_mode: RandomMode,
    lfsr_seed: u32,
    /// Congestion begins at the first and ends below the second, bytes.
    congestion: Option<(u64, u64)>,
    packet_size: u64,
    marking_rate: u64,
    victim_marking: bool,
    /// Where an occupancy saturates, bytes.
    occupancy_most: u64,
}

impl Constants {
    /// From attributes, and the largest occupancy from parameters.
    ///
    /// # Errors
    /// Thresholds that do not fit together.
    pub fn new(attributes: &AttributeSet, params: &ParamSet) -> Result<Self, AttributeError> {
        let (lower, upper) = red_thresholds(attributes)?;
        Ok(Self {
            enable_ecn: attributes.integer("enable_ecn") != 0,
            policy: policy(attributes),
            weight: attributes.real("ewma_weight"),
            lower: lower as f64,
            upper: upper as f64,
            max_mark_probability: attributes.real("max_mark_probability"),
            random_mode: random_mode(attributes),
            lfsr_seed: attributes.integer("lfsr_seed") as u32,
            congestion: fecn_thresholds(attributes)?,
            packet_size: attributes.integer("packet_size") * PACKET_SIZE_UNIT,
            marking_rate: attributes.integer("marking_rate"),
            victim_marking: attributes.integer("victim_marking") != 0,
            occupancy_most: (1 << params.get("OCC_W")) - 1,
        })
    }

    /// The policy.
    pub fn policy(&self) -> Policy {
        self.policy
    }

    /// Where an average is with respect to the thresholds.
    pub fn region(&self, average: f64) -> Region {
        if average >= self.upper {
            Region::Above
        } else if average >= self.lower {
            Region::Band
        } else {
            Region::Below
        }
    }

    /// Bytes from the average to the nearer threshold.
    pub fn to_threshold(&self, average: f64) -> f64 {
        (average - self.lower).abs().min((average - self.upper).abs())
    }

    /// Probability of a mark at an average in the band. An average that a follower takes for in the
    /// band without being there counts as at the band's end.
    pub fn mark_probability(&self, average: f64) -> f64 {
        let position = (average - self.lower) / (self.upper - self.lower);
        self.max_mark_probability * position.clamp(0.0, 1.0)
    }
}

/// One queue.
#[derive(Debug, Clone, Default)]
pub struct Queue {
    /// Bytes in the queue.
    pub occupancy: u64,
    /// Moving average of the occupancy, bytes.
    pub average: f64,
    /// FECN: the queue is congested.
    pub congested: bool,
    /// FECN: eligible packets that still pass unmarked.
    pub skip: u64,
    /// RED by diffusion: probability not yet turned into a mark.
    pub acc: f64,
    /// Packets marked.
    pub marked: u64,
    /// Packets that a mark could be put on.
    pub eligible: u64,
}

/// A branch of the core that the reference follows where a threshold falls between the two.
#[derive(Debug, Clone, Copy, Default)]
pub struct Follow {
    /// Where the average is.
    pub region: Option<Region>,
    /// What a decision in the band says.
    pub decision: Option<bool>,
}

/// The block: its queues and the one generator of random words.
#[derive(Debug, Clone)]
pub struct Reference {
    /// Attributes.
    pub constants: Constants,
    /// The queues.
    pub queues: Vec<Queue>,
    /// State of the LFSR.
    pub lfsr: u32,
}

impl Reference {
    /// Empty queues.
    ///
    /// # Errors
    /// Thresholds that do not fit together.
    pub fn new(attributes: &AttributeSet, params: &ParamSet) -> Result<Self, AttributeError> {
        let constants = Constants::new(attributes, params)?;
        let lfsr = constants.lfsr_seed;
        Ok(Self { constants, queues: vec![Queue::default(); params.get("QUEUES") as usize], lfsr })
    }

    /// A packet is admitted to queue `at`.
    pub fn enqueue(&mut self, at: usize, bytes: u64) {
        let Constants { weight, occupancy_most, .. } = self.constants;
        let queue = &mut self.queues[at];
        queue.occupancy = (queue.occupancy + bytes).min(occupancy_most);
        queue.average = (1.0 - weight) * queue.average + weight * queue.occupancy as f64;
    }

    /// A packet of queue `at` starts transmitting: judged before it leaves.
    pub fn dequeue(&mut self, at: usize, packet: &Packet, follow: Follow) -> Mark {
        if packet.bytes > self.queues[at].occupancy {
            self.queues[at].occupancy = 0;
            return Mark { ecn: packet.ecn, marked: false, error: error::UNDERFLOW };
        }
        let marked = self.constants.enable_ecn
            && match self.constants.policy {
                Policy::Red => self.judge_red(at, packet, follow),
                Policy::Fecn => self.judge_fecn(at, packet),
            };
        let queue = &mut self.queues[at];
        queue.occupancy -= packet.bytes;
        queue.marked += u64::from(marked);
        let ecn = match (marked, self.constants.policy) {
            (false, _) => packet.ecn,
            (true, Policy::Red) => 0b11,
            (true, Policy::Fecn) => packet.ecn | 1,
        };
        Mark { ecn, marked, error: error::NONE }
    }

    fn judge_red(&mut self, at: usize, packet: &Packet, follow: Follow) -> bool {
        let queue = &mut self.queues[at];
        if packet.ecn == 0b00 || packet.ecn == 0b11 {
            return false;
        }
        queue.eligible += 1;
        match follow.region.unwrap_or_else(|| self.constants.region(queue.average)) {
            Region::Below => return false,
            Region::Above => return true,
            Region::Band => {}
        }
        let p = self.constants.mark_probability(queue.average);
        match self.constants.random_mode {
            RandomMode::Lfsr => {
                for _ in 0..32 {
                    self.lfsr = lfsr::step(self.lfsr);
                }
                let word = self.lfsr % (1 << PROBABILITY_FRAC);
                follow.decision.unwrap_or(f64::from(word) < p * f64::from(1u32 << PROBABILITY_FRAC))
            }
            RandomMode::Diffusion => {
                queue.acc += p;
                let marked = follow.decision.unwrap_or(queue.acc >= 1.0);
                queue.acc -= f64::from(u8::from(marked));
                marked
            }
        }
    }

    fn judge_fecn(&mut self, at: usize, packet: &Packet) -> bool {
        let c = &self.constants;
        let queue = &mut self.queues[at];
        let was = queue.congested;
        queue.congested = c.congestion.is_some_and(|(from, below)| {
            queue.occupancy >= from || was && queue.occupancy >= below
        });
        if queue.congested && !was {
            queue.skip = 0;
        }
        let carries = packet.ecn % 2 == 1;
        let victim = !packet.has_credits;
        if carries || packet.bytes < c.packet_size || victim && !c.victim_marking {
            return false;
        }
        queue.eligible += 1;
        if !queue.congested {
            return false;
        }
        if queue.skip > 0 {
            queue.skip -= 1;
            return false;
        }
        queue.skip = c.marking_rate;
        true
    }
}
