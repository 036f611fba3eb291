//! `pfc_threshold`: a switch's shared buffer with dynamic PFC thresholds (seed 003).

pub mod cfg;
pub mod core;
