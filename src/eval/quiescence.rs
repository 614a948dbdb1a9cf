//! Quiescence: the value of a position once what hangs has been taken.
//!
//! The side to move may stand pat, take or promote where the exchange does not lose, and must answer checks in every
//! way there is; a mate in one is seen. Depth is bounded, and past [`WIDE`] plies only recaptures are looked at, so the
//! cost is bounded too.

use arrayvec::ArrayVec;

use super::{Evaluator, MATE, Scales};
use crate::mate::mate_in_one;
use crate::shogi::exchange::{BOARD_VALUE, exchange_at_least, gain};
use crate::shogi::{Move, MoveList, Position, Square, is_legal, tactical_moves, useful_moves};

/// Plies to which every good capture and promotion is tried; beyond, only captures on the square of the last move.
pub const WIDE: usize = 3;

/// Plies after which the static value stands, check or not.
pub const DEEPEST: usize = 8;

/// A capture that cannot lift the value to within this of what is there already is not tried.
pub const MARGIN: i32 = 100;

/// The moves of the line a value came from.
pub type Line = ArrayVec<Move, DEEPEST>;

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quiet {
    /// The value for the side to move.
    pub value: i32,
    /// The moves to the quiet position it is the value of; a mate seen without playing it is not among them.
    pub line: Line,
    /// Positions looked at.
    pub nodes: u32,
}

/// The quiescent value for the side to move, within the bounds.
pub fn quiescence<E: Evaluator>(scales: &mut Scales<E>, alpha: i32, beta: i32) -> i32 {
    Search::<E, false> { scales, nodes: 0 }.value(alpha, beta, 0, Square::NONE, &mut Line::new())
}

/// The quiescent value with the line that leads to it.
pub fn quiet_line<E: Evaluator>(scales: &mut Scales<E>) -> Quiet {
    let mut line = Line::new();
    let mut search = Search::<E, true> { scales, nodes: 0 };
    let value = search.value(-MATE, MATE, 0, Square::NONE, &mut line);
    Quiet { value, line, nodes: search.nodes }
}

struct Search<'a, E, const LINE: bool> {
    scales: &'a mut Scales<E>,
    nodes: u32,
}

impl<E: Evaluator, const LINE: bool> Search<'_, E, LINE> {
    /// `last` is where the previous move went; `line` gets the best line from here.
    fn value(&mut self, mut alpha: i32, beta: i32, ply: usize, last: Square, line: &mut Line) -> i32 {
        self.nodes += 1;
        if self.scales.position().is_in_check() {
            return self.escape(alpha, beta, ply, line);
        }
        if mate_in_one(self.scales.probe()).is_some() {
            return MATE - ply as i32 - 1;
        }
        let standing = self.scales.value();
        let mut best = standing;
        if best >= beta || ply >= DEEPEST {
            return best;
        }
        alpha = alpha.max(best);
        let mut moves = Captures::new(self.scales.position(), if ply < WIDE { Square::NONE } else { last });
        while let Some((mv, gain)) = moves.next_best() {
            // Sorted by gain: what follows gains no more, and whoever asked for less than alpha learns how much at most.
            if standing + gain + MARGIN <= alpha {
                best = best.max(standing + gain + MARGIN);
                break;
            }
            let position = self.scales.position();
            if !exchange_at_least(position, mv, 0) || !is_legal(position, mv) {
                continue;
            }
            let value = self.after(mv, alpha, beta, ply, &mut best, line);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// The same for a side in check: every reply counts, and having none loses.
    fn escape(&mut self, mut alpha: i32, beta: i32, ply: usize, line: &mut Line) -> i32 {
        let mut moves = MoveList::new();
        useful_moves(self.scales.position(), &mut moves);
        if moves.is_empty() {
            return ply as i32 - MATE;
        }
        if ply >= DEEPEST {
            return self.scales.value();
        }
        let mut order: ArrayVec<(i32, Move), MOST> = ArrayVec::new();
        let position = self.scales.position();
        for &mv in moves.iter().take(MOST) {
            order.push((-gain(position, mv), mv));
        }
        order.sort_unstable_by_key(|&(key, mv)| (key, mv.raw()));
        let mut best = ply as i32 - MATE;
        for (_, mv) in order {
            let value = self.after(mv, alpha, beta, ply, &mut best, line);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// The value of a move; a better one than `best` replaces it and its line.
    fn after(&mut self, mv: Move, alpha: i32, beta: i32, ply: usize, best: &mut i32, line: &mut Line) -> i32 {
        let mut below = Line::new();
        self.scales.apply(mv);
        let value = -self.value(-beta, -alpha, ply + 1, mv.to_sq(), &mut below);
        self.scales.undo();
        if value > *best {
            *best = value;
            if LINE {
                line.clear();
                line.push(mv);
                line.extend(below.into_iter().take(DEEPEST - 1));
            }
        }
        value
    }
}

/// More captures or replies to a check than this are never tried.
const MOST: usize = 64;

/// Captures and promotions, handed out by falling gain.
struct Captures {
    /// Each with its gain and the worth of the piece that moves.
    moves: ArrayVec<(i32, i32, Move), MOST>,
}

impl Captures {
    /// Those that go to `only`, or all where there is no such square.
    fn new(position: &Position, only: Square) -> Self {
        let mut list = MoveList::new();
        tactical_moves(position, &mut list);
        let mut moves = ArrayVec::new();
        for &mv in list.iter() {
            if only.is_none() || mv.to_sq() == only {
                // Of two that take the same, the cheaper piece goes first.
                let taker = BOARD_VALUE[mv.piece_after_move().piece_type().to_index()];
                let _ = moves.try_push((gain(position, mv), -taker, mv));
            }
        }
        Self { moves }
    }

    /// The move that gains most, and its gain.
    fn next_best(&mut self) -> Option<(Move, i32)> {
        let by_gain = |&(_, &(gain, taker, mv)): &(usize, &(i32, i32, Move))| (gain, taker, mv.raw());
        let (place, _) = self.moves.iter().enumerate().max_by_key(by_gain)?;
        let (gain, _, mv) = self.moves.swap_remove(place);
        Some((mv, gain))
    }
}
