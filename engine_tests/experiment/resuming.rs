//! What was interrupted goes on, and ends as if it had not been.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use tenbin::experiment::ledger::Ledger;
use tenbin::experiment::matches::Score;
use tenbin::experiment::player::Recipe;
use tenbin::experiment::{ExperimentError, Setting, Size, sample};
use tenbin::learn::Monitor;

use super::Folder;

/// Plays a match of 40 games and stops after so many pairs; gives the score and how many pairs were played.
fn play(out: &Path, stop_after: usize) -> (Result<Score, ExperimentError>, usize) {
    let (say, stop, pairs) = (|_: String| {}, AtomicBool::new(false), AtomicUsize::new(0));
    let monitor = Monitor::new(&say, &stop).without_bar();
    let setting = Setting::new(Size::Tiny, 3, out.to_owned(), &monitor);
    let players: [Recipe; 2] =
        ["uct,playouts=8", "policy,kind=transition"].map(|text| text.parse().expect("a player"));
    let openings = sample::openings(None).expect("openings come with the program");
    let score = setting.play("test", &players, &openings, 40, &|games| {
        assert!(games.iter().all(|game| game.starts_with("sfen ")));
        if pairs.fetch_add(1, Ordering::Relaxed) + 1 >= stop_after {
            stop.store(true, Ordering::Relaxed);
        }
    });
    (score, pairs.into_inner())
}

#[test]
fn a_resumed_match_equals_an_uninterrupted_one() {
    let (whole, parts) = (Folder::new("whole"), Folder::new("parts"));
    let (expected, pairs) = play(&whole.0, usize::MAX);
    assert_eq!(pairs, 20);
    let (stopped, first) = play(&parts.0, 2);
    assert!(matches!(stopped, Err(ExperimentError::Stopped)));
    assert!((2..20).contains(&first), "{first} pairs before it was stopped");
    let (resumed, rest) = play(&parts.0, usize::MAX);
    assert_eq!(first + rest, 20, "no pair is played twice");
    let expected = expected.expect("a score");
    assert_eq!(resumed.expect("a score"), expected);
    assert_eq!(expected.games(), 40);
    // All is known now.
    let (known, none) = play(&parts.0, usize::MAX);
    assert_eq!((known.expect("a score"), none), (expected, 0));
}

/// Fills a ledger with squares; gives them and how many were worked out.
fn squares(folder: &Path, key: &str, count: usize) -> (Vec<Vec<f64>>, usize) {
    let (say, never, done) = (|_: String| {}, AtomicBool::new(false), AtomicUsize::new(0));
    let monitor = Monitor::new(&say, &never).without_bar();
    let found = Ledger::new(folder, "squares", key).fill(count, &monitor, |number| {
        done.fetch_add(1, Ordering::Relaxed);
        let x = number as f64 / 3.0;
        Some(vec![x, x * x])
    });
    (found.expect("nobody stops it"), done.into_inner())
}

#[test]
fn a_ledger_survives_a_cut_and_grows() {
    let folder = Folder::new("ledger");
    let (six, done) = squares(&folder.0, "a key", 6);
    assert_eq!((six.len(), done), (6, 6));
    // A larger run goes on from a smaller one, a smaller one takes what it needs: the same to the last bit.
    let (ten, done) = squares(&folder.0, "a key", 10);
    assert_eq!((&ten[..6], done), (&six[..], 4));
    assert_eq!(squares(&folder.0, "a key", 3), (six[..3].to_vec(), 0));
    // The last line was not written to its end.
    let file =
        std::fs::read_dir(&folder.0).expect("a folder").next().expect("a file").expect("readable").path();
    let text = std::fs::read_to_string(&file).expect("text");
    std::fs::write(&file, &text[..text.len() - 4]).expect("it can be written");
    assert_eq!(squares(&folder.0, "a key", 10), (ten.clone(), 1));
    assert_eq!(squares(&folder.0, "a key", 10), (ten, 0));
    // Other circumstances, other results.
    assert_eq!(squares(&folder.0, "another key", 2).1, 2);
}
