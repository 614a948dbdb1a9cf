//! A position drawn in characters, for people at a terminal.

use std::fmt::Write;

use super::{Color, HandPiece, Piece, Position, Square};

/// The board with hands, side to move and SFEN, in ASCII.
pub fn diagram(position: &Position) -> String {
    let mut text = hand_line(position, Color::White);
    // Bars keep the columns apart: USI allows no two spaces in a row.
    text.push_str("| 9| 8| 7| 6| 5| 4| 3| 2| 1|\n");
    for rank in 0..9 {
        for file in (0..9).rev() {
            let piece = position.piece_on(Square::from_index(file * 9 + rank));
            let symbol = if piece == Piece::NONE { ".".to_owned() } else { piece.to_string() };
            let _ = write!(text, "|{symbol:>2}");
        }
        let _ = writeln!(text, "| {}", char::from(b'a' + rank as u8));
    }
    text.push_str(&hand_line(position, Color::Black));
    let turn = match position.turn() {
        Color::Black => "Black",
        Color::White => "White",
    };
    let _ = writeln!(text, "{turn} to move");
    let _ = writeln!(text, "sfen {}", position.to_sfen(None));
    text
}

fn hand_line(position: &Position, side: Color) -> String {
    let mut line = match side {
        Color::Black => "Black's hand:".to_owned(),
        Color::White => "White's hand:".to_owned(),
    };
    let hand = position.hand(side);
    let mut empty = true;
    for piece in HandPiece::iter() {
        let count = hand.count(piece);
        if count > 0 {
            let _ = write!(line, " {}{}", piece.to_piece_type(), count);
            empty = false;
        }
    }
    line.push_str(if empty { " none\n" } else { "\n" });
    line
}
