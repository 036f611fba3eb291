//! Congestion control tables: the built-in ones, and any table as beats of channel `cct`.
//!
//! A table from a file comes in through the same channel: columns `index`, `shift`, `multiplier`,
//! the fields of `cct`. After init the hardware holds [`linear`].

use super::core::Row;
use crate::stimulus::{Stimulus, Stream};
use congruent_ports::pacing_table::{BLOCK, MULTIPLIER_W};

/// Largest multiplier.
const MOST: u64 = (1 << MULTIPLIER_W) - 1;

/// Bytes that a packet has on the wire beyond the MTU, as the fabric manager counts.
pub const FABRIC_MANAGER_HEADER: u64 = 40;

/// Row i: shift 0, multiplier i. With it a paced destination gets DataRate ÷ (1 + ccti).
pub fn linear(limit: u64) -> Vec<Row> {
    (0..=limit).map(Row::linear).collect()
}

/// The table that the fabric manager of Omni-Path writes: one shift for all rows, multipliers in
/// proportion to the index, so that row `limit` delays a packet of `mtu` + 40 bytes at `gbps` by
/// `largest_delay_ns`. It starts from shift 3 and takes a smaller one where the last multiplier
/// would not fit 14 bits; every division rounds down. Row 0 is no delay.
pub fn fabric_manager(mtu: u64, gbps: f64, largest_delay_ns: f64, limit: u64) -> Vec<Row> {
    let packet_ns = (mtu + FABRIC_MANAGER_HEADER) as f64 * 8.0 / gbps;
    let mut shift = 3;
    let mut last = (largest_delay_ns * 8.0 / packet_ns).floor() as u64;
    while last > MOST && shift > 0 {
        last /= 2;
        shift -= 1;
    }
    let last = last.min(MOST);
    (0..=limit).map(|index| Row { shift, multiplier: index * last / limit }).collect()
}

/// Puts the rows before a stimulus, one a cycle from cycle 0 on, and the stimulus after them.
pub fn prepend(rows: &[Row], stimulus: &Stimulus) -> Stimulus {
    let mut out = Stimulus::new(&BLOCK);
    let after = rows.len() as u64;
    for (index, row) in rows.iter().enumerate() {
        let payload = [index as u64, u64::from(row.shift), row.multiplier];
        out.push(super::CCT, index as u64, &payload);
    }
    let beats = |stream: &Stream, n: usize| (stream.not_before(n), stream.payload(n).to_vec());
    for (channel, stream) in stimulus.streams.iter().enumerate() {
        for n in 0..stream.len() {
            if let (Some(cycle), payload) = beats(stream, n) {
                out.push(channel, cycle + after, &payload);
            }
        }
    }
    for (control, changes) in stimulus.controls.iter().enumerate() {
        for (cycle, value) in changes {
            out.control(control, cycle + after, *value);
        }
    }
    out.cycles = out.cycles.max(stimulus.cycles + after);
    out
}
