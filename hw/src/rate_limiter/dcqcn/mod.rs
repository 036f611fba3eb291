//! The published DCQCN reaction point (Zhu et al. 2015) as the loop of `rate_limiter`: `DCQCN` = 1.
//!
//! The pacer, the channels and the sweep are the block's own; what differs is the state of a queue
//! pair, what a CNP does to it and what a visit of the sweep finds due.

pub mod cfg;
pub mod core;
pub mod coverage;
pub mod model;
pub mod random;
pub mod reference;
pub mod replay;
pub mod scenarios;
pub mod steer;
mod visit;
