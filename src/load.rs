//! `--load CHANNEL=FILE`: beats of one channel from a file, before anything else happens. A table that
//! hardware is given after reset, such as the CCT of `pacing_table`, comes in so.
//!
//! The file is CSV with the channel's fields as columns, or TOML with a list of tables that is named
//! after the channel:
//!
//! ```toml
//! [[cct]]
//! index = 0
//! shift = 3
//! multiplier = 0
//! ```
//!
//! One beat a cycle from cycle 0 on, in the order of the file; the stimulus begins after the last.

use crate::config::toml_error;
use crate::csv;
use crate::error::{Error, Result};
use crate::files;
use crate::units::Units;
use congruent_hw::stimulus::Stimulus;
use congruent_ports::{ChannelLayout, Layout};
use std::path::Path;
use toml::Value as Toml;

/// The options, to be flattened into those of a subcommand.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Load {
    /// Beats of a channel that come before the stimulus, from a CSV or TOML file; may be repeated
    #[arg(long = "load", value_name = "CHANNEL=FILE")]
    load: Vec<String>,
}

impl Load {
    /// Whether there is nothing to load.
    pub fn is_empty(&self) -> bool {
        self.load.is_empty()
    }

    /// The options as they were written, each with a blank before it.
    pub fn flags(&self) -> String {
        self.load
            .iter()
            .map(|load| format!(" --load {}", crate::check::quoted(load.as_ref())))
            .collect()
    }

    /// The beats of all files; those of several channels side by side.
    ///
    /// # Errors
    /// An unknown channel; a file that cannot be read or holds something else than beats of it.
    pub fn resolve(&self, layout: &Layout, units: &Units) -> Result<Stimulus> {
        let mut stimulus = Stimulus::new(layout.block);
        for load in &self.load {
            let (name, path) = load.split_once('=').ok_or_else(|| {
                Error::input(
                    format!("--load {load}: there is no `=` in it"),
                    "accepted is a channel and a file, as --load cct=table.csv",
                )
            })?;
            let channels: Vec<_> = layout.channels_in.iter().map(|c| c.channel.name).collect();
            let Some(number) = channels.iter().position(|channel| *channel == name) else {
                return Err(Error::input(
                    format!("--load {load}: there is no input channel `{name}`"),
                    format!("input channels of {} are {}", layout.block.name, channels.join(", ")),
                ));
            };
            let (path, channel) = (Path::new(path), &layout.channels_in[number]);
            let beats = match path.extension().is_some_and(|e| e.eq_ignore_ascii_case("toml")) {
                true => toml_beats(path, channel, layout, units)?,
                false => csv::beats(path, channel, layout, units)?,
            };
            let before = stimulus.streams[number].len() as u64;
            for (beat, cycle) in beats.iter().zip(before..) {
                stimulus.push(number, cycle, beat);
            }
        }
        Ok(stimulus)
    }
}

fn toml_beats(
    path: &Path,
    channel: &ChannelLayout,
    layout: &Layout,
    units: &Units,
) -> Result<Vec<Vec<u64>>> {
    let name = channel.channel.name;
    let help = format!("a list of tables [[{name}]]");
    let text = files::read(path)?;
    let table: toml::Table = text.parse().map_err(|e| toml_error(path, &text, &e, &help))?;
    let refuse = |what: String, accepted: String| {
        Error::input(format!("{}: {what}", path.display()), format!("accepted is {accepted}"))
    };
    if let Some(other) = table.keys().find(|key| *key != name) {
        return Err(refuse(format!("`{other}` has no place here"), help));
    }
    let Some(Toml::Array(list)) = table.get(name) else {
        return Err(refuse(format!("there is no [[{name}]] in it"), help));
    };
    let fields = channel.channel.fields;
    let known = || {
        let names: Vec<_> = fields.iter().map(|field| field.name).collect();
        format!("{} in each [[{name}]]", names.join(", "))
    };
    let mut beats = vec![];
    for (n, entry) in list.iter().enumerate() {
        let at = |what: String| format!("[[{name}]] number {n}: {what}");
        let Toml::Table(entry) = entry else {
            return Err(refuse(at("it is no table".into()), known()));
        };
        if let Some(other) = entry.keys().find(|key| fields.iter().all(|f| f.name != *key)) {
            return Err(refuse(at(format!("there is no field `{other}`")), known()));
        }
        let mut beat = vec![];
        for field in fields {
            let text = match entry.get(field.name) {
                Some(Toml::String(text)) => text.clone(),
                Some(value) => value.to_string(),
                None => return Err(refuse(at(format!("{} is missing", field.name)), known())),
            };
            let width = field.width.bits(&layout.params);
            let raw = units.parse(field.quantity, width, &text).map_err(|refusal| {
                let what = format!("{} = {text} {}", field.name, refusal.why);
                refuse(at(what), refusal.accepted)
            })?;
            beat.push(raw);
        }
        beats.push(beat);
    }
    Ok(beats)
}
