//! Positions put together at random, most of which no game reaches: those that are accepted can be played on.
//!
//! Bytes become a position here rather than text, so that nearly every input gets past the syntax.
#![no_main]

mod exam;

use std::fmt::Write;

use libfuzzer_sys::fuzz_target;
use tenbin::shogi::{Rules, Walker, parse_sfen};

/// Plies walked at most: an input should take less than a millisecond.
const LONGEST: usize = 8;

/// What may stand on a square, by the low five bits; the rest is empty.
const PIECES: [&str; 28] = [
    "P", "L", "N", "S", "G", "B", "R", "K", "+P", "+L", "+N", "+S", "+B", "+R", "p", "l", "n", "s", "g", "b",
    "r", "k", "+p", "+l", "+n", "+s", "+b", "+r",
];

/// Reads pairs of a square and a piece up to a square that does not exist, then the turn with some of the
/// hands, and leaves the rest.
fn sfen(data: &[u8]) -> (String, &[u8]) {
    let mut board = [""; 81];
    let mut rest = data;
    while let [square, piece, more @ ..] = rest {
        rest = more;
        let Some(place) = board.get_mut(usize::from(*square)) else { break };
        *place = PIECES.get(usize::from(*piece)).copied().unwrap_or("");
    }
    let mut text = String::new();
    for (i, piece) in board.iter().enumerate() {
        if i > 0 && i % 9 == 0 {
            text.push('/');
        }
        text.push_str(if piece.is_empty() { "1" } else { piece });
    }
    let (hands, rest) = rest.split_at(rest.len().min(5));
    let turn = if hands.first().is_some_and(|b| b & 1 == 1) { 'w' } else { 'b' };
    let _ = write!(text, " {turn} ");
    let fields = text.len();
    for (i, letter) in "PLNSGBRplnsgbr".chars().enumerate() {
        // Two bits of count for each kind and side, four kinds a byte.
        let count = hands.get(1 + i / 4).map_or(0, |byte| byte >> (2 * (i % 4)) & 3);
        if count > 0 {
            let _ = write!(text, "{count}{letter}");
        }
    }
    if text.len() == fields {
        text.push('-');
    }
    (text, rest)
}

fuzz_target!(|data: &[u8]| {
    let (text, choices) = sfen(data);
    if let Ok(position) = parse_sfen(&text) {
        exam::walk(&mut Walker::new(position, Rules::default()), &choices[..choices.len().min(LONGEST)]);
    }
});
