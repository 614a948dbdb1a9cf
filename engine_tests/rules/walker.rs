//! How games end: hand-made games with the verdict of each, and that walking back restores everything.

use proptest::prelude::*;
use tenbin::shogi::{
    Move, MoveList, Outcome, Recurrence, Repetition, Rules, Walker, legal_moves, parse_move, parse_position,
};

use crate::records;

fn start(arguments: &str) -> Walker {
    let (walker, complaint) = parse_position(arguments, Rules::default()).expect("a sound position");
    assert_eq!(complaint, None);
    walker
}

fn play(walker: &mut Walker, moves: &str) {
    for text in moves.split_ascii_whitespace() {
        let mv = parse_move(walker.position(), text).unwrap_or_else(|error| panic!("{error} in {walker:?}"));
        walker.apply(mv);
    }
}

/// Asserts how the current position relates to earlier ones.
fn assert_recurs(walker: &Walker, kind: Repetition, times: u32, distance: u32) {
    assert_eq!(walker.recurrence(), Some(Recurrence { kind, times, distance }), "{walker:?}");
}

/// A lone king beside a rook: the rook may check it on files 5 and 4 for ever.
const BLACK_CHECKS: &str = "4k4/9/9/9/9/9/9/5R3/K8 b - 1";
/// The same with the sides exchanged.
const WHITE_CHECKS: &str = "8k/3r5/9/9/9/9/9/9/4K4 w - 1";

/// Four plies, both of the rook's moves give check.
const BLACK_ROUND: &str = "4h5h 5a4a 5h4h 4a5a";
const WHITE_ROUND: &str = "6b5b 5i6i 5b6b 6i5i";
/// Four plies back to the same position; the rook's second move gives no check.
const BLACK_QUIET_ROUND: &str = "4h5h 5a6a 5h4h 6a5a";

#[test]
fn the_fourth_occurrence_is_a_draw() {
    let mut walker = start("startpos");
    for times in 1..=3 {
        assert_eq!(walker.outcome(), None);
        play(&mut walker, "2h3h 8b7b 3h2h 7b8b");
        assert_recurs(&walker, Repetition::Draw, times, 4);
    }
    assert_eq!(walker.outcome(), Some(Outcome::Repetition));
    // A new position afterwards is just that.
    play(&mut walker, "7g7f");
    assert_eq!((walker.recurrence(), walker.outcome()), (None, None));
}

#[test]
fn the_moves_in_between_may_differ() {
    let mut walker = start("startpos");
    play(&mut walker, "2h3h 8b7b 3h2h 7b8b");
    play(&mut walker, "2h4h 8b6b 4h3h 6b7b 3h2h 7b8b");
    assert_recurs(&walker, Repetition::Draw, 2, 6);
    play(&mut walker, "5i5h 5a5b 5h5i 5b5a");
    assert_recurs(&walker, Repetition::Draw, 3, 4);
    assert_eq!(walker.outcome(), Some(Outcome::Repetition));
}

#[test]
fn who_gave_check_all_along_loses_on_his_own_turn() {
    for (sfen, round) in [(BLACK_CHECKS, BLACK_ROUND), (WHITE_CHECKS, WHITE_ROUND)] {
        let mut walker = start(sfen);
        for times in 1..=3 {
            assert_eq!(walker.outcome(), None, "{sfen}");
            play(&mut walker, round);
            assert_recurs(&walker, Repetition::Loss, times, 4);
        }
        assert_eq!(walker.outcome(), Some(Outcome::GavePerpetualCheck), "{sfen}");
    }
}

#[test]
fn who_was_in_check_all_along_wins_on_his_own_turn() {
    // The rook comes from elsewhere, so that the position after its check is the first to come up four times.
    for (sfen, first, round) in [
        ("4k4/9/9/9/9/9/9/6R2/K8 b - 1", "3h5h", "5a4a 5h4h 4a5a 4h5h"),
        ("8k/2r6/9/9/9/9/9/9/4K4 w - 1", "7b5b", "5i6i 5b6b 6i5i 6b5b"),
    ] {
        let mut walker = start(sfen);
        play(&mut walker, first);
        for times in 1..=3 {
            assert_eq!(walker.outcome(), None, "{sfen}");
            play(&mut walker, round);
            assert_recurs(&walker, Repetition::Win, times, 4);
        }
        assert_eq!(walker.outcome(), Some(Outcome::CheckedPerpetually), "{sfen}");
    }
}

#[test]
fn one_quiet_move_in_each_round_makes_it_a_draw() {
    let mut walker = start(BLACK_CHECKS);
    for times in 1..=3 {
        play(&mut walker, BLACK_QUIET_ROUND);
        assert_recurs(&walker, Repetition::Draw, times, 4);
    }
    assert_eq!(walker.outcome(), Some(Outcome::Repetition));
}

/// All moves since the first of the four occurrences count, wherever the quiet one was.
#[test]
fn one_quiet_move_in_any_round_makes_it_a_draw() {
    for quiet in 0..3 {
        let mut walker = start(BLACK_CHECKS);
        for round in 0..3 {
            play(&mut walker, if round == quiet { BLACK_QUIET_ROUND } else { BLACK_ROUND });
        }
        let Recurrence { kind, times, .. } = walker.recurrence().expect("it recurs");
        assert_eq!((kind, times), (Repetition::Draw, 3), "quiet round {quiet}");
        assert_eq!(walker.outcome(), Some(Outcome::Repetition), "quiet round {quiet}");
    }
}

/// Before the fourth occurrence the kind says what the game is heading for; what came before the first of the
/// occurrences does not matter.
#[test]
fn checks_count_from_the_first_of_four_occurrences() {
    let mut walker = start(BLACK_CHECKS);
    play(&mut walker, BLACK_QUIET_ROUND);
    assert_recurs(&walker, Repetition::Draw, 1, 4);
    play(&mut walker, BLACK_ROUND);
    play(&mut walker, BLACK_ROUND);
    assert_recurs(&walker, Repetition::Draw, 3, 4);
    // Played on, the last four occurrences have nothing but checks between them.
    play(&mut walker, BLACK_ROUND);
    assert_recurs(&walker, Repetition::Loss, 4, 4);
    // A quiet beginning elsewhere: the four occurrences lie after it.
    let mut walker = start("4k4/9/9/9/9/9/9/6R2/K8 b - 1");
    play(&mut walker, "3h4h 5a6a 4h3h 6a5a 3h4h 5a6a 9i9h 6a5a");
    for _ in 0..3 {
        play(&mut walker, BLACK_ROUND);
    }
    assert_eq!(walker.outcome(), Some(Outcome::GavePerpetualCheck));
}

/// White drops a pawn that Black takes, and both go back: the same board, a pawn more for Black.
const GIFT: &str = "5h4h P*4g 4h4g 1a2a 4g4h 2a1b 4h5h 1b1a";
/// Black gives the pawn back and both go back again.
const RETURN: &str = "P*1b 1a1b 5h5g 1b2a 5g5h 2a1a";
const GIVERS: &str = "8k/9/9/9/9/9/9/4R4/K8 b 2p 1";

#[test]
fn more_in_hand_is_superior() {
    let mut walker = start(GIVERS);
    play(&mut walker, GIFT);
    assert_recurs(&walker, Repetition::Superior, 0, 8);
    assert_eq!(walker.outcome(), None, "a superior position ends no game");
    // Another gift: superior to both, and the nearer one is told.
    play(&mut walker, GIFT);
    assert_recurs(&walker, Repetition::Superior, 0, 8);
}

#[test]
fn less_in_hand_is_inferior() {
    let mut walker = start(GIVERS);
    play(&mut walker, "5h4h P*4g 4h4g 1a2a 4g4f 2a1a");
    assert_eq!(walker.recurrence(), None);
    // White is to move on the board of the first ply with a pawn less.
    play(&mut walker, "4f4h");
    assert_recurs(&walker, Repetition::Inferior, 0, 6);
    assert_eq!(walker.outcome(), None);
}

/// After the gift and its return the very first position is there again; the nearest one with this board is
/// another, with more in hand. It must not hide the exact one.
#[test]
fn a_nearer_superior_position_hides_no_exact_one() {
    let mut walker = start(GIVERS);
    for times in 1..=3 {
        play(&mut walker, GIFT);
        if times > 1 {
            assert_recurs(&walker, Repetition::Draw, times - 1, 14);
        }
        assert_eq!(walker.outcome(), None);
        play(&mut walker, RETURN);
        assert_recurs(&walker, Repetition::Draw, times, 14);
    }
    assert_eq!(walker.outcome(), Some(Outcome::Repetition));
}

#[test]
fn a_game_starts_afresh_from_its_sfen() {
    // The third occurrence of a line, given as SFEN, is the first of a new game.
    let mut walker = start("startpos");
    for _ in 0..2 {
        play(&mut walker, "2h3h 8b7b 3h2h 7b8b");
    }
    let mut again = start(&walker.position().to_sfen(None));
    assert_eq!(again.move_number(), 9);
    assert_eq!(again.recurrence(), None);
    for times in 1..=3 {
        assert_eq!(again.outcome(), None);
        play(&mut again, "2h3h 8b7b 3h2h 7b8b");
        assert_recurs(&again, Repetition::Draw, times, 4);
    }
    assert_eq!(again.outcome(), Some(Outcome::Repetition));
}

#[test]
fn a_position_line_counts_the_moves_it_lists() {
    let round = " 2h3h 8b7b 3h2h 7b8b".repeat(3);
    let mut walker = start(&format!("startpos moves{round}"));
    assert_eq!(walker.outcome(), Some(Outcome::Repetition));
    assert_eq!(walker.moves().len(), 12);
    walker.undo();
    assert_eq!(walker.outcome(), None);
    play(&mut walker, "7b8b");
    assert_eq!(walker.outcome(), Some(Outcome::Repetition));
}

/// A pawn on 5c guards 5b: a gold there mates.
fn mate_in_one(move_number: u32, max_moves: u32) -> Walker {
    let sfen = format!("4k4/9/4P4/9/9/9/9/9/4K4 b G {move_number}");
    let rules = Rules { max_moves, ..Rules::default() };
    parse_position(&sfen, rules).expect("a sound position").0
}

#[test]
fn mate_on_the_last_permitted_move_wins() {
    let mut walker = mate_in_one(256, 256);
    assert_eq!(walker.outcome(), None, "move 256 may be played");
    play(&mut walker, "G*5b");
    assert!(walker.is_past_max_moves());
    assert_eq!(walker.outcome(), Some(Outcome::Mated));
    walker.undo();
    assert!(!walker.is_past_max_moves());
}

#[test]
fn without_mate_the_game_is_drawn_after_the_last_permitted_move() {
    let mut walker = mate_in_one(256, 256);
    play(&mut walker, "G*4b");
    assert_eq!(walker.outcome(), Some(Outcome::MaxMoves));
    // The number in the SFEN is the base: from 255 on there is one more ply.
    let mut walker = mate_in_one(255, 256);
    play(&mut walker, "G*6b");
    assert_eq!(walker.outcome(), None);
    play(&mut walker, "5a4a");
    assert_eq!(walker.outcome(), Some(Outcome::MaxMoves));
    // A game that starts beyond the limit is over.
    assert_eq!(mate_in_one(300, 256).outcome(), Some(Outcome::MaxMoves));
}

#[test]
fn zero_is_no_limit() {
    let mut walker = mate_in_one(30_000, 0);
    play(&mut walker, "G*4b");
    assert_eq!(walker.outcome(), None);
    // Rules may be changed on the way, as options are.
    walker.set_rules(Rules { max_moves: 256, ..Rules::default() });
    assert_eq!(walker.outcome(), Some(Outcome::MaxMoves));
}

/// Repetition on the very last move: the perpetual check is punished, not forgiven.
#[test]
fn repetition_goes_before_the_limit_of_moves() {
    let rules = Rules { max_moves: 12, ..Rules::default() };
    let (mut walker, _) = parse_position(BLACK_CHECKS, rules).expect("a sound position");
    for _ in 0..3 {
        play(&mut walker, BLACK_ROUND);
    }
    assert!(walker.is_past_max_moves());
    assert_eq!(walker.outcome(), Some(Outcome::GavePerpetualCheck));
}

#[test]
fn having_no_move_loses_with_and_without_check() {
    // The dragon takes every square from the king and does not attack it.
    let stalemate = start("8k/9/7+R1/9/9/9/9/9/K8 w - 1");
    assert!(!stalemate.position().is_in_check());
    assert_eq!(stalemate.outcome(), Some(Outcome::Mated));
    assert_eq!(stalemate.any_move(), None);
    let mate = start("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1");
    assert!(mate.position().is_in_check());
    assert_eq!(mate.outcome(), Some(Outcome::Mated));
    // With a piece to drop the first one is no end.
    let relief = start("8k/9/7+R1/9/9/9/9/9/K8 w p 1");
    assert_eq!(relief.outcome(), None);
    assert!(relief.any_move().is_some());
    // An empty board has no moves either.
    assert_eq!(start("9/9/9/9/9/9/9/9/9 b - 1").outcome(), Some(Outcome::Mated));
}

#[test]
fn at_the_start_there_is_nothing_to_take_back() {
    let mut walker = start("startpos");
    walker.undo();
    assert_eq!(walker.move_number(), 1);
    play(&mut walker, "7g7f");
    walker.undo();
    walker.undo();
    assert_eq!(walker.position().to_sfen(None), tenbin::shogi::STARTPOS);
    assert!(walker.moves().is_empty());
}

/// All that can be seen of a walker.
#[derive(PartialEq, Debug)]
struct View {
    sfen: String,
    keys: String,
    move_number: u32,
    recurrence: Option<Recurrence>,
    outcome: Option<Outcome>,
    played: Vec<Move>,
    legal: Vec<Move>,
}

impl View {
    fn of(walker: &Walker) -> Self {
        let position = walker.position();
        let mut list = MoveList::new();
        legal_moves(position, &mut list);
        Self {
            sfen: position.to_sfen(None),
            keys: format!(
                "{:?} {:?} {:?}",
                position.key(),
                position.board_key(),
                position.continuous_checks()
            ),
            move_number: walker.move_number(),
            recurrence: walker.recurrence(),
            outcome: walker.outcome(),
            played: walker.moves(),
            legal: list.to_vec(),
        }
    }
}

/// Plays the moves that `choices` pick and returns the view before each. The choice 0 takes one's last move back
/// over the board where that is legal, so that positions recur.
fn wander(walker: &mut Walker, choices: &[u8]) -> Vec<View> {
    let mut views = Vec::new();
    for &choice in choices {
        let view = View::of(walker);
        if view.legal.is_empty() {
            break;
        }
        let own = view.played.iter().rev().nth(1).filter(|own| choice == 0 && !own.is_drop());
        let back = own.and_then(|own| {
            view.legal
                .iter()
                .find(|mv| !mv.is_drop() && mv.from_sq() == own.to_sq() && mv.to_sq() == own.from_sq())
        });
        walker.apply(*back.unwrap_or(&view.legal[usize::from(choice) % view.legal.len()]));
        views.push(view);
    }
    views
}

fn choices() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(prop_oneof![4 => Just(0), 1 => any::<u8>()], 1..60)
}

/// A place in a game of the sample, or a position with few pieces.
fn anywhere() -> impl Strategy<Value = Walker> {
    let few = prop::sample::select(vec![BLACK_CHECKS, WHITE_CHECKS, GIVERS]).prop_map(start);
    let games = (0..240usize, 0..150usize).prop_map(|(game, ply)| records::sample()[game].after(ply));
    prop_oneof![few, games]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn undo_restores_everything(mut walker in anywhere(), choices in choices()) {
        let views = wander(&mut walker, &choices);
        for expected in views.iter().rev() {
            walker.undo();
            prop_assert_eq!(&View::of(&walker), expected);
        }
    }

    #[test]
    fn a_fork_goes_the_same_way(mut walker in anywhere(), before in choices(), after in choices()) {
        wander(&mut walker, &before);
        let mut fork = walker.fork();
        prop_assert_eq!(wander(&mut fork, &after), wander(&mut walker, &after));
        // The past of a fork is its own: going back on it goes back all the way.
        while !walker.moves().is_empty() {
            prop_assert_eq!(View::of(&fork), View::of(&walker));
            walker.undo();
            fork.undo();
        }
        prop_assert!(fork.moves().is_empty());
    }
}
