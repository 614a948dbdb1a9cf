//! What a search says about a line of play.

use crate::eval::CP_SCALE;
use crate::shogi::Move;

/// Value of a position for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Centipawns, such that `1/(1+exp(-cp/600))` is the chance to win.
    Cp(i32),
    /// The side to move mates in this many plies.
    Mates(u32),
    /// The side to move is mated in this many plies.
    Mated(u32),
}

impl Score {
    /// The logit of the chance to win, at most 4: nothing is surer for people.
    pub fn logit(self) -> f32 {
        const MOST: f32 = 4.0;
        match self {
            Self::Cp(cp) => (cp as f32 / CP_SCALE).clamp(-MOST, MOST),
            Self::Mates(_) => MOST,
            Self::Mated(_) => -MOST,
        }
    }
}

/// One line of play and how it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Depth finished.
    pub depth: u32,
    /// Depth reached.
    pub seldepth: u32,
    /// Value for the side to move at the root.
    pub score: Score,
    /// Positions looked at in the whole search so far.
    pub nodes: u64,
    /// Memory in use, of a thousand parts.
    pub hashfull: u32,
    /// The moves; the first is what this line is about.
    pub pv: Vec<Move>,
}
