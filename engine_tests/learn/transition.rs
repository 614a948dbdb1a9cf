//! Optimisers of the transition policy find the strengths that choices were drawn from.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::ops::ControlFlow;
use tenbin::learn::transition::conjugate::{self, Filtering, conjugate, conjugate_with_filtering, filter};
use tenbin::learn::transition::examples::Examples;
use tenbin::learn::transition::frequency::{Occurrence, frequency};
use tenbin::learn::transition::likelihood::{loss, loss_and_gradient, unwatched};
use tenbin::learn::transition::minorisation::{self, minorisation};

/// Features of three groups: every move has one of the first, up to two of the second (perhaps one twice), and
/// sometimes one of the third. One more never occurs.
const GROUPS: [usize; 3] = [0, 20, 35];
const LAST: usize = 40;
const COUNT: usize = 41;

/// θ between −1.5 and 1.5.
fn strengths(random: &mut Pcg64Mcg) -> Vec<f32> {
    let mut theta: Vec<f32> = (0..COUNT).map(|_| random.random_range(-1.5..1.5)).collect();
    theta[LAST] = 0.0;
    theta
}

fn moves(random: &mut Pcg64Mcg) -> Vec<Vec<u32>> {
    let mut of_group = |start: usize, end: usize, chance: f64| {
        random.random_bool(chance).then(|| random.random_range(start as u32..end as u32))
    };
    let count = 2 + of_group(0, 14, 1.0).unwrap_or(0);
    let mut features = || {
        let first = of_group(GROUPS[0], GROUPS[1], 1.0);
        let second = [of_group(GROUPS[1], GROUPS[2], 0.6), of_group(GROUPS[1], GROUPS[2], 0.4)];
        let third = of_group(GROUPS[2], LAST, 0.3);
        first.into_iter().chain(second.into_iter().flatten()).chain(third).collect()
    };
    (0..count).map(|_| features()).collect()
}

/// A move drawn with the probabilities of the model.
fn draw(random: &mut Pcg64Mcg, moves: &[Vec<u32>], theta: &[f32]) -> usize {
    let strength = |mv: &Vec<u32>| mv.iter().map(|&feature| theta[feature as usize]).sum::<f32>().exp();
    let mut ticket = random.random_range(0.0..moves.iter().map(strength).sum());
    let found = moves.iter().position(|mv| {
        ticket -= strength(mv);
        ticket < 0.0
    });
    found.unwrap_or(moves.len() - 1)
}

/// Choices drawn from a model.
fn games(seed: u64, theta: &[f32], positions: usize) -> Examples {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut examples = Examples::new(COUNT);
    for _ in 0..positions {
        let moves = moves(&mut random);
        let played = draw(&mut random, &moves, theta);
        examples.push(moves.iter().map(|mv| &mv[..]), played);
    }
    examples
}

fn model(seed: u64, positions: usize) -> (Vec<f32>, Examples) {
    let theta = strengths(&mut Pcg64Mcg::seed_from_u64(seed));
    let examples = games(seed + 1000, &theta, positions);
    (theta, examples)
}

/// Without what nobody can know: the mean of the first group, of which every move has one.
fn determined(theta: &[f32]) -> Vec<f32> {
    let mean = theta[..GROUPS[1]].iter().sum::<f32>() / GROUPS[1] as f32;
    theta.iter().enumerate().map(|(i, x)| if i < GROUPS[1] { x - mean } else { *x }).collect()
}

/// Root of the mean squared difference, and correlation.
fn compare(found: &[f32], truth: &[f32]) -> (f32, f32) {
    let (a, b) = (determined(found), determined(truth));
    let mean = |x: &[f32]| x.iter().sum::<f32>() / x.len() as f32;
    let covariance = |x: &[f32], y: &[f32]| {
        let (mx, my) = (mean(x), mean(y));
        x.iter().zip(y).map(|(x, y)| (x - mx) * (y - my)).sum::<f32>() / x.len() as f32
    };
    let error = a.iter().zip(&b).map(|(x, y)| (x - y).powi(2)).sum::<f32>() / a.len() as f32;
    (error.sqrt(), covariance(&a, &b) / (covariance(&a, &a) * covariance(&b, &b)).sqrt())
}

/// The likelihood and nothing else, to the end.
fn exact() -> conjugate::Options {
    conjugate::Options { prior: 0.0, tolerance: 1e-6, iterations: 300, ..conjugate::Options::default() }
}

fn exact_sweeps() -> minorisation::Options {
    minorisation::Options { sweeps: 300, prior: 0.0, tolerance: 1e-8 }
}

#[test]
fn gradient_equals_finite_differences() {
    let (_, examples) = model(1, 50);
    let theta: Vec<f64> = strengths(&mut Pcg64Mcg::seed_from_u64(9))
        .into_iter()
        .map(|number| 2.0 * f64::from(number))
        .collect();
    let mut gradient = vec![7.0; COUNT];
    let value = loss_and_gradient(&examples, &theta, &mut gradient);
    assert_eq!(value.to_bits(), loss(&examples, &theta).to_bits());
    for feature in 0..COUNT {
        let shifted = |by: f64| {
            let mut theta = theta.clone();
            theta[feature] += by;
            loss(&examples, &theta)
        };
        let difference = (shifted(1e-4) - shifted(-1e-4)) / 2e-4;
        assert!(
            (gradient[feature] - difference).abs() < 1e-7,
            "{feature}: {} {difference}",
            gradient[feature]
        );
    }
}

#[test]
fn loss_is_that_of_the_definition() {
    let mut examples = Examples::new(3);
    examples.push([&[0, 1][..], &[2], &[0, 2, 2], &[]], 0);
    examples.push([&[1][..], &[2]], 1);
    // Strengths 2, 3 and 5.
    let theta = [2.0_f32, 3.0, 5.0].map(f32::ln);
    let by_hand = f64::midpoint(((6.0 + 5.0 + 50.0 + 1.0) / 6.0_f64).ln(), (8.0 / 5.0_f64).ln());
    assert!((loss(&examples, &theta) - by_hand).abs() < 1e-6);
    // Only differences count, however large the numbers are.
    let far = [1e30_f32, 1e30, 1e30];
    assert!(loss(&examples, &far).is_finite());
}

#[test]
fn optimisers_recover_known_strengths() {
    for seed in [1, 2] {
        let (truth, examples) = model(seed, 6_000);
        let others = games(seed + 2000, &truth, 3_000);
        let plain = conjugate::Options { scaled: false, ..exact() };
        let found = [
            ("conjugate", conjugate(&examples, None, None, &exact(), unwatched)),
            ("plain", conjugate(&examples, None, None, &plain, unwatched)),
            ("minorisation", minorisation(&examples, &GROUPS, &exact_sweeps(), unwatched)),
        ];
        let best = loss(&others, &truth);
        for (name, theta) in &found {
            let (error, correlation) = compare(theta, &truth);
            let loss = loss(&others, theta);
            println!("{name}: error {error:.4}, correlation {correlation:.4}, loss {loss:.5} of {best:.5}");
            assert!(error < 0.12 && correlation > 0.99, "{name}: {error} {correlation}");
            assert!(loss < best + 0.005, "{name}: {loss} {best}");
            // Where the likelihood is highest is one place.
            assert!(compare(theta, &found[2].1).0 < 0.02, "{name}: {:?}", compare(theta, &found[2].1));
        }
        let (_, correlation) = compare(&frequency(&examples), &truth);
        println!("frequency: correlation {correlation:.4}");
        assert!(correlation > 0.9, "{correlation}");
    }
}

/// The same prior leads to the same place.
#[test]
fn optimisers_agree_on_few_examples() {
    let (_, examples) = model(3, 150);
    let options = conjugate::Options { prior: 2.0, shrink: 0.5, ..exact() };
    let sweeps = minorisation::Options { prior: 2.0, ..exact_sweeps() };
    let a = conjugate(&examples, None, None, &options, unwatched);
    let b = minorisation(&examples, &GROUPS, &sweeps, unwatched);
    let furthest = a.iter().zip(&b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(furthest < 0.02, "{furthest}");
}

/// Feature 0 is always played, 1 never, 2 and 3 as often as the other.
fn one_sided() -> Examples {
    let mut examples = Examples::new(5);
    for number in 0..200 {
        examples.push([&[0, 2][..], &[1, 3], &[2], &[3]], 0);
        examples.push([&[1, 2][..], &[2], &[3]], 1 + number % 2);
    }
    examples
}

#[test]
fn barrier_keeps_strengths_positive_and_finite() {
    let examples = one_sided();
    for (scaled, barrier) in [(true, 1.0), (true, 0.0), (false, 1.0), (false, 0.0)] {
        let options = conjugate::Options {
            scaled,
            barrier,
            prior: 0.0,
            tolerance: 0.0,
            ..conjugate::Options::default()
        };
        let mut last = f64::INFINITY;
        let theta = conjugate(&examples, None, None, &options, |step| {
            assert!(step.theta.iter().all(|x| x.is_finite() && x.exp() > 0.0));
            last = step.loss;
            ControlFlow::Continue(())
        });
        assert!(theta.iter().all(|x| x.is_finite() && x.exp() > 0.0), "{theta:?}");
        // Plain directions get there too, but slowly.
        let apart = if scaled { 1.0 } else { 0.0 };
        assert!(theta[0] > theta[2] + apart && theta[1] < -2.0, "{theta:?}");
        assert!(last < loss(&examples, &[0.0_f32; 5]) - 0.3, "{last}");
        assert_eq!(theta[4].to_bits(), 0);
    }
    let theta = minorisation(&examples, &[0, 2], &exact_sweeps(), unwatched);
    assert!(theta.iter().all(|x| x.is_finite()) && theta[0] > 2.0 && theta[1] < -2.0, "{theta:?}");
    assert!(frequency(&examples).iter().all(|x| x.is_finite()));
}

#[test]
fn filtering_drops_the_weak_and_keeps_the_loss() {
    let mut truth = strengths(&mut Pcg64Mcg::seed_from_u64(4));
    let planted = [3, 11, 22, 30, 37];
    for &weak in &planted {
        truth[weak] = -5.0;
    }
    let (examples, others) = (games(5, &truth, 4_000), games(6, &truth, 4_000));
    let options = conjugate::Options { prior: 1.0, ..exact() };
    let filtering = Filtering { threshold: 0.1, strength: 0.01 };
    let with = |rounds: usize| {
        conjugate_with_filtering(&examples, rounds, &filtering, &options, |round, _| {
            assert!(round <= rounds);
            ControlFlow::Continue(())
        })
    };
    let (unfiltered, none) = with(0);
    assert!(none.iter().all(|dropped| !dropped));
    let weak = filter(&unfiltered, &Occurrence::of(&examples), filtering.threshold);
    for rounds in 1..=3 {
        let (theta, dropped) = with(rounds);
        let found: Vec<usize> = (0..COUNT).filter(|&feature| dropped[feature]).collect();
        assert_eq!(found, planted, "round {rounds}");
        assert_eq!(dropped, weak);
        assert!(planted.iter().all(|&weak| (theta[weak].exp() - 0.01).abs() < 1e-6));
        let (before, after) = (loss(&others, &unfiltered), loss(&others, &theta));
        println!("round {rounds}: {before:.5} to {after:.5}");
        assert!(after < before + 1e-3, "{before} {after}");
    }
}

#[test]
fn loss_never_rises_in_minorisation() {
    // One group for all features too, of which a move has up to four.
    for groups in [&GROUPS[..], &[0], &[], &[35, 20, 20, 1000]] {
        let (_, examples) = model(7, 300);
        let mut last = loss(&examples, &[0.0_f32; COUNT]);
        let mut sweeps = 0;
        minorisation(&examples, groups, &exact_sweeps(), |step| {
            assert!(step.loss <= last + 1e-12, "sweep {}: {last} to {}", step.number, step.loss);
            assert!((step.loss - loss(&examples, step.theta)).abs() < 1e-9);
            last = step.loss;
            sweeps += 1;
            ControlFlow::Continue(())
        });
        assert!(sweeps > 10);
    }
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let (_, examples) = model(8, 777);
    let bits = |numbers: Vec<f32>| numbers.into_iter().map(f32::to_bits).collect::<Vec<u32>>();
    let all = || {
        let mut gradient = vec![0.0; COUNT];
        let value = loss_and_gradient(&examples, &frequency(&examples), &mut gradient);
        let options = conjugate::Options::default();
        let plain = conjugate::Options { scaled: false, ..options };
        let filtering = Filtering::default();
        let results = [
            frequency(&examples),
            conjugate(&examples, None, None, &options, unwatched),
            conjugate(&examples, None, None, &plain, unwatched),
            conjugate_with_filtering(&examples, 2, &filtering, &options, |_, step| unwatched(step)).0,
            minorisation(&examples, &GROUPS, &minorisation::Options::default(), unwatched),
        ];
        (results.map(bits), value.to_bits(), gradient.into_iter().map(f64::to_bits).collect::<Vec<u64>>())
    };
    let with = |threads| {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be had").install(all)
    };
    assert!(with(1) == with(3));
}

/// What each learner makes of examples with the usual settings.
fn learn_all(examples: &Examples) -> [Vec<f32>; 4] {
    let (options, filtering) = (conjugate::Options::default(), Filtering::default());
    [
        frequency(examples),
        conjugate(examples, None, None, &options, unwatched),
        conjugate_with_filtering(examples, 3, &filtering, &options, |_, step| unwatched(step)).0,
        minorisation(examples, &[0, 1], &minorisation::Options::default(), unwatched),
    ]
}

#[test]
fn nothing_to_learn_does_no_harm() {
    let mut single = Examples::new(3);
    let mut bare = Examples::new(3);
    for _ in 0..20 {
        single.push([&[0, 1][..]], 0);
        bare.push([&[][..], &[]], 1);
    }
    for examples in [Examples::new(0), Examples::new(3), single, bare] {
        let count = examples.feature_count();
        for theta in learn_all(&examples) {
            assert_eq!(theta.len(), count);
            assert!(theta.iter().all(|x| x.is_finite()), "{theta:?}");
            // The last never occurs.
            assert!(theta.last().is_none_or(|x| x.abs() < 1e-6), "{theta:?}");
            assert!(loss(&examples, &theta).is_finite());
        }
        let mut gradient = vec![1.0; count];
        loss_and_gradient(&examples, &vec![0.0; count], &mut gradient);
        assert!(gradient.iter().all(|x| x.abs() < 1e-12));
    }
    assert!(loss(&Examples::new(2), &[0.0, 0.0]).abs() < 1e-12);
}

#[test]
fn bad_numbers_do_no_harm() {
    let (_, examples) = model(9, 100);
    let mut start = vec![0.0; COUNT];
    start[..5].copy_from_slice(&[f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30, -1e30]);
    let usual = conjugate::Options { iterations: 20, ..conjugate::Options::default() };
    let odd = [f64::NAN, f64::INFINITY, -1.0, 1e300, 0.0];
    let options = odd.into_iter().flat_map(|number| {
        [
            conjugate::Options { barrier: number, ..usual },
            conjugate::Options { shrink: number, ..usual },
            conjugate::Options { prior: number, ..usual },
            conjugate::Options { tolerance: number, ..usual },
            conjugate::Options { barrier: number, scaled: false, ..usual },
        ]
    });
    for options in options {
        let theta = conjugate(&examples, Some(&start), None, &options, unwatched);
        assert!(theta.iter().all(|x| x.is_finite()), "{options:?}: {theta:?}");
    }
    for number in odd {
        let options = minorisation::Options { prior: number, ..minorisation::Options::default() };
        let theta = minorisation(&examples, &GROUPS, &options, unwatched);
        assert!(theta.iter().all(|x| x.is_finite()), "{number}: {theta:?}");
        let filtering = Filtering { threshold: number, strength: number };
        let (theta, _) =
            conjugate_with_filtering(&examples, 2, &filtering, &usual, |_, step| unwatched(step));
        assert!(theta.iter().all(|x| x.is_finite()), "{number}: {theta:?}");
    }
}

#[test]
fn fixed_features_stay_and_learning_goes_on_from_a_start() {
    let (truth, examples) = model(10, 2_000);
    let fixed: Vec<bool> = (0..COUNT).map(|feature| feature % 3 == 0).collect();
    let theta = conjugate(&examples, Some(&truth), Some(&fixed), &exact(), unwatched);
    for feature in 0..COUNT {
        let stayed = theta[feature].to_bits() == truth[feature].to_bits();
        assert_eq!(stayed, fixed[feature] || feature == LAST, "{feature}");
    }
    assert!(loss(&examples, &theta) < loss(&examples, &truth));
    // Whoever is there already has little to do.
    let best = conjugate(&examples, None, None, &exact(), unwatched);
    let mut steps = 0;
    let again =
        conjugate(&examples, Some(&best), None, &conjugate::Options { barrier: 0.0, ..exact() }, |_| {
            steps += 1;
            ControlFlow::Continue(())
        });
    assert!(steps <= 12 && compare(&again, &best).0 < 0.01, "{steps} {:?}", compare(&again, &best));
}

#[test]
fn progress_can_break_off() {
    let (_, examples) = model(11, 300);
    let stop_at = |last: usize, numbers: &mut Vec<usize>, number: usize| {
        numbers.push(number);
        if number == last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let mut numbers = Vec::new();
    conjugate(&examples, None, None, &exact(), |step| stop_at(3, &mut numbers, step.number));
    minorisation(&examples, &GROUPS, &exact_sweeps(), |step| stop_at(2, &mut numbers, step.number));
    let filtering = Filtering { threshold: 0.5, strength: 0.1 };
    conjugate_with_filtering(&examples, 3, &filtering, &exact(), |_, step| {
        stop_at(2, &mut numbers, step.number)
    });
    assert_eq!(numbers, [1, 2, 3, 1, 2, 1, 2]);
}
