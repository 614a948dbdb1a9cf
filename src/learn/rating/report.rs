//! What is embedded about people, measured on games of files: with the rating and without, and by dan and kyu.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use super::{assess, grades, likeness};
use crate::eval::Network;
use crate::human::Human;
use crate::learn::plot::{Chart, Curve, Whisker};
use crate::learn::records::batches::in_batches;
use crate::learn::records::{Game, Split};
use crate::learn::{LearnError, Monitor};

/// Fewer games with ratings say nothing.
const FEWEST: usize = 20;

/// Measures it on a part of the games, or all of them; the calibration curve goes to `plot`, and
/// `likeness` says on how many positions of each rating its imitations are compared.
pub fn report(
    files: &[PathBuf],
    part: Option<Split>,
    plot: Option<&Path>,
    likeness: Option<usize>,
    monitor: &Monitor,
) -> Result<String, LearnError> {
    const NONE: LearnError = LearnError::NothingToLearn("there are no embedded weights for these features");
    let human = Human::embedded().ok_or(NONE)?;
    let plain = Human::embedded_plain().ok_or(NONE)?;
    let network = Network::embedded();
    let (mut rated, mut graded): (Vec<Game>, Vec<Game>) = (Vec::new(), Vec::new());
    for path in files {
        let told = in_batches(path, monitor, |batch| {
            for game in batch.iter().filter(|game| part.is_none_or(|part| game.split() == part)) {
                if game.ratings.is_some() {
                    rated.push(game.clone());
                }
                if game.dan.is_some() {
                    graded.push(game.clone());
                }
            }
        })?;
        monitor.say(format!("{}: {told}", path.display()));
    }
    if rated.is_empty() && graded.is_empty() {
        return Err(LearnError::NothingToLearn(
            "no game of this part has ratings or dan and kyu; --all takes all",
        ));
    }
    let few = if (1..FEWEST).contains(&rated.len()) { ", too few to compare" } else { "" };
    let mut text = format!("{} games with ratings{few}\n", rated.len());
    if rated.len() >= FEWEST {
        let verdicts = assess::judge([&human, &plain], &rated, &network);
        text.push_str(&assess::table(&verdicts));
        if let Some(path) = plot {
            draw(path, &assess::calibration(&verdicts))?;
        }
        if let Some(positions) = likeness {
            text.push_str("\nPlayRating, players in rows and settings in columns\n");
            text.push_str(&likeness::table(&rated, positions));
        }
    }
    let _ = writeln!(text, "\n{} games with dan and kyu", graded.len());
    if !graded.is_empty() {
        text.push_str(&grades::table(&human, &graded, &network));
    }
    Ok(text)
}

/// Draws what was told and what came true.
fn draw(path: &Path, curve: &[(f64, crate::experiment::statistics::Estimate)]) -> Result<(), LearnError> {
    let points: Vec<(f64, f64)> = curve.iter().map(|(told, points)| (*told, points.value)).collect();
    let whiskers: Vec<Whisker> =
        curve.iter().map(|(told, points)| (*told, points.low, points.high)).collect();
    let found = Curve { name: "games", points: &points };
    let right = Curve { name: "as told", points: &[(0.0, 0.0), (1.0, 1.0)] };
    Chart {
        title: "Win rate by the model with the rating, and points",
        axes: ["win rate told", "points made"],
        curves: vec![(&found, &whiskers), (&right, &[])],
        decades: false,
        from_zero: false,
    }
    .draw(path)
}
