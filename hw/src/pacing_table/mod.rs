//! `pacing_table`: an Omni-Path NIC's per-destination pacing table with LRU (seed 002).

pub mod cct;
pub mod cfg;
pub mod core;
pub mod coverage;
pub mod model;
pub mod queues;
pub mod random;
pub mod reference;
pub mod replay;
pub mod table;
pub mod timing;

/// Input channel `becn`, by position in the table.
pub const BECN: usize = 0;
/// Input channel `head`.
pub const HEAD: usize = 1;
/// Input channel `cct`.
pub const CCT: usize = 2;
/// Input channel `peek`.
pub const PEEK: usize = 3;
