//! What the search has found: the root's moves in order, the lines behind them, and the move to play.

use super::formulas::{Formulas, standard_error};
use super::iteration::Session;
use super::{Line, Score};
use crate::mate::dfpn::{Limits, Solver, Verdict};
use crate::playout::reward;
use crate::shogi::{Move, MoveList, PackedMove, Walker, complete, legal_moves};
use crate::tree::{Arena, Node, NodeId, Proof};

/// Nodes to find the rest of a mate that is known to be there, all its branches together: somebody waits for the answer.
const MATE_NODES: u64 = 20_000;

/// No line is shown longer, mates apart.
const LONGEST: usize = 64;

/// A move of the root and what is known of it.
#[derive(Clone, Debug)]
pub struct RootMove {
    /// The move.
    pub mv: Move,
    /// The node behind it, once tried.
    pub node: Option<NodeId>,
    /// The policy's probability.
    pub prior: f32,
    /// Playouts.
    pub visits: u32,
    /// Their mean reward for the side to move at the root.
    pub mean: f32,
    /// Their variance.
    pub variance: f32,
    /// What is proved for the opponent after it.
    pub proof: Proof,
}

impl RootMove {
    /// Wins before what is open before losses; fast wins and slow losses first.
    fn class(&self) -> i32 {
        match self.proof {
            Proof::Lost(plies) => 1_000_000 - i32::from(plies),
            Proof::Won(plies) => -1_000_000 + i32::from(plies),
            _ => 0,
        }
    }

    /// Whether it is known to win.
    pub fn wins(&self) -> bool {
        matches!(self.proof, Proof::Lost(_))
    }

    /// Whether it is known to lose.
    pub fn loses(&self) -> bool {
        matches!(self.proof, Proof::Won(_))
    }

    /// Its statistics for people.
    pub fn describe(&self) -> String {
        format!(
            "{} visits {} mean {:.4} prior {:.4} error {:.4}",
            self.mv.to_usi(),
            self.visits,
            self.mean,
            self.prior,
            standard_error(self.variance, self.visits)
        )
    }
}

/// The moves of the root that are considered, the best first. `filter` leaves out others.
pub fn ranked(
    arena: &Arena,
    root: NodeId,
    walker: &Walker,
    filter: &[Move],
    formulas: &Formulas,
) -> Vec<RootMove> {
    let mut moves: Vec<RootMove> = arena
        .all_edges(root)
        .map(|edge| {
            let mv = complete(walker.position(), edge.mv());
            let node = edge.child();
            let found = node.map(|id| arena.node(id));
            RootMove {
                mv,
                node,
                prior: edge.prior(),
                visits: found.map_or(0, Node::visits),
                mean: found.map_or(0.0, Node::mean),
                variance: found.map_or(0.0, Node::variance),
                proof: found.map_or(Proof::Open, Node::proof),
            }
        })
        .filter(|found| filter.is_empty() || filter.contains(&found.mv))
        .collect();
    // Stable, and edges stand by falling prior: among equals the likelier comes first.
    moves.sort_by_key(|found| (std::cmp::Reverse(found.class()), std::cmp::Reverse(found.visits)));
    prefer_lower_bound(&mut moves, formulas);
    moves
}

/// Brings the move whose mean is surely highest to the front, where it has been tried enough.
fn prefer_lower_bound(moves: &mut [RootMove], formulas: &Formulas) {
    let Some(first) = moves.first() else { return };
    let (class, most) = (first.class(), first.visits);
    if class != 0 {
        return;
    }
    let bound = |found: &RootMove| formulas.lower_bound(found.mean, found.variance, found.visits);
    let mut best = 0;
    for (place, found) in moves.iter().enumerate().skip(1) {
        let eligible = found.class() == 0 && formulas.is_eligible(found.visits, most);
        if eligible && bound(found) > bound(&moves[best]) {
            best = place;
        }
    }
    moves[..=best].rotate_right(1);
}

/// A mate that was found from a node by proof numbers: it has no nodes to show it.
pub type FoundMates = Vec<(NodeId, Vec<Move>)>;

/// The lines of the best moves as they are reported.
pub fn lines(
    session: &Session,
    walker: &Walker,
    moves: &[RootMove],
    count: usize,
    mates: &FoundMates,
    solver: &mut Solver,
) -> Vec<Line> {
    let playouts = session.counters.playouts.load(std::sync::atomic::Ordering::Relaxed);
    let root_mean = -session.arena.node(session.root).mean();
    let deepest = session.counters.deepest.load(std::sync::atomic::Ordering::Relaxed);
    let mut walker = walker.fork();
    moves
        .iter()
        .take(count.max(1))
        .map(|found| {
            let (pv, mated) = behind(session.arena, &mut walker, found, mates, solver);
            let plies = |proved: u16| if mated { pv.len() as u32 } else { u32::from(proved) + 1 };
            let score = match found.proof {
                Proof::Lost(left) => Score::Mates(plies(left)),
                Proof::Won(left) => Score::Mated(plies(left)),
                Proof::Drawn => Score::Cp(reward::to_cp(session.simulation.draws.to(walker.turn()))),
                _ if found.visits == 0 => Score::Cp(reward::to_cp(root_mean)),
                _ => Score::Cp(reward::to_cp(found.mean)),
            };
            Line {
                depth: pv.len() as u32,
                seldepth: deepest.max(pv.len() as u32),
                score,
                nodes: playouts,
                hashfull: session.arena.fullness().min(1000),
                pv,
            }
        })
        .collect()
}

/// The moves of the principal line from a root move on, with whether they end in mate.
fn behind(
    arena: &Arena,
    walker: &mut Walker,
    found: &RootMove,
    mates: &FoundMates,
    solver: &mut Solver,
) -> (Vec<Move>, bool) {
    let mut pv = vec![found.mv];
    walker.apply(found.mv);
    let mut at = found.node;
    while let Some(id) = at {
        if pv.len() >= LONGEST && !arena.node(id).proof().is_certain() {
            break;
        }
        let Some((mv, child)) = best_child(arena, id, walker) else {
            if arena.node(id).proof().is_certain() {
                let rest = rest_of_mate(walker, id, arena.node(id).proof(), mates, solver);
                for &mv in &rest {
                    walker.apply(mv);
                }
                pv.extend(rest);
            }
            break;
        };
        walker.apply(mv);
        pv.push(mv);
        at = Some(child);
    }
    let mated = walker.is_mated();
    for _ in &pv {
        walker.undo();
    }
    (pv, mated)
}

/// The child to follow: the proved one of a proved node, else the most visited that does not lose.
fn best_child(arena: &Arena, id: NodeId, walker: &Walker) -> Option<(Move, NodeId)> {
    let children = arena.all_edges(id).filter_map(|edge| Some((edge, edge.child()?)));
    let key = |child: NodeId| {
        let node = arena.node(child);
        match (arena.node(id).proof(), node.proof()) {
            (Proof::Won(_), Proof::Lost(plies)) => Some((2, u32::from(u16::MAX - plies))),
            (Proof::Lost(_), Proof::Won(plies)) => Some((2, u32::from(plies))),
            // A mate that was not found in the tree is not shown by the tree.
            (Proof::Won(_) | Proof::Lost(_), _) => None,
            (_, Proof::Won(plies)) => Some((0, u32::from(plies))),
            _ if node.visits() == 0 => None,
            _ => Some((1, node.visits())),
        }
    };
    let mut best: Option<((u32, u32), PackedMove, NodeId)> = None;
    for (edge, child) in children {
        if let Some(key) = key(child)
            && best.is_none_or(|(highest, ..)| key > highest)
        {
            best = Some((key, edge.mv(), child));
        }
    }
    best.map(|(_, mv, child)| (complete(walker.position(), mv), child))
}

/// The nodes of the principal line with the moves between them, from the root on.
pub fn principal_nodes(
    arena: &Arena,
    root: NodeId,
    first: &RootMove,
    walker: &Walker,
) -> Vec<(NodeId, Move)> {
    let mut walker = walker.fork();
    let mut nodes = vec![(root, first.mv)];
    let mut at = first.node;
    walker.apply(first.mv);
    while let Some(id) = at
        && nodes.len() < LONGEST
    {
        let next = best_child(arena, id, &walker);
        nodes.push((id, next.map_or(Move::default(), |(mv, _)| mv)));
        at = next.map(|(mv, child)| {
            walker.apply(mv);
            child
        });
    }
    nodes
}

/// The moves of a mate that is proved but whose nodes are not there.
fn rest_of_mate(
    walker: &mut Walker,
    id: NodeId,
    proof: Proof,
    mates: &FoundMates,
    solver: &mut Solver,
) -> Vec<Move> {
    if let Some((_, line)) = mates.iter().find(|(node, _)| *node == id) {
        return line.clone();
    }
    let mut left = MATE_NODES;
    let mut solve = |walker: &mut Walker| {
        let verdict = solver.solve(walker, &Limits { nodes: left, stop: &|| false });
        left = left.saturating_sub(solver.nodes());
        if let Verdict::Mate(line) = verdict { Some(line) } else { None }
    };
    match proof {
        Proof::Won(_) => solve(walker).unwrap_or_default(),
        Proof::Lost(_) => {
            let mut moves = MoveList::new();
            legal_moves(walker.position(), &mut moves);
            let mut longest = Vec::new();
            for &mv in moves.iter() {
                walker.apply(mv);
                let line = solve(walker);
                walker.undo();
                let Some(line) = line else { return Vec::new() };
                if line.len() >= longest.len() {
                    longest = std::iter::once(mv).chain(line).collect();
                }
            }
            longest
        }
        _ => Vec::new(),
    }
}
