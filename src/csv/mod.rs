//! Stimulus and results as tables: what `congruent run` reads and writes.
//!
//! A header row, a column `cycle` (0 is the first cycle after `init_done`), and a column
//! `<channel>_<field>` for each field of each input channel, or output channel. A channel is valid
//! in a row when its fields are filled in; cycles left out are idle; a row with only `cycle`
//! extends the run. A control (an input without valid) has a column of its own name: it takes the
//! value of the row, and keeps it where the column is empty. Values are in engineering units and enumerations by name, or, raw, the bits as
//! whole numbers.

mod read;
mod write;

pub use read::{beats, read};
pub use write::Writer;

/// Name of the column that says when.
pub const CYCLE: &str = "cycle";
