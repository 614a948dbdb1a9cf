//! What an evaluation costs, from scratch and along a game, on every path of this machine; and quiescence. Run with
//! `cargo bench --bench eval`.
//!
//! Walkers are made before the clock starts and go to and fro along their games, as in a search: a new walker for every
//! position would measure nothing but fresh memory.

mod compare;
// Each user of this file needs a part of it.
#[allow(dead_code)]
#[path = "../records.rs"]
mod records;

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use tenbin::eval::quiescence::{quiescence, quiet_line};
use tenbin::eval::simd::Path;
use tenbin::eval::{Evaluator, MATE, Material, Network, NetworkEvaluator, Scales};
use tenbin::shogi::{Move, Position, parse_sfen};

/// Plies before the middlegame.
const OPENING: usize = 30;

/// Every so many games of the sample are walked along: few enough to stay in the cache.
const GAMES: usize = 6;

/// Times a part of the work is done; the best counts, so that whatever else the machine does falls out.
const ROUNDS: usize = 20;

fn main() {
    let positions = middlegames();
    println!("{} positions of games from ply {OPENING} on", positions.len());
    compare::head("this path", "plain");
    for path in Path::available().into_iter().filter(|&path| path != Path::PLAIN) {
        from_scratch_beside_plain(&positions, path);
        along_games_beside_plain(path);
    }
    println!();
    println!("{:<34} {:>10} {:>12} {:>8}", "", "ns", "a second", "nodes");
    for path in Path::available() {
        evaluations(&positions, path);
    }
    quiescences("network", || NetworkEvaluator::new(Network::embedded()));
    quiescences("material", Material::default);
}

/// The positions that are walked through.
fn middlegames() -> Vec<Position> {
    let mut positions = Vec::new();
    for game in records::sample().iter().step_by(GAMES) {
        let mut ply = 0;
        game.replay(|walker, _| {
            ply += 1;
            if ply > OPENING {
                let sfen = walker.position().to_sfen(None);
                positions.push(parse_sfen(&sfen).expect("a sound position"));
            }
        });
    }
    positions
}

/// The rest of a game, and scales where it begins.
struct Course<E> {
    scales: Scales<E>,
    moves: Vec<Move>,
}

impl<E: Evaluator> Course<E> {
    fn all(evaluator: impl Fn() -> E) -> Vec<Self> {
        let games = records::sample();
        games
            .iter()
            .step_by(GAMES)
            .map(|game| Self {
                scales: Scales::new(game.after(OPENING), evaluator()),
                moves: game.0.moves.iter().skip(OPENING).map(|ply| ply.mv).collect(),
            })
            .collect()
    }

    /// Goes to the end of the game and back, and asks before every move. How many questions there were.
    fn walk(&mut self, mut ask: impl FnMut(&mut Scales<E>)) -> u64 {
        for &mv in &self.moves {
            ask(&mut self.scales);
            self.scales.apply(mv);
        }
        for _ in &self.moves {
            self.scales.undo();
        }
        self.moves.len() as u64
    }
}

fn walk_all<E: Evaluator>(courses: &mut [Course<E>], mut ask: impl FnMut(&mut Scales<E>)) -> u64 {
    courses.iter_mut().map(|course| course.walk(&mut ask)).sum()
}

fn on_path(path: Path) -> Vec<Course<NetworkEvaluator>> {
    Course::all(|| NetworkEvaluator::with_path(Network::embedded(), path))
}

fn from_scratch(network: &Network, path: Path, positions: &[Position]) -> u64 {
    for position in positions {
        black_box(network.value(path, position));
    }
    positions.len() as u64
}

fn from_scratch_beside_plain(positions: &[Position], path: Path) {
    let network = Network::embedded();
    compare::row(
        &format!("from scratch, {}", path.name()),
        "",
        || from_scratch(&network, path, positions),
        || from_scratch(&network, Path::PLAIN, positions),
    );
}

fn along_games_beside_plain(path: Path) {
    let (mut ours, mut plain) = (on_path(path), on_path(Path::PLAIN));
    let ask = |scales: &mut Scales<NetworkEvaluator>| {
        black_box(scales.value());
    };
    compare::row(
        &format!("a move and its value, {}", path.name()),
        "with the way back",
        || walk_all(&mut ours, ask),
        || walk_all(&mut plain, ask),
    );
}

/// Nanoseconds an operation: each part of the work is done several times in a row, and its best time counts.
fn best<T>(parts: impl IntoIterator<Item = T>, mut work: impl FnMut(&mut T) -> u64) -> f64 {
    let (mut time, mut operations) = (0.0, 0);
    for mut part in parts {
        let mut least = f64::INFINITY;
        let mut count = 0;
        for _ in 0..ROUNDS {
            let start = Instant::now();
            count = work(&mut part);
            least = least.min(start.elapsed().as_nanos() as f64);
        }
        time += least;
        operations += count;
    }
    time / operations as f64
}

fn line(name: &str, nanoseconds: f64, nodes: Option<f64>) {
    let nodes = nodes.map_or(String::new(), |nodes| format!("{nodes:.2}"));
    println!("{name:<34} {nanoseconds:>10.1} {:>12.0} {nodes:>8}", 1e9 / nanoseconds);
}

fn evaluations(positions: &[Position], path: Path) {
    let network: Arc<Network> = Network::embedded();
    let name = path.name();
    let scratch = best(positions.chunks(100), |positions| from_scratch(&network, path, positions));
    line(&format!("value from scratch, {name}"), scratch, None);
    let mut courses = on_path(path);
    let with_values = best(&mut courses, |course| {
        course.walk(|scales| {
            black_box(scales.value());
        })
    });
    let walk_alone = best(&mut courses, |course| {
        course.walk(|scales| {
            black_box(scales.position());
        })
    });
    line(&format!("value after a move, {name}"), with_values - walk_alone, None);
}

fn quiescences<E: Evaluator>(name: &str, evaluator: impl Fn() -> E) {
    let mut courses = Course::all(evaluator);
    let (mut calls, mut nodes) = (0.0, 0.0);
    walk_all(&mut courses, |scales| {
        calls += 1.0;
        nodes += f64::from(quiet_line(scales).nodes);
    });
    let time = best(&mut courses, |course| {
        course.walk(|scales| {
            black_box(quiescence(scales, -MATE, MATE));
        })
    });
    line(&format!("quiescence, {name}"), time, Some(nodes / calls));
    line(&format!("a node of it, {name}"), time * calls / nodes, None);
}
