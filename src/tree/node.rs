//! Nodes: what was found behind a move.

use std::sync::atomic::{AtomicI64, AtomicU16, AtomicU32, AtomicU64, Ordering};

use super::Proof;

/// A reward of 1 in sums: whole numbers add up the same in any order.
const UNIT: f64 = (1_u64 << 30) as f64;

/// A squared reward of 1 in sums.
const SQUARE_UNIT: f64 = (1_u64 << 24) as f64;

/// A node. Its values are for the side that moved here, so that a parent compares its children as they are.
#[derive(Debug, Default)]
pub struct Node {
    /// Rewards of all playouts through here.
    sum: AtomicI64,
    /// And their squares.
    squares: AtomicU64,
    /// Playouts through here that have ended.
    visits: AtomicU32,
    /// Of these, the ones that ended in this very node.
    own: AtomicU32,
    /// Playouts through here under way.
    in_flight: AtomicU32,
    proof: AtomicU32,
    /// The first block of edges, or 0 before the node is expanded. Of a free node: the next free one.
    pub(super) block: AtomicU32,
    /// Edges that stand in blocks.
    stored: AtomicU16,
    /// Moves there are, once expanded.
    moves: AtomicU16,
    /// One more than the place of the last edge that has been tried.
    reached: AtomicU16,
    /// How often a mate was looked for from here by proof numbers.
    hunted: AtomicU16,
}

const _: () = assert!(size_of::<Node>() <= 64);

/// The statistics of a node as a selection sees them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Playouts that have ended.
    pub visits: u32,
    /// Playouts under way.
    pub in_flight: u32,
    /// Sum of rewards.
    pub sum: f64,
}

impl Node {
    /// Begins anew.
    pub(super) fn reset(&self) {
        self.sum.store(0, Ordering::Relaxed);
        self.squares.store(0, Ordering::Relaxed);
        for counter in [&self.visits, &self.own, &self.in_flight, &self.proof, &self.block] {
            counter.store(0, Ordering::Relaxed);
        }
        for counter in [&self.stored, &self.moves, &self.reached, &self.hunted] {
            counter.store(0, Ordering::Relaxed);
        }
    }

    /// A playout comes through.
    #[inline]
    pub fn enter(&self) {
        self.in_flight.fetch_add(1, Ordering::Relaxed);
    }

    /// A playout that came through has ended with this reward for the side that moved here; `here` where it ended in
    /// this node.
    #[inline]
    pub fn leave(&self, reward: f32, here: bool) {
        let reward = f64::from(reward);
        self.sum.fetch_add((reward * UNIT) as i64, Ordering::Relaxed);
        self.squares.fetch_add((reward * reward * SQUARE_UNIT) as u64, Ordering::Relaxed);
        if here {
            self.own.fetch_add(1, Ordering::Relaxed);
        }
        self.visits.fetch_add(1, Ordering::Relaxed);
        self.in_flight.fetch_sub(1, Ordering::Relaxed);
    }

    /// What a selection needs.
    #[inline]
    pub fn statistics(&self) -> Statistics {
        Statistics {
            visits: self.visits(),
            in_flight: self.in_flight.load(Ordering::Relaxed),
            sum: self.sum.load(Ordering::Relaxed) as f64 / UNIT,
        }
    }

    /// Playouts that have ended.
    #[inline]
    pub fn visits(&self) -> u32 {
        self.visits.load(Ordering::Relaxed)
    }

    /// Playouts under way.
    pub fn in_flight(&self) -> u32 {
        self.in_flight.load(Ordering::Relaxed)
    }

    /// Playouts that ended in this node itself.
    pub fn own(&self) -> u32 {
        self.own.load(Ordering::Relaxed)
    }

    /// The mean reward for the side that moved here; 0 before the first playout.
    pub fn mean(&self) -> f32 {
        let visits = self.visits();
        if visits == 0 {
            return 0.0;
        }
        (self.sum.load(Ordering::Relaxed) as f64 / UNIT / f64::from(visits)) as f32
    }

    /// The variance of rewards.
    pub fn variance(&self) -> f32 {
        let visits = self.visits();
        if visits == 0 {
            return 0.0;
        }
        let squares = self.squares.load(Ordering::Relaxed) as f64 / SQUARE_UNIT / f64::from(visits);
        let mean = f64::from(self.mean());
        (squares - mean * mean).max(0.0) as f32
    }

    /// What is proved for the side to move.
    #[inline]
    pub fn proof(&self) -> Proof {
        Proof::unpack(self.proof.load(Ordering::Relaxed))
    }

    /// Remembers what is proved. A proof is never taken back for less, and a shorter mate replaces a longer one.
    pub fn prove(&self, proof: Proof) {
        let _ = self.proof.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |bits| {
            let better = match (Proof::unpack(bits), proof) {
                (Proof::Won(old), Proof::Won(new)) => new < old,
                (old, new) => !old.is_certain() && new.is_certain() || old == Proof::Open,
            };
            better.then(|| proof.pack())
        });
    }

    /// Whether it has edges.
    #[inline]
    pub fn is_expanded(&self) -> bool {
        self.stored.load(Ordering::Acquire) > 0
    }

    /// Edges that stand ready.
    #[inline]
    pub fn stored(&self) -> usize {
        usize::from(self.stored.load(Ordering::Acquire))
    }

    /// Moves there are, known once expanded.
    #[inline]
    pub fn moves(&self) -> usize {
        usize::from(self.moves.load(Ordering::Relaxed))
    }

    /// Edges to look at before nothing has been tried any more.
    #[inline]
    pub fn reached(&self) -> usize {
        usize::from(self.reached.load(Ordering::Acquire))
    }

    /// The edge at a place has been tried. Under the lock.
    pub fn reach(&self, place: usize) {
        let reached = (place + 1).min(usize::from(u16::MAX)) as u16;
        self.reached.fetch_max(reached, Ordering::Release);
    }

    /// So many edges stand ready, of so many moves. Under the lock.
    pub(super) fn set_stored(&self, stored: usize, moves: usize) {
        self.moves.store(moves as u16, Ordering::Relaxed);
        self.stored.store(stored as u16, Ordering::Release);
    }

    /// How often a mate was looked for from here.
    pub fn hunted(&self) -> u16 {
        self.hunted.load(Ordering::Relaxed)
    }

    /// A mate was looked for from here once more.
    pub fn hunt(&self) {
        self.hunted.fetch_add(1, Ordering::Relaxed);
    }

    /// Becomes a leaf whose playouts all count as its own. Only while nobody else works on the tree.
    pub(super) fn collapse(&self) {
        self.block.store(0, Ordering::Relaxed);
        for counter in [&self.stored, &self.moves, &self.reached] {
            counter.store(0, Ordering::Relaxed);
        }
        self.own.store(self.visits(), Ordering::Relaxed);
    }

    /// Takes over the playouts of an only child, which see it from the other side. Only while nobody else works on
    /// the tree.
    pub fn adopt(&self, child: &Self) {
        self.sum.fetch_sub(child.sum.load(Ordering::Relaxed), Ordering::Relaxed);
        self.squares.fetch_add(child.squares.load(Ordering::Relaxed), Ordering::Relaxed);
        self.visits.fetch_add(child.visits(), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_add_up() {
        let node = Node::default();
        for reward in [1.0, -0.5, 0.25] {
            node.enter();
            node.leave(reward, true);
        }
        node.enter();
        let seen = node.statistics();
        assert_eq!((seen.visits, seen.in_flight, node.own()), (3, 1, 3));
        assert!((node.mean() - 0.25).abs() < 1e-6);
        assert!((node.variance() - (1.3125 / 3.0 - 0.0625)).abs() < 1e-5);
        node.leave(0.0, true);
        assert_eq!(node.in_flight(), 0);
    }

    #[test]
    fn proofs_only_get_better() {
        let node = Node::default();
        node.prove(Proof::Won(5));
        node.prove(Proof::Won(7));
        assert_eq!(node.proof(), Proof::Won(5));
        node.prove(Proof::Won(3));
        assert_eq!(node.proof(), Proof::Won(3));
        node.prove(Proof::Open);
        assert_eq!(node.proof(), Proof::Won(3));
    }
}
