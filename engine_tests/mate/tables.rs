//! What is remembered from earlier questions never makes an answer wrong.

use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::SeedableRng;

use tenbin::mate::dfpn::{Limits, Solver, Verdict};

use super::checker;
use super::positions::{MATE_3, MATE_5, MATE_7, MATE_9, NO_MATE_1, endings, walker};
use crate::records;

fn solve(solver: &mut Solver, sfen: &str, nodes: u64) -> Verdict {
    solver.solve(&mut walker(sfen), &Limits { nodes, stop: &|| false })
}

/// Whether one says mate and the other that there is none.
fn contradict(a: &Verdict, b: &Verdict) -> bool {
    matches!((a, b), (Verdict::Mate(_), Verdict::NoMate) | (Verdict::NoMate, Verdict::Mate(_)))
}

#[test]
fn a_small_table_that_is_never_cleared_solves_one_problem_after_another() {
    let mut kept = Solver::new(1);
    for set in [MATE_3, NO_MATE_1, MATE_5, MATE_7, MATE_9] {
        for sfen in set.sample() {
            let with_memory = solve(&mut kept, &sfen, 1_000_000);
            let fresh = solve(&mut Solver::new(8), &sfen, 1_000_000);
            assert!(!contradict(&with_memory, &fresh), "{sfen}: {with_memory:?}, but fresh {fresh:?}");
            if set.name != NO_MATE_1.name {
                let Verdict::Mate(line) = with_memory else { panic!("{sfen}: {with_memory:?}") };
                assert_eq!(checker::complaint(&mut walker(&sfen), &line), None);
            }
        }
    }
}

#[test]
fn a_shared_table_never_contradicts_an_empty_one() {
    const NODES: u64 = 600;
    let mut positions = endings(&records::sample(), 10);
    positions.shuffle(&mut Pcg64Mcg::seed_from_u64(1));
    let mut kept = Solver::new(16);
    let (mut mates, mut denied) = (0, 0);
    for sfen in &positions {
        let with_memory = solve(&mut kept, sfen, NODES);
        let fresh = solve(&mut Solver::new(1), sfen, NODES);
        assert!(!contradict(&with_memory, &fresh), "{sfen}: {with_memory:?}, but fresh {fresh:?}");
        mates += usize::from(matches!(with_memory, Verdict::Mate(_)));
        denied += usize::from(with_memory == Verdict::NoMate);
    }
    println!("{} positions: {mates} mates, {denied} without", positions.len());
    assert!(mates >= 200 && denied >= 500, "{mates} mates, {denied} without: too few to say anything");
}

#[test]
fn a_shared_table_tells_apart_what_the_defender_holds() {
    const NODES: u64 = 600;
    let mut kept = Solver::new(16);
    let mut different = 0;
    for full in endings(&records::sample(), 10).iter().step_by(3) {
        let empty_handed = without_defenders_hand(full);
        let verdicts = [full, &empty_handed].map(|sfen| {
            let with_memory = solve(&mut kept, sfen, NODES);
            let fresh = solve(&mut Solver::new(1), sfen, NODES);
            assert!(!contradict(&with_memory, &fresh), "{sfen}: {with_memory:?}, but fresh {fresh:?}");
            fresh
        });
        different += usize::from(contradict(&verdicts[0], &verdicts[1]));
    }
    println!("what the defender holds decided {different} times");
    assert!(different >= 1, "the hand decided nothing");
}

/// The position of an SFEN without what the side that is not to move holds.
fn without_defenders_hand(sfen: &str) -> String {
    let words: Vec<&str> = sfen.split(' ').collect();
    let is_attackers =
        |c: char| if words[1] == "b" { c.is_ascii_uppercase() } else { c.is_ascii_lowercase() };
    let (mut hand, mut number) = (String::new(), String::new());
    for c in words[2].chars() {
        if c.is_ascii_digit() {
            number.push(c);
            continue;
        }
        if is_attackers(c) {
            hand.push_str(&number);
            hand.push(c);
        }
        number.clear();
    }
    let hand = if hand.is_empty() { "-" } else { &hand };
    format!("{} {} {hand} 1", words[0], words[1])
}
