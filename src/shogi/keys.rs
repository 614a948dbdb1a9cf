//! Keys of boards: 64 bits for the pieces on the board and the side to move, hands left out.

use rsshogi::board::zobrist::Zobrist;

use super::{Move, Piece, Position};

/// The key of the board as it is.
#[inline]
pub fn board_key(position: &Position) -> u64 {
    position.board_key().low_u64()
}

/// The key of the board after a legal move, without making it.
#[inline]
pub fn board_key_after(position: &Position, mv: Move) -> u64 {
    let to = mv.to_sq();
    let mut key = position.board_key() ^ Zobrist::side() ^ Zobrist::psq(to, mv.piece_after_move());
    if !mv.is_drop() {
        key ^= Zobrist::psq(mv.from_sq(), position.piece_on(mv.from_sq()));
        let captured = position.piece_on(to);
        if captured != Piece::NONE {
            key ^= Zobrist::psq(to, captured);
        }
    }
    key.low_u64()
}
