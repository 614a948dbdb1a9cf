//! Files of games, read as a stream: a batch of games is in memory, never the file.

use rayon::prelude::*;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use thiserror::Error;

use super::tally::{Reason, Tally};
use super::{Game, text};

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

/// Longest game in bytes. The longest permitted is 30,000 moves of five letters and a score.
const LONGEST: usize = 1 << 20;

/// A batch is parsed when it holds so many bytes or so many games.
const BATCH_BYTES: usize = 1 << 21;
const BATCH_GAMES: usize = 2048;

/// The bytes that begin a zstd stream.
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// The bytes of one game.
struct Chunk {
    /// Where it begins.
    place: u64,
    bytes: Vec<u8>,
}

/// Reads the games of a file and hands them out in their order, until the visitor breaks off.
///
/// Games that cannot be read are counted with their reasons; so is damage to the file, after the games before it.
/// Only a file that cannot be opened is an error.
pub fn read(path: &Path, visit: &mut dyn FnMut(Game) -> ControlFlow<()>) -> Result<Tally, ReadError> {
    let fail = |error| ReadError { path: path.to_owned(), error };
    let file = File::open(path).map_err(fail)?;
    if file.metadata().map_err(fail)?.is_dir() {
        return Err(fail(io::ErrorKind::IsADirectory.into()));
    }
    let mut plain = BufReader::with_capacity(1 << 16, file);
    // A short first read is no reason to fail: what is no zstd stream is read as it is.
    let compressed = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("zst"))
        || plain.fill_buf().is_ok_and(|bytes| bytes.starts_with(&ZSTD_MAGIC));
    let mut source: Box<dyn BufRead> = if compressed {
        Box::new(BufReader::with_capacity(1 << 16, zstd::Decoder::with_buffer(plain).map_err(fail)?))
    } else {
        Box::new(plain)
    };
    Ok(stream(&mut source, visit))
}

/// Reads games from a source until its end, its damage or the visitor's wish.
fn stream(source: &mut dyn BufRead, visit: &mut dyn FnMut(Game) -> ControlFlow<()>) -> Tally {
    let mut tally = Tally::default();
    let mut line = 0;
    let mut open = true;
    while open {
        let mut batch = Vec::new();
        let mut bytes = 0;
        let mut damage = None;
        while bytes < BATCH_BYTES && batch.len() < BATCH_GAMES {
            match next_line(source, &mut line) {
                Ok(Some(chunk)) => {
                    bytes += chunk.bytes.len();
                    if !is_ignored(&chunk.bytes) {
                        batch.push(chunk);
                    }
                }
                Ok(None) => {
                    open = false;
                    break;
                }
                Err(error) => {
                    damage = Some(error);
                    open = false;
                    break;
                }
            }
        }
        // Parsed in any order, handed out in that of the file.
        let games: Vec<_> = batch.par_iter().map(parse).collect();
        for (chunk, game) in batch.iter().zip(games) {
            match game {
                Ok(game) => {
                    tally.games += 1;
                    if visit(game).is_break() {
                        return tally;
                    }
                }
                Err(reason) => tally.skip(chunk.place, reason),
            }
        }
        if let Some(error) = damage {
            tally.skip(line, Reason::Damaged(error.to_string()));
        }
    }
    tally
}

/// Whether a line is no game and not meant to be one.
fn is_ignored(line: &[u8]) -> bool {
    line.starts_with(b"#") || line.iter().all(u8::is_ascii_whitespace)
}

fn parse(chunk: &Chunk) -> Result<Game, Reason> {
    if chunk.bytes.len() > LONGEST {
        return Err(Reason::TooLong);
    }
    let line = std::str::from_utf8(&chunk.bytes).map_err(|_| Reason::NotText)?;
    Ok(text::parse(line)?)
}

/// The next line. Of one that is longer than any game only the beginning is kept. A line that ends in damage is none.
fn next_line(source: &mut dyn BufRead, line: &mut u64) -> io::Result<Option<Chunk>> {
    *line += 1;
    let mut bytes = Vec::new();
    source.take(LONGEST as u64 + 1).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    if bytes.len() > LONGEST && !bytes.ends_with(b"\n") {
        source.skip_until(b'\n')?;
    }
    // Editors of some systems put a mark at the beginning of a text.
    if *line == 1 && bytes.starts_with(b"\xef\xbb\xbf") {
        bytes.drain(..3);
    }
    Ok(Some(Chunk { place: *line, bytes }))
}
