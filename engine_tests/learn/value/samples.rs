//! Which positions are learned from, and what is known of them.

use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tenbin::eval::Network;
use tenbin::eval::features::opposite;
use tenbin::learn::Monitor;
use tenbin::learn::records::{Split, text};
use tenbin::learn::value::assess;
use tenbin::learn::value::samples::{Sample, Samples, is_quiet, read};
use tenbin::shogi::Color;

use super::scored;
use crate::eval::{Folder, UNUSUAL, walker};

/// The samples of the games with scores; with a network, all positions.
fn all(resolver: Option<&Arc<Network>>, largest: i32) -> Samples {
    let (said, stop) = (Mutex::new(Vec::new()), AtomicBool::new(false));
    let say = |line: String| said.lock().push(line);
    let samples = read(&[scored()], resolver, largest, &Monitor::new(&say, &stop).without_bar());
    assert_eq!(said.lock().len(), 1);
    samples.expect("the sample is there")
}

#[test]
fn quiet_positions_are_those_before_quiet_moves() {
    let games = std::fs::read_to_string(scored()).expect("the sample is there");
    let mut expected: [Vec<Sample>; 2] = Default::default();
    for line in games.lines() {
        let game = text::parse(line).expect("sound");
        let part = match game.split() {
            Split::Train => 0,
            Split::Validation => 1,
            Split::Test => continue,
        };
        let (mut number, length) = (0, game.moves.len());
        game.replay(|walker, ply| {
            let progress = (number * 128 / length) as u8;
            number += 1;
            let Some(score) = ply.score else { return };
            let black = if walker.turn() == Color::Black { 1.0 } else { 0.0 };
            let result = game.ending.points(Color::Black).expect("a result");
            let half_points = 2.0 * (black * result + (1.0 - black) * (1.0 - result));
            if score.abs() < 3_000 && is_quiet(walker.position(), ply.mv) {
                let sample = Sample::new(walker.position(), score, half_points as u8, progress);
                expected[part].extend(sample);
            }
        });
    }
    let found = all(None, 3_000);
    assert!(expected[0].len() >= 2_000 && expected[1].len() >= 50);
    assert!(found.train == expected[0] && found.validation == expected[1]);
    assert!(found.train.iter().any(|sample| sample.half_points == 0));
    assert!(found.train.iter().any(|sample| sample.half_points == 2));
}

/// Positions that are followed to where they are quiet are more; those to validate by stay the same.
#[test]
fn resolved_positions_are_more_and_validation_stays_quiet() {
    let network = Network::embedded();
    let (quiet, resolved) = (all(None, 3_000), all(Some(&network), 3_000));
    assert!(
        resolved.train.len() * 10 > quiet.train.len() * 11,
        "{} of {}",
        resolved.train.len(),
        quiet.train.len()
    );
    assert!(resolved.validation == quiet.validation);
    let small = all(Some(&network), 500);
    assert!(small.train.len() < resolved.train.len());
    assert!(small.train.iter().chain(&small.validation).all(|sample| sample.score.abs() < 500));
}

#[test]
fn positions_without_all_pieces_are_no_samples() {
    for sfen in UNUSUAL {
        assert_eq!(Sample::new(walker(sfen).position(), 0, 1, 0), None, "{sfen}");
    }
}

#[test]
fn samples_are_seen_by_the_side_to_move() {
    let black = walker("lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 1");
    let white = walker("lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 1");
    let [black, white] = [black, white]
        .map(|walker| Sample::new(walker.position(), 40_000, 2, 3).expect("all pieces are there"));
    assert_eq!(black.features.map(opposite), white.features);
    assert_eq!((black.score, black.half_points, black.progress), (i16::MAX, 2, 3));
}

/// The report compares on games that were not learned from, and says so where there are none.
#[test]
fn the_assessment_has_all_its_parts() {
    let (say, stop) = (|_: String| {}, AtomicBool::new(false));
    let monitor = Monitor::new(&say, &stop).without_bar();
    let network = Network::embedded();
    let report = assess::run(&[scored()], &network, Split::Validation, &monitor).expect("there are games");
    for part in [
        "Quiet positions: ",
        "All positions: ",
        "recorded score",
        "material",
        "piece-square",
        "network, quiescence",
        "Calibration",
        "90-100 %",
        "scale that fits the results best",
        "Progress (0-127)",
    ] {
        assert!(report.contains(part), "{part} in\n{report}");
    }
    // The recorded score is as near to itself as can be.
    let line = report.lines().find(|line| line.starts_with("recorded score")).expect("a line");
    let numbers: Vec<&str> = line["recorded score".len()..].split_whitespace().collect();
    assert_eq!(numbers[..2], ["1.0000", "0.0000"], "{line}");
    let folder = Folder::new("no-validation");
    let text = std::fs::read_to_string(scored()).expect("the sample is there");
    let train = text.lines().filter(|line| text::parse(line).expect("sound").split() == Split::Train);
    let path = folder.write("train.txt", train.collect::<Vec<_>>().join("\n"));
    let error = assess::run(&[path], &network, Split::Test, &monitor).expect_err("no games").to_string();
    assert!(error.contains("no scored positions"), "{error}");
}
