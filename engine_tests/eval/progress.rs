//! How far a game has come.

use std::sync::Arc;
use tenbin::eval::Network;
use tenbin::shogi::{STARTPOS, Walker};

use super::reference::{self, USUAL};
use super::{correlation, walker, wander};
use crate::records;

/// By the logistic function of sums over both sides' views, in wide floating point.
fn expected(numbers: &[i16], walker: &Walker) -> f64 {
    let mut sum = f64::from(numbers[reference::INPUTS]);
    for viewer in [tenbin::shogi::Color::Black, tenbin::shogi::Color::White] {
        for feature in reference::seen(walker.position(), viewer) {
            sum += f64::from(numbers[feature]);
        }
    }
    (128.0 / (1.0 + (-sum / 2048.0).exp())).min(127.0)
}

#[test]
fn progress_is_the_share_of_a_logistic_and_stays_in_its_range() {
    for (seed, largest) in [(1, 30), (2, 500), (3, i16::MAX)] {
        let mut numbers = reference::random(seed, USUAL);
        for number in &mut numbers.progress {
            *number = (i32::from(*number) * i32::from(largest) / 500) as i16;
        }
        let network = Network::new(&numbers).expect("numbers that fit");
        let mut seen = [0; 128];
        wander(80, 60, seed, |_, walker, _| {
            let progress = network.progress(walker.position());
            let expected = expected(&numbers.progress, walker);
            assert!((f64::from(progress) + 0.5 - expected).abs() <= 0.51, "{progress}, {expected}");
            seen[usize::from(progress)] += 1;
        });
        assert!(seen.iter().filter(|&&count| count > 0).count() >= 2);
    }
}

/// Holds the promises of a network that has learned to tell how far a game has come.
pub fn check(network: &Arc<Network>) {
    let first = network.progress(walker(STARTPOS).position());
    assert!(first < 25, "{first} at the start");
    let (mut by_ply, mut by_share) = (Vec::new(), Vec::new());
    for game in records::sample() {
        let length = game.0.moves.len() as f64;
        let mut ply = 0.0;
        game.replay(|walker, _| {
            let progress = network.progress(walker.position());
            assert!(progress <= 127);
            by_ply.push((ply, f64::from(progress)));
            by_share.push((ply / length, f64::from(progress)));
            ply += 1.0;
        });
    }
    let (by_ply, by_share) = (correlation(&by_ply), correlation(&by_share));
    println!(
        "{first} at the start; correlation with the ply {by_ply:.3}, with the share played {by_share:.3}"
    );
    assert!(by_ply > 0.7, "correlation with the ply: {by_ply}");
    assert!(by_share > 0.7, "correlation with the share of the game: {by_share}");
}

#[test]
fn the_embedded_weights_tell_how_far_a_game_has_come() {
    check(&Network::embedded());
}
