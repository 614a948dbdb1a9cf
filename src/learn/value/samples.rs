//! Positions to learn a value from: their features and what is known of them.

use crate::eval::features::{ACTIVE, Feature, features, opposite};
use crate::shogi::{Color, Position};

/// A position with what is known of it, all from the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// What holds, as the side to move sees it.
    pub features: [Feature; ACTIVE],
    /// The recorded score in centipawns.
    pub score: i16,
    /// What the side to move got from the game, in half points.
    pub half_points: u8,
}

impl Sample {
    /// A sample; nothing where the position has not all pieces.
    pub fn new(position: &Position, score: i16, half_points: u8) -> Option<Self> {
        let mut seen: [Feature; ACTIVE] = features(position).into_inner().ok()?;
        if position.turn() == Color::White {
            seen = seen.map(opposite);
        }
        Some(Self { features: seen, score, half_points })
    }
}
