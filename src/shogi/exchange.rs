//! Exchanges on one square: what a move wins or loses when both sides take back as long as it pays.
//!
//! The value is exact, that is, equal to a search over all legal captures on the destination in which
//! either side may stop. All attackers are tried, not only the least valuable one: with pins, sliders
//! behind sliders, promotions and discovered checks the cheapest capture is not always the best.

use arrayvec::ArrayVec;
use rsshogi::board::attack_tables::{bishop_step_attacks, lance_step_attacks, rook_step_attacks};
use rsshogi::types::square::is_promotable_move;

use super::{Bitboard, Color, Kind, Move, Position, Square};

/// Value of a kind of piece on the board, in centipawns, by [`Kind::to_index`]. The table of Bonanza and
/// `YaneuraOu`, with pawn 90. Kings are never exchanged.
pub const BOARD_VALUE: [i32; Kind::COUNT] = [
    0, 90, 315, 405, 495, 855, 990, 540, 0, // pawn, lance, knight, silver, bishop, rook, gold, king
    540, 540, 540, 540, 945, 1395, 0, // promoted pawn, lance, knight, silver; horse, dragon
];

/// Value of a kind of piece in hand; promoted kinds count as what they become there.
pub const HAND_VALUE: [i32; Kind::COUNT] = [
    0, 90, 315, 405, 495, 855, 990, 540, 0, //
    90, 315, 405, 495, 855, 990, 0,
];

/// What changes hands when a piece of this kind is captured: it leaves one side's board and enters the other
/// side's hand.
#[inline]
pub fn capture_value(kind: Kind) -> i32 {
    BOARD_VALUE[kind.to_index()] + HAND_VALUE[kind.to_index()]
}

/// What promoting a piece of this kind gains.
#[inline]
pub fn promotion_value(kind: Kind) -> i32 {
    BOARD_VALUE[kind.promote().to_index()] - BOARD_VALUE[kind.to_index()]
}

/// Value of a legal move for its mover once the exchange on its destination is over. Moves that capture
/// nothing and drops have one too: what the opponent wins there, negative.
pub fn exchange_value(position: &Position, mv: Move) -> i32 {
    let (exchange, gain, at_stake) = Exchange::after(position, mv);
    gain - exchange.best_reply(at_stake, 0, i32::MAX)
}

/// Whether [`exchange_value`] is at least `threshold`; usually faster than the value.
pub fn exchange_at_least(position: &Position, mv: Move, threshold: i32) -> bool {
    let (exchange, gain, at_stake) = Exchange::after(position, mv);
    // The opponent need not take back, and can win no more than what stands there.
    if gain < threshold {
        return false;
    }
    let spare = gain - threshold;
    capture_value(at_stake) + MAX_PROMOTION <= spare
        || exchange.best_reply(at_stake, spare, spare + 1) <= spare
}

/// The largest gain by promotion: a pawn becoming a tokin.
const MAX_PROMOTION: i32 = BOARD_VALUE[Kind::PRO_PAWN.to_index()] - BOARD_VALUE[Kind::PAWN.to_index()];

/// At most eight neighbouring directions and two knights lead to a square.
const MAX_ATTACKERS: usize = 10;

/// An exchange under way: which pieces have not yet gone to the square, and who is to capture.
#[derive(Clone, Copy)]
struct Exchange<'a> {
    position: &'a Position,
    square: Square,
    /// Pieces still where they were, and the one on the square.
    occupied: Bitboard,
    /// Enemy sliders on a line with each side's king, by colour of the king: only they can make a capture
    /// illegal, because nobody's king was attacked when the exchange began but by the piece on the square.
    snipers: [Bitboard; 2],
    turn: Color,
}

impl<'a> Exchange<'a> {
    /// The exchange that `mv` begins, what it gained, and the kind that now stands on its destination.
    fn after(position: &'a Position, mv: Move) -> (Self, i32, Kind) {
        let us = position.turn();
        let square = mv.to_sq();
        let mut occupied = position.pieces();
        let mut gain = 0;
        if !mv.is_drop() {
            occupied.clear(mv.from_sq());
            gain = capture_value(position.piece_on(square).piece_type());
            if mv.is_promotion() {
                gain += promotion_value(position.piece_on(mv.from_sq()).piece_type());
            }
        }
        occupied.set(square);
        let mut snipers = [Bitboard::EMPTY; 2];
        for side in [Color::Black, Color::White] {
            snipers[side.to_index()] = snipers_at(position, side);
        }
        let turn = us.flip();
        (Self { position, square, occupied, snipers, turn }, gain, mv.piece_after_move().piece_type())
    }

    /// The most the side to capture can win when a piece of kind `at_stake` stands on the square; 0 when it
    /// is better left alone. Exact between the bounds, which must not be negative.
    fn best_reply(&self, at_stake: Kind, mut alpha: i32, beta: i32) -> i32 {
        let mut best = 0;
        let prize = capture_value(at_stake);
        let us = self.turn;
        let attackers = self.attackers();
        if attackers.is_empty() {
            return 0;
        }
        for (_, from) in by_rising_value(self.position, attackers) {
            let kind = self.position.piece_on(from).piece_type();
            let mut occupied = self.occupied;
            occupied.clear(from);
            if !self.is_legal(kind, occupied) {
                continue;
            }
            let (gain, arriving) = if kind.is_promotable() && is_promotable_move(us, from, self.square) {
                // Promoting is never worse here: taken back it costs what it gained, else it is kept.
                (prize + promotion_value(kind), kind.promote())
            } else {
                (prize, kind)
            };
            // A king that captures legally cannot be taken back.
            let loss = if kind == Kind::KING || gain <= alpha {
                0
            } else {
                let next = Self { occupied, turn: us.flip(), ..*self };
                next.best_reply(arriving, (gain - beta).max(0), gain - alpha)
            };
            best = best.max(gain - loss);
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// Pieces of the side to capture that reach the square now.
    fn attackers(&self) -> Bitboard {
        self.position.attackers_to_color(self.turn, self.square, self.occupied) & self.occupied
    }

    /// Whether the capture that leaves `occupied` behind keeps the capturing side's king safe.
    fn is_legal(&self, kind: Kind, occupied: Bitboard) -> bool {
        let them = self.turn.flip();
        if kind == Kind::KING {
            let defenders = self.position.attackers_to_color(them, self.square, occupied) & occupied;
            return defenders.is_empty();
        }
        let king = self.position.king_square(self.turn);
        let mut snipers = self.snipers[self.turn.to_index()] & occupied;
        snipers.clear(self.square);
        while let Some(sniper) = snipers.pop_lsb() {
            if !Bitboard::between(sniper, king).intersects(occupied) {
                return false;
            }
        }
        true
    }
}

/// The attackers, the cheapest first: the order in which captures are most likely to decide the exchange.
fn by_rising_value(position: &Position, attackers: Bitboard) -> ArrayVec<(i32, Square), MAX_ATTACKERS> {
    let mut list = ArrayVec::<(i32, Square), MAX_ATTACKERS>::new();
    for from in &attackers {
        let kind = position.piece_on(from).piece_type();
        let value = if kind == Kind::KING { i32::MAX } else { capture_value(kind) };
        let place = list.iter().position(|&(other, _)| value < other).unwrap_or(list.len());
        list.insert(place, (value, from));
    }
    list
}

/// Enemy sliders that would attack the king of `side` if nothing stood between.
fn snipers_at(position: &Position, side: Color) -> Bitboard {
    let king = position.king_square(side);
    if king.is_none() {
        return Bitboard::EMPTY;
    }
    let sliders = (position.rook_dragon() & rook_step_attacks(king))
        | (position.bishop_horse() & bishop_step_attacks(king))
        | (position.pieces_by_type(Kind::LANCE) & lance_step_attacks(king, side));
    sliders & position.pieces_by_color(side.flip())
}
