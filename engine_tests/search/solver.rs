//! Mates proved by the tree alone, shown with the whole line, and moves that save.

use tenbin::mate::dfpn::{Limits, Solver, Verdict};
use tenbin::mate::mate_in_three;
use tenbin::search::{Line, Score, TreeSearch};
use tenbin::shogi::{Move, MoveList, Walker, useful_moves};

use super::{preferences, search, sfen, think};
use crate::mate::positions::{MATE_1, MATE_3, MATE_5};

/// Without the mate solver.
fn tree_alone() -> TreeSearch {
    search(&preferences(&[("Mate_Search", "0")]))
}

/// Whether a line says mate, and then that it is one.
fn mates(walker: &Walker, line: &Line) -> bool {
    let Score::Mates(plies) = line.score else { return false };
    let mut walker = walker.fork();
    for &mv in &line.pv {
        assert!(tenbin::shogi::is_legal(walker.position(), mv), "{walker:?}: {line:?}");
        walker.apply(mv);
    }
    assert!(walker.is_mated(), "{walker:?}: {line:?}");
    assert_eq!(line.pv.len() as u32, plies);
    true
}

fn proved(problems: &str) -> (usize, usize) {
    let mut search = tree_alone();
    let (mut solved, mut all) = (0, 0);
    for line in problems.lines() {
        let walker = sfen(line);
        tenbin::search::Search::new_game(&mut search);
        all += 1;
        let found = &think(&mut search, &walker, 1000)[0];
        if mates(&walker, found) {
            solved += 1;
        } else {
            println!("not proved: {line}: {found:?}");
        }
    }
    (solved, all)
}

#[test]
fn every_mate_in_one_and_three_is_proved() {
    for problems in [include_str!("../data/tsume-mate-1.sfen"), include_str!("../data/tsume-mate-3.sfen")] {
        let (solved, all) = proved(problems);
        assert_eq!(solved, all);
    }
}

#[test]
fn nine_of_ten_mates_in_five_are_proved() {
    let (solved, all) = proved(include_str!("../data/tsume-mate-5.sfen"));
    println!("{solved} of {all} mates in five");
    assert!(solved * 10 >= all * 9, "{solved} of {all}");
}

#[test]
#[ignore = "takes minutes and needs the data"]
fn all_problems_are_proved() {
    for (set, least) in [(&MATE_1, 1.0), (&MATE_3, 1.0), (&MATE_5, 0.9)] {
        let (solved, all) = proved(&set.whole().join("\n"));
        println!("{}: {solved} of {all}", set.name);
        assert!(solved as f64 >= least * all as f64, "{}: {solved} of {all}", set.name);
    }
}

#[test]
fn longer_mates_are_found_with_the_solver() {
    let mut search = search(&preferences(&[]));
    let problems = include_str!("../data/tsume-mate-9.sfen");
    let mut solved = 0;
    for line in problems.lines() {
        let walker = sfen(line);
        tenbin::search::Search::new_game(&mut search);
        solved += usize::from(mates(&walker, &think(&mut search, &walker, 6000)[0]));
    }
    assert!(solved * 10 >= problems.lines().count() * 8, "{solved}");
}

/// The only move after which the opponent has no mate in three, where all others allow one.
fn saving_move(walker: &Walker) -> Option<Move> {
    let mut walker = walker.fork();
    if mate_in_three(&mut walker).is_some() {
        return None;
    }
    let mut moves = MoveList::new();
    useful_moves(walker.position(), &mut moves);
    let mut saving = None;
    for &mv in moves.iter() {
        walker.apply(mv);
        let lost = mate_in_three(&mut walker).is_some();
        walker.undo();
        if !lost && saving.replace(mv).is_some() {
            return None;
        }
    }
    let saving = saving.filter(|_| moves.len() > 3)?;
    // Nor a longer one.
    walker.apply(saving);
    let limits = Limits { nodes: 50_000, stop: &|| false };
    (!matches!(Solver::new(16).solve(&mut walker, &limits), Verdict::Mate(_))).then_some(saving)
}

#[test]
fn the_one_move_that_saves_is_found() {
    let mut search = tree_alone();
    let mut found = 0;
    for game in crate::records::sample() {
        let plies = game.0.moves.len();
        for ply in plies.saturating_sub(9)..plies {
            let walker = game.after(ply);
            let Some(saving) = saving_move(&walker) else { continue };
            tenbin::search::Search::new_game(&mut search);
            let line = &think(&mut search, &walker, 1000)[0];
            // Unless the tree has proved that nothing saves.
            let lost = matches!(line.score, Score::Mated(_));
            assert!(line.pv[0] == saving || lost, "{walker:?}: {} {line:?}", saving.to_usi());
            found += 1;
            if found == 15 {
                return;
            }
        }
    }
    assert!(found > 5, "only {found} positions");
}

#[test]
fn a_lost_position_shows_how_long_it_lasts() {
    // Mated after any move.
    let walker = sfen("7k1/9/6+P+P1/9/9/9/9/9/4K4 w G2N 1");
    let found = &think(&mut tree_alone(), &walker, 2000)[0];
    let Score::Mated(plies) = found.score else { panic!("{found:?}") };
    assert_eq!(found.pv.len() as u32, plies, "{found:?}");
    assert_eq!(plies % 2, 0);
}
