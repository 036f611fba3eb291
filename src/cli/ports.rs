//! `congruent ports`: the ports of any module as Verilator elaborates it, and a map to fill in.

mod draft;
mod guess;
mod report;

use super::rtl::DesignArgs;
use super::{json, print, table};
use crate::config::{Config, find_unit};
use crate::error::{Error, Exit, Result};
use crate::files::Draft;
use crate::project;
use congruent_ports::Layout;
use congruent_verilate::{Module, Place, Search, Shape, Type, Verilator, elaborate};
use std::path::PathBuf;

/// Lists the ports of a module of your own, and writes a map between them and a block's.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  congruent ports --rtl limiter_pkg.sv limiter.sv --top limiter
  congruent ports -f design.f --top limiter --json
  congruent ports --rtl limiter.sv --block rate_limiter --map limiter.toml")]
pub struct Args {
    /// The design.
    #[command(flatten)]
    design: DesignArgs,
    /// Block that it is an RTL of; with --map, the one that the map leads to
    #[arg(long, value_name = "BLOCK")]
    block: Option<String>,
    /// Write a map to fill in: likely matches are in it, the rest is listed
    #[arg(long, value_name = "OUT.toml", requires = "block")]
    map: Option<PathBuf>,
    /// Parameters of the block, which widths depend on.
    #[arg(long = "param", value_name = "PARAMETER=VALUE", requires = "block")]
    param: Vec<String>,
    /// For machines: JSON with a format_version
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand.
///
/// # Errors
/// A design that is not named or cannot be taken, a block that does not exist, a map that cannot
/// be written.
pub fn run(args: &Args) -> Result<Exit> {
    if !args.design.is_given() {
        return Err(Error::input(
            "no design is named",
            "name its files with --rtl FILE.., or a list of them with -f LIST",
        ));
    }
    let layout = match &args.block {
        Some(name) => Some(layout(name, &args.param)?),
        None => None,
    };
    let verilator = Verilator::find(&Search::new(&project::folder()))?;
    let sources = args.design.sources(&verilator)?;
    let module = elaborate(&verilator, &sources)?;
    if args.json {
        print(&json(&report::Report::new(&module)));
    } else {
        print(&text(&module));
    }
    let Some(layout) = layout else { return Ok(Exit::Ok) };
    let matches = guess::Matches::new(&module, &layout);
    if !args.json {
        print(&format!("\n{}", matches.summary(&layout)));
    }
    if let Some(path) = &args.map {
        if path.exists() {
            return Err(Error::input(
                format!("--map {}: it is there already", path.display()),
                "a map that was filled in is not written over: name another file, or remove it",
            ));
        }
        Draft::new(path)?.finish_with(draft::map(&module, &layout, &matches).as_bytes())?;
        if !args.json {
            print(&format!("{} is a map to fill in\n", path.display()));
        }
    }
    Ok(Exit::Ok)
}

fn layout(block: &str, param: &[String]) -> Result<Layout> {
    let block = find_unit(block)?.block();
    let config = Config { param: param.to_vec(), ..Config::default() };
    let (_, params) = config.resolve(block)?;
    Ok(Layout::new(block, &params))
}

fn text(module: &Module) -> String {
    let at = |place: &Place| match place.file == module.place.file {
        true => format!("line {}", place.line),
        false => place.to_string(),
    };
    let mut ports = table(&["port", "", "bits", "what they are", "declared"]);
    for port in &module.ports {
        let unpacked: String = port.ty.unpacked.iter().map(ToString::to_string).collect();
        let dir = report::direction(port.dir);
        ports.add_row([
            format!("{}{unpacked}", port.name),
            dir.to_string(),
            bits(&port.ty),
            kind(&port.ty),
            at(&port.place),
        ]);
        members(1, 0, &port.ty, &mut |name, place, ty| {
            ports.add_row([name, String::new(), bits(ty), format!("{place} {}", kind(ty))]);
        });
    }
    let mut out = format!("module {} ({})\n\n{ports}\n", module.name, module.place);
    if !module.params.is_empty() {
        let mut params = table(&["parameter (--rtl-param)", "value", "declared"]);
        for param in &module.params {
            params.add_row([param.name.clone(), param.value.clone(), at(&param.place)]);
        }
        out += &format!("\n{params}\n");
    }
    if !module.edges.is_empty() {
        let mut edges = table(&["edge", "of", "as", "first waited for"]);
        for edge in &module.edges {
            let of = match edge.direct {
                true => edge.ports.join(", "),
                false => format!("a signal made of {}", edge.ports.join(", ")),
            };
            let what = if edge.reset { "asynchronous reset" } else { "clock" };
            let which = if edge.rising { "rising" } else { "falling" };
            edges.add_row([which, &of, what, &at(&edge.place)]);
        }
        out += &format!("\n{edges}\n");
    }
    out
}

/// Bits of one element, and how many elements there are.
fn bits(ty: &Type) -> String {
    let elements = ty.total() / u64::from(ty.width.max(1));
    if ty.unpacked.is_empty() { ty.width.to_string() } else { format!("{elements} x {}", ty.width) }
}

/// What a type is, an enumeration with its names.
fn kind(ty: &Type) -> String {
    match &ty.shape {
        Shape::Struct { .. } => format!("struct {ty}"),
        Shape::Union { .. } => format!("union {ty}"),
        Shape::Enum { names, .. } => {
            let names: Vec<_> = names.iter().map(|(n, v)| format!("{n} = {v}")).collect();
            format!("enum {ty}: {}", names.join(", "))
        }
        _ => ty.to_string(),
    }
}

/// Calls for every member, outer ones first: its indented name, its bits in the port, its type.
fn members(depth: usize, lsb: u32, ty: &Type, each: &mut dyn FnMut(String, String, &Type)) {
    match &ty.shape {
        // Bits within one element.
        Shape::Packed { element, .. } => members(depth, 0, element, each),
        Shape::Struct { members: list, .. } | Shape::Union { members: list, .. } => {
            for member in list {
                let low = lsb + member.lsb;
                let place = match member.ty.width {
                    1 => format!("[{low}]"),
                    width => format!("[{}:{low}]", low + width - 1),
                };
                each(format!("{:1$}.{2}", "", 2 * depth, member.name), place, &member.ty);
                members(depth + 1, low, &member.ty, each);
            }
        }
        _ => {}
    }
}
