//! Whatever text comes in as an SFEN, as the arguments of `position` or as a move: it is read or refused, and
//! what is read has moves, reads back from its own text, and can be asked how the game stands. The target `walk`
//! asks more of positions; this one is kept fast so that it sees many texts.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tenbin::shogi::{MoveList, Rules, legal_moves, parse_move, parse_position, parse_sfen};

/// Longest complaint that fits a line of output.
const LONGEST: usize = 200;

fn check_text(error: &impl ToString) {
    let text = error.to_string();
    assert!(text.bytes().all(|b| b == b' ' || b.is_ascii_graphic()), "not printable: {text}");
    assert!(text.len() <= LONGEST, "too long: {text}");
}

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    if let Err(error) = parse_sfen(&text) {
        check_text(&error);
    }
    match parse_position(&text, Rules::default()) {
        Ok((mut walker, complaint)) => {
            if let Some(error) = complaint {
                check_text(&error);
            }
            for word in text.split_ascii_whitespace().rev().take(4) {
                match parse_move(walker.position(), word) {
                    Ok(mv) => {
                        walker.apply(mv);
                        walker.undo();
                    }
                    Err(error) => check_text(&error),
                }
            }
            let sfen = walker.position().to_sfen(None);
            let again = parse_sfen(&sfen).expect("what was accepted reads back");
            assert_eq!(again.to_sfen(None), sfen);
            let mut moves = MoveList::new();
            legal_moves(walker.position(), &mut moves);
            if let Some(&mv) = moves.get(data.len() % moves.len().max(1)) {
                walker.apply(mv);
                let _ = (walker.outcome(), walker.declaration());
            }
        }
        Err(error) => check_text(&error),
    }
});
