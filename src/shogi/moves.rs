//! Lists of moves and what fills them.

use arrayvec::ArrayVec;
use rsshogi::movegen::{self, ChecksAll, Legal, LegalAll, Move32Sink};
use std::ops::Deref;

use super::{Move, Position};

/// No position has more moves than this, not even one without kings: at most 81 drops of each of the
/// seven kinds and 316 moves of pieces on the board.
const CAPACITY: usize = 81 * 7 + 316;

/// A fixed list of moves that never allocates; reads like a slice.
#[derive(Clone, Default, Debug)]
pub struct MoveList(ArrayVec<Move, CAPACITY>);

impl MoveList {
    /// An empty list.
    pub const fn new() -> Self {
        Self(ArrayVec::new_const())
    }

    /// Removes all moves.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

impl Deref for MoveList {
    type Target = [Move];

    fn deref(&self) -> &[Move] {
        &self.0
    }
}

impl Move32Sink for MoveList {
    #[inline]
    fn push_move32(&mut self, mv: Move) {
        self.0.push(mv);
    }

    fn retain_unordered<F: FnMut(Move) -> bool>(&mut self, mut keep: F) {
        let mut i = 0;
        while i < self.0.len() {
            if keep(self.0[i]) {
                i += 1;
            } else {
                self.0.swap_remove(i);
            }
        }
    }
}

/// Fills `list` with every legal move of the side to move.
#[inline]
pub fn legal_moves(position: &Position, list: &mut MoveList) {
    list.clear();
    movegen::generate_moves_move32_into::<LegalAll, _>(position, list);
}

/// As [`legal_moves`], but without the refusals to promote a pawn, bishop or rook (and a lance on its
/// second-last rank) that are never better than promoting except to avoid pawn-drop mate.
#[inline]
pub fn useful_moves(position: &Position, list: &mut MoveList) {
    list.clear();
    movegen::generate_moves_move32_into::<Legal, _>(position, list);
}

/// Fills `list` with every legal move that gives check.
#[inline]
pub fn checks(position: &Position, list: &mut MoveList) {
    list.clear();
    movegen::generate_moves_move32_into::<ChecksAll, _>(position, list);
    Move32Sink::retain_unordered(list, |mv| is_legal(position, mv));
}

/// Whether `mv` may be played in `position`. Any value is safe to ask about.
#[inline]
pub fn is_legal(position: &Position, mv: Move) -> bool {
    position.is_legal_move32(mv)
}
