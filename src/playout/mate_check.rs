//! How far to look for a mate before a move is chosen.

use serde::Deserialize;

use crate::mate::{mate_in_one, mate_in_three};
use crate::shogi::Walker;

/// A depth of looking for mate.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum MateCheck {
    /// Not at all.
    Off,
    /// One ply.
    #[default]
    One,
    /// Three plies.
    Three,
}

impl MateCheck {
    /// Its name as an option.
    pub fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::One => "one",
            Self::Three => "three",
        }
    }

    /// Plies to a mate by the side to move, at most, where one is seen.
    #[inline]
    pub fn plies_to_mate(self, walker: &mut Walker) -> Option<u16> {
        match self {
            Self::Off => None,
            Self::One => mate_in_one(walker).map(|_| 1),
            // Nearly every mate that is seen is one of one ply, so the length is not asked for first.
            Self::Three => {
                if mate_in_one(walker).is_some() {
                    return Some(1);
                }
                mate_in_three(walker).map(|_| 3)
            }
        }
    }
}
