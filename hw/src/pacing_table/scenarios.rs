//! The directed and random scenarios of `pacing_table` that vectors are committed for.

use crate::scenario::Scenario;

/// All of them, in the order in which they are listed.
pub fn all() -> Vec<Scenario> {
    vec![]
}
