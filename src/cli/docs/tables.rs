//! The tables of a block's page, as Markdown.

use congruent_hw::attributes::accepted;
use congruent_ports::{
    Attribute, AttributeKind, Block, Channel, Dir, Field, FieldRole, Quantity, Ready, Width,
};

/// A table, or several that belong together.
pub struct Table {
    /// Name in the marks.
    pub name: &'static str,
    /// Title where the page has no place for it yet.
    pub title: &'static str,
    /// Lines of Markdown, with a final newline.
    pub body: String,
}

/// All tables of a block, in the order of a page. What a block has nothing of has no table.
pub fn of(block: &Block) -> Vec<Table> {
    let table = |name, title, body| Table { name, title, body };
    let all = [
        table("parameters", "Parameters", parameters(block)),
        table("builds", "Parameter sets that are built in", builds(block)),
        table("attributes", "Attributes", attributes(block)),
        table("channels", "Channels", channels(block)),
        table("controls", "Controls", controls(block)),
        table("levels", "Levels", fields("", block.levels)),
        table("cfg", "Configuration pins", fields("", block.cfg)),
        table("timing", "Timing", timing(block)),
        table("order", "Order of effects within a cycle", order(block)),
        table("bounds", "Error bounds", bounds(block)),
        table("coverage", "Must be covered", coverage(block)),
    ];
    all.into_iter().filter(|table| !table.body.is_empty()).collect()
}

/// A Markdown table; nothing without a row.
fn rows(header: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let line = |cells: Vec<String>| {
        let cells: Vec<_> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let body: String = rows.into_iter().map(line).collect();
    if body.is_empty() {
        return body;
    }
    let head = line(header.iter().map(ToString::to_string).collect());
    head + &format!("|{}\n", " --- |".repeat(header.len())) + &body
}

fn code(name: &str) -> String {
    format!("`{name}`")
}

fn parameters(block: &Block) -> String {
    let row = |p: &congruent_ports::Param| {
        let two = if p.power_of_two { "a power of two, " } else { "" };
        let accepted = format!("{two}{} to {}", p.min, p.max);
        vec![code(p.name), p.default.to_string(), accepted, p.doc.to_string()]
    };
    rows(&["parameter", "default", "accepted", "meaning"], block.params.iter().map(row))
}

fn builds(block: &Block) -> String {
    let row = |set: &congruent_ports::BuildSet| {
        let changes: Vec<_> = set.params.iter().map(|(n, v)| format!("{n} = {v}")).collect();
        let changes = if changes.is_empty() { "the defaults".into() } else { changes.join(", ") };
        vec![code(set.name), changes, set.doc.to_string()]
    };
    rows(&["built in", "parameters", "what for"], block.builds.iter().map(row))
}

fn attributes(block: &Block) -> String {
    let row = |a: &Attribute| {
        let mut default = default(&a.kind, a.unit);
        for variant in block.variants {
            for (_, kind) in variant.defaults.iter().filter(|(name, _)| *name == a.name) {
                let other = self::default(kind, a.unit);
                let (param, value) = variant.chooser();
                default += &format!("; {other} with {param} = {value}");
            }
        }
        let names = format!("{} ({})", code(a.source_name), code(a.name));
        vec![names, default, accepted(a), a.doc.to_string()]
    };
    let header = ["attribute (`--set`)", "default", "accepted", "meaning"];
    rows(&header, block.attributes.iter().map(row))
}

fn default(kind: &AttributeKind, unit: &str) -> String {
    let value = match kind {
        AttributeKind::Bool { default } => default.to_string(),
        AttributeKind::Integer { default, .. } => default.to_string(),
        AttributeKind::Real { default, .. } => default.to_string(),
        AttributeKind::Enum { default, .. } => default.to_string(),
    };
    if unit.is_empty() { value } else { format!("{value} {unit}") }
}

fn channels(block: &Block) -> String {
    block.channels.iter().map(channel).collect()
}

/// A channel: a line, then its fields.
fn channel(channel: &Channel) -> String {
    let dir = match channel.dir {
        Dir::In => "in",
        Dir::Out => "out",
    };
    let ready = match channel.ready {
        Ready::Never => String::new(),
        Ready::Whole => ", with ready".into(),
        Ready::Each(param) => {
            let first = channel.fields.first().map_or("value", |field| field.name);
            format!(", with a ready bit for each `{first}` ({param} of them)")
        }
    };
    let answers = channel.answers.map_or(String::new(), |input| format!(", answers `{input}`"));
    let table = fields(&format!("{}_", channel.name), channel.fields);
    format!("\n**`{}`** ({dir}{ready}{answers}): {}.\n\n{table}", channel.name, channel.doc)
}

fn fields<'a>(prefix: &str, list: impl IntoIterator<Item = &'a Field>) -> String {
    let row = |field: &Field| {
        let name = code(&format!("{prefix}{}", field.name));
        let role = match field.role {
            FieldRole::Context => " (context)",
            FieldRole::Key => " (key)",
            FieldRole::Error => " (error)",
            FieldRole::SweepTimed => " (timed by the sweep)",
            FieldRole::Payload => "",
        };
        let format = format!("{}{role}", format(field));
        vec![name, bits(field.width), format, field.doc.to_string()]
    };
    rows(&["port", "bits", "format", "meaning"], list.into_iter().map(row))
}

fn controls(block: &Block) -> String {
    let row = |control: &congruent_ports::Control| {
        let field = &control.field;
        let idle = control.idle.to_string();
        vec![code(field.name), bits(field.width), idle, field.doc.to_string()]
    };
    rows(&["port", "bits", "idle", "meaning"], block.controls.iter().map(row))
}

/// As a function of the parameters.
fn bits(width: Width) -> String {
    match width {
        Width::Bits(bits) => bits.to_string(),
        Width::Param(param) => param.to_string(),
        Width::ParamPlus(param, bits) => format!("{param} + {bits}"),
        Width::ParamSum(a, b) => format!("{a} + {b}"),
    }
}

/// The format of a field, with its integer bits where they do not hang on a parameter.
fn format(field: &Field) -> String {
    let fixed = |fraction: &dyn std::fmt::Display, integer: Option<u32>| match integer {
        Some(bits) => format!("UQ{bits}.{fraction}"),
        None => format!("{fraction} fraction bits"),
    };
    let above_bits = |fraction: u32| match field.width {
        Width::Bits(bits) => bits.checked_sub(fraction),
        _ => None,
    };
    let above_param = |fraction: &str| match field.width {
        Width::ParamPlus(param, bits) if param == fraction => Some(bits),
        _ => None,
    };
    match field.quantity {
        Quantity::Flag => "flag".into(),
        Quantity::Count => "count".into(),
        Quantity::Bytes => "bytes".into(),
        Quantity::Cycles(0) => "cycles".into(),
        Quantity::Cycles(bits) => format!("cycles, {}", fixed(&bits, above_bits(bits))),
        Quantity::CyclesParam(param) => format!("cycles, {}", fixed(&param, above_param(param))),
        Quantity::LineRate(param) => {
            format!("fraction of line rate, {}", fixed(&param, above_param(param)))
        }
        Quantity::Fraction(param) => format!("fraction, {}", fixed(&param, above_param(param))),
        Quantity::Enum(names) => {
            let named: Vec<_> =
                names.iter().enumerate().map(|(n, name)| format!("{n} {name}")).collect();
            named.join(", ")
        }
        Quantity::Fixed(0, unit) => unit.to_string(),
        Quantity::Fixed(bits, unit) => {
            format!("{}{}", prefix(unit), fixed(&bits, above_bits(bits)))
        }
        Quantity::FixedParam(param, unit) => {
            format!("{}{}", prefix(unit), fixed(&param, above_param(param)))
        }
    }
}

fn prefix(unit: &str) -> String {
    if unit.is_empty() { String::new() } else { format!("{unit}, ") }
}

fn timing(block: &Block) -> String {
    let row =
        |t: &congruent_ports::Timing| vec![code(t.name), t.cycles.to_string(), t.doc.to_string()];
    rows(&["timing", "cycles", "from what to what"], block.timing.iter().map(row))
}

fn order(block: &Block) -> String {
    block.order.iter().enumerate().map(|(n, step)| format!("{}. {step}\n", n + 1)).collect()
}

fn bounds(block: &Block) -> String {
    let row = |b: &congruent_ports::Bound| {
        let limit = format!("{} {}", number(b.limit), b.unit);
        vec![code(b.name), limit.trim_end().to_string(), b.doc.to_string()]
    };
    rows(
        &["error of", "at most", "over what, and where it comes from"],
        block.bounds.iter().map(row),
    )
}

/// A small power of two as one.
fn number(value: f64) -> String {
    let exponent = value.log2();
    if value < 1e-3 && exponent.fract() == 0.0 {
        format!("2^{exponent}")
    } else {
        value.to_string()
    }
}

fn coverage(block: &Block) -> String {
    let row = |r: &congruent_ports::CoverRow| vec![code(r.name), r.doc.to_string()];
    rows(&["row", "must be covered"], block.coverage.iter().map(row))
}
