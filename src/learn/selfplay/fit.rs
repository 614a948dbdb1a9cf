//! Fitting the softmax policy to good moves, by the gradient of the cross entropy: θ ← θ + α/T (φ(s, x) − Σ π(s, b) φ(s, b)).

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;

use super::plan::Plan;
use crate::eval::Network;
use crate::learn::records::Game;
use crate::learn::transition::choices::{self, Choice};
use crate::learn::{LearnError, Monitor};
use crate::policy::Look;
use crate::policy::features::COUNT;
use crate::policy::weights::PHASES;

/// What is left of α at the end.
const LAST_RATE: f32 = 0.1;

/// Slopes below this are not worth following.
const NEGLIGIBLE: f32 = 1e-4;

/// Games and which of their moves to learn.
pub struct Lessons<'a> {
    /// The games.
    pub games: &'a [Game],
    /// For every move of each whether to learn it.
    pub good: &'a [Vec<bool>],
    /// For progress.
    pub network: &'a Network,
    /// Where random numbers start.
    pub seed: u64,
}

impl Lessons<'_> {
    /// Changes the weights pass after pass; the mean surprise at the good moves in the last one, each before it was learned.
    pub fn fit(&self, plan: &Plan, theta: &mut [f32], monitor: &Monitor) -> Result<f64, LearnError> {
        let steps = self.games.len() * plan.passes as usize;
        let bar = monitor.bar(steps as u64);
        let mut order: Vec<usize> = (0..self.games.len()).collect();
        let mut random = Pcg64Mcg::seed_from_u64(self.seed);
        let (mut choice, mut probabilities) = (Choice::new(Look::Glance), Vec::new());
        let (mut sum, mut count, mut step) = (0.0, 0.0, 0);
        for _ in 0..plan.passes {
            (sum, count) = (0.0, 0.0);
            order.shuffle(&mut random);
            for &game in &order {
                if monitor.stopped() {
                    bar.finish_and_clear();
                    return Err(LearnError::Stopped);
                }
                let done = step as f32 / steps as f32;
                let rate = plan.rate * (1.0 - (1.0 - LAST_RATE) * done);
                let good = &self.good[game];
                choices::visit(
                    &self.games[game],
                    self.network,
                    &mut choice,
                    |ply| good[ply],
                    |choice| {
                        choice.softmax(theta, 1.0 / plan.temperature, &mut probabilities);
                        sum -= f64::from(probabilities[choice.played].max(f32::MIN_POSITIVE).ln());
                        count += 1.0;
                        follow(choice, &probabilities, rate / plan.temperature, theta);
                    },
                );
                step += 1;
                bar.set_position(step as u64);
            }
        }
        bar.finish_and_clear();
        Ok(sum / f64::max(count, 1.0))
    }
}

/// Makes the move that was played likelier, in all phases of the game alike: there are few games.
fn follow(choice: &Choice, probabilities: &[f32], rate: f32, theta: &mut [f32]) {
    for (mv, &probability) in probabilities.iter().enumerate() {
        let slope = if mv == choice.played { 1.0 - probability } else { -probability };
        if slope.abs() < NEGLIGIBLE {
            continue;
        }
        for &feature in choice.features(mv) {
            let feature = feature as usize;
            if feature >= COUNT * PHASES {
                theta[feature] += rate * slope;
                continue;
            }
            for phase in 0..PHASES {
                theta[phase * COUNT + feature % COUNT] += rate * slope;
            }
        }
    }
}
