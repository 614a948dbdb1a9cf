//! What is known of positions, in a table of fixed size.

use crate::shogi::Hand;

/// More than any proof number that is still open.
pub const INFINITE: u32 = u32::MAX / 4;

/// A length or limit without end.
pub const FOREVER: u16 = u16::MAX;

/// Stands for "depends on no earlier position".
pub const NOTHING: u16 = u16::MAX;

/// What is known of a position. Proved: `pn` 0; disproved: `dn` 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// How hard it looks to prove a mate.
    pub pn: u32,
    /// How hard it looks to disprove it.
    pub dn: u32,
    /// Where proved: the mate takes so many plies. Where disproved: there is none of so many plies or fewer.
    pub plies: u16,
    /// Where disproved: the depth of the earliest position on the path that the disproof leans on, because coming back
    /// to it fails the attacker.
    pub leans_on: u16,
}

impl Value {
    /// Nothing known.
    pub const OPEN: Self = Self { pn: 1, dn: 1, plies: 0, leans_on: NOTHING };

    /// Mate in so many plies.
    pub fn mate(plies: u16) -> Self {
        Self { pn: 0, dn: INFINITE, plies, leans_on: NOTHING }
    }

    /// No mate within so many plies.
    pub fn no_mate(plies: u16, leans_on: u16) -> Self {
        Self { pn: INFINITE, dn: 0, plies, leans_on }
    }

    /// Whether a mate is proved.
    pub fn is_mate(&self) -> bool {
        self.pn == 0
    }

    /// Whether a mate is excluded.
    pub fn is_no_mate(&self) -> bool {
        self.dn == 0
    }
}

/// A position as the table knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The board and whose turn it is.
    pub key: u64,
    /// The attacker's hand, which with the board fixes the defender's.
    pub hand: Hand,
}

#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    hand: Hand,
    /// The path by which it was reached, where the value holds only on that; else 0.
    path: u32,
    pn: u32,
    dn: u32,
    plies: u16,
    leans_on: u16,
    /// Nodes that went into it; 0 where the entry is free.
    effort: u32,
}

const FREE: Entry =
    Entry { key: 0, hand: Hand::ZERO, path: 0, pn: 0, dn: 0, plies: 0, leans_on: NOTHING, effort: 0 };

const _: () = assert!(size_of::<Entry>() == 32);

/// Entries looked at for a position.
const WINDOW: usize = 16;

/// The table.
pub struct Table {
    entries: Vec<Entry>,
    /// The number of the search under way, which stands in its open entries in place of plies.
    search: u16,
}

impl Table {
    /// A table of so many MB, at least one.
    pub fn new(mb: usize) -> Self {
        Self { entries: vec![FREE; mb.max(1) * 1024 * 1024 / size_of::<Entry>()], search: 0 }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.entries.fill(FREE);
    }

    /// Begins a search with other limits: what is proved stays, but numbers of open positions were right only for the
    /// last one and would mislead it.
    pub fn begin(&mut self) {
        self.search = self.search.wrapping_add(1);
    }

    fn window(&self, key: u64) -> std::ops::Range<usize> {
        let last = self.entries.len() - WINDOW;
        let start = ((u128::from(key) * last as u128) >> 64) as usize;
        start..start + WINDOW
    }

    /// What is known of a place reached by `path` when mates of at most `plies` count.
    ///
    /// Who mates with some hand mates with more in it, and who does not, does not with less.
    pub fn get(&self, place: Place, path: u32, plies: u16) -> Value {
        let mut value = Value::OPEN;
        for entry in &self.entries[self.window(place.key)] {
            if entry.effort == 0 {
                break;
            }
            if entry.key != place.key {
                continue;
            }
            if entry.pn == 0 {
                if entry.plies <= plies && Hand::is_equal_or_superior(place.hand, entry.hand) {
                    return Value::mate(entry.plies);
                }
            } else if entry.dn == 0 {
                let here = if entry.path == 0 {
                    Hand::is_equal_or_superior(entry.hand, place.hand)
                } else {
                    entry.path == path && entry.hand == place.hand
                };
                if here && entry.plies >= plies {
                    return Value::no_mate(entry.plies, entry.leans_on);
                }
            } else if entry.hand == place.hand && entry.plies == self.search {
                value = Value { pn: entry.pn, dn: entry.dn, plies: 0, leans_on: NOTHING };
            }
        }
        value
    }

    /// The shortest mate known for a place.
    pub fn shortest_mate(&self, place: Place) -> Option<u16> {
        self.entries[self.window(place.key)]
            .iter()
            .take_while(|entry| entry.effort > 0)
            .filter(|entry| {
                entry.key == place.key && entry.pn == 0 && Hand::is_equal_or_superior(place.hand, entry.hand)
            })
            .map(|entry| entry.plies)
            .min()
    }

    /// Remembers a value that took `effort` nodes. One that leans on a position at or after `depth`, its own, leans on
    /// nothing outside and holds on every path.
    pub fn put(&mut self, place: Place, path: u32, depth: u16, value: Value, effort: u64) {
        let leans = value.is_no_mate() && value.leans_on < depth;
        let entry = Entry {
            key: place.key,
            hand: place.hand,
            path: if leans { path.max(1) } else { 0 },
            pn: value.pn,
            dn: value.dn,
            plies: if value.is_mate() || value.is_no_mate() { value.plies } else { self.search },
            leans_on: if leans { value.leans_on } else { NOTHING },
            effort: u32::try_from(effort).unwrap_or(u32::MAX).max(1),
        };
        let window = self.window(place.key);
        let slots = &mut self.entries[window];
        let replaces = |old: &Entry| {
            old.effort == 0 || (old.key == entry.key && old.hand == entry.hand && is_outdated(old, &entry))
        };
        let slot = match slots.iter().position(replaces) {
            Some(slot) => slot,
            // The least work is lost where it hurts least.
            None => (0..WINDOW).min_by_key(|&slot| slots[slot].effort).unwrap_or(0),
        };
        slots[slot] = entry;
    }
}

/// Whether `new`, about the same place, says all that `old` says.
fn is_outdated(old: &Entry, new: &Entry) -> bool {
    if old.pn == 0 {
        new.pn == 0 && new.plies <= old.plies
    } else if old.dn == 0 {
        new.dn == 0 && new.plies >= old.plies && (new.path == 0 || new.path == old.path)
    } else {
        true
    }
}
