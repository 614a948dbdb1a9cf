//! People: who wins between players of a rating, and what such players play.
//!
//! What is learned is known at some ratings, the knots; between two of them it is interpolated, so that every rating from the
//! lowest knot to the highest has a value and a policy of its own.

pub mod file;
pub mod manner;
pub mod moves;
pub mod outlook;
pub mod sight;
pub mod win;

pub use file::Human;
pub use manner::Manner;
pub use outlook::{Lead, Outlook};
pub use sight::SEARCHED;

/// A rating's part in the knots next to it: their places and shares, which add up to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shares(pub [(usize, f32); 2]);

impl Shares {
    /// Of a rating among knots in ascending order; outside it is as at the nearest.
    ///
    /// # Panics
    /// Where there are no knots.
    pub fn of(rating: f32, knots: &[f32]) -> Self {
        let above = knots.iter().position(|&knot| knot > rating).unwrap_or(knots.len());
        if above == 0 || above == knots.len() {
            let place = above.saturating_sub(1);
            assert!(place < knots.len(), "there are knots");
            return Self([(place, 1.0), (place, 0.0)]);
        }
        let (low, high) = (knots[above - 1], knots[above]);
        let share = (rating - low) / (high - low);
        Self([(above - 1, 1.0 - share), (above, share)])
    }

    /// What numbers known at the knots are at the rating.
    pub fn mean(&self, at: impl Fn(usize) -> f32) -> f32 {
        self.0.iter().map(|&(place, share)| share * at(place)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn between_knots_numbers_go_evenly_from_one_to_the_next() {
        let knots = [1000.0, 1400.0, 2000.0];
        let at = |rating| Shares::of(rating, &knots).mean(|place| [10.0, 20.0, 50.0][place]);
        let expected = [
            (900.0, 10.0),
            (1000.0, 10.0),
            (1100.0, 12.5),
            (1400.0, 20.0),
            (1700.0, 35.0),
            (2000.0, 50.0),
            (2900.0, 50.0),
        ];
        for (rating, number) in expected {
            assert!((at(rating) - number).abs() < 1e-4, "{rating}: {}", at(rating));
        }
        assert!((Shares::of(1500.0, &[2000.0]).mean(|_| 7.0) - 7.0).abs() < 1e-6);
    }
}
