//! What a single piece attacks.

use rsshogi::board::attack_tables::{
    GOLD_ATTACKS, KING_ATTACKS, KNIGHT_ATTACKS, PAWN_ATTACKS, SILVER_ATTACKS, bishop_attacks,
    bishop_step_attacks, check_candidate_bb, lance_attacks, lance_step_attacks, rook_attacks,
    rook_step_attacks,
};
use rsshogi::types::square::is_promotable_move;

use super::{Bitboard, Color, Kind, Square};

/// The squares a piece of `kind` and `side` attacks from `square` when `occupied` blocks sliders.
#[inline]
pub fn reach(kind: Kind, side: Color, square: Square, occupied: Bitboard) -> Bitboard {
    let color = side.to_index();
    match kind {
        Kind::PAWN => PAWN_ATTACKS[square][color],
        Kind::LANCE => lance_attacks(square, occupied, side),
        Kind::KNIGHT => KNIGHT_ATTACKS[square][color],
        Kind::SILVER => SILVER_ATTACKS[square][color],
        Kind::BISHOP => bishop_attacks(square, occupied),
        Kind::ROOK => rook_attacks(square, occupied),
        Kind::HORSE => bishop_attacks(square, occupied) | KING_ATTACKS[square],
        Kind::DRAGON => rook_attacks(square, occupied) | KING_ATTACKS[square],
        Kind::KING => KING_ATTACKS[square],
        _ => GOLD_ATTACKS[square][color],
    }
}

/// The squares from which a piece of `kind` and `side` attacks `square` on an otherwise empty board.
#[inline]
pub fn sources(kind: Kind, side: Color, square: Square) -> Bitboard {
    // Backwards a piece moves like the other side's.
    let color = side.flip().to_index();
    match kind {
        Kind::PAWN => PAWN_ATTACKS[square][color],
        Kind::LANCE => lance_step_attacks(square, side.flip()),
        Kind::KNIGHT => KNIGHT_ATTACKS[square][color],
        Kind::SILVER => SILVER_ATTACKS[square][color],
        Kind::BISHOP => bishop_step_attacks(square),
        Kind::ROOK => rook_step_attacks(square),
        Kind::HORSE => bishop_step_attacks(square) | KING_ATTACKS[square],
        Kind::DRAGON => rook_step_attacks(square) | KING_ATTACKS[square],
        Kind::KING => KING_ATTACKS[square],
        _ => GOLD_ATTACKS[square][color],
    }
}

/// Squares from which a piece of `kind` and `side` might in one move check a king on `king` by itself: all it
/// could be, more than there are, for nothing on the board is looked at.
#[inline]
pub fn check_origins(kind: Kind, side: Color, king: Square) -> Bitboard {
    check_candidate_bb(side, kind, king)
}

/// Whether a piece of `kind` that moves so may promote.
#[inline]
pub fn can_promote(kind: Kind, side: Color, from: Square, to: Square) -> bool {
    kind.is_promotable() && is_promotable_move(side, from, to)
}
