//! Learning the static evaluation, on a few games that have scores.

mod gradients;
mod plans;
mod quantising;
mod samples;
mod training;

use parking_lot::Mutex;
use rayon::ThreadPoolBuilder;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};
use tenbin::eval::features::{mirror, opposite};
use tenbin::eval::network::{ACCUMULATORS, HIDDEN};
use tenbin::learn::checkpoint::Checkpoint;
use tenbin::learn::value::model::{Layer, Parameters};
use tenbin::learn::value::samples::Sample;
use tenbin::learn::{self, LearnError, Monitor};

use crate::eval::Folder;
use crate::records;

/// A few games with scores.
pub fn scored() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("engine_tests/data/records/scored.txt")
}

/// Writes a plan over the games with scores; where `more` says something of a field that holds instead.
fn plan(folder: &Folder, more: &str) -> PathBuf {
    let mut lines = vec!["kind = \"value\"".to_owned()];
    let defaults = [
        ("records", format!("['{}']", scored().display())),
        ("output", "'weights.bin'".to_owned()),
        ("batch", "1024".to_owned()),
        ("passes", "2".to_owned()),
        ("rate", "0.01".to_owned()),
        ("positions", "'quiet'".to_owned()),
    ];
    for (name, value) in defaults {
        if !more.lines().any(|line| line.starts_with(&format!("{name} "))) {
            lines.push(format!("{name} = {value}"));
        }
    }
    folder.write("plan.toml", format!("{}\n{more}\n", lines.join("\n")))
}

/// Does work on so many threads.
pub fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    ThreadPoolBuilder::new().num_threads(threads).build().expect("threads").install(work)
}

/// The weights that a plan's run wrote.
pub fn weights(plan: &Path) -> Vec<u8> {
    std::fs::read(plan.with_file_name("weights.bin")).expect("weights were written")
}

/// What became of a run, and what it said.
pub struct Run {
    result: Result<(), LearnError>,
    said: Vec<String>,
}

impl Run {
    /// Panics where the run ended with an error.
    pub fn sound(self) -> Vec<String> {
        self.result.unwrap_or_else(|error| panic!("{error} after {:#?}", self.said));
        self.said
    }

    /// The message of a run that ended with an error.
    pub fn error(self) -> String {
        let text = self.result.expect_err("it cannot be done").to_string();
        assert!(!text.is_empty() && !text.contains('\n'), "one line: {text:?}");
        text
    }
}

/// Learns by a plan; stopped when it says something that `stop` wants to hear.
pub fn run(plan: &Path, stop: impl Fn(&str) -> bool + Sync) -> Run {
    let (said, flag) = (Mutex::new(Vec::new()), AtomicBool::new(false));
    let say = |line: String| {
        if stop(&line) {
            flag.store(true, Ordering::Relaxed);
        }
        said.lock().push(line);
    };
    let result = learn::run(plan, &Monitor::new(&say, &flag).without_bar());
    Run { result, said: said.into_inner() }
}

/// Learns to the end.
pub fn learn(plan: &Path) -> Vec<String> {
    run(plan, |_| false).sound()
}

/// A network in floating point that has learned a little, from the checkpoint of a run that was stopped.
fn learned() -> &'static Parameters {
    static LEARNED: LazyLock<Parameters> = LazyLock::new(|| {
        let folder = Folder::new("learned");
        let plan = plan(&folder, "batch = 128\npasses = 9\nrate = 0.02\nround_from = 1.0");
        run(&plan, |line| line.starts_with("pass 6 ")).sound();
        let kept = Checkpoint::load(&folder.file("weights.bin.checkpoint")).expect("a checkpoint");
        // The numbers themselves, their mean, and what the optimiser remembers.
        Parameters(kept.numbers[1].clone())
    });
    &LEARNED
}

/// Every so many positions of the sample of games; how they were played is all that is known of them.
fn samples(every: usize) -> Vec<(tenbin::shogi::Position, Sample)> {
    let mut list = Vec::new();
    let mut count = 0;
    for game in records::sample() {
        let (mut number, length) = (0, game.0.moves.len());
        game.replay(|walker, _| {
            count += 1;
            if count % every == 0 {
                let (position, progress) = (walker.position(), (number * 128 / length) as u8);
                let sample = Sample::new(position, 0, 1, progress).expect("all pieces are there");
                list.push((position.clone(), sample));
            }
            number += 1;
        });
    }
    list
}

/// A forward pass in wide floating point, one number at a time.
struct Forward {
    logit: f64,
    /// Where each unit stands: below its corners, between or above them.
    pattern: Vec<u8>,
}

fn forward(numbers: &[f64], sample: &Sample, mirrored: bool) -> Forward {
    let mut pattern = Vec::new();
    let mut clip = |sum: f64| {
        pattern.push(u8::from(sum > 0.0) + u8::from(sum >= 1.0));
        sum.clamp(0.0, 1.0)
    };
    let layer = |layer: Layer| &numbers[layer.range()];
    let own = sample.features.map(|feature| if mirrored { mirror(feature) } else { feature });
    let mut inputs = Vec::new();
    for view in [own, own.map(opposite)] {
        let mut sums = layer(Layer::FeatureBias).to_vec();
        for feature in view {
            let row = &layer(Layer::Features)[usize::from(feature) * ACCUMULATORS..][..ACCUMULATORS];
            sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
        }
        inputs.extend(sums.into_iter().map(&mut clip));
    }
    for (weights, biases) in [(Layer::First, Layer::FirstBias), (Layer::Second, Layer::SecondBias)] {
        let mut outputs = Vec::new();
        for unit in 0..HIDDEN {
            let mut sum = layer(biases)[unit];
            for (i, input) in inputs.iter().enumerate() {
                sum += input * layer(weights)[i * HIDDEN + unit];
            }
            outputs.push(clip(sum));
        }
        inputs = outputs;
    }
    let products = inputs.iter().zip(layer(Layer::Output)).map(|(input, weight)| input * weight);
    let logit = products.sum::<f64>() + layer(Layer::OutputBias)[0];
    Forward { logit, pattern }
}
