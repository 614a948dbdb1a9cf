//! Counting move paths: the check that move generation is right, and a measure of its speed.

use std::sync::atomic::{AtomicBool, Ordering};

use super::{Move, MoveList, Walker, legal_moves};

/// Number of move sequences of `depth` plies, or nothing when `stop` was raised before the end.
pub fn perft(walker: &mut Walker, depth: u8, stop: &AtomicBool) -> Option<u64> {
    // One list a ply, reused: a list is 3.5 KB.
    let mut lists = vec![MoveList::new(); usize::from(depth)];
    let nodes = count(walker, &mut lists, stop);
    (!stop.load(Ordering::Relaxed)).then_some(nodes)
}

/// The same for each first move, in the order of generation; `depth` counts that move too.
pub fn divide<'a>(
    walker: &'a mut Walker,
    depth: u8,
    stop: &'a AtomicBool,
) -> impl Iterator<Item = (Move, u64)> + 'a {
    let mut moves = MoveList::new();
    if depth > 0 {
        legal_moves(walker.position(), &mut moves);
    }
    (0..moves.len()).map_while(move |i| {
        walker.apply(moves[i]);
        let nodes = perft(walker, depth - 1, stop);
        walker.undo();
        Some((moves[i], nodes?))
    })
}

fn count(walker: &mut Walker, lists: &mut [MoveList], stop: &AtomicBool) -> u64 {
    let Some((moves, deeper)) = lists.split_last_mut() else {
        return 1;
    };
    legal_moves(walker.position(), moves);
    if deeper.is_empty() {
        return moves.len() as u64;
    }
    // Looking at the flag two plies above the leaves costs nothing and answers within microseconds.
    if deeper.len() >= 2 && stop.load(Ordering::Relaxed) {
        return 0;
    }
    let mut nodes = 0;
    for &mv in moves.iter() {
        walker.apply(mv);
        nodes += count(walker, deeper, stop);
        walker.undo();
    }
    nodes
}
