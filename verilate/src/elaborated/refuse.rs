//! What of a design cannot be taken, each with file and line and what to do.

use super::run::{self, Ran};
use super::tree::Unit;
use super::types::PortDecl;
use super::wrapper::{self, Pin};
use crate::error::Error;
use crate::find::Verilator;
use crate::sources::{Sources, nearest};
use std::path::Path;

/// What Verilator refuses: in our words where they help more than its own.
pub(super) fn refused(verilator: &Verilator, sources: &Sources, said: &str) -> Error {
    let missing = ["Specified --top-module", "No top level module found"];
    if missing.iter().any(|text| said.contains(text)) {
        return no_module(verilator, sources);
    }
    if said.contains("Interfaced port on top level module") {
        return super::interface::on_top(verilator, sources, &run::relative(said));
    }
    if let Some(name) = unknown_param(said) {
        return no_param(verilator, sources, name);
    }
    let error = run::refusal(sources, said);
    let message = error.to_string();
    let helps = [
        ("include file", "a folder to look for included files in is given as --include DIR"),
        (
            "file containing module",
            "add the file that defines it to --rtl, or give a folder to look in as --library DIR",
        ),
        (
            "before declaration",
            "files are read in the order in which they are named: packages first",
        ),
        ("PKGNODECL", "files are read in the order in which they are named: packages first"),
        (
            "requires --timing",
            "delays and event controls within a procedure belong to a testbench: leave them out of \
             what is named",
        ),
    ];
    match helps.iter().find(|(what, _)| message.contains(what)) {
        Some((_, help)) => Error::Refused { message, help: (*help).into() },
        None => error,
    }
}

fn unknown_param(said: &str) -> Option<&str> {
    let (_, after) = said.split_once("Parameters from the command line were not found")?;
    after.lines().next()?.rsplit([' ', ',']).next()
}

/// A parameter that the top does not have: which ones it has.
fn no_param(verilator: &Verilator, sources: &Sources, name: &str) -> Error {
    let all = Sources { params: Vec::new(), ..sources.clone() };
    let params = super::elaborate(verilator, &all).map(|module| module.params).unwrap_or_default();
    let names: Vec<_> = params.iter().map(|p| format!("{} = {}", p.name, p.value)).collect();
    let help = match nearest(name, params.iter().map(|p| p.name.as_str())) {
        Some(other) => format!("did you mean {other}?"),
        None if names.is_empty() => "it has no parameter at all".into(),
        None => format!("its parameters are {}", names.join(", ")),
    };
    let module = match sources.top.as_str() {
        "" => "the top module".to_string(),
        top => format!("module `{top}`"),
    };
    Error::Refused { message: format!("{module} has no parameter `{name}`"), help }
}

/// The top is not there: which modules are.
pub(super) fn no_module(verilator: &Verilator, sources: &Sources) -> Error {
    let all = Sources { top: String::new(), params: Vec::new(), ..sources.clone() };
    let units = match run::run(verilator, &all) {
        Ok(Ran::Tree(tree, _)) => tree.units,
        Ok(Ran::Refused(said)) if !said.contains("No top level module found") => {
            return run::refusal(sources, &said);
        }
        _ => Vec::new(),
    };
    let mut modules: Vec<&Unit> = units.iter().filter(|u| !u.interface).collect();
    modules.sort_by_key(|unit| &unit.place);
    let what = match sources.top.as_str() {
        "" => "the sources hold no module".to_string(),
        top => format!("there is no module `{top}` in the sources"),
    };
    let bare: String = sources
        .files
        .iter()
        .filter(|file| is_bare(file))
        .map(|file| format!("\n  {}:1: the file holds nothing but comments", file.display()))
        .collect();
    let listed: String =
        modules.iter().map(|u| format!("\n  {}: module {}", u.place, u.name)).collect();
    let message = match modules.is_empty() {
        true if bare.is_empty() => {
            let files: Vec<_> = sources.files.iter().map(|f| f.display().to_string()).collect();
            format!("{what}: no module at all in {}", files.join(", "))
        }
        _ => format!("{what}{bare}{listed}"),
    };
    let help = match nearest(&sources.top, modules.iter().map(|u| u.name.as_str())) {
        Some(name) => format!("did you mean --top {name}?"),
        None if modules.is_empty() => "name the files that define it after --rtl".into(),
        None => "name one of these with --top, or add the file that defines it to --rtl".into(),
    };
    Error::Refused { message, help }
}

/// Whether a file holds no text that is not a comment.
fn is_bare(file: &Path) -> bool {
    let Ok(bytes) = std::fs::read(file) else { return false };
    let text = String::from_utf8_lossy(&bytes);
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    loop {
        let after = if let Some(comment) = rest.strip_prefix("//") {
            comment.split_once('\n').map_or("", |(_, after)| after)
        } else if let Some(comment) = rest.strip_prefix("/*") {
            comment.split_once("*/").map_or("", |(_, after)| after)
        } else {
            return rest.is_empty();
        };
        rest = after.trim_start();
    }
}

/// Several modules that none instantiates, and none of them named.
pub(super) fn several_tops(mut tops: Vec<&Unit>) -> Error {
    tops.sort_by_key(|unit| &unit.place);
    let listed: String =
        tops.iter().map(|unit| format!("\n  {}: module {}", unit.place, unit.name)).collect();
    Error::Refused {
        message: format!("several modules could be the top:{listed}"),
        help: format!("name one of them, as --top {}", tops[0].name),
    }
}

/// Verilator takes the first of two modules of one name and only warns.
pub(super) fn two_of_a_name(said: &str) -> Result<(), Error> {
    let said = run::relative(said);
    let mut lines = said.lines().skip_while(|l| !l.starts_with("%Warning-MODDUP"));
    let Some(second) = lines.next() else { return Ok(()) };
    let place = |line: &str| -> String {
        let line = line.trim_start().trim_start_matches("%Warning-MODDUP: ");
        line.splitn(3, ':').take(2).collect::<Vec<_>>().join(":")
    };
    let name = second.rsplit('\'').nth(1).unwrap_or_default();
    let first = lines.take_while(|l| !l.starts_with('%'));
    let first = first.into_iter().find(|l| l.contains("Location of original declaration"));
    let first = first.map_or(String::new(), |l| format!("\n  {}: module {name}", place(l)));
    Err(Error::Refused {
        message: format!(
            "two modules are called `{name}`:{first}\n  {}: module {name}",
            place(second)
        ),
        help: "leave one of the files out, or rename one of the modules".into(),
    })
}

/// Ports that no driver reaches. Inout ports come with a wrapper.
pub(super) fn ports(module: &str, good: &[PortDecl], inouts: &[PortDecl], bad: &[String]) -> Error {
    let mut lines: Vec<String> = bad.to_vec();
    lines.extend(inouts.iter().map(|port| format!("{}: inout `{}`", port.place, port.name)));
    let message = format!(
        "module `{module}` has ports that cannot be driven or compared:\n  {}",
        lines.join("\n  ")
    );
    let name = format!("{module}_wrapper");
    let help = if bad.is_empty() {
        let through = good.iter().map(Pin::through);
        let split = inouts.iter().map(|port| {
            let pad = wrapper::identifier(&port.name);
            let net = wrapper::declared(&port.ty, &pad).replacen("logic", "wire", 1);
            let input = wrapper::identifier(&format!("{}_in", port.name));
            let output = wrapper::identifier(&format!("{}_out", port.name));
            let drive = wrapper::identifier(&format!("{}_drive", port.name));
            Pin {
                outer: vec![
                    format!("input {}", wrapper::declared(&port.ty, &input)),
                    format!("input logic {drive}"),
                    format!("output {}", wrapper::declared(&port.ty, &output)),
                ],
                inner: vec![
                    format!("{net};"),
                    format!("assign {pad} = {drive} ? {input} : 'z;"),
                    format!("assign {output} = {pad};"),
                ],
                connection: pad.clone(),
                name: pad,
            }
        });
        let pins: Vec<Pin> = through.chain(split).collect();
        format!(
            "accepted are inputs and outputs: give --top {name} with a file that splits the inout in \
             two, and tie its `_drive` in the map ([constants]):\n{}",
            wrapper::text(module, &name, &pins)
        )
    } else {
        "accepted are ports of bits: logic, bit, enum, packed struct, packed union, arrays of such; \
         write a module around it that has only these, and name it with --top"
            .into()
    };
    Error::Refused { message, help }
}
