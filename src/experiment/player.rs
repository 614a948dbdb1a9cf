//! Who plays a match, written as `kind,name=value,…`: for example `alphabeta,eval=material,depth=6`,
//! `uct,playouts=1000,Playout_Depth=3` or `policy,kind=uniform`; the last two also with `weights=FOLDER`.

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use std::path::{Path, PathBuf};
use std::time::Instant;
use thiserror::Error;

use super::alphabeta::AlphaBeta;
use crate::eval::network::FILE;
use crate::eval::{Evaluator, Material, Network, NetworkEvaluator};
use crate::policy::weights::{BALANCING_FILE, PLAYOUT_FILE, TRANSITION_FILE};
use crate::policy::{Moment, Narrowing, Policy, Weights};
use crate::search::clock::Budget;
use crate::search::{Answer, Control, Line, Params, Preferences, Score, Search, Task, TreeSearch};
use crate::shogi::notation::quote;
use crate::shogi::{Move, Walker};

/// Somebody who chooses moves. Each game gets a new one.
pub trait Player {
    /// A move, in a position that has one, and what it is worth where the player knows.
    fn choose(&mut self, walker: &Walker) -> (Move, Option<Score>);
}

/// Why there is no such player.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("{0}")]
pub struct PlayerError(String);

/// What an alpha-beta player goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Evaluation {
    Network,
    Material,
}

/// Which policy plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Taste {
    Uniform,
    Transition,
    Balancing,
}

/// How long a move is thought about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Limit {
    Depth(u32),
    Playouts(u64),
    Milliseconds(u64),
}

/// A player to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipe(Kind);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    AlphaBeta(Evaluation, Limit),
    Uct(Limit, Box<Params>, PathBuf),
    Policy(Taste, PathBuf),
    /// One until the game has come so far, then the other.
    Until(u8, Box<[Recipe; 2]>),
}

/// The files that a folder of weights may hold.
const FILES: [&str; 4] = [FILE, TRANSITION_FILE, PLAYOUT_FILE, BALANCING_FILE];

/// A number that changes with the weights in a folder; 0 for none.
pub fn mark_of(folder: &Path) -> u32 {
    if folder.as_os_str().is_empty() {
        return 0;
    }
    let mut hasher = crc32fast::Hasher::new();
    for file in FILES {
        hasher.update(file.as_bytes());
        hasher.update(&std::fs::read(folder.join(file)).unwrap_or_default());
    }
    hasher.finalize()
}

/// Memory of a player's table or tree in MB.
const TABLE_MB: usize = 16;
const TREE_MB: usize = 64;

impl std::str::FromStr for Recipe {
    type Err = PlayerError;

    fn from_str(text: &str) -> Result<Self, PlayerError> {
        let mut words = text.split(',');
        let kind = words.next().unwrap_or_default();
        let mut kind = match kind {
            "alphabeta" => Kind::AlphaBeta(Evaluation::Network, Limit::Depth(6)),
            "uct" => Kind::Uct(Limit::Playouts(1000), Box::default(), PathBuf::new()),
            "policy" => Kind::Policy(Taste::Transition, PathBuf::new()),
            _ => {
                let known = "alphabeta, uct, policy";
                return Err(PlayerError(format!("{} is no kind of player; there is {known}", quote(kind))));
            }
        };
        for word in words {
            let (name, value) = word
                .split_once('=')
                .ok_or_else(|| PlayerError(format!("{} is not name=value, as depth=N", quote(word))))?;
            kind.set(name, value)?;
        }
        if kind.lacks_weights() {
            // It would play as somebody else, and nobody would know.
            let text =
                format!("there are no balancing weights; weights=FOLDER says where {BALANCING_FILE} lies");
            return Err(PlayerError(text));
        }
        Ok(Self(kind))
    }
}

impl Kind {
    /// Whether it is to go by the balancing policy, and there is none.
    fn lacks_weights(&self) -> bool {
        let (balancing, folder) = match self {
            // The last is made of recipes that were read.
            Self::AlphaBeta(..) | Self::Until(..) => return false,
            Self::Uct(_, params, folder) => (params.is_balancing(), folder),
            Self::Policy(taste, folder) => (*taste == Taste::Balancing, folder),
        };
        balancing && Weights::balancing_of(folder).0.or_else(Weights::embedded_balancing).is_none()
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), PlayerError> {
        match (self, name) {
            (Self::AlphaBeta(evaluation, _), "eval") => {
                *evaluation = match value {
                    "network" => Evaluation::Network,
                    "material" => Evaluation::Material,
                    _ => return Err(unknown(name, value)),
                };
            }
            (Self::AlphaBeta(_, limit), "depth") => *limit = Limit::Depth(number(name, value, 32)? as u32),
            (Self::AlphaBeta(_, limit) | Self::Uct(limit, ..), "time") => {
                *limit = Limit::Milliseconds(number(name, value, 3_600_000)?);
            }
            (Self::Uct(_, _, folder) | Self::Policy(_, folder), "weights") => {
                // A wrong folder must not be found out after a thousand games.
                *folder = PathBuf::from(value);
                if !FILES.iter().any(|file| folder.join(file).is_file()) {
                    let files = FILES.join(", ");
                    return Err(PlayerError(format!(
                        "weights: there is none of {files} in {}",
                        quote(value)
                    )));
                }
                let notes = [
                    Weights::transition_of(folder).1,
                    Weights::playout_of(folder).1,
                    Weights::balancing_of(folder).1,
                ];
                if let Some(note) = notes.into_iter().flatten().next() {
                    return Err(PlayerError(note));
                }
            }
            (Self::Uct(limit, ..), "playouts") => {
                *limit = Limit::Playouts(number(name, value, u64::from(u32::MAX))?);
            }
            (Self::Uct(_, params, _), _) => match params.set(name, value) {
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(PlayerError(error)),
                None => return Err(PlayerError(format!("{} is no parameter", quote(name)))),
            },
            (Self::Policy(taste, _), "kind") => {
                *taste = match value {
                    "uniform" => Taste::Uniform,
                    "transition" => Taste::Transition,
                    "balancing" => Taste::Balancing,
                    _ => {
                        let known = "uniform, transition, balancing";
                        return Err(PlayerError(format!("kind: {} is not {known}", quote(value))));
                    }
                };
            }
            (Self::AlphaBeta(..), _) => return Err(unknown(name, value)),
            (Self::Policy(..) | Self::Until(..), _) => {
                return Err(PlayerError(format!("{} is not kind, weights", quote(name))));
            }
        }
        Ok(())
    }
}

/// What an alpha-beta player does not know.
fn unknown(name: &str, value: &str) -> PlayerError {
    let known = "eval=network, eval=material, depth=N, time=MS";
    PlayerError(format!("{} is none of {known}", quote(&format!("{name}={value}"))))
}

/// A number from 1 to `most`.
fn number(name: &str, text: &str, most: u64) -> Result<u64, PlayerError> {
    text.parse()
        .ok()
        .filter(|number| (1..=most).contains(number))
        .ok_or_else(|| PlayerError(format!("{name}: {} is not 1 to {most}", quote(text))))
}

impl Recipe {
    /// This player until the game has come so far (0 to 127), then the other one for the rest of it.
    #[must_use]
    pub fn until(self, progress: u8, then: Self) -> Self {
        Self(Kind::Until(progress, Box::new([self, then])))
    }

    /// A number that changes with the files in its folder of weights.
    pub fn mark(&self) -> u32 {
        match &self.0 {
            Kind::AlphaBeta(..) => 0,
            Kind::Uct(_, _, folder) | Kind::Policy(_, folder) => mark_of(folder),
            Kind::Until(_, recipes) => recipes[0].mark() ^ recipes[1].mark().rotate_left(1),
        }
    }

    /// The player, with random numbers that start with `seed`.
    pub fn make(&self, seed: u64) -> Box<dyn Player> {
        match &self.0 {
            Kind::AlphaBeta(Evaluation::Network, limit) => {
                on(NetworkEvaluator::new(Network::embedded()), *limit)
            }
            Kind::AlphaBeta(Evaluation::Material, limit) => on(Material::default(), *limit),
            Kind::Uct(limit, params, folder) => {
                let mut search = TreeSearch::default();
                let (params, eval_dir) = (params.as_ref().clone(), folder.clone());
                let preferences =
                    Preferences { hash_mb: TREE_MB, seed, params, eval_dir, ..Preferences::default() };
                search.prepare(&preferences);
                Box::new(Uct { search, limit: *limit })
            }
            Kind::Policy(taste, folder) => {
                let (weights, narrowing) = (Weights::transition_of(folder).0, Narrowing::default());
                let policy = match taste {
                    Taste::Uniform => Policy::uniform(weights, narrowing),
                    Taste::Transition => Policy::transition(weights, narrowing),
                    Taste::Balancing => {
                        let balancing = Weights::balancing_of(folder).0.or_else(Weights::embedded_balancing);
                        let balancing = balancing.unwrap_or_else(Weights::zero);
                        Policy::balancing(weights, balancing, narrowing)
                    }
                };
                let random = Pcg64Mcg::seed_from_u64(seed);
                Box::new(Sampler { policy, network: Network::embedded(), random })
            }
            Kind::Until(progress, recipes) => Box::new(Relay {
                players: recipes.each_ref().map(|recipe| recipe.make(seed)),
                progress: *progress,
                network: Network::embedded(),
                handed_over: false,
            }),
        }
    }
}

fn on<E: Evaluator + Clone + 'static>(evaluator: E, limit: Limit) -> Box<dyn Player> {
    Box::new(Limited { player: AlphaBeta::new(evaluator, TABLE_MB), limit })
}

/// A task and the clock for it.
fn task(walker: &Walker, limit: Limit) -> (Task, Control) {
    let mut task =
        Task { walker: walker.fork(), root_moves: Vec::new(), nodes: None, depth: None, mate: false };
    let begun = Instant::now();
    let control = Control::new(begun);
    match limit {
        Limit::Depth(depth) => task.depth = Some(depth),
        Limit::Playouts(playouts) => task.nodes = Some(playouts),
        Limit::Milliseconds(ms) => control.set_budget(Budget::exactly(ms), begun),
    }
    (task, control)
}

/// The move of the best line, and what it is worth.
fn best(lines: &[Line]) -> (Move, Option<Score>) {
    (lines[0].pv[0], Some(lines[0].score))
}

struct Limited<E> {
    player: AlphaBeta<E>,
    limit: Limit,
}

impl<E: Evaluator + Clone> Player for Limited<E> {
    fn choose(&mut self, walker: &Walker) -> (Move, Option<Score>) {
        let (task, control) = task(walker, self.limit);
        best(&self.player.lines(&task, &control, &mut |_| {}))
    }
}

struct Uct {
    search: TreeSearch,
    limit: Limit,
}

impl Player for Uct {
    fn choose(&mut self, walker: &Walker) -> (Move, Option<Score>) {
        let (task, control) = task(walker, self.limit);
        match self.search.think(&task, &control, &mut |_| {}) {
            Answer::Best(lines) => best(&lines),
            _ => (walker.any_move().expect("the position has a move"), None),
        }
    }
}

/// Plays what the policy happens to choose.
struct Sampler {
    policy: Policy,
    network: std::sync::Arc<Network>,
    random: Pcg64Mcg,
}

impl Player for Sampler {
    fn choose(&mut self, walker: &Walker) -> (Move, Option<Score>) {
        let moment = Moment::of_game(self.network.progress(walker.position()));
        let candidates = self.policy.candidates(&mut walker.fork(), moment);
        let mv = candidates.sample(&mut self.random).or_else(|| walker.any_move());
        (mv.expect("the position has a move"), None)
    }
}

/// One player until the game has come so far, then the other.
struct Relay {
    players: [Box<dyn Player>; 2],
    progress: u8,
    network: std::sync::Arc<Network>,
    handed_over: bool,
}

impl Player for Relay {
    fn choose(&mut self, walker: &Walker) -> (Move, Option<Score>) {
        self.handed_over |= self.network.progress(walker.position()) >= self.progress;
        self.players[usize::from(self.handed_over)].choose(walker)
    }
}
