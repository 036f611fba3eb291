//! `pacing_table`: an Omni-Path NIC's per-destination pacing table with LRU (seed 002).

pub mod cfg;
pub mod core;
pub mod table;
pub mod timing;
