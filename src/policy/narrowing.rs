//! Narrowing: a few likely moves out of many, and one of them by chance.

use arrayvec::ArrayVec;
use rand::{Rng, RngExt};

use super::scorer::Scorer;
use super::weights::UNIT;
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

/// The moves that were kept.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    list: ArrayVec<Candidate, MOST>,
    sum: f32,
}

/// Logits fall into so many classes below the highest.
const CLASSES: usize = 128;

/// So many moves more than are kept are weighed in full: then 98.3 % of those stay that a full choice would keep.
const CHOICE: usize = 20;

/// More moves than any position has.
const LONGEST: usize = 600;

/// Moves with their logits.
pub type Weighed = ArrayVec<(i32, Move), LONGEST>;

impl Narrowing {
    /// Keeps the moves of highest logit, but moves that do not do well by [`Scorer::rough`] are not weighed in full.
    #[inline]
    pub fn of(&self, moves: &[Move], scorer: &mut Scorer) -> Candidates {
        let mut weighed = Weighed::new();
        for &mv in moves.iter().take(LONGEST) {
            weighed.push((scorer.rough(mv), mv));
        }
        keep_highest(&mut weighed, self.count + CHOICE, i32::MAX / 2);
        for (logit, mv) in &mut weighed {
            *logit += scorer.rest(*mv);
        }
        self.keep(&mut weighed)
    }

    /// Keeps the moves of highest logit; among equals the earlier ones.
    pub fn keep(&self, weighed: &mut Weighed) -> Candidates {
        let depth = (-self.share.max(1e-9).ln() * UNIT) as i32;
        keep_highest(weighed, self.count.clamp(1, MOST), depth);
        let mut candidates = Candidates::default();
        for &(transition, mv) in &*weighed {
            candidates.list.push(Candidate { mv, transition, strength: 0.0 });
        }
        candidates
    }
}

/// Keeps the `count` moves of highest logit, and none more than `depth` below the highest; among equals the earlier
/// ones.
#[inline]
fn keep_highest(weighed: &mut Weighed, count: usize, depth: i32) {
    let (least, mut equals) = least(weighed, count, depth);
    let mut kept = 0;
    for place in 0..weighed.len() {
        let (logit, mv) = weighed[place];
        if logit == least {
            if equals == 0 {
                continue;
            }
            equals -= 1;
        }
        // Written in any case: whether a logit is high cannot be foretold, and a wrong guess costs more.
        weighed[kept] = (logit, mv);
        kept += usize::from(logit >= least);
    }
    weighed.truncate(kept);
}

/// The least logit among the highest `count` that are at most `depth` below the highest, and how many that are equal to
/// it may stay.
#[inline]
fn least(weighed: &[(i32, Move)], count: usize, depth: i32) -> (i32, usize) {
    let logits = || weighed.iter().map(|&(logit, _)| logit);
    let highest = logits().max().unwrap_or(0);
    let lowest = logits().min().unwrap_or(0).max(highest.saturating_sub(depth));
    if weighed.len() <= count {
        return (lowest, usize::MAX);
    }
    // Classes are as wide as a power of two, for a shift instead of a division. What is too low goes beyond the last.
    let span = (highest - lowest) as u32 / CLASSES as u32;
    let shift = u32::BITS - span.leading_zeros();
    let class = |logit: i32| (((highest - logit) >> shift) as usize).min(CLASSES);

    // Counting classes finds the limit without sorting; only the class on the limit is looked at closely.
    let mut counts = [0_u16; CLASSES + 1];
    for logit in logits() {
        counts[class(logit)] += 1;
    }
    let (mut last, mut kept) = (0, 0);
    while last < CLASSES {
        kept += usize::from(counts[last]);
        if kept >= count {
            break;
        }
        last += 1;
    }
    // So many of the last class are too many: the least that stays is that far up in it.
    let spare = kept.saturating_sub(count);
    let mut on_limit: ArrayVec<i32, LONGEST> = logits().filter(|&logit| class(logit) == last).collect();
    on_limit.sort_unstable();
    let least = on_limit.get(spare).map_or(lowest, |&least| least.max(lowest));
    let above = logits().filter(|&logit| logit > least).count();
    (least, count.saturating_sub(above))
}

impl Candidates {
    /// Gives each candidate the weight that `logit` says, of the move and its weight by the transition policy.
    #[inline]
    pub fn weigh(&mut self, mut logit: impl FnMut(Move, i32) -> i32) {
        let mut highest = i32::MIN;
        let mut logits = ArrayVec::<i32, MOST>::new();
        for candidate in &self.list {
            let logit = logit(candidate.mv, candidate.transition);
            highest = highest.max(logit);
            logits.push(logit);
        }
        self.sum = 0.0;
        for (candidate, logit) in self.list.iter_mut().zip(logits) {
            candidate.strength = ((logit - highest) as f32 / UNIT).exp();
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
