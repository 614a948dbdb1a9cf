//! Repetition by path, what draws are worth, the last permitted move.

use tenbin::search::Score;
use tenbin::shogi::{EnteringKingRule, Rules};

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
