//! `ecn_marker`: a switch's ECN (CE) and FECN marker (seeds 000 and 002).

pub mod cfg;
pub mod core;
mod coverage;
pub mod model;
pub mod random;
pub mod reference;
pub mod replay;
