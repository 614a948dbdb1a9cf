//! The run: passes over the samples in an order that the seed decides, step by step, until the network stands.

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use rayon::prelude::*;
use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::linear::{self, Linear, logistic};
use super::model::{COUNT, Layer, Parameters};
use super::plan::{Plan, Positions};
use super::quantise::{limit, quantise, quantise_progress, rounded};
use super::samples::{self, Sample, Samples};
use crate::eval::network::{Network, PlainNetwork, SHAPE};
use crate::eval::simd::Path;
use crate::eval::{CP_SCALE, weights, win_rate};
use crate::learn::adam::Adam;
use crate::learn::checkpoint::{self, Checkpoint};
use crate::learn::plot::{self, Curve};
use crate::learn::{LearnError, Monitor};
use crate::shogi::Color;

/// Parts of a step, however many cores share them: the result must not depend on their number.
const PARTS: usize = 8;

/// What is left of the rate at the end.
const LAST_RATE: f32 = 0.02;

/// How well a network does on samples.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fit {
    /// Mean absolute difference to the recorded scores, in win rate.
    pub error: f64,
    /// Share of decided games whose winner the sign tells.
    pub accuracy: f64,
}

/// Measures a prediction of logits on samples.
pub fn measure(samples: &[Sample], logit: impl Fn(&Sample) -> f32 + Sync) -> Fit {
    const SHARE: usize = 4096;
    let sums: Vec<[f64; 3]> = samples
        .par_chunks(SHARE)
        .map(|share| {
            let mut sums = [0.0; 3];
            for sample in share {
                let predicted = logit(sample);
                sums[0] += f64::from((logistic(predicted) - win_rate(sample.score.into())).abs());
                if sample.half_points != 1 {
                    sums[1] += 1.0;
                    sums[2] += f64::from(u8::from((predicted > 0.0) == (sample.half_points == 2)));
                }
            }
            sums
        })
        .collect();
    let sum = |i: usize| sums.iter().map(|sums| sums[i]).sum::<f64>();
    Fit { error: sum(0) / samples.len().max(1) as f64, accuracy: sum(2) / sum(1).max(1.0) }
}

/// Learns the static evaluation by a plan.
pub fn run(plan: &Plan, monitor: &Monitor) -> Result<(), LearnError> {
    if plan.positions == Positions::Quiet {
        learn(plan, None, monitor)?;
        return Ok(());
    }
    let first = plan.first();
    let resolver = if let Some(network) = learned(&first) {
        network
    } else {
        monitor.say("learning from quiet positions first".to_owned());
        learn(&first, None, monitor)?;
        let Some(network) = learned(&first) else { return Ok(()) };
        network
    };
    monitor.say("learning from all positions, followed to where they are quiet".to_owned());
    if learn(plan, Some(&resolver), monitor)? {
        // Nobody needs it any more; where it cannot be removed it does no harm.
        let _ = std::fs::remove_file(&first.output);
        let _ = std::fs::remove_file(first.output.with_extension("svg"));
    }
    Ok(())
}

/// The network that exactly this plan led to, where there is one.
fn learned(plan: &Plan) -> Option<Arc<Network>> {
    let bytes = std::fs::read(&plan.output).ok()?;
    let provenance = weights::decode(&bytes, SHAPE).ok()?.provenance;
    provenance.ends_with(&mark(plan)).then(|| Network::read(&bytes).ok().map(Arc::new))?
}

/// What the provenance of a plan's weights ends with.
fn mark(plan: &Plan) -> String {
    format!("; plan {:016x}", plan.fingerprint())
}

/// One stage; false where it was stopped.
fn learn(plan: &Plan, resolver: Option<&Arc<Network>>, monitor: &Monitor) -> Result<bool, LearnError> {
    // Before hours of work: is there a place for the result?
    if let Some(folder) = plan.output.parent() {
        std::fs::create_dir_all(folder).map_err(|error| LearnError::output(folder, error))?;
    }
    let samples = samples::read(&plan.records, resolver, plan.largest_score, monitor)?;
    if monitor.stopped() {
        monitor.say("stopped while reading".to_owned());
        return Ok(false);
    }
    monitor.say(format!(
        "{} positions to learn from, {} to validate by",
        samples.train.len(),
        samples.validation.len()
    ));
    if samples.train.len() < plan.batch || samples.validation.is_empty() {
        return Err(LearnError::NothingToLearn("too few positions with scores in the records"));
    }
    let kept = checkpoint::path_for(&plan.output);
    let mut trainer = Trainer::new(plan, &samples);
    checkpoint::resume(&kept, monitor, |found| trainer.resume(found));
    if !trainer.train(&kept, monitor)? {
        monitor.say(format!(
            "stopped at step {} of {}, kept in {}",
            trainer.step,
            trainer.steps(),
            kept.display()
        ));
        return Ok(false);
    }
    trainer.finish(monitor)?;
    // Nobody needs it any more; where it cannot be removed it does no harm.
    let _ = std::fs::remove_file(&kept);
    Ok(true)
}

/// A run under way.
struct Trainer<'a> {
    plan: &'a Plan,
    samples: &'a Samples,
    adam: Adam,
    /// A gradient for each part of a step.
    gradients: Vec<Vec<f32>>,
    step: u64,
    /// After each pass: (pass, error on samples learned from, error on validation, accuracy there).
    history: Vec<[f32; 4]>,
}

impl<'a> Trainer<'a> {
    fn new(plan: &'a Plan, samples: &'a Samples) -> Self {
        let adam = Adam::new(initial(plan.seed).0);
        let gradients = vec![vec![0.0; COUNT]; PARTS];
        Self { plan, samples, adam, gradients, step: 0, history: Vec::new() }
    }

    fn fingerprint(&self) -> u64 {
        // Other records under the same names are another run.
        self.plan.fingerprint() ^ (self.samples.train.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn resume(&mut self, found: &Checkpoint) -> bool {
        let Some((history, groups)) = found.numbers.split_last() else { return false };
        let Some(adam) = self.adam.restored(found.step, groups) else { return false };
        if found.fingerprint != self.fingerprint() {
            return false;
        }
        self.adam = adam;
        self.step = found.step;
        self.history = history.as_chunks().0.to_vec();
        true
    }

    fn checkpoint(&self) -> Checkpoint {
        let mut numbers = self.adam.groups();
        numbers.push(self.history.as_flattened().to_vec());
        Checkpoint { fingerprint: self.fingerprint(), step: self.step, numbers }
    }

    fn steps_a_pass(&self) -> u64 {
        (self.samples.train.len() / self.plan.batch) as u64
    }

    fn steps(&self) -> u64 {
        self.steps_a_pass() * u64::from(self.plan.passes)
    }

    /// Goes through all passes; false where it was stopped.
    fn train(&mut self, kept: &FilePath, monitor: &Monitor) -> Result<bool, LearnError> {
        let bar = monitor.bar(self.steps());
        let mut last_kept = Instant::now();
        while self.step < self.steps() {
            let pass = self.step / self.steps_a_pass();
            let order = order(self.samples.train.len(), self.plan.seed, pass);
            let begun = (self.step % self.steps_a_pass()) as usize;
            for batch in order.chunks_exact(self.plan.batch).skip(begun) {
                self.take_step(batch, pass);
                bar.set_position(self.step);
                // Before a checkpoint, or who goes on from it would not know how the pass went.
                if self.step.is_multiple_of(self.steps_a_pass()) {
                    self.report(pass + 1, monitor, &bar);
                }
                let stopped = monitor.stopped();
                if stopped || last_kept.elapsed() >= Duration::from_secs(self.plan.checkpoint_seconds) {
                    self.checkpoint().save(kept).map_err(|error| LearnError::output(kept, error))?;
                    last_kept = Instant::now();
                }
                if stopped {
                    bar.finish_and_clear();
                    return Ok(false);
                }
            }
        }
        bar.finish_and_clear();
        Ok(true)
    }

    fn take_step(&mut self, batch: &[u32], pass: u64) {
        let done = self.step as f32 / self.steps() as f32;
        let seen = Parameters(self.adam.numbers.clone());
        let seen = if done >= self.plan.round_from { rounded(&seen) } else { seen };
        let share = batch.len().div_ceil(PARTS);
        let (samples, lambda) = (&self.samples.train, self.plan.lambda);
        self.gradients.par_iter_mut().enumerate().for_each(|(part, gradient)| {
            gradient.fill(0.0);
            for &index in batch.iter().skip(part * share).take(share) {
                let sample = &samples[index as usize];
                let result = f32::from(sample.half_points) / 2.0;
                let target = lambda * win_rate(sample.score.into()) + (1.0 - lambda) * result;
                // Every sample is seen mirrored in every other pass.
                let mirrored = (u64::from(index.wrapping_mul(0x9e37_79b1) >> 16) + pass) % 2 == 1;
                seen.backward(sample, mirrored, gradient, |logit| {
                    let predicted = logistic(logit);
                    2.0 * (predicted - target) * predicted * (1.0 - predicted)
                });
            }
        });
        let cosine = 0.5 + 0.5 * (done * std::f32::consts::PI).cos();
        let rate = self.plan.rate * (LAST_RATE + (1.0 - LAST_RATE) * cosine);
        self.adam.step(&self.gradients, 1.0 / batch.len() as f32, rate, self.plan.decay);
        limit(&mut self.adam.numbers);
        self.step += 1;
    }

    fn report(&mut self, pass: u64, monitor: &Monitor, bar: &indicatif::ProgressBar) {
        let network = Parameters(self.adam.mean.clone());
        let validation = measure(&self.samples.validation, |sample| network.logit(sample));
        let learned = &self.samples.train[..self.samples.validation.len().min(self.samples.train.len())];
        let training = measure(learned, |sample| network.logit(sample));
        let numbers = [pass as f64, training.error, validation.error, validation.accuracy];
        self.history.push(numbers.map(|number| number as f32));
        bar.suspend(|| {
            monitor.say(format!(
                "pass {pass} of {}: error in win rate {:.4} on what it learns from, {:.4} on validation, result told {:.2} %",
                self.plan.passes,
                training.error,
                validation.error,
                100.0 * validation.accuracy
            ));
        });
    }

    /// Writes weights and plot.
    fn finish(&self, monitor: &Monitor) -> Result<(), LearnError> {
        let output = &self.plan.output;
        let network = Parameters(self.adam.mean.clone());
        let target = |sample: &Sample| f32::from(sample.progress) / 128.0;
        // Few positions make few steps a pass, and a few hundred steps are needed.
        let passes = (300 * linear::BATCH / self.samples.train.len()).clamp(2, 300);
        let progress = Linear::fit(&self.samples.train, 1.0, passes, target);
        let plain = PlainNetwork { progress: quantise_progress(&progress), ..quantise(&network) };
        let fail = |error| LearnError::output(output, error);
        let integers = Network::new(&plain).map_err(fail)?;
        let rounding = rounding_error(&network, &integers, &self.samples.validation);
        monitor.say(format!("integers differ from floating point by {rounding:.2} cp in the mean"));
        let last = self.history.last().copied().unwrap_or_default();
        let provenance = format!(
            "value network, {} positions ({:?}) of {}, lambda {}, {} passes, batch {}, rate {}, decay {}, seed {}; \
             validation by game: error in win rate {:.4}, result told {:.2} %; rounding {rounding:.2} cp{}",
            self.samples.train.len(),
            self.plan.positions,
            names(&self.plan.records),
            self.plan.lambda,
            self.plan.passes,
            self.plan.batch,
            self.plan.rate,
            self.plan.decay,
            self.plan.seed,
            last[2],
            100.0 * last[3],
            mark(self.plan)
        );
        weights::write_file(output, &plain.to_file(&provenance)).map_err(|error| fail(error.into()))?;
        monitor.say(format!("wrote {}", output.display()));
        let picture = output.with_extension("svg");
        let curve = |column: usize| -> Vec<(f64, f64)> {
            self.history.iter().map(|row| (row[0].into(), row[column].into())).collect()
        };
        let (training, validation) = (curve(1), curve(2));
        plot::curves(
            &picture,
            "Learning the static evaluation",
            ["pass", "error in win rate"],
            &[
                Curve { name: "positions learned from", points: &training },
                Curve { name: "validation games", points: &validation },
            ],
        )?;
        monitor.say(format!("wrote {}", picture.display()));
        Ok(())
    }
}

/// Mean difference between the network and its integers in centipawns, where the value is within ±2,000.
fn rounding_error(network: &Parameters, integers: &Network, samples: &[Sample]) -> f64 {
    let path = Path::best();
    let (mut sum, mut count) = (0.0, 0.0);
    for sample in samples {
        let exact = network.logit(sample) * CP_SCALE;
        if exact.abs() <= 2000.0 {
            // Features are seen by the side to move, so it plays Black here.
            let views = integers.accumulate_features(path, &sample.features);
            sum += f64::from((integers.output(path, &views, Color::Black) as f32 - exact).abs());
            count += 1.0;
        }
    }
    sum / f64::max(count, 1.0)
}

/// File names without their folders, which mean nothing elsewhere.
fn names(paths: &[PathBuf]) -> String {
    let names: Vec<_> =
        paths.iter().filter_map(|path| path.file_name()).map(|name| name.to_string_lossy()).collect();
    names.join(", ")
}

/// The order of the samples in a pass.
fn order(count: usize, seed: u64, pass: u64) -> Vec<u32> {
    let mut order: Vec<u32> = (0..count as u32).collect();
    order.shuffle(&mut Pcg64Mcg::seed_from_u64(seed ^ (pass + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)));
    order
}

/// Where training starts: small feature weights and accumulators a little above zero learned fastest of what was tried.
fn initial(seed: u64) -> Parameters {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut parameters = Parameters(vec![0.0; COUNT]);
    let inputs = |layer: Layer| match layer {
        Layer::First => 512.0_f32,
        _ => 32.0,
    };
    for layer in [Layer::Features, Layer::First, Layer::Second, Layer::Output] {
        let width = if layer == Layer::Features { 0.04 } else { (3.0 / inputs(layer)).sqrt() };
        for number in &mut parameters.0[layer.range()] {
            *number = random.random_range(-width..width);
        }
    }
    parameters.0[Layer::FeatureBias.range()].fill(0.1);
    parameters
}
