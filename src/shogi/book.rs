//! Opening books in the formats of the shogi world: `.db` of `YaneuraOu` and `.sbk` of `ShogiGUI`.
//!
//! The crate reads and writes them; here is what it must not be trusted with: files that make it panic, and moves that are
//! not legal where they stand.

use rsshogi::book::{
    BookCandidate, BookDatabase, BookDatabaseEntry, BookEntryMetadata, BookError, BookMoveMetadata,
    BookPosition, SbkBook, SbkWriteOptions, YaneuraOuAccessMode, YaneuraOuBook, YaneuraOuBookDiagnostics,
    YaneuraOuBookMove, YaneuraOuBookOpenOptions, YaneuraOuDb2016WriteOptions,
};
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use thiserror::Error;

use super::{Move, PackedMove, Position, complete, is_legal};

/// Positions at the beginning of a `.db` file by which it is judged to be sorted. Files of gigabytes are not read whole.
const SORTED_PREFIX: usize = 10_000;

/// A `.db` file that is not sorted has to be in memory, and no larger than this many bytes.
const MOST_UNSORTED: u64 = 1 << 28;

/// A move of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move, legal in the position it was asked for.
    pub mv: Move,
    /// The reply the book expects; not known to be legal.
    pub reply: Option<PackedMove>,
    /// What it is worth in centipawns for the side to move, where the book says so.
    pub score: Option<i32>,
    /// How often to play it beside the others, where the book says so.
    pub weight: Option<u64>,
}

/// A move as files hold it.
#[derive(Clone, Copy, Debug)]
struct Entry {
    mv: PackedMove,
    reply: Option<PackedMove>,
    score: Option<i32>,
    weight: Option<u64>,
}

/// Why a file is no book.
#[derive(Debug, Error)]
pub enum BookFileError {
    /// The system or the crate says why.
    #[error("{0}")]
    Unreadable(String),
    /// The name says nothing of the format.
    #[error("books end in .db or .sbk")]
    Name,
    /// It holds no position.
    #[error("there is no position in it")]
    Empty,
    /// Too large to be searched.
    #[error("its positions are not in order, and it is too large to be held in memory")]
    Unsorted,
}

impl From<BookError> for BookFileError {
    fn from(error: BookError) -> Self {
        Self::Unreadable(match error {
            BookError::Io(error) => error.to_string(),
            error => error.to_string(),
        })
    }
}

/// An opening book.
pub struct Book(Source);

enum Source {
    /// By the SFEN of a position at move 1.
    Memory(HashMap<String, Vec<Entry>>),
    Sorted(YaneuraOuBook),
    Sbk(Box<SbkBook>),
}

impl Book {
    /// Opens a file; its name says the format.
    pub fn open(path: &Path) -> Result<Self, BookFileError> {
        let extension = path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
        guarded(|| match extension.as_deref() {
            Some("db") => open_db(path),
            Some("sbk") => Ok(Source::Sbk(Box::new(SbkBook::open(path)?))),
            _ => Err(BookFileError::Name),
        })
        .map(Self)
    }

    /// A book from the text of a `.db` file that this project wrote itself.
    pub fn from_own_text(text: &str) -> Self {
        let mut positions: HashMap<String, Vec<Entry>> = HashMap::new();
        let mut here = None;
        for line in text.lines() {
            if let Some(sfen) = line.strip_prefix("sfen ") {
                here = Some(positions.entry(sfen.to_owned()).or_default());
            } else if let Some(entries) = &mut here {
                let mut words = line.split_ascii_whitespace();
                let mv = words.next().and_then(PackedMove::from_usi);
                let weight = words.last().and_then(|word| word.parse().ok());
                entries.extend(mv.map(|mv| Entry { mv, reply: None, score: None, weight }));
            }
        }
        Self(Source::Memory(positions))
    }

    /// The moves for a position that are legal there, in the order of the file.
    pub fn find(&self, position: &Position) -> Result<Vec<BookMove>, BookFileError> {
        let entries = guarded(|| self.entries(position))?;
        let legal = |entry: Entry| {
            // Resignation and the like are moves to the crate.
            if !entry.mv.is_normal() {
                return None;
            }
            let mv = complete(position, entry.mv);
            let Entry { reply, score, weight, .. } = entry;
            is_legal(position, mv).then_some(BookMove { mv, reply, score, weight })
        };
        Ok(entries.into_iter().filter_map(legal).collect())
    }

    fn entries(&self, position: &Position) -> Result<Vec<Entry>, BookFileError> {
        Ok(match &self.0 {
            Source::Memory(positions) => {
                positions.get(&position.to_sfen(Some(1))).cloned().unwrap_or_default()
            }
            Source::Sorted(book) => book
                .lookup_position(position)?
                .map_or_else(Vec::new, |entry| entry.moves().iter().map(from_db).collect()),
            Source::Sbk(book) => book.lookup_position(position)?.map_or_else(Vec::new, |entry| {
                let convert = |mv: &rsshogi::book::SbkMove| Entry {
                    mv: mv.mv(),
                    reply: None,
                    score: mv.evaluation(),
                    weight: mv.weight().map(|weight| u64::try_from(weight).unwrap_or(0)),
                };
                entry.moves().iter().map(convert).collect()
            }),
        })
    }
}

fn open_db(path: &Path) -> Result<Source, BookFileError> {
    let mode = YaneuraOuAccessMode::AssumeSortedAfterPrefix { prefix_rows: SORTED_PREFIX };
    let book = YaneuraOuBook::open_with_options(path, YaneuraOuBookOpenOptions::with_access_mode(mode))?;
    match book.diagnostics() {
        YaneuraOuBookDiagnostics::Sorted { checked_rows: 0, .. } => Err(BookFileError::Empty),
        YaneuraOuBookDiagnostics::Sorted { .. } => Ok(Source::Sorted(book)),
        _ if std::fs::metadata(path).map_err(BookError::from)?.len() > MOST_UNSORTED => {
            Err(BookFileError::Unsorted)
        }
        _ => {
            let mut positions: HashMap<String, Vec<Entry>> = HashMap::new();
            for entry in book.iter_entries()? {
                let entry = entry?;
                let moves = positions.entry(entry.sfen().to_owned()).or_default();
                moves.extend(entry.moves().iter().map(from_db));
            }
            Ok(Source::Memory(positions))
        }
    }
}

fn from_db(mv: &YaneuraOuBookMove) -> Entry {
    let reply = Some(mv.ponder()).filter(|reply| reply.is_normal());
    Entry { mv: mv.mv(), reply, score: mv.score(), weight: mv.count() }
}

/// Runs the crate's code on foreign files. Where that panics the file is to blame, and play goes on.
fn guarded<T>(read: impl FnOnce() -> Result<T, BookFileError>) -> Result<T, BookFileError> {
    catch_unwind(AssertUnwindSafe(read))
        .unwrap_or_else(|_| Err(BookFileError::Unreadable("it is damaged".to_owned())))
}

/// A position to be written with its moves and how often each was played.
pub struct Page {
    /// The position.
    pub position: Position,
    /// The moves, the most frequent first.
    pub moves: Vec<(PackedMove, u64)>,
}

/// A book as a file of the format that its name says.
pub fn encode(pages: &[Page], path: &Path) -> Result<Vec<u8>, BookFileError> {
    let is = |name| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(name));
    let sbk = is("sbk");
    if !sbk && !is("db") {
        return Err(BookFileError::Name);
    }
    let entry = |page: &Page| {
        let candidate = |&(mv, count): &(PackedMove, u64)| {
            let weight = sbk.then(|| i32::try_from(count).unwrap_or(i32::MAX));
            BookCandidate::new(mv, None, None, None, weight, Some(count), BookMoveMetadata::default())
        };
        let position = BookPosition::from_position(&page.position, Some(1));
        BookDatabaseEntry::new(
            position,
            page.moves.iter().map(candidate).collect(),
            BookEntryMetadata::default(),
        )
    };
    let database = BookDatabase::try_from_entries(pages.iter().map(entry).collect())?;
    if sbk {
        return Ok(database.to_sbk_bytes(&SbkWriteOptions::new())?);
    }
    let text = database.to_yaneuraou_db2016_string(&YaneuraOuDb2016WriteOptions::new())?;
    Ok(text.into_bytes())
}
