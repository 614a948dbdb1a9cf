//! Who wins: a small network on the evaluation's own accumulators, with a last layer for each knot of rating.
//!
//! The accumulators and the evaluation's value are taken as they are; two small layers above them are shared by all ratings.

use super::Shares;
use crate::eval::features::{Feature, features, mirror, opposite};
use crate::eval::network::{ACCUMULATORS, ONE};
use crate::eval::simd::Path;
use crate::eval::{CP_SCALE, Network};
use crate::shogi::{Color, Position};

/// Both accumulators, that of the side to move first.
pub const INPUTS: usize = 2 * ACCUMULATORS;

/// Units of the two shared layers.
pub const FIRST: usize = 16;
/// Units of the second.
pub const SECOND: usize = 16;

/// What the last layer sees beside the second one: 1, progress, value, value × progress, difference of ratings, difference ×
/// progress.
pub const DIRECT: usize = 6;

/// Numbers of the last layer at one knot.
pub const HEAD: usize = SECOND + DIRECT;

/// Where the layers lie among the numbers.
pub const FIRST_BIAS: usize = INPUTS * FIRST;
/// Rows by unit of the first layer.
pub const SECOND_WEIGHTS: usize = FIRST_BIAS + FIRST;
/// Biases of the second.
pub const SECOND_BIAS: usize = SECOND_WEIGHTS + FIRST * SECOND;
/// The last layers, knot after knot.
pub const HEADS: usize = SECOND_BIAS + SECOND;

/// Numbers of a network with so many knots.
pub const fn count(knots: usize) -> usize {
    HEADS + knots * HEAD
}

/// What is seen of a position, for the side to move.
#[derive(Clone, Debug)]
pub struct View {
    /// Accumulators from 0 to 1, that of the side to move first.
    pub inputs: [f32; INPUTS],
    /// The evaluation in units of its win rate's logit.
    pub value: f32,
    /// Progress of the game, 0 to 1.
    pub progress: f32,
}

impl View {
    /// Of what holds as the side to move sees it.
    pub fn of_features(network: &Network, seen: &[Feature]) -> Self {
        let path = Path::best();
        let views = network.accumulate_features(path, seen);
        let mut inputs = [0.0; INPUTS];
        let sums = views[0].0.iter().chain(&views[1].0);
        for (input, &sum) in inputs.iter_mut().zip(sums) {
            *input = f32::from(sum.clamp(0, ONE)) / f32::from(ONE);
        }
        // The first view is that of the side to move, as if it were Black's.
        let value = network.output(path, &views, Color::Black) as f32 / CP_SCALE;
        Self { inputs, value, progress: f32::from(network.progress_of(seen)) / 128.0 }
    }
}

/// A position and its left-right mirror image. Both are worth the same, so the mean of what is told of them is nearer to that
/// than either.
#[derive(Clone, Debug)]
pub struct Mirrored([View; 2]);

impl Mirrored {
    /// Of a position.
    pub fn of(network: &Network, position: &Position) -> Self {
        let mut seen = features(position);
        if position.turn() == Color::White {
            seen.iter_mut().for_each(|feature| *feature = opposite(*feature));
        }
        let usual = View::of_features(network, &seen);
        seen.iter_mut().for_each(|feature| *feature = mirror(*feature));
        Self([usual, View::of_features(network, &seen)])
    }

    /// The evaluation in units of its win rate's logit.
    pub fn value(&self) -> f32 {
        f32::midpoint(self.0[0].value, self.0[1].value)
    }
}

/// The win rate of a logit.
pub fn rate(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

/// What was computed on the way to a win rate.
pub struct Trace {
    /// Sums of the first layer.
    pub first: [f32; FIRST],
    /// Sums of the second layer.
    pub second: [f32; SECOND],
    /// What the last layer sees.
    pub last: [f32; HEAD],
    /// The logit of the win rate.
    pub logit: f32,
}

/// The network.
#[derive(Clone, Debug, PartialEq)]
pub struct Win {
    /// All numbers, layer after layer.
    pub numbers: Vec<f32>,
}

/// A unit's output.
#[inline]
pub fn rectified(sum: f32) -> f32 {
    sum.max(0.0)
}

impl Win {
    /// The logit of the win rate of the side to move, on the way to it what learning needs. `ahead` is how many points of
    /// rating, over 400, the side to move is better.
    pub fn trace(&self, view: &View, shares: &Shares, ahead: f32) -> Trace {
        let row = |start: usize, length: usize| &self.numbers[start..start + length];
        let mut first = [0.0; FIRST];
        first.copy_from_slice(row(FIRST_BIAS, FIRST));
        for (place, &input) in view.inputs.iter().enumerate() {
            if input > 0.0 {
                for (sum, weight) in first.iter_mut().zip(row(place * FIRST, FIRST)) {
                    *sum += input * weight;
                }
            }
        }
        let mut second = [0.0; SECOND];
        second.copy_from_slice(row(SECOND_BIAS, SECOND));
        for (place, &sum) in first.iter().enumerate() {
            let output = rectified(sum);
            if output > 0.0 {
                for (sum, weight) in second.iter_mut().zip(row(SECOND_WEIGHTS + place * SECOND, SECOND)) {
                    *sum += output * weight;
                }
            }
        }
        let View { value, progress, .. } = *view;
        // Where the rating does not matter, neither does who has more of it.
        let ahead = if self.numbers.len() > count(1) { ahead } else { 0.0 };
        let direct = [1.0, progress, value, value * progress, ahead, ahead * progress];
        let mut last = [0.0; HEAD];
        for (seen, &sum) in last.iter_mut().zip(&second) {
            *seen = rectified(sum);
        }
        last[SECOND..].copy_from_slice(&direct);
        let head = |knot: usize| {
            row(HEADS + knot * HEAD, HEAD).iter().zip(&last).map(|(weight, seen)| weight * seen).sum()
        };
        let logit = shares.mean(head);
        Trace { first, second, last, logit }
    }

    /// The logit of the win rate of the side to move.
    pub fn logit(&self, views: &Mirrored, shares: &Shares, ahead: f32) -> f32 {
        let [usual, mirrored] = views.0.each_ref().map(|view| self.trace(view, shares, ahead).logit);
        f32::midpoint(usual, mirrored)
    }

    /// The win rate of the side to move.
    pub fn rate(&self, views: &Mirrored, shares: &Shares, ahead: f32) -> f32 {
        rate(self.logit(views, shares, ahead))
    }
}
