//! The f64 reference of `nscc_window`: the page's algorithm, event by event, in bytes and cycles.
//!
//! Independent of the core: nothing is rounded but what the page rounds (times of attributes, to
//! 1/16 of a cycle) and nothing wraps. It says what the hardware approximates; the core is held
//! against it by error bound. Source: seed 004 and the page's "Events".

use super::cfg::{REFERENCE_GBPS, TRIMMING_TARGET, WINDOW_BDPS};
use super::core::{Event, Kind, Outcome, Routine};
use crate::attributes::AttributeSet;
use congruent_ports::nscc_window::{BYTES_W, PENDING_W, RTT_FRAC, SMALL_WINDOW};
use congruent_ports::{ParamSet, error};

/// How close to a threshold the reference follows the core's branch.
pub mod near {
    /// A window and a number of bytes, bytes: the bound of the window.
    pub const WINDOW: f64 = 16.0;
    /// The max window and a number of bytes, bytes.
    pub const MAX_WINDOW: f64 = 0.1;
    /// An average delay and a delay, cycles.
    pub const AVERAGE: f64 = 0.01;
}

/// Attributes as the page's formulas use them: bytes and cycles.
#[derive(Debug, Clone)]
pub struct Constants {
    uet: bool,
    packet: f64,
    base_rtt: f64,
    target: f64,
    margin: f64,
    threshold: f64,
    delay_trigger: bool,
    gate: i32,
    disable_quick_adapt: bool,
    pass_through: bool,
    /// MaxCongestionWindow in bytes, under the override.
    fixed_window: Option<f64>,
    /// Max window a cycle of base RTT.
    window_rate: f64,
    alpha: f64,
    fair: f64,
    eta: f64,
    fast: f64,
    delay_alpha: f64,
    gamma: f64,
    smallest_keep: f64,
}

impl Constants {
    /// From attributes. Times are rounded half up to 1/16 of a cycle, as the page asks.
    pub fn new(attributes: &AttributeSet, params: &ParamSet) -> Self {
        let real = |name| attributes.real(name);
        let flag = |name| attributes.integer(name) != 0;
        let cycles_a_ns = real("clock_mhz") / 1000.0;
        let steps = f64::from(1 << RTT_FRAC);
        let cycles = |ns: f64| {
            let raw = (ns * cycles_a_ns * steps + 0.5).floor();
            (if ns > 0.0 { raw.max(1.0) } else { raw }) / steps
        };
        let a = real("data_rate") * real("config_base_rtt")
            / (REFERENCE_GBPS * real("reference_network_rtt"));
        let packet = real("mss") + real("header_bytes");
        let target_ns = if flag("override_spec_target_queue_delay") {
            real("target_queue_delay")
        } else if flag("trimming_enabled") {
            TRIMMING_TARGET * real("config_base_rtt")
        } else {
            real("config_base_rtt")
        };
        let gain = |name| real(name) * real("mss") * a;
        Self {
            uet: params.get("UET") == 1,
            packet,
            base_rtt: cycles(real("config_base_rtt")),
            target: cycles(target_ns),
            margin: cycles(real("target_queue_delay_margin")),
            threshold: cycles(real("quick_adapt_threshold")),
            delay_trigger: !flag("trimming_enabled"),
            gate: attributes.integer("quick_adapt_gate") as i32,
            disable_quick_adapt: flag("disable_quick_adapt"),
            pass_through: flag("pass_through"),
            fixed_window: flag("override_spec_max_congestion_window")
                .then(|| real("max_congestion_window") * packet),
            window_rate: WINDOW_BDPS * real("data_rate") / 8.0 / cycles_a_ns,
            alpha: gain("alpha_multiplier") / real("reference_network_rtt") / cycles_a_ns,
            fair: gain("fair_increase_multiplier"),
            eta: gain("eta_multiplier"),
            fast: real("fast_increase_multiplier") * real("fast_increase_base") * a,
            delay_alpha: real("delay_alpha"),
            gamma: real("gamma"),
            smallest_keep: real("max_multiplicative_decrease_jump"),
        }
    }

    /// Max window at a base RTT in cycles.
    fn max_window(&self, base_rtt: f64) -> f64 {
        self.fixed_window.unwrap_or(self.window_rate * base_rtt)
    }

    /// Whether ConfigBaseRTT has passed since the additive term was last added.
    pub fn eta_due(&self, now: f64, d: &Destination) -> bool {
        now - d.last_eta >= self.base_rtt
    }

    fn bound(&self, cwnd: f64, max_window: f64) -> f64 {
        cwnd.min(max_window).max(self.packet)
    }
}

/// One open destination.
#[derive(Debug, Clone)]
#[allow(missing_docs)] // the names are the page's: bytes, bytes squared and cycles
pub struct Destination {
    pub cwnd: f64,
    pub in_flight: f64,
    pub base_rtt: f64,
    pub avg_delay: f64,
    pub max_window: f64,
    pub pending: f64,
    pub received: f64,
    pub last_eta: f64,
    pub fast_count: f64,
    pub fast_on: bool,
    /// End of the observation window, once one was opened.
    pub qa_end: Option<f64>,
    pub qa_bytes: f64,
    pub qa_trigger: bool,
    pub ignore_left: f64,
    pub last_cut: Option<f64>,
    pub saved_cwnd: Option<f64>,
}

/// The core's branches, which the reference follows where a threshold is nearer than `near`; and
/// how often it did against its own.
#[derive(Debug, Default)]
pub struct Follow<'a> {
    /// What the core made of the same event.
    pub outcome: Option<&'a Outcome>,
    /// Branches taken against the reference's own.
    pub steered: u64,
}

impl Follow<'_> {
    /// Whether `distance` is above 0, or the core's `branch` where that is too close to tell.
    fn above(&mut self, distance: f64, near: f64, branch: impl Fn(&Outcome) -> bool) -> bool {
        let own = distance > 0.0;
        match self.outcome {
            Some(outcome) if distance.abs() < near => {
                let theirs = branch(outcome);
                self.steered += u64::from(own != theirs);
                theirs
            }
            _ => own,
        }
    }
}

/// What an event came to.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Report {
    /// What it did.
    pub routine: Routine,
    /// A send was granted.
    pub granted: bool,
    /// A send asks for a cumulative ACK.
    pub wants_cack: bool,
    /// `error` code.
    pub error: u64,
}

fn count(bytes: f64) -> f64 {
    bytes.min(f64::from((1 << BYTES_W) - 1))
}

/// One destination, open or not: an event in cycle `now`.
pub fn event(
    c: &Constants,
    slot: &mut Option<Destination>,
    now: f64,
    evt: &Event,
    follow: &mut Follow<'_>,
) -> Report {
    let closed = Report { error: error::CLOSED, ..Report::default() };
    if evt.kind == Kind::Open {
        if slot.is_some() {
            return closed;
        }
        *slot = Some(Destination::new(c, now));
        return Report::default();
    }
    let Some(d) = slot else { return closed };
    let (bytes, flight) = (evt.bytes as f64, evt.flight as f64);
    let rtt = evt.rtt as f64 / f64::from(1 << RTT_FRAC);
    match evt.kind {
        Kind::Send => d.send(c, flight, follow),
        Kind::Sack => d.sack(c, now, evt, bytes, flight, rtt, follow),
        Kind::Nack => d.nack(c, now, evt, flight, rtt, follow),
        Kind::Loss => {
            let error = d.leave(flight);
            d.ignore_left = (d.ignore_left - flight).max(0.0);
            d.cwnd = (d.cwnd - flight).max(c.packet);
            Report { routine: Routine::Loss, error, ..Report::default() }
        }
        Kind::Cack => {
            let error = d.leave(flight);
            d.ignore_left = (d.ignore_left - flight).max(0.0);
            Report { error, ..Report::default() }
        }
        Kind::Probe => {
            d.base_rtt = d.base_rtt.min(rtt);
            Report::default()
        }
        Kind::Close | Kind::Open => {
            *slot = None;
            Report::default()
        }
    }
}

impl Destination {
    /// A window created in cycle `now`.
    pub fn new(c: &Constants, now: f64) -> Self {
        let max_window = c.max_window(c.base_rtt);
        Self {
            cwnd: max_window.max(c.packet),
            in_flight: 0.0,
            base_rtt: c.base_rtt,
            avg_delay: 0.0,
            max_window,
            pending: 0.0,
            received: 0.0,
            last_eta: now,
            fast_count: 0.0,
            fast_on: false,
            qa_end: None,
            qa_bytes: 0.0,
            qa_trigger: false,
            ignore_left: 0.0,
            last_cut: None,
            saved_cwnd: None,
        }
    }

    fn leave(&mut self, flight: f64) -> u64 {
        let code = if flight > self.in_flight { error::UNDERFLOW } else { error::NONE };
        self.in_flight = (self.in_flight - flight).max(0.0);
        code
    }

    fn send(&mut self, c: &Constants, flight: f64, follow: &mut Follow<'_>) -> Report {
        let room = self.cwnd - self.in_flight;
        let granted = c.pass_through || follow.above(room, near::WINDOW, |o| o.granted);
        if granted {
            self.in_flight = count(self.in_flight + flight);
        }
        let packet_short = c.packet - (self.cwnd - self.in_flight);
        let small = SMALL_WINDOW as f64 - self.cwnd;
        let wants_cack = follow.above(packet_short.max(small), near::WINDOW, |o| o.wants_cack);
        Report { granted, wants_cack, ..Report::default() }
    }

    fn fold(&mut self, c: &Constants, sample: f64) {
        self.avg_delay = c.delay_alpha * sample + (1.0 - c.delay_alpha) * self.avg_delay;
    }

    #[allow(clippy::too_many_arguments)] // the event in natural units, and nothing else
    fn sack(
        &mut self,
        c: &Constants,
        now: f64,
        evt: &Event,
        bytes: f64,
        flight: f64,
        rtt: f64,
        follow: &mut Follow<'_>,
    ) -> Report {
        // 1.
        let error = self.leave(flight);
        self.ignore_left = (self.ignore_left - flight).max(0.0);
        self.qa_bytes = count(self.qa_bytes + bytes);
        self.received = count(self.received + bytes);
        let penalty = if c.uet { evt.penalty as f64 } else { 0.0 };
        if penalty > 0.0 {
            self.saved_cwnd = self.saved_cwnd.or(Some(self.cwnd));
            let used = self.cwnd.min(self.in_flight);
            self.cwnd = (used - bytes * penalty / 128.0).max(c.packet);
        } else if let Some(saved) = self.saved_cwnd.take()
            && evt.restore
        {
            self.cwnd = saved;
        }
        let own = if penalty > 0.0 { Routine::Penalty } else { Routine::None };
        if !evt.rtt_valid {
            return Report { routine: own, error, ..Report::default() };
        }
        // 2.
        self.base_rtt = self.base_rtt.min(rtt);
        self.max_window = c.max_window(self.base_rtt);
        self.cwnd = c.bound(self.cwnd, self.max_window);
        let sample = (rtt - self.base_rtt).max(0.0);
        self.fold(c, sample);
        // 3.
        let delay = match (c.delay_trigger, c.uet) {
            (false, _) => f64::NEG_INFINITY,
            (true, false) => sample - c.threshold,
            (true, true) => self.avg_delay - c.threshold,
        };
        let exact = if c.uet { near::AVERAGE } else { 0.0 };
        if self.quick_adapt(c, now, delay, exact, follow) {
            return Report { routine: Routine::QuickAdapt, error, ..Report::default() };
        }
        // 4.
        let routine = if c.uet && evt.ecn {
            self.marked(c, now, sample, follow)
        } else if penalty > 0.0 {
            Routine::Penalty
        } else {
            self.increase(c, sample, bytes, follow)
        };
        // 5.
        let by_time = c.eta_due(now, self);
        if by_time || self.received > 8.0 * c.packet {
            self.cwnd += self.pending / self.cwnd;
            if by_time {
                self.cwnd += c.eta;
                self.last_eta = now;
            }
            self.pending = 0.0;
            self.received = 0.0;
        }
        // 6.
        self.cwnd = c.bound(self.cwnd, self.max_window);
        Report { routine, error, ..Report::default() }
    }

    fn increase(
        &mut self,
        c: &Constants,
        sample: f64,
        bytes: f64,
        follow: &mut Follow<'_>,
    ) -> Routine {
        let (gain, routine) = if sample >= c.target {
            (c.fair, Routine::Fair)
        } else {
            (c.alpha * (c.target - sample), Routine::Proportional)
        };
        if sample < c.target && sample < c.margin {
            self.fast_count = count(self.fast_count + bytes);
            let engages = |o: &Outcome| o.routine == Routine::Fast;
            if self.fast_on || follow.above(self.fast_count - self.cwnd, near::WINDOW, engages) {
                self.fast_on = true;
                self.cwnd += c.fast * bytes;
                return Routine::Fast;
            }
        } else if sample < c.target {
            self.fast_on = false;
            self.fast_count = 0.0;
        }
        let most = 2f64.powi(PENDING_W as i32) - 1.0;
        self.pending = (self.pending + gain * bytes).min(most);
        routine
    }

    fn marked(&mut self, c: &Constants, now: f64, sample: f64, follow: &mut Follow<'_>) -> Routine {
        if sample < c.target {
            return Routine::MarkedHold;
        }
        self.fast_on = false;
        self.fast_count = 0.0;
        let excess = self.avg_delay - c.target;
        let long_ago = self.last_cut.is_none_or(|cut| now - cut >= self.base_rtt);
        let cuts = |o: &Outcome| o.routine == Routine::Decrease;
        if !long_ago || !follow.above(excess, near::AVERAGE, cuts) {
            return Routine::MarkedHold;
        }
        self.cwnd *= (1.0 - c.gamma * excess / self.avg_delay).max(c.smallest_keep);
        self.last_cut = Some(now);
        Routine::Decrease
    }

    /// `delay`: how far above the threshold the delay is that could be a trigger, known up to
    /// `exact`; infinite where the event itself is one.
    fn quick_adapt(
        &mut self,
        c: &Constants,
        now: f64,
        delay: f64,
        exact: f64,
        follow: &mut Follow<'_>,
    ) -> bool {
        if c.disable_quick_adapt || self.qa_end.is_some_and(|end| now < end) {
            return false;
        }
        let scaled = self.qa_bytes * 2f64.powi(c.gate);
        let fired = |o: &Outcome| o.qa_fired;
        let fires = self.qa_end.is_some()
            && (self.qa_trigger || follow.above(delay, exact, fired))
            && follow.above(self.max_window - scaled, near::MAX_WINDOW, fired);
        if fires {
            self.cwnd = self.qa_bytes.max(c.packet);
            self.ignore_left = self.in_flight;
            self.qa_trigger = false;
            self.pending = 0.0;
            self.received = 0.0;
        }
        self.qa_end = Some(now + self.base_rtt + c.target);
        self.qa_bytes = 0.0;
        fires
    }

    fn nack(
        &mut self,
        c: &Constants,
        now: f64,
        evt: &Event,
        flight: f64,
        rtt: f64,
        follow: &mut Follow<'_>,
    ) -> Report {
        let error = self.leave(flight);
        let ignoring = self.ignore_left > 0.0;
        if evt.rtt_valid {
            self.base_rtt = self.base_rtt.min(rtt);
            self.max_window = c.max_window(self.base_rtt);
        }
        let mut report = Report { error, ..Report::default() };
        if !evt.trimmed {
            return report;
        }
        self.ignore_left = (self.ignore_left - flight).max(0.0);
        self.fold(c, c.base_rtt);
        self.qa_trigger = true;
        report.routine = if ignoring {
            Routine::Ignored
        } else if self.quick_adapt(c, now, f64::INFINITY, 0.0, follow) {
            Routine::QuickAdapt
        } else {
            self.cwnd = (self.cwnd - flight).max(c.packet);
            Routine::Trim
        };
        report
    }
}
