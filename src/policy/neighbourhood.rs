//! What stands around a square, as the side to move sees it, and who attacks it.

use super::features::{KIND, SQUARES, view};
use crate::shogi::attacks::SideAttacks;
use crate::shogi::{Color, Position};

/// A board with an edge around it: a file either side, two ranks ahead and behind.
pub(super) const EDGED: usize = 11 * RANKS + 1;
const RANKS: usize = 13;

/// Where a square lies on the edged board.
#[inline]
pub(super) fn edged(square: usize) -> usize {
    usize::from(PLACES[square])
}

static PLACES: [u8; SQUARES] = {
    let mut table = [0; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        table[square] = ((square / 9 + 1) * RANKS + square % 9 + 2) as u8;
        square += 1;
    }
    table
};

/// The neighbours of a square lie within so much of the edged board before and after it.
pub(super) const BEFORE: usize = RANKS + 2;
const AROUND: usize = BEFORE + RANKS + 2;

/// Where the neighbours lie in that, with the direction they count as. The first eight touch the square.
pub(super) const NEIGHBOURS: [(usize, usize); 11] = [
    (BEFORE - 1, 0),
    (BEFORE + RANKS - 1, 1),
    (BEFORE - RANKS - 1, 1),
    (BEFORE + RANKS, 2),
    (BEFORE - RANKS, 2),
    (BEFORE + RANKS + 1, 3),
    (BEFORE - RANKS + 1, 3),
    (BEFORE + 1, 4),
    (BEFORE - 2, 5),
    (BEFORE + RANKS - 2, 6),
    (BEFORE - RANKS - 2, 6),
];

/// Neighbours that face each other, and the number of the pair: only the first knows which is which.
pub(super) const OPPOSITE: [(usize, [usize; 2]); 4] = [
    (0, [BEFORE - 1, BEFORE + 1]),
    (1, [BEFORE + RANKS - 1, BEFORE - RANKS - 1]),
    (2, [BEFORE + RANKS, BEFORE - RANKS]),
    (3, [BEFORE + RANKS + 1, BEFORE - RANKS + 1]),
];

/// What of contents says what stands there.
pub(super) const STANDING: u32 = 0x00fc_fcfc;

/// Contents of the edge.
const EDGE: u8 = 4;

/// By square of the edged board: a kind and its side, nothing or the edge; and in the last two bits whether the own side
/// (1) and the enemy (2) attack it.
pub(super) struct Neighbourhood([u8; EDGED]);

impl Neighbourhood {
    /// Looks at what stands where in a position.
    pub fn new(position: &Position, us: Color) -> Self {
        let mut board = [EDGE; EDGED];
        for file in 1..10 {
            board[file * RANKS + 2..file * RANKS + 11].fill(0);
        }
        for square in &position.pieces() {
            let piece = position.piece_on(square);
            let kind = KIND[piece.piece_type().to_index()];
            let side = u8::from(piece.color() != us);
            board[edged(view(us, square))] = (2 + kind * 2 + side) * 4;
        }
        Self(board)
    }

    /// Looks at who attacks what too.
    pub fn mark_attacks(&mut self, us: Color, own: &SideAttacks, enemy: &SideAttacks) {
        for (attacks, mark) in [(own, 1), (enemy, 2)] {
            for square in &attacks.once {
                self.0[edged(view(us, square))] += mark;
            }
        }
    }

    /// All of it.
    #[inline(always)]
    pub fn board(&self) -> &[u8; EDGED] {
        &self.0
    }

    /// What is near a square.
    #[inline(always)]
    pub fn around(&self, square: usize) -> &[u8; AROUND] {
        // Every square of the board has an edge around it, so this never fails.
        self.0[edged(square) - BEFORE..].first_chunk().unwrap_or(&[0; AROUND])
    }

    /// What there is on the two files beside a square, in an order that does not depend on the side, and on its own.
    #[inline(always)]
    pub fn files_around(&self, square: usize, what: u32) -> [u64; 2] {
        let around = self.around(square);
        let file = |start: usize| {
            what & u32::from_le_bytes([around[start - 1], around[start], around[start + 1], 0])
        };
        let (one, other) = (file(BEFORE - RANKS), file(BEFORE + RANKS));
        [u64::from(one.min(other)) | u64::from(one.max(other)) << 24, u64::from(file(BEFORE))]
    }
}
