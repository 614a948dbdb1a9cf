//! Recurring positions beside an oracle that keeps every position in full and looks through all of them.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use tenbin::shogi::{
    Color, HandPiece, Move, MoveList, Outcome, Piece, Position, Recurrence, Repetition, Rules, Walker,
    legal_moves, parse_sfen,
};

use super::stepping::is_in_check;

/// A position as people would write it down.
#[derive(PartialEq)]
struct Entry {
    /// Board and side to move.
    board: String,
    turn: Color,
    /// What the side to move holds.
    hand: Vec<u32>,
    in_check: bool,
}

impl Entry {
    fn of(position: &Position) -> Self {
        let turn = position.turn();
        let sfen = position.to_sfen(None);
        Self {
            board: sfen.split(' ').take(2).collect(),
            turn,
            hand: HandPiece::iter().map(|piece| position.hand(turn).count(piece)).collect(),
            in_check: is_in_check(position),
        }
    }

    fn has_all_of(&self, other: &Self) -> bool {
        self.hand.iter().zip(&other.hand).all(|(mine, theirs)| mine >= theirs)
    }
}

/// The verdict on the last position of a game, straight from the rules.
fn verdict(game: &[Entry]) -> Option<Recurrence> {
    let (now, before) = game.split_last().expect("a game has a position");
    let last = before.len();
    let same_board: Vec<usize> = (0..last).filter(|&i| before[i].board == now.board).collect();
    let exact: Vec<usize> = same_board.iter().copied().filter(|&i| before[i] == *now).collect();
    if let Some(&nearest) = exact.last() {
        let first = exact[exact.len().saturating_sub(3)];
        let gave_check_always = |side: Color| {
            game[first + 1..].iter().filter(|entry| entry.turn != side).all(|entry| entry.in_check)
        };
        let kind = if gave_check_always(now.turn) {
            Repetition::Loss
        } else if gave_check_always(now.turn.flip()) {
            Repetition::Win
        } else {
            Repetition::Draw
        };
        return Some(Recurrence { kind, times: exact.len() as u32, distance: (last - nearest) as u32 });
    }
    let comparable = |&&i: &&usize| now.has_all_of(&before[i]) || before[i].has_all_of(now);
    let &nearest = same_board.iter().rev().find(comparable)?;
    let kind = if now.has_all_of(&before[nearest]) { Repetition::Superior } else { Repetition::Inferior };
    Some(Recurrence { kind, times: 0, distance: (last - nearest) as u32 })
}

/// Whether the nearest position with this board has comparable but other hands, while an earlier one is equal:
/// where an answer that stops at the nearest is wrong.
fn is_masked(game: &[Entry]) -> bool {
    let (now, before) = game.split_last().expect("a game has a position");
    let nearest = before.iter().rev().find(|entry| entry.board == now.board);
    nearest.is_some_and(|entry| entry != now) && before.iter().any(|entry| entry == now)
}

/// Chooses a move that is likely to lead back: undo one's own last move, offer a piece where the other's last
/// move came from, take what is offered, and give check where the walk is about checks.
fn choose(walker: &Walker, checker: Option<Color>, rng: &mut Pcg64Mcg) -> Option<Move> {
    let position = walker.position();
    let mut list = MoveList::new();
    legal_moves(position, &mut list);
    let played = walker.moves();
    let own = played.len().checked_sub(2).map(|i| played[i]).filter(|mv| !mv.is_drop());
    let other = played.last().filter(|mv| !mv.is_drop());
    let weight = |mv: &Move| {
        let mut weight = 1;
        if own.is_some_and(|own| !mv.is_drop() && mv.from_sq() == own.to_sq() && mv.to_sq() == own.from_sq())
        {
            weight += 150;
        }
        if mv.is_drop() && other.is_some_and(|other| mv.to_sq() == other.from_sq()) {
            weight += 40;
        }
        if !mv.is_drop() && position.piece_on(mv.to_sq()) != Piece::NONE {
            weight += 60;
        }
        if checker == Some(position.turn()) && position.gives_check_move32(*mv) {
            weight += 60;
        }
        weight
    };
    let total: u32 = list.iter().map(weight).sum();
    let mut ticket = rng.random_range(0..total.max(1));
    list.iter().copied().find(|mv| {
        let weight = weight(mv);
        let found = ticket < weight;
        ticket = ticket.saturating_sub(weight);
        found
    })
}

/// How often each verdict came up.
#[derive(Default, Debug)]
struct Tally {
    draws: u32,
    perpetual_checks: [u32; 2],
    superior: u32,
    inferior: u32,
    masked: u32,
    checks_began_late: u32,
}

impl Tally {
    fn count(&mut self, game: &[Entry], found: Option<Recurrence>) {
        let Some(Recurrence { kind, times, .. }) = found else { return };
        let us = game.last().expect("a game has a position").turn;
        match kind {
            Repetition::Draw if times >= 3 => self.draws += 1,
            Repetition::Loss if times >= 3 => self.perpetual_checks[us.to_index()] += 1,
            Repetition::Win if times >= 3 => self.perpetual_checks[us.flip().to_index()] += 1,
            Repetition::Superior => self.superior += 1,
            Repetition::Inferior => self.inferior += 1,
            _ => {}
        }
        self.masked += u32::from(is_masked(game));
        let recent_checks = game.iter().rev().step_by(2).take(4).all(|entry| entry.in_check);
        self.checks_began_late += u32::from(times >= 3 && kind == Repetition::Draw && recent_checks);
    }
}

fn expected_outcome(found: Option<Recurrence>) -> Option<Outcome> {
    let Recurrence { kind, times: 3.., .. } = found? else { return None };
    Some(match kind {
        Repetition::Win => Outcome::CheckedPerpetually,
        Repetition::Loss => Outcome::GavePerpetualCheck,
        _ => Outcome::Repetition,
    })
}

fn walk(sfen: &str, checker: Option<Color>, rng: &mut Pcg64Mcg, tally: &mut Tally) {
    let start = parse_sfen(sfen).unwrap_or_else(|error| panic!("{sfen}: {error}"));
    let mut walker = Walker::new(start, Rules::default());
    let mut game = vec![Entry::of(walker.position())];
    for _ in 0..150 {
        let Some(mv) = choose(&walker, checker, rng) else { return };
        walker.apply(mv);
        // Workers walk on from forks, whose past is stored in another way.
        if rng.random_ratio(1, 40) {
            walker = walker.fork();
        }
        game.push(Entry::of(walker.position()));
        let expected = verdict(&game);
        let line = || {
            let moves: Vec<String> = walker.moves().iter().map(|mv| mv.to_usi()).collect();
            format!("{sfen} moves {}", moves.join(" "))
        };
        assert_eq!(walker.recurrence(), expected, "{}", line());
        if !walker.is_mated() {
            assert_eq!(walker.outcome(), expected_outcome(expected), "{}", line());
        }
        tally.count(&game, expected);
    }
}

#[test]
fn verdicts_agree_with_a_full_history_on_walks_that_repeat() {
    let mut rng = Pcg64Mcg::seed_from_u64(7);
    let mut tally = Tally::default();
    let starts = [
        "4k4/9/9/9/9/9/9/5R3/K8 b - 1",
        "k8/3r5/9/9/9/9/9/9/4K4 w - 1",
        "8k/9/9/9/9/9/9/4R4/K8 b 2P2p 1",
        "4k4/9/9/9/9/9/9/9/4K4 b RPgrpG 5",
        "3k5/9/9/4+B4/9/4+b4/9/9/5K3 b GPgp 1",
        "k8/9/9/9/4R4/9/9/9/9 b 3Ppr 1",
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    ];
    for _ in 0..200 {
        for sfen in starts {
            for checker in [None, Some(Color::Black), Some(Color::White)] {
                walk(sfen, checker, &mut rng, &mut tally);
            }
        }
    }
    println!("{tally:?}");
    // The walks must have been to the places they are meant for.
    assert!(tally.draws >= 1_000, "{tally:?}");
    assert!(tally.perpetual_checks.iter().all(|&count| count >= 100), "{tally:?}");
    assert!(tally.superior >= 200 && tally.inferior >= 200, "{tally:?}");
    assert!(tally.masked >= 10 && tally.checks_began_late >= 10, "{tally:?}");
}
