//! Matches: every opening is played twice with colours swapped.

use rayon::prelude::*;
use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering};

use super::player::Recipe;
use crate::search;
use crate::shogi::{Color, Outcome, Walker};

/// A game that has not ended by then is a draw.
const LONGEST: usize = 320;

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

    /// Half the width of the 95 % interval of [`Self::rate`], from how the pairs scatter.
    pub fn margin(&self) -> f64 {
        let n = self.pairs.len() as f64;
        if n < 2.0 {
            return 0.5;
        }
        let mean = self.pairs.iter().sum::<f64>() / n;
        let variance = self.pairs.iter().map(|points| (points - mean).powi(2)).sum::<f64>() / (n - 1.0);
        1.96 * (variance / n).sqrt() / 2.0
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

impl std::fmt::Display for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} games: {} won, {} drawn, {} lost: {:.1} % +- {:.1}",
            self.games(),
            self.wins,
            self.draws,
            self.losses,
            100.0 * self.rate(),
            100.0 * self.margin()
        )
    }
}

/// Plays a match over the openings, the first of which is the pair of number `from`: parts of a match are played as in the
/// whole. `done` hears of every pair, its two games as lines of the project's record format; `stop` ends the match early.
pub fn play(
    players: &[Recipe; 2],
    openings: &[Walker],
    from: usize,
    stop: &AtomicBool,
    done: &(dyn Fn([String; 2]) + Sync),
) -> Score {
    let pairs: Vec<Option<[f64; 2]>> = openings
        .par_iter()
        .enumerate()
        .map(|(number, opening)| {
            let seed = 2 * (from + number) as u64;
            let (first, one) = game(players, opening, Color::Black, seed, stop)?;
            let (second, other) = game(players, opening, Color::White, seed + 1, stop)?;
            done([one, other]);
            Some([first, second])
        })
        .collect();
    let mut score = Score::default();
    pairs.into_iter().flatten().for_each(|pair| score.add(pair));
    score
}

/// The points of the first player, who has the colour `first`, and the game as a line; nothing where the match was stopped.
fn game(
    players: &[Recipe; 2],
    opening: &Walker,
    first: Color,
    seed: u64,
    stop: &AtomicBool,
) -> Option<(f64, String)> {
    let mut walker = opening.fork();
    let mut seats = players.clone().map(|recipe| recipe.make(seed));
    let mut moves = String::new();
    let mut winner = None;
    for _ in 0..LONGEST {
        if stop.load(Ordering::Relaxed) {
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
