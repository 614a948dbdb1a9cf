//! Linear models over the network's features: how far a game has come, and what pieces on squares are worth, to
//! compare the network with.

use rayon::prelude::*;

use super::samples::Sample;
use crate::eval::features::{INPUTS, mirror, opposite};
use crate::learn::adam::Adam;

/// The logistic of a sum of weights, one for each feature that holds, from both sides' views.
#[derive(Clone, Debug, PartialEq)]
pub struct Linear {
    /// A weight for each feature, then a constant.
    weights: Vec<f32>,
    /// What the other side's view counts: 1 for what both sides share, −1 for what one wins and the other loses.
    other: f32,
}

/// Samples a step.
pub const BATCH: usize = 16_384;

/// Parts of a step that cores can share.
const PARTS: usize = 8;

impl Linear {
    /// Fits `target` (0 to 1) over the samples; `other` is 1 or −1.
    pub fn fit(
        samples: &[Sample],
        other: f32,
        passes: usize,
        target: impl Fn(&Sample) -> f32 + Sync,
    ) -> Self {
        let mut adam = Adam::new(vec![0.0; INPUTS + 1]);
        let mut parts = vec![vec![0.0; INPUTS + 1]; PARTS];
        let batches = samples.len().div_ceil(BATCH).max(1);
        let steps = passes * batches;
        for step in 0..steps {
            // Every so many samples instead of neighbours, which come from the same games.
            let start = step % batches;
            let model = Self { weights: adam.numbers.clone(), other };
            parts.par_iter_mut().enumerate().for_each(|(part, gradient)| {
                gradient.fill(0.0);
                let place = start + part * batches;
                for sample in samples.iter().skip(place).step_by(batches * PARTS) {
                    model.backward(sample, step % 2 == 1, gradient, &target);
                }
            });
            let rate = 0.02 * (1.0 - step as f32 / steps as f32);
            adam.step(&parts, 1.0 / (samples.len() / batches).max(1) as f32, rate, 0.0);
        }
        Self { weights: adam.mean, other }
    }

    /// The logit.
    pub fn logit(&self, sample: &Sample) -> f32 {
        self.logit_of(sample, false)
    }

    /// The weights of features, from the view of the side to move; the other side's view counts as much or as little.
    pub fn weights(&self) -> &[f32] {
        &self.weights[..INPUTS]
    }

    /// The constant.
    pub fn bias(&self) -> f32 {
        self.weights[INPUTS]
    }

    fn logit_of(&self, sample: &Sample, mirrored: bool) -> f32 {
        let mut sum = self.bias();
        for feature in seen(sample, mirrored) {
            sum += self.weights[usize::from(feature)]
                + self.other * self.weights[usize::from(opposite(feature))];
        }
        sum
    }

    fn backward(
        &self,
        sample: &Sample,
        mirrored: bool,
        gradient: &mut [f32],
        target: &impl Fn(&Sample) -> f32,
    ) {
        let slope = logistic(self.logit_of(sample, mirrored)) - target(sample);
        for feature in seen(sample, mirrored) {
            gradient[usize::from(feature)] += slope;
            gradient[usize::from(opposite(feature))] += self.other * slope;
        }
        gradient[INPUTS] += slope;
    }
}

fn seen(sample: &Sample, mirrored: bool) -> impl Iterator<Item = u16> {
    sample.features.into_iter().map(move |feature| if mirrored { mirror(feature) } else { feature })
}

/// `1/(1+exp(−x))`.
pub fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}
