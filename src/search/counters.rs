//! What the workers of a search count. Each counts for itself: a number that all of them change at every playout is always on its
//! way from one core to another.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

/// Playouts a worker may begin at a time while many are left.
const AT_A_TIME: u64 = 16;

/// So many are left where that would leave others idle in the end.
const FEW: u64 = 32 * AT_A_TIME;

/// On cache lines of its own.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Apart<T>(T);

/// What one worker has done.
#[derive(Debug, Default)]
struct Done {
    playouts: AtomicU64,
    /// Its longest path.
    deepest: AtomicU32,
}

/// What all workers have done, and whether they are to go on.
#[derive(Debug)]
pub struct Counters {
    begun: Apart<AtomicU64>,
    halt: Apart<AtomicBool>,
    done: Box<[Apart<Done>]>,
}

impl Counters {
    /// For so many workers.
    pub fn new(workers: usize) -> Self {
        Self {
            begun: Apart::default(),
            halt: Apart::default(),
            done: std::iter::repeat_with(Apart::default).take(workers).collect(),
        }
    }

    /// Playouts ended in this search.
    pub fn playouts(&self) -> u64 {
        self.done.iter().map(|done| done.0.playouts.load(Ordering::Relaxed)).sum()
    }

    /// Longest path so far.
    pub fn deepest(&self) -> u32 {
        self.done.iter().map(|done| done.0.deepest.load(Ordering::Relaxed)).max().unwrap_or(0)
    }

    /// The worker of this number has ended a playout after a path of this length. Nobody else changes its numbers.
    #[inline]
    pub fn count(&self, worker: usize, depth: u32) {
        let Done { playouts, deepest } = &self.done[worker].0;
        playouts.store(playouts.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        if depth > deepest.load(Ordering::Relaxed) {
            deepest.store(depth, Ordering::Relaxed);
        }
    }

    /// How many playouts a worker may begin, where there are to be `most` in all.
    pub fn begin(&self, most: u64) -> u64 {
        let begun = &self.begun.0;
        let few = most.saturating_sub(begun.load(Ordering::Relaxed)) < FEW;
        let wanted = if few { 1 } else { AT_A_TIME };
        most.saturating_sub(begun.fetch_add(wanted, Ordering::Relaxed)).min(wanted)
    }

    /// Playouts that were begun but not made may be begun again. While nobody works.
    pub fn settle(&self) {
        self.begun.0.store(self.playouts(), Ordering::Relaxed);
    }

    /// Workers end when this is set.
    pub fn set_halt(&self, halt: bool) {
        self.halt.0.store(halt, Ordering::Relaxed);
    }

    /// Whether to end.
    #[inline]
    pub fn is_halted(&self) -> bool {
        self.halt.0.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_begin_than_are_wanted_however_many_ask() {
        let counters = Counters::new(4);
        let most = 5000;
        std::thread::scope(|scope| {
            for worker in 0..4 {
                let counters = &counters;
                scope.spawn(move || {
                    loop {
                        let left = counters.begin(most);
                        (0..left).for_each(|_| counters.count(worker, worker as u32));
                        if left == 0 {
                            break;
                        }
                    }
                });
            }
        });
        assert_eq!((counters.playouts(), counters.deepest()), (most, 3));
        assert_eq!(counters.begin(most), 0);
        counters.settle();
        assert_eq!(counters.begin(most + 1), 1);
    }
}
