//! `hpcc_window`: HPCC's window of a NIC, a flow each, fed by in-band telemetry (seed 003).

pub mod cfg;
pub mod core;
