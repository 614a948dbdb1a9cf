//! Neither colour is preferred: a position with the sides exchanged is worth the same.

use tenbin::eval::material::material;
use tenbin::eval::quiescence::quiescence;
use tenbin::eval::simd::Path;
use tenbin::eval::{MATE, Material, Network, NetworkEvaluator, Scales, win_rate};

use super::{walker, wander};

/// The position seen from the other side: the board turned, the colours exchanged.
pub fn flipped(sfen: &str) -> String {
    let mut fields = sfen.split(' ');
    let mut next = || fields.next().expect("four fields");
    let (board, turn, hands, number) = (next(), next(), next(), next());
    let swap = |letter: char| {
        if letter.is_ascii_uppercase() { letter.to_ascii_lowercase() } else { letter.to_ascii_uppercase() }
    };
    let mut turned = String::new();
    for letter in board.chars().rev() {
        if letter == '+' {
            // The mark stands before its piece, which is already there.
            let at = turned.len() - 1;
            turned.insert(at, '+');
        } else {
            turned.push(swap(letter));
        }
    }
    let hands: String = hands.chars().map(swap).collect();
    // Black's pieces come first.
    let split = |wanted: fn(&char) -> bool| -> String {
        let (mut part, mut count) = (String::new(), String::new());
        for letter in hands.chars() {
            if letter.is_ascii_digit() {
                count.push(letter);
            } else {
                if wanted(&letter) {
                    part.push_str(&count);
                    part.push(letter);
                }
                count.clear();
            }
        }
        part
    };
    let both = format!("{}{}", split(char::is_ascii_uppercase), split(char::is_ascii_lowercase));
    let hands = if both.is_empty() { "-" } else { &both };
    format!("{turned} {} {hands} {number}", if turn == "b" { "w" } else { "b" })
}

#[test]
fn turning_twice_is_nothing() {
    wander(40, 80, 1, |_, here, _| {
        let sfen = here.position().to_sfen(None);
        assert_eq!(flipped(&flipped(&sfen)), sfen);
        assert_eq!(walker(&flipped(&sfen)).position().to_sfen(None), flipped(&sfen));
    });
}

#[test]
fn a_position_and_its_turned_self_are_worth_the_same() {
    let network = Network::embedded();
    let mut positions = 0;
    wander(120, 80, 2, |_, here, _| {
        let sfen = here.position().to_sfen(None);
        let there = walker(&flipped(&sfen));
        for path in Path::available() {
            assert_eq!(
                network.value(path, here.position()),
                network.value(path, there.position()),
                "{sfen}, {}",
                path.name()
            );
        }
        assert_eq!(material(here.position()), material(there.position()), "{sfen}");
        assert_eq!(network.progress(here.position()), network.progress(there.position()), "{sfen}");
        positions += 1;
    });
    assert!(positions >= 5_000, "{positions}");
}

/// Of equal captures one is tried first, and after it others may be left out: which one depends on the squares, so that
/// now and then a check is seen from one side only.
#[test]
fn quiescence_hardly_has_a_colour() {
    let (mut same, mut all) = (0, 0);
    wander(120, 20, 3, |_, here, _| {
        let sfen = here.position().to_sfen(None);
        let value = |sfen: &str| quiescence(&mut Scales::new(walker(sfen), Material::default()), -MATE, MATE);
        same += usize::from(value(&sfen) == value(&flipped(&sfen)));
        all += 1;
    });
    println!("{same} of {all} the same");
    assert!(same * 100 >= all * 99, "{same} of {all}");
}

#[test]
fn values_stay_below_mates_and_mean_win_rates() {
    let network = std::sync::Arc::new(
        Network::new(&super::reference::random(3, super::reference::LARGE)).expect("numbers that fit"),
    );
    let mut largest = 0;
    for game in 0..20 {
        let mut scales = Scales::new(super::start(game), NetworkEvaluator::new(network.clone()));
        let value = scales.value();
        assert!(value.abs() <= tenbin::eval::network::LARGEST);
        largest = largest.max(value.abs());
    }
    assert!(largest > 0);
    const { assert!(tenbin::eval::network::LARGEST < tenbin::eval::MATE_BOUND) };
    assert!((win_rate(0.0) - 0.5).abs() < 1e-6);
    assert!((win_rate(600.0) - 0.731_058_6).abs() < 1e-5);
    assert!((win_rate(-600.0) + win_rate(600.0) - 1.0).abs() < 1e-6);
}
