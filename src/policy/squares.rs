//! Sets of squares, looked at square by square.

use super::features::SQUARES;
use crate::shogi::{Bitboard, Square};

/// The squares of a set as bits, by their numbers.
#[inline]
pub(super) fn packed(set: Bitboard) -> u128 {
    let [low, high] = set.parts();
    u128::from(low) | u128::from(high) << 63
}

/// Whether a set holds a square. Squares come in no order, so that this must not be a branch.
#[inline]
pub(super) fn holds(set: &Bitboard, square: Square) -> bool {
    // The first part has the squares of seven files.
    let place = square.to_board_index();
    let part = usize::from(place >= 63);
    set.parts()[part] >> (place - 63 * part) & 1 != 0
}

/// Eight sets square by square: a bit for each set.
#[inline]
pub(super) fn by_square(sets: [Bitboard; 8]) -> [u8; SQUARES] {
    let sets = sets.map(|set| packed(set).to_le_bytes());
    let mut squares = [0; SQUARES];
    for (i, chunk) in squares.chunks_mut(8).enumerate() {
        let columns = transpose(u64::from_le_bytes(sets.each_ref().map(|set| set[i])));
        chunk.copy_from_slice(&columns.to_le_bytes()[..chunk.len()]);
    }
    squares
}

/// An eight by eight square of bits with rows and columns swapped.
#[inline]
fn transpose(mut bits: u64) -> u64 {
    for (shift, mask) in [(7, 0x00aa_00aa_00aa_00aa), (14, 0x0000_cccc_0000_cccc), (28, 0xf0f0_f0f0)] {
        let swap = (bits ^ bits >> shift) & mask;
        bits ^= swap ^ swap << shift;
    }
    bits
}
