//! What is played: the transition policy of playouts, more or less sharp and with other weights, by rating.

use super::Shares;
use crate::eval::weights::WeightsError;
use crate::policy::features::{COUNT, TOTAL};
use crate::policy::weights::{PHASES, number};
use crate::policy::{Look, Stages, Weights};

/// A weight of 1.0 in the bytes of a knot.
const UNIT: f32 = 64.0;

/// How the policy differs from that of all players, at one knot.
#[derive(Clone, Debug, PartialEq)]
pub struct Taste {
    /// What the weights of the transition policy are multiplied by.
    pub sharpness: f32,
    /// What is added to them, by feature, the same in all phases of the game; in bytes, for most are 0.
    pub bytes: Vec<i8>,
}

impl Taste {
    /// The nearest to numbers, one for each feature.
    pub fn new(sharpness: f32, added: &[f32]) -> Self {
        let nearest = |x: &f32| (x * UNIT).round().clamp(-127.0, 127.0) as i8;
        Self { sharpness, bytes: added.iter().map(nearest).collect() }
    }

    /// That of the transition policy itself.
    pub fn usual() -> Self {
        Self { sharpness: 1.0, bytes: vec![0; TOTAL] }
    }

    /// What is added, one number for each feature.
    pub fn numbers(&self) -> Vec<f32> {
        (0..TOTAL).map(|feature| self.added(feature)).collect()
    }

    fn added(&self, feature: usize) -> f32 {
        f32::from(self.bytes[feature]) / UNIT
    }
}

/// The feature that stands for a number among the weights of a policy, in all phases of the game.
#[inline]
pub fn shared(number: u32) -> usize {
    let number = number as usize;
    if number < COUNT * PHASES { number % COUNT } else { number - COUNT * (PHASES - 1) }
}

/// The logit of a move with these numbers of weights, by the transition policy's weights and tastes.
pub fn logit(base: &[f32], tastes: &[Taste], shares: &Shares, numbers: &[u32]) -> f32 {
    let known: f32 = numbers.iter().map(|&number| base[number as usize]).sum();
    let added = |knot: usize| numbers.iter().map(|&number| tastes[knot].added(shared(number))).sum();
    shares.mean(|knot| tastes[knot].sharpness) * known + shares.mean(added)
}

/// The weights of the policy at a rating.
pub fn weights(base: &Weights, tastes: &[Taste], shares: &Shares) -> Result<Weights, WeightsError> {
    let sharpness = shares.mean(|knot| tastes[knot].sharpness);
    let mut numbers: Vec<f32> = base.numbers().iter().map(|weight| sharpness * weight).collect();
    for feature in 0..TOTAL {
        let added = shares.mean(|knot| tastes[knot].added(feature));
        if added != 0.0 {
            let phases = if feature < COUNT { PHASES } else { 1 };
            (0..phases).for_each(|phase| numbers[number(phase, feature)] += added);
        }
    }
    Weights::from_numbers(&numbers, Look::Glance, Stages::Game)
}
