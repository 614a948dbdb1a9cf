//! KI2, in which a move is told as people say it: where to, which piece, and from where only if that is in doubt.

use rsshogi::records::{Ki2Error, Record, parse_ki2_str};

use super::kif::{FILES, SIGNS, prepare};
use super::{Kifu, KifuError};
use crate::shogi::notation::{MoveError, PositionError, quote};
use crate::shogi::{Color, Kind, Move, MoveList, Position, Rules, Square, Walker, legal_moves};

const RANKS: &str = "一二三四五六七八九";

/// What pieces are called. Longer names come first.
const NAMES: [(&str, Kind); 19] = [
    ("成銀", Kind::PRO_SILVER),
    ("成桂", Kind::PRO_KNIGHT),
    ("成香", Kind::PRO_LANCE),
    ("歩", Kind::PAWN),
    ("香", Kind::LANCE),
    ("桂", Kind::KNIGHT),
    ("銀", Kind::SILVER),
    ("金", Kind::GOLD),
    ("角", Kind::BISHOP),
    ("飛", Kind::ROOK),
    ("玉", Kind::KING),
    ("王", Kind::KING),
    ("と", Kind::PRO_PAWN),
    ("杏", Kind::PRO_LANCE),
    ("圭", Kind::PRO_KNIGHT),
    ("全", Kind::PRO_SILVER),
    ("馬", Kind::HORSE),
    ("龍", Kind::DRAGON),
    ("竜", Kind::DRAGON),
];

/// Reads a game.
///
/// The crate plays a move before it asks whether it is legal, and it thinks that pinned pieces can move. So the moves
/// are found here, and it is told where they come from.
pub fn parse(text: &str) -> Result<Kifu, KifuError> {
    let mut prepared = prepare(text, |line, all| {
        let mut moves = 0;
        for part in line.split(SIGNS) {
            let part = part.replace([' ', '　'], "");
            if !part.is_empty() {
                all.push_str(if moves == 0 { "▲" } else { "\n▲" });
                all.push_str(&part);
                moves += 1;
            }
        }
        Ok(moves)
    })?;
    let mut walker = Walker::new(prepared.start(read)?, Rules::default());
    let mut last = None;
    let mut number = 0;
    let mut all = String::new();
    for line in prepared.all.lines() {
        all.push_str(line);
        if let Some(text) = line.strip_prefix('▲').filter(|text| !is_word(text)) {
            number += 1;
            let mv =
                find(walker.position(), text, last).map_err(|error| KifuError::Move { number, error })?;
            if mv.is_drop() {
                all.push_str(if text.contains('打') { "" } else { "打" });
            } else if !text.contains('(') {
                all.push_str(&["(", &digits(mv.from_sq()), ")"].concat());
            }
            last = Some(mv.to_sq());
            walker.apply(mv);
        }
        all.push('\n');
    }
    prepared.all = all;
    prepared.game(read)
}

fn read(text: &str) -> Result<Record, KifuError> {
    Ok(parse_ki2_str(text)?)
}

/// Whether something that follows a sign is no move but tells the end; the crate knows those words.
fn is_word(text: &str) -> bool {
    !text.starts_with(|c: char| c == '同' || c.is_ascii_digit() || FILES.contains(c))
}

/// The legal move that a text means; `last` is where the one before it went.
fn find(position: &Position, text: &str, last: Option<Square>) -> Result<Move, MoveError> {
    let unreadable = || MoveError::Unreadable(quote(text));
    let (to, rest) = destination(text, last).ok_or_else(unreadable)?;
    let named = NAMES.iter().find_map(|&(name, kind)| Some((kind, rest.strip_prefix(name)?)));
    let (kind, manner) = named.ok_or_else(unreadable)?;
    let (manner, origin) = match manner.split_once('(') {
        Some((manner, origin)) => (manner, Some(origin.strip_suffix(')').ok_or_else(unreadable)?)),
        None => (manner, None),
    };
    if !manner.chars().all(|c| "左右直上行寄引成不打".contains(c)) {
        return Err(unreadable());
    }
    let promotes = manner.contains('成') && !manner.contains('不');
    let mut legal = MoveList::new();
    legal_moves(position, &mut legal);
    let mut steps = Vec::new();
    let mut drop = None;
    for &mv in legal.iter().filter(|mv| mv.to_sq() == to) {
        if mv.is_drop() {
            if mv.dropped_piece() == Some(kind) {
                drop = Some(mv);
            }
        } else if position.piece_on(mv.from_sq()).piece_type() == kind && mv.is_promotion() == promotes {
            steps.push(mv);
        }
    }
    let illegal = || MoveError::Illegal(quote(text));
    if manner.contains('打') || steps.is_empty() {
        return drop.ok_or_else(illegal);
    }
    if let Some(origin) = origin {
        steps.retain(|mv| digits(mv.from_sq()) == origin);
    }
    choose(&mut steps, position.turn(), kind, manner);
    match steps[..] {
        [mv] => Ok(mv),
        [] => Err(illegal()),
        _ => Err(unreadable()),
    }
}

/// A square as a file and a rank, both in digits.
fn digits(square: Square) -> String {
    format!("{}{}", square.file().raw() + 1, square.rank().raw() + 1)
}

/// The square a move goes to, and the rest of its text.
fn destination(text: &str, last: Option<Square>) -> Option<(Square, &str)> {
    if let Some(rest) = text.strip_prefix('同') {
        return Some((last?, rest));
    }
    let mut letters = text.chars();
    let (file, rank) = (letters.next()?, letters.next()?);
    let file = FILES
        .chars()
        .position(|c| c == file)
        .or_else(|| Some(file.to_digit(10)?.checked_sub(1)? as usize))?;
    let rank = RANKS.chars().position(|c| c == rank)?;
    let square = Square::from_usi(&format!("{}{}", file + 1, char::from(b'a' + rank as u8)))?;
    Some((square, letters.as_str()))
}

/// Keeps the moves that are made in the manner told, as the mover sees the board.
fn choose(steps: &mut Vec<Move>, side: Color, kind: Kind, manner: &str) {
    // Files grow to the left, ranks downwards.
    let place = |square: Square| {
        let (file, rank) = (i32::from(square.file().raw()), i32::from(square.rank().raw()));
        if side == Color::Black { (file, rank) } else { (8 - file, 8 - rank) }
    };
    let from = |mv: &Move| place(mv.from_sq());
    let to = |mv: &Move| place(mv.to_sq());
    steps.retain(|mv| {
        let ((from_file, from_rank), (to_file, to_rank)) = (from(mv), to(mv));
        manner.chars().all(|word| match word {
            '上' | '行' => from_rank > to_rank,
            '寄' => from_rank == to_rank,
            '引' => from_rank < to_rank,
            '直' => from_file == to_file && from_rank > to_rank,
            '左' if !is_great(kind) => from_file > to_file,
            '右' if !is_great(kind) => from_file < to_file,
            _ => true,
        })
    });
    // Of two horses or dragons, left and right are as they stand to each other.
    if is_great(kind) && manner.contains(['左', '右']) && steps.len() == 2 {
        steps.sort_by_key(|mv| from(mv).0);
        steps.remove(usize::from(manner.contains('右')));
    }
}

fn is_great(kind: Kind) -> bool {
    kind == Kind::HORSE || kind == Kind::DRAGON
}

impl From<Ki2Error> for KifuError {
    fn from(error: Ki2Error) -> Self {
        match error {
            Ki2Error::Sfen(error) => PositionError::Board(quote(&error.to_string())).into(),
            Ki2Error::IllegalMove { index } => Self::Illegal(index + 1),
            Ki2Error::InvalidLine(text) | Ki2Error::InvalidMove(text) => Self::Unreadable(quote(&text)),
        }
    }
}
