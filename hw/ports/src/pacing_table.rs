//! Table of `pacing_table`: an Omni-Path NIC's per-destination pacing table with LRU (seed 002).

use crate::make::{payload, row, stat};
use crate::{
    Attribute, AttributeKind, Block, Bound, BuildSet, Channel, Control, CoverRow, Dir, ERRORS,
    Field, FieldRole, Param, Quantity, Ready, Timing, Width,
};

/// Input channels as `err_channel` numbers them.
pub const ERR_CHANNELS: &[&str] = &["head"];

/// Names of `timer_mode`, in the order of `cfg_rearm`.
pub const TIMER_MODES: &[&str] = &["running", "rearm"];

/// Names of `increase_mode`, in the order of `cfg_skip`.
pub const INCREASE_MODES: &[&str] = &["saturate", "skip"];

/// Names of `delay_base`, in the order of `cfg_delay_base_mtu`.
pub const DELAY_BASES: &[&str] = &["packet", "mtu"];

/// Fraction bits of a byte time: cycles a byte at line rate in UQ5.28.
pub const BYTE_TIME_FRAC: u32 = 28;

/// Bits of `head_bytes`.
pub const BYTES_W: u32 = 15;

/// Integer bits of a packet's wire time: 32767 B at 16 cycles a byte stay below 2^19 cycles.
pub const PACKET_TIME_INT: u32 = 19;

/// Bits of a CCT row's shift.
pub const SHIFT_W: u32 = 2;

/// Bits of a CCT row's multiplier.
pub const MULTIPLIER_W: u32 = 14;

/// Fraction bits that a delay has beyond `TIME_FRAC`, so that its shift drops none.
pub const SHIFT_FRAC: u32 = 3;

/// Bits of `grant_wait`; it saturates.
pub const WAIT_W: u32 = 24;

/// Largest table whose figures have no `_large` twin.
pub const SMALL_ENTRIES: i64 = 64;

const CCTI_W: Width = Width::Param("CCTI_W");
const TIME: Quantity = Quantity::CyclesParam("TIME_FRAC");

const INDEX: Field = Field {
    name: "index",
    width: Width::Param("INDEX_W"),
    quantity: Quantity::Count,
    role: FieldRole::Context,
    doc: "entry, 0 to ENTRIES - 1",
};

const DLID: Field = Field {
    name: "dlid",
    width: Width::Param("DLID_W"),
    quantity: Quantity::Count,
    role: FieldRole::Key,
    doc: "destination",
};

const QUEUE: Field =
    payload("queue", Width::Param("QUEUE_W"), Quantity::Count, "transmit queue, 0 to QUEUES - 1");

const BECN: Channel = Channel {
    name: "becn",
    dir: Dir::In,
    ready: Ready::Whole,
    fields: &[DLID],
    answers: None,
    doc: "a packet with BECN came back from a destination. becn_ready is always high up to 64 entries; above, it is low for becn_interval - 1 cycles after each beat taken",
};

const HEAD: Channel = Channel {
    name: "head",
    dir: Dir::In,
    ready: Ready::Each("QUEUES"),
    fields: &[
        QUEUE,
        DLID,
        payload(
            "bytes",
            Width::Bits(BYTES_W),
            Quantity::Bytes,
            "size of the packet on the wire; 0 is refused on err with zero_length",
        ),
    ],
    answers: None,
    doc: "a transmit queue's next packet. Two may wait a queue: head_ready[queue] is low while both places are taken. A beat for queue >= QUEUES is taken always, and refused on err with range",
};

const CCT: Channel = Channel {
    name: "cct",
    dir: Dir::In,
    ready: Ready::Never,
    fields: &[
        payload("index", CCTI_W, Quantity::Count, "row, 0 to 2^CCTI_W - 1"),
        payload(
            "shift",
            Width::Bits(SHIFT_W),
            Quantity::Count,
            "the base time is shifted right by it",
        ),
        payload(
            "multiplier",
            Width::Bits(MULTIPLIER_W),
            Quantity::Count,
            "the shifted base time is multiplied by it",
        ),
    ],
    answers: None,
    doc: "writes a row of the congestion control table. After init row i holds shift 0, multiplier i",
};

const PEEK: Channel = Channel {
    name: "peek",
    dir: Dir::In,
    ready: Ready::Whole,
    fields: &[INDEX],
    answers: None,
    doc: "asks for the whole state of an entry; writes nothing, comes last in its cycle's order, takes no slot of the sweep",
};

const GRANT: Channel = Channel {
    name: "grant",
    dir: Dir::Out,
    ready: Ready::Never,
    fields: &[
        QUEUE,
        DLID,
        payload(
            "wait",
            Width::Bits(WAIT_W),
            Quantity::Cycles(0),
            "cycles in which the packet was its queue's head and not eligible, saturating at all ones",
        ),
    ],
    answers: None,
    doc: "the head of a queue goes",
};

const UPD: Channel = Channel {
    name: "upd",
    dir: Dir::Out,
    ready: Ready::Never,
    fields: &[
        INDEX,
        DLID,
        payload("ccti", CCTI_W, Quantity::Count, "index into the CCT after the BECN"),
    ],
    answers: None,
    doc: "a BECN that hit an entry, changed or not, or made one; a BECN that made none gives no beat",
};

const EVICT: Channel = Channel {
    name: "evict",
    dir: Dir::Out,
    ready: Ready::Never,
    fields: &[DLID, payload("ccti", CCTI_W, Quantity::Count, "its ccti, forgotten")],
    answers: None,
    doc: "the least recently used entry gave way to a new one, in the cycle of its upd; its destination is no longer paced",
};

const LOG: Channel = Channel {
    name: "log",
    dir: Dir::Out,
    ready: Ready::Never,
    fields: &[
        DLID,
        payload(
            "ccti",
            CCTI_W,
            Quantity::Count,
            "ccti after the BECN, at TriggerThreshold or above",
        ),
    ],
    answers: None,
    doc: "a BECN left ccti at TriggerThreshold or above, changed or not; in the cycle of its upd",
};

const DECAY: Channel = Channel {
    name: "decay",
    dir: Dir::Out,
    ready: Ready::Never,
    fields: &[
        INDEX,
        DLID,
        payload("ccti", CCTI_W, Quantity::Count, "ccti after the decay; 0: the entry is released"),
    ],
    answers: None,
    doc: "a decay that changed ccti",
};

const RELEASE: Channel = Channel {
    name: "release",
    dir: Dir::Out,
    ready: Ready::Never,
    fields: &[DLID],
    answers: None,
    doc: "an entry decayed to 0 and is free, in the cycle of its decay: full injection rate",
};

const PEEKED: Channel = Channel {
    name: "peeked",
    dir: Dir::Out,
    ready: Ready::Never,
    fields: &[
        INDEX,
        payload("tracked", Width::Bits(1), Quantity::Flag, "the entry tracks a destination"),
        Field { doc: "the destination; 0 unless tracked", ..DLID },
        payload("ccti", CCTI_W, Quantity::Count, "index into the CCT; 0 unless tracked"),
        Field {
            name: "deadline",
            width: Width::Param("TIME_W"),
            quantity: Quantity::Cycles(0),
            role: FieldRole::SweepTimed,
            doc: "time at which the period ends, modulo 2^TIME_W; 0 unless tracked, 0 without a timer",
        },
        Field {
            name: "held",
            width: Width::Bits(1),
            quantity: Quantity::Flag,
            role: FieldRole::SweepTimed,
            doc: "next_send still means something; the sweep clears it once now - next_send has reached PacingSlack",
        },
        Field {
            name: "next_send",
            width: Width::ParamSum("TIME_W", "TIME_FRAC"),
            quantity: TIME,
            role: FieldRole::SweepTimed,
            doc: "time from which the next packet may go, UQ TIME_W.TIME_FRAC, modulo 2^TIME_W; 0 unless held",
        },
        Field {
            name: "error",
            width: Width::Bits(3),
            quantity: Quantity::Enum(ERRORS),
            role: FieldRole::Error,
            doc: "0, or range: there is no such entry; then only the echoed index means anything",
        },
    ],
    answers: Some("peek"),
    doc: "the answer to each peek. The place in the LRU order is not among the fields: evict shows it",
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
        payload(
            "code",
            Width::Bits(3),
            Quantity::Enum(ERRORS),
            "why it was refused: range (queue >= QUEUES), tested first, or zero_length",
        ),
        DLID,
    ],
    answers: None,
    doc: "a head that is refused; it is not queued and changes nothing else",
};

/// The table of `pacing_table`.
pub const BLOCK: Block = Block {
    name: "pacing_table",
    title: "per-destination pacing table of an Omni-Path NIC: BECNs, decay, LRU replacement, head arbitration",
    rtl: &[
        "congruent_pkg.sv",
        "pt_pkg.sv",
        "prim/ram_1w1r.sv",
        "prim/ram_1w2r.sv",
        "prim/ram_bit_1w1r.sv",
        "prim/onehot_index.sv",
        "prim/lowest_index.sv",
        "prim/ready_interval.sv",
        "prim/sweep.sv",
        "prim/lru_matrix.sv",
        "prim/ram_2w.sv",
        "prim/lru_list.sv",
        "prim/cam_ram.sv",
        "pt_follow.sv",
        "pt_queue.sv",
        "pt_heads.sv",
        "pt_pace.sv",
        "pt_lookup.sv",
        "pt_table_flop.sv",
        "pt_table_ram.sv",
        "pt_peek.sv",
        "pacing_table.sv",
    ],
    params: &[
        Param {
            name: "ENTRIES",
            default: 64,
            min: 1,
            max: 1024,
            power_of_two: true,
            doc: "destinations tracked",
        },
        Param {
            name: "INDEX_W",
            default: 10,
            min: 1,
            max: 16,
            power_of_two: false,
            doc: "bits of an entry's index on the ports; at least log2(ENTRIES), more lets an index outside the table arrive",
        },
        Param {
            name: "DLID_W",
            default: 24,
            min: 8,
            max: 24,
            power_of_two: false,
            doc: "bits of a destination",
        },
        Param {
            name: "QUEUES",
            default: 8,
            min: 1,
            max: 16,
            power_of_two: false,
            doc: "transmit queues",
        },
        Param {
            name: "QUEUE_W",
            default: 4,
            min: 1,
            max: 8,
            power_of_two: false,
            doc: "bits of a queue on the ports; QUEUES must fit, more lets a queue that there is not arrive",
        },
        Param {
            name: "TIME_W",
            default: 32,
            min: 10,
            max: 40,
            power_of_two: false,
            doc: "bits of the cycle counter and of stored times; a grant reaches at most 2^(TIME_W - 2) cycles ahead",
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
            name: "TIME_FRAC",
            default: 16,
            min: 8,
            max: 16,
            power_of_two: false,
            doc: "fraction bits of a cycle in packet times and next_send",
        },
        Param {
            name: "CCTI_W",
            default: 10,
            min: 1,
            max: 10,
            power_of_two: false,
            doc: "bits of ccti; the CCT has 2^CCTI_W rows",
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
            name: "ccti_increase",
            source_name: "CCTI_Increase",
            unit: "",
            kind: AttributeKind::Integer { default: 1, min: 0, max: 255 },
            doc: "added to ccti by a BECN",
        },
        Attribute {
            name: "ccti_limit",
            source_name: "CCTI_Limit",
            unit: "",
            kind: AttributeKind::Integer { default: 127, min: 1, max: 1023 },
            doc: "ccti never passes it; below 2^CCTI_W",
        },
        Attribute {
            name: "ccti_min",
            source_name: "CCTI_Min",
            unit: "",
            kind: AttributeKind::Integer { default: 0, min: 0, max: 1023 },
            doc: "ccti never decays below it; at most CCTI_Limit. Above 0 an entry stays until it is evicted",
        },
        Attribute {
            name: "ccti_timer",
            source_name: "CCTI_Timer",
            unit: "x 1.024 us",
            kind: AttributeKind::Integer { default: 150, min: 0, max: 65_535 },
            doc: "every period each entry's ccti falls by 1: CCTI_Timer x 1.024 x ClockMHz cycles, rounded half up; 0: no decay. Refused where the sweep cannot serve it: below ENTRIES x sweep_interval + pipeline cycles",
        },
        Attribute {
            name: "timer_mode",
            source_name: "TimerMode",
            unit: "",
            kind: AttributeKind::Enum { default: "running", names: TIMER_MODES },
            doc: "running: the period runs from the entry's allocation (kernel driver); rearm: a BECN that changes ccti restarts it (user-space library)",
        },
        Attribute {
            name: "increase_mode",
            source_name: "IncreaseMode",
            unit: "",
            kind: AttributeKind::Enum { default: "saturate", names: INCREASE_MODES },
            doc: "saturate: an increase stops at CCTI_Limit (kernel driver); skip: one that would pass it is dropped, and makes no entry (user-space library)",
        },
        Attribute {
            name: "trigger_threshold",
            source_name: "TriggerThreshold",
            unit: "",
            kind: AttributeKind::Integer { default: 0, min: 0, max: 1023 },
            doc: "a BECN that leaves ccti at this or above raises log; 0: off; at most CCTI_Limit",
        },
        Attribute {
            name: "data_rate",
            source_name: "DataRate",
            unit: "Gbps",
            kind: AttributeKind::Real { default: 400.0, min: 1.0, max: 1600.0 },
            doc: "line rate: packet time = bytes x 8 / DataRate",
        },
        Attribute {
            name: "delay_base",
            source_name: "DelayBase",
            unit: "",
            kind: AttributeKind::Enum { default: "packet", names: DELAY_BASES },
            doc: "the time that the CCT multiplies: packet: the sent packet's own (user-space library); mtu: that of MaxPacketBytes (kernel driver)",
        },
        Attribute {
            name: "max_packet_bytes",
            source_name: "MaxPacketBytes",
            unit: "bytes",
            kind: AttributeKind::Integer { default: 4154, min: 64, max: 16_384 },
            doc: "for DelayBase mtu",
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
        payload(
            "cfg_first_ccti",
            CCTI_W,
            Quantity::Count,
            "ccti of a new entry: min(CCTI_Min + CCTI_Increase, CCTI_Limit); 0: a BECN that misses makes none (the sum is 0, or skip drops it)",
        ),
        payload("cfg_increase", Width::Bits(8), Quantity::Count, "CCTI_Increase"),
        payload("cfg_limit", CCTI_W, Quantity::Count, "CCTI_Limit"),
        payload("cfg_min", CCTI_W, Quantity::Count, "CCTI_Min"),
        payload("cfg_trigger_threshold", CCTI_W, Quantity::Count, "TriggerThreshold; 0: off"),
        payload("cfg_skip", Width::Bits(1), Quantity::Flag, "IncreaseMode is skip"),
        payload(
            "cfg_period",
            Width::Param("TIME_W"),
            Quantity::Cycles(0),
            "period of the decay; 0: no decay",
        ),
        payload("cfg_rearm", Width::Bits(1), Quantity::Flag, "TimerMode is rearm"),
        payload(
            "cfg_line_byte_time",
            Width::Bits(33),
            Quantity::Fixed(BYTE_TIME_FRAC, "cycles/byte"),
            "cycles a byte at line rate, UQ5.28: 8 x ClockMHz / (1000 x DataRate), at most 16.0",
        ),
        payload("cfg_delay_base_mtu", Width::Bits(1), Quantity::Flag, "DelayBase is mtu"),
        payload(
            "cfg_mtu_time",
            Width::ParamPlus("TIME_FRAC", PACKET_TIME_INT),
            TIME,
            "wire time of MaxPacketBytes, UQ19.TIME_FRAC cycles",
        ),
        payload("cfg_pacing_slack", Width::Bits(6), Quantity::Cycles(0), "PacingSlack"),
    ],
    channels: &[BECN, HEAD, CCT, PEEK, GRANT, UPD, EVICT, LOG, DECAY, RELEASE, PEEKED, ERR],
    controls: &[Control {
        field: payload(
            "grant_ready",
            Width::Bits(1),
            Quantity::Flag,
            "a packet may be granted in this cycle",
        ),
        idle: 1,
    }],
    levels: &[
        payload(
            "init_done",
            Width::Bits(1),
            Quantity::Flag,
            "the init sweep is over; events are legal from the cycle after the one that first shows it",
        ),
        payload(
            "stalled",
            Width::Param("QUEUES"),
            Quantity::Count,
            "bit q: queue q had a head that was not eligible, stalled_latency cycles ago",
        ),
        stat(
            "stat_becns",
            "BECNs taken since reset, those that made no entry included; saturating; counts a BECN upd_latency after it was taken",
        ),
        stat(
            "stat_evictions",
            "entries evicted since reset; saturating; the evict of this cycle included",
        ),
        stat(
            "stat_range",
            "answers with error range (err and peeked) since reset; saturating; the beats of this cycle included",
        ),
        stat(
            "stat_zero_length",
            "answers with error zero_length since reset; saturating; the beat of this cycle included",
        ),
    ],
    timing: &[
        Timing {
            name: "becn_interval",
            cycles: 1,
            doc: "initiation interval of becn: becn_ready is low for one cycle less after each beat taken",
        },
        Timing { name: "becn_interval_large", cycles: 4, doc: "becn_interval above 64 entries" },
        Timing { name: "grant_interval", cycles: 1, doc: "least cycles from a grant to the next" },
        Timing { name: "grant_interval_large", cycles: 2, doc: "grant_interval above 64 entries" },
        Timing {
            name: "grant_hold",
            cycles: 6,
            doc: "least cycles from a grant to an entry to the next one to the same entry, however short its delay; a new entry owes nothing",
        },
        Timing {
            name: "sweep_interval",
            cycles: 1,
            doc: "cycles a visit of the sweep: entry i is visited in the cycles (i + n x ENTRIES) x sweep_interval",
        },
        Timing { name: "sweep_interval_large", cycles: 2, doc: "sweep_interval above 64 entries" },
        Timing { name: "upd_latency", cycles: 3, doc: "from becn to its upd, evict and log" },
        Timing { name: "upd_latency_large", cycles: 7, doc: "upd_latency above 64 entries" },
        Timing {
            name: "decay_latency",
            cycles: 3,
            doc: "from the sweep's visit to its decay and release",
        },
        Timing { name: "decay_latency_large", cycles: 6, doc: "decay_latency above 64 entries" },
        Timing {
            name: "grant_latency",
            cycles: 3,
            doc: "from the cycle in which a grant is decided to its beat",
        },
        Timing { name: "grant_latency_large", cycles: 6, doc: "grant_latency above 64 entries" },
        Timing {
            name: "stalled_latency",
            cycles: 3,
            doc: "from a cycle in which a head is not eligible to its bit in stalled",
        },
        Timing {
            name: "stalled_latency_large",
            cycles: 6,
            doc: "stalled_latency above 64 entries",
        },
        Timing { name: "err_latency", cycles: 3, doc: "from head to its err" },
        Timing { name: "err_latency_large", cycles: 6, doc: "err_latency above 64 entries" },
        Timing { name: "peek_latency", cycles: 8, doc: "from peek to its peeked" },
        Timing { name: "peek_latency_large", cycles: 11, doc: "peek_latency above 64 entries" },
        Timing {
            name: "peek_interval",
            cycles: 16,
            doc: "initiation interval of peek: peek_ready is low for one cycle less after each beat taken",
        },
        Timing {
            name: "head_delay",
            cycles: 1,
            doc: "least cycles from a head that is taken to the first in which it is its queue's head and may be granted",
        },
        Timing {
            name: "head_release",
            cycles: 3,
            doc: "from a grant to the first cycle in which head_ready counts its place as free",
        },
        Timing { name: "head_release_large", cycles: 6, doc: "head_release above 64 entries" },
        Timing {
            name: "cct_delay",
            cycles: 1,
            doc: "from a write of the CCT to the first grant that it delays",
        },
        Timing {
            name: "pipeline",
            cycles: 64,
            doc: "added to ENTRIES x sweep_interval: the shortest legal period, and the most that a due decay is served late",
        },
    ],
    order: &[
        "grant: decided on the state at the start of the cycle (hit, ccti, next_send, held, grant_hold), only with grant_ready; its effects come last",
        "sweep visit of the next entry: clears held once now - next_send >= PacingSlack, unless the entry was granted less than grant_hold cycles ago; then, if the period is over, moves the deadline by one period and ccti one down, not below CCTI_Min; an entry that reaches 0 is released",
        "becn: a hit raises ccti and makes the entry the most recently used; a miss takes the free entry of the lowest index (one released in this cycle included), else evicts the least recently used. With rearm a change of ccti restarts a period that is still running; one that is over, its decay still waiting for the sweep, stays: the decay is not lost",
        "effects of the grant: next_send, and the entry becomes the most recently used; only if it still lives, that is, was neither evicted nor released in this cycle (an entry made anew for the same destination is another)",
        "head: becomes its queue's head in the later of the cycle head_delay after it was taken and the cycle after the grant of the one before it; grants are round robin: the search begins behind the queue granted last, at queue 0 after reset",
        "peek: sees the state after all of the above",
    ],
    bounds: &[
        Bound {
            name: "gap",
            limit: 1.25,
            unit: "cycles",
            doc: "from a grant's base to next_send, whatever the CCT row: the rounding of the packet time (TIME_FRAC 16) and of the byte time, times a multiplier of up to 16383; doubles with each bit that TIME_FRAC is less",
        },
        Bound {
            name: "gap_share",
            limit: 2e-5,
            unit: "of the gap",
            doc: "the same as a share of the gap, where packet time and base time are a cycle or more; doubles with each bit that TIME_FRAC is less than 16",
        },
    ],
    coverage: COVERAGE,
    builds: &[
        BuildSet { name: "default", params: &[], doc: "the shipped size" },
        BuildSet {
            name: "one",
            params: &[
                ("ENTRIES", 1),
                ("INDEX_W", 1),
                ("DLID_W", 8),
                ("QUEUES", 1),
                ("QUEUE_W", 1),
                ("TIME_W", 12),
                ("TIME_FRAC", 8),
                ("CCTI_W", 7),
            ],
            doc: "one entry, one queue, narrow words",
        },
        BuildSet {
            name: "four",
            params: &[("ENTRIES", 4), ("INDEX_W", 3), ("TIME_W", 12)],
            doc: "few entries and a time that wraps every 4096 cycles: hazards, evictions and wraps in short runs",
        },
        BuildSet {
            name: "large",
            params: &[("ENTRIES", 1024)],
            doc: "the largest table: memories instead of registers, and the figures above 64 entries",
        },
    ],
};

const COVERAGE: &[CoverRow] = &[
    row("becn_in_release_cycle", "BECN for an entry released in the same cycle"),
    row(
        "miss_in_release_cycle",
        "BECN miss with all valid and one released in the same cycle: the free one is used, nothing is evicted",
    ),
    row(
        "hit_beside_eviction",
        "hit and eviction of one entry by BECNs becn_interval apart, in either order",
    ),
    row("evict_at_head", "eviction of a DLID at a head"),
    row("release_at_head", "release of a DLID at a head"),
    row("two_heads_one_dlid", "two heads to one paced DLID: one grant holds both"),
    row("all_heads_equal", "all heads equal: every queue has a head to one tracked DLID"),
    row(
        "all_eligible_not_ready",
        "all heads eligible, grant_ready held low for two cycles or more",
    ),
    row("increase_above_limit", "CCTI_Increase > CCTI_Limit: a BECN that hits or makes an entry"),
    row("timer_running", "TimerMode running: a BECN raises ccti and the period runs on"),
    row("timer_rearm", "TimerMode rearm: a BECN restarts the period"),
    row(
        "rearm_with_decay",
        "TimerMode rearm: a BECN changes ccti in the cycle in which the sweep serves the entry's decay",
    ),
    row(
        "rearm_after_period",
        "TimerMode rearm: a BECN changes ccti between the end of a period and its decay; the decay is not lost",
    ),
    row("increase_saturate", "IncreaseMode saturate: an increase stops at the limit"),
    row("increase_skip", "IncreaseMode skip: an increase is dropped"),
    row("no_entry_made", "a BECN miss that makes no entry"),
    row("delay_packet", "DelayBase packet: a delay above 0"),
    row("delay_mtu", "DelayBase mtu: a delay above 0 for a packet that is not of MaxPacketBytes"),
    row("min_above_zero", "CCTI_Min > 0: a period ends with ccti at the minimum"),
    row("timer_zero", "CCTI_Timer 0: a BECN that hits or makes an entry under it"),
    row("timer_one", "CCTI_Timer 1: a decay under it"),
    row("trigger_reached", "TriggerThreshold reached"),
    row("entries_1", "ENTRIES 1: an eviction"),
    row("entries_4", "ENTRIES 4: an eviction"),
    row("entries_64", "ENTRIES 64: an eviction"),
    row("entries_1024", "ENTRIES 1024: an eviction"),
    row("dlid_zero", "a BECN for DLID 0, and a grant to it while it is tracked"),
    row("dlid_all_ones", "a BECN for the DLID of all ones, and a grant to it while it is tracked"),
    row("largest_delay", "largest delay: shift 0, multiplier 16383, base time of 16384 B"),
    row("gap_saturates", "a gap held at 2^(TIME_W - 2) cycles"),
    row("wrap_while_held", "time wrap while held"),
    row("wrap_while_due", "time wrap while a deadline is set"),
    row(
        "wrap_while_idle",
        "time wrap while idle for more than half a wrap: a grant to an entry after that",
    ),
    row("within_slack", "grant within PacingSlack: next_send continues from the last one"),
    row("beyond_slack", "grant beyond PacingSlack while held: next_send starts from now"),
    row("victim_by_packet", "use by packet decides a victim"),
    row("back_to_back_one_dlid", "BECNs for one DLID becn_interval apart"),
    row("back_to_back_misses", "misses on a full table becn_interval apart"),
    row("grant_lands_on_evicted", "a grant in the cycle in which its entry is evicted or released"),
    row("zero_length", "0 B head (zero_length)"),
    row("queue_out_of_range", "a head for queue >= QUEUES where the field can hold it"),
    row("index_out_of_range", "a peek of an entry outside the table where the field can hold it"),
];
