//! Flags for waveforms: where to, of which cycles, with what inside.

use crate::error::Result;
use crate::wave::{Span, Wish};
use std::path::PathBuf;

/// A waveform of what went wrong, made by running the leg again.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Waveforms")]
pub struct WaveArgs {
    /// Write a waveform of the first divergence of each run: OUT.fst for GTKWave and Surfer, OUT.svg
    /// for a picture of the cycles around it (may be given twice, for both). Where more than one run
    /// diverged, the others go to OUT-2.fst, and so on
    #[arg(long, value_name = "OUT")]
    wave: Vec<PathBuf>,
    /// Cycles that it shows before and after the divergence [default: 200,50; of a picture 14,5]
    #[arg(long, value_name = "BEFORE,AFTER", requires = "wave", value_parser = span)]
    wave_window: Option<Span>,
    /// The whole leg, also where nothing diverged (then the first one of each run)
    #[arg(long, requires = "wave", conflicts_with = "wave_window")]
    wave_all: bool,
    /// The RTL's internals too, below `rtl.internals`: the RTL is built once more, with tracing
    #[arg(long, requires = "wave")]
    wave_internals: bool,
}

impl WaveArgs {
    /// What is wished for; refused before anything runs where a place cannot be written.
    ///
    /// # Errors
    /// A name that is neither FST nor SVG, a place that cannot be written.
    pub fn wish(&self) -> Result<Wish> {
        let span = match (self.wave_all, self.wave_window) {
            (true, _) => Span::All,
            (_, Some(span)) => span,
            _ => Span::Usual,
        };
        Wish::new(&self.wave, span, self.wave_internals)
    }
}

/// `BEFORE,AFTER`.
fn span(text: &str) -> std::result::Result<Span, String> {
    let numbers = text.split_once(',').map(|(before, after)| {
        (before.trim().parse::<u64>().ok(), after.trim().parse::<u64>().ok())
    });
    match numbers {
        Some((Some(before), Some(after))) if before.max(after) <= MOST => {
            Ok(Span::Around { before, after })
        }
        _ => Err(format!("accepted is BEFORE,AFTER, both from 0 to {MOST} cycles: 200,50")),
    }
}

/// Further than any leg goes.
const MOST: u64 = 10_000_000;
