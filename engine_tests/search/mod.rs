//! Contracts of the tree search: what `src/playout`, `src/tree` and `src/search` promise.

mod bandits;
mod determinism;
mod draws;
mod glance;
mod levels;
mod limits;
mod matches;
mod memory;
mod playouts;
mod reuse;
mod solver;
mod threads;

use std::time::Instant;
use tenbin::search::{Answer, Control, Line, Params, Preferences, Search, Task, TreeSearch};
use tenbin::shogi::{Move, Rules, Walker, parse_move, parse_position};

/// Preferences with these parameters changed.
fn preferences(changes: &[(&str, &str)]) -> Preferences {
    let params = changes.iter().fold(Params::default(), |params, (name, text)| params.with(name, text));
    Preferences { hash_mb: 16, seed: 1, params, ..Preferences::default() }
}

fn search(preferences: &Preferences) -> TreeSearch {
    let mut search = TreeSearch::default();
    search.prepare(preferences);
    search
}

fn position(text: &str) -> Walker {
    position_under(text, Rules::default())
}

fn position_under(text: &str, rules: Rules) -> Walker {
    let (walker, complaint) = parse_position(text, rules).expect("a sound position");
    assert!(complaint.is_none(), "{text}: {complaint:?}");
    walker
}

fn sfen(sfen: &str) -> Walker {
    position(&format!("sfen {sfen}"))
}

fn playouts(walker: &Walker, nodes: u64) -> Task {
    Task { walker: walker.fork(), root_moves: Vec::new(), nodes: Some(nodes), depth: None, mate: false }
}

/// The best lines after so many playouts.
fn think(search: &mut TreeSearch, walker: &Walker, nodes: u64) -> Vec<Line> {
    think_about(search, &playouts(walker, nodes))
}

fn think_about(search: &mut TreeSearch, task: &Task) -> Vec<Line> {
    match search.think(task, &Control::new(Instant::now()), &mut |_| {}) {
        Answer::Best(lines) => lines,
        answer => panic!("{answer:?}"),
    }
}

fn mv(walker: &Walker, text: &str) -> Move {
    parse_move(walker.position(), text).expect("a legal move")
}

/// Middlegame positions of the sample games.
fn middlegames(count: usize) -> Vec<Walker> {
    let games = crate::records::sample();
    let step = (games.len() / count).max(1);
    games.iter().step_by(step).take(count).map(|game| game.after(50)).filter(|w| !w.is_mated()).collect()
}
