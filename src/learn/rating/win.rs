//! Learning who wins: the gradient of the cross entropy between result and win rate, followed by Adam.

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use rayon::prelude::*;

use super::lessons::{ahead, ratings};
use super::plan::Plan;
use crate::eval::Network;
use crate::eval::features::{ACTIVE, Feature, features, mirror, opposite};
use crate::human::Shares;
use crate::human::win::{
    FIRST, FIRST_BIAS, HEAD, HEADS, INPUTS, SECOND, SECOND_BIAS, SECOND_WEIGHTS, View, Win, count,
};
use crate::learn::adam::Adam;
use crate::learn::records::Game;
use crate::learn::{LearnError, Monitor};
use crate::shogi::Color;

/// Parts of a step, however many cores share them: the result must not depend on their number.
const PARTS: usize = 8;

/// What is left of the rate at the end.
const LAST_RATE: f32 = 0.02;

/// What the last layer sees beside the second one is learned in steps so many times as large: these few weights have farthest to
/// go, and at a rate that suits them the layers below would learn games by heart.
const STRIDE: f32 = 8.0;

/// A position with its result, all for the side to move.
pub struct Sample {
    seen: [Feature; ACTIVE],
    /// The mean rating of both players, and how much better the side to move is.
    rating: f32,
    ahead: f32,
    /// 1 for a win, 0 for a loss.
    points: f32,
}

/// The positions of a game; none where it has no result or no ratings. Positions that lack pieces are left out.
pub fn samples(game: &Game) -> Vec<Sample> {
    let mut list = Vec::with_capacity(game.moves.len());
    game.replay(|walker, _| {
        let turn = walker.turn();
        let (Some(points), Some(pair)) = (game.ending.points(turn), ratings(game, turn)) else { return };
        let Ok(mut seen) = features(walker.position()).into_inner() else { return };
        if turn == Color::White {
            seen = seen.map(opposite);
        }
        list.push(Sample { seen, rating: f32::midpoint(pair[0], pair[1]), ahead: ahead(pair), points });
    });
    list
}

impl Sample {
    fn view(&self, network: &Network, mirrored: bool) -> View {
        let seen = if mirrored { self.seen.map(mirror) } else { self.seen };
        View::of_features(network, &seen)
    }
}

/// The network of one knot that says what the evaluation says.
pub fn beginning(seed: u64) -> Win {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut numbers = vec![0.0; count(1)];
    let mut fill = |range: std::ops::Range<usize>, inputs: usize| {
        let size = (1.0 / inputs as f32).sqrt();
        numbers[range].iter_mut().for_each(|x| *x = size * random.random_range(-1.0..1.0));
    };
    fill(0..FIRST_BIAS, INPUTS / 4);
    fill(SECOND_WEIGHTS..SECOND_BIAS, FIRST);
    // The weight of the value.
    numbers[HEADS + SECOND + 2] = 1.0;
    Win { numbers }
}

/// The same network at so many knots instead of one.
pub fn repeated(win: &Win, knots: usize) -> Win {
    let (shared, head) = win.numbers.split_at(HEADS);
    Win { numbers: [shared, &head.repeat(knots)].concat() }
}

/// Learns from samples, beginning with a network of one knot.
pub fn learn(
    plan: &Plan,
    knots: &[f32],
    start: &Win,
    samples: &[Sample],
    network: &Network,
    monitor: &Monitor,
) -> Result<Win, LearnError> {
    let start = repeated(start, knots.len()).numbers;
    let strides = strides(knots.len());
    // What is learned is the difference to the beginning, so that decay draws there.
    let mut adam = Adam::new(vec![0.0; start.len()]);
    let steps = (samples.len().div_ceil(plan.win_batch) * plan.win_passes as usize) as f32;
    let bar = monitor.bar(steps as u64);
    let mut order: Vec<u32> = (0..samples.len() as u32).collect();
    let mut random = Pcg64Mcg::seed_from_u64(plan.seed);
    let mut step = 0.0_f32;
    for _ in 0..plan.win_passes {
        order.shuffle(&mut random);
        for batch in order.chunks(plan.win_batch) {
            if monitor.stopped() {
                bar.finish_and_clear();
                return Err(LearnError::Stopped);
            }
            let win = Win { numbers: walked(&start, &strides, &adam.numbers) };
            let side: u64 = random.random();
            let share = batch.len().div_ceil(PARTS);
            let gradients: Vec<Vec<f32>> = (0..PARTS)
                .into_par_iter()
                .map(|part| {
                    let mut gradient = vec![0.0; start.len()];
                    for &number in batch.iter().skip(part * share).take(share) {
                        let sample = &samples[number as usize];
                        let mirrored = (u64::from(number) ^ side).count_ones().is_multiple_of(2);
                        let view = sample.view(network, mirrored);
                        backward(&win, &view, &Shares::of(sample.rating, knots), sample, &mut gradient);
                    }
                    gradient
                })
                .collect();
            let mut gradient = vec![0.0; start.len()];
            for part in &gradients {
                gradient.iter_mut().zip(part).for_each(|(sum, x)| *sum += x);
            }
            gradient.iter_mut().zip(&strides).for_each(|(slope, stride)| *slope *= stride);
            let cosine = 0.5 + 0.5 * (step / steps * std::f32::consts::PI).cos();
            let rate = plan.win_rate * (LAST_RATE + (1.0 - LAST_RATE) * cosine);
            adam.step(&[gradient], 1.0 / batch.len() as f32, rate, plan.win_decay);
            step += 1.0;
            bar.set_position(step as u64);
        }
    }
    bar.finish_and_clear();
    Ok(Win { numbers: walked(&start, &strides, &adam.mean) })
}

/// For each number how large its steps are.
fn strides(knots: usize) -> Vec<f32> {
    let direct = |number: usize| number >= HEADS && (number - HEADS) % HEAD >= SECOND;
    (0..count(knots)).map(|number| if direct(number) { STRIDE } else { 1.0 }).collect()
}

/// The numbers after so many steps from the start.
fn walked(start: &[f32], strides: &[f32], steps: &[f32]) -> Vec<f32> {
    start.iter().zip(strides).zip(steps).map(|((start, stride), steps)| start + stride * steps).collect()
}

/// Adds the gradient of a sample's loss.
pub fn backward(win: &Win, view: &View, shares: &Shares, sample: &Sample, gradient: &mut [f32]) {
    let trace = win.trace(view, shares, sample.ahead);
    let slope = 1.0 / (1.0 + (-trace.logit).exp()) - sample.points;
    let mut by_last = [0.0; HEAD];
    for &(knot, share) in &shares.0 {
        let head = HEADS + knot * HEAD;
        for i in 0..HEAD {
            gradient[head + i] += slope * share * trace.last[i];
            by_last[i] += slope * share * win.numbers[head + i];
        }
    }
    let mut by_first = [0.0; FIRST];
    for unit in (0..SECOND).filter(|&unit| trace.second[unit] > 0.0) {
        gradient[SECOND_BIAS + unit] += by_last[unit];
        for (below, by_first) in by_first.iter_mut().enumerate() {
            let place = SECOND_WEIGHTS + below * SECOND + unit;
            gradient[place] += by_last[unit] * trace.first[below].max(0.0);
            *by_first += by_last[unit] * win.numbers[place];
        }
    }
    for below in 0..FIRST {
        if trace.first[below] <= 0.0 {
            by_first[below] = 0.0;
        }
        gradient[FIRST_BIAS + below] += by_first[below];
    }
    for (place, &input) in view.inputs.iter().enumerate().filter(|(_, input)| **input > 0.0) {
        for (slot, by) in gradient[place * FIRST..(place + 1) * FIRST].iter_mut().zip(&by_first) {
            *slot += input * by;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::records::text;

    #[test]
    fn slopes_are_those_of_the_loss() {
        let line = "startpos|7g7f 3c3d 2g2f 8c8d 2f2e|b|ratings=1500,1700";
        let network = Network::embedded();
        let knots = [1400.0, 2000.0];
        let samples = samples(&text::parse(line).unwrap());
        assert_eq!(samples.len(), 5);
        let sample = &samples[3];
        assert_eq!((sample.rating, sample.ahead, sample.points), (1600.0, 0.5, 0.0));
        let view = sample.view(&network, false);
        let shares = Shares::of(sample.rating, &knots);
        let mut win = repeated(&beginning(7), 2);
        // The last layers must see the one below.
        win.numbers[HEADS..].iter_mut().enumerate().for_each(|(i, x)| *x += 0.01 * (i % 7) as f32 - 0.02);
        let mut gradient = vec![0.0; win.numbers.len()];
        backward(&win, &view, &shares, sample, &mut gradient);
        let loss = |win: &Win| {
            let logit = f64::from(win.trace(&view, &shares, sample.ahead).logit);
            logit.exp().ln_1p()
        };
        let places = [
            FIRST_BIAS,
            FIRST_BIAS + 5,
            SECOND_BIAS + 3,
            HEADS,
            HEADS + SECOND + 2,
            HEADS + HEAD + SECOND + 4,
        ];
        let inputs = (0..FIRST_BIAS).step_by(997);
        let weights = (SECOND_WEIGHTS..SECOND_BIAS).step_by(31);
        for place in places.into_iter().chain(inputs).chain(weights) {
            let at = |change: f32| {
                let mut win = win.clone();
                win.numbers[place] += change;
                loss(&win)
            };
            let slope = (at(1e-3) - at(-1e-3)) / 2e-3;
            let found = f64::from(gradient[place]);
            assert!((slope - found).abs() < 2e-3 + 0.02 * slope.abs(), "{place}: {slope} {found}");
        }
    }
}
