//! Mates by brute force: every legal move, every reply, nothing clever. Shares no code with `src/mate`.

use tenbin::shogi::{Move, MoveList, Walker, legal_moves};

/// Every legal move.
pub fn moves(walker: &Walker) -> MoveList {
    let mut list = MoveList::new();
    legal_moves(walker.position(), &mut list);
    list
}

/// Whether the side to move is in check and has no legal move.
pub fn is_mate(walker: &Walker) -> bool {
    walker.position().is_in_check() && moves(walker).is_empty()
}

/// Every move with which the side to move mates in at most so many plies, by checks only.
pub fn mating_moves(walker: &mut Walker, plies: u32) -> Vec<Move> {
    moves(walker).iter().copied().filter(|&mv| mates_by(walker, mv, plies)).collect()
}

/// Whether the side to move mates in at most so many plies, by checks only.
pub fn mates(walker: &mut Walker, plies: u32) -> bool {
    moves(walker).iter().any(|&mv| mates_by(walker, mv, plies))
}

/// Whether this legal move begins a mate in at most so many plies: it checks, and every reply loses.
pub fn mates_by(walker: &mut Walker, mv: Move, plies: u32) -> bool {
    walker.apply(mv);
    let lost = walker.position().is_in_check()
        && if plies <= 2 { moves(walker).is_empty() } else { every_reply_loses(walker, plies - 1) };
    walker.undo();
    lost
}

fn every_reply_loses(walker: &mut Walker, plies: u32) -> bool {
    moves(walker).iter().all(|&reply| {
        walker.apply(reply);
        let lost = mates(walker, plies - 1);
        walker.undo();
        lost
    })
}
