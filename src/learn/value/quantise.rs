//! From floating point to the integers the engine computes with.

use super::linear::Linear;
use super::model::{COUNT, Layer, Parameters};
use crate::eval::features::INPUTS;
use crate::eval::network::{ONE, PROGRESS_UNIT, PlainNetwork, UNIT};

/// Feature weights stay within this: the sum of forty and a bias then fits in 16 bits.
const LARGEST_FEATURE: f32 = 0.74;

/// Other weights stay within this.
const LARGEST_WEIGHT: f32 = 7.9;

/// How many integer steps make 1.0 in a layer, and the largest number it may hold.
fn scale(layer: Layer) -> (f32, f32) {
    let (one, unit) = (f32::from(ONE), UNIT as f32);
    match layer {
        Layer::Features | Layer::FeatureBias => (one, LARGEST_FEATURE),
        Layer::First | Layer::Second | Layer::Output => (unit, LARGEST_WEIGHT),
        Layer::FirstBias | Layer::SecondBias | Layer::OutputBias => (one * unit, LARGEST_WEIGHT),
    }
}

/// Keeps numbers where integers can follow.
pub fn limit(numbers: &mut [f32]) {
    for layer in Layer::ALL {
        let (_, largest) = scale(layer);
        for number in &mut numbers[layer.range()] {
            *number = number.clamp(-largest, largest);
        }
    }
}

/// The nearest numbers that integers can express: what training sees in its last part.
pub fn rounded(parameters: &Parameters) -> Parameters {
    let mut rounded = Parameters(vec![0.0; COUNT]);
    for layer in Layer::ALL {
        let (scale, largest) = scale(layer);
        for (to, from) in rounded.0[layer.range()].iter_mut().zip(parameters.layer(layer)) {
            *to = (from.clamp(-largest, largest) * scale).round() / scale;
        }
    }
    rounded
}

/// The integers.
pub fn quantise(parameters: &Parameters) -> PlainNetwork {
    let longs = |layer: Layer| -> Vec<i32> {
        let (scale, largest) = scale(layer);
        parameters.layer(layer).iter().map(|x| (x.clamp(-largest, largest) * scale).round() as i32).collect()
    };
    let shorts = |layer: Layer| longs(layer).into_iter().map(|x| x as i16).collect();
    PlainNetwork {
        features: shorts(Layer::Features),
        feature_bias: shorts(Layer::FeatureBias),
        first: shorts(Layer::First),
        first_bias: longs(Layer::FirstBias),
        second: shorts(Layer::Second),
        second_bias: longs(Layer::SecondBias),
        output: shorts(Layer::Output),
        output_bias: longs(Layer::OutputBias)[0],
        progress: vec![0; INPUTS + 1],
    }
}

/// The integers of the model that tells progress.
pub fn quantise_progress(model: &Linear) -> Vec<i16> {
    let numbers = model.weights().iter().copied().chain([model.bias()]);
    numbers.map(|x| (x.clamp(-LARGEST_WEIGHT, LARGEST_WEIGHT) * PROGRESS_UNIT).round() as i16).collect()
}
