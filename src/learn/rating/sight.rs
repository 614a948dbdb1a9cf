//! Learning how much a search counts beside what a position looks like: by games that were played on from positions that were
//! searched, with weights that go evenly with the rating.

use rayon::prelude::*;
use std::time::Instant;

use crate::eval::Network;
use crate::human::sight::{BLIND, Sight, Signs};
use crate::human::win::{Mirrored, Win, rate};
use crate::human::{SEARCHED, Shares};
use crate::learn::records::Game;
use crate::learn::{LearnError, Monitor};
use crate::search::{Answer, Control, Preferences, Search, Task, TreeSearch};
use crate::shogi::Walker;

/// Positions that one search is used for, one after the other.
const AT_A_TIME: usize = 16;

/// Steps along the slope of the likelihood, and their size: few numbers and a hollow without holes.
const STEPS: usize = 3000;
const RATE: f32 = 0.5;

/// A position that was played on by two players of a rating.
pub struct Case {
    rating: f32,
    signs: Signs,
    /// Points of the side to move, the mean of its games.
    points: f32,
}

/// What the search says about the beginnings of games played on, each played on twice, as logits.
pub fn search(games: &[Game], seed: u64, monitor: &Monitor) -> Result<Vec<f32>, LearnError> {
    let preferences = Preferences { seed, ..Preferences::default() };
    let pairs: Vec<&[Game]> = games.chunks_exact(2).collect();
    let bar = monitor.bar(pairs.len() as u64);
    let of = |chunk: &[&[Game]]| -> Option<Vec<f32>> {
        let mut search = TreeSearch::default();
        search.prepare(&preferences);
        let one = |pair: &&[Game]| {
            search.new_game();
            let said = (!monitor.stopped()).then(|| searched(&mut search, pair[0].start()));
            bar.inc(1);
            said
        };
        chunk.iter().map(one).collect()
    };
    let found: Option<Vec<Vec<f32>>> = pairs.par_chunks(AT_A_TIME).map(of).collect();
    bar.finish_and_clear();
    found.map(|found| found.concat()).ok_or(LearnError::Stopped)
}

fn searched(search: &mut TreeSearch, walker: Walker) -> f32 {
    let task = Task { walker, root_moves: Vec::new(), nodes: Some(SEARCHED), depth: None, mate: false };
    match search.think(&task, &Control::new(Instant::now()), &mut |_| {}) {
        Answer::Best(lines) => lines.first().map_or(0.0, |line| line.score.logit()),
        _ => 0.0,
    }
}

/// What there is to learn from games played on and from what a search says about them, by a network that has not seen them.
pub fn cases(games: &[Game], said: &[f32], win: &Win, knots: &[f32], network: &Network) -> Vec<Case> {
    let case = |(pair, &searched): (&[Game], &f32)| {
        let walker = pair[0].start();
        let points = |game: &Game| game.ending.points(walker.turn()).unwrap_or(0.5);
        let rating = pair[0].ratings?[0];
        let views = Mirrored::of(network, walker.position());
        let seen = win.logit(&views, &Shares::of(rating, knots), 0.0);
        let signs = [seen, views.value(), searched];
        Some(Case { rating, signs, points: f32::midpoint(points(&pair[0]), points(&pair[1])) })
    };
    games.chunks_exact(2).zip(said).filter_map(case).collect()
}

/// The weights at the knots that make the results likeliest.
pub fn learn(cases: &[Case], knots: &[f32]) -> Vec<Sight> {
    let (Some(&lowest), Some(&highest)) = (knots.first(), knots.last()) else { return Vec::new() };
    if cases.is_empty() {
        return vec![BLIND; knots.len()];
    }
    // From −1 at the lowest knot to 1 at the highest.
    let place = |rating: f32| (2.0 * rating - lowest - highest) / (highest - lowest).max(1.0);
    // For each sign its weight in the middle, and how much it grows from there.
    let mut weights = [[1.0, 0.0], [0.0; 2], [0.0; 2]];
    for _ in 0..STEPS {
        let mut slope = [[0.0_f32; 2]; 3];
        for case in cases {
            let at = place(case.rating);
            let logit: f32 = weights
                .iter()
                .zip(&case.signs)
                .map(|([middle, growth], sign)| (middle + growth * at) * sign)
                .sum();
            let missing = case.points - rate(logit);
            for (slope, sign) in slope.iter_mut().zip(&case.signs) {
                slope[0] += missing * sign;
                slope[1] += missing * sign * at;
            }
        }
        for (weights, slope) in weights.iter_mut().zip(&slope) {
            weights
                .iter_mut()
                .zip(slope)
                .for_each(|(weight, slope)| *weight += RATE * slope / cases.len() as f32);
        }
    }
    knots.iter().map(|&knot| weights.map(|[middle, growth]| middle + growth * place(knot))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    #[test]
    fn what_counts_is_found() {
        let mut random = Pcg64Mcg::seed_from_u64(1);
        let knots = [1000.0, 2000.0];
        let mut case = |rating: f32| {
            let mut sign = || random.random_range(-2.0..2.0);
            let signs = [sign(), sign(), sign()];
            // The search counts 0.2 for the weak and 1.0 for the strong.
            let counts = if rating < 1500.0 { 0.2 } else { 1.0 };
            let points = rate(0.6 * signs[0] - 0.3 * signs[1] + counts * signs[2]);
            Case { rating, signs, points }
        };
        let cases: Vec<Case> = (0..400).map(|number| case(knots[number % 2])).collect();
        for (sight, counts) in learn(&cases, &knots).into_iter().zip([0.2, 1.0]) {
            for (found, expected) in sight.into_iter().zip([0.6, -0.3, counts]) {
                assert!((found - expected).abs() < 0.02, "{sight:?}");
            }
        }
        assert_eq!(learn(&[], &knots), [BLIND; 2]);
    }
}
