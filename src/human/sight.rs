//! Who wins where a position was searched too: how it looks and what the search says, each counted as much as it is worth to players
//! of a rating.

use super::Shares;

/// Playouts from which on a search counts.
pub const SEARCHED: u64 = 500;

/// What speaks for the side to move, as logits of win rates: the network of who wins, the evaluation, the search.
pub type Signs = [f32; 3];

/// How much each of the signs counts at one knot.
pub type Sight = [f32; 3];

/// Where nothing was learned about searches they do not count.
pub const BLIND: Sight = [1.0, 0.0, 0.0];

/// The logit of the win rate by all signs.
pub fn logit(sights: &[Sight], shares: &Shares, signs: &Signs) -> f32 {
    shares.mean(|knot| sights[knot].iter().zip(signs).map(|(weight, sign)| weight * sign).sum())
}
