//! Which rating a dan or kyu has: the one whose policy makes the moves of such players likeliest.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Write;

use crate::eval::Network;
use crate::experiment::statistics::Estimate;
use crate::human::moves::{Taste, shared};
use crate::human::{Human, Shares};
use crate::learn::records::Game;
use crate::learn::transition::choices::Choice;
use crate::policy::{Look, Weights};
use crate::shogi::Color;

/// Ratings that are tried: the first, the distance of two, and how many.
const FIRST: f64 = 1100.0;
const STEP: f64 = 50.0;
const COUNT: usize = 35;

/// Grades of fewer games or moves are left out.
const FEWEST_GAMES: usize = 10;
const FEWEST_MOVES: f64 = 400.0;

/// How often games are drawn anew for the intervals.
const DRAWS: usize = 1000;

/// How likely moves are by rating, as sums of logarithms, and how many moves there are.
#[derive(Clone, Debug, PartialEq)]
struct Likelihood {
    by_rating: [f64; COUNT],
    moves: f64,
}

impl Likelihood {
    const NONE: Self = Self { by_rating: [0.0; COUNT], moves: 0.0 };

    fn add(&mut self, other: &Self) {
        self.by_rating.iter_mut().zip(other.by_rating).for_each(|(sum, x)| *sum += x);
        self.moves += other.moves;
    }

    /// The rating of the highest likelihood, between those tried by a parabola through the three highest.
    fn best(&self) -> f64 {
        let of = &self.by_rating;
        let top = (0..COUNT).max_by(|&a, &b| of[a].total_cmp(&of[b])).unwrap_or(0);
        let shift = if top == 0 || top + 1 == COUNT {
            0.0
        } else {
            let (below, above) = (of[top - 1] - of[top], of[top + 1] - of[top]);
            // Both are at most 0, and where both are 0 all three are the same.
            if below + above < 0.0 { 0.5 * (below - above) / (below + above) } else { 0.0 }
        };
        FIRST + STEP * (top as f64 + shift)
    }
}

/// Grades of a game with the moves that were played by them.
type Moves = BTreeMap<i8, Likelihood>;

/// A straight line.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Line {
    /// At 1 dan.
    first: f64,
    /// From grade to grade.
    slope: f64,
}

/// Steps from 1 dan upwards; 1 kyu is one below, for there is no grade 0.
fn steps(grade: i8) -> f64 {
    f64::from(if grade > 0 { grade - 1 } else { grade })
}

fn name(grade: i8) -> String {
    if grade > 0 { format!("{grade} dan") } else { format!("{} kyu", -i32::from(grade)) }
}

impl Line {
    /// The nearest to ratings of grades, each with its weight.
    fn through(points: &[(f64, f64, f64)]) -> Option<Self> {
        let sum = |f: &dyn Fn(&(f64, f64, f64)) -> f64| points.iter().map(f).sum::<f64>();
        let weight = sum(&|p| p.2);
        let (x, y) = (sum(&|p| p.2 * p.0) / weight, sum(&|p| p.2 * p.1) / weight);
        let scatter = sum(&|p| p.2 * (p.0 - x).powi(2));
        if points.is_empty() || scatter <= 0.0 {
            return None;
        }
        let slope = sum(&|p| p.2 * (p.0 - x) * (p.1 - y)) / scatter;
        Some(Self { first: y - slope * x, slope })
    }
}

/// What a selection of games says: the rating of each of these grades, and the line through them.
fn fit<'a>(games: impl Iterator<Item = &'a Moves>, grades: &[i8]) -> (Vec<f64>, Option<Line>) {
    let mut sums = vec![Likelihood::NONE; grades.len()];
    for game in games {
        for (sum, grade) in sums.iter_mut().zip(grades) {
            if let Some(moves) = game.get(grade) {
                sum.add(moves);
            }
        }
    }
    let ratings: Vec<f64> = sums.iter().map(Likelihood::best).collect();
    let points: Vec<(f64, f64, f64)> = grades
        .iter()
        .zip(ratings.iter().zip(&sums))
        .map(|(&grade, (&rating, sum))| (steps(grade), rating, sum.moves))
        .collect();
    (ratings, Line::through(&points))
}

/// The table of the grades that occur often enough, as lines.
pub fn table(human: &Human, games: &[Game], network: &Network) -> String {
    let base = Weights::embedded_playout().numbers();
    let games: Vec<Moves> = games.par_iter().map(|game| moves(human, game, network, &base)).collect();
    let mut counts: BTreeMap<i8, (usize, f64)> = BTreeMap::new();
    for (&grade, moves) in games.iter().flatten() {
        let count = counts.entry(grade).or_default();
        *count = (count.0 + 1, count.1 + moves.moves);
    }
    let all = counts.len();
    counts.retain(|_, &mut (games, moves)| games >= FEWEST_GAMES && moves >= FEWEST_MOVES);
    let grades: Vec<i8> = counts.keys().copied().collect();
    if grades.is_empty() {
        return format!("no grade has {FEWEST_GAMES} games and {FEWEST_MOVES} moves\n");
    }
    let (ratings, line) = fit(games.iter(), &grades);
    let mut random = Pcg64Mcg::seed_from_u64(1);
    // All draws before the work is shared, so that the result does not depend on the number of cores.
    let draws: Vec<Vec<usize>> =
        (0..DRAWS).map(|_| (0..games.len()).map(|_| random.random_range(0..games.len())).collect()).collect();
    let drawn: Vec<(Vec<f64>, Option<Line>)> =
        draws.par_iter().map(|draw| fit(draw.iter().map(|&game| &games[game]), &grades)).collect();
    let mut text = format!("{:<8}{:>7}{:>8}  {:>6}  95 %\n", "grade", "games", "moves", "rating");
    let last = FIRST + STEP * (COUNT - 1) as f64;
    for (i, (&grade, (games, moves))) in counts.iter().enumerate() {
        let found = interval(ratings[i], drawn.iter().map(|(ratings, _)| ratings[i]).collect());
        let edge = match (found.low <= FIRST, found.high >= last) {
            (true, true) => "  anything on the scale",
            (true, false) => "  or below the scale",
            (false, true) => "  or above the scale",
            (false, false) => "",
        };
        let _ = writeln!(
            text,
            "{:<8}{games:>7}{moves:>8}  {:>6.0}  {:.0} to {:.0}{edge}",
            name(grade),
            found.value,
            found.low,
            found.high
        );
    }
    if all > grades.len() {
        let _ = writeln!(text, "{} grades with too few games are left out", all - grades.len());
    }
    if let Some(line) = line {
        let part = |of: fn(&Line) -> f64| {
            interval(of(&line), drawn.iter().filter_map(|(_, line)| line.as_ref().map(of)).collect())
        };
        let (first, slope) = (part(|line| line.first), part(|line| line.slope));
        let _ = writeln!(
            text,
            "rating = {:.0} ({:.0} to {:.0}) at 1 dan, {:+.1} ({:+.1} to {:+.1}) a grade",
            first.value, first.low, first.high, slope.value, slope.low, slope.high
        );
        if slope.holds(0.0) {
            text.push_str("the line may be flat: these moves do not tell one grade from another\n");
        }
    }
    text
}

/// The interval of a figure by what it is when games are drawn anew.
fn interval(value: f64, mut drawn: Vec<f64>) -> Estimate {
    drawn.sort_unstable_by(f64::total_cmp);
    let at = |share: f64| drawn.get((share * drawn.len() as f64) as usize).copied().unwrap_or(value);
    Estimate { value, low: at(0.025), high: at(0.975) }
}

/// How likely the moves of a game are at all ratings, by the grade of who played them.
fn moves(human: &Human, game: &Game, network: &Network, base: &[f32]) -> Moves {
    let mut moves = Moves::new();
    let Some([black, white]) = game.dan else { return moves };
    let shares: Vec<Shares> =
        (0..COUNT).map(|i| Shares::of((FIRST + STEP * i as f64) as f32, &human.knots)).collect();
    let sharpness: Vec<f32> =
        shares.iter().map(|shares| shares.mean(|knot| human.tastes[knot].sharpness)).collect();
    let tastes: Vec<Vec<f32>> = human.tastes.iter().map(Taste::numbers).collect();
    let knots = tastes.len();
    let mut choice = Choice::new(Look::Glance);
    let (mut known, mut added) = (Vec::new(), Vec::new());
    game.replay(|walker, ply| {
        let grade = if walker.turn() == Color::Black { black } else { white };
        if !choice.fill(walker, ply.mv, network) {
            return;
        }
        known.clear();
        added.clear();
        for mv in 0..choice.len() {
            let features = choice.features(mv);
            known.push(features.iter().map(|&number| base[number as usize]).sum::<f32>());
            added.extend(
                tastes.iter().map(|taste| features.iter().map(|&number| taste[shared(number)]).sum::<f32>()),
            );
        }
        let entry = moves.entry(grade).or_insert(Likelihood::NONE);
        entry.moves += 1.0;
        for (i, sum) in entry.by_rating.iter_mut().enumerate() {
            let logit =
                |mv: usize| sharpness[i] * known[mv] + shares[i].mean(|knot| added[mv * knots + knot]);
            let played = logit(choice.played);
            let all: f64 = (0..choice.len()).map(|mv| f64::from(logit(mv) - played).exp()).sum();
            *sum -= all.ln();
        }
    });
    moves
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_likelihood_lies_between_the_ratings_tried() {
        let of = |f: &dyn Fn(f64) -> f64| {
            let mut likelihood = Likelihood::NONE;
            (0..COUNT).for_each(|i| likelihood.by_rating[i] = f(FIRST + STEP * i as f64));
            likelihood.best()
        };
        assert!((of(&|rating| -(rating - 1730.0).powi(2)) - 1730.0).abs() < 1e-6);
        assert!((of(&|rating| rating) - 2800.0).abs() < 1e-6);
        assert!((of(&|rating| -rating) - 1100.0).abs() < 1e-6);
        assert!((of(&|rating| -(rating - 2000.0).abs()) - 2000.0).abs() < 1e-6);
        assert!(of(&|_| 0.0).is_finite());
    }

    #[test]
    fn lines_by_hand() {
        let line = Line::through(&[(-1.0, 1500.0, 1.0), (0.0, 1600.0, 5.0), (1.0, 1700.0, 2.0)]).unwrap();
        assert!((line.first - 1600.0).abs() < 1e-9 && (line.slope - 100.0).abs() < 1e-9);
        assert_eq!(Line::through(&[(1.0, 1500.0, 1.0)]), None);
        assert_eq!(Line::through(&[]), None);
        assert_eq!([steps(-2), steps(-1), steps(1), steps(2)].map(|x| x as i32), [-2, -1, 0, 1]);
    }
}
