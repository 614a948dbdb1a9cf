//! Exchanges on one square: what a move wins or loses when both sides take back as long as it pays.
//!
//! The value is exact, that is, equal to a search over all legal captures on the destination in which
//! either side may stop. All attackers are tried, not only the least valuable one: with pins, sliders
//! behind sliders, promotions and discovered checks the cheapest capture is not always the best.

use arrayvec::ArrayVec;
use rsshogi::board::attack_tables::{
    GOLD_ATTACKS, KNIGHT_ATTACKS, PAWN_ATTACKS, SILVER_ATTACKS, bishop_attacks, bishop_step_attacks,
    lance_step_attacks, rook_attacks, rook_step_attacks,
};
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
    let gain = gain(position, mv);
    gain - Exchange::after(position, mv)
        .map_or(0, |(exchange, line)| exchange.best_reply(line, piece_left(mv), 0, i32::MAX))
}

/// Whether [`exchange_value`] is at least `threshold`; usually faster than the value.
pub fn exchange_at_least(position: &Position, mv: Move, threshold: i32) -> bool {
    let gain = gain(position, mv);
    // The opponent need not take back, and can win no more than what stands there.
    if gain < threshold {
        return false;
    }
    let spare = gain - threshold;
    let at_stake = piece_left(mv);
    capture_value(at_stake) + MAX_PROMOTION <= spare
        || Exchange::after(position, mv)
            .is_none_or(|(exchange, line)| exchange.best_reply(line, at_stake, spare, spare + 1) <= spare)
}

/// What a legal move wins before anything is taken back.
#[inline]
pub fn gain(position: &Position, mv: Move) -> i32 {
    if mv.is_drop() {
        return 0;
    }
    let captured = capture_value(position.piece_on(mv.to_sq()).piece_type());
    if mv.is_promotion() {
        captured + promotion_value(position.piece_on(mv.from_sq()).piece_type())
    } else {
        captured
    }
}

/// The kind that stands on the destination after a move.
fn piece_left(mv: Move) -> Kind {
    mv.piece_after_move().piece_type()
}

/// The largest gain by promotion: a pawn becoming a tokin.
const MAX_PROMOTION: i32 = BOARD_VALUE[Kind::PRO_PAWN.to_index()] - BOARD_VALUE[Kind::PAWN.to_index()];

/// At most eight neighbouring directions and two knights lead to a square.
const MAX_ATTACKERS: usize = 10;

/// What stays the same during an exchange on one square.
struct Exchange<'a> {
    position: &'a Position,
    square: Square,
    /// Rooks, dragons, and lances that look towards the square.
    straight: Bitboard,
    /// Enemy sliders on a line with each side's king, by colour of the king: only they can make a capture
    /// illegal, because nobody's king was attacked when the exchange began but by the piece on the square.
    snipers: [Bitboard; 2],
}

/// How far an exchange has come.
#[derive(Clone, Copy)]
struct Stage {
    /// Who is to capture.
    turn: Color,
    /// Pieces still where they were, and the one on the square.
    occupied: Bitboard,
    /// Pieces of both sides that reach the square now.
    attackers: Bitboard,
}

impl<'a> Exchange<'a> {
    /// The exchange that `mv` begins; nothing where nobody can take back.
    fn after(position: &'a Position, mv: Move) -> Option<(Self, Stage)> {
        let turn = position.turn().flip();
        let square = mv.to_sq();
        let mut occupied = position.pieces();
        if !mv.is_drop() {
            occupied = occupied.and_not(only(mv.from_sq()));
        }
        occupied |= only(square);

        let [black, white] = [Color::Black, Color::White].map(|side| position.pieces_by_color(side));
        let lances = position.pieces_by_type(Kind::LANCE);
        // A lance of one side sees the square from where a lance of the other side would go.
        let towards = (lance_step_attacks(square, Color::White) & black)
            | (lance_step_attacks(square, Color::Black) & white);
        let straight = position.rook_dragon() | (lances & towards);
        let lines = (rook_attacks(square, occupied) & straight)
            | (bishop_attacks(square, occupied) & position.bishop_horse());
        let attackers = (lines
            | (steppers(position, square, Color::Black) & black)
            | (steppers(position, square, Color::White) & white))
            & occupied;
        if !attackers.intersects(position.pieces_by_color(turn)) {
            return None;
        }
        let snipers = [Color::Black, Color::White].map(|side| snipers_at(position, side));
        Some((Self { position, square, straight, snipers }, Stage { turn, occupied, attackers }))
    }

    /// The most the side to capture can win when a piece of kind `at_stake` stands on the square; 0 when it
    /// is better left alone. Exact between the bounds, which must not be negative.
    fn best_reply(&self, stage: Stage, at_stake: Kind, mut alpha: i32, beta: i32) -> i32 {
        let Stage { turn: us, attackers, .. } = stage;
        let them = us.flip();
        let prize = capture_value(at_stake);
        let mut best = 0;
        for (_, from, kind) in by_rising_value(self.position, attackers & self.position.pieces_by_color(us)) {
            let next = self.leave(stage, from);
            let can_be_taken = next.attackers.intersects(self.position.pieces_by_color(them));
            let is_king = kind == Kind::KING;
            if (is_king && can_be_taken) || (!is_king && self.exposes_king(us, next.occupied)) {
                continue;
            }
            let (gain, arriving) = if kind.is_promotable() && is_promotable_move(us, from, self.square) {
                // Promoting is never worse here: taken back it costs what it gained, else it is kept.
                (prize + promotion_value(kind), kind.promote())
            } else {
                (prize, kind)
            };
            let loss = if can_be_taken && gain > alpha {
                self.best_reply(next, arriving, (gain - beta).max(0), gain - alpha)
            } else {
                0
            };
            best = best.max(gain - loss);
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// The stage after the piece on `from` has gone to the square: a slider behind it may reach the square now.
    fn leave(&self, stage: Stage, from: Square) -> Stage {
        let gone = only(from);
        let occupied = stage.occupied.and_not(gone);
        let behind = if rook_step_attacks(self.square).intersects(gone) {
            rook_attacks(self.square, occupied) & self.straight
        } else if bishop_step_attacks(self.square).intersects(gone) {
            bishop_attacks(self.square, occupied) & self.position.bishop_horse()
        } else {
            Bitboard::EMPTY
        };
        Stage { turn: stage.turn.flip(), occupied, attackers: (stage.attackers | behind) & occupied }
    }

    /// Whether a slider attacks the king of `side` once only `occupied` is left.
    fn exposes_king(&self, side: Color, occupied: Bitboard) -> bool {
        let mut snipers = (self.snipers[side.to_index()] & occupied).and_not(only(self.square));
        if snipers.is_empty() {
            return false;
        }
        let king = self.position.king_square(side);
        while let Some(sniper) = snipers.pop_lsb() {
            if !Bitboard::between(sniper, king).intersects(occupied) {
                return true;
            }
        }
        false
    }
}

/// Where pieces of `side` that move by steps would stand to attack `square`, if they stand there.
fn steppers(position: &Position, square: Square, side: Color) -> Bitboard {
    let seen_from = side.flip().to_index();
    let both_ways = position.horse_dragon_king();
    (PAWN_ATTACKS[square][seen_from] & position.pieces_by_type(Kind::PAWN))
        | (KNIGHT_ATTACKS[square][seen_from] & position.pieces_by_type(Kind::KNIGHT))
        | (SILVER_ATTACKS[square][seen_from] & (position.pieces_by_type(Kind::SILVER) | both_ways))
        | (GOLD_ATTACKS[square][seen_from] & (position.golds() | both_ways))
}

/// The attackers, the cheapest first: the order in which captures are most likely to decide the exchange.
fn by_rising_value(position: &Position, attackers: Bitboard) -> ArrayVec<(i32, Square, Kind), MAX_ATTACKERS> {
    let mut list = ArrayVec::<(i32, Square, Kind), MAX_ATTACKERS>::new();
    for from in &attackers {
        let kind = position.piece_on(from).piece_type();
        let value = if kind == Kind::KING { i32::MAX } else { capture_value(kind) };
        let place = list.iter().position(|&(other, ..)| value < other).unwrap_or(list.len());
        list.insert(place, (value, from, kind));
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

/// The set of one square, from a table: setting a bit in a set that lives in a register goes through memory.
#[inline]
fn only(square: Square) -> Bitboard {
    ONLY[square.to_board_index()]
}

static ONLY: [Bitboard; Square::COUNT] = {
    let mut table = [Bitboard::EMPTY; Square::COUNT];
    let mut i = 0;
    while i < Square::COUNT {
        table[i] = Bitboard::from_packed_bits(1 << i);
        i += 1;
    }
    table
};
