//! Maximum likelihood by conjugate gradients that stay inside: strengths x must be positive, and a barrier −μ Σ ln x
//! keeps them so while μ shrinks from step to step. Only first derivatives are needed.
//!
//! Directions are those of Fletcher and Reeves in x, started afresh where they do not descend or where the last two
//! gradients are far from orthogonal (Powell's rule; without it they jam once the line search is not exact).

use std::ops::ControlFlow;

use super::examples::Examples;
use super::frequency::Occurrence;
use super::likelihood::{LARGEST, Step, loss, loss_and_gradient};

/// How to learn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Steps at most.
    pub iterations: usize,
    /// The first μ, times the number of positions: so many virtual games every feature has won. Large ones drive up
    /// whatever the likelihood leaves undetermined.
    pub barrier: f64,
    /// What remains of μ after a step.
    pub shrink: f64,
    /// Virtual games that every feature won, and as many that it lost, against strength 1; 0 for the likelihood alone,
    /// which learns rare features by heart. Of 0 to 8, 4 and 8 were best on other games, from 20,000 and 100,000
    /// positions.
    pub prior: f64,
    /// Whether the metric is that of each feature: a direction then goes where the strength would be multiplied by how
    /// often it was played over how often it was expected. Ten such steps brought more than 300 plain ones, which know
    /// no difference between common and rare features.
    pub scaled: bool,
    /// Ten steps that together gain less are the last.
    pub tolerance: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self { iterations: 100, barrier: 0.1, shrink: 0.9, prior: 4.0, scaled: true, tolerance: 1e-3 }
    }
}

/// How far a step may go towards the nearest boundary.
const NEARLY: f64 = 0.9;

/// Share of the gain promised by the slope that a step must bring.
const ARMIJO: f64 = 1e-4;

/// Looks along a line at most.
const LOOKS: usize = 20;

/// Cosine between gradients, at which directions are no longer conjugate.
const CONJUGATE: f64 = 0.2;

/// Steps that are seen together to decide whether to go on.
const PATIENCE: usize = 10;

/// θ by conjugate gradients from `start`, or from strengths of 1. Features that never occur stay there, and so do those
/// that are `fixed`. The progress is told after every step and may break it off.
///
/// # Panics
/// Where `start` or `fixed` is not as long as there are features.
pub fn conjugate(
    examples: &Examples,
    start: Option<&[f32]>,
    fixed: Option<&[bool]>,
    options: &Options,
    mut progress: impl FnMut(Step) -> ControlFlow<()>,
) -> Vec<f32> {
    let mut search = Search::new(examples, start, fixed, options);
    let mut gains = [f64::INFINITY; PATIENCE];
    for number in 1..=options.iterations {
        let Some(gain) = search.step() else { break };
        gains[number % PATIENCE] = gain;
        let told = progress(Step { number, loss: search.point.loss, theta: &search.point.theta });
        if told.is_break() || gains.iter().sum::<f64>() < options.tolerance {
            break;
        }
    }
    search.point.theta.into_iter().map(|number| number as f32).collect()
}

/// Which features to do without.
///
/// What the prior leaves this weak is weak by much evidence, and the prior still holds it too high: of the thresholds
/// 0.05 to 0.5 and a common strength of 1/20 to 1 of them, these predicted other games best: about as well as without
/// filtering, 0.002 better in loss from 20,000 positions and 0.002 worse from 100,000. Higher thresholds drop features that are worth telling apart, and lower strengths make the few moves that
/// are played in spite of them too unlikely.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Filtering {
    /// Strength below which a feature is dropped.
    pub threshold: f64,
    /// Strength of dropped features.
    pub strength: f64,
}

impl Default for Filtering {
    fn default() -> Self {
        Self { threshold: 0.1, strength: 0.02 }
    }
}

/// The features that occur and are weaker than the threshold.
pub fn filter(theta: &[f32], occurrence: &Occurrence, threshold: f64) -> Vec<bool> {
    let weak = |&number: &f32| f64::from(number) < threshold.ln();
    theta.iter().zip(&occurrence.possible).map(|(number, &possible)| possible > 0 && weak(number)).collect()
}

/// θ by conjugate gradients, and which features were dropped: after learning, weak ones are given a fixed strength and
/// the others are learned again from the start, so many times. The progress is told the round, from 0.
pub fn conjugate_with_filtering(
    examples: &Examples,
    rounds: usize,
    filtering: &Filtering,
    options: &Options,
    mut progress: impl FnMut(usize, Step) -> ControlFlow<()>,
) -> (Vec<f32>, Vec<bool>) {
    let occurrence = Occurrence::of(examples);
    let mut dropped = vec![false; examples.feature_count()];
    let mut start = vec![0.0; examples.feature_count()];
    let mut round = 0;
    loop {
        let mut told = ControlFlow::Continue(());
        let theta = conjugate(examples, Some(&start), Some(&dropped), options, |step| {
            told = progress(round, step);
            told
        });
        let weak = filter(&theta, &occurrence, filtering.threshold);
        let news = weak.iter().zip(&dropped).any(|(&weak, &dropped)| weak && !dropped);
        if round == rounds || !news || told.is_break() {
            return (theta, dropped);
        }
        for ((dropped, start), weak) in dropped.iter_mut().zip(&mut start).zip(weak) {
            *dropped |= weak;
            *start = if *dropped { filtering.strength.ln() as f32 } else { 0.0 };
        }
        round += 1;
    }
}

/// Strengths of the features that are learned, and what follows from them.
#[derive(Clone)]
struct Point {
    x: Vec<f64>,
    /// Of all features.
    theta: Vec<f64>,
    loss: f64,
}

/// Where the search stands and where it came from.
struct Search<'a> {
    examples: &'a Examples,
    options: &'a Options,
    /// The features that are learned, and how often each was played in a position.
    free: Vec<u32>,
    played: Vec<f64>,
    point: Point,
    /// Derivatives of the loss by θ of all features.
    gradient: Vec<f64>,
    /// Derivatives by x, the length of the gradient and the direction of the last step.
    last: Vec<f64>,
    length: f64,
    direction: Vec<f64>,
    /// How far along its direction the last step went.
    reach: f64,
    /// One virtual game; the virtual games of the barrier and the prior.
    game: f64,
    barrier: f64,
    prior: f64,
}

impl<'a> Search<'a> {
    fn new(
        examples: &'a Examples,
        start: Option<&[f32]>,
        fixed: Option<&[bool]>,
        options: &'a Options,
    ) -> Self {
        let count = examples.feature_count();
        assert!(start.is_none_or(|start| start.len() == count), "a start for each feature");
        assert!(fixed.is_none_or(|fixed| fixed.len() == count), "each feature is fixed or not");
        let sound =
            |number: f32| if number.is_nan() { 0.0 } else { f64::from(number).clamp(-LARGEST, LARGEST) };
        let theta: Vec<f64> = start
            .map_or_else(|| vec![0.0; count], |start| start.iter().map(|&number| sound(number)).collect());
        let occurrence = Occurrence::of(examples);
        let is_free =
            |feature: usize| occurrence.possible[feature] > 0 && fixed.is_none_or(|fixed| !fixed[feature]);
        let free: Vec<u32> =
            (0..count).filter(|&feature| is_free(feature)).map(|feature| feature as u32).collect();
        let game = 1.0 / examples.len().max(1) as f64;
        let played =
            free.iter().map(|&feature| game * f64::from(occurrence.played[feature as usize])).collect();
        let x = free.iter().map(|&feature| theta[feature as usize].exp()).collect();
        let mut gradient = vec![0.0; count];
        let loss = loss_and_gradient(examples, &theta, &mut gradient);
        Self {
            examples,
            options,
            played,
            point: Point { x, theta, loss },
            gradient,
            last: vec![0.0; free.len()],
            length: f64::INFINITY,
            direction: vec![0.0; free.len()],
            free,
            reach: 0.1,
            game,
            barrier: options.barrier * game,
            prior: options.prior * game,
        }
    }

    /// The loss with barrier and prior.
    fn value(&self, point: &Point) -> f64 {
        let won = self.barrier + self.prior;
        let penalty = self
            .free
            .iter()
            .zip(&point.x)
            .map(|(&feature, &x)| 2.0 * self.prior * x.ln_1p() - won * point.theta[feature as usize]);
        point.loss + penalty.sum::<f64>()
    }

    /// Takes a step and tells what it gained; nothing where there is nothing left to gain.
    fn step(&mut self) -> Option<f64> {
        let (slopes, steepest) = self.slopes();
        let length = -product(&slopes, &steepest);
        // Zero at the end of all ways, no number where the options are none.
        if !length.is_normal() {
            return None;
        }
        let fresh = product(&self.last, &steepest).abs() > CONJUGATE * length;
        let beta = if fresh { 0.0 } else { length / self.length };
        let mut direction: Vec<f64> =
            steepest.iter().zip(&self.direction).map(|(steepest, last)| steepest + beta * last).collect();
        let slope = product(&slopes, &direction);
        let mut found = if slope < 0.0 { self.look_along(&direction, slope) } else { None };
        if found.is_none() && beta != 0.0 {
            direction = steepest;
            found = self.look_along(&direction, -length);
        }
        let (reach, point) = found?;
        let gain = self.value(&self.point) - self.value(&point);
        (self.reach, self.point) = (reach, point);
        (self.last, self.length, self.direction) = (slopes, length, direction);
        loss_and_gradient(self.examples, &self.point.theta, &mut self.gradient);
        self.barrier *= self.options.shrink;
        Some(gain)
    }

    /// Derivatives of the value by x, and the direction of steepest descent.
    fn slopes(&self) -> (Vec<f64>, Vec<f64>) {
        let of_feature = |((&feature, &x), &played): ((&u32, &f64), &f64)| {
            let derivative = self.gradient[feature as usize];
            let lost = 2.0 * self.prior * x / (1.0 + x);
            let slope = derivative + lost - self.prior - self.barrier;
            if !self.options.scaled {
                return (slope / x, -slope / x);
            }
            // One game more, lest a feature that is hardly expected goes far.
            let expected = (derivative + played).max(0.0) + lost + self.game;
            (slope / x, -x * slope / expected)
        };
        self.free.iter().zip(&self.point.x).zip(&self.played).map(of_feature).unzip()
    }

    /// Looks for a good place in a direction; nothing where none is better than here. The value is thought to be a
    /// parabola: where its vertex is far from where we looked, we look there too.
    fn look_along(&self, direction: &[f64], slope: f64) -> Option<(f64, Point)> {
        let ends =
            direction.iter().zip(&self.point.x).filter(|(way, _)| **way < 0.0).map(|(way, x)| x / -way);
        let limit = NEARLY * ends.fold(f64::INFINITY, f64::min);
        let here = self.value(&self.point);
        let mut reach = self.reach.min(limit);
        let mut best: Option<(f64, f64, Point)> = None;
        for _ in 0..LOOKS {
            let point = self.at(direction, reach);
            let value = self.value(&point);
            let vertex = -slope * reach * reach / (2.0 * (value - here - slope * reach));
            // Bent downwards, or no number at all.
            let vertex = if vertex > 0.0 { vertex } else { f64::INFINITY };
            let is_good = value <= here + ARMIJO * reach * slope;
            if best.as_ref().is_some_and(|best| !is_good || best.0 <= value) {
                break;
            }
            if is_good {
                let is_second = best.replace((value, reach, point)).is_some();
                let next = vertex.min(4.0 * reach).min(limit);
                if (0.7..1.5).contains(&(next / reach)) || (is_second && next < 2.0 * reach) {
                    break;
                }
                reach = next;
            } else {
                reach = vertex.clamp(0.1 * reach, 0.5 * reach);
            }
        }
        best.map(|(_, reach, point)| (reach, point))
    }

    /// The point so far along a direction.
    fn at(&self, direction: &[f64], reach: f64) -> Point {
        let mut point = self.point.clone();
        let (least, most) = ((-LARGEST).exp(), LARGEST.exp());
        for ((x, way), &feature) in point.x.iter_mut().zip(direction).zip(&self.free) {
            *x = (*x + reach * way).clamp(least, most);
            point.theta[feature as usize] = x.ln();
        }
        point.loss = loss(self.examples, &point.theta);
        point
    }
}

fn product(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
