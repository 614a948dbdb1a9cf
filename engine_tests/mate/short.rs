//! Mates in one and in three beside brute force: none is false, and hardly any is missed.

use tenbin::mate::{mate_in_one, mate_in_three};
use tenbin::shogi::{Bitboard, HandPiece, Kind, Move, Walker};

use super::oracle;
use super::positions::{MATE_1, MATE_3, MATE_5, MATE_7, MATE_9, MATE_11, NO_MATE_1, endings, walker};
use crate::{records, shared};

/// Plies before the end of a game that count as its end.
const ENDING: usize = 12;

/// How many mates of one length there were.
#[derive(Default)]
struct Share {
    there: usize,
    found: usize,
}

impl Share {
    fn of_hundred(&self) -> f64 {
        if self.there == 0 {
            return 100.0;
        }
        100.0 * self.found as f64 / self.there as f64
    }
}

#[derive(Default)]
struct Tally {
    positions: usize,
    in_check: usize,
    in_one: Share,
    in_three: Share,
    /// Mates in three in which a reply checks back.
    counter_checks: usize,
}

impl Tally {
    /// Asks both functions about each position; panics at a false mate or one missed without an excuse.
    fn of(positions: &[String]) -> Self {
        let mut tally = Self::default();
        for sfen in positions {
            tally.examine(sfen);
        }
        println!(
            "{} positions, {} in check; mates in one: {} of {} found, {:.3} %; in three: {} of {}, {:.3} %; \
             counter-checks {}",
            tally.positions,
            tally.in_check,
            tally.in_one.found,
            tally.in_one.there,
            tally.in_one.of_hundred(),
            tally.in_three.found,
            tally.in_three.there,
            tally.in_three.of_hundred(),
            tally.counter_checks,
        );
        tally
    }

    fn examine(&mut self, sfen: &str) {
        let walker = &mut walker(sfen);
        self.positions += 1;
        self.in_check += usize::from(walker.position().is_in_check());
        let in_one = ask(walker, mate_in_one);
        let in_three = ask(walker, mate_in_three);
        self.counter_checks += usize::from(in_three.is_some_and(|mv| allows_counter_check(walker, mv)));
        for (mv, plies) in [(in_one, 1), (in_three, 3)] {
            if let Some(mv) = mv {
                let legal = oracle::moves(walker).contains(&mv);
                assert!(
                    legal && oracle::mates_by(walker, mv, plies),
                    "{sfen}: {} is no mate in {plies}",
                    mv.to_usi()
                );
            }
        }
        let mating = oracle::mating_moves(walker, 1);
        if !mating.is_empty() {
            self.in_one.there += 1;
            self.in_one.found += usize::from(in_one.is_some());
            if in_one.is_none() {
                println!("missed in one: {sfen}: {}", names(&mating));
                let excused = mating.iter().all(|&mv| is_left_out(walker, mv));
                assert!(excused, "{sfen}: {} mates and is not of a kind said to be left out", names(&mating));
            }
        }
        // What was found has been confirmed: only where nothing was found is there something to look for.
        if in_three.is_some() || oracle::mates(walker, 3) {
            self.in_three.there += 1;
            self.in_three.found += usize::from(in_three.is_some());
            if in_three.is_none() {
                println!("missed in three: {sfen}: {}", names(&oracle::mating_moves(walker, 3)));
            }
        }
    }
}

/// Asks for a mate and checks that the walker is left as it was.
fn ask(walker: &mut Walker, question: impl Fn(&mut Walker) -> Option<Move>) -> Option<Move> {
    let state = |walker: &Walker| (walker.position().to_sfen(None), walker.moves().len());
    let before = state(walker);
    let answer = question(walker);
    assert_eq!(state(walker), before, "the walker came back changed");
    answer
}

/// Whether some reply to this move gives check.
fn allows_counter_check(walker: &mut Walker, mv: Move) -> bool {
    walker.apply(mv);
    let allows = oracle::moves(walker).iter().any(|&reply| {
        walker.apply(reply);
        let check = walker.position().is_in_check();
        walker.undo();
        check
    });
    walker.undo();
    allows
}

fn names(moves: &[Move]) -> String {
    moves.iter().map(|mv| mv.to_usi()).collect::<Vec<_>>().join(" ")
}

/// Whether a mate in one is of a kind that [`tenbin::mate::one_ply`] says it leaves out: a pawn, bishop or rook that
/// does not promote, or a check from afar that only a forbidden pawn drop would stop.
fn is_left_out(walker: &mut Walker, mv: Move) -> bool {
    let us = walker.turn();
    let kind = mv.piece_after_move().piece_type();
    if !mv.is_drop() && matches!(kind, Kind::PAWN | Kind::BISHOP | Kind::ROOK) && could_promote(walker, mv) {
        return true;
    }
    walker.apply(mv);
    let position = walker.position();
    let them = us.flip();
    let forbidden = position.hand(them).count(HandPiece::PAWN) > 0
        && position.checkers().lsb().is_some_and(|checker| {
            let between = Bitboard::between(checker, position.king_square(them));
            (&between).into_iter().any(|square| !position.has_pawn_on_file(them, square.file()))
        });
    walker.undo();
    forbidden
}

/// Whether the same move could promote.
fn could_promote(walker: &Walker, mv: Move) -> bool {
    oracle::moves(walker)
        .iter()
        .any(|other| other.from_sq() == mv.from_sq() && other.to_sq() == mv.to_sq() && *other != mv)
}

#[test]
fn short_mates_of_the_sample_are_true_and_nearly_all_found() {
    let mut positions = endings(&records::sample(), ENDING);
    for set in [MATE_1, MATE_3, NO_MATE_1] {
        positions.extend(set.sample());
    }
    let tally = Tally::of(&positions);
    assert!(tally.in_check >= 500, "only {} positions in check", tally.in_check);
    assert!(tally.in_one.there >= 200 && tally.in_three.there >= 400, "too few mates to say anything");
    assert!(tally.in_one.of_hundred() >= 99.9);
    assert!(tally.in_three.of_hundred() >= 99.9);
}

#[test]
fn problems_in_one_and_three_have_their_mates() {
    for sfen in MATE_1.sample() {
        assert!(mate_in_one(&mut walker(&sfen)).is_some(), "{sfen}");
    }
    for sfen in MATE_3.sample() {
        assert!(mate_in_three(&mut walker(&sfen)).is_some(), "{sfen}");
    }
    for sfen in NO_MATE_1.sample() {
        assert_eq!(mate_in_one(&mut walker(&sfen)), None, "{sfen}");
    }
}

#[test]
#[ignore = "takes minutes and the shared data"]
fn short_mates_of_the_shared_data_are_true_and_nearly_all_found() {
    let positions = endings(&shared::games(1500), ENDING);
    assert!(positions.len() >= 100_000);
    let games = Tally::of(&positions);
    assert!(games.counter_checks > 0, "no mate in three with a counter-check");
    assert!(games.in_one.of_hundred() >= 99.9);
    assert!(games.in_three.of_hundred() >= 99.9);
    for set in [MATE_1, MATE_3, MATE_5, MATE_7, MATE_9, MATE_11, NO_MATE_1] {
        println!("{}:", set.name);
        let tally = Tally::of(&set.whole());
        assert!(tally.in_one.of_hundred() >= 99.9);
        assert!(tally.in_three.of_hundred() >= 99.9);
    }
}
