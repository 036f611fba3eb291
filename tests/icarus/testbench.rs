//! Writes the testbench: `testbench.sv` with the lines that depend on the ports filled in from the
//! block's table, and bit positions from the manifests of the folders that it is to read.

use crate::folder::{Folder, Words};
use congruent_ports::{ChannelLayout, Field, Layout, Port, PortRole};

const TEMPLATE: &str = include_str!("testbench.sv");

/// The testbench that reads any of `folders`, which share their parameters.
pub fn write(layout: &Layout, folders: &[Folder]) -> String {
    let first = &folders[0];
    let most = |words: fn(&Folder) -> &Words| folders.iter().map(|f| words(f).words).max();
    let size = |most: Option<u64>| most.unwrap_or(0).max(1).to_string();
    let params = layout.params.iter().map(|(name, value)| format!(".{name} ({value})"));
    let ports: Vec<_> = layout.ports().collect();
    let pins = ports.iter().map(|p| format!(".{0} ({0})", p.name));
    let fill = [
        ("BLOCK", layout.block.name.to_string()),
        ("DECLARATIONS", lines(2, ports.iter().map(|p| declaration(&p.name, p.width)))),
        ("PARAMETERS", commas(params)),
        ("CONNECTIONS", commas(pins)),
        ("CFG_ARGUMENTS", lines(4, layout.cfg.iter().map(|p| cfg_argument(&p.name)))),
        ("DRIVE", lines(4, drive(layout, &first.stimulus))),
        ("COMPARE_INIT", lines(4, compare_init(layout))),
        ("COMPARE", lines(4, compare(layout, &first.expected))),
        ("STIMULUS_BITS", first.stimulus.bits.to_string()),
        ("EXPECTED_BITS", first.expected.bits.to_string()),
        ("STIMULUS_GAP", first.stimulus.range("gap")),
        ("EXPECTED_GAP", first.expected.range("gap")),
        ("MOST_STIMULUS", size(most(|f| &f.stimulus))),
        ("MOST_EXPECTED", size(most(|f| &f.expected))),
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

fn declaration(name: &str, width: u32) -> String {
    format!("logic [{}:0] {name};", width - 1)
}

fn cfg_argument(name: &str) -> String {
    format!(r#"if (!$value$plusargs("{name}=%h", {name})) missing("{name}");"#)
}

/// Valids from the word of this cycle, payload with them, X without.
fn drive(layout: &Layout, words: &Words) -> Vec<String> {
    let mut text = vec![];
    let mut valid = "";
    for port in &layout.inputs {
        let (name, range) = (&port.name, words.range(&port.name));
        text.push(match port.role {
            PortRole::Valid(_) => {
                valid = name;
                format!("{name} = in_news && in_word[{range}];")
            }
            PortRole::Payload(..) => {
                format!("{name} = {valid} ? in_word[{range}] : {{{}{{1'bx}}}};", port.width)
            }
            // A ready or a control stays as the last word says.
            _ => format!("{name} = in_word[{range}];"),
        });
    }
    text
}

fn compare_init(layout: &Layout) -> Vec<String> {
    let line = |port: &Port| match port.role {
        PortRole::Valid(_) | PortRole::Ready(_) => Some(differs("", &port.name, "1'b0")),
        PortRole::Level(_) => {
            let unknown = format!("^{} === 1'bx", port.name);
            Some(mismatch(&unknown, &port.name, "\"known\"", "%0s"))
        }
        _ => None,
    };
    layout.outputs.iter().filter_map(line).collect()
}

/// One line a port, in table order, so that the first mismatch of a cycle is that of the first port.
fn compare(layout: &Layout, words: &Words) -> Vec<String> {
    let mut text = vec![];
    for channel in &layout.channels_out {
        let valid = &layout.outputs[channel.valid].name;
        let beat = format!("out_news && out_word[{}]", words.range(valid));
        text.push(differs("", valid, &beat));
        text.push(format!("if ({beat}) begin"));
        text.extend(fields(layout, channel, words));
        text.push("end".to_string());
    }
    for port in &layout.outputs {
        if matches!(port.role, PortRole::Ready(_) | PortRole::Level(_)) {
            text.push(differs("", &port.name, &format!("out_word[{}]", words.range(&port.name))));
        }
    }
    text
}

fn fields(layout: &Layout, channel: &ChannelLayout, words: &Words) -> Vec<String> {
    let name = |at: usize| layout.outputs[channel.fields + at].name.as_str();
    let error = channel.channel.error().map(|at| words.range(name(at)));
    let line = |(at, field): (usize, &Field)| {
        let counts = match &error {
            Some(error) if !field.role.outlives_error() => format!("out_word[{error}] == 0 && "),
            _ => String::new(),
        };
        let expected = format!("out_word[{}]", words.range(name(at)));
        format!("  {}", differs(&counts, name(at), &expected))
    };
    channel.channel.fields.iter().enumerate().map(line).collect()
}

fn differs(counts: &str, port: &str, expected: &str) -> String {
    mismatch(&format!("{counts}{port} !== ({expected})"), port, expected, "%h")
}

/// A line that reports the first mismatch of the run, in the form that `Verdict` reads.
fn mismatch(condition: &str, port: &str, expected: &str, format: &str) -> String {
    let text = format!("mismatch: cycle %0d port {port} expected {format} got %h");
    let report = format!("$display(\"{text}\", cycle, {expected}, {port});");
    format!("if (!failed && {condition}) begin failed = 1'b1; {report} end")
}
