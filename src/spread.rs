//! Independent pieces of work, spread over the cores.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Cores that this program may use.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Calls `work` with every number below `count`, as many at a time as there are cores, and returns
/// the results in order. A piece that is handed out is the lowest that is left: large ones belong
/// first.
pub fn spread<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let cores = cores().min(count);
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut done = vec![];
        loop {
            let n = next.fetch_add(1, Ordering::Relaxed);
            if n >= count {
                return done;
            }
            done.push((n, work(n)));
        }
    };
    let mut all = thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(worker)).collect();
        let mut all = Vec::with_capacity(count);
        for worker in workers {
            // A piece that ends by a fault ends the caller by the same one.
            all.extend(worker.join().unwrap_or_else(|fault| std::panic::resume_unwind(fault)));
        }
        all
    });
    all.sort_by_key(|(n, _)| *n);
    all.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_and_each_piece_once() {
        let calls = AtomicUsize::new(0);
        let squares = spread(1000, |n| {
            calls.fetch_add(1, Ordering::Relaxed);
            n * n
        });
        assert_eq!(squares, (0..1000).map(|n| n * n).collect::<Vec<_>>());
        assert_eq!(calls.into_inner(), 1000);
        assert!(spread(0, |n| n).is_empty());
    }
}
