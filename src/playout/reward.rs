//! What a playout that was cut off is worth.

use crate::eval::quiescence::quiescence;
use crate::eval::{CP_SCALE, Evaluator, MATE, MATE_BOUND, Scales};

/// The kinds of reward.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reward {
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

impl Reward {
    /// The reward of the quiet value here, for the side to move.
    #[inline]
    pub fn here<E: Evaluator>(self, scales: &mut Scales<E>) -> f32 {
        match self {
            Self::WinRate => of_cp(quiescence(scales, -MATE, MATE)),
            Self::Threshold { root, threshold } => {
                let root = if scales.walker().turn() == crate::shogi::Color::Black { root } else { -root };
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
