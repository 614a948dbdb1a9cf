//! What came of reading a file: how many games, and which were skipped and why.

use std::collections::BTreeMap;
use thiserror::Error;

use super::text::LineError;
use crate::shogi::kifu::KifuError;

/// Why a game was skipped.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum Reason {
    /// A line of the project's own format is wrong.
    #[error(transparent)]
    Line(#[from] LineError),
    /// A game in another format is wrong.
    #[error(transparent)]
    Kifu(#[from] KifuError),
    /// The bytes are no text.
    #[error("not text")]
    NotText,
    /// Longer than any game.
    #[error("longer than any game")]
    TooLong,
    /// The rest of the file cannot be read; what came before it was.
    #[error("the file is damaged or cut off: {0}")]
    Damaged(String),
}

impl Reason {
    /// The reason without its particulars, to count by.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Line(error) => error.kind(),
            Self::Kifu(error) => error.kind(),
            Self::NotText => "not text",
            Self::TooLong => "longer than any game",
            Self::Damaged(_) => "the file is damaged or cut off",
        }
    }
}

/// A game that was skipped.
#[derive(Debug)]
pub struct Skipped {
    /// Where it begins, from 1, counted in the units of the format.
    pub place: u64,
    /// Why.
    pub reason: Reason,
}

/// Counts over a file.
#[derive(Debug, Default)]
pub struct Tally {
    /// Games handed out.
    pub games: u64,
    /// Games skipped, by the kind of reason.
    pub reasons: BTreeMap<&'static str, u64>,
    /// The first games skipped, in order.
    pub examples: Vec<Skipped>,
}

impl Tally {
    /// How many skipped games are kept with their particulars.
    const EXAMPLES: usize = 5;

    /// Games skipped.
    pub fn skipped(&self) -> u64 {
        self.reasons.values().sum()
    }

    /// Counts a skipped game.
    pub fn skip(&mut self, place: u64, reason: Reason) {
        *self.reasons.entry(reason.kind()).or_default() += 1;
        if self.examples.len() < Self::EXAMPLES {
            self.examples.push(Skipped { place, reason });
        }
    }
}
