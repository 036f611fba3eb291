//! What a test run plays: directed scenarios and legs of a random run.

use crate::attributes::AttributeSet;
use crate::stimulus::Stimulus;

/// A scenario that vectors are committed for.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// Name, lower_snake_case; the folder of its vectors.
    pub name: String,
    /// What happens, in a sentence.
    pub doc: &'static str,
    /// Built-in parameter set that it runs on.
    pub build: &'static str,
    /// Rows of "Must be covered" that it is for; a test checks that it hits them.
    pub covers: &'static [&'static str],
    /// Seed, of a random one.
    pub seed: Option<u64>,
    /// What it plays.
    pub leg: Leg,
}

/// A stretch of a run that starts from reset, with attributes of its own.
#[derive(Debug, Clone)]
pub struct Leg {
    /// Attributes of the leg.
    pub attributes: AttributeSet,
    /// What it plays.
    pub stimulus: Stimulus,
}
