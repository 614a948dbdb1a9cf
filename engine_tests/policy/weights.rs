//! Files of policy weights: what was written is what is read, and nothing else is.

use tenbin::eval::weights::WeightsError;
use tenbin::policy::weights::NUMBERS;
use tenbin::policy::{Look, Moment, Narrowing, Stages, Weights};

#[test]
fn a_file_holds_the_weights() {
    let numbers: Vec<f32> = (0..NUMBERS).map(|i| (i % 1000) as f32 / 100.0 - 5.0).collect();
    let weights =
        Weights::from_numbers(&numbers, Look::Full, Stages::Game).expect("as many as there are features");
    // They stand for the nearest numbers, in steps of a 32nd where some are large.
    for (found, asked) in weights.numbers().iter().zip(&numbers) {
        assert!(
            (found - asked.clamp(-127.0 / 32.0, 127.0 / 32.0)).abs() <= 0.5 / 32.0,
            "{found} for {asked}"
        );
    }
    let file = weights.to_file("a test").expect("compressed");
    assert_eq!(Weights::read(&file).expect("sound"), weights);
    assert!(matches!(Weights::read(&file[..file.len() - 1]), Err(WeightsError::Length { .. })));
    let mut damaged = file.clone();
    *damaged.last_mut().expect("not empty") ^= 1;
    assert!(matches!(Weights::read(&damaged), Err(WeightsError::Checksum)));
    // Twice as much of everything, and in stages of playouts.
    let sharper = weights.clone().sharpened(2.0);
    assert!(
        sharper
            .numbers()
            .iter()
            .zip(weights.numbers())
            .all(|(twice, once)| (twice - 2.0 * once).abs() < 1e-6)
    );
    let staged = Weights::from_numbers(&numbers, Look::Glance, Stages::Playout).expect("the same count");
    for weights in [sharper, staged] {
        let file = weights.to_file("a test").expect("compressed");
        assert_eq!(Weights::read(&file).expect("sound"), weights);
    }
    assert!(matches!(
        Weights::from_numbers(&numbers[1..], Look::Full, Stages::Game),
        Err(WeightsError::Data(_))
    ));
}

#[test]
fn phases_follow_progress() {
    assert_eq!(
        [0, 31, 32, 63, 64, 95, 96, 127, 255].map(|progress| Moment::of_game(progress).phase),
        [0, 0, 1, 1, 2, 2, 3, 3, 3]
    );
    assert_eq!(Narrowing::default().count, 16);
}
