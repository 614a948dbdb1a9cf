//! Experiments: the papers' tables and figures, players to compare with, matches between them.
//!
//! [`catalogue`] lists the experiments; each is a function that measures and gives a [`report::Report`]. What all need to
//! know, how large, from which seed, where to, is a [`Setting`].

pub mod agreement;
pub mod alphabeta;
pub mod balance;
pub mod bandits;
pub mod catalogue;
pub mod endings;
pub mod ledger;
pub mod likelihood;
pub mod matches;
mod order;
mod people;
pub mod player;
pub mod report;
pub mod sample;
pub mod setting;
pub mod statistics;
pub mod strength;
mod table;

pub use catalogue::CATALOGUE;
pub use setting::{Setting, Size};

use std::path::{Path, PathBuf};
use thiserror::Error;

use crate::learn::LearnError;

/// Why an experiment has no result.
#[derive(Debug, Error)]
pub enum ExperimentError {
    /// Somebody ended it; what was found is kept.
    #[error("stopped; the same command goes on from here")]
    Stopped,
    /// A file could not be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// What was given cannot be used.
    #[error("{0}")]
    Input(String),
    /// Something could not be learned or drawn.
    #[error(transparent)]
    Learn(#[from] LearnError),
}

impl ExperimentError {
    fn file(path: &Path, error: std::io::Error) -> Self {
        Self::File { path: path.to_owned(), error }
    }
}
