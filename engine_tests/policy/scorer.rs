//! The fast sum over a move's features is the plain one, and leaving moves out early hardly changes who is chosen.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::sync::Arc;
use tenbin::eval::Network;
use tenbin::policy::{Look, Moment, Narrowing, Policy, Scene, Scorer, Stages, Weights};
use tenbin::shogi::Walker;

use super::narrowing::random_weights;
use crate::eval::{moves, start, walker};

/// Weights without sense of what is seen at a glance.
fn glance_weights(seed: u64) -> Weights {
    Weights::from_numbers(&random_weights(seed).numbers(), Look::Glance, Stages::Game)
        .expect("as many as there are features")
}

/// Compares both sums for every move of a position, in every phase.
fn compare(here: &Walker, weights: &Weights) {
    let mut there = here.fork();
    let scene = Scene::new(&mut there, weights.look());
    for phase in 0..4 {
        let weights = weights.phase(phase);
        let mut scorer = Scorer::new(&scene, weights);
        scorer.look_at(&moves(here));
        for &mv in moves(here).iter() {
            let mut sum = 0;
            scene.visit(mv, |feature| sum += i32::from(*weights.any(feature)));
            let sfen = here.position().to_sfen(None);
            assert_eq!(scorer.logit(mv), sum, "{} in {sfen}, phase {phase}", mv.to_usi());
        }
    }
}

#[test]
fn the_fast_sum_is_the_sum_over_features() {
    let weights =
        [random_weights(1), Arc::new(glance_weights(1)), Weights::embedded(), Weights::embedded_playout()];
    let mut random = Pcg64Mcg::seed_from_u64(2);
    for number in 0..60 {
        let mut here = start(number);
        for _ in 0..10 {
            let list = moves(&here);
            if list.is_empty() {
                break;
            }
            for weights in &weights {
                compare(&here, weights);
            }
            let mv = list[random.random_range(0..list.len())];
            here.apply(mv);
        }
    }
}

#[test]
fn a_missing_king_is_no_matter() {
    let here = walker("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1");
    compare(&here, &random_weights(3));
    compare(&here, &glance_weights(3));
    let here = walker("9/9/9/9/9/9/9/4P4/4K4 b G2r2b3g4s4n4l17p 1");
    compare(&here, &random_weights(4));
    compare(&here, &glance_weights(4));
}

#[test]
fn leaving_moves_out_early_keeps_the_likely_ones() {
    let policy = Policy::transition(Weights::embedded(), Narrowing::default());
    let network = Network::embedded();
    let (mut kept, mut wanted, mut first, mut positions) = (0, 0, 0, 0);
    for game in crate::records::sample().iter().step_by(4) {
        game.replay(|here, _| {
            let list = moves(here);
            let moment = Moment::of_game(network.progress(here.position()));
            let all = policy.distribution(here, moment, &list);
            let mut order: Vec<usize> = (0..list.len()).collect();
            order.sort_by(|&a, &b| all[b].total_cmp(&all[a]));
            let candidates = policy.candidates_among(here, moment, &list);
            let has = |place: usize| candidates.iter().any(|(mv, _)| mv == list[place]);
            positions += 1;
            first += usize::from(has(order[0]));
            wanted += candidates.len();
            kept += order[..candidates.len()].iter().filter(|&&place| has(place)).count();
        });
    }
    assert!(first * 1000 >= positions * 999, "the likeliest move in {first} of {positions} positions");
    assert!(kept * 100 >= wanted * 98, "{kept} of {wanted}");
}
