//! Material, counted along a walk and anew.

use tenbin::eval::material::material;
use tenbin::eval::{Evaluator, Material};
use tenbin::shogi::{Color, Piece, Position, Square};

use super::{Step, walker, wander};

/// Counted by squares and hands, in Bonanza's values.
fn counted(position: &Position) -> i32 {
    let worth = |letter: char| match letter.to_ascii_uppercase() {
        'P' => [90, 540],
        'L' => [315, 540],
        'N' => [405, 540],
        'S' => [495, 540],
        'G' => [540, 540],
        'B' => [855, 945],
        'R' => [990, 1_395],
        _ => [0, 0],
    };
    let sfen = position.to_sfen(None);
    let mut fields = sfen.split(' ');
    let (board, turn, hands) = (fields.next(), fields.next(), fields.next());
    let mut sum = 0;
    let mut promoted = 0;
    for letter in board.expect("a board").chars() {
        let sign = if letter.is_ascii_uppercase() { 1 } else { -1 };
        sum += sign * worth(letter)[promoted];
        promoted = usize::from(letter == '+');
    }
    let mut count = 0;
    for letter in hands.expect("hands").chars() {
        if let Some(digit) = letter.to_digit(10) {
            count = count * 10 + digit as i32;
        } else {
            let sign = if letter.is_ascii_uppercase() { 1 } else { -1 };
            sum += sign * count.max(1) * worth(letter)[0];
            count = 0;
        }
    }
    if turn == Some("b") { sum } else { -sum }
}

#[test]
fn counting_along_random_games_equals_counting_anew() {
    let mut follower = Material::default();
    let mut current = None;
    let mut different = std::collections::BTreeSet::new();
    wander(300, 120, 1, |game, walker, step| {
        let position = walker.position();
        if current != Some(game) {
            current = Some(game);
            follower.reset(position);
        }
        if let Step::TakeBack = step {
            follower.pop();
        }
        let value = follower.value(position);
        assert_eq!(value, material(position), "{}", position.to_sfen(None));
        assert_eq!(value, counted(position), "{}", position.to_sfen(None));
        different.insert(value);
        if let Step::Play(mv) = step {
            follower.push(position, mv);
        }
    });
    assert!(different.len() >= 200, "{}", different.len());
}

#[test]
fn an_evaluator_that_was_never_set_counts_the_position() {
    let walker = walker("4k4/9/9/9/9/9/9/9/4K4 w R2b 1");
    assert_eq!(Material::default().value(walker.position()), 2 * 855 - 990);
}

#[test]
fn level_at_the_start_and_zero_without_pieces() {
    assert_eq!(material(walker(tenbin::shogi::STARTPOS).position()), 0);
    let empty = walker("9/9/9/9/9/9/9/9/9 b - 1");
    assert!(Square::iter().all(|square| empty.position().piece_on(square) == Piece::NONE));
    assert_eq!((material(empty.position()), empty.turn()), (0, Color::Black));
}
