//! What a playout that was cut off is worth.

use crate::eval::quiescence::quiescence;
use crate::eval::{CP_SCALE, Evaluator, MATE, MATE_BOUND, Scales};
use crate::shogi::Color;

/// The kinds of reward.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Measure {
    /// Twice the win rate less one.
    WinRate,
    /// ±1 where the value differs from the root's by more than a threshold, else 0.
    Threshold {
        /// The root's value for Black in centipawns.
        root: i32,
        /// Centipawns.
        threshold: i32,
    },
}

/// What a quiet position is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reward {
    /// In which measure.
    pub measure: Measure,
    /// Centipawns by which quiet values are too good for the side to move, which may choose the best of several captures
    /// whose values are never exact.
    pub tempo: i32,
}

impl Reward {
    /// By win rate.
    pub fn win_rate(tempo: i32) -> Self {
        Self { measure: Measure::WinRate, tempo }
    }

    /// By threshold against the quiet value of the position where the scales stand.
    pub fn threshold<E: Evaluator>(scales: &mut Scales<E>, threshold: i32, tempo: i32) -> Self {
        let black = scales.walker().turn() == Color::Black;
        let value = quiescence(scales, -MATE, MATE) - tempo;
        let measure = Measure::Threshold { root: if black { value } else { -value }, threshold };
        Self { measure, tempo }
    }

    /// The reward of the quiet value here, for the side to move.
    #[inline]
    pub fn here<E: Evaluator>(self, scales: &mut Scales<E>) -> f32 {
        match self.measure {
            Measure::WinRate => {
                let value = quiescence(scales, -MATE, MATE);
                of_cp(if value.abs() >= MATE_BOUND { value } else { value - self.tempo })
            }
            Measure::Threshold { root, threshold } => {
                let root = if scales.walker().turn() == Color::Black { root } else { -root } + self.tempo;
                // Nothing beyond the thresholds matters, so the search may stop there.
                let (low, high) = (root.saturating_sub(threshold), root.saturating_add(threshold));
                let value = quiescence(scales, low, high.max(low + 1));
                f32::from(i8::from(value >= high) - i8::from(value <= low))
            }
        }
    }
}

/// The reward that a value in centipawns stands for; mates are ±1.
#[inline]
pub fn of_cp(cp: i32) -> f32 {
    if cp.abs() >= MATE_BOUND {
        return if cp > 0 { 1.0 } else { -1.0 };
    }
    // 2σ(x) − 1
    (cp as f32 / (2.0 * CP_SCALE)).tanh()
}

/// The value in centipawns that a mean reward stands for.
pub fn to_cp(reward: f32) -> i32 {
    // A mean of ±1 would be infinite; four nines are as good as that.
    (2.0 * CP_SCALE * reward.clamp(-0.9999, 0.9999).atanh()).round() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn centipawns_and_rewards_are_each_other_s_inverse() {
        for cp in [-3000, -600, -1, 0, 1, 250, 4000] {
            assert!((to_cp(of_cp(cp)) - cp).abs() <= 1, "{cp}");
        }
        assert_eq!((of_cp(MATE - 3), of_cp(3 - MATE)), (1.0, -1.0));
        let rate = 1.0 / (1.0 + (-0.5_f32).exp());
        assert!((of_cp(300) - (2.0 * rate - 1.0)).abs() < 1e-6);
    }
}
