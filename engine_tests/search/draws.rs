//! Repetition by path, what draws are worth, the last permitted move.

use tenbin::playout::End;
use tenbin::search::Score;
use tenbin::shogi::{EnteringKingRule, Recurrence, Repetition, Rules, Walker, complete};
use tenbin::tree::proof::Circle;
use tenbin::tree::{Arena, NodeId, Proof};

use super::{position, position_under, preferences, search, think};

/// Rooks go to and fro; the next time the position is there for the fourth time.
const SHUFFLE: &str = "startpos moves 2h3h 8b7b 3h2h 7b8b 2h3h 8b7b 3h2h 7b8b 2h3h 8b7b";

#[test]
fn the_value_of_a_draw_decides_whether_to_repeat() {
    let walker = position(SHUFFLE);
    let repeating = |draw: i32| {
        let mut preferences = preferences(&[]);
        preferences.draw_value = [draw, draw];
        think(&mut search(&preferences), &walker, 2000)[0].clone()
    };
    let (eager, unwilling) = (repeating(3000), repeating(-3000));
    assert_eq!(eager.pv[0].to_usi(), "3h2h", "{eager:?}");
    assert_ne!(unwilling.pv[0].to_usi(), "3h2h", "{unwilling:?}");
    // A draw that is a near win shows as one.
    assert!(matches!(eager.score, Score::Cp(cp) if cp > 1000), "{eager:?}");
}

#[test]
fn perpetual_check_is_no_way_to_win() {
    // The rook has checked the king to and fro; once more would lose.
    let walker =
        position("sfen 4k4/9/9/9/9/9/9/9/R3K4 b - 1 moves 9i9a 5a5b 9a9b 5b5a 9b9a 5a5b 9a9b 5b5a 9b9a 5a5b");
    let line = &think(&mut search(&preferences(&[])), &walker, 2000)[0];
    assert_ne!(line.pv[0].to_usi(), "9a9b", "{line:?}");
}

#[test]
fn the_last_permitted_move_ends_the_game() {
    let rules = Rules { max_moves: 2, entering_king: EnteringKingRule::Point27 };
    let walker = position_under("startpos moves 7g7f", rules);
    let mut preferences = preferences(&[]);
    preferences.draw_value = [600, 600];
    let line = &think(&mut search(&preferences), &walker, 200)[0];
    // Whatever is played, the game is drawn after it.
    assert!(matches!(line.score, Score::Cp(cp) if (cp - 600).abs() < 60), "{line:?}");
    assert_eq!(line.pv.len(), 1, "{line:?}");
}

#[test]
fn more_in_hand_counts_where_the_search_itself_went_round() {
    // White drops a pawn that the rook takes; then both go back.
    let gift = "5h4h P*4g 4h4g 1a2a 4g4h 2a1b 4h5h";
    let inferior = position(&format!("sfen 8k/9/9/9/9/9/9/4R4/K8 b 2p 1 moves {gift}"));
    assert_eq!(End::by_rules(&inferior, 7), None, "nothing has come back yet");
    let superior = position(&format!("sfen 8k/9/9/9/9/9/9/4R4/K8 b 2p 1 moves {gift} 1b1a"));
    assert_eq!(End::by_rules(&superior, 8), Some((End::Won, false)));
    assert_eq!(End::by_rules(&superior, 7), None, "in the game itself it is no end");
    let start = "sfen 8k/9/9/9/9/9/9/4R4/K8 b 2p 1 moves 5h4h P*4g 4h4g 1a2a 4g4f 2a1a 4f4h";
    assert_eq!(End::by_rules(&position(start), 6), Some((End::Lost, false)));
}

/// Positions below a node that came back with more or less in hand; each must count as such.
fn unequal(arena: &Arena, id: NodeId, walker: &mut Walker, depth: u32) -> usize {
    let mut found = 0;
    let recurrence = walker.recurrence().filter(|recurrence| recurrence.distance <= depth);
    let expected = match recurrence {
        Some(Recurrence { kind: Repetition::Superior, .. }) => Some(Circle::Wins),
        Some(Recurrence { kind: Repetition::Inferior, .. }) => Some(Circle::Loses),
        _ => None,
    };
    if let Some(circle) = expected {
        assert_eq!(arena.node(id).proof(), Proof::Recurred(circle), "{:?}", walker.moves());
        assert!(!arena.node(id).is_expanded());
        found += 1;
    }
    for edge in arena.all_edges(id) {
        if let Some(child) = edge.child() {
            walker.apply(complete(walker.position(), edge.mv()));
            found += unequal(arena, child, walker, depth + 1);
            walker.undo();
        }
    }
    found
}

#[test]
fn the_tree_knows_superior_and_inferior_positions() {
    // White can drop pawns on one file only, where the rook takes them to and fro.
    let mut walker = position("sfen 8k/pppp1pppp/9/9/9/9/9/4R4/K8 w 9p 1");
    let changes = [("Playout_Depth", "0"), ("Mate_Search", "0"), ("C_Init", "1000"), ("C_Root", "1000")];
    let mut search = search(&preferences(&changes));
    think(&mut search, &walker, 20_000);
    let root = search.root(&walker).expect("a root");
    let found = unequal(search.arena(), root, &mut walker, 0);
    assert!(found > 10, "{found}");
}
