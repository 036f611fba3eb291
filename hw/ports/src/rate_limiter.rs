//! Table of `rate_limiter`: a RoCE NIC's per-queue-pair rate loop and pacer (seed 000), with the
//! published reaction point (Zhu et al. 2015, seed 003's buffer notes) as another loop.

use crate::make::{payload, row, stat};
use crate::{
    Attribute, AttributeKind, Block, Bound, BuildSet, Channel, CoverRow, Dir, ERRORS, Field,
    FieldRole, Param, Quantity, Ready, Timing, Variant, Width,
};

/// Values of `upd_cause`. Both loops have `episode` and `end`; from `cut` on they are the reaction
/// point's.
pub const CAUSES: &[&str] = &[
    "episode",
    "reduction",
    "reduction_held",
    "increase",
    "increase_held",
    "end",
    "cut",
    "alpha",
    "fast",
    "additive",
    "hyper",
];

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

/// Fraction bits of `cfg_alpha_gain`: G in 1024ths, UQ0.10.
pub const GAIN_FRAC: u32 = 10;

/// Fraction bits of `cfg_min_dec_fac`, UQ1.16.
pub const DEC_FRAC: u32 = 16;

/// Bits of a stage of the reaction point; it saturates at 31.
pub const STAGE_W: u32 = 5;

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
        payload("cause", Width::Bits(4), Quantity::Enum(CAUSES), "what the run of the loop did"),
        payload("rate", RATE_W, RATE, "rate after the run, UQ1.RATE_FRAC of line rate"),
        payload("target", RATE_W, RATE, "target rate after the run, UQ1.RATE_FRAC of line rate"),
        payload(
            "estimate",
            EST_W,
            EST,
            "congestion estimate after the run, UQ1.EST_FRAC (on end: the run's last, then forgotten); DCQCN = 1: alpha",
        ),
        payload(
            "recovery",
            Width::Bits(STAGE_W),
            Quantity::Count,
            "recovery count after the run, saturating at 15 (on end: the run's last, then forgotten); DCQCN = 1: the smaller of the two stages, saturating at 31",
        ),
        payload("congested", Width::Bits(1), Quantity::Flag, "0 on end, else 1"),
    ],
    answers: None,
    doc: "one beat for each run of the loop, an episode's start included. DCQCN = 1: a visit of the sweep makes up to three; they leave in order, one a cycle",
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
        payload("estimate", EST_W, EST, "0 outside an episode; DCQCN = 1: alpha"),
        payload(
            "recovery",
            Width::Bits(STAGE_W),
            Quantity::Count,
            "0 outside an episode; DCQCN = 1: the smaller of the two stages",
        ),
        payload(
            "phase",
            Width::Bits(1),
            Quantity::Enum(PHASES),
            "the next half; 0 outside an episode, and with DCQCN = 1",
        ),
        payload(
            "skipped",
            Width::Bits(8),
            Quantity::Count,
            "increase halves with CNPs since the last increase among them; 0 outside an episode, and with DCQCN = 1",
        ),
        payload(
            "deadline",
            Width::Param("TIME_W"),
            Quantity::Cycles(0),
            "time at which the next half (DCQCN = 1: the next increase of the timer) is due, modulo 2^TIME_W; 0 outside an episode",
        ),
        payload(
            "cnps",
            Width::Param("TIME_W"),
            Quantity::Count,
            "CNPs since the last reduction half (cnp_seen is this being other than 0); 0 outside an episode, and with DCQCN = 1",
        ),
        payload(
            "packets",
            Width::Param("TIME_W"),
            Quantity::Count,
            "packets granted since the last reduction half; 0 outside an episode, and with DCQCN = 1",
        ),
        payload(
            "timer_stage",
            Width::Bits(STAGE_W),
            Quantity::Count,
            "DCQCN = 1: increases of the timer since the last cut, saturating at 31; else 0",
        ),
        payload(
            "byte_stage",
            Width::Bits(STAGE_W),
            Quantity::Count,
            "DCQCN = 1: increases of the byte counter since the last cut, saturating at 31; else 0",
        ),
        payload(
            "alpha_deadline",
            Width::Param("TIME_W"),
            Quantity::Cycles(0),
            "DCQCN = 1: time at which alpha next decays, modulo 2^TIME_W; else, and outside an episode, 0",
        ),
        payload(
            "waiting_bytes",
            Width::Param("BYTE_W"),
            Quantity::Bytes,
            "DCQCN = 1: bytes granted that no increase has counted yet, modulo 2^BYTE_W; else, and outside an episode, 0",
        ),
        payload(
            "last_cut",
            Width::Param("TIME_W"),
            Quantity::Cycles(0),
            "DCQCN = 1: time of the last cut, modulo 2^TIME_W; 0 unless recent_cut",
        ),
        payload(
            "recent_cut",
            Width::Bits(1),
            Quantity::Flag,
            "DCQCN = 1: the last cut was less than rate_reduce_monitor_period before this cycle; else, and outside an episode, 0",
        ),
        payload(
            "increased",
            Width::Bits(1),
            Quantity::Flag,
            "DCQCN = 1: an increase has happened since the last cut; else, and outside an episode, 0",
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
        "prim/ready_interval.sv",
        "rl_pacer.sv",
        "rl_arrive.sv",
        "rl_slot.sv",
        "rl_loop.sv",
        "rl_byte_time.sv",
        "rl_peek.sv",
        "rl_cut.sv",
        "rl_increase.sv",
        "rl_visit.sv",
        "rl_upd_queue.sv",
        "rl_reaction_peek.sv",
        "rl_reaction.sv",
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
            max: 24,
            power_of_two: false,
            doc: "fraction bits of estimate, weight and CNP probability, UQ1.EST_FRAC: 8 to 16; DCQCN = 1: of alpha, 10 to 24 (the bounds are stated for 24)",
        },
        Param {
            name: "DCQCN",
            default: 0,
            min: 0,
            max: 1,
            power_of_two: false,
            doc: "0: the loop of seed 000; 1: the published DCQCN reaction point",
        },
        Param {
            name: "BYTE_W",
            default: 32,
            min: 20,
            max: 32,
            power_of_two: false,
            doc: "DCQCN = 1: bits of the total of granted bytes of a queue pair; not looked at otherwise",
        },
    ],
    variants: &[
        Variant { name: "scala", params: &[("DCQCN", 0)], defaults: &[] },
        Variant { name: "dcqcn", params: &[("DCQCN", 1), ("EST_FRAC", 24)], defaults: &[] },
    ],
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
            doc: "DCQCN = 0: the loop runs every half of it: half = interval x ClockMHz / 2000 cycles, rounded half up; refused where half is below 2 x QPS + pipeline",
        },
        Attribute {
            name: "congestion_probability_weight",
            source_name: "CongestionProbabilityWeight",
            unit: "",
            kind: AttributeKind::Real { default: 0.5, min: 0.0, max: 1.0 },
            doc: "DCQCN = 0: w, the weight of the newest value in the estimate",
        },
        Attribute {
            name: "fast_recovery_attempt",
            source_name: "FastRecoveryAttempt",
            unit: "",
            kind: AttributeKind::Integer { default: 3, min: 0, max: 15 },
            doc: "DCQCN = 0: F, the recovery count at which additive increase begins",
        },
        Attribute {
            name: "initial_target_rate_percentage",
            source_name: "InitialTargetRatePercentage",
            unit: "",
            kind: AttributeKind::Real { default: 0.90, min: 0.0, max: 1.0 },
            doc: "DCQCN = 0: sizes the additive step only: step = line rate x (1 - this) / NumberActiveIncreaseSteps",
        },
        Attribute {
            name: "number_active_increase_steps",
            source_name: "NumberActiveIncreaseSteps",
            unit: "",
            kind: AttributeKind::Integer { default: 10, min: 1, max: 255 },
            doc: "DCQCN = 0: divisor of the additive step",
        },
        Attribute {
            name: "num_of_control_loops_per_increase",
            source_name: "NumOfControlLoopsPerIncrease",
            unit: "",
            kind: AttributeKind::Integer { default: 5, min: 0, max: 255 },
            doc: "DCQCN = 0: K: with CNPs arriving, only every (K+1)-th increase half that saw CNPs increases",
        },
        Attribute {
            name: "minimum_rate_percentage",
            source_name: "MinimumRatePercentage",
            unit: "",
            kind: AttributeKind::Real { default: 0.10, min: 0.001, max: 1.0 },
            doc: "DCQCN = 0: floor of rate and target while congested, as a fraction of DataRate",
        },
        Attribute {
            name: "estimate_init",
            source_name: "EstimateInit",
            unit: "",
            kind: AttributeKind::Real { default: 0.0, min: 0.0, max: 1.0 },
            doc: "DCQCN = 0: estimate at the start of an episode, before its first update (DCQCN: 1)",
        },
        Attribute {
            name: "pacing_slack",
            source_name: "PacingSlack",
            unit: "cycles",
            kind: AttributeKind::Integer { default: 1, min: 0, max: 63 },
            doc: "idle time earns at most so much credit: a next_send less than this ago is the base of the next one",
        },
        Attribute {
            name: "rpg_time_reset",
            source_name: "rpg_time_reset",
            unit: "us",
            kind: AttributeKind::Real { default: 55.0, min: 0.01, max: 1e6 },
            doc: "DCQCN = 1: an increase of the timer stage each so long, counted from the last cut; refused below 3 x QPS + pipeline cycles",
        },
        Attribute {
            name: "rpg_byte_reset",
            source_name: "rpg_byte_reset",
            unit: "B",
            kind: AttributeKind::Integer { default: 10_000_000, min: 0, max: 1_000_000_000 },
            doc: "DCQCN = 1: an increase of the byte stage each so many granted bytes, counted from the last cut; 0: off, else at least 16384, so that no packet crosses it twice",
        },
        Attribute {
            name: "rpg_threshold",
            source_name: "rpg_threshold",
            unit: "",
            kind: AttributeKind::Integer { default: 5, min: 0, max: 31 },
            doc: "DCQCN = 1: F: both stages at most this is fast recovery, both above hyper increase, else additive increase",
        },
        Attribute {
            name: "rpg_ai_rate",
            source_name: "rpg_ai_rate",
            unit: "Mbps",
            kind: AttributeKind::Real { default: 40.0, min: 0.0, max: 1_600_000.0 },
            doc: "DCQCN = 1: what an additive increase adds to the target; acts as DataRate above it",
        },
        Attribute {
            name: "rpg_hai_rate",
            source_name: "rpg_hai_rate",
            unit: "Mbps",
            kind: AttributeKind::Real { default: 400.0, min: 0.0, max: 1_600_000.0 },
            doc: "DCQCN = 1: what a hyper increase adds to the target, times the smaller stage - F; acts as DataRate above it",
        },
        Attribute {
            name: "rpg_gd",
            source_name: "rpg_gd",
            unit: "",
            kind: AttributeKind::Integer { default: 11, min: 0, max: 15 },
            doc: "DCQCN = 1: a cut takes alpha / 2^(rpg_gd - 10) of the rate: 11 is half of alpha, 10 is alpha; others are refused",
        },
        Attribute {
            name: "rpg_min_dec_fac",
            source_name: "rpg_min_dec_fac",
            unit: "%",
            kind: AttributeKind::Integer { default: 50, min: 0, max: 100 },
            doc: "DCQCN = 1: a cut leaves at least so much of the rate",
        },
        Attribute {
            name: "rpg_min_rate",
            source_name: "rpg_min_rate",
            unit: "Mbps",
            kind: AttributeKind::Real { default: 10.0, min: 1.0, max: 1_600_000.0 },
            doc: "DCQCN = 1: a cut leaves at least this rate; at most DataRate",
        },
        Attribute {
            name: "dce_tcp_g",
            source_name: "dce_tcp_g",
            unit: "",
            kind: AttributeKind::Integer { default: 1020, min: 0, max: 1023 },
            doc: "DCQCN = 1: G: alpha keeps G / 1024 of itself each dce_tcp_rtt and at each cut, which adds (1024 - G) / 1024",
        },
        Attribute {
            name: "dce_tcp_rtt",
            source_name: "dce_tcp_rtt",
            unit: "us",
            kind: AttributeKind::Real { default: 55.0, min: 0.01, max: 1e6 },
            doc: "DCQCN = 1: alpha decays after each so long without a cut; refused where the sweep cannot keep up: at least QPS + pipeline cycles, and with rpg_time_reset at most 7 runs of the loop in 8 cycles",
        },
        Attribute {
            name: "initial_alpha_value",
            source_name: "initial_alpha_value",
            unit: "",
            kind: AttributeKind::Integer { default: 1023, min: 0, max: 1023 },
            doc: "DCQCN = 1: alpha at the start of an episode, in 1023rds: 1023 is exactly 1.0",
        },
        Attribute {
            name: "rate_reduce_monitor_period",
            source_name: "rate_reduce_monitor_period",
            unit: "us",
            kind: AttributeKind::Real { default: 0.0, min: 0.0, max: 1e6 },
            doc: "DCQCN = 1: a CNP less than so long after the last cut is ignored; 0: none is",
        },
        Attribute {
            name: "rate_to_set_on_first_cnp",
            source_name: "rate_to_set_on_first_cnp",
            unit: "Mbps",
            kind: AttributeKind::Real { default: 0.0, min: 0.0, max: 1_600_000.0 },
            doc: "DCQCN = 1: rate and target at the start of an episode, before its first cut; 0: line rate, else from rpg_min_rate to DataRate",
        },
        Attribute {
            name: "clamp_tgt_rate",
            source_name: "clamp_tgt_rate",
            unit: "",
            kind: AttributeKind::Bool { default: true },
            doc: "DCQCN = 1: each cut sets the target to the rate before it; false: only the first after an increase does",
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
            "an increase that reaches this rate (DCQCN = 1: with the target at line rate) ends the episode: 1 - 0.1 Gbps / DataRate, at least 0",
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
        payload(
            "cfg_initial_alpha",
            EST_W,
            EST,
            "initial_alpha_value / 1023, 0 to 1.0; this and the pins below are 0 with DCQCN = 0",
        ),
        payload(
            "cfg_first_cnp_rate",
            RATE_W,
            RATE,
            "rate and target at an episode's start, before its first cut: rate_to_set_on_first_cnp, or 1.0",
        ),
        payload(
            "cfg_alpha_gain",
            Width::Bits(GAIN_FRAC),
            Quantity::Fixed(GAIN_FRAC, ""),
            "G / 1024, UQ0.10: dce_tcp_g",
        ),
        payload("cfg_alpha_period", Width::Param("TIME_W"), Quantity::Cycles(0), "dce_tcp_rtt"),
        payload(
            "cfg_increase_period",
            Width::Param("TIME_W"),
            Quantity::Cycles(0),
            "rpg_time_reset",
        ),
        payload(
            "cfg_byte_reset",
            Width::Param("BYTE_W"),
            Quantity::Bytes,
            "rpg_byte_reset; 0: the byte counter is off",
        ),
        payload("cfg_threshold", Width::Bits(STAGE_W), Quantity::Count, "F: rpg_threshold"),
        payload("cfg_ai_rate", RATE_W, RATE, "rpg_ai_rate, at most line rate"),
        payload("cfg_hai_rate", RATE_W, RATE, "rpg_hai_rate, at most line rate"),
        payload(
            "cfg_cut_by_alpha",
            Width::Bits(1),
            Quantity::Flag,
            "rpg_gd: 1 (10) cuts by alpha, 0 (11) by alpha / 2",
        ),
        payload(
            "cfg_min_dec_fac",
            Width::Bits(DEC_FRAC + 1),
            Quantity::Fixed(DEC_FRAC, ""),
            "rpg_min_dec_fac / 100, UQ1.16",
        ),
        payload("cfg_min_rate", RATE_W, RATE, "rpg_min_rate, at least 1 LSB"),
        payload(
            "cfg_monitor_period",
            Width::Param("TIME_W"),
            Quantity::Cycles(0),
            "rate_reduce_monitor_period; 0: no CNP is ignored",
        ),
        payload("cfg_clamp_target", Width::Bits(1), Quantity::Flag, "clamp_tgt_rate"),
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
        stat(
            "stat_cnps",
            "accepted CNPs since reset, ignored ones (EnableECN false, rate_reduce_monitor_period) included; saturating; counts a CNP err_latency after it arrived",
        ),
        stat(
            "stat_range",
            "answers with error range (rsp, peeked and err) since reset; saturating; the beat of this cycle included",
        ),
        stat(
            "stat_zero_length",
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
        Timing { name: "upd_latency_dcqcn", cycles: 5, doc: "upd_latency with DCQCN = 1" },
        Timing { name: "peek_latency", cycles: 15, doc: "from peek to its peeked" },
        Timing { name: "peek_latency_dcqcn", cycles: 6, doc: "peek_latency with DCQCN = 1" },
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
        Timing { name: "rate_delay_dcqcn", cycles: 16, doc: "rate_delay with DCQCN = 1" },
        Timing {
            name: "pipeline",
            cycles: 64,
            doc: "added to 2 x QPS: the shortest legal half, and the most that a due half is served late (a peek taken meanwhile adds 1). DCQCN = 1: added to 3 x QPS, the shortest legal rpg_time_reset, and the most that a due run waits for its visit (a CNP or a peek taken meanwhile adds 1)",
        },
    ],
    order: &[
        "req: sees next_send and the byte time in effect as of the start of the cycle; a grant counts into the interval that ends with a half due in this cycle",
        "slot of the loop: a start that waited from the cycle before, else this cycle's episode start, else an accepted peek, else the sweep's visit; the sweep stands unless it visits",
        "sweep visit of the next queue pair: clears held once now - next_send >= PacingSlack, then runs the half if congested and now - deadline >= 0",
        "cnp: counted if congested (after the half), else starts an episode with deadline now + half; where the sweep ended the same queue pair's episode in this cycle, or a start already has the slot, the start takes effect now and its slot (its upd, its rate_delay) is that of the next cycle, in which the sweep stands",
        "peek: sees the state after all of the above",
        "DCQCN = 1, in place of the last four. slot: a CNP in range with EnableECN (an ignored one included) has it, else an accepted peek, else, with no upd beat queued since an earlier cycle, the sweep's visit; the sweep stands unless it visits",
        "DCQCN = 1, visit: clears held as above and recent_cut once now - last_cut >= rate_reduce_monitor_period; then, if congested, each at most once: alpha's decay if now - alpha_deadline >= 0, the timer's increase if now - deadline >= 0, the byte counter's increase if waiting_bytes >= rpg_byte_reset (bytes granted in this cycle included); an end stops what follows",
        "DCQCN = 1, upd beats queue in the order in which they are made and have one slot a cycle: that of the cycle that makes them while the queue is empty, else the one after the beat before; upd_latency and rate_delay count from it",
        "DCQCN = 1, peek: has a port of its own and may share its cycle with a CNP; sees the state after all of the above, beats that are still queued included",
    ],
    bounds: &[
        Bound {
            name: "rate",
            limit: 1e-4,
            unit: "of line rate",
            doc: "rate and target over a million random events; both are rounded to RATE_FRAC bits in every run of the loop",
        },
        Bound {
            name: "alpha",
            limit: 1e-4,
            unit: "",
            doc: "DCQCN = 1, EST_FRAC = 24: alpha over a million random events; each decay and each raise rounds down, so it lags by at most 1024 / (1024 - G) LSB",
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
        BuildSet {
            name: "dcqcn",
            params: &[("DCQCN", 1), ("EST_FRAC", 24)],
            doc: "the shipped size, the published reaction point",
        },
        BuildSet {
            name: "dcqcn_short",
            params: &[
                ("DCQCN", 1),
                ("EST_FRAC", 24),
                ("QPS", 8),
                ("QP_W", 4),
                ("TIME_W", 12),
                ("BYTE_W", 20),
            ],
            doc: "the same as short, the published reaction point, and a total of bytes that wraps every MiB",
        },
    ],
};

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
    // The reaction point's.
    row("rp_cnp_ignored", "a CNP less than rate_reduce_monitor_period after the last cut: ignored"),
    row("rp_cnp_at_period", "a CNP exactly rate_reduce_monitor_period after the last cut: a cut"),
    row(
        "rp_cut_without_period",
        "rate_reduce_monitor_period 0: a cut of a QP in the cycle after its last cut",
    ),
    row("rp_cnps_back_to_back_ignored", "two CNPs of one QP back to back, the second ignored"),
    row("rp_long_after_cut", "a CNP more than half a wrap after the last cut: a cut"),
    row(
        "rp_clamped",
        "clamp_tgt_rate: a cut without an increase since the last one moves the target",
    ),
    row(
        "rp_target_kept",
        "no clamp_tgt_rate, no increase since the last cut: a cut leaves the target",
    ),
    row(
        "rp_target_after_increase",
        "no clamp_tgt_rate, an increase since the last cut: a cut moves the target",
    ),
    row("rp_first_rate_set", "rate_to_set_on_first_cnp other than 0: an episode under it"),
    row("rp_first_alpha_below_one", "initial_alpha_value below 1023: an episode under it"),
    row("rp_min_dec_fac_wins", "a cut held by rpg_min_dec_fac"),
    row("rp_min_rate_wins", "a cut held at rpg_min_rate"),
    row("rp_gd_10", "rpg_gd 10: a cut under it"),
    row("rp_alpha_repeated", "a second decay of alpha since the last cut"),
    row("rp_alpha_zero", "alpha decays to 0"),
    row("rp_cut_at_alpha_zero", "a cut with alpha = 0: the rate stays"),
    row("rp_fast", "an increase with both stages at most F"),
    row("rp_additive_by_timer", "an additive increase, the timer's stage alone above F"),
    row("rp_additive_by_bytes", "an additive increase, the byte counter's stage alone above F"),
    row("rp_hyper", "a hyper increase, i = 1"),
    row("rp_hyper_further", "a hyper increase, i > 1"),
    row("rp_threshold_zero", "F = 0: an increase under it"),
    row("rp_target_at_line", "an increase whose target is held at line rate"),
    row("rp_stage_saturates", "an increase of a stage that stands at 31"),
    row("rp_byte_remainder", "an increase of the byte counter that carries bytes over"),
    row("rp_bytes_wait", "more than one rpg_byte_reset waiting in a visit"),
    row("rp_bytes_forgotten", "half of 2^BYTE_W bytes or more waiting in a visit"),
    row(
        "rp_bytes_of_the_cycle",
        "an increase of the byte counter that only the bytes granted in the cycle of its visit make due",
    ),
    row("rp_byte_off", "rpg_byte_reset 0: an increase of the timer under it"),
    row("rp_byte_total_wraps", "the total of granted bytes wraps in an episode"),
    row("rp_timer_and_bytes", "timer and byte counter in one visit, without alpha"),
    row("rp_alpha_and_timer", "alpha and timer in one visit, without the byte counter"),
    row("rp_alpha_and_bytes", "alpha and byte counter in one visit, without the timer"),
    row("rp_all_three", "alpha, timer and byte counter in one visit"),
    row("rp_end_fast", "an increase in fast recovery that ends the episode"),
    row("rp_end_additive", "an additive increase that ends the episode"),
    row("rp_end_hyper", "a hyper increase that ends the episode"),
    row("rp_end_stops_visit", "an end by the timer in a visit that finds the byte counter due too"),
    row(
        "rp_target_holds_end",
        "an increase within 0.1 Gbps of line rate, the target below line rate: no end",
    ),
    row(
        "rp_cnp_before_due_visit",
        "a CNP in the cycle in which the sweep would have run something of its QP",
    ),
    row("rp_cnp_queues", "a CNP's upd queued behind a visit's"),
    row("rp_peek_with_cnp", "peek and CNP of one QP in one cycle"),
    row("rp_peek_while_queued", "a peek while upd beats of an earlier cycle are queued"),
    row(
        "rp_shortest_periods",
        "the shortest legal rpg_time_reset and the shortest dce_tcp_rtt beside it: an increase under them",
    ),
    row("rp_wrap_while_recent", "time wrap while last_cut means something"),
];
