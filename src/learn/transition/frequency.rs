//! How often features are met and played; and strengths by nothing but that, to compare the optimisers with.

use super::examples::Examples;

/// How often each feature was met.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Occurrence {
    /// In moves that were played.
    pub played: Vec<u32>,
    /// In moves that could have been played.
    pub possible: Vec<u32>,
}

impl Occurrence {
    /// Counts.
    pub fn of(examples: &Examples) -> Self {
        let zeros = vec![0; examples.feature_count()];
        let mut counts = Self { played: zeros.clone(), possible: zeros };
        for example in examples.iter() {
            for mv in 0..example.len() {
                for &feature in example.features(mv) {
                    counts.possible[feature as usize] += 1;
                }
            }
            for &feature in example.features(example.played) {
                counts.played[feature as usize] += 1;
            }
        }
        counts
    }
}

/// Moves of usual strength that every feature is thought to have been met in besides.
const SMOOTHING: f64 = 20.0;

/// θ by frequency: a feature is as strong as moves with it are played more often than moves are on the whole. A feature
/// that never occurs has strength 1.
///
/// Features that come together count for the same thing over and over, so this ranks features and is no likelihood.
pub fn frequency(examples: &Examples) -> Vec<f32> {
    let counts = Occurrence::of(examples);
    let moves: usize = examples.iter().map(|example| example.len()).sum();
    let usual = examples.len().max(1) as f64 / moves.max(1) as f64;
    let strength = |(&played, &possible): (&u32, &u32)| {
        let rate = (f64::from(played) + SMOOTHING * usual) / (f64::from(possible) + SMOOTHING);
        (rate / usual).ln() as f32
    };
    counts.played.iter().zip(&counts.possible).map(strength).collect()
}
