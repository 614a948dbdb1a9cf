//! Where the rooks and bishops are, as far as features know it.

use super::features::{BISHOPS_TO, ENEMY_ROOK_TO, FILES, LANES, OWN_ROOK_TO, SQUARES, half, mirror, view};
use crate::shogi::{Color, Kind, Position};

/// Where the rooks and bishops are, as far as features know it.
#[derive(Clone, Copy)]
pub(super) struct Heavy {
    /// The files of the rooks, as families number them.
    own_rook: usize,
    enemy_rook: usize,
    /// Whether there is a bishop in the own hand (2) and the enemy's (1).
    bishops: usize,
}

impl Heavy {
    /// Looks at a position.
    pub fn new(position: &Position, us: Color) -> Self {
        let them = us.flip();
        let has = |side: Color| usize::from(position.hand(side).has(Kind::BISHOP));
        Self {
            own_rook: rook_file(position, us, us),
            enemy_rook: rook_file(position, them, us),
            bishops: has(us) * 2 + has(them),
        }
    }

    /// So many cases there are.
    pub const CASES: usize = FILES * FILES * 4;

    /// The number of the case.
    pub fn case(self) -> usize {
        (self.own_rook * FILES + self.enemy_rook) * 4 + self.bishops
    }

    /// The case of that number.
    pub fn of_case(case: usize) -> Self {
        Self { own_rook: case / 4 / FILES, enemy_rook: case / 4 % FILES, bishops: case % 4 }
    }

    /// Rows of a destination.
    pub fn rows(self, to: usize) -> [usize; 3] {
        let of_rook = |family, file: usize| family + usize::from(ROOK_ROWS[file][to]) * LANES;
        [
            of_rook(OWN_ROOK_TO, self.own_rook),
            of_rook(ENEMY_ROOK_TO, self.enemy_rook),
            BISHOPS_TO + (self.bishops * SQUARES + half(to)) * LANES,
        ]
    }
}

/// The row of a destination by the file of a rook.
static ROOK_ROWS: [[u16; SQUARES]; FILES] = {
    let mut table = [[0; SQUARES]; FILES];
    let mut file = 0;
    while file < FILES {
        let mut to = 0;
        while to < SQUARES {
            // The files are numbered from the near side; without a rook only the destination is turned.
            let turn = if file < FILES - 1 { file > 4 || (file == 4 && to / 9 > 4) } else { to / 9 > 4 };
            let from = if turn && file < FILES - 1 { 8 - file } else { file };
            let square = if turn { mirror(to) } else { to };
            table[file][to] = (from * SQUARES + square) as u16;
            to += 1;
        }
        file += 1;
    }
    table
};

/// The file of a side's rook as `us` sees it.
fn rook_file(position: &Position, side: Color, us: Color) -> usize {
    let rooks = position.rook_dragon() & position.pieces_by_color(side);
    match (rooks.count(), (&rooks).into_iter().next()) {
        (1, Some(square)) => view(us, square) / 9,
        _ => FILES - 1,
    }
}
