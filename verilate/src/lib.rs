//! From SystemVerilog and a port table to something that can be stepped.
//!
//! [`Verilator::find`] and [`Compiler::find`] look for the tools, [`Build`] runs Verilator on the
//! sources of a block, writes the C++ driver from the block's [`Layout`](congruent_ports::Layout),
//! compiles both without make and keeps the result in a [`Cache`] keyed by everything it was made
//! of. `build.rs` (for the RTL of this project, linked in) and run-time builds (other parameters,
//! foreign RTL, in a child process) are two calls of the same code.
//!
//! ```no_run
//! # use congruent_verilate::{Build, Cache, Kind, Tools};
//! # use congruent_ports::{Layout, ParamSet, rate_limiter::BLOCK};
//! # fn main() -> Result<(), congruent_verilate::Error> {
//! # let project = std::path::Path::new(".");
//! let layout = Layout::new(&BLOCK, &ParamSet::defaults(&BLOCK));
//! let tools = Tools::find(project)?;
//! let built = Build::of_block(&layout, &project.join("rtl"), Kind::Executable)
//!     .run(&tools, &Cache::of(project))?;
//! println!("{}", built.artefact.display());
//! # Ok(())
//! # }
//! ```
//!
//! # Timing of a step
//! Row *t* holds what the pins carry in cycle *t*: inputs are driven and settle, outputs are
//! copied as they stand before the rising edge that ends the cycle, then the edge happens. An
//! output with *n* registers behind an input answers *n* rows later.
//!
//! # Threads
//! Verilator keeps its random state per thread. Construct and step each linked model on one fresh
//! thread; an executable is a process of its own and needs no care.

mod build;
mod cache;
mod compile;
mod driver;
mod elaborated;
mod error;
mod find;
mod headers;
mod in_tree;
mod key;
mod lint;
mod lists;
mod map;
mod names;
mod runtime;
mod sources;
mod version;
mod wires;

pub use build::{Build, Built, Kind, Profile, Steps};
pub use cache::Cache;
pub use elaborated::{
    Edge, Member, Module, ParamDecl, Place, PortDecl, Range, Shape, Type, elaborate, top,
};
pub use error::{Error, FindError};
pub use find::{Compiler, Origin, Search, Tool, Tools, Verilator, survey};
pub use in_tree::{InTree, in_tree, name_of};
pub use lint::lint;
pub use lists::Relative;
pub use map::{Clock, End, Piece, Pin, PortMap, Reset, Tie, Wire};
pub use sources::{Sources, nearest};
pub use version::{MINIMUM, Version};
