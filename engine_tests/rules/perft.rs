//! Counts of move paths that many programs agree on.

use std::sync::atomic::AtomicBool;

use tenbin::shogi::perft::{divide, perft};
use tenbin::shogi::{Rules, STARTPOS, Walker, parse_sfen};

/// Drops of many kinds on an open board.
const DROPS: &str = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";
/// A middlegame with pins, promotions and drops.
const BATTLE: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";

fn walker(sfen: &str) -> Walker {
    Walker::new(parse_sfen(sfen).expect("a sound position"), Rules::default())
}

fn check(sfen: &str, first_depth: u8, counts: &[u64]) {
    let mut walker = walker(sfen);
    for (depth, &expected) in (first_depth..).zip(counts) {
        let nodes = perft(&mut walker, depth, &AtomicBool::new(false));
        assert_eq!(nodes, Some(expected), "depth {depth} of {sfen}");
    }
    assert_eq!(walker.position().to_sfen(None), sfen, "counting leaves the position as it was");
}

#[test]
fn counts_from_the_starting_position() {
    check(STARTPOS, 0, &[1, 30, 900, 25_470, 719_731, 19_861_490]);
}

/// Slow: about ten seconds.
#[test]
#[ignore = "takes long; run with --ignored"]
fn counts_from_the_starting_position_at_depth_six() {
    check(STARTPOS, 6, &[547_581_517]);
}

#[test]
fn counts_where_drops_abound() {
    check(DROPS, 1, &[593, 105_677, 53_393_368]);
}

#[test]
fn counts_in_a_middlegame() {
    check(BATTLE, 1, &[207, 28_684, 4_809_015]);
}

#[test]
fn division_by_first_move_sums_to_the_count() {
    for (sfen, depth, expected) in [(STARTPOS, 4, 719_731), (BATTLE, 2, 28_684), (STARTPOS, 1, 30)] {
        let stop = AtomicBool::new(false);
        let mut walker = walker(sfen);
        let (moves, nodes): (Vec<_>, Vec<u64>) = divide(&mut walker, depth, &stop).unzip();
        assert_eq!(nodes.iter().sum::<u64>(), expected, "{sfen}");
        let different: std::collections::HashSet<u32> = moves.iter().map(|mv| mv.raw()).collect();
        assert_eq!(different.len(), moves.len(), "every first move is listed once");
    }
    assert_eq!(divide(&mut walker(STARTPOS), 0, &AtomicBool::new(false)).count(), 0);
}

#[test]
fn a_raised_flag_gives_no_count() {
    for depth in [1, 3, 60] {
        let mut walker = walker(STARTPOS);
        assert_eq!(perft(&mut walker, depth, &AtomicBool::new(true)), None, "depth {depth}");
        assert_eq!(divide(&mut walker, depth, &AtomicBool::new(true)).count(), 0, "depth {depth}");
        assert_eq!(walker.position().to_sfen(None), STARTPOS);
    }
}
