//! Positions of games as choices between moves with features.

use super::examples::Examples;
use crate::eval::Network;
use crate::learn::records::Game;
use crate::policy::Moment;
use crate::policy::weights::{NUMBERS, number};
use crate::policy::{Look, Scene};
use crate::shogi::{MoveList, Walker, legal_moves};

/// The moves of a position with their features; made once and filled again and again.
pub struct Choice {
    look: Look,
    features: Vec<u32>,
    /// Where the features of each move end.
    ends: Vec<u32>,
    /// Which move was played.
    pub played: usize,
    /// Progress of the game, 0 to 127.
    pub progress: u8,
}

impl Choice {
    /// Of positions that are looked at like this.
    pub fn new(look: Look) -> Self {
        Self { look, features: Vec::new(), ends: Vec::new(), played: 0, progress: 0 }
    }

    /// Fills in a position; false where there is nothing to choose or the move is not among the legal ones.
    pub fn fill(&mut self, walker: &mut Walker, played: crate::shogi::Move, network: &Network) -> bool {
        let position = walker.position();
        let mut moves = MoveList::new();
        legal_moves(position, &mut moves);
        let Some(place) = moves.iter().position(|&mv| mv == played) else { return false };
        self.played = place;
        self.progress = network.progress(position);
        self.features.clear();
        self.ends.clear();
        let phase = Moment::of_game(self.progress).phase;
        let scene = Scene::new(walker, self.look);
        for &mv in moves.iter() {
            scene.visit(mv, |feature| self.features.push(number(phase, feature) as u32));
            self.ends.push(self.features.len() as u32);
        }
        moves.len() > 1
    }

    /// How many moves there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The features of a move.
    #[inline]
    pub fn features(&self, mv: usize) -> &[u32] {
        let start = if mv == 0 { 0 } else { self.ends[mv - 1] as usize };
        &self.features[start..self.ends[mv] as usize]
    }

    /// The probability of each move under `theta` times a sharpness, in place of what is in `probabilities`.
    pub fn softmax(&self, theta: &[f32], sharpness: f32, probabilities: &mut Vec<f32>) {
        probabilities.clear();
        let sum =
            |mv| sharpness * self.features(mv).iter().map(|&feature| theta[feature as usize]).sum::<f32>();
        probabilities.extend((0..self.len()).map(sum));
        let most = probabilities.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let mut total = 0.0;
        for probability in probabilities.iter_mut() {
            *probability = (*probability - most).exp();
            total += *probability;
        }
        for probability in probabilities.iter_mut() {
            *probability /= total;
        }
    }
}

/// Visits every choice of a game for which `wanted` says yes to its number.
pub fn visit(
    game: &Game,
    network: &Network,
    choice: &mut Choice,
    mut wanted: impl FnMut(usize) -> bool,
    mut visit: impl FnMut(&Choice),
) {
    let mut number = 0;
    game.replay(|walker, ply| {
        if wanted(number) && choice.fill(walker, ply.mv, network) {
            visit(choice);
        }
        number += 1;
    });
}

/// Every `every`th choice of games, counted over all of them, at most `most`.
pub fn examples(games: &[Game], network: &Network, look: Look, most: usize) -> Examples {
    let total: usize = games.iter().map(|game| game.moves.len()).sum();
    let every = total.div_ceil(most.max(1)).max(1);
    let mut examples = Examples::new(NUMBERS);
    let mut choice = Choice::new(look);
    let mut count = 0;
    for game in games {
        let wanted = |_| {
            count += 1;
            count % every == 0
        };
        visit(game, network, &mut choice, wanted, |choice| {
            examples.push((0..choice.len()).map(|mv| choice.features(mv)), choice.played);
        });
    }
    examples
}
