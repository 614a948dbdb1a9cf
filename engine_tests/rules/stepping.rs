//! Attacks the slow way: step from each piece, square by square. Shares no table with the engine or its crate.

use tenbin::shogi::{Bitboard, Color, Kind, Piece, Position, Square};

/// Every kind of piece.
pub const KINDS: [Kind; 14] = [
    Kind::PAWN,
    Kind::LANCE,
    Kind::KNIGHT,
    Kind::SILVER,
    Kind::GOLD,
    Kind::BISHOP,
    Kind::ROOK,
    Kind::KING,
    Kind::PRO_PAWN,
    Kind::PRO_LANCE,
    Kind::PRO_KNIGHT,
    Kind::PRO_SILVER,
    Kind::HORSE,
    Kind::DRAGON,
];

/// Files to the left and ranks down, as Black sees them.
type Step = (i32, i32);

const STRAIGHT: [Step; 4] = [(0, -1), (0, 1), (-1, 0), (1, 0)];
const DIAGONAL: [Step; 4] = [(-1, -1), (1, -1), (-1, 1), (1, 1)];
const GOLD: [Step; 6] = [(0, -1), (-1, -1), (1, -1), (-1, 0), (1, 0), (0, 1)];
const SILVER: [Step; 5] = [(0, -1), (-1, -1), (1, -1), (-1, 1), (1, 1)];

/// Single steps and slides of a kind.
fn steps(kind: Kind) -> (Vec<Step>, Vec<Step>) {
    match kind {
        Kind::PAWN => (vec![(0, -1)], vec![]),
        Kind::LANCE => (vec![], vec![(0, -1)]),
        Kind::KNIGHT => (vec![(-1, -2), (1, -2)], vec![]),
        Kind::SILVER => (SILVER.to_vec(), vec![]),
        Kind::BISHOP => (vec![], DIAGONAL.to_vec()),
        Kind::ROOK => (vec![], STRAIGHT.to_vec()),
        Kind::HORSE => (STRAIGHT.to_vec(), DIAGONAL.to_vec()),
        Kind::DRAGON => (DIAGONAL.to_vec(), STRAIGHT.to_vec()),
        Kind::KING => ([STRAIGHT, DIAGONAL].concat(), vec![]),
        _ => (GOLD.to_vec(), vec![]),
    }
}

/// The square with this file and rank, both from 0.
pub fn square_at(file: i32, rank: i32) -> Option<Square> {
    let on_board = (0..9).contains(&file) && (0..9).contains(&rank);
    on_board.then(|| Square::from_index((file * 9 + rank) as usize))
}

/// File and rank of a square, both from 0.
pub fn place_of(square: Square) -> (i32, i32) {
    (i32::from(square.raw()) / 9, i32::from(square.raw()) % 9)
}

/// The squares that a piece attacks from `from` when the squares for which `is_occupied` holds stop slides.
pub fn attacks_from(kind: Kind, side: Color, from: Square, is_occupied: impl Fn(Square) -> bool) -> Bitboard {
    let forward = if side == Color::Black { 1 } else { -1 };
    let (file, rank) = place_of(from);
    let (single, sliding) = steps(kind);
    let mut set = Bitboard::EMPTY;
    for (dx, dy) in single {
        if let Some(to) = square_at(file + dx * forward, rank + dy * forward) {
            set.set(to);
        }
    }
    for (dx, dy) in sliding {
        for length in 1.. {
            let reach = length * forward;
            let Some(to) = square_at(file + dx * reach, rank + dy * reach) else { break };
            set.set(to);
            if is_occupied(to) {
                break;
            }
        }
    }
    set
}

/// The pieces of a side with their squares.
pub fn pieces_of(position: &Position, side: Color) -> Vec<(Square, Kind)> {
    Square::iter()
        .map(|square| (square, position.piece_on(square)))
        .filter(|(_, piece)| *piece != Piece::NONE && piece.color() == side)
        .map(|(square, piece)| (square, piece.piece_type()))
        .collect()
}

/// The square of a side's king.
pub fn king_of(position: &Position, side: Color) -> Option<Square> {
    pieces_of(position, side).iter().find(|(_, kind)| *kind == Kind::KING).map(|(square, _)| *square)
}

/// Whether `side` attacks `target` when `lifted` is taken off the board (a king that wants to go there).
pub fn is_attacked(position: &Position, side: Color, target: Square, lifted: Option<Square>) -> bool {
    let is_occupied = |square| Some(square) != lifted && position.piece_on(square) != Piece::NONE;
    pieces_of(position, side)
        .iter()
        .any(|&(from, kind)| attacks_from(kind, side, from, is_occupied).test(target))
}

/// Whether the king of the side to move is attacked.
pub fn is_in_check(position: &Position) -> bool {
    let us = position.turn();
    king_of(position, us).is_some_and(|king| is_attacked(position, us.flip(), king, None))
}
