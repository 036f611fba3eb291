//! `hpcc_window`: HPCC's window of a NIC, a flow each, fed by in-band telemetry (seed 003).

pub mod cfg;
pub mod collect;
pub mod core;
mod coverage;
pub mod model;
pub mod random;
pub mod reference;
pub mod script;
