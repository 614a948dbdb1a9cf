//! The sum of the weights of a move's features, fast: what several moves share is summed up once.
//!
//! The sums are those over [`Scene::visit`], which is how weights are learned and explained.

use arrayvec::ArrayVec;

use super::features::{LANES, SQUARES, turned};
use super::scene::Scene;
use super::visit::{FAR, PLACE_ROWS};
use super::weights::{PhaseWeights, Sum};
use crate::shogi::Move;

/// Weighs moves of one position.
pub struct Scorer<'a> {
    scene: &'a Scene<'a>,
    weights: PhaseWeights<'a>,
    /// The sums of destinations, in the order of their first moves, and where each square's is.
    places: ArrayVec<Sum, SQUARES>,
    numbers: [u8; SQUARES],
    /// The sums of origins.
    origins: [i32; SQUARES],
}

/// A destination that is not known yet.
const UNKNOWN: u8 = u8::MAX;

/// An origin that is not known yet.
const NO_SUM: i32 = i32::MIN;

impl<'a> Scorer<'a> {
    /// Begins with a position.
    #[inline(always)]
    pub fn new(scene: &'a Scene<'a>, weights: PhaseWeights<'a>) -> Self {
        Self {
            scene,
            weights,
            places: ArrayVec::new(),
            numbers: [UNKNOWN; SQUARES],
            origins: [NO_SUM; SQUARES],
        }
    }

    /// Sums up the destinations of moves: only such moves may be asked for.
    #[inline(always)]
    pub fn look_at(&mut self, moves: &[Move]) {
        let (scene, weights) = (self.scene, self.weights);
        // First all addresses, then all sums: most rows are not in the nearest cache, and while one is fetched the
        // others can be as well.
        let boards = weights.boards(scene.own_king, scene.enemy_king, scene.heavy);
        let mut places = ArrayVec::<u8, SQUARES>::new();
        let mut rows = [[0; PLACE_ROWS]; SQUARES];
        for mv in moves {
            let square = mv.to_sq();
            let place = square.to_board_index();
            if self.numbers[place] == UNKNOWN {
                let number = places.len();
                self.numbers[place] = (self.places.len() + number) as u8;
                let to = turned(scene.us, place);
                for board in boards {
                    prefetch(&board[to]);
                }
                scene.place_rows(square, |i, row| {
                    prefetch(weights.row(row));
                    rows[number][i] = row;
                });
                places.push(to as u8);
            }
        }
        let mut common = Sum::ZERO;
        scene.stock_features(|feature| common.add_to(feature % LANES, weights.feature(feature)));
        scene.position_rows(|row| common.add(weights.row_of(row)));
        let everywhere: [Sum; 4] = std::array::from_fn(|near| {
            let mut sum = common;
            sum.add(weights.row_of(scene.urgency_row(near)));
            sum
        });
        for (&to, rows) in places.iter().zip(&rows) {
            let to = usize::from(to);
            let mut sum = everywhere[scene.nearness(to)];
            for board in boards {
                sum.add_sum(&board[to]);
            }
            for &row in rows {
                sum.add(weights.row(row));
            }
            self.places.push(sum);
        }
    }

    /// A weight of 1.0 in its sums.
    pub fn unit(&self) -> f32 {
        self.weights.unit
    }

    /// The sum for one of the moves.
    #[inline(always)]
    pub fn logit(&mut self, mv: Move) -> i32 {
        self.rough(mv) + self.rest(mv)
    }

    /// What is shared with other moves: most of the sum, and the cheaper part of it.
    #[inline(always)]
    pub fn rough(&mut self, mv: Move) -> i32 {
        let (scene, weights) = (self.scene, self.weights);
        let place = usize::from(self.numbers[mv.to_sq().to_board_index()]);
        let mut sum = i32::from(self.places[place].lanes()[scene.actor(mv) % LANES]);
        if !mv.is_drop() {
            let origin = &mut self.origins[mv.from_sq().to_board_index()];
            if *origin == NO_SUM {
                *origin = 0;
                scene.origin_features(mv.from_sq(), |feature| *origin += i32::from(weights.feature(feature)));
            }
            sum += *origin;
        }
        sum
    }

    /// The rest of the sum.
    #[inline(always)]
    fn rest(&self, mv: Move) -> i32 {
        let mut sum = self.near(mv);
        self.scene
            .far_features(mv, self.scene.actor(mv), |feature| sum += i32::from(*self.weights.any(feature)));
        sum
    }

    /// Adds the rest to the sums of some moves.
    #[inline(always)]
    pub fn add_rest(&self, moves: &[Move], sums: &mut [i32]) {
        // As with destinations: first what takes long to fetch.
        let mut far = ArrayVec::<ArrayVec<&i8, FAR>, ASKED>::new();
        for &mv in moves {
            let mut weights = ArrayVec::new();
            self.scene.far_features(mv, self.scene.actor(mv), |feature| {
                let weight = self.weights.any(feature);
                prefetch(weight);
                weights.push(weight);
            });
            if far.try_push(weights).is_err() {
                break;
            }
        }
        for (place, (sum, &mv)) in sums.iter_mut().zip(moves).enumerate() {
            *sum += match far.get(place) {
                Some(weights) => {
                    self.near(mv) + weights.iter().map(|&&weight| i32::from(weight)).sum::<i32>()
                }
                None => self.rest(mv),
            };
        }
    }

    /// What is near at hand of the rest.
    #[inline(always)]
    fn near(&self, mv: Move) -> i32 {
        let (scene, weights) = (self.scene, self.weights);
        let who = scene.mover(mv);
        let mut sum = 0;
        scene.move_features(mv, who, |feature| sum += i32::from(weights.feature(feature)));
        scene.reach_features(mv.to_sq(), who, |feature| sum += i32::from(weights.feature(feature)));
        sum
    }
}

/// So many moves can be asked for at once without waiting: more than are weighed in full for the tree.
const ASKED: usize = 96;

/// Asks for a row or a sum to be brought near.
#[inline(always)]
fn prefetch<T>(row: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: asking for an address, whatever it is, changes nothing. (A position takes a quarter longer without.)
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(row).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = row;
}
