//! The integers of the engine beside the floating-point numbers they come from.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::sync::Arc;
use tenbin::eval::network::{Network, PlainNetwork};
use tenbin::eval::simd::Path;
use tenbin::learn::value::linear::{Linear, logistic};
use tenbin::learn::value::model::{COUNT, Layer, Parameters};
use tenbin::learn::value::quantise::{limit, quantise, quantise_progress, rounded};

use super::{learned, samples};
use crate::eval::progress;
use crate::eval::reference::{self, EMBEDDED};

/// Only values within this are compared, in centipawns.
const RANGE: f32 = 2_000.0;

/// Steps that make 1.0, layer by layer.
fn scale(layer: Layer) -> f32 {
    match layer {
        Layer::Features | Layer::FeatureBias => 1024.0,
        Layer::First | Layer::Second | Layer::Output => 4096.0,
        Layer::FirstBias | Layer::SecondBias | Layer::OutputBias => 1024.0 * 4096.0,
    }
}

/// The integers of a network one layer after the other, as floating-point numbers.
fn numbers(plain: &PlainNetwork) -> Vec<f32> {
    let shorts = |numbers: &[i16]| -> Vec<f32> { numbers.iter().copied().map(f32::from).collect() };
    let longs = |numbers: &[i32]| -> Vec<f32> { numbers.iter().map(|&number| number as f32).collect() };
    [
        shorts(&plain.features),
        shorts(&plain.feature_bias),
        shorts(&plain.first),
        longs(&plain.first_bias),
        shorts(&plain.second),
        longs(&plain.second_bias),
        shorts(&plain.output),
        longs(&[plain.output_bias]),
    ]
    .concat()
}

/// A floating-point network that these integers are the rounding of: each number is off by `most` steps at most.
fn twin(plain: &PlainNetwork, most: f32) -> Parameters {
    let mut random = Pcg64Mcg::seed_from_u64(1);
    let mut parameters = Parameters(numbers(plain));
    assert_eq!(parameters.0.len(), COUNT);
    for layer in Layer::ALL {
        for number in &mut parameters.0[layer.range()] {
            let off = if most > 0.0 { random.random_range(-most..most) } else { 0.0 };
            *number = (*number + off) / scale(layer);
        }
    }
    parameters
}

/// Differences in centipawns.
struct Errors {
    mean: f32,
    largest: f32,
    /// Mean size of what was compared: differences of nothing would be small too.
    size: f32,
    count: usize,
}

fn errors(float: &Parameters, integer: &Network) -> Errors {
    let mut errors = Errors { mean: 0.0, largest: 0.0, size: 0.0, count: 0 };
    for (position, sample) in samples(5) {
        let expected = float.logit(&sample) * 600.0;
        if expected.abs() <= RANGE {
            let error = (integer.value(Path::best(), &position) as f32 - expected).abs();
            errors.mean += error;
            errors.largest = errors.largest.max(error);
            errors.size += expected.abs();
            errors.count += 1;
        }
    }
    errors.mean /= errors.count as f32;
    errors.size /= errors.count as f32;
    errors
}

fn check(name: &str, float: &Parameters, plain: &PlainNetwork, most: f32) -> Errors {
    let errors = errors(float, &Network::new(plain).expect("numbers that fit"));
    println!(
        "{name}: {:.2} cp on average, {:.1} at most, over {} values of {:.0} cp on average",
        errors.mean, errors.largest, errors.count, errors.size
    );
    assert!(errors.count >= 1_000 && errors.size >= 50.0, "{name}: nothing to compare");
    assert!(errors.mean < most, "{name}: {} cp", errors.mean);
    errors
}

#[test]
fn integers_are_near_the_floating_point_network_they_come_from() {
    check("learned a little", learned(), &quantise(learned()), 5.0);
    // The network that plays, with floating-point numbers that round to it.
    let plain = reference::read(EMBEDDED);
    check("embedded", &twin(&plain, 0.49), &plain, 5.0);
}

/// What is left where the numbers are the same: activations are rounded, and the value is a whole number.
#[test]
fn integers_are_as_good_as_the_rounded_network() {
    let plain = quantise(learned());
    let learned = check("learned a little", &rounded(learned()), &plain, 1.5);
    let plain = reference::read(EMBEDDED);
    let embedded = check("embedded", &twin(&plain, 0.0), &plain, 1.5);
    assert!(learned.largest < 10.0 && embedded.largest < 10.0);
}

#[test]
fn rounding_and_quantising_agree() {
    for parameters in [learned().clone(), twin(&reference::read(EMBEDDED), 0.49)] {
        let plain = quantise(&parameters);
        let rounded = rounded(&parameters);
        assert_eq!(quantise(&rounded), plain, "rounding twice is rounding once");
        let integers = numbers(&plain);
        for layer in Layer::ALL {
            for place in layer.range() {
                let expected = integers[place] / scale(layer);
                assert!((rounded.0[place] - expected).abs() < 1e-6, "{layer:?}, {place}");
                let step = (parameters.0[place] - expected).abs() * scale(layer);
                // Biases have more steps than a float has digits.
                assert!(step <= 0.5 + 0.5 * expected.abs(), "{layer:?}, {place}: {step} steps off");
            }
        }
    }
    let plain = reference::read(EMBEDDED);
    let again = quantise(&twin(&plain, 0.49));
    assert_eq!(PlainNetwork { progress: plain.progress.clone(), ..again }, plain);
}

#[test]
fn numbers_beyond_what_integers_can_hold_are_brought_back() {
    for wild in [1e9, -1e9, f32::INFINITY, f32::NEG_INFINITY] {
        let mut numbers = vec![wild; COUNT];
        let mut limited = Parameters(numbers.clone());
        limit(&mut limited.0);
        assert!(limited.0.iter().all(|number| number.abs() < 8.0));
        let plain = quantise(&Parameters(numbers.clone()));
        assert_eq!(plain, quantise(&limited));
        let highest = plain.features.iter().map(|number| i32::from(number.unsigned_abs())).max();
        assert!(highest.expect("numbers") * 42 + i32::from(plain.feature_bias[0].unsigned_abs()) <= 32_767);
        // With a first layer of usual size all else at its limit is accepted.
        numbers[Layer::First.range()].fill(0.5);
        Network::new(&quantise(&Parameters(numbers))).expect("numbers that fit");
    }
}

#[test]
fn progress_in_integers_is_near_the_linear_model_and_can_be_learned() {
    let samples = samples(5);
    let list: Vec<_> = samples.iter().map(|(_, sample)| *sample).collect();
    let model = Linear::fit(&list, 1.0, 300, |sample| f32::from(sample.progress) / 128.0);
    let plain =
        PlainNetwork { progress: quantise_progress(&model), ..quantise(&Parameters(vec![0.0; COUNT])) };
    let network = Arc::new(Network::new(&plain).expect("numbers that fit"));
    for (position, sample) in &samples {
        let expected = 128.0 * logistic(model.logit(sample));
        let found = f32::from(network.progress(position));
        assert!((found + 0.5 - expected).abs() < 2.0, "{found}, {expected}");
    }
    progress::check(&network);
}
