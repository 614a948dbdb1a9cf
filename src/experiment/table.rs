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

/// A table of fixed size; the newest entry stays. All zero where nothing is remembered: memory that the system hands
/// out zeroed is taken only as it is used.
#[derive(Default)]
pub struct Table {
    /// Lower half of the position's key, move, value.
    entries: Vec<u64>,
    /// Depth and, in the lowest two bits, bound; a bound is never zero.
    terms: Vec<u16>,
}

impl Table {
    /// As much as fits in so many MB.
    pub fn with_size(mb: usize) -> Self {
        let count = mb * 1024 * 1024 / (size_of::<u64>() + size_of::<u16>());
        Self { entries: vec![0; count], terms: vec![0; count] }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        let count = self.entries.len();
        // What there was goes first, or both would be needed at once.
        *self = Self::default();
        *self = Self { entries: vec![0; count], terms: vec![0; count] };
    }

    /// The upper half of the key says where; the lower tells positions apart.
    fn place(&self, key: u64) -> usize {
        ((u128::from(key) * self.entries.len() as u128) >> 64) as usize
    }

    /// What is known of the position with this key.
    pub fn get(&self, key: u64) -> Option<Memory> {
        let place = self.place(key);
        let (entry, terms) = (*self.entries.get(place)?, *self.terms.get(place)?);
        let bound = match terms & 3 {
            1 => Bound::Lower,
            2 => Bound::Upper,
            3 => Bound::Exact,
            _ => return None,
        };
        let best = PackedMove::from_raw((entry >> 16) as u16);
        (entry >> 32 == key & 0xffff_ffff).then_some(Memory {
            best,
            value: entry as i16,
            depth: (terms >> 2) as u8,
            bound,
        })
    }

    /// Remembers, in place of what was there.
    pub fn put(&mut self, key: u64, memory: Memory) {
        let place = self.place(key);
        let bound = match memory.bound {
            Bound::Lower => 1,
            Bound::Upper => 2,
            Bound::Exact => 3,
        };
        if let (Some(entry), Some(terms)) = (self.entries.get_mut(place), self.terms.get_mut(place)) {
            let (best, value) = (u64::from(memory.best.raw()), u64::from(memory.value as u16));
            *entry = key << 32 | best << 16 | value;
            *terms = u16::from(memory.depth) << 2 | bound;
        }
    }

    /// Share of a sample in use, in thousandths.
    pub fn fullness(&self) -> u32 {
        let sample = &self.terms[..self.terms.len().min(1000)];
        let used = sample.iter().filter(|&&terms| terms != 0).count();
        (used * 1000).checked_div(sample.len()).unwrap_or(0) as u32
    }
}
