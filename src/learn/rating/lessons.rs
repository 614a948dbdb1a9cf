//! Games between players whose ratings are known.

use std::path::PathBuf;

use crate::learn::records::batches::in_batches;
use crate::learn::records::{Game, Split};
use crate::learn::{LearnError, Monitor};
use crate::shogi::Color;

/// Games by what they may be used for.
#[derive(Default)]
pub struct Games {
    /// To learn from.
    pub train: Vec<Game>,
    /// To choose by.
    pub validation: Vec<Game>,
    /// To report, once.
    pub test: Vec<Game>,
}

/// Reads the games that have ratings.
pub fn read(files: &[PathBuf], monitor: &Monitor) -> Result<Games, LearnError> {
    let mut games = Games::default();
    for path in files {
        let told = in_batches(path, monitor, |batch| {
            for game in batch.iter().filter(|game| game.ratings.is_some()) {
                let part = match game.split() {
                    Split::Train => &mut games.train,
                    Split::Validation => &mut games.validation,
                    Split::Test => &mut games.test,
                };
                part.push(game.clone());
            }
        })?;
        monitor.say(format!("{}: {told}", path.display()));
    }
    Ok(games)
}

/// The ratings of the side to move and of the other one.
pub fn ratings(game: &Game, turn: Color) -> Option<[f32; 2]> {
    let [black, white] = game.ratings?;
    Some(if turn == Color::Black { [black, white] } else { [white, black] })
}

/// How much better the first is than the second, in units of 400 points.
pub fn ahead([own, other]: [f32; 2]) -> f32 {
    (own - other) / 400.0
}
