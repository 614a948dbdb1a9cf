//! How good an evaluation is, measured on games it has not learned from and beside simpler ones.

use rayon::prelude::*;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

use super::linear::{Linear, logistic};
use super::samples::{self, Sample, is_quiet};
use crate::eval::material::material;
use crate::eval::quiescence::quiescence;
use crate::eval::{CP_SCALE, MATE, Network, NetworkEvaluator, Scales, win_rate};
use crate::learn::records::batches::in_batches;
use crate::learn::records::{Game, Split};
use crate::learn::{LearnError, Monitor};

/// Scores beyond this say who wins, not by how much: where scores are compared, such positions are left out.
const LARGEST_SCORE: i32 = 3000;

/// What is known and what evaluations say of a position, in centipawns for the side to move.
#[derive(Clone, Copy, Debug)]
struct Judged {
    quiet: bool,
    /// The result of the game, from 0 to 1.
    points: f32,
    /// By [`NAMES`].
    values: [f32; COUNT],
    progress: u8,
    /// Share of the game that was played.
    played: f32,
}

impl Judged {
    /// Whether the recorded score is one to compare with.
    fn is_open(&self) -> bool {
        self.values[SCORE].abs() < LARGEST_SCORE as f32
    }
}

/// The recorded score and what is compared with it.
const NAMES: [&str; COUNT] = ["recorded score", "material", "piece-square", "network", "network, quiescence"];
const COUNT: usize = 5;
const SCORE: usize = 0;
const MATERIAL: usize = 1;
const SQUARES: usize = 2;
const NETWORK: usize = 3;
const QUIESCENCE: usize = 4;

/// Compares the network with material and with a piece-square model that is fitted on the training games first, on the
/// games of `split`. The report is text.
pub fn run(
    files: &[PathBuf],
    network: &Arc<Network>,
    split: Split,
    monitor: &Monitor,
) -> Result<String, LearnError> {
    let train = samples::read(files, None, LARGEST_SCORE, monitor)?.train;
    let squares = Linear::fit(&train, -1.0, 3, |sample| win_rate(sample.score.into()));
    let mut judged = Vec::new();
    for path in files {
        in_batches(path, monitor, |games| {
            let games: Vec<&Game> = games.iter().filter(|game| game.split() == split).collect();
            let parts: Vec<Vec<Judged>> =
                games.par_iter().map(|game| judge(game, network, &squares)).collect();
            judged.extend(parts.into_iter().flatten());
        })?;
    }
    if judged.is_empty() {
        return Err(LearnError::NothingToLearn("no scored positions in the games of that part"));
    }
    scale_material(&mut judged);
    let mut report = String::new();
    let open: Vec<&Judged> = judged.iter().filter(|position| position.is_open()).collect();
    let quiet: Vec<&Judged> = open.iter().copied().filter(|position| position.quiet).collect();
    table(&mut report, "Quiet positions", &quiet);
    table(&mut report, "All positions", &open);
    calibration(&mut report, &judged);
    progress(&mut report, &judged);
    Ok(report)
}

fn judge(game: &Game, network: &Arc<Network>, squares: &Linear) -> Vec<Judged> {
    let mut judged = Vec::new();
    let mut scales = Scales::new(game.start(), NetworkEvaluator::new(Arc::clone(network)));
    for (i, ply) in game.moves.iter().enumerate() {
        let points = game.ending.points(scales.walker().turn());
        let sample = Sample::new(scales.position(), 0, 0, 0);
        if let (Some(score), Some(points), Some(sample)) = (ply.score, points, sample) {
            let position = scales.position();
            let quiet = is_quiet(position, ply.mv);
            let progress = network.progress(position);
            let mut values = [0.0; COUNT];
            values[SCORE] = score as f32;
            values[MATERIAL] = material(position) as f32;
            values[SQUARES] = squares.logit(&sample) * CP_SCALE;
            values[NETWORK] = scales.value() as f32;
            values[QUIESCENCE] = quiescence(&mut scales, -MATE, MATE) as f32;
            let played = i as f32 / game.moves.len() as f32;
            judged.push(Judged { quiet, points, values, progress, played });
        }
        scales.apply(ply.mv);
    }
    judged
}

/// Gives material the scale at which it comes nearest to the scores: it would lose by its unit alone otherwise.
fn scale_material(judged: &mut [Judged]) {
    let error = |factor: f32| -> f64 {
        let open = judged.iter().filter(|position| position.is_open());
        open.map(|position| difference(position, position.values[MATERIAL] * factor)).sum()
    };
    let factors = (1..=60).map(|i| i as f32 * 0.05);
    let best = factors.min_by(|&a, &b| error(a).total_cmp(&error(b))).unwrap_or(1.0);
    for position in judged {
        position.values[MATERIAL] *= best;
    }
}

fn difference(position: &Judged, value: f32) -> f64 {
    f64::from((win_rate(value) - win_rate(position.values[SCORE])).abs())
}

fn table(report: &mut String, title: &str, judged: &[&Judged]) {
    let count = judged.len().max(1) as f64;
    let _ = writeln!(report, "{title}: {}", judged.len());
    let _ =
        writeln!(report, "{:<22}{:>13}{:>20}{:>14}", "", "correlation", "error in win rate", "result told");
    let decided: Vec<&&Judged> =
        judged.iter().filter(|position| (position.points - 0.5).abs() > 0.1).collect();
    for (column, name) in NAMES.iter().enumerate() {
        let error =
            judged.iter().map(|position| difference(position, position.values[column])).sum::<f64>() / count;
        let told = decided
            .iter()
            .filter(|position| (position.values[column] > 0.0) == (position.points > 0.5))
            .count() as f64
            / decided.len().max(1) as f64;
        let _ = writeln!(
            report,
            "{name:<22}{:>13.4}{error:>20.4}{:>12.2} %",
            correlation(judged.iter().map(|position| {
                // Values without bound are compared within the bounds of the scores.
                let value = position.values[column].clamp(-LARGEST_SCORE as f32, LARGEST_SCORE as f32);
                (f64::from(position.values[SCORE]), f64::from(value))
            })),
            100.0 * told
        );
    }
    let _ = writeln!(report);
}

fn correlation(pairs: impl Iterator<Item = (f64, f64)> + Clone) -> f64 {
    let count = pairs.clone().count().max(1) as f64;
    let (x, y) = pairs.clone().fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
    let (x, y) = (x / count, y / count);
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    for (a, b) in pairs {
        xx += (a - x) * (a - x);
        yy += (b - y) * (b - y);
        xy += (a - x) * (b - y);
    }
    if xx > 0.0 && yy > 0.0 { xy / (xx * yy).sqrt() } else { 0.0 }
}

/// What win rates came of what the centipawns promised.
fn calibration(report: &mut String, judged: &[Judged]) {
    const BINS: usize = 10;
    let _ = writeln!(report, "Calibration: points from games by promised win rate 1/(1+exp(-cp/600))");
    let columns = [SCORE, NETWORK, QUIESCENCE];
    let _ = writeln!(
        report,
        "{:<10}{}",
        "promised",
        columns.map(|column| format!("{:>32}", NAMES[column])).concat()
    );
    for bin in 0..BINS {
        let mut line = format!("{:>3}-{:>3} %", bin * 100 / BINS, (bin + 1) * 100 / BINS);
        for column in columns {
            let inside = judged.iter().filter(|position| {
                ((win_rate(position.values[column]) * BINS as f32) as usize).min(BINS - 1) == bin
            });
            let (mut count, mut promised, mut came) = (0, 0.0, 0.0);
            for position in inside {
                count += 1;
                promised += f64::from(win_rate(position.values[column]));
                came += f64::from(position.points);
            }
            let mean = |sum: f64| 100.0 * sum / f64::from(count.max(1));
            let _ = write!(line, "{:>15.1} ->{:>5.1} % ({count:>6})", mean(promised), mean(came));
        }
        let _ = writeln!(report, "{line}");
    }
    for column in columns {
        let pairs: Vec<(f32, f32)> =
            judged.iter().map(|position| (position.values[column], position.points)).collect();
        let _ = writeln!(
            report,
            "scale that fits the results best, {}: {:.0}",
            NAMES[column],
            best_scale(&pairs)
        );
    }
    let _ = writeln!(report);
}

/// The `s` for which `1/(1+exp(−cp/s))` makes the results most likely.
fn best_scale(pairs: &[(f32, f32)]) -> f32 {
    let surprise = |scale: f32| -> f64 {
        pairs
            .par_chunks(4096)
            .map(|share| {
                share
                    .iter()
                    .map(|&(cp, points)| {
                        let promised = f64::from(logistic(cp / scale)).clamp(1e-6, 1.0 - 1e-6);
                        let points = f64::from(points);
                        -(points * promised.ln() + (1.0 - points) * (1.0 - promised).ln())
                    })
                    .sum::<f64>()
            })
            .collect::<Vec<_>>()
            .iter()
            .sum()
    };
    // The likelihood has one peak: thirds are cut off until it is between neighbours.
    let (mut low, mut high) = (50.0_f32, 5000.0_f32);
    while high - low > 1.0 {
        let (left, right) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if surprise(left) < surprise(right) {
            high = right;
        } else {
            low = left;
        }
    }
    f32::midpoint(low, high)
}

fn progress(report: &mut String, judged: &[Judged]) {
    let pairs = judged.iter().map(|position| (f64::from(position.played), f64::from(position.progress)));
    let _ = writeln!(
        report,
        "Progress (0-127): correlation with the share of the game played {:.4}",
        correlation(pairs)
    );
}
