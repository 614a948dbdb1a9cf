//! What experiments are made on where nothing else is named: openings and games that come with the program.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::ExperimentError;
use crate::eval::quiescence::quiescence;
use crate::eval::{MATE, Network, NetworkEvaluator, Scales};
use crate::learn::records::{self, Format, Game, Split};
use crate::playout::reward;
use crate::shogi::{Move, Rules, Walker, parse_position};

/// 1,500 openings of 24 plies.
const OPENINGS: &[u8] = include_bytes!("data/openings.txt.zst");

/// 700 games of professional players, among them all of the shared ones that nothing was learned from.
const GAMES: &[u8] = include_bytes!("data/games.txt.zst");

/// The openings of a file, or those that come with the program: `startpos moves …` or an SFEN a line.
pub fn openings(file: Option<&Path>) -> Result<Vec<Walker>, ExperimentError> {
    let (name, text) = if let Some(path) = file {
        let text = std::fs::read_to_string(path).map_err(|error| ExperimentError::file(path, error))?;
        (path.display().to_string(), text)
    } else {
        let bytes = zstd::decode_all(OPENINGS).expect("the embedded openings can be read");
        ("openings".to_owned(), String::from_utf8(bytes).expect("they are text"))
    };
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
        .map(|(i, line)| {
            let complain = |error: String| ExperimentError::Input(format!("{name}: line {}: {error}", i + 1));
            match parse_position(line, Rules::default()) {
                Ok((walker, None)) => Ok(walker),
                Ok((_, Some(error))) => Err(complain(error.to_string())),
                Err(error) => Err(complain(error.to_string())),
            }
        })
        .collect()
}

/// The games of files, or those that come with the program.
pub fn games(files: &[PathBuf]) -> Result<Vec<Game>, ExperimentError> {
    let mut games = Vec::new();
    let mut keep = |game| {
        games.push(game);
        ControlFlow::Continue(())
    };
    for path in files {
        records::read(path, &mut keep).map_err(|error| ExperimentError::Input(error.to_string()))?;
    }
    if files.is_empty() {
        let bytes = zstd::decode_all(GAMES).expect("the embedded games can be read");
        records::read_from(bytes.as_slice(), Format::Text, &mut keep);
    }
    if games.is_empty() { Err(ExperimentError::Input("there are no games".to_owned())) } else { Ok(games) }
}

/// A position of a game and what was played there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The number of the game.
    pub game: usize,
    ply: usize,
}

impl Place {
    /// A walker there.
    pub fn walker(self, games: &[Game]) -> Walker {
        let game = &games[self.game];
        let mut walker = game.start();
        game.moves[..self.ply].iter().for_each(|ply| walker.apply(ply.mv));
        walker
    }

    /// What was played.
    pub fn played(self, games: &[Game]) -> Move {
        games[self.game].moves[self.ply].mv
    }
}

/// Which positions of games to take.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// Only of this part of the games.
    pub part: Option<Split>,
    /// Least progress, 0 to 127.
    pub from: u8,
    /// Greatest progress.
    pub to: u8,
    /// Plies at the beginning of games that are left out.
    pub opening: usize,
}

impl Wanted {
    /// The middle game, whatever the game is used for.
    pub const MIDDLE_GAME: Self = Self { part: None, from: 30, to: 110, opening: 30 };
}

/// Draws at most `count` positions by chance, always the same for a seed; a smaller count draws the first of them.
pub fn draw(games: &[Game], wanted: Wanted, count: usize, seed: u64) -> Vec<Place> {
    let network = Network::embedded();
    let of_game = |(number, game): (usize, &Game)| {
        let mut places = Vec::new();
        if wanted.part.is_some_and(|part| game.split() != part) {
            return places;
        }
        let mut ply = 0;
        game.replay(|walker, _| {
            if ply >= wanted.opening
                && (wanted.from..=wanted.to).contains(&network.progress(walker.position()))
            {
                places.push(Place { game: number, ply });
            }
            ply += 1;
        });
        places
    };
    let parts: Vec<Vec<Place>> = games.par_iter().enumerate().map(of_game).collect();
    let mut all: Vec<Place> = parts.into_iter().flatten().collect();
    all.shuffle(&mut Pcg64Mcg::seed_from_u64(seed));
    all.truncate(count);
    all
}

/// Whether nothing hangs: a half-done exchange is no lead.
pub fn is_quiet(walker: &Walker, network: &Arc<Network>) -> bool {
    quiet_value(walker, network).is_some()
}

/// Whether somebody leads, and neither by much nor because something hangs.
pub fn is_open_lead(walker: &Walker, network: &Arc<Network>) -> bool {
    // Win rates of 54 to 92 %.
    quiet_value(walker, network).is_some_and(|value| (0.08..0.84).contains(&reward::of_cp(value).abs()))
}

/// The value of a position in which nothing hangs.
fn quiet_value(walker: &Walker, network: &Arc<Network>) -> Option<i32> {
    const STILL: i32 = 30;
    let mut scales = Scales::new(walker.fork(), NetworkEvaluator::new(Arc::clone(network)));
    let value = scales.value();
    let quiet =
        !walker.position().is_in_check() && (quiescence(&mut scales, -MATE, MATE) - value).abs() <= STILL;
    quiet.then_some(value)
}

/// The first position of each game that has come so far, in the order of the games: where a match may begin.
pub fn beginnings(games: &[Game], progress: u8) -> Vec<Walker> {
    let network = Network::embedded();
    let of_game = |game: &Game| {
        let mut walker = game.start();
        for ply in &game.moves {
            if network.progress(walker.position()) >= progress {
                return Some(walker);
            }
            walker.apply(ply.mv);
        }
        None
    };
    games.par_iter().filter_map(of_game).collect()
}

/// Writes the games that come with the program into a folder, for what reads files.
pub fn write_games(folder: &Path) -> Result<PathBuf, ExperimentError> {
    let path = folder.join("games.txt.zst");
    std::fs::write(&path, GAMES).map_err(|error| ExperimentError::file(&path, error))?;
    Ok(path)
}
