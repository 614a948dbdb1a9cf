//! Where the root is in a tree that was grown before: forwards and backwards in the same game, what was found is kept.

use super::expansion::Expansion;
use super::formulas::Formulas;
use crate::shogi::{Move, PackedMove, Rules, Walker};
use crate::tree::{Arena, Edge, NodeId};

/// Which game the tree belongs to and where it begins.
#[derive(Clone, Debug)]
pub struct Seat {
    /// The position the game began with.
    start: u64,
    rules: Rules,
    /// Moves from there to the oldest node.
    moves: Vec<Move>,
    base: NodeId,
}

/// A number for the position a walker's game began with.
fn start_of(walker: &Walker) -> u64 {
    let mut walker = walker.fork();
    walker.moves().iter().for_each(|_| walker.undo());
    // The same position at another move number is another game: the last permitted move is nearer or further.
    walker.position().key().low_u64() ^ u64::from(walker.move_number()).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Grows what is missing between the tree and a root.
struct Path<'a> {
    arena: &'a Arena,
    expansion: &'a Expansion,
    formulas: &'a Formulas,
}

impl Path<'_> {
    /// The edge of a move, which is made if need be; nothing where memory is out.
    fn edge(&self, id: NodeId, walker: &Walker, mv: Move) -> Option<&Edge> {
        let find = |mv: PackedMove| {
            let place = self.arena.all_edges(id).position(|edge| edge.mv() == mv)?;
            self.arena.node(id).reach(place);
            self.arena.all_edges(id).nth(place)
        };
        find(mv.to_move()).or_else(|| {
            self.expansion.make_root(self.arena, id, walker, &[mv], self.formulas);
            find(mv.to_move())
        })
    }

    /// The node behind a move, which is made if need be.
    fn child(&self, id: NodeId, walker: &Walker, mv: Move) -> Option<NodeId> {
        let edge = self.edge(id, walker, mv)?;
        edge.child().or_else(|| {
            let child = self.arena.new_node()?;
            edge.set_child(Some(child));
            Some(child)
        })
    }
}

/// Finds or makes the root for a walker. Returns the nodes from the oldest to the root; where nothing can be kept the
/// tree begins anew. While nobody works on the tree.
pub fn find(
    seat: &mut Option<Seat>,
    arena: &Arena,
    walker: &Walker,
    expansion: &Expansion,
    formulas: &Formulas,
) -> Vec<NodeId> {
    let path = Path { arena, expansion, formulas };
    let start = start_of(walker);
    if let Some(old) = seat
        && old.start == start
        && old.rules == walker.rules()
        && let Some(chain) = reach(old, &path, walker)
    {
        return chain;
    }
    arena.clear();
    let base = arena.new_node().expect("an empty arena has a node");
    *seat = Some(Seat { start, rules: walker.rules(), moves: walker.moves(), base });
    vec![base]
}

/// The nodes from the oldest to the walker's position; nothing where memory is out.
fn reach(seat: &mut Seat, path: &Path, walker: &Walker) -> Option<Vec<NodeId>> {
    let moves = walker.moves();
    let common = seat.moves.iter().zip(&moves).take_while(|(old, new)| old == new).count();
    let mut here = walker.fork();
    moves[common..].iter().for_each(|_| here.undo());
    if common < seat.moves.len() {
        go_back(seat, path, &here, common)?;
    }
    // Forwards from the base, which is now at the common position or before it.
    let from = seat.moves.len();
    moves[from..common].iter().for_each(|_| here.undo());
    let mut chain = vec![seat.base];
    for &mv in &moves[from..] {
        let last = *chain.last()?;
        chain.push(path.child(last, &here, mv)?);
        here.apply(mv);
    }
    Some(chain)
}

/// Puts a new oldest node at the first `common` moves, with the old one below it.
fn go_back(seat: &mut Seat, path: &Path, here: &Walker, common: usize) -> Option<()> {
    let base = path.arena.new_node()?;
    let mut chain = vec![base];
    let mut walker = here.fork();
    let (&last, between) = seat.moves[common..].split_last()?;
    for &mv in between {
        let child = path.child(*chain.last()?, &walker, mv)?;
        chain.push(child);
        walker.apply(mv);
    }
    path.edge(*chain.last()?, &walker, last)?.set_child(Some(seat.base));
    // What was counted below counts above too.
    let mut below = seat.base;
    for &id in chain.iter().rev() {
        path.arena.node(id).adopt(path.arena.node(below));
        below = id;
    }
    seat.base = base;
    seat.moves.truncate(common);
    Some(())
}
