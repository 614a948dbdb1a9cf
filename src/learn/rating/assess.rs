//! How well results and moves are told, with the rating and without.

use rayon::prelude::*;
use std::fmt::Write;

use super::lessons::{ahead, ratings};
use crate::eval::Network;
use crate::experiment::statistics::{Estimate, Z};
use crate::human::moves::logit;
use crate::human::win::View;
use crate::human::{Human, Shares};
use crate::learn::records::{Ending, Game};
use crate::learn::transition::choices::Choice;
use crate::policy::{Look, Weights};

/// Classes of moves by their number in the game, as in the paper.
const MOVES: [(usize, usize); 5] = [(50, 79), (80, 109), (110, 139), (140, 169), (170, 199)];

/// Classes of the mean rating.
const BANDS: [(f32, f32); 4] = [(0.0, 1500.0), (1500.0, 2000.0), (2000.0, 2400.0), (2400.0, 9999.0)];

/// Classes of a calibration curve.
const TENTHS: usize = 10;

/// Every so many positions of a game are looked at for moves: they take longer.
const EVERY: usize = 3;

/// What one game says about one class: positions, and for each of two models how many it told rightly.
type Told = [f64; 3];

/// What one game says.
#[derive(Clone, Debug)]
struct Verdict {
    wins: [Told; MOVES.len()],
    bands: [Told; BANDS.len()],
    all: Told,
    /// Losses of the results, by model.
    losses: [f64; 2],
    moves: [Told; BANDS.len()],
    /// By tenth of the predicted win rate with the rating: positions, sum of predictions, points.
    tenths: [Told; TENTHS],
}

/// A share of positions with its interval, from games, which are independent of each other.
fn share(games: &[Verdict], of: impl Fn(&Verdict) -> (f64, f64)) -> Estimate {
    let (sum, count) = games.iter().map(&of).fold((0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
    let value = sum / f64::max(count, 1.0);
    let scatter: f64 = games.iter().map(&of).map(|(x, n)| (x - value * n).powi(2)).sum();
    let half = Z * scatter.sqrt() / f64::max(count, 1.0);
    Estimate { value, low: value - half, high: value + half }
}

/// Compares a model with the rating and one without on games, as lines of a table.
pub fn compare(models: [&Human; 2], games: &[Game], network: &Network) -> String {
    let base = Weights::embedded_playout().numbers();
    let verdicts: Vec<Verdict> = games.par_iter().map(|game| judge(models, game, network, &base)).collect();
    let mut text = String::new();
    let mut row = |name: &str, pick: &dyn Fn(&Verdict) -> Told| {
        let of = |place: usize| share(&verdicts, |verdict| (pick(verdict)[place], pick(verdict)[0]));
        let more = share(&verdicts, |verdict| (pick(verdict)[1] - pick(verdict)[2], pick(verdict)[0]));
        let positions: f64 = verdicts.iter().map(|verdict| pick(verdict)[0]).sum();
        let percent = |estimate: Estimate| {
            let estimate = estimate.map(|x| 100.0 * x);
            format!("{:6.2} +-{:5.2}", estimate.value, estimate.high - estimate.value)
        };
        let _ = writeln!(
            text,
            "{name:<24}{positions:>9}  {}  {}  {}",
            percent(of(1)),
            percent(of(2)),
            percent(more)
        );
    };
    row("who wins, all", &|verdict| verdict.all);
    for (place, (from, to)) in MOVES.iter().enumerate() {
        row(&format!("  moves {from}-{to}"), &|verdict| verdict.wins[place]);
    }
    for (place, (from, to)) in BANDS.iter().enumerate() {
        row(&format!("  rating {from}-{to}"), &|verdict| verdict.bands[place]);
    }
    let total =
        |verdict: &Verdict| verdict.moves.iter().fold([0.0; 3], |a, b| [0, 1, 2].map(|i| a[i] + b[i]));
    row("what is played, all", &total);
    for (place, (from, to)) in BANDS.iter().enumerate() {
        row(&format!("  rating {from}-{to}"), &|verdict| verdict.moves[place]);
    }
    let loss = |place: usize| share(&verdicts, |verdict| (verdict.losses[place], verdict.all[0])).value;
    let _ = writeln!(text, "loss of results: with the rating {:.4}, without {:.4}", loss(0), loss(1));
    let _ = write!(text, "told and true:");
    for place in 0..TENTHS {
        let sums = verdicts.iter().fold([0.0; 3], |a, b| [0, 1, 2].map(|i| a[i] + b.tenths[place][i]));
        if sums[0] > 0.0 {
            let _ = write!(text, " {:.3} {:.3},", sums[1] / sums[0], sums[2] / sums[0]);
        }
    }
    text.push('\n');
    let head =
        format!("{:<24}{:>9}  {:>14}  {:>14}  {:>14}", "in %", "positions", "with rating", "without", "more");
    format!("{head}\n{text}")
}

fn judge(models: [&Human; 2], game: &Game, network: &Network, base: &[f32]) -> Verdict {
    let mut verdict = Verdict {
        wins: [[0.0; 3]; MOVES.len()],
        bands: [[0.0; 3]; BANDS.len()],
        all: [0.0; 3],
        losses: [0.0; 2],
        moves: [[0.0; 3]; BANDS.len()],
        tenths: [[0.0; 3]; TENTHS],
    };
    let mut choice = Choice::new(Look::Glance);
    let mut number = 0;
    game.replay(|walker, ply| {
        number += 1;
        let turn = walker.turn();
        let Some(pair) = ratings(game, turn) else { return };
        let band = |rating: f32| BANDS.iter().position(|(from, to)| (*from..*to).contains(&rating));
        let middle = f32::midpoint(pair[0], pair[1]);
        if let Ending::Win(winner) = game.ending {
            let view = View::of(network, walker.position());
            let rates = models.map(|model| {
                let rate = model.win.rate(&view, &Shares::of(middle, &model.knots), ahead(pair));
                f64::from(rate).clamp(1e-6, 1.0 - 1e-6)
            });
            let won = winner == turn;
            let right = rates.map(|rate| f64::from(u8::from((rate > 0.5) == won)));
            let told = [1.0, right[0], right[1]];
            add(&mut verdict.all, told);
            if let Some(place) = band(middle) {
                add(&mut verdict.bands[place], told);
            }
            if let Some(place) = MOVES.iter().position(|(from, to)| (*from..=*to).contains(&number)) {
                add(&mut verdict.wins[place], told);
            }
            for (loss, rate) in verdict.losses.iter_mut().zip(rates) {
                *loss -= if won { rate.ln() } else { (1.0 - rate).ln() };
            }
            let tenth = ((rates[0] * TENTHS as f64) as usize).min(TENTHS - 1);
            add(&mut verdict.tenths[tenth], [1.0, rates[0], f64::from(u8::from(won))]);
        }
        if number % EVERY == 0
            && let Some(place) = band(pair[0])
            && choice.fill(walker, ply.mv, network)
        {
            let right = models.map(|model| {
                let shares = Shares::of(pair[0], &model.knots);
                let strength = |mv: usize| logit(base, &model.tastes, &shares, choice.features(mv));
                let played = strength(choice.played);
                let better = (0..choice.len()).any(|mv| mv != choice.played && strength(mv) >= played);
                f64::from(u8::from(!better))
            });
            add(&mut verdict.moves[place], [1.0, right[0], right[1]]);
        }
    });
    verdict
}

fn add(sum: &mut Told, told: Told) {
    sum.iter_mut().zip(told).for_each(|(sum, x)| *sum += x);
}
