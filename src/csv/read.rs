//! A table as a stimulus.

use super::CYCLE;
use crate::error::{Error, Result};
use crate::files;
use crate::units::Units;
use congruent_hw::stimulus::Stimulus;
use congruent_ports::{ChannelLayout, Field, Layout, Quantity};
use std::path::Path;

/// The last cycle that a stimulus may name.
const LAST_CYCLE: u64 = 1_000_000_000_000;

/// The columns of the file and the channels that they make up.
struct Columns {
    cycle: usize,
    /// For each input channel: the column of each of its fields; none where the file has none.
    channels: Vec<Option<Vec<usize>>>,
    /// For each control: its column.
    controls: Vec<Option<usize>>,
}

/// Where in the file a value stands.
struct Place<'a> {
    path: &'a Path,
    line: u64,
}

impl Place<'_> {
    fn error(&self, what: impl AsRef<str>, help: impl Into<String>) -> Error {
        Error::input(format!("{}, line {}{}", self.path.display(), self.line, what.as_ref()), help)
    }
}

/// Reads a stimulus.
///
/// # Errors
/// A file that cannot be read, an unknown or missing column, a value that is none or does not fit
/// its field, a channel filled in only in part, cycles out of order: each with file, line, column.
pub fn read(path: &Path, layout: &Layout, units: &Units) -> Result<Stimulus> {
    let file = std::fs::File::open(path).map_err(|e| files::cannot_read(path, e))?;
    let mut reader = ::csv::ReaderBuilder::new().trim(::csv::Trim::All).from_reader(file);
    let header = reader.headers().map_err(|e| csv_error(path, &e))?.clone();
    let header_line = Place { path, line: header.position().map_or(1, ::csv::Position::line) };
    let columns = columns(&header, layout, &header_line)?;
    let mut stimulus = Stimulus::new(layout.block);
    let mut next = 0;
    let mut record = ::csv::StringRecord::new();
    while reader.read_record(&mut record).map_err(|e| csv_error(path, &e))? {
        let line = record.position().map_or(0, ::csv::Position::line);
        let place = Place { path, line };
        let cycle = cycle(record.get(columns.cycle).unwrap_or_default(), next, &place)?;
        next = cycle + 1;
        stimulus.cycles = next;
        for (channel, fields) in columns.channels.iter().enumerate() {
            if let Some(fields) = fields
                && let Some(payload) =
                    payload(&record, &header, fields, layout, units, channel, &place)?
            {
                stimulus.push(channel, cycle, &payload);
            }
        }
        for (number, column) in columns.controls.iter().enumerate() {
            let text = column.and_then(|column| record.get(column)).unwrap_or_default();
            if !text.is_empty() {
                let port = &layout.inputs[layout.controls + number];
                let quantity = layout.block.controls[number].field.quantity;
                let value = value(text, &port.name, quantity, port.width, units, &place)?;
                stimulus.control(number, cycle, value);
            }
        }
    }
    Ok(stimulus)
}

/// Reads beats of one channel, without cycles: a column for each of its fields.
///
/// # Errors
/// A file that cannot be read, an unknown or missing column, a value that is none or does not fit its
/// field: each with file, line, column.
pub fn beats(
    path: &Path,
    channel: &ChannelLayout,
    layout: &Layout,
    units: &Units,
) -> Result<Vec<Vec<u64>>> {
    let file = std::fs::File::open(path).map_err(|e| files::cannot_read(path, e))?;
    let mut reader = ::csv::ReaderBuilder::new().trim(::csv::Trim::All).from_reader(file);
    let header = reader.headers().map_err(|e| csv_error(path, &e))?.clone();
    let place = Place { path, line: header.position().map_or(1, ::csv::Position::line) };
    let fields = channel.channel.fields;
    let known = || {
        let names: Vec<_> = fields.iter().map(|field| field.name).collect();
        format!("columns of {} are: {}", channel.channel.name, names.join(", "))
    };
    if let Some(at) = header.iter().position(|name| fields.iter().all(|f| f.name != name)) {
        let what = format!(", column {}: there is no field `{}`", at + 1, &header[at]);
        return Err(place.error(what, known()));
    }
    let column = |field: &Field| header.iter().position(|name| name == field.name);
    let mut columns = vec![];
    for field in fields {
        let missing = || place.error(format!(": column `{}` is missing", field.name), known());
        columns.push(column(field).ok_or_else(missing)?);
    }
    if header.len() > columns.len() {
        return Err(place.error(": a column comes twice", "name each column once"));
    }
    let mut beats = vec![];
    let mut record = ::csv::StringRecord::new();
    while reader.read_record(&mut record).map_err(|e| csv_error(path, &e))? {
        let place = Place { path, line: record.position().map_or(0, ::csv::Position::line) };
        let beat = fields.iter().zip(&columns).map(|(field, column)| {
            let text = record.get(*column).unwrap_or_default();
            let width = field.width.bits(&layout.params);
            value(text, field.name, field.quantity, width, units, &place)
        });
        beats.push(beat.collect::<Result<_>>()?);
    }
    Ok(beats)
}

fn columns(header: &::csv::StringRecord, layout: &Layout, place: &Place) -> Result<Columns> {
    let field_names = |channel: &congruent_ports::Channel| -> Vec<String> {
        channel.fields.iter().map(|f| format!("{}_{}", channel.name, f.name)).collect()
    };
    let mut known = vec![CYCLE.to_string()];
    known.extend(layout.channels_in.iter().flat_map(|c| field_names(c.channel)));
    known.extend(layout.block.controls.iter().map(|c| c.field.name.to_string()));
    for (at, name) in header.iter().enumerate() {
        if !known.iter().any(|k| k == name) {
            return Err(place.error(
                format!(", column {}: there is no input `{name}`", at + 1),
                format!("known columns are: {}", known.join(", ")),
            ));
        }
        if header.iter().take(at).any(|other| other == name) {
            let help = "name each column once";
            return Err(place.error(format!(", column {}: `{name}` comes twice", at + 1), help));
        }
    }
    let column = |name: &str| header.iter().position(|h| h == name);
    let mut channels = vec![];
    for entry in &layout.channels_in {
        let names = field_names(entry.channel);
        let found: Vec<_> = names.iter().map(|name| column(name)).collect();
        if found.iter().all(Option::is_none) {
            channels.push(None);
            continue;
        }
        if let Some(at) = found.iter().position(Option::is_none) {
            return Err(place.error(
                format!(": column `{}` is missing", names[at]),
                format!("channel {} needs {}", entry.channel.name, names.join(", ")),
            ));
        }
        channels.push(Some(found.into_iter().flatten().collect()));
    }
    let controls = layout.block.controls.iter().map(|c| column(c.field.name)).collect();
    match column(CYCLE) {
        Some(cycle) => Ok(Columns { cycle, channels, controls }),
        None => Err(place.error(
            format!(": column `{CYCLE}` is missing"),
            format!("columns are: {}", known.join(", ")),
        )),
    }
}

fn cycle(text: &str, next: u64, place: &Place) -> Result<u64> {
    let cycle: u64 = text.parse().map_err(|_| {
        let what = if text.is_empty() { "nothing".to_string() } else { format!("`{text}`") };
        place.error(
            format!(", column {CYCLE}: {what} is not a whole number"),
            format!("accepted is 0 to {LAST_CYCLE}"),
        )
    })?;
    if cycle > LAST_CYCLE {
        return Err(place.error(
            format!(", column {CYCLE}: {cycle} is too far away"),
            format!("accepted is 0 to {LAST_CYCLE}"),
        ));
    }
    if cycle < next {
        let why = if cycle + 1 == next { "comes twice" } else { "is out of order" };
        return Err(place.error(
            format!(", column {CYCLE}: cycle {cycle} {why}, the line before has {}", next - 1),
            "one line a cycle, in rising order",
        ));
    }
    Ok(cycle)
}

/// The payload of a channel in a row; `None` where the row leaves it out.
fn payload(
    record: &::csv::StringRecord,
    header: &::csv::StringRecord,
    columns: &[usize],
    layout: &Layout,
    units: &Units,
    channel: usize,
    place: &Place,
) -> Result<Option<Vec<u64>>> {
    let text = |column: usize| record.get(column).unwrap_or_default();
    let name = |column: usize| header.get(column).unwrap_or_default();
    if columns.iter().all(|column| text(*column).is_empty()) {
        return Ok(None);
    }
    let entry = &layout.channels_in[channel];
    let mut payload = vec![];
    for (field, column) in entry.channel.fields.iter().zip(columns) {
        let width = field.width.bits(&layout.params);
        let (name, text) = (name(*column), text(*column));
        if text.is_empty() {
            let names: Vec<_> = columns.iter().filter_map(|c| header.get(*c)).collect();
            return Err(place.error(
                format!(
                    ", column {name}: it is empty, and other fields of channel {} are not",
                    entry.channel.name
                ),
                format!("fill in all of {}, or none", names.join(", ")),
            ));
        }
        payload.push(value(text, name, field.quantity, width, units, place)?);
    }
    Ok(Some(payload))
}

/// A text as the raw word of a port.
fn value(
    text: &str,
    name: &str,
    quantity: Quantity,
    width: u32,
    units: &Units,
    place: &Place,
) -> Result<u64> {
    units.parse(quantity, width, text).map_err(|refusal| {
        let bits = match quantity {
            Quantity::Enum(_) => String::new(),
            _ => format!(" ({width} bits)"),
        };
        place.error(
            format!(", column {name}: `{text}` {}", refusal.why),
            format!("accepted is {}{bits}", refusal.accepted),
        )
    })
}

/// What the table's own form says.
fn csv_error(path: &Path, error: &::csv::Error) -> Error {
    match error.kind() {
        ::csv::ErrorKind::UnequalLengths { pos, expected_len, len } => {
            let line = pos.as_ref().map_or(0, ::csv::Position::line);
            Place { path, line }.error(
                format!(": the line has {len} values"),
                format!("accepted is {expected_len}, as many as the header has columns"),
            )
        }
        ::csv::ErrorKind::Utf8 { pos, .. } => {
            let line = pos.as_ref().map_or(0, ::csv::Position::line);
            Place { path, line }.error(": not a text", "accepted is UTF-8")
        }
        ::csv::ErrorKind::Io(e) => files::cannot_read(path, e),
        _ => Error::plain(format!("{}: {error}", path.display())),
    }
}
