//! The order in which the alpha-beta player tries moves.

use arrayvec::ArrayVec;

use crate::shogi::exchange::{BOARD_VALUE, exchange_at_least, gain};
use crate::shogi::{Move, PackedMove, Piece, Position, Square};

/// Moves that cut at the same ply are remembered, this many.
const KILLERS: usize = 2;

/// What earlier parts of the search say about moves.
pub struct Order {
    killers: Vec<[PackedMove; KILLERS]>,
    /// How often a piece's move to a square cut, less how often it did not.
    history: Box<[[i32; Square::COUNT]; Piece::COUNT]>,
}

impl Order {
    /// History stays within this.
    const MOST: i32 = 1 << 13;

    /// Nothing known yet.
    pub fn new(plies: usize) -> Self {
        Self {
            killers: vec![[PackedMove::MOVE_NONE; KILLERS]; plies + 1],
            history: Box::new([[0; Square::COUNT]; Piece::COUNT]),
        }
    }

    /// The remembered move, then captures and promotions that do not lose by what they win, killers, quiet moves by
    /// history, and what loses.
    pub fn sort(
        &self,
        position: &Position,
        moves: &[Move],
        remembered: PackedMove,
        ply: usize,
    ) -> ArrayVec<Move, 1024> {
        let mut keyed: ArrayVec<(i32, Move), 1024> =
            moves.iter().map(|&mv| (self.key(position, mv, remembered, ply), mv)).collect();
        keyed.sort_by_key(|&(key, _)| -key);
        keyed.into_iter().map(|(_, mv)| mv).collect()
    }

    fn key(&self, position: &Position, mv: Move, remembered: PackedMove, ply: usize) -> i32 {
        if mv.to_move() == remembered {
            return 1 << 30;
        }
        let gain = gain(position, mv);
        if gain > 0 {
            let taker = BOARD_VALUE[mv.piece_after_move().piece_type().to_index()];
            let good = gain >= taker || exchange_at_least(position, mv, 0);
            return if good { (1 << 20) + gain * 16 - taker } else { gain - (1 << 20) };
        }
        if self.killers[ply].contains(&mv.to_move()) {
            return 1 << 16;
        }
        self.history[mv.piece_after_move().to_index()][mv.to_sq().to_board_index()]
    }

    /// Learns that `mv` cut after `tried` did not.
    pub fn cut(&mut self, position: &Position, mv: Move, tried: &[Move], depth: u32, ply: usize) {
        if gain(position, mv) > 0 {
            return;
        }
        let killers = &mut self.killers[ply];
        if killers[0] != mv.to_move() {
            *killers = [mv.to_move(), killers[0]];
        }
        let bonus = (depth * depth) as i32 * 16;
        self.learn(mv, bonus);
        for &other in tried {
            if gain(position, other) == 0 {
                self.learn(other, -bonus);
            }
        }
    }

    fn learn(&mut self, mv: Move, bonus: i32) {
        let entry = &mut self.history[mv.piece_after_move().to_index()][mv.to_sq().to_board_index()];
        // Large entries move less, so that none runs away.
        *entry += bonus.min(Self::MOST) - *entry * bonus.abs().min(Self::MOST) / Self::MOST;
    }
}
