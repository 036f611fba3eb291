//! Table of `notification_point`: when a RoCE NIC answers congestion with a CNP (Zhu et al. 2015).

use crate::make::{payload, row, stat};
use crate::{
    Attribute, AttributeKind, Block, Bound, BuildSet, Channel, CoverRow, Dir, ERRORS, Field,
    FieldRole, Param, Quantity, Ready, Timing, Width,
};

/// Input channels as `err_channel` numbers them.
pub const ERR_CHANNELS: &[&str] = &["ce"];

const QP: Field = Field {
    name: "qp",
    width: Width::Param("QP_W"),
    quantity: Quantity::Count,
    role: FieldRole::Context,
    doc: "queue pair, 0 to QPS - 1",
};

const ERROR: Field = Field {
    name: "error",
    width: Width::Bits(3),
    quantity: Quantity::Enum(ERRORS),
    role: FieldRole::Error,
    doc: "0, or why the event was refused; then only the echoed context means anything",
};

const fn swept(name: &'static str, width: Width, quantity: Quantity, doc: &'static str) -> Field {
    Field { name, width, quantity, role: FieldRole::SweepTimed, doc }
}

const CE: Channel = Channel {
    name: "ce",
    dir: Dir::In,
    ready: Ready::Never,
    fields: &[QP],
    answers: None,
    doc: "a packet of a queue pair arrived with CE; one a cycle, one queue pair back to back included",
};

const PEEK: Channel = Channel {
    name: "peek",
    dir: Dir::In,
    ready: Ready::Whole,
    fields: &[QP],
    answers: None,
    doc: "asks for the whole state of a queue pair; takes the sweep's slot of its cycle, writes nothing, comes last in its cycle's order",
};

const CNP: Channel = Channel {
    name: "cnp",
    dir: Dir::Out,
    ready: Ready::Never,
    fields: &[QP],
    answers: None,
    doc: "a CNP goes out for the queue pair of a CE packet; CE packets that are swallowed have none",
};

const PEEKED: Channel = Channel {
    name: "peeked",
    dir: Dir::Out,
    ready: Ready::Never,
    fields: &[
        QP,
        swept(
            "recent",
            Width::Bits(1),
            Quantity::Flag,
            "last still means something; the sweep clears it once now - last has reached cfg_gap",
        ),
        swept(
            "last",
            Width::Param("TIME_W"),
            Quantity::Cycles(0),
            "time of the CE that the last CNP answered, modulo 2^TIME_W; 0 unless recent",
        ),
        ERROR,
    ],
    answers: Some("peek"),
    doc: "the answer to each peek",
};

const ERR: Channel = Channel {
    name: "err",
    dir: Dir::Out,
    ready: Ready::Never,
    fields: &[
        payload(
            "channel",
            Width::Bits(1),
            Quantity::Enum(ERR_CHANNELS),
            "the input channel of the refused event",
        ),
        payload("code", Width::Bits(3), Quantity::Enum(ERRORS), "why it was refused"),
        QP,
    ],
    answers: None,
    doc: "an invalid event of a channel that has no answer of its own: a CE packet for a queue pair outside the table",
};

/// The table of `notification_point`.
pub const BLOCK: Block = Block {
    name: "notification_point",
    title: "DCQCN notification point of a RoCE NIC: at most one CNP a queue pair and interval",
    rtl: &[
        "congruent_pkg.sv",
        "prim/ram_1w1r.sv",
        "prim/ram_2w.sv",
        "prim/sweep.sv",
        "prim/ready_interval.sv",
        "notification_point.sv",
    ],
    params: &[
        Param {
            name: "QPS",
            default: 256,
            min: 2,
            max: 4096,
            power_of_two: true,
            doc: "queue pairs held",
        },
        Param {
            name: "QP_W",
            default: 12,
            min: 1,
            max: 16,
            power_of_two: false,
            doc: "bits of a queue pair on the ports; at least log2(QPS), more lets a number outside the table arrive",
        },
        Param {
            name: "TIME_W",
            default: 32,
            min: 9,
            max: 32,
            power_of_two: false,
            doc: "bits of the cycle counter and of stored times",
        },
        Param {
            name: "TIME_INIT",
            default: -96,
            min: -(1 << 31),
            max: (1 << 31) - 1,
            power_of_two: false,
            doc: "the cycle counter in cycle 0, modulo 2^TIME_W; by default 96 cycles before it wraps, so that a fault of the wrap shows at once",
        },
    ],
    variants: &[],
    attributes: &[
        Attribute {
            name: "clock_mhz",
            source_name: "ClockMHz",
            unit: "MHz",
            kind: AttributeKind::Real { default: 500.0, min: 100.0, max: 2000.0 },
            doc: "turns microseconds into cycles",
        },
        Attribute {
            name: "min_time_between_cnps",
            source_name: "min_time_between_cnps",
            unit: "us",
            kind: AttributeKind::Real { default: 50.0, min: 0.0, max: 1e6 },
            doc: "a CE packet less than so long after the last CNP of its queue pair is swallowed; 0: none is",
        },
    ],
    cfg: &[payload(
        "cfg_gap",
        Width::Param("TIME_W"),
        Quantity::Cycles(0),
        "min_time_between_cnps x ClockMHz, rounded half up, at least 1; 0 where the attribute is 0",
    )],
    channels: &[CE, PEEK, CNP, PEEKED, ERR],
    controls: &[],
    levels: &[
        payload(
            "init_done",
            Width::Bits(1),
            Quantity::Flag,
            "the init sweep is over; events are legal from the cycle after the one that first shows it",
        ),
        stat(
            "stat_cnps",
            "CNPs sent since reset; saturating at all ones; the beat of this cycle included",
        ),
        stat(
            "stat_swallowed",
            "CE packets swallowed since reset; saturating at all ones; counts a packet cnp_latency after it arrived",
        ),
        stat(
            "stat_range",
            "answers with error range (peeked and err) since reset; saturating at all ones; the beat of this cycle included",
        ),
    ],
    timing: &[
        Timing {
            name: "cnp_latency",
            cycles: 3,
            doc: "from ce to its cnp, or to its count in stat_swallowed",
        },
        Timing { name: "err_latency", cycles: 3, doc: "from ce to its err" },
        Timing { name: "peek_latency", cycles: 3, doc: "from peek to its peeked" },
        Timing {
            name: "peek_interval",
            cycles: 4,
            doc: "initiation interval of peek: peek_ready is low for one cycle less after each beat taken",
        },
        Timing {
            name: "pipeline",
            cycles: 16,
            doc: "added to 2 x QPS: the most that the sweep clears recent late",
        },
    ],
    order: &[
        "ce: swallowed if recent and now - last < cfg_gap; else its CNP goes out, last := now, recent set unless cfg_gap is 0",
        "sweep visit of the next queue pair, in a cycle without an accepted peek: clears recent once now - last >= cfg_gap",
        "peek: sees the state after all of the above",
    ],
    bounds: &[Bound {
        name: "gap",
        limit: 0.5,
        unit: "cycles",
        doc: "the gap that is kept against min_time_between_cnps, over a million random events; 0.5 is the rounding to whole cycles (where that is not less than 1)",
    }],
    coverage: COVERAGE,
    builds: &[
        BuildSet { name: "default", params: &[], doc: "the shipped size" },
        BuildSet {
            name: "short",
            params: &[("QPS", 8), ("QP_W", 4), ("TIME_W", 12)],
            doc: "few queue pairs and a time that wraps every 4096 cycles: hazards and wraps in short runs",
        },
    ],
};

const COVERAGE: &[CoverRow] = &[
    row(
        "first_ce",
        "the first CE packet of a queue pair, or the first after the sweep forgot the last CNP",
    ),
    row("swallowed", "a CE packet within the gap"),
    row("gap_exactly", "a CE packet exactly cfg_gap cycles after the last CNP: its CNP goes out"),
    row("gap_minus_one", "a CE packet one cycle earlier: swallowed"),
    row("due_not_swept", "a CE packet after the gap that the sweep has not cleared yet"),
    row(
        "back_to_back_swallowed",
        "two CE packets of one queue pair back to back, the second swallowed",
    ),
    row("back_to_back_others", "CE packets of two queue pairs back to back, both answered"),
    row("gap_zero", "min_time_between_cnps 0: back to back, both answered"),
    row(
        "ce_in_clear_cycle",
        "a CE packet in the cycle in which the sweep would clear its queue pair",
    ),
    row("wrap_while_recent", "time wrap between a CNP and the next CE packet of its queue pair"),
    row("wrap_while_idle", "a queue pair idle for more than half a wrap: its CNP goes out"),
    row("every_qp_recent", "every queue pair recent at once"),
    row("qp_out_of_range", "qp >= QPS where the field can hold it"),
];
