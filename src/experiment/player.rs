//! Who plays a match, written as `kind,name=value,…`: for example `alphabeta,eval=material,depth=6`.

use std::time::Instant;
use thiserror::Error;

use super::alphabeta::AlphaBeta;
use crate::eval::{Evaluator, Material, Network, NetworkEvaluator};
use crate::search::{Control, Task};
use crate::shogi::notation::quote;
use crate::shogi::{Move, Walker};

/// Somebody who chooses moves. Each game gets a new one.
pub trait Player {
    /// A move, in a position that has one.
    fn choose(&mut self, walker: &Walker) -> Move;
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

/// A player to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipe {
    evaluation: Evaluation,
    depth: u32,
}

impl std::str::FromStr for Recipe {
    type Err = PlayerError;

    fn from_str(text: &str) -> Result<Self, PlayerError> {
        let mut words = text.split(',');
        let kind = words.next().unwrap_or_default();
        if kind != "alphabeta" {
            return Err(PlayerError(format!("{} is no kind of player; there is alphabeta", quote(kind))));
        }
        let mut recipe = Self { evaluation: Evaluation::Network, depth: 6 };
        for word in words {
            match word.split_once('=') {
                Some(("eval", "network")) => recipe.evaluation = Evaluation::Network,
                Some(("eval", "material")) => recipe.evaluation = Evaluation::Material,
                Some(("depth", depth)) => {
                    recipe.depth = depth
                        .parse()
                        .ok()
                        .filter(|depth| (1..=32).contains(depth))
                        .ok_or_else(|| PlayerError(format!("depth: {} is not 1 to 32", quote(depth))))?;
                }
                _ => {
                    let known = "eval=network, eval=material, depth=N";
                    return Err(PlayerError(format!("{} is none of {known}", quote(word))));
                }
            }
        }
        Ok(recipe)
    }
}

/// Memory of a player's table in MB.
const TABLE_MB: usize = 16;

impl Recipe {
    /// The player.
    pub fn make(&self) -> Box<dyn Player> {
        match self.evaluation {
            Evaluation::Network => self.on(NetworkEvaluator::new(Network::embedded())),
            Evaluation::Material => self.on(Material::default()),
        }
    }

    fn on<E: Evaluator + Clone + 'static>(&self, evaluator: E) -> Box<dyn Player> {
        Box::new(FixedDepth { player: AlphaBeta::new(evaluator, TABLE_MB), depth: self.depth })
    }
}

struct FixedDepth<E> {
    player: AlphaBeta<E>,
    depth: u32,
}

impl<E: Evaluator + Clone> Player for FixedDepth<E> {
    fn choose(&mut self, walker: &Walker) -> Move {
        let task = Task {
            walker: walker.fork(),
            root_moves: Vec::new(),
            nodes: None,
            depth: Some(self.depth),
            mate: false,
        };
        let lines = self.player.lines(&task, &Control::new(Instant::now()), &mut |_| {});
        lines[0].pv[0]
    }
}
