//! The run: each method finds its strengths, all are compared on the validation games, the best becomes the weights.

use indicatif::ProgressBar;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::choices;
use super::curves::{self, Curves, Measured, RANKS};
use super::examples::Examples;
use super::plan::{Method, Plan};
use super::stochastic::{LEARNED, Stochastic};
use super::{conjugate, frequency, minorisation};
use crate::eval::{Network, weights};
use crate::learn::checkpoint::{self, Checkpoint};
use crate::learn::plot::{self, Curve};
use crate::learn::records::batches::in_batches;
use crate::learn::records::{Game, Split};
use crate::learn::{LearnError, Monitor};
use crate::policy::features::{FAMILIES, HASHED_FAMILIES};
use crate::policy::weights::{NUMBERS, PHASES, number};
use crate::policy::{Stages, Weights};

/// Where the families of features begin, in every phase.
fn families() -> Vec<usize> {
    let phased = (0..PHASES).flat_map(|phase| FAMILIES.iter().map(move |(_, start)| number(phase, *start)));
    phased.chain(HASHED_FAMILIES.iter().map(|(_, start)| number(0, *start))).collect()
}

/// The games of a run.
struct Games {
    train: Vec<Game>,
    validation: Vec<Game>,
    /// Where the validation games of each file end.
    files: Vec<(String, usize)>,
}

/// Learns the transition policy by a plan.
pub fn run(plan: &Plan, monitor: &Monitor) -> Result<(), LearnError> {
    // Before hours of work: is there a place for the result?
    if let Some(folder) = plan.output.parent() {
        std::fs::create_dir_all(folder).map_err(|error| LearnError::output(folder, error))?;
    }
    let games = read(&plan.records, monitor)?;
    if games.train.is_empty() || games.validation.is_empty() {
        return Err(LearnError::NothingToLearn("too few games in the records"));
    }
    monitor.say(format!(
        "{} games to learn from, {} to validate by",
        games.train.len(),
        games.validation.len()
    ));
    let kept = checkpoint::path_for(&plan.output);
    let mut run = Run::new(plan, &games);
    checkpoint::resume(&kept, monitor, |found| run.resume(found));
    if !run.learn(&kept, monitor)? {
        monitor.say(format!("stopped, kept in {}", kept.display()));
        return Ok(());
    }
    run.finish(monitor)?;
    // Nobody needs it any more; where it cannot be removed it does no harm.
    let _ = std::fs::remove_file(&kept);
    Ok(())
}

fn read(files: &[PathBuf], monitor: &Monitor) -> Result<Games, LearnError> {
    let mut games = Games { train: Vec::new(), validation: Vec::new(), files: Vec::new() };
    for path in files {
        let tally = in_batches(path, monitor, |batch| {
            for game in batch {
                match game.split() {
                    Split::Train => games.train.push(game.clone()),
                    Split::Validation => games.validation.push(game.clone()),
                    Split::Test => {}
                }
            }
        })?;
        monitor.say(format!("{}: {tally}", path.display()));
        let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        games.files.push((name, games.validation.len()));
    }
    Ok(games)
}

/// A run under way.
struct Run<'a> {
    plan: &'a Plan,
    games: &'a Games,
    network: Arc<Network>,
    /// What the methods found, in the order of the plan.
    found: Vec<Vec<f32>>,
    /// Where Adam was interrupted: its step and numbers.
    interrupted: Option<(u64, Vec<Vec<f32>>)>,
    /// The positions for methods that need all of them at once, made when needed.
    examples: Option<Examples>,
}

impl<'a> Run<'a> {
    fn new(plan: &'a Plan, games: &'a Games) -> Self {
        let network = Network::embedded();
        Self { plan, games, network, found: Vec::new(), interrupted: None, examples: None }
    }

    fn fingerprint(&self) -> u64 {
        // Other records under the same names are another run.
        self.plan.fingerprint() ^ (self.games.train.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn resume(&mut self, found: &Checkpoint) -> bool {
        if found.fingerprint != self.fingerprint() {
            return false;
        }
        // Adam keeps four groups while it is under way, the methods before it one each.
        let under_way = if found.step > 0 { 4 } else { 0 };
        let Some(done) = found.numbers.len().checked_sub(under_way) else { return false };
        let (done, groups) = found.numbers.split_at(done);
        let fits = |groups: &[Vec<f32>], size| groups.iter().all(|group| group.len() == size);
        if !fits(done, NUMBERS) || !fits(groups, LEARNED) {
            return false;
        }
        self.found = done.to_vec();
        self.interrupted = (found.step > 0).then(|| (found.step, groups.to_vec()));
        true
    }

    fn keep(&self, step: u64, groups: Vec<Vec<f32>>, path: &Path) -> Result<(), LearnError> {
        let mut numbers = self.found.clone();
        numbers.extend(groups);
        let checkpoint = Checkpoint { fingerprint: self.fingerprint(), step, numbers };
        checkpoint.save(path).map_err(|error| LearnError::output(path, error))
    }

    /// How well strengths tell what was played in games, by at most so many positions.
    fn measure(&self, games: &[Game], theta: &[f32], most: usize) -> Measured {
        curves::measure(games, &self.network, self.plan.look, theta, most)
    }

    /// Goes through the methods; false where it was stopped.
    fn learn(&mut self, kept: &Path, monitor: &Monitor) -> Result<bool, LearnError> {
        while let Some(&method) = self.plan.methods.get(self.found.len()) {
            let began = Instant::now();
            let Some(theta) = self.strengths(method, kept, monitor)? else { return Ok(false) };
            let measured = self.measure(&self.games.validation, &theta, self.plan.validation);
            monitor.say(format!(
                "{}: loss {:.4} on validation, top 1 {:.2} %, top 16 {:.2} %, {:.0} s",
                method.name(),
                measured.all.loss(),
                100.0 * measured.all.agreement(1),
                100.0 * measured.all.agreement(16),
                began.elapsed().as_secs_f64()
            ));
            self.found.push(theta);
            self.keep(0, Vec::new(), kept)?;
        }
        Ok(true)
    }

    /// What a method finds; nothing where it was stopped.
    fn strengths(
        &mut self,
        method: Method,
        kept: &Path,
        monitor: &Monitor,
    ) -> Result<Option<Vec<f32>>, LearnError> {
        match method {
            Method::Uniform => return Ok(Some(vec![0.0; NUMBERS])),
            Method::Adam => return self.adam(kept, monitor),
            _ => {}
        }
        if self.examples.is_none() {
            let examples =
                choices::examples(&self.games.train, &self.network, self.plan.look, self.plan.positions);
            monitor.say(format!("{} positions for the methods that need all at once", examples.len()));
            self.examples = Some(examples);
        }
        let Some(examples) = &self.examples else { return Ok(None) };
        let go_on = || if monitor.stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        let conjugates =
            conjugate::Options { iterations: self.plan.iterations, ..conjugate::Options::default() };
        let filtered = |rounds: usize| {
            let (threshold, strength) = (self.plan.filter_below, self.plan.filter_to);
            let filtering = conjugate::Filtering { threshold, strength };
            conjugate::conjugate_with_filtering(examples, rounds, &filtering, &conjugates, |_, _| go_on()).0
        };
        let theta = match method {
            Method::Uniform | Method::Adam => return Ok(None),
            Method::Frequency => frequency::frequency(examples),
            Method::Minorisation => {
                // The same prior for both: it matters more than the method.
                let options = minorisation::Options {
                    sweeps: self.plan.sweeps,
                    prior: conjugates.prior,
                    ..minorisation::Options::default()
                };
                minorisation::minorisation(examples, &families(), &options, |_| go_on())
            }
            Method::Conjugate => filtered(0),
            Method::Filtered1 => filtered(1),
            Method::Filtered2 => filtered(2),
            Method::Filtered3 => filtered(3),
        };
        Ok((!monitor.stopped()).then_some(theta))
    }

    fn adam(&mut self, kept: &Path, monitor: &Monitor) -> Result<Option<Vec<f32>>, LearnError> {
        let network = Arc::clone(&self.network);
        let mut run = Stochastic::new(self.plan, &self.games.train, &network);
        if let Some((step, groups)) = self.interrupted.take()
            && let Some(adam) = run.adam.restored(step, &groups)
        {
            run.resume(step, adam);
            monitor.say(format!("Adam goes on from step {step} of {}", run.steps()));
        }
        let bar = monitor.bar(run.steps());
        let (mut last_kept, mut loss) = (Instant::now(), 0.0);
        while run.step < run.steps() {
            let surprise = run.take_step();
            loss = if loss > 0.0 { 0.99 * loss + 0.01 * surprise } else { surprise };
            bar.set_position(run.step);
            bar.set_message(format!("loss {loss:.4}"));
            self.tell(&run, loss, monitor, &bar);
            let stopped = monitor.stopped();
            if stopped || last_kept.elapsed() >= Duration::from_secs(self.plan.checkpoint_seconds) {
                self.keep(run.step, run.adam.groups(), kept)?;
                last_kept = Instant::now();
            }
            if stopped {
                bar.finish_and_clear();
                return Ok(None);
            }
        }
        bar.finish_and_clear();
        Ok(Some(run.weights()))
    }

    /// Ten lines a run.
    fn tell(&self, run: &Stochastic, loss: f64, monitor: &Monitor, bar: &ProgressBar) {
        if run.step.is_multiple_of((run.steps() / 10).max(1)) {
            let most = self.plan.validation.min(10_000);
            let measured = self.measure(&self.games.validation, &run.weights(), most);
            bar.suspend(|| {
                monitor.say(format!(
                    "step {} of {}: loss {loss:.4}, on validation {:.4}, top 1 {:.2} %",
                    run.step,
                    run.steps(),
                    measured.all.loss(),
                    100.0 * measured.all.agreement(1)
                ));
            });
        }
    }

    /// Compares, writes weights and plots.
    fn finish(&self, monitor: &Monitor) -> Result<(), LearnError> {
        let measure = |games: &[Game], theta: &[f32]| self.measure(games, theta, self.plan.validation);
        let measured: Vec<Measured> =
            self.found.iter().map(|theta| measure(&self.games.validation, theta)).collect();
        let names: Vec<&str> = self.plan.methods.iter().map(|method| method.name()).collect();
        let say_table = |rows: Vec<(&str, &Curves)>| {
            curves::table(&rows).lines().for_each(|line| monitor.say(line.to_owned()));
        };
        say_table(names.iter().copied().zip(measured.iter().map(|m| &m.all)).collect());
        for (phase, progress) in ["0-31", "32-63", "64-95", "96-127"].iter().enumerate() {
            monitor.say(format!("progress {progress}"));
            say_table(names.iter().copied().zip(measured.iter().map(|m| &m.phases[phase])).collect());
        }
        let best = (0..measured.len())
            .min_by(|&a, &b| measured[a].all.loss().total_cmp(&measured[b].all.loss()))
            .unwrap_or(0);
        monitor.say(format!("best: {}", names[best]));
        let mut start = 0;
        let by_file: Vec<(&str, Measured)> = self
            .games
            .files
            .iter()
            .map(|(name, end)| {
                let games = &self.games.validation[start..*end];
                start = *end;
                (name.as_str(), measure(games, &self.found[best]))
            })
            .collect();
        say_table(by_file.iter().map(|(name, measured)| (*name, &measured.all)).collect());
        self.write(names[best], &self.found[best], monitor)?;
        self.draw(&names, &measured, monitor)?;
        self.draw_histogram(&self.found[best], monitor)
    }

    fn write(&self, method: &str, theta: &[f32], monitor: &Monitor) -> Result<(), LearnError> {
        let output = &self.plan.output;
        let fail = |error| LearnError::output(output, error);
        // What is written is rounded: its own figures count.
        let weights = Weights::from_numbers(theta, self.plan.look, Stages::Game).map_err(fail)?;
        let measured = self.measure(&self.games.validation, &weights.numbers(), self.plan.validation);
        curves::table(&[("rounded", &measured.all)]).lines().for_each(|line| monitor.say(line.to_owned()));
        let files: Vec<&str> = self.games.files.iter().map(|(name, _)| name.as_str()).collect();
        let provenance = format!(
            "transition policy by {method}, {} games of {}, {} passes, {} games a step, rate {}, decay {}, seed {}; \
             validation by game: loss {:.4}, top 1 {:.2} %, top 16 {:.2} %",
            self.games.train.len(),
            files.join(", "),
            self.plan.passes,
            self.plan.games,
            self.plan.rate,
            self.plan.decay,
            self.plan.seed,
            measured.all.loss(),
            100.0 * measured.all.agreement(1),
            100.0 * measured.all.agreement(16)
        );
        let bytes = weights.to_file(&provenance);
        let bytes = bytes.map_err(|error| fail(error.into()))?;
        weights::write_file(output, &bytes).map_err(|error| fail(error.into()))?;
        monitor.say(format!("wrote {}", output.display()));
        Ok(())
    }

    /// Agreement and possession by rank.
    fn draw(&self, names: &[&str], measured: &[Measured], monitor: &Monitor) -> Result<(), LearnError> {
        for (what, pick) in [
            ("agreement", Curves::agreement as fn(&Curves, usize) -> f64),
            ("possession", Curves::possession as fn(&Curves, usize) -> f64),
        ] {
            let path = self.plan.output.with_extension(format!("{what}.svg"));
            let points: Vec<Vec<(f64, f64)>> = measured
                .iter()
                .map(|m| (1..=RANKS).map(|rank| (rank as f64, 100.0 * pick(&m.all, rank))).collect())
                .collect();
            let curves: Vec<Curve> =
                names.iter().zip(&points).map(|(name, points)| Curve { name, points }).collect();
            plot::curves(&path, &format!("Transition policy: {what}"), ["strongest moves", "%"], &curves)?;
            monitor.say(format!("wrote {}", path.display()));
        }
        Ok(())
    }

    /// How many weights have which size.
    fn draw_histogram(&self, theta: &[f32], monitor: &Monitor) -> Result<(), LearnError> {
        let path = self.plan.output.with_extension("histogram.svg");
        let used: Vec<f32> = theta.iter().copied().filter(|x| *x != 0.0).collect();
        plot::histogram(&path, "Weights of the transition policy", "weight", &used)?;
        monitor.say(format!("wrote {}", path.display()));
        Ok(())
    }
}
