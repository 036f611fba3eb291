//! `manifest.toml`: written from a case, read back and held against the table.

use super::packing::{GAP_BITS, Packing};
use super::{About, Case, EXPECTED, STIMULUS};
use crate::config::{find_unit, set_toml, toml_error};
use crate::error::{Error, Result};
use congruent_hw::attributes::{AttributeSet, Value};
use congruent_hw::unit::Unit;
use congruent_ports::{Block, Dir, Layout, ParamSet, Ready};
use serde::de::{self, Deserializer, MapAccess, Visitor};
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt;
use std::marker::PhantomData;
use std::path::Path;

/// Version of the format that this program writes, and the newest that it reads.
pub const FORMAT_VERSION: i64 = 2;

/// The first version whose folders hold the files for simulators.
pub(super) const WITH_SIMULATOR_FILES: i64 = 2;

/// The longest run that is loaded: rows live in memory, a few hundred bytes each.
const MOST_CYCLES: u64 = 1_000_000;

/// What to do about a folder that is not as it should be.
pub(super) const AGAIN: &str =
    "restore the folder, or make it anew with `congruent vectors generate`";

const HEADER: &str = "\
# A recorded run of the golden model, written by `congruent vectors generate`. The hex files hold a
# word a line for $readmemh; the fields of a word are given as name = [lowest bit, bits]. The gap
# counts the cycles without a word before it. Cycle 0 is the first in which events are legal: the one
# after the cycle that first shows init_done.
";

/// The file as it is written.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    format_version: i64,
    tool_version: String,
    block: String,
    scenario: String,
    doc: String,
    covers: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    build: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<Word>,
    generator: String,
    cycles: u64,
    gap_bits: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    controls: Vec<String>,
    levels: Vec<String>,
    params: Entries<i64>,
    attributes: Entries<toml::Value>,
    cfg: Entries<Word>,
    stimulus: File,
    expected: File,
    channels: Vec<Channel>,
}

/// A hex file and the fields of its words.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    file: String,
    words: u64,
    word_bits: u32,
    sha256: String,
    fields: Entries<(u32, u32)>,
}

/// A channel by the names of its ports.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Channel {
    name: String,
    dir: String,
    valid: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    ready: Option<String>,
    fields: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answers: Option<String>,
}

/// What a manifest says, checked against the table.
pub(super) struct Checked {
    /// The case without its rows.
    pub case: Case,
    /// Version of the folder's format.
    pub format_version: i64,
    /// Cycles of the run.
    pub cycles: u64,
    /// Words and hash of `stimulus.hex`.
    pub stimulus: Promise,
    /// Words and hash of `expected.hex`.
    pub expected: Promise,
}

/// What a manifest says of a hex file.
pub(super) struct Promise {
    /// Lines.
    pub words: u64,
    /// SHA-256 of the file, lower-case hex.
    pub sha256: String,
}

/// SHA-256 as lower-case hex.
pub(super) fn hash(text: &[u8]) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The text of a case's manifest.
pub(super) fn encode(
    case: &Case,
    layout: &Layout,
    stimulus: &str,
    expected: &str,
) -> Result<String> {
    let about = case.about.clone();
    let attribute = |value| match value {
        Value::Bool(v) => toml::Value::Boolean(v),
        Value::Integer(v) => Word(v).toml(),
        Value::Real(v) => toml::Value::Float(v),
        Value::Name(v) => toml::Value::String(v.to_string()),
    };
    let pins = layout.cfg.iter().zip(&case.pins);
    let manifest = Manifest {
        format_version: FORMAT_VERSION,
        tool_version: about.tool_version,
        block: layout.block.name.to_string(),
        scenario: about.scenario,
        doc: about.doc,
        covers: about.covers,
        build: about.build,
        seed: about.seed.map(Word),
        generator: about.generator,
        cycles: case.rows.len() as u64,
        gap_bits: GAP_BITS,
        controls: controls(layout),
        levels: levels(layout),
        params: case.params.iter().map(|(name, value)| (name.to_string(), value)).collect(),
        attributes: case.attributes.iter().map(|(a, v)| (a.name.into(), attribute(v))).collect(),
        cfg: pins.map(|(port, value)| (port.name.clone(), Word(*value))).collect(),
        stimulus: file(STIMULUS, &Packing::inputs(layout), stimulus),
        expected: file(EXPECTED, &Packing::outputs(layout), expected),
        channels: channels(layout),
    };
    let text = toml::to_string(&manifest)
        .map_err(|e| Error::plain(format!("the manifest cannot be written: {e}")))?;
    Ok(format!("{HEADER}{text}"))
}

fn file(name: &str, packing: &Packing, text: &str) -> File {
    File {
        file: name.to_string(),
        words: text.lines().count() as u64,
        word_bits: packing.width,
        sha256: hash(text.as_bytes()),
        fields: packing.fields.iter().map(|f| (f.name.clone(), (f.offset, f.width))).collect(),
    }
}

fn controls(layout: &Layout) -> Vec<String> {
    layout.inputs[layout.controls..].iter().map(|port| port.name.clone()).collect()
}

fn levels(layout: &Layout) -> Vec<String> {
    layout.outputs[layout.level_words()].iter().map(|port| port.name.clone()).collect()
}

fn channels(layout: &Layout) -> Vec<Channel> {
    let port = |channel: &str, field: &str| format!("{channel}_{field}");
    let channel = |c: &congruent_ports::Channel| Channel {
        name: c.name.to_string(),
        dir: if c.dir == Dir::In { "in" } else { "out" }.to_string(),
        valid: port(c.name, "valid"),
        ready: (c.ready != Ready::Never).then(|| port(c.name, "ready")),
        fields: c.fields.iter().map(|f| port(c.name, f.name)).collect(),
        context: c.context().map(|at| port(c.name, c.fields[at].name)),
        key: c.key().map(|at| port(c.name, c.fields[at].name)),
        error: c.error().map(|at| port(c.name, c.fields[at].name)),
        answers: c.answers.map(str::to_string),
    };
    layout.block.channels.iter().map(channel).collect()
}

/// Reads a manifest and holds it against the table.
///
/// # Errors
/// It is no manifest, of a newer format, or says something that the table does not.
pub(super) fn decode(path: &Path, text: &str) -> Result<Checked> {
    let refuse =
        |what: String, help: &str| Error::input(format!("{}: {what}", path.display()), help);
    let toml_error = |e: toml::de::Error| {
        toml_error(path, text, &e, &format!("a manifest of format {FORMAT_VERSION}; {AGAIN}"))
    };
    let table: toml::Table = text.parse().map_err(toml_error)?;
    match table.get("format_version").and_then(toml::Value::as_integer) {
        Some(version) if (1..=FORMAT_VERSION).contains(&version) => {}
        Some(version) => {
            let help = format!(
                "accepted is 1 to {FORMAT_VERSION}; a newer congruent reads it, or make the folder anew with `congruent vectors generate`"
            );
            return Err(refuse(format!("format_version = {version} is not known here"), &help));
        }
        None => return Err(refuse("it names no format_version".into(), AGAIN)),
    }
    let manifest: Manifest = toml::from_str(text).map_err(toml_error)?;
    let refuse = |what: String| refuse(what, AGAIN);
    let unit = find_unit(&manifest.block).map_err(|e| match e.help() {
        Some(help) => Error::input(format!("{}: {e}", path.display()), help),
        None => e,
    })?;
    let params = params_of(&manifest, unit).map_err(refuse)?;
    let attributes = attributes_of(&manifest, unit.block()).map_err(refuse)?;
    let layout = Layout::new(unit.block(), &params);
    check_build(&manifest, unit.block(), &params).map_err(refuse)?;
    check_ports(&manifest, &layout).map_err(refuse)?;
    if !(1..=MOST_CYCLES).contains(&manifest.cycles) {
        let cycles = manifest.cycles;
        return Err(refuse(format!("cycles = {cycles}: accepted is 1 to {MOST_CYCLES}")));
    }
    let about = About {
        scenario: manifest.scenario,
        doc: manifest.doc,
        covers: manifest.covers,
        build: manifest.build,
        seed: manifest.seed.map(|word| word.0),
        generator: manifest.generator,
        tool_version: manifest.tool_version,
    };
    let case = Case::new(unit, about, attributes, params).map_err(|e| refuse(e.to_string()))?;
    check_pins(&manifest.cfg, &layout, &case.pins).map_err(refuse)?;
    let promise = |file: File| Promise { words: file.words, sha256: file.sha256 };
    Ok(Checked {
        case,
        format_version: manifest.format_version,
        cycles: manifest.cycles,
        stimulus: promise(manifest.stimulus),
        expected: promise(manifest.expected),
    })
}

fn params_of(manifest: &Manifest, unit: &dyn Unit) -> Result<ParamSet, String> {
    let block = unit.block();
    let given = manifest.params.0.iter().map(|(name, value)| (name.as_str(), *value));
    let params = ParamSet::with(block, given).map_err(|e| e.to_string())?;
    match block.params.iter().find(|p| manifest.params.get(p.name).is_none()) {
        Some(missing) => Err(format!("params: {} is missing", missing.name)),
        None => Ok(params),
    }
}

fn attributes_of(manifest: &Manifest, block: &'static Block) -> Result<AttributeSet, String> {
    let mut attributes = AttributeSet::defaults(block);
    for (name, value) in &manifest.attributes.0 {
        set_toml(&mut attributes, name, value)?;
    }
    match block.attributes.iter().find(|a| manifest.attributes.get(a.name).is_none()) {
        Some(missing) => Err(format!("attributes: {} is missing", missing.name)),
        None => Ok(attributes),
    }
}

fn check_build(manifest: &Manifest, block: &Block, params: &ParamSet) -> Result<(), String> {
    let Some(name) = &manifest.build else { return Ok(()) };
    let Some(build) = block.build(name) else {
        let known: Vec<_> = block.builds.iter().map(|b| b.name).collect();
        return Err(format!("build = `{name}`: accepted is {}", known.join(", ")));
    };
    let differs = block.params.iter().find(|param| {
        let built = build.params.iter().find(|(n, _)| *n == param.name);
        params.get(param.name) != built.map_or(param.default, |(_, value)| *value)
    });
    match differs {
        Some(param) => Err(format!(
            "params: {} = {} is not that of build `{name}`",
            param.name,
            params.get(param.name)
        )),
        None => Ok(()),
    }
}

fn check_pins(given: &Entries<Word>, layout: &Layout, pins: &[u64]) -> Result<(), String> {
    for (port, expected) in layout.cfg.iter().zip(pins) {
        match given.get(&port.name) {
            Some(Word(value)) if value == expected => {}
            Some(Word(value)) => {
                return Err(format!(
                    "cfg: {} = {value}, but the attributes give {expected}",
                    port.name
                ));
            }
            None => return Err(format!("cfg: {} is missing", port.name)),
        }
    }
    match given.0.iter().find(|(name, _)| layout.cfg.iter().all(|port| port.name != *name)) {
        Some((name, _)) => Err(format!("cfg: the block has no pin {name}")),
        None => Ok(()),
    }
}

/// The port table: channels, levels, and the fields of both files.
fn check_ports(manifest: &Manifest, layout: &Layout) -> Result<(), String> {
    if manifest.gap_bits != GAP_BITS {
        return Err(format!("gap_bits = {}: accepted is {GAP_BITS}", manifest.gap_bits));
    }
    let table = channels(layout);
    for (n, expected) in table.iter().enumerate() {
        let name = &expected.name;
        match manifest.channels.get(n) {
            Some(channel) if channel == expected => {}
            Some(_) => {
                return Err(format!("channels: number {n} is not {name} as in the block's table"));
            }
            None => return Err(format!("channels: {name} is missing")),
        }
    }
    if let Some(channel) = manifest.channels.get(table.len()) {
        return Err(format!("channels: the block has no channel {}", channel.name));
    }
    let controls = controls(layout);
    if manifest.controls != controls {
        return Err(format!("controls: the block's table has [{}]", controls.join(", ")));
    }
    let levels = levels(layout);
    if manifest.levels != levels {
        return Err(format!("levels: the block's table has {}", levels.join(", ")));
    }
    check_file("stimulus", STIMULUS, &manifest.stimulus, &Packing::inputs(layout))?;
    check_file("expected", EXPECTED, &manifest.expected, &Packing::outputs(layout))
}

fn check_file(table: &str, name: &str, file: &File, packing: &Packing) -> Result<(), String> {
    if file.file != name {
        return Err(format!("{table}: file = `{}`: accepted is {name}", file.file));
    }
    if file.word_bits != packing.width {
        return Err(format!(
            "{table}: word_bits = {}: the block's table gives {}",
            file.word_bits, packing.width
        ));
    }
    for field in &packing.fields {
        let expected = (field.offset, field.width);
        match file.fields.get(&field.name) {
            Some(given) if *given == expected => {}
            Some((offset, width)) => {
                return Err(format!(
                    "{table}.fields: {} = [{offset}, {width}]: the block's table gives [{}, {}]",
                    field.name, expected.0, expected.1
                ));
            }
            None => return Err(format!("{table}.fields: {} is missing", field.name)),
        }
    }
    match file.fields.0.iter().find(|(n, _)| packing.fields.iter().all(|f| f.name != *n)) {
        Some((name, _)) => Err(format!("{table}.fields: the block has no port {name}")),
        None => Ok(()),
    }
}

/// A whole number of 64 bits; TOML's own end at 63, larger ones are written as `"0x…"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Word(u64);

impl Word {
    fn toml(self) -> toml::Value {
        match i64::try_from(self.0) {
            Ok(number) => toml::Value::Integer(number),
            Err(_) => toml::Value::String(format!("{:#x}", self.0)),
        }
    }
}

impl Serialize for Word {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.toml().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = toml::Value::deserialize(deserializer)?;
        let number = match &value {
            toml::Value::Integer(number) => u64::try_from(*number).ok(),
            toml::Value::String(text) => {
                text.strip_prefix("0x").and_then(|digits| u64::from_str_radix(digits, 16).ok())
            }
            _ => None,
        };
        number.map(Word).ok_or_else(|| {
            de::Error::custom(format!("`{value}` is no whole number from 0 to 2^64 - 1"))
        })
    }
}

/// A table whose entries keep their order.
#[derive(Debug)]
struct Entries<V>(Vec<(String, V)>);

impl<V> Entries<V> {
    fn get(&self, name: &str) -> Option<&V> {
        self.0.iter().find(|(n, _)| n == name).map(|(_, value)| value)
    }
}

impl<V> FromIterator<(String, V)> for Entries<V> {
    fn from_iter<I: IntoIterator<Item = (String, V)>>(entries: I) -> Self {
        Self(entries.into_iter().collect())
    }
}

impl<V: Serialize> Serialize for Entries<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl<'de, V: Deserialize<'de>> Deserialize<'de> for Entries<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(EntriesVisitor(PhantomData))
    }
}

struct EntriesVisitor<V>(PhantomData<V>);

impl<'de, V: Deserialize<'de>> Visitor<'de> for EntriesVisitor<V> {
    type Value = Entries<V>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = vec![];
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Entries(entries))
    }
}
