//! A small alpha-beta player: the opponent that Monte-Carlo is measured against, on any evaluation.
//!
//! To a fixed depth or for a fixed time, deepening ply by ply; quiescence at the leaves, a table of positions;
//! captures, killers and history for the order of moves. Late quiet moves are searched less deeply first, and near the
//! leaves what stands far outside the window is cut: without that depth 6 takes seconds.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::order::Order;
use super::table::{Bound, Memory, Table};
use crate::eval::quiescence::quiescence;
use crate::eval::{Evaluator, MATE, MATE_BOUND, Network, NetworkEvaluator, Scales};
use crate::mate::dfpn::{Limits, Solver, Verdict};
use crate::mate::mate_in_one;
use crate::search::{Answer, Control, Line, Preferences, Score, Search, Task, memory};
use crate::shogi::exchange::gain;
use crate::shogi::{Move, MoveList, PackedMove, Position, Repetition, legal_moves, useful_moves};

/// No line is longer; also the deepest that `go depth` can ask for.
const MAX_PLY: usize = 64;

/// The mate solver gets this part of the memory, and at most so many MB of it.
const SOLVER_PART: usize = 4;
const MOST_SOLVER_MB: usize = 1024;

/// Centipawns a ply that a position near the leaves may still change by, roughly.
const SWING: i32 = 150;

/// Plies from the leaves within which the static value may cut.
const SHALLOW: u32 = 3;

/// The clock is read every so many nodes: some hundreds of microseconds.
const NODES_BETWEEN_CHECKS: u64 = 64;

/// The player, with what it remembers between moves.
pub struct AlphaBeta<E> {
    preferences: Preferences,
    evaluator: E,
    table: Table,
}

impl<E: Evaluator + Clone> AlphaBeta<E> {
    /// A player by this evaluation, with a table of so many MB.
    pub fn new(evaluator: E, table_mb: usize) -> Self {
        Self { preferences: Preferences::default(), evaluator, table: Table::with_size(table_mb) }
    }

    /// Forgets the last game.
    pub fn forget(&mut self) {
        self.table.clear();
    }

    /// The best lines of a task that is not about mate.
    pub fn lines(&mut self, task: &Task, control: &Control, report: &mut dyn FnMut(Vec<Line>)) -> Vec<Line> {
        let mut root_moves = task.root_moves.clone();
        if root_moves.is_empty() {
            root_moves.extend_from_slice(&candidates(task.walker.position(), &self.preferences));
        }
        // Among equals the first is kept: the seed decides between them.
        root_moves.shuffle(&mut Pcg64Mcg::seed_from_u64(self.preferences.seed));
        let mut run = Run {
            scales: Scales::new(task.walker.fork(), self.evaluator.clone()),
            control,
            preferences: &self.preferences,
            table: &mut self.table,
            order: Order::new(MAX_PLY),
            node_limit: task.nodes.unwrap_or(u64::MAX),
            nodes: 0,
            seldepth: 0,
            stopped: false,
            pv: vec![Vec::new(); MAX_PLY + 1],
        };
        run.deepen(root_moves, task.depth, report)
    }
}

/// The player behind the USI front end: on the network, with a mate solver.
pub struct AlphaBetaSearch {
    player: AlphaBeta<NetworkEvaluator>,
    /// The size that was asked for when the table was made.
    asked_mb: usize,
    /// Where the weights of the player came from; empty for the embedded ones.
    weights_from: PathBuf,
    /// Made when a mate is looked for.
    solver: Option<Solver>,
}

impl Default for AlphaBetaSearch {
    fn default() -> Self {
        let player = AlphaBeta::new(NetworkEvaluator::new(Network::embedded()), 0);
        Self { player, asked_mb: 0, weights_from: PathBuf::new(), solver: None }
    }
}

impl AlphaBetaSearch {
    fn find_mate(&mut self, task: &Task, control: &Control) -> Answer {
        let mb = (self.asked_mb / SOLVER_PART).min(MOST_SOLVER_MB);
        let solver = self.solver.get_or_insert_with(|| Solver::new(mb));
        let limits = Limits { nodes: task.nodes.unwrap_or(u64::MAX), stop: &|| control.must_stop() };
        match solver.solve(&mut task.walker.fork(), &limits) {
            Verdict::Mate(line) => Answer::Checkmate(line),
            Verdict::NoMate => Answer::NoMate,
            Verdict::Unknown => Answer::Unknown,
        }
    }

    fn resize(&mut self, mb: usize) -> Option<String> {
        if self.asked_mb == mb {
            return None;
        }
        self.asked_mb = mb;
        // What there was goes first, or both would be needed at once.
        self.player.table = Table::default();
        self.solver = None;
        let there = memory::affordable_mb(mb);
        self.player.table = Table::with_size(there - there / SOLVER_PART);
        (there < mb).then(|| format!("USI_Hash: {mb} MB are not there, using {there}"))
    }

    fn load(&mut self, folder: &PathBuf) -> Option<String> {
        if self.weights_from == *folder {
            return None;
        }
        self.weights_from.clone_from(folder);
        let (network, note) = Network::from_folder(folder);
        self.player.evaluator = NetworkEvaluator::new(network);
        self.player.forget();
        note
    }
}

impl Search for AlphaBetaSearch {
    fn prepare(&mut self, preferences: &Preferences) -> Vec<String> {
        self.player.preferences.clone_from(preferences);
        let notes = [self.load(&preferences.eval_dir), self.resize(preferences.hash_mb)];
        notes.into_iter().flatten().collect()
    }

    fn new_game(&mut self) {
        self.player.forget();
        if let Some(solver) = &mut self.solver {
            solver.clear();
        }
    }

    fn think(&mut self, task: &Task, control: &Control, report: &mut dyn FnMut(Vec<Line>)) -> Answer {
        if task.mate {
            return self.find_mate(task, control);
        }
        Answer::Best(self.player.lines(task, control, report))
    }
}

/// The moves to consider.
fn candidates(position: &Position, preferences: &Preferences) -> MoveList {
    let mut moves = MoveList::new();
    if preferences.all_legal_moves {
        legal_moves(position, &mut moves);
    } else {
        useful_moves(position, &mut moves);
    }
    moves
}

/// One search under way.
struct Run<'a, E> {
    scales: Scales<E>,
    control: &'a Control,
    preferences: &'a Preferences,
    table: &'a mut Table,
    order: Order,
    node_limit: u64,
    nodes: u64,
    seldepth: u32,
    stopped: bool,
    /// The best line found from each ply on.
    pv: Vec<Vec<Move>>,
}

impl<E: Evaluator> Run<'_, E> {
    /// Deeper and deeper until time, depth or nodes are used up; the lines of the last depth finished.
    fn deepen(
        &mut self,
        mut moves: Vec<Move>,
        depth: Option<u32>,
        report: &mut dyn FnMut(Vec<Line>),
    ) -> Vec<Line> {
        let count = self.preferences.multi_pv.clamp(1, moves.len());
        let interval = Duration::from_millis(self.preferences.pv_interval_ms);
        let mut last_report: Option<Instant> = None;
        // Known from the first instant: any legal move.
        let mut lines: Vec<Line> =
            moves.iter().take(count).map(|&mv| self.line(0, Score::Cp(0), vec![mv])).collect();
        let deepest = depth.map_or(MAX_PLY as u32 - 1, |depth| depth.clamp(1, MAX_PLY as u32 - 1));
        for depth in 1..=deepest {
            let Some(found) = self.search_root(&mut moves, depth, count) else { break };
            lines = found;
            if last_report.is_none_or(|time| time.elapsed() >= interval) {
                report(lines.clone());
                last_report = Some(Instant::now());
            }
            let decided = !matches!(lines[0].score, Score::Cp(_));
            if decided || self.control.should_stop() {
                break;
            }
        }
        for line in &mut lines {
            line.nodes = self.nodes;
        }
        lines
    }

    /// The best `count` moves at this depth, or nothing when time ran out. The best move comes to the front of
    /// `moves`, to be tried first at the next depth.
    fn search_root(&mut self, moves: &mut Vec<Move>, depth: u32, count: usize) -> Option<Vec<Line>> {
        let mut lines = Vec::with_capacity(count);
        for place in 0..count {
            let mut best = -MATE - 1;
            let mut best_index = place;
            let mut best_pv = Vec::new();
            for (index, &mv) in moves.iter().enumerate().skip(place) {
                let value =
                    self.value_of(mv, depth, 0, best, MATE + 1, if index == place { None } else { Some(0) });
                if self.stopped {
                    return None;
                }
                if value > best {
                    best = value;
                    best_index = index;
                    best_pv.clear();
                    best_pv.push(mv);
                    best_pv.extend_from_slice(&self.pv[1]);
                }
            }
            let mv = moves.remove(best_index);
            moves.insert(place, mv);
            lines.push(self.line(depth, score(best), best_pv));
        }
        Some(lines)
    }

    fn line(&self, depth: u32, score: Score, pv: Vec<Move>) -> Line {
        Line {
            depth,
            seldepth: self.seldepth.max(depth),
            score,
            nodes: self.nodes,
            hashfull: self.table.fullness(),
            pv,
        }
    }

    /// The value of a move at `ply`. The first move gets the whole window; the others, for which `reduction` is some
    /// number of plies, must first show at less depth and then at full depth that they are better.
    fn value_of(
        &mut self,
        mv: Move,
        depth: u32,
        ply: usize,
        alpha: i32,
        beta: i32,
        reduction: Option<u32>,
    ) -> i32 {
        self.scales.apply(mv);
        let mut value = alpha + 1;
        if let Some(reduction) = reduction {
            value = -self.search(depth - 1 - reduction, ply + 1, -alpha - 1, -alpha);
            if reduction > 0 && value > alpha && !self.stopped {
                value = -self.search(depth - 1, ply + 1, -alpha - 1, -alpha);
            }
        }
        if reduction.is_none() || (value > alpha && value < beta && !self.stopped) {
            value = -self.search(depth - 1, ply + 1, -beta, -alpha);
        }
        self.scales.undo();
        value
    }

    fn search(&mut self, depth: u32, ply: usize, mut alpha: i32, beta: i32) -> i32 {
        self.pv[ply].clear();
        if self.time_is_up() {
            return 0;
        }
        if let Some(value) = self.value_by_rules(ply) {
            return value;
        }
        if depth == 0 || ply >= MAX_PLY {
            self.seldepth = self.seldepth.max(ply as u32);
            return from_node(quiescence(&mut self.scales, to_node(alpha, ply), to_node(beta, ply)), ply);
        }
        let key = self.scales.position().key().low_u64();
        let known = self.table.get(key);
        if let Some(memory) = known
            && let Some(value) = usable(memory, depth, ply, alpha, beta)
        {
            return value;
        }
        let in_check = self.scales.position().is_in_check();
        let mut hopeless = false;
        if !in_check {
            if mate_in_one(self.scales.probe()).is_some() {
                return MATE - ply as i32 - 1;
            }
            if depth <= SHALLOW {
                let (standing, swing) = (self.scales.value(), SWING * depth as i32);
                if beta - alpha == 1 && beta.abs() < MATE_BOUND && standing - swing >= beta {
                    return standing;
                }
                hopeless = standing + swing + SWING <= alpha;
            }
        }

        let moves = candidates(self.scales.position(), self.preferences);
        let remembered = known.map_or(PackedMove::MOVE_NONE, |memory| memory.best);
        let ordered = self.order.sort(self.scales.position(), &moves, remembered, ply);
        let (mut best, mut best_move) = (-MATE + ply as i32, PackedMove::MOVE_NONE);
        let asked = alpha;
        for (i, &mv) in ordered.iter().enumerate() {
            let quiet = !in_check && gain(self.scales.position(), mv) == 0;
            if hopeless && quiet && best > -MATE_BOUND {
                continue;
            }
            let reduction = if quiet { late(depth, i) } else { 0 };
            let value = self.value_of(mv, depth, ply, alpha, beta, (i > 0).then_some(reduction));
            if self.stopped {
                return 0;
            }
            if value > best {
                best = value;
                best_move = mv.to_move();
                if value > alpha {
                    alpha = value;
                    self.extend_pv(ply, mv);
                }
                if alpha >= beta {
                    self.order.cut(self.scales.position(), mv, &ordered[..i], depth, ply);
                    break;
                }
            }
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > asked {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let value = to_node(best, ply) as i16;
        self.table.put(key, Memory { best: best_move, value, depth: depth as u8, bound });
        best
    }

    fn extend_pv(&mut self, ply: usize, mv: Move) {
        let (here, below) = self.pv.split_at_mut(ply + 1);
        here[ply].clear();
        here[ply].push(mv);
        if let Some(rest) = below.first() {
            here[ply].extend_from_slice(rest);
        }
    }

    /// The value of a position whose game has ended, or is as good as ended because it has come back.
    fn value_by_rules(&self, ply: usize) -> Option<i32> {
        let win = MATE - ply as i32;
        let walker = self.scales.walker();
        match walker.recurrence().map(|recurrence| recurrence.kind) {
            Some(Repetition::Draw) => return Some(self.draw()),
            Some(Repetition::Win) => return Some(win),
            Some(Repetition::Loss) => return Some(-win),
            _ => {}
        }
        if walker.is_past_max_moves() {
            return Some(if walker.is_mated() { -win } else { self.draw() });
        }
        walker.declaration().map(|_| win)
    }

    fn draw(&self) -> i32 {
        self.preferences.draw_value[self.scales.walker().turn().to_index()]
    }

    /// Counts a node; true when the search must end.
    fn time_is_up(&mut self) -> bool {
        self.nodes += 1;
        self.stopped |= self.nodes > self.node_limit
            // The last finished depth has an answer: ending at the soft limit never does harm.
            || (self.nodes.is_multiple_of(NODES_BETWEEN_CHECKS) && self.control.should_stop());
        self.stopped
    }
}

/// Plies less for a quiet move that comes late in the order.
fn late(depth: u32, place: usize) -> u32 {
    match place {
        _ if depth < 3 => 0,
        0..4 => 0,
        4..16 => 1,
        _ => 2.min(depth - 2),
    }
}

/// A value counted from the root as a node at `ply` counts it: mates by their distance from there.
fn to_node(value: i32, ply: usize) -> i32 {
    if value > MATE_BOUND {
        value + ply as i32
    } else if value < -MATE_BOUND {
        value - ply as i32
    } else {
        value
    }
}

/// The reverse.
fn from_node(value: i32, ply: usize) -> i32 {
    if value > MATE_BOUND {
        value - ply as i32
    } else if value < -MATE_BOUND {
        value + ply as i32
    } else {
        value
    }
}

/// The value of a remembered position, where it was searched deep enough and decides between the bounds.
fn usable(memory: Memory, depth: u32, ply: usize, alpha: i32, beta: i32) -> Option<i32> {
    let value = from_node(i32::from(memory.value), ply);
    let decides = match memory.bound {
        Bound::Lower => value >= beta,
        Bound::Upper => value <= alpha,
        // With an open window the line is wanted too, and a remembered value has none.
        Bound::Exact => beta - alpha == 1,
    };
    (u32::from(memory.depth) >= depth && decides).then_some(value)
}

fn score(value: i32) -> Score {
    if value > MATE_BOUND {
        Score::Mates((MATE - value).max(1) as u32)
    } else if value < -MATE_BOUND {
        Score::Mated((MATE + value).max(1) as u32)
    } else {
        Score::Cp(value)
    }
}
