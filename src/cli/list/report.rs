//! What `congruent list` says, as plain structs: the JSON form, and what the tables are made from.

use congruent_hw::attributes::accepted;
use congruent_ports::{
    Attribute, AttributeKind, Block, Channel, Dir, Field, FieldRole, Param, ParamSet, Quantity,
    Ready, Variant,
};
use serde::Serialize;
use std::collections::BTreeMap;

/// Version of the JSON form. It goes up when a member changes its meaning or goes away.
pub const FORMAT_VERSION: u32 = 1;

/// All blocks, a line each.
#[derive(Debug, Serialize)]
pub struct Blocks {
    format_version: u32,
    /// One entry a block.
    pub blocks: Vec<Summary>,
}

/// One block in a line.
#[derive(Debug, Serialize)]
pub struct Summary {
    /// Name.
    pub name: &'static str,
    /// What it is.
    pub title: &'static str,
    /// Parameter sets that are built into the command.
    pub builds: Vec<&'static str>,
}

impl Blocks {
    /// From the tables.
    pub fn new(blocks: &[&'static Block]) -> Self {
        let summary = |b: &&'static Block| Summary {
            name: b.name,
            title: b.title,
            builds: b.builds.iter().map(|set| set.name).collect(),
        };
        Self { format_version: FORMAT_VERSION, blocks: blocks.iter().map(summary).collect() }
    }
}

/// Everything about one block.
#[derive(Debug, Serialize)]
pub struct Full {
    format_version: u32,
    /// Name.
    pub name: &'static str,
    /// What it is.
    pub title: &'static str,
    /// Channels, inputs first as the table has them.
    pub channels: Vec<ChannelView>,
    /// Inputs without a valid bit.
    pub controls: Vec<ControlView>,
    /// Outputs that are always valid.
    pub levels: Vec<FieldView>,
    /// `cfg_*` pins.
    pub cfg: Vec<FieldView>,
    /// Elaboration parameters.
    pub parameters: Vec<ParamView>,
    /// Attributes in natural units.
    pub attributes: Vec<AttributeView>,
    /// Attribute defaults that are others under a parameter's value.
    pub variants: Vec<VariantView>,
    /// Documented cycle counts.
    pub timing: Vec<TimingView>,
    /// Order of effects within a cycle.
    pub order: &'static [&'static str],
    /// Error bounds of the fixed-point core against the f64 reference.
    pub bounds: Vec<BoundView>,
    /// Rows of "Must be covered".
    pub coverage: Vec<Named>,
    /// Parameter sets that are built in.
    pub builds: Vec<BuildView>,
    /// SystemVerilog files below `rtl/`, in compilation order.
    pub rtl: &'static [&'static str],
}

/// A channel.
#[derive(Debug, Serialize)]
pub struct ChannelView {
    /// Name, prefix of its ports.
    pub name: &'static str,
    /// `in` or `out`, as the hardware sees it.
    pub direction: &'static str,
    /// Whether a `ready` stands against its `valid`.
    pub ready: bool,
    /// Where there is a ready bit for each value of the first field: the parameter that says how
    /// many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ready_each: Option<&'static str>,
    /// The input channel that each of its beats answers, in order.
    pub answers: Option<&'static str>,
    /// What a beat means.
    pub doc: &'static str,
    /// Payload, in port order.
    pub fields: Vec<FieldView>,
}

/// A field, a level or a `cfg_*` pin.
#[derive(Debug, Serialize)]
pub struct FieldView {
    /// Name within its channel.
    pub name: &'static str,
    /// Name of the RTL's port.
    pub port: String,
    /// Width under the default parameters.
    pub bits: u32,
    /// What the bits mean.
    pub format: Format,
    /// `context`, `key`, `error`, `payload` or `sweep_timed`.
    pub role: &'static str,
    /// Meaning, rounding, range.
    pub doc: &'static str,
}

/// An input without a valid bit.
#[derive(Debug, Serialize)]
pub struct ControlView {
    /// The pin.
    #[serde(flatten)]
    pub field: FieldView,
    /// Its value while nothing is said.
    pub idle: u64,
}

/// What the bits of a field mean, under the default parameters.
#[derive(Debug, Serialize)]
pub struct Format {
    /// `flag`, `count`, `bytes`, `cycles`, `line_rate`, `fraction`, `enum` or `fixed`.
    pub kind: &'static str,
    /// Fraction bits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fraction_bits: Option<u32>,
    /// Unit of a `fixed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<&'static str>,
    /// Names of the values 0, 1, 2, …
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<&'static [&'static str]>,
}

/// An elaboration parameter.
#[derive(Debug, Serialize)]
pub struct ParamView {
    /// Name.
    pub name: &'static str,
    /// Value when nothing is said.
    pub default: i64,
    /// Smallest accepted value.
    pub min: i64,
    /// Largest accepted value.
    pub max: i64,
    /// Whether only powers of two are accepted.
    pub power_of_two: bool,
    /// What it is.
    pub doc: &'static str,
}

/// An attribute.
#[derive(Debug, Serialize)]
pub struct AttributeView {
    /// Name, as in `--set`.
    pub name: &'static str,
    /// Name in the source document.
    pub source_name: &'static str,
    /// Unit, empty for a plain number.
    pub unit: &'static str,
    /// Value when nothing is said.
    pub default: serde_json::Value,
    /// Smallest accepted value; none for a switch or a name.
    pub min: Option<f64>,
    /// Largest accepted value; none for a switch or a name.
    pub max: Option<f64>,
    /// Accepted names, of an attribute that is one of several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub names: Option<&'static [&'static str]>,
    /// The accepted values in words.
    pub accepted: String,
    /// What it does.
    pub doc: &'static str,
}

/// Attribute defaults under a parameter's value.
#[derive(Debug, Serialize)]
pub struct VariantView {
    /// Name, as its source calls it.
    pub name: &'static str,
    /// The parameter that chooses it, its value that does; others that it wants set.
    pub parameters: BTreeMap<&'static str, i64>,
    /// Attribute and default.
    pub defaults: serde_json::Map<String, serde_json::Value>,
}

/// An error bound.
#[derive(Debug, Serialize)]
pub struct BoundView {
    /// Of what.
    pub name: &'static str,
    /// Largest absolute error.
    pub limit: f64,
    /// Unit of the limit.
    pub unit: &'static str,
    /// Over which events, and where it comes from.
    pub doc: &'static str,
}

/// A documented cycle count.
#[derive(Debug, Serialize)]
pub struct TimingView {
    /// Name.
    pub name: &'static str,
    /// Cycles.
    pub cycles: u64,
    /// From what to what.
    pub doc: &'static str,
}

/// A name with its explanation.
#[derive(Debug, Serialize)]
pub struct Named {
    /// Name.
    pub name: &'static str,
    /// Explanation.
    pub doc: &'static str,
}

/// A parameter set that is built in.
#[derive(Debug, Serialize)]
pub struct BuildView {
    /// Name.
    pub name: &'static str,
    /// Parameters that differ from their default.
    pub parameters: serde_json::Map<String, serde_json::Value>,
    /// Why it exists.
    pub doc: &'static str,
}

impl Full {
    /// From the table.
    pub fn new(block: &'static Block) -> Self {
        let params = ParamSet::defaults(block);
        let bare = |fields: &'static [Field]| {
            fields.iter().map(|f| FieldView::new(f, None, &params)).collect::<Vec<_>>()
        };
        let build = |set: &'static congruent_ports::BuildSet| BuildView {
            name: set.name,
            parameters: set.params.iter().map(|(n, v)| (n.to_string(), (*v).into())).collect(),
            doc: set.doc,
        };
        Self {
            format_version: FORMAT_VERSION,
            name: block.name,
            title: block.title,
            channels: block.channels.iter().map(|c| ChannelView::new(c, &params)).collect(),
            controls: block
                .controls
                .iter()
                .map(|c| ControlView {
                    field: FieldView::new(&c.field, None, &params),
                    idle: c.idle,
                })
                .collect(),
            levels: bare(block.levels),
            cfg: bare(block.cfg),
            parameters: block.params.iter().map(ParamView::new).collect(),
            attributes: block.attributes.iter().map(AttributeView::new).collect(),
            variants: block.variants.iter().map(VariantView::new).collect(),
            timing: block
                .timing
                .iter()
                .map(|t| TimingView { name: t.name, cycles: t.cycles, doc: t.doc })
                .collect(),
            order: block.order,
            bounds: block
                .bounds
                .iter()
                .map(|b| BoundView { name: b.name, limit: b.limit, unit: b.unit, doc: b.doc })
                .collect(),
            coverage: block.coverage.iter().map(|r| Named { name: r.name, doc: r.doc }).collect(),
            builds: block.builds.iter().map(build).collect(),
            rtl: block.rtl,
        }
    }
}

impl ChannelView {
    fn new(channel: &'static Channel, params: &ParamSet) -> Self {
        let field = |f| FieldView::new(f, Some(channel.name), params);
        Self {
            name: channel.name,
            direction: match channel.dir {
                Dir::In => "in",
                Dir::Out => "out",
            },
            ready: channel.ready != Ready::Never,
            ready_each: match channel.ready {
                Ready::Each(param) => Some(param),
                Ready::Never | Ready::Whole => None,
            },
            answers: channel.answers,
            doc: channel.doc,
            fields: channel.fields.iter().map(field).collect(),
        }
    }
}

impl FieldView {
    fn new(field: &'static Field, channel: Option<&str>, params: &ParamSet) -> Self {
        Self {
            name: field.name,
            port: match channel {
                Some(channel) => format!("{channel}_{}", field.name),
                None => field.name.to_string(),
            },
            bits: field.width.bits(params),
            format: Format::new(field.quantity, params),
            role: match field.role {
                FieldRole::Context => "context",
                FieldRole::Key => "key",
                FieldRole::Error => "error",
                FieldRole::Payload => "payload",
                FieldRole::SweepTimed => "sweep_timed",
            },
            doc: field.doc,
        }
    }
}

impl Format {
    fn new(quantity: Quantity, params: &ParamSet) -> Self {
        let plain = |kind| Self { kind, fraction_bits: None, unit: None, values: None };
        let binary = |kind, bits| Self { fraction_bits: Some(bits), ..plain(kind) };
        match quantity {
            Quantity::Flag => plain("flag"),
            Quantity::Count => plain("count"),
            Quantity::Bytes => plain("bytes"),
            Quantity::Cycles(bits) => binary("cycles", bits),
            Quantity::CyclesParam(param) => binary("cycles", params.get(param) as u32),
            Quantity::LineRate(param) => binary("line_rate", params.get(param) as u32),
            Quantity::Fraction(param) => binary("fraction", params.get(param) as u32),
            Quantity::Enum(values) => Self { values: Some(values), ..plain("enum") },
            Quantity::Fixed(bits, unit) => Self { unit: Some(unit), ..binary("fixed", bits) },
            Quantity::FixedParam(param, unit) => {
                Self { unit: Some(unit), ..binary("fixed", params.get(param) as u32) }
            }
        }
    }

    /// For people: `UQ1.24 of line rate`.
    pub fn text(&self, width: u32) -> String {
        let bits = self.fraction_bits.unwrap_or(0);
        let uq = || format!("UQ{}.{bits}", width.saturating_sub(bits));
        match (self.kind, self.values) {
            (_, Some(values)) => {
                let named = values.iter().enumerate().map(|(n, name)| format!("{n} {name}"));
                named.collect::<Vec<_>>().join(", ")
            }
            ("line_rate", _) => format!("{} of line rate", uq()),
            ("fraction", _) => format!("{} fraction", uq()),
            ("fixed", _) => format!("{} {}", uq(), self.unit.unwrap_or_default()),
            ("cycles", _) if bits > 0 => format!("{} cycles", uq()),
            (kind, _) => kind.to_string(),
        }
    }
}

impl ParamView {
    fn new(param: &'static Param) -> Self {
        Self {
            name: param.name,
            default: param.default,
            min: param.min,
            max: param.max,
            power_of_two: param.power_of_two,
            doc: param.doc,
        }
    }
}

impl AttributeView {
    fn new(attribute: &'static Attribute) -> Self {
        let range = match attribute.kind {
            AttributeKind::Bool { .. } | AttributeKind::Enum { .. } => None,
            AttributeKind::Integer { min, max, .. } => Some((min as f64, max as f64)),
            AttributeKind::Real { min, max, .. } => Some((min, max)),
        };
        Self {
            name: attribute.name,
            source_name: attribute.source_name,
            unit: attribute.unit,
            default: default_of(attribute.kind),
            min: range.map(|r| r.0),
            max: range.map(|r| r.1),
            names: match attribute.kind {
                AttributeKind::Enum { names, .. } => Some(names),
                _ => None,
            },
            accepted: accepted(attribute),
            doc: attribute.doc,
        }
    }
}

impl VariantView {
    fn new(variant: &'static Variant) -> Self {
        let defaults = variant.defaults.iter();
        Self {
            name: variant.name,
            parameters: variant.params.iter().copied().collect(),
            defaults: defaults.map(|(name, kind)| (name.to_string(), default_of(*kind))).collect(),
        }
    }
}

fn default_of(kind: AttributeKind) -> serde_json::Value {
    match kind {
        AttributeKind::Bool { default } => default.into(),
        AttributeKind::Integer { default, .. } => default.into(),
        AttributeKind::Real { default, .. } => default.into(),
        AttributeKind::Enum { default, .. } => default.into(),
    }
}
