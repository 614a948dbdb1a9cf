//! What all experiments need to know: how large, from which seed, on what and where to.

use once_cell::sync::OnceCell;
use std::path::PathBuf;
use std::sync::Arc;

use super::ledger::Ledger;
use super::matches::{Match, Score};
use super::player::{self, Recipe};
use super::{ExperimentError, sample};
use crate::eval::{Evaluator, Network, NetworkEvaluator};
use crate::learn::Monitor;
use crate::learn::checkpoint::fingerprint;
use crate::learn::records::Game;
use crate::policy::Weights;
use crate::shogi::Walker;

/// How large experiments are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// For tests: it runs, and says nothing.
    Tiny,
    /// For a first look: minutes, not hours.
    Quick,
    /// The paper's counts, or as near as some hours for each allow.
    Full,
}

impl Size {
    /// Its name as an option.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tiny => "tiny",
            Self::Quick => "quick",
            Self::Full => "full",
        }
    }
}

/// The setting of an experiment.
pub struct Setting<'a> {
    /// How large.
    pub size: Size,
    /// Where random numbers start.
    pub seed: u64,
    /// The folder for results, their plots and what is kept to go on from.
    pub out: PathBuf,
    /// A folder with weights instead of the embedded ones; empty for those.
    pub weights: PathBuf,
    /// Files of games instead of the embedded ones; empty for those.
    pub records: Vec<PathBuf>,
    /// Who follows it.
    pub monitor: &'a Monitor<'a>,
    games: OnceCell<Vec<Game>>,
    marks: OnceCell<String>,
}

impl<'a> Setting<'a> {
    /// A setting with the weights and games that come with the program.
    pub fn new(size: Size, seed: u64, out: PathBuf, monitor: &'a Monitor<'a>) -> Self {
        Self {
            size,
            seed,
            out,
            weights: PathBuf::new(),
            records: Vec::new(),
            monitor,
            games: OnceCell::new(),
            marks: OnceCell::new(),
        }
    }

    /// What belongs to the size.
    pub fn pick<T>(&self, tiny: T, quick: T, full: T) -> T {
        match self.size {
            Size::Tiny => tiny,
            Size::Quick => quick,
            Size::Full => full,
        }
    }

    /// A seed for a purpose, by the setting's own.
    pub fn seed_for(&self, purpose: u64) -> u64 {
        (self.seed ^ purpose.wrapping_mul(0xd134_2543_de82_ef95)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// The games to draw positions from.
    pub fn games(&self) -> Result<&[Game], ExperimentError> {
        self.games.get_or_try_init(|| sample::games(&self.records)).map(Vec::as_slice)
    }

    /// The weights of the balancing policy, if there are any.
    pub fn balancing(&self) -> Option<Arc<Weights>> {
        Weights::balancing_of(&self.weights).0.or_else(Weights::embedded_balancing)
    }

    /// The folder for what is kept to go on from.
    pub fn state(&self) -> PathBuf {
        self.out.join("state")
    }

    /// Marks of the weights and games: what was found with others does not count.
    pub fn marks(&self) -> Result<&str, ExperimentError> {
        let make = || {
            let of = |weights: &Weights| {
                let bytes: Vec<u8> = weights.numbers().iter().flat_map(|x| x.to_le_bytes()).collect();
                crc32fast::hash(&bytes)
            };
            // A network is known by what it says.
            let mut evaluator = NetworkEvaluator::new(Network::embedded());
            let mut value = |game: &Game| {
                let mut end = game.start();
                game.moves.iter().for_each(|ply| end.apply(ply.mv));
                evaluator.reset(end.position());
                evaluator.value(end.position()).to_string()
            };
            let values: Vec<String> = self.games()?.iter().take(100).map(&mut value).collect();
            let games: Vec<String> =
                self.games()?.iter().map(|game| format!("{} {:?} ", game.start, game.moves)).collect();
            Ok(format!(
                "value {:016x} transition {:08x} playout {:08x} balancing {:08x} folder {:08x} games {:016x}",
                fingerprint(&values.join(" ")),
                of(&Weights::embedded()),
                of(&Weights::embedded_playout()),
                Weights::embedded_balancing().map_or(0, |weights| of(&weights)),
                player::mark_of(&self.weights),
                fingerprint(&games.concat())
            ))
        };
        self.marks.get_or_try_init(make).map(String::as_str)
    }

    /// Works out the first `count` items of a run, or goes on with it. `key` says all that the results depend on beside
    /// seed, weights and games.
    pub fn collect(
        &self,
        name: &str,
        key: &str,
        count: usize,
        one: impl Fn(usize) -> Option<Vec<f64>> + Sync,
    ) -> Result<Vec<Vec<f64>>, ExperimentError> {
        let key = format!("{name} seed {} {} {key}", self.seed, self.marks()?);
        Ledger::new(&self.state(), name, &key).fill(count, self.monitor, one)
    }

    /// Plays a match of so many games, or goes on with it; `done` hears of the games as they end.
    pub fn play(
        &self,
        name: &str,
        players: &[Recipe; 2],
        openings: &[Walker],
        games: usize,
        done: &(dyn Fn(&[String; 2]) + Sync),
    ) -> Result<Score, ExperimentError> {
        let pairs = games.div_ceil(2).min(openings.len());
        let lines: Vec<String> = openings.iter().map(|opening| format!("{opening:?}")).collect();
        let marks = players.each_ref().map(Recipe::mark);
        let key = format!("{players:?} weights {marks:08x?} openings {:016x}", fingerprint(&lines.join(" ")));
        let game = Match { players, openings, seed: self.seed };
        let found = self.collect(name, &key, pairs, |number| {
            let pair = game.pair(number, &|| self.monitor.stopped())?;
            done(&pair.games);
            Some(pair.points.to_vec())
        })?;
        Ok(found.iter().filter_map(|points| Some([*points.first()?, *points.get(1)?])).collect())
    }
}
