//! Positions to learn a value from: their features and what is known of them.

use rayon::prelude::*;
use std::ops::ControlFlow;
use std::path::PathBuf;

use super::plan::Positions;
use crate::eval::features::{ACTIVE, Feature, features, opposite};
use crate::eval::quiescence::quiet_line;
use crate::eval::{Evaluator, MATE_BOUND, Material, Scales};
use crate::learn::records::reader::{self, ReadError};
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
/// `largest_score` either way.
pub fn read(
    files: &[PathBuf],
    positions: Positions,
    largest_score: i32,
    monitor: &Monitor,
) -> Result<Samples, LearnError> {
    let mut samples = Samples::default();
    for path in files {
        let tally = in_batches(path, monitor, |games| {
            let parts: Vec<(Split, Vec<Sample>)> = games
                .par_iter()
                .map(|game| (game.split(), of_game(game, positions, largest_score)))
                .collect();
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

/// Reads a file and hands its games out in batches that are worth spreading over the cores. Says how many there were.
pub fn in_batches(
    path: &std::path::Path,
    monitor: &Monitor,
    mut visit: impl FnMut(&[Game]),
) -> Result<String, ReadError> {
    const BATCH: usize = 1024;
    let mut batch = Vec::with_capacity(BATCH);
    let tally = reader::read(path, &mut |game| {
        batch.push(game);
        if batch.len() == BATCH {
            visit(&batch);
            batch.clear();
        }
        if monitor.stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    visit(&batch);
    Ok(match tally.skipped() {
        0 => format!("{} games", tally.games),
        skipped => format!("{} games, {skipped} skipped", tally.games),
    })
}

/// The samples of a game. Those to validate by are quiet whatever the choice, so that choices can be compared.
fn of_game(game: &Game, positions: Positions, largest_score: i32) -> Vec<Sample> {
    let mut samples = Vec::new();
    let quiet_only = positions == Positions::Quiet || game.split() != Split::Train;
    // Material, not the network: what is learned must not depend on what was learned before.
    let mut scales = Scales::new(game.start(), Material::default());
    let length = game.moves.len().max(1);
    for (i, ply) in game.moves.iter().enumerate() {
        let progress = (i * 128 / length) as u8;
        if let Some(score) = ply.score.filter(|score| score.abs() < largest_score) {
            let sample = if is_quiet(scales.position(), ply.mv) {
                known(game, scales.walker(), score, progress)
            } else if quiet_only {
                None
            } else {
                resolved(game, &mut scales, score, progress)
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
