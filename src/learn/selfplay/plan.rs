//! What a plan of kind `selfplay` says.

use serde::Deserialize;
use std::path::{Path, PathBuf};

use super::episodes::{Judge, Rule};
use crate::experiment::player::Recipe;
use crate::learn::balancing::plan::Start;
use crate::learn::checkpoint::fingerprint;
use crate::learn::plan::{names, within};

/// How to learn from games against itself. All but the output has a default.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Where the best weights go; a folder for each rule and the plots lie beside them.
    pub output: PathBuf,
    /// Games of the first generation that were played elsewhere; it then plays none itself.
    #[serde(default)]
    pub records: Vec<PathBuf>,
    /// Where random numbers start.
    #[serde(default = "defaults::seed")]
    pub seed: u64,
    /// The weights to begin with: `zero`, `transition`, or a file.
    #[serde(default = "defaults::start")]
    pub start: Start,
    /// Rules for good episodes, each learned by for itself.
    #[serde(default = "defaults::rules")]
    pub rules: Vec<Rule>,
    /// Generations.
    #[serde(default = "defaults::generations")]
    pub generations: usize,
    /// Games a generation, at most.
    #[serde(default = "defaults::games")]
    pub games: usize,
    /// Good moves a generation, at most; 0 for no limit.
    #[serde(default)]
    pub moves: usize,
    /// Who plays, as in `tenbin experiment match`, without policy and weights.
    #[serde(default = "defaults::player")]
    pub player: String,
    /// Held: after how many plies the value is looked at again.
    #[serde(default = "defaults::plies")]
    pub plies: usize,
    /// Held: how much lower it may be then.
    #[serde(default = "defaults::slack")]
    pub slack: f32,
    /// Comeback: how low the value was, from −1 to 1.
    #[serde(default = "defaults::behind")]
    pub behind: f32,
    /// Clean: a loss of value that is too large.
    #[serde(default = "defaults::mistake")]
    pub mistake: f32,
    /// T: moves are learned by a softmax of this temperature.
    #[serde(default = "defaults::temperature")]
    pub temperature: f32,
    /// How often the games of a generation are gone through.
    #[serde(default = "defaults::passes")]
    pub passes: u32,
    /// α, in the beginning; it falls evenly to a tenth.
    #[serde(default = "defaults::rate")]
    pub rate: f32,
    /// Games of the policy alone against each of the fixed opponents, after every generation.
    #[serde(default = "defaults::policy_games")]
    pub policy_games: usize,
    /// Games of the player.
    #[serde(default = "defaults::player_games")]
    pub player_games: usize,
}

mod defaults {
    use super::{Rule, Start};

    pub fn seed() -> u64 {
        1
    }
    pub fn start() -> Start {
        Start::Zero
    }
    pub fn rules() -> Vec<Rule> {
        vec![Rule::All, Rule::Winner, Rule::Held]
    }
    pub fn generations() -> usize {
        8
    }
    pub fn games() -> usize {
        400
    }
    pub fn player() -> String {
        // Values must be those of the game, not of a difference to the root, or they could not be compared later.
        "uct,playouts=100,Selection=ucb-tuned,Reward=winrate,Simple_Monte_Carlo=true,Playout_Temperature=100,\
         Candidates_By=transition,Leaf_Weight=0,Playout_Mate=one,Leaf_Mate=one,Mate_Search=0,Cut_Losers=false,\
         Reuse_Tree=false,Remembered_Positions=8192"
            .to_owned()
    }
    pub fn plies() -> usize {
        4
    }
    pub fn slack() -> f32 {
        0.05
    }
    pub fn behind() -> f32 {
        -0.3
    }
    pub fn mistake() -> f32 {
        0.5
    }
    pub fn temperature() -> f32 {
        1.0
    }
    pub fn passes() -> u32 {
        3
    }
    pub fn rate() -> f32 {
        0.02
    }
    pub fn policy_games() -> usize {
        200
    }
    pub fn player_games() -> usize {
        100
    }
}

impl Plan {
    /// What is wrong with it, if anything.
    pub fn check(&self) -> Result<(), String> {
        if self.rules.is_empty() {
            return Err("rules: none is named".to_owned());
        }
        within("generations", self.generations as f32, 1.0, 1e3)?;
        within("games", self.games as f32, 2.0, 1e6)?;
        within("plies", self.plies as f32, 2.0, 100.0)?;
        if !self.plies.is_multiple_of(2) {
            return Err(format!("plies: {} is odd, and then the other player is to move", self.plies));
        }
        within("slack", self.slack, 0.0, 2.0)?;
        within("behind", self.behind, -1.0, 1.0)?;
        within("mistake", self.mistake, 0.0, 2.0)?;
        within("temperature", self.temperature, 0.01, 100.0)?;
        within("passes", self.passes as f32, 1.0, 1e3)?;
        within("rate", self.rate, 1e-7, 1.0)?;
        within("policy_games", self.policy_games as f32, 0.0, 1e5)?;
        within("player_games", self.player_games as f32, 0.0, 1e5)?;
        self.player("uniform", Path::new("")).map(|_| ())
    }

    /// The player with playouts by a policy, `balancing` for that of the folder.
    pub fn player(&self, policy: &str, folder: &Path) -> Result<Recipe, String> {
        let mut text = format!("{},Playout_Policy={policy}", self.player);
        if !folder.as_os_str().is_empty() {
            text = format!("{text},weights={}", folder.display());
        }
        text.parse().map_err(|error| format!("player: {error}"))
    }

    /// One of its rules with its numbers.
    pub fn judge(&self, rule: Rule) -> Judge {
        let Self { plies, slack, behind, mistake, .. } = *self;
        Judge { rule, plies, slack, behind, mistake }
    }

    /// A number that changes with everything that changes what one rule leads to, and not with where the files lie, how many
    /// generations follow or how they are measured.
    pub fn fingerprint(&self, rule: Rule) -> u64 {
        let same = Self {
            output: PathBuf::new(),
            records: names(&self.records),
            start: Start::from(self.start.to_string()),
            rules: vec![rule],
            generations: 0,
            policy_games: 0,
            player_games: 0,
            ..self.clone()
        };
        fingerprint(&format!("{same:?}"))
    }
}
