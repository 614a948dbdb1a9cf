//! `tenbin records`

use std::process::{Command, Output};

use super::{Folder, SAMPLES, sample};

fn records(files: &[std::path::PathBuf]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tenbin"));
    command.arg("records").args(files).output().expect("the program runs")
}

fn lines(output: &Output) -> Vec<String> {
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

#[test]
fn says_what_is_in_a_file() {
    let output = records(&[sample("games.txt")]);
    assert_eq!(output.status.code(), Some(0));
    let lines = lines(&output);
    assert!(lines[0].ends_with("games.txt (text, a game a line: start|moves|result|meta)"), "{}", lines[0]);
    for expected in [
        "  games      5",
        "  positions  21",
        "  results    Black 2 (40.0%), White 2 (40.0%), draw 1 (20.0%), unknown 0 (0.0%)",
        "  lengths    min 2, median 3, mean 4.2, max 7",
        "  scores     positions 5 (23.8%), 1 of them mates",
        "  ratings    games 1 (20.0%), min 1850, mean 1880, max 1910",
        "  skipped    8",
        "          2  a move is unreadable",
        "       e.g.  line 9: move 1: 'high' is not a score",
    ] {
        assert!(lines.iter().any(|line| line == expected), "{expected} in {lines:#?}");
    }
}

#[test]
fn a_file_that_cannot_be_opened_does_not_hide_the_others() {
    let folder = Folder::new("tool");
    let files = [folder.0.join("missing.csa"), sample("game.csa"), folder.0.clone(), sample("game.kif")];
    let output = records(&files);
    assert_eq!(output.status.code(), Some(2));
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(errors.lines().count(), 2, "{errors}");
    assert!(errors.contains("missing.csa: ") && errors.contains("this is a folder"), "{errors}");
    let lines = lines(&output);
    assert_eq!(lines.iter().filter(|line| *line == "  games      1").count(), 2);
    let total = lines.iter().position(|line| line == "total").expect("there is a total");
    assert_eq!(lines[total + 1], "  games      2");
}

#[test]
fn reads_every_sample() {
    let output = records(&SAMPLES.map(sample));
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty());
}
