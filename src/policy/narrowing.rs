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

/// So many moves are weighed in full; where there are more, they are thinned out by what says most.
const CHOICE: usize = 40;

/// More moves than any position has.
const LONGEST: usize = 1024;

type Logits = ArrayVec<i32, LONGEST>;

impl Narrowing {
    /// Keeps the moves of highest logit; among equals the earlier ones.
    pub fn of(&self, moves: &[Move], logit: impl FnMut(Move) -> i32) -> Candidates {
        let moves = &moves[..moves.len().min(LONGEST)];
        let logits: Logits = moves.iter().copied().map(logit).collect();
        self.keep(moves, &logits)
    }

    /// The same, but moves that do not do well by [`Scorer::rough`] are not weighed in full.
    #[inline]
    pub fn of_scorer(&self, moves: &[Move], scorer: &mut Scorer) -> Candidates {
        let moves = &moves[..moves.len().min(LONGEST)];
        let choice = CHOICE.max(self.count * 5 / 2);
        let mut logits: Logits = moves.iter().map(|&mv| scorer.rough(mv)).collect();
        let mut chosen = Chosen::default();
        chosen.choose(&logits, choice, i32::MAX / 2);
        // In place: those that remain move forward.
        let mut remaining = ArrayVec::<Move, LONGEST>::new();
        for (number, place) in chosen.places().enumerate() {
            remaining.push(moves[place]);
            logits[number] = logits[place] + scorer.rest(moves[place]);
        }
        self.keep(&remaining, &logits[..remaining.len()])
    }

    fn keep(&self, moves: &[Move], logits: &[i32]) -> Candidates {
        let depth = (-self.share.max(1e-9).ln() * UNIT) as i32;
        let mut chosen = Chosen::default();
        chosen.choose(logits, self.count.clamp(1, MOST), depth);
        let mut candidates = Candidates::default();
        for place in chosen.places() {
            candidates.list.push(Candidate { mv: moves[place], transition: logits[place], strength: 0.0 });
        }
        candidates
    }
}

/// Places of the highest numbers of a list.
struct Chosen {
    places: [u16; LONGEST],
    count: usize,
}

impl Default for Chosen {
    fn default() -> Self {
        Self { places: [0; LONGEST], count: 0 }
    }
}

impl Chosen {
    fn places(&self) -> impl Iterator<Item = usize> {
        self.places[..self.count].iter().map(|&place| usize::from(place))
    }

    /// Chooses the highest `count` of `logits`, and none more than `depth` below the highest; among equals the earlier
    /// ones.
    #[inline]
    fn choose(&mut self, logits: &[i32], count: usize, depth: i32) {
        let (least, mut equals) = least(logits, count, depth);
        for (place, &logit) in logits.iter().enumerate() {
            if logit == least {
                if equals == 0 {
                    continue;
                }
                equals -= 1;
            }
            // Written in any case: whether a number is high cannot be foretold, and a wrong guess costs more.
            self.places[self.count] = place as u16;
            self.count += usize::from(logit >= least);
        }
    }
}

/// The least number among the highest `count` that are at most `depth` below the highest, and how many that are equal to
/// it may stay.
#[inline]
fn least(logits: &[i32], count: usize, depth: i32) -> (i32, usize) {
    let highest = logits.iter().copied().max().unwrap_or(0);
    let lowest = logits.iter().copied().min().unwrap_or(0).max(highest.saturating_sub(depth));
    if logits.len() <= count {
        return (lowest, usize::MAX);
    }
    // Classes are as wide as a power of two, for a shift instead of a division. What is too low goes beyond the last.
    let span = (highest - lowest) as u32 / CLASSES as u32;
    let shift = u32::BITS - span.leading_zeros();
    let class = |logit: i32| ((highest - logit.max(lowest - 1)) >> shift) as usize;

    // Counting classes finds the limit without sorting; only the class on the limit is looked at closely.
    let mut counts = [0_u16; CLASSES + 1];
    for &logit in logits {
        counts[class(logit).min(CLASSES)] += 1;
    }
    let (mut last, mut kept) = (0, 0);
    for (class, &more) in counts[..CLASSES].iter().enumerate() {
        if more > 0 {
            (last, kept) = (class, kept + usize::from(more));
            if kept >= count {
                break;
            }
        }
    }
    // So many of the last class are too many: the least that stays is that far up in it.
    let spare = kept.saturating_sub(count);
    let mut on_limit: Logits =
        logits.iter().copied().filter(|&logit| logit >= lowest && class(logit) == last).collect();
    on_limit.sort_unstable();
    let least = on_limit.get(spare).copied().unwrap_or(lowest);
    let above = logits.iter().filter(|&&logit| logit > least).count();
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
