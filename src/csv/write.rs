//! Results as a table.

use super::CYCLE;
use crate::error::{Error, Result};
use crate::files::Draft;
use crate::units::Units;
use congruent_hw::unit::RealBeat;
use congruent_ports::{Field, Layout};
use std::path::{Path, PathBuf};

/// Writes a row for each cycle with a valid output. The file appears when it is finished.
pub struct Writer<'a> {
    path: PathBuf,
    layout: &'a Layout,
    units: Units<'a>,
    table: ::csv::Writer<Draft>,
    /// Texts of the row in the making.
    row: Vec<String>,
}

impl<'a> Writer<'a> {
    /// Starts the table: one column a field of each output channel.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn new(path: &Path, layout: &'a Layout, units: Units<'a>) -> Result<Self> {
        let table = ::csv::Writer::from_writer(Draft::new(path)?);
        let path = path.to_path_buf();
        let mut writer = Self { path, layout, units, table, row: vec![CYCLE.to_string()] };
        for entry in &layout.channels_out {
            let names = entry.channel.fields.iter().map(|f| f.name);
            writer.row.extend(names.map(|name| format!("{}_{name}", entry.channel.name)));
        }
        writer.write()?;
        Ok(writer)
    }

    /// The outputs of a cycle; nothing is written where none is valid. A field that means nothing
    /// beside an error code is left empty.
    ///
    /// # Errors
    /// The file cannot be written.
    #[inline]
    pub fn outputs(&mut self, cycle: u64, outputs: &[u64]) -> Result<()> {
        if self.layout.channels_out.iter().all(|c| outputs[c.valid] == 0) {
            return Ok(());
        }
        self.start(cycle);
        for entry in &self.layout.channels_out {
            let channel = entry.channel;
            let fields = &outputs[entry.fields..entry.fields + channel.fields.len()];
            let valid = outputs[entry.valid] != 0;
            let refused = channel.error().is_some_and(|at| fields[at] != 0);
            for (field, raw) in channel.fields.iter().zip(fields) {
                self.row.push(match valid && (!refused || field.role.outlives_error()) {
                    true => self.units.text(field.quantity, *raw),
                    false => String::new(),
                });
            }
        }
        self.write()
    }

    /// Beats of the reference, sorted by cycle. Beats of one channel in one cycle (queue pairs
    /// whose halves are due together) take a row each.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn beats(&mut self, beats: &[RealBeat]) -> Result<()> {
        let mut columns = vec![];
        let mut column = 1;
        for entry in &self.layout.channels_out {
            columns.push(column);
            column += entry.channel.fields.len();
        }
        let mut at = None;
        let mut taken = vec![false; columns.len()];
        for beat in beats {
            if at.is_some_and(|cycle| cycle != beat.cycle || taken[beat.channel]) {
                self.write()?;
                at = None;
            }
            if at.is_none() {
                at = Some(beat.cycle);
                taken.fill(false);
                self.start(beat.cycle);
                self.row.resize(column, String::new());
            }
            taken[beat.channel] = true;
            let fields: &[Field] = self.layout.channels_out[beat.channel].channel.fields;
            for ((field, value), column) in
                fields.iter().zip(&beat.fields).zip(columns[beat.channel]..)
            {
                if let Some(value) = value {
                    self.row[column] = self.units.text_of_number(field.quantity, *value);
                }
            }
        }
        if at.is_some() {
            self.write()?;
        }
        Ok(())
    }

    /// The table takes its place.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn finish(self) -> Result<()> {
        let Self { path, table, .. } = self;
        let draft = table.into_inner().map_err(|e| Error::file("write", path, e.error()))?;
        draft.finish()
    }

    fn start(&mut self, cycle: u64) {
        self.row.clear();
        self.row.push(cycle.to_string());
    }

    fn write(&mut self) -> Result<()> {
        self.table.write_record(&self.row).map_err(|e| Error::file("write", &self.path, e))
    }
}
