//! What is in files of games, for people to read.

use std::collections::BTreeMap;
use std::fmt;

use super::{Ending, Format, Game, MATE_SCORE, Split, Tally};
use crate::shogi::Color;

/// Scores so near to [`MATE_SCORE`] are mates. Further away nobody has seen one, and ordinary scores may be as high.
const LONGEST_MATE: i32 = 300;

/// Counts over games.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    games: u64,
    positions: u64,
    wins: [u64; 2],
    draws: u64,
    unknown: u64,
    /// How many games have so many moves.
    lengths: BTreeMap<usize, u64>,
    scores: u64,
    mates: u64,
    commented: u64,
    rated: u64,
    rating_sum: f64,
    rating_range: Option<[f32; 2]>,
    splits: [u64; 3],
    skipped: BTreeMap<&'static str, u64>,
    examples: Vec<String>,
}

impl Summary {
    /// Counts a game.
    pub fn add(&mut self, game: &Game) {
        self.games += 1;
        self.positions += game.moves.len() as u64;
        match game.ending {
            Ending::Win(Color::Black) => self.wins[0] += 1,
            Ending::Win(Color::White) => self.wins[1] += 1,
            Ending::Draw => self.draws += 1,
            Ending::Unknown => self.unknown += 1,
        }
        *self.lengths.entry(game.moves.len()).or_default() += 1;
        for score in game.moves.iter().filter_map(|ply| ply.score) {
            self.scores += 1;
            self.mates += u64::from((MATE_SCORE - LONGEST_MATE..=MATE_SCORE).contains(&score.abs()));
        }
        self.commented += u64::from(!game.comments.is_empty());
        if let Some(ratings) = game.ratings {
            self.rated += 1;
            for rating in ratings {
                self.rating_sum += f64::from(rating);
                let [least, most] = self.rating_range.unwrap_or([rating; 2]);
                self.rating_range = Some([least.min(rating), most.max(rating)]);
            }
        }
        self.splits[match game.split() {
            Split::Train => 0,
            Split::Validation => 1,
            Split::Test => 2,
        }] += 1;
    }

    /// Takes what the reader of a file skipped.
    pub fn skip(&mut self, format: Format, tally: &Tally) {
        for (&kind, count) in &tally.reasons {
            *self.skipped.entry(kind).or_default() += count;
        }
        let unit = format.unit();
        let examples = tally.examples.iter();
        self.examples.extend(examples.map(|skipped| format!("{unit} {}: {}", skipped.place, skipped.reason)));
    }

    /// Adds the counts of another summary; particulars stay with their file.
    pub fn merge(&mut self, other: &Self) {
        self.games += other.games;
        self.positions += other.positions;
        for (sum, count) in self.wins.iter_mut().zip(other.wins) {
            *sum += count;
        }
        self.draws += other.draws;
        self.unknown += other.unknown;
        for (&length, count) in &other.lengths {
            *self.lengths.entry(length).or_default() += count;
        }
        self.scores += other.scores;
        self.mates += other.mates;
        self.commented += other.commented;
        self.rated += other.rated;
        self.rating_sum += other.rating_sum;
        self.rating_range = match (self.rating_range, other.rating_range) {
            (Some([a, b]), Some([c, d])) => Some([a.min(c), b.max(d)]),
            (one, None) | (None, one) => one,
        };
        for (sum, count) in self.splits.iter_mut().zip(other.splits) {
            *sum += count;
        }
        for (&kind, count) in &other.skipped {
            *self.skipped.entry(kind).or_default() += count;
        }
    }

    /// The length that half of the games do not exceed.
    fn median(&self) -> usize {
        let mut below = 0;
        let reaches_half = |&(_, &count): &(&usize, &u64)| {
            below += count;
            2 * below >= self.games
        };
        self.lengths.iter().find(reaches_half).map_or(0, |(&length, _)| length)
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |count: u64, of: u64| 100.0 * count as f64 / of.max(1) as f64;
        let share = |count: u64| format!("{count} ({:.1}%)", percent(count, self.games));
        let [black, white] = self.wins;
        writeln!(f, "  games      {}", self.games)?;
        writeln!(f, "  positions  {}", self.positions)?;
        writeln!(
            f,
            "  results    Black {}, White {}, draw {}, unknown {}",
            share(black),
            share(white),
            share(self.draws),
            share(self.unknown)
        )?;
        if let (Some((least, _)), Some((most, _))) =
            (self.lengths.first_key_value(), self.lengths.last_key_value())
        {
            let mean = self.positions as f64 / self.games as f64;
            writeln!(f, "  lengths    min {least}, median {}, mean {mean:.1}, max {most}", self.median())?;
        } else {
            writeln!(f, "  lengths    none")?;
        }
        match self.scores {
            0 => writeln!(f, "  scores     none")?,
            scores => writeln!(
                f,
                "  scores     positions {scores} ({:.1}%), {} of them mates",
                percent(scores, self.positions),
                self.mates
            )?,
        }
        match self.rating_range {
            None => writeln!(f, "  ratings    none")?,
            Some([least, most]) => {
                let mean = self.rating_sum / (2 * self.rated) as f64;
                let games = share(self.rated);
                writeln!(f, "  ratings    games {games}, min {least:.0}, mean {mean:.0}, max {most:.0}")?;
            }
        }
        match self.commented {
            0 => writeln!(f, "  comments   none")?,
            games => writeln!(f, "  comments   games {}", share(games))?,
        }
        let [train, validation, test] = self.splits.map(share);
        writeln!(f, "  split      train {train}, validation {validation}, test {test}")?;
        writeln!(f, "  skipped    {}", self.skipped.values().sum::<u64>())?;
        for (kind, count) in &self.skipped {
            writeln!(f, "    {count:>7}  {kind}")?;
        }
        for example in &self.examples {
            writeln!(f, "       e.g.  {example}")?;
        }
        Ok(())
    }
}
