//! What a plan of kind `balancing` says.

use serde::Deserialize;
use std::path::PathBuf;
use std::sync::Arc;

use super::course::Families;
use crate::eval::weights::WeightsError;
use crate::learn::LearnError;
use crate::learn::checkpoint::fingerprint;
use crate::learn::plan::{names, within};
use crate::playout::{Cutoff, MateCheck};
use crate::policy::narrowing::MOST;
use crate::policy::{Stages, Weights};

/// What a playout that was cut off is worth.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Rewards {
    /// ±1 where the value differs from that of the position it began at, else 0.
    Threshold,
    /// Twice the win rate less one.
    WinRate,
}

impl Rewards {
    /// Its name as an option.
    pub fn name(self) -> &'static str {
        match self {
            Self::Threshold => "threshold",
            Self::WinRate => "winrate",
        }
    }
}

/// Who says what positions are worth.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Teaching {
    /// A tree search with the policy that is learned.
    Uct,
    /// The scores of the records.
    Recorded,
}

/// Which games to learn from.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// Those that everything is learned from.
    #[default]
    Train,
    /// Those that the evaluation was only validated by, so that it is no better there than elsewhere; what is learned is then
    /// validated by the games kept for the last test.
    Validation,
}

/// In whose order the teacher's tree tries moves.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// The transition policy's: likely moves first, whatever has been learned so far.
    #[default]
    Transition,
    /// That of the policy that is learned, as the paper has it.
    Own,
}

impl Order {
    /// Its name as an option.
    pub fn name(self) -> &'static str {
        match self {
            Self::Transition => "transition",
            Self::Own => "own",
        }
    }
}

/// How weights follow the gradient.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// As the paper has it: `θ += α (V* − V) g` for each position.
    Plain,
    /// By Adam, a step a batch.
    Adam,
}

/// The weights to begin with: `zero`, `transition`, or a file.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(from = "String")]
pub enum Start {
    /// Every candidate is as likely as the other.
    Zero,
    /// The transition policy.
    Transition,
    /// What was learned before.
    File(PathBuf),
}

impl From<String> for Start {
    fn from(text: String) -> Self {
        match text.as_str() {
            "zero" => Self::Zero,
            "transition" => Self::Transition,
            _ => Self::File(PathBuf::from(text)),
        }
    }
}

impl Start {
    /// The weights; nothing for zero.
    pub fn weights(&self) -> Result<Option<Arc<Weights>>, LearnError> {
        match self {
            Self::Zero => Ok(None),
            Self::Transition => Ok(Some(Weights::embedded_playout())),
            Self::File(path) => {
                let read = std::fs::read(path).map_err(WeightsError::from);
                let weights = read.and_then(|bytes| Weights::read(&bytes));
                weights
                    .map(|weights| Some(Arc::new(weights)))
                    .map_err(|error| LearnError::output(path, error))
            }
        }
    }
}

impl std::fmt::Display for Start {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Zero => f.write_str("zero"),
            Self::Transition => f.write_str("transition"),
            // Where it lies is nobody's business.
            Self::File(path) => write!(f, "{}", path.file_name().unwrap_or_default().display()),
        }
    }
}

/// How playouts and the teacher's search are made.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Plies of a playout.
    pub depth: u32,
    /// Where exactly they are cut off.
    pub cutoff: Cutoff,
    /// Moves they choose among.
    pub candidates: usize,
    /// What they are worth.
    pub reward: Rewards,
    /// Centipawns, for that.
    pub threshold: i32,
    /// Centipawns by which quiet values are too good for the side to move.
    pub tempo: i32,
    /// Weight of the quiet value where a playout begins beside what it ends with.
    pub leaf_weight: f32,
    /// Mates looked for.
    pub mate: MateCheck,
    /// The teacher's playouts.
    pub teacher_playouts: u32,
    /// Visits that new nodes of the teacher's tree start with.
    pub prior_visits: u32,
    /// In whose order it tries moves.
    pub order: Order,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            depth: defaults::depth(),
            cutoff: Cutoff::default(),
            candidates: defaults::candidates(),
            reward: defaults::reward(),
            threshold: defaults::threshold(),
            tempo: 0,
            leaf_weight: 0.0,
            mate: defaults::mate(),
            teacher_playouts: defaults::teacher_playouts(),
            prior_visits: 0,
            order: Order::default(),
        }
    }
}

/// How to learn the balancing policy. All but the files has a default, which is the paper's but for the order.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Files of games.
    pub records: Vec<PathBuf>,
    /// Where the weights go; checkpoint and plots lie beside them.
    pub output: PathBuf,
    /// Where random numbers start.
    #[serde(default = "defaults::seed")]
    pub seed: u64,
    /// Which games to learn from.
    #[serde(default)]
    pub part: Part,
    /// Positions to learn from, drawn from the games by chance.
    #[serde(default = "defaults::positions")]
    pub positions: usize,
    /// Positions of other games to follow the error by.
    #[serde(default = "defaults::validation")]
    pub validation: usize,
    /// Playouts for the mean reward of each of them.
    #[serde(default = "defaults::value_playouts")]
    pub validation_playouts: u32,
    /// Plies at the beginning of games from which no positions are drawn.
    #[serde(default = "defaults::opening")]
    pub opening: usize,
    /// How often to go through the positions.
    #[serde(default = "defaults::passes")]
    pub passes: u32,
    /// Positions whose estimates are made with the same weights.
    #[serde(default = "defaults::batch")]
    pub batch: usize,
    /// How weights follow the gradient.
    #[serde(default = "defaults::method")]
    pub method: Method,
    /// α, or the size of Adam's steps.
    #[serde(default = "defaults::rate")]
    pub rate: f32,
    /// Whether the gradient's rewards count by how far they are from their mean.
    #[serde(default)]
    pub baseline: bool,
    /// Whether every playout serves the mean as well as the gradient, each beside the mean of the others.
    #[serde(default)]
    pub together: bool,
    /// The weights to begin with.
    #[serde(default = "defaults::start")]
    pub start: Start,
    /// These are multiplied by this: above 1, what is likely is likelier still.
    #[serde(default = "defaults::sharpness")]
    pub sharpness: f32,
    /// The families of features to learn over, or "all".
    #[serde(default = "defaults::families")]
    pub families: Vec<String>,
    /// Whether the last plies of playouts have weights of their own.
    #[serde(default)]
    pub last_plies: bool,
    /// Who says what positions are worth.
    #[serde(default = "defaults::teacher")]
    pub teacher: Teaching,
    /// T: playouts of the teacher's search.
    #[serde(default = "defaults::teacher_playouts")]
    pub teacher_playouts: u32,
    /// Visits that new nodes of the teacher's tree start with.
    #[serde(default)]
    pub prior_visits: u32,
    /// In whose order it tries moves.
    #[serde(default)]
    pub order: Order,
    /// M: playouts for the mean reward.
    #[serde(default = "defaults::value_playouts")]
    pub value_playouts: u32,
    /// N: playouts for the gradient.
    #[serde(default = "defaults::gradient_playouts")]
    pub gradient_playouts: u32,
    /// Plies of a playout.
    #[serde(default = "defaults::depth")]
    pub depth: u32,
    /// Where exactly they are cut off.
    #[serde(default)]
    pub cutoff: Cutoff,
    /// Moves they choose among.
    #[serde(default = "defaults::candidates")]
    pub candidates: usize,
    /// What they are worth.
    #[serde(default = "defaults::reward")]
    pub reward: Rewards,
    /// Centipawns by which the value must differ to count as won or lost.
    #[serde(default = "defaults::threshold")]
    pub threshold: i32,
    /// Centipawns by which quiet values are too good for the side to move.
    #[serde(default)]
    pub tempo: i32,
    /// Weight of the quiet value where a playout begins beside what it ends with, as the engine plays.
    #[serde(default)]
    pub leaf_weight: f32,
    /// Mates looked for in playouts and tree.
    #[serde(default = "defaults::mate")]
    pub mate: MateCheck,
    /// Seconds between checkpoints.
    #[serde(default = "defaults::checkpoint_seconds")]
    pub checkpoint_seconds: u64,
}

mod defaults {
    use super::{MateCheck, Method, Rewards, Start, Teaching};
    use crate::learn::balancing::course::USUAL;

    pub fn seed() -> u64 {
        1
    }
    pub fn positions() -> usize {
        3000
    }
    pub fn validation() -> usize {
        300
    }
    pub fn opening() -> usize {
        30
    }
    pub fn passes() -> u32 {
        4
    }
    pub fn batch() -> usize {
        8
    }
    pub fn method() -> Method {
        Method::Plain
    }
    pub fn rate() -> f32 {
        1.0
    }
    pub fn start() -> Start {
        Start::Zero
    }
    pub fn sharpness() -> f32 {
        1.0
    }
    pub fn families() -> Vec<String> {
        USUAL.map(str::to_owned).to_vec()
    }
    pub fn teacher() -> Teaching {
        Teaching::Uct
    }
    pub fn teacher_playouts() -> u32 {
        3000
    }
    pub fn value_playouts() -> u32 {
        650
    }
    pub fn gradient_playouts() -> u32 {
        500
    }
    pub fn depth() -> u32 {
        5
    }
    pub fn candidates() -> usize {
        16
    }
    pub fn reward() -> Rewards {
        Rewards::Threshold
    }
    pub fn threshold() -> i32 {
        100
    }
    pub fn mate() -> MateCheck {
        MateCheck::Off
    }
    pub fn checkpoint_seconds() -> u64 {
        120
    }
}

impl Plan {
    /// What is wrong with it, if anything.
    pub fn check(&self) -> Result<(), String> {
        within("positions", self.positions as f32, 1.0, 1e6)?;
        within("validation", self.validation as f32, 1.0, 1e6)?;
        within("validation_playouts", self.validation_playouts as f32, 1.0, 1e6)?;
        within("opening", self.opening as f32, 0.0, 1000.0)?;
        within("passes", self.passes as f32, 1.0, 1e4)?;
        within("batch", self.batch as f32, 1.0, 1e5)?;
        within("rate", self.rate, 1e-7, 100.0)?;
        within("sharpness", self.sharpness, 0.1, 10.0)?;
        within("teacher_playouts", self.teacher_playouts as f32, 1.0, 1e6)?;
        within("prior_visits", self.prior_visits as f32, 0.0, 1000.0)?;
        within("value_playouts", self.value_playouts as f32, 1.0, 1e6)?;
        within("gradient_playouts", self.gradient_playouts as f32, 1.0, 1e6)?;
        within("depth", self.depth as f32, 1.0, 256.0)?;
        within("candidates", self.candidates as f32, 1.0, MOST as f32)?;
        within("threshold", self.threshold as f32, 0.0, 10_000.0)?;
        within("leaf_weight", self.leaf_weight, 0.0, 0.99)?;
        within("tempo", self.tempo as f32, -500.0, 500.0)?;
        Families::new(&self.families)?;
        if self.teacher == Teaching::Recorded && self.reward == Rewards::Threshold {
            return Err("teacher: recorded scores are win rates, so reward must be winrate".to_owned());
        }
        Ok(())
    }

    /// What features have several weights for, if for anything.
    pub fn stages(&self) -> Option<Stages> {
        self.last_plies.then_some(Stages::Playout)
    }

    /// How its playouts are made.
    pub fn settings(&self) -> Settings {
        Settings {
            depth: self.depth,
            cutoff: self.cutoff,
            candidates: self.candidates,
            reward: self.reward,
            threshold: self.threshold,
            tempo: self.tempo,
            leaf_weight: self.leaf_weight,
            mate: self.mate,
            teacher_playouts: self.teacher_playouts,
            prior_visits: self.prior_visits,
            order: self.order,
        }
    }

    /// A number that changes with everything that changes the result, and not with where the files lie.
    pub fn fingerprint(&self) -> u64 {
        let records = names(&self.records);
        let start = Start::from(self.start.to_string());
        let same = Self { checkpoint_seconds: 0, output: PathBuf::new(), records, start, ..self.clone() };
        fingerprint(&format!("{same:?}"))
    }
}
