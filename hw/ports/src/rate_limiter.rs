//! Table of `rate_limiter`: a RoCE NIC's per-queue-pair rate loop and pacer (seed 000).

use crate::{
    Attribute, AttributeKind, Block, Bound, BuildSet, Channel, CoverRow, Dir, ERRORS, Field,
    FieldRole, Param, Quantity, Ready, Timing, Width,
};

/// Values of `upd_cause`.
pub const CAUSES: &[&str] =
    &["episode", "reduction", "reduction_held", "increase", "increase_held", "end"];

/// Values of `peeked_phase`: which half the loop runs next.
pub const PHASES: &[&str] = &["reduction", "increase"];

/// Input channels as `err_channel` numbers them.
pub const ERR_CHANNELS: &[&str] = &["cnp"];

/// Fraction bits of a pacing time (`next_send`): cycles in UQ`TIME_W`.16.
pub const PACE_FRAC: u32 = 16;

/// Fraction bits of a byte time: cycles a byte in UQ15.28 (UQ5.28 at line rate).
pub const BYTE_TIME_FRAC: u32 = 28;

/// Bits of `req_bytes`.
pub const BYTES_W: u32 = 14;

/// Bits of `rsp_wait`; it saturates.
pub const WAIT_W: u32 = 24;

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

const fn payload(name: &'static str, width: Width, quantity: Quantity, doc: &'static str) -> Field {
    Field { name, width, quantity, role: FieldRole::Payload, doc }
}

const RATE_W: Width = Width::ParamPlus("RATE_FRAC", 1);
const RATE: Quantity = Quantity::LineRate("RATE_FRAC");
const EST_W: Width = Width::ParamPlus("EST_FRAC", 1);
const EST: Quantity = Quantity::Fraction("EST_FRAC");

const CNP: Channel = Channel {
    name: "cnp",
    dir: Dir::In,
    ready: Ready::Never,
    fields: &[QP],
    answers: None,
    doc: "a congestion notification packet arrived for a queue pair; one a cycle",
};

const REQ: Channel = Channel {
    name: "req",
    dir: Dir::In,
    ready: Ready::Never,
    fields: &[
        QP,
        payload(
            "bytes",
            Width::Bits(BYTES_W),
            Quantity::Bytes,
            "size of the packet on the wire; 0 is answered with error zero_length",
        ),
    ],
    answers: None,
    doc: "the packet at the head of a queue pair asks to be sent; one a cycle, one queue pair back to back included",
};

const PEEK: Channel = Channel {
    name: "peek",
    dir: Dir::In,
    ready: Ready::Whole,
    fields: &[QP],
    answers: None,
    doc: "asks for the whole state of a queue pair; takes the sweep's slot of its cycle, writes nothing, comes last in its cycle's order",
};

const RSP: Channel = Channel {
    name: "rsp",
    dir: Dir::Out,
    ready: Ready::Never,
    fields: &[
        QP,
        payload(
            "grant",
            Width::Bits(1),
            Quantity::Flag,
            "the packet goes, and counts into the interval's packets",
        ),
        payload(
            "wait",
            Width::Bits(WAIT_W),
            Quantity::Cycles(0),
            "0 with a grant; else cycles from the request's own cycle until it may go, rounded up, saturating at all ones",
        ),
        ERROR,
    ],
    answers: Some("req"),
    doc: "the answer to each request, in order",
};

const UPD: Channel = Channel {
    name: "upd",
    dir: Dir::Out,
    ready: Ready::Never,
    fields: &[
        QP,
        payload("cause", Width::Bits(3), Quantity::Enum(CAUSES), "what the run of the loop did"),
        payload("rate", RATE_W, RATE, "rate after the run, UQ1.RATE_FRAC of line rate"),
        payload("target", RATE_W, RATE, "target rate after the run, UQ1.RATE_FRAC of line rate"),
        payload(
            "estimate",
            EST_W,
            EST,
            "congestion estimate after the run, UQ1.EST_FRAC (on end: the run's last, then forgotten)",
        ),
        payload(
            "recovery",
            Width::Bits(4),
            Quantity::Count,
            "recovery count after the run, saturating at 15 (on end: the run's last, then forgotten)",
        ),
        payload("congested", Width::Bits(1), Quantity::Flag, "0 on end, else 1"),
    ],
    answers: None,
    doc: "one beat for each run of the loop, an episode's start included",
};

const PEEKED: Channel = Channel {
    name: "peeked",
    dir: Dir::Out,
    ready: Ready::Never,
    fields: &[
        QP,
        payload("congested", Width::Bits(1), Quantity::Flag, "an episode is running"),
        payload("rate", RATE_W, RATE, "line rate (1.0) outside an episode"),
        payload("target", RATE_W, RATE, "line rate (1.0) outside an episode"),
        payload("estimate", EST_W, EST, "0 outside an episode"),
        payload("recovery", Width::Bits(4), Quantity::Count, "0 outside an episode"),
        payload(
            "phase",
            Width::Bits(1),
            Quantity::Enum(PHASES),
            "the next half; 0 outside an episode",
        ),
        payload(
            "skipped",
            Width::Bits(8),
            Quantity::Count,
            "increase halves with CNPs since the last increase among them; 0 outside an episode",
        ),
        payload(
            "deadline",
            Width::Param("TIME_W"),
            Quantity::Cycles(0),
            "time at which the next half is due, modulo 2^TIME_W; 0 outside an episode",
        ),
        payload(
            "cnps",
            Width::Param("TIME_W"),
            Quantity::Count,
            "CNPs since the last reduction half (cnp_seen is this being other than 0); 0 outside an episode",
        ),
        payload(
            "packets",
            Width::Param("TIME_W"),
            Quantity::Count,
            "packets granted since the last reduction half; 0 outside an episode",
        ),
        Field {
            name: "held",
            width: Width::Bits(1),
            quantity: Quantity::Flag,
            role: FieldRole::SweepTimed,
            doc: "next_send still means something; the sweep clears it once now - next_send has reached PacingSlack",
        },
        Field {
            name: "next_send",
            width: Width::ParamPlus("TIME_W", PACE_FRAC),
            quantity: Quantity::Cycles(PACE_FRAC),
            role: FieldRole::SweepTimed,
            doc: "time from which the next packet may go, UQ TIME_W.16, modulo 2^TIME_W; 0 unless held",
        },
        ERROR,
    ],
    answers: Some("peek"),
    doc: "the answer to each peek. step is not among the fields: every episode starts at line rate, so it is cfg_additive_step for all",
};

const ERR: Channel = Channel {
    name: "err",
    dir: Dir::Out,
    ready: Ready::Never,
    fields: &[
        payload(
            "channel",
            Width::Bits(2),
            Quantity::Enum(ERR_CHANNELS),
            "the input channel of the refused event",
        ),
        payload("code", Width::Bits(3), Quantity::Enum(ERRORS), "why it was refused"),
        QP,
    ],
    answers: None,
    doc: "an invalid event of a channel that has no answer of its own: a CNP for a queue pair outside the table",
};

/// The table of `rate_limiter`.
pub const BLOCK: Block = Block {
    name: "rate_limiter",
    title: "per-queue-pair rate limiter of a RoCE NIC: DCQCN-style rate loop and pacer",
    rtl: &[
        "congruent_pkg.sv",
        "rl_pkg.sv",
        "prim/ram_1w1r.sv",
        "prim/ram_1w2r.sv",
        "prim/div_floor.sv",
        "prim/sweep.sv",
        "rl_pacer.sv",
        "rl_arrive.sv",
        "rl_slot.sv",
        "rl_loop.sv",
        "rl_byte_time.sv",
        "rl_peek.sv",
        "rate_limiter.sv",
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
            doc: "bits of the cycle counter, of stored times and of the CNP and packet totals",
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
            name: "RATE_FRAC",
            default: 24,
            min: 12,
            max: 24,
            power_of_two: false,
            doc: "fraction bits of rate and target, UQ1.RATE_FRAC of line rate",
        },
        Param {
            name: "EST_FRAC",
            default: 16,
            min: 8,
            max: 16,
            power_of_two: false,
            doc: "fraction bits of estimate, weight and CNP probability, UQ1.EST_FRAC",
        },
    ],
    variants: &[],
    attributes: &[
        Attribute {
            name: "clock_mhz",
            source_name: "ClockMHz",
            unit: "MHz",
            kind: AttributeKind::Real { default: 500.0, min: 100.0, max: 2000.0 },
            doc: "turns nanoseconds into cycles",
        },
        Attribute {
            name: "enable_ecn",
            source_name: "EnableECN",
            unit: "",
            kind: AttributeKind::Bool { default: true },
            doc: "false: CNPs are counted in stat_cnps and ignored, every queue pair runs at line rate",
        },
        Attribute {
            name: "data_rate",
            source_name: "DataRate",
            unit: "Gbps",
            kind: AttributeKind::Real { default: 400.0, min: 1.0, max: 1600.0 },
            doc: "line rate",
        },
        Attribute {
            name: "control_interval_duration_ns",
            source_name: "ControlIntervalDurationNs",
            unit: "ns",
            kind: AttributeKind::Real { default: 45_000.0, min: 100.0, max: 1e9 },
            doc: "the loop runs every half of it: half = interval x ClockMHz / 2000 cycles, rounded half up; refused where half is below 2 x QPS + pipeline",
        },
        Attribute {
            name: "congestion_probability_weight",
            source_name: "CongestionProbabilityWeight",
            unit: "",
            kind: AttributeKind::Real { default: 0.5, min: 0.0, max: 1.0 },
            doc: "w, the weight of the newest value in the estimate",
        },
        Attribute {
            name: "fast_recovery_attempt",
            source_name: "FastRecoveryAttempt",
            unit: "",
            kind: AttributeKind::Integer { default: 3, min: 0, max: 15 },
            doc: "F, the recovery count at which additive increase begins",
        },
        Attribute {
            name: "initial_target_rate_percentage",
            source_name: "InitialTargetRatePercentage",
            unit: "",
            kind: AttributeKind::Real { default: 0.90, min: 0.0, max: 1.0 },
            doc: "sizes the additive step only: step = line rate x (1 - this) / NumberActiveIncreaseSteps",
        },
        Attribute {
            name: "number_active_increase_steps",
            source_name: "NumberActiveIncreaseSteps",
            unit: "",
            kind: AttributeKind::Integer { default: 10, min: 1, max: 255 },
            doc: "divisor of the additive step",
        },
        Attribute {
            name: "num_of_control_loops_per_increase",
            source_name: "NumOfControlLoopsPerIncrease",
            unit: "",
            kind: AttributeKind::Integer { default: 5, min: 0, max: 255 },
            doc: "K: with CNPs arriving, only every (K+1)-th increase half that saw CNPs increases",
        },
        Attribute {
            name: "minimum_rate_percentage",
            source_name: "MinimumRatePercentage",
            unit: "",
            kind: AttributeKind::Real { default: 0.10, min: 0.001, max: 1.0 },
            doc: "floor of rate and target while congested, as a fraction of DataRate",
        },
        Attribute {
            name: "estimate_init",
            source_name: "EstimateInit",
            unit: "",
            kind: AttributeKind::Real { default: 0.0, min: 0.0, max: 1.0 },
            doc: "estimate at the start of an episode, before its first update (DCQCN: 1)",
        },
        Attribute {
            name: "pacing_slack",
            source_name: "PacingSlack",
            unit: "cycles",
            kind: AttributeKind::Integer { default: 1, min: 0, max: 63 },
            doc: "idle time earns at most so much credit: a next_send less than this ago is the base of the next one",
        },
    ],
    cfg: &[
        payload("cfg_enable_ecn", Width::Bits(1), Quantity::Flag, "EnableECN"),
        payload(
            "cfg_half",
            Width::Param("TIME_W"),
            Quantity::Cycles(0),
            "half of the control interval",
        ),
        payload("cfg_weight", EST_W, EST, "w, 0 to 1.0"),
        payload(
            "cfg_first_estimate",
            EST_W,
            EST,
            "estimate after an episode's first reduction: one update of EstimateInit with p = 1",
        ),
        payload(
            "cfg_first_rate",
            RATE_W,
            RATE,
            "rate after an episode's first reduction: line rate cut by cfg_first_estimate / 2, held at the floor",
        ),
        payload("cfg_additive_step", RATE_W, RATE, "additive step of every episode"),
        payload("cfg_floor", RATE_W, RATE, "floor of rate and target, at least 1 LSB"),
        payload(
            "cfg_end_rate",
            RATE_W,
            RATE,
            "an increase that reaches this rate ends the episode: 1 - 0.1 Gbps / DataRate, at least 0",
        ),
        payload("cfg_fast_recovery_attempt", Width::Bits(4), Quantity::Count, "F"),
        payload("cfg_loops_per_increase", Width::Bits(8), Quantity::Count, "K"),
        payload(
            "cfg_line_byte_time",
            Width::Bits(33),
            Quantity::Fixed(BYTE_TIME_FRAC, "cycles/byte"),
            "cycles a byte at line rate, UQ5.28: 8 x ClockMHz / (1000 x DataRate), at most 16.0",
        ),
        payload("cfg_pacing_slack", Width::Bits(6), Quantity::Cycles(0), "PacingSlack"),
    ],
    channels: &[CNP, REQ, PEEK, RSP, UPD, PEEKED, ERR],
    controls: &[],
    levels: &[
        payload(
            "init_done",
            Width::Bits(1),
            Quantity::Flag,
            "the init sweep is over; events are legal from the cycle after the one that first shows it",
        ),
        payload(
            "stat_cnps",
            Width::Bits(16),
            Quantity::Count,
            "accepted CNPs since reset, ignored ones (EnableECN false) included; saturating; counts a CNP err_latency after it arrived",
        ),
        payload(
            "stat_range",
            Width::Bits(16),
            Quantity::Count,
            "answers with error range (rsp, peeked and err) since reset; saturating; the beat of this cycle included",
        ),
        payload(
            "stat_zero_length",
            Width::Bits(16),
            Quantity::Count,
            "answers with error zero_length since reset; saturating; the beat of this cycle included",
        ),
    ],
    timing: &[
        Timing { name: "rsp_latency", cycles: 6, doc: "from req to its rsp" },
        Timing {
            name: "err_latency",
            cycles: 5,
            doc: "from cnp to its err, and to its count in stat_cnps",
        },
        Timing { name: "upd_latency", cycles: 14, doc: "from the loop's slot to its upd" },
        Timing { name: "peek_latency", cycles: 15, doc: "from peek to its peeked" },
        Timing {
            name: "peek_interval",
            cycles: 32,
            doc: "initiation interval of peek: peek_ready is low for one cycle less after each beat taken",
        },
        Timing {
            name: "rate_delay",
            cycles: 25,
            doc: "from the loop's slot to the first request that the new rate paces; until then the old one does",
        },
        Timing {
            name: "pipeline",
            cycles: 64,
            doc: "added to 2 x QPS: the shortest legal half, and the most that a due half is served late (a peek taken meanwhile adds 1)",
        },
    ],
    order: &[
        "req: sees next_send and the byte time in effect as of the start of the cycle; a grant counts into the interval that ends with a half due in this cycle",
        "slot of the loop: a start that waited from the cycle before, else this cycle's episode start, else an accepted peek, else the sweep's visit; the sweep stands unless it visits",
        "sweep visit of the next queue pair: clears held once now - next_send >= PacingSlack, then runs the half if congested and now - deadline >= 0",
        "cnp: counted if congested (after the half), else starts an episode with deadline now + half; where the sweep ended the same queue pair's episode in this cycle, or a start already has the slot, the start takes effect now and its slot (its upd, its rate_delay) is that of the next cycle, in which the sweep stands",
        "peek: sees the state after all of the above",
    ],
    bounds: &[
        Bound {
            name: "rate",
            limit: 1e-4,
            unit: "of line rate",
            doc: "rate and target over a million random events; both are rounded to RATE_FRAC bits in every run of the loop",
        },
        Bound {
            name: "next_send",
            limit: 0.02,
            unit: "cycles",
            doc: "next_send over chains of packets at one rate, over a million random events; the byte time is rounded to 28 fraction bits, each packet's time to 16",
        },
    ],
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

const fn row(name: &'static str, doc: &'static str) -> CoverRow {
    CoverRow { name, doc }
}

const COVERAGE: &[CoverRow] = &[
    row("every_qp_congested", "every QP congested at once"),
    row(
        "all_halves_due_together",
        "all QPs' halves due together: a whole round of the sweep, each visit of it running a half",
    ),
    row("cnp_in_end_cycle", "CNP in the cycle its QP's episode ends"),
    row("cnp_in_half_cycle", "CNP in the cycle of its own half"),
    row("req_in_half_cycle", "req in the cycle of its own half"),
    row("packets_zero_with_cnps", "packets = 0 with cnps > 0, in a half"),
    row("cnps_above_packets", "cnps > packets > 0, in a half"),
    row("k_zero", "K = 0: an increase although CNPs were seen"),
    row("k_reached", "K > 0 reached: an increase although CNPs were seen"),
    row("f_zero", "F = 0: a run of the loop under it"),
    row(
        "f_fifteen",
        "F = 15: an episode that ends under it (in fast recovery: fifteen halvings of any gap come within 0.1 Gbps)",
    ),
    row("recovery_below_f_and_back", "recovery falling below F and back"),
    row("reduction_raises_rate", "a reduction that raises the rate"),
    row("w_zero", "w = 0: a reduction under it"),
    row("w_one", "w = 1: a reduction under it"),
    row("floor_reached", "a reduction held at the floor"),
    row("floor_one", "floor 1.0: an episode under it"),
    row("data_rate_1", "DataRate 1: a grant to a congested QP under it"),
    row("data_rate_25", "DataRate 25: a grant to a congested QP under it"),
    row("data_rate_100", "DataRate 100: a grant to a congested QP under it"),
    row("data_rate_200", "DataRate 200: a grant to a congested QP under it"),
    row("data_rate_800", "DataRate 800: a grant to a congested QP under it"),
    row("data_rate_1600", "DataRate 1600: a grant to a congested QP under it"),
    row("half_odd", "half of an odd number of cycles: a half served under it"),
    row("half_shortest", "the shortest legal half: a half served under it"),
    row("wrap_while_held", "time wrap while held"),
    row("wrap_while_due", "time wrap while a deadline is set"),
    row("wrap_while_idle", "time wrap while idle for more than half a wrap: a grant after that"),
    row("back_to_back_granted", "back-to-back req of one QP, the second granted"),
    row("back_to_back_refused", "back-to-back req of one QP, the second refused"),
    row("within_slack", "request within PacingSlack: next_send continues from the last one"),
    row("beyond_slack", "request beyond PacingSlack while held: next_send starts from now"),
    row("packet_64", "a packet of 64 B granted"),
    row("packet_9216", "a packet of 9216 B granted"),
    row("zero_length", "0 B (zero_length)"),
    row("qp_out_of_range", "qp >= QPS where the field can hold it"),
    row("enable_ecn_false", "EnableECN false: a CNP ignored"),
];
