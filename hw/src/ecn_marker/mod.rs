//! `ecn_marker`: a switch's ECN (CE) and FECN marker (seeds 000 and 002).

pub mod cfg;
pub mod core;
