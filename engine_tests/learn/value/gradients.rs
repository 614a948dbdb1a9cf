//! Gradients beside finite differences, in wide floating point.

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use tenbin::eval::features::{INPUTS, mirror, opposite};
use tenbin::eval::network::ACCUMULATORS;
use tenbin::learn::value::linear::{Linear, logistic};
use tenbin::learn::value::model::{COUNT, Layer, Parameters};
use tenbin::learn::value::samples::Sample;

use super::{forward, learned, samples};

/// A network whose units stand on all sides of their corners.
fn random(seed: u64) -> Parameters {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut numbers = vec![0.0; COUNT];
    for layer in Layer::ALL {
        let width = match layer {
            Layer::Features | Layer::FeatureBias => 0.2,
            Layer::First => 0.1,
            _ => 0.4,
        };
        for number in &mut numbers[layer.range()] {
            *number = random.random_range(-width..width);
        }
    }
    Parameters(numbers)
}

fn wide(numbers: &Parameters) -> Vec<f64> {
    numbers.0.iter().copied().map(f64::from).collect()
}

/// What is minimised, and its derivative by the logit: the square of the distance in win rate to `TARGET`.
const TARGET: f64 = 0.3;

fn loss(logit: f64) -> f64 {
    (1.0 / (1.0 + (-logit).exp()) - TARGET).powi(2)
}

fn slope(logit: f32) -> f32 {
    let rate = logistic(logit);
    2.0 * (rate - TARGET as f32) * rate * (1.0 - rate)
}

#[test]
fn the_logit_equals_a_plain_forward_pass() {
    for numbers in [&random(1), &random(2), learned()] {
        let wide = wide(numbers);
        for (_, sample) in samples(701) {
            let (found, expected) = (numbers.logit(&sample), forward(&wide, &sample, false).logit);
            assert!((f64::from(found) - expected).abs() < 1e-4, "{found}, {expected}");
        }
    }
}

/// Numbers of a layer to look at: of the features those that hold.
fn places(layer: Layer, sample: &Sample, mirrored: bool, random: &mut Pcg64Mcg) -> Vec<usize> {
    let range = layer.range();
    let mut place = || {
        if layer != Layer::Features {
            return random.random_range(range.clone());
        }
        let feature = *sample.features.choose(random).expect("forty");
        let feature = if mirrored { mirror(feature) } else { feature };
        let feature = if random.random() { feature } else { opposite(feature) };
        usize::from(feature) * ACCUMULATORS + random.random_range(0..ACCUMULATORS)
    };
    (0..range.len().min(30)).map(|_| place()).collect()
}

/// Central differences, away from the corners, where there is no derivative.
#[test]
fn the_gradient_equals_finite_differences_in_every_layer() {
    const STEP: f64 = 1e-6;
    let mut draw = Pcg64Mcg::seed_from_u64(1);
    let mut checked = [[0; 2]; 8];
    for numbers in [&random(3), learned()] {
        let mut wide = wide(numbers);
        for (i, (_, sample)) in samples(4_001).iter().enumerate() {
            let mirrored = i % 2 == 1;
            let mut gradient = vec![0.0; COUNT];
            numbers.backward(sample, mirrored, &mut gradient, slope);
            let middle = forward(&wide, sample, mirrored);
            for (number, layer) in Layer::ALL.into_iter().enumerate() {
                for place in places(layer, sample, mirrored, &mut draw) {
                    let kept = wide[place];
                    let [above, below] = [STEP, -STEP].map(|step| {
                        wide[place] = kept + step;
                        forward(&wide, sample, mirrored)
                    });
                    wide[place] = kept;
                    if above.pattern != middle.pattern || below.pattern != middle.pattern {
                        continue;
                    }
                    let expected = (loss(above.logit) - loss(below.logit)) / (2.0 * STEP);
                    let found = f64::from(gradient[place]);
                    assert!(
                        (found - expected).abs() <= 1e-6 + 1e-3 * expected.abs(),
                        "{layer:?}, number {place}: {found} instead of {expected}"
                    );
                    checked[number][usize::from(expected.abs() > 1e-7)] += 1;
                }
            }
        }
    }
    println!("{checked:?}");
    // In every layer some numbers matter.
    for (layer, [_, moving]) in Layer::ALL.into_iter().zip(checked) {
        assert!(moving >= 10, "{layer:?}: {checked:?}");
    }
}

#[test]
fn features_that_do_not_hold_have_no_gradient() {
    let numbers = random(4);
    for (i, (_, sample)) in samples(4_001).iter().enumerate() {
        let mirrored = i % 2 == 0;
        let mut gradient = vec![0.0; COUNT];
        numbers.backward(sample, mirrored, &mut gradient, |_| 1.0);
        let own = sample.features.map(|feature| if mirrored { mirror(feature) } else { feature });
        for (feature, row) in gradient[Layer::Features.range()].chunks(ACCUMULATORS).enumerate() {
            let feature = feature as u16;
            if !own.contains(&feature) && !own.contains(&opposite(feature)) {
                assert!(row.iter().all(|&number| number == 0.0), "feature {feature}");
            }
        }
    }
}

#[test]
fn gradients_of_samples_add_up() {
    let numbers = random(5);
    let samples = samples(6_001);
    let mut together = vec![0.0; COUNT];
    let mut sum = vec![0.0; COUNT];
    for (_, sample) in &samples {
        numbers.backward(sample, false, &mut together, slope);
        let mut alone = vec![0.0; COUNT];
        numbers.backward(sample, false, &mut alone, slope);
        sum.iter_mut().zip(alone).for_each(|(sum, number)| *sum += number);
    }
    for (together, sum) in together.iter().zip(&sum) {
        assert!((together - sum).abs() <= 1e-5 + 1e-4 * sum.abs(), "{together}, {sum}");
    }
}

/// The surprise that a linear model is fitted by.
fn surprise(samples: &[Sample], weights: &[f64], other: f64, target: impl Fn(&Sample) -> f32) -> f64 {
    let mut sum = 0.0;
    for sample in samples {
        let mut logit = weights[INPUTS];
        for feature in sample.features {
            logit += weights[usize::from(feature)] + other * weights[usize::from(opposite(feature))];
        }
        let (rate, target) = (1.0 / (1.0 + (-logit).exp()), f64::from(target(sample)));
        sum -= target * rate.ln() + (1.0 - target) * (1.0 - rate).ln();
    }
    sum
}

/// The first step of the optimiser goes against the gradient by the same length in every direction, so that its sign
/// can be read from where it leads: nowhere else is the gradient of a linear model to be seen.
#[test]
fn the_first_step_of_a_linear_model_goes_downhill() {
    const STEP: f64 = 1e-5;
    let samples: Vec<Sample> = samples(499).into_iter().map(|(_, sample)| sample).collect();
    let target = |sample: &Sample| f32::from(sample.features[3] % 97) / 97.0;
    for other in [1.0_f32, -1.0] {
        let model = Linear::fit(&samples, other, 1, target);
        let mut weights = vec![0.0; INPUTS + 1];
        let mut moved = 0;
        for place in 0..=INPUTS {
            let [above, below] = [STEP, -STEP].map(|step| {
                weights[place] = step;
                surprise(&samples, &weights, other.into(), target)
            });
            weights[place] = 0.0;
            let derivative = (above - below) / (2.0 * STEP);
            let weight = if place == INPUTS { model.bias() } else { model.weights()[place] };
            if derivative.abs() < 1e-3 {
                continue;
            }
            assert!(f64::from(weight) * derivative < 0.0, "weight {place} {weight}, slope {derivative}");
            moved += 1;
        }
        assert!(moved >= 500, "{moved}");
    }
}

#[test]
fn features_that_were_never_seen_get_no_weight_in_a_linear_model() {
    let samples: Vec<Sample> = samples(997).into_iter().map(|(_, sample)| sample).collect();
    let model = Linear::fit(&samples, 1.0, 3, |_| 0.9);
    for feature in 0..INPUTS as u16 {
        let seen = samples
            .iter()
            .flat_map(|sample| sample.features)
            .any(|held| [held, opposite(held), mirror(held), mirror(opposite(held))].contains(&feature));
        let weight = model.weights()[usize::from(feature)];
        assert!(seen || weight == 0.0, "feature {feature}: {weight}");
    }
}

/// What both sides share is the same for both; what one wins the other loses.
#[test]
fn a_linear_model_finds_a_linear_function() {
    let samples: Vec<Sample> = samples(7).into_iter().map(|(_, sample)| sample).collect();
    // Pieces in hand, and whether they are one's own.
    let held = |sample: &Sample, own: bool| {
        sample.features.iter().filter(|&&feature| feature < 90 && (feature < 45) == own).count() as f32
    };
    let shared = |sample: &Sample| logistic(0.3 * (held(sample, true) + held(sample, false)) - 1.5);
    let opposed = |sample: &Sample| logistic(0.3 * (held(sample, true) - held(sample, false)));
    let error = |model: &Linear, target: &dyn Fn(&Sample) -> f32| {
        let errors = samples.iter().map(|sample| (logistic(model.logit(sample)) - target(sample)).abs());
        errors.sum::<f32>() / samples.len() as f32
    };
    let (a, b) = (Linear::fit(&samples, 1.0, 600, shared), Linear::fit(&samples, -1.0, 600, opposed));
    println!("mean errors {:.4} and {:.4}", error(&a, &shared), error(&b, &opposed));
    assert!(error(&a, &shared) < 0.01 && error(&b, &opposed) < 0.01);
    for sample in samples.iter().step_by(50) {
        let turned = Sample { features: sample.features.map(opposite), ..*sample };
        assert!((a.logit(sample) - a.logit(&turned)).abs() < 1e-4);
        let sum = (b.logit(sample) - b.bias()) + (b.logit(&turned) - b.bias());
        assert!(sum.abs() < 1e-4, "{sum}");
    }
}
