//! From header and records to an ACK: what the two input channels carry, put together.

use super::core::{Ack, Record};
use crate::stimulus::Stream;
use congruent_ports::hpcc_window::MOST_HOPS;

/// An ACK that is complete, with its flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Complete {
    /// Flow of the header.
    pub flow: u64,
    /// Header and records.
    pub ack: Ack,
}

/// The ACK that is being collected, one at a time.
#[derive(Debug, Clone, Default)]
pub struct Collector {
    pending: Complete,
    /// Records that came.
    seen: u64,
    /// Records that are missing.
    missing: u64,
}

impl Collector {
    /// Nothing is being collected.
    pub fn new() -> Self {
        Self::default()
    }

    /// Records that are missing.
    #[inline]
    pub fn missing(&self) -> u64 {
        self.missing
    }

    /// A beat of `ack`: the ACK, where no records follow.
    #[inline]
    pub fn header(&mut self, fields: &[u64]) -> Option<&Complete> {
        self.pending.flow = fields[0];
        self.pending.ack.seq = fields[1];
        self.pending.ack.snd_nxt = fields[2];
        self.pending.ack.path = fields[3];
        self.pending.ack.hops = fields[4];
        self.seen = 0;
        self.missing = fields[4];
        (self.missing == 0).then_some(&self.pending)
    }

    /// A beat of `hop`: the ACK, where it was the last one. Records beyond the fifth are dropped, as
    /// is one that no header asked for.
    #[inline]
    pub fn record(&mut self, fields: &[u64]) -> Option<&Complete> {
        if self.missing == 0 {
            return None;
        }
        if self.seen < MOST_HOPS as u64 {
            self.pending.ack.records[self.seen as usize] = record_of(fields);
        }
        self.seen += 1;
        self.missing -= 1;
        (self.missing == 0).then_some(&self.pending)
    }
}

/// The payload of a `hop` beat.
#[inline]
pub fn record_of(fields: &[u64]) -> Record {
    Record { rate: fields[0], ts: fields[1], tx_bytes: fields[2], qlen: fields[3] }
}

/// The ACKs of two streams, with the cycle in which each takes effect where nothing but the unit
/// itself holds them up: a header and its records come one a cycle, and an ACK of h hops takes
/// max(h, 1) + 1 cycles. An ACK whose records are not all there is left out, with all behind it.
pub fn arrivals(headers: &Stream, records: &Stream) -> Vec<(u64, Complete)> {
    let mut collector = Collector::new();
    let (mut arrived, mut record, mut free) = (vec![], 0, 0);
    for n in 0..headers.len() {
        let Some(offered) = headers.not_before(n) else { break };
        let mut cycle = offered.max(free);
        if let Some(complete) = collector.header(headers.payload(n)) {
            arrived.push((cycle, *complete));
            free = cycle + 2;
            continue;
        }
        while collector.missing() > 0 {
            let Some(offered) = records.not_before(record) else { return arrived };
            cycle = offered.max(cycle + 1);
            if let Some(complete) = collector.record(records.payload(record)) {
                arrived.push((cycle, *complete));
            }
            record += 1;
        }
        free = cycle + 1;
    }
    arrived
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ack_is_complete_with_its_last_record() {
        let mut collector = Collector::new();
        assert_eq!(collector.header(&[3, 1, 2, 7, 0]).expect("no records").flow, 3);
        assert!(collector.header(&[4, 1, 2, 7, 2]).is_none());
        assert!(collector.record(&[9, 10, 11, 12]).is_none());
        let complete = *collector.record(&[13, 14, 15, 16]).expect("the last one");
        assert_eq!((complete.flow, complete.ack.hops), (4, 2));
        assert_eq!(complete.ack.records[0], record_of(&[9, 10, 11, 12]));
        assert_eq!(complete.ack.records[1], record_of(&[13, 14, 15, 16]));
        assert!(collector.record(&[1, 1, 1, 1]).is_none(), "nobody asked");
    }

    #[test]
    fn more_records_than_hops_are_counted_and_dropped() {
        let mut collector = Collector::new();
        collector.header(&[0, 0, 0, 0, 15]);
        for n in 0..14 {
            assert!(collector.record(&[n, 0, 0, 0]).is_none());
        }
        let complete = collector.record(&[99, 0, 0, 0]).expect("the fifteenth");
        assert_eq!(complete.ack.records[4].rate, 4);
    }
}
