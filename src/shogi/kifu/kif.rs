//! KIF, the format of people, and what it shares with KI2.

use rsshogi::board::InitialPosition;
use rsshogi::records::{KifError, parse_kif_str};

use super::{Kifu, KifuError, Prepared, unknown_ending};
use crate::shogi::notation::{MoveError, PositionError, quote};

/// How the lines begin that stand before moves only.
const HEADERS: [&str; 14] = [
    "手合割",
    "開始日",
    "終了日",
    "棋戦",
    "場所",
    "持ち時間",
    "表題",
    "先手",
    "後手",
    "下手",
    "上手",
    "対局",
    "記録",
    "９",
];

/// The signs before a move in KI2.
pub(super) const SIGNS: [char; 6] = ['▲', '△', '▼', '▽', '☗', '☖'];

/// The digits of files.
pub(super) const FILES: &str = "１２３４５６７８９";

/// Divides a text into its games, each with the number of the lines before it. A file should hold one, but people
/// put files together.
pub fn games(text: &str) -> Vec<(usize, String)> {
    let mut games = vec![(0, String::new())];
    let mut moving = false;
    for (i, line) in text.lines().enumerate() {
        let word = line.trim_start();
        if moving && HEADERS.iter().any(|header| word.starts_with(header)) && !is_move(word) {
            games.push((i, String::new()));
            moving = false;
        }
        moving |= is_move(word) || word.starts_with("まで");
        if let Some((_, game)) = games.last_mut() {
            game.push_str(line);
            game.push('\n');
        }
    }
    games.retain(|(_, game)| game.lines().any(|line| !line.trim().is_empty() && !line.starts_with('#')));
    games
}

/// Reads a game.
pub fn parse(text: &str) -> Result<Kifu, KifuError> {
    let prepared = prepare(text, |line, all| {
        let move_only = without_time(line);
        // Squares have no zeros, and the crate counts down from them.
        if move_only.ends_with("0)") {
            return Err(KifuError::Unreadable(quote(move_only)));
        }
        // Other words for the same.
        all.push_str(&move_only.replace("時間切れ", "切れ負け").replace("封じ手", "中断"));
        Ok(1)
    })?;
    prepared.read(|text| {
        let record = parse_kif_str(text)?;
        // The crate takes a numbered line that is no move for the end of the game.
        match unknown_ending(&record) {
            Some(name) => {
                Err(KifuError::Move { number: record.move_count() + 1, error: MoveError::Unreadable(name) })
            }
            None => Ok(record),
        }
    })
}

/// Picks the lines that tell the start, the moves and the end, and the comments. `take` says how the crate is to
/// get a line of moves, and how many there are.
pub(super) fn prepare(
    text: &str,
    take: impl Fn(&str, &mut String) -> Result<usize, KifuError>,
) -> Result<Prepared, KifuError> {
    let mut all = String::new();
    let mut moves = 0;
    let mut start = None;
    let mut handicap = None;
    let mut board = false;
    for line in text.lines() {
        let word = line.trim();
        if word.starts_with("変化") {
            break;
        }
        // Bookmarks, remarks of programs, the head of the table and the number of a position in a diagram.
        if word.is_empty() || word.starts_with(['#', '&']) || word.starts_with("手数") {
            continue;
        }
        if word.starts_with(['*', '\'']) {
            all.push_str(word);
        } else if is_move(word) || word.starts_with("まで") {
            start.get_or_insert_with(|| all.clone());
            if is_move(word) { moves += take(word, &mut all)? } else { all.push_str(word) }
        } else if start.is_some() {
            // Among the moves nothing else should be; the crate will say so.
            if !word.contains("消費時間") {
                all.push_str(word);
            }
        } else if let Some(name) = word.strip_prefix("手合割") {
            handicap = Some(name.trim_start_matches(['：', ':']).trim());
            all.push_str(word);
        } else if is_board(word) {
            board = true;
            all.push_str(line);
        } else if word.contains("の持駒") {
            all.push_str(word);
        } else if matches!(word, "後手番" | "上手番") {
            all.push_str("後手番");
        }
        all.push('\n');
    }
    // The crate would take the usual start.
    if let Some(name) = handicap
        && !board
        && InitialPosition::from_handicap_name_ja(name).is_none()
    {
        return Err(KifuError::Handicap(quote(name)));
    }
    Ok(Prepared { start: start.unwrap_or_else(|| all.clone()), all, moves })
}

/// Whether a line, trimmed, is a move or moves.
fn is_move(word: &str) -> bool {
    !is_board(word)
        && word
            .starts_with(|c: char| c.is_ascii_digit() || c == '同' || SIGNS.contains(&c) || FILES.contains(c))
}

/// Whether a line, trimmed, belongs to a diagram.
fn is_board(word: &str) -> bool {
    word.starts_with(['+', '|']) || (word.starts_with('９') && word.contains('１'))
}

/// A numbered move without the time spent on it, `( 0:01/00:00:01)`.
fn without_time(line: &str) -> &str {
    match line.rfind(['(', '（']) {
        Some(at) if line[at..].contains([':', '：', '/']) => line[..at].trim_end(),
        _ => line.trim_end_matches(['+', ' ']),
    }
}

impl From<KifError> for KifuError {
    fn from(error: KifError) -> Self {
        match error {
            KifError::Sfen(error) => PositionError::Board(quote(&error.to_string())).into(),
            KifError::IllegalMove { index } => Self::Illegal(index + 1),
            KifError::InvalidLine(text) | KifError::InvalidMove(text) => Self::Unreadable(quote(&text)),
            KifError::MissingResult => Self::Unreadable("the end".to_owned()),
        }
    }
}
