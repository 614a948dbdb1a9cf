//! What positions are taught to be worth: the mean of a tree search whose playouts follow the policy itself.

use parking_lot::Mutex;
use std::sync::Arc;
use std::time::Instant;

use super::plan::Settings;
use crate::policy::Weights;
use crate::search::{Answer, Control, Params, Preferences, Score, Search, Task, TreeSearch};
use crate::shogi::Walker;

/// Memory of the tree in MB; 3,000 playouts need a tenth of it.
const TREE_MB: usize = 16;

/// Positions whose candidates are remembered within a search.
const REMEMBERED: &str = "8192";

/// A tree search as the paper has it.
pub struct Teacher {
    search: TreeSearch,
    preferences: Preferences,
    playouts: u64,
}

impl Teacher {
    /// A teacher whose playouts follow the policy of this name, as options know it.
    pub fn new(settings: &Settings, policy: &str) -> Self {
        let mate = settings.mate.name();
        let params = [
            ("Selection", "ucb"),
            ("Playout_Policy", policy),
            ("Playout_Temperature", "100"),
            ("Leaf_Weight", &format!("{:.0}", 100.0 * settings.leaf_weight)),
            ("Playout_Depth", &settings.depth.to_string()),
            ("Playout_Cutoff", settings.cutoff.name()),
            ("Playout_Mate", mate),
            ("Leaf_Mate", mate),
            ("Reward", settings.reward.name()),
            ("Reward_Threshold", &settings.threshold.to_string()),
            ("Tempo", &settings.tempo.to_string()),
            ("Candidates_By", "transition"),
            ("Candidates", &settings.candidates.to_string()),
            ("Prior_Visits", &settings.prior_visits.to_string()),
            ("Widening_Order", settings.order.name()),
            ("Mate_Search", "0"),
            ("Cut_Losers", "false"),
            ("Reuse_Tree", "false"),
            ("Remembered_Positions", REMEMBERED),
        ]
        .into_iter()
        .fold(Params::default(), |params, (name, value)| params.with(name, value));
        let preferences = Preferences { hash_mb: TREE_MB, params, ..Preferences::default() };
        Self { search: TreeSearch::default(), preferences, playouts: u64::from(settings.teacher_playouts) }
    }

    /// Uses these weights for the balancing policy.
    pub fn set_balancing(&mut self, weights: &Arc<Weights>) {
        self.search.set_balancing(Arc::clone(weights));
    }

    /// What a position is worth to the side to move.
    pub fn value(&mut self, walker: &Walker, seed: u64) -> f32 {
        self.preferences.seed = seed;
        self.search.prepare(&self.preferences);
        self.search.new_game();
        let task = Task {
            walker: walker.fork(),
            root_moves: Vec::new(),
            nodes: Some(self.playouts),
            depth: None,
            mate: false,
        };
        let answer = self.search.think(&task, &Control::new(Instant::now()), &mut |_| {});
        match answer {
            Answer::Best(lines) => match lines.first().map(|line| line.score) {
                Some(Score::Mates(_)) => 1.0,
                Some(Score::Mated(_)) => -1.0,
                _ => self.mean(walker),
            },
            _ => self.mean(walker),
        }
    }

    /// The mean of all playouts.
    fn mean(&mut self, walker: &Walker) -> f32 {
        // A node's own statistics are for the side that moved there.
        self.search.root(walker).map_or(0.0, |root| -self.search.arena().node(root).mean())
    }
}

/// Teachers for threads to share: each takes one for a while.
#[derive(Default)]
pub struct Pool(Mutex<Vec<Teacher>>);

impl Pool {
    /// Works with a teacher, which is made if none is free.
    pub fn with<T>(&self, make: impl FnOnce() -> Teacher, work: impl FnOnce(&mut Teacher) -> T) -> T {
        let free = self.0.lock().pop();
        let mut teacher = free.unwrap_or_else(make);
        let result = work(&mut teacher);
        self.0.lock().push(teacher);
        result
    }
}
