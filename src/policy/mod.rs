//! Policies: how likely a move is to be played.
//!
//! Linear softmax over binary features of (position, move). Three policies share one interface: *uniform* knows
//! nothing, *transition* says what players of the records would play, *balancing* is learned so that the mean of
//! playouts is right. All choose among the same candidates, those the transition policy finds most likely.

pub mod describe;
pub mod explain;
pub mod features;
mod heavy;
pub mod memory;
pub mod moment;
pub mod narrowing;
mod neighbourhood;
mod places;
pub mod scene;
pub mod scorer;
mod squares;
mod tactics;
mod visit;
pub mod weights;

pub use memory::Memory;
pub use moment::{Moment, Stages};
pub use narrowing::{Candidates, Narrowing};
pub use scene::{Look, Scene};
pub use scorer::Scorer;
pub use weights::Weights;

use std::sync::Arc;

use weights::PHASES;

use crate::shogi::{Move, MoveList, Walker, useful_moves};

/// What a policy goes by.
#[derive(Clone, Debug)]
enum Taste {
    Uniform,
    Transition,
    Balancing(Arc<Weights>),
}

/// A policy.
#[derive(Clone, Debug)]
pub struct Policy {
    transition: Arc<Weights>,
    taste: Taste,
    narrowing: Narrowing,
    /// Candidates' logits are multiplied by this.
    sharpness: f32,
}

impl Policy {
    fn new(transition: Arc<Weights>, taste: Taste, narrowing: Narrowing) -> Self {
        Self { transition, taste, narrowing, sharpness: 1.0 }
    }

    /// Every candidate is as likely as the other.
    pub fn uniform(transition: Arc<Weights>, narrowing: Narrowing) -> Self {
        Self::new(transition, Taste::Uniform, narrowing)
    }

    /// Candidates are as likely as in the records.
    pub fn transition(transition: Arc<Weights>, narrowing: Narrowing) -> Self {
        Self::new(transition, Taste::Transition, narrowing)
    }

    /// Candidates are as likely as these weights say.
    pub fn balancing(transition: Arc<Weights>, weights: Arc<Weights>, narrowing: Narrowing) -> Self {
        Self::new(transition, Taste::Balancing(weights), narrowing)
    }

    /// The same candidates, but likely moves are likelier still below 1, and less so above.
    #[must_use]
    pub fn with_temperature(self, temperature: f32) -> Self {
        Self { sharpness: 1.0 / temperature.max(0.01), ..self }
    }

    /// The weights of the transition policy, by which candidates are found.
    pub fn transition_weights(&self) -> &Weights {
        &self.transition
    }

    /// A number that differs where moments make a difference to it.
    #[inline]
    pub fn aspect(&self, moment: Moment) -> usize {
        let stage = match &self.taste {
            Taste::Balancing(weights) => weights.stages().at(moment),
            Taste::Uniform | Taste::Transition => 0,
        };
        PHASES * stage + self.transition.stages().at(moment)
    }

    /// The probability of each of `moves`, all legal moves of the position, without narrowing or temperature.
    pub fn distribution(&self, walker: &mut Walker, moment: Moment, moves: &[Move]) -> Vec<f32> {
        let weights = match &self.taste {
            Taste::Uniform => return vec![1.0 / moves.len().max(1) as f32; moves.len()],
            Taste::Transition => self.transition.at(moment),
            Taste::Balancing(weights) => weights.at(moment),
        };
        let scene = Scene::new(walker, weights.look);
        let mut scorer = Scorer::new(&scene, weights);
        scorer.look_at(moves);
        let logits: Vec<i32> = moves.iter().map(|&mv| scorer.logit(mv)).collect();
        let most = logits.iter().max().copied().unwrap_or(0);
        let strengths: Vec<f32> =
            logits.iter().map(|&logit| ((logit - most) as f32 / weights.unit).exp()).collect();
        let sum: f32 = strengths.iter().sum();
        strengths.into_iter().map(|strength| strength / sum).collect()
    }

    /// The candidates of a position with their probabilities; none where there is no legal move.
    pub fn candidates(&self, walker: &mut Walker, moment: Moment) -> Candidates {
        let mut moves = MoveList::new();
        useful_moves(walker.position(), &mut moves);
        self.candidates_among(walker, moment, &moves)
    }

    /// The same among given legal moves.
    pub fn candidates_among(&self, walker: &mut Walker, moment: Moment, moves: &[Move]) -> Candidates {
        let look = match &self.taste {
            Taste::Balancing(weights) => weights.look().max(self.transition.look()),
            Taste::Uniform | Taste::Transition => self.transition.look(),
        };
        let scene = Scene::new(walker, look);
        let mut scorer = Scorer::new(&scene, self.transition.at(moment));
        let mut candidates = self.narrowing.of(moves, &mut scorer);
        // A sharper choice is one in which less makes a difference.
        let unit = |unit: f32| unit / self.sharpness;
        match &self.taste {
            Taste::Uniform => candidates.weigh(1.0, |_, _| 0),
            Taste::Transition => candidates.weigh(unit(scorer.unit()), |_, transition| transition),
            Taste::Balancing(weights) => {
                let mut scorer = Scorer::new(&scene, weights.at(moment));
                scorer.look_at(&candidates.moves());
                candidates.weigh(unit(scorer.unit()), |mv, _| scorer.logit(mv));
            }
        }
        candidates
    }
}
