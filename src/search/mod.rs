//! Thinking: what a search is asked, how it is stopped, what it reports and what it answers.
//!
//! The front end knows a search only by the trait [`Search`], so that tests can put a mock behind it.

pub mod bench;
pub mod choice;
pub mod clock;
pub mod control;
mod expansion;
pub mod formulas;
pub mod glance;
mod hunt;
mod iteration;
pub mod level;
pub mod memory;
pub mod params;
pub mod report;
mod seat;
mod stop;
pub mod tree_search;
mod workers;

pub use control::Control;
pub use params::Params;
pub use report::{Line, Score};
pub use tree_search::TreeSearch;

use std::path::PathBuf;

use crate::shogi::{Move, Walker};

/// What holds for every search until the user changes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preferences {
    /// Memory for what is remembered between moves, in MB.
    pub hash_mb: usize,
    /// How many best lines to report.
    pub multi_pv: usize,
    /// Consider refusals to promote that are hardly ever useful.
    pub all_legal_moves: bool,
    /// Value of a draw for Black and for White in centipawns.
    pub draw_value: [i32; 2],
    /// Least milliseconds between reports.
    pub pv_interval_ms: u64,
    /// Where random numbers start.
    pub seed: u64,
    /// A folder with weights to use instead of the embedded ones; empty for those.
    pub eval_dir: PathBuf,
    /// Threads to think with.
    pub threads: usize,
    /// Say in the end what was found about every move of the root.
    pub root_statistics: bool,
    /// Say who wins between people of several ratings, and of this one.
    pub human_rating: Option<u16>,
    /// What can be tuned.
    pub params: Params,
}

impl Default for Preferences {
    fn default() -> Self {
        Self {
            hash_mb: 16,
            multi_pv: 1,
            all_legal_moves: false,
            draw_value: [0, 0],
            pv_interval_ms: 0,
            seed: 0,
            eval_dir: PathBuf::new(),
            threads: 1,
            root_statistics: false,
            human_rating: None,
            params: Params::default(),
        }
    }
}

/// What to think about and how far.
#[derive(Clone, Debug)]
pub struct Task {
    /// The position and how it came about.
    pub walker: Walker,
    /// The only moves to consider at the root; all where empty.
    pub root_moves: Vec<Move>,
    /// Stop after this many nodes.
    pub nodes: Option<u64>,
    /// Stop after this depth.
    pub depth: Option<u32>,
    /// Look for a forced mate and nothing else.
    pub mate: bool,
}

/// How a search ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A move, and the lines it was chosen by: the best first, one for each of `MultiPV`.
    Best(Vec<Line>),
    /// To [`Task::mate`]: a forced mate.
    Checkmate(Vec<Move>),
    /// To [`Task::mate`]: there is none, and that is proved.
    NoMate,
    /// To [`Task::mate`]: neither found nor excluded.
    Unknown,
}

/// Something that thinks. It lives in one thread of its own and is asked one thing at a time.
pub trait Search: Send {
    /// Gets ready under these preferences; called before every search, so it must be quick when nothing
    /// changed. What the user should know comes back as text.
    fn prepare(&mut self, preferences: &Preferences) -> Vec<String>;

    /// Forgets what was learned about the last game.
    fn new_game(&mut self);

    /// Thinks until done or until `control` says stop, reporting lines on the way. The task's position has a
    /// legal move.
    fn think(&mut self, task: &Task, control: &Control, report: &mut dyn FnMut(Vec<Line>)) -> Answer;

    /// What else the last search has to say, for people.
    fn notes(&mut self) -> Vec<String> {
        Vec::new()
    }
}
