//! One iteration: select, expand, evaluate, back up.

use rand_pcg::Pcg64Mcg;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use super::expansion::Expansion;
use super::formulas::{Candidate, Form, Formulas, Ground};
use crate::eval::{Network, NetworkEvaluator, Scales};
use crate::playout::{End, MateCheck, Simulation};
use crate::policy::Memory;
use crate::shogi::{Color, Move, PackedMove, Walker, complete};
use crate::tree::proof::Circle;
use crate::tree::{Arena, Edge, Node, NodeId, Proof};

/// What all workers of a search share.
pub struct Session<'a> {
    /// The tree.
    pub arena: &'a Arena,
    /// Where it is searched from.
    pub root: NodeId,
    /// The network, for progress.
    pub network: &'a Network,
    /// How playouts are made.
    pub simulation: Simulation,
    /// How nodes are expanded.
    pub expansion: Expansion,
    /// How children are chosen.
    pub formulas: Formulas,
    /// How mates are looked for when a position enters the tree.
    pub leaf_mate: MateCheck,
    /// Weight of a leaf's own value beside that of its playout.
    pub leaf_weight: f32,
    /// A leaf whose own value is as far from 0 as this gets no playout.
    pub certain: f32,
    /// The visit on which a node is expanded.
    pub expand_visits: u32,
    /// Positions whose candidates a worker remembers.
    pub remembered: usize,
    /// No tree below the root's children.
    pub simple: bool,
    /// Whether only some moves are considered at the root.
    pub restricted: bool,
    /// For every edge of the root whether it gets playouts.
    pub allowed: Vec<AtomicBool>,
    /// What all workers count together.
    pub counters: Counters,
}

/// What every iteration changes. On cache lines of their own: what workers only read must not be fetched anew because
/// another one has counted.
#[derive(Default)]
#[repr(align(128))]
pub struct Counters {
    /// Playouts begun in this search.
    pub begun: AtomicU64,
    /// Playouts ended in this search.
    pub playouts: AtomicU64,
    /// Longest path so far.
    pub deepest: AtomicU32,
    /// Workers end when this is set.
    pub halt: AtomicBool,
}

/// One who makes iterations.
pub struct Worker<'a> {
    session: &'a Session<'a>,
    /// Stands at the root or below it, after the moves of `line`.
    scales: Scales<NetworkEvaluator>,
    /// The root's side to move.
    turn: Color,
    random: Pcg64Mcg,
    memory: Memory,
    /// The nodes of the iteration under way.
    path: Vec<NodeId>,
    /// The moves the scales have made from the root. Iterations go the same way for a while, so they are taken back only
    /// when the next one turns off; the evaluator then knows most of the way too.
    line: Vec<Move>,
}

/// What selection found at a node.
enum Step<'a> {
    /// Go on along this edge, at this place.
    Down(usize, &'a Edge),
    /// No child may be tried yet, or none can be had: play out from here.
    Stay,
    /// Every move is known to lose.
    Lost,
}

impl<'a> Worker<'a> {
    /// A worker whose scales stand at the session's root.
    pub fn new(session: &'a Session<'a>, scales: Scales<NetworkEvaluator>, random: Pcg64Mcg) -> Self {
        let turn = scales.walker().turn();
        Self {
            session,
            scales,
            turn,
            random,
            memory: Memory::new(session.remembered),
            path: Vec::with_capacity(256),
            line: Vec::with_capacity(256),
        }
    }

    /// The random numbers, to go on with later.
    pub fn into_random(self) -> Pcg64Mcg {
        self.random
    }

    /// One iteration.
    pub fn iterate(&mut self) {
        let session = self.session;
        self.path.clear();
        self.enter(session.root);
        let mut id = session.root;
        let mut fresh = false;
        // For the side to move at the last node of the path.
        let reward = loop {
            let node = session.arena.node(id);
            let at_root = id == session.root;
            if fresh {
                self.examine(node);
            }
            if !at_root && let Some(reward) = self.known(node) {
                break reward;
            }
            let waiting = !node.is_expanded() && node.visits() + 1 < session.expand_visits;
            if fresh || waiting || (session.simple && !at_root) {
                break self.play_out();
            }
            if !node.is_expanded() {
                self.settle();
                if !self.expand(id) {
                    // No move, no memory, or another worker is at it.
                    break self.known(node).unwrap_or_else(|| self.play_out());
                }
            }
            match self.select(id, at_root) {
                Step::Stay => break self.play_out(),
                Step::Lost => {
                    self.update_proof(id);
                    break -1.0;
                }
                Step::Down(place, edge) => {
                    let Some((child, new)) = self.child(id, place, edge) else { break self.play_out() };
                    self.step(edge.mv());
                    self.enter(child);
                    (id, fresh) = (child, new);
                }
            }
        };
        self.back_up(reward);
    }

    fn enter(&mut self, id: NodeId) {
        self.session.arena.node(id).enter();
        self.path.push(id);
    }

    /// Plays a move at the last node of the path, unless the scales have made it already.
    fn step(&mut self, mv: PackedMove) {
        let depth = self.path.len() - 1;
        if self.line.get(depth).is_some_and(|made| made.to_move() == mv) {
            return;
        }
        self.settle();
        let mv = complete(self.scales.position(), mv);
        self.scales.apply(mv);
        self.line.push(mv);
    }

    /// Takes the scales back to the last node of the path.
    fn settle(&mut self) {
        while self.line.len() >= self.path.len() {
            self.scales.undo();
            self.line.pop();
        }
    }

    fn play_out(&mut self) -> f32 {
        self.settle();
        let Session { simulation, leaf_weight, certain, .. } = self.session;
        if *leaf_weight <= 0.0 || simulation.depth == 0 {
            return self.simulate();
        }
        let leaf = simulation.reward.here(&mut self.scales);
        if leaf.abs() >= *certain || *leaf_weight >= 1.0 {
            return leaf;
        }
        leaf + (1.0 - leaf_weight) * (self.simulate() - leaf)
    }

    /// What a playout from here says.
    fn simulate(&mut self) -> f32 {
        let Session { simulation, network, remembered, .. } = self.session;
        if *remembered == 0 {
            return simulation.run(&mut self.scales, network, &mut self.random);
        }
        let choose = |walker: &mut Walker, moment, random: &mut Pcg64Mcg| {
            self.memory.candidates(&simulation.policy, walker, moment)?.sample(random)
        };
        simulation.run_by(&mut self.scales, network, &mut self.random, choose)
    }

    /// Looks at a position that has just entered the tree. A node lies on one path only, so what the rules of repetition
    /// say holds for it as long as it is in the tree.
    fn examine(&mut self, node: &Node) {
        self.settle();
        let walker = self.scales.walker();
        let proof = match End::by_rules(walker, self.path.len() as u32 - 1) {
            Some((End::Won, true)) => Proof::Won(1),
            Some((End::Lost, true)) => Proof::Lost(0),
            Some((End::Drawn, true)) => Proof::Drawn,
            Some((End::Won, false)) => Proof::Recurred(Circle::Wins),
            Some((End::Lost, false)) => Proof::Recurred(Circle::Loses),
            Some((End::Drawn, false)) => Proof::Recurred(Circle::Draws),
            None if walker.position().is_in_check() && walker.is_mated() => Proof::Lost(0),
            None => {
                let left = walker.plies_left();
                match self.session.leaf_mate.plies_to_mate(self.scales.probe()) {
                    Some(plies) if u32::from(plies) <= left => Proof::Won(plies),
                    _ => return,
                }
            }
        };
        node.prove(proof);
    }

    /// The value of a node for the side to move where it needs no playout.
    fn known(&self, node: &Node) -> Option<f32> {
        let turn = if self.path.len() % 2 == 1 { self.turn } else { self.turn.flip() };
        let draw = || self.session.simulation.draws.to(turn);
        match node.proof() {
            Proof::Open => None,
            Proof::Won(_) | Proof::Recurred(Circle::Wins) => Some(1.0),
            Proof::Lost(_) | Proof::Recurred(Circle::Loses) => Some(-1.0),
            Proof::Drawn | Proof::Recurred(Circle::Draws) => Some(draw()),
        }
    }

    /// Gives a node its edges; false where there are none to give, or another worker is giving them: a playout from here is
    /// better than waiting for that one.
    #[cold]
    fn expand(&mut self, id: NodeId) -> bool {
        let node = self.session.arena.node(id);
        let Some(_guard) = self.session.arena.try_lock(id) else { return false };
        if !node.is_expanded() {
            let Session { arena, expansion, formulas, .. } = self.session;
            expansion.expand(arena, id, self.scales.probe(), formulas);
        }
        node.is_expanded()
    }

    /// Gives a node more edges where all it has have been tried, unless another worker is at it.
    #[cold]
    fn widen(&mut self, id: NodeId, stored: usize) {
        let node = self.session.arena.node(id);
        let Some(_guard) = self.session.arena.try_lock(id) else { return };
        if node.stored() == stored {
            let Session { arena, expansion, formulas, .. } = self.session;
            expansion.widen(arena, id, self.scales.probe(), formulas);
        }
    }

    /// The edge to follow.
    fn select(&mut self, id: NodeId, at_root: bool) -> Step<'a> {
        let Session { arena, formulas, allowed, .. } = self.session;
        let node = arena.node(id);
        let width = formulas.width(node.visits());
        if width == 0 && !at_root {
            return Step::Stay;
        }
        let (stored, reached) = (node.stored(), node.reached());
        if reached == stored && stored < node.moves() && width > reached {
            self.settle();
            self.widen(id, stored);
        }
        let seen = node.statistics();
        // The node's own statistics are for the other side; those under way say nothing of its value.
        let value = if seen.visits > 0 { -(seen.sum / f64::from(seen.visits)) as f32 } else { 0.0 };
        let ground = formulas.ground((seen.visits + seen.in_flight) as f32, at_root);
        let mut best: Option<(usize, &Edge)> = None;
        let mut highest = f32::NEG_INFINITY;
        let mut untried: Option<(usize, &Edge)> = None;
        let (mut tried_prior, mut tried, mut passed_over) = (0.0, 0, 0);
        let end = if at_root { stored } else { reached + 1 };
        for (place, edge) in arena.edges(id, end).enumerate() {
            if at_root && !allowed[place].load(Ordering::Relaxed) {
                passed_over += 1;
                continue;
            }
            let Some(child) = edge.child() else {
                untried = untried.or(Some((place, edge)));
                continue;
            };
            tried += 1;
            let prior = edge.prior();
            tried_prior += prior;
            let child = arena.node(child);
            let bound = match child.proof() {
                Proof::Lost(_) => return Step::Down(place, edge),
                // What is known to lose needs no more playouts.
                Proof::Won(_) => continue,
                _ => self.bound(ground, child, prior),
            };
            if bound > highest {
                (highest, best) = (bound, Some((place, edge)));
            }
        }
        if let Some((place, edge)) = untried
            && (tried < width.max(usize::from(at_root)) || best.is_none())
        {
            let mean = if formulas.form == Form::Puct {
                formulas.first_play(value, tried_prior, at_root)
            } else {
                0.0
            };
            let unseen = Candidate { visits: 0.0, mean, prior: edge.prior(), variance: 0.0 };
            if best.is_none() || formulas.bound(ground, unseen) > highest {
                best = Some((place, edge));
            }
        }
        match best {
            Some((place, edge)) => Step::Down(place, edge),
            None if node.stored() == node.moves() && passed_over == 0 => Step::Lost,
            None => Step::Stay,
        }
    }

    #[inline]
    fn bound(&self, ground: Ground, child: &Node, prior: f32) -> f32 {
        let formulas = &self.session.formulas;
        let (visits, mean) = formulas.count(child.statistics());
        let variance = if formulas.form == Form::UcbTuned { child.variance() } else { 0.0 };
        formulas.bound(ground, Candidate { visits, mean, prior, variance })
    }

    /// The node behind an edge, and whether it is new; nothing where there is no memory.
    fn child(&self, id: NodeId, place: usize, edge: &Edge) -> Option<(NodeId, bool)> {
        if let Some(child) = edge.child() {
            return Some((child, false));
        }
        let _guard = self.session.arena.lock(id);
        if let Some(child) = edge.child() {
            return Some((child, false));
        }
        let child = self.session.arena.new_node()?;
        edge.set_child(Some(child));
        self.session.arena.node(id).reach(place);
        Some((child, true))
    }

    /// Counts the reward, which is for the side to move at the last node of the path, all the way up.
    fn back_up(&mut self, reward: f32) {
        let session = self.session;
        let mut reward = -reward;
        let mut here = true;
        let mut proving = false;
        for place in (0..self.path.len()).rev() {
            let id = self.path[place];
            if proving {
                self.update_proof(id);
            }
            let node = session.arena.node(id);
            proving = (here || proving) && node.proof().is_certain();
            node.leave(reward, here);
            reward = -reward;
            here = false;
        }
        let Counters { deepest, playouts, .. } = &session.counters;
        let depth = self.path.len() as u32 - 1;
        if depth > deepest.load(Ordering::Relaxed) {
            deepest.fetch_max(depth, Ordering::Relaxed);
        }
        playouts.fetch_add(1, Ordering::Relaxed);
    }

    /// What follows for a node from its children.
    fn update_proof(&self, id: NodeId) {
        update_proof(self.session, id);
    }
}

/// Proves a node by its children, where they do.
pub fn update_proof(session: &Session, id: NodeId) {
    let node = session.arena.node(id);
    // With some moves left out nothing is said about the position.
    if id == session.root && session.restricted {
        return;
    }
    let edges = || session.arena.all_edges(id);
    let complete = node.stored() == node.moves() && edges().all(|edge| edge.child().is_some());
    let children = edges().filter_map(Edge::child).map(|child| session.arena.node(child).proof());
    let proof = Proof::of_parent(children, complete);
    if proof.is_certain() {
        node.prove(proof);
    }
}
