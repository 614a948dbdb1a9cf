//! Narrowing: a few likely moves out of many, and one of them by chance.

use arrayvec::ArrayVec;
use rand::{Rng, RngExt};

use super::scorer::Scorer;
use crate::shogi::Move;

/// No narrowing keeps more moves than this.
pub const MOST: usize = 64;

/// How many moves to keep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Narrowing {
    /// At most so many, up to [`MOST`].
    pub count: usize,
    /// None that is less likely than this share of the likeliest.
    pub share: f32,
}

impl Default for Narrowing {
    fn default() -> Self {
        Self { count: 16, share: 0.001 }
    }
}

/// A move that may be played in a playout.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// The move.
    pub mv: Move,
    /// Its weight by the transition policy.
    transition: i32,
    /// How likely it is, relative to the others.
    strength: f32,
}

impl Candidate {
    const NONE: Self = Self { mv: Move::from_raw(0), transition: 0, strength: 0.0 };
}

/// The moves that were kept.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    list: ArrayVec<Candidate, MOST>,
    sum: f32,
}

/// About so many moves more than are kept are weighed in full: then 98.3 % of those stay that a full choice would keep.
const CHOICE: usize = 20;

/// The choice may be larger by this.
const SPARE: usize = 4;

/// More moves than any position has.
const LONGEST: usize = 600;

impl Narrowing {
    /// Keeps the moves of highest logit, but moves that do not do well by [`Scorer::rough`] are not weighed in full.
    #[inline]
    pub fn of(&self, moves: &[Move], scorer: &mut Scorer) -> Candidates {
        scorer.look_at(moves);
        let mut logits: ArrayVec<i32, LONGEST> =
            moves.iter().take(LONGEST).map(|&mv| scorer.rough(mv)).collect();
        if !scorer.has_rest() {
            return self.keep(moves, &logits, scorer.unit());
        }
        let mut choice: ArrayVec<Move, LONGEST> = moves.iter().copied().take(LONGEST).collect();
        let limit = limit(&logits, i32::MIN, self.count + CHOICE, SPARE);
        let mut count = 0;
        for place in 0..choice.len() {
            // Written in any case: whether a logit is high cannot be foretold, and a wrong guess costs more.
            let logit = logits[place];
            (choice[count], logits[count]) = (choice[place], logit);
            count += usize::from(logit >= limit);
        }
        choice.truncate(count);
        logits.truncate(count);
        scorer.add_rest(&choice, &mut logits);
        self.keep(&choice, &logits, scorer.unit())
    }

    /// Keeps the moves of highest logit, of which `unit` is 1.0; among equals the earlier ones.
    #[inline]
    pub fn keep(&self, moves: &[Move], logits: &[i32], unit: f32) -> Candidates {
        let count = self.count.clamp(1, MOST);
        let depth = (-self.share.max(1e-9).ln() * unit) as i32;
        let highest = logits.iter().copied().max().unwrap_or(0);
        let least = limit(logits, highest.saturating_sub(depth), count, 0);
        let mut equals = count.saturating_sub(reach(logits, least + 1));
        let mut list = [Candidate::NONE; MOST + 1];
        let mut kept = 0;
        for (&mv, &transition) in moves.iter().zip(logits) {
            // Written in any case: whether a logit is high cannot be foretold, and a wrong guess costs more.
            list[kept.min(MOST)] = Candidate { mv, transition, strength: 0.0 };
            let equal = usize::from(transition == least).min(equals);
            equals -= equal;
            kept += usize::from(transition > least) + equal;
        }
        let mut candidates = Candidates::default();
        candidates.list.extend(list[..kept.min(count)].iter().copied());
        candidates
    }
}

/// The highest limit from `least` on that at least `count` logits reach, or any that at most `spare` more do; if there are
/// not so many, `least` or one that all do.
#[inline]
fn limit(logits: &[i32], least: i32, count: usize, spare: usize) -> i32 {
    let (low, mut high) =
        logits.iter().fold((i32::MAX, i32::MIN), |(low, high), &logit| (low.min(logit), high.max(logit)));
    let mut low = low.max(least);
    let mut reached = reach(logits, low);
    // Enough reach the lower limit, if ever, and nobody what is above the higher one.
    while low < high && reached > count + spare {
        let middle = low + (high - low + 1) / 2;
        let now = reach(logits, middle);
        if now >= count {
            (low, reached) = (middle, now);
        } else {
            high = middle - 1;
        }
    }
    low
}

/// How many logits reach a limit.
#[inline]
fn reach(logits: &[i32], limit: i32) -> usize {
    // Four bytes a logit all the way and few that are left over, so that eight are compared at once.
    let (eights, rest) = logits.as_chunks::<8>();
    let mut counts = [0; 8];
    for eight in eights {
        counts = std::array::from_fn(|i| counts[i] + u32::from(eight[i] >= limit));
    }
    let rest = rest.iter().filter(|&&logit| logit >= limit).count();
    counts.iter().sum::<u32>() as usize + rest
}

impl Candidates {
    /// Gives each candidate the weight that `logit` says, of the move and its weight by the transition policy; `unit` is
    /// a weight of 1.0.
    #[inline]
    pub fn weigh(&mut self, unit: f32, mut logit: impl FnMut(Move, i32) -> i32) {
        let mut highest = i32::MIN;
        let mut logits = ArrayVec::<i32, MOST>::new();
        for candidate in &self.list {
            let logit = logit(candidate.mv, candidate.transition);
            highest = highest.max(logit);
            logits.push(logit);
        }
        self.sum = 0.0;
        let scale = 1.0 / unit;
        for (candidate, logit) in self.list.iter_mut().zip(logits) {
            candidate.strength = ((logit - highest) as f32 * scale).exp();
            self.sum += candidate.strength;
        }
    }

    /// Whether there is none: no legal move.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// The moves.
    pub fn moves(&self) -> ArrayVec<Move, MOST> {
        self.list.iter().map(|candidate| candidate.mv).collect()
    }

    /// The moves with their probabilities.
    pub fn iter(&self) -> impl Iterator<Item = (Move, f32)> + '_ {
        self.list.iter().map(|candidate| (candidate.mv, candidate.strength / self.sum))
    }

    /// One of them by chance.
    #[inline]
    pub fn sample(&self, random: &mut impl Rng) -> Option<Move> {
        let mut rest = random.random::<f32>() * self.sum;
        for candidate in &self.list {
            rest -= candidate.strength;
            if rest < 0.0 {
                return Some(candidate.mv);
            }
        }
        // Rounding may leave a trace.
        self.list.last().map(|candidate| candidate.mv)
    }
}
