//! CSA, the format of computer tournaments, with what the server floodgate writes into comments: ratings, and the
//! players' scores.

use rsshogi::records::{CsaError, parse_csa_str};

use super::{Ending, Kifu, KifuError, Prepared};
use crate::shogi::Color;
use crate::shogi::notation::{PositionError, quote};

/// Whether a line ends a game and belongs to none.
pub fn is_separator(line: &[u8]) -> bool {
    line.trim_ascii() == b"/"
}

/// Whether a line belongs to the moves of a game.
pub fn is_move(line: &[u8]) -> bool {
    line.starts_with(b"%") || (matches!(line, [b'+' | b'-', ..]) && line.len() >= 7)
}

/// Whether a line stands before moves only: after them it begins another game.
pub fn is_header(line: &[u8]) -> bool {
    [b"V".as_slice(), b"N+", b"PI", b"P1"].iter().any(|start| line.starts_with(start))
}

/// Divides a text into its games, each with the number of the lines before it. The lines of some systems end in a way
/// that shows only when the text is decoded, so there may still be separators.
pub fn games(text: &str) -> Vec<(usize, String)> {
    let mut games = vec![(0, String::new())];
    for (i, line) in text.lines().enumerate() {
        match games.last_mut() {
            Some((_, game)) if !is_separator(line.as_bytes()) => {
                game.push_str(line);
                game.push('\n');
            }
            _ => games.push((i + 1, String::new())),
        }
    }
    let told = |line: &str| !line.trim().is_empty() && !line.starts_with('\'');
    games.retain(|(_, game)| game.lines().any(told));
    games
}

/// Reads a game.
pub fn parse(text: &str) -> Result<Kifu, KifuError> {
    let mut prepared = Prepared { start: String::new(), all: String::new(), moves: 0 };
    let mut notes = Notes::default();
    let mut ended = false;
    for line in text.lines().map(str::trim) {
        if let Some(comment) = line.strip_prefix('\'') {
            notes.add(prepared.moves, comment);
            continue;
        }
        if line.is_empty() || line.starts_with(['V', 'N', '$']) {
            continue;
        }
        // Statements may share a line, a comment coming last.
        let (line, comment) = line.split_once(",'").map_or((line, None), |(line, text)| (line, Some(text)));
        for statement in
            line.split(',').map(str::trim).filter(|text| !text.is_empty() && !text.starts_with('T'))
        {
            if is_move(statement.as_bytes()) {
                let ends = statement.starts_with('%');
                if ended || !(ends || statement.len() == 7) {
                    return Err(KifuError::Unreadable(quote(statement)));
                }
                ended = ends;
                prepared.moves += usize::from(!ends);
            }
            prepared.all.push_str(statement);
            prepared.all.push('\n');
        }
        if prepared.moves == 0 && !ended {
            prepared.start.clone_from(&prepared.all);
        }
        if let Some(comment) = comment {
            notes.add(prepared.moves, comment);
        }
    }
    if prepared.start.contains("00AL") {
        let rest = rest(&prepared.start);
        prepared.all = prepared.all.replacen("00AL", &rest, 1);
        prepared.start = prepared.start.replacen("00AL", &rest, 1);
    }
    let mut kifu = prepared.read(|text| parse_csa_str(text).map_err(KifuError::from))?;
    notes.complete(&mut kifu);
    Ok(kifu)
}

/// The pieces of a set that the lines of a position do not name, as pieces in hand. The crate would give a side no more
/// of them than it has at the beginning of a game.
fn rest(position: &str) -> String {
    const SET: [(&str, &str, usize); 7] = [
        ("FU", "TO", 18),
        ("KY", "NY", 4),
        ("KE", "NK", 4),
        ("GI", "NG", 4),
        ("KI", "KI", 4),
        ("KA", "UM", 2),
        ("HI", "RY", 2),
    ];
    let named = |kind: &str| position.matches(kind).count();
    SET.iter()
        .map(|&(kind, promoted, all)| {
            let used = named(kind) + if promoted == kind { 0 } else { named(promoted) };
            ["00", kind].concat().repeat(all.saturating_sub(used))
        })
        .collect()
}

impl From<CsaError> for KifuError {
    fn from(error: CsaError) -> Self {
        match error {
            CsaError::Sfen(error) => PositionError::Board(quote(&error.to_string())).into(),
            CsaError::InvalidBoard(text) => PositionError::Board(quote(&text)).into(),
            CsaError::IllegalMove { index } => Self::Illegal(index + 1),
            CsaError::InvalidLine(text) | CsaError::InvalidMove(text) | CsaError::MoveSideMismatch(text) => {
                Self::Unreadable(quote(&text))
            }
            CsaError::MissingEndMarker => Self::Unreadable("the end".to_owned()),
        }
    }
}

/// What the comments of a game say.
#[derive(Default)]
struct Notes {
    comments: Vec<(usize, String)>,
    /// What Black would have from the position, by the number of the move that was then played.
    scores: Vec<(usize, i32)>,
    ratings: [Option<f32>; 2],
    ending: Option<Ending>,
}

impl Notes {
    /// Takes a comment that stands after so many moves.
    fn add(&mut self, plies: usize, comment: &str) {
        if let Some(analysis) = comment.strip_prefix("**") {
            let analysis = analysis.trim_start();
            let analysis = analysis.strip_prefix("評価値=").unwrap_or(analysis);
            let score = analysis.split_ascii_whitespace().next().and_then(|word| word.parse().ok());
            self.scores.extend(score.map(|score| (plies, score)));
        } else if let Some(rating) = comment.strip_prefix("black_rate:") {
            self.ratings[0] = read_rating(rating);
        } else if let Some(rating) = comment.strip_prefix("white_rate:") {
            self.ratings[1] = read_rating(rating);
        } else if let Some(summary) = comment.strip_prefix("summary:") {
            self.ending = read_summary(summary);
        }
        let text = comment.trim_start_matches('*').trim();
        if !text.is_empty() {
            self.comments.push((plies, text.to_owned()));
        }
    }

    fn complete(self, kifu: &mut Kifu) {
        let first = kifu.start.turn();
        for (number, score) in self.scores {
            // Before the first move it belongs to none.
            let Some((_, place)) = number.checked_sub(1).and_then(|index| kifu.moves.get_mut(index)) else {
                continue;
            };
            let mover = if number % 2 == 1 { first } else { first.flip() };
            *place = Some(if mover == Color::Black { score } else { score.saturating_neg() });
        }
        if let [Some(black), Some(white)] = self.ratings {
            kifu.ratings = Some([black, white]);
        }
        if kifu.ending == Ending::Unknown {
            kifu.ending = self.ending.unwrap_or(Ending::Unknown);
        }
        kifu.comments = self.comments;
    }
}

/// `name:number`
fn read_rating(text: &str) -> Option<f32> {
    let number: f32 = text.rsplit(':').next()?.trim().parse().ok()?;
    number.is_finite().then_some(number)
}

/// `manner:black win:white lose`, which also tells of games that ended without a word of the players.
fn read_summary(text: &str) -> Option<Ending> {
    match text.split(':').nth(1)?.split_ascii_whitespace().next_back()? {
        "win" => Some(Ending::Win(Color::Black)),
        "lose" => Some(Ending::Win(Color::White)),
        "draw" => Some(Ending::Draw),
        _ => None,
    }
}
