//! How well strengths tell what was played: agreement and possession.

use rayon::prelude::*;
use std::fmt::Write;
use std::path::PathBuf;

use super::choices::{self, Choice};
use crate::eval::Network;
use crate::learn::records::batches::in_batches;
use crate::learn::records::{Game, Split};
use crate::learn::{LearnError, Monitor};
use crate::policy::Moment;
use crate::policy::weights::PHASES;
use crate::policy::{Look, Weights};

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
                choice.softmax(theta, 1.0, &mut probabilities);
                let mut one = Curves::default();
                one.add(&mut probabilities, choice.played);
                measured.all.merge(&one);
                measured.phases[Moment::of_game(choice.progress).phase].merge(&one);
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

/// What a policy predicts of the games of files: all games, or only those of a part. Tables of all together, by progress and
/// by file.
pub fn assess(
    files: &[PathBuf],
    weights: &Weights,
    part: Option<Split>,
    most: usize,
    monitor: &Monitor,
) -> Result<String, LearnError> {
    let (network, theta) = (Network::embedded(), weights.numbers());
    let (mut games, mut ends) = (Vec::<Game>::new(), Vec::new());
    for path in files {
        let tally = in_batches(path, monitor, |batch| {
            games.extend(batch.iter().filter(|game| part.is_none_or(|part| game.split() == part)).cloned());
        })?;
        monitor.say(format!("{}: {tally}", path.display()));
        ends.push((path.display().to_string(), games.len()));
    }
    if games.is_empty() {
        return Err(LearnError::NothingToLearn("no games of that part in the records"));
    }
    let measure = |games: &[Game]| measure(games, &network, weights.look(), &theta, most);
    let all = measure(&games);
    let mut rows = vec![("all".to_owned(), all.all)];
    for (phase, curves) in all.phases.into_iter().enumerate() {
        rows.push((format!("progress {}-{}", 32 * phase, 32 * phase + 31), curves));
    }
    let mut start = 0;
    for (name, end) in ends {
        rows.push((name, measure(&games[start..end]).all));
        start = end;
    }
    Ok(table(&rows.iter().map(|(name, curves)| (name.as_str(), curves)).collect::<Vec<_>>()))
}

/// Agreement, possession and loss as a table, a line for each name.
pub fn table(rows: &[(&str, &Curves)]) -> String {
    let widest = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let mut text = format!("{:<widest$}{:>11}{:>8}", "", "positions", "loss");
    for rank in SHOWN {
        let _ = write!(text, "{:>8}", format!("top {rank}"));
    }
    for rank in [1, 5, 16] {
        let _ = write!(text, "{:>9}", format!("holds {rank}"));
    }
    text.push('\n');
    for (name, curves) in rows {
        let _ = write!(text, "{name:<widest$}{:>11}{:>8.4}", curves.count, curves.loss());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_share_their_places() {
        let mut curves = Curves::default();
        curves.add(&mut [0.4, 0.2, 0.2, 0.2], 2);
        let agreement: Vec<f64> = (1..=5).map(|rank| curves.agreement(rank)).collect();
        assert_eq!(agreement, [0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0, 1.0]);
        curves.add(&mut [0.1, 0.9], 1);
        assert!((curves.agreement(1) - 0.5).abs() < 1e-9 && (curves.possession(1) - 0.65).abs() < 1e-6);
    }
}
