//! Playouts a second at the paper's setting over middlegame positions, on one thread and on two, and where the time of a
//! playout goes. Run with `cargo bench --bench playout`; a first number after `--` sets the playouts a position.

// Each user of this file needs a part of it.
#[allow(dead_code)]
#[path = "../records.rs"]
mod records;

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use std::hint::black_box;
use std::time::Instant;

use tenbin::eval::quiescence::quiescence;
use tenbin::eval::{MATE, Network, NetworkEvaluator, Scales};
use tenbin::experiment::strength::AS_IN_PAPER;
use tenbin::mate::{mate_in_one, mate_in_three};
use tenbin::playout::{Cutoff, Draws, MateCheck, Reward, Simulation};
use tenbin::policy::{Moment, Narrowing, Policy, Weights};
use tenbin::search::{Answer, Control, Params, Preferences, Search, Task, TreeSearch};
use tenbin::shogi::{MoveList, Walker, useful_moves};

/// Positions that are measured.
const POSITIONS: usize = 100;

/// Plies before the middlegame.
const OPENING: usize = 40;

fn main() {
    let playouts = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(2000);
    let positions = positions();
    println!(
        "{} positions, {playouts} playouts each; as in the paper: ucb, depth 5, 16 candidates, mate check of one ply, threshold",
        positions.len()
    );
    let remembering = with(&Params::default(), &AS_IN_PAPER);
    // Every playout is to be made.
    let remembering = with(&remembering, &[("Leaf_Mate", "one"), ("Sure_Stop", "false")]);
    let paper = with(&remembering, &[("Remembered_Positions", "0")]);
    let usual = Params::default();
    // The paper's playout in the tree that plays by default.
    let puct = with(&usual, &[("Leaf_Mate", "one"), ("Mate_Search", "0"), ("Leaf_Weight", "0")]);
    let [one, two, apart, remembering, both, puct, usual] = rates(
        &positions,
        playouts,
        [
            (1, 1, paper.clone()),
            (1, 2, paper.clone()),
            (2, 1, paper),
            (1, 1, remembering.clone()),
            (1, 2, remembering),
            (1, 1, puct),
            (1, 1, usual),
        ],
    );
    let show = |what: &str, measured: &Measured, of: &Measured| {
        println!("{what:<50} {:>8.0} playouts a second, {:.2} x", mean(measured), gain(of, measured));
    };
    show("1 thread", &one, &one);
    show("2 threads", &two, &one);
    // What the machine has to give.
    show("2 searches that share nothing", &apart, &one);
    show("1 thread that remembers candidates", &remembering, &one);
    show("2 threads that remember, beside 1 that does", &both, &remembering);
    show("1 thread, puct and rewards by win rate instead", &puct, &one);
    show("1 thread as it plays by default", &usual, &one);
    shares(&positions, 1.0 / mean(&puct));
}

fn positions() -> Vec<Walker> {
    let games = records::sample();
    let long = games.iter().filter(|game| game.0.moves.len() > OPENING + 60);
    long.enumerate()
        .take(POSITIONS)
        // Spread over the middlegame.
        .map(|(number, game)| game.after(OPENING + number % 50))
        .collect()
}

/// Parameters changed.
fn with(params: &Params, changes: &[(&str, &str)]) -> Params {
    changes.iter().fold(params.clone(), |params, (name, text)| params.with(name, text))
}

/// Searches at the same time, threads of each, and parameters.
type Setting = (usize, usize, Params);

/// Playouts and time of every position.
type Measured = Vec<(f64, f64)>;

/// All settings at one position after the other, so that the machine's moods meet all of them.
fn rates<const N: usize>(positions: &[Walker], playouts: u64, settings: [Setting; N]) -> [Measured; N] {
    let mut searches = settings.map(|(count, threads, params)| {
        let preferences = Preferences { hash_mb: 64, threads, params, ..Preferences::default() };
        let prepared = || {
            let mut search = TreeSearch::default();
            search.prepare(&preferences);
            search
        };
        (0..count).map(|_| prepared()).collect::<Vec<_>>()
    });
    let mut measured = [const { Vec::new() }; N];
    for walker in positions {
        for (searches, measured) in searches.iter_mut().zip(&mut measured) {
            searches.iter_mut().for_each(Search::new_game);
            let begun = Instant::now();
            let count: u64 = std::thread::scope(|scope| {
                let (first, others) = searches.split_first_mut().expect("there is one");
                let others: Vec<_> =
                    others.iter_mut().map(|search| scope.spawn(|| think(search, walker, playouts))).collect();
                let own = think(first, walker, playouts);
                own + others.into_iter().map(|other| other.join().expect("it thinks")).sum::<u64>()
            });
            measured.push((count as f64, begun.elapsed().as_secs_f64()));
        }
    }
    measured
}

/// Thinks about a position; says how many playouts it made.
fn think(search: &mut TreeSearch, walker: &Walker, playouts: u64) -> u64 {
    let task = Task {
        walker: walker.fork(),
        root_moves: Vec::new(),
        nodes: Some(playouts),
        depth: None,
        mate: false,
    };
    match search.think(&task, &Control::new(Instant::now()), &mut |_| {}) {
        Answer::Best(lines) => lines.first().map_or(0, |line| line.nodes),
        _ => 0,
    }
}

/// Playouts a second over all positions.
fn mean(measured: &[(f64, f64)]) -> f64 {
    let sum = |part: fn(&(f64, f64)) -> f64| measured.iter().map(part).sum::<f64>();
    sum(|one| one.0) / sum(|one| one.1)
}

/// How much faster the second is, in the median of the positions.
fn gain(first: &[(f64, f64)], second: &[(f64, f64)]) -> f64 {
    let rate = |one: &(f64, f64)| one.0 / one.1;
    let mut gains: Vec<f64> = first.iter().zip(second).map(|(a, b)| rate(b) / rate(a)).collect();
    gains.sort_unstable_by(f64::total_cmp);
    gains.get(gains.len() / 2).copied().unwrap_or(0.0)
}

/// Times the parts of a playout at the same positions, each by itself.
fn shares(positions: &[Walker], playout: f64) {
    let network = Network::embedded();
    let simulation = Simulation {
        policy: Policy::transition(Weights::embedded_playout(), Narrowing::default()),
        depth: 5,
        cutoff: Cutoff::Fixed,
        mate: MateCheck::One,
        reward: Reward::win_rate(0),
        draws: Draws::default(),
    };
    let mut random = Pcg64Mcg::seed_from_u64(1);
    let mut scales: Vec<_> = positions
        .iter()
        .map(|walker| Scales::new(walker.fork(), NetworkEvaluator::new(network.clone())))
        .collect();
    let mut measure = |name: &str, times: f64, part: &mut dyn FnMut(&mut Scales<NetworkEvaluator>)| {
        const ROUNDS: u32 = 50;
        let begun = Instant::now();
        for _ in 0..ROUNDS {
            scales.iter_mut().for_each(&mut *part);
        }
        let once = begun.elapsed().as_secs_f64() / f64::from(ROUNDS) / positions.len() as f64;
        println!("{name:<34} {:>8.2} us x {times:>3} {:>6.1} %", once * 1e6, 100.0 * once * times / playout);
    };
    println!("of an iteration of {:.1} us with puct:", playout * 1e6);
    measure("the playout as a whole", 1.0, &mut |scales| {
        black_box(simulation.run(scales, &network, &mut random));
    });
    let mut random = Pcg64Mcg::seed_from_u64(1);
    measure("  policy and sampling", 5.0, &mut |scales| {
        let moment = Moment::of_game(network.progress(scales.position()));
        black_box(simulation.policy.candidates(scales.probe(), moment).sample(&mut random));
    });
    measure("  mate in one", 5.0, &mut |scales| {
        black_box(mate_in_one(scales.probe()));
    });
    measure("  quiescence", 1.0, &mut |scales| {
        black_box(quiescence(scales, -MATE, MATE));
    });
    let mut moves = MoveList::new();
    measure("  (generating moves, in the policy)", 5.0, &mut |scales| {
        useful_moves(scales.position(), &mut moves);
        black_box(&moves);
    });
    measure("  progress", 1.0, &mut |scales| {
        black_box(network.progress(scales.position()));
    });
    measure("(mate in three, where asked for)", 1.0, &mut |scales| {
        black_box(mate_in_three(scales.probe()));
    });
}
