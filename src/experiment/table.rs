//! What the alpha-beta player remembers of positions.

use crate::shogi::PackedMove;

/// How a remembered value relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The true value is this or more.
    Lower,
    /// The true value is this or less.
    Upper,
    /// It is this.
    Exact,
}

/// What is remembered of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// The move to try first; [`PackedMove::MOVE_NONE`] where none was better than another.
    pub best: PackedMove,
    /// Its value for the side to move.
    pub value: i16,
    /// The depth it was searched to.
    pub depth: u8,
    /// What the value means.
    pub bound: Bound,
}

/// A slot: the upper half of the key tells positions apart.
#[derive(Clone, Copy)]
struct Slot {
    key: u32,
    memory: Option<Memory>,
}

/// A table of fixed size; the newest entry stays.
#[derive(Default)]
pub struct Table(Vec<Slot>);

impl Table {
    /// As much as fits in so many MB.
    pub fn with_size(mb: usize) -> Self {
        Self(vec![Slot { key: 0, memory: None }; mb * 1024 * 1024 / size_of::<Slot>()])
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.0.fill(Slot { key: 0, memory: None });
    }

    fn place(&self, key: u64) -> usize {
        // The product's upper half spreads over the table what its lower half, the tag, does not hold.
        ((u128::from(key) * self.0.len() as u128) >> 64) as usize
    }

    /// What is known of the position with this key.
    pub fn get(&self, key: u64) -> Option<Memory> {
        let slot = self.0.get(self.place(key))?;
        if slot.key == key as u32 { slot.memory } else { None }
    }

    /// Remembers, in place of what was there.
    pub fn put(&mut self, key: u64, memory: Memory) {
        let place = self.place(key);
        if let Some(slot) = self.0.get_mut(place) {
            *slot = Slot { key: key as u32, memory: Some(memory) };
        }
    }

    /// Share of a sample in use, in thousandths.
    pub fn fullness(&self) -> u32 {
        let sample = &self.0[..self.0.len().min(1000)];
        let used = sample.iter().filter(|slot| slot.memory.is_some()).count();
        (used * 1000).checked_div(sample.len()).unwrap_or(0) as u32
    }
}
