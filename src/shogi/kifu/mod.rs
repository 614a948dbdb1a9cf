//! Records of games in the formats of the shogi world: KIF, KI2, CSA, JKF and HCPE.
//!
//! The crate reads them, but it trusts its input: it plays from starts it did not check, takes what it cannot read for
//! the end of a game, gives a game up for a variation, and counts times until they overflow. So it gets only what
//! tells the start, the moves and the end, the start alone first; and every move it finds is checked again here.

pub mod csa;
pub mod hcpe;
pub mod jkf;
pub mod ki2;
pub mod kif;

use rsshogi::records::{Record, SpecialMove};
use rsshogi::types::{Eval, GameResult};
use std::panic::{AssertUnwindSafe, catch_unwind};
use thiserror::Error;

use super::notation::{MoveError, PositionError, parse_move, parse_sfen, quote};
use super::{Color, Move, Position, Rules, Walker};

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Somebody won.
    Win(Color),
    /// Nobody did.
    Draw,
    /// Broken off, or not told.
    Unknown,
}

impl Ending {
    /// The share of the point that `side` got.
    pub fn points(self, side: Color) -> Option<f32> {
        match self {
            Self::Win(winner) => Some(if winner == side { 1.0 } else { 0.0 }),
            Self::Draw => Some(0.5),
            Self::Unknown => None,
        }
    }
}

impl From<GameResult> for Ending {
    fn from(result: GameResult) -> Self {
        match result.winner_color() {
            Some(winner) => Self::Win(winner),
            None if result.is_draw() => Self::Draw,
            None => Self::Unknown,
        }
    }
}

/// A game as it was recorded: the main line, without variations.
pub struct Kifu {
    /// Where it starts.
    pub start: Position,
    /// What was played, and what the player's search thought of the position before it, in centipawns for the side
    /// to move.
    pub moves: Vec<(Move, Option<i32>)>,
    /// How it ended.
    pub ending: Ending,
    /// Ratings of Black and White, where both are known.
    pub ratings: Option<[f32; 2]>,
    /// Comments, each with the number of moves played before it.
    pub comments: Vec<(usize, String)>,
}

/// Why something is not a game.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum KifuError {
    /// The start is no position.
    #[error("start: {0}")]
    Start(#[from] PositionError),
    /// The start is named, and the name says nothing.
    #[error("start: handicap {0} is unknown")]
    Handicap(String),
    /// A move cannot be played.
    #[error("move {number}: {error}")]
    Move {
        /// Its place, from 1.
        number: usize,
        /// What is wrong with it.
        error: MoveError,
    },
    /// A move is against the rules; the crate does not say which it is.
    #[error("move {0} is not legal here")]
    Illegal(usize),
    /// Something else than a move stands among the moves.
    #[error("{0} cannot be read")]
    Unreadable(String),
    /// There are no moves.
    #[error("no moves")]
    NoMoves,
    /// Longer than anyone plays.
    #[error("more than {MOST_MOVES} moves")]
    TooLong,
    /// The result is a number without a meaning.
    #[error("result: {0} is none of 0, 1, 2")]
    Result(u8),
}

impl KifuError {
    /// The error without its particulars, to count by.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Start(_) | Self::Handicap(_) => "the start is no position",
            Self::Move { error, .. } => error.kind(),
            Self::Illegal(_) => "a move is illegal",
            Self::Unreadable(_) => "something unreadable",
            Self::NoMoves => "no moves",
            Self::TooLong => "longer than any game",
            Self::Result(_) => "the result is unknown",
        }
    }
}

/// Most moves of a game. The crate keeps every position of it with its past, so this also bounds the memory it takes.
const MOST_MOVES: usize = 4096;

/// What the crate is to read: the lines that tell the start, and all lines.
struct Prepared {
    start: String,
    all: String,
    /// How many moves there are.
    moves: usize,
}

impl Prepared {
    /// Has the crate read everything and checks it.
    fn read(&self, read: impl Fn(&str) -> Result<Record, KifuError>) -> Result<Kifu, KifuError> {
        self.start(&read)?;
        self.game(read)
    }

    /// Has the crate read the start alone, and checks that it is a position to play from.
    fn start(&self, read: impl FnOnce(&str) -> Result<Record, KifuError>) -> Result<Position, KifuError> {
        if self.moves > MOST_MOVES {
            return Err(KifuError::TooLong);
        }
        Ok(parse_sfen(guarded(|| read(&self.start))?.init_position_sfen())?)
    }

    /// Has the crate read everything, when the start is known to be sound, and checks it.
    fn game(&self, read: impl FnOnce(&str) -> Result<Record, KifuError>) -> Result<Kifu, KifuError> {
        replay(&guarded(|| read(&self.all))?)
    }
}

/// Runs the crate's code on foreign input. Where that panics the input is to blame, and the program goes on.
fn guarded(read: impl FnOnce() -> Result<Record, KifuError>) -> Result<Record, KifuError> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| Err(KifuError::Unreadable("a number".to_owned())))
}

/// Plays the main line of a record over and keeps what is sound.
fn replay(record: &Record) -> Result<Kifu, KifuError> {
    let start = parse_sfen(record.init_position_sfen())?;
    let mut walker = Walker::new(start.clone(), Rules::default());
    let mut comments = Vec::new();
    let mut comment = |number: usize, text: Option<&str>| {
        comments.extend(text.map(|text| (number, text.to_owned())));
    };
    comment(0, record.initial_comment());
    let mut moves = Vec::new();
    for node in record.main_line_ids().into_iter().filter_map(|id| record.try_node(id).ok()) {
        let Some(entry) = node.mv() else { break };
        let number = moves.len() + 1;
        let mv = parse_move(walker.position(), &entry.mv().to_usi())
            .map_err(|error| KifuError::Move { number, error })?;
        moves.push((mv, node.eval().map(Eval::to_i32)));
        comment(number, node.comment());
        walker.apply(mv);
    }
    if moves.is_empty() {
        return Err(KifuError::NoMoves);
    }
    Ok(Kifu { start, moves, ending: record.result().into(), ratings: None, comments })
}

/// The name of an ending that the crate does not know, or a move it could not read.
fn unknown_ending(record: &Record) -> Option<String> {
    match record.main_terminal()?.kind() {
        SpecialMove::Unknown(name) => Some(quote(name)),
        _ => None,
    }
}
