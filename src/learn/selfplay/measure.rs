//! How strong a generation is: its policy alone and the player that uses it, against opponents that stay the same.

use std::path::Path;

use super::plan::Plan;
use crate::experiment::ExperimentError;
use crate::experiment::ledger::Ledger;
use crate::experiment::matches::{Match, Score};
use crate::experiment::player::Recipe;
use crate::experiment::statistics::Estimate;
use crate::learn::{LearnError, Monitor};
use crate::shogi::Walker;

/// The opponents, in the order of the figures.
pub const OPPONENTS: [&str; 3] = ["uniform", "transition", "generation 1"];

/// What plays: the policy by itself, or the Monte-Carlo player with it.
pub const SIDES: [&str; 2] = ["policy", "player"];

/// Shares of the points of the policy alone, then of the player, against each opponent; nothing where none was played.
pub type Strength = [[Option<Estimate>; OPPONENTS.len()]; SIDES.len()];

/// What a generation is measured by.
pub struct Gauge<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// Openings that are not learned from.
    pub openings: &'a [Walker],
    /// The folder of the first generation.
    pub first: &'a Path,
}

impl Gauge<'_> {
    /// Measures the generation in a folder, where the results are kept too.
    pub fn strength(&self, folder: &Path, monitor: &Monitor) -> Result<Strength, LearnError> {
        let mut strength = Strength::default();
        for (side, games) in [self.plan.policy_games, self.plan.player_games].into_iter().enumerate() {
            for (place, opponent) in OPPONENTS.into_iter().enumerate() {
                let pairs = (games / 2).min(self.openings.len());
                if pairs == 0 || (place == 2 && folder == self.first) {
                    continue;
                }
                let name = format!("{}-{}", SIDES[side], opponent.replace(' ', "-"));
                let players = self.players(side, opponent, folder)?;
                let game = Match { players: &players, openings: self.openings, seed: self.plan.seed };
                // What is kept lies in the folder of the generation and is as old as its weights.
                let key = format!("{name} {}", self.plan.player);
                let one = |number| Some(game.pair(number, &|| monitor.stopped())?.points.to_vec());
                let found = Ledger::new(folder, &name, &key).fill(pairs, monitor, one)?;
                let pairs = found.iter().filter_map(|points| Some([*points.first()?, *points.get(1)?]));
                strength[side][place] = Some(pairs.collect::<Score>().estimate());
            }
        }
        Ok(strength)
    }

    fn players(&self, side: usize, opponent: &str, folder: &Path) -> Result<[Recipe; 2], LearnError> {
        let make = |kind: &str, folder: &Path| {
            if side == 1 {
                return self.plan.player(kind, folder);
            }
            let mut text = format!("policy,kind={kind}");
            if !folder.as_os_str().is_empty() {
                text = format!("{text},weights={}", folder.display());
            }
            text.parse().map_err(|error| format!("{error}"))
        };
        let other = match opponent {
            "uniform" | "transition" => make(opponent, Path::new("")),
            _ => make("balancing", self.first),
        };
        let pair = make("balancing", folder).and_then(|own| Ok([own, other?]));
        pair.map_err(LearnError::Games)
    }
}

impl From<ExperimentError> for LearnError {
    fn from(error: ExperimentError) -> Self {
        match error {
            ExperimentError::Learn(error) => error,
            ExperimentError::Stopped => Self::Stopped,
            other => Self::Games(other.to_string()),
        }
    }
}
