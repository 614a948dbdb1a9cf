//! The sum of the weights of a move's features, fast: what several moves share is summed up once.
//!
//! The sums are those over [`Scene::visit`], which is how weights are learned and explained.

use arrayvec::ArrayVec;

use super::features::{LANES, SQUARES, view};
use super::scene::Scene;
use super::weights::{PhaseWeights, Row};
use crate::shogi::{Move, Square};

/// A sum that nobody has asked for.
const UNKNOWN: u8 = u8::MAX;

/// Sums that are made when they are asked for the first time, by square.
struct Sums<T> {
    places: [u8; SQUARES],
    sums: ArrayVec<T, SQUARES>,
}

impl<T: Copy> Sums<T> {
    #[inline(always)]
    fn new() -> Self {
        Self { places: [UNKNOWN; SQUARES], sums: ArrayVec::new_const() }
    }

    /// The sum of a square, by `make` if it is asked for the first time.
    #[inline(always)]
    fn get(&mut self, square: usize, make: impl FnOnce() -> T) -> &T {
        if self.places[square] == UNKNOWN {
            self.places[square] = self.sums.len() as u8;
            self.sums.push(make());
        }
        &self.sums[usize::from(self.places[square])]
    }
}

/// Weighs the moves of one position.
pub struct Scorer<'a> {
    scene: &'a Scene<'a>,
    weights: PhaseWeights<'a>,
    /// What holds for all moves, by whether they are near the kings.
    everywhere: [Row; 4],
    /// Sums of destinations and of origins: of what says most, and of the rest.
    first: Sums<Row>,
    rest: Sums<Row>,
    first_origins: Sums<i32>,
    other_origins: Sums<i32>,
}

impl<'a> Scorer<'a> {
    /// Begins with a position.
    #[inline(always)]
    pub fn new(scene: &'a Scene<'a>, weights: PhaseWeights<'a>) -> Self {
        let mut common = Row::ZERO;
        scene.stock_features(|feature| common.0[feature % LANES] = weights.feature(feature));
        let everywhere = std::array::from_fn(|near| {
            let mut sum = common;
            scene.position_rows(near, |row| sum.add(weights.row(row)));
            sum
        });
        Self {
            scene,
            weights,
            everywhere,
            first: Sums::new(),
            rest: Sums::new(),
            first_origins: Sums::new(),
            other_origins: Sums::new(),
        }
    }

    /// The sum for a legal move.
    #[inline]
    pub fn logit(&mut self, mv: Move) -> i32 {
        self.rough(mv) + self.rest(mv)
    }

    /// A part of the sum that says most: enough to leave out what will not be played.
    #[inline(always)]
    pub fn rough(&mut self, mv: Move) -> i32 {
        let (scene, weights, everywhere) = (self.scene, self.weights, &self.everywhere);
        let to = mv.to_sq();
        let row = self.first.get(to.to_board_index(), || first_row(scene, weights, everywhere, to));
        let who = scene.mover(mv);
        let mut sum = i32::from(row.0[who.actor]);
        if !mv.is_drop() {
            let from = mv.from_sq();
            sum += self.first_origins.get(from.to_board_index(), || {
                let mut sum = 0;
                scene.first_origin_features(from, |feature| sum += i32::from(weights.feature(feature)));
                sum
            });
        }
        scene.check_feature(mv, who, |feature| sum += i32::from(weights.feature(feature)));
        sum
    }

    /// The other part.
    #[inline(always)]
    pub fn rest(&mut self, mv: Move) -> i32 {
        let (scene, weights) = (self.scene, self.weights);
        let to = mv.to_sq();
        let row = self.rest.get(to.to_board_index(), || {
            let mut sum = Row::ZERO;
            scene.other_rows(to, |row| sum.add(weights.row(row)));
            sum
        });
        let who = scene.mover(mv);
        let mut sum = i32::from(row.0[who.actor]);
        if !mv.is_drop() {
            let from = mv.from_sq();
            sum += self.other_origins.get(from.to_board_index(), || {
                let mut sum = 0;
                scene.other_origin_features(from, |feature| sum += i32::from(weights.feature(feature)));
                sum
            });
        }
        scene.other_features(mv, who, |feature| sum += i32::from(weights.feature(feature)));
        sum
    }
}

/// What says most about going to a square.
#[inline(always)]
fn first_row(scene: &Scene, weights: PhaseWeights, everywhere: &[Row; 4], square: Square) -> Row {
    let to = view(scene.us, square);
    let mut sum = everywhere[scene.nearness(to)];
    sum.add(weights.own_king_row(scene.own_king, to));
    if let Some(king) = scene.enemy_king {
        sum.add(weights.enemy_king_row(king, to));
    }
    scene.first_rows(square, |row| sum.add(weights.row(row)));
    sum
}
