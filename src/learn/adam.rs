//! The Adam optimiser, with a running mean of the numbers it leads to.

use rayon::prelude::*;

/// The numbers, and what the optimiser remembers of their gradients.
#[derive(Clone, Debug, PartialEq)]
pub struct Adam {
    /// What is learned.
    pub numbers: Vec<f32>,
    /// Mean over the last steps: steadier than the numbers themselves, and what a run results in.
    pub mean: Vec<f32>,
    first: Vec<f32>,
    second: Vec<f32>,
    step: u64,
    /// Gradients below this are not followed at the full rate: they may be noise.
    floor: f32,
}

/// Decay of the gradients' mean and of their squares' mean.
const FIRST_DECAY: f32 = 0.9;
const SECOND_DECAY: f32 = 0.999;

/// Decay of the numbers' mean, once there are enough.
const MEAN_DECAY: f32 = 0.999;

/// Steps over which the rate rises in the beginning, while the means are not yet to be trusted.
const WARM_UP: u64 = 200;

/// Numbers worth giving to another core.
const SHARE: usize = 1 << 14;

impl Adam {
    /// Starts from these numbers.
    pub fn new(numbers: Vec<f32>) -> Self {
        let zeros = vec![0.0; numbers.len()];
        Self { mean: numbers.clone(), numbers, first: zeros.clone(), second: zeros, step: 0, floor: 1e-8 }
    }

    /// The same, but gradients below `floor` are not followed at the full rate. A number whose gradient is hardly ever
    /// there would else be moved as far as one with much to say.
    pub fn with_floor(numbers: Vec<f32>, floor: f32) -> Self {
        Self { floor, ..Self::new(numbers) }
    }

    /// What a checkpoint must keep.
    pub fn groups(&self) -> Vec<Vec<f32>> {
        vec![self.numbers.clone(), self.mean.clone(), self.first.clone(), self.second.clone()]
    }

    /// Goes on from a checkpoint; nothing where the groups do not fit.
    pub fn restored(&self, step: u64, groups: &[Vec<f32>]) -> Option<Self> {
        let [numbers, mean, first, second] = groups else { return None };
        groups.iter().all(|group| group.len() == self.numbers.len()).then(|| Self {
            numbers: numbers.clone(),
            mean: mean.clone(),
            first: first.clone(),
            second: second.clone(),
            step,
            floor: self.floor,
        })
    }

    /// A step against the gradient, which is the sum of `parts` times `factor`; on the way the numbers shrink towards
    /// zero by `rate` times `decay`.
    pub fn step(&mut self, parts: &[Vec<f32>], factor: f32, rate: f32, decay: f32) {
        self.step += 1;
        let step = self.step.min(1 << 20);
        let rate = rate * (step as f32 / WARM_UP as f32).min(1.0);
        let correct = |decay: f32| 1.0 / (1.0 - decay.powi(step as i32));
        let (first_factor, second_factor) = (correct(FIRST_DECAY), correct(SECOND_DECAY));
        let floor = self.floor;
        let keep = MEAN_DECAY.min(step as f32 / (step as f32 + 10.0));
        let numbers = self.numbers.par_chunks_mut(SHARE).zip(self.mean.par_chunks_mut(SHARE));
        let memory = self.first.par_chunks_mut(SHARE).zip(self.second.par_chunks_mut(SHARE));
        numbers.zip(memory).enumerate().for_each(|(share, ((numbers, mean), (first, second)))| {
            for i in 0..numbers.len() {
                let gradient = factor * parts.iter().map(|part| part[share * SHARE + i]).sum::<f32>();
                first[i] = FIRST_DECAY * first[i] + (1.0 - FIRST_DECAY) * gradient;
                second[i] = SECOND_DECAY * second[i] + (1.0 - SECOND_DECAY) * gradient * gradient;
                let pull = first[i] * first_factor / ((second[i] * second_factor).sqrt() + floor);
                numbers[i] -= rate * (pull + decay * numbers[i]);
                mean[i] = keep * mean[i] + (1.0 - keep) * numbers[i];
            }
        });
    }
}
