//! The one thread-safe handle between whoever runs a search and the search itself.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::clock::Budget;

/// Tells a search when to stop. Made anew for every `go`.
#[derive(Debug)]
pub struct Control {
    stop: AtomicBool,
    begun: Instant,
    /// Milliseconds after `begun`; `NEVER` while there is no limit.
    soft: AtomicU64,
    hard: AtomicU64,
    /// Whether a game is played by the clock, so that a player may take his time.
    by_clock: AtomicBool,
}

const NEVER: u64 = u64::MAX;

/// Whoever waits looks this often whether to go on.
const BETWEEN_LOOKS: Duration = Duration::from_millis(5);

impl Control {
    /// A search that began at `begun` and has all the time in the world until [`Control::set_budget`].
    pub fn new(begun: Instant) -> Self {
        Self {
            stop: AtomicBool::new(false),
            begun,
            soft: AtomicU64::new(NEVER),
            hard: AtomicU64::new(NEVER),
            by_clock: AtomicBool::new(false),
        }
    }

    /// Says that the search is for a move of a game by the clock.
    pub fn play_by_the_clock(&self) {
        self.by_clock.store(true, Ordering::Relaxed);
    }

    /// In a game by the clock, lets a share of the time meant for this move go by, unless somebody says stop.
    pub fn take_time(&self, share: f32) {
        let Some((soft, _)) = self.limits().filter(|_| self.by_clock.load(Ordering::Relaxed)) else { return };
        let until = soft.mul_f32(share.clamp(0.0, 1.0));
        while !self.should_stop()
            && let Some(left) = until.checked_sub(self.elapsed()).filter(|left| !left.is_zero())
        {
            std::thread::sleep(left.min(BETWEEN_LOOKS));
        }
    }

    /// Limits the time; counted from `from`, which is later than the beginning after a ponder hit.
    pub fn set_budget(&self, budget: Budget, from: Instant) {
        let offset = from.saturating_duration_since(self.begun);
        self.soft.store(millis(offset + budget.soft), Ordering::Relaxed);
        self.hard.store(millis(offset + budget.hard), Ordering::Relaxed);
    }

    /// Ends the search as soon as possible.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the search must end now. Cheap, but it reads the clock: ask every few hundred nodes.
    pub fn must_stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.passed(&self.hard)
    }

    /// Whether the time meant for this move is over: end where it does no harm.
    pub fn should_stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.passed(&self.soft)
    }

    /// The flag alone, for work that knows no time.
    pub fn stop_flag(&self) -> &AtomicBool {
        &self.stop
    }

    /// When the search must have ended, if ever.
    pub fn deadline(&self) -> Option<Instant> {
        match self.hard.load(Ordering::Relaxed) {
            NEVER => None,
            ms => Some(self.begun + Duration::from_millis(ms)),
        }
    }

    /// The time meant for this move and the time it must have ended by, since `go`; nothing where there is no limit.
    pub fn limits(&self) -> Option<(Duration, Duration)> {
        let [soft, hard] = [&self.soft, &self.hard].map(|limit| limit.load(Ordering::Relaxed));
        (hard != NEVER).then(|| (Duration::from_millis(soft), Duration::from_millis(hard)))
    }

    /// Whether somebody has said stop.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Time since `go`.
    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    fn passed(&self, limit: &AtomicU64) -> bool {
        let limit = limit.load(Ordering::Relaxed);
        limit != NEVER && millis(self.elapsed()) >= limit
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).map_or(NEVER - 1, |ms| ms.min(NEVER - 1))
}
