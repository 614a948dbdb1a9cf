//! Lists of moves and what fills them.

use arrayvec::ArrayVec;
use rsshogi::movegen::{self, ChecksAll, Legal, LegalAll, Move32Sink};
use std::ops::Deref;

use super::reach::reach;
use super::{Bitboard, Kind, Move, PackedMove, Position};

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

/// Fills `list` with captures and promotions, for a side that is not in check. They may leave the king in check:
/// ask [`is_legal`] before playing one. A capture that may promote does; a silver's promotion alone, which gains
/// next to nothing, is left out.
#[inline]
pub fn tactical_moves(position: &Position, list: &mut MoveList) {
    list.clear();
    let us = position.turn();
    let (own, enemy) = (position.pieces_by_color(us), position.pieces_by_color(us.flip()));
    let occupied = position.pieces();
    let (empty, camp) = (!occupied, Bitboard::promotion_zone(us));
    for from in &own {
        let piece = position.piece_on(from);
        let kind = piece.piece_type();
        let reached = reach(kind, us, from, occupied);
        if !kind.is_promotable() {
            for to in &(reached & enemy) {
                list.push_move32(Move::normal(from, to, piece));
            }
            continue;
        }
        let promoting = if camp.test(from) { Bitboard::ALL } else { camp };
        let quiet = if kind == Kind::SILVER { Bitboard::EMPTY } else { empty };
        for to in &(reached & (enemy | quiet) & promoting) {
            list.push_move32(Move::promotion(from, to, piece));
        }
        for to in &(reached & enemy).and_not(promoting) {
            list.push_move32(Move::normal(from, to, piece));
        }
    }
}

/// Fills `list` with every legal move that gives check.
#[inline]
pub fn checks(position: &Position, list: &mut MoveList) {
    list.clear();
    movegen::generate_moves_move32_into::<ChecksAll, _>(position, list);
    Move32Sink::retain_unordered(list, |mv| is_legal(position, mv));
}

/// A move of `position` with its piece, from its 16 bits.
#[inline]
pub fn complete(position: &Position, mv: PackedMove) -> Move {
    let to = mv.to_sq();
    if let Some(kind) = mv.dropped_piece() {
        return Move::drop(kind, to, position.turn());
    }
    let from = mv.from_sq();
    let piece = position.piece_on(from);
    if mv.is_promotion() { Move::promotion(from, to, piece) } else { Move::normal(from, to, piece) }
}

/// Whether `mv` may be played in `position`. Any value is safe to ask about.
#[inline]
pub fn is_legal(position: &Position, mv: Move) -> bool {
    position.is_legal_move32(mv)
}
