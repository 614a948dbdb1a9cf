//! What is read from outside, what is refused, and which field is blamed.

use tenbin::shogi::notation::{MoveError, MovesError, PositionError};
use tenbin::shogi::{Color, Kind, Rules, STARTPOS, Square, Walker, parse_move, parse_position, parse_sfen};

/// Complaints go out on one line of a protocol of 7-bit text.
pub fn assert_printable(text: &str) {
    assert!(text.bytes().all(|b| b == b' ' || b.is_ascii_graphic()), "not printable: {text:?}");
    assert!((1..=160).contains(&text.len()), "{} characters: {text}", text.len());
}

/// The part of an SFEN that an error is about.
fn field(error: &PositionError) -> &'static str {
    match error {
        PositionError::Empty => "nothing",
        PositionError::Board(_) => "board",
        PositionError::Turn(_) => "turn",
        PositionError::Hand(_) => "hand",
        PositionError::Pieces { .. } => "pieces",
        PositionError::MoveNumber(_) => "number",
        PositionError::Trailing(_) => "trailing",
    }
}

#[test]
fn bad_positions_are_refused_by_field() {
    const KINGS: &str = "4k4/9/9/9/9/9/9/9/4K4";
    let cases: &[(&str, String)] = &[
        ("nothing", String::new()),
        ("nothing", "  \t ".to_owned()),
        // Fields that are not there.
        ("turn", KINGS.to_owned()),
        ("hand", format!("{KINGS} b")),
        // The shape of the board.
        ("board", "4k4/9/9/9/9/9/9/9 b - 1".to_owned()),
        ("board", "4k4/9/9/9/9/9/9/9/9/4K4 b - 1".to_owned()),
        ("board", "4k4/9/9/9/9/9/9/9/4K4/ b - 1".to_owned()),
        ("board", "4k5/9/9/9/9/9/9/9/4K4 b - 1".to_owned()),
        ("board", "4k3/9/9/9/9/9/9/9/4K4 b - 1".to_owned()),
        ("board", "4k4/45/9/9/91/9/9/9/4K4 b - 1".to_owned()),
        ("board", "4k4/0/9/9/9/9/9/9/4K4 b - 1".to_owned()),
        ("board", "4k4/9/9/9/4X4/9/9/9/4K4 b - 1".to_owned()),
        ("board", "4k4/9/9/9/4+4/9/9/9/4K4 b - 1".to_owned()),
        ("board", "4k4/9/9/9/4+G4/9/9/9/4K4 b - 1".to_owned()),
        ("board", "4k4/9/9/9/9/9/9/9/4+K4 b - 1".to_owned()),
        ("board", "4k4/9/9/9/9/9/9/9/4K3+ b - 1".to_owned()),
        ("board", "- b - 1".to_owned()),
        // Pieces where they cannot be.
        ("board", "4k4/9/9/9/4K4/9/9/9/4K4 b - 1".to_owned()),
        ("board", "4k4/9/9/9/4k4/9/9/9/4K4 b - 1".to_owned()),
        ("board", "4k4/9/4P4/4P4/9/9/9/9/4K4 b - 1".to_owned()),
        ("board", "4k4/9/9/9/p8/p8/9/9/4K4 b - 1".to_owned()),
        ("board", "P3k4/9/9/9/9/9/9/9/4K4 b - 1".to_owned()),
        ("board", "L3k4/9/9/9/9/9/9/9/4K4 b - 1".to_owned()),
        ("board", "4k4/N8/9/9/9/9/9/9/4K4 b - 1".to_owned()),
        ("board", "4k4/9/9/9/9/9/9/9/4K3p b - 1".to_owned()),
        ("board", "4k4/9/9/9/9/9/9/9/4K3l b - 1".to_owned()),
        ("board", "4k4/9/9/9/9/9/9/n8/4K4 b - 1".to_owned()),
        // A king that could be captured: by a piece, by the other king.
        ("board", "4k4/4G4/9/9/9/9/9/9/4K4 b - 1".to_owned()),
        ("board", "4k4/9/9/9/9/9/9/4r4/4K4 w - 1".to_owned()),
        ("board", "9/9/9/4k4/4K4/9/9/9/9 b - 1".to_owned()),
        ("board", "9/9/9/4k4/4K4/9/9/9/9 w - 1".to_owned()),
        // The side to move.
        ("turn", format!("{KINGS} x - 1")),
        ("turn", format!("{KINGS} B - 1")),
        ("turn", format!("{KINGS} bw - 1")),
        ("turn", format!("{KINGS} - b 1")),
        // Hands.
        ("hand", format!("{KINGS} b K 1")),
        ("hand", format!("{KINGS} b 2 1")),
        ("hand", format!("{KINGS} b P3 1")),
        ("hand", format!("{KINGS} b P- 1")),
        ("hand", format!("{KINGS} b -- 1")),
        ("hand", format!("{KINGS} b +P 1")),
        ("hand", format!("{KINGS} b x 1")),
        ("hand", format!("{KINGS} b 99999999999999999999P 1")),
        ("hand", format!("{KINGS} b 200P 1")),
        // More than a set has, in one hand or all together.
        ("hand", format!("{KINGS} b 19P 1")),
        ("hand", format!("{KINGS} b 3r 1")),
        ("pieces", format!("{KINGS} b 10P9p 1")),
        ("pieces", "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/9/4K4 b p 1".to_owned()),
        ("pieces", "4k4/9/ppppppppp/4+P4/9/9/PPPPPPPPP/9/4K4 b - 1".to_owned()),
        ("pieces", "4k4/r8/9/9/9/9/9/8R/4K4 b R 1".to_owned()),
        ("pieces", "4k4/r8/9/9/9/9/9/8R/4K4 b r 1".to_owned()),
        ("pieces", "4k4/+r8/9/9/9/9/9/+R7R/4K4 b - 1".to_owned()),
        ("pieces", "4k4/9/9/9/9/9/9/9/GGGGKG3 b - 1".to_owned()),
        // The move number.
        ("number", format!("{KINGS} b - x")),
        ("number", format!("{KINGS} b - -1")),
        ("number", format!("{KINGS} b - +1")),
        ("number", format!("{KINGS} b - 1.0")),
        ("number", format!("{KINGS} b - 30001")),
        ("number", format!("{KINGS} b - 65537")),
        ("number", format!("{KINGS} b - 18446744073709551617")),
        // What comes after.
        ("trailing", format!("{KINGS} b - 1 1")),
        ("trailing", format!("{KINGS} b - 1 moves 5i5h")),
        // Other spaces and letters than ASCII knows, and its control characters.
        ("board", format!("\u{3000}{KINGS} b - 1")),
        ("turn", format!("{KINGS}\u{a0}b - 1")),
        ("turn", format!("{KINGS} b\u{2003}- 1")),
        ("hand", format!("{KINGS} b P\u{a0}1")),
        ("hand", format!("{KINGS} b P\u{b}7 1")),
        ("hand", format!("{KINGS} b \u{ff30} 1")),
        ("number", format!("{KINGS} b - \u{ff11}")),
        ("board", "4k4/9/9/9/4\u{738b}4/9/9/9/4K4 b - 1".to_owned()),
        ("board", "4k4/9/9/9/\u{0}9/9/9/9/4K4 b - 1".to_owned()),
        ("board", format!("{} b - 1", "9".repeat(100_000))),
        ("board", format!("{} b - 1", "/".repeat(100_000))),
        ("hand", format!("{KINGS} b {} 1", "7".repeat(100_000))),
    ];
    for (expected, sfen) in cases {
        let shown: String = sfen.chars().take(80).collect();
        match parse_sfen(sfen) {
            Ok(position) => panic!("{shown:?} was read as {}", position.to_sfen(None)),
            Err(error) => {
                assert_eq!(field(&error), *expected, "{shown:?}: {error}");
                assert_printable(&error.to_string());
            }
        }
        // The same through the front door, where more words may follow.
        if *expected != "trailing" {
            let error = parse_position(&format!("sfen {sfen}"), Rules::default()).expect_err("refused too");
            assert_eq!(field(&error), *expected, "sfen {shown:?}: {error}");
        }
    }
}

/// A few texts in full: they are what users see.
#[test]
fn errors_say_what_is_wrong() {
    let text = |sfen: &str| parse_sfen(sfen).err().expect("refused").to_string();
    assert_eq!(text("4k4/9/9/9/9/9/9/9/4K4 x - 1"), "side to move: 'x' is neither b nor w");
    assert_eq!(text("4k4/r8/9/9/9/9/9/8R/4K4 b R 1"), "board and hand: 3 of R, but a set has 2");
    assert_eq!(text("4k4/9/9/9/4K4/9/9/9/4K4 b - 1"), "board: Black has two kings");
    assert_eq!(text("4k4/9/9/9/p8/p8/9/9/4K4 b - 1"), "board: White has two pawns on file 9");
    assert_eq!(
        text("4k4/4G4/9/9/9/9/9/9/4K4 b - 1"),
        "board: Black is to move and could capture the king on 5a"
    );
    assert_eq!(text("4k4/9/9/9/9/9/9/9/4K4 b 3r 1"), "hand: 3 of R is too many");
    assert_eq!(text("P3k4/9/9/9/9/9/9/9/4K4 b - 1"), "board: P on 9a could never move");
}

#[test]
fn odd_but_sound_positions_are_read() {
    for (sfen, normal) in [
        // One king, no king, nothing at all.
        ("4k4/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1", None),
        ("9/9/9/9/9/9/9/9/4K4 w - 1", None),
        ("9/9/9/9/9/9/9/9/9 b 2R2B4G4S4N4L18P 1", None),
        ("9/9/9/9/9/9/9/9/9 w - 1", None),
        // Handicaps: lance, rook and bishop, ten pieces.
        ("lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", None),
        ("lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", None),
        ("4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", None),
        // The side to move in check, and mated.
        ("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1", None),
        // Move numbers: none, 0, the highest.
        ("4k4/9/9/9/9/9/9/9/4K4 b -", Some("4k4/9/9/9/9/9/9/9/4K4 b - 1")),
        ("4k4/9/9/9/9/9/9/9/4K4 b - 0", Some("4k4/9/9/9/9/9/9/9/4K4 b - 1")),
        ("4k4/9/9/9/9/9/9/9/4K4 b - 007", Some("4k4/9/9/9/9/9/9/9/4K4 b - 7")),
        ("4k4/9/9/9/9/9/9/9/4K4 b - 30000", None),
        // Ways of writing that others have.
        ("4k4/9/9/9/9/9/9/9/4K4 b 18P4l4n4s4g2b2r 1", Some("4k4/9/9/9/9/9/9/9/4K4 b 18P2r2b4g4s4n4l 1")),
        ("4k4/9/9/9/9/9/9/9/4K4 b pPrR 1", Some("4k4/9/9/9/9/9/9/9/4K4 b RPrp 1")),
        ("4k4/45/333/9/9/9/9/9/4K4 b - 1", Some("4k4/9/9/9/9/9/9/9/4K4 b - 1")),
        ("  4k4/9/9/9/9/9/9/9/4K4\t b   -  1\r", Some("4k4/9/9/9/9/9/9/9/4K4 b - 1")),
    ] {
        let position = parse_sfen(sfen).unwrap_or_else(|error| panic!("{sfen:?}: {error}"));
        assert_eq!(position.to_sfen(None), normal.unwrap_or(sfen));
    }
}

fn read(arguments: &str) -> (Walker, Option<MovesError>) {
    parse_position(arguments, Rules::default()).unwrap_or_else(|error| panic!("{arguments:?}: {error}"))
}

#[test]
fn every_form_of_position_is_understood() {
    let after_7g7f = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2";
    let without_number = STARTPOS.strip_suffix(" 1").expect("the number is last");
    for (arguments, expected) in [
        ("startpos".to_owned(), STARTPOS),
        ("startpos moves".to_owned(), STARTPOS),
        ("startpos moves ".to_owned(), STARTPOS),
        ("sfen startpos".to_owned(), STARTPOS),
        ("sfen startpos moves 7g7f".to_owned(), after_7g7f),
        ("startpos moves 7g7f".to_owned(), after_7g7f),
        ("  startpos \t moves   7g7f \r\n".to_owned(), after_7g7f),
        (format!("sfen {STARTPOS}"), STARTPOS),
        (STARTPOS.to_owned(), STARTPOS),
        (format!("sfen {without_number}"), STARTPOS),
        (without_number.to_owned(), STARTPOS),
        (format!("sfen {STARTPOS} moves"), STARTPOS),
        (format!("sfen {STARTPOS} moves 7g7f"), after_7g7f),
        (format!("sfen {without_number} moves 7g7f"), after_7g7f),
        (format!("{STARTPOS} moves 7g7f"), after_7g7f),
        (format!("{without_number} moves 7g7f"), after_7g7f),
    ] {
        let (walker, complaint) = read(&arguments);
        assert_eq!(complaint, None, "{arguments:?}");
        assert_eq!(walker.position().to_sfen(None), expected, "{arguments:?}");
    }
}

#[test]
fn a_bad_start_is_an_error() {
    for arguments in
        ["", "sfen", "moves", "sfen moves 7g7f", "sfen sfen startpos", "startposition", "STARTPOS"]
    {
        let error = parse_position(arguments, Rules::default()).expect_err(arguments);
        assert_printable(&error.to_string());
    }
}

#[test]
fn a_bad_move_keeps_the_position_before_it() {
    let after_two = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3";
    for (bad, is_readable) in [
        ("7f7g", true),
        ("8h8g", true),
        ("5i5h+", true),
        ("P*5e", true),
        ("5e5d", true),
        ("8h2b=", false),
        ("8h2B", false),
        ("8H2b", false),
        ("p*5e", false),
        ("K*5e", false),
        ("+P*5e", false),
        ("P*0a", false),
        ("0a1b", false),
        ("9j9i", false),
        ("resign", false),
        ("win", false),
        ("none", false),
        ("0000", false),
        ("2g2f2e", false),
        ("2g2f++", false),
        ("\u{ff12}g2f", false),
        ("moves", false),
        ("7777777777777777777777777777777777777777777777777777777777777777777777777", false),
    ] {
        let (walker, complaint) = read(&format!("startpos moves 7g7f 3c3d {bad} 2g2f"));
        assert_eq!(walker.position().to_sfen(None), after_two, "{bad}");
        let complaint = complaint.expect("it is said");
        assert_printable(&complaint.to_string());
        let MovesError::Move { number: 3, error } = complaint else { panic!("{complaint:?}") };
        assert_eq!(matches!(error, MoveError::Illegal(_)), is_readable, "{bad}: {error}");
    }
    let (walker, complaint) = read("startpos move 7g7f");
    assert_eq!(walker.position().to_sfen(None), STARTPOS);
    assert_eq!(complaint.expect("it is said").to_string(), "expected 'moves', found 'move'");
}

#[test]
fn moves_are_judged_by_the_rules() {
    let legal = |sfen: &str, usi: &str| {
        parse_move(&parse_sfen(sfen).unwrap_or_else(|error| panic!("{sfen}: {error}")), usi).is_ok()
    };
    // Two pawns on a file; a pawn, lance or knight that could never move; a pawn that mates.
    assert!(!legal("4k4/9/9/9/9/9/4P4/9/4K4 b P 1", "P*5e"));
    assert!(legal("4k4/9/9/9/9/9/4+P4/9/4K4 b P 1", "P*5e"), "a tokin is no pawn");
    assert!(!legal("4k4/9/9/9/9/9/9/9/4K4 b PLN 1", "P*9a"));
    assert!(!legal("4k4/9/9/9/9/9/9/9/4K4 b PLN 1", "N*9b"));
    assert!(!legal("4k4/P8/9/9/9/9/9/9/4K4 b - 1", "9b9a"));
    assert!(legal("4k4/P8/9/9/9/9/9/9/4K4 b - 1", "9b9a+"));
    assert!(!legal("8k/9/8G/9/9/9/7R1/9/4K4 b P 1", "P*1b"), "mate by a dropped pawn");
    assert!(legal("8k/9/8G/9/9/9/9/9/4K4 b P 1", "P*1b"), "the king gets away");
    assert!(legal("8k/9/8G/9/9/9/8P/7R1/4K4 b - 1", "1c1b"), "other mates may be given");
    // Refusing to promote is allowed where the piece can still move.
    assert!(legal("4k4/9/9/P8/9/9/9/9/4K4 b - 1", "9d9c"));
    // The king may not stay or step into check.
    assert!(!legal("4k4/9/9/9/9/9/9/4r4/4K4 b G 1", "G*1a"));
    assert!(!legal("4k4/9/9/9/9/9/9/3r5/4K4 b - 1", "5i6i"));
}

#[test]
fn a_read_move_carries_its_piece() {
    let position = parse_sfen("4k4/9/9/4B4/9/9/9/9/4K4 w p 1").expect("a sound position");
    let mv = parse_move(&position, "P*5c").expect("a legal move");
    assert_eq!(
        (mv.piece_after_move().piece_type(), mv.piece_after_move().color()),
        (Kind::PAWN, Color::White)
    );
    assert_eq!(Square::from_usi("5c"), Some(mv.to_sq()));
}

fn shuffles(count: usize) -> String {
    ["2h3h", "8b7b", "3h2h", "7b8b"].iter().cycle().take(count).copied().collect::<Vec<_>>().join(" ")
}

#[test]
fn two_thousand_plies_are_replayed() {
    let (walker, complaint) = read(&format!("startpos moves {}", shuffles(2_000)));
    assert_eq!(complaint, None);
    assert_eq!((walker.moves().len(), walker.move_number()), (2_000, 2_001));
    let recurrence = walker.recurrence().expect("it recurs");
    assert_eq!((recurrence.times, recurrence.distance), (500, 4));
}

#[test]
fn a_game_without_end_is_cut_off() {
    let (walker, complaint) = read(&format!("startpos moves {}", shuffles(40_000)));
    assert_eq!(complaint, Some(MovesError::TooLong));
    assert_eq!(walker.move_number(), 30_000);
    let (mut walker, complaint) = read("sfen 4k4/9/9/9/9/9/9/9/4K4 b - 30000 moves 5i5h");
    assert_eq!(complaint, Some(MovesError::TooLong));
    // A search may still look far ahead from there.
    for _ in 0..1_000 {
        let mv = walker.any_move().expect("a lone king can move");
        walker.apply(mv);
    }
}
