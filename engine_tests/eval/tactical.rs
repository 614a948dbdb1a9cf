//! The moves that quiescence looks at: chosen from all legal moves, and as the generator lists them.

use std::collections::BTreeSet;
use tenbin::shogi::{Kind, Move, MoveList, Piece, Walker, is_legal, tactical_moves};

use super::{moves, wander};
use crate::records;

/// Captures, promoting where they can, and promotions other than a silver's.
fn chosen(walker: &Walker) -> BTreeSet<String> {
    let all = moves(walker);
    let position = walker.position();
    let promotes_too = |mv: Move| {
        all.iter().any(|other| {
            !other.is_drop()
                && other.is_promotion()
                && (other.from_sq(), other.to_sq()) == (mv.from_sq(), mv.to_sq())
        })
    };
    all.iter()
        .filter(|mv| !mv.is_drop())
        .filter(|&&mv| {
            let captures = position.piece_on(mv.to_sq()) != Piece::NONE;
            if mv.is_promotion() {
                captures || position.piece_on(mv.from_sq()).piece_type() != Kind::SILVER
            } else {
                captures && !promotes_too(mv)
            }
        })
        .map(|mv| mv.to_usi())
        .collect()
}

/// Whether the list is right; how many moves it had, and how many of those were not legal.
fn check(walker: &Walker) -> (usize, usize) {
    let position = walker.position();
    let mut list = MoveList::new();
    tactical_moves(position, &mut list);
    let legal: Vec<Move> = list.iter().copied().filter(|&mv| is_legal(position, mv)).collect();
    let listed: BTreeSet<String> = legal.iter().map(|mv| mv.to_usi()).collect();
    assert_eq!(listed.len(), legal.len(), "no move is listed twice");
    assert_eq!(listed, chosen(walker), "{}", position.to_sfen(None));
    // A move that is written alike is the same to the bit: the piece that arrives is part of it.
    let all = moves(walker);
    assert!(legal.iter().all(|mv| all.contains(mv)), "{}", position.to_sfen(None));
    (list.len(), list.len() - legal.len())
}

#[test]
fn captures_and_promotions_are_listed_as_chosen_from_all_moves() {
    let (mut positions, mut listed, mut illegal) = (0, 0, 0);
    wander(200, 80, 1, |_, walker, _| {
        // For a side in check there is another list.
        if !walker.position().is_in_check() {
            let (some, wrong) = check(walker);
            positions += 1;
            listed += some;
            illegal += wrong;
        }
    });
    for game in records::sample() {
        game.replay(|walker, _| {
            if !walker.position().is_in_check() {
                let (some, wrong) = check(walker);
                positions += 1;
                listed += some;
                illegal += wrong;
            }
        });
    }
    println!("{positions} positions, {listed} moves, {illegal} not legal");
    assert!(positions >= 25_000 && listed >= 80_000 && illegal >= 100);
}
