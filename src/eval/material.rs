//! Material only: the evaluator that knows nothing, for tests and comparisons.

use super::Evaluator;
use crate::shogi::exchange::{BOARD_VALUE, HAND_VALUE, capture_value, promotion_value};
use crate::shogi::{Color, HandPiece, Kind, Move, Position};

/// Counts pieces, by the values of [`crate::shogi::exchange`].
#[derive(Clone, Debug, Default)]
pub struct Material {
    /// For the side to move of each position on the way, the current one last.
    values: Vec<i32>,
}

impl Evaluator for Material {
    fn reset(&mut self, position: &Position) {
        self.values.clear();
        self.values.push(material(position));
    }

    #[inline]
    fn push(&mut self, position: &Position, mv: Move) {
        let mut value = self.value(position);
        if !mv.is_drop() {
            value += capture_value(position.piece_on(mv.to_sq()).piece_type());
            if mv.is_promotion() {
                value += promotion_value(position.piece_on(mv.from_sq()).piece_type());
            }
        }
        self.values.push(-value);
    }

    #[inline]
    fn pop(&mut self) {
        self.values.pop();
    }

    #[inline]
    fn value(&mut self, position: &Position) -> i32 {
        self.values.last().copied().unwrap_or_else(|| material(position))
    }
}

/// Material for the side to move.
pub fn material(position: &Position) -> i32 {
    let mut value = 0;
    for (side, sign) in [(Color::Black, 1), (Color::White, -1)] {
        for kind in Kind::iter() {
            value += sign * BOARD_VALUE[kind.to_index()] * position.pieces_for(kind, side).count() as i32;
        }
        let hand = position.hand(side);
        for piece in HandPiece::iter() {
            value += sign * HAND_VALUE[piece.to_piece_type().to_index()] * hand.count(piece) as i32;
        }
    }
    if position.turn() == Color::Black { value } else { -value }
}
