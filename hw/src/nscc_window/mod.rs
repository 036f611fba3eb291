//! `nscc_window`: NSCC's congestion window of a NIC, a destination each (seed 004).

pub mod cfg;
pub mod core;
