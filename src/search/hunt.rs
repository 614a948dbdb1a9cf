//! Mates looked for by proof numbers from the root and along the principal line, beside the playouts.

use super::Control;
use super::choice::{FoundMates, RootMove, principal_nodes};
use super::iteration::{Session, update_proof};
use crate::mate::dfpn::{Limits, Solver, Verdict};
use crate::shogi::Walker;
use crate::tree::Proof;

/// A position where a search ended undecided gets this many times the nodes the next time.
const GROWTH: u64 = 4;

/// So many searches from a position are enough.
const MOST: u16 = 5;

/// Positions of the principal line that are looked at.
const DEEPEST: usize = 12;

/// Mate searches of one search of the tree.
pub struct Hunt {
    /// Nodes of the first search from a position; 0 for no searches.
    pub nodes: u64,
    /// What was found.
    pub found: FoundMates,
}

impl Hunt {
    /// One mate search: from the position of the principal line where it costs least, the earlier the better. The proof goes
    /// up to the root. Returns the nodes it took.
    pub fn look(
        &mut self,
        session: &Session,
        walker: &Walker,
        first: &RootMove,
        solver: &mut Solver,
        control: &Control,
    ) -> u64 {
        if self.nodes == 0 {
            return 0;
        }
        let line = principal_nodes(session.arena, session.root, first, walker);
        // What either side can do at once matters most: the root, and the position after the move that would be played.
        let cost = |place: usize, hunted: u16| GROWTH.pow(u32::from(hunted)) * (place.max(1) as u64).pow(2);
        let next = line
            .iter()
            .enumerate()
            .take(DEEPEST)
            .filter(|(_, (id, _))| {
                let node = session.arena.node(*id);
                node.hunted() < MOST && !node.proof().is_certain()
            })
            .min_by_key(|(place, (id, _))| cost(*place, session.arena.node(*id).hunted()));
        let Some((place, &(id, _))) = next else { return 0 };
        let node = session.arena.node(id);
        let mut walker = walker.fork();
        line[..place].iter().for_each(|&(_, mv)| walker.apply(mv));
        if walker.outcome().is_some() && place > 0 {
            // The game is over there; not to be looked at again.
            (0..MOST).for_each(|_| node.hunt());
            return 0;
        }
        let nodes = self.nodes * GROWTH.pow(u32::from(node.hunted()));
        node.hunt();
        let limits = Limits { nodes, stop: &|| control.should_stop() };
        match solver.solve(&mut walker, &limits) {
            Verdict::Mate(mates) if mates.len() as u32 <= walker.plies_left() => {
                node.prove(Proof::Won(mates.len() as u16));
                self.found.push((id, mates));
                for &(above, _) in line[..place].iter().rev() {
                    update_proof(session, above);
                    if !session.arena.node(above).proof().is_certain() {
                        break;
                    }
                }
            }
            Verdict::NoMate => (0..MOST).for_each(|_| node.hunt()),
            Verdict::Mate(_) | Verdict::Unknown => {}
        }
        solver.nodes()
    }
}
