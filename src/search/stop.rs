//! When to stop, and which moves of the root need no more playouts.

use std::time::Duration;

use super::choice::RootMove;
use super::formulas::{can_catch_up, is_unclear};
use super::{Control, Task};
use crate::tree::Proof;

/// Before this part of the time is over nothing but a proof ends a search: the rate is not known and all is open.
const EARLIEST: u32 = 10;

/// Playouts after which an only move is played.
const ONLY_MOVE: u64 = 64;

/// How far a search may go.
pub struct Stopping<'a> {
    control: &'a Control,
    nodes: Option<u64>,
    depth: Option<u32>,
    /// Lines that are wanted.
    lines: usize,
    /// Times its share that a move may take where the choice is not clear.
    extension: f32,
    /// What the root was worth when the last move was chosen, for the side to move.
    hoped: Option<f32>,
    /// Whether losers are cut and certain choices not waited for.
    cut: bool,
    /// Whether a search of so many nodes may end before, when no other move can have the most visits any more.
    sure: bool,
}

/// What to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Go on; moves that cannot have this many visits in the end get no more playouts.
    GoOn {
        /// Playouts that are left, as far as that is known.
        left: u64,
    },
    /// Stop.
    Stop,
}

impl<'a> Stopping<'a> {
    /// The rules for a task.
    pub fn new(
        control: &'a Control,
        task: &Task,
        lines: usize,
        extension: f32,
        hoped: Option<f32>,
        cut: bool,
    ) -> Self {
        Self { control, nodes: task.nodes, depth: task.depth, lines, extension, hoped, cut, sure: false }
    }

    /// The same, but a search of so many nodes may end when no other move can have the most visits any more.
    #[must_use]
    pub fn when_sure(self, sure: bool) -> Self {
        Self { sure, ..self }
    }

    /// Whether to stop at once, whatever was found. Reads the clock.
    pub fn must_stop(&self) -> bool {
        self.control.must_stop()
    }

    /// The most playouts.
    pub fn most(&self) -> u64 {
        self.nodes.unwrap_or(u64::MAX)
    }

    /// What to do after so many playouts, with the root's moves in order.
    pub fn decide(&self, playouts: u64, moves: &[RootMove], line: u32) -> Decision {
        let Some(best) = moves.first() else { return Decision::Stop };
        let decided = matches!(best.proof, Proof::Lost(_))
            || moves.iter().all(|found| found.proof.is_certain())
            || self.depth.is_some_and(|depth| line >= depth)
            || playouts >= self.most();
        if self.must_stop() || decided {
            return Decision::Stop;
        }
        let left = self.nodes.map_or(u64::MAX, |nodes| nodes - playouts);
        if self.sure && self.lines == 1 && !is_overtaken(moves, left) {
            return Decision::Stop;
        }
        let Some((soft, hard)) = self.control.limits() else { return Decision::GoOn { left } };
        let elapsed = self.control.elapsed();
        let second = moves.get(1).filter(|found| !found.loses());
        let one_left = second.is_none() && self.lines == 1;
        if one_left && playouts >= ONLY_MOVE && self.cut {
            return Decision::Stop;
        }
        let most = if playouts > 0 && self.is_unclear(best, second) {
            hard.min(soft.mul_f32(self.extension))
        } else {
            soft
        };
        if elapsed >= most {
            return Decision::Stop;
        }
        if elapsed * EARLIEST < soft {
            return Decision::GoOn { left };
        }
        let left = left.min(playouts_in(most.saturating_sub(elapsed), playouts, elapsed));
        // Where the time is exact, as for `go movetime`, nothing is saved by an early answer.
        if self.cut && self.lines == 1 && !is_overtaken(moves, left) && soft < hard {
            return Decision::Stop;
        }
        Decision::GoOn { left }
    }

    fn is_unclear(&self, best: &RootMove, second: Option<&RootMove>) -> bool {
        let second = second.map(|found| (found.visits, found.mean));
        is_unclear((best.visits, best.mean), second, self.hoped)
    }

    /// The visits a move must be able to reach to get more playouts.
    pub fn needed(&self, moves: &[RootMove]) -> u32 {
        if !self.cut {
            return 0;
        }
        // What is known to lose is nobody's rival, however often it was tried.
        let mut visits: Vec<u32> =
            moves.iter().filter(|found| !found.loses()).map(|found| found.visits).collect();
        visits.sort_unstable_by_key(|&visits| std::cmp::Reverse(visits));
        visits.get(self.lines.max(1) - 1).copied().unwrap_or(0)
    }
}

/// Whether another move can still have more visits than the first.
fn is_overtaken(moves: &[RootMove], left: u64) -> bool {
    let rival = moves.iter().skip(1).filter(|found| !found.loses()).map(|found| found.visits).max();
    rival.is_some_and(|visits| can_catch_up(visits, moves[0].visits, left))
}

/// Playouts in a time at the rate so far.
fn playouts_in(time: Duration, playouts: u64, elapsed: Duration) -> u64 {
    let rate = playouts as f64 / elapsed.as_secs_f64().max(1e-3);
    // A little more, because the rate varies.
    (1.2 * rate * time.as_secs_f64()) as u64 + 16
}
