//! People can see what was learned: `tenbin policy`.

use std::process::Command;

fn tenbin(arguments: &[&str]) -> (String, String, Option<i32>) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_tenbin")).args(arguments).output().expect("the program runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr), output.status.code())
}

#[test]
fn moves_come_with_probabilities_and_reasons() {
    let (text, _, code) = tenbin(&["policy", "startpos", "moves", "7g7f", "3c3d", "--moves", "50"]);
    assert_eq!(code, Some(0));
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("progress "), "{}", lines[0]);
    assert!(lines[1].starts_with("39 legal moves, "), "{}", lines[1]);
    let ranked: Vec<Vec<&str>> = lines[2..]
        .iter()
        .map(|line| line.split_whitespace().collect::<Vec<_>>())
        .filter(|words| words.len() >= 6 && words[3] == "%" && words[5] == "%")
        .collect();
    assert_eq!(ranked.len(), 39, "a line for every move");
    let shares: Vec<f64> = ranked.iter().map(|words| words[2].parse().expect("a percentage")).collect();
    assert!(shares.is_sorted_by(|a, b| a >= b), "{shares:?}");
    assert!((shares.iter().sum::<f64>() - 100.0).abs() < 0.5);
    // Below each move its strongest features, the strongest first.
    let reasons: Vec<f64> = lines[3..8]
        .iter()
        .map(|line| line.split_whitespace().next().and_then(|word| word.parse().ok()).expect("a weight"))
        .collect();
    assert!(reasons.is_sorted_by(|a, b| a.abs() >= b.abs()), "{reasons:?}");
    assert!(lines[3].contains(": "), "{}", lines[3]);
}

#[test]
fn bad_positions_and_folders_are_told() {
    let (_, error, code) = tenbin(&["policy", "sfen", "nonsense"]);
    assert_eq!(code, Some(2));
    assert!(error.starts_with("tenbin: "), "{error}");
    let (_, error, code) = tenbin(&["policy", "--weights", "no/such/folder"]);
    assert_eq!(code, Some(2));
    assert!(error.contains("transition.bin"), "{error}");
}
