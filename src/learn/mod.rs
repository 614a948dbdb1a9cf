//! Learning: what the engine knows it learns here, from records of games, by a plan.
//!
//! A plan is a TOML file that says what kind of thing to learn, from what and where to put it; paths in it are
//! relative to the plan. Learning reports lines of text, saves checkpoints, goes on from them when it is started again,
//! and stops when asked.

pub mod adam;
pub mod balancing;
pub mod checkpoint;
pub mod kept_games;
pub mod monitor;
pub mod plan;
pub mod plot;
pub mod rating;
pub mod records;
pub mod selfplay;
pub mod transition;
pub mod value;

pub use monitor::Monitor;
pub use plan::{Plan, PlanError};

use std::path::{Path, PathBuf};
use thiserror::Error;

use crate::eval::weights::WeightsError;
use records::reader::ReadError;

/// Why learning ended without a result.
#[derive(Debug, Error)]
pub enum LearnError {
    /// The plan cannot be followed.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The records cannot be read.
    #[error(transparent)]
    Records(#[from] ReadError),
    /// The records have nothing to learn from.
    #[error("{0}")]
    NothingToLearn(&'static str),
    /// Somebody ended it; what was found is kept.
    #[error("stopped; the same plan goes on from here")]
    Stopped,
    /// Games could not be played.
    #[error("{0}")]
    Games(String),
    /// A result could not be written or made into weights.
    #[error("{}: {error}", path.display())]
    Output {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: WeightsError,
    },
    /// The plot could not be drawn.
    #[error("{}: {error}", path.display())]
    Plot {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: String,
    },
}

impl LearnError {
    fn output(path: &Path, error: impl Into<WeightsError>) -> Self {
        Self::Output { path: path.to_owned(), error: error.into() }
    }
}

/// Learns by the plan in a file.
pub fn run(plan: &Path, monitor: &Monitor) -> Result<(), LearnError> {
    match Plan::read(plan)? {
        Plan::Value(plan) => value::train::run(&plan, monitor),
        Plan::Transition(plan) => transition::train::run(&plan, monitor),
        Plan::Balancing(plan) => balancing::train::run(&plan, monitor),
        Plan::Selfplay(plan) => selfplay::train::run(&plan, monitor),
        Plan::Rating(plan) => rating::train::run(&plan, monitor),
    }
}
