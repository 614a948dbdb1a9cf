//! What a plan of kind `rating` says.

use serde::Deserialize;
use std::path::PathBuf;

use crate::learn::plan::within;

/// How to learn about players of all ratings. All but the files has a default.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Files of games whose players' ratings are known.
    pub records: Vec<PathBuf>,
    /// Files of other games. Positions of them are played on by players of all ratings, and who wins then is learned too.
    #[serde(default)]
    pub positions: Vec<PathBuf>,
    /// How many games are played on at each knot.
    #[serde(default)]
    pub played_on: Vec<usize>,
    /// Where the weights go; those of the same model without the rating lie beside them.
    pub output: PathBuf,
    /// Where random numbers start.
    #[serde(default = "defaults::seed")]
    pub seed: u64,
    /// The ratings at which it is learned, ascending.
    #[serde(default = "defaults::knots")]
    pub knots: Vec<f32>,
    /// How often to go through the positions to learn who wins.
    #[serde(default = "defaults::win_passes")]
    pub win_passes: u32,
    /// Positions a step.
    #[serde(default = "defaults::win_batch")]
    pub win_batch: usize,
    /// Size of its steps, in the beginning; it falls to a fiftieth.
    #[serde(default = "defaults::win_rate")]
    pub win_rate: f32,
    /// How strongly its weights are drawn to what they begin with.
    #[serde(default = "defaults::win_decay")]
    pub win_decay: f32,
    /// How often to go through the games to learn what is played.
    #[serde(default = "defaults::move_passes")]
    pub move_passes: u32,
    /// Size of its steps, in the beginning; it falls to a tenth.
    #[serde(default = "defaults::move_rate")]
    pub move_rate: f32,
    /// Into so many parts all games but those of the last test are divided; each is judged by models that learned from the
    /// others, and only the table is told. With 0 it learns once, writes what it learned and judges by the validation games.
    #[serde(default)]
    pub folds: u32,
}

mod defaults {
    pub fn seed() -> u64 {
        1
    }
    pub fn knots() -> Vec<f32> {
        vec![1100.0, 1440.0, 1780.0, 2120.0, 2460.0, 2800.0]
    }
    pub fn win_passes() -> u32 {
        3
    }
    pub fn win_batch() -> usize {
        1024
    }
    pub fn win_rate() -> f32 {
        0.0005
    }
    pub fn win_decay() -> f32 {
        0.01
    }
    pub fn move_passes() -> u32 {
        1
    }
    pub fn move_rate() -> f32 {
        0.01
    }
}

impl Plan {
    /// What is wrong with it, if anything.
    pub fn check(&self) -> Result<(), String> {
        if self.knots.is_empty() || self.knots.len() > 32 || !self.knots.is_sorted_by(|a, b| a < b) {
            return Err("knots: 1 to 32 ratings, ascending".to_owned());
        }
        within("win_passes", self.win_passes as f32, 0.0, 1e3)?;
        within("win_batch", self.win_batch as f32, 1.0, 1e6)?;
        within("win_rate", self.win_rate, 1e-7, 1.0)?;
        within("win_decay", self.win_decay, 0.0, 10.0)?;
        within("move_passes", self.move_passes as f32, 0.0, 1e3)?;
        within("move_rate", self.move_rate, 1e-7, 1.0)?;
        for &games in &self.played_on {
            within("played_on", games as f32, 1.0, 1e6)?;
        }
        if self.played_on.is_empty() != self.positions.is_empty() {
            return Err("positions, played_on: both or neither".to_owned());
        }
        if !self.played_on.is_empty() && self.played_on.len() != self.knots.len() {
            return Err("played_on: a number of games for each knot".to_owned());
        }
        if self.folds == 1 || self.folds > 100 {
            return Err("folds: 0, or 2 to 100".to_owned());
        }
        Ok(())
    }
}
