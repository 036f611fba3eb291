//! `congruent list`: blocks, channels, parameters, attributes, timing, from the tables.

mod report;

use super::{print, table};
use crate::error::{Error, Exit, Result};
use comfy_table::Table;
use congruent_ports::BLOCKS;
use report::{Blocks, FieldView, Full};
use std::fmt::Write as _;

/// Lists blocks, or everything about one of them.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  congruent list
  congruent list rate_limiter
  congruent list rate_limiter --json")]
pub struct Args {
    /// Block to describe; all blocks, a line each, without it
    block: Option<String>,
    /// For machines: JSON with a format_version
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand.
///
/// # Errors
/// A block that does not exist.
pub fn run(args: &Args) -> Result<Exit> {
    let text = match &args.block {
        None => {
            let blocks = Blocks::new(BLOCKS);
            if args.json { super::json(&blocks) } else { lines(&blocks) }
        }
        Some(name) => {
            let block = congruent_ports::block(name).ok_or_else(|| unknown(name))?;
            let full = Full::new(block);
            if args.json { super::json(&full) } else { pages(&full) }
        }
    };
    print(&text);
    Ok(Exit::Ok)
}

fn unknown(name: &str) -> Error {
    let known: Vec<_> = BLOCKS.iter().map(|b| b.name).collect();
    Error::input(
        format!("there is no block `{name}`"),
        format!("blocks are {}; `congruent list` says what each is", known.join(", ")),
    )
}

fn lines(blocks: &Blocks) -> String {
    let mut table = table(&["block", "what it is", "built in"]);
    for block in &blocks.blocks {
        table.add_row([block.name, block.title, &block.builds.join(", ")]);
    }
    format!("{table}\n\n`congruent list BLOCK` says everything about one.\n")
}

fn pages(block: &Full) -> String {
    let mut text = format!("{}: {}\n", block.name, block.title);
    let mut section = |title: &str, body: &dyn std::fmt::Display| {
        // Writing to a String cannot fail.
        let _ = write!(text, "\n{title}\n{body}\n");
    };

    let mut channels = table(&["channel", "", "beat"]);
    for channel in &block.channels {
        let ready = match (channel.ready, channel.ready_each) {
            (_, Some(param)) => format!(", with {param} ready bits"),
            (true, None) => ", with ready".to_string(),
            (false, None) => String::new(),
        };
        let answers = channel.answers.map(|input| format!(" (answers {input})"));
        channels.add_row([
            channel.name,
            &format!("{}{ready}", channel.direction),
            &format!("{}{}", channel.doc, answers.unwrap_or_default()),
        ]);
    }
    section("Channels (a valid bit each)", &channels);

    let payload = block.channels.iter().flat_map(|channel| &channel.fields);
    section("Fields (widths under the default parameters)", &fields(payload));
    if !block.controls.is_empty() {
        let mut controls = table(&["control", "bits", "idle", "meaning"]);
        for c in &block.controls {
            let (bits, idle) = (c.field.bits.to_string(), c.idle.to_string());
            controls.add_row([c.field.port.as_str(), &bits, &idle, c.field.doc]);
        }
        section(
            "Controls (inputs without valid, idle unless the stimulus says otherwise)",
            &controls,
        );
    }
    section("Levels (always valid)", &fields(&block.levels));
    section("Configuration pins (stable from before reset is released)", &fields(&block.cfg));

    let mut attributes = table(&["attribute (--set)", "default", "accepted", "meaning"]);
    for a in &block.attributes {
        let default = format!("{} {}", plain(&a.default), a.unit);
        attributes.add_row([a.name, default.trim_end(), &a.accepted, a.doc]);
    }
    section("Attributes", &attributes);
    if !block.variants.is_empty() {
        let mut variants = table(&["variant (--set)", "parameters", "other defaults"]);
        for v in &block.variants {
            let other: Vec<_> =
                v.defaults.iter().map(|(n, v)| format!("{n}={}", plain(v))).collect();
            let params: Vec<_> = v.parameters.iter().map(|(n, v)| format!("{n}={v}")).collect();
            let name = format!("variant={}", v.name);
            variants.add_row([name, params.join(" "), other.join(" ")]);
        }
        section("Variants", &variants);
    }

    let mut parameters = table(&["parameter (--param)", "default", "accepted", "meaning"]);
    for p in &block.parameters {
        let two = if p.power_of_two { "a power of two, " } else { "" };
        parameters.add_row([
            p.name,
            &p.default.to_string(),
            &format!("{two}{} to {}", p.min, p.max),
            p.doc,
        ]);
    }
    section("Parameters", &parameters);

    let mut timing = table(&["timing", "cycles", "from what to what"]);
    for t in &block.timing {
        timing.add_row([t.name, &t.cycles.to_string(), t.doc]);
    }
    section("Timing", &timing);

    let mut order = table(&["", "effect"]);
    for (n, step) in block.order.iter().enumerate() {
        order.add_row([&(n + 1).to_string(), *step]);
    }
    section("Order of effects within a cycle", &order);

    if !block.bounds.is_empty() {
        let mut bounds = table(&["error of", "at most", "over what"]);
        for b in &block.bounds {
            bounds.add_row([b.name, format!("{} {}", b.limit, b.unit).trim_end(), b.doc]);
        }
        section("Error bounds against the reference", &bounds);
    }

    let mut coverage = table(&["row", "must be covered"]);
    for row in &block.coverage {
        coverage.add_row([row.name, row.doc]);
    }
    section("Coverage", &coverage);

    let mut builds = table(&["built in", "parameters", "what for"]);
    for build in &block.builds {
        let set: Vec<_> = build.parameters.iter().map(|(n, v)| format!("{n}={v}")).collect();
        let set = if set.is_empty() { "the defaults".to_string() } else { set.join(" ") };
        builds.add_row([build.name, &set, build.doc]);
    }
    section("Parameter sets that are built in", &builds);
    text
}

/// A default as after `--set NAME=`.
fn plain(value: &serde_json::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_string)
}

fn fields<'a>(list: impl IntoIterator<Item = &'a FieldView>) -> Table {
    let mut table = table(&["port", "bits", "format", "meaning"]);
    for field in list {
        table.add_row([
            field.port.as_str(),
            &field.bits.to_string(),
            &field.format.text(field.bits),
            field.doc,
        ]);
    }
    table
}
