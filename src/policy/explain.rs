//! Why moves are likely: their probabilities with the features that speak for and against them.

use std::fmt::Write;

use super::describe::describe;
use super::{Moment, Policy, Scene};
use crate::shogi::{MoveList, Walker, legal_moves};

/// Features shown for each move.
const SHOWN: usize = 5;

/// The likeliest moves of a position, a line each: rank, move, probability, probability of all so far, and probability
/// among the candidates; below it the features of largest weight.
pub fn explain(policy: &Policy, walker: &mut Walker, moment: Moment, most: usize) -> String {
    let mut moves = MoveList::new();
    legal_moves(walker.position(), &mut moves);
    let probabilities = policy.distribution(walker, moment, &moves);
    let candidates = policy.candidates_among(walker, moment, &moves);
    let weights = policy.transition_weights().at(moment);
    let scene = Scene::new(walker, weights.look);
    let mut order: Vec<usize> = (0..moves.len()).collect();
    order.sort_by(|&a, &b| probabilities[b].total_cmp(&probabilities[a]));
    let mut text = format!("{} legal moves, {} candidates\n", moves.len(), candidates.len());
    let mut held = 0.0;
    for (rank, &i) in order.iter().take(most).enumerate() {
        held += probabilities[i];
        let kept = candidates.iter().find(|(mv, _)| *mv == moves[i]);
        let kept = kept.map_or("-".to_owned(), |(_, probability)| format!("{:.1}", 100.0 * probability));
        let _ = writeln!(
            text,
            "{:>3}  {:<6}{:>6.2} %{:>8.1} %{kept:>8}",
            rank + 1,
            moves[i].to_usi(),
            100.0 * probabilities[i],
            100.0 * held
        );
        let mut features = Vec::new();
        scene.visit(moves[i], |feature| {
            features.push((f32::from(*weights.any(feature)) / weights.unit, feature));
        });
        features.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()));
        for (weight, feature) in features.iter().take(SHOWN) {
            let _ = writeln!(text, "       {weight:>+6.2}  {}", describe(*feature));
        }
    }
    text
}
