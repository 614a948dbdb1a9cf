//! How balanced policies are: the mean squared error of the mean reward of their playouts.

use rayon::prelude::*;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use super::course::{Families, Playouts};
use super::estimator::mean;
use super::plan::Settings;
use super::positions::{Drawn, draw, read};
use super::teacher::{Pool, Teacher};
use crate::eval::Network;
use crate::learn::plot::{self, Curve};
use crate::learn::{LearnError, Monitor};
use crate::policy::{Moment, Narrowing, Policy, Weights};

/// A kind of policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Every candidate is as likely as the other.
    Uniform,
    /// As in the records.
    Transition,
    /// Balanced.
    Balancing,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Uniform, Self::Transition, Self::Balancing];

    /// Its name as an option.
    pub fn name(self) -> &'static str {
        match self {
            Self::Uniform => "uniform",
            Self::Transition => "transition",
            Self::Balancing => "balancing",
        }
    }

    /// The policy, with these weights where it is the balancing one.
    pub fn policy(self, balancing: &Arc<Weights>, candidates: usize) -> Policy {
        let (transition, narrowing) =
            (Weights::embedded_playout(), Narrowing { count: candidates, ..Narrowing::default() });
        match self {
            Self::Uniform => Policy::uniform(transition, narrowing),
            Self::Transition => Policy::transition(transition, narrowing),
            Self::Balancing => Policy::balancing(transition, Arc::clone(balancing), narrowing),
        }
    }
}

/// What is looked at.
pub struct Subject<'a> {
    /// The positions.
    pub positions: &'a [Drawn],
    /// How playouts are made.
    pub settings: &'a Settings,
    /// The weights of the balancing policy.
    pub balancing: &'a Arc<Weights>,
    /// Where random numbers start.
    pub seed: u64,
}

impl Subject<'_> {
    /// Where the random numbers for a position start, by what they are for.
    fn seed(&self, position: usize, purpose: u64) -> u64 {
        self.seed ^ (position as u64 * 8 + purpose + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// The mean reward of so many playouts by a policy at each position.
    pub fn means(&self, kind: Kind, playouts: u32) -> Vec<f32> {
        let network = Network::embedded();
        let families = Families::new(&[]).expect("no name is wrong");
        let policy = kind.policy(self.balancing, self.settings.candidates);
        let one = |(number, drawn): (usize, &Drawn)| {
            let mut course =
                Playouts::new(drawn.walker(), &network, policy.clone(), self.settings, &families, None);
            mean(&mut course, playouts, &mut Pcg64Mcg::seed_from_u64(self.seed(number, kind as u64)))
        };
        self.positions.par_iter().enumerate().with_max_len(1).map(one).collect()
    }

    /// What a tree search with the policy says of each position.
    pub fn taught(&self, kind: Kind) -> Vec<f32> {
        let pool = Pool::default();
        let make = || {
            let mut teacher = Teacher::new(self.settings, kind.name());
            teacher.set_balancing(self.balancing);
            teacher
        };
        let one = |(number, drawn): (usize, &Drawn)| {
            pool.with(make, |teacher| teacher.value(&drawn.walker(), self.seed(number, 4 + kind as u64)))
        };
        self.positions.par_iter().enumerate().with_max_len(1).map(one).collect()
    }

    /// How unequal the probabilities of candidates are at each position: their standard deviation.
    fn unevenness(&self, kind: Kind) -> Vec<f32> {
        let network = Network::embedded();
        let policy = kind.policy(self.balancing, self.settings.candidates);
        let one = |drawn: &Drawn| {
            let mut walker = drawn.walker();
            let moment = Moment::of_game(network.progress(walker.position()));
            let candidates = policy.candidates(&mut walker, moment);
            let even = 1.0 / candidates.len() as f32;
            let variance = candidates.iter().map(|(_, p)| (p - even) * (p - even)).sum::<f32>() * even;
            variance.sqrt()
        };
        self.positions.par_iter().map(one).collect()
    }
}

/// The mean squared difference.
pub fn mean_squared_error(a: &[f32], b: &[f32]) -> f64 {
    let sum: f64 = a.iter().zip(b).map(|(a, b)| f64::from(a - b).powi(2)).sum();
    sum / a.len().max(1) as f64
}

/// Plies at the beginning of games from which no positions are drawn.
const OPENING: usize = 30;

/// What to compare policies on.
pub struct Comparison<'a> {
    /// Files of games, of which those kept apart for the last test are used.
    pub files: &'a [PathBuf],
    /// How many positions of them.
    pub positions: usize,
    /// Playouts for each mean.
    pub playouts: u32,
    /// How playouts are made.
    pub settings: Settings,
    /// The balancing policy.
    pub balancing: Arc<Weights>,
    /// Where the plot of unevenness goes, if anywhere.
    pub plot: Option<&'a Path>,
}

/// The paper's table: each policy's error against the tree search with the balancing policy, and with its own; then the
/// mean unevenness of its choices.
pub fn compare(comparison: &Comparison, monitor: &Monitor) -> Result<String, LearnError> {
    let games = read(comparison.files, monitor)?;
    let positions = draw(&games.test, comparison.positions, OPENING, false, 1);
    if positions.is_empty() {
        return Err(LearnError::NothingToLearn("no positions in the games for the test"));
    }
    let Comparison { settings, balancing, .. } = comparison;
    let subject = Subject { positions: &positions, settings, balancing, seed: 1 };
    let balanced = subject.taught(Kind::Balancing);
    let mut text = format!(
        "{} positions, {} playouts, tree search of {}, reward {}\n{:<12}{:>20}{:>20}{:>12}{:>12}\n",
        positions.len(),
        comparison.playouts,
        settings.teacher_playouts,
        settings.reward.name(),
        "",
        "balancing teacher",
        "own teacher",
        "mean B(s)",
        "bias"
    );
    let mut uneven = Vec::new();
    for kind in Kind::ALL {
        let means = subject.means(kind, comparison.playouts);
        let own = if kind == Kind::Balancing { balanced.clone() } else { subject.taught(kind) };
        let unevenness = subject.unevenness(kind);
        let bias = means.iter().zip(&balanced).map(|(a, b)| a - b).sum::<f32>() / means.len() as f32;
        let _ = writeln!(
            text,
            "{:<12}{:>20.4}{:>20.4}{:>12.4}{bias:>+12.4}",
            kind.name(),
            mean_squared_error(&means, &balanced),
            mean_squared_error(&means, &own),
            unevenness.iter().sum::<f32>() / unevenness.len() as f32
        );
        uneven.push((kind.name(), distribution(&unevenness)));
    }
    if let Some(path) = comparison.plot {
        let curves: Vec<Curve> = uneven[1..].iter().map(|(name, points)| Curve { name, points }).collect();
        plot::curves(path, "How unequal candidates are: B(s)", ["B(s)", "% of positions"], &curves)?;
    }
    Ok(text)
}

/// The share of numbers from 0 to 0.25 in each of 25 classes, in per cent.
fn distribution(numbers: &[f32]) -> Vec<(f64, f64)> {
    let mut counts = [0_u32; 25];
    for number in numbers {
        counts[((number * 100.0) as usize).min(24)] += 1;
    }
    let share = |count: u32| 100.0 * f64::from(count) / numbers.len().max(1) as f64;
    counts.iter().enumerate().map(|(class, &count)| (class as f64 / 100.0 + 0.005, share(count))).collect()
}
