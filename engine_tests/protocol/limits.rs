//! What limits a search, and what it is asked to look for.

use std::time::{Duration, Instant};

use super::client::{Client, Heard, last, texts};
use super::format::{Printed, Variation};

/// The lines of play in what was heard.
fn variations(heard: &[Heard]) -> Vec<&Variation> {
    heard
        .iter()
        .filter_map(|heard| match &heard.printed {
            Printed::Variation(variation) => Some(variation),
            _ => None,
        })
        .collect()
}

fn ask<'a>(client: &mut Client, go: &str, heard: &'a mut Vec<Heard>) -> Vec<&'a Variation> {
    client.send(go);
    *heard = client.answer();
    variations(heard)
}

#[test]
fn depth_and_nodes_end_a_search() {
    let mut client = Client::ready();
    let mut heard = Vec::new();
    for depth in [1, 2, 3] {
        let lines = ask(&mut client, &format!("go depth {depth}"), &mut heard);
        assert_eq!(lines.last().map(|line| line.depth), Some(depth));
    }
    for nodes in [1, 100, 10_000] {
        let lines = ask(&mut client, &format!("go nodes {nodes}"), &mut heard);
        // The node that finds the limit exceeded is counted too.
        assert!(lines.last().is_some_and(|line| line.nodes <= nodes + 1), "{lines:?}");
    }
    // The nearer of two limits counts, and unknown words are skipped.
    let lines = ask(&mut client, "go foo depth 2 bar nodes 100000000", &mut heard);
    assert_eq!(lines.last().map(|line| line.depth), Some(2));
    client.quit();
}

#[test]
fn limits_set_as_options_hold_for_every_go() {
    let mut client = Client::ready();
    client.send("setoption name DepthLimit value 2");
    let mut heard = Vec::new();
    let lines = ask(&mut client, "go depth 5", &mut heard);
    assert_eq!(lines.last().map(|line| line.depth), Some(2));
    let lines = ask(&mut client, "go btime 600000 wtime 600000", &mut heard);
    assert_eq!(lines.last().map(|line| line.depth), Some(2));
    client.send("setoption name DepthLimit value 0");
    client.send("setoption name NodesLimit value 1000");
    let lines = ask(&mut client, "go depth 60", &mut heard);
    assert!(lines.last().is_some_and(|line| line.nodes <= 1001), "{lines:?}");
    client.quit();
}

#[test]
fn movetime_is_used_and_kept() {
    let mut client = Client::ready();
    for (ms, least) in [(50, 20), (300, 200)] {
        let begun = Instant::now();
        client.send(&format!("go movetime {ms}"));
        let took = last(&client.answer()).at - begun;
        assert!(took >= Duration::from_millis(least), "{ms}: {took:?}");
        assert!(took <= Duration::from_millis(ms + 300), "{ms}: {took:?}");
    }
    client.quit();
}

#[test]
fn times_of_zero_and_missing_numbers_mean_move_now() {
    let mut client = Client::ready();
    for go in [
        "go btime 0 wtime 0",
        "go btime",
        "go byoyomi 0",
        "go movetime",
        "go nodes",
        "go depth",
        "go btime -5",
    ] {
        let begun = Instant::now();
        client.send(go);
        assert!(last(&client.answer()).at - begun < Duration::from_millis(500), "{go}");
    }
    client.quit();
}

#[test]
fn only_the_clock_of_the_side_to_move_counts() {
    let mut client = Client::ready();
    for (position, go) in [
        ("position startpos", "go btime 100 wtime 600000"),
        ("position startpos moves 7g7f", "go btime 600000 wtime 100"),
    ] {
        client.send(position);
        let begun = Instant::now();
        client.send(go);
        assert!(last(&client.answer()).at - begun < Duration::from_millis(400), "{position} {go}");
    }
    client.quit();
}

#[test]
fn searchmoves_are_the_only_choice() {
    let mut client = Client::ready();
    for mv in ["7g7f", "9g9f", "5i5h"] {
        assert!(client.ask(&format!("go depth 2 searchmoves {mv}")).starts_with(&format!("bestmove {mv}")));
    }
    client.send("position startpos moves 7g7f 3c3d 8h2b+ 3a2b");
    assert!(client.ask("go depth 2 searchmoves B*5e").starts_with("bestmove B*5e"));
    assert!(client.ask("go depth 2 searchmoves 2h3h 2h3h 2h3h").starts_with("bestmove 2h3h"));
    // All that cannot be played is named and left out.
    client.send("go depth 2 searchmoves b*5e 1a1b B*4e");
    let heard = client.answer();
    assert_eq!(texts(&heard).len(), 2, "{heard:?}");
    assert!(last(&heard).text.starts_with("bestmove B*4e"));
    // More lines than moves: as many as there are moves.
    client.send("setoption name MultiPV value 5");
    client.ask("go depth 2 searchmoves B*5e B*4e");
    client.quit();
}

#[test]
fn multipv_shows_every_move_when_there_are_fewer_than_asked() {
    let mut client = Client::ready();
    client.send("setoption name MultiPV value 600");
    let mut heard = Vec::new();
    let lines = ask(&mut client, "go depth 1", &mut heard);
    assert_eq!(lines.len() % 30, 0);
    let mut moves: Vec<&String> = lines.iter().rev().take(30).map(|line| &line.pv[0]).collect();
    moves.sort_unstable();
    moves.dedup();
    assert_eq!(moves.len(), 30, "each move once");
    client.quit();
}

#[test]
fn mates_are_looked_for_in_all_forms() {
    let mut client = Client::ready();
    client.send("position sfen 4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1");
    for go in ["go mate 1000", "go mate infinite", "go mate", "go mate 0"] {
        assert_eq!(client.ask(go), "checkmate G*5b", "{go}");
    }
    // No check at all: proved.
    client.send("position sfen 4k4/9/9/9/9/9/9/9/9 b 2r2b4g4s4n4l18p 1");
    for go in ["go mate 1000", "go mate infinite", "go mate"] {
        assert_eq!(client.ask(go), "checkmate nomate", "{go}");
    }
    // Mated already: whoever is mated mates nobody.
    client.send("position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1");
    assert_eq!(client.ask("go mate 1000"), "checkmate nomate");
    // The question is never answered by a move, whatever becomes of the position or the time.
    client.send("position startpos");
    let answer = client.ask("go mate 100");
    assert!(answer == "checkmate timeout" || answer == "checkmate nomate", "{answer}");
    client.send("position sfen nonsense");
    assert_eq!(client.ask("go mate 100"), "checkmate timeout");
    client.quit();
}

#[test]
fn mates_in_one_are_played_and_shown_as_such() {
    let mut client = Client::ready();
    client.send("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
    let mut heard = Vec::new();
    let lines = ask(&mut client, "go depth 3", &mut heard);
    assert_eq!(lines.last().map(|line| line.score.clone()), Some(("mate".to_owned(), 1)));
    assert_eq!(last(&heard).text, "bestmove G*5b");
    client.quit();
}

#[test]
fn perft_counts_and_still_answers() {
    let mut client = Client::ready();
    for (depth, nodes) in [(1, 30), (2, 900), (3, 25_470)] {
        client.send(&format!("go perft {depth}"));
        let heard = client.answer();
        let total = format!("perft {depth} nodes {nodes} ");
        assert!(texts(&heard).iter().any(|text| text.starts_with(&total)), "{heard:?}");
        assert_eq!(texts(&heard).len(), 31, "a count for each move and the sum");
    }
    client.send("go perft 20");
    client.expect_no_answer(Duration::from_millis(200));
    client.send("stop");
    client.answer();
    client.quit();
}
