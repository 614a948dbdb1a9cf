//! Narrowing keeps the likeliest moves, and chance takes them as often as they deserve.

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::collections::HashMap;
use std::sync::Arc;
use tenbin::policy::weights::NUMBERS;
use tenbin::policy::{Look, Moment, Narrowing, Policy, Stages, Weights};
use tenbin::shogi::Move;

use crate::eval::{moves, start};

/// A logit of 1.0.
const UNIT: f32 = 1024.0;

/// How often chance is asked.
const DRAWS: u32 = 200_000;

/// Weights without sense, for tests.
pub fn random_weights(seed: u64) -> Arc<Weights> {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let numbers: Vec<f32> = (0..NUMBERS).map(|_| random.random_range(-0.3..0.3)).collect();
    Arc::new(
        Weights::from_numbers(&numbers, Look::Full, Stages::Game).expect("as many as there are features"),
    )
}

proptest! {
    #[test]
    fn what_is_kept_is_what_sorting_keeps(
        logits in prop::collection::vec(-12_000..4_000_i16, 1..300),
        count in 1_usize..40,
        share in prop::sample::select(vec![0.5_f32, 0.01, 0.001, 1e-6]),
    ) {
        // Any different values will do for moves.
        let moves: Vec<Move> = (0..logits.len() as u32).map(|i| Move::from_raw(i + 1)).collect();
        let narrowing = Narrowing { count, share };
        let kept = narrowing.keep(&moves, &logits.iter().copied().collect(), UNIT);
        let mut kept: Vec<i16> = kept.iter().map(|(mv, _)| logits[mv.raw() as usize - 1]).collect();
        kept.sort_unstable_by_key(|logit| -logit);
        let highest = *logits.iter().max().expect("some");
        let depth = (-share.ln() * UNIT) as i32;
        let near = |logit: &i16| i32::from(highest) - i32::from(*logit) <= depth;
        let mut expected: Vec<i16> = logits.iter().copied().filter(near).collect();
        expected.sort_unstable_by_key(|logit| -logit);
        expected.truncate(count);
        prop_assert_eq!(kept, expected);
    }
}

#[test]
fn probabilities_add_up_and_the_likeliest_are_the_candidates() {
    let weights = random_weights(1);
    let policies = [
        Policy::uniform(Arc::clone(&weights), Narrowing::default()),
        Policy::transition(Arc::clone(&weights), Narrowing::default()),
        Policy::balancing(Arc::clone(&weights), random_weights(2), Narrowing::default()),
    ];
    for number in 0..100 {
        let mut here = start(number);
        let list = moves(&here);
        if list.is_empty() {
            continue;
        }
        let by_transition = policies[1].distribution(&mut here, Moment::of_phase(1), &list);
        let mut falling = by_transition.clone();
        falling.sort_by(|a, b| b.total_cmp(a));
        for policy in &policies {
            let all: f32 = policy.distribution(&mut here, Moment::of_phase(1), &list).iter().sum();
            assert!((all - 1.0).abs() < 1e-4, "{all}");
            let candidates = policy.candidates_among(&mut here, Moment::of_phase(1), &list);
            assert!((1..=16).contains(&candidates.len()));
            let sum: f32 = candidates.iter().map(|(_, probability)| probability).sum();
            assert!((sum - 1.0).abs() < 1e-4, "{sum}");
            // All policies choose among the same moves; which, is another test's matter where there are many.
            let same = policies[1].candidates_among(&mut here, Moment::of_phase(1), &list);
            assert!(candidates.iter().zip(same.iter()).all(|((a, _), (b, _))| a == b));
            if list.len() <= 32 {
                let weakest = falling[candidates.len() - 1];
                for (mv, _) in candidates.iter() {
                    let place = list.iter().position(|&other| other == mv).expect("a legal move");
                    assert!(by_transition[place] >= weakest);
                }
            }
        }
        let uniform = policies[0].candidates_among(&mut here, Moment::of_phase(1), &list);
        let each = 1.0 / uniform.len() as f32;
        assert!(uniform.iter().all(|(_, probability)| (probability - each).abs() < 1e-5));
    }
}

#[test]
fn chance_takes_moves_as_often_as_they_are_likely() {
    let policy = Policy::transition(random_weights(3), Narrowing::default());
    let mut here = start(2);
    let candidates = policy.candidates(&mut here, Moment::of_phase(2));
    let mut random = Pcg64Mcg::seed_from_u64(5);
    let mut counts: HashMap<Move, f64> = HashMap::new();
    for _ in 0..DRAWS {
        *counts.entry(candidates.sample(&mut random).expect("there are moves")).or_default() += 1.0;
    }
    for (mv, probability) in candidates.iter() {
        let expected = f64::from(probability) * f64::from(DRAWS);
        let found = counts.get(&mv).copied().unwrap_or(0.0);
        // Five standard deviations.
        assert!(
            (found - expected).abs() < 5.0 * expected.sqrt() + 5.0,
            "{}: {found} for {expected}",
            mv.to_usi()
        );
    }
}
