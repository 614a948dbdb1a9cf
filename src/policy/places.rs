//! Which rows of weights destinations have, for all squares at once: a few vector instructions for the whole board instead
//! of many for each square.

use super::features::{CONTENTS, EXCHANGE, FEW, LANES, OPPOSITES, SQUARES};
use super::neighbourhood::{BEFORE, EDGED, Neighbourhood, OPPOSITE, edged};
use super::scene::{ATTACKERS, LEAST_BITS, Trace};
use crate::shogi::Color;

/// Rows that a destination has at any look, beside those that weights fold.
pub(super) const PLACE_ROWS: usize = 4;

/// Numbers of rows by destination as the side to move sees it; beyond all rows where there is nothing to say.
pub(super) struct Places {
    rows: [[u16; SQUARES]; PLACE_ROWS],
    /// What stands on opposite sides, at a glance only; by square of the edged board.
    pairs: [[u16; EDGED]; OPPOSITE.len()],
}

impl Places {
    /// By the marks and kinds of a scene, and its rows by how a square lies to the own king, to the enemy's, and to where the
    /// last move went.
    #[inline(always)]
    pub fn new(
        us: Color,
        marks: &[u8; SQUARES],
        kinds: &[u8; SQUARES],
        [guard, storm, reply]: [Trace; 3],
    ) -> Self {
        let (mut seen, mut captured) = (*marks, *kinds);
        if us == Color::White {
            seen.reverse();
            captured.reverse();
        }
        let attackers: [u16; SQUARES] = std::array::from_fn(|to| {
            let bit = |bit: u8| u16::from(seen[to] >> bit & 1);
            let enemies = u16::from(seen[to] & LEAST_BITS != 0) + bit(3);
            enemies * FEW as u16 + bit(4) + bit(5)
        });
        let by = |trace: Trace| -> [u16; SQUARES] { std::array::from_fn(|to| trace.at(to)) };
        let (guard, storm) = (by(guard), by(storm));
        let rows = [
            std::array::from_fn(|to| guard[to] + attackers[to]),
            std::array::from_fn(|to| storm[to] + attackers[to]),
            std::array::from_fn(|to| {
                (EXCHANGE / LANES) as u16 + u16::from(captured[to]) * 64 + u16::from(seen[to] & ATTACKERS)
            }),
            by(reply),
        ];
        Self { rows, pairs: [[0; EDGED]; OPPOSITE.len()] }
    }

    /// Looks at what stands around every square in pairs, as a glance does.
    #[inline(always)]
    pub fn pair(&mut self, contents: &Neighbourhood) {
        let board = contents.board();
        for (pairs, (number, places)) in self.pairs.iter_mut().zip(OPPOSITE) {
            let first = (OPPOSITES / LANES + number * CONTENTS * CONTENTS) as u16;
            let [one, other] = places.map(|place| &board[place..][..EDGED - 2 * BEFORE]);
            for ((row, &one), &other) in pairs[BEFORE..].iter_mut().zip(one).zip(other) {
                let (one, other) = if number == 0 { (one, other) } else { (one.min(other), one.max(other)) };
                *row = first + u16::from(one / 4) * CONTENTS as u16 + u16::from(other / 4);
            }
        }
    }

    /// The rows of a destination at any look.
    #[inline(always)]
    pub fn rows(&self, to: usize) -> [u16; PLACE_ROWS] {
        self.rows.each_ref().map(|rows| rows[to])
    }

    /// The rows of what stands around it in pairs.
    #[inline(always)]
    pub fn pairs(&self, to: usize) -> [u16; OPPOSITE.len()] {
        let place = edged(to);
        self.pairs.each_ref().map(|rows| rows[place])
    }
}
