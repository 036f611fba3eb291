//! The DCQCN buffer calculator: thresholds under which ECN marks before PFC pauses, in exact
//! rational arithmetic.
//!
//! Source: Zhu et al., "Congestion Control for Large-Scale RDMA Deployments" (SIGCOMM 2015),
//! section 4, and seed 003's derivation from it. Nothing is rounded here; [`number`] rounds when a
//! number is printed.

pub mod number;

use crate::units::grouped;
use number::{Exact, whole};
use std::fmt;

/// The 8 of the paper's t_PFC(s) = beta × (free − s) ÷ 8: part of what beta means, whatever the
/// number of priorities.
const BETA_UNIT: u64 = 8;

/// Propagation in copper and fibre, ns a metre, as it is usually reckoned.
const CABLE_NS_PER_METRE: u64 = 5;

/// Bytes of a PAUSE frame with preamble and gap: 64 + 20.
const PAUSE_FRAME: u64 = 84;

/// Bytes of Ethernet around an MTU: header 14, check sequence 4, preamble and gap 20.
const ETHERNET: u64 = 38;

/// Bytes of one pause quantum: 512 bit times.
const QUANTUM: u64 = 64;

/// Gbps, and pause quanta that a receiver of PAUSE may take to stop (IEEE 802.3, 31B.3.7).
const RESPONSE_QUANTA: &[(u64, u64)] =
    &[(10, 67), (25, 80), (40, 118), (50, 147), (100, 394), (200, 453), (400, 905)];

/// Where the headroom of a port and priority comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Headroom {
    /// Given, bytes.
    Given(Exact),
    /// Reckoned from the link.
    Link(Link),
}

/// A link, as far as its headroom depends on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// Gbps.
    pub gbps: Exact,
    /// Length of the cable, metres.
    pub metres: Exact,
    /// Largest packet of either side, bytes without Ethernet's own.
    pub mtu: u64,
    /// Pause quanta that the other side may take to stop.
    pub response_quanta: u64,
}

impl Link {
    /// Pause quanta that IEEE 802.3 allows at this speed, where it names one.
    pub fn standard_response(gbps: &Exact) -> Option<u64> {
        RESPONSE_QUANTA.iter().find(|(speed, _)| *gbps == whole(*speed)).map(|(_, quanta)| *quanta)
    }

    /// Speeds for which a response is known, Gbps.
    pub fn standard_speeds() -> impl Iterator<Item = u64> {
        RESPONSE_QUANTA.iter().map(|(speed, _)| *speed)
    }

    /// A frame of the MTU on the wire, bytes.
    pub fn frame(&self) -> u64 {
        self.mtu + ETHERNET
    }

    /// Bytes in flight on the cable, there and back.
    pub fn on_the_cable(&self) -> Exact {
        // ns × Gbps = bits.
        &self.metres * whole(2 * CABLE_NS_PER_METRE) * &self.gbps / whole(8)
    }

    /// Bytes that the other side still sends while it reacts.
    pub fn response(&self) -> u64 {
        QUANTUM * self.response_quanta
    }

    /// t_flight: what can still arrive after the decision to pause, bytes.
    pub fn headroom(&self) -> Exact {
        whole(2 * self.frame() + PAUSE_FRAME + self.response()) + self.on_the_cable()
    }
}

/// A shared-buffer switch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Switch {
    /// B: shared buffer, bytes.
    pub buffer: Exact,
    /// n: ports, at least 1.
    pub ports: u64,
    /// Priorities, 1 to 8: each has its headroom on each port.
    pub priorities: u64,
    /// t_flight: headroom of a port and priority.
    pub headroom: Headroom,
    /// beta, above 0.
    pub beta: Exact,
    /// A packet, bytes: what a threshold is compared with.
    pub mtu: u64,
}

/// A switch whose numbers leave no shared buffer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Impossible {
    /// What is wrong, with the numbers.
    pub message: String,
    /// Which numbers would do.
    pub help: String,
}

impl fmt::Display for Impossible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.message)
    }
}

impl std::error::Error for Impossible {}

impl Switch {
    /// t_flight, bytes.
    pub fn t_flight(&self) -> Exact {
        match &self.headroom {
            Headroom::Given(bytes) => bytes.clone(),
            Headroom::Link(link) => link.headroom(),
        }
    }

    /// Ingress queues: one for each port and priority.
    pub fn queues(&self) -> Exact {
        whole(self.priorities * self.ports)
    }

    /// Headroom of all ingress queues, bytes.
    pub fn all_headroom(&self) -> Exact {
        self.queues() * self.t_flight()
    }

    /// What all queues share: B − priorities × n × t_flight, bytes.
    pub fn free(&self) -> Exact {
        &self.buffer - self.all_headroom()
    }

    /// Checks that something is left to share.
    ///
    /// # Errors
    /// The headroom takes the whole buffer or more.
    pub fn check(&self) -> Result<(), Impossible> {
        if self.free() > whole(0) {
            return Ok(());
        }
        let (t_flight, need, have) = (self.t_flight(), self.all_headroom(), &self.buffer);
        let (ports, priorities) = (self.ports, self.priorities);
        let message = format!(
            "no shared buffer is left: headroom takes {priorities} priorities x {ports} ports x {} B = {} B, the buffer holds {} B",
            number::show(&t_flight, 1),
            number::show(&need, 1),
            number::show(have, 1),
        );
        // The largest whole number below a bound of which not even the bound itself will do.
        let below = |bound: Exact| bound.ceil().to_integer() - 1u32;
        let most_ports = below(have / (whole(priorities) * &t_flight));
        let most_headroom = below(have / self.queues());
        let least = need.floor().to_integer() + 1u32;
        let culprit = match &self.headroom {
            // Not even a packet would fit.
            _ if most_headroom < self.mtu.into() => "the buffer makes it so".to_string(),
            Headroom::Given(_) => "the headroom makes it so".to_string(),
            Headroom::Link(link) => format!(
                "the headroom makes it so: a cable of {} m at {} Gbps",
                number::show(&link.metres, 3),
                number::show(&link.gbps, 3)
            ),
        };
        let mut ways = vec![];
        if most_headroom >= 1u32.into() {
            ways.push(format!("a headroom of at most {} B", grouped(&most_headroom)));
        }
        if most_ports >= 1u32.into() {
            ways.push(format!("at most {} ports", grouped(&most_ports)));
        }
        ways.push(format!("a buffer of at least {} B", grouped(&least)));
        let help = format!("{culprit}; with the other numbers as they are: {}", ways.join(", or "));
        Err(Impossible { message, help })
    }

    /// Static t_PFC, bytes: what is left, in equal parts for all ingress queues.
    pub fn static_pfc(&self) -> Exact {
        self.free() / self.queues()
    }

    /// Bound on a static t_ECN (Kmin), bytes, not to be reached: t_PFC ÷ n.
    pub fn static_ecn(&self) -> Exact {
        self.static_pfc() / whole(self.ports)
    }

    /// Dynamic t_PFC(s) while the shared buffer holds `s` bytes; never below 0.
    pub fn dynamic_pfc(&self, s: &Exact) -> Exact {
        let threshold = &self.beta * (self.free() - s) / whole(BETA_UNIT);
        threshold.max(whole(0))
    }

    /// Bound on t_ECN (Kmin), bytes, not to be reached, with `k` priorities occupied:
    /// beta × free ÷ (n × (8 + k × beta)).
    pub fn dynamic_ecn(&self, k: u64) -> Exact {
        &self.beta * self.free() / (whole(self.ports) * (whole(BETA_UNIT) + whole(k) * &self.beta))
    }

    /// The most that the shared buffer holds before any packet is marked: k × n × t_ECN.
    pub fn occupied(&self, k: u64, t_ecn: &Exact) -> Exact {
        whole(k * self.ports) * t_ecn
    }
}

#[cfg(test)]
mod tests {
    use super::number::{Exact, parse, show, whole};
    use super::{Headroom, Link, Switch};
    use congruent_hw::random::Draw;

    /// The paper's switch.
    fn paper() -> Switch {
        Switch {
            buffer: whole(12_000_000),
            ports: 32,
            priorities: 8,
            headroom: Headroom::Given(whole(22_400)),
            beta: whole(8),
            mtu: 1500,
        }
    }

    #[test]
    fn the_papers_switch() {
        let switch = paper();
        assert_eq!(switch.free(), whole(6_265_600));
        assert_eq!(switch.static_pfc(), whole(24_475));
        assert_eq!(show(&switch.static_ecn(), 1), "764.8");
        assert_eq!(show(&switch.dynamic_ecn(8), 1), "21 755.6");
        assert_eq!(switch.dynamic_ecn(1), whole(97_900));
        // 8 (beta + 1) / (8 + beta) at beta 8.
        assert_eq!(switch.dynamic_ecn(1) / switch.dynamic_ecn(8), parse("4.5").unwrap());
    }

    #[test]
    fn at_the_bound_pfc_is_n_times_ecn() {
        let switch = paper();
        let at = |k| {
            let s = switch.occupied(k, &switch.dynamic_ecn(k));
            (show(&s, 1), show(&switch.dynamic_pfc(&s), 1))
        };
        assert_eq!(at(8), ("5 569 422.2".to_string(), "696 177.8".to_string()));
        assert_eq!(at(1), ("3 132 800".to_string(), "3 132 800".to_string()));
    }

    #[test]
    fn never_below_zero() {
        assert_eq!(paper().dynamic_pfc(&whole(7_000_000)), whole(0));
    }

    /// Over random switches: equal at the bound, strictly greater one byte below. The inequality is
    /// worked here once more, with everything multiplied out.
    #[test]
    fn the_bound_is_exact_on_random_switches() {
        let mut draw = Draw::new(4, "switches");
        let ratio = |over: i128, under: i128| Exact::new(over.into(), under.into());
        for _ in 0..3_000 {
            let (ports, priorities) = (draw.between(1, 512), draw.between(1, 8));
            let (t_flight, shared) = (draw.between(0, 100_000), draw.between(1, 1 << 30));
            let buffer = priorities * ports * t_flight + shared;
            // beta as the hardware holds it: 1/128 to 128 in steps of 1/128.
            let raw = draw.between(1, 128 * 128);
            let switch = Switch {
                buffer: whole(buffer),
                ports,
                priorities,
                headroom: Headroom::Given(whole(t_flight)),
                beta: ratio(raw.into(), 128),
                mtu: 1500,
            };
            assert_eq!(switch.check(), Ok(()));
            let k = draw.between(1, priorities);
            // n t < (raw / 128) (shared - k n t) / 8, times 1024.
            let (n, raw, shared, k_) =
                (i128::from(ports), i128::from(raw), i128::from(shared), i128::from(k));
            let holds = |t: &Exact| {
                let nt = t * ratio(n, 1);
                let left = &nt * ratio(1024, 1);
                let right = ratio(raw, 1) * (ratio(shared, 1) - nt * ratio(k_, 1));
                right - left
            };
            let bound = switch.dynamic_ecn(k);
            assert_eq!(holds(&bound), whole(0), "{switch:?} k {k}");
            assert!(holds(&(&bound - whole(1))) > whole(0), "{switch:?} k {k}");
            let s = switch.occupied(k, &bound);
            assert_eq!(switch.dynamic_pfc(&s), &bound * whole(ports), "{switch:?} k {k}");
        }
    }

    #[test]
    fn headroom_of_a_link() {
        let link = Link { gbps: whole(40), metres: whole(100), mtu: 1500, response_quanta: 118 };
        // 2 x 1538 + 84 + 118 x 64 + 100 m x 10 ns x 40 Gbps / 8.
        assert_eq!(link.headroom(), whole(3076 + 84 + 7552 + 5000));
        assert_eq!(Link::standard_response(&whole(40)), Some(118));
        assert_eq!(Link::standard_response(&whole(41)), None);
    }

    #[test]
    fn a_buffer_too_small_for_any_headroom_is_the_culprit() {
        let why = Switch { buffer: whole(1000), ..paper() }.check().unwrap_err();
        assert!(why.help.starts_with("the buffer makes it so"), "{}", why.help);
        // No number of ports would do.
        assert!(!why.help.contains("ports"), "{}", why.help);
    }

    #[test]
    fn an_impossible_switch_says_which_number() {
        let switch = Switch { headroom: Headroom::Given(whole(50_000)), ..paper() };
        let why = switch.check().unwrap_err();
        assert!(why.message.contains("8 priorities x 32 ports x 50 000 B = 12 800 000 B"), "{why}");
        // 12 000 000 / 256 = 46 875, which leaves nothing; 12 000 000 / 400 000 = 30 likewise.
        assert!(why.help.contains("at most 46 874 B, or at most 29 ports"), "{}", why.help);
        assert!(why.help.contains("at least 12 800 001 B"), "{}", why.help);
        // What the help offers is accepted.
        let with = |bytes| Switch { headroom: Headroom::Given(whole(bytes)), ..paper() };
        assert!(with(46_874).check().is_ok());
        assert!(with(46_875).check().is_err());
        assert!(Switch { buffer: whole(12_800_001), ..switch.clone() }.check().is_ok());
        assert!(Switch { ports: 29, ..switch }.check().is_ok());
    }
}
