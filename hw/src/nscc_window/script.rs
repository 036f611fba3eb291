//! Scripts of directed scenarios: events one after another, each made for the state that it meets.

use super::cfg::configure;
use super::core::{self, Context, Event, Kind};
use super::random::{EVT, PEEK};
use super::serial::Serial;
use crate::attributes::{AttributeSet, Value};
use crate::scenario::{Leg, Scenario};
use crate::stimulus::Stimulus;
use congruent_ports::ParamSet;
use congruent_ports::nscc_window::{BLOCK, RTT_FRAC};

/// Events so far, and the core beside them.
pub struct Script {
    build: &'static str,
    attributes: AttributeSet,
    serial: Serial,
    out: Stimulus,
    /// Cycle from which the next event is offered.
    cycle: u64,
    /// Cycle in which the last one was taken.
    taken: u64,
}

/// Whole cycles as a round-trip time or a delay, UQ RTT_W.4.
pub const fn cycles(whole: u64) -> u64 {
    whole << RTT_FRAC
}

/// An event with nothing but its kind.
pub const fn event(kind: Kind) -> Event {
    Event {
        kind,
        bytes: 0,
        flight: 0,
        rtt_valid: false,
        rtt: 0,
        trimmed: false,
        ecn: false,
        penalty: 0,
        restore: false,
    }
}

/// Parameters of a built-in set.
pub fn params(build: &str) -> ParamSet {
    match BLOCK.build(build) {
        Some(set) => set.params(&BLOCK),
        None => panic!("no build set {build}"),
    }
}

impl Script {
    /// On a build set, with these attributes beside its defaults.
    pub fn new(build: &'static str, changes: &[(&str, Value)]) -> Self {
        let params = params(build);
        let attributes = AttributeSet::defaults_under(&BLOCK, &params).with(changes);
        let cfg = configure(&attributes, &params).unwrap_or_else(|e| panic!("{build}: {e}"));
        Self {
            build,
            serial: Serial::new(&cfg, &params),
            attributes,
            out: Stimulus::new(&BLOCK),
            cycle: 4,
            taken: 0,
        }
    }

    /// The state that the next event meets.
    pub fn meets(&mut self, dst: u64) -> Context {
        self.serial.take(self.cycle);
        *self.serial.context(dst)
    }

    /// Cycle in which the last event was taken.
    pub fn taken(&self) -> u64 {
        self.taken
    }

    /// The next event is offered so many cycles after the last one was taken.
    pub fn wait(&mut self, cycles: u64) -> &mut Self {
        self.cycle = self.taken + cycles;
        self
    }

    /// The next event is offered in this cycle.
    pub fn at(&mut self, cycle: u64) -> &mut Self {
        self.cycle = cycle;
        self
    }

    /// Any event; offered as soon as the one before was taken, unless told to wait.
    pub fn evt(&mut self, dst: u64, evt: Event) -> &mut Self {
        let fields = [
            evt.kind as u64,
            dst,
            evt.bytes,
            evt.flight,
            u64::from(evt.rtt_valid),
            evt.rtt,
            u64::from(evt.trimmed),
            u64::from(evt.ecn),
            evt.penalty,
            u64::from(evt.restore),
        ];
        self.out.push(EVT, self.cycle, &fields);
        self.taken = self.serial.take(self.cycle);
        self.serial.apply(self.taken, dst, &evt, core::event);
        self.cycle = self.taken + 1;
        self
    }

    /// Opens a destination.
    pub fn open(&mut self, dst: u64) -> &mut Self {
        self.evt(dst, event(Kind::Open))
    }

    /// Closes a destination.
    pub fn close(&mut self, dst: u64) -> &mut Self {
        self.evt(dst, event(Kind::Close))
    }

    /// A packet asks to be sent.
    pub fn send(&mut self, dst: u64, flight: u64) -> &mut Self {
        self.evt(dst, Event { flight, ..event(Kind::Send) })
    }

    /// Sends until so many bytes or more are in flight, or the window is full.
    pub fn fill(&mut self, dst: u64, bytes: u64, step: u64) -> &mut Self {
        let mut before = None;
        let mut now = self.meets(dst).in_flight;
        while now < bytes && before != Some(now) {
            before = Some(now);
            now = self.send(dst, step).meets(dst).in_flight;
        }
        self
    }

    /// A sack with a delay sample (UQ RTT_W.4) over the base RTT that it meets.
    pub fn sack(&mut self, dst: u64, bytes: u64, sample: u64) -> &mut Self {
        let meets = self.meets(dst);
        let flight = bytes.min(meets.in_flight);
        let rtt = meets.base_rtt + sample;
        self.evt(dst, Event { bytes, flight, rtt_valid: true, rtt, ..event(Kind::Sack) })
    }

    /// The same, marked.
    pub fn marked(&mut self, dst: u64, bytes: u64, sample: u64) -> &mut Self {
        let meets = self.meets(dst);
        let flight = bytes.min(meets.in_flight);
        let rtt = meets.base_rtt + sample;
        let sack = Event { bytes, flight, rtt_valid: true, rtt, ..event(Kind::Sack) };
        self.evt(dst, Event { ecn: true, ..sack })
    }

    /// A sack without a sample, of bytes that were in flight or not.
    pub fn blind_sack(&mut self, dst: u64, bytes: u64) -> &mut Self {
        let flight = bytes.min(self.meets(dst).in_flight);
        self.evt(dst, Event { bytes, flight, ..event(Kind::Sack) })
    }

    /// A sack whose sample is this RTT (UQ RTT_W.4).
    pub fn sack_rtt(&mut self, dst: u64, bytes: u64, rtt: u64) -> &mut Self {
        let flight = bytes.min(self.meets(dst).in_flight);
        self.evt(dst, Event { bytes, flight, rtt_valid: true, rtt, ..event(Kind::Sack) })
    }

    /// A trim NACK without a sample.
    pub fn trim(&mut self, dst: u64, flight: u64) -> &mut Self {
        self.evt(dst, Event { flight, trimmed: true, ..event(Kind::Nack) })
    }

    /// A presumed loss.
    pub fn loss(&mut self, dst: u64, flight: u64) -> &mut Self {
        self.evt(dst, Event { flight, ..event(Kind::Loss) })
    }

    /// A probe's RTT (UQ RTT_W.4).
    pub fn probe(&mut self, dst: u64, rtt: u64) -> &mut Self {
        self.evt(dst, Event { rtt, ..event(Kind::Probe) })
    }

    /// A peek offered so many cycles after the last event was taken.
    pub fn peek(&mut self, dst: u64, after: u64) -> &mut Self {
        self.out.push(PEEK, self.taken + after, &[dst]);
        self
    }

    /// The run goes on for so many cycles after the last event.
    pub fn linger(&mut self, cycles: u64) -> &mut Self {
        self.out.cycles = self.out.cycles.max(self.taken + cycles);
        self
    }

    /// The script as a scenario.
    pub fn scenario(
        &self,
        name: &str,
        doc: &'static str,
        covers: &'static [&'static str],
    ) -> Scenario {
        Scenario {
            name: name.to_string(),
            doc,
            build: self.build,
            covers,
            seed: None,
            leg: Leg { attributes: self.attributes.clone(), stimulus: self.out.clone() },
        }
    }
}
