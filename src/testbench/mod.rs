//! Writes a block's replay testbench: `template.sv` with the lines that depend on the ports filled
//! in from the block's table. Widths and positions stay functions of the parameters, so that one
//! text serves every parameter set.

use crate::vectors::{FORMAT_VERSION, GAP_BITS};
use congruent_ports::{
    Block, ChannelLayout, Field, Layout, ParamSet, Port, PortRole, Ready, Width,
};

const TEMPLATE: &str = include_str!("template.sv");

/// The testbench of a block.
pub fn write(block: &'static Block) -> String {
    // Names and order of the ports are the same for all parameters; widths are not used.
    let layout = Layout::new(block, &ParamSet::defaults(block));
    let (inputs, outputs) = (places(&layout.inputs), places(&layout.outputs));
    let params = || block.params.iter().map(|p| p.name);
    let fill = [
        ("BLOCK", block.name.to_string()),
        ("MACROS", lines(0, block.params.iter().flat_map(|p| macro_of(p.name, p.default)))),
        ("PARAMETERS", lines(2, params().map(|p| format!("parameter int {p} = `CONGRUENT_{p},")))),
        ("CFG_PLACES", lines(2, layout.cfg.iter().map(width))),
        ("INPUT_PLACES", lines(2, inputs)),
        ("INPUT_END", end(&layout.inputs)),
        ("OUTPUT_PLACES", lines(2, outputs)),
        ("OUTPUT_END", end(&layout.outputs)),
        ("DECLARATIONS", lines(2, layout.ports().map(declaration))),
        ("PARAMETER_CONNECTIONS", commas(params().map(|p| format!(".{p} ({p})")))),
        ("CONNECTIONS", commas(layout.ports().map(|p| format!(".{0} ({0})", p.name)))),
        ("GAP_BITS", GAP_BITS.to_string()),
        ("FORMAT_VERSION", FORMAT_VERSION.to_string()),
        ("PARAMS", block.params.len().to_string()),
        ("CFGS", layout.cfg.len().to_string()),
        ("PARAMETER_CHECKS", lines(4, params().enumerate().map(parameter_check))),
        ("CFG_VALUES", lines(4, layout.cfg.iter().enumerate().map(cfg_value))),
        ("QUIET_INPUTS", lines(6, quiet("in_word", &layout.inputs))),
        ("QUIET_OUTPUTS", lines(6, quiet("out_word", &layout.outputs))),
        ("DRIVE", lines(4, drive(&layout))),
        ("COMPARE_INIT", lines(4, compare_init(&layout))),
        ("COMPARE", lines(4, compare(&layout))),
    ];
    let mut text = TEMPLATE.to_string();
    for (name, value) in fill {
        text = text.replace(&format!("@{name}@"), &value);
    }
    text
}

fn lines(indent: usize, lines: impl IntoIterator<Item = String>) -> String {
    lines.into_iter().collect::<Vec<_>>().join(&format!("\n{:indent$}", ""))
}

fn commas(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(",\n    ")
}

/// A parameter's default, where params.f gives no other.
fn macro_of(param: &str, default: i64) -> [String; 3] {
    [
        format!("`ifndef CONGRUENT_{param}"),
        format!("  `define CONGRUENT_{param} {default}"),
        "`endif".to_string(),
    ]
}

/// Names of a port's width and of its lowest bit.
fn w(port: &Port) -> String {
    format!("W_{}", port.name.to_uppercase())
}

fn at(port: &Port) -> String {
    format!("AT_{}", port.name.to_uppercase())
}

/// A port's width as an expression of the parameters.
fn bits(port: &Port) -> String {
    let field = match port.role {
        PortRole::Valid(_) => return "1".to_string(),
        PortRole::Ready(channel) => {
            return match channel.ready {
                Ready::Each(param) => param.to_string(),
                _ => "1".to_string(),
            };
        }
        PortRole::Control(control) => &control.field,
        PortRole::Payload(_, field) | PortRole::Level(field) | PortRole::Cfg(field) => field,
    };
    match field.width {
        Width::Bits(n) => n.to_string(),
        Width::Param(name) => name.to_string(),
        Width::ParamPlus(name, n) => format!("{name} + {n}"),
        Width::ParamSum(a, b) => format!("{a} + {b}"),
    }
}

fn width(port: &Port) -> String {
    format!("localparam int {} = {};", w(port), bits(port))
}

/// Width and position of each port of a file, one after the other from bit 0 on.
fn places(ports: &[Port]) -> Vec<String> {
    let mut from = "0".to_string();
    let mut text = vec![];
    for port in ports {
        text.push(width(port));
        text.push(format!("localparam int {} = {from};", at(port)));
        from = end_of(port);
    }
    text
}

fn end(ports: &[Port]) -> String {
    ports.last().map_or("0".to_string(), end_of)
}

fn end_of(port: &Port) -> String {
    format!("{} + {}", at(port), w(port))
}

fn declaration(port: &Port) -> String {
    format!("logic [{}-1:0] {};", w(port), port.name)
}

fn parameter_check((n, param): (usize, &str)) -> String {
    format!("check_run(\"{param}\", FIRST_PARAM + {n}, {param});")
}

fn cfg_value((n, port): (usize, &Port)) -> String {
    format!("{} = run[FIRST_CFG + {n}][{}-1:0];", port.name, w(port))
}

/// What the file says of a port in this cycle.
fn slice(word: &str, port: &Port) -> String {
    format!("{word}[{} +: {}]", at(port), w(port))
}

fn quiet(word: &str, ports: &[Port]) -> Vec<String> {
    let valids = ports.iter().filter(|port| matches!(port.role, PortRole::Valid(_)));
    valids.map(|port| format!("{word}[{}] = 1'b0;", at(port))).collect()
}

/// Valids from the word of this cycle, payload with them, X without.
fn drive(layout: &Layout) -> Vec<String> {
    let mut text = vec![];
    let mut valid = "";
    for port in &layout.inputs {
        let (name, word) = (&port.name, slice("in_word", port));
        text.push(match port.role {
            PortRole::Payload(..) => format!("{name} = {valid} ? {word} : 'x;"),
            _ => format!("{name} = {word};"),
        });
        if let PortRole::Valid(_) = port.role {
            valid = name;
        }
    }
    text
}

fn compare_init(layout: &Layout) -> Vec<String> {
    let line = |port: &Port| {
        let name = &port.name;
        match port.role {
            PortRole::Valid(_) | PortRole::Ready(_) => {
                Some(format!("if ({name} !== '0) differs(\"{name}\", 64'd0, 64'({name}));"))
            }
            PortRole::Level(_) => Some(format!("if (^{name} === 1'bx) unknown(\"{name}\");")),
            _ => None,
        }
    };
    layout.outputs.iter().filter_map(line).collect()
}

/// One check a port, in table order, so that the first mismatch of a cycle is that of the first port.
fn compare(layout: &Layout) -> Vec<String> {
    let mut text = vec![];
    for channel in &layout.channels_out {
        let valid = &layout.outputs[channel.valid];
        text.extend(differs(0, valid));
        text.push(format!("if (out_word[{}]) begin", at(valid)));
        text.extend(fields(layout, channel));
        text.push("end".to_string());
    }
    let steady = |port: &&Port| matches!(port.role, PortRole::Ready(_) | PortRole::Level(_));
    text.extend(layout.outputs.iter().filter(steady).flat_map(|port| differs(0, port)));
    text
}

/// The fields of a valid beat: what is always compared, then what counts only without an error.
fn fields(layout: &Layout, channel: &ChannelLayout) -> Vec<String> {
    let port = |n: usize| &layout.outputs[channel.fields + n];
    let fields: Vec<(usize, &Field)> = channel.channel.fields.iter().enumerate().collect();
    let Some(error) = channel.channel.error() else {
        return fields.iter().flat_map(|(n, _)| differs(2, port(*n))).collect();
    };
    let without_error = format!("  if ({} == '0) begin", slice("out_word", port(error)));
    let mut text = vec![];
    let mut inside = false;
    for (n, field) in fields {
        let masked = !field.role.outlives_error();
        if masked != inside {
            text.push(if masked { without_error.clone() } else { "  end".to_string() });
            inside = masked;
        }
        text.extend(differs(if masked { 4 } else { 2 }, port(n)));
    }
    if inside {
        text.push("  end".to_string());
    }
    text
}

fn differs(indent: usize, port: &Port) -> [String; 3] {
    let (name, word) = (&port.name, slice("out_word", port));
    [
        format!("{:indent$}if ({name} !== {word})", ""),
        format!("{:indent$}  differs(\"{name}\", 64'({word}),", ""),
        format!("{:indent$}          64'({name}));", ""),
    ]
}
