//! What a plan of kind `transition` says.

use serde::Deserialize;
use std::path::PathBuf;

use crate::learn::checkpoint::fingerprint;
use crate::learn::plan::{names, within};
use crate::policy::Look;

/// A way to find strengths of features.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// None: every move is as strong as the other.
    Uniform,
    /// How often moves with a feature were played.
    Frequency,
    /// Minorisation–maximisation, one family of features after the other.
    Minorisation,
    /// Conjugate gradients with a log barrier.
    Conjugate,
    /// The same, then weak features are dropped and the others learned again.
    Filtered1,
    /// Dropped twice.
    Filtered2,
    /// Dropped three times.
    Filtered3,
    /// Stochastic gradients by Adam, over all games.
    Adam,
}

impl Method {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Uniform => "uniform",
            Self::Frequency => "frequency",
            Self::Minorisation => "minorisation",
            Self::Conjugate => "conjugate",
            Self::Filtered1 => "conjugate, filtered once",
            Self::Filtered2 => "conjugate, filtered twice",
            Self::Filtered3 => "conjugate, filtered 3 times",
            Self::Adam => "Adam",
        }
    }
}

/// How to learn the transition policy. All but the files has a default.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Files of games.
    pub records: Vec<PathBuf>,
    /// Where the best weights go; checkpoint and plots lie beside them.
    pub output: PathBuf,
    /// How closely moves are looked at: `full` for the tree, `glance` for playouts.
    #[serde(default = "defaults::look")]
    pub look: Look,
    /// Where random numbers start.
    #[serde(default = "defaults::seed")]
    pub seed: u64,
    /// The methods to compare; the best on the validation games becomes the weights.
    #[serde(default = "defaults::methods")]
    pub methods: Vec<Method>,
    /// Positions for the methods that need all of them at once; Adam takes all there are.
    #[serde(default = "defaults::positions")]
    pub positions: usize,
    /// Positions of the validation games to compare by.
    #[serde(default = "defaults::validation")]
    pub validation: usize,
    /// Filtering drops features whose strength is below this.
    #[serde(default = "defaults::filter_below")]
    pub filter_below: f64,
    /// The strength that dropped features have.
    #[serde(default = "defaults::filter_to")]
    pub filter_to: f64,
    /// Steps of conjugate gradients.
    #[serde(default = "defaults::iterations")]
    pub iterations: usize,
    /// Sweeps of minorisation over all families.
    #[serde(default = "defaults::sweeps")]
    pub sweeps: usize,
    /// How often Adam goes through the games.
    #[serde(default = "defaults::passes")]
    pub passes: u32,
    /// Games a step of Adam.
    #[serde(default = "defaults::games")]
    pub games: usize,
    /// Size of Adam's steps, in the beginning; it falls like a cosine to a fiftieth.
    #[serde(default = "defaults::rate")]
    pub rate: f32,
    /// How strongly Adam's weights are drawn towards zero.
    #[serde(default = "defaults::decay")]
    pub decay: f32,
    /// Gradients below this Adam does not follow at the full rate: features that hardly occur stay small.
    #[serde(default = "defaults::floor")]
    pub floor: f32,
    /// Seconds between checkpoints.
    #[serde(default = "defaults::checkpoint_seconds")]
    pub checkpoint_seconds: u64,
}

mod defaults {
    use super::{Look, Method};

    pub fn look() -> Look {
        Look::Full
    }
    pub fn seed() -> u64 {
        1
    }
    pub fn methods() -> Vec<Method> {
        vec![Method::Adam]
    }
    pub fn positions() -> usize {
        100_000
    }
    pub fn validation() -> usize {
        100_000
    }
    pub fn filter_below() -> f64 {
        0.5
    }
    pub fn filter_to() -> f64 {
        0.3
    }
    pub fn iterations() -> usize {
        60
    }
    pub fn sweeps() -> usize {
        20
    }
    pub fn passes() -> u32 {
        2
    }
    pub fn games() -> usize {
        16
    }
    pub fn rate() -> f32 {
        0.01
    }
    pub fn decay() -> f32 {
        0.01
    }
    pub fn floor() -> f32 {
        1e-5
    }
    pub fn checkpoint_seconds() -> u64 {
        120
    }
}

impl Plan {
    /// What is wrong with it, if anything.
    pub fn check(&self) -> Result<(), String> {
        if self.methods.is_empty() {
            return Err("methods: none is named".to_owned());
        }
        within("positions", self.positions as f32, 1.0, 1e6)?;
        within("validation", self.validation as f32, 1.0, 1e8)?;
        within("filter_below", self.filter_below as f32, 0.0, 1e6)?;
        within("filter_to", self.filter_to as f32, 1e-6, 1.0)?;
        within("iterations", self.iterations as f32, 1.0, 1e5)?;
        within("sweeps", self.sweeps as f32, 1.0, 1e5)?;
        within("passes", self.passes as f32, 1.0, 1e4)?;
        within("games", self.games as f32, 1.0, 1e5)?;
        within("rate", self.rate, 1e-7, 1.0)?;
        within("decay", self.decay, 0.0, 10.0)?;
        within("floor", self.floor, 1e-12, 1.0)
    }

    /// A number that changes with everything that changes the result, and not with where the files lie.
    pub fn fingerprint(&self) -> u64 {
        let records = names(&self.records);
        let same = Self { checkpoint_seconds: 0, output: PathBuf::new(), records, ..self.clone() };
        fingerprint(&format!("{same:?}"))
    }
}
