//! Positions drawn from games by chance.

use std::path::PathBuf;
use std::sync::Arc;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;

use crate::learn::records::batches::in_batches;
use crate::learn::records::{Game, Split};
use crate::learn::{LearnError, Monitor};
use crate::mate::mate_in_three;
use crate::playout::reward::of_cp;
use crate::shogi::{MoveList, Walker, useful_moves};

/// A position of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    game: Arc<Game>,
    plies: usize,
    /// What the record says of it as a reward for the side to move.
    pub recorded: Option<f32>,
}

impl Drawn {
    fn new(game: &Arc<Game>, plies: usize) -> Self {
        let recorded = game.moves[plies].score.map(of_cp);
        Self { game: Arc::clone(game), plies, recorded }
    }

    /// How many moves led there.
    pub fn plies(&self) -> usize {
        self.plies
    }

    /// A walker there.
    pub fn walker(&self) -> Walker {
        let mut walker = self.game.start();
        for ply in &self.game.moves[..self.plies] {
            walker.apply(ply.mv);
        }
        walker
    }

    /// Whether there is something to choose and no mate in sight: such positions need no playouts.
    fn is_open(&self) -> bool {
        let mut walker = self.walker();
        let mut moves = MoveList::new();
        useful_moves(walker.position(), &mut moves);
        moves.len() > 1 && mate_in_three(&mut walker).is_none()
    }
}

/// Games to draw from.
#[derive(Default)]
pub struct Games {
    /// To learn from.
    pub train: Vec<Arc<Game>>,
    /// To follow the learning by.
    pub validation: Vec<Arc<Game>>,
    /// To report, once.
    pub test: Vec<Arc<Game>>,
}

/// Reads all games of files.
pub fn read(files: &[PathBuf], monitor: &Monitor) -> Result<Games, LearnError> {
    let mut games = Games::default();
    for path in files {
        let tally = in_batches(path, monitor, |batch| {
            for game in batch {
                let part = match game.split() {
                    Split::Train => &mut games.train,
                    Split::Validation => &mut games.validation,
                    Split::Test => &mut games.test,
                };
                part.push(Arc::new(Game { comments: Vec::new(), ..game.clone() }));
            }
        })?;
        monitor.say(format!("{}: {tally}", path.display()));
    }
    Ok(games)
}

/// Draws at most `count` positions, none among the first `opening` plies of its game; with `scored` only such as have a
/// recorded score.
pub fn draw(games: &[Arc<Game>], count: usize, opening: usize, scored: bool, seed: u64) -> Vec<Drawn> {
    let mut all: Vec<(u32, u32)> = Vec::new();
    for (number, game) in games.iter().enumerate() {
        let plies = opening..game.moves.len();
        let wanted = plies.filter(|&ply| !scored || game.moves[ply].score.is_some());
        all.extend(wanted.map(|ply| (number as u32, ply as u32)));
    }
    all.shuffle(&mut Pcg64Mcg::seed_from_u64(seed));
    all.into_iter()
        .map(|(game, ply)| Drawn::new(&games[game as usize], ply as usize))
        .filter(Drawn::is_open)
        .take(count)
        .collect()
}
