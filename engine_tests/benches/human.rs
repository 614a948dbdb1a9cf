//! What people by rating cost a position: who wins and what is played, beside the evaluation and the policy of playouts that they
//! rest on. Run with `cargo bench --bench human`.
//!
//! Walkers go along the games of the sample once a row, so every position is met cold as in play; the rows take turns, so that
//! whatever slows the machine slows all of them.

// Each user of this file needs a part of it.
#[allow(dead_code)]
#[path = "../records.rs"]
mod records;

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use std::cell::RefCell;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tenbin::eval::Network;
use tenbin::eval::simd::Path;
use tenbin::human::{Human, Outlook};
use tenbin::policy::{Moment, Narrowing, Policy, Weights};
use tenbin::shogi::{MoveList, Walker, legal_moves};

/// Positions a round.
const POSITIONS: usize = 5_000;

/// Rounds; the best counts, so that whatever else the machine does falls out.
const ROUNDS: usize = 7;

/// A rating between two knots, which costs most.
const RATING: f32 = 1600.0;

/// Something that is timed at a position.
type Work<'a> = Box<dyn Fn(&mut Walker) + 'a>;

fn main() {
    let network = Network::embedded();
    let human = Human::embedded().expect("weights for these features");
    let begun = Instant::now();
    let weights = Arc::new(human.policy(RATING).expect("weights"));
    println!("the policy of a rating is put together in {:.1} ms", begun.elapsed().as_secs_f64() * 1e3);
    let usual = Policy::transition(Weights::embedded_playout(), Narrowing::default());
    let rated = Policy::transition(weights, Narrowing::default());
    let random = RefCell::new(Pcg64Mcg::seed_from_u64(1));
    let all = |policy: &Policy, walker: &mut Walker| {
        let mut moves = MoveList::new();
        legal_moves(walker.position(), &mut moves);
        let moment = Moment::of_game(network.progress(walker.position()));
        black_box(policy.distribution(walker, moment, &moves));
    };
    let one = |policy: &Policy, walker: &mut Walker| {
        let moment = Moment::of_game(network.progress(walker.position()));
        black_box(policy.candidates(walker, moment).sample(&mut *random.borrow_mut()));
    };
    let rows: [(&str, Work); 8] = [
        ("nothing (the clock)", Box::new(|_| {})),
        (
            "evaluation from scratch",
            Box::new(|walker| {
                black_box(network.value(Path::best(), walker.position()));
            }),
        ),
        (
            "win rate at a rating",
            Box::new(|walker| {
                black_box(human.win_rate(&network, walker.position(), RATING, None));
            }),
        ),
        (
            "win rates at all ratings told",
            Box::new(|walker| {
                black_box(Outlook::of(&human, &network, walker.position(), RATING as u16, Some(0.5)));
            }),
        ),
        ("playouts: all moves", Box::new(|walker| all(&usual, walker))),
        ("at a rating: all moves", Box::new(|walker| all(&rated, walker))),
        ("playouts: narrowed, one sampled", Box::new(|walker| one(&usual, walker))),
        ("at a rating: narrowed, one sampled", Box::new(|walker| one(&rated, walker))),
    ];
    let mut best = [Duration::MAX; 8];
    for _ in 0..ROUNDS {
        for ((_, work), best) in rows.iter().zip(&mut best) {
            *best = time(work).min(*best);
        }
    }
    println!("{POSITIONS} positions of games, microseconds a position:");
    for ((name, _), time) in rows.iter().zip(best) {
        println!("{name:<36} {:>7.2}", time.as_secs_f64() * 1e6 / POSITIONS as f64);
    }
}

/// How long the work takes on all positions.
fn time(work: &Work) -> Duration {
    let mut total = Duration::ZERO;
    let mut left = POSITIONS;
    for game in records::sample().iter().cycle() {
        game.replay(|walker, _| {
            if left > 0 {
                left -= 1;
                let start = Instant::now();
                work(walker);
                total += start.elapsed();
            }
        });
        if left == 0 {
            break;
        }
    }
    total
}
