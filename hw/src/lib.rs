//! Congestion-control hardware in Rust: references, atomic fixed-point cores, golden models.

pub mod attributes;
pub mod cover;
pub mod delay;
pub mod ecn_marker;
pub mod fixed;
pub mod hpcc_window;
pub mod in_order;
pub mod notification_point;
pub mod nscc_window;
pub mod pacing_table;
pub mod perf;
pub mod pfc_threshold;
pub mod prim;
pub mod random;
pub mod rate_limiter;
pub mod rules;
pub mod scenario;
pub mod stats;
pub mod steered;
pub mod stimulus;
pub mod unit;

pub use cover::Cover;

/// A golden model: one call a cycle, outputs as the RTL's pins show them in that cycle.
pub trait Golden: Send {
    /// Back to cycle 0, as after reset and init sweep.
    fn reset(&mut self);

    /// One cycle. `inputs` and `outputs` are rows as `congruent_ports::Layout` orders them;
    /// payload of an output channel whose valid is 0 is left as it was.
    fn step(&mut self, inputs: &[u64], outputs: &mut [u64]);

    /// Whether no answer to an event is on its way. (A loop that runs by itself goes on.)
    fn drained(&self) -> bool;

    /// How often each row of "Must be covered" happened since it was made.
    fn cover(&self) -> &Cover;
}
