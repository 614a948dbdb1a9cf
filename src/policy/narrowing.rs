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
const LONGEST: usize = 608;

/// Logits that are compared at once.
const VECTOR: usize = 16;

/// The logits of moves. Sixteen bits are enough for the sum of a move's features, and few enough to compare many at once.
pub struct Logits {
    numbers: [i16; LONGEST],
    count: usize,
}

/// The lowest limit: what stands for no move does not reach it.
const LOWEST: i16 = -i16::MAX;

impl FromIterator<i16> for Logits {
    #[inline(always)]
    fn from_iter<I: IntoIterator<Item = i16>>(numbers: I) -> Self {
        let mut logits = Self { numbers: [i16::MIN; LONGEST], count: 0 };
        for (place, number) in logits.numbers.iter_mut().zip(numbers) {
            *place = number;
            logits.count += 1;
        }
        logits
    }
}

impl Logits {
    /// All of them, the last few of which may stand for no move and be the lowest there is.
    #[inline(always)]
    fn vectors(&self) -> &[[i16; VECTOR]] {
        &self.numbers.as_chunks().0[..self.count.div_ceil(VECTOR)]
    }

    #[inline]
    fn highest(&self) -> i16 {
        let mut highest = [i16::MIN; VECTOR];
        for vector in self.vectors() {
            highest = std::array::from_fn(|i| highest[i].max(vector[i]));
        }
        highest.into_iter().fold(i16::MIN, i16::max)
    }

    /// How many reach a limit from [`LOWEST`] on.
    #[inline]
    fn reach(&self, limit: i16) -> usize {
        let mut counts = [0_i16; VECTOR];
        for vector in self.vectors() {
            counts = std::array::from_fn(|i| counts[i] + i16::from(vector[i] >= limit));
        }
        counts.into_iter().sum::<i16>() as usize
    }

    /// The highest limit from `least` on that at least `count` reach, or any that at most `spare` more do; if there are
    /// not so many, `least` or one that all reach.
    #[inline]
    fn limit(&self, least: i16, count: usize, spare: usize) -> i16 {
        let lowest = self.numbers[..self.count].iter().copied().min().unwrap_or(LOWEST);
        let (mut low, mut high) = (i32::from(lowest.max(least)), i32::from(self.highest()));
        let mut reached = self.reach(low as i16);
        // Enough reach the lower limit, if ever, and nobody what is above the higher one.
        while low < high && reached > count + spare {
            let middle = low + (high - low + 1) / 2;
            let now = self.reach(middle as i16);
            if now >= count {
                (low, reached) = (middle, now);
            } else {
                high = middle - 1;
            }
        }
        low as i16
    }

    /// Shows the places of at most `count` that reach a limit; among those equal to it the earlier ones.
    #[inline(always)]
    fn above(&self, limit: i16, count: usize, mut show: impl FnMut(usize)) {
        let mut places = [0_u16; LONGEST + 1];
        let mut found = 0;
        for (place, &logit) in self.numbers[..self.count].iter().enumerate() {
            // Written in any case: whether a logit is high cannot be foretold, and a wrong guess costs more.
            places[found] = place as u16;
            found += usize::from(logit >= limit);
        }
        let places = places[..found].iter().map(|&place| usize::from(place));
        let mut equals = count;
        if found > count {
            equals -= places.clone().filter(|&place| self.numbers[place] > limit).count();
        }
        for place in places {
            if self.numbers[place] == limit {
                if equals == 0 {
                    continue;
                }
                equals -= 1;
            }
            show(place);
        }
    }
}

impl Narrowing {
    /// Keeps the moves of highest logit, but moves that do not do well by [`Scorer::rough`] are not weighed in full.
    #[inline]
    pub fn of(&self, moves: &[Move], scorer: &mut Scorer) -> Candidates {
        scorer.look_at(moves);
        let rough: Logits = moves.iter().map(|&mv| scorer.rough(mv) as i16).collect();
        if !scorer.has_rest() {
            return self.keep(moves, &rough, scorer.unit());
        }
        let limit = rough.limit(LOWEST, self.count + CHOICE, SPARE);
        let mut choice = ArrayVec::<Move, LONGEST>::new();
        let mut sums = ArrayVec::<i16, LONGEST>::new();
        rough.above(limit, LONGEST, |place| {
            choice.push(moves[place]);
            sums.push(rough.numbers[place]);
        });
        scorer.add_rest(&choice, &mut sums);
        self.keep(&choice, &sums.into_iter().collect(), scorer.unit())
    }

    /// Keeps the moves of highest logit, of which `unit` is 1.0; among equals the earlier ones.
    #[inline]
    pub fn keep(&self, moves: &[Move], logits: &Logits, unit: f32) -> Candidates {
        let count = self.count.clamp(1, MOST);
        let depth = (-self.share.max(1e-9).ln() * unit) as i32;
        let least = (i32::from(logits.highest()) - depth).max(i32::from(LOWEST)) as i16;
        let limit = logits.limit(least, count, 0);
        let mut candidates = Candidates::default();
        logits.above(limit, count, |place| {
            let transition = i32::from(logits.numbers[place]);
            candidates.list.push(Candidate { mv: moves[place], transition, strength: 0.0 });
        });
        candidates
    }
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
