//! One playout.

use rand::{Rng, RngExt};
use serde::Deserialize;

use super::{MateCheck, Reward};
use crate::eval::{Network, NetworkEvaluator, Scales};
use crate::policy::{Moment, Policy};
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

/// Where a playout is cut off.
///
/// Whoever makes the last move makes it without much thought and the other side takes what it leaves: a playout is too
/// gloomy for the side that moves last.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Cutoff {
    /// At its depth, as the paper has it: after a move of the side that began, where the depth is odd.
    #[default]
    Fixed,
    /// There or a ply before, by chance.
    Either,
    /// At both, and the mean of both counts.
    Both,
}

/// How a playout is made.
#[derive(Clone, Debug)]
pub struct Simulation {
    /// Which moves are played.
    pub policy: Policy,
    /// Plies after which it is cut off.
    pub depth: u32,
    /// Where exactly.
    pub cutoff: Cutoff,
    /// How mates are looked for before every move.
    pub mate: MateCheck,
    /// What the end is worth.
    pub reward: Reward,
    /// What draws are worth.
    pub draws: Draws,
}

impl Cutoff {
    /// Its name as an option.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::Either => "either",
            Self::Both => "both",
        }
    }
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
        let choose = |walker: &mut Walker, moment, random: &mut _| {
            self.policy.candidates(walker, moment).sample(random)
        };
        self.run_by(scales, network, random, choose)
    }

    /// The same with moves that `choose` says, of a position and the moment; nothing where there is none.
    #[inline]
    pub fn run_by<R: Rng>(
        &self,
        scales: &mut Scales<NetworkEvaluator>,
        network: &Network,
        random: &mut R,
        mut choose: impl FnMut(&mut Walker, Moment, &mut R) -> Option<Move>,
    ) -> f32 {
        let shorter = self.depth > 0 && self.cutoff == Cutoff::Either && random.random();
        let depth = self.depth - u32::from(shorter);
        let mut early = None;
        // Progress hardly changes in a few plies.
        let progress = if self.depth == 0 { 0 } else { network.progress(scales.position()) };
        let moment = Moment::of_game(progress);
        let mut sign = 1.0;
        let mut plies = 0;
        let reward = loop {
            if plies > 0
                && let Some(reward) = self.ended(scales, plies)
            {
                break reward;
            }
            if plies == depth {
                let reward = self.reward.here(scales);
                // A ply ago it was the other side's turn.
                break early.map_or(reward, |early: f32| (reward - early) / 2.0);
            }
            if plies + 1 == depth && self.cutoff == Cutoff::Both {
                early = Some(self.reward.here(scales));
            }
            let Some(mv) = choose(scales.probe(), moment.before_end(depth - plies), random) else {
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
