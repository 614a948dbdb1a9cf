//! Mates of any length: problems are solved by lines that hold, and no mate is seen where there is none.

use std::time::{Duration, Instant};

use tenbin::mate::dfpn::{Limits, Solver, Verdict};
use tenbin::shogi::{MoveList, checks};

use super::positions::{MATE_1, MATE_3, MATE_5, MATE_7, MATE_9, MATE_11, NO_MATE_1, Set, endings, walker};
use super::{checker, oracle};
use crate::{records, shared};

/// Enough for every problem of the sets.
const PLENTY: u64 = 20_000_000;

fn limits(nodes: u64) -> Limits<'static> {
    Limits { nodes, stop: &|| false }
}

/// What it took to solve problems of a set.
struct Effort {
    unsolved: usize,
    longer: usize,
    late: usize,
    slowest: Duration,
    longest: usize,
}

/// Solves problems with an empty table each and has every line checked.
fn solve_all(set: &Set, problems: &[String]) -> Effort {
    let mut effort = Effort { unsolved: 0, longer: 0, late: 0, slowest: Duration::ZERO, longest: 0 };
    let promised: usize = set.name.trim_start_matches("mate-").parse().expect("a set of mates");
    let mut solver = Solver::new(64);
    let mut slowest = String::new();
    for sfen in problems {
        solver.clear();
        let walker = &mut walker(sfen);
        let start = Instant::now();
        let verdict = solver.solve(walker, &limits(PLENTY));
        let took = start.elapsed();
        if took > effort.slowest {
            effort.slowest = took;
            slowest = format!("{sfen} ({} nodes)", solver.nodes());
        }
        if took > Duration::from_secs(1) {
            effort.late += 1;
            println!("{}: late: {took:?}, {} nodes: {sfen}", set.name, solver.nodes());
        }
        let Verdict::Mate(line) = verdict else {
            effort.unsolved += 1;
            println!("{}: {verdict:?}: {sfen}", set.name);
            continue;
        };
        effort.longest = effort.longest.max(line.len());
        effort.longer += usize::from(line.len() > promised);
        assert_eq!(checker::complaint(walker, &line), None);
    }
    println!(
        "{}: {} problems, {} unsolved, {} late, slowest {:?}: {slowest}; {} lines longer than promised, longest {}",
        set.name,
        problems.len(),
        effort.unsolved,
        effort.late,
        effort.slowest,
        effort.longer,
        effort.longest
    );
    effort
}

#[test]
fn problems_of_the_sample_are_solved_by_lines_that_hold() {
    for set in [MATE_5, MATE_7, MATE_9, MATE_11] {
        let effort = solve_all(&set, &set.sample());
        assert_eq!(effort.unsolved, 0, "{}", set.name);
    }
}

#[test]
#[ignore = "takes minutes and the shared data"]
fn every_shared_problem_is_solved_by_a_line_that_holds() {
    let mut unsolved = 0;
    for set in [MATE_1, MATE_3, MATE_5, MATE_7, MATE_9, MATE_11] {
        unsolved += solve_all(&set, &set.whole()).unsolved;
    }
    assert_eq!(unsolved, 0);
}

fn count_checks(sfen: &str) -> usize {
    let mut moves = MoveList::new();
    checks(walker(sfen).position(), &mut moves);
    moves.len()
}

/// Solves positions without a mate in three within so many nodes each. A mate that is seen must hold; returns how
/// many positions were disproved and how many were left open.
fn deny_all(positions: &[String], nodes: u64) -> (usize, usize) {
    let (mut denied, mut open, mut mates) = (0, 0, 0);
    let mut solver = Solver::new(16);
    for sfen in positions {
        let walker = &mut walker(sfen);
        if count_checks(sfen) == 0 || oracle::mates(walker, 3) {
            continue;
        }
        solver.clear();
        match solver.solve(walker, &limits(nodes)) {
            Verdict::NoMate => denied += 1,
            Verdict::Unknown => open += 1,
            Verdict::Mate(line) => {
                mates += 1;
                assert_eq!(checker::complaint(walker, &line), None);
            }
        }
    }
    println!("{denied} without a mate, {open} open, {mates} long mates, all of which hold");
    (denied, open)
}

#[test]
fn no_mate_is_seen_where_there_is_none() {
    let positions: Vec<String> =
        endings(&records::sample(), 20).into_iter().step_by(5).chain(NO_MATE_1.sample()).collect();
    let (denied, open) = deny_all(&positions, 3_000);
    assert!(denied + open >= 200, "only {denied} and {open}");
    assert!(denied > open, "{denied} denied, {open} open");
}

#[test]
fn brute_force_agrees_where_it_can_look() {
    let (mut mates, mut denied) = (0, 0);
    let mut solver = Solver::new(4);
    for sfen in endings(&records::sample(), 8).iter().step_by(3).chain(&MATE_5.sample()) {
        let walker = &mut walker(sfen);
        // Five plies take long where there are many checks.
        let plies = if count_checks(sfen) <= 4 { 5 } else { 3 };
        solver.clear();
        let verdict = solver.solve(walker, &limits(2_000));
        if oracle::mates(walker, plies) {
            mates += 1;
            assert_ne!(verdict, Verdict::NoMate, "{sfen}: there is a mate in {plies}");
            assert!(plies > 3 || matches!(verdict, Verdict::Mate(_)), "{sfen}: mate in three not seen");
        } else if let Verdict::Mate(line) = verdict {
            // Longer, though the line may be short: it leaves out what is merely thrown in the way.
            assert_eq!(checker::complaint(walker, &line), None);
        } else {
            denied += 1;
        }
    }
    println!("{mates} mates, {denied} without");
    assert!(mates >= 100 && denied >= 200, "{mates} mates, {denied} without: too few to say anything");
}

#[test]
#[ignore = "takes minutes and the shared data"]
fn no_mate_is_seen_where_there_is_none_in_the_shared_data() {
    let positions: Vec<String> =
        endings(&shared::games(150), 30).into_iter().step_by(3).chain(NO_MATE_1.whole()).collect();
    let (denied, open) = deny_all(&positions, 100_000);
    assert!(denied >= 1_000, "only {denied}");
    assert!(denied > 5 * open, "{denied} denied, {open} open");
}
