//! Maximum likelihood by minorisation and maximisation: Coulom's way to learn strengths of features in groups.
//!
//! The likelihood is bounded from below by a function that touches it where we stand and whose maximum is known: there
//! each strength of a group is multiplied by how often the feature was played over how often it was expected to be. A
//! move with several features of the group would overshoot, so the factor is taken to the power of 1/m, m the largest
//! number of them in a move (by the inequality of means the bound still holds). The likelihood can never fall, and
//! there is no step size to choose; but it takes many sweeps where features of different groups come together.

use rayon::prelude::*;
use std::ops::{ControlFlow, Range};

use super::examples::Examples;
use super::frequency::Occurrence;
use super::likelihood::{LARGEST, Step, in_parts, logit, softmax};

/// How to learn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Sweeps over all groups at most.
    pub sweeps: usize,
    /// Virtual games that every feature won, and as many that it lost, against strength 1. Without any, features that
    /// were never played fall as low as they may.
    pub prior: f64,
    /// A sweep that changes the loss by less is the last.
    pub tolerance: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self { sweeps: 50, prior: 1.0, tolerance: 1e-4 }
    }
}

/// θ by minorisation and maximisation. `groups` says where the groups of features begin; the progress is told after
/// every sweep and may break it off.
pub fn minorisation(
    examples: &Examples,
    groups: &[usize],
    options: &Options,
    mut progress: impl FnMut(Step) -> ControlFlow<()>,
) -> Vec<f32> {
    let mut theta = vec![0.0; examples.feature_count()];
    let played = Occurrence::of(examples).played;
    let mut parts = in_parts(examples, |positions| Part::new(examples, positions));
    let groups = groups_of(&mut parts, theta.len(), groups);
    let mut loss = begin(&mut parts, &theta);
    for number in 1..=options.sweeps {
        for group in &groups {
            let expected = expect(&parts, group);
            let won = &played[group.features.clone()];
            let mut changes = Vec::with_capacity(expected.len());
            for ((theta, &won), expected) in theta[group.features.clone()].iter_mut().zip(won).zip(expected) {
                let change = better(*theta, won.into(), expected, group.most, options.prior) - *theta;
                *theta += change;
                changes.push(change);
            }
            parts.par_iter_mut().for_each(|part| part.change(group, &changes));
        }
        let last = std::mem::replace(&mut loss, begin(&mut parts, &theta));
        let told = progress(Step { number, loss, theta: &theta });
        if told.is_break() || (last - loss).abs() < options.tolerance {
            break;
        }
    }
    theta.into_iter().map(|number| number as f32).collect()
}

/// Where the bound is highest for a feature that won so often, and was expected to win so often.
fn better(theta: f64, won: f64, expected: f64, most: usize, prior: f64) -> f64 {
    let strength = theta.exp();
    let expected = expected + 2.0 * prior * strength / (1.0 + strength);
    let best = theta + ((won + prior) / expected).ln() / most as f64;
    // The bound rises all the way to its maximum, so stopping short of it does no harm.
    if best.is_nan() { theta } else { best.clamp(-LARGEST, LARGEST) }
}

/// Features that are improved at once.
struct Group {
    features: Range<usize>,
    /// The largest number of them in a move.
    most: usize,
}

/// The groups that occur.
fn groups_of(parts: &mut [Part], count: usize, starts: &[usize]) -> Vec<Group> {
    let mut bounds: Vec<usize> = starts.iter().copied().filter(|&start| start < count).collect();
    bounds.extend([0, count]);
    bounds.sort_unstable();
    bounds.dedup();
    let groups = bounds.windows(2).map(|ends| {
        let most = parts.par_iter_mut().map(|part| part.skip(ends[1])).max().unwrap_or(0);
        Group { features: ends[0]..ends[1], most }
    });
    groups.filter(|group| group.most > 0).collect()
}

/// Some of the positions. Features of a move are in order, so that a sweep passes each of them once.
struct Part {
    features: Vec<u32>,
    moves: Vec<Move>,
    /// How many moves each position has, and which of them was played.
    positions: Vec<(usize, usize)>,
}

struct Move {
    /// The logarithm of its strength.
    logit: f64,
    /// Where its features begin and end, and where those begin that were not yet passed in this sweep.
    first: u32,
    next: u32,
    end: u32,
}

impl Move {
    /// Features not yet passed, below `end`.
    #[inline]
    fn upcoming<'a>(&self, features: &'a [u32], end: usize) -> impl Iterator<Item = usize> + use<'a> {
        let left = features[self.next as usize..self.end as usize].iter().map(|&feature| feature as usize);
        left.take_while(move |&feature| feature < end)
    }
}

impl Part {
    fn new(examples: &Examples, positions: Range<usize>) -> Self {
        let mut part = Self { features: Vec::new(), moves: Vec::new(), positions: Vec::new() };
        for number in positions {
            let example = examples.get(number);
            for mv in 0..example.len() {
                let first = part.features.len();
                part.features.extend_from_slice(example.features(mv));
                part.features[first..].sort_unstable();
                let (first, end) = (first as u32, part.features.len() as u32);
                part.moves.push(Move { logit: 0.0, first, next: first, end });
            }
            part.positions.push((example.len(), example.played));
        }
        part
    }

    /// Passes the features below `end`; the largest number of them in a move.
    fn skip(&mut self, end: usize) -> usize {
        let mut most = 0;
        for mv in &mut self.moves {
            let count = mv.upcoming(&self.features, end).count();
            mv.next += count as u32;
            most = most.max(count);
        }
        most
    }

    /// Begins a sweep: computes all strengths afresh, so that rounding does not add up. The sum of −ln p of the played
    /// moves.
    fn begin(&mut self, theta: &[f64]) -> f64 {
        for mv in &mut self.moves {
            mv.next = mv.first;
            mv.logit = logit(&self.features[mv.first as usize..mv.end as usize], theta);
        }
        let mut sum = 0.0;
        self.visit(|moves, played, probabilities| {
            probabilities.extend(moves.iter().map(|mv| mv.logit));
            sum += softmax(probabilities, played);
        });
        sum
    }

    /// How often each feature of a group, the next to pass, should have been played.
    fn expect(&self, group: &Group) -> Vec<f64> {
        let mut sums = vec![0.0; group.features.len()];
        let (start, end) = (group.features.start, group.features.end);
        self.visit(|moves, played, probabilities| {
            if moves.iter().all(|mv| mv.upcoming(&self.features, end).next().is_none()) {
                return;
            }
            probabilities.extend(moves.iter().map(|mv| mv.logit));
            softmax(probabilities, played);
            for (mv, probability) in moves.iter().zip(probabilities) {
                mv.upcoming(&self.features, end).for_each(|feature| sums[feature - start] += *probability);
            }
        });
        sums
    }

    /// Passes a group whose strengths have changed.
    fn change(&mut self, group: &Group, changes: &[f64]) {
        for mv in &mut self.moves {
            for feature in mv.upcoming(&self.features, group.features.end) {
                mv.logit += changes[feature - group.features.start];
                mv.next += 1;
            }
        }
    }

    /// Shows the moves of each position, which of them was played, and an empty list to work in.
    fn visit(&self, mut visit: impl FnMut(&[Move], usize, &mut Vec<f64>)) {
        let mut list = Vec::new();
        let mut rest = &self.moves[..];
        for &(count, played) in &self.positions {
            let (moves, others) = rest.split_at(count);
            list.clear();
            visit(moves, played, &mut list);
            rest = others;
        }
    }
}

/// How often each feature of a group should have been played in all positions.
fn expect(parts: &[Part], group: &Group) -> Vec<f64> {
    let sums: Vec<Vec<f64>> = parts.par_iter().map(|part| part.expect(group)).collect();
    let mut all = vec![0.0; group.features.len()];
    for part in sums {
        all.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
    }
    all
}

/// Begins a sweep; the loss.
fn begin(parts: &mut [Part], theta: &[f64]) -> f64 {
    let sums: Vec<f64> = parts.par_iter_mut().map(|part| part.begin(theta)).collect();
    let positions: usize = parts.iter().map(|part| part.positions.len()).sum();
    sums.iter().sum::<f64>() / positions.max(1) as f64
}
