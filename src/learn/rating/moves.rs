//! Learning what is played: the softmax policy's weights at the knots, by the gradient of the cross entropy.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;

use super::lessons::ratings;
use super::plan::Plan;
use crate::eval::Network;
use crate::human::Shares;
use crate::human::moves::{Taste, shared};
use crate::learn::records::Game;
use crate::learn::transition::choices::Choice;
use crate::learn::{LearnError, Monitor};
use crate::policy::{Look, Weights};

/// What is left of the rate at the end.
const LAST_RATE: f32 = 0.1;

/// The sharpness follows at this part of the rate: it touches every move.
const SHARPNESS_RATE: f32 = 0.01;

/// Slopes below this are not worth following.
const NEGLIGIBLE: f32 = 1e-3;

/// Learns from games, each player by his own rating, beginning with a taste for all ratings.
pub fn learn(
    plan: &Plan,
    knots: &[f32],
    start: &Taste,
    games: &[Game],
    network: &Network,
    monitor: &Monitor,
) -> Result<Vec<Taste>, LearnError> {
    let base = Weights::embedded_playout().numbers();
    let mut added = vec![start.numbers(); knots.len()];
    let mut sharpness = vec![start.sharpness; knots.len()];
    let mut order: Vec<usize> = (0..games.len()).collect();
    let mut random = Pcg64Mcg::seed_from_u64(plan.seed);
    let steps = games.len() * plan.move_passes as usize;
    let bar = monitor.bar(steps as u64);
    let mut choice = Choice::new(Look::Glance);
    let (mut bases, mut logits) = (Vec::new(), Vec::new());
    let mut step = 0;
    for _ in 0..plan.move_passes {
        order.shuffle(&mut random);
        for &game in &order {
            if monitor.stopped() {
                bar.finish_and_clear();
                return Err(LearnError::Stopped);
            }
            let rate = plan.move_rate * (1.0 - (1.0 - LAST_RATE) * step as f32 / steps as f32);
            let game = &games[game];
            game.replay(|walker, ply| {
                let Some([own, _]) = ratings(game, walker.turn()) else { return };
                if !choice.fill(walker, ply.mv, network) {
                    return;
                }
                let shares = Shares::of(own, knots);
                let sharp = shares.mean(|knot| sharpness[knot]);
                bases.clear();
                logits.clear();
                for mv in 0..choice.len() {
                    let features = choice.features(mv);
                    let known: f32 = features.iter().map(|&feature| base[feature as usize]).sum();
                    let of = |knot: usize| features.iter().map(|&feature| added[knot][shared(feature)]).sum();
                    bases.push(known);
                    logits.push(sharp * known + shares.mean(of));
                }
                softmax(&mut logits);
                let mut by_sharpness = 0.0;
                for (mv, &probability) in logits.iter().enumerate() {
                    let slope = if mv == choice.played { 1.0 - probability } else { -probability };
                    if slope.abs() < NEGLIGIBLE {
                        continue;
                    }
                    by_sharpness += slope * bases[mv];
                    for &(knot, share) in shares.0.iter().filter(|(_, share)| *share > 0.0) {
                        let added = &mut added[knot];
                        for &feature in choice.features(mv) {
                            added[shared(feature)] += rate * share * slope;
                        }
                    }
                }
                for &(knot, share) in &shares.0 {
                    sharpness[knot] += SHARPNESS_RATE * rate * share * by_sharpness;
                }
            });
            step += 1;
            bar.set_position(step as u64);
        }
    }
    bar.finish_and_clear();
    Ok(sharpness.iter().zip(&added).map(|(&sharpness, added)| Taste::new(sharpness, added)).collect())
}

fn softmax(logits: &mut [f32]) {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for logit in &mut *logits {
        *logit = (*logit - most).exp();
        sum += *logit;
    }
    for strength in logits {
        *strength /= sum;
    }
}
