//! Table of `hpcc_window`: the HPCC window unit of a NIC, fed by in-band telemetry (seed 003).

use crate::make::{flag, payload, row, stat};
use crate::{
    Attribute, AttributeKind, Block, Bound, BuildSet, Channel, CoverRow, Dir, ERRORS, Field,
    FieldRole, Param, Quantity, Ready, Timing, Width,
};

/// Values of `win_branch`: what an ACK did.
pub const BRANCHES: &[&str] = &["stored", "stale", "multiplicative", "additive"];

/// Names of `IntFormat`: how the in-band telemetry is packed.
pub const FORMATS: &[&str] = &["paper", "wide"];

/// Most hops that a unit can be built for.
pub const MOST_HOPS: usize = 5;

/// Bits of a sequence number; compared modulo.
pub const SEQ_W: u32 = 32;

/// Bits of a path id: the XOR of the switches' ids.
pub const PATH_W: u32 = 12;

/// Bits of a header's hop count: more than HOPS can arrive.
pub const HOP_COUNT_W: u32 = 4;

/// Bits of a hop's rate on the port: Gbps, or a code in its lower four bits.
pub const GBPS_W: u32 = 11;

/// Bits of a hop's time stamp, transmitted bytes and queue length on the ports.
pub const TELEMETRY_W: u32 = 48;

/// Bits of the packed format: time stamp in ns.
pub const PAPER_TS_W: u32 = 24;
/// Bits of the packed format: transmitted bytes in units of 128 B.
pub const PAPER_TX_W: u32 = 20;
/// Bits of the packed format: queue length in units of 80 B.
pub const PAPER_QLEN_W: u32 = 16;
/// Bits of the packed format: rate code.
pub const PAPER_RATE_W: u32 = 4;
/// Bytes of a unit of transmitted bytes in the packed format: 2^7.
pub const PAPER_TX_SHIFT: u32 = 7;
/// Bytes of a unit of queue length in the packed format.
pub const PAPER_QLEN_UNIT: u64 = 80;
/// Gbps of the packed format's rate codes 0, 1, 2, ...
pub const PAPER_GBPS: &[u64] = &[25, 40, 50, 100, 200, 400, 800];

/// Bits of a queue length in bytes that count; a longer queue reads all ones (4 GiB - 1).
pub const QUEUE_W: u32 = 32;

/// Whole bits of a rate in bytes a nanosecond, UQ12.20: 4096 B/ns are 32 Tbps.
pub const RATE_INT: u32 = 12;
/// Fraction bits of a rate in bytes a nanosecond.
pub const RATE_FRAC: u32 = 20;

/// Bits that are left of the time between two stamps when it divides.
pub const DIVISOR_W: u32 = 24;

/// Whole bits of a utilisation; it saturates at 4096 less one LSB.
pub const U_INT: u32 = 12;
/// Fraction bits of one hop's utilisation, UQ12.24.
pub const HOP_U_FRAC: u32 = 24;
/// The smallest U that divides: 2^-16.
pub const U_FLOOR_SHIFT: u32 = 16;

/// Fraction bits of tau / T, UQ1.27.
pub const WEIGHT_FRAC: u32 = 27;

/// Bits of the base RTT T, whole ns.
pub const RTT_W: u32 = 30;
/// Fraction bits of 1 / T's mantissa, UQ1.24, 1.0 to below 2.0.
pub const INVERSE_FRAC: u32 = 24;

/// Fraction bits of Eta, UQ1.24.
pub const ETA_FRAC: u32 = 24;
/// Bits of U's mantissa when it divides: the leading one and 23 more.
pub const MANTISSA_W: u32 = 24;
/// Fraction bits of Eta / mantissa of U, UQ2.26.
pub const RATIO_FRAC: u32 = 26;

/// Whole bits of a window, bytes.
pub const BYTES_W: u32 = 28;

/// Bits of PacketBytes.
pub const PACKET_W: u32 = 15;

/// Bits of inc_stage and MaxStage.
pub const STAGE_W: u32 = 8;

/// Fraction bits of a pacing rate, UQ11.16 Gbps.
pub const PACE_FRAC: u32 = 16;

const FLOW: Field = Field {
    name: "flow",
    width: Width::Param("FLOW_W"),
    quantity: Quantity::Count,
    role: FieldRole::Context,
    doc: "flow, 0 to FLOWS - 1",
};

const ERROR: Field = Field {
    name: "error",
    width: Width::Bits(3),
    quantity: Quantity::Enum(ERRORS),
    role: FieldRole::Error,
    doc: "range: flow is outside the table; closed: it is closed; hops: the header counts more than HOPS. Looked at in that order; each leaves the state alone",
};

const CODE: Field = Field {
    name: "error",
    width: Width::Bits(3),
    quantity: Quantity::Enum(ERRORS),
    role: FieldRole::Error,
    doc: "range: flow is outside the table; closed: it is in the wrong state",
};

const fn count(name: &'static str, bits: u32, doc: &'static str) -> Field {
    payload(name, Width::Bits(bits), Quantity::Count, doc)
}

const fn window(name: &'static str, doc: &'static str) -> Field {
    let width = Width::ParamPlus("W_FRAC", BYTES_W);
    payload(name, width, Quantity::FixedParam("W_FRAC", "bytes"), doc)
}

const fn utilisation(name: &'static str, doc: &'static str) -> Field {
    let width = Width::ParamPlus("U_FRAC", U_INT);
    payload(name, width, Quantity::FixedParam("U_FRAC", ""), doc)
}

const ACK: Channel = Channel {
    name: "ack",
    dir: Dir::In,
    ready: Ready::Whole,
    fields: &[
        FLOW,
        count("seq", SEQ_W, "sequence number that the ACK acknowledges, modulo 2^32"),
        count("snd_nxt", SEQ_W, "sequence number that the sender sends next, modulo 2^32"),
        count("path", PATH_W, "path id: XOR of the switches' ids"),
        count(
            "hops",
            HOP_COUNT_W,
            "hop records that follow on hop, 0 to 15; more than HOPS is error hops, and they are taken and dropped",
        ),
    ],
    answers: None,
    doc: "an ACK's header. One ACK is collected at a time: ack_ready is low from the cycle after a header up to the cycle of its last record, and for one cycle after a header without records. The ACK takes effect in the cycle of its last record, or in the header's where none follows",
};

const HOP: Channel = Channel {
    name: "hop",
    dir: Dir::In,
    ready: Ready::Whole,
    fields: &[
        count(
            "rate",
            GBPS_W,
            "B of the hop's link: Gbps (wide), or a code in the lower 4 bits (paper)",
        ),
        count("ts", TELEMETRY_W, "TS, ns, modulo 2^48 (wide) or 2^24 (paper: the lower 24 bits)"),
        count(
            "tx_bytes",
            TELEMETRY_W,
            "txBytes, bytes modulo 2^48 (wide), or units of 128 B modulo 2^20 (paper: the lower 20 bits)",
        ),
        count(
            "qlen",
            TELEMETRY_W,
            "qLen, bytes (wide), or units of 80 B (paper: the lower 16 bits)",
        ),
    ],
    answers: None,
    doc: "one hop's telemetry, in path order behind the header. hop_ready is high while records of the header are missing: it is low in the header's own cycle",
};

const OPEN: Channel = Channel {
    name: "open",
    dir: Dir::In,
    ready: Ready::Never,
    fields: &[FLOW],
    answers: None,
    doc: "a flow begins: W = Wc = W_init, U = 1, inc_stage 0, no telemetry",
};

const CLOSE: Channel = Channel {
    name: "close",
    dir: Dir::In,
    ready: Ready::Never,
    fields: &[FLOW],
    answers: None,
    doc: "a flow ends",
};

const PEEK: Channel = Channel {
    name: "peek",
    dir: Dir::In,
    ready: Ready::Whole,
    fields: &[FLOW],
    answers: None,
    doc: "asks for the whole state of a flow; writes nothing. peek_ready is low for peek_interval - 1 cycles after one was taken",
};

const WIN: Channel = Channel {
    name: "win",
    dir: Dir::Out,
    ready: Ready::Never,
    fields: &[
        FLOW,
        window("window", "W after the ACK, UQ28.W_FRAC bytes"),
        payload(
            "rate",
            Width::Bits(GBPS_W + PACE_FRAC),
            Quantity::Fixed(PACE_FRAC, "Gbps"),
            "R = W x 8 / T, UQ11.16 Gbps, rounded half up, saturating",
        ),
        utilisation("u", "U after the ACK, UQ12.U_FRAC"),
        count("stage", STAGE_W, "inc_stage after the ACK"),
        payload("branch", Width::Bits(2), Quantity::Enum(BRANCHES), "what the ACK did"),
        ERROR,
    ],
    answers: Some("ack"),
    doc: "the answer to each ACK, in order",
};

const ERR_OPEN: Channel = Channel {
    name: "err_open",
    dir: Dir::Out,
    ready: Ready::Never,
    fields: &[FLOW, CODE],
    answers: None,
    doc: "an open that was refused: flow outside the table (range), or open already (closed)",
};

const ERR_CLOSE: Channel = Channel {
    name: "err_close",
    dir: Dir::Out,
    ready: Ready::Never,
    fields: &[FLOW, CODE],
    answers: None,
    doc: "a close that was refused: flow outside the table (range), or closed already (closed)",
};

const fn ts(name: &'static str, doc: &'static str) -> Field {
    count(name, TELEMETRY_W, doc)
}

const PEEKED: Channel = Channel {
    name: "peeked",
    dir: Dir::Out,
    ready: Ready::Never,
    fields: &[
        FLOW,
        flag("open", "the flow is open; everything else reads 0 where it is not"),
        window("window", "W, UQ28.W_FRAC bytes"),
        window("reference", "Wc, UQ28.W_FRAC bytes"),
        utilisation("u", "U, UQ12.U_FRAC"),
        count("stage", STAGE_W, "inc_stage"),
        count("last_update_seq", SEQ_W, "last_update_seq"),
        flag(
            "stored",
            "telemetry is stored and not too old, as of the peek; everything below reads 0 where it is not",
        ),
        payload(
            "stored_at",
            Width::Param("TIME_W"),
            Quantity::Cycles(0),
            "when it was stored, modulo 2^TIME_W",
        ),
        count("path", PATH_W, "path id of the stored telemetry"),
        count("hops", 3, "hops of the stored telemetry; of hops beyond them everything reads 0"),
        ts("ts0", "stored TS of hop 0, in the format's bits"),
        ts("tx0", "stored txBytes of hop 0, in the format's bits and unit"),
        ts("qlen0", "stored qLen of hop 0, in the format's bits and unit"),
        ts("ts1", "the same of hop 1"),
        ts("tx1", "the same of hop 1"),
        ts("qlen1", "the same of hop 1"),
        ts("ts2", "the same of hop 2"),
        ts("tx2", "the same of hop 2"),
        ts("qlen2", "the same of hop 2"),
        ts("ts3", "the same of hop 3"),
        ts("tx3", "the same of hop 3"),
        ts("qlen3", "the same of hop 3"),
        ts("ts4", "the same of hop 4"),
        ts("tx4", "the same of hop 4"),
        ts("qlen4", "the same of hop 4"),
        Field { doc: "range: flow is outside the table", ..ERROR },
    ],
    answers: Some("peek"),
    doc: "the answer to each peek, as of the peek's own cycle, so that it does not depend on when a sweep passed",
};

/// The table of `hpcc_window`.
pub const BLOCK: Block = Block {
    name: "hpcc_window",
    title: "HPCC window unit of a NIC: window and pacing rate from in-band telemetry of up to five hops",
    rtl: &[
        "congruent_pkg.sv",
        "hpcc_pkg.sv",
        "prim/ram_1w1r.sv",
        "prim/ram_1w2r.sv",
        "prim/div_floor.sv",
        "prim/ready_interval.sv",
        "prim/sweep.sv",
        "hpcc_aside.sv",
        "hpcc_collect.sv",
        "hpcc_flows.sv",
        "hpcc_telemetry.sv",
        "hpcc_measure.sv",
        "hpcc_average.sv",
        "hpcc_apply.sv",
        "hpcc_peek.sv",
        "hpcc_window.sv",
    ],
    params: &[
        Param {
            name: "FLOWS",
            default: 256,
            min: 2,
            max: 4096,
            power_of_two: true,
            doc: "flows, one context each",
        },
        Param {
            name: "FLOW_W",
            default: 12,
            min: 1,
            max: 16,
            power_of_two: false,
            doc: "bits of a flow number on the ports, at least log2 FLOWS",
        },
        Param {
            name: "HOPS",
            default: 5,
            min: 1,
            max: MOST_HOPS as i64,
            power_of_two: false,
            doc: "hops whose telemetry is stored; an ACK of more is refused",
        },
        Param {
            name: "TIME_W",
            default: 48,
            min: 8,
            max: 52,
            power_of_two: false,
            doc: "bits of the cycle counter; half a wrap is longer than telemetry stays of use: 48 are enough for the wide format up to 1.9 GHz, 24 for the packed one at 500 MHz",
        },
        Param {
            name: "TIME_INIT",
            default: -96,
            min: -(1 << 31),
            max: (1 << 31) - 1,
            power_of_two: false,
            doc: "cycle counter in cycle 0, modulo 2^TIME_W: the default wraps 96 cycles later",
        },
        Param {
            name: "U_FRAC",
            default: 24,
            min: 16,
            max: 24,
            power_of_two: false,
            doc: "fraction bits of U, UQ12.U_FRAC",
        },
        Param {
            name: "W_FRAC",
            default: 8,
            min: 0,
            max: 8,
            power_of_two: false,
            doc: "fraction bits of a window, UQ28.W_FRAC bytes",
        },
    ],
    attributes: ATTRIBUTES,
    variants: &[],
    cfg: &[
        payload(
            "cfg_int_format",
            Width::Bits(1),
            Quantity::Enum(FORMATS),
            "IntFormat: how records are packed",
        ),
        count("cfg_base_rtt", RTT_W, "BaseRTT T, whole ns, not 0"),
        payload(
            "cfg_inverse_rtt",
            Width::Bits(INVERSE_FRAC + 1),
            Quantity::Fixed(INVERSE_FRAC, ""),
            "mantissa of 1 / T, UQ1.24, 1.0 to below 2.0, rounded half up",
        ),
        count("cfg_inverse_rtt_shift", 5, "1 / T is cfg_inverse_rtt x 2^-this a ns, 0 to 30"),
        payload(
            "cfg_eta",
            Width::Bits(ETA_FRAC + 1),
            Quantity::Fixed(ETA_FRAC, ""),
            "Eta, UQ1.24, not 0, at most 1.0",
        ),
        count("cfg_max_stage", STAGE_W, "MaxStage; 0: every update is multiplicative"),
        window("cfg_wai", "WAI, or W_init x (1 - Eta) / ExpectedFlows, UQ28.W_FRAC bytes"),
        window("cfg_first_window", "W_init = DataRate x T / 8, UQ28.W_FRAC bytes"),
        count("cfg_packet", PACKET_W, "PacketBytes, the smallest window, bytes, not 0"),
        payload(
            "cfg_age",
            Width::Param("TIME_W"),
            Quantity::Cycles(0),
            "telemetry stored more than so many cycles ago is of no use; less than half a wrap",
        ),
    ],
    channels: &[ACK, HOP, OPEN, CLOSE, PEEK, WIN, ERR_OPEN, ERR_CLOSE, PEEKED],
    controls: &[],
    levels: &[
        flag(
            "init_done",
            "the init sweep is over; events are legal from the cycle after the one that first shows it",
        ),
        stat(
            "stat_acks",
            "win beats since reset, refused ACKs included; saturating; the beat of this cycle included",
        ),
        stat(
            "stat_range",
            "answers with error range (win, err_open, err_close, peeked) since reset; saturating; the beats of this cycle included",
        ),
        stat(
            "stat_closed",
            "answers with error closed (win, err_open, err_close) since reset; saturating; the beats of this cycle included",
        ),
        stat(
            "stat_hops",
            "win beats with error hops since reset; saturating; the beat of this cycle included",
        ),
        stat(
            "stat_stored",
            "win beats with branch stored since reset; saturating; the beat of this cycle included",
        ),
        stat(
            "stat_stale",
            "win beats with branch stale since reset; saturating; the beat of this cycle included",
        ),
        stat(
            "stat_bad_rate",
            "win beats of measured ACKs (multiplicative, additive) of which a hop was skipped for its rate since reset; saturating; the beat of this cycle included",
        ),
    ],
    timing: &[
        Timing {
            name: "ack_interval",
            cycles: 6,
            doc: "initiation interval of an ACK of five hops, of one flow or of many: header and records, one a cycle; of h hops it is max(h, 1) + 1",
        },
        Timing {
            name: "win_latency",
            cycles: 41,
            doc: "from the cycle in which an ACK takes effect (its last record, or the header of one without) to its win, errors included",
        },
        Timing {
            name: "err_latency",
            cycles: 3,
            doc: "from an open or close that is refused to its err_open or err_close",
        },
        Timing { name: "peek_latency", cycles: 40, doc: "from peek to its peeked" },
        Timing { name: "peek_interval", cycles: 40, doc: "initiation interval of peek" },
        Timing {
            name: "sweep_interval",
            cycles: 2,
            doc: "cycles that the sweep may take for each flow, at the most",
        },
        Timing {
            name: "pipeline",
            cycles: 64,
            doc: "cycles that a sweep may take beyond sweep_interval for each flow, until it has dropped telemetry that is too old",
        },
    ],
    order: &[
        "open: takes effect in its own cycle",
        "close: after an open of its cycle",
        "ack: takes effect whole in the cycle of its last record, or of its header where none follows, after open and close of that cycle; now is that cycle's",
        "peek: sees the state after all of its own cycle",
        "sweep: visits every flow within sweep_interval x FLOWS + pipeline cycles and drops telemetry that is too old; nothing shows when it passed",
    ],
    coverage: COVERAGE,
    bounds: &[Bound {
        name: "window",
        limit: 0.002,
        unit: "relative",
        doc: "W against the f64 reference over a million random ACKs in the wide format, U_FRAC 24 and W_FRAC 8: the error is of quotients rounded down, of 1 / T and of U in steps of 2^-24. The packed format's quantisation comes on top and is reported, not bounded",
    }],
    builds: &[
        BuildSet { name: "default", params: &[], doc: "the shipped size" },
        BuildSet {
            name: "short",
            params: &[("FLOWS", 8), ("FLOW_W", 4), ("TIME_W", 10)],
            doc: "eight flows and a time that wraps every 1024 cycles: hazards, ages and wraps in short runs",
        },
    ],
};

const fn real(
    name: &'static str,
    source_name: &'static str,
    unit: &'static str,
    (default, min, max): (f64, f64, f64),
    doc: &'static str,
) -> Attribute {
    Attribute { name, source_name, unit, kind: AttributeKind::Real { default, min, max }, doc }
}

const fn whole(
    name: &'static str,
    source_name: &'static str,
    unit: &'static str,
    (default, min, max): (u64, u64, u64),
    doc: &'static str,
) -> Attribute {
    Attribute { name, source_name, unit, kind: AttributeKind::Integer { default, min, max }, doc }
}

const ATTRIBUTES: &[Attribute] = &[
    real(
        "clock_mhz",
        "ClockMHz",
        "MHz",
        (500.0, 100.0, 2000.0),
        "turns the age of stored telemetry into cycles",
    ),
    real(
        "data_rate",
        "DataRate",
        "Gbps",
        (100.0, 1.0, 1600.0),
        "rate of the NIC's own link: W_init = this x BaseRTT / 8",
    ),
    whole(
        "base_rtt",
        "BaseRTT",
        "ns",
        (13_000, 1, 1_000_000_000),
        "T: a constant slightly above the largest unloaded round trip of the network",
    ),
    real("eta", "Eta", "", (0.95, 0.01, 1.0), "utilisation that the windows aim at"),
    whole(
        "max_stage",
        "MaxStage",
        "",
        (5, 0, 255),
        "additive updates in a row before a multiplicative one; 0: every update is multiplicative",
    ),
    real("wai", "WAI", "bytes", (80.0, 0.0, 16_777_216.0), "additive step of a window"),
    whole(
        "expected_flows",
        "ExpectedFlows",
        "",
        (0, 0, 1_000_000),
        "N > 0: the additive step is W_init x (1 - Eta) / N instead of WAI",
    ),
    whole("packet_bytes", "PacketBytes", "bytes", (4096, 64, 16_384), "the smallest window"),
    Attribute {
        name: "int_format",
        source_name: "IntFormat",
        unit: "",
        kind: AttributeKind::Enum { default: "paper", names: FORMATS },
        doc: "paper: 64 bits a hop (rate code, 24-bit ns, 20-bit 128 B, 16-bit 80 B); wide: Gbps, 48-bit ns, bytes, bytes",
    },
    real(
        "stored_max_age",
        "StoredMaxAge",
        "ns",
        (0.0, 0.0, 1e9),
        "telemetry stored longer ago is of no use; 0: a quarter of TS's period (4 194 304 ns in paper), which is also the most",
    ),
];

const COVERAGE: &[CoverRow] = &[
    row("ts_wrap", "TS wrap: an ACK measured over it"),
    row("tx_wrap", "txBytes wrap: an ACK measured over it"),
    row("dt_zero_one", "dt = 0 on one hop, and not on all"),
    row("dt_zero_all", "dt = 0 on all hops, one at least: U stays"),
    row("dt_above_rtt", "dt > T on the hop that won"),
    row("equal_u", "two hops with equal u, the largest: the first one's dt counts"),
    row("later_hop_wins", "a hop other than the first has the largest u"),
    row("hop_count_change", "hop count change"),
    row("path_change", "path change"),
    row("stale", "stale ACK"),
    row("stale_last_hop", "stale ACK by its last hop alone, of several"),
    row("half_range", "TS' ahead by exactly half the range: counts as older"),
    row("too_old", "the stored telemetry is too old"),
    row("age_limit", "the stored telemetry is exactly as old as it may be"),
    row("seq_wrap", "seq wrap: full, and seq below last_update_seq as numbers"),
    row("full_multiplicative", "full in the multiplicative branch"),
    row("not_full_multiplicative", "not full in the multiplicative branch"),
    row("full_additive", "full in the additive branch"),
    row("not_full_additive", "not full in the additive branch"),
    row("stage_reaches_max", "inc_stage reaching MaxStage"),
    row("stage_spent", "multiplicative by inc_stage, U below Eta"),
    row("stage_falls", "inc_stage back to 0 from above"),
    row("max_stage_zero", "MaxStage 0: a multiplicative update with U below Eta under it"),
    row("u_tiny", "U tiny: below 2^-16 in the multiplicative branch"),
    row("u_above_4", "U above 4"),
    row("window_at_first", "W held at W_init"),
    row("window_at_packet", "W held at PacketBytes"),
    row("packet_above_first", "PacketBytes above W_init: a measured ACK under it"),
    row("expected_flows", "ExpectedFlows: an ACK that moves the window under it"),
    row("paper_format", "an ACK measured in the paper format"),
    row("wide_format", "an ACK measured in the wide format"),
    row("bad_rate", "a hop skipped for its rate: code above 6, or 0 Gbps"),
    row("back_to_back", "two ACKs of one flow back to back"),
    row("hops_0", "an ACK of no hops"),
    row("right_behind", "an ACK of no hops takes effect a cycle after another of its flow"),
    row("hops_1", "an ACK of one hop measured"),
    row("hops_5", "an ACK of five hops measured"),
    row("hops_6", "an ACK of more hops than HOPS"),
    row("closed_flow", "an ACK of a closed flow"),
    row("closed_by_the_way", "a flow closed in the cycle of an ACK's last record"),
    row("opened_by_the_way", "a flow opened in the cycle of an ACK's last record"),
    row("open_and_close", "open and close of one flow in one cycle"),
    row("opened_twice", "open on an open flow"),
    row("closed_twice", "close on a closed flow"),
    row("flow_out_of_range", "flow >= FLOWS where the field can hold it"),
    row("time_wrap", "an ACK measured over a wrap of the cycle counter"),
];
