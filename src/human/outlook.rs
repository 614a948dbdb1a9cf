//! What a position is worth to people: the win rate by rating, and how safe a lead is.

use std::fmt;

use super::Human;
use super::win::Mirrored;
use crate::eval::Network;
use crate::shogi::Position;

/// Ratings that are always told.
pub const TOLD: [u16; 5] = [1200, 1600, 2000, 2400, 2800];

/// A win rate nearer to a half than this is no lead.
const EVEN: f32 = 0.04;

/// A lead whose win rate differs less than this from rating to rating is safe for everybody.
pub const SAFE: f32 = 0.08;

/// How much a lead moves with the rating.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lead {
    /// Nobody leads.
    None,
    /// The win rate is about the same for all ratings.
    Safe,
    /// The stronger the players, the more it is worth, but it is a lead for all.
    Sharp,
    /// Weak players would rather lose.
    ForExperts,
    /// The weaker the players, the more it is worth: strong ones find the defence.
    AgainstBeginners,
}

impl Lead {
    /// In a word, in English.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "even",
            Self::Safe => "safe",
            Self::Sharp => "sharp",
            Self::ForExperts => "only for experts",
            Self::AgainstBeginners => "good against beginners",
        }
    }

    /// By the win rates of who leads at ascending ratings, and at the rating of the players.
    fn of(rates: &[f32], own: f32) -> Self {
        let (Some(&weakest), Some(&strongest)) = (rates.first(), rates.last()) else { return Self::None };
        let low = rates.iter().copied().fold(own, f32::min);
        let high = rates.iter().copied().fold(own, f32::max);
        if high - 0.5 < EVEN {
            Self::None
        } else if high - low < SAFE {
            Self::Safe
        } else if weakest > strongest {
            Self::AgainstBeginners
        } else if weakest < 0.5 {
            Self::ForExperts
        } else {
            Self::Sharp
        }
    }
}

/// What a position is worth to people, for the side to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Outlook {
    /// Win rates at [`TOLD`].
    pub rates: [f32; TOLD.len()],
    /// A rating and the win rate there.
    pub own: (u16, f32),
    /// How safe the lead is, whoever has it.
    pub lead: Lead,
}

impl Outlook {
    /// Of a position, between players of a rating among others; `searched` is the logit of what a search says.
    pub fn of(
        human: &Human,
        network: &Network,
        position: &Position,
        rating: u16,
        searched: Option<f32>,
    ) -> Self {
        // Looking at the position takes longer than all that comes after it.
        let views = Mirrored::of(network, position);
        let at = |rating: u16| human.rate(&views, f32::from(rating), searched);
        let (rates, own) = (TOLD.map(at), at(rating));
        // The same for both sides: the other one leads where the side to move does not.
        let leads = |rate: f32| if own < 0.5 { 1.0 - rate } else { rate };
        Self { rates, own: (rating, own), lead: Lead::of(&rates.map(leads), leads(own)) }
    }
}

impl fmt::Display for Outlook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "win rate by rating:")?;
        for (rating, rate) in TOLD.iter().zip(self.rates) {
            write!(f, " {rating} {:.0} %,", 100.0 * rate)?;
        }
        write!(f, " yours {} {:.0} %; lead: {}", self.own.0, 100.0 * self.own.1, self.lead.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leads_by_how_they_move_with_the_rating() {
        let lead = |rates: [f32; 3]| Lead::of(&rates, rates[1]);
        assert_eq!(lead([0.50, 0.51, 0.53]), Lead::None);
        assert_eq!(lead([0.80, 0.83, 0.85]), Lead::Safe);
        assert_eq!(lead([0.60, 0.70, 0.85]), Lead::Sharp);
        assert_eq!(lead([0.45, 0.60, 0.75]), Lead::ForExperts);
        assert_eq!(lead([0.80, 0.70, 0.60]), Lead::AgainstBeginners);
    }
}
