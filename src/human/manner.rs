//! How players of a rating come to their moves: how far they look ahead, what they make of it, which mates they see and how long
//! they take.

use rand::{Rng, RngExt};
use rand_distr::{Distribution, LogNormal};

use super::Shares;

/// What is known at one rating.
struct Knot {
    rating: f32,
    /// Playouts a move.
    playouts: f32,
    /// The weights of what such players like to play, of what a move is worth at a glance, and of what the playouts found.
    taste: f32,
    glance: f32,
    insight: f32,
    /// The share of mates in three plies that are kept, as counted in the games of such players. All of them keep all mates in one,
    /// though they may play a longer one.
    mates: f32,
}

const fn knot(rating: f32, playouts: f32, [taste, glance, insight]: [f32; 3], mates: f32) -> Knot {
    Knot { rating, playouts, taste, glance, insight, mates }
}

/// Taste, glance and insight in the ratios that make the moves of such players likeliest, all times what makes them as strong as they
/// are: about two for the weak and four for the strong.
const KNOTS: [Knot; 10] = [
    knot(1100.0, 16.0, [1.44, 1.04, 0.04], 0.59),
    knot(1290.0, 24.0, [1.62, 1.27, 0.07], 0.59),
    knot(1480.0, 32.0, [1.70, 1.65, 0.20], 0.62),
    knot(1670.0, 48.0, [1.61, 1.94, 0.35], 0.67),
    knot(1850.0, 80.0, [1.83, 2.60, 0.59], 0.71),
    knot(2040.0, 128.0, [1.51, 2.65, 0.91], 0.73),
    knot(2230.0, 200.0, [1.32, 2.64, 1.16], 0.75),
    knot(2420.0, 300.0, [1.33, 3.40, 1.62], 0.86),
    knot(2610.0, 500.0, [1.24, 3.86, 2.18], 0.97),
    knot(2800.0, 2000.0, [1.49, 4.68, 2.66], 1.00),
];

/// A move that no playout has tried counts as tried so often.
const UNTRIED: f32 = 0.3;

/// No move is less likely than this.
const UNLIKELY: f32 = 1e-6;

/// The usual share of the time meant for a move that is taken where it is not clear at all, and where it is.
const LONG: f32 = 0.6;
const SHORT: f32 = 0.1;

/// How much such times vary: the deviation of their logarithm.
const VARIES: f32 = 0.5;

/// The manner of a rating.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Manner {
    /// Playouts a move.
    pub playouts: u64,
    taste: f32,
    glance: f32,
    insight: f32,
    mates: f32,
}

impl Manner {
    /// Of players of a rating; outside those that are known it is as at the nearest.
    pub fn of(rating: f32) -> Self {
        let shares = Shares::of(rating, &KNOTS.each_ref().map(|knot| knot.rating));
        let mean = |of: fn(&Knot) -> f32| shares.mean(|place| of(&KNOTS[place]));
        Self {
            playouts: mean(|knot| knot.playouts.ln()).exp().round() as u64,
            taste: mean(|knot| knot.taste),
            glance: mean(|knot| knot.glance),
            insight: mean(|knot| knot.insight),
            mates: mean(|knot| knot.mates),
        }
    }

    /// How often a mate of so many plies is seen, at most three.
    pub fn sees(&self, plies: u32) -> f32 {
        if plies == 1 { 1.0 } else { self.mates }
    }

    /// The logarithm of how gladly a move is played that such players play with this probability, that is worth so much at a glance
    /// and that had so many playouts.
    pub fn liking(&self, probability: f32, worth: f32, visits: u32) -> f32 {
        self.taste * probability.max(UNLIKELY).ln()
            + self.glance * worth
            + self.insight * (visits as f32 + UNTRIED).ln()
    }

    /// The share of the time meant for a move that is taken for one of which the player is so sure, from 0 to 1.
    pub fn pace(sure: f32, random: &mut impl Rng) -> f32 {
        let usual = LONG + (SHORT - LONG) * sure.clamp(0.0, 1.0);
        let varied = LogNormal::new(usual.ln(), VARIES).map_or(usual, |times| times.sample(random));
        varied.min(1.0)
    }

    /// Whether a mate of so many plies is seen this time.
    pub fn happens_to_see(&self, plies: u32, random: &mut impl Rng) -> bool {
        random.random::<f32>() < self.sees(plies)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_pcg::Pcg64Mcg;

    #[test]
    fn stronger_players_look_further_and_see_more() {
        let manners: Vec<Manner> =
            (1000..=3000).step_by(50).map(|rating| Manner::of(rating as f32)).collect();
        assert!(manners.is_sorted_by_key(|manner| manner.playouts));
        let no_less = |a: f32, b: f32| a <= b + 1e-5;
        assert!(manners.is_sorted_by(|a, b| no_less(a.sees(1), b.sees(1)) && no_less(a.sees(3), b.sees(3))));
        assert!(manners.iter().all(|manner| manner.sees(3) <= manner.sees(1)));
        assert_eq!(Manner::of(500.0), Manner::of(1100.0));
        assert_eq!(Manner::of(4000.0), Manner::of(2800.0));
    }

    #[test]
    fn clear_moves_are_played_sooner_and_never_too_late() {
        let mut random = Pcg64Mcg::seed_from_u64(1);
        let mut mean = |sure: f32| {
            let times: Vec<f32> = (0..1000).map(|_| Manner::pace(sure, &mut random)).collect();
            assert!(times.iter().all(|time| (0.0..=1.0).contains(time)));
            times.iter().sum::<f32>() / 1000.0
        };
        let (clear, unclear) = (mean(1.0), mean(0.1));
        assert!(clear < 0.2 && unclear > 0.4 && unclear < 0.8, "{clear} {unclear}");
    }
}
