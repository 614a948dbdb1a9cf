//! One playout.

use rand::Rng;

use super::{MateCheck, Reward};
use crate::eval::{Network, NetworkEvaluator, Scales};
use crate::policy::{Policy, phase};
use crate::shogi::{Color, Move, Recurrence, Repetition, Walker};

/// What draws are worth.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Draws {
    /// To Black; to White it is the opposite.
    pub black: f32,
}

impl Draws {
    /// To a side.
    #[inline]
    pub fn to(self, side: Color) -> f32 {
        if side == Color::Black { self.black } else { -self.black }
    }
}

/// How a playout is made.
#[derive(Clone, Debug)]
pub struct Simulation {
    /// Which moves are played.
    pub policy: Policy,
    /// Plies after which it is cut off.
    pub depth: u32,
    /// How mates are looked for before every move.
    pub mate: MateCheck,
    /// What the end is worth.
    pub reward: Reward,
    /// What draws are worth.
    pub draws: Draws,
}

/// How a game ends by the rules, without a move, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The side to move wins.
    Won,
    /// The side to move loses.
    Lost,
    /// Nobody wins.
    Drawn,
}

impl End {
    /// Whether the game is over at the walker's position, or as good as over because it has come back.
    ///
    /// With the end comes whether the rules say so already, and not only if play went on like this. The same board with
    /// more in hand is as good as won where `searched` says that the way there lies within the search, where the
    /// opponent need not have gone it; in the game itself he has, and the value of the position tells.
    #[inline]
    pub fn by_rules(walker: &Walker, searched: u32) -> Option<(Self, bool)> {
        if walker.is_past_max_moves() {
            return Some((if walker.is_mated() { Self::Lost } else { Self::Drawn }, true));
        }
        if let Some(Recurrence { kind, times, distance }) = walker.recurrence() {
            let end = match kind {
                Repetition::Draw => Some(Self::Drawn),
                Repetition::Win => Some(Self::Won),
                Repetition::Loss => Some(Self::Lost),
                Repetition::Superior if distance <= searched => Some(Self::Won),
                Repetition::Inferior if distance <= searched => Some(Self::Lost),
                Repetition::Superior | Repetition::Inferior => None,
            };
            if let Some(end) = end {
                return Some((end, times >= 3));
            }
        }
        walker.declaration().map(|_| (Self::Won, true))
    }

    /// What it is worth to the side to move.
    #[inline]
    pub fn reward(self, turn: Color, draws: Draws) -> f32 {
        match self {
            Self::Won => 1.0,
            Self::Lost => -1.0,
            Self::Drawn => draws.to(turn),
        }
    }
}

impl Simulation {
    /// Plays one out and takes all moves back. For the side to move; the caller has seen that the game is not over
    /// and that there is no mate to be seen by the same check.
    #[inline]
    pub fn run(
        &self,
        scales: &mut Scales<NetworkEvaluator>,
        network: &Network,
        random: &mut impl Rng,
    ) -> f32 {
        self.run_by(scales, network, |walker, phase| self.policy.candidates(walker, phase).sample(random))
    }

    /// The same with moves that `choose` says, of a position and the phase of the game; nothing where there is none.
    #[inline]
    pub fn run_by(
        &self,
        scales: &mut Scales<NetworkEvaluator>,
        network: &Network,
        mut choose: impl FnMut(&mut Walker, usize) -> Option<Move>,
    ) -> f32 {
        // Progress hardly changes in a few plies.
        let phase = if self.depth == 0 { 0 } else { phase(network.progress(scales.position())) };
        let mut sign = 1.0;
        let mut plies = 0;
        let reward = loop {
            if plies > 0
                && let Some(reward) = self.ended(scales, plies)
            {
                break reward;
            }
            if plies == self.depth {
                break self.reward.here(scales);
            }
            let Some(mv) = choose(scales.probe(), phase) else {
                // No legal move: mated.
                break -1.0;
            };
            scales.apply(mv);
            sign = -sign;
            plies += 1;
        };
        for _ in 0..plies {
            scales.undo();
        }
        sign * reward
    }

    /// The reward for the side to move where the game ends here, after so many plies of the playout.
    #[inline]
    fn ended(&self, scales: &mut Scales<NetworkEvaluator>, plies: u32) -> Option<f32> {
        let turn = scales.walker().turn();
        if let Some((end, _)) = End::by_rules(scales.walker(), plies) {
            return Some(end.reward(turn, self.draws));
        }
        self.mate.plies_to_mate(scales.probe()).map(|_| 1.0)
    }
}
