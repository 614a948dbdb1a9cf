//! Text to position to text, text to move to text, and every move that can be written down.

use std::collections::HashSet;

use proptest::prelude::*;
use tenbin::shogi::{
    Kind, Move, MoveList, PackedMove, Position, Rules, Square, Walker, diagram::diagram, is_legal,
    legal_moves, parse_move, parse_position, parse_sfen, useful_moves,
};

use super::notation::assert_printable;
use crate::records;

/// A place in a game of the sample.
fn place() -> impl Strategy<Value = Walker> {
    (0..240usize, 0..200usize).prop_map(|(game, ply)| records::sample()[game].after(ply))
}

/// Text that has something of an SFEN, a `position` line or a move.
fn nearly_usi() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "startpos",
        "sfen",
        "moves",
        "b",
        "w",
        "-",
        "1",
        "0",
        "7g7f",
        "3c3d",
        "8h2b+",
        "P*5e",
        "2R2B",
        "18p",
        "+",
        "/",
        "9",
        "k",
        "K",
        "lnsgkgsnl",
        "1r5b1",
        "ppppppppp",
        "PPPPPPPPP",
        "1B5R1",
        "LNSGKGSNL",
        " ",
        "\u{3000}",
        "4k4/9/9/9/9/9/9/9/4K4",
        "99999999999",
        "\u{b}",
        "\u{738b}",
    ]);
    let separator = prop::sample::select(vec![" ", " ", "/", "", "\t"]);
    prop::collection::vec((words, separator), 0..24)
        .prop_map(|parts| parts.iter().flat_map(|(word, separator)| [*word, *separator]).collect())
}

fn read_everything(text: &str) {
    if let Err(error) = parse_sfen(text) {
        assert_printable(&error.to_string());
    }
    match parse_position(text, Rules::default()) {
        Err(error) => assert_printable(&error.to_string()),
        Ok((walker, complaint)) => {
            if let Some(error) = complaint {
                assert_printable(&error.to_string());
            }
            if let Err(error) = parse_move(walker.position(), text) {
                assert_printable(&error.to_string());
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn sfen_survives(walker in place()) {
        let sfen = walker.position().to_sfen(None);
        let again = parse_sfen(&sfen).expect("our own text");
        prop_assert_eq!(again.to_sfen(None), &sfen[..]);
        prop_assert_eq!(again.key(), walker.position().key(), "{}", sfen);
        prop_assert_eq!(again.board_key(), walker.position().board_key(), "{}", sfen);
        prop_assert!(diagram(walker.position()).is_ascii());
    }

    #[test]
    fn moves_survive(walker in place()) {
        let position = walker.position();
        let mut moves = MoveList::new();
        legal_moves(position, &mut moves);
        for &mv in moves.iter() {
            prop_assert_eq!(parse_move(position, &mv.to_usi()), Ok(mv));
            // As tree edges store them.
            let packed = mv.to_move();
            prop_assert_eq!(position.move32_from_move(PackedMove::from_raw(packed.raw())), mv);
        }
    }

    #[test]
    fn useful_moves_leave_out_refusals_to_promote_only(walker in place()) {
        let (mut all, mut useful) = (MoveList::new(), MoveList::new());
        legal_moves(walker.position(), &mut all);
        useful_moves(walker.position(), &mut useful);
        let chosen: HashSet<u32> = useful.iter().map(|mv| mv.raw()).collect();
        for &mv in useful.iter() {
            prop_assert!(all.contains(&mv));
        }
        for &mv in all.iter().filter(|mv| !chosen.contains(&mv.raw())) {
            let promoting = all.iter().find(|other| {
                other.is_promotion() && !mv.is_drop() && other.from_sq() == mv.from_sq() && other.to_sq() == mv.to_sq()
            });
            prop_assert!(promoting.is_some_and(|mv| chosen.contains(&mv.raw())), "{} is missing", mv.to_usi());
        }
    }

    #[test]
    fn garbage_is_read_or_refused(text in ".{0,200}") {
        read_everything(&text);
    }

    #[test]
    fn near_misses_are_read_or_refused(text in nearly_usi()) {
        read_everything(&text);
    }

    #[test]
    fn any_number_may_be_asked_about_as_a_move(walker in place(), raws in prop::collection::vec(any::<u32>(), 200)) {
        let mut moves = MoveList::new();
        legal_moves(walker.position(), &mut moves);
        for raw in raws {
            // Random numbers are hardly ever squares; let some be near.
            for raw in [raw, raw & 0xffff, raw & 0x1f_bfff] {
                let mv = Move::from_raw(raw);
                prop_assert!(!is_legal(walker.position(), mv) || moves.iter().any(|m| m.to_move() == mv.to_move()));
            }
        }
    }
}

/// Every move that can be written in USI: 81 * 81 * 2 on the board and 7 * 81 drops.
fn all_encodable() -> Vec<PackedMove> {
    let mut all = Vec::new();
    for from in Square::iter() {
        for to in Square::iter() {
            all.extend([PackedMove::normal(from, to), PackedMove::promotion(from, to)]);
        }
    }
    for kind in [Kind::PAWN, Kind::LANCE, Kind::KNIGHT, Kind::SILVER, Kind::GOLD, Kind::BISHOP, Kind::ROOK] {
        all.extend(Square::iter().map(|to| PackedMove::drop(kind, to)));
    }
    assert_eq!(all.len(), 81 * 81 * 2 + 7 * 81);
    all
}

fn check_every_move(position: &Position, all: &[PackedMove]) {
    let mut list = MoveList::new();
    legal_moves(position, &mut list);
    let legal: HashSet<u16> = list.iter().map(|mv| mv.to_move().raw()).collect();
    assert_eq!(legal.len(), list.len(), "no move is listed twice");
    for &packed in all {
        let expected = legal.contains(&packed.raw());
        let what = || format!("{} in {}", packed.to_usi(), position.to_sfen(None));
        assert_eq!(is_legal(position, position.move32_from_move(packed)), expected, "{}", what());
        assert_eq!(is_legal(position, Move::from_raw(u32::from(packed.raw()))), expected, "bare {}", what());
    }
}

#[test]
fn a_move_is_legal_where_it_is_listed() {
    let all = all_encodable();
    for (number, game) in records::sample().iter().enumerate() {
        let mut ply = number * 31;
        game.replay(|walker, _| {
            ply += 1;
            if ply.is_multiple_of(101) {
                check_every_move(walker.position(), &all);
            }
        });
    }
    for sfen in [
        "8k/9/9/9/9/9/9/9/9 b 2R2B4G4S4N4L18P 1",
        "9/9/9/9/9/9/9/9/9 w 2r2b4g4s4n4l18p 1",
        "8k/9/8G/9/9/9/7R1/9/4K4 b P 1",
        "4k4/4G4/4P4/9/9/9/9/9/4K4 w rb 1",
        "4k4/PL7/1LN6/9/9/9/6nlp/9/4K4 b - 1",
    ] {
        check_every_move(&parse_sfen(sfen).unwrap_or_else(|error| panic!("{sfen}: {error}")), &all);
    }
}
