//! Table of `nscc_window`: the NSCC congestion-window unit of an MRC or UET NIC (seed 004).

use crate::make::{flag, payload, row, stat};
use crate::{
    Attribute, AttributeKind, Block, Bound, BuildSet, Channel, CoverRow, Dir, ERRORS, Field,
    FieldRole, Param, Quantity, Ready, Timing, Variant, Width,
};

/// Values of `kind`: what an event is.
pub const KINDS: &[&str] = &["send", "sack", "nack", "loss", "cack", "probe", "open", "close"];

/// Values of `win_routine`: what an event did to the window.
pub const ROUTINES: &[&str] = &[
    "none",
    "fast",
    "proportional",
    "fair",
    "decrease",
    "marked_hold",
    "penalty",
    "quick_adapt",
    "trim",
    "ignored",
    "loss",
];

/// Bits of a number of bytes: of an event, in flight, of a window's whole part.
pub const BYTES_W: u32 = 24;

/// Fraction bits of a round-trip time, a delay sample, the target: cycles in UQ`RTT_W`.4.
pub const RTT_FRAC: u32 = 4;

/// Fraction bits of the average delay: cycles in UQ`RTT_W`.12.
pub const AVERAGE_FRAC: u32 = 12;

/// Bits of the pending increase, whole bytes²; it saturates.
pub const PENDING_W: u32 = 52;

/// Bits of the gain of a SACK: bytes in UQ32.8; it saturates.
pub const GAIN_W: u32 = 40;

/// Fraction bits of the gain of a SACK.
pub const GAIN_FRAC: u32 = 8;

/// Bits of `cfg_alpha`: bytes a cycle in UQ16.24.
pub const ALPHA_W: u32 = 40;

/// Fraction bits of `cfg_alpha`.
pub const ALPHA_FRAC: u32 = 24;

/// Bits of `cfg_fast`: a plain factor in UQ12.20.
pub const FAST_W: u32 = 32;

/// Fraction bits of `cfg_fast`.
pub const FAST_FRAC: u32 = 20;

/// Bits of `cfg_window_rate`: bytes a cycle in UQ12.24.
pub const WINDOW_RATE_W: u32 = 36;

/// Fraction bits of `cfg_window_rate`.
pub const WINDOW_RATE_FRAC: u32 = 24;

/// Fraction bits of weights and shares: UQ1.24.
pub const SHARE_FRAC: u32 = 24;

/// Bits of the nominal packet, bytes.
pub const PACKET_W: u32 = 15;

/// A window below so many bytes asks for cumulative ACKs (seed 004).
pub const SMALL_WINDOW: u64 = 4095;

const DST: Field = Field {
    name: "dst",
    width: Width::Param("DST_W"),
    quantity: Quantity::Count,
    role: FieldRole::Context,
    doc: "destination, 0 to DESTS - 1",
};

const ERROR: Field = Field {
    name: "error",
    width: Width::Bits(3),
    quantity: Quantity::Enum(ERRORS),
    role: FieldRole::Error,
    doc: "range: dst is outside the table; closed: dst is closed, or an open finds it open; either leaves the state alone. underflow: in_flight would have fallen below 0; it stops at 0 and the event takes effect",
};

const fn bytes(name: &'static str, doc: &'static str) -> Field {
    payload(name, Width::Bits(BYTES_W), Quantity::Bytes, doc)
}

const fn window(name: &'static str, doc: &'static str) -> Field {
    let width = Width::ParamPlus("CWND_FRAC", BYTES_W);
    payload(name, width, Quantity::FixedParam("CWND_FRAC", "bytes"), doc)
}

const fn rtt(name: &'static str, doc: &'static str) -> Field {
    payload(name, Width::ParamPlus("RTT_W", RTT_FRAC), Quantity::Cycles(RTT_FRAC), doc)
}

const fn average(name: &'static str, doc: &'static str) -> Field {
    payload(name, Width::ParamPlus("RTT_W", AVERAGE_FRAC), Quantity::Cycles(AVERAGE_FRAC), doc)
}

const fn time(name: &'static str, doc: &'static str) -> Field {
    payload(name, Width::Param("TIME_W"), Quantity::Cycles(0), doc)
}

const fn share(name: &'static str, doc: &'static str) -> Field {
    payload(name, Width::Bits(SHARE_FRAC + 1), Quantity::Fixed(SHARE_FRAC, ""), doc)
}

const EVT: Channel = Channel {
    name: "evt",
    dir: Dir::In,
    ready: Ready::Whole,
    fields: &[
        payload("kind", Width::Bits(3), Quantity::Enum(KINDS), "what happened"),
        DST,
        bytes(
            "bytes",
            "sack: what the receiver reports newly received, as the gains count it; not looked at otherwise. 0 is legal",
        ),
        bytes(
            "flight",
            "send: what enters the bytes in flight; sack, nack, loss, cack: what leaves them (nominal sizes); not looked at otherwise. 0 is legal",
        ),
        flag("rtt_valid", "sack, nack: rtt carries a sample; not looked at otherwise"),
        rtt("rtt", "sack and nack with rtt_valid, probe: a round-trip time, UQ RTT_W.4 cycles"),
        flag("trimmed", "nack: a switch trimmed the packet; not looked at otherwise"),
        flag("ecn", "sack: the ECN echo (UET = 1 only)"),
        payload(
            "penalty",
            Width::Bits(7),
            Quantity::Count,
            "sack: the receiver's penalty, 1/128 each of the bytes; 0 is none (UET = 1 only)",
        ),
        flag("restore", "sack without penalty: the saved window comes back (UET = 1 only)"),
    ],
    answers: None,
    doc: "one event, of one destination. Taken in a cycle with valid and ready; it takes effect there, whole, before any later one",
};

const PEEK: Channel = Channel {
    name: "peek",
    dir: Dir::In,
    ready: Ready::Whole,
    fields: &[DST],
    answers: None,
    doc: "asks for the whole state of a destination; writes nothing. peek_ready is low from the cycle after a peek was taken until the cycle before its peeked; it does not depend on events",
};

const WIN: Channel = Channel {
    name: "win",
    dir: Dir::Out,
    ready: Ready::Never,
    fields: &[
        payload("kind", Width::Bits(3), Quantity::Enum(KINDS), "the event's kind"),
        DST,
        window("cwnd", "window after the event; 0 after close"),
        bytes("in_flight", "bytes in flight after the event"),
        rtt("base_rtt", "base RTT after the event, UQ RTT_W.4 cycles"),
        average("avg_delay", "average queueing delay after the event, UQ RTT_W.12 cycles"),
        payload("routine", Width::Bits(4), Quantity::Enum(ROUTINES), "what the event did"),
        flag("granted", "send: the packet may go and is in flight; 0 for every other kind"),
        flag(
            "wants_cack",
            "send: after it cwnd - in_flight is less than a nominal packet, or cwnd below 4095 bytes; 0 for every other kind",
        ),
        flag("qa_fired", "Quick Adapt fired"),
        ERROR,
    ],
    answers: Some("evt"),
    doc: "the answer to each event, in order",
};

const PEEKED: Channel = Channel {
    name: "peeked",
    dir: Dir::Out,
    ready: Ready::Never,
    fields: &[
        DST,
        flag("open", "the destination is open; everything else reads 0 where it is not"),
        window("cwnd", "window, UQ24.CWND_FRAC bytes"),
        bytes("in_flight", "bytes in flight"),
        rtt("base_rtt", "base RTT, UQ RTT_W.4 cycles"),
        average("avg_delay", "average queueing delay, UQ RTT_W.12 cycles"),
        window("max_window", "ceiling of the window as of the last sample of a sack or nack"),
        payload(
            "pending",
            Width::Bits(PENDING_W),
            Quantity::Fixed(0, "bytes^2"),
            "increase not yet applied, whole bytes squared, saturating",
        ),
        bytes("received", "bytes received since the last apply, saturating"),
        flag("eta_due", "ConfigBaseRTT has passed since last_eta, as of the peek"),
        time("last_eta", "when the additive term was last added, modulo 2^TIME_W; 0 once eta_due"),
        bytes("fast_count", "bytes that count towards fast increase, saturating"),
        flag("fast_on", "fast increase is engaged"),
        flag("qa_open", "an observation window was opened"),
        flag("qa_over", "the observation window is over, as of the peek"),
        time(
            "qa_end",
            "end of the observation window, modulo 2^TIME_W; 0 unless qa_open and not qa_over",
        ),
        bytes("qa_bytes", "bytes received in the observation window, saturating"),
        flag("qa_trigger", "a trim NACK came since Quick Adapt last fired"),
        bytes("ignore_left", "bytes until trim NACKs count again"),
        flag(
            "cut_held",
            "the last cut is less than a base RTT ago, as of the peek (0 unless UET = 1)",
        ),
        time("last_cut", "when the last cut was made, modulo 2^TIME_W; 0 unless cut_held"),
        window("saved_cwnd", "window from before a penalty; 0 is none (0 unless UET = 1)"),
        ERROR,
    ],
    answers: Some("peek"),
    doc: "the answer to each peek. The times are shown as of the peek's own cycle, so they do not depend on when a sweep passed",
};

/// The table of `nscc_window`.
pub const BLOCK: Block = Block {
    name: "nscc_window",
    title: "NSCC congestion-window unit of a NIC, MRC (UET = 0) or UET (UET = 1) variant",
    rtl: &[
        "congruent_pkg.sv",
        "nscc_pkg.sv",
        "prim/ram_1w2r.sv",
        "prim/div_iter.sv",
        "prim/sweep.sv",
        "nscc_flight.sv",
        "nscc_delay.sv",
        "nscc_times.sv",
        "nscc_adapt.sv",
        "nscc_cwnd.sv",
        "nscc_pending.sv",
        "nscc_apply.sv",
        "nscc_peek.sv",
        "nscc_window.sv",
    ],
    params: &[
        Param {
            name: "DESTS",
            default: 256,
            min: 2,
            max: 4096,
            power_of_two: true,
            doc: "destinations, one context each",
        },
        Param {
            name: "DST_W",
            default: 12,
            min: 1,
            max: 16,
            power_of_two: false,
            doc: "bits of a destination number on the ports, at least log2 DESTS",
        },
        Param {
            name: "UET",
            default: 0,
            min: 0,
            max: 1,
            power_of_two: false,
            doc: "0: NSCC as an MRC NIC runs it; 1: with UET 1.0's ECN echo and receiver penalty",
        },
        Param {
            name: "TIME_W",
            default: 32,
            min: 8,
            max: 32,
            power_of_two: false,
            doc: "bits of the cycle counter; half a wrap is longer than any stored time matters",
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
            name: "CWND_FRAC",
            default: 8,
            min: 4,
            max: 8,
            power_of_two: false,
            doc: "fraction bits of cwnd and the max window, UQ24.CWND_FRAC bytes; 4 are the least that the seed's numbers need, 8 keep the error bound",
        },
        Param {
            name: "RTT_W",
            default: 20,
            min: 12,
            max: 24,
            power_of_two: false,
            doc: "whole bits of a round-trip time or delay in cycles, UQ RTT_W.4 (the average UQ RTT_W.12)",
        },
    ],
    attributes: ATTRIBUTES,
    variants: &[
        Variant { name: "mrc", params: &[("UET", 0)], defaults: &[] },
        Variant {
            name: "uet",
            params: &[("UET", 1)],
            defaults: &[
                ("header_bytes", AttributeKind::Integer { default: 88, min: 0, max: 255 }),
                ("trimming_enabled", AttributeKind::Bool { default: false }),
            ],
        },
    ],
    cfg: &[
        flag("cfg_pass_through", "PassThrough: every send is granted"),
        flag("cfg_disable_quick_adapt", "DisableQuickAdapt"),
        flag("cfg_delay_trigger", "TrimmingEnabled false: a delay triggers Quick Adapt"),
        flag(
            "cfg_window_fixed",
            "OverrideSpecMaxCongestionWindow: max_window stays cfg_first_window for life",
        ),
        payload("cfg_quick_adapt_gate", Width::Bits(5), Quantity::Count, "QuickAdaptGate, 0 to 31"),
        rtt("cfg_quick_adapt_threshold", "QuickAdaptThreshold, UQ RTT_W.4 cycles"),
        payload(
            "cfg_packet",
            Width::Bits(PACKET_W),
            Quantity::Bytes,
            "P, the nominal packet: MSS + HeaderBytes; floor of the window",
        ),
        rtt(
            "cfg_base_rtt",
            "ConfigBaseRTT, UQ RTT_W.4 cycles; the period of the additive term is this rounded up to whole cycles",
        ),
        rtt("cfg_target", "target queue delay, UQ RTT_W.4 cycles, at least one LSB"),
        rtt("cfg_margin", "TargetQueueDelayMargin, UQ RTT_W.4 cycles"),
        window(
            "cfg_first_window",
            "max window of a fresh destination: cfg_window_rate x cfg_base_rtt, or MaxCongestionWindow x P",
        ),
        payload(
            "cfg_window_rate",
            Width::Bits(WINDOW_RATE_W),
            Quantity::Fixed(WINDOW_RATE_FRAC, "bytes/cycle"),
            "max window a cycle of base RTT, UQ12.24 bytes/cycle: 1.5 x DataRate / 8",
        ),
        payload(
            "cfg_alpha",
            Width::Bits(ALPHA_W),
            Quantity::Fixed(ALPHA_FRAC, "bytes/cycle"),
            "gain of proportional increase, UQ16.24 bytes a cycle below the target",
        ),
        payload(
            "cfg_fair",
            Width::Bits(GAIN_W),
            Quantity::Fixed(GAIN_FRAC, "bytes"),
            "fi, gain of fair increase, UQ32.8 bytes",
        ),
        window("cfg_eta", "additive term, UQ24.CWND_FRAC bytes"),
        payload(
            "cfg_fast",
            Width::Bits(FAST_W),
            Quantity::Fixed(FAST_FRAC, ""),
            "factor of fast increase, UQ12.20",
        ),
        share("cfg_delay_alpha", "DelayAlpha, UQ1.24, 0 to 1.0"),
        share("cfg_gamma", "Gamma, UQ1.24, 0 to 1.0 (UET = 1 only)"),
        share(
            "cfg_smallest_keep",
            "MaxMultiplicativeDecreaseJump: a cut keeps at least this share of the window, UQ1.24 (UET = 1 only)",
        ),
    ],
    channels: &[EVT, PEEK, WIN, PEEKED],
    controls: &[],
    levels: &[
        flag(
            "init_done",
            "the init sweep is over; events are legal from the cycle after the one that first shows it",
        ),
        stat(
            "stat_events",
            "win beats since reset, refused events included; saturating; the beat of this cycle included",
        ),
        stat(
            "stat_range",
            "answers with error range (win and peeked) since reset; saturating; the beats of this cycle included",
        ),
        stat(
            "stat_closed",
            "answers with error closed since reset; saturating; the beat of this cycle included",
        ),
        stat(
            "stat_underflow",
            "answers with error underflow since reset; saturating; the beat of this cycle included",
        ),
        stat(
            "stat_quick_adapts",
            "win beats with qa_fired since reset; saturating; the beat of this cycle included",
        ),
        stat(
            "stat_fast_increases",
            "win beats with routine fast since reset; saturating; the beat of this cycle included",
        ),
    ],
    timing: &[
        Timing {
            name: "evt_interval",
            cycles: 4,
            doc: "initiation interval of evt: evt_ready is low for one cycle less after an event that does not divide",
        },
        Timing {
            name: "apply_interval",
            cycles: 26,
            doc: "the same after an event that divides: a sack with a sample, on which Quick Adapt does not fire, and for which step 5 is due, by time or by bytes, whatever is pending (0 too), or (UET = 1) in which a cut is made, or both",
        },
        Timing {
            name: "win_latency",
            cycles: 5,
            doc: "from an event that does not divide to its win",
        },
        Timing { name: "apply_latency", cycles: 27, doc: "from an event that divides to its win" },
        Timing {
            name: "peek_latency",
            cycles: 9,
            doc: "from peek to its peeked, unless peek_apply_latency is later",
        },
        Timing {
            name: "peek_apply_latency",
            cycles: 27,
            doc: "from an event that divides to the peeked of a peek taken in its cycle or in the apply_interval - 1 cycles after it, where that is later than peek_latency after the peek",
        },
        Timing {
            name: "pipeline",
            cycles: 64,
            doc: "cycles that a sweep may take beyond evt_interval for each destination, until it has turned a time that has passed into a bit",
        },
    ],
    order: &[
        "evt: takes effect whole in the cycle in which it is taken, in order; now is that cycle's",
        "peek: sees the state after all events taken up to and including its own cycle",
        "sweep: visits every destination within evt_interval x DESTS + pipeline cycles and turns times that have passed into bits (eta_due, qa_over, cut_held); nothing shows when it passed",
    ],
    coverage: COVERAGE,
    bounds: &[Bound {
        name: "cwnd",
        limit: 16.0,
        unit: "bytes",
        doc: "cwnd against the f64 reference over a million random events at CWND_FRAC 8, no sack of more bytes than a fresh max window. The error is of quotients and eta in steps of 2^-CWND_FRAC bytes, which a division of a large pending increase by a small window amplifies; with CWND_FRAC 4 it is some ten times as large",
    }],
    builds: &[
        BuildSet { name: "default", params: &[], doc: "the shipped size, MRC" },
        BuildSet { name: "uet", params: &[("UET", 1)], doc: "the shipped size, UET" },
        BuildSet {
            name: "short",
            params: &[("DESTS", 2), ("DST_W", 2), ("TIME_W", 10)],
            doc: "MRC, two destinations and a time that wraps every 1024 cycles: hazards and wraps in short runs",
        },
        BuildSet {
            name: "short_uet",
            params: &[("UET", 1), ("DESTS", 2), ("DST_W", 2), ("TIME_W", 10)],
            doc: "the same, UET",
        },
    ],
};

const fn switch(
    name: &'static str,
    source_name: &'static str,
    default: bool,
    doc: &'static str,
) -> Attribute {
    Attribute { name, source_name, unit: "", kind: AttributeKind::Bool { default }, doc }
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

const fn real(
    name: &'static str,
    source_name: &'static str,
    unit: &'static str,
    (default, min, max): (f64, f64, f64),
    doc: &'static str,
) -> Attribute {
    Attribute { name, source_name, unit, kind: AttributeKind::Real { default, min, max }, doc }
}

const ATTRIBUTES: &[Attribute] = &[
    real(
        "clock_mhz",
        "ClockMHz",
        "MHz",
        (500.0, 100.0, 2000.0),
        "turns nanoseconds into cycles, to 1/16 of a cycle",
    ),
    real(
        "data_rate",
        "DataRate",
        "Gbps",
        (400.0, 1.0, 1600.0),
        "link rate: the lower of NIC and switch port",
    ),
    whole("mss", "MSS", "bytes", (4096, 64, 16384), "payload of a full packet; unit of the gains"),
    whole(
        "header_bytes",
        "HeaderBytes",
        "bytes",
        (60, 0, 255),
        "nominal packet P = MSS + this (UET = 1: 88)",
    ),
    real(
        "config_base_rtt",
        "ConfigBaseRTT",
        "ns",
        (6000.0, 10.0, 1e9),
        "first base RTT; sets BDP, target, gains and the period of the additive term",
    ),
    real(
        "alpha_multiplier",
        "AlphaMultiplier",
        "",
        (4.0, 0.0, 1024.0),
        "scales proportional increase: alpha = this x MSS x a / ReferenceNetworkRTT",
    ),
    real(
        "fair_increase_multiplier",
        "FairIncreaseMultiplier",
        "",
        (5.0, 0.0, 1024.0),
        "scales fair increase: fi = this x MSS x a",
    ),
    real(
        "fast_increase_multiplier",
        "FastIncreaseMultiplier",
        "",
        (1.0, 0.0, 1024.0),
        "scales fast increase: fast = this x FastIncreaseBase x a",
    ),
    real(
        "fast_increase_base",
        "FastIncreaseBase",
        "",
        (1.0, 0.0, 16.0),
        "constant inside fast increase (UET 1.0: 0.25)",
    ),
    real(
        "eta_multiplier",
        "EtaMultiplier",
        "",
        (0.15, 0.0, 1024.0),
        "scales the additive term: eta = this x MSS x a; 0: none",
    ),
    real("delay_alpha", "DelayAlpha", "", (0.25, 0.0, 1.0), "weight of the newest delay sample"),
    whole(
        "quick_adapt_gate",
        "QuickAdaptGate",
        "",
        (3, 0, 31),
        "Quick Adapt fires below max window / 2^this bytes received in an observation window",
    ),
    switch("disable_quick_adapt", "DisableQuickAdapt", false, "true: Quick Adapt never runs"),
    real(
        "quick_adapt_threshold",
        "QuickAdaptThreshold",
        "ns",
        (24_000.0, 0.0, 1e9),
        "TrimmingEnabled false: a delay above this triggers Quick Adapt (UET = 1: the average's, else the sample's)",
    ),
    switch(
        "override_spec_max_congestion_window",
        "OverrideSpecMaxCongestionWindow",
        false,
        "true: the max window is MaxCongestionWindow packets for life",
    ),
    whole(
        "max_congestion_window",
        "MaxCongestionWindow",
        "packets",
        (107, 1, 65_535),
        "the max window in nominal packets, under the override",
    ),
    switch(
        "override_spec_target_queue_delay",
        "OverrideSpecTargetQueueDelay",
        false,
        "true: the target is TargetQueueDelay",
    ),
    real(
        "target_queue_delay",
        "TargetQueueDelay",
        "ns",
        (4500.0, 1.0, 1e9),
        "the target, under the override",
    ),
    real(
        "target_queue_delay_margin",
        "TargetQueueDelayMargin",
        "ns",
        (1000.0, 0.0, 1e9),
        "samples below this and below the target count towards fast increase",
    ),
    real(
        "reference_network_rtt",
        "ReferenceNetworkRTT",
        "ns",
        (6000.0, 1.0, 1e9),
        "with 400 Gbps: a = DataRate x ConfigBaseRTT / (400 Gbps x this) normalises the gains",
    ),
    switch(
        "trimming_enabled",
        "TrimmingEnabled",
        true,
        "true: target 0.75 x ConfigBaseRTT and no delay trigger; false: target ConfigBaseRTT and QuickAdaptThreshold (UET = 1: false)",
    ),
    switch("pass_through", "PassThrough", false, "true: the window holds no packet back"),
    real(
        "gamma",
        "Gamma",
        "",
        (0.8, 0.0, 1.0),
        "a cut keeps 1 - this x (average - target) / average of the window (UET = 1 only)",
    ),
    real(
        "max_multiplicative_decrease_jump",
        "MaxMultiplicativeDecreaseJump",
        "",
        (0.5, 0.02, 1.0),
        "a cut keeps at least this share of the window (UET = 1 only)",
    ),
];

const COVERAGE: &[CoverRow] = &[
    row("cwnd_at_floor", "cwnd at floor: an event leaves it at P"),
    row("cwnd_at_ceiling", "cwnd at ceiling: bounds of a sack hold it at the max window"),
    row(
        "base_rtt_below_cwnd",
        "base RTT falling below cwnd's worth: the sample that lowers it lowers cwnd",
    ),
    row("rtt_zero", "a sample of RTT 0"),
    row("max_window_below_packet", "max window below P: bounds of a sack under it"),
    row("in_flight_underflow", "in_flight underflow"),
    row("pending_saturated", "pending saturated"),
    row("fast_engaged", "fast increase engaged"),
    row("fast_ended_by_margin", "fast increase ended by a sample at or above the margin"),
    row("fast_survives_fair", "fast increase on through a fair increase"),
    row("apply_by_time", "apply by time alone"),
    row("apply_by_bytes", "apply by bytes alone"),
    row("apply_by_both", "apply by time and bytes"),
    row("quick_adapt_by_sack", "Quick Adapt fired by a sack, on a trim's trigger"),
    row("quick_adapt_by_nack", "Quick Adapt fired by a trim NACK"),
    row("quick_adapt_by_delay", "Quick Adapt fired by delay alone"),
    row("quick_adapt_no_trigger", "not fired for want of a trigger, few enough bytes"),
    row(
        "quick_adapt_enough_bytes",
        "not fired for enough bytes (more than at equality), with a trigger",
    ),
    row("quick_adapt_equality", "not fired at equality: qa_bytes x 2^gate is the max window"),
    row("quick_adapt_raises", "Quick Adapt raising a window"),
    row("trim_ignored", "a trim ignored that leaves bytes to ignore"),
    row("trim_ignored_last", "the last ignored trim: nothing is left to ignore after it"),
    row("threshold_zero", "QuickAdaptThreshold 0: Quick Adapt fired by delay under it"),
    row("gate_zero", "gate 0: Quick Adapt fired under it"),
    row("gate_thirty_one", "gate 31: an observation window that ended under it with a trigger"),
    row("margin_above_target", "margin > target: a sack with a sample between them"),
    row("eta_zero", "EtaMultiplier 0: an apply by time under it"),
    row("pass_through", "PassThrough: a grant that the window would have refused"),
    row(
        "max_window_override",
        "override of the max window: a sample that lowers the base RTT under it",
    ),
    row("target_override", "override of the target: a routine run under it"),
    row("quick_adapt_disabled", "DisableQuickAdapt: a trim NACK and then a sack under it"),
    row("probe_then_sample", "a probe lowers the base RTT, and the next sample the max window"),
    row("nack_not_trimmed", "a NACK that was not trimmed"),
    row("loss_while_ignoring", "a loss while trims are ignored"),
    row("back_to_back_same", "events evt_interval apart on one destination"),
    row(
        "back_to_back_alternating",
        "events evt_interval apart on alternating destinations, three in a row",
    ),
    row("every_destination_open", "every destination open"),
    row("closed_context", "an event on a closed destination"),
    row("opened_twice", "open on an open destination"),
    row("dst_out_of_range", "dst >= DESTS where the field can hold it"),
    row("wrap_with_qa_end", "time wrap with qa_end ahead"),
    row("wrap_with_last_eta", "time wrap with last_eta less than ConfigBaseRTT ago"),
    row("wrap_with_last_cut", "uet: time wrap with last_cut less than a base RTT ago"),
    row("ecn_below_target", "uet: ecn below the target: nothing"),
    row("ecn_at_target", "uet: ecn at or above the target: a cut"),
    row("ecn_average_low", "uet: ecn at or above the target, the average not above it: no cut"),
    row("no_ecn_below_target", "uet: no ecn, below the target: proportional or fast increase"),
    row("no_ecn_at_target", "uet: no ecn, at or above the target: fair increase"),
    row("decrease_at_limit", "uet: a decrease at its limit"),
    row("second_cut_held", "uet: a second cut within a base RTT held back"),
    row("second_cut_made", "uet: a second cut a base RTT later"),
    row("cut_and_apply", "uet: a cut and an apply in one event"),
    row("penalty_one", "uet: penalty 1"),
    row("penalty_127", "uet: penalty 127"),
    row("restored", "uet: restore with a saved window"),
    row("saved_dropped", "uet: a saved window dropped without restore"),
];
