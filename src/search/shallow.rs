//! A small alpha-beta search on material: it plays until the tree search does.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use std::time::{Duration, Instant};

use super::{Answer, Control, Line, Preferences, Score, Search, Task, memory};
use crate::mate::dfpn::{Limits, Solver, Verdict};
use crate::shogi::exchange::{BOARD_VALUE, HAND_VALUE, capture_value, exchange_at_least};
use crate::shogi::{
    Color, HandPiece, Kind, Move, MoveList, PackedMove, Position, Repetition, Walker, legal_moves,
    useful_moves,
};

/// No line is longer; also the deepest that `go depth` can ask for.
const MAX_PLY: usize = 64;

/// Value of mating at the root; every ply further away is worth one less.
const MATE: i32 = 30_000;

/// Values beyond this are mates.
const MATE_BOUND: i32 = MATE - 1_000;

/// The mate solver gets this part of the memory, and at most so many MB of it.
const SOLVER_PART: usize = 4;
const MOST_SOLVER_MB: usize = 1024;

/// The clock is read every so many nodes: some tens of microseconds.
const NODES_BETWEEN_CHECKS: u64 = 256;

/// What is remembered of positions: the move that was best there, to try it first. An entry is the upper 48
/// bits of the position's key and the move; zero where there is none.
#[derive(Default)]
struct Memory(Vec<u64>);

impl Memory {
    const MOVE_BITS: u64 = 0xffff;

    /// Room for as much as fits in so many MB. Memory is taken only as it is used.
    fn with_size(mb: usize) -> Self {
        Self(vec![0; mb * 1024 * 1024 / size_of::<u64>()])
    }

    fn slot(&self, key: u64) -> usize {
        ((u128::from(key) * self.0.len() as u128) >> 64) as usize
    }

    fn get(&self, key: u64) -> Option<PackedMove> {
        let entry = *self.0.get(self.slot(key))?;
        let same = (entry ^ key) & !Self::MOVE_BITS == 0;
        same.then_some(PackedMove::from_raw((entry & Self::MOVE_BITS) as u16))
    }

    fn put(&mut self, key: u64, best: PackedMove) {
        let slot = self.slot(key);
        if let Some(entry) = self.0.get_mut(slot) {
            *entry = key & !Self::MOVE_BITS | u64::from(best.raw());
        }
    }

    /// Share of a sample in use, in thousandths.
    fn fullness(&self) -> u32 {
        let sample = &self.0[..self.0.len().min(1000)];
        let used = sample.iter().filter(|&&entry| entry != 0).count();
        (used * 1000).checked_div(sample.len()).unwrap_or(0) as u32
    }
}

/// The searcher, with what it remembers between moves.
#[derive(Default)]
pub struct Shallow {
    preferences: Preferences,
    memory: Memory,
    /// The size that was asked for when the memory was made.
    asked_mb: usize,
    /// Made when a mate is looked for.
    solver: Option<Solver>,
}

impl Shallow {
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
}

impl Search for Shallow {
    fn prepare(&mut self, preferences: &Preferences) -> Option<String> {
        self.preferences.clone_from(preferences);
        if self.asked_mb == preferences.hash_mb {
            return None;
        }
        self.asked_mb = preferences.hash_mb;
        // What there was goes first, or both would be needed at once.
        self.memory = Memory::default();
        self.solver = None;
        let mb = memory::affordable_mb(self.asked_mb);
        self.memory = Memory::with_size(mb - mb / SOLVER_PART);
        (mb < self.asked_mb).then(|| format!("USI_Hash: {} MB are not there, using {mb}", self.asked_mb))
    }

    fn new_game(&mut self) {
        self.asked_mb = 0;
        self.prepare(&self.preferences.clone());
    }

    fn think(&mut self, task: &Task, control: &Control, report: &mut dyn FnMut(Vec<Line>)) -> Answer {
        if task.mate {
            return self.find_mate(task, control);
        }
        let mut root_moves = task.root_moves.clone();
        if root_moves.is_empty() {
            root_moves.extend_from_slice(&candidates(task.walker.position(), &self.preferences));
        }
        // Among equals the first is kept: the seed decides between them.
        root_moves.shuffle(&mut Pcg64Mcg::seed_from_u64(self.preferences.seed));
        let mut run = Run {
            walker: task.walker.fork(),
            control,
            preferences: &self.preferences,
            memory: &mut self.memory,
            node_limit: task.nodes.unwrap_or(u64::MAX),
            nodes: 0,
            seldepth: 0,
            stopped: false,
            pv: vec![Vec::new(); MAX_PLY + 1],
        };
        Answer::Best(run.deepen(root_moves, task.depth, report))
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
struct Run<'a> {
    walker: Walker,
    control: &'a Control,
    preferences: &'a Preferences,
    memory: &'a mut Memory,
    node_limit: u64,
    nodes: u64,
    seldepth: u32,
    stopped: bool,
    /// The best line found from each ply on.
    pv: Vec<Vec<Move>>,
}

impl Run<'_> {
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
                self.walker.apply(mv);
                let value = -self.search(depth - 1, 1, -MATE - 1, -best);
                self.walker.undo();
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
            hashfull: self.memory.fullness(),
            pv,
        }
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
            return self.quiesce(ply, alpha, beta);
        }
        let moves = candidates(self.walker.position(), self.preferences);
        let key = self.walker.position().key().low_u64();
        let mut best = -MATE + ply as i32;
        let mut best_move = PackedMove::MOVE_NONE;
        for mv in self.ordered(&moves, key) {
            self.walker.apply(mv);
            let value = -self.search(depth - 1, ply + 1, -beta, -alpha);
            self.walker.undo();
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
                    break;
                }
            }
        }
        self.memory.put(key, best_move);
        best
    }

    /// Captures that do not lose material, until none is left.
    fn quiesce(&mut self, ply: usize, mut alpha: i32, beta: i32) -> i32 {
        self.seldepth = self.seldepth.max(ply as u32);
        if self.walker.is_mated() {
            return -MATE + ply as i32;
        }
        let mut best = material(self.walker.position());
        if best >= beta || ply >= MAX_PLY {
            return best;
        }
        alpha = alpha.max(best);
        let mut moves = MoveList::new();
        useful_moves(self.walker.position(), &mut moves);
        let position = self.walker.position();
        let mut captures: Vec<Move> = moves
            .iter()
            .copied()
            .filter(|&mv| position.is_capture_move32(mv) && exchange_at_least(position, mv, 0))
            .collect();
        captures.sort_by_key(|&mv| -prize(position, mv));
        for mv in captures {
            if self.time_is_up() {
                return 0;
            }
            self.walker.apply(mv);
            let value = -self.quiesce(ply + 1, -beta, -alpha);
            self.walker.undo();
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
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
        match self.walker.recurrence().map(|recurrence| recurrence.kind) {
            Some(Repetition::Draw) => return Some(self.draw()),
            Some(Repetition::Win) => return Some(win),
            Some(Repetition::Loss) => return Some(-win),
            _ => {}
        }
        if self.walker.is_past_max_moves() {
            return Some(if self.walker.is_mated() { -win } else { self.draw() });
        }
        self.walker.declaration().map(|_| win)
    }

    fn draw(&self) -> i32 {
        self.preferences.draw_value[self.walker.turn().to_index()]
    }

    /// Counts a node; true when the search must end.
    fn time_is_up(&mut self) -> bool {
        self.nodes += 1;
        self.stopped |= self.nodes > self.node_limit
            // The last finished depth has an answer: ending at the soft limit never does harm.
            || (self.nodes.is_multiple_of(NODES_BETWEEN_CHECKS) && self.control.should_stop());
        self.stopped
    }

    /// The remembered move, then captures by what they win, then the rest.
    fn ordered(&self, moves: &[Move], key: u64) -> Vec<Move> {
        let remembered = self.memory.get(key);
        let position = self.walker.position();
        let mut ordered = moves.to_vec();
        ordered.sort_by_cached_key(|&mv| {
            if Some(mv.to_move()) == remembered { i32::MIN } else { -prize(position, mv) }
        });
        ordered
    }
}

/// What a move takes, less a little of what takes it, and what it promotes.
fn prize(position: &Position, mv: Move) -> i32 {
    if mv.is_drop() {
        return 0;
    }
    let taken = capture_value(position.piece_on(mv.to_sq()).piece_type());
    let taker = BOARD_VALUE[mv.piece_after_move().piece_type().to_index()];
    let promotion = if mv.is_promotion() { 100 } else { 0 };
    if taken > 0 { taken * 16 - taker + promotion } else { promotion }
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

/// Material for the side to move.
fn material(position: &Position) -> i32 {
    let mut value = 0;
    for (side, sign) in [(Color::Black, 1), (Color::White, -1)] {
        for kind in Kind::iter() {
            value += sign * BOARD_VALUE[kind.to_index()] * position.pieces_for(kind, side).count() as i32;
        }
        let hand = position.hand(side);
        for piece in HandPiece::iter() {
            value += sign * HAND_VALUE[piece.to_piece_type().to_index()] * hand.count(piece) as i32;
        }
    }
    if position.turn() == Color::Black { value } else { -value }
}
