//! How well results and moves are told, with the rating and without.

use rayon::prelude::*;
use std::fmt::Write;

use super::lessons::{ahead, ratings};
use crate::eval::Network;
use crate::experiment::statistics::{Estimate, Z};
use crate::human::moves::logit;
use crate::human::win::Mirrored;
use crate::human::{Human, Shares};
use crate::learn::records::{Ending, Game};
use crate::learn::transition::choices::Choice;
use crate::policy::{Look, Weights};

/// Classes of moves by their number in the game: all, and those of the paper.
const MOVES: [(usize, usize); 6] = [(1, usize::MAX), (50, 79), (80, 109), (110, 139), (140, 169), (170, 199)];

/// Classes of ratings.
const BANDS: [(f32, f32); 4] = [(0.0, 1500.0), (1500.0, 2000.0), (2000.0, 2400.0), (2400.0, 9999.0)];

/// Classes of a calibration curve.
const TENTHS: usize = 10;

/// Players at most so many points apart are as good as each other, as in the paper.
const NEAR: f32 = 50.0;

/// Every so many positions of a game are looked at for moves: they take longer.
const EVERY: usize = 3;

/// What one game says about one class: positions, and for each of two models the sum of what is counted there.
type Told = [f64; 3];

/// What one game says.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// Winners told rightly, by number of the move.
    wins: [Told; MOVES.len()],
    /// The same between players who are as good as each other.
    near: [Told; MOVES.len()],
    /// Winners told rightly, by the mean rating.
    bands: [Told; BANDS.len()],
    /// Losses of the results, by number of the move.
    losses: [Told; MOVES.len()],
    /// The same between players who are as good as each other.
    near_losses: [Told; MOVES.len()],
    /// Moves told rightly: all, and by the player's rating.
    moves: [Told; 1 + BANDS.len()],
    /// By tenth of the predicted win rate with the rating: positions, sum of predictions, points.
    tenths: [Told; TENTHS],
}

/// A mean over positions with its interval, from games, which are independent of each other.
fn mean(games: &[Verdict], of: impl Fn(&Verdict) -> (f64, f64)) -> Estimate {
    let (sum, count) = games.iter().map(&of).fold((0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
    let value = sum / f64::max(count, 1.0);
    let scatter: f64 = games.iter().map(&of).map(|(x, n)| (x - value * n).powi(2)).sum();
    let half = Z * scatter.sqrt() / f64::max(count, 1.0);
    Estimate { value, low: value - half, high: value + half }
}

/// What games say about a model with the rating and one without.
pub fn judge(models: [&Human; 2], games: &[Game], network: &Network) -> Vec<Verdict> {
    let base = Weights::embedded_playout().numbers();
    games.par_iter().map(|game| verdict(models, game, network, &base)).collect()
}

/// The same as lines of a table.
pub fn table(verdicts: &[Verdict]) -> String {
    let mut text =
        format!("{:<30}{:>9}  {:>14}  {:>14}  {:>14}\n", "", "positions", "with rating", "without", "more");
    let mut row = |name: &str, unit: f64, pick: &dyn Fn(&Verdict) -> Told| {
        let of = |place: usize| mean(verdicts, |verdict| (pick(verdict)[place], pick(verdict)[0]));
        let more = mean(verdicts, |verdict| (pick(verdict)[1] - pick(verdict)[2], pick(verdict)[0]));
        let positions: f64 = verdicts.iter().map(|verdict| pick(verdict)[0]).sum();
        if positions == 0.0 {
            return;
        }
        let told = |estimate: Estimate| {
            let estimate = estimate.map(|x| unit * x);
            let digits = if unit > 1.0 { 2 } else { 4 };
            format!("{:6.digits$} +-{:5.digits$}", estimate.value, estimate.high - estimate.value)
        };
        let _ = writeln!(
            text,
            "{name:<30}{positions:>9}  {:>14}  {:>14}  {:>14}",
            told(of(1)),
            told(of(2)),
            told(more)
        );
    };
    let numbers = |first: &str, place: usize| {
        let (from, to) = MOVES[place];
        if place == 0 { first.to_owned() } else { format!("  moves {from}-{to}") }
    };
    let band = |place: usize| format!("  rating {}-{}", BANDS[place].0, BANDS[place].1);
    for place in 0..MOVES.len() {
        row(&numbers("who wins, %", place), 100.0, &|verdict| verdict.wins[place]);
    }
    for place in 0..BANDS.len() {
        row(&band(place), 100.0, &|verdict| verdict.bands[place]);
    }
    for place in 0..MOVES.len() {
        let first = format!("at most {NEAR} points apart, %");
        row(&numbers(&first, place), 100.0, &|verdict| verdict.near[place]);
    }
    for place in 0..MOVES.len() {
        row(&numbers("loss of results", place), 1.0, &|verdict| verdict.losses[place]);
    }
    for place in 0..MOVES.len() {
        let first = format!("the same {NEAR} points apart");
        row(&numbers(&first, place), 1.0, &|verdict| verdict.near_losses[place]);
    }
    row("what is played, %", 100.0, &|verdict| verdict.moves[0]);
    for place in 0..BANDS.len() {
        row(&band(place), 100.0, &|verdict| verdict.moves[1 + place]);
    }
    let _ = write!(text, "told and true:");
    for (told, points) in calibration(verdicts) {
        let half = points.high - points.value;
        let _ = write!(text, " {told:.3} {:.3} +-{half:.3},", points.value);
    }
    text.push('\n');
    text
}

/// The calibration curve of the model with the rating: for each tenth that occurs the mean of what it told and the share of
/// points that was made.
pub fn calibration(verdicts: &[Verdict]) -> Vec<(f64, Estimate)> {
    let tenth = |place: usize| {
        let count: f64 = verdicts.iter().map(|verdict| verdict.tenths[place][0]).sum();
        let of =
            |part: usize| mean(verdicts, |verdict| (verdict.tenths[place][part], verdict.tenths[place][0]));
        (count > 0.0).then(|| (of(1).value, of(2)))
    };
    (0..TENTHS).filter_map(tenth).collect()
}

fn verdict(models: [&Human; 2], game: &Game, network: &Network, base: &[f32]) -> Verdict {
    let mut verdict = Verdict::default();
    let mut choice = Choice::new(Look::Glance);
    let mut number = 0;
    game.replay(|walker, ply| {
        number += 1;
        let turn = walker.turn();
        let Some(pair) = ratings(game, turn) else { return };
        let band = |rating: f32| BANDS.iter().position(|(from, to)| (*from..*to).contains(&rating));
        let middle = f32::midpoint(pair[0], pair[1]);
        if let Ending::Win(winner) = game.ending {
            let views = Mirrored::of(network, walker.position());
            let rates = models.map(|model| {
                let rate = model.win.rate(&views, &Shares::of(middle, &model.knots), ahead(pair));
                f64::from(rate).clamp(1e-6, 1.0 - 1e-6)
            });
            let won = winner == turn;
            let [with, without] = rates.map(|rate| f64::from(u8::from((rate > 0.5) == won)));
            let [loss, plain] = rates.map(|rate| -if won { rate.ln() } else { (1.0 - rate).ln() });
            let near = (pair[0] - pair[1]).abs() <= NEAR;
            for place in (0..MOVES.len()).filter(|&i| (MOVES[i].0..=MOVES[i].1).contains(&number)) {
                add(&mut verdict.wins[place], [1.0, with, without]);
                add(&mut verdict.losses[place], [1.0, loss, plain]);
                if near {
                    add(&mut verdict.near[place], [1.0, with, without]);
                    add(&mut verdict.near_losses[place], [1.0, loss, plain]);
                }
            }
            if let Some(place) = band(middle) {
                add(&mut verdict.bands[place], [1.0, with, without]);
            }
            let tenth = ((rates[0] * TENTHS as f64) as usize).min(TENTHS - 1);
            add(&mut verdict.tenths[tenth], [1.0, rates[0], f64::from(u8::from(won))]);
        }
        if number % EVERY == 0 && choice.fill(walker, ply.mv, network) {
            let [with, without] = models.map(|model| {
                let shares = Shares::of(pair[0], &model.knots);
                let strength = |mv: usize| logit(base, &model.tastes, &shares, choice.features(mv));
                let played = strength(choice.played);
                let better = (0..choice.len()).any(|mv| mv != choice.played && strength(mv) >= played);
                f64::from(u8::from(!better))
            });
            add(&mut verdict.moves[0], [1.0, with, without]);
            if let Some(place) = band(pair[0]) {
                add(&mut verdict.moves[1 + place], [1.0, with, without]);
            }
        }
    });
    verdict
}

fn add(sum: &mut Told, told: Told) {
    sum.iter_mut().zip(told).for_each(|(sum, x)| *sum += x);
}
