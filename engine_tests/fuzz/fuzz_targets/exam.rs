//! What every accepted position must survive: all that the engine may ask of it.

use std::hint::black_box;

use tenbin::shogi::attacks::{Attacks, checking_squares, king_area, king_ring};
use tenbin::shogi::exchange::{exchange_at_least, exchange_value};
use tenbin::shogi::{
    Color, EnteringKingRule, Kind, MoveList, Rules, Walker, diagram::diagram, is_legal, legal_moves,
    parse_move, parse_sfen, useful_moves,
};

const RULES: [EnteringKingRule; 6] = [
    EnteringKingRule::None,
    EnteringKingRule::Point24,
    EnteringKingRule::Point24Handicap,
    EnteringKingRule::Point27,
    EnteringKingRule::Point27Handicap,
    EnteringKingRule::TryRule,
];

/// Asks everything about the current position, then plays the moves that `choices` picks, asking again after
/// each, and takes them all back.
pub fn walk(walker: &mut Walker, choices: &[u8]) {
    let start = walker.position().to_sfen(None);
    let played = walker.moves().len();
    for &choice in choices {
        let moves = examine(walker);
        if moves.is_empty() {
            break;
        }
        walker.apply(moves[usize::from(choice) % moves.len()]);
    }
    examine(&mut walker.fork());
    while walker.moves().len() > played {
        walker.undo();
    }
    assert_eq!(walker.position().to_sfen(None), start, "undo does not restore the position");
}

/// Asks everything about the current position; its legal moves.
fn examine(walker: &mut Walker) -> MoveList {
    let mut moves = MoveList::new();
    useful_moves(walker.position(), &mut moves);
    let useful = moves.len();
    legal_moves(walker.position(), &mut moves);
    assert!(useful <= moves.len());
    assert_eq!(walker.is_mated(), moves.is_empty());
    assert_eq!(walker.any_move().is_none(), moves.is_empty());

    let position = walker.position();
    black_box(Attacks::of(position));
    for side in [Color::Black, Color::White] {
        black_box((king_ring(position, side), king_area(position, side)));
        black_box(Attacks::of(position).king_freedom(position, side));
    }
    for kind in Kind::iter() {
        black_box(checking_squares(position, kind));
    }
    for &mv in moves.iter() {
        assert!(is_legal(position, mv));
        let value = exchange_value(position, mv);
        assert!(exchange_at_least(position, mv, value));
        assert!(!exchange_at_least(position, mv, value + 1));
    }
    if let Some(mv) = moves.first() {
        assert_eq!(parse_move(position, &mv.to_usi()), Ok(*mv));
    }
    let sfen = position.to_sfen(None);
    let again = parse_sfen(&sfen).expect("what was accepted and played on reads back");
    assert_eq!(again.to_sfen(None), sfen);
    black_box(diagram(position));
    black_box((walker.recurrence(), walker.outcome()));
    for entering_king in RULES {
        walker.set_rules(Rules { max_moves: 0, entering_king });
        black_box(walker.declaration());
    }
    moves
}
