//! The run: batches of positions, each with its estimates and its teacher, pass after pass.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use rayon::prelude::*;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::assess::{Kind, Subject, mean_squared_error};
use super::course::{Families, Playouts};
use super::estimator::{Counts, Estimate, Gradient, estimate, update};
use super::plan::{Method, Part, Plan, Settings, Teaching};
use super::positions::{Drawn, draw, read};
use super::teacher::{Pool, Teacher};
use crate::eval::Network;
use crate::eval::weights;
use crate::learn::adam::Adam;
use crate::learn::checkpoint::{self, Checkpoint};
use crate::learn::plot::{self, Curve};
use crate::learn::{LearnError, Monitor};
use crate::policy::features::{COUNT, TOTAL};
use crate::policy::weights::{NUMBERS, PHASES, number};
use crate::policy::{Look, Stages, Weights};

/// Adam does not follow gradients below this at the full rate: features that hardly occur stay small.
const FLOOR: f32 = 1e-5;

/// Learns the balancing policy by a plan.
pub fn run(plan: &Plan, monitor: &Monitor) -> Result<(), LearnError> {
    // Before hours of work: is there a place for the result?
    if let Some(folder) = plan.output.parent() {
        std::fs::create_dir_all(folder).map_err(|error| LearnError::output(folder, error))?;
    }
    let start = beginning(plan)?;
    let games = read(&plan.records, monitor)?;
    let scored = plan.teacher == Teaching::Recorded;
    let (learned, others) = match plan.part {
        Part::Train => (&games.train, &games.validation),
        Part::Validation => (&games.validation, &games.test),
    };
    let train = draw(learned, plan.positions, plan.opening, scored, plan.seed);
    let validation = draw(others, plan.validation, plan.opening, scored, plan.seed);
    if train.is_empty() || validation.is_empty() {
        return Err(LearnError::NothingToLearn("too few games in the records"));
    }
    drop(games);
    monitor.say(format!("{} positions to learn from, {} to validate by", train.len(), validation.len()));
    let kept = checkpoint::path_for(&plan.output);
    let mut run = Run::new(plan, &train, &validation, start);
    checkpoint::resume(&kept, monitor, |found| run.resume(found));
    if !run.learn(&kept, monitor)? {
        monitor.say(format!("stopped, kept in {}", kept.display()));
        return Ok(());
    }
    run.draw_plots(monitor)?;
    // Nobody needs it any more; where it cannot be removed it does no harm.
    let _ = std::fs::remove_file(&kept);
    Ok(())
}

/// The weights to begin with, by phase, before they are sharpened; empty for zero.
fn beginning(plan: &Plan) -> Result<Vec<f32>, LearnError> {
    let Some(weights) = plan.start.weights()? else { return Ok(Vec::new()) };
    if !plan.last_plies && weights.stages() == Stages::Playout {
        return Err(LearnError::NothingToLearn(
            "start: these weights are for the last plies; say last_plies = true",
        ));
    }
    let mut numbers = weights.numbers();
    if plan.last_plies && weights.stages() == Stages::Game {
        // What is known by phase of the game is the same at all plies.
        for feature in 0..COUNT {
            let mean = (0..PHASES).map(|phase| numbers[number(phase, feature)]).sum::<f32>() / PHASES as f32;
            (0..PHASES).for_each(|phase| numbers[number(phase, feature)] = mean);
        }
    }
    Ok(numbers)
}

/// How many weights are learned: those of the last plies one by one, or the same for all phases of the game, for there are
/// few positions.
fn numbers_of(plan: &Plan) -> usize {
    if plan.last_plies { NUMBERS } else { TOTAL }
}

/// What is learned.
enum Numbers {
    Plain(Vec<f32>),
    Adam(Box<Adam>),
}

/// A run under way.
struct Run<'a> {
    plan: &'a Plan,
    settings: Settings,
    families: Families,
    train: &'a [Drawn],
    validation: &'a [Drawn],
    network: Arc<Network>,
    /// What weights begin with, by phase, before they are sharpened; empty for zero.
    start: Vec<f32>,
    numbers: Numbers,
    /// Batches done.
    step: u64,
    /// The error on validation before each pass and at the end.
    errors: Vec<f32>,
    order: (u64, Vec<u32>),
    pool: Pool,
    gradients: parking_lot::Mutex<Vec<Gradient>>,
}

impl<'a> Run<'a> {
    fn new(plan: &'a Plan, train: &'a [Drawn], validation: &'a [Drawn], start: Vec<f32>) -> Self {
        let zeros = vec![0.0; numbers_of(plan)];
        let numbers = match plan.method {
            Method::Plain => Numbers::Plain(zeros),
            Method::Adam => Numbers::Adam(Box::new(Adam::with_floor(zeros, FLOOR))),
        };
        Self {
            plan,
            settings: plan.settings(),
            families: Families::new(&plan.families).expect("the plan was checked"),
            train,
            validation,
            network: Network::embedded(),
            start,
            numbers,
            step: 0,
            errors: Vec::new(),
            order: (u64::MAX, Vec::new()),
            pool: Pool::default(),
            gradients: parking_lot::Mutex::default(),
        }
    }

    fn fingerprint(&self) -> u64 {
        // Other records or weights under the same names are another run.
        let start: Vec<u8> = self.start.iter().flat_map(|weight| weight.to_le_bytes()).collect();
        let positions = self.train.iter().map(|drawn| format!("{} {:?} ", drawn.plies(), drawn.recorded));
        let found = format!("{:08x} {}", crc32fast::hash(&start), positions.collect::<String>());
        self.plan.fingerprint() ^ checkpoint::fingerprint(&found)
    }

    fn resume(&mut self, found: &Checkpoint) -> bool {
        let Some((errors, groups)) = found.numbers.split_last() else { return false };
        if found.fingerprint != self.fingerprint() || found.step > self.steps() {
            return false;
        }
        let numbers = match &self.numbers {
            Numbers::Plain(theta) => match groups {
                [only] if only.len() == theta.len() => Numbers::Plain(only.clone()),
                _ => return false,
            },
            Numbers::Adam(adam) => match adam.restored(found.step, groups) {
                Some(adam) => Numbers::Adam(Box::new(adam)),
                None => return false,
            },
        };
        (self.numbers, self.step) = (numbers, found.step);
        self.errors.clone_from(errors);
        true
    }

    fn keep(&self, path: &Path) -> Result<(), LearnError> {
        let mut numbers = match &self.numbers {
            Numbers::Plain(theta) => vec![theta.clone()],
            Numbers::Adam(adam) => adam.groups(),
        };
        numbers.push(self.errors.clone());
        let checkpoint = Checkpoint { fingerprint: self.fingerprint(), step: self.step, numbers };
        checkpoint.save(path).map_err(|error| LearnError::output(path, error))
    }

    fn steps_a_pass(&self) -> u64 {
        self.train.len().div_ceil(self.plan.batch) as u64
    }

    fn steps(&self) -> u64 {
        self.steps_a_pass() * u64::from(self.plan.passes)
    }

    /// What was learned, to go by while learning or as the result.
    fn theta(&self, result: bool) -> &[f32] {
        match &self.numbers {
            Numbers::Plain(theta) => theta,
            Numbers::Adam(adam) if result => &adam.mean,
            Numbers::Adam(adam) => &adam.numbers,
        }
    }

    fn weights(&self, result: bool) -> Result<Weights, LearnError> {
        let sharpness = self.plan.sharpness;
        let mut all = if self.start.is_empty() { vec![0.0; NUMBERS] } else { self.start.clone() };
        for (feature, learned) in
            self.theta(result).iter().enumerate().filter(|(_, learned)| **learned != 0.0)
        {
            let learned = learned / sharpness;
            if self.plan.last_plies {
                all[feature] += learned;
                continue;
            }
            // The same in all phases of the game; hashed features are so anyway.
            let phases = if feature < COUNT { PHASES } else { 1 };
            (0..phases).for_each(|phase| all[number(phase, feature)] += learned);
        }
        Weights::from_numbers(&all, Look::Glance, self.plan.stages().unwrap_or_default())
            .map(|weights| weights.sharpened(sharpness))
            .map_err(|error| LearnError::output(&self.plan.output, error))
    }

    /// Goes through the passes; false where it was stopped.
    fn learn(&mut self, kept: &Path, monitor: &Monitor) -> Result<bool, LearnError> {
        let bar = monitor.bar(self.steps());
        let mut last_kept = Instant::now();
        let mut began = Instant::now();
        let (mut errors, mut count) = (0.0, 0);
        loop {
            let pass = self.step / self.steps_a_pass();
            if self.step.is_multiple_of(self.steps_a_pass()) && self.errors.len() as u64 <= pass {
                let seconds = began.elapsed().as_secs_f64();
                let error = self.validate()?;
                self.errors.push(error);
                if pass > 0 {
                    self.write(monitor)?;
                }
                bar.suspend(|| {
                    monitor.say(if count > 0 {
                        let errors = errors / f64::from(count);
                        format!("pass {pass}: error {error:.4}, while learning {errors:.4}, {seconds:.0} s")
                    } else {
                        format!("pass {pass}: error {error:.4}")
                    });
                });
                (errors, count, began) = (0.0, 0, Instant::now());
            }
            let done = self.step == self.steps();
            let stopped = monitor.stopped();
            if !done && (stopped || last_kept.elapsed() >= Duration::from_secs(self.plan.checkpoint_seconds))
            {
                self.keep(kept)?;
                last_kept = Instant::now();
            }
            if done || stopped {
                bar.finish_and_clear();
                return Ok(done);
            }
            for error in self.take_step()? {
                errors += f64::from(error).powi(2);
                count += 1;
            }
            bar.set_position(self.step);
            bar.set_message(format!("error {:.4}", errors / f64::from(count.max(1))));
        }
    }

    /// One batch; how far the means of its positions were from what they are taught to be.
    fn take_step(&mut self) -> Result<Vec<f32>, LearnError> {
        let pass = self.step / self.steps_a_pass();
        if self.order.0 != pass {
            let mut order: Vec<u32> = (0..self.train.len() as u32).collect();
            order.shuffle(&mut Pcg64Mcg::seed_from_u64(mix(self.plan.seed, pass + 1)));
            self.order = (pass, order);
        }
        let start = (self.step % self.steps_a_pass()) as usize * self.plan.batch;
        let batch = &self.order.1[start..self.order.1.len().min(start + self.plan.batch)];
        let weights = Arc::new(self.weights(false)?);
        // Each position has random numbers of its own, and results come in the order of the batch.
        let found: Vec<(f32, Estimate)> = batch
            .par_iter()
            .with_max_len(1)
            .map(|&number| {
                let seed = mix(self.plan.seed, (pass + 1) << 32 | u64::from(number));
                self.look(&self.train[number as usize], &weights, seed)
            })
            .collect();
        let (taught, estimates): (Vec<f32>, Vec<Estimate>) = found.into_iter().unzip();
        match &mut self.numbers {
            Numbers::Plain(theta) => update(theta, self.plan.rate, &estimates),
            Numbers::Adam(adam) => {
                // Adam goes down.
                let mut gradient = vec![0.0; numbers_of(self.plan)];
                update(&mut gradient, -1.0, &estimates);
                adam.step(&[gradient], 1.0 / estimates.len() as f32, self.plan.rate, 0.0);
            }
        }
        self.step += 1;
        Ok(taught.iter().zip(&estimates).map(|(target, estimate)| target - estimate.value).collect())
    }

    /// What the teacher and the playouts say of a position.
    fn look(&self, drawn: &Drawn, weights: &Arc<Weights>, seed: u64) -> (f32, Estimate) {
        let walker = drawn.walker();
        let target = match drawn.recorded {
            Some(recorded) if self.plan.teacher == Teaching::Recorded => recorded,
            _ => self.pool.with(
                || Teacher::new(&self.settings, Kind::Balancing.name()),
                |teacher| {
                    teacher.set_balancing(weights);
                    teacher.value(&walker, seed)
                },
            ),
        };
        let policy = Kind::Balancing.policy(weights, self.settings.candidates);
        let mut course =
            Playouts::new(walker, &self.network, policy, &self.settings, &self.families, self.plan.stages());
        let counts = Counts {
            value: self.plan.value_playouts,
            gradient: self.plan.gradient_playouts,
            baseline: self.plan.baseline,
            together: self.plan.together,
        };
        let free = self.gradients.lock().pop();
        let mut gradient = free.unwrap_or_else(|| Gradient::new(numbers_of(self.plan)));
        let found = estimate(&mut course, counts, target, &mut Pcg64Mcg::seed_from_u64(!seed), &mut gradient);
        self.gradients.lock().push(gradient);
        (target, found)
    }

    /// The error on the validation positions.
    fn validate(&self) -> Result<f32, LearnError> {
        let weights = Arc::new(self.weights(true)?);
        let subject = Subject {
            positions: self.validation,
            settings: &self.settings,
            balancing: &weights,
            seed: self.plan.seed,
        };
        let means = subject.means(Kind::Balancing, self.plan.validation_playouts);
        let taught = match self.plan.teacher {
            Teaching::Uct => subject.taught(Kind::Balancing),
            Teaching::Recorded => self.validation.iter().filter_map(|drawn| drawn.recorded).collect(),
        };
        Ok(mean_squared_error(&means, &taught) as f32)
    }

    fn write(&self, monitor: &Monitor) -> Result<(), LearnError> {
        let output = &self.plan.output;
        let plan = self.plan;
        let provenance = format!(
            "balancing policy, {} of {} passes over {} positions of games for {:?}, M {}, N {}, teacher {:?} {}, {:?} from {} times {}, last plies {}, rate {}, \
             batch {}, reward {:?} {}, cutoff {}, leaf weight {}, tempo {}, mates {}, baseline {}, together {}, seed {}; error by pass {:.4?}",
            self.errors.len() - 1,
            plan.passes,
            self.train.len(),
            plan.part,
            plan.value_playouts,
            plan.gradient_playouts,
            plan.teacher,
            plan.teacher_playouts,
            plan.method,
            plan.start,
            plan.sharpness,
            plan.last_plies,
            plan.rate,
            plan.batch,
            plan.reward,
            plan.threshold,
            plan.cutoff.name(),
            plan.leaf_weight,
            plan.tempo,
            plan.mate.name(),
            plan.baseline,
            plan.together,
            plan.seed,
            self.errors
        );
        let bytes = self.weights(true)?.to_file(&provenance);
        let bytes = bytes.map_err(|error| LearnError::output(output, error))?;
        weights::write_file(output, &bytes).map_err(|error| LearnError::output(output, error))?;
        monitor.say(format!("wrote {}", output.display()));
        Ok(())
    }

    /// The error by pass, and how many weights have which size.
    fn draw_plots(&self, monitor: &Monitor) -> Result<(), LearnError> {
        let path = self.plan.output.with_extension("error.svg");
        let points: Vec<(f64, f64)> =
            self.errors.iter().enumerate().map(|(pass, &error)| (pass as f64, f64::from(error))).collect();
        let curve = Curve { name: "validation", points: &points };
        plot::curves(&path, "Balancing: mean squared error", ["pass", "error"], &[curve])?;
        monitor.say(format!("wrote {}", path.display()));
        let path = self.plan.output.with_extension("histogram.svg");
        let used: Vec<f32> = self.theta(true).iter().copied().filter(|x| *x != 0.0).collect();
        plot::histogram(&path, "Weights of the balancing policy", "weight", &used)?;
        monitor.say(format!("wrote {}", path.display()));
        Ok(())
    }
}

fn mix(seed: u64, number: u64) -> u64 {
    (seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xd1b5_4a32_d192_ed03)
}
