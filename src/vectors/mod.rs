//! Vector files: a recorded run in a folder, for this program and for any other.
//!
//! A folder holds `manifest.toml`, `stimulus.hex` and `expected.hex`, and for simulators `run.hex`
//! and `params.f`. All hex files are clean for `$readmemh`: one word a line, all of one width,
//! lower-case hex digits, a final newline. A word of stimulus and expected stands for one cycle; its
//! uppermost bits, the **gap**, say how many cycles without a word come before it. Cycle 0 is the
//! first in which events are legal. `stimulus.hex` has a word for each cycle with a valid input or
//! with a control that changed, `expected.hex` for each cycle with a valid output or with a ready or
//! level that changed (all of them are 0 before cycle 0). Between two words valids are 0, controls,
//! readies and levels stay. Where a gap is too long for its bits, a word without news stands in it. A
//! field that means nothing is 0: of a channel whose valid is 0; and with an error code other than 0,
//! all fields but it, the context and the key.
//!
//! The manifest names every bit of a word and carries all that a run needs: parameters, attributes,
//! raw `cfg_*` pins, seed, cycles, hashes. `run.hex` and `params.f` repeat of it what a testbench
//! needs.

mod hex;
mod load;
mod manifest;
mod packing;
mod record;
mod simulator;
mod verify;

pub use load::{load, load_all};
pub use manifest::FORMAT_VERSION;
pub use packing::GAP_BITS;
pub use record::{MOST_PEEKS, final_peeks, played, record, record_with};
pub use verify::difference;

use crate::error::Result;
use crate::files;
use crate::row::Rows;
use congruent_hw::attributes::{AttributeError, AttributeSet};
use congruent_hw::random::GENERATOR;
use congruent_hw::scenario::Scenario;
use congruent_hw::unit::Unit;
use congruent_ports::{Layout, ParamSet};
use packing::Packing;
use simulator::Sizes;
use std::path::Path;

/// The file that says what the others hold.
pub const MANIFEST: &str = "manifest.toml";
/// The inputs.
pub const STIMULUS: &str = "stimulus.hex";
/// The outputs of the golden model.
pub const EXPECTED: &str = "expected.hex";
/// Sizes, parameters and `cfg_*` pins, for testbenches.
pub const RUN: &str = "run.hex";
/// Parameters as macros, for simulators' command lines.
pub const PARAMS: &str = "params.f";

/// Where a case comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct About {
    /// Name: the scenario's, or a made one for a failing case.
    pub scenario: String,
    /// What happens, in a sentence.
    pub doc: String,
    /// Rows of "Must be covered" that it is for.
    pub covers: Vec<String>,
    /// The built-in parameter set that it runs on, if it is one.
    pub build: Option<String>,
    /// Seed, of a random one.
    pub seed: Option<u64>,
    /// Name of the random generator.
    pub generator: String,
    /// Version of the program that wrote it.
    pub tool_version: String,
}

impl About {
    /// A case made by this program.
    pub fn new(scenario: impl Into<String>, doc: impl Into<String>) -> Self {
        Self {
            scenario: scenario.into(),
            doc: doc.into(),
            covers: vec![],
            build: None,
            seed: None,
            generator: GENERATOR.to_string(),
            tool_version: env!("CARGO_PKG_VERSION").to_string(),
        }
    }

    /// A scenario of a block.
    pub fn of(scenario: &Scenario) -> Self {
        Self {
            covers: scenario.covers.iter().map(|row| row.to_string()).collect(),
            build: Some(scenario.build.to_string()),
            seed: scenario.seed,
            ..Self::new(&scenario.name, scenario.doc)
        }
    }
}

/// A recorded run: what the pins carry in every cycle from cycle 0 on, and what it ran with.
#[derive(Clone)]
pub struct Case {
    /// The block.
    pub unit: &'static dyn Unit,
    /// Where it comes from.
    pub about: About,
    /// Elaboration parameters.
    pub params: ParamSet,
    /// Attributes, natural units.
    pub attributes: AttributeSet,
    /// Raw values of the `cfg_*` pins, in table order.
    pub pins: Vec<u64>,
    /// Inputs, and the outputs that the golden model shows. Fields that mean nothing are arbitrary
    /// where the rows were recorded, and 0 where they were loaded.
    pub rows: Rows,
}

impl Case {
    /// A case without rows; the caller fills them in.
    ///
    /// # Errors
    /// Attributes and parameters that do not fit together.
    pub fn new(
        unit: &'static dyn Unit,
        about: About,
        attributes: AttributeSet,
        params: ParamSet,
    ) -> Result<Self, AttributeError> {
        let pins = unit.pins(&attributes, &params)?;
        let layout = Layout::new(unit.block(), &params);
        let rows = Rows::new(layout.inputs.len(), layout.outputs.len(), 0);
        Ok(Self { unit, about, params, attributes, pins, rows })
    }

    /// Where each port lives in a row.
    pub fn layout(&self) -> Layout {
        Layout::new(self.unit.block(), &self.params)
    }
}

impl std::fmt::Debug for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let cycles = self.rows.len();
        write!(f, "{}/{}, {cycles} cycles", self.unit.block().name, self.about.scenario)
    }
}

/// The texts of a case's files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Texts {
    /// `manifest.toml`.
    pub manifest: String,
    /// `stimulus.hex`.
    pub stimulus: String,
    /// `expected.hex`.
    pub expected: String,
    /// `run.hex`.
    pub run: String,
    /// `params.f`.
    pub params: String,
}

impl Texts {
    /// Name and text of each file.
    pub fn files(&self) -> [(&'static str, &str); 5] {
        [
            (MANIFEST, &self.manifest),
            (STIMULUS, &self.stimulus),
            (EXPECTED, &self.expected),
            (RUN, &self.run),
            (PARAMS, &self.params),
        ]
    }

    /// Bytes of all of them.
    pub fn size(&self) -> usize {
        self.files().iter().map(|(_, text)| text.len()).sum()
    }
}

/// A case as the texts of its files.
///
/// # Errors
/// A value that the manifest cannot hold.
pub fn encode(case: &Case) -> Result<Texts> {
    let layout = case.layout();
    let stimulus = Packing::inputs(&layout).encode(&case.rows.inputs);
    let expected = Packing::outputs(&layout).encode(&case.rows.outputs);
    let manifest = manifest::encode(case, &layout, &stimulus, &expected)?;
    let sizes = Sizes {
        stimulus: stimulus.lines().count() as u64,
        expected: expected.lines().count() as u64,
        cycles: case.rows.len() as u64,
    };
    let run = simulator::run(case, &layout, &sizes);
    Ok(Texts { manifest, stimulus, expected, run, params: simulator::params(&case.params) })
}

/// Writes a case as a folder, which appears whole or not at all; one that is there is replaced.
///
/// # Errors
/// The folder cannot be written.
pub fn write(folder: &Path, case: &Case) -> Result<()> {
    files::write_folder(folder, &encode(case)?.files())
}
