//! Table of `pfc_threshold`: a switch's shared buffer with dynamic PFC thresholds (seed 003).

use crate::make::{payload, row, stat};
use crate::{
    Attribute, AttributeKind, Block, Bound, BuildSet, Channel, CoverRow, Dir, ERRORS, Field,
    FieldRole, Param, Quantity, Ready, Timing, Width,
};

/// Values of `cfg_mode`.
pub const MODES: &[&str] = &["dynamic", "static"];

/// Values of `admit_verdict`.
pub const VERDICTS: &[&str] = &["pool", "headroom", "dropped"];

/// Largest shared buffer, bytes: 2^30.
pub const LARGEST_BYTES: u64 = 1 << 30;

/// Priorities of a port: a PFC frame has eight.
pub const PRIORITIES: u64 = 8;

/// Bits of a count of bytes in the pool, UQ31.0: up to 2^30, that included.
pub const POOL_W: u32 = 31;

/// Bits of a count of bytes in a headroom, UQ28.0: up to 2^27, an eighth of the largest buffer.
pub const HEADROOM_W: u32 = 28;

/// Fraction bits of Beta, UQ8.7.
pub const BETA_FRAC: u32 = 7;

/// Bits of Beta: 128.0 is included.
pub const BETA_W: u32 = 15;

/// Fraction bits of t_PFC, UQ35.10: those of Beta and three of the division by 8.
pub const THRESHOLD_FRAC: u32 = BETA_FRAC + 3;

/// Places of the queue that `pause` beats leave through.
pub const PAUSE_PLACES: usize = 4;

/// Bit times of a pause quantum (IEEE 802.1Qbb).
pub const QUANTUM_BITS: u64 = 512;

const QUEUE: Field = Field {
    name: "queue",
    width: Width::Param("QUEUE_W"),
    quantity: Quantity::Count,
    role: FieldRole::Context,
    doc: "ingress queue (port and priority), 0 to QUEUES - 1",
};

const ERROR: Field = Field {
    name: "error",
    width: Width::Bits(3),
    quantity: Quantity::Enum(ERRORS),
    role: FieldRole::Error,
    doc: "0, or why the event was refused; then only the echoed queue means anything",
};

const fn sweep_timed(
    name: &'static str,
    width: Width,
    quantity: Quantity,
    doc: &'static str,
) -> Field {
    Field { name, width, quantity, role: FieldRole::SweepTimed, doc }
}

const BYTES: Field =
    payload("bytes", Width::Param("BYTES_W"), Quantity::Bytes, "size of the packet; 0 is legal");
const POOL: Width = Width::Bits(POOL_W);

const ENQ: Channel = Channel {
    name: "enq",
    dir: Dir::In,
    ready: Ready::Never,
    fields: &[QUEUE, BYTES],
    answers: None,
    doc: "a packet arrives for a queue; one a cycle, one queue back to back included",
};

const DEQ: Channel = Channel {
    name: "deq",
    dir: Dir::In,
    ready: Ready::Never,
    fields: &[QUEUE, BYTES],
    answers: None,
    doc: "a packet of a queue leaves the switch; one a cycle, one queue back to back included",
};

const PEEK: Channel = Channel {
    name: "peek",
    dir: Dir::In,
    ready: Ready::Whole,
    fields: &[QUEUE],
    answers: None,
    doc: "asks for the whole state of a queue; writes nothing, comes last in its cycle's order and takes the sweep's slot",
};

const ADMIT: Channel = Channel {
    name: "admit",
    dir: Dir::Out,
    ready: Ready::Never,
    fields: &[
        QUEUE,
        payload(
            "verdict",
            Width::Bits(2),
            Quantity::Enum(VERDICTS),
            "where the packet was charged, or that it was dropped; under error range the packet is dropped too",
        ),
        ERROR,
    ],
    answers: Some("enq"),
    doc: "the answer to each enq, in order",
};

const GONE: Channel = Channel {
    name: "gone",
    dir: Dir::Out,
    ready: Ready::Never,
    fields: &[QUEUE, ERROR],
    answers: Some("deq"),
    doc: "the answer to each deq, in order; underflow: more bytes than the queue held, both its counts are 0 now",
};

const PAUSE: Channel = Channel {
    name: "pause",
    dir: Dir::Out,
    ready: Ready::Never,
    fields: &[
        QUEUE,
        payload("xoff", Width::Bits(1), Quantity::Flag, "1: the sender is to pause; 0: to resume"),
        payload(
            "refresh",
            Width::Bits(1),
            Quantity::Flag,
            "the pause is sent again because half its time has passed; only with xoff",
        ),
    ],
    answers: None,
    doc: "a PFC frame to send for a queue; one a cycle, from a queue of four",
};

const PEEKED: Channel = Channel {
    name: "peeked",
    dir: Dir::Out,
    ready: Ready::Never,
    fields: &[
        QUEUE,
        payload("q", POOL, Quantity::Bytes, "bytes of the queue in the pool"),
        payload(
            "h",
            Width::Bits(HEADROOM_W),
            Quantity::Bytes,
            "bytes of the queue in its headroom",
        ),
        payload("paused", Width::Bits(1), Quantity::Flag, "the queue is paused"),
        payload(
            "owed",
            Width::Bits(1),
            Quantity::Flag,
            "the queue is paused and its XOFF found no place: the sweep is to send it",
        ),
        sweep_timed(
            "deadline",
            Width::Param("TIME_W"),
            Quantity::Cycles(0),
            "time of the next refresh while paused; else what the last pause left, 0 after reset",
        ),
        payload(
            "drops",
            Width::Param("COUNT_W"),
            Quantity::Count,
            "packets of the queue dropped since reset; saturating",
        ),
        payload(
            "pauses",
            Width::Param("COUNT_W"),
            Quantity::Count,
            "times that the queue was paused since reset, refreshes not counted; saturating",
        ),
        ERROR,
    ],
    answers: Some("peek"),
    doc: "the answer to each peek, in order",
};

/// The table of `pfc_threshold`.
pub const BLOCK: Block = Block {
    name: "pfc_threshold",
    title: "a switch's shared buffer: admission, headroom, and PFC by a threshold that falls as the buffer fills",
    rtl: &[
        "congruent_pkg.sv",
        "pfc_pkg.sv",
        "prim/ram_1w1r.sv",
        "prim/ram_1w2r.sv",
        "prim/ram_2w.sv",
        "prim/sweep.sv",
        "prim/ready_interval.sv",
        "pfc_amounts.sv",
        "pfc_flags.sv",
        "pfc_pause.sv",
        "pfc_announce.sv",
        "pfc_count.sv",
        "pfc_threshold.sv",
    ],
    params: &[
        Param {
            name: "QUEUES",
            default: 256,
            min: 1,
            max: 4096,
            power_of_two: true,
            doc: "ingress queues held (ports x priorities)",
        },
        Param {
            name: "QUEUE_W",
            default: 12,
            min: 1,
            max: 16,
            power_of_two: false,
            doc: "bits of a queue on the ports; at least log2(QUEUES), more lets a number outside the table arrive",
        },
        Param {
            name: "BYTES_W",
            default: 14,
            min: 8,
            max: 16,
            power_of_two: false,
            doc: "bits of a packet's size in bytes",
        },
        Param {
            name: "TIME_W",
            default: 32,
            min: 8,
            max: 32,
            power_of_two: false,
            doc: "bits of the cycle counter and of the refresh deadlines",
        },
        Param {
            name: "TIME_INIT",
            default: -96,
            min: -(1 << 31),
            max: (1 << 31) - 1,
            power_of_two: false,
            doc: "the cycle counter in cycle 0, modulo 2^TIME_W; by default 96 cycles before it wraps, so that a fault of the wrap shows at once",
        },
        Param {
            name: "COUNT_W",
            default: 32,
            min: 4,
            max: 32,
            power_of_two: false,
            doc: "bits of a queue's counters of drops and pauses; they saturate",
        },
    ],
    variants: &[],
    attributes: &[
        Attribute {
            name: "clock_mhz",
            source_name: "ClockMHz",
            unit: "MHz",
            kind: AttributeKind::Real { default: 500.0, min: 100.0, max: 2000.0 },
            doc: "turns the pause time into cycles",
        },
        Attribute {
            name: "buffer_bytes",
            source_name: "BufferBytes",
            unit: "B",
            kind: AttributeKind::Integer { default: 12_000_000, min: 0, max: LARGEST_BYTES },
            doc: "B, the shared buffer; 8 x Ports x HeadroomBytes of it are set aside, the rest is the pool",
        },
        Attribute {
            name: "ports",
            source_name: "Ports",
            unit: "",
            kind: AttributeKind::Integer { default: 32, min: 1, max: 512 },
            doc: "n, ports of the switch, of 8 priorities each",
        },
        Attribute {
            name: "headroom_bytes",
            source_name: "HeadroomBytes",
            unit: "B",
            kind: AttributeKind::Integer {
                default: 22_400,
                min: 0,
                max: LARGEST_BYTES / PRIORITIES,
            },
            doc: "t_flight, headroom of each port and priority: what is still in flight when a pause is sent; 8 x Ports x this above BufferBytes is refused",
        },
        Attribute {
            name: "mode",
            source_name: "Mode",
            unit: "",
            kind: AttributeKind::Enum { default: "dynamic", names: MODES },
            doc: "dynamic: pause above t_PFC, resume at ResumeOffset below it; static: pause above StaticXoff, resume at StaticXon",
        },
        Attribute {
            name: "beta",
            source_name: "Beta",
            unit: "",
            kind: AttributeKind::Real { default: 8.0, min: 1.0 / 128.0, max: 128.0 },
            doc: "dynamic: t_PFC = Beta x (free bytes of the pool) / 8; a multiple of 1/128, rounded half up",
        },
        Attribute {
            name: "resume_offset",
            source_name: "ResumeOffset",
            unit: "B",
            kind: AttributeKind::Integer { default: 3000, min: 0, max: LARGEST_BYTES },
            doc: "dynamic: hysteresis, two packets of 1500 B; a paused queue resumes so far below t_PFC, or empty",
        },
        Attribute {
            name: "static_xoff",
            source_name: "StaticXoff",
            unit: "B",
            kind: AttributeKind::Integer { default: 700_000, min: 1, max: LARGEST_BYTES },
            doc: "static: a queue above it is paused",
        },
        Attribute {
            name: "static_xon",
            source_name: "StaticXon",
            unit: "B",
            kind: AttributeKind::Integer { default: 300_000, min: 0, max: LARGEST_BYTES - 1 },
            doc: "static: a paused queue at it or below resumes; below StaticXoff or refused",
        },
        Attribute {
            name: "data_rate",
            source_name: "DataRate",
            unit: "Gbps",
            kind: AttributeKind::Real { default: 40.0, min: 1.0, max: 1600.0 },
            doc: "rate of the link that the pause goes to; a quantum is 512 of its bit times",
        },
        Attribute {
            name: "pause_quanta",
            source_name: "PauseQuanta",
            unit: "quanta",
            kind: AttributeKind::Integer { default: 65_535, min: 1, max: 65_535 },
            doc: "pause time that a PFC frame asks for; the sweep sends it again every half of it, rounded half up to whole cycles; refused where that is below 2 x QUEUES + pipeline",
        },
    ],
    cfg: &[
        payload("cfg_mode", Width::Bits(1), Quantity::Enum(MODES), "Mode"),
        payload(
            "cfg_pool_bytes",
            POOL,
            Quantity::Bytes,
            "most bytes in the pool: B - 8 x n x t_flight, 0 to 2^30",
        ),
        payload(
            "cfg_headroom_bytes",
            Width::Bits(HEADROOM_W),
            Quantity::Bytes,
            "most bytes in a queue's headroom: t_flight, 0 to 2^27",
        ),
        payload(
            "cfg_beta",
            Width::Bits(BETA_W),
            Quantity::Fixed(BETA_FRAC, ""),
            "Beta, UQ8.7, 1/128 to 128.0",
        ),
        payload("cfg_resume_offset", POOL, Quantity::Bytes, "ResumeOffset, 0 to 2^30"),
        payload("cfg_xoff", POOL, Quantity::Bytes, "StaticXoff, 1 to 2^30"),
        payload("cfg_xon", POOL, Quantity::Bytes, "StaticXon, below cfg_xoff"),
        payload(
            "cfg_half",
            Width::Param("TIME_W"),
            Quantity::Cycles(0),
            "half of the pause time, from one pause frame of a queue to the next",
        ),
    ],
    channels: &[ENQ, DEQ, PEEK, ADMIT, GONE, PAUSE, PEEKED],
    controls: &[],
    levels: &[
        payload(
            "init_done",
            Width::Bits(1),
            Quantity::Flag,
            "the init sweep is over; events are legal from the cycle after the one that first shows it",
        ),
        payload(
            "pool",
            POOL,
            Quantity::Bytes,
            "s, bytes in the pool after all events of the cycle pool_latency before; 0 after reset",
        ),
        stat(
            "stat_range",
            "answers with error range (admit, gone and peeked) since reset; saturating; the beats of this cycle included",
        ),
        stat(
            "stat_underflow",
            "answers with error underflow since reset; saturating; the beat of this cycle included",
        ),
        stat(
            "stat_drops",
            "admit beats with verdict dropped and no error since reset; saturating; the beat of this cycle included",
        ),
        stat(
            "stat_owed",
            "XOFFs that found no place in the queue of pauses since reset; saturating; counts one with the admit of its enq",
        ),
    ],
    timing: &[
        Timing { name: "admit_latency", cycles: 3, doc: "from enq to its admit" },
        Timing { name: "gone_latency", cycles: 3, doc: "from deq to its gone" },
        Timing {
            name: "pause_latency",
            cycles: 4,
            doc: "from the event or visit that makes a pause beat to its pause; each beat ahead of it in the queue of four adds 1",
        },
        Timing { name: "peek_latency", cycles: 4, doc: "from peek to its peeked" },
        Timing {
            name: "peek_interval",
            cycles: 4,
            doc: "initiation interval of peek: peek_ready is low for one cycle less after each beat taken",
        },
        Timing {
            name: "pool_latency",
            cycles: 3,
            doc: "from an event to the pool level that counts it",
        },
        Timing {
            name: "pipeline",
            cycles: 32,
            doc: "added to 2 x QUEUES: the shortest legal half pause time, and the most that a due refresh is served late where all queues are due at once (a pause beat of an event or a peek taken meanwhile adds 1 each)",
        },
    ],
    order: &[
        "pause queue, four places: if it holds a beat as of the start of the cycle, the oldest leaves, and its place is free for this cycle's beats. A beat that enters in this cycle leaves in the next one at the earliest, one a cycle",
        "deq: takes its bytes from h first, then from q, and s falls by what q lost; then the resume test, with s after it. A resume's beat always finds a place",
        "enq: judged on what this cycle's deq left: not paused, charged to the pool or dropped, then the pause test with s after it; paused, charged to h or dropped. An XOFF whose beat finds no place (the deq of its cycle resumed and took the last one) leaves `owed` set in its queue",
        "sweep: visits the next queue, after deq and enq; it stands where the pause queue held a beat as of the start of the cycle, and where a peek is taken. A visit makes one beat at most: a resume, else an owed XOFF, else a refresh that is due. A resume clears `owed`, by deq or by sweep",
        "peek: sees the state after all of the above",
    ],
    bounds: &[Bound {
        name: "decisions",
        limit: 0.0,
        unit: "differing decisions",
        doc: "admissions, drops, pauses, resumes and refreshes against the reference over 10^6 random events: none differs. Bytes are whole, Beta is a multiple of 1/128 and t_PFC keeps every bit of the product, 45 at the most, so f64 holds it exactly as well",
    }],
    coverage: COVERAGE,
    builds: &[
        BuildSet { name: "default", params: &[], doc: "the shipped size" },
        BuildSet {
            name: "short",
            params: &[("QUEUES", 8), ("QUEUE_W", 4), ("TIME_W", 10), ("COUNT_W", 6)],
            doc: "few queues, a time that wraps every 1024 cycles, counters that saturate: hazards, refreshes and wraps in short runs",
        },
        BuildSet {
            name: "one",
            params: &[("QUEUES", 1), ("QUEUE_W", 1), ("TIME_W", 9), ("COUNT_W", 8)],
            doc: "one queue: every event meets every other, and the sweep is there in every cycle",
        },
    ],
};

const COVERAGE: &[CoverRow] = &[
    row(
        "threshold_negative",
        "s so large that t_PFC would be negative: dynamic, a packet that would take s beyond the pool, of a queue that is not paused",
    ),
    row("threshold_zero", "s at the pool's end, t_PFC 0: dynamic, a queue is judged there"),
    row(
        "below_resume_offset",
        "t_PFC < ResumeOffset: a paused queue without headroom, with bytes in the pool, is judged and stays paused",
    ),
    row(
        "below_resume_offset_empty",
        "t_PFC < ResumeOffset: a paused queue that is empty resumes all the same",
    ),
    row("resume_by_deq", "resume by own departure"),
    row("resume_by_sweep", "resume by the sweep"),
    row("xoff_exactly", "dynamic: q at the threshold exactly after an enq: not paused"),
    row("xoff_one_over", "dynamic: q one byte over the threshold after an enq: paused"),
    row("xon_exactly", "dynamic: q at the threshold less ResumeOffset exactly: resumes"),
    row("xon_one_over", "dynamic: q one byte over the threshold less ResumeOffset: stays paused"),
    row("headroom_exactly", "headroom filled exactly"),
    row("headroom_overfilled", "headroom overfilled: a packet of a paused queue dropped"),
    row("pool_exactly", "the pool filled to its last byte"),
    row("pool_full", "pool full without pause: a packet of a queue that is not paused dropped"),
    row("beta_least", "Beta 1/128: a queue paused under it"),
    row("beta_1", "Beta 1: a queue paused under it"),
    row("beta_8", "Beta 8: a queue paused under it"),
    row("beta_128", "Beta 128: a queue paused under it"),
    row("static_xoff_exactly", "static: q at StaticXoff exactly after an enq: not paused"),
    row("static_xoff_one_over", "static: q one byte over StaticXoff after an enq: paused"),
    row("static_xon_exactly", "static: q at StaticXon exactly: resumes"),
    row("static_xon_one_over", "static: q one byte over StaticXon: stays paused"),
    row("static_pool_full", "static: a packet of a queue that is not paused dropped"),
    row("xoff_in_resume_cycle", "XOFF by enq and resume by sweep in one cycle"),
    row("enq_deq_same_cycle", "enq and deq of one queue in one cycle"),
    row(
        "resume_and_xoff_same_cycle",
        "a queue resumed by its deq and paused again by its enq in one cycle",
    ),
    row("deq_after_enq", "deq in the cycle after an enq of its queue"),
    row("enq_after_deq", "enq in the cycle after a deq of its queue"),
    row("enq_back_to_back", "enq of one queue in adjacent cycles"),
    row("deq_back_to_back", "deq of one queue in adjacent cycles"),
    row("all_paused", "all queues paused"),
    row("refresh", "a pause refreshed"),
    row("resume_in_refresh_cycle", "resume by the sweep in the cycle in which a refresh is due"),
    row(
        "deq_resume_in_refresh_cycle",
        "resume by own departure in the cycle in which the sweep comes by with a refresh due",
    ),
    row("underflow", "deq underflow: a packet larger than what its queue holds"),
    row("wrap_while_paused", "time wrap while a queue is paused"),
    row("owed", "an XOFF that finds the queue of pauses full"),
    row("owed_sent", "an owed XOFF sent by the sweep"),
    row("owed_resumed", "a queue that resumes before its owed XOFF was sent"),
    row("counter_saturated", "a counter of drops or pauses at all ones stays there"),
    row("queue_out_of_range", "queue >= QUEUES where the field can hold it"),
];
