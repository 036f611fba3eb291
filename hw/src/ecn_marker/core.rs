//! The atomic fixed-point core of `ecn_marker`: one event applied to one queue.
//!
//! No clock, no pipeline, no forwarding: every function takes a queue's whole state and leaves it
//! whole; the one generator of random words is the block's and is handed in. `rtl/ecn_marker.sv`
//! computes the same steps under the same names.
//!
//! Formats: occupancy UQ OCC_W.0 bytes, saturating at both ends; average UQ OCC_W.AVG_FRAC bytes;
//! the weight w is `weight` in UQ1.WEIGHT_FRAC times 2^-weight_shift; probabilities UQ0.24;
//! thresholds in whole bytes, OCC_W + 1 bits, so that 2^OCC_W is one that nothing reaches. Source:
//! seeds 000 and 002, `docs/ecn_marker.md`.

use crate::prim::lfsr::advance32;
use congruent_ports::ecn_marker::{POSITION_FRAC, PROBABILITY_FRAC, SLOPE_FRAC};
use congruent_ports::error;

/// Which marking policy the block runs: `cfg_policy`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Policy {
    /// RED on the average, CE marks (Ethernet).
    Red = 0,
    /// FECN on the occupancy, every so many packets (Omni-Path, InfiniBand).
    Fecn = 1,
}

/// What decides inside the band: `cfg_random_mode`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum RandomMode {
    /// The block's LFSR.
    Lfsr = 0,
    /// An accumulator a queue.
    Diffusion = 1,
}

/// What the `cfg_*` pins carry, and the widths that the arithmetic needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cfg {
    /// Bits of an occupancy.
    pub occ_w: u32,
    /// Fraction bits of an average.
    pub avg_frac: u32,
    /// Fraction bits of the weight.
    pub weight_frac: u32,
    /// Bits of the counters of marked and eligible packets.
    pub count_w: u32,
    /// `cfg_enable_ecn`.
    pub enable_ecn: bool,
    /// `cfg_policy`.
    pub policy: Policy,
    /// `cfg_weight`, UQ1.WEIGHT_FRAC: 1.0 to below 2.0, less only where w is 0 or below 2^-31.
    pub weight: u64,
    /// `cfg_weight_shift`, 0 to 31. With the weight at most 1.0 in all.
    pub weight_shift: u32,
    /// `cfg_lower`, bytes.
    pub lower: u64,
    /// `cfg_upper`, bytes, at least `lower`.
    pub upper: u64,
    /// `cfg_band_shift`: bits of the band's width in bytes, 1 to 29; 0 where there is no band.
    pub band_shift: u32,
    /// `cfg_slope`, UQ2.22: MaxMarkProbability x 2^band_shift / band, rounded down.
    pub slope: u64,
    /// `cfg_random_mode`.
    pub random_mode: RandomMode,
    /// `cfg_lfsr_seed`, not 0.
    pub lfsr_seed: u32,
    /// `cfg_congested_from`: congestion begins at this occupancy, bytes.
    pub congested_from: u64,
    /// `cfg_congested_below`: congestion ends below this occupancy, bytes.
    pub congested_below: u64,
    /// `cfg_packet_size`: smaller packets are not eligible for FECN, bytes.
    pub packet_size: u64,
    /// `cfg_marking_rate`: eligible packets that pass unmarked after a marked one.
    pub marking_rate: u64,
    /// `cfg_victim_marking`: packets of a port without credits are eligible for FECN.
    pub victim_marking: bool,
}

impl Cfg {
    /// The largest occupancy: all ones.
    #[inline]
    pub const fn occupancy_most(&self) -> u64 {
        (1 << self.occ_w) - 1
    }

    /// A number of bytes in the format of the average.
    #[inline]
    pub const fn to_average(&self, bytes: u64) -> u64 {
        bytes << self.avg_frac
    }
}

/// The state of a queue. After the init sweep every field is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Queue {
    /// Bytes in the queue.
    pub occupancy: u64,
    /// Moving average of the occupancy, UQ OCC_W.AVG_FRAC.
    pub average: u64,
    /// FECN: the queue is congested.
    pub congested: bool,
    /// FECN: eligible packets that still pass unmarked; 0 outside congestion.
    pub skip: u64,
    /// RED by diffusion: probability not yet turned into a mark, UQ0.24.
    pub acc: u64,
    /// Packets marked; saturating at COUNT_W bits.
    pub marked: u64,
    /// Packets that a mark could be put on, whether the queue was congested or not; saturating.
    pub eligible: u64,
}

/// A packet that starts transmitting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Packet {
    /// Size, bytes.
    pub bytes: u64,
    /// ECN bits. RED: 0 Not-ECT, 1 ECT(1), 2 ECT(0), 3 CE. FECN: bit 0 is FECN.
    pub ecn: u64,
    /// Its port has credits: not a victim.
    pub has_credits: bool,
}

/// The answer to a packet that starts transmitting: the payload of a `mark` beat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// ECN bits that it leaves with.
    pub ecn: u64,
    /// It was marked here.
    pub marked: bool,
    /// 0, or underflow.
    pub error: u64,
}

/// Where an average is with respect to the thresholds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Region {
    /// Below the lower threshold: no mark.
    Below,
    /// From the lower threshold on and below the upper one: a mark with a probability.
    Band,
    /// From the upper threshold on: a mark.
    Above,
}

/// Occupancy with a packet more; saturates at all ones.
#[inline]
pub const fn occupancy_up(cfg: &Cfg, occupancy: u64, bytes: u64) -> u64 {
    let up = occupancy + bytes;
    if up > cfg.occupancy_most() { cfg.occupancy_most() } else { up }
}

/// average + w x (occupancy - average), the step rounded half up (towards plus infinity).
///
/// The step never goes past the occupancy, so the average stays in its format. The product has 71
/// bits at the default widths, and its lowest 16 never matter there (the shift is 17 or more): in 64
/// bits it is exactly ((high x weight) << 10) + ((low x weight) >> 16), rounded with a shift less by
/// 16, where low is the difference's lowest 26 bits and high the rest with its sign.
#[inline]
pub const fn average_next(cfg: &Cfg, average: u64, occupancy: u64) -> u64 {
    let difference = cfg.to_average(occupancy) as i64 - average as i64;
    let shift = cfg.weight_frac + cfg.weight_shift;
    let product = difference as i128 * cfg.weight as i128;
    let step = (product + (1 << (shift - 1))) >> shift;
    (average as i64 + step as i64) as u64
}

/// Where the average is. `lower` = `upper` is a step: there is no band.
#[inline]
pub const fn region(cfg: &Cfg, average: u64) -> Region {
    if average >= cfg.to_average(cfg.upper) {
        Region::Above
    } else if average >= cfg.to_average(cfg.lower) {
        Region::Band
    } else {
        Region::Below
    }
}

/// (average - lower) / 2^band_shift bytes, UQ0.24, rounded down; for an average in the band.
#[inline]
pub const fn position(cfg: &Cfg, average: u64) -> u64 {
    let above = (average - cfg.to_average(cfg.lower)) << (POSITION_FRAC - cfg.avg_frac);
    above >> cfg.band_shift
}

/// p = MaxMarkProbability x (average - lower) / (upper - lower), UQ0.24, for an average in the band.
/// Rounded down at each step, so it is never above the exact one, and never 1.0.
#[inline]
pub const fn mark_probability(cfg: &Cfg, average: u64) -> u64 {
    (position(cfg, average) * cfg.slope) >> SLOPE_FRAC
}

/// A decision by a random word: the LFSR advances by 32 steps, then its low 24 bits are compared.
#[inline]
pub fn decide_lfsr(lfsr: &mut u32, p: u64) -> bool {
    *lfsr = advance32(*lfsr);
    (*lfsr as u64 & ((1 << PROBABILITY_FRAC) - 1)) < p
}

/// A decision by diffusion: the queue's accumulator takes p in and gives a mark away at 1.0.
#[inline]
pub const fn decide_diffusion(acc: &mut u64, p: u64) -> bool {
    let sum = *acc + p;
    *acc = sum & ((1 << PROBABILITY_FRAC) - 1);
    sum >> PROBABILITY_FRAC != 0
}

/// A counter one up; saturates at COUNT_W bits.
#[inline]
pub const fn count(cfg: &Cfg, counter: u64) -> u64 {
    let most = (1 << cfg.count_w) - 1;
    if counter == most { most } else { counter + 1 }
}

/// ECT(0) or ECT(1): a mark may be put on it.
#[inline]
pub const fn is_ect(ecn: u64) -> bool {
    ecn == 1 || ecn == 2
}

/// Not yet marked, large enough, and not a victim that is not to be marked.
#[inline]
pub const fn fecn_eligible(cfg: &Cfg, packet: &Packet) -> bool {
    packet.ecn & 1 == 0
        && packet.bytes >= cfg.packet_size
        && (packet.has_credits || cfg.victim_marking)
}

/// Congestion with respect to an occupancy: begins at `congested_from`, ends below
/// `congested_below`, stays as it is in between.
#[inline]
pub const fn congested_next(cfg: &Cfg, congested: bool, occupancy: u64) -> bool {
    if congested { occupancy >= cfg.congested_below } else { occupancy >= cfg.congested_from }
}

/// A packet is admitted: it counts into the occupancy, and the average takes the occupancy in with
/// that packet counted.
#[inline]
pub const fn enqueue(cfg: &Cfg, queue: &mut Queue, bytes: u64) {
    queue.occupancy = occupancy_up(cfg, queue.occupancy, bytes);
    queue.average = average_next(cfg, queue.average, queue.occupancy);
}

/// A packet starts transmitting: it is judged on the average and the occupancy before it leaves.
/// More bytes than the queue holds are an underflow: the occupancy becomes 0 and nothing else moves.
#[inline]
pub fn dequeue(cfg: &Cfg, queue: &mut Queue, lfsr: &mut u32, packet: &Packet) -> Mark {
    if packet.bytes > queue.occupancy {
        queue.occupancy = 0;
        return Mark { ecn: packet.ecn, marked: false, error: error::UNDERFLOW };
    }
    let marked = cfg.enable_ecn
        && match cfg.policy {
            Policy::Red => judge_red(cfg, queue, lfsr, packet),
            Policy::Fecn => judge_fecn(cfg, queue, packet),
        };
    if marked {
        queue.marked = count(cfg, queue.marked);
    }
    queue.occupancy -= packet.bytes;
    let mark = match cfg.policy {
        Policy::Red => 3,
        Policy::Fecn => packet.ecn | 1,
    };
    Mark { ecn: if marked { mark } else { packet.ecn }, marked, error: error::NONE }
}

/// RED: whether the packet gets CE. Only a decision in the band moves LFSR or accumulator.
#[inline]
pub fn judge_red(cfg: &Cfg, queue: &mut Queue, lfsr: &mut u32, packet: &Packet) -> bool {
    if !is_ect(packet.ecn) {
        return false;
    }
    queue.eligible = count(cfg, queue.eligible);
    match region(cfg, queue.average) {
        Region::Below => false,
        Region::Above => true,
        Region::Band => {
            let p = mark_probability(cfg, queue.average);
            match cfg.random_mode {
                RandomMode::Lfsr => decide_lfsr(lfsr, p),
                RandomMode::Diffusion => decide_diffusion(&mut queue.acc, p),
            }
        }
    }
}

/// FECN: whether the packet gets it. Every packet, eligible or not, has the congestion judged anew;
/// the first eligible one of a congestion is marked, then every (marking_rate + 1)-th.
#[inline]
pub const fn judge_fecn(cfg: &Cfg, queue: &mut Queue, packet: &Packet) -> bool {
    queue.congested = congested_next(cfg, queue.congested, queue.occupancy);
    if !queue.congested {
        queue.skip = 0;
    }
    if !fecn_eligible(cfg, packet) {
        return false;
    }
    queue.eligible = count(cfg, queue.eligible);
    if !queue.congested {
        return false;
    }
    let marked = queue.skip == 0;
    queue.skip = if marked { cfg.marking_rate } else { queue.skip - 1 };
    marked
}
