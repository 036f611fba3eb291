//! The `stat_*` counters of a block: they saturate at all ones.

use congruent_ports::STAT_W;

/// Where a counter stops.
pub const STAT_MOST: u64 = (1 << STAT_W) - 1;

/// One more.
#[inline]
pub fn count(counter: &mut u64) {
    *counter += u64::from(*counter < STAT_MOST);
}
