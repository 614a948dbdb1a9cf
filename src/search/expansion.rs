//! Which moves a node has and how likely they are: the tree's use of the policy.

use arrayvec::ArrayVec;
use std::sync::Arc;

use super::formulas::Formulas;
use crate::eval::Network;
use crate::policy::narrowing::MOST;
use crate::policy::{Moment, Policy};
use crate::shogi::{Move, MoveList, PackedMove, Walker, legal_moves, useful_moves};
use crate::tree::edge::Block;
use crate::tree::{Arena, NodeId, Proof};

/// With so few moves all of them get edges at once: in check every one has to be seen to lose.
const FEW: usize = 2 * Block::EDGES;

/// What expansions go by.
pub struct Expansion {
    /// Says how likely moves are; candidates are flattened as in the tree.
    pub policy: Policy,
    /// Says how far the game has come.
    pub network: Arc<Network>,
    /// Whether refusals to promote are moves too.
    pub all_legal_moves: bool,
}

type Priors = ArrayVec<(PackedMove, f32), MOST>;

impl Expansion {
    fn moves(&self, walker: &Walker, list: &mut MoveList) {
        if self.all_legal_moves {
            legal_moves(walker.position(), list);
        } else {
            useful_moves(walker.position(), list);
        }
    }

    /// Gives a node the likeliest of its moves. Under the node's lock, with the walker at its position.
    pub fn expand(&self, arena: &Arena, id: NodeId, walker: &mut Walker, formulas: &Formulas) {
        let mut moves = MoveList::new();
        self.moves(walker, &mut moves);
        if moves.is_empty() {
            return arena.node(id).prove(Proof::Lost(0));
        }
        let mut priors = self.likeliest(walker, &moves);
        let count = if moves.len() <= FEW { moves.len() } else { Block::EDGES };
        if priors.len() < count {
            return self.add_rest(arena, id, walker, &moves, count, formulas.flattening(false));
        }
        let count = count.min(priors.len());
        if count < priors.len() {
            priors.select_nth_unstable_by(count - 1, by_prior);
        }
        priors[..count].sort_unstable_by(by_prior);
        arena.add_edges(id, moves.len(), priors.iter().take(count).copied());
    }

    /// The likeliest moves in any order, with flattened probabilities that are nearly those among all.
    fn likeliest(&self, walker: &mut Walker, moves: &[Move]) -> Priors {
        let moment = Moment::of_game(self.network.progress(walker.position()));
        let candidates = self.policy.candidates_among(walker, moment, moves);
        candidates.iter().map(|(mv, prior)| (mv.to_move(), prior)).collect()
    }

    /// Gives a node as many edges again as it has, or all that are left. Under the node's lock.
    pub fn widen(&self, arena: &Arena, id: NodeId, walker: &mut Walker, formulas: &Formulas) {
        let mut moves = MoveList::new();
        self.moves(walker, &mut moves);
        let count = arena.node(id).stored().max(Block::EDGES);
        self.add_rest(arena, id, walker, &moves, count, formulas.flattening(false));
    }

    /// Gives a node all its edges, and others for moves of `extra` that are not among them, and flattens the priors as at a
    /// root. While nobody else works on the tree.
    pub fn make_root(&self, arena: &Arena, id: NodeId, walker: &Walker, extra: &[Move], formulas: &Formulas) {
        let walker = &mut walker.fork();
        let mut moves = MoveList::new();
        self.moves(walker, &mut moves);
        let mut all = moves.to_vec();
        all.extend(extra.iter().filter(|mv| !moves.contains(mv)));
        let exponent = formulas.flattening(true);
        self.add_rest(arena, id, walker, &all, all.len(), exponent);
        let priors = self.flattened(walker, &all, exponent);
        for edge in arena.all_edges(id) {
            if let Some(place) = all.iter().position(|mv| mv.to_move() == edge.mv()) {
                edge.set_prior(priors[place]);
            }
        }
    }

    /// The probability of each of `moves`.
    fn flattened(&self, walker: &mut Walker, moves: &[Move], exponent: f32) -> Vec<f32> {
        let moment = Moment::of_game(self.network.progress(walker.position()));
        let mut priors = self.policy.distribution(walker, moment, moves);
        for prior in &mut priors {
            *prior = prior.powf(exponent);
        }
        let sum: f32 = priors.iter().sum();
        for prior in &mut priors {
            *prior /= sum;
        }
        priors
    }

    /// Adds the likeliest `count` of the moves that a node has no edges for yet. Rare enough to allocate.
    fn add_rest(
        &self,
        arena: &Arena,
        id: NodeId,
        walker: &mut Walker,
        moves: &[Move],
        count: usize,
        exponent: f32,
    ) {
        let priors = self.flattened(walker, moves, exponent);
        let there: Vec<PackedMove> = arena.all_edges(id).map(crate::tree::Edge::mv).collect();
        let mut rest: Vec<(PackedMove, f32)> =
            moves.iter().map(|mv| mv.to_move()).zip(priors).filter(|(mv, _)| !there.contains(mv)).collect();
        rest.sort_unstable_by(by_prior);
        // Edges of extra moves are moves too.
        let total = moves.len().max(there.len() + rest.len());
        arena.add_edges(id, total, rest.into_iter().take(count));
    }
}

/// Likelier first; equals by move, so that the order is always the same.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "sorting hands out references")]
fn by_prior(a: &(PackedMove, f32), b: &(PackedMove, f32)) -> std::cmp::Ordering {
    b.1.total_cmp(&a.1).then(a.0.raw().cmp(&b.0.raw()))
}
