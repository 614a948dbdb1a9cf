//! Boards as SVG. The pieces are drawn once for a page; a board only says where they stand.

use std::fmt::Write;

use crate::shogi::{Color, HandPiece, Kind, Move, Piece, Position, Square};

/// Sides of a square, and where the board begins.
const SIDE: f32 = 40.0;
const LEFT: f32 = 78.0;
const TOP: f32 = 24.0;

/// What every board shows: its size, for the `viewBox`.
pub const VIEW: &str = "0 0 536 408";

/// The letter of a kind. White's king is the other one of the set.
fn letter(kind: Kind) -> &'static str {
    match kind {
        Kind::PAWN => "歩",
        Kind::LANCE => "香",
        Kind::KNIGHT => "桂",
        Kind::SILVER => "銀",
        Kind::GOLD => "金",
        Kind::BISHOP => "角",
        Kind::ROOK => "飛",
        Kind::PRO_PAWN => "と",
        Kind::PRO_LANCE => "杏",
        Kind::PRO_KNIGHT => "圭",
        Kind::PRO_SILVER => "全",
        Kind::HORSE => "馬",
        Kind::DRAGON => "龍",
        _ => "玉",
    }
}

/// How large a piece is beside a king.
fn size(kind: Kind) -> f32 {
    match kind {
        Kind::PAWN | Kind::PRO_PAWN => 0.82,
        Kind::LANCE | Kind::PRO_LANCE | Kind::KNIGHT | Kind::PRO_KNIGHT => 0.87,
        Kind::SILVER | Kind::PRO_SILVER | Kind::GOLD => 0.92,
        _ => 0.98,
    }
}

const KINDS: [Kind; 14] = [
    Kind::PAWN,
    Kind::LANCE,
    Kind::KNIGHT,
    Kind::SILVER,
    Kind::GOLD,
    Kind::BISHOP,
    Kind::ROOK,
    Kind::KING,
    Kind::PRO_PAWN,
    Kind::PRO_LANCE,
    Kind::PRO_KNIGHT,
    Kind::PRO_SILVER,
    Kind::HORSE,
    Kind::DRAGON,
];

/// Pieces in hand, from the most valuable.
const HAND: [HandPiece; 7] = [
    HandPiece::ROOK,
    HandPiece::BISHOP,
    HandPiece::GOLD,
    HandPiece::SILVER,
    HandPiece::KNIGHT,
    HandPiece::LANCE,
    HandPiece::PAWN,
];

/// The SVG that a page needs once: wood, pieces, the empty board, arrow heads.
pub fn definitions() -> String {
    let mut text = String::from(
        "<svg width=\"0\" height=\"0\" style=\"position:absolute\" aria-hidden=\"true\"><defs>\
         <linearGradient id=\"wood\" x1=\"0\" y1=\"0\" x2=\"1\" y2=\"1\">\
         <stop offset=\"0\" stop-color=\"#f3d9a2\"/><stop offset=\".5\" stop-color=\"#ecca8a\"/>\
         <stop offset=\"1\" stop-color=\"#e6bf7b\"/></linearGradient>\
         <linearGradient id=\"face\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"1\">\
         <stop offset=\"0\" stop-color=\"#fff4d6\"/><stop offset=\"1\" stop-color=\"#f5dca6\"/></linearGradient>",
    );
    for (name, colour) in [("played", "#c0392b"), ("best", "#1e7f4f"), ("found", "#34628f")] {
        let _ = write!(
            text,
            "<marker id=\"head-{name}\" viewBox=\"0 0 10 10\" refX=\"7\" refY=\"5\" markerWidth=\"4\" \
             markerHeight=\"4\" orient=\"auto\"><path d=\"M0 0L10 5L0 10z\" fill=\"{colour}\"/></marker>"
        );
    }
    for kind in KINDS {
        piece(&mut text, &format!("k{}", kind.to_index()), kind, letter(kind));
    }
    piece(&mut text, "other-king", Kind::KING, "王");
    empty_board(&mut text);
    text.push_str("</defs></svg>");
    text
}

/// A piece with its middle at 0, 0, pointing up.
fn piece(text: &mut String, id: &str, kind: Kind, letter: &str) {
    let red = if kind.is_promoted() { " class=\"red\"" } else { "" };
    let _ = write!(
        text,
        "<g id=\"{id}\"><g transform=\"scale({})\"><path d=\"M0 -18L11 -13L15 17L-15 17L-11 -13z\" class=\"wedge\"/>\
         <text y=\"10.5\"{red}>{letter}</text></g></g>",
        size(kind)
    );
}

fn empty_board(text: &mut String) {
    let far = 9.0 * SIDE;
    let _ = write!(
        text,
        "<g id=\"board\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"3\" fill=\"url(#wood)\" \
         stroke=\"#a9803f\"/>",
        LEFT - 6.0,
        TOP - 22.0,
        far + 28.0,
        far + 28.0
    );
    let mut lines = String::new();
    for i in 0..=9 {
        let at = i as f32 * SIDE;
        let _ = write!(lines, "M{} {TOP}v{far}M{LEFT} {}h{far}", LEFT + at, TOP + at);
    }
    let _ = write!(text, "<path d=\"{lines}\" class=\"lines\"/>");
    for (x, y) in [(3.0, 3.0), (6.0, 3.0), (3.0, 6.0), (6.0, 6.0)] {
        let _ = write!(text, "<circle cx=\"{}\" cy=\"{}\" r=\"2.6\"/>", LEFT + x * SIDE, TOP + y * SIDE);
    }
    for (i, rank) in "一二三四五六七八九".chars().enumerate() {
        let at = (i as f32 + 0.5) * SIDE;
        let _ = write!(text, "<text x=\"{}\" y=\"{}\">{}</text>", LEFT + at, TOP - 6.0, 9 - i);
        let _ = write!(text, "<text x=\"{}\" y=\"{}\">{rank}</text>", LEFT + far + 10.0, TOP + at + 4.0);
    }
    text.push_str("</g>");
}

/// What is pointed out on a board.
#[derive(Clone, Copy, Default)]
pub struct Marks {
    /// The move that led here.
    pub last: Option<Move>,
    /// Arrows, or rings for drops: what was played next, what was best, and what a player finds.
    pub arrows: [Option<Move>; 3],
}

/// The middle of a square.
fn middle(square: Square) -> (f32, f32) {
    let (file, rank) = (square.to_index() / 9, square.to_index() % 9);
    (LEFT + (8.5 - file as f32) * SIDE, TOP + (rank as f32 + 0.5) * SIDE)
}

/// What stands inside the `<svg>` of a board.
pub fn draw(position: &Position, marks: &Marks, sides: [&str; 2]) -> String {
    let mut text = String::from("<use href=\"#board\"/>");
    if let Some(last) = marks.last {
        let from = (!last.is_drop()).then(|| (last.from_sq(), "from"));
        for (square, class) in from.into_iter().chain([(last.to_sq(), "to")]) {
            let (x, y) = middle(square);
            let (x, y) = (x - SIDE / 2.0, y - SIDE / 2.0);
            let _ = write!(
                text,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\" class=\"{class}\"/>"
            );
        }
    }
    for index in 0..81 {
        let square = Square::from_index(index);
        let piece = position.piece_on(square);
        if piece != Piece::NONE {
            place(&mut text, piece.piece_type(), piece.color(), middle(square));
        }
    }
    for (side, name) in [Color::Black, Color::White].into_iter().zip(sides) {
        hand(&mut text, position, side, name);
    }
    for (mv, name) in marks.arrows.iter().zip(["played", "best", "found"]) {
        if let Some(mv) = mv {
            arrow(&mut text, *mv, name);
        }
    }
    text
}

fn place(text: &mut String, kind: Kind, side: Color, (x, y): (f32, f32)) {
    let id = if kind == Kind::KING && side == Color::White {
        "other-king".to_owned()
    } else {
        format!("k{}", kind.to_index())
    };
    let turned = if side == Color::White { " rotate(180)" } else { "" };
    let _ = write!(text, "<use href=\"#{id}\" transform=\"translate({x} {y}){turned}\"/>");
}

/// Where the pieces in a hand stand: Black's at the lower right, White's at the upper left.
fn place_in_hand(side: Color, slot: usize) -> (f32, f32) {
    let down = slot as f32 * 42.0;
    match side {
        Color::Black => (LEFT + 9.0 * SIDE + 52.0, TOP + 9.0 * SIDE - 20.0 - down),
        Color::White => (34.0, TOP + 20.0 + down),
    }
}

fn hand(text: &mut String, position: &Position, side: Color, name: &str) {
    let held: Vec<(HandPiece, u32)> = HAND
        .iter()
        .map(|&kind| (kind, position.hand(side).count(kind)))
        .filter(|&(_, count)| count > 0)
        .collect();
    let (x, y) = place_in_hand(side, held.len());
    let mark = if side == Color::Black { "☗" } else { "☖" };
    let turn = if position.turn() == side { " class=\"turn\"" } else { "" };
    let y = if side == Color::Black { y + 16.0 } else { y - 8.0 };
    let _ = write!(text, "<text x=\"{x}\" y=\"{y}\"{turn}>{mark}{name}</text>");
    let slots = held.iter().rev().enumerate();
    for (slot, &(kind, count)) in slots {
        let (x, y) = place_in_hand(side, slot);
        place(text, kind.to_piece_type(), side, (x, y));
        if count > 1 {
            let _ =
                write!(text, "<text x=\"{}\" y=\"{}\" class=\"count\">{count}</text>", x + 22.0, y + 15.0);
        }
    }
}

/// An arrow, or a ring where a piece is dropped: an arrow would seem to come from a square.
fn arrow(text: &mut String, mv: Move, name: &str) {
    let (x, y) = middle(mv.to_sq());
    if mv.is_drop() {
        let _ = write!(text, "<circle cx=\"{x}\" cy=\"{y}\" r=\"15\" class=\"arrow {name}\"/>");
        return;
    }
    let (from_x, from_y) = middle(mv.from_sq());
    let _ = write!(
        text,
        "<path d=\"M{from_x} {from_y}L{x} {y}\" class=\"arrow {name}\" marker-end=\"url(#head-{name})\"/>"
    );
}
