//! The sum of the weights of a move's features, fast: what several moves share is summed up once.
//!
//! The sums are those over [`Scene::visit`], which is how weights are learned and explained.

use arrayvec::ArrayVec;

use super::features::{LANES, SQUARES, view};
use super::scene::Scene;
use super::weights::{PhaseWeights, Row};
use crate::shogi::Move;

/// Weighs moves of one position.
pub struct Scorer<'a> {
    scene: &'a Scene<'a>,
    weights: PhaseWeights<'a>,
    /// The sums of destinations, in the order of their first moves, and where each square's is.
    places: ArrayVec<Row, SQUARES>,
    numbers: [u8; SQUARES],
    /// The sums of origins.
    origins: [i32; SQUARES],
}

/// A destination that is not known yet.
const UNKNOWN: u8 = u8::MAX;

/// An origin that is not known yet.
const NO_SUM: i32 = i32::MIN;

/// Rows of a destination, at most.
const ROWS: usize = 28;

impl<'a> Scorer<'a> {
    /// Begins with a position and the moves that may be asked for.
    #[inline(always)]
    pub fn new(scene: &'a Scene<'a>, weights: PhaseWeights<'a>, moves: &[Move]) -> Self {
        // First all addresses, then all sums: most rows are not in the nearest cache, and while one is fetched the
        // others can be as well.
        let mut numbers = [UNKNOWN; SQUARES];
        let mut rows = ArrayVec::<&Row, { ROWS * SQUARES }>::new();
        // By destination: where its rows end, and whether it is near the kings.
        let mut ends = ArrayVec::<(u16, u8), SQUARES>::new();
        for mv in moves {
            let square = mv.to_sq();
            let number = &mut numbers[square.to_board_index()];
            if *number == UNKNOWN {
                *number = ends.len() as u8;
                let to = view(scene.us, square);
                let mut add = |row: &'a Row| {
                    prefetch(row);
                    rows.push(row);
                };
                add(weights.own_king_row(scene.own_king, to));
                if let Some(king) = scene.enemy_king {
                    add(weights.enemy_king_row(king, to));
                }
                scene.place_rows(square, |row| add(weights.row(row)));
                ends.push((rows.len() as u16, scene.nearness(to) as u8));
            }
        }
        let mut common = Row::ZERO;
        scene.stock_features(|feature| common.0[feature % LANES] = weights.feature(feature));
        scene.position_rows(|row| common.add(weights.row(row)));
        let everywhere: [Row; 4] = std::array::from_fn(|near| {
            let mut sum = common;
            sum.add(weights.row(scene.urgency_row(near)));
            sum
        });
        let mut places = ArrayVec::new();
        let mut start = 0;
        for &(end, near) in &ends {
            let mut sum = everywhere[usize::from(near)];
            for row in &rows[start..usize::from(end)] {
                sum.add(row);
            }
            places.push(sum);
            start = usize::from(end);
        }
        Self { scene, weights, places, numbers, origins: [NO_SUM; SQUARES] }
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
        let mut sum = i32::from(self.places[place].0[scene.actor(mv)]);
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
    pub fn rest(&self, mv: Move) -> i32 {
        let (scene, weights) = (self.scene, self.weights);
        let who = scene.mover(mv);
        let mut sum = 0;
        scene.move_features(mv, who, |feature| sum += i32::from(weights.feature(feature)));
        scene.reach_features(mv.to_sq(), who, |feature| sum += i32::from(weights.feature(feature)));
        sum
    }
}

/// Asks for a row to be brought near.
#[inline(always)]
fn prefetch(row: &Row) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: asking for an address, whatever it is, changes nothing. (A position takes a quarter longer without.)
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(row).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = row;
}
