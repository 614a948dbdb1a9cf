//! A game that is a full tree with random results, and a softmax policy on it.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use tenbin::learn::balancing::estimator::{Course, Path, Place};

/// Moves of a position.
const MOVES: usize = 3;
/// Plies of a game.
const PLIES: usize = 4;
/// Features that moves of any position may have, beside one that is theirs alone.
const SHARED: usize = 6;

/// The game: positions numbered level by level, the results of its ends, features of its moves.
pub struct TreeGame {
    /// For the first player.
    results: Vec<f32>,
    /// By position and move.
    features: Vec<Vec<u32>>,
}

/// The first position of a level.
fn first(level: usize) -> usize {
    (MOVES.pow(level as u32) - 1) / (MOVES - 1)
}

impl TreeGame {
    pub fn new(seed: u64) -> Self {
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let results = (0..MOVES.pow(PLIES as u32)).map(|_| random.random_range(-1_i8..=1).into()).collect();
        let features = (0..first(PLIES) * MOVES)
            .map(|number| {
                let shared = random.random_range(0..SHARED as u32);
                // Some have a feature twice.
                let twice = random.random_bool(0.2).then_some(shared);
                [shared, (SHARED + number) as u32].into_iter().chain(twice).collect()
            })
            .collect();
        Self { results, features }
    }

    pub fn feature_count(&self) -> usize {
        SHARED + self.features.len()
    }

    /// Positions with moves.
    pub fn positions() -> usize {
        first(PLIES)
    }

    fn child(position: usize, mv: usize) -> usize {
        position * MOVES + 1 + mv
    }

    pub fn probabilities(&self, position: usize, theta: &[f32]) -> Vec<f32> {
        let strength = |mv: usize| {
            let features = &self.features[position * MOVES + mv];
            features.iter().map(|&feature| theta[feature as usize]).sum::<f32>().exp()
        };
        let strengths: Vec<f32> = (0..MOVES).map(strength).collect();
        let sum: f32 = strengths.iter().sum();
        strengths.into_iter().map(|strength| strength / sum).collect()
    }

    pub fn features(&self, position: usize, mv: usize) -> &[u32] {
        &self.features[position * MOVES + mv]
    }

    fn end(&self, position: usize) -> Option<f32> {
        let number = position.checked_sub(first(PLIES))?;
        // Results are for the first player; so is the last position of four plies.
        Some(self.results[number])
    }

    /// The value for the side to move if both play as well as they can.
    pub fn minimax(&self, position: usize) -> f32 {
        self.end(position).unwrap_or_else(|| {
            (0..MOVES).map(|mv| -self.minimax(Self::child(position, mv))).fold(-1.0, f32::max)
        })
    }

    /// The exact mean reward for the side to move under a policy.
    pub fn mean(&self, position: usize, theta: &[f32]) -> f64 {
        if let Some(result) = self.end(position) {
            return f64::from(result);
        }
        let probabilities = self.probabilities(position, theta);
        let worth = |mv: usize| -self.mean(Self::child(position, mv), theta);
        probabilities.iter().enumerate().map(|(mv, &p)| f64::from(p) * worth(mv)).sum()
    }

    /// Playouts from a position.
    pub fn playouts(&self, start: usize, theta: &[f32]) -> Playouts<'_> {
        let place = |position| {
            let mut place = Place::new(self.probabilities(position, theta));
            for mv in 0..MOVES {
                place.add_features(self.features(position, mv).iter().copied());
            }
            place
        };
        Playouts { game: self, start, places: (0..Self::positions()).map(place).collect() }
    }
}

pub struct Playouts<'a> {
    game: &'a TreeGame,
    start: usize,
    places: Vec<Place>,
}

impl Course for Playouts<'_> {
    fn play(&mut self, random: &mut Pcg64Mcg, mut path: Option<&mut Path>) -> f32 {
        let (mut position, mut sign) = (self.start, 1.0);
        loop {
            if let Some(result) = self.game.end(position) {
                return sign * result;
            }
            let mv = self.places[position].sample(random);
            if let Some(path) = &mut path {
                path.push((position as u32, mv as u32));
            }
            position = TreeGame::child(position, mv);
            sign = -sign;
        }
    }

    fn places(&mut self) -> &mut [Place] {
        &mut self.places
    }
}
