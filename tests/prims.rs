//! The shared primitives of `rtl/prim/`, each verilated alone and held in lock-step against its
//! model in `hw/src/prim/`, or a few plain lines: random and directed operations, every output of
//! every cycle. Bugs are planted in each to see the check fail.

#[path = "prims/arithmetic.rs"]
mod arithmetic;
#[path = "prims/bench.rs"]
mod bench;
#[path = "prims/lru.rs"]
mod lru;
#[path = "prims/search.rs"]
mod search;
#[path = "prims/sweep.rs"]
mod sweep;
