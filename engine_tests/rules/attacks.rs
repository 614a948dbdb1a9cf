//! Attack maps agree with stepping from every piece by hand.

use tenbin::shogi::attacks::{checking_squares, king_area, king_ring};
use tenbin::shogi::{Attacks, Bitboard, Color, Kind, Piece, Position, Rules, Square, Walker, parse_sfen};

use super::stepping::{KINDS, attacks_from, king_of, pieces_of, place_of, square_at};
use crate::records;
use crate::shared;

/// The order of worth that features rely on, lowest first; kinds on a line are worth the same.
const BY_WORTH: [&[Kind]; 10] = [
    &[Kind::PAWN],
    &[Kind::LANCE],
    &[Kind::KNIGHT],
    &[Kind::SILVER],
    &[Kind::GOLD, Kind::PRO_PAWN, Kind::PRO_LANCE, Kind::PRO_KNIGHT, Kind::PRO_SILVER],
    &[Kind::BISHOP],
    &[Kind::ROOK],
    &[Kind::HORSE],
    &[Kind::DRAGON],
    &[Kind::KING],
];

fn worth(kind: Kind) -> usize {
    BY_WORTH.iter().position(|kinds| kinds.contains(&kind)).expect("every kind has a worth")
}

/// The squares at most `distance` from the king, without its own.
fn around_king(position: &Position, side: Color, distance: i32) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    if let Some(king) = king_of(position, side) {
        let (file, rank) = place_of(king);
        for dx in -distance..=distance {
            for dy in -distance..=distance {
                if let Some(square) = square_at(file + dx, rank + dy).filter(|_| (dx, dy) != (0, 0)) {
                    set.set(square);
                }
            }
        }
    }
    set
}

fn check_side(position: &Position, side: Color) {
    let maps = Attacks::of(position);
    let sfen = position.to_sfen(None);
    let is_occupied = |square| position.piece_on(square) != Piece::NONE;
    let attacks: Vec<(Kind, Bitboard)> = pieces_of(position, side)
        .iter()
        .map(|&(from, kind)| (kind, attacks_from(kind, side, from, is_occupied)))
        .collect();

    let (mut once, mut twice) = (Bitboard::EMPTY, Bitboard::EMPTY);
    for (_, attacked) in &attacks {
        twice |= once & *attacked;
        once |= *attacked;
    }
    let by = maps.by(side);
    assert_eq!(by.once, once, "once, {side:?}: {sfen}");
    assert_eq!(by.twice, twice, "twice, {side:?}: {sfen}");

    let union = |wanted: &dyn Fn(Kind) -> bool| {
        let chosen = attacks.iter().filter(|(kind, _)| wanted(*kind));
        chosen.fold(Bitboard::EMPTY, |set, (_, attacked)| set | *attacked)
    };
    assert_eq!(by.by_pawn(), union(&|kind| kind == Kind::PAWN), "by pawn, {side:?}: {sfen}");
    for kind in KINDS {
        let lesser = union(&|other| worth(other) < worth(kind));
        assert_eq!(by.by_lesser(kind), lesser, "by a piece worth less than {kind:?}, {side:?}: {sfen}");
    }

    // The least attacker as policies number it: king 1, majors 2, golds 3, silvers 4, knights and lances 5, pawns 6.
    let rank = |kind| [6, 5, 5, 4, 3, 2, 2, 2, 2, 1][worth(kind)];
    let least = by.least();
    for square in Square::iter() {
        let attackers = attacks.iter().filter(|(_, attacked)| attacked.test(square));
        let expected = attackers.map(|(kind, _)| rank(*kind)).max().unwrap_or(0);
        let found = (0..3).fold(0, |sum, bit| sum | i32::from(least[bit].test(square)) << bit);
        assert_eq!(found, expected, "least on {square:?}, {side:?}: {sfen}");
    }
    for (number, (plain, promoted)) in
        [(Kind::LANCE, Kind::LANCE), (Kind::BISHOP, Kind::HORSE), (Kind::ROOK, Kind::DRAGON)]
            .into_iter()
            .enumerate()
    {
        let sliders =
            pieces_of(position, side).into_iter().filter(|(_, kind)| [plain, promoted].contains(kind));
        let expected = sliders
            .fold(Bitboard::EMPTY, |set, (from, _)| set | attacks_from(plain, side, from, is_occupied));
        assert_eq!(by.lines[number], expected, "lines of {plain:?}, {side:?}: {sfen}");
    }

    let ring = around_king(position, side, 1);
    assert_eq!(king_ring(position, side), ring, "king ring, {side:?}: {sfen}");
    let mut area = around_king(position, side, 2);
    if let Some(king) = king_of(position, side) {
        area.set(king);
    }
    assert_eq!(king_area(position, side), area, "king area, {side:?}: {sfen}");

    let mut freedom = ring;
    for (square, _) in pieces_of(position, side) {
        freedom.clear(square);
    }
    for (from, kind) in pieces_of(position, side.flip()) {
        for square in &attacks_from(kind, side.flip(), from, is_occupied) {
            freedom.clear(square);
        }
    }
    assert_eq!(maps.king_freedom(position, side), freedom, "king freedom, {side:?}: {sfen}");
}

fn check_checking_squares(position: &Position) {
    let us = position.turn();
    let is_occupied = |square| position.piece_on(square) != Piece::NONE;
    for kind in KINDS {
        let mut expected = Bitboard::EMPTY;
        // A king never gives check.
        if let Some(king) = king_of(position, us.flip()).filter(|_| kind != Kind::KING) {
            for from in tenbin::shogi::Square::iter() {
                if attacks_from(kind, us, from, is_occupied).test(king) {
                    expected.set(from);
                }
            }
        }
        let sfen = position.to_sfen(None);
        assert_eq!(checking_squares(position, kind), expected, "checking squares of {kind:?}: {sfen}");
    }
}

fn check(position: &Position) {
    check_side(position, Color::Black);
    check_side(position, Color::White);
    check_checking_squares(position);
}

#[test]
fn maps_agree_with_stepping_on_a_sample() {
    let mut seen = 0;
    for (number, game) in records::sample().iter().enumerate() {
        let mut ply = number;
        game.replay(|walker, _| {
            ply += 1;
            if ply.is_multiple_of(23) {
                check(walker.position());
                seen += 1;
            }
        });
    }
    assert!(seen >= 1_000, "only {seen} positions");
}

#[test]
#[ignore = "needs the shared records: set TENBIN_DATA"]
fn maps_agree_with_stepping_on_ten_thousand_positions() {
    let mut seen = 0;
    for (number, game) in shared::games(300).iter().enumerate() {
        let mut ply = number;
        game.replay(|walker, _| {
            ply += 1;
            if ply.is_multiple_of(17) {
                check(walker.position());
                seen += 1;
            }
        });
    }
    println!("{seen} positions");
    assert!(seen >= 10_000, "only {seen} positions");
}

/// Positions that games do not show: no king, one king, pieces on every edge, crowds of promoted pieces.
#[test]
fn maps_agree_with_stepping_in_odd_positions() {
    for sfen in [
        "9/9/9/9/9/9/9/9/9 b - 1",
        "9/9/9/9/4+R4/9/9/9/9 w - 1",
        "8k/9/9/9/9/9/9/9/9 b 2R2B4G4S4N4L18P 1",
        "4k4/9/9/9/9/9/9/9/4K4 w - 1",
        "R6lk/7pp/9/9/9/9/9/PP7/KL6r b - 1",
        "+B+P+P3+p+p+b/9/9/3N1N3/4K4/3n1n3/2k6/9/+R+L+S3+s+l+r b - 1",
        "k8/1P1P1P1P1/P1P1P1P1P/9/9/9/p1p1p1p1p/1p1p1p1p1/8K b - 1",
        "+p+p+p+p+p+p+p+p+p/+p+p+p+p+p+p+p+p+p/9/9/4k4/9/9/GGGG5/K8 w - 1",
    ] {
        let position = parse_sfen(sfen).unwrap_or_else(|error| panic!("{sfen}: {error}"));
        check(&position);
    }
}

/// A slider sees through nothing, own pieces count as protected, and two attackers make "twice".
#[test]
fn a_map_written_down() {
    // Black: rook 5e, pawn 5c (protected by the rook from behind), gold 4b protecting 5a, 4a, 3a, 5b, 3b, 4c.
    let position = parse_sfen("8k/5G3/4P4/9/4R4/9/9/9/K8 b - 1").expect("a sound position");
    let maps = Attacks::of(&position);
    let black = maps.by(Color::Black);
    let square = |text: &str| tenbin::shogi::Square::from_usi(text).expect("a square");
    assert!(black.once.test(square("5c")), "the pawn is protected");
    assert!(!black.twice.test(square("5c")), "once only");
    assert!(black.twice.test(square("5b")), "by the pawn and the gold; the rook does not see past the pawn");
    assert!(!black.once.test(square("2a")));
    assert!(black.by_pawn().test(square("5b")));
    assert!(black.by_lesser(Kind::SILVER).test(square("5b")));
    assert!(!black.by_lesser(Kind::GOLD).test(square("4a")), "the gold itself is not worth less");
    assert!(black.by_lesser(Kind::BISHOP).test(square("4a")));
}

/// The doc of the walker promises a view of the current position, whatever was played before.
#[test]
fn maps_follow_the_moves() {
    let mut walker = Walker::new(
        parse_sfen("4k4/9/9/9/9/9/9/9/4K4 b RBrb 1").expect("a sound position"),
        Rules::default(),
    );
    while walker.moves().len() < 40 {
        let Some(mv) = walker.any_move() else { break };
        walker.apply(mv);
        check(walker.position());
    }
    while !walker.moves().is_empty() {
        walker.undo();
        check(walker.position());
    }
}
