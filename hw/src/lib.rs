//! Congestion-control hardware in Rust: references, atomic fixed-point cores, golden models.

pub mod fixed;
pub mod rate_limiter;
