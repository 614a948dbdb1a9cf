//! The network in floating point, as it is trained: forward, backward, and how its numbers lie in memory.
//!
//! Per sample the work is adding rows (features) and a few small dense layers, so loops over fixed-size arrays that
//! the compiler turns into vector instructions are all it takes. Sums run in a fixed order: the same numbers always.

use std::ops::Range;

use super::samples::Sample;
use crate::eval::features::{INPUTS, mirror, opposite};
use crate::eval::network::{ACCUMULATORS, HIDDEN};

/// Both accumulators, that of the side to move first.
const PAIR: usize = 2 * ACCUMULATORS;

/// Numbers of the network: all layers one after the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameters(pub Vec<f32>);

/// Where each layer begins.
const FEATURE_BIAS: usize = INPUTS * ACCUMULATORS;
const FIRST: usize = FEATURE_BIAS + ACCUMULATORS;
const FIRST_BIAS: usize = FIRST + PAIR * HIDDEN;
const SECOND: usize = FIRST_BIAS + HIDDEN;
const SECOND_BIAS: usize = SECOND + HIDDEN * HIDDEN;
const OUTPUT: usize = SECOND_BIAS + HIDDEN;
const OUTPUT_BIAS: usize = OUTPUT + HIDDEN;

/// How many numbers there are.
pub const COUNT: usize = OUTPUT_BIAS + 1;

/// The part of the numbers that belong to a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    /// A row of accumulator weights for each feature.
    Features,
    /// What accumulators start from.
    FeatureBias,
    /// A row of weights for each accumulator, that of the side to move first.
    First,
    /// Biases of the first hidden layer.
    FirstBias,
    /// A row of weights for each unit of the first hidden layer.
    Second,
    /// Biases of the second hidden layer.
    SecondBias,
    /// A weight for each unit of the second hidden layer.
    Output,
    /// Bias of the output.
    OutputBias,
}

impl Layer {
    /// All layers.
    pub const ALL: [Self; 8] = [
        Self::Features,
        Self::FeatureBias,
        Self::First,
        Self::FirstBias,
        Self::Second,
        Self::SecondBias,
        Self::Output,
        Self::OutputBias,
    ];

    /// Where its numbers lie.
    pub const fn range(self) -> Range<usize> {
        match self {
            Self::Features => 0..FEATURE_BIAS,
            Self::FeatureBias => FEATURE_BIAS..FIRST,
            Self::First => FIRST..FIRST_BIAS,
            Self::FirstBias => FIRST_BIAS..SECOND,
            Self::Second => SECOND..SECOND_BIAS,
            Self::SecondBias => SECOND_BIAS..OUTPUT,
            Self::Output => OUTPUT..OUTPUT_BIAS,
            Self::OutputBias => OUTPUT_BIAS..COUNT,
        }
    }
}

/// Accumulators summed at once.
const PART: usize = 64;

/// Which accumulators are above zero. Collected without branches, which could not be predicted.
struct Active {
    list: [u16; PAIR],
    count: usize,
}

impl Active {
    fn of(accumulators: &[f32; PAIR]) -> Self {
        let (mut list, mut count) = ([0; PAIR], 0);
        for (i, &sum) in accumulators.iter().enumerate() {
            list[count] = i as u16;
            count += usize::from(sum > 0.0);
        }
        Self { list, count }
    }

    fn list(&self) -> &[u16] {
        &self.list[..self.count]
    }
}

/// What a forward pass computed on the way.
struct Trace {
    /// Accumulators before clipping, that of the side to move first.
    accumulators: [f32; PAIR],
    active: Active,
    first: [f32; HIDDEN],
    second: [f32; HIDDEN],
    /// Logit of the win rate of the side to move.
    output: f32,
}

fn clip(x: f32) -> f32 {
    x.clamp(0.0, 1.0)
}

fn row<const N: usize>(numbers: &[f32], start: usize) -> &[f32; N] {
    numbers[start..start + N].try_into().expect("a row has its length")
}

fn row_mut<const N: usize>(numbers: &mut [f32], start: usize) -> &mut [f32; N] {
    (&mut numbers[start..start + N]).try_into().expect("a row has its length")
}

/// One instruction where the build's target has it; a call into a library, far too slow, is never what we want.
#[inline(always)]
fn multiply_add(a: f32, b: f32, sum: f32) -> f32 {
    if cfg!(target_feature = "fma") { a.mul_add(b, sum) } else { a * b + sum }
}

#[inline(always)]
fn add<const N: usize>(sum: &mut [f32; N], x: &[f32; N]) {
    for (sum, x) in sum.iter_mut().zip(x) {
        *sum += x;
    }
}

#[inline(always)]
fn add_scaled<const N: usize>(sum: &mut [f32; N], factor: f32, x: &[f32; N]) {
    for (sum, x) in sum.iter_mut().zip(x) {
        *sum = multiply_add(factor, *x, *sum);
    }
}

#[inline(always)]
fn dot(a: &[f32; HIDDEN], b: &[f32; HIDDEN]) -> f32 {
    let mut lanes = [0.0; 8];
    for (a, b) in a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0) {
        for lane in 0..8 {
            lanes[lane] = multiply_add(a[lane], b[lane], lanes[lane]);
        }
    }
    // In halves: a fixed order that needs few instructions.
    let halves: [f32; 4] = std::array::from_fn(|i| lanes[i] + lanes[i + 4]);
    (halves[0] + halves[2]) + (halves[1] + halves[3])
}

/// The features of a sample as the side to move and as the other side see them.
fn views(sample: &Sample, mirrored: bool) -> [[usize; crate::eval::features::ACTIVE]; 2] {
    let own = sample.features.map(|feature| if mirrored { mirror(feature) } else { feature });
    [own.map(usize::from), own.map(|feature| usize::from(opposite(feature)))]
}

impl Parameters {
    /// The numbers of a layer.
    pub fn layer(&self, layer: Layer) -> &[f32] {
        &self.0[layer.range()]
    }

    fn forward(&self, views: &[[usize; crate::eval::features::ACTIVE]; 2]) -> Trace {
        let numbers = &self.0[..COUNT];
        let mut accumulators = [0.0; PAIR];
        for (view, sums) in views.iter().zip(accumulators.as_chunks_mut::<ACCUMULATORS>().0) {
            // A part at a time, so that the sums stay in registers.
            for (part, sums) in sums.as_chunks_mut::<PART>().0.iter_mut().enumerate() {
                *sums = *row(numbers, FEATURE_BIAS + part * PART);
                for &feature in view {
                    add(sums, row(numbers, feature * ACCUMULATORS + part * PART));
                }
            }
        }
        let active = Active::of(&accumulators);
        let mut first = *row(numbers, FIRST_BIAS);
        // Two sums, so that an addition need not wait for the one before.
        let mut other = [0.0; HIDDEN];
        let (pairs, last) = active.list().as_chunks::<2>();
        for &[a, b] in pairs {
            let (a, b) = (usize::from(a), usize::from(b));
            add_scaled(&mut first, clip(accumulators[a]), row(numbers, FIRST + a * HIDDEN));
            add_scaled(&mut other, clip(accumulators[b]), row(numbers, FIRST + b * HIDDEN));
        }
        for &i in last {
            let i = usize::from(i);
            add_scaled(&mut other, clip(accumulators[i]), row(numbers, FIRST + i * HIDDEN));
        }
        add(&mut first, &other);
        let mut second = *row(numbers, SECOND_BIAS);
        for (i, &sum) in first.iter().enumerate() {
            add_scaled::<HIDDEN>(&mut second, clip(sum), row(numbers, SECOND + i * HIDDEN));
        }
        let output = dot(&second.map(clip), row(numbers, OUTPUT)) + numbers[OUTPUT_BIAS];
        Trace { accumulators, active, first, second, output }
    }

    /// Logit of the win rate of the side to move.
    pub fn logit(&self, sample: &Sample) -> f32 {
        self.forward(&views(sample, false)).output
    }

    /// Adds the gradient of a sample's loss to `gradient`. `slope` says the derivative of the loss by the logit.
    pub fn backward(
        &self,
        sample: &Sample,
        mirrored: bool,
        gradient: &mut [f32],
        slope: impl Fn(f32) -> f32,
    ) {
        let views = views(sample, mirrored);
        let trace = self.forward(&views);
        let numbers = &self.0[..COUNT];
        let gradient = &mut gradient[..COUNT];
        let passes = |x: f32| x > 0.0 && x < 1.0;

        let by_output = slope(trace.output);
        gradient[OUTPUT_BIAS] += by_output;
        add_scaled(row_mut(gradient, OUTPUT), by_output, &trace.second.map(clip));

        let output: &[f32; HIDDEN] = row(numbers, OUTPUT);
        let mut by_second = [0.0; HIDDEN];
        for i in 0..HIDDEN {
            by_second[i] = if passes(trace.second[i]) { by_output * output[i] } else { 0.0 };
        }
        add(row_mut(gradient, SECOND_BIAS), &by_second);

        let mut by_first = [0.0; HIDDEN];
        for (i, (&sum, by_first)) in trace.first.iter().zip(&mut by_first).enumerate() {
            let start = SECOND + i * HIDDEN;
            if sum > 0.0 {
                add_scaled(row_mut(gradient, start), clip(sum), &by_second);
                if sum < 1.0 {
                    *by_first = dot(row(numbers, start), &by_second);
                }
            }
        }
        add(row_mut(gradient, FIRST_BIAS), &by_first);

        let mut by_accumulators = [0.0; PAIR];
        for &i in trace.active.list() {
            let i = usize::from(i);
            let start = FIRST + i * HIDDEN;
            let sum = trace.accumulators[i];
            add_scaled(row_mut(gradient, start), clip(sum), &by_first);
            let slope = dot(row(numbers, start), &by_first);
            by_accumulators[i] = if sum < 1.0 { slope } else { 0.0 };
        }
        for (view, by_sums) in views.iter().zip(by_accumulators.as_chunks::<ACCUMULATORS>().0) {
            add(row_mut(gradient, FEATURE_BIAS), by_sums);
            for &feature in view {
                add(row_mut(gradient, feature * ACCUMULATORS), by_sums);
            }
        }
    }
}
