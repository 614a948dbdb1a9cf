//! The opening book: what to play without thinking. It is asked in games only, never where somebody wants to know.

pub mod making;

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::search::{Line, Score};
use crate::shogi::book::{Book, BookMove};
use crate::shogi::{Color, Move, Walker, complete};

/// The embedded book, made by `tenbin book` and packed by zstd.
const EMBEDDED: &[u8] = include_bytes!("../../weights/book.db.zst");

/// Which book to use and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The file; empty for the embedded book.
    pub file: PathBuf,
    /// The last move of a game that may come from it.
    pub moves: u32,
    /// How many centipawns a move may be worse than the best of its position.
    pub worse: i32,
    /// The least centipawns a move may be worth to Black and to White.
    pub least: [i32; 2],
}

impl Default for Settings {
    fn default() -> Self {
        Self { file: PathBuf::new(), moves: 16, worse: 30, least: [0, -140] }
    }
}

/// The book at hand, opened when it is first needed.
pub struct Library {
    /// The file it came from, once it was tried; empty for the embedded book.
    opened: Option<PathBuf>,
    book: Option<Book>,
    random: Pcg64Mcg,
}

impl Default for Library {
    /// Begins with other random numbers every time: players want other openings.
    fn default() -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self::with_seed(now.as_nanos() as u64)
    }
}

impl Library {
    /// No book at hand yet, and random numbers that start with `seed`.
    pub fn with_seed(seed: u64) -> Self {
        Self { opened: None, book: None, random: Pcg64Mcg::seed_from_u64(seed) }
    }

    /// Opens the book of the settings, unless that was tried before. What is wrong with it comes back as text.
    pub fn open(&mut self, settings: &Settings) -> Option<String> {
        if self.opened.as_ref() == Some(&settings.file) {
            return None;
        }
        self.opened = Some(settings.file.clone());
        if settings.file.as_os_str().is_empty() {
            self.book = Some(embedded());
            return None;
        }
        let opened = Book::open(&settings.file);
        let note = opened.as_ref().err().map(|error| self.complaint(error));
        self.book = opened.ok();
        note
    }

    fn complaint(&self, error: &dyn std::fmt::Display) -> String {
        let file = self.opened.as_deref().unwrap_or(std::path::Path::new(""));
        format!("BookFile: {}: {error}; playing without a book", file.display())
    }

    /// The line to play by the open book, if it has one for the position; or what is wrong with the book, once.
    pub fn choose(&mut self, walker: &Walker, settings: &Settings) -> Result<Option<Line>, String> {
        let Some(book) = &self.book else { return Ok(None) };
        // Who comes back to a position would play in circles.
        if walker.move_number() > settings.moves || walker.recurrence().is_some() {
            return Ok(None);
        }
        match book.find(walker.position()) {
            Ok(moves) => {
                let chosen = draw(&moves, walker.turn(), settings, &mut self.random);
                Ok(chosen.map(|chosen| line(&chosen, reply(book, walker, &chosen))))
            }
            Err(error) => {
                self.book = None;
                Err(self.complaint(&error))
            }
        }
    }
}

fn embedded() -> Book {
    let text = zstd::decode_all(EMBEDDED).expect("the embedded book is sound");
    Book::from_own_text(&String::from_utf8_lossy(&text))
}

/// One of the moves that the settings allow, by weight.
pub fn draw(moves: &[BookMove], turn: Color, settings: &Settings, random: &mut impl Rng) -> Option<BookMove> {
    let best = moves.iter().filter_map(|found| found.score).max();
    let good = |found: &&BookMove| {
        // Moves nobody has judged are taken on trust.
        found.score.zip(best).is_none_or(|(score, best)| {
            score >= best.saturating_sub(settings.worse) && score >= settings.least[turn.to_index()]
        })
    };
    let good: Vec<BookMove> = moves.iter().filter(good).copied().collect();
    // A weight of 0 says no; where nothing is weighed all count the same.
    let weighed = good.iter().any(|found| found.weight.is_some_and(|weight| weight > 0));
    let weight = |found: &BookMove| if weighed { found.weight.unwrap_or(0) } else { 1 };
    good.choose_weighted(random, weight).ok().copied()
}

/// What the opponent is expected to play: as the move's own entry says, or the heaviest of the book.
fn reply(book: &Book, walker: &Walker, chosen: &BookMove) -> Option<Move> {
    let mut walker = walker.fork();
    walker.apply(chosen.mv);
    if let Some(reply) = chosen.reply {
        return Some(complete(walker.position(), reply));
    }
    let replies = book.find(walker.position()).ok()?;
    replies.iter().max_by_key(|found| found.weight).map(|found| found.mv)
}

fn line(chosen: &BookMove, reply: Option<Move>) -> Line {
    let pv: Vec<Move> = std::iter::once(chosen.mv).chain(reply).collect();
    let score = Score::Cp(chosen.score.unwrap_or(0));
    Line { depth: 1, seldepth: pv.len() as u32, score, nodes: 0, hashfull: 0, pv }
}
