//! What is hard about long mates: repetition, pawn-drop mate, pieces thrown in the way, one king, and stopping.

use std::cell::Cell;
use std::time::{Duration, Instant};

use tenbin::mate::dfpn::{Limits, Solver, Verdict};
use tenbin::shogi::Move;

use super::positions::walker;
use super::{checker, oracle};

/// No mate, but it takes some ten thousand nodes to know.
const LABOUR: &str = "8k/7p1/6G2/9/9/9/9/9/R3K4 b Grb2s 1";

fn solve(sfen: &str) -> Verdict {
    Solver::new(16).solve(&mut walker(sfen), &Limits { nodes: 1_000_000, stop: &|| false })
}

/// The line of a mate, which must hold.
fn line_of(sfen: &str) -> Vec<Move> {
    let Verdict::Mate(line) = solve(sfen) else { panic!("{sfen}: no mate found") };
    assert_eq!(checker::complaint(&mut walker(sfen), &line), None);
    line
}

#[test]
fn checks_that_only_repeat_are_no_mate() {
    for sfen in [
        // A king alone is chased over the whole board.
        "4k4/9/9/9/9/9/9/9/+R8 b - 1",
        "8k/9/9/9/9/9/9/9/+R8 b - 1",
        "4k4/9/9/9/9/9/9/9/+R3K4 b - 1",
        "+r8/9/9/9/4K4/9/9/9/8k w - 1",
    ] {
        let verdict = solve(sfen);
        assert_eq!(verdict, Verdict::NoMate, "{sfen}");
    }
}

#[test]
fn one_king_is_enough() {
    let line = line_of("k8/9/K8/9/9/9/9/9/9 b Rp 1");
    assert_eq!(line.len(), 3);
    assert_eq!(line_of("4k4/9/4P4/9/9/9/9/9/9 b GS 1").len(), 1);
    assert_eq!(solve("4k4/9/4P4/9/9/9/9/9/9 b 2S 1"), Verdict::NoMate);
    assert_eq!(solve("9/9/4P4/9/9/9/9/9/4K4 b G 1"), Verdict::NoMate);
    assert_eq!(solve("9/9/4P4/9/9/9/9/9/9 b G 1"), Verdict::NoMate);
}

#[test]
fn a_pawn_dropped_to_mate_is_no_mate_and_a_rook_may_refuse_to_promote_for_it() {
    assert_eq!(solve("3nkn3/9/4G4/9/9/9/9/9/4K4 b P 1"), Verdict::NoMate);
    for (sfen, first) in [
        ("4S1k1+P/5+r3/7+B1/9/8R/9/9/9/4K4 b SP 1", "1e3e"),
        ("3R3p1/9/5+B1k1/9/7B1/9/9/9/3K5 b NP 1", "6a2a"),
        ("4n3k/9/5+P3/7S1/3+r2R2/9/9/9/5K3 b P 1", "3e3a"),
    ] {
        let only: Vec<String> =
            oracle::mating_moves(&mut walker(sfen), 5).iter().map(|mv| mv.to_usi()).collect();
        assert_eq!(only, [first], "the case is wrong");
        assert_eq!(line_of(sfen)[0].to_usi(), first, "{sfen}");
    }
}

#[test]
fn nothing_is_thrown_in_the_way_where_there_is_a_better_defence() {
    // The king steps aside, and whatever is dropped on the ninth file is taken.
    let line = line_of("k8/9/1S7/9/9/9/9/9/8R b 2gp 1");
    assert!(line.iter().skip(1).step_by(2).all(|mv| !mv.is_drop()), "{}", checker::text(&line));
    // Here drops are all that is left.
    let line = line_of("8k/9/6NG1/9/9/9/9/9/R3K4 b 2g2sp 1");
    assert!(line.len() <= 7, "{}", checker::text(&line));
}

#[test]
fn no_more_nodes_than_allowed() {
    for nodes in [1, 2, 10, 100, 1_000, 10_000] {
        let mut solver = Solver::new(1);
        let verdict = solver.solve(&mut walker(LABOUR), &Limits { nodes, stop: &|| false });
        assert_eq!(verdict, Verdict::Unknown);
        assert!(solver.nodes() <= nodes + 1, "{} of {nodes} nodes", solver.nodes());
    }
    assert_eq!(solve(LABOUR), Verdict::NoMate, "and with enough of them it is decided");
}

#[test]
fn a_stop_is_obeyed_at_once() {
    for asked_before in [0, 1, 20] {
        let (asked, told) = (Cell::new(0), Cell::new(None));
        let stop = || {
            asked.set(asked.get() + 1);
            let now = asked.get() > asked_before;
            if now && told.get().is_none() {
                told.set(Some(Instant::now()));
            }
            now
        };
        let mut solver = Solver::new(1);
        let verdict = solver.solve(&mut walker(LABOUR), &Limits { nodes: u64::MAX, stop: &stop });
        let late = told.get().expect("it asks").elapsed();
        assert_eq!(verdict, Verdict::Unknown);
        assert!(late < Duration::from_millis(500), "stopped after {late:?}");
        // Undisturbed it would take fifty times as many.
        let nodes = solver.nodes();
        assert!(nodes < 1_000 * (asked_before + 1), "{nodes} nodes, told at question {}", asked_before + 1);
    }
}

#[test]
fn what_was_left_undecided_can_be_decided_later() {
    let mut solver = Solver::new(16);
    let mut walker = walker(LABOUR);
    for _ in 0..3 {
        assert_eq!(solver.solve(&mut walker, &Limits { nodes: 2_000, stop: &|| false }), Verdict::Unknown);
    }
    let verdict = solver.solve(&mut walker, &Limits { nodes: 1_000_000, stop: &|| false });
    assert_eq!(verdict, Verdict::NoMate);
}
