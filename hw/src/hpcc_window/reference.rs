//! The f64 reference of `hpcc_window`: the page's steps as it states them, event by event.
//!
//! Units are bytes and nanoseconds; a rate of 1 Gbps is an eighth of a byte a ns. Only the ranges
//! that the page states are the hardware's: queues, rates and utilisations saturate, telemetry is
//! modulo its width, ages are in whole cycles.
//!
//! Where a threshold falls between the core's value and the reference's (nearer than `near` says),
//! the reference can follow the core's branch; each time it does is counted.

use super::core::{Ack, Branch, Format, Outcome};
use crate::attributes::AttributeSet;
use congruent_ports::{ParamSet, error};

/// How near to a threshold the reference follows the core's branch, relative to the threshold.
pub mod near {
    /// U to Eta: the bound of the window.
    pub const U: f64 = 0.002;
    /// One hop's u to another's.
    pub const HOP_U: f64 = 1e-4;
    /// The same, absolute: two LSBs of a rate, 2^-20 bytes a ns, on a link of 1 Gbps.
    pub const HOP_U_LEAST: f64 = 16.0 / 1_048_576.0;
}

/// The page's ranges.
mod most {
    /// Queue length, bytes.
    pub const QUEUE: f64 = 4_294_967_295.0;
    /// Bytes a ns.
    pub const RATE: f64 = 4096.0;
    /// Utilisation.
    pub const U: f64 = 4096.0;
}

/// Gbps of the packed format's codes.
const GBPS: [f64; 7] = [25.0, 40.0, 50.0, 100.0, 200.0, 400.0, 800.0];

/// Attributes as the page's formulas use them.
#[derive(Debug, Clone)]
pub struct Constants {
    format: Format,
    hops: u64,
    /// T, ns.
    rtt: f64,
    eta: f64,
    max_stage: u64,
    wai: f64,
    first_window: f64,
    packet: f64,
    /// Cycles.
    age: u64,
}

impl Constants {
    /// From attributes. The age is rounded half up to whole cycles, as the page asks.
    pub fn new(attributes: &AttributeSet, params: &ParamSet) -> Self {
        let real = |name| attributes.real(name);
        let wide = attributes.name("int_format") == "wide";
        let quarter = 2f64.powi(if wide { 48 } else { 24 }) / 4.0;
        let asked = real("stored_max_age");
        let age_ns = if asked > 0.0 { asked } else { quarter };
        let first_window = real("data_rate") * real("base_rtt") / 8.0;
        let flows = real("expected_flows");
        Self {
            format: if wide { Format::Wide } else { Format::Paper },
            hops: params.get("HOPS") as u64,
            rtt: real("base_rtt"),
            eta: real("eta"),
            max_stage: attributes.integer("max_stage"),
            wai: if flows > 0.0 { first_window * (1.0 - real("eta")) / flows } else { real("wai") },
            first_window,
            packet: real("packet_bytes"),
            age: ((age_ns * real("clock_mhz") / 1000.0 + 0.5).floor() as u64).max(1),
        }
    }

    fn bound(&self, window: f64) -> f64 {
        window.min(self.first_window).max(self.packet)
    }

    /// R of a window, Gbps.
    pub fn pace(&self, window: f64) -> f64 {
        window * 8.0 / self.rtt
    }

    /// Widths of TS, txBytes and qLen, bits.
    fn widths(&self) -> [u32; 3] {
        match self.format {
            Format::Paper => [24, 20, 16],
            Format::Wide => [48; 3],
        }
    }

    /// Bytes of a unit of txBytes and of qLen.
    fn units(&self) -> [f64; 2] {
        match self.format {
            Format::Paper => [128.0, 80.0],
            Format::Wide => [1.0; 2],
        }
    }

    /// Rate of a hop's link, Gbps.
    fn gbps(&self, rate: u64) -> Option<f64> {
        match self.format {
            Format::Paper => GBPS.get((rate % 16) as usize).copied(),
            Format::Wide => (rate != 0).then_some(rate as f64),
        }
    }
}

/// Stored telemetry: when, of what path, and TS, txBytes, qLen of each hop.
#[derive(Debug, Clone, PartialEq)]
pub struct Stored {
    /// Cycle.
    pub at: u64,
    /// Path id.
    pub path: u64,
    /// L, in the format's units.
    pub telemetry: Vec<[u64; 3]>,
}

/// One open flow.
#[derive(Debug, Clone)]
pub struct Flow {
    /// W, bytes.
    pub window: f64,
    /// Wc, bytes.
    pub reference: f64,
    /// U.
    pub u: f64,
    /// inc_stage.
    pub stage: u64,
    /// last_update_seq.
    pub last_update_seq: u64,
    /// L.
    pub stored: Option<Stored>,
}

/// The core's branches, which the reference follows where a threshold is nearer than `near`; and
/// how often it did against its own.
#[derive(Debug, Default)]
pub struct Follow<'a> {
    /// What the core made of the same ACK.
    pub outcome: Option<&'a Outcome>,
    /// Branches taken against the reference's own.
    pub steered: u64,
}

/// What an ACK came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Report {
    /// What it did.
    pub branch: Branch,
    /// seq was above last_update_seq, in a measured ACK.
    pub full: bool,
    /// `error` code.
    pub error: u64,
}

/// Opens a flow; returns the error code.
pub fn open(c: &Constants, slot: &mut Option<Flow>) -> u64 {
    if slot.is_some() {
        return error::CLOSED;
    }
    let window = c.bound(c.first_window);
    *slot = Some(Flow {
        window,
        reference: window,
        u: 1.0,
        stage: 0,
        last_update_seq: 0,
        stored: None,
    });
    error::NONE
}

/// Closes a flow; returns the error code.
pub fn close(slot: &mut Option<Flow>) -> u64 {
    if slot.take().is_some() { error::NONE } else { error::CLOSED }
}

/// An ACK takes effect in `cycle`, counted from the start and without a wrap.
pub fn ack(
    c: &Constants,
    slot: &mut Option<Flow>,
    cycle: u64,
    ack: &Ack,
    follow: &mut Follow<'_>,
) -> Report {
    let Some(flow) = slot else { return Report { error: error::CLOSED, ..Report::default() } };
    if ack.hops > c.hops {
        return Report { error: error::HOPS, ..Report::default() };
    }
    flow.ack(c, cycle, ack, follow)
}

impl Flow {
    /// Telemetry that is not too old in `cycle`.
    pub fn useful(&self, c: &Constants, cycle: u64) -> Option<&Stored> {
        self.stored.as_ref().filter(|stored| cycle - stored.at <= c.age)
    }

    fn ack(&mut self, c: &Constants, cycle: u64, ack: &Ack, follow: &mut Follow<'_>) -> Report {
        let new = Stored { at: cycle, path: ack.path, telemetry: unpack(c, ack) };
        // 1.
        let old = self.useful(c, cycle).cloned();
        let same =
            |old: &Stored| old.path == new.path && old.telemetry.len() == new.telemetry.len();
        let Some(old) = old.filter(same) else {
            self.last_update_seq = ack.snd_nxt;
            self.stored = Some(new);
            return Report { branch: Branch::Stored, ..Report::default() };
        };
        // 2.
        let [ts_bits, tx_bits, _] = c.widths();
        let half = 1 << (ts_bits - 1);
        let pairs = || new.telemetry.iter().zip(&old.telemetry);
        if pairs().any(|(new, old)| ahead(new[0], old[0], ts_bits) >= half) {
            return Report { branch: Branch::Stale, ..Report::default() };
        }
        // 3.
        let full = (1..1 << 31).contains(&ahead(ack.seq, self.last_update_seq, 32));
        // 4.
        let [tx_unit, qlen_unit] = c.units();
        let mut hops = vec![];
        for (hop, (new, old)) in pairs().enumerate() {
            let dt = ahead(new[0], old[0], ts_bits) as f64;
            let Some(gbps) = c.gbps(ack.records[hop].rate) else { continue };
            if dt == 0.0 {
                continue;
            }
            let rate = (ahead(new[1], old[1], tx_bits) as f64 * tx_unit / dt).min(most::RATE);
            let queue = (new[2].min(old[2]) as f64 * qlen_unit).min(most::QUEUE);
            let queued = (queue / c.rtt).min(most::RATE);
            hops.push((hop, ((queued + rate) * 8.0 / gbps).min(most::U), dt));
        }
        if let Some((u, dt)) = winner(&hops, follow) {
            let tau = dt.min(c.rtt);
            self.u = self.u * (1.0 - tau / c.rtt) + u * tau / c.rtt;
        }
        // 5.
        let branch = if self.stage >= c.max_stage || is_busy(c, self.u, follow) {
            Branch::Multiplicative
        } else {
            Branch::Additive
        };
        let window = match branch {
            Branch::Multiplicative => self.reference / (self.u.max(2f64.powi(-16)) / c.eta),
            _ => self.reference,
        };
        self.window = c.bound(window + c.wai);
        if full {
            self.stage = if branch == Branch::Multiplicative { 0 } else { self.stage + 1 };
            self.reference = self.window;
            self.last_update_seq = ack.snd_nxt;
        }
        // 6.
        self.stored = Some(new);
        Report { branch, full, error: error::NONE }
    }
}

/// The largest u and its dt, of the first of equals; or the core's hop, where that is as large.
fn winner(hops: &[(usize, f64, f64)], follow: &mut Follow<'_>) -> Option<(f64, f64)> {
    let mut best: Option<(usize, f64, f64)> = None;
    for hop in hops {
        if best.is_none_or(|(_, u, _)| hop.1 > u) {
            best = Some(*hop);
        }
    }
    let own = best?;
    let theirs = follow.outcome.and_then(|outcome| outcome.winner);
    let theirs = theirs.and_then(|winner| hops.iter().find(|hop| hop.0 == winner.hop));
    match theirs {
        Some(theirs)
            if theirs.0 != own.0 && own.1 - theirs.1 <= own.1 * near::HOP_U + near::HOP_U_LEAST =>
        {
            follow.steered += 1;
            Some((theirs.1, theirs.2))
        }
        _ => Some((own.1, own.2)),
    }
}

/// Whether U >= Eta, or what the core took it for where that is too close to tell.
fn is_busy(c: &Constants, u: f64, follow: &mut Follow<'_>) -> bool {
    let own = u >= c.eta;
    match follow.outcome {
        Some(outcome) if (u - c.eta).abs() < near::U * c.eta => {
            let theirs = outcome.branch == Branch::Multiplicative;
            follow.steered += u64::from(own != theirs);
            theirs
        }
        _ => own,
    }
}

/// a - b, modulo 2^bits.
fn ahead(a: u64, b: u64, bits: u32) -> u64 {
    a.wrapping_sub(b) % (1 << bits)
}

/// TS, txBytes and qLen of each hop, in the format's bits.
fn unpack(c: &Constants, ack: &Ack) -> Vec<[u64; 3]> {
    let [ts, tx, qlen] = c.widths();
    let records = ack.records.iter().take(ack.hops as usize);
    records.map(|r| [r.ts % (1 << ts), r.tx_bytes % (1 << tx), r.qlen % (1 << qlen)]).collect()
}
