//! How likely the played moves are, and where the strengths of features should go to make them likelier.
//!
//! A move is as strong as the product of the strengths of its features, and is played as often as its share in the
//! strength of all moves: the generalised Bradley–Terry model. Strengths are kept by their logarithms θ, which add. A
//! feature that a move has twice counts twice.

use rayon::prelude::*;
use std::ops::{ControlFlow, Range};

use super::examples::{Example, Examples};

/// Parts of a sum over the examples, however many cores share them: the result must not depend on their number.
const PARTS: usize = 16;

/// Numbers of a sum worth giving to another core.
const SHARE: usize = 1 << 13;

/// θ of the strongest feature there may be; no data is enough to tell such a feature from a stronger one, and the
/// strength of any move remains a number.
pub const LARGEST: f64 = 20.0;

/// Where an optimiser has come.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// How many steps it has taken, from 1.
    pub number: usize,
    /// The loss there.
    pub loss: f64,
    /// The logarithms of the strengths there, for [`loss`] over other examples.
    pub theta: &'a [f64],
}

/// For optimisers that nobody watches.
pub fn unwatched(_: Step) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// The mean over all positions of −ln p, p the probability of the played move.
///
/// # Panics
/// Where `theta` has not a number for each feature.
pub fn loss<T: Copy + Into<f64> + Sync>(examples: &Examples, theta: &[T]) -> f64 {
    assert_eq!(theta.len(), examples.feature_count(), "a number for each feature");
    let sums = in_parts(examples, |positions| {
        let mut strengths = Vec::new();
        positions.map(|number| surprise(&examples.get(number), theta, &mut strengths)).sum::<f64>()
    });
    sums.iter().sum::<f64>() / examples.len().max(1) as f64
}

/// The loss, and its derivatives by θ.
///
/// # Panics
/// Where `theta` or `gradient` has not a number for each feature.
pub fn loss_and_gradient<T: Copy + Into<f64> + Sync>(
    examples: &Examples,
    theta: &[T],
    gradient: &mut [f64],
) -> f64 {
    assert_eq!(theta.len(), examples.feature_count(), "a number for each feature");
    assert_eq!(gradient.len(), examples.feature_count(), "a derivative for each feature");
    let parts = in_parts(examples, |positions| {
        let mut derivatives = vec![0.0; theta.len()];
        let mut strengths = Vec::new();
        let mut sum = 0.0;
        for number in positions {
            let example = examples.get(number);
            sum += surprise(&example, theta, &mut strengths);
            for (mv, &probability) in strengths.iter().enumerate() {
                for &feature in example.features(mv) {
                    derivatives[feature as usize] += probability;
                }
            }
            for &feature in example.features(example.played) {
                derivatives[feature as usize] -= 1.0;
            }
        }
        (sum, derivatives)
    });
    let factor = 1.0 / examples.len().max(1) as f64;
    gradient.par_chunks_mut(SHARE).enumerate().for_each(|(share, gradient)| {
        gradient.fill(0.0);
        for (_, derivatives) in &parts {
            let derivatives = &derivatives[share * SHARE..];
            gradient.iter_mut().zip(derivatives).for_each(|(sum, part)| *sum += part);
        }
        for sum in gradient {
            *sum *= factor;
        }
    });
    parts.iter().map(|part| part.0).sum::<f64>() * factor
}

/// What `work` makes of each part of the positions, in their order.
pub(super) fn in_parts<T: Send>(examples: &Examples, work: impl Fn(Range<usize>) -> T + Sync) -> Vec<T> {
    (0..PARTS).into_par_iter().map(|part| work(positions(examples, part))).collect()
}

/// The positions of a part.
fn positions(examples: &Examples, part: usize) -> Range<usize> {
    let start = |part: usize| part * examples.len() / PARTS;
    start(part)..start(part + 1)
}

/// The logarithm of the strength of a move with these features.
#[inline]
pub(super) fn logit<T: Copy + Into<f64>>(features: &[u32], theta: &[T]) -> f64 {
    features.iter().map(|&feature| theta[feature as usize].into()).sum()
}

/// −ln p of the move that was played; the probabilities of all moves are left in `probabilities`.
fn surprise<T: Copy + Into<f64>>(example: &Example, theta: &[T], probabilities: &mut Vec<f64>) -> f64 {
    probabilities.clear();
    probabilities.extend((0..example.len()).map(|mv| logit(example.features(mv), theta)));
    softmax(probabilities, example.played)
}

/// Turns logarithms of strengths into probabilities; −ln p of the one at `played`.
pub(super) fn softmax(logits: &mut [f64], played: usize) -> f64 {
    let most = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let below = most - logits[played];
    let mut sum = 0.0;
    for logit in &mut *logits {
        *logit = (*logit - most).exp();
        sum += *logit;
    }
    let factor = 1.0 / sum;
    for strength in logits {
        *strength *= factor;
    }
    below + sum.ln()
}
