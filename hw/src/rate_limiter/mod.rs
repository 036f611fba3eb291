//! `rate_limiter`: a RoCE NIC's per-queue-pair rate loop and pacer (seed 000).

pub mod cfg;
pub mod core;
mod coverage;
pub mod model;
pub mod reference;
