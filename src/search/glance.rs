//! What moves are worth at a glance: once what hangs has been taken, and with a mate in one seen by either side.

use std::sync::Arc;

use crate::eval::quiescence::quiescence;
use crate::eval::{CP_SCALE, MATE, MATE_BOUND, Network, NetworkEvaluator, Scales};
use crate::shogi::{Move, Walker};

/// A move that is worth so many centipawns less than the best, or is mated, is as bad as can be.
const WORST: i32 = 3000;

/// What each move is worth beside the best of them, in units of a win rate's logit: 0 for the best.
pub fn worths(walker: &Walker, network: &Arc<Network>, moves: &[Move]) -> Vec<f32> {
    let mut scales = Scales::new(walker.fork(), NetworkEvaluator::new(Arc::clone(network)));
    let values: Vec<i32> = moves
        .iter()
        .map(|&mv| {
            scales.apply(mv);
            let value = -quiescence(&mut scales, -MATE, MATE);
            scales.undo();
            value
        })
        .collect();
    let best = values.iter().copied().max().unwrap_or(0).min(MATE_BOUND);
    let behind = |value: i32| if value < -MATE_BOUND { WORST } else { (best - value).clamp(0, WORST) };
    values.into_iter().map(|value| -(behind(value) as f32) / CP_SCALE).collect()
}
