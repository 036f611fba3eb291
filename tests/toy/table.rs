// The table of `toy.sv`: what no registered block may need at the moment, but a table can say. Shared
// by the unit tests of the harness and `tests/toy.rs`.

use congruent_ports::{
    Attribute, AttributeKind, Block, BuildSet, Channel, Control, Dir, ERRORS, Field, FieldRole,
    Layout, Param, ParamSet, Quantity, Ready, Timing, Variant, Width,
};

const fn field(name: &'static str, width: Width, role: FieldRole) -> Field {
    Field { name, width, quantity: Quantity::Count, role, doc: "" }
}

const fn param(name: &'static str, default: i64, max: i64) -> Param {
    Param { name, default, min: 1, max, power_of_two: false, doc: "" }
}

const QUEUE: Width = Width::Bits(3);
const KEY: Field = field("key", Width::Param("KEY_W"), FieldRole::Key);
const BYTES: Field = field("bytes", Width::Bits(8), FieldRole::Payload);
const ERROR: Field =
    Field { quantity: Quantity::Enum(ERRORS), ..field("error", Width::Bits(3), FieldRole::Error) };

const fn channel(
    name: &'static str,
    dir: Dir,
    ready: Ready,
    fields: &'static [Field],
    answers: Option<&'static str>,
) -> Channel {
    Channel { name, dir, ready, fields, answers, doc: "" }
}

pub const TOY: Block = Block {
    name: "toy",
    title: "a packet a queue, sent while `go` is high",
    rtl: &["toy.sv"],
    params: &[param("QUEUES", 3, 8), param("KEY_W", 6, 16)],
    variants: &[Variant {
        name: "single",
        params: &[("QUEUES", 1)],
        defaults: &[("order", AttributeKind::Enum { default: "highest", names: ORDERS })],
    }],
    attributes: &[Attribute {
        name: "order",
        source_name: "Order",
        unit: "",
        kind: AttributeKind::Enum { default: "lowest", names: ORDERS },
        doc: "which of several waiting queues goes first",
    }],
    cfg: &[field("cfg_order", Width::Bits(1), FieldRole::Payload)],
    channels: &[
        channel(
            "head",
            Dir::In,
            Ready::Each("QUEUES"),
            &[field("queue", QUEUE, FieldRole::Payload), KEY, BYTES],
            None,
        ),
        channel("peek", Dir::In, Ready::Never, &[field("queue", QUEUE, FieldRole::Context)], None),
        channel(
            "sent",
            Dir::Out,
            Ready::Never,
            &[field("queue", QUEUE, FieldRole::Payload), KEY, BYTES, ERROR],
            None,
        ),
        channel(
            "peeked",
            Dir::Out,
            Ready::Never,
            &[
                field("queue", QUEUE, FieldRole::Context),
                Field {
                    quantity: Quantity::Flag,
                    ..field("waiting", Width::Bits(1), FieldRole::Payload)
                },
                KEY,
                BYTES,
            ],
            Some("peek"),
        ),
    ],
    controls: &[Control { field: field("go", Width::Bits(1), FieldRole::Payload), idle: 1 }],
    levels: &[field("init_done", Width::Bits(1), FieldRole::Payload)],
    timing: &[Timing { name: "latency", cycles: 3, doc: "" }],
    order: &[],
    bounds: &[],
    coverage: &[],
    builds: &[BuildSet { name: "default", params: &[], doc: "" }],
};

/// Values of the attribute `order`.
pub const ORDERS: &[&str] = &["lowest", "highest"];

#[allow(dead_code)]
pub fn layout() -> Layout {
    Layout::new(&TOY, &ParamSet::defaults(&TOY))
}
