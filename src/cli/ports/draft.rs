//! A map to fill in: what is found is in it, the rest stands there as comments.

use super::guess::{Clock, Matches, Reset, Why, written};
use super::report::direction;
use congruent_ports::{Layout, Port, PortDir, PortRole};
use congruent_verilate::Module;
use std::fmt::Write as _;

/// The text of the map.
pub(super) fn map(module: &Module, layout: &Layout, matches: &Matches) -> String {
    let block = layout.block;
    let mut out = format!(
        "# A map between block {} and module {}: the table's port on the left, what it is in the\n\
         # module on the right. Guesses are marked; a line in comments is for you to fill in or to leave\n\
         # out. Accepted on the right: a port, a member of a struct, bits `[7:0]`, an element `[3]`,\n\
         # `{{a, b}}`, `!a`, a constant; \"ignore\" for an output that is not compared.\n\
         block = \"{}\"\n",
        block.name, module.name, block.name
    );
    if !module.params.is_empty() {
        out += "\n# Parameters of the module (--rtl-param):\n";
        for param in &module.params {
            line(&mut out, format_args!("#   {} = {}", param.name, param.value));
        }
    }
    clock_and_reset(&mut out, matches);
    out += "\n[ports]\n";
    let mut title = None;
    for port in layout.ports() {
        let (now, doc) = of(port);
        if title != Some(now) {
            line(&mut out, format_args!("# {now}"));
            title = Some(now);
        }
        entry(&mut out, port, doc, matches);
    }
    left(&mut out, module, matches);
    if !block.timing.is_empty() {
        out += "\n# Cycle counts of the module, where they are not the table's (a bound as \"<= 20\"):\n\
                # [timing]\n";
        for timing in block.timing {
            line(&mut out, format_args!("# {} = {} # {}", timing.name, timing.cycles, timing.doc));
        }
    }
    out
}

// Writing to a String cannot fail.
fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = writeln!(out, "{text}");
}

fn clock_and_reset(out: &mut String, matches: &Matches) {
    out.push_str("\n[clock]\n");
    match &matches.clock {
        Some(Clock { port, falling }) => {
            line(out, format_args!("port = {}", quoted(port)));
            if *falling {
                line(out, format_args!("edge = \"falling\""));
            }
        }
        None => line(out, format_args!("# port = \"\" # nothing in the module waits for an edge")),
    }
    match &matches.reset {
        Some(Reset { port, active_low, synchronous }) => {
            let active = if *active_low { "low" } else { "high" };
            let guessed = if *synchronous { " # by its name" } else { "" };
            line(out, format_args!("\n[reset]\nport = {}{guessed}", quoted(port)));
            line(out, format_args!("active = \"{active}\"{guessed}"));
            line(out, format_args!("synchronous = {synchronous}"));
        }
        None => line(
            out,
            format_args!(
                "\n[reset]\nport = \"none\" # none was found: it is asserted for `cycles` where there is one"
            ),
        ),
    }
}

/// The group of a port and what it is.
fn of(port: &Port) -> (&'static str, &'static str) {
    match port.role {
        PortRole::Valid(channel) => (channel.name, channel.doc),
        PortRole::Ready(channel) => ("ready bits", channel.doc),
        PortRole::Payload(channel, field) => (channel.name, field.doc),
        PortRole::Control(control) => ("controls", control.field.doc),
        PortRole::Level(field) => ("levels", field.doc),
        PortRole::Cfg(field) => ("configuration, stable while out of reset", field.doc),
    }
}

fn entry(out: &mut String, port: &Port, doc: &str, matches: &Matches) {
    let name = &port.name;
    let what = format!("{}, {}: {}", direction(port.dir), bits(port.width), short(doc));
    match matches.found.get(name) {
        Some(found) => {
            let signal = quoted(&found.signal);
            match found.why {
                Why::Same => line(out, format_args!("# {name} is called so")),
                Why::Name => line(out, format_args!("{name} = {signal} # guessed by name; {what}")),
                Why::Widths => {
                    line(out, format_args!("{name} = {signal} # guessed by the widths; {what}"));
                }
                Why::OtherWidth(other) => line(
                    out,
                    format_args!("# {name} = {signal} # but that is {}; {what}", bits(other)),
                ),
            }
        }
        None => {
            let perhaps = matches.perhaps(port);
            let perhaps = match perhaps.is_empty() {
                true => String::new(),
                false => format!(" (perhaps {})", perhaps.join(", ")),
            };
            line(out, format_args!("# {name} = \"\" # {what}{perhaps}"));
        }
    }
}

/// Signals of the module that are taken for nothing.
fn left(out: &mut String, module: &Module, matches: &Matches) {
    let place = |port: &str| module.port(port).map_or(String::new(), |p| p.place.to_string());
    let mut inputs = String::new();
    let mut outputs = String::new();
    for signal in &matches.left {
        let (name, at) = (&signal.name, place(&signal.port));
        match signal.dir {
            PortDir::In => line(
                &mut inputs,
                format_args!("# {} = 0 # input, {}, {at}", quoted(name), bits(signal.width)),
            ),
            PortDir::Out => {
                line(&mut outputs, format_args!("#   {name}: output, {}, {at}", bits(signal.width)))
            }
        }
    }
    for port in module.ports.iter().filter(|p| !p.ty.unpacked.is_empty()) {
        let ranges: String = port.ty.unpacked.iter().map(ToString::to_string).collect();
        let name = format!("{}{ranges}", written(&port.name));
        let what = format!("{}, {} each, {}", direction(port.dir), bits(port.ty.width), port.place);
        match port.dir {
            // All elements at once: what of them the table drives is left out by itself.
            PortDir::In => line(
                &mut inputs,
                format_args!("# {} = 0 # {ranges}, {what}", quoted(&written(&port.name))),
            ),
            PortDir::Out => line(&mut outputs, format_args!("#   {name}: {what}")),
        }
    }
    if !inputs.is_empty() {
        out.push_str("\n[constants]\n# Inputs of the module that no port of the table drives:\n");
        out.push_str(&inputs);
    }
    if !outputs.is_empty() {
        out.push_str("\n# Outputs of the module that are compared with nothing:\n");
        out.push_str(&outputs);
    }
}

/// The beginning of what the table says, which goes on about rounding and special cases.
fn short(doc: &str) -> &str {
    let end = ["; ", ". ", ", 0 to "].iter().filter_map(|stop| doc.find(stop)).min();
    &doc[..end.unwrap_or(doc.len())]
}

fn bits(width: u32) -> String {
    if width == 1 { "1 bit".into() } else { format!("{width} bits") }
}

/// A text as TOML takes it.
fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}
