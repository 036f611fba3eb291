//! The f64 reference of `rate_limiter`: the page's algorithm, event by event, in natural units.
//!
//! Independent of the core: rates in Gbps, times in cycles as real numbers, nothing rounded. It
//! says what the hardware approximates; the core is held against it by error bound. Source: seed
//! 000 and the page's numbered behaviour.

use super::cfg::END_GAP_GBPS;
use super::core::{Cause, Phase};
use crate::attributes::AttributeSet;

/// Attributes as the page's formulas use them.
#[derive(Debug, Clone)]
pub struct Constants {
    line: f64,
    floor: f64,
    step_share: f64,
    weight: f64,
    estimate_init: f64,
    half_cycles: f64,
    cycles_a_byte_gbps: f64,
    fast_recovery_attempt: u64,
    loops_per_increase: u64,
    slack: f64,
    enable_ecn: bool,
}

impl Constants {
    /// From attributes. The half interval is the whole number of cycles that the page asks for.
    pub fn new(attributes: &AttributeSet) -> Self {
        let clock = attributes.real("clock_mhz");
        let line = attributes.real("data_rate");
        Self {
            line,
            floor: attributes.real("minimum_rate_percentage") * line,
            step_share: (1.0 - attributes.real("initial_target_rate_percentage"))
                / attributes.real("number_active_increase_steps"),
            weight: attributes.real("congestion_probability_weight"),
            estimate_init: attributes.real("estimate_init"),
            half_cycles: (attributes.real("control_interval_duration_ns") * clock / 2000.0 + 0.5)
                .floor(),
            cycles_a_byte_gbps: 8.0 * clock / 1000.0,
            fast_recovery_attempt: attributes.integer("fast_recovery_attempt"),
            loops_per_increase: attributes.integer("num_of_control_loops_per_increase"),
            slack: attributes.real("pacing_slack"),
            enable_ecn: attributes.integer("enable_ecn") != 0,
        }
    }

    /// Line rate, Gbps.
    pub fn line(&self) -> f64 {
        self.line
    }

    /// PacingSlack, cycles.
    pub fn slack(&self) -> f64 {
        self.slack
    }
}

/// One queue pair.
#[derive(Debug, Clone)]
pub struct QueuePair {
    /// An episode is running.
    pub congested: bool,
    /// Current rate, Gbps.
    pub rate: f64,
    /// Target rate, Gbps.
    pub target: f64,
    /// Congestion estimate, 0 to 1.
    pub estimate: f64,
    /// Recovery count.
    pub recovery: u64,
    /// The next half.
    pub phase: Phase,
    /// Increase halves with CNPs since the last increase among them.
    pub skipped: u64,
    /// Cycle in which the next half is due.
    pub deadline: f64,
    /// CNPs since the last reduction half.
    pub cnps: u64,
    /// Packets granted since the last reduction half.
    pub packets: u64,
    /// Cycle from which the next packet may go; before any packet: long ago.
    pub next_send: f64,
}

/// What a run of the loop did, in natural units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RunReport {
    /// What it did.
    pub cause: Cause,
    /// Rate after it, Gbps.
    pub rate: f64,
    /// Target after it, Gbps.
    pub target: f64,
    /// Estimate after it.
    pub estimate: f64,
    /// Recovery count after it.
    pub recovery: u64,
    /// Whether the episode goes on.
    pub congested: bool,
}

/// The answer to a request: granted, or the cycles to wait (real, not rounded up).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Answer {
    /// The packet goes.
    Grant,
    /// It may go so many cycles from the request's.
    Wait(f64),
}

/// A branch of the core that the reference follows where a threshold falls between the two.
#[derive(Debug, Clone, Copy, Default)]
pub struct Follow {
    /// Whether this increase ends the episode.
    pub end: Option<bool>,
    /// Whether this request is granted.
    pub grant: Option<bool>,
    /// Whether this grant continues from the last `next_send`.
    pub within_slack: Option<bool>,
}

impl QueuePair {
    /// A queue pair that never saw an event.
    pub fn new(constants: &Constants) -> Self {
        Self {
            congested: false,
            rate: constants.line,
            target: constants.line,
            estimate: 0.0,
            recovery: 0,
            phase: Phase::Reduction,
            skipped: 0,
            deadline: f64::INFINITY,
            cnps: 0,
            packets: 0,
            next_send: f64::NEG_INFINITY,
        }
    }

    /// A CNP in cycle `cycle`. Starts an episode, or is counted, or (EnableECN false) ignored.
    pub fn cnp(&mut self, c: &Constants, cycle: f64) -> Option<RunReport> {
        if !c.enable_ecn {
            return None;
        }
        if self.congested {
            self.cnps += 1;
            return None;
        }
        self.congested = true;
        self.target = c.line;
        self.recovery = 0;
        self.skipped = 0;
        self.estimate = c.weight + (1.0 - c.weight) * c.estimate_init;
        self.rate = (self.rate * (1.0 - self.estimate / 2.0)).max(c.floor);
        self.phase = Phase::Increase;
        self.deadline = cycle + c.half_cycles;
        self.cnps = 0;
        self.packets = 0;
        Some(self.report(Cause::Episode))
    }

    /// Runs the half that is due, whenever it is served: deadlines count from deadlines.
    pub fn half(&mut self, c: &Constants, follow: Follow) -> RunReport {
        let p = match (self.cnps, self.packets) {
            (0, _) => 0.0,
            (_, 0) => 1.0,
            (cnps, packets) => (cnps as f64 / packets as f64).min(1.0),
        };
        self.estimate = c.weight * p + (1.0 - c.weight) * self.estimate;
        self.deadline += c.half_cycles;
        let step = c.line * c.step_share;
        if self.phase == Phase::Reduction {
            self.phase = Phase::Increase;
            let reduces = self.cnps > 0;
            if reduces && self.recovery < c.fast_recovery_attempt {
                self.rate *= 1.0 - self.estimate / 2.0;
                self.recovery = 0;
            } else if reduces {
                self.target = (self.target - step).max(c.floor);
                self.rate = (self.rate + self.target) / 2.0;
                self.recovery = self.recovery.saturating_sub(1);
            }
            self.rate = self.rate.max(c.floor);
            self.cnps = 0;
            self.packets = 0;
            return self.report(if reduces { Cause::Reduction } else { Cause::ReductionHeld });
        }
        self.phase = Phase::Reduction;
        if self.cnps > 0 {
            self.skipped += 1;
            if self.skipped <= c.loops_per_increase {
                return self.report(Cause::IncreaseHeld);
            }
            self.skipped = 0;
        }
        if self.recovery >= c.fast_recovery_attempt {
            self.target = (self.target + step).min(c.line);
        }
        self.rate = ((self.rate + self.target) / 2.0).max(c.floor);
        self.recovery = (self.recovery + 1).min(15);
        if !follow.end.unwrap_or(c.line - self.rate <= END_GAP_GBPS) {
            return self.report(Cause::Increase);
        }
        self.congested = false;
        self.rate = c.line;
        self.target = c.line;
        self.cnps = 0;
        self.packets = 0;
        self.deadline = f64::INFINITY;
        self.report(Cause::End)
    }

    /// Gbps between line rate and the rate that an increase would give now: what decides an end.
    pub fn gap_after_increase(&self, c: &Constants) -> f64 {
        let up = if self.recovery >= c.fast_recovery_attempt { c.line * c.step_share } else { 0.0 };
        c.line - (self.rate + (self.target + up).min(c.line)) / 2.0
    }

    /// A packet of `bytes` (not 0) asks to be sent in cycle `cycle`, paced at `rate` Gbps.
    pub fn request(
        &mut self,
        c: &Constants,
        cycle: f64,
        bytes: u64,
        rate: f64,
        follow: Follow,
    ) -> Answer {
        let duration = bytes as f64 * c.cycles_a_byte_gbps / rate;
        let answer = pace(&mut self.next_send, cycle, duration, c.slack, follow);
        if answer == Answer::Grant && self.congested {
            self.packets += 1;
        }
        answer
    }

    fn report(&self, cause: Cause) -> RunReport {
        RunReport {
            cause,
            rate: self.rate,
            target: self.target,
            estimate: self.estimate,
            recovery: self.recovery,
            congested: self.congested,
        }
    }
}

/// A packet that lasts `duration` cycles asks to be sent in cycle `cycle`; a grant moves `next_send`.
pub fn pace(next_send: &mut f64, cycle: f64, duration: f64, slack: f64, follow: Follow) -> Answer {
    if !follow.grant.unwrap_or(cycle >= *next_send) {
        return Answer::Wait(*next_send - cycle);
    }
    let within = follow.within_slack.unwrap_or(cycle - *next_send < slack);
    let base = if within { *next_send } else { cycle };
    *next_send = base + duration;
    Answer::Grant
}
