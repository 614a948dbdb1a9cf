//! The experiments, all in one table.

use super::report::{self, Report};
use super::{ExperimentError, Setting, agreement, balance, bandits, endings, likelihood, people, strength};

/// An experiment.
pub struct Experiment {
    /// What it is called by.
    pub name: &'static str,
    /// What it is about.
    pub title: &'static str,
    /// Where the paper has it.
    pub paper: &'static str,
    run: fn(&Setting) -> Result<Report, ExperimentError>,
}

macro_rules! catalogue {
    ($($name:literal, $title:literal, $paper:literal, $run:path;)*) => {
        /// All experiments in the order of the papers.
        pub const CATALOGUE: &[Experiment] =
            &[$(Experiment { name: $name, title: $title, paper: $paper, run: $run },)*];
    };
}

catalogue! {
    "mse", "how far the mean of playouts is from what a tree search says", "Section 1, table 2",
        balance::error;
    "learning", "the error while balancing is learned", "Section 1, figure 5", balance::learning;
    "histogram", "weights of features", "Section 1, figure 6", balance::histogram;
    "finishing", "playouts that end within 128 moves", "Section 1, table 3", endings::finishing;
    "unevenness", "B(s), how unequal the probabilities of moves are", "Section 1, figure 7",
        balance::unevenness;
    "policy", "policies alone as players", "Section 1, 4.1", strength::policy;
    "simple", "simple Monte-Carlo: statistics at the root's children only", "Section 1, table 4",
        strength::simple;
    "uct", "UCT, with mate checks of one and three plies and none", "Section 1, table 5 and 5", strength::uct;
    "alphabeta", "UCT by playouts against alpha-beta of depth 6", "Section 1, figure 8", strength::alphabeta;
    "progress", "UCT in parts of the game", "Section 1, table 6 and 5", strength::progress;
    "narrowing", "without narrowing", "Section 1, table 7", strength::narrowing;
    "conditions", "without narrowing, learned so: three conditions", "Section 1, table 8",
        strength::conditions;
    "mating", "plies of a playout to a mate in one", "Section 1, figure 9", endings::mating;
    "three", "first moves of mates in three met in playouts", "Section 1, 5", endings::three;
    "agreement", "agreement with the moves of records, by progress", "Section 1, table 9",
        agreement::agreement;
    "bandits", "even, greedy and optimistic coins in three slot machines", "Section 2, chapter 4",
        bandits::bandits;
    "widening", "forms of progressive widening", "Section 2, chapter 5", strength::widening;
    "selection", "UCB1, UCB1-Tuned and priors in the tree", "Section 2, chapter 4", strength::selection;
    "positions", "agreement by the number of positions learned from", "Section 3, figure 3",
        likelihood::positions;
    "filtering", "agreement and possession by filtering", "Section 3, figures 4 and 5", likelihood::filtering;
    "likelihood", "frequency against maximum likelihood in play", "Section 3, table 1", likelihood::play;
    "ladder", "players of a rating and how strong they are", "Section 5", people::ladder;
    "play-on", "whether positions end between players of a rating as foretold", "Section 5", people::play_on;
}

/// The experiment of a name.
pub fn find(name: &str) -> Option<&'static Experiment> {
    CATALOGUE.iter().find(|experiment| experiment.name == name)
}

impl Experiment {
    /// Makes the experiment and puts what it found into the results; gives the section on it.
    pub fn run(&self, setting: &Setting) -> Result<String, ExperimentError> {
        let plots = setting.out.join("plots");
        std::fs::create_dir_all(&plots).map_err(|error| ExperimentError::file(&plots, error))?;
        let found = (self.run)(setting)?;
        let section = found.section(self, setting, &report::today());
        report::put(&setting.out, self.name, &section)?;
        Ok(section)
    }
}
