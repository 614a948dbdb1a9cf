//! Following a game equals evaluating each of its positions anew, on every path, to the bit.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::sync::Arc;
use tenbin::eval::network::{ACCUMULATORS, HIDDEN, PlainNetwork};
use tenbin::eval::simd::Path;
use tenbin::eval::{Evaluator, Network, NetworkEvaluator, Scales};
use tenbin::shogi::{Position, Walker};

use super::reference::{self, INPUTS, LARGE, USUAL};
use super::{Step, moves, start, wander};
use crate::records;

/// The networks of the tests: the one that plays, and random ones of usual and of extreme size.
fn networks() -> Vec<(&'static str, PlainNetwork)> {
    vec![
        ("embedded", reference::read(reference::EMBEDDED)),
        ("usual", reference::random(1, USUAL)),
        ("large", reference::random(2, LARGE)),
    ]
}

fn make(numbers: &PlainNetwork) -> Arc<Network> {
    Arc::new(Network::new(numbers).expect("numbers that fit"))
}

/// The value from scratch on every path; they must agree.
fn from_scratch(network: &Network, position: &Position) -> i32 {
    let plain = network.value(Path::PLAIN, position);
    for path in Path::available() {
        assert_eq!(network.value(path, position), plain, "{} in {}", path.name(), position.to_sfen(None));
    }
    plain
}

/// Evaluators that follow the same walk: on each path one that is asked at every step and one that is asked seldom and
/// so has several moves to catch up with.
struct Followers {
    network: Arc<Network>,
    always: Vec<NetworkEvaluator>,
    seldom: Vec<NetworkEvaluator>,
    random: Pcg64Mcg,
    compared: usize,
}

impl Followers {
    fn new(network: Arc<Network>) -> Self {
        let all = || -> Vec<NetworkEvaluator> {
            Path::available()
                .iter()
                .map(|&path| NetworkEvaluator::with_path(Arc::clone(&network), path))
                .collect()
        };
        let (always, seldom) = (all(), all());
        Self { network, always, seldom, random: Pcg64Mcg::seed_from_u64(1), compared: 0 }
    }

    fn each(&mut self, mut act: impl FnMut(&mut NetworkEvaluator)) {
        self.always.iter_mut().chain(&mut self.seldom).for_each(&mut act);
    }

    fn compare(&mut self, position: &Position) {
        let expected = from_scratch(&self.network, position);
        let ask = self.random.random_ratio(1, 9);
        let asked = self.always.iter_mut().chain(self.seldom.iter_mut().filter(|_| ask));
        for evaluator in asked {
            assert_eq!(evaluator.value(position), expected, "{}", position.to_sfen(None));
            self.compared += 1;
        }
    }
}

/// Follows random games and compares after every move and every move taken back. How many values were compared.
fn follow(network: Arc<Network>, games: usize, seed: u64) -> usize {
    let mut followers = Followers::new(network);
    let mut current = None;
    wander(games, 120, seed, |game, walker, step| {
        if current != Some(game) {
            current = Some(game);
            followers.each(|evaluator| evaluator.reset(walker.position()));
        }
        match step {
            Step::Play(mv) => {
                followers.compare(walker.position());
                followers.each(|evaluator| evaluator.push(walker.position(), mv));
            }
            Step::TakeBack => {
                followers.each(NetworkEvaluator::pop);
                followers.compare(walker.position());
            }
            Step::End => followers.compare(walker.position()),
        }
    });
    followers.compared
}

#[test]
fn following_a_thousand_random_games_equals_starting_anew_on_every_path() {
    let compared = follow(Network::embedded(), 1_000, 1);
    assert!(compared >= 100_000, "{compared}");
}

#[test]
fn following_equals_starting_anew_with_numbers_of_any_size() {
    for (_, numbers) in &networks()[1..] {
        follow(make(numbers), 100, 2);
    }
}

#[test]
fn every_path_equals_wide_integers() {
    for (name, numbers) in networks() {
        let network = make(&numbers);
        let mut count = 0;
        let mut values = Vec::new();
        wander(150, 60, 3, |_, walker, _| {
            count += 1;
            if count % 7 == 0 {
                let value = from_scratch(&network, walker.position());
                assert_eq!(
                    value,
                    reference::value(&numbers, walker.position()),
                    "{name}: {}",
                    walker.position().to_sfen(None)
                );
                values.push(value);
            }
        });
        // A network that says the same everywhere would prove nothing.
        values.sort_unstable();
        values.dedup();
        assert!(values.len() >= 50, "{name}: only {} different values", values.len());
    }
}

#[test]
fn real_games_are_followed_too() {
    let network = Network::embedded();
    let numbers = reference::read(reference::EMBEDDED);
    for (number, game) in records::sample().iter().enumerate() {
        let mut scales = Scales::new(game.start(), NetworkEvaluator::new(Arc::clone(&network)));
        for (i, ply) in game.0.moves.iter().enumerate() {
            let value = scales.value();
            assert_eq!(value, network.value(Path::PLAIN, scales.position()));
            if (i + number) % 50 == 0 {
                assert_eq!(value, reference::value(&numbers, scales.position()));
            }
            scales.apply(ply.mv);
        }
    }
}

/// All moves of a position one after the other, as a search tries them.
#[test]
fn scales_come_back_after_every_move() {
    let network = Network::embedded();
    for number in 0..60 {
        let walker = start(number);
        let list = moves(&walker);
        let mut scales = Scales::new(walker, NetworkEvaluator::new(Arc::clone(&network)));
        let before = (scales.position().to_sfen(None), scales.value());
        for &mv in list.iter() {
            scales.apply(mv);
            let replies = moves(scales.walker());
            if let Some(&reply) = replies.first() {
                scales.apply(reply);
                assert_eq!(scales.value(), network.value(Path::PLAIN, scales.position()));
                scales.undo();
            }
            assert_eq!(scales.value(), network.value(Path::PLAIN, scales.position()));
            scales.undo();
        }
        assert_eq!((scales.position().to_sfen(None), scales.value()), before);
    }
}

/// A walk longer than any game, first without a question and then all the way back with one at every step.
#[test]
fn long_walks_are_caught_up_with() {
    let network = Network::embedded();
    let mut random = Pcg64Mcg::seed_from_u64(4);
    for path in Path::available() {
        let evaluator = NetworkEvaluator::with_path(Arc::clone(&network), path);
        let mut scales = Scales::new(Walker::startpos(), evaluator);
        let mut depth = 0;
        while depth < 600 {
            let list = moves(scales.walker());
            if list.is_empty() {
                scales.undo();
                depth -= 1;
                continue;
            }
            scales.apply(list[random.random_range(0..list.len())]);
            depth += 1;
        }
        for _ in 0..depth {
            assert_eq!(scales.value(), network.value(Path::PLAIN, scales.position()));
            scales.undo();
        }
        assert_eq!(scales.position().to_sfen(None), tenbin::shogi::STARTPOS);
        assert_eq!(scales.value(), network.value(Path::PLAIN, scales.position()));
    }
}

/// An evaluator is used again in another game without anything of the first one left.
#[test]
fn a_reset_forgets_the_walk() {
    let network = Network::embedded();
    let mut evaluator = NetworkEvaluator::new(Arc::clone(&network));
    for number in 0..40 {
        let mut scales = Scales::new(start(number), evaluator);
        for _ in 0..number % 5 {
            assert_eq!(scales.value(), network.value(Path::PLAIN, scales.position()));
            let Some(&mv) = moves(scales.walker()).last() else { break };
            scales.apply(mv);
        }
        evaluator = scales.into_evaluator();
    }
}

/// Every accumulator and every unit at its limit, every sum as large as it is allowed to get: the check of the numbers
/// must leave room for all that is done with them.
#[test]
fn the_largest_numbers_that_are_accepted_do_not_overflow() {
    for sign in [1, -1] {
        let largest = 4_095_i16;
        let room = i32::MAX - 2 * ACCUMULATORS as i32 * i32::from(largest) * 1024;
        let mut numbers = PlainNetwork {
            features: vec![25; INPUTS * ACCUMULATORS],
            feature_bias: vec![1_024; ACCUMULATORS],
            first: vec![largest * sign; 2 * ACCUMULATORS * HIDDEN],
            first_bias: vec![0; HIDDEN],
            second: vec![i16::MAX * sign; HIDDEN * HIDDEN],
            second_bias: vec![0; HIDDEN],
            output: vec![i16::MAX; HIDDEN],
            output_bias: 0,
            progress: vec![0; INPUTS + 1],
        };
        // From what is refused down to what is accepted.
        let mut accepted = 0;
        for spare in (0..5_000).step_by(50) {
            numbers.first_bias = vec![(room - spare) * i32::from(sign); HIDDEN];
            if let Ok(network) = Network::new(&numbers) {
                accepted += 1;
                let walker = Walker::startpos();
                assert_eq!(
                    from_scratch(&network, walker.position()),
                    reference::value(&numbers, walker.position()),
                    "{spare} below the limit"
                );
            }
        }
        assert!(accepted > 0);
    }
}
