//! Stochastic gradients on the softmax, by Adam, over all games: each step takes some games in an order that the seed
//! decides. Positions are replayed and their features made anew every time, for they would not fit into memory.
//!
//! A weight is the sum of what holds in all phases of the game and of what is different in its own: features that are
//! rare in a phase learn from the others.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use rayon::prelude::*;

use super::choices::{self, Choice};
use super::plan::Plan;
use crate::eval::Network;
use crate::learn::adam::Adam;
use crate::learn::records::Game;
use crate::policy::features::COUNT;
use crate::policy::weights::{NUMBERS, PHASES};

/// Parts of a step, however many cores share them: the result must not depend on their number.
const PARTS: usize = 2;

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
    /// The weights that the numbers stand for.
    theta: Vec<f32>,
    gradients: Vec<Vec<f32>>,
    /// Their sum, in the order of the numbers.
    gradient: Vec<f32>,
    order: (u64, Vec<u32>),
}

/// Numbers to learn: for all phases together, then as weights have them.
pub const LEARNED: usize = COUNT + NUMBERS;

/// Weights of phases, which come before those that mean the same in all.
const PHASED: usize = COUNT * PHASES;

/// Features worth giving to another core.
const SHARE: usize = 1 << 13;

impl<'a> Stochastic<'a> {
    /// Begins.
    pub fn new(plan: &'a Plan, games: &'a [Game], network: &'a Network) -> Self {
        Self {
            plan,
            games,
            network,
            adam: Adam::with_floor(vec![0.0; LEARNED], plan.floor),
            step: 0,
            theta: vec![0.0; NUMBERS],
            gradients: vec![vec![0.0; NUMBERS]; PARTS],
            gradient: vec![0.0; LEARNED],
            order: (u64::MAX, Vec::new()),
        }
    }

    /// Goes on where Adam was interrupted.
    pub fn resume(&mut self, step: u64, adam: Adam) {
        spread(&adam.numbers, &mut self.theta);
        (self.step, self.adam) = (step, adam);
    }

    /// The weights learned so far, steadied.
    pub fn weights(&self) -> Vec<f32> {
        let mut weights = vec![0.0; NUMBERS];
        spread(&self.adam.mean, &mut weights);
        weights
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
        let (games, network, theta, look) = (self.games, self.network, &self.theta, self.plan.look);
        let sums: Vec<(f64, f64)> = self
            .gradients
            .par_iter_mut()
            .enumerate()
            .map(|(part, gradient)| {
                gradient.fill(0.0);
                let mut choice = Choice::new(look);
                let mut probabilities = Vec::new();
                let mut sum = (0.0, 0.0);
                for &game in batch.iter().skip(part * share).take(share) {
                    choices::visit(
                        &games[game as usize],
                        network,
                        &mut choice,
                        |_| true,
                        |choice| {
                            choice.softmax(theta, 1.0, &mut probabilities);
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
        self.add_gradients();
        let gradient = std::slice::from_ref(&self.gradient);
        self.adam.step(gradient, 1.0 / f64::max(count, 1.0) as f32, rate, self.plan.decay);
        spread(&self.adam.numbers, &mut self.theta);
        self.step += 1;
        loss / f64::max(count, 1.0)
    }
}

impl Stochastic<'_> {
    /// Sums the gradients of the parts up, for each phase and for all.
    fn add_gradients(&mut self) {
        let (shared, own) = self.gradient.split_at_mut(COUNT);
        let parts = &self.gradients;
        own.par_chunks_mut(SHARE).enumerate().for_each(|(share, sums)| {
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum = parts.iter().map(|part| part[share * SHARE + i]).sum();
            }
        });
        let own = &*own;
        shared.par_chunks_mut(SHARE).enumerate().for_each(|(share, sums)| {
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum = own[share * SHARE + i..PHASED].iter().step_by(COUNT).sum();
            }
        });
    }
}

/// Fills in the weights of each phase that numbers stand for.
fn spread(numbers: &[f32], theta: &mut [f32]) {
    let (shared, own) = numbers.split_at(COUNT);
    let (theta, same) = theta.split_at_mut(PHASED);
    same.copy_from_slice(&own[PHASED..]);
    theta.par_chunks_mut(COUNT).zip(own.par_chunks(COUNT)).for_each(|(theta, own)| {
        for ((weight, own), shared) in theta.iter_mut().zip(own).zip(shared) {
            *weight = own + shared;
        }
    });
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
