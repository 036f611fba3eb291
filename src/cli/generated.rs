//! What generated files have in common: for which blocks they are made, and the report of `verify`
//! on which are current and where a stale one first differs.

use super::{json, print};
use crate::config::find_unit;
use crate::error::{Exit, Result};
use congruent_ports::{BLOCKS, Block};
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use std::collections::BTreeMap;
use std::path::Path;

/// Version of the JSON form. It goes up when a member changes its meaning or goes away.
const FORMAT_VERSION: u32 = 1;

/// The blocks of these names, or all of them.
///
/// # Errors
/// A block that does not exist.
pub(super) fn blocks(names: &[String]) -> Result<Vec<&'static Block>> {
    match names {
        [] => Ok(BLOCKS.to_vec()),
        names => names.iter().map(|name| Ok(find_unit(name)?.block())).collect(),
    }
}

/// Files of one kind, and where each first differs.
#[derive(Debug)]
pub(super) struct Findings {
    /// What a file is called, and several.
    one: &'static str,
    many: &'static str,
    /// What to do about a stale one.
    remedy: &'static str,
    files: Vec<(String, Option<String>)>,
}

impl Findings {
    /// None yet.
    pub fn new(one: &'static str, many: &'static str, remedy: &'static str) -> Self {
        Self { one, many, remedy, files: vec![] }
    }

    /// A file, and where it differs if it does.
    pub fn add(&mut self, place: &Path, differs: Option<String>) {
        self.files.push((place.display().to_string(), differs));
    }

    /// Prints them, for people or as JSON; says whether all are current.
    pub fn report(&self, as_json: bool) -> Exit {
        let stale: Vec<_> =
            self.files.iter().filter_map(|(file, why)| Some((file, why.as_ref()?))).collect();
        if as_json {
            print(&json(self));
        } else {
            let mut text: String =
                stale.iter().map(|(file, why)| format!("{file}: {why}\n")).collect();
            let current = self.files.len() - stale.len();
            text += &format!("{current} {} current, {} stale\n", self.many, stale.len());
            if !stale.is_empty() {
                text += &format!("{}\n", self.remedy);
            }
            print(&text);
        }
        if stale.is_empty() { Exit::Ok } else { Exit::Diverged }
    }
}

/// `{ "format_version": 1, "<many>": [{ "<one>": FILE, "differs": WHERE }, …] }`, without `differs`
/// where a file is current.
impl Serialize for Findings {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let file = |(file, differs): &(String, Option<String>)| {
            let differs = differs.iter().map(|why| ("differs", why.clone()));
            differs.chain([(self.one, file.clone())]).collect::<BTreeMap<_, _>>()
        };
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("format_version", &FORMAT_VERSION)?;
        map.serialize_entry(self.many, &self.files.iter().map(file).collect::<Vec<_>>())?;
        map.end()
    }
}
