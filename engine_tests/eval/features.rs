//! What the network sees of a position, and how a move changes it.

use std::collections::BTreeSet;
use tenbin::eval::features::{ACTIVE, Change, Feature, INPUTS, features, mirror, opposite};
use tenbin::shogi::{Color, Move, Walker};

use super::{Step, UNUSUAL, moves, reference, walker, wander};
use crate::records;

fn set(list: &[Feature]) -> BTreeSet<Feature> {
    list.iter().copied().collect()
}

#[test]
fn a_full_position_has_forty_different_features() {
    let mut positions = 0;
    for game in records::sample() {
        game.replay(|walker, _| {
            let list = features(walker.position());
            assert_eq!(list.len(), ACTIVE);
            assert_eq!(set(&list).len(), ACTIVE, "{}", walker.position().to_sfen(None));
            positions += 1;
        });
    }
    assert!(positions >= 20_000);
}

/// By a second way of numbering them, for both sides.
#[test]
fn features_are_what_each_side_sees() {
    assert_eq!(INPUTS, reference::INPUTS);
    wander(120, 60, 1, |_, walker, _| {
        let position = walker.position();
        let list = features(position);
        let by_hand = |viewer| -> BTreeSet<Feature> {
            reference::seen(position, viewer).into_iter().map(|feature| feature as Feature).collect()
        };
        assert_eq!(set(&list), by_hand(Color::Black), "{}", position.to_sfen(None));
        let other: Vec<Feature> = list.iter().map(|&feature| opposite(feature)).collect();
        assert_eq!(set(&other), by_hand(Color::White), "{}", position.to_sfen(None));
    });
}

#[test]
fn without_all_pieces_there_are_as_many_features_as_pieces() {
    for sfen in UNUSUAL {
        let walker = walker(sfen);
        let letters = |text: &str| text.chars().filter(char::is_ascii_alphabetic).count();
        let mut fields = sfen.split(' ');
        let board = letters(fields.next().expect("a board"));
        let mut hand = 0;
        let mut count = 0;
        for letter in fields.nth(1).expect("hands").chars() {
            if let Some(digit) = letter.to_digit(10) {
                count = count * 10 + digit as usize;
            } else if letter.is_ascii_alphabetic() {
                hand += count.max(1);
                count = 0;
            }
        }
        let list = features(walker.position());
        assert_eq!(list.len(), board + hand, "{sfen}");
        assert_eq!(set(&list).len(), list.len(), "{sfen}");
    }
}

#[test]
fn turning_and_mirroring_twice_is_nothing_and_their_order_does_not_matter() {
    let mut unchanged = 0;
    for feature in 0..INPUTS as Feature {
        assert_eq!(opposite(opposite(feature)), feature);
        assert_eq!(mirror(mirror(feature)), feature);
        assert_eq!(opposite(mirror(feature)), mirror(opposite(feature)));
        assert_ne!(opposite(feature), feature, "whose it is differs");
        unchanged += usize::from(mirror(feature) == feature);
    }
    // Hands, and on the board the middle file.
    assert_eq!(unchanged, 90 + 20 * 9);
}

/// The position in a mirror, by its text.
fn mirrored(sfen: &str) -> String {
    let (board, rest) = sfen.split_once(' ').expect("a board");
    let rank = |rank: &str| -> String {
        let mut squares: Vec<String> = Vec::new();
        let mut promoted = false;
        for letter in rank.chars() {
            if promoted {
                squares.push(format!("+{letter}"));
            } else if letter != '+' {
                squares.push(letter.to_string());
            }
            promoted = letter == '+';
        }
        squares.into_iter().rev().collect()
    };
    let ranks: Vec<String> = board.split('/').map(rank).collect();
    format!("{} {rest}", ranks.join("/"))
}

#[test]
fn mirroring_features_mirrors_the_board() {
    wander(60, 60, 2, |_, here, _| {
        let there = walker(&mirrored(&here.position().to_sfen(None)));
        let expected: Vec<Feature> = features(there.position()).to_vec();
        let found: Vec<Feature> = features(here.position()).iter().map(|&feature| mirror(feature)).collect();
        assert_eq!(set(&found), set(&expected), "{}", here.position().to_sfen(None));
    });
}

/// What holds after a move: the change applied to what held before.
fn changed(walker: &Walker, mv: Move) -> BTreeSet<Feature> {
    let mut set = set(&features(walker.position()));
    let change = Change::by(walker.position(), mv);
    assert_eq!(change.removed().len(), change.added().len());
    for feature in change.removed() {
        assert!(set.remove(feature), "{} held in {walker:?} before {}", feature, mv.to_usi());
    }
    for &feature in change.added() {
        assert!(set.insert(feature), "{} did not hold in {walker:?} before {}", feature, mv.to_usi());
    }
    set
}

/// All moves of the positions, not only the ones played.
#[test]
fn a_change_leads_from_the_features_before_to_those_after() {
    let (mut tried, mut captures, mut drops) = (0, 0, 0);
    wander(100, 40, 3, |_, here, step| {
        let Step::Play(_) = step else { return };
        let mut walker = here.fork();
        for &mv in moves(&walker).iter() {
            let expected = changed(&walker, mv);
            captures += usize::from(Change::by(walker.position(), mv).added().len() == 2);
            drops += usize::from(mv.is_drop());
            walker.apply(mv);
            assert_eq!(set(&features(walker.position())), expected, "{} to {walker:?}", mv.to_usi());
            walker.undo();
            tried += 1;
        }
    });
    println!("{tried} moves, {captures} captures, {drops} drops");
    assert!(tried >= 100_000 && captures >= 3_000 && drops >= 20_000, "{tried}, {captures}, {drops}");
}
