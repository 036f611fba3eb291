//! The f64 reference of the reaction point: the page's algorithm, event by event, in natural units.
//!
//! Independent of the core: rates in Gbps, times in cycles, nothing rounded but the periods, which the
//! page asks for in whole cycles. Source: the last section of the page (Zhu et al. 2015).

use crate::attributes::AttributeSet;
use crate::rate_limiter::cfg::END_GAP_GBPS;
use crate::rate_limiter::core::Cause;
use crate::rate_limiter::reference::{Answer, Follow, RunReport, pace};

/// Attributes as the page's formulas use them.
#[derive(Debug, Clone)]
pub struct Constants {
    line: f64,
    first_rate: f64,
    min_rate: f64,
    ai_rate: f64,
    hai_rate: f64,
    initial_alpha: f64,
    /// G ÷ 1024.
    keep: f64,
    /// What a cut takes of the rate at alpha = 1.
    cut_share: f64,
    min_dec: f64,
    alpha_period: f64,
    increase_period: f64,
    monitor_period: f64,
    byte_reset: u64,
    threshold: u64,
    clamp_target: bool,
    enable_ecn: bool,
    cycles_a_byte_gbps: f64,
    slack: f64,
}

impl Constants {
    /// From attributes.
    pub fn new(attributes: &AttributeSet) -> Self {
        let clock = attributes.real("clock_mhz");
        let line = attributes.real("data_rate");
        let gbps = |name: &str| attributes.real(name) / 1000.0;
        let cycles = |name: &str| (attributes.real(name) * clock + 0.5).floor();
        let first = gbps("rate_to_set_on_first_cnp");
        let monitored = attributes.real("rate_reduce_monitor_period") > 0.0;
        Self {
            line,
            first_rate: if first == 0.0 { line } else { first },
            min_rate: gbps("rpg_min_rate"),
            ai_rate: gbps("rpg_ai_rate"),
            hai_rate: gbps("rpg_hai_rate"),
            initial_alpha: attributes.integer("initial_alpha_value") as f64 / 1023.0,
            keep: attributes.integer("dce_tcp_g") as f64 / 1024.0,
            cut_share: if attributes.integer("rpg_gd") == 10 { 1.0 } else { 0.5 },
            min_dec: attributes.integer("rpg_min_dec_fac") as f64 / 100.0,
            alpha_period: cycles("dce_tcp_rtt").max(1.0),
            increase_period: cycles("rpg_time_reset").max(1.0),
            monitor_period: if monitored {
                cycles("rate_reduce_monitor_period").max(1.0)
            } else {
                0.0
            },
            byte_reset: attributes.integer("rpg_byte_reset"),
            threshold: attributes.integer("rpg_threshold"),
            clamp_target: attributes.integer("clamp_tgt_rate") != 0,
            enable_ecn: attributes.integer("enable_ecn") != 0,
            cycles_a_byte_gbps: 8.0 * clock / 1000.0,
            slack: attributes.real("pacing_slack"),
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
    /// Alpha, 0 to 1.
    pub alpha: f64,
    /// Increases of the timer since the last cut, at most 31.
    pub timer_stage: u64,
    /// Increases of the byte counter since the last cut, at most 31.
    pub byte_stage: u64,
    /// Cycle in which alpha next decays.
    pub alpha_deadline: f64,
    /// Cycle in which the timer next increases.
    pub deadline: f64,
    /// Bytes granted that no increase has counted.
    pub waiting_bytes: u64,
    /// Cycle of the last cut of this episode.
    pub last_cut: f64,
    /// An increase has happened since the last cut.
    pub increased: bool,
    /// Cycle from which the next packet may go; before any packet: long ago.
    pub next_send: f64,
}

impl QueuePair {
    /// A queue pair that never saw an event.
    pub fn new(constants: &Constants) -> Self {
        Self {
            congested: false,
            rate: constants.line,
            target: constants.line,
            alpha: 0.0,
            timer_stage: 0,
            byte_stage: 0,
            alpha_deadline: f64::INFINITY,
            deadline: f64::INFINITY,
            waiting_bytes: 0,
            last_cut: f64::NEG_INFINITY,
            increased: false,
            next_send: f64::NEG_INFINITY,
        }
    }

    /// The smaller of the two stages.
    pub fn recovery(&self) -> u64 {
        self.timer_stage.min(self.byte_stage)
    }

    /// Whether the last cut is less than rate_reduce_monitor_period before cycle `cycle`.
    pub fn recent_cut(&self, c: &Constants, cycle: f64) -> bool {
        self.congested && cycle - self.last_cut < c.monitor_period
    }

    /// A CNP in cycle `cycle`: starts an episode and cuts, cuts, or is ignored.
    pub fn cnp(&mut self, c: &Constants, cycle: f64) -> Option<RunReport> {
        if !c.enable_ecn {
            return None;
        }
        let first = !self.congested;
        if first {
            self.congested = true;
            self.alpha = c.initial_alpha;
            self.rate = c.first_rate;
            self.target = c.first_rate;
            self.increased = false;
        } else if self.recent_cut(c, cycle) {
            return None;
        }
        if c.clamp_target || self.increased {
            self.target = self.rate;
        }
        let by_alpha = self.rate * (1.0 - self.alpha * c.cut_share);
        self.rate = by_alpha.max(self.rate * c.min_dec).max(c.min_rate);
        self.alpha = self.alpha * c.keep + (1.0 - c.keep);
        self.alpha_deadline = cycle + c.alpha_period;
        self.deadline = cycle + c.increase_period;
        self.waiting_bytes = 0;
        self.timer_stage = 0;
        self.byte_stage = 0;
        self.last_cut = cycle;
        self.increased = false;
        Some(self.report(if first { Cause::Episode } else { Cause::Cut }))
    }

    /// Alpha's decay, whenever it is served: deadlines count from deadlines.
    pub fn decay(&mut self, c: &Constants) -> RunReport {
        self.alpha *= c.keep;
        self.alpha_deadline += c.alpha_period;
        self.report(Cause::Alpha)
    }

    /// The timer's increase, whenever it is served.
    pub fn timer_increase(&mut self, c: &Constants, follow: Follow) -> RunReport {
        self.timer_stage = (self.timer_stage + 1).min(31);
        self.deadline += c.increase_period;
        self.increase(c, follow)
    }

    /// Whether the byte counter's increase is due.
    pub fn bytes_due(&self, c: &Constants) -> bool {
        self.congested && c.byte_reset > 0 && self.waiting_bytes >= c.byte_reset
    }

    /// The byte counter's increase, whenever it is served.
    pub fn byte_increase(&mut self, c: &Constants, follow: Follow) -> RunReport {
        self.byte_stage = (self.byte_stage + 1).min(31);
        self.waiting_bytes -= c.byte_reset;
        self.increase(c, follow)
    }

    /// Target (not yet held at line rate) and rate that an increase would give with these stages.
    fn increased_to(&self, c: &Constants, timer_stage: u64, byte_stage: u64) -> (Cause, f64, f64) {
        let (least, most) = (timer_stage.min(byte_stage), timer_stage.max(byte_stage));
        let (cause, step) = if most <= c.threshold {
            (Cause::Fast, 0.0)
        } else if least > c.threshold {
            (Cause::Hyper, (least - c.threshold) as f64 * c.hai_rate)
        } else {
            (Cause::Additive, c.ai_rate)
        };
        let target = self.target + step;
        (cause, target, (self.rate + target.min(c.line)) / 2.0)
    }

    /// How far the next increase, by the byte counter or the timer, falls short of an end: Gbps from
    /// the target to line rate, and from the rate to 0.1 Gbps below it; neither is above 0 where it
    /// ends the episode.
    pub fn short_of_end(&self, c: &Constants, by_bytes: bool) -> (f64, f64) {
        let up = |stage: u64| (stage + 1).min(31);
        let (timer, bytes) = if by_bytes {
            (self.timer_stage, up(self.byte_stage))
        } else {
            (up(self.timer_stage), self.byte_stage)
        };
        let (_, target, rate) = self.increased_to(c, timer, bytes);
        (c.line - target, c.line - rate - END_GAP_GBPS)
    }

    fn increase(&mut self, c: &Constants, follow: Follow) -> RunReport {
        let (cause, target, rate) = self.increased_to(c, self.timer_stage, self.byte_stage);
        let ends = target >= c.line && c.line - rate <= END_GAP_GBPS;
        self.target = target.min(c.line);
        self.rate = rate;
        self.increased = true;
        if !follow.end.unwrap_or(ends) {
            return self.report(cause);
        }
        let report = self.report(Cause::End);
        *self = Self { next_send: self.next_send, ..Self::new(c) };
        RunReport { rate: c.line, target: c.line, congested: false, ..report }
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
            self.waiting_bytes += bytes;
        }
        answer
    }

    fn report(&self, cause: Cause) -> RunReport {
        RunReport {
            cause,
            rate: self.rate,
            target: self.target,
            estimate: self.alpha,
            recovery: self.recovery(),
            congested: self.congested,
        }
    }
}
