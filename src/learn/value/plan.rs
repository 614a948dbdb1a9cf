//! What a plan of kind `value` says.

use serde::Deserialize;
use std::path::PathBuf;

use crate::learn::checkpoint::fingerprint;
use crate::learn::plan::{names, within};

/// Which positions of the games to learn from.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Positions {
    /// Those whose recorded move neither captures nor promotes, without check.
    Quiet,
    /// All: each is followed by quiescence to the quiet position its score is about. The network for that is learned
    /// from quiet positions first, in a third of the passes.
    #[default]
    Resolved,
}

/// How to learn the static evaluation. All but the files has a default.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Files of games with scores.
    pub records: Vec<PathBuf>,
    /// Where the weights go; checkpoint and plot lie beside them.
    pub output: PathBuf,
    /// Where random numbers start.
    #[serde(default = "defaults::seed")]
    pub seed: u64,
    /// Which positions to take.
    #[serde(default)]
    pub positions: Positions,
    /// Positions with larger scores are left out.
    #[serde(default = "defaults::largest_score")]
    pub largest_score: i32,
    /// Share of the recorded score in the target; the rest is the result of the game.
    #[serde(default = "defaults::lambda")]
    pub lambda: f32,
    /// How often to go through the positions.
    #[serde(default = "defaults::passes")]
    pub passes: u32,
    /// Positions a step.
    #[serde(default = "defaults::batch")]
    pub batch: usize,
    /// Size of the steps, in the beginning; it falls like a cosine to a fiftieth.
    #[serde(default = "defaults::rate")]
    pub rate: f32,
    /// How strongly weights are drawn towards zero.
    #[serde(default = "defaults::decay")]
    pub decay: f32,
    /// From this share of the run on, the network is seen with its weights rounded as the engine will have them.
    #[serde(default = "defaults::round_from")]
    pub round_from: f32,
    /// Seconds between checkpoints.
    #[serde(default = "defaults::checkpoint_seconds")]
    pub checkpoint_seconds: u64,
}

mod defaults {
    pub fn seed() -> u64 {
        1
    }
    pub fn largest_score() -> i32 {
        3000
    }
    pub fn lambda() -> f32 {
        1.0
    }
    pub fn passes() -> u32 {
        6
    }
    pub fn batch() -> usize {
        4096
    }
    pub fn rate() -> f32 {
        0.003
    }
    pub fn decay() -> f32 {
        0.1
    }
    pub fn round_from() -> f32 {
        0.8
    }
    pub fn checkpoint_seconds() -> u64 {
        120
    }
}

impl Plan {
    /// What is wrong with it, if anything.
    pub fn check(&self) -> Result<(), String> {
        within("largest_score", self.largest_score as f32, 1.0, 31_000.0)?;
        within("lambda", self.lambda, 0.0, 1.0)?;
        within("passes", self.passes as f32, 1.0, 10_000.0)?;
        within("batch", self.batch as f32, 16.0, 1_048_576.0)?;
        within("rate", self.rate, 1e-7, 1.0)?;
        within("decay", self.decay, 0.0, 10.0)?;
        within("round_from", self.round_from, 0.0, 1.0)
    }

    /// The plan for the network that resolves positions: the same over quiet positions, in fewer passes.
    #[must_use]
    pub fn first(&self) -> Self {
        Self {
            positions: Positions::Quiet,
            passes: self.passes.div_ceil(3),
            output: self.output.with_extension("first.bin"),
            ..self.clone()
        }
    }

    /// A number that changes with everything that changes the result, and not with where the files lie.
    pub fn fingerprint(&self) -> u64 {
        let records = names(&self.records);
        let same = Self { checkpoint_seconds: 0, output: PathBuf::new(), records, ..self.clone() };
        fingerprint(&format!("{same:?}"))
    }
}
