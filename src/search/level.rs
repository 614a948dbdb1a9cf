//! Weaker on purpose: fewer playouts, and a move drawn from what they found instead of the best.
//!
//! Playouts grow and the temperature falls geometrically from level to level. At the lowest levels there are no
//! playouts, and the move is drawn from the policy: it still looks like shogi.

use rand::Rng;
use rand::seq::IndexedRandom;

use super::choice::RootMove;
use super::{Params, Preferences};

/// The level of full strength.
pub const FULL: i32 = 20;

/// From this level on mates are looked for as at full strength; below it they are found by chance.
const SEES_MATES: i32 = 10;

/// Up to this level the policy plays alone.
const LAST_WITHOUT_PLAYOUTS: i32 = 6;

/// Playouts of the next level, and how many times as many each further one has.
const PLAYOUTS: (f32, f32) = (2.0, 1.7);

/// Temperature of level 0, and how many times as high it is at each further one.
const TEMPERATURE: (f32, f32) = (1.6, 0.8);

/// How well to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level(i32);

impl Level {
    /// The level that parameters ask for.
    pub fn of(params: &Params) -> Self {
        Self(params.skill() as i32)
    }

    fn is_full(self) -> bool {
        self.0 >= FULL
    }

    /// Whether mates are looked for before anything else.
    pub fn sees_mates(self) -> bool {
        self.0 >= SEES_MATES
    }

    /// The most playouts for a move.
    pub fn playouts(self) -> Option<u64> {
        let over = self.0 - LAST_WITHOUT_PLAYOUTS;
        match over {
            _ if self.is_full() => None,
            ..=0 => Some(0),
            _ => Some((PLAYOUTS.0 * PLAYOUTS.1.powi(over - 1)).round() as u64),
        }
    }

    /// How far from the best a move may be: at 1 moves are drawn as often as they were visited, near 0 the most visited is
    /// chosen.
    fn temperature(self) -> f32 {
        TEMPERATURE.0 * TEMPERATURE.1.powi(self.0)
    }

    /// The preferences of a search at this level.
    #[must_use]
    pub fn weaken(self, preferences: &Preferences) -> Preferences {
        let mut preferences = preferences.clone();
        if self.is_full() {
            return preferences;
        }
        // What was found for another move, or by another thread in time, would make it stronger by chance.
        preferences.threads = 1;
        preferences.params = preferences.params.with("Reuse_Tree", "false").with("Cut_Losers", "false");
        if !self.sees_mates() {
            let off = [("Leaf_Mate", "off"), ("Playout_Mate", "off"), ("Mate_Search", "0")];
            preferences.params =
                off.into_iter().fold(preferences.params, |params, (name, value)| params.with(name, value));
        }
        preferences
    }

    /// The place of the move to play among those of the root, the best of which stands first. What is known to win is played
    /// and what is known to lose is not, where there is anything else.
    pub fn choose(self, moves: &[RootMove], random: &mut impl Rng) -> usize {
        let open: Vec<usize> = (0..moves.len()).filter(|&place| !moves[place].loses()).collect();
        if self.is_full() || open.is_empty() || moves[0].wins() {
            return 0;
        }
        // The prior counts as one visit, so that there is something to go by where there are none.
        let seen = |place: usize| moves[place].visits as f32 + moves[place].prior;
        let most = open.iter().map(|&place| seen(place)).fold(f32::MIN_POSITIVE, f32::max);
        let weight = |&place: &usize| (seen(place) / most).powf(1.0 / self.temperature());
        open.choose_weighted(random, weight).copied().unwrap_or(open[0])
    }
}
