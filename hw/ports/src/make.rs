//! Short forms of what every table is made of.

use crate::{CoverRow, Field, FieldRole, Quantity, Width};

/// Bits of a `stat_*` counter; it saturates.
pub const STAT_W: u32 = 16;

/// A field that is payload, or a pin.
pub(crate) const fn payload(
    name: &'static str,
    width: Width,
    quantity: Quantity,
    doc: &'static str,
) -> Field {
    Field { name, width, quantity, role: FieldRole::Payload, doc }
}

/// A flag of one bit.
pub(crate) const fn flag(name: &'static str, doc: &'static str) -> Field {
    payload(name, Width::Bits(1), Quantity::Flag, doc)
}

/// A counter that the block shows.
pub(crate) const fn stat(name: &'static str, doc: &'static str) -> Field {
    payload(name, Width::Bits(STAT_W), Quantity::Count, doc)
}

/// A row of "Must be covered".
pub(crate) const fn row(name: &'static str, doc: &'static str) -> CoverRow {
    CoverRow { name, doc }
}
