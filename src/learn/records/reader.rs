//! Files of games, read as a stream: a batch of games is in memory, never a file of many.

use rayon::prelude::*;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use thiserror::Error;

use super::Game;
use super::format::{Chunk, Format, Placed, games};
use super::tally::{Reason, Tally};
use crate::shogi::kifu::{csa, hcpe};

/// Why a file was not read at all.
#[derive(Debug, Error)]
#[error("{}: {error}", path.display())]
pub struct ReadError {
    /// The file.
    pub path: PathBuf,
    /// What the system says.
    #[source]
    pub error: io::Error,
}

/// Longest line in bytes. The longest permitted game is 30,000 moves of five letters and a score.
const LONGEST_LINE: usize = 1 << 20;

/// Longest game in bytes where a game is many lines; a player may comment on every move with all that it saw.
const LONGEST_GAME: usize = 1 << 23;

/// Longest file in bytes in the formats that hold one game a file.
const LONGEST_FILE: usize = 1 << 26;

/// A batch is parsed when it holds so many bytes or so many chunks.
const BATCH_BYTES: usize = 1 << 21;
const BATCH_CHUNKS: usize = 2048;

/// The bytes that begin a zstd stream.
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Reads the games of a file and hands them out in their order, until the visitor breaks off. The name says the format
/// (see [`Format::of`]); a zstd stream is recognised by its name or its beginning.
///
/// Games that cannot be read are counted with their reasons; so is damage to the file, after the games before it.
/// Only a file that cannot be opened is an error.
pub fn read(path: &Path, visit: &mut dyn FnMut(Game) -> ControlFlow<()>) -> Result<Tally, ReadError> {
    let fail = |error| ReadError { path: path.to_owned(), error };
    let file = File::open(path).map_err(fail)?;
    if file.metadata().map_err(fail)?.is_dir() {
        return Err(fail(io::Error::new(io::ErrorKind::IsADirectory, "this is a folder")));
    }
    let mut plain = BufReader::with_capacity(1 << 16, file);
    // Where the first bytes cannot be read there is nothing to recognise, and reading on will say why.
    let compressed = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("zst"))
        || plain.fill_buf().is_ok_and(|bytes| bytes.starts_with(&ZSTD_MAGIC));
    let format = Format::of(path);
    if compressed {
        let decoder = zstd::Decoder::with_buffer(plain).map_err(fail)?;
        Ok(read_from(BufReader::with_capacity(1 << 16, decoder), format, visit))
    } else {
        Ok(read_from(plain, format, visit))
    }
}

/// Reads games from a source until its end, its damage or the visitor's wish.
pub fn read_from(
    source: impl BufRead,
    format: Format,
    visit: &mut dyn FnMut(Game) -> ControlFlow<()>,
) -> Tally {
    let mut chunks = Chunks { source, format, place: 0, next: None, begun: false };
    let mut tally = Tally::default();
    let mut open = true;
    while open {
        let mut batch = Vec::new();
        let mut bytes = 0;
        let mut damage = None;
        while bytes < BATCH_BYTES && batch.len() < BATCH_CHUNKS && damage.is_none() {
            match chunks.next() {
                Ok(Some(chunk)) => {
                    bytes += chunk.bytes.len();
                    batch.push(chunk);
                }
                Ok(None) => {
                    open = false;
                    break;
                }
                Err((chunk, error)) => {
                    batch.extend(chunk);
                    damage = Some(error);
                    open = false;
                }
            }
        }
        // Parsed in any order, handed out in that of the file.
        let parsed: Vec<Vec<Placed>> = batch.par_iter().map(|chunk| games(format, chunk)).collect();
        for (place, game) in parsed.into_iter().flatten() {
            match game {
                Ok(game) => {
                    tally.games += 1;
                    if visit(game).is_break() {
                        return tally;
                    }
                }
                Err(reason) => tally.skip(place, reason),
            }
        }
        if let Some(error) = damage {
            tally.skip(chunks.place, Reason::Damaged(error.to_string()));
        }
    }
    tally
}

/// What was read before an error, where it is worth something, and the error.
type Damage = (Option<Chunk>, io::Error);

/// Cuts a source into pieces that can be parsed by themselves.
struct Chunks<S> {
    source: S,
    format: Format,
    /// The last line or record that was read.
    place: u64,
    /// A line that belongs to the next game.
    next: Option<(Vec<u8>, bool)>,
    /// Whether the file was begun, in formats that are read whole.
    begun: bool,
}

impl<S: BufRead> Chunks<S> {
    fn next(&mut self) -> Result<Option<Chunk>, Damage> {
        match self.format {
            Format::Text => self.game_line().map_err(|error| (None, error)),
            Format::Csa => self.csa_game().map_err(|error| (None, error)),
            Format::Hcpe => self.record().map_err(|error| (None, error)),
            Format::Kif | Format::Ki2 | Format::Jkf => self.whole_file(),
        }
    }

    /// The next line, and whether it is longer than any; then only its beginning is kept. A line that ends in damage
    /// is none.
    fn line(&mut self) -> io::Result<Option<(Vec<u8>, bool)>> {
        if let Some(line) = self.next.take() {
            return Ok(Some(line));
        }
        self.place += 1;
        let mut bytes = Vec::new();
        self.source.by_ref().take(LONGEST_LINE as u64).read_until(b'\n', &mut bytes)?;
        if bytes.is_empty() {
            return Ok(None);
        }
        let overlong = bytes.len() == LONGEST_LINE && !bytes.ends_with(b"\n");
        if overlong {
            self.source.skip_until(b'\n')?;
        }
        // Editors of some systems put a mark at the beginning of a text.
        if self.place == 1 && bytes.starts_with(b"\xef\xbb\xbf") {
            bytes.drain(..3);
        }
        Ok(Some((bytes, overlong)))
    }

    /// The next line that is not blank and no remark.
    fn game_line(&mut self) -> io::Result<Option<Chunk>> {
        while let Some((bytes, overlong)) = self.line()? {
            if !bytes.trim_ascii().is_empty() && !bytes.starts_with(b"#") {
                return Ok(Some(Chunk { place: self.place, bytes, overlong, cut: false }));
            }
        }
        Ok(None)
    }

    /// The lines to the next separator, or to a line that can only begin another game.
    fn csa_game(&mut self) -> io::Result<Option<Chunk>> {
        let empty = || Chunk { place: 0, bytes: Vec::new(), overlong: false, cut: false };
        let mut chunk = empty();
        let mut moving = false;
        while let Some((line, overlong)) = self.line()? {
            let found = chunk.place > 0;
            if csa::is_separator(&line) {
                if found {
                    break;
                }
                chunk = empty();
                continue;
            }
            if moving && csa::is_header(&line) {
                self.next = Some((line, overlong));
                break;
            }
            moving |= csa::is_move(&line);
            // Nothing but comments is no game.
            let told = !line.trim_ascii().is_empty() && !line.starts_with(b"'");
            if told && !found {
                chunk.place = self.place;
            }
            chunk.overlong |= overlong || chunk.bytes.len() + line.len() > LONGEST_GAME;
            if !chunk.overlong {
                chunk.bytes.extend(line);
            }
        }
        Ok((chunk.place > 0).then_some(chunk))
    }

    fn record(&mut self) -> io::Result<Option<Chunk>> {
        self.place += 1;
        let mut bytes = Vec::with_capacity(hcpe::RECORD);
        self.source.by_ref().take(hcpe::RECORD as u64).read_to_end(&mut bytes)?;
        match bytes.len() {
            0 => Ok(None),
            hcpe::RECORD => Ok(Some(Chunk { place: self.place, bytes, overlong: false, cut: false })),
            _ => Err(io::Error::new(io::ErrorKind::UnexpectedEof, "it ends within a record")),
        }
    }

    fn whole_file(&mut self) -> Result<Option<Chunk>, Damage> {
        if std::mem::replace(&mut self.begun, true) {
            return Ok(None);
        }
        self.place = 1;
        let mut bytes = Vec::new();
        let result = self.source.by_ref().take(LONGEST_FILE as u64 + 1).read_to_end(&mut bytes);
        let overlong = bytes.len() > LONGEST_FILE;
        let blank = bytes.trim_ascii().is_empty();
        let chunk = Chunk { place: 1, bytes, overlong, cut: result.is_err() };
        match result {
            Ok(_) => Ok((!blank).then_some(chunk)),
            Err(error) => Err((Some(chunk), error)),
        }
    }
}
