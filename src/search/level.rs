//! Weaker on purpose: fewer playouts, and a move drawn from what they found instead of the best.
//!
//! Playouts grow and the temperature falls geometrically from level to level. At the lowest levels there are no
//! playouts, and the move is drawn from the policy: it still looks like shogi. Players of a rating are imitated in their own way.

use rand::Rng;
use rand::seq::IndexedRandom;

use super::choice::RootMove;
use super::{Params, Preferences};
use crate::human::Manner;
use crate::shogi::Move;

/// The level of full strength.
pub const FULL: i32 = 20;

/// From this level on mates are looked for as at full strength; below it they are found by chance.
const SEES_MATES: i32 = 10;

/// Up to this level the policy plays alone.
const LAST_WITHOUT_PLAYOUTS: i32 = 6;

/// Players who see at least this share of all mates in three look for them further on too.
const SURE_OF_MATES: f32 = 0.65;

/// Playouts of the next level, and how many times as many each further one has.
const PLAYOUTS: (f32, f32) = (2.0, 1.7);

/// Temperature of level 0, and how many times as high it is at each further one.
const TEMPERATURE: (f32, f32) = (1.6, 0.8);

/// How well to play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Level {
    /// As well as possible.
    Full,
    /// On a scale from 0 to just below [`FULL`].
    Skill(i32),
    /// As players of a rating do.
    Rating(Manner),
}

/// A move that was chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// Its place among the moves.
    pub place: usize,
    /// The probability with which each of them could have been chosen.
    pub odds: Vec<f32>,
}

impl Chosen {
    /// The first move, whatever chance says.
    fn best(count: usize) -> Self {
        let odds = (0..count).map(|place| f32::from(u8::from(place == 0))).collect();
        Self { place: 0, odds }
    }
}

impl Level {
    /// The level that parameters ask for.
    pub fn of(params: &Params) -> Self {
        match (params.play_rating(), params.skill() as i32) {
            (rating, _) if rating > 0.0 => Self::Rating(Manner::of(rating)),
            (_, FULL..) => Self::Full,
            (_, skill) => Self::Skill(skill),
        }
    }

    /// Whether mates are looked for before anything else.
    pub fn sees_mates(self) -> bool {
        match self {
            Self::Full => true,
            Self::Skill(skill) => skill >= SEES_MATES,
            Self::Rating(_) => false,
        }
    }

    /// The most playouts for a move.
    pub fn playouts(self) -> Option<u64> {
        match self {
            Self::Full => None,
            Self::Skill(..=LAST_WITHOUT_PLAYOUTS) => Some(0),
            Self::Skill(skill) => {
                let over = skill - LAST_WITHOUT_PLAYOUTS;
                Some((PLAYOUTS.0 * PLAYOUTS.1.powi(over - 1)).round() as u64)
            }
            Self::Rating(manner) => Some(manner.playouts),
        }
    }

    /// The preferences of a search at this level.
    #[must_use]
    pub fn weaken(self, preferences: &Preferences) -> Preferences {
        let mut preferences = preferences.clone();
        let changed: &[(&str, &str)] = match self {
            Self::Full => return preferences,
            Self::Skill(SEES_MATES..) => &[],
            Self::Skill(_) => &[("Leaf_Mate", "off"), ("Playout_Mate", "off"), ("Mate_Search", "0")],
            // Who misses mates on the board does not see them further on.
            Self::Rating(manner) if manner.sees(3) < SURE_OF_MATES => {
                &[("Leaf_Mate", "one"), ("Mate_Search", "0")]
            }
            Self::Rating(_) => &[("Mate_Search", "0")],
        };
        // What was found for another move, or by another thread in time, would make it stronger by chance.
        preferences.threads = 1;
        let usual = [("Reuse_Tree", "false"), ("Cut_Losers", "false")];
        for (name, value) in usual.iter().chain(changed) {
            preferences.params = preferences.params.with(name, value);
        }
        preferences
    }

    /// The move to play among those of the root, the best of which stands first. What is known to win is played and what is
    /// known to lose is not, where there is anything else. For ratings `seen` says how often such players play each move and what
    /// it is worth at a glance, and moves of `missed` are not seen.
    pub fn choose(
        self,
        moves: &[RootMove],
        seen: impl FnOnce(&[RootMove]) -> Vec<(f32, f32)>,
        missed: &[Move],
        random: &mut impl Rng,
    ) -> Chosen {
        let open: Vec<usize> = (0..moves.len()).filter(|&place| !moves[place].loses()).collect();
        let others: Vec<usize> =
            open.iter().copied().filter(|&place| !missed.contains(&moves[place].mv)).collect();
        let open = if others.is_empty() { open } else { others };
        if self == Self::Full || open.is_empty() || (missed.is_empty() && moves[0].wins()) {
            return Chosen::best(moves.len());
        }
        let likings: Vec<f32> = match self {
            Self::Full => return Chosen::best(moves.len()),
            Self::Skill(skill) => {
                let temperature = TEMPERATURE.0 * TEMPERATURE.1.powi(skill);
                // The prior counts as one visit, so that there is something to go by where there are none.
                let tried = |found: &RootMove| found.visits as f32 + found.prior;
                moves.iter().map(|found| tried(found).max(f32::MIN_POSITIVE).ln() / temperature).collect()
            }
            Self::Rating(manner) => {
                let seen = seen(moves).into_iter();
                moves
                    .iter()
                    .zip(seen)
                    .map(|(found, (p, worth))| manner.liking(p, worth, found.visits))
                    .collect()
            }
        };
        let most = open.iter().map(|&place| likings[place]).fold(f32::NEG_INFINITY, f32::max);
        let mut odds = vec![0.0; moves.len()];
        for &place in &open {
            odds[place] = (likings[place] - most).exp();
        }
        let sum: f32 = odds.iter().sum();
        for odds in &mut odds {
            *odds /= sum;
        }
        let place = open.choose_weighted(random, |&place| odds[place]).copied().unwrap_or(open[0]);
        Chosen { place, odds }
    }
}
