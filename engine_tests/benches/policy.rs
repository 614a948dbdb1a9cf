//! What the policy costs: features of all moves, narrowing to 16, softmax and one sample, beside the plain sum over
//! features. Run with `cargo bench --bench policy`; `valgrind --tool=callgrind` on the same program counts instructions.
//!
//! Walkers go along the games of the sample once a round, so every position is met with a cold neighbourhood as in play.

// Each user of this file needs a part of it.
#[allow(dead_code)]
#[path = "../records.rs"]
mod records;

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use std::hint::black_box;
use std::time::{Duration, Instant};

use tenbin::eval::Network;
use tenbin::policy::{Look, Moment, Narrowing, Policy, Scene, Scorer, Weights};
use tenbin::shogi::{MoveList, Walker, useful_moves};

/// The middlegame, by progress.
const MIDDLEGAME: std::ops::Range<u8> = 32..96;

/// Positions a round.
const POSITIONS: usize = 10_000;

/// Rounds; the best counts, so that whatever else the machine does falls out.
const ROUNDS: usize = 5;

fn main() {
    // `cargo bench --bench policy -- sums` runs the rows of such names only, for profilers.
    let wanted = std::env::args().skip(1).find(|word| !word.starts_with('-')).unwrap_or_default();
    let (full, glance) = (Weights::embedded(), Weights::embedded_playout());
    let narrowing = Narrowing::default();
    let policies = [
        ("playouts, uniform", Policy::uniform(glance.clone(), narrowing)),
        ("playouts, transition", Policy::transition(glance.clone(), narrowing)),
        ("playouts, balancing", Policy::balancing(glance.clone(), glance.clone(), narrowing)),
        ("tree, transition", Policy::transition(full.clone(), narrowing)),
    ];
    let mut random = Pcg64Mcg::seed_from_u64(1);
    let (mut positions, mut moves, mut features, mut glanced, mut kept) = (0, 0, 0_usize, 0_usize, 0);
    each(|walker, moment, list| {
        positions += 1;
        moves += list.len();
        for (look, count) in [(Look::Full, &mut features), (Look::Glance, &mut glanced)] {
            let scene = Scene::new(walker, look);
            list.iter().for_each(|&mv| scene.visit(mv, |_| *count += 1));
        }
        kept += policies[1].1.candidates_among(walker, moment, list).len();
    });
    let mean = |sum: usize| sum as f64 / f64::from(positions);
    println!(
        "{positions} positions of the middlegame: {:.1} moves, {:.1} features a move, {:.1} at a glance, {:.1} candidates",
        mean(moves),
        features as f64 / moves as f64,
        glanced as f64 / moves as f64,
        mean(kept)
    );
    println!("{:<44} {:>10}", "", "ns");
    let row = |name: &str, work: &mut dyn FnMut(&mut Walker, Moment, &MoveList)| {
        if !name.contains(&wanted) {
            return;
        }
        let best = (0..ROUNDS).map(|_| time(work)).min().unwrap_or_default();
        println!("{name:<44} {:>10.0}", best.as_nanos() as f64 / f64::from(positions));
    };
    row("nothing (the clock)", &mut |_, _, _| {});
    row("moves", &mut |walker, _, _| {
        let mut list = MoveList::new();
        useful_moves(walker.position(), &mut list);
        black_box(&list);
    });
    for (name, weights) in [("at a glance", &glance), ("in full", &full)] {
        row(&format!("{name}: what all moves share"), &mut |walker, _, _| {
            black_box(Scene::new(walker, weights.look()));
        });
        row(&format!("{name}: sums of all destinations"), &mut |walker, moment, list| {
            let scene = Scene::new(walker, weights.look());
            let mut scorer = Scorer::new(&scene, weights.at(moment));
            scorer.look_at(list);
            black_box(&scorer);
        });
        row(&format!("{name}: sums of all moves"), &mut |walker, moment, list| {
            let scene = Scene::new(walker, weights.look());
            let mut scorer = Scorer::new(&scene, weights.at(moment));
            scorer.look_at(list);
            for &mv in list.iter() {
                black_box(scorer.logit(mv));
            }
        });
        row(&format!("{name}: sums feature by feature"), &mut |walker, moment, list| {
            let scene = Scene::new(walker, weights.look());
            let weights = weights.at(moment);
            for &mv in list.iter() {
                let mut sum = 0;
                scene.visit(mv, |feature| sum += i32::from(*weights.any(feature)));
                black_box(sum);
            }
        });
    }
    for (name, policy) in &policies {
        row(&format!("{name}: sums, narrowing, softmax, sample"), &mut |walker, moment, list| {
            black_box(policy.candidates_among(walker, moment, list).sample(&mut random));
        });
    }
}

/// Shows middlegame positions with their moments and moves.
fn each(mut visit: impl FnMut(&mut Walker, Moment, &MoveList)) {
    let network = Network::embedded();
    let mut list = MoveList::new();
    let mut left = POSITIONS;
    for game in records::sample().iter().cycle() {
        game.replay(|walker, _| {
            let progress = network.progress(walker.position());
            if left > 0 && MIDDLEGAME.contains(&progress) {
                useful_moves(walker.position(), &mut list);
                if !list.is_empty() {
                    visit(walker, Moment::of_game(progress), &list);
                    left -= 1;
                }
            }
        });
        if left == 0 {
            return;
        }
    }
}

/// How long the work takes on all positions.
fn time(work: &mut dyn FnMut(&mut Walker, Moment, &MoveList)) -> Duration {
    let mut total = Duration::ZERO;
    each(|walker, moment, list| {
        let start = Instant::now();
        work(walker, moment, list);
        total += start.elapsed();
    });
    total
}
