//! Congruent: golden models of congestion-control hardware in lock-step with SystemVerilog.

pub mod dut;
