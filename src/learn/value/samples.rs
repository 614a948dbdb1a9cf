//! Positions to learn a value from: their features and what is known of them.

use rayon::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;

use crate::eval::features::{ACTIVE, Feature, features, opposite};
use crate::eval::quiescence::quiet_line;
use crate::eval::{Evaluator, MATE_BOUND, Material, Network, NetworkEvaluator, Scales};
use crate::learn::records::batches::in_batches;
use crate::learn::records::{Game, Split};
use crate::learn::{LearnError, Monitor};
use crate::shogi::{Color, Move, Position, Walker};

/// A position with what is known of it, all from the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// What holds, as the side to move sees it.
    pub features: [Feature; ACTIVE],
    /// The recorded score in centipawns.
    pub score: i16,
    /// What the side to move got from the game, in half points.
    pub half_points: u8,
    /// How far the game had come, from 0 to 127.
    pub progress: u8,
}

impl Sample {
    /// A sample; nothing where the position has not all pieces.
    pub fn new(position: &Position, score: i32, half_points: u8, progress: u8) -> Option<Self> {
        let mut seen: [Feature; ACTIVE] = features(position).into_inner().ok()?;
        if position.turn() == Color::White {
            seen = seen.map(opposite);
        }
        let score = score.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        Some(Self { features: seen, score, half_points, progress })
    }
}

/// Whether a recorded position is quiet: no check, and the move played neither captures nor promotes.
pub fn is_quiet(position: &Position, mv: Move) -> bool {
    !position.is_in_check() && !mv.is_promotion() && !position.is_capture_move32(mv)
}

/// Samples of the parts of the games.
#[derive(Default)]
pub struct Samples {
    /// To learn from.
    pub train: Vec<Sample>,
    /// To choose by; always quiet positions.
    pub validation: Vec<Sample>,
}

/// Reads the samples of files. Games without result are left out; of the others, positions with a score below
/// `largest_score` either way. With a `resolver`, positions that are not quiet are followed by its quiescence to the quiet
/// position their score is about; without one they are left out.
pub fn read(
    files: &[PathBuf],
    resolver: Option<&Arc<Network>>,
    largest_score: i32,
    monitor: &Monitor,
) -> Result<Samples, LearnError> {
    let mut samples = Samples::default();
    for path in files {
        let tally = in_batches(path, monitor, |games| {
            let parts: Vec<(Split, Vec<Sample>)> =
                games.par_iter().map(|game| (game.split(), of_game(game, resolver, largest_score))).collect();
            for (split, part) in parts {
                match split {
                    Split::Train => samples.train.extend(part),
                    Split::Validation => samples.validation.extend(part),
                    Split::Test => {}
                }
            }
        })?;
        monitor.say(format!("{}: {tally}", path.display()));
    }
    Ok(samples)
}

/// The samples of a game. Those to validate by are always quiet, so that choices can be compared.
fn of_game(game: &Game, resolver: Option<&Arc<Network>>, largest_score: i32) -> Vec<Sample> {
    match resolver.filter(|_| game.split() == Split::Train) {
        Some(network) => collect(game, NetworkEvaluator::new(Arc::clone(network)), true, largest_score),
        None => collect(game, Material::default(), false, largest_score),
    }
}

fn collect<E: Evaluator>(game: &Game, evaluator: E, resolve: bool, largest_score: i32) -> Vec<Sample> {
    let mut samples = Vec::new();
    let mut scales = Scales::new(game.start(), evaluator);
    let length = game.moves.len().max(1);
    for (i, ply) in game.moves.iter().enumerate() {
        let progress = (i * 128 / length) as u8;
        if let Some(score) = ply.score.filter(|score| score.abs() < largest_score) {
            let sample = if is_quiet(scales.position(), ply.mv) {
                known(game, scales.walker(), score, progress)
            } else if resolve {
                resolved(game, &mut scales, score, progress)
            } else {
                None
            };
            samples.extend(sample);
        }
        scales.apply(ply.mv);
    }
    samples
}

/// What is known of a position; nothing where the game has no result.
fn known(game: &Game, walker: &Walker, score: i32, progress: u8) -> Option<Sample> {
    let points = game.ending.points(walker.turn())?;
    Sample::new(walker.position(), score, (points * 2.0) as u8, progress)
}

/// The quiet position that quiescence leads to, with the score of where it began; nothing where there is none.
fn resolved<E: Evaluator>(game: &Game, scales: &mut Scales<E>, score: i32, progress: u8) -> Option<Sample> {
    let quiet = quiet_line(scales);
    if quiet.value.abs() > MATE_BOUND {
        return None;
    }
    let mut score = score;
    for &mv in &quiet.line {
        scales.apply(mv);
        score = -score;
    }
    let sample =
        if scales.position().is_in_check() { None } else { known(game, scales.walker(), score, progress) };
    for _ in &quiet.line {
        scales.undo();
    }
    sample
}
