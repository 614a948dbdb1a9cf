//! Random games beside an independent implementation of the rules: `shogi_core` and `shogi_legality_lite`.

use std::collections::BTreeSet;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use shogi_core::{PartialPosition, ToUsi};
use tenbin::shogi::{
    Color, HandPiece, Kind, MoveList, Piece, Position, Rules, Square, Walker, is_legal, legal_moves,
    parse_move, parse_sfen,
};

use super::stepping::is_in_check;
use crate::records;

fn kind_there(kind: Kind) -> shogi_core::PieceKind {
    use shogi_core::PieceKind as There;
    match kind {
        Kind::PAWN => There::Pawn,
        Kind::LANCE => There::Lance,
        Kind::KNIGHT => There::Knight,
        Kind::SILVER => There::Silver,
        Kind::GOLD => There::Gold,
        Kind::BISHOP => There::Bishop,
        Kind::ROOK => There::Rook,
        Kind::KING => There::King,
        Kind::PRO_PAWN => There::ProPawn,
        Kind::PRO_LANCE => There::ProLance,
        Kind::PRO_KNIGHT => There::ProKnight,
        Kind::PRO_SILVER => There::ProSilver,
        Kind::HORSE => There::ProBishop,
        Kind::DRAGON => There::ProRook,
        other => panic!("{other:?} is no piece"),
    }
}

fn color_there(side: Color) -> shogi_core::Color {
    if side == Color::Black { shogi_core::Color::Black } else { shogi_core::Color::White }
}

/// The same position in the types of `shogi_core`.
pub fn translate(position: &Position) -> PartialPosition {
    let mut there = PartialPosition::empty();
    there.side_to_move_set(color_there(position.turn()));
    for square in Square::iter() {
        let piece = position.piece_on(square);
        if piece != Piece::NONE {
            let place = shogi_core::Square::new(square.raw() as u8 / 9 + 1, square.raw() as u8 % 9 + 1);
            let translated =
                shogi_core::Piece::new(kind_there(piece.piece_type()), color_there(piece.color()));
            there.piece_set(place.expect("a square"), Some(translated));
        }
    }
    for side in [Color::Black, Color::White] {
        let hand = there.hand_of_a_player_mut(color_there(side));
        for piece in HandPiece::iter() {
            for _ in 0..position.hand(side).count(piece) {
                *hand = hand.added(kind_there(piece.to_piece_type())).expect("a hand piece");
            }
        }
    }
    assert!(there.ply_set(position.game_ply()));
    there
}

/// What happened in the games of a test.
#[derive(Default, Debug)]
struct Tally {
    positions: u32,
    longest: u32,
    in_check: u32,
    mated: u32,
    stalemating_drops: u32,
}

/// The other implementation forbids pawn drops that leave the opponent without a move even when they give no check.
/// The rule forbids mate by a pawn drop only.
fn is_stalemating_pawn_drop(walker: &mut Walker, usi: &str) -> bool {
    let mv = parse_move(walker.position(), usi).expect("a legal move");
    walker.apply(mv);
    let is_so = usi.starts_with("P*") && walker.is_mated() && !is_in_check(walker.position());
    walker.undo();
    is_so
}

/// Plays at random and compares sets of moves and positions after every ply.
fn play(mut walker: Walker, plies: u32, rng: &mut Pcg64Mcg, tally: &mut Tally) {
    let mut there = translate(walker.position());
    for ply in 0..plies {
        assert_eq!(there.to_sfen_owned(), walker.position().to_sfen(None));
        let mut list = MoveList::new();
        legal_moves(walker.position(), &mut list);
        let ours: BTreeSet<String> = list.iter().map(|mv| mv.to_usi()).collect();
        assert_eq!(ours.len(), list.len(), "no move is listed twice");
        let all = shogi_legality_lite::all_legal_moves_partial(&there);
        let theirs: BTreeSet<String> = all.iter().map(ToUsi::to_usi_owned).collect();
        let sfen = walker.position().to_sfen(None);
        assert_eq!(theirs.difference(&ours).next(), None, "missing in {sfen}");
        for extra in ours.difference(&theirs) {
            assert!(is_stalemating_pawn_drop(&mut walker, extra), "{extra} in {sfen}");
            tally.stalemating_drops += 1;
        }
        tally.positions += 1;
        tally.longest = tally.longest.max(ply);
        tally.in_check += u32::from(walker.position().is_in_check());
        if list.is_empty() {
            assert!(walker.is_mated());
            tally.mated += 1;
            return;
        }
        assert!(!walker.is_mated());
        let mv = list[rng.random_range(0..list.len())];
        assert!(is_legal(walker.position(), mv));
        walker.apply(mv);
        match all.iter().find(|other| other.to_usi_owned() == mv.to_usi()) {
            Some(same) => there.make_move(*same).expect("a legal move"),
            None => there = translate(walker.position()),
        }
    }
}

#[test]
fn legal_moves_agree_in_whole_random_games() {
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    let mut tally = Tally::default();
    for _ in 0..60 {
        play(Walker::startpos(), 260, &mut rng, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.longest >= 200, "{tally:?}");
    assert!(tally.in_check >= 300, "{tally:?}");
}

#[test]
fn legal_moves_agree_after_positions_of_real_games() {
    let mut rng = Pcg64Mcg::seed_from_u64(2);
    let mut tally = Tally::default();
    for game in records::sample() {
        let mut forks = Vec::new();
        game.replay(|walker, _| {
            if rng.random_ratio(1, 40) {
                forks.push(walker.fork());
            }
        });
        for walker in forks {
            play(walker, 16, &mut rng, &mut tally);
        }
    }
    println!("{tally:?}");
    assert!(tally.positions >= 5_000 && tally.in_check >= 300, "{tally:?}");
}

/// Few pieces, open kings: checks, mates, pawn-drop mates, double checks and stalemates are common here.
#[test]
fn legal_moves_agree_in_endgames() {
    let mut rng = Pcg64Mcg::seed_from_u64(3);
    let mut tally = Tally::default();
    for sfen in [
        "8k/9/9/9/9/9/9/9/K8 b RBGSNLPrbgsnlp 1",
        "6kn1/6pp1/6G2/9/9/9/9/9/K8 b 2PRrb 1",
        "4k4/9/4P4/9/9/9/4p4/9/4K4 b RBPrbp 1",
        "+P+P+P1k4/9/9/9/9/9/9/9/4K1+p+p+p w RBG2PRBg2p 1",
        "l3k3l/1+R7/9/9/9/9/9/7+r1/L3K3L b BNPbnp 1",
        "8k/9/9/9/9/9/9/9/9 b 2R2B4G4S4N4L18P 1",
    ] {
        let start = parse_sfen(sfen).unwrap_or_else(|error| panic!("{sfen}: {error}"));
        for _ in 0..25 {
            play(Walker::new(start.clone(), Rules::default()), 120, &mut rng, &mut tally);
        }
    }
    println!("{tally:?}");
    assert!(tally.mated >= 10 && tally.in_check >= 1_000, "{tally:?}");
}
