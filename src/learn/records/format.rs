//! The formats of records, and the games in a piece of a file.

use encoding_rs::{EUC_JP, Encoding, SHIFT_JIS};
use std::borrow::Cow;
use std::path::Path;

use super::tally::Reason;
use super::{Game, Ply, start_text, text};
use crate::shogi::kifu::{Kifu, KifuError, csa, hcpe, jkf, ki2, kif};

/// How a file holds games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The project's own, a game a line.
    Text,
    /// 柿木形式, the moves with the squares they come from.
    Kif,
    /// The same as people write moves.
    Ki2,
    /// The format of computer tournaments.
    Csa,
    /// JSON.
    Jkf,
    /// Training data in binary: positions with a move, a score and a result.
    Hcpe,
}

impl Format {
    /// The format of a file by its name, without a last `.zst`. Names that say nothing stand for the project's own.
    pub fn of(path: &Path) -> Self {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let name = name.strip_suffix(".zst").unwrap_or(&name);
        match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
            "kif" | "kifu" => Self::Kif,
            "ki2" | "ki2u" => Self::Ki2,
            "csa" => Self::Csa,
            "jkf" | "json" => Self::Jkf,
            "hcpe" => Self::Hcpe,
            _ => Self::Text,
        }
    }

    /// What places in such a file are counted in.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Text | Self::Kif | Self::Ki2 | Self::Csa => "line",
            Self::Jkf => "game",
            Self::Hcpe => "record",
        }
    }

    /// What is expected in such a file.
    pub fn description(self) -> &'static str {
        match self {
            Self::Text => "text, a game a line: start|moves|result|meta",
            Self::Kif => "KIF",
            Self::Ki2 => "KI2",
            Self::Csa => "CSA",
            Self::Jkf => "JKF",
            Self::Hcpe => "HCPE",
        }
    }
}

/// A piece of a file that can be parsed by itself.
pub(super) struct Chunk {
    /// Where it begins, from 1.
    pub place: u64,
    /// What it holds.
    pub bytes: Vec<u8>,
    /// Whether it is longer than any game; then the bytes are only its beginning.
    pub overlong: bool,
    /// Whether the file broke off in it, so that its last game is incomplete.
    pub cut: bool,
}

/// A game or the reason why it is none, with its place in the file.
pub(super) type Placed = (u64, Result<Game, Reason>);

/// The games of a chunk, each with its place in the file.
pub(super) fn games(format: Format, chunk: &Chunk) -> Vec<Placed> {
    let place = chunk.place;
    if chunk.overlong {
        return vec![(place, Err(Reason::TooLong))];
    }
    match format {
        Format::Text => vec![(place, line(&chunk.bytes))],
        Format::Csa => text_games(chunk, csa::games, csa::parse),
        Format::Hcpe => {
            let record = chunk.bytes.as_slice().try_into();
            vec![(place, record.map_or(Err(Reason::NotText), |record| Ok(hcpe::parse(record).map(game)?)))]
        }
        Format::Kif => text_games(chunk, kif::games, kif::parse),
        Format::Ki2 => text_games(chunk, kif::games, ki2::parse),
        Format::Jkf => match decode(&chunk.bytes) {
            Ok(text) => jkf::games(&text)
                .into_iter()
                .zip(1..)
                .map(|(value, number)| (number, value.and_then(jkf::parse).map(game).map_err(Reason::from)))
                .collect(),
            Err(reason) => vec![(place, Err(reason))],
        },
    }
}

fn line(bytes: &[u8]) -> Result<Game, Reason> {
    let line = std::str::from_utf8(bytes).map_err(|_| Reason::NotText)?;
    Ok(text::parse(line)?)
}

/// The games of a text that is divided into them, each with the number of the lines before it, and then parsed.
fn text_games(
    chunk: &Chunk,
    divide: fn(&str) -> Vec<(usize, String)>,
    parse: fn(&str) -> Result<Kifu, KifuError>,
) -> Vec<Placed> {
    let text = match decode(&chunk.bytes) {
        Ok(text) => text,
        Err(reason) => return vec![(chunk.place, Err(reason))],
    };
    let mut games = divide(&text);
    if chunk.cut {
        games.pop();
    }
    games
        .into_iter()
        .map(|(lines, text)| (chunk.place + lines as u64, parse(&text).map(game).map_err(Reason::from)))
        .collect()
}

fn game(kifu: Kifu) -> Game {
    Game {
        start: start_text(&kifu.start),
        moves: kifu.moves.into_iter().map(|(mv, score)| Ply { mv, score }).collect(),
        ending: kifu.ending,
        ratings: kifu.ratings,
        dan: None,
        comments: kifu.comments,
    }
}

/// Text in an encoding that records come in, with plain line ends. Letters that are wrong in all of them are
/// replaced: one in a name should not cost the game.
fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, Reason> {
    let text = if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        encoding.decode_with_bom_removal(bytes).0
    } else if bytes.contains(&0) {
        return Err(Reason::NotText);
    } else if let Ok(text) = std::str::from_utf8(bytes) {
        Cow::Borrowed(text)
    } else {
        [SHIFT_JIS, EUC_JP]
            .iter()
            .find_map(|encoding| encoding.decode_without_bom_handling_and_without_replacement(bytes))
            .unwrap_or_else(|| SHIFT_JIS.decode_without_bom_handling(bytes).0)
    };
    Ok(if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n").into() } else { text })
}
