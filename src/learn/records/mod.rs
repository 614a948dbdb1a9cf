//! Records of games: what the engine learns from and is measured by.
//!
//! A [`Game`] that leaves this room is sound: its start is a position, every move is legal. What cannot be read is
//! skipped with its reason, never silently and never fatally.

pub mod batches;
pub mod format;
pub mod reader;
pub mod summary;
pub mod tally;
pub mod text;
pub mod wildcard;

pub use crate::shogi::kifu::Ending;
pub use format::Format;
pub use reader::{ReadError, read, read_from};
pub use summary::Summary;
pub use tally::{Reason, Tally};

use crate::shogi::{Move, Position, Rules, STARTPOS, Walker, parse_position};

/// A move of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// What a search thought of the position before it, for the side to move: centipawns, or a mate (see
    /// [`MATE_SCORE`]).
    pub score: Option<i32>,
}

/// Score of a mate in 0 plies; every ply further away is one less. Being mated is the same below zero.
pub const MATE_SCORE: i32 = 32_000;

/// A game.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// `startpos`, or `sfen` and a position: one text for one position, as [`start_text`] gives it.
    pub start: String,
    /// What was played.
    pub moves: Vec<Ply>,
    /// How it ended.
    pub ending: Ending,
    /// Ratings of Black and White in Elo, where known.
    pub ratings: Option<[f32; 2]>,
    /// Dan of Black and White, where known; kyu is below zero. Only the project's own format has it.
    pub dan: Option<[i8; 2]>,
    /// What was said about it, each with the number of moves played before. The project's own format has none.
    pub comments: Vec<(usize, String)>,
}

impl Game {
    /// A walker at the start of the game.
    pub fn start(&self) -> Walker {
        parse_position(&self.start, Rules::default()).expect("games that were read have sound starts").0
    }

    /// Replays the game and shows each position before the move that was played there.
    pub fn replay(&self, mut visit: impl FnMut(&mut Walker, Ply)) {
        let mut walker = self.start();
        for &ply in &self.moves {
            visit(&mut walker, ply);
            walker.apply(ply.mv);
        }
    }

    /// A number of the game, by FNV-1a over what was played, and nothing else: the same game in two files is one game.
    pub fn hash(&self) -> u64 {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let mut mix = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        self.start.bytes().for_each(&mut mix);
        for ply in &self.moves {
            ply.mv.to_move().raw().to_le_bytes().into_iter().for_each(&mut mix);
        }
        hash
    }

    /// What the game may be used for.
    pub fn split(&self) -> Split {
        match (self.hash() >> 32) % 20 {
            0 => Split::Validation,
            1 => Split::Test,
            _ => Split::Train,
        }
    }
}

/// The text for a start. However a file spells a position, its games start alike and fall into the same split.
pub fn start_text(position: &Position) -> String {
    let sfen = position.to_sfen(None);
    if sfen == STARTPOS { "startpos".to_owned() } else { format!("sfen {sfen}") }
}

/// Parts of the games that never share one. A game belongs to its part by a hash of its moves, wherever it is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// 18 of 20 games: to learn from.
    Train,
    /// 1 of 20: to choose by.
    Validation,
    /// 1 of 20: to report, once.
    Test,
}
