//! What a policy said of positions, for when they come again: playouts from one place share their first plies.

use super::{Candidates, Moment, Policy};
use crate::shogi::{Piece, Walker};

/// A number for all that a policy sees of a position: the position, how it came about, and the policy's aspect of the moment.
#[inline]
pub fn sight(walker: &Walker, aspect: usize) -> u64 {
    let ago = |number| walker.move_ago(number).map_or(0, |mv| u64::from(mv.raw()));
    let captured = u64::from(walker.position().captured_piece() != Piece::NONE);
    let past = (ago(1) << 32 | ago(2)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let rest = (aspect as u64 * 2 + captured + 1).wrapping_mul(0xd1b5_4a32_d192_ed03);
    walker.position().key().low_u64() ^ past.rotate_left(29) ^ rest
}

/// The candidates of the last positions that one policy was asked for.
#[derive(Clone, Debug)]
pub struct Memory {
    most: usize,
    /// By the lowest bits of the sight: one more than the place in `kept`.
    slots: Vec<u32>,
    kept: Vec<(u64, Candidates)>,
}

impl Memory {
    /// Room for so many positions, a power of two; for 0 nothing is remembered.
    pub fn new(most: usize) -> Self {
        debug_assert!(most == 0 || most.is_power_of_two());
        Self { most, slots: vec![0; 2 * most], kept: Vec::new() }
    }

    /// The same as [`Policy::candidates`], always of the same policy; nothing where there is no room for anything.
    #[inline]
    pub fn candidates(
        &mut self,
        policy: &Policy,
        walker: &mut Walker,
        moment: Moment,
    ) -> Option<&Candidates> {
        if self.most == 0 {
            return None;
        }
        let sight = sight(walker, policy.aspect(moment));
        let slot = sight as usize & (self.slots.len() - 1);
        let place = self.slots[slot] as usize;
        if place > 0 && self.kept[place - 1].0 == sight {
            return Some(&self.kept[place - 1].1);
        }
        if self.kept.len() == self.most {
            // Rather all at once than a count of who was asked for last.
            self.kept.clear();
            self.slots.fill(0);
        }
        self.kept.push((sight, policy.candidates(walker, moment)));
        self.slots[slot] = self.kept.len() as u32;
        self.kept.last().map(|(_, candidates)| candidates)
    }
}
