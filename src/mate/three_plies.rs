//! Mate in three: a check, every evasion, and a mate in one after each.

use arrayvec::ArrayVec;

use crate::shogi::{Move, MoveList, Walker, checks, legal_moves};

use super::one_ply::mate_in_one;

/// The first move of a mate in at most three plies, if one is found; none is reported that is not one. What
/// [`mate_in_one`] leaves out is missing here too.
pub fn mate_in_three(walker: &mut Walker) -> Option<Move> {
    if let Some(mv) = mate_in_one(walker) {
        return Some(mv);
    }
    let mut moves = MoveList::new();
    checks(walker.position(), &mut moves);
    moves.iter().copied().find(|&mv| begins_mate(walker, mv))
}

/// All checks that begin a mate of three plies, as far as it is found and there is room; not those that mate at once.
pub fn mates_in_three<const ROOM: usize>(walker: &mut Walker, found: &mut ArrayVec<Move, ROOM>) {
    let mut moves = MoveList::new();
    checks(walker.position(), &mut moves);
    found.extend(moves.iter().copied().filter(|&mv| begins_mate(walker, mv)).take(ROOM - found.len()));
}

/// Whether the check `mv` leaves the opponent only moves after which he is mated at once.
fn begins_mate(walker: &mut Walker, mv: Move) -> bool {
    walker.apply(mv);
    let mates = every_evasion_loses(walker);
    walker.undo();
    mates
}

/// Whether the side to move, in check, is mated in one whatever it does. An evasion that checks back is
/// answered by a mate that is an evasion itself.
fn every_evasion_loses(walker: &mut Walker) -> bool {
    let mut evasions = MoveList::new();
    legal_moves(walker.position(), &mut evasions);
    !evasions.is_empty()
        && evasions.iter().all(|&evasion| {
            walker.apply(evasion);
            let mated = mate_in_one(walker).is_some();
            walker.undo();
            mated
        })
}
