//! When a policy is asked: how far the game has come, and how soon the playout ends.

use super::weights::PHASES;

/// A moment of a game and of a playout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The phase of the game, below [`PHASES`].
    pub phase: usize,
    /// Plies of the playout still to come, this one included.
    pub left: u32,
}

impl Moment {
    /// Outside playouts, or at the beginning of one: where the game has come so far (0 to 127) and no end is near.
    pub fn of_game(progress: u8) -> Self {
        Self::of_phase(usize::from(progress.min(127)) * PHASES / 128)
    }

    /// The same for a phase of the game.
    pub fn of_phase(phase: usize) -> Self {
        Self { phase, left: u32::MAX }
    }

    /// With so many plies of the playout still to come.
    #[must_use]
    pub fn before_end(self, left: u32) -> Self {
        Self { left, ..self }
    }
}

/// What a policy has weights of its own for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stages {
    /// Each phase of the game.
    #[default]
    Game,
    /// The last plies of a playout, one by one, and all that come before them.
    Playout,
}

impl Stages {
    /// The number of the stage, below [`PHASES`].
    #[inline]
    pub fn at(self, moment: Moment) -> usize {
        match self {
            Self::Game => moment.phase,
            Self::Playout => moment.left.clamp(1, PHASES as u32) as usize - 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_are_told_apart() {
        let phases = [0, 31, 32, 64, 127, 255].map(|progress| Stages::Game.at(Moment::of_game(progress)));
        assert_eq!(phases, [0, 0, 1, 2, 3, 3]);
        let early = Moment::of_game(0);
        let plies = [0, 1, 2, 3, 4, 5].map(|left| Stages::Playout.at(early.before_end(left)));
        assert_eq!(plies, [0, 0, 1, 2, 3, 3]);
        assert_eq!(Stages::Playout.at(early), 3);
    }
}
