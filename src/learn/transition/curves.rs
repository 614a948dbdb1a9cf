//! How well strengths tell what was played: agreement and possession.

use rayon::prelude::*;
use std::fmt::Write;

use super::choices::{self, Choice};
use crate::eval::Network;
use crate::learn::records::Game;
use crate::policy::Look;
use crate::policy::weights::{PHASES, phase};

/// Ranks that curves go to.
pub const RANKS: usize = 40;

/// The ranks that tables show.
const SHOWN: [usize; 6] = [1, 2, 5, 10, 16, 20];

/// What was measured over positions.
#[derive(Clone, Debug, PartialEq)]
pub struct Curves {
    /// Positions.
    pub count: f64,
    /// Sum of the surprise at what was played: −ln p.
    loss: f64,
    /// By rank: how often the move played was among so many strongest.
    agreement: [f64; RANKS],
    /// By rank: the share of the whole strength that so many strongest hold, summed up.
    possession: [f64; RANKS],
}

impl Default for Curves {
    fn default() -> Self {
        Self { count: 0.0, loss: 0.0, agreement: [0.0; RANKS], possession: [0.0; RANKS] }
    }
}

impl Curves {
    /// Mean surprise at what was played.
    pub fn loss(&self) -> f64 {
        self.loss / self.count.max(1.0)
    }

    /// Share of positions whose move was among the `rank` strongest.
    pub fn agreement(&self, rank: usize) -> f64 {
        self.agreement[rank.clamp(1, RANKS) - 1] / self.count.max(1.0)
    }

    /// Mean share of the strength that the `rank` strongest hold.
    pub fn possession(&self, rank: usize) -> f64 {
        self.possession[rank.clamp(1, RANKS) - 1] / self.count.max(1.0)
    }

    fn add(&mut self, probabilities: &mut [f32], played: usize) {
        let own = probabilities[played];
        // Equals may stand in any order: each place among them is as likely as the other.
        let above = probabilities.iter().filter(|&&other| other > own).count();
        let equal = probabilities.iter().filter(|&&other| other.to_bits() == own.to_bits()).count();
        self.count += 1.0;
        self.loss -= f64::from(own.max(f32::MIN_POSITIVE)).ln();
        for (hits, places) in self.agreement.iter_mut().skip(above).zip(1..) {
            *hits += f64::min(f64::from(places) / equal as f64, 1.0);
        }
        probabilities.sort_unstable_by(|a, b| b.total_cmp(a));
        let mut held = 0.0;
        for (i, share) in self.possession.iter_mut().enumerate() {
            held += probabilities.get(i).copied().map_or(0.0, f64::from);
            *share += held;
        }
    }

    fn merge(&mut self, other: &Self) {
        self.count += other.count;
        self.loss += other.loss;
        for (sum, x) in self.agreement.iter_mut().zip(other.agreement) {
            *sum += x;
        }
        for (sum, x) in self.possession.iter_mut().zip(other.possession) {
            *sum += x;
        }
    }
}

/// Curves over all positions, and by phase of the game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    /// All positions.
    pub all: Curves,
    /// By phase.
    pub phases: [Curves; PHASES],
}

/// Measures strengths on about `most` positions of games.
pub fn measure(games: &[Game], network: &Network, look: Look, theta: &[f32], most: usize) -> Measured {
    let total: usize = games.iter().map(|game| game.moves.len()).sum();
    let every = total.div_ceil(most.max(1)).max(1);
    let parts: Vec<Measured> = games
        .par_iter()
        .enumerate()
        .map(|(i, game)| {
            let mut measured = Measured::default();
            let mut probabilities = Vec::new();
            // Games begin their count at different places, so that all parts of games are seen.
            let wanted = |number| (number + i) % every == 0;
            choices::visit(game, network, &mut Choice::new(look), wanted, |choice| {
                choice.softmax(theta, &mut probabilities);
                let mut one = Curves::default();
                one.add(&mut probabilities, choice.played);
                measured.all.merge(&one);
                measured.phases[phase(choice.progress)].merge(&one);
            });
            measured
        })
        .collect();
    let mut measured = Measured::default();
    for part in parts {
        measured.all.merge(&part.all);
        for (sum, part) in measured.phases.iter_mut().zip(&part.phases) {
            sum.merge(part);
        }
    }
    measured
}

/// Agreement, possession and loss as a table, a line for each name.
pub fn table(rows: &[(&str, &Curves)]) -> String {
    let mut text = format!("{:<30}{:>9}{:>8}", "", "positions", "loss");
    for rank in SHOWN {
        let _ = write!(text, "{:>8}", format!("top {rank}"));
    }
    for rank in [1, 5, 16] {
        let _ = write!(text, "{:>9}", format!("holds {rank}"));
    }
    text.push('\n');
    for (name, curves) in rows {
        let _ = write!(text, "{name:<30}{:>9}{:>8.4}", curves.count, curves.loss());
        for rank in SHOWN {
            let _ = write!(text, "{:>7.2}%", 100.0 * curves.agreement(rank));
        }
        for rank in [1, 5, 16] {
            let _ = write!(text, "{:>8.2}%", 100.0 * curves.possession(rank));
        }
        text.push('\n');
    }
    text
}
