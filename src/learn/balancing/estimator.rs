//! The estimates that balancing goes by: the mean reward of a policy's playouts, and its gradient.
//!
//! A policy is a softmax over the features of moves. With `ψ(s, a) = φ(s, a) − Σ π(s, b) φ(s, b)`, the gradient of ln π,
//! the gradient of the mean reward is the mean of `z Σ ψ` over playouts with the reward z, for both sides' plies: the same
//! weights play for both. Nothing here knows about shogi.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// A position that playouts pass through: how likely its moves are and what features they have.
#[derive(Clone, Debug, Default)]
pub struct Place {
    /// The probability of each move.
    pub probabilities: Vec<f32>,
    /// The features of all moves one after the other, and where those of each end; both empty until they are needed.
    pub features: Vec<u32>,
    /// See `features`.
    pub ends: Vec<u32>,
    /// How much of ψ of each move is to be added to the gradient.
    shares: Vec<f32>,
}

impl Place {
    /// A place whose moves are so likely; their features can be added when they are needed.
    pub fn new(probabilities: Vec<f32>) -> Self {
        Self { probabilities, ..Self::default() }
    }

    /// A move by chance.
    #[inline]
    pub fn sample(&self, random: &mut Pcg64Mcg) -> usize {
        let mut rest = random.random::<f32>();
        for (mv, probability) in self.probabilities.iter().enumerate() {
            rest -= probability;
            if rest < 0.0 {
                return mv;
            }
        }
        // Rounding may leave a trace.
        self.probabilities.len() - 1
    }

    /// Adds the features of a move; moves come in order.
    pub fn add_features(&mut self, features: impl IntoIterator<Item = u32>) {
        self.features.extend(features);
        self.ends.push(self.features.len() as u32);
    }

    /// Counts `share` of ψ of a move.
    fn count(&mut self, mv: usize, share: f32) {
        self.shares.resize(self.probabilities.len(), 0.0);
        self.shares[mv] += share;
    }

    /// Adds what was counted to a gradient, and forgets it. All that was counted is `Σ share (φ − Σ π φ)`, so every move's
    /// features come in once.
    pub fn add_to(&mut self, gradient: &mut Gradient) {
        let total: f32 = self.shares.iter().sum();
        let mut start = 0;
        for ((share, probability), &end) in self.shares.iter().zip(&self.probabilities).zip(&self.ends) {
            let amount = share - total * probability;
            for &feature in &self.features[start as usize..end as usize] {
                gradient.add(feature, amount);
            }
            start = end;
        }
        self.shares.clear();
    }
}

/// A sum over few of many features.
#[derive(Clone, Debug)]
pub struct Gradient {
    sums: Vec<f32>,
    touched: Vec<u32>,
}

/// The numbers of features and their sums.
pub type Sparse = Vec<(u32, f32)>;

impl Gradient {
    /// Nothing yet, over features below `count`.
    pub fn new(count: usize) -> Self {
        Self { sums: vec![0.0; count], touched: Vec::new() }
    }

    /// Adds to a feature.
    #[inline]
    pub fn add(&mut self, feature: u32, amount: f32) {
        let sum = &mut self.sums[feature as usize];
        if *sum == 0.0 {
            self.touched.push(feature);
        }
        *sum += amount;
    }

    /// The sums by feature; begins anew.
    pub fn take(&mut self) -> Sparse {
        self.touched.sort_unstable();
        self.touched.dedup();
        let mut sums = Sparse::with_capacity(self.touched.len());
        for feature in self.touched.drain(..) {
            let sum = std::mem::take(&mut self.sums[feature as usize]);
            if sum != 0.0 {
                sums.push((feature, sum));
            }
        }
        sums
    }
}

/// Playouts from one position under one policy.
pub trait Course {
    /// Plays one out. For the side to move where it began. With a `path`, every ply is added to it as a place and the move
    /// that was chosen there, and the places know their features.
    fn play(&mut self, random: &mut Pcg64Mcg, path: Option<&mut Path>) -> f32;

    /// The places so far.
    fn places(&mut self) -> &mut [Place];
}

/// The plies of a playout: the number of a place and the number of the move.
pub type Path = Vec<(u32, u32)>;

/// How the estimates are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Counts {
    /// Playouts for the mean reward.
    pub value: u32,
    /// Playouts for the gradient.
    pub gradient: u32,
    /// Whether rewards count by how far they are from the mean: the expectation is the same, the scatter less.
    pub baseline: bool,
    /// Whether every playout serves both: each pulls by how far the mean of the *others* is from the target.
    pub together: bool,
}

/// What playouts say of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// The mean reward V.
    pub value: f32,
    /// `(V* − V) g`, where g is the gradient of V: where the weights should go.
    pub pull: Sparse,
}

/// The mean reward of so many playouts.
pub fn mean(course: &mut impl Course, playouts: u32, random: &mut Pcg64Mcg) -> f32 {
    let sum: f64 = (0..playouts).map(|_| f64::from(course.play(random, None))).sum();
    (sum / f64::from(playouts.max(1))) as f32
}

/// Estimates the mean reward of a position that is worth `target`, and where the weights should go. No playout has a part in
/// both factors of `(V* − V) g`, so their product is not biased.
pub fn estimate(
    course: &mut impl Course,
    counts: Counts,
    target: f32,
    random: &mut Pcg64Mcg,
    gradient: &mut Gradient,
) -> Estimate {
    let apart = (!counts.together).then(|| mean(course, counts.value, random));
    let playouts = if counts.together { (counts.value + counts.gradient).max(2) } else { counts.gradient };
    let mut path = Path::new();
    let played: Vec<(f32, usize)> = (0..playouts)
        .map(|_| {
            let reward = course.play(random, Some(&mut path));
            (reward, path.len())
        })
        .collect();
    let sum: f32 = played.iter().map(|(reward, _)| reward).sum();
    let mut start = 0;
    for (reward, end) in played {
        let value = apart.unwrap_or((sum - reward) / (playouts - 1) as f32);
        let baseline = if counts.baseline { value } else { 0.0 };
        let share = (target - value) * (reward - baseline) / playouts as f32;
        if share != 0.0 {
            for &(place, mv) in &path[start..end] {
                course.places()[place as usize].count(mv as usize, share);
            }
        }
        start = end;
    }
    for place in course.places() {
        place.add_to(gradient);
    }
    Estimate { value: apart.unwrap_or(sum / playouts as f32), pull: gradient.take() }
}

/// Moves weights by what was found at some positions: `θ += α (V* − V) g` for each, in their order.
pub fn update(theta: &mut [f32], rate: f32, found: &[Estimate]) {
    for &(feature, pull) in found.iter().flat_map(|estimate| &estimate.pull) {
        theta[feature as usize] += rate * pull;
    }
}
