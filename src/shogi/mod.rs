//! The floor of the house: the rules of shogi.
//!
//! Board, move generation and keys come from the crate `rsshogi`; this is the only room that names it.
//! What the engine needs and the crate lacks stands here: reading what comes from outside safely
//! ([`notation`], and for whole games [`kifu`]), walking a game by path ([`walker`]), exchanges on one square
//! ([`exchange`]) and attack maps ([`attacks`]).

pub mod attacks;
pub mod book;
pub mod diagram;
pub mod exchange;
pub mod keys;
pub mod kifu;
pub mod moves;
pub mod notation;
pub mod perft;
pub mod reach;
pub mod walker;

pub use attacks::Attacks;
pub use moves::{MoveList, checks, complete, is_legal, legal_moves, tactical_moves, useful_moves};
pub use notation::{parse_move, parse_position, parse_sfen};
pub use walker::{Declaration, Outcome, Recurrence, Repetition, Rules, Walker};

/// A square set of 81 bits.
pub use rsshogi::board::Bitboard;
/// A position with its history; read it freely, change it through a [`Walker`].
pub use rsshogi::board::Position;
/// Black (先手) or White (後手).
pub use rsshogi::types::Color;
/// When a king in the enemy camp may be declared a win.
pub use rsshogi::types::EnteringKingRule;
/// Pieces in one hand, packed in 32 bits.
pub use rsshogi::types::Hand;
/// Index of a kind of piece in a hand.
pub use rsshogi::types::HandPiece;
/// A move in 16 bits, as tree edges store it; complete it with the position it belongs to.
pub use rsshogi::types::Move as PackedMove;
/// A move with the piece that arrives on the destination.
pub use rsshogi::types::Move32 as Move;
/// A piece with its colour.
pub use rsshogi::types::Piece;
/// A kind of piece, promoted kinds included.
pub use rsshogi::types::PieceType as Kind;
/// One of the 81 squares.
pub use rsshogi::types::Square;

/// The usual starting position (平手).
pub const STARTPOS: &str = rsshogi::board::STARTPOS_SFEN;
