//! What a position is worth.
//!
//! Values are centipawns for the side to move, scaled so that the win rate is `1/(1+exp(−cp/600))`. An
//! [`Evaluator`] follows a walk and says the static value of where it stands; [`Scales`] are a walker and an evaluator
//! that move together; [`quiescence`] plays out what hangs before it asks.

pub mod features;
pub mod material;
pub mod network;
pub mod quiescence;
pub mod simd;
pub mod weights;

pub use material::Material;
pub use network::{Network, NetworkEvaluator};

use crate::shogi::{Move, Position, Walker};

/// Centipawns at which the win rate is `1/(1+1/e)`: 73 %.
pub const CP_SCALE: f32 = 600.0;

/// Value of mating at once; every ply further away is worth one less.
pub const MATE: i32 = 30_000;

/// Values beyond this are mates.
pub const MATE_BOUND: i32 = MATE - 1_000;

/// The win rate that a value in centipawns stands for.
pub fn win_rate(cp: f32) -> f32 {
    1.0 / (1.0 + (-cp / CP_SCALE).exp())
}

/// Something that says what positions are worth as it follows a walk.
pub trait Evaluator {
    /// Begins anew at a position.
    fn reset(&mut self, position: &Position);

    /// A legal move is about to be played in `position`, where the evaluator stands.
    fn push(&mut self, position: &Position, mv: Move);

    /// The last move was taken back.
    fn pop(&mut self);

    /// The static value of `position`, where the evaluator stands, for the side to move.
    fn value(&mut self, position: &Position) -> i32;
}

/// A walker and an evaluator that move together.
#[derive(Clone, Debug)]
pub struct Scales<E> {
    walker: Walker,
    evaluator: E,
}

impl<E: Evaluator> Scales<E> {
    /// Scales at the walker's position, which keeps its past.
    pub fn new(walker: Walker, mut evaluator: E) -> Self {
        evaluator.reset(walker.position());
        Self { walker, evaluator }
    }

    /// Where the scales stand, to read.
    #[inline]
    pub fn walker(&self) -> &Walker {
        &self.walker
    }

    /// The walker, for probes that take back what they play.
    #[inline]
    pub fn probe(&mut self) -> &mut Walker {
        &mut self.walker
    }

    /// The position.
    #[inline]
    pub fn position(&self) -> &Position {
        self.walker.position()
    }

    /// Plays a legal move.
    #[inline]
    pub fn apply(&mut self, mv: Move) {
        self.evaluator.push(self.walker.position(), mv);
        self.walker.apply(mv);
    }

    /// Takes the last move back. Not beyond where the scales began.
    #[inline]
    pub fn undo(&mut self) {
        self.walker.undo();
        self.evaluator.pop();
    }

    /// The static value for the side to move.
    #[inline]
    pub fn value(&mut self) -> i32 {
        self.evaluator.value(self.walker.position())
    }

    /// The evaluator, to use it elsewhere.
    pub fn into_evaluator(self) -> E {
        self.evaluator
    }
}
