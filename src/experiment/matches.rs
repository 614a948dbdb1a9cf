//! Matches: every opening is played twice with colours swapped.

use rayon::prelude::*;
use std::fmt::Write;

use super::player::Recipe;
use super::statistics::{self, Estimate};
use crate::search;
use crate::shogi::{Color, Outcome, Walker};

/// A game that has not ended by then is a draw.
const LONGEST: usize = 320;

/// How steady a player is shows in sets of so many games.
const SET: usize = 100;

/// Wins, draws and losses of the first player.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Score {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// Points from each opening's two games, for the interval: the games of a pair are not independent.
    pairs: Vec<f64>,
}

impl Score {
    /// Games played.
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Share of the points.
    pub fn rate(&self) -> f64 {
        (f64::from(self.wins) + 0.5 * f64::from(self.draws)) / f64::from(self.games().max(1))
    }

    /// The share of the points with its interval, from how the pairs scatter; where they do not, as when all games were
    /// won, from the number of games.
    pub fn estimate(&self) -> Estimate {
        let found = statistics::mean(&self.pairs).map(|points| points / 2.0);
        if found.low < found.high && found.low.is_finite() {
            return Estimate { value: self.rate(), low: found.low.max(0.0), high: found.high.min(1.0) };
        }
        let games = f64::from(self.games());
        statistics::share(self.rate() * games, games)
    }

    /// How much stronger the first player is, in Elo.
    pub fn elo(&self) -> Estimate {
        self.estimate().map(statistics::elo)
    }

    /// The share of the points in each set of 100 games, one after the other; what is left over makes no set.
    pub fn sets(&self) -> Vec<f64> {
        self.pairs.chunks_exact(SET / 2).map(|pairs| pairs.iter().sum::<f64>() / SET as f64).collect()
    }

    fn add(&mut self, pair: [f64; 2]) {
        for points in pair {
            match points {
                1.0 => self.wins += 1,
                0.0 => self.losses += 1,
                _ => self.draws += 1,
            }
        }
        self.pairs.push(pair[0] + pair[1]);
    }
}

impl FromIterator<[f64; 2]> for Score {
    /// Counts the points of pairs.
    fn from_iter<I: IntoIterator<Item = [f64; 2]>>(pairs: I) -> Self {
        let mut score = Self::default();
        pairs.into_iter().for_each(|pair| score.add(pair));
        score
    }
}

impl std::fmt::Display for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (rate, elo) = (self.estimate().map(|rate| 100.0 * rate), self.elo());
        write!(
            f,
            "{} games: {} won, {} drawn, {} lost: {:.1} % ({:.1} to {:.1}), Elo {:+.0} ({:+.0} to {:+.0})",
            self.games(),
            self.wins,
            self.draws,
            self.losses,
            rate.value,
            rate.low,
            rate.high,
            elo.value,
            elo.low,
            elo.high
        )?;
        let sets = self.sets();
        if sets.len() < 2 {
            return Ok(());
        }
        let worst = 100.0 * sets.iter().copied().fold(1.0, f64::min);
        let best = 100.0 * sets.iter().copied().fold(0.0, f64::max);
        let deviation = 100.0 * statistics::deviation(&sets);
        write!(f, "; in sets of {SET} games {worst:.1} to {best:.1} %, deviation {deviation:.1}")
    }
}

/// A match: who plays, from where, and where random numbers start.
pub struct Match<'a> {
    /// The players.
    pub players: &'a [Recipe; 2],
    /// Every one is played twice with colours swapped.
    pub openings: &'a [Walker],
    /// Each pair has random numbers of its own by this and its number.
    pub seed: u64,
}

/// What a pair of games gave.
pub struct Pair {
    /// The points of the first player in each.
    pub points: [f64; 2],
    /// The games as lines of the project's record format.
    pub games: [String; 2],
}

impl Match<'_> {
    /// Plays the pair of this number; nothing where it was stopped.
    pub fn pair(&self, number: usize, stop: &dyn Fn() -> bool) -> Option<Pair> {
        let opening = &self.openings[number];
        let seed = self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (2 * number as u64);
        let (first, one) = game(self.players, opening, Color::Black, seed, stop)?;
        let (second, other) = game(self.players, opening, Color::White, seed ^ 1, stop)?;
        Some(Pair { points: [first, second], games: [one, other] })
    }

    /// Plays all pairs on all cores. `done` hears of every one.
    pub fn play(&self, done: &(dyn Fn(&Pair) + Sync)) -> Score {
        let one = |number| {
            let pair = self.pair(number, &|| false)?;
            done(&pair);
            Some(pair.points)
        };
        let pairs: Vec<_> = (0..self.openings.len()).into_par_iter().with_max_len(1).map(one).collect();
        pairs.into_iter().flatten().collect()
    }
}

/// The points of the first player, who has the colour `first`, and the game as a line; nothing where the match was stopped.
fn game(
    players: &[Recipe; 2],
    opening: &Walker,
    first: Color,
    seed: u64,
    stop: &dyn Fn() -> bool,
) -> Option<(f64, String)> {
    let mut walker = opening.fork();
    let mut seats = players.clone().map(|recipe| recipe.make(seed));
    let mut moves = String::new();
    let mut winner = None;
    for _ in 0..LONGEST {
        if stop() {
            return None;
        }
        let turn = walker.turn();
        match walker.outcome() {
            Some(Outcome::Mated | Outcome::GavePerpetualCheck) => winner = Some(turn.flip()),
            Some(Outcome::CheckedPerpetually) => winner = Some(turn),
            Some(Outcome::Repetition | Outcome::MaxMoves) => break,
            None => winner = walker.declaration().map(|_| turn),
        }
        if winner.is_some() {
            break;
        }
        let (mv, score) = seats[usize::from(turn != first)].choose(&walker);
        let space = if moves.is_empty() { "" } else { " " };
        let score = score.map_or_else(String::new, |score| format!(":{}", recorded(score)));
        let _ = write!(moves, "{space}{}{score}", mv.to_usi());
        walker.apply(mv);
    }
    let points = winner.map_or(0.5, |winner| f64::from(u8::from(winner == first)));
    let letter = |side| if side == Color::Black { 'b' } else { 'w' };
    let line = format!(
        "sfen {}|{moves}|{}|first={}",
        opening.position().to_sfen(None),
        winner.map_or('d', letter),
        letter(first)
    );
    Some((points, line))
}

/// A score as records have it.
fn recorded(score: search::Score) -> i32 {
    const MATE: i32 = 32_000;
    match score {
        search::Score::Cp(value) => value.clamp(1000 - MATE, MATE - 1000),
        search::Score::Mates(plies) => MATE - plies as i32,
        search::Score::Mated(plies) => plies as i32 - MATE,
    }
}
