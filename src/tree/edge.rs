//! Edges: moves that may be tried, with how likely the policy finds them.

use std::sync::atomic::{AtomicU32, Ordering};

use super::NodeId;
use crate::shogi::PackedMove;

/// A move, its prior and the node behind it once it has been tried.
#[derive(Debug, Default)]
pub struct Edge {
    /// The move in the lower half, the prior in the upper.
    what: AtomicU32,
    child: AtomicU32,
}

const _: () = assert!(size_of::<Edge>() <= 16);

/// Priors are kept in steps of this part of 1.
const PRIOR_STEPS: f32 = 65_535.0;

impl Edge {
    /// The move.
    #[inline]
    pub fn mv(&self) -> PackedMove {
        PackedMove::from_raw(self.what.load(Ordering::Relaxed) as u16)
    }

    /// How likely the move is by the policy; never quite 0.
    #[inline]
    pub fn prior(&self) -> f32 {
        let steps = self.what.load(Ordering::Relaxed) >> 16;
        (steps as f32 + 0.5) * (1.0 / (PRIOR_STEPS + 1.0))
    }

    /// The node behind it.
    #[inline]
    pub fn child(&self) -> Option<NodeId> {
        NodeId::from_raw(self.child.load(Ordering::Acquire))
    }

    /// Makes it an edge that has not been tried. Under the node's lock.
    pub fn set(&self, mv: PackedMove, prior: f32) {
        let steps = (prior.clamp(0.0, 1.0) * PRIOR_STEPS) as u32;
        self.child.store(0, Ordering::Relaxed);
        self.what.store(steps << 16 | u32::from(mv.raw()), Ordering::Release);
    }

    /// Changes the prior. Under the node's lock.
    pub fn set_prior(&self, prior: f32) {
        let steps = (prior.clamp(0.0, 1.0) * PRIOR_STEPS) as u32;
        self.what.store(steps << 16 | u32::from(self.mv().raw()), Ordering::Release);
    }

    /// Puts a node behind it, or none. Under the node's lock.
    pub fn set_child(&self, child: Option<NodeId>) {
        self.child.store(child.map_or(0, NodeId::raw), Ordering::Release);
    }
}

/// Edges that come together. Not aligned to cache lines: memory with such a demand is not had as fresh zeros.
#[derive(Debug, Default)]
pub struct Block {
    /// The edges.
    pub edges: [Edge; Block::EDGES],
    /// The block after this one, or 0. Of a free block: the next free one.
    pub next: AtomicU32,
}

impl Block {
    /// Edges of a block.
    pub const EDGES: usize = 7;
}

const _: () = assert!(size_of::<Block>() <= 64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edge_keeps_its_move_and_its_prior() {
        let edge = Edge::default();
        let mv = PackedMove::from_raw(0x1234);
        for prior in [0.0, 1e-4, 0.25, 0.999, 1.0] {
            edge.set(mv, prior);
            assert_eq!(edge.mv(), mv);
            assert!((edge.prior() - prior).abs() < 2e-5 && edge.prior() > 0.0, "{prior}");
            assert_eq!(edge.child(), None);
        }
        edge.set_child(NodeId::from_raw(7));
        assert_eq!(edge.child(), NodeId::from_raw(7));
    }
}
