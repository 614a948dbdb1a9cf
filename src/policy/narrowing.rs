//! Narrowing: a few likely moves out of many, and one of them by chance.

use arrayvec::ArrayVec;
use rand::{Rng, RngExt};

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

impl Narrowing {
    /// Keeps the moves of highest logit; among equals the earlier ones.
    #[inline(always)]
    pub fn of(&self, moves: &[Move], mut logit: impl FnMut(Move) -> i32) -> Candidates {
        const LONGEST: usize = 1024;
        let mut logits = [0; LONGEST];
        let moves = &moves[..moves.len().min(LONGEST)];
        let mut highest = i32::MIN;
        for (&mv, place) in moves.iter().zip(&mut logits) {
            *place = logit(mv);
            highest = highest.max(*place);
        }
        let logits = &logits[..moves.len()];
        let depth = (-self.share.max(1e-9).ln() * UNIT) as i32;
        let width = depth / (CLASSES as i32 - 1) + 1;
        let class = |logit: i32| ((highest - logit) / width) as usize;

        // Counting classes finds the limit without sorting; only the class on the limit is looked at closely.
        let mut counts = [0_u16; CLASSES];
        for &logit in logits {
            if highest - logit <= depth {
                counts[class(logit)] += 1;
            }
        }
        let wanted = self.count.clamp(1, MOST);
        let (mut last, mut kept) = (0, usize::from(counts[0]));
        while kept < wanted && last + 1 < CLASSES {
            last += 1;
            kept += usize::from(counts[last]);
        }
        let mut candidates = Candidates::default();
        let mut on_limit: ArrayVec<(i32, Move), LONGEST> = ArrayVec::new();
        for (&logit, &mv) in logits.iter().zip(moves) {
            if highest - logit > depth || class(logit) > last {
                continue;
            }
            if class(logit) < last || kept <= wanted {
                candidates.list.push(Candidate { mv, transition: logit, strength: 0.0 });
            } else {
                on_limit.push((logit, mv));
            }
        }
        on_limit.sort_by_key(|&(logit, _)| -logit);
        for &(logit, mv) in on_limit.iter().take(wanted.saturating_sub(candidates.list.len())) {
            candidates.list.push(Candidate { mv, transition: logit, strength: 0.0 });
        }
        candidates
    }
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
