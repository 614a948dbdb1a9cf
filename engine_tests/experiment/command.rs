//! `tenbin experiment`

use std::process::{Command, Output};
use tenbin::experiment::CATALOGUE;

use super::Folder;

fn experiment(words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tenbin"));
    command.arg("experiment").args(words).output().expect("the program runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn the_list_names_all() {
    let output = experiment(&["list"]);
    assert_eq!(output.status.code(), Some(0));
    let lines = text(&output.stdout);
    assert_eq!(lines.lines().count(), CATALOGUE.len());
    assert!(CATALOGUE.iter().all(|one| lines.lines().any(|line| line.starts_with(one.name))), "{lines}");
}

#[test]
fn a_match_is_the_same_each_time() {
    let folders = ["match", "rematch"].map(Folder::new);
    let play = |folder: &Folder, seed: &str| {
        let out = folder.0.display().to_string();
        let save = folder.0.join("games.txt").display().to_string();
        let players = ["policy,kind=transition", "policy,kind=uniform"];
        let options = ["--games", "6", "--seed", seed, "--out", &out, "--save", &save];
        let output = experiment(&[&["match"], &players[..], &options[..]].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let score = play(&folders[0], "5");
    assert!(score.starts_with("6 games: ") && score.contains(" %") && score.contains("Elo"), "{score}");
    assert_eq!(play(&folders[1], "5"), score);
    // All pairs are known: nothing is played again.
    assert_eq!(play(&folders[0], "5"), score);
    let saved = std::fs::read_to_string(folders[0].0.join("games.txt")).expect("games");
    assert_eq!(saved.lines().count(), 6);
}

#[test]
fn mistakes_are_told() {
    for (words, told) in [
        (&["match", "uct"][..], "two players"),
        (&["match", "uct", "nobody"], "nobody"),
        (&["mse", "uct"], "no players"),
        (&["mse", "--save", "x"], "--save"),
        (&["nonsense"], "nonsense"),
        (&["mse", "--quick", "--full"], "--full"),
        (&["mse", "--weights", "no-such-folder"], "no-such-folder"),
        (&["match", "uct", "uct", "--openings", "no-such-file"], "no-such-file"),
    ] {
        let output = experiment(words);
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        let error = text(&output.stderr);
        assert!(error.contains(told) && !error.contains("panicked"), "{words:?}: {error}");
    }
}
