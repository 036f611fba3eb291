//! Table of `ecn_marker`: a switch's ECN (CE) and FECN marker (seeds 000 and 002).

use crate::make::{payload, row, stat};
use crate::{
    Attribute, AttributeKind, Block, Bound, BuildSet, Channel, CoverRow, Dir, ERRORS, Field,
    FieldRole, Param, Quantity, Ready, Timing, Width,
};

/// Values of `cfg_policy`.
pub const POLICIES: &[&str] = &["red", "fecn"];

/// Values of `cfg_random_mode`.
pub const RANDOM_MODES: &[&str] = &["lfsr", "diffusion"];

/// Bits of a packet's size.
pub const BYTES_W: u32 = 14;

/// Largest queue in bytes that attributes speak of: 2^28.
pub const LARGEST_BYTES: u64 = 1 << 28;

/// Fraction bits of an average on the ports, UQ OCC_W.24: those beyond AVG_FRAC are 0.
pub const AVERAGE_PORT_FRAC: u32 = 24;

/// Fraction bits of the position in the band, UQ0.24.
pub const POSITION_FRAC: u32 = 24;

/// Fraction bits of a probability, UQ0.24.
pub const PROBABILITY_FRAC: u32 = 24;

/// Fraction bits of the slope, UQ2.22.
pub const SLOPE_FRAC: u32 = 22;

/// Bytes in a unit of PacketSize.
pub const PACKET_SIZE_UNIT: u64 = 64;

const QUEUE: Field = Field {
    name: "queue",
    width: Width::Param("QUEUE_W"),
    quantity: Quantity::Count,
    role: FieldRole::Context,
    doc: "queue (port and class, or port and VL), 0 to QUEUES - 1",
};

const ERROR: Field = Field {
    name: "error",
    width: Width::Bits(3),
    quantity: Quantity::Enum(ERRORS),
    role: FieldRole::Error,
    doc: "0, or why the event was refused; then only the echoed queue means anything",
};

const BYTES: Field =
    payload("bytes", Width::Bits(BYTES_W), Quantity::Bytes, "size of the packet; 0 is legal");
const OCC_W: Width = Width::Param("OCC_W");
/// A threshold has a bit more than an occupancy, so that it can be out of reach: 2^OCC_W.
const THRESHOLD_W: Width = Width::ParamPlus("OCC_W", 1);
const AVERAGE_W: Width = Width::ParamPlus("OCC_W", AVERAGE_PORT_FRAC);
const AVERAGE: Quantity = Quantity::Fixed(AVERAGE_PORT_FRAC, "bytes");
const PROBABILITY: Quantity = Quantity::Fixed(PROBABILITY_FRAC, "");

const ENQ: Channel = Channel {
    name: "enq",
    dir: Dir::In,
    ready: Ready::Never,
    fields: &[QUEUE, BYTES],
    answers: None,
    doc: "a packet is admitted to a queue; one a cycle, one queue back to back included",
};

const DEQ: Channel = Channel {
    name: "deq",
    dir: Dir::In,
    ready: Ready::Never,
    fields: &[
        QUEUE,
        BYTES,
        payload(
            "ecn",
            Width::Bits(2),
            Quantity::Count,
            "red: 0 Not-ECT, 1 ECT(1), 2 ECT(0), 3 CE; fecn: bit 0 is FECN, bit 1 passes through",
        ),
        payload(
            "has_credits",
            Width::Bits(1),
            Quantity::Flag,
            "fecn: the port may send; 0 makes the packet a victim",
        ),
    ],
    answers: None,
    doc: "a packet of a queue starts transmitting; one a cycle, one queue back to back included",
};

const PEEK: Channel = Channel {
    name: "peek",
    dir: Dir::In,
    ready: Ready::Whole,
    fields: &[QUEUE],
    answers: None,
    doc: "asks for the whole state of a queue; writes nothing, comes last in its cycle's order",
};

const MARK: Channel = Channel {
    name: "mark",
    dir: Dir::Out,
    ready: Ready::Never,
    fields: &[
        QUEUE,
        payload("ecn", Width::Bits(2), Quantity::Count, "ECN bits that the packet leaves with"),
        payload("marked", Width::Bits(1), Quantity::Flag, "the packet was marked here"),
        ERROR,
    ],
    answers: Some("deq"),
    doc: "the answer to each deq, in order",
};

const AVG: Channel = Channel {
    name: "avg",
    dir: Dir::Out,
    ready: Ready::Never,
    fields: &[
        QUEUE,
        payload("occupancy", OCC_W, Quantity::Bytes, "bytes in the queue, that packet counted"),
        payload("average", AVERAGE_W, AVERAGE, "average with that packet counted, UQ OCC_W.24"),
        ERROR,
    ],
    answers: Some("enq"),
    doc: "the answer to each enq, in order",
};

const PEEKED: Channel = Channel {
    name: "peeked",
    dir: Dir::Out,
    ready: Ready::Never,
    fields: &[
        QUEUE,
        payload("occupancy", OCC_W, Quantity::Bytes, "bytes in the queue"),
        payload("average", AVERAGE_W, AVERAGE, "average of the occupancy, UQ OCC_W.24"),
        payload("congested", Width::Bits(1), Quantity::Flag, "fecn: the queue is congested"),
        payload(
            "skip",
            Width::Bits(16),
            Quantity::Count,
            "fecn: eligible packets that still pass unmarked; 0 outside congestion",
        ),
        payload(
            "acc",
            Width::Bits(PROBABILITY_FRAC),
            PROBABILITY,
            "red by diffusion: probability that has not become a mark yet, UQ0.24",
        ),
        payload(
            "marked",
            Width::Param("COUNT_W"),
            Quantity::Count,
            "packets marked since reset; saturating",
        ),
        payload(
            "eligible",
            Width::Param("COUNT_W"),
            Quantity::Count,
            "packets since reset that a mark could be put on, congestion or not: red ECT(0) and ECT(1); fecn without FECN, of PacketSize at least, no victim unless VictimMarking; saturating; underflows and EnableEcn false do not count",
        ),
        payload(
            "lfsr",
            Width::Bits(32),
            Quantity::Count,
            "state of the block's LFSR after this cycle's deq",
        ),
        ERROR,
    ],
    answers: Some("peek"),
    doc: "the answer to each peek, in order",
};

/// The table of `ecn_marker`.
pub const BLOCK: Block = Block {
    name: "ecn_marker",
    title: "a switch's marker: RED on an average queue length with CE, or FECN on the queue length",
    rtl: &[
        "congruent_pkg.sv",
        "em_pkg.sv",
        "prim/ram_1w1r.sv",
        "prim/ram_1w2r.sv",
        "prim/sweep.sv",
        "prim/lfsr32.sv",
        "em_occupancy.sv",
        "em_average.sv",
        "em_fecn.sv",
        "em_red.sv",
        "em_count.sv",
        "ecn_marker.sv",
    ],
    params: &[
        Param {
            name: "QUEUES",
            default: 64,
            min: 1,
            max: 1024,
            power_of_two: true,
            doc: "queues held",
        },
        Param {
            name: "QUEUE_W",
            default: 10,
            min: 1,
            max: 16,
            power_of_two: false,
            doc: "bits of a queue on the ports; at least log2(QUEUES), more lets a number outside the table arrive",
        },
        Param {
            name: "OCC_W",
            default: 28,
            min: 16,
            max: 28,
            power_of_two: false,
            doc: "bits of an occupancy in bytes; it saturates at all ones. A threshold that does not fit is never reached",
        },
        Param {
            name: "AVG_FRAC",
            default: 24,
            min: 8,
            max: 24,
            power_of_two: false,
            doc: "fraction bits of an average, UQ OCC_W.AVG_FRAC bytes; the error bound is for 24",
        },
        Param {
            name: "WEIGHT_FRAC",
            default: 17,
            min: 8,
            max: 24,
            power_of_two: false,
            doc: "fraction bits of the weight, UQ1.WEIGHT_FRAC times a power of two; the error bound is for 17",
        },
        Param {
            name: "COUNT_W",
            default: 32,
            min: 4,
            max: 32,
            power_of_two: false,
            doc: "bits of the counters of marked and eligible packets; they saturate",
        },
    ],
    attributes: &[
        Attribute {
            name: "clock_mhz",
            source_name: "ClockMHz",
            unit: "MHz",
            kind: AttributeKind::Real { default: 500.0, min: 100.0, max: 2000.0 },
            doc: "clock of the block; nothing in it depends on time, so this is for reports only",
        },
        Attribute {
            name: "enable_ecn",
            source_name: "EnableEcn",
            unit: "",
            kind: AttributeKind::Bool { default: true },
            doc: "false: no packet is judged or marked, in either policy; occupancy and average go on",
        },
        Attribute {
            name: "policy",
            source_name: "Policy",
            unit: "",
            kind: AttributeKind::Enum { default: "red", names: POLICIES },
            doc: "red: CE by the average (Ethernet); fecn: FECN by the occupancy (Omni-Path, InfiniBand)",
        },
        Attribute {
            name: "ewma_weight",
            source_name: "EwmaWeight",
            unit: "",
            kind: AttributeKind::Real { default: 0.10, min: 0.0, max: 1.0 },
            doc: "red: w of average := (1 - w) x average + w x occupancy, at every enq; 1 marks by the occupancy itself",
        },
        Attribute {
            name: "static_limit",
            source_name: "StaticLimit",
            unit: "B",
            kind: AttributeKind::Integer { default: 1_500_000, min: 9216, max: LARGEST_BYTES },
            doc: "red: limit of an egress queue, which the two thresholds are fractions of; at least one packet of the largest size",
        },
        Attribute {
            name: "min_threshold",
            source_name: "MinThreshold",
            unit: "",
            kind: AttributeKind::Real { default: 0.2, min: 0.0, max: 1.0 },
            doc: "red: lower threshold as a fraction of StaticLimit, rounded half up to whole bytes; not above MaxThreshold",
        },
        Attribute {
            name: "max_threshold",
            source_name: "MaxThreshold",
            unit: "",
            kind: AttributeKind::Real { default: 0.8, min: 0.0, max: 1.0 },
            doc: "red: upper threshold as a fraction of StaticLimit, rounded half up to whole bytes",
        },
        Attribute {
            name: "kmin",
            source_name: "Kmin",
            unit: "B",
            kind: AttributeKind::Integer { default: 0, min: 0, max: LARGEST_BYTES },
            doc: "red: lower threshold in bytes, where Kmax is set; not above Kmax",
        },
        Attribute {
            name: "kmax",
            source_name: "Kmax",
            unit: "B",
            kind: AttributeKind::Integer { default: 0, min: 0, max: LARGEST_BYTES },
            doc: "red: upper threshold in bytes; other than 0, Kmin and Kmax win over MinThreshold and MaxThreshold; 0: not set, and Kmin must be 0 too",
        },
        Attribute {
            name: "max_mark_probability",
            source_name: "MaxMarkProbability",
            unit: "",
            kind: AttributeKind::Real { default: 1.0, min: 0.0, max: 1.0 },
            doc: "red: probability of a mark just below the upper threshold",
        },
        Attribute {
            name: "random_mode",
            source_name: "RandomMode",
            unit: "",
            kind: AttributeKind::Enum { default: "lfsr", names: RANDOM_MODES },
            doc: "red: in the band, lfsr marks by a random word, diffusion by an accumulator of each queue (no noise)",
        },
        Attribute {
            name: "lfsr_seed",
            source_name: "LfsrSeed",
            unit: "",
            kind: AttributeKind::Integer { default: 1, min: 1, max: 0xffff_ffff },
            doc: "red: state of the LFSR after reset",
        },
        Attribute {
            name: "vl_buffer_bytes",
            source_name: "VlBufferBytes",
            unit: "B",
            kind: AttributeKind::Integer { default: 1 << 20, min: 1024, max: LARGEST_BYTES },
            doc: "fecn: buffer of a VL",
        },
        Attribute {
            name: "threshold",
            source_name: "Threshold",
            unit: "",
            kind: AttributeKind::Integer { default: 8, min: 0, max: 15 },
            doc: "fecn: 0 off; T: congested from VlBufferBytes x (16 - T) / 16 on, rounded half up to whole bytes; 15 is the most sensitive",
        },
        Attribute {
            name: "hysteresis",
            source_name: "Hysteresis",
            unit: "B",
            kind: AttributeKind::Integer { default: 0, min: 0, max: LARGEST_BYTES },
            doc: "fecn: congestion ends below the threshold less this; refused where that is not above 0, for it would never end",
        },
        Attribute {
            name: "packet_size",
            source_name: "PacketSize",
            unit: "x 64 B",
            kind: AttributeKind::Integer { default: 0, min: 0, max: 162 },
            doc: "fecn: smaller packets are not eligible",
        },
        Attribute {
            name: "marking_rate",
            source_name: "MarkingRate",
            unit: "",
            kind: AttributeKind::Integer { default: 0, min: 0, max: 65_535 },
            doc: "fecn: after a marked packet so many eligible ones pass unmarked",
        },
        Attribute {
            name: "victim_marking",
            source_name: "VictimMarking",
            unit: "",
            kind: AttributeKind::Bool { default: true },
            doc: "fecn: packets of a port without credits (victims) are eligible too",
        },
    ],
    cfg: &[
        payload("cfg_enable_ecn", Width::Bits(1), Quantity::Flag, "EnableEcn"),
        payload("cfg_policy", Width::Bits(1), Quantity::Enum(POLICIES), "Policy"),
        payload(
            "cfg_weight",
            Width::ParamPlus("WEIGHT_FRAC", 1),
            Quantity::Fraction("WEIGHT_FRAC"),
            "w x 2^cfg_weight_shift, UQ1.WEIGHT_FRAC, rounded half up: 1.0 to below 2.0, or less where w is 0 or below 2^-31",
        ),
        payload(
            "cfg_weight_shift",
            Width::Bits(5),
            Quantity::Count,
            "w = cfg_weight x 2^-cfg_weight_shift, which is at most 1.0",
        ),
        payload(
            "cfg_lower",
            THRESHOLD_W,
            Quantity::Bytes,
            "lower threshold; 2^OCC_W where it is out of reach",
        ),
        payload(
            "cfg_upper",
            THRESHOLD_W,
            Quantity::Bytes,
            "upper threshold; 2^OCC_W where it is out of reach",
        ),
        payload(
            "cfg_band_shift",
            Width::Bits(5),
            Quantity::Count,
            "bits of upper - lower in bytes, 1 to 29; 0 where they are equal",
        ),
        payload(
            "cfg_slope",
            Width::Bits(SLOPE_FRAC + 2),
            Quantity::Fixed(SLOPE_FRAC, ""),
            "MaxMarkProbability x 2^cfg_band_shift / (upper - lower), UQ2.22, rounded down; 0 where they are equal",
        ),
        payload("cfg_random_mode", Width::Bits(1), Quantity::Enum(RANDOM_MODES), "RandomMode"),
        payload("cfg_lfsr_seed", Width::Bits(32), Quantity::Count, "LfsrSeed, not 0"),
        payload(
            "cfg_congested_from",
            THRESHOLD_W,
            Quantity::Bytes,
            "congestion begins at this occupancy; 2^OCC_W where it is out of reach or Threshold is 0",
        ),
        payload(
            "cfg_congested_below",
            THRESHOLD_W,
            Quantity::Bytes,
            "congestion ends below this occupancy; not above cfg_congested_from",
        ),
        payload(
            "cfg_packet_size",
            Width::Bits(BYTES_W),
            Quantity::Bytes,
            "smallest packet eligible for FECN: 64 x PacketSize",
        ),
        payload("cfg_marking_rate", Width::Bits(16), Quantity::Count, "MarkingRate"),
        payload("cfg_victim_marking", Width::Bits(1), Quantity::Flag, "VictimMarking"),
    ],
    channels: &[ENQ, DEQ, PEEK, MARK, AVG, PEEKED],
    levels: &[
        payload(
            "init_done",
            Width::Bits(1),
            Quantity::Flag,
            "the init sweep is over; events are legal from the cycle after the one that first shows it",
        ),
        stat(
            "stat_range",
            "answers with error range (mark, avg and peeked) since reset; saturating; the beats of this cycle included",
        ),
        stat(
            "stat_underflow",
            "answers with error underflow since reset; saturating; the beat of this cycle included",
        ),
    ],
    timing: &[
        Timing { name: "mark_latency", cycles: 7, doc: "from deq to its mark" },
        Timing { name: "avg_latency", cycles: 4, doc: "from enq to its avg" },
        Timing { name: "peek_latency", cycles: 8, doc: "from peek to its peeked" },
        Timing {
            name: "peek_interval",
            cycles: 8,
            doc: "initiation interval of peek: peek_ready is low for one cycle less after each beat taken",
        },
    ],
    order: &[
        "deq: judged on average and occupancy as of the start of the cycle, all events of the cycles before included; then the occupancy falls. LFSR and accumulator advance only by decisions in the band, in the order of the deqs",
        "enq: the occupancy rises, from what this cycle's deq left; then the average takes it in",
        "peek: sees the state after all of the above",
    ],
    coverage: COVERAGE,
    builds: &[
        BuildSet { name: "default", params: &[], doc: "the shipped size" },
        BuildSet {
            name: "one",
            params: &[
                ("QUEUES", 1),
                ("QUEUE_W", 1),
                ("OCC_W", 18),
                ("AVG_FRAC", 16),
                ("WEIGHT_FRAC", 11),
                ("COUNT_W", 6),
            ],
            doc: "one queue, narrow words: every event meets every other, occupancy and counters saturate in short runs",
        },
        BuildSet {
            name: "large",
            params: &[("QUEUES", 1024)],
            doc: "the largest size; no number outside the table can arrive",
        },
    ],
    variants: &[],
    controls: &[],
    bounds: &[
        Bound {
            name: "average",
            limit: 1.0 / 65_536.0,
            unit: "of StaticLimit",
            doc: "|average - reference| at the default formats, over 10^6 random events. Each enq rounds by half of 2^-24 B, which the average forgets at the rate w; the weight is off by at most 2^-18 of itself, which moves the average by at most 0.37 x 2^-18 of the largest occupancy. So it holds for any weight while the occupancy stays below 8 x StaticLimit",
        },
        Bound {
            name: "probability",
            limit: 1.0 / 2_097_152.0,
            unit: "",
            doc: "exact probability - p, never below 0, for the same average: position, slope and product are each rounded down, by less than 2, 4 and 1 units of 2^-24",
        },
    ],
};

const COVERAGE: &[CoverRow] = &[
    row("average_lower_minus_lsb", "average one LSB below the lower threshold: a decision there"),
    row("average_lower_exactly", "average exactly at the lower threshold: a decision there"),
    row("average_lower_plus_lsb", "average one LSB above the lower threshold: a decision there"),
    row("average_upper_minus_lsb", "average one LSB below the upper threshold: a decision there"),
    row("average_upper_exactly", "average exactly at the upper threshold: a decision there"),
    row("average_upper_plus_lsb", "average one LSB above the upper threshold: a decision there"),
    row("ect0_in_band", "ECT(0) with the average in the band"),
    row("ect0_out_of_band", "ECT(0) with the average out of the band"),
    row("ect1_in_band", "ECT(1) with the average in the band"),
    row("ect1_out_of_band", "ECT(1) with the average out of the band"),
    row("ce_in_band", "CE with the average in the band"),
    row("ce_out_of_band", "CE with the average out of the band"),
    row("not_ect_in_band", "Not-ECT with the average in the band"),
    row("not_ect_out_of_band", "Not-ECT with the average out of the band"),
    row("w_zero", "w = 0: a packet admitted, and the average stays"),
    row("w_one", "w = 1: an average that moves"),
    row("p_zero", "MaxMarkProbability 0: a decision in the band"),
    row("p_one", "MaxMarkProbability 1: a decision in the band"),
    row("thresholds_equal", "lower = upper: a decision"),
    row("drained_and_refilled", "queue drained to 0 and refilled"),
    row("enq_deq_same_cycle", "enq and deq of one queue in one cycle"),
    row("deq_after_enq", "deq in the cycle after an enq of its queue"),
    row("enq_after_deq", "enq in the cycle after a deq of its queue"),
    row("enq_back_to_back", "enq of one queue in adjacent cycles"),
    row("deq_back_to_back", "deq of one queue in adjacent cycles"),
    row("all_queues_active", "packets in all queues at once"),
    row("occupancy_largest", "occupancy at its largest: more bytes come and it stays there"),
    row("packet_9216", "a packet of 9216 B admitted"),
    row("underflow", "underflow: a packet larger than what its queue holds"),
    row("enable_ecn_false", "EnableEcn false: a packet passes that would be marked otherwise"),
    row(
        "threshold_0",
        "Threshold 0: an eligible packet passes, though VlBufferBytes are in the queue",
    ),
    row("threshold_1", "Threshold 1: congestion begins under it"),
    row("threshold_2", "Threshold 2: congestion begins under it"),
    row("threshold_3", "Threshold 3: congestion begins under it"),
    row("threshold_4", "Threshold 4: congestion begins under it"),
    row("threshold_5", "Threshold 5: congestion begins under it"),
    row("threshold_6", "Threshold 6: congestion begins under it"),
    row("threshold_7", "Threshold 7: congestion begins under it"),
    row("threshold_8", "Threshold 8: congestion begins under it"),
    row("threshold_9", "Threshold 9: congestion begins under it"),
    row("threshold_10", "Threshold 10: congestion begins under it"),
    row("threshold_11", "Threshold 11: congestion begins under it"),
    row("threshold_12", "Threshold 12: congestion begins under it"),
    row("threshold_13", "Threshold 13: congestion begins under it"),
    row("threshold_14", "Threshold 14: congestion begins under it"),
    row("threshold_15", "Threshold 15: congestion begins under it"),
    row(
        "hysteresis_up",
        "hysteresis crossed upwards: congestion begins, with a hysteresis other than 0",
    ),
    row(
        "hysteresis_held",
        "occupancy below the threshold and not below threshold - hysteresis: congestion goes on",
    ),
    row(
        "hysteresis_down",
        "hysteresis crossed downwards: congestion ends, with a hysteresis other than 0",
    ),
    row("packet_size_exactly", "a packet of exactly PacketSize while congested"),
    row("packet_size_below", "a packet one byte below PacketSize while congested"),
    row("victim_marked", "a victim with VictimMarking marked"),
    row("victim_passed", "a victim without VictimMarking while congested"),
    row(
        "marking_rate_across_end",
        "congestion ended while eligible packets still had to pass, and the first one of the next is marked",
    ),
    row("already_marked", "a packet that already carries FECN while congested"),
    row("lfsr_seed_other", "LfsrSeed other than 1: a decision in the band"),
    row("diffusion", "a mark by diffusion"),
    row("counter_saturated", "a counter of packets at all ones stays there"),
    row("queue_out_of_range", "queue >= QUEUES where the field can hold it"),
];
