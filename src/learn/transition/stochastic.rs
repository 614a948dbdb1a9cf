//! Stochastic gradients on the softmax, by Adam, over all games: each step takes some games in an order that the seed
//! decides. Positions are replayed and their features made anew every time, for they would not fit into memory.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use rayon::prelude::*;

use super::choices::{self, ALL, Choice};
use super::plan::Plan;
use crate::eval::Network;
use crate::learn::adam::Adam;
use crate::learn::records::Game;

/// Parts of a step, however many cores share them: the result must not depend on their number.
const PARTS: usize = 4;

/// What is left of the rate at the end.
const LAST_RATE: f32 = 0.02;

/// Probabilities below this are not worth following back.
const NEGLIGIBLE: f32 = 1e-4;

/// A run under way.
pub struct Stochastic<'a> {
    plan: &'a Plan,
    games: &'a [Game],
    network: &'a Network,
    /// The numbers.
    pub adam: Adam,
    /// Steps done.
    pub step: u64,
    gradients: Vec<Vec<f32>>,
    order: (u64, Vec<u32>),
}

impl<'a> Stochastic<'a> {
    /// Begins.
    pub fn new(plan: &'a Plan, games: &'a [Game], network: &'a Network) -> Self {
        let gradients = vec![vec![0.0; ALL]; PARTS];
        let order = (u64::MAX, Vec::new());
        Self { plan, games, network, adam: Adam::new(vec![0.0; ALL]), step: 0, gradients, order }
    }

    fn steps_a_pass(&self) -> u64 {
        self.games.len().div_ceil(self.plan.games) as u64
    }

    /// Steps in all.
    pub fn steps(&self) -> u64 {
        self.steps_a_pass() * u64::from(self.plan.passes)
    }

    /// One step; says the mean surprise at the moves of its games, before it learned from them.
    pub fn take_step(&mut self) -> f64 {
        let pass = self.step / self.steps_a_pass();
        if self.order.0 != pass {
            let mut order: Vec<u32> = (0..self.games.len() as u32).collect();
            let seed = self.plan.seed ^ (pass + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            order.shuffle(&mut Pcg64Mcg::seed_from_u64(seed));
            self.order = (pass, order);
        }
        let start = (self.step % self.steps_a_pass()) as usize * self.plan.games;
        let batch = &self.order.1[start..self.order.1.len().min(start + self.plan.games)];
        let share = batch.len().div_ceil(PARTS);
        let (games, network, theta) = (self.games, self.network, &self.adam.numbers);
        let sums: Vec<(f64, f64)> = self
            .gradients
            .par_iter_mut()
            .enumerate()
            .map(|(part, gradient)| {
                gradient.fill(0.0);
                let mut choice = Choice::default();
                let mut probabilities = Vec::new();
                let mut sum = (0.0, 0.0);
                for &game in batch.iter().skip(part * share).take(share) {
                    choices::visit(
                        &games[game as usize],
                        network,
                        &mut choice,
                        |_| true,
                        |choice| {
                            choice.softmax(theta, &mut probabilities);
                            let surprise = -probabilities[choice.played].max(f32::MIN_POSITIVE).ln();
                            sum = (sum.0 + f64::from(surprise), sum.1 + 1.0);
                            follow_back(choice, &probabilities, gradient);
                        },
                    );
                }
                sum
            })
            .collect();
        let (loss, count) = sums.iter().fold((0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
        let done = self.step as f32 / self.steps() as f32;
        let cosine = 0.5 + 0.5 * (done * std::f32::consts::PI).cos();
        let rate = self.plan.rate * (LAST_RATE + (1.0 - LAST_RATE) * cosine);
        self.adam.step(&self.gradients, 1.0 / f64::max(count, 1.0) as f32, rate, self.plan.decay);
        self.step += 1;
        loss / f64::max(count, 1.0)
    }
}

/// Adds the gradient of −ln p of the move played.
fn follow_back(choice: &Choice, probabilities: &[f32], gradient: &mut [f32]) {
    for (mv, &probability) in probabilities.iter().enumerate() {
        let slope = if mv == choice.played { probability - 1.0 } else { probability };
        if slope.abs() > NEGLIGIBLE {
            for &feature in choice.features(mv) {
                gradient[feature as usize] += slope;
            }
        }
    }
}
