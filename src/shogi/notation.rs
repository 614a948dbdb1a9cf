//! Reading positions and moves that come from outside.
//!
//! Nothing is trusted: every position that leaves this file has at most one king a side, no more pieces
//! than a set, no piece where it could never move, no two unpromoted pawns of a side on a file, and no king
//! that could be captured at once. One king, no king and handicaps are fine. No input panics.

use rsshogi::board::{self, SfenError, position::ValidationError};
use thiserror::Error;

use super::{Color, Kind, Move, PackedMove, Position, Rules, Walker, is_legal};

/// Highest move number accepted in an SFEN, and highest a game may reach.
pub const MAX_MOVE_NUMBER: u32 = 30_000;

/// Why a position was refused, by the field that is wrong.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum PositionError {
    /// There is nothing to read.
    #[error("position: nothing given")]
    Empty,
    /// The board field.
    #[error("board: {0}")]
    Board(String),
    /// The side-to-move field.
    #[error("side to move: {0}")]
    Turn(String),
    /// The hand field.
    #[error("hand: {0}")]
    Hand(String),
    /// Board and hands together hold more of a kind than a set has.
    #[error("board and hand: {count} of {kind}, but a set has {limit}")]
    Pieces {
        /// The kind, unpromoted.
        kind: Kind,
        /// How many there are.
        count: u32,
        /// How many there may be.
        limit: u32,
    },
    /// The move number field.
    #[error("move number: {0}")]
    MoveNumber(String),
    /// Something follows the last field.
    #[error("unexpected {0} after the position")]
    Trailing(String),
}

/// Why a move was refused.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum MoveError {
    /// The text is not USI for a move.
    #[error("{0} is not a move")]
    Unreadable(String),
    /// It is a move, but not one that may be played here.
    #[error("{0} is not legal here")]
    Illegal(String),
}

impl MoveError {
    /// The error without its particulars, to count by.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Unreadable(_) => "a move is unreadable",
            Self::Illegal(_) => "a move is illegal",
        }
    }
}

/// What stopped the reading of a `position` line after the start was understood.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum MovesError {
    /// The word after the position is not `moves`.
    #[error("expected 'moves', found {0}")]
    NotMoves(String),
    /// A move is wrong; it and what follows was not played.
    #[error("moves: number {number}: {error}")]
    Move {
        /// Place in the list, from 1.
        number: usize,
        /// What is wrong with it.
        error: MoveError,
    },
    /// The game is longer than anyone plays.
    #[error("moves: more than {MAX_MOVE_NUMBER}")]
    TooLong,
}

/// Makes foreign text fit to print: one short, quoted piece of ASCII.
pub fn quote(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut quoted = String::from("'");
    for (i, c) in text.chars().enumerate() {
        if i == LONGEST {
            quoted.push_str("...");
            break;
        }
        quoted.push(if c.is_ascii_graphic() || c == ' ' { c } else { '?' });
    }
    quoted.push('\'');
    quoted
}

/// Reads an SFEN: board, side to move, hands and, where given, the move number.
pub fn parse_sfen(sfen: &str) -> Result<Position, PositionError> {
    let words: Vec<&str> = sfen.split_ascii_whitespace().collect();
    if let Some(extra) = words.get(4) {
        return Err(PositionError::Trailing(quote(extra)));
    }
    read_fields(&words)
}

/// Reads what may follow the word `position`: `startpos`, `sfen startpos` or an SFEN with or without the
/// word `sfen`, then `moves` and moves.
///
/// A bad start is an error. A bad move is not: the walker then stands before it and the reason comes along.
pub fn parse_position(arguments: &str, rules: Rules) -> Result<(Walker, Option<MovesError>), PositionError> {
    let words: Vec<&str> = arguments.split_ascii_whitespace().collect();
    let start = match words.as_slice() {
        ["sfen", rest @ ..] => rest,
        all => all,
    };
    let (position, rest) = if let ["startpos", rest @ ..] = start {
        (board::hirate_position(), rest)
    } else {
        let length = start.iter().take(4).position(|&word| word == "moves").unwrap_or(start.len().min(4));
        let (fields, rest) = start.split_at(length);
        (read_fields(fields)?, rest)
    };
    let mut walker = Walker::new(position, rules);
    let complaint = match rest {
        [] => None,
        ["moves", moves @ ..] => play(&mut walker, moves).err(),
        [word, ..] => Some(MovesError::NotMoves(quote(word))),
    };
    Ok((walker, complaint))
}

/// Reads a move in USI and checks that it may be played.
pub fn parse_move(position: &Position, text: &str) -> Result<Move, MoveError> {
    let packed = read_move(text).ok_or_else(|| MoveError::Unreadable(quote(text)))?;
    if !position.is_legal_move(packed) {
        return Err(MoveError::Illegal(quote(text)));
    }
    let mv = position.move32_from_move(packed);
    debug_assert!(is_legal(position, mv));
    Ok(mv)
}

/// Reads a move in USI without asking whether it may be played.
fn read_move(text: &str) -> Option<PackedMove> {
    match text.as_bytes() {
        // The crate would take lower-case drops too; in USI they are no moves.
        [b'P' | b'L' | b'N' | b'S' | b'G' | b'B' | b'R', b'*', _, _]
        | [b'1'..=b'9', b'a'..=b'i', b'1'..=b'9', b'a'..=b'i']
        | [b'1'..=b'9', b'a'..=b'i', b'1'..=b'9', b'a'..=b'i', b'+'] => PackedMove::from_usi(text),
        _ => None,
    }
}

fn play(walker: &mut Walker, moves: &[&str]) -> Result<(), MovesError> {
    for (i, text) in moves.iter().enumerate() {
        if walker.move_number() >= MAX_MOVE_NUMBER {
            return Err(MovesError::TooLong);
        }
        let mv =
            parse_move(walker.position(), text).map_err(|error| MovesError::Move { number: i + 1, error })?;
        walker.apply(mv);
    }
    Ok(())
}

fn read_fields(fields: &[&str]) -> Result<Position, PositionError> {
    let (board, rest) = fields.split_first().ok_or(PositionError::Empty)?;
    let turn = rest.first().ok_or_else(|| PositionError::Turn("missing".to_owned()))?;
    let hand = rest.get(1).ok_or_else(|| PositionError::Hand("missing".to_owned()))?;
    let number = rest.get(2).map_or(Ok(1), |text| read_move_number(text))?;
    if !matches!(*turn, "b" | "w") {
        return Err(PositionError::Turn(format!("{} is neither b nor w", quote(turn))));
    }
    // The crate reports an error without its field: give it one field after the other.
    read_with_crate(&format!("{board} {turn} -"), board).map_err(PositionError::Board)?;
    let mut position =
        read_with_crate(&format!("{board} {turn} {hand} {number}"), hand).map_err(PositionError::Hand)?;
    position.init_stack();
    check(&position)?;
    Ok(position)
}

/// Has the crate read `sfen`, in which `field` is the part not yet known to be good.
fn read_with_crate(sfen: &str, field: &str) -> Result<Position, String> {
    // The crate splits at Unicode spaces and vertical tabs too: such a field would become two.
    if !field.bytes().all(|b| b.is_ascii_graphic()) {
        return Err(format!("{} is not printable ASCII", quote(field)));
    }
    board::position_from_sfen(sfen).map_err(|error| match error {
        SfenError::InvalidPiece(piece) => {
            format!("{} is no piece in {}", quote(&piece.to_string()), quote(field))
        }
        SfenError::InvalidSquare => format!("{} is not nine ranks of nine squares", quote(field)),
        SfenError::InvalidHandCount { piece, count } => format!("{count} of {piece} is too many"),
        other => format!("{} in {}", quote(&other.to_string()), quote(field)),
    })
}

fn read_move_number(text: &str) -> Result<u32, PositionError> {
    let digits_only = text.bytes().all(|b| b.is_ascii_digit());
    match text.parse::<u32>() {
        // Editors write 0 for a position that belongs to no game.
        Ok(number @ 0..=MAX_MOVE_NUMBER) if digits_only => Ok(number.max(1)),
        _ => Err(PositionError::MoveNumber(format!("{} is not 0 to {MAX_MOVE_NUMBER}", quote(text)))),
    }
}

/// What the crate accepts although no game, problem or handicap has it.
fn check(position: &Position) -> Result<(), PositionError> {
    position.validate().map_err(|error| match error {
        ValidationError::NoKing(side) => PositionError::Board(format!("{} has no king", name(side))),
        ValidationError::TwoKings(side) => PositionError::Board(format!("{} has two kings", name(side))),
        ValidationError::DoublePawn(file, side) => {
            PositionError::Board(format!("{} has two pawns on file {file}", name(side)))
        }
        ValidationError::InvalidPlacement(square, kind) => {
            PositionError::Board(format!("{kind} on {square} could never move"))
        }
        ValidationError::InvalidHandCount { piece, count } => {
            PositionError::Hand(format!("{count} of {} is too many", piece.to_piece_type()))
        }
        ValidationError::ExcessivePieceCount { piece, count, limit } => {
            PositionError::Pieces { kind: piece, count, limit }
        }
    })?;
    let (us, them) = (position.turn(), position.turn().flip());
    let king = position.king_square(them);
    if !king.is_none() && position.is_attacked_by(king, us) {
        return Err(PositionError::Board(format!(
            "{} is to move and could capture the king on {king}",
            name(us)
        )));
    }
    Ok(())
}

fn name(side: Color) -> &'static str {
    match side {
        Color::Black => "Black",
        Color::White => "White",
    }
}
