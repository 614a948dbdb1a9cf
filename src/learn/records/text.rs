//! The project's own record format: a game a line, `start|moves|result|meta`.
//!
//! The start is `startpos` or `sfen …`; moves are USI, each optionally with `:score`; the result is `b`, `w` or `d`;
//! the meta field holds words like `ratings=1850,1910` or `dan=3,-1`. A line of USI, `startpos moves …`, is a game too, with an unknown end.

use thiserror::Error;

use super::{Ending, Game, Ply, start_text};
use crate::shogi::notation::{MAX_MOVE_NUMBER, MoveError, PositionError, quote};
use crate::shogi::{Color, Rules, parse_move, parse_position};

/// Why a line is not a game.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum LineError {
    /// Fields are missing.
    #[error("not of the form start|moves|result|meta")]
    Fields,
    /// The start is no position.
    #[error("start: {0}")]
    Start(#[from] PositionError),
    /// The start is a position and something else.
    #[error("start: something follows the position")]
    Trailing,
    /// A move cannot be played.
    #[error("move {number}: {error}")]
    Move {
        /// Its place, from 1.
        number: usize,
        /// What is wrong with it.
        error: MoveError,
    },
    /// A score is no number.
    #[error("move {number}: {text} is not a score")]
    Score {
        /// Its place, from 1.
        number: usize,
        /// What stands there.
        text: String,
    },
    /// Longer than anyone plays.
    #[error("more than {MAX_MOVE_NUMBER} moves")]
    TooLong,
    /// The result is none of `b`, `w`, `d`.
    #[error("result: {0} is none of b, w, d")]
    Result(String),
}

impl LineError {
    /// The error without its particulars, to count by.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Fields => "not of the form start|moves|result|meta",
            Self::Start(_) | Self::Trailing => "the start is no position",
            Self::Move { error, .. } => error.kind(),
            Self::TooLong => "longer than any game",
            Self::Score { .. } => "a score is no number",
            Self::Result(_) => "the result is unknown",
        }
    }
}

/// Reads a line.
pub fn parse(line: &str) -> Result<Game, LineError> {
    if !line.contains('|')
        && let Some((start, moves)) = line.split_once(" moves ")
    {
        let start = start.trim().strip_prefix("position ").unwrap_or(start);
        return game(start, moves, Ending::Unknown, "");
    }
    let mut fields = line.trim_end().splitn(4, '|');
    let (Some(start), Some(moves), Some(result)) = (fields.next(), fields.next(), fields.next()) else {
        return Err(LineError::Fields);
    };
    let meta = fields.next().unwrap_or_default();
    let ending = match result {
        "b" => Ending::Win(Color::Black),
        "w" => Ending::Win(Color::White),
        "d" => Ending::Draw,
        other => return Err(LineError::Result(quote(other))),
    };
    game(start, moves, ending, meta)
}

/// A game from the texts of its start, its moves and what is known of the players.
fn game(start: &str, moves: &str, ending: Ending, meta: &str) -> Result<Game, LineError> {
    let (mut walker, complaint) = parse_position(start, Rules::default())?;
    if complaint.is_some() || !walker.moves().is_empty() {
        return Err(LineError::Trailing);
    }
    let start = start_text(walker.position());
    let mut plies = Vec::new();
    for (i, word) in moves.split_ascii_whitespace().enumerate() {
        let number = i + 1;
        let (text, score) = word.split_once(':').map_or((word, None), |(text, score)| (text, Some(score)));
        let score = match score {
            None | Some("None") => None,
            Some(score) => Some(score.parse().map_err(|_| LineError::Score { number, text: quote(score) })?),
        };
        if walker.move_number() >= MAX_MOVE_NUMBER {
            return Err(LineError::TooLong);
        }
        let mv = parse_move(walker.position(), text).map_err(|error| LineError::Move { number, error })?;
        plies.push(Ply { mv, score });
        walker.apply(mv);
    }
    let ratings = pair(meta, "ratings=").filter(|pair: &[f32; 2]| pair.iter().all(|x| x.is_finite()));
    let dan = pair(meta, "dan=").filter(|pair: &[i8; 2]| !pair.contains(&0));
    Ok(Game { start, moves: plies, ending, ratings, dan, comments: Vec::new() })
}

/// What a meta field says of Black and White, where it has both.
fn pair<T: std::str::FromStr>(meta: &str, name: &str) -> Option<[T; 2]> {
    let (black, white) =
        meta.split_ascii_whitespace().find_map(|word| word.strip_prefix(name))?.split_once(',')?;
    Some([black.parse().ok()?, white.parse().ok()?])
}
