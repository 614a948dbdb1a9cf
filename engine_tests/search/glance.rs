//! What moves are worth at a glance.

use tenbin::eval::Network;
use tenbin::mate::mate_in_one;
use tenbin::search::glance::worths;
use tenbin::shogi::{Move, MoveList, Walker, legal_moves, parse_move};

use super::{middlegames, position};
use crate::records::{Game, sample};

/// As bad as can be.
const WORST: f32 = -5.0;

fn moves(walker: &Walker) -> Vec<Move> {
    let mut moves = MoveList::new();
    legal_moves(walker.position(), &mut moves);
    moves.iter().copied().collect()
}

#[test]
fn the_best_move_is_worth_nothing_less_and_the_others_something_less() {
    for walker in middlegames(20) {
        let worths = worths(&walker, &Network::embedded(), &moves(&walker));
        assert!(worths.iter().all(|worth| (WORST..=0.0).contains(worth)), "{worths:?}");
        assert!(worths.contains(&0.0) && worths.iter().any(|&worth| worth < 0.0), "{worths:?}");
    }
}

#[test]
fn what_hangs_is_taken() {
    let walker = position("startpos moves 7g7f 3c3d");
    let listed = ["2g2f", "6g6f", "8h3c+"].map(|mv| parse_move(walker.position(), mv).expect("a move"));
    let found = worths(&walker, &Network::embedded(), &listed);
    assert!(found[0] > -0.5 && found[1] > -0.5, "{found:?}");
    assert!(found[2] < -0.8, "a bishop for a pawn: {found:?}");
}

#[test]
fn a_move_that_lets_the_king_be_mated_is_as_bad_as_can_be() {
    let mut found = 0;
    // Near the end of a game there is something to overlook.
    let near_the_end =
        |game: &Game| (2..6).map(|plies| game.after(game.0.moves.len() - plies)).collect::<Vec<_>>();
    for walker in sample().iter().take(100).flat_map(near_the_end).filter(|walker| !walker.is_mated()) {
        let moves = moves(&walker);
        let worths = worths(&walker, &Network::embedded(), &moves);
        let mut walker = walker.fork();
        for (mv, worth) in moves.into_iter().zip(worths) {
            walker.apply(mv);
            let lost = !walker.position().is_in_check() && mate_in_one(&mut walker).is_some();
            walker.undo();
            assert!(!lost || worth == WORST, "{} {worth}", mv.to_usi());
            found += u32::from(lost);
        }
    }
    assert!(found > 100, "{found}");
}
