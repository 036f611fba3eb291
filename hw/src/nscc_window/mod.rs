//! `nscc_window`: NSCC's congestion window of a NIC, a destination each (seed 004).

pub mod cfg;
pub mod core;
mod coverage;
pub mod model;
pub mod random;
pub mod reference;
pub mod serial;
