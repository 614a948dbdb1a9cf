//! The estimates are those of the mean reward and of its gradient, and following them balances.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use tenbin::learn::balancing::estimator::{Counts, Course, Gradient, Path, Place, estimate, update};

use super::tree_game::TreeGame;

fn some_theta(game: &TreeGame, seed: u64) -> Vec<f32> {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    (0..game.feature_count()).map(|_| random.random_range(-1.0..1.0)).collect()
}

/// The gradient that many playouts find, of all features.
fn found(game: &TreeGame, theta: &[f32], counts: Counts) -> (f32, Vec<f64>) {
    let mut gradient = Gradient::new(game.feature_count());
    let mut random = Pcg64Mcg::seed_from_u64(7);
    // Far from anything that playouts give, so that it is the gradient times about as much.
    let target = 100.0;
    let found = estimate(&mut game.playouts(0, theta), counts, target, &mut random, &mut gradient);
    let mut dense = vec![0.0; game.feature_count()];
    let slope = |pull: f32| f64::from(pull / (target - found.value));
    found.pull.iter().for_each(|&(feature, pull)| dense[feature as usize] = slope(pull));
    assert!(gradient.take().is_empty(), "nothing is left for the next position");
    (found.value, dense)
}

#[test]
fn the_gradient_is_that_of_the_mean_reward() {
    let game = TreeGame::new(3);
    let theta = some_theta(&game, 1);
    for (baseline, together) in [(false, false), (true, false), (false, true), (true, true)] {
        let counts = Counts { value: 200_000, gradient: 200_000, baseline, together };
        let (value, gradient) = found(&game, &theta, counts);
        assert!((f64::from(value) - game.mean(0, &theta)).abs() < 0.01, "{value}");
        for feature in 0..theta.len() {
            let moved = |step: f32| {
                let mut theta = theta.clone();
                theta[feature] += step;
                game.mean(0, &theta)
            };
            let slope = (moved(0.05) - moved(-0.05)) / 0.1;
            assert!((slope - gradient[feature]).abs() < 0.01, "{feature}: {slope} {}", gradient[feature]);
        }
    }
}

/// Playouts whose every reward is one.
struct Won<C>(C);

impl<C: Course> Course for Won<C> {
    fn play(&mut self, random: &mut Pcg64Mcg, path: Option<&mut Path>) -> f32 {
        self.0.play(random, path);
        1.0
    }

    fn places(&mut self) -> &mut [Place] {
        self.0.places()
    }
}

#[test]
fn the_gradient_of_ln_pi_has_no_mean() {
    // With a reward that is the same for all, only the mean of ψ is left: here the exact one, move by move.
    let game = TreeGame::new(4);
    let theta = some_theta(&game, 2);
    for position in 0..TreeGame::positions() {
        let probabilities = game.probabilities(position, &theta);
        let mut sums = vec![0.0_f64; game.feature_count()];
        for (chosen, &chance) in probabilities.iter().enumerate() {
            for (mv, &probability) in probabilities.iter().enumerate() {
                let share = f32::from(u8::from(mv == chosen)) - probability;
                for &feature in game.features(position, mv) {
                    sums[feature as usize] += f64::from(chance * share);
                }
            }
        }
        assert!(sums.iter().all(|sum| sum.abs() < 1e-6));
    }
    // And by playouts.
    let counts = Counts { value: 1, gradient: 100_000, baseline: false, together: false };
    let mut gradient = Gradient::new(game.feature_count());
    let mut random = Pcg64Mcg::seed_from_u64(5);
    let found = estimate(&mut Won(game.playouts(0, &theta)), counts, 2.0, &mut random, &mut gradient);
    assert!(found.pull.iter().all(|(_, pull)| pull.abs() < 0.02), "{:?}", found.pull);
}

/// The mean squared error over all positions of a game, before learning and after.
fn errors(game: &TreeGame, counts: Counts) -> [f64; 2] {
    let mut theta = vec![0.0; game.feature_count()];
    let mut gradient = Gradient::new(game.feature_count());
    let mut random = Pcg64Mcg::seed_from_u64(1);
    let error = |theta: &[f32]| {
        let squares = |position| (game.mean(position, theta) - f64::from(game.minimax(position))).powi(2);
        (0..TreeGame::positions()).map(squares).sum::<f64>() / TreeGame::positions() as f64
    };
    let before = error(&theta);
    for pass in 0..300 {
        // Estimates are never exact, so steps must become shorter for it to come to rest.
        let rate = 1.0 / (1.0 + pass as f32 / 30.0);
        for position in 0..TreeGame::positions() {
            let mut course = game.playouts(position, &theta);
            let target = game.minimax(position);
            let found = estimate(&mut course, counts, target, &mut random, &mut gradient);
            update(&mut theta, rate, &[found]);
        }
    }
    [before, error(&theta)]
}

#[test]
fn the_mean_reward_comes_near_the_minimax_value() {
    // It is a descent, and may end in a hollow: in some games a position or two stay wrong.
    let apart = Counts { value: 100, gradient: 100, baseline: false, together: false };
    let together = Counts { value: 50, gradient: 50, baseline: true, together: true };
    for counts in [apart, together] {
        let errors: Vec<[f64; 2]> = (0..8).map(|seed| errors(&TreeGame::new(seed), counts)).collect();
        println!("{errors:?}");
        assert!(errors.iter().all(|[before, after]| *before > 0.2 && *after < 0.1 * before), "{errors:?}");
        assert!(errors.iter().filter(|[_, after]| *after < 0.005).count() >= 5, "{errors:?}");
    }
}
