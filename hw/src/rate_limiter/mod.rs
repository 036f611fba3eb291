//! `rate_limiter`: a RoCE NIC's per-queue-pair rate loop and pacer (seed 000).

pub mod core;
