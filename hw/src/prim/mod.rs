//! Models of the shared primitives: what the modules of `rtl/prim/` of the same name do, without
//! their pipelines. Golden models use them; `tests/prims.rs` holds the RTL against them.

pub mod lfsr;
pub mod lru;
pub mod sweep;

pub use lru::Lru;
pub use sweep::Sweep;
