//! The sum of the weights of a move's features, fast: what several moves share is summed up once.
//!
//! The sums are those over [`Scene::visit`], which is how weights are learned and explained.

use arrayvec::ArrayVec;

use super::features::{LANES, SQUARES, turned};
use super::scene::{Details, Look, Scene};
use super::visit::FAR;
use super::weights::{Board, PhaseWeights, Sum};
use crate::shogi::{Move, Square};

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

    /// What is looked at in detail, if anything is: nothing where the weights know nothing of it.
    #[inline(always)]
    fn details(&self) -> Option<&'a Details> {
        self.scene.details.as_ref().filter(|_| self.weights.look == Look::Full)
    }

    /// Sums up the destinations of moves: only such moves may be asked for.
    #[inline(always)]
    pub fn look_at(&mut self, moves: &[Move]) {
        let scene = self.scene;
        let [own, enemy] = self.weights.king_boards(scene.own_king, scene.enemy_king);
        match self.details() {
            None => self.sum_up::<false, _, _>(moves, [own, enemy], |square| scene.glance_rows(square)),
            Some(details) => {
                let heavy = self.weights.heavy_board(details.heavy);
                self.sum_up::<true, _, _>(moves, [own, enemy, heavy], |square| {
                    scene.full_rows(details, square)
                });
            }
        }
    }

    /// The same by boards of sums and rows. With `AHEAD` all addresses come first and then all sums: where most rows are not
    /// in the nearest cache, they can be fetched at the same time.
    #[inline(always)]
    fn sum_up<const AHEAD: bool, const BOARDS: usize, const ROWS: usize>(
        &mut self,
        moves: &[Move],
        boards: [&Board; BOARDS],
        rows_of: impl Fn(Square) -> [u16; ROWS],
    ) {
        let (scene, weights) = (self.scene, self.weights);
        let mut common = Sum::ZERO;
        scene.stock_features(|feature| common.add_to(feature % LANES, weights.feature(feature)));
        scene.position_rows(|row| common.add(weights.row_of(row)));
        let everywhere: [Sum; 4] = std::array::from_fn(|near| {
            let mut sum = common;
            sum.add(weights.row_of(scene.urgency_row(near)));
            sum
        });
        let sum = |to: usize, rows: &[u16; ROWS]| {
            let mut sum = everywhere[scene.nearness(to)];
            for board in boards {
                sum.add_sum(&board[to]);
            }
            for &row in rows {
                sum.add(weights.row(row));
            }
            sum
        };
        let known = self.places.len();
        let mut waiting = ArrayVec::<(u8, [u16; ROWS]), SQUARES>::new();
        for mv in moves {
            let square = mv.to_sq();
            let place = square.to_board_index();
            if self.numbers[place] != UNKNOWN {
                continue;
            }
            let to = turned(scene.us, place);
            let rows = rows_of(square);
            if AHEAD {
                self.numbers[place] = (known + waiting.len()) as u8;
                for board in boards {
                    prefetch(&board[to]);
                }
                for &row in &rows {
                    prefetch(weights.row(row));
                }
                waiting.push((to as u8, rows));
            } else {
                self.numbers[place] = self.places.len() as u8;
                self.places.push(sum(to, &rows));
            }
        }
        for (to, rows) in &waiting {
            self.places.push(sum(usize::from(*to), rows));
        }
    }

    /// A weight of 1.0 in its sums.
    pub fn unit(&self) -> f32 {
        self.weights.unit
    }

    /// The sum for one of the moves.
    #[inline(always)]
    pub fn logit(&mut self, mv: Move) -> i32 {
        self.rough(mv) + self.details().map_or(0, |details| self.rest(details, mv))
    }

    /// All of the sum that a glance sees, and what is shared with other moves of the rest: most of it, and the cheaper part.
    #[inline(always)]
    pub fn rough(&mut self, mv: Move) -> i32 {
        let (scene, weights) = (self.scene, self.weights);
        let place = usize::from(self.numbers[mv.to_sq().to_board_index()]);
        let actor = scene.actor(mv);
        let mut sum = i32::from(self.places[place].lanes()[actor % LANES]);
        scene.check_features(mv, actor, |feature| sum += i32::from(weights.feature(feature)));
        let details = self.details();
        if let Some(details) = details
            && details.tactics.is_sharp()
        {
            scene.tactical_features(details, mv, actor, |feature| sum += i32::from(weights.feature(feature)));
        }
        if !mv.is_drop() {
            let origin = &mut self.origins[mv.from_sq().to_board_index()];
            if *origin == NO_SUM {
                *origin = 0;
                let mut add = |feature| *origin += i32::from(weights.feature(feature));
                scene.origin_features(mv.from_sq(), &mut add);
                if let Some(details) = details {
                    scene.origin_details(details, mv.from_sq(), &mut add);
                }
            }
            sum += *origin;
        }
        sum
    }

    /// The rest of the sum.
    #[inline(always)]
    fn rest(&self, details: &Details, mv: Move) -> i32 {
        let mut sum = self.near(details, mv);
        self.scene
            .far_features(mv, self.scene.actor(mv), |feature| sum += i32::from(*self.weights.any(feature)));
        sum
    }

    /// Whether there is more to a sum than [`Self::rough`].
    #[inline(always)]
    pub fn has_rest(&self) -> bool {
        self.details().is_some()
    }

    /// Adds the rest to the sums of some moves.
    #[inline(always)]
    pub fn add_rest(&self, moves: &[Move], sums: &mut [i16]) {
        let Some(details) = self.details() else { return };
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
            let rest = match far.get(place) {
                Some(weights) => {
                    self.near(details, mv) + weights.iter().map(|&&weight| i32::from(weight)).sum::<i32>()
                }
                None => self.rest(details, mv),
            };
            *sum += rest as i16;
        }
    }

    /// What is near at hand of the rest.
    #[inline(always)]
    fn near(&self, details: &Details, mv: Move) -> i32 {
        let (scene, weights) = (self.scene, self.weights);
        let who = scene.mover(mv);
        let mut sum = 0;
        scene.move_features(details, mv, who, |feature| sum += i32::from(weights.feature(feature)));
        scene.reach_features(details, mv.to_sq(), who, |feature| sum += i32::from(weights.feature(feature)));
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
