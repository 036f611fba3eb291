//! Congruent: golden models of congestion-control hardware in lock-step with RTL.
//!
//! The harness around `congruent-hw` (golden models) and the RTL: stimulus is driven into both,
//! every output of every cycle is compared, and the first difference is explained.

pub mod again;
pub mod buffers;
pub mod check;
pub mod cli;
pub mod compare;
pub mod config;
pub mod csv;
pub mod divergence;
pub mod drive;
pub mod dut;
pub mod engine;
pub mod error;
pub mod failure;
pub mod files;
pub mod finding;
pub mod foreign;
pub mod interrupt;
pub mod junit;
pub mod late;
pub mod load;
pub mod lockstep;
pub mod map;
pub mod mid_reset;
pub mod perf;
pub mod play;
pub mod probe;
pub mod project;
pub mod report;
pub mod rerun;
pub mod row;
pub mod shrink;
pub mod sides;
pub mod spread;
pub mod steer;
pub mod tally;
pub mod testbench;
pub mod tolerance;
pub mod units;
pub mod vectors;
pub mod wave;

pub use error::{Error, Result};
