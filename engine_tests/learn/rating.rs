//! Runs of plans of kind `rating`: they repeat to the byte, and what they write can be read and used.

use std::path::PathBuf;
use tenbin::eval::Network;
use tenbin::human::Human;
use tenbin::learn::Plan;
use tenbin::shogi::Walker;

use crate::eval::Folder;
use crate::learn::value::{learn, run, scored, weights, with_threads};

/// A plan over the games with scores, half of them between weak players and half between strong ones.
fn plan(folder: &Folder, more: &str) -> PathBuf {
    let text = std::fs::read_to_string(scored()).expect("games");
    let rated: Vec<String> = text
        .lines()
        .enumerate()
        .map(|(i, line)| {
            let fields: Vec<&str> = line.split('|').take(3).collect();
            format!("{}|ratings={}", fields.join("|"), ["1200,1300", "2600,2500"][i % 2])
        })
        .collect();
    folder.write("rated.txt", rated.join("\n"));
    let head =
        "kind = 'rating'\nrecords = ['rated.txt']\noutput = 'weights.bin'\nwin_batch = 256\nwin_rate = 0.05";
    folder.write("plan.toml", format!("{head}\n{more}\n"))
}

#[test]
fn a_run_gives_the_same_on_any_number_of_threads_and_its_result_can_be_used() {
    let (one, two) = (Folder::new("rating-one"), Folder::new("rating-two"));
    let (first, second) = (plan(&one, "knots = [1250, 2550]"), plan(&two, "knots = [1250, 2550]"));
    let said = with_threads(1, || learn(&first));
    assert!(said.iter().any(|line| line.starts_with("who wins, %")), "{said:#?}");
    assert!(said.iter().all(|line| line.is_ascii()), "{said:#?}");
    with_threads(2, || learn(&second));
    assert!(weights(&first) == weights(&second));
    assert!(one.names().contains(&"weights-plain.bin".to_owned()), "{:?}", one.names());
    let bytes = weights(&first);
    let human = Human::read(&bytes).expect("it can be read");
    assert_eq!(human.knots, [1250.0, 2550.0]);
    let start = Walker::startpos();
    let rate = |rating| human.win_rate(&Network::embedded(), start.position(), rating);
    assert!(
        (0.02..0.98).contains(&rate(1250.0)) && (rate(1250.0) - rate(2550.0)).abs() > 1e-5,
        "{} {}",
        rate(1250.0),
        rate(2550.0)
    );
    assert!((rate(2550.0) - rate(9000.0)).abs() < 1e-6);
    let middle = 0.5 * (rate(1250.0) + rate(2550.0));
    assert!((rate(1900.0) - middle).abs() < 0.01, "the logit goes evenly from knot to knot");
    assert!(human.policy(1250.0).expect("weights") != human.policy(2550.0).expect("weights"));
    for length in [0, 1, 40, bytes.len() / 2, bytes.len() - 1] {
        assert!(Human::read(&bytes[..length]).is_err(), "cut off after {length}");
    }
}

#[test]
fn plans_that_cannot_be_followed_say_why() {
    let folder = Folder::new("rating-plans");
    for (more, complaint) in [
        ("knots = []", "knots: 1 to 32 ratings"),
        ("knots = [2000, 1000]", "knots: 1 to 32 ratings"),
        ("win_decay = 70", "win_decay: 70 is not"),
        ("nonsense = 1", "unknown field `nonsense`"),
    ] {
        let error = Plan::read(&plan(&folder, more)).expect_err(complaint).to_string();
        assert!(error.contains(complaint), "{error}");
    }
    // Games without ratings say nothing about them.
    let text = format!("kind = 'rating'\nrecords = ['{}']\noutput = 'weights.bin'\n", scored().display());
    assert!(run(&folder.write("plan.toml", text), |_| false).error().contains("games with ratings"));
}
